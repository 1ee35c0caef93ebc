/* simdp_loss.h: privacy loss of outputs, its statistics, and privacy curves in closed form. Part of simdp.h, which
 * has the conventions.
 *
 * Bad input: one rule for every function, here, in simdp_account.h and in simdp_theory.h, that maps arrays of
 * parameters to arrays of numbers. An element that is NaN or outside the stated domain gives NaN in its place, in all
 * outputs; the other elements are what they are without it, bit for bit; and the call returns SIMDP_EPARAM. A bad
 * parameter of the whole call (a scale, the laws p and q) makes every output NaN, with SIMDP_EPARAM. NULL with n > 0
 * is SIMDP_ENULL, an n whose bytes overflow SIMDP_EPARAM, both with nothing written; n = 0 does nothing. An output
 * array of doubles may be one of the inputs.
 *
 * Data is no parameter: the loss of an output y that is NaN is NaN, and the call returns SIMDP_OK. Functions of data
 * leave their output untouched if a parameter of the whole call is bad. */
#ifndef SIMDP_LOSS_H
#define SIMDP_LOSS_H

#include "simdp_rng.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- privacy loss per output ------------------------------------------------------------------------------------- */

/* In nats: loss[i] = ln P[y[i] | x0] / P[y[i] | x1] for outputs y of a mechanism that adds noise to x0 (or x1).
 * Exchanging x0 and x1 turns the sign, and nothing else. An output that is NaN has a NaN loss. loss may be y itself, or
 * any other input of its size.
 *
 *   laplace    (|y - x1| - |y - x0|) / scale, at most |x1 - x0| / scale in size, also at infinite y. Error: 4 units of
 *              2^-53 of |x1 - x0| / scale, and 2^-1074.
 *   gaussian   (x1 - x0) ((x0 + x1) / 2 - y) / sigma^2; infinite at infinite y unless x0 = x1. Error: 8 units of 2^-53
 *              of |x1 - x0| (|y - x0| + |y - x1|) / (2 sigma^2), and 2^-1074. _each has a further 2^-1074 (|y - x0| +
 *              |y - x1|) / sigma, which counts where |x1 - x0| / sigma is subnormal; the others, and transcripts, take
 *              |y| >= 2^1023 as infinite where both centres are below 2^-900 in size.
 *
 * Parameters: x0, x1 finite, scale and sigma from SIMDP_NOISE_SCALE_MIN to SIMDP_NOISE_SCALE_MAX, else SIMDP_EPARAM
 * with loss untouched. _f32 takes outputs as floats. _each takes x0 and x1 per output, and the scale too unless that
 * array is NULL, when the last argument is the scale of all: of arrays of parameters, a bad element gives NaN in its
 * place and SIMDP_EPARAM. Time does not depend on the data, except that _each is slower where a step of 16 or 32
 * elements holds bad values, infinite losses, or centres that lie further apart than doubles reach. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_laplace_f64(double *loss, const double *y, size_t n, double x0,
                                                            double x1, double scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_gaussian_f64(double *loss, const double *y, size_t n, double x0,
                                                             double x1, double sigma);
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_laplace_f32(double *loss, const float *y, size_t n, double x0,
                                                            double x1, double scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_gaussian_f32(double *loss, const float *y, size_t n, double x0,
                                                             double x1, double sigma);
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_laplace_f64_each(double *loss, const double *y, const double *x0,
                                                                 const double *x1, const double *scales, size_t n,
                                                                 double scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_gaussian_f64_each(double *loss, const double *y, const double *x0,
                                                                  const double *x1, const double *sigmas, size_t n,
                                                                  double sigma);

/* Randomized response run on bit0, compared with bit1: epsilon where out[i] = bit0, -epsilon where it is bit1, 0 if the
 * bits are equal; NaN where out[i] is neither 0 nor 1. epsilon >= 0 and finite, bits 0 or 1.
 * The leaky form answers 2 for "the bit is 0" and 3 for "the bit is 1" with probability leak, in [0, 1]: a loss of
 * infinity for bit0's own answer, -infinity for bit1's. Answers that neither input can give (2 and 3 if leak is 0, 0
 * and 1 if it is 1; the leak of a bit that is neither input) have loss 0; NaN above 3. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_randomized_response(double *loss, const uint8_t *out, size_t n,
                                                                    int bit0, int bit1, double epsilon);
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_leaky_response(double *loss, const uint8_t *out, size_t n, int bit0,
                                                               int bit1, double epsilon, double leak);

/* Exponential mechanism (simdp_select_gumbel with this scale) run on scores0, compared with scores1: the loss of each
 * chosen index. n scores each; scale from SIMDP_NOISE_SCALE_MIN to SIMDP_NOISE_SCALE_MAX. As selection has it, scores
 * that are NaN or -infinity are never chosen, the first +infinity always is, and index 0 if there is nothing else. A
 * candidate that only scores0 can choose has loss +infinity, one that only scores1 can -infinity, one that neither can
 * 0; an index outside 0 .. n - 1 NaN. Error: 2^-50 (1 + ln n + |loss|), whatever the size of the scores and the offset
 * between the vectors. Two passes over both score vectors; then time and addresses follow the chosen indices. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_selection(double *loss, const size_t *chosen, size_t draws,
                                                          const double *scores0, const double *scores1, size_t n,
                                                          double scale);

/* ---- transcripts ------------------------------------------------------------------------------------------------- */

