/* theory_concentration.c: Hoeffding, Azuma, the exponential mechanism and what 001 derives from it, Polya's urn of 000.
 */
#include <math.h>
#include <stdlib.h>

#include "theory.h"

enum { BLOCK = 4096 };

static double share_error(double share, size_t n) { return sqrt(share * (1 - share) / (double)n) + 1 / (double)n; }

/* P[...] <= promised, of which `count` of n were seen */
static void probability(const char *topic, const char *source, const char *claim, double promised, size_t count,
                        size_t n, bool exact)
{
    const double share = (double)count / (double)n;
    theory_write_claim(&(theory_claim){topic, source, claim, promised, share, share_error(share, n), exact});
}

typedef struct {
    double sum, square;
    size_t n;
} moments;

static void moments_add(moments *m, double x)
{
    m->sum += x;
    m->square += x * x;
    m->n++;
}

static double mean_of(const moments *m) { return m->sum / (double)m->n; }
static double variance_of(const moments *m) { return m->square / (double)m->n - mean_of(m) * mean_of(m); }

static void mean(const char *topic, const char *source, const char *claim, double promised, const moments *m,
                 bool exact)
{
    theory_write_claim(
        &(theory_claim){topic, source, claim, promised, mean_of(m), sqrt(variance_of(m) / (double)m->n), exact});
}

/* heads - n/2 of n fair coins, n a multiple of 64 */
static double coins(simdp_rng *rng, size_t n)
{
    uint64_t words[BLOCK / 64];
    int heads = 0;
    MUST(simdp_rng_words(rng, words, n / 64));
    for (size_t i = 0; i < n / 64; i++)
        for (uint64_t w = words[i]; w != 0; w &= w - 1) heads++;
    return heads - (double)n / 2;
}

/* ---- tails of coins: 001 and Hoeffding ---- */

static void tails(const theory_size *size)
{
    enum { COINS = 4096, GRID = 24 };
    static const char topic[] = "concentration from the exponential mechanism";
    size_t beyond[GRID] = {0};
    simdp_rng rng;
    theory_stream(&rng, 500);
    for (size_t run = 0; run < size->runs; run++) {
        const double y = coins(&rng, COINS);
        for (int i = 0; i < GRID; i++) beyond[i] += y >= (i + 1) * 0.002 * COINS;
        if (run % 4096 == 0) theory_progress(0.4 * (double)run / (double)size->runs);
    }
    for (int i = 0; i < 100; i++) {
        const double epsilon = (i + 1) * 0.002;
        simdp_theory_exponential_tail_bound tail;
        simdp_theory_tail hoeffding;
        MUST(simdp_theory_exponential_tail(&tail, epsilon, COINS));
        MUST(simdp_theory_hoeffding(&hoeffding, epsilon * COINS, COINS, 0, 1));
        theory_write_point("tail_001", "001", epsilon, tail.tail, 0);
        theory_write_point("tail_001", "Hoeffding", epsilon, hoeffding.tail, 0);
        if (i >= GRID) continue;
        const double share = (double)beyond[i] / (double)size->runs;
        if (beyond[i] > 0) theory_write_point("tail_001", "simulation", epsilon, share, share_error(share, size->runs));
        if (i == 9) {
            probability(topic, "001, tail", "4096 fair coins exceed their mean by 0.02 n", tail.tail, beyond[i],
                        size->runs, false);
            probability("Hoeffding and Azuma", "Hoeffding", "the same event", hoeffding.tail, beyond[i], size->runs,
                        false);
        }
    }
}

/* ---- copies, proposition, main lemma ---- */

static void copies(const theory_size *size)
{
    enum { COINS = 256, COPIES = 8 };
    static const char topic[] = "concentration from the exponential mechanism";
    const size_t n = size->runs;
    moments largest = {0};
    double *first = theory_memory(n * sizeof *first), bound;
    size_t above = 0;
    simdp_rng rng;
    theory_stream(&rng, 501);
    for (size_t run = 0; run < n; run++) {
        double most = 0;
        for (int j = 0; j < COPIES; j++) {
            const double y = coins(&rng, COINS);
            if (j == 0) first[run] = y;
            most = fmax(most, y);
        }
        moments_add(&largest, most);
        if (run % 4096 == 0) theory_progress(0.4 + 0.2 * (double)run / (double)n);
    }
    for (size_t run = 0; run < n; run++) above += first[run] > 2 * mean_of(&largest);
    MUST(simdp_theory_expected_maximum(&bound, COINS, COPIES));
    mean(topic, "001, proposition", "mean of the largest of 8 sums of 256 coins, or 0", bound, &largest, false);
    probability(topic, "001, copies lemma", "a sum exceeds twice that mean", log(2) / COPIES, above, n, false);
    free(first);
}

