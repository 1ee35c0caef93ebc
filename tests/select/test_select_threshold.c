/* test_select_threshold: simdp_select_above_threshold, simdp_select_threshold_open and simdp_select_threshold_ask
 * against MPFR and the words of FIPS-197's AES; ties; the law of the reported index; states that fail closed; scales. */
#include <float.h>
#include <math.h>
#include <mpfr.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bits/rng.h"
#include "reference/aes_reference.h"
#include "select/threshold/above.h"
#include "support/law_check.h"
#include "support/test_support.h"

#define KNOWN_INDICES 0x6fc1122235b45181

enum { PRECISION = 700, THRESHOLD = 35 << 24, QUERY = 36 << 24 };

/* ---- the reference ---- */

/* sign(V) scale (-ln |V|); V in [-1, 1) is written by the words, in two's complement, with 1000... after them. */
static void laplace(mpfr_t out, const uint64_t *words, int count, double scale)
{
    mpfr_set_si(out, (int64_t)words[0], MPFR_RNDN);
    for (int i = 1; i < count; i++) {
        mpfr_mul_2ui(out, out, 64, MPFR_RNDN);
        mpfr_add_ui(out, out, words[i], MPFR_RNDN);
    }
    mpfr_add_d(out, out, 0.5, MPFR_RNDN);
    mpfr_div_2ui(out, out, 64 * (unsigned long)count - 1, MPFR_RNDN);
    const int sign = mpfr_sgn(out);
    mpfr_abs(out, out, MPFR_RNDN);
    mpfr_log(out, out, MPFR_RNDN);
    mpfr_mul_d(out, out, sign > 0 ? -scale : scale, MPFR_RNDN);
}

/* Whether query + noise >= threshold + noise. */
static bool is_above(double query, const uint64_t *words, int count, const simdp_above_threshold *t)
{
    mpfr_t left, right;
    mpfr_inits2(PRECISION + 2100, left, right, (mpfr_ptr)0);
    laplace(left, words, count, t->scale_query);
    laplace(right, t->words, ABOVE_WORDS, t->scale_threshold);
    if (isnan(query) || query == -INFINITY) query = -DBL_MAX;
    if (query == INFINITY) query = DBL_MAX;
    mpfr_add_d(left, left, query, MPFR_RNDN);
    mpfr_add_d(right, right, t->threshold, MPFR_RNDN);
    const bool above = mpfr_cmp(left, right) >= 0;
    mpfr_clears(left, right, (mpfr_ptr)0);
    return above;
}

/* ---- all queries at once ---- */

/* Answers of calls on the active set that are not those of the reference; shift: the threshold's words are those of a
 * position so far off. */
static size_t wrong_answers(size_t calls, uint64_t shift)
{
    enum { N = 90 };
    static const double scales[][3] = {{0, 1, 2}, {1e6, 0.5, 3}, {-7, 1e-9, 1e-9}, {3, 1e5, 1e-5}, {0x1p60, 1, 4}};
    uint64_t random = 31;
    uint8_t key[32];
    size_t wrong = 0;
    test_key(key, 5);
    for (size_t c = 0; c < calls; c++) {
        const double *s = scales[c % 5];
        simdp_above_threshold t = {{0}, s[0], s[1], s[2]};
        double queries[N];
        const size_t n = 1 + test_random(&random) % N;
        const uint64_t position = test_random(&random) >> 8;
        simdp_rng rng;
        uint8_t found;
        size_t index, want = SIZE_MAX;
        for (size_t i = 0; i < n; i++) queries[i] = s[0] - (s[1] + s[2]) * (double)(test_random(&random) % 800) / 100;
        if (n > 70) queries[n - 1] = INFINITY, queries[0] = NAN, queries[1] = -INFINITY, queries[2] = -DBL_MAX;
        for (uint32_t level = 0; level < ABOVE_WORDS; level++)
            t.words[level] = level < 2 ? stream_reference(key, 1, THRESHOLD + level, position + shift) : 0;
        for (size_t i = 0; want == SIZE_MAX && i < n; i++) {
            const uint64_t words[2] = {stream_reference(key, 1, QUERY, position + 1 + i),
                                       stream_reference(key, 1, QUERY + 1, position + 1 + i)};
            if (is_above(queries[i], words, 2, &t)) want = i;
        }
        test_stream(&rng, 5, 1, position);
        must(simdp_select_above_threshold(&rng, &index, &found, queries, n, s[0], s[1], s[2]));
        assert_int_equal(simdp_rng_position(&rng), position + n + 1);
        wrong += index != want || found != (want != SIZE_MAX);
    }
    return wrong;
}

