/* pld_plan.c: where to look. From the cumulants of the sum follow, for a range of delta, the range of epsilon, the
 * tilts, and windows outside of which next to nothing lies. None of it needs to be right: bounds are made of what a
 * window leaves out. */
#include <stdlib.h>

#include "account/pld.h"
#include "fft/fft.h"
#include "math/plain_math.h"
#include "math/special.h"

#define LOG_LEFT_OUT (-21) /* what a window may leave out, against delta: ln 1e-9 */
#define PIECE_HALF \
    3.75 /* standard deviations of the tilted sum from its mean: further out rounding errors begin to show */

double simdp_pld_total_cumulant(const simdp_pld *pld, simdp_pld_rounding rounding, pld_bins bins, double u)
{
    double total = 0, size = 0; /* terms may be of either sign */
    for (size_t i = 0; i < pld->count; i++) {
        const pld_law *law = &pld->law[i];
        if (law->times == 0) continue;
        const double term = (double)law->times * (rounding == SIMDP_PLD_NONE
                                                      ? simdp_pld_cumulant(law, pld->grid, u)
                                                      : simdp_pld_rounded_cumulant(law, rounding, pld->grid, bins, u));
        total += term, size += fabs(term);
    }
    return rounding == SIMDP_PLD_NONE ? total : total + PLD_U * (16 + (double)pld->count) * size;
}

static const pld_bins no_bins; /* for laws that are exact or rounded up */

double simdp_pld_total_times(const simdp_pld *pld)
{
    double total = 0;
    for (size_t i = 0; i < pld->count; i++) total += (double)pld->law[i].times;
    return total;
}

typedef struct {
    const simdp_pld *pld;
    simdp_pld_rounding rounding; /* of the law in question; SIMDP_PLD_NONE: the exact one */
    double scale;                /* standard deviation of the sum, at least one grid point */
    double tilt_most;
} total_law;

typedef struct {
    double cumulant, mean, deviation; /* of the sum tilted with v */
} tilted_law;

static tilted_law tilted(const total_law *law, double v)
{
    const double step = 0.02 * (fabs(v) + 1 / law->scale);
    const double below = simdp_pld_total_cumulant(law->pld, law->rounding, no_bins, v - step),
                 here = simdp_pld_total_cumulant(law->pld, law->rounding, no_bins, v),
                 above = simdp_pld_total_cumulant(law->pld, law->rounding, no_bins, v + step);
    const double variance = (above - 2 * here + below) / (step * step), least = law->pld->grid / 4;
    return (tilted_law){here, (above - below) / (2 * step), variance > least * least ? sqrt(variance) : least};
}

/* ln delta at the mean of the tilted sum, were that Gaussian. */
static double log_delta_at(const tilted_law *t, double v)
{
    const double a = v * t->deviation / sqrt(2), b = (v + 1) * t->deviation / sqrt(2);
    const double log_share =
        a < -5 ? a * a : plain_log(fmax(simdp_special_erfcx(a) - simdp_special_erfcx(b), 0x1p-1000) / 2);
    return t->cumulant - v * t->mean + log_share;
}

typedef double tilt_function(const total_law *law, double v, double target);

static double excess_of_log_delta(const total_law *law, double v, double target)
{
    const tilted_law t = tilted(law, v);
    return log_delta_at(&t, v) - target;
}

static double deficit_of_mean(const total_law *law, double v, double target)
{
    const tilted_law t = tilted(law, v);
    return 8 * (target - t.mean) / t.deviation;
}

/* P[S > x] <= exp(K(u) - u x) is smallest for given probability where K - u K' = ln P. */
static double excess_of_tail(const total_law *law, double u, double target)
{
    const tilted_law t = tilted(law, u);
    return t.cumulant - u * t.mean - target;
}

/* The v >= least where a falling function passes 0, to a tenth in the function: by false position, never beyond
 * tilt_most. */
static double solve(const total_law *law, tilt_function *f, double least, double target)
{
    double low = least, at_low = f(law, low, target);
    if (at_low <= 0) return low;
    double step = 2 / law->scale, high = low, at_high = at_low;
    /* bound: 2100 turns, as the step doubles, up to tilt_most */
    while (at_high > 0) {
        low = high, at_low = at_high;
        if (low >= law->tilt_most) return law->tilt_most;
        high = low + step, step *= 2;
        at_high = f(law, high, target);
    }
    int side = 0; /* Illinois: an end that stays for the second time counts half */
    for (int round = 0; round < 40 && high - low > 1e-9 * high; round++) {
        const double middle = low + (high - low) * at_low / (at_low - at_high), at = f(law, middle, target);
        if (fabs(at) <= 0.1) return middle;
        if (at > 0) {
            low = middle, at_low = at;
            if (side > 0) at_high /= 2;
            side = 1;
        } else {
            high = middle, at_high = at;
            if (side < 0) at_low /= 2;
            side = -1;
        }
    }
    return (low + high) / 2;
}

