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
 *              of |x1 - x0| (|y - x0| + |y - x1|) / (2 sigma^2), and 2^-1074. _centres and _arrays have a further
 *              2^-1074 (|y - x0| + |y - x1|) / sigma, which counts where |x1 - x0| / sigma is subnormal; without them,
 *              and in transcripts, |y| >= 2^1023 counts as infinite where both centres are below 2^-900 in size.
 *
 * Parameters: x0, x1 finite, scale and sigma from SIMDP_SCALE_MIN to SIMDP_SCALE_MAX, else SIMDP_EPARAM with loss
 * untouched. _f32 takes outputs as floats. _centres takes x0 and x1 per output, _arrays the scale too: arrays of
 * parameters, so a bad centre or scale gives NaN in its place and SIMDP_EPARAM. Time does not depend on the data,
 * except that _centres and _arrays are slower where a step of 16 or 32 elements holds bad values, infinite losses, or
 * centres that lie further apart than doubles reach. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_laplace_f64(double *loss, const double *y, size_t n, double x0,
                                                            double x1, double scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_gaussian_f64(double *loss, const double *y, size_t n, double x0,
                                                             double x1, double sigma);
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_laplace_f32(double *loss, const float *y, size_t n, double x0,
                                                            double x1, double scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_gaussian_f32(double *loss, const float *y, size_t n, double x0,
                                                             double x1, double sigma);
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_laplace_f64_centres(double *loss, const double *y, const double *x0,
                                                                    const double *x1, size_t n, double scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_gaussian_f64_centres(double *loss, const double *y, const double *x0,
                                                                     const double *x1, size_t n, double sigma);
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_laplace_f64_arrays(double *loss, const double *y, const double *x0,
                                                                   const double *x1, const double *scale, size_t n);
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_gaussian_f64_arrays(double *loss, const double *y, const double *x0,
                                                                    const double *x1, const double *sigma, size_t n);

/* Randomized response run on bit0, compared with bit1: epsilon where out[i] = bit0, -epsilon where it is bit1, 0 if the
 * bits are equal; NaN where out[i] is neither 0 nor 1. epsilon >= 0 and finite, bits 0 or 1.
 * The leaky form answers 2 for "the bit is 0" and 3 for "the bit is 1" with probability leak, in [0, 1]: a loss of
 * infinity for bit0's own answer, -infinity for bit1's. Answers that neither input can give (2 and 3 if leak is 0, 0
 * and 1 if it is 1; the leak of a bit that is neither input) have loss 0; NaN above 3. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_randomized_response(double *loss, const uint8_t *out, size_t n,
                                                                    int bit0, int bit1, double epsilon);
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_leaky_randomized_response(double *loss, const uint8_t *out, size_t n,
                                                                          int bit0, int bit1, double epsilon,
                                                                          double leak);

/* Exponential mechanism (simdp_select_gumbel with this scale) run on scores0, compared with scores1: the loss of each
 * chosen index. n scores each; scale from SIMDP_SCALE_MIN to SIMDP_SCALE_MAX. As selection has it, scores that are NaN
 * or -infinity are never chosen, the first +infinity always is, and index 0 if there is nothing else. A candidate that
 * only scores0 can choose has loss +infinity, one that only scores1 can -infinity, one that neither can 0; an index
 * outside 0 .. n - 1 NaN. Error: 2^-50 (1 + ln n + |loss|), whatever the size of the scores and the offset between the
 * vectors. Two passes over both score vectors; then time and addresses follow the chosen indices. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_selection(double *loss, const size_t *chosen, size_t draws,
                                                          const double *scores0, const double *scores1, size_t n,
                                                          double scale);

/* ---- transcripts ------------------------------------------------------------------------------------------------- */

/* The loss of a transcript is the sum of the losses of its outputs, each given those before it. Sums are compensated
 * and have one order on every instruction set. Error of a sum of n losses: 2^-53 of the total and n 2^-104 of the sum
 * of their sizes. An infinite loss makes an infinite total; infinities of both signs, or NaN, make NaN; finite losses
 * whose partial sums overflow make neither, but a second pass. *total is 0 for n = 0. */

/* total = the sum of n losses */
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_sum(double *total, const double *loss, size_t n);

/* total[r] = the sum of row r of a matrix of losses, rows of k */
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_sum_rows(double *total, const double *loss, size_t rows, size_t k);

/* The sum of what the function without _sum would store, and its status: NaN if a centre is bad. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_laplace_f64_sum(double *total, const double *y, size_t n, double x0,
                                                                double x1, double scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_gaussian_f64_sum(double *total, const double *y, size_t n, double x0,
                                                                 double x1, double sigma);
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_laplace_f64_centres_sum(double *total, const double *y,
                                                                        const double *x0, const double *x1, size_t n,
                                                                        double scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_gaussian_f64_centres_sum(double *total, const double *y,
                                                                         const double *x0, const double *x1, size_t n,
                                                                         double sigma);
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_randomized_response_sum(double *total, const uint8_t *out, size_t n,
                                                                        int bit0, int bit1, double epsilon);
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_selection_sum(double *total, const size_t *chosen, size_t draws,
                                                              const double *scores0, const double *scores1, size_t n,
                                                              double scale);

/* One step of a transcript: a mechanism, its two inputs, and its scale, sigma, or (randomized response) epsilon, in the
 * ranges above. */
typedef struct {
    simdp_mechanism kind; /* Laplace, Gaussian or randomized response */
    double x0, x1;        /* for randomized response bits, 0 or 1, and so are its outputs */
    double scale;
} simdp_loss_step;

/* loss[r] = the loss of transcript r, the k outputs y[r k .. r k + k - 1] of the k steps, for r < rows. Transcripts
 * whose steps depend on earlier outputs: _arrays for the losses, then simdp_loss_sum_rows. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_transcripts(double *loss, const double *y, size_t rows,
                                                            const simdp_loss_step *steps, size_t k);

/* ---- privacy curves, batched ------------------------------------------------------------------------------------- */

/* delta(epsilon): the smallest delta for which the mechanism is (epsilon, delta)-DP.
 *
 *   laplace    t = sensitivity / scale in [0, inf]:  1 - e^((epsilon - t) / 2) below t, 0 from t on. Error at most 4
 *              ulp.
 *   gaussian   s = sigma / sensitivity in [0, inf]:  Phi(1/(2s) - epsilon s) - e^epsilon Phi(-1/(2s) - epsilon s).
 *              Relative error below 1e-14 down to delta = 2^-1000, for epsilon up to 2^50 and s up to 2^890, beyond
 *              which delta, below 2^-890, becomes 0. 1 at s = 0, 0 at infinite s, 0 at infinite epsilon.
 *
 * epsilon in [0, inf]. Never negative, never above 1. _arrays takes one parameter per element. Constant time, also
 * where elements are bad. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_delta_laplace(double *delta, const double *epsilon, size_t n,
                                                         double sensitivity_over_scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_delta_gaussian(double *delta, const double *epsilon, size_t n,
                                                          double sigma_over_sensitivity);
SIMDP_API SIMDP_CHECKED simdp_status simdp_delta_laplace_arrays(double *delta, const double *epsilon,
                                                                const double *sensitivity_over_scale, size_t n);
SIMDP_API SIMDP_CHECKED simdp_status simdp_delta_gaussian_arrays(double *delta, const double *epsilon,
                                                                 const double *sigma_over_sensitivity, size_t n);

/* ---- confidence intervals ---------------------------------------------------------------------------------------- */

/* Everywhere below, error (from 2^-1000, below 1) is the probability that an interval misses the truth, half of it on
 * either side. An audit of m intervals that may raise a false alarm with probability a wants error = a / m. */
typedef struct {
    double value;     /* the estimate */
    double low, high; /* its interval */
} simdp_estimate;

/* count successes in trials > 0: Clopper and Pearson's interval, exact: it misses with at most this probability. Its
 * ends are rounded outward: never inside the real ones, outside them by at most 1e-10 of the deviation sqrt(p (1 - p) /
 * trials) at the end p and 2^-49 of the end; a lower end below 1e-298 may be 0. out is NaN on SIMDP_EPARAM. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_interval_proportion(simdp_estimate *out, uint64_t count, uint64_t trials,
                                                               double error);

/* Mean of n > 0 independent values in [0, bound]: Chernoff's and Hoeffding's bound by relative entropy, for every n and
 * every such law. Ends as above, times bound. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_interval_mean(simdp_estimate *out, double mean, uint64_t n, double bound,
                                                         double error);

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
    /* histogram: bins + 2 numbers, of the caller, which must outlive the statistics: losses <= low, then in */
    uint64_t *counts;
    /*   bins (low + k w, low + (k + 1) w], w = (high - low) / bins, then above high. At most 2^30 bins. After
     *   every call it holds all losses so far but NaN. */
    size_t bins;
    double low, high;
} simdp_loss_plan;

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
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_statistics_init(simdp_loss_statistics *s, const simdp_loss_plan *plan);

/* Takes n more losses. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_statistics_update(simdp_loss_statistics *s, const double *loss,
                                                                  size_t n);

/* Takes the losses of n more outputs, as simdp_loss_laplace_f64 and simdp_loss_gaussian_f64 compute them, in one pass:
 * no loss is stored. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_statistics_laplace(simdp_loss_statistics *s, const double *y, size_t n,
                                                                   double x0, double x1, double scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_statistics_gaussian(simdp_loss_statistics *s, const double *y, size_t n,
                                                                    double x0, double x1, double sigma);

/* Results so far; more losses may follow. Values are NaN where there are no losses to make them of. Mean: normal
 * interval from the variance. Variance (unbiased): normal interval from the fourth moment; both are asymptotic, and
 * wide tails make them optimistic. beyond: with probability 1 - error at most this mass of the law lies above most;
 * rounded up, by 2^-49 of it at most. Errors, however large an offset the losses have in common: of the mean 2^-52 of
 * itself, 2^-46 of the losses' mean distance from it and 2^-1000; of the variance 2^-44 of itself and another 2^-52
 * for every 256 losses. The mean lies between least and most. */
typedef struct {
    uint64_t finite, plus_infinite, minus_infinite, undefined; /* counts of losses; undefined: NaN */
    simdp_estimate mean, variance;
    double least, most, beyond;
} simdp_loss_summary;
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_statistics_summary(const simdp_loss_statistics *s,
                                                                   simdp_loss_summary *out, double error);

/* out[j] belongs to epsilon j, order j. Tails: Clopper and Pearson, exact. Deltas: relative-entropy interval for
 * means of values in [0, 1], or in [0, 1 - e^(epsilon - bound)]; compensated sums, absolute error 1e-13, which the
 * interval allows for. Renyi: normal interval of the logarithm, asymptotic, and optimistic for orders so high that
 * few losses make up the moment. Error of the value: 2^-38 (most - least) and 2^-51 of the largest |loss|, at every
 * order, close to 1 too; of the interval's width 1 %. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_statistics_tails(const simdp_loss_statistics *s, simdp_estimate *out,
                                                                 double error);
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_statistics_deltas(const simdp_loss_statistics *s, simdp_estimate *out,
                                                                  double error);
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_statistics_renyi(const simdp_loss_statistics *s, simdp_estimate *out,
                                                                 double error);

/* out[j] = the p[j]-quantile of the losses, p in [0, 1], from the histogram: interpolated inside its bin, with an
 * interval of bin edges by the band of Dvoretzky, Kiefer, Wolfowitz and Massart around the whole distribution function:
 * all quantiles hold together. Ends outside the histogram are infinite. Without a histogram every p is bad. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_statistics_quantiles(const simdp_loss_statistics *s,
                                                                     simdp_estimate *out, const double *p, size_t n,
                                                                     double error);

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
 * Gaussian and what has hockey_stick about 150 million, selection among a few candidates a million; simdp_audit_add
 * joins cores. */
typedef struct {
    const double *epsilon; /* up to SIMDP_LOSS_EPSILONS_MAX of them, 0 to 1000 */
    size_t epsilons;
    int hockey_stick; /* not 0: also that estimate, at half to a quarter of the speed */
    uint64_t samples; /* what simdp_audit_laplace and its sisters draw */
    double error;     /* for each interval of a row; see above */
} simdp_audit_plan;

/* What an audit says at one epsilon. tail[0] and above[0] are of outputs on x0, tail[1] and above[1] of outputs on x1.
 * Tails have Clopper and Pearson's interval; delta the sum of two such ones of half the error each; hockey a
 * relative-entropy interval (NaN if not asked for). Where a side has no outputs, its estimate is NaN and its interval
 * everything. exact_: the closed form. agrees: every interval that was estimated holds it. */
typedef struct {
    double epsilon;
    uint64_t outputs[2], above[2];
    simdp_estimate tail[2], delta, hockey;
    double exact_tail[2], exact_delta;
    int agrees;
} simdp_audit_row;

/* Audits of simdp_noise_laplace_f64 and simdp_noise_gaussian_f64 (added to x0 and x1 in floating point), of
 * simdp_select_gumbel_many and of simdp_release_randomized_response: rows[j] belongs to epsilon[j]. Parameters as for
 * the losses above.
 *
 * Positions: Laplace and Gaussian take plan->samples, each deviate serving both inputs; the others draw
 * plan->samples outputs on the first input, then as many on the second. On failure rows are untouched and the position
 * has not moved. Laplace counts are made on the words, compared with the word where the loss of the
 * deviate crosses epsilon: the counts of drawing, evaluating and comparing, but for losses within rounding of epsilon
 * (fewer than one in 1e13). */
SIMDP_API SIMDP_CHECKED simdp_status simdp_audit_laplace(simdp_rng *rng, simdp_audit_row *rows,
                                                         const simdp_audit_plan *plan, double x0, double x1,
                                                         double scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_audit_gaussian(simdp_rng *rng, simdp_audit_row *rows,
                                                          const simdp_audit_plan *plan, double x0, double x1,
                                                          double sigma);
SIMDP_API SIMDP_CHECKED simdp_status simdp_audit_selection(simdp_rng *rng, simdp_audit_row *rows,
                                                           const simdp_audit_plan *plan, const double *scores0,
                                                           const double *scores1, size_t n, double scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_audit_randomized_response(simdp_rng *rng, simdp_audit_row *rows,
                                                                     const simdp_audit_plan *plan, double epsilon0);

/* The same in pieces, and for outputs of the caller's own making. begin; then any of draw (this library's outputs), and
 * outputs, choices or bits (the caller's, drawn on x0 if side is 0, on x1 if it is 1; NaN counts as no loss above
 * anything); then rows, as often as wanted. Laplace and Gaussian draws may be cut anywhere; a piece of the others draws
 * on the first input, then on the second, so there the counts depend on the pieces too. A plain struct that the caller
 * owns, its members are private; scores must outlive it. After a failed begin, the rest returns SIMDP_EPARAM,
 * also if the audit worked before. On any failure of draw neither the audit nor the position of the stream has changed.
 * Hockey-stick sums keep their bits if pieces are multiples of 1024. */
typedef struct simdp_audit {
    uint64_t mark, kind, epsilons, hockey, thresholds;
    double x0, x1, scale, centre, error;
    const double *scores[2];
    uint64_t candidates, outputs[2];
    double epsilon[SIMDP_LOSS_EPSILONS_MAX], weight[SIMDP_LOSS_EPSILONS_MAX][2];
    uint64_t above[2][SIMDP_LOSS_EPSILONS_MAX], word[2][SIMDP_LOSS_EPSILONS_MAX];
} simdp_audit;

SIMDP_API SIMDP_CHECKED simdp_status simdp_audit_begin_laplace(simdp_audit *audit, const simdp_audit_plan *plan,
                                                               double x0, double x1, double scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_audit_begin_gaussian(simdp_audit *audit, const simdp_audit_plan *plan,
                                                                double x0, double x1, double sigma);
SIMDP_API SIMDP_CHECKED simdp_status simdp_audit_begin_selection(simdp_audit *audit, const simdp_audit_plan *plan,
                                                                 const double *scores0, const double *scores1, size_t n,
                                                                 double scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_audit_begin_randomized_response(simdp_audit *audit,
                                                                           const simdp_audit_plan *plan,
                                                                           double epsilon0);

SIMDP_API SIMDP_CHECKED simdp_status simdp_audit_draw(simdp_rng *rng, simdp_audit *audit, uint64_t samples);
SIMDP_API SIMDP_CHECKED simdp_status simdp_audit_outputs(simdp_audit *audit, const double *y, size_t n, int side);
SIMDP_API SIMDP_CHECKED simdp_status simdp_audit_outputs_f32(simdp_audit *audit, const float *y, size_t n, int side);
SIMDP_API SIMDP_CHECKED simdp_status simdp_audit_choices(simdp_audit *audit, const size_t *chosen, size_t n, int side);
SIMDP_API SIMDP_CHECKED simdp_status simdp_audit_bits(simdp_audit *audit, const uint8_t *out, size_t n, int side);
SIMDP_API SIMDP_CHECKED simdp_status simdp_audit_rows(const simdp_audit *audit, simdp_audit_row *rows);

/* audit += other, which was begun alike (same mechanism, parameters, plan and score arrays; else SIMDP_EPARAM, audit
 * untouched). So threads share the samples, each with a stream or a range of positions of its own: counts add up to
 * those of one audit of all the outputs, hockey-stick sums but for their last bits. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_audit_add(simdp_audit *audit, const simdp_audit *other);

/* ---- closed forms ---------------------------------------------------------------------------------------------------
 *
 * Scalar C, batched over arrays: an array argument first, its parameters as scalars; where parameters are
 * swept, a twin whose name ends in _each takes one parameter per element. Results are rounded to nearest (the bounds
 * of simdp_account.h round outward), and are the same bits with every compiler and C library. Units: nats. Sensitivity
 * and scale enter as their ratio. Bad input as at the top of this header. For legal input no result is NaN, none is
 * negative that cannot be, no probability exceeds 1; overflow is inf. */

/* delta(epsilon), the smallest delta for which a mechanism is (epsilon, delta)-DP, and its logarithm, which stays
 * right where delta is below 2^-1074 or close to 1. epsilon in [0, inf]. Errors below 1e-14 relative, of log delta
 * also where it is small; one unit of 2^-1074 more where a result is subnormal, here and below. At epsilon = inf what
 * is left is the probability of an infinite loss, 0 for noise.
 *   laplace               t = sensitivity/scale in [0, inf]:  max(0, 1 - e^((epsilon - t)/2))
 *   gaussian              s = sigma/sensitivity in [0, inf]:
 *                         Phi(1/(2s) - epsilon s) - e^epsilon Phi(-1/(2s) - epsilon s); epsilon up to 2^100
 *   randomized_response   epsilon0 in [0, inf], leak in [0, 1]:
 *                         leak + (1-leak) max(0, (e^epsilon0 - e^epsilon)/(1 + e^epsilon0))
 *   discrete_laplace      scale > 0 finite, on the integers, whole sensitivity
 *   discrete_gaussian     sigma > 0 finite, on the integers, whole sensitivity; 1e-13, and what an epsilon moved by
 *                         2^-90 of itself is worth, for epsilon up to 2^100; time grows with sigma up to 400, not
 *                         beyond
 *   finite                two vectors of `size` >= 1 finite masses >= 0, used as given: sum (p - e^epsilon q)+; 1e-14
 *                         and 2^-96 of the sum of p */
SIMDP_API SIMDP_CHECKED simdp_status simdp_log_delta_laplace(double *out, const double *epsilon, size_t n,
                                                             double sensitivity_over_scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_log_delta_laplace_each(double *out, const double *epsilon,
                                                                  const double *sensitivity_over_scale, size_t n);
SIMDP_API SIMDP_CHECKED simdp_status simdp_log_delta_gaussian(double *out, const double *epsilon, size_t n,
                                                              double sigma_over_sensitivity);
SIMDP_API SIMDP_CHECKED simdp_status simdp_log_delta_gaussian_each(double *out, const double *epsilon,
                                                                   const double *sigma_over_sensitivity, size_t n);
SIMDP_API SIMDP_CHECKED simdp_status simdp_delta_randomized_response(double *delta, const double *epsilon, size_t n,
                                                                     double epsilon0, double leak);
SIMDP_API SIMDP_CHECKED simdp_status simdp_log_delta_randomized_response(double *out, const double *epsilon, size_t n,
                                                                         double epsilon0, double leak);
SIMDP_API SIMDP_CHECKED simdp_status simdp_delta_randomized_response_each(double *delta, const double *epsilon,
                                                                          const double *epsilon0, const double *leak,
                                                                          size_t n);
SIMDP_API SIMDP_CHECKED simdp_status simdp_delta_discrete_laplace(double *delta, const double *epsilon, size_t n,
                                                                  double scale, int64_t sensitivity);
SIMDP_API SIMDP_CHECKED simdp_status simdp_log_delta_discrete_laplace(double *out, const double *epsilon, size_t n,
                                                                      double scale, int64_t sensitivity);
SIMDP_API SIMDP_CHECKED simdp_status simdp_delta_discrete_gaussian(double *delta, const double *epsilon, size_t n,
                                                                   double sigma, int64_t sensitivity);
SIMDP_API SIMDP_CHECKED simdp_status simdp_log_delta_discrete_gaussian(double *out, const double *epsilon, size_t n,
                                                                       double sigma, int64_t sensitivity);
SIMDP_API SIMDP_CHECKED simdp_status simdp_delta_finite(double *delta, const double *epsilon, size_t n, const double *p,
                                                        const double *q, size_t size);

/* The law of the privacy loss L under the first input: P[L <= loss], P[L > loss], and their logarithms; parameters
 * as for delta. Laplace: mass 1/2 at t and e^-t/2 at -t; Gaussian: normal, mean 1/(2s^2), variance 1/s^2; randomized
 * response: epsilon0 or -epsilon0, and inf with probability leak. Errors below 1e-14 relative, for Gaussian losses up
 * to 2^100 in size. loss: any number, infinities included. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_cdf_laplace(double *out, const double *loss, size_t n,
                                                            double sensitivity_over_scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_sf_laplace(double *out, const double *loss, size_t n,
                                                           double sensitivity_over_scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_log_cdf_laplace(double *out, const double *loss, size_t n,
                                                                double sensitivity_over_scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_log_sf_laplace(double *out, const double *loss, size_t n,
                                                               double sensitivity_over_scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_cdf_gaussian(double *out, const double *loss, size_t n,
                                                             double sigma_over_sensitivity);
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_sf_gaussian(double *out, const double *loss, size_t n,
                                                            double sigma_over_sensitivity);
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_log_cdf_gaussian(double *out, const double *loss, size_t n,
                                                                 double sigma_over_sensitivity);
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_log_sf_gaussian(double *out, const double *loss, size_t n,
                                                                double sigma_over_sensitivity);
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_cdf_randomized_response(double *out, const double *loss, size_t n,
                                                                        double epsilon0, double leak);
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_sf_randomized_response(double *out, const double *loss, size_t n,
                                                                       double epsilon0, double leak);
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_log_cdf_randomized_response(double *out, const double *loss, size_t n,
                                                                            double epsilon0, double leak);
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_log_sf_randomized_response(double *out, const double *loss, size_t n,
                                                                           double epsilon0, double leak);

/* mean and variance of the loss, given that it is finite; KL divergence (the mean; inf if the mechanism leaks), max
 * divergence, total variation (delta at epsilon = 0). One result per parameter: t, s, or epsilon0. Errors below
 * 1e-14 relative. */
typedef struct {
    double mean, variance;
    double kl, max_divergence, total_variation;
} simdp_loss_moments;
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_moments_laplace(simdp_loss_moments *out,
                                                                const double *sensitivity_over_scale, size_t n);
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_moments_gaussian(simdp_loss_moments *out,
                                                                 const double *sigma_over_sensitivity, size_t n);
SIMDP_API SIMDP_CHECKED simdp_status simdp_loss_moments_randomized_response(simdp_loss_moments *out,
                                                                            const double *epsilon0, size_t n,
                                                                            double leak);

/* Probabilities that (leaky) randomized response keeps or flips the bit: (1-leak) e^epsilon/(1+e^epsilon),
 * (1-leak)/(1+e^epsilon). Errors below 2e-15 relative. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_randomized_response_probabilities(double *keep, double *flip,
                                                                             const double *epsilon, size_t n,
                                                                             double leak);

/* Renyi divergence of order > 0, inf included (1: KL, inf: max divergence), parameters as for delta. Errors below
 * 1e-14 relative. For finite vectors 0 ln 0 = 0, and mass of p where q has none gives inf from order 1 on. Of the
 * entries where both masses are positive, to the error comes 1e-14 of |sum p - sum q| + |sum p - 1|/|order - 1|, next
 * to nothing for laws whose sums are 1; order 1 and inf as below. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_renyi_laplace(double *divergence, const double *order, size_t n,
                                                         double sensitivity_over_scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_renyi_gaussian(double *divergence, const double *order, size_t n,
                                                          double sigma_over_sensitivity);
SIMDP_API SIMDP_CHECKED simdp_status simdp_renyi_randomized_response(double *divergence, const double *order, size_t n,
                                                                     double epsilon);
SIMDP_API SIMDP_CHECKED simdp_status simdp_renyi_finite(double *divergence, const double *order, size_t n,
                                                        const double *p, const double *q, size_t size);
SIMDP_API SIMDP_CHECKED simdp_status simdp_renyi_laplace_each(double *divergence, const double *order,
                                                              const double *sensitivity_over_scale, size_t n);
SIMDP_API SIMDP_CHECKED simdp_status simdp_renyi_gaussian_each(double *divergence, const double *order,
                                                               const double *sigma_over_sensitivity, size_t n);
SIMDP_API SIMDP_CHECKED simdp_status simdp_renyi_randomized_response_each(double *divergence, const double *order,
                                                                          const double *epsilon, size_t n);

/* Divergences of two vectors of `size` >= 1 finite masses >= 0, used as given. Entries with p = 0 do not enter max;
 * p > 0 = q gives inf. Errors below 1e-14 relative for kl, to which come 2e-14 of |sum p - sum q| and 2^-100 of sum p
 * + sum q (over the entries that enter), and below 1e-15 relative for the others. simdp_delta_finite and
 * simdp_renyi_finite have the hockey stick and Renyi. */
typedef struct {
    double kl, kl_reverse, max, max_reverse, total_variation;
} simdp_divergences;
SIMDP_API SIMDP_CHECKED simdp_status simdp_divergences_finite(simdp_divergences *out, const double *p, const double *q,
                                                              size_t size);

#ifdef __cplusplus
}
#endif

#endif
