/* wide.h: floating point with 512 bits in plain C, for the exact samplers, and thresholds such as e^-epsilon to
 * any number of bits. No heap, no libm, no floating-point operation: the caller's rounding mode does not matter. Time
 * depends on exponents and leading zeros of the data.
 *
 * A number is 0 or +-m 2^exponent, m in [1/2, 1) with 512 bits. Results are cut, not rounded; relative errors are below
 *
 *     add, sub, mul, div_small    2^-510, and exact whenever the result has 512 bits or less: so are 1 - u for u
 *                                 made of eight words, and seven words times a double
 *     div, sqrt                   2^-508
 *     log, neg_log, neg_log1m     2^-506, relative also where the argument is close to 1 (v close to 0)
 *     exp                         2^-508 (1 + |x|)
 *     sincos_pi                   2^-508
 *
 * The bounds are derived in wide.c and held against MPFR by test_math_wide. Exponents up to 2^60 cannot overflow. */
#ifndef SIMDP_WIDE_H
#define SIMDP_WIDE_H

#include <stdint.h>

#include "vec/float_rules.h"

#define WIDE_LIMBS 8

typedef struct {
    uint64_t limb[WIDE_LIMBS]; /* m 2^512, limb[7] the highest, its top bit set; all 0 for the number 0 */
    int64_t exponent;          /* 0 for 0 */
    int sign;                  /* -1, 0, 1 */
} simdp_wide;

/* ---- in and out ---- */

simdp_wide simdp_wide_from_double(double x); /* exact; x finite */
simdp_wide simdp_wide_from_u64(uint64_t x);  /* exact */
/* words[0] 2^-64 + words[1] 2^-128 + ..., count <= 8: exact. A uniform known to 64 count bits lies between this number
 * and the same plus 2^(-64 count). */
simdp_wide simdp_wide_from_words(const uint64_t *words, int count);
double simdp_wide_to_double(simdp_wide a); /* to nearest even, subnormals and infinity included */
int64_t simdp_wide_to_i64(simdp_wide a);   /* to nearest, ties to even; |a| < 2^62 */
/* The first 64 count bits after the binary point of a in [0, 1), cut: inverse of from_words. */
void simdp_wide_to_words(uint64_t *words, int count, simdp_wide a);

/* ---- arithmetic ---- */

simdp_wide simdp_wide_neg(simdp_wide a);
simdp_wide simdp_wide_scale(simdp_wide a, int64_t k); /* a 2^k, exact */
simdp_wide simdp_wide_add(simdp_wide a, simdp_wide b);
simdp_wide simdp_wide_sub(simdp_wide a, simdp_wide b);
simdp_wide simdp_wide_mul(simdp_wide a, simdp_wide b);
simdp_wide simdp_wide_mul_double(simdp_wide a, double b);  /* b finite */
simdp_wide simdp_wide_div(simdp_wide a, simdp_wide b);     /* b not 0 */
simdp_wide simdp_wide_div_small(simdp_wide a, uint64_t b); /* b not 0 */
simdp_wide simdp_wide_sqrt(simdp_wide a);                  /* a >= 0 */
int simdp_wide_compare(simdp_wide a, simdp_wide b);        /* sign of a - b, exact */

/* ---- functions ---- */

simdp_wide simdp_wide_log(simdp_wide x);                                       /* ln x, x > 0 */
simdp_wide simdp_wide_neg_log(simdp_wide u);                                   /* -ln u, u > 0 */
simdp_wide simdp_wide_neg_log1m(simdp_wide v);                                 /* -ln(1 - v), 0 <= v < 1 */
simdp_wide simdp_wide_exp(simdp_wide x);                                       /* e^x, |x| <= 2^40, either sign */
void simdp_wide_sincos_pi(simdp_wide *sine, simdp_wide *cosine, simdp_wide t); /* of pi t / 4, |t| <= 1 */

#endif
