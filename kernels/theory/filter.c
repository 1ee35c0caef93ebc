/* filter.c: privacy filters and odometers.
 *
 * Why they hold. Fix neighbours, let P and Q be the laws of the transcript, L_n the loss after n steps; step i, given
 * the past, is epsilon_i-DP or rho_i-zCDP, with epsilon_i or rho_i chosen from the past. Then with v_i = epsilon_i^2 or
 * 2 rho_i, for every l > 0, M_n = exp(l (L_n - V_n/2) - l^2 V_n/2), V_n = v_1 + ... + v_n, is a supermartingale under P
 * (a pure epsilon-DP mechanism is epsilon^2/2-zCDP). At any stopping time with V <= v surely, E e^(l L) <= e^(l (1 + l)
 * v / 2): the whole transcript is v/2-zCDP, however the v_i came about. At one Renyi order alpha the same holds with
 * the sum of divergences, l = alpha - 1.
 *
 * Several orders. Let path sets A_j (j = 1..n) say which order's bound R_j held at the end. By (1 - e^-y)_+ <= c_j
 * e^(-(alpha_j - 1) y) maximised over y, delta(epsilon) = sum_j E 1[A_j] (1 - e^(epsilon - L))_+ <= sum_j c_j
 * e^((alpha_j - 1)(R_j - epsilon)), each term the delta of the conversion rule at order j: slack / n each.
 *
 * Leaks. A mechanism with leak mass delta_i runs as one without, but with probability delta_i; the leaks of all steps
 * have probability at most the sum of deltas, which the filter bounds surely. Their mass adds to delta.
 *
 * Odometers. M is bounded by Ville's inequality at all times together. With l drawn from the half-normal law of
 * variance 1/y the mixture is 2 sqrt(y / (V + y)) exp(X^2 / (2 (V + y))) Phi(X / sqrt(V + y)), X = L - V/2, and Phi >=
 * 1/2 where X > 0; so, but for probability slack, X < sqrt((V + y) (2 ln(1/slack) + ln((V + y) / y))) at all times. */
#include <string.h>

#include "call/fp_mode.h"
#include "math/outward.h"
#include "math/plain_math.h"
#include "theory/mechanism.h"
#include "theory/response.h"

enum {
    FILTER_BASIC = 0x62617369,
    FILTER_STRONG = 0x7374726f,
    FILTER_ZCDP = 0x7a636470,
    FILTER_RENYI = 0x72656e79,
    FILTER_TYPICAL = 0x74797069
};

/* A value >= 0 of a short formula whose terms have one sign, and whose roundings and logarithms add up to at most 16
 * units of 2^-53; and a few units of the smallest double, where it underflows. */
static double formula_up(double value) { return outward_up(value, 0x1p-49 * value + 0x1p-1070); }
static double formula_down(double value) { return outward_down_positive(value, 0x1p-49 * value + 0x1p-1070); }

static bool is_open(const simdp_theory_filter *f)
{
    return f->kind == FILTER_BASIC || f->kind == FILTER_STRONG || f->kind == FILTER_ZCDP || f->kind == FILTER_RENYI ||
           f->kind == FILTER_TYPICAL;
}

/* The V of a strong filter: sqrt(2 l V) + V/2 = epsilon has sqrt V = 2 epsilon / (sqrt(2 l) + sqrt(2 l + 2 epsilon)),
 * l = ln(1/slack). A smaller epsilon than the caller's is safe, and keeps 2 epsilon finite. */
static double strong_budget(double epsilon, double slack)
{
    const double finite = fmin(epsilon, 0x1p1000), twice_l = -2.0 * plain_log(slack),
                 root = 2.0 * finite / (sqrt(twice_l) + sqrt(twice_l + 2.0 * finite));
    return formula_down(root * root);
}

/* The largest Renyi divergence of order 1 + x that converts to (epsilon, slack), rounded down; may be negative. */
static double renyi_budget(double x, double epsilon, double log_slack)
{
    const double gain = plain_log1p(1.0 / x), log_order = plain_log1p(x);
    /* gain: -ln(1 - 1/alpha). 8 units of 2^-53 of each term: the two logarithms may cancel */
    const double error = 0x1p-50 * (epsilon + gain + (log_order - log_slack) / x);
    return outward_down(epsilon + (gain + (log_slack + log_order) / x), error);
}

/* The larger of best and the zCDP budget that order 1 + x grants; *at follows. */
static double better_budget(double *at, double x, double best, double epsilon, double log_slack)
{
    const double rho = formula_down(renyi_budget(x, epsilon, log_slack) / (1.0 + x));
    if (!(rho > best)) return best;
    *at = x;
    return rho;
}

