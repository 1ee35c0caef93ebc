/* sgd.h: what the files of DP-SGD's account share. */
#ifndef SIMDP_SGD_H
#define SIMDP_SGD_H

#include "simdp/simdp.h"

typedef struct {
    double delta;
    simdp_pld_progress *call;
    void *context;
} sgd_request;

/* Narrows a bracket of epsilon where it can, by a step that ends at a loss beyond which next to no mass lies. A few
 * seconds at most. */
simdp_status simdp_sgd_rare_bracket(double *lower, double *upper, simdp_account_sgd_run run, double error,
                                    const sgd_request *r);

#endif