static void test_answers(void **state)
{
    (void)state;
    const simdp_kernels *t;
    for (size_t i = 0; (t = next_usable(&i)) != NULL; i++) {
        if (is_left_out(t)) continue;
        must(simdp_isa_select(t->variant));
        assert_int_equal(wrong_answers(strcmp(t->isa, "scalar") == 0 ? 40 : 120, 0), 0);
    }
    must(simdp_isa_select(NULL));
    assert_true(wrong_answers(120, 1) > 10); /* other noise for the threshold */
}

/* Queries beside the tie with given words: what doubles decide is right whatever bits follow; 512 bits are always
 * right. Without the radius some are wrong. */
static void test_ties(void **state)
{
    (void)state;
    enum { N = 64 };
    const simdp_kernels *kernels;
    uint64_t random = 12;
    size_t open_seen = 0, closed_seen = 0, wrong_if_closed = 0;
    mpfr_t tie, noise;
    mpfr_inits2(PRECISION, tie, noise, (mpfr_ptr)0);
    for (int round = 0; round < (is_short() ? 4 : 24); round++) {
        simdp_above_threshold t = {.threshold = round % 3 == 0 ? 0 : 1234.5 * round,
                                   .scale_threshold = exp2(round % 7 - 3),
                                   .scale_query = exp2(round % 5 - 2)};
        uint64_t words[N];
        double queries[N];
        for (int i = 0; i < ABOVE_WORDS; i++) t.words[i] = test_random(&random);
        const simdp_above_law law = simdp_above_law_of(&t, simdp_kernels_active());
        for (int i = 0; i < N; i++) {
            words[i] = test_random(&random) >> (i % 4 == 0 ? test_random(&random) % 62 : 0);
            laplace(tie, t.words, ABOVE_WORDS, t.scale_threshold);
            mpfr_add_d(tie, tie, t.threshold, MPFR_RNDN);
            laplace(noise, &words[i], 1, t.scale_query);
            mpfr_sub(tie, tie, noise, MPFR_RNDN);
            const double away = exp2(-20.0 - (double)(test_random(&random) % 40)) * t.scale_query;
            queries[i] = mpfr_get_d(tie, MPFR_RNDN) + (i % 3 == 0 ? 0 : i % 3 == 1 ? away : -away);
        }
        for (size_t k = 0; (kernels = next_usable(&k)) != NULL; k++) {
            uint64_t above, open;
            kernels->select->above(&above, &open, queries, words, N, &law);
            for (int i = 0; i < N; i++) {
                const uint64_t low[2] = {words[i], 0}, high[2] = {words[i], UINT64_MAX};
                const bool a = is_above(queries[i], low, 2, &t), b = is_above(queries[i], high, 2, &t),
                           here = above >> i & 1;
                if (open >> i & 1) {
                    open_seen++;
                    wrong_if_closed += here != a || here != b;
                } else {
                    closed_seen++;
                    assert_true(here == a && here == b);
                }
                if (k == 0) {
                    uint64_t all[ABOVE_WORDS] = {words[i]};
                    for (int j = 1; j < ABOVE_WORDS; j++) all[j] = test_random(&random);
                    assert_int_equal(simdp_above_decide(queries[i], all, &t), is_above(queries[i], all, 7, &t));
                }
            }
        }
    }
    mpfr_clears(tie, noise, (mpfr_ptr)0);
    print_message("%zu decided, %zu open, %zu of them wrong in doubles\n", closed_seen, open_seen, wrong_if_closed);
    assert_true(closed_seen > 100 && open_seen > 100 && wrong_if_closed > 20);
}

/* ---- one query at a time ---- */

static void test_states(void **state)
{
    (void)state;
    enum { N = 40 };
    uint64_t random = 77;
    for (int c = 0; c < 300; c++) {
        double queries[N];
        simdp_rng rng, one;
        simdp_select_threshold s;
        size_t index, i;
        uint8_t found, above = 0;
        for (i = 0; i < N; i++) queries[i] = (double)(test_random(&random) % 1000) / 100 - 10;
        if (c % 2 == 0) test_stream(&rng, 6, (uint64_t)c, 3);
        else test_entropy_stream(&rng, 6, 3 * SIMDP_RNG_ERASE_POSITIONS - 50 + (uint64_t)c / 20);
        one = rng;
        must(simdp_select_above_threshold(&rng, &index, &found, queries, N, 1, 1.5, 2.5));
        must(simdp_select_threshold_open(&one, &s, 1, 1.5, 2.5, 1));
        for (i = 0; i < N && !above; i++) must(simdp_select_threshold_ask(&one, &s, &above, queries[i]));
        assert_int_equal(above, found);
        assert_true(found == 0 || i - 1 == index);
        if (!found) {
            simdp_select_threshold_wipe(&s);
            continue;
        }
        /* the last report was made: no more answers */
        const uint64_t position = simdp_rng_position(&one);
        above = 1;
        assert_int_equal(simdp_select_threshold_ask(&one, &s, &above, 1e300), SIMDP_EPARAM);
        assert_true(above == 0 && simdp_rng_position(&one) == position);
        for (size_t b = 0; b < sizeof s; b++) assert_int_equal(((unsigned char *)&s)[b], 0);
    }
}

