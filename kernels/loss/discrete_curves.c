/* discrete_curves.c: privacy curves of discrete Laplace and discrete Gaussian noise at a whole-number sensitivity. */
#include <math.h>
#include <stdbool.h>

#include "loss/discrete.h"
#include "math/forms.h"
#include "math/special.h"
#include "noise/fp_mode.h"

typedef struct {
    double delta, log_delta;
} curve_point;

static const curve_point nowhere = {NAN, NAN}, never = {0.0, -INFINITY}, always = {1.0, 0.0};

static bool is_legal(double epsilon, double scale, double sensitivity)
{
    return epsilon >= 0.0 && scale > 0.0 && scale < INFINITY && sensitivity >= 0.0;
}

/* ---- discrete Laplace ----
 *
 * With q = e^(-1/t) and c = D/t - epsilon > 0 (else 0): (1 - e^-c)/(1+q), the outputs on the far side of 0, plus the
 * sum over x = 1..n of pmf(x) (1 - e^(2x/t - c)), n the largest x < min(D, c t/2). A term is 2 tanh(1/2t) e^(-c/2)
 * sinh(c/2 - x/t), and sinh over an arithmetic progression has a closed sum: (1 - e^-a)(1 - e^-b) q/(1+q), a = c -
 * (n+1)/t, b = n/t. Nothing cancels, whatever D is; the same holds for 1 - delta. */
static curve_point discrete_laplace_point(double epsilon, double t, double sensitivity)
{
    if (!is_legal(epsilon, t, sensitivity)) return nowhere;
    const double c = sensitivity / t - epsilon;
    if (!(c > 0.0)) return never;   /* also epsilon = inf */
    const double q = exp(-1.0 / t), n = fmax(0.0, fmin(sensitivity - 1.0, ceil(0.5 * c * t) - 1.0));
    const double a = fmax(0.0, c - (n + 1.0) / t), b = n / t;
    const double delta = (-expm1(-c) + q * (expm1(-a) * expm1(-b))) / (1.0 + q);
    const double complement = (exp(-c) + q * (exp(-a) - exp(-b) * expm1(-a))) / (1.0 + q);
    return (curve_point){delta, delta < 0.5 ? log(delta) : log1p(-complement)};
}

/* ---- discrete Gaussian ----
 *
 * The loss of y exceeds epsilon for y >= m, m the first integer above epsilon sigma^2/D - D/2; delta Z = sum over j
 * >= 0 of w(m+j) - e^epsilon w(m+D+j), every term positive. */

/* sum over j >= 0 of r1(j) - e^-x r2(j), r1(j) = w(m+j)/w(m), r2(j) = w(m+D+j)/w(m+D), x = the loss of m beyond
 * epsilon */
static double relative_difference(double m, double sensitivity, double sigma, double x)
{
    const double a1 = m / sigma / sigma, step = sensitivity / sigma / sigma, b = 0.5 / sigma / sigma, e = exp(-x),
                 e_rest = -expm1(-x);
    if (sigma > 400.0 && a1 + step < 0.012) {
        const double u1 = m / sigma * SPECIAL_SQRT_HALF, w = sensitivity / sigma * SPECIAL_SQRT_HALF, a2 = a1 + step;
        double unused, tail = simdp_special_erfcx(u1 + w), between;
        if (u1 >= 0.0) between = w * simdp_special_erfcx_fall(u1, w, &unused);
        else
            between = 2.0 * expm1(u1 * u1) - u1 * simdp_special_erfcx_fall(0.0, -u1, &unused) +
                      (u1 + w) * simdp_special_erfcx_fall(0.0, u1 + w, &unused);
        const double integral = 0.5 * sigma * SPECIAL_SQRT_2PI * (between + e_rest * tail);
        /* derivatives at the first term, odd orders, of r1 and e^-x r2 */
        const double first = e * step - a1 * e_rest, cubic1 = a1 * (6.0 * b - a1 * a1),
                     cubic2 = a2 * (6.0 * b - a2 * a2);
        return integral + 0.5 * e_rest - first / 12.0 + (cubic1 - e * cubic2) / 720.0;
    }
    if (sigma > 400.0 && a1 < 0.006) {   /* many terms of r1, few of r2: at most half of the first sum is subtracted */
        const double r1 = m >= 1.0 ? simdp_discrete_relative_tail(m, sigma)
                                   : (simdp_discrete_total(sigma) - simdp_discrete_weight(1.0 - m, sigma) *
                                                                        simdp_discrete_relative_tail(1.0 - m, sigma)) /
                                         simdp_discrete_weight(m, sigma);
        return r1 - e * simdp_discrete_relative_tail(m + sensitivity, sigma);
    }
    /* bound: 8000 turns. sigma <= 400: weights vanish within 9 sigma of the larger of m and 0, and m > -3 sigma, as
     * delta is above 1/2 below that; or a1 >= 0.006 and m >= 0: they do within 45/a1. NaN ends it too. */
    double sum = 0.0;
    for (double j = 0.0;; j += 1.0) {
        const double weight = exp(-j * (a1 + b * j));
        sum += weight * -expm1(-(x + step * j));
        if (!(weight >= 0x1p-60 * sum && weight > 0.0) && !(m + j < 0.0)) return sum;
    }
}

