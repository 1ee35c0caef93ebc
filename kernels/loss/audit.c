/* audit.c: opening an audit, and counting the caller's outputs. */
#include "loss/audit.h"

#include <math.h>
#include <string.h>

#include "loss/intervals.h"

static bool mechanism_ok(const simdp_loss_audit_plan *plan)
{
    if (plan->mechanism == SIMDP_MECHANISM_SELECTION)
        return plan->candidates > 0 && !loss_too_many(plan->candidates, sizeof *plan->scores[0]) &&
               loss_scale_ok(plan->scale);
    const simdp_loss_step step = audit_step(plan->mechanism, plan->x0, plan->x1, plan->scale);
    return loss_step_ok(&step);
}

static bool epsilons_ok(const simdp_loss_audit_plan *plan)
{
    if (plan->epsilons > SIMDP_LOSS_EPSILONS_MAX) return false;
    for (size_t j = 0; j < plan->epsilons; j++) {
        if (!(plan->epsilon[j] >= 0.0 && plan->epsilon[j] <= 1000.0)) return false;
    }
    return true;
}

static void take_plan(simdp_loss_audit *a, const simdp_loss_audit_plan *plan)
{
    double least = 1000.0, most = 0.0;
    for (size_t j = 0; j < plan->epsilons; j++) {
        a->epsilon[j] = plan->epsilon[j];
        least = fmin(least, plan->epsilon[j]);
        most = fmax(most, plan->epsilon[j]);
    }
    a->centre = 0.5 * (least + most);
    a->mark = AUDIT_MARK;
    a->kind = (uint64_t)plan->mechanism;
    a->scale = plan->scale;
    if (plan->mechanism == SIMDP_MECHANISM_SELECTION) {
        a->scores[0] = plan->scores[0], a->scores[1] = plan->scores[1];
        a->candidates = plan->candidates;
    } else if (plan->mechanism != SIMDP_MECHANISM_RANDOMIZED_RESPONSE) {
        a->x0 = plan->x0, a->x1 = plan->x1;
    }
    a->epsilons = plan->epsilons;
    a->hockey = plan->hockey_stick != 0;
    a->error = plan->error;
}

simdp_status simdp_loss_audit_init(simdp_loss_audit *audit, const simdp_loss_audit_plan *plan)
{
    if (audit == NULL) return SIMDP_ENULL;
    memset(audit, 0, sizeof *audit);
    if (plan == NULL || (plan->epsilons > 0 && plan->epsilon == NULL)) return SIMDP_ENULL;
    if (plan->mechanism == SIMDP_MECHANISM_SELECTION && plan->candidates > 0 &&
        (plan->scores[0] == NULL || plan->scores[1] == NULL))
        return SIMDP_ENULL;
    FP_MODE_SCOPE();
    if (!mechanism_ok(plan) || !epsilons_ok(plan) || !interval_error_ok(plan->error)) return SIMDP_EPARAM;
    take_plan(audit, plan);
    return SIMDP_OK;
}

void simdp_loss_audit_tally(simdp_loss_audit *a, const simdp_loss_kernels *k, double *loss, size_t n, int side)
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

void simdp_loss_audit_answers(simdp_loss_audit *a, uint64_t n, uint64_t zeros, int side)
{
    for (size_t j = 0; j < a->epsilons; j++) {
        if (a->scale > a->epsilon[j]) a->above[side][j] += zeros;
    }
    a->outputs[side] += n;
}

/* ---- the caller's outputs ---- */

static bool side_ok(const simdp_loss_audit *a, size_t n, int side)
{
    return (side == 0 || side == 1) && audit_has_room(a, n, side);
}

