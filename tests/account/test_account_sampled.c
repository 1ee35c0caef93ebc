/* Sampled mechanisms in privacy-loss distributions, and DP-SGD: against closed forms, against themselves on other grids,
 * and against what other accountants said about published settings. */
#define _XOPEN_SOURCE 700
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "simdp/simdp.h"
#include "account/sgd.h"
#include "loss/sampled.h"
#include "sgd_peers.h"
#include "support/watchdog.h"

#define must(call) assert_int_equal((call), SIMDP_OK)

static simdp_pld *open_pld(double grid)
{
    simdp_pld *pld;
    must(simdp_pld_create(&pld, grid));
    return pld;
}

/* One step: the closed form lies in the bracket, which is narrow at multiples of the grid. */
static void one_step(void **state)
{
    (void)state;
    static const double rates[] = {0.004, 0.1, 0.7}, noises[] = {0.7, 1.1, 4};
    for (int laplace = 0; laplace < 2; laplace++) {
        for (int i = 0; i < 9; i++) {
            const double q = rates[i % 3], s = noises[i / 3], grid = 0x1p-9;
            simdp_pld *pld = open_pld(grid);
            must(laplace ? simdp_pld_add_laplace_sampled(pld, 1 / s, q, 1)
                         : simdp_pld_add_gaussian_sampled(pld, s, q, 1));
            must(simdp_pld_compose(pld, 1e-9, 1, SIMDP_PLD_DOTS, SIMDP_PLD_BINS, NULL, NULL));
            for (double epsilon = 0; epsilon < 2; epsilon += 32 * grid) {
                double lower, upper, exact;
                must(laplace ? simdp_delta_laplace_sampled(&exact, &epsilon, 1, 1 / s, q, SIMDP_LOSS_LARGER)
                             : simdp_delta_gaussian_sampled(&exact, &epsilon, 1, s, q, SIMDP_LOSS_LARGER));
                must(simdp_pld_delta(pld, &lower, &upper, &epsilon, 1));
                assert_true(lower <= exact && exact <= upper);
                if (exact > 1e-9) assert_true(upper <= exact * (1 + 1e-6) && (epsilon < 0.25 || lower >= exact * 0.9));
            }
            simdp_pld_destroy(pld);
        }
    }
}

/* With q = 1 it is the mechanism itself, bit for bit; with q = 0 it costs nothing. */
static void ends_of_the_rate(void **state)
{
    (void)state;
    simdp_pld *sampled = open_pld(0.01), *plain = open_pld(0.01);
    const double delta = 1e-6;
    double a, b, c, d;
    must(simdp_pld_add_gaussian_sampled(sampled, 3, 1, 7));
    must(simdp_pld_add_gaussian_sampled(sampled, 3, 0, 1000));
    must(simdp_pld_add_gaussian(plain, 3, 7));
    must(simdp_pld_add_laplace(plain, 0, 1000));
    must(simdp_pld_compose(sampled, delta, delta, SIMDP_PLD_DOTS, SIMDP_PLD_BINS, NULL, NULL));
    must(simdp_pld_compose(plain, delta, delta, SIMDP_PLD_DOTS, SIMDP_PLD_BINS, NULL, NULL));
    must(simdp_pld_epsilon(sampled, &a, &b, &delta, 1));
    must(simdp_pld_epsilon(plain, &c, &d, &delta, 1));
    assert_true(a == c && b == d);
    assert_int_equal(simdp_pld_add_gaussian_sampled(plain, 1, 1.5, 1), SIMDP_EPARAM);
    assert_int_equal(simdp_pld_add_gaussian_sampled(plain, 0.01, 0.5, 1), SIMDP_EPARAM);
    assert_int_equal(simdp_pld_add_laplace_sampled(plain, NAN, 0.5, 1), SIMDP_EPARAM);
    assert_int_equal(simdp_pld_add_bounded_range(plain, -1, 1), SIMDP_EPARAM);
    simdp_pld_destroy(sampled);
    simdp_pld_destroy(plain);
}

