/* statistics_results.c: estimates and their intervals out of collected statistics. */
#include <math.h>
#include <string.h>

#include "call/forms.h"
#include "loss/intervals.h"
#include "loss/loss_call.h"
#include "loss/statistics.h"
#include "math/outward.h"
#include "math/plain_math.h"

/* Everything so far, with the losses that wait for their block, in a copy: the original can go on. */
typedef struct {
    simdp_loss_statistics s;
    double total; /* losses that are not NaN */
    uint64_t losses;
} settled;

static simdp_status settle(settled *out, const simdp_loss_statistics *s, const void *results, double error)
{
    if (s == NULL || results == NULL) return SIMDP_ENULL;
    if (s->mark != STATISTICS_MARK || !interval_error_ok(error)) return SIMDP_EPARAM;
    const simdp_kernels *kernels = simdp_kernels_active();
    if (kernels == NULL) return SIMDP_EISA;
    out->s = *s;
    simdp_statistics_flush(&out->s, kernels->loss);
    out->losses = out->s.finite + out->s.infinite[0] + out->s.infinite[1];
    out->total = (double)out->losses;
    return SIMDP_OK;
}

static const simdp_loss_estimate no_estimate = {NAN, NAN, NAN};

static simdp_loss_estimate variance_of(const simdp_loss_statistics *s, double error)
{
    const double n = (double)s->finite, variance = s->central[0] / (n - 1.0), fourth = s->central[2] / n;
    const double spread = fourth - (n - 3.0) / (n - 1.0) * variance * variance;
    /* sums that overflow say nothing about the spread */
    simdp_loss_estimate e =
        simdp_loss_interval_normal(variance, isnan(spread) ? INFINITY : sqrt(fmax(0.0, spread) / n), error);
    e.low = fmax(0.0, e.low);
    return e;
}

static double within(const simdp_loss_statistics *s, double x) { return fmin(s->most, fmax(s->least, x)); }

static double mean_of(const simdp_loss_statistics *s)
{
    const statistics_mean mean = simdp_statistics_mean(s);
    return within(s, mean.high + mean.low);
}

simdp_status simdp_loss_statistics_summary(const simdp_loss_statistics *s, simdp_loss_summary *out, double error)
{
    settled all;
    const unsigned mode = fp_mode_enter();
    const simdp_status status = settle(&all, s, out, error);
    if (status == SIMDP_OK) {
        const simdp_loss_statistics *t = &all.s;
        const double n = (double)t->finite;
        *out = (simdp_loss_summary){.finite = t->finite,
                                    .plus_infinite = t->infinite[0],
                                    .minus_infinite = t->infinite[1],
                                    .undefined = t->undefined,
                                    .mean = no_estimate,
                                    .variance = no_estimate,
                                    .least = NAN,
                                    .most = NAN,
                                    .beyond = NAN};
        if (t->infinite[0] + t->infinite[1] > 0) {
            const double mean = t->infinite[0] == 0 ? -INFINITY : t->infinite[1] == 0 ? INFINITY : NAN;
            out->mean = (simdp_loss_estimate){mean, mean, mean};
        } else if (t->finite > 0) {
            const simdp_loss_estimate variance = t->finite > 1 ? variance_of(t, error) : no_estimate;
            out->variance = variance;
            out->mean = simdp_loss_interval_normal(mean_of(t), sqrt(variance.value / n), error);
        }
        if (all.losses > 0) {
            out->least = t->infinite[1] > 0 ? -INFINITY : t->finite > 0 ? t->least : INFINITY;
            out->most = t->infinite[0] > 0 ? INFINITY : t->finite > 0 ? t->most : -INFINITY;
            const double beyond = -plain_expm1(plain_log(error) / all.total); /* 5 units of 2^-53 */
            out->beyond = out->most == INFINITY ? 0.0 : outward_up_probability(beyond, 0x1p-50 * beyond);
        }
    }
    fp_mode_leave(mode);
    return status;
}

simdp_status simdp_loss_statistics_tails(const simdp_loss_statistics *s, simdp_loss_estimate *out, double error)
{
    settled all;
    const unsigned mode = fp_mode_enter();
    const simdp_status status = settle(&all, s, out, error);
    for (size_t j = 0; status == SIMDP_OK && j < all.s.epsilons; j++) {
        out[j] = all.losses == 0 ? no_estimate : simdp_loss_interval_of_count(all.s.above[j], all.losses, error);
    }
    fp_mode_leave(mode);
    return status;
}

