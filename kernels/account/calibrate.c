/* calibrate.c: exact calibration of single mechanisms; noise for a target, and a guarantee for given noise. */
#include "account/calibrate.h"

#include "call/forms.h"
#include "loss/law.h"
#include "math/outward_functions.h"
#include "math/special.h"

#define SQRT2_UP       0x1.6a09e667f3bcdp+0 /* 4e-17 above the root */
#define SQRT_HALF_DOWN 0x1.6a09e667f3bccp-1 /* the nearest double is above the root */

/* ---- Laplace: delta = 1 - e^((epsilon - t)/2) ---- */

static double laplace_delta(double epsilon, const double *t)
{
    if (!is_epsilon(epsilon) || !(*t >= 0.0)) return NAN;
    if (isinf(*t)) return 1.0;
    return epsilon < *t ? one_minus_exp_up(times_up(0.5, add_up(*t, -epsilon))) : 0.0;
}

static double laplace_epsilon(double delta, const double *t)
{
    if (!is_probability(delta) || !(*t >= 0.0)) return NAN;
    if (delta == 1.0) return 0.0;
    if (isinf(*t)) return *t;
    return fmax(0.0, add_up(*t, -2.0 * neg_log1m_down(delta)));
}

/* t = epsilon - 2 ln(1-delta), downward */
static double laplace_t(double epsilon, double delta) { return add_down(epsilon, 2.0 * neg_log1m_down(delta)); }

static double laplace_scale(double epsilon, const double *delta)
{
    if (!is_epsilon(epsilon) || !is_probability(*delta)) return NAN;
    return div_up(1.0, laplace_t(epsilon, *delta));
}

/* ---- randomized response: delta = leak + (1-leak) (e^epsilon0 - e^epsilon)/(1 + e^epsilon0) ---- */

static double response_delta(double epsilon, const double *p)
{
    const double epsilon0 = p[0], leak = p[1];
    if (!is_epsilon(epsilon) || !is_epsilon(epsilon0) || !is_probability(leak)) return NAN;
    if (isinf(epsilon0)) return 1.0;
    if (epsilon >= epsilon0) return leak;
    const double base = div_up(one_minus_exp_up(add_up(epsilon0, -epsilon)), add_down(1.0, exp_minus_down(epsilon0)));
    return fmin(1.0, add_up(leak, times_up(add_up(1.0, -leak), fmin(1.0, base))));
}

/* delta = leak + (1-leak) d: d and 1 - d, rounded to the side that a result needs. Each from the difference that does
 * not cancel. */
typedef struct {
    double d, rest;
} response_part;

static response_part part_down(double delta, double leak) /* d downward */
{
    return (response_part){div_down(add_down(delta, -leak), add_up(1.0, -leak)),
                           div_up(add_up(1.0, -delta), add_down(1.0, -leak))};
}

/* e^epsilon = e^epsilon0 (1 - d) - d. Up to 1 as 1 + expm1(epsilon0) (1 - d) - 2 d, else as e^epsilon0 ((1 - d) - d
 * e^-epsilon0): in both the error stays a few units of epsilon0. */
static double response_epsilon(double delta, const double *p)
{
    const double epsilon0 = p[0], leak = p[1];
    if (!is_probability(delta) || !is_epsilon(epsilon0) || !is_probability(leak)) return NAN;
    if (delta == 1.0) return 0.0;
    if (delta < leak || isinf(epsilon0)) return INFINITY;
    if (delta == leak) return epsilon0;
    const response_part part = part_down(delta, leak);
    if (epsilon0 <= 1.0) {
        const double excess = add_up(times_up(expm1_up(epsilon0), part.rest), -2.0 * part.d);
        return excess > 0.0 ? fmin(epsilon0, log1p_up(excess)) : 0.0;
    }
    const double kept = add_up(part.rest, -times_down(part.d, exp_minus_down(epsilon0)));
    if (!(kept > 0.0)) return 0.0;
    const double change = kept < 1.0 ? neg_log_down(kept) : 0.0;
    return fmin(epsilon0, fmax(0.0, add_up(epsilon0, -change)));
}

/* The largest epsilon0 with base(epsilon) <= d: e^epsilon0 = (e^epsilon + d)/(1 - d); rounded down. */
static double response_epsilon0(double epsilon, const double *p)
{
    const double delta = p[0], leak = p[1];
    if (!is_epsilon(epsilon) || !is_probability(delta) || !is_probability(leak)) return NAN;
    if (delta < leak) return NAN; /* no epsilon0 is small enough */
    if (delta == 1.0 || isinf(epsilon)) return INFINITY;
    if (delta == leak) return epsilon;
    const response_part part = part_down(delta, leak);
    const double kept = part.d < 0.5 ? neg_log1m_down(part.d) : neg_log_down(fmin(1.0, part.rest));
    const double flipped = log1p_down(times_down(part.d, exp_minus_down(epsilon)));
    return add_down(epsilon, add_down(flipped, kept));
}

