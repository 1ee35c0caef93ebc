/* simdp_account.h: composition, calibration, bounds, privacy-loss distributions. Part of simdp.h, which has the
 * conventions.
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
 * SIMDP_EPARAM; in an array only in its place. A mechanism or a bound that a function does not have is a bad parameter
 * of the whole call. A result made of all elements of an array (a sum, a best) is NaN if one of them is bad. epsilon =
 * inf is legal ("no privacy"), and overflow is inf. k = 0 steps: epsilon 0. A bound with ln(1/slack) at slack = 0 is
 * inf, unless epsilon = 0.
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

/* Bounds on the cost of k adaptive steps. */
typedef enum {
    SIMDP_ACCOUNT_BOUND_BASIC,
    SIMDP_ACCOUNT_BOUND_AZUMA,             /* 000 T2; pure steps */
    SIMDP_ACCOUNT_BOUND_AZUMA_APPROXIMATE, /* 000 T1; steps with delta */
    SIMDP_ACCOUNT_BOUND_ADVANCED,          /* 002; pure steps */
    SIMDP_ACCOUNT_BOUND_STRONG,            /* 004 T1.1 */
    SIMDP_ACCOUNT_BOUND_STRONG_SHARP,      /* 004 T1.1 with its sharper delta */
    SIMDP_ACCOUNT_BOUND_ZCDP,              /* [+] each step is (epsilon^2/2)-zCDP */
    SIMDP_ACCOUNT_BOUND_RENYI,             /* [+] Renyi curve of randomized response at its best order */
    SIMDP_ACCOUNT_BOUND_OPTIMAL,           /* [+] exact worst case */
    SIMDP_ACCOUNT_BOUND_BOUNDED_RANGE,     /* [+] only for steps whose losses span epsilon at most */
    SIMDP_ACCOUNT_BOUNDS                   /* their number */
} simdp_account_bound;

/* "basic", "strong", ...; never NULL */
SIMDP_API const char *simdp_account_bound_name(simdp_account_bound bound);

/* k adaptive steps, each (epsilon, delta)-DP, and the slack 0 <= delta' <= 1 a theorem may add. */
typedef struct {
    double epsilon, delta;
    int64_t k;
    double slack;
} simdp_account_steps;

/* The transcript is (epsilon, delta)-DP, and (epsilon, delta_sharp)-DP with delta_sharp <= delta. */
typedef struct {
    double epsilon, delta, delta_sharp;
} simdp_account_composed;