/* The loss of a transcript is the sum of the losses of its outputs, each given those before it. Sums are compensated
 * and have one order on every instruction set. Error of a sum of n losses: 2^-53 of the total and n 2^-104 of the sum
 * of their sizes. An infinite loss makes an infinite total; infinities of both signs, or NaN, make NaN; finite losses
 * whose partial sums overflow make neither, but a second pass. The sum of no losses is 0. */

/* One step of a transcript: a mechanism on its two inputs, and its scale, sigma, or (randomized response) epsilon, in
 * the ranges above. */
typedef struct {
    simdp_mechanism mechanism; /* Laplace, Gaussian or randomized response */
    double x0, x1;             /* for randomized response bits, 0 or 1, and so are its outputs */
    double scale;
} simdp_loss_step;

/* total[r] = the sum of row r of a matrix of losses, rows of n: one total for rows = 1. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_sum(double *total, const double *loss, size_t rows, size_t n);

/* *total = the sum of the losses of n outputs of one step, in one pass: no loss is stored. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_sum_outputs(double *total, const double *y, size_t n,
                                                            simdp_loss_step step);

/* loss[r] = the loss of transcript r, the k outputs y[r k .. r k + k - 1] of the k steps, for r < rows. Transcripts
 * whose steps depend on earlier outputs: _each for the losses, then simdp_loss_sum. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_transcripts(double *loss, const double *y, size_t rows,
                                                            const simdp_loss_step *steps, size_t k);

/* ---- confidence intervals ---------------------------------------------------------------------------------------- */

/* Everywhere below, error (from 2^-1000, below 1) is the probability that an interval misses the truth, half of it on
 * either side. An audit of m intervals that may raise a false alarm with probability a wants error = a / m. */
typedef struct {
    double value;     /* the estimate */
    double low, high; /* its interval */
} simdp_loss_estimate;

/* count successes in trials > 0: Clopper and Pearson's interval, exact: it misses with at most this probability. Its
 * ends are rounded outward: never inside the real ones, outside them by at most 1e-10 of the deviation sqrt(p (1 - p) /
 * trials) at the end p and 2^-49 of the end; a lower end below 1e-298 may be 0. out is NaN on SIMDP_EPARAM. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_interval_proportion(simdp_loss_estimate *out, uint64_t count,
                                                                    uint64_t trials, double error);

/* Mean of n > 0 independent values in [0, bound]: Chernoff's and Hoeffding's bound by relative entropy, for every n and
 * every such law. Ends as above, times bound. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_interval_mean(simdp_loss_estimate *out, double mean, uint64_t n,
                                                              double bound, double error);

/* ---- statistics of losses, in one pass --------------------------------------------------------------------------- */

