/* pld_compose.c: masses of the steps -> powers of their spectra -> the curve of one piece. Everything that is not exact
 * is bounded and put on the safe side:
 *
 *   relative   masses of a step carry a relative error r_j each, so masses of the sum carry sum times_j r_j, and the
 *              sweep 4 u per point
 *   noise      rounding in transforms and powers. A transform errs by at most e = simdp_fft_error at each frequency
 *              (the masses of a step add up to 1), powers and products as pld_spectrum.c says. The inverse averages
 *              over the N/2 frequencies and adds e times the mean modulus: a bound on each mass of the sum, small
 *              against the largest of them because |z|^k is
 *   extra      tilted: steps outside their reach, and what lies above the window (Chernoff), also where it wraps around
 *   absolute   what lies below the window and wraps around: at most exp(-v W) P[S below], W the width of the window; by
 *              its logarithm, as it may be less than the least double
 */
#include <stdlib.h>
#include <string.h>

#include "account/pld.h"
#include "call/fp_mode.h"
#include "fft/fft.h"
#include "math/plain_math.h"

#define LOG_OUTSIDE (-41.5) /* ln 1e-18: what the steps together may have outside their reach */
#define LOG_OUTSIDE_SAMPLED \
    (-27.6)                   /* ln 1e-12, where the tails of a step are long and each of their masses an integral */
#define TILTED_MOST  0x1p600  /* a bound above says nothing, and must not become inf */
#define TILTED_LEAST 0x1p-800 /* products of less may be subnormal: 0.99 times the least double is itself */

bool simdp_pld_tell(const pld_meter *m, double part)
{
    const double done = m->done + part;
    if (m->call == NULL) return true;
    fp_mode_leave(m->mode);
    const int stop = m->call(m->context, done < m->total ? done / m->total : 1);
    (void)fp_mode_enter();
    return stop == 0 && !m->pld->unwanted;
}

static bool advance(pld_meter *m)
{
    m->done += 1;
    return simdp_pld_tell(m, 0);
}

/* ---- one piece ------------------------------------------------------------------------------------------------ */

typedef struct {
    const simdp_pld *pld;
    const pld_window *window;
    simdp_pld_rounding rounding;
    bool upper;
    simdp_fft *fft;
    double *factor, *errors; /* work */
    double relative, slop, outside, noise;
    pld_bins bins;
    pld_meter *meter;
} builder;

/* Bounds that hold for both. */
static void join_bins(pld_bins *all, const pld_bins *one)
{
    all->spread = fmax(all->spread, one->spread);
    all->lowered = fmax(all->lowered, one->lowered);
    for (int i = 0; i < 2; i++) all->wide[i] = fmax(all->wide[i], one->wide[i]);
}

/* Masses of one step into data, tilted, and divided by their sum if the step is one of several. False if that was to
 * stop. */
static bool put_step(builder *b, pld_piece *piece, const pld_law *law, double *data, bool divide)
{
    pld_sink sink = {.mass = data,
                     .points = piece->points,
                     .transform = piece->transform,
                     .grid = b->pld->grid,
                     .tilt = piece->tilt,
                     .log_norm = simdp_pld_cumulant(law, b->pld->grid, piece->tilt),
                     .rounding = b->rounding,
                     .meter = b->meter,
                     .first = piece->first,
                     .last = piece->first + (int64_t)piece->points - 1};
    if (simdp_pld_is_sampled(law)) {
        sink.order[0] = b->window->top_order, sink.order[1] = -b->window->bottom_order;
        for (int i = 0; i < 2; i++) sink.log_moment[i] = simdp_pld_sampled_cumulant(law, sink.order[i]);
    }
    double sum = 1;
    memset(data, 0, piece->points * sizeof *data);
    if (divide) {
        const double log_outside =
            (b->pld->sides > 1 ? LOG_OUTSIDE_SAMPLED : LOG_OUTSIDE) - plain_log(simdp_pld_total_times(b->pld));
        const bool whole = simdp_pld_reach(law, b->pld->grid, piece->tilt, log_outside, &sink.first, &sink.last);
        simdp_pld_put(&sink, law);
        sum = sink.sum > 0 ? sink.sum : 1; /* bins may be empty */
        for (size_t i = 0; i < piece->points; i++) data[i] /= sum;
        if (!whole) b->outside += (double)law->times * plain_exp(log_outside) / sum;
    } else {
        simdp_pld_put(&sink, law);
    }
    const double k = (double)law->times, log_sum = plain_log(sum);
    b->relative += k * (sink.relative + 4 * PLD_U);
    b->slop += k * sink.slop;
    join_bins(&b->bins, &sink.bins);
    piece->log_scale += k * (sink.log_norm + log_sum) - (b->upper ? 0 : k * law->log_excess);
    piece->log_scale_error += 8 * PLD_U * k * (fabs(sink.log_norm) + fabs(log_sum) + law->log_excess);
    return !sink.stopped;
}

