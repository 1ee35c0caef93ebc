/* test_select_partitions: which groups may be shown (simdp_select_partitions, simdp_select_partitions_by_id) against the
 * recursion of the paper in MPFR and uniform numbers of FIPS-197's AES; its law by counting; bad input. */
#include <float.h>
#include <math.h>
#include <mpfr.h>

#include "reference/aes_reference.h"
#include "reference/identity_reference.h"
#include "select/partitions/partition_law.h"
#include "support/law_check.h"
#include "support/test_support.h"

#define KNOWN_CONSECUTIVE 0x3bee4731dfe8002f
#define KNOWN_BY_ID       0x732f2f72da9d2300

enum { PRECISION = 700, MOST = 3000, WORDS = 7, USE = 34 << 24, USE_BY_ID = 80 << 24 };

typedef struct {
    double epsilon, delta;
    uint64_t groups;
} setting;

static const setting settings[] = {
    {1.0, 1e-5, 1},     {0.1, 1e-9, 1},   {0.01, 1e-2, 1},  {3.0, 0.3, 1},
    {10.0, 1e-12, 1},   {1e-4, 1e-3, 1},  {0.0, 1e-2, 1},   {1e-70, 0.01, 1},
    {1.0, 1e-5, 7},     {2.0, 0.5, 3},    {500.0, 1e-3, 1}, {0.5, 0.99, 1},
    {1.0, 0x1p-600, 1}, {64.0, 1e-90, 1}, {0.7, 1e-6, 50},  {0.69314718055994530942, 0.125, 1},
};
#define SETTINGS (sizeof settings / sizeof *settings)

/* ---- the reference: the recursion ---- */

static mpfr_t pi[MOST + 1];

static void init_pi(void)
{
    static bool is_ready;
    for (size_t n = 0; !is_ready && n <= MOST; n++) mpfr_init2(pi[n], PRECISION);
    is_ready = true;
}

/* pi(n) = min(e^eps pi(n-1) + delta, 1 - e^-eps (1 - delta - pi(n-1)), 1), for epsilon and delta of one group */
static void fill_pi(double epsilon, double delta)
{
    mpfr_t up, down, x, y;
    init_pi();
    mpfr_inits2(PRECISION, up, down, x, y, (mpfr_ptr)0);
    mpfr_set_d(x, epsilon, MPFR_RNDN);
    mpfr_exp(up, x, MPFR_RNDN);
    mpfr_ui_div(down, 1, up, MPFR_RNDN);
    mpfr_set_ui(pi[0], 0, MPFR_RNDN);
    for (size_t n = 1; n <= MOST; n++) {
        mpfr_mul(x, up, pi[n - 1], MPFR_RNDN);
        mpfr_add_d(x, x, delta, MPFR_RNDN);
        mpfr_ui_sub(y, 1, pi[n - 1], MPFR_RNDN);
        mpfr_sub_d(y, y, delta, MPFR_RNDN);
        mpfr_mul(y, y, down, MPFR_RNDN);
        mpfr_ui_sub(y, 1, y, MPFR_RNDN);
        mpfr_min(pi[n], x, y, MPFR_RNDN);
        if (mpfr_cmp_ui(pi[n], 1) > 0) mpfr_set_ui(pi[n], 1, MPFR_RNDN);
    }
    mpfr_clears(up, down, x, y, (mpfr_ptr)0);
}

static simdp_partition_law law_of(const setting *s)
{
    simdp_partition_law law;
    assert_true(simdp_partition_law_of(&law, s->epsilon, s->delta, s->groups));
    return law;
}

static size_t index_of(int64_t count) { return count < 0 ? 0 : count < MOST ? (size_t)count : MOST; }

/* ---- one group of several: never more than its share, and not much less ---- */

