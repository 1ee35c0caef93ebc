/* renyi_repeat.c: the Renyi curve of running a mechanism a random number of times and publishing the best outcome
 * (Papernot and Steinke 2021, theorem 2). */
#include "account/account.h"
#include "call/forms.h"
#include "math/ball.h"

/* ln E[K] of the truncated negative binomial law, E[K] = eta (1 - gamma)/(gamma (1 - gamma^eta)), and its limit
 * (1/gamma - 1)/ln(1/gamma) at eta = 0; l = ln(1/gamma). Where (1 - gamma^eta)/eta overflows, for eta near -1 and gamma
 * below 1e-308, the ball is infinite, which is still a bound. */
static ball log_mean_of(double eta, double gamma, ball l)
{
    const ball more = ball_add(l, ball_log1p(ball_of(-gamma)));
    /* (1 - gamma^eta)/eta is l but for |eta| l of itself, and eta l must not be subnormal */
    if (fabs(eta) < 0x1p-100) return ball_subtract(more, ball_log(ball_with(l.value, l.error + 0x1p-90 * l.value)));
    const ball x = ball_multiply(ball_of(-eta), l);
    return ball_subtract(more, ball_log(ball_divide(ball_expm1(x), ball_of(-eta))));
}

static bool is_point(double order, double divergence) { return order > 0.0 && divergence >= 0.0; }

/* The least of (1 - 1/order) divergence + l/order over all given orders from 1 on. */
static ball cheapest(const double *order, const double *divergence, size_t n, ball l)
{
    ball best = {INFINITY, 0.0};
    for (size_t i = 0; i < n; i++) {
        if (!is_point(order[i], divergence[i]) || isinf(divergence[i]) || order[i] < 1.0) continue;
        ball price = ball_of(divergence[i]);
        if (!isinf(order[i])) {
            const ball alpha = ball_of(order[i]);
            const ball rest = ball_divide(ball_subtract(alpha, ball_of(1.0)), alpha);
            price = ball_add(ball_multiply(rest, ball_of(divergence[i])), ball_divide(l, alpha));
        }
        if (price.value < best.value) best = price;
    }
    return best;
}

static double repeated(double order, double divergence, double eta, ball log_mean, ball best)
{
    if (!is_point(order, divergence)) return NAN;
    if (isinf(divergence) || isinf(best.value) || order <= 1.0) return INFINITY;
    const ball sum = ball_add(ball_of(divergence), ball_multiply(ball_add(ball_of(1.0), ball_of(eta)), best));
    if (isinf(order)) return ball_up(sum);
    return ball_up_positive(ball_add(sum, ball_divide(log_mean, ball_subtract(ball_of(order), ball_of(1.0)))));
}

simdp_status simdp_account_renyi_repeat(double *out, const double *order, const double *divergence, size_t n,
                                        double eta, double gamma)
{
    ball log_mean = {NAN, 0.0}, best = log_mean;
    bool known;
    const simdp_status gate = FORMS_GATE(n, FORM_ARRAY(out), FORM_ARRAY(order), FORM_ARRAY(divergence));
    if (gate != SIMDP_OK) return gate;
    { /* what all elements share, before the first of them is stored */
        FP_MODE_SCOPE();
        FP_PIN(eta);
        FP_PIN(gamma);
        known = eta > -1.0 && eta < INFINITY && gamma > 0.0 && gamma < 1.0;
        const ball l = known ? ball_negative(ball_log(ball_of(gamma))) : ball_of(NAN);
        if (known) log_mean = log_mean_of(eta, gamma, l);
        if (known) best = cheapest(order, divergence, n, l);
    }
    FORMS_EACH(n, form_is_number(out[i] = known ? repeated(order[i], divergence[i], eta, log_mean, best) : NAN),
               FORM_ARRAY(out), FORM_ARRAY(order), FORM_ARRAY(divergence));
}
