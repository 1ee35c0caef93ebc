/* compose_exact_rows.h: rows of test_property_compose for exact worst cases and curves, and for all bounds side by
 * side. */
#ifndef SIMDP_COMPOSE_EXACT_ROWS_H
#define SIMDP_COMPOSE_EXACT_ROWS_H

#include "support/laws.h"

/* What a truth leaves for the slack of its row: ln of delta_0 (or delta), and delta over its slope */
static double last_log;
static mpfr_t truth_over_slope, truth_total;
static void exact_rows_open(void)
{
    mpfr_inits2(PROPERTY_BITS, truth_over_slope, truth_total, (mpfr_ptr)0);
    mpfr_set_emax(mpfr_get_emax_max()); /* e^g of 10^12 steps, and what it multiplies */
    mpfr_set_emin(mpfr_get_emin_min());
}

static double log_of(mpfr_t x)
{
    mpfr_t l;
    mpfr_init2(l, 64);
    mpfr_log(l, x, RN);
    const double value = mpfr_zero_p(x) ? 0.0 : mpfr_get_d(l, RN);
    mpfr_clear(l);
    return value;
}

/* (1-delta)^k */
static void kept_of(mpfr_t out, double delta, double k)
{
    property_exact(out, delta);
    mpfr_ui_sub(out, 1, out, RN);
    mpfr_pow_ui(out, out, (unsigned long)k, RN);
}

/* out = 1 - kept (1 - delta_0), and truth_total its logarithm */
static void with_leak(mpfr_t out, mpfr_t kept, mpfr_t delta0)
{
    mpfr_t x, rest;
    mpfr_inits2(TRUTH_WIDE, x, rest, (mpfr_ptr)0);
    mpfr_ui_sub(rest, 1, delta0, RN);
    mpfr_mul(rest, rest, kept, RN);
    mpfr_neg(rest, rest, RN);
    mpfr_log1p(truth_total, rest, RN);
    if (mpfr_sgn(rest) != 0 && mpfr_get_exp(rest) < -1500) mpfr_set_si_2exp(truth_total, -1, -1500, RN);
    mpfr_ui_sub(x, 1, kept, RN);
    mpfr_mul(delta0, delta0, kept, RN);
    mpfr_add(out, x, delta0, RN);
    if (mpfr_cmp_d(out, 0.5) < 0) mpfr_log(truth_total, out, RN);
    mpfr_clears(x, rest, (mpfr_ptr)0);
}

/* out = 1 - (1-delta)/kept; 0 where that is the rounding of kept */
static void left_by(mpfr_t out, mpfr_t kept, double delta)
{
    property_exact(out, delta);
    mpfr_ui_sub(out, 1, out, RN);
    mpfr_sub(out, kept, out, RN);
    if (mpfr_zero_p(kept)) return;
    if (!mpfr_zero_p(out) && mpfr_get_exp(out) < mpfr_get_exp(kept) - 1800) mpfr_set_ui(out, 0, RN);
    if (!mpfr_zero_p(out)) mpfr_div(out, out, kept, RN);
}

/* The relative error of what the leak leaves: 2^-94 -ln(kept)/left */
static double leak_error(mpfr_t kept, mpfr_t left)
{
    mpfr_t x;
    mpfr_init2(x, 64);
    mpfr_log(x, kept, RN);
    mpfr_div(x, x, left, RN);
    const double error = mpfr_zero_p(left) ? 0.0 : 0x1p-94 * fabs(mpfr_get_d(x, RN));
    mpfr_clear(x);
    return error;
}

/* relative a + b |ln delta| */
static void slack_of_log(mpfr_t *out, double a, double b)
{
    mpfr_set_d(out[0], a + b * fabs(last_log), RN);
    mpfr_mul(out[0], out[0], truth_over_slope, RN);
}

/* ---- k equal steps: epsilon or delta, epsilon and delta of a step, k ---- */

