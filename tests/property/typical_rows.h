/* typical_rows.h: rows of test_property_theory for typical stability. */
#ifndef SIMDP_TYPICAL_ROWS_H
#define SIMDP_TYPICAL_ROWS_H

#include "property/query_rows.h"
#include "property/typical_truth.h"

/* ---- composition: eta, tau, nu, k, slack -> eta, tau, nu, log_tau, tau_hat, psi ---- */

static void draw_nonadaptive(property_random *r, double *a)
{
    a[0] = property_chance(r, 0.02) ? INFINITY : property_epsilon(r), a[1] = property_delta(r),
    a[2] = property_delta(r);
    a[3] = (double)property_count(r, INT64_MAX / 2), a[4] = 0.5;
}
static void draw_pure(property_random *r, double *a)
{
    a[0] = property_chance(r, 0.5) ? property_log_uniform(r, 1e-7, 1) : property_epsilon(r), a[1] = 0.0;
    if (a[0] < 1e-280) a[0] = 1e-280;
    a[2] = property_chance(r, 0.1) ? 0.0 : property_delta_open(r);
    a[3] = (double)property_count(r, property_chance(r, 0.9) ? 1000000000000 : INT64_MAX / 2);
    a[4] = property_delta_open(r);
    if (property_chance(r, 0.5)) { /* totals of ordinary size: eta sqrt(2 k ln(1/slack)) about 1 to 500 */
        a[0] = property_log_uniform(r, 1, 500) / sqrt(fmax(1.0, a[3]) * -2.0 * log(a[4]) + 1.0);
        a[0] = fmin(a[0], sqrt(500.0 / fmax(1.0, a[3])));
    }
}
static void draw_approximate(property_random *r, double *a)
{
    draw_pure(r, a);
    if (a[0] > 1.5) a[0] = property_chance(r, 0.5) ? 1.5 : 1.5 * property_uniform(r);
    a[1] = property_chance(r, 0.2) ? a[0] / 50.0 : a[0] / 50.0 * property_log_uniform(r, 1e-12, 1);
    if (a[1] == 0.0) a[1] = 0x1p-1074;
    if (a[1] > a[0] / 50.0) a[0] = 1e-3, a[1] = 1e-6;
}

static simdp_status compose_by(double *out, const double *a, simdp_theory_composition theorem)
{
    simdp_theory_stability_composed t;
    const simdp_status status =
        simdp_theory_compose(&t, &(simdp_theory_stability_steps){a[0], a[1], a[2], (int64_t)a[3], a[4]}, 1, theorem);
    const double all[] = {t.eta, t.tau, t.nu, t.log_tau, t.tau_hat, t.psi};
    for (int i = 0; i < 6; i++) out[i] = all[i];
    return status;
}
static simdp_status compose_typical_nonadaptive(double *out, const double *a)
{
    return compose_by(out, a, SIMDP_THEORY_NONADAPTIVE);
}
static simdp_status compose_typical_pure(double *out, const double *a) { return compose_by(out, a, SIMDP_THEORY_PURE); }
static simdp_status compose_typical_approximate(double *out, const double *a)
{
    return compose_by(out, a, SIMDP_THEORY_APPROXIMATE);
}

static void compose_typical_nonadaptive_truth(mpfr_t *out, const double *a)
{
    for (int i = 0; i < 6; i++) mpfr_set_ui(out[i], 0, RND);
    for (int i = 0; i < 3; i++) {
        mpfr_set_d(out[i], a[i], RND);
        if (a[3] == 0.0) mpfr_set_ui(out[i], 0, RND);
        else mpfr_mul_d(out[i], out[i], a[3], RND);
    }
    mpfr_log(out[3], out[1], RND);
    truth_at_most_1(out[1]);
    truth_at_most_1(out[2]);
}
static void compose_typical_pure_truth(mpfr_t *out, const double *a) { typical_pure(out, a); }
static void compose_typical_approximate_truth(mpfr_t *out, const double *a) { typical_approximate(out, a); }

