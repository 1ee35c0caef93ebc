/* bernoulli.h: exact Bernoulli bits, 512 at a time. A bit is 1 if a uniform number, of which as many binary digits are
 * drawn as it takes, lies below p: no rounded probability.
 *
 * A group is the 512 elements from a multiple of 512 on. The first ten digits of its uniforms are bits of 80 words at
 * level 0 of the use RESPONSE, in planes: bit b of word 128 g + 8 j + l is digit j + 1 of uniform 64 l + b of group g.
 * A uniform whose digits equal those of p (one in 1024) is undecided; it goes on with 64 digits of its own, the word at
 * its own position in level 1, and, while these are those of p too, in levels 2, 3, ...
 *
 * Time: a fixed number of words at level 1 is made for a call's stage of groups, and their verdicts are laid into their
 * places by deposits (pdep or a fixed loop): neither branches nor addresses depend on random bits, but for places
 * within a cache line or two, and for rare events: more undecided in a stage than it has slots (2^-45), a word that
 * equals its digits of p (2^-59). */
#ifndef SIMDP_BERNOULLI_H
#define SIMDP_BERNOULLI_H

#include "bits/cipher.h"
#include "math/wide.h"

enum {
    BERNOULLI_DIGITS = 10,  /* planes of a group */
    BERNOULLI_PLANES = 80,  /* their words */
    BERNOULLI_STRIDE = 128, /* words from a group to the next: a base of the cipher serves whole groups */
    BERNOULLI_WORDS = 8,    /* of result */
    BERNOULLI_BITS = 512,   /* elements of a group */
    BERNOULLI_STAGE = 32,   /* groups that are made at a time, at most */
};

typedef struct {
    unsigned first;  /* digits 1 to 10 of p */
    uint64_t second; /* digits 11 to 74 */
    double epsilon;  /* p = 1 / (1 + e^epsilon), or below 0: p is `exact` */
    simdp_wide exact;
} simdp_bernoulli;

/* p = 1 / (1 + e^epsilon), 0 <= epsilon; above 2^20 it counts as 2^20. Exact to a factor 1 +- 2^-480. About 0.1 us. */
void simdp_bernoulli_response(simdp_bernoulli *b, double epsilon);

/* 0 <= p < 1. */
void simdp_bernoulli_wide(simdp_bernoulli *b, simdp_wide p);

/* The rare case: sets the bits of `out` (0 where undecided) that come out as 1, one undecided uniform of `words` words
 * after the other. at->position: of the first. */
void simdp_bernoulli_resolve(uint64_t *out, const uint64_t *undecided, size_t words, const simdp_bits_at *at,
                             void (*cipher_words)(uint64_t *out, size_t n, const simdp_bits_at *at),
                             const simdp_bernoulli *b);

#endif
