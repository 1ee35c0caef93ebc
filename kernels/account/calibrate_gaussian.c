/* calibrate_gaussian.c: the exact curve of Gaussian noise solved for epsilon and for sigma (Balle, Wang), and
 * composition. */
#include "account/calibrate.h"

#include "account/inverse.h"
#include "call/forms.h"
#include "loss/curve.h"
#include "math/outward_functions.h"
#include "math/plain_math.h"
#include "math/root.h"
#include "math/special.h"

#define U 0x1p-53

/* of log delta at a point of the curve: absolute, relative where delta is near 1 */
static double error_of(double log_delta) { return U * (40.0 * fmin(1.0, fabs(log_delta)) + 8.0 * fabs(log_delta)); }

static double upper_log(const gaussian_point *p) { return outward_up(p->log_delta, error_of(p->log_delta)); }

/* ln delta, downward: the target of a search */
static double log_target_of(double delta) { return -ulps_up(-plain_log(delta), 1.0); }

/* Where P[N(0,1) > v] is near delta; to the right of the root in v below, since P[L > epsilon] >= delta(epsilon). */
static double start_of(double log_delta)
{
    return log_delta < -1.0 ? -simdp_special_normal_quantile_guess(log_delta)
                            : -simdp_special_normal_quantile_log(log_delta);
}

/* ---- epsilon: log delta is decreasing and concave in it ---- */

static inverse_point epsilon_curve(double epsilon, const void *s)
{
    const gaussian_point p = simdp_curve_gaussian(epsilon, *(const double *)s);
    /* delta' = -B, delta'' = -B + phi(v)/mu */
    const double slope = -p.slope_epsilon;
    return (inverse_point){p.log_delta, error_of(p.log_delta), slope,
                           slope + slope * slope - p.slope_mu * *(const double *)s};
}

/* 0 < delta < 1, 2^-520 < s < 2^501 */
static double epsilon_at(double delta, double s)
{
    const double mu = 1.0 / s, log_target = log_target_of(delta);
    /* delta(0) = erf(mu/(2 sqrt 2)); near it, the curve itself decides */
    if (plain_erf(mu * (0.5 * SPECIAL_SQRT_HALF)) * (1.0 - 0x1p-48) <= delta) {
        const gaussian_point at_zero = simdp_curve_gaussian(0.0, s);
        if (upper_log(&at_zero) <= log_target) return 0.0;
    }
    const double start = mu * (0.5 * mu + start_of(log_target)), most = fmax(start, 0.0) * (1.0 + 0x1p-40) + 0.01 * mu;
    return simdp_inverse_epsilon(epsilon_curve, &s, log_target, most, start);
}

/* Beyond s = 2^500 the curve is homogeneous: with lambda s, epsilon/lambda has delta/lambda, up to 1/s of itself. */
double simdp_calibrate_gaussian_epsilon_of(double delta, gaussian_noise noise)
{
    if (!is_probability(delta) || !(noise.s >= 0.0)) return NAN;
    if (delta == 1.0 || isinf(noise.s)) return 0.0;
    if (delta == 0.0 || noise.s == 0.0) return INFINITY;
    const int size = ilogb(noise.s) + noise.exponent, beyond = size > 500 ? size - 300 : 0;
    if (size < -519) return INFINITY; /* epsilon is about 1/(2 s^2) */
    const double scaled = ldexp(delta, beyond);
    return scaled < 1.0 ? ldexp_up(epsilon_at(scaled, ldexp(noise.s, noise.exponent - beyond)), -beyond) : 0.0;
}

double simdp_calibrate_gaussian_epsilon(double delta, double s)
{
    return simdp_calibrate_gaussian_epsilon_of(delta, (gaussian_noise){s, 0});
}

/* ---- sigma: in v = epsilon s - 1/(2s), the standardised epsilon, log delta is nearly a parabola. 1/s = mu = sqrt */

typedef struct {
    double epsilon, log_target;
} search;

static double mu_of(double v, double epsilon)
{
    const double root = sqrt(v * v + 2.0 * epsilon);
    return v > 0.0 ? 2.0 * epsilon / (root + v) : root - v;
}

static simdp_root_point sigma_shortfall(double v, const void *context)
{
    const search *s = context;
    const double epsilon = s->epsilon, mu = mu_of(v, epsilon), root = sqrt(v * v + 2.0 * epsilon), inverse = 1.0 / root;
    const gaussian_point p = simdp_curve_gaussian(epsilon, 1.0 / mu);
    /* - d mu/d v = mu/sqrt(v^2 + 2 epsilon), d delta/d mu = phi(v) */
    const double slope = p.slope_mu * mu * inverse, value = s->log_target - p.log_delta;
    const double noise = 0.1 * error_of(p.log_delta) + 2.0 * U * slope * root;
    return (simdp_root_point){fabs(value) < noise ? 0.0 : value, slope,
                              slope * (slope - v - inverse - v * inverse * inverse)};
}

/* s near the solution, raised until the curve, rounded upward, is below the target. d ln s/d ln delta = -1/(mu
 * slope_mu); the slope is 0 where an ulp of s is so much that delta is 1. Bound: 60 turns, as a step doubles. */
static double raised(double s, double epsilon, double log_target)
{
    gaussian_point p = simdp_curve_gaussian(epsilon, s);
    for (double factor = 1.25, next = 0.25; upper_log(&p) > log_target && s < INFINITY; factor = next, next *= 2.0) {
        const double step = p.slope_mu > 0.0 ? error_of(p.log_delta) * s / p.slope_mu : 0.0;
        s = outward_up(s, s * (factor * step + factor * U));
        p = simdp_curve_gaussian(epsilon, s);
    }
    return s;
}

