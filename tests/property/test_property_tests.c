/* test_property_tests: what tests of a hypothesis can do against a mechanism, and the Renyi curve of the best of many
 * runs, against MPFR; property.h has the rules. */
#include <math.h>

#include "property/property.h"
#include "property/truth.h"
#include "support/laws.h"

/* ---- rates of misses ---- */

static void draw_alarm(property_random *r, double *a)
{
    a[0] = property_delta(r);
    if (property_chance(r, 0.1)) a[0] = property_nudge(r, 0.5);
    if (property_chance(r, 0.1)) a[0] = property_uniform(r);
    a[0] = fmin(1.0, fmax(0.0, a[0]));
}

static void draw_alarm_t(property_random *r, double *a)
{
    draw_alarm(r, a);
    a[1] = property_epsilon(r);
    if (property_chance(r, 0.2)) a[0] = property_nudge(r, 0.5 * exp(-a[1])); /* where two branches meet */
    a[0] = fmin(1.0, fmax(0.0, a[0]));
    if (property_chance(r, 0.02)) a[1] = INFINITY;
}

static void draw_alarm_s(property_random *r, double *a)
{
    draw_alarm(r, a);
    a[1] = property_chance(r, 0.7) ? property_log_uniform(r, 0.03, 1e3) : property_scale(r);
    if (property_chance(r, 0.02)) a[1] = property_chance(r, 0.5) ? 0.0 : INFINITY;
}

static void draw_alarm_leak(property_random *r, double *a)
{
    draw_alarm_t(r, a);
    a[2] = property_chance(r, 0.3) ? 0.0 : property_delta(r);
    if (property_chance(r, 0.2)) a[0] = property_nudge(r, (1.0 - a[2]) / (1.0 + exp(a[1])));
    a[0] = fmin(1.0, fmax(0.0, a[0]));
}

static simdp_status miss_laplace(double *out, const double *a)
{
    return simdp_account_miss_rate(out, &a[0], 1, law_laplace(a[1]));
}
static simdp_status miss_gaussian(double *out, const double *a)
{
    return simdp_account_miss_rate(out, &a[0], 1, law_gaussian(a[1]));
}
static simdp_status miss_response(double *out, const double *a)
{
    return simdp_account_miss_rate(out, &a[0], 1, law_leaky(a[1], a[2]));
}

/* From the likelihood ratio: outputs of x1 = x0 + t whose loss is above a threshold raise the alarm. Below the alarm
 * rate e^-t/2 that is a part of the atom of the loss t, from 1/2 on all of the outputs between and a part of the atom of
 * -t; between them the threshold moves, and the product of both rates is e^-t/4. */
static void miss_laplace_truth(mpfr_t *out, const double *a)
{
    mpfr_ptr far = truth_number(0), alarm = truth_number(1);
    if (isinf(a[1])) {
        mpfr_set_ui(out[0], 0, RN);
        return;
    }
    property_exact(alarm, a[0]);
    mpfr_set_d(far, -a[1], RN);
    mpfr_exp(far, far, RN);
    if (a[0] >= 0.5) {
        mpfr_ui_sub(out[0], 1, alarm, RN);
        mpfr_mul(out[0], out[0], far, RN);
        return;
    }
    mpfr_div_2ui(out[0], far, 1, RN);
    const bool atom = mpfr_cmp(alarm, out[0]) <= 0;
    if (atom) mpfr_div(out[0], alarm, far, RN);
    else mpfr_div(out[0], far, alarm, RN);
    if (atom) mpfr_ui_sub(out[0], 1, out[0], RN);
    else mpfr_div_2ui(out[0], out[0], 2, RN);
}

/* z with Phi(-z) = alarm, by Newton's method on ln Phi, whose derivative is phi/Phi. */
static void normal_threshold(mpfr_ptr z, double alarm)
{
    mpfr_ptr value = truth_number(2), slope = truth_number(3), target = truth_number(4), pi = truth_number(5);
    const bool upper = alarm > 0.5; /* the smaller of both tails is looked for */
    property_exact(target, alarm);
    if (upper) mpfr_ui_sub(target, 1, target, RN);
    mpfr_log(target, target, RN);
    mpfr_const_pi(pi, RN);
    mpfr_mul_ui(pi, pi, 2, RN);
    mpfr_log(pi, pi, RN);
    mpfr_set_d(z, -sqrt(fmax(0.0, -2.0 * mpfr_get_d(target, RN) - 1.2)), RN);
    for (int turn = 0; turn < 60; turn++) {
        truth_log_normal_cdf(value, z);
        mpfr_sqr(slope, z, RN);
        mpfr_add(slope, slope, pi, RN);
        mpfr_div_si(slope, slope, -2, RN);
        mpfr_sub(slope, slope, value, RN); /* ln(phi/Phi) */
        mpfr_exp(slope, slope, RN);
        mpfr_sub(value, value, target, RN);
        mpfr_div(value, value, slope, RN);
        mpfr_sub(z, z, value, RN);
        if (mpfr_zero_p(value) || mpfr_get_exp(value) < -500) break;
    }
    if (!upper) mpfr_neg(z, z, RN);
}

