/* k_response.h: k-ary randomized response, exactly. A report is drawn by one uniform number U in [0, 1), as the real
 * number X = U D, D = e^epsilon + k - 1. Its whole part is the draw: below k - 1 it names one of the k - 1 other
 * values, each of which owns an interval of length 1; from k - 1 on, on a length of e^epsilon, the report is the truth.
 * A draw does not depend on the value that is reported, and neither does the time that it takes.
 *
 * U has the 64 digits of the word of level 0 at the element's position, then those of levels 1 to 7. X is computed
 *
 *     in doubles   from 52 digits; open if the radius of the error reaches a whole number up to k - 1
 *     in 128 bits  from 128 digits, for open elements
 *     in 512 bits  from all 512, for what is still open, with probability below k 2^-108 or, for epsilon >= 64, 2^-56
 *
 * Radius of the doubles: the unseen digits of U are below 2^-52; D and the result are rounded, by 2^-53 and a little
 * each: D 2^-51 and a little in all, and the plan takes a quarter more. From D = 2^48 on that would be no small part of
 * 1. There the doubles tell the truth from the rest only: with m, the first 52 digits of U as a whole number, X is not
 * below m / 16, so the report is the truth from m = 16 (k - 1) on; most other elements are open, and some beyond, up to
 * twice that m. So an element is open with a probability below k 2^-49, or, for epsilon > 33, k 2^-47. */
#ifndef SIMDP_K_RESPONSE_H
#define SIMDP_K_RESPONSE_H

#include "bits/cipher.h"
#include "math/int128.h"

enum {
    K_RESPONSE_BLOCK = 1024, /* elements that are made at a time */
    K_RESPONSE_WORDS = 8,    /* of a uniform number, all levels */
};
_Static_assert((int)K_RESPONSE_WORDS == (int)BITS_K_RESPONSE_LEVELS, "a word at each level");

typedef struct {
    uint32_t k;
    double epsilon;
    /* doubles: y = U factor - 1/2, at most `top`, is rounded to the draw; open if it is farther than `limit` from it.
     * The low half of top is k - 1. */
    double factor, top, limit;
    /* 128 bits: X 2^shift lies from U significand 2^-128 on, cut, and not `radius` above it. From truth = (k - 1)
     * 2^shift on the report is the truth. */
    simdp_u128 significand, radius, truth;
    unsigned shift;
} simdp_k_response;

/* k >= 2, epsilon >= 0; above 256 it counts as 256. About 0.1 us. */
void simdp_k_response_plan(simdp_k_response *plan, uint32_t k, double epsilon);

/* The draw of a uniform number with these digits, in 512 bits: 0 to k - 1. */
uint32_t simdp_k_response_exact(const simdp_k_response *plan, const uint64_t words[K_RESPONSE_WORDS]);

#endif
