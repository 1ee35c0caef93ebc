/* delta.c: privacy curves of Laplace and Gaussian noise over arrays. */
#include "loss/loss_call.h"

/* parameters NULL: fixed for all */
static simdp_status curve(double *delta, const double *epsilon, const double *parameters, size_t n, double fixed,
                          bool gaussian)
{
    if (n > 0 && (delta == NULL || epsilon == NULL)) return SIMDP_ENULL;
    if (loss_too_many(n, sizeof *delta)) return SIMDP_EPARAM;
    const loss_call call = loss_enter();
    FP_PIN(fixed);
    const bool good = fixed >= 0.0;
    if (!good) {
        for (size_t i = 0; i < n; i++) delta[i] = __builtin_nan("");
    } else if (call.kernels != NULL) {
        if (gaussian) call.kernels->delta_gaussian(delta, epsilon, parameters, n, fixed);
        else call.kernels->delta_laplace(delta, epsilon, parameters, n, fixed);
    }
    return loss_leave_if(&call, good);
}

simdp_status simdp_delta_laplace(double *delta, const double *epsilon, size_t n, double sensitivity_over_scale)
{
    return curve(delta, epsilon, NULL, n, sensitivity_over_scale, false);
}

simdp_status simdp_delta_gaussian(double *delta, const double *epsilon, size_t n, double sigma_over_sensitivity)
{
    return curve(delta, epsilon, NULL, n, sigma_over_sensitivity, true);
}

simdp_status simdp_delta_laplace_arrays(double *delta, const double *epsilon, const double *sensitivity_over_scale,
                                        size_t n)
{
    if (n > 0 && sensitivity_over_scale == NULL) return SIMDP_ENULL;
    return curve(delta, epsilon, sensitivity_over_scale, n, 0.0, false);
}

simdp_status simdp_delta_gaussian_arrays(double *delta, const double *epsilon, const double *sigma_over_sensitivity,
                                         size_t n)
{
    if (n > 0 && sigma_over_sensitivity == NULL) return SIMDP_ENULL;
    return curve(delta, epsilon, sigma_over_sensitivity, n, 0.0, true);
}
