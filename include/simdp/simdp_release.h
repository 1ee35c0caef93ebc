/* simdp_release.h: noisy answers that are safe to publish. Part of simdp.h, which has the conventions. */
#ifndef SIMDP_RELEASE_H
#define SIMDP_RELEASE_H

#include "simdp.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SIMDP_GRID_MIN 0x1p-944
#define SIMDP_GRID_MAX 0x1p+930

SIMDP_API double simdp_release_grid(double scale);
SIMDP_API SIMDP_CHECKED simdp_status
simdp_release_laplace(simdp_rng *rng, double *out, const double *answers, size_t n, double scale, double grid);
SIMDP_API SIMDP_CHECKED simdp_status
simdp_release_gaussian(simdp_rng *rng, double *out, const double *answers, size_t n, double sigma, double grid);

/* ---- randomized response, discrete noise, sums, typically stable releases ------------------------------------------- */

/* Randomized response: out[i] = the truth of bits[i] (1 for any byte but 0), turned with probability 1 / (1 + e^epsilon):
 * epsilon-DP for each answer. The law is exact: a uniform number, of which as many random digits are drawn as it takes, is
 * compared with the real number 1 / (1 + e^epsilon). (Total variation: below 2^-480 of it.)
 *
 *   rng      a call of n takes (n + 7) / 8 positions, so only calls of n divisible by 8 can be joined. The digits come from
 *            domains of their own: no other function sees them. Not a stream of external words (SIMDP_EPARAM)
 *   out      n bytes 0 or 1; may be bits itself; on SIMDP_EPARAM for epsilon all 0xff
 *   epsilon  >= 0, nats, finite; 0 gives fair coins, above 2^20 it counts as 2^20
 *
 * Time depends neither on answers nor on flips, but for events of probability below 2^-58 (2^-29 without VAES) for
 * each 512 answers, which tell of flips and not of answers. */
SIMDP_API SIMDP_CHECKED simdp_status
simdp_release_randomized_response(simdp_rng *rng, uint8_t *out, const uint8_t *bits, size_t n, double epsilon);

/* The same for n answers packed into (n + 7) / 8 bytes, answer i in bit i % 8 of byte i / 8, in and out: the same flips at the
 * same position. Bits past the last answer come out 0. */
SIMDP_API SIMDP_CHECKED simdp_status
simdp_release_randomized_response_packed(simdp_rng *rng, uint8_t *out, const uint8_t *bits, size_t n, double epsilon);

#ifdef __cplusplus
}
#endif

#endif
