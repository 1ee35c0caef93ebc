/* pld_query.c: delta(epsilon), ln delta(epsilon) and epsilon(delta) from the pieces of a composed curve, and its
 * masses.
 */
#include <stdlib.h>

#include "account/pld.h"
#include "call/forms.h"
#include "math/ball.h"
#include "math/outward.h"
#include "math/plain_math.h"

/* One bound in one direction. */
typedef struct {
    const pld_curve *curve;
    bool upper;
    double grid, most;
} curve_bound;

/* ln of the finite part, -inf where there is none */
static double log_finite_of(const curve_bound *b, double epsilon)
{
    if (b->upper && !(epsilon < b->most)) return -INFINITY;
    return simdp_pld_log_finite(b->curve, b->upper, b->grid, epsilon);
}

static double log_delta_of(const curve_bound *b, double epsilon)
{
    const pld_curve *curve = b->curve;
    double log_delta = log_finite_of(b, epsilon);
    if (curve->infinite > 0) log_delta = simdp_pld_log_plus(log_delta, plain_log(curve->infinite));
    if (log_delta == -INFINITY) return log_delta;
    const double error = 8 * PLD_U * (1 + fabs(log_delta));
    return fmin(0, b->upper ? log_delta + error : log_delta - error);
}

/* Not from ln delta, which would cost the mass at +inf some of its digits. */
static double delta_of(const curve_bound *b, double epsilon)
{
    const double log_finite = log_finite_of(b, epsilon);
    ball delta = ball_of(b->curve->infinite);
    if (log_finite > -INFINITY)
        delta = ball_add(delta, ball_exp(ball_with(log_finite, 4 * PLD_U * (1 + fabs(log_finite)))));
    return b->upper ? ball_up_probability(delta) : ball_down_positive(delta);
}

static double epsilon_of(const curve_bound *b, double delta)
{
    const pld_curve *curve = b->curve;
    const bool upper = b->upper;
    const double grid = b->grid;
    if (delta >= 1) return 0;
    if (delta < curve->infinite) return INFINITY;
    const double target = (delta - curve->infinite) * (1 + (upper ? -4 : 4) * PLD_U);
    if (curve->count == 0) return 0;
    if (!(target > 0)) { /* everything finite must lie below */
        if (upper) return fmax(0, b->most);
        const double log_zero = log_delta_of(b, 0);
        if (log_zero == -INFINITY) return 0;
    }
    size_t i = 0;
    const double log_target = target > 0 ? plain_log(target) : -INFINITY;
    while (i + 1 < curve->count) {
        pld_curve part = *curve;
        part.slop = 0;
        if (simdp_pld_log_finite(&part, upper, grid, curve->piece[i].to) <= log_target) break;
        i++;
    }
    double epsilon = simdp_pld_piece_epsilon(&curve->piece[i], upper, grid, target);
    if (i > 0) epsilon = fmax(epsilon, curve->piece[i - 1].to); /* more than target there */
    if (i + 1 < curve->count) epsilon = fmin(epsilon, curve->piece[i].to);
    epsilon += upper ? curve->slop : -curve->slop;
    epsilon += (upper ? 8 : -8) * PLD_U * (fabs(epsilon) + grid);
    if (upper) epsilon = fmin(epsilon, b->most);
    return fmax(0, epsilon);
}

/* ---- arrays --------------------------------------------------------------------------------------------------- */

typedef double curve_function(const curve_bound *bound, double at);

typedef struct {
    const simdp_pld *pld;
    curve_function *f;
    double at_most;    /* of the argument */
    double lower_none; /* what stands for a lower bound that was not composed */
} curve_query;

/* A bound on the larger of both directions is the larger bound. */
static double larger(const curve_query *q, bool upper, double x)
{
    double result = -INFINITY;
    for (size_t i = 0; i < q->pld->sides; i++) {
        const pld_side *side = &q->pld->side[i];
        const bool none = !upper && side->lower.count == 0 && side->upper.count > 0;
        const curve_bound bound = {upper ? &side->upper : &side->lower, upper, q->pld->grid, side->most};
        result = fmax(result, none ? q->lower_none : q->f(&bound, x));
    }
    return result;
}

/* Both bounds at x, lower unless it is NULL; NaN, and false, if x is out of range or nothing is composed. */
static bool answer(const curve_query *q, double *lower, double *upper, double x)
{
    const bool good = q->pld->composed && x >= 0 && x <= q->at_most;
    *upper = good ? larger(q, true, x) : NAN;
    if (lower != NULL) *lower = good ? larger(q, false, x) : NAN;
    return good;
}

static simdp_status fill(curve_query q, double *lower, double *upper, const double *at, size_t n)
{
    if (q.pld == NULL) return SIMDP_ENULL;
    FORMS_EACH(n, answer(&q, lower == NULL ? NULL : &lower[i], &upper[i], at[i]), FORM_ARRAY(upper), FORM_ARRAY(at));
}

