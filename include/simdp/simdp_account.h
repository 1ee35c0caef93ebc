/* simdp_account.h: composition, calibration, bounds, privacy-loss distributions, and the interactions they speak of.
 * Part of simdp.h, which has the conventions.
 *
 * Sources of theorems, by the tags used below: 000 Azuma-Hoeffding and composition for stability (lecture notes);
 * 001 concentration of measure from differential privacy (talk); 002 advanced composition (lecture notes); 003
 * Typical Stability (paper); 004 strong composition (lecture notes). Where a text prints a slip, the corrected
 * statement is computed. [+] goes beyond them.
 *
 * Safe side. An epsilon, delta or noise scale that is an upper bound is never below the real number it stands for, and
 * above it by the error stated with its function at most; never above 1 for delta; 0, inf and results that are exact
 * stay. What a caller may spend (an inverse) is never above it. u = 2^-53; an error of so many u is relative to the
 * result, and there are 6 units of 2^-1074 more where that is subnormal. A delta above 0 reads at least 2^-1074.
 *
 * Bad input: the rule at the top of simdp_loss.h. NaN, or a value outside the stated domain, gives NaN results and
 * SIMDP_EPARAM; in an array only in its place. A result made of all elements of an array (a sum, a best) is NaN if one
 * of them is bad. epsilon = inf is legal ("no privacy"), and overflow is inf. k = 0 steps: epsilon 0. A bound with
 * ln(1/slack) at slack = 0 is inf, unless epsilon = 0.
 *
 * Functions take no lock, allocate nothing, and may be called from several threads; privacy-loss distributions say what
 * they do. */
#ifndef SIMDP_ACCOUNT_H
#define SIMDP_ACCOUNT_H

#include "simdp_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- composition ----------------------------------------------------------------------------------------------- */

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

