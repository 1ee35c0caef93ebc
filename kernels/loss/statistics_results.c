/* statistics_results.c: estimates and their intervals out of collected statistics. */
#include <math.h>
#include <string.h>

#include "loss/intervals.h"
#include "loss/loss_call.h"
#include "loss/statistics.h"
#include "math/forms.h"

/* Everything so far, with the losses that wait for their block, in a copy: the original can go on. */
typedef struct {
    simdp_loss_statistics s;
    double total;            /* losses that are not NaN */
    uint64_t losses;
} settled;

static simdp_status settle(settled *out, const simdp_loss_statistics *s, const void *results, double error)
{
    if (s == NULL || results == NULL) return SIMDP_ENULL;
    if (s->mark != STATISTICS_MARK || !interval_error_ok(error)) return SIMDP_EPARAM;
    const simdp_kernels *kernels = simdp_kernels_active();
    if (kernels == NULL) return SIMDP_EISA;
    out->s = *s;
    simdp_statistics_flush(&out->s, &kernels->loss);
    out->losses = out->s.finite + out->s.infinite[0] + out->s.infinite[1];
    out->total = (double)out->losses;
    return SIMDP_OK;
}

static const simdp_estimate no_estimate = {NAN, NAN, NAN};

static simdp_estimate variance_of(const simdp_loss_statistics *s, double error)
{
    const double n = (double)s->finite, variance = s->central[0] / (n - 1.0), fourth = s->central[2] / n;
    const double spread = fourth - (n - 3.0) / (n - 1.0) * variance * variance;
    simdp_estimate e = simdp_interval_normal(variance, sqrt(fmax(0.0, spread) / n), error);
    e.low = fmax(0.0, e.low);
    return e;
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
            out->mean = (simdp_estimate){mean, mean, mean};
        } else if (t->finite > 0) {
            const simdp_estimate variance = t->finite > 1 ? variance_of(t, error) : no_estimate;
            out->variance = variance;
            out->mean = simdp_interval_normal((t->sum[0] + t->sum[1]) / n, sqrt(variance.value / n), error);
        }
        if (all.losses > 0) {
            out->least = t->infinite[1] > 0 ? -INFINITY : t->finite > 0 ? t->least : INFINITY;
            out->most = t->infinite[0] > 0 ? INFINITY : t->finite > 0 ? t->most : -INFINITY;
            out->beyond = out->most == INFINITY ? 0.0 : -expm1(log(error) / all.total);
        }
    }
    fp_mode_leave(mode);
    return status;
}

simdp_status simdp_loss_statistics_tails(const simdp_loss_statistics *s, simdp_estimate *out, double error)
{
    settled all;
    const unsigned mode = fp_mode_enter();
    const simdp_status status = settle(&all, s, out, error);
    for (size_t j = 0; status == SIMDP_OK && j < all.s.epsilons; j++) {
        out[j] = all.losses == 0 ? no_estimate : simdp_interval_of_count(all.s.above[j], all.losses, error);
    }
    fp_mode_leave(mode);
    return status;
}

simdp_status simdp_loss_statistics_deltas(const simdp_loss_statistics *s, simdp_estimate *out, double error)
{
    settled all;
    const unsigned mode = fp_mode_enter();
    simdp_status status = settle(&all, s, out, error);
    if (status == SIMDP_OK && all.s.epsilons > 0 && !all.s.deltas) status = SIMDP_EPARAM;
    for (size_t j = 0; status == SIMDP_OK && j < all.s.epsilons; j++) {
        const simdp_loss_statistics *t = &all.s;
        out[j] = no_estimate;
        if (all.losses == 0) continue;
        const double weight = exp(t->epsilon[j] - t->centre) * (t->weight[j][0] + t->weight[j][1]);
        const double mean = fmax(0.0, ((double)t->above[j] - weight) / all.total);
        /* a bound that the losses break is none */
        const bool bounded = t->bound < INFINITY && t->infinite[0] == 0 && !(t->most > t->bound);
        out[j] = simdp_interval_of_mean(mean, all.losses, bounded ? fmax(0.0, -expm1(t->epsilon[j] - t->bound)) : 1.0,
                                        error);
    }
    fp_mode_leave(mode);
    return status;
}

/* ln(mean of e^((order - 1) L)) / (order - 1) */
static simdp_estimate renyi_of(const settled *all, size_t j, double error)
{
    const simdp_loss_statistics *t = &all->s;
    const double factor = t->order[j] - 1.0, *p = t->power[j];
    if (all->losses == 0) return no_estimate;
    if (t->infinite[factor < 0.0] > 0) return (simdp_estimate){INFINITY, INFINITY, INFINITY};
    if (t->finite == 0) {   /* a moment of 0 */
        const double limit = factor < 0.0 ? INFINITY : -INFINITY;
        return (simdp_estimate){limit, limit, limit};
    }
    const double first = (p[POWER_SUM] + p[POWER_SUM + 1]) / all->total,
                 second = (p[POWER_SQUARES] + p[POWER_SQUARES + 1]) / all->total;
    const double relative = sqrt(fmax(0.0, second / (first * first) - 1.0) / all->total);   /* deviation of ln(mean) */
    return simdp_interval_normal((log(first) + p[POWER_TOP]) / factor, relative / fabs(factor), error);
}

simdp_status simdp_loss_statistics_renyi(const simdp_loss_statistics *s, simdp_estimate *out, double error)
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

/* The slot in which the share of the losses is reached, and a place in it. */
static double quantile(const simdp_loss_statistics *s, double losses, double share, quantile_place place)
{
    const double goal = share * losses;
    double below = 0.0, here = 0.0;
    uint64_t k = 0;
    for (;; k++) {   /* bound: bins + 2 turns */
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
    bool possible;   /* the statistics have a histogram, and error is good */
    double losses, band;
} quantile_query;

/* NaN where p is bad, and where there are no losses. Returns whether the arguments were good. */
static bool quantile_estimate(simdp_estimate *out, const quantile_query *q, double p)
{
    *out = no_estimate;
    if (!q->possible || !(p >= 0.0 && p <= 1.0)) return false;
    if (q->losses == 0.0) return true;
    out->value = quantile(q->s, q->losses, p, INSIDE);
    out->low = p - q->band <= 0.0 ? -INFINITY : quantile(q->s, q->losses, p - q->band, LOWER_EDGE);
    out->high = p + q->band >= 1.0 ? INFINITY : quantile(q->s, q->losses, p + q->band, UPPER_EDGE);
    return true;
}

simdp_status simdp_loss_statistics_quantiles(const simdp_loss_statistics *s, simdp_estimate *out, const double *p,
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
        q.band = all.losses == 0 ? 0.0 : simdp_interval_band(all.losses, error);
    }
    fp_mode_leave(caller);
    if (settling == SIMDP_EISA) return settling;
    FORMS_EACH(n, quantile_estimate(&out[i], &q, p[i]), FORM_ARRAY(out), FORM_ARRAY(p));
}
