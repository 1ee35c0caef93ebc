/* test_loss_reports: counts of people from counts of reports. Means, deviations and coverage are not sampled but summed
 * over the law of the number of reports, truths and others binomial each; then a run of the mechanisms themselves; bad
 * input. */
#include <math.h>

#include "support/test_support.h"

enum { REPORTS = 80 };

/* law[c]: the probability that c of n people are counted, of whom `truths` have the value */
static void law_of(double law[REPORTS + 1], unsigned n, unsigned truths, double p, double q)
{
    memset(law, 0, (REPORTS + 1) * sizeof *law);
    law[0] = 1.0;
    for (unsigned i = 0; i < n; i++) {
        const double one = i < truths ? p : q;
        for (unsigned c = i + 1; c > 0; c--) law[c] = law[c] * (1.0 - one) + law[c - 1] * one;
        law[0] *= 1.0 - one;
    }
}

typedef struct {
    uint32_t k;  /* 0: unary */
    double a, b; /* epsilon, or log-odds */
} mechanism;

static double chance_of(double x) { return 1.0 / (1.0 + exp(-x)); }

static double p_of(const mechanism *m) { return m->k ? 1.0 / (1.0 + (m->k - 1) * exp(-m->a)) : chance_of(m->a); }
static double q_of(const mechanism *m) { return m->k ? 1.0 / (exp(m->a) + m->k - 1) : chance_of(m->b); }

static void counts_of(simdp_loss_count *out, const mechanism *m, unsigned n, double error)
{
    uint64_t counts[REPORTS + 1];
    for (unsigned c = 0; c <= n; c++) counts[c] = c;
    if (m->k) must(simdp_loss_count_k_response(out, counts, n + 1, n, m->k, m->a, error));
    else must(simdp_loss_count_unary(out, counts, n + 1, n, m->a, m->b, error));
}

static const mechanism mechanisms[] = {{2, 1.0, 0},    {16, 2.0, 0},   {1000, 0.3, 0}, {3, 1e-3, 0}, {0, 0, -1.0},
                                       {0, 0.7, -0.7}, {0, -2.0, 0.5}, {0, 2.5, 2.0},  {0, 1, -1},   {0, 0.5, -3.0}};
#define MECHANISMS (sizeof mechanisms / sizeof mechanisms[0])

static void test_coverage(void **state)
{
    (void)state;
    static const double errors[] = {0.5, 0.05, 1e-3, 1e-9};
    double narrow_missed = 0.0;
    for (size_t i = 0; i < MECHANISMS; i++) {
        const mechanism *m = &mechanisms[i];
        const double p = p_of(m), q = q_of(m);
        for (unsigned n = 5; n <= REPORTS; n += 25) {
            const bool sure = n * fmin(p, q) > 1.0 && n * (1.0 - fmax(p, q)) > 1.0; /* the header's condition */
            for (size_t e = 0; e < 4; e++) {
                simdp_loss_count out[REPORTS + 1];
                counts_of(out, m, n, errors[e]);
                for (unsigned truths = 0; truths <= n; truths += n == 5 ? 1 : 5) {
                    double law[REPORTS + 1], mean = 0.0, square = 0.0, missed = 0.0, narrow = 0.0;
                    law_of(law, n, truths, p, q);
                    for (unsigned c = 0; c <= n; c++) {
                        const double width = 0.25 * (out[c].high - out[c].low);
                        mean += law[c] * out[c].count;
                        square += law[c] * pow(out[c].count - truths, 2);
                        missed += law[c] * (out[c].low > truths || out[c].high < truths);
                        narrow += law[c] * (out[c].low + width > truths || out[c].high - width < truths);
                    }
                    const double size = n / fabs(p - q),
                                 variance = (truths * p * (1 - p) + (n - truths) * q * (1 - q)) / pow(p - q, 2);
                    assert_true(fabs(mean - truths) <= 1e-11 * size);   /* unbiased */
                    assert_true(fabs(square / variance - 1.0) <= 1e-9); /* and with this variance */
                    if (sure && missed > errors[e] * (1.0 + 1e-9))
                        fail_msg("mechanism %zu, n = %u, %u truths, error %g: missed %g", i, n, truths, errors[e],
                                 missed);
                    narrow_missed = fmax(narrow_missed, narrow / errors[e]);
                }
            }
        }
    }
    assert_true(narrow_missed > 100.0); /* control: intervals of half the width miss too often */
}

/* The deviation that is told is that of the count itself taken for the truth; the interval holds the count if that can
 * be, and ends where it must. */
static void test_numbers(void **state)
{
    (void)state;
    for (size_t i = 0; i < MECHANISMS; i++) {
        const mechanism *m = &mechanisms[i];
        const double p = p_of(m), q = q_of(m);
        simdp_loss_count out[REPORTS + 1];
        counts_of(out, m, REPORTS, 0.01);
        for (unsigned c = 0; c <= REPORTS; c++) {
            const double want = (c - REPORTS * q) / (p - q), truths = fmin(fmax(want, 0.0), REPORTS),
                         variance = (truths * p * (1 - p) + (REPORTS - truths) * q * (1 - q)) / pow(p - q, 2);
            assert_true(fabs(out[c].count - want) <= 1e-12 * (c + REPORTS * q) / fabs(p - q));
            assert_true(fabs(out[c].deviation - sqrt(variance)) <= 1e-9 * sqrt(variance));
            assert_true(out[c].low >= 0.0 && out[c].low <= out[c].high && out[c].high <= REPORTS);
            if (want >= 0.0 && want <= REPORTS) assert_true(out[c].low <= want && want <= out[c].high);
        }
    }
    /* an interval of the share, moved: rounded outward */
    simdp_loss_count one;
    simdp_loss_estimate share;
    const uint64_t count = 123456789, reports = (uint64_t)1 << 40;
    must(simdp_loss_count_unary(&one, &count, 1, reports, 0.0, -5.0, 1e-6));
    must(simdp_loss_interval_proportion(&share, count, reports, 1e-6));
    const long double q = 1.0L / (1.0L + expl(5.0L)), scale = (long double)reports / (0.5L - q);
    assert_true(one.low <= fmaxl(0.0L, (share.low - q) * scale) && one.high >= fmaxl(0.0L, (share.high - q) * scale));
}

