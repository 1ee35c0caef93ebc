/* test_release_fixed: 128-bit fixed point within its stated errors, against MPFR. */
#include <float.h>
#include <math.h>
#include <mpfr.h>

#include "release/fixed.h"
#include "support/test_support.h"

#define BITS 400

static void set_u128(mpfr_t x, simdp_u128 a)
{
    mpfr_set_ui(x, (uint64_t)(a >> 64), MPFR_RNDN);
    mpfr_mul_2ui(x, x, 64, MPFR_RNDN);
    mpfr_add_ui(x, x, (uint64_t)a, MPFR_RNDN);
}

/* got - want */
static double excess(simdp_u128 got, const mpfr_t want)
{
    mpfr_t x;
    mpfr_init2(x, BITS);
    set_u128(x, got);
    mpfr_sub(x, x, want, MPFR_RNDN);
    const double d = mpfr_get_d(x, MPFR_RNDN);
    mpfr_clear(x);
    return d;
}

static simdp_u128 random_u128(uint64_t *random)
{
    const uint64_t high = test_random(random);
    return (simdp_u128)high << 64 | test_random(random);
}

static void test_functions(void **state)
{
    (void)state;
    mpfr_t x, y;
    uint64_t random = 1;
    double worst_exp = 0, worst_inverse = 0, worst_logistic = 0;
    mpfr_inits2(BITS, x, y, (mpfr_ptr)NULL);
    for (int i = 0; i < 20000; i++) {
        const simdp_u128 a = random_u128(&random), b = random_u128(&random) >> test_random(&random) % 128;
        set_u128(x, a);
        set_u128(y, b);
        mpfr_mul(y, x, y, MPFR_RNDN);
        mpfr_div_2ui(y, y, 128, MPFR_RNDN);
        const double product = excess(simdp_fixed_multiply(a, b), y);
        assert_true(product <= 0 && product > -2);

        const simdp_u128 power = (i % 2 ? b : a) >> 1; /* below 2^127: x < 128 */
        set_u128(x, power);
        mpfr_div_2ui(x, x, 120, MPFR_RNDN);
        mpfr_neg(x, x, MPFR_RNDN);
        mpfr_exp(x, x, MPFR_RNDN);
        mpfr_mul_2ui(x, x, 127, MPFR_RNDN);
        worst_exp = fmax(worst_exp, fabs(excess(simdp_fixed_exp_neg(power), x)));

        /* x < 64, every third one close to a multiple of ln2/1024 */
        const simdp_u128 step = (simdp_u128)0x2c5c85fdf473 << 64 | 0xde6af278ece600fd;
        const simdp_u128 exponent = i % 3 == 0 ? step * (a >> 112 | 1) + (a & 15) - 8 : (i % 3 == 1 ? b : a) >> 2;
        set_u128(x, exponent);
        mpfr_div_2ui(x, x, 120, MPFR_RNDN);
        mpfr_exp(x, x, MPFR_RNDN);
        mpfr_add_ui(x, x, 1, MPFR_RNDN);
        mpfr_set_ui_2exp(y, 1, 127, MPFR_RNDN);
        mpfr_div(y, y, x, MPFR_RNDN);
        worst_logistic = fmax(worst_logistic, fabs(excess(simdp_fixed_logistic(exponent), y)));

        const simdp_u128 divisor = a | (simdp_u128)1 << 127;
        set_u128(x, divisor);
        mpfr_set_ui_2exp(y, 1, 254, MPFR_RNDN);
        mpfr_div(y, y, x, MPFR_RNDN);
        worst_inverse = fmax(worst_inverse, fabs(excess(simdp_fixed_inverse(divisor), y)));
    }
    assert_true(simdp_fixed_exp_neg(0) == (simdp_u128)1 << 127);
    if (worst_exp >= 0x1p12 || worst_exp < 2) fail_msg("exponential: %g", worst_exp); /* nothing is exact by chance */
    if (worst_logistic >= 0x1p31 || worst_logistic < 0x1p20) fail_msg("logistic: %g", worst_logistic);
    if (worst_inverse >= 16 || worst_inverse < 0.1) fail_msg("inverse: %g", worst_inverse);
    mpfr_clears(x, y, (mpfr_ptr)NULL);
}

static void test_doubles(void **state)
{
    (void)state;
    mpfr_t y;
    uint64_t random = 2;
    mpfr_init2(y, BITS);
    for (int i = 0; i < 20000; i++) {
        const double unit = 1 + (double)(test_random(&random) >> 12) * 0x1p-52;
        const double x =
            i % 50 == 0 ? ldexp(1.0, i % 900 - 450) : ldexp(unit, (int)(test_random(&random) % 1000) - 500);
        int exponent;
        const simdp_u128 r = simdp_fixed_reciprocal(x, &exponent);
        assert_true(r >> 127 == 1);
        mpfr_set_d(y, x, MPFR_RNDN);
        mpfr_ui_div(y, 1, y, MPFR_RNDN);
        mpfr_mul_2si(y, y, -exponent, MPFR_RNDN);
        const double reciprocal = excess(r, y);
        assert_true(reciprocal <= 0 && reciprocal > -2);

        const double small = ldexp(unit, (int)(test_random(&random) % 207) - 200); /* below 128 */
        mpfr_set_d(y, small, MPFR_RNDN);
        mpfr_mul_2ui(y, y, 120, MPFR_RNDN);
        const double cut = excess(simdp_fixed_from_double(small), y);
        assert_true(cut <= 0 && cut > -1);
    }
    assert_true(simdp_fixed_from_double(0.0) == 0 && simdp_fixed_from_double(DBL_TRUE_MIN) == 0);
    mpfr_clear(y);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_functions), cmocka_unit_test(test_doubles)};
    return cmocka_run_group_tests_name("release_fixed", tests, NULL, NULL);
}
