/* test_loss_statistics: statistics of losses against plain sums in long double, in any pieces, with every kind of
 * loss. */
#include <math.h>

#include "support/random_numbers.h"

#define MOST     5000
#define EPSILONS 7
#define ORDERS   5
#define BINS     40

static double losses[MOST];
static const double epsilon[EPSILONS] = {0.0, 0.25, 0.5, 1.0, 1.75, 2.0, 700.0};
static const double order[ORDERS] = {0.5, 1.0, 1.5, 2.0, 32.0};
static uint64_t counts[BINS + 2], other_counts[BINS + 2];

static simdp_loss_statistics_plan whole_plan(uint64_t *bins)
{
    return (simdp_loss_statistics_plan){.epsilon = epsilon,
                                        .epsilons = EPSILONS,
                                        .deltas = 1,
                                        .order = order,
                                        .orders = ORDERS,
                                        .counts = bins,
                                        .bins = BINS,
                                        .low = -1.0,
                                        .high = 2.0};
}

/* losses of all kinds; some lie exactly on an epsilon or on an edge of the histogram */
static void make_losses(size_t n)
{
    for (size_t i = 0; i < n; i++) {
        losses[i] = uniform(-1.5, 2.5);
        if (i % 7 == 0) losses[i] = epsilon[i / 7 % 6];
        if (i % 11 == 0) losses[i] = -1.0 + 0.075 * (double)(i / 11 % 41);
    }
}

static bool close_to(double got, long double want, double relative)
{
    return (isnan(got) && isnan((double)want)) || got == (double)want || fabsl(got - want) <= relative * fabsl(want);
}

/* What the statistics of losses[0 .. n - 1] should be, by the definitions. */
static void check_all(const simdp_loss_statistics *s, size_t n)
{
    long double sum = 0, m2 = 0, most = -INFINITY, least = INFINITY;
    size_t finite = 0, plus = 0, minus = 0, undefined = 0;
    for (size_t i = 0; i < n; i++) {
        const double x = losses[i];
        if (isnan(x)) undefined++;
        else if (x == INFINITY) plus++;
        else if (x == -INFINITY) minus++;
        else finite++, sum += x, most = fmaxl(most, x), least = fminl(least, x);
    }
    const long double mean = sum / finite, all = (long double)(finite + plus + minus);
    for (size_t i = 0; i < n; i++) {
        if (isfinite(losses[i])) m2 += (losses[i] - mean) * (losses[i] - mean);
    }
    simdp_loss_summary summary;
    simdp_loss_estimate tail[EPSILONS], delta[EPSILONS], renyi[ORDERS];
    must(simdp_loss_statistics_summary(s, &summary, 1e-3));
    must(simdp_loss_statistics_estimates(s, tail, SIMDP_LOSS_TAILS, 1e-3));
    must(simdp_loss_statistics_estimates(s, delta, SIMDP_LOSS_DELTAS, 1e-3));
    must(simdp_loss_statistics_estimates(s, renyi, SIMDP_LOSS_RENYI, 1e-3));
    assert_int_equal(summary.finite, finite);
    assert_int_equal(summary.plus_infinite, plus);
    assert_int_equal(summary.minus_infinite, minus);
    assert_int_equal(summary.undefined, undefined);
    if (all == 0) {
        assert_true(isnan(summary.mean.value) && isnan(summary.most) && isnan(tail[0].value) && isnan(delta[0].value) &&
                    isnan(renyi[0].value));
        return;
    }
    const bool infinite = plus + minus > 0;
    assert_true(infinite ? isinf(summary.mean.value) || (plus && minus && isnan(summary.mean.value))
                         : fabsl(summary.mean.value - mean) <= 1e-15L);
    if (!infinite && finite > 1) assert_true(close_to(summary.variance.value, m2 / (finite - 1), 1e-13));
    assert_true(summary.most == (plus ? INFINITY : finite ? (double)most : -INFINITY));
    assert_true(summary.least == (minus ? -INFINITY : finite ? (double)least : INFINITY));
    for (size_t j = 0; j < EPSILONS; j++) {
        size_t above = 0;
        long double hockey = 0;
        for (size_t i = 0; i < n; i++) {
            if (losses[i] > epsilon[j]) above++, hockey += -expm1l(epsilon[j] - losses[i]);
        }
        assert_true(tail[j].value == (double)above / (double)all);
        assert_true(fabsl(delta[j].value - hockey / all) <= 1e-13L);
        assert_true(delta[j].low <= delta[j].value && delta[j].value <= delta[j].high);
    }
    for (size_t j = 0; j < ORDERS; j++) {
        long double moment = 0;
        for (size_t i = 0; i < n; i++) {
            if (!isnan(losses[i])) moment += expl((order[j] - 1.0L) * losses[i]);
        }
        if (order[j] == 1.0)
            assert_true(close_to(renyi[j].value, infinite ? (long double)summary.mean.value : mean, 1e-13));
        else
            assert_true(close_to(renyi[j].value, logl(moment / all) / (order[j] - 1.0L), 1e-12) ||
                        fabsl(renyi[j].value) < 1e-12);
    }
}

