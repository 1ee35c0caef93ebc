/* audit.c: opening an audit, and counting the caller's outputs. */
#include "loss/audit.h"

#include <math.h>
#include <string.h>

#include "loss/intervals.h"

/* The parts that all mechanisms share. */
static simdp_status begin(simdp_audit *a, const simdp_audit_plan *plan, int kind, bool good)
{
    if (a == NULL) return SIMDP_ENULL;
    memset(a, 0, sizeof *a);
    if (plan == NULL || (plan->epsilons > 0 && plan->epsilon == NULL)) return SIMDP_ENULL;
    if (!good || plan->epsilons > SIMDP_LOSS_EPSILONS_MAX || !interval_error_ok(plan->error)) return SIMDP_EPARAM;
    double least = 1000.0, most = 0.0;
    for (size_t j = 0; j < plan->epsilons; j++) {
        const double e = plan->epsilon[j];
        if (!(e >= 0.0 && e <= 1000.0)) return SIMDP_EPARAM;
        a->epsilon[j] = e;
        if (e < least) least = e;
        if (e > most) most = e;
    }
    a->centre = 0.5 * (least + most);
    a->mark = AUDIT_MARK;
    a->kind = (uint64_t)kind;
    a->epsilons = plan->epsilons;
    a->hockey = plan->hockey_stick != 0;
    a->error = plan->error;
    return SIMDP_OK;
}

static simdp_status begin_noise(simdp_audit *a, const simdp_audit_plan *plan, int kind, double x0, double x1,
                                double scale)
{
    FP_MODE_SCOPE();
    const simdp_status status = begin(a, plan, kind, loss_centres_ok(x0, x1) && loss_scale_ok(scale));
    if (status == SIMDP_OK) a->x0 = x0, a->x1 = x1, a->scale = scale;
    return status;
}

simdp_status simdp_audit_begin_laplace(simdp_audit *audit, const simdp_audit_plan *plan, double x0, double x1,
                                       double scale)
{
    return begin_noise(audit, plan, AUDIT_LAPLACE, x0, x1, scale);
}

simdp_status simdp_audit_begin_gaussian(simdp_audit *audit, const simdp_audit_plan *plan, double x0, double x1,
                                        double sigma)
{
    return begin_noise(audit, plan, AUDIT_GAUSSIAN, x0, x1, sigma);
}

simdp_status simdp_audit_begin_selection(simdp_audit *audit, const simdp_audit_plan *plan, const double *scores0,
                                         const double *scores1, size_t n, double scale)
{
    const bool missing = n > 0 && (scores0 == NULL || scores1 == NULL);
    FP_MODE_SCOPE();
    simdp_status status = begin(audit, plan, AUDIT_SELECTION,
                                n > 0 && !missing && !loss_too_many(n, sizeof *scores0) && loss_scale_ok(scale));
    if (missing) status = SIMDP_ENULL;
    if (status == SIMDP_OK)
        audit->scores[0] = scores0, audit->scores[1] = scores1, audit->candidates = n, audit->scale = scale;
    return status;
}

simdp_status simdp_audit_begin_randomized_response(simdp_audit *audit, const simdp_audit_plan *plan, double epsilon0)
{
    FP_MODE_SCOPE();
    FP_PIN(epsilon0);
    const simdp_status status = begin(audit, plan, AUDIT_RESPONSE, epsilon0 >= 0.0 && isfinite(epsilon0));
    if (status == SIMDP_OK) audit->scale = epsilon0;
    return status;
}

void simdp_audit_tally(simdp_audit *a, const simdp_loss_kernels *k, double *loss, size_t n, int side)
{
    double weight[AUDIT_BLOCK], sums[SIMDP_LOSS_EPSILONS_MAX];
    const size_t lanes = (n + 7) / 8 * 8;
    const bool hockey = a->hockey && side == 0;
    for (size_t i = n; i < lanes; i++) loss[i] = -INFINITY;
    for (size_t i = 0; hockey && i < lanes; i += LOSS_BLOCK) {
        /* kernels of statistics work on whole steps of a block */
        for (size_t j = lanes; j < i + LOSS_BLOCK; j++) loss[j] = -INFINITY;
        k->decay(weight + i, loss + i, lanes - i < LOSS_BLOCK ? lanes - i : LOSS_BLOCK, a->centre);
    }
    k->tally(a->above[side], sums, loss, hockey ? weight : NULL, lanes, a->epsilon, a->epsilons);
    for (size_t j = 0; hockey && j < a->epsilons; j++) loss_two_sum(&a->weight[j][0], &a->weight[j][1], sums[j]);
    a->outputs[side] += n;
}

void simdp_audit_answers(simdp_audit *a, uint64_t n, uint64_t zeros, int side)
{
    for (size_t j = 0; j < a->epsilons; j++) {
        if (a->scale > a->epsilon[j]) a->above[side][j] += zeros;
    }
    a->outputs[side] += n;
}