/* total[i] for steps[i], i < n, by one of the bounds that are formulas. Errors below 16 u: 4 u for k epsilon and k
 * delta, 8 u for k delta + slack, 64 u for the epsilon of BOUNDED_RANGE.
 *   BASIC              k epsilon;  min(1, k delta), sharp 1 - (1-delta)^k.  slack is not read.
 *   AZUMA              000 T2: 2k epsilon^2 + epsilon sqrt(2k ln(1/slack));  slack.  Pure steps: delta must be 0.
 *   AZUMA_APPROXIMATE  000 T1: 2k epsilon^2 + epsilon sqrt(2k ln(1/(k delta)));  2k delta.  (0, 1) if k delta >= 1.
 *                      slack is not read.
 *   ADVANCED           002: k epsilon (e^epsilon - 1) + epsilon sqrt(2k ln(1/slack));  slack.  Pure steps.
 *   STRONG             004 T1.1: k epsilon tanh(epsilon/2) + epsilon sqrt(2k ln(1/slack));  k delta + slack,
 *                      sharp 1 - (1-delta)^k (1-slack).
 *   BOUNDED_RANGE      [+] pure steps whose losses span epsilon at most, such as exponential mechanisms:
 *                      k kappa(epsilon) + epsilon sqrt((k/2) ln(1/slack));  slack.  kappa is
 *                      simdp_account_bounded_range_mean.
 * Each is a bound of its own: for few steps BASIC may be the smallest. simdp_account_bounds compares them. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_account_compose(simdp_account_composed *total,
                                                           const simdp_account_steps *steps, size_t n,
                                                           simdp_account_bound bound);

/* kappa(epsilon) = ln((e^epsilon - 1)/epsilon) - 1 + epsilon/(e^epsilon - 1) <= epsilon^2/8: the largest mean loss
 * of a step whose losses span epsilon at most. Error 16 u on either side. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_account_bounded_range_mean(double *mean, const double *epsilon, size_t n);

/* The largest epsilon of a step such that k of them stay within total[i].epsilon by the strong or the basic bound,
 * rounded down, by 32 u at most; total[i].k and total[i].slack as above, delta is not read. inf if k = 0. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_account_compose_inverse(double *step, const simdp_account_steps *total,
                                                                   size_t n);

/* k steps that differ: basic (sum epsilon; sum delta, sharp 1 - prod(1-delta)) and strong [+] (sum epsilon
 * tanh(epsilon/2) + sqrt(2 ln(1/slack) sum epsilon^2); sum delta + slack, sharp 1 - (1-slack) prod(1-delta)). A bad
 * step makes both results NaN. Errors as above, for any number of steps. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_account_compose_heterogeneous(simdp_account_composed *basic,
                                                                         simdp_account_composed *strong,
                                                                         const simdp_privacy *steps, size_t k,
                                                                         double slack);

/* k uses of one mechanism, exactly [+]: the smallest total delta at a given total epsilon, its logarithm, and the
 * smallest total epsilon >= 0 at a given total delta.
 *   RANDOMIZED_RESPONSE  the exact worst case of k (parameter, leak)-DP steps (Kairouz, Oh, Viswanath), 0 <= k <=
 *                        10^12. epsilon is inf where delta < 1 - (1-leak)^k, and k parameter at delta = 0. No k or
 *                        epsilon overflows or underflows. Error of delta: 6e-13 + 6e-15 |ln delta_0| relative, delta_0
 *                        what is not leaked; of its logarithm as much absolute, and 32 u. epsilon is at most that of a
 *                        delta_0 that is less by this part, and 16 u more; a delta_0 of 2^-n times the leak is known to
 *                        2^(n-94) of itself. Time grows with sqrt(k): an inverse at k = 1000 takes tens of
 *                        microseconds, at k = 10^9 milliseconds
 *   LAPLACE              0 <= k <= 500. Error of delta for k <= 120: 1e-12 + 4e-15 |ln delta| relative, of its
 *                        logarithm as much absolute, and 32 u; of epsilon 2.5 times as much over the slope of ln delta,
 *                        and 16 u. Beyond 120, terms cancel where delta is near 1, the result knows its error and is
 *                        raised by it. Time grows with k^2: k = 100 takes about 0.2 milliseconds a delta
 * Gaussian mechanisms: simdp_account_compose_gaussian. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_account_exact_delta(double *delta, const double *epsilon, size_t n,
                                                               simdp_law law, int64_t k);
SIMDP_API SIMDP_CHECKED simdp_status simdp_account_exact_log_delta(double *log_delta, const double *epsilon, size_t n,
                                                                   simdp_law law, int64_t k);
SIMDP_API SIMDP_CHECKED simdp_status simdp_account_exact_epsilon(double *epsilon, const double *delta, size_t n,
                                                                 simdp_law law, int64_t k);

/* The exact worst case of k <= 24 steps that differ, by enumeration: time grows with 2^k. Errors as for
 * RANDOMIZED_RESPONSE with 1e-13 + 4e-15 |ln delta_0|. A bad step makes all results NaN. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_account_exact_heterogeneous_delta(double *delta, const double *epsilon,
                                                                             size_t n, const simdp_privacy *steps,
                                                                             size_t k);
SIMDP_API SIMDP_CHECKED simdp_status simdp_account_exact_heterogeneous_log_delta(double *log_delta,
                                                                                 const double *epsilon, size_t n,
                                                                                 const simdp_privacy *steps, size_t k);
SIMDP_API SIMDP_CHECKED simdp_status simdp_account_exact_heterogeneous_epsilon(double *epsilon, const double *delta,
                                                                               size_t n, const simdp_privacy *steps,
                                                                               size_t k);

/* ---- bounds side by side --------------------------------------------------------------------------------------- */

typedef struct {
    double epsilon[SIMDP_ACCOUNT_BOUNDS]; /* inf where a bound does not apply at this delta */
    simdp_account_bound smallest;         /* of all but BOUNDED_RANGE; the first of equals */
    simdp_account_bound smallest_formula; /* of BASIC .. STRONG_SHARP */
} simdp_account_bound_table;

