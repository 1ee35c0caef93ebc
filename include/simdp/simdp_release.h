/* simdp_release.h: noisy answers that are safe to publish. Part of simdp.h, which has the conventions. */
#ifndef SIMDP_RELEASE_H
#define SIMDP_RELEASE_H

#include "simdp_noise.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Laplace and Gaussian releases ------------------------------------------------------------------------------- */

/* out[i] = the multiple of grid nearest to answers[i] + noise, as if all of it were computed with real numbers.
 * Rounding is post-processing: the output has the privacy of the ideal mechanism, with the caller's own sensitivity,
 * and no floating-point attack reaches it. The noise is a real function of infinitely many random bits (Laplace: -ln
 * |V| with the sign of V, V uniform in [-1, 1); Gaussian: Box and Muller on pairs of them); as many are drawn as decide
 * the rounding, at most 448, so the law is exact but for a total variation below 2^-200.
 *
 *   rng      moves by n. An external source (VSL) gives four words, as the key of a stream that lives for the call
 *   out      n doubles, any alignment, may be answers itself; all NaN on any failure but SIMDP_ENULL: never the answers
 *   answers  taken as exact numbers. NaN counts as 0, an infinity as the largest finite number, subnormals as 0, -0 as
 *            0, and so does what lies below 2^-1022 grid: data never causes an error. From 2^52 grid on an answer is
 *            its own cell, and the sum of cell and noise rounds once more
 *   scale    0 (no noise: the multiple of grid nearest to the answer; of two equally near ones the even one, so 0.5 and
 *            2.5 steps become 0 and 2), or SIMDP_SCALE_MIN to SIMDP_SCALE_MAX with scale / grid from 2^-30 to 2^44. L1
 *            sensitivity / epsilon gives epsilon-DP; sensitivity 0, an answer that no record moves, needs no noise
 *   sigma    the same; simdp_account_noise says how large it must be
 *   grid     a power of two from SIMDP_GRID_MIN to SIMDP_GRID_MAX that does not depend on data
 *
 * SIMDP_OK, SIMDP_ENULL, SIMDP_EPARAM (by n, scale and grid alone), SIMDP_EISA and what the stream reports. Same key
 * and position: same bits on every instruction set, in every rounding mode. Time depends neither on answers nor on
 * noise for scale / grid up to 2^30, but for events that tell of noise bits: more open elements in a block than the
 * fixed level-1 slots hold (below 2^-20 a block for scale / grid <= 2^26), and elements that level 1 leaves open (below
 * 2^-67 scale / grid). */
#define SIMDP_GRID_MIN 0x1p-944
#define SIMDP_GRID_MAX 0x1p+930
SIMDP_API SIMDP_CHECKED simdp_status simdp_release_laplace(simdp_rng *rng, double *out, const double *answers, size_t n,
                                                           double scale, double grid);
SIMDP_API SIMDP_CHECKED simdp_status simdp_release_gaussian(simdp_rng *rng, double *out, const double *answers,
                                                            size_t n, double sigma, double grid);

/* The default grid: a power of two, scale / grid from 2^22 up to 2^23. SIMDP_GRID_MIN for scale 0, NaN for a bad
 * scale. */
SIMDP_API double simdp_release_grid(double scale);

/* The same for integers: out[i] = answers[i] plus the integer nearest to the noise (grid 1), at the ends of int64_t
 * cut, which is post-processing. All INT64_MIN on any failure but SIMDP_ENULL. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_release_laplace_i64(simdp_rng *rng, int64_t *out, const int64_t *answers,
                                                               size_t n, double scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_release_gaussian_i64(simdp_rng *rng, int64_t *out, const int64_t *answers,
                                                                size_t n, double sigma);

/* ---- randomized response, discrete noise, sums ------------------------------------------------------------------- */

