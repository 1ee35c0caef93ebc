/* test_property_distributions: laws of the noise against MPFR: cdf, survival, log density, quantile; property.h has the
 * rules. */
#include <math.h>

#include "property/property.h"
#include "property/truth.h"

#define ADAPTER(what, public, law, mechanism)                                          \
    static simdp_status what##_##law(double *out, const double *a)                     \
    {                                                                                  \
        return simdp_noise_##public(out, &a[0], 1, SIMDP_MECHANISM_##mechanism, a[1]); \
    }
#define ADAPTERS(law, mechanism)                  \
    ADAPTER(cdf, cdf, law, mechanism)             \
    ADAPTER(sf, sf, law, mechanism)               \
    ADAPTER(log_pdf, log_density, law, mechanism) \
    ADAPTER(ppf, quantile, law, mechanism)
ADAPTERS(laplace, LAPLACE)
ADAPTERS(gaussian, GAUSSIAN)
ADAPTERS(gumbel, GUMBEL)
ADAPTERS(exponential, EXPONENTIAL)

/* ---- arguments ---- */

/* x in scale units: the bulk, tails to the end of the range and beyond, doubly exponential ones */
static void draw_x_scale(property_random *r, double *a)
{
    a[1] = property_chance(r, 0.3) ? property_number(r) : property_scale(r);
    a[1] = fmin(0x1.fffffffffffffp+1023, fmax(0x1p-1074, fabs(a[1])));
    double z;
    switch (property_below(r, 8)) {
    case 0: z = 80.0 * property_uniform(r) - 40.0; break;
    case 1: z = 1500.0 * property_uniform(r) - 750.0; break;
    case 2: z = property_log_uniform(r, 1e-300, 1e300) * (property_chance(r, 0.5) ? 1.0 : -1.0); break;
    case 3: z = 8.0 * property_uniform(r) - 8.0; break;
    case 4: z = -log(2.0 * a[1]) * (property_chance(r, 0.5) ? 1.0 : -1.0); break; /* where a log density is near 0 */
    default: z = 12.0 * property_uniform(r) - 6.0;
    }
    a[0] = property_nudge(r, z * a[1]);
    if (property_chance(r, 0.1)) a[0] = property_number(r);
    if (property_chance(r, 0.02)) a[0] = property_chance(r, 0.5) ? INFINITY : -INFINITY;
    if (isnan(a[0])) a[0] = 0.0;
}

static void draw_p_scale(property_random *r, double *a)
{
    draw_x_scale(r, a);
    a[0] = property_delta(r);
    const double centre = property_chance(r, 0.5) ? 0.5 : 0x1.78b56362cef38p-2; /* 1/2 or 1/e: medians and modes */
    if (property_chance(r, 0.1)) a[0] = property_nudge(r, centre);
    const double side = property_chance(r, 0.5) ? 1.0 : -1.0;
    if (property_chance(r, 0.1)) a[0] = 0.5 + side * property_log_uniform(r, 0x1p-53, 0.5);
    a[0] = fmin(1.0, fmax(0.0, a[0]));
}

/* ---- truths: z = x / scale is in out[0] when one of these begins ---- */

static void laplace_sf_of(mpfr_t out)
{
    const bool left = mpfr_sgn(out) < 0;
    mpfr_abs(out, out, MPFR_RNDN);
    mpfr_neg(out, out, MPFR_RNDN);
    mpfr_exp(out, out, MPFR_RNDN);
    mpfr_div_2ui(out, out, 1, MPFR_RNDN);
    if (left) mpfr_ui_sub(out, 1, out, MPFR_RNDN);
}
static void laplace_cdf_of(mpfr_t out)
{
    mpfr_neg(out, out, MPFR_RNDN);
    laplace_sf_of(out);
}
static void gaussian_cdf_of(mpfr_t out)
{
    mpfr_t z;
    mpfr_init2(z, 300);
    mpfr_set(z, out, MPFR_RNDN);
    truth_normal_cdf(z, z);
    mpfr_set(out, z, MPFR_RNDN);
    mpfr_clear(z);
}
static void gaussian_sf_of(mpfr_t out)
{
    mpfr_neg(out, out, MPFR_RNDN);
    gaussian_cdf_of(out);
}
static void gumbel_cdf_of(mpfr_t out) /* e^-e^-z */
{
    for (int i = 0; i < 2; i++) {
        mpfr_neg(out, out, MPFR_RNDN);
        mpfr_exp(out, out, MPFR_RNDN);
    }
}
static void gumbel_sf_of(mpfr_t out)
{
    mpfr_neg(out, out, MPFR_RNDN);
    mpfr_exp(out, out, MPFR_RNDN);
    mpfr_neg(out, out, MPFR_RNDN);
    mpfr_expm1(out, out, MPFR_RNDN);
    mpfr_neg(out, out, MPFR_RNDN);
}
static void exponential_cdf_of(mpfr_t out)
{
    mpfr_neg(out, out, MPFR_RNDN);
    mpfr_expm1(out, out, MPFR_RNDN);
    mpfr_neg(out, out, MPFR_RNDN);
    if (mpfr_sgn(out) < 0) mpfr_set_ui(out, 0, MPFR_RNDN);
}
static void exponential_sf_of(mpfr_t out)
{
    mpfr_neg(out, out, MPFR_RNDN);
    if (mpfr_sgn(out) > 0) mpfr_set_ui(out, 0, MPFR_RNDN);
    mpfr_exp(out, out, MPFR_RNDN);
}

