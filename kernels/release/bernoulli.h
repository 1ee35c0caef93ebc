/* bernoulli.h: exact Bernoulli bits, 512 at a time. A bit is 1 if a uniform number, of which as many binary digits are
 * drawn as it takes, lies below p: no rounded probability.
 *
 * A group is the 512 bits of 64 stream positions, eight to a position. The first eight digits of all its uniforms are
 * the 64 words at these positions in BITS_DOMAIN_BERNOULLI: bit b of word 8 j + l is digit 8 - j of uniform 64 l + b. A
 * uniform whose digits equal those of p (one in 256) is undecided; the one that is s-th among the undecided of its
 * group, from 0, goes on with word (first position) / 2 + s % 32 of BITS_DOMAIN_BERNOULLI_MORE, sixty-four digits, and,
 * while these are those of p too, with the same word of that domain + 256 (16 level + s / 32), level = 1, 2, ...; s /
 * 32 stands there from level 0.
 *
 * Time: 32 words are made for the undecided of every group, and laid into their places by deposits (pdep or a fixed
 * loop): neither branches nor addresses depend on random bits, but for events of probability below 2^-58 a group (a
 * 33rd undecided: 2^-92; a word that equals its digits of p: 2^-63), and below 2^-32 without a fast pdep (see
 * word_deposit). */
#ifndef SIMDP_BERNOULLI_H
#define SIMDP_BERNOULLI_H

#include "bits/cipher.h"
#include "math/wide.h"

enum {
    BERNOULLI_DIGITS = 8,           /* planes of a group */
    BERNOULLI_PLANES = 64,          /* their words, and the positions of a group */
    BERNOULLI_MORE = 32,            /* words for the undecided */
    BERNOULLI_WORDS = 8,            /* of result */
    BERNOULLI_BITS = 512,
};

typedef struct {
    unsigned first;       /* digits 1 to 8 of p */
    uint64_t second;      /* digits 9 to 72 */
    double epsilon;       /* p = 1 / (1 + e^epsilon), or below 0: p is `exact` */
    simdp_wide exact;
} simdp_bernoulli;

/* p = 1 / (1 + e^epsilon), 0 <= epsilon; above 2^20 it counts as 2^20. Exact to a factor 1 +- 2^-480. About 0.1 us. */
void simdp_bernoulli_response(simdp_bernoulli *b, double epsilon);

/* 0 <= p < 1. */
void simdp_bernoulli_wide(simdp_bernoulli *b, simdp_wide p);

/* Where a group's further words come from: the words given for it, then the cipher. */
typedef struct {
    const simdp_bits_at *at;
    uint64_t position;                       /* of the group */
    const uint64_t *more;                    /* its first BERNOULLI_MORE words */
    void (*cipher_words)(uint64_t *out, size_t n, const simdp_bits_at *at);
} simdp_bernoulli_place;

/* The rare case: sets the bits of `decided` (0 where undecided) that come out as 1, one undecided uniform after the
 * other. */
void simdp_bernoulli_resolve(uint64_t decided[BERNOULLI_WORDS], const uint64_t undecided[BERNOULLI_WORDS],
                             const simdp_bernoulli_place *place, const simdp_bernoulli *b);

#endif
