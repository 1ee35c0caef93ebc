/* system_filters.h: rows of costs, filters and odometers. What a mechanism costs is computed from its definition, as a
 * real number: no rounding of the library enters the truth. */
#ifndef SIMDP_PROPERTY_SYSTEM_FILTERS_H
#define SIMDP_PROPERTY_SYSTEM_FILTERS_H

#include <float.h>
#include <math.h>

#include "property/property.h"
#include "support/filters.h"

/* ---- mechanisms: a = kind, sensitivity, scale, epsilon, delta, nu ---- */

enum { MECHANISM_SIZE = 6 };

static const simdp_mechanism neighbour_kinds[] = {SIMDP_MECHANISM_LAPLACE,
                                                  SIMDP_MECHANISM_SELECTION,
                                                  SIMDP_MECHANISM_SELECTION_MONOTONE,
                                                  SIMDP_MECHANISM_RANDOMIZED_RESPONSE,
                                                  SIMDP_MECHANISM_LEAKY_RESPONSE,
                                                  SIMDP_MECHANISM_GAUSSIAN};
static const simdp_mechanism typical_kinds[] = {SIMDP_MECHANISM_TYPICAL_LAPLACE};

static void draw_mechanism(property_random *r, double *a, size_t kinds)
{
    a[0] = (double)neighbour_kinds[property_below(r, kinds)];
    a[2] = property_scale(r);
    a[1] = property_chance(r, 0.05)  ? 0.0
           : property_chance(r, 0.3) ? fabs(property_number(r))
                                     : a[2] * property_epsilon(r);
    if (!isfinite(a[1])) a[1] = 1.0;
    a[3] = property_epsilon(r);
    a[4] = property_delta(r);
    a[5] = property_delta_open(r);
}

/* costs of a size that fits a budget, or is a round share of it */
static void draw_small_mechanism(property_random *r, double *a, size_t kinds, double epsilon)
{
    draw_mechanism(r, a, kinds);
    const double part = property_chance(r, 0.5) ? 1.0 / (double)(1 + property_below(r, 12)) : property_uniform(r);
    a[3] = epsilon * part;
    a[2] = property_chance(r, 0.5) ? 1.0 : property_log_uniform(r, 0.01, 100);
    a[1] = a[2] * a[3];
    a[4] = property_chance(r, 0.5) ? 1e-6 : 1e-7 * property_uniform(r);
}

static simdp_theory_mechanism mechanism_of(const double *a)
{
    return (simdp_theory_mechanism){
        .kind = (simdp_mechanism)a[0], .sensitivity = a[1], .scale = a[2], .epsilon = a[3], .delta = a[4], .nu = a[5]};
}

static bool is_response(const double *a)
{
    return a[0] == SIMDP_MECHANISM_RANDOMIZED_RESPONSE || a[0] == SIMDP_MECHANISM_LEAKY_RESPONSE;
}
static bool is_selection(const double *a)
{
    return a[0] == SIMDP_MECHANISM_SELECTION || a[0] == SIMDP_MECHANISM_SELECTION_MONOTONE;
}
static double exact_leak(const double *a) { return a[0] == SIMDP_MECHANISM_LEAKY_RESPONSE ? a[4] : 0.0; }

/* epsilon: sensitivity/scale, twice that, or given; Gaussian: mu */
static void exact_epsilon(mpfr_ptr out, const double *a)
{
    mpfr_set_d(out, is_response(a) ? a[3] : a[1], MPFR_RNDN);
    if (!is_response(a)) mpfr_div_d(out, out, a[2], MPFR_RNDN);
    if (a[0] == SIMDP_MECHANISM_SELECTION) mpfr_mul_ui(out, out, 2, MPFR_RNDN);
}

/* epsilon^2/2, or epsilon^2/8 of a selection */
static void exact_rho(mpfr_ptr out, const double *a)
{
    exact_epsilon(out, a);
    mpfr_sqr(out, out, MPFR_RNDN);
    mpfr_div_ui(out, out, is_selection(a) ? 8 : 2, MPFR_RNDN);
}

/* D_alpha: of the Laplace pair ln(alpha e^((alpha-1)t) + (alpha-1) e^(-alpha t))/(2 alpha - 1))/(alpha - 1); of
 * randomized response ln(p^alpha q^(1-alpha) + q^alpha p^(1-alpha))/(alpha - 1); never more than alpha rho */