/* ---- public: a form for each mechanism ---- */

static double gaussian_delta(double epsilon, const double *s) { return simdp_calibrate_gaussian_delta(epsilon, *s); }
static double gaussian_epsilon(double delta, const double *s) { return simdp_calibrate_gaussian_epsilon(delta, *s); }
static double gaussian_sigma(double epsilon, const double *delta)
{
    return simdp_calibrate_gaussian_sigma(epsilon, *delta);
}

/* A form for each discrete law; of a scale, p[0] is delta. */
#define DISCRETE(law, mechanism)                                            \
    static double law##_delta(double epsilon, const double *p)              \
    {                                                                       \
        return simdp_calibrate_discrete_delta(mechanism, epsilon, p);       \
    }                                                                       \
    static double law##_epsilon(double delta, const double *p)              \
    {                                                                       \
        return simdp_calibrate_discrete_epsilon(mechanism, delta, p);       \
    }                                                                       \
    static double law##_scale(double epsilon, const double *p)              \
    {                                                                       \
        return simdp_calibrate_discrete_scale(mechanism, epsilon, p[0], p); \
    }
DISCRETE(discrete_laplace, SIMDP_MECHANISM_DISCRETE_LAPLACE)
DISCRETE(discrete_gaussian, SIMDP_MECHANISM_DISCRETE_GAUSSIAN)

static const loss_forms delta_forms =
                            {
                                [SIMDP_MECHANISM_LAPLACE] = laplace_delta,
                                [SIMDP_MECHANISM_GAUSSIAN] = gaussian_delta,
                                [SIMDP_MECHANISM_DISCRETE_LAPLACE] = discrete_laplace_delta,
                                [SIMDP_MECHANISM_DISCRETE_GAUSSIAN] = discrete_gaussian_delta,
                                [SIMDP_MECHANISM_RANDOMIZED_RESPONSE] = response_delta,
},
                        epsilon_forms =
                            {
                                [SIMDP_MECHANISM_LAPLACE] = laplace_epsilon,
                                [SIMDP_MECHANISM_GAUSSIAN] = gaussian_epsilon,
                                [SIMDP_MECHANISM_DISCRETE_LAPLACE] = discrete_laplace_epsilon,
                                [SIMDP_MECHANISM_DISCRETE_GAUSSIAN] = discrete_gaussian_epsilon,
                                [SIMDP_MECHANISM_RANDOMIZED_RESPONSE] = response_epsilon,
},
                        epsilon_each_forms =
                            {
                                [SIMDP_MECHANISM_LAPLACE] = laplace_epsilon,
                                [SIMDP_MECHANISM_GAUSSIAN] = gaussian_epsilon,
},
                        noise_forms = {
                            [SIMDP_MECHANISM_LAPLACE] = laplace_scale,
                            [SIMDP_MECHANISM_GAUSSIAN] = gaussian_sigma,
                            [SIMDP_MECHANISM_DISCRETE_LAPLACE] = discrete_laplace_scale,
                            [SIMDP_MECHANISM_DISCRETE_GAUSSIAN] = discrete_gaussian_scale,
                            [SIMDP_MECHANISM_RANDOMIZED_RESPONSE] = response_epsilon0,
};

simdp_status simdp_account_delta(double *delta, const double *epsilon, size_t n, simdp_law law)
{
    return simdp_loss_map(delta, epsilon, n, delta_forms, law);
}

simdp_status simdp_account_epsilon(double *epsilon, const double *delta, size_t n, simdp_law law)
{
    return simdp_loss_map(epsilon, delta, n, epsilon_forms, law);
}

simdp_status simdp_account_epsilon_each(double *epsilon, const double *delta, const double *parameter, size_t n,
                                        simdp_law law)
{
    return simdp_loss_map_each(epsilon, delta, parameter, n, epsilon_each_forms, law);
}

/* Forms of noise take delta in the place of the parameter that they look for. */
simdp_status simdp_account_noise(double *noise, const double *epsilon, const double *delta, size_t n, simdp_law law)
{
    return simdp_loss_map_each(noise, epsilon, delta, n, noise_forms, law);
}

/* ---- plans: noise in answer units ---- */

