/* account.h: what the files of account share: domains, and rounding to the safe side. */
#ifndef SIMDP_ACCOUNT_INTERNAL_H
#define SIMDP_ACCOUNT_INTERNAL_H

#include <math.h>
#include <stdbool.h>

#include "noise/fp_mode.h"
#include "simdp/simdp.h"

static inline bool is_epsilon(double epsilon) { return epsilon >= 0.0; }
static inline bool is_probability(double p) { return p >= 0.0 && p <= 1.0; }

/* Upper bounds are published 8 units of rounding above the computed value, more than the error of formulas of a few
 * operations; 8 units of the last place where the result is subnormal. 0 and inf stay. */
static inline double account_up(double x) { return x > 0.0 ? x + (x * 0x1p-50 + 0x1p-1071) : x; }
static inline double account_down(double x)
{
    return x > 0.0 && x < INFINITY ? fmax(0.0, x - (x * 0x1p-50 + 0x1p-1071)) : x;
}
static inline double account_up_probability(double p)
{
    return account_up(p) > 1.0 ? 1.0 : account_up(p);
}   /* NaN stays */

/* k x, upward unless the product is exact */
static inline double account_up_product(int64_t k, double x)
{
    if (k == 0 || x == 0.0) return 0.0;
    const double count = (double)k, product = count * x;
    const bool exact = k <= (int64_t)1 << 53 && product > 0x1p-900 && fma(count, x, -product) == 0.0;
    return exact ? product : account_up(product);
}

#endif