static void check_bins(size_t n)
{
    for (size_t k = 0; k < BINS + 2; k++) {
        const double width = (2.0 - -1.0) / BINS;
        const double upper = k == BINS  ? 2.0
                             : k > BINS ? INFINITY
                                        : -1.0 + (double)k * width,
                     lower = k == 0 ? -INFINITY : -1.0 + (double)(k - 1) * width;
        uint64_t want = 0;
        for (size_t i = 0; i < n; i++) {
            const bool above = k == 0 || losses[i] > (k == BINS + 1 ? 2.0 : lower), below = losses[i] <= upper;
            want += above && below;
        }
        assert_int_equal(counts[k], want);
    }
}

static void test_against_definitions(void **state)
{
    (void)state;
    for (size_t n = 0; n <= MOST; n = n < 20 ? n + 1 : n * 5 / 3) {
        for (int strange = 0; strange < 5; strange++) {
            const simdp_loss_statistics_plan plan = whole_plan(counts);
            simdp_loss_statistics s;
            make_losses(n);
            for (size_t i = 0; strange > 0 && i < n; i += (size_t)(1 + test_random(&seed) % 300))
                losses[i] = strange == 1   ? NAN
                            : strange == 2 ? INFINITY
                            : strange == 3 ? -INFINITY
                            : i % 2        ? NAN
                                           : INFINITY;
            must(simdp_loss_statistics_init(&s, &plan));
            must(simdp_loss_statistics_update(&s, losses, n));
            check_all(&s, n);
            check_bins(n);
        }
    }
}

/* However losses arrive: the same bytes of state and results. */
static void test_pieces(void **state)
{
    (void)state;
    make_losses(MOST);
    losses[700] = NAN, losses[900] = INFINITY;
    for (int round = 0; round < 20; round++) {
        const simdp_loss_statistics_plan plan = whole_plan(counts), other_plan = whole_plan(other_counts);
        simdp_loss_statistics s, t;
        must(simdp_loss_statistics_init(&s, &plan));
        must(simdp_loss_statistics_init(&t, &other_plan));
        must(simdp_loss_statistics_update(&s, losses, MOST));
        for (size_t done = 0; done < MOST;) {
            size_t count = (size_t)(test_random(&seed) % (round < 10 ? 40 : 1000));
            if (count > MOST - done) count = MOST - done;
            must(simdp_loss_statistics_update(&t, losses + done, count));
            done += count;
        }
        t.counts = s.counts; /* the caller's arrays differ */
        /* what lies in a block past its end is left over */
        memset(s.block + s.filled, 0, sizeof s.block - s.filled * sizeof(double));
        memset(t.block + t.filled, 0, sizeof t.block - t.filled * sizeof(double));
        assert_memory_equal(&s, &t, sizeof s);
        assert_memory_equal(counts, other_counts, sizeof counts);
    }
}