/* total[i] for steps[i], i < n. Errors below 16 u: 4 u for k epsilon and k delta, 8 u for k delta + slack, 64 u for the
 * epsilon of bounded_range.
 *   basic              k epsilon;  min(1, k delta), sharp 1 - (1-delta)^k.  slack is not read.
 *   azuma              000 T2: 2k epsilon^2 + epsilon sqrt(2k ln(1/slack));  slack.  Pure steps: delta must be 0.
 *   azuma_approximate  000 T1: 2k epsilon^2 + epsilon sqrt(2k ln(1/(k delta)));  2k delta.  (0, 1) if k delta >= 1.
 *                      slack is not read.
 *   advanced           002: k epsilon (e^epsilon - 1) + epsilon sqrt(2k ln(1/slack));  slack.  Pure steps.
 *   strong             004 T1.1: k epsilon tanh(epsilon/2) + epsilon sqrt(2k ln(1/slack));  k delta + slack,
 *                      sharp 1 - (1-delta)^k (1-slack).
 *   bounded_range      [+] pure steps whose losses span epsilon at most, such as exponential mechanisms:
 *                      k kappa(epsilon) + epsilon sqrt((k/2) ln(1/slack));  slack.  kappa is simdp_bounded_range_mean.
 * Each is a bound of its own: for few steps basic may be the smallest. simdp_bounds compares them. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_compose_basic(simdp_composed *total, const simdp_steps *steps, size_t n);
SIMDP_API SIMDP_CHECKED simdp_status simdp_compose_azuma(simdp_composed *total, const simdp_steps *steps, size_t n);
SIMDP_API SIMDP_CHECKED simdp_status simdp_compose_azuma_approximate(simdp_composed *total, const simdp_steps *steps,
                                                                     size_t n);
SIMDP_API SIMDP_CHECKED simdp_status simdp_compose_advanced(simdp_composed *total, const simdp_steps *steps, size_t n);
SIMDP_API SIMDP_CHECKED simdp_status simdp_compose_strong(simdp_composed *total, const simdp_steps *steps, size_t n);
SIMDP_API SIMDP_CHECKED simdp_status simdp_compose_bounded_range(simdp_composed *total, const simdp_steps *steps,
                                                                 size_t n);

/* kappa(epsilon) = ln((e^epsilon - 1)/epsilon) - 1 + epsilon/(e^epsilon - 1) <= epsilon^2/8: the largest mean loss
 * of a step whose losses span epsilon at most. Error 16 u on either side. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_bounded_range_mean(double *mean, const double *epsilon, size_t n);

/* The largest epsilon of a step such that k of them stay within total[i].epsilon by the strong or the basic bound,
 * rounded down, by 32 u at most; total[i].k and total[i].slack as above, delta is not read. inf if k = 0. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_compose_strong_inverse(double *step, const simdp_steps *total, size_t n);

/* k steps that differ: basic (sum epsilon; sum delta, sharp 1 - prod(1-delta)) and strong [+] (sum epsilon
 * tanh(epsilon/2) + sqrt(2 ln(1/slack) sum epsilon^2); sum delta + slack, sharp 1 - (1-slack) prod(1-delta)). A bad
 * step makes both results NaN. Errors as above, for any number of steps. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_compose_heterogeneous(simdp_composed *basic, simdp_composed *strong,
                                                                 const simdp_privacy *steps, size_t k, double slack);

/* The exact worst case of k (epsilon, delta)-DP steps [+] (Kairouz, Oh, Viswanath), 0 <= k <= 10^12: the smallest
 * total delta at a given total epsilon, its logarithm, and the smallest total epsilon >= 0 at a given total delta
 * (inf where delta < 1 - (1-step.delta)^k; k epsilon at delta = 0). No k or epsilon overflows or underflows. Error of
 * delta: 6e-13 + 6e-15 |ln delta_0| relative, delta_0 what is not leaked; of its logarithm as much absolute, and 32 u.
 * epsilon is at most that of a delta_0 that is less by this part, and 16 u more; a delta_0 of 2^-n times
 * the leak is known to 2^(n-94) of itself. Time grows with sqrt(k): an inverse at k = 1000 takes tens of microseconds,
 * at k = 10^9 milliseconds. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_compose_optimal_delta(double *delta, const double *epsilon, size_t n,
                                                                 simdp_privacy step, int64_t k);
SIMDP_API SIMDP_CHECKED simdp_status simdp_compose_optimal_log_delta(double *log_delta, const double *epsilon, size_t n,
                                                                     simdp_privacy step, int64_t k);
SIMDP_API SIMDP_CHECKED simdp_status simdp_compose_optimal_epsilon(double *epsilon, const double *delta, size_t n,
                                                                   simdp_privacy step, int64_t k);

/* The same for k <= 24 steps that differ, by enumeration: time grows with 2^k. Errors as above with 1e-13 + 4e-15 |ln
 * delta_0|. A bad step makes all results NaN. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_compose_optimal_heterogeneous_delta(double *delta, const double *epsilon,
                                                                               size_t n, const simdp_privacy *steps,
                                                                               size_t k);
SIMDP_API SIMDP_CHECKED simdp_status simdp_compose_optimal_heterogeneous_log_delta(double *log_delta,
                                                                                   const double *epsilon, size_t n,
                                                                                   const simdp_privacy *steps,
                                                                                   size_t k);
SIMDP_API SIMDP_CHECKED simdp_status simdp_compose_optimal_heterogeneous_epsilon(double *epsilon, const double *delta,
                                                                                 size_t n, const simdp_privacy *steps,
                                                                                 size_t k);

/* k Laplace mechanisms of equal t = sensitivity/scale, exactly [+], 0 <= k <= 500: total delta, its logarithm, and
 * the smallest total epsilon. Error of delta for k <= 120: 1e-12 + 4e-15 |ln delta| relative, of its logarithm as much
 * absolute, and 32 u; of epsilon 2.5 times as much over the slope of ln delta, and 16 u. Beyond 120, terms cancel where
 * delta is near 1, the result knows its error and is raised by it. Time grows with k^2: k = 100 takes about 0.2
 * milliseconds a delta. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_compose_laplace_delta(double *delta, const double *epsilon, size_t n,
                                                                 double sensitivity_over_scale, int64_t k);
SIMDP_API SIMDP_CHECKED simdp_status simdp_compose_laplace_log_delta(double *log_delta, const double *epsilon, size_t n,
                                                                     double sensitivity_over_scale, int64_t k);
SIMDP_API SIMDP_CHECKED simdp_status simdp_compose_laplace_epsilon(double *epsilon, const double *delta, size_t n,
                                                                   double sensitivity_over_scale, int64_t k);

/* ---- bounds side by side --------------------------------------------------------------------------------------- */

typedef enum {
    SIMDP_BOUND_BASIC,
    SIMDP_BOUND_AZUMA,         /* 000 T2; for steps with delta, T1 if its delta fits */
    SIMDP_BOUND_ADVANCED,      /* 002; pure steps */
    SIMDP_BOUND_STRONG,        /* 004 T1.1 with slack delta - k step.delta */
    SIMDP_BOUND_STRONG_SHARP,  /* 004 T1.1 with its sharper delta */
    SIMDP_BOUND_ZCDP,          /* [+] each step is (epsilon^2/2)-zCDP */
    SIMDP_BOUND_RENYI,         /* [+] Renyi curve of randomized response at its best order */
    SIMDP_BOUND_OPTIMAL,       /* [+] exact worst case */
    SIMDP_BOUND_BOUNDED_RANGE, /* [+] only for steps whose losses span epsilon at most: never counted as smallest */
    SIMDP_BOUND_COUNT
} simdp_bound;

