/* calibrate.c: exact calibration of Laplace noise and randomized response; noise for a target, and a guarantee for
 * given noise. */
#include "account/calibrate.h"

#include "math/forms.h"
#include "math/special.h"

/* ---- Laplace: delta = 1 - e^((epsilon - t)/2) ---- */

static double laplace_delta(double epsilon, const double *t)
{
    if (!is_epsilon(epsilon) || !(*t >= 0.0)) return NAN;
    if (isinf(*t)) return 1.0;
    return epsilon < *t ? account_up_probability(-expm1(0.5 * (epsilon - *t))) : 0.0;
}

static double laplace_epsilon(double delta, const double *t)
{
    if (!is_probability(delta) || !(*t >= 0.0)) return NAN;
    if (delta == 1.0) return 0.0;
    if (delta == 0.0) return *t;
    const double saved = -2.0 * log1p(-delta);
    return *t <= saved ? 0.0 : fmin(*t, account_up(*t - saved + *t * 0x1p-51));   /* the subtraction may cancel */
}

/* scale/sensitivity = 1/t, t = epsilon - 2 ln(1-delta) */
static double laplace_scale(double epsilon, const double *delta)
{
    if (!is_epsilon(epsilon) || !is_probability(*delta)) return NAN;
    return account_up(1.0 / (epsilon - 2.0 * log1p(-*delta)));
}

/* ---- randomized response: delta = leak + (1-leak) (e^epsilon0 - e^epsilon)/(1 + e^epsilon0) ---- */

static double response_delta(double epsilon, const double *p)
{
    const double epsilon0 = p[0], leak = p[1];
    if (!is_epsilon(epsilon) || !is_epsilon(epsilon0) || !is_probability(leak)) return NAN;
    if (isinf(epsilon0)) return 1.0;
    const double base = epsilon < epsilon0 ? -expm1(epsilon - epsilon0) / (1.0 + exp(-epsilon0)) : 0.0;
    return base == 0.0 ? leak : account_up_probability(leak + (1.0 - leak) * base);
}

/* The epsilon with base(epsilon) = d: e^epsilon = e^epsilon0 - d (1 + e^epsilon0). */
static double response_epsilon(double delta, const double *p)
{
    const double epsilon0 = p[0], leak = p[1];
    if (!is_probability(delta) || !is_epsilon(epsilon0) || !is_probability(leak)) return NAN;
    if (delta == 1.0) return 0.0;
    if (delta < leak || leak == 1.0 || isinf(epsilon0)) return INFINITY;
    /* rounded down: what the leak leaves */
    const double d = fmax(0.0, (delta - leak) / (1.0 - leak) - 0x1p-51 * delta / (1.0 - leak));
    if (d == 0.0) return epsilon0;
    if (d >= tanh(0.5 * epsilon0)) return 0.0;
    const double change = log1p(-d * (1.0 + exp(-epsilon0)));
    return fmin(epsilon0, account_up(epsilon0 + change + 0x1p-51 * (epsilon0 - change)));
}

/* The largest epsilon0 with base(epsilon) <= d: e^epsilon0 = (e^epsilon + d)/(1 - d); rounded down. */
static double response_epsilon0(double epsilon, const double *p)
{
    const double delta = p[0], leak = p[1];
    if (!is_epsilon(epsilon) || !is_probability(delta) || !is_probability(leak)) return NAN;
    if (delta == 1.0 || isinf(epsilon)) return delta >= leak ? INFINITY : NAN;
    if (delta < leak) return NAN;   /* no epsilon0 is small enough */
    const double d = (delta - leak) / (1.0 - leak);
    const double room = log1p(d * exp(-epsilon)) - log1p(-d);
    return d > 0.0 ? fmax(epsilon, account_down(epsilon + room)) : epsilon;
}

/* ---- public ---- */

simdp_status simdp_delta_upper_laplace(double *delta, const double *epsilon, size_t n, double sensitivity_over_scale)
{
    return simdp_forms_map(delta, epsilon, n, laplace_delta, &sensitivity_over_scale);
}

simdp_status simdp_epsilon_laplace(double *epsilon, const double *delta, size_t n, double sensitivity_over_scale)
{
    return simdp_forms_map(epsilon, delta, n, laplace_epsilon, &sensitivity_over_scale);
}

simdp_status simdp_epsilon_laplace_each(double *epsilon, const double *delta, const double *sensitivity_over_scale,
                                        size_t n)
{
    return simdp_forms_map_each(epsilon, delta, sensitivity_over_scale, n, laplace_epsilon);
}

