/* plain_math.c: exponentials, logarithms and what is made of them. A result is the sum of two doubles, the larger exact
 * or nearly, the smaller with an error that hardly counts: it is off by little more than the last rounding. */
#include "math/plain_math.h"

#include <stdbool.h>

#include "math/plain_tables.h"
#include "math/scalar_dd.h"

/* ---- exponentials: x + x_low = (128 e + j) ln2 / 128 + r, |r| < 2^-8.4 ---- */

double simdp_plain_exp(double x)
{
    if (!(x < 709.79)) return x > 0.0 ? INFINITY : x; /* ln of the largest double is 709.7827 */
    if (x < -745.2) return 0.0;
    int e;
    const dd y = plain_exp_parts(x, 0.0, &e);
    return plain_scaled_sum(y, e);
}

/* e^x - 1 for |x| <= 60 as the sum of two doubles with relative error 2^-56: near 0 by a series whose next term is
 * below 2^-58 x; elsewhere 2^e 2^(j/128) - 1 is exact as such a sum. */
static dd expm1_parts(double x)
{
    if (fabs(x) < 0x1p-5) {
        const double q =
            0x1.5555555555555p-3 +
            x * (0x1.5555555555555p-5 +
                 x * (0x1.1111111111111p-7 +
                      x * (0x1.6c16c16c16c17p-10 +
                           x * (0x1.a01a01a01a01ap-13 + x * (0x1.a01a01a01a01ap-16 + x * 0x1.71de3a556c734p-19)))));
        return dd_quick_two_sum(x, x * x * (0.5 + x * q));
    }
    int e;
    const dd y = plain_exp_parts(x, 0.0, &e), whole = dd_two_sum(y.hi * plain_power_of_two(e), -1.0);
    return dd_quick_two_sum(whole.hi, whole.lo + y.lo * plain_power_of_two(e));
}

double simdp_plain_expm1(double x)
{
    if (!(x < 60.0)) return plain_exp(x);
    if (x < -40.0) return -1.0;
    if (fabs(x) < 0x1p-60) return x;
    return expm1_parts(x).hi;
}

/* t = e^|x| - 1, sinh = (t + t / (1 + t)) / 2. The quotient is off by 2 u at most and is at most half of the sum: an
 * ulp, and half of one for the last rounding. */
double simdp_plain_sinh(double x)
{
    const double size = fabs(x);
    if (!(size < 711.0)) return isnan(x) ? x : copysign(INFINITY, x); /* ln of twice the largest: 710.4759 */
    if (size < 0x1p-28) return x;
    if (size > 22.0) {
        int e;
        const dd y = plain_exp_parts(size, 0.0, &e);
        return copysign(plain_scaled_sum(y, e - 1), x);
    }
    const dd t = expm1_parts(size);
    const double past = 1.0 + t.hi;
    return copysign(0.5 * (t.hi + (t.hi / past + (t.lo + t.lo / (past * past)))), x);
}

/* t / (t + 2), t = e^(2|x|) - 1 */
double simdp_plain_tanh(double x)
{
    const double size = fabs(x);
    if (size > 20.0) return copysign(1.0, x);
    if (!(size >= 0x1p-28)) return x;
    const dd t = expm1_parts(2.0 * size), past = dd_two_sum(2.0, t.hi);
    const double q = t.hi / past.hi;
    const dd back = dd_two_prod(q, past.hi);
    return copysign(q + ((((t.hi - back.hi) - back.lo) + t.lo) - q * (past.lo + t.lo)) / past.hi, x);
}

/* ---- logarithms: x = 2^k z, ln x = k ln2 - ln(inverse) + ln(1 + r), r = z inverse - 1 ---- */

/* ln(1 + r) - r, |r| <= 2^-7: the series to r^8; the next term is below 2^-59 r */
static double log_series(double r)
{
    const double r2 = r * r;
    return r2 * (-0.5 +
                 (r * (0x1.5555555555555p-2 - r * 0.25) + r2 * (r * (0x1.999999999999ap-3 - r * 0x1.5555555555555p-3) +
                                                                r2 * (r * (0x1.2492492492492p-3 - r * 0.125)))));
}

/* ln(x + x_low) for a normal x, |x_low| <= ulp(x) / 2; 2^-k is a normal number if x_low is not 0. Where k = 0 and the
 * inverse is 1 the whole part is 0; else it is larger than r. */
static double log_sum(double x, double x_low, double k_before)
{
    const plain_log_parts p = plain_log_split(x);
    double rest;
    const double r = plain_log_remainder(p.z, p.row[0], &rest), k = (double)p.k + k_before;
    if (x_low != 0.0) rest += (1.0 - r) * (x_low * plain_power_of_two(-p.k) * p.row[0]); /* ln' = 1/(1 + r) */
    const dd sum = dd_quick_two_sum(k * LOG_LN2_HIGH + p.row[1], r);
    return sum.hi + (sum.lo + ((rest + (k * LOG_LN2_REST + p.row[2])) + log_series(r)));
}

static bool is_positive_number(double x) { return x > 0.0 && x < INFINITY; }

static double log_at_the_ends(double x) { return x == 0.0 ? -INFINITY : x > 0.0 ? x : NAN; }

/* x 2^-k, normal; x > 0 */
static double made_normal(double x, double *k)
{
    *k = x < 0x1p-1022 ? -54.0 : 0.0;
    return x < 0x1p-1022 ? x * 0x1p54 : x;
}

