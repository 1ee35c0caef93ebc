/* compose_optimal.c: the exact worst case of k (epsilon, delta)-DP steps (Kairouz, Oh, Viswanath), and its inverse.
 *
 * It is attained by leaky randomized response. Without leak, l of the k answers are flipped with probability w(l),
 * binomial with q = 1/(1+e^epsilon), and the loss is (k-2l) epsilon: delta_0(g) = sum over l of w(l) (1 - e^(g -
 * (k-2l) epsilon))+. Then delta = 1 - (1-delta_step)^k (1 - delta_0). All terms are positive; they are summed
 * outward from the largest, which comes from the saddle point, in units of it: no e^(k epsilon), no lgamma, about 10
 * sqrt(k) terms at most. */
#include "account/compose_exact.h"
#include "account/inverse.h"
#include "account/leak.h"
#include "math/outward_functions.h"
#include "math/plain_math.h"
#include "math/special.h"
#include "math/sum.h"

#define U 0x1p-53

/* Where k epsilon is tiny, delta_0(g) is homogeneous: all of epsilon, g and delta_0 times 2^600, up to k epsilon 2^600
 * of itself, which is nothing. So no term is subnormal. */
#define TINY 0x1p-900
enum { TINY_EXPONENT = 600 };

typedef struct {
    double epsilon, k; /* epsilon and g in units of 2^-exponent */
    int exponent;
    double q, p; /* probability of a flip and of none */
    dd mean;     /* k q: deviations from it are multiplied by themselves */
    double mode; /* the most probable number of flips */
} flips;

/* delta_0 at a point: e^log_scale times sum; decay is the part that grows with e^g: d sum / d g = -decay. */
typedef struct {
    double log_scale, sum, decay;
    double error; /* absolute, of log_scale + log(sum) */
} optimal_point;

static const int64_t STEPS_MAX = 1000000000000; /* beyond, sums take seconds */
#define TERMS_PER_ANCHOR 256.0 /* terms follow from their neighbours; after so many, again from the saddle point */

static flips flips_of(double epsilon, int64_t k)
{
    const int exponent = (double)k * epsilon < TINY ? TINY_EXPONENT : 0;
    const double scaled = ldexp(epsilon, exponent);
    const dd e = dd_exp(dd_of(-scaled)), q = dd_div(e, dd_add_d(e, 1.0));
    return (flips){
        scaled, (double)k, exponent, q.hi, 1.0 / (1.0 + e.hi), dd_mul_d(q, (double)k), floor(((double)k + 1.0) * q.hi)};
}

static double log_weight(const flips *f, double l)
{
    return simdp_special_log_binomial(l, f->k, f->q, f->p, dd_double(dd_add_d(dd_neg(f->mean), l)));
}

/* (k-2l) epsilon - g: by how much the loss of l flips exceeds g */
static double excess(const flips *f, double l, double g) { return fma(f->k - 2.0 * l, f->epsilon, -g); }

/* The largest l with a positive excess, -1 if there is none. */
static double last_term(const flips *f, double g)
{
    double m = fmin(f->k, fmax(-1.0, ceil(0.5 * (f->k - g / f->epsilon)) - 1.0));
    /* bound: 2 turns each, as the quotient is rounded by 2^-53 of k <= 10^12 at most */
    while (m < f->k && excess(f, m + 1.0, g) > 0.0) m += 1.0;
    while (m >= 0.0 && !(excess(f, m, g) > 0.0)) m -= 1.0;
    return m;
}

/* weight(l + direction) / weight(l): falls as one goes on, and is below 1 beyond the mode */
static double next_ratio(const flips *f, double l, double direction, double odds)
{
    return (direction < 0.0 ? l / (f->k - l + 1.0) : (f->k - l) / (l + 1.0)) * odds;
}

/* Terms in a row, from l on in steps of `direction`: their plain sums. */
typedef struct {
    double l, direction, odds, fade; /* odds: of a flip, fade: of e^-x, from one term to the next */
    double sum, decay;
    bool ended; /* what is left of the series is nothing beside `before` and the sum */
} block_terms;

static void add_block(const flips *f, block_terms *b, double log_scale, double size, double g, double before)
{
    double weight = plain_exp(log_weight(f, b->l) - log_scale), x = excess(f, b->l, g), e = plain_exp(-x);
    /* e^-x by repeated multiplication where 1 - e^-x does not cancel in the whole block */
    const bool far = fmin(x, excess(f, b->l + b->direction * size, g)) > 1.0;
    b->sum = b->decay = 0.0;
    for (double j = 0.0; j < size && !b->ended; j += 1.0) {
        double part = 1.0 - e;
        if (!far) {
            part = -plain_expm1(-excess(f, b->l, g));
            e = 1.0 - part;
        }
        b->sum += weight * part;
        b->decay += weight * e;
        /* what is left, of both sums, is at most weight ratio/(1 - ratio) */
        const double ratio = next_ratio(f, b->l, b->direction, b->odds);
        b->ended = !(weight * ratio >= 0x1p-56 * (1.0 - ratio) * (before + b->sum));
        weight *= ratio;
        e *= b->fade;
        b->l += b->direction;
    }
}

/* Adds the terms from `first` on, in steps of `direction`, up to `last`; returns their number. The sums of a block
 * are plain, those of blocks compensated. */
