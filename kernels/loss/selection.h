/* selection.h: the law of the exponential mechanism and the loss between two of them. */
#ifndef SIMDP_LOSS_SELECTION_H
#define SIMDP_LOSS_SELECTION_H

#include "loss/loss_kernels.h"

/* The law that one vector of scores gives: softmax of scores / scale, or all mass on one index. */
typedef struct {
    const double *scores;
    double top;     /* the largest score */
    double total;   /* sum of e^((score - top) / scale) */
    size_t certain; /* the index that is always chosen; SIZE_MAX: none */
} selection_law;

typedef struct {
    selection_law law[2];
    size_t n;
    double k;               /* 1 / scale */
    double minus_log_ratio; /* of the totals */
} selection_pair;

/* scale in range; n = 0: every index is outside */
selection_pair simdp_selection_pair(const simdp_loss_kernels *kernels, const double *scores0, const double *scores1,
                                    size_t n, double scale);

/* loss[i] of index chosen[i] */
void simdp_selection_losses(double *loss, const selection_pair *pair, const size_t *chosen, size_t draws);

#endif
