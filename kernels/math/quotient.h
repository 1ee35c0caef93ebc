/* quotient.h: a quotient in two doubles, and exponentials of such numbers. An exponential multiplies the rounding of
 * its argument by the argument's size, up to 745: distributions standardise x with these. */
#ifndef SIMDP_QUOTIENT_H
#define SIMDP_QUOTIENT_H

#include <math.h>

#include "math/plain_math.h"
#include "math/scalar_dd.h"

/* x / y, y > 0 and finite: 2^-104 while it is above 2^-900, else 2^-53; infinite where the quotient overflows */
static inline dd quotient(double x, double y)
{
    const double hi = x / y;
    if (!(fabs(hi) > 0x1p-900 && fabs(hi) < INFINITY)) return dd_of(hi);
    const double unit = fabs(x) < 0x1p-900 || y < 0x1p-900 ? 0x1p+110 : 1.0; /* the remainder must not be subnormal */
    return (dd){hi, fma(-hi, y * unit, x * unit) / (y * unit)};
}

/* the same of a number of two doubles */
static inline dd quotient_of(dd x, double y)
{
    const dd q = quotient(x.hi, y);
    return isfinite(q.hi) ? (dd){q.hi, q.lo + x.lo / y} : q;
}

/* e^z for a number of two doubles: 4 u while normal, and one unit of 2^-1074 below */
static inline double exp_of(dd z)
{
    const double e = plain_exp(z.hi);
    return e > 0.0 && e < INFINITY ? e + e * z.lo : e;
}

#endif
