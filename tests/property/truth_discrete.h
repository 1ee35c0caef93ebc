/* truth_discrete.h: discrete Laplace and Gaussian laws in MPFR, from their definitions. m is a whole number, plus one
 * if `next`, as m + 1 may be no double; infinite ones are allowed. */
#ifndef SIMDP_PROPERTY_TRUTH_DISCRETE_H
#define SIMDP_PROPERTY_TRUTH_DISCRETE_H

#include "property/truth.h"

static inline mpfr_prec_t discrete_bits(double scale) { return 400 + (mpfr_prec_t)(2.0 * fabs(log2(scale))); }

/* ---- Laplace, q = e^(-1/t) ---- */

static inline void laplace_q(mpfr_t q, double t)
{
    mpfr_set_si(q, -1, MPFR_RNDN);
    mpfr_div_d(q, q, t, MPFR_RNDN);
    mpfr_exp(q, q, MPFR_RNDN);
}

/* P[X >= m] = q^m/(1+q) for m >= 1, and 1 - P[X >= 1 - m] below */
static inline void truth_discrete_laplace_tail(mpfr_t out, double m, bool next, double t)
{
    mpfr_t q;
    mpfr_init2(q, PROPERTY_BITS);
    property_exact(out, m);
    if (next) mpfr_add_ui(out, out, 1, MPFR_RNDN);
    const bool left = mpfr_cmp_ui(out, 1) < 0;
    if (left) mpfr_ui_sub(out, 1, out, MPFR_RNDN);
    mpfr_neg(out, out, MPFR_RNDN);
    mpfr_div_d(out, out, t, MPFR_RNDN);
    mpfr_exp(out, out, MPFR_RNDN);
    laplace_q(q, t);
    mpfr_add_ui(q, q, 1, MPFR_RNDN);
    mpfr_div(out, out, q, MPFR_RNDN);
    if (left) mpfr_ui_sub(out, 1, out, MPFR_RNDN);
    mpfr_clear(q);
}

/* ln P[X = x] = ln((1-q)/(1+q)) - |x|/t */
static inline void truth_discrete_laplace_pmf(mpfr_t out, double x, double t, bool logarithm)
{
    mpfr_t q, below;
    mpfr_inits2(discrete_bits(t), q, below, (mpfr_ptr)0);
    laplace_q(q, t);
    mpfr_neg(below, q, MPFR_RNDN);
    mpfr_log1p(below, below, MPFR_RNDN);
    mpfr_log1p(q, q, MPFR_RNDN);
    mpfr_sub(q, below, q, MPFR_RNDN);
    property_exact(below, fabs(x));
    mpfr_div_d(below, below, t, MPFR_RNDN);
    mpfr_sub(q, q, below, MPFR_RNDN);
    if (x != floor(x)) mpfr_set_inf(q, -1);
    if (logarithm) mpfr_set(out, q, MPFR_RNDN);
    else mpfr_exp(out, q, MPFR_RNDN);
    mpfr_clears(q, below, (mpfr_ptr)0);
}

/* out = r + r^2 + ... + r^n, r = e^x, x != 0; out may be n */
static inline void geometric(mpfr_t out, const mpfr_t x, const mpfr_t n)
{
    mpfr_t whole;
    mpfr_init2(whole, mpfr_get_prec(out));
    mpfr_mul(whole, x, n, MPFR_RNDN);
    mpfr_expm1(whole, whole, MPFR_RNDN);
    mpfr_neg(out, x, MPFR_RNDN);
    mpfr_expm1(out, out, MPFR_RNDN);
    mpfr_neg(out, out, MPFR_RNDN);
    mpfr_div(out, whole, out, MPFR_RNDN);
    mpfr_clear(whole);
}

/* delta = (1 - e^(epsilon - D/t))/(1+q) + sum over x = 1 .. D-1 of pmf(x) (1 - e^(epsilon - (D-2x)/t))+; the terms
 * above 0 are those with x < (D - epsilon t)/2 */
