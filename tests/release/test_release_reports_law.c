/* test_release_reports_law: the law of reports of one value among k, by true value and report and for neighbouring
 * reports, and of unary encoding, by truth. Each judgement has a defect that it must notice. False alarms: a normal
 * deviate beyond 7 (2.6e-12) or a chi-square as unlikely. */
#include <math.h>

#include "support/test_support.h"

#define LIMIT 7.0

enum { CHUNK = 1 << 16, K_MOST = 100 };

/* Normal deviate of a chi-square (Wilson and Hilferty). */
static double z_of_chi(double chi, double freedom)
{
    return (cbrt(chi / freedom) - 1 + 2 / (9 * freedom)) / sqrt(2 / (9 * freedom));
}

/* ---- one value among k ---- */

typedef struct {
    uint64_t seen[K_MOST][K_MOST]; /* by true value and report */
    uint64_t pair[K_MOST][K_MOST]; /* of two reports, the first of an even position */
} tally;

/* A defect planted in the reports of a chunk. */
typedef void spoil(uint32_t *out, const uint32_t *values, size_t n, uint32_t k);

static void draw(tally *t, uint32_t k, double epsilon, size_t chunks, spoil *defect)
{
    static uint32_t values[CHUNK], out[CHUNK];
    simdp_rng rng;
    memset(t, 0, sizeof *t);
    test_stream(&rng, 2025, k, 0);
    for (uint32_t i = 0; i < CHUNK; i++) values[i] = i / 2 % k; /* the same in a pair */
    for (size_t c = 0; c < chunks; c++) {
        must(simdp_release_k_response(&rng, out, values, CHUNK, k, epsilon));
        if (defect != NULL) defect(out, values, CHUNK, k);
        for (size_t i = 0; i < CHUNK; i++) t->seen[values[i]][out[i]]++;
        for (size_t i = 0; i < CHUNK; i += 2) /* as distances from the true value, which have one law for all values */
            t->pair[(out[i] + k - values[i]) % k][(out[i + 1] + k - values[i]) % k]++;
    }
}

static double keep_of(uint32_t k, double epsilon) { return 1 / (1 + (k - 1) * exp(-epsilon)); }
static double other_of(uint32_t k, double epsilon) { return 1 / (exp(epsilon) + k - 1); }

/* Reports of each true value; all values together. */
static double z_reports(const tally *t, uint32_t k, double epsilon)
{
    double chi = 0;
    for (uint32_t v = 0; v < k; v++) {
        double n = 0;
        for (uint32_t r = 0; r < k; r++) n += (double)t->seen[v][r];
        for (uint32_t r = 0; r < k; r++) {
            const double mean = n * (r == v ? keep_of(k, epsilon) : other_of(k, epsilon));
            chi += pow((double)t->seen[v][r] - mean, 2) / mean;
        }
    }
    return z_of_chi(chi, (double)k * (k - 1));
}

static double z_pairs(const tally *t, uint32_t k, double epsilon)
{
    double chi = 0, n = 0;
    for (uint32_t a = 0; a < k; a++)
        for (uint32_t b = 0; b < k; b++) n += (double)t->pair[a][b];
    for (uint32_t a = 0; a < k; a++) {
        for (uint32_t b = 0; b < k; b++) {
            const double mean =
                n * (a ? other_of(k, epsilon) : keep_of(k, epsilon)) * (b ? other_of(k, epsilon) : keep_of(k, epsilon));
            chi += pow((double)t->pair[a][b] - mean, 2) / mean;
        }
    }
    return z_of_chi(chi, (double)k * k - 1);
}

/* the true value is not left out among the others */
static void truth_not_skipped(uint32_t *out, const uint32_t *values, size_t n, uint32_t k)
{
    (void)k;
    for (size_t i = 0; i < n; i++) out[i] -= out[i] > values[i];
}

/* others are the remainder of a number of 12 bits */
static void modulo_bias(uint32_t *out, const uint32_t *values, size_t n, uint32_t k)
{
    uint64_t random = out[0] + 77 * out[1] + 991 * out[2];
    for (size_t i = 0; i < n; i++) {
        if (out[i] == values[i]) continue;
        const uint32_t draw = (uint32_t)(test_random(&random) & 0xfff) % (k - 1);
        out[i] = draw + (draw >= values[i]);
    }
}

/* one report in 64 is that of its neighbour */
static void shared_words(uint32_t *out, const uint32_t *values, size_t n, uint32_t k)
{
    (void)values, (void)k;
    for (size_t i = 0; i < n; i += 64) out[i + 1] = out[i];
}