static bool is_degenerate(mpfr_t out, const double *a)
{
    if (a[1] == 0.0 || a[0] == 1.0) return mpfr_set_ui(out, 0, RN), true;
    if (a[0] == 0.0) return mpfr_set_ui(out, 1, RN), true;
    if (isinf(a[1])) return mpfr_set_ui(out, 1, RN), mpfr_sub_d(out, out, a[0], RN), true;
    return false;
}

static void miss_gaussian_truth(mpfr_t *out, const double *a)
{
    mpfr_ptr z = truth_number(6), mu = truth_number(7);
    if (is_degenerate(out[0], a)) return;
    normal_threshold(z, a[0]);
    mpfr_set_ui(mu, 1, RN);
    mpfr_div_d(mu, mu, a[1], RN);
    mpfr_sub(z, z, mu, RN);
    if (mpfr_cmp_d(z, -1e6) < 0) mpfr_set_ui(out[0], 0, RN);
    else truth_normal_cdf(out[0], z);
}

static void slack_of_gaussian(mpfr_t *out, const double *a)
{
    mpfr_ptr z = truth_number(8);
    double size = 0.0;
    if (!is_degenerate(out[0], a)) {
        normal_threshold(z, a[0]);
        size = fabs(mpfr_get_d(z, RN)) + 1.0 / a[1];
    }
    miss_gaussian_truth(out, a);
    mpfr_mul_d(out[0], out[0], fmin(1e300, 0x1p-48 * (1.0 + size * size)), RN);
}

static void miss_response_truth(mpfr_t *out, const double *a)
{
    mpfr_ptr kept = truth_number(0), far = truth_number(1), flat = truth_number(2);
    if (isinf(a[1])) {
        mpfr_set_ui(out[0], 0, RN);
        return;
    }
    mpfr_set_ui(kept, 1, RN);
    mpfr_sub_d(kept, kept, a[2], RN);
    mpfr_set_d(far, a[1], RN);
    mpfr_exp(far, far, RN);
    mpfr_mul_d(out[0], far, a[0], RN);
    mpfr_sub(out[0], kept, out[0], RN);
    mpfr_sub_d(flat, kept, a[0], RN);
    mpfr_div(flat, flat, far, RN);
    mpfr_max(out[0], out[0], flat, RN);
    truth_positive(out[0]);
}

/* defects */
static simdp_status miss_gaussian_nearest(double *out, const double *a)
{
    double quantile;
    const simdp_status status = simdp_noise_quantile(&quantile, a, 1, SIMDP_MECHANISM_GAUSSIAN, 1.0);
    *out = a[1] == 0.0 ? 0.0 : 0.5 * erfc((quantile + 1.0 / a[1]) / sqrt(2.0));
    return status;
}
static simdp_status miss_laplace_other(double *out, const double *a)
{
    *out = fmax(0.0, 1.0 - exp(a[1]) * a[0]); /* pure DP's curve, which a Laplace mechanism does not reach */
    return SIMDP_OK;
}

/* ---- the best of many runs ---- */

enum { ORDERS = 4 };

static void draw_repeat(property_random *r, double *a)
{
    for (int i = 0; i < ORDERS; i++) {
        a[i] = property_chance(r, 0.1) ? INFINITY : 1.0 + property_log_uniform(r, 1e-3, 1e4);
        a[ORDERS + i] = property_chance(r, 0.1) ? 0.0 : property_log_uniform(r, 1e-8, 100.0);
    }
    static const double usual[] = {0.0, 1.0, -0.5, 2.0, 0x1p-1074, 1e-9, -1e-9};
    a[2 * ORDERS] = property_chance(r, 0.5) ? usual[property_below(r, 7)] : 6.0 * property_uniform(r) - 0.99;
    a[2 * ORDERS + 1] = property_chance(r, 0.5) ? property_log_uniform(r, 1e-200, 1.0) : property_uniform(r);
    if (!(a[2 * ORDERS + 1] < 1.0)) a[2 * ORDERS + 1] = 0.5;
}

static simdp_status renyi_repeat(double *out, const double *a)
{
    return simdp_account_renyi_repeat(out, a, a + ORDERS, ORDERS, a[2 * ORDERS], a[2 * ORDERS + 1]);
}