/* logarithms of densities, times the scale */
static void laplace_log_pdf_of(mpfr_t out)
{
    mpfr_t ln2;
    mpfr_init2(ln2, PROPERTY_BITS);
    mpfr_const_log2(ln2, MPFR_RNDN);
    mpfr_abs(out, out, MPFR_RNDN);
    mpfr_add(out, out, ln2, MPFR_RNDN);
    mpfr_neg(out, out, MPFR_RNDN);
    mpfr_clear(ln2);
}
static void gaussian_log_pdf_of(mpfr_t out)
{
    mpfr_t x;
    mpfr_init2(x, PROPERTY_BITS);
    mpfr_const_pi(x, MPFR_RNDN);
    mpfr_mul_2ui(x, x, 1, MPFR_RNDN);
    mpfr_log(x, x, MPFR_RNDN);
    mpfr_sqr(out, out, MPFR_RNDN);
    mpfr_add(out, out, x, MPFR_RNDN);
    mpfr_div_si(out, out, -2, MPFR_RNDN);
    mpfr_clear(x);
}
static void gumbel_log_pdf_of(mpfr_t out)
{
    mpfr_t x;
    mpfr_init2(x, PROPERTY_BITS);
    mpfr_neg(out, out, MPFR_RNDN);
    mpfr_exp(x, out, MPFR_RNDN);
    if (mpfr_inf_p(out) && mpfr_sgn(out) > 0) mpfr_set_inf(out, -1);
    else mpfr_sub(out, out, x, MPFR_RNDN);
    mpfr_clear(x);
}
static void exponential_log_pdf_of(mpfr_t out)
{
    if (mpfr_sgn(out) < 0) mpfr_set_inf(out, -1);
    else mpfr_neg(out, out, MPFR_RNDN);
}

#define TRUTH(what, law)                                           \
    static void what##_##law##_truth(mpfr_t *out, const double *a) \
    {                                                              \
        truth_div_d(out[0], a[0], a[1]);                           \
        law##_##what##_of(out[0]);                                 \
    }
#define LOG_PDF_TRUTH(law)                                          \
    static void log_pdf_##law##_truth(mpfr_t *out, const double *a) \
    {                                                               \
        mpfr_t scale;                                               \
        mpfr_init2(scale, PROPERTY_BITS);                           \
        truth_div_d(out[0], a[0], a[1]);                            \
        law##_log_pdf_of(out[0]);                                   \
        property_exact(scale, a[1]);                                \
        mpfr_log(scale, scale, MPFR_RNDN);                          \
        mpfr_sub(out[0], out[0], scale, MPFR_RNDN);                 \
        mpfr_clear(scale);                                          \
    }
#define TRUTHS(law) TRUTH(cdf, law) TRUTH(sf, law) LOG_PDF_TRUTH(law)
TRUTHS(laplace)
TRUTHS(gaussian)
TRUTHS(gumbel)
TRUTHS(exponential)

/* ---- quantiles ---- */

static void ppf_laplace_truth(mpfr_t *out, const double *a)
{
    property_exact(out[0], a[0] <= 0.5 ? a[0] : 1.0 - a[0]); /* 1 - p is exact from 1/2 on */
    mpfr_mul_2ui(out[0], out[0], 1, MPFR_RNDN);
    mpfr_log(out[0], out[0], MPFR_RNDN);
    mpfr_mul_d(out[0], out[0], a[0] <= 0.5 ? a[1] : -a[1], MPFR_RNDN);
}
static void ppf_gumbel_truth(mpfr_t *out, const double *a)
{
    property_exact(out[0], a[0]);
    for (int i = 0; i < 2; i++) {
        mpfr_log(out[0], out[0], MPFR_RNDN);
        mpfr_neg(out[0], out[0], MPFR_RNDN);
    }
    mpfr_mul_d(out[0], out[0], a[1], MPFR_RNDN);
}
static void ppf_exponential_truth(mpfr_t *out, const double *a)
{
    property_exact(out[0], -a[0]);
    mpfr_log1p(out[0], out[0], MPFR_RNDN);
    mpfr_mul_d(out[0], out[0], -a[1], MPFR_RNDN);
}

/* Newton's method from a double: ln Phi(z) = ln p for the smaller of p and 1 - p; each step doubles the digits. Near
 * p = 1/2 in erf(z / sqrt 2) = 2p - 1 instead. */
