/* leak.h: steps of which a part leaks. What leaks is lost with probability 1 - prod(1-delta_i); the rest costs delta_0.
 * Together that is 1 - prod(1-delta_i) (1 - delta_0). And what a total delta leaves for delta_0, if anything. */
#ifndef SIMDP_LEAK_H
#define SIMDP_LEAK_H

#include "account/account.h"
#include "math/scalar_dd.h"

/* -ln prod(1-delta_i) in units of 2^-exponent, so that small ones are normal numbers: subtractions from it cancel. */
typedef struct {
    dd log;         /* inf if a delta is 1 */
    dd sum;         /* of the delta_i, in the same units */
    double squares; /* of them */
    int exponent;
    double exactly; /* the leak, where it is a double; else NaN */
} leak;

/* A logarithm <= 0 and its absolute error */
typedef struct {
    double value, error;
} log_bound;

/* Both rounded upward */
typedef struct {
    double delta, log_delta;
} leak_total;

static const leak leak_none = {{0.0, 0.0}, {0.0, 0.0}, 0.0, 0, 0.0};

leak simdp_leak_of(double delta, int64_t k); /* k equal steps, k <= 10^12 */
leak simdp_leak_and(leak a, double delta);   /* one more step */

leak_total simdp_leak_with(leak a, log_bound log_delta0);

/* The logarithm of 1 - (1-delta)/prod(1-delta_i), rounded downward: by 24 u of itself, and 24 u of 1 where it is
 * larger, u = 2^-53. -inf where that is 0, NaN where it is negative: delta is less than the leak. 0 <= delta < 1. */
double simdp_leak_leaves(leak a, double delta);

#endif
