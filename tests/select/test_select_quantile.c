/* test_select_quantile: scores of quantiles against counts one record at a time, on every instruction set; how far a
 * record moves them, by all small data sets; the law of the winner, with a planted defect; bad input. */
#include <float.h>
#include <math.h>

#include "support/law_check.h"

#define COUNT 1000
#define N     23

/* By the definition, one comparison at a time; subnormal numbers count as 0. */
static double plain(double x) { return fabs(x) < DBL_MIN ? 0.0 : x; }

static double score_reference(const double *records, size_t count, double candidate, int64_t numerator,
                              int64_t denominator)
{
    int64_t below = 0, above = 0;
    if (isnan(candidate)) return -INFINITY;
    for (size_t i = 0; i < count; i++) {
        below += plain(records[i]) < plain(candidate);
        above += plain(records[i]) > plain(candidate);
    }
    return (double)-llabs((denominator - numerator) * below - numerator * above);
}

static void fill(double *x, size_t n, uint64_t seed)
{
    static const double special[] = {0.0, -0.0, NAN, INFINITY, -INFINITY, 0x1p-1074, -0x1p-1030, DBL_MAX, -DBL_MAX};
    uint64_t random = seed;
    for (size_t i = 0; i < n; i++) {
        const uint64_t kind = test_random(&random) % 40;
        x[i] = kind < sizeof special / sizeof *special ? special[kind] : (double)(test_random(&random) % 41) / 4 - 5;
    }
}

static void test_scores(void **state)
{
    (void)state;
    static const int64_t quantiles[][2] = {{1, 2}, {0, 1}, {1, 1}, {1, 4}, {9, 10}, {999, 1000}, {1, (int64_t)1 << 43}};
    static double records[COUNT], candidates[N], scores[N];
    const simdp_kernels *t;
    for (size_t k = 0; (t = next_usable(&k)) != NULL; k++) {
        must(simdp_isa_select(t->variant));
        for (size_t count = 0; count <= COUNT; count = count < 40 ? count + 1 : count + 240) {
            for (size_t q = 0; q < sizeof quantiles / sizeof *quantiles; q++) {
                const size_t n = 1 + (count + q) % N;
                fill(records, count, count);
                fill(candidates, n, 77 + q);
                must(simdp_select_quantile_scores(scores, records, count, candidates, n, (uint64_t)quantiles[q][0],
                                                  (uint64_t)quantiles[q][1]));
                for (size_t i = 0; i < n; i++) {
                    const double want =
                        score_reference(records, count, candidates[i], quantiles[q][0], quantiles[q][1]);
                    if (memcmp(&scores[i], &want, sizeof want) != 0)
                        fail_msg("%s, %zu records, candidate %g: %g is not %g", t->variant, count, candidates[i],
                                 scores[i], want);
                }
                must(simdp_select_quantile_scores(candidates, records, count, candidates, n, (uint64_t)quantiles[q][0],
                                                  (uint64_t)quantiles[q][1])); /* in place */
                assert_memory_equal(candidates, scores, n * sizeof *scores);
            }
        }
    }
    must(simdp_isa_select(NULL));
}

/* All data sets of up to 5 records among 5 values, of which one is NaN: how far a record more moves a score. */
static void test_sensitivity(void **state)
{
    (void)state;
    static const double values[5] = {0, 1, 2, 3, NAN}, candidates[4] = {0, 1, 1.5, 3};
    static const uint64_t quantiles[][2] = {{1, 2}, {1, 4}, {9, 10}, {0, 3}};
    for (size_t q = 0; q < sizeof quantiles / sizeof *quantiles; q++) {
        const uint64_t rest = quantiles[q][1] - quantiles[q][0];
        const double most = (double)(quantiles[q][0] > rest ? quantiles[q][0] : rest);
        double seen = 0, exchanged = 0;
        for (int code = 0; code < 5 * 5 * 5 * 5; code++) {
            double records[5], scores[3][4];
            for (int i = 0, left = code; i < 4; i++, left /= 5) records[i] = values[left % 5];
            must(simdp_select_quantile_scores(scores[0], records, 4, candidates, 4, quantiles[q][0], quantiles[q][1]));
            for (int more = 0; more < 5; more++) {
                records[4] = values[more];
                must(simdp_select_quantile_scores(scores[1], records, 5, candidates, 4, quantiles[q][0],
                                                  quantiles[q][1]));
                for (int other = 0; other < 5; other++) {
                    records[4] = values[other];
                    must(simdp_select_quantile_scores(scores[2], records, 5, candidates, 4, quantiles[q][0],
                                                      quantiles[q][1]));
                    for (int i = 0; i < 4; i++) exchanged = fmax(exchanged, fabs(scores[1][i] - scores[2][i]));
                }
                for (int i = 0; i < 4; i++) seen = fmax(seen, fabs(scores[1][i] - scores[0][i]));
            }
        }
        assert_true(seen == most); /* no more, and no less */
        assert_true(exchanged == (double)quantiles[q][1]);
    }
}