static void ppf_gaussian_truth(mpfr_t *out, const double *a)
{
    const double least = fmin(a[0], 1.0 - a[0]);
    if (least == 0.0) {
        mpfr_set_inf(out[0], a[0] == 0.0 ? -1 : 1);
        return;
    }
    mpfr_t z, value, slope, target;
    mpfr_inits2(260, z, value, slope, target, (mpfr_ptr)0);
    const bool near_half = least > 0.1;
    double start;
    if (simdp_noise_quantile(&start, &least, 1, SIMDP_MECHANISM_GAUSSIAN, 1.0) != SIMDP_OK) start = -1.0;
    property_exact(z, start);
    property_exact(target, least);
    if (near_half) mpfr_sub_d(target, target, 0.5, MPFR_RNDN);
    else mpfr_log(target, target, MPFR_RNDN);
    for (int i = 0; i < 5; i++) {
        mpfr_const_pi(slope, MPFR_RNDN);
        mpfr_mul_2ui(slope, slope, 1, MPFR_RNDN);
        mpfr_log(slope, slope, MPFR_RNDN);
        mpfr_sqr(value, z, MPFR_RNDN);
        mpfr_add(slope, slope, value, MPFR_RNDN);
        mpfr_div_si(slope, slope, -2, MPFR_RNDN); /* ln phi(z) */
        if (near_half) {                          /* erf(z/sqrt 2)/2 */
            mpfr_set_ui(value, 2, MPFR_RNDN);
            mpfr_sqrt(value, value, MPFR_RNDN);
            mpfr_div(value, z, value, MPFR_RNDN);
            mpfr_erf(value, value, MPFR_RNDN);
            mpfr_div_2ui(value, value, 1, MPFR_RNDN);
        } else {
            truth_log_normal_cdf(value, z);
            mpfr_sub(slope, slope, value, MPFR_RNDN);
        }
        mpfr_exp(slope, slope, MPFR_RNDN);
        mpfr_sub(value, value, target, MPFR_RNDN);
        mpfr_div(value, value, slope, MPFR_RNDN);
        mpfr_sub(z, z, value, MPFR_RNDN);
    }
    mpfr_mul_d(out[0], z, a[0] <= 0.5 ? a[1] : -a[1], MPFR_RNDN);
    mpfr_clears(z, value, slope, target, (mpfr_ptr)0);
}

/* 1e-25 of what is added up, or of the scale for a quantile */
static void log_pdf_slack(mpfr_t *out, const double *a)
{
    mpfr_set_d(out[0], 1e-25 * (1.0 + fabs(log(a[1]))), MPFR_RNDU);
}
static void scale_slack(mpfr_t *out, const double *a)
{
    property_exact(out[0], a[1]);
    mpfr_mul_d(out[0], out[0], 1e-25, MPFR_RNDU);
}

/* ---- defects: x / scale in one double ---- */

static simdp_status sf_gaussian_rounded(double *out, const double *a)
{
    const double z = a[0] / a[1];
    return simdp_noise_sf(out, &z, 1, SIMDP_MECHANISM_GAUSSIAN, 1.0);
}
static simdp_status cdf_gumbel_rounded(double *out, const double *a)
{
    out[0] = exp(-exp(-a[0] / a[1]));
    return SIMDP_OK;
}
static simdp_status log_pdf_exponential_rounded(double *out, const double *a)
{
    out[0] = a[0] / a[1] < 0.0 ? -INFINITY : -a[0] / a[1] - log(a[1]);
    return SIMDP_OK;
}
static simdp_status ppf_laplace_from_one(double *out, const double *a)
{
    out[0] = a[0] <= 0.5 ? a[1] * log(2.0 * a[0]) : -a[1] * log1p(1.0 - 2.0 * a[0] + 0x1p-60);
    return SIMDP_OK;
}

#define LAW(law, part)                                                                                     \
    PROPERTY_OF(noise_cdf, cdf_##law, 2, 1, .draw = draw_x_scale, .rule = {NEAR(1e-14)}, .share = part),   \
        PROPERTY_OF(noise_sf, sf_##law, 2, 1, .draw = draw_x_scale, .rule = {NEAR(1e-14)}, .share = part), \
        PROPERTY_OF(noise_log_density, log_pdf_##law, 2, 1, .draw = draw_x_scale, .rule = {NEAR(1e-14)},   \
                    .slack = log_pdf_slack, .share = part),                                                \
        PROPERTY_OF(noise_quantile, ppf_##law, 2, 1, .draw = draw_p_scale, .rule = {NEAR(1e-14)},          \
                    .slack = scale_slack, .share = part)

static const property_row rows[] = {
    LAW(laplace, 1), LAW(gaussian, 0.3), LAW(gumbel, 1), LAW(exponential, 1), {0},
};

static const property_planted planted[] = {
    {"x / sigma in one double", "sf_gaussian", sf_gaussian_rounded},
    {"e^-z in one double", "cdf_gumbel", cdf_gumbel_rounded},
    {"terms that cancel in one double", "log_pdf_exponential", log_pdf_exponential_rounded},
    {"1 - p moved by 2^-60", "ppf_laplace", ppf_laplace_from_one},
    {0},
};

int main(int argc, char **argv) { return property_main(argc, argv, rows, planted); }
