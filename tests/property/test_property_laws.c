/* test_property_laws: the law of the privacy loss and its moments against MPFR; property.h has the rules. */
#include <math.h>

#include "property/property.h"
#include "property/truth.h"
#include "support/laws.h"

#define ADAPTER(member, law)                                                \
    static simdp_status loss_##member##_##law(double *out, const double *a) \
    {                                                                       \
        return simdp_loss_##member(out, &a[0], 1, law_##law(a[1]));         \
    }
#define ADAPTERS(law) ADAPTER(cdf, law) ADAPTER(sf, law) ADAPTER(log_cdf, law) ADAPTER(log_sf, law)

static double any_sign(property_random *r, double x) { return property_chance(r, 0.5) ? x : -x; }

/* ---- Laplace: mass e^-t/2 at -t, then e^((l-t)/2)/2, and 1 from l = t on ---- */

ADAPTERS(laplace)

static void draw_loss_t(property_random *r, double *a)
{
    a[1] = property_chance(r, 0.8) ? property_epsilon(r) : property_scale(r);
    a[0] = property_chance(r, 0.6) ? any_sign(r, property_epsilon(r)) : any_sign(r, property_nudge(r, a[1]));
    if (property_chance(r, 0.3)) a[0] = (2.0 * property_uniform(r) - 1.0) * a[1];
    if (property_chance(r, 0.02)) a[property_below(r, 2)] = INFINITY;
    if (property_chance(r, 0.01)) a[0] = -INFINITY;
    if (!(a[1] >= 0.0)) a[1] = 0.0;
}

/* P[L <= l] or 1 less it, and logarithms, of a cdf that is in (0, 1/2] between */
static void finish(mpfr_t out, bool upper, bool logarithm)
{
    if (upper) mpfr_neg(out, out, MPFR_RNDN);
    if (logarithm && upper) mpfr_log1p(out, out, MPFR_RNDN);
    else if (logarithm) mpfr_log(out, out, MPFR_RNDN);
    else if (upper) mpfr_add_ui(out, out, 1, MPFR_RNDN);
}

static void laplace_truth(mpfr_t out, const double *a, bool upper, bool logarithm)
{
    if (a[0] < -a[1] || a[0] >= a[1]) {
        mpfr_set_ui(out, a[0] >= a[1], MPFR_RNDN);
    } else {
        property_exact(out, a[0]);
        mpfr_sub_d(out, out, a[1], MPFR_RNDN);
        mpfr_div_2ui(out, out, 1, MPFR_RNDN);
        if (logarithm && !upper) { /* e to this power may be below MPFR's range */
            mpfr_t ln2;
            mpfr_init2(ln2, PROPERTY_BITS);
            mpfr_const_log2(ln2, MPFR_RNDN);
            mpfr_sub(out, out, ln2, MPFR_RNDN);
            mpfr_clear(ln2);
            return;
        }
        mpfr_exp(out, out, MPFR_RNDN);
        mpfr_div_2ui(out, out, 1, MPFR_RNDN);
    }
    finish(out, upper, logarithm);
}

#define TRUTHS(law)                                                                                               \
    static void loss_cdf_##law##_truth(mpfr_t *out, const double *a) { law##_truth(out[0], a, false, false); }    \
    static void loss_sf_##law##_truth(mpfr_t *out, const double *a) { law##_truth(out[0], a, true, false); }      \
    static void loss_log_cdf_##law##_truth(mpfr_t *out, const double *a) { law##_truth(out[0], a, false, true); } \
    static void loss_log_sf_##law##_truth(mpfr_t *out, const double *a) { law##_truth(out[0], a, true, true); }
TRUTHS(laplace)

/* ---- Gaussian: normal with mean 1/(2 s^2) and variance 1/s^2 ---- */

ADAPTERS(gaussian)

static void draw_loss_s(property_random *r, double *a)
{
    a[1] = property_chance(r, 0.5) ? property_scale(r) : property_log_uniform(r, 1e-3, 1e3);
    a[0] = any_sign(r, property_epsilon(r));
    if (property_chance(r, 0.6)) { /* by the standardised loss z */
        double z = 80.0 * property_uniform(r) - 40.0;
        if (property_chance(r, 0.3)) z = any_sign(r, property_log_uniform(r, 1e-18, 1e9));
        const double l = (z + 0.5 / a[1]) / a[1];
        if (isfinite(l)) a[0] = property_nudge(r, l);
    }
    if (property_chance(r, 0.02)) a[1] = property_log_uniform(r, 0x1p-1074, 0x1.fp+1023);
    if (property_chance(r, 0.02)) a[0] = any_sign(r, INFINITY);
    if (property_chance(r, 0.01)) a[1] = property_chance(r, 0.5) ? INFINITY : 0.0;
}

