/* test_loss_intervals: confidence intervals against exact binomial sums (MPFR), their coverage by simulation, and their
 * edges. */
#include <math.h>
#include <mpfr.h>

#include "support/test_support.h"

#define BITS 200

static uint64_t seed;

static double uniform(void) { return (double)(test_random(&seed) >> 11) * 0x1p-53; }

/* P[X >= k] or, if below, P[X <= k], of n trials of probability p, over half the error, minus 1: the sum, term by term
 * from k on, until terms no longer count */
static double excess_of_tail(uint64_t k, uint64_t n, double p, bool below, double error)
{
    mpfr_t term, sum, ratio, q;
    mpfr_inits2(BITS, term, sum, ratio, q, (mpfr_ptr)0);
    mpfr_set_ui(q, 1, MPFR_RNDN);
    mpfr_sub_d(q, q, p, MPFR_RNDN);
    /* ln of the mass at k by log-gamma */
    mpfr_set_ui(term, 0, MPFR_RNDN);
    for (int part = 0; part < 3; part++) {
        int sign;
        mpfr_set_ui(ratio, part == 0 ? n : part == 1 ? k : n - k, MPFR_RNDN);
        mpfr_add_ui(ratio, ratio, 1, MPFR_RNDN);
        mpfr_lgamma(ratio, &sign, ratio, MPFR_RNDN);
        if (part == 0) mpfr_add(term, term, ratio, MPFR_RNDN);
        else mpfr_sub(term, term, ratio, MPFR_RNDN);
    }
    mpfr_set_d(ratio, p, MPFR_RNDN);
    mpfr_log(ratio, ratio, MPFR_RNDN);
    mpfr_mul_ui(ratio, ratio, k, MPFR_RNDN);
    mpfr_add(term, term, ratio, MPFR_RNDN);
    mpfr_log(ratio, q, MPFR_RNDN);
    mpfr_mul_ui(ratio, ratio, n - k, MPFR_RNDN);
    mpfr_add(term, term, ratio, MPFR_RNDN);
    mpfr_exp(term, term, MPFR_RNDN);
    mpfr_set(sum, term, MPFR_RNDN);
    for (uint64_t j = k; below ? j > 0 : j < n; below ? j-- : j++) {
        if (below) {
            mpfr_mul_ui(term, term, j, MPFR_RNDN);
            mpfr_mul(term, term, q, MPFR_RNDN);
            mpfr_div_ui(term, term, n - j + 1, MPFR_RNDN);
            mpfr_div_d(term, term, p, MPFR_RNDN);
        } else {
            mpfr_mul_ui(term, term, n - j, MPFR_RNDN);
            mpfr_mul_d(term, term, p, MPFR_RNDN);
            mpfr_div_ui(term, term, j + 1, MPFR_RNDN);
            mpfr_div(term, term, q, MPFR_RNDN);
        }
        mpfr_add(sum, sum, term, MPFR_RNDN);
        if (mpfr_get_exp(term) < mpfr_get_exp(sum) - 90) break;
    }
    mpfr_div_d(sum, sum, 0.5 * error, MPFR_RNDN);
    mpfr_sub_ui(sum, sum, 1, MPFR_RNDN);
    const double value = mpfr_get_d(sum, MPFR_RNDN);
    mpfr_clears(term, sum, ratio, q, (mpfr_ptr)0);
    return value;
}