simdp_status simdp_pld_delta(const simdp_pld *pld, double *lower, double *upper, const double *epsilon, size_t n)
{
    return fill((curve_query){pld, delta_of, INFINITY, 0}, lower, upper, epsilon, n);
}

simdp_status simdp_pld_log_delta(const simdp_pld *pld, double *lower, double *upper, const double *epsilon, size_t n)
{
    return fill((curve_query){pld, log_delta_of, INFINITY, -INFINITY}, lower, upper, epsilon, n);
}

simdp_status simdp_pld_epsilon(const simdp_pld *pld, double *lower, double *upper, const double *delta, size_t n)
{
    return fill((curve_query){pld, epsilon_of, 1, 0}, lower, upper, delta, n);
}

/* ---- the composed law as masses on the grid
 * ----------------------------------------------------------------------- */

/* The upper bound of delta at index h, h the grid, also where that is negative. */
static double upper_at(const simdp_pld *pld, double index)
{
    const curve_query q = {pld, delta_of, INFINITY, 0};
    return larger(&q, true, index < 0 ? -mul_up(-index, pld->grid) : mul_down(index, pld->grid));
}

/* What a law has at place b if its curve is a line in e^epsilon from a to b and another from b to c: the change of its
 * slope. Places are indices less `first`; before all of them delta is 1 at e^epsilon = 0, after them it stays. */
static ball mass_at(const double *delta, double grid, const size_t *a, size_t b, const size_t *c)
{
    const ball here = ball_of(delta[b]), h = ball_of(grid);
    ball mass = ball_subtract(ball_of(a == NULL ? 1 : delta[*a]), here);
    if (a != NULL)
        mass = ball_divide(mass, ball_negative(ball_expm1(ball_multiply(ball_of((double)*a - (double)b), h))));
    if (c == NULL || delta[*c] == delta[b]) return mass;
    const ball away = ball_multiply(ball_of((double)*c - (double)b), h);
    if (away.value > 700) return mass;
    return ball_subtract(mass, ball_divide(ball_subtract(here, ball_of(delta[*c])), ball_expm1(away)));
}

/* delta[i] for i < n, falling, becomes masses. The exact curve is convex and below all of these points, so it is below
 * their lower convex hull. A point that rounding keeps or drops wrongly makes the curve of the masses larger, if
 * anything, as masses are rounded up and never negative. kept: room for n places. */
void simdp_pld_masses_of_hull(double *delta, size_t n, double grid, size_t *kept)
{
    size_t count = 0;
    for (size_t c = 0; c < n; c++) {
        while (count > 0 && mass_at(delta, grid, count > 1 ? &kept[count - 2] : NULL, kept[count - 1], &c).value <= 0)
            count--;
        kept[count++] = c;
    }
    double before = 0; /* mass of the last place, which the next one still needs the delta of */
    size_t place = 0;
    for (size_t k = 0; k < count; k++) {
        const double mass = ball_up_probability(
            mass_at(delta, grid, k > 0 ? &kept[k - 1] : NULL, kept[k], k + 1 < count ? &kept[k + 1] : NULL));
        if (k > 0) delta[place] = before;
        for (size_t i = k > 0 ? place + 1 : 0; i < kept[k]; i++) delta[i] = 0;
        before = mass, place = kept[k];
    }
    delta[place] = before; /* the last place is always kept */
}

simdp_status simdp_pld_composed_masses(const simdp_pld *pld, double *mass, size_t n, int64_t first)
{
    if (pld == NULL || (n > 0 && mass == NULL)) return SIMDP_ENULL;
    if (n > SIZE_MAX / sizeof *mass) return SIMDP_EPARAM;
    const bool good = pld->composed && n >= 2 && n <= PLD_ENTRIES_MOST && first <= (int64_t)PLD_INDEX_MAX &&
                      first >= -(int64_t)PLD_INDEX_MAX;
    size_t *kept = good ? malloc(n * sizeof *kept) : NULL;
    const simdp_status status = !good ? SIMDP_EPARAM : kept == NULL ? SIMDP_ENOMEMORY : SIMDP_OK;
    const unsigned saved = fp_mode_enter();
    for (size_t i = 0; i < n && status != SIMDP_OK; i++) mass[i] = NAN;
    if (status == SIMDP_OK) {
        double least = 1;
        for (size_t i = 0; i + 1 < n; i++) mass[i] = least = fmin(least, upper_at(pld, (double)first + (double)i));
        mass[n - 1] = least;
        simdp_pld_masses_of_hull(mass, n - 1, pld->grid, kept);
    }
    fp_mode_leave(saved);
    free(kept);
    return status;
}

size_t simdp_pld_points(const simdp_pld *pld)
{
    size_t points = 0;
    if (pld == NULL || !pld->composed) return 0;
    for (size_t k = 0; k < pld->sides; k++) {
        for (size_t i = 0; i < pld->side[k].upper.count; i++) points += pld->side[k].upper.piece[i].points;
    }
    return points;
}