static inline void truth_discrete_laplace_curve(mpfr_t out, double epsilon, double t, int64_t d, bool logarithm)
{
    mpfr_t q, c, n, x, sum;
    mpfr_inits2(700 + 2 * discrete_bits(t), q, c, n, x, sum, (mpfr_ptr)0);
    mpfr_set_si(sum, 0, MPFR_RNDN);
    property_exact(n, isinf(epsilon) ? 1e300 : epsilon);
    mpfr_mul_d(n, n, t, MPFR_RNDN);
    mpfr_si_sub(n, d, n, MPFR_RNDN); /* D - epsilon t */
    mpfr_div_d(c, n, t, MPFR_RNDN);
    if (mpfr_sgn(n) > 0) {
        mpfr_div_2ui(n, n, 1, MPFR_RNDN);
        mpfr_ceil(n, n);
        mpfr_sub_ui(n, n, 1, MPFR_RNDN);
        if (mpfr_cmp_si(n, d - 1) > 0) mpfr_set_si(n, d - 1, MPFR_RNDN);
        mpfr_set_si(x, -1, MPFR_RNDN);
        mpfr_div_d(x, x, t, MPFR_RNDN); /* ln q */
        geometric(sum, x, n);           /* sum of q^x */
        mpfr_sub_ui(q, n, 1, MPFR_RNDN);
        geometric(q, x, q);
        mpfr_add_ui(q, q, 1, MPFR_RNDN); /* q^n times the sum of q^-x */
        mpfr_fma(x, x, n, c, MPFR_RNDN);
        mpfr_neg(x, x, MPFR_RNDN);
        mpfr_exp(x, x, MPFR_RNDN); /* q^-n e^(epsilon - D/t) */
        mpfr_neg(c, c, MPFR_RNDN);
        mpfr_mul(q, q, x, MPFR_RNDN);
        mpfr_sub(sum, sum, q, MPFR_RNDN);
        laplace_q(q, t);
        mpfr_ui_sub(x, 1, q, MPFR_RNDN);
        mpfr_mul(sum, sum, x, MPFR_RNDN); /* tanh(1/2t) = (1-q)/(1+q); the division comes last */
        if (mpfr_zero_p(n)) mpfr_set_ui(sum, 0, MPFR_RNDN);
        mpfr_expm1(c, c, MPFR_RNDN);
        mpfr_sub(sum, sum, c, MPFR_RNDN);
        mpfr_add_ui(q, q, 1, MPFR_RNDN);
        mpfr_div(sum, sum, q, MPFR_RNDN);
    }
    if (logarithm) mpfr_log(out, sum, MPFR_RNDN);
    else mpfr_set(out, sum, MPFR_RNDN);
    mpfr_clears(q, c, n, x, sum, (mpfr_ptr)0);
}

/* ---- Gaussian ---- */

/* Z - 1 = 2 sum e^(-y^2/(2 sigma^2)); from sigma = 2 on by Poisson's formula, whose fourth term is below e^-700 */
static inline void gaussian_total_less_one(mpfr_t out, double sigma)
{
    mpfr_t x, term;
    mpfr_inits2(mpfr_get_prec(out), x, term, (mpfr_ptr)0);
    mpfr_const_pi(x, MPFR_RNDN);
    mpfr_mul_d(x, x, sigma, MPFR_RNDN);
    mpfr_sqr(x, x, MPFR_RNDN);
    mpfr_mul_si(x, x, -2, MPFR_RNDN);
    if (sigma < 2.0) {
        property_exact(x, sigma);
        mpfr_sqr(x, x, MPFR_RNDN);
        mpfr_mul_si(x, x, -2, MPFR_RNDN);
        mpfr_ui_div(x, 1, x, MPFR_RNDN);
    }
    mpfr_set_ui(out, 0, MPFR_RNDN);
    for (unsigned y = 1; y <= (sigma < 2.0 ? 80 : 3); y++) {
        mpfr_mul_ui(term, x, y * y, MPFR_RNDN);
        mpfr_exp(term, term, MPFR_RNDN);
        mpfr_add(out, out, term, MPFR_RNDN);
        if (mpfr_zero_p(term) || mpfr_get_exp(term) < mpfr_get_exp(out) - 2500) break;
    }
    mpfr_mul_2ui(out, out, 1, MPFR_RNDN);
    if (sigma >= 2.0) {
        mpfr_add_ui(out, out, 1, MPFR_RNDN);
        mpfr_const_pi(x, MPFR_RNDN);
        mpfr_mul_2ui(x, x, 1, MPFR_RNDN);
        mpfr_sqrt(x, x, MPFR_RNDN);
        mpfr_mul_d(x, x, sigma, MPFR_RNDN);
        mpfr_mul(out, out, x, MPFR_RNDN);
        mpfr_sub_ui(out, out, 1, MPFR_RNDN);
    }
    mpfr_clears(x, term, (mpfr_ptr)0);
}