/* Total epsilon of k (epsilon, delta)-DP steps at total delta, by every bound, with its error. The slack of STRONG is
 * delta - k step.delta, that of STRONG_SHARP, ZCDP and RENYI what 1 - (1-step.delta)^k leaves of delta; both rounded
 * down to a double first. AZUMA_APPROXIMATE needs 2k step.delta <= delta. A bad argument makes all epsilons NaN. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_account_bounds(simdp_account_bound_table *table, simdp_privacy step,
                                                          int64_t k, double delta);

/* ---- calibration ----------------------------------------------------------------------------------------------- */

/* The exact curve of a single mechanism, solved: Laplace, Gaussian, randomized response, discrete Laplace or discrete
 * Gaussian, with t = sensitivity/scale, s = sigma/sensitivity, epsilon0 the epsilon of the response. delta in [0, 1].
 * (Gaussian DP: mu is 1/s; simdp_account_gdp_mu.)
 *   delta     delta(epsilon), as in simdp_loss.h but rounded upward
 *   epsilon   the smallest epsilon >= 0 with delta(epsilon) <= delta; _each: for Laplace and Gaussian noise, with
 *             parameter[i] in the place of law.parameter
 *   noise     the parameter that keeps (epsilon, delta) with the least noise; law.parameter is not read. Laplace and
 *             Gaussian: the noise multiplier, the smallest scale/sensitivity or s with delta(epsilon) <= delta.
 *             Randomized response: the largest epsilon0, rounded down; NaN if delta < leak. Discrete noise: the
 *             scale or sigma itself, for law.sensitivity
 * epsilon = inf promises nothing: multipliers are 0, epsilon0 is inf. Errors: Laplace delta and noise 8 u, epsilon 8 u
 * of t; randomized response delta and epsilon0 16 u, epsilon 16 u of epsilon0; Gaussian delta 96 u. Gaussian epsilon
 * and noise are solved for in the logarithm of the exact curve, from delta = 2^-1074 to 1 and for every epsilon: an
 * error of (120 min(1, l) + 30 l) u, l = |ln delta|, over the slope of ln delta (in epsilon, or in ln sigma), and 32 u.
 * About a million results per second. Discrete noise: delta 1.2e-14 (Gaussian 1.2e-13, and what one ulp of epsilon is
 * worth); epsilon and noise keep the promise by that delta, while the double before them does not, by some
 * 64 to 1200 evaluations of the curve. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_account_delta(double *delta, const double *epsilon, size_t n, simdp_law law);
SIMDP_API SIMDP_CHECKED simdp_status simdp_account_epsilon(double *epsilon, const double *delta, size_t n,
                                                           simdp_law law);
SIMDP_API SIMDP_CHECKED simdp_status simdp_account_epsilon_each(double *epsilon, const double *delta,
                                                                const double *parameter, size_t n, simdp_law law);
SIMDP_API SIMDP_CHECKED simdp_status simdp_account_noise(double *noise, const double *epsilon, const double *delta,
                                                         size_t n, simdp_law law);

/* What an adversary can do who sees one output and says which of two neighbouring inputs it came from: the least
 * rate of misses that a test with this rate of false alarms can have, its trade-off curve. Its power is at most 1 -
 * miss. alarm in [0, 1]. Knows Laplace, Gaussian, and randomized response, which is the worst case of all (parameter,
 * leak)-DP mechanisms. Rounded down: Laplace by at most 2^-49 of itself, randomized response by 2^-50, Gaussian, with z
 * the quantile of 1 - alarm, by 2^-48 (1 + (|z| + 1/s)^2) of itself; where a result is subnormal, to 0 at most. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_account_miss_rate(double *miss, const double *alarm, size_t n,
                                                             simdp_law law);

/* Gaussian mechanisms compose to one [+], adaptively too: 1/s^2 = sum counts[i]/steps[i]^2. counts may be NULL for 1
 * each. The result is rounded down (a smaller s promises less), by 8 u at most; one step alone is returned as it is; no
 * step: inf. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_account_compose_gaussian(double *sigma_over_sensitivity, const double *steps,
                                                                    const int64_t *counts, size_t n);

/* Gaussian DP: the largest mu for which every mu-GDP mechanism is (epsilon[i], delta[i])-DP: 1/s of the least Gaussian
 * noise, rounded down, with the error that simdp_account_noise states and 2 u. mu of a composition is the root of the
 * sum of mu^2; curves of mu-GDP are those of a Gaussian law with parameter 1/mu. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_account_gdp_mu(double *mu, const double *epsilon, const double *delta,
                                                          size_t n);

/* Tree aggregation of `steps` >= 0 sums, each record in one of them: all nodes of the binary tree above the sums are
 * released with Gaussian noise of noise[i] times the sensitivity each. A record is in 1 + floor(log2 steps) nodes, so
 * that all together are one Gaussian mechanism of s = noise[i]/sqrt(1 + floor(log2 steps)), rounded down by at most 4
 * u. Its Renyi divergence of order alpha is alpha/(2 s^2). Several trees with other records in each: the smallest s. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_account_tree_gaussian(double *sigma_over_sensitivity, const double *noise,
                                                                 size_t n, int64_t steps);

/* Sampling without replacement [+]: a mechanism on a random subset of a fixed size, m of all n records, rate = m/n in
 * [0, 1]; neighbours differ in one record that is replaced, and so does the mechanism's own law: its sensitivity is
 * that of a replaced record, for sums twice that of one that is added. (A record that is there or not, and joins on its
 * own: simdp_delta_gaussian_sampled.)
 *   delta    rate D(ln(1 + (e^epsilon - 1)/rate)), D the curve of simdp_account_delta (Balle, Barthe, Gaboardi 2018:
 *            tight for one use). Never below; at most what an inner epsilon that is less by 16 u makes of it, with the
 *            error of D there, and 2 u more
 *   epsilon  ln(1 + rate (e^x - 1)), x the epsilon of simdp_account_epsilon at delta/rate; 0 from delta = rate on.
 *            Never below; errors of x as there, at a delta that is less by 2 u, then 16 u of the result
 * Many uses: simdp_account_renyi_subset. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_account_subset_delta(double *delta, const double *epsilon, size_t n,
                                                                simdp_law law, double rate);
SIMDP_API SIMDP_CHECKED simdp_status simdp_account_subset_epsilon(double *epsilon, const double *delta, size_t n,
                                                                  simdp_law law, double rate);

/* Laplace or Gaussian noise for a target, in units of the answer, and the guarantee of given noise. sensitivity >= 0
 * finite; sensitivity 0 needs no noise. Errors as above (Laplace scale and deviation 16 u, epsilon 12 u of t); of a
 * quotient or product that leaves the range of doubles only the result counts. The scale of given Laplace noise is its
 * deviation/sqrt 2 to nearest. */
