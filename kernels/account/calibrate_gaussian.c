/* calibrate_gaussian.c: the exact curve of Gaussian noise solved for epsilon and for sigma (Balle, Wang), and composition. */
#include "account/calibrate.h"

#include "loss/curve_gaussian.h"
#include "math/forms.h"
#include "math/root.h"
#include "math/special.h"
#include "math/sum.h"

#define U 0x1p-53

/* of log delta at a computed point, and of the logarithm of the target */
static double error_of(double log_delta) { return U * (32.0 + 8.0 * fabs(log_delta)); }

/* ---- epsilon: log delta is decreasing and concave in epsilon, so Newton from the right never passes the root. It starts where
 * P[L > epsilon] = delta, which is an upper bound. ---- */

typedef struct {
    double other, log_target;
} search;

static double epsilon_shortfall(double epsilon, double *slope, const void *context)
{
    const search *s = context;
    const gaussian_point p = simdp_curve_gaussian(epsilon, s->other);
    *slope = -p.slope_epsilon;
    const double value = s->log_target - p.log_delta;
    return fabs(value) < U * fabs(s->log_target) ? 0.0 : value;
}

double simdp_calibrate_gaussian_epsilon(double delta, double s)
{
    if (!is_probability(delta) || !(s >= 0.0)) return NAN;
    if (delta == 1.0 || isinf(s)) return 0.0;
    if (delta == 0.0 || s == 0.0) return INFINITY;
    const gaussian_point at_zero = simdp_curve_gaussian(0.0, s);
    const search target = {s, log(delta)};
    if (at_zero.log_delta <= target.log_target) return 0.0;
    const double mu = 1.0 / s, tail = mu * (0.5 * mu - simdp_special_normal_quantile_log(target.log_target));
    if (isinf(tail)) return INFINITY;
    const double most = fmax(tail, 0.0) * (1.0 + 0x1p-40) + mu;   /* beyond the root, whatever was rounded */
    const double epsilon = simdp_root_increasing(epsilon_shortfall, &target, 0.0, most, tail > 0.0 ? tail : 0.5 * most);
    const gaussian_point found = simdp_curve_gaussian(epsilon, s);
    return account_up(epsilon + error_of(target.log_target) / -found.slope_epsilon);
}

/* ---- sigma: in v = epsilon s - 1/(2s), the standardised epsilon, log delta is nearly a parabola. The start Phi(-v) = delta is to the
 * right of the root, for the same reason. 1/s = mu = sqrt(v^2 + 2 epsilon) - v. ---- */

static double mu_of(double v, double epsilon)
{
    const double root = sqrt(v * v + 2.0 * epsilon);
    return v > 0.0 ? 2.0 * epsilon / (root + v) : root - v;
}

static double sigma_shortfall(double v, double *slope, const void *context)
{
    const search *s = context;
    const double epsilon = s->other, mu = mu_of(v, epsilon);
    const gaussian_point p = simdp_curve_gaussian(epsilon, 1.0 / mu);
    *slope = p.slope_mu * mu / sqrt(v * v + 2.0 * epsilon);   /* - d mu/d v = mu/sqrt(v^2 + 2 epsilon) */
    const double value = s->log_target - p.log_delta;
    return fabs(value) < U * fabs(s->log_target) ? 0.0 : value;
}

double simdp_calibrate_gaussian_sigma(double epsilon, double delta)
{
    if (!is_epsilon(epsilon) || !is_probability(delta)) return NAN;
    if (delta == 1.0 || (isinf(epsilon) && delta > 0.0)) return 0.0;
    if (delta == 0.0) return INFINITY;
    if (epsilon < 1e-290) {   /* 2 epsilon is lost beside v^2; delta is erf(1/(2 sqrt 2 s)), a little too large */
        return account_up(0.5 * SPECIAL_SQRT_HALF / simdp_special_erfinv(delta));
    }
    const search target = {epsilon, log(delta)};
    const double high = -simdp_special_normal_quantile_log(target.log_target), width = 1.0 + fabs(high);
    double slope, low = high - width;
    while (sigma_shortfall(low, &slope, &target) > 0.0) low -= width + fabs(low);
    const double v = simdp_root_increasing(sigma_shortfall, &target, low, high + 0x1p-40 * width, high);
    const double mu = mu_of(v, epsilon), s = 1.0 / mu;
    const gaussian_point found = simdp_curve_gaussian(epsilon, s);
    return account_up(s * (1.0 + error_of(target.log_target) / (found.slope_mu * mu)));   /* d log delta/d ln s = - mu slope_mu */
}

/* ---- public ---- */

static double epsilon_form(double delta, const double *s) { return simdp_calibrate_gaussian_epsilon(delta, *s); }
static double sigma_form(double epsilon, const double *delta) { return simdp_calibrate_gaussian_sigma(epsilon, *delta); }

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

simdp_status simdp_epsilon_gaussian_each(double *epsilon, const double *delta, const double *sigma_over_sensitivity, size_t n)
{
    return simdp_forms_map_each(epsilon, delta, sigma_over_sensitivity, NULL, n, epsilon_form);
}

simdp_status simdp_sigma_gaussian(double *sigma_over_sensitivity, const double *epsilon, const double *delta, size_t n)
{
    return simdp_forms_map_each(sigma_over_sensitivity, epsilon, delta, NULL, n, sigma_form);
}

simdp_status simdp_compose_gaussian(double *sigma_over_sensitivity, const double *steps, const int64_t *counts, size_t n)
{
    if (sigma_over_sensitivity == NULL || (n > 0 && steps == NULL)) return SIMDP_ENULL;
    *sigma_over_sensitivity = NAN;
    for (size_t i = 0; i < n; i++) {
        if (!(steps[i] >= 0.0) || (counts != NULL && counts[i] < 0)) return SIMDP_EPARAM;
    }
    const unsigned mode = fp_mode_enter();
    double least = INFINITY;   /* sums of (least/s)^2: no overflow, and one step is returned as it is */
    simdp_sum sum = {0, 0};
    for (size_t i = 0; i < n; i++) {
        if (counts == NULL || counts[i] > 0) least = fmin(least, steps[i]);
    }
    for (size_t i = 0; i < n && least > 0.0 && least < INFINITY; i++) {
        const double count = counts == NULL ? 1.0 : (double)counts[i], ratio = least / steps[i];
        sum_add(&sum, count * ratio * ratio);
    }
    const double all = sum_value(&sum);
    *sigma_over_sensitivity = all <= 1.0 ? least : account_down(least / sqrt(all));
    fp_mode_leave(mode);
    return SIMDP_OK;
}
