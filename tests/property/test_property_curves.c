/* test_property_curves: delta(epsilon) of Laplace noise, Gaussian noise and randomized response, and its logarithm,
 * against MPFR; property.h has the rules. */
#include <math.h>

#include "property/property.h"
#include "property/truth.h"
#include "support/laws.h"

/* ---- Laplace: 1 - e^((epsilon - t)/2) below t, else 0 ---- */

static void draw_epsilon_t(property_random *r, double *a)
{
    a[0] = property_epsilon(r);
    a[1] = property_chance(r, 0.3) ? property_nudge(r, a[0]) : property_epsilon(r);
    if (property_chance(r, 0.2)) a[1] = a[0] + property_log_uniform(r, 1, 1500);
    if (property_chance(r, 0.02)) a[property_below(r, 2)] = property_chance(r, 0.5) ? INFINITY : 0x1.fp+1023;
    if (a[1] < 0.0) a[1] = 0.0;
}

static simdp_status delta_laplace(double *out, const double *a) { return simdp_delta_laplace(out, &a[0], 1, a[1]); }
static simdp_status delta_laplace_arrays(double *out, const double *a)
{
    return simdp_loss_delta_each(out, &a[0], &a[1], 1, law_laplace(0));
}
static simdp_status log_delta_laplace(double *out, const double *a)
{
    return simdp_loss_log_delta(out, &a[0], 1, law_laplace(a[1]));
}
static simdp_status log_delta_laplace_each(double *out, const double *a)
{
    return simdp_loss_log_delta_each(out, &a[0], &a[1], 1, law_laplace(0));
}

static void delta_laplace_truth(mpfr_t *out, const double *a)
{
    mpfr_set_ui(out[0], 0, MPFR_RNDN);
    if (a[0] >= a[1]) return;
    property_exact(out[0], a[0]);
    mpfr_sub_d(out[0], out[0], a[1], MPFR_RNDN);
    mpfr_div_ui(out[0], out[0], 2, MPFR_RNDN);
    mpfr_expm1(out[0], out[0], MPFR_RNDN);
    mpfr_neg(out[0], out[0], MPFR_RNDN);
}
#define delta_laplace_arrays_truth delta_laplace_truth

static void log_delta_laplace_truth(mpfr_t *out, const double *a)
{
    delta_laplace_truth(out, a);
    if (mpfr_cmp_d(out[0], 0.5) < 0) {
        mpfr_log(out[0], out[0], MPFR_RNDN);
        return;
    }
    property_exact(out[0], a[0]);
    mpfr_sub_d(out[0], out[0], a[1], MPFR_RNDN);
    mpfr_div_ui(out[0], out[0], 2, MPFR_RNDN);
    mpfr_exp(out[0], out[0], MPFR_RNDN);
    mpfr_neg(out[0], out[0], MPFR_RNDN);
    mpfr_log1p(out[0], out[0], MPFR_RNDN);
}
#define log_delta_laplace_each_truth log_delta_laplace_truth

/* defect: the difference of e^epsilon and e^t, which cancels near t */
static simdp_status delta_laplace_cancelled(double *out, const double *a)
{
    out[0] = a[0] < a[1] ? 1.0 - exp((a[0] - a[1]) / 2.0) : 0.0;
    return SIMDP_OK;
}

/* defect: what the rounding of t - epsilon lost, times its hundreds, is not put back */
static simdp_status log_delta_laplace_dropped(double *out, const double *a)
{
    const double x = 0.5 * (a[1] - a[0]);
    out[0] = !(a[0] < a[1]) ? -INFINITY : x < 0.69 ? log(-expm1(-x)) : log1p(-exp(-x));
    return SIMDP_OK;
}

/* ---- Gaussian: Phi(1/(2s) - epsilon s) - e^epsilon Phi(-1/(2s) - epsilon s) ---- */

static void draw_epsilon_s(property_random *r, double *a)
{
    a[0] = property_epsilon(r);
    a[1] = property_chance(r, 0.5) ? property_scale(r) : property_log_uniform(r, 1e-3, 1e3);
    if (property_chance(r, 0.5)) { /* by v = epsilon s - 1/(2s): the bulk, the tails, far tails, and v near 0 */
        double v = 80.0 * property_uniform(r) - 40.0;
        if (property_chance(r, 0.3)) v = property_log_uniform(r, 1e-18, 1e9);
        if (property_chance(r, 0.1)) v = 0.0;
        const double epsilon = (v + 0.5 / a[1]) / a[1];
        if (epsilon >= 0.0) a[0] = property_nudge(r, epsilon);
    }
    if (property_chance(r, 0.02)) a[property_below(r, 2)] = property_log_uniform(r, 0x1p-1074, 0x1.fp+1023);
    if (property_chance(r, 0.01)) a[property_below(r, 2)] = property_chance(r, 0.5) ? INFINITY : 0.0;
    if (!(a[0] >= 0.0)) a[0] = 0.0;
}

