/* leak.c: see leak.h. */
#include "account/leak.h"

#include "math/outward_functions.h"
#include "math/plain_math.h"
#include "math/special.h"

#define U 0x1p-53

/* Below this a delta is its own -ln(1-delta), to 2^-500 of it. */
#define TINY 0x1p-500
enum { TINY_EXPONENT = 500 };

/* -ln(1-delta) in units of 2^-exponent: 0 for any delta, TINY_EXPONENT for a tiny one */
static dd neg_log1m(double delta, int exponent)
{
    if (exponent != 0) return dd_of(ldexp(delta, exponent));
    return delta < 1.0 ? dd_neg(dd_log1p(dd_of(-delta))) : (dd){INFINITY, 0.0};
}

static leak in_units(leak a, int exponent)
{
    if (a.exponent == exponent) return a;
    const double power = ldexp(1.0, exponent - a.exponent);
    return (leak){dd_scale(a.log, power), dd_scale(a.sum, power), a.squares * power * power, exponent, a.exactly};
}

static leak joined(leak a, leak b)
{
    const int exponent = a.exponent < b.exponent ? a.exponent : b.exponent;
    const leak x = in_units(a, exponent), y = in_units(b, exponent);
    const bool all = isinf(x.log.hi) || isinf(y.log.hi);
    /* a + b - a b: the sum and the product are exact, unless the latter is tiny */
    const dd product = dd_two_prod(a.exactly, b.exactly), both = dd_sub(dd_two_sum(a.exactly, b.exactly), product);
    const bool whole = both.lo == 0.0 && product.hi > 0x1p-900;
    return (leak){.log = all ? (dd){INFINITY, 0.0} : dd_add(x.log, y.log),
                  .sum = dd_add(x.sum, y.sum),
                  .squares = x.squares + y.squares,
                  .exponent = exponent,
                  .exactly = whole ? both.hi : NAN};
}

static leak leak_of_one(double delta)
{
    const int exponent = delta < TINY ? TINY_EXPONENT : 0;
    const double scaled = ldexp(delta, exponent);
    return (leak){neg_log1m(delta, exponent), dd_of(scaled), scaled * scaled, exponent, delta};
}

leak simdp_leak_and(leak a, double delta)
{
    if (delta == 0.0) return a;
    return a.log.hi == 0.0 ? leak_of_one(delta) : joined(a, leak_of_one(delta));
}

leak simdp_leak_of(double delta, int64_t k)
{
    if (k == 0 || delta == 0.0) return leak_none;
    const leak one = leak_of_one(delta);
    leak all = one;
    if (delta == 1.0) return one;
    /* bound: 60 turns. 1 - (1-delta)^i has i times the bits of 1 - delta, but for 1/2, and there 1 - 2^-i has i. */
    for (int64_t i = 1; i < k && !isnan(all.exactly); i++) all = joined(all, one);
    all.log = dd_mul_d(one.log, (double)k);
    all.sum = dd_mul_d(one.sum, (double)k);
    all.squares = (double)k * one.squares;
    return all;
}

/* ---- the total ---- */

static double upper_leak(leak a)
{
    if (!isnan(a.exactly)) return a.exactly;
    return one_minus_exp_up(ldexp_up(outward_next(a.log.hi), -a.exponent));
}

static double log_leak(leak a)
{
    return plain_log(a.exponent != 0 ? a.log.hi : upper_leak(a)) - a.exponent * SPECIAL_LN2;
}

/* ln of 1 - (1-leak) (1-delta_0); the smaller side is computed */
static double upper_log_total(leak a, double total, double log_delta0)
{
    if (a.log.hi == 0.0) return log_delta0;
    const double lost = ldexp_up(outward_next(a.log.hi), -a.exponent);
    if (total > 0.5) {
        const double rest = mul_down(exp_minus_down(lost), ulps_down(-plain_expm1(log_delta0), 1.0));
        return -neg_log1m_down(rest);
    }
    const double log_total = simdp_special_logaddexp(log_leak(a), log_delta0 - outward_previous(lost));
    return fmin(0.0, outward_up(log_total, 16.0 * U * fabs(log_total)));
}

leak_total simdp_leak_with(leak a, log_bound log_delta0)
{
    const double log_upper = fmin(0.0, outward_up(log_delta0.value, log_delta0.error));
    const double delta0 = exp_minus_up(-log_upper), leaked = upper_leak(a);
    const double total = fmin(1.0, add_up(leaked, times_up(add_up(1.0, -leaked), delta0)));
    return (leak_total){total, upper_log_total(a, total, log_upper)};
}

/* ---- what is left ---- */

/* -ln(1-delta) minus that of the leak, and its relative error */
typedef struct {
    double hi, lo, error;
} leak_rest;

/* Up to 2^-60 by the series x + x^2/2 + ..., whose first difference is exact, whose second is positive and lessened by
 * more than the others; else by logarithms, right to 2^-96 each. */
static leak_rest rest_of(leak a, double delta)
{
    const double d = ldexp(delta, a.exponent);
    if (delta < 0x1p-60) {
        const dd first = dd_sub(dd_of(d), a.sum);
        const double second = ldexp(0.5 * fmax(0.0, d * d - a.squares) * (1.0 - 0x1p-50), -a.exponent);
        return (leak_rest){first.hi + (first.lo + second), 0.0, 4.0 * U};
    }
    const dd left = dd_sub(neg_log1m(delta, a.exponent), a.log);
    return (leak_rest){left.hi, left.lo, 0x1p-95 * a.log.hi / fabs(left.hi)};
}

double simdp_leak_leaves(leak a, double delta)
{
    if (delta == 0.0) return a.log.hi == 0.0 ? -INFINITY : NAN;
    if (delta <= a.exactly) return delta < a.exactly ? NAN : -INFINITY;
    if (isinf(a.log.hi)) return NAN;
    const int exponent = delta < TINY ? TINY_EXPONENT : 0;
    if (a.log.hi > 0.0 && a.exponent < exponent) return NAN; /* the leak is larger than TINY */
    const leak in = a.log.hi > 0.0 ? in_units(a, exponent) : (leak){.exponent = exponent};
    const leak_rest left = rest_of(in, delta);
    if (left.hi == 0.0 && delta < 0x1p-60) return -INFINITY; /* the leak is less than the sum of the deltas */
    if (!(left.hi > 0.0 && left.error < 0.5)) return isnan(a.exactly) ? NAN : -INFINITY;
    double log_left;
    if (exponent != 0) log_left = plain_log(left.hi) - exponent * SPECIAL_LN2;
    else if (left.hi < SPECIAL_LN2) log_left = plain_log(-plain_expm1(-left.hi));
    else log_left = plain_log1p(-plain_exp(-left.hi) * (1.0 - left.lo));
    return outward_down(log_left, 2.0 * left.error + U * (12.0 * fmin(1.0, fabs(log_left)) + 4.0 * fabs(log_left)));
}
