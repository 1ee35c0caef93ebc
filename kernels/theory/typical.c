/* typical.c: concentrated queries, noise of the typically stable mechanisms, and what they promise (003). */
#include "theory/typical.h"

#include "account/calibrate.h"
#include "math/special.h"

/* ---- concentration exponents ---- */

static bool is_query(const simdp_theory_concentration *q)
{
    const bool positive = q->parameter > 0.0 && q->parameter < INFINITY;
    switch (q->kind) {
    case SIMDP_THEORY_SENSITIVE: return positive && q->n >= 1;
    case SIMDP_THEORY_SUBGAUSSIAN: return positive;
    case SIMDP_THEORY_SUBEXPONENTIAL: return positive && q->b > 0.0 && q->b < INFINITY;
    }
    return false;
}

/* sigma of the Gaussian part: a sensitive query of n independent records is subgaussian with Delta sqrt(n)/2 */
static ball deviation_of(const simdp_theory_concentration *q)
{
    const ball parameter = ball_of(q->parameter);
    if (q->kind != SIMDP_THEORY_SENSITIVE) return parameter;
    return ball_scale(ball_multiply(parameter, ball_sqrt(ball_of_count(q->n))), 0.5);
}

/* a / sigma. Where sigma would underflow its quotient need not. */
static ball over_deviation(ball a, const simdp_theory_concentration *q)
{
    const ball parameter = ball_of(q->parameter);
    if (q->kind != SIMDP_THEORY_SENSITIVE) return ball_divide(a, parameter);
    return ball_scale(ball_divide(a, ball_multiply(parameter, ball_sqrt(ball_of_count(q->n)))), 2.0);
}

static ball half_square(ball x) { return ball_multiply(x, ball_scale(x, 0.5)); }

/* E(alpha), the best one-sided Chernoff exponent. Beyond sigma^2/b it is (alpha - sigma^2/(2b))/b; where the two forms
 * meet they agree to second order, so that it does not matter which side rounding takes. */
static ball chernoff(double alpha, const simdp_theory_concentration *q)
{
    const ball sigma = deviation_of(q), a = ball_of(alpha);
    if (q->kind == SIMDP_THEORY_SUBEXPONENTIAL) {
        const ball b = ball_of(q->b), border = ball_multiply(sigma, ball_divide(sigma, b));
        if (alpha > border.value) return ball_divide(ball_subtract(a, ball_scale(border, 0.5)), b);
    }
    return half_square(over_deviation(a, q));
}

/* Both tails: P <= 2 e^-E */
static double two_sided(ball exponent) { return ball_down_positive(ball_subtract(exponent, BALL_LN2)); }

/* gamma(alpha), rounded down; NaN outside the domain */
static double typical_gamma(double alpha, const simdp_theory_concentration *q)
{
    if (!is_query(q) || !(alpha >= 0.0)) return NAN;
    return isinf(alpha) ? INFINITY : two_sided(chernoff(alpha, q));
}

/* E^-1(ln(2/nu)), nu > 0 */
static ball alpha_of(double nu, const simdp_theory_concentration *q)
{
    const ball l = ball_subtract(BALL_LN2, ball_log(ball_of(nu))), sigma = deviation_of(q);
    if (q->kind == SIMDP_THEORY_SUBEXPONENTIAL) {
        const ball b = ball_of(q->b), ratio = ball_divide(sigma, b);
        if (l.value > half_square(ratio).value)
            return ball_add(ball_multiply(b, l), ball_scale(ball_multiply(sigma, ratio), 0.5));
    }
    return ball_multiply(sigma, ball_sqrt(ball_scale(l, 2.0)));
}

/* The smaller of two numbers may be either if their balls meet. */
static ball least_of(ball a, ball b)
{
    if (ball_up(a) < ball_down(b)) return a;
    if (ball_up(b) < ball_down(a)) return b;
    return (ball){fmin(a.value, b.value), fmax(a.error, b.error)};
}

static simdp_theory_exponent exponents(double alpha, const simdp_theory_concentration *q)
{
    const bool endless = isinf(alpha), subexponential = q->kind == SIMDP_THEORY_SUBEXPONENTIAL;
    const ball a = ball_of(alpha), sigma = deviation_of(q), b = ball_of(q->b);
    ball simple = endless ? a : half_square(over_deviation(a, q)), printed = simple;
    if (subexponential) {
        printed = least_of(printed, half_square(ball_divide(sigma, b)));
        if (!endless) simple = least_of(simple, ball_divide(ball_scale(a, 0.5), b));
    }
    return (simdp_theory_exponent){typical_gamma(alpha, q), endless ? INFINITY : two_sided(simple), printed.value};
}

