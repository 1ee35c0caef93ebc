/* test_account_mixture: mixtures of Gaussian noise: against the closed form of sampled and of plain noise, against the
 * best threshold by search in long doubles, and composed, against sampled steps. */
#define _XOPEN_SOURCE 700
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "simdp/simdp.h"
#include "support/laws.h"

#define must(call) assert_int_equal((call), SIMDP_OK)

typedef struct {
    size_t n;
    double sensitivity[4], probability[4], sigma;
} mixed;

static simdp_pld *composed(const mixed *m, double grid, uint64_t times, double delta_least)
{
    simdp_pld *pld;
    must(simdp_pld_create(&pld, grid));
    must(simdp_pld_add_gaussian_mixture(pld, m->sensitivity, m->probability, m->n, m->sigma, times));
    must(simdp_pld_compose(pld, delta_least, 1, SIMDP_PLD_DOTS, SIMDP_PLD_BINS, NULL, NULL));
    return pld;
}

static long double cdf(long double z) { return erfcl(-z * sqrtl(0.5L)) / 2; }

/* P above z less e^epsilon Q above z, or Q below z less e^epsilon P below z */
static long double gain(const mixed *m, long double epsilon, long double z, int added)
{
    const long double sign = added ? -1 : 1, q = cdf(-sign * z);
    long double p = 0;
    for (size_t i = 0; i < m->n; i++)
        p += (long double)m->probability[i] * cdf(sign * ((long double)m->sensitivity[i] / m->sigma - z));
    return added ? q - expl(epsilon) * p : p - expl(epsilon) * q;
}

/* The largest gain: it rises and then falls with z. */
static long double best_gain(const mixed *m, long double epsilon, int added)
{
    long double low = -40, high = 60;
    for (int round = 0; round < 400; round++) {
        const long double a = low + (high - low) / 3, b = high - (high - low) / 3;
        const long double at_a = gain(m, epsilon, a, added), at_b = gain(m, epsilon, b, added);
        if (at_a > at_b || (at_a == at_b && (added ? a < 0 : a > 0))) high = b;
        else low = a;
    }
    return fmaxl(0, gain(m, epsilon, (low + high) / 2, added));
}

static const mixed cases[] = {{2, {0, 1}, {0.99, 0.01}, 1.1},
                              {1, {1}, {1}, 2},
                              {3, {0, 1, 2}, {0.9, 0.09, 0.01}, 1.5},
                              {4, {0.5, 3, 1, 0}, {0.25, 0.25, 0.25, 0.25}, 2},
                              {2, {1, 2}, {0.5, 0.5}, 0.8}};

/* One step: the larger direction lies in the bracket, which is narrow. */
static void one_step(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        simdp_pld *pld = composed(&cases[k], 0x1p-8, 1, 1e-9);
        for (double epsilon = 0; epsilon < 2.5; epsilon += 0x1p-3) {
            const long double exact = fmaxl(best_gain(&cases[k], epsilon, 0), best_gain(&cases[k], epsilon, 1));
            double lower, upper;
            must(simdp_pld_delta(pld, &lower, &upper, &epsilon, 1));
            if (!(lower <= exact * (1 + 1e-12L) + 1e-17L && upper >= exact * (1 - 1e-12L) - 1e-17L))
                fail_msg("case %zu, epsilon %g: %.17g .. %.17g, exact %.17Lg", k, epsilon, lower, upper, exact);
            if (exact > 1e-9L)
                if (!(upper <= exact * (1 + 1e-6L) && (epsilon < 0.25 || lower >= exact * 0.9L)))
                    fail_msg("case %zu, epsilon %g: %g .. %g is wide, exact %Lg", k, epsilon, lower, upper, exact);
        }
        simdp_pld_destroy(pld);
    }
}