/* The masses of the sum, in piece->at. */
static simdp_status sum_of_steps(builder *b, pld_piece *piece)
{
    const simdp_pld *pld = b->pld;
    const size_t frequencies = piece->points / 2;
    size_t left = 0;
    for (size_t i = 0; i < pld->count; i++) left += pld->law[i].times > 0;
    const bool several = left > 1;
    if (several) {
        b->factor = simdp_fft_alloc(piece->points);
        b->errors = malloc(frequencies * sizeof *b->errors);
        if (b->factor == NULL || b->errors == NULL) return SIMDP_ENOMEMORY;
    }
    const double e = simdp_fft_error(b->fft);
    pld_spectrum_sums sums = {0, 0};
    bool first = true;
    for (size_t i = 0; i < pld->count; i++) {
        if (pld->law[i].times == 0) continue;
        double *data = first ? piece->at : b->factor;
        if (!put_step(b, piece, &pld->law[i], data, true)) return SIMDP_ECANCELLED;
        simdp_fft_forward(b->fft, data);
        sums = simdp_pld_multiply_power(piece->at, b->errors, data, frequencies, pld->law[i].times, e, first);
        first = false;
        if (!advance(b->meter)) return SIMDP_ECANCELLED;
    }
    simdp_fft_backward(b->fft, piece->at);
    b->noise = (sums.error + e * (sums.modulus + sums.error)) / (double)frequencies * (1 + 0x1p-30);
    const double scale = 1 / (double)frequencies;
    for (size_t i = 0; i < piece->points; i++) piece->at[i] *= scale;
    b->relative += 4 * PLD_U;
    return SIMDP_OK;
}

/* What the lower bound keeps of a tilted number. */
static double kept(bool upper, double x) { return upper || x > TILTED_LEAST ? x : 0; }

/* From the top: with B the sum of p_j exp(s - s_j) above s, C = p + B and D = delta(s), all positive,
 * D(s - h) = D + (1 - e^-h) C and B(s - h) = e^-h C; tilted, both times e^-vh. */
static void sweep(const builder *b, pld_piece *piece, double above)
{
    const double h = b->pld->grid, fall = plain_exp(-piece->tilt * h), fall_more = plain_exp(-(piece->tilt + 1) * h),
                 part = -plain_expm1(-h);
    const double relative = plain_expm1(b->relative + 4 * PLD_U * (double)piece->points + 64 * PLD_U);
    const double noise = b->noise + TILTED_LEAST, shift = b->upper ? noise : -noise;
    const double scale = b->upper ? 1 + relative : fmax(0, 1 - relative);
    const size_t points = piece->points;
    bool turned = false;
    size_t place = piece->transform ? simdp_pld_place(piece->first + (int64_t)points - 1, points, &turned) : points - 1;
    double d = b->upper ? above : 0, sum = 0;
    for (size_t i = 0; i < points; i++) {
        const size_t slot = piece->transform ? simdp_fft_slot(points, place) : place;
        const double mass = (turned ? -piece->at[slot] : piece->at[slot]) + shift,
                     c = (mass > 0 ? mass * scale : 0) + sum;
        piece->at[slot] = d;
        d = kept(b->upper, fall * (d + part * c));
        sum = kept(b->upper, fall_more * c);
        if (place == 0) place = points, turned = !turned;
        place--;
    }
}

