/* test_release_exhaustion: the same kernels, compiled so that doubles see 20 bits of a word (10 of a radius and 10 of
 * an angle): few enough to try them all. Whatever the bits are that it does not see, the result is right; and every
 * cell has its exact mass. */
#include "release_inside.h"
#include "support/release_support.h"

#define WORDS ((size_t)1 << 20)

static uint64_t words[2 * WORDS];
static double zeros[2 * WORDS], out[2 * WORDS];

/* Blocks so short that few are crowded: there doubles decide nothing. */
static simdp_release_plan narrow_plan(int law, double s, int bits)
{
    simdp_release_plan plan = simdp_release_plan_of(law, s, 1.0, &release_scratch);
    const double half = ldexp(1, 63 - bits); /* of what is open of |V| 2^63 */
    plan.unseen = 1.25 * (s > 4 ? s : 4) * half;
    plan.block = RELEASE_ALIGN;
    if (law == RELEASE_GAUSSIAN) {
        /* the angle's share, R < 3.8 wherever m is not always open */
        plan.limit -= s * 3.8 * 0.7855 * ldexp(1, -bits);
        plan.near_zero += s * 2.02 * half / ldexp(1, 62); /* that of V where |V| > 1/2 */
    }
    return plan;
}

static void run(int law, size_t n, const simdp_kernels *kernels, const simdp_release_plan *plan)
{
    const simdp_bits_at at = {.words = words};
    const unsigned mode = fp_mode_enter_flushing();
    kernels->release->f64[law](out, zeros, n, &at, plan);
    fp_mode_leave_flushing(mode);
}

/* Bits that doubles do not see: 0 the lowest, 1 the highest, 2 the middle, then random. */
static uint64_t unseen_bits(int kind, int count, uint64_t *seed)
{
    const uint64_t all = ((uint64_t)1 << count) - 1, random = test_random(seed);
    return kind == 0 ? 0 : kind == 1 ? all : kind == 2 ? all / 2 + 1 : random & all;
}

/* Long doubles decide where they can: 1 if out is not the cell of y, 0 if it is, or if y is too near a border to
 * say. */
static size_t is_wrong(long double y, double cell, size_t *unsure)
{
    const long double near = rintl(y);
    if (fabsl(y - near) > 0.5L - 1e-12L) {
        ++*unsure;
        return 0;
    }
    return (long double)cell != near;
}

static void test_laplace(void **state)
{
    (void)state;
    const double s = 256;
    size_t wrong = 0, control = 0, unsure = 0;
    uint64_t seed = 4;
    simdp_release_counts counts = {0};
    simdp_release_plan plan = narrow_plan(RELEASE_LAPLACE, s, 20), deaf = plan;
    plan.counts = &counts;
    deaf.unseen = 0x1p-60; /* control: what is unseen does not count */
    for (int kind = 0; kind < 5; kind++) {
        for (size_t i = 0; i < WORDS; i++) words[i] = (uint64_t)i << 44 | unseen_bits(kind, 44, &seed);
        for (int with = 0; with < 2; with++) {
            run(RELEASE_LAPLACE, WORDS, &narrow20_kernels, with ? &deaf : &plan);
            for (size_t i = 0; i < WORDS; i++) {
                const bool negative = words[i] >> 63;
                /* then 1000... */
                const long double v = ((long double)(negative ? ~words[i] : words[i]) + 0.5L) * 0x1p-63L;
                const long double y = s * -logl(v);
                const size_t bad = is_wrong(negative ? -y : y, out[i], &unsure);
                if (with) control += bad;
                else wrong += bad;
            }
        }
    }
    print_message(
        "5 x 2^20 words: %llu open, %llu blocks crowded, %zu unsure, %zu wrong; deaf to unseen bits: %zu wrong\n",
        (unsigned long long)counts.open, (unsigned long long)counts.crowded, unsure, wrong, control);
    assert_int_equal(wrong, 0);
    assert_true(counts.crowded * 20 < 5 * WORDS / RELEASE_ALIGN && control > 5000 && unsure < 20);
}