/* Outputs in, statistics of their losses out. */
static void test_fused(void **state)
{
    (void)state;
    static double y[MOST];
    for (size_t i = 0; i < MOST; i++) y[i] = uniform(-10, 10);
    y[17] = NAN, y[300] = INFINITY;
    for (int gaussian = 0; gaussian < 2; gaussian++) {
        const simdp_loss_statistics_plan plan = whole_plan(counts), other_plan = whole_plan(other_counts);
        simdp_loss_statistics s, t;
        must(simdp_loss_statistics_init(&s, &plan));
        must(simdp_loss_statistics_init(&t, &other_plan));
        if (gaussian) {
            must(simdp_loss_gaussian_f64(losses, y, MOST, 0.0, 1.0, 2.0));
            must(
                simdp_loss_statistics_outputs(&t, y, 1000, (simdp_loss_step){SIMDP_MECHANISM_GAUSSIAN, 0.0, 1.0, 2.0}));
            must(simdp_loss_statistics_outputs(&t, y + 1000, MOST - 1000,
                                               (simdp_loss_step){SIMDP_MECHANISM_GAUSSIAN, 0.0, 1.0, 2.0}));
        } else {
            must(simdp_loss_laplace_f64(losses, y, MOST, 0.0, 1.0, 2.0));
            must(simdp_loss_statistics_outputs(&t, y, 1000, (simdp_loss_step){SIMDP_MECHANISM_LAPLACE, 0.0, 1.0, 2.0}));
            must(simdp_loss_statistics_outputs(&t, y + 1000, MOST - 1000,
                                               (simdp_loss_step){SIMDP_MECHANISM_LAPLACE, 0.0, 1.0, 2.0}));
        }
        must(simdp_loss_statistics_update(&s, losses, MOST));
        check_all(&t, MOST);
        assert_memory_equal(s.above, t.above, sizeof s.above);
        assert_memory_equal(s.power, t.power, sizeof s.power);
        assert_memory_equal(s.central, t.central, sizeof s.central);
        assert_memory_equal(counts, other_counts, sizeof counts);
    }
}

/* One pass keeps the variance where the textbook sum of squares loses all digits; long arrays keep the mean. */
static void test_stability(void **state)
{
    (void)state;
    simdp_loss_statistics s;
    simdp_loss_summary r;
    must(simdp_loss_statistics_init(&s, NULL));
    for (int round = 0; round < 200; round++) {
        /* a first part that misleads */
        for (size_t i = 0; i < MOST; i++) losses[i] = round == 0 ? 0.0 : 1e9 + (i % 2 ? 1.0 : -1.0);
        must(simdp_loss_statistics_update(&s, losses, MOST));
        if (round == 0) must(simdp_loss_statistics_init(&s, NULL));
    }
    must(simdp_loss_statistics_summary(&s, &r, 0.1));
    const double n = 199.0 * MOST;
    assert_true(r.mean.value == 1e9 && fabs(r.variance.value - n / (n - 1.0)) < 1e-10);
}

#define ROUNDS 500
#define N      2000