/* sum over j >= 0 of e^(-(a j + j^2/(2 sigma^2))), a = m/sigma^2, term by term: each is the last times a ratio that
 * falls by the same factor */
static inline void gaussian_relative_by_terms(mpfr_t out, const mpfr_t a, double sigma)
{
    mpfr_t term, ratio, fall;
    mpfr_inits2(mpfr_get_prec(out), term, ratio, fall, (mpfr_ptr)0);
    mpfr_set_si(fall, -1, MPFR_RNDN);
    mpfr_div_d(fall, fall, sigma, MPFR_RNDN);
    mpfr_div_d(fall, fall, sigma, MPFR_RNDN);
    mpfr_div_2ui(ratio, fall, 1, MPFR_RNDN);
    mpfr_sub(ratio, ratio, a, MPFR_RNDN);
    mpfr_exp(ratio, ratio, MPFR_RNDN);
    mpfr_exp(fall, fall, MPFR_RNDN);
    mpfr_set_ui(term, 1, MPFR_RNDN);
    mpfr_set_ui(out, 0, MPFR_RNDN);
    while (!mpfr_zero_p(term) && (mpfr_zero_p(out) || mpfr_get_exp(term) > mpfr_get_exp(out) - 300)) {
        mpfr_add(out, out, term, MPFR_RNDN);
        mpfr_mul(term, term, ratio, MPFR_RNDN);
        mpfr_mul(ratio, ratio, fall, MPFR_RNDN);
    }
    mpfr_clears(term, ratio, fall, (mpfr_ptr)0);
}

/* The same by Euler's and Maclaurin's formula with 20 corrections, for sigma > 60 and a < 0.3: the next is below 1e-52.
 * The derivatives at 0 are (-1/sigma)^n He_n(m/sigma); B_2k/(2k)! = (-1)^(k+1) 2 zeta(2k)/(2 pi)^2k. */
static inline void gaussian_relative_by_integral(mpfr_t out, const mpfr_t m, const mpfr_t a, double sigma)
{
    mpfr_t x, before, here, next, weight;
    mpfr_inits2(mpfr_get_prec(out), x, before, here, next, weight, (mpfr_ptr)0);
    mpfr_div_d(x, m, sigma, MPFR_RNDN);
    mpfr_set_ui(here, 2, MPFR_RNDN);
    mpfr_sqrt(here, here, MPFR_RNDN);
    mpfr_div(x, x, here, MPFR_RNDN);
    truth_erfcx(out, x);
    mpfr_const_pi(x, MPFR_RNDN);
    mpfr_sqrt(x, x, MPFR_RNDN);
    mpfr_div(x, x, here, MPFR_RNDN);
    mpfr_mul_d(x, x, sigma, MPFR_RNDN);
    mpfr_mul(out, out, x, MPFR_RNDN);
    mpfr_add_d(out, out, 0.5, MPFR_RNDN);
    mpfr_set_ui(before, 1, MPFR_RNDN); /* He_n/sigma^n for n = 0, 1 */
    mpfr_set(here, a, MPFR_RNDN);
    for (unsigned n = 1; n < 40; n++) {
        if (n % 2 == 1) {
            mpfr_zeta_ui(weight, n + 1, MPFR_RNDN);
            mpfr_mul_si(weight, weight, n % 4 == 1 ? 2 : -2, MPFR_RNDN);
            mpfr_const_pi(x, MPFR_RNDN);
            mpfr_mul_2ui(x, x, 1, MPFR_RNDN);
            mpfr_pow_ui(x, x, n + 1, MPFR_RNDN);
            mpfr_div(weight, weight, x, MPFR_RNDN);
            mpfr_mul(weight, weight, here, MPFR_RNDN);
            mpfr_add(out, out, weight, MPFR_RNDN);
        }
        mpfr_mul(next, a, here, MPFR_RNDN);
        mpfr_mul_ui(before, before, n, MPFR_RNDN);
        mpfr_div_d(before, before, sigma, MPFR_RNDN);
        mpfr_div_d(before, before, sigma, MPFR_RNDN);
        mpfr_sub(next, next, before, MPFR_RNDN);
        mpfr_set(before, here, MPFR_RNDN);
        mpfr_set(here, next, MPFR_RNDN);
    }
    mpfr_clears(x, before, here, next, weight, (mpfr_ptr)0);
}