static void exact_renyi(mpfr_ptr out, const double *a, double alpha)
{
    mpfr_t e, x, y, order;
    mpfr_inits2(1500, e, x, y, order, (mpfr_ptr)0);
    mpfr_set_d(order, alpha, MPFR_RNDN);
    exact_epsilon(e, a);
    mpfr_sub_ui(order, order, 1, MPFR_RNDN);
    mpfr_mul_ui(y, order, 2, MPFR_RNDN);
    mpfr_add_ui(y, y, 1, MPFR_RNDN); /* 2 alpha - 1 */
    mpfr_mul(x, y, e, MPFR_RNDN);
    mpfr_neg(x, x, MPFR_RNDN);
    mpfr_exp(x, x, MPFR_RNDN); /* without the factor e^((alpha - 1) e), which may be too large */
    if (a[0] == SIMDP_MECHANISM_LAPLACE) {
        mpfr_mul(x, x, order, MPFR_RNDN);
        mpfr_add_d(x, x, alpha, MPFR_RNDN);
    } else { /* (1 + e^-(2 alpha - 1)e)/(1 + e^-e) */
        mpfr_add_ui(x, x, 1, MPFR_RNDN);
        mpfr_neg(y, e, MPFR_RNDN);
        mpfr_exp(y, y, MPFR_RNDN);
        mpfr_add_ui(y, y, 1, MPFR_RNDN);
    }
    mpfr_div(x, x, y, MPFR_RNDN);
    mpfr_log(x, x, MPFR_RNDN);
    mpfr_div(x, x, order, MPFR_RNDN);
    mpfr_add(x, x, e, MPFR_RNDN);
    exact_rho(out, a);
    mpfr_mul_d(out, out, alpha, MPFR_RNDN);
    if (a[0] != SIMDP_MECHANISM_GAUSSIAN && mpfr_cmp(x, out) < 0) mpfr_set(out, x, MPFR_RNDN);
    mpfr_clears(e, x, y, order, (mpfr_ptr)0);
}

/* ---- the cost of one use: not of Gaussian kinds, whose epsilon is simdp_account_epsilon's ---- */

static void draw_cost(property_random *r, double *a)
{
    draw_mechanism(r, a, 5);
    if (property_chance(r, 0.1)) a[0] = (double)typical_kinds[0];
}

static simdp_status system_cost(double *out, const double *a)
{
    simdp_theory_cost cost;
    const simdp_theory_mechanism m = mechanism_of(a);
    const simdp_status status = simdp_theory_mechanism_cost(&cost, &m);
    out[0] = cost.epsilon;
    out[1] = cost.delta;
    out[2] = cost.rho;
    out[3] = cost.zcdp_delta;
    out[4] = cost.nu;
    return status;
}

static void system_cost_truth(mpfr_t *out, const double *a)
{
    const bool typical = a[0] == (double)typical_kinds[0];
    exact_epsilon(out[0], a);
    mpfr_set_d(out[1], exact_leak(a), MPFR_RNDN);
    exact_rho(out[2], a);
    mpfr_set_d(out[3], exact_leak(a), MPFR_RNDN);
    mpfr_set_d(out[4], typical ? a[5] : 0.0, MPFR_RNDN);
    if (typical) mpfr_set_nan(out[2]);
    if (typical) mpfr_set_nan(out[3]);
}

/* ---- filters: a = kind, epsilon, delta, slack, orders; then STEPS mechanisms, each asked for three times ---- */

enum { FILTER_BASIC, FILTER_STRONG, FILTER_ZCDP, FILTER_RENYI, FILTERS };
enum {
    FILTER_SIZE = 6,
    FILTER_STEPS = 6,
    FILTER_TIMES = 3,
    FILTER_ARGUMENTS = FILTER_SIZE + FILTER_STEPS * MECHANISM_SIZE
};

