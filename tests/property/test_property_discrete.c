/* test_property_discrete: discrete Laplace and Gaussian laws and their privacy curves against MPFR; property.h has the
 * rules. */
#include <math.h>

#include "property/property.h"
#include "property/truth_discrete.h"
#include "support/laws.h"

#define ADAPTER(what, public, law, mechanism)                                          \
    static simdp_status what##_##law(double *out, const double *a)                     \
    {                                                                                  \
        return simdp_noise_##public(out, &a[0], 1, SIMDP_MECHANISM_##mechanism, a[1]); \
    }
#define ADAPTERS(law, mechanism)                  \
    ADAPTER(pmf, probability, law, mechanism)     \
    ADAPTER(log_pmf, log_density, law, mechanism) \
    ADAPTER(cdf, cdf, law, mechanism)             \
    ADAPTER(sf, sf, law, mechanism)               \
    ADAPTER(ppf, quantile, law, mechanism)
ADAPTERS(discrete_laplace, DISCRETE_LAPLACE)
ADAPTERS(discrete_gaussian, DISCRETE_GAUSSIAN)

/* ---- arguments ---- */

static double draw_scale(property_random *r)
{
    switch (property_below(r, 6)) {
    case 0: return property_scale(r);
    case 1: return property_log_uniform(r, 1e-3, 1);
    case 2: return property_log_uniform(r, 0x1p-1074, 0x1.fffffffffffffp+1023);
    default: return property_log_uniform(r, 0.3, 60);
    }
}

/* In scale units to both tails; whole numbers for the most part, beyond 2^53 too. Scales of 60 to 10^4 are rarer: their
 * sums are long. */
static void draw_x_scale(property_random *r, double *a)
{
    a[1] = property_chance(r, 0.02) ? property_log_uniform(r, 60, 1e4) : draw_scale(r);
    double z = property_chance(r, 0.3) ? 1500.0 * property_uniform(r) - 750.0 : 80.0 * property_uniform(r) - 40.0;
    if (property_chance(r, 0.5)) z = 12.0 * property_uniform(r) - 6.0;
    if (property_chance(r, 0.1)) z = 0.0;
    a[0] = property_chance(r, 0.8) ? floor(z * a[1]) : z * a[1];
    if (property_chance(r, 0.2)) a[0] = (double)property_below(r, 5) - 2.0;
    if (property_chance(r, 0.02)) a[0] = property_number(r);
    if (property_chance(r, 0.01)) a[0] = property_chance(r, 0.5) ? INFINITY : -INFINITY;
}

static void draw_p_scale(property_random *r, double *a)
{
    draw_x_scale(r, a);
    const double x = a[0];
    double at = 0.5;
    if (property_chance(r, 0.3) && cdf_discrete_laplace(&at, (const double[]){x, a[1]}) == SIMDP_OK)
        at = property_nudge(r, at);
    else at = property_delta(r);
    a[0] = fmin(1.0, fmax(0.0, at));
}

static int64_t draw_sensitivity(property_random *r)
{
    if (property_chance(r, 0.05)) return (int64_t)(property_word(r) >> 1);
    return property_chance(r, 0.5) ? (int64_t)property_below(r, 6) : property_count(r, (int64_t)1 << 62);
}

/* a[2] is the sensitivity; a[3], a[4] its two halves of 32 bits, as a double does not hold every int64_t */
static int64_t sensitivity_of(const double *a) { return (int64_t)a[3] * ((int64_t)1 << 32) + (int64_t)a[4]; }

static void set_sensitivity(double *a, int64_t d)
{
    a[2] = (double)d;
    a[3] = (double)(d >> 32);
    a[4] = (double)(d & 0xffffffff);
}

/* epsilon at an atom of the loss or beside it; anywhere below the largest loss; in the tails */
static void draw_laplace_curve(property_random *r, double *a)
{
    a[1] = draw_scale(r);
    set_sensitivity(a, draw_sensitivity(r));
    const double x = floor(property_uniform(r) * a[2] / 2.0);
    a[0] = property_chance(r, 0.4) ? property_nudge(r, (a[2] - 2.0 * x) / a[1]) : property_epsilon(r);
    if (property_chance(r, 0.2)) a[0] = property_uniform(r) * a[2] / a[1];
    if (property_chance(r, 0.01)) a[0] = INFINITY;
    a[0] = fmin(0x1p+100, fabs(a[0]));
}

static void draw_gaussian_curve(property_random *r, double *a)
{
    a[1] = property_chance(r, 0.02) ? property_log_uniform(r, 60, 1e4) : draw_scale(r);
    set_sensitivity(a, draw_sensitivity(r));
    const double near = fmin(0x1p+61, a[1] * property_log_uniform(r, 1e-2, 10));
    if (property_chance(r, 0.5)) set_sensitivity(a, 1 + (int64_t)near);
    const double d = a[2], v = 60.0 * property_uniform(r) - 20.0, m = floor(v * a[1]);
    a[0] = property_epsilon(r);
    if (property_chance(r, 0.5)) a[0] = (m + 0.5 * d) / a[1] * (d / a[1]); /* the loss of m */
    a[0] = property_nudge(r, a[0]);
    if (!(a[0] >= 0.0)) a[0] = 0.0;
    a[0] = fmin(0x1p+100, a[0]);
    if (property_chance(r, 0.01)) a[0] = INFINITY;
}