/* ln tau to 2e-13 and 2^-49 of what it is made of: ln nu, 3 eta_k and itself; tau and nu likewise */
static void typical_slack_of(mpfr_t *out, const double *a, void (*truth)(mpfr_t *, const double *))
{
    mpfr_t t[6];
    mpfr_ptr size = truth_number(30);
    for (int i = 0; i < 6; i++) mpfr_init2(t[i], PROPERTY_BITS);
    truth(t, a);
    mpfr_set_d(size, 2e-13, RND);
    for (int i = 0; i < 2; i++) {
        truth_add_size(size, t[0]);
        truth_add_size(size, t[3]);
        if (a[2] > 0.0) truth_log(truth_number(31), a[2]), truth_add_size(size, truth_number(31));
    }
    if (a[3] > 1.0) mpfr_set(out[3], size, RND);
    mpfr_expm1(size, size, RND);
    for (int i = 1; i < 3; i++) {
        mpfr_mul(out[i], size, t[i], RND);
        if (!mpfr_number_p(out[i])) mpfr_set_ui(out[i], 1, RND);
        if (a[3] <= 1.0) mpfr_set_ui(out[i], 0, RND);
    }
    for (int i = 0; i < 6; i++) mpfr_clear(t[i]);
}
static void pure_slack(mpfr_t *out, const double *a) { typical_slack_of(out, a, typical_pure); }
static void approximate_slack(mpfr_t *out, const double *a) { typical_slack_of(out, a, typical_approximate); }

/* defects: the sum over t < k with one term too few; log_tau cut with tau */
static simdp_status compose_typical_pure_short(double *out, const double *a)
{
    double fewer[5] = {a[0], a[1], a[2], a[3], a[4]}, whole[6];
    const simdp_status status = compose_typical_pure(whole, a);
    fewer[3] = fmax(0.0, a[3] - 1.0);
    if (status != SIMDP_OK || compose_typical_pure(out, fewer) != SIMDP_OK) return status;
    out[0] = whole[0];
    return SIMDP_OK;
}
static simdp_status compose_typical_nonadaptive_cut(double *out, const double *a)
{
    const simdp_status status = compose_typical_nonadaptive(out, a);
    out[3] = log(out[1]);
    return status;
}

/* ---- near independence: eta, tau, nu, p ---- */

static void draw_near_independence(property_random *r, double *a)
{
    a[0] = property_chance(r, 0.02) ? INFINITY : property_epsilon(r), a[1] = property_delta(r),
    a[2] = property_delta(r);
    a[3] = property_delta(r);
    if (property_chance(r, 0.1)) a[0] = 700 + 45 * property_uniform(r), a[1] = 0.0, a[2] = a[3] = 0x1p-1074;
}
static simdp_status near_independence(double *out, const double *a)
{
    simdp_theory_independence t;
    const simdp_status status = simdp_theory_near_independence(&t, (simdp_theory_stability){a[0], a[1], a[2]}, a[3]);
    out[0] = t.joint, out[1] = t.joint_sharp, out[2] = t.generalization, out[3] = t.generalization_sharp;
    return status;
}
static void near_independence_truth(mpfr_t *out, const double *a)
{
    for (int i = 0; i < 4; i++) {
        const double p = i < 2 ? a[3] : a[2];
        mpfr_set_d(out[i], a[0], RND);
        mpfr_exp(out[i], out[i], RND);
        if (p == 0.0) mpfr_set_ui(out[i], 0, RND);
        else mpfr_mul_d(out[i], out[i], p, RND);
        mpfr_add_d(out[i], out[i], a[1], RND);
        for (int j = 0; j < (i % 2 == 0 ? 5 : 1); j++) mpfr_add_d(out[i], out[i], a[2], RND);
        truth_at_most_1(out[i]);
    }
}
static simdp_status near_independence_early(double *out, const double *a) /* defect: e^eta overflows first */
{
    const simdp_status status = near_independence(out, a);
    if (a[3] > 0.0) out[1] = fmin(1.0, (exp(a[0]) * a[3] + a[1] + a[2]) * (1 + 0x1p-50));
    return status;
}

/* ---- adaptive accuracy: sigma, k, eta, nu, slack, beta, alpha1 -> alpha0, error, eta, log_tau, failure ---- */

