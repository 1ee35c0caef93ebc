/* test_fft_error: the bound on rounding errors that simdp_fft_error states, held against transforms in 200 digits on
 * random, sparse, tilted and hostile inputs, forward and backward; and that it is at most three times what hostile
 * inputs reach. SIMDP_TEST_FULL: more lengths, and 2^22 points against long double. */
#include <math.h>

#include "fft/fft.h"
#include "fft/fft_kernels.h"
#include "reference/fft_reference.h"
#include "support/test_support.h"

#define U 0x1p-53
static const long double pi = 3.14159265358979323846264338327950288L;

typedef struct {
    simdp_fft *fft;
    size_t points, count; /* count complex numbers */
    size_t *root;         /* output f is the value at exp(2 pi i (4 root[f] + 1) / (4 count)) */
    double *data, *input;
    double worst; /* error over sum of moduli, the largest seen */
} subject;

static double *re_of(const subject *s, double *data, size_t c) { return data + simdp_fft_place(s->points, c); }
static double *im_of(const subject *s, double *data, size_t c)
{
    return re_of(s, data, c) + simdp_fft_group(s->points);
}

static void run(const subject *s, bool backward)
{
    memcpy(s->data, s->input, s->points * sizeof *s->data);
    if (backward) simdp_fft_backward(s->fft, s->data);
    else simdp_fft_forward(s->fft, s->data);
}

/* The transform of t tells which root each output belongs to. */
static void find_roots(subject *s)
{
    memset(s->input, 0, s->points * sizeof *s->input);
    if (s->count > 1) *re_of(s, s->input, 1) = 1;
    run(s, false);
    for (size_t f = 0; f < s->count; f++) {
        const double turns = atan2(*im_of(s, s->data, f), *re_of(s, s->data, f)) / 6.283185307179586;
        s->root[f] = (size_t)llround((turns < 0 ? turns + 1 : turns) * (double)s->count - 0.25) % s->count;
    }
    if (s->count == 1) s->root[0] = 0;
}

static subject subject_of(size_t points)
{
    subject s = {.points = points, .count = points / 2};
    must(simdp_fft_create(&s.fft, points));
    s.root = malloc(s.count * sizeof *s.root);
    s.data = simdp_fft_alloc(points), s.input = simdp_fft_alloc(points);
    assert_true(s.root != NULL && s.data != NULL && s.input != NULL);
    find_roots(&s);
    return s;
}

static void subject_clear(subject *s)
{
    simdp_fft_destroy(s->fft);
    simdp_fft_free(s->data), simdp_fft_free(s->input);
    free(s->root);
}

static double modulus_sum(const subject *s)
{
    double sum = 0;
    for (size_t c = 0; c < s->count; c++) sum += hypot(*re_of(s, s->input, c), *im_of(s, s->input, c));
    return sum;
}

/* ---- inputs ---- */

static double uniform(uint64_t *seed) { return (double)(int64_t)test_random(seed) * 0x1p-63; }

typedef void make_input(const subject *s, uint64_t *seed);

static void make_random(const subject *s, uint64_t *seed)
{
    for (size_t i = 0; i < s->points; i++) s->input[i] = uniform(seed);
}
static void make_positive(const subject *s, uint64_t *seed)
{
    for (size_t i = 0; i < s->points; i++) s->input[i] = fabs(uniform(seed));
}
/* the masses of a law with a peak, tilted: over six hundred orders of magnitude */
static void make_tilted(const subject *s, uint64_t *seed)
{
    const double fall = 1400 * fabs(uniform(seed)), peak = 0.3 * (double)s->points;
    for (size_t j = 0; j < s->points; j++)
        s->input[simdp_fft_slot(s->points, j)] = exp(-fall * fabs((double)j - peak) / (double)s->points);
}
static void make_spike(const subject *s, uint64_t *seed)
{
    const size_t c = test_random(seed) % 3 == 0 ? s->count - 1 : test_random(seed) % s->count;
    for (size_t i = 0; i < s->points; i++) s->input[i] = uniform(seed) * 0x1p-50;
    *re_of(s, s->input, c) = 1 + fabs(uniform(seed)), *im_of(s, s->input, c) = 1 + fabs(uniform(seed));
}
static make_input *const makers[] = {make_random, make_positive, make_tilted, make_spike};