#define DELTA_ERROR 1e-13 /* exponents up to 500, twice, and sums of blocks */

/* The interval is that of every mean within DELTA_ERROR. */
static simdp_loss_estimate delta_of(const settled *all, size_t j, double error)
{
    const simdp_loss_statistics *t = &all->s;
    const double weight = plain_exp(t->epsilon[j] - t->centre) * (t->weight[j][0] + t->weight[j][1]);
    const double mean = fmax(0.0, ((double)t->above[j] - weight) / all->total);
    /* a bound that the losses break is none */
    const bool bounded = t->bound < INFINITY && t->infinite[0] == 0 && !(t->most > t->bound);
    const double bound = bounded ? fmax(0.0, -plain_expm1(t->epsilon[j] - t->bound)) : 1.0,
                 most = bounded ? outward_up(bound, 0x1p-50 * bound) : 1.0;
    const double slack = t->above[j] == 0 ? 0.0 : DELTA_ERROR;
    return (simdp_loss_estimate){mean,
                                 simdp_loss_interval_of_mean(fmax(0.0, mean - slack), all->losses, most, error).low,
                                 simdp_loss_interval_of_mean(fmin(most, mean + slack), all->losses, most, error).high};
}

simdp_status simdp_loss_statistics_deltas(const simdp_loss_statistics *s, simdp_loss_estimate *out, double error)
{
    settled all;
    const unsigned mode = fp_mode_enter();
    simdp_status status = settle(&all, s, out, error);
    if (status == SIMDP_OK && all.s.epsilons > 0 && !all.s.deltas) status = SIMDP_EPARAM;
    for (size_t j = 0; status == SIMDP_OK && j < all.s.epsilons; j++) {
        out[j] = no_estimate;
        if (all.losses == 0) continue;
        out[j] = delta_of(&all, j, error);
    }
    fp_mode_leave(mode);
    return status;
}

/* Where |order - 1| times the range of the losses is below this, their cumulants say more than the logarithm of a mean
 * close to 1: the first term left out is below 0.3 RENYI_NEAR^4 / 120 of the range, and rounding errors of the mean, 36
 * units of 2^-53, are divided by less than RENYI_NEAR beyond. */
#define RENYI_NEAR 0x1p-8

/* ln(mean of e^(factor L)) / factor over the finite losses, and the relative variance of e^(factor L) */
typedef struct {
    double value, variance;
} renyi_moment;

static renyi_moment moment_near_one(const simdp_loss_statistics *t, double factor)
{
    const double n = (double)t->finite, second = t->central[0] / n, third = t->central[1] / n,
                 fourth = t->central[2] / n - 3.0 * second * second;
    const double away = factor * (second / 2.0 + factor * (third / 6.0 + factor * (fourth / 24.0)));
    return (renyi_moment){within(t, mean_of(t) + away), factor * factor * second};
}

static renyi_moment moment_by_powers(const simdp_loss_statistics *t, size_t j, double factor)
{
    const double n = (double)t->finite, *p = t->power[j];
    const double first = (p[POWER_SUM] + p[POWER_SUM + 1]) / n, second = (p[POWER_SQUARES] + p[POWER_SQUARES + 1]) / n;
    return (renyi_moment){within(t, p[POWER_TOP] + plain_log(first) / factor),
                          fmax(0.0, second / (first * first) - 1.0)};
}