#define CURVE_ADAPTER(what, law)                                                     \
    static simdp_status what##_##law(double *out, const double *a)                   \
    {                                                                                \
        return simdp_loss_##what(out, &a[0], 1, law_##law(a[1], sensitivity_of(a))); \
    }
CURVE_ADAPTER(delta, discrete_laplace)
CURVE_ADAPTER(log_delta, discrete_laplace)
CURVE_ADAPTER(delta, discrete_gaussian)
CURVE_ADAPTER(log_delta, discrete_gaussian)

/* ---- truths ---- */

#define LAW_TRUTHS(law)                                                                                              \
    static void pmf_##law##_truth(mpfr_t *out, const double *a) { truth_##law##_pmf(out[0], a[0], a[1], false); }    \
    static void log_pmf_##law##_truth(mpfr_t *out, const double *a) { truth_##law##_pmf(out[0], a[0], a[1], true); } \
    static void cdf_##law##_truth(mpfr_t *out, const double *a)                                                      \
    {                                                                                                                \
        truth_##law##_tail(out[0], -floor(a[0]), false, a[1]);                                                       \
    }                                                                                                                \
    static void sf_##law##_truth(mpfr_t *out, const double *a) { truth_##law##_tail(out[0], floor(a[0]), true, a[1]); }
LAW_TRUTHS(discrete_laplace)
LAW_TRUTHS(discrete_gaussian)

/* A quantile is right if it is that of a p whose smaller tail is moved by 1e-14 of itself: P[X <= x] >= p and P[X <=
 * x - 1] < p, but for that. Then the truth is what was got, else NaN. */
typedef void tail_function(mpfr_t out, double m, bool next, double scale);

static bool reaches(tail_function *at_least, double x, double p, double scale, double slack)
{
    mpfr_t tail;
    bool yes;
    mpfr_init2(tail, PROPERTY_BITS);
    if (p <= 0.5) {
        at_least(tail, -x, false, scale); /* P[X <= x] */
        mpfr_mul_d(tail, tail, 1.0 + slack, MPFR_RNDN);
        yes = mpfr_cmp_d(tail, p) >= 0;
    } else {
        at_least(tail, x, true, scale);
        mpfr_mul_d(tail, tail, 1.0 - slack, MPFR_RNDN);
        yes = mpfr_cmp_d(tail, 1.0 - p) <= 0;
    }
    mpfr_clear(tail);
    return yes;
}

static void quantile_truth(mpfr_t out, double x, const double *a, tail_function *at_least)
{
    const double p = a[0];
    if (p == 0.0 || p == 1.0) {
        mpfr_set_inf(out, p == 0.0 ? -1 : 1);
        return;
    }
    const double before = fabs(x) < 0x1p+53 ? x - 1.0 : nextafter(x, -INFINITY);
    property_exact(out, x);
    if (x != floor(x) || !reaches(at_least, x, p, a[1], 1e-14) || reaches(at_least, before, p, a[1], -1e-14))
        mpfr_set_nan(out);
    if (isinf(x) && a[1] > 0x1p+1000) property_exact(out, x); /* beyond the largest double */
}

static void ppf_discrete_laplace_truth(mpfr_t *out, const double *a)
{
    double x = NAN;
    (void)!ppf_discrete_laplace(&x, a);
    quantile_truth(out[0], x, a, truth_discrete_laplace_tail);
}
static void ppf_discrete_gaussian_truth(mpfr_t *out, const double *a)
{
    double x = NAN;
    (void)!ppf_discrete_gaussian(&x, a);
    quantile_truth(out[0], x, a, truth_discrete_gaussian_tail);
}

static void delta_discrete_laplace_truth(mpfr_t *out, const double *a)
{
    truth_discrete_laplace_curve(out[0], a[0], a[1], sensitivity_of(a), false);
}
static void log_delta_discrete_laplace_truth(mpfr_t *out, const double *a)
{
    truth_discrete_laplace_curve(out[0], a[0], a[1], sensitivity_of(a), true);
}

/* The truth of the last case, from which its slack goes on: what an epsilon moved by 2^-90 of itself is worth. */
static mpfr_t last;

