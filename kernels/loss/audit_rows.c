/* audit_rows.c: what an audit found, beside the closed form. */
#include <math.h>

#include "loss/audit.h"
#include "loss/intervals.h"
#include "math/plain_math.h"

/* Tails of the loss on x0 and x1, and delta, in closed form. */
typedef struct {
    double tail[2], delta;
} exact_row;

static exact_row exact_laplace(const simdp_loss_audit *a, double epsilon)
{
    const loss_affine law = audit_law(a, -1);
    /* as the losses have it, to the last bit: P[L > t] = 0 but P[L >= t] = 1/2 */
    const double t = law.limit * fabs(law.slope1);
    if (epsilon >= t) return (exact_row){{0.0, 0.0}, 0.0};
    return (exact_row){{1.0 - 0.5 * plain_exp((epsilon - t) / 2), 0.5 * plain_exp(-(epsilon + t) / 2)},
                       -plain_expm1((epsilon - t) / 2)};
}

static exact_row exact_gaussian(const simdp_loss_audit *a, const simdp_loss_kernels *k, double epsilon)
{
    const double mu = fabs(0.25 * a->x1 - 0.25 * a->x0) / a->scale * 4.0, s = 1.0 / mu, root_half = 0.7071067811865476;
    exact_row row = {{0.0, 0.0}, 0.0};
    if (mu == 0.0) return row;
    row.tail[0] = 0.5 * plain_erfc((epsilon * s - 0.5 * mu) * root_half);
    row.tail[1] = 0.5 * plain_erfc((epsilon * s + 0.5 * mu) * root_half);
    k->delta_gaussian(&row.delta, &epsilon, NULL, 1, s);
    return row;
}

static exact_row exact_response(const simdp_loss_audit *a, double epsilon)
{
    const double keep = 1.0 / (1.0 + plain_exp(-a->scale)), flip = keep * plain_exp(-a->scale);
    if (epsilon >= a->scale) return (exact_row){{0.0, 0.0}, 0.0};
    return (exact_row){{keep, flip}, -plain_expm1(epsilon - a->scale) * keep};
}

/* Sums over candidates for all epsilons at once. */
static void exact_selection(exact_row *rows, const simdp_loss_audit *a, const simdp_loss_kernels *k)
{
    enum { BLOCK = 256 };
    const selection_pair pair = simdp_selection_pair(k, a->scores[0], a->scores[1], a->candidates, a->scale);
    loss_sum sums[SIMDP_LOSS_EPSILONS_MAX][3];
    double p[2][BLOCK], loss[BLOCK];
    size_t index[BLOCK];
    for (size_t j = 0; j < a->epsilons; j++) sums[j][0] = sums[j][1] = sums[j][2] = (loss_sum){{0}, {0}};
    for (size_t done = 0; done < a->candidates; done += BLOCK) {
        const size_t count = a->candidates - done < BLOCK ? a->candidates - done : BLOCK;
        for (size_t i = 0; i < count; i++) index[i] = done + i;
        simdp_selection_losses(loss, &pair, index, count);
        for (int side = 0; side < 2; side++) {
            const selection_law *law = &pair.law[side];
            if (law->certain == SIZE_MAX) k->weights(p[side], law->scores + done, count, law->top, pair.k);
            for (size_t i = 0; i < count; i++)
                p[side][i] = law->certain == SIZE_MAX ? p[side][i] / law->total : done + i == law->certain ? 1.0 : 0.0;
        }
        for (size_t j = 0; j < a->epsilons; j++) {
            for (size_t i = 0; i < count; i++) {
                if (!(loss[i] > a->epsilon[j])) continue;
                loss_two_sum(&sums[j][0].high[0], &sums[j][0].low[0], p[0][i]);
                loss_two_sum(&sums[j][1].high[0], &sums[j][1].low[0], p[1][i]);
                loss_two_sum(&sums[j][2].high[0], &sums[j][2].low[0], -p[0][i] * plain_expm1(a->epsilon[j] - loss[i]));
            }
        }
    }
    for (size_t j = 0; j < a->epsilons; j++) {
        rows[j].tail[0] = fmin(1.0, loss_sum_total(&sums[j][0]));
        rows[j].tail[1] = fmin(1.0, loss_sum_total(&sums[j][1]));
        rows[j].delta = fmin(1.0, loss_sum_total(&sums[j][2]));
    }
}