/* What to collect beside mean, variance and extremes. Zeros and NULLs leave out what they stand for. Arrays are copied,
 * counts is not. */
enum { SIMDP_LOSS_EPSILONS_MAX = 32, SIMDP_LOSS_ORDERS_MAX = 16 };
typedef struct {
    const double *epsilon; /* tails P[L > epsilon] at up to SIMDP_LOSS_EPSILONS_MAX epsilons from 0 to 1000 */
    size_t epsilons;
    /* not 0: also the hockey-stick estimate, mean of max(0, 1 - e^(epsilon - L)), at each epsilon */
    int deltas;
    /* losses cannot exceed it, known beforehand (epsilon of a pure mechanism): narrower intervals for deltas */
    double bound;
    /* Renyi divergences of up to SIMDP_LOSS_ORDERS_MAX orders from 0 (excluded) to 1e6; 1 is the mean */
    const double *order;
    size_t orders;
    /* histogram: bins + 2 numbers of the caller, which must outlive the statistics. First the losses up to low; then
     * those in bin k = 0, 1, ..., that is (low + k w, low + (k + 1) w], w = (high - low) / bins; last those above high.
     * At most 2^30 bins. After every call it holds all losses so far but NaN. */
    uint64_t *counts;
    size_t bins;
    double low, high;
} simdp_loss_statistics_plan;

/* Statistics of losses that arrive in any pieces: the results depend on the losses and their order alone, not on where
 * the pieces end nor on the instruction set. A plain struct of about 4 KiB that the caller owns; its members are
 * private. Sums are compensated.
 *
 * NaN losses are counted apart and enter nothing else. Infinite ones count in tails, deltas (as 1), histogram and
 * orders; mean, variance and extremes become what they make of them. */
typedef struct simdp_loss_statistics {
    uint64_t mark, finite, infinite[2], undefined;
    uint64_t filled, epsilons, orders, deltas, bins;
    uint64_t *counts;
    double bound, centre, low, high, width, least, most;
    double sum[2], central[3];
    double epsilon[SIMDP_LOSS_EPSILONS_MAX], weight[SIMDP_LOSS_EPSILONS_MAX][2];
    uint64_t above[SIMDP_LOSS_EPSILONS_MAX];
    double order[SIMDP_LOSS_ORDERS_MAX], power[SIMDP_LOSS_ORDERS_MAX][5];
    double block[256];
} simdp_loss_statistics;

/* Begins; counts are set to 0. plan NULL: mean, variance and extremes alone. On failure the statistics are
 * unusable, also if they worked before: every function that gets them returns SIMDP_EPARAM. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_statistics_init(simdp_loss_statistics *s,
                                                                const simdp_loss_statistics_plan *plan);

/* Takes n more losses. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_statistics_update(simdp_loss_statistics *s, const double *loss,
                                                                  size_t n);

/* Takes the losses of n more outputs of one step, in one pass: no loss is stored. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_statistics_outputs(simdp_loss_statistics *s, const double *y, size_t n,
                                                                   simdp_loss_step step);

/* Results so far; more losses may follow. Values are NaN where there are no losses to make them of. Mean: normal
 * interval from the variance. Variance (unbiased): normal interval from the fourth moment; both are asymptotic, and
 * wide tails make them optimistic. beyond: with probability 1 - error at most this mass of the law lies above most;
 * rounded up, by 2^-49 of it at most. Errors, however large an offset the losses have in common: of the mean 2^-52 of
 * itself, 2^-46 of the losses' mean distance from it and 2^-1000; of the variance 2^-44 of itself and another 2^-52
 * for every 256 losses. The mean lies between least and most. */
