/* test_property_calibrate: calibration and plans against MPFR; property.h has the rules. */
#include <math.h>

#include "property/gaussian_truth.h"
#include "property/property.h"
#include "support/laws.h"

#define U 0x1p-53

/* ---- Laplace ---- */

static void draw_epsilon_t(property_random *r, double *a)
{
    a[0] = property_epsilon(r);
    a[1] = property_chance(r, 0.4) ? fabs(property_nudge(r, a[0])) : property_epsilon(r);
}

static simdp_status delta_upper_laplace(double *out, const double *a)
{
    return simdp_account_delta(out, &a[0], 1, law_laplace(a[1]));
}

static void delta_upper_laplace_truth(mpfr_t *out, const double *a)
{
    property_exact(out[0], a[0]);
    mpfr_sub_d(out[0], out[0], a[1], RN);
    mpfr_div_ui(out[0], out[0], 2, RN);
    mpfr_expm1(out[0], out[0], RN);
    mpfr_neg(out[0], out[0], RN);
    if (a[0] >= a[1]) mpfr_set_ui(out[0], 0, RN);
}

/* -2 ln(1-delta) */
static void saved_by(mpfr_t out, double delta)
{
    property_exact(out, -delta);
    mpfr_log1p(out, out, RN);
    mpfr_mul_si(out, out, -2, RN);
}

static void draw_delta_t(property_random *r, double *a)
{
    a[0] = property_delta(r);
    a[1] = property_epsilon(r);
    if (property_chance(r, 0.4) && a[0] < 1.0) a[1] = fabs(property_nudge(r, -2.0 * log1p(-a[0])));
}

static simdp_status epsilon_laplace(double *out, const double *a)
{
    return simdp_account_epsilon(out, &a[0], 1, law_laplace(a[1]));
}
static simdp_status epsilon_laplace_each(double *out, const double *a)
{
    return simdp_account_epsilon_each(out, &a[0], &a[1], 1, law_laplace(0));
}

static void epsilon_laplace_truth(mpfr_t *out, const double *a)
{
    saved_by(out[0], a[0]);
    mpfr_d_sub(out[0], a[1], out[0], RN);
    if (mpfr_sgn(out[0]) < 0) mpfr_set_ui(out[0], 0, RN);
}
#define epsilon_laplace_each_truth epsilon_laplace_truth

/* defect: log1p rounded to nearest */
static simdp_status epsilon_laplace_nearest(double *out, const double *a)
{
    out[0] = fmax(0.0, a[1] + 2.0 * log1p(-a[0]));
    return SIMDP_OK;
}

static void slack_of_t(mpfr_t *out, const double *a) { mpfr_set_d(out[0], 8.0 * U * a[1], RN); }

static void draw_target(property_random *r, double *a)
{
    a[0] = property_epsilon(r);
    a[1] = property_delta(r);
}

static simdp_status scale_laplace(double *out, const double *a)
{
    return simdp_account_noise(out, &a[0], &a[1], 1, law_laplace(0));
}

static void scale_laplace_truth(mpfr_t *out, const double *a)
{
    saved_by(out[0], a[1]);
    mpfr_add_d(out[0], out[0], a[0], RN);
    mpfr_ui_div(out[0], 1, out[0], RN);
}

/* ---- randomized response: arguments x, epsilon0 or delta, leak ---- */

static void draw_leak(property_random *r, double *delta, double *leak)
{
    *leak = property_chance(r, 0.3) ? 0.0 : property_delta(r);
    *delta = property_delta(r);
    if (property_chance(r, 0.3)) *delta = fmin(1.0, fabs(property_nudge(r, *leak)));
    if (property_chance(r, 0.3)) {
        *delta = 1.0 - property_log_uniform(r, 0x1p-53, 1e-3);
        *leak = fmin(1.0, 1.0 - (1.0 - *delta) * property_log_uniform(r, 1.0, 1e4));
        if (*leak < 0.0) *leak = 0.0;
    }
}

static void draw_response(property_random *r, double *a)
{
    draw_epsilon_t(r, a);
    a[2] = property_delta(r);
}