static void exact_rows(exact_row *rows, const simdp_loss_audit *a, const simdp_loss_kernels *k)
{
    if (a->kind == SIMDP_MECHANISM_SELECTION) {
        exact_selection(rows, a, k);
        return;
    }
    for (size_t j = 0; j < a->epsilons; j++) {
        const double e = a->epsilon[j];
        rows[j] = a->kind == SIMDP_MECHANISM_LAPLACE    ? exact_laplace(a, e)
                  : a->kind == SIMDP_MECHANISM_GAUSSIAN ? exact_gaussian(a, k, e)
                                                        : exact_response(a, e);
    }
}

static simdp_loss_estimate tail_of(const simdp_loss_audit *a, size_t j, int side, double error)
{
    return simdp_loss_interval_of_count(a->above[side][j], a->outputs[side], error);
}

/* the factor may be infinite */
static double times(double factor, double share) { return share == 0.0 ? 0.0 : factor * share; }

static simdp_loss_estimate delta_of(const simdp_loss_audit *a, size_t j)
{
    const simdp_loss_estimate p = tail_of(a, j, 0, 0.5 * a->error), q = tail_of(a, j, 1, 0.5 * a->error);
    const double factor = plain_exp(a->epsilon[j]);
    const double low = p.low - times(factor, q.high), high = p.high - times(factor, q.low);
    return (simdp_loss_estimate){p.value - times(factor, q.value), fmax(0.0, low), fmin(1.0, fmax(0.0, high))};
}

/* The largest loss that the formula can give: outputs cannot exceed it, whatever the noise. */
static double largest_loss(const simdp_loss_audit *a)
{
    const loss_affine law = audit_law(a, -1);
    if (a->kind == SIMDP_MECHANISM_LAPLACE) return law.limit * fabs(law.slope1);
    return a->kind == SIMDP_MECHANISM_RANDOMIZED_RESPONSE ? a->scale : INFINITY;
}

static simdp_loss_estimate hockey_of(const simdp_loss_audit *a, size_t j)
{
    const double n = (double)a->outputs[0], above = (double)a->above[0][j], largest = largest_loss(a);
    const double weight = a->kind == SIMDP_MECHANISM_RANDOMIZED_RESPONSE
                              ? above * plain_exp(a->epsilon[j] - a->scale)
                              : plain_exp(a->epsilon[j] - a->centre) * (a->weight[j][0] + a->weight[j][1]);
    return simdp_loss_interval_of_mean(fmax(0.0, (above - weight) / n), a->outputs[0],
                                       fmax(0.0, -plain_expm1(a->epsilon[j] - largest)), a->error);
}

/* The closed forms are right to a few ulp. */
static bool holds(const simdp_loss_estimate *e, double exact)
{
    const double slack = 1e-14 * fabs(exact);
    return isnan(e->value) || (exact >= e->low - slack && exact <= e->high + slack);
}

simdp_status simdp_loss_audit_rows(const simdp_loss_audit *audit, simdp_loss_audit_row *rows)
{
    if (audit == NULL) return SIMDP_ENULL;
    if (audit->mark != AUDIT_MARK) return SIMDP_EPARAM;
    if (rows == NULL && audit->epsilons > 0) return SIMDP_ENULL;
    const loss_call call = loss_enter();
    exact_row exact[SIMDP_LOSS_EPSILONS_MAX];
    if (call.kernels != NULL) exact_rows(exact, audit, call.kernels);
    for (size_t j = 0; call.kernels != NULL && j < audit->epsilons; j++) {
        simdp_loss_audit_row *r = &rows[j];
        *r = (simdp_loss_audit_row){
            .epsilon = audit->epsilon[j], .exact_delta = exact[j].delta, .hockey = {NAN, 0.0, 1.0}};
        for (int side = 0; side < 2; side++) {
            r->outputs[side] = audit->outputs[side];
            r->above[side] = audit->above[side][j];
            r->tail[side] = tail_of(audit, j, side, audit->error);
            r->exact_tail[side] = exact[j].tail[side];
        }
        r->delta = delta_of(audit, j);
        if (audit->hockey && audit->outputs[0] > 0) r->hockey = hockey_of(audit, j);
        r->agrees = holds(&r->tail[0], r->exact_tail[0]) && holds(&r->tail[1], r->exact_tail[1]) &&
                    holds(&r->delta, r->exact_delta) && holds(&r->hockey, r->exact_delta);
    }
    return loss_leave(&call);
}