typedef struct {
    uint64_t finite, plus_infinite, minus_infinite, undefined; /* counts of losses; undefined: NaN */
    simdp_loss_estimate mean, variance;
    double least, most, beyond;
} simdp_loss_summary;
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_statistics_summary(const simdp_loss_statistics *s,
                                                                   simdp_loss_summary *out, double error);

/* out[j] belongs to epsilon j, or order j, of the plan.
 *
 *   TAILS    P[L > epsilon]: Clopper and Pearson, exact
 *   DELTAS   the hockey-stick estimate, if the plan asked for it: relative-entropy interval for means of values in
 *            [0, 1], or in [0, 1 - e^(epsilon - bound)]; compensated sums, absolute error 1e-13, which the interval
 *            allows for
 *   RENYI    normal interval of the logarithm, asymptotic, and optimistic for orders so high that few losses make up
 *            the moment. Error of the value: 2^-38 (most - least) and 2^-51 of the largest |loss|, at every order,
 *            close to 1 too; of the interval's width 1 % */
typedef enum { SIMDP_LOSS_TAILS, SIMDP_LOSS_DELTAS, SIMDP_LOSS_RENYI } simdp_loss_statistics_of;
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_statistics_estimates(const simdp_loss_statistics *s,
                                                                     simdp_loss_estimate *out,
                                                                     simdp_loss_statistics_of what, double error);

/* out[j] = the p[j]-quantile of the losses, p in [0, 1], from the histogram: interpolated inside its bin, with an
 * interval of bin edges by the band of Dvoretzky, Kiefer, Wolfowitz and Massart around the whole distribution function:
 * all quantiles hold together. Ends outside the histogram are infinite. Without a histogram every p is bad. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_statistics_quantiles(const simdp_loss_statistics *s,
                                                                     simdp_loss_estimate *out, const double *p,
                                                                     size_t n, double error);

/* ---- audits: a mechanism against its closed form, by experiment -------------------------------------------------- */

/* An audit draws outputs on x0 and on x1, evaluates their privacy loss L and counts, at each epsilon, how often L >
 * epsilon. It estimates the tails P[L > epsilon | x0] and P[L > epsilon | x1], and from them
 *
 *     delta(epsilon) = P[L > epsilon | x0] - e^epsilon P[L > epsilon | x1]
 *
 * with intervals that hold for every mechanism: nothing is assumed about the noise but that outputs are independent. A
 * delta whose lower end lies above the promised one is a proof of failure; an interval that misses the closed form on
 * either side says that the mechanism is not the one it should be. With hockey_stick, delta is also estimated by the
 * mean of max(0, 1 - e^(epsilon - L)) over outputs on x0: a narrower interval at large epsilon, which takes the formula
 * of L for granted.
 *
 * No output is stored, samples are limited by time alone, and under a key the counts are the same on every instruction
 * set. A core with AVX2 at 3 GHz and six epsilons: Laplace and randomized response about a billion samples a second,
 * Gaussian and what has hockey_stick about 150 million, selection among a few candidates a million;
 * simdp_loss_audit_add joins cores. */
typedef struct {
    simdp_mechanism mechanism; /* Laplace, Gaussian, randomized response (of 0 and of 1) or SELECTION */
    double x0, x1;             /* the inputs of Laplace and Gaussian noise */
    double scale;              /* scale, sigma, or of randomized response epsilon, in the ranges above */
    const double *scores[2];   /* selection: the scores on either input, which must outlive the audit */
    size_t candidates;         /*   and how many they are, > 0 */
    const double *epsilon;     /* up to SIMDP_LOSS_EPSILONS_MAX of them, 0 to 1000 */
    size_t epsilons;
    int hockey_stick; /* not 0: also that estimate, at half to a quarter of the speed */
    uint64_t samples; /* what simdp_loss_audit_run draws */
    double error;     /* for each interval of a row; see above */
} simdp_loss_audit_plan;

/* What an audit says at one epsilon. tail[0] and above[0] are of outputs on x0, tail[1] and above[1] of outputs on x1.
 * Tails have Clopper and Pearson's interval; delta the sum of two such ones of half the error each; hockey a
 * relative-entropy interval (NaN if not asked for). Where a side has no outputs, its estimate is NaN and its interval
 * everything. exact_: the closed form. agrees: every interval that was estimated holds it. */