static void test_shares(void **state)
{
    (void)state;
    mpfr_t share, one;
    mpfr_inits2(PRECISION, share, one, (mpfr_ptr)0);
    for (size_t i = 0; i < SETTINGS; i++) {
        for (uint64_t groups = 1; groups != 0 && groups < (uint64_t)1 << 60; groups = groups * 3 + 1) {
            const setting s = {settings[i].epsilon, settings[i].delta, groups};
            const simdp_partition_law law = law_of(&s);
            mpfr_set_ui(one, 1, MPFR_RNDN);
            mpfr_sub_d(share, one, s.delta, MPFR_RNDN);
            mpfr_log(share, share, MPFR_RNDN);
            mpfr_div_ui(share, share, groups, MPFR_RNDN);
            mpfr_expm1(share, share, MPFR_RNDN);
            mpfr_neg(share, share, MPFR_RNDN);
            assert_true(mpfr_cmp_d(share, law.delta) >= 0);
            assert_true(law.delta >= (1 - 0x1p-48) * mpfr_get_d(share, MPFR_RNDN));
            mpfr_set_d(share, s.epsilon, MPFR_RNDN);
            mpfr_div_ui(share, share, groups, MPFR_RNDN);
            assert_true(mpfr_cmp_d(share, law.epsilon) >= 0);
            assert_true(law.epsilon >= fmin(64, (1 - 0x1p-51) * mpfr_get_d(share, MPFR_RNDN)) ||
                        mpfr_cmp_d(share, 0x1p-200) < 0);
        }
    }
    mpfr_clears(share, one, (mpfr_ptr)0);
}

/* ---- the law ---- */

/* Counts for which p or the complement is not the double nearest to what the recursion says of count + shift. */
static size_t wrong_probabilities(const setting *s, int shift)
{
    static int64_t counts[MOST];
    static double p[MOST], complement[MOST];
    const simdp_partition_law law = law_of(s);
    size_t wrong = 0;
    mpfr_t rest;
    mpfr_init2(rest, PRECISION);
    fill_pi(law.epsilon, law.delta);
    const size_t n = is_short() ? 60 : 700;
    for (size_t i = 0; i < n; i++) counts[i] = (int64_t)i;
    must(simdp_select_partition_probability(p, complement, counts, n, s->epsilon, s->delta, s->groups));
    for (size_t i = 1; i < n; i++) {
        mpfr_ui_sub(rest, 1, pi[i + (size_t)(shift + 1) - 1], MPFR_RNDN);
        const double want = mpfr_get_d(pi[i + (size_t)(shift + 1) - 1], MPFR_RNDN), left = mpfr_get_d(rest, MPFR_RNDN);
        /* next to 0 the recursion itself has lost its digits: 2^-690 and its growth */
        wrong += p[i] != want || (complement[i] != left && fabs(left - complement[i]) > 0x1p-400);
    }
    mpfr_clear(rest);
    return wrong;
}

static void test_probabilities(void **state)
{
    (void)state;
    for (size_t i = 0; i < SETTINGS; i++) assert_int_equal(wrong_probabilities(&settings[i], 0), 0);
    assert_true(wrong_probabilities(&settings[0], 1) > 5); /* pi(n + 1) and pi(n - 1) are refused */
    assert_true(wrong_probabilities(&settings[0], -1) > 5);
}

/* ---- decisions ---- */

/* Sign of U - pi(count), U of the words with 1000... after them. */
static int compare_uniform(const uint64_t *words, int count_of_words, int64_t count)
{
    mpfr_t u;
    mpfr_init2(u, PRECISION);
    mpfr_set_ui(u, 0, MPFR_RNDN);
    for (int i = 0; i < count_of_words; i++) {
        mpfr_mul_2ui(u, u, 64, MPFR_RNDN);
        mpfr_add_ui(u, u, words[i], MPFR_RNDN);
    }
    mpfr_div_2ui(u, u, 64 * (unsigned long)count_of_words, MPFR_RNDN);
    const int sign = mpfr_cmp(u, pi[index_of(count)]);
    mpfr_clear(u);
    return sign;
}

static void choose_counts(int64_t *counts, size_t n, const simdp_partition_law *law, uint64_t *random)
{
    const uint64_t range = law->sure < 2000 ? (uint64_t)law->sure + 4 : 2000;
    for (size_t i = 0; i < n; i++) counts[i] = (int64_t)(test_random(random) % range) - (i % 50 == 0 ? 2 : 0);
    if (n > 10) counts[3] = INT64_MIN, counts[7] = -1;
    if (n > 10 && law->sure < MOST) counts[5] = INT64_MAX;
}