static void gaussian_truth(mpfr_t out, const double *a, bool upper, bool logarithm)
{
    const double l = a[0], s = a[1];
    if (isinf(l) || isinf(s) || s == 0.0) {
        const bool above = isinf(l) ? l > 0.0 : isinf(s) && l >= 0.0;
        mpfr_set_ui(out, above, MPFR_RNDN);
        finish(out, upper, logarithm);
        return;
    }
    const double most = fmax(1.0, fmax(fmin(fabs(l * s), 0x1p+1023), fmin(1.0 / s, 0x1p+1023)));
    mpfr_t z, half;
    mpfr_inits2(250 + (mpfr_prec_t)(2.0 * log2(most)), z, half, (mpfr_ptr)0);
    property_exact(half, 0.5);
    mpfr_div_d(half, half, s, MPFR_RNDN);
    property_exact(z, l);
    mpfr_mul_d(z, z, s, MPFR_RNDN);
    mpfr_sub(z, z, half, MPFR_RNDN);
    if (upper) mpfr_neg(z, z, MPFR_RNDN);
    if (logarithm) truth_log_normal_cdf(half, z);
    else truth_normal_cdf(half, z);
    mpfr_set(out, half, MPFR_RNDN);
    mpfr_clears(z, half, (mpfr_ptr)0);
}
TRUTHS(gaussian)

static void gaussian_slack(mpfr_t *out, const double *a)
{
    mpfr_set_d(out[0], fabs(a[0]) > 0x1p+100 && isfinite(a[0]) ? INFINITY : 0.0, MPFR_RNDN);
}

/* ---- randomized response: epsilon0 or -epsilon0, inf with probability leak ---- */

#define RESPONSE_ADAPTER(member)                                                          \
    static simdp_status loss_##member##_randomized_response(double *out, const double *a) \
    {                                                                                     \
        return simdp_loss_##member(out, &a[0], 1, law_leaky(a[1], a[2]));                 \
    }
RESPONSE_ADAPTER(cdf)
RESPONSE_ADAPTER(sf)
RESPONSE_ADAPTER(log_cdf)
RESPONSE_ADAPTER(log_sf)

static void draw_loss_response(property_random *r, double *a)
{
    draw_loss_t(r, a);
    a[2] = property_chance(r, 0.3) ? 0.0 : property_delta(r);
}

static void randomized_response_truth(mpfr_t out, const double *a, bool upper, bool logarithm)
{
    const double l = a[0], epsilon0 = a[1], leak = a[2];
    mpfr_t x;
    mpfr_init2(x, PROPERTY_BITS);
    mpfr_set_ui(out, 0, MPFR_RNDN);
    if (l == INFINITY) {
        mpfr_set_ui(out, 1, MPFR_RNDN);
    } else if (l >= epsilon0) { /* all but the leak: 1 less it is the leak itself */
        property_exact(out, leak);
        finish(out, !upper, logarithm);
        mpfr_clear(x);
        return;
    } else if (l >= -epsilon0) { /* (1 - leak)/(1 + e^epsilon0), by its logarithm */
        property_exact(x, -leak);
        mpfr_log1p(out, x, MPFR_RNDN);
        mpfr_sub_d(out, out, epsilon0, MPFR_RNDN);
        property_exact(x, -epsilon0);
        mpfr_exp(x, x, MPFR_RNDN);
        mpfr_log1p(x, x, MPFR_RNDN);
        mpfr_sub(out, out, x, MPFR_RNDN);
        if (logarithm && !upper) {
            mpfr_clear(x);
            return;
        }
        mpfr_exp(out, out, MPFR_RNDN);
    }
    mpfr_clear(x);
    finish(out, upper, logarithm);
}
TRUTHS(randomized_response)

/* ---- moments: mean, variance, KL, max divergence, total variation ---- */

#define MOMENTS_OUT(d)                                                                               \
    ((out[0] = (d).mean), (out[1] = (d).variance), (out[2] = (d).kl), (out[3] = (d).max_divergence), \
     (out[4] = (d).total_variation))

static simdp_status loss_moments_laplace(double *out, const double *a)
{
    simdp_loss_moments d;
    const simdp_status status = simdp_loss_law_moments(&d, (const simdp_law[]){law_laplace(a[0])}, 1);
    MOMENTS_OUT(d);
    return status;
}
static simdp_status loss_moments_gaussian(double *out, const double *a)
{
    simdp_loss_moments d;
    const simdp_status status = simdp_loss_law_moments(&d, (const simdp_law[]){law_gaussian(a[0])}, 1);
    MOMENTS_OUT(d);
    return status;
}
static simdp_status loss_moments_randomized_response(double *out, const double *a)
{
    simdp_loss_moments d;
    const simdp_status status = simdp_loss_law_moments(&d, (const simdp_law[]){law_leaky(a[0], a[1])}, 1);
    MOMENTS_OUT(d);
    return status;
}

