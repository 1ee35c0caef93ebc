/* curve_discrete.c: privacy curves of discrete Laplace and discrete Gaussian noise at a whole-number sensitivity. */
#include "loss/curve.h"
#include "math/plain_math.h"
#include "math/quotient.h"
#include "math/special.h"
#include "math/sum.h"
#include "noise/law_discrete.h"

typedef struct {
    double delta, log_delta;
} curve_point;

static const curve_point nowhere = {NAN, NAN}, never = {0.0, -INFINITY}, always = {1.0, 0.0};

static bool is_legal(double epsilon, double scale, dd sensitivity)
{
    return epsilon >= 0.0 && scale > 0.0 && scale < INFINITY && sensitivity.hi >= 0.0;
}

/* ---- discrete Laplace ----
 *
 * With q = e^(-1/t) and c = D/t - epsilon > 0 (else 0): (1 - e^-c)/(1+q), the outputs on the far side of 0, plus the
 * sum over x = 1..n of pmf(x) (1 - e^(2x/t - c)), n the largest x < min(D, c t/2). A term is 2 tanh(1/2t) e^(-c/2)
 * sinh(c/2 - x/t), and sinh over an arithmetic progression has a closed sum: (1 - e^-a)(1 - e^-b) q/(1+q), a = c -
 * (n+1)/t, b = n/t. Nothing cancels, whatever D is; the same holds for 1 - delta. c t = D - epsilon t is found without
 * rounding of its terms, so that c is right also where epsilon is next to an atom of the loss. */
static curve_point discrete_laplace_point(double epsilon, double t, dd sensitivity)
{
    if (!is_legal(epsilon, t, sensitivity)) return nowhere;
    const double product = epsilon * t;
    if (!(product < INFINITY)) return never;                                        /* also epsilon = inf */
    const dd width = dd_sub(sensitivity, (dd){product, fma(epsilon, t, -product)}); /* c t */
    if (!(width.hi > 0.0)) return never;
    const dd c = quotient_of(width, t);
    if (c.hi < 0x1p-900)
        return (curve_point){0.5 * c.hi, plain_log(width.hi) - plain_log(t) - SPECIAL_LN2}; /* q is 1 */
    const double above = ceil(0.5 * width.hi), first = above == 0.5 * width.hi && width.lo > 0.0 ? above + 1.0 : above;
    const double n = fmax(0.0, fmin(sensitivity.hi - 1.0, first - 1.0));
    const dd next = dd_two_sum(n, 1.0);
    const double a = fmax(0.0, dd_double(dd_sub(width, next)) / t), b = n / t, q = plain_exp(-1.0 / t);
    const dd past = a > 0.0 ? dd_sub(width, dd_of(n)) : dd_of(1.0); /* 1 + a t */
    const double delta = (-plain_expm1(-c.hi) + q * (plain_expm1(-a) * plain_expm1(-b))) / (1.0 + q);
    /* e^-c + q e^-a + q e^-b (1 - e^-a), the factor q in the exponents */
    const double complement = (simdp_discrete_decay(c) + simdp_discrete_decay(quotient_of(past, t)) -
                               simdp_discrete_decay(quotient_of(next, t)) * plain_expm1(-a)) /
                              (1.0 + q) / DISCRETE_LIFT;
    return (curve_point){delta, delta < 0.5 ? plain_log(delta) : plain_log1p(-complement)};
}

/* ---- discrete Gaussian ----
 *
 * The loss of y exceeds epsilon for y >= m, m the first integer above epsilon sigma^2/D - D/2; delta Z = sum over j
 * >= 0 of w(m+j) - e^epsilon w(m+D+j), every term positive. */

/* sum over j >= 0 of r1(j) - e^-x r2(j), r1(j) = w(m+j)/w(m), r2(j) = w(m+D+j)/w(m+D), x = the loss of m beyond
 * epsilon; in units of max(1, sigma). *log_value is its logarithm, also where it underflows. */