static inline void gaussian_relative(mpfr_t out, const mpfr_t m, double sigma)
{
    mpfr_t a;
    mpfr_init2(a, mpfr_get_prec(out));
    mpfr_div_d(a, m, sigma, MPFR_RNDN);
    mpfr_div_d(a, a, sigma, MPFR_RNDN);
    if (sigma > 60.0 && mpfr_cmp_d(a, 0.3) < 0) gaussian_relative_by_integral(out, m, a, sigma);
    else gaussian_relative_by_terms(out, a, sigma);
    mpfr_clear(a);
}

/* m becomes -m^2/(2 sigma^2) */
static inline void gaussian_log_weight(mpfr_t m, double sigma)
{
    mpfr_div_d(m, m, sigma, MPFR_RNDN);
    mpfr_sqr(m, m, MPFR_RNDN);
    mpfr_div_si(m, m, -2, MPFR_RNDN);
}

static inline void truth_discrete_gaussian_tail(mpfr_t out, double whole, bool next, double sigma)
{
    mpfr_t m, sum;
    mpfr_inits2(discrete_bits(sigma), m, sum, (mpfr_ptr)0);
    if (isinf(whole)) {
        mpfr_set_ui(sum, whole < 0.0, MPFR_RNDN);
    } else {
        property_exact(m, whole);
        if (next) mpfr_add_ui(m, m, 1, MPFR_RNDN);
        const bool left = mpfr_cmp_ui(m, 1) < 0;
        if (left) mpfr_ui_sub(m, 1, m, MPFR_RNDN);
        gaussian_relative(sum, m, sigma);
        gaussian_log_weight(m, sigma);
        mpfr_exp(m, m, MPFR_RNDN);
        mpfr_mul(sum, sum, m, MPFR_RNDN);
        gaussian_total_less_one(m, sigma);
        mpfr_add_ui(m, m, 1, MPFR_RNDN);
        mpfr_div(sum, sum, m, MPFR_RNDN);
        if (left) mpfr_ui_sub(sum, 1, sum, MPFR_RNDN);
    }
    mpfr_set(out, sum, MPFR_RNDN);
    mpfr_clears(m, sum, (mpfr_ptr)0);
}

static inline void truth_discrete_gaussian_pmf(mpfr_t out, double x, double sigma, bool logarithm)
{
    mpfr_t total, z;
    mpfr_inits2(PROPERTY_BITS, total, z, (mpfr_ptr)0);
    gaussian_total_less_one(total, sigma);
    mpfr_log1p(total, total, MPFR_RNDN);
    property_exact(z, x);
    gaussian_log_weight(z, sigma);
    mpfr_sub(z, z, total, MPFR_RNDN);
    if (x != floor(x)) mpfr_set_inf(z, -1);
    if (logarithm) mpfr_set(out, z, MPFR_RNDN);
    else mpfr_exp(out, z, MPFR_RNDN);
    mpfr_clears(total, z, (mpfr_ptr)0);
}

/* With m the first whole number above epsilon sigma^2/D - D/2 and x = (2m + D) D/(2 sigma^2) - epsilon, the loss of m
 * beyond epsilon: delta Z = w(m) (R(m) - e^-x R(m + D)), w the weight, R the relative tail; for m < 1 it is 1 - delta
 * that is found, as (w(1 - m) R(1 - m) + w(m) e^-x R(m + D))/Z. */
