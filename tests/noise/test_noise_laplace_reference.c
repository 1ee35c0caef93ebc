/* test_noise_laplace_reference: E = -ln(|w| / 2^63) against MPFR, for random words, edge words and many scales. */
#include <math.h>
#include <mpfr.h>

#include "support/test_support.h"

#define WORDS 1000000

/* scale E for the word, to 160 bits: |w| odd, then rounded to a double as the header says. */
static void reference(mpfr_t out, uint64_t word, double scale)
{
    const double x = fabs((double)(int64_t)(word | 1));
    mpfr_set_d(out, x, MPFR_RNDN);
    mpfr_div_2ui(out, out, 63, MPFR_RNDN);
    mpfr_log(out, out, MPFR_RNDN);
    mpfr_mul_d(out, out, -scale, MPFR_RNDN);
}

static double ulp_of(double x) { return nextafter(x, INFINITY) - x; }

/* Error of |got| in ulp of the exact value. */
static double error_ulp(mpfr_t exact, double got)
{
    const double near = mpfr_get_d(exact, MPFR_RNDN);
    mpfr_sub_d(exact, exact, fabs(got), MPFR_RNDN);
    return fabs(mpfr_get_d(exact, MPFR_RNDN)) / ulp_of(near);
}

static void laplace(double *out, const uint64_t *words, size_t n, double scale)
{
    const simdp_bits_at at = {.words = words};
    simdp_kernels_active()->noise->f64[NOISE_LAPLACE](out, n, &at, scale);
}

static void check(const uint64_t *words, size_t n, double scale, double *worst, double *mean)
{
    double *out = malloc(n * sizeof *out);
    size_t measured = 0;
    mpfr_t exact;
    assert_non_null(out);
    mpfr_init2(exact, 160);
    *worst = *mean = 0.0;
    laplace(out, words, n, scale);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(signbit(out[i]) != 0, (int64_t)words[i] < 0);
        assert_true(isfinite(out[i]));
        reference(exact, words[i], scale);
        if (mpfr_zero_p(exact)) { /* |w| rounded to 2^63: the exact value is 0 */
            assert_true(fabs(out[i]) < 0x1p-51 * scale);
            continue;
        }
        const double e = error_ulp(exact, out[i]);
        if (e > *worst) *worst = e;
        *mean += e;
        measured++;
    }
    *mean /= (double)measured;
    mpfr_clear(exact);
    free(out);
}

static void test_random_words(void **state)
{
    (void)state;
    static const double scales[] = {1.0,
                                    0.1,
                                    3.0,
                                    0x1.fffffffffffffp+0,
                                    1e-12,
                                    0x1.71547652b82fep+1,
                                    7.7,
                                    1e250,
                                    SIMDP_NOISE_SCALE_MIN,
                                    SIMDP_NOISE_SCALE_MAX};
    uint64_t *words = malloc(WORDS * sizeof *words), random = 1;
    double worst, mean;
    assert_non_null(words);
    for (size_t s = 0; s < sizeof scales / sizeof scales[0]; s++) {
        const size_t n = (s == 0 ? WORDS : WORDS / 20) / (is_short() ? 10 : 1);
        for (size_t i = 0; i < n; i++) words[i] = test_random(&random);
        check(words, n, scales[s], &worst, &mean);
        print_message("scale %-12g n %-8zu worst %.2f ulp, mean %.3f ulp\n", scales[s], n, worst, mean);
        assert_true(worst <= 10.0);
        assert_true(mean < (scales[s] == 1.0 ? 2.0 : 2.5)); /* b ln2/8 is rounded: some scales are less lucky */
    }
    free(words);
}

/* Words near every power of two, near both ends of every table interval, and where U is close to 1 (E tiny). */
static void test_edge_words(void **state)
{
    (void)state;
    enum { MOST = 100000 };
    static uint64_t words[MOST];
    size_t n = 0;
    double worst, mean;
    uint64_t random = 2;
    words[n++] = 0;
    words[n++] = UINT64_MAX;
    for (int bit = 0; bit < 64; bit++) {
        for (int64_t d = -3; d <= 3; d++) words[n++] = ((uint64_t)1 << bit) + (uint64_t)d;
        for (uint64_t eighth = 8; eighth < 16 && bit >= 3 && bit < 63; eighth++) {
            for (int64_t d = -2; d <= 2; d++) words[n++] = (eighth << (bit - 3)) + (uint64_t)d;
        }
    }
    for (int bit = 8; bit < 63; bit++) {
        for (int i = 0; i < 500; i++) {
            const uint64_t gap = (test_random(&random) >> (63 - bit)) | (uint64_t)1 << bit;
            words[n++] = ((uint64_t)1 << 63) - gap; /* U = 1 - gap/2^63 */
            words[n++] = ((uint64_t)1 << 63) + gap; /* the same with the other sign */
        }
    }
    assert_true(n <= MOST);
    check(words, n, 1.0, &worst, &mean);
    print_message("edges n %zu worst %.2f ulp, mean %.3f ulp\n", n, worst, mean);
    assert_true(worst <= 10.0);
}