/* ---- against 200 digits ---- */

static double reference_error(subject *s, fft_reference *r, bool backward)
{
    for (size_t c = 0; c < s->count; c++) {
        reference_number *z = &r->at[backward ? s->root[c] : c];
        mpfr_set_d(z->re, *re_of(s, s->input, c), MPFR_RNDN);
        mpfr_set_d(z->im, *im_of(s, s->input, c), MPFR_RNDN);
    }
    run(s, backward);
    fft_reference_transform(r, backward);
    double worst = 0;
    for (size_t c = 0; c < s->count; c++)
        worst = fmax(
            worst, fft_reference_distance(r, backward ? c : s->root[c], *re_of(s, s->data, c), *im_of(s, s->data, c)));
    return worst / modulus_sum(s);
}

static void against_reference(subject *s)
{
    fft_reference *r = fft_reference_create(s->count);
    uint64_t seed = s->points;
    const size_t rounds = s->points <= 256 ? 20 : 1;
    for (size_t round = 0; round < rounds; round++) {
        for (size_t i = 0; i < sizeof makers / sizeof makers[0]; i++) {
            for (int backward = 0; backward < 2; backward++) {
                makers[i](s, &seed);
                const double error = reference_error(s, r, backward);
                assert_true(error <= simdp_fft_error(s->fft));
                s->worst = fmax(s->worst, error);
            }
        }
    }
    fft_reference_destroy(r);
}

/* ---- hostile inputs: 1 + i, and beside it numbers so small that they only decide how sums are rounded ---- */

enum { HELPERS_MOST = 64 };

typedef struct {
    size_t at[HELPERS_MOST];
    long double re[HELPERS_MOST], im[HELPERS_MOST]; /* its factor in the output that is looked at */
    size_t count, output;
    size_t odd_first, odd_count; /* those of a butterfly of 3 or 5, which only work together */
} helpers;

/* The numbers that meet number 0 first, step by step: the other inputs of its butterflies. */
static void meet(helpers *h, size_t *block, size_t radix)
{
    *block /= radix;
    if (radix % 2 == 1) h->odd_first = h->count, h->odd_count = radix - 1;
    for (size_t c = 1; c < radix; c++) {
        if (radix % 2 == 1 || (c & (c - 1)) == 0) h->at[h->count++] = c * *block;
    }
}

static helpers helpers_of(const subject *s, size_t output, bool backward)
{
    helpers h = {.output = output};
    size_t block = s->count;
    for (size_t i = 0; i < 2 * s->fft->stages; i++) meet(&h, &block, 8);
    for (size_t p = 0; p < s->fft->passes; p++) meet(&h, &block, s->fft->pass[p].radix);
    while (block > 1) meet(&h, &block, 8); /* the leaf */
    for (size_t i = 0; i < h.count; i++) {
        const long double angle = 2 * pi * ((4 * s->root[output] + 1) * h.at[i] % (4 * s->count)) / (4 * s->count);
        h.re[i] = backward ? 1 : cosl(angle), h.im[i] = backward ? 0 : sinl(angle);
    }
    return h;
}

/* The error of the output, whose exact value is a sum of few terms: number 0 has the factor 1. */
static double hostile_error(const subject *s, const helpers *h, bool backward)
{
    long double re = *re_of(s, s->input, 0), im = *im_of(s, s->input, 0);
    double sum = hypot((double)re, (double)im);
    for (size_t i = 0; i < h->count; i++) {
        const double x = *re_of(s, s->input, h->at[i]), y = *im_of(s, s->input, h->at[i]);
        re += x * h->re[i] - y * h->im[i], im += x * h->im[i] + y * h->re[i];
        sum += hypot(x, y);
    }
    run(s, backward);
    return (double)hypotl(*re_of(s, s->data, h->output) - re, *im_of(s, s->data, h->output) - im) / sum;
}

static void set_helper(const subject *s, const helpers *h, size_t i, double re, double im)
{
    *re_of(s, s->input, h->at[i]) = (double)(re * h->re[i] + im * h->im[i]);
    *im_of(s, s->input, h->at[i]) = (double)(im * h->re[i] - re * h->im[i]);
}

