/* test_property_account: Renyi and zero-concentrated DP against MPFR; property.h has the rules. Terms of either sign
 * are added up, so errors are relative to the sizes of the terms. */
#include <float.h>

#include "property/shorthand.h"

/* ---- arguments ---- */

/* order, divergence, and delta or epsilon */
static double draw_order(property_random *r) { return property_chance(r, 0.03) ? INFINITY : property_order(r); }

static double draw_divergence(property_random *r)
{
    if (property_chance(r, 0.05)) return 0.0;
    if (property_chance(r, 0.02)) return INFINITY;
    return property_chance(r, 0.05) ? fabs(property_number(r)) : property_epsilon(r);
}

static void draw_convert(property_random *r, double *a)
{
    a[0] = draw_order(r), a[1] = draw_divergence(r), a[2] = property_delta(r);
    if (property_chance(r, 0.2) && a[0] > 1.0 && a[0] < 1e6) { /* where the result passes 0 */
        const double x = a[0] - 1.0, log_delta = x * (fmin(a[1], 1.0) - log1p(1.0 / x)) - log1p(x);
        if (log_delta > -700.0) a[2] = fmin(1.0, property_nudge(r, exp(log_delta)));
    }
}

static void draw_curve(property_random *r, double *a)
{
    a[0] = draw_order(r), a[1] = draw_divergence(r), a[2] = property_epsilon(r);
    if (property_chance(r, 0.3) && isfinite(a[1])) a[2] = fmax(0.0, property_nudge(r, a[1]));
    if (property_chance(r, 0.02)) a[2] = INFINITY;
}

/* ---- epsilon of one order ---- */

/* out <- R + ln(1 - 1/alpha) - (ln delta + ln alpha)/(alpha - 1), size <- sizes of the terms; alpha > 1, all finite */
static void improved(mpfr_ptr out, mpfr_ptr size, mpfr_ptr alpha, mpfr_ptr divergence, double delta)
{
    mpfr_ptr x = truth_number(0), y = truth_number(1);
    mpfr_set(out, divergence, RND);
    truth_add_size(size, divergence);
    mpfr_sub_ui(x, alpha, 1, RND);
    mpfr_si_div(y, -1, alpha, RND);
    mpfr_log1p(y, y, RND);
    mpfr_add(out, out, y, RND);
    truth_add_size(size, y);
    truth_log(y, delta);
    mpfr_div(y, y, x, RND);
    mpfr_sub(out, out, y, RND);
    truth_add_size(size, y);
    mpfr_log(y, alpha, RND);
    mpfr_div(y, y, x, RND);
    mpfr_sub(out, out, y, RND);
    truth_add_size(size, y);
    truth_positive(out);
}

static void convert(mpfr_ptr out, mpfr_ptr size, const double *a)
{
    mpfr_ptr alpha = truth_number(2), divergence = truth_number(3);
    mpfr_set_d(out, a[1], RND);
    mpfr_set_ui(size, 0, RND);
    if (a[1] == 0.0 || (isinf(a[0]) && a[2] >= 0.0) || (isinf(a[1]) && a[0] > 1.0)) return;
    mpfr_set_inf(out, 1);
    if (a[0] <= 1.0 || a[2] == 0.0) return;
    property_exact(alpha, a[0]);
    property_exact(divergence, a[1]);
    improved(out, size, alpha, divergence, a[2]);
}

static simdp_status renyi_epsilon(double *out, const double *a)
{
    return simdp_account_renyi_convert(out, &a[0], &a[1], &a[2], 1, SIMDP_ACCOUNT_EPSILON);
}
static void renyi_epsilon_truth(mpfr_t *out, const double *a) { convert(out[0], truth_number(4), a); }
static void convert_slack(mpfr_t *out, const double *a) { convert(truth_number(4), out[0], a); }