typedef struct {
    double epsilon[SIMDP_BOUND_COUNT]; /* inf where a bound does not apply at this delta */
    simdp_bound smallest;              /* of all but bounded_range; the first of equals */
    simdp_bound smallest_formula;      /* of basic .. strong_sharp */
} simdp_bound_table;

/* Total epsilon of k (epsilon, delta)-DP steps at total delta, by every bound, with its error. The slack of strong
 * bounds is rounded down to a double first. A bad argument makes all epsilons NaN. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_bounds(simdp_bound_table *table, simdp_privacy step, int64_t k,
                                                  double delta);

/* "basic", "strong", ...; never NULL */
SIMDP_API const char *simdp_bound_name(simdp_bound bound);

/* ---- calibration ----------------------------------------------------------------------------------------------- */

/* The exact curves of single mechanisms, solved. t = sensitivity/scale of Laplace noise, s = sigma/sensitivity of
 * Gaussian noise, both in [0, inf]; delta in [0, 1].
 *   delta_upper   delta(epsilon), as in simdp_loss.h but rounded upward
 *   epsilon       the smallest epsilon >= 0 with delta(epsilon) <= delta
 *   sigma, scale  the smallest s, or scale/sensitivity, with delta(epsilon) <= delta: noise multipliers
 *   epsilon0      the largest epsilon0 of randomized response that keeps (epsilon, delta), rounded down; NaN if
 *                 delta < leak
 * epsilon = inf promises nothing: sigma and scale are 0. Errors: Laplace delta and scale 8 u, epsilon 8 u of t;
 * randomized response delta and epsilon0 16 u, epsilon 16 u of epsilon0; Gaussian delta 96 u. Gaussian epsilon and
 * sigma are solved for in the logarithm of the exact curve, from delta = 2^-1074 to 1 and for every epsilon: an error
 * of 120 u min(1, l) + 30 u l, l = |ln delta|, over the slope of ln delta (in epsilon, or in ln sigma), and 32 u. About
 * a million results per second. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_delta_upper_gaussian(double *delta, const double *epsilon, size_t n,
                                                                double sigma_over_sensitivity);
SIMDP_API SIMDP_CHECKED simdp_status simdp_epsilon_gaussian(double *epsilon, const double *delta, size_t n,
                                                            double sigma_over_sensitivity);
SIMDP_API SIMDP_CHECKED simdp_status simdp_epsilon_gaussian_each(double *epsilon, const double *delta,
                                                                 const double *sigma_over_sensitivity, size_t n);
SIMDP_API SIMDP_CHECKED simdp_status simdp_sigma_gaussian(double *sigma_over_sensitivity, const double *epsilon,
                                                          const double *delta, size_t n);
SIMDP_API SIMDP_CHECKED simdp_status simdp_delta_upper_laplace(double *delta, const double *epsilon, size_t n,
                                                               double sensitivity_over_scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_epsilon_laplace(double *epsilon, const double *delta, size_t n,
                                                           double sensitivity_over_scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_epsilon_laplace_each(double *epsilon, const double *delta,
                                                                const double *sensitivity_over_scale, size_t n);
SIMDP_API SIMDP_CHECKED simdp_status simdp_scale_laplace(double *scale_over_sensitivity, const double *epsilon,
                                                         const double *delta, size_t n);
SIMDP_API SIMDP_CHECKED simdp_status simdp_delta_upper_randomized_response(double *delta, const double *epsilon,
                                                                           size_t n, double epsilon0, double leak);
SIMDP_API SIMDP_CHECKED simdp_status simdp_epsilon_randomized_response(double *epsilon, const double *delta, size_t n,
                                                                       double epsilon0, double leak);
SIMDP_API SIMDP_CHECKED simdp_status simdp_epsilon0_randomized_response(double *epsilon0, const double *epsilon,
                                                                        size_t n, double delta, double leak);

/* Gaussian mechanisms compose to one [+], adaptively too: 1/s^2 = sum counts[i]/steps[i]^2. counts may be NULL for 1
 * each. The result is rounded down (a smaller s promises less), by 8 u at most; one step alone is returned as it is; no
 * step: inf. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_compose_gaussian(double *sigma_over_sensitivity, const double *steps,
                                                            const int64_t *counts, size_t n);

/* Noise for a target, in units of the answer, and the guarantee of given noise. sensitivity >= 0 finite; sensitivity
 * 0 needs no noise. Errors as above (Laplace scale and deviation 16 u, epsilon 12 u of t); of a quotient or product
 * that leaves the range of doubles only the result counts. The scale of given Laplace noise is its deviation/sqrt 2 to
 * nearest. */
