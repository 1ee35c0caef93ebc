/* divergence.c: divergences of two finite distributions, their entries used as given. */
#include <math.h>
#include <stdbool.h>

#include "call/forms.h"
#include "call/fp_mode.h"
#include "math/plain_math.h"
#include "math/scalar_dd.h"
#include "math/special.h"
#include "math/sum.h"

static bool are_distributions(const double *p, const double *q, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (!(p[i] >= 0.0 && p[i] < INFINITY && q[i] >= 0.0 && q[i] < INFINITY)) return false;
    }
    return true;
}

/* A power of two that brings masses into the middle of the range, so that sums of up to 2^64 of them do not overflow
 * and small ones keep their digits. */
static double unit_of(const double *p, const double *q, size_t size)
{
    double most = 0.0;
    for (size_t i = 0; i < size; i++) most = fmax(most, fmax(p[i], q[i]));
    return most > 0x1p+900 ? 0x1p-200 : most < 0x1p-700 ? 0x1p+200 : 1.0;
}

/* unit (p ln(p/q) - p + q) >= 0. Masses that lie far apart may leave the range when scaled: then the larger decides. */
static double deviance(double p, double q, double unit)
{
    const double x = unit * p, m = unit * q, difference = unit * (p - q);
    if (fabs(difference) < 0.5 * (x + m)) return simdp_special_deviance(x, m, difference);
    return x * simdp_special_log_ratio(p, q) - difference;
}

/* sum p ln(p/q) = sum (p ln(p/q) - p + q) + sum (p - q): the terms of the first are never negative, so they do not
 * cancel */
static double relative_entropy(const double *p, const double *q, size_t size)
{
    simdp_sum away = {0, 0}, excess = {0, 0};
    const double unit = unit_of(p, q, size);
    for (size_t i = 0; i < size; i++) {
        if (p[i] > 0.0 && q[i] == 0.0) return INFINITY;
        if (p[i] == 0.0) continue;
        sum_add(&away, deviance(p[i], q[i], unit));
        sum_add(&excess, unit * p[i]);
        sum_add(&excess, -(unit * q[i]));
    }
    return (sum_value(&away) + sum_value(&excess)) / unit;
}

static double max_divergence(const double *p, const double *q, size_t size)
{
    double most = -INFINITY;
    for (size_t i = 0; i < size; i++) {
        if (p[i] == 0.0) continue;
        if (q[i] == 0.0) return INFINITY;
        most = fmax(most, simdp_special_log_ratio(p[i], q[i]));
    }
    return most;
}

static double total_variation(const double *p, const double *q, size_t size)
{
    const double unit = unit_of(p, q, size);
    simdp_sum distance = {0, 0};
    for (size_t i = 0; i < size; i++) sum_add(&distance, unit * fabs(p[i] - q[i]));
    return sum_value(&distance) * (0.5 / unit);
}

/* ---- hockey stick ---- */

/* m 2^exponent, m in [1/16, 1): a number that may lie outside the range of doubles */
typedef struct {
    dd m;
    int exponent;
} wide_power;

/* e^epsilon, 0 <= epsilon <= 3000, as the fourth power of e^(epsilon/4): 2^-99 */
static wide_power exp_wide(double epsilon)
{
    int exponent;
    dd root = dd_exp(dd_of(0.25 * epsilon));
    frexp(root.hi, &exponent);
    root = (dd){ldexp(root.hi, -exponent), ldexp(root.lo, -exponent)};
    const dd square = dd_mul(root, root);
    return (wide_power){dd_mul(square, square), 4 * exponent};
}

/* unit (p - e^epsilon q)+ in double-double: where p is near e^epsilon q, at an atom of the loss, little is left */
static double above(double p, double q, wide_power factor, double unit)
{
    int p_exponent, q_exponent;
    const double p_part = frexp(p, &p_exponent), q_part = frexp(q, &q_exponent);
    const int shift = factor.exponent + q_exponent - p_exponent; /* of e^epsilon q, in units of p */
    if (shift < -200) return unit * p;
    if (shift > 6) return 0.0; /* e^epsilon q >= 2^(shift - 5) of p's power of two */
    const dd product = dd_scale(dd_mul_d(factor.m, q_part), ldexp(1.0, shift));
    const double rest = dd_double(dd_add_d(dd_neg(product), p_part));
    return rest > 0.0 ? ldexp(rest * unit, p_exponent) : 0.0;
}