static simdp_status delta_upper_randomized_response(double *out, const double *a)
{
    return simdp_account_delta(out, &a[0], 1, law_leaky(a[1], a[2]));
}

/* leak + (1-leak) (1 - e^(epsilon - epsilon0))/(1 + e^-epsilon0) */
static void delta_upper_randomized_response_truth(mpfr_t *out, const double *a)
{
    mpfr_t below;
    mpfr_init2(below, 4000);
    property_exact(below, a[0]);
    mpfr_sub_d(below, below, a[1], RN);
    mpfr_expm1(below, below, RN);
    mpfr_neg(below, below, RN);
    mpfr_set_prec(out[0], 4000);
    property_exact(out[0], -a[1]);
    mpfr_exp(out[0], out[0], RN);
    mpfr_add_ui(out[0], out[0], 1, RN);
    mpfr_div(below, below, out[0], RN);
    if (a[0] >= a[1]) mpfr_set_ui(below, 0, RN);
    mpfr_mul_d(out[0], below, a[2], RN); /* 1100 bits hold 1 - leak */
    mpfr_sub(out[0], below, out[0], RN);
    mpfr_add_d(out[0], out[0], a[2], RN);
    mpfr_prec_round(out[0], PROPERTY_BITS, RN);
    mpfr_clear(below);
}

/* (delta - leak)/(1 - leak) */
static void part_of(mpfr_t out, double delta, double leak)
{
    mpfr_t rest;
    mpfr_init2(rest, 2300);
    mpfr_set_d(rest, leak, RN);
    mpfr_ui_sub(rest, 1, rest, RN);
    mpfr_set_d(out, delta, RN);
    mpfr_sub_d(out, out, leak, RN);
    mpfr_div(out, out, rest, RN);
    mpfr_clear(rest);
}

static void draw_response_delta(property_random *r, double *a)
{
    a[1] = property_epsilon(r);
    draw_leak(r, &a[0], &a[2]);
    if (property_chance(r, 0.4)) { /* near the epsilon 0 of the curve */
        const double d = tanh(0.5 * a[1]);
        a[0] = fmin(1.0, fabs(property_nudge(r, a[2] + (1.0 - a[2]) * d)));
    }
}

static simdp_status epsilon_randomized_response(double *out, const double *a)
{
    return simdp_account_epsilon(out, &a[0], 1, law_leaky(a[1], a[2]));
}

/* ln(e^epsilon0 (1 - d) - d) */
static void epsilon_randomized_response_truth(mpfr_t *out, const double *a)
{
    if (a[0] < 1.0 && (a[0] < a[2] || a[2] == 1.0)) {
        mpfr_set_inf(out[0], 1);
        return;
    }
    mpfr_t d, e;
    mpfr_inits2(4000, d, e, (mpfr_ptr)0);
    if (a[0] < 1.0) {
        part_of(d, a[0], a[2]);
        mpfr_set_d(e, a[1], RN);
        mpfr_expm1(e, e, RN);
        mpfr_mul(out[0], e, d, RN);
        mpfr_set_prec(out[0], 4000);
        mpfr_mul(out[0], e, d, RN);
        mpfr_sub(e, e, out[0], RN);
        mpfr_mul_ui(d, d, 2, RN);
        mpfr_sub(e, e, d, RN);
        if (mpfr_cmp_si(e, -1) > 0) mpfr_log1p(out[0], e, RN);
        else mpfr_set_si(out[0], -1, RN);
    } else {
        mpfr_set_si(out[0], -1, RN);
    }
    if (mpfr_sgn(out[0]) < 0) mpfr_set_ui(out[0], 0, RN);
    mpfr_prec_round(out[0], PROPERTY_BITS, RN);
    mpfr_clears(d, e, (mpfr_ptr)0);
}

static void slack_of_epsilon0(mpfr_t *out, const double *a) { mpfr_set_d(out[0], 16.0 * U * a[1], RN); }

static void draw_response_target(property_random *r, double *a)
{
    a[0] = property_epsilon(r);
    draw_leak(r, &a[1], &a[2]);
    if (a[1] < a[2]) a[1] = a[2];
}