/* Two parts are sampled noise; one is Gaussian noise. */
static void many_steps(void **state)
{
    (void)state;
    static const uint64_t times[] = {2, 30, 1000};
    static const double deltas[] = {1e-3, 1e-6, 1e-9};
    const mixed sampled = {2, {0, 2}, {0.98, 0.02}, 2.4}, plain = {1, {3}, {1}, 30};
    for (int k = 0; k < 3; k++) {
        simdp_pld *ours = composed(&sampled, 0x1p-9, times[k], 1e-10),
                  *gaussian = composed(&plain, 0x1p-9, times[k], 1e-10), *other;
        must(simdp_pld_create(&other, 0x1p-9));
        must(simdp_pld_add_gaussian_sampled(other, 1.2, 0.02, times[k]));
        must(simdp_pld_compose(other, 1e-10, 1, SIMDP_PLD_DOTS, SIMDP_PLD_BINS, NULL, NULL));
        for (int i = 0; i < 3; i++) {
            double lower, upper, other_lower, other_upper, exact;
            must(simdp_pld_epsilon(ours, &lower, &upper, &deltas[i], 1));
            must(simdp_pld_epsilon(other, &other_lower, &other_upper, &deltas[i], 1));
            assert_true(lower <= other_upper && other_lower <= upper);
            assert_true(fabs(upper - other_upper) <= 1e-3 * other_upper &&
                        fabs(lower - other_lower) <= 0.02 * other_upper);
            must(simdp_pld_epsilon(gaussian, &lower, &upper, &deltas[i], 1));
            must(simdp_account_epsilon(&exact, &deltas[i], 1, law_gaussian(10 / sqrt((double)times[k]))));
            assert_true(lower <= exact * (1 + 1e-12) && exact <= upper * (1 + 1e-12) && upper - lower <= 0.02 * exact);
        }
        simdp_pld_destroy(ours);
        simdp_pld_destroy(other);
        simdp_pld_destroy(gaussian);
    }
}

static void arguments(void **state)
{
    (void)state;
    simdp_pld *pld;
    const double sensitivity[] = {0, 1}, good[] = {0.5, 0.5}, bad[] = {0.5, 0.6}, none[] = {0, 0};
    double lower, upper;
    must(simdp_pld_create(&pld, 0.01));
    assert_int_equal(simdp_pld_add_gaussian_mixture(pld, sensitivity, bad, 2, 1, 1), SIMDP_EPARAM);
    assert_int_equal(simdp_pld_add_gaussian_mixture(pld, sensitivity, good, 2, 0.01, 1), SIMDP_EPARAM);
    assert_int_equal(simdp_pld_add_gaussian_mixture(pld, sensitivity, good, 2, NAN, 1), SIMDP_EPARAM);
    assert_int_equal(simdp_pld_add_gaussian_mixture(pld, sensitivity, good, 0, 1, 1), SIMDP_EPARAM);
    assert_int_equal(simdp_pld_add_gaussian_mixture(pld, NULL, good, 2, 1, 1), SIMDP_ENULL);
    assert_int_equal(simdp_pld_add_gaussian_mixture(NULL, sensitivity, good, 2, 1, 1), SIMDP_ENULL);
    must(simdp_pld_add_gaussian_mixture(pld, none, good, 2, 1, 1000)); /* costs nothing */
    must(simdp_pld_add_gaussian_mixture(pld, sensitivity, good, 2, 8, 3));
    must(simdp_pld_add_gaussian_mixture(pld, sensitivity, good, 2, 8, 4));
    must(simdp_pld_add_laplace(pld, 0.1, 2));
    must(simdp_pld_compose(pld, 1e-6, 1e-6, SIMDP_PLD_DOTS, SIMDP_PLD_BINS, NULL, NULL));
    must(simdp_pld_epsilon(pld, &lower, &upper, &(double){1e-6}, 1));
    assert_true(lower > 0.5 && lower <= upper && upper < 1.1 * lower);
    simdp_pld_destroy(pld);
    must(simdp_pld_create(&pld, 0x1p-40)); /* too many grid points */
    assert_int_equal(simdp_pld_add_gaussian_mixture(pld, sensitivity, good, 2, 1, 1), SIMDP_EPARAM);
    simdp_pld_destroy(pld);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_step), cmocka_unit_test(many_steps),
                                       cmocka_unit_test(arguments)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