/* Brackets of all roundings and grids overlap, also where steps of other kinds are mixed in. */
static void mixed_steps(void **state)
{
    (void)state;
    double most_lower = 0, least_upper = INFINITY;
    for (int i = 0; i < 4; i++) {
        const double delta = 1e-6;
        double lower, upper;
        simdp_pld *pld = open_pld(i % 2 ? 0x1p-11 : 0x1p-9);
        must(simdp_pld_add_gaussian_sampled(pld, 1.3, 0.02, 200));
        must(simdp_pld_add_gaussian_sampled(pld, 0.9, 0.05, 3));
        must(simdp_pld_add_laplace_sampled(pld, 0.5, 0.1, 40));
        must(simdp_pld_add_laplace(pld, 0.25, 2));
        must(simdp_pld_add_bounded_range(pld, 0.25, 2));
        must(simdp_pld_compose(pld, delta, delta, i < 2 ? SIMDP_PLD_DOTS : SIMDP_PLD_UP,
                               i < 2 ? SIMDP_PLD_BINS : SIMDP_PLD_DOWN, NULL, NULL));
        must(simdp_pld_epsilon(pld, &lower, &upper, &delta, 1));
        most_lower = fmax(most_lower, lower), least_upper = fmin(least_upper, upper);
        assert_true(lower <= upper);
        simdp_pld_destroy(pld);
    }
    assert_true(most_lower <= least_upper && least_upper < 1.02 * most_lower);
}

/* (e^(epsilon/2) - e^(x/2))^2 / (e^epsilon - 1) */
static void bounded_range(void **state)
{
    (void)state;
    const double epsilon = 1;
    simdp_pld *pld = open_pld(0x1p-8);
    must(simdp_pld_add_bounded_range(pld, epsilon, 1));
    must(simdp_pld_compose(pld, 1e-9, 1, SIMDP_PLD_DOTS, SIMDP_PLD_BINS, NULL, NULL));
    for (double x = 0; x < 1; x += 0x1p-5) {
        const double root = exp(epsilon / 2) - exp(x / 2), exact = root * root / expm1(epsilon);
        double lower, upper;
        must(simdp_pld_delta(pld, &lower, &upper, &x, 1));
        assert_true(lower <= exact * (1 + 1e-12) && upper >= exact * (1 - 1e-12));
        assert_true(upper <= exact * (1 + 1e-9) && lower >= exact - 1e-4);
    }
    simdp_pld_destroy(pld);
}

/* Ours never lies below another lower bound, nor above another upper one. */
static void published_settings(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof sgd_peers / sizeof *sgd_peers; i++) {
        double lower, upper;
        must(simdp_account_sgd_epsilon(&lower, &upper, sgd_peers[i].run, sgd_peers[i].delta, 0.01, NULL, NULL));
        assert_true(lower > 0 && lower <= upper && upper < INFINITY && upper - lower <= 0.01 * upper);
        if (sgd_peers[i].dp_accounting < INFINITY) assert_true(lower <= sgd_peers[i].dp_accounting);
        if (sgd_peers[i].prv_low > 0) assert_true(upper >= sgd_peers[i].prv_low && lower <= sgd_peers[i].prv_high);
        if (sgd_peers[i].opacus < INFINITY)
            assert_true(lower <= sgd_peers[i].opacus && upper <= 1.02 * sgd_peers[i].opacus);
    }
}

/* What papers and tutorials state for their own training, all at delta = 1e-5 and by moments of the privacy loss: upper
 * bounds, rounded to two digits, that a tight accountant must stay below, and not by more than the slack of moments. */
static void published_epsilons(void **state)
{
    (void)state;
    static const struct {
        const char *source;
        simdp_account_sgd_run run;
        double epsilon;
    } rows[] = {
        {"Abadi et al., Deep learning with differential privacy (2016), section 3.2", {4, 0.01, 10000}, 1.26},
        {"tensorflow/privacy, tutorials/README.md: MNIST, 60 epochs of 256", {1.12, 256. / 60000, 14062}, 2.92},
        {"tensorflow/privacy, tutorials/README.md: MNIST, 30 epochs of 256", {0.6, 256. / 60000, 7031}, 9.74},
        {"tensorflow/privacy, tutorials/README.md: MNIST, 10 epochs of 256", {1.2, 256. / 60000, 2343}, 1.20},
        {"Bu et al., Deep learning with Gaussian DP (2020), figure 4: 20 epochs", {1.3, 256. / 60000, 4687}, 1.34},
        {"Bu et al., Deep learning with Gaussian DP (2020), figure 4: 70 epochs", {0.7, 256. / 60000, 16406}, 8.68},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double lower, upper;
        must(simdp_account_sgd_epsilon(&lower, &upper, rows[i].run, 1e-5, 0.01, NULL, NULL));
        if (!(upper <= rows[i].epsilon && lower >= 0.6 * rows[i].epsilon))
            fail_msg("%s: %g to %g, published %g", rows[i].source, lower, upper, rows[i].epsilon);
    }
}