static void draw_filter_of(property_random *r, double *a, int kind)
{
    a[0] = kind;
    a[1] = property_chance(r, 0.3) ? property_epsilon(r) : property_log_uniform(r, 0.05, 20);
    a[2] = property_chance(r, 0.2) ? property_delta(r) : 3e-6;
    a[3] = property_chance(r, 0.3) ? property_delta_open(r) : 1e-6;
    for (size_t j = 4; j < 6; j++) {
        const double order = property_order(r);
        a[j] = fmin(0x1p60,
                    fmax(1.0 + 0x1p-20, property_chance(r, 0.3) ? order : 1.0 + property_log_uniform(r, 0.1, 100)));
    }
    for (size_t i = 0; i < FILTER_STEPS; i++) {
        double *m = a + FILTER_SIZE + i * MECHANISM_SIZE;
        const double part = kind == FILTER_BASIC ? a[1] : a[1] / (3.0 + 5.0 * property_uniform(r));
        draw_small_mechanism(r, m, kind == FILTER_BASIC || kind == FILTER_STRONG ? 5 : 6, fmin(part, 100.0));
        if (property_chance(r, 0.02)) draw_mechanism(r, m, 5);
        if (m[0] == SIMDP_MECHANISM_GAUSSIAN) m[4] = 0.5;
    }
}
static void draw_filter(property_random *r, double *a) { draw_filter_of(r, a, (int)property_below(r, FILTERS)); }
static void draw_basic(property_random *r, double *a) { draw_filter_of(r, a, FILTER_BASIC); }
static void draw_strong(property_random *r, double *a) { draw_filter_of(r, a, FILTER_STRONG); }
static void draw_zcdp(property_random *r, double *a) { draw_filter_of(r, a, FILTER_ZCDP); }
static void draw_renyi(property_random *r, double *a) { draw_filter_of(r, a, FILTER_RENYI); }

typedef struct {
    simdp_theory_filter filter;
    double renyi_spent[2];
    bool admitted[FILTER_STEPS * FILTER_TIMES];
} filter_run;

static simdp_status open_filter(filter_run *run, const double *a)
{
    simdp_theory_filter *f = &run->filter;
    switch ((int)a[0]) {
    case FILTER_BASIC: return filter_basic(f, a[1], a[2]);
    case FILTER_STRONG: return filter_strong(f, a[1], a[2], a[3]);
    case FILTER_ZCDP: return filter_zcdp(f, a[1], a[2], a[3]);
    default: return filter_renyi(f, run->renyi_spent, a + 4, 2, a[1], a[2], a[3]);
    }
}

static simdp_status run_filter(filter_run *run, const double *a)
{
    simdp_status status = open_filter(run, a);
    for (size_t i = 0; i < FILTER_STEPS * FILTER_TIMES && status == SIMDP_OK; i++) {
        const simdp_theory_mechanism m = mechanism_of(a + FILTER_SIZE + i / FILTER_TIMES * MECHANISM_SIZE);
        int admitted = 0;
        status = simdp_theory_filter_admit(&run->filter, &admitted, &m);
        run->admitted[i] = admitted != 0;
    }
    return status;
}

/* What admitted steps have cost, as real numbers: epsilon, epsilon^2, rho or the divergences at two orders; and leaks.
 */
typedef struct {
    mpfr_t spent[2], leaked;
} exact_spent;

static void spent_open(exact_spent *s)
{
    mpfr_inits2(1500, s->spent[0], s->spent[1], s->leaked, (mpfr_ptr)0);
    mpfr_set_ui(s->spent[0], 0, MPFR_RNDN);
    mpfr_set_ui(s->spent[1], 0, MPFR_RNDN);
    mpfr_set_ui(s->leaked, 0, MPFR_RNDN);
}
static void spent_close(exact_spent *s) { mpfr_clears(s->spent[0], s->spent[1], s->leaked, (mpfr_ptr)0); }

static void spent_add(exact_spent *s, const double *a, const double *m)
{
    mpfr_t x;
    mpfr_init2(x, 1500);
    for (size_t j = 0; j < 2; j++) {
        if (a[0] == FILTER_RENYI) exact_renyi(x, m, a[4 + j]);
        else if (a[0] == FILTER_ZCDP) exact_rho(x, m);
        else exact_epsilon(x, m);
        if (a[0] == FILTER_STRONG) mpfr_sqr(x, x, MPFR_RNDN);
        mpfr_add(s->spent[j], s->spent[j], x, MPFR_RNDN);
    }
    mpfr_add_d(s->leaked, s->leaked, exact_leak(m), MPFR_RNDN);
    mpfr_clear(x);
}

/* The largest divergence of this order that converts to (epsilon, slack): epsilon + ln(alpha/(alpha-1)) + (ln slack +
 * ln alpha)/(alpha - 1); order given as alpha - 1 */