static double draw_loss(property_random *r, double epsilon, double k)
{
    switch (property_below(r, 5)) {
    case 0: return fabs(property_nudge(r, (k - 2.0 * floor(0.5 * k * property_uniform(r))) * epsilon));
    case 1: return fabs(property_nudge(r, k * epsilon));
    case 2: return property_chance(r, 0.5) ? 0.0 : property_epsilon(r);
    default: return property_uniform(r) * k * epsilon;
    }
}

static void draw_optimal(property_random *r, double *a)
{
    a[1] = property_epsilon(r);
    a[2] = property_chance(r, 0.4) ? 0.0 : property_delta(r);
    a[3] = (double)property_count(r, property_chance(r, 0.05) ? 1000 : 120);
    if (property_chance(r, 0.1)) { /* many: about the mean loss */
        a[3] = floor(property_log_uniform(r, 2000, property_chance(r, 0.03) ? 1e12 : 1e7));
        a[1] = property_log_uniform(r, 1e-7, 3);
        const double mean = a[3] * tanh(0.5 * a[1]), deviation = sqrt(a[3]) / cosh(0.5 * a[1]);
        a[0] = fmax(0.0, floor(mean + (70.0 * property_uniform(r) - 35.0) * deviation) * a[1]);
        a[2] = property_chance(r, 0.5) ? 0.0 : 1e-9 / a[3];
        return;
    }
    a[0] = draw_loss(r, a[1], a[3]);
}

static void optimal_total(mpfr_t out, const double *a)
{
    mpfr_t delta0, kept;
    mpfr_inits2(TRUTH_WIDE, delta0, kept, (mpfr_ptr)0);
    kept_of(kept, a[2], a[3]);
    if (a[3] >= 2000.0) {
        truth_delta0_many(delta0, a[1], a[3], a[0]);
    } else {
        truth_atom *atoms = truth_flips(a[1], (int64_t)a[3]);
        truth_delta0(delta0, atoms, (size_t)a[3] + 1, a[0]);
        truth_atoms_clear(atoms, (size_t)a[3] + 1);
    }
    last_log = log_of(delta0);
    with_leak(out, kept, delta0);
    mpfr_set(truth_over_slope, out, RN);
    mpfr_clears(delta0, kept, (mpfr_ptr)0);
}

static simdp_status compose_optimal_delta(double *out, const double *a)
{
    return simdp_account_exact_delta(out, &a[0], 1, law_leaky(a[1], a[2]), (int64_t)a[3]);
}
static simdp_status compose_optimal_log_delta(double *out, const double *a)
{
    return simdp_account_exact_log_delta(out, &a[0], 1, law_leaky(a[1], a[2]), (int64_t)a[3]);
}
static void compose_optimal_delta_truth(mpfr_t *out, const double *a) { optimal_total(out[0], a); }
static void compose_optimal_log_delta_truth(mpfr_t *out, const double *a)
{
    optimal_total(out[0], a);
    mpfr_set(out[0], truth_total, RN);
    mpfr_set_ui(truth_over_slope, 1, RN);
}
static void slack_of_optimal(mpfr_t *out, const double *a)
{
    (void)a;
    slack_of_log(out, 6e-13, 6e-15);
}

/* delta on the curve, at the leak, or anywhere */
static void draw_optimal_delta(property_random *r, double *a)
{
    do draw_optimal(r, a);
    while (a[3] > 1000.0);
    if (property_chance(r, 0.2)) {
        static const double dyadic[] = {0.5, 0.25, 0x1p-20, 0.75, 1 - 0x1p-20};
        a[2] = dyadic[property_below(r, 5)];
        a[3] = (double)(1 + property_below(r, 3));
    }
    const simdp_privacy step = {a[1], a[2]};
    if (property_chance(r, 0.25)) a[0] = -expm1(a[3] * log1p(-a[2]));
    else if (property_chance(r, 0.3) ||
             simdp_account_exact_delta(&a[0], &a[0], 1, law_leaky(step.epsilon, step.delta), (int64_t)a[3]) != SIMDP_OK)
        a[0] = property_delta(r);
    if (a[3] == 0.0) a[0] = property_delta(r);
    a[0] = fmin(1.0, fabs(property_nudge(r, a[0])));
}

