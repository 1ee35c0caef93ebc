/* curves.c: privacy curves delta(epsilon) of Laplace noise and of randomized response, and their logarithms. */
#include <math.h>

#include "call/forms.h"
#include "math/plain_math.h"
#include "math/scalar_dd.h"
#include "math/special.h"

/* Laplace: 1 - e^((epsilon - t)/2), 0 from epsilon = t on; t = inf is no noise at all. Where delta is near 1 its
 * logarithm is about e^-(t - epsilon)/2, which multiplies the error of the exponent by its size: what the subtraction
 * lost is put back. */
static double laplace_log_delta(double epsilon, const double *t)
{
    if (!(epsilon >= 0.0 && *t >= 0.0)) return NAN;
    if (!(epsilon < *t)) return -INFINITY;
    if (isinf(*t)) return 0.0;
    const dd difference = dd_two_sum(*t, -epsilon);
    if (difference.hi < 0x1p-60) return plain_log(difference.hi) - SPECIAL_LN2; /* half of it may be 0 */
    const double x = 0.5 * difference.hi;
    return x < SPECIAL_LN2 ? simdp_special_log1mexp(x) : plain_log1p(-plain_exp(-x) * (1.0 - 0.5 * difference.lo));
}

/* Leaky randomized response: leak + (1 - leak) (e^epsilon0 - e^epsilon)+ / (1 + e^epsilon0). *complement = 1 -
 * delta. */
static double response_curve(double epsilon, double epsilon0, double leak, double *complement)
{
    if (!(epsilon >= 0.0 && epsilon0 >= 0.0 && leak >= 0.0 && leak <= 1.0)) return *complement = NAN;
    double base = 0.0, base_complement = 1.0;
    if (isinf(epsilon0)) {
        base = 1.0, base_complement = 0.0;
    } else if (epsilon < epsilon0) {
        const dd difference = dd_two_sum(epsilon, -epsilon0);
        const double kept = 1.0 + plain_exp(-epsilon0);
        base = -plain_expm1(difference.hi) / kept;
        base_complement = (plain_exp(-epsilon0) + plain_exp(difference.hi) * (1.0 + difference.lo)) / kept;
    }
    *complement = (1.0 - leak) * base_complement;
    return leak + (1.0 - leak) * base;
}

static double response_delta(double epsilon, const double *p)
{
    double complement;
    return response_curve(epsilon, p[0], p[1], &complement);
}

static double response_log_delta(double epsilon, const double *p)
{
    double complement;
    const double delta = response_curve(epsilon, p[0], p[1], &complement);
    if (delta < 0x1p-900) /* leak + (epsilon0 - epsilon)/2, which may be subnormal, with all its digits */
        return plain_log(0x1p+100 * p[1] + 0x1p+99 * fmax(0.0, p[0] - epsilon)) - 100.0 * SPECIAL_LN2;
    return delta < 0.5 ? plain_log(delta) : plain_log1p(-complement);
}

/* ---- public ---- */

simdp_status simdp_log_delta_laplace(double *out, const double *epsilon, size_t n, double sensitivity_over_scale)
{
    return simdp_forms_map(out, epsilon, n, laplace_log_delta, &sensitivity_over_scale);
}

simdp_status simdp_log_delta_laplace_each(double *out, const double *epsilon, const double *sensitivity_over_scale,
                                          size_t n)
{
    return simdp_forms_map_each(out, epsilon, sensitivity_over_scale, n, laplace_log_delta);
}

simdp_status simdp_delta_randomized_response(double *delta, const double *epsilon, size_t n, double epsilon0,
                                             double leak)
{
    return simdp_forms_map(delta, epsilon, n, response_delta, (const double[]){epsilon0, leak});
}

simdp_status simdp_log_delta_randomized_response(double *out, const double *epsilon, size_t n, double epsilon0,
                                                 double leak)
{
    return simdp_forms_map(out, epsilon, n, response_log_delta, (const double[]){epsilon0, leak});
}

simdp_status simdp_delta_randomized_response_each(double *delta, const double *epsilon, const double *epsilon0,
                                                  const double *leak, size_t n)
{
    return simdp_forms_map_pairs(delta, epsilon, epsilon0, leak, n, response_delta);
}
