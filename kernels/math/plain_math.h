/* plain_math.h: logarithm, exponential and friends for parameters and single numbers, in plain C from + - * / and sqrt
 * alone: the same bits with every compiler, C library and CPU, which libm does not promise. For code outside the units.
 *
 * Errors, held by test_system_plain_math: plain_log and plain_exp 1 ulp, plain_expm1, plain_log1p and plain_asinh 3
 * ulp; plain_exp below 2^-1022 one unit of 2^-1074 more. */
#ifndef SIMDP_PLAIN_MATH_H
#define SIMDP_PLAIN_MATH_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "vec/float_rules.h"

#define PLAIN_LN2_HIGH 0x1.62e42fefa0000p-1 /* 33 bits: products with exponents are exact */
#define PLAIN_LN2_LOW 0x1.cf79abc9e3b3ap-40

static inline double plain_from_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* 2^k, -1022 <= k <= 1023 */
static inline double plain_power_of_two(int k) { return plain_from_bits((uint64_t)(k + 1023) << 52); }

/* ln(1 + f), sqrt(1/2) <= 1 + f < sqrt 2. With s = f / (2 + f): 2 atanh(s) = f - f^2/2 + s (f^2/2 + R(s^2)), where
 * R(z) = 2 (z/3 + z^2/5 + ...) cut after z^11, whose next term is below 2^-64. */
static inline double plain_log_near_one(double f, double k)
{
    static const double odd[11] = {0x1.642c8590b2164p-4, 0x1.8618618618618p-4, 0x1.af286bca1af28p-4,
                                   0x1.e1e1e1e1e1e1ep-4, 0x1.1111111111111p-3, 0x1.3b13b13b13b14p-3,
                                   0x1.745d1745d1746p-3, 0x1.c71c71c71c71cp-3, 0x1.2492492492492p-2,
                                   0x1.999999999999ap-2, 0x1.5555555555555p-1}; /* 2/23 ... 2/3 */
    const double s = f / (2.0 + f), z = s * s, half = 0.5 * f * f;
    double r = odd[0];
    for (int i = 1; i < 11; i++) r = r * z + odd[i];
    return k * PLAIN_LN2_HIGH - ((half - (s * (half + r * z) + k * PLAIN_LN2_LOW)) - f);
}

/* ln x for x >= 0; -inf at 0, +inf at +inf. */
static inline double plain_log(double x)
{
    if (!(x > 0.0)) return x == 0.0 ? -INFINITY : NAN;
    if (x == INFINITY) return x;
    double k = 0.0;
    if (x < 0x1p-1022) {
        x *= 0x1p54;
        k = -54.0;
    }
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    const uint64_t offset = bits - 0x3fe6a09e667f3bcd; /* sqrt(1/2): its mantissa and more count as the next exponent */
    k += (double)((int64_t)offset >> 52);
    return plain_log_near_one(plain_from_bits((offset & 0x000fffffffffffff) + 0x3fe6a09e667f3bcd) - 1.0, k);
}

/* ln(1 + x), x > -1 */
static inline double plain_log1p(double x)
{
    if (x > -0.29 && x < 0.41) return plain_log_near_one(x, 0.0);
    const double u = 1.0 + x;
    if (!(u > 0.0) || u == INFINITY) return plain_log(u);
    return plain_log(u) + (u > 1.0 ? (x - (u - 1.0)) : (1.0 - (u - x))) / u; /* what rounding 1 + x lost */
}

/* e^r - 1 for |r| <= ln2 / 2: the series to r^14, whose next term is below 2^-60 r. */
static inline double plain_expm1_near_zero(double r)
{
    static const double inverse_factorial[12] = {
        0x1.93974a8c07c9dp-37, 0x1.6124613a86d09p-33, 0x1.1eed8eff8d898p-29, 0x1.ae64567f544e4p-26,
        0x1.27e4fb7789f5cp-22, 0x1.71de3a556c734p-19, 0x1.a01a01a01a01ap-16, 0x1.a01a01a01a01ap-13,
        0x1.6c16c16c16c17p-10, 0x1.1111111111111p-7,  0x1.5555555555555p-5,  0x1.5555555555555p-3}; /* 1/14! ... 1/3! */
    double p = inverse_factorial[0];
    for (int i = 1; i < 12; i++) p = p * r + inverse_factorial[i];
    return r + (0.5 * r * r + p * r * r * r);
}

/* x = k ln2 + r, |r| <= ln2 / 2 nearly; |x| < 1100 */
static inline double plain_reduce(double x, int *k)
{
    const double n = (x * 0x1.71547652b82fep+0 + 0x1.8p52) - 0x1.8p52;
    *k = (int)n;
    return (x - n * PLAIN_LN2_HIGH) - n * PLAIN_LN2_LOW;
}

/* e^x */
static inline double plain_exp(double x)
{
    if (!(x < 709.79)) return x > 0.0 ? INFINITY : NAN; /* ln of the largest double is 709.7827 */
    if (x < -745.2) return 0.0;
    int k;
    const double p = 1.0 + plain_expm1_near_zero(plain_reduce(x, &k));
    const int half = k / 2; /* 2^k itself may be out of range */
    return p * plain_power_of_two(half) * plain_power_of_two(k - half);
}

/* e^x - 1 */
static inline double plain_expm1(double x)
{
    if (!(x < 709.79)) return x > 0.0 ? INFINITY : NAN;
    if (x < -40.0) return -1.0;
    int k;
    const double p = plain_expm1_near_zero(plain_reduce(x, &k));
    if (k == 0) return p;
    const double two_k = plain_power_of_two(k < 1024 ? k : 1023), result = two_k * p + (two_k - 1.0);
    return k < 1024 ? result : two_k * (1.0 + p) * 2.0;
}

/* asinh x, x >= 0 */
static inline double plain_asinh(double x)
{
    if (x > 0x1p28) return plain_log(x) + 0x1.62e42fefa39efp-1; /* ln 2x; the next term is 1 / (4 x^2) */
    return plain_log1p(x + x * x / (1.0 + sqrt(1.0 + x * x)));
}

#endif