static void columns(const theory_size *size)
{
    enum { ROWS = 64, COLUMNS = 16 };
    static const char topic[] = "concentration from the exponential mechanism";
    const double eta = 0.3, column_mean = ROWS / 2.0;
    const size_t n = size->runs / 4;
    moments largest = {0}, selected = {0};
    double matrix[ROWS * COLUMNS], sums[COLUMNS], bound, best = INFINITY;
    simdp_rng rng;
    theory_stream(&rng, 502);
    for (size_t run = 0; run < n; run++) {
        double u[ROWS];
        size_t column;
        MUST(simdp_noise_uniform_f64(&rng, u, ROWS));
        /* the entries of a row are one number, turned by different angles: as dependent as can be, each uniform */
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < COLUMNS; j++) matrix[i * COLUMNS + j] = fmod(u[i] + (double)j / COLUMNS, 1);
        MUST(simdp_theory_select_column(&rng, &column, sums, matrix, ROWS, COLUMNS, eta));
        double most = 0;
        for (int j = 0; j < COLUMNS; j++) most = fmax(most, sums[j]);
        moments_add(&largest, most);
        moments_add(&selected, sums[column]);
        if (run % 1024 == 0) theory_progress(0.6 + 0.2 * (double)run / (double)n);
    }
    for (double e = 0.01; e < 3; e *= 1.02) {
        MUST(simdp_theory_expected_column_maximum(&bound, column_mean, COLUMNS, e));
        best = fmin(best, bound);
    }
    mean(topic, "001, main lemma", "mean of the largest of 16 column sums (64 rows, dependent columns), best eta", best,
         &largest, false);
    mean(topic, "001, selection claim", "mean sum of the column selected at eta 0.3", exp(eta) * column_mean, &selected,
         false);
}

/* ---- accuracy of the exponential mechanism ---- */

static void choices(const theory_size *size)
{
    enum { CANDIDATES = 100 };
    static const char topic[] = "exponential mechanism";
    const double beta = 0.05;
    double scores[CANDIDATES] = {0};
    const size_t n = size->runs / 4;
    simdp_rng rng;
    theory_stream(&rng, 503);
    for (int hard = 0; hard < 2; hard++) {
        /* sensitivity 1: one good candidate just within reach; sensitivity 10: erratum 001-b */
        const double sensitivity = hard ? 10 : 1, best = hard ? 30 : 2 * log(CANDIDATES - 1);
        double gap_mean, gap_rare;
        MUST(simdp_select_gap_mean(&gap_mean, CANDIDATES, 2 * sensitivity));
        MUST(simdp_select_gap_tail(&gap_rare, CANDIDATES, 2 * sensitivity, beta));
        moments gap = {0};
        size_t far = 0;
        scores[0] = best;
        for (size_t run = 0; run < n; run += BLOCK) {
            size_t chosen[BLOCK];
            const size_t count = n - run < BLOCK ? n - run : BLOCK;
            MUST(simdp_select_gumbel_many(&rng, chosen, count, scores, CANDIDATES, 2 * sensitivity));
            for (size_t i = 0; i < count; i++) {
                moments_add(&gap, best - scores[chosen[i]]);
                far += scores[chosen[i]] <= best - gap_rare;
            }
        }
        if (!hard) {
            mean(topic, "001, accuracy lemma", "mean gap to the best of 100 candidates, epsilon 1", gap_mean, &gap,
                 false);
            probability(topic, "001 [+]", "gap of at least 2 (ln n + ln 20)", beta, far, n, false);
        } else {
            mean(topic, "001, accuracy lemma", "the same, sensitivity 10", gap_mean, &gap, false);
            mean("as printed", "001-b", "mean gap at most 2 ln(n)/epsilon (sensitivity 10, n = 100, epsilon = 1)",
                 2 * log(CANDIDATES), &gap, false);
        }
    }
}

/* ---- Azuma ---- */

