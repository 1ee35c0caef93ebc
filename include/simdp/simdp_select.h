/* simdp_select.h: choosing one of many candidates (the exponential mechanism), quantiles, groups that may be shown, and
 * the first query above a threshold. Part of simdp.h, which has the conventions. */
#ifndef SIMDP_SELECT_H
#define SIMDP_SELECT_H

#include "simdp_rng.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SIMDP_SELECT_GROUP 128

/* Candidate i of n is chosen with probability exp(score[i]/scale) / sum_j exp(score[j]/scale), by the Gumbel-max race:
 * the winner has the largest score[i]/scale - ln E_i, E_i exponential. The winner is the one that real numbers decide
 * on: a candidate whose rank the first random bits and the fast arithmetic leave open gets more bits (up to 512) and
 * more digits, so the law is exact (total variation below 2^-200) and no property of floating point reaches the output.
 *
 * Privacy. scale = 2 sensitivity / epsilon (simdp_select_scale) gives epsilon-DP; so does sensitivity / epsilon where
 * one record moves all scores in the same direction. At 2 sensitivity / epsilon a selection also has bounded range
 * epsilon and epsilon^2/8 zCDP, and k winners at once count as k selections.
 *
 *   rng      a selection begins at the next multiple of SIMDP_SELECT_GROUP and owns n positions, however many winners;
 *            selections follow each other, so a call for many equals as many calls. A stream that erases its keys or
 *            has external words gives the key of a stream that lives for the call, unless all positions lie under one
 *            key
 *   index    winners, from 0; all SIZE_MAX on failure (but SIMDP_ENULL)
 *   scores   exact numbers, any size. NaN and -inf never win, +inf always does; several: the smallest index. If no
 *            score is finite or +inf: index 0. Data never causes an error.
 *   n        >= 1; 0 is SIMDP_EPARAM
 *   scale    0 (the largest score wins, the smallest index among equals), or SIMDP_NOISE_SCALE_MIN to
 *            SIMDP_NOISE_SCALE_MAX
 *
 * SIMDP_OK, SIMDP_ENULL, SIMDP_EPARAM (by n, scale, counts and the positions left, 2^64 - 257 in all), SIMDP_EISA and
 * what the stream reports. Same key and position: the same index on every instruction set, from every form below. _f32
 * takes float scores and gives what the same numbers as doubles give.
 *
 * Time. Unless _vartime is in its name, a function runs in constant time: neither branches nor addresses depend on
 * scores or random bits, with these exceptions:
 *
 *   (a) The selection is decided in variable time if the two best keys are too close for the fast arithmetic (2.3 2^-19
 *       octaves; at most 1 selection in 300000), or if more candidates than the fixed lists hold come within 2 % of the
 *       best (estimated, not proven: about 1 in 100000 for the worst arrangement of scores). The time then tells that
 *       this happened, and may tell among which candidates.
 *   (b) A score is +inf, or none is finite.
 *   (c) Subnormal differences of scores cost no time, as they count as 0 until (a) decides. But subnormal floats at a
 *       scale below 2^-80 count as what they are, and may cost time. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_select_gumbel(simdp_rng *rng, size_t *index, const double *scores, size_t n,
                                                         double scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_select_gumbel_f32(simdp_rng *rng, size_t *index, const float *scores,
                                                             size_t n, double scale);

/* `draws` selections from the same scores: index[0] .. index[draws - 1]. draws = 0 does nothing. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_select_gumbel_many(simdp_rng *rng, size_t *index, size_t draws,
                                                              const double *scores, size_t n, double scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_select_gumbel_many_f32(simdp_rng *rng, size_t *index, size_t draws,
                                                                  const float *scores, size_t n, double scale);

/* One selection from each of `rows` rows of n scores, row after row: index[r] counts from the start of its row. rows =
 * 0 does nothing. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_select_gumbel_rows(simdp_rng *rng, size_t *index, const double *scores,
                                                              size_t rows, size_t n, double scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_select_gumbel_rows_f32(simdp_rng *rng, size_t *index, const float *scores,
                                                                  size_t rows, size_t n, double scale);

/* The same, with bits that belong to ids[r], the id of row r, instead of positions: simdp_rng.h says what an id is, what to
 * put into one, and that equal ids get equal bits. index[r] is a function of key, stream, ids[r], the scores of row r,
 * scale and n, in any order, split and thread, on any machine; scale and n are part of the derivation. rng must be
 * deterministic, else SIMDP_EPARAM; it does not move, and threads may share it. Law, time and failures are those of
 * simdp_select_gumbel_rows; each row opens a stream of its own, which takes about a tenth of a microsecond. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_select_gumbel_rows_by_id(simdp_rng *rng, size_t *index, const double *scores,
                                                                    const simdp_id *ids, size_t rows, size_t n,
                                                                    double scale);

/* The k best of one race, best first: the law of k selections one after the other, each without the winners before it.
 * index[0] is the winner of simdp_select_gumbel. +inf come first, NaN and -inf last, by index. k <= n (else
 * SIMDP_EPARAM), k = 0 does nothing. One pass over the scores for each eight winners; time depends on the winners,
 * which are the output. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_select_gumbel_top_k(simdp_rng *rng, size_t *index, size_t k,
                                                               const double *scores, size_t n, double scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_select_gumbel_top_k_f32(simdp_rng *rng, size_t *index, size_t k,
                                                                   const float *scores, size_t n, double scale);

/* The same winners sooner, in a time that depends on scores and random bits: most candidates are ruled out by their
 * first 16 bits. For scores that may be known to whoever watches the clock or the caches. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_select_gumbel_vartime(simdp_rng *rng, size_t *index, const double *scores,
                                                                 size_t n, double scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_select_gumbel_vartime_f32(simdp_rng *rng, size_t *index, const float *scores,
                                                                     size_t n, double scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_select_gumbel_many_vartime(simdp_rng *rng, size_t *index, size_t draws,
                                                                      const double *scores, size_t n, double scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_select_gumbel_many_vartime_f32(simdp_rng *rng, size_t *index, size_t draws,
                                                                          const float *scores, size_t n, double scale);

/* Permute and flip (McKenna and Sheldon, 2020): the winner has the largest score[i]/scale + E_i. epsilon-DP at the same
 * scales, and never a lower expected score than the exponential mechanism. It has no bounded range: epsilon^2/8 zCDP
 * does not hold for it. It reads bits of its own; otherwise as simdp_select_gumbel. Equal scores win equally often, as
 * E_i has a density; at scale 0 the smallest index does. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_select_permute_flip(simdp_rng *rng, size_t *index, const double *scores,
                                                               size_t n, double scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_select_permute_flip_f32(simdp_rng *rng, size_t *index, const float *scores,
                                                                   size_t n, double scale);

/* ---- scores that many calls share ---- */

