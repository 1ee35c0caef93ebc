/* bounds.c: every bound on k steps side by side, at one total delta. */
#include "account/compose_exact.h"
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

static double epsilon_by(simdp_account_bound bound, simdp_account_steps steps)
{
    simdp_account_composed total;
    return simdp_account_compose(&total, &steps, 1, bound) == SIMDP_OK ? total.epsilon : INFINITY;
}

/* Bounds that hold for steps without delta, whose slack is all of delta. */
static void add_pure_bounds(double *e, simdp_account_steps pure)
{
    e[SIMDP_ACCOUNT_BOUND_AZUMA] = epsilon_by(SIMDP_ACCOUNT_BOUND_AZUMA, pure);
    e[SIMDP_ACCOUNT_BOUND_ADVANCED] = epsilon_by(SIMDP_ACCOUNT_BOUND_ADVANCED, pure);
    e[SIMDP_ACCOUNT_BOUND_BOUNDED_RANGE] = epsilon_by(SIMDP_ACCOUNT_BOUND_BOUNDED_RANGE, pure);
}

/* Bounds on what is not leaked: by simulation, k steps are leaky randomized responses; what is not leaked composes as
 * such, and steps.slack is left for it. */
static void add_bounds_beside_leak(double *e, simdp_account_steps steps)
{
    e[SIMDP_ACCOUNT_BOUND_BASIC] = epsilon_by(SIMDP_ACCOUNT_BOUND_BASIC, steps);
    e[SIMDP_ACCOUNT_BOUND_STRONG_SHARP] = epsilon_by(SIMDP_ACCOUNT_BOUND_STRONG, steps);
    const simdp_law response = {.mechanism = SIMDP_MECHANISM_RANDOMIZED_RESPONSE, .parameter = steps.epsilon};
    const simdp_account_renyi_step responses = {response, steps.k};
    e[SIMDP_ACCOUNT_BOUND_RENYI] = simdp_renyi_minimise(&responses, 1, steps.slack).epsilon;
    const double rho = times_up(times_up(0.5 * (double)steps.k, steps.epsilon), steps.epsilon);
    e[SIMDP_ACCOUNT_BOUND_ZCDP] = simdp_zcdp_convert(rho, steps.slack).epsilon;
}

static void add_bounds(double *e, simdp_account_steps steps, double delta)
{
    const double leftover = slack_beside_leak((simdp_privacy){steps.epsilon, steps.delta}, steps.k, delta);
    const double plain_slack = slack_beside_sum(delta, (double)steps.k, steps.delta);
    const double azuma_slack = slack_beside_sum(delta, 2.0 * (double)steps.k, steps.delta);
    steps.slack = delta;
    if (steps.delta == 0.0) add_pure_bounds(e, steps);
    else if (azuma_slack >= 0.0)
        e[SIMDP_ACCOUNT_BOUND_AZUMA_APPROXIMATE] = epsilon_by(SIMDP_ACCOUNT_BOUND_AZUMA_APPROXIMATE, steps);
    steps.slack = plain_slack;
    if (plain_slack >= 0.0) e[SIMDP_ACCOUNT_BOUND_STRONG] = epsilon_by(SIMDP_ACCOUNT_BOUND_STRONG, steps);
    steps.slack = leftover;
    if (leftover >= 0.0) add_bounds_beside_leak(e, steps);
}

static void find_smallest(simdp_account_bound_table *table)
{
    const double *e = table->epsilon;
    for (int i = 0; i < SIMDP_ACCOUNT_BOUNDS; i++) {
        if (i == SIMDP_ACCOUNT_BOUND_BOUNDED_RANGE) continue;
        if (e[i] < e[table->smallest]) table->smallest = (simdp_account_bound)i;
        if (i <= SIMDP_ACCOUNT_BOUND_STRONG_SHARP && e[i] < e[table->smallest_formula])
            table->smallest_formula = (simdp_account_bound)i;
    }
}

simdp_status simdp_account_bounds(simdp_account_bound_table *table, simdp_privacy step, int64_t k, double delta)
{
    if (table == NULL) return SIMDP_ENULL;
    FP_MODE_SCOPE();
    FP_PIN(step);
    FP_PIN(delta);
    const double optimal = simdp_optimal_epsilon(delta, step, k);
    const bool legal = !isnan(optimal);
    for (int i = 0; i < SIMDP_ACCOUNT_BOUNDS; i++) table->epsilon[i] = legal ? INFINITY : NAN;
    table->smallest = table->smallest_formula = SIMDP_ACCOUNT_BOUND_BASIC;
    if (!legal) return SIMDP_EPARAM;
    add_bounds(table->epsilon, (simdp_account_steps){.epsilon = step.epsilon, .delta = step.delta, .k = k}, delta);
    table->epsilon[SIMDP_ACCOUNT_BOUND_OPTIMAL] = optimal;
    find_smallest(table);
    return SIMDP_OK;
}

const char *simdp_account_bound_name(simdp_account_bound bound)
{
    switch (bound) {
    case SIMDP_ACCOUNT_BOUND_BASIC: return "basic";
    case SIMDP_ACCOUNT_BOUND_AZUMA: return "azuma";
    case SIMDP_ACCOUNT_BOUND_AZUMA_APPROXIMATE: return "azuma_approximate";
    case SIMDP_ACCOUNT_BOUND_ADVANCED: return "advanced";
    case SIMDP_ACCOUNT_BOUND_STRONG: return "strong";
    case SIMDP_ACCOUNT_BOUND_STRONG_SHARP: return "strong_sharp";
    case SIMDP_ACCOUNT_BOUND_ZCDP: return "zcdp";
    case SIMDP_ACCOUNT_BOUND_RENYI: return "renyi";
    case SIMDP_ACCOUNT_BOUND_OPTIMAL: return "optimal";
    case SIMDP_ACCOUNT_BOUND_BOUNDED_RANGE: return "bounded_range";
    case SIMDP_ACCOUNT_BOUNDS: break;
    }
    return "unknown";
}
