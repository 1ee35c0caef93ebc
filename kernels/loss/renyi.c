#include "loss/renyi.h"

#include <math.h>

#include "math/forms.h"

/* E_Q[(dP/dQ)^alpha] = M = (alpha e^((alpha-1)t) + (alpha-1) e^(-alpha t))/(2 alpha - 1), D = ln M/(alpha - 1).
 * alpha t < 1: M - 1 = (alpha-1) A1 with A1 = alpha sum_{n>=2} t^n/n! h_{n-2}, h_0 = 1, h_m = (alpha-1)^m - alpha
 * h_{m-1}; then D = A1 log1p(z)/z, z = (alpha-1) A1, which needs no case for alpha = 1. */
static double laplace_by_series(double alpha, double t)
{
    const double a = alpha - 1.0;
    double h = 1.0, power = 1.0, factor = 0.5 * t * t, sum = 0.0;
    for (int n = 2; n < 60; n++) {
        const double term = factor * h, before = sum;
        sum += term;
        if (sum == before && fabs(factor * power) <= 0x1p-60 * fabs(sum)) break;
        power *= a;
        h = power - alpha * h;
        factor *= t / (n + 1);
    }
    const double a1 = alpha * sum, z = a * a1;
    return fabs(z) < 0x1p-60 ? a1 : a1 * (log1p(z) / z);
}

/* With b = alpha - 1/2, M = e^(-t/2) (cosh(b t) + t/2 sinh(b t)/(b t)): no 0/0 at alpha = 1/2. */
static double laplace_near_half(double alpha, double t)
{
    if (alpha == 0.5) return t - 2.0 * log1p(0.5 * t);
    const double x = (alpha - 0.5) * t, y = fabs(x), decay = exp(-2.0 * y);
    /* ln(cosh(x) + t/2 sinh(x)/x) = y + ln((1 + e^-2y)/2 + t/2 (1 - e^-2y)/(2y)) */
    const double ratio = y == 0.0 ? 1.0 : -expm1(-2.0 * y) / (2.0 * y);
    return (y - 0.5 * t + log(0.5 * (1.0 + decay) + 0.5 * t * ratio)) / (alpha - 1.0);
}

static double laplace_of(double alpha, double t)
{
    const double a = alpha - 1.0;
    if (alpha * t < 1.0) return alpha == 0.5 && t >= 1.0 ? laplace_near_half(alpha, t) : laplace_by_series(alpha, t);
    if (alpha < 0.75) return laplace_near_half(alpha, t);
    if (a * t > 30.0 || a * t < -1.0)
        return t + (log(alpha / (2.0 * alpha - 1.0)) + log1p(a / alpha * exp(-(2.0 * alpha - 1.0) * t))) / a;
    if (fabs(a) < 0x1p-60) return t + expm1(-t);
    return log1p((alpha * expm1(a * t) + a * expm1(-alpha * t)) / (2.0 * alpha - 1.0)) / a;
}

/* The largest loss is t; rounding must not say more. */
double simdp_renyi_of_laplace(double alpha, double t)
{
    if (!(alpha > 0.0 && t >= 0.0)) return NAN;
    return t == 0.0 || isinf(t) || isinf(alpha) ? t : fmin(t, laplace_of(alpha, t));
}

double simdp_renyi_of_gaussian(double alpha, double s)
{
    if (!(alpha > 0.0 && s >= 0.0)) return NAN;
    if (isinf(s)) return 0.0;
    return s == 0.0 ? INFINITY : 0.5 * alpha / s / s;
}

/* ln(cosh((alpha - 1/2) epsilon)/cosh(epsilon/2))/(alpha - 1), arranged so that nothing cancels */
double simdp_renyi_of_randomized_response(double alpha, double epsilon)
{
    if (!(alpha > 0.0 && epsilon >= 0.0)) return NAN;
    if (epsilon == 0.0 || isinf(epsilon) || isinf(alpha)) return epsilon;
    const double a = alpha - 1.0, kept = -expm1(-alpha * epsilon) / (1.0 + exp(-epsilon));
    if (fabs(a * epsilon) < 0x1p-60) return epsilon * kept;
    if (a * epsilon < -1.0)   /* ln cosh x = |x| + log1p(e^-2|x|) - ln 2 */
        return (fmax(a, -alpha) * epsilon + log1p(exp(-fabs(2.0 * alpha - 1.0) * epsilon)) - log1p(exp(-epsilon))) / a;
    return fmin(epsilon, a * epsilon > 700.0 ? epsilon + log(kept) / a : log1p(expm1(a * epsilon) * kept) / a);
}

/* ---- public ---- */

static double laplace(double alpha, const double *t) { return simdp_renyi_of_laplace(alpha, *t); }
static double gaussian(double alpha, const double *s) { return simdp_renyi_of_gaussian(alpha, *s); }
static double response(double alpha, const double *epsilon)
{
    return simdp_renyi_of_randomized_response(alpha, *epsilon);
}

simdp_status simdp_renyi_laplace(double *divergence, const double *order, size_t n, double sensitivity_over_scale)
{
    return simdp_forms_map(divergence, order, n, laplace, &sensitivity_over_scale);
}

simdp_status simdp_renyi_gaussian(double *divergence, const double *order, size_t n, double sigma_over_sensitivity)
{
    return simdp_forms_map(divergence, order, n, gaussian, &sigma_over_sensitivity);
}

simdp_status simdp_renyi_randomized_response(double *divergence, const double *order, size_t n, double epsilon)
{
    return simdp_forms_map(divergence, order, n, response, &epsilon);
}

simdp_status simdp_renyi_laplace_each(double *divergence, const double *order, const double *sensitivity_over_scale,
                                      size_t n)
{
    return simdp_forms_map_each(divergence, order, sensitivity_over_scale, n, laplace);
}

simdp_status simdp_renyi_gaussian_each(double *divergence, const double *order, const double *sigma_over_sensitivity,
                                       size_t n)
{
    return simdp_forms_map_each(divergence, order, sigma_over_sensitivity, n, gaussian);
}

simdp_status simdp_renyi_randomized_response_each(double *divergence, const double *order, const double *epsilon,
                                                  size_t n)
{
    return simdp_forms_map_each(divergence, order, epsilon, n, response);
}