/* Every word once, completed by its middle: each cell gets its mass to within one word. Doubles alone leave holes. */
static void test_masses(void **state)
{
    (void)state;
    enum { CELLS = 8192 };
    static double radius[WORDS];
    static long all[2 * CELLS + 1], alone[2 * CELLS + 1];
    const double s = 256;
    size_t off = 0, holes = 0;
    const simdp_release_plan plan = narrow_plan(RELEASE_LAPLACE, s, 20);
    for (size_t i = 0; i < WORDS; i++) words[i] = (uint64_t)i << 44 | (uint64_t)1 << 43;
    run(RELEASE_LAPLACE, WORDS, &narrow20_kernels, &plan);
    for (size_t i = 0; i < WORDS; i++) {
        assert_true(fabs(out[i]) <= (double)CELLS);
        all[CELLS + (int)out[i]]++;
    }
    narrow20_noise(RELEASE_LAPLACE, out, radius, WORDS, words, &plan);
    for (size_t i = 0; i < WORDS; i++) {
        const double cell = rint(out[i]), d = out[i] - cell;
        if (d * d + radius[i] <= plan.limit) alone[CELLS + (int)cell]++;
    }
    for (int c = -CELLS; c <= CELLS; c++) {
        const double above = exp(-(fabs((double)c) - 0.5) / s), below = exp(-(fabs((double)c) + 0.5) / s);
        const double mass = (double)WORDS * (c == 0 ? 1 - below : (above - below) / 2);
        off += fabs((double)all[CELLS + c] - mass) > 1 + 1e-6;
        holes += fabs((double)alone[CELLS + c] - mass) > 1 + 1e-6;
    }
    print_message("%zu cells are off by more than one word; by doubles alone: %zu\n", off, holes);
    assert_int_equal(off, 0);
    assert_true(holes > 2000);
}

/* A word in which a border lies goes to either side as often as the border says. */
static void test_divided_words(void **state)
{
    (void)state;
    enum { TRIES = 64 };
    const double s = 256;
    const simdp_release_plan plan = narrow_plan(RELEASE_LAPLACE, s, 20);
    uint64_t seed = 5;
    double z = 0, variance = 0;
    size_t divided = 0;
    for (int c = 0; c < 1500; c++) {
        /* beyond it, the smaller cell */
        const double border = exp(-(c + 0.5) / s) * 0x1p19, share = 1 - (border - floor(border));
        double hits = 0;
        for (size_t i = 0; i < TRIES; i++) words[i] = (uint64_t)border << 44 | test_random(&seed) >> 20;
        run(RELEASE_LAPLACE, TRIES, &narrow20_kernels, &plan);
        for (size_t i = 0; i < TRIES; i++) {
            assert_true(out[i] == c || out[i] == c + 1);
            hits += out[i] == c;
        }
        z += hits - (double)TRIES * share;
        variance += (double)TRIES * share * (1 - share);
        divided++;
    }
    print_message("%zu words with a border inside: %+.2f standard deviations off\n", divided, z / sqrt(variance));
    assert_true(fabs(z) < 6.1 * sqrt(variance));
    /* control: 2 % more on one side would show */
    assert_true(fabs(z + 0.02 * (double)TRIES * (double)divided) > 6.1 * sqrt(variance));
}

/* All pairs of 9 bits of |V| and 10 of the angle. */
static void test_gaussian(void **state)
{
    (void)state;
    const double s = 4;
    size_t wrong = 0, control = 0, unsure = 0;
    uint64_t seed = 6;
    simdp_release_counts counts = {0};
    simdp_release_plan plan = narrow_plan(RELEASE_GAUSSIAN, s, 10),
                       deaf = simdp_release_plan_of(RELEASE_GAUSSIAN, s, 1.0, &release_scratch);
    plan.counts = &counts;
    deaf.block = RELEASE_ALIGN;
    for (int kind = 0; kind < 4; kind++) {
        for (size_t i = 0; i < WORDS / 2; i++) {
            const size_t place = i / 8 * 16 + i % 8;
            words[place] = (uint64_t)(i >> 10) << 54 | unseen_bits(kind, 54, &seed);
            words[place + 8] = (uint64_t)(i & 1023) << 42 | unseen_bits(kind, 42, &seed);
        }
        for (int with = 0; with < 2; with++) {
            run(RELEASE_GAUSSIAN, WORDS, &narrow10_kernels, with ? &deaf : &plan);
            for (size_t i = 0; i < WORDS; i++) {
                const size_t radius = i / 16 * 16 + i % 8;
                const long double v = ((long double)words[radius] + 0.5L) * 0x1p-63L;
                const long double theta = ((long double)words[radius + 8] + 0.5L) * 0x1p-52L * 1.57079632679489661923L;
                const long double y = s * sqrtl(-2 * logl(v)) * (i % 16 < 8 ? sinl(theta) : cosl(theta));
                const size_t bad = is_wrong(y, out[i], &unsure);
                if (with) control += bad;
                else wrong += bad;
            }
        }
    }
    print_message(
        "4 x 2^19 pairs: %llu open, %llu blocks crowded, %zu unsure, %zu wrong; deaf to unseen bits: %zu wrong\n",
        (unsigned long long)counts.open, (unsigned long long)counts.crowded, unsure, wrong, control);
    assert_int_equal(wrong, 0);
    assert_true(counts.crowded * 4 < 3 * 4 * WORDS / RELEASE_ALIGN && control > 1000 && unsure < 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_laplace),
        cmocka_unit_test(test_masses),
        cmocka_unit_test(test_divided_words),
        cmocka_unit_test(test_gaussian),
    };
    return cmocka_run_group_tests_name("release_exhaustion", tests, NULL, NULL);
}
