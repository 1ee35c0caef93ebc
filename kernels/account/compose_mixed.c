/* compose_mixed.c: steps that differ (heterogeneous composition), and what a step may cost for a given total. */
#include "account/account.h"
#include "math/forms.h"
#include "math/root.h"
#include "math/sum.h"

simdp_status simdp_compose_heterogeneous(simdp_composed *basic, simdp_composed *strong, const simdp_privacy *steps,
                                         size_t k, double slack)
{
    if (basic == NULL || strong == NULL) return SIMDP_ENULL;
    const simdp_status status = FORMS_GATE(k, FORM_ARRAY(steps));
    if (status != SIMDP_OK) return status;
    FP_MODE_SCOPE();
    FP_PIN(slack);
    *basic = *strong = (simdp_composed){NAN, NAN, NAN};
    if (!is_probability(slack)) return SIMDP_EPARAM;
    for (size_t i = 0; i < k; i++) {
        if (!is_epsilon(steps[i].epsilon) || !is_probability(steps[i].delta)) return SIMDP_EPARAM;
    }
    simdp_sum epsilon = {0, 0}, delta = {0, 0}, log_kept = {0, 0}, mean = {0, 0}, squares = {0, 0};
    for (size_t i = 0; i < k; i++) {
        const double e = steps[i].epsilon;
        sum_add(&epsilon, e);
        sum_add(&delta, steps[i].delta);
        sum_add(&log_kept, log1p(-steps[i].delta));
        sum_add(&mean, e * tanh(0.5 * e));
        sum_add(&squares, e * e);
    }
    const double all = sum_value(&squares), kept = sum_value(&log_kept);
    const double away = all == 0.0 || slack == 1.0 ? 0.0 : sqrt(2.0 * -log(slack) * all);
    basic->epsilon = account_up(sum_value(&epsilon));
    basic->delta = account_up_probability(sum_value(&delta));
    basic->delta_sharp = fmin(basic->delta, account_up_probability(-expm1(kept)));
    strong->epsilon = account_up(sum_value(&mean) + away);
    strong->delta = account_up_probability(sum_value(&delta) + slack);
    strong->delta_sharp = fmin(strong->delta, account_up_probability(-expm1(kept + log1p(-slack))));
    return SIMDP_OK;
}

typedef struct {
    double k, c, target;
} strong_total;

/* k e tanh(e/2) + c e - target */
static simdp_root_point strong_excess(double e, const void *context)
{
    const strong_total *t = context;
    const double mean = tanh(0.5 * e), slope = t->c + t->k * (mean + 0.5 * e * (1.0 - mean * mean));
    return (simdp_root_point){t->c * e + t->k * e * mean - t->target, slope, 0.0};
}

static double strong_step(const simdp_steps *total)
{
    const double target = total->epsilon, k = (double)total->k;
    if (!is_epsilon(target) || !(total->k >= 0) || !is_probability(total->slack)) return NAN;
    if (total->k == 0 || isinf(target)) return INFINITY;
    const double plain = target / k;
    if (target == 0.0 || total->slack == 0.0) return plain;
    const strong_total t = {k, sqrt(2.0 * k * fabs(log(total->slack))), target};
    /* each term alone reaches the target at a point above the root */
    double high = fmin(target / t.c, plain + sqrt(2.0 * plain) + 1.0);
    if (!(high > 0.0)) return plain;   /* below the smallest double */
    /* rounding may have put it below; bound: 2100 turns, after which it is infinite, and so is the excess */
    while (strong_excess(high, &t).value < 0.0) high *= 2.0;
    return fmax(plain,
                simdp_root_increasing(strong_excess, &t, 0.0, high, fmin(target / t.c, sqrt(2.0 * plain)), NULL));
}

simdp_status simdp_compose_strong_inverse(double *step, const simdp_steps *total, size_t n)
{
    FORMS_EACH(n, form_is_number(step[i] = account_down(strong_step(&total[i]))), FORM_ARRAY(step), FORM_ARRAY(total));
}