/* At the ends of the interval, the tails are half the error each, and not more. */
static void test_proportions(void **state)
{
    (void)state;
    static const uint64_t trials[] = {1, 2, 3, 10, 100, 10000, 1000000, 1000000000, 100000000000};
    static const double errors[] = {0.3, 1e-6, 1e-100};
    double worst = 0.0, inward = -1.0;
    for (size_t t = 0; t < sizeof trials / sizeof trials[0]; t++) {
        for (size_t e = 0; e < sizeof errors / sizeof errors[0]; e++) {
            const uint64_t n = trials[t];
            const uint64_t counts[] = {0, 1, 2, 7, 2999, 3001, n / 1000, n / 3, n / 2, n - 2, n - 1, n};
            for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
                const uint64_t k = counts[c];
                simdp_loss_estimate i;
                if (k > n) continue;
                must(simdp_loss_interval_proportion(&i, k, n, errors[e]));
                assert_true(i.value == (double)k / (double)n && i.low <= i.value && i.value <= i.high && i.low >= 0.0 &&
                            i.high <= 1.0);
                if (k == 0) assert_true(i.low == 0.0);
                if (k == n) assert_true(i.high == 1.0);
                for (int side = 0; side < 2; side++) {
                    const double end = side == 0 ? i.low : i.high;
                    if (k == (side == 0 ? 0 : n)) continue;
                    const double excess = excess_of_tail(k, n, end, side == 1, errors[e]);
                    inward = fmax(inward, excess);
                    if (end < 0.99999) worst = fmax(worst, fabs(excess)); /* near 1 a double has few digits */
                }
            }
        }
    }
    print_message("tails at the ends of intervals: %.1e relative\n", worst);
    assert_true(worst < 1e-8 && inward <= 0.0);
}

/* Random counts and errors: the end is not inside the real one, and where it is moved inward by what the header allows
 * it to be outside, the tail has more than half the error. */
static void test_random_proportions(void **state)
{
    (void)state;
    for (int i = 0; i < 600; i++) {
        const uint64_t n = (uint64_t)exp(15.0 * uniform()) + 1;
        const double share = i % 3 == 0 ? exp(-18.0 * uniform()) : uniform();
        const uint64_t few = (uint64_t)((double)n * share), k = i % 2 == 0 ? few : n - few;
        const double error = i % 4 == 0 ? 1.0 - uniform() : exp(-(i % 4 == 1 ? 690.0 : 40.0) * uniform());
        simdp_loss_estimate e;
        must(simdp_loss_interval_proportion(&e, k, n, error));
        for (int side = 0; side < 2; side++) {
            const double end = side == 0 ? e.low : e.high;
            const double allowed = 1e-10 * sqrt(end * (1.0 - end) / (double)n) + 0x1p-49 * end;
            if (k == (side == 0 ? 0 : n)) continue;
            assert_true(excess_of_tail(k, n, end, side == 1, error) <= 0.0);
            assert_true(excess_of_tail(k, n, side == 0 ? end + allowed : end - allowed, side == 1, error) >= 0.0);
        }
    }
}

#define ROUNDS 4000
#define TRIALS 60

/* Of intervals with error 0.1 at least 90 % hold the truth, and not all of them (they are not trivial). */
static void test_coverage(void **state)
{
    (void)state;
    int held = 0, held_mean = 0, held_short = 0;
    for (int r = 0; r < ROUNDS; r++) {
        uint64_t k = 0;
        double sum = 0.0;
        simdp_loss_estimate i, m;
        for (int t = 0; t < TRIALS; t++) {
            const double u = uniform();
            k += u < 0.3;
            sum += u * u; /* in [0, 1], mean 1/3 */
        }
        must(simdp_loss_interval_proportion(&i, k, TRIALS, 0.1));
        must(simdp_loss_interval_mean(&m, sum / TRIALS, TRIALS, 1.0, 0.1));
        held += i.low <= 0.3 && 0.3 <= i.high;
        held_mean += m.low <= 1.0 / 3 && 1.0 / 3 <= m.high;
        held_short += 0.5 * (i.low + i.value) <= 0.3 && 0.3 <= 0.5 * (i.high + i.value); /* control: half the width */
    }
    /* 0.9 ROUNDS less six deviations of a binomial count */
    assert_true(held > 0.9 * ROUNDS - 6 * sqrt(0.09 * ROUNDS) && held < ROUNDS);
    assert_true(held_mean > 0.9 * ROUNDS - 6 * sqrt(0.09 * ROUNDS));
    assert_true(held_short < 0.9 * ROUNDS - 6 * sqrt(0.09 * ROUNDS));
}

