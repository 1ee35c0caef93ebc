/* curve_gaussian.c: the privacy curve of Gaussian noise, and its logarithm, without cancellation. */
#include "loss/curve.h"
#include "math/plain_math.h"
#include "math/special.h"

void simdp_curve_gaussian_standardise(double *high, double *low, double l, double s)
{
    const double product = l * s, half = 0.5 / s, difference = product - half;
    *high = difference;
    *low = 0.0;
    if (!isfinite(difference)) return;
    const double product_low = fma(l, s, -product), half_low = 0.5 * (fma(-2.0 * half, s, 1.0) / s);
    const double back = difference - product; /* two-sum: what the subtraction lost */
    const double lost = (product - (difference - back)) - (half + back);
    const double all_lost = lost + (product_low - half_low);
    if (!isfinite(all_lost)) return; /* an intermediate at the end of the range */
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
    if (isinf(s) || isinf(epsilon)) return never;
    if (s == 0.0) return always;
    double v, v_low;
    simdp_curve_gaussian_standardise(&v, &v_low, epsilon, s);
    if (v <= -0x1p500) return always;
    if (v >= 0x1p500) /* what is added to the square is far below its last place */
        return (gaussian_point){0.0, -0.5 * v * v, -v * s, v * (epsilon * s * s + 0.5)};
    const double u1 = v * SPECIAL_SQRT_HALF, w = SPECIAL_SQRT_HALF / s, u2 = u1 + w;
    const double square = 0.5 * v * v, rest = 0.5 * fma(v, v, -2.0 * square) + v * v_low;
    const double bell = plain_exp(-square) * (1.0 - rest); /* e^(-v^2/2) */
    double fall, width, tail, other;                       /* fall width = 2 delta/bell; tail = erfcx(u2) */
    if (v >= 0.0) {
        fall = simdp_special_erfcx_fall(u1, w, &tail);
        width = w;
    } else {
        tail = simdp_special_erfcx(u2);
        const double c = 0.5 * bell * (simdp_special_erfcx(-u1) + tail), delta = 1.0 - c;
        if (c < 0.5)
            return (gaussian_point){delta, plain_log1p(-c), -0.5 * bell * tail / delta,
                                    bell / (SPECIAL_SQRT_2PI * delta)};
        fall = 2.0 * plain_expm1(square + rest) - u1 * simdp_special_erfcx_fall(0.0, -u1, &other) +
               u2 * simdp_special_erfcx_fall(0.0, u2, &other);
        width = 1.0;
    }
    const double twice = fall * width; /* the logarithm of one that underflows is the sum of two */
    return (gaussian_point){0.5 * bell * twice,
                            (twice > 0x1p-1000 ? plain_log(0.5 * twice) : plain_log(0.5 * fall) + plain_log(width)) -
                                rest - square,
                            -tail / fall / width, 2.0 / SPECIAL_SQRT_2PI / fall / width};
}
