/* query_rows.h: rows of test_property_theory for concentrated queries and their noise. */
#ifndef SIMDP_QUERY_ROWS_H
#define SIMDP_QUERY_ROWS_H

#include "property/shorthand.h"
#include "support/laws.h"

/* ---- concentrated queries: class, parameter, b, n, then alpha or nu ---- */

static simdp_theory_concentration query_of(const double *a)
{
    return (simdp_theory_concentration){(simdp_theory_concentration_kind)a[0], a[1], a[2], (int64_t)a[3]};
}
static void draw_query(property_random *r, double *a)
{
    a[0] = (double)property_below(r, 3), a[1] = property_scale(r);
    a[2] = property_chance(r, 0.5) ? a[1] * property_log_uniform(r, 1e-3, 1e3) : property_scale(r);
    a[3] = fmax(1.0, (double)property_count(r, INT64_MAX / 2));
    if (!(a[2] > 0.0 && a[2] < 0x1p1000)) a[2] = 1.0;
}

/* out <- sigma, or Delta sqrt(n)/2 */
static void query_sigma(mpfr_ptr out, const double *a)
{
    mpfr_set_ui(out, 1, RND);
    if (a[0] == SIMDP_THEORY_SENSITIVE) {
        mpfr_set_d(out, a[3], RND);
        mpfr_sqrt(out, out, RND);
        mpfr_div_ui(out, out, 2, RND);
    }
    mpfr_mul_d(out, out, a[1], RND);
}

static void draw_gamma(property_random *r, double *a)
{
    draw_query(r, a);
    a[4] = property_chance(r, 0.05) ? INFINITY : fabs(property_number(r));
    const double sigma = a[0] == SIMDP_THEORY_SENSITIVE ? a[1] * sqrt(a[3]) / 2 : a[1];
    if (property_chance(r, 0.6)) a[4] = sigma * property_log_uniform(r, 1e-2, 100);
    if (property_chance(r, 0.2)) a[4] = property_nudge(r, sigma * 0x1.2d5d0de1a2d7dp+0); /* where gamma begins */
    if (property_chance(r, 0.2) && a[0] == SIMDP_THEORY_SUBEXPONENTIAL)
        a[4] = property_nudge(r, sigma * (sigma / a[2]));
    if (!(a[4] >= 0.0)) a[4] = 0.0;
}
static simdp_status gamma_of(double *out, const double *a)
{
    simdp_theory_exponent e;
    const simdp_status status = simdp_theory_concentration_exponent(&e, a[4], query_of(a));
    out[0] = e.gamma, out[1] = e.gamma_simple, out[2] = e.gamma_printed;
    return status;
}

/* the three exponents before ln 2 is taken off */
static void gamma_exponents(mpfr_t *out, const double *a)
{
    mpfr_ptr sigma = truth_number(0), y = truth_number(1), alpha = truth_number(2);
    query_sigma(sigma, a);
    mpfr_set_d(alpha, a[4], RND);
    mpfr_div(y, alpha, sigma, RND);
    mpfr_sqr(y, y, RND);
    mpfr_div_ui(y, y, 2, RND);
    for (int i = 0; i < 3; i++) mpfr_set(out[i], y, RND);
    if (a[0] != SIMDP_THEORY_SUBEXPONENTIAL) return;
    mpfr_div_d(y, sigma, a[2], RND);
    mpfr_sqr(y, y, RND);
    mpfr_div_ui(y, y, 2, RND);
    if (mpfr_cmp(y, out[2]) < 0) mpfr_set(out[2], y, RND);
    if (mpfr_inf_p(alpha)) return;
    mpfr_div_d(alpha, alpha, a[2], RND);
    mpfr_sub(sigma, alpha, y, RND); /* alpha/b - sigma^2/(2b^2) beyond alpha/b = sigma^2/b^2 */
    mpfr_mul_ui(y, y, 2, RND);
    if (mpfr_cmp(alpha, y) > 0) mpfr_set(out[0], sigma, RND);
    mpfr_div_ui(alpha, alpha, 2, RND);
    if (mpfr_cmp(alpha, out[1]) < 0) mpfr_set(out[1], alpha, RND);
}
static void gamma_truth(mpfr_t *out, const double *a)
{
    gamma_exponents(out, a);
    mpfr_const_log2(truth_number(0), RND);
    for (int i = 0; i < 2; i++) {
        mpfr_sub(out[i], out[i], truth_number(0), RND);
        truth_positive(out[i]);
    }
}
static void gamma_slack(mpfr_t *out, const double *a) /* ln 2 is taken off: 2^-50 of it remains */
{
    mpfr_t t[3];
    for (int i = 0; i < 3; i++) mpfr_init2(t[i], PROPERTY_BITS);
    gamma_exponents(t, a);
    for (int i = 0; i < 2; i++) {
        if (mpfr_number_p(t[i])) truth_add_size(out[i], t[i]), truth_add_size(out[i], t[i]);
    }
    for (int i = 0; i < 3; i++) mpfr_clear(t[i]);
}
static simdp_status gamma_one_sided(double *out, const double *a) /* defect: 003 as printed, without ln 2 */
{
    const simdp_status status = gamma_of(out, a);
    if (isfinite(out[0])) out[0] += 0.6931;
    return status;
}
static simdp_status gamma_nearest(double *out, const double *a)
{
    const simdp_status status = gamma_of(out, a);
    if (a[0] == SIMDP_THEORY_SUBGAUSSIAN && isfinite(a[4]))
        out[0] = fmax(0.0, 0.5 * (a[4] / a[1]) * (a[4] / a[1]) - 0x1.62e42fefa39efp-1);
    return status;
}