simdp_status simdp_loss_audit_outputs(simdp_loss_audit *audit, const double *y, size_t n, int side)
{
    if (audit == NULL || (n > 0 && y == NULL)) return SIMDP_ENULL;
    if (audit->mark != AUDIT_MARK || !audit_is_noise(audit) || !side_ok(audit, n, side)) return SIMDP_EPARAM;
    if (loss_too_many(n, sizeof *y)) return SIMDP_EPARAM;
    const loss_call call = loss_enter();
    const loss_affine law = audit_law(audit, -1);
    double loss[AUDIT_BLOCK];
    for (size_t done = 0; call.kernels != NULL && done < n; done += AUDIT_BLOCK) {
        const size_t count = n - done < AUDIT_BLOCK ? n - done : AUDIT_BLOCK;
        call.kernels->fixed_f64(loss, y + done, count, &law);
        simdp_loss_audit_tally(audit, call.kernels, loss, count, side);
    }
    return loss_leave(&call);
}

simdp_status simdp_loss_audit_choices(simdp_loss_audit *audit, const size_t *chosen, size_t n, int side)
{
    if (audit == NULL || (n > 0 && chosen == NULL)) return SIMDP_ENULL;
    if (audit->mark != AUDIT_MARK || audit->kind != SIMDP_MECHANISM_SELECTION || !side_ok(audit, n, side))
        return SIMDP_EPARAM;
    if (loss_too_many(n, sizeof *chosen)) return SIMDP_EPARAM;
    const loss_call call = loss_enter();
    if (call.kernels != NULL && n > 0) {
        const selection_pair pair =
            simdp_selection_pair(call.kernels, audit->scores[0], audit->scores[1], audit->candidates, audit->scale);
        double loss[AUDIT_BLOCK];
        for (size_t done = 0; done < n; done += AUDIT_BLOCK) {
            const size_t count = n - done < AUDIT_BLOCK ? n - done : AUDIT_BLOCK;
            simdp_selection_losses(loss, &pair, chosen + done, count);
            simdp_loss_audit_tally(audit, call.kernels, loss, count, side);
        }
    }
    return loss_leave(&call);
}

simdp_status simdp_loss_audit_bits(simdp_loss_audit *audit, const uint8_t *out, size_t n, int side)
{
    if (audit == NULL || (n > 0 && out == NULL)) return SIMDP_ENULL;
    if (audit->mark != AUDIT_MARK || audit->kind != SIMDP_MECHANISM_RANDOMIZED_RESPONSE || !side_ok(audit, n, side))
        return SIMDP_EPARAM;
    FP_MODE_SCOPE();
    uint64_t zeros = 0;
    for (size_t i = 0; i < n; i++) zeros += out[i] == 0;
    simdp_loss_audit_answers(audit, n, zeros, side);
    return SIMDP_OK;
}

/* ---- audits made side by side ---- */

static bool same_question(const simdp_loss_audit *a, const simdp_loss_audit *b)
{
    return a->kind == b->kind && a->epsilons == b->epsilons && a->hockey == b->hockey && a->x0 == b->x0 &&
           a->x1 == b->x1 && a->scale == b->scale && a->centre == b->centre && a->error == b->error &&
           a->scores[0] == b->scores[0] && a->scores[1] == b->scores[1] && a->candidates == b->candidates &&
           memcmp(a->epsilon, b->epsilon, sizeof a->epsilon) == 0;
}

simdp_status simdp_loss_audit_add(simdp_loss_audit *audit, const simdp_loss_audit *other)
{
    if (audit == NULL || other == NULL) return SIMDP_ENULL;
    FP_MODE_SCOPE();
    if (audit->mark != AUDIT_MARK || other->mark != AUDIT_MARK || !same_question(audit, other)) return SIMDP_EPARAM;
    if (!audit_has_room(audit, other->outputs[0], 0) || !audit_has_room(audit, other->outputs[1], 1))
        return SIMDP_EPARAM;
    for (size_t j = 0; j < audit->epsilons; j++) {
        const double high = other->weight[j][0], low = other->weight[j][1];
        for (int side = 0; side < 2; side++) audit->above[side][j] += other->above[side][j];
        loss_two_sum(&audit->weight[j][0], &audit->weight[j][1], high);
        audit->weight[j][1] += low;
    }
    for (int side = 0; side < 2; side++) audit->outputs[side] += other->outputs[side];
    return SIMDP_OK;
}