typedef struct {
    double epsilon;
    uint64_t outputs[2], above[2];
    simdp_loss_estimate tail[2], delta, hockey;
    double exact_tail[2], exact_delta;
    int agrees;
} simdp_loss_audit_row;

/* Audits simdp_noise_laplace_f64 or simdp_noise_gaussian_f64 (added to x0 and x1 in floating point),
 * simdp_select_gumbel_many, or simdp_release_randomized_response: rows[j] belongs to epsilon[j].
 *
 * Positions: Laplace and Gaussian take plan->samples, each deviate serving both inputs; the others draw plan->samples
 * outputs on the first input, then as many on the second. On failure rows are untouched and the position has not moved.
 * Laplace counts are made on the words, compared with the word where the loss of the deviate crosses epsilon: the
 * counts of drawing, evaluating and comparing, but for losses within rounding of epsilon (fewer than one in 1e13). */
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_audit_run(simdp_rng *rng, simdp_loss_audit_row *rows,
                                                          const simdp_loss_audit_plan *plan);

/* The same in pieces, and for outputs of the caller's own making. init; then any of draw (this library's outputs), and
 * outputs, choices or bits (the caller's, drawn on x0 if side is 0, on x1 if it is 1; NaN counts as no loss above
 * anything); then rows, as often as wanted. Laplace and Gaussian draws may be cut anywhere; a piece of the others draws
 * on the first input, then on the second, so there the counts depend on the pieces too. A plain struct that the caller
 * owns, its members are private. After a failed init, the rest returns SIMDP_EPARAM, also if the audit worked before.
 * On any failure of draw neither the audit nor the position of the stream has changed. Hockey-stick sums keep their
 * bits if pieces are multiples of 1024. */
typedef struct simdp_loss_audit {
    uint64_t mark, kind, epsilons, hockey, thresholds;
    double x0, x1, scale, centre, error;
    const double *scores[2];
    uint64_t candidates, outputs[2];
    double epsilon[SIMDP_LOSS_EPSILONS_MAX], weight[SIMDP_LOSS_EPSILONS_MAX][2];
    uint64_t above[2][SIMDP_LOSS_EPSILONS_MAX], word[2][SIMDP_LOSS_EPSILONS_MAX];
} simdp_loss_audit;

SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_audit_init(simdp_loss_audit *audit, const simdp_loss_audit_plan *plan);
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_audit_draw(simdp_rng *rng, simdp_loss_audit *audit, uint64_t samples);
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_audit_outputs(simdp_loss_audit *audit, const double *y, size_t n,
                                                              int side);
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_audit_choices(simdp_loss_audit *audit, const size_t *chosen, size_t n,
                                                              int side);
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_audit_bits(simdp_loss_audit *audit, const uint8_t *out, size_t n,
                                                           int side);
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_audit_rows(const simdp_loss_audit *audit, simdp_loss_audit_row *rows);

/* audit += other, which was opened alike (same mechanism, parameters, plan and score arrays; else SIMDP_EPARAM, audit
 * untouched). So threads share the samples, each with a stream or a range of positions of its own: counts add up to
 * those of one audit of all the outputs, hockey-stick sums but for their last bits. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_audit_add(simdp_loss_audit *audit, const simdp_loss_audit *other);

/* ---- closed forms ---------------------------------------------------------------------------------------------- */

/* The privacy loss of one mechanism on its worst two neighbouring inputs: simdp_law of simdp_base.h has its parameters.
 * Every function says which laws it knows; another one is a bad parameter of the whole call. simdp_loss_delta_each
 * takes one parameter per element, in place of law.parameter. Results are rounded to nearest (the bounds of
 * simdp_account.h round outward), and are the same bits with every compiler and C library. Units: nats. Bad input as at
 * the top of this header. For legal input no result is NaN, none is negative that cannot be, no probability exceeds 1;
 * overflow is inf. Errors are relative; where a result is subnormal, 2^-1074 more. */

