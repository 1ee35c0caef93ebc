/* renyi_account.c: Renyi and zero-concentrated DP: sums, conversion to (epsilon, delta), the best order. */
#include "account/renyi_account.h"

#include "call/forms.h"
#include "loss/renyi.h"
#include "math/ball.h"
#include "math/plain_math.h"
#include "math/root.h"

/* (alpha, R)-RDP gives epsilon = R + ln(1 - 1/alpha) - (ln delta + ln alpha)/(alpha - 1); with x = alpha - 1 */
static double improved(ball x, ball divergence, ball log_delta)
{
    const ball gain = ball_log1p(ball_divide(ball_of(1.0), x)),
               price = ball_divide(ball_add(log_delta, ball_log1p(x)), x);
    return ball_up_positive(ball_subtract(ball_subtract(divergence, gain), price));
}

static bool is_convertible(double alpha, double divergence, double delta)
{
    return alpha > 0.0 && divergence >= 0.0 && is_probability(delta);
}

/* A divergence of 0, of any order, is that of two equal laws. */
static double renyi_convert(double alpha, double divergence, double delta)
{
    if (!is_convertible(alpha, divergence, delta)) return NAN;
    if (divergence == 0.0 || isinf(alpha)) return divergence;
    if (alpha <= 1.0 || delta == 0.0 || isinf(divergence)) return INFINITY;
    return improved(ball_subtract(ball_of(alpha), ball_of(1.0)), ball_of(divergence), ball_log(ball_of(delta)));
}

static double classic(double alpha, double divergence, double delta)
{
    if (!is_convertible(alpha, divergence, delta)) return NAN;
    if (divergence == 0.0 || isinf(alpha)) return divergence;
    if (alpha <= 1.0 || delta == 0.0 || isinf(divergence)) return INFINITY;
    const ball price = ball_divide(ball_log(ball_of(delta)), ball_subtract(ball_of(alpha), ball_of(1.0)));
    return ball_up(ball_subtract(ball_of(divergence), price));
}

/* alpha ln(1 - 1/alpha) - ln(alpha - 1), in a form whose terms are both negative */
static ball log_shape(ball alpha, ball x)
{
    if (x.value < 1.0) return ball_subtract(ball_multiply(x, ball_log(x)), ball_multiply(alpha, ball_log1p(x)));
    return ball_negative(ball_add(ball_multiply(alpha, ball_log1p(ball_divide(ball_of(1.0), x))), ball_log(x)));
}

/* ln of min(1, e^((alpha-1)(R - epsilon)) (1 - 1/alpha)^alpha/(alpha - 1)); R - epsilon is the sum of two doubles */
static double log_delta_of(double alpha, double divergence, double epsilon)
{
    if (!(alpha > 0.0 && divergence >= 0.0) || !is_epsilon(epsilon)) return NAN;
    if (divergence == 0.0) return -INFINITY;
    if (alpha <= 1.0 || isinf(divergence)) return 0.0;
    if (isinf(epsilon)) return -INFINITY;
    if (isinf(alpha)) return divergence <= epsilon ? -INFINITY : 0.0;
    const ball x = ball_subtract(ball_of(alpha), ball_of(1.0));
    const double away = divergence - epsilon, rest = sum_error(divergence, -epsilon, away);
    const ball gain = ball_add(ball_multiply(x, ball_of(away)), ball_multiply(x, ball_of(rest)));
    return fmin(0.0, ball_up(ball_add(gain, log_shape(ball_of(alpha), x))));
}

/* ---- public: pointwise ---- */

static double convert_form(double alpha, const double *p) { return renyi_convert(alpha, p[0], p[1]); }
static double classic_form(double alpha, const double *p) { return classic(alpha, p[0], p[1]); }
static double log_delta_form(double alpha, const double *p) { return log_delta_of(alpha, p[0], p[1]); }
static double delta_form(double alpha, const double *p)
{
    const double l = log_delta_of(alpha, p[0], p[1]);
    if (isnan(l)) return NAN;
    return l == -INFINITY ? 0.0 : ball_up_probability(ball_exp(ball_of(l)));
}

static double no_form(double alpha, const double *p)
{
    (void)alpha, (void)p;
    return NAN;
}

static simdp_form form_of(simdp_account_conversion what)
{
    switch (what) {
    case SIMDP_ACCOUNT_EPSILON: return convert_form;
    case SIMDP_ACCOUNT_EPSILON_CLASSIC: return classic_form;
    case SIMDP_ACCOUNT_DELTA: return delta_form;
    case SIMDP_ACCOUNT_LOG_DELTA: return log_delta_form;
    }
    return no_form;
}

simdp_status simdp_account_renyi_convert(double *out, const double *order, const double *divergence, const double *x,
                                         size_t n, simdp_account_conversion what)
{
    return simdp_forms_map_pairs(out, order, divergence, x, n, form_of(what));
}

/* ---- sums and the best order ---- */

static double added(double total, double divergence, int64_t count)
{
    if (!(total >= 0.0 && divergence >= 0.0 && count >= 0)) return NAN;
    if (count == 0 || divergence == 0.0) return total;
    return ball_up(ball_add(ball_of(total), ball_multiply(ball_of_count(count), ball_of(divergence))));
}

