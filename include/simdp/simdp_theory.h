/* simdp_theory.h: whole systems: responses, simulation maps, adaptive interactions under a privacy budget, urns. Part
 * of simdp.h, which has the conventions. Randomized outputs are functions of key, stream, position and parameters, made
 * without libm. */
#ifndef SIMDP_THEORY_H
#define SIMDP_THEORY_H

#include "simdp_release.h"
#include "simdp_account.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- responses --------------------------------------------------------------------------------------------------- */

/* The outcomes of leaky randomized response. U answers 0 most of the time, V answers 1; a leak names the speaker. */
enum { SIMDP_SYMBOL_ZERO = 0, SIMDP_SYMBOL_ONE = 1, SIMDP_SYMBOL_IS_U = 2, SIMDP_SYMBOL_IS_V = 3 };

/* Leaky randomized response, the worst case of all (epsilon, delta)-DP mechanisms: out[i] is a leak with probability
 * delta, else the speaker's own bit (U: 0, V: 1) with probability e^epsilon / (1 + e^epsilon), else the other one.
 *
 *   rng      moves by n, up to position 2^63
 *   out      n symbols; all 0xff on any failure but SIMDP_ENULL
 *   who      n speakers: 0 is U, anything else V; may be out itself
 *   epsilon  >= 0, finite, nats         delta  in [0, 1]
 *
 * Each outcome is a range of a 127-bit number, rounded to the safe side: the law is exactly that of some epsilon' <=
 * epsilon and delta' <= delta, less by at most 2^-48 (for epsilon <= 40, delta <= 0.99; beyond, epsilon' goes up to 88)
 * and 2^-126. Constant time. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_system_leaky_response(simdp_rng *rng, uint8_t *out, const uint8_t *who,
                                                                 size_t n, double epsilon, double delta);

/* Name and shame: published[i] = 1 with probability delta, else 0; the mechanism then publishes (i, record i) in the
 * clear where it is 1. (0, delta)-DP for replacing a record, and the reason why delta must be far below 1/n. The rng
 * moves by n, up to position 2^63; delta in [0, 1], exact to 2^-126, never above. On failure all 0: nothing is
 * published. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_system_name_and_shame(simdp_rng *rng, uint8_t *published, size_t n,
                                                                 double delta);

/* ---- simulation maps: every (epsilon, delta)-DP pair is a function of leaky randomized response ------------------ */

/* The map from randomized response to the Laplace pair P = Laplace(0, 1/epsilon), Q = Laplace(1, 1/epsilon): laws
 * F(.|0) and F(.|1) with P = p F(.|0) + (1-p) F(.|1), Q = (1-p) F(.|0) + p F(.|1), p = e^epsilon / (1 + e^epsilon).
 * Density, distribution function and quantile of F(.|bit), elementwise: z any number, a probability in [0, 1]; epsilon
 * in [2^-100, 1400], bit 0 or 1. Bad input as in simdp_loss.h.
 * Absolute error of density / epsilon and of the distribution function 1e-15, of epsilon times the quantile 8e-16 plus
 * relative 1e-15. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_system_laplace_map_density(double *density, const double *z, size_t n,
                                                                      int bit, double epsilon);
SIMDP_API SIMDP_CHECKED simdp_status simdp_system_laplace_map_cdf(double *cdf, const double *z, size_t n, int bit,
                                                                  double epsilon);
SIMDP_API SIMDP_CHECKED simdp_status simdp_system_laplace_map_quantile(double *z, const double *probability, size_t n,
                                                                       int bit, double epsilon);

/* The map itself, for centres x0, x1 and any scale: where bits are the answers of randomized response at epsilon = |x1
 * - x0| / scale, out has the law Laplace(x0, scale) if the truth was 0 and Laplace(x1, scale) if it was 1. By
 * inversion, one word each: rng advances by n. Bits other than 0 count as 1. x0, x1 finite, scale in [2^-900, 2^900],
 * epsilon <= 1400, else SIMDP_EPARAM, nothing written. Not a release: the outputs are floating-point numbers. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_system_laplace_map(simdp_rng *rng, double *out, const uint8_t *bits,
                                                              size_t n, double x0, double x1, double scale);

/* The map for two laws p, q on 0 ... n-1: four rows of n probabilities, F(.|0), F(.|1), F(.|"I am U"), F(.|"I am V"),
 * such that leaky randomized response at (epsilon, delta) sent through them has law p from U and q from V: every
 * probability to (n + epsilon) 2^-50, however small epsilon is. Rows have sum 1 to n 2^-51.
 *
 *   map      4 n doubles; all NaN on SIMDP_EPARAM
 *   p, q     n >= 1 entries >= 0 each, of finite sum; divided by their sums before use
 *   epsilon  >= 0         delta  in [0, 1]; rows of symbols that cannot occur (leaks if delta is 0, bits if it is 1)
 *            repeat p and q
 *
 * SIMDP_EPARAM also if p and q are not (epsilon, delta)-indistinguishable: sum of max(0, p - e^epsilon q), or that with
 * p and q exchanged, above delta + (n + epsilon) 2^-50. These are laws, not data: they may decide the status. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_system_discrete_map(double *map, const double *p, const double *q, size_t n,
                                                               double epsilon, double delta);

/* out[i] = a draw from the row of map that symbols[i] names (its lowest two bits count); one word each, by inversion.
 * map as made above. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_system_discrete_map_draw(simdp_rng *rng, size_t *out, const uint8_t *symbols,
                                                                    size_t draws, const double *map, size_t n);

/* ---- mechanisms and what they cost ------------------------------------------------------------------------------- */