typedef struct {
    double epsilon, delta, sensitivity;
} simdp_noise_target;
typedef struct {
    double standard_deviation, sensitivity, delta;
} simdp_noise_given;
typedef struct {
    double scale;              /* Laplace scale b, or sigma */
    double standard_deviation; /* b sqrt 2, or sigma */
    double epsilon, delta;
} simdp_noise_plan;
SIMDP_API SIMDP_CHECKED simdp_status simdp_plan_laplace(simdp_noise_plan *out, const simdp_noise_target *target,
                                                        size_t n);
SIMDP_API SIMDP_CHECKED simdp_status simdp_plan_gaussian(simdp_noise_plan *out, const simdp_noise_target *target,
                                                         size_t n);
SIMDP_API SIMDP_CHECKED simdp_status simdp_guarantee_laplace(simdp_noise_plan *out, const simdp_noise_given *given,
                                                             size_t n);
SIMDP_API SIMDP_CHECKED simdp_status simdp_guarantee_gaussian(simdp_noise_plan *out, const simdp_noise_given *given,
                                                              size_t n);

/* ---- Renyi and zero-concentrated DP [+] ------------------------------------------------------------------------ */

/* From (order, divergence)-RDP, element by element. Order > 0; up to 1 nothing follows (epsilon inf, delta 1), but
 * that a divergence of 0, of any order, is that of two equal laws: epsilon 0, delta 0.
 *   epsilon           divergence + ln(1 - 1/order) - (ln delta + ln order)/(order - 1), at least 0
 *   epsilon_classic   divergence + ln(1/delta)/(order - 1), always larger
 *   delta, log_delta  min(1, e^((order-1)(divergence-epsilon)) (1 - 1/order)^order/(order-1))
 * Never below the real number; above it by at most 2^-50 of the sizes of the terms: those printed for epsilon, and for
 * log_delta (order-1)(divergence-epsilon) and the logarithm of the rest. delta follows log_delta; where it is
 * subnormal, 2^-1070 more. A log_delta below the least double is that double. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_renyi_epsilon(double *epsilon, const double *order, const double *divergence,
                                                         const double *delta, size_t n);
SIMDP_API SIMDP_CHECKED simdp_status simdp_renyi_epsilon_classic(double *epsilon, const double *order,
                                                                 const double *divergence, const double *delta,
                                                                 size_t n);
SIMDP_API SIMDP_CHECKED simdp_status simdp_renyi_delta(double *delta, const double *order, const double *divergence,
                                                       const double *epsilon, size_t n);
SIMDP_API SIMDP_CHECKED simdp_status simdp_renyi_log_delta(double *log_delta, const double *order,
                                                           const double *divergence, const double *epsilon, size_t n);

/* total[i] += count divergence[i], rounded up by at most 2^-50 (2^-1070 where subnormal), not at all where the sum is a
 * double: curves over the same orders add up under adaptive composition. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_renyi_add(double *total, const double *divergence, size_t n, int64_t count);

typedef struct {
    double epsilon, order;
} simdp_renyi_optimum;

/* The smallest epsilon over the n >= 1 given orders. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_renyi_best(simdp_renyi_optimum *best, const double *order,
                                                      const double *divergence, size_t n, double delta);

/* `count` adaptive uses of a mechanism; parameter: t, s, epsilon, or rho. A pure epsilon-DP step is at most a
 * randomized response. */
typedef struct {
    simdp_mechanism mechanism;
    double parameter;
    int64_t count;
} simdp_renyi_step;

/* The summed curve at given orders, above the real sum by at most 1e-13; and, for each delta, the epsilon of
 * simdp_renyi_epsilon at the best order 1 + x, 2^-52 <= x <= 2^1000, or at inf: right for the order it names, and
 * within 1e-9 of the smallest where that order is above 1 + 1e-9. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_renyi_compose(double *divergence, const double *order, size_t n,
                                                         const simdp_renyi_step *steps, size_t count);
SIMDP_API SIMDP_CHECKED simdp_status simdp_renyi_compose_epsilon(simdp_renyi_optimum *best, const double *delta,
                                                                 size_t n, const simdp_renyi_step *steps, size_t count);

/* rho-zCDP: epsilon of simdp_renyi_epsilon at the best order, with its error; that order, to 1e-13; and the simple rho
 * + 2 sqrt(rho ln(1/delta)), rounded up by at most 2^-49. */
typedef struct {
    double epsilon, epsilon_simple, order;
} simdp_zcdp_bound;
SIMDP_API SIMDP_CHECKED simdp_status simdp_zcdp_epsilon(simdp_zcdp_bound *bound, const double *rho, const double *delta,
                                                        size_t n);

/* ---- typical stability (003) ----------------------------------------------------------------------------------- */