/* ln E[K] and, in size, its largest terms */
static void repeat_log_mean(mpfr_ptr out, mpfr_ptr size, double eta, double gamma)
{
    mpfr_ptr l = truth_number(10), part = truth_number(11);
    truth_log(l, gamma);
    mpfr_neg(l, l, RN);
    mpfr_set_d(out, -gamma, RN);
    mpfr_log1p(out, out, RN);
    mpfr_sub(size, l, out, RN);
    mpfr_add(out, out, l, RN);
    if (eta == 0.0) mpfr_log(part, l, RN);
    else {
        mpfr_mul_d(part, l, -eta, RN);
        mpfr_expm1(part, part, RN);
        mpfr_div_d(part, part, -eta, RN);
        mpfr_log(part, part, RN);
    }
    mpfr_sub(out, out, part, RN);
    mpfr_abs(part, part, RN);
    mpfr_add(size, size, part, RN);
}

/* The curve, or the sizes of its terms. */
static void repeat_curve(mpfr_t *out, const double *a, bool sizes)
{
    const double eta = a[2 * ORDERS], gamma = a[2 * ORDERS + 1];
    mpfr_ptr mean = truth_number(12), size = truth_number(13), best = truth_number(14), price = truth_number(15);
    repeat_log_mean(mean, size, eta, gamma);
    mpfr_set_inf(best, 1);
    for (int i = 0; i < ORDERS; i++) {
        truth_log(price, gamma);
        if (isinf(a[i])) mpfr_set_d(price, a[ORDERS + i], RN);
        else {
            mpfr_neg(price, price, RN);
            mpfr_sub_d(price, price, a[ORDERS + i], RN);
            mpfr_div_d(price, price, a[i], RN);
            mpfr_add_d(price, price, a[ORDERS + i], RN);
        }
        mpfr_min(best, best, price, RN);
    }
    mpfr_set_d(price, eta, RN);
    mpfr_add_ui(price, price, 1, RN);
    mpfr_mul(best, best, price, RN);
    for (int i = 0; i < ORDERS; i++) {
        mpfr_set(out[i], sizes ? size : mean, RN);
        mpfr_div_d(out[i], out[i], a[i] - 1.0, RN);
        if (isinf(a[i])) mpfr_set_ui(out[i], 0, RN);
        mpfr_add(out[i], out[i], best, RN);
        mpfr_add_d(out[i], out[i], a[ORDERS + i], RN);
        if (sizes) mpfr_mul_d(out[i], out[i], 0x1p-48, RN);
        else truth_positive(out[i]);
    }
}
static void renyi_repeat_truth(mpfr_t *out, const double *a) { repeat_curve(out, a, false); }
static void repeat_slack(mpfr_t *out, const double *a) { repeat_curve(out, a, true); }

/* defect: the price of the number of runs at the order itself, not at the best one */
static simdp_status renyi_repeat_own_order(double *out, const double *a)
{
    for (int i = 0; i < ORDERS; i++) {
        const simdp_status status =
            simdp_account_renyi_repeat(out + i, a + i, a + ORDERS + i, 1, a[2 * ORDERS], a[2 * ORDERS + 1]);
        if (status != SIMDP_OK) return status;
    }
    return SIMDP_OK;
}

static const property_row rows[] = {
    PROPERTY_OF(account_miss_rate, miss_laplace, 2, 1, .draw = draw_alarm_t, .rule = {LOWER(0x1p-49)}),
    PROPERTY_OF(account_miss_rate, miss_gaussian, 2, 1, .draw = draw_alarm_s, .rule = {{PROPERTY_BELOW, 0, 0x1p-1022}},
                .slack = slack_of_gaussian, .share = 0.03),
    PROPERTY_OF(account_miss_rate, miss_response, 3, 1, .draw = draw_alarm_leak,
                .rule = {{PROPERTY_BELOW, 0, 0x1p-50}}),
    PROPERTY_OF(account_renyi_repeat, renyi_repeat, 2 * ORDERS + 2, ORDERS, .draw = draw_repeat,
                .rule = {ABOVE(0), ABOVE(0), ABOVE(0), ABOVE(0)}, .slack = repeat_slack, .share = 0.3),
    {0},
};

static const property_planted planted[] = {
    {"rounded to nearest", "miss_gaussian", miss_gaussian_nearest},
    {"the curve of pure DP", "miss_laplace", miss_laplace_other},
    {"each order by itself", "renyi_repeat", renyi_repeat_own_order},
    {0},
};

int main(int argc, char **argv) { return property_main(argc, argv, rows, planted); }