/* The best of many values for those that only work together. */
static double hunt_odd(const subject *s, const helpers *h, double best, bool backward)
{
    uint64_t seed = s->points;
    double kept[4][2] = {{0}}, now[4][2];
    for (size_t i = 0; i < h->odd_count; i++) {
        kept[i][0] = *re_of(s, s->input, h->at[h->odd_first + i]);
        kept[i][1] = *im_of(s, s->input, h->at[h->odd_first + i]);
    }
    const size_t tries = s->points <= 4096 ? 4000 : 500;
    for (size_t t = 0; t <= tries && h->odd_count > 0; t++) {
        for (size_t i = 0; i < h->odd_count; i++) {
            for (int part = 0; part < 2; part++) now[i][part] = t < tries ? 2.5 * U * uniform(&seed) : kept[i][part];
            *re_of(s, s->input, h->at[h->odd_first + i]) = now[i][0];
            *im_of(s, s->input, h->at[h->odd_first + i]) = now[i][1];
        }
        const double error = hostile_error(s, h, backward);
        if (error > best) best = error, memcpy(kept, now, sizeof now);
    }
    return best;
}

/* Each helper in turn takes the value that makes the error largest. */
static void hunt(subject *s, size_t output, bool backward)
{
    static const double tried[] = {0, 1.01 * U, -1.01 * U, 0.99 * U, 2.02 * U, -2.02 * U};
    const helpers h = helpers_of(s, output, backward);
    memset(s->input, 0, s->points * sizeof *s->input);
    *re_of(s, s->input, 0) = *im_of(s, s->input, 0) = 1;
    for (size_t i = 0; i < h.count; i++) set_helper(s, &h, i, tried[1], tried[1]);
    double best = hostile_error(s, &h, backward);
    for (size_t i = 0; i < h.count; i++) {
        double kept[2] = {tried[1], tried[1]};
        for (size_t t = 0; t < 36; t++) {
            set_helper(s, &h, i, tried[t / 6], tried[t % 6]);
            const double error = hostile_error(s, &h, backward);
            if (error > best) best = error, kept[0] = tried[t / 6], kept[1] = tried[t % 6];
        }
        set_helper(s, &h, i, kept[0], kept[1]);
    }
    best = hunt_odd(s, &h, best, backward);
    assert_true(best <= simdp_fft_error(s->fft));
    s->worst = fmax(s->worst, best);
}

/* Short ones: where products count more than sums, many inputs come close. */
static void hunt_short(subject *s)
{
    uint64_t seed = 3 * s->points;
    for (size_t round = 0; round < 200000 / s->points && s->points <= 64 && s->count > 1; round++) {
        make_spike(s, &seed);
        const double sum = modulus_sum(s);
        run(s, false);
        for (size_t f = 0; f < s->count; f++) {
            long double re = 0, im = 0;
            for (size_t c = 0; c < s->count; c++) {
                const long double angle = 2 * pi * ((4 * s->root[f] + 1) * c % (4 * s->count)) / (4 * s->count);
                const long double x = *re_of(s, s->input, c), y = *im_of(s, s->input, c);
                const long double w = cosl(angle), v = sinl(angle);
                re += x * w - y * v, im += x * v + y * w;
            }
            const double error = (double)hypotl(*re_of(s, s->data, f) - re, *im_of(s, s->data, f) - im) / sum;
            assert_true(error <= simdp_fft_error(s->fft));
            s->worst = fmax(s->worst, error);
        }
    }
}

/* Butterflies of 3 and 5 have more roundings on the way to their later outputs. */
static void hunt_all(subject *s)
{
    const size_t radix = s->fft->passes > 0 ? s->fft->pass[0].radix : 1, outputs = radix % 2 == 1 ? radix : 1;
    for (size_t c = 0; c < outputs; c++) hunt(s, c * (s->fft->block / radix), false);
    hunt(s, 0, true);
    hunt_short(s);
}

static void check(size_t points, bool reference)
{
    subject s = subject_of(points);
    if (reference) against_reference(&s);
    hunt_all(&s);
    const double ratio = s.count > 1 ? simdp_fft_error(s.fft) / s.worst : 1;
    print_message("%6zu points: error up to %5.2f u, bound %5.2f u, ratio %.2f\n", points, s.worst / U,
                  simdp_fft_error(s.fft) / U, ratio);
    assert_true(ratio >= 1 && ratio <= 3);
    subject_clear(&s);
}