/* eta >= 0 and 0 <= tau, nu <= 1 take the roles of epsilon, delta, and the mass of atypical datasets. */
typedef struct {
    double eta, tau, nu;
} simdp_stability;
typedef struct {
    double eta, tau, nu;
    int64_t k;
    double slack; /* tau' */
} simdp_stability_steps;
typedef struct {
    double eta, tau, nu; /* tau, nu at most 1: "no guarantee" */
    double log_tau;      /* of the value before it is cut at 1 */
    double tau_hat, psi; /* of the approximate theorem, else 0 */
} simdp_stability_composed;

/* k steps of (eta, tau, nu)-typically stable algorithms.
 *   nonadaptive   L3.2, independent coins: (k eta, k tau, k nu); slack is not read
 *   pure          T4.2: tau = 0, eta > 0, 0 < slack < 1. With eta_j = eta sqrt(2j ln(1/slack)) + j eta (e^eta - 1):
 *                 eta = 3 eta_k, tau = nu = 5 sqrt((k slack + nu + nu sum_{t<k} e^eta_t)/min(eta, 5))
 *   approximate   T4.8: 0 < eta <= 3/2, 0 < tau <= eta/50, 0 < slack < 1. The same form, with tau_hat = 2 tau/(1 -
 *                 e^-eta) beside slack and a larger eta_j
 * Any k >= 0 in constant time (about 0.1 ms). Rounded up: eta, tau_hat and psi by at most 2^-46 (for eta >= 1e-280),
 * log_tau by at most 2e-13 and 2^-49 of the sizes of ln nu, of the total eta and of itself; tau and nu follow log_tau.
 * nonadaptive: by 2^-49, log_tau by 2^-50 and 2^-51 absolute. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_compose_typical_nonadaptive(simdp_stability_composed *total,
                                                                       const simdp_stability_steps *steps, size_t n);
SIMDP_API SIMDP_CHECKED simdp_status simdp_compose_typical_pure(simdp_stability_composed *total,
                                                                const simdp_stability_steps *steps, size_t n);
SIMDP_API SIMDP_CHECKED simdp_status simdp_compose_typical_approximate(simdp_stability_composed *total,
                                                                       const simdp_stability_steps *steps, size_t n);

/* A query by how it concentrates, P[|q - E q| > alpha] <= e^-gamma(alpha): sensitivity Delta on n >= 1 independent
 * records; sigma-subgaussian; (sigma, b)-subexponential. Members a class does not name are not read. */
typedef enum { SIMDP_QUERY_SENSITIVE, SIMDP_QUERY_SUBGAUSSIAN, SIMDP_QUERY_SUBEXPONENTIAL } simdp_concentration;
typedef struct {
    simdp_concentration concentration;
    double parameter; /* Delta or sigma, > 0 */
    double b;         /* > 0 */
    int64_t n;
} simdp_query;

/* Exponents at alpha >= 0: gamma = max(0, best Chernoff exponent - ln 2); gamma_simple with min(alpha^2/2 sigma^2,
 * alpha/2b); both rounded down, by at most 2^-49 of the exponent. gamma_printed as 003 prints it, which is NOT a valid
 * two-sided exponent, to 2^-49. The inverse is the smallest alpha with gamma >= ln(1/nu), 0 <= nu < 1, rounded up by at
 * most 2^-49; inf at nu = 0. */
typedef struct {
    double gamma, gamma_simple, gamma_printed;
} simdp_exponent;
SIMDP_API SIMDP_CHECKED simdp_status simdp_gamma(simdp_exponent *out, double alpha, simdp_query query);
SIMDP_API SIMDP_CHECKED simdp_status simdp_gamma_inverse(double *alpha, double nu, simdp_query query);

/* Noise of the typically stable mechanisms for a query, eta > 0, 0 <= nu < 1: alpha = gamma_inverse(nu); Laplace
 * scale alpha/eta (Algorithm 2); Gaussian sigma alpha sqrt(2 ln(1.5/tau))/eta (Algorithm 3; inf for eta > 4.9, where
 * the rule is not certified) and the smaller analytic one, alpha simdp_sigma_gaussian. Rounded up by at most 2^-48. */
typedef struct {
    double alpha, laplace_scale, gaussian_sigma, gaussian_sigma_analytic;
} simdp_typical_plan;
SIMDP_API SIMDP_CHECKED simdp_status simdp_typical_noise(simdp_typical_plan *out, simdp_query query,
                                                         simdp_stability target);

/* Noise exceeded with probability at most beta, 0 < beta <= 1: T5.2, T5.4, and the exact quantile of the T5.4 noise.
 * nu is not read. Rounded up by at most 2^-48, the quantile by 2^-46. */
typedef struct {
    double laplace, gaussian, gaussian_exact;
} simdp_typical_errors;
SIMDP_API SIMDP_CHECKED simdp_status simdp_typical_error(simdp_typical_errors *out, double alpha,
                                                         simdp_stability target, double beta);

