/* discrete_gaussian.c: see discrete_gaussian.h: the table, and exact comparisons. */
#include "release/discrete/discrete_gaussian.h"

#include <stdbool.h>

#include "release/digits.h"
#include "release/fixed.h"

#define SIGMA_PER_WIDTH 6.5    /* e^(-64^2 / (2 * 6.5^2)) < 2^-63: thresholds end */
#define SIGMA_ALONE     0x1p-4 /* below, all but 0 has mass under 2^-183 */

/* ---- exact numbers ---- */

/* w^2 / (2 sigma^2) */
static simdp_wide exponent_wide(const simdp_discrete_gaussian *plan)
{
    const simdp_wide sigma = simdp_wide_from_double(plan->sigma);
    return simdp_wide_scale(simdp_wide_div(simdp_wide_from_u64(1), simdp_wide_mul(sigma, sigma)),
                            2 * plan->log2_width - 1);
}

static simdp_wide weight_wide(simdp_wide exponent, uint64_t j)
{
    return simdp_wide_exp(simdp_wide_neg(simdp_wide_mul(simdp_wide_from_u64(j * j), exponent)));
}

/* P[j >= i], i > 0; the sums end where terms have no digit in 512 bits of them */
static simdp_wide threshold_wide(const simdp_discrete_gaussian *plan, uint64_t i)
{
    const simdp_wide exponent = exponent_wide(plan);
    simdp_wide head = simdp_wide_from_double(plan->log2_width > 0 ? 1.0 : 0.5), tail = simdp_wide_from_u64(0);
    for (uint64_t j = 1; j < i; j++) head = simdp_wide_add(head, weight_wide(exponent, j));
    for (uint64_t j = i;; j++) {
        const simdp_wide term = weight_wide(exponent, j);
        tail = simdp_wide_add(tail, term);
        if (term.exponent < tail.exponent - 520) break;
    }
    return simdp_wide_div(tail, simdp_wide_add(head, tail));
}

/* ---- the table ----
 *
 * Fixed point, weights in units of 2^-123, ratios in units of 2^-127. The exponent e = w^2 / (2 sigma^2) is low by less
 * than 2^-118; weight j + 1 = weight j times e^(-(2j+1) e), itself by steps of e^(-2e). Both exponentials are within
 * 2^-114.9, so weight j has relative error below j^2 2^-115 (weights below 2^-53 have an absolute error below 2^-160);
 * the sum of j^2 weight j is at most 45 times that of the weights: sums of weights, and so the tails' shares, are
 * within 2^-108. */

static simdp_u128 exponent_fixed(const simdp_discrete_gaussian *plan) /* in units of 2^-120; sigma > SIGMA_ALONE */
{
    int exponent;
    const simdp_u128 r = simdp_fixed_reciprocal(plan->sigma, &exponent);
    const int shift = 128 + 2 * exponent + 2 * plan->log2_width - 1 + 120; /* below 0: e < 128 */
    return simdp_fixed_multiply(r, r) >> -shift;
}

#define WEIGHTS 96 /* from e^(-96^2 / (2 * 6.5^2)) < 2^-157 on nothing is left */

static void fill_table(simdp_discrete_gaussian *plan)
{
    const simdp_u128 e = exponent_fixed(plan), limit = (simdp_u128)64 << 120;
    const simdp_u128 square = e < limit ? simdp_fixed_exp_neg(2 * e) : 0;
    simdp_u128 weight = (simdp_u128)1 << 123, step = simdp_fixed_exp_neg(e), tails[WEIGHTS + 1];
    for (int j = 1; j < WEIGHTS; j++) {
        weight = simdp_fixed_multiply(weight, step) << 1;
        step = simdp_fixed_multiply(step, square) << 1;
        tails[j] = weight;
    }
    tails[WEIGHTS] = 0;
    for (int j = WEIGHTS - 1; j > 0; j--) tails[j] += tails[j + 1];
    simdp_u128 whole = tails[1] + ((simdp_u128)1 << (plan->log2_width > 0 ? 123 : 122));
    int shift = 0;
    while (whole >> 127 == 0) whole <<= 1, shift++;
    const simdp_u128 inverse = simdp_fixed_inverse(whole);
    for (int i = 1; i <= GAUSSIAN_THRESHOLDS; i++) {
        const simdp_u128 share = simdp_fixed_multiply(tails[i] << shift, inverse) << 1; /* in units of 2^-127 */
        const uint64_t rest = (uint64_t)share, doubt = (uint64_t)1 << 24;               /* 2^-103 */
        plan->threshold[i] = (uint64_t)(share >> 64);
        if (plan->threshold[i] == 0 && rest < (uint64_t)1 << 63) continue; /* 63 digits 0 */
        if (rest < doubt || rest > -doubt) {
            const simdp_wide exact = threshold_wide(plan, (uint64_t)i);
            plan->threshold[i] = simdp_digits(&exact, 0) >> 1;
        }
    }
}