/* Elements of a call that differ from the reference, whose position is off by `shift`. */
static size_t wrong_decisions(const setting *s, uint64_t shift)
{
    enum { N = 700 };
    int64_t counts[N];
    uint8_t keep[N], key[32];
    simdp_rng rng;
    uint64_t random = 5;
    size_t wrong = 0;
    const simdp_partition_law law = law_of(s);
    fill_pi(law.epsilon, law.delta);
    choose_counts(counts, N, &law, &random);
    test_key(key, 77);
    test_stream(&rng, 77, 3, 12345);
    must(simdp_select_partitions(&rng, keep, counts, N, s->epsilon, s->delta, s->groups));
    assert_int_equal(simdp_rng_position(&rng), 12345 + N);
    for (size_t i = 0; i < N; i++) {
        uint64_t words[WORDS];
        for (uint32_t level = 0; level < WORDS; level++)
            words[level] = level < 2 ? stream_reference(key, 3, USE + level, 12345 + i + shift) : 0;
        wrong += keep[i] != (compare_uniform(words, WORDS, counts[i]) < 0);
    }
    return wrong;
}

static void test_decisions(void **state)
{
    (void)state;
    const simdp_kernels *t;
    for (size_t i = 0; (t = next_usable(&i)) != NULL; i++) {
        if (is_left_out(t)) continue;
        must(simdp_isa_select(t->variant));
        for (size_t j = 0; j < SETTINGS; j += strcmp(t->isa, "scalar") == 0 ? 5 : 1)
            assert_int_equal(wrong_decisions(&settings[j], 0), 0);
    }
    must(simdp_isa_select(NULL));
    assert_true(wrong_decisions(&settings[2], 1) > 10); /* another element's uniform number */
}

/* Kernels on words next to pi(count): what is not open is right whatever bits follow, and ties are open. Without the
 * radius some are wrong. */
static void test_borders(void **state)
{
    (void)state;
    enum { N = 64 };
    const simdp_kernels *t;
    uint64_t random = 9;
    size_t open_seen = 0, closed_seen = 0, wrong_if_closed = 0;
    for (size_t j = 0; j < SETTINGS; j++) {
        const simdp_partition_law law = law_of(&settings[j]);
        fill_pi(law.epsilon, law.delta);
        for (int round = 0; round < 40; round++) {
            int64_t counts[N];
            uint64_t words[N];
            choose_counts(counts, N, &law, &random);
            for (int i = 0; i < N; i++) {
                simdp_wide rest;
                const simdp_wide p = simdp_partition_wide(&law, counts[i], &rest);
                uint64_t first = rest.sign == 0 ? UINT64_MAX : 0;
                const uint64_t away = test_random(&random) >> (test_random(&random) % 64);
                if (rest.sign != 0) simdp_wide_to_words(&first, 1, p);
                words[i] = i % 2 ? (first > away ? first - away : 0) : (first < ~away ? first + away : UINT64_MAX);
            }
            for (size_t k = 0; (t = next_usable(&k)) != NULL; k++) {
                uint64_t kept, open;
                const bool any = t->select->partitions(&kept, &open, counts, words, N, &law);
                assert_int_equal(any, open != 0);
                for (int i = 0; i < N; i++) {
                    const uint64_t ends[2][2] = {{words[i], 0}, {words[i], UINT64_MAX}};
                    const bool low = compare_uniform(ends[0], 2, counts[i]) < 0,
                               high = compare_uniform(ends[1], 2, counts[i]) < 0, is_kept = kept >> i & 1;
                    if (open >> i & 1) {
                        open_seen++;
                        wrong_if_closed += is_kept != low || is_kept != high;
                    } else {
                        closed_seen++;
                        assert_true(is_kept == low && is_kept == high);
                    }
                }
            }
        }
    }
    print_message("%zu decided, %zu open, %zu of them wrong in doubles\n", closed_seen, open_seen, wrong_if_closed);
    assert_true(closed_seen > 1000 && open_seen > 1000 && wrong_if_closed > 100);
}

