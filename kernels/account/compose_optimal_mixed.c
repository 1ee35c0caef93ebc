/* compose_optimal_mixed.c: the exact worst case of few steps that differ, by enumeration of who is flipped.
 *
 * Without leak, delta_0(g) = sum over sign patterns of P[pattern] (1 - e^(g - loss))+, loss = sum of +-epsilon_i. In
 * units of the pattern without flips, whose probability is prod 1/(1+e^-epsilon_i), a pattern weighs e^(-sum of
 * flipped epsilon_i). */
#include "account/inverse.h"
#include "account/leak.h"
#include "call/forms.h"
#include "math/outward_functions.h"
#include "math/plain_math.h"
#include "math/sum.h"

#define U 0x1p-53

enum { STEPS_MAX = 24 }; /* 2^24 patterns: half a second per epsilon */

/* Parts of a sum where no pattern exceeds this are taken times 2^600, without their squares: no term is subnormal. */
#define TINY 0x1p-900
enum { TINY_EXPONENT = 600 };

typedef struct {
    double epsilon[STEPS_MAX]; /* finite and positive, largest first */
    size_t k;
    double most;  /* sum of epsilon, upward */
    double scale; /* the probability of no flip */
    leak leaked;
    bool revealed; /* some epsilon is infinite */
} patterns;

static bool patterns_of(patterns *p, const simdp_privacy *steps, size_t k)
{
    outward_sum all = {0, 0};
    *p = (patterns){.scale = 1.0, .leaked = leak_none};
    for (size_t i = 0; i < k; i++) {
        const double e = steps[i].epsilon;
        if (!is_epsilon(e) || !is_probability(steps[i].delta)) return false;
        p->leaked = simdp_leak_and(p->leaked, steps[i].delta);
        if (isinf(e)) p->revealed = true;
        if (e == 0.0 || isinf(e)) continue;
        size_t at = p->k++;
        for (; at > 0 && p->epsilon[at - 1] < e; at--) p->epsilon[at] = p->epsilon[at - 1];
        p->epsilon[at] = e;
        outward_sum_add(&all, e);
        p->scale /= 1.0 + plain_exp(-e);
    }
    p->most = outward_sum_up(&all);
    return true;
}

/* The loss of a pattern minus g, +-epsilon_1 +- ... - g, is summed from the largest number on, g among them. As long as
 * it may still cancel it is not much larger than the last number added, and so exact in two doubles: a pattern whose
 * loss is g is not mistaken for one above it, whatever the sizes. */
typedef struct {
    double number[STEPS_MAX + 1]; /* largest first; -g for g */
    double odds[STEPS_MAX + 1];   /* e^-epsilon; 0 for g, which is not flipped */
    double rest[STEPS_MAX + 2];   /* the sum from here on if nobody is flipped, nearly */
    size_t count;
    double unit; /* of all these: 1, or 2^40 where sums may overflow */
    bool tiny;
    simdp_sum sum, decay;
} walk;

static void walk_add(walk *w, double number, double odds)
{
    w->number[w->count] = number / w->unit;
    w->odds[w->count++] = odds;
}

static dd walk_open(walk *w, const patterns *p, double g)
{
    bool met = false;
    *w = (walk){.unit = p->most > 0x1p1000 || g > 0x1p1000 ? 0x1p40 : 1.0};
    for (size_t i = 0; i < p->k; i++) {
        if (!met && g >= p->epsilon[i]) walk_add(w, -g, 0.0);
        met = met || g >= p->epsilon[i];
        walk_add(w, p->epsilon[i], plain_exp(-p->epsilon[i]));
    }
    if (!met) walk_add(w, -g, 0.0);
    dd top = {0.0, 0.0};
    for (size_t i = w->count; i-- > 0;) w->rest[i] = w->rest[i + 1] + w->number[i];
    for (size_t i = 0; i < w->count; i++) top = dd_add_d(top, w->number[i]);
    w->tiny = top.hi < TINY;
    return top;
}

