/* special.h: special functions for closed forms, in plain C on plain_math.h. Scalars only; kernels have their own in
 * the vocabulary. Errors are relative unless said otherwise, u = 2^-53, and test_math_special holds them. NaN in, NaN
 * out; an argument outside the stated domain gives NaN. The caller's floating-point mode must be the default one. */
#ifndef SIMDP_SPECIAL_H
#define SIMDP_SPECIAL_H

#include "vec/float_rules.h"

#define SPECIAL_LN2             0x1.62e42fefa39efp-1
#define SPECIAL_LN2_LOW         0x1.abc9e3b39803fp-56 /* ln 2 - SPECIAL_LN2 */
#define SPECIAL_SQRT2           0x1.6a09e667f3bcdp+0
#define SPECIAL_SQRT_HALF       0x1.6a09e667f3bcdp-1
#define SPECIAL_SQRT_2PI        0x1.40d931ff62706p+1
#define SPECIAL_HALF_LN_2PI     0x1.d67f1c864beb5p-1
#define SPECIAL_HALF_LN_2PI_LOW -0x1.65b5a1b7ff5dfp-55 /* ln(2 pi)/2 - SPECIAL_HALF_LN_2PI */
#define SPECIAL_2_OVER_SQRT_PI  0x1.20dd750429b6dp+0

double simdp_special_log1mexp(double x);            /* ln(1 - e^-x), x >= 0: 4 u */
double simdp_special_logaddexp(double a, double b); /* ln(e^a + e^b): 4 u, or 4 u of the larger argument */

/* The divided difference exp[0, x, y] = (phi(x) - phi(y))/(x - y), phi(x) = (e^x - 1)/x; 1/2 at x = y = 0. The three
 * nodes 0, x, y lie within 4 of each other: 10 u */
double simdp_special_exp_divided(double x, double y);

double simdp_special_erfcx(double x); /* e^(x^2) erfc(x), inf below -26.7: 10 u */
/* (erfcx(x) - erfcx(x + w))/w, x >= 0, w >= 0: 20 u, however small w is; and *at_end = erfcx(x + w): 10 u */
double simdp_special_erfcx_fall(double x, double w, double *at_end);
double simdp_special_erfinv(double z);  /* |z| <= 1: 8 u */
double simdp_special_erfcinv(double z); /* 0 <= z <= 2: 8 u plus the condition near z = 1 */

/* at x + x_low, x_low the part of a result that did not fit into x (or 0) */
double simdp_special_normal_cdf(double x, double x_low);     /* 8 u while normal */
double simdp_special_log_normal_cdf(double x, double x_low); /* 8 u */
double simdp_special_normal_quantile(double p);              /* 0 <= p <= 1: 8 u */
double
simdp_special_normal_quantile_guess(double log_p);      /* log_p <= -ln 2: 4e-3 absolute, for searches to start from */
double simdp_special_normal_quantile_log(double log_p); /* log_p <= 0: 16 u plus 4 u absolute */

/* S(n) = ln n! - (n + 1/2) ln n + n - ln(2 pi)/2, the rest of Stirling's formula, whole n >= 1: 4 u */
double simdp_special_stirling_rest(double n);

/* ln(p/q) for finite p, q > 0, however near or far apart: 4 u */
double simdp_special_log_ratio(double p, double q);

/* x ln(x/m) + m - x >= 0 for x >= 0, m > 0, given x - m as well (where it is known better than the rounded m
 * allows); x + m finite: 8 u. The deviance: the divergence of a Poisson law of mean x from one of mean m, and the
 * summand of KL that never cancels. */
double simdp_special_deviance(double x, double m, double x_minus_m);

/* ln P[N = n], N ~ Binomial(k, q): whole 0 <= n <= k, 0 < q < 1, p = 1 - q, and n - k q: 8 u plus 8 u absolute */
double simdp_special_log_binomial(double n, double k, double q, double p, double n_minus_mean);

#endif
