/* test_release_private: releases by sensitivity, epsilon and delta: their noise is enough by MPFR and hardly more, they
 * are the exact releases of that noise on its default grid, and no bad parameter lets an answer through. */
#include <float.h>
#include <math.h>
#include <mpfr.h>

#include "account/calibrate.h"
#include "reference/gaussian_curve.h"
#include "support/test_support.h"

enum { N = 300, BITS = 1200 };

static mpfr_t a, b, c, d; /* scratch; made and freed by main */

static double power(uint64_t *random, int low, int high)
{
    const double fraction = 1.0 + (double)(test_random(random) >> 12) * 0x1p-52;
    return ldexp(fraction, low + (int)(test_random(random) % (unsigned)(high - low)));
}

static void fill_answers(double x[N])
{
    for (int i = 0; i < N; i++) x[i] = (i - 150) * 0.37;
}

/* Both private releases give what the plain ones give with this scale; a scale 1e-6 larger gives something else. */
static void must_be_release_of(bool gaussian, double sensitivity, double epsilon, double delta, double scale)
{
    double x[N], got[N], want[N];
    simdp_rng rng;
    fill_answers(x);
    for (int larger = 0; larger < 2; larger++) {
        const double s = larger ? scale * (1 + 1e-6) : scale, grid = simdp_release_grid(s);
        if (larger && !(scale > 1e-3 && scale < 1e9)) break;
        test_stream(&rng, 2, 0, 11);
        if (gaussian) must(simdp_release_gaussian_private(&rng, got, x, N, sensitivity, epsilon, delta));
        else must(simdp_release_laplace_private(&rng, got, x, N, sensitivity, epsilon));
        assert_int_equal(simdp_rng_position(&rng), 11 + N);
        test_stream(&rng, 2, 0, 11);
        must((gaussian ? simdp_release_gaussian : simdp_release_laplace)(&rng, want, x, N, s, grid));
        if (!larger) assert_memory_equal(got, want, sizeof got);
        else assert_memory_not_equal(got, want, sizeof got);
    }
}

/* The scale is at or above sensitivity / epsilon, and within two units of its last place. */
static void test_laplace_scale(void **state)
{
    (void)state;
    uint64_t random = 1;
    for (int round = 0; round < 20000; round++) {
        const double sensitivity = round % 8 == 0 ? power(&random, -1074, 0) : power(&random, -300, 300),
                     epsilon = round % 8 == 1 ? power(&random, -1022, -400) : power(&random, -60, 60);
        const double scale = simdp_calibrate_laplace_for(sensitivity, epsilon, 0.0);
        mpfr_set_d(a, sensitivity, MPFR_RNDN);
        mpfr_div_d(a, a, epsilon, MPFR_RNDU);
        const int above = mpfr_cmp_d(a, scale);
        if (above > 0) print_message("%a / %a gives %a\n", sensitivity, epsilon, scale);
        assert_true(above <= 0);
        if (isfinite(scale) && scale > 0x1p-1000) {
            mpfr_mul_d(a, a, 1 + 0x1p-51, MPFR_RNDN);
            assert_true(mpfr_cmp_d(a, scale) >= 0);
        }
        if (round % 100 == 2) must_be_release_of(false, sensitivity, epsilon, 0, scale);
    }
}

/* The noise keeps delta, and 1e-9 less would not. */
static void test_gaussian_sigma(void **state)
{
    (void)state;
    uint64_t random = 2;
    mpfr_t delta_of;
    mpfr_init2(delta_of, BITS);
    for (int round = 0; round < 400; round++) {
        const double sensitivity = power(&random, -40, 40), epsilon = power(&random, -30, 7),
                     delta = power(&random, round % 4 == 0 ? -300 : -40, -1);
        const double sigma = simdp_calibrate_gaussian_for(sensitivity, epsilon, delta);
        gaussian_curve(delta_of, epsilon, sigma, sensitivity);
        assert_true(mpfr_cmp_d(delta_of, delta) <= 0);
        gaussian_curve(delta_of, epsilon, sigma * (1 - 1e-9), sensitivity);
        assert_true(mpfr_cmp_d(delta_of, delta) > 0);
        must_be_release_of(true, sensitivity, epsilon, delta, sigma);
    }
    mpfr_clear(delta_of);
}