/* ---- the caller's outputs ---- */

static bool side_ok(const simdp_audit *a, size_t n, int side)
{
    return (side == 0 || side == 1) && audit_has_room(a, n, side);
}

static simdp_status outputs(simdp_audit *a, const void *y, bool single, size_t n, int side)
{
    if (a == NULL || (n > 0 && y == NULL)) return SIMDP_ENULL;
    if (a->mark != AUDIT_MARK || a->kind > AUDIT_GAUSSIAN || !side_ok(a, n, side)) return SIMDP_EPARAM;
    if (loss_too_many(n, single ? sizeof(float) : sizeof(double))) return SIMDP_EPARAM;
    const loss_call call = loss_enter();
    const loss_affine law = audit_law(a, -1);
    double loss[AUDIT_BLOCK];
    for (size_t done = 0; call.kernels != NULL && done < n; done += AUDIT_BLOCK) {
        const size_t count = n - done < AUDIT_BLOCK ? n - done : AUDIT_BLOCK;
        if (single) call.kernels->fixed_f32(loss, (const float *)y + done, count, &law);
        else call.kernels->fixed_f64(loss, (const double *)y + done, count, &law);
        simdp_audit_tally(a, call.kernels, loss, count, side);
    }
    return loss_leave(&call);
}

simdp_status simdp_audit_outputs(simdp_audit *audit, const double *y, size_t n, int side)
{
    return outputs(audit, y, false, n, side);
}
simdp_status simdp_audit_outputs_f32(simdp_audit *audit, const float *y, size_t n, int side)
{
    return outputs(audit, y, true, n, side);
}

simdp_status simdp_audit_choices(simdp_audit *audit, const size_t *chosen, size_t n, int side)
{
    if (audit == NULL || (n > 0 && chosen == NULL)) return SIMDP_ENULL;
    if (audit->mark != AUDIT_MARK || audit->kind != AUDIT_SELECTION || !side_ok(audit, n, side)) return SIMDP_EPARAM;
    if (loss_too_many(n, sizeof *chosen)) return SIMDP_EPARAM;
    const loss_call call = loss_enter();
    if (call.kernels != NULL && n > 0) {
        const selection_pair pair =
            simdp_selection_pair(call.kernels, audit->scores[0], audit->scores[1], audit->candidates, audit->scale);
        double loss[AUDIT_BLOCK];
        for (size_t done = 0; done < n; done += AUDIT_BLOCK) {
            const size_t count = n - done < AUDIT_BLOCK ? n - done : AUDIT_BLOCK;
            simdp_selection_losses(loss, &pair, chosen + done, count);
            simdp_audit_tally(audit, call.kernels, loss, count, side);
        }
    }
    return loss_leave(&call);
}

simdp_status simdp_audit_bits(simdp_audit *audit, const uint8_t *out, size_t n, int side)
{
    if (audit == NULL || (n > 0 && out == NULL)) return SIMDP_ENULL;
    if (audit->mark != AUDIT_MARK || audit->kind != AUDIT_RESPONSE || !side_ok(audit, n, side)) return SIMDP_EPARAM;
    uint64_t zeros = 0;
    for (size_t i = 0; i < n; i++) zeros += out[i] == 0;
    simdp_audit_answers(audit, n, zeros, side);
    return SIMDP_OK;
}

/* ---- audits made side by side ---- */

static bool same_question(const simdp_audit *a, const simdp_audit *b)
{
    return a->kind == b->kind && a->epsilons == b->epsilons && a->hockey == b->hockey && a->x0 == b->x0 &&
           a->x1 == b->x1 && a->scale == b->scale && a->centre == b->centre && a->error == b->error &&
           a->scores[0] == b->scores[0] && a->scores[1] == b->scores[1] && a->candidates == b->candidates &&
           memcmp(a->epsilon, b->epsilon, sizeof a->epsilon) == 0;
}

simdp_status simdp_audit_add(simdp_audit *audit, const simdp_audit *other)
{
    if (audit == NULL || other == NULL) return SIMDP_ENULL;
    if (audit->mark != AUDIT_MARK || other->mark != AUDIT_MARK || !same_question(audit, other)) return SIMDP_EPARAM;
    if (!audit_has_room(audit, other->outputs[0], 0) || !audit_has_room(audit, other->outputs[1], 1))
        return SIMDP_EPARAM;
    const unsigned mode = fp_mode_enter();
    for (size_t j = 0; j < audit->epsilons; j++) {
        const double high = other->weight[j][0], low = other->weight[j][1];
        for (int side = 0; side < 2; side++) audit->above[side][j] += other->above[side][j];
        loss_two_sum(&audit->weight[j][0], &audit->weight[j][1], high);
        audit->weight[j][1] += low;
    }
    for (int side = 0; side < 2; side++) audit->outputs[side] += other->outputs[side];
    fp_mode_leave(mode);
    return SIMDP_OK;
}
