/* curves.c: privacy curves delta(epsilon) over arrays, and their logarithms. Delta of Laplace and Gaussian noise is a
 * kernel; the rest are closed forms, of which those of Laplace noise and randomized response stand here. */
#include "loss/curve.h"
#include "loss/loss_call.h"
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

static double gaussian_log_delta(double epsilon, const double *s)
{
    return simdp_curve_gaussian(epsilon, *s).log_delta;
}

/* ---- delta by kernels ---- */

typedef bool curve_kernel(double *delta, const double *epsilon, const double *parameter, size_t n, double fixed);

/* parameters NULL: fixed for all. Kernels find bad elements themselves; a bad fixed parameter never comes to them. */
static simdp_status curve(double *delta, const double *epsilon, const double *parameters, size_t n, double fixed,
                          bool gaussian)
{
    const simdp_status status = FORMS_GATE(n, FORM_ARRAY(delta), FORM_ARRAY(epsilon));
    if (status != SIMDP_OK || n == 0) return status;
    const loss_call call = loss_enter();
    FP_PIN(fixed);
    bool good = fixed >= 0.0;
    if (!good) {
        for (size_t i = 0; i < n; i++) delta[i] = NAN;
    } else if (call.kernels != NULL) {
        curve_kernel *const kernel = gaussian ? call.kernels->delta_gaussian : call.kernels->delta_laplace;
        good = kernel(delta, epsilon, parameters, n, fixed);
    }
    return loss_leave_if(&call, good);
}

/* ---- public ---- */

simdp_status simdp_delta_laplace(double *delta, const double *epsilon, size_t n, double sensitivity_over_scale)
{
    return curve(delta, epsilon, NULL, n, sensitivity_over_scale, false);
}

simdp_status simdp_delta_gaussian(double *delta, const double *epsilon, size_t n, double sigma_over_sensitivity)
{
    return curve(delta, epsilon, NULL, n, sigma_over_sensitivity, true);
}

static const loss_forms deltas = {
    [SIMDP_MECHANISM_RANDOMIZED_RESPONSE] = response_delta,
    [SIMDP_MECHANISM_DISCRETE_LAPLACE] = simdp_curve_discrete_laplace_delta,
    [SIMDP_MECHANISM_DISCRETE_GAUSSIAN] = simdp_curve_discrete_gaussian_delta,
};
static const loss_forms log_deltas = {
    [SIMDP_MECHANISM_LAPLACE] = laplace_log_delta,
    [SIMDP_MECHANISM_GAUSSIAN] = gaussian_log_delta,
    [SIMDP_MECHANISM_RANDOMIZED_RESPONSE] = response_log_delta,
    [SIMDP_MECHANISM_DISCRETE_LAPLACE] = simdp_curve_discrete_laplace_log_delta,
    [SIMDP_MECHANISM_DISCRETE_GAUSSIAN] = simdp_curve_discrete_gaussian_log_delta,
};

static bool has_kernel(simdp_mechanism mechanism)
{
    return mechanism == SIMDP_MECHANISM_LAPLACE || mechanism == SIMDP_MECHANISM_GAUSSIAN;
}

simdp_status simdp_loss_delta(double *delta, const double *epsilon, size_t n, simdp_law law)
{
    if (!has_kernel(law.mechanism)) return simdp_loss_map(delta, epsilon, n, deltas, law);
    return curve(delta, epsilon, NULL, n, law.parameter, law.mechanism == SIMDP_MECHANISM_GAUSSIAN);
}

simdp_status simdp_loss_delta_each(double *delta, const double *epsilon, const double *parameter, size_t n,
                                   simdp_law law)
{
    if (!has_kernel(law.mechanism)) return simdp_loss_map_each(delta, epsilon, parameter, n, deltas, law);
    const simdp_status status = FORMS_GATE(n, FORM_ARRAY(parameter));
    if (status != SIMDP_OK) return status;
    return curve(delta, epsilon, parameter, n, 0.0, law.mechanism == SIMDP_MECHANISM_GAUSSIAN);
}

simdp_status simdp_loss_log_delta(double *log_delta, const double *epsilon, size_t n, simdp_law law)
{
    return simdp_loss_map(log_delta, epsilon, n, log_deltas, law);
}

simdp_status simdp_loss_log_delta_each(double *log_delta, const double *epsilon, const double *parameter, size_t n,
                                       simdp_law law)
{
    return simdp_loss_map_each(log_delta, epsilon, parameter, n, log_deltas, law);
}
