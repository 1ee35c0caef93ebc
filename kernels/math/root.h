/* root.h: the root of an increasing function by Newton's method inside a shrinking bracket. */
#ifndef SIMDP_ROOT_H
#define SIMDP_ROOT_H

/* The value at x, and the slope there. */
typedef double (*simdp_root_function)(double x, double *slope, const void *context);

/* x in [low, high] with f(x) = 0, f(low) <= 0 <= f(high), to the last bits that f's own rounding allows. A Newton step that leaves
 * the bracket, or a slope that is no help, is replaced by halving. */
double simdp_root_increasing(simdp_root_function f, const void *context, double low, double high, double start);

#endif