/* 512 bits against the recursion */
static void test_wide(void **state)
{
    (void)state;
    mpfr_t u, error;
    mpfr_inits2(PRECISION, u, error, (mpfr_ptr)0);
    for (size_t j = 0; j < SETTINGS; j++) {
        const simdp_partition_law law = law_of(&settings[j]);
        fill_pi(law.epsilon, law.delta);
        for (int64_t n = 0; n < 400; n++) {
            uint64_t words[8];
            simdp_wide rest;
            const simdp_wide p = simdp_partition_wide(&law, n, &rest);
            if (rest.sign == 0) {
                mpfr_ui_sub(error, 1, pi[n], MPFR_RNDN);
            } else {
                simdp_wide_to_words(words, 8, p);
                mpfr_set_ui(u, 0, MPFR_RNDN);
                for (int i = 0; i < 8; i++) {
                    mpfr_mul_2ui(u, u, 64, MPFR_RNDN);
                    mpfr_add_ui(u, u, words[i], MPFR_RNDN);
                }
                mpfr_div_2ui(u, u, 512, MPFR_RNDN);
                mpfr_sub(error, u, pi[n], MPFR_RNDN);
            }
            assert_true(mpfr_zero_p(error) || mpfr_get_exp(error) < -290);
        }
    }
    mpfr_clears(u, error, (mpfr_ptr)0);
}

/* ---- by identity ---- */

static void test_by_id(void **state)
{
    (void)state;
    enum { N = 600 };
    const setting *s = &settings[2];
    const simdp_partition_law law = law_of(s);
    int64_t counts[N], counts_moved[N];
    simdp_id ids[N], ids_moved[N];
    uint8_t keep[N], moved[N], other[N], key[32], own[16];
    uint64_t random = 3, parameters[3] = {0, 0, s->groups};
    simdp_rng rng;
    size_t different = 0;
    fill_pi(law.epsilon, law.delta);
    choose_counts(counts, N, &law, &random);
    for (size_t i = 0; i < N; i++) ids[i] = (simdp_id){test_random(&random), i};
    test_key(key, 8);
    test_stream(&rng, 8, 2, 5);
    must(simdp_select_partitions_by_id(&rng, keep, counts, ids, N, s->epsilon, s->delta, s->groups));
    assert_int_equal(simdp_rng_position(&rng), 5);
    memcpy(parameters, &s->epsilon, 8);
    memcpy(parameters + 1, &s->delta, 8);
    identity_reference_key(own, key, 2, USE_BY_ID, parameters, 3);
    for (size_t i = 0; i < N; i++) {
        uint64_t words[2];
        identity_reference_under(words, own, &ids[i]);
        assert_int_equal(keep[i], compare_uniform(words, 2, counts[i]) < 0);
    }
    /* in another order, in parts, from another position, on every set */
    for (size_t i = 0; i < N; i++) {
        counts_moved[i] = counts[(i * 7 + 11) % N];
        ids_moved[i] = ids[(i * 7 + 11) % N];
    }
    const simdp_kernels *t;
    for (size_t k = 0; (t = next_usable(&k)) != NULL; k++) {
        must(simdp_isa_select(t->variant));
        test_stream(&rng, 8, 2, 900);
        for (size_t done = 0, part; done < N; done += part) {
            part = N - done < 77 ? N - done : 77;
            must(simdp_select_partitions_by_id(&rng, moved + done, counts_moved + done, ids_moved + done, part,
                                               s->epsilon, s->delta, s->groups));
        }
        for (size_t i = 0; i < N; i++) assert_int_equal(moved[i], keep[(i * 7 + 11) % N]);
    }
    must(simdp_isa_select(NULL));
    /* another law shares no bits: of groups that are as likely as not, about half change */
    for (size_t i = 0; i < N; i++) counts[i] = 35;
    must(simdp_select_partitions_by_id(&rng, keep, counts, ids, N, s->epsilon, s->delta, 1));
    must(simdp_select_partitions_by_id(&rng, other, counts, ids, N, s->epsilon * (1 + 0x1p-52), s->delta, 1));
    for (size_t i = 0; i < N; i++) different += keep[i] != other[i];
    assert_true(different > N / 5);
    simdp_rng entropy;
    must(simdp_rng_init(&entropy));
    memset(keep, 1, N);
    assert_int_equal(simdp_select_partitions_by_id(&entropy, keep, counts, ids, N, 1, 1e-5, 1), SIMDP_EPARAM);
    for (size_t i = 0; i < N; i++) assert_int_equal(keep[i], 0);
}