/* The masses of the sum in piece->at: of a single step as they are, of several by transforms. */
static simdp_status put_sum(builder *b, pld_piece *piece)
{
    if ((piece->at = simdp_fft_alloc(piece->points)) == NULL) return SIMDP_ENOMEMORY;
    if (piece->transform) {
        const simdp_status status = simdp_fft_create(&b->fft, piece->points);
        return status == SIMDP_OK ? sum_of_steps(b, piece) : status;
    }
    for (size_t i = 0; i < b->pld->count; i++) {
        const pld_law *law = &b->pld->law[i];
        if (law->times > 0 && !put_step(b, piece, law, piece->at, false)) return SIMDP_ECANCELLED;
    }
    return advance(b->meter) ? SIMDP_OK : SIMDP_ECANCELLED;
}

/* ln of what lies below the window and wraps around; -inf if nothing does. */
static double log_wrapped_below(const builder *b, const pld_piece *piece, double width)
{
    const pld_window *w = b->window;
    if (!piece->transform || w->whole_below) return -INFINITY;
    return fmin(0, simdp_pld_total_cumulant(b->pld, b->rounding, b->bins, -w->bottom_order) +
                       w->bottom_order * (double)piece->first * b->pld->grid) -
           piece->tilt * width;
}

/* Bounds on what the window leaves out, by Chernoff. Returns the tilted mass above the window, which the sweep adds. */
static double bound_outside(const builder *b, pld_piece *piece)
{
    const pld_window *w = b->window;
    const double h = b->pld->grid, v = piece->tilt, top = (double)w->last * h, width = (double)piece->points * h;
    piece->top_order = w->top_order;
    piece->top_cumulant = simdp_pld_total_cumulant(b->pld, b->rounding, b->bins, w->top_order);
    /* tilted mass above x: at the top, and a window above `from`, whence it wraps around to above `from` */
    const double log_tail = piece->top_cumulant - piece->log_scale, order = w->top_order - v;
    double above = 0, wrapped = 0;
    if (!w->whole_above) above = fmin(TILTED_MOST, plain_exp(log_tail - order * top) * (1 + 0x1p-30));
    if (!w->whole_above && piece->transform)
        wrapped = fmin(TILTED_MOST, plain_exp(log_tail - order * fmax(top, (double)w->from * h + width)));
    const double sign = b->upper ? 1 : -1, cell = plain_exp(v * h) * (1 + 0x1p-30), outside = b->upper ? b->outside : 0;
    piece->extra = sign * cell * (wrapped + outside);
    piece->extra_below = sign * cell * ((piece->transform ? above : 0) + outside);
    piece->log_absolute = log_wrapped_below(b, piece, width) + 0x1p-48 * (1 + v * width);
    return above;
}

static simdp_status build_piece(builder *b, pld_piece *piece)
{
    const pld_window *w = b->window;
    const bool single = simdp_pld_total_times(b->pld) == 1;
    size_t points = (size_t)(w->last - w->first) + 1;
    if (!single && (points = simdp_fft_points(points)) == 0) return SIMDP_EPARAM;
    *piece = (pld_piece){.tilt = w->tilt,
                         .from = w->from,
                         .to = w->to,
                         .points = points,
                         .transform = !single,
                         .first = w->last - (int64_t)points + 1};
    simdp_status status = put_sum(b, piece);
    if (status == SIMDP_OK) {
        sweep(b, piece, bound_outside(b, piece));
        if (!advance(b->meter)) status = SIMDP_ECANCELLED;
    }
    simdp_fft_destroy(b->fft);
    simdp_fft_free(b->factor);
    free(b->errors);
    return status;
}

