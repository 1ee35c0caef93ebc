/* pld_query.c: delta(epsilon), ln delta(epsilon) and epsilon(delta) from the pieces of a composed curve. */
#include "account/pld.h"
#include "call/forms.h"
#include "math/ball.h"
#include "math/outward.h"
#include "math/plain_math.h"

/* ln of the finite part, -inf where there is none */
static double log_finite_of(const simdp_pld *pld, const pld_curve *curve, bool upper, double epsilon)
{
    if (upper && !(epsilon < pld->most)) return -INFINITY;
    return simdp_pld_log_finite(curve, upper, pld->grid, epsilon);
}

static double log_delta_of(const simdp_pld *pld, const pld_curve *curve, bool upper, double epsilon)
{
    double log_delta = log_finite_of(pld, curve, upper, epsilon);
    if (curve->infinite > 0) log_delta = simdp_pld_log_plus(log_delta, plain_log(curve->infinite));
    if (log_delta == -INFINITY) return log_delta;
    const double error = 8 * PLD_U * (1 + fabs(log_delta));
    return fmin(0, upper ? log_delta + error : log_delta - error);
}

/* Not from ln delta, which would cost the mass at +inf some of its digits. */
static double delta_of(const simdp_pld *pld, const pld_curve *curve, bool upper, double epsilon)
{
    const double log_finite = log_finite_of(pld, curve, upper, epsilon);
    ball delta = ball_of(curve->infinite);
    if (log_finite > -INFINITY)
        delta = ball_add(delta, ball_exp(ball_with(log_finite, 4 * PLD_U * (1 + fabs(log_finite)))));
    return upper ? ball_up_probability(delta) : ball_down_positive(delta);
}

static double epsilon_of(const simdp_pld *pld, const pld_curve *curve, bool upper, double delta)
{
    const double grid = pld->grid;
    if (delta >= 1) return 0;
    if (delta < curve->infinite) return INFINITY;
    const double target = (delta - curve->infinite) * (1 + (upper ? -4 : 4) * PLD_U);
    if (curve->count == 0) return 0;
    if (!(target > 0)) { /* everything finite must lie below */
        if (upper) return fmax(0, pld->most);
        const double log_zero = log_delta_of(pld, curve, false, 0);
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
    if (upper) epsilon = fmin(epsilon, pld->most);
    return fmax(0, epsilon);
}

/* ---- arrays --------------------------------------------------------------------------------------------------- */

typedef double curve_function(const simdp_pld *pld, const pld_curve *curve, bool upper, double at);

typedef struct {
    const simdp_pld *pld;
    curve_function *f;
    double at_most;    /* of the argument */
    double lower_none; /* what stands for a lower bound that was not composed */
} curve_query;

/* Both bounds at x, lower unless it is NULL; NaN, and false, if x is out of range or nothing is composed. */
static bool answer(const curve_query *q, double *lower, double *upper, double x)
{
    const simdp_pld *pld = q->pld;
    const bool good = pld->composed && x >= 0 && x <= q->at_most;
    *upper = good ? q->f(pld, &pld->upper, true, x) : NAN;
    if (lower == NULL) return good;
    const bool none = pld->lower.count == 0 && pld->upper.count > 0;
    *lower = !good ? NAN : none ? q->lower_none : q->f(pld, &pld->lower, false, x);
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

size_t simdp_pld_points(const simdp_pld *pld)
{
    size_t points = 0;
    if (pld == NULL || !pld->composed) return 0;
    for (size_t i = 0; i < pld->upper.count; i++) points += pld->upper.piece[i].points;
    return points;
}