/* Intervals hold the truth: Laplace losses of known law, error 0.02 each, 500 rounds. */
static void test_coverage(void **state)
{
    (void)state;
    const double t = 1.0, e[2] = {0.0, 0.5}, alpha[1] = {2.0}, p[3] = {0.1, 0.25, 0.45};
    int held[5] = {0}, held_half = 0;
    static uint64_t bins[402];
    simdp_rng rng;
    test_stream(&rng, 77, 0, 0);
    for (int r = 0; r < ROUNDS; r++) {
        const simdp_loss_statistics_plan plan = {.epsilon = e,
                                                 .epsilons = 2,
                                                 .deltas = 1,
                                                 .bound = t,
                                                 .order = alpha,
                                                 .orders = 1,
                                                 .counts = bins,
                                                 .bins = 400,
                                                 .low = -1.01,
                                                 .high = 1.0};
        simdp_loss_statistics s;
        simdp_loss_summary summary;
        simdp_loss_estimate tail[2], delta[2], renyi, quantile[3];
        must(simdp_loss_statistics_init(&s, &plan));
        must(simdp_noise_laplace_f64(&rng, losses, N, 1.0));
        must(simdp_loss_statistics_outputs(&s, losses, N, (simdp_loss_step){SIMDP_MECHANISM_LAPLACE, 0.0, t, 1.0}));
        must(simdp_loss_statistics_summary(&s, &summary, 0.02));
        must(simdp_loss_statistics_estimates(&s, tail, SIMDP_LOSS_TAILS, 0.02));
        must(simdp_loss_statistics_estimates(&s, delta, SIMDP_LOSS_DELTAS, 0.02));
        must(simdp_loss_statistics_estimates(&s, &renyi, SIMDP_LOSS_RENYI, 0.02));
        must(simdp_loss_statistics_quantiles(&s, quantile, p, 3, 0.02));
        const double kl = t - 1 + exp(-t), variance = 3 - (4 * t + 2) * exp(-t) - exp(-2 * t);
        const double d2 = log((2 * exp(t) + exp(-2 * t)) / 3), tail1 = 1 - 0.5 * exp((0.5 - t) / 2),
                     delta1 = -expm1((0.5 - t) / 2);
        held[0] += summary.mean.low <= kl && kl <= summary.mean.high;
        held[1] += summary.variance.low <= variance && variance <= summary.variance.high;
        assert_true(summary.variance.low > 0.5 * variance && summary.variance.high < 2 * variance);
        held[2] += tail[1].low <= tail1 && tail1 <= tail[1].high;
        held[3] += delta[1].low <= delta1 && delta1 <= delta[1].high && renyi.low <= d2 && d2 <= renyi.high;
        held_half += fabs(summary.mean.value - kl) <= 0.25 * (summary.mean.high - summary.mean.low);
        int quantiles = 0;
        /* P[L <= l] = e^((l - t) / 2) / 2 between the atoms; 0.1 lies in the one at -t */
        for (int j = 0; j < 3; j++) {
            const double want = p[j] <= 0.5 * exp(-t) ? -t : t + 2 * log(2 * p[j]);
            quantiles +=
                quantile[j].low <= want && want <= quantile[j].high && quantile[j].high - quantile[j].low < 0.8;
        }
        held[4] += quantiles == 3;
    }
    print_message("held: %d %d %d %d %d of %d\n", held[0], held[1], held[2], held[3], held[4], ROUNDS);
    /* at least 98 % less six deviations; 96 % where two intervals are asked */
    for (int i = 0; i < 5; i++) assert_true(held[i] > ROUNDS * (i == 3 ? 0.96 : 0.98) - 6 * sqrt(ROUNDS * 0.04));
    assert_true(held_half < ROUNDS * 0.9); /* control: half as wide would not do */
}

static void test_quantiles_of_few(void **state)
{
    (void)state;
    uint64_t bins[12];
    const double p[4] = {0.0, 0.5, 0.9, 1.0}, x[5] = {0.05, 0.15, 0.25, 0.35, 7.0};
    const simdp_loss_statistics_plan plan = {.counts = bins, .bins = 10, .low = 0.0, .high = 1.0};
    simdp_loss_statistics s;
    simdp_loss_estimate q[4];
    must(simdp_loss_statistics_init(&s, &plan));
    must(simdp_loss_statistics_update(&s, x, 5)); /* all of them still wait for their block */
    must(simdp_loss_statistics_quantiles(&s, q, p, 4, 0.1));
    assert_true(q[0].value >= 0.0 && q[0].value <= 0.1 && q[1].value > 0.2 && q[1].value <= 0.3);
    assert_true(q[3].value == 1.0 && q[3].high == INFINITY && q[0].low == -INFINITY);
    const double bad = 1.5;
    assert_int_equal(simdp_loss_statistics_quantiles(&s, q, &bad, 1, 0.1), SIMDP_EPARAM);
    assert_true(isnan(q[0].value));
}

