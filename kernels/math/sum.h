/* sum.h: compensated summation (Neumaier): the error does not grow with the number of terms. Infinite terms are
 * kept. */
#ifndef SIMDP_SUM_H
#define SIMDP_SUM_H

#include <math.h>

#include "vec/float_rules.h"

typedef struct {
    double sum, lost; /* start with {0, 0} */
} simdp_sum;

static inline void sum_add(simdp_sum *s, double x)
{
    const double total = s->sum + x;
    if (isfinite(total)) s->lost += fabs(s->sum) >= fabs(x) ? (s->sum - total) + x : (x - total) + s->sum;
    s->sum = total;
}

static inline double sum_value(const simdp_sum *s) { return s->sum + s->lost; }

#endif
