/* subset.c: sampling without replacement: a mechanism on a random subset of a fixed size, m of n records, rate = m/n,
 * where neighbours differ in one record that is replaced. One use: Balle, Barthe and Gaboardi 2018, which is tight:
 * with D the curve of the mechanism on the subset, delta(ln(1 + rate (e^x - 1))) = rate D(x). Renyi: Wang, Balle and
 * Kasiviswanathan 2019, theorem 9. */
#include "account/account.h"
#include "call/forms.h"
#include "math/ball.h"
#include "math/outward_functions.h"

/* x = ln(1 + (e^epsilon - 1)/rate), downward. */
static double inner_epsilon(double epsilon, double rate)
{
    if (!is_epsilon(epsilon)) return NAN;
    if (rate == 0.0 || rate == 1.0 || isinf(epsilon) || epsilon == 0.0) return epsilon;
    const ball q = ball_of(rate);
    if (epsilon < 30.0) {
        const ball odds = ball_divide(ball_expm1(ball_of(epsilon)), q);
        if (odds.value < 1e300) return ball_down_positive(ball_log1p(odds));
    }
    /* epsilon - ln rate + ln(1 - (1 - rate) e^-epsilon) */
    const ball lost = ball_multiply(ball_subtract(q, ball_of(1.0)), ball_exp(ball_of(-epsilon)));
    return ball_down_positive(ball_add(ball_subtract(ball_of(epsilon), ball_log(q)), ball_log1p(lost)));
}

/* ln(1 + rate (e^x - 1)), upward; never more than x. */
static double outer_epsilon(double x, double rate)
{
    if (isnan(x) || rate == 1.0 || x == 0.0) return x;
    if (rate == 0.0) return 0.0;
    if (isinf(x)) return x;
    const ball q = ball_of(rate);
    if (x < 600.0) return fmin(x, ball_up(ball_log1p(ball_multiply(q, ball_expm1(ball_of(x))))));
    const ball rest = ball_multiply(ball_subtract(ball_of(1.0), q), ball_exp(ball_of(-x)));
    return fmin(x, ball_up_positive(ball_add(ball_of(x), ball_log(ball_add(q, rest)))));
}

/* delta / rate, downward and at most 1 */
static double inner_delta(double delta, double rate)
{
    if (!is_probability(delta)) return NAN;
    return delta >= rate ? 1.0 : div_down(delta, rate);
}

simdp_status simdp_account_subset_delta(double *delta, const double *epsilon, size_t n, simdp_law law, double rate)
{
    const simdp_status gate = FORMS_GATE(n, FORM_ARRAY(delta), FORM_ARRAY(epsilon));
    if (gate != SIMDP_OK) return gate;
    FP_MODE_SCOPE();
    FP_PIN(rate);
    const bool known = is_probability(rate);
    for (size_t i = 0; i < n; i++) delta[i] = known ? inner_epsilon(epsilon[i], rate) : NAN;
    const simdp_status status = simdp_account_delta(delta, delta, n, law);
    for (size_t i = 0; i < n; i++) delta[i] = isnan(delta[i]) ? NAN : times_up(rate, delta[i]);
    return status;
}

simdp_status simdp_account_subset_epsilon(double *epsilon, const double *delta, size_t n, simdp_law law, double rate)
{
    const simdp_status gate = FORMS_GATE(n, FORM_ARRAY(epsilon), FORM_ARRAY(delta));
    if (gate != SIMDP_OK) return gate;
    FP_MODE_SCOPE();
    FP_PIN(rate);
    const bool known = is_probability(rate);
    for (size_t i = 0; i < n; i++) epsilon[i] = known ? inner_delta(delta[i], rate) : NAN;
    const simdp_status status = simdp_account_epsilon(epsilon, epsilon, n, law);
    for (size_t i = 0; i < n; i++) epsilon[i] = outer_epsilon(epsilon[i], rate);
    return status;
}

/* ---- Renyi ---- */

/* A sum of e^x, as e^most times a number. */
typedef struct {
    double most;
    ball sum;
} log_sum;