typedef struct {
    double epsilon, delta, sensitivity;
} simdp_account_target;
typedef struct {
    double standard_deviation, sensitivity, delta;
} simdp_account_given;
typedef struct {
    double scale;              /* Laplace scale b, or sigma */
    double standard_deviation; /* b sqrt 2, or sigma */
    double epsilon, delta;
} simdp_account_planned;
SIMDP_API SIMDP_CHECKED simdp_status simdp_account_plan(simdp_account_planned *out, const simdp_account_target *target,
                                                        size_t n, simdp_mechanism mechanism);
SIMDP_API SIMDP_CHECKED simdp_status simdp_account_guarantee(simdp_account_planned *out,
                                                             const simdp_account_given *given, size_t n,
                                                             simdp_mechanism mechanism);

/* ---- Renyi and zero-concentrated DP [+] ------------------------------------------------------------------------ */

/* From (order, divergence)-RDP, element by element. Order > 0; up to 1 nothing follows (epsilon inf, delta 1), but
 * that a divergence of 0, of any order, is that of two equal laws: epsilon 0, delta 0.
 *   EPSILON           at x = delta: divergence + ln(1 - 1/order) - (ln delta + ln order)/(order - 1), at least 0
 *   EPSILON_CLASSIC   at x = delta: divergence + ln(1/delta)/(order - 1), always larger
 *   DELTA, LOG_DELTA  at x = epsilon: min(1, e^((order-1)(divergence-epsilon)) (1 - 1/order)^order/(order-1))
 * Never below the real number; above it by at most 2^-50 of the sizes of the terms: those printed for EPSILON, and for
 * LOG_DELTA (order-1)(divergence-epsilon) and the logarithm of the rest. DELTA follows LOG_DELTA; where it is
 * subnormal, 2^-1070 more. A LOG_DELTA below the least double is that double. */