/* delta(epsilon), the smallest delta for which a mechanism is (epsilon, delta)-DP, and its logarithm, which stays
 * right where delta is below 2^-1074 or close to 1. epsilon in [0, inf]; at inf what is left is the probability of an
 * infinite loss, 0 for noise. Knows all laws but ZCDP.
 *
 *   LAPLACE             1 - e^((epsilon - t)/2) below t, 0 from t on. delta: 4 ulp; its logarithm: 1e-14.
 *   GAUSSIAN            Phi(1/(2s) - epsilon s) - e^epsilon Phi(-1/(2s) - epsilon s). delta: 1e-14 down to 2^-1000, for
 *                       epsilon up to 2^50 and s up to 2^890, beyond which delta, below 2^-890, becomes 0; 1 at s = 0,
 *                       0 at infinite s. Its logarithm: 1e-14 for epsilon up to 2^100.
 *   RANDOMIZED_RESPONSE leak + (1 - leak) max(0, (e^epsilon0 - e^epsilon)/(1 + e^epsilon0)): 1e-14.
 *   DISCRETE_LAPLACE    1e-14
 *   DISCRETE_GAUSSIAN   1e-13, and what an epsilon moved by 2^-90 of itself is worth, for epsilon up to 2^100. Time
 *                       grows with sigma up to 400, not beyond.
 *
 * delta of Laplace and Gaussian noise runs on the instruction set in use, in constant time, also where elements are
 * bad; simdp_delta_laplace and simdp_delta_gaussian are shorter names for it. The rest is scalar C. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_delta_laplace(double *delta, const double *epsilon, size_t n,
                                                         double sensitivity_over_scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_delta_gaussian(double *delta, const double *epsilon, size_t n,
                                                          double sigma_over_sensitivity);
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_delta(double *delta, const double *epsilon, size_t n, simdp_law law);
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_delta_each(double *delta, const double *epsilon,
                                                           const double *parameter, size_t n, simdp_law law);
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_log_delta(double *log_delta, const double *epsilon, size_t n,
                                                          simdp_law law);

/* The law of the privacy loss L under the first input: P[L <= loss], P[L > loss], and their logarithms. Knows Laplace:
 * mass 1/2 at t and e^-t/2 at -t; Gaussian: normal, mean 1/(2s^2), variance 1/s^2; and randomized response: epsilon0 or
 * -epsilon0, and inf with probability leak. Errors below 1e-14, for Gaussian losses up to 2^100 in size. loss: any
 * number, infinities included. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_cdf(double *out, const double *loss, size_t n, simdp_law law);
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_sf(double *out, const double *loss, size_t n, simdp_law law);
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_log_cdf(double *out, const double *loss, size_t n, simdp_law law);
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_log_sf(double *out, const double *loss, size_t n, simdp_law law);

/* out[i] of law[i], i < n: mean and variance of the loss, given that it is finite; KL divergence (the mean; inf if the
 * mechanism leaks), max divergence, total variation (delta at epsilon = 0). Knows Laplace, Gaussian and randomized
 * response. Errors below 1e-14. */
typedef struct {
    double mean, variance;
    double kl, max_divergence, total_variation;
} simdp_loss_moments;
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_law_moments(simdp_loss_moments *out, const simdp_law *law, size_t n);