/* Where the range of scales ends, and what needs no noise. */
static void test_ends(void **state)
{
    (void)state;
    must_be_release_of(false, SIMDP_NOISE_SCALE_MAX, 1, 0, SIMDP_NOISE_SCALE_MAX);
    must_be_release_of(false, DBL_MAX, 0x1p124, 0, 0x1.fffffffffffffp899);
    must_be_release_of(false, SIMDP_NOISE_SCALE_MIN, 1, 0, SIMDP_NOISE_SCALE_MIN);
    must_be_release_of(false, 0x1p-1074, 0x1p-1074, 0, simdp_calibrate_laplace_for(0x1p-1074, 0x1p-1074, 0));
    /* less noise than can be drawn: raised */
    must_be_release_of(false, SIMDP_NOISE_SCALE_MIN, 2, 0, SIMDP_NOISE_SCALE_MIN);
    must_be_release_of(false, 0x1p-1074, DBL_MAX, 0, SIMDP_NOISE_SCALE_MIN);
    must_be_release_of(true, 0x1p-1074, DBL_MAX, 1.0 - 0x1p-53, SIMDP_NOISE_SCALE_MIN);
    must_be_release_of(true, 1, 0x1p-1074, 1.0 - 0x1p-53, simdp_calibrate_gaussian_for(1, 0x1p-1074, 1.0 - 0x1p-53));
    must_be_release_of(true, 1, 1, 0x1p-1074, simdp_calibrate_gaussian_for(1, 1, 0x1p-1074));
    for (int negative = 0; negative < 2; negative++) { /* no record moves the answers */
        double x[N], got[N];
        simdp_rng rng;
        fill_answers(x);
        test_stream(&rng, 2, 0, 11);
        must(simdp_release_laplace_private(&rng, got, x, N, negative ? -0.0 : 0.0, 1));
        assert_memory_equal(got, x, sizeof x);
        must(simdp_release_gaussian_private(&rng, got, x, N, negative ? -0.0 : 0.0, 1, 0.1));
        assert_memory_equal(got, x, sizeof x);
        assert_int_equal(simdp_rng_position(&rng), 11 + 2 * N);
    }
}

static void test_bad_input(void **state)
{
    (void)state;
    static const struct {
        double sensitivity, epsilon, delta;
    } bad[] = {
        {-1, 1, 0.1},
        {-0x1p-1074, 1, 0.1},
        {NAN, 1, 0.1},
        {INFINITY, 1, 0.1},
        {1, 0, 0.1},
        {1, -0.0, 0.1},
        {1, -1, 0.1},
        {1, NAN, 0.1},
        {1, INFINITY, 0.1},
        {0, 0, 0.1},
        {0, NAN, 0.1},
        {0, INFINITY, 0.1},
        {0x1.0000000000001p900, 0x1p-1, 0x1p-1074},
        {1, 0x1p-1074, 0x1p-1074},
        {DBL_MAX, 1, 0x1p-20},
    };
    static const double bad_delta[] = {0, -0.0, 1, 1 + 0x1p-52, -0.1, NAN, INFINITY, -INFINITY};
    simdp_rng rng;
    test_stream(&rng, 1, 0, 5);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        double x[2] = {1, 2}, y[2] = {1, 2};
        assert_int_equal(simdp_release_laplace_private(&rng, x, x, 2, bad[i].sensitivity, bad[i].epsilon),
                         SIMDP_EPARAM);
        assert_int_equal(
            simdp_release_gaussian_private(&rng, y, y, 2, bad[i].sensitivity, bad[i].epsilon, bad[i].delta),
            SIMDP_EPARAM);
        assert_true(isnan(x[0]) && isnan(x[1]) && isnan(y[0]) && isnan(y[1]));
    }
    for (size_t i = 0; i < 2 * sizeof bad_delta / sizeof *bad_delta; i++) { /* also with sensitivity 0 */
        double y[2] = {1, 2};
        assert_int_equal(simdp_release_gaussian_private(&rng, y, y, 2, (double)(i % 2), 1, bad_delta[i / 2]),
                         SIMDP_EPARAM);
        assert_true(isnan(y[0]) && isnan(y[1]));
    }
    double x[2] = {1, 2};
    assert_int_equal(simdp_release_laplace_private(NULL, x, x, 2, 1, 1), SIMDP_ENULL);
    assert_int_equal(simdp_release_laplace_private(&rng, NULL, x, 2, 1, 1), SIMDP_ENULL);
    assert_int_equal(simdp_release_gaussian_private(&rng, x, NULL, 2, 1, 1, NAN), SIMDP_ENULL);
    assert_true(x[0] == 1 && x[1] == 2);
    must(simdp_release_laplace_private(&rng, NULL, NULL, 0, 1, 1));
    assert_int_equal(simdp_release_laplace_private(&rng, NULL, NULL, 0, 1, 0), SIMDP_EPARAM);
    assert_int_equal(simdp_rng_position(&rng), 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_laplace_scale),
        cmocka_unit_test(test_gaussian_sigma),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_bad_input),
    };
    mpfr_inits2(BITS, a, b, c, d, (mpfr_ptr)0);
    const int failed = cmocka_run_group_tests_name("release_private", tests, NULL, NULL);
    mpfr_clears(a, b, c, d, (mpfr_ptr)0);
    mpfr_free_cache();
    return failed;
}
