/* above.h: comparing noisy queries with one noisy threshold.
 *
 * A query q is above if q - T + F - R >= 0: T the threshold, R its noise, F the noise of the query, both Laplace. The
 * words of an element write in two's complement a real number V in [-1, 1), and its noise is sign(V) scale (-ln |V|),
 * as in releases. Doubles see the first word of each; what they neglect has a radius, and a comparison closer to a tie
 * than that is open, and is decided by all words in 512 bits. */
#ifndef SIMDP_ABOVE_H
#define SIMDP_ABOVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bits/cipher.h"
#include "call/kernels.h"

#define ABOVE_WORDS BITS_SELECT_ABOVE_QUERY_LEVELS /* of a noise: the first, and further ones for open comparisons */
#define ABOVE_SURE  0x1p+1020 /* queries beyond are cut here; thresholds and noise are below 2^1010 */
#define ABOVE_LEAST 0x1p+10 /* a first word of smaller size leaves the comparison open: its logarithm is not bounded */

/* What a call computes once. Errors: of a computed noise, 2^-49.5 scale + 2^-51 |noise| (neg_log.inc) and what the bits
 * after the first word change, 1.001 scale / |word|; of the sums, 2^-53 of each. The factors below are larger. */
#define ABOVE_SLOPE      0x1p-46 /* radius per unit of noise and of scale */
#define ABOVE_DIFFERENCE 0x1p-50 /* radius per unit of |q - T| */
typedef struct {
    double threshold, scale; /* T, and the scale of F */
    double noise;            /* R */
    double radius;           /* the part that is the same for all queries; inf: all are open */
} simdp_above_law;

/* A noisy threshold: its words, all of them, and the scales. */
typedef struct {
    uint64_t words[ABOVE_WORDS];
    double threshold, scale_threshold, scale_query;
} simdp_above_threshold;

/* above_decide.c. The default floating-point mode. */
simdp_above_law simdp_above_law_of(const simdp_above_threshold *threshold, const simdp_kernels *kernels);

/* The number that a query counts as. */
double simdp_above_query(double query);

/* Whether a query is above, by all words of its noise. */
bool simdp_above_decide(double query, const uint64_t words[ABOVE_WORDS], const simdp_above_threshold *threshold);

#endif