/* defects: the logarithm of 1 - 1/order; rounded to nearest */
static simdp_status renyi_epsilon_cancelled(double *out, const double *a)
{
    const double x = a[0] - 1.0;
    if (!(x > 0.0) || a[1] == 0.0 || isinf(a[0]) || isinf(a[1]) || a[2] == 0.0) return renyi_epsilon(out, a);
    out[0] = fmax(0.0, (a[1] + log(1.0 - 1.0 / a[0]) - (log(a[2]) + log(a[0])) / x) * (1.0 + 0x1p-50));
    return SIMDP_OK;
}
static simdp_status renyi_epsilon_nearest(double *out, const double *a)
{
    const double x = a[0] - 1.0;
    if (!(x > 0.0) || a[1] == 0.0 || isinf(a[0]) || isinf(a[1]) || a[2] == 0.0) return renyi_epsilon(out, a);
    out[0] = fmax(0.0, a[1] - log1p(1.0 / x) - (log(a[2]) + log1p(x)) / x);
    return SIMDP_OK;
}
/* defect: a divergence of 0 like any other */
static simdp_status renyi_epsilon_of_nothing(double *out, const double *a)
{
    const double b[3] = {a[0], a[1] == 0.0 ? 0x1p-1074 : a[1], a[2]};
    return renyi_epsilon(out, b);
}

static simdp_status renyi_epsilon_classic(double *out, const double *a)
{
    return simdp_account_renyi_convert(out, &a[0], &a[1], &a[2], 1, SIMDP_ACCOUNT_EPSILON_CLASSIC);
}
static void renyi_epsilon_classic_truth(mpfr_t *out, const double *a)
{
    mpfr_ptr x = truth_number(0);
    property_exact(out[0], a[1]);
    if (a[1] == 0.0 || isinf(a[0])) return;
    mpfr_set_inf(out[0], 1);
    if (a[0] <= 1.0 || a[2] == 0.0 || isinf(a[1])) return;
    property_exact(x, a[0]);
    mpfr_sub_ui(x, x, 1, RND);
    truth_log(out[0], a[2]);
    mpfr_div(out[0], out[0], x, RND);
    mpfr_d_sub(out[0], a[1], out[0], RND);
}

/* ---- delta of one order ---- */

/* out <- min(0, (alpha-1)(R - epsilon) + alpha ln(1 - 1/alpha) - ln(alpha - 1)), size <- sizes of the two parts */
static void log_delta(mpfr_ptr out, mpfr_ptr size, const double *a)
{
    mpfr_ptr alpha = truth_number(0), x = truth_number(1), y = truth_number(2);
    mpfr_set_ui(size, 0, RND);
    mpfr_set_inf(out, -1);
    if (a[1] == 0.0 || (isinf(a[2]) && a[0] > 1.0 && isfinite(a[1]))) return;
    if (isinf(a[0]) && isfinite(a[1]) && a[1] <= a[2]) return;
    mpfr_set_ui(out, 0, RND);
    if (a[0] <= 1.0 || isinf(a[0]) || isinf(a[1])) return;
    property_exact(alpha, a[0]);
    mpfr_sub_ui(x, alpha, 1, RND);
    property_exact(out, a[1]);
    mpfr_sub_d(out, out, a[2], RND);
    mpfr_mul(out, out, x, RND);
    truth_add_size(size, out);
    mpfr_si_div(y, -1, alpha, RND);
    mpfr_log1p(y, y, RND);
    mpfr_mul(y, y, alpha, RND);
    mpfr_log(x, x, RND);
    mpfr_sub(y, y, x, RND);
    truth_add_size(size, y);
    mpfr_add(out, out, y, RND);
    if (mpfr_sgn(out) > 0) mpfr_set_ui(out, 0, RND);
    if (mpfr_cmp_d(out, -DBL_MAX) < 0) mpfr_set_d(out, -DBL_MAX, RND); /* an upper bound cannot say more */
}

static simdp_status renyi_log_delta(double *out, const double *a)
{
    return simdp_account_renyi_convert(out, &a[0], &a[1], &a[2], 1, SIMDP_ACCOUNT_LOG_DELTA);
}
static void renyi_log_delta_truth(mpfr_t *out, const double *a) { log_delta(out[0], truth_number(3), a); }
static void log_delta_slack(mpfr_t *out, const double *a) { log_delta(truth_number(3), out[0], a); }

