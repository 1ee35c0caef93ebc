/* delta.c: privacy curves of Laplace and Gaussian noise over arrays. */
#include "loss/loss_call.h"
#include "call/forms.h"

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
    const simdp_status status = FORMS_GATE(n, FORM_ARRAY(sensitivity_over_scale));
    return status != SIMDP_OK ? status : curve(delta, epsilon, sensitivity_over_scale, n, 0.0, false);
}

simdp_status simdp_delta_gaussian_arrays(double *delta, const double *epsilon, const double *sigma_over_sensitivity,
                                         size_t n)
{
    const simdp_status status = FORMS_GATE(n, FORM_ARRAY(sigma_over_sensitivity));
    return status != SIMDP_OK ? status : curve(delta, epsilon, sigma_over_sensitivity, n, 0.0, true);
}