/* ln(mean of e^((order - 1) L)) / (order - 1) */
static simdp_loss_estimate renyi_of(const settled *all, size_t j, double error)
{
    const simdp_loss_statistics *t = &all->s;
    const double factor = t->order[j] - 1.0;
    if (all->losses == 0) return no_estimate;
    if (t->infinite[factor < 0.0] > 0) return (simdp_loss_estimate){INFINITY, INFINITY, INFINITY};
    if (t->finite == 0) { /* a moment of 0 */
        const double limit = factor < 0.0 ? INFINITY : -INFINITY;
        return (simdp_loss_estimate){limit, limit, limit};
    }
    const renyi_moment m =
        fabs(factor) * (t->most - t->least) < RENYI_NEAR ? moment_near_one(t, factor) : moment_by_powers(t, j, factor);
    /* infinite losses of the other sign add 0 to the moment */
    const double others = (double)t->infinite[factor > 0.0], share = (double)t->finite / all->total;
    const double value = others > 0.0 ? m.value + plain_log1p(-others / all->total) / factor : m.value;
    const double variance = (m.variance + others / all->total) / share; /* of the moment, relative */
    return simdp_loss_interval_normal(value, sqrt(variance / all->total) / fabs(factor), error);
}

simdp_status simdp_loss_statistics_renyi(const simdp_loss_statistics *s, simdp_loss_estimate *out, double error)
{
    settled all;
    simdp_loss_summary summary;
    const unsigned mode = fp_mode_enter();
    simdp_status status = settle(&all, s, out, error);
    if (status == SIMDP_OK) status = simdp_loss_statistics_summary(s, &summary, error);
    for (size_t j = 0; status == SIMDP_OK && j < all.s.orders; j++) {
        out[j] = all.s.order[j] == 1.0 ? summary.mean : renyi_of(&all, j, error);
    }
    fp_mode_leave(mode);
    return status;
}

/* ---- quantiles ---- */

typedef enum { LOWER_EDGE, INSIDE, UPPER_EDGE } quantile_place;

/* The slot in which so many losses are reached, and a place in it. */
static double quantile(const simdp_loss_statistics *s, double goal, quantile_place place)
{
    double below = 0.0, here = 0.0;
    uint64_t k = 0;
    for (;; k++) { /* bound: bins + 2 turns */
        here = (double)s->counts[k];
        if (k == s->bins + 1 || (here > 0.0 && below + here >= goal)) break;
        below += here;
    }
    const double lower = k == 0 ? -INFINITY : statistics_edge(s, k - 1),
                 upper = k > s->bins ? INFINITY : statistics_edge(s, k);
    if (place == LOWER_EDGE) return lower;
    if (place == UPPER_EDGE || k == 0 || k > s->bins) return k > s->bins && place == INSIDE ? lower : upper;
    return lower + (upper - lower) * fmin(1.0, fmax(0.0, (goal - below) / here));
}

typedef struct {
    const simdp_loss_statistics *s;
    bool possible; /* the statistics have a histogram, and error is good */
    double losses, band;
} quantile_query;

/* NaN where p is bad, and where there are no losses. Returns whether the arguments were good. */
static bool quantile_estimate(simdp_loss_estimate *out, const quantile_query *q, double p)
{
    *out = no_estimate;
    if (!q->possible || !(p >= 0.0 && p <= 1.0)) return false;
    if (q->losses == 0.0) return true;
    const double least = add_down(p, -q->band), most = add_up(p, q->band);
    out->value = quantile(q->s, p * q->losses, INSIDE);
    out->low = least <= 0.0 ? -INFINITY : quantile(q->s, mul_down(least, q->losses), LOWER_EDGE);
    out->high = most >= 1.0 ? INFINITY : quantile(q->s, mul_up(most, q->losses), UPPER_EDGE);
    return true;
}

simdp_status simdp_loss_statistics_quantiles(const simdp_loss_statistics *s, simdp_loss_estimate *out, const double *p,
                                             size_t n, double error)
{
    if (s == NULL) return SIMDP_ENULL;
    const simdp_status gate = FORMS_GATE(n, FORM_ARRAY(out), FORM_ARRAY(p));
    if (gate != SIMDP_OK || n == 0) return gate;
    settled all;
    quantile_query q = {.s = s};
    const unsigned caller = fp_mode_enter();
    const simdp_status settling = settle(&all, s, out, error);
    if (settling == SIMDP_OK && all.s.bins > 0) {
        q.possible = true;
        q.losses = all.total;
        q.band = all.losses == 0 ? 0.0 : simdp_loss_interval_band(all.losses, error);
    }
    fp_mode_leave(caller);
    if (settling == SIMDP_EISA) return settling;
    FORMS_EACH(n, quantile_estimate(&out[i], &q, p[i]), FORM_ARRAY(out), FORM_ARRAY(p));
}