static simdp_status renyi_delta(double *out, const double *a)
{
    return simdp_account_renyi_convert(out, &a[0], &a[1], &a[2], 1, SIMDP_ACCOUNT_DELTA);
}
static void renyi_delta_truth(mpfr_t *out, const double *a)
{
    log_delta(out[0], truth_number(3), a);
    mpfr_exp(out[0], out[0], RND);
}
static void delta_slack(mpfr_t *out, const double *a)
{
    mpfr_ptr y = truth_number(4);
    log_delta(y, out[0], a);
    mpfr_expm1(out[0], out[0], RND);
    mpfr_exp(y, y, RND);
    mpfr_mul(out[0], out[0], y, RND);
    if (!mpfr_number_p(out[0])) mpfr_set_ui(out[0], 1, RND);
}
/* defect: the difference of two large products */
static simdp_status renyi_delta_of_products(double *out, const double *a)
{
    const double x = a[0] - 1.0;
    if (!(x > 0.0) || a[1] == 0.0 || isinf(a[0]) || isinf(a[1]) || isinf(a[2])) return renyi_delta(out, a);
    const double l = x * a[1] - x * a[2] - a[0] * log1p(1.0 / x) - log(x);
    out[0] = exp(fmin(0.0, l + 0x1p-49 * fabs(l)));
    return SIMDP_OK;
}

/* ---- sums, the best of several orders ---- */

static void draw_add(property_random *r, double *a)
{
    a[0] = draw_divergence(r), a[1] = draw_divergence(r);
    a[2] = (double)property_count(r, INT64_MAX / 2);
}
static simdp_status renyi_add(double *out, const double *a)
{
    out[0] = a[0];
    return simdp_account_renyi_add(out, &a[1], 1, (int64_t)a[2]);
}
static void renyi_add_truth(mpfr_t *out, const double *a)
{
    property_exact(out[0], a[1]);
    if (a[2] == 0.0) mpfr_set_ui(out[0], 0, RND);
    else mpfr_mul_d(out[0], out[0], a[2], RND);
    mpfr_add_d(out[0], out[0], a[0], RND);
}
static simdp_status renyi_add_nearest(double *out, const double *a)
{
    out[0] = a[0] + (a[2] == 0.0 ? 0.0 : a[1] * a[2]);
    return SIMDP_OK;
}

enum { ORDERS = 5 };
static void draw_best(property_random *r, double *a)
{
    a[2 * ORDERS] = property_delta(r);
    for (int i = 0; i < ORDERS; i++) {
        a[i] = draw_order(r);
        a[ORDERS + i] = property_chance(r, 0.9) ? property_epsilon(r) : draw_divergence(r);
    }
}
static simdp_status renyi_best(double *out, const double *a)
{
    simdp_account_renyi_optimum best;
    const simdp_status status = simdp_account_renyi_best(&best, a, a + ORDERS, ORDERS, a[2 * ORDERS]);
    out[0] = best.epsilon;
    return status;
}
static void best_of(mpfr_ptr out, mpfr_ptr size, const double *a)
{
    mpfr_ptr y = truth_number(6), its_size = truth_number(7);
    for (int i = 0; i < ORDERS; i++) {
        const double one[] = {a[i], a[ORDERS + i], a[2 * ORDERS]};
        convert(y, its_size, one);
        if (i > 0 && mpfr_cmp(y, out) >= 0) continue;
        mpfr_set(out, y, RND);
        mpfr_set(size, its_size, RND);
    }
}
static void renyi_best_truth(mpfr_t *out, const double *a) { best_of(out[0], truth_number(5), a); }
static void best_slack(mpfr_t *out, const double *a) { best_of(truth_number(5), out[0], a); }

#include "property/renyi_rows.h"

/* ---- zCDP ---- */

static void draw_zcdp(property_random *r, double *a)
{
    a[0] = property_chance(r, 0.03) ? 0.0 : property_chance(r, 0.2) ? property_scale(r) : property_epsilon(r);
    if (property_chance(r, 0.02)) a[0] = property_chance(r, 0.5) ? INFINITY : 0x1p-1074;
    a[1] = property_delta(r);
}
static simdp_status zcdp_epsilon(double *out, const double *a)
{
    simdp_account_zcdp_bound bound;
    const simdp_status status = simdp_account_zcdp_epsilon(&bound, &a[0], &a[1], 1);
    out[0] = bound.epsilon, out[1] = bound.epsilon_simple, out[2] = bound.order;
    return status;
}

