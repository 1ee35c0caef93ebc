/* calibrate_gaussian.c: the exact curve of Gaussian noise solved for epsilon and for sigma (Balle, Wang), and
 * composition. */
#include "account/calibrate.h"

#include "loss/curve_gaussian.h"
#include "math/forms.h"
#include "math/root.h"
#include "math/special.h"
#include "math/sum.h"

#define U 0x1p-53

/* of log delta at a computed point, of the logarithm of the target, and of the root, which is left where the rest is
 * noise */
static double error_of(double log_delta) { return U * (32.0 + 8.0 * fabs(log_delta)); }

/* log delta answers to the rounding of its argument, in ulps, with `response` */
static double unless_noise(double value, double log_target, double response)
{
    return fabs(value) < 0.25 * error_of(log_target) + 2.0 * U * response ? 0.0 : value;
}

typedef struct {
    double other, log_target;   /* s or epsilon; ln delta */
} search;

/* Where P[N(0,1) > v] is near delta; to the right of the root in v below, since P[L > epsilon] >= delta(epsilon). */
static double start_of(double log_delta)
{
    return log_delta < -1.0 ? -simdp_special_normal_quantile_guess(log_delta)
                            : -simdp_special_normal_quantile_log(log_delta);
}

/* ---- epsilon: log delta is decreasing and concave in it ---- */

static simdp_root_point epsilon_shortfall(double epsilon, const void *context)
{
    const search *s = context;
    const gaussian_point p = simdp_curve_gaussian(epsilon, s->other);
    /* delta' = -B, delta'' = -B + phi(v)/mu */
    const double slope = -p.slope_epsilon, value = s->log_target - p.log_delta;
    return (simdp_root_point){unless_noise(value, s->log_target, slope * epsilon), slope,
                              slope + slope * slope - p.slope_mu * s->other};
}

double simdp_calibrate_gaussian_epsilon(double delta, double s)
{
    if (!is_probability(delta) || !(s >= 0.0)) return NAN;
    if (delta == 1.0 || isinf(s)) return 0.0;
    if (delta == 0.0 || s == 0.0) return INFINITY;
    const double mu = 1.0 / s;
    const search target = {s, log(delta)};
    /* delta(0) = erf(mu/(2 sqrt 2)); near it, the curve itself decides */
    if (erf(mu * (0.5 * SPECIAL_SQRT_HALF)) * (1.0 - 0x1p-48) <= delta &&
        simdp_curve_gaussian(0.0, s).log_delta <= target.log_target)
        return 0.0;
    const double start = mu * (0.5 * mu + start_of(target.log_target));
    if (isinf(start)) return INFINITY;
    double slope;
    const double epsilon = simdp_root_increasing(epsilon_shortfall, &target, 0.0,
                                                 fmax(start, 0.0) + 0.01 * mu * (1.0 + mu), start, &slope);
    return account_up(epsilon * (1.0 + 4.0 * U) + 1.25 * error_of(target.log_target) / slope);
}

/* ---- sigma: in v = epsilon s - 1/(2s), the standardised epsilon, log delta is nearly a parabola. 1/s = mu = sqrt */

static double mu_of(double v, double epsilon)
{
    const double root = sqrt(v * v + 2.0 * epsilon);
    return v > 0.0 ? 2.0 * epsilon / (root + v) : root - v;
}

static simdp_root_point sigma_shortfall(double v, const void *context)
{
    const search *s = context;
    const double epsilon = s->other, mu = mu_of(v, epsilon), inverse = 1.0 / sqrt(v * v + 2.0 * epsilon);
    const gaussian_point p = simdp_curve_gaussian(epsilon, 1.0 / mu);
    /* - d mu/d v = mu/sqrt(v^2 + 2 epsilon), d delta/d mu = phi(v) */
    const double slope = p.slope_mu * mu * inverse, value = s->log_target - p.log_delta;
    return (simdp_root_point){unless_noise(value, s->log_target, slope / inverse), slope,
                              slope * (slope - v - inverse - v * inverse * inverse)};
}