simdp_status simdp_scale_laplace(double *scale_over_sensitivity, const double *epsilon, const double *delta, size_t n)
{
    return simdp_forms_map_each(scale_over_sensitivity, epsilon, delta, n, laplace_scale);
}

simdp_status simdp_delta_upper_randomized_response(double *delta, const double *epsilon, size_t n, double epsilon0,
                                                   double leak)
{
    return simdp_forms_map(delta, epsilon, n, response_delta, (const double[]){epsilon0, leak});
}

simdp_status simdp_epsilon_randomized_response(double *epsilon, const double *delta, size_t n, double epsilon0,
                                               double leak)
{
    return simdp_forms_map(epsilon, delta, n, response_epsilon, (const double[]){epsilon0, leak});
}

simdp_status simdp_epsilon0_randomized_response(double *epsilon0, const double *epsilon, size_t n, double delta,
                                                double leak)
{
    return simdp_forms_map(epsilon0, epsilon, n, response_epsilon0, (const double[]){delta, leak});
}

/* ---- plans: noise in answer units ---- */

static const simdp_noise_plan no_plan = {NAN, NAN, NAN, NAN};

static bool is_sensitivity(double s) { return s >= 0.0 && s < INFINITY; }

static simdp_noise_plan laplace_for(const simdp_noise_target *t)
{
    if (!is_epsilon(t->epsilon) || !is_probability(t->delta) || !is_sensitivity(t->sensitivity)) return no_plan;
    const double unit = laplace_scale(t->epsilon, &t->delta);
    const double scale = t->sensitivity == 0.0 || unit == 0.0 ? 0.0 : account_up(t->sensitivity * unit);
    return (simdp_noise_plan){scale, account_up(scale * SPECIAL_SQRT2), t->epsilon, t->delta};
}

static simdp_noise_plan gaussian_for(const simdp_noise_target *t)
{
    if (!is_epsilon(t->epsilon) || !is_probability(t->delta) || !is_sensitivity(t->sensitivity)) return no_plan;
    const double unit = simdp_calibrate_gaussian_sigma(t->epsilon, t->delta);
    const double sigma = t->sensitivity == 0.0 || unit == 0.0 ? 0.0 : account_up(t->sensitivity * unit);
    return (simdp_noise_plan){sigma, sigma, t->epsilon, t->delta};
}

static bool is_noise(const simdp_noise_given *g)
{
    return g->standard_deviation >= 0.0 && is_sensitivity(g->sensitivity) && is_probability(g->delta);
}

static simdp_noise_plan laplace_of(const simdp_noise_given *g)
{
    if (!is_noise(g)) return no_plan;
    const double scale = fabs(g->standard_deviation) * SPECIAL_SQRT_HALF;   /* -0 is 0 */
    const double t = g->sensitivity == 0.0 ? 0.0 : account_up(g->sensitivity / scale);
    return (simdp_noise_plan){scale, g->standard_deviation, laplace_epsilon(g->delta, &t), g->delta};
}

static simdp_noise_plan gaussian_of(const simdp_noise_given *g)
{
    if (!is_noise(g)) return no_plan;
    const double s = g->sensitivity == 0.0 ? INFINITY : account_down(g->standard_deviation / g->sensitivity);
    return (simdp_noise_plan){g->standard_deviation, g->standard_deviation,
                              simdp_calibrate_gaussian_epsilon(g->delta, s), g->delta};
}

/* a plan for each request */
#define PLANS(request, plan)                                                                                           \
    FORMS_EACH(n, form_is_number((out[i] = plan(&(request)[i])).epsilon), FORM_ARRAY(out), FORM_ARRAY(request))

simdp_status simdp_plan_laplace(simdp_noise_plan *out, const simdp_noise_target *target, size_t n)
{
    PLANS(target, laplace_for);
}
simdp_status simdp_plan_gaussian(simdp_noise_plan *out, const simdp_noise_target *target, size_t n)
{
    PLANS(target, gaussian_for);
}
simdp_status simdp_guarantee_laplace(simdp_noise_plan *out, const simdp_noise_given *given, size_t n)
{
    PLANS(given, laplace_of);
}
simdp_status simdp_guarantee_gaussian(simdp_noise_plan *out, const simdp_noise_given *given, size_t n)
{
    PLANS(given, gaussian_of);
}