static simdp_status no_words(void *context, uint64_t *words, size_t n)
{
    (void)context, (void)words, (void)n;
    return SIMDP_ESOURCE;
}

static void test_states_fail_closed(void **state)
{
    (void)state;
    static const double bad[][3] = {{NAN, 1, 1}, {INFINITY, 1, 1}, {0x1p1001, 1, 1}, {0, 0, 1},      {0, 1, 0},
                                    {0, -1, 1},  {0, 1, NAN},      {0, 0x1p-901, 1}, {0, 1, 0x1p901}};
    simdp_rng rng, dead = {.kind = 0};
    simdp_select_threshold s;
    uint8_t above, found;
    size_t index;
    memset(&s, 0x5a, sizeof s);
    test_stream(&rng, 2, 0, 7);
    above = 1;
    assert_int_equal(simdp_select_threshold_ask(&rng, &s, &above, 1e9), SIMDP_EPARAM); /* never opened */
    assert_int_equal(above, 0);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const double query = 1e300;
        must(simdp_select_threshold_open(&rng, &s, 0, 1, 1, 1));
        const uint64_t position = simdp_rng_position(&rng);
        assert_int_equal(simdp_select_threshold_open(&rng, &s, bad[i][0], bad[i][1], bad[i][2], 1), SIMDP_EPARAM);
        above = 1;
        assert_int_equal(simdp_select_threshold_ask(&rng, &s, &above, query), SIMDP_EPARAM); /* the old one is gone */
        assert_int_equal(above, 0);
        index = 0, found = 1;
        assert_int_equal(simdp_select_above_threshold(&rng, &index, &found, &query, 1, bad[i][0], bad[i][1], bad[i][2]),
                         SIMDP_EPARAM);
        assert_true(index == SIZE_MAX && found == 0 && simdp_rng_position(&rng) == position);
    }
    assert_int_equal(simdp_select_threshold_open(&rng, &s, 0, 1, 1, 0), SIMDP_EPARAM);
    must(simdp_select_threshold_open(&rng, &s, 0, 1, 1, 9));
    above = 1;
    assert_true(simdp_select_threshold_ask(&dead, &s, &above, 1e9) != SIMDP_OK); /* a failure closes the state */
    assert_int_equal(above, 0);
    assert_int_equal(simdp_select_threshold_ask(&rng, &s, &above, 1e9), SIMDP_EPARAM);
    simdp_rng source = {.kind = RNG_SOURCE, .source = no_words};
    must(simdp_select_threshold_open(&rng, &s, 0, 1, 1, 9));
    assert_int_equal(simdp_select_threshold_ask(&source, &s, &above, 1e9), SIMDP_ESOURCE);
    assert_int_equal(simdp_select_threshold_ask(&rng, &s, &above, 1e9), SIMDP_EPARAM);
    /* several reports, then none */
    must(simdp_select_threshold_open(&rng, &s, 0, 1, 1, 3));
    for (int i = 0; i < 3; i++) {
        must(simdp_select_threshold_ask(&rng, &s, &above, -1e9));
        assert_int_equal(above, 0);
        must(simdp_select_threshold_ask(&rng, &s, &above, 1e9));
        assert_int_equal(above, 1);
    }
    assert_int_equal(simdp_select_threshold_ask(&rng, &s, &above, 1e9), SIMDP_EPARAM);
    /* a second opening that fails closes what was open */
    must(simdp_select_threshold_open(&rng, &s, 0, 1, 1, 1));
    assert_int_equal(simdp_select_threshold_open(NULL, &s, 0, 1, 1, 1), SIMDP_ENULL);
    assert_int_equal(simdp_select_threshold_ask(&rng, &s, &above, 1e9), SIMDP_EPARAM);
    assert_int_equal(above, 0);
    /* NULL; no queries */
    const uint64_t position = simdp_rng_position(&rng);
    assert_int_equal(simdp_select_above_threshold(&rng, NULL, &found, NULL, 0, 0, 1, 1), SIMDP_ENULL);
    assert_int_equal(simdp_select_above_threshold(&rng, &index, NULL, NULL, 0, 0, 1, 1), SIMDP_ENULL);
    assert_int_equal(simdp_select_above_threshold(&rng, &index, &found, NULL, 1, 0, 1, 1), SIMDP_ENULL);
    assert_int_equal(simdp_select_threshold_open(&rng, NULL, 0, 1, 1, 1), SIMDP_ENULL);
    assert_int_equal(simdp_select_threshold_ask(&rng, &s, NULL, 1), SIMDP_ENULL);
    must(simdp_select_above_threshold(&rng, &index, &found, NULL, 0, 0, 1, 1));
    assert_true(index == SIZE_MAX && found == 0 && simdp_rng_position(&rng) == position);
    simdp_select_threshold_wipe(NULL);
}