static int stop_at_once(void *calls, double done)
{
    assert_true(done >= 0 && done <= 1);
    ++*(int *)calls;
    return 1;
}

/* Tails in cells of several widths and a window without tilt: brackets of coarse and fine grids overlap, and are as
 * narrow as was asked for; but not of so small a rate at so small a delta, where the window is too wide. */
static void rare_and_many(void **state)
{
    (void)state;
    static const simdp_account_sgd_run runs[] = {{1, 1e-4, 100000}, {0.7, 0.001, 5000}, {1.1, 0.004, 10000}};
    static const double deltas[] = {1e-5, 1e-12};
    for (size_t i = 0; i < 2 * (sizeof runs / sizeof *runs); i++) {
        double coarse[2], fine[2];
        const simdp_account_sgd_run run = runs[i / 2];
        must(simdp_account_sgd_epsilon(&coarse[0], &coarse[1], run, deltas[i % 2], 0.05, NULL, NULL));
        must(simdp_account_sgd_epsilon(&fine[0], &fine[1], run, deltas[i % 2], 0.002, NULL, NULL));
        assert_true(coarse[0] <= fine[1] && fine[0] <= coarse[1]);
        if (i == 1) continue;
        assert_true(coarse[1] - coarse[0] <= 0.05 * coarse[1] && fine[1] - fine[0] <= 0.002 * fine[1]);
    }
}

/* The noise found keeps the promise, and a little less of it does not. */
static void noise_for_an_epsilon(void **state)
{
    (void)state;
    const simdp_privacy target = {2, 1e-5};
    double noise, lower, upper;
    must(simdp_account_sgd_noise(&noise, target, 0.01, 1000, 0.01, NULL, NULL));
    must(simdp_account_sgd_epsilon(&lower, &upper, (simdp_account_sgd_run){noise, 0.01, 1000}, 1e-5, 1e-3, NULL, NULL));
    assert_true(lower <= 2);
    must(simdp_account_sgd_epsilon(&lower, &upper, (simdp_account_sgd_run){noise / 1.03, 0.01, 1000}, 1e-5, 1e-3, NULL,
                                   NULL));
    assert_true(lower > 2);
    int calls = 0;
    assert_int_equal(simdp_account_sgd_noise(&noise, target, 0.01, 1000, 0.01, stop_at_once, &calls), SIMDP_ECANCELLED);
    assert_true(isnan(noise) && calls == 1);
    assert_int_equal(simdp_account_sgd_noise(&noise, (simdp_privacy){0, 1e-5}, 0.01, 1, 0.01, NULL, NULL),
                     SIMDP_EPARAM);
    assert_true(isnan(noise));
    assert_int_equal(
        simdp_account_sgd_epsilon(&lower, &upper, (simdp_account_sgd_run){NAN, 0.01, 1}, 1e-5, 1e-3, NULL, NULL),
        SIMDP_EPARAM);
    assert_true(isnan(lower) && isnan(upper));
}

/* With hardly any noise the loss is ln(1 - q) but for less than e^-400: so is every negative moment. */
static void negative_moments(void **state)
{
    (void)state;
    static const double orders[] = {-0.5, -3, -100, -1e4, -3e5, -0x1p24}, rates[] = {1e-6, 0.01, 0.99};
    for (int i = 0; i < 18; i++) {
        const double c = orders[i % 6], q = rates[i / 6], exact = c * log1p(-q);
        WATCHDOG_START(10, "the moment of order %g at rate %g", c, q);
        const double moment = simdp_sampled_gaussian_moment(c, 64, q);
        watchdog_stop();
        assert_true(fabs(moment - exact) <= 2e-12 * exact);
    }
}