double simdp_plain_log(double x)
{
    if (!is_positive_number(x)) return log_at_the_ends(x);
    double k;
    x = made_normal(x, &k);
    return log_sum(x, 0.0, k);
}

double simdp_plain_log1p(double x)
{
    if (fabs(x) < 0x1p-7) return fabs(x) < 0x1p-60 ? x : x + log_series(x);
    if (!(x > -1.0 && x < 0x1p60)) return x == -1.0 ? -INFINITY : plain_log(x);
    const dd past = dd_two_sum(1.0, x);
    return log_sum(past.hi, past.lo, 0.0);
}

/* ln x, x > 0 and finite, as the sum of two doubles, relative error 2^-66. The series is that of log_series with r^2/2
 * exact. */
static dd log_parts(double x)
{
    double k, rest;
    const plain_log_parts p = plain_log_split(made_normal(x, &k));
    const double r = plain_log_remainder(p.z, p.row[0], &rest), r2 = r * r;
    k += (double)p.k;
    const dd square = dd_two_prod(r, -0.5 * r), sum = dd_quick_two_sum(k * LOG_LN2_HIGH + p.row[1], r),
             total = dd_quick_two_sum(sum.hi, square.hi);
    const double cube = r * r2 *
                        (0x1.5555555555555p-2 - r * 0.25 +
                         r2 * (0x1.999999999999ap-3 - r * 0x1.5555555555555p-3 +
                               r2 * (0x1.2492492492492p-3 - r * 0.125 + r2 * 0x1.c71c71c71c71cp-4)));
    const double low = sum.lo + (((rest - r * rest) + (k * LOG_LN2_REST + p.row[2])) + square.lo);
    return dd_quick_two_sum(total.hi, total.lo + (low + cube));
}

double simdp_plain_log2(double x)
{
    if (!is_positive_number(x)) return log_at_the_ends(x);
    const dd l = log_parts(x), product = dd_two_prod(l.hi, 0x1.71547652b82fep+0);
    return product.hi + (product.lo + (l.hi * 0x1.777d0ffda0d24p-56 + l.lo * 0x1.71547652b82fep+0));
}

/* where one of the two is no finite positive number, or x = 1 */
static double pow_at_the_ends(double x, double y)
{
    if (y == 0.0 || x == 1.0) return 1.0;
    if (isnan(x) || isnan(y) || x < 0.0) return NAN;
    return (x > 1.0) == (y > 0.0) ? INFINITY : 0.0; /* y is infinite, or x is infinite or 0 */
}

double simdp_plain_pow(double x, double y)
{
    if (y == 0.0 || !isfinite(y) || x == 1.0 || !is_positive_number(x)) return pow_at_the_ends(x, y);
    const dd l = log_parts(x);
    const double about = l.hi * y;
    if (!(about < 709.79)) return INFINITY;
    if (about < -745.2) return 0.0;
    if (fabs(about) < 0x1p-60) return 1.0; /* so that products of tiny numbers do not count */
    const dd product = dd_two_prod(l.hi, y);
    int e;
    const dd power = plain_exp_parts(product.hi, product.lo + l.lo * y, &e);
    return plain_scaled_sum(power, e);
}

double simdp_plain_asinh(double x)
{
    if (x > 0x1p28) return plain_log(x) + 0x1.62e42fefa39efp-1; /* ln 2x; the next term is 1 / (4 x^2) */
    return plain_log1p(x + x * x / (1.0 + sqrt(1.0 + x * x)));
}

/* ---- cosine ---- */

/* Taylor series of sin and cos of t pi/4, |t| <= 1; the next terms are below 2^-58 */
static double cosine_quarter(double t)
{
    const double y = t * t, half = 0x1.3bd3cc9be45dep-2 * y, top = 1.0 - half;
    const double tail =
        y * (0x1.03c1f081b5ac4p-6 +
             y * (-0x1.55d3c7e3cbffap-12 +
                  y * (0x1.e1f506891babbp-19 +
                       y * (-0x1.a6d1f2a204a8cp-26 +
                            y * (0x1.f9d38a3763cc3p-34 + y * (-0x1.b6e24f44b128fp-42 + y * 0x1.20c62c2f2d7f5p-50))))));
    return top + (((1.0 - top) - half) + y * tail);
}

static double sine_quarter(double t)
{
    const double y = t * t;
    const double tail =
        y *
        (-0x1.4abbce625be53p-4 +
         y * (0x1.466bc6775aae2p-9 +
              y * (-0x1.32d2cce62bd86p-15 +
                   y * (0x1.50783487ee782p-22 + y * (-0x1.e3074fde8871fp-30 +
                                                     y * (0x1.e8f434d018d63p-38 + y * (-0x1.6fadb9f155744p-46 +
                                                                                       y * 0x1.aaec32af93359p-55)))))));
    const dd first = dd_two_prod(t, 0x1.921fb54442d18p-1);
    return first.hi + (first.lo + t * (0x1.1a62633145c07p-55 + tail));
}

/* x to [0, 2), to [0, 1] by symmetry, then to an angle of at most pi/4 from a multiple of pi/2: all exact */
double simdp_plain_cos_pi(double x)
{
    if (!isfinite(x)) return NAN;
    double z = fabs(x);
    if (z >= 0x1p53) return 1.0; /* even numbers */
    z -= 2.0 * floor(0.5 * z);
    if (z > 1.0) z = 2.0 - z;
    if (z < 0.25) return cosine_quarter(4.0 * z);
    if (z > 0.75) return -cosine_quarter(4.0 * (1.0 - z));
    return sine_quarter(4.0 * (0.5 - z));
}
