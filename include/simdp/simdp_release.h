/* simdp_release.h: noisy answers that are safe to publish. Part of simdp.h, which has the conventions. */
#ifndef SIMDP_RELEASE_H
#define SIMDP_RELEASE_H

#include "simdp_noise.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Which call to take:
 *
 *     answers + noise for a promise         simdp_release_laplace_private, simdp_release_gaussian_private
 *     the same with noise of your own       simdp_release_laplace, simdp_release_gaussian; _f32 for floats
 *     integers, fast                        simdp_release_laplace_i64, simdp_release_gaussian_i64
 *     integers, discrete laws               simdp_release_discrete_laplace_i64, simdp_release_discrete_gaussian_i64
 *     counts that have bounds               simdp_release_discrete_laplace_bounded_i64
 *     counts of groups that people make     simdp_release_laplace_threshold, simdp_release_gaussian_threshold, _i64
 *     yes or no, from each person           simdp_release_randomized_response, _packed
 *     bits of one value, from each person   simdp_release_unary
 *     one value among k, from each person   simdp_release_k_response
 *     a sum whose sensitivity is its bound  simdp_release_clamped_sum, then one of the above
 *     rows in any order, tasks run again    simdp_release_laplace_by_id, _gaussian_by_id, _i64_by_id,
 *                                           simdp_release_randomized_response_by_id
 *
 * Of all that draw: rng moves by n; an external source (VSL) is asked for four words, as the key of a stream that
 * lives for the call. out has n elements, at any alignment, and may be the input itself. n elements take at most
 * PTRDIFF_MAX bytes, and not more positions than the stream has left of 2^64. SIMDP_ENULL: nothing was written. On
 * any other failure out is all NaN, INT64_MIN, UINT32_MAX or bytes of 0xff, never an answer (but where n is above
 * PTRDIFF_MAX bytes, which no array has: nothing is written). SIMDP_EPARAM is decided by n, parameters and the
 * stream, never by data. */

/* ---- releases by what they promise ------------------------------------------------------------------------------- */

/* out[i] = answers[i] + noise, on a grid, such that all n answers together are private: for any two neighbouring data
 * sets whose answers differ by at most `sensitivity`, the outputs are
 *
 *     epsilon-indistinguishable            simdp_release_laplace_private;  sensitivity: sum of |differences|, L1
 *     (epsilon, delta)-indistinguishable   simdp_release_gaussian_private; sensitivity: root of the sum of squares, L2
 *
 * This is simdp_release_laplace with the scale sensitivity / epsilon, or simdp_release_gaussian with the least sigma
 * that is enough (the exact curve of Gaussian noise, not a bound of it), both rounded up, on the grid
 * simdp_release_grid(scale). What is said there of answers, bits and time holds here.
 *
 *   sensitivity  0 <= sensitivity < inf, from what is known of the data before they are seen. 0 says that no record
 *                moves an answer: it is released without noise
 *   epsilon      0 < epsilon < inf, nats
 *   delta        0 < delta < 1. (With 0 no Gaussian noise is enough, with 1 none is needed: both are SIMDP_EPARAM.)
 *
 * Noise below SIMDP_NOISE_SCALE_MIN is raised to it; noise above SIMDP_NOISE_SCALE_MAX is SIMDP_EPARAM. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_release_laplace_private(simdp_rng *rng, double *out, const double *answers,
                                                                   size_t n, double sensitivity, double epsilon);
SIMDP_API SIMDP_CHECKED simdp_status simdp_release_gaussian_private(simdp_rng *rng, double *out, const double *answers,
                                                                    size_t n, double sensitivity, double epsilon,
                                                                    double delta);

/* ---- Laplace and Gaussian releases ------------------------------------------------------------------------------- */