/* What a forked child is told: the status, and 16 if it got a report. */
static int asked_in_child(simdp_rng *rng, simdp_select_threshold *s)
{
    int status;
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        uint8_t above = 1;
        const simdp_status answer = simdp_select_threshold_ask(rng, s, &above, 1e9);
        _exit((int)answer + 16 * above);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* One report is paid for, so only one of two processes may make it. */
static void test_states_and_forks(void **state)
{
    (void)state;
    simdp_rng rng, fixed;
    simdp_select_threshold s, t;
    uint8_t above;
    must(simdp_rng_init(&rng));
    must(simdp_select_threshold_open(&rng, &s, 0, 1, 1, 1));
    assert_int_equal(asked_in_child(&rng, &s), SIMDP_EPARAM);
    must(simdp_select_threshold_ask(&rng, &s, &above, -1e9));
    must(simdp_select_threshold_ask(&rng, &s, &above, 1e9));
    assert_int_equal(above, 1);
    simdp_rng_wipe(&rng);
    /* control: what a key repeats anyway is repeated in a child too */
    test_stream(&fixed, 2, 0, 7);
    must(simdp_select_threshold_open(&fixed, &t, 0, 1, 1, 1));
    assert_int_equal(asked_in_child(&fixed, &t), SIMDP_OK + 16);
}

/* ---- the law of the index ---- */

enum { QUERIES = 6 };
static const double law_queries[QUERIES] = {-3, -1, -2, 0.5, -1, 2};

static double laplace_cdf(double x, double scale) { return x < 0 ? 0.5 * exp(x / scale) : 1 - 0.5 * exp(-x / scale); }

/* Probability of each index, the last one: none, for threshold 1; redrawn: every query meets noise of its own. */
static void index_law(double p[QUERIES + 1], double scale_threshold, double scale_query, bool redrawn)
{
    enum { STEPS = 200001 };
    const double width = 80 * scale_threshold / (STEPS - 1);
    double single[QUERIES] = {0};
    memset(p, 0, (QUERIES + 1) * sizeof *p);
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < STEPS; i++) {
            const double z = (i - STEPS / 2) * width, simpson = i == 0 || i == STEPS - 1 ? 1 : i % 2 ? 4 : 2;
            double mass = simpson / 3 * width * 0.5 / scale_threshold * exp(-fabs(z) / scale_threshold);
            for (int j = 0; j < QUERIES; j++) {
                const double below = laplace_cdf(1 + z - law_queries[j], scale_query);
                if (pass == 0) single[j] += mass * below;
                else p[j] += mass * (1 - below);
                if (pass == 1) mass *= below;
            }
            if (pass == 1) p[QUERIES] += mass;
        }
    }
    if (!redrawn) return;
    double left = 1;
    for (int j = 0; j < QUERIES; j++) {
        p[j] = left * (1 - single[j]);
        left *= single[j];
    }
    p[QUERIES] = left;
}

static void test_law(void **state)
{
    (void)state;
    static const double scales[][2] = {{2, 1}, {1, 2}, {4, 0.5}};
    for (size_t s = 0; s < 3; s++) {
        const int calls = is_short() ? 20000 : 400000;
        uint64_t counts[QUERIES + 1] = {0};
        double right[QUERIES + 1], wrong[QUERIES + 1], swapped[QUERIES + 1];
        simdp_rng rng;
        test_stream(&rng, 90, s, 0);
        for (int i = 0; i < calls; i++) {
            size_t index;
            uint8_t found;
            must(simdp_select_above_threshold(&rng, &index, &found, law_queries, QUERIES, 1, scales[s][0],
                                              scales[s][1]));
            counts[found ? index : QUERIES]++;
        }
        index_law(right, scales[s][0], scales[s][1], false);
        index_law(wrong, scales[s][0], scales[s][1], true);
        index_law(swapped, scales[s][1], scales[s][0], false);
        assert_true(law_check_counts(counts, right, QUERIES + 1));
        assert_false(law_check_counts(counts, wrong, QUERIES + 1)); /* noise of the threshold drawn again */
        assert_false(law_check_counts(counts, swapped, QUERIES + 1));
    }
}