/* ---- counting ---- */

enum { COUNTED = 16 };

/* Groups of 0 to COUNTED - 1 people, in turn: how often each is kept. */
static uint64_t count_kept(uint64_t kept[COUNTED], double epsilon, double delta)
{
    enum { BATCH = 1 << 16, BATCHES = 64 };
    static int64_t counts[BATCH];
    static uint8_t keep[BATCH];
    simdp_rng rng;
    memset(kept, 0, COUNTED * sizeof *kept);
    for (size_t i = 0; i < BATCH; i++) counts[i] = (int64_t)(i % COUNTED);
    test_stream(&rng, 4711, 0, 0);
    for (int batch = 0; batch < BATCHES; batch++) {
        must(simdp_select_partitions(&rng, keep, counts, BATCH, epsilon, delta, 1));
        for (size_t i = 0; i < BATCH; i++) kept[i % COUNTED] += keep[i];
    }
    return (uint64_t)BATCHES * BATCH / COUNTED;
}

/* Whether counts of kept groups follow pi(n + shift). */
static bool follows(const uint64_t kept[COUNTED], uint64_t trials, double epsilon, double delta, int shift)
{
    int64_t counts[COUNTED];
    double p[COUNTED], complement[COUNTED];
    for (int n = 0; n < COUNTED; n++) counts[n] = n + shift;
    must(simdp_select_partition_probability(p, complement, counts, COUNTED, epsilon, delta, 1));
    for (int n = 0; n < COUNTED; n++) {
        const uint64_t cells[2] = {kept[n], trials - kept[n]};
        const double masses[2] = {p[n], complement[n]};
        if (!law_check_counts(cells, masses, 2)) return false;
    }
    return true;
}

static void test_law(void **state)
{
    (void)state;
    static const double laws[][2] = {{1.0, 1e-2}, {0.5, 1e-3}, {3.0, 1e-4}, {0.0, 0.1}, {0.2, 0.05}};
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) {
        uint64_t kept[COUNTED];
        const uint64_t trials = count_kept(kept, laws[i][0], laws[i][1]);
        assert_true(follows(kept, trials, laws[i][0], laws[i][1], 0));
        assert_false(follows(kept, trials, laws[i][0], laws[i][1], 1)); /* off by one, either way */
        assert_false(follows(kept, trials, laws[i][0], laws[i][1], -1));
        assert_false(follows(kept, trials, laws[i][0] + 0.02, laws[i][1], 0));
    }
}

/* ---- known answers, bad input ---- */

static void test_known_answers(void **state)
{
    (void)state;
    enum { N = 1 << 16 };
    static int64_t counts[N];
    static _Alignas(8) uint8_t keep[N];
    static const uint64_t hashes[2] = {KNOWN_CONSECUTIVE, KNOWN_BY_ID};
    static simdp_id ids[N];
    const simdp_kernels *t;
    for (size_t i = 0; i < N; i++) {
        counts[i] = (int64_t)(i % 20);
        ids[i] = (simdp_id){i, 1};
    }
    for (size_t k = 0; (t = next_usable(&k)) != NULL; k++) {
        simdp_rng rng;
        if (is_left_out(t)) continue;
        must(simdp_isa_select(t->variant));
        test_stream(&rng, 60, 1, 1001);
        must(simdp_select_partitions(&rng, keep, counts, N, 1.0, 1e-3, 1));
        test_put_in_order((uint64_t *)(void *)keep, N / 8, 1);
        assert_int_equal(test_hash(TEST_HASH_START, keep, N / 8), hashes[0]);
        must(simdp_select_partitions_by_id(&rng, keep, counts, ids, N, 1.0, 1e-3, 1));
        test_put_in_order((uint64_t *)(void *)keep, N / 8, 1);
        assert_int_equal(test_hash(TEST_HASH_START, keep, N / 8), hashes[1]);
    }
    must(simdp_isa_select(NULL));
}