typedef enum {
    SIMDP_ACCOUNT_EPSILON,
    SIMDP_ACCOUNT_EPSILON_CLASSIC,
    SIMDP_ACCOUNT_DELTA,
    SIMDP_ACCOUNT_LOG_DELTA
} simdp_account_conversion;
SIMDP_API SIMDP_CHECKED simdp_status simdp_account_renyi_convert(double *out, const double *order,
                                                                 const double *divergence, const double *x, size_t n,
                                                                 simdp_account_conversion what);

/* total[i] += count divergence[i], rounded up by at most 2^-50 (2^-1070 where subnormal), not at all where the sum is a
 * double: curves over the same orders add up under adaptive composition. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_account_renyi_add(double *total, const double *divergence, size_t n,
                                                             int64_t count);

typedef struct {
    double epsilon, order;
} simdp_account_renyi_optimum;

/* The smallest epsilon over the n >= 1 given orders. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_account_renyi_best(simdp_account_renyi_optimum *best, const double *order,
                                                              const double *divergence, size_t n, double delta);

/* `count` adaptive uses of a mechanism: Laplace, Gaussian, randomized response without leak (`leak` is not read), or
 * any of which only rho-zCDP is known. A pure epsilon-DP step is at most a randomized response. */
typedef struct {
    simdp_law law;
    int64_t count;
} simdp_account_renyi_step;

/* The summed curve at given orders, above the real sum by at most 1e-13; and, for each delta, the epsilon of
 * simdp_account_renyi_convert at the best order 1 + x, 2^-52 <= x <= 2^1000, or at inf: right for the order it names,
 * and within 1e-9 of the smallest where that order is above 1 + 1e-9. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_account_renyi_compose(double *divergence, const double *order, size_t n,
                                                                 const simdp_account_renyi_step *steps, size_t count);
SIMDP_API SIMDP_CHECKED simdp_status simdp_account_renyi_compose_epsilon(simdp_account_renyi_optimum *best,
                                                                         const double *delta, size_t n,
                                                                         const simdp_account_renyi_step *steps,
                                                                         size_t count);

/* The curve, at the same orders, of running a mechanism K times and publishing the best outcome alone [+] (Papernot and
 * Steinke): K >= 1 is drawn from the truncated negative binomial law, P[K = k] proportional to (1-gamma)^k
 * Gamma(k+eta)/k!, so eta = 1 is the geometric and eta = 0 the logarithmic law; E[K] = eta (1-gamma)/(gamma
 * (1-gamma^eta)). order > 0 (up to 1 the result is inf), eta > -1 finite, 0 < gamma < 1:
 *     divergence + (1+eta) min_j ((1 - 1/order[j]) divergence[j] + ln(1/gamma)/order[j]) + ln E[K]/(order-1),
 * the minimum over all given orders. Rounded up by at most 2^-48 of the sizes of its terms, that of ln E[K] being
 * ln(1/gamma) - ln(1-gamma). out may be divergence. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_account_renyi_repeat(double *out, const double *order,
                                                                const double *divergence, size_t n, double eta,
                                                                double gamma);

/* The curve of a mechanism on a random subset of a fixed size [+], as above, from the mechanism's own curve at the
 * whole orders 2, 3, .. n + 1 (Wang, Balle and Kasiviswanathan 2019, theorem 9): out[i] and divergence[i] are of order
 * i + 2, out[i] needs divergence[0 .. i], and a bad one makes out from there on NaN. most: the mechanism's max
 * divergence, inf if it has none.
 *     ln(1 + rate^2 C(alpha, 2) min(4 (e^d_2 - 1), e^d_2 g_2) + sum over j = 3 .. alpha of rate^j C(alpha, j)
 *     e^((j-1) d_j) g_j)/(alpha - 1),  g_j = min(2, (e^most - 1)^j),
 * and at most divergence[i]. Rounded up, by at most 2^-46 of itself (2^-1068 where subnormal) times alpha (1 + |ln
 * rate| + |ln min(1, most)| + ln alpha) and the largest (j-1) d_j. Uses add up with simdp_account_renyi_add. Time grows
 * with n^2. out may be divergence. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_account_renyi_subset(double *out, const double *divergence, size_t n,
                                                                double rate, double most);

/* rho-zCDP: epsilon of simdp_account_renyi_convert at the best order, with its error; that order, to 1e-13; and the
 * simple bound rho + 2 sqrt(rho ln(1/delta)), rounded up by at most 2^-49. offset: of (xi, rho)-zCDP, whose divergence
 * of order alpha is at most xi + rho alpha; both bounds are larger by xi >= 0, rounded up, but at delta = 1. */
