/* test_release_reference: releases are what MPFR makes of the same random bits: on every instruction set, for every
 * scale / grid, for odd answers, in every floating-point mode of the caller, and where the ideal result lies on the
 * border of two cells. */
#include "support/release_support.h"

#include <math.h>
#include <xmmintrin.h>

static const reference_stream stream = {.stream = 3};

static void open_stream(simdp_rng *rng, reference_stream *copy, uint64_t position)
{
    *copy = stream;
    test_key(copy->key, 77);
    test_stream(rng, 77, stream.stream, position);
}

#define COUNT 4200 /* more than a block */

/* Every instruction set gives the same bytes; those of some elements are the reference's. */
static void check_f64(int law, double scale, double grid, size_t referred)
{
    static double answers[COUNT], first[COUNT], out[COUNT];
    const simdp_kernels *t, *before = NULL;
    reference_stream reference;
    simdp_rng rng;
    odd_answers(answers, COUNT, grid, (uint64_t)(scale / grid));
    for (size_t i = 0; (t = next_usable(&i)) != NULL; i++) {
        must(simdp_isa_select(t->variant));
        open_stream(&rng, &reference, 1005);
        reference.use = law == RELEASE_GAUSSIAN ? 17 : 16;
        must(release_by_law(law, &rng, out, answers, COUNT, scale, grid));
        assert_int_equal(simdp_rng_position(&rng), 1005 + COUNT);
        if (before != NULL) assert_memory_equal(out, first, sizeof out);
        else memcpy(first, out, sizeof out);
        before = t;
    }
    for (size_t k = 0; k < referred; k++) {
        const size_t i = k % 2 ? COUNT - 1 - k : k;
        const double want =
            release_reference(law, answers[i], scale, grid, 1005 + i, reference_stream_words, &reference);
        if (memcmp(&want, &out[i], 8) != 0)
            fail_msg("%s, scale %a, grid %a, answer %a: %a instead of %a", law_names[law], scale, grid, answers[i],
                     out[i], want);
    }
    must(simdp_isa_select(NULL));
}

static void test_doubles(void **state)
{
    (void)state;
    const size_t referred = is_full() ? COUNT : 120;
    for (int law = 0; law < RELEASE_LAWS; law++) {
        for (int e = -30; e <= 44; e += 2) check_f64(law, e == 44 ? 1.0 : 1.37, ldexp(1, -e), referred);
        check_f64(law, 0.0, 0.25, referred);
        check_f64(law, 0x1p-900, 0x1p-944, 40); /* the ends of scales and grids */
        check_f64(law, 0x1p-900, 0x1p-870, 40);
        check_f64(law, 0x1p+900, 0x1p+930, 40);
        check_f64(law, 0.0, SIMDP_RELEASE_GRID_MIN, 40);
        check_f64(law, 0.0, SIMDP_RELEASE_GRID_MAX, 40);
        check_f64(law, 0x1p+900, 0x1p+856, 40);
        check_f64(law, 3.0, simdp_release_grid(3.0), referred);
    }
}

static void check_i64(int law, double scale, size_t referred)
{
    static int64_t answers[COUNT + 1], first[COUNT + 1], out[COUNT + 1];
    const size_t n = COUNT + 1;
    const simdp_kernels *t, *before = NULL;
    reference_stream reference;
    simdp_rng rng;
    uint64_t seed = (uint64_t)(scale * 1000);
    for (size_t i = 0; i < n; i++) {
        answers[i] = (int64_t)test_random(&seed) >> test_random(&seed) % 64;
        if (test_random(&seed) % 8 == 0)
            answers[i] = i % 2 ? INT64_MAX - (int64_t)(i % 5) : INT64_MIN + (int64_t)(i % 5);
    }
    for (size_t i = 0; (t = next_usable(&i)) != NULL; i++) {
        must(simdp_isa_select(t->variant));
        open_stream(&rng, &reference, 1005);
        reference.use = (scale <= 512 ? 20 : 18) + (law == RELEASE_GAUSSIAN);
        must(release_by_law_i64(law, &rng, out, answers, n, scale));
        assert_int_equal(simdp_rng_position(&rng), 1005 + n);
        if (before != NULL) assert_memory_equal(out, first, sizeof out);
        else memcpy(first, out, sizeof out);
        before = t;
    }
    for (size_t k = 0; k < referred; k++) {
        const size_t i = k % 2 ? n - 1 - k : k;
        const int64_t want =
            release_reference_i64(law, answers[i], scale, 1005 + i, reference_stream_words, &reference);
        if (want != out[i])
            fail_msg("%s, scale %a, answer %lld: %lld instead of %lld", law_names[law], scale, (long long)answers[i],
                     (long long)out[i], (long long)want);
    }
    must(simdp_isa_select(NULL));
}