simdp_status simdp_account_renyi_add(double *total, const double *divergence, size_t n, int64_t count)
{
    FORMS_EACH(n, form_is_number(total[i] = added(total[i], divergence[i], count)), FORM_ARRAY(total),
               FORM_ARRAY(divergence));
}

simdp_status simdp_account_renyi_best(simdp_account_renyi_optimum *best, const double *order, const double *divergence,
                                      size_t n, double delta)
{
    if (best == NULL) return SIMDP_ENULL;
    simdp_status status = FORMS_GATE(n, FORM_ARRAY(order), FORM_ARRAY(divergence));
    if (status != SIMDP_OK) return status;
    const unsigned mode = fp_mode_enter();
    *best = (simdp_account_renyi_optimum){INFINITY, NAN};
    status = is_probability(delta) && n > 0 ? SIMDP_OK : SIMDP_EPARAM;
    for (size_t i = 0; i < n && status == SIMDP_OK; i++) {
        const double epsilon = renyi_convert(order[i], divergence[i], delta);
        if (isnan(epsilon)) status = SIMDP_EPARAM;
        if (epsilon < best->epsilon || isnan(best->order)) *best = (simdp_account_renyi_optimum){epsilon, order[i]};
    }
    if (status != SIMDP_OK) *best = (simdp_account_renyi_optimum){NAN, NAN};
    fp_mode_leave(mode);
    return status;
}

static double divergence_of(const simdp_account_renyi_step *step, double alpha)
{
    switch (step->law.mechanism) {
    case SIMDP_MECHANISM_LAPLACE: return simdp_renyi_of_laplace(alpha, step->law.parameter);
    case SIMDP_MECHANISM_GAUSSIAN: return simdp_renyi_of_gaussian(alpha, step->law.parameter);
    case SIMDP_MECHANISM_RANDOMIZED_RESPONSE: return simdp_renyi_of_randomized_response(alpha, step->law.parameter);
    case SIMDP_MECHANISM_ZCDP:
        return step->law.parameter >= 0.0 ? (step->law.parameter == 0.0 ? 0.0 : alpha * step->law.parameter) : NAN;
    default: return NAN;
    }
}

/* Divergences of order inf are parameters; the others are known to DIVERGENCE_ERROR, and may have underflowed unless
 * the step does nothing. */
#define DIVERGENCE_ERROR 1e-14
static ball known_divergence(const simdp_account_renyi_step *step, double alpha)
{
    const double d = divergence_of(step, alpha);
    const bool exact = isinf(alpha) || step->law.parameter == 0.0 || isinf(step->law.parameter);
    return exact ? ball_of(d) : ball_with(d, DIVERGENCE_ERROR * d + 0x1p-1074);
}

static double renyi_sum(double alpha, const simdp_account_renyi_step *steps, size_t count)
{
    ball sum = {0, 0};
    if (!(alpha > 0.0)) return NAN;
    for (size_t i = 0; i < count; i++) {
        const ball d = known_divergence(&steps[i], alpha);
        if (isnan(d.value) || steps[i].count < 0) return NAN;
        if (steps[i].count > 0) sum = ball_add(sum, ball_multiply(ball_of_count(steps[i].count), d));
    }
    return ball_up(sum);
}

simdp_status simdp_account_renyi_compose(double *divergence, const double *order, size_t n,
                                         const simdp_account_renyi_step *steps, size_t count)
{
    const simdp_status shared = n == 0 ? SIMDP_OK : FORMS_GATE(count, FORM_ARRAY(steps));
    if (shared != SIMDP_OK) return shared;
    FORMS_EACH(n, form_is_number(divergence[i] = renyi_sum(order[i], steps, count)), FORM_ARRAY(divergence),
               FORM_ARRAY(order));
}

/* The rule at order 1 + 2^place to rounding and below 0 too, for the search: x times it is convex in x, since the
 * cumulant (alpha - 1) R is and the entropy alpha ln alpha - x ln x is concave, so it falls, then rises. */
static double searched(const simdp_account_renyi_step *steps, size_t count, double log_delta, double place)
{
    const double x = plain_pow(2.0, place);
    double divergence = 0.0;
    for (size_t i = 0; i < count; i++) {
        if (steps[i].count > 0) divergence += (double)steps[i].count * divergence_of(&steps[i], 1.0 + x);
    }
    return divergence - plain_log1p(1.0 / x) - (log_delta + plain_log1p(x)) / x;
}

/* The place of the lowest value by golden sections; of two values that are equal, or both infinite, the lower order is
 * kept, since large orders are those that overflow. */
