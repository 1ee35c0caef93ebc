#include "loss/curve_gaussian.h"

#include <math.h>

#include "math/forms.h"
#include "math/special.h"

void simdp_curve_gaussian_standardise(double *high, double *low, double l, double s)
{
    const double product = l * s, half = 0.5 / s, difference = product - half;
    *high = difference;
    *low = 0.0;
    if (!isfinite(difference)) return;
    const double product_low = fma(l, s, -product), half_low = 0.5 * (fma(-2.0 * half, s, 1.0) / s);
    const double back = difference - product;   /* two-sum: what the subtraction lost */
    const double lost = (product - (difference - back)) - (half + back);
    const double all_lost = lost + (product_low - half_low);
    if (!isfinite(all_lost)) return;   /* an intermediate at the end of the range */
    *high = difference + all_lost; /* after cancellation the rest may be larger than the last place of the difference */
    *low = all_lost - (*high - difference);
}

/* With v = epsilon s - 1/(2s), u1 = v/sqrt 2, u2 = u1 + w, w = 1/(s sqrt 2) (so u2^2 - u1^2 = epsilon):
 *   v >= 0:  delta = e^(-v^2/2)/2 (erfcx(u1) - erfcx(u2)), the difference without cancellation;
 *   v < 0:   1 - delta = c = e^(-v^2/2)/2 (erfcx(-u1) + erfcx(u2)); where c > 1/2,
 *            delta = e^(-v^2/2)/2 (2 expm1(v^2/2) + (1 - erfcx(-u1)) + (1 - erfcx(u2))), all terms positive.
 * v is carried in two parts, because e^(-v^2/2) multiplies its error by v. */
gaussian_point simdp_curve_gaussian(double epsilon, double s)
{
    if (!(epsilon >= 0.0 && s >= 0.0)) return (gaussian_point){NAN, NAN, NAN, NAN};
    const gaussian_point always = {1.0, 0.0, 0.0, 0.0}, never = {0.0, -INFINITY, 0.0, 0.0};
    if (s == 0.0) return always;
    if (isinf(s) || isinf(epsilon)) return never;
    double v, v_low;
    simdp_curve_gaussian_standardise(&v, &v_low, epsilon, s);
    if (!(fabs(v) < 0x1p500)) return v < 0.0 ? always : never;   /* its square overflows */
    const double u1 = v * SPECIAL_SQRT_HALF, w = SPECIAL_SQRT_HALF / s, u2 = u1 + w;
    const double square = 0.5 * v * v, rest = 0.5 * fma(v, v, -2.0 * square) + v * v_low;
    const double bell = exp(-square) * (1.0 - rest);   /* e^(-v^2/2) */
    gaussian_point point;
    double twice, tail, other;   /* 2 delta/bell, erfcx(u2) */
    if (v >= 0.0) {
        twice = simdp_special_erfcx_difference(u1, w, &tail);
    } else {
        tail = simdp_special_erfcx(u2);
        const double c = 0.5 * bell * (simdp_special_erfcx(-u1) + tail);
        if (c < 0.5) {
            point.delta = 1.0 - c;
            point.log_delta = log1p(-c);
            point.slope_epsilon = -0.5 * bell * tail / point.delta;
            point.slope_mu = bell / (SPECIAL_SQRT_2PI * point.delta);
            return point;
        }
        twice = 2.0 * expm1(square + rest) + simdp_special_erfcx_difference(0.0, -u1, &other) +
                simdp_special_erfcx_difference(0.0, u2, &other);
    }
    point.delta = 0.5 * bell * twice;
    point.log_delta = log(0.5 * twice) - rest - square;
    point.slope_epsilon = -tail / twice;
    point.slope_mu = 2.0 / (SPECIAL_SQRT_2PI * twice);
    return point;
}

/* ---- public ---- */

static double log_delta(double epsilon, const double *s) { return simdp_curve_gaussian(epsilon, *s).log_delta; }

simdp_status simdp_log_delta_gaussian(double *out, const double *epsilon, size_t n, double sigma_over_sensitivity)
{
    return simdp_forms_map(out, epsilon, n, log_delta, &sigma_over_sensitivity);
}

simdp_status simdp_log_delta_gaussian_each(double *out, const double *epsilon, const double *sigma_over_sensitivity,
                                           size_t n)
{
    return simdp_forms_map_each(out, epsilon, sigma_over_sensitivity, n, log_delta);
}