static void test_bad_input(void **state)
{
    (void)state;
    simdp_loss_statistics s;
    simdp_loss_estimate out[EPSILONS];
    simdp_loss_statistics_plan good = whole_plan(counts), plan;
    const double bad[5] = {-1.0, NAN, INFINITY, 1000.5, -0.5};
    assert_int_equal(simdp_loss_statistics_init(NULL, &good), SIMDP_ENULL);
#define REFUSED(change, status)                                                                          \
    do {                                                                                                 \
        plan = good;                                                                                     \
        change;                                                                                          \
        assert_int_equal(simdp_loss_statistics_init(&s, &plan), status);                                 \
        assert_int_equal(simdp_loss_statistics_update(&s, losses, 1), SIMDP_EPARAM);                     \
        assert_int_equal(simdp_loss_statistics_estimates(&s, out, SIMDP_LOSS_TAILS, 0.1), SIMDP_EPARAM); \
    } while (0)
    REFUSED(plan.epsilon = NULL, SIMDP_ENULL);
    REFUSED(plan.order = NULL, SIMDP_ENULL);
    REFUSED(plan.counts = NULL, SIMDP_ENULL);
    REFUSED(plan.epsilons = SIMDP_LOSS_EPSILONS_MAX + 1, SIMDP_EPARAM);
    REFUSED(plan.orders = SIMDP_LOSS_ORDERS_MAX + 1, SIMDP_EPARAM);
    for (int i = 0; i < 5; i++) REFUSED((plan.epsilon = &bad[i], plan.epsilons = 1), SIMDP_EPARAM);
    for (int i = 0; i < 3; i++) REFUSED((plan.order = &bad[i], plan.orders = 1), SIMDP_EPARAM);
    REFUSED(plan.low = NAN, SIMDP_EPARAM);
    REFUSED(plan.high = plan.low, SIMDP_EPARAM);
    REFUSED(plan.high = INFINITY, SIMDP_EPARAM);
    REFUSED(plan.bound = NAN, SIMDP_EPARAM);
#undef REFUSED
    must(simdp_loss_statistics_init(&s, &good));
    assert_int_equal(simdp_loss_statistics_update(NULL, losses, 1), SIMDP_ENULL);
    assert_int_equal(simdp_loss_statistics_update(&s, NULL, 1), SIMDP_ENULL);
    must(simdp_loss_statistics_update(&s, NULL, 0));
    assert_int_equal(simdp_loss_statistics_outputs(&s, losses, 1, (simdp_loss_step){SIMDP_MECHANISM_LAPLACE, 0, 1, 0}),
                     SIMDP_EPARAM);
    assert_int_equal(
        simdp_loss_statistics_outputs(&s, losses, 1, (simdp_loss_step){SIMDP_MECHANISM_GAUSSIAN, NAN, 1, 1}),
        SIMDP_EPARAM);
    assert_int_equal(simdp_loss_statistics_estimates(&s, out, SIMDP_LOSS_TAILS, 0.0), SIMDP_EPARAM);
    assert_int_equal(simdp_loss_statistics_estimates(&s, NULL, SIMDP_LOSS_TAILS, 0.1), SIMDP_ENULL);
    assert_int_equal(simdp_loss_statistics_estimates(&s, out, (simdp_loss_statistics_of)9, 0.1), SIMDP_EPARAM);
    must(simdp_loss_statistics_init(&s, NULL));
    assert_int_equal(simdp_loss_statistics_quantiles(&s, out, losses, 1, 0.1), SIMDP_EPARAM); /* no histogram */
    plan = good;
    plan.deltas = 0;
    must(simdp_loss_statistics_init(&s, &plan));
    assert_int_equal(simdp_loss_statistics_estimates(&s, out, SIMDP_LOSS_DELTAS, 0.1), SIMDP_EPARAM);
}

/* Plans with few epsilons and no deltas count on another way: same tails, same summary, also of losses that are not
 * finite. */