/* Steps so rare that the sum of their losses is all but Gaussian (its skewness is 1/500), and its variance known. */
static void rare_steps(void **state)
{
    (void)state;
    static const double deltas[] = {1e-6, 1e-10, 1e-12};
    const double rate = 1e-8, steps = 1e7, mu = rate * sqrt(steps * expm1(1));
    for (size_t i = 0; i < sizeof deltas / sizeof *deltas; i++) {
        double lower, upper, gaussian;
        WATCHDOG_START(60, "the epsilon of rare steps at %g", deltas[i]);
        must(simdp_account_sgd_epsilon(&lower, &upper, (simdp_account_sgd_run){1, rate, (uint64_t)steps}, deltas[i],
                                       0.005, NULL, NULL));
        watchdog_stop();
        must(simdp_account_epsilon(&gaussian, &deltas[i], 1,
                                   (simdp_law){.mechanism = SIMDP_MECHANISM_GAUSSIAN, .parameter = 1 / mu}));
        assert_true(upper - lower <= 0.005 * upper);
        assert_true(lower > 0.99 * gaussian && upper < 1.02 * gaussian);
    }
}

/* Where the distribution of whole steps answers, that of steps that end has the same answer. */
static void steps_that_end(void **state)
{
    (void)state;
    static const simdp_account_sgd_run runs[] = {
        {1.1, 0.004, 10000}, {2, 1e-3, 100000}, {0.8, 0.02, 300}, {1, 0.1, 10}};
    const double delta = 1e-6, error = 0.002;
    const sgd_request request = {delta, NULL, NULL};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        double lower, upper, below = 0, above = 1e6;
        must(simdp_account_sgd_epsilon(&lower, &upper, runs[i], delta, error, NULL, NULL));
        must(simdp_sgd_rare_bracket(&below, &above, runs[i], error, &request));
        assert_true(below <= upper && lower <= above);
        assert_true(above - below <= error * above && fabs(above - upper) <= error * upper);
    }
}

/* Settings that ask for many points or high moments end, with bounds in order. */
static void hostile_runs_end(void **state)
{
    (void)state;
    static const struct {
        simdp_account_sgd_run run;
        double delta;
    } rows[] = {{{1.1, 0.004, 10000}, 1e-30}, {{1.0 / 64, 0.01, 1}, 1e-30}, {{0.3, 0.01, 1000}, 1e-30},
                {{0.3, 1e-8, 1}, 1e-5},       {{0.3, 1e-8, 1000}, 1e-5},    {{0.6, 1e-4, 1}, 1e-5},
                {{1, 1e-8, 10000000}, 1e-5},  {{0.3, 1e-8, 10000000}, 1e-5}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double lower, upper;
        WATCHDOG_START(30, "the epsilon of hostile run %zu", i);
        must(simdp_account_sgd_epsilon(&lower, &upper, rows[i].run, rows[i].delta, 0.01, NULL, NULL));
        watchdog_stop();
        assert_true(lower >= 0 && lower <= upper && upper < INFINITY);
    }
    double lower, upper; /* 1e-8 times 100 steps lies below delta: nothing is spent */
    must(simdp_account_sgd_epsilon(&lower, &upper, (simdp_account_sgd_run){0.3, 1e-8, 100}, 1e-5, 0.01, NULL, NULL));
    assert_true(lower == 0 && upper == 0);
}

/* Losses of much noise are close to 0, and far from ln(1 - rate), the least there is, for a fine grid. Where brackets were
 * made of all cells between, these took a minute and ten seconds. */
static void much_noise(void **state)
{
    (void)state;
    double lower, upper;
    WATCHDOG_START(5, "much noise");
    must(simdp_account_sgd_epsilon(&lower, &upper, (simdp_account_sgd_run){876456, 0.034, 3}, 8.2e-11, 1e-3, NULL,
                                   NULL));
    assert_true(lower > 1.78e-7 && lower <= upper && upper < 1.79e-7);
    assert_true(upper - lower < 2e-3 * upper);
    must(simdp_account_sgd_epsilon(&lower, &upper, (simdp_account_sgd_run){1e5, 0.999, 1000000000}, 1e-6, 1e-4, NULL,
                                   NULL));
    watchdog_stop();
    assert_true(lower < 1.366 && upper > 1.366 && upper < 1.48); /* Gaussian steps of that variance cost 1.366 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_step),           cmocka_unit_test(ends_of_the_rate),
                                       cmocka_unit_test(mixed_steps),        cmocka_unit_test(bounded_range),
                                       cmocka_unit_test(published_settings), cmocka_unit_test(noise_for_an_epsilon),
                                       cmocka_unit_test(rare_steps),         cmocka_unit_test(steps_that_end),
                                       cmocka_unit_test(negative_moments),   cmocka_unit_test(hostile_runs_end),
                                       cmocka_unit_test(rare_and_many),      cmocka_unit_test(published_epsilons),
                                       cmocka_unit_test(much_noise)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