/* The word 0 is an ordinary small word, not a leap; the largest value is 63 ln 2. */
static void test_reach(void **state)
{
    (void)state;
    const uint64_t words[] = {0, 1, 2, 3, UINT64_MAX, (uint64_t)1 << 63};
    double out[6];
    laplace(out, words, 6, 1.0);
    assert_true(fabs(out[0] - 43.668272375276551) < 1e-13 && out[1] == out[0]);
    assert_true(fabs(out[2] - (43.668272375276551 - 1.0986122886681098)) < 1e-13 && out[3] == out[2]);
    assert_true(out[4] == -out[0]);
    assert_true(out[5] <= 0.0 && out[5] > -0x1p-51);
}

/* U = 1 gives 0 <= E < 2^-51 for every scale: E < 0 would flip the sign. */
static void test_never_below_zero(void **state)
{
    (void)state;
    const uint64_t word = INT64_MAX;
    uint64_t random = 3;
    for (int i = 0; i < 200000; i++) {
        const double scale =
            ldexp(1.0 + (double)(test_random(&random) >> 12) * 0x1p-52, (int)(test_random(&random) % 1600) - 800);
        double out;
        laplace(&out, &word, 1, scale);
        assert_true(out >= 0.0 && out < 0x1p-51 * scale);
    }
}

/* The other rounding modes and denormal settings of a caller change nothing, and are restored. */
static void test_caller_modes(void **state)
{
    (void)state;
    double want[100], got[100], zeros[4] = {1, 1, 1, 1};
    simdp_rng rng;
    test_stream(&rng, 6, 0, 0);
    must(simdp_noise_laplace_f64(&rng, want, 100, 0.3));
    const unsigned before = __builtin_ia32_stmxcsr();
    static const unsigned modes[] = {0x3f80, 0x5f80, 0x7f80, 0x9fc0, 0x1fc0, 0xffc0, 0x0f80 /* inexact traps */};
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        must(simdp_rng_seek(&rng, 0));
        __builtin_ia32_ldmxcsr(modes[i]);
        const simdp_status status = simdp_noise_laplace_f64(&rng, got, 100, 0.3);
        /* not 0, also where DAZ says so */
        const simdp_status tiny = simdp_noise_laplace_f64(&rng, zeros, 4, 0x1p-1074);
        const unsigned after = __builtin_ia32_stmxcsr();
        __builtin_ia32_ldmxcsr(before);
        assert_int_equal(status, SIMDP_OK);
        assert_int_equal(tiny, SIMDP_EPARAM);
        assert_int_equal(after & 0xffc0, modes[i] & 0xffc0);
        assert_memory_equal(got, want, sizeof want);
    }
}

static void test_scales(void **state)
{
    (void)state;
    static const double bad[] = {
        -1.0, -0x1p-1074, NAN, INFINITY, -INFINITY, 0x1p-1074, 0x1.fffffffffffffp-901, 0x1.0000000000001p+900};
    double out[4] = {7, 7, 7, 7};
    simdp_rng rng;
    test_stream(&rng, 6, 0, 0);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(simdp_noise_laplace_f64(&rng, out, 4, bad[i]), SIMDP_EPARAM);
        assert_true(out[0] == 7 && out[3] == 7 && simdp_rng_position(&rng) == 0);
    }
    must(simdp_noise_laplace_f64(&rng, out, 3, 0.0));
    for (int i = 0; i < 3; i++) assert_true(out[i] == 0.0 && !signbit(out[i]));
    assert_true(out[3] == 7 && simdp_rng_position(&rng) == 3);
    must(simdp_noise_laplace_f64(&rng, out, 1, -0.0));
    must(simdp_noise_laplace_f64(&rng, NULL, 0, 1.0));
    assert_int_equal(simdp_noise_laplace_f64(&rng, NULL, 1, 1.0), SIMDP_ENULL);
    assert_int_equal(simdp_noise_laplace_f64(NULL, out, 1, 1.0), SIMDP_ENULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_words),     cmocka_unit_test(test_edge_words),   cmocka_unit_test(test_reach),
        cmocka_unit_test(test_never_below_zero), cmocka_unit_test(test_caller_modes), cmocka_unit_test(test_scales),
    };
    return cmocka_run_group_tests_name("noise_laplace_reference", tests, NULL, NULL);
}