/* The ends solve n KL(mean, end) = ln(2 / error), and scale with the bound. */
static void test_means(void **state)
{
    (void)state;
    for (int i = 0; i < 2000; i++) {
        const double mean = i % 10 == 0   ? 0.0
                            : i % 10 == 1 ? 1.0
                            : i % 10 < 5  ? exp(-20.0 * uniform())
                                          : uniform(),
                     error = exp(-30.0 * uniform() - 0.1);
        const uint64_t n = (uint64_t)exp(25.0 * uniform()) + 1;
        simdp_loss_estimate m, scaled;
        must(simdp_loss_interval_mean(&m, mean, n, 1.0, error));
        must(simdp_loss_interval_mean(&scaled, mean * 0.25, n, 0.25, error));
        assert_true(scaled.low == 0.25 * m.low && scaled.high == 0.25 * m.high);
        assert_true(m.low >= 0.0 && m.low <= mean && m.high >= mean && m.high <= 1.0);
        const double ends[2] = {m.low, m.high};
        for (int e = 0; e < 2; e++) {
            const double p = ends[e];
            if (p == 0.0 || p == 1.0) continue;
            const long double x = mean, kl = (x > 0 ? x * logl(x / p) : 0) +
                                             (x < 1 ? (1 - x) * logl((1 - x) / (1 - (long double)p)) : 0);
            const double got = (double)(kl * n), want = log(2.0 / error);
            /* n times roundings of the logarithms, which this plain formula does not avoid */
            assert_true(fabs(got - want) <= 1e-9 * want + 1e-16 * (double)n + (p > 0.9999 ? 0.02 * want : 0.0));
        }
    }
}

static void test_bad_input(void **state)
{
    (void)state;
    simdp_loss_estimate i = {1, 2, 3};
    assert_int_equal(simdp_loss_interval_proportion(NULL, 1, 2, 0.1), SIMDP_ENULL);
    assert_int_equal(simdp_loss_interval_mean(NULL, 0.5, 2, 1.0, 0.1), SIMDP_ENULL);
    assert_int_equal(simdp_loss_interval_proportion(&i, 3, 2, 0.1), SIMDP_EPARAM);
    assert_true(isnan(i.value) && isnan(i.low) && isnan(i.high));
    assert_int_equal(simdp_loss_interval_proportion(&i, 0, 0, 0.1), SIMDP_EPARAM);
    const double bad[] = {0.0, 1.0, -0.1, NAN, INFINITY};
    for (size_t j = 0; j < 5; j++) {
        assert_int_equal(simdp_loss_interval_proportion(&i, 1, 2, bad[j]), SIMDP_EPARAM);
        assert_int_equal(simdp_loss_interval_mean(&i, 0.5, 2, 1.0, bad[j]), SIMDP_EPARAM);
    }
    assert_int_equal(simdp_loss_interval_mean(&i, 1.5, 2, 1.0, 0.1), SIMDP_EPARAM);
    assert_int_equal(simdp_loss_interval_mean(&i, NAN, 2, 1.0, 0.1), SIMDP_EPARAM);
    assert_int_equal(simdp_loss_interval_mean(&i, 0.0, 2, 0.0, 0.1), SIMDP_EPARAM);
    assert_int_equal(simdp_loss_interval_mean(&i, 0.5, 0, 1.0, 0.1), SIMDP_EPARAM);
}

/* Intervals of fewer than two units in the last place hold their estimate. */
static void test_narrowest(void **state)
{
    (void)state;
    static const uint64_t count[] = {35592075247596038u, 1504002883167175308u, 2483102908951175431u},
                          trials[] = {35592176713952722u, 1504019820229199213u, 2483102908951268482u};
    static const double error[] = {0x1.fffff14e309c5p-1, 0x1.ffff42b90b435p-1, 0x1.fffff9c96bbe6p-1};
    for (size_t j = 0; j < 3; j++) {
        simdp_loss_estimate i;
        assert_int_equal(simdp_loss_interval_proportion(&i, count[j], trials[j], error[j]), SIMDP_OK);
        assert_true(i.low <= i.value && i.value <= i.high);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_proportions), cmocka_unit_test(test_random_proportions), cmocka_unit_test(test_coverage),
        cmocka_unit_test(test_means),       cmocka_unit_test(test_narrowest),          cmocka_unit_test(test_bad_input),
    };
    return cmocka_run_group_tests_name("loss_intervals", tests, NULL, NULL);
}