simdp_status simdp_theory_concentration_exponent(simdp_theory_exponent *out, double alpha,
                                                 simdp_theory_concentration query)
{
    if (out == NULL) return SIMDP_ENULL;
    FP_MODE_SCOPE();
    FP_PIN(alpha);
    FP_PIN(query);
    *out = (simdp_theory_exponent){NAN, NAN, NAN};
    if (!is_query(&query) || !(alpha >= 0.0)) return SIMDP_EPARAM;
    *out = exponents(alpha, &query);
    return SIMDP_OK;
}

/* ---- mechanisms ---- */

#define PRINTED_RULE_HOLDS_TO 4.9 /* sigma = alpha sqrt(2 ln(1.5/tau))/eta suffices for every tau up to eta = 4.95 */

/* The rule is sigma = alpha printed_root(tau)/eta; where it does not hold, or tau is 0, sigma is inf. */
static bool is_ruled(double eta, double tau) { return eta <= PRINTED_RULE_HOLDS_TO && tau > 0.0; }
static ball printed_root(double tau) /* sqrt(2 ln(1.5/tau)) */
{
    const ball ln_three_halves = {0x1.9f323ecbf984cp-2, 0x1p-54};
    return ball_sqrt(ball_scale(ball_subtract(ln_three_halves, ball_log(ball_of(tau))), 2.0));
}

/* a b/eta, in an order in which neither a product nor a quotient overflows before the result does */
static ball over_eta(ball a, ball b, double eta)
{
    if (a.value > 1.0 && eta > 1.0) return ball_multiply(ball_divide(a, ball_of(eta)), b);
    return ball_divide(ball_multiply(a, b), ball_of(eta));
}

static simdp_theory_typical_plan plan_of(const simdp_theory_concentration *query, const simdp_theory_stability *target)
{
    const double unit = simdp_calibrate_gaussian_sigma(target->eta, target->tau); /* rounded up */
    if (target->nu == 0.0)                                                        /* no alpha is large enough */
        return (simdp_theory_typical_plan){INFINITY, INFINITY, INFINITY, unit == 0.0 ? 0.0 : INFINITY};
    const ball alpha = alpha_of(target->nu, query);
    simdp_theory_typical_plan plan = {ball_up(alpha), 0.0, INFINITY, 0.0};
    if (target->eta < INFINITY) plan.laplace_scale = ball_up(ball_divide(alpha, ball_of(target->eta)));
    if (is_ruled(target->eta, target->tau))
        plan.gaussian_sigma = ball_up(over_eta(alpha, printed_root(target->tau), target->eta));
    if (unit > 0.0) plan.gaussian_sigma_analytic = isinf(unit) ? unit : ball_up(ball_multiply(alpha, ball_of(unit)));
    return plan;
}

simdp_status simdp_theory_typical_noise(simdp_theory_typical_plan *out, simdp_theory_concentration query,
                                        simdp_theory_stability target)
{
    if (out == NULL) return SIMDP_ENULL;
    FP_MODE_SCOPE();
    FP_PIN(query);
    FP_PIN(target);
    *out = (simdp_theory_typical_plan){NAN, NAN, NAN, NAN};
    if (!is_query(&query) || !(target.eta > 0.0) || !is_probability(target.tau) ||
        !(target.nu >= 0.0 && target.nu < 1.0))
        return SIMDP_EPARAM;
    *out = plan_of(&query, &target);
    return SIMDP_OK;
}

#define QUANTILE_ERROR 0x1p-48 /* of erfcinv: 8 u, 8 u for its 4 u absolute, and what its logarithm costs */

static simdp_theory_typical_errors errors_of(double alpha, double eta, double tau, double beta)
{
    if (alpha == 0.0 || beta == 1.0) return (simdp_theory_typical_errors){0.0, 0.0, 0.0};
    const ball a = ball_of(alpha), l = ball_negative(ball_log(ball_of(beta)));
    const double quantile = SPECIAL_SQRT2 * simdp_special_erfcinv(beta);
    simdp_theory_typical_errors errors = {0.0, INFINITY, INFINITY};
    if (eta < INFINITY) errors.laplace = ball_up(over_eta(a, l, eta)); /* inf: no noise */
    if (is_ruled(eta, tau)) {
        const ball root = printed_root(tau), exact = ball_with(quantile, QUANTILE_ERROR * quantile);
        errors.gaussian = ball_up(over_eta(a, ball_multiply(root, ball_sqrt(ball_scale(l, 2.0))), eta));
        errors.gaussian_exact = ball_up(over_eta(a, ball_multiply(root, exact), eta));
    }
    return errors;
}

