/* root.h: the root of an increasing function by Newton's or Halley's method inside a shrinking bracket. */
#ifndef SIMDP_ROOT_H
#define SIMDP_ROOT_H

#include "vec/float_rules.h"

/* A function at a point, with its derivatives. curvature may be 0 if it is not known: Halley's step is then
 * Newton's. A value of 0 ends the search: a function returns it where what is left is the noise of its own rounding. */
typedef struct {
    double value, slope, curvature;
} simdp_root_point;

typedef simdp_root_point (*simdp_root_function)(double x, const void *context);

/* x in [low, high] with f(x) = 0, f(low) <= 0 <= f(high); *slope, if wanted, is the slope there or very near. A step
 * that leaves the bracket, or a slope that is no help, is replaced by halving. */
double simdp_root_increasing(simdp_root_function f, const void *context, double low, double high, double start,
                             double *slope);

#endif
