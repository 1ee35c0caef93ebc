/* test_property_reports: probabilities and promises of local reports against MPFR; property.h has the rules. */
#include <math.h>

#include "property/property.h"

/* ---- one value among k ---- */

static void draw_k(property_random *r, double *a)
{
    a[0] = property_epsilon(r);
    if (property_chance(r, 0.02)) a[0] = property_chance(r, 0.5) ? 0.0 : INFINITY;
    a[1] = property_chance(r, 0.5) ? 1.0 + (double)property_below(r, 40) : 1.0 + (double)property_below(r, UINT32_MAX);
}

static simdp_status loss_k_response_probabilities(double *out, const double *a)
{
    return simdp_loss_k_response_probabilities(&out[0], &out[1], &a[0], 1, (uint32_t)a[1]);
}

static void loss_k_response_probabilities_truth(mpfr_t *out, const double *a)
{
    property_exact(out[1], -a[0]);
    mpfr_exp(out[1], out[1], MPFR_RNDN);
    mpfr_mul_d(out[0], out[1], a[1] - 1.0, MPFR_RNDN);
    mpfr_add_ui(out[0], out[0], 1, MPFR_RNDN);
    mpfr_div(out[1], out[1], out[0], MPFR_RNDN);
    mpfr_ui_div(out[0], 1, out[0], MPFR_RNDN);
}

/* ---- log-odds ---- */

/* Not beyond 1000 in size: MPFR's numbers below have digits enough for chances down to e^-4000. */
static double log_odds(property_random *r)
{
    const double size = property_chance(r, 0.05)   ? property_log_uniform(r, 0x1p-1074, 1000)
                        : property_chance(r, 0.05) ? 0.0
                        : property_chance(r, 0.3)  ? property_epsilon(r)
                                                   : property_log_uniform(r, 1e-3, 40);
    return property_chance(r, 0.5) ? size : -size;
}

static void draw_log_odds(property_random *r, double *a)
{
    a[0] = log_odds(r);
    a[1] = property_chance(r, 0.2) ? -a[0] : property_chance(r, 0.2) ? property_nudge(r, a[0]) : log_odds(r);
    a[2] = log_odds(r);
    a[3] = property_chance(r, 0.2) ? -a[2] : log_odds(r);
}

/* out = 1 / (1 + e^-x) */
static void chance_of(mpfr_t out, double x)
{
    property_exact(out, -x);
    mpfr_exp(out, out, MPFR_RNDN);
    mpfr_add_ui(out, out, 1, MPFR_RNDN);
    mpfr_ui_div(out, 1, out, MPFR_RNDN);
}

/* What roundings of this size are worth: 2^exponent (1 + the sizes of `count` log-odds). */
static void slack_of(mpfr_t out, const double *a, size_t count, int exponent)
{
    property_exact(out, 1.0);
    for (size_t i = 0; i < count; i++) mpfr_add_d(out, out, fabs(a[i]), MPFR_RNDN);
    mpfr_mul_2si(out, out, exponent, MPFR_RNDN);
}

static simdp_status loss_unary_epsilon(double *out, const double *a)
{
    return simdp_loss_unary_epsilon(out, &a[0], &a[1], 1);
}

static void loss_unary_epsilon_truth(mpfr_t *out, const double *a)
{
    mpfr_t other;
    mpfr_init2(other, 4 * PROPERTY_BITS);
    mpfr_set_prec(out[0], 4 * PROPERTY_BITS);
    property_exact(out[0], a[0]);
    property_exact(other, a[1]);
    mpfr_sub(out[0], out[0], other, MPFR_RNDN);
    mpfr_abs(out[0], out[0], MPFR_RNDN);
    mpfr_clear(other);
}

static simdp_status loss_unary_bit_epsilon(double *out, const double *a)
{
    return simdp_loss_unary_bit_epsilon(out, &a[0], &a[1], 1);
}

/* The larger one of |ln p / q| and |ln (1 - p) / (1 - q)|. */
static void loss_unary_bit_epsilon_truth(mpfr_t *out, const double *a)
{
    mpfr_t ratio, other;
    mpfr_inits2(4096, ratio, other, (mpfr_ptr)NULL);
    for (int sign = 0; sign < 2; sign++) {
        chance_of(ratio, sign ? -a[0] : a[0]);
        chance_of(other, sign ? -a[1] : a[1]);
        mpfr_div(ratio, ratio, other, MPFR_RNDN);
        mpfr_log(ratio, ratio, MPFR_RNDN);
        mpfr_abs(ratio, ratio, MPFR_RNDN);
        if (sign == 0 || mpfr_cmp(ratio, out[0]) > 0) mpfr_set(out[0], ratio, MPFR_RNDN);
    }
    mpfr_clears(ratio, other, (mpfr_ptr)NULL);
}