/* The highest b such that wrapping around what lies below b, e^(-v (top - b)) P[S < b], stays below exp(target). */
static double lowest_needed(const total_law *law, double v, double top, double target, double *order)
{
    double best = v > 0 ? (target + v * top) / v : -INFINITY;
    *order = 0;
    for (double u = 0.05 / law->scale; u < 50 / law->scale; u *= 1.25) { /* bound: 32 turns */
        const double b = (target + v * top - simdp_pld_total_cumulant(law->pld, law->rounding, no_bins, -u)) / (v + u);
        if (b > best) best = b, *order = u;
    }
    return best;
}

/* ---- sampled steps: their moments explode at some order, where a single step begins to outweigh the sum of all, so
 * that tilted sums are nothing like Gaussian ones. Chernoff's bounds hold all the same. ---- */

static bool is_sampled(const simdp_pld *pld) { return pld->sides > 1 || pld->heavy; }

/* The smallest (K(v + w) - K(v) - target) / w over w > 0, a function that falls, then rises; and where: w. */
static double chernoff(const total_law *law, double v, double target, double *w)
{
    const double here = simdp_pld_total_cumulant(law->pld, law->rounding, no_bins, v);
    double best = INFINITY;
    *w = 1;
    for (int round = 0; round < 2; round++) { /* coarse, then fine */
        const double ratio = round == 0 ? 1.5 : 1.08;
        double x = round == 0 ? 0.05 / law->scale : *w / 1.5, last = INFINITY;
        if (round == 0) x = fmin(x, 0.5);
        for (; x < law->tilt_most; x *= ratio) { /* bound: 2000 turns, as x grows */
            const double at = (simdp_pld_total_cumulant(law->pld, law->rounding, no_bins, v + x) - here - target) / x;
            if (at < best) best = at, *w = x;
            if (at > last || (round == 1 && at > best)) break;
            last = at;
        }
    }
    return best;
}

/* Sums of the outermost indices of the steps. */
static void support(const simdp_pld *pld, double *first, double *last, double *most)
{
    *first = *last = *most = 0;
    for (size_t i = 0; i < pld->count; i++) {
        const pld_law *law = &pld->law[i];
        int64_t low, high;
        if (law->times == 0) continue;
        const double times = (double)law->times;
        if (simdp_pld_reach(law, pld->grid, 0, 0, &low, &high)) {
            *first += times * (double)low, *last += times * (double)high;
        } else {
            *first = -INFINITY, *last = INFINITY;
        }
        *most += times * law->most;
    }
}

#define WINDOW_INDEX_MAX 0x1p52 /* of a grid point; sums of such are exact */

static bool place_window(const total_law *law, simdp_pld_rounding upper, pld_window *w, double target, bool single)
{
    const double h = law->pld->grid;
    double support_first, support_last, most;
    support(law->pld, &support_first, &support_last, &most);
    total_law rounded = *law;
    rounded.rounding = upper;
    double top;
    if (is_sampled(law->pld)) { /* by what lies above in the tilted sum */
        const double here = simdp_pld_total_cumulant(law->pld, upper, no_bins, w->tilt), more = w->tilt * w->to - here;
        top = chernoff(&rounded, w->tilt, fmin(target + more, LOG_LEFT_OUT), &w->top_order);
        w->top_order += w->tilt;
    } else {
        w->top_order = solve(&rounded, excess_of_tail, fmax(w->tilt, 0) + 1 / law->scale, target);
        top = (simdp_pld_total_cumulant(law->pld, upper, no_bins, w->top_order) - target) / w->top_order;
    }
    double bottom = (double)w->from * h;
    w->bottom_order = 0;
    if (!single) bottom = fmin(bottom, lowest_needed(law, w->tilt, top, target, &w->bottom_order));
    double first = floor(bottom / h) - 2, last = ceil(fmax(top, w->to) / h) + 2;
    w->whole_above = last >= support_last;
    if (w->whole_above) last = support_last;
    if (first > last - 8) first = last - 8;
    w->whole_below = first <= support_first;
    if (w->whole_below) first = fmax(first, fmin(support_first, (double)w->from - 2));
    if (!(fabs(first) < WINDOW_INDEX_MAX && fabs(last) < WINDOW_INDEX_MAX && last - first < law->pld->points_most))
        return false;
    w->first = (int64_t)first, w->last = (int64_t)last;
    return true;
}