void simdp_discrete_gaussian_plan(simdp_discrete_gaussian *plan, double sigma)
{
    *plan = (simdp_discrete_gaussian){.sigma = sigma,
                                      .width = 1.0,
                                      .exponent = 0.5 / (sigma * sigma),
                                      .bound = INT64_MAX,
                                      .use = BITS_DISCRETE_GAUSSIAN};
    while (sigma > SIGMA_PER_WIDTH * plan->width) plan->width *= 2, plan->log2_width++;
    /* Both logarithms are at most 7.5 where the comparison is close: errors below 2^-47 each. V >= 2^-11 there, and its
     * digits that are not in the word are worth less than 2^(k - 64). */
    plan->radius = 0x1p-45 + plan->width * 0x1p-52;
    if (sigma > SIGMA_ALONE) fill_table(plan);
}

void simdp_discrete_gaussian_truncate(simdp_discrete_gaussian *plan, int64_t bound)
{
    plan->bound = (uint64_t)bound;
    plan->use = BITS_DISCRETE_GAUSSIAN_TRUNCATED;
}

/* ---- one number ---- */

static uint64_t word_of(const simdp_discrete_place *place, unsigned uniform, unsigned attempt, unsigned level)
{
    uint64_t word;
    const simdp_bits_at at = {.cipher = place->cipher,
                              .position = place->position,
                              .use = simdp_discrete_level(place->use, uniform, attempt, level)};
    if (place->given != NULL && attempt == 0 && level == 0) return place->given[uniform];
    place->cipher_words(&word, 1, &at);
    return word;
}

/* Whether a uniform whose first digits are those of p is below p. */
static bool rest_below(const simdp_wide *p, int64_t first, const simdp_discrete_place *place, unsigned uniform,
                       unsigned attempt)
{
    for (unsigned level = 1; !simdp_digits_end(p, first); level++, first += 64) {
        const uint64_t word = word_of(place, uniform, attempt, level), digits = simdp_digits(p, first);
        if (word != digits) return word < digits;
    }
    return false;
}

static bool threshold_above(const simdp_discrete_gaussian *plan, uint64_t i, uint64_t u,
                            const simdp_discrete_place *place, unsigned attempt)
{
    const uint64_t threshold = i <= GAUSSIAN_THRESHOLDS ? plan->threshold[i] : 0;
    if (u != threshold) return u < threshold;
    const simdp_wide exact = threshold_wide(plan, i);
    return rest_below(&exact, 63, place, 0, attempt);
}

static bool is_accepted(const simdp_discrete_gaussian *plan, uint64_t more, uint64_t twice_less, uint64_t v,
                        const simdp_discrete_place *place, unsigned attempt)
{
    if (more == 0) return true;
    /* (more + twice_less) more / (2 sigma^2), with 1 / (2 sigma^2) = exponent / w^2 */
    const simdp_wide product = simdp_wide_mul(simdp_wide_from_u64(more), simdp_wide_from_u64(more + twice_less));
    const simdp_wide power = simdp_wide_scale(simdp_wide_mul(product, exponent_wide(plan)), -2 * plan->log2_width);
    const simdp_wide chance = simdp_wide_exp(simdp_wide_neg(power));
    const uint64_t digits = simdp_digits(&chance, 0) >> plan->log2_width;
    if (v != digits) return v < digits;
    return rest_below(&chance, 64 - plan->log2_width, place, 1, attempt);
}

int64_t simdp_discrete_gaussian_exact(const simdp_discrete_gaussian *plan, const simdp_discrete_place *place)
{
    const int k = plan->log2_width;
    for (unsigned attempt = 0; attempt < DISCRETE_ATTEMPTS; attempt++) {
        const uint64_t first = word_of(place, 0, attempt, 0), u = first & INT64_MAX;
        const bool negative = first >> 63;
        uint64_t j = 0, magnitude;
        while (threshold_above(plan, j + 1, u, place, attempt)) j++;
        if (k == 0) {
            magnitude = j;
        } else {
            const uint64_t second = word_of(place, 1, attempt, 0),
                           more = (second & (((uint64_t)1 << k) - 1)) + negative;
            magnitude = (j << k) + more;
            if (!is_accepted(plan, more, j << (k + 1), second >> k, place, attempt)) continue;
        }
        if (magnitude > plan->bound) continue;
        return negative ? -(int64_t)magnitude : (int64_t)magnitude;
    }
    return 0;
}