static void azuma(const theory_size *size)
{
    enum { STEPS = 100 };
    const double epsilon = 0.1, z = 1.5, step_mean = epsilon * tanh(epsilon / 2);
    const uint8_t speaker[STEPS] = {0};
    simdp_theory_azuma_bound bound;
    size_t above = 0, printed = 0;
    simdp_rng rng;
    theory_stream(&rng, 504);
    MUST(simdp_theory_azuma(&bound, z, STEPS, step_mean, epsilon));
    for (size_t run = 0; run < size->runs; run++) {
        uint8_t symbols[STEPS];
        double loss = 0;
        MUST(simdp_theory_leaky_response(&rng, symbols, speaker, STEPS, epsilon, 0));
        for (int i = 0; i < STEPS; i++) loss += symbols[i] == SIMDP_THEORY_SYMBOL_ZERO ? epsilon : -epsilon;
        above += loss >= bound.threshold;
        MUST(simdp_theory_leaky_response(&rng, symbols, speaker, STEPS, 0, 0)); /* fair signs times 4 */
        int sum = 0;
        for (int i = 0; i < STEPS; i++) sum += symbols[i] == SIMDP_THEORY_SYMBOL_ZERO ? 4 : -4;
        printed += sum >= 2 * sqrt(STEPS * 4.0);
        if (run % 4096 == 0) theory_progress(0.85 + 0.1 * (double)run / (double)size->runs);
    }
    probability("Hoeffding and Azuma", "Azuma (000, 002, 003)",
                "loss of 100 randomized responses beyond its mean bound by 1.5 sqrt(k) epsilon", bound.tail, above,
                size->runs, false);
    probability("as printed", "003-e", "100 fair steps of +-4 reach 2 sqrt(100 * 4)", exp(-2), printed, size->runs,
                false);
    theory_write_claim(&(theory_claim){"as printed", "000-a",
                                       "Hoeffding's lemma at lambda = -0.1 for X = -1, known mean <= 0",
                                       exp(0.01 * 4 / 8), exp(0.1), 0, false});
    theory_write_claim(&(theory_claim){"as printed", "003-b",
                                       "a fair sign strays from its mean by more than 0.9, gamma = alpha^2/2",
                                       exp(-0.405), 1, 0, false});
}

void theory_concentration(const theory_size *size)
{
    tails(size);
    copies(size);
    columns(size);
    choices(size);
    azuma(size);
}

/* ---- Polya's urn ---- */

static size_t red_draws(simdp_rng *rng, uint8_t *is_red, size_t draws, uint64_t red, uint64_t blue)
{
    size_t count = 0;
    MUST(simdp_theory_polya_urn(rng, is_red, draws, red, blue));
    for (size_t i = 0; i < draws; i++) count += is_red[i];
    return count;
}

void theory_urn(const theory_size *size)
{
    enum { DRAWS = 200, MANY = 10000, GRID = 16 };
    static const char topic[] = "Polya's urn";
    static uint8_t is_red[MANY];
    size_t beyond[2][GRID] = {{0}}, printed = 0;
    const size_t n = size->runs, few = size->runs / 20;
    moments red = {0}, square = {0};
    simdp_theory_polya_bound urn[GRID];
    simdp_rng rng;
    theory_stream(&rng, 600);
    for (int i = 0; i < GRID; i++) MUST(simdp_theory_polya(&urn[i], 10, 10, DRAWS, 0.25 * (i + 1)));
    for (size_t run = 0; run < n; run++) {
        const double s = (double)red_draws(&rng, is_red, DRAWS, 10, 10) - urn[0].mean;
        moments_add(&red, s + urn[0].mean);
        moments_add(&square, s * s);
        for (int i = 0; i < GRID; i++) {
            beyond[0][i] += s >= urn[i].threshold_printed;
            beyond[1][i] += s >= urn[i].threshold_tight;
        }
        if (run % 1024 == 0) theory_progress(0.6 * (double)run / (double)n);
    }
    mean(topic, "000", "mean of red draws: 200 from 10 + 10", urn[0].mean, &red, true);
    mean(topic, "000", "their variance", urn[0].standard_deviation * urn[0].standard_deviation, &square, true);
    probability(topic, "000, Azuma as printed", "deviation beyond z (2 sqrt k + k^1.5/N), z = 1", exp(-0.5),
                beyond[0][3], n, false);
    probability(topic, "000, sharp [+]", "deviation beyond the sharp threshold, z = 1", exp(-0.5), beyond[1][3], n,
                false);
    probability(topic, "000, sharp [+]", "the same, z = 2", exp(-2), beyond[1][7], n, false);
    for (int i = 0; i < GRID; i++) {
        const double z = 0.25 * (i + 1);
        theory_write_point("urn", "promised", z, exp(-z * z / 2), 0);
        for (int sharp = 0; sharp < 2; sharp++) {
            const double share = (double)beyond[sharp][i] / (double)n;
            if (share > 0)
                theory_write_point("urn", sharp ? "seen, sharp deviation" : "seen, deviation of 000", z, share, 0);
        }
    }
    for (size_t run = 0; run < few; run++) {
        const double s = (double)red_draws(&rng, is_red, MANY, 50, 50) - MANY / 2.0;
        printed += s >= 2 * (sqrt(MANY) + MANY / 100.0);
        if (run % 256 == 0) theory_progress(0.6 + 0.4 * (double)run / (double)few);
    }
    probability("as printed", "000-d", "10000 draws from 50 + 50 deviate by 2 (sqrt k + k/N)", exp(-2), printed, few,
                false);
}