/* The smallest g for a target, given kept = prod(1-delta_i); and, in truth_over_slope, how far it is to that of a
 * target less by its part constant + factor |ln target|: the error of a curve there. */
static void inverse_truth(mpfr_t out, const truth_atom *atoms, size_t n, mpfr_t kept, double delta, double constant,
                          double factor)
{
    mpfr_t left;
    mpfr_init2(left, TRUTH_WIDE);
    mpfr_set_ui(truth_over_slope, 0, RN);
    left_by(left, kept, delta);
    if (delta == 1.0) mpfr_set_ui(out, 0, RN);
    else if (mpfr_sgn(left) < 0) mpfr_set_inf(out, 1);
    else {
        truth_inverse(out, atoms, n, left);
        mpfr_mul_d(left, left, fmax(0.0, 1.0 - (constant + factor * fabs(log_of(left)) + leak_error(kept, left))), RN);
        truth_inverse(truth_over_slope, atoms, n, left);
        mpfr_sub(truth_over_slope, truth_over_slope, out, RN);
    }
    mpfr_clear(left);
}

static void slack_of_inverse(mpfr_t *out, const double *a)
{
    (void)a;
    mpfr_set(out[0], truth_over_slope, RN);
}

static simdp_status compose_optimal_epsilon(double *out, const double *a)
{
    return simdp_account_exact_epsilon(out, &a[0], 1, law_leaky(a[1], a[2]), (int64_t)a[3]);
}
static void compose_optimal_epsilon_truth(mpfr_t *out, const double *a)
{
    mpfr_t kept;
    mpfr_init2(kept, TRUTH_WIDE);
    kept_of(kept, a[2], a[3]);
    truth_atom *atoms = truth_flips(a[1], (int64_t)a[3]);
    inverse_truth(out[0], atoms, (size_t)a[3] + 1, kept, a[0], 6e-13, 6e-15);
    truth_atoms_clear(atoms, (size_t)a[3] + 1);
    mpfr_clear(kept);
}

static simdp_status compose_optimal_epsilon_leaking(double *out, const double *a)
{
    const simdp_status status = compose_optimal_epsilon(out, a);
    if (isinf(out[0]) && a[0] >= a[2] * (1 - 0x1p-50)) out[0] = a[3] * a[1];
    return status;
}

/* ---- steps that differ: epsilon or delta, their number, then epsilon and delta of each ---- */

static void draw_patterns(property_random *r, double *a)
{
    static const double used[] = {0.1, 0.7, 0.8, 0.3, 0.2, 1e-20, 1e-300, 1, 0.5, 20};
    const size_t n = property_chance(r, 0.05) ? 9 : property_below(r, 7);
    const bool common = property_chance(r, 0.4);
    a[1] = (double)n;
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        a[2 + 2 * i] = common ? used[property_below(r, 10)] : property_epsilon(r);
        a[3 + 2 * i] = property_chance(r, 0.7) ? 0.0 : property_delta(r);
        sum += property_chance(r, 0.15) ? -a[2 + 2 * i] : a[2 + 2 * i];
    }
    a[0] = property_chance(r, 0.5) ? fabs(property_nudge(r, sum)) : draw_loss(r, fabs(sum), 1.0);
}

static truth_atom *atoms_of(mpfr_t kept, const double *a)
{
    double epsilon[24];
    mpfr_t part;
    mpfr_init2(part, TRUTH_WIDE);
    mpfr_set_ui(kept, 1, RN);
    for (size_t i = 0; i < (size_t)a[1]; i++) {
        epsilon[i] = a[2 + 2 * i];
        kept_of(part, a[3 + 2 * i], 1);
        mpfr_mul(kept, kept, part, RN);
    }
    mpfr_clear(part);
    return truth_patterns(epsilon, (size_t)a[1]);
}

