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

#include "math/outward.h"
#include "math/plain_math.h"
#include "call/fp_mode.h"
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

static bool is_open(const simdp_filter *f)
{
    return f->kind == FILTER_BASIC || f->kind == FILTER_STRONG || f->kind == FILTER_ZCDP || f->kind == FILTER_RENYI ||
           f->kind == FILTER_TYPICAL;
}

/* On failure the filter is closed, whatever it was before. */
static simdp_status open_filter(simdp_filter *filter, int kind, double epsilon, double delta, double slack)
{
    if (filter == NULL) return SIMDP_ENULL;
    memset(filter, 0, sizeof *filter);
    if (!simdp_is_epsilon(epsilon) || !simdp_is_probability(delta)) return SIMDP_EPARAM;
    if (kind != FILTER_BASIC && !simdp_is_inside(slack)) return SIMDP_EPARAM;
    filter->kind = kind;
    filter->budget = epsilon;
    filter->leak_budget = delta;
    filter->slack = slack;
    return SIMDP_OK;
}

simdp_status simdp_system_filter_basic(simdp_filter *filter, double epsilon, double delta)
{
    return open_filter(filter, FILTER_BASIC, epsilon, delta, 0.0);
}

simdp_status simdp_system_filter_strong(simdp_filter *filter, double epsilon, double delta, double slack)
{
    const simdp_status status = open_filter(filter, FILTER_STRONG, epsilon, delta, slack);
    if (status != SIMDP_OK) return status;
    FP_MODE_SCOPE();
    FP_PIN(epsilon);
    FP_PIN(slack);
    /* sqrt(2 l V) + V/2 = epsilon has sqrt V = 2 epsilon / (sqrt(2 l) + sqrt(2 l + 2 epsilon)); a smaller epsilon than
     * the caller's is safe, and keeps 2 epsilon finite */
    const double finite = fmin(epsilon, 0x1p1000), twice_l = -2.0 * plain_log(slack),
                 root = 2.0 * finite / (sqrt(twice_l) + sqrt(twice_l + 2.0 * finite));
    filter->budget = formula_down(root * root);
    return SIMDP_OK;
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

simdp_status simdp_system_filter_zcdp(simdp_filter *filter, double epsilon, double delta, double slack)
{
    const simdp_status status = open_filter(filter, FILTER_ZCDP, epsilon, delta, slack);
    if (status != SIMDP_OK) return status;
    FP_MODE_SCOPE();
    FP_PIN(epsilon);
    FP_PIN(slack);
    /* Every order 1 + x gives a valid budget: the best power of two for x, then steps down to 2^(1/2048), beyond which
     * nothing is gained (the budget is flat around its best order). */
    const double log_slack = plain_log(slack);
    double best = 0.0, at = 1.0;
    for (double x = 0x1p-64; x <= 0x1p60; x *= 2.0) best = better_budget(&at, x, best, epsilon, log_slack);
    double factor = 0x1.6a09e667f3bcdp+0; /* sqrt 2 */
    for (int i = 0; i < 11; i++, factor = sqrt(factor)) {
        const double middle = at;
        best = better_budget(&at, middle * factor, best, epsilon, log_slack);
        best = better_budget(&at, middle / factor, best, epsilon, log_slack);
    }
    filter->budget = best;
    return SIMDP_OK;
}

simdp_status simdp_system_filter_renyi(simdp_filter *filter, double *spent, const double *orders, size_t n,
                                       double epsilon, double delta, double slack)
{
    const simdp_status status = open_filter(filter, FILTER_RENYI, epsilon, delta, slack);
    if (status != SIMDP_OK) return status;
    filter->kind = 0; /* until all is known to be good */
    if (spent == NULL || orders == NULL) return SIMDP_ENULL;
    if (n == 0 || n > SIZE_MAX / sizeof *spent) return SIMDP_EPARAM;
    for (size_t j = 0; j < n; j++)
        if (!(orders[j] >= 1.0 + 0x1p-20 && orders[j] <= 0x1p60)) return SIMDP_EPARAM;
    memset(spent, 0, n * sizeof *spent);
    filter->kind = FILTER_RENYI;
    filter->orders = orders;
    filter->renyi_spent = spent;
    filter->orders_count = n;
    return SIMDP_OK;
}

simdp_status simdp_system_filter_typical(simdp_filter *filter, double eta, double tau, double nu, size_t limit)
{
    const simdp_status status = open_filter(filter, FILTER_BASIC, eta, tau, 0.0);
    if (status != SIMDP_OK) return status;
    filter->kind = 0;
    if (!simdp_is_inside(nu)) return SIMDP_EPARAM;
    filter->kind = FILTER_TYPICAL;
    filter->eta = eta;
    filter->tau = tau;
    filter->nu = nu;
    filter->limit = limit;
    return SIMDP_OK;
}

/* Whether one order would still be within its budget; the sums are written only then. */
static bool admit_renyi(simdp_filter *f, const simdp_system_mechanism *m)
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
static simdp_status price(const simdp_filter *f, const simdp_system_mechanism *m, double *amount, double *leak)
{
    *leak = simdp_mechanism_leak(m);
    *amount = 0.0;
    if (f->kind == FILTER_ZCDP) *amount = simdp_mechanism_rho(m);
    if (f->kind == FILTER_ZCDP || f->kind == FILTER_RENYI) return SIMDP_OK;
    const simdp_status status = simdp_mechanism_pair(m, amount, leak);
    if (f->kind == FILTER_STRONG) *amount = mul_up(*amount, *amount);
    return status;
}

static simdp_status admit(int *admitted, simdp_filter *f, const simdp_system_mechanism *m)
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

simdp_status simdp_system_filter_admit(int *admitted, simdp_filter *filter, const simdp_system_mechanism *mechanism)
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

static double renyi_reading(const simdp_filter *f)
{
    double least = f->steps > 0 ? INFINITY : 0.0;
    const double l = plain_log((double)f->orders_count) - plain_log(f->slack);
    for (size_t j = 0; j < f->orders_count; j++) {
        const double reading = formula_up(f->renyi_spent[j] + l / (f->orders[j] - 1.0));
        if (reading < least) least = reading;
    }
    return least;
}

simdp_status simdp_system_filter_spent(double *epsilon, double *delta, const simdp_filter *filter)
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
