/* test_property_compose: composition theorems and exact worst cases against MPFR; property.h has the rules. */
#include <math.h>

#include "property/laplace_truth.h"
#include "property/optimal_truth.h"
#include "property/property.h"

#define U 0x1p-53

static const int64_t MANY = 1000000000000;

/* -ln(1-p) and -ln p */
static void neg_log1m(mpfr_t out, double p)
{
    property_exact(out, -p);
    mpfr_log1p(out, out, RN);
    mpfr_neg(out, out, RN);
}

static void neg_log(mpfr_t out, double p)
{
    property_exact(out, p);
    mpfr_log(out, out, RN);
    mpfr_neg(out, out, RN);
}

/* 1 - e^-x */
static void one_minus_exp(mpfr_t out, mpfr_t x)
{
    mpfr_neg(out, x, RN);
    mpfr_expm1(out, out, RN);
    mpfr_neg(out, out, RN);
}

static void at_most_one(mpfr_t x)
{
    if (mpfr_cmp_ui(x, 1) > 0) mpfr_set_ui(x, 1, RN);
}

/* ---- formulas: epsilon, delta, k, slack ---- */

static void draw_steps(property_random *r, double *a)
{
    a[0] = property_epsilon(r);
    a[1] = property_chance(r, 0.3) ? 0.0 : property_delta(r);
    a[2] = (double)property_count(r, property_chance(r, 0.05) ? (int64_t)1 << 62 : MANY);
    a[3] = property_delta(r);
    /* k delta near 1 */
    if (property_chance(r, 0.2) && a[2] > 0.0) a[1] = fmin(1.0, fabs(property_nudge(r, 1.0 / a[2])));
}

static void draw_pure_steps(property_random *r, double *a)
{
    draw_steps(r, a);
    a[1] = 0.0;
}

static simdp_status composed(double *out, const double *a, simdp_account_bound bound)
{
    simdp_account_composed total;
    const simdp_status status =
        simdp_account_compose(&total, &(simdp_account_steps){a[0], a[1], (int64_t)a[2], a[3]}, 1, bound);
    out[0] = total.epsilon;
    out[1] = total.delta;
    out[2] = total.delta_sharp;
    return status;
}