/* ---- scales, known answers ---- */

static void test_scales(void **state)
{
    (void)state;
    static const double epsilons[] = {1e-3, 0.1, 1, 2.5, 40}, sensitivities[] = {1, 0.3, 1e6};
    static const uint64_t reports[] = {1, 2, 10, 1000000, UINT64_MAX};
    double a, b;
    mpfr_t first, second;
    mpfr_inits2(PRECISION, first, second, (mpfr_ptr)0);
    for (size_t i = 0; i < 5 * 3 * 5 * 2; i++) {
        const double epsilon = epsilons[i % 5], d = sensitivities[i / 5 % 3];
        const uint64_t c = reports[i / 15 % 5];
        const int monotonic = i / 75 % 2 != 0;
        must(simdp_select_threshold_scales(&a, &b, epsilon, d, c, monotonic));
        /* what they cost: d / a + (1 or 2) c d / b */
        mpfr_set_d(first, d, MPFR_RNDN);
        mpfr_div_d(first, first, a, MPFR_RNDN);
        mpfr_set_d(second, monotonic ? d : 2 * d, MPFR_RNDN);
        mpfr_mul_ui(second, second, c, MPFR_RNDN);
        mpfr_div_d(second, second, b, MPFR_RNDN);
        const double ratio = mpfr_get_d(second, MPFR_RNDN) / mpfr_get_d(first, MPFR_RNDN);
        mpfr_add(first, first, second, MPFR_RNDN);
        assert_true(mpfr_cmp_d(first, epsilon) <= 0 && mpfr_get_d(first, MPFR_RNDN) > epsilon * (1 - 0x1p-48));
        assert_true(fabs(ratio / pow((monotonic ? 1.0 : 2.0) * (double)c, 2.0 / 3.0) - 1) < 1e-9);
    }
    mpfr_clears(first, second, (mpfr_ptr)0);
    static const double bad[][2] = {{0, 1}, {-1, 1}, {NAN, 1}, {INFINITY, 1}, {1, 0}, {1, -1}, {1, NAN}, {1, INFINITY}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        a = b = 1;
        assert_int_equal(simdp_select_threshold_scales(&a, &b, bad[i][0], bad[i][1], 1, 0), SIMDP_EPARAM);
        assert_true(isnan(a) && isnan(b));
    }
    assert_int_equal(simdp_select_threshold_scales(&a, &b, 1, 1, 0, 0), SIMDP_EPARAM);
    assert_int_equal(simdp_select_threshold_scales(NULL, &b, 1, 1, 1, 0), SIMDP_ENULL);
}

static void test_known_answers(void **state)
{
    (void)state;
    enum { CALLS = 200, N = 300 };
    const simdp_kernels *t;
    for (size_t k = 0; (t = next_usable(&k)) != NULL; k++) {
        uint64_t indices[CALLS], random = 8;
        simdp_rng rng;
        if (is_left_out(t)) continue;
        must(simdp_isa_select(t->variant));
        test_stream(&rng, 61, 0, 11);
        for (int c = 0; c < CALLS; c++) {
            double queries[N];
            size_t index;
            uint8_t found;
            for (int i = 0; i < N; i++) queries[i] = (double)(test_random(&random) % 1000) / 200 - 12;
            must(simdp_select_above_threshold(&rng, &index, &found, queries, N, 0, 1, 2));
            indices[c] = index;
        }
        assert_int_equal(test_hash(TEST_HASH_START, indices, CALLS), KNOWN_INDICES);
    }
    must(simdp_isa_select(NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers),          cmocka_unit_test(test_ties),
        cmocka_unit_test(test_states),           cmocka_unit_test(test_states_fail_closed),
        cmocka_unit_test(test_states_and_forks), cmocka_unit_test(test_law),
        cmocka_unit_test(test_scales),           cmocka_unit_test(test_known_answers),
    };
    return cmocka_run_group_tests_name("select_threshold", tests, NULL, NULL);
}
