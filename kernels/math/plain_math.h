/* plain_math.h: elementary functions for parameters and single numbers, from + - * / and sqrt alone: the same bits with
 * every compiler, C library and CPU, and errors that are known, neither of which libm promises. For code outside the
 * units; not constant time. The floating-point mode must be the default one.
 *
 * Errors in ulp of the exact result, held by test_math_plain against MPFR; where a result is below 2^-1022, one unit of
 * 2^-1074 instead. NaN in, NaN out; infinities, zeros and their signs as in C's Annex F. */
#ifndef SIMDP_PLAIN_MATH_H
#define SIMDP_PLAIN_MATH_H

#include <math.h>

#include "vec/float_rules.h"

/* symbols of the library all begin with simdp_ */
#define plain_exp    simdp_plain_exp
#define plain_expm1  simdp_plain_expm1
#define plain_log    simdp_plain_log
#define plain_log1p  simdp_plain_log1p
#define plain_log2   simdp_plain_log2
#define plain_pow    simdp_plain_pow
#define plain_sinh   simdp_plain_sinh
#define plain_tanh   simdp_plain_tanh
#define plain_asinh  simdp_plain_asinh
#define plain_cos_pi simdp_plain_cos_pi
#define plain_erf    simdp_plain_erf
#define plain_erfc   simdp_plain_erfc

double plain_exp(double x);           /* 0.52 */
double plain_expm1(double x);         /* 0.7 */
double plain_log(double x);           /* 0.52 */
double plain_log1p(double x);         /* 0.52 */
double plain_log2(double x);          /* 0.52; exact for powers of two */
double plain_pow(double x, double y); /* 0.6; x >= 0, or NaN: a negative base is no case of ours */
double plain_sinh(double x);          /* 1.7 */
double plain_tanh(double x);          /* 0.7 */
double plain_asinh(double x);         /* 2; x >= 0 */
double plain_cos_pi(double x);        /* cos(pi x): 1.2 */
double plain_erf(double x);           /* 1 */
double plain_erfc(double x);          /* 1 */

#endif