static double hockey_stick(double epsilon, const double *p, const double *q, size_t size)
{
    simdp_sum sum = {0, 0};
    if (!(epsilon >= 0.0)) return NAN;
    const double unit = unit_of(p, q, size);
    const bool finite = epsilon < 1500.0; /* no quotient of doubles reaches e^1500 */
    const wide_power factor = finite ? exp_wide(epsilon) : (wide_power){{0, 0}, 0};
    for (size_t i = 0; i < size; i++) {
        if (p[i] == 0.0) continue;
        if (q[i] == 0.0) sum_add(&sum, unit * p[i]);
        else if (finite) sum_add(&sum, above(p[i], q[i], factor, unit));
    }
    return sum_value(&sum) / unit;
}

/* ---- Renyi ---- */

/* ln(p/q) to 2^-90 */
static dd log_ratio_exact(double p, double q)
{
    if (!(fabs(p - q) < 0.5 * q)) return dd_sub(dd_log(dd_of(p)), dd_log(dd_of(q)));
    const double unit = unit_of(&p, &q, 1);
    return dd_log1p(dd_div(dd_of(unit * (p - q)), dd_of(unit * q)));
}

/* p^alpha q^(1-alpha) - p = p (e^(a l) - 1), l = ln(p/q). A large exponent multiplies its own error, so it is made of
 * two doubles; one beyond 1e6 only says 0 or inf. */
static double power_less_p(double alpha, double p, double q, double l)
{
    const double x = (alpha - 1.0) * l;
    if (fabs(x) < 1.0) return p * plain_expm1(x);
    if (fabs(x) > 1e6) return x > 0.0 ? INFINITY : -p;
    const dd exponent = dd_add(dd_mul(dd_two_sum(alpha, -1.0), log_ratio_exact(p, q)), dd_log(dd_of(p)));
    return plain_exp(exponent.hi) * (1.0 + exponent.lo) - p;
}

/* (p^alpha q^(1-alpha) - p)/a - (p - q) >= 0, which is alpha l^2 exp[0, a l, -l] times p: 0 where p = q. The difference
 * is taken as it stands where it does not cancel: far from p = q, and for alpha near 0, where both parts are nearly
 * q - p, with alpha l as a factor. */
static double renyi_term(double alpha, double p, double q)
{
    const double a = alpha - 1.0, l = simdp_special_log_ratio(p, q), y = alpha * fabs(l);
    if (fmax(alpha, 1.0) * fabs(l) < 4.0) return p * (y * fabs(l)) * simdp_special_exp_divided(a * l, -l);
    if (a == 0.0) return p * l - (p - q);
    const double less = power_less_p(alpha, p, q, l);
    if (alpha >= 0.5) return less / a - (p - q);
    if (l > 0.0) return y * less / (a * l) - (y > 1.0 ? (p + less) - q : q * plain_expm1(y));
    return (y < 0x1p-60 ? y : -plain_expm1(-y)) * q - y * less / (a * l);
}

/* ln(sum p^alpha q^(1-alpha))/a by the largest power: with z = l + ln(p)/a, and top that of the largest power, D = top
 * + ln(sum e^(a (z - top)))/a. */