static simdp_status delta_gaussian(double *out, const double *a) { return simdp_delta_gaussian(out, &a[0], 1, a[1]); }
static simdp_status delta_gaussian_arrays(double *out, const double *a)
{
    return simdp_loss_delta_each(out, &a[0], &a[1], 1, law_gaussian(0));
}
static simdp_status log_delta_gaussian(double *out, const double *a)
{
    return simdp_loss_log_delta(out, &a[0], 1, law_gaussian(a[1]));
}
static simdp_status log_delta_gaussian_each(double *out, const double *a)
{
    return simdp_loss_log_delta_each(out, &a[0], &a[1], 1, law_gaussian(0));
}

/* v = epsilon s - 1/(2s), w = 1/s; the units of both are sqrt 2 in u1 and u2 = u1 + w */
typedef struct {
    mpfr_t u1, u2, value, other;
} gaussian_work;

static void gaussian_arguments(gaussian_work *g, double epsilon, double s)
{
    mpfr_set_ui(g->other, 1, MPFR_RNDN);
    mpfr_div_d(g->other, g->other, s, MPFR_RNDN); /* 1/s */
    property_exact(g->u1, epsilon);
    mpfr_mul_d(g->u1, g->u1, s, MPFR_RNDN);
    mpfr_div_2ui(g->value, g->other, 1, MPFR_RNDN);
    mpfr_sub(g->u1, g->u1, g->value, MPFR_RNDN);
    mpfr_add(g->u2, g->u1, g->other, MPFR_RNDN);
    mpfr_set_ui(g->other, 2, MPFR_RNDN);
    mpfr_sqrt(g->other, g->other, MPFR_RNDN);
    mpfr_div(g->u1, g->u1, g->other, MPFR_RNDN);
    mpfr_div(g->u2, g->u2, g->other, MPFR_RNDN);
}

/* delta or its logarithm. Right of v = -1/2: ln delta = ln((erfcx(u1) - erfcx(u2))/2) - u1^2; left of it 1 - delta is
 * (erfc(-u1) + e^(-u1^2) erfcx(u2))/2. */
static void gaussian_truth(mpfr_t out, double epsilon, double s, bool logarithm)
{
    if (s == 0.0 || isinf(s) || isinf(epsilon)) {
        if (s == 0.0 && isfinite(epsilon)) mpfr_set_ui(out, logarithm ? 0 : 1, MPFR_RNDN);
        else if (logarithm) mpfr_set_inf(out, -1);
        else mpfr_set_ui(out, 0, MPFR_RNDN);
        return;
    }
    gaussian_work g;
    /* what cancels: the two parts of v, of which v^2 enters; and erfcx(u1) - erfcx(u2), about w/u1 of its terms */
    const double most = fmax(1.0, fmax(fmin(epsilon * s, 0x1p+1023), fmin(1.0 / s, 0x1p+1023)));
    const mpfr_prec_t bits = 250 + (mpfr_prec_t)(fabs(log2(s)) + 2.0 * log2(most));
    mpfr_inits2(bits, g.u1, g.u2, g.value, g.other, (mpfr_ptr)0);
    gaussian_arguments(&g, epsilon, s);
    truth_erfcx(g.other, g.u2);
    if (mpfr_cmp_d(g.u1, -0.4) > 0) {
        truth_erfcx(g.value, g.u1);
        mpfr_sub(g.value, g.value, g.other, MPFR_RNDN);
        mpfr_div_2ui(g.value, g.value, 1, MPFR_RNDN);
        mpfr_log(g.value, g.value, MPFR_RNDN);
        mpfr_sqr(g.u1, g.u1, MPFR_RNDN);
        mpfr_sub(g.value, g.value, g.u1, MPFR_RNDN);
        if (logarithm) mpfr_set(out, g.value, MPFR_RNDN);
        else mpfr_exp(out, g.value, MPFR_RNDN);
    } else {
        mpfr_sqr(g.value, g.u1, MPFR_RNDN);
        mpfr_neg(g.value, g.value, MPFR_RNDN);
        mpfr_exp(g.value, g.value, MPFR_RNDN);
        mpfr_mul(g.other, g.other, g.value, MPFR_RNDN);
        mpfr_neg(g.u1, g.u1, MPFR_RNDN);
        mpfr_erfc(g.value, g.u1, MPFR_RNDN);
        mpfr_add(g.value, g.value, g.other, MPFR_RNDN);
        mpfr_div_si(g.value, g.value, -2, MPFR_RNDN);
        if (logarithm) mpfr_log1p(out, g.value, MPFR_RNDN);
        else mpfr_add_ui(out, g.value, 1, MPFR_RNDN);
    }
    mpfr_clears(g.u1, g.u2, g.value, g.other, (mpfr_ptr)0);
}

