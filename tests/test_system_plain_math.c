/* test_system_plain_math: the plain C logarithm, exponential and friends against the C library's long doubles, in ulp.
 */
#include <float.h>

#include "math/plain_math.h"
#include "support/test_support.h"

#define TRIES 300000

static double ulps(double got, long double exact)
{
    if ((long double)got == exact) return 0;
    const double near = fabs((double)exact), step = near < DBL_MIN ? 0x1p-1074 : ldexp(1, ilogb(near) - 52);
    return (double)(fabsl((long double)got - exact) / step);
}

/* uniform in [a, b] */
static double between(uint64_t *seed, double a, double b)
{
    return a + (b - a) * ((double)(test_random(seed) >> 11) * 0x1p-53);
}

static double worst(double (*f)(double), long double (*exact)(long double), double from, double to, bool by_exponent)
{
    uint64_t seed = 7;
    double most = 0;
    for (int i = 0; i < TRIES; i++) {
        double x = between(&seed, from, to);
        if (by_exponent) x = exp2(x);
        most = fmax(most, ulps(f(x), exact((long double)x)));
    }
    return most;
}

static double negative_log1p(double x) { return plain_log1p(-x); }
static long double negative_log1p_exact(long double x) { return log1pl(-x); }
static double negative_expm1(double x) { return plain_expm1(-x); }
static long double negative_expm1_exact(long double x) { return expm1l(-x); }

static void bounds(void **state)
{
    (void)state;
    assert_true(worst(plain_log, logl, -1074, 1024, true) < 1);
    assert_true(worst(plain_log, logl, 0.5, 2, false) < 1);
    assert_true(worst(plain_exp, expl, -708, 709.7, false) < 1);
    assert_true(worst(plain_exp, expl, -745, -708, false) < 1.5);
    assert_true(worst(plain_exp, expl, -1, 1, false) < 1);
    assert_true(worst(plain_expm1, expm1l, -200, 9, true) < 3);
    assert_true(worst(plain_expm1, expm1l, -45, 2, false) < 3);
    assert_true(worst(negative_expm1, negative_expm1_exact, -200, 6, true) < 3);
    assert_true(worst(plain_log1p, log1pl, -200, 1000, true) < 3);
    assert_true(worst(plain_log1p, log1pl, -0.9999, 3, false) < 3);
    assert_true(worst(negative_log1p, negative_log1p_exact, -200, -1, true) < 3);
    assert_true(worst(plain_asinh, asinhl, -200, 1000, true) < 3);
    assert_true(worst(plain_asinh, asinhl, 0, 4, false) < 3);
}

static double log_off(double x) { return plain_log(x) * (1 + 0x1p-50); }

/* the comparison sees a relative error of 2^-50 */
static void control(void **state)
{
    (void)state;
    assert_false(worst(log_off, logl, -1074, 1024, true) < 1);
}

static void ends(void **state)
{
    (void)state;
    assert_true(plain_log(0) == -INFINITY && plain_log(INFINITY) == INFINITY && plain_log(1) == 0);
    assert_true(isnan(plain_log(-1)) && isnan(plain_log(NAN)) && isnan(plain_exp(NAN)) && isnan(plain_expm1(NAN)));
    assert_true(plain_exp(0) == 1 && plain_exp(INFINITY) == INFINITY && plain_exp(-INFINITY) == 0 &&
                plain_exp(710) == INFINITY);
    assert_true(plain_exp(-746) == 0 && plain_exp(709.782) < INFINITY);
    assert_true(plain_expm1(0) == 0 && plain_expm1(-INFINITY) == -1 && plain_expm1(INFINITY) == INFINITY &&
                plain_expm1(709.78) < INFINITY);
    assert_true(plain_log1p(0) == 0 && plain_log1p(-1) == -INFINITY && plain_log1p(INFINITY) == INFINITY &&
                isnan(plain_log1p(NAN)));
    assert_true(plain_asinh(0) == 0 && plain_asinh(INFINITY) == INFINITY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bounds), cmocka_unit_test(control), cmocka_unit_test(ends)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