/* The winner: counts of choices against probabilities from the reference scores. */
enum { DRAWS = 400000, CANDIDATES = 9 };

static void test_law(void **state)
{
    (void)state;
    static double records[COUNT], candidates[CANDIDATES], scores[CANDIDATES], p[CANDIDATES];
    static size_t winners[DRAWS];
    uint64_t counts[CANDIDATES] = {0}, random = 3;
    double total = 0;
    simdp_rng rng;
    const double scale = simdp_select_scale(0.02, 3, 0);
    for (int i = 0; i < COUNT; i++) records[i] = (double)(test_random(&random) % 1000) / 10;
    for (int i = 0; i < CANDIDATES; i++) candidates[i] = 12.5 + 3 * i;
    must(simdp_select_quantile_scores(scores, records, COUNT, candidates, CANDIDATES, 1, 4));
    test_stream(&rng, 8, 0, 0);
    must(simdp_select_gumbel_many_vartime(&rng, winners, DRAWS, scores, CANDIDATES, scale));
    for (int i = 0; i < DRAWS; i++) counts[winners[i]]++;
    for (int i = 0; i < CANDIDATES; i++)
        total += p[i] = exp(score_reference(records, COUNT, candidates[i], 1, 4) / scale);
    for (int i = 0; i < CANDIDATES; i++) p[i] /= total;
    assert_true(law_check_counts(counts, p, CANDIDATES));
    /* planted: the two factors exchanged, as if the quantile 3/4 had been asked for; records left out */
    for (int defect = 0; defect < 2; defect++) {
        if (defect == 0) must(simdp_select_quantile_scores(scores, records, COUNT, candidates, CANDIDATES, 3, 4));
        else must(simdp_select_quantile_scores(scores, records, COUNT - 20, candidates, CANDIDATES, 1, 4));
        must(simdp_select_gumbel_many_vartime(&rng, winners, DRAWS, scores, CANDIDATES, scale));
        memset(counts, 0, sizeof counts);
        for (int i = 0; i < DRAWS; i++) counts[winners[i]]++;
        assert_false(law_check_counts(counts, p, CANDIDATES));
    }
}

static void test_bad_input(void **state)
{
    (void)state;
    static const uint64_t bad[][2] = {
        {0, 0}, {2, 1}, {1, UINT64_MAX}, {UINT64_MAX, UINT64_MAX}, {1, ((uint64_t)1 << 53) / 3 + 5}};
    double scores[3], records[3] = {1, 2, 3}, candidates[3] = {0, 2, NAN};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        memset(scores, 0, sizeof scores);
        assert_int_equal(simdp_select_quantile_scores(scores, records, 3, candidates, 3, bad[i][0], bad[i][1]),
                         SIMDP_EPARAM);
        for (int k = 0; k < 3; k++) assert_true(isnan(scores[k]));
    }
    assert_int_equal(simdp_select_quantile_scores(NULL, records, 3, candidates, 3, 1, 2), SIMDP_ENULL);
    assert_int_equal(simdp_select_quantile_scores(scores, NULL, 3, candidates, 3, 1, 2), SIMDP_ENULL);
    assert_int_equal(simdp_select_quantile_scores(scores, records, 3, NULL, 3, 1, 2), SIMDP_ENULL);
    assert_int_equal(simdp_select_quantile_scores(scores, records, SIZE_MAX / 4, candidates, 3, 1, 2), SIMDP_EPARAM);
    assert_int_equal(simdp_select_quantile_scores(scores, records, 3, candidates, SIZE_MAX / 4, 1, 2), SIMDP_EPARAM);
    must(simdp_select_quantile_scores(NULL, records, 3, NULL, 0, 1, 2));
    must(simdp_select_quantile_scores(scores, NULL, 0, candidates, 3, 1, 2));
    assert_true(scores[0] == 0 && scores[1] == 0 && isinf(scores[2]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scores),
        cmocka_unit_test(test_sensitivity),
        cmocka_unit_test(test_law),
        cmocka_unit_test(test_bad_input),
    };
    return cmocka_run_group_tests_name("select_quantile", tests, NULL, NULL);
}
