/* compose_exact.h: what k uses of one mechanism cost exactly, one number at a time. NaN outside the domain;
 * rounded up. */
#ifndef SIMDP_COMPOSE_EXACT_H
#define SIMDP_COMPOSE_EXACT_H

#include "account/account.h"

/* k (epsilon, delta)-DP steps at their worst, at the total epsilon g */
double simdp_optimal_delta(double g, simdp_privacy step, int64_t k);
double simdp_optimal_log_delta(double g, simdp_privacy step, int64_t k);
double simdp_optimal_epsilon(double delta, simdp_privacy step, int64_t k);

/* k Laplace mechanisms of t = sensitivity/scale */
double simdp_laplace_delta(double epsilon, double t, int64_t k);
double simdp_laplace_log_delta(double epsilon, double t, int64_t k);
double simdp_laplace_epsilon(double delta, double t, int64_t k);

#endif