static void compose_optimal_heterogeneous_delta_truth(mpfr_t *out, const double *a)
{
    mpfr_t delta0, kept;
    mpfr_inits2(TRUTH_WIDE, delta0, kept, (mpfr_ptr)0);
    const size_t n = (size_t)1 << (size_t)a[1];
    truth_atom *atoms = atoms_of(kept, a);
    truth_delta0(delta0, atoms, n, a[0]);
    last_log = log_of(delta0);
    with_leak(out[0], kept, delta0);
    mpfr_set(truth_over_slope, out[0], RN);
    truth_atoms_clear(atoms, n);
    mpfr_clears(delta0, kept, (mpfr_ptr)0);
}
static void compose_optimal_heterogeneous_log_delta_truth(mpfr_t *out, const double *a)
{
    compose_optimal_heterogeneous_delta_truth(out, a);
    mpfr_set(out[0], truth_total, RN);
    mpfr_set_ui(truth_over_slope, 1, RN);
}
static void slack_of_patterns(mpfr_t *out, const double *a)
{
    (void)a;
    slack_of_log(out, 1e-13, 4e-15);
}

#define PATTERNS(name, public)                                                            \
    static simdp_status name(double *out, const double *a)                                \
    {                                                                                     \
        return simdp_##public(out, &a[0], 1, (const simdp_privacy *)&a[2], (size_t)a[1]); \
    }
PATTERNS(compose_optimal_heterogeneous_delta, account_exact_heterogeneous_delta)
PATTERNS(compose_optimal_heterogeneous_log_delta, account_exact_heterogeneous_log_delta)
PATTERNS(compose_optimal_heterogeneous_epsilon, account_exact_heterogeneous_epsilon)

static void draw_patterns_delta(property_random *r, double *a)
{
    draw_patterns(r, a);
    double leak = 0.0;
    for (size_t i = 0; i < (size_t)a[1]; i++) leak += a[3 + 2 * i] * (1.0 - leak);
    const double g = a[0];
    if (property_chance(r, 0.2)) a[0] = leak;
    else if (property_chance(r, 0.3) || compose_optimal_heterogeneous_delta(&a[0], a) != SIMDP_OK || g < 0.0)
        a[0] = property_delta(r);
    a[0] = fmin(1.0, fabs(property_nudge(r, a[0])));
}

static void compose_optimal_heterogeneous_epsilon_truth(mpfr_t *out, const double *a)
{
    mpfr_t kept;
    mpfr_init2(kept, TRUTH_WIDE);
    const size_t n = (size_t)1 << (size_t)a[1];
    truth_atom *atoms = atoms_of(kept, a);
    inverse_truth(out[0], atoms, n, kept, a[0], 1e-13, 4e-15);
    truth_atoms_clear(atoms, n);
    mpfr_clear(kept);
}

/* defect: the sum of the epsilons rounded */
static simdp_status heterogeneous_rounded_sum(double *out, const double *a)
{
    const simdp_status status = compose_optimal_heterogeneous_delta(out, a);
    double sum = 0.0;
    for (size_t i = 0; i < (size_t)a[1]; i++) sum += a[2 + 2 * i];
    if (a[0] >= sum) out[0] = 0.0;
    return status;
}

/* ---- Laplace: epsilon or delta, t, k ---- */

static void draw_laplaces(property_random *r, double *a)
{
    a[2] = (double)property_below(r, property_chance(r, 0.1) ? 40 : 9);
    if (property_chance(r, 0.01)) a[2] = (double)(40 + property_below(r, property_chance(r, 0.1) ? 461 : 81));
    a[1] = property_chance(r, 0.2) ? property_log_uniform(r, 0x1p-1074, 1e-100) : property_epsilon(r);
    if (a[1] * a[2] > 3000.0) a[1] = 3000.0 / a[2];
    a[0] = draw_loss(r, a[1], a[2]);
}