/* 1 - the product of (1 - infinite)^times, on the safe side. The lower bound takes what entries have above 1 off all of
 * them. Logarithms and their sum are right to u times a few for each law, all of one sign; so is the result. */
static double infinite_of(const simdp_pld *pld, bool upper)
{
    double log_finite = 0;
    for (size_t i = 0; i < pld->count; i++) {
        const pld_law *law = &pld->law[i];
        const double mass = upper ? law->infinite_up : law->infinite * plain_exp(-law->log_excess) * (1 - 4 * PLD_U);
        if (law->times > 0) log_finite += (double)law->times * plain_log1p(-mass);
    }
    const double error = 16 * PLD_U * (double)(pld->count + 1);
    return fmin(1, -plain_expm1(log_finite) * (upper ? 1 + error : fmax(0, 1 - error)));
}

simdp_status simdp_pld_build(const simdp_pld *pld, const pld_window *window, size_t count, simdp_pld_rounding rounding,
                             bool upper, pld_meter *m, pld_curve *curve)
{
    *curve = (pld_curve){.piece = calloc(count, sizeof *curve->piece)};
    if (curve->piece == NULL) return SIMDP_ENOMEMORY;
    curve->infinite = infinite_of(pld, upper);
    for (size_t i = 0; i < count; i++) {
        builder b = {.pld = pld, .window = &window[i], .rounding = rounding, .upper = upper, .meter = m};
        const simdp_status status = build_piece(&b, &curve->piece[i]);
        curve->count = i + 1;
        if (status != SIMDP_OK) return status;
        curve->slop = fmax(curve->slop, b.slop);
    }
    /* where two pieces meet the curve must not rise with epsilon: pieces know the best value of those on one side */
    for (size_t k = 0; k + 1 < count; k++) {
        const size_t i = upper ? k : count - 2 - k;
        const pld_curve one = {.piece = &curve->piece[upper ? i : i + 1], .count = 1, .slop = curve->slop};
        double at = simdp_pld_log_finite(&one, upper, pld->grid, curve->piece[i].to);
        if (k > 0) at = upper ? fmin(at, curve->piece[i - 1].log_delta_to) : fmax(at, curve->piece[i + 1].log_delta_to);
        curve->piece[i].log_delta_to = at;
    }
    return SIMDP_OK;
}

static double steps_of(const simdp_pld *pld)
{
    double steps = 1;
    for (size_t i = 0; i < pld->count; i++) steps += pld->law[i].times > 0;
    return steps;
}

/* Sets *most; false if no finite loss can be told from another: nothing is used, or a step has none. */
static bool find_most(const simdp_pld *pld, double *most)
{
    bool any = false, unbounded = false; /* unbounded: a step without any finite loss */
    double size = 0;
    *most = 0;
    for (size_t i = 0; i < pld->count; i++) {
        const pld_law *law = &pld->law[i];
        if (law->times == 0) continue;
        any = true;
        unbounded = unbounded || ((law->kind == PLD_ATOMS || law->kind == PLD_HISTOGRAM) && law->n == 0);
        *most += (double)law->times * law->most;
        size += (double)law->times * fabs(law->most);
    }
    *most += 16 * PLD_U * size;
    return any && !unbounded;
}

/* What a composition is asked for. */
typedef struct {
    double delta_least, delta_most;
    simdp_pld_rounding upper, lower;
} compose_request;

/* By how much the curve where it begins to be sharp is below the largest delta asked for, in nats; not above 0 if it
 * reaches that. */
static double missed_below(const simdp_pld *pld, const pld_side *side, const compose_request *r, const pld_window *w)
{
    if (w->from <= 0) return 0;
    const double least = r->delta_least / 1024, wanted = fmax(r->delta_most - side->upper.infinite, least);
    return plain_log(wanted) - simdp_pld_log_finite(&side->upper, true, pld->grid, (double)(w->from + 1) * pld->grid);
}