static double best_place(const simdp_account_renyi_step *steps, size_t count, double log_delta)
{
    const double golden = 0x1.3c6ef372fe950p-1;
    double low = -52.0, high = 1000.0;
    double e1 = high - golden * (high - low), e2 = low + golden * (high - low);
    double f1 = searched(steps, count, log_delta, e1), f2 = searched(steps, count, log_delta, e2);
    for (int i = 0; i < 60; i++) {
        if (f1 <= f2) {
            high = e2, e2 = e1, f2 = f1;
            e1 = high - golden * (high - low), f1 = searched(steps, count, log_delta, e1);
        } else {
            low = e1, e1 = e2, f1 = f2;
            e2 = low + golden * (high - low), f2 = searched(steps, count, log_delta, e2);
        }
    }
    return f1 <= f2 ? e1 : e2;
}

/* Every order gives a valid bound, so an imperfect minimum is loose, never wrong. */
simdp_account_renyi_optimum simdp_renyi_minimise(const simdp_account_renyi_step *steps, size_t count, double delta)
{
    const double whole = renyi_sum(INFINITY, steps, count); /* pure DP */
    if (isnan(whole) || !is_probability(delta)) return (simdp_account_renyi_optimum){NAN, NAN};
    if (delta == 1.0) return (simdp_account_renyi_optimum){0.0, 1.0};
    const double order = 1.0 + plain_pow(2.0, best_place(steps, count, plain_log(delta)));
    const double best = renyi_convert(order, renyi_sum(order, steps, count), delta);
    return whole <= best ? (simdp_account_renyi_optimum){whole, INFINITY} : (simdp_account_renyi_optimum){best, order};
}

simdp_status simdp_account_renyi_compose_epsilon(simdp_account_renyi_optimum *best, const double *delta, size_t n,
                                                 const simdp_account_renyi_step *steps, size_t count)
{
    const simdp_status shared = n == 0 ? SIMDP_OK : FORMS_GATE(count, FORM_ARRAY(steps));
    if (shared != SIMDP_OK) return shared;
    FORMS_EACH(n, form_is_number((best[i] = simdp_renyi_minimise(steps, count, delta[i])).epsilon), FORM_ARRAY(best),
               FORM_ARRAY(delta));
}

/* ---- zCDP: R = rho alpha; the best x = alpha - 1 is the root of rho x^2 + ln(1+x) = ln(1/delta) ---- */

typedef struct {
    double rho, log_inverse;
} zcdp_search;

static simdp_root_point zcdp_excess(double x, const void *context)
{
    const zcdp_search *s = context;
    return (simdp_root_point){s->rho * x * x + plain_log1p(x) - s->log_inverse, 2.0 * s->rho * x + 1.0 / (1.0 + x),
                              0.0};
}

simdp_account_zcdp_bound simdp_zcdp_convert(double rho, double delta)
{
    if (!(rho >= 0.0) || !is_probability(delta)) return (simdp_account_zcdp_bound){NAN, NAN, NAN};
    if (rho == 0.0 || delta == 1.0) return (simdp_account_zcdp_bound){0.0, rho, 1.0 / delta};
    if (delta == 0.0 || isinf(rho)) return (simdp_account_zcdp_bound){INFINITY, INFINITY, INFINITY};
    const ball log_delta = ball_log(ball_of(delta)), log_inverse = ball_negative(log_delta), r = ball_of(rho);
    const zcdp_search s = {rho, log_inverse.value};
    const ball away = ball_multiply(ball_sqrt(r), ball_sqrt(log_inverse));
    const double most = fmin(sqrt(s.log_inverse) / sqrt(rho), plain_expm1(s.log_inverse));
    const double x = simdp_root_increasing(zcdp_excess, &s, 0.0, most * (1.0 + 0x1p-40), most, NULL);
    const ball divergence = ball_add(r, ball_multiply(r, ball_of(x)));
    return (simdp_account_zcdp_bound){improved(ball_of(x), divergence, log_delta),
                                      ball_up(ball_add(r, ball_scale(away, 2.0))), 1.0 + x};
}

simdp_status simdp_account_zcdp_epsilon(simdp_account_zcdp_bound *bound, const double *rho, const double *delta,
                                        size_t n)
{
    FORMS_EACH(n, form_is_number((bound[i] = simdp_zcdp_convert(rho[i], delta[i])).epsilon), FORM_ARRAY(bound),
               FORM_ARRAY(rho), FORM_ARRAY(delta));
}

/* xi more, but for delta = 1, which promises nothing. */
static simdp_account_zcdp_bound with_offset(double xi, double rho, double delta)
{
    simdp_account_zcdp_bound bound = simdp_zcdp_convert(rho, delta);
    if (!(xi >= 0.0)) return (simdp_account_zcdp_bound){NAN, NAN, NAN};
    if (!isnan(bound.epsilon) && delta < 1.0) {
        bound.epsilon = add_up(bound.epsilon, xi);
        bound.epsilon_simple = add_up(bound.epsilon_simple, xi);
    }
    return bound;
}

simdp_status simdp_account_zcdp_offset_epsilon(simdp_account_zcdp_bound *bound, const double *xi, const double *rho,
                                               const double *delta, size_t n)
{
    FORMS_EACH(n, form_is_number((bound[i] = with_offset(xi[i], rho[i], delta[i])).epsilon), FORM_ARRAY(bound),
               FORM_ARRAY(xi), FORM_ARRAY(rho), FORM_ARRAY(delta));
}
