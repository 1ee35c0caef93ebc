/* audit.h: what the parts of an audit share. */
#ifndef SIMDP_AUDIT_H
#define SIMDP_AUDIT_H

#include "loss/loss_call.h"
#include "loss/affine.h"
#include "loss/selection.h"

#define AUDIT_MARK 0x6175646974 /* what an open audit has in mark */

enum { AUDIT_BLOCK = 1024 }; /* losses that are tallied at a time */

/* Whether outputs are an input plus noise. */
static inline bool audit_is_noise(const simdp_loss_audit *a)
{
    return a->kind == SIMDP_MECHANISM_LAPLACE || a->kind == SIMDP_MECHANISM_GAUSSIAN;
}

/* The mechanism on its two inputs, which for randomized response are always 0 and 1. */
static inline simdp_loss_step audit_step(simdp_mechanism mechanism, double x0, double x1, double scale)
{
    const bool response = mechanism == SIMDP_MECHANISM_RANDOMIZED_RESPONSE;
    return (simdp_loss_step){mechanism, response ? 0.0 : x0, response ? 1.0 : x1, scale};
}

/* The loss of outputs on x0 and x1; side 0 or 1 adds that centre to noise first, -1 nothing. Not for selections. */
static inline loss_affine audit_law(const simdp_loss_audit *a, int side)
{
    const simdp_loss_step step = audit_step((simdp_mechanism)a->kind, a->x0, a->x1, a->scale);
    loss_affine law = loss_affine_of(&step);
    law.shift = side < 0 ? 0.0 : side == 0 ? a->x0 : a->x1;
    return law;
}

/* Whether n more outputs of a side can be counted. */
static inline bool audit_has_room(const simdp_loss_audit *a, uint64_t n, int side)
{
    return n <= UINT64_MAX - a->outputs[side];
}

/* Counts n <= AUDIT_BLOCK losses; the array has AUDIT_BLOCK elements, those past n are overwritten. */
void simdp_loss_audit_tally(simdp_loss_audit *a, const simdp_loss_kernels *k, double *loss, size_t n, int side);

/* Counts answers of randomized response: n of them, among which so many say 0. */
void simdp_loss_audit_answers(simdp_loss_audit *a, uint64_t n, uint64_t zeros, int side);

#endif
