/* ball.h: numbers that know how wrong they may be: a real number that lies within `error` of `value`. Every operation
 * adds what its own rounding costs, so a formula written with balls ends with a bound that covers all of its errors,
 * whatever cancels, and ball_up and ball_down give the double on the safe side.
 *
 * Sums and products add the rounding error that they really have, 0 where they are exact. Of plain_math.h nothing more
 * is asked than exp, log, expm1 and log1p within one unit of the last place; sqrt is rounded correctly. Values are
 * finite unless said otherwise: a result that overflows has the error inf, and so has one that is not defined for all
 * of the ball. */
#ifndef SIMDP_BALL_H
#define SIMDP_BALL_H

#include <math.h>
#include <stdint.h>

#include "math/outward.h"
#include "math/plain_math.h"

typedef struct {
    double value, error;
} ball;

/* The errors are sums of a few products rounded to nearest: they are raised by more than that costs. Products that
 * underflow lose up to 2^-1075 each. */
static inline ball ball_with(double value, double error)
{
    if (!isfinite(value) || isnan(error)) return (ball){value, INFINITY};
    return (ball){value, error > 0.0 ? error * (1.0 + 0x1p-48) + 0x1p-1073 : 0.0};
}

/* What keeps an error that is not 0 from vanishing where it is multiplied by a small number. */
static inline double ball_kept(double error) { return error > 0.0 ? 0x1p-1074 : 0.0; }

static inline ball ball_of(double x) { return (ball){x, 0.0}; }

static inline ball ball_of_count(int64_t k)
{
    const double value = (double)k;
    return (ball){value, fabs(value) < 0x1p53 ? 0.0 : 0x1p-53 * fabs(value)};
}

static inline ball ball_scale(ball a, double power_of_two)
{
    const double value = a.value * power_of_two;
    const bool exact = value == 0.0 ? a.value == 0.0 : fabs(value) >= DBL_MIN;
    return ball_with(value, a.error * power_of_two + ball_kept(a.error) + (exact ? 0.0 : 0x1p-1074));
}

static inline ball ball_negative(ball a) { return (ball){-a.value, a.error}; }

static inline ball ball_add(ball a, ball b)
{
    const double sum = a.value + b.value;
    return ball_with(sum, a.error + b.error + fabs(sum_error(a.value, b.value, sum)));
}

static inline ball ball_subtract(ball a, ball b) { return ball_add(a, ball_negative(b)); }

/* The rounding error of a product. Of a small one, whose error may itself underflow, it is looked at 2^600 times as
 * large. */
static inline double ball_product_error(double a, double b, double product)
{
    if (a == 0.0 || b == 0.0) return 0.0;
    if (fabs(product) > 0x1p-960) return fabs(fma(a, b, -product));
    const double small = fabs(a) < fabs(b) ? a : b, large = fabs(a) < fabs(b) ? b : a;
    const bool exact = product != 0.0 && fma(small * 0x1p600, large, -product * 0x1p600) == 0.0;
    return exact ? 0.0 : 0x1p-53 * fabs(product) + 0x1p-1074;
}

static inline bool ball_is_zero(ball a) { return a.value == 0.0 && a.error == 0.0; }

static inline ball ball_multiply(ball a, ball b)
{
    if (ball_is_zero(a) || ball_is_zero(b)) return ball_of(0.0);
    const double product = a.value * b.value, rounding = ball_product_error(a.value, b.value, product);
    return ball_with(product, fabs(a.value) * b.error + fabs(b.value) * a.error + a.error * b.error +
                                  ball_kept(a.error + b.error) + rounding);
}

/* |a/b - q| <= (errors of a and of q b)/least |b|, and half a unit for the quotient itself */
static inline ball ball_divide(ball a, ball b)
{
    const double quotient = a.value / b.value, least = fabs(b.value) - b.error;
    if (!(least > 0.0)) return (ball){quotient, INFINITY};
    const double rounding = a.value == 0.0 ? ball_kept(a.error) : 0x1p-53 * fabs(quotient) + 0x1p-1074;
    if (a.error == 0.0 && b.error == 0.0) return ball_with(quotient, rounding);
    return ball_with(quotient, (a.error / least + fabs(quotient) * (b.error / least)) * (1.0 + 0x1p-50) + rounding);
}

