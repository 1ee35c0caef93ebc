/* truth.h: pieces of the MPFR truths of curves and distributions. The precision of
 * `out` decides how exact a piece is. */
#ifndef SIMDP_PROPERTY_TRUTH_H
#define SIMDP_PROPERTY_TRUTH_H

#include "property/shorthand.h"

static inline void truth_div_d(mpfr_t out, double x, double y) /* x / y */
{
    mpfr_set_d(out, x, MPFR_RNDN);
    mpfr_div_d(out, out, y, MPFR_RNDN);
}

/* erfcx(x) for large x: 1/(x sqrt pi) (1 - 1/(2 x^2) + 3/(2 x^2)^2 - ...), whose smallest term is about e^(-x^2) */
static inline void truth_erfcx_far(mpfr_t out, const mpfr_t x)
{
    mpfr_t term, r;
    mpfr_inits2(mpfr_get_prec(out), term, r, (mpfr_ptr)0);
    mpfr_sqr(r, x, MPFR_RNDN);
    mpfr_mul_ui(r, r, 2, MPFR_RNDN);
    mpfr_set_ui(term, 1, MPFR_RNDN);
    mpfr_set_ui(out, 1, MPFR_RNDN);
    for (long k = 1; mpfr_get_exp(term) > -mpfr_get_prec(out); k++) {
        mpfr_mul_si(term, term, 1 - 2 * k, MPFR_RNDN);
        mpfr_div(term, term, r, MPFR_RNDN);
        mpfr_add(out, out, term, MPFR_RNDN);
    }
    mpfr_div(out, out, x, MPFR_RNDN);
    mpfr_const_pi(r, MPFR_RNDN);
    mpfr_rec_sqrt(r, r, MPFR_RNDN);
    mpfr_mul(out, out, r, MPFR_RNDN);
    mpfr_clears(term, r, (mpfr_ptr)0);
}

/* erfcx(x) = e^(x^2) erfc(x) */
static inline void truth_erfcx(mpfr_t out, const mpfr_t x)
{
    if (mpfr_cmp_d(x, sqrt(0.75 * (double)mpfr_get_prec(out))) > 0) {
        truth_erfcx_far(out, x);
        return;
    }
    mpfr_t square;
    mpfr_init2(square, mpfr_get_prec(out));
    mpfr_sqr(square, x, MPFR_RNDN);
    mpfr_erfc(out, x, MPFR_RNDN);
    mpfr_exp(square, square, MPFR_RNDN);
    mpfr_mul(out, out, square, MPFR_RNDN);
    mpfr_clear(square);
}

/* z/sqrt 2; out may be z */
static inline void truth_over_root_2(mpfr_t out, const mpfr_t z)
{
    mpfr_t root;
    mpfr_init2(root, mpfr_get_prec(out));
    mpfr_sqrt_ui(root, 2, MPFR_RNDN);
    mpfr_div(out, z, root, MPFR_RNDN);
    mpfr_clear(root);
}

/* ln Phi(z) and Phi(z) = erfc(-z/sqrt 2)/2 */
static inline void truth_log_normal_cdf(mpfr_t out, const mpfr_t z)
{
    mpfr_t u;
    mpfr_init2(u, mpfr_get_prec(out));
    truth_over_root_2(u, z);
    if (mpfr_sgn(u) > 0) {
        mpfr_erfc(out, u, MPFR_RNDN);
        mpfr_div_si(out, out, -2, MPFR_RNDN);
        mpfr_log1p(out, out, MPFR_RNDN);
    } else {
        mpfr_neg(u, u, MPFR_RNDN);
        truth_erfcx(out, u);
        mpfr_div_ui(out, out, 2, MPFR_RNDN);
        mpfr_log(out, out, MPFR_RNDN);
        mpfr_sqr(u, u, MPFR_RNDN);
        mpfr_sub(out, out, u, MPFR_RNDN);
    }
    mpfr_clear(u);
}

static inline void truth_normal_cdf(mpfr_t out, const mpfr_t z)
{
    truth_over_root_2(out, z);
    mpfr_neg(out, out, MPFR_RNDN);
    mpfr_erfc(out, out, MPFR_RNDN);
    mpfr_div_ui(out, out, 2, MPFR_RNDN);
}

#endif
