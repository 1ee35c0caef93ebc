/* selection.c: privacy loss of the exponential mechanism. With top scores M, totals S of weights relative to them and k
 * = 1 / scale,
 *
 *     loss(r) = k ((score0_r - score1_r) - (M0 - M1)) - ln(S0 / S1)
 *
 * Both differences are taken with their rounding errors, so that neither large scores nor an offset between the two
 * vectors costs digits. Parts of the error, u = 2^-53: 2 u of the difference, 2 u of its product with k, each total 3 u
 * (1 + ln n) from the roundings of exponents, 2 u of itself from exponentials and their sum, and ln 1 u. */
#include "loss/selection.h"

#include <math.h>

#include "loss/loss_call.h"
#include "loss/affine.h"

enum { BLOCK = 512 };

static selection_law law_of(const simdp_loss_kernels *kernels, const double *scores, size_t n, double k)
{
    selection_law law = {.scores = scores, .top = kernels->largest(scores, n), .total = 1.0, .certain = SIZE_MAX};
    if (isinf(law.top)) { /* the first +infinity, or index 0 where no score is above -infinity */
        law.certain = 0;
        /* bound: n - 1 turns, also if scores change meanwhile */
        while (law.top > 0 && law.certain + 1 < n && scores[law.certain] != law.top) law.certain++;
        return law;
    }
    loss_sum sum = {{0}, {0}};
    double weight[BLOCK];
    for (size_t done = 0; done < n; done += BLOCK) {
        const size_t count = n - done < BLOCK ? n - done : BLOCK;
        kernels->weights(weight, scores + done, count, law.top, k);
        kernels->sum_add(&sum, weight, count);
    }
    law.total = loss_sum_total(&sum);
    return law;
}

selection_pair simdp_selection_pair(const simdp_loss_kernels *kernels, const double *scores0, const double *scores1,
                                    size_t n, double scale)
{
    selection_pair pair = {.n = n, .k = 1.0 / scale};
    pair.law[0] = law_of(kernels, scores0, n, pair.k);
    pair.law[1] = law_of(kernels, scores1, n, pair.k);
    const double ratio = pair.law[0].total / pair.law[1].total;
    /* equal laws: no loss, not a rounding error */
    pair.minus_log_ratio = ratio == 1.0 ? 0.0 : kernels->minus_log(ratio);
    return pair;
}

static bool possible(const selection_law *law, size_t r)
{
    return law->certain == SIZE_MAX ? law->scores[r] > -INFINITY : r == law->certain;
}

/* What the score of index r adds to the loss of two laws without a certain index; NaN, or infinite, where a difference
 * overflows. */
static inline double score_part(const selection_law *p, const selection_law *q, size_t r, dd tops)
{
    const dd scores = dd_two_sum(p->scores[r], -q->scores[r]);
    return (scores.hi - tops.hi) + (scores.lo - tops.lo);
}

/* A quarter of how far index r lies below the top: 0 for a certain one. */
static double quarter_below_top(const selection_law *law, size_t r)
{
    return law->certain == SIZE_MAX ? 0.25 * law->scores[r] - 0.25 * law->top : 0.0;
}

/* The loss of any index, whatever the laws. */
static double loss_of(const selection_pair *pair, size_t r)
{
    const selection_law *p = &pair->law[0], *q = &pair->law[1];
    if (r >= pair->n) return NAN;
    const bool in_p = possible(p, r), in_q = possible(q, r);
    if (!in_p || !in_q) return in_p ? INFINITY : in_q ? -INFINITY : 0.0;
    return (quarter_below_top(p, r) - quarter_below_top(q, r)) * pair->k * 4.0 + pair->minus_log_ratio;
}

void simdp_selection_losses(double *loss, const selection_pair *pair, const size_t *chosen, size_t draws)
{
    const selection_law *p = &pair->law[0], *q = &pair->law[1];
    const bool plain = p->certain == SIZE_MAX && q->certain == SIZE_MAX;
    const dd tops = dd_two_sum(p->top, -q->top);
    for (size_t i = 0; i < draws; i++) {
        const size_t r = chosen[i];
        const double part = plain && r < pair->n ? score_part(p, q, r, tops) : NAN;
        loss[i] = isfinite(part) ? part * pair->k + pair->minus_log_ratio : loss_of(pair, r);
    }
}

simdp_status simdp_loss_selection(double *loss, const size_t *chosen, size_t draws, const double *scores0,
                                  const double *scores1, size_t n, double scale)
{
    if (draws > 0 && (loss == NULL || chosen == NULL)) return SIMDP_ENULL;
    if (draws > 0 && n > 0 && (scores0 == NULL || scores1 == NULL)) return SIMDP_ENULL;
    if (loss_too_many(draws, sizeof *loss) || loss_too_many(n, sizeof *scores0)) return SIMDP_EPARAM;
    const loss_call call = loss_enter();
    FP_PIN(scale);
    const bool good = loss_scale_ok(scale);
    if (good && call.kernels != NULL && draws > 0) {
        const selection_pair pair = simdp_selection_pair(call.kernels, scores0, scores1, n, scale);
        simdp_selection_losses(loss, &pair, chosen, draws);
    }
    return loss_leave_if(&call, good);
}