/* Every order 1 + x gives a valid budget: the best power of two for x, then steps down to 2^(1/2048), beyond which
 * nothing is gained (the budget is flat around its best order). */
static double zcdp_budget(double epsilon, double slack)
{
    const double log_slack = plain_log(slack);
    double best = 0.0, at = 1.0;
    for (double x = 0x1p-64; x <= 0x1p60; x *= 2.0) best = better_budget(&at, x, best, epsilon, log_slack);
    double factor = 0x1.6a09e667f3bcdp+0; /* sqrt 2 */
    for (int i = 0; i < 11; i++, factor = sqrt(factor)) {
        const double middle = at;
        best = better_budget(&at, middle * factor, best, epsilon, log_slack);
        best = better_budget(&at, middle / factor, best, epsilon, log_slack);
    }
    return best;
}

static simdp_status check_orders(const simdp_theory_budget *b)
{
    if (b->spent == NULL || b->orders == NULL) return SIMDP_ENULL;
    if (b->orders_count == 0 || b->orders_count > SIZE_MAX / sizeof *b->spent) return SIMDP_EPARAM;
    for (size_t j = 0; j < b->orders_count; j++)
        if (!(b->orders[j] >= 1.0 + 0x1p-20 && b->orders[j] <= 0x1p60)) return SIMDP_EPARAM;
    return SIMDP_OK;
}

static simdp_status check_budget(const simdp_theory_budget *b)
{
    if (!simdp_is_epsilon(b->epsilon) || !simdp_is_probability(b->delta)) return SIMDP_EPARAM;
    switch (b->kind) {
    case SIMDP_THEORY_FILTER_BASIC: return SIMDP_OK;
    case SIMDP_THEORY_FILTER_STRONG:
    case SIMDP_THEORY_FILTER_ZCDP: return simdp_is_inside(b->slack) ? SIMDP_OK : SIMDP_EPARAM;
    case SIMDP_THEORY_FILTER_RENYI: return simdp_is_inside(b->slack) ? check_orders(b) : SIMDP_EPARAM;
    case SIMDP_THEORY_FILTER_TYPICAL: return simdp_is_inside(b->nu) ? SIMDP_OK : SIMDP_EPARAM;
    }
    return SIMDP_EPARAM;
}

static simdp_theory_filter filter_of(const simdp_theory_budget *b)
{
    simdp_theory_filter f = {.budget = b->epsilon, .leak_budget = b->delta};
    switch (b->kind) {
    case SIMDP_THEORY_FILTER_BASIC: f.kind = FILTER_BASIC; return f;
    case SIMDP_THEORY_FILTER_STRONG:
        f.kind = FILTER_STRONG;
        f.budget = strong_budget(b->epsilon, b->slack);
        break;
    case SIMDP_THEORY_FILTER_ZCDP:
        f.kind = FILTER_ZCDP;
        f.budget = zcdp_budget(b->epsilon, b->slack);
        break;
    case SIMDP_THEORY_FILTER_RENYI:
        f.kind = FILTER_RENYI;
        f.orders = b->orders;
        f.renyi_spent = b->spent;
        f.orders_count = b->orders_count;
        memset(b->spent, 0, b->orders_count * sizeof *b->spent);
        break;
    case SIMDP_THEORY_FILTER_TYPICAL:
        f.kind = FILTER_TYPICAL;
        f.eta = b->epsilon;
        f.tau = b->delta;
        f.nu = b->nu;
        f.limit = b->limit;
        return f;
    }
    f.slack = b->slack;
    return f;
}

/* On failure the filter is closed, whatever it was before. */
simdp_status simdp_theory_filter_open(simdp_theory_filter *filter, const simdp_theory_budget *budget)
{
    if (filter == NULL) return SIMDP_ENULL;
    memset(filter, 0, sizeof *filter);
    if (budget == NULL) return SIMDP_ENULL;
    FP_MODE_SCOPE();
    const simdp_status status = check_budget(budget);
    if (status == SIMDP_OK) *filter = filter_of(budget);
    return status;
}