static void draw_gamma_inverse(property_random *r, double *a)
{
    draw_query(r, a);
    a[4] = property_chance(r, 0.02) ? 0.0 : property_delta_open(r);
    const double sigma = a[1], ratio = sigma / a[2];
    if (property_chance(r, 0.2) && ratio > 1.2 && ratio < 38) a[4] = property_nudge(r, 2 * exp(-ratio * ratio / 2));
    if (!(a[4] < 1.0)) a[4] = 0.5;
}
static void alpha_truth(mpfr_ptr out, const double *a)
{
    mpfr_ptr l = truth_number(0), sigma = truth_number(1), y = truth_number(2);
    mpfr_set_inf(out, 1);
    if (a[4] == 0.0) return;
    truth_log(l, a[4]);
    mpfr_const_log2(y, RND);
    mpfr_sub(l, y, l, RND);
    query_sigma(sigma, a);
    mpfr_mul_ui(out, l, 2, RND);
    mpfr_sqrt(out, out, RND);
    mpfr_mul(out, out, sigma, RND);
    if (a[0] != SIMDP_THEORY_SUBEXPONENTIAL) return;
    mpfr_div_d(y, sigma, a[2], RND);
    mpfr_sqr(y, y, RND);
    mpfr_div_ui(y, y, 2, RND);
    if (mpfr_cmp(l, y) <= 0) return;
    mpfr_add(out, l, y, RND);
    mpfr_mul_d(out, out, a[2], RND);
}
static simdp_status gamma_inverse(double *out, const double *a)
{
    simdp_theory_typical_plan plan;
    const simdp_status status =
        simdp_theory_typical_noise(&plan, query_of(a), (simdp_theory_stability){1.0, 0.5, a[4]});
    out[0] = plan.alpha;
    return status;
}
static void gamma_inverse_truth(mpfr_t *out, const double *a) { alpha_truth(out[0], a); }

/* ---- noise: query, nu, eta, tau ---- */

/* out <- out sqrt(2 ln(1.5/tau))/eta */
static void printed_rule(mpfr_ptr out, double eta, double tau)
{
    mpfr_ptr y = truth_number(3);
    if (eta > 4.9 || tau == 0.0) {
        mpfr_set_inf(out, 1);
        return;
    }
    mpfr_set_d(y, 1.5, RND);
    mpfr_div_d(y, y, tau, RND);
    mpfr_log(y, y, RND);
    mpfr_mul_ui(y, y, 2, RND);
    mpfr_sqrt(y, y, RND);
    mpfr_mul(out, out, y, RND);
    mpfr_div_d(out, out, eta, RND);
}
static void draw_target(property_random *r, double *eta, double *tau)
{
    *eta = property_chance(r, 0.02) ? INFINITY : property_epsilon(r), *tau = property_delta(r);
    if (property_chance(r, 0.1)) *eta = property_nudge(r, 4.9);
    if (*eta == 0.0) *eta = 1.0;
}
static void draw_typical_noise(property_random *r, double *a)
{
    draw_gamma_inverse(r, a);
    draw_target(r, &a[5], &a[6]);
}
static simdp_status typical_noise(double *out, const double *a)
{
    simdp_theory_typical_plan plan;
    const simdp_status status =
        simdp_theory_typical_noise(&plan, query_of(a), (simdp_theory_stability){a[5], a[6], a[4]});
    out[0] = plan.alpha, out[1] = plan.laplace_scale, out[2] = plan.gaussian_sigma,
    out[3] = plan.gaussian_sigma_analytic;
    return status;
}
static void typical_noise_truth(mpfr_t *out, const double *a)
{
    double unit = NAN;
    for (int i = 0; i < 4; i++) alpha_truth(out[i], a);
    if (mpfr_number_p(out[1])) mpfr_div_d(out[1], out[1], a[5], RND);
    printed_rule(out[2], a[5], a[6]);
    /* the calibration has a row of its own: what it says is taken as it is */
    if (simdp_account_noise(&unit, &a[5], &a[6], 1, law_gaussian(0)) != SIMDP_OK) mpfr_set_nan(out[3]);
    if (unit == 0.0) mpfr_set_ui(out[3], 0, RND);
    else mpfr_mul_d(out[3], out[3], unit, RND);
}

