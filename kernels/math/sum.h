/* sum.h: what rounding takes from a sum, and sums that put it back. */
#ifndef SIMDP_SUM_H
#define SIMDP_SUM_H

#include <math.h>

#include "vec/float_rules.h"

/* a + b - sum, exactly, for sum = the rounded a + b, finite: the rounding error of a sum is a double (two-sum). */
static inline double sum_error(double a, double b, double sum)
{
    const double part = sum - a;
    return (a - (sum - part)) + (b - part);
}

/* A compensated sum: its error does not grow with the number of terms. Infinite terms are kept. */
typedef struct {
    double sum, lost; /* start with {0, 0} */
} simdp_sum;

static inline void sum_add(simdp_sum *s, double x)
{
    const double total = s->sum + x;
    if (isfinite(total)) s->lost += sum_error(s->sum, x, total);
    s->sum = total;
}

static inline double sum_value(const simdp_sum *s) { return s->sum + s->lost; }

#endif
