/* distribution.c: the law of the privacy loss under the first input: P[L <= l], P[L > l], their logarithms; and its
 * moments. */
#include "loss/curve.h"
#include "math/plain_math.h"
#include "math/quotient.h"
#include "math/special.h"

/* A probability and its complement, each with its logarithm, so that none is found by subtraction from 1. */
typedef struct {
    double cdf, sf, log_cdf, log_sf;
} law_point;

static const law_point nowhere = {NAN, NAN, NAN, NAN}, below = {0.0, 1.0, -INFINITY, 0.0},
                       above = {1.0, 0.0, 0.0, -INFINITY};

/* Laplace, t = sensitivity/scale: mass 1/2 at t, e^-t/2 at -t, density e^((l-t)/2)/4 between. The exponential
 * multiplies what the subtraction l - t loses by its size, so that is put back. */
static law_point laplace_law(double l, const double *t)
{
    if (isnan(l) || !(*t >= 0.0)) return nowhere;
    if (l < -*t) return below;
    if (l >= *t) return above;
    const dd away = isinf(*t) ? dd_of(-INFINITY) : dd_two_sum(l, -*t);
    const double cdf = 0.5 * exp_of(dd_scale(away, 0.5));
    return (law_point){cdf, 1.0 - cdf, 0.5 * away.hi - SPECIAL_LN2, plain_log1p(-cdf)};
}

/* Gaussian, s = sigma/sensitivity: normal with mean 1/(2 s^2) and variance 1/s^2. */
static law_point gaussian_law(double l, const double *s)
{
    if (isnan(l) || !(*s >= 0.0)) return nowhere;
    if (isinf(l) || isinf(*s)) return l < 0.0 ? below : above;
    if (*s == 0.0) return below;
    double z, z_low;
    simdp_curve_gaussian_standardise(&z, &z_low, l, *s);
    return (law_point){simdp_special_normal_cdf(z, z_low), simdp_special_normal_cdf(-z, -z_low),
                       simdp_special_log_normal_cdf(z, z_low), simdp_special_log_normal_cdf(-z, -z_low)};
}

/* (1 - leak)/(1 + e^epsilon), in an order that rounds once where it is subnormal */
static double response_flip(double epsilon, double leak)
{
    const double root = plain_exp(-0.5 * epsilon);
    return (1.0 - leak) * root / (1.0 + plain_exp(-epsilon)) * root;
}

/* Leaky randomized response: inf with probability leak, else epsilon0 or -epsilon0. */
static law_point response_law(double l, const double *p)
{
    const double epsilon0 = p[0], leak = p[1];
    if (isnan(l) || !(epsilon0 >= 0.0 && leak >= 0.0 && leak <= 1.0)) return nowhere;
    if (l < -epsilon0) return below;
    if (l == INFINITY) return above;
    if (l >= epsilon0) return (law_point){1.0 - leak, leak, plain_log1p(-leak), plain_log(leak)};
    const double cdf = response_flip(epsilon0, leak);
    return (law_point){cdf, 1.0 - cdf, plain_log1p(-leak) - epsilon0 - plain_log1p(plain_exp(-epsilon0)),
                       plain_log1p(-cdf)};
}

#define FORM(law, member) \
    static double law##_loss_##member(double l, const double *p) { return law##_law(l, p).member; }
#define FORMS(law) FORM(law, cdf) FORM(law, sf) FORM(law, log_cdf) FORM(law, log_sf)
FORMS(laplace)
FORMS(gaussian)
FORMS(response)

#define PUBLIC(member)                                                                         \
    simdp_status simdp_loss_##member(double *out, const double *loss, size_t n, simdp_law law) \
    {                                                                                          \
        static const loss_forms forms = {                                                      \
            [SIMDP_MECHANISM_LAPLACE] = laplace_loss_##member,                                 \
            [SIMDP_MECHANISM_GAUSSIAN] = gaussian_loss_##member,                               \
            [SIMDP_MECHANISM_RANDOMIZED_RESPONSE] = response_loss_##member,                    \
        };                                                                                     \
        return simdp_loss_map(out, loss, n, forms, law);                                       \
    }