/* x <- the root of rho x^2 + ln(1+x) = l, by Newton's method from above, where it does not pass */
static void zcdp_root(mpfr_ptr x, mpfr_ptr rho, mpfr_ptr l)
{
    mpfr_ptr f = truth_number(0), slope = truth_number(1), y = truth_number(2), step = truth_number(3);
    mpfr_div(x, l, rho, RND);
    mpfr_sqrt(x, x, RND);
    mpfr_expm1(y, l, RND);
    if (mpfr_cmp(y, x) < 0) mpfr_set(x, y, RND);
    for (int i = 0; i < 4000; i++) {
        mpfr_log1p(f, x, RND);
        mpfr_sub(f, f, l, RND);
        mpfr_mul(y, rho, x, RND);
        mpfr_fma(f, y, x, f, RND);
        mpfr_mul_ui(y, y, 2, RND);
        mpfr_add_ui(slope, x, 1, RND);
        mpfr_ui_div(slope, 1, slope, RND);
        mpfr_add(slope, slope, y, RND);
        mpfr_div(step, f, slope, RND);
        mpfr_sub(y, x, step, RND);
        if (mpfr_sgn(y) <= 0) mpfr_div_ui(y, x, 1024, RND);
        mpfr_div(step, step, x, RND);
        mpfr_set(x, y, RND);
        if (mpfr_zero_p(step) || mpfr_get_exp(step) < -300) break;
    }
}

static void zcdp(mpfr_t *out, mpfr_ptr size, const double *a)
{
    mpfr_ptr rho = truth_number(5), l = truth_number(6), x = truth_number(7), y = truth_number(8);
    mpfr_set_ui(size, 0, RND);
    for (int i = 0; i < 3; i++) mpfr_set_inf(out[i], 1);
    property_exact(rho, a[0]);
    if (a[0] == 0.0 || a[1] == 1.0) {
        mpfr_set_ui(out[0], 0, RND);
        mpfr_set(out[1], rho, RND);
        if (a[1] > 0.0) mpfr_set_d(out[2], a[1], RND), mpfr_ui_div(out[2], 1, out[2], RND);
        return;
    }
    if (a[1] == 0.0 || isinf(a[0])) return;
    truth_log(l, a[1]);
    mpfr_neg(l, l, RND);
    mpfr_mul(y, rho, l, RND);
    mpfr_sqrt(y, y, RND);
    mpfr_mul_ui(y, y, 2, RND);
    mpfr_add(out[1], y, rho, RND);
    zcdp_root(x, rho, l);
    mpfr_add_ui(out[2], x, 1, RND);
    mpfr_mul(y, rho, out[2], RND);
    improved(out[0], size, out[2], y, a[1]);
}
static void zcdp_epsilon_truth(mpfr_t *out, const double *a) { zcdp(out, truth_number(9), a); }
static void zcdp_slack(mpfr_t *out, const double *a)
{
    mpfr_t other[3];
    for (int i = 0; i < 3; i++) mpfr_init2(other[i], PROPERTY_BITS);
    zcdp(other, out[0], a);
    for (int i = 0; i < 3; i++) mpfr_clear(other[i]);
}

/* (xi, rho)-zCDP: a = (rho, delta, xi) */
static void draw_zcdp_offset(property_random *r, double *a)
{
    draw_zcdp(r, a);
    a[2] = property_chance(r, 0.2) ? 0.0 : property_epsilon(r);
}
static simdp_status zcdp_offset_epsilon(double *out, const double *a)
{
    simdp_account_zcdp_bound bound;
    const simdp_status status = simdp_account_zcdp_offset_epsilon(&bound, &a[2], &a[0], &a[1], 1);
    out[0] = bound.epsilon, out[1] = bound.epsilon_simple, out[2] = bound.order;
    return status;
}
static void zcdp_offset_epsilon_truth(mpfr_t *out, const double *a)
{
    zcdp(out, truth_number(9), a);
    for (int i = 0; i < 2 && a[1] < 1.0; i++) mpfr_add_d(out[i], out[i], a[2], RND);
}