static void exact_renyi_budget(mpfr_ptr out, mpfr_srcptr x, double epsilon, mpfr_srcptr slack)
{
    mpfr_t y;
    mpfr_init2(y, PROPERTY_BITS);
    mpfr_log(out, slack, MPFR_RNDN);
    mpfr_log1p(y, x, MPFR_RNDN);
    mpfr_add(out, out, y, MPFR_RNDN);
    mpfr_div(out, out, x, MPFR_RNDN);
    mpfr_ui_div(y, 1, x, MPFR_RNDN);
    mpfr_log1p(y, y, MPFR_RNDN);
    mpfr_add(out, out, y, MPFR_RNDN);
    mpfr_add_d(out, out, epsilon, MPFR_RNDN);
    mpfr_clear(y);
}

/* Whether spending x times what is spent keeps the budget, as real numbers have it. The budgets of the strong and the
 * zCDP filter have rows of their own. */
static bool keeps_budget(const exact_spent *s, const double *a, const filter_run *run, double times)
{
    mpfr_t x, y, slack;
    mpfr_inits2(PROPERTY_BITS, x, y, slack, (mpfr_ptr)0);
    mpfr_mul_d(x, s->leaked, times, MPFR_RNDN);
    const bool leaks_fit = mpfr_cmp_d(x, a[2]) <= 0;
    bool fits = false;
    if (a[0] == FILTER_RENYI) {
        for (size_t j = 0; j < 2; j++) {
            mpfr_set_d(slack, a[3], MPFR_RNDN);
            mpfr_div_ui(slack, slack, 2, MPFR_RNDN);
            mpfr_set_d(x, a[4 + j], MPFR_RNDN);
            mpfr_sub_ui(x, x, 1, MPFR_RNDN);
            exact_renyi_budget(y, x, a[1], slack);
            mpfr_mul_d(x, s->spent[j], times, MPFR_RNDN);
            fits |= mpfr_cmp(x, y) <= 0;
        }
    } else {
        mpfr_mul_d(x, s->spent[0], times, MPFR_RNDN);
        fits = mpfr_cmp_d(x, a[0] == FILTER_BASIC ? a[1] : run->filter.budget) <= 0;
    }
    mpfr_clears(x, y, slack, (mpfr_ptr)0);
    return leaks_fit && fits;
}

/* out: admissions beyond the budget; refusals where 1 + 2^-36 times the whole would have fitted (Renyi has budgets of
 * both signs: not judged) */
static simdp_status system_filter_admit(double *out, const double *a)
{
    filter_run run;
    exact_spent spent, next;
    const simdp_status status = run_filter(&run, a);
    out[0] = out[1] = 0.0;
    spent_open(&spent);
    for (size_t i = 0; i < FILTER_STEPS * FILTER_TIMES && status == SIMDP_OK; i++) {
        const double *m = a + FILTER_SIZE + i / FILTER_TIMES * MECHANISM_SIZE;
        spent_open(&next);
        for (size_t j = 0; j < 2; j++) mpfr_set(next.spent[j], spent.spent[j], MPFR_RNDN);
        mpfr_set(next.leaked, spent.leaked, MPFR_RNDN);
        spent_add(&next, a, m);
        if (run.admitted[i] && !keeps_budget(&next, a, &run, 1.0)) out[0]++;
        if (!run.admitted[i] && a[0] != FILTER_RENYI && keeps_budget(&next, a, &run, 1.0 + 0x1p-36)) out[1]++;
        if (run.admitted[i]) {
            for (size_t j = 0; j < 2; j++) mpfr_set(spent.spent[j], next.spent[j], MPFR_RNDN);
            mpfr_set(spent.leaked, next.leaked, MPFR_RNDN);
        }
        spent_close(&next);
    }
    spent_close(&spent);
    return status;
}

static void system_filter_admit_truth(mpfr_t *out, const double *a)
{
    (void)a;
    mpfr_set_ui(out[0], 0, MPFR_RNDN);
    mpfr_set_ui(out[1], 0, MPFR_RNDN);
}

static simdp_status system_filter_basic(double *out, const double *a) { return system_filter_admit(out, a); }
static simdp_status system_filter_renyi(double *out, const double *a) { return system_filter_admit(out, a); }
static void system_filter_basic_truth(mpfr_t *out, const double *a) { system_filter_admit_truth(out, a); }
static void system_filter_renyi_truth(mpfr_t *out, const double *a) { system_filter_admit_truth(out, a); }

