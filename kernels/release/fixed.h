/* fixed.h: fixed point with 128 bits for what exact samplers compute once a call: enough digits to decide all but a
 * vanishing part of the cases, at a hundredth of the time of 512 bits. No floating-point operation. Time depends on the
 * arguments, which are public parameters. */
#ifndef SIMDP_FIXED_H
#define SIMDP_FIXED_H

#include <stdint.h>

#include "math/int128.h"
#include "vec/float_rules.h"

/* a b / 2^128, cut: too small by less than 2. */
static inline simdp_u128 simdp_fixed_multiply(simdp_u128 a, simdp_u128 b)
{
    const uint64_t a0 = (uint64_t)a, a1 = (uint64_t)(a >> 64), b0 = (uint64_t)b, b1 = (uint64_t)(b >> 64);
    const simdp_u128 middle = (simdp_u128)a1 * b0, other = (simdp_u128)a0 * b1;
    return (simdp_u128)a1 * b1 + (middle >> 64) + (other >> 64) +
           (((simdp_u128)(uint64_t)middle + (uint64_t)other) >> 64);
}

/* 2^127 e^-x of 2^120 x, x < 128; within 2^12, and exact for x = 0. */
simdp_u128 simdp_fixed_exp_neg(simdp_u128 x);

/* 2^127 / (1 + e^x) of 2^120 x, x < 64; within 2^31. Half the time of the two functions around it. */
simdp_u128 simdp_fixed_logistic(simdp_u128 x);

/* 2^254 / d, 2^127 <= d; within 2^4. */
simdp_u128 simdp_fixed_inverse(simdp_u128 d);

/* The significand of 1 / x, x > 0 normal and finite: 1 / x = result 2^exponent, 2^127 <= result; too small by at most
 * 2. */
simdp_u128 simdp_fixed_reciprocal(double x, int *exponent);

/* x 2^120, cut; 0 <= x < 128. */
simdp_u128 simdp_fixed_from_double(double x);

#endif
