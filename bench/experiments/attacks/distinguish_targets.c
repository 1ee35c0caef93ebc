/* distinguish_targets.c: see distinguish.h. Calls have rows of sixteen elements, so that elements which share words,
 * cipher blocks or a Gaussian pair are seen together. */
#include <math.h>
#include <stdlib.h>

#include "distinguish.h"

enum { ROW = 16, CANDIDATES = 4 };
#define SCALE   4.0
#define SIGMA   3.3828
#define EPSILON 0.25
#define DELTA   0.05

static void check(simdp_status status)
{
    if (status != SIMDP_OK) abort();
}

/* ---- numbers: four sights a row, of elements 0, 2, 4 and 6, with those 1, 8 and 9 behind them, whose answer is 0 ---- */

enum { NUMBERS = SIGHT_BATCH / 4 * ROW };

static bool in_question(size_t i) { return (i & 9) == 0; }

static size_t element_of(size_t k) { return k / 4 * ROW + k % 4 * 2; }

static uint64_t bits_of(double x)
{
    union {
        double x;
        uint64_t bits;
    } u = {x};
    return u.bits;
}

/* Multiples of the grid count in units of it; sums of an answer and noise are seen as the bits of doubles. */
static void see_doubles(sight *seen, const double *y, double grid)
{
    static const size_t beside[SIGHT_WORDS] = {0, 1, 8, 9};
    for (size_t k = 0; k < SIGHT_BATCH; k++) {
        const double *const at = y + element_of(k);
        for (int j = 0; j < SIGHT_WORDS; j++)
            seen[k].word[j] = grid > 0 ? (uint64_t)(int64_t)(at[beside[j]] / grid) : bits_of(at[beside[j]]);
        seen[k].by_size = at[0] > 0.5;
        seen[k].near = fabs(at[0] - 0.5) < 0x1p-4;
    }
}

static double *answers_f64(int answer)
{
    static double y[NUMBERS];
    for (size_t i = 0; i < NUMBERS; i++) y[i] = in_question(i) ? answer : 0;
    return y;
}

static void see_release_laplace(sight *seen, simdp_rng *rng, int answer)
{
    double *const y = answers_f64(answer), grid = simdp_release_grid(SCALE);
    check(simdp_release_laplace(rng, y, y, NUMBERS, SCALE, grid));
    see_doubles(seen, y, grid);
}

static void see_release_gaussian(sight *seen, simdp_rng *rng, int answer)
{
    double *const y = answers_f64(answer), grid = simdp_release_grid(SIGMA);
    check(simdp_release_gaussian(rng, y, y, NUMBERS, SIGMA, grid));
    see_doubles(seen, y, grid);
}

static void see_naive(sight *seen, const double *noise, int answer)
{
    double *const y = answers_f64(answer);
    for (size_t i = 0; i < NUMBERS; i++) y[i] += noise[i];
    see_doubles(seen, y, 0);
}

static void see_naive_laplace(sight *seen, simdp_rng *rng, int answer)
{
    static double noise[NUMBERS];
    check(simdp_noise_laplace_f64(rng, noise, NUMBERS, SCALE));
    see_naive(seen, noise, answer);
}

static void see_naive_gaussian(sight *seen, simdp_rng *rng, int answer)
{
    static double noise[NUMBERS];
    check(simdp_noise_gaussian_f64(rng, noise, NUMBERS, SIGMA));
    see_naive(seen, noise, answer);
}

/* ---- integers: the same, with the lowest bits of those of the row whose answer is 0 in word 1 ---- */

static void see_integers(sight *seen, const int64_t *y)
{
    for (size_t k = 0; k < SIGHT_BATCH; k++) {
        const int64_t *const at = y + element_of(k), *const row = y + k / 4 * ROW;
        uint64_t low = 0;
        for (size_t i = 1, shift = 0; i < ROW; i++)
            if (!in_question(i)) low |= (uint64_t)(row[i] & 15) << shift, shift += 4;
        seen[k] = (sight){{(uint64_t)at[0], low, (uint64_t)at[1], (uint64_t)at[8]}, at[0] > 0, false};
    }
}

