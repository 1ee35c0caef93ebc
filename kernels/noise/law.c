/* law.c: the laws that noise draws from: distribution function, survival, log density and quantile; and the public
 * functions, which find a law by its name. */
#include "noise/law.h"

#include "math/plain_math.h"
#include "math/quotient.h"
#include "math/special.h"

/* the argument in scale units; NaN if the scale is none */
static dd standard(double x, const double *scale)
{
    return noise_law_scale_ok(*scale) ? quotient(x, *scale) : dd_of(NAN);
}

/* -a - ln(scale), in two doubles where its parts cancel; a is finite, or inf, or NaN. `most` is the largest number that
 * a is the sum of. */
static double less_log(dd a, double most, double scale)
{
    const double log_scale = plain_log(scale), sum = a.hi + log_scale;
    if (!(fabs(sum) < 0.25 * fmax(most, fabs(log_scale)))) return -sum;
    return -dd_double(dd_add(a, dd_log(dd_of(scale))));
}

/* ---- Laplace ---- */

static double laplace_sf(double x, const double *scale)
{
    const dd z = standard(x, scale);
    return z.hi < 0.0 ? 1.0 - 0.5 * plain_exp(z.hi) : 0.5 * exp_of(dd_neg(z));
}

static double laplace_cdf(double x, const double *scale) { return laplace_sf(-x, scale); }

static double laplace_log_density(double x, const double *scale)
{
    const dd ln2 = {SPECIAL_LN2, SPECIAL_LN2_LOW}, z = standard(x, scale), size = z.hi < 0.0 ? dd_neg(z) : z;
    return less_log(size.hi < 0x1p+900 ? dd_add(size, ln2) : size, size.hi, *scale);
}

static double laplace_quantile(double p, const double *scale)
{
    if (!noise_law_is_probability(p) || !noise_law_scale_ok(*scale)) return NAN;
    return *scale * (p <= 0.5 ? plain_log(2.0 * p) : -plain_log(2.0 * (1.0 - p)));
}

/* ---- Gaussian ---- */

static double gaussian_cdf(double x, const double *sigma)
{
    const dd z = standard(x, sigma);
    return simdp_special_normal_cdf(z.hi, z.lo);
}

static double gaussian_sf(double x, const double *sigma) { return gaussian_cdf(-x, sigma); }

static double gaussian_log_density(double x, const double *sigma)
{
    const dd half_ln_2pi = {SPECIAL_HALF_LN_2PI, SPECIAL_HALF_LN_2PI_LOW}, z = standard(x, sigma);
    if (!(fabs(z.hi) < 0x1p+400)) return -0.5 * z.hi * z.hi;
    const dd half_square = dd_scale(dd_mul(z, z), 0.5);
    return less_log(dd_add(half_square, half_ln_2pi), half_square.hi, *sigma);
}

static double gaussian_quantile(double p, const double *sigma)
{
    return noise_law_scale_ok(*sigma) ? *sigma * simdp_special_normal_quantile(p) : NAN;
}

/* ---- Gumbel, maximum form ---- */

/* e^-z is an exponent itself: where it is large, it comes in two doubles. */
static double gumbel_cdf(double x, const double *scale)
{
    const dd z = standard(x, scale);
    return z.hi > -1.0 ? plain_exp(-exp_of(dd_neg(z))) : exp_of(dd_neg(dd_exp(dd_neg(z))));
}

static double gumbel_sf(double x, const double *scale) { return -plain_expm1(-exp_of(dd_neg(standard(x, scale)))); }

/* -(z + e^-z) - ln(scale), in two doubles where its parts cancel */
static double gumbel_log_density(double x, const double *scale)
{
    const dd z = standard(x, scale);
    const double power = exp_of(dd_neg(z)), log_scale = plain_log(*scale);
    if (!(power < 0x1p+900)) return -power;
    const double sum = z.hi + power + log_scale;
    if (!(fabs(sum) < 0.25 * fmax(fabs(z.hi), fmax(power, fabs(log_scale))))) return -sum;
    return -dd_double(dd_add(dd_add(z, dd_exp(dd_neg(z))), dd_log(dd_of(*scale))));
}

