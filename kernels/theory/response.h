/* response.h: leaky randomized response as ranges of a 127-bit number; and words in blocks for the rooms' plain C
 * samplers. */
#ifndef SIMDP_RESPONSE_H
#define SIMDP_RESPONSE_H

#include <stdbool.h>
#include <string.h>

#include "math/int128.h"
#include "simdp/simdp.h"

/* Of the 2^127 equally likely numbers, those below leak are leaks, the next flip of them wrong answers, the rest true
 * ones. */
typedef struct {
    simdp_u128 leak, flip;
} simdp_response_law;

/* epsilon >= 0 and finite, delta in [0, 1] */
simdp_response_law simdp_response_law_of(double epsilon, double delta);

/* A call that draws in pieces and fails at a later one puts the stream back where the call began. */
static inline simdp_status simdp_stream_back(simdp_rng *rng, uint64_t position, simdp_status status)
{
    if (status != SIMDP_OK) rng->position = position;
    return status;
}

/* Whether a call that fails after `done` elements must overwrite its whole output: some of it is written, or the stream
 * gave out, which leaves bytes of 0xff everywhere. */
static inline bool simdp_stream_spoils(simdp_status status, size_t done)
{
    return status != SIMDP_OK && (done > 0 || status == SIMDP_ESOURCE || status == SIMDP_EENTROPY);
}

/* Checks of parameters by their bits: the same whatever the caller's floating-point mode, where comparisons may take
 * subnormal numbers for 0. Of numbers >= 0 the larger one has the larger bits; NaN and negative ones have larger bits
 * than infinity. */
static inline uint64_t simdp_bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits == (uint64_t)1 << 63 ? 0 : bits; /* -0 is 0 */
}

#define SIMDP_BITS_OF_1   0x3ff0000000000000u
#define SIMDP_BITS_OF_INF 0x7ff0000000000000u

/* [0, inf), [0, 1], (0, 1) */
static inline bool simdp_is_epsilon(double x) { return simdp_bits_of(x) < SIMDP_BITS_OF_INF; }
static inline bool simdp_is_probability(double x) { return simdp_bits_of(x) <= SIMDP_BITS_OF_1; }
static inline bool simdp_is_inside(double x) { return simdp_bits_of(x) - 1 < SIMDP_BITS_OF_1 - 1; }

#endif