static void test_few_epsilons(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        for (size_t n = 1; n < 1300; n += n < 20 ? 1 : 127) {
            const simdp_loss_statistics_plan all = whole_plan(counts);
            simdp_loss_statistics s;
            simdp_loss_summary expected, summary;
            simdp_loss_estimate tail[EPSILONS], tails[EPSILONS];
            make_losses(n);
            for (size_t i = 0; kind > 0 && i < n; i += 5)
                losses[i] = kind == 2 ? 1.7e308 : i % 3 == 0 ? NAN : i % 2 ? INFINITY : -INFINITY;
            must(simdp_loss_statistics_init(&s, &all));
            must(simdp_loss_statistics_update(&s, losses, n));
            must(simdp_loss_statistics_summary(&s, &expected, 1e-3));
            must(simdp_loss_statistics_estimates(&s, tail, SIMDP_LOSS_TAILS, 1e-3));
            if (kind == 2) { /* sums overflow, counts and extremes do not */
                assert_true(expected.finite == n && expected.most == 1.7e308);
                assert_true(expected.undefined == 0 && expected.plus_infinite == 0 && expected.minus_infinite == 0);
            }
            for (size_t m = 0; m <= 5; m++) {
                const simdp_loss_statistics_plan few = {.epsilon = epsilon + 1, .epsilons = m};
                must(simdp_loss_statistics_init(&s, &few));
                must(simdp_loss_statistics_update(&s, losses, n / 3));
                must(simdp_loss_statistics_update(&s, losses + n / 3, n - n / 3));
                must(simdp_loss_statistics_summary(&s, &summary, 1e-3));
                must(simdp_loss_statistics_estimates(&s, tails, SIMDP_LOSS_TAILS, 1e-3));
                assert_memory_equal(&summary, &expected, sizeof summary);
                assert_memory_equal(tails, tail + 1, m * sizeof *tails);
            }
        }
    }
}

/* The caller's counts hold every loss that was handed over, at any time: they add up to what the summary says. */
static void test_counts_keep_up(void **state)
{
    (void)state;
    const simdp_loss_statistics_plan plan = whole_plan(counts), other = whole_plan(other_counts);
    simdp_loss_statistics s, t;
    simdp_loss_summary summary;
    size_t total = 0, more = 0;
    make_losses(MOST);
    losses[17] = NAN, losses[18] = INFINITY, losses[300] = -INFINITY;
    must(simdp_loss_statistics_init(&s, &plan));
    must(simdp_loss_statistics_init(&t, &other));
    for (size_t step = 0; total < 4000; step++) {
        const size_t n = test_random(&seed) % (step % 3 == 0 ? 600 : 40);
        uint64_t counted[2] = {0};
        must(simdp_loss_statistics_update(&s, losses + total, n));
        total += n;
        check_bins(total);
        /* the other functions that take losses */
        must(simdp_loss_statistics_outputs(&t, losses + 400, n, (simdp_loss_step){SIMDP_MECHANISM_LAPLACE, 0, 1, 1}));
        must(simdp_loss_statistics_outputs(&t, losses + 400, 3, (simdp_loss_step){SIMDP_MECHANISM_GAUSSIAN, 0, 1, 1}));
        more += n + 3;
        for (size_t k = 0; k < BINS + 2; k++) counted[0] += counts[k], counted[1] += other_counts[k];
        must(simdp_loss_statistics_summary(&s, &summary, 0.1));
        assert_int_equal(counted[0], summary.finite + summary.plus_infinite + summary.minus_infinite);
        assert_int_equal(counted[0] + summary.undefined, total);
        assert_int_equal(counted[1], more);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_definitions),
        cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_fused),
        cmocka_unit_test(test_stability),
        cmocka_unit_test(test_coverage),
        cmocka_unit_test(test_quantiles_of_few),
        cmocka_unit_test(test_few_epsilons),
        cmocka_unit_test(test_bad_input),
        cmocka_unit_test(test_counts_keep_up),
    };
    return cmocka_run_group_tests_name("loss_statistics", tests, NULL, NULL);
}