PUBLIC(cdf)
PUBLIC(sf)
PUBLIC(log_cdf)
PUBLIC(log_sf)

/* ---- moments ---- */

static const simdp_loss_moments no_moments = {NAN, NAN, NAN, NAN, NAN};

/* t - 1 + e^-t and 3 - (4t+2) e^-t - e^-2t; below 1, where they cancel, their power series */
static simdp_loss_moments laplace_moments(double t)
{
    if (!(t >= 0.0)) return no_moments;
    if (isinf(t)) return (simdp_loss_moments){INFINITY, 3.0, INFINITY, INFINITY, 1.0};
    double mean, variance;
    if (t >= 1.0) {
        const double e = plain_exp(-t);
        mean = t + plain_expm1(-t);
        variance = 3.0 - (4.0 * (t * e) + 2.0 * e) - e * e; /* 4 t may overflow */
    } else {
        double term = t * t, power = 2.0; /* 2 (-t)^n/n!, 2^(n-1) */
        mean = variance = 0.0;
        for (int n = 2; n < 32; n++) { /* 2^32/32! is below 2^-85 */
            mean += 0.5 * term;
            variance += (2.0 * n - 1.0 - power) * term;
            term *= -t / (n + 1);
            power *= 2.0;
        }
    }
    return (simdp_loss_moments){mean, variance, mean, t, -plain_expm1(-0.5 * t)};
}

static simdp_loss_moments gaussian_moments(double s)
{
    if (!(s >= 0.0)) return no_moments;
    const double mu = 1.0 / s, kl = 0.5 * mu * mu;
    return (simdp_loss_moments){kl, mu * mu, kl, mu > 0.0 ? INFINITY : 0.0, plain_erf(mu * (0.5 * SPECIAL_SQRT_HALF))};
}

static simdp_loss_moments response_moments(double epsilon, double leak)
{
    if (!(epsilon >= 0.0 && leak >= 0.0 && leak <= 1.0)) return no_moments;
    const double half = plain_tanh(0.5 * epsilon), mean = epsilon == 0.0 ? 0.0 : epsilon * half;
    /* epsilon/cosh(epsilon/2), whose square may be subnormal where this is not */
    const double root =
        isinf(epsilon) ? 0.0 : 2.0 * (epsilon * plain_exp(-0.5 * epsilon)) / (1.0 + plain_exp(-epsilon));
    const double variance = root * root;
    const bool leaks = leak > 0.0;
    return (simdp_loss_moments){mean, variance, leaks ? INFINITY : mean, leaks ? INFINITY : epsilon,
                                leak + (1.0 - leak) * half};
}

static simdp_loss_moments moments_of(const simdp_law *law)
{
    const loss_parameters p = simdp_loss_parameters(law);
    switch (law->mechanism) {
    case SIMDP_MECHANISM_LAPLACE: return laplace_moments(p.parameter[0]);
    case SIMDP_MECHANISM_GAUSSIAN: return gaussian_moments(p.parameter[0]);
    case SIMDP_MECHANISM_RANDOMIZED_RESPONSE: return response_moments(p.parameter[0], p.parameter[1]);
    default: return no_moments;
    }
}

simdp_status simdp_loss_law_moments(simdp_loss_moments *out, const simdp_law *law, size_t n)
{
    FORMS_EACH(n, form_is_number((out[i] = moments_of(&law[i])).mean), FORM_ARRAY(out), FORM_ARRAY(law));
}

static bool response_probabilities(double *keep, double *flip, double epsilon, double leak)
{
    const bool good = epsilon >= 0.0 && leak >= 0.0 && leak <= 1.0;
    *keep = good ? (1.0 - leak) / (1.0 + plain_exp(-epsilon)) : NAN;
    *flip = good ? response_flip(epsilon, leak) : NAN;
    return good;
}

simdp_status simdp_loss_response_probabilities(double *keep, double *flip, const double *epsilon, size_t n, double leak)
{
    FORMS_EACH(n, response_probabilities(&keep[i], &flip[i], epsilon[i], leak), FORM_ARRAY(keep), FORM_ARRAY(flip),
               FORM_ARRAY(epsilon));
}
