/* test_account_discrete: calibration of discrete Laplace and Gaussian noise against the curves' definitions in MPFR:
 * what comes out keeps the promise, and hardly less noise or epsilon would not. */
#include <math.h>
#include <mpfr.h>

#include "property/truth_discrete.h"
#include "support/laws.h"
#include "support/random_numbers.h"
#include "support/test_support.h"

enum { CASES = 300 };

/* delta(epsilon) from the definition, less `delta`, and over it. */
static double excess(simdp_mechanism mechanism, double epsilon, double scale, int64_t sensitivity, double delta)
{
    mpfr_t exact;
    mpfr_init2(exact, 400);
    if (mechanism == SIMDP_MECHANISM_DISCRETE_LAPLACE)
        truth_discrete_laplace_curve(exact, epsilon, scale, sensitivity, false);
    else truth_discrete_gaussian_curve(exact, epsilon, scale, sensitivity, false);
    mpfr_sub_d(exact, exact, delta, MPFR_RNDN);
    mpfr_div_d(exact, exact, delta, MPFR_RNDN);
    const double result = mpfr_get_d(exact, MPFR_RNDN);
    mpfr_clear(exact);
    return result;
}

typedef struct {
    simdp_mechanism mechanism;
    double epsilon, delta, scale;
    int64_t sensitivity;
} discrete_case;

static discrete_case draw(simdp_mechanism mechanism)
{
    static const int64_t usual[] = {1, 1, 2, 3, 10, 1000};
    discrete_case c = {.mechanism = mechanism};
    c.epsilon = spread(1e-3, 20.0);
    c.delta = spread(1e-30, 0.5);
    c.sensitivity = usual[test_random(&seed) % 6];
    c.scale = (double)c.sensitivity * spread(0.05, 100.0);
    return c;
}

/* The result keeps the promise, and a billionth less does not, up to the error of the curve. */
static void epsilon_is_least(const discrete_case *c)
{
    const simdp_law law = {.mechanism = c->mechanism, .parameter = c->scale, .sensitivity = c->sensitivity};
    double epsilon, delta;
    must(simdp_account_epsilon(&epsilon, &c->delta, 1, law));
    assert_true(excess(c->mechanism, epsilon, c->scale, c->sensitivity, c->delta) <= 0.0);
    must(simdp_account_delta(&delta, &epsilon, 1, law));
    assert_true(delta <= c->delta);
    if (epsilon > 0.0)
        assert_true(excess(c->mechanism, epsilon * (1.0 - 1e-9), c->scale, c->sensitivity, c->delta) > -3e-13);
}

static void scale_is_least(const discrete_case *c)
{
    const simdp_law law = {.mechanism = c->mechanism, .parameter = NAN, .sensitivity = c->sensitivity};
    double scale;
    must(simdp_account_noise(&scale, &c->epsilon, &c->delta, 1, law));
    assert_true(excess(c->mechanism, c->epsilon, scale, c->sensitivity, c->delta) <= 0.0);
    assert_true(excess(c->mechanism, c->epsilon, scale * (1.0 - 1e-9), c->sensitivity, c->delta) > -3e-13);
}

static void results_are_least(void **state)
{
    (void)state;
    seed = 20261118;
    for (int i = 0; i < CASES; i++) {
        const discrete_case c = draw(i % 2 == 0 ? SIMDP_MECHANISM_DISCRETE_LAPLACE : SIMDP_MECHANISM_DISCRETE_GAUSSIAN);
        epsilon_is_least(&c);
        scale_is_least(&c);
    }
}

/* The net itself: an epsilon that is a thousandth too small is seen. */
static void too_little_is_noticed(void **state)
{
    (void)state;
    const simdp_law law = law_discrete_gaussian(7.0, 2);
    const double delta = 1e-6;
    double epsilon;
    must(simdp_account_epsilon(&epsilon, &delta, 1, law));
    assert_true(excess(law.mechanism, epsilon * 0.999, 7.0, 2, delta) > 0.0);
}

static void ends(void **state)
{
    (void)state;
    const double zero = 0.0, one = 1.0, half = 0.5, endless = INFINITY;
    double out;
    must(simdp_account_epsilon(&out, &zero, 1, law_discrete_laplace(4.0, 3)));
    assert_true(out == 0.75);
    must(simdp_account_epsilon(&out, &zero, 1, law_discrete_gaussian(4.0, 3)));
    assert_true(out == INFINITY);
    must(simdp_account_epsilon(&out, &one, 1, law_discrete_gaussian(4.0, 3)));
    assert_true(out == 0.0);
    must(simdp_account_noise(&out, &half, &zero, 1, law_discrete_laplace(NAN, 3)));
    assert_true(out == 6.0);
    must(simdp_account_noise(&out, &half, &zero, 1, law_discrete_gaussian(NAN, 3)));
    assert_true(out == INFINITY);
    must(simdp_account_noise(&out, &zero, &zero, 1, law_discrete_laplace(NAN, 1)));
    assert_true(out == INFINITY);
    must(simdp_account_noise(&out, &endless, &zero, 1, law_discrete_gaussian(NAN, 3)));
    assert_true(out == 0.0);
    must(simdp_account_noise(&out, &half, &half, 1, law_discrete_gaussian(NAN, 0)));
    assert_true(out == 0.0);
    assert_int_equal(simdp_account_epsilon(&out, &half, 1, law_discrete_laplace(0.0, 1)), SIMDP_EPARAM);
    assert_int_equal(simdp_account_noise(&out, &half, &half, 1, law_discrete_laplace(NAN, -1)), SIMDP_EPARAM);
}

/* Quantiles of the least probability that a double holds: ln P[X <= x] is x / scale - ln(1 + e^(-1 / scale)) for x < 0,
 * and must not lie below ln p, however little. */
static void subnormal_quantiles(void **state)
{
    (void)state;
    for (int k = 1; k < 40; k++) {
        const double p = k * 0x1p-1074, scale = 1.0 + 0.37 * k;
        const long double least = scale * (logl((long double)k) - 1074 * logl(2.0L) + log1pl(expl(-1.0L / scale)));
        double x;
        must(simdp_noise_quantile(&x, &p, 1, SIMDP_MECHANISM_DISCRETE_LAPLACE, scale));
        if (x != (double)ceill(least)) fail_msg("p = %d 2^-1074, scale %g: %g, not %Lg", k, scale, x, ceill(least));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(results_are_least), cmocka_unit_test(too_little_is_noticed),
                                       cmocka_unit_test(ends), cmocka_unit_test(subnormal_quantiles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
