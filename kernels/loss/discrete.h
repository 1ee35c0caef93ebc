/* discrete.h: tails of the discrete Gaussian law, for its cdf and for its privacy curve. */
#ifndef SIMDP_DISCRETE_H
#define SIMDP_DISCRETE_H

/* e^(-y^2/(2 sigma^2)), and its logarithm */
double simdp_discrete_weight(double y, double sigma);
double simdp_discrete_log_weight(double y, double sigma);

/* Z = sum over all integers y of e^(-y^2/(2 sigma^2)) */
double simdp_discrete_total(double sigma);

/* The sum over y >= m of e^(-y^2/(2 sigma^2)), divided by the term of m: whole m >= 1. */
double simdp_discrete_relative_tail(double m, double sigma);

#endif