static simdp_status compose_laplace_delta(double *out, const double *a)
{
    return simdp_account_exact_delta(out, &a[0], 1, law_laplace(a[1]), (int64_t)a[2]);
}
static simdp_status compose_laplace_log_delta(double *out, const double *a)
{
    return simdp_account_exact_log_delta(out, &a[0], 1, law_laplace(a[1]), (int64_t)a[2]);
}
static simdp_status compose_laplace_epsilon(double *out, const double *a)
{
    return simdp_account_exact_epsilon(out, &a[0], 1, law_laplace(a[1]), (int64_t)a[2]);
}

static void compose_laplace_delta_truth(mpfr_t *out, const double *a)
{
    mpfr_t epsilon;
    mpfr_init2(epsilon, PROPERTY_BITS);
    property_exact(epsilon, a[0]);
    truth_laplace(out[0], truth_over_slope, epsilon, a[1], (int)a[2]);
    last_log = log_of(out[0]);
    mpfr_set(truth_over_slope, out[0], RN);
    mpfr_clear(epsilon);
}
static void compose_laplace_log_delta_truth(mpfr_t *out, const double *a)
{
    compose_laplace_delta_truth(out, a);
    mpfr_log(out[0], out[0], RN);
    mpfr_set_ui(truth_over_slope, 1, RN);
}

/* beyond 120 steps terms cancel, and the side alone counts */
static void slack_of_laplaces(mpfr_t *out, const double *a)
{
    slack_of_log(out, 1e-12, 4e-15);
    if (a[2] > 120.0) mpfr_set_inf(out[0], 1);
}

static void slack_of_laplaces_epsilon(mpfr_t *out, const double *a)
{
    (void)a;
    slack_of_log(out, 2.5e-12, 1e-14);
}

static void draw_laplaces_delta(property_random *r, double *a)
{
    do draw_laplaces(r, a);
    while (a[2] > 40.0);
    if (property_chance(r, 0.3)) a[0] = property_delta(r);
    else if (compose_laplace_delta(&a[0], a) != SIMDP_OK) a[0] = 0.5;
    a[0] = fmin(1.0, fabs(property_nudge(r, a[0])));
}

/* Newton from the library's result: the root is the curve's, whatever it starts from */
static void compose_laplace_epsilon_truth(mpfr_t *out, const double *a)
{
    double guess = NAN;
    mpfr_t delta, step, low, high;
    mpfr_inits2(PROPERTY_BITS, delta, step, low, high, (mpfr_ptr)0);
    mpfr_set_ui(low, 0, RN);
    property_exact(high, a[1]);
    mpfr_mul_d(high, high, a[2], RN);
    last_log = log(a[0] > 0.0 ? a[0] : 1.0);
    truth_laplace(delta, truth_over_slope, low, a[1], (int)a[2]);
    const bool free = mpfr_cmp_d(delta, a[0]) <= 0;
    mpfr_set(out[0], free ? low : high, RN);
    /* nearer to k t than PROPERTY_BITS tell? */
    bool ended = free || ldexp(a[0], (int)a[2]) <= 0x1p-640 * a[1];
    if (ended) {
        mpfr_div(truth_over_slope, delta, truth_over_slope, RN);
        if (!free || !mpfr_number_p(truth_over_slope)) mpfr_set_ui(truth_over_slope, 0, RN);
    } else {
        if (compose_laplace_epsilon(&guess, a) != SIMDP_OK) guess = NAN;
        property_exact(out[0], guess);
    }
    for (int i = 0; i < 500 && !ended; i++) { /* Newton within a bracket that shrinks */
        if (!(mpfr_cmp(out[0], low) > 0 && mpfr_cmp(out[0], high) < 0)) {
            mpfr_add(out[0], low, high, RN);
            mpfr_div_ui(out[0], out[0], 2, RN);
        }
        truth_laplace(delta, truth_over_slope, out[0], a[1], (int)a[2]);
        mpfr_set(mpfr_cmp_d(delta, a[0]) > 0 ? low : high, out[0], RN);
        mpfr_sub_d(step, delta, a[0], RN);
        mpfr_div(step, step, truth_over_slope, RN);
        mpfr_add(out[0], out[0], step, RN);
        ended = mpfr_zero_p(step) || (mpfr_number_p(step) && mpfr_get_exp(step) < mpfr_get_exp(out[0]) - 150);
        if (ended) mpfr_div(truth_over_slope, delta, truth_over_slope, RN);
    }
    property_exact(high, a[1]);
    mpfr_mul_d(high, high, a[2], RN);
    if (mpfr_cmp(out[0], high) > 0) mpfr_set(out[0], high, RN);
    if (!ended) mpfr_set_nan(out[0]);
    mpfr_clears(delta, step, low, high, (mpfr_ptr)0);
}

