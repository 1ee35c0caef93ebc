/* typical.c: concentrated queries, noise of the typically stable mechanisms, and what they promise (003). */
#include "account/typical.h"

#include "account/calibrate.h"
#include "math/special.h"

/* ---- concentration exponents ---- */

static bool is_query(const simdp_query *q)
{
    const bool positive = q->parameter > 0.0 && q->parameter < INFINITY;
    switch (q->concentration) {
    case SIMDP_QUERY_SENSITIVE: return positive && q->n >= 1;
    case SIMDP_QUERY_SUBGAUSSIAN: return positive;
    case SIMDP_QUERY_SUBEXPONENTIAL: return positive && q->b > 0.0 && q->b < INFINITY;
    }
    return false;
}

/* sigma of the Gaussian part: a sensitive query of n independent records is subgaussian with Delta sqrt(n)/2 */
static double deviation_of(const simdp_query *q)
{
    return q->concentration == SIMDP_QUERY_SENSITIVE ? 0.5 * q->parameter * sqrt((double)q->n) : q->parameter;
}

static double square(double x) { return x * x; }

/* E(alpha), the best one-sided Chernoff exponent */
static double chernoff(double alpha, const simdp_query *q)
{
    const double sigma = deviation_of(q);
    if (q->concentration == SIMDP_QUERY_SUBEXPONENTIAL && alpha > sigma * (sigma / q->b))
        return alpha / q->b - 0.5 * square(sigma / q->b);
    return 0.5 * square(alpha / sigma);
}

/* Both tails: P <= 2 e^-E. The subtraction may cancel, so the step downward is that of E. */
static double two_sided(double exponent) { return fmax(0.0, exponent - SPECIAL_LN2 - 0x1p-50 * exponent); }

double simdp_typical_gamma(double alpha, const simdp_query *q)
{
    return is_query(q) && alpha >= 0.0 ? two_sided(chernoff(alpha, q)) : NAN;
}

double simdp_typical_alpha(double nu, const simdp_query *q)
{
    if (!is_query(q) || !(nu >= 0.0 && nu < 1.0)) return NAN;
    const double l = SPECIAL_LN2 - log(nu), sigma = deviation_of(q), ratio = sigma / q->b;
    if (q->concentration == SIMDP_QUERY_SUBEXPONENTIAL && l > 0.5 * square(ratio))
        return account_up(q->b * l + 0.5 * sigma * ratio);
    return account_up(sigma * sqrt(2.0 * l));
}

simdp_status simdp_gamma(simdp_exponent *out, double alpha, simdp_query query)
{
    if (out == NULL) return SIMDP_ENULL;
    FP_MODE_SCOPE();
    FP_PIN(alpha); FP_PIN(query);
    *out = (simdp_exponent){NAN, NAN, NAN};
    if (!is_query(&query) || !(alpha >= 0.0)) return SIMDP_EPARAM;
    const double sigma = deviation_of(&query), gaussian = 0.5 * square(alpha / sigma);
    *out = (simdp_exponent){simdp_typical_gamma(alpha, &query), two_sided(gaussian), gaussian};
    if (query.concentration == SIMDP_QUERY_SUBEXPONENTIAL) {
        out->gamma_simple = two_sided(fmin(gaussian, 0.5 * alpha / query.b));
        out->gamma_printed = fmin(gaussian, 0.5 * square(sigma / query.b));
    }
    return SIMDP_OK;
}

simdp_status simdp_gamma_inverse(double *alpha, double nu, simdp_query query)
{
    if (alpha == NULL) return SIMDP_ENULL;
    FP_MODE_SCOPE();
    FP_PIN(nu); FP_PIN(query);
    *alpha = simdp_typical_alpha(nu, &query);
    return isnan(*alpha) ? SIMDP_EPARAM : SIMDP_OK;
}

/* ---- mechanisms ---- */

#define PRINTED_RULE_HOLDS_TO 4.9   /* sigma = alpha sqrt(2 ln(1.5/tau))/eta suffices for every tau up to eta = 4.95 */

static double printed_rule(double alpha, double eta, double tau)
{
    if (alpha == 0.0) return 0.0;
    return eta > PRINTED_RULE_HOLDS_TO ? INFINITY : alpha * sqrt(2.0 * (log(1.5) - log(tau))) / eta;
}

