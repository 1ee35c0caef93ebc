/* fft.c: see fft.h. */
#define _POSIX_C_SOURCE 200809L   /* signal masks */
#include "account/fft.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#ifdef SIMDP_HAVE_FFT

#include <fftw3.h>
#include <pthread.h>
#include <signal.h>

/* Transforms of 64 and of 25 are single routines of FFTW. A later radix without factors of two keeps the columns of the
 * first pass out of each other's way in the cache. */
enum { RADIX_FIRST = 64, RADIX_LATER = 25, ROW_MOST = 9072, PASSES_MOST = 4 };

typedef struct {
    double re, im;
} complex_number;

/* exp(2 pi i m / period), 0 <= m < period, as a product of two entries. */
typedef struct {
    complex_number *low, *high;
    size_t low_mask;
    unsigned low_shift;
} roots;

struct simdp_fft {
    size_t points;   /* N */
    size_t passes;
    size_t block[PASSES_MOST + 1];   /* block[0] = N/2; a pass cuts each into radix_of(pass); rows of block[passes] */
    fftw_plan column[PASSES_MOST];   /* radix_of(pass) points, as many times as the smaller block is long */
    fftw_plan row;
    roots roots;   /* of period 4 (N/2) = 2N: the twist takes m = j, a pass multiples of 4 */
};

/* ---- FFTW's planner: one thread at a time, and none while the process forks ----------------------------------- */

/* A child forked while another thread plans would find the lock held by a thread it does not have, and the planner's
 * tables half changed. So whoever forks (by fork(), which runs these functions) waits for the plan that is being made.
 * Signals wait too, or a handler that forks would wait for the thread it interrupts. */
static pthread_mutex_t planner = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t fork_prepared = PTHREAD_ONCE_INIT;
static int fork_error;

static void before_fork(void) { pthread_mutex_lock(&planner); }
static void after_fork(void) { pthread_mutex_unlock(&planner); }
static void prepare_fork(void) { fork_error = pthread_atfork(before_fork, after_fork, after_fork); }

/* False if there is no memory. */
static bool planner_enter(sigset_t *mask)
{
    sigset_t all;
    pthread_once(&fork_prepared, prepare_fork);
    if (fork_error != 0) return false;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, mask);
    pthread_mutex_lock(&planner);
    return true;
}

static void planner_leave(const sigset_t *mask)
{
    pthread_mutex_unlock(&planner);
    pthread_sigmask(SIG_SETMASK, mask, NULL);
}

bool simdp_fft_built(void) { return true; }

double *simdp_fft_alloc(size_t doubles)
{
    return doubles > SIZE_MAX / 16 ? NULL : fftw_malloc(doubles * sizeof(double));
}
void simdp_fft_free(double *data) { fftw_free(data); }

/* Row lengths that FFTW is quick at, each at most a quarter above the one before. No high powers of two: columns lie
 * one row length apart and would fall into the same sets of the cache. */
static const uint16_t row_lengths[] = {16,   20,   24,   28,   32,   40,   48,   56,   64,   72,   80,      96,   112,
                                       120,  144,  160,  200,  224,  240,  280,  336,  400,  504,  560,     600,  672,
                                       800,  840,  1008, 1120, 1200, 1440, 1568, 1680, 1800, 2016, 2400,    2520, 2800,
                                       3000, 3360, 4000, 4536, 5000, 5600, 6000, 7000, 7840, 8232, ROW_MOST};

static size_t radix_of(size_t pass) { return pass == 0 ? RADIX_FIRST : RADIX_LATER; }

size_t simdp_fft_points(size_t least)
{
    if (least > FFT_POINTS_MOST) return 0;
    size_t scale = 2;   /* N = 2 row times the radices */
    /* bound: the passes to FFT_POINTS_MOST, then the list of lengths, whose last is ROW_MOST */
    for (size_t pass = 0; least > scale * ROW_MOST; pass++) scale *= radix_of(pass);
    for (size_t i = 0;; i++) {
        if (scale * row_lengths[i] >= least) return scale * row_lengths[i];
    }
}