/* 0 < delta < 1, epsilon < 2^1000, not both below 2^-500 */
static double sigma_at(double epsilon, double delta)
{
    const double log_target = log_target_of(delta);
    if (epsilon <= 0x1p-60 * delta) /* as for 0: delta is erf(1/(2 sqrt 2 s)), a little too large */
        return raised(0.5 * SPECIAL_SQRT_HALF / simdp_special_erfinv(delta), epsilon, log_target);
    /* Phi^-1((1-delta)/2) <= v <= Phi^-1(1-delta): the left end is the root for epsilon = 0 */
    const search target = {epsilon, log_target};
    const double start = start_of(log_target), low = delta <= 0.5 ? -0.7 : start - 1.0;
    const double v = simdp_root_increasing(sigma_shortfall, &target, low, fmax(start, 0.0) + 0.01, start, NULL);
    return raised(1.0 / mu_of(v, epsilon), epsilon, log_target);
}

gaussian_noise simdp_calibrate_gaussian_noise(double epsilon, double delta)
{
    if (!is_epsilon(epsilon) || !is_probability(delta)) return (gaussian_noise){NAN, 0};
    if (delta == 1.0 || isinf(epsilon)) return (gaussian_noise){0.0, 0};
    if (delta == 0.0) return (gaussian_noise){INFINITY, 0};
    /* v is below 40 in size and nothing beside sqrt(2 epsilon), and 2 epsilon may overflow */
    if (epsilon > 0x1p1000) return (gaussian_noise){ulps_up(SPECIAL_SQRT_HALF / sqrt(epsilon), 2.0), 0};
    if (fmax(epsilon, delta) < 0x1p-500) /* homogeneous, as above */
        return (gaussian_noise){sigma_at(ldexp(epsilon, 400), ldexp(delta, 400)), 400};
    return (gaussian_noise){sigma_at(epsilon, delta), 0};
}

double simdp_calibrate_gaussian_sigma(double epsilon, double delta)
{
    const gaussian_noise noise = simdp_calibrate_gaussian_noise(epsilon, delta);
    return isnan(noise.s) ? NAN : ldexp_up(noise.s, noise.exponent);
}

double simdp_calibrate_gaussian_delta(double epsilon, double s)
{
    const gaussian_point p = simdp_curve_gaussian(epsilon, s);
    if (isnan(p.delta) || isinf(s) || isinf(epsilon)) return p.delta; /* exact */
    return fmin(1.0, outward_up(p.delta, 40.0 * U * p.delta + 0x1p-1074));
}

simdp_status simdp_account_compose_gaussian(double *sigma_over_sensitivity, const double *steps, const int64_t *counts,
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
    double least = INFINITY; /* sums of (least/s)^2: no overflow, and one step is returned as it is */
    outward_sum sum = {0, 0};
    for (size_t i = 0; i < n; i++) {
        if (counts == NULL || counts[i] > 0) least = fmin(least, steps[i]);
    }
    for (size_t i = 0; i < n && least > 0.0 && least < INFINITY; i++) {
        const double count = counts == NULL ? 1.0 : count_up(counts[i]);
        const double ratio = steps[i] > least ? div_up(least, steps[i]) : 1.0;
        if (count > 0.0) outward_sum_add(&sum, times_up(count, times_up(ratio, ratio)));
    }
    const double all = outward_sum_up(&sum);
    *sigma_over_sensitivity = all <= 1.0 ? least : div_down(least, sqrt_up(all));
    return SIMDP_OK;
}

/* Gaussian DP: 1/s of the least noise, downward. Its reciprocal may be a double where s itself is none. */
static double gdp_mu(double epsilon, double delta)
{
    const gaussian_noise noise = simdp_calibrate_gaussian_noise(epsilon, delta);
    if (isnan(noise.s)) return NAN;
    if (noise.s == 0.0) return INFINITY;
    if (isinf(noise.s)) return 0.0;
    const double mu = div_down(1.0, noise.s), scaled = ldexp(mu, -noise.exponent);
    return ldexp(scaled, noise.exponent) > mu ? outward_previous(scaled) : scaled;
}

simdp_status simdp_account_gdp_mu(double *mu, const double *epsilon, const double *delta, size_t n)
{
    FORMS_EACH(n, form_is_number(mu[i] = gdp_mu(epsilon[i], delta[i])), FORM_ARRAY(mu), FORM_ARRAY(epsilon),
               FORM_ARRAY(delta));
}

/* A record is in one leaf and in all nodes above it: 1 + floor(log2 steps) of them, each a Gaussian mechanism. */
static double tree_sigma(double noise, int64_t steps)
{
    if (!(noise >= 0.0) || steps < 0) return NAN;
    if (steps == 0) return INFINITY;
    int nodes = 1;
    while (steps >> nodes > 0) nodes++; /* bound: 63 turns */
    return isinf(noise) ? noise : nodes == 1 ? noise : div_down(noise, sqrt_up((double)nodes));
}

simdp_status simdp_account_tree_gaussian(double *sigma_over_sensitivity, const double *noise, size_t n, int64_t steps)
{
    FORMS_EACH(n, form_is_number(sigma_over_sensitivity[i] = tree_sigma(noise[i], steps)),
               FORM_ARRAY(sigma_over_sensitivity), FORM_ARRAY(noise));
}
