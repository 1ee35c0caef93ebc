/* test_release_threshold: counts that are shown from a threshold on. What is shown is what simdp_release_laplace,
 * simdp_release_gaussian and their _i64 give at the same position, which have references of their own
 * (test_release_reference); groups without people are never shown; with the threshold of the closed form a group of one
 * person is shown with probability at most delta, and hardly less. Functions: simdp_release_laplace_threshold,
 * simdp_release_gaussian_threshold, simdp_release_laplace_threshold_i64, simdp_release_gaussian_threshold_i64. */
#include <math.h>

#include "support/law_check.h"
#include "support/test_support.h"

enum { N = 3000 };

static double counts[N], plain[N], shown[N];
static int64_t whole_counts[N], whole_plain[N], whole_shown[N];
static uint8_t keep[N + 2];

static void make_counts(uint64_t seed)
{
    for (size_t i = 0; i < N; i++) {
        whole_counts[i] = (int64_t)(test_random(&seed) % 60) - 10;
        counts[i] = (double)whole_counts[i];
    }
    counts[1] = NAN, counts[2] = INFINITY, counts[3] = -INFINITY, counts[4] = 0x1p-1074, counts[5] = -0.0;
    whole_counts[1] = INT64_MAX, whole_counts[2] = INT64_MIN;
}

/* Elements that are not the release, or not closed. */
static size_t wrong_f64(bool gaussian, double threshold, size_t n, bool in_place)
{
    simdp_rng rng, again;
    size_t wrong = 0;
    test_stream(&rng, 3, 1, 777);
    again = rng;
    memset(keep, 0x5a, sizeof keep);
    if (in_place) memcpy(shown, counts, sizeof shown);
    const double *from = in_place ? shown : counts;
    must((gaussian ? simdp_release_gaussian_threshold : simdp_release_laplace_threshold)(&rng, shown, keep, from, n,
                                                                                         3.0, 0x1p-18, threshold));
    must((gaussian ? simdp_release_gaussian : simdp_release_laplace)(&again, plain, counts, n, 3.0, 0x1p-18));
    assert_int_equal(simdp_rng_position(&rng), simdp_rng_position(&again));
    for (size_t i = 0; i < n; i++) {
        const bool is_shown = counts[i] >= 0x1p-1022 && plain[i] >= threshold;
        const uint64_t none = 0x7ff8000000000000;
        wrong += keep[i] != is_shown || memcmp(&shown[i], is_shown ? (void *)&plain[i] : (void *)&none, 8) != 0;
    }
    assert_int_equal(keep[n], 0x5a);
    return wrong;
}

static size_t wrong_i64(bool gaussian, double scale, int64_t threshold)
{
    simdp_rng rng, again;
    size_t wrong = 0;
    test_stream(&rng, 3, 2, 11);
    again = rng;
    must((gaussian ? simdp_release_gaussian_threshold_i64
                   : simdp_release_laplace_threshold_i64)(&rng, whole_shown, keep, whole_counts, N, scale, threshold));
    must((gaussian ? simdp_release_gaussian_i64 : simdp_release_laplace_i64)(&again, whole_plain, whole_counts, N,
                                                                             scale));
    for (size_t i = 0; i < N; i++) {
        const bool is_shown = whole_counts[i] > 0 && whole_plain[i] >= threshold;
        wrong += keep[i] != is_shown || whole_shown[i] != (is_shown ? whole_plain[i] : INT64_MIN);
    }
    return wrong;
}

static void test_same_as_release(void **state)
{
    (void)state;
    const simdp_kernels *t;
    make_counts(4);
    for (size_t k = 0; (t = next_usable(&k)) != NULL; k++) {
        if (is_left_out(t)) continue;
        must(simdp_isa_select(t->variant));
        for (int law = 0; law < 2; law++) {
            for (size_t n = 1; n <= N; n += n < 20 ? 1 : 993) {
                assert_int_equal(wrong_f64(law, 12.25, n, false), 0);
                assert_int_equal(wrong_f64(law, -1e6, n, true), 0); /* empty groups stay hidden */
            }
            assert_int_equal(wrong_i64(law, 4.0, 9), 0);
            assert_int_equal(wrong_i64(law, 900.0, -((int64_t)1 << 62)), 0);
        }
    }
    must(simdp_isa_select(NULL));
}

/* ---- groups of one person ---- */

/* How many of so many groups of one person are shown. */
static uint64_t shown_of_one(bool gaussian, double scale, double grid, double threshold, uint64_t trials)
{
    enum { BATCH = 1 << 14 };
    static double one[BATCH], out[BATCH];
    static uint8_t kept[BATCH];
    simdp_rng rng;
    uint64_t seen = 0;
    for (size_t i = 0; i < BATCH; i++) one[i] = 1;
    test_stream(&rng, 12, gaussian, 0);
    for (uint64_t done = 0; done < trials; done += BATCH) {
        must((gaussian ? simdp_release_gaussian_threshold
                       : simdp_release_laplace_threshold)(&rng, out, kept, one, BATCH, scale, grid, threshold));
        for (size_t i = 0; i < BATCH; i++) seen += kept[i];
    }
    return seen;
}

/* On a fine grid the probability is delta; on a coarse one at most that. Planted: a threshold that forgets the rounding
 * of the release is too low on a coarse grid. */