static double relative_difference(double m, double sensitivity, double sigma, double x, double *log_value)
{
    const double a1 = m / sigma / sigma, step = sensitivity / sigma / sigma, b = 0.5 / sigma / sigma, e = plain_exp(-x),
                 e_rest = -plain_expm1(-x);
    if (sigma > 400.0 && a1 + step < 0.012) {
        const double u1 = m / sigma * SPECIAL_SQRT_HALF, w = sensitivity / sigma * SPECIAL_SQRT_HALF, a2 = a1 + step;
        double unused, tail = simdp_special_erfcx(u1 + w), fall = NAN, between;
        if (u1 >= 0.0) between = w * (fall = simdp_special_erfcx_fall(u1, w, &unused));
        else
            between = 2.0 * plain_expm1(u1 * u1) - u1 * simdp_special_erfcx_fall(0.0, -u1, &unused) +
                      (u1 + w) * simdp_special_erfcx_fall(0.0, u1 + w, &unused);
        const double integral = 0.5 * SPECIAL_SQRT_2PI * (between + e_rest * tail);
        /* derivatives at the first term, odd orders, of r1 and e^-x r2 */
        const double first = e * step - a1 * e_rest, cubic1 = a1 * (6.0 * b - a1 * a1),
                     cubic2 = a2 * (6.0 * b - a2 * a2);
        const double value = integral + (0.5 * e_rest - first / 12.0 + (cubic1 - e * cubic2) / 720.0) / sigma;
        /* sigma is above 2^400 where it is that small, and only the first part counts */
        *log_value =
            u1 >= 0.0 && value < 0x1p-960 ? plain_log(0.5 * SPECIAL_SQRT_2PI * fall) + plain_log(w) : plain_log(value);
        return value;
    }
    if (sigma > 400.0 && a1 < 0.006) { /* many terms of r1, few of r2: at most half of the first sum is subtracted */
        const double r1 =
            m >= 1.0 ? simdp_discrete_relative_tail(m, sigma)
                     : (DISCRETE_LIFT * simdp_discrete_total(sigma) -
                        simdp_discrete_weight(dd_of(1.0 - m), sigma) * simdp_discrete_relative_tail(1.0 - m, sigma)) /
                           simdp_discrete_weight(dd_of(m), sigma);
        const double value = r1 - e * simdp_discrete_relative_tail(m + sensitivity, sigma);
        *log_value = plain_log(value);
        return value;
    }
    /* bound: 8000 turns. sigma <= 400: weights vanish within 9 sigma of the larger of m and 0, and m > -3 sigma, as
     * delta is above 1/2 below that; or a1 >= 0.006 and m >= 0: they do within 45/a1. NaN ends it too. */
    simdp_sum sum = {0, 0};
    for (double j = 0.0;; j += 1.0) {
        const double weight = plain_exp(-j * (a1 + b * j));
        sum_add(&sum, weight * -plain_expm1(-(x + step * j)));
        if (!(weight >= 0x1p-60 * sum.sum && weight > 0.0) && !(m + j < 0.0)) break;
    }
    const double value = sum_value(&sum) / fmax(1.0, sigma);
    *log_value = plain_log(value);
    return value;
}

/* The first integer above epsilon sigma^2/D - D/2, and *x, the loss of it beyond epsilon. Both come from numbers of two
 * doubles: near an atom of the loss x is far smaller than epsilon. */
static double first_above(double epsilon, double sigma, dd sensitivity, double *x)
{
    const dd step = quotient_of(sensitivity, sigma); /* the distance of the two centres, in sigmas */
    const dd threshold = dd_sub(dd_mul_d(dd_div(dd_of(epsilon), step), sigma), dd_scale(sensitivity, 0.5));
    double m = floor(threshold.hi);
    if (!(m == threshold.hi && threshold.lo < 0.0)) m += 1.0;
    for (int turn = 0; turn < 3; turn++) { /* rounding may leave m one too low or too high */
        const dd middle = quotient_of(dd_add(dd_two_sum(m, m), sensitivity), sigma);
        *x = dd_double(dd_sub(dd_scale(dd_mul(middle, step), 0.5), dd_of(epsilon)));
        if (*x > 0.0) break;
        m += 1.0;
    }
    *x = fmax(0.0, *x);
    return m;
}

static curve_point discrete_gaussian_point(double epsilon, double sigma, dd sensitivity)
{
    if (!is_legal(epsilon, sigma, sensitivity)) return nowhere;
    if (sensitivity.hi == 0.0 || isinf(epsilon)) return never;
    const double distance = sensitivity.hi / sigma, v = epsilon / distance - 0.5 * distance; /* threshold in sigmas */
    if (!(v > -0x1p+40)) return always;
    if (v > 0x1p+100) return (curve_point){0.0, -0.5 * v * v}; /* the rest is below the last place */
    if (sigma > 0x1p+500) { /* the integers are so dense that every 2^400th is enough */
        sigma *= 0x1p-400;
        sensitivity = dd_scale(sensitivity, 0x1p-400);
    }
    double x, log_relative;
    const double m = first_above(epsilon, sigma, sensitivity, &x), total = simdp_discrete_total(sigma);
    const double weight = simdp_discrete_weight(dd_of(m), sigma);
    if (m < 1.0) { /* 1 - delta = P[Y < m] + e^epsilon P[Y >= m + D], where e^epsilon w(m + D) = e^-x w(m) */
        const dd before = dd_two_sum(1.0, -m);
        const double c = (simdp_discrete_weight(before, sigma) * simdp_discrete_relative_tail(before.hi, sigma) +
                          weight * plain_exp(-x) * simdp_discrete_relative_tail(m + sensitivity.hi, sigma)) /
                         total / DISCRETE_LIFT;
        if (c < 0.5) return (curve_point){1.0 - c, plain_log1p(-c)};
    }
    const double relative = relative_difference(m, sensitivity.hi, sigma, x, &log_relative) / total;
    return (curve_point){fmin(1.0, weight * relative / DISCRETE_LIFT),
                         fmin(0.0, simdp_discrete_log_weight(m, sigma) + (log_relative - plain_log(total)))};
}

/* ---- forms: parameters are the scale and the sensitivity in two doubles ---- */

#define FORM(law, member)                                                \
    double simdp_curve_##law##_##member(double epsilon, const double *p) \
    {                                                                    \
        return law##_point(epsilon, p[0], (dd){p[1], p[2]}).member;      \
    }
FORM(discrete_laplace, delta)
FORM(discrete_laplace, log_delta)
FORM(discrete_gaussian, delta)
FORM(discrete_gaussian, log_delta)