static double add_terms(const flips *f, optimal_point *point, double first, double last, double direction, double g)
{
    block_terms b = {.l = first,
                     .direction = direction,
                     .odds = plain_exp(-direction * f->epsilon),
                     .fade = plain_exp(2.0 * direction * f->epsilon)};
    simdp_sum sum = {point->sum, 0}, decay = {point->decay, 0};
    double count = 0.0;
    /* bound: |last - first| + 1 terms. In fact 40 sqrt(k): the sum holds the excess of the first terms, which is above
     * 1e-290 (k epsilon >= 1e-280), and a weight falls to that, and 2^-56 of it, within 37 standard deviations. */
    while (!b.ended) {
        const double left = (last - b.l) * direction + 1.0, size = fmin(left, TERMS_PER_ANCHOR);
        add_block(f, &b, point->log_scale, size, g, sum.sum);
        sum_add(&sum, b.sum);
        sum_add(&decay, b.decay);
        count += size;
        if (!(left > size)) b.ended = true;
    }
    point->sum = sum_value(&sum);
    point->decay = sum_value(&decay);
    return count;
}

/* ln delta_0 */
static double log_of_point(const optimal_point *p)
{
    return p->sum > 0.0 ? p->log_scale + plain_log(p->sum) : -INFINITY;
}

/* Of the logarithm at most. A weight at an anchor: 16 of its logarithm (deviances, which cancel in part) and 64. A term
 * that follows from its neighbour: 5 for the weight (quotient, odds, two products), 2 for e^-x, 1 for the sum, for each
 * of the terms since the anchor. The rest of the series: 2. log_scale + log(sum): 4 of both. */
static double error_of_point(const optimal_point *p, double terms)
{
    return U *
           (128.0 + 8.0 * fmin(terms, TERMS_PER_ANCHOR) + 20.0 * fabs(p->log_scale) + 4.0 * fabs(plain_log(p->sum)));
}

/* 0 < epsilon < inf, k >= 1, 0 <= g < k epsilon, both in the units of f */
static optimal_point point_at(const flips *f, double g)
{
    optimal_point point = {0.0, 0.0, 0.0, 0.0};
    double terms = 1.0;
    if (f->epsilon > 700.0) { /* a flip has probability below e^-700, so that only l = 0 counts */
        const double x = excess(f, 0.0, g);
        point = (optimal_point){0.0, -plain_expm1(-x), plain_exp(-x), 0.0};
    } else {
        const double m = last_term(f, g), anchor = fmin(m, f->mode);
        if (m < 0.0) return point;
        point.log_scale = log_weight(f, anchor);
        terms = add_terms(f, &point, anchor, 0.0, -1.0, g);
        if (m > anchor) terms = fmax(terms, add_terms(f, &point, anchor + 1.0, m, 1.0, g));
        point.log_scale -= f->exponent * SPECIAL_LN2;
    }
    point.error = error_of_point(&point, terms);
    return point;
}

/* ln delta_0, rounded upward */
static double upper_log(const optimal_point *p) { return fmin(0.0, outward_up(log_of_point(p), p->error)); }

/* ---- forward ---- */

static bool is_problem(simdp_privacy step, int64_t k)
{
    return is_epsilon(step.epsilon) && is_probability(step.delta) && k >= 0 && k <= STEPS_MAX;
}

static log_bound log_delta0(double g, double epsilon, int64_t k)
{
    const log_bound none = {-INFINITY, 0.0};
    if (epsilon == 0.0 || isinf(g)) return none;
    const flips f = flips_of(epsilon, k);
    const double scaled = ldexp(g, f.exponent);
    if (!(excess(&f, 0.0, scaled) > 0.0)) return none;
    const optimal_point point = point_at(&f, scaled);
    return (log_bound){log_of_point(&point), point.error};
}

static leak_total forward(double g, simdp_privacy step, int64_t k)
{
    if (!is_epsilon(g) || !is_problem(step, k)) return (leak_total){NAN, NAN};
    if (k == 0) return (leak_total){0.0, -INFINITY};
    if (isinf(step.epsilon) && !isinf(g)) return (leak_total){1.0, 0.0};
    return simdp_leak_with(simdp_leak_of(step.delta, k), log_delta0(g, step.epsilon, k));
}

/* ---- inverse ---- */

static inverse_point log_curve(double g, const void *f)
{
    const optimal_point p = point_at(f, g);
    return (inverse_point){log_of_point(&p), p.error, p.decay / p.sum, 0.0};
}

/* The smallest g with ln delta_0 <= log_target, both in the units of f */
static double least_g(const flips *f, double log_target)
{
    const optimal_point at_zero = point_at(f, 0.0);
    if (upper_log(&at_zero) <= log_target) return 0.0;
    const double most = mul_up(f->k, f->epsilon), deviation = 2.0 * f->epsilon * sqrt(f->k * f->p * f->q);
    const double quantile = -simdp_special_normal_quantile_log(fmin(0.0, log_target));
    return simdp_inverse_epsilon(log_curve, f, log_target, most,
                                 most * plain_tanh(0.5 * f->epsilon) + quantile * deviation);
}

double simdp_optimal_epsilon(double delta, simdp_privacy step, int64_t k)
{
    if (!is_probability(delta) || !is_problem(step, k)) return NAN;
    if (k == 0 || delta == 1.0) return 0.0;
    const double log_target = simdp_leak_leaves(simdp_leak_of(step.delta, k), delta);
    if (isnan(log_target)) return INFINITY;
    if (step.epsilon == 0.0) return 0.0;
    if (log_target == -INFINITY || isinf(step.epsilon)) return mul_up((double)k, step.epsilon);
    const flips f = flips_of(step.epsilon, k);
    const double g = ldexp_up(least_g(&f, log_target), -f.exponent);
    return fmin(g, mul_up((double)k, step.epsilon));
}

double simdp_optimal_delta(double g, simdp_privacy step, int64_t k) { return forward(g, step, k).delta; }
double simdp_optimal_log_delta(double g, simdp_privacy step, int64_t k) { return forward(g, step, k).log_delta; }
