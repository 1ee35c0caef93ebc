/* law_discrete.h: tails of the discrete Gaussian law, for its cdf and for its privacy curve. Sums come in units of
 * max(1, sigma), as they exceed the range for the largest sigma. */
#ifndef SIMDP_NOISE_LAW_DISCRETE_H
#define SIMDP_NOISE_LAW_DISCRETE_H

#include "math/scalar_dd.h"

#define DISCRETE_LIFT 0x1p+256

/* DISCRETE_LIFT times e^-z, z >= 0: a normal number down to z = 840 */
double simdp_discrete_decay(dd z);

/* DISCRETE_LIFT times e^(-y^2/(2 sigma^2)), 0 beyond 40 sigma; and the logarithm of e^(-y^2/(2 sigma^2)) */
double simdp_discrete_weight(dd y, double sigma);
double simdp_discrete_log_weight(double y, double sigma);

/* Z/max(1, sigma), Z = sum over all integers y of e^(-y^2/(2 sigma^2)); and ln Z */
double simdp_discrete_total(double sigma);
double simdp_discrete_log_total(double sigma);

/* The sum over y >= m of e^(-y^2/(2 sigma^2)), divided by the term of m and by max(1, sigma): whole m >= 1. */
double simdp_discrete_relative_tail(double m, double sigma);

#endif