/* ---- budgets of the strong and the zCDP filter, below the truth ---- */

static simdp_status budget_of(double *out, const double *a)
{
    filter_run run;
    const simdp_status status = open_filter(&run, a);
    *out = run.filter.budget;
    return status;
}
static simdp_status system_filter_strong(double *out, const double *a) { return budget_of(out, a); }
static simdp_status system_filter_zcdp(double *out, const double *a) { return budget_of(out, a); }

/* V with sqrt(2 V ln(1/slack)) + V/2 = epsilon */
static void system_filter_strong_truth(mpfr_t *out, const double *a)
{
    mpfr_t l, root;
    mpfr_inits2(PROPERTY_BITS, l, root, (mpfr_ptr)0);
    mpfr_set_d(l, a[3], MPFR_RNDN);
    mpfr_log(l, l, MPFR_RNDN);
    mpfr_mul_si(l, l, -2, MPFR_RNDN);
    mpfr_sqrt(root, l, MPFR_RNDN);
    mpfr_add_d(l, l, a[1], MPFR_RNDN);
    mpfr_add_d(l, l, a[1], MPFR_RNDN);
    mpfr_sqrt(l, l, MPFR_RNDN);
    mpfr_add(root, root, l, MPFR_RNDN);
    mpfr_d_div(root, a[1], root, MPFR_RNDN);
    mpfr_sqr(out[0], root, MPFR_RNDN);
    mpfr_mul_ui(out[0], out[0], 4, MPFR_RNDN);
    mpfr_clears(l, root, (mpfr_ptr)0);
}

/* the largest renyi_budget(x)/(1 + x), by a search along ln x */
static void zcdp_at(mpfr_ptr out, double log_x, const double *a, mpfr_srcptr slack)
{
    mpfr_t x;
    mpfr_init2(x, PROPERTY_BITS);
    mpfr_set_d(x, log_x, MPFR_RNDN);
    mpfr_exp(x, x, MPFR_RNDN);
    exact_renyi_budget(out, x, a[1], slack);
    mpfr_add_ui(x, x, 1, MPFR_RNDN);
    mpfr_div(out, out, x, MPFR_RNDN);
    mpfr_clear(x);
}

static void system_filter_zcdp_truth(mpfr_t *out, const double *a)
{
    mpfr_t slack, value;
    mpfr_inits2(PROPERTY_BITS, slack, value, (mpfr_ptr)0);
    mpfr_set_d(slack, a[3], MPFR_RNDN);
    mpfr_set_inf(out[0], -1);
    double middle = 0.0;
    for (double width = 16.0; width > 1e-9; width *= 0.5) {
        double best = middle;
        for (int side = -2; side <= 2; side++) {
            zcdp_at(value, middle + side * width, a, slack);
            if (mpfr_cmp(value, out[0]) <= 0) continue;
            mpfr_set(out[0], value, MPFR_RNDN);
            best = middle + side * width;
        }
        middle = best;
    }
    if (mpfr_sgn(out[0]) < 0) mpfr_set_ui(out[0], 0, MPFR_RNDN);
    mpfr_clears(slack, value, (mpfr_ptr)0);
}

/* ---- the odometer ---- */

static simdp_status system_filter_spent(double *out, const double *a)
{
    filter_run run;
    const simdp_status status = run_filter(&run, a);
    return status == SIMDP_OK ? simdp_theory_filter_spent(&run.filter, &out[0], &out[1]) : status;
}

/* V/2 + sqrt((V + y)(l + ln((V + y)/y))), l = 2 ln(1/slack), y = end/(l + ln(1 + l)) */
static void exact_mixture(mpfr_ptr out, mpfr_srcptr v, double end, double slack)
{
    mpfr_t l, y, x;
    mpfr_inits2(PROPERTY_BITS, l, y, x, (mpfr_ptr)0);
    mpfr_set_d(l, slack, MPFR_RNDN);
    mpfr_log(l, l, MPFR_RNDN);
    mpfr_mul_si(l, l, -2, MPFR_RNDN);
    mpfr_log1p(y, l, MPFR_RNDN);
    mpfr_add(y, y, l, MPFR_RNDN);
    mpfr_d_div(y, end, y, MPFR_RNDN);
    mpfr_div(x, v, y, MPFR_RNDN);
    mpfr_log1p(x, x, MPFR_RNDN);
    mpfr_add(x, x, l, MPFR_RNDN);
    mpfr_add(y, y, v, MPFR_RNDN);
    mpfr_mul(x, x, y, MPFR_RNDN);
    mpfr_sqrt(x, x, MPFR_RNDN);
    mpfr_div_ui(out, v, 2, MPFR_RNDN);
    mpfr_add(out, out, x, MPFR_RNDN);
    if (mpfr_zero_p(v)) mpfr_set_ui(out, 0, MPFR_RNDN);
    mpfr_clears(l, y, x, (mpfr_ptr)0);
}