static void test_integers(void **state)
{
    (void)state;
    const size_t referred = is_full() ? COUNT : 100;
    for (int law = 0; law < RELEASE_LAWS; law++) {
        for (int e = -30; e <= 44; e += 3) check_i64(law, e == 44 ? 0x1p44 : ldexp(1.37, e), referred);
        check_i64(law, 0.0, referred);
        check_i64(law, 512.0, 4 * referred);
        check_i64(law, 0x1.0000000000001p9, referred);
        check_i64(law, 16.0, 4 * referred);
    }
}

/* The caller's rounding mode, DAZ, FTZ and unmasked exceptions change nothing and come back. */
static void test_floating_point_modes(void **state)
{
    (void)state;
    enum { N = 700 };
    static double answers[N], want[N], got[N];
    static int64_t integers[N], want_i64[N], got_i64[N];
    simdp_rng rng;
    odd_answers(answers, N, 0x1p-22, 8);
    const simdp_kernels *t;
    for (size_t i = 0; (t = next_usable(&i)) != NULL; i++) {
        must(simdp_isa_select(t->variant));
        for (int law = 0; law < RELEASE_LAWS; law++) {
            test_stream(&rng, 5, 0, 3);
            must(release_by_law(law, &rng, want, answers, N, 1.5, 0x1p-22));
            must(release_by_law_i64(law, &rng, want_i64, integers, N, 200.0));
            for (unsigned mode = 0; mode < 16; mode++) {
                /* rounding in bits 13-14, FTZ 15, DAZ 6; all exceptions masked, or none (bits 7-12) */
                const unsigned csr = (mode & 3) << 13 | (mode & 4 ? 0x8040u : 0) | (mode & 8 ? 0 : 0x1f80u);
                const unsigned saved = _mm_getcsr();
                test_stream(&rng, 5, 0, 3);
                _mm_setcsr(csr);
                const simdp_status a = release_by_law(law, &rng, got, answers, N, 1.5, 0x1p-22);
                const simdp_status b = release_by_law_i64(law, &rng, got_i64, integers, N, 200.0);
                const unsigned after = _mm_getcsr();
                _mm_setcsr(saved);
                must(a);
                must(b);
                assert_int_equal(after & ~0x3fu, csr);
                assert_memory_equal(got, want, sizeof got);
                assert_memory_equal(got_i64, want_i64, sizeof got_i64);
            }
        }
    }
    must(simdp_isa_select(NULL));
}

/* ---- words beside the borders of cells ----
 *
 * Four words beside a border begin a block, each in a lane of its own, so that the block is not crowded and what
 * doubles accept is their own work; the rest of the block is far from borders. Either the words are next to the border,
 * up to two on each side, where nothing may be accepted, or so far from it as the radius says and a little more or
 * less: what is accepted there is right. */

enum { BORDERS = 48, BESIDE = 4, SCALES = 64 };
#define BLOCK_WORDS RELEASE_ALIGN

static long double likely_energy(uint64_t *seed)
{
    return -logl((long double)(test_random(seed) >> 11) * 0x1p-53L + 0x1p-54L);
}

/* |V| that puts S E, or, for an angle of sine g, S sqrt(2 E) g at y. */
static long double magnitude_at(long double y, double s, long double g)
{
    const long double x = y / s;
    return expl(g == 0 ? -x : -x * x / (2 * g * g));
}