static simdp_status epsilon0_randomized_response(double *out, const double *a)
{
    return simdp_account_noise(out, &a[0], &a[1], 1, law_leaky(0, a[2]));
}

/* ln((e^epsilon + d)/(1 - d)) = log1p((expm1(epsilon) + 2 d)/(1 - d)) */
static void epsilon0_randomized_response_truth(mpfr_t *out, const double *a)
{
    if (a[1] == 1.0) {
        mpfr_set_inf(out[0], 1);
        return;
    }
    mpfr_t d, e;
    mpfr_inits2(4000, d, e, (mpfr_ptr)0);
    part_of(d, a[1], a[2]);
    mpfr_set_d(e, a[0], RN);
    mpfr_expm1(e, e, RN);
    mpfr_add(e, e, d, RN);
    mpfr_add(e, e, d, RN);
    mpfr_ui_sub(d, 1, d, RN);
    mpfr_div(e, e, d, RN);
    mpfr_log1p(out[0], e, RN);
    mpfr_clears(d, e, (mpfr_ptr)0);
}

/* defect: ln(1-d) from d, which is near 1 */
static simdp_status epsilon0_cancelled(double *out, const double *a)
{
    const double d = (a[1] - a[2]) / (1.0 - a[2]);
    out[0] = a[1] == 1.0 ? INFINITY : (a[0] + (log1p(d * exp(-a[0])) - log1p(-d))) * (1.0 - 0x1p-51);
    return SIMDP_OK;
}

/* ---- Gaussian ---- */

static void draw_epsilon_s(property_random *r, double *a)
{
    a[0] = property_epsilon(r);
    a[1] = property_scale(r);
    /* where the standardised epsilon is of ordinary size, of either sign */
    if (property_chance(r, 0.6)) {
        const double v = 80.0 * property_uniform(r) - 40.0, root = sqrt(v * v + 2.0 * a[0]);
        a[1] = fmin(0x1p900, fmax(0x1p-900, 1.0 / (v > 0.0 ? 2.0 * a[0] / (root + v) : root - v)));
    }
    if (property_chance(r, 0.1)) a[0] = 0.0;
}

static simdp_status delta_upper_gaussian(double *out, const double *a)
{
    return simdp_account_delta(out, &a[0], 1, law_gaussian(a[1]));
}

static void delta_upper_gaussian_truth(mpfr_t *out, const double *a)
{
    mpfr_t epsilon, mu, x, y;
    mpfr_inits2(2000, epsilon, mu, x, y, (mpfr_ptr)0);
    property_exact(epsilon, a[0]);
    property_exact(mu, a[1]);
    mpfr_ui_div(mu, 1, mu, RN);
    if (mpfr_cmp_d(mu, 0x1p30) > 0 && mpfr_cmp_d(epsilon, 1000) < 0) mpfr_set_ui(out[0], 1, RN); /* less e^(-2^56) */
    else if (!truth_gaussian(out[0], x, y, epsilon, mu)) mpfr_set_ui_2exp(out[0], 1, -4000, RN);
    mpfr_clears(epsilon, mu, x, y, (mpfr_ptr)0);
}

static simdp_status delta_upper_gaussian_nearest(double *out, const double *a)
{
    return simdp_delta_gaussian(out, &a[0], 1, a[1]);
}

/* delta, s: of a point on the curve, or beside it by an ulp, or at its end epsilon = 0 */
static void draw_delta_s(property_random *r, double *a)
{
    double epsilon_s[2];
    draw_epsilon_s(r, epsilon_s);
    if (property_chance(r, 0.3)) epsilon_s[0] = 0.0;
    a[1] = epsilon_s[1];
    if (property_chance(r, 0.3) || simdp_delta_gaussian(&a[0], &epsilon_s[0], 1, a[1]) != SIMDP_OK) {
        a[0] = property_delta(r);
        return;
    }
    a[0] = fmin(1.0, fabs(property_nudge(r, a[0])));
}

static simdp_status epsilon_gaussian(double *out, const double *a)
{
    return simdp_account_epsilon(out, &a[0], 1, law_gaussian(a[1]));
}
static simdp_status epsilon_gaussian_each(double *out, const double *a)
{
    return simdp_account_epsilon_each(out, &a[0], &a[1], 1, law_gaussian(0));
}