/* alpha, eta, tau, beta */
static void draw_typical_error(property_random *r, double *a)
{
    a[0] = property_chance(r, 0.03) ? 0.0 : property_scale(r);
    draw_target(r, &a[1], &a[2]);
    a[3] = property_chance(r, 0.02) ? 1.0 : property_delta_open(r);
}
static simdp_status typical_error(double *out, const double *a)
{
    simdp_theory_typical_errors e;
    const simdp_status status = simdp_theory_typical_error(&e, a[0], (simdp_theory_stability){a[1], a[2], 0.0}, a[3]);
    out[0] = e.laplace, out[1] = e.gaussian, out[2] = e.gaussian_exact;
    return status;
}

/* out <- erfc^-1(beta), 0 < beta < 1, by Newton's method on ln erfc from a double; 200 bits are plenty and quicker */
static void erfc_inverse(mpfr_ptr out, double beta)
{
    mpfr_t x, f, slope, y, target;
    mpfr_inits2(200, x, f, slope, y, target, (mpfr_ptr)0);
    truth_log(target, beta);
    mpfr_set_d(x, beta > 0.5 ? (1.0 - beta) * 0.886 : sqrt(-log(beta)) * 0.9, RND);
    for (int i = 0; i < 60; i++) {
        mpfr_erfc(y, x, RND);
        mpfr_log(f, y, RND);
        mpfr_sub(f, f, target, RND);
        mpfr_sqr(slope, x, RND);
        mpfr_neg(slope, slope, RND);
        mpfr_exp(slope, slope, RND);
        mpfr_div(slope, slope, y, RND);
        mpfr_const_pi(y, RND);
        mpfr_sqrt(y, y, RND);
        mpfr_div(slope, slope, y, RND);
        mpfr_mul_ui(slope, slope, 2, RND);
        mpfr_div(f, f, slope, RND);
        mpfr_add(x, x, f, RND);
        if (mpfr_zero_p(f) || mpfr_get_exp(f) < mpfr_get_exp(x) - 80) break;
    }
    mpfr_set(out, x, RND);
    mpfr_clears(x, f, slope, y, target, (mpfr_ptr)0);
}
static void typical_error_truth(mpfr_t *out, const double *a)
{
    mpfr_ptr y = truth_number(8);
    for (int i = 0; i < 3; i++) mpfr_set_ui(out[i], 0, RND);
    if (a[0] == 0.0 || a[3] == 1.0) return;
    truth_log(y, a[3]);
    mpfr_neg(y, y, RND);
    mpfr_mul_d(out[0], y, a[0], RND);
    mpfr_div_d(out[0], out[0], a[1], RND);
    for (int i = 1; i < 3; i++) {
        mpfr_set_d(out[i], a[0], RND);
        printed_rule(out[i], a[1], a[2]);
    }
    mpfr_mul_ui(y, y, 2, RND);
    mpfr_sqrt(y, y, RND);
    mpfr_mul(out[1], out[1], y, RND);
    if (mpfr_inf_p(out[2])) return;
    erfc_inverse(y, a[3]);
    mpfr_mul(out[2], out[2], y, RND);
    mpfr_sqrt_ui(y, 2, RND);
    mpfr_mul(out[2], out[2], y, RND);
}

#endif
