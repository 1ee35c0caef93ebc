/* gaussian_curve.h: delta(epsilon) of Gaussian noise in MPFR, as it is printed everywhere. The precision of `out`
 * decides how exact it is. */
#ifndef SIMDP_GAUSSIAN_CURVE_H
#define SIMDP_GAUSSIAN_CURVE_H

#include <mpfr.h>

/* Phi(1/(2s) - epsilon s) - e^epsilon Phi(-1/(2s) - epsilon s), s = sigma / sensitivity */
static inline void gaussian_curve(mpfr_t out, double epsilon, double sigma, double sensitivity)
{
    mpfr_t s, half, x, root;
    mpfr_inits2(mpfr_get_prec(out), s, half, x, root, (mpfr_ptr)0);
    mpfr_set_d(s, sigma, MPFR_RNDN);
    mpfr_div_d(s, s, sensitivity, MPFR_RNDN);
    mpfr_ui_div(half, 1, s, MPFR_RNDN);
    mpfr_div_2ui(half, half, 1, MPFR_RNDN); /* 1/(2s) */
    mpfr_mul_d(s, s, epsilon, MPFR_RNDN);   /* epsilon s */
    mpfr_sqrt_ui(root, 2, MPFR_RNDN);
    mpfr_sub(x, s, half, MPFR_RNDN);
    mpfr_div(x, x, root, MPFR_RNDN);
    mpfr_erfc(out, x, MPFR_RNDN);
    mpfr_add(x, s, half, MPFR_RNDN);
    mpfr_div(x, x, root, MPFR_RNDN);
    mpfr_erfc(x, x, MPFR_RNDN);
    mpfr_set_d(s, epsilon, MPFR_RNDN);
    mpfr_exp(s, s, MPFR_RNDN);
    mpfr_mul(x, x, s, MPFR_RNDN);
    mpfr_sub(out, out, x, MPFR_RNDN);
    mpfr_div_2ui(out, out, 1, MPFR_RNDN);
    mpfr_clears(s, half, x, root, (mpfr_ptr)0);
}

#endif