static mpfr_t last_slope; /* of ln delta at the last root */

/* erf(1/(2 sqrt 2 s)): the curve at 0 */
static void delta_at_zero(mpfr_t out, double s)
{
    mpfr_sqrt_ui(out, 8, RN);
    mpfr_mul_d(out, out, s, RN);
    mpfr_ui_div(out, 1, out, RN);
    mpfr_erf(out, out, RN);
}

/* d ln delta/d epsilon there: -Phi(-1/(2s))/delta */
static void slope_at_zero(mpfr_t out, double s, double delta)
{
    mpfr_sqrt_ui(out, 8, RN);
    mpfr_mul_d(out, out, s, RN);
    mpfr_ui_div(out, 1, out, RN);
    mpfr_erfc(out, out, RN);
    mpfr_div_si(out, out, -2, RN);
    mpfr_div_d(out, out, delta, RN);
}

static void epsilon_gaussian_truth(mpfr_t *out, const double *a)
{
    double guess = NAN;
    mpfr_set_inf(last_slope, 1);
    mpfr_set_inf(out[0], 1);
    if (a[0] == 0.0) return;
    if (a[1] < 0x1p30 && a[0] == 1.0) mpfr_set_ui(out[0], 1, RN);
    else delta_at_zero(out[0], a[1]);
    if (mpfr_cmp_d(out[0], a[0]) <= 0) {
        slope_at_zero(last_slope, a[1], a[0]);
        mpfr_set_ui(out[0], 0, RN);
        return;
    }
    if (simdp_account_epsilon(&guess, &a[0], 1, law_gaussian(a[1])) != SIMDP_OK) guess = NAN;
    mpfr_set_inf(out[0], 1);
    if (a[1] < 0x1p-520) return; /* about 1/(2 s^2) */
    if (a[1] < 0x1p-10) truth_gaussian_far_guess(out[0], a[1], a[0]);
    else property_exact(out[0], guess);
    truth_gaussian_root(out[0], last_slope, false, a[1], a[0]);
}
#define epsilon_gaussian_each_truth epsilon_gaussian_truth

/* what the curve does not tell: 100 u of its logarithm, and no more than 100 u where that is small */
static void slack_by_slope(mpfr_t *out, const double *a)
{
    const double log_delta = fabs(log(a[0]));
    mpfr_set_d(out[0], U * (120.0 * fmin(1.0, log_delta) + 30.0 * log_delta), RN);
    mpfr_div(out[0], out[0], last_slope, RN);
    mpfr_abs(out[0], out[0], RN);
    if (!mpfr_number_p(out[0])) mpfr_set_ui(out[0], 0, RN);
}

static simdp_status epsilon_gaussian_low(double *out, const double *a)
{
    const simdp_status status = simdp_account_epsilon(out, &a[0], 1, law_gaussian(a[1]));
    if (out[0] < 1e-12) out[0] = 0.0;
    return status;
}

static void draw_sigma_target(property_random *r, double *a)
{
    draw_target(r, a);
    if (property_chance(r, 0.1)) a[0] = 0.0;
    if (property_chance(r, 0.2)) { /* both tiny */
        a[0] = property_log_uniform(r, 0x1p-1022, 1e-280);
        a[1] = property_log_uniform(r, 0x1p-1022, 1e-280);
    }
    if (property_chance(r, 0.02)) a[0] = INFINITY;
}

static simdp_status sigma_gaussian(double *out, const double *a)
{
    return simdp_account_noise(out, &a[0], &a[1], 1, law_gaussian(0));
}