#define THEOREM(name, bound) \
    static simdp_status name(double *out, const double *a) { return composed(out, a, SIMDP_ACCOUNT_BOUND_##bound); }
THEOREM(compose_basic, BASIC)
THEOREM(compose_azuma, AZUMA)
THEOREM(compose_azuma_approximate, AZUMA_APPROXIMATE)
THEOREM(compose_advanced, ADVANCED)
THEOREM(compose_strong, STRONG)
THEOREM(compose_bounded_range, BOUNDED_RANGE)

/* out[0] = k epsilon mean + epsilon sqrt(factor k log_inverse); mean is overwritten. out[1], out[2]: the slack */
static void total_epsilon(mpfr_t *out, const double *a, mpfr_t mean, double factor, mpfr_t log_inverse)
{
    property_exact(out[1], a[3]);
    property_exact(out[2], a[3]);
    mpfr_set_ui(out[0], 0, RN);
    if (a[0] == 0.0 || a[2] == 0.0) return;
    mpfr_mul_d(out[0], log_inverse, a[2], RN);
    mpfr_mul_d(out[0], out[0], factor, RN);
    mpfr_sqrt(out[0], out[0], RN);
    mpfr_mul_d(mean, mean, a[2], RN);
    mpfr_add(out[0], out[0], mean, RN);
    mpfr_mul_d(out[0], out[0], a[0], RN);
}

/* 1 - (1-delta)^k (1-slack) and k delta + slack */
static void total_delta(mpfr_t *out, const double *a, double slack)
{
    mpfr_t x;
    mpfr_init2(x, PROPERTY_BITS);
    neg_log1m(x, a[1]);
    mpfr_mul_d(x, x, a[2], RN);
    neg_log1m(out[2], slack);
    if (a[2] == 0.0) mpfr_set_ui(x, 0, RN);
    mpfr_add(x, x, out[2], RN);
    one_minus_exp(out[2], x);
    property_exact(out[1], a[1]);
    mpfr_mul_d(out[1], out[1], a[2], RN);
    mpfr_add_d(out[1], out[1], slack, RN);
    at_most_one(out[1]);
    if (a[2] <= 1.0 && slack == 0.0) mpfr_set_d(out[2], a[2] * a[1], RN); /* results that are exact */
    if (a[1] == 0.0 || a[2] == 0.0) mpfr_set_d(out[2], slack, RN);
    mpfr_clear(x);
}

static void compose_basic_truth(mpfr_t *out, const double *a)
{
    property_exact(out[0], a[0]);
    mpfr_mul_d(out[0], out[0], a[2], RN);
    total_delta(out, a, 0.0);
}

static void compose_azuma_truth(mpfr_t *out, const double *a)
{
    mpfr_t mean, log_inverse;
    mpfr_inits2(PROPERTY_BITS, mean, log_inverse, (mpfr_ptr)0);
    property_exact(mean, 2.0 * a[0]);
    neg_log(log_inverse, a[3]);
    total_epsilon(out, a, mean, 2.0, log_inverse);
    mpfr_clears(mean, log_inverse, (mpfr_ptr)0);
}

static void compose_azuma_approximate_truth(mpfr_t *out, const double *a)
{
    mpfr_t mean, mass;
    mpfr_inits2(PROPERTY_BITS, mean, mass, (mpfr_ptr)0);
    property_exact(mean, 2.0 * a[0]);
    property_exact(mass, a[1]);
    mpfr_mul_d(mass, mass, a[2], RN);
    const bool vacuous = mpfr_cmp_ui(mass, 1) >= 0;
    mpfr_log(out[3 - 1], mass, RN);
    mpfr_neg(out[2], out[2], RN);
    mpfr_t log_inverse;
    mpfr_init2(log_inverse, PROPERTY_BITS);
    mpfr_set(log_inverse, out[2], RN);
    total_epsilon(out, a, mean, 2.0, log_inverse);
    mpfr_mul_ui(out[1], mass, 2, RN);
    at_most_one(out[1]);
    if (vacuous) {
        mpfr_set_ui(out[0], 0, RN);
        mpfr_set_ui(out[1], 1, RN);
    }
    mpfr_set(out[2], out[1], RN);
    mpfr_clears(mean, mass, log_inverse, (mpfr_ptr)0);
}

static void compose_advanced_truth(mpfr_t *out, const double *a)
{
    mpfr_t mean, log_inverse;
    mpfr_inits2(PROPERTY_BITS, mean, log_inverse, (mpfr_ptr)0);
    property_exact(mean, a[0]);
    mpfr_expm1(mean, mean, RN);
    neg_log(log_inverse, a[3]);
    total_epsilon(out, a, mean, 2.0, log_inverse);
    mpfr_clears(mean, log_inverse, (mpfr_ptr)0);
}

static void tanh_of_half(mpfr_t out, double e)
{
    property_exact(out, e);
    mpfr_div_ui(out, out, 2, RN);
    mpfr_tanh(out, out, RN);
}

static void compose_strong_truth(mpfr_t *out, const double *a)
{
    mpfr_t mean, log_inverse;
    mpfr_inits2(PROPERTY_BITS, mean, log_inverse, (mpfr_ptr)0);
    tanh_of_half(mean, a[0]);
    neg_log(log_inverse, a[3]);
    total_epsilon(out, a, mean, 2.0, log_inverse);
    total_delta(out, a, a[3]);
    mpfr_clears(mean, log_inverse, (mpfr_ptr)0);
}

/* kappa = ln((e^epsilon - 1)/epsilon) - 1 + epsilon/(e^epsilon - 1) */
static void kappa(mpfr_t out, double epsilon)
{
    mpfr_t rest, part;
    mpfr_inits2(3200, rest, part, (mpfr_ptr)0);
    property_exact(part, epsilon);
    mpfr_expm1(rest, part, RN);
    mpfr_div(part, part, rest, RN);
    mpfr_log(rest, part, RN);
    mpfr_sub(rest, part, rest, RN);
    mpfr_sub_ui(out, rest, 1, RN);
    if (epsilon == 0.0) mpfr_set_ui(out, 0, RN);
    mpfr_clears(rest, part, (mpfr_ptr)0);
}

static void compose_bounded_range_truth(mpfr_t *out, const double *a)
{
    mpfr_t mean, log_inverse;
    mpfr_inits2(PROPERTY_BITS, mean, log_inverse, (mpfr_ptr)0);
    kappa(mean, a[0]);
    if (a[0] > 0.0) mpfr_div_d(mean, mean, a[0], RN);
    neg_log(log_inverse, a[3]);
    total_epsilon(out, a, mean, 0.5, log_inverse);
    mpfr_clears(mean, log_inverse, (mpfr_ptr)0);
}

static void draw_epsilon(property_random *r, double *a)
{
    a[0] = property_chance(r, 0.3) ? property_log_uniform(r, 0.1, 50.0) : property_epsilon(r);
}
static simdp_status bounded_range_mean(double *out, const double *a)
{
    return simdp_account_bounded_range_mean(out, a, 1);
}
static void bounded_range_mean_truth(mpfr_t *out, const double *a) { kappa(out[0], a[0]); }

/* defect: the formula as it stands, whose terms cancel */
static simdp_status bounded_range_mean_cancelled(double *out, const double *a)
{
    out[0] = a[0] > 0.7 ? log(expm1(a[0]) / a[0]) - 1.0 + a[0] / expm1(a[0]) : a[0] * a[0] / 8.0;
    return SIMDP_OK;
}

/* defect: the product of k and epsilon rounded to nearest */
static simdp_status compose_basic_nearest(double *out, const double *a)
{
    const simdp_status status = compose_basic(out, a);
    out[0] = a[2] * a[0];
    return status;
}

/* ---- the step that strong composition allows ---- */

static void draw_total(property_random *r, double *a)
{
    draw_steps(r, a);
    if (property_chance(r, 0.3)) a[0] = property_log_uniform(r, 1e-3, 1e6);
}

static simdp_status compose_strong_inverse(double *out, const double *a)
{
    return simdp_account_compose_inverse(out, &(simdp_account_steps){a[0], 0.0, (int64_t)a[2], a[3]}, 1);
}

/* k e tanh(e/2) + c e in e, and its slope */
static void strong_total(mpfr_t value, mpfr_t slope, mpfr_t e, double k, mpfr_t c)
{
    mpfr_t half;
    mpfr_init2(half, PROPERTY_BITS);
    mpfr_div_ui(half, e, 2, RN);
    mpfr_tanh(value, half, RN);
    mpfr_sqr(slope, value, RN);
    mpfr_ui_sub(slope, 1, slope, RN);
    mpfr_mul(slope, slope, half, RN);
    mpfr_add(slope, slope, value, RN);
    mpfr_mul_d(slope, slope, k, RN);
    mpfr_add(slope, slope, c, RN);
    mpfr_mul_d(value, value, k, RN);
    mpfr_add(value, value, c, RN);
    mpfr_mul(value, value, e, RN);
    mpfr_clear(half);
}

/* Newton in ln e, where the logarithm of the total has a slope between 1 and 2 */
static void compose_strong_inverse_truth(mpfr_t *out, const double *a)
{
    const double target = a[0], k = a[2];
    mpfr_t c, value, slope;
    mpfr_set_inf(out[0], 1);
    if (k == 0.0) return;
    mpfr_set_ui(out[0], 0, RN);
    if (target == 0.0) return;
    mpfr_inits2(PROPERTY_BITS, c, value, slope, (mpfr_ptr)0);
    neg_log(c, a[3]);
    mpfr_mul_d(c, c, k, RN);
    mpfr_mul_ui(c, c, 2, RN);
    mpfr_sqrt(c, c, RN);
    if (a[3] > 0.0) {
        mpfr_set_ui(out[0], 1, RN);
        for (int i = 0; i < 60; i++) {
            strong_total(value, slope, out[0], k, c);
            mpfr_mul(slope, slope, out[0], RN);
            mpfr_div(slope, slope, value, RN);
            mpfr_d_div(value, target, value, RN);
            mpfr_log(value, value, RN);
            mpfr_div(value, value, slope, RN);
            mpfr_exp(slope, value, RN);
            mpfr_mul(out[0], out[0], slope, RN);
            if (mpfr_zero_p(value) || mpfr_get_exp(value) < -500) break;
        }
    }
    property_exact(value, target);
    mpfr_div_d(value, value, k, RN);
    if (mpfr_cmp(value, out[0]) > 0) mpfr_set(out[0], value, RN);
    for (int i = 0; i < 40; i++) mpfr_nextabove(out[0]); /* results may be exact, and this is rounded */
    mpfr_clears(c, value, slope, (mpfr_ptr)0);
}

/* ---- steps that differ: slack, their number, then epsilon and delta of each ---- */

static void draw_mixed(property_random *r, double *a)
{
    const size_t n = property_below(r, 20);
    const bool tiny = property_chance(r, 0.1);
    a[0] = property_delta(r);
    a[1] = (double)n;
    for (size_t i = 0; i < n; i++) {
        a[2 + 2 * i] = tiny ? property_log_uniform(r, 0x1p-1074, 1e-150) : property_epsilon(r);
        a[3 + 2 * i] = property_chance(r, 0.5) ? 0.0 : property_delta(r);
    }
}

static simdp_status compose_heterogeneous(double *out, const double *a)
{
    simdp_account_composed basic, strong;
    const simdp_status status =
        simdp_account_compose_heterogeneous(&basic, &strong, (const simdp_privacy *)&a[2], (size_t)a[1], a[0]);
    out[0] = basic.epsilon, out[1] = basic.delta, out[2] = basic.delta_sharp;
    out[3] = strong.epsilon, out[4] = strong.delta, out[5] = strong.delta_sharp;
    return status;
}

static void compose_heterogeneous_truth(mpfr_t *out, const double *a)
{
    mpfr_t x, lost, mean;
    mpfr_inits2(2400, x, lost, mean, (mpfr_ptr)0);
    for (int j = 0; j < 6; j++) {
        mpfr_set_prec(out[j], 2400); /* sums are exact */
        mpfr_set_ui(out[j], 0, RN);
    }
    mpfr_set_ui(lost, 0, RN);
    mpfr_set_ui(mean, 0, RN);
    for (int i = 0; i < (int)a[1]; i++) {
        const double e = a[2 + 2 * i], d = a[3 + 2 * i];
        mpfr_add_d(out[0], out[0], e, RN);
        mpfr_add_d(out[1], out[1], d, RN);
        neg_log1m(x, d);
        mpfr_add(lost, lost, x, RN);
        tanh_of_half(x, e);
        mpfr_mul_d(x, x, e, RN);
        mpfr_add(mean, mean, x, RN);
        property_exact(x, e);
        mpfr_sqr(x, x, RN);
        mpfr_add(out[3], out[3], x, RN);
    }
    one_minus_exp(out[2], lost);
    if (mpfr_cmp(out[2], out[1]) > 0) mpfr_set(out[2], out[1], RN);
    neg_log(x, a[0]);
    mpfr_mul_ui(x, x, 2, RN);
    if (!mpfr_zero_p(out[3])) mpfr_mul(out[3], out[3], x, RN);
    mpfr_sqrt(out[3], out[3], RN);
    mpfr_add(out[3], out[3], mean, RN);
    mpfr_add_d(out[4], out[1], a[0], RN);
    neg_log1m(x, a[0]);
    mpfr_add(lost, lost, x, RN);
    one_minus_exp(out[5], lost);
    /* one delta alone is exact */
    if (mpfr_cmp_d(out[4], a[0]) == 0) mpfr_set_d(out[5], a[0], RN);
    at_most_one(out[1]);
    at_most_one(out[4]);
    for (int j = 0; j < 6; j++) mpfr_prec_round(out[j], PROPERTY_BITS, MPFR_RNDD);
    mpfr_clears(x, lost, mean, (mpfr_ptr)0);
}

#include "property/compose_exact_rows.h"

static const property_row rows[] = {
    PROPERTY_OF(account_compose, compose_basic, 4, 3, .draw = draw_steps,
                .rule = {UPPER(0x1p-51), UPPER(0x1p-51), UPPER(0x1p-49)}),
    PROPERTY_OF(account_compose, compose_azuma, 4, 3, .draw = draw_pure_steps,
                .rule = {UPPER(0x1p-49), NEAR(0), NEAR(0)}),
    PROPERTY_OF(account_compose, compose_azuma_approximate, 4, 3, .draw = draw_steps,
                .rule = {UPPER(0x1p-49), UPPER(0x1p-51), UPPER(0x1p-51)}),
    PROPERTY_OF(account_compose, compose_advanced, 4, 3, .draw = draw_pure_steps,
                .rule = {UPPER(0x1p-49), NEAR(0), NEAR(0)}),
    PROPERTY_OF(account_compose, compose_strong, 4, 3, .draw = draw_steps,
                .rule = {UPPER(0x1p-49), UPPER(0x1p-50), UPPER(0x1p-49)}),
    PROPERTY_OF(account_compose, compose_bounded_range, 4, 3, .draw = draw_pure_steps,
                .rule = {UPPER(0x1p-47), NEAR(0), NEAR(0)}, .share = 0.2),
    PROPERTY_OF(account_bounded_range_mean, bounded_range_mean, 1, 1, .draw = draw_epsilon, .rule = {NEAR(0x1p-49)},
                .share = 0.2),
    PROPERTY_OF(account_compose_inverse, compose_strong_inverse, 4, 1, .draw = draw_total, .rule = {LOWER(0x1p-48)},
                .share = 0.1),
    PROPERTY_OF(
        account_compose_heterogeneous, compose_heterogeneous, 42, 6, .draw = draw_mixed, .share = 0.1,
        .rule = {UPPER(0x1p-51), UPPER(0x1p-51), UPPER(0x1p-49), UPPER(0x1p-49), UPPER(0x1p-50), UPPER(0x1p-49)}),
    EXACT_ROWS,
    {0},
};

static const property_planted planted[] = {
    {"k epsilon to nearest", "compose_basic", compose_basic_nearest},
    {"terms that cancel", "bounded_range_mean", bounded_range_mean_cancelled},
    EXACT_PLANTED,
    {0},
};

int main(int argc, char **argv)
{
    exact_rows_open();
    return property_main(argc, argv, rows, planted);
}