/* defect: masses that were subnormal divided back up */
static simdp_status compose_laplace_delta_subnormal(double *out, const double *a)
{
    const simdp_status status = compose_laplace_delta(out, a);
    if (a[1] * a[2] < 1e-155) out[0] *= 0.25;
    return status;
}

/* ---- all bounds: epsilon and delta of a step, k, delta ---- */

static void draw_bounds(property_random *r, double *a)
{
    double optimal[4];
    do draw_optimal_delta(r, optimal);
    while (optimal[3] > 60.0);
    a[0] = optimal[1], a[1] = optimal[2], a[2] = optimal[3], a[3] = optimal[0];
}

/* basic, azuma, advanced, strong, strong_sharp, bounded_range, optimal, zcdp, renyi, azuma_approximate; whether the
 * smallest is smallest */
static simdp_status bounds(double *out, const double *a)
{
    static const simdp_account_bound order[] = {
        SIMDP_ACCOUNT_BOUND_BASIC,        SIMDP_ACCOUNT_BOUND_AZUMA,
        SIMDP_ACCOUNT_BOUND_ADVANCED,     SIMDP_ACCOUNT_BOUND_STRONG,
        SIMDP_ACCOUNT_BOUND_STRONG_SHARP, SIMDP_ACCOUNT_BOUND_BOUNDED_RANGE,
        SIMDP_ACCOUNT_BOUND_OPTIMAL,      SIMDP_ACCOUNT_BOUND_ZCDP,
        SIMDP_ACCOUNT_BOUND_RENYI,        SIMDP_ACCOUNT_BOUND_AZUMA_APPROXIMATE};
    simdp_account_bound_table table;
    const simdp_status status = simdp_account_bounds(&table, (simdp_privacy){a[0], a[1]}, (int64_t)a[2], a[3]);
    bool smallest = true;
    for (int i = 0; i < 10; i++) {
        out[i] = table.epsilon[order[i]];
        if (i != 5 && out[i] < table.epsilon[table.smallest]) smallest = false;
        if ((i < 5 || i == 9) && out[i] < table.epsilon[table.smallest_formula]) smallest = false;
    }
    out[10] = smallest ? 1.0 : 0.0;
    return status;
}

static mpfr_t bound_slack[2]; /* ln(1/slack) of strong and of strong_sharp */
static double bound_error;    /* of the latter */

/* strong composition with a slack that is not a double; inf if it is negative */
static void strong_with(mpfr_t *out, const double *a, mpfr_t slack, mpfr_t log_inverse)
{
    mpfr_t mean, whole[3];
    mpfr_inits2(PROPERTY_BITS, mean, whole[0], whole[1], whole[2], (mpfr_ptr)0);
    const double steps[4] = {a[0], 0.0, a[2], 0.0};
    tanh_of_half(mean, a[0]);
    mpfr_log(log_inverse, slack, RN);
    mpfr_neg(log_inverse, log_inverse, RN);
    total_epsilon(whole, steps, mean, 2.0, log_inverse);
    mpfr_set(*out, whole[0], RN);
    if (mpfr_sgn(slack) < 0) mpfr_set_inf(*out, 1);
    mpfr_clears(mean, whole[0], whole[1], whole[2], (mpfr_ptr)0);
}

