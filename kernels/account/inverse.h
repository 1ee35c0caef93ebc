/* inverse.h: the smallest epsilon of a privacy curve for a given delta. */
#ifndef SIMDP_INVERSE_H
#define SIMDP_INVERSE_H

#include "vec/float_rules.h"

/* ln delta at an epsilon, within error of the real number; slope = -d ln delta / d epsilon > 0 there, and its
 * derivative (0 if that is not known). */
typedef struct {
    double log_delta, error, slope, curvature;
} inverse_point;

typedef inverse_point (*inverse_curve)(double epsilon, const void *context);

/* An epsilon in [0, most] whose ln delta, rounded upward, is at most log_target, and `most` if none is found. It
 * exceeds the smallest real one by 2.5 error/slope and 8 ulp at most, where the slope is the least between them. The
 * curve falls from above the target at 0 (ask for that first) to below it at most. */
double simdp_inverse_epsilon(inverse_curve curve, const void *context, double log_target, double most, double guess);

#endif
