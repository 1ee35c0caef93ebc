/* sgd.h: what the files of DP-SGD's account share. */
#ifndef SIMDP_SGD_H
#define SIMDP_SGD_H

#include "simdp/simdp.h"

#define SGD_WINDOW_MOST 0x1p21 /* points: no wider window is asked for */

typedef struct {
    double delta;
    simdp_pld_progress *call;
    void *context;
} sgd_request;

/* Estimates: the variance of the loss of one step; and how much epsilon grows with the variance V of a sum, as
 * V/2 + sqrt(2 V ln(1/delta)) does. */
double simdp_sgd_step_variance(simdp_account_sgd_run run);
double simdp_sgd_slope(double variance, double delta);

/* Narrows a bracket of epsilon where it can, by a step that ends at a loss beyond which next to no mass lies. A few
 * seconds at most. */
simdp_status simdp_sgd_rare_bracket(double *lower, double *upper, simdp_account_sgd_run run, double error,
                                    const sgd_request *r);

#endif
