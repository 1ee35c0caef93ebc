/* divergence.c: divergences of two finite distributions, their entries used as given. */
#include <math.h>
#include <stdbool.h>

#include "math/forms.h"
#include "math/special.h"
#include "math/sum.h"
#include "noise/fp_mode.h"

static bool are_distributions(const double *p, const double *q, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (!(p[i] >= 0.0 && p[i] < INFINITY && q[i] >= 0.0 && q[i] < INFINITY)) return false;
    }
    return true;
}

/* ln(p/q), p and q positive: by the difference where they are near, without overflow of the quotient where they are
 * far */
static double log_ratio(double p, double q)
{
    if (fabs(p - q) < 0.5 * q) return log1p((p - q) / q);
    const double ratio = p / q;
    return ratio > 0.0 && ratio < INFINITY ? log(ratio) : log(p) - log(q);
}

/* sum p ln(p/q) = sum (p ln(p/q) - p + q) + sum (p - q): the terms of the first are never negative, so they do not
 * cancel */
static double relative_entropy(const double *p, const double *q, size_t size)
{
    simdp_sum away = {0, 0}, excess = {0, 0};
    for (size_t i = 0; i < size; i++) {
        if (p[i] > 0.0 && q[i] == 0.0) return INFINITY;
        if (p[i] == 0.0) continue;
        const double difference = p[i] - q[i];
        sum_add(&away, simdp_special_deviance(p[i], q[i], difference));
        sum_add(&excess, p[i]);
        sum_add(&excess, -q[i]);
    }
    return sum_value(&away) + sum_value(&excess);
}

static double max_divergence(const double *p, const double *q, size_t size)
{
    double most = -INFINITY;
    for (size_t i = 0; i < size; i++) {
        if (p[i] == 0.0) continue;
        if (q[i] == 0.0) return INFINITY;
        most = fmax(most, log_ratio(p[i], q[i]));
    }
    return most;
}

/* sum (p - e^epsilon q)+ = sum p (1 - e^(epsilon - ln(p/q))) over the entries with ln(p/q) > epsilon */
static double hockey_stick(double epsilon, const double *p, const double *q, size_t size)
{
    simdp_sum sum = {0, 0};
    if (!(epsilon >= 0.0)) return NAN;
    for (size_t i = 0; i < size; i++) {
        if (p[i] == 0.0) continue;
        const double loss = q[i] == 0.0 ? INFINITY : log_ratio(p[i], q[i]);
        if (isinf(loss)) sum_add(&sum, p[i]);
        else if (loss > epsilon) sum_add(&sum, p[i] * -expm1(epsilon - loss));
    }
    return sum_value(&sum);
}

/* ln(sum p^alpha q^(1-alpha))/(alpha - 1). While no power overflows, the sum is sum p + sum p expm1((alpha-1)
 * ln(p/q)), which keeps what is small; else powers are taken relative to the largest. */
static double renyi(double alpha, const double *p, const double *q, size_t size)
{
    if (!(alpha > 0.0)) return NAN;
    if (alpha == 1.0) return relative_entropy(p, q, size);
    if (isinf(alpha)) return max_divergence(p, q, size);
    const double a = alpha - 1.0;
    double most = -INFINITY;   /* exponent plus ln p: the largest term */
    bool common = false;
    simdp_sum near = {0, 0};
    sum_add(&near, -1.0);
    for (size_t i = 0; i < size; i++) {
        if (p[i] == 0.0) continue;
        if (q[i] == 0.0) {
            if (a > 0.0) return INFINITY;
            continue;   /* contributes q^(1-alpha) = 0 */
        }
        common = true;
        const double exponent = a * log_ratio(p[i], q[i]);
        most = fmax(most, exponent + log(p[i]));
        sum_add(&near, p[i]);
        sum_add(&near, p[i] * expm1(exponent));
    }
    if (!common) return a < 0.0 ? INFINITY : -INFINITY;   /* disjoint supports; or p is all zeros */
    const double rest = sum_value(&near);
    if (rest > -0.5 && rest < INFINITY) return log1p(rest) / a;
    simdp_sum scaled = {0, 0};
    for (size_t i = 0; i < size; i++) {
        if (p[i] > 0.0 && q[i] > 0.0) sum_add(&scaled, exp(a * log_ratio(p[i], q[i]) + log(p[i]) - most));
    }
    return (most + log(sum_value(&scaled))) / a;
}

/* ---- public ---- */

simdp_status simdp_divergences_finite(simdp_divergences *out, const double *p, const double *q, size_t size)
{
    if (out == NULL) return SIMDP_ENULL;
    const simdp_status status = FORMS_GATE(size, FORM_ARRAY(p), FORM_ARRAY(q));
    if (status != SIMDP_OK) return status;
    FP_MODE_SCOPE();
    *out = (simdp_divergences){NAN, NAN, NAN, NAN, NAN};
    if (size == 0 || !are_distributions(p, q, size)) return SIMDP_EPARAM;
    simdp_sum distance = {0, 0};
    for (size_t i = 0; i < size; i++) sum_add(&distance, fabs(p[i] - q[i]));
    out->kl = relative_entropy(p, q, size);
    out->kl_reverse = relative_entropy(q, p, size);
    out->max = max_divergence(p, q, size);
    out->max_reverse = max_divergence(q, p, size);
    out->total_variation = 0.5 * sum_value(&distance);
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

simdp_status simdp_delta_finite(double *delta, const double *epsilon, size_t n, const double *p, const double *q,
                                size_t size)
{
    return sweep(delta, epsilon, n, p, q, size, hockey_stick);
}

simdp_status simdp_renyi_finite(double *divergence, const double *order, size_t n, const double *p, const double *q,
                                size_t size)
{
    return sweep(divergence, order, n, p, q, size, renyi);
}
