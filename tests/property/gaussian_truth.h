/* gaussian_truth.h: the curve of Gaussian noise in MPFR, and Newton's method on it. Included by tests only. */
#ifndef SIMDP_GAUSSIAN_TRUTH_H
#define SIMDP_GAUSSIAN_TRUTH_H

#include "property/truth.h"

/* Phi(-b)/phi(b) for b > 2^14, by its asymptotic series 1/b - 1/b^3 + 3/b^5 - 15/b^7 ...: 40 terms are right to 2^-700
 * */
static inline void truth_mills_far(mpfr_t out, mpfr_t b)
{
    mpfr_t term, square;
    mpfr_inits2(mpfr_get_prec(out), term, square, (mpfr_ptr)0);
    mpfr_sqr(square, b, RN);
    mpfr_ui_div(term, 1, b, RN);
    mpfr_set_ui(out, 0, RN);
    for (int j = 0; j < 40; j++) {
        mpfr_add(out, out, term, RN);
        mpfr_mul_si(term, term, -(2 * j + 1), RN);
        mpfr_div(term, term, square, RN);
    }
    mpfr_clears(term, square, (mpfr_ptr)0);
}

/* Bits that leave 300 after the two terms cancel: the difference is about mu/v^2 of either. */
static inline mpfr_prec_t truth_gaussian_bits(mpfr_t epsilon, mpfr_t mu)
{
    mpfr_t v;
    mpfr_init2(v, 100);
    mpfr_div(v, epsilon, mu, RN);
    const long of_v = mpfr_zero_p(v) ? 0 : (long)mpfr_get_exp(v), of_mu = (long)mpfr_get_exp(mu);
    mpfr_clear(v);
    return 320 + (of_mu < 0 ? -of_mu : of_mu) + (of_v > 0 ? 3 * of_v : 0);
}

/* delta(epsilon) at mu = 1/s, with e^epsilon Phi(-mu/2 - epsilon/mu) = -d delta/d epsilon and phi(mu/2 - epsilon/mu) =
 * d delta/d mu. False where delta is below e^(-2^27), where MPFR's range ends. */
static inline bool truth_gaussian(mpfr_t delta, mpfr_t of_epsilon, mpfr_t of_mu, mpfr_t epsilon, mpfr_t mu)
{
    const mpfr_prec_t bits = truth_gaussian_bits(epsilon, mu);
    mpfr_t a, b, v, half;
    mpfr_inits2(bits, a, b, v, half, (mpfr_ptr)0);
    mpfr_set_prec(of_mu, bits);
    mpfr_div(v, epsilon, mu, RN);
    mpfr_div_ui(half, mu, 2, RN);
    mpfr_sub(a, half, v, RN);
    const bool reached = mpfr_cmp_d(a, -0x1p14) > 0;
    if (reached) {
        mpfr_sqr(of_mu, a, RN);
        mpfr_div_si(of_mu, of_mu, -2, RN);
        mpfr_exp(of_mu, of_mu, RN);
        mpfr_const_pi(b, RN);
        mpfr_mul_ui(b, b, 2, RN);
        mpfr_sqrt(b, b, RN);
        mpfr_div(of_mu, of_mu, b, RN);
        mpfr_add(b, half, v, RN);
        mpfr_neg(b, b, RN);
        truth_normal_cdf(a, a);
        if (mpfr_cmp_d(b, -0x1p14) < 0) { /* e^epsilon may overflow: e^epsilon phi(b) = phi(a) */
            mpfr_neg(half, b, RN);
            truth_mills_far(b, half);
            mpfr_mul(b, b, of_mu, RN);
        } else {
            truth_normal_cdf(b, b);
            mpfr_exp(v, epsilon, RN);
            mpfr_mul(b, b, v, RN);
        }
        mpfr_sub(delta, a, b, RN);
        mpfr_set(of_epsilon, b, RN);
    }
    mpfr_clears(a, b, v, half, (mpfr_ptr)0);
    return reached;
}

/* The root of ln delta(x) = ln target in x = epsilon or mu, from an x that must be near: NaN if the steps do not end.
 * other is s or epsilon. slope: of ln delta there. */
static inline void truth_gaussian_root(mpfr_t x, mpfr_t slope, bool solve_mu, double other, double target)
{
    mpfr_t d, of_epsilon, of_mu, fixed, step;
    mpfr_inits2(PROPERTY_BITS, d, of_epsilon, of_mu, fixed, step, (mpfr_ptr)0);
    property_exact(fixed, other);
    if (!solve_mu) mpfr_ui_div(fixed, 1, fixed, RN);
    bool ended = false;
    for (int i = 0; i < 40 && !ended; i++) {
        mpfr_ptr epsilon = solve_mu ? fixed : x, mu = solve_mu ? x : fixed;
        if (!truth_gaussian(d, of_epsilon, of_mu, epsilon, mu)) break;
        mpfr_div(slope, solve_mu ? of_mu : of_epsilon, d, RN);
        if (!solve_mu) mpfr_neg(slope, slope, RN);
        mpfr_set_d(step, target, RN);
        mpfr_div(step, step, d, RN);
        mpfr_log(step, step, RN);
        mpfr_div(step, step, slope, RN);
        mpfr_add(x, x, step, RN);
        ended = mpfr_zero_p(step) || mpfr_get_exp(step) < mpfr_get_exp(x) - 120;
    }
    if (!ended) mpfr_set_nan(x);
    mpfr_clears(d, of_epsilon, of_mu, fixed, step, (mpfr_ptr)0);
}

/* For mu > 2^10, where delta is nearly Phi(a), a = mu/2 - epsilon/mu: epsilon near the root */
static inline void truth_gaussian_far_guess(mpfr_t epsilon, double s, double delta)
{
    double low = -40.0, high = 10.0;
    for (int i = 0; i < 80; i++) {
        const double a = 0.5 * (low + high);
        const bool above = a < 0.0 ? 0.5 * erfc(-a * sqrt(0.5)) > delta : 0.5 * erfc(a * sqrt(0.5)) < 1.0 - delta;
        if (above) high = a;
        else low = a;
    }
    property_exact(epsilon, s);
    mpfr_ui_div(epsilon, 1, epsilon, RN);
    mpfr_div_ui(epsilon, epsilon, 2, RN);
    mpfr_sub_d(epsilon, epsilon, low, RN);
    mpfr_div_d(epsilon, epsilon, s, RN);
}

#endif