/* One question's mechanism. Members that a kind does not name are ignored.
 *
 *   kind         NONE: the analyst has no further question
 *                LAPLACE, GAUSSIAN: q(x) + noise of the scale, released on its default grid
 *                SELECTION, SELECTION_MONOTONE: simdp_select_gumbel of the query's scores
 *                RANDOMIZED_RESPONSE, LEAKY_RESPONSE: of the bit q(x) != 0
 *                TYPICAL_LAPLACE, TYPICAL_GAUSSIAN: 003 Algorithms 2 and 3: q(x) + noise for a concentrated query
 *   sensitivity  >= 0, in answer units: how far q (each score) moves between neighbours; 0 says that q is the same for
 *                all of them, and costs nothing. Typical kinds: how far q strays from its mean, but for mass nu of the
 *                datasets (alpha of 003)
 *   scale        > 0, answer units: Laplace scale, Gaussian sigma, Gumbel scale
 *   epsilon      responses: >= 0
 *   delta        leaky response: the mass of leaks, [0, 1]. Gaussian kinds: the delta at which an account of (epsilon,
 *                delta) pairs charges it (tau of 003), in (0, 1); accounts by zCDP and Renyi divergence charge no delta
 *   nu           typical kinds: (0, 1) */
typedef struct simdp_system_mechanism {
    simdp_mechanism kind;
    double sensitivity, scale, epsilon, delta, nu;
} simdp_system_mechanism;

/* What one use of a mechanism costs: it is (epsilon, delta)-DP, and zcdp_delta-approximately rho-zCDP. For typical
 * kinds it is (epsilon, delta, nu)-typically stable instead, and rho is NaN: no neighbours, no zCDP. All rounded up:
 * never below the real number, above it by 2^-50 of it (or 2^-1071) at most, but for the epsilon of Gaussian kinds,
 * which is simdp_epsilon_gaussian's. */
typedef struct simdp_cost {
    double epsilon, delta, rho, zcdp_delta, nu;
} simdp_cost;

/* SIMDP_EPARAM, and *cost all NaN, if a member of the mechanism is out of range or the kind is NONE or unknown. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_system_cost(simdp_cost *cost, const simdp_system_mechanism *mechanism);

/* ---- filters: a budget for mechanisms chosen as one goes --------------------------------------------------------- */

/* A filter admits a mechanism only if afterwards the budget is still kept, whatever was chosen, in the light of
 * whatever outputs, before: it decides from parameters alone, before the mechanism runs. A plain struct; its members
 * are private. A filter whose opening failed is closed, also if it worked before: SIMDP_EPARAM from then on. What is
 * spent is rounded up and what may be spent down, so nothing is admitted beyond the budget; what is refused would leave
 * less than 2^-36 of it (zCDP: 1e-6, Renyi: 2^-40).
 *
 * All but the last hold for full adaptivity: parameters and the number of steps may depend on the outputs so far. */
typedef struct simdp_filter {
    int kind;
    size_t steps, limit, orders_count;
    double budget, leak_budget, slack;
    double spent, leaked;
    double eta, tau, nu;
    const double *orders;
    double *renyi_spent;
} simdp_filter;

/* Basic: sum of epsilons <= epsilon and of deltas <= delta. The transcript is (epsilon, delta)-DP (Rogers, Roth,
 * Ullman, Vadhan 2016). */
SIMDP_API SIMDP_CHECKED simdp_status simdp_system_filter_basic(simdp_filter *filter, double epsilon, double delta);

