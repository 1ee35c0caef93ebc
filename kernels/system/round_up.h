/* round_up.h: sums, products and quotients of numbers >= 0, never below the exact value: what has been spent must not
 * be understated. At most one ulp above; results that would underflow become the smallest normal double. */
#ifndef SIMDP_ROUND_UP_H
#define SIMDP_ROUND_UP_H

#include <float.h>
#include <math.h>

static inline double round_up_if(int low, double x) { return low ? nextafter(x, INFINITY) : x; }

static inline double add_up(double a, double b)
{
    const double sum = a + b, big = a > b ? a : b, small = a > b ? b : a;
    return round_up_if(sum - big < small && sum < INFINITY, sum); /* sum - big is exact */
}

static inline double mul_up(double a, double b)
{
    const double product = a * b;
    if (a == 0.0 || b == 0.0) return 0.0;
    if (product < DBL_MIN) return DBL_MIN;
    return round_up_if(fma(a, b, -product) > 0.0, product);
}

static inline double div_up(double a, double b)
{
    const double quotient = a / b;
    if (a == 0.0) return 0.0;
    if (quotient < DBL_MIN) return DBL_MIN;
    return round_up_if(fma(quotient, b, -a) < 0.0, quotient);
}

#endif