/* 1/mu, mu the root; for what overflows the curve is homogeneous, up to mu of itself */
static void sigma_root(mpfr_t out, double epsilon, double delta)
{
    double guess = NAN;
    mpfr_set_ui(last_slope, 1, RN);
    mpfr_set_ui(out, 0, RN);
    if (delta == 1.0 || isinf(epsilon)) return;
    mpfr_set_inf(out, 1);
    if (delta == 0.0) return;
    const int lift = fmax(epsilon, delta) < 1e-200 ? 500 : 0;
    const double e = ldexp(epsilon, lift), d = ldexp(delta, lift);
    if (simdp_account_noise(&guess, &e, &d, 1, law_gaussian(0)) != SIMDP_OK) guess = NAN;
    property_exact(out, 1.0 / guess);
    truth_gaussian_root(out, last_slope, true, e, d);
    mpfr_mul(last_slope, last_slope, out, RN); /* of ln delta in ln mu */
    mpfr_ui_div(out, 1, out, RN);
    mpfr_mul_2si(out, out, lift, RN);
}

static void sigma_gaussian_truth(mpfr_t *out, const double *a) { sigma_root(out[0], a[0], a[1]); }

static void sigma_slack(mpfr_t out, double epsilon, double delta)
{
    const double log_delta = fabs(log(delta));
    sigma_root(out, epsilon, delta);
    mpfr_mul_d(out, out, U * (120.0 * fmin(1.0, log_delta) + 30.0 * log_delta), RN);
    mpfr_div(out, out, last_slope, RN);
    if (!mpfr_number_p(out)) mpfr_set_ui(out, 0, RN);
}

static void slack_of_sigma(mpfr_t *out, const double *a) { sigma_slack(out[0], a[0], a[1]); }

/* mu of Gaussian DP, 1/sigma; relative errors are those of sigma */
static simdp_status gdp_mu(double *out, const double *a) { return simdp_account_gdp_mu(out, &a[0], &a[1], 1); }
static void gdp_mu_truth(mpfr_t *out, const double *a)
{
    sigma_root(out[0], a[0], a[1]);
    mpfr_ui_div(out[0], 1, out[0], RN);
}
static void slack_of_mu(mpfr_t *out, const double *a)
{
    mpfr_t sigma;
    mpfr_init2(sigma, PROPERTY_BITS);
    sigma_slack(out[0], a[0], a[1]);
    sigma_root(sigma, a[0], a[1]);
    mpfr_sqr(sigma, sigma, RN);
    mpfr_div(out[0], out[0], sigma, RN);
    if (!mpfr_number_p(out[0])) mpfr_set_ui(out[0], 0, RN);
    mpfr_clear(sigma);
}

/* ---- composition of Gaussians: count, then sigma and count of each ---- */

static void draw_gaussians(property_random *r, double *a)
{
    const size_t n = property_below(r, 9);
    a[0] = (double)n;
    const double base = property_scale(r);
    for (size_t i = 0; i < n; i++) {
        a[1 + 2 * i] = property_chance(r, 0.5) ? base * property_log_uniform(r, 0.1, 10) : property_scale(r);
        if (property_chance(r, 0.05)) a[1 + 2 * i] = property_chance(r, 0.5) ? INFINITY : 0x1p-1074;
        a[2 + 2 * i] = (double)property_count(r, 1000000000000);
    }
}

static simdp_status compose_gaussian(double *out, const double *a)
{
    double steps[9];
    int64_t counts[9];
    for (int i = 0; i < (int)a[0]; i++) steps[i] = a[1 + 2 * i], counts[i] = (int64_t)a[2 + 2 * i];
    return simdp_account_compose_gaussian(out, steps, counts, (size_t)a[0]);
}

static void compose_gaussian_truth(mpfr_t *out, const double *a)
{
    mpfr_t term;
    mpfr_init2(term, PROPERTY_BITS);
    mpfr_set_ui(out[0], 0, RN);
    for (int i = 0; i < (int)a[0]; i++) {
        property_exact(term, a[1 + 2 * i]);
        mpfr_ui_div(term, 1, term, RN);
        mpfr_sqr(term, term, RN);
        mpfr_mul_d(term, term, a[2 + 2 * i], RN);
        mpfr_add(out[0], out[0], term, RN);
    }
    mpfr_rec_sqrt(out[0], out[0], RN);
    for (int i = 0; i < 40; i++) mpfr_nextabove(out[0]); /* results may be exact, and this is rounded */
    mpfr_clear(term);
}

/* ---- plans ---- */

#include "property/plan_rows.h" /* needs the truths above */

