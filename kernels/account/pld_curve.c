/* pld_curve.c: the bound that the pieces of a composed curve give: ln delta at an epsilon, epsilon at a delta. */
#include <float.h>

#include "fft/fft.h"
#include "account/pld.h"
#include "math/outward.h"
#include "math/plain_math.h"

/* ---- one piece ------------------------------------------------------------------------------------------------ */

static size_t slot_of(const pld_piece *p, int64_t index)
{
    if (!p->transform) return (size_t)(index - p->first);
    bool turned;
    return simdp_fft_slot(p->points, simdp_pld_place(index, p->points, &turned));
}

static int64_t last_of(const pld_piece *p) { return p->first + (int64_t)p->points - 1; }

/* exp(this) turns tilted numbers at index i into plain ones, a little on the safe side. */
static double log_factor(const pld_piece *p, bool upper, double grid, double index)
{
    const double weight = p->tilt * (index * grid), sum = p->log_scale - weight;
    const double error = p->log_scale_error + 4 * PLD_U * (fabs(p->log_scale) + fabs(weight) + 4);
    return upper ? sum + error : sum - error;
}

double simdp_pld_log_plus(double x, double y)
{
    const double most = fmax(x, y), least = fmin(x, y);
    return least == -INFINITY ? most : most + plain_log1p(plain_exp(least - most));
}

/* ln max(0, e^x - e^y) */
static double log_minus(double x, double y)
{
    if (y == -INFINITY) return x;
    return x > y ? x + plain_log1p(-plain_exp(y - x)) : -INFINITY;
}

/* With what wraps around from below the window, which may be too little for a double. */
static double with_wrapped(const pld_piece *p, bool upper, double log_delta)
{
    return upper ? simdp_pld_log_plus(log_delta, p->log_absolute) : log_minus(log_delta, p->log_absolute);
}

/* Tilted values at index - 1 and index, in units of the tilted numbers at index; index > first. */
static void cell(const pld_piece *p, double grid, int64_t index, double *below, double *here)
{
    const double extra = index <= p->from ? p->extra_below : p->extra;
    *here = p->at[slot_of(p, index)] + extra;
    *below = p->at[slot_of(p, index - 1)] * plain_exp(p->tilt * grid) + extra;
}

/* A tilted value as ln delta. Where the error of a composition has no bound its numbers are infinite, and what is made
 * of them NaN: then nothing is known but that delta lies between 0 and 1. */
static double untilted(const pld_piece *p, bool upper, double grid, double index, double tilted)
{
    if (!(tilted <= DBL_MAX)) return upper ? 0 : -INFINITY;
    return with_wrapped(p, upper, tilted > 0 ? log_factor(p, upper, grid, index) + plain_log(tilted) : -INFINITY);
}

static double window_log_delta(const pld_piece *p, bool upper, double grid, double epsilon)
{
    const pld_cell at = simdp_pld_cell_of(-epsilon, grid);
    double index = -at.index, x = at.above; /* epsilon = index grid - x, 0 <= x < grid */
    if (index == (double)p->from && x == 0) index += 1, x = grid;
    if (!upper && index <= (double)p->from) index = (double)p->from + 1, x = grid; /* the curve only falls */
    if (index <= (double)p->first) { /* below the window: delta is at most 1, and at least what it is in the window */
        if (upper) return 0;
        index = (double)p->first + 1, x = grid;
    }
    if (index > (double)last_of(p)) {
        if (!upper) return -INFINITY;
        return untilted(p, upper, grid, (double)last_of(p), p->at[slot_of(p, last_of(p))] + p->extra);
    }
    double below, here;
    cell(p, grid, (int64_t)index, &below, &here);
    const double part = x == 0 ? 0 : plain_expm1(-x) / plain_expm1(-grid);
    return untilted(p, upper, grid, index, here * (1 - part) + below * part);
}

/* Where a window is not sharp Chernoff's bound may be the smaller one. It counts everywhere, so that delta at an
 * epsilon that came from it is what it says. */
static double piece_log_delta(const pld_piece *p, bool upper, double grid, double epsilon)
{
    const double log_delta = window_log_delta(p, upper, grid, epsilon);
    return upper ? fmin(log_delta, p->top_cumulant - p->top_order * epsilon) : log_delta;
}

/* The epsilon in (s - h, s], s of index, where the finite part passes target, given that it does there. */
static double solve_in_cell(const pld_piece *p, bool upper, double grid, int64_t index, double target)
{
    const double s = (double)index * grid, wrapped = plain_exp(p->log_absolute),
                 left = upper ? target - wrapped : target + wrapped;
    if (index <= p->first) return s;
    double below, here;
    cell(p, grid, index, &below, &here);
    const double wanted = left > 0 ? plain_exp(plain_log(left) - log_factor(p, upper, grid, (double)index)) : 0;
    if (!(below > here)) return upper || wanted < here ? s : s - grid; /* flat, as beyond the last loss */
    /* part = (1 - e^-x) / (1 - e^-h), and what is left of it: near the lower end of a wide cell e^-x is less than an
     * ulp of 1, and 1 less a part of it would be 0 */
    const double part = fmin(1, (wanted - here) / (below - here)), rest = fmax(0, (below - wanted) / (below - here));
    if (!(part > 0)) return s;
    if (part < 0.5 || grid < 1) return s + plain_log1p(part * plain_expm1(-grid));
    return rest > 0 ? s + plain_log(plain_exp(-grid) - rest * plain_expm1(-grid)) : s - grid;
}

double simdp_pld_piece_epsilon(const pld_piece *p, bool upper, double grid, double target)
{
    const double log_target = plain_log(target);
    int64_t low = p->first - 1, high = last_of(p); /* delta(s_low) > target >= delta(s_high) */
    if (piece_log_delta(p, upper, grid, (double)high * grid) > log_target) {
        if (!upper) return (double)high * grid;
        return (p->top_cumulant - log_target) / p->top_order; /* Chernoff */
    }
    if (!upper && piece_log_delta(p, upper, grid, (double)p->from * grid) <= log_target) return 0;
    while (high - low > 1) { /* bound: 63 turns, as each halves the distance */
        const int64_t middle = low + (high - low) / 2;
        if (piece_log_delta(p, upper, grid, (double)middle * grid) > log_target) low = middle;
        else high = middle;
    }
    return solve_in_cell(p, upper, grid, high, target);
}

/* ---- the curve ------------------------------------------------------------------------------------------------ */

double simdp_pld_log_finite(const pld_curve *curve, bool upper, double grid, double epsilon)
{
    if (curve->count == 0) return -INFINITY;
    epsilon = upper ? add_down(epsilon, -curve->slop) : add_up(epsilon, curve->slop); /* may be less than an ulp */
    size_t i = 0;
    while (i + 1 < curve->count && epsilon > curve->piece[i].to) i++;
    double log_delta = piece_log_delta(&curve->piece[i], upper, grid, epsilon);
    if (upper && i > 0) log_delta = fmin(log_delta, curve->piece[i - 1].log_delta_to);
    if (!upper && i + 1 < curve->count) log_delta = fmax(log_delta, curve->piece[i].log_delta_to);
    return log_delta;
}
