/* fft.c: see fft.h. */
#define _DEFAULT_SOURCE /* madvise */
#include "fft/fft.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "call/kernels.h"
#include "fft/fft_kernels.h"

/* Complex numbers that the passes walk over, where that can be: they and their tables stay in the second cache, and the
 * tables are made in the time of a few transforms. */
enum { WALK_MOST = 1 << 12 };
enum { PAGE = 1 << 12, HUGE_PAGE = 1 << 21 };

/* Bounds on the rounding errors of one step, in units of u, as ERRORS.md derives them. */
#define ERROR_FACTOR 2.58 /* a product with a factor from a table, */
#define ERROR_TURN   3.17 /* or with one made of two */
static double butterfly_error(size_t radix)
{
    switch (radix) {
    case 2: return 1;
    case 3: return 3.37;
    case 4: return 2;
    case 5: return 6.2;
    default: return 4.62;
    }
}

/* ---- memory ---- */

double *simdp_fft_alloc(size_t doubles)
{
    if (doubles > SIZE_MAX / 16) return NULL;
    const size_t bytes = (doubles * sizeof(double) / 64 + 1) * 64;
    char *data = aligned_alloc(64, bytes);
    /* Columns of long transforms touch a page for each row: large pages, where the system has some. */
    if (data != NULL && bytes >= 2 * HUGE_PAGE) {
        const size_t skip = -(uintptr_t)data % PAGE;
        (void)madvise(data + skip, (bytes - skip) / PAGE * PAGE, MADV_HUGEPAGE);
    }
    return (double *)data;
}
void simdp_fft_free(double *data) { free(data); }

/* ---- lengths ---- */

size_t simdp_fft_points(size_t least)
{
    if (least > FFT_POINTS_MOST) return 0;
    size_t points = 2;
    while (points < least) points *= 2; /* bound: 27 turns */
    if (points / 8 * 5 >= least && points / 8 >= 2 * FFT_LEAF) return points / 8 * 5;
    if (points / 4 * 3 >= least && points / 4 >= 2 * FFT_LEAF) return points / 4 * 3;
    return points;
}

/* ---- plans ---- */

/* exp(2 pi i m / period) for all m, as products of two. */
static bool roots_create(fft_roots *r, const simdp_fft_kernels *kernels, uint64_t period)
{
    *r = (fft_roots){.period = period};
    while (((uint64_t)1 << r->shift << r->shift) < period) r->shift++;
    r->low_count = (size_t)1 << r->shift, r->high_count = (size_t)(period >> r->shift) + 1;
    r->low = malloc(r->low_count * sizeof *r->low);
    r->high = malloc(r->high_count * sizeof *r->high);
    if (r->low == NULL || r->high == NULL) return false;
    if (((uint64_t)(r->high_count - 1) << r->shift) == period) r->high_count--;
    kernels->roots(r->low, r->low_count < period ? r->low_count : period, 1, period);
    kernels->roots(r->high, r->high_count, (uint64_t)1 << r->shift, period);
    return true;
}

static void roots_clear(fft_roots *r)
{
    free(r->low);
    free(r->high);
}

/* Polynomials of a block are taken modulo t^block - exp(2 pi i a / (4 count)), if it is one of count blocks; the whole
 * has a = 1. Of its child c: */
static uint64_t child(uint64_t a, size_t count, size_t c) { return a + 4 * (uint64_t)count * c; }

/* The same a for one of the blocks before a pass, or for a leaf if pass = passes. */
static uint64_t block_angle(const simdp_fft *fft, size_t pass, size_t index)
{
    uint64_t a = 1;
    for (size_t p = pass; p-- > 0; index /= fft->pass[p].radix)
        a = child(a, fft->block / fft->pass[p].block, index % fft->pass[p].radix);
    return a;
}

typedef struct {
    simdp_fft *fft;
    const simdp_fft_kernels *kernels;
    fft_roots roots;         /* of period 2N = 4 (N/2) */
    fft_root_group lanes[7]; /* exp(2 pi i j c / 64) */
} maker;

/* Angles of a block that is one of FFT_ROWS^stages equal ones count so many times more in units of the whole. */
static uint64_t unit_of(const maker *m, size_t block) { return m->roots.period / (4 * (uint64_t)block); }