static void bound_holds(void **state)
{
    (void)state;
    const size_t reference_most = is_full() ? 65536 : is_short() ? 256 : 5120, most = is_full() ? 655360 : 40960;
    for (size_t points = 2; points <= most; points = simdp_fft_points(points + 1))
        check(points, points <= reference_most || (points == 16384 && !is_short()));
}

/* ---- long ones ---- */

typedef struct {
    long double re, im;
} long_number;

/* exp(2 pi i m / period), good to 2^-63, by two tables */
typedef struct {
    size_t period, low_count;
    long_number *low, *high;
} long_roots;

static long_number long_product(long_number a, long_number b)
{
    return (long_number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static long_roots long_roots_of(size_t period)
{
    long_roots r = {period, 4096, malloc(4096 * sizeof *r.low), malloc((period / 4096 + 1) * sizeof *r.high)};
    assert_true(r.low != NULL && r.high != NULL);
    for (size_t i = 0; i < r.low_count; i++)
        r.low[i] = (long_number){cosl(2 * pi * i / period), sinl(2 * pi * i / period)};
    for (size_t i = 0; i <= period / r.low_count; i++) {
        const size_t m = i * r.low_count % period;
        r.high[i] = (long_number){cosl(2 * pi * m / period), sinl(2 * pi * m / period)};
    }
    return r;
}

static long_number long_root(const long_roots *r, size_t m)
{
    return long_product(r->high[m / r->low_count], r->low[m % r->low_count]);
}

static size_t reversed(size_t k, size_t count)
{
    size_t out = 0;
    for (size_t bit = 1; bit < count; bit *= 2, k /= 2) out = 2 * out + k % 2;
    return out;
}

/* In place, radix 2; value k comes to the place that reverses its bits. */
static void long_transform(long_number *z, size_t count)
{
    const long_roots roots = long_roots_of(4 * count);
    for (size_t blocks = 1; blocks < count; blocks *= 2) {
        const size_t half = count / blocks / 2;
        for (size_t b = 0; b < blocks; b++) {
            const long_number w = long_root(&roots, (4 * reversed(b, blocks) + 1) * half % (4 * count));
            for (size_t i = 2 * half * b; i < 2 * half * b + half; i++) {
                const long_number t = long_product(z[i + half], w);
                z[i + half] = (long_number){z[i].re - t.re, z[i].im - t.im};
                z[i] = (long_number){z[i].re + t.re, z[i].im + t.im};
            }
        }
    }
    free(roots.low), free(roots.high);
}

static void bound_holds_for_long_ones(void **state)
{
    (void)state;
    const size_t points = is_full() ? (size_t)1 << 22 : 1 << 14;
    subject s = subject_of(points);
    long_number *z = malloc(s.count * sizeof *z);
    uint64_t seed = 22;
    assert_non_null(z);
    for (size_t i = 0; i < sizeof makers / sizeof makers[0]; i++) {
        makers[i](&s, &seed);
        for (size_t c = 0; c < s.count; c++) z[c] = (long_number){*re_of(&s, s.input, c), *im_of(&s, s.input, c)};
        run(&s, false);
        long_transform(z, s.count);
        double worst = 0;
        for (size_t f = 0; f < s.count; f++) {
            const long_number *want = &z[reversed(s.root[f], s.count)];
            worst = fmax(worst, (double)hypotl(want->re - *re_of(&s, s.data, f), want->im - *im_of(&s, s.data, f)));
        }
        s.worst = fmax(s.worst, worst / modulus_sum(&s));
        assert_true(s.worst <= simdp_fft_error(s.fft));
    }
    hunt_all(&s);
    print_message("%zu points: error up to %.2f u, bound %.2f u\n", points, s.worst / U, simdp_fft_error(s.fft) / U);
    assert_true(simdp_fft_error(s.fft) <= 3 * s.worst);
    free(z);
    subject_clear(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bound_holds),
        cmocka_unit_test(bound_holds_for_long_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
