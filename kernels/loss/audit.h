/* audit.h: what the parts of an audit share. */
#ifndef SIMDP_AUDIT_H
#define SIMDP_AUDIT_H

#include "loss/loss_call.h"
#include "loss/affine.h"
#include "loss/selection.h"

#define AUDIT_MARK 0x6175646974 /* what an open audit has in mark */

enum { AUDIT_LAPLACE, AUDIT_GAUSSIAN, AUDIT_SELECTION, AUDIT_RESPONSE };
enum { AUDIT_BLOCK = 1024 }; /* losses that are tallied at a time */

/* The loss of outputs on x0 and x1; side 0 or 1 adds that centre to noise first, -1 nothing. */
static inline loss_affine audit_law(const simdp_audit *a, int side)
{
    loss_affine law = a->kind == AUDIT_GAUSSIAN ? loss_affine_gaussian(a->x0, a->x1, a->scale)
                                                : loss_affine_laplace(a->x0, a->x1, a->scale);
    law.shift = side < 0 ? 0.0 : side == 0 ? a->x0 : a->x1;
    return law;
}

/* Whether n more outputs of a side can be counted. */
static inline bool audit_has_room(const simdp_audit *a, uint64_t n, int side)
{
    return n <= UINT64_MAX - a->outputs[side];
}

/* Counts n <= AUDIT_BLOCK losses; the array has AUDIT_BLOCK elements, those past n are overwritten. */
void simdp_audit_tally(simdp_audit *a, const simdp_loss_kernels *k, double *loss, size_t n, int side);

/* Counts answers of randomized response: n of them, among which so many say 0. */
void simdp_audit_answers(simdp_audit *a, uint64_t n, uint64_t zeros, int side);

#endif