/* Probabilities that (leaky) randomized response keeps or flips the bit: (1-leak) e^epsilon/(1+e^epsilon),
 * (1-leak)/(1+e^epsilon). Errors below 2e-15. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_response_probabilities(double *keep, double *flip,
                                                                       const double *epsilon, size_t n, double leak);

/* Renyi divergence of order > 0, inf included (1: KL, inf: max divergence). Knows Laplace, Gaussian and randomized
 * response, whose leak must be 0. Errors below 1e-14. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_renyi(double *divergence, const double *order, size_t n, simdp_law law);

/* Laplace and Gaussian noise behind Poisson sampling: a record takes part with probability `rate`, on its own, and
 * neighbours differ in one record that is there or not. With M0 and M1 the laws of the noise without and with the
 * record, REMOVE compares (1-rate) M0 + rate M1 with M0, ADD the other way round; a promise needs the LARGER of both.
 * For k steps take simdp_pld_add_gaussian_sampled: there each direction is composed before the larger one is taken.
 *
 *   delta         of REMOVE rate D(ln(1 + (e^epsilon - 1)/rate)), D the curve without sampling; of ADD f D(ln(rate
 *                 e^epsilon/f)), f = 1 - (1-rate) e^epsilon, 0 where f <= 0. epsilon in [0, inf], rate in [0, 1],
 *                 the parameter as above. Errors: 4e-14 (of ADD 2e-13 where f is below 1e-3 rate) down to delta =
 *                 2^-1000; of the logarithm the same
 *   renyi         of Gaussian noise, REMOVE, which is the larger one for orders from 1 on. order > 0, whole or not, up
 *                 to 2^24, or inf; sigma_over_sensitivity 0, or at least 1/64; below 1 / 64 only rate 0 and 1 have an
 *                 answer. 1e-13 relative, by sums of which no term is negative. A microsecond or two each, more for
 *                 little noise */
typedef enum { SIMDP_LOSS_REMOVE, SIMDP_LOSS_ADD, SIMDP_LOSS_LARGER } simdp_loss_direction;
SIMDP_API SIMDP_CHECKED simdp_status simdp_delta_laplace_sampled(double *delta, const double *epsilon, size_t n,
                                                                 double sensitivity_over_scale, double rate,
                                                                 simdp_loss_direction direction);
SIMDP_API SIMDP_CHECKED simdp_status simdp_delta_gaussian_sampled(double *delta, const double *epsilon, size_t n,
                                                                  double sigma_over_sensitivity, double rate,
                                                                  simdp_loss_direction direction);
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_log_delta_laplace_sampled(double *log_delta, const double *epsilon,
                                                                          size_t n, double sensitivity_over_scale,
                                                                          double rate, simdp_loss_direction direction);
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_log_delta_gaussian_sampled(double *log_delta, const double *epsilon,
                                                                           size_t n, double sigma_over_sensitivity,
                                                                           double rate, simdp_loss_direction direction);
SIMDP_API SIMDP_CHECKED simdp_status simdp_renyi_gaussian_sampled(double *divergence, const double *order, size_t n,
                                                                  double sigma_over_sensitivity, double rate);

/* Any mechanism with `size` >= 1 outputs: p and q are their probabilities on the first and the second input, finite
 * masses >= 0, used as given.
 *
 *   delta         sum (p - e^epsilon q)+: 1e-14, and 2^-96 of the sum of p
 *   renyi         order > 0, inf included; 0 ln 0 = 0, and mass of p where q has none gives inf from order 1 on. 1e-14;
 *                 of the entries where both masses are positive, 1e-14 of |sum p - sum q| + |sum p - 1|/|order - 1|
 *                 more, next to nothing for laws whose sums are 1; order 1 and inf as below
 *   divergences   entries with p = 0 do not enter max; p > 0 = q gives inf. kl: 1e-14, to which come 2e-14 of
 *                 |sum p - sum q| and 2^-100 of sum p + sum q (over the entries that enter); the others: 1e-15 */
typedef struct {
    double kl, kl_reverse, max, max_reverse, total_variation;
} simdp_loss_divergences;
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_delta_finite(double *delta, const double *epsilon, size_t n,
                                                             const double *p, const double *q, size_t size);
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_renyi_finite(double *divergence, const double *order, size_t n,
                                                             const double *p, const double *q, size_t size);
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_divergences_finite(simdp_loss_divergences *out, const double *p,
                                                                   const double *q, size_t size);

#ifdef __cplusplus
}
#endif

#endif
