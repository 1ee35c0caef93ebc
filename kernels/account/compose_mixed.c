/* compose_mixed.c: steps that differ (heterogeneous composition), and what a step may cost for a given total. */
#include "account/account.h"
#include "call/forms.h"
#include "math/outward_functions.h"
#include "math/plain_math.h"
#include "math/root.h"

typedef struct {
    outward_sum epsilon, delta, log_lost; /* log_lost: of -ln(1-delta) */
    outward_sum mean, squares;            /* of e tanh(e/2) in units of 2^unit, of e^2 in units of its square */
    int unit;
} step_sums;

/* The power of two in whose units squares neither overflow nor vanish. */
static int unit_of(const simdp_privacy *steps, size_t k)
{
    double most = 0.0;
    for (size_t i = 0; i < k; i++) most = fmax(most, steps[i].epsilon);
    return most > 0.0 && most < INFINITY ? ilogb(most) : 0;
}

static step_sums sums_of(const simdp_privacy *steps, size_t k)
{
    step_sums s = {.unit = unit_of(steps, k)};
    for (size_t i = 0; i < k; i++) {
        const double e = steps[i].epsilon, part = ldexp_up(e, -s.unit);
        outward_sum_add(&s.epsilon, e);
        outward_sum_add(&s.delta, steps[i].delta);
        outward_sum_add(&s.log_lost, neg_log1m_up(steps[i].delta));
        outward_sum_add(&s.mean, times_up(part, tanh_up(times_up(0.5, e))));
        outward_sum_add(&s.squares, times_up(part, part));
    }
    return s;
}

/* What all of them lose by tanh and by deviating: sum e tanh(e/2) + sqrt(2 ln(1/slack) sum e^2) */
static double strong_epsilon(const step_sums *s, double slack)
{
    const double away = sqrt_up(times_up(2.0 * neg_log_up(slack), outward_sum_up(&s->squares)));
    return ldexp_up(add_up(outward_sum_up(&s->mean), away), s->unit);
}

simdp_status simdp_account_compose_heterogeneous(simdp_account_composed *basic, simdp_account_composed *strong,
                                                 const simdp_privacy *steps, size_t k, double slack)
{
    if (basic == NULL || strong == NULL) return SIMDP_ENULL;
    const simdp_status status = FORMS_GATE(k, FORM_ARRAY(steps));
    if (status != SIMDP_OK) return status;
    FP_MODE_SCOPE();
    FP_PIN(slack);
    *basic = *strong = (simdp_account_composed){NAN, NAN, NAN};
    if (!is_probability(slack)) return SIMDP_EPARAM;
    for (size_t i = 0; i < k; i++) {
        if (!is_epsilon(steps[i].epsilon) || !is_probability(steps[i].delta)) return SIMDP_EPARAM;
    }
    const step_sums s = sums_of(steps, k);
    const double delta = outward_sum_up(&s.delta), lost = outward_sum_up(&s.log_lost);
    basic->epsilon = outward_sum_up(&s.epsilon);
    basic->delta = fmin(1.0, delta);
    basic->delta_sharp = fmin(basic->delta, one_minus_exp_up(lost));
    strong->epsilon = strong_epsilon(&s, slack);
    strong->delta = fmin(1.0, add_up(delta, slack));
    strong->delta_sharp = fmin(strong->delta, one_minus_exp_up(add_up(lost, neg_log1m_up(slack))));
    return SIMDP_OK;
}

/* ---- inverse ---- */

typedef struct {
    double k, c, target; /* k and c = sqrt(2 k ln(1/slack)) rounded upward */
} strong_total;

/* k e tanh(e/2) + c e - target; 0 where the rest is rounding */
static simdp_root_point strong_excess(double e, const void *context)
{
    const strong_total *t = context;
    const double mean = plain_tanh(0.5 * e), slope = t->c + t->k * (mean + 0.5 * e * (1.0 - mean * mean));
    const double value = t->c * e + t->k * e * mean - t->target;
    return (simdp_root_point){fabs(value) < 0x1p-51 * t->target ? 0.0 : value, slope, 0.0};
}

static bool stays_within(const strong_total *t, double e)
{
    return add_up(times_up(times_up(t->k, e), tanh_up(times_up(0.5, e))), times_up(t->c, e)) <= t->target;
}

static double strong_step(const simdp_account_steps *total)
{
    const double target = total->epsilon;
    if (!is_epsilon(target) || !(total->k >= 0) || !is_probability(total->slack)) return NAN;
    if (total->k == 0 || isinf(target)) return INFINITY;
    const double k = count_up(total->k), plain = div_down(target, k);
    if (target == 0.0 || total->slack == 0.0) return plain;
    const strong_total t = {k, sqrt_up(times_up(2.0 * k, neg_log_up(total->slack))), target};
    /* each term alone reaches the target at a point above the root */
    double high = fmin(target / t.c, plain + sqrt(2.0 * plain) + 1.0);
    if (!(high > 0.0)) return plain; /* below the smallest double */
    /* rounding may have put it below; bound: 2100 turns, after which it is infinite, and so is the excess */
    while (strong_excess(high, &t).value < 0.0) high *= 2.0;
    double e = simdp_root_increasing(strong_excess, &t, 0.0, high, fmin(target / t.c, sqrt(2.0 * plain)), NULL);
    /* the total grows at least as fast as e, so that few steps down make up for rounding; bound: 60 turns, to 0 */
    for (double down = 0x1p-52; e > 0.0 && !stays_within(&t, e); down *= 2.0) e = fmax(0.0, e - (e * down + 0x1p-1074));
    return fmax(plain, e);
}

simdp_status simdp_account_compose_inverse(double *step, const simdp_account_steps *total, size_t n)
{
    FORMS_EACH(n, form_is_number(step[i] = strong_step(&total[i])), FORM_ARRAY(step), FORM_ARRAY(total));
}