static void test_reports(void **state)
{
    (void)state;
    static tally t;
    static const struct {
        uint32_t k;
        double epsilon;
    } cases[] = {{2, 0.0}, {2, 1.0}, {3, 0.5}, {5, 3.0}, {16, 0.0}, {16, 1.0}, {16, 4.0}, {100, 1.0}, {100, 4.6}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const uint32_t k = cases[i].k;
        const double epsilon = cases[i].epsilon;
        draw(&t, k, epsilon, 128, NULL);
        if (fabs(z_reports(&t, k, epsilon)) > LIMIT) fail_msg("k %u, %g: %g", k, epsilon, z_reports(&t, k, epsilon));
        if (k <= 16 && fabs(z_pairs(&t, k, epsilon)) > LIMIT)
            fail_msg("pairs of k %u, %g: %g", k, epsilon, z_pairs(&t, k, epsilon));
    }
    draw(&t, 100, 1.0, 128, truth_not_skipped);
    assert_true(fabs(z_reports(&t, 100, 1.0)) > LIMIT);
    draw(&t, 100, 1.0, 128, modulo_bias);
    assert_true(fabs(z_reports(&t, 100, 1.0)) > LIMIT);
    draw(&t, 16, 1.0, 128, NULL);
    assert_true(fabs(z_reports(&t, 16, 1.02)) > LIMIT); /* another epsilon */
    draw(&t, 5, 1.0, 128, shared_words);
    assert_true(fabs(z_pairs(&t, 5, 1.0)) > LIMIT);
}

/* How many values come out true: one number that sees a slightly wrong epsilon sooner than all cells together. */
static void test_kept(void **state)
{
    (void)state;
    static uint32_t values[CHUNK], out[CHUNK];
    static const uint32_t of[] = {2, 16, 1000};
    const size_t chunks = is_full() ? 1 << 13 : is_short() ? 1 << 6 : 1 << 9;
    const double off = is_full() ? 0.001 : is_short() ? 0.012 : 0.004; /* in epsilon, which is seen */
    for (size_t c = 0; c < sizeof of / sizeof of[0]; c++) {
        const uint32_t k = of[c];
        const double epsilon = log(k) + 0.25, n = (double)chunks * CHUNK;
        uint64_t kept = 0;
        simdp_rng rng;
        test_stream(&rng, 2027, k, 0);
        for (uint32_t i = 0; i < CHUNK; i++) values[i] = i % k;
        for (size_t chunk = 0; chunk < chunks; chunk++) {
            must(simdp_release_k_response(&rng, out, values, CHUNK, k, epsilon));
            for (size_t i = 0; i < CHUNK; i++) kept += out[i] == values[i];
        }
        for (int sign = -1; sign <= 1; sign++) {
            const double p = keep_of(k, epsilon + sign * off), z = ((double)kept - n * p) / sqrt(n * p * (1 - p));
            if ((fabs(z) > LIMIT) != (sign != 0)) fail_msg("k %u, epsilon + %g: %g", k, sign * off, z);
        }
    }
}

/* ---- unary encoding ---- */

typedef struct {
    uint64_t seen[2][2]; /* by truth and report */
} unary_tally;

static void draw_unary(unary_tally *t, double one, double zero)
{
    static uint64_t bits[CHUNK], out[CHUNK];
    uint64_t random = 3;
    simdp_rng rng;
    memset(t, 0, sizeof *t);
    test_stream(&rng, 2026, 0, 0);
    for (size_t i = 0; i < CHUNK; i++) bits[i] = test_random(&random);
    for (int chunk = 0; chunk < 8; chunk++) {
        must(simdp_release_unary(&rng, (uint8_t *)out, (const uint8_t *)bits, 64 * CHUNK, one, zero));
        for (size_t i = 0; i < CHUNK; i++) {
            t->seen[1][1] += (unsigned)__builtin_popcountll(bits[i] & out[i]);
            t->seen[1][0] += (unsigned)__builtin_popcountll(bits[i] & ~out[i]);
            t->seen[0][1] += (unsigned)__builtin_popcountll(~bits[i] & out[i]);
            t->seen[0][0] += (unsigned)__builtin_popcountll(~bits[i] & ~out[i]);
        }
    }
}

static double z_of_truth(const unary_tally *t, int truth, double log_odds)
{
    const double p = 1 / (1 + exp(-log_odds)), n = (double)(t->seen[truth][0] + t->seen[truth][1]);
    return ((double)t->seen[truth][1] - n * p) / sqrt(n * p * (1 - p));
}

static void test_unary(void **state)
{
    (void)state;
    static const double log_odds[][2] = {{0, -1}, {0.5, -0.5}, {3, -6}, {-7, 7}, {1, 1}, {9, -9}};
    unary_tally t;
    for (size_t i = 0; i < sizeof log_odds / sizeof log_odds[0]; i++) {
        draw_unary(&t, log_odds[i][0], log_odds[i][1]);
        for (int truth = 0; truth < 2; truth++) {
            const double want = log_odds[i][1 - truth];
            if (fabs(z_of_truth(&t, truth, want)) > LIMIT)
                fail_msg("log-odds %g: %g", want, z_of_truth(&t, truth, want));
            /* control: other log-odds */
            assert_true(fabs(z_of_truth(&t, truth, want + (fabs(want) < 4 ? 0.02 : 0.3))) > LIMIT);
        }
    }
    draw_unary(&t, 0, -1);
    assert_true(fabs(z_of_truth(&t, 0, 0)) > LIMIT && fabs(z_of_truth(&t, 1, -1)) > LIMIT); /* laws exchanged */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reports),
        cmocka_unit_test(test_kept),
        cmocka_unit_test(test_unary),
    };
    return cmocka_run_group_tests_name("release_reports_law", tests, NULL, NULL);
}
