/* plain_tables.h: what exponentials and logarithms look up, in plain_math.c and scalar_dd.c. Indices come from
 * parameters and results of accounting: no code that promises constant time may use these. */
#ifndef SIMDP_PLAIN_TABLES_H
#define SIMDP_PLAIN_TABLES_H

#include <stdint.h>
#include <string.h>

#include "vec/float_rules.h"

/* 2^(j/128): the nearest double, and what is missing */
extern const double simdp_exp_table[128][2];

/* Row j is for z in [0.6875 + j/256, ... + 1/256) below 1 and, above, for steps of 1/128 up to 1.375. An inverse of about
 * the middle, a multiple of 2^-20, and minus its logarithm as the sum of three doubles, the first a multiple of 2^-42. The
 * two rows that meet at 1 have the inverse 1. So |z inverse - 1| <= 2^-7, and below 2^-8 in all other rows. */
extern const double simdp_log_table[128][4];

/* ln2 / 128 and ln2 as sums of three doubles. The first two of ln2 / 128 have 35 bits: their products with whole numbers
 * below 2^18 are exact. Those of ln2 have 42 bits: the same below 2^11. ..._REST: all but the first in one double. */
#define EXP_STEP_HIGH 0x1.62e42fef8p-8
#define EXP_STEP_MIDDLE 0x1.1cf79abc8p-43
#define EXP_STEP_LOW 0x1.e3b39803f2f6bp-79
#define EXP_STEP_REST 0x1.1cf79abc9e3b4p-43
#define EXP_STEPS_PER_UNIT 0x1.71547652b82fep+7
#define LOG_LN2_HIGH 0x1.62e42fefa38p-1
#define LOG_LN2_MIDDLE 0x1.ef35793c76p-45
#define LOG_LN2_LOW 0x1.cc01f97b57a08p-87
#define LOG_LN2_REST 0x1.ef35793c7673p-45

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

/* x = 2^k z, z in [0.6875, 1.375); x normal and positive */
typedef struct {
    double z;
    int k;
    const double *row;   /* of simdp_log_table, for z */
} plain_log_parts;

static inline plain_log_parts plain_log_split(double x)
{
    const uint64_t bits = plain_bits(x), offset = bits - 0x3fe6000000000000;
    return (plain_log_parts){plain_from_bits(bits - (offset & 0xfff0000000000000)), (int)((int64_t)offset >> 52),
                             simdp_log_table[offset >> 45 & 127]};
}

/* z inverse - 1 = *r + rest, exactly; both products are exact, as both halves of z have 26 bits or less */
static inline double plain_log_remainder(double z, double inverse, double *rest)
{
    const double high = plain_from_bits(plain_bits(z) & 0xfffffffff8000000), a = high * inverse - 1.0,
                 b = (z - high) * inverse, r = a + b, of_b = r - a;
    *rest = (a - (r - of_b)) + (b - of_b);
    return r;
}

#endif