static void delta_gaussian_truth(mpfr_t *out, const double *a) { gaussian_truth(out[0], a[0], a[1], false); }
static void log_delta_gaussian_truth(mpfr_t *out, const double *a) { gaussian_truth(out[0], a[0], a[1], true); }
#define delta_gaussian_arrays_truth   delta_gaussian_truth
#define log_delta_gaussian_each_truth log_delta_gaussian_truth

/* For large epsilon the header promises a probability, or its logarithm, and no digits; the same for the batched delta
 * where s is above 2^890, as long as it is below 2^-890. */
static void log_gaussian_slack(mpfr_t *out, const double *a)
{
    mpfr_set_d(out[0], a[0] > 0x1p+100 && isfinite(a[0]) ? INFINITY : 0.0, MPFR_RNDN);
}
static void gaussian_slack(mpfr_t *out, const double *a)
{
    mpfr_set_d(out[0], a[0] > 0x1p+50 && isfinite(a[0]) ? 1.0 : a[1] > 0x1p+890 ? 0x1p-890 : 0.0, MPFR_RNDN);
}

/* defect: the formula as it stands, which cancels where s is large */
static simdp_status delta_gaussian_cancelled(double *out, const double *a)
{
    const double v = a[0] * a[1] - 0.5 / a[1];
    out[0] = fmax(0.0, 0.5 * erfc(v / sqrt(2)) - 0.5 * exp(a[0]) * erfc((v + 1.0 / a[1]) / sqrt(2)));
    return SIMDP_OK;
}

/* defect: v rounded to one double, whose error the exponent multiplies */
static simdp_status log_delta_gaussian_rounded(double *out, const double *a)
{
    const double v = a[0] * a[1] - 0.5 / a[1];
    if (v < 0.0 || a[1] == 0.0) return simdp_loss_log_delta(out, &a[0], 1, law_gaussian(a[1]));
    double exact, s = a[1], epsilon = (v + 0.5 / s) / s;
    const simdp_status status = simdp_loss_log_delta(&exact, &epsilon, 1, law_gaussian(s));
    out[0] = exact;
    return status;
}

/* ---- leaky randomized response: leak + (1 - leak) (e^epsilon0 - e^epsilon)+ / (1 + e^epsilon0) ---- */

static void draw_response(property_random *r, double *a)
{
    draw_epsilon_t(r, a);
    a[2] = property_chance(r, 0.3) ? 0.0 : property_delta(r);
}

static simdp_status delta_randomized_response(double *out, const double *a)
{
    return simdp_loss_delta(out, &a[0], 1, law_leaky(a[1], a[2]));
}
static simdp_status delta_randomized_response_each(double *out, const double *a)
{
    return simdp_loss_delta_each(out, &a[0], &a[1], 1, law_leaky(0, a[2]));
}
static simdp_status log_delta_randomized_response(double *out, const double *a)
{
    return simdp_loss_log_delta(out, &a[0], 1, law_leaky(a[1], a[2]));
}

/* *complement = 1 - delta = (1 - leak) (1 + e^epsilon)/(1 + e^epsilon0), both without cancellation */
static void response_truth(mpfr_t delta, mpfr_t complement, const double *a)
{
    mpfr_t shrink;
    mpfr_init2(shrink, PROPERTY_BITS);
    mpfr_set_ui(delta, isinf(a[1]), MPFR_RNDN);
    mpfr_set_ui(complement, !isinf(a[1]), MPFR_RNDN);
    if (a[0] < a[1] && !isinf(a[1])) {
        property_exact(shrink, -a[1]);
        mpfr_exp(shrink, shrink, MPFR_RNDN);
        property_exact(delta, a[0]);
        mpfr_sub_d(delta, delta, a[1], MPFR_RNDN);
        mpfr_exp(complement, delta, MPFR_RNDN);
        mpfr_add(complement, complement, shrink, MPFR_RNDN);
        mpfr_expm1(delta, delta, MPFR_RNDN);
        mpfr_neg(delta, delta, MPFR_RNDN);
        mpfr_add_ui(shrink, shrink, 1, MPFR_RNDN);
        mpfr_div(delta, delta, shrink, MPFR_RNDN);
        mpfr_div(complement, complement, shrink, MPFR_RNDN);
    }
    property_exact(shrink, 1.0);
    mpfr_sub_d(shrink, shrink, a[2], MPFR_RNDN);
    mpfr_mul(complement, complement, shrink, MPFR_RNDN);
    mpfr_mul(delta, delta, shrink, MPFR_RNDN);
    mpfr_add_d(delta, delta, a[2], MPFR_RNDN);
    mpfr_clear(shrink);
}