static void bit_slack(mpfr_t *out, const double *a) { slack_of(out[0], a, 2, -46); }

/* The log-odds of what two stages make of a bit. */
static void joined_truth(mpfr_t out, double first, double one, double zero)
{
    mpfr_t p, made, not_made, x;
    mpfr_inits2(8192, p, made, not_made, x, (mpfr_ptr)NULL);
    mpfr_set_ui(made, 0, MPFR_RNDN);
    mpfr_set_ui(not_made, 0, MPFR_RNDN);
    for (int bit = 0; bit < 2; bit++) {
        chance_of(p, bit ? first : -first);
        chance_of(x, bit ? one : zero);
        mpfr_fma(made, p, x, made, MPFR_RNDN);
        chance_of(x, bit ? -one : -zero);
        mpfr_fma(not_made, p, x, not_made, MPFR_RNDN);
    }
    mpfr_div(made, made, not_made, MPFR_RNDN);
    mpfr_log(out, made, MPFR_RNDN);
    mpfr_clears(p, made, not_made, x, (mpfr_ptr)NULL);
}

static simdp_status loss_unary_joined(double *out, const double *a)
{
    return simdp_loss_unary_joined(&out[0], &out[1], &a[0], &a[1], 1, a[2], a[3]);
}

static void loss_unary_joined_truth(mpfr_t *out, const double *a)
{
    joined_truth(out[0], a[0], a[2], a[3]);
    joined_truth(out[1], a[1], a[2], a[3]);
}

static void joined_slack(mpfr_t *out, const double *a)
{
    for (int i = 0; i < 2; i++) slack_of(out[i], a, 4, -48);
}

static simdp_status loss_unary_report_epsilon(double *out, const double *a)
{
    return simdp_loss_unary_report_epsilon(out, &a[0], &a[1], 1, a[2], a[3]);
}

static void loss_unary_report_epsilon_truth(mpfr_t *out, const double *a)
{
    mpfr_t other;
    mpfr_init2(other, 8192);
    mpfr_set_prec(out[0], 8192);
    joined_truth(out[0], a[0], a[2], a[3]);
    joined_truth(other, a[1], a[2], a[3]);
    mpfr_sub(out[0], out[0], other, MPFR_RNDN);
    mpfr_abs(out[0], out[0], MPFR_RNDN);
    mpfr_clear(other);
}

static void report_slack(mpfr_t *out, const double *a) { slack_of(out[0], a, 4, -45); }

/* ---- defects ---- */

/* the chance of others is that of the one that is kept, shared */
static simdp_status k_response_off_by_one(double *out, const double *a)
{
    const simdp_status status = loss_k_response_probabilities(out, a);
    out[1] = (1.0 - out[0]) / a[1];
    return status;
}

static simdp_status unary_to_nearest(double *out, const double *a)
{
    out[0] = fabs(a[0] - a[1]);
    return SIMDP_OK;
}

/* the log ratio of ones alone */
static simdp_status bit_of_ones(double *out, const double *a)
{
    out[0] = fabs(log1p(exp(-a[1])) - log1p(exp(-a[0])));
    return SIMDP_OK;
}

/* the stages one after the other cost what the second costs */
static simdp_status report_of_second(double *out, const double *a)
{
    out[0] = 0.999 * fabs(a[2] - a[3]);
    return SIMDP_OK;
}

static const property_row rows[] = {
    PROPERTY(loss_k_response_probabilities, 2, 2, .draw = draw_k, .rule = {NEAR(2e-15), NEAR(2e-15)}),
    PROPERTY(loss_unary_epsilon, 2, 1, .draw = draw_log_odds, .rule = {ABOVE(0x1p-52)}),
    PROPERTY(loss_unary_bit_epsilon, 2, 1, .draw = draw_log_odds, .rule = {ABOVE(0x1p-47)}, .slack = bit_slack,
             .share = 0.2),
    PROPERTY(loss_unary_joined, 4, 2, .draw = draw_log_odds, .rule = {NEAR(0), NEAR(0)}, .slack = joined_slack,
             .share = 0.1),
    PROPERTY(loss_unary_report_epsilon, 4, 1, .draw = draw_log_odds, .rule = {ABOVE(0)}, .slack = report_slack,
             .share = 0.1),
    {0},
};

static const property_planted planted[] = {
    {"one value too many", "loss_k_response_probabilities", k_response_off_by_one},
    {"a difference to nearest", "loss_unary_epsilon", unary_to_nearest},
    {"ones alone", "loss_unary_bit_epsilon", bit_of_ones},
    {"the second stage alone, and a little less", "loss_unary_report_epsilon", report_of_second},
    {0},
};

int main(int argc, char **argv) { return property_main(argc, argv, rows, planted); }
