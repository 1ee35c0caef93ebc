/* outward.h: rounding to the safe side, in one place. A bound that is published as "at most" must not lie below the
 * real number it stands for, one published as "at least" not above it. Whoever computes a value knows how far from the
 * truth it can be; outward_up and outward_down take both and return a double on the safe side, at most the error and
 * one unit in the last place away.
 *
 * All functions need the default rounding mode. NaN stays NaN; a value of 0 or inf with error 0 stays. */
#ifndef SIMDP_OUTWARD_H
#define SIMDP_OUTWARD_H

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "math/sum.h"
#include "vec/float_rules.h"

/* The double above x, for x >= 0; inf and NaN stay. */
static inline double outward_next(double x) { return x < INFINITY ? nextafter(x, INFINITY) : x; }

/* The double below x, for x > 0; 0, inf and NaN stay. */
static inline double outward_previous(double x) { return x > 0.0 && x < INFINITY ? nextafter(x, 0.0) : x; }

/* a + b upward and downward. Numbers of different signs are below 2^1023 in size, since what rounding took from their
 * sum is found by sums that could overflow; add_up is asked for no sum below -DBL_MAX. */
static inline double add_up(double a, double b)
{
    const double sum = a + b;
    return isfinite(sum) && sum_error(a, b, sum) > 0.0 ? nextafter(sum, INFINITY) : sum;
}
static inline double add_down(double a, double b)
{
    const double sum = a + b;
    if (sum == INFINITY && a < INFINITY && b < INFINITY) return DBL_MAX;
    return isfinite(sum) && sum_error(a, b, sum) < 0.0 ? nextafter(sum, -INFINITY) : sum;
}

/* a b and a / b upward and downward, for a >= 0 and b >= 0 (b > 0). Where the result is subnormal the fma that tells
 * the error may itself underflow, so it counts as inexact. */
static inline double mul_up(double a, double b)
{
    const double product = a * b;
    if (a == 0.0 || b == 0.0 || product == INFINITY) return product;
    return product < 0x1p-960 || fma(a, b, -product) > 0.0 ? outward_next(product) : product;
}
static inline double mul_down(double a, double b)
{
    const double product = a * b;
    if (a == 0.0 || b == 0.0) return product;
    if (product == INFINITY) return a < INFINITY && b < INFINITY ? DBL_MAX : product;
    return product < 0x1p-960 || fma(a, b, -product) < 0.0 ? outward_previous(product) : product;
}
static inline double div_up(double a, double b)
{
    const double quotient = a / b;
    if (a == 0.0 || quotient == INFINITY) return quotient;
    if (b == INFINITY) return quotient;
    return a < 0x1p-900 || quotient < 0x1p-960 || fma(quotient, b, -a) < 0.0 ? outward_next(quotient) : quotient;
}
static inline double div_down(double a, double b)
{
    const double quotient = a / b;
    if (a == 0.0 || b == INFINITY) return quotient;
    if (quotient == INFINITY) return a < INFINITY && b > 0.0 ? DBL_MAX : quotient;
    return a < 0x1p-900 || quotient < 0x1p-960 || fma(quotient, b, -a) > 0.0 ? outward_previous(quotient) : quotient;
}

/* value + error upward, value - error downward; error >= 0, an inf error gives +-inf. */
static inline double outward_up(double value, double error) { return add_up(value, error); }
static inline double outward_down(double value, double error) { return add_down(value, -error); }

/* The same for numbers that cannot be negative, and for probabilities. */
static inline double outward_down_positive(double value, double error)
{
    const double low = outward_down(value, error);
    return low < 0.0 ? 0.0 : low; /* NaN stays */
}
static inline double outward_up_probability(double value, double error)
{
    const double high = outward_up(value, error);
    return high > 1.0 ? 1.0 : high; /* NaN stays */
}

#endif