static void delta_randomized_response_truth(mpfr_t *out, const double *a)
{
    mpfr_t complement;
    mpfr_init2(complement, PROPERTY_BITS);
    response_truth(out[0], complement, a);
    mpfr_clear(complement);
}
#define delta_randomized_response_each_truth delta_randomized_response_truth

static void log_delta_randomized_response_truth(mpfr_t *out, const double *a)
{
    mpfr_t complement;
    mpfr_init2(complement, PROPERTY_BITS);
    response_truth(out[0], complement, a);
    mpfr_neg(complement, complement, MPFR_RNDN);
    if (mpfr_cmp_d(out[0], 0.5) < 0) mpfr_log(out[0], out[0], MPFR_RNDN);
    else mpfr_log1p(out[0], complement, MPFR_RNDN);
    mpfr_clear(complement);
}

/* defect: the logarithm of delta itself, which is 1 in doubles where it is above 1 - 2^-54 */
static simdp_status log_delta_response_of_delta(double *out, const double *a)
{
    const simdp_status status = simdp_loss_delta(out, &a[0], 1, law_leaky(a[1], a[2]));
    out[0] = log(out[0]);
    return status;
}

static const property_row rows[] = {
    PROPERTY(delta_laplace, 2, 1, .draw = draw_epsilon_t, .rule = {NEAR(0x1p-50)}),
    PROPERTY_OF(loss_delta_each, delta_laplace_arrays, 2, 1, .draw = draw_epsilon_t, .rule = {NEAR(0x1p-50)}),
    PROPERTY_OF(loss_log_delta, log_delta_laplace, 2, 1, .draw = draw_epsilon_t, .rule = {NEAR(1e-14)}),
    PROPERTY_OF(loss_log_delta_each, log_delta_laplace_each, 2, 1, .draw = draw_epsilon_t, .rule = {NEAR(1e-14)}),
    PROPERTY(delta_gaussian, 2, 1, .draw = draw_epsilon_s, .rule = {{PROPERTY_NEAR, 1e-14, 0x1p-1046}},
             .slack = gaussian_slack),
    PROPERTY_OF(loss_delta_each, delta_gaussian_arrays, 2, 1, .draw = draw_epsilon_s,
                .rule = {{PROPERTY_NEAR, 1e-14, 0x1p-1046}}, .slack = gaussian_slack, .share = 0.3),
    PROPERTY_OF(loss_log_delta, log_delta_gaussian, 2, 1, .draw = draw_epsilon_s, .rule = {NEAR(1e-14)},
                .slack = log_gaussian_slack),
    PROPERTY_OF(loss_log_delta_each, log_delta_gaussian_each, 2, 1, .draw = draw_epsilon_s, .rule = {NEAR(1e-14)},
                .slack = log_gaussian_slack, .share = 0.3),
    PROPERTY_OF(loss_delta, delta_randomized_response, 3, 1, .draw = draw_response, .rule = {NEAR(1e-14)}),
    PROPERTY_OF(loss_delta_each, delta_randomized_response_each, 3, 1, .draw = draw_response, .rule = {NEAR(1e-14)}),
    PROPERTY_OF(loss_log_delta, log_delta_randomized_response, 3, 1, .draw = draw_response, .rule = {NEAR(1e-14)}),
    {0},
};

static const property_planted planted[] = {
    {"1 - exp instead of expm1", "delta_laplace", delta_laplace_cancelled},
    {"the rest of t - epsilon dropped", "log_delta_laplace", log_delta_laplace_dropped},
    {"two tails subtracted", "delta_gaussian", delta_gaussian_cancelled},
    {"the standardised loss in one double", "log_delta_gaussian", log_delta_gaussian_rounded},
    {"log of a delta near 1", "log_delta_randomized_response", log_delta_response_of_delta},
    {0},
};

int main(int argc, char **argv) { return property_main(argc, argv, rows, planted); }