static void test_one_person(void **state)
{
    (void)state;
    const uint64_t trials = (uint64_t)1 << (is_short() ? 18 : 22);
    for (int law = 0; law < 2; law++) {
        const double delta = 0.01, scale = 2;
        const double less = is_short() ? 0.5 : 0.25; /* the planted defect; a short run sees only a coarser one */
        double threshold;
        must((law ? simdp_release_threshold_gaussian : simdp_release_threshold_laplace)(&threshold, &delta, 1, scale,
                                                                                        0x1p-15, 1));
        assert_true(law_check_binomial(shown_of_one(law, scale, 0x1p-15, threshold, trials), trials, delta));
        assert_false(law_check_binomial(shown_of_one(law, scale, 0x1p-15, threshold - less, trials), trials, delta));
        must((law ? simdp_release_threshold_gaussian : simdp_release_threshold_laplace)(&threshold, &delta, 1, scale, 4,
                                                                                        1));
        const double p = (double)shown_of_one(law, scale, 4, threshold, trials) / (double)trials,
                     lower = (double)shown_of_one(law, scale, 4, threshold - 4, trials) / (double)trials;
        assert_true(p < delta && lower > delta);
        const double bare = 1 + scale * (law ? 2.3263478740408408 : -log(2 * delta)); /* without half a step */
        assert_true(4 * ceil(bare / 4) < threshold || 4 * ceil(bare / 4) == threshold);
    }
}

/* Thresholds for a share d of a group that is subnormal, here delta / groups to 300 digits: never below the real number,
 * and above it by no more than the header says. */
static void test_tiny_shares(void **state)
{
    (void)state;
    static const uint64_t groups[] = {1,         1000, (uint64_t)1 << 22, (uint64_t)1 << 40, ((uint64_t)1 << 53) + 1,
                                      UINT64_MAX};
    static const double scales[] = {0.3, 1.0, 1000.7};
    const double grid = 0x1p-20;
    size_t subnormal = 0;
    for (size_t g = 0; g < sizeof groups / sizeof *groups; g++) {
        for (double delta = 0x1p-1000; delta < 0x1p-990; delta *= 1.37) {
            const long double log_share = logl(delta) - logl((long double)groups[g]);
            const bool is_subnormal = log_share < -1022 * logl(2);
            for (size_t s = 0; s < 3; s++) {
                double threshold;
                const long double size = -logl(2) - log_share, real = 1 + scales[s] * size + grid / 2;
                must(simdp_release_threshold_laplace(&threshold, &delta, 1, scales[s], grid, groups[g]));
                assert_true(threshold >= real * (1 - 0x1p-58L));
                assert_true(threshold <= real * (1 + (is_subnormal ? 0x1p-16L : 0x1p-45L)) + grid);
                subnormal += is_subnormal && threshold > real * (1 + 0x1p-45L) + grid;
            }
        }
    }
    assert_true(subnormal > 10); /* that the exception in the header is there for a reason */
}

static void test_bad_input(void **state)
{
    (void)state;
    double count[2] = {5, 6}, out[2];
    int64_t whole[2] = {5, 6};
    uint8_t kept[2] = {1, 1};
    simdp_rng rng;
    test_stream(&rng, 1, 0, 4);
    static const double bad[] = {NAN, INFINITY, -INFINITY, 0x1p1001, -0x1p1001};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        kept[0] = kept[1] = 1;
        assert_int_equal(simdp_release_laplace_threshold(&rng, out, kept, count, 2, 1, 0x1p-20, bad[i]), SIMDP_EPARAM);
        assert_true(isnan(out[0]) && isnan(out[1]) && kept[0] == 0 && kept[1] == 0);
    }
    kept[0] = kept[1] = 1;
    assert_int_equal(simdp_release_gaussian_threshold(&rng, out, kept, count, 2, -1, 0x1p-20, 1), SIMDP_EPARAM);
    assert_true(isnan(out[1]) && kept[0] == 0);
    kept[0] = 1;
    assert_int_equal(simdp_release_laplace_threshold_i64(&rng, whole, kept, whole, 2, 1, -((int64_t)1 << 62) - 1),
                     SIMDP_EPARAM);
    assert_true(whole[0] == INT64_MIN && kept[0] == 0);
    kept[0] = 9;
    assert_int_equal(simdp_release_laplace_threshold(&rng, NULL, kept, count, 2, 1, 0x1p-20, 1), SIMDP_ENULL);
    assert_int_equal(simdp_release_laplace_threshold(NULL, out, kept, count, 2, 1, 0x1p-20, 1), SIMDP_ENULL);
    assert_int_equal(kept[0], 9);
    must(simdp_release_laplace_threshold(&rng, out, NULL, count, 2, 1, 0x1p-20, 1)); /* flags are not asked for */
    must(simdp_release_laplace_threshold(&rng, NULL, NULL, NULL, 0, 1, 0x1p-20, 1));
    assert_int_equal(simdp_rng_position(&rng), 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_as_release),
        cmocka_unit_test(test_one_person),
        cmocka_unit_test(test_tiny_shares),
        cmocka_unit_test(test_bad_input),
    };
    return cmocka_run_group_tests_name("release_threshold", tests, NULL, NULL);
}