static int64_t *answers_i64(int answer)
{
    static int64_t y[NUMBERS];
    for (size_t i = 0; i < NUMBERS; i++) y[i] = in_question(i) ? answer : 0;
    return y;
}

#define SEE_INTEGERS(law, scale)                                     \
    static void see_##law(sight *seen, simdp_rng *rng, int answer)   \
    {                                                                \
        int64_t *const y = answers_i64(answer);                      \
        check(simdp_release_##law##_i64(rng, y, y, NUMBERS, scale)); \
        see_integers(seen, y);                                       \
    }
SEE_INTEGERS(laplace, SCALE)
SEE_INTEGERS(gaussian, SIGMA)
SEE_INTEGERS(discrete_laplace, SCALE)
SEE_INTEGERS(discrete_gaussian, SIGMA)

/* Laplace noise from eight random bits and a sign, rounded: large values have holes. */
static void see_few_bits(sight *seen, simdp_rng *rng, int answer)
{
    static uint64_t words[NUMBERS];
    int64_t *const y = answers_i64(answer);
    check(simdp_rng_words(rng, words, NUMBERS));
    for (size_t i = 0; i < NUMBERS; i++) {
        const double noise = -SCALE * log(((double)(words[i] & 255) + 0.5) / 256);
        y[i] += (int64_t)rint(words[i] >> 63 ? noise : -noise);
    }
    see_integers(seen, y);
}

/* ---- bytes and indices: one sight a row, of its first element; word 1 has them all, `bits` of each ---- */

enum { CHOICES = SIGHT_BATCH * ROW };

static void see_row(sight *seen, uint64_t first, bool by_size, uint64_t row)
{
    *seen = (sight){{first, row}, by_size, false};
}

static void see_bytes(sight *seen, const uint8_t *y)
{
    for (size_t k = 0; k < SIGHT_BATCH; k++) {
        uint64_t row = 0;
        for (int i = 1; i < ROW; i++) row |= (uint64_t)(y[k * ROW + (size_t)i] & 1) << i;
        see_row(&seen[k], y[k * ROW], y[k * ROW] != 0, row);
    }
}

static void see_selections(sight *seen, simdp_rng *rng, int answer)
{
    static double scores[CHOICES * CANDIDATES];
    static size_t index[CHOICES];
    for (size_t k = 0; k < SIGHT_BATCH; k++) scores[k * ROW * CANDIDATES] = answer;
    check(simdp_select_gumbel_rows(rng, index, scores, CHOICES, CANDIDATES, SCALE));
    for (size_t k = 0; k < SIGHT_BATCH; k++) {
        uint64_t row = 0;
        for (int i = 1; i < ROW; i++) row |= (uint64_t)index[k * ROW + (size_t)i] << 2 * i;
        see_row(&seen[k], index[k * ROW], index[k * ROW] == 0, row);
    }
}

static void see_partitions(sight *seen, simdp_rng *rng, int answer)
{
    static int64_t counts[CHOICES];
    static uint8_t keep[CHOICES];
    for (size_t i = 0; i < CHOICES; i++) counts[i] = i % ROW == 0 ? 4 + answer : 5;
    check(simdp_select_partitions(rng, keep, counts, CHOICES, EPSILON, DELTA, 1));
    see_bytes(seen, keep);
}

static uint8_t *responses(simdp_rng *rng, int answer)
{
    static uint8_t y[CHOICES];
    for (size_t i = 0; i < CHOICES; i++) y[i] = i % ROW == 0 ? (uint8_t)answer : 0;
    check(simdp_release_randomized_response(rng, y, y, CHOICES, EPSILON));
    return y;
}

static void see_responses(sight *seen, simdp_rng *rng, int answer) { see_bytes(seen, responses(rng, answer)); }

/* Elements 0 and 1 of a row are turned by the same bits. */
static void see_shared_responses(sight *seen, simdp_rng *rng, int answer)
{
    uint8_t *const y = responses(rng, answer);
    for (size_t i = 0; i < CHOICES; i += ROW) y[i + 1] = (uint8_t)(y[i] ^ answer);
    see_bytes(seen, y);
}

/* ---- the table ---- */

/* The total variation between two laws that are one apart, unimodal and symmetric: the mass of the middle. */
static double middle_of_discrete_gaussian(void)
{
    double sum = 1;
    for (int x = 1; x < 200; x++) sum += 2 * exp(-0.5 * x * x / (SIGMA * SIGMA));
    return 1 / sum;
}

static double of_partitions(void)
{
    static const int64_t counts[2] = {4, 5};
    double p[2], complement[2];
    check(simdp_select_partition_probability(p, complement, counts, 2, EPSILON, DELTA, 1));
    return p[1] - p[0];
}

static double of_selections(void)
{
    static const double scores[2 * CANDIDATES] = {[CANDIDATES] = 1};
    double p[2 * CANDIDATES];
    check(simdp_select_probabilities(p, scores, 2, CANDIDATES, SCALE));
    return p[CANDIDATES] - p[0];
}

const target *target_at(size_t i)
{
    const double laplace = -expm1(-0.5 / SCALE), gaussian = erf(0.5 / SIGMA * sqrt(0.5)), response = tanh(EPSILON / 2);
    static target all[] = {
        {.name = "Laplace: answer + noise", .naive = true, .observe = see_naive_laplace},
        {.name = "Gaussian: answer + noise", .naive = true, .observe = see_naive_gaussian},
        {.name = "integers: Laplace noise of 9 bits", .naive = true, .observe = see_few_bits},
        {.name = "responses: neighbours share bits", .naive = true, .observe = see_shared_responses},
        {.name = "`simdp_release_laplace`", .leak = 3e-4, .part = 1, .observe = see_release_laplace},
        {.name = "`simdp_release_gaussian`", .leak = 3e-4, .part = 1, .observe = see_release_gaussian},
        {.name = "`simdp_release_laplace_i64`", .leak = 6e-4, .part = 1, .observe = see_laplace},
        {.name = "`simdp_release_gaussian_i64`", .leak = 6e-4, .part = 1, .observe = see_gaussian},
        {.name = "`simdp_release_discrete_laplace_i64`", .leak = 6e-4, .part = 8, .observe = see_discrete_laplace},
        {.name = "`simdp_release_discrete_gaussian_i64`", .leak = 9e-4, .part = 8, .observe = see_discrete_gaussian},
        {.name = "`simdp_release_randomized_response`", .leak = 3e-4, .part = 4, .observe = see_responses},
        {.name = "`simdp_select_partitions`", .leak = 3e-4, .part = 4, .observe = see_partitions},
        {.name = "`simdp_select_gumbel_rows`", .leak = 3e-4, .part = 32, .observe = see_selections},
    };
    const double limits[] = {
        laplace,  gaussian,        laplace,        response,          laplace,
        gaussian, laplace,         gaussian,       tanh(0.5 / SCALE), middle_of_discrete_gaussian(),
        response, of_partitions(), of_selections()};
    if (i >= sizeof all / sizeof *all) return NULL;
    all[i].limit = limits[i];
    return &all[i];
}

void plant_leak(sight seen[SIGHT_BATCH], double rate, uint64_t *random)
{
    for (size_t k = 0; k < SIGHT_BATCH; k++) {
        *random = *random * 6364136223846793005u + 1442695040888963407u;
        if ((double)(*random >> 33) * 0x1p-31 < rate) seen[k].word[1] |= 0xfff << 4;
    }
}
