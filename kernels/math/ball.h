/* ball.h: numbers that know how wrong they may be: a real number that lies within `error` of `value`. Every operation
 * adds what its own rounding costs, so a formula written with balls ends with a bound that covers all of its errors,
 * whatever cancels, and ball_up and ball_down give the double on the safe side.
 *
 * Sums and products add the rounding error that they really have (0 where they are exact). Of libm nothing more is asked
 * than exp, log, expm1 and log1p within one unit of the last place; sqrt is rounded correctly. Values are finite unless
 * said otherwise: a result that overflows has the error inf, and so has one that is not defined for all of the ball. */
#ifndef SIMDP_BALL_H
#define SIMDP_BALL_H

#include <math.h>
#include <stdint.h>

#include "math/outward.h"

typedef struct {
    double value, error;
} ball;

/* The errors are sums of a few products rounded to nearest: they are raised by more than that costs. Products that
 * underflow lose up to 2^-1074 each. */
static inline ball ball_with(double value, double error)
{
    if (!isfinite(value) || isnan(error)) return (ball){value, INFINITY};
    return (ball){value, error > 0.0 ? error * (1.0 + 0x1p-48) + 0x1p-1071 : 0.0};
}

static inline ball ball_of(double x) { return (ball){x, 0.0}; }

static inline ball ball_of_count(int64_t k)
{
    const double value = (double)k;
    return (ball){value, fabs(value) <= 0x1p53 ? 0.0 : 0x1p-53 * fabs(value)};
}

static inline ball ball_scale(ball a, double power_of_two)
{
    const double value = a.value * power_of_two;
    const bool exact = value == 0.0 ? a.value == 0.0 : fabs(value) >= DBL_MIN;
    return ball_with(value, a.error * power_of_two + (exact ? 0.0 : 0x1p-1074));
}

static inline ball ball_negative(ball a) { return (ball){-a.value, a.error}; }

static inline ball ball_add(ball a, ball b)
{
    const double sum = a.value + b.value;
    return ball_with(sum, a.error + b.error + fabs(outward_sum_error(a.value, b.value, sum)));
}

static inline ball ball_subtract(ball a, ball b) { return ball_add(a, ball_negative(b)); }

/* The rounding error of a product or a quotient; where the fma that tells it may underflow, a bound. */
static inline double ball_product_error(double a, double b, double product)
{
    if (a == 0.0 || b == 0.0) return 0.0;
    return fabs(product) > 0x1p-960 ? fabs(fma(a, b, -product)) : 0x1p-53 * fabs(product) + 0x1p-1074;
}

static inline ball ball_multiply(ball a, ball b)
{
    const double product = a.value * b.value;
    return ball_with(product, fabs(a.value) * b.error + fabs(b.value) * a.error + a.error * b.error +
                                  ball_product_error(a.value, b.value, product));
}

/* |a/b - q| <= (|a - q b| + errors)/least |b| */
static inline ball ball_divide(ball a, ball b)
{
    const double quotient = a.value / b.value, least = fabs(b.value) - b.error;
    if (!(least > 0.0)) return (ball){quotient, INFINITY};
    const bool exact = a.value == 0.0 ||
                       (fabs(quotient) > 0x1p-960 && fabs(a.value) > 0x1p-900 && fma(quotient, b.value, -a.value) == 0.0);
    const double rounding = exact ? 0.0 : 0x1p-53 * fabs(quotient) + 0x1p-1074;
    return ball_with(quotient, (a.error / least + fabs(quotient) * (b.error / least)) * (1.0 + 0x1p-50) + rounding);
}

/* sqrt(a) - sqrt(a - e) <= e/sqrt(a), and never more than sqrt(e) */
static inline ball ball_sqrt(ball a)
{
    const double root = sqrt(fmax(0.0, a.value));
    const bool exact = root == 0.0 || (a.value > 0x1p-900 && fma(root, root, -a.value) == 0.0);
    const double wander = a.error == 0.0 ? 0.0 : fmin(a.error / root, sqrt(a.error)) * (1.0 + 0x1p-50);
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
    const double y = log(a.value);
    return ball_with(y, 0x1p-52 * fabs(y) + (a.error == 0.0 ? 0.0 : ball_log_wander(a.error, a.value)));
}

static inline ball ball_log1p(ball a)
{
    const double y = log1p(a.value), whole = 1.0 + a.value;
    return ball_with(y, 0x1p-52 * fabs(y) + (a.error == 0.0 ? 0.0 : ball_log_wander(a.error, whole * (1.0 - 0x1p-53))));
}

/* e^r - 1 <= r/(1 - r) */
static inline double ball_exp_wander(double error) { return error < 1.0 ? error / (1.0 - error) : INFINITY; }

static inline ball ball_exp(ball a)
{
    const double y = exp(a.value);
    if (y == 0.0 && a.error < 1.0) return (ball){0.0, 0x1p-1074};
    return ball_with(y, a.value == 0.0 && a.error == 0.0 ? 0.0 : y * (0x1p-52 + ball_exp_wander(a.error)) + 0x1p-1074);
}

static inline ball ball_expm1(ball a)
{
    const double y = expm1(a.value), slope = 1.0 + y + 0x1p-52 * fabs(y);
    return ball_with(y, 0x1p-52 * fabs(y) + (a.error == 0.0 ? 0.0 : slope * ball_exp_wander(a.error)));
}

/* The double at or above all of the ball, and at or below. An overflow away from 0 that was not asked for is taken back to
 * the largest double: whoever made it must know that no later term turned it around. */
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
