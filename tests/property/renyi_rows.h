/* renyi_rows.h: rows of test_property_account for sums over mechanisms; uses improved() of that file. */
#ifndef SIMDP_RENYI_ROWS_H
#define SIMDP_RENYI_ROWS_H

#include "support/laws.h"

/* ---- mechanisms: order, then mechanism, parameter, count for each of three steps ---- */

enum { STEPS = 3 };

static void draw_steps(property_random *r, double *a)
{
    static const simdp_mechanism mechanisms[] = {SIMDP_MECHANISM_LAPLACE, SIMDP_MECHANISM_GAUSSIAN,
                                                 SIMDP_MECHANISM_RANDOMIZED_RESPONSE, SIMDP_MECHANISM_ZCDP};
    for (int i = 0; i < STEPS; i++) {
        double *s = a + 3 * i;
        s[0] = mechanisms[property_below(r, 4)];
        s[1] =
            s[0] == SIMDP_MECHANISM_GAUSSIAN ? property_log_uniform(r, 1e-2, 1e6) : property_log_uniform(r, 1e-8, 30);
        if (property_chance(r, 0.05)) s[1] = s[0] == SIMDP_MECHANISM_GAUSSIAN ? property_scale(r) : 0.0;
        s[2] = i == 0 ? 1.0 : (double)property_count(r, 1000000000000);
    }
}

static void steps_of(simdp_account_renyi_step *steps, const double *a)
{
    for (int i = 0; i < STEPS; i++)
        steps[i] = (simdp_account_renyi_step){law_of((simdp_mechanism)a[3 * i], a[3 * i + 1]), (int64_t)a[3 * i + 2]};
}

static mpfr_ptr truth_product(mpfr_ptr out, mpfr_ptr a, mpfr_ptr b)
{
    mpfr_mul(out, a, b, RND);
    return out;
}

/* out <- D_alpha of one mechanism */
static void divergence_of(mpfr_ptr out, double mechanism, double parameter, mpfr_ptr alpha)
{
    mpfr_ptr p = truth_number(10), a = truth_number(11), y = truth_number(12), z = truth_number(13);
    mpfr_set_d(p, parameter, RND);
    mpfr_sub_ui(a, alpha, 1, RND);
    mpfr_set_ui(out, 0, RND);
    if (parameter == 0.0) return;
    if (mechanism == SIMDP_MECHANISM_GAUSSIAN) {
        mpfr_div(out, alpha, p, RND);
        mpfr_div(out, out, p, RND);
        mpfr_div_ui(out, out, 2, RND);
    } else if (mechanism == SIMDP_MECHANISM_ZCDP) {
        mpfr_mul(out, alpha, p, RND);
    } else if (mpfr_cmp_d(truth_product(y, a, p), 1e6) > 0) { /* what is left out is below e^-1e6 */
        if (mechanism == SIMDP_MECHANISM_LAPLACE) {           /* t + ln(alpha/(2 alpha - 1))/a */
            mpfr_add(y, alpha, a, RND);
            mpfr_div(y, alpha, y, RND);
            mpfr_log(y, y, RND);
        } else { /* e - ln(1 + e^-e)/a */
            mpfr_neg(y, p, RND);
            mpfr_exp(y, y, RND);
            mpfr_log1p(y, y, RND);
            mpfr_neg(y, y, RND);
        }
        mpfr_div(y, y, a, RND);
        mpfr_add(out, y, p, RND);
    } else if (mechanism == SIMDP_MECHANISM_LAPLACE) {
        /* ln((alpha e^(a t) + a e^(-alpha t))/(2 alpha - 1))/a; 1 + the argument of log1p */
        mpfr_mul(y, a, p, RND);
        mpfr_expm1(y, y, RND);
        mpfr_mul(y, y, alpha, RND);
        mpfr_mul(z, alpha, p, RND);
        mpfr_neg(z, z, RND);
        mpfr_expm1(z, z, RND);
        mpfr_fma(y, z, a, y, RND);
        mpfr_add(z, alpha, a, RND);
        mpfr_div(y, y, z, RND);
        mpfr_log1p(y, y, RND);
        mpfr_div(out, y, a, RND);
    } else { /* ln(1 + (e^(a e) - 1)(1 - e^(-alpha e))/(1 + e^-e))/a */
        mpfr_mul(y, a, p, RND);
        mpfr_expm1(y, y, RND);
        mpfr_mul(z, alpha, p, RND);
        mpfr_neg(z, z, RND);
        mpfr_expm1(z, z, RND);
        mpfr_mul(y, y, z, RND);
        mpfr_neg(y, y, RND);
        mpfr_neg(z, p, RND);
        mpfr_exp(z, z, RND);
        mpfr_add_ui(z, z, 1, RND);
        mpfr_div(y, y, z, RND);
        mpfr_log1p(y, y, RND);
        mpfr_div(out, y, a, RND);
    }
}

static void sum_of(mpfr_ptr out, const double *a, mpfr_ptr alpha)
{
    mpfr_ptr d = truth_number(14);
    mpfr_set_ui(out, 0, RND);
    for (int i = 0; i < STEPS; i++) {
        if (a[3 * i + 2] == 0.0) continue;
        divergence_of(d, a[3 * i], a[3 * i + 1], alpha);
        mpfr_mul_d(d, d, a[3 * i + 2], RND);
        mpfr_add(out, out, d, RND);
    }
}

