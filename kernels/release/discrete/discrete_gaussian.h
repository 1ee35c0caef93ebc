/* discrete_gaussian.h: integers with the law P[x] = e^(-x^2 / (2 sigma^2)) / Z, exactly.
 *
 * With width w = 2^k, the smallest that keeps sigma / w <= 6.5, a table holds the tails of the weights e^(-(j w)^2 / (2
 * sigma^2)): 64 thresholds, 63 digits each. An attempt draws two words, and further digits where they are needed:
 *
 *     word 1: bit 63 is s, the rest the first digits of a uniform U; j = how many thresholds lie above U.
 *     word 2: its last k bits are B, the rest the first digits of a uniform V.
 *     |x| = j w + B + s, negative if s = 1. It is accepted if V < e^(-(|x|^2 - (j w)^2) / (2 sigma^2)); else the next
 *     attempt is made.
 *
 * Every integer has one way to come out, so accepted ones have the law. 0.89 to 0.95 of the attempts are accepted. For
 * w = 1 the weight of j = 0 is 1/2, |x| = j with sign s, and there is nothing to reject. Whether an attempt is accepted
 * and what number is accepted are independent, so time, which tells the first, does not tell the second.
 *
 * Cut at a bound, an attempt whose |x| lies beyond it is rejected too: what is accepted then has the law under the
 * condition that |x| <= bound. The bound is at least sigma, so that more than half of the attempts are accepted.
 *
 * Words of position p, attempt a, further digits l = 1, 2, ... (0: the words above): word p of level (0 for U, 1 for V)
 * + 2 a + 2^12 l of the use DISCRETE_GAUSSIAN, or, cut at a bound, of the use DISCRETE_GAUSSIAN_TRUNCATED. */
#ifndef SIMDP_DISCRETE_GAUSSIAN_H
#define SIMDP_DISCRETE_GAUSSIAN_H

#include "bits/cipher.h"

#define GAUSSIAN_THRESHOLDS 64

typedef struct {
    double sigma;
    int log2_width;
    uint64_t threshold[GAUSSIAN_THRESHOLDS + 1]; /* [i] = floor(2^63 P[j >= i]); [0] is not used */
    double width;
    double exponent; /* 1 / (2 sigma^2), relative error below 2^-52 */
    double radius;   /* of the difference of the logarithms of both sides of the last comparison, in doubles */
    uint64_t bound;  /* |x| is at most this; INT64_MAX: it is not cut */
    uint32_t use;    /* whose words are read */
} simdp_discrete_gaussian;

/* sigma from 2^-10 to 2^40. About a microsecond. */
void simdp_discrete_gaussian_plan(simdp_discrete_gaussian *plan, double sigma);

/* Cuts a plan at sigma <= bound. */
void simdp_discrete_gaussian_truncate(simdp_discrete_gaussian *plan, int64_t bound);

/* Where words come from: those given for attempt 0, as pairs (tests), then the cipher. */
typedef struct {
    const uint64_t *given; /* two words, or NULL */
    const simdp_cipher *cipher;
    uint64_t position;
    uint32_t use;
    void (*cipher_words)(uint64_t *out, size_t n, const simdp_bits_at *at);
} simdp_discrete_place;

/* The number at a position, all of it by exact comparison: what kernels call where doubles and 63 digits do not
 * decide. */
int64_t simdp_discrete_gaussian_exact(const simdp_discrete_gaussian *plan, const simdp_discrete_place *place);

#define DISCRETE_ATTEMPTS 2048 /* that all of them are rejected has a chance below 2^-2000; 0 would come out */

static inline uint32_t simdp_discrete_level(uint32_t use, unsigned uniform, unsigned attempt, unsigned level)
{
    return bits_level(use, uniform + 2 * attempt + ((uint32_t)level << 12));
}

#endif