/* Bytes of a workspace for n candidates (6 n and a little); 0 if n is 0 or too large. Any alignment. */
SIMDP_API size_t simdp_select_workspace(size_t n);

/* Fills a workspace. It keeps the pointer: scores must stay as they are while it is in use, and the workspace where it
 * is. If scores change all the same, draws still come to an end with indices below n, but follow no stated law.
 * Constant time. On SIMDP_ENULL, SIMDP_EPARAM and SIMDP_EISA the workspace is untouched. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_select_prepare(void *workspace, const double *scores, size_t n,
                                                          double scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_select_prepare_f32(void *workspace, const float *scores, size_t n,
                                                              double scale);

/* simdp_select_gumbel_many and _many_vartime of the prepared scores. The workspace is only read, also by several
 * threads. SIMDP_EPARAM also if it was never prepared. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_select_prepared(simdp_rng *rng, size_t *index, size_t draws,
                                                           const void *workspace);
SIMDP_API SIMDP_CHECKED simdp_status simdp_select_prepared_vartime(simdp_rng *rng, size_t *index, size_t draws,
                                                                   const void *workspace);

/* ---- closed forms ---- */

/* The scale for epsilon-DP: 2 sensitivity / epsilon, or, if monotonic (one record moves all scores in the same
 * direction), sensitivity / epsilon; rounded up, by 2 units in the last place at most. epsilon = inf: 0; epsilon = 0:
 * inf. NaN if epsilon or sensitivity is negative or NaN, or sensitivity infinite. Sensitivity 0 is NaN too: scores that
 * no record moves need no noise, and scale 0, the plain largest score, has to be asked for by name. */