static double renyi_by_largest(double alpha, const double *p, const double *q, size_t size)
{
    const double a = alpha - 1.0;
    dd top = {0, 0};
    simdp_sum sum = {0, 0};
    for (int pass = 0; pass < 2; pass++) {
        bool first = true;
        for (size_t i = 0; i < size; i++) {
            if (p[i] == 0.0 || q[i] == 0.0) continue;
            const dd z = dd_add(log_ratio_exact(p[i], q[i]), dd_div(dd_log(dd_of(p[i])), dd_two_sum(alpha, -1.0)));
            const double away = dd_double(dd_sub(z, top));
            if (pass == 1) sum_add(&sum, plain_exp(a * away));
            else if (first || a * away > 0.0) top = z;
            first = false;
        }
    }
    return dd_double(dd_add_d(top, plain_log(sum_value(&sum)) / a));
}

/* With sums over the entries where both masses are positive, sum p^alpha q^(1-alpha) - 1 = a (sum of terms) + a sum
 * (p - q) + (sum p - 1): this keeps what is small where the laws are near each other or alpha is near 1. */
static double renyi(double alpha, const double *p, const double *q, size_t size)
{
    if (!(alpha > 0.0)) return NAN;
    if (alpha == 1.0) return relative_entropy(p, q, size);
    if (isinf(alpha)) return max_divergence(p, q, size);
    const double a = alpha - 1.0;
    bool common = false;
    simdp_sum away = {0, 0}, excess = {0, 0}, rest = {0, 0};
    sum_add(&rest, -1.0);
    for (size_t i = 0; i < size; i++) {
        if (p[i] > 0.0 && q[i] == 0.0 && a > 0.0) return INFINITY;
        if (p[i] == 0.0 || q[i] == 0.0) continue; /* contributes 0 */
        common = true;
        sum_add(&away, renyi_term(alpha, p[i], q[i]));
        sum_add(&excess, p[i]);
        sum_add(&excess, -q[i]);
        sum_add(&rest, p[i]);
    }
    if (!common) return a < 0.0 ? INFINITY : -INFINITY; /* disjoint supports; or p is all zeros */
    const double terms = a * sum_value(&away), difference = a * sum_value(&excess), other = sum_value(&rest);
    if (!(fabs(terms) + fabs(difference) + fabs(other) < 0.75)) return renyi_by_largest(alpha, p, q, size);
    return plain_log1p(terms + difference + other) / a;
}

/* ---- public ---- */

simdp_status simdp_loss_divergences_finite(simdp_loss_divergences *out, const double *p, const double *q, size_t size)
{
    if (out == NULL) return SIMDP_ENULL;
    const simdp_status status = FORMS_GATE(size, FORM_ARRAY(p), FORM_ARRAY(q));
    if (status != SIMDP_OK) return status;
    FP_MODE_SCOPE();
    *out = (simdp_loss_divergences){NAN, NAN, NAN, NAN, NAN};
    if (size == 0 || !are_distributions(p, q, size)) return SIMDP_EPARAM;
    out->kl = relative_entropy(p, q, size);
    out->kl_reverse = relative_entropy(q, p, size);
    out->max = max_divergence(p, q, size);
    out->max_reverse = max_divergence(q, p, size);
    out->total_variation = total_variation(p, q, size);
    return SIMDP_OK;
}

static simdp_status sweep(double *out, const double *x, size_t n, const double *p, const double *q, size_t size,
                          double (*f)(double, const double *, const double *, size_t))
{
    const simdp_status shared = n == 0 ? SIMDP_OK : FORMS_GATE(size, FORM_ARRAY(p), FORM_ARRAY(q));
    if (shared != SIMDP_OK || n == 0) return shared;
    FP_MODE_SCOPE();
    const bool legal = size > 0 && are_distributions(p, q, size);
    FORMS_EACH(n, form_is_number(out[i] = legal ? f(x[i], p, q, size) : NAN), FORM_ARRAY(out), FORM_ARRAY(x));
}

simdp_status simdp_loss_delta_finite(double *delta, const double *epsilon, size_t n, const double *p, const double *q,
                                     size_t size)
{
    return sweep(delta, epsilon, n, p, q, size, hockey_stick);
}

simdp_status simdp_loss_renyi_finite(double *divergence, const double *order, size_t n, const double *p,
                                     const double *q, size_t size)
{
    return sweep(divergence, order, n, p, q, size, renyi);
}
