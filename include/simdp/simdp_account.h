/* simdp_account.h: composition, calibration, bounds, privacy-loss distributions, and the interactions they speak of. Part of simdp.h, which has the conventions. */
#ifndef SIMDP_ACCOUNT_H
#define SIMDP_ACCOUNT_H

#include "simdp.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- privacy-loss distributions ------------------------------------------------------------------------------------- */

/* What a sequence of mechanisms costs, computed from the law of its privacy loss: a bracket [lower, upper] around the exact
 * delta(epsilon) = E[(1 - exp(epsilon - L))+] and its inverse, L the sum of all losses ln P[y] / Q[y], y drawn from P. The
 * mechanisms may be chosen adaptively. Laplace, Gaussian, randomized response and discrete noise cost the same in both
 * directions; for a pair or a histogram that does not, ask for both (P, Q) and (Q, P) and take the larger.
 *
 * These functions allocate memory: SIMDP_ENOMEMORY if there is none, and the object is as before. A PLD of N points takes at
 * most 6 N doubles, the work of its composition included. One object may be read by several threads, changed by one.
 *
 * Losses are brought to the multiples of a grid chosen by the caller, above and below the truth:
 *   SIMDP_PLD_UP    each loss rounded up (pessimistic): an upper bound, off by up to times * grid in epsilon
 *   SIMDP_PLD_DOWN  each loss rounded down (optimistic): a lower bound, off by as much
 *   SIMDP_PLD_DOTS  each loss split between its two neighbours so that the curve of one step is exact at every multiple of the
 *                   grid (connect the dots): an upper bound, off by some times * grid^2
 *   SIMDP_PLD_BINS  outcomes of nearby losses put together so that their common loss is a multiple of the grid: a lower bound,
 *                   off by some times * grid^2 for Laplace and Gaussian; single outcomes between multiples are rounded down
 * A loss that many steps share (t of Laplace, epsilon of randomized response) is met exactly by a grid that divides it. */
typedef enum { SIMDP_PLD_NONE, SIMDP_PLD_UP, SIMDP_PLD_DOWN, SIMDP_PLD_DOTS, SIMDP_PLD_BINS } simdp_pld_rounding;
typedef struct simdp_pld simdp_pld;

/* The largest grid at or below most of which loss is a multiple (up to rounding); NaN unless both are positive and finite. */
SIMDP_API double simdp_pld_grid(double most, double loss);

/* An empty sequence. grid: 2^-60 to 2^60 nats. destroy takes NULL too. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_pld_create(simdp_pld **pld, double grid);
SIMDP_API void simdp_pld_destroy(simdp_pld *pld);

/* Append a mechanism, used `times` times (0: nothing). What was composed before is dropped. On failure nothing changes.
 *   laplace              t = sensitivity / scale, 0 <= t <= 1e6
 *   gaussian             s = sigma / sensitivity, 1e-6 <= s <= 1e12
 *   randomized_response  epsilon in [0, 1e6]; with probability leak in [0, 1] the input itself comes out
 *   discrete_laplace     on the integers: scale in [1e-6, 1e12], sensitivity a whole number in [0, 2^20], their quotient at most 1e6
 *   discrete_gaussian    on the integers: sigma in [1e-3, 1e8], sensitivity a whole number in [0, 2^20], sigma / sensitivity at
 *                        least 1e-6
 *   pair                 two laws on n <= 2^26 outcomes, used as given; entries in [0, 1], p adding up to 1 within 1e-9. q = 0 < p: loss inf
 *   histogram            mass[i] at loss (first + i) * grid, i < n <= 2^26, and `infinite` at +inf; entries in [0, 1], all adding up to 1
 *                        within 1e-9. Taken as the exact law by both bounds. first at most 2^40 in size
 * SIMDP_EPARAM if a parameter is out of range or the losses lie beyond 2^40 grid points. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_pld_add_laplace(simdp_pld *pld, double t, uint64_t times);
SIMDP_API SIMDP_CHECKED simdp_status simdp_pld_add_gaussian(simdp_pld *pld, double s, uint64_t times);
SIMDP_API SIMDP_CHECKED simdp_status
simdp_pld_add_randomized_response(simdp_pld *pld, double epsilon, double leak, uint64_t times);
SIMDP_API SIMDP_CHECKED simdp_status
simdp_pld_add_discrete_laplace(simdp_pld *pld, double scale, uint64_t sensitivity, uint64_t times);
SIMDP_API SIMDP_CHECKED simdp_status
simdp_pld_add_discrete_gaussian(simdp_pld *pld, double sigma, uint64_t sensitivity, uint64_t times);
SIMDP_API SIMDP_CHECKED simdp_status
simdp_pld_add_pair(simdp_pld *pld, const double *p, const double *q, size_t n, uint64_t times);
SIMDP_API SIMDP_CHECKED simdp_status
simdp_pld_add_histogram(simdp_pld *pld, const double *mass, size_t n, int64_t first, double infinite, uint64_t times);

/* The masses of one step of the mechanism that was appended as number `mechanism` (from 0; the same mechanism with the same
 * parameters appended again counts once), rounded as asked: mass[i] at loss (first + i) * grid. Relative error below 1e-12. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_pld_masses(const simdp_pld *pld, double *mass, size_t n, int64_t first,
                                                      size_t mechanism, simdp_pld_rounding rounding);

/* Called now and then during a composition with the part that is done, in [0, 1]; not 0 stops it. */
typedef int simdp_pld_progress(void *context, double done);

