/* simdp_account.h: composition, calibration, bounds, privacy-loss distributions, and the interactions they speak of. Part of simdp.h, which has the conventions.
 *
 * Sources of theorems, by the tags used below: 000 Azuma-Hoeffding and composition for stability (lecture notes); 001 concentration
 * of measure from differential privacy (talk); 002 advanced composition (lecture notes); 003 Typical Stability (paper); 004 strong
 * composition (lecture notes). Where a text prints a slip, the corrected statement is computed. [+] goes beyond them.
 *
 * Safe side. An epsilon, delta or noise scale that is an upper bound is rounded outward: the computed value times 1 + 8 * 2^-53, plus the
 * error of iterative methods where there is one; never above 1 for delta; 0, inf and results that are exact stay. What a caller may
 * spend (an inverse) is rounded downward. Below 2^-1074 a delta reads 0; its logarithm does not.
 *
 * Bad input. NaN, or a value outside the stated domain, gives NaN results and SIMDP_EPARAM; in an array only in its place, the other
 * elements are right. A NULL pointer where something is to be read or written: SIMDP_ENULL, nothing written. epsilon = inf is legal
 * ("no privacy"), and overflow is inf. k = 0 steps: epsilon 0. A bound with ln(1/slack) at slack = 0 is inf, unless epsilon = 0.
 *
 * Functions take no lock, allocate nothing, and may be called from several threads. */
#ifndef SIMDP_ACCOUNT_H
#define SIMDP_ACCOUNT_H

#include "simdp.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- composition ---------------------------------------------------------------------------------------------------- */

/* A guarantee: epsilon >= 0 in nats, 0 <= delta <= 1. */
typedef struct {
    double epsilon, delta;
} simdp_privacy;

/* k adaptive steps, each (epsilon, delta)-DP, and the slack 0 <= delta' <= 1 a theorem may add. */
typedef struct {
    double epsilon, delta;
    int64_t k;
    double slack;
} simdp_steps;

/* The transcript is (epsilon, delta)-DP, and (epsilon, delta_sharp)-DP with delta_sharp <= delta. */
typedef struct {
    double epsilon, delta, delta_sharp;
} simdp_composed;