/* Near independence (L3.3) of an event with probability p under independence: e^eta p + tau + 5 nu, sharp e^eta p +
 * tau + nu. Generalisation (T3.4), the probability that a chosen query is off by alpha(nu): (e^eta + 5) nu + tau,
 * sharp (e^eta + 1) nu + tau. At most 1. Rounded up by at most 2^-47. */
typedef struct {
    double joint, joint_sharp, generalization, generalization_sharp;
} simdp_independence;
SIMDP_API SIMDP_CHECKED simdp_status simdp_near_independence(simdp_independence *out, simdp_stability stability,
                                                             double p);

/* Accuracy of k adaptively chosen sigma-subgaussian queries answered by the typically stable Laplace mechanism (T6.1
 * made explicit): all answers are within `error` of their expectations but with probability `failure`. 0 < nu, slack,
 * beta < 1; sigma, eta, alpha1 > 0; k >= 1. eta and log_tau are those of simdp_compose_typical_pure, with their errors;
 * alpha0 and error are rounded up by at most 2^-48; failure = k e^(eta - gamma(alpha1)) + tau + nu + beta, at most 1,
 * knows its two exponents to 2^-48 of eta and gamma and to the error of log_tau. */
typedef struct {
    double sigma;
    int64_t k;
    double eta, nu, slack, beta, alpha1;
} simdp_adaptive_setup;
typedef struct {
    double alpha0, error, eta, log_tau, failure;
} simdp_accuracy;
SIMDP_API SIMDP_CHECKED simdp_status simdp_adaptive_accuracy(simdp_accuracy *out, const simdp_adaptive_setup *setup);

/* ---- concentration (000, 001) ---------------------------------------------------------------------------------- */

/* Hoeffding: n >= 0 independent terms in [low, high], P[S - E S >= deviation] <= tail, deviation >= 0; and the
 * deviation at which the one-sided, and the two-sided, bound is delta.
 *
 * In all of this part upper bounds are rounded up: products and quotients by at most 2^-48, sums by 2^-49 of the sizes
 * of their terms, a tail by 2^-48 (1 + |log_tail|); by 2^-1069 more where the result is subnormal. A logarithm below
 * the least double is that double, and -inf only where the tail is 0. No term overflows before the result does. */
typedef struct {
    double log_tail, tail, tail_two_sided;
} simdp_tail;
SIMDP_API SIMDP_CHECKED simdp_status simdp_hoeffding(simdp_tail *out, double deviation, int64_t n, double low,
                                                     double high);
SIMDP_API SIMDP_CHECKED simdp_status simdp_hoeffding_deviation(double *one_sided, double *two_sided, double delta,
                                                               int64_t n, double low, double high);

/* Hoeffding's lemma: X in [low, high], E X <= mean, lambda >= 0: ln E e^(lambda X) <= lambda mean + lambda^2
 * (high-low)^2/8. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_hoeffding_lemma(double *log_mgf, double lambda, double low, double high,
                                                           double mean);

/* Azuma: k increments of size at most bound, conditional means at most mean: P[sum >= threshold] <= tail with
 * threshold = k mean + z sqrt(k) bound, tail = e^(-z^2/2), z >= 0; and the threshold at which the tail is delta. */
typedef struct {
    double threshold, log_tail, tail;
} simdp_azuma_bound;
SIMDP_API SIMDP_CHECKED simdp_status simdp_azuma(simdp_azuma_bound *out, double z, int64_t k, double mean,
                                                 double bound);
SIMDP_API SIMDP_CHECKED simdp_status simdp_azuma_threshold(double *threshold, double delta, int64_t k, double mean,
                                                           double bound);

/* Polya's urn: red and blue balls (at least one, each at most 2^50), k draws, each ball returned with one more of its
 * colour. Mean and standard deviation of the red draws, to 2^-50; deviations above the mean exceeded with probability
 * at most e^(-z^2/2), as 000 prints it and tight [+]. */
typedef struct {
    double mean, standard_deviation, threshold_printed, threshold_tight;
} simdp_polya_bound;
SIMDP_API SIMDP_CHECKED simdp_status simdp_polya(simdp_polya_bound *out, int64_t red, int64_t blue, int64_t k,
                                                 double z);

/* Concentration from the exponential mechanism (001): Y the centred sum of n independent terms in [0, 1], P[Y >=
 * epsilon n] <= tail <= tail_mid <= tail_simple, x = epsilon^2 n/64; log_hoeffding = -2 epsilon^2 n for comparison. x
 * and log_hoeffding to 2^-50; log_tail rounded up by at most 2^-48 (1 + x). */
