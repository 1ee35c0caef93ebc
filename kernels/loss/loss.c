/* loss.c: privacy loss per output of the Laplace and Gaussian mechanisms, and of randomized response. */
#include "loss/loss_call.h"
#include "loss/affine.h"
#include "loss/response_table.h"

/* Parameters come in registers: a struct that the caller has just stored would stall a call for few outputs. */
static simdp_status per_output(double *loss, const void *y, bool single, size_t n, simdp_mechanism mechanism, double x0,
                               double x1, double scale)
{
    if (n > 0 && (loss == NULL || y == NULL)) return SIMDP_ENULL;
    if (loss_too_many(n, sizeof *loss)) return SIMDP_EPARAM;
    const loss_call call = loss_enter();
    FP_PIN(x0);
    FP_PIN(x1);
    FP_PIN(scale);
    const simdp_loss_step step = {mechanism, x0, x1, scale};
    const bool good = loss_step_ok(&step);
    if (good && call.kernels != NULL && n > 0) {
        const loss_affine law = loss_affine_of(&step);
        if (single) call.kernels->fixed_f32(loss, (const float *)y, n, &law);
        else call.kernels->fixed_f64(loss, (const double *)y, n, &law);
    }
    return loss_leave_if(&call, good);
}

simdp_status simdp_loss_laplace_f64(double *loss, const double *y, size_t n, double x0, double x1, double scale)
{
    return per_output(loss, y, false, n, SIMDP_MECHANISM_LAPLACE, x0, x1, scale);
}

simdp_status simdp_loss_gaussian_f64(double *loss, const double *y, size_t n, double x0, double x1, double sigma)
{
    return per_output(loss, y, false, n, SIMDP_MECHANISM_GAUSSIAN, x0, x1, sigma);
}

simdp_status simdp_loss_laplace_f32(double *loss, const float *y, size_t n, double x0, double x1, double scale)
{
    return per_output(loss, y, true, n, SIMDP_MECHANISM_LAPLACE, x0, x1, scale);
}

simdp_status simdp_loss_gaussian_f32(double *loss, const float *y, size_t n, double x0, double x1, double sigma)
{
    return per_output(loss, y, true, n, SIMDP_MECHANISM_GAUSSIAN, x0, x1, sigma);
}

/* scales NULL: scale for all, else it is not read */
static simdp_status each_output(double *loss, const double *y, const double *x0, const double *x1, const double *scales,
                                size_t n, double scale, bool gaussian)
{
    if (n > 0 && (loss == NULL || y == NULL || x0 == NULL || x1 == NULL)) return SIMDP_ENULL;
    if (loss_too_many(n, sizeof *loss)) return SIMDP_EPARAM;
    const loss_call call = loss_enter();
    FP_PIN(scale);
    bool good = scales != NULL || loss_scale_ok(scale);
    if (good && call.kernels != NULL && n > 0) {
        good = gaussian ? call.kernels->gaussian_each(loss, y, x0, x1, scales, n, scale)
                        : call.kernels->laplace_each(loss, y, x0, x1, scales, n, scale);
    }
    return loss_leave_if(&call, good);
}

simdp_status simdp_loss_laplace_f64_each(double *loss, const double *y, const double *x0, const double *x1,
                                         const double *scales, size_t n, double scale)
{
    return each_output(loss, y, x0, x1, scales, n, scale, false);
}

simdp_status simdp_loss_gaussian_f64_each(double *loss, const double *y, const double *x0, const double *x1,
                                          const double *sigmas, size_t n, double sigma)
{
    return each_output(loss, y, x0, x1, sigmas, n, sigma, true);
}

/* leaky: answers 2 and 3 have losses */
static simdp_status response(double *loss, const uint8_t *out, size_t n, int bit0, int bit1, double epsilon, bool leaky,
                             double leak)
{
    if (n > 0 && (loss == NULL || out == NULL)) return SIMDP_ENULL;
    if (loss_too_many(n, sizeof *loss)) return SIMDP_EPARAM;
    const loss_call call = loss_enter();
    FP_PIN(epsilon);
    FP_PIN(leak);
    double table[8];
    const bool good =
        leaky ? response_table_leaky(table, bit0, bit1, epsilon, leak) : response_table(table, bit0, bit1, epsilon);
    if (good && call.kernels != NULL) call.kernels->bytes(loss, out, n, table);
    return loss_leave_if(&call, good);
}

simdp_status simdp_loss_randomized_response(double *loss, const uint8_t *out, size_t n, int bit0, int bit1,
                                            double epsilon)
{
    return response(loss, out, n, bit0, bit1, epsilon, false, 0.0);
}

simdp_status simdp_loss_leaky_response(double *loss, const uint8_t *out, size_t n, int bit0, int bit1, double epsilon,
                                       double leak)
{
    return response(loss, out, n, bit0, bit1, epsilon, true, leak);
}