/* sum of weight (1 - e^-x) and of weight e^-x over patterns with excess x = loss - g > 0, from number i on, given the
 * sum of those before */
static void visit(walk *w, size_t i, dd x, double weight)
{
    const double best = x.hi + w->rest[i]; /* flips only lower it */
    if (best < -0x1p-40 * (fabs(x.hi) + fabs(w->rest[i]))) return;
    if (i < w->count) {
        visit(w, i + 1, dd_add_d(x, w->number[i]), weight);
        if (w->odds[i] > 0.0) visit(w, i + 1, dd_add_d(x, -w->number[i]), weight * w->odds[i]);
        return;
    }
    if (!(x.hi > 0.0)) return;
    const double part = w->tiny ? ldexp(x.hi, TINY_EXPONENT) : -plain_expm1(-x.hi * w->unit);
    sum_add(&w->sum, weight * part);
    sum_add(&w->decay, weight * (w->tiny ? 1.0 : 1.0 - part));
}

/* ln delta_0(g). Error: for each of k steps 3 u of a weight and 4 of the scale; 12 of the rest, and of the logarithm 2
 * of itself, in tiny units 4. */
static inverse_point log_curve(double g, const void *context)
{
    const patterns *p = context;
    walk w;
    inverse_point none = {-INFINITY, 0.0, 0.0, 0.0};
    if (!(walk_open(&w, p, g).hi > 0.0)) return none;
    visit(&w, 0, (dd){0.0, 0.0}, 1.0);
    const double sum = sum_value(&w.sum), log_sum = plain_log(p->scale * sum);
    const int exponent = w.tiny ? TINY_EXPONENT : 0;
    const double log_delta = log_sum - exponent * 0x1.62e42fefa39efp-1;
    return (inverse_point){log_delta, U * (16.0 + 8.0 * (double)p->k + 4.0 * (fabs(log_sum) + fabs(log_delta))),
                           ldexp(sum_value(&w.decay) / sum, exponent), 0.0};
}

static leak_total total_at(const patterns *p, double g)
{
    if (!is_epsilon(g)) return (leak_total){NAN, NAN};
    if (p->revealed && !isinf(g)) return (leak_total){1.0, 0.0};
    const inverse_point at = isinf(g) ? (inverse_point){.log_delta = -INFINITY} : log_curve(g, p);
    return simdp_leak_with(p->leaked, (log_bound){at.log_delta, at.error});
}

static double epsilon_for(const patterns *p, double delta)
{
    if (!is_probability(delta)) return NAN;
    if (delta == 1.0) return 0.0;
    const double log_target = simdp_leak_leaves(p->leaked, delta);
    if (isnan(log_target) || p->revealed) return INFINITY;
    if (p->k == 0) return 0.0;
    if (log_target == -INFINITY) return p->most;
    const inverse_point at_zero = log_curve(0.0, p);
    if (outward_up(at_zero.log_delta, at_zero.error) <= log_target) return 0.0;
    return simdp_inverse_epsilon(log_curve, p, log_target, p->most, 0.5 * p->most);
}

/* ---- public ---- */

static double total(const patterns *p, double g) { return total_at(p, g).delta; }
static double log_total(const patterns *p, double g) { return total_at(p, g).log_delta; }

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

simdp_status simdp_account_exact_heterogeneous_delta(double *delta, const double *epsilon, size_t n,
                                                     const simdp_privacy *steps, size_t k)
{
    return sweep(delta, epsilon, n, steps, k, total);
}

simdp_status simdp_account_exact_heterogeneous_log_delta(double *log_delta, const double *epsilon, size_t n,
                                                         const simdp_privacy *steps, size_t k)
{
    return sweep(log_delta, epsilon, n, steps, k, log_total);
}

simdp_status simdp_account_exact_heterogeneous_epsilon(double *epsilon, const double *delta, size_t n,
                                                       const simdp_privacy *steps, size_t k)
{
    return sweep(epsilon, delta, n, steps, k, epsilon_for);
}
