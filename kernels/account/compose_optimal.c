/* compose_optimal.c: the exact worst case of k (epsilon, delta)-DP steps (Kairouz, Oh, Viswanath), and its inverse.
 *
 * It is attained by leaky randomized response. Without leak, l of the k answers are flipped with probability w(l),
 * binomial with q = 1/(1+e^epsilon), and the loss is (k-2l) epsilon: delta_0(g) = sum over l of w(l) (1 - e^(g -
 * (k-2l) epsilon))+. Then delta = 1 - (1-delta_step)^k (1 - delta_0). All terms are positive; they are summed
 * outward from the largest, which comes from the saddle point, in units of it: no e^(k epsilon), no lgamma, about 10
 * sqrt(k) terms at most. */
#include "account/account.h"
#include "math/forms.h"
#include "math/root.h"
#include "math/special.h"
#include "math/sum.h"

#define U 0x1p-53

typedef struct {
    double epsilon, k;
    double q, p, theta;   /* probability of a flip, of none, and their difference p - q = tanh(epsilon/2) */
    double mode;          /* the most probable number of flips */
} flips;

/* delta_0 at a point: e^log_scale times sum; decay is the part that grows with e^g: d sum / d g = -decay. */
typedef struct {
    double log_scale, sum, decay;
    double error;   /* relative, of scale times sum: a bound in the sense of rounding analysis, not a proof */
} optimal_point;

static const int64_t STEPS_MAX = 1000000000000;   /* beyond, sums take seconds */
#define TERMS_PER_ANCHOR 1024.0   /* terms follow from their neighbours; after so many, again from the saddle point */

static flips flips_of(double epsilon, int64_t k)
{
    const double e = exp(-epsilon), q = e / (1.0 + e);
    return (flips){epsilon, (double)k, q, 1.0 / (1.0 + e), tanh(0.5 * epsilon), floor(((double)k + 1.0) * q)};
}

/* l - k q; for small epsilon from k/2, or the rounding of q near 1/2 would be multiplied by k */
static double from_mean(const flips *f, double l)
{
    if (f->epsilon > 1.0) return l - f->k * f->q;
    const double half = 0.5 * f->theta, shift = f->k * half;
    return (l - 0.5 * f->k) + shift + fma(f->k, half, -shift);
}