static void bounds_truth(mpfr_t *out, const double *a)
{
    const bool pure = a[1] == 0.0;
    const double steps[4] = {a[0], a[1], a[2], a[3]}, optimal[4] = {a[3], a[0], a[1], a[2]};
    mpfr_t kept, slack, whole[3];
    mpfr_inits2(TRUTH_WIDE, kept, slack, (mpfr_ptr)0);
    mpfr_inits2(PROPERTY_BITS, whole[0], whole[1], whole[2], (mpfr_ptr)0);
    if (mpfr_get_prec(bound_slack[0]) != PROPERTY_BITS)
        for (int i = 0; i < 2; i++) mpfr_init2(bound_slack[i], PROPERTY_BITS);
    kept_of(kept, a[1], a[2]);
    left_by(slack, kept, a[3]);
    if (a[3] == 1.0) mpfr_set_ui(slack, 1, RN);
    bound_error = mpfr_zero_p(kept) || mpfr_sgn(slack) <= 0 ? 0.0 : leak_error(kept, slack);
    if (mpfr_sgn(slack) > 0) bound_error += 0x1p-1070 / mpfr_get_d(slack, MPFR_RNDU); /* it may be subnormal */
    compose_basic_truth(whole, steps);
    mpfr_set(out[0], whole[0], RN);
    if (mpfr_sgn(slack) < 0) mpfr_set_inf(out[0], 1);
    strong_with(&out[4], a, slack, bound_slack[1]);
    property_exact(slack, -a[1]);
    mpfr_mul_d(slack, slack, a[2], RN);
    mpfr_add_d(slack, slack, a[3], RN);
    strong_with(&out[3], a, slack, bound_slack[0]);
    mpfr_mul_ui(slack, slack, 2, RN);
    mpfr_sub_d(slack, slack, a[3], RN); /* delta - 2 k delta_step */
    for (int i = 1; i < 6; i++)
        if (i != 3 && i != 4) mpfr_set_inf(out[i], 1);
    mpfr_set_inf(out[9], 1);
    if (pure) {
        compose_azuma_truth(whole, steps);
        mpfr_set(out[1], whole[0], RN);
        compose_advanced_truth(whole, steps);
        mpfr_set(out[2], whole[0], RN);
        compose_bounded_range_truth(whole, steps);
        mpfr_set(out[5], whole[0], RN);
    } else if (mpfr_sgn(slack) >= 0) {
        compose_azuma_approximate_truth(whole, steps);
        mpfr_set(out[9], whole[0], RN);
    }
    compose_optimal_epsilon_truth(&out[6], optimal);
    mpfr_set(out[7], out[6], RN);
    mpfr_set(out[8], out[6], RN);
    mpfr_set_ui(out[10], 1, RN);
    mpfr_clears(kept, slack, whole[0], whole[1], whole[2], (mpfr_ptr)0);
}

/* what a slack that is rounded to a double costs: epsilon (sqrt(2k (L + 16 u (1 + L))) - sqrt(2k L)) */
static void slack_of_bounds(mpfr_t *out, const double *a)
{
    mpfr_t more;
    mpfr_init2(more, PROPERTY_BITS);
    for (int i = 0; i < 11; i++) mpfr_set_ui(out[i], 0, RN);
    slack_of_inverse(&out[6], a);
    for (int i = 0; i < 2; i++) {
        if (!mpfr_number_p(bound_slack[i])) continue;
        mpfr_add_ui(more, bound_slack[i], 1, RN);
        mpfr_mul_d(more, more, 32.0 * U, RN);
        mpfr_add(more, more, bound_slack[i], RN);
        if (i == 1) mpfr_add_d(more, more, 2.0 * bound_error, RN);
        mpfr_mul_d(more, more, 2.0 * a[2], RN);
        mpfr_sqrt(more, more, RN);
        mpfr_mul_d(out[3 + i], bound_slack[i], 2.0 * a[2], RN);
        mpfr_sqrt(out[3 + i], out[3 + i], RN);
        mpfr_sub(out[3 + i], more, out[3 + i], RN);
        mpfr_mul_d(out[3 + i], out[3 + i], a[0], RN);
    }
    mpfr_clear(more);
}