SIMDP_API double simdp_select_scale(double epsilon, double sensitivity, int monotonic);

/* How far the winner's score lies below the best, for n candidates: the mean is at most scale ln n, and with
 * probability 1 - beta it is at most scale (ln n + ln(1/beta)). n >= 1, 0 <= scale <= inf, 0 <= beta <= 1, else
 * SIMDP_EPARAM and *gap is NaN. One candidate has no mean gap at any scale. Rounded up: never below the formula, above
 * it by 2^-49 of it or 2^-1072 at most. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_select_gap_mean(double *gap, double n, double scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_select_gap_tail(double *gap, double n, double scale, double beta);

/* The law itself, for each of `rows` rows of n scores: probability of each candidate, its natural logarithm, and per
 * row the mean of the winner's score. Special scores and scale 0 as in simdp_select_gumbel; scale inf: all finite
 * scores alike. p and log_p may be scores itself. Relative error of p and absolute error of log_p below 2^-49 (1 +
 * |log_p|). scale out of range: SIMDP_EPARAM, all outputs NaN; n = 0, or sizes that overflow: SIMDP_EPARAM, nothing
 * written; rows = 0 does nothing. The mean counts scores of probability 0 as nothing; it is the score itself where a
 * NaN, +inf or -inf is certain. Its error: 2^-52 of itself, the mean of 2^-49 (1 + |log_p|) |score - best one|, and
 * 2^-1070. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_select_probabilities(double *p, const double *scores, size_t rows, size_t n,
                                                                double scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_select_log_probabilities(double *log_p, const double *scores, size_t rows,
                                                                    size_t n, double scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_select_expected_score(double *mean, const double *scores, size_t rows,
                                                                 size_t n, double scale);

/* ---- quantiles ---------------------------------------------------------------------------------------------------- */

/* Scores by which the exponential mechanism chooses the quantile numerator / denominator of the records among candidates
 * that are known before the data are seen:
 *
 *     scores[i] = -|(denominator - numerator) below - numerator above|
 *
 * with the numbers of records below and above candidates[i]: 0 where the candidate splits the records as asked, and a
 * whole number of at most 2^53, so that nothing is rounded. Scores are secret: what may be published is the winner of
 * simdp_select_gumbel or simdp_select_permute_flip, with
 *
 *     scale = simdp_select_scale(epsilon, sensitivity, 0), sensitivity = max(numerator, denominator - numerator)
 *
 * Privacy. A record more or less changes one of the two numbers by 1, or neither (it equals the candidate, or is NaN), so
 * it moves a score by at most the larger of their factors. A record that is exchanged for another is one less and one
 * more, and moves a score by `denominator` at most: where that is what neighbours are, take denominator as the
 * sensitivity. Records move different scores in different directions: the selection is not monotonic.
 *
 * Records that are NaN count as neither below nor above, as if they were not there; +-inf are numbers; subnormal numbers
 * and -0 count as 0. Data never causes an error. A candidate that is NaN has score -inf and is never chosen; equal
 * candidates have equal scores.
 *
 * 1 <= denominator, numerator <= denominator, count sensitivity <= 2^53; else SIMDP_EPARAM, all scores NaN. n = 0 does
 * nothing, count = 0 makes all scores 0. scores may be candidates itself. Time depends on count and n alone: each four
 * candidates are one pass over the records. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_select_quantile_scores(double *scores, const double *records, size_t count,
                                                                  const double *candidates, size_t n,
                                                                  uint64_t numerator, uint64_t denominator);

/* ---- which groups may be shown ---------------------------------------------------------------------------------- */