static void draw_adaptive_accuracy(property_random *r, double *a)
{
    double s[5];
    draw_pure(r, s);
    a[0] = property_scale(r), a[1] = fmax(1.0, s[3]), a[2] = s[0], a[3] = s[2] == 0.0 ? 1e-9 : s[2], a[4] = s[4];
    a[5] = property_delta_open(r),
    a[6] = property_chance(r, 0.2) ? property_scale(r) : a[0] * property_log_uniform(r, 1, 60);
    if (!(a[6] > 0.0 && a[6] < INFINITY)) a[6] = 1.0;
}
static simdp_status adaptive_accuracy(double *out, const double *a)
{
    simdp_theory_accuracy t;
    const simdp_status status = simdp_theory_adaptive_accuracy(
        &t, &(simdp_theory_adaptive_setup){a[0], (int64_t)a[1], a[2], a[3], a[4], a[5], a[6]});
    out[0] = t.alpha0, out[1] = t.error, out[2] = t.eta, out[3] = t.log_tau, out[4] = t.failure;
    return status;
}
static void adaptive_accuracy_truth(mpfr_t *out, const double *a)
{
    const double steps[] = {a[2], 0.0, a[3], a[1], a[4]}, query[] = {SIMDP_THEORY_SUBGAUSSIAN, a[0], 1.0, 1.0, a[3]};
    mpfr_t total[6];
    mpfr_ptr y = truth_number(32), gamma = truth_number(33);
    for (int i = 0; i < 6; i++) mpfr_init2(total[i], PROPERTY_BITS);
    typical_pure(total, steps);
    alpha_truth(out[0], query);
    mpfr_set_d(y, a[1], RND);
    mpfr_div_d(y, y, a[5], RND);
    mpfr_log(y, y, RND);
    mpfr_mul(out[1], out[0], y, RND);
    mpfr_div_d(out[1], out[1], a[2], RND);
    mpfr_add_d(out[1], out[1], a[6], RND);
    mpfr_set(out[2], total[0], RND);
    mpfr_set(out[3], total[3], RND);
    mpfr_set_d(gamma, a[6], RND);
    mpfr_div_d(gamma, gamma, a[0], RND);
    mpfr_sqr(gamma, gamma, RND);
    mpfr_div_ui(gamma, gamma, 2, RND);
    mpfr_const_log2(y, RND);
    mpfr_sub(gamma, gamma, y, RND);
    truth_positive(gamma);
    mpfr_sub(y, total[0], gamma, RND);
    mpfr_exp(y, y, RND);
    mpfr_mul_d(y, y, a[1], RND);
    mpfr_exp(out[4], out[3], RND); /* before it is cut at 1; 0 for one step */
    mpfr_add(y, y, out[4], RND);
    if (a[1] > 1.0) mpfr_add(y, y, out[4], RND);
    else mpfr_add_d(y, y, a[3], RND);
    mpfr_add_d(out[4], y, a[5], RND);
    truth_at_most_1(out[4]);
    for (int i = 0; i < 6; i++) mpfr_clear(total[i]);
}
/* the failure knows its exponents: ln tau as above, and eta* - gamma to 2^-48 of both */
static void adaptive_accuracy_slack(mpfr_t *out, const double *a)
{
    const double steps[] = {a[2], 0.0, a[3], a[1], a[4]};
    mpfr_t t[6];
    mpfr_ptr y = truth_number(34);
    for (int i = 0; i < 6; i++) mpfr_init2(t[i], PROPERTY_BITS);
    for (int i = 0; i < 6; i++) mpfr_set_ui(t[i], 0, RND);
    typical_slack_of(t, steps, typical_pure);
    mpfr_set(out[3], t[3], RND);
    adaptive_accuracy_truth(t, a);
    mpfr_set_d(y, a[6] / a[0] * (a[6] / a[0]) / 2, RND);
    mpfr_add(y, y, t[2], RND);
    mpfr_mul_d(y, y, 0x1p-48, RND);
    mpfr_add(y, y, out[3], RND);
    mpfr_expm1(y, y, RND);
    mpfr_mul(out[4], t[4], y, RND);
    if (!mpfr_number_p(out[4])) mpfr_set_ui(out[4], 1, RND);
    for (int i = 0; i < 6; i++) mpfr_clear(t[i]);
}