/* exp(2 pi i m / n) with the angle brought to the first eighth of the circle, so that both parts are right to 1 u. */
static complex_number root_of_unity(size_t m, size_t n)
{
    const size_t quarter = (8 * m / n + 1) / 2;   /* the nearest multiple of a quarter turn */
    const double turns =
        ((double)m - (double)quarter * (double)n / 4) / (double)n;   /* within 1/8; n is a multiple of 4 */
    const double angle = 2 * 0x1.921fb54442d18p+1 * turns, c = cos(angle), s = sin(angle);
    switch (quarter & 3) {
    case 0: return (complex_number){c, s};
    case 1: return (complex_number){-s, c};
    case 2: return (complex_number){-c, -s};
    default: return (complex_number){s, -c};
    }
}

static bool roots_create(roots *r, size_t period)
{
    r->low_shift = 0;
    while (((size_t)1 << r->low_shift << r->low_shift) < period) r->low_shift++;
    const size_t low_count = (size_t)1 << r->low_shift, high_count = (period >> r->low_shift) + 1;
    r->low_mask = low_count - 1;
    r->low = malloc(low_count * sizeof *r->low);
    r->high = malloc(high_count * sizeof *r->high);
    if (r->low == NULL || r->high == NULL) return false;
    for (size_t m = 0; m < low_count; m++) r->low[m] = root_of_unity(m, period);
    for (size_t m = 0; m < high_count; m++) r->high[m] = root_of_unity(m << r->low_shift, period);
    return true;
}

static inline complex_number root_at(const roots *r, size_t m)
{
    const complex_number h = r->high[m >> r->low_shift], l = r->low[m & r->low_mask];
    return (complex_number){h.re * l.re - h.im * l.im, h.re * l.im + h.im * l.re};
}

static simdp_status make_plans(simdp_fft *fft, double *data)
{
    fftw_complex *z = (fftw_complex *)data;   /* to plan with: not touched */
    bool made = true;
    sigset_t mask;
    if (!planner_enter(&mask)) return SIMDP_ENOMEMORY;
    for (size_t p = 0; p < fft->passes; p++) {
        const int radix = (int)radix_of(p), many = (int)fft->block[p + 1];
        fft->column[p] =
            fftw_plan_many_dft(1, &radix, many, z, NULL, many, 1, z, NULL, many, 1, FFTW_FORWARD, FFTW_ESTIMATE);
        made = made && fft->column[p] != NULL;
    }
    fft->row = fftw_plan_dft_1d((int)fft->block[fft->passes], z, z, FFTW_FORWARD, FFTW_ESTIMATE);
    planner_leave(&mask);
    return made && fft->row != NULL ? SIMDP_OK : SIMDP_ENOMEMORY;
}

simdp_status simdp_fft_create(simdp_fft **out, size_t points, double *data)
{
    simdp_fft *fft = calloc(1, sizeof *fft);
    *out = NULL;
    if (fft == NULL) return SIMDP_ENOMEMORY;
    fft->points = points;
    fft->block[0] = points / 2;
    while (fft->block[fft->passes] > ROW_MOST) {
        fft->block[fft->passes + 1] = fft->block[fft->passes] / radix_of(fft->passes);
        fft->passes++;
    }
    const simdp_status status = roots_create(&fft->roots, 2 * points) ? make_plans(fft, data) : SIMDP_ENOMEMORY;
    if (status != SIMDP_OK) {
        simdp_fft_destroy(fft);
        return status;
    }
    *out = fft;
    return SIMDP_OK;
}

void simdp_fft_destroy(simdp_fft *fft)
{
    if (fft == NULL) return;
    sigset_t mask;
    if (planner_enter(&mask)) {   /* else there are no plans */
        for (size_t p = 0; p < fft->passes; p++) {
            if (fft->column[p] != NULL) fftw_destroy_plan(fft->column[p]);
        }
        if (fft->row != NULL) fftw_destroy_plan(fft->row);
        planner_leave(&mask);
    }
    free(fft->roots.low);
    free(fft->roots.high);
    free(fft);
}