/* keep[i] = 1 if group i, of counts[i] people, may be shown, else 0. Which groups exist may tell of a person as much as
 * what they hold; a group is kept with the largest probability pi(count) for which the list of kept groups is
 * (epsilon, delta)-DP for a person who is in at most groups_per_person groups and counted once in each
 * (Desfontaines, Voss, Gipson and Mandayam, 2022):
 *
 *     pi(0) = 0, pi(n) = min(e^e pi(n-1) + d, 1 - e^-e (1 - d - pi(n-1)), 1)
 *
 * with e = epsilon / groups_per_person and d = 1 - (1 - delta)^(1 / groups_per_person), both rounded down. A group is
 * kept if a uniform number U lies below pi, and real numbers decide: what 52 bits of U and arithmetic in doubles leave
 * open is decided by 448 bits, so the law is exact but for a total variation below 2^-200.
 *
 * The keys of groups and their counts are two questions: to show counts too, give them a share of the budget of their
 * own, or take simdp_release_laplace_threshold, which pays for both at once. For accounting take
 * simdp_pld_add_randomized_response(pld, e, d, groups_per_person), which dominates every pair of neighbouring counts
 * and equals the worst of them.
 *
 *   rng                moves by n
 *   keep               n bytes; all 0 on failure (but SIMDP_ENULL): nothing is shown
 *   counts             of people, not of records. Negative counts are as 0, which is never kept; counts above 2^52 are as
 *                      2^52. Data never causes an error
 *   epsilon            0 <= epsilon < inf. An e above 64 counts as 64, one below 2^-200 as 0: pi(n) = min(n d, 1)
 *   delta              2^-600 <= delta < 1
 *   groups_per_person  >= 1
 *
 * SIMDP_OK, SIMDP_ENULL, SIMDP_EPARAM (by n, parameters and positions left), SIMDP_EISA and what the stream reports.
 * Same key and position: the same decision on every instruction set. Time depends neither on counts nor on random bits,
 * but for groups that doubles leave open, fewer than one in 2^40. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_select_partitions(simdp_rng *rng, uint8_t *keep, const int64_t *counts,
                                                             size_t n, double epsilon, double delta,
                                                             uint64_t groups_per_person);

/* The same, where the uniform number of group i is a function of who it is: of key, stream, ids[i] and the parameters,
 * in any order and on any machine (simdp_rng.h has what an id is, and what belongs into it: the name of the group, never
 * its count). Deterministic streams only, else SIMDP_EPARAM; rng does not move. Asked again about the same data the
 * answer is the same. After the data changed a new key is needed: with the old one a group that appears tells that its
 * count has grown. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_select_partitions_by_id(simdp_rng *rng, uint8_t *keep, const int64_t *counts,
                                                                   const simdp_id *ids, size_t n, double epsilon,
                                                                   double delta, uint64_t groups_per_person);

/* The law: p[i] = pi(counts[i]) and complement[i] = 1 - p[i], both nearest to the real number for the rounded e and d.
 * A parameter out of range: SIMDP_EPARAM, all NaN. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_select_partition_probability(double *p, double *complement,
                                                                        const int64_t *counts, size_t n, double epsilon,
                                                                        double delta, uint64_t groups_per_person);

/* ---- above threshold -------------------------------------------------------------------------------------------- */

