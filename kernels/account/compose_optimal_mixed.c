/* compose_optimal_mixed.c: the exact worst case of few steps that differ, by enumeration of who is flipped.
 *
 * Without leak, delta_0(g) = sum over sign patterns of P[pattern] (1 - e^(g - loss))+, loss = sum of +-epsilon_i. In
 * units of the pattern without flips, whose probability is prod 1/(1+e^-epsilon_i), a pattern weighs e^(-sum of
 * flipped epsilon_i). */
#include "account/account.h"
#include "math/forms.h"
#include "math/root.h"
#include "math/special.h"
#include "math/sum.h"

#define U 0x1p-53

enum { STEPS_MAX = 24 };   /* 2^24 patterns: half a second per epsilon */

typedef struct {
    double epsilon[STEPS_MAX];   /* finite and positive, largest first */
    size_t k;
    double all;         /* sum of epsilon */
    double log_scale;   /* ln of the probability of no flip */
    double kept;        /* ln prod(1-delta_i) */
    bool revealed;      /* some epsilon is infinite */
} patterns;

static bool patterns_of(patterns *p, const simdp_privacy *steps, size_t k)
{
    simdp_sum kept = {0, 0}, all = {0, 0}, log_scale = {0, 0};
    *p = (patterns){.k = 0};
    for (size_t i = 0; i < k; i++) {
        const double e = steps[i].epsilon;
        if (!is_epsilon(e) || !is_probability(steps[i].delta)) return false;
        sum_add(&kept, log1p(-steps[i].delta));
        if (isinf(e)) p->revealed = true;
        if (e == 0.0 || isinf(e)) continue;
        size_t at = p->k++;
        for (; at > 0 && p->epsilon[at - 1] < e; at--) p->epsilon[at] = p->epsilon[at - 1];
        p->epsilon[at] = e;
        sum_add(&all, e);
        sum_add(&log_scale, -log1p(exp(-e)));
    }
    p->kept = sum_value(&kept);
    p->all = sum_value(&all);
    p->log_scale = sum_value(&log_scale);
    return true;
}

/* sum of weight (1 - e^-x) and of weight e^-x over patterns with excess x = loss - g > 0, from step i on, given the
 * excess if nobody else is flipped */
static void visit(const patterns *p, size_t i, double x, double weight, simdp_sum *sum, simdp_sum *decay)
{
    if (!(x > 0.0)) return;   /* flips only lower it */
    if (i == p->k) {
        const double part = -expm1(-x);
        sum_add(sum, weight * part);
        sum_add(decay, weight * (1.0 - part));
        return;
    }
    visit(p, i + 1, x, weight, sum, decay);
    visit(p, i + 1, x - 2.0 * p->epsilon[i], weight * exp(-p->epsilon[i]), sum, decay);
}

/* ln delta_0(g), and -d ln delta_0/d g */
static double log_delta0(const patterns *p, double g, double *slope)
{
    simdp_sum sum = {0, 0}, decay = {0, 0};
    visit(p, 0, p->all - g, 1.0, &sum, &decay);
    const double value = sum_value(&sum);
    *slope = sum_value(&decay) / value;
    return value > 0.0 ? p->log_scale + log(value) : -INFINITY;
}

/* of ln delta_0: k additions in the excess, k factors in a weight */
static double error_of(const patterns *p, double slope)
{
    const double k = (double)p->k;
    return U * (16.0 + 4.0 * k + (isfinite(slope) ? 2.0 * (k + 2.0) * p->all * slope : 0.0));
}

static double log_total(const patterns *p, double g)
{
    double slope = 0.0;
    if (!is_epsilon(g)) return NAN;
    if (p->revealed && !isinf(g)) return 0.0;
    double log_delta = isinf(g) ? -INFINITY : log_delta0(p, g, &slope);
    log_delta = fmin(0.0, log_delta + error_of(p, slope));
    if (p->kept == 0.0) return log_delta;
    const double complement = exp(p->kept) * -expm1(log_delta);   /* (1-delta)... (1-delta_0) */
    if (complement < 0.5) return log1p(-complement);
    return simdp_special_logaddexp(log(-expm1(p->kept)), p->kept + log_delta);
}

typedef struct {
    const patterns *p;
    double log_target;
} search;

static simdp_root_point shortfall(double g, const void *context)
{
    const search *s = context;
    simdp_root_point point = {0.0, 0.0, 0.0};
    const double value = s->log_target - log_delta0(s->p, g, &point.slope);
    point.value = fabs(value) < 0.25 * error_of(s->p, point.slope) ? 0.0 : value;
    return point;
}

static double epsilon_for(const patterns *p, double delta)
{
    if (!is_probability(delta)) return NAN;
    if (delta == 1.0) return 0.0;
    const double wanted = log1p(-delta);
    if (wanted > p->kept) return INFINITY;
    const double target =
        p->kept == 0.0 ? delta : fmax(0.0, -expm1(wanted - p->kept) - 4.0 * U * (fabs(wanted) + fabs(p->kept)));
    if (p->revealed) return INFINITY;
    if (p->k == 0) return 0.0;
    if (target == 0.0) return account_up(p->all);
    double slope;
    const search s = {p, log(target)};
    const double at_zero = log_delta0(p, 0.0, &slope);
    if (at_zero + error_of(p, slope) <= s.log_target) return 0.0;
    const double g = simdp_root_increasing(shortfall, &s, 0.0, p->all, 0.5 * p->all, &slope);
    return fmin(account_up(p->all),
                account_up(g + (1.25 * error_of(p, slope) + U * (8.0 + fabs(s.log_target))) / slope));
}

/* ---- public ---- */

static double total(const patterns *p, double g) { return account_up_probability(exp(log_total(p, g))); }

static simdp_status sweep(double *out, const double *x, size_t n, const simdp_privacy *steps, size_t k,
                          double (*f)(const patterns *p, double x))
{
    const simdp_status shared = n == 0 ? SIMDP_OK : FORMS_GATE(k, FORM_ARRAY(steps));
    if (shared != SIMDP_OK || n == 0) return shared;
    patterns p;
    const unsigned caller = fp_mode_enter();
    const bool legal = k <= STEPS_MAX && patterns_of(&p, steps, k);
    fp_mode_leave(caller);
    FORMS_EACH(n, form_is_number(out[i] = legal ? f(&p, x[i]) : NAN), FORM_ARRAY(out), FORM_ARRAY(x));
}

simdp_status simdp_compose_optimal_heterogeneous_delta(double *delta, const double *epsilon, size_t n,
                                                       const simdp_privacy *steps, size_t k)
{
    return sweep(delta, epsilon, n, steps, k, total);
}

simdp_status simdp_compose_optimal_heterogeneous_log_delta(double *log_delta, const double *epsilon, size_t n,
                                                           const simdp_privacy *steps, size_t k)
{
    return sweep(log_delta, epsilon, n, steps, k, log_total);
}

simdp_status simdp_compose_optimal_heterogeneous_epsilon(double *epsilon, const double *delta, size_t n,
                                                         const simdp_privacy *steps, size_t k)
{
    return sweep(epsilon, delta, n, steps, k, epsilon_for);
}