double simdp_calibrate_gaussian_sigma(double epsilon, double delta)
{
    if (!is_epsilon(epsilon) || !is_probability(delta)) return NAN;
    if (delta == 1.0 || (isinf(epsilon) && delta > 0.0)) return 0.0;
    if (delta == 0.0) return INFINITY;
    if (epsilon < 1e-290) {   /* 2 epsilon is lost beside v^2; delta is erf(1/(2 sqrt 2 s)), a little too large */
        return account_up(0.5 * SPECIAL_SQRT_HALF / simdp_special_erfinv(delta));
    }
    /* v is below 40 in size and nothing beside sqrt(2 epsilon), and 2 epsilon may overflow */
    if (epsilon > 0x1p1000) return account_up(SPECIAL_SQRT_HALF / sqrt(epsilon));
    const search target = {epsilon, log(delta)};
    /* Phi^-1((1-delta)/2) <= v <= Phi^-1(1-delta): the left end is the root for epsilon = 0 */
    const double start = start_of(target.log_target), low = delta <= 0.5 ? -0.7 : start - 1.0;
    double slope;
    const double v = simdp_root_increasing(sigma_shortfall, &target, low, fmax(start, 0.0) + 0.01, start, &slope);
    /* d ln s/d v = 1/sqrt(v^2 + 2 epsilon) */
    return account_up((1.0 / mu_of(v, epsilon)) *
                      (1.0 + 4.0 * U + 1.25 * error_of(target.log_target) / (slope * sqrt(v * v + 2.0 * epsilon))));
}

/* ---- public ---- */

static double epsilon_form(double delta, const double *s) { return simdp_calibrate_gaussian_epsilon(delta, *s); }
static double sigma_form(double epsilon, const double *delta)
{
    return simdp_calibrate_gaussian_sigma(epsilon, *delta);
}

static double delta_form(double epsilon, const double *s)
{
    const gaussian_point p = simdp_curve_gaussian(epsilon, *s);
    return isnan(p.delta) ? NAN : account_up_probability(p.delta * (1.0 + 0x1p-48));   /* its own error: 40 u */
}

simdp_status simdp_delta_upper_gaussian(double *delta, const double *epsilon, size_t n, double sigma_over_sensitivity)
{
    return simdp_forms_map(delta, epsilon, n, delta_form, &sigma_over_sensitivity);
}

simdp_status simdp_epsilon_gaussian(double *epsilon, const double *delta, size_t n, double sigma_over_sensitivity)
{
    return simdp_forms_map(epsilon, delta, n, epsilon_form, &sigma_over_sensitivity);
}

simdp_status simdp_epsilon_gaussian_each(double *epsilon, const double *delta, const double *sigma_over_sensitivity,
                                         size_t n)
{
    return simdp_forms_map_each(epsilon, delta, sigma_over_sensitivity, n, epsilon_form);
}

simdp_status simdp_sigma_gaussian(double *sigma_over_sensitivity, const double *epsilon, const double *delta, size_t n)
{
    return simdp_forms_map_each(sigma_over_sensitivity, epsilon, delta, n, sigma_form);
}

simdp_status simdp_compose_gaussian(double *sigma_over_sensitivity, const double *steps, const int64_t *counts,
                                    size_t n)
{
    if (sigma_over_sensitivity == NULL) return SIMDP_ENULL;
    const simdp_status status = FORMS_GATE(n, FORM_ARRAY(steps));
    if (status != SIMDP_OK) return status;
    FP_MODE_SCOPE();
    for (size_t i = 0; i < n; i++) {
        if (steps[i] >= 0.0 && (counts == NULL || counts[i] >= 0)) continue;
        *sigma_over_sensitivity = NAN;
        return SIMDP_EPARAM;
    }
    double least = INFINITY;   /* sums of (least/s)^2: no overflow, and one step is returned as it is */
    simdp_sum sum = {0, 0};
    for (size_t i = 0; i < n; i++) {
        if (counts == NULL || counts[i] > 0) least = fmin(least, steps[i]);
    }
    for (size_t i = 0; i < n && least > 0.0 && least < INFINITY; i++) {
        const double count = counts == NULL ? 1.0 : (double)counts[i], ratio = least / steps[i];
        if (count > 0.0) sum_add(&sum, count * ratio * ratio);
    }
    const double all = sum_value(&sum);
    *sigma_over_sensitivity = all <= 1.0 ? least : account_down(least / sqrt(all));
    return SIMDP_OK;
}