/* The sparse vector technique: *index = the first i with
 *
 *     queries[i] + Laplace(scale_query) >= threshold + Laplace(scale_threshold)
 *
 * and *found = 1; *index = SIZE_MAX and *found = 0 if there is none. Noise is drawn for every query, and once for the
 * threshold. The comparison is decided as real numbers decide it: what doubles leave open is decided by 448 random bits
 * of each noise, so the law is exact but for a total variation below 2^-200.
 *
 * Privacy (Lyu, Su and Li, 2017). If a record moves each query by at most D, and scale_threshold = D / e1, scale_query =
 * 2 D / e2 (D / e2 if it moves all queries in the same direction), the answer is (e1 + e2)-DP, however many queries
 * there are. simdp_select_threshold_scales splits an epsilon. For accounting take
 * simdp_pld_add_randomized_response(pld, e1 + e2, 0, 1): no tighter pair is known. What breaks it: to show the value of
 * a query, or of the noisy threshold; to go on after the report without paying again; to leave out the noise of queries.
 * To go on with the queries behind *index is another call, which costs the same again.
 *
 *   rng              moves by n + 1: one position for the threshold, then one a query; not at all for n = 0
 *   index, found     on failure (but SIMDP_ENULL) SIZE_MAX and 0
 *   queries          exact numbers; subnormal ones count as 0, NaN and -inf are never above, +inf always is. Data never
 *                    causes an error
 *   threshold        -2^1000 to 2^1000
 *   scale_threshold, scale_query   SIMDP_NOISE_SCALE_MIN to SIMDP_NOISE_SCALE_MAX
 *
 * All n queries are compared, whatever the answer, so that time depends on n alone, but for comparisons that doubles
 * leave open (below 2^-38 each). */
SIMDP_API SIMDP_CHECKED simdp_status simdp_select_above_threshold(simdp_rng *rng, size_t *index, uint8_t *found,
                                                                  const double *queries, size_t n, double threshold,
                                                                  double scale_threshold, double scale_query);

/* The same, one query at a time. A state holds the noise of the threshold, which is drawn once, and how many reports
 * are left; its members belong to the library. It is secret, must not be copied (a copy could report again without
 * paying), and is wiped when the last report is made. In a forked child a state that was opened on a stream of
 * simdp_rng_init is not open: the parent's copy is the one that reports.
 *
 * open draws the noise of the threshold, at one position of rng, for `reports` reports (1 or more). ask draws noise for
 * one query, at one position: *above = 1 is a report. With one report the answers are those of simdp_select_above_threshold
 * on the same stream. Several reports from one noisy threshold cost e1 + e2 together if scale_query is `reports` times
 * as large (simdp_select_threshold_scales).
 *
 * A state that was not opened, whose opening failed, or that has made its last report, answers nothing: SIMDP_EPARAM and
 * *above = 0, and rng does not move. Any other failure (but SIMDP_ENULL of ask, which touches nothing) leaves *above = 0
 * too and closes the state, since it is not known what was answered. wipe closes a state; NULL does nothing. */
typedef struct simdp_select_threshold {
    uint64_t words[7];
    double threshold, scale_threshold, scale_query;
    uint64_t reports; /* left */
    uint64_t kind;
} simdp_select_threshold;
SIMDP_API SIMDP_CHECKED simdp_status simdp_select_threshold_open(simdp_rng *rng, simdp_select_threshold *state,
                                                                 double threshold, double scale_threshold,
                                                                 double scale_query, uint64_t reports);
SIMDP_API SIMDP_CHECKED simdp_status simdp_select_threshold_ask(simdp_rng *rng, simdp_select_threshold *state,
                                                                uint8_t *above, double query);
SIMDP_API void simdp_select_threshold_wipe(simdp_select_threshold *state);

/* Scales for which `reports` reports together are epsilon-DP: e1 : e2 = 1 : (2 reports)^(2/3), or, if monotonic (one
 * record moves all queries in the same direction), 1 : reports^(2/3), the split with the least variance of the
 * difference that is compared (Lyu, Su and Li); *scale_threshold = sensitivity / e1, *scale_query = 2 reports
 * sensitivity / e2 (monotonic: reports sensitivity / e2), rounded up, so that e1 + e2 <= epsilon. 0 < epsilon < inf, 0 <
 * sensitivity < inf, reports >= 1; else SIMDP_EPARAM, both NaN. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_select_threshold_scales(double *scale_threshold, double *scale_query,
                                                                   double epsilon, double sensitivity, uint64_t reports,
                                                                   int monotonic);

#ifdef __cplusplus
}
#endif

#endif