static double log_weight(const flips *f, double l)
{
    return simdp_special_log_binomial(l, f->k, f->q, f->p, from_mean(f, l));
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

/* Adds the terms from `first` on, in steps of `direction`, up to `last`; returns their number. The sums of a block
 * are plain, those of blocks compensated. */
static double add_terms(const flips *f, optimal_point *point, double first, double last, double direction, double g)
{
    const double odds = exp(-direction * f->epsilon), fade = exp(2.0 * direction * f->epsilon);
    simdp_sum sum = {point->sum, 0}, decay = {point->decay, 0};
    double l = first, count = 0.0;
    bool ended = false;
    /* bound: |last - first| + 1 terms. In fact 40 sqrt(k): the sum holds the excess of the first terms, which is above
     * 1e-290 (k epsilon >= 1e-280), and a weight falls to that, and 2^-56 of it, within 37 standard deviations. */
    while (!ended) {
        const double left = (last - l) * direction + 1.0, block = fmin(left, TERMS_PER_ANCHOR);
        double weight = exp(log_weight(f, l) - point->log_scale), block_sum = 0.0, block_decay = 0.0;
        double x = excess(f, l, g), e = exp(-x);
        /* e^-x by repeated multiplication where 1 - e^-x does not cancel in the whole block */
        const bool far = fmin(x, excess(f, l + direction * block, g)) > 1.0;
        for (double j = 0.0; j < block; j += 1.0) {
            double part = 1.0 - e;
            if (!far) {
                part = -expm1(-excess(f, l, g));
                e = 1.0 - part;
            }
            block_sum += weight * part;
            block_decay += weight * e;
            /* what is left, of both sums, is at most weight ratio/(1 - ratio) */
            const double ratio = next_ratio(f, l, direction, odds);
            if (!(weight * ratio >= 0x1p-56 * (1.0 - ratio) * (sum.sum + block_sum))) {
                ended = true;
                break;
            }
            weight *= ratio;
            e *= fade;
            l += direction;
        }
        sum_add(&sum, block_sum);
        sum_add(&decay, block_decay);
        count += block;
        if (!(left > block)) ended = true;
    }
    point->sum = sum_value(&sum);
    point->decay = sum_value(&decay);
    return count;
}

/* 0 < epsilon < inf, k >= 1, 0 <= g < k epsilon */
static optimal_point point_at(const flips *f, double g)
{
    /* a flip has probability below e^-700, so that only l = 0 counts; or terms would be subnormal, and what is no more
     * than k epsilon-DP will do as a bound */
    if (f->epsilon > 700.0 || f->k * f->epsilon < 1e-280) {
        const double x = excess(f, 0.0, g);
        return (optimal_point){0.0, -expm1(-x), exp(-x), 4.0 * U};
    }
    const double m = last_term(f, g), anchor = fmin(m, f->mode);
    if (m < 0.0) return (optimal_point){0.0, 0.0, 0.0, 0.0};
    optimal_point point = {log_weight(f, anchor), 0.0, 0.0, 0.0};
    double terms = add_terms(f, &point, anchor, 0.0, -1.0, g);
    if (m > anchor) terms = fmax(terms, add_terms(f, &point, anchor + 1.0, m, 1.0, g));
    /* rounding of neighbours' ratios and sums, of q (times the distance from the mean), of ln w, of the excess */
    const double chain = fmin(terms, TERMS_PER_ANCHOR), away = fabs(from_mean(f, anchor)) * f->theta;
    point.error = U * (64.0 + 2.0 * chain + 8.0 * away + 8.0 * fabs(point.log_scale) +
                       2.0 * (g + f->epsilon) * point.decay / point.sum);
    return point;
}

static double log_of_point(const optimal_point *p) { return p->sum > 0.0 ? p->log_scale + log(p->sum) : -INFINITY; }

/* ---- forward ---- */

typedef struct {
    double delta, log_delta;
} curve_point;

/* delta_0 = e^log_delta0, raised by its error, then 1 - (1-delta)^k (1-delta_0), both outward */
static curve_point with_leak(double log_delta0, double error, double delta, int64_t k)
{
    const double kept = delta == 0.0 ? 0.0 : (double)k * log1p(-delta);   /* ln (1-delta)^k */
    const double delta0 = fmin(1.0, exp(log_delta0) * (1.0 + error)), total = delta0 - expm1(kept) * (1.0 - delta0);
    const double log_leak = delta == 0.0 ? -INFINITY : log(-expm1(kept)), log_rest = log_delta0 + error;
    double log_total = kept == 0.0 ? log_rest : simdp_special_logaddexp(log_leak, kept + log_rest);
    if (total > 0.5) log_total = log1p(-exp(kept) * -expm1(fmin(0.0, log_rest)));
    if (!isinf(log_total)) log_total = fmin(0.0, log_total + 8.0 * U * fabs(log_total));
    return (curve_point){account_up_probability(total), log_total};
}

static curve_point forward(double g, simdp_privacy step, int64_t k)
{
    if (!is_epsilon(g) || !is_epsilon(step.epsilon) || !is_probability(step.delta) || k < 0 || k > STEPS_MAX)
        return (curve_point){NAN, NAN};
    if (k == 0) return (curve_point){0.0, -INFINITY};
    if (isinf(step.epsilon) && !isinf(g)) return (curve_point){1.0, 0.0};
    if (step.epsilon == 0.0 || isinf(g)) return with_leak(-INFINITY, 0.0, step.delta, k);
    const flips f = flips_of(step.epsilon, k);
    if (!(excess(&f, 0.0, g) > 0.0)) return with_leak(-INFINITY, 0.0, step.delta, k);
    const optimal_point point = point_at(&f, g);
    return with_leak(log_of_point(&point), point.error, step.delta, k);
}

/* ---- inverse ---- */

typedef struct {
    const flips *f;
    double log_target;
} search;

static simdp_root_point shortfall(double g, const void *context)
{
    const search *s = context;
    const optimal_point point = point_at(s->f, g);
    const double value = s->log_target - log_of_point(&point);
    return (simdp_root_point){fabs(value) < 0.1 * point.error ? 0.0 : value, point.decay / point.sum, 0.0};
}

static double inverse(double delta, simdp_privacy step, int64_t k)
{
    if (!is_probability(delta) || !is_epsilon(step.epsilon) || !is_probability(step.delta) || k < 0 || k > STEPS_MAX)
        return NAN;
    if (k == 0 || delta == 1.0) return 0.0;
    /* what the leak leaves: 1 - (1-delta)/(1-delta_step)^k, rounded downward */
    double target = delta;
    if (step.delta > 0.0) {
        const double kept = (double)k * log1p(-step.delta), wanted = log1p(-delta);
        target = -expm1(wanted - kept) - 4.0 * U * (fabs(wanted) + fabs(kept));
        if (wanted > kept) return INFINITY;
        target = fmax(0.0, target);
    }
    if (step.epsilon == 0.0) return 0.0;
    if (target == 0.0 || isinf(step.epsilon)) return account_up_product(k, step.epsilon);
    const flips f = flips_of(step.epsilon, k);
    const optimal_point at_zero = point_at(&f, 0.0);
    if (log_of_point(&at_zero) + at_zero.error <= log(target)) return 0.0;
    const double most = account_up_product(k, step.epsilon), mean = f.k * f.epsilon * f.theta;
    const double deviation = 2.0 * f.epsilon * sqrt(f.k * f.p * f.q), quantile = -simdp_special_normal_quantile(target);
    const search s = {&f, log(target)};
    const double g = simdp_root_increasing(shortfall, &s, 0.0, f.k * f.epsilon, mean + quantile * deviation, NULL);
    const optimal_point found = point_at(&f, g);
    if (!(found.decay > 0.0)) return most;
    const double error = 1.1 * found.error + 8.0 * U + 2.0 * U * fabs(s.log_target);
    return fmin(most, account_up(g + error * found.sum / found.decay));
}

/* ---- public ---- */

static simdp_status sweep(double *out, const double *x, size_t n, simdp_privacy step, int64_t k,
                          double (*f)(double x, simdp_privacy step, int64_t k))
{
    FORMS_EACH(n, form_is_number(out[i] = f(x[i], step, k)), FORM_ARRAY(out), FORM_ARRAY(x));
}

static double delta_of(double g, simdp_privacy step, int64_t k) { return forward(g, step, k).delta; }
static double log_delta_of(double g, simdp_privacy step, int64_t k) { return forward(g, step, k).log_delta; }

simdp_status simdp_compose_optimal_delta(double *delta, const double *epsilon, size_t n, simdp_privacy step, int64_t k)
{
    return sweep(delta, epsilon, n, step, k, delta_of);
}

simdp_status simdp_compose_optimal_log_delta(double *log_delta, const double *epsilon, size_t n, simdp_privacy step,
                                             int64_t k)
{
    return sweep(log_delta, epsilon, n, step, k, log_delta_of);
}

simdp_status simdp_compose_optimal_epsilon(double *epsilon, const double *delta, size_t n, simdp_privacy step,
                                           int64_t k)
{
    return sweep(epsilon, delta, n, step, k, inverse);
}
