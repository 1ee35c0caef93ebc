/* curves.c: privacy curves delta(epsilon) of Laplace noise and of randomized response, and their logarithms. */
#include <math.h>

#include "math/forms.h"
#include "math/special.h"

/* Laplace: 1 - e^((epsilon - t)/2), 0 from epsilon = t on; t = inf is no noise at all */
static double laplace_log_delta(double epsilon, const double *t)
{
    if (!(epsilon >= 0.0 && *t >= 0.0)) return NAN;
    if (isinf(*t)) return 0.0;
    return epsilon < *t ? simdp_special_log1mexp(0.5 * (*t - epsilon)) : -INFINITY;
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
        const double kept = 1.0 + exp(-epsilon0);
        base = -expm1(epsilon - epsilon0) / kept;
        base_complement = (exp(-epsilon0) + exp(epsilon - epsilon0)) / kept;
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
    return delta < 0.5 ? log(delta) : log1p(-complement);
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