/* sqrt(a) - sqrt(a - e) <= e/sqrt(a), and never more than sqrt(e) */
static inline ball ball_sqrt(ball a)
{
    const double root = sqrt(fmax(0.0, a.value));
    const bool exact = root == 0.0 || (a.value > 0x1p-900 && fma(root, root, -a.value) == 0.0);
    const double wander = a.error == 0.0 ? 0.0 : fmin(a.error / root, sqrt(a.error)) * (1.0 + 0x1p-50) + 0x1p-1074;
    return ball_with(root, wander + (exact ? 0.0 : 0x1p-53 * root));
}

/* ln(1 + r) and -ln(1 - r) are at most r/(1 - r) */
static inline double ball_log_wander(double error, double value)
{
    const double r = error / value;
    return r < 1.0 ? r / (1.0 - r) : INFINITY;
}

static inline ball ball_log(ball a)
{
    const double y = plain_log(a.value);
    return ball_with(y, 0x1p-52 * fabs(y) + (a.error == 0.0 ? 0.0 : ball_log_wander(a.error, a.value)));
}

static inline ball ball_log1p(ball a)
{
    const double y = plain_log1p(a.value), whole = 1.0 + a.value;
    return ball_with(y, 0x1p-52 * fabs(y) + (a.error == 0.0 ? 0.0 : ball_log_wander(a.error, whole * (1.0 - 0x1p-53))));
}

/* e^r - 1 <= r/(1 - r) */
static inline double ball_exp_wander(double error) { return error < 1.0 ? error / (1.0 - error) : INFINITY; }

/* A wide ball, or one that lies so low that the value vanishes, is judged by its upper end. */
static inline ball ball_exp(ball a)
{
    const double y = plain_exp(a.value);
    if (a.value == 0.0 && a.error == 0.0) return ball_of(1.0);
    if (!(a.error < 0.5) || y < 0x1p-1000)
        return ball_with(y, plain_exp(outward_up(a.value, a.error)) * (1.0 + 0x1p-50) - y + 0x1p-1074);
    return ball_with(y, y * (0x1p-52 + ball_exp_wander(a.error)));
}

static inline ball ball_expm1(ball a)
{
    const double y = plain_expm1(a.value), slope = 1.0 + y + 0x1p-52 * fabs(y);
    return ball_with(y, 0x1p-52 * fabs(y) + (a.error == 0.0 ? 0.0 : slope * ball_exp_wander(a.error) + 0x1p-1074));
}

/* e^a b for b >= 0: e^a alone may overflow where the product does not */
static inline ball ball_exp_times(ball a, ball b)
{
    const double piece = 350.0;
    if (a.value > 2200.0 && b.value > 0.0) return (ball){INFINITY, INFINITY};
    for (; a.value > 2.0 * piece; a = ball_subtract(a, ball_of(piece))) b = ball_multiply(b, ball_exp(ball_of(piece)));
    return ball_multiply(ball_exp(a), b);
}

/* ln(e^a + e^b) */
static inline ball ball_logaddexp(ball a, ball b)
{
    const bool first = a.value >= b.value;
    const ball most = first ? a : b, least = first ? b : a;
    return ball_add(most, ball_log1p(ball_exp(ball_subtract(least, most))));
}

#define BALL_LN2 ((ball){0x1.62e42fefa39efp-1, 0x1p-55})

/* The double at or above all of the ball, and at or below. An overflow away from 0 that was not asked for is taken back
 * to the largest double: whoever made it must know that no later term turned it around. */
static inline double ball_up(ball a)
{
    if (a.value == -INFINITY) return -DBL_MAX;
    return outward_up(a.value, a.error);
}
static inline double ball_down(ball a)
{
    if (a.value == INFINITY) return DBL_MAX;
    return outward_down(a.value, a.error);
}
static inline double ball_up_positive(ball a) { return fmax(0.0, ball_up(a)); }
static inline double ball_down_positive(ball a) { return fmax(0.0, ball_down(a)); }
static inline double ball_up_probability(ball a) { return fmin(1.0, fmax(0.0, ball_up(a))); }

#endif