/* One direction, to which all laws are turned; it is number `done` of `sides`. */
static simdp_status compose(const simdp_pld *pld, pld_side *side, const compose_request *r, size_t done, size_t sides,
                            pld_meter *m)
{
    pld_window window[PLD_PIECES_MOST];
    if (!find_most(pld, &side->most)) { /* delta is the same everywhere */
        side->upper.infinite = infinite_of(pld, true), side->lower.infinite = infinite_of(pld, false);
        return SIMDP_OK;
    }
    double least = r->delta_least, most = r->delta_most;
    for (int attempt = 0;; attempt++) { /* bound: 5 turns */
        const size_t count = simdp_pld_plan(pld, r->upper, least, most, window);
        if (count == 0) return SIMDP_EPARAM;
        const double steps = (double)count * steps_of(pld) * (r->lower == SIMDP_PLD_NONE ? 1 : 2);
        m->done = (double)done * steps;
        m->total = (double)sides * steps;
        simdp_pld_curve_clear(&side->upper);
        simdp_status status = simdp_pld_build(pld, window, count, r->upper, true, m, &side->upper);
        if (status != SIMDP_OK) return status;
        /* the plan took the tilted sums for Gaussian; if that was so wrong that the range is not reached, look further
         * out; few steps behind sampling also miss its lower end */
        const double excess = simdp_pld_log_finite(&side->upper, true, pld->grid, window[count - 1].to) -
                              plain_log(fmax(r->delta_least - side->upper.infinite, r->delta_least / 1024));
        const double deficit = (sides > 1 || pld->heavy) && most < 1 ? missed_below(pld, side, r, &window[0]) : 0;
        const bool beyond = excess > 2 && window[count - 1].to < side->most;
        if ((beyond || deficit > 0) && attempt < 4) {
            if (beyond) least = fmax(least * plain_exp(-excess - 2), 0x1p-1060);
            if (deficit > 0) most = attempt < 2 ? fmin(1, most * plain_exp(2 * deficit + 2)) : 1;
            continue;
        }
        if (r->lower == SIMDP_PLD_NONE) return SIMDP_OK;
        return simdp_pld_build(pld, window, count, r->lower, false, m, &side->lower);
    }
}

/* Both directions if a law has two. */
static simdp_status compose_sides(simdp_pld *pld, const compose_request *r, pld_meter *m)
{
    pld->sides = simdp_pld_turn(pld, false) ? 2 : 1;
    simdp_status status = SIMDP_OK;
    for (size_t i = 0; i < pld->sides && status == SIMDP_OK; i++) {
        (void)simdp_pld_turn(pld, i == 1);
        status = compose(pld, &pld->side[i], r, i, pld->sides, m);
    }
    return status;
}

simdp_status simdp_pld_compose(simdp_pld *pld, double delta_least, double delta_most, simdp_pld_rounding upper,
                               simdp_pld_rounding lower, simdp_pld_progress *progress, void *context)
{
    if (pld == NULL) return SIMDP_ENULL;
    if (pld->busy) return SIMDP_EPARAM;
    pld_meter m = {.pld = pld, .call = progress, .context = context, .mode = fp_mode_enter()};
    simdp_pld_forget_composition(pld);
    simdp_status status = SIMDP_EPARAM;
    if (delta_least >= 1e-300 && delta_least <= delta_most && delta_most <= 1 &&
        (upper == SIMDP_PLD_UP || upper == SIMDP_PLD_DOTS) &&
        (lower == SIMDP_PLD_NONE || lower == SIMDP_PLD_DOWN || lower == SIMDP_PLD_BINS)) {
        pld->busy = true;
        const compose_request request = {delta_least, delta_most, upper, lower};
        status = compose_sides(pld, &request, &m);
        pld->busy = false;
    }
    if (status == SIMDP_OK) pld->composed = true;
    else simdp_pld_forget_composition(pld);
    if (pld->unwanted) simdp_pld_destroy(pld);
    fp_mode_leave(m.mode);
    return status;
}