static void draw_parameter(property_random *r, double *a)
{
    a[0] = property_chance(r, 0.3) ? property_scale(r) : property_epsilon(r);
    if (property_chance(r, 0.3)) a[0] = property_log_uniform(r, 0.1, 10);
    if (property_chance(r, 0.1)) a[0] = 700.0 + 60.0 * property_uniform(r);
    if (property_chance(r, 0.02)) a[0] = property_log_uniform(r, 0x1p-1074, 0x1.fp+1023);
    if (property_chance(r, 0.02)) a[0] = property_chance(r, 0.5) ? 0.0 : INFINITY;
    a[1] = property_chance(r, 0.3) ? 0.0 : property_delta(r);
}

/* t - 1 + e^-t; 3 - (4t+2) e^-t - e^-2t; 1 - e^(-t/2) */
static void loss_moments_laplace_truth(mpfr_t *out, const double *a)
{
    const double t = a[0];
    mpfr_t e, x, sum;
    const double lost = t > 0.0 && t < 1.0 ? -log2(t) : 0.0;
    mpfr_inits2(250 + (mpfr_prec_t)(3.0 * lost), e, x, sum, (mpfr_ptr)0);
    property_exact(e, -t);
    mpfr_exp(e, e, MPFR_RNDN);
    property_exact(x, t);
    mpfr_sub_ui(x, x, 1, MPFR_RNDN);
    mpfr_add(out[0], x, e, MPFR_RNDN);
    mpfr_set(out[2], out[0], MPFR_RNDN);
    mpfr_set_ui(sum, 3, MPFR_RNDN);
    if (isfinite(t)) {
        property_exact(x, t);
        mpfr_mul_ui(x, x, 4, MPFR_RNDN);
        mpfr_add_ui(x, x, 2, MPFR_RNDN);
        mpfr_mul(x, x, e, MPFR_RNDN);
        mpfr_sub(sum, sum, x, MPFR_RNDN);
        mpfr_sqr(e, e, MPFR_RNDN);
        mpfr_sub(sum, sum, e, MPFR_RNDN);
    }
    mpfr_set(out[1], sum, MPFR_RNDN);
    property_exact(out[3], t);
    property_exact(x, -t);
    mpfr_div_2ui(x, x, 1, MPFR_RNDN);
    mpfr_expm1(x, x, MPFR_RNDN);
    mpfr_neg(out[4], x, MPFR_RNDN);
    mpfr_clears(e, x, sum, (mpfr_ptr)0);
}

/* 1/(2 s^2), 1/s^2, inf, erf(1/(2 s sqrt 2)) */
static void loss_moments_gaussian_truth(mpfr_t *out, const double *a)
{
    mpfr_set_ui(out[1], 1, MPFR_RNDN);
    mpfr_div_d(out[1], out[1], a[0], MPFR_RNDN);
    mpfr_set_ui(out[4], 8, MPFR_RNDN);
    mpfr_rec_sqrt(out[4], out[4], MPFR_RNDN);
    mpfr_mul(out[4], out[4], out[1], MPFR_RNDN);
    mpfr_erf(out[4], out[4], MPFR_RNDN);
    mpfr_sqr(out[1], out[1], MPFR_RNDN);
    mpfr_div_2ui(out[0], out[1], 1, MPFR_RNDN);
    mpfr_set(out[2], out[0], MPFR_RNDN);
    if (isinf(a[0])) mpfr_set_ui(out[3], 0, MPFR_RNDN);
    else mpfr_set_inf(out[3], 1);
}

/* epsilon tanh(epsilon/2), epsilon^2/cosh^2(epsilon/2), leak + (1 - leak) tanh(epsilon/2) */
static void loss_moments_randomized_response_truth(mpfr_t *out, const double *a)
{
    const double epsilon = a[0], leak = a[1];
    property_exact(out[3], epsilon);
    mpfr_div_2ui(out[0], out[3], 1, MPFR_RNDN);
    mpfr_cosh(out[1], out[0], MPFR_RNDN);
    mpfr_tanh(out[0], out[0], MPFR_RNDN);
    property_exact(out[2], 1.0);
    mpfr_sub_d(out[2], out[2], leak, MPFR_RNDN);
    mpfr_mul(out[4], out[0], out[2], MPFR_RNDN);
    mpfr_add_d(out[4], out[4], leak, MPFR_RNDN);
    mpfr_mul(out[0], out[0], out[3], MPFR_RNDN);
    mpfr_div(out[1], out[3], out[1], MPFR_RNDN);
    mpfr_sqr(out[1], out[1], MPFR_RNDN);
    if (isinf(epsilon)) mpfr_set_ui(out[1], 0, MPFR_RNDN);
    mpfr_set(out[2], out[0], MPFR_RNDN);
    if (leak > 0.0) mpfr_set_inf(out[2], 1), mpfr_set_inf(out[3], 1);
}

