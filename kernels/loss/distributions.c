/* distributions.c: cdf, survival, quantile and log density of the laws that noise draws from. */
#include <math.h>
#include <stdbool.h>

#include "math/forms.h"
#include "math/special.h"

static bool is_scale(double b) { return b > 0.0 && b < INFINITY; }
static bool is_probability(double p) { return p >= 0.0 && p <= 1.0; }

/* the argument in scale units; NaN if the scale is none */
static double standard(double x, const double *scale) { return is_scale(*scale) ? x / *scale : NAN; }

/* ---- Laplace ---- */

static double laplace_sf(double x, const double *scale)
{
    const double z = standard(x, scale);
    return z < 0.0 ? 1.0 - 0.5 * exp(z) : 0.5 * exp(-z);
}

static double laplace_cdf(double x, const double *scale) { return laplace_sf(-x, scale); }

static double laplace_log_pdf(double x, const double *scale) { return -fabs(standard(x, scale)) - log(2.0 * *scale); }

static double laplace_ppf(double p, const double *scale)
{
    if (!is_probability(p) || !is_scale(*scale)) return NAN;
    return *scale * (p <= 0.5 ? log(2.0 * p) : -log(2.0 * (1.0 - p)));
}

/* ---- Gaussian ---- */

static double gaussian_cdf(double x, const double *sigma) { return simdp_special_normal_cdf(standard(x, sigma), 0.0); }
static double gaussian_sf(double x, const double *sigma) { return simdp_special_normal_cdf(-standard(x, sigma), 0.0); }

static double gaussian_log_pdf(double x, const double *sigma)
{
    const double z = standard(x, sigma);
    return -0.5 * z * z - SPECIAL_HALF_LN_2PI - log(*sigma);
}

static double gaussian_ppf(double p, const double *sigma)
{
    return is_scale(*sigma) ? *sigma * simdp_special_normal_quantile(p) : NAN;
}

/* ---- Gumbel, maximum form ---- */

static double gumbel_cdf(double x, const double *scale) { return exp(-exp(-standard(x, scale))); }
static double gumbel_sf(double x, const double *scale) { return -expm1(-exp(-standard(x, scale))); }

static double gumbel_log_pdf(double x, const double *scale)
{
    const double z = standard(x, scale);
    return z == -INFINITY ? -INFINITY : -z - exp(-z) - log(*scale);
}

static double gumbel_ppf(double p, const double *scale)
{
    return is_probability(p) && is_scale(*scale) ? *scale * -log(-log(p)) : NAN;
}

/* ---- exponential ---- */

static double exponential_cdf(double x, const double *scale)
{
    const double z = standard(x, scale);
    return z <= 0.0 ? 0.0 : -expm1(-z);
}

static double exponential_sf(double x, const double *scale)
{
    const double z = standard(x, scale);
    return z <= 0.0 ? 1.0 : exp(-z);
}

static double exponential_log_pdf(double x, const double *scale)
{
    const double z = standard(x, scale);
    return z < 0.0 ? -INFINITY : -z - log(*scale);
}

static double exponential_ppf(double p, const double *scale)
{
    return is_probability(p) && is_scale(*scale) ? *scale * -log1p(-p) : NAN;
}

#define PUBLIC_LAW(law) FORM_OF_SCALE(cdf, law) FORM_OF_SCALE(sf, law) FORM_OF_SCALE(log_pdf, law) FORM_OF_SCALE(ppf, law)
PUBLIC_LAW(laplace)
PUBLIC_LAW(gaussian)
PUBLIC_LAW(gumbel)
PUBLIC_LAW(exponential)