typedef struct {
    double x, tail, log_tail, tail_mid, tail_simple, log_hoeffding;
} simdp_exponential_tail_bound;
SIMDP_API SIMDP_CHECKED simdp_status simdp_exponential_tail(simdp_exponential_tail_bound *out, double epsilon,
                                                            int64_t n);

/* E max(0, Y^1..Y^m) <= 4 sqrt(n ln(m+1)) for m copies of Y (001, proposition). */
SIMDP_API SIMDP_CHECKED simdp_status simdp_expected_maximum(double *bound, int64_t n, int64_t m);

/* E max of m >= 1 column sums <= e^eta mean + 2 ln(m)/eta, mean >= 0 the largest expected column sum, eta >= 0 (001,
 * main lemma). */
SIMDP_API SIMDP_CHECKED simdp_status simdp_expected_column_maximum(double *bound, double mean, int64_t m, double eta);
/* ---- privacy-loss distributions --------------------------------------------------------------------------------- */

/* What a sequence of mechanisms costs, computed from the law of its privacy loss: a bracket [lower, upper] around the
 * exact delta(epsilon) = E[(1 - exp(epsilon - L))+] and its inverse, L the sum of all losses ln P[y] / Q[y], y drawn
 * from P. The mechanisms may be chosen adaptively. Laplace, Gaussian, randomized response and discrete noise cost the
 * same in both directions; for a pair or a histogram that does not, ask for both (P, Q) and (Q, P) and take the larger.
 *
 * These functions allocate memory: SIMDP_ENOMEMORY if there is none, and the object is as before. A PLD of N points
 * takes at most 6 N doubles, the work of its composition included. One object may be read by several threads, changed
 * by one. A process may fork meanwhile, and its child compose.
 *
 * Losses are brought to the multiples of a grid chosen by the caller, above and below the truth:
 *   SIMDP_PLD_UP    each loss rounded up (pessimistic): an upper bound, off by up to times * grid in epsilon
 *   SIMDP_PLD_DOWN  each loss rounded down (optimistic): a lower bound, off by as much
 *   SIMDP_PLD_DOTS  each loss split between its two neighbours so that the curve of one step is exact at every
 *                   multiple of the grid (connect the dots): an upper bound, off by some times * grid^2
 *   SIMDP_PLD_BINS  outcomes of nearby losses put together so that their common loss is a multiple of the grid: a
 *                   lower bound, off by some times * grid^2 (Gaussian; Laplace and discrete noise on a grid that
 *                   divides their losses) or grid^1.5 (Laplace on others); what has no neighbours is rounded down
 * A loss that many steps share (t of Laplace, epsilon of randomized response) is met exactly by a grid that divides
 * it: see simdp_pld_grid. */
typedef enum { SIMDP_PLD_NONE, SIMDP_PLD_UP, SIMDP_PLD_DOWN, SIMDP_PLD_DOTS, SIMDP_PLD_BINS } simdp_pld_rounding;
typedef struct simdp_pld simdp_pld;

/* The largest grid at or below most of which loss is a multiple, up to 2^-51 of itself; NaN unless both are positive
 * and finite. */
SIMDP_API double simdp_pld_grid(double most, double loss);