simdp_status simdp_theory_typical_error(simdp_theory_typical_errors *out, double alpha, simdp_theory_stability target,
                                        double beta)
{
    if (out == NULL) return SIMDP_ENULL;
    FP_MODE_SCOPE();
    FP_PIN(alpha);
    FP_PIN(target);
    FP_PIN(beta);
    *out = (simdp_theory_typical_errors){NAN, NAN, NAN};
    if (!(alpha >= 0.0 && alpha < INFINITY && target.eta > 0.0) || !is_probability(target.tau) ||
        !(beta > 0.0 && beta <= 1.0))
        return SIMDP_EPARAM;
    *out = errors_of(alpha, target.eta, target.tau, beta);
    return SIMDP_OK;
}

/* ---- near independence, generalisation, accuracy of adaptive answers ---- */

static bool is_stability(const simdp_theory_stability *s)
{
    return s->eta >= 0.0 && is_probability(s->tau) && is_probability(s->nu);
}

/* e^eta p + tau + times nu, at most 1 */
static double spoilt(const simdp_theory_stability *s, double p, double times)
{
    if (p > 0.0 && isinf(s->eta)) return 1.0;
    const ball inflated = p == 0.0 ? ball_of(0.0) : ball_exp_times(ball_of(s->eta), ball_of(p));
    const ball atypical = ball_multiply(ball_of(times), ball_of(s->nu));
    return ball_up_probability(ball_add(ball_add(inflated, ball_of(s->tau)), atypical));
}

simdp_status simdp_theory_near_independence(simdp_theory_independence *out, simdp_theory_stability s, double p)
{
    if (out == NULL) return SIMDP_ENULL;
    FP_MODE_SCOPE();
    FP_PIN(s);
    FP_PIN(p);
    *out = (simdp_theory_independence){NAN, NAN, NAN, NAN};
    if (!is_stability(&s) || !is_probability(p)) return SIMDP_EPARAM;
    *out = (simdp_theory_independence){spoilt(&s, p, 5.0), spoilt(&s, p, 1.0), spoilt(&s, s.nu, 5.0),
                                       spoilt(&s, s.nu, 1.0)};
    return SIMDP_OK;
}

/* k e^(eta* - gamma(alpha1)) + tau* + nu* + beta, at most 1; one step has tau* = 0 and nu* = nu */
static double failure_of(const simdp_theory_adaptive_setup *in, const simdp_theory_stability_composed *total,
                         const simdp_theory_concentration *query)
{
    const double gamma = typical_gamma(in->alpha1, query);
    const ball power = ball_subtract(ball_of(total->eta), ball_of(gamma));
    const ball off = isinf(gamma) ? ball_of(0.0) : ball_exp_times(power, ball_of_count(in->k));
    const ball composed = in->k > 1 ? ball_scale(ball_exp(ball_of(total->log_tau)), 2.0) : ball_of(total->nu);
    return ball_up_probability(ball_add(ball_add(off, composed), ball_of(in->beta)));
}

simdp_status simdp_theory_adaptive_accuracy(simdp_theory_accuracy *out, const simdp_theory_adaptive_setup *in)
{
    if (out == NULL || in == NULL) return SIMDP_ENULL;
    FP_MODE_SCOPE();
    *out = (simdp_theory_accuracy){NAN, NAN, NAN, NAN, NAN};
    const simdp_theory_concentration query = {.kind = SIMDP_THEORY_SUBGAUSSIAN, .parameter = in->sigma};
    const simdp_theory_stability_steps steps = {.eta = in->eta, .nu = in->nu, .k = in->k, .slack = in->slack};
    if (!is_query(&query) || !(in->nu > 0.0 && in->nu < 1.0 && in->beta > 0.0 && in->beta < 1.0 && in->alpha1 > 0.0) ||
        in->k < 1)
        return SIMDP_EPARAM;
    const simdp_theory_stability_composed total = simdp_typical_compose_pure(&steps);
    if (isnan(total.eta)) return SIMDP_EPARAM;
    const ball alpha0 = alpha_of(in->nu, &query);
    const ball answers = ball_subtract(ball_log(ball_of_count(in->k)), ball_log(ball_of(in->beta))); /* ln(k/beta) */
    const ball noise = isinf(in->eta) ? ball_of(0.0) : over_eta(alpha0, answers, in->eta);
    *out = (simdp_theory_accuracy){ball_up(alpha0), ball_up(ball_add(ball_of(in->alpha1), noise)), total.eta,
                                   total.log_tau, failure_of(in, &total, &query)};
    return SIMDP_OK;
}