static void log_sum_add(log_sum *s, ball x)
{
    if (x.value == -INFINITY) return;
    if (x.value > s->most) {
        s->sum = s->most == -INFINITY
                     ? ball_of(0.0)
                     : ball_multiply(s->sum, ball_exp(ball_subtract(ball_of(s->most), ball_of(x.value))));
        s->most = x.value;
    }
    s->sum = ball_add(s->sum, ball_exp(ball_subtract(x, ball_of(s->most))));
}

static ball ball_less(ball a, ball b) { return a.value < b.value ? a : b; }

/* ln min(2, (e^most - 1)^power), ln 2 for an infinite `most`; -inf for 0 */
static ball log_reach(double most, double power)
{
    const ball two = ball_log(ball_of(2.0));
    if (most == 0.0) return ball_of(-INFINITY);
    if (most > 1.0) return two; /* e - 1 is above the root of any order from 2 on */
    return ball_less(two, ball_multiply(ball_of(power), ball_log(ball_expm1(ball_of(most)))));
}

/* The curve at order alpha, from that of the mechanism at orders 2 .. alpha, which stands at divergence[0] and on. */
static double subset_divergence(const double *divergence, double alpha, double rate, double most)
{
    const double own = divergence[(size_t)alpha - 2];
    if (rate == 0.0 || most == 0.0 || own == 0.0) return 0.0;
    const ball log_rate = ball_log(ball_of(rate));
    ball log_choose = ball_log(ball_of(alpha)); /* of j among alpha */
    log_sum s = {-INFINITY, ball_of(0.0)};
    for (double j = 2.0; j <= alpha; j++) {
        const double d = divergence[(size_t)j - 2];
        log_choose = ball_add(log_choose, ball_subtract(ball_log(ball_of(alpha - j + 1.0)), ball_log(ball_of(j))));
        if (isinf(d)) return own;
        ball log_part = ball_add(ball_multiply(ball_of(j - 1.0), ball_of(d)), log_reach(most, j));
        if (j == 2.0) { /* the smaller of two bounds */
            const ball log_four = ball_log(ball_of(4.0));
            const ball other = d == 0.0   ? ball_of(-INFINITY)
                               : d > 30.0 ? ball_add(ball_of(d), log_four)
                                          : ball_add(ball_log(ball_expm1(ball_of(d))), log_four);
            log_part = ball_less(log_part, other);
        }
        if (log_part.value == -INFINITY) continue;
        log_sum_add(&s, ball_add(ball_add(ball_multiply(ball_of(j), log_rate), log_choose), log_part));
    }
    if (s.most == -INFINITY) return 0.0;
    const ball most_of = ball_of(s.most);
    const ball log_one_plus = s.most < 600.0
                                  ? ball_log1p(ball_multiply(s.sum, ball_exp(most_of)))
                                  : ball_add(most_of, ball_log(ball_add(s.sum, ball_exp(ball_negative(most_of)))));
    const double up = ball_up_positive(ball_divide(log_one_plus, ball_of(alpha - 1.0)));
    return up < own ? up : own; /* mixing never makes a divergence larger */
}

/* From the highest order down: each needs those below it, and out may be divergence. */
simdp_status simdp_account_renyi_subset(double *out, const double *divergence, size_t n, double rate, double most)
{
    simdp_status status = FORMS_GATE(n, FORM_ARRAY(out), FORM_ARRAY(divergence));
    if (status != SIMDP_OK) return status;
    FP_MODE_SCOPE();
    FP_PIN(rate);
    FP_PIN(most);
    const bool known = is_probability(rate) && most >= 0.0;
    size_t good = 0;
    while (good < n && divergence[good] >= 0.0) good++;
    for (size_t i = n; i-- > 0;) {
        const bool legal = known && i < good;
        out[i] = legal ? subset_divergence(divergence, (double)i + 2.0, rate, most) : NAN;
        if (!legal) status = SIMDP_EPARAM;
    }
    return status;
}