/* out[i] = the multiple of grid nearest to answers[i] + noise, as if all of it were computed with real numbers.
 * Rounding is post-processing: the output has the privacy of the ideal mechanism, with the caller's own sensitivity,
 * and no floating-point attack reaches it. The noise is a real function of infinitely many random bits (Laplace: -ln
 * |V| with the sign of V, V uniform in [-1, 1); Gaussian: Box and Muller on pairs of them); as many are drawn as decide
 * the rounding, at most 448, so the law is exact but for a total variation below 2^-200.
 *
 *   answers  taken as exact numbers. NaN counts as 0, an infinity as the largest finite number, subnormals as 0, -0 as
 *            0, and so does what lies below 2^-1022 grid. From 2^52 grid on an answer is its own cell, and the sum of
 *            cell and noise rounds once more
 *   scale    0 (no noise: the multiple of grid nearest to the answer; of two equally near ones the even one, so 0.5 and
 *            2.5 steps become 0 and 2), or SIMDP_NOISE_SCALE_MIN to SIMDP_NOISE_SCALE_MAX with scale / grid from 2^-30
 *            to 2^44. L1 sensitivity / epsilon gives epsilon-DP; sensitivity 0, an answer that no record moves, needs
 *            no noise
 *   sigma    the same; simdp_account.h says how large it must be for (epsilon, delta)
 *   grid     a power of two from SIMDP_RELEASE_GRID_MIN to SIMDP_RELEASE_GRID_MAX that does not depend on data
 *
 * Same key and position: same bits on every instruction set, in every rounding mode. Time depends neither on answers
 * nor on noise for scale / grid up to 2^30, but for two rare events that tell of noise bits: a block with more elements
 * close to a rounding border than there are slots for (below 2^-20 a block for scale / grid <= 2^26), and an element
 * that 128 bits do not decide (below 2^-67 scale / grid). */
#define SIMDP_RELEASE_GRID_MIN 0x1p-944
#define SIMDP_RELEASE_GRID_MAX 0x1p+930
SIMDP_API SIMDP_CHECKED simdp_status simdp_release_laplace(simdp_rng *rng, double *out, const double *answers, size_t n,
                                                           double scale, double grid);
SIMDP_API SIMDP_CHECKED simdp_status simdp_release_gaussian(simdp_rng *rng, double *out, const double *answers,
                                                            size_t n, double sigma, double grid);

/* The default grid: a power of two, scale / grid from 2^22 up to 2^23. SIMDP_RELEASE_GRID_MIN for scale 0, NaN for a
 * scale outside SIMDP_NOISE_SCALE_MIN to SIMDP_NOISE_SCALE_MAX. */
SIMDP_API double simdp_release_grid(double scale);

/* Floats: out[i] = the float nearest to what simdp_release_laplace (simdp_release_gaussian) makes of (double)answers[i]
 * at the same position with the same scale and grid, which is post-processing. Results beyond FLT_MAX become FLT_MAX,
 * results below FLT_MIN in magnitude 0; answers that are subnormal as floats count as 0, and sensitivity is that of the
 * numbers so counted (at scales near FLT_MIN or below it may be larger). */
SIMDP_API SIMDP_CHECKED simdp_status simdp_release_laplace_f32(simdp_rng *rng, float *out, const float *answers,
                                                               size_t n, double scale, double grid);
SIMDP_API SIMDP_CHECKED simdp_status simdp_release_gaussian_f32(simdp_rng *rng, float *out, const float *answers,
                                                                size_t n, double sigma, double grid);

/* Integers: out[i] = answers[i] plus the integer nearest to the noise, that is the grid 1, cut at INT64_MIN and
 * INT64_MAX, which is post-processing. scale and sigma: 0, or from 2^-30 to 2^44. The promise is that of real noise:
 * scale = L1 sensitivity / epsilon gives epsilon-DP. (Noise is cut at 2^51 in size: with scales above 2^43 a total
 * variation below 2^-184.) */