/* eta, tau, nu, log_tau, tau_hat, psi */
#define TYPICAL_TOTALS(eta)                                                                         \
    {                                                                                               \
        ABOVE_ALL(eta), ABOVE_ALL(0x1p-49), ABOVE_ALL(0x1p-49), {PROPERTY_ABOVE, 0x1p-50, 0x1p-51}, \
            ABOVE_ALL(0x1p-48), ABOVE_ALL(0x1p-47)                                                  \
    }
#define TYPICAL_ROWS                                                                                                \
    PROPERTY_OF(theory_compose, compose_typical_nonadaptive, 5, 6, .draw = draw_nonadaptive,                        \
                .rule = TYPICAL_TOTALS(0x1p-50)),                                                                   \
        PROPERTY_OF(theory_compose, compose_typical_pure, 5, 6, .draw = draw_pure, .rule = TYPICAL_TOTALS(0x1p-48), \
                    .slack = pure_slack, .share = 0.02),                                                            \
        PROPERTY_OF(theory_compose, compose_typical_approximate, 5, 6, .draw = draw_approximate,                    \
                    .rule = TYPICAL_TOTALS(0x1p-46), .slack = approximate_slack, .share = 0.02),                    \
        {.name = "gamma",                                                                                           \
         .function = "theory_concentration_exponent",                                                               \
         .arguments = 5,                                                                                            \
         .outputs = 3,                                                                                              \
         .draw = draw_gamma,                                                                                        \
         .call = gamma_of,                                                                                          \
         .truth = gamma_truth,                                                                                      \
         .rule = {BELOW(0x1p-50), BELOW(0x1p-50), NEAR(0x1p-49)},                                                   \
         .slack = gamma_slack},                                                                                     \
        PROPERTY_OF(theory_typical_noise, gamma_inverse, 5, 1, .draw = draw_gamma_inverse,                          \
                    .rule = {ABOVE_ALL(0x1p-49)}),                                                                  \
        PROPERTY_OF(theory_typical_noise, typical_noise, 7, 4, .draw = draw_typical_noise,                          \
                    .rule = {ABOVE_ALL(0x1p-49), ABOVE_ALL(0x1p-49), ABOVE_ALL(0x1p-48), ABOVE_ALL(0x1p-49)}),      \
        PROPERTY_OF(theory_typical_error, typical_error, 4, 3, .draw = draw_typical_error,                          \
                    .rule = {ABOVE_ALL(0x1p-49), ABOVE_ALL(0x1p-48), ABOVE_ALL(0x1p-46)}, .share = 0.1),            \
        PROPERTY_OF(theory_near_independence, near_independence, 4, 4, .draw = draw_near_independence,              \
                    .rule = {ABOVE_ALL(0x1p-47), ABOVE_ALL(0x1p-47), ABOVE_ALL(0x1p-47), ABOVE_ALL(0x1p-47)}),      \
        PROPERTY_OF(theory_adaptive_accuracy, adaptive_accuracy, 7, 5, .draw = draw_adaptive_accuracy,              \
                    .rule = {ABOVE_ALL(0x1p-49), ABOVE_ALL(0x1p-48), ABOVE_ALL(0x1p-48), ABOVE_ALL(0x1p-50),        \
                             ABOVE_ALL(0x1p-48)},                                                                   \
                    .slack = adaptive_accuracy_slack, .share = 0.02)
#define TYPICAL_PLANTED                                                                         \
    {"one term too few", "compose_typical_pure", compose_typical_pure_short},                   \
        {"log_tau cut at 0", "compose_typical_nonadaptive", compose_typical_nonadaptive_cut},   \
        {"one tail", "gamma", gamma_one_sided}, {"rounded to nearest", "gamma", gamma_nearest}, \
    {                                                                                           \
        "e^eta first", "near_independence", near_independence_early                             \
    }

#endif