static void test_bad_input(void **state)
{
    (void)state;
    static const setting bad[] = {{-1, 0.1, 1}, {NAN, 0.1, 1},    {INFINITY, 0.1, 1},  {1, 0, 1},
                                  {1, 1, 1},    {1, 0x1p-601, 1}, {1, NAN, 1},         {1, -0.1, 1},
                                  {1, 2, 1},    {1, 0.1, 0},      {-0x1p-1074, 0.1, 1}};
    const int64_t counts[3] = {1, 1000, INT64_MAX};
    simdp_rng rng;
    test_stream(&rng, 1, 0, 9);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        uint8_t keep[3] = {1, 1, 1};
        double p[3], complement[3];
        assert_int_equal(simdp_select_partitions(&rng, keep, counts, 3, bad[i].epsilon, bad[i].delta, bad[i].groups),
                         SIMDP_EPARAM);
        assert_true(keep[0] == 0 && keep[1] == 0 && keep[2] == 0 && simdp_rng_position(&rng) == 9);
        assert_int_equal(
            simdp_select_partition_probability(p, complement, counts, 3, bad[i].epsilon, bad[i].delta, bad[i].groups),
            SIMDP_EPARAM);
        assert_true(isnan(p[2]) && isnan(complement[0]));
    }
    uint8_t keep[3] = {7, 7, 7};
    assert_int_equal(simdp_select_partitions(&rng, NULL, counts, 3, 1, 0.1, 1), SIMDP_ENULL);
    assert_int_equal(simdp_select_partitions(&rng, keep, NULL, 3, 1, 0.1, 1), SIMDP_ENULL);
    assert_int_equal(simdp_select_partitions_by_id(&rng, keep, counts, NULL, 3, 1, 0.1, 1), SIMDP_ENULL);
    must(simdp_select_partitions(&rng, NULL, NULL, 0, 1, 0.1, 1));
    assert_int_equal(keep[0], 7);
    must(simdp_select_partitions(&rng, keep, counts, 3, DBL_MAX, 0x1p-600, UINT64_MAX));
    assert_int_equal(keep[2], 1);
}

/* Settings whose z (partition_law.h) is a whole number but for the rounding of delta: which of two numbers n1 is depends
 * on digits that doubles do not have. Only where z is whole in truth, too, may it be either. */
static void test_turn(void **state)
{
    (void)state;
    uint64_t seed = 23;
    size_t below = 0;
    mpfr_t x, y, z;
    mpfr_inits2(PRECISION, x, y, z, (mpfr_ptr)0);
    for (int i = 0; i < 4000; i++) {
        const double epsilon =
            ldexp(1.0 + (double)(test_random(&seed) >> 11) * 0x1p-53, -(int)(test_random(&seed) % 7));
        const double whole = (double)(1 + test_random(&seed) % 20);
        const double delta = 1.0 / (1.0 + expm1(whole * epsilon) / tanh(0.5 * epsilon));
        const setting s = {epsilon, delta, 1};
        const simdp_partition_law law = law_of(&s);
        mpfr_set_d(x, 0.5 * epsilon, MPFR_RNDN);
        mpfr_tanh(x, x, MPFR_RNDN);
        mpfr_d_sub(y, 1.0, (mpfr_set_d(z, delta, MPFR_RNDN), z), MPFR_RNDN);
        mpfr_div(y, y, z, MPFR_RNDN);
        mpfr_mul(x, x, y, MPFR_RNDN);
        mpfr_log1p(x, x, MPFR_RNDN);
        mpfr_div_d(x, x, epsilon, MPFR_RNDN);
        mpfr_floor(y, x);
        below += mpfr_cmp_d(x, whole) < 0;
        if (mpfr_get_d(y, MPFR_RNDN) + 1 != law.turn)
            fail_msg("epsilon %a, delta %a: n1 = %g", epsilon, delta, law.turn);
    }
    mpfr_clears(x, y, z, (mpfr_ptr)0);
    assert_true(below > 1000 && below < 3000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shares),  cmocka_unit_test(test_probabilities), cmocka_unit_test(test_decisions),
        cmocka_unit_test(test_borders), cmocka_unit_test(test_wide),          cmocka_unit_test(test_by_id),
        cmocka_unit_test(test_law),     cmocka_unit_test(test_known_answers), cmocka_unit_test(test_bad_input),
        cmocka_unit_test(test_turn),
    };
    return cmocka_run_group_tests_name("select_partitions", tests, NULL, NULL);
}