static const simdp_account_planned no_plan = {NAN, NAN, NAN, NAN};

static bool is_sensitivity(double s) { return s >= 0.0 && s < INFINITY; }

static bool is_target(double sensitivity, double epsilon, double delta)
{
    return is_epsilon(epsilon) && is_probability(delta) && is_sensitivity(sensitivity);
}

double simdp_calibrate_laplace_for(double sensitivity, double epsilon, double delta)
{
    if (!is_target(sensitivity, epsilon, delta)) return NAN;
    return sensitivity == 0.0 ? 0.0 : div_up(sensitivity, laplace_t(epsilon, delta));
}

double simdp_calibrate_gaussian_for(double sensitivity, double epsilon, double delta)
{
    if (!is_target(sensitivity, epsilon, delta)) return NAN;
    const gaussian_noise unit = simdp_calibrate_gaussian_noise(epsilon, delta);
    int exponent;
    const double part = frexp(sensitivity, &exponent);
    return ldexp_up(times_up(part, unit.s), exponent + unit.exponent);
}

static simdp_account_planned laplace_for(const simdp_account_target *t)
{
    const double scale = simdp_calibrate_laplace_for(t->sensitivity, t->epsilon, t->delta);
    if (isnan(scale)) return no_plan;
    return (simdp_account_planned){scale, times_up(scale, SQRT2_UP), t->epsilon, t->delta};
}

static simdp_account_planned gaussian_for(const simdp_account_target *t)
{
    const double sigma = simdp_calibrate_gaussian_for(t->sensitivity, t->epsilon, t->delta);
    if (isnan(sigma)) return no_plan;
    return (simdp_account_planned){sigma, sigma, t->epsilon, t->delta};
}

static bool is_noise(const simdp_account_given *g)
{
    return g->standard_deviation >= 0.0 && is_sensitivity(g->sensitivity) && is_probability(g->delta);
}

static simdp_account_planned laplace_of(const simdp_account_given *g)
{
    if (!is_noise(g)) return no_plan;
    const double deviation = fabs(g->standard_deviation); /* -0 is 0 */
    int of_deviation = 0, of_sensitivity = 0;
    const double noise = mul_down(isinf(deviation) ? deviation : frexp(deviation, &of_deviation), SQRT_HALF_DOWN);
    const double moved = frexp(g->sensitivity, &of_sensitivity);
    const double t = moved == 0.0 ? 0.0 : ldexp_up(div_up(moved, noise), of_sensitivity - of_deviation);
    return (simdp_account_planned){deviation * SPECIAL_SQRT_HALF, g->standard_deviation, laplace_epsilon(g->delta, &t),
                                   g->delta};
}

static simdp_account_planned gaussian_of(const simdp_account_given *g)
{
    if (!is_noise(g)) return no_plan;
    gaussian_noise unit = {INFINITY, 0};
    if (g->sensitivity > 0.0 && !isinf(g->standard_deviation)) {
        int of_deviation, of_sensitivity;
        const double deviation = frexp(g->standard_deviation, &of_deviation);
        unit.s = div_down(deviation, frexp(g->sensitivity, &of_sensitivity));
        unit.exponent = of_deviation - of_sensitivity;
    }
    return (simdp_account_planned){g->standard_deviation, g->standard_deviation,
                                   simdp_calibrate_gaussian_epsilon_of(g->delta, unit), g->delta};
}

simdp_status simdp_account_plan(simdp_account_planned *out, const simdp_account_target *target, size_t n,
                                simdp_mechanism mechanism)
{
    const bool laplace = mechanism == SIMDP_MECHANISM_LAPLACE, known = laplace || mechanism == SIMDP_MECHANISM_GAUSSIAN;
    FORMS_EACH(n,
               form_is_number((out[i] = !known    ? no_plan
                                        : laplace ? laplace_for(&target[i])
                                                  : gaussian_for(&target[i]))
                                  .epsilon),
               FORM_ARRAY(out), FORM_ARRAY(target));
}

simdp_status simdp_account_guarantee(simdp_account_planned *out, const simdp_account_given *given, size_t n,
                                     simdp_mechanism mechanism)
{
    const bool laplace = mechanism == SIMDP_MECHANISM_LAPLACE, known = laplace || mechanism == SIMDP_MECHANISM_GAUSSIAN;
    FORMS_EACH(n,
               form_is_number((out[i] = !known    ? no_plan
                                        : laplace ? laplace_of(&given[i])
                                                  : gaussian_of(&given[i]))
                                  .epsilon),
               FORM_ARRAY(out), FORM_ARRAY(given));
}