/* Whether one order would still be within its budget; the sums are written only then. */
static bool admit_renyi(simdp_theory_filter *f, const simdp_theory_mechanism *m)
{
    const double log_share = plain_log(f->slack) - plain_log((double)f->orders_count); /* slack / n may underflow */
    bool within = false;
    for (size_t j = 0; j < f->orders_count && !within; j++) {
        const double alpha = f->orders[j];
        within = add_up(f->renyi_spent[j], simdp_mechanism_renyi(m, alpha)) <=
                 renyi_budget(alpha - 1.0, f->budget, log_share);
    }
    for (size_t j = 0; j < f->orders_count && within; j++)
        f->renyi_spent[j] = add_up(f->renyi_spent[j], simdp_mechanism_renyi(m, f->orders[j]));
    return within;
}

/* The mechanism's price in the filter's currency, and the delta that goes with it. */
static simdp_status price(const simdp_theory_filter *f, const simdp_theory_mechanism *m, double *amount, double *leak)
{
    *leak = simdp_mechanism_leak(m);
    *amount = 0.0;
    if (f->kind == FILTER_ZCDP) *amount = simdp_mechanism_rho(m);
    if (f->kind == FILTER_ZCDP || f->kind == FILTER_RENYI) return SIMDP_OK;
    const simdp_status status = simdp_mechanism_pair(m, amount, leak);
    if (f->kind == FILTER_STRONG) *amount = mul_up(*amount, *amount);
    return status;
}

static simdp_status admit(int *admitted, simdp_theory_filter *f, const simdp_theory_mechanism *m)
{
    double amount, leak;
    if (!simdp_mechanism_is_good(m) || simdp_is_typical(m->kind) != (f->kind == FILTER_TYPICAL)) return SIMDP_EPARAM;
    const simdp_status status = price(f, m, &amount, &leak);
    if (status != SIMDP_OK) return status;
    if (f->kind == FILTER_TYPICAL) {
        *admitted = f->steps < f->limit && amount <= f->eta && leak <= f->tau && m->nu <= f->nu;
    } else {
        const double spent = add_up(f->spent, amount), leaked = add_up(f->leaked, leak);
        *admitted = leaked <= f->leak_budget && (f->kind == FILTER_RENYI ? admit_renyi(f, m) : spent <= f->budget);
        if (*admitted) {
            f->spent = spent;
            f->leaked = leaked;
        }
    }
    if (*admitted) f->steps++;
    return SIMDP_OK;
}

simdp_status simdp_theory_filter_admit(simdp_theory_filter *filter, int *admitted,
                                       const simdp_theory_mechanism *mechanism)
{
    if (admitted == NULL || filter == NULL || mechanism == NULL) return SIMDP_ENULL;
    *admitted = 0;
    if (!is_open(filter)) return SIMDP_EPARAM;
    const unsigned mode = fp_mode_enter();
    const simdp_status status = admit(admitted, filter, mechanism);
    fp_mode_leave(mode);
    return status;
}

/* The boundary at variance v; y makes it tight near the end of the budget. */
static double mixture_boundary(double v, double v_end, double slack)
{
    const double l = -2.0 * plain_log(slack), y = v_end / (l + plain_log1p(l));
    if (!(v > 0.0)) return 0.0;
    if (!(y > 0.0)) return INFINITY;
    return formula_up(0.5 * v + sqrt(v + y) * sqrt(l + plain_log1p(v / y)));
}

static double renyi_reading(const simdp_theory_filter *f)
{
    double least = f->steps > 0 ? INFINITY : 0.0;
    const double l = plain_log((double)f->orders_count) - plain_log(f->slack);
    for (size_t j = 0; j < f->orders_count; j++) {
        const double reading = formula_up(f->renyi_spent[j] + l / (f->orders[j] - 1.0));
        if (reading < least) least = reading;
    }
    return least;
}

simdp_status simdp_theory_filter_spent(const simdp_theory_filter *filter, double *epsilon, double *delta)
{
    if (epsilon == NULL || delta == NULL || filter == NULL) return SIMDP_ENULL;
    *epsilon = *delta = NAN;
    if (!is_open(filter) || filter->kind == FILTER_TYPICAL) return SIMDP_EPARAM;
    const unsigned mode = fp_mode_enter();
    const double leaked = add_up(filter->leaked, filter->slack);
    *delta = leaked < 1.0 ? leaked : 1.0;
    switch (filter->kind) {
    case FILTER_BASIC: *epsilon = filter->spent; break;
    case FILTER_STRONG: *epsilon = mixture_boundary(filter->spent, filter->budget, filter->slack); break;
    case FILTER_ZCDP: *epsilon = mixture_boundary(2.0 * filter->spent, 2.0 * filter->budget, filter->slack); break;
    default: *epsilon = renyi_reading(filter); break;
    }
    fp_mode_leave(mode);
    return SIMDP_OK;
}