/* The upper border of the cell in which a likely element lies, where r is what its answer leaves over. */
static long double border_of(double s, long double g, double r, uint64_t *seed)
{
    const long double e = likely_energy(seed), y = floorl(g == 0 ? s * e : s * sqrtl(2 * e) * g) + 0.5L - r;
    return y > 0 ? y : y + 1;
}

static const long double half_pi = 1.57079632679489661923L;

static long double angle_of(uint64_t word)
{
    return ((long double)(word & 0x000fffffffffffff) + 0.5L) * 0x1p-52L * half_pi;
}

static bool is_mid(long double y) { return fabsl(y - rintl(y)) < 0.25L; }

/* A word (Gaussian: a pair of them) of which all elements lie in the middle of cells. */
static void middle_words(int law, uint64_t pair[2], double s, uint64_t *seed)
{
    for (;;) {
        pair[0] = test_random(seed) >> 1 | (uint64_t)1 << 60;
        pair[1] = law == RELEASE_GAUSSIAN ? test_random(seed) & 0x800fffffffffffff : pair[0];
        const long double e = -logl((long double)pair[0] * 0x1p-63L), theta = angle_of(pair[1]), r = s * sqrtl(2 * e);
        if (law == RELEASE_LAPLACE ? is_mid(s * e) : is_mid(r * sinl(theta)) && is_mid(r * cosl(theta))) return;
    }
}

/* How far the words at m are from it that lie on the edge of the radius. */
static uint64_t words_in_radius(int law, uint64_t m, long double g, const simdp_release_plan *plan)
{
    const long double v = (long double)m * 0x1p-63L, root = sqrtl(-2 * logl(v));
    long double radius = 0.25L - (long double)plan->limit + (long double)plan->unseen / (long double)m;
    /* dy = S g dE / R */
    if (law == RELEASE_GAUSSIAN) radius = (radius + (long double)plan->near_zero / root) * root / g;
    return (uint64_t)((long double)m * fminl(radius / (long double)plan->scale, 1e-3L));
}

static void border_words(int law, bool at_radius, uint64_t *words, double *answers, const simdp_release_plan *plan,
                         uint64_t *seed)
{
    static const double share[BESIDE] = {-1.3, 1.3, -0.9, 0.9};
    const double s = plan->scale;
    for (size_t b = 0; b < BORDERS; b++) {
        uint64_t *w = words + b * BLOCK_WORDS, middle[2];
        const double r = b % 3 ? 0 : (double)(test_random(seed) >> 11) * 0x1p-53 - 0.5;
        const uint64_t angle = test_random(seed) & 0x800fffffffffffff;
        const long double g = law == RELEASE_GAUSSIAN ? sinl(angle_of(angle)) : 0;
        const uint64_t m = (uint64_t)(magnitude_at(border_of(s, g, r, seed), s, g) * 0x1p63L);
        const double away = (double)words_in_radius(law, m, g, plan);
        middle_words(law, middle, s, seed);
        for (size_t k = 0; k < BLOCK_WORDS; k++) w[k] = middle[k >> 3 & 1];
        for (size_t k = 0; k < BLOCK_WORDS; k++) answers[b * BLOCK_WORDS + k] = 0;
        for (size_t k = 0; k < BESIDE; k++) {
            /* m - 2 ... m + 1 or m - 1 ... m + 2 */
            const uint64_t word =
                (m + (at_radius ? (uint64_t)(int64_t)(share[k] * away) : k + (b / 2 % 2) - 2)) & 0x7fffffffffffffff;
            w[k] = b % 2 ? ~word : word;
            answers[b * BLOCK_WORDS + k] = b % 2 ? -r : r;
            if (law == RELEASE_GAUSSIAN) w[8 + k] = angle;
        }
    }
}