typedef struct {
    double epsilon, epsilon_simple, order;
} simdp_account_zcdp_bound;
SIMDP_API SIMDP_CHECKED simdp_status simdp_account_zcdp_epsilon(simdp_account_zcdp_bound *bound, const double *rho,
                                                                const double *delta, size_t n);
SIMDP_API SIMDP_CHECKED simdp_status simdp_account_zcdp_offset_epsilon(simdp_account_zcdp_bound *bound,
                                                                       const double *xi, const double *rho,
                                                                       const double *delta, size_t n);

/* ---- privacy-loss distributions --------------------------------------------------------------------------------- */

/* What a sequence of mechanisms costs, computed from the law of its privacy loss: a bracket [lower, upper] around the
 * exact delta(epsilon) = E[(1 - exp(epsilon - L))+] and its inverse, L the sum of all losses ln P[y] / Q[y], y drawn
 * from P. The mechanisms may be chosen adaptively. Laplace, Gaussian, randomized response and discrete noise cost the
 * same in both directions; for a pair or a histogram that does not, ask for both (P, Q) and (Q, P) and take the larger.
 * Sampled mechanisms and mixtures have two: with one of them in the sequence everything is composed once for a record
 * that is removed and once for one that is added (a pair or a histogram enters both as it is given), and answers are
 * the larger of the two: of lower bounds as well as of upper ones.
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
 *   discrete_gaussian    on the integers: sigma in [1e-3, 1e8], sensitivity at most 2^20 and 1e6 sigma. Composing
 *                        takes a time in proportion to sigma, whatever the grid: some seconds at 1e6, minutes at 1e8
 *   gaussian_sampled     on a part of the records, of which each takes part with probability q in [0, 1] on its own; a
 *                        record is there or not. s as above, but at least 1/64. A step of DP-SGD: s the noise
 *                        multiplier, q = batch / records
 *   laplace_sampled      the same, t at most 500
 *   gaussian_mixture     Gaussian noise on an answer that one record changes by sensitivity[i] >= 0 with
 *   probability[i], i
 *                        < n <= 4096; probabilities add up to 1 within 1e-9, and are divided by their sum. Sampled
 *                        noise is n = 2, {0, 1}, {1-q, q}; a record that joins several of the batches that a step adds
 *                        up has more. No sensitivity[i] above 64 sigma; 2^22 grid points for the losses of one step at
 *                        most, and bounds of delta from some 1e-190 times on
 *   bounded_range        any mechanism whose losses on two neighbours span epsilon at most, epsilon in [0, 1e6], such
 *                        as the exponential mechanism (simdp_select_gumbel): by the pair that dominates them all, whose
 *                        delta(x) is (e^(epsilon/2) - e^(x/2))^2/(e^epsilon - 1). Exact for one step. For very many
 *                        BOUNDED_RANGE of simdp_account_compose is smaller, epsilon being up to 4/3 of its: the mean
 *                        loss of the pair is epsilon coth(epsilon/2) - 2, of small epsilon epsilon^2/6, not ^2/8
 *   Others have no pair of their own: permute-and-flip and above-threshold enter as randomized_response with their
 *   epsilon and leak 0, partition selection and thresholded releases with their epsilon and leak delta: the worst case
 *   of everything that keeps the same promise, which the optimal partition selection attains
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
SIMDP_API SIMDP_CHECKED simdp_status simdp_pld_add_gaussian_sampled(simdp_pld *pld, double s, double q, uint64_t times);
SIMDP_API SIMDP_CHECKED simdp_status simdp_pld_add_laplace_sampled(simdp_pld *pld, double t, double q, uint64_t times);
SIMDP_API SIMDP_CHECKED simdp_status simdp_pld_add_gaussian_mixture(simdp_pld *pld, const double *sensitivity,
                                                                    const double *probability, size_t n, double sigma,
                                                                    uint64_t times);
SIMDP_API SIMDP_CHECKED simdp_status simdp_pld_add_bounded_range(simdp_pld *pld, double epsilon, uint64_t times);
SIMDP_API SIMDP_CHECKED simdp_status simdp_pld_add_pair(simdp_pld *pld, const double *p, const double *q, size_t n,
                                                        uint64_t times);
SIMDP_API SIMDP_CHECKED simdp_status simdp_pld_add_histogram(simdp_pld *pld, const double *mass, size_t n,
                                                             int64_t first, double infinite, uint64_t times);

/* The masses of one step of the mechanism that was appended as number `mechanism` (from 0; the same mechanism with the
 * same parameters appended again counts once), rounded as asked: mass[i] at loss (first + i) * grid; of a sampled one
 * when a record is removed. Relative error
 * below 1e-12, and below 1e-100 absolute; all masses add up to at most 1 + 1e-12. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_pld_masses(const simdp_pld *pld, double *mass, size_t n, int64_t first,
                                                      size_t mechanism, simdp_pld_rounding rounding);

/* Called now and then during a composition with the part that is done, in [0, 1]; not 0 stops it. Until the composition
 * returns, nothing is composed and nothing may change the object: asking, appending and composing from inside are
 * SIMDP_EPARAM (simdp_pld_masses, which reads a step as it was appended, is not), and destroying stops the composition,
 * which then destroys the object and returns SIMDP_ECANCELLED. */
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