/* Strong: with V the sum of epsilon_i^2, sqrt(2 ln(1/slack) V) + V/2 <= epsilon, and sum of deltas <= delta. The
 * transcript is (epsilon, delta + slack)-DP (Whitehouse, Ramdas, Rogers, Wu 2023, Theorem 1). slack in (0, 1). */
SIMDP_API SIMDP_CHECKED simdp_status simdp_system_filter_strong(simdp_filter *filter, double epsilon, double delta,
                                                                double slack);

/* zCDP: sum of rho_i <= the largest rho that converts to (epsilon, slack), sum of zcdp_deltas <= delta. The transcript
 * is (epsilon, delta + slack)-DP (Feldman, Zrnic 2021: the bound holds at every order at once). slack in (0, 1). */
SIMDP_API SIMDP_CHECKED simdp_status simdp_system_filter_zcdp(simdp_filter *filter, double epsilon, double delta,
                                                              double slack);

/* Renyi: for each of n orders (1 + 2^-20 to 2^60) the sum of Renyi divergences; admits while one sum is within what
 * converts to (epsilon, slack / n). The transcript is (epsilon, delta + slack)-DP: at one order by Feldman and Zrnic
 * 2021, at several because the paths that end within order j's bound contribute at most slack / n each. orders and
 * spent (n doubles, overwritten) stay the caller's and must outlive the filter. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_system_filter_renyi(simdp_filter *filter, double *spent,
                                                               const double *orders, size_t n, double epsilon,
                                                               double delta, double slack);

/* Typical stability: at most limit mechanisms, all of typical kinds, each at least as stable as (eta, tau, nu) (tau =
 * 0: Laplace only). The transcript is what the composition theorems 4.2 and 4.8 of 003 promise for limit such steps. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_system_filter_typical(simdp_filter *filter, double eta, double tau,
                                                                 double nu, size_t limit);

/* *admitted = 1 and the cost is charged, or *admitted = 0 and nothing changes. SIMDP_EPARAM, *admitted = 0: the
 * mechanism has bad parameters, or is of a kind the filter has no theorem for (typical kinds but in the typical filter,
 * others in that). */
SIMDP_API SIMDP_CHECKED simdp_status simdp_system_filter_admit(int *admitted, simdp_filter *filter,
                                                               const simdp_system_mechanism *mechanism);

/* Odometer: what has been spent up to now. For the basic filter the sums. For the others *delta is the sum of deltas
 * plus slack, and *epsilon bounds the privacy loss at all times together: with probability 1 - *delta no step of the
 * run sees a loss above the odometer's reading of that step (Ville's inequality; normal mixture for strong and zCDP).
 * Rounded up: never below the formula of the admitted mechanisms' real costs, above it by 2^-40 of it at most (for up
 * to 1000 steps). SIMDP_EPARAM and NaN for the typical filter. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_system_filter_spent(double *epsilon, double *delta,
                                                               const simdp_filter *filter);

/* ---- adaptive interaction ---------------------------------------------------------------------------------------- */

/* A query: fills answers (n of them: 1, or the candidates of a selection) from a dataset, of which the library knows
 * only the address. Runs before noise is added and must not publish anything. A status other than SIMDP_OK ends the
 * interaction and is returned; a query must not let it depend on the data. NaN and infinities are taken as release and
 * select take them (as a bit, NaN is 0). Queries and analysts run in the default floating-point mode, so that a
 * transcript does not depend on the caller's. */
typedef simdp_status simdp_system_query(void *context, double *answers, size_t n, const void *data);

/* What the analyst asks for next; all zero when the analyst is called. tag is the analyst's own, and is kept in the
 * transcript. */
typedef struct simdp_request {
    simdp_system_mechanism mechanism;
    simdp_system_query *query;
    void *query_context;
    size_t candidates; /* of a selection, >= 1 */
    uint64_t tag;
} simdp_request;

/* One step of a transcript: what is public after it. output: the noisy answer, the chosen index, the bit, or the
 * symbol. */
typedef struct simdp_system_step {
    simdp_system_mechanism mechanism;
    uint64_t tag;
    double output;
} simdp_system_step;

/* The analyst, or adversary: reads the transcript so far and fills the next request; leaves mechanism.kind NONE to
 * stop. A status other than SIMDP_OK ends the interaction and is returned. It sees neither data nor losses. */
typedef simdp_status simdp_analyst(void *context, simdp_request *next, const simdp_system_step *steps, size_t count);

