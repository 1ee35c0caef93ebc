/* affine.h: makes the constants of a loss (loss_affine of loss_kernels.h).
 *
 * Laplace clamps at f |x1 - x0|, Gaussian nowhere. Outputs far from both centres meet the clamp, so no two large
 * numbers are ever subtracted; exchanging the centres changes the sign of slope1 and nothing else. f is 1/4 where sums
 * could overflow, else 1. The slope comes in two factors on the same side of 1, so that neither overflows where the
 * loss does not. */
#ifndef SIMDP_LOSS_AFFINE_H
#define SIMDP_LOSS_AFFINE_H

#include <math.h>

#include "loss/loss_kernels.h"

/* Beyond these exponents the product of two factors is 0 or infinite for every sum but 0; the factors must be
 * neither. */
static inline int loss_affine_exponent(int exponent)
{
    return exponent < -1070 ? -1070 : exponent > 1020 ? 1020 : exponent;
}

/* factor times 2^exponent, as two factors on the same side of 1. A large one goes to slope1 as far as it fits, so that
 * a subnormal sum becomes a normal number before it is rounded. */
static inline void loss_affine_slope(loss_affine *law, double factor, int exponent)
{
    const int first = exponent > 0 ? loss_affine_exponent(exponent) : exponent / 2;
    law->slope1 = ldexp(factor, loss_affine_exponent(first));
    law->slope2 = ldexp(1.0, loss_affine_exponent(exponent - first));
}

static inline loss_affine loss_affine_centres(double x0, double x1, double f)
{
    return (loss_affine){.f = f, .x0 = x0 * f, .x1 = x1 * f};
}

/* scale in range, centres finite */
static inline loss_affine loss_affine_laplace(double x0, double x1, double scale)
{
    loss_affine law = loss_affine_centres(x0, x1, fabs(x0) > 0x1p+1021 || fabs(x1) > 0x1p+1021 ? 0.25 : 1.0);
    law.limit = fabs(law.x1 - law.x0);
    law.slope1 = (x1 < x0 ? 1.0 : -1.0) / scale * (law.f == 1.0 ? 1.0 : 4.0); /* over f, a quarter or 1 */
    law.slope2 = 1.0;
    return law;
}

static inline loss_affine loss_affine_gaussian(double x0, double x1, double sigma)
{
    /* a quarter, so that no sum overflows; but not where it would make subnormal numbers */
    loss_affine law = loss_affine_centres(x0, x1, fabs(x0) < 0x1p-900 && fabs(x1) < 0x1p-900 ? 1.0 : 0.25);
    int e, e_sigma;
    const double distance = law.x1 - law.x0;
    if (distance == 0.0) return loss_affine_laplace(x0, x1, sigma); /* 0 everywhere, also at infinity */
    const double m = frexp(distance, &e), m_sigma = frexp(sigma, &e_sigma);
    law.limit = INFINITY;
    loss_affine_slope(&law, -m / (2.0 * m_sigma * m_sigma), e - 2 * e_sigma + (law.f == 1.0 ? 0 : 4));
    return law;
}

static inline bool loss_step_ok(const simdp_loss_step *s)
{
    const bool bits = (s->x0 == 0.0 || s->x0 == 1.0) && (s->x1 == 0.0 || s->x1 == 1.0);
    if (s->mechanism == SIMDP_MECHANISM_RANDOMIZED_RESPONSE) return bits && s->scale >= 0.0 && isfinite(s->scale);
    return (s->mechanism == SIMDP_MECHANISM_LAPLACE || s->mechanism == SIMDP_MECHANISM_GAUSSIAN) && isfinite(s->x0) &&
           isfinite(s->x1) && loss_scale_ok(s->scale);
}

/* Randomized response on bits is a Laplace loss clamped at epsilon. */
static inline loss_affine loss_affine_of(const simdp_loss_step *s)
{
    if (s->mechanism == SIMDP_MECHANISM_GAUSSIAN) return loss_affine_gaussian(s->x0, s->x1, s->scale);
    const bool response = s->mechanism == SIMDP_MECHANISM_RANDOMIZED_RESPONSE;
    loss_affine law = loss_affine_laplace(s->x0, s->x1, response ? 1.0 : s->scale);
    if (response) law.slope1 *= s->scale;
    return law;
}

#endif