static void gaussian_curve_truth(mpfr_t out, const double *a, bool logarithm)
{
    truth_discrete_gaussian_curve(out, a[0], a[1], sensitivity_of(a), logarithm);
    mpfr_set(last, out, MPFR_RNDN);
}
static void delta_discrete_gaussian_truth(mpfr_t *out, const double *a) { gaussian_curve_truth(out[0], a, false); }
static void log_delta_discrete_gaussian_truth(mpfr_t *out, const double *a) { gaussian_curve_truth(out[0], a, true); }
static void delta_slack(mpfr_t *out, const double *a)
{
    truth_discrete_gaussian_moved(out[0], last, a[0], a[1], sensitivity_of(a), false);
}
static void log_delta_slack(mpfr_t *out, const double *a)
{
    truth_discrete_gaussian_moved(out[0], last, a[0], a[1], sensitivity_of(a), true);
}

/* ---- defects ---- */

/* D/t - epsilon in one double, which is wrong near an atom of the loss */
static simdp_status delta_laplace_rounded(double *out, const double *a)
{
    const double c = a[2] / a[1] - a[0], q = exp(-1.0 / a[1]);
    const double n = fmax(0.0, fmin(a[2] - 1.0, ceil(0.5 * c * a[1]) - 1.0)), x = fmax(0.0, c - (n + 1.0) / a[1]);
    out[0] = c > 0.0 ? (-expm1(-c) + q * (expm1(-x) * expm1(-n / a[1]))) / (1.0 + q) : 0.0;
    return SIMDP_OK;
}

/* the law of the nearest double to the sensitivity: as if epsilon were off by its last place */
static simdp_status delta_gaussian_moved(double *out, const double *a)
{
    const double moved = a[0] * (1.0 + 0x1p-52);
    return simdp_loss_delta(out, &moved, 1, law_discrete_gaussian(a[1], sensitivity_of(a)));
}

static simdp_status sf_laplace_rounded(double *out, const double *a)
{
    const double m = floor(a[0]) + 1.0;
    if (!(m >= 1.0)) return sf_discrete_laplace(out, a);
    out[0] = exp(-m / a[1]) / (1.0 + exp(-1.0 / a[1]));
    return SIMDP_OK;
}

static simdp_status log_pmf_gaussian_of_pmf(double *out, const double *a)
{
    const simdp_status status = pmf_discrete_gaussian(out, a);
    out[0] = log(out[0]);
    return status;
}

static simdp_status ppf_laplace_late(double *out, const double *a)
{
    const simdp_status status = ppf_discrete_laplace(out, a);
    if (a[0] > 0.999 && fabs(out[0]) < 1e6) out[0] += 1.0;
    return status;
}

#define LAW(law, part)                                                                                       \
    PROPERTY_OF(noise_probability, pmf_##law, 2, 1, .draw = draw_x_scale, .rule = {NEAR(1e-14)}),            \
        PROPERTY_OF(noise_log_density, log_pmf_##law, 2, 1, .draw = draw_x_scale, .rule = {NEAR(1e-14)}),    \
        PROPERTY_OF(noise_cdf, cdf_##law, 2, 1, .draw = draw_x_scale, .rule = {NEAR(1e-14)}, .share = part), \
        PROPERTY_OF(noise_sf, sf_##law, 2, 1, .draw = draw_x_scale, .rule = {NEAR(1e-14)}, .share = part),   \
        PROPERTY_OF(noise_quantile, ppf_##law, 2, 1, .draw = draw_p_scale, .rule = {NEAR(0)}, .share = part)

static const property_row rows[] = {
    LAW(discrete_laplace, 1),
    LAW(discrete_gaussian, 0.05),
    PROPERTY_OF(loss_delta, delta_discrete_laplace, 5, 1, .draw = draw_laplace_curve, .rule = {NEAR(1e-14)}),
    PROPERTY_OF(loss_log_delta, log_delta_discrete_laplace, 5, 1, .draw = draw_laplace_curve, .rule = {NEAR(1e-14)}),
    PROPERTY_OF(loss_delta, delta_discrete_gaussian, 5, 1, .draw = draw_gaussian_curve, .rule = {NEAR(1e-13)},
                .share = 0.05, .slack = delta_slack),
    PROPERTY_OF(loss_log_delta, log_delta_discrete_gaussian, 5, 1, .draw = draw_gaussian_curve, .rule = {NEAR(1e-13)},
                .share = 0.05, .slack = log_delta_slack),
    {0},
};

static const property_planted planted[] = {
    {"D/t - epsilon in one double", "delta_discrete_laplace", delta_laplace_rounded},
    {"epsilon off by one unit", "delta_discrete_gaussian", delta_gaussian_moved},
    {"m/t in one double", "sf_discrete_laplace", sf_laplace_rounded},
    {"the logarithm of the pmf", "log_pmf_discrete_gaussian", log_pmf_gaussian_of_pmf},
    {"one too large", "ppf_discrete_laplace", ppf_laplace_late},
    {0},
};

int main(int argc, char **argv)
{
    mpfr_init2(last, PROPERTY_BITS);
    const int status = property_main(argc, argv, rows, planted);
    mpfr_clear(last);
    return status;
}