static curve_point discrete_gaussian_point(double epsilon, double sigma, double sensitivity)
{
    if (!is_legal(epsilon, sigma, sensitivity)) return nowhere;
    if (sensitivity == 0.0 || isinf(epsilon)) return never;
    const double per_step = sensitivity / sigma / sigma,
                 threshold = epsilon * sigma / sensitivity * sigma - 0.5 * sensitivity;
    if (isinf(threshold) || isinf(sensitivity / sigma)) return threshold < 0.0 || isnan(threshold) ? always : never;
    double m = floor(threshold) + 1.0;
    double x = fma(m + 0.5 * sensitivity, per_step, -epsilon);   /* the loss of m beyond epsilon */
    if (x <= 0.0) {   /* the threshold is an integer that rounding moved: its own term is 0 */
        m += 1.0;
        x = fmax(0.0, fma(m + 0.5 * sensitivity, per_step, -epsilon));
    }
    const double total = simdp_discrete_total(sigma);
    if (m < 1.0) {   /* 1 - delta = P[Y < m] + e^epsilon P[Y >= m + D] */
        const double before = 1.0 - m, after = m + sensitivity;
        double c = simdp_discrete_weight(before, sigma) * simdp_discrete_relative_tail(before, sigma);
        if (after >= 1.0)
            c += exp(epsilon + simdp_discrete_log_weight(after, sigma)) * simdp_discrete_relative_tail(after, sigma);
        c /= total;
        if (c < 0.5) return (curve_point){1.0 - c, log1p(-c)};
    }
    const double relative = relative_difference(m, sensitivity, sigma, x) / total;
    return (curve_point){fmin(1.0, simdp_discrete_weight(m, sigma) * relative),
                         fmin(0.0, simdp_discrete_log_weight(m, sigma) + log(relative))};
}

/* ---- public ---- */

#define FORM(law, member)                                                                                              \
    static double law##_##member(double epsilon, const double *p) { return law##_point(epsilon, p[0], p[1]).member; }
FORM(discrete_laplace, delta)
FORM(discrete_laplace, log_delta)
FORM(discrete_gaussian, delta)
FORM(discrete_gaussian, log_delta)

simdp_status simdp_delta_discrete_laplace(double *delta, const double *epsilon, size_t n, double scale,
                                          int64_t sensitivity)
{
    return simdp_forms_map(delta, epsilon, n, discrete_laplace_delta, (const double[]){scale, (double)sensitivity});
}

simdp_status simdp_log_delta_discrete_laplace(double *out, const double *epsilon, size_t n, double scale,
                                              int64_t sensitivity)
{
    return simdp_forms_map(out, epsilon, n, discrete_laplace_log_delta, (const double[]){scale, (double)sensitivity});
}

simdp_status simdp_delta_discrete_gaussian(double *delta, const double *epsilon, size_t n, double sigma,
                                           int64_t sensitivity)
{
    return simdp_forms_map(delta, epsilon, n, discrete_gaussian_delta, (const double[]){sigma, (double)sensitivity});
}

simdp_status simdp_log_delta_discrete_gaussian(double *out, const double *epsilon, size_t n, double sigma,
                                               int64_t sensitivity)
{
    return simdp_forms_map(out, epsilon, n, discrete_gaussian_log_delta, (const double[]){sigma, (double)sensitivity});
}