/* Words beside borders that an instruction set makes otherwise than MPFR. */
static size_t wrong_at_borders(int law, double s, bool at_radius, double shrink, uint64_t *seed,
                               simdp_release_counts *counts)
{
    static uint64_t words[BORDERS * BLOCK_WORDS];
    static double answers[BORDERS * BLOCK_WORDS], want[BORDERS * BLOCK_WORDS], out[BORDERS * BLOCK_WORDS];
    const simdp_bits_at at = {.words = words};
    const simdp_kernels *t;
    simdp_release_plan plan = simdp_release_plan_forced(law, s, 1.0, shrink, PRECISION_F64, &release_scratch);
    size_t wrong = 0;
    plan.block = BLOCK_WORDS;
    plan.counts = counts;
    border_words(law, at_radius, words, answers, &plan, seed);
    for (size_t i = 0; i < BORDERS * BLOCK_WORDS; i++) {
        if (i % BLOCK_WORDS < BESIDE) want[i] = release_reference(law, answers[i], s, 1.0, i, given_words, words);
    }
    for (size_t k = 0; (t = next_usable(&k)) != NULL; k++) {
        must(simdp_isa_select(t->variant));
        release_planned(law, out, answers, BORDERS * BLOCK_WORDS, &at, &plan);
        plan.counts = NULL; /* counted once */
        for (size_t i = 0; i < BORDERS * BLOCK_WORDS; i++) wrong += i % BLOCK_WORDS < BESIDE && out[i] != want[i];
    }
    must(simdp_isa_select(NULL));
    return wrong;
}

static void test_borders(void **state)
{
    (void)state;
    uint64_t seed = 31;
    const int rounds = is_full() ? 20 : 1;
    for (int kind = 0; kind < 2 * RELEASE_LAWS; kind++) {
        const int law = kind / 2;
        const bool at_radius = kind % 2;
        const double tried = (double)(SCALES * rounds * BORDERS * BESIDE);
        simdp_release_counts counts = {0}, other = {0};
        size_t wrong = 0, control = 0;
        for (int k = 0; k < SCALES * rounds; k++) {
            /* beyond 2^38 nothing is accepted here */
            const double s = exp2(-4.0 + 42.0 * (k % SCALES) / (SCALES - 1));
            wrong += wrong_at_borders(law, s, at_radius, 1.0, &seed, &counts);
            if (s > 0x1p10) control += wrong_at_borders(law, s, at_radius, 1.0 / 256, &seed, &other);
        }
        print_message(
            "%s, %.0f words %s: %.3f open, %llu blocks crowded, %zu wrong; with radii / 256: %llu open, %zu wrong\n",
            law_names[law], tried, at_radius ? "about a radius from borders" : "next to borders",
            (double)counts.open / tried, (unsigned long long)counts.crowded, wrong, (unsigned long long)other.open,
            control);
        assert_int_equal(wrong, 0);
        assert_true((double)counts.crowded < tried / (20.0 * (double)BESIDE) && control > 100);
        if (at_radius) assert_true((double)counts.open > 0.3 * tried && (double)counts.open < 0.7 * tried);
        else assert_true((double)counts.open > 0.9 * tried);
    }
}

/* Integers: eight halves of words beside borders begin a block. */
static size_t wrong_at_borders_i64(int law, double s, double shrink, uint64_t *seed, simdp_release_counts *counts)
{
    enum { BLOCK_HALVES = 2 * BLOCK_WORDS, ALL = BORDERS * BLOCK_HALVES };
    static uint32_t halves[ALL];
    static uint64_t words[ALL / 2];
    static int64_t answers[ALL], out[ALL];
    size_t wrong = 0;
    for (size_t b = 0; b < BORDERS; b++) {
        uint32_t *h = halves + b * BLOCK_HALVES;
        for (size_t k = 0; k < BLOCK_HALVES; k++) h[k] = 0x7fffff00;
        for (size_t k = 0; k < 8; k++) {
            const uint32_t angle = (uint32_t)test_random(seed);
            const long double theta = ((angle & 0x007fffff) + 0.5L) * 0x1p-23L * half_pi;
            const long double g = law == RELEASE_GAUSSIAN ? sinl(theta) : 0;
            const uint32_t m =
                (uint32_t)(magnitude_at(border_of(s, g, 0, seed), s, g) * 0x1p31L) + (uint32_t)(b % 4) - 2;
            h[k] = k % 2 ? ~m | 0x80000000 : m & 0x7fffffff;
            if (law == RELEASE_GAUSSIAN) h[k + 16] = angle;
        }
    }
    memcpy(words, halves, sizeof words);
    simdp_release_plan plan = simdp_release_plan_forced(law, s, 1.0, shrink, PRECISION_F64, &release_scratch);
    const simdp_bits_at at = {.words = words};
    plan.counts = counts;
    plan.block_f32 = BLOCK_HALVES;
    release_planned_i64(law, out, answers, ALL, &at, &plan);
    for (size_t i = 0; i < ALL; i++) {
        if (i % BLOCK_HALVES < 8) wrong += out[i] != release_reference_i64(law, 0, s, i, given_words, words);
    }
    return wrong;
}

