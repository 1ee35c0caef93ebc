/* in_range.h: whether a parameter lies in its range, by the order of its bits. For functions that publish: what they
 * refuse must not depend on how doubles are compared. A compiler that was told there is no NaN (-ffinite-math-only)
 * turns !(x >= least) into x < least and lets NaN pass; a caller's denormal setting makes subnormal numbers equal to
 * 0. Neither reaches integers. float_rules.h forbids the former, so this is a second line of defence, and does not
 * include it: test_call_in_range builds it with -ffast-math too. */
#ifndef SIMDP_IN_RANGE_H
#define SIMDP_IN_RANGE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Increases with x; 0 for both zeros. NaN lies beyond the infinity of its sign. */
static inline int64_t in_range_order(double x)
{
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits < 0 ? -(bits & INT64_MAX) : bits;
}

/* least <= x <= most; false for NaN. least and most are numbers or infinities. Zero is is_in_range(x, 0.0, 0.0). */
static inline bool is_in_range(double x, double least, double most)
{
    const int64_t order = in_range_order(x);
    return in_range_order(least) <= order && order <= in_range_order(most);
}

#endif