/* Randomized response: out[i] = the truth of bits[i] (1 for any byte but 0), turned with probability 1 / (1 +
 * e^epsilon): epsilon-DP for each answer. The law is exact: a uniform number, of which as many random digits are drawn
 * as it takes, is compared with the real number 1 / (1 + e^epsilon). (Total variation: below 2^-480 of it.)
 *
 *   rng      moves by n. An external source gives four words, as the key of a stream that lives for the call
 *   out      n bytes 0 or 1; may be bits itself; all 0xff on any failure but SIMDP_ENULL
 *   epsilon  >= 0, nats, finite; 0 gives fair coins, above 2^20 it counts as 2^20
 *
 * Time depends neither on answers nor on flips, but for events of probability below 2^-45 for each 512 answers, which
 * tell of flips and not of answers. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_release_randomized_response(simdp_rng *rng, uint8_t *out,
                                                                       const uint8_t *bits, size_t n, double epsilon);

/* The same for n answers packed into (n + 7) / 8 bytes, answer i in bit i % 8 of byte i / 8, in and out: the same flips
 * at the same position. Bits past the last answer come out 0. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_release_randomized_response_packed(simdp_rng *rng, uint8_t *out,
                                                                              const uint8_t *bits, size_t n,
                                                                              double epsilon);

/* Integers with exact laws: real numbers, of which as many digits are computed and drawn as it takes, decide.
 *
 *     discrete Laplace    P[x] = tanh(1 / (2 scale)) e^(-|x| / scale)                   (1 / scale)-DP at integer L1
 *                         sensitivity 1
 *     discrete Gaussian   P[x] = e^(-x^2 / (2 sigma^2)) / Z, Z their sum                D^2 / (2 sigma^2)-zCDP at L2
 *                         sensitivity D
 *
 * Total variation from these laws: below 2^-380. One position each; an element is a function of its position alone.
 * Scales are 0 (all 0, positions advance) or lie between the limits. |x| is below 2^49 (a part of mass 2^-380 apart).
 *
 * Time. Laplace: as simdp_release_laplace with grid 1. Gaussian: it tells how many attempts were made (sigma > 6.5:
 * between one in nine and one in twenty fails), which is independent of the numbers, and whether a comparison needed
 * more digits: of 63 with probability below 2^-56, where it would tell something; of what doubles see with probability
 * 2^-43 + 2^-53 sigma, where it tells next to nothing (an attempt is as likely to need them as to be accepted, whatever
 * its number). */
#define SIMDP_DISCRETE_MIN 0x1p-10
#define SIMDP_DISCRETE_MAX 0x1p+40
SIMDP_API SIMDP_CHECKED simdp_status simdp_noise_discrete_laplace_i64(simdp_rng *rng, int64_t *out, size_t n,
                                                                      double scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_noise_discrete_gaussian_i64(simdp_rng *rng, int64_t *out, size_t n,
                                                                       double sigma);

/* out[i] = answers[i] + noise, saturated at INT64_MIN and INT64_MAX, which is post-processing. out may be answers
 * itself; on SIMDP_EPARAM for the scale, or a failure of the stream, it is all INT64_MIN. Time does not depend on
 * answers. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_release_discrete_laplace_i64(simdp_rng *rng, int64_t *out,
                                                                        const int64_t *answers, size_t n, double scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_release_discrete_gaussian_i64(simdp_rng *rng, int64_t *out,
                                                                         const int64_t *answers, size_t n,
                                                                         double sigma);

/* Sums that do not leak. A sum of doubles depends on the order and the roundings of its additions: neighbouring data
 * sets can differ by more than the record that distinguishes them, and the low-order bits tell. Here each record is
 * clamped to [lower, upper] and rounded to the nearest multiple of grid (ties to even multiples), and these are summed
 * as 128-bit integers: *sum is exact, in whatever order. It is saturated at +-2^53 grid (integers: at INT64_MIN and
 * INT64_MAX), which no difference survives enlarged. A NaN record counts as 0, then clamped; data never cause an error.
 *
 * Sensitivity: max(|lower|, |upper|) for adding or removing a record, upper - lower for replacing one.
 *
 *   lower, upper  lower <= upper; those multiples of grid are used that lie within, at least one of them, and at most
 *                 2^51 grid in magnitude
 *   grid          a power of two from SIMDP_GRID_MIN to SIMDP_GRID_MAX; use the grid of the release that follows, or a
 *                 smaller one
 *
 * On SIMDP_EPARAM *sum is NaN (integers: untouched). Time depends on n alone. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_release_clamped_sum(double *sum, const double *records, size_t n,
                                                               double lower, double upper, double grid);
SIMDP_API SIMDP_CHECKED simdp_status simdp_release_clamped_sum_i64(int64_t *sum, const int64_t *records, size_t n,
                                                                   int64_t lower, int64_t upper);

#ifdef __cplusplus
}
#endif

#endif
