/* bernoulli.h: random bits that are 1 with probability p exactly, 512 at a time. For each bit a uniform number in [0,
 * 1) is drawn, and the bit is 1 if that number lies below p. The two are compared binary digit by binary digit, and as
 * many digits of either are made as the comparison takes, so p is never rounded.
 *
 * Elements are made in groups of 512, which begin at multiples of 512. The first ten digits of the group's uniform
 * numbers come from 80 words at level 0 of the use RESPONSE, eight words for each digit. Such eight words are a plane:
 * bit b of word 128 g + 8 j + l is digit j + 1 of the uniform number of element 64 l + b of group g.
 *
 * One uniform number in 1024 has the same ten digits as p, and its element is undecided. It goes on with 64 digits of
 * its own, the word of level 1 at its own position, and if these also equal the digits of p, with levels 2, 3, ...
 *
 * Time. A stage is up to 32 groups that are made together. It makes a fixed number of words of level 1, its slots,
 * whether or not there are as many undecided elements, and lays the results into their places by pdep or by a loop
 * of fixed length. So neither branches nor addresses depend on random bits, with three exceptions: places vary
 * within one or two cache lines; a stage may have more undecided elements than slots (probability 2^-45); and a word
 * of level 1 may equal the digits of p (2^-59). */
#ifndef SIMDP_BERNOULLI_H
#define SIMDP_BERNOULLI_H

#include <stdbool.h>

#include "bits/identity.h"
#include "math/wide.h"

enum {
    BERNOULLI_DIGITS = 10, /* of each uniform number that come from planes; a group has one plane for each */
    BERNOULLI_PLANES = 80, /* words of all planes of a group */
    BERNOULLI_STRIDE =
        128,              /* words from a group to the next; it divides the 512 words that share a base of the cipher */
    BERNOULLI_WORDS = 8,  /* words of result of a group */
    BERNOULLI_BITS = 512, /* elements of a group */
    BERNOULLI_STAGE = 32, /* groups that are made at a time, at most */
};

typedef struct {
    unsigned first;  /* digits 1 to 10 of p */
    uint64_t second; /* digits 11 to 74 */
    double epsilon;  /* p = 1 / (1 + e^epsilon); a negative one says that p is `exact` */
    simdp_wide exact;
    bool later; /* the digits are not there yet */
} simdp_bernoulli;

/* p = 1 / (1 + e^epsilon), 0 <= epsilon; above 2^20 it counts as 2^20. Exact to a factor 1 +- 2^-480. About 0.1 us. */
void simdp_bernoulli_response(simdp_bernoulli *b, double epsilon);

/* The same, but the digits are made by the kernel that first needs them: for a single word that is after the cipher of
 * its planes, and neither waits for the other. */
static inline void simdp_bernoulli_later(simdp_bernoulli *b, double epsilon)
{
    b->epsilon = epsilon;
    b->later = true;
}
static inline void simdp_bernoulli_ready(simdp_bernoulli *b)
{
    if (b->later) simdp_bernoulli_response(b, b->epsilon);
}

/* For any p, 0 <= p < 1. */
void simdp_bernoulli_wide(simdp_bernoulli *b, simdp_wide p);

/* Decides elements one after the other, with as many digits as each needs: for the rare stages that slots do not
 * decide. `undecided` and `out` have `words` words, a bit for each element from at->position on. Where an undecided
 * element comes out as 1, its bit of `out`, which was 0, is set. */
void simdp_bernoulli_resolve(uint64_t *out, const uint64_t *undecided, size_t words, const simdp_bits_at *at,
                             void (*cipher_words)(uint64_t *out, size_t n, const simdp_bits_at *at),
                             const simdp_bernoulli *b);

/* Whether the uniform number of an id, whose digits are the words of its blocks in their order, lies below p: with as
 * many digits as it takes. */
bool simdp_bernoulli_of_id(const simdp_id *id, const simdp_identity *identity, simdp_identity_blocks *blocks,
                           const simdp_bernoulli *b);

/* ---- two laws ---- */

/* Unary encoding: a bit that is 1 (0) becomes 1 with probability p of law[1] (law[0]). The uniform numbers have the
 * digits of RESPONSE in a use of their own, UNARY, and each is compared with the p of its element. turned: p is 1 minus
 * that of epsilon, and its digits are the others. */
typedef struct {
    simdp_bernoulli law[2];
    bool turned[2];
} simdp_unary;

/* p = 1 / (1 + e^-log_odds) of each; log-odds beyond +-2^20 count as +-2^20. */
void simdp_unary_of(simdp_unary *u, double log_odds_one, double log_odds_zero);

/* As simdp_bernoulli_resolve. */
void simdp_unary_resolve(uint64_t *out, const uint64_t *undecided, const uint64_t *truth, size_t words,
                         const simdp_bits_at *at,
                         void (*cipher_words)(uint64_t *out, size_t n, const simdp_bits_at *at), const simdp_unary *u);

#endif
