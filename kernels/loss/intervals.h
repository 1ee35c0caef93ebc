/* intervals.h: confidence intervals, for the public functions of the room. All take the probability `error`, in (0, 1),
 * that the interval misses: half of it on either side. */
#ifndef SIMDP_INTERVALS_H
#define SIMDP_INTERVALS_H

#include <stdbool.h>

#include "simdp/simdp.h"

static inline bool interval_error_ok(double error) { return error >= 0x1p-1000 && error < 1.0; }

/* count of trials: Clopper and Pearson, exact */
simdp_loss_estimate simdp_loss_interval_of_count(uint64_t count, uint64_t trials, double error);

/* mean of n > 0 values in [0, bound]: Chernoff and Hoeffding, by relative entropy */
simdp_loss_estimate simdp_loss_interval_of_mean(double mean, uint64_t n, double bound, double error);

/* a value whose error is nearly normal with this deviation */
simdp_loss_estimate simdp_loss_interval_normal(double value, double deviation, double error);

/* half width of a band around an empirical distribution function: Dvoretzky, Kiefer, Wolfowitz, Massart */
double simdp_loss_interval_band(uint64_t n, double error);

#endif