/* near 0 by way of two doubles */
static double gumbel_quantile(double p, const double *scale)
{
    if (!noise_law_is_probability(p) || !noise_law_scale_ok(*scale)) return NAN;
    const double plain = -plain_log(-plain_log(p));
    return *scale * (fabs(plain) < 0.25 ? -dd_double(dd_log(dd_neg(dd_log(dd_of(p))))) : plain);
}

/* ---- exponential ---- */

static double exponential_cdf(double x, const double *scale)
{
    const dd z = standard(x, scale);
    return z.hi <= 0.0 ? 0.0 : -plain_expm1(-z.hi);
}

static double exponential_sf(double x, const double *scale)
{
    const dd z = standard(x, scale);
    return z.hi <= 0.0 ? 1.0 : exp_of(dd_neg(z));
}

static double exponential_log_density(double x, const double *scale)
{
    const dd z = standard(x, scale);
    return x < 0.0 && noise_law_scale_ok(*scale) ? -INFINITY
                                                 : less_log(z, z.hi, *scale); /* z may be 0 where x is not */
}

static double exponential_quantile(double p, const double *scale)
{
    return noise_law_is_probability(p) && noise_law_scale_ok(*scale) ? *scale * -plain_log1p(-p) : NAN;
}

/* ---- public ---- */

static const noise_law *law_of(simdp_mechanism law)
{
    static const noise_law laplace = {laplace_cdf, laplace_sf, laplace_log_density, NULL, laplace_quantile},
                           gaussian = {gaussian_cdf, gaussian_sf, gaussian_log_density, NULL, gaussian_quantile},
                           gumbel = {gumbel_cdf, gumbel_sf, gumbel_log_density, NULL, gumbel_quantile},
                           exponential = {exponential_cdf, exponential_sf, exponential_log_density, NULL,
                                          exponential_quantile},
                           none = {NULL, NULL, NULL, NULL, NULL};
    switch (law) {
    case SIMDP_MECHANISM_LAPLACE: return &laplace;
    case SIMDP_MECHANISM_GAUSSIAN: return &gaussian;
    case SIMDP_MECHANISM_GUMBEL: return &gumbel;
    case SIMDP_MECHANISM_EXPONENTIAL: return &exponential;
    case SIMDP_MECHANISM_DISCRETE_LAPLACE: return &simdp_noise_law_discrete_laplace;
    case SIMDP_MECHANISM_DISCRETE_GAUSSIAN: return &simdp_noise_law_discrete_gaussian;
    default: return &none;
    }
}

static double unknown(double x, const double *scale)
{
    (void)x, (void)scale;
    return NAN;
}

static simdp_status map(double *out, const double *x, size_t n, simdp_form form, double scale)
{
    return simdp_forms_map(out, x, n, form != NULL ? form : unknown, &scale);
}

simdp_status simdp_noise_cdf(double *out, const double *x, size_t n, simdp_mechanism law, double scale)
{
    return map(out, x, n, law_of(law)->cdf, scale);
}

simdp_status simdp_noise_sf(double *out, const double *x, size_t n, simdp_mechanism law, double scale)
{
    return map(out, x, n, law_of(law)->sf, scale);
}

simdp_status simdp_noise_log_density(double *out, const double *x, size_t n, simdp_mechanism law, double scale)
{
    return map(out, x, n, law_of(law)->log_density, scale);
}

simdp_status simdp_noise_probability(double *out, const double *x, size_t n, simdp_mechanism law, double scale)
{
    return map(out, x, n, law_of(law)->probability, scale);
}

simdp_status simdp_noise_quantile(double *out, const double *p, size_t n, simdp_mechanism law, double scale)
{
    return map(out, p, n, law_of(law)->quantile, scale);
}
