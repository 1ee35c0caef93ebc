/* bounds.c: every bound on k steps side by side, at one total delta. */
#include "account/leak.h"
#include "account/renyi_account.h"

#include "math/outward_functions.h"

/* The slack that theorems about what is not leaked may use: 1 - (1-delta)/(1-delta_step)^k, rounded down; negative
 * if there is none. */
static double slack_beside_leak(simdp_privacy step, int64_t k, double delta)
{
    if (step.delta == 0.0 || k == 0 || delta == 1.0) return delta;
    const double log_slack = simdp_leak_leaves(simdp_leak_of(step.delta, k), delta);
    return isnan(log_slack) ? -1.0 : exp_minus_down(-log_slack);
}

/* delta - times step.delta, rounded down; small ones times 2^200, where the product is exact */
static double slack_beside_sum(double delta, double times, double step_delta)
{
    const int lift = delta < 0x1p-700 && step_delta < 0x1p-700 ? 200 : 0;
    const dd left = dd_sub(dd_of(ldexp(delta, lift)), dd_two_prod(times, ldexp(step_delta, lift)));
    if (left.hi < 0.0 || (left.hi == 0.0 && left.lo == 0.0)) return left.hi;
    return ldexp_down(left.lo < 0.0 ? outward_previous(left.hi) : left.hi, -lift);
}

typedef simdp_status theorem(simdp_composed *, const simdp_steps *, size_t);

static double epsilon_by(theorem *t, simdp_steps steps)
{
    simdp_composed total;
    return t(&total, &steps, 1) == SIMDP_OK ? total.epsilon : INFINITY;
}

simdp_status simdp_bounds(simdp_bound_table *table, simdp_privacy step, int64_t k, double delta)
{
    if (table == NULL) return SIMDP_ENULL;
    FP_MODE_SCOPE();
    FP_PIN(step);
    FP_PIN(delta);
    double *e = table->epsilon;
    for (int i = 0; i < SIMDP_BOUND_COUNT; i++) e[i] = NAN;
    table->smallest = table->smallest_formula = SIMDP_BOUND_BASIC;
    double optimal;
    simdp_status status = simdp_compose_optimal_epsilon(&optimal, &delta, 1, step, k);
    if (status != SIMDP_OK) return status;

    const double slack = slack_beside_leak(step, k, delta), count = (double)k;
    const double plain_slack = slack_beside_sum(delta, count, step.delta);
    const bool pure = step.delta == 0.0;
    simdp_steps s = {.epsilon = step.epsilon, .delta = step.delta, .k = k, .slack = delta};
    for (int i = 0; i < SIMDP_BOUND_COUNT; i++) e[i] = INFINITY;
    if (slack >= 0.0) e[SIMDP_BOUND_BASIC] = epsilon_by(simdp_compose_basic, s);
    if (pure) {
        e[SIMDP_BOUND_AZUMA] = epsilon_by(simdp_compose_azuma, s);
        e[SIMDP_BOUND_ADVANCED] = epsilon_by(simdp_compose_advanced, s);
        e[SIMDP_BOUND_BOUNDED_RANGE] = epsilon_by(simdp_compose_bounded_range, s);
    } else if (slack_beside_sum(delta, 2.0 * count, step.delta) >= 0.0) {
        e[SIMDP_BOUND_AZUMA] = epsilon_by(simdp_compose_azuma_approximate, s);
    }
    if (plain_slack >= 0.0) {
        s.slack = plain_slack;
        e[SIMDP_BOUND_STRONG] = epsilon_by(simdp_compose_strong, s);
    }
    if (slack >= 0.0) {
        s.slack = slack;
        e[SIMDP_BOUND_STRONG_SHARP] = epsilon_by(simdp_compose_strong, s);
        /* by simulation, k steps are leaky randomized responses; what is not leaked composes as such */
        const simdp_renyi_step responses = {SIMDP_MECHANISM_RANDOMIZED_RESPONSE, step.epsilon, k};
        e[SIMDP_BOUND_RENYI] = simdp_renyi_minimise(&responses, 1, slack).epsilon;
        const double rho = times_up(times_up(0.5 * count, step.epsilon), step.epsilon);
        e[SIMDP_BOUND_ZCDP] = simdp_zcdp_convert(rho, slack).epsilon;
    }
    e[SIMDP_BOUND_OPTIMAL] = optimal;
    for (int i = 0; i < SIMDP_BOUND_COUNT; i++) {
        if (i == SIMDP_BOUND_BOUNDED_RANGE) continue;
        if (e[i] < e[table->smallest]) table->smallest = (simdp_bound)i;
        if (i <= SIMDP_BOUND_STRONG_SHARP && e[i] < e[table->smallest_formula])
            table->smallest_formula = (simdp_bound)i;
    }
    return SIMDP_OK;
}

const char *simdp_bound_name(simdp_bound bound)
{
    switch (bound) {
    case SIMDP_BOUND_BASIC: return "basic";
    case SIMDP_BOUND_AZUMA: return "azuma";
    case SIMDP_BOUND_ADVANCED: return "advanced";
    case SIMDP_BOUND_STRONG: return "strong";
    case SIMDP_BOUND_STRONG_SHARP: return "strong_sharp";
    case SIMDP_BOUND_ZCDP: return "zcdp";
    case SIMDP_BOUND_RENYI: return "renyi";
    case SIMDP_BOUND_OPTIMAL: return "optimal";
    case SIMDP_BOUND_BOUNDED_RANGE: return "bounded_range";
    case SIMDP_BOUND_COUNT: break;
    }
    return "unknown";
}