/* A run of the mechanisms: every count lies within seven deviations of the truth, and the interval holds it. */
static void test_run(void **state)
{
    (void)state;
    enum { N = 200000, K = 10 };
    static uint32_t values[N], out[N];
    static uint8_t bits[N / 8], sent[N / 8];
    uint64_t truth[K] = {0}, counts[K] = {0}, ones = 0, seen = 0;
    simdp_loss_count estimate[K];
    simdp_rng rng;
    test_stream(&rng, 99, 0, 0);
    for (uint32_t i = 0; i < N; i++) truth[values[i] = i % 7 * (i % 2) % K]++;
    must(simdp_release_k_response(&rng, out, values, N, K, 1.5));
    for (size_t i = 0; i < N; i++) counts[out[i]]++;
    must(simdp_loss_count_k_response(estimate, counts, K, N, K, 1.5, 1e-10));
    for (size_t v = 0; v < K; v++) {
        assert_true(fabs(estimate[v].count - (double)truth[v]) < 7.0 * estimate[v].deviation);
        assert_true(estimate[v].low <= (double)truth[v] && (double)truth[v] <= estimate[v].high);
    }
    /* two stages: a permanent answer, then a report of it */
    const double permanent[2] = {1.2, -1.2}, report[2] = {0.8, -0.9};
    double one, zero;
    for (size_t i = 0; i < N / 8; i++) bits[i] = i % 3 ? 0x11 : 0x83;
    for (size_t i = 0; i < N; i++) ones += bits[i / 8] >> i % 8 & 1;
    must(simdp_release_unary(&rng, sent, bits, N, permanent[0], permanent[1]));
    must(simdp_release_unary(&rng, sent, sent, N, report[0], report[1]));
    for (size_t i = 0; i < N; i++) seen += sent[i / 8] >> i % 8 & 1;
    must(simdp_loss_unary_joined(&one, &zero, &permanent[0], &permanent[1], 1, report[0], report[1]));
    must(simdp_loss_count_unary(estimate, &seen, 1, N, one, zero, 1e-10));
    assert_true(fabs(estimate->count - (double)ones) < 7.0 * estimate->deviation);
    assert_true(estimate->low <= (double)ones && (double)ones <= estimate->high);
    /* control: the log-odds of one stage alone */
    must(simdp_loss_count_unary(estimate, &seen, 1, N, report[0], report[1], 1e-10));
    assert_true(fabs(estimate->count - (double)ones) > 7.0 * estimate->deviation);
}

static void test_bad_input(void **state)
{
    (void)state;
    const uint64_t counts[3] = {0, 11, 10};
    simdp_loss_count out[3];
    assert_int_equal(simdp_loss_count_unary(out, counts, 3, 10, 1, -1, 0.1), SIMDP_EPARAM); /* a count above all */
    assert_true(out[0].low == 0.0 && isnan(out[1].count) && isnan(out[1].low) && out[2].high == 10.0);
    const double bad[][4] = {{0, 1, -1, 0.1},         {10, NAN, 0, 0.1}, {10, INFINITY, 0, 0.1},
                             {10, 0, -INFINITY, 0.1}, {10, 1, 1, 0.1},   {10, 1, 0, 0.0},
                             {10, 1, 0, 1.0},         {10, 1, 0, NAN},   {0x1.01p53, 1, 0, 0.1}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(simdp_loss_count_unary(out, counts, 1, (uint64_t)bad[i][0], bad[i][1], bad[i][2], bad[i][3]),
                         SIMDP_EPARAM);
        assert_true(isnan(out->count) && isnan(out->deviation) && isnan(out->low) && isnan(out->high));
    }
    assert_int_equal(simdp_loss_count_k_response(out, counts, 1, 10, 1, 1.0, 0.1), SIMDP_EPARAM);
    assert_int_equal(simdp_loss_count_k_response(out, counts, 1, 10, 0, 1.0, 0.1), SIMDP_EPARAM);
    assert_int_equal(simdp_loss_count_k_response(out, counts, 1, 10, 3, 0.0, 0.1), SIMDP_EPARAM);
    assert_int_equal(simdp_loss_count_k_response(out, counts, 1, 10, 3, NAN, 0.1), SIMDP_EPARAM);
    assert_int_equal(simdp_loss_count_k_response(NULL, counts, 1, 10, 3, 1.0, 0.1), SIMDP_ENULL);
    assert_int_equal(simdp_loss_count_unary(out, NULL, 1, 10, 3, 1.0, 0.1), SIMDP_ENULL);
    must(simdp_loss_count_unary(NULL, NULL, 0, 10, 3, 1.0, 0.1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_coverage),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_run),
        cmocka_unit_test(test_bad_input),
    };
    return cmocka_run_group_tests_name("loss_reports", tests, NULL, NULL);
}