static inline void gaussian_curve_at(mpfr_t out, const mpfr_t epsilon, double sigma, int64_t d, bool logarithm)
{
    mpfr_t m, x, end, sum, w;
    mpfr_inits2(mpfr_get_prec(epsilon), m, x, end, sum, w, (mpfr_ptr)0);
    mpfr_mul_d(m, epsilon, sigma, MPFR_RNDN);
    mpfr_mul_d(m, m, sigma, MPFR_RNDN);
    mpfr_div_si(m, m, d, MPFR_RNDN);
    mpfr_set_si(x, d, MPFR_RNDN);
    mpfr_div_2ui(x, x, 1, MPFR_RNDN);
    mpfr_sub(m, m, x, MPFR_RNDN);
    mpfr_floor(m, m);
    mpfr_add_ui(m, m, 1, MPFR_RNDN);
    mpfr_add(x, m, x, MPFR_RNDN);
    mpfr_mul_si(x, x, d, MPFR_RNDN);
    mpfr_div_d(x, x, sigma, MPFR_RNDN);
    mpfr_div_d(x, x, sigma, MPFR_RNDN);
    mpfr_sub(x, epsilon, x, MPFR_RNDN);
    mpfr_exp(x, x, MPFR_RNDN);
    mpfr_add_si(end, m, d, MPFR_RNDN);
    gaussian_relative(sum, end, sigma);
    mpfr_mul(x, x, sum, MPFR_RNDN); /* e^-x R(m + D) */
    mpfr_set(w, m, MPFR_RNDN);
    gaussian_log_weight(w, sigma);
    gaussian_total_less_one(end, sigma);
    mpfr_log1p(end, end, MPFR_RNDN);
    mpfr_sub(w, w, end, MPFR_RNDN); /* ln(w(m)/Z) */
    if (mpfr_cmp_ui(m, 1) < 0) {
        mpfr_ui_sub(m, 1, m, MPFR_RNDN);
        gaussian_relative(sum, m, sigma);
        gaussian_log_weight(m, sigma);
        mpfr_sub(m, m, end, MPFR_RNDN);
        mpfr_exp(m, m, MPFR_RNDN);
        mpfr_mul(sum, sum, m, MPFR_RNDN);
        mpfr_exp(w, w, MPFR_RNDN);
        mpfr_fma(sum, x, w, sum, MPFR_RNDN);
        mpfr_neg(sum, sum, MPFR_RNDN);
        if (logarithm) mpfr_log1p(out, sum, MPFR_RNDN);
        else mpfr_add_ui(out, sum, 1, MPFR_RNDN);
    } else {
        gaussian_relative(sum, m, sigma);
        mpfr_sub(sum, sum, x, MPFR_RNDN);
        mpfr_log(sum, sum, MPFR_RNDN);
        mpfr_add(sum, sum, w, MPFR_RNDN);
        if (logarithm) mpfr_set(out, sum, MPFR_RNDN);
        else mpfr_exp(out, sum, MPFR_RNDN);
    }
    mpfr_clears(m, x, end, sum, w, (mpfr_ptr)0);
}

static inline void truth_discrete_gaussian_curve(mpfr_t out, double epsilon, double sigma, int64_t d, bool logarithm)
{
    mpfr_t e;
    if (d == 0 || isinf(epsilon)) {
        if (logarithm) mpfr_set_inf(out, -1);
        else mpfr_set_ui(out, 0, MPFR_RNDN);
        return;
    }
    mpfr_init2(e, 200 + discrete_bits(sigma));
    property_exact(e, epsilon);
    gaussian_curve_at(out, e, sigma, d, logarithm);
    mpfr_clear(e);
}

/* What moving epsilon down by 2^-90 of itself adds to `here`, the curve at epsilon. */
static inline void truth_discrete_gaussian_moved(mpfr_t out, const mpfr_t here, double epsilon, double sigma, int64_t d,
                                                 bool logarithm)
{
    mpfr_t e;
    if (d == 0 || isinf(epsilon) || epsilon == 0.0) return;
    mpfr_init2(e, 200 + discrete_bits(sigma));
    mpfr_set_d(e, epsilon, MPFR_RNDN);
    mpfr_mul_d(e, e, 0x1p-90, MPFR_RNDN);
    mpfr_d_sub(e, epsilon, e, MPFR_RNDN);
    gaussian_curve_at(out, e, sigma, d, logarithm);
    mpfr_sub(out, out, here, MPFR_RNDN);
    mpfr_abs(out, out, MPFR_RNDN);
    mpfr_clear(e);
}

#endif