static const property_row rows[] = {
    PROPERTY_OF(account_delta, delta_upper_laplace, 2, 1, .draw = draw_epsilon_t, .rule = {UPPER(0x1p-50)}),
    PROPERTY_OF(account_epsilon, epsilon_laplace, 2, 1, .draw = draw_delta_t, .rule = {UPPER(0x1p-52)},
                .slack = slack_of_t),
    PROPERTY_OF(account_epsilon_each, epsilon_laplace_each, 2, 1, .draw = draw_delta_t, .rule = {UPPER(0x1p-52)},
                .slack = slack_of_t),
    PROPERTY_OF(account_noise, scale_laplace, 2, 1, .draw = draw_target, .rule = {UPPER(0x1p-50)}),
    PROPERTY_OF(account_delta, delta_upper_randomized_response, 3, 1, .draw = draw_response, .rule = {UPPER(0x1p-49)},
                .share = 0.3),
    PROPERTY_OF(account_epsilon, epsilon_randomized_response, 3, 1, .draw = draw_response_delta,
                .rule = {UPPER(0x1p-52)}, .slack = slack_of_epsilon0, .share = 0.2),
    PROPERTY_OF(account_noise, epsilon0_randomized_response, 3, 1, .draw = draw_response_target,
                .rule = {LOWER(0x1p-49)}, .share = 0.2),
    PROPERTY_OF(account_delta, delta_upper_gaussian, 2, 1, .draw = draw_epsilon_s, .rule = {UPPER(96 * U)},
                .share = 0.1),
    PROPERTY_OF(account_epsilon, epsilon_gaussian, 2, 1, .draw = draw_delta_s, .rule = {UPPER(32 * U)}, .share = 0.05,
                .slack = slack_by_slope),
    PROPERTY_OF(account_epsilon_each, epsilon_gaussian_each, 2, 1, .draw = draw_delta_s, .rule = {UPPER(32 * U)},
                .share = 0.01, .slack = slack_by_slope),
    PROPERTY_OF(account_noise, sigma_gaussian, 2, 1, .draw = draw_sigma_target, .rule = {UPPER(8 * U)}, .share = 0.03,
                .slack = slack_of_sigma),
    PROPERTY_OF(account_gdp_mu, gdp_mu, 2, 1, .draw = draw_sigma_target, .rule = {LOWER(10 * U)}, .share = 0.02,
                .slack = slack_of_mu),
    PROPERTY_OF(account_compose_gaussian, compose_gaussian, 20, 1, .draw = draw_gaussians, .rule = {LOWER(0x1p-50)}),
    PROPERTY_OF(account_plan, plan_laplace, 3, 2, .draw = draw_plan, .rule = {UPPER(0x1p-49), UPPER(0x1p-49)}),
    PROPERTY_OF(account_plan, plan_gaussian, 3, 2, .draw = draw_plan, .rule = {UPPER(8 * U), UPPER(8 * U)},
                .share = 0.02, .slack = slack_of_plan),
    PROPERTY_OF(account_guarantee, guarantee_laplace, 3, 2, .draw = draw_given,
                .rule = {UPPER(0x1p-50), {PROPERTY_NEAR, 0x1p-52, 0x1p-1074}}, .slack = slack_of_guarantee),
    PROPERTY_OF(account_guarantee, guarantee_gaussian, 3, 2, .draw = draw_given, .share = 0.03,
                .rule = {{PROPERTY_NEAR, 32 * U, 6 * 0x1p-1074}, NEAR(0)}, .slack = slack_of_guarantee_gaussian),
    {0},
};

static const property_planted planted[] = {
    {"nearest instead of upward", "epsilon_laplace", epsilon_laplace_nearest},
    {"nearest instead of upward", "delta_upper_gaussian", delta_upper_gaussian_nearest},
    {"tiny results read 0", "epsilon_gaussian", epsilon_gaussian_low},
    {"1 - d of a rounded d", "epsilon0_randomized_response", epsilon0_cancelled},
    {0},
};

int main(int argc, char **argv)
{
    mpfr_init2(last_slope, PROPERTY_BITS);
    return property_main(argc, argv, rows, planted);
}
