/* plain_tables.h: the tables of exponentials and logarithms, and the reductions of arguments that go with them, for
 * plain_math.c, plain_erf.c and scalar_dd.c. What is looked up depends on data: not for code that is constant time. */
#ifndef SIMDP_PLAIN_TABLES_H
#define SIMDP_PLAIN_TABLES_H

#include <stdint.h>
#include <string.h>

#include "math/scalar_dd.h"

/* 2^(j/128): the nearest double, and what is missing */
extern const double simdp_exp_table[128][2];

/* One row for each step of z from 0.6875: of 1/256 up to 1, then of 1/128 up to 1.375. A row has the inverse of about
 * its middle, a multiple of 2^-20, and minus the logarithm of that as a sum of three doubles, the first a multiple of
 * 2^-42. The two rows that meet at 1 have the inverse 1. So |z inverse - 1| <= 2^-7, and 2^-7.9 in all other rows. */
extern const double simdp_log_table[128][4];

/* ln2 / 128 and ln2 as sums of three doubles. The first two of ln2 / 128 have 35 bits: their products with whole
 * numbers below 2^18 are exact. Those of ln2 have 42 bits: the same below 2^11. REST: all but HIGH in one double. */
#define EXP_STEP_HIGH      0x1.62e42fef8p-8
#define EXP_STEP_MIDDLE    0x1.1cf79abc8p-43
#define EXP_STEP_LOW       0x1.e3b39803f2f6bp-79
#define EXP_STEP_REST      0x1.1cf79abc9e3b4p-43
#define EXP_STEPS_PER_UNIT 0x1.71547652b82fep+7
#define LOG_LN2_HIGH       0x1.62e42fefa38p-1
#define LOG_LN2_MIDDLE     0x1.ef35793c76p-45
#define LOG_LN2_LOW        0x1.cc01f97b57a08p-87
#define LOG_LN2_REST       0x1.ef35793c7673p-45

static inline uint64_t plain_bits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double plain_from_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* 2^k, -1022 <= k <= 1023 */
static inline double plain_power_of_two(int k) { return plain_from_bits((uint64_t)(k + 1023) << 52); }

/* x 2^k for |k| <= 2044, rounded once if the result is subnormal */
static inline double plain_scale(double x, int k)
{
    const int half = k / 2;
    return x * plain_power_of_two(half) * plain_power_of_two(k - half);
}

/* x = (128 e + j) ln2 / 128 + r, |r| < 2^-8.4, |x| < 1100: the number of steps 128 e + j */
static inline double plain_exp_steps(double x) { return (x * EXP_STEPS_PER_UNIT + 0x1.8p52) - 0x1.8p52; }

/* e^(x + x_low) = 2^e (hi + lo) with error 2^-61; |x| < 746, |x_low| < 2^-40. The series of e^r - 1 ends with r^5/120:
 * the next term is below 2^-60. */
static inline dd plain_exp_parts(double x, double x_low, int *e)
{
    const double steps = plain_exp_steps(x), r = (x - steps * EXP_STEP_HIGH) - (steps * EXP_STEP_REST - x_low);
    const int64_t n = (int64_t)steps;
    const double *row = simdp_exp_table[n & 127], r2 = r * r,
                 p = r + (r2 * (0.5 + r * 0x1.5555555555555p-3) +
                          r2 * r2 * (0x1.5555555555555p-5 + r * 0x1.1111111111111p-7));
    *e = (int)(n >> 7);
    return (dd){row[0], row[1] + row[0] * p};
}

/* (hi + lo) 2^e */
static inline double plain_scaled_sum(dd a, int e)
{
    const double y = a.hi + a.lo;
    return e > -1021 && e < 1023 ? y * plain_power_of_two(e) : plain_scale(y, e);
}

/* x = 2^k z, z in [0.6875, 1.375); x normal and positive */
typedef struct {
    double z;
    int k;
    const double *row; /* of simdp_log_table, for z */
} plain_log_parts;

static inline plain_log_parts plain_log_split(double x)
{
    const uint64_t bits = plain_bits(x), offset = bits - 0x3fe6000000000000;
    return (plain_log_parts){plain_from_bits(bits - (offset & 0xfff0000000000000)), (int)((int64_t)offset >> 52),
                             simdp_log_table[offset >> 45 & 127]};
}

/* z inverse - 1 = r + *rest, exactly: both halves of z have 26 bits or less, so both products are exact, and if the
 * first difference is the smaller summand then the sum is below 2^-25 and a multiple of 2^-74, so that rest is 0. */
static inline double plain_log_remainder(double z, double inverse, double *rest)
{
    const double high = plain_from_bits(plain_bits(z) & 0xfffffffff8000000), a = high * inverse - 1.0,
                 b = (z - high) * inverse, r = a + b;
    *rest = b - (r - a);
    return r;
}

#endif