#define LOG_PRECISE 16 /* by which delta may lie below the scale of a piece: rounding errors are 1e-6 of it then */
#define POINTS_FEW  16384

/* Where the tilted sum is wide because a single step may outweigh all others, the smallest tilt that doubles allow has a
 * window that is far smaller. False if there is no window at all. */
static bool place_with_less_tilt(const total_law *law, simdp_pld_rounding upper, pld_window *w, double log_delta,
                                 bool placed, bool single)
{
    if (!is_sampled(law->pld) || single || (placed && w->last - w->first <= POINTS_FEW)) return placed;
    pld_window other = *w;
    double low = 0, high = w->tilt;
    if (log_delta + LOG_PRECISE >= 0) high = 0;
    for (int round = 0; round < 40 && high - low > 0.01 * high; round++) {
        const double middle = (low + high) / 2;
        if (simdp_pld_total_cumulant(law->pld, law->rounding, no_bins, middle) - middle * w->to >
            log_delta + LOG_PRECISE)
            low = middle;
        else high = middle;
    }
    other.tilt = high;
    if (place_window(law, upper, &other, log_delta + LOG_LEFT_OUT, single) &&
        (!placed || other.last - other.first < w->last - w->first)) {
        *w = other;
        return true;
    }
    return placed;
}

/* The mass at +inf of the sum, roughly. */
static double total_infinite(const simdp_pld *pld)
{
    double log_finite = 0;
    for (size_t i = 0; i < pld->count; i++) {
        if (pld->law[i].times > 0) log_finite += (double)pld->law[i].times * plain_log1p(-pld->law[i].infinite);
    }
    return -plain_expm1(log_finite);
}

static total_law total_of(const simdp_pld *pld)
{
    double variance = 0;
    for (size_t i = 0; i < pld->count; i++) variance += (double)pld->law[i].times * pld->law[i].variance;
    return (total_law){pld, SIMDP_PLD_NONE, fmax(sqrt(variance), pld->grid), 30 / pld->grid};
}

/* The epsilons between which delta has the size asked for; tilt_high: the tilt at the upper one. */
typedef struct {
    double low, high, tilt_high;
} plan_range;

#define LOG_SHARE 5 /* nats by which Chernoff's bound on delta may be too large */

static plan_range sampled_range(const total_law *law, double log_least, double log_most)
{
    plan_range range = {.low = 0};
    range.high = fmax(0, chernoff(law, 0, log_least, &range.tilt_high)) + law->pld->grid;
    if (log_most + LOG_SHARE < 0) {
        double order;
        range.low = fmax(0, chernoff(law, 0, log_most + LOG_SHARE, &order));
        range.low = fmin(range.low, range.high / 2 + range.low / 2);
    }
    return range;
}

/* delta is the mass at +inf and more: only the rest is looked for. */
static plan_range range_of(const total_law *law, double delta_least, double delta_most)
{
    const double infinite = total_infinite(law->pld), least = fmax(delta_least - infinite, delta_least / 1024);
    if (is_sampled(law->pld))
        return sampled_range(law, plain_log(least), plain_log(fmax(delta_most - infinite, least)));
    plan_range range = {.tilt_high = solve(law, excess_of_log_delta, -0.5, plain_log(least))};
    const tilted_law at_high = tilted(law, range.tilt_high);
    range.high = fmax(at_high.mean, 0) + 0.5 * at_high.deviation;
    if (delta_most < 1) {
        const double v_low = solve(law, excess_of_log_delta, -0.5, plain_log(fmax(delta_most - infinite, least)));
        const tilted_law at_low = tilted(law, v_low);
        range.low = fmax(0, at_low.mean - 0.5 * at_low.deviation);
    } else {
        const tilted_law middle = tilted(law, 0);
        range.low = fmax(0, middle.mean - 6 * middle.deviation);
    }
    return range;
}

