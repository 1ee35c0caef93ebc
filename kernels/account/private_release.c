/* private_release.c: releases by what they promise: from sensitivity and epsilon (and delta) to noise, to a grid, to
 * the exact release. They are declared in simdp_release.h, and are here because the calibration of Gaussian
 * noise is. */
#include <float.h>
#include <math.h>

#include "account/calibrate.h"
#include "call/in_range.h"

#define LEAST 0x1p-1074 /* the least positive double */

typedef double noise_function(double sensitivity, double epsilon, double delta);

/* The noise that is drawn: 0 for an answer that no record moves; or NaN, which the release refuses, if none is enough. Less than
 * SIMDP_NOISE_SCALE_MIN is never drawn, since more noise keeps the promise too. */
static double scale_for(noise_function *noise_for, double sensitivity, double epsilon, double delta)
{
    if (!is_in_range(sensitivity, 0.0, DBL_MAX) || !is_in_range(epsilon, LEAST, DBL_MAX)) return NAN;
    if (is_in_range(sensitivity, 0.0, 0.0)) return 0.0;
    FP_MODE_SCOPE();
    FP_PIN(sensitivity);
    FP_PIN(epsilon);
    FP_PIN(delta);
    const double scale = noise_for(sensitivity, epsilon, delta);
    return is_in_range(scale, 0.0, SIMDP_NOISE_SCALE_MIN) ? SIMDP_NOISE_SCALE_MIN : scale;
}

simdp_status simdp_release_laplace_private(simdp_rng *rng, double *out, const double *answers, size_t n,
                                           double sensitivity, double epsilon)
{
    const double scale = scale_for(simdp_calibrate_laplace_for, sensitivity, epsilon, 0.0);
    return simdp_release_laplace(rng, out, answers, n, scale, simdp_release_grid(scale));
}

/* A delta of 0 or 1 is refused: for the first no noise is enough, for the second none is needed. */
simdp_status simdp_release_gaussian_private(simdp_rng *rng, double *out, const double *answers, size_t n,
                                            double sensitivity, double epsilon, double delta)
{
    double scale = NAN;
    if (is_in_range(delta, LEAST, 1.0 - 0x1p-53))
        scale = scale_for(simdp_calibrate_gaussian_for, sensitivity, epsilon, delta);
    return simdp_release_gaussian(rng, out, answers, n, scale, simdp_release_grid(scale));
}