SIMDP_API SIMDP_CHECKED simdp_status simdp_release_laplace_i64(simdp_rng *rng, int64_t *out, const int64_t *answers,
                                                               size_t n, double scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_release_gaussian_i64(simdp_rng *rng, int64_t *out, const int64_t *answers,
                                                                size_t n, double sigma);

/* ---- counts of groups, shown from a threshold on ------------------------------------------------------------------ */

/* Where the data say which groups there are, a group of one person must hardly ever be shown. out[i] = what
 * simdp_release_laplace (simdp_release_gaussian) makes of counts[i] at the same position, if that is at least
 * `threshold`; else NaN (INT64_MIN). keep[i] = 1 or 0 says which; keep may be NULL. The decision is made on the released
 * number, so it is post-processing of an exact release. Counts that are not above 0, and NaN, are never shown.
 *
 * Privacy, for a person who is in at most k groups and counted once in each, with threshold =
 * simdp_release_threshold_laplace(...) for delta and k: scale = k / epsilon gives (epsilon, delta)-DP for groups and
 * counts together. Gaussian: (epsilon, delta' + delta)-DP, if sigma is enough for (epsilon, delta') at L2 sensitivity
 * root of k. For accounting add the noise (simdp_pld_add_laplace(pld, 1 / scale, k), simdp_pld_add_gaussian(pld, sigma,
 * k)), and delta once: simdp_pld_add_randomized_response(pld, 0, delta, 1).
 *
 * threshold from -2^1000 to 2^1000, integers from -2^62; else SIMDP_EPARAM. On failure keep is all 0. All else, time
 * too, as in the release. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_release_laplace_threshold(simdp_rng *rng, double *out, uint8_t *keep,
                                                                     const double *counts, size_t n, double scale,
                                                                     double grid, double threshold);
SIMDP_API SIMDP_CHECKED simdp_status simdp_release_gaussian_threshold(simdp_rng *rng, double *out, uint8_t *keep,
                                                                      const double *counts, size_t n, double sigma,
                                                                      double grid, double threshold);
SIMDP_API SIMDP_CHECKED simdp_status simdp_release_laplace_threshold_i64(simdp_rng *rng, int64_t *out, uint8_t *keep,
                                                                         const int64_t *counts, size_t n, double scale,
                                                                         int64_t threshold);
SIMDP_API SIMDP_CHECKED simdp_status simdp_release_gaussian_threshold_i64(simdp_rng *rng, int64_t *out, uint8_t *keep,
                                                                          const int64_t *counts, size_t n, double sigma,
                                                                          int64_t threshold);

/* threshold[i] = the multiple of grid from which on counts may be shown: a group of one person is shown with
 * probability at most d = 1 - (1 - delta[i])^(1 / groups_per_person), and the groups of one person together with at most
 * delta[i]. The real number is 1 + scale ln(1 / (2 d)) (for d <= 1/2) or 1 + sigma q, q the upper d-quantile of the
 * normal law, plus half a step for the rounding of the release; it is rounded up, by one step and 2^-45 of itself at
 * most (2^-16 where d < 2^-1022, of which doubles hold few digits). 2^-1000 <= delta < 1; scale, sigma:
 * SIMDP_NOISE_SCALE_MIN to SIMDP_NOISE_SCALE_MAX; grid as in the release (1 for integers); groups_per_person >= 1. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_release_threshold_laplace(double *threshold, const double *delta, size_t n,
                                                                     double scale, double grid,
                                                                     uint64_t groups_per_person);
SIMDP_API SIMDP_CHECKED simdp_status simdp_release_threshold_gaussian(double *threshold, const double *delta, size_t n,
                                                                      double sigma, double grid,
                                                                      uint64_t groups_per_person);

/* ---- integers with discrete laws --------------------------------------------------------------------------------- */

/* The discrete laws are those of the literature on integers, exactly: real numbers, of which as many digits are
 * computed and drawn as it takes, decide. Take them where the scale is about 1 or smaller, since they are less noise
 * for the same promise (at scale 1/4 the answer itself comes out with probability 0.96, with rounded Laplace noise
 * 0.86), or where an analysis is of these laws. Else take simdp_release_laplace_i64 and simdp_release_gaussian_i64: two
 * to three times as fast, and above scale 1 hardly noisier (rounding adds 1/12 to the variance).
 *
 *     discrete Laplace    P[x] = tanh(1 / (2 scale)) e^(-|x| / scale)
 *                         (1 / scale)-DP at integer L1 sensitivity 1
 *     discrete Gaussian   P[x] = e^(-x^2 / (2 sigma^2)) / Z, Z their sum
 *                         D^2 / (2 sigma^2)-zCDP at L2 sensitivity D
 *
 * Total variation from these laws: below 2^-380. One position each; an element is a function of its position alone.
 * scale and sigma: 0 (all 0, positions advance), or from SIMDP_RELEASE_DISCRETE_MIN to SIMDP_RELEASE_DISCRETE_MAX. |x|
 * is below 2^49 (a part of mass 2^-380 apart).
 *
 * Time. Laplace: as simdp_release_laplace with grid 1. Gaussian: it tells how many attempts were made (sigma > 6.5:
 * between one in nine and one in twenty fails), which is independent of the numbers, and whether a comparison needed
 * more digits: of 63 with probability below 2^-56, where it would tell something; of what doubles see with probability
 * 2^-43 + 2^-53 sigma, where it tells next to nothing (an attempt is as likely to need them as to be accepted, whatever
 * its number). */
#define SIMDP_RELEASE_DISCRETE_MIN 0x1p-10
#define SIMDP_RELEASE_DISCRETE_MAX 0x1p+40

/* out[i] = answers[i] + noise, cut at INT64_MIN and INT64_MAX, which is post-processing. Time does not depend on
 * answers. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_release_discrete_laplace_i64(simdp_rng *rng, int64_t *out,
                                                                        const int64_t *answers, size_t n, double scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_release_discrete_gaussian_i64(simdp_rng *rng, int64_t *out,
                                                                         const int64_t *answers, size_t n,
                                                                         double sigma);

/* Bounded geometric noise (Ghosh, Roughgarden and Sundararajan, 2009): answers[i] is clamped to [lower, upper], discrete
 * Laplace noise is added, and the sum is clamped again. Clamping does not make answers differ by more, and clamping
 * what is released is post-processing, so the promise is that of the noise: (1 / scale)-DP at integer L1 sensitivity 1.
 * The law is exact: between the bounds that of discrete Laplace noise, at a bound all that lies beyond it. Of all
 * mechanisms with the promise, this one can be turned into the best for any one who expects some counts in [lower,
 * upper] and loses by a distance.
 *
 * lower <= upper, from what is known before the data are seen; else SIMDP_EPARAM. Words of its own. Time does not depend
 * on answers. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_release_discrete_laplace_bounded_i64(simdp_rng *rng, int64_t *out,
                                                                                const int64_t *answers, size_t n,
                                                                                double scale, int64_t lower,
                                                                                int64_t upper);

/* Discrete Gaussian noise under the condition that |noise| <= bound, for results that must not stray: P[x] =
 * e^(-x^2 / (2 sigma^2)) / Z for |x| <= bound, Z their sum, exactly. Results are cut at INT64_MIN and INT64_MAX.
 *
 * Privacy. The cut costs a delta: where one answer cannot come out any more and its neighbour can, the result tells
 * which it was, so no zCDP holds. If untruncated noise is (epsilon, delta)-DP for answers whose neighbours differ by d_i,
 * this is (epsilon, delta / (1 - 2 t(bound)) + sum of (t(bound - d_i) - t(bound)) / (1 - 2 t(bound)))-DP, t(x) =
 * P[noise > x] of the untruncated law (simdp_noise_sf). For one answer the exact curve is that of the pair of both laws:
 * simdp_loss_delta_finite, and simdp_pld_add_pair for many.
 *
 * sigma <= bound (sigma 0: 0 <= bound), else SIMDP_EPARAM. Words of its own. Time: as discrete Gaussian noise; an attempt
 * beyond the bound is one that fails, and how many fail is independent of the number that comes out. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_release_discrete_gaussian_truncated_i64(simdp_rng *rng, int64_t *out,
                                                                                   const int64_t *answers, size_t n,
                                                                                   double sigma, int64_t bound);

/* The noise alone, which is no release: out is untouched on SIMDP_EPARAM and SIMDP_EISA. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_noise_discrete_laplace_i64(simdp_rng *rng, int64_t *out, size_t n,
                                                                      double scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_noise_discrete_gaussian_i64(simdp_rng *rng, int64_t *out, size_t n,
                                                                       double sigma);

/* ---- randomized response ----------------------------------------------------------------------------------------- */

/* out[i] = the truth of bits[i] (1 for any byte but 0), turned with probability 1 / (1 + e^epsilon): epsilon-DP for
 * each answer. The law is exact: a uniform number, of which as many random digits are drawn as it takes, is compared
 * with the real number 1 / (1 + e^epsilon). (Total variation: below 2^-480 of it.)
 *
 *   out      n bytes 0 or 1
 *   epsilon  0 <= epsilon < inf, nats; 0 gives fair coins, above 2^20 it counts as 2^20
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

/* ---- unary encoding ---------------------------------------------------------------------------------------------- */

/* Bits with one law for ones and one for zeros. Of n bits packed as above, each becomes 1 on its own, with probability
 *
 *     1 / (1 + e^-log_odds_one)    if it is 1: P[1 | 1]
 *     1 / (1 + e^-log_odds_zero)   if it is 0: P[1 | 0]
 *
 * exactly, as randomized response; both log-odds finite, beyond +-2^20 they count as +-2^20. A value among k, sent as k
 * bits of which one is 1, is |log_odds_one - log_odds_zero|-DP (simdp_loss.h, "local reports", has the promises of
 * these log-odds and of two stages, and estimates from reports). The common choices for a promise epsilon, exact as
 * doubles, so that no more is spent than asked for:
 *
 *     optimised   log_odds_one = 0, log_odds_zero = -epsilon               least variance for rare values
 *     symmetric   log_odds_one = epsilon / 2, log_odds_zero = -epsilon / 2
 *
 * Time depends neither on bits nor on reports, but for events of probability below 2^-45 for each 512 bits, which tell
 * of random digits. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_release_unary(simdp_rng *rng, uint8_t *out, const uint8_t *bits, size_t n,
                                                         double log_odds_one, double log_odds_zero);

/* ---- reports of one value among k -------------------------------------------------------------------------------- */

/* k-ary randomized response: out[i] = values[i] with probability e^epsilon / (e^epsilon + k - 1), and each of the k - 1
 * other numbers below k with probability 1 / (e^epsilon + k - 1): epsilon-DP for each report. Any two values are a
 * worst pair, with the probabilities (keep, other, (k - 2) other) and (other, keep, (k - 2) other): for
 * simdp_pld_add_pair, whose numbers simdp_loss_k_response_probabilities gives. The law is exact: a uniform number
 * times the real number e^epsilon + k - 1 decides, of which as many random digits are drawn as it takes, at most 512.
 * (Each probability is right to 2^-500 + (e^epsilon + k) 2^-510 of itself; a report spends at most twice that beyond
 * epsilon.)
 *
 *   out      n numbers below k; all UINT32_MAX, which is no value, on failure
 *   values   a value from k on counts as 0: data never cause an error
 *   k        1 to 2^32 - 1; with 1 there is one value, and every report is 0
 *   epsilon  0 <= epsilon < inf, nats; 0 gives uniform reports, above 256 it counts as 256
 *
 * Time depends neither on values nor on reports, but for events that tell of random digits and not of values: of
 * probability below k^2 2^-76 for each 1024 reports, and below 2^-53 for each. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_release_k_response(simdp_rng *rng, uint32_t *out, const uint32_t *values,
                                                              size_t n, uint32_t k, double epsilon);

/* ---- noise by identity ------------------------------------------------------------------------------------------- */

/* The releases above with noise that belongs to ids[i] instead of a position: simdp_rng.h says what an id is, what to put
 * into one, and that equal ids get equal noise. out[i] is a function of key, stream, ids[i], answers[i], law and
 * parameters: in any order, split, thread, on any machine. Law, type, scale, grid and epsilon are part of the derivation:
 * what one id gets under two of them has no bit in common, so that two outputs of one id do not give the answer away (a
 * scale of -0 is 0). Each has the law, the ranges, the promise and the failures of its namesake, and is as exact; the
 * noise of two different ids is independent. (One cipher maps ids to first words one to one: m different ids tell it from
 * independent numbers with an advantage below m^2 / 2^129.)
 *
 * rng must be deterministic, else SIMDP_EPARAM; it does not move, and threads may share it. ids has n elements, at any
 * alignment; n takes at most PTRDIFF_MAX bytes of ids. Time depends neither on answers nor on noise, but for the rare
 * events of the namesakes (randomized response: 2^-64 an answer). Ids are taken for public: what they are does not show in
 * the time either. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_release_laplace_by_id(simdp_rng *rng, double *out, const double *answers,
                                                                 const simdp_id *ids, size_t n, double scale,
                                                                 double grid);
SIMDP_API SIMDP_CHECKED simdp_status simdp_release_gaussian_by_id(simdp_rng *rng, double *out, const double *answers,
                                                                  const simdp_id *ids, size_t n, double sigma,
                                                                  double grid);
SIMDP_API SIMDP_CHECKED simdp_status simdp_release_laplace_i64_by_id(simdp_rng *rng, int64_t *out,
                                                                     const int64_t *answers, const simdp_id *ids,
                                                                     size_t n, double scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_release_gaussian_i64_by_id(simdp_rng *rng, int64_t *out,
                                                                      const int64_t *answers, const simdp_id *ids,
                                                                      size_t n, double sigma);
SIMDP_API SIMDP_CHECKED simdp_status simdp_release_randomized_response_by_id(simdp_rng *rng, uint8_t *out,
                                                                             const uint8_t *bits, const simdp_id *ids,
                                                                             size_t n, double epsilon);

/* ---- sums -------------------------------------------------------------------------------------------------------- */

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
 *   grid          a power of two from SIMDP_RELEASE_GRID_MIN to SIMDP_RELEASE_GRID_MAX;
 *                 use the grid of the release that follows, or a smaller one
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