static void make_walk(const maker *m)
{
    simdp_fft *fft = m->fft;
    const uint64_t unit = unit_of(m, fft->block);
    for (size_t pass = 0; pass < fft->passes; pass++) {
        const fft_pass *p = &fft->pass[pass];
        for (size_t i = 0; i < fft->block / p->block; i++)
            m->kernels->powers(p->factors + FFT_FACTORS(p->radix) * i, p->radix,
                               block_angle(fft, pass, i) * (p->block / p->radix) * unit, &m->roots);
    }
    for (size_t i = 0; i < fft->block / FFT_LEAF; i++)
        m->kernels->leaf(fft->leaves + FFT_LEAF_TABLE * i, block_angle(fft, fft->passes, i) * unit, &m->roots,
                         m->lanes);
}

/* How far row r of a stage turns for each number, in units of the stage, -FFT_ROWS * 2 <= turn < FFT_ROWS * 2. */
static int64_t row_turn(size_t r)
{
    const int64_t turn = (int64_t)child(child(1, 1, r / 8), 8, r % 8) - FFT_ROWS;
    return turn < 2 * FFT_ROWS ? turn : turn - 4 * FFT_ROWS;
}

static uint64_t angle(const maker *m, int64_t turns, uint64_t unit)
{
    const int64_t period = (int64_t)m->roots.period, at = turns * (int64_t)unit % period;
    return (uint64_t)(at < 0 ? at + period : at);
}

static void make_lanes(const maker *m, fft_stage *stage)
{
    for (size_t r = 0; r < FFT_ROWS; r++) {
        uint64_t at[FFT_STRIP];
        fft_root root[FFT_STRIP];
        for (int64_t i = 0; i < FFT_STRIP; i++)
            at[i] = angle(m, row_turn(r) * (i - FFT_STRIP / 2), unit_of(m, stage->block));
        m->kernels->turns(root, at, FFT_STRIP, &m->roots);
        double *lanes = stage->lanes + 2 * FFT_STRIP * r;
        for (size_t i = 0; i < FFT_STRIP; i++) {
            double *at_i = lanes + 2 * i - i % FFT_GROUP;
            at_i[0] = (root[i].re - 1) + root[i].re_low, at_i[FFT_GROUP] = root[i].im;
        }
    }
}

static void make_stage(const maker *m, fft_stage *stage)
{
    const uint64_t unit = unit_of(m, stage->block);
    m->kernels->powers(stage->first, 8, stage->block / 8 * unit, &m->roots);
    for (size_t a = 0; a < 8; a++)
        m->kernels->powers(stage->second[a], 8, child(1, 1, a) * (stage->block / 64) * unit, &m->roots);
    make_lanes(m, stage);
    for (size_t s = 0; s < stage->block / FFT_ROWS / FFT_STRIP; s++) {
        uint64_t at[FFT_ROWS];
        const int64_t middle = (int64_t)(s * FFT_STRIP + FFT_STRIP / 2);
        for (size_t r = 0; r < FFT_ROWS; r++) at[r] = angle(m, row_turn(r) * middle, unit);
        m->kernels->turns(stage->turns + FFT_ROWS * s, at, FFT_ROWS, &m->roots);
    }
}

static void add_pass(simdp_fft *fft, size_t radix)
{
    const fft_pass *before = fft->passes == 0 ? NULL : &fft->pass[fft->passes - 1];
    const size_t block = before == NULL ? fft->block : before->block / before->radix;
    fft->pass[fft->passes++] = (fft_pass){.radix = radix, .block = block};
    fft->error += ERROR_FACTOR + butterfly_error(radix);
}