simdp_status simdp_typical_noise(simdp_typical_plan *out, simdp_query query, simdp_stability target)
{
    if (out == NULL) return SIMDP_ENULL;
    FP_MODE_SCOPE();
    FP_PIN(query); FP_PIN(target);
    *out = (simdp_typical_plan){NAN, NAN, NAN, NAN};
    if (!is_query(&query) || !(target.eta > 0.0) || !is_probability(target.tau) ||
        !(target.nu >= 0.0 && target.nu < 1.0))
        return SIMDP_EPARAM;
    const double alpha = simdp_typical_alpha(target.nu, &query);
    const double unit = simdp_calibrate_gaussian_sigma(target.eta, target.tau);
    *out = (simdp_typical_plan){alpha, isinf(alpha) ? INFINITY : account_up(alpha / target.eta),
                                account_up(printed_rule(alpha, target.eta, target.tau)),
                                unit == 0.0 ? 0.0 : account_up(alpha * unit)};
    return SIMDP_OK;
}

simdp_status simdp_typical_error(simdp_typical_errors *out, double alpha, simdp_stability target, double beta)
{
    if (out == NULL) return SIMDP_ENULL;
    FP_MODE_SCOPE();
    FP_PIN(alpha); FP_PIN(target); FP_PIN(beta);
    *out = (simdp_typical_errors){NAN, NAN, NAN};
    if (!(alpha >= 0.0 && alpha < INFINITY && target.eta > 0.0) || !is_probability(target.tau) ||
        !(beta > 0.0 && beta <= 1.0))
        return SIMDP_EPARAM;
    const double l = fabs(log(beta)), sigma = printed_rule(alpha, target.eta, target.tau),
                 quantile = SPECIAL_SQRT2 * simdp_special_erfcinv(beta),
                 laplace = isinf(target.eta) ? 0.0 : alpha * l / target.eta;   /* no noise */
    *out =
        (simdp_typical_errors){account_up(laplace), account_up(l == 0.0 ? 0.0 : sigma * sqrt(2.0 * l)),
                               account_up(quantile == 0.0 ? 0.0 : sigma * quantile * (1.0 + 0x1p-50))};
    return SIMDP_OK;
}

/* ---- near independence, generalisation, accuracy of adaptive answers ---- */

static bool is_stability(const simdp_stability *s)
{
    return s->eta >= 0.0 && is_probability(s->tau) && is_probability(s->nu);
}

/* e^eta p: 0 stays 0 */
static double inflated(double eta, double p) { return p == 0.0 ? 0.0 : exp(eta) * p; }

simdp_status simdp_near_independence(simdp_independence *out, simdp_stability s, double p)
{
    if (out == NULL) return SIMDP_ENULL;
    FP_MODE_SCOPE();
    FP_PIN(s); FP_PIN(p);
    *out = (simdp_independence){NAN, NAN, NAN, NAN};
    if (!is_stability(&s) || !is_probability(p)) return SIMDP_EPARAM;
    const double joint = inflated(s.eta, p) + s.tau, generalization = inflated(s.eta, s.nu) + s.tau;
    *out = (simdp_independence){account_up_probability(joint + 5.0 * s.nu), account_up_probability(joint + s.nu),
                                account_up_probability(generalization + 5.0 * s.nu),
                                account_up_probability(generalization + s.nu)};
    return SIMDP_OK;
}

simdp_status simdp_adaptive_accuracy(simdp_accuracy *out, const simdp_adaptive_setup *in)
{
    if (out == NULL || in == NULL) return SIMDP_ENULL;
    FP_MODE_SCOPE();
    *out = (simdp_accuracy){NAN, NAN, NAN, NAN, NAN};
    const simdp_query query = {.concentration = SIMDP_QUERY_SUBGAUSSIAN, .parameter = in->sigma};
    const simdp_stability_steps steps = {.eta = in->eta, .nu = in->nu, .k = in->k, .slack = in->slack};
    if (!is_query(&query) || !(in->nu > 0.0 && in->nu < 1.0 && in->beta > 0.0 && in->beta < 1.0 && in->alpha1 > 0.0) ||
        in->k < 1)
        return SIMDP_EPARAM;
    const simdp_stability_composed total = simdp_typical_compose_pure(&steps);
    simdp_status status = SIMDP_EPARAM;
    if (!isnan(total.eta)) {
        const double k = (double)in->k, alpha0 = simdp_typical_alpha(in->nu, &query),
                     gamma = simdp_typical_gamma(in->alpha1, &query);
        const double bad =
            exp(log(k) + total.eta - gamma) + exp(total.log_tau) + (in->k > 1 ? exp(total.log_tau) : total.nu);
        const double scale = isinf(in->eta) ? 0.0 : alpha0 / in->eta;   /* alpha0 may overflow */
        *out = (simdp_accuracy){alpha0, account_up(in->alpha1 + scale * (log(k) - log(in->beta))), total.eta,
                                total.log_tau, account_up_probability(bad + in->beta)};
        status = SIMDP_OK;
    }
    return status;
}