#define LOG_RULE                    \
    {                               \
        PROPERTY_ABOVE, 32 * U, 0.0 \
    }
#define ONE_SIDE                      \
    {                                 \
        PROPERTY_ABOVE, INFINITY, 0.0 \
    }
#define EXACT_ROWS                                                                                                   \
    PROPERTY_OF(account_exact_delta, compose_optimal_delta, 4, 1, .draw = draw_optimal, .rule = {UPPER(8 * U)},      \
                .share = 0.02, .slack = slack_of_optimal),                                                           \
        PROPERTY_OF(account_exact_log_delta, compose_optimal_log_delta, 4, 1, .draw = draw_optimal,                  \
                    .rule = {LOG_RULE}, .share = 0.02, .slack = slack_of_optimal),                                   \
        PROPERTY_OF(account_exact_epsilon, compose_optimal_epsilon, 4, 1, .draw = draw_optimal_delta,                \
                    .rule = {UPPER(16 * U)}, .share = 0.05, .slack = slack_of_inverse),                              \
        PROPERTY_OF(account_exact_heterogeneous_delta, compose_optimal_heterogeneous_delta, 20, 1,                   \
                    .draw = draw_patterns, .rule = {UPPER(8 * U)}, .share = 0.03, .slack = slack_of_patterns),       \
        PROPERTY_OF(account_exact_heterogeneous_log_delta, compose_optimal_heterogeneous_log_delta, 20, 1,           \
                    .draw = draw_patterns, .rule = {LOG_RULE}, .share = 0.03, .slack = slack_of_patterns),           \
        PROPERTY_OF(account_exact_heterogeneous_epsilon, compose_optimal_heterogeneous_epsilon, 20, 1,               \
                    .draw = draw_patterns_delta, .rule = {UPPER(16 * U)}, .share = 0.03, .slack = slack_of_inverse), \
        PROPERTY_OF(account_exact_delta, compose_laplace_delta, 3, 1, .draw = draw_laplaces, .rule = {UPPER(8 * U)}, \
                    .share = 0.03, .slack = slack_of_laplaces),                                                      \
        PROPERTY_OF(account_exact_log_delta, compose_laplace_log_delta, 3, 1, .draw = draw_laplaces,                 \
                    .rule = {LOG_RULE}, .share = 0.03, .slack = slack_of_laplaces),                                  \
        PROPERTY_OF(account_exact_epsilon, compose_laplace_epsilon, 3, 1, .draw = draw_laplaces_delta,               \
                    .rule = {UPPER(16 * U)}, .share = 0.02, .slack = slack_of_laplaces_epsilon),                     \
        PROPERTY_OF(account_bounds, bounds, 4, 11, .draw = draw_bounds, .share = 0.02, .slack = slack_of_bounds,     \
                    .rule = {UPPER(0x1p-51), UPPER(0x1p-49), UPPER(0x1p-49), UPPER(0x1p-49), UPPER(0x1p-49),         \
                             UPPER(0x1p-47), UPPER(16 * U), ONE_SIDE, ONE_SIDE, UPPER(0x1p-49), NEAR(0)})
#define EXACT_PLANTED                                                                                      \
    {"finite below the leak", "compose_optimal_epsilon", compose_optimal_epsilon_leaking},                 \
        {"the sum of epsilons rounded", "compose_optimal_heterogeneous_delta", heterogeneous_rounded_sum}, \
    {                                                                                                      \
        "subnormal masses", "compose_laplace_delta", compose_laplace_delta_subnormal                       \
    }

#endif