static void test_borders_i64(void **state)
{
    (void)state;
    simdp_release_counts counts = {0}, other = {0};
    uint64_t seed = 32;
    size_t wrong = 0, control = 0;
    for (int law = 0; law < RELEASE_LAWS; law++) {
        for (int k = 0; k < SCALES; k++) {
            const double s = exp2(-2.0 + 11.0 * k / (SCALES - 1));
            wrong += wrong_at_borders_i64(law, s, 1.0, &seed, &counts);
            control += wrong_at_borders_i64(law, s, 1.0 / 256, &seed, &other);
        }
    }
    print_message(
        "%d halves beside borders: %llu open, %llu blocks crowded, %zu wrong; with radii / 256: %llu open, %zu wrong\n",
        RELEASE_LAWS * SCALES * BORDERS * 8, (unsigned long long)counts.open, (unsigned long long)counts.crowded, wrong,
        (unsigned long long)other.open, control);
    assert_int_equal(wrong, 0);
    assert_true(counts.open > 1000 && counts.crowded < counts.open / 10 && control > 100);
}

/* Bad parameters: NaN everywhere, never the answers; the stream stays. A subnormal scale is not 0, whatever the
 * mode. */
static void test_parameters(void **state)
{
    static const double bad[][2] = {{0x1p-1060, 0x1p-944},
                                    {-0x1p-1060, 0x1p-944},
                                    {-1, 0x1p-20},
                                    {NAN, 0x1p-20},
                                    {INFINITY, 0x1p-20},
                                    {1, 0.3},
                                    {1, 0},
                                    {1, -0x1p-20},
                                    {1, NAN},
                                    {1, 0x1p-60},
                                    {1, 0x1p40}};
    const unsigned mode = _mm_getcsr();
    (void)state;
    for (size_t k = 0; k < 2 * sizeof bad / sizeof bad[0]; k++) {
        const double scale = bad[k / 2][0], grid = bad[k / 2][1];
        for (int law = 0; law < RELEASE_LAWS; law++) {
            double out[3] = {1, 2, 3};
            int64_t integers[3] = {1, 2, 3};
            simdp_rng rng;
            test_stream(&rng, 5, 0, 7);
            _mm_setcsr(k % 2 ? mode | 0x8040 : mode); /* the caller's own FTZ and DAZ */
            const simdp_status doubles = release_by_law(law, &rng, out, out, 3, scale, grid);
            const simdp_status whole =
                scale == 1.0 ? SIMDP_EPARAM : release_by_law_i64(law, &rng, integers, integers, 3, scale);
            _mm_setcsr(mode);
            assert_int_equal(doubles, SIMDP_EPARAM);
            assert_int_equal(whole, SIMDP_EPARAM);
            for (int i = 0; i < 3; i++) assert_true(isnan(out[i]) && (scale == 1.0 || integers[i] == INT64_MIN));
            assert_int_equal(simdp_rng_position(&rng), 7);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_doubles), cmocka_unit_test(test_integers),    cmocka_unit_test(test_floating_point_modes),
        cmocka_unit_test(test_borders), cmocka_unit_test(test_borders_i64), cmocka_unit_test(test_parameters),
    };
    return cmocka_run_group_tests_name("release_reference", tests, NULL, NULL);
}
