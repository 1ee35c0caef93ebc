/* renyi.c: Renyi divergences of mechanisms, as scalars and over arrays. */
#include "loss/renyi.h"

#include "loss/law.h"
#include "math/plain_math.h"
#include "math/special.h"

/* Laplace. M = E_Q[(dP/dQ)^alpha] = (alpha e^(a t) + a e^(-alpha t))/(2 alpha - 1), a = alpha - 1, D = ln M/a. With the
 * divided difference of exp (special.h), M - 1 = a alpha t^2 exp[0, a t, -alpha t]: no case for alpha = 1 or 1/2, and
 * nothing cancels while M is not small. */
static double laplace_by_differences(double alpha, double t)
{
    const double a = alpha - 1.0, over_a = alpha * t * t * simdp_special_exp_divided(a * t, -alpha * t), z = a * over_a;
    return fabs(z) < 0x1p-60 ? over_a : over_a * (plain_log1p(z) / z);
}

/* alpha < 1 and t >= 1. With m = min(alpha, 1 - alpha): M = e^(-m t) (1 + m (1 - e^(-(1-2m)t))/(1-2m)), of which m t
 * exceeds the logarithm by a tenth or more. */
static double laplace_below_one(double alpha, double t)
{
    const double m = fmin(alpha, 1.0 - alpha), width = fabs(2.0 * alpha - 1.0), x = width * t;
    const double mean =
        x < 0x1p-60 ? t : -plain_expm1(-x) / width; /* the integral of e^(-width s) over s from 0 to t */
    return (m * t - plain_log1p(m * mean)) / (1.0 - alpha);
}

static double laplace_of(double alpha, double t)
{
    const double a = alpha - 1.0;
    if (a < 0.0) return t < 1.0 ? laplace_by_differences(alpha, t) : laplace_below_one(alpha, t);
    if (alpha * t < 2.0) return laplace_by_differences(alpha, t);
    if (a * t > 30.0) return t + (plain_log1p(a / alpha * plain_exp(-2.0 * (a * t) - t)) - plain_log1p(a / alpha)) / a;
    if (a == 0.0) return t + plain_expm1(-t);
    return plain_log1p((alpha * plain_expm1(a * t) + a * plain_expm1(-alpha * t)) / (2.0 * alpha - 1.0)) / a;
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
    return s == 0.0 ? INFINITY : alpha / s * 0.5 / s; /* halved once it is no longer near the end of the range */
}

/* Randomized response: M = cosh((alpha - 1/2) epsilon)/cosh(epsilon/2) = 1 + expm1(a epsilon) kept. For alpha < 1 and
 * epsilon >= 1, where M may be small: with m = min(alpha, 1 - alpha), M = e^(-m epsilon) (1 + e^(-(1-2m) epsilon)
 * (1 - e^(-2 m epsilon))/(1 + e^-epsilon)). */
static double response_of(double alpha, double epsilon)
{
    const double a = alpha - 1.0, both = 1.0 + plain_exp(-epsilon);
    if (a < 0.0 && epsilon >= 1.0) {
        const double m = fmin(alpha, 1.0 - alpha);
        return (m * epsilon -
                plain_log1p(plain_exp(-fabs(2.0 * alpha - 1.0) * epsilon) * -plain_expm1(-2.0 * m * epsilon) / both)) /
               (1.0 - alpha);
    }
    const double kept = -plain_expm1(-alpha * epsilon) / both;
    if (fabs(a * epsilon) < 0x1p-60) return epsilon * kept;
    return a * epsilon > 700.0 ? epsilon + plain_log(kept) / a : plain_log1p(plain_expm1(a * epsilon) * kept) / a;
}

double simdp_renyi_of_randomized_response(double alpha, double epsilon)
{
    if (!(alpha > 0.0 && epsilon >= 0.0)) return NAN;
    return epsilon == 0.0 || isinf(epsilon) || isinf(alpha) ? epsilon : fmin(epsilon, response_of(alpha, epsilon));
}

/* ---- public ---- */

static double laplace(double alpha, const double *t) { return simdp_renyi_of_laplace(alpha, *t); }
static double gaussian(double alpha, const double *s) { return simdp_renyi_of_gaussian(alpha, *s); }
static double response(double alpha, const double *p) /* epsilon and leak */
{
    return p[1] == 0.0 ? simdp_renyi_of_randomized_response(alpha, p[0]) : NAN;
}

static const loss_forms divergences = {
    [SIMDP_MECHANISM_LAPLACE] = laplace,
    [SIMDP_MECHANISM_GAUSSIAN] = gaussian,
    [SIMDP_MECHANISM_RANDOMIZED_RESPONSE] = response,
};

simdp_status simdp_loss_renyi(double *divergence, const double *order, size_t n, simdp_law law)
{
    return simdp_loss_map(divergence, order, n, divergences, law);
}

simdp_status simdp_loss_renyi_each(double *divergence, const double *order, const double *parameter, size_t n,
                                   simdp_law law)
{
    return simdp_loss_map_each(divergence, order, parameter, n, divergences, law);
}