/* An empty sequence. grid: 2^-60 to 2^60 nats. destroy takes NULL too. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_pld_create(simdp_pld **pld, double grid);
SIMDP_API void simdp_pld_destroy(simdp_pld *pld);

/* Append a mechanism, used `times` times (0: nothing). What was composed before is dropped. On failure nothing changes.
 *   laplace              t = sensitivity / scale, 0 <= t <= 1e6
 *   gaussian             s = sigma / sensitivity, 1e-6 <= s <= 1e12
 *   randomized_response  epsilon in [0, 1e6]; with probability leak in [0, 1] the input itself comes out
 *   discrete_laplace     on the integers: scale in [1e-6, 1e12], sensitivity at most 2^20 and 1e6 scale
 *   discrete_gaussian    on the integers: sigma in [1e-3, 1e8], sensitivity at most 2^20 and 1e6 sigma
 *   pair                 two laws on n <= 2^26 outcomes, used as given; entries in [0, 1], those of p adding up to 1
 *                        within 1e-9. p > 0 = q: loss inf. What p lacks of 1 may have any loss: the upper bound takes
 *                        it for infinite, at every use, so that no smaller delta has an upper bound on epsilon; what it
 *                        has above 1 stays in the upper bound, and the lower one divides by the sum
 *   histogram            mass[i] at loss (first + i) * grid, i < n <= 2^26, and `infinite` at +inf; entries in [0, 1],
 *                        adding up to 1 within 1e-9 (what is missing or too much: as for pair); first at most 2^40
 *                        in size. Both bounds take losses and masses for exact
 * SIMDP_EPARAM if a parameter is out of range or the losses lie beyond 2^40 grid points. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_pld_add_laplace(simdp_pld *pld, double t, uint64_t times);
SIMDP_API SIMDP_CHECKED simdp_status simdp_pld_add_gaussian(simdp_pld *pld, double s, uint64_t times);
SIMDP_API SIMDP_CHECKED simdp_status simdp_pld_add_randomized_response(simdp_pld *pld, double epsilon, double leak,
                                                                       uint64_t times);
SIMDP_API SIMDP_CHECKED simdp_status simdp_pld_add_discrete_laplace(simdp_pld *pld, double scale, uint64_t sensitivity,
                                                                    uint64_t times);
SIMDP_API SIMDP_CHECKED simdp_status simdp_pld_add_discrete_gaussian(simdp_pld *pld, double sigma, uint64_t sensitivity,
                                                                     uint64_t times);
SIMDP_API SIMDP_CHECKED simdp_status simdp_pld_add_pair(simdp_pld *pld, const double *p, const double *q, size_t n,
                                                        uint64_t times);
SIMDP_API SIMDP_CHECKED simdp_status simdp_pld_add_histogram(simdp_pld *pld, const double *mass, size_t n,
                                                             int64_t first, double infinite, uint64_t times);

/* The masses of one step of the mechanism that was appended as number `mechanism` (from 0; the same mechanism with the
 * same parameters appended again counts once), rounded as asked: mass[i] at loss (first + i) * grid. Relative error
 * below 1e-12, and below 1e-100 absolute; all masses add up to at most 1 + 1e-12. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_pld_masses(const simdp_pld *pld, double *mass, size_t n, int64_t first,
                                                      size_t mechanism, simdp_pld_rounding rounding);

/* Called now and then during a composition with the part that is done, in [0, 1]; not 0 stops it. Until the composition
 * returns, nothing is composed and nothing may change the object: asking, appending and composing from inside are
 * SIMDP_EPARAM, and destroying stops the composition, which then destroys the object and returns SIMDP_ECANCELLED. */
typedef int simdp_pld_progress(void *context, double done);

/* Compose everything appended so far, by fast Fourier transforms. The bounds come out sharp where delta lies in
 * [delta_least, delta_most], at least 1e-300 and at most 1, and valid, if wider, elsewhere. The narrower the range the
 * quicker. upper: SIMDP_PLD_UP or SIMDP_PLD_DOTS; lower: SIMDP_PLD_DOWN, SIMDP_PLD_BINS, or SIMDP_PLD_NONE (answers 0).
 * progress may be NULL; SIMDP_ECANCELLED if it stopped. SIMDP_EPARAM also if more than 2^28 points were needed: the
 * grid is too fine, or so coarse that rounding spreads the law. On failure nothing is composed, also of what was
 * before.
 *
 * How. The law of the sum is wanted where delta has the size asked for: there the masses are weighted with exp(v loss),
 * v from the Renyi moments (one v per piece of the range), so that what is wanted is what is large, and rounding
 * errors, relative to the largest masses, stay far below it: delta = 1e-300 is as good as 1e-3. Added to the upper
 * bound and taken off the lower one: what lies outside the window or wraps around (Chernoff bounds), masses left out of
 * a step, rounding of masses and sums, and the rounding errors of the transforms, from a bound on each frequency
 * carried through the powers and products. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_pld_compose(simdp_pld *pld, double delta_least, double delta_most,
                                                       simdp_pld_rounding upper, simdp_pld_rounding lower,
                                                       simdp_pld_progress *progress, void *context);

/* The number of grid points N that the composition holds for each bound; 0 if nothing is composed or pld is NULL. */
SIMDP_API size_t simdp_pld_points(const simdp_pld *pld);

/* Bounds of the composed sequence for n values, in any order, 0.1 us (delta) or 1 us (epsilon) for each bound: lower <=
 * exact <= upper, rounded outward. delta and log_delta: at epsilon[i] >= 0 (inf allowed). epsilon: the smallest
 * epsilon >= 0 for delta[i] in [0, 1]; inf where there is none. delta at an epsilon that was given as upper bound is at
 * most the delta asked for, times 1 + 1e-13 (1 + ln(1/delta)/20). lower may be NULL; either may equal the input. If
 * nothing is composed every element is bad. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_pld_delta(const simdp_pld *pld, double *lower, double *upper,
                                                     const double *epsilon, size_t n);
SIMDP_API SIMDP_CHECKED simdp_status simdp_pld_log_delta(const simdp_pld *pld, double *lower, double *upper,
                                                         const double *epsilon, size_t n);
SIMDP_API SIMDP_CHECKED simdp_status simdp_pld_epsilon(const simdp_pld *pld, double *lower, double *upper,
                                                       const double *delta, size_t n);

#ifdef __cplusplus
}
#endif

#endif
