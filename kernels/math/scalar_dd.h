/* scalar_dd.h: double-double numbers for single values outside the units: hi + lo, |lo| <= ulp(hi) / 2, about 106 bits,
 * for sums that would cancel in doubles. From + - * / and sqrt alone, so the bits are the same with every compiler, C
 * library and CPU. (dd.inc is the same arithmetic for the units: branch-free, without tables, in vectors.)
 *
 *     dd x = dd_log(dd_of(p));   x = dd_sub(x, dd_mul_d(y, 3.0));   return dd_double(x);
 *
 * Relative errors, u = 2^-53, wherever nothing overflows and no product falls below 2^-960 (Joldes, Muller, Popescu,
 * ACM TOMS 44(2), 2017; Muller, Rideau, ACM TOMS 48(1), 2022); test_math_scalar_dd holds them against MPFR:
 *
 *     dd_two_sum, dd_two_prod   exact              dd_add, dd_sub   3.01 u^2, also under cancellation
 *     dd_add_d                  2 u^2              dd_mul           5 u^2           dd_mul_d   3 u^2
 *     dd_div                    20 u^2             dd_sqrt          4 u^2           dd_double  u
 *     dd_exp     2^-102, where the result is above 2^-960         dd_expm1, dd_log, dd_log1p   2^-97
 *
 * Arithmetic is for finite numbers below 2^990. The four functions take infinities, and give hi = an infinity, NaN or 0
 * with lo = 0 where the functions of doubles would. */
#ifndef SIMDP_SCALAR_DD_H
#define SIMDP_SCALAR_DD_H

#include <math.h>

#include "math/sum.h"
#include "vec/float_rules.h"

#ifdef SIMDP_DD_INC
#error "scalar_dd.h and dd.inc share names: one of them in a file"
#endif

typedef struct {
    double hi, lo;
} dd;

#define dd_exp   simdp_dd_exp
#define dd_expm1 simdp_dd_expm1
#define dd_log   simdp_dd_log
#define dd_log1p simdp_dd_log1p

dd dd_exp(dd x);
dd dd_expm1(dd x);
dd dd_log(dd x);   /* -inf at 0, NaN below */
dd dd_log1p(dd x); /* -inf at -1, NaN below */

static inline dd dd_of(double x) { return (dd){x, 0.0}; }
static inline double dd_double(dd a) { return a.hi + a.lo; }
static inline dd dd_neg(dd a) { return (dd){-a.hi, -a.lo}; }
static inline dd dd_scale(dd a, double power) { return (dd){a.hi * power, a.lo * power}; } /* by a power of two */

static inline dd dd_two_sum(double a, double b)
{
    const double s = a + b;
    return (dd){s, sum_error(a, b, s)};
}

/* if |a| >= |b| or a = 0 */
static inline dd dd_quick_two_sum(double a, double b)
{
    const double s = a + b;
    return (dd){s, b - (s - a)};
}

/* Dekker's product: with halves of 26 bits every partial product is exact. fma() would be a call into the C library. */
static inline dd dd_two_prod(double a, double b)
{
    const double ca = 0x8000001p0 * a, cb = 0x8000001p0 * b, a1 = ca - (ca - a), b1 = cb - (cb - b), a2 = a - a1,
                 b2 = b - b1, p = a * b;
    return (dd){p, ((a1 * b1 - p) + a1 * b2 + a2 * b1) + a2 * b2};
}

static inline dd dd_add(dd a, dd b)
{
    const dd s = dd_two_sum(a.hi, b.hi), t = dd_two_sum(a.lo, b.lo), v = dd_quick_two_sum(s.hi, s.lo + t.hi);
    return dd_quick_two_sum(v.hi, t.lo + v.lo);
}

static inline dd dd_sub(dd a, dd b) { return dd_add(a, dd_neg(b)); }

static inline dd dd_add_d(dd a, double b)
{
    const dd s = dd_two_sum(a.hi, b);
    return dd_quick_two_sum(s.hi, a.lo + s.lo);
}

static inline dd dd_mul(dd a, dd b)
{
    const dd p = dd_two_prod(a.hi, b.hi);
    return dd_quick_two_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

static inline dd dd_mul_d(dd a, double b)
{
    const dd p = dd_two_prod(a.hi, b);
    return dd_quick_two_sum(p.hi, p.lo + a.lo * b);
}

/* b not 0 */
static inline dd dd_div(dd a, dd b)
{
    const double q = a.hi / b.hi;
    const dd r = dd_mul_d(b, q);
    return dd_quick_two_sum(q, ((a.hi - r.hi) + (a.lo - r.lo)) / b.hi); /* the first difference is exact */
}

/* a >= 0 */
static inline dd dd_sqrt(dd a)
{
    if (!(a.hi > 0.0)) return (dd){sqrt(a.hi), 0.0};
    const double s = sqrt(a.hi);
    const dd square = dd_two_prod(s, s);
    return dd_quick_two_sum(s, ((a.hi - square.hi) - square.lo + a.lo) / (s + s));
}

#endif