/* defect: the order found to three digits only */
static simdp_status zcdp_epsilon_at_square(double *out, const double *a)
{
    const simdp_status status = zcdp_epsilon(out, a);
    if (status != SIMDP_OK || !(out[0] > 0.0) || isinf(out[0])) return status;
    const double order = 1.0 + (out[2] - 1.0) * 1.001, divergence = a[0] * order;
    return order > 1.0 ? simdp_account_renyi_convert(out, &order, &divergence, &a[1], 1, SIMDP_ACCOUNT_EPSILON)
                       : SIMDP_OK;
}

static const property_row rows[] = {
    PROPERTY_OF(account_renyi_convert, renyi_epsilon, 3, 1, .draw = draw_convert, .rule = {ABOVE(0x1p-52)},
                .slack = convert_slack),
    PROPERTY_OF(account_renyi_convert, renyi_epsilon_classic, 3, 1, .draw = draw_convert,
                .rule = {{PROPERTY_ABOVE, 0x1p-50, 0x1p-1070}}),
    PROPERTY_OF(account_renyi_convert, renyi_delta, 3, 1, .draw = draw_curve,
                .rule = {{PROPERTY_ABOVE, 0x1p-50, 0x1p-1070}}, .slack = delta_slack),
    PROPERTY_OF(account_renyi_convert, renyi_log_delta, 3, 1, .draw = draw_curve, .rule = {ABOVE(0x1p-52)},
                .slack = log_delta_slack),
    PROPERTY_OF(account_renyi_add, renyi_add, 3, 1, .draw = draw_add, .rule = {{PROPERTY_ABOVE, 0x1p-50, 0x1p-1070}}),
    PROPERTY_OF(account_renyi_best, renyi_best, 2 * ORDERS + 1, 1, .draw = draw_best, .rule = {ABOVE(0x1p-52)},
                .slack = best_slack),
    PROPERTY_OF(account_renyi_compose, renyi_compose, 10, 1, .draw = draw_compose,
                .rule = {{PROPERTY_ABOVE, 1e-13, 0x1p-1060}}),
    PROPERTY_OF(account_renyi_compose_epsilon, renyi_compose_epsilon, 10, 2, .draw = draw_compose_epsilon,
                .rule = {ABOVE(1e-13), BELOW(INFINITY)}, .slack = compose_epsilon_slack, .share = 0.05),
    PROPERTY_OF(account_zcdp_epsilon, zcdp_epsilon, 2, 3, .draw = draw_zcdp,
                .rule = {ABOVE(0x1p-52), ABOVE(0x1p-49), NEAR(1e-13)}, .slack = zcdp_slack, .share = 0.2),
    PROPERTY_OF(account_zcdp_offset_epsilon, zcdp_offset_epsilon, 3, 3, .draw = draw_zcdp_offset,
                .rule = {ABOVE(0x1p-51), ABOVE(0x1p-49), NEAR(1e-13)}, .slack = zcdp_slack, .share = 0.2),
    {0},
};

static const property_planted planted[] = {
    {"ln(1 - 1/order) without log1p", "renyi_epsilon", renyi_epsilon_cancelled},
    {"rounded to nearest", "renyi_epsilon", renyi_epsilon_nearest},
    {"divergence 0 like any other", "renyi_epsilon", renyi_epsilon_of_nothing},
    {"products subtracted", "renyi_delta", renyi_delta_of_products},
    {"rounded to nearest", "renyi_add", renyi_add_nearest},
    {"rounded to nearest", "renyi_compose", renyi_compose_nearest},
    {"few orders", "renyi_compose_epsilon", renyi_compose_epsilon_coarse},
    {"the order to three digits", "zcdp_epsilon", zcdp_epsilon_at_square},
    {0},
};

int main(int argc, char **argv) { return property_main(argc, argv, rows, planted); }