/* The steps, and what they add to the error, in units of u; memory later. */
static void choose_steps(simdp_fft *fft)
{
    const size_t odd = fft->points % 3 == 0 ? 3 : fft->points % 5 == 0 ? 5 : 1, whole = FFT_ROWS * FFT_LEAF * odd;
    const double two_of_8 = 2 * (ERROR_FACTOR + butterfly_error(8));
    for (fft->block = fft->points / 2; fft->block > WALK_MOST && fft->block % whole == 0; fft->block /= FFT_ROWS) {
        fft->stage[fft->stages++].block = fft->block;
        fft->error += two_of_8 + ERROR_TURN;
    }
    size_t left = fft->block;
    if (left >= FFT_LEAF) left /= FFT_LEAF, fft->error += two_of_8;
    if (odd > 1) add_pass(fft, odd);
    left /= odd;
    size_t first = left; /* 1, 2 or 4 times a power of 8 */
    while (first >= 8) first /= 8;
    if (first > 1) add_pass(fft, first);
    for (left /= first; left > 1; left /= 8) add_pass(fft, 8);
}

static bool find_memory(simdp_fft *fft)
{
    bool found = true;
    for (size_t i = 0; i < fft->stages; i++) {
        fft_stage *stage = &fft->stage[i];
        stage->lanes = simdp_fft_alloc(2 * FFT_STRIP * FFT_ROWS);
        stage->turns = malloc(stage->block / FFT_STRIP * sizeof *stage->turns);
        found = found && stage->lanes != NULL && stage->turns != NULL;
    }
    size_t blocks = 1;
    for (size_t p = 0; p < fft->passes; p++) {
        fft->pass[p].factors = simdp_fft_alloc(blocks * FFT_FACTORS(fft->pass[p].radix));
        found = found && fft->pass[p].factors != NULL;
        blocks *= fft->pass[p].radix;
    }
    if (fft->block < FFT_LEAF) return found;
    fft->leaves = simdp_fft_alloc(blocks * FFT_LEAF_TABLE);
    return found && fft->leaves != NULL;
}

static void make_leaf_lanes(maker *m)
{
    for (size_t j = 1; j < 8; j++) {
        fft_root root[FFT_GROUP];
        m->kernels->roots(root, FFT_GROUP, j * (m->roots.period / FFT_LEAF), m->roots.period);
        for (size_t c = 0; c < FFT_GROUP; c++) {
            fft_root_group *g = &m->lanes[j - 1];
            g->re[c] = root[c].re, g->im[c] = root[c].im, g->re_low[c] = root[c].re_low, g->im_low[c] = root[c].im_low;
        }
    }
}

static bool make(simdp_fft *fft, const simdp_fft_kernels *kernels)
{
    maker m = {.fft = fft, .kernels = kernels};
    const uint64_t period = 2 * (uint64_t)fft->points;
    const bool found = roots_create(&m.roots, kernels, period) && find_memory(fft);
    if (found) {
        if (fft->leaves != NULL) make_leaf_lanes(&m);
        for (size_t i = 0; i < fft->stages; i++) make_stage(&m, &fft->stage[i]);
        make_walk(&m);
    }
    roots_clear(&m.roots);
    return found;
}

simdp_status simdp_fft_create(simdp_fft **out, size_t points)
{
    const simdp_kernels *kernels = simdp_kernels_active();
    *out = NULL;
    if (kernels == NULL) return SIMDP_EISA;
    simdp_fft *fft = calloc(1, sizeof *fft);
    if (fft == NULL) return SIMDP_ENOMEMORY;
    fft->points = points;
    fft->kernels = kernels->fft;
    choose_steps(fft);
    fft->error *= 0x1p-53 * (1 + 0x1p-30); /* errors of errors */
    if (!make(fft, fft->kernels)) {
        simdp_fft_destroy(fft);
        return SIMDP_ENOMEMORY;
    }
    *out = fft;
    return SIMDP_OK;
}

void simdp_fft_destroy(simdp_fft *fft)
{
    if (fft == NULL) return;
    for (size_t i = 0; i < fft->stages; i++) {
        simdp_fft_free(fft->stage[i].lanes);
        free(fft->stage[i].turns);
    }
    for (size_t p = 0; p < fft->passes; p++) simdp_fft_free(fft->pass[p].factors);
    simdp_fft_free(fft->leaves);
    free(fft);
}

double simdp_fft_error(const simdp_fft *fft) { return fft->error; }

void simdp_fft_forward(const simdp_fft *fft, double *data) { fft->kernels->forward(fft, data); }
void simdp_fft_backward(const simdp_fft *fft, double *data) { fft->kernels->backward(fft, data); }
