/* scalar_dd.c: exponential and logarithm of double-double numbers. */
#include "math/scalar_dd.h"

#include <stdbool.h>

#include "math/plain_tables.h"

/* c[0] + c[1] z + ...; terms from `pairs` on are so small that doubles do for them. */
static dd polynomial(dd z, const double (*c)[2], int pairs, int terms)
{
    double tail = c[terms - 1][0];
    for (int i = terms - 2; i >= pairs; i--) tail = tail * z.hi + c[i][0];
    dd sum = {tail, 0.0};
    for (int i = pairs - 1; i >= 0; i--) sum = dd_add(dd_mul(sum, z), (dd){c[i][0], c[i][1]});
    return sum;
}

/* ---- exponential: x = (128 e + j) ln2 / 128 + r, e^x = 2^e 2^(j/128) (1 + expm1(r)) ---- */

/* e^r - 1, |r| < 2^-8.4: the series to r^10; the next term is below 2^-109 r. From r^6 on doubles do: r^6/720 is below
 * 2^-51 r. */
static dd expm1_near_zero(dd r)
{
    enum { TERMS = 10, PAIRS = 5 };
    static const double c[TERMS][2] = {
        /* 1 / (i + 1)! */
        {0x1p+0, 0.0},
        {0x1p-1, 0.0},
        {0x1.5555555555555p-3, 0x1.5555555555555p-57},
        {0x1.5555555555555p-5, 0x1.5555555555555p-59},
        {0x1.1111111111111p-7, 0x1.1111111111111p-63},
        {0x1.6c16c16c16c17p-10, 0.0},
        {0x1.a01a01a01a01ap-13, 0.0},
        {0x1.a01a01a01a01ap-16, 0.0},
        {0x1.71de3a556c734p-19, 0.0},
        {0x1.27e4fb7789f5cp-22, 0.0},
    };
    return dd_mul(r, polynomial(r, c, PAIRS, TERMS));
}

/* r for a number of steps; x.hi minus the first product is exact, as both are multiples of 2^-61 unless steps = 0 */
static dd exp_remainder(dd x, double steps)
{
    const dd r = dd_two_sum(x.hi - steps * EXP_STEP_HIGH, -(steps * EXP_STEP_MIDDLE));
    return dd_add(r, dd_two_sum(x.lo, -(steps * EXP_STEP_LOW)));
}

dd simdp_dd_exp(dd x)
{
    if (!(x.hi < 709.79)) return (dd){x.hi > 0.0 ? INFINITY : NAN, 0.0};
    if (x.hi < -745.2) return (dd){0.0, 0.0};
    const double steps = plain_exp_steps(x.hi);
    const int64_t n = (int64_t)steps;
    const int e = (int)(n >> 7);
    const dd power = {simdp_exp_table[n & 127][0], simdp_exp_table[n & 127][1]};
    const dd y = dd_add(power, dd_mul(power, expm1_near_zero(exp_remainder(x, steps))));
    const double hi = plain_scale(y.hi, e);
    return (dd){hi, isinf(hi) ? 0.0 : plain_scale(y.lo, e)};
}

/* 2^e 2^(j/128) - 1 is at least 2^-7.6 unless there are no steps, so what the table lacks, 2^-107, stays below 2^-99 */
dd simdp_dd_expm1(dd x)
{
    if (!(x.hi < 100.0)) return simdp_dd_exp(x);
    if (x.hi < -100.0) return (dd){-1.0, 0.0};
    if (fabs(x.hi) < 0x1p-110) return x;
    const double steps = plain_exp_steps(x.hi);
    const int64_t n = (int64_t)steps;
    const dd q = expm1_near_zero(exp_remainder(x, steps));
    if (n == 0) return q;
    const double *row = simdp_exp_table[n & 127];
    const dd power = dd_scale((dd){row[0], row[1]}, plain_power_of_two((int)(n >> 7)));
    return dd_add(dd_add_d(power, -1.0), dd_mul(power, q));
}

/* ---- logarithm: x = 2^k z, ln x = k ln2 - ln(inverse) + ln(1 + r), r = z inverse - 1 ---- */

/* ln(1 + r), |r| <= 2^-7: the series to r^15; the next term is below 2^-109 r. From r^8 on doubles do: r^8/8 is below
 * 2^-52 r. */
static dd log1p_near_zero(dd r)
{
    enum { TERMS = 15, PAIRS = 7 };
    static const double c[TERMS][2] = {
        /* (-1)^i / (i + 1) */
        {0x1p+0, 0.0},
        {-0x1p-1, 0.0},
        {0x1.5555555555555p-2, 0x1.5555555555555p-56},
        {-0x1p-2, 0.0},
        {0x1.999999999999ap-3, -0x1.999999999999ap-57},
        {-0x1.5555555555555p-3, -0x1.5555555555555p-57},
        {0x1.2492492492492p-3, 0x1.2492492492492p-57},
        {-0x1p-3, 0.0},
        {0x1.c71c71c71c71cp-4, 0.0},
        {-0x1.999999999999ap-4, 0.0},
        {0x1.745d1745d1746p-4, 0.0},
        {-0x1.5555555555555p-4, 0.0},
        {0x1.3b13b13b13b14p-4, 0.0},
        {-0x1.2492492492492p-4, 0.0},
        {0x1.1111111111111p-4, 0.0},
    };
    return dd_mul(r, polynomial(r, c, PAIRS, TERMS));
}

/* In rows whose inverse is not 1 the result is above 2^-8, and what z.lo inverse loses, 2^-106, below 2^-98 of it. */
dd simdp_dd_log(dd x)
{
    if (!(x.hi > 0.0)) return (dd){x.hi == 0.0 ? -INFINITY : NAN, 0.0};
    if (x.hi == INFINITY) return (dd){INFINITY, 0.0};
    const bool small = x.hi < 0x1p-900;
    if (small) x = dd_scale(x, 0x1p200);
    const plain_log_parts p = plain_log_split(x.hi);
    double rest;
    const double r = plain_log_remainder(p.z, p.row[0], &rest), k = (double)(small ? p.k - 200 : p.k);
    const dd tail = log1p_near_zero(dd_add_d((dd){r, rest}, plain_scale(x.lo, -p.k) * p.row[0]));
    if (k == 0.0 && p.row[0] == 1.0) return tail;
    dd whole = dd_two_sum(k * LOG_LN2_MIDDLE, p.row[2]);
    whole.lo += k * LOG_LN2_LOW + p.row[3];
    return dd_add(dd_add_d(whole, k * LOG_LN2_HIGH + p.row[1]), tail);
}

/* Away from 0 the sum 1 + x loses 2 u^2 of itself, below 2^-97 of a logarithm above 2^-8. */
dd simdp_dd_log1p(dd x)
{
    if (fabs(x.hi) < 0x1p-110) return x;
    if (x.hi > -0x1p-8 && x.hi < 0x1p-7) return log1p_near_zero(x);
    return isfinite(x.hi) ? simdp_dd_log(dd_add_d(x, 1.0)) : simdp_dd_log(x);
}