static void exact_renyi_reading(mpfr_ptr out, const exact_spent *s, const double *a)
{
    mpfr_t l, x;
    mpfr_inits2(PROPERTY_BITS, l, x, (mpfr_ptr)0);
    mpfr_set_inf(out, 1);
    mpfr_set_d(l, a[3], MPFR_RNDN);
    mpfr_ui_div(l, 2, l, MPFR_RNDN);
    mpfr_log(l, l, MPFR_RNDN);
    for (size_t j = 0; j < 2; j++) {
        mpfr_set_d(x, a[4 + j], MPFR_RNDN);
        mpfr_sub_ui(x, x, 1, MPFR_RNDN);
        mpfr_div(x, l, x, MPFR_RNDN);
        mpfr_add(x, x, s->spent[j], MPFR_RNDN);
        if (mpfr_cmp(x, out) < 0) mpfr_set(out, x, MPFR_RNDN);
    }
    mpfr_clears(l, x, (mpfr_ptr)0);
}

static void system_filter_spent_truth(mpfr_t *out, const double *a)
{
    filter_run run;
    exact_spent spent;
    bool any = false;
    spent_open(&spent);
    if (run_filter(&run, a) != SIMDP_OK) mpfr_set_nan(out[0]);
    for (size_t i = 0; i < FILTER_STEPS * FILTER_TIMES; i++) {
        any |= run.admitted[i];
        if (run.admitted[i]) spent_add(&spent, a, a + FILTER_SIZE + i / FILTER_TIMES * MECHANISM_SIZE);
    }
    if (a[0] == FILTER_ZCDP) mpfr_mul_ui(spent.spent[0], spent.spent[0], 2, MPFR_RNDN);
    if (a[0] == FILTER_BASIC) mpfr_set(out[0], spent.spent[0], MPFR_RNDN);
    else if (a[0] == FILTER_RENYI) exact_renyi_reading(out[0], &spent, a);
    else exact_mixture(out[0], spent.spent[0], (a[0] == FILTER_ZCDP ? 2.0 : 1.0) * run.filter.budget, a[3]);
    if (!any) mpfr_set_ui(out[0], 0, MPFR_RNDN);
    mpfr_set(out[1], spent.leaked, MPFR_RNDN);
    if (a[0] != FILTER_BASIC) mpfr_add_d(out[1], out[1], a[3], MPFR_RNDN);
    if (mpfr_cmp_ui(out[1], 1) > 0) mpfr_set_ui(out[1], 1, MPFR_RNDN);
    spent_close(&spent);
}

/* ---- planted ---- */

/* defect: sums to nearest */
static simdp_status spent_nearest(double *out, const double *a)
{
    filter_run run;
    const simdp_status status = run_filter(&run, a);
    if (status != SIMDP_OK || a[0] != FILTER_BASIC) return system_filter_spent(out, a);
    out[0] = out[1] = 0.0;
    for (size_t i = 0; i < FILTER_STEPS * FILTER_TIMES; i++) {
        const double *m = a + FILTER_SIZE + i / FILTER_TIMES * MECHANISM_SIZE;
        if (!run.admitted[i]) continue;
        out[0] += is_response(m) ? m[3] : m[1] / m[2] * (m[0] == SIMDP_MECHANISM_SELECTION ? 2.0 : 1.0);
        out[1] += exact_leak(m);
    }
    return status;
}

static simdp_status cost_nearest(double *out, const double *a)
{
    const simdp_status status = system_cost(out, a);
    if (!is_response(a)) out[0] = a[1] / a[2] * (a[0] == SIMDP_MECHANISM_SELECTION ? 2.0 : 1.0);
    return status;
}

#endif
