/* curve.h: privacy curves delta(epsilon) of mechanisms at a point, for curves over arrays and for calibration. */
#ifndef SIMDP_LOSS_CURVE_H
#define SIMDP_LOSS_CURVE_H

#include "loss/law.h"

typedef struct {
    double delta, log_delta;
    double slope_epsilon; /* d log delta / d epsilon, <= 0 */
    double slope_mu;      /* d log delta / d mu, mu = sensitivity/sigma, >= 0 */
} gaussian_point;

/* delta(epsilon) = Phi(1/(2s) - epsilon s) - e^epsilon Phi(-1/(2s) - epsilon s), s = sigma/sensitivity, s and
 * epsilon in [0, inf]. For epsilon up to 2^100 delta: 40 u while normal; log delta: 40 u, and 40 u absolute where |log
 * delta| > 1. Beyond, v = epsilon s - 1/(2s) is known to 2^-100 of its terms alone. All members NaN outside the
 * domain. Slopes are right to 1e-14 where 0 < s < inf and epsilon < inf, else 0. */
gaussian_point simdp_curve_gaussian(double epsilon, double s);

/* *high + *low = l s - 1/(2s), the standardised loss, to about 2^-100 of its larger term; s > 0 */
void simdp_curve_gaussian_standardise(double *high, double *low, double l, double s);

/* Forms of discrete noise: parameters are its scale and its whole sensitivity, in two doubles. */
double simdp_curve_discrete_laplace_delta(double epsilon, const double *p);
double simdp_curve_discrete_laplace_log_delta(double epsilon, const double *p);
double simdp_curve_discrete_gaussian_delta(double epsilon, const double *p);
double simdp_curve_discrete_gaussian_log_delta(double epsilon, const double *p);

#endif
