/* compose_basic.c: composition theorems that are formulas: basic, Azuma, advanced, strong, bounded range. */
#include "account/account.h"
#include "math/forms.h"

static const simdp_composed no_result = {NAN, NAN, NAN};

static bool are_steps(const simdp_steps *s) { return is_epsilon(s->epsilon) && is_probability(s->delta) && s->k >= 0; }
static bool are_pure_steps(const simdp_steps *s) { return are_steps(s) && s->delta == 0.0 && is_probability(s->slack); }

/* epsilon sqrt(2 k ln(1/p)): 0 if nothing can deviate, inf if no deviation is excluded */
static double deviation(double epsilon, int64_t k, double p)
{
    if (epsilon == 0.0 || k == 0 || p >= 1.0) return 0.0;
    return epsilon * sqrt(2.0 * (double)k * -log(p));
}

/* 1 - (1-delta)^k (1-slack) */
static double leak(double delta, int64_t k, double slack)
{
    if (k == 0 || delta == 0.0) return slack;
    if (slack == 0.0 && k == 1) return delta;
    return -expm1((double)k * log1p(-delta) + log1p(-slack));
}

/* the mean term of a step is summed k times; 0 * inf is 0 here: no step, no loss */
static double times(int64_t k, double mean) { return k == 0 ? 0.0 : (double)k * mean; }

static simdp_composed composed(double epsilon, double delta, double delta_sharp)
{
    return (simdp_composed){account_up(epsilon), account_up_probability(delta), account_up_probability(delta_sharp)};
}

static simdp_composed basic(const simdp_steps *s)
{
    if (!are_steps(s)) return no_result;
    simdp_composed total = composed(0.0, 0.0, leak(s->delta, s->k, 0.0));
    total.epsilon = account_up_product(s->k, s->epsilon);
    total.delta = fmin(1.0, account_up_product(s->k, s->delta));
    total.delta_sharp = fmin(total.delta_sharp, total.delta);
    return total;
}

static simdp_composed azuma(const simdp_steps *s)
{
    if (!are_pure_steps(s)) return no_result;
    const double e = s->epsilon;
    return composed(times(s->k, 2.0 * e * e) + deviation(e, s->k, s->slack), s->slack, s->slack);
}

static simdp_composed azuma_approximate(const simdp_steps *s)
{
    if (!are_steps(s)) return no_result;
    const double e = s->epsilon, mass = times(s->k, s->delta);
    if (mass >= 1.0) return composed(0.0, 1.0, 1.0);
    return composed(times(s->k, 2.0 * e * e) + deviation(e, s->k, mass), 2.0 * mass, 2.0 * mass);
}

static simdp_composed advanced(const simdp_steps *s)
{
    if (!are_pure_steps(s)) return no_result;
    const double e = s->epsilon;
    return composed(times(s->k, e * expm1(e)) + deviation(e, s->k, s->slack), s->slack, s->slack);
}

static simdp_composed strong(const simdp_steps *s)
{
    if (!are_steps(s) || !is_probability(s->slack)) return no_result;
    const double e = s->epsilon, mean = tanh(0.5 * e), away = deviation(e, s->k, s->slack);
    simdp_composed total =
        composed(times(s->k, e * mean) + away, times(s->k, s->delta) + s->slack, leak(s->delta, s->k, s->slack));
    if (away == 0.0 && mean == 1.0)
        total.epsilon = account_up_product(s->k, e);   /* the bound is k epsilon, if that is exact */
    total.delta_sharp = fmin(total.delta_sharp, total.delta);
    return total;
}

/* kappa(epsilon) = ln((e^epsilon - 1)/epsilon) - 1 + epsilon/(e^epsilon - 1): mean loss of a step whose losses span
 * epsilon at most. Below 0.7 its terms cancel: there, with x = epsilon/2, S = sinh(x)/x - 1, C = cosh(x) - 1, it is
 * log1p(S) + (C-S)/(1+S). */
static double bounded_range_mean(double epsilon, const double *unused)
{
    (void)unused;
    if (!is_epsilon(epsilon)) return NAN;
    if (epsilon > 40.0) return isinf(epsilon) ? INFINITY : epsilon - log(epsilon) - 1.0 + epsilon * exp(-epsilon);
    if (epsilon >= 0.7) {
        const double rest = expm1(epsilon);
        return log(rest / epsilon) - 1.0 + epsilon / rest;
    }
    const double x2 = 0.25 * epsilon * epsilon;
    double term = 0.5 * x2, s = 0.0, c_minus_s = 0.0;   /* term = x^2n/(2n)! */
    for (int n = 1; n <= 8; n++) {                    /* x <= 0.35: the ninth is below 1e-23 of the first */
        s += term / (2 * n + 1);
        c_minus_s += term * (2 * n) / (2 * n + 1);
        term *= x2 / ((2 * n + 1) * (2 * n + 2));
    }
    return log1p(s) + c_minus_s / (1.0 + s);
}

static simdp_composed bounded_range(const simdp_steps *s)
{
    if (!are_pure_steps(s)) return no_result;
    const double mean = bounded_range_mean(s->epsilon, NULL);
    return composed(times(s->k, mean) + 0.5 * deviation(s->epsilon, s->k, s->slack), s->slack, s->slack);
}

/* ---- public ---- */

static simdp_status compose(simdp_composed *total, const simdp_steps *steps, size_t n,
                            simdp_composed (*theorem)(const simdp_steps *))
{
    FORMS_EACH(n, form_is_number((total[i] = theorem(&steps[i])).epsilon), FORM_ARRAY(total), FORM_ARRAY(steps));
}

simdp_status simdp_compose_basic(simdp_composed *total, const simdp_steps *steps, size_t n)
{
    return compose(total, steps, n, basic);
}

simdp_status simdp_compose_azuma(simdp_composed *total, const simdp_steps *steps, size_t n)
{
    return compose(total, steps, n, azuma);
}

simdp_status simdp_compose_azuma_approximate(simdp_composed *total, const simdp_steps *steps, size_t n)
{
    return compose(total, steps, n, azuma_approximate);
}

simdp_status simdp_compose_advanced(simdp_composed *total, const simdp_steps *steps, size_t n)
{
    return compose(total, steps, n, advanced);
}

simdp_status simdp_compose_strong(simdp_composed *total, const simdp_steps *steps, size_t n)
{
    return compose(total, steps, n, strong);
}

simdp_status simdp_compose_bounded_range(simdp_composed *total, const simdp_steps *steps, size_t n)
{
    return compose(total, steps, n, bounded_range);
}

simdp_status simdp_bounded_range_mean(double *mean, const double *epsilon, size_t n)
{
    return simdp_forms_map(mean, epsilon, n, bounded_range_mean, NULL);
}