static size_t plan_pieces(const simdp_pld *pld, simdp_pld_rounding upper, double delta_least, double delta_most,
                          pld_window window[PLD_PIECES_MOST])
{
    const double h = pld->grid;
    const total_law law = total_of(pld);
    const bool single = simdp_pld_total_times(pld) == 1;
    const plan_range range = range_of(&law, delta_least, delta_most);
    /* pieces from the top down: deviations are smallest there, if they change */
    size_t count = 0;
    pld_window found[PLD_PIECES_MOST];
    double to = range.high;
    for (;;) { /* bound: PLD_PIECES_MOST turns: the last piece reaches down to low, which is a number */
        pld_window *w = &found[count++];
        double v = count == 1 && single ? range.tilt_high : solve(&law, deficit_of_mean, 0, to);
        const tilted_law end = tilted(&law, v);
        double from =
            single || count == PLD_PIECES_MOST ? range.low : fmax(range.low, to - 2 * PIECE_HALF * end.deviation);
        if (from - range.low < end.deviation / 2) from = range.low;
        const double first = floor(from / h) - 1;
        if (!(fabs(first) < WINDOW_INDEX_MAX)) return 0; /* before it becomes an integer */
        *w = (pld_window){.from = (int64_t)first, .to = to};
        w->tilt = fmax(0, solve(&law, deficit_of_mean, 0, (from + to) / 2));
        const double log_delta = fmin(is_sampled(pld) ? end.cumulant - v * end.mean : log_delta_at(&end, v), 0);
        const bool placed = place_window(&law, upper, w, log_delta + LOG_LEFT_OUT, single);
        if (!place_with_less_tilt(&law, upper, w, log_delta, placed, single)) return 0;
        if (from <= range.low) break;
        to = from;
    }
    for (size_t i = 0; i < count; i++) window[i] = found[count - 1 - i];
    /* down to epsilon = 0 if all of delta is asked for and that is not far */
    if (delta_most >= 1 && window[0].from <= 2 * (window[0].last - window[0].first) + 10000) {
        window[0].from = -1;
        if (window[0].first > -4) window[0].first = -4;
    }
    return count;
}

/* ---- laws of many outcomes, simplified: a plan asks for cumulants a thousand times ---- */

enum { SKETCH_OUTCOMES = 1 << 15 };

/* Neighbouring outcomes as one, of their common mass and mean loss. */
typedef struct {
    double top, reference; /* highest loss; masses are relative to exp(reference) */
    double mass, loss;     /* sums of masses, and of masses times losses below the top */
} outcome_group;

static void group_add(outcome_group *g, double loss, double log_mass)
{
    if (log_mass > g->reference) {
        const double scale = plain_exp(g->reference - log_mass);
        g->mass *= scale, g->loss *= scale, g->reference = log_mass;
    }
    const double mass = plain_exp(log_mass - g->reference);
    g->mass += mass, g->loss += mass * (g->top - loss);
}

static void group_close(pld_law *sketch, const outcome_group *g)
{
    sketch->loss[sketch->n] = g->top - g->loss / g->mass;
    sketch->log_mass[sketch->n++] = g->reference + plain_log(g->mass);
}

/* The law with fewer outcomes, or itself if it has few or there is no memory: *own tells. */
static pld_law sketch_of(const pld_law *law, double grid, bool *own)
{
    pld_law sketch = *law;
    *own = false;
    if (law->kind != PLD_ATOMS || law->n <= SKETCH_OUTCOMES) return sketch;
    const double width = fmax(grid / 2, (law->most - law->least) / (SKETCH_OUTCOMES - 2));
    sketch.loss = malloc(SKETCH_OUTCOMES * sizeof *sketch.loss);
    sketch.log_mass = malloc(SKETCH_OUTCOMES * sizeof *sketch.log_mass);
    if (sketch.loss == NULL || sketch.log_mass == NULL) {
        simdp_pld_law_clear(&sketch);
        return *law;
    }
    *own = true;
    sketch.n = 0;
    outcome_group g = {.top = law->loss[0], .reference = law->log_mass[0]};
    for (size_t j = 0; j < law->n; j++) { /* losses fall; a group ends SKETCH_OUTCOMES times at most */
        if (g.top - law->loss[j] > width && sketch.n < SKETCH_OUTCOMES - 1) {
            group_close(&sketch, &g);
            g = (outcome_group){.top = law->loss[j], .reference = law->log_mass[j]};
        }
        group_add(&g, law->loss[j], law->log_mass[j]);
    }
    group_close(&sketch, &g);
    return sketch;
}

size_t simdp_pld_plan(const simdp_pld *pld, simdp_pld_rounding upper, double delta_least, double delta_most,
                      pld_window window[PLD_PIECES_MOST])
{
    simdp_pld sketch = *pld;
    bool *own = malloc((pld->count + 1) * sizeof *own);
    sketch.law = malloc((pld->count + 1) * sizeof *sketch.law);
    const bool drawn = own != NULL && sketch.law != NULL;
    for (size_t i = 0; drawn && i < pld->count; i++) sketch.law[i] = sketch_of(&pld->law[i], pld->grid, &own[i]);
    const size_t count = plan_pieces(drawn ? &sketch : pld, upper, delta_least, delta_most, window);
    for (size_t i = 0; drawn && i < pld->count; i++) {
        if (own[i]) free(sketch.law[i].loss), free(sketch.law[i].log_mass);
    }
    free(sketch.law);
    free(own);
    return count;
}
