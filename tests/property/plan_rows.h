/* plan_rows.h: plans and guarantees of noise in units of the answer, part of test_property_calibrate.c. Arguments: target
 * epsilon, delta, sensitivity; given deviation, sensitivity, delta. */
#ifndef PLAN_ROWS_H
#define PLAN_ROWS_H

static void draw_plan(property_random *r, double *a)
{
    draw_sigma_target(r, a);
    a[2] = property_chance(r, 0.05) ? 0.0 : property_scale(r);
    if (property_chance(r, 0.1)) a[2] = 0x1p-1074;
}

static simdp_status plan(double *out, const double *a, simdp_mechanism mechanism)
{
    simdp_account_planned p;
    const simdp_status status = simdp_account_plan(&p, &(simdp_account_target){a[0], a[1], a[2]}, 1, mechanism);
    out[0] = p.scale;
    out[1] = p.standard_deviation;
    return p.epsilon == a[0] && p.delta == a[1] ? status : SIMDP_EPARAM;
}

static simdp_status plan_laplace(double *out, const double *a) { return plan(out, a, SIMDP_MECHANISM_LAPLACE); }
static simdp_status plan_gaussian(double *out, const double *a) { return plan(out, a, SIMDP_MECHANISM_GAUSSIAN); }

static void plan_laplace_truth(mpfr_t *out, const double *a)
{
    scale_laplace_truth(out, a);
    mpfr_mul_d(out[0], out[0], a[2], RN);
    if (a[2] == 0.0) mpfr_set_ui(out[0], 0, RN);
    mpfr_sqrt_ui(out[1], 2, RN);
    mpfr_mul(out[1], out[1], out[0], RN);
    if (mpfr_zero_p(out[0])) mpfr_set_ui(out[1], 0, RN);
}

static void plan_gaussian_truth(mpfr_t *out, const double *a)
{
    sigma_root(out[0], a[0], a[1]);
    mpfr_mul_d(out[0], out[0], a[2], RN);
    if (a[2] == 0.0) mpfr_set_ui(out[0], 0, RN);
    mpfr_set(out[1], out[0], RN);
}

static void slack_of_plan(mpfr_t *out, const double *a)
{
    sigma_slack(out[0], a[0], a[1]);
    mpfr_mul_d(out[0], out[0], a[2], RN);
    mpfr_set(out[1], out[0], RN);
}

static void draw_given(property_random *r, double *a)
{
    draw_delta_s(r, &a[1]); /* delta, s */
    const double delta = a[1], s = a[2];
    a[1] = property_chance(r, 0.7) ? property_log_uniform(r, 1e-3, 1e3) : property_scale(r);
    if (property_chance(r, 0.02)) a[1] = 0.0;
    a[0] = fmin(s * fmax(a[1], 0x1p-100), 0x1p1000);
    a[2] = delta;
}

static simdp_status guarantee(double *out, const double *a, simdp_mechanism mechanism)
{
    simdp_account_planned p;
    const simdp_status status = simdp_account_guarantee(&p, &(simdp_account_given){a[0], a[1], a[2]}, 1, mechanism);
    out[0] = p.epsilon;
    out[1] = p.scale;
    return p.standard_deviation == a[0] && p.delta == a[2] ? status : SIMDP_EPARAM;
}

static simdp_status guarantee_laplace(double *out, const double *a)
{
    return guarantee(out, a, SIMDP_MECHANISM_LAPLACE);
}
static simdp_status guarantee_gaussian(double *out, const double *a)
{
    return guarantee(out, a, SIMDP_MECHANISM_GAUSSIAN);
}

/* t = sensitivity sqrt 2/deviation */
static void t_of(mpfr_t out, const double *a)
{
    mpfr_sqrt_ui(out, 2, RN);
    mpfr_mul_d(out, out, a[1], RN);
    mpfr_div_d(out, out, a[0], RN);
    if (a[1] == 0.0) mpfr_set_ui(out, 0, RN);
}

static void guarantee_laplace_truth(mpfr_t *out, const double *a)
{
    t_of(out[0], a);
    saved_by(out[1], a[2]);
    mpfr_sub(out[0], out[0], out[1], RN);
    if (mpfr_sgn(out[0]) < 0) mpfr_set_ui(out[0], 0, RN);
    mpfr_sqrt_ui(out[1], 2, RN);
    mpfr_d_div(out[1], a[0], out[1], RN);
}

static void slack_of_guarantee(mpfr_t *out, const double *a)
{
    t_of(out[0], a);
    mpfr_mul_d(out[0], out[0], 12.0 * U, RN);
}

/* s is rounded down by an ulp at most: the truth is that of the double s, moved by less than 2 u mu d epsilon/d mu, and
 * d epsilon/d mu <= mu + 40 */
static void guarantee_gaussian_truth(mpfr_t *out, const double *a)
{
    const double delta_s[2] = {a[2], a[1] == 0.0 ? INFINITY : a[0] / a[1]};
    property_exact(out[1], a[0]);
    if (isinf(delta_s[1]) && (a[1] == 0.0 || a[2] > 0.0)) mpfr_set_ui(out[0], 0, RN);
    else epsilon_gaussian_truth(out, delta_s);
}

static void slack_of_guarantee_gaussian(mpfr_t *out, const double *a)
{
    const double s = a[1] == 0.0 ? INFINITY : a[0] / a[1], mu = 1.0 / s;
    slack_by_slope(out, (const double[]){a[2], s});
    mpfr_add_d(out[0], out[0], 4.0 * U * mu * (mu + 40.0), RN);
}

#endif