/* Compose everything appended so far, by fast Fourier transforms (FFTW3 interface; SIMDP_ENOTBUILT without one unless there
 * is but one step). The bounds come out sharp where delta lies in [delta_least, delta_most], 1e-300 <= delta_least <= delta_most
 * <= 1, and valid, if wider, elsewhere. The narrower the range the quicker. upper: SIMDP_PLD_UP or SIMDP_PLD_DOTS; lower:
 * SIMDP_PLD_DOWN, SIMDP_PLD_BINS, or SIMDP_PLD_NONE (answers 0). progress may be NULL; SIMDP_ECANCELLED if it stopped.
 * SIMDP_EPARAM also if the grid is so fine that more than 2^28 points were needed. On failure nothing is composed.
 *
 * How. The law of the sum is wanted where delta has the size asked for: there the masses are weighted with exp(v loss), v from
 * the Renyi moments (one v per piece of the range), so that what is wanted is what is large, and rounding errors, relative to the
 * largest masses, stay far below it: delta = 1e-300 is as good as 1e-3. Added to the upper bound and taken off the lower one:
 * what lies outside the window or wraps around (Chernoff bounds), masses left out of a step, rounding of masses and sums, and
 * the rounding errors of the transforms, from a bound on each frequency carried through the powers and products. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_pld_compose(simdp_pld *pld, double delta_least, double delta_most,
                                                       simdp_pld_rounding upper, simdp_pld_rounding lower,
                                                       simdp_pld_progress *progress, void *context);

/* The number of grid points N that the composition holds for each bound; 0 if nothing is composed or pld is NULL. */
SIMDP_API size_t simdp_pld_points(const simdp_pld *pld);

/* Bounds of the composed sequence for n values, in any order, about 0.1 us each: lower <= exact <= upper, rounded outward.
 * delta and log_delta: at epsilon[i] >= 0 (inf allowed). epsilon: the smallest epsilon >= 0 for delta[i] in [0, 1]; inf where
 * there is none. lower may be NULL; either may equal the input. An element that is NaN or out of range gives NaN. SIMDP_EPARAM,
 * outputs NaN, if nothing is composed. */
SIMDP_API SIMDP_CHECKED simdp_status
simdp_pld_delta(const simdp_pld *pld, double *lower, double *upper, const double *epsilon, size_t n);
SIMDP_API SIMDP_CHECKED simdp_status
simdp_pld_log_delta(const simdp_pld *pld, double *lower, double *upper, const double *epsilon, size_t n);
SIMDP_API SIMDP_CHECKED simdp_status
simdp_pld_epsilon(const simdp_pld *pld, double *lower, double *upper, const double *delta, size_t n);

#ifdef __cplusplus
}
#endif

#endif