typedef enum {
    SIMDP_STOP_ERROR = 0, /* the status says why */
    SIMDP_STOP_ANALYST,   /* no further question */
    SIMDP_STOP_CAPACITY,  /* no room for a further step */
    SIMDP_STOP_BUDGET     /* the filter did not admit the next mechanism; it has not run */
} simdp_stop;

/* An interaction: the caller's memory, and what came of it. */
typedef struct simdp_interaction {
    simdp_system_step *steps; /* capacity of them */
    size_t capacity;
    double *losses;  /* capacity doubles, or NULL: the loss of each step */
    double *scratch; /* scratch_size doubles, for selections: candidates, with a neighbour twice that, for
                      * simdp_system_transcript_map eight times; NULL if there are none */
    size_t scratch_size;
    size_t count;    /* result: steps made */
    double loss;     /* result: sum of their losses, compensated; NaN without a neighbour */
    simdp_stop stop; /* result */
} simdp_interaction;

/* k-fold adaptive composition (003 Algorithm 1) and adaptive interaction (003 Figure 1): until something stops it, the
 * analyst picks a mechanism and a query, the filter admits it, it runs on data, and its output joins the transcript.
 *
 *   rng        a step moves it by one, a selection as simdp_select_gumbel does. Same key, position, analyst and data:
 *              same transcript
 *   run        steps, capacity, losses, scratch, scratch_size are read, the rest is written, also on failure: the steps
 *              made are valid, and the stream stands where the last of them ended
 *   data       handed to queries, may be NULL
 *   neighbour  another dataset to measure losses against, ln P[output | data] / P[output | neighbour] given the steps
 *              before; or NULL. Losses are secrets about the data. They are those of the real-number mechanism at the
 *              output
 *   filter     or NULL: no budget
 *
 * Returns SIMDP_OK however it stopped; SIMDP_ENULL for a missing pointer; SIMDP_EPARAM for a mechanism with bad
 * parameters, too little scratch, or a kind the filter has no theorem for; or the status of the analyst, a query or the
 * stream. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_system_interact(simdp_rng *rng, simdp_interaction *run,
                                                           simdp_analyst *analyst, void *analyst_context,
                                                           const void *data, const void *neighbour,
                                                           simdp_filter *filter);

/* The transcript map F*: step j's output is made from symbols[j] alone, by the simulation map of the step's pair of
 * laws on data and on neighbour. Symbols from U at (epsilon, delta) give the law of simdp_system_interact on data,
 * symbols from V that on neighbour: which is why bounds for leaky randomized response hold for every composition.
 *
 * At most n steps. Kinds: Laplace (also typical), selection, responses; each must cost at most (epsilon, delta). The
 * Gaussian pair has no finite map here: SIMDP_EPARAM; so is a query that moves by more than its sensitivity. Losses are
 * written as above, for data. data and neighbour must not be NULL. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_system_transcript_map(simdp_rng *rng, simdp_interaction *run,
                                                                 const uint8_t *symbols, size_t n,
                                                                 simdp_analyst *analyst, void *analyst_context,
                                                                 const void *data, const void *neighbour,
                                                                 double epsilon, double delta);

/* ---- urns and matrices ------------------------------------------------------------------------------------------- */

/* Polya's urn: is_red[i] = 1 if draw i is red, of an urn with red + blue balls at first, to which each draw adds one
 * ball of its colour. To go on, call again with the counts reached. rng advances by draws. red + blue >= 1, red + blue
 * + draws < 2^63; each draw's probability is right to 2^-64. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_system_polya_urn(simdp_rng *rng, uint8_t *is_red, size_t draws, uint64_t red,
                                                            uint64_t blue);

/* 001: the column of a rows x columns matrix (row after row) chosen by the exponential mechanism with the column sums
 * as scores, eta-DP for replacing a row.
 *
 *   rng      as in simdp_select_gumbel
 *   column   the choice; SIZE_MAX on failure (but SIMDP_ENULL)
 *   sums     columns doubles, overwritten with the sums, on a failure of the stream too. A secret, like the matrix
 *   matrix   entries in [0, 1]: each is clamped to that, NaN counts as 0, and rounded to a multiple of 2^-k, k the
 *            largest number up to 52 with rows 2^k <= 2^53. So every sum is exact, in whatever order, and replacing a
 *            row moves each by at most 1: a plain sum of doubles can move further
 *   rows     at most 2^53              columns  >= 1
 *   eta      in [2^-800, 2^800] */
SIMDP_API SIMDP_CHECKED simdp_status simdp_system_select_column(simdp_rng *rng, size_t *column, double *sums,
                                                                const double *matrix, size_t rows, size_t columns,
                                                                double eta);

#ifdef __cplusplus
}
#endif

#endif