/* The composed sequence as a law of one step: mass[i] at loss (first + i) * grid, i < n - 1, and mass[n - 1] at +inf; n
 * from 2 to 2^26. Its curve, connected between these losses, is nowhere below the exact one of either direction: it is
 * the lower convex hull of the upper bounds of simdp_pld_delta there (also at negative epsilon), losses below the first
 * are counted there, and those above the last at +inf. Masses are rounded up, to 1 and at most 1e-14 n more in all. Of
 * use where delta was composed for: elsewhere bounds are wide, and so is this law. As a histogram it is a step of
 * another sequence on the same grid; and a mechanism that is chosen at random among several, with the choice shown, has
 * the weighted sum of their masses. SIMDP_EPARAM, and NaN, if nothing is composed. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_pld_composed_masses(const simdp_pld *pld, double *mass, size_t n,
                                                               int64_t first);

/* ---- DP-SGD ------------------------------------------------------------------------------------------------------ */

/* Steps of gradient descent, each with Gaussian noise of `noise` times the clipping norm on a batch that every record
 * joins with probability `rate`, on its own. noise in [1/64, 1e6], rate in [0, 1], at most 2^40 steps. */
typedef struct {
    double noise, rate;
    uint64_t steps;
} simdp_account_sgd_run;

/* epsilon: a bracket lower <= epsilon <= upper at delta in [1e-300, 1), by a privacy-loss distribution on a grid that
 * is refined until upper - lower <= error * upper; error in [1e-6, 1]. Steps of a tiny rate, whose moments explode, are
 * cut at a loss that all of them together exceed with a probability far below delta. Where even that takes more than some
 * 2^20 points the bracket is wider than asked for, and holds all the same: by Renyi divergences above and by what a single
 * step costs below. lower may be NULL.
 * noise: the smallest noise that keeps target, epsilon in (0, 1e6]: by the upper bound on epsilon it does, and the
 * noise divided by 1 + error does not; at least 1/64. SIMDP_EPARAM if 1e6 is not enough.
 * 10,000 steps of rate 0.004 at an error of 1e-3 take some 4 milliseconds (epsilon, noise 1.1) or 12 (noise); 100,000
 * steps of rate 1e-4 some 60 and 120; the most hostile settings some seconds. progress as for simdp_pld_compose.
 * Results are NaN unless SIMDP_OK is returned. These functions allocate memory. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_account_sgd_epsilon(double *lower, double *upper, simdp_account_sgd_run run,
                                                               double delta, double error, simdp_pld_progress *progress,
                                                               void *context);
SIMDP_API SIMDP_CHECKED simdp_status simdp_account_sgd_noise(double *noise, simdp_privacy target, double rate,
                                                             uint64_t steps, double error, simdp_pld_progress *progress,
                                                             void *context);

#ifdef __cplusplus
}
#endif

#endif
