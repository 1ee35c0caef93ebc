/* private_release.c: releases by what they promise: from sensitivity and epsilon (and delta) to noise, to a grid, to
 * the exact release. They are declared in simdp_release.h, and are here because the calibration of Gaussian
 * noise is. */
#include <float.h>

#include "account/calibrate.h"
#include "call/in_range.h"
#include "call/publish.h"

typedef simdp_status release_function(simdp_rng *rng, double *out, const double *answers, size_t n, double scale,
                                      double grid);
typedef double noise_function(double sensitivity, double epsilon, double delta);

typedef struct {
    release_function *release;
    noise_function *noise_for;
} private_law;

static const private_law laplace = {simdp_release_laplace, simdp_calibrate_laplace_for},
                         gaussian = {simdp_release_gaussian, simdp_calibrate_gaussian_for};

#define LEAST 0x1p-1074 /* the least positive double */

/* The noise that is drawn, or NaN if none is enough. Less than SIMDP_NOISE_SCALE_MIN is never drawn, since more noise
 * keeps the promise too; for more than SIMDP_NOISE_SCALE_MAX there is no release. */
static double scale_for(const private_law *law, double sensitivity, double epsilon, double delta)
{
    FP_MODE_SCOPE();
    FP_PIN(sensitivity);
    FP_PIN(epsilon);
    FP_PIN(delta);
    if (is_in_range(sensitivity, 0.0, 0.0)) return 0.0;
    const double scale = law->noise_for(sensitivity, epsilon, delta);
    if (is_in_range(scale, 0.0, SIMDP_NOISE_SCALE_MIN)) return SIMDP_NOISE_SCALE_MIN;
    return is_in_range(scale, SIMDP_NOISE_SCALE_MIN, SIMDP_NOISE_SCALE_MAX) ? scale : NAN;
}

/* Parameters are judged by their bits, in whatever floating-point mode the caller runs. */
static simdp_status release_private(const private_law *law, simdp_rng *rng, double *out, const double *answers,
                                    size_t n, double sensitivity, double epsilon, double delta)
{
    if (rng == NULL || ((out == NULL || answers == NULL) && n > 0)) return SIMDP_ENULL;
    if (!publish_fits(n, sizeof *out)) return SIMDP_EPARAM;
    double scale = NAN;
    if (is_in_range(sensitivity, 0.0, DBL_MAX) && is_in_range(epsilon, LEAST, DBL_MAX))
        scale = scale_for(law, sensitivity, epsilon, delta);
    if (!is_in_range(scale, 0.0, SIMDP_NOISE_SCALE_MAX)) return publish(SIMDP_EPARAM, out, n, PUBLISH_F64);
    return law->release(rng, out, answers, n, scale, simdp_release_grid(scale));
}

simdp_status simdp_release_laplace_private(simdp_rng *rng, double *out, const double *answers, size_t n,
                                           double sensitivity, double epsilon)
{
    return release_private(&laplace, rng, out, answers, n, sensitivity, epsilon, 0.0);
}

simdp_status simdp_release_gaussian_private(simdp_rng *rng, double *out, const double *answers, size_t n,
                                            double sensitivity, double epsilon, double delta)
{
    /* a delta that needs no noise, or that no noise reaches, counts as a bad epsilon */
    if (!is_in_range(delta, LEAST, 1.0 - 0x1p-53)) epsilon = NAN;
    return release_private(&gaussian, rng, out, answers, n, sensitivity, epsilon, delta);
}