static void draw_compose(property_random *r, double *a)
{
    draw_steps(r, a);
    a[9] = 1.0 + (property_chance(r, 0.5) ? property_log_uniform(r, 1e-9, 1e3) : (double)(1 + property_below(r, 64)));
}
static simdp_status renyi_compose(double *out, const double *a)
{
    simdp_account_renyi_step steps[STEPS];
    steps_of(steps, a);
    return simdp_account_renyi_compose(out, &a[9], 1, steps, STEPS);
}
static void renyi_compose_truth(mpfr_t *out, const double *a)
{
    mpfr_ptr alpha = truth_number(15);
    property_exact(alpha, a[9]);
    sum_of(out[0], a, alpha);
}
static simdp_status renyi_compose_nearest(double *out, const double *a)
{
    double sum = 0.0, d;
    for (int i = 0; i < STEPS; i++) {
        const double p = a[3 * i + 1];
        simdp_status status = SIMDP_OK;
        switch ((int)a[3 * i]) {
        case SIMDP_MECHANISM_LAPLACE: status = simdp_loss_renyi(&d, &a[9], 1, law_laplace(p)); break;
        case SIMDP_MECHANISM_GAUSSIAN: status = simdp_loss_renyi(&d, &a[9], 1, law_gaussian(p)); break;
        case SIMDP_MECHANISM_RANDOMIZED_RESPONSE: status = simdp_loss_renyi(&d, &a[9], 1, law_response(p)); break;
        default: d = a[9] * p;
        }
        if (status != SIMDP_OK) return status;
        sum += d * a[3 * i + 2];
    }
    out[0] = sum;
    return SIMDP_OK;
}

/* The answer must be right for the order it names (first output), and no order does better by more than 1e-9 (second):
 * the orders tried are 1 + 2^j. */
static double named_order;

static void draw_compose_epsilon(property_random *r, double *a)
{
    draw_steps(r, a);
    a[9] = property_delta_open(r);
}
static simdp_status renyi_compose_epsilon(double *out, const double *a)
{
    simdp_account_renyi_step steps[STEPS];
    simdp_account_renyi_optimum best;
    steps_of(steps, a);
    const simdp_status status = simdp_account_renyi_compose_epsilon(&best, &a[9], 1, steps, STEPS);
    out[0] = out[1] = best.epsilon;
    named_order = best.order;
    return status;
}
/* out <- the largest loss */
static void whole_of(mpfr_ptr out, const double *a)
{
    mpfr_ptr d = truth_number(14);
    mpfr_set_ui(out, 0, RND);
    for (int i = 0; i < STEPS; i++) {
        const bool bounded = a[3 * i] == SIMDP_MECHANISM_LAPLACE || a[3 * i] == SIMDP_MECHANISM_RANDOMIZED_RESPONSE;
        if (a[3 * i + 1] == 0.0 || a[3 * i + 2] == 0.0) continue;
        mpfr_set_d(d, bounded ? a[3 * i + 1] : INFINITY, RND);
        mpfr_mul_d(d, d, a[3 * i + 2], RND);
        mpfr_add(out, out, d, RND);
    }
}
static void at_order(mpfr_ptr out, mpfr_ptr size, const double *a, double order)
{
    mpfr_ptr alpha = truth_number(15), total = truth_number(16);
    mpfr_set_ui(size, 0, RND);
    if (isinf(order)) {
        whole_of(out, a);
        return;
    }
    property_exact(alpha, order);
    sum_of(total, a, alpha);
    if (mpfr_zero_p(total)) mpfr_set_ui(out, 0, RND);
    else improved(out, size, alpha, total, a[9]);
}
static void renyi_compose_epsilon_truth(mpfr_t *out, const double *a)
{
    at_order(out[0], truth_number(17), a, named_order);
    for (int j = -30; j <= 50; j += 4) {
        at_order(truth_number(18), truth_number(17), a, 1.0 + ldexp(1.0, j));
        if (j == -30 || mpfr_cmp(truth_number(18), out[1]) < 0) mpfr_set(out[1], truth_number(18), RND);
    }
    mpfr_mul_d(out[1], out[1], 1.0 + 1e-9, RND);
    mpfr_add_d(out[1], out[1], 1e-300, RND);
    if (mpfr_cmp_d(out[1], DBL_MAX) > 0) mpfr_set_inf(out[1], 1);
}
static void compose_epsilon_slack(mpfr_t *out, const double *a)
{
    at_order(truth_number(18), out[0], a, named_order);
    mpfr_mul_ui(out[0], out[0], 64, RND);
    mpfr_set_ui(out[1], 0, RND);
}
static simdp_status renyi_compose_epsilon_coarse(double *out, const double *a)
{
    simdp_account_renyi_step steps[STEPS];
    simdp_account_renyi_optimum best = {INFINITY, NAN};
    simdp_status status = SIMDP_OK;
    steps_of(steps, a);
    for (int j = -20; j <= 20 && status == SIMDP_OK; j += 4) {
        const double order = 1.0 + 1.5 * ldexp(1.0, j);
        double divergence = NAN, epsilon = NAN;
        status = simdp_account_renyi_compose(&divergence, &order, 1, steps, STEPS);
        if (status == SIMDP_OK)
            status = simdp_account_renyi_convert(&epsilon, &order, &divergence, &a[9], 1, SIMDP_ACCOUNT_EPSILON);
        if (epsilon < best.epsilon) best = (simdp_account_renyi_optimum){epsilon, order};
    }
    out[0] = out[1] = best.epsilon;
    named_order = best.order;
    return status;
}

#endif
