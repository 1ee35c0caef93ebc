/* response.h: leaky randomized response as ranges of a 127-bit number; and words in blocks for the rooms' plain C
 * samplers. */
#ifndef SIMDP_RESPONSE_H
#define SIMDP_RESPONSE_H

#include <stdbool.h>

#include "simdp/simdp.h"

__extension__ typedef unsigned __int128 simdp_u128;

/* Of the 2^127 equally likely numbers, those below leak are leaks, the next flip of them wrong answers, the rest true
 * ones. */
typedef struct {
    simdp_u128 leak, flip;
} simdp_response_law;

/* epsilon >= 0 and finite, delta in [0, 1] */
simdp_response_law simdp_response_law_of(double epsilon, double delta);

static inline bool simdp_is_epsilon(double x) { return x >= 0.0 && x < 1.0 / 0.0; }
static inline bool simdp_is_probability(double x) { return x >= 0.0 && x <= 1.0; }

#endif