static inline complex_number times(complex_number a, complex_number b)
{
    return (complex_number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* Between columns and rows of a block of n: row r, place j times exp(-2 pi i r j / n). The table has period 2N. */
static void twiddle(const simdp_fft *fft, size_t pass, complex_number *block)
{
    const size_t unit = 2 * fft->points / fft->block[pass], m = fft->block[pass + 1];
    for (size_t r = 1; r < radix_of(pass); r++) {
        complex_number *row = block + r * m;
        for (size_t j = 0, at = 2 * fft->points; j < m; j++, at -= unit * r)
            row[j] = times(row[j], root_at(&fft->roots, at));
    }
}

/* z[j] times exp(i pi j / N), in runs that share the high entry. */
static void twist(const simdp_fft *fft, complex_number *z)
{
    const roots *t = &fft->roots;
    for (size_t from = 0; from < fft->block[0]; from += t->low_mask + 1) {
        const complex_number high = t->high[from >> t->low_shift];
        const size_t end = from + t->low_mask + 1 < fft->block[0] ? from + t->low_mask + 1 : fft->block[0];
        for (size_t j = from; j < end; j++) z[j] = times(z[j], times(high, t->low[j - from]));
    }
}

static void conjugate(complex_number *z, size_t n)
{
    for (size_t j = 0; j < n; j++) z[j].im = -z[j].im;
}

static void rows(const simdp_fft *fft, complex_number *z)
{
    const size_t length = fft->block[fft->passes];
    for (size_t at = 0; at < fft->block[0]; at += length)
        fftw_execute_dft(fft->row, (fftw_complex *)(z + at), (fftw_complex *)(z + at));
}

static void columns(const simdp_fft *fft, size_t pass, complex_number *block)
{
    fftw_execute_dft(fft->column[pass], (fftw_complex *)block, (fftw_complex *)block);
}

void simdp_fft_forward(const simdp_fft *fft, double *data)
{
    complex_number *z = (complex_number *)data;
    twist(fft, z);
    for (size_t p = 0; p < fft->passes; p++) {
        for (size_t at = 0; at < fft->block[0]; at += fft->block[p]) {
            columns(fft, p, z + at);
            twiddle(fft, p, z + at);
        }
    }
    rows(fft, z);
}

/* The same steps in the other order undo the scrambling; conjugates before and after turn the direction. */
void simdp_fft_backward(const simdp_fft *fft, double *data)
{
    complex_number *z = (complex_number *)data;
    conjugate(z, fft->block[0]);
    rows(fft, z);
    for (size_t p = fft->passes; p-- > 0;) {
        for (size_t at = 0; at < fft->block[0]; at += fft->block[p]) {
            twiddle(fft, p, z + at);
            columns(fft, p, z + at);
        }
    }
    twist(fft, z);
    conjugate(z, fft->block[0]);
}

double simdp_fft_error(const simdp_fft *fft)
{
    return 0x1p-53 * (4 * log2((double)fft->block[0]) + 10 * (double)(fft->passes + 1));
}

#else

bool simdp_fft_built(void) { return false; }
size_t simdp_fft_points(size_t least) { return least; }
double *simdp_fft_alloc(size_t doubles) { return doubles > SIZE_MAX / 16 ? NULL : malloc(doubles * sizeof(double)); }
void simdp_fft_free(double *data) { free(data); }
simdp_status simdp_fft_create(simdp_fft **fft, size_t points, double *data)
{
    (void)points, (void)data;
    *fft = NULL;
    return SIMDP_ENOTBUILT;
}
void simdp_fft_destroy(simdp_fft *fft) { (void)fft; }
void simdp_fft_forward(const simdp_fft *fft, double *data) { (void)fft, (void)data; }
void simdp_fft_backward(const simdp_fft *fft, double *data) { (void)fft, (void)data; }
double simdp_fft_error(const simdp_fft *fft) { return (void)fft, 0; }

#endif