static simdp_status randomized_response_probabilities(double *out, const double *a)
{
    return simdp_loss_response_probabilities(&out[0], &out[1], &a[0], 1, a[1]);
}

static void randomized_response_probabilities_truth(mpfr_t *out, const double *a)
{
    property_exact(out[1], -a[0]);
    mpfr_exp(out[1], out[1], MPFR_RNDN);
    mpfr_add_ui(out[0], out[1], 1, MPFR_RNDN);
    mpfr_div(out[1], out[1], out[0], MPFR_RNDN);
    mpfr_ui_div(out[0], 1, out[0], MPFR_RNDN);
    mpfr_t kept;
    mpfr_init2(kept, PROPERTY_BITS);
    property_exact(kept, 1.0);
    mpfr_sub_d(kept, kept, a[1], MPFR_RNDN);
    mpfr_mul(out[0], out[0], kept, MPFR_RNDN);
    mpfr_mul(out[1], out[1], kept, MPFR_RNDN);
    mpfr_clear(kept);
}

/* ---- defects ---- */

/* what the subtraction l - t lost is not put back */
static simdp_status cdf_laplace_dropped(double *out, const double *a)
{
    out[0] = a[0] < -a[1] ? 0.0 : a[0] >= a[1] ? 1.0 : 0.5 * exp(0.5 * (a[0] - a[1]));
    return SIMDP_OK;
}

/* the standardised loss in one double */
static simdp_status sf_gaussian_rounded(double *out, const double *a)
{
    const double z = a[0] * a[1] - 0.5 / a[1];
    if (isinf(a[0]) || isinf(a[1]) || a[1] == 0.0) return loss_sf_gaussian(out, a);
    out[0] = 0.5 * erfc(z / sqrt(2));
    return SIMDP_OK;
}

/* the logarithm of a survival function near 1 */
static simdp_status log_sf_response_of_sf(double *out, const double *a)
{
    const simdp_status status = loss_sf_randomized_response(out, a);
    out[0] = log(out[0]);
    return status;
}

/* the closed form of the variance, which cancels at small t */
static simdp_status moments_cancelled(double *out, const double *a)
{
    const simdp_status status = loss_moments_laplace(out, a);
    if (isfinite(a[0])) out[1] = 3.0 - (4.0 * a[0] + 2.0) * exp(-a[0]) - exp(-2.0 * a[0]);
    return status;
}

#define LAW(law, count, ...)                                                                         \
    PROPERTY_OF(loss_cdf, loss_cdf_##law, count, 1, .rule = {NEAR(1e-14)}, __VA_ARGS__),             \
        PROPERTY_OF(loss_sf, loss_sf_##law, count, 1, .rule = {NEAR(1e-14)}, __VA_ARGS__),           \
        PROPERTY_OF(loss_log_cdf, loss_log_cdf_##law, count, 1, .rule = {NEAR(1e-14)}, __VA_ARGS__), \
        PROPERTY_OF(loss_log_sf, loss_log_sf_##law, count, 1, .rule = {NEAR(1e-14)}, __VA_ARGS__)
#define MOMENTS                                                     \
    {                                                               \
        NEAR(1e-14), NEAR(1e-14), NEAR(1e-14), NEAR(0), NEAR(1e-14) \
    }

static const property_row rows[] = {
    LAW(laplace, 2, .draw = draw_loss_t),
    LAW(gaussian, 2, .draw = draw_loss_s, .slack = gaussian_slack, .share = 0.5),
    LAW(randomized_response, 3, .draw = draw_loss_response),
    PROPERTY_OF(loss_law_moments, loss_moments_laplace, 1, 5, .draw = draw_parameter, .rule = MOMENTS),
    PROPERTY_OF(loss_law_moments, loss_moments_gaussian, 1, 5, .draw = draw_parameter, .rule = MOMENTS, .share = 0.3),
    PROPERTY_OF(loss_law_moments, loss_moments_randomized_response, 2, 5, .draw = draw_parameter, .rule = MOMENTS),
    PROPERTY_OF(loss_response_probabilities, randomized_response_probabilities, 2, 2, .draw = draw_parameter,
                .rule = {NEAR(2e-15), NEAR(2e-15)}),
    {0},
};

static const property_planted planted[] = {
    {"the rest of l - t dropped", "loss_cdf_laplace", cdf_laplace_dropped},
    {"the standardised loss in one double", "loss_sf_gaussian", sf_gaussian_rounded},
    {"log of a survival function near 1", "loss_log_sf_randomized_response", log_sf_response_of_sf},
    {"the closed form at small t", "loss_moments_laplace", moments_cancelled},
    {0},
};

int main(int argc, char **argv) { return property_main(argc, argv, rows, planted); }