/* total[i] for steps[i], i < n. Errors below 1e-14 relative.
 *   basic              k epsilon;  min(1, k delta), sharp 1 - (1-delta)^k.  slack is not read.
 *   azuma              000 T2: 2k epsilon^2 + epsilon sqrt(2k ln(1/slack));  slack.  Pure steps: delta must be 0.
 *   azuma_approximate  000 T1: 2k epsilon^2 + epsilon sqrt(2k ln(1/(k delta)));  2k delta.  (0, 1) if k delta >= 1. slack is not read.
 *   advanced           002: k epsilon (e^epsilon - 1) + epsilon sqrt(2k ln(1/slack));  slack.  Pure steps.
 *   strong             004 T1.1: k epsilon tanh(epsilon/2) + epsilon sqrt(2k ln(1/slack));  k delta + slack,
 *                      sharp 1 - (1-delta)^k (1-slack).
 *   bounded_range      [+] pure steps whose losses lie in an interval of length epsilon, such as exponential mechanisms:
 *                      k kappa(epsilon) + epsilon sqrt((k/2) ln(1/slack));  slack.  kappa is simdp_bounded_range_mean.
 * Each is a bound of its own: for few steps basic may be the smallest. simdp_bounds compares them. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_compose_basic(simdp_composed *total, const simdp_steps *steps, size_t n);
SIMDP_API SIMDP_CHECKED simdp_status simdp_compose_azuma(simdp_composed *total, const simdp_steps *steps, size_t n);
SIMDP_API SIMDP_CHECKED simdp_status simdp_compose_azuma_approximate(simdp_composed *total, const simdp_steps *steps, size_t n);
SIMDP_API SIMDP_CHECKED simdp_status simdp_compose_advanced(simdp_composed *total, const simdp_steps *steps, size_t n);
SIMDP_API SIMDP_CHECKED simdp_status simdp_compose_strong(simdp_composed *total, const simdp_steps *steps, size_t n);
SIMDP_API SIMDP_CHECKED simdp_status simdp_compose_bounded_range(simdp_composed *total, const simdp_steps *steps, size_t n);

/* kappa(epsilon) = ln((e^epsilon - 1)/epsilon) - 1 + epsilon/(e^epsilon - 1) <= epsilon^2/8: the largest mean loss of a step whose losses
 * span epsilon at most. Rounded to nearest. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_bounded_range_mean(double *mean, const double *epsilon, size_t n);

/* The largest epsilon of a step such that k of them stay within total[i].epsilon by the strong or the basic bound, rounded down;
 * total[i].k and total[i].slack as above, delta is not read. inf if k = 0. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_compose_strong_inverse(double *step, const simdp_steps *total, size_t n);

/* k steps that differ: basic (sum epsilon; sum delta, sharp 1 - prod(1-delta)) and strong [+] (sum epsilon tanh(epsilon/2)
 * + sqrt(2 ln(1/slack) sum epsilon^2); sum delta + slack, sharp 1 - (1-slack) prod(1-delta)). A bad step makes both results NaN. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_compose_heterogeneous(simdp_composed *basic, simdp_composed *strong, const simdp_privacy *steps,
                                                                 size_t k, double slack);

/* The exact worst case of k (epsilon, delta)-DP steps [+] (Kairouz, Oh, Viswanath), 0 <= k <= 10^12: the smallest total delta at a given
 * total epsilon, its logarithm, and the smallest total epsilon >= 0 at a given total delta (inf where delta < 1 - (1-step.delta)^k;
 * k epsilon at delta = 0). No k or epsilon overflows. Errors below 1e-10 relative, about 1e-14 for k up to a million; results
 * are raised by their error. Time grows with sqrt(k): k = 1000 takes microseconds, k = 10^9 tens of milliseconds. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_compose_optimal_delta(double *delta, const double *epsilon, size_t n, simdp_privacy step, int64_t k);
SIMDP_API SIMDP_CHECKED simdp_status simdp_compose_optimal_log_delta(double *log_delta, const double *epsilon, size_t n, simdp_privacy step, int64_t k);
SIMDP_API SIMDP_CHECKED simdp_status simdp_compose_optimal_epsilon(double *epsilon, const double *delta, size_t n, simdp_privacy step, int64_t k);

/* The same for k <= 24 steps that differ, by enumeration: time grows with 2^k. A bad step makes all results NaN. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_compose_optimal_heterogeneous_delta(double *delta, const double *epsilon, size_t n,
                                                                               const simdp_privacy *steps, size_t k);
SIMDP_API SIMDP_CHECKED simdp_status simdp_compose_optimal_heterogeneous_log_delta(double *log_delta, const double *epsilon, size_t n,
                                                                                   const simdp_privacy *steps, size_t k);
SIMDP_API SIMDP_CHECKED simdp_status simdp_compose_optimal_heterogeneous_epsilon(double *epsilon, const double *delta, size_t n,
                                                                                 const simdp_privacy *steps, size_t k);

/* k Laplace mechanisms of equal t = sensitivity/scale, exactly [+], 0 <= k <= 500: total delta, its logarithm, and the smallest total epsilon.
 * Errors below 1e-12 relative for k <= 120 also where delta is tiny; beyond, terms cancel where delta is near 1, the result knows its
 * error and is raised by it. Time grows with k^2: k = 100 takes about 100 microseconds a delta. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_compose_laplace_delta(double *delta, const double *epsilon, size_t n, double sensitivity_over_scale, int64_t k);
SIMDP_API SIMDP_CHECKED simdp_status simdp_compose_laplace_log_delta(double *log_delta, const double *epsilon, size_t n, double sensitivity_over_scale, int64_t k);
SIMDP_API SIMDP_CHECKED simdp_status simdp_compose_laplace_epsilon(double *epsilon, const double *delta, size_t n, double sensitivity_over_scale, int64_t k);

#ifdef __cplusplus
}
#endif

#endif
