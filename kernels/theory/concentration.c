/* concentration.c: Hoeffding, Azuma, Polya's urn, and concentration from the exponential mechanism (000, 001). */
#include "account/account.h"

#include "math/ball.h"
#include "math/sum.h"

static bool is_range(double low, double high) { return low <= high && isfinite(low) && isfinite(high); }

/* ---- a tail and its logarithm ---- */

/* Upper bounds of a probability and of its logarithm, which is -inf only where the probability is 0. */
static double log_up(ball log_p) { return fmin(0.0, ball_up(log_p)); }
static ball tail_of(double log_p) { return log_p == -INFINITY ? ball_of(0.0) : ball_exp(ball_of(log_p)); }
static double tail_up(double log_p) { return ball_up_probability(tail_of(log_p)); }

/* ---- sums of products that may overflow on their own: balls times a power of two ---- */

typedef struct {
    ball of;
    int exponent;
} scaled;

static scaled scaled_of(ball a)
{
    int exponent;
    const double value = frexp(a.value, &exponent);
    return (scaled){{value, ldexp(a.error, -exponent)}, exponent};
}

static scaled scaled_multiply(scaled a, scaled b)
{
    return (scaled){ball_multiply(a.of, b.of), a.exponent + b.exponent};
}

/* What is shifted out on the right is below 2^-1073. */
static ball shifted(scaled a, int exponent)
{
    return ball_with(ldexp(a.of.value, a.exponent - exponent), ldexp(a.of.error, a.exponent - exponent) + 0x1p-1073);
}

static double scaled_sum_up(scaled a, scaled b)
{
    const bool first = b.of.value == 0.0 || (a.of.value != 0.0 && a.exponent >= b.exponent);
    const int exponent = first ? a.exponent : b.exponent;
    const ball sum = a.of.value == 0.0   ? b.of
                     : b.of.value == 0.0 ? a.of
                                         : ball_add(shifted(a, exponent), shifted(b, exponent));
    const double up = ball_up(sum), result = ldexp(up, exponent);
    if (isinf(result)) return result > 0.0 ? result : -DBL_MAX;
    return fabs(result) < DBL_MIN && ldexp(result, -exponent) < up ? nextafter(result, INFINITY) : result;
}

/* high - low, halved if it must be */
static scaled range_of(double low, double high)
{
    const double half = isinf(high - low) ? 0.5 : 1.0;
    scaled range = scaled_of(ball_subtract(ball_of(half * high), ball_of(half * low)));
    range.exponent += half < 1.0;
    return range;
}

/* ---- Hoeffding: n independent terms in [low, high] ---- */

/* ln of the tail, -2 (deviation/((high - low) sqrt n))^2 */
static double hoeffding_log_tail(double deviation, int64_t n, double low, double high)
{
    if (deviation == 0.0) return 0.0;
    if (isinf(deviation) || n == 0 || low == high) return -INFINITY;
    const scaled range = range_of(low, high), away = scaled_of(ball_of(deviation));
    const ball ratio = ball_divide(away.of, range.of), square = ball_multiply(ratio, ratio);
    const scaled exponent = {ball_negative(ball_divide(square, ball_of_count(n))),
                             2 * (away.exponent - range.exponent) + 1};
    return fmin(0.0, scaled_sum_up(exponent, (scaled){{0.0, 0.0}, 0}));
}

simdp_status simdp_theory_hoeffding(simdp_theory_tail *out, double deviation, int64_t n, double low, double high)
{
    if (out == NULL) return SIMDP_ENULL;
    FP_MODE_SCOPE();
    FP_PIN(deviation);
    FP_PIN(low);
    FP_PIN(high);
    *out = (simdp_theory_tail){NAN, NAN, NAN};
    if (!(deviation >= 0.0) || n < 0 || !is_range(low, high)) return SIMDP_EPARAM;
    const double log_tail = hoeffding_log_tail(deviation, n, low, high);
    *out = (simdp_theory_tail){log_tail, tail_up(log_tail), ball_up_probability(ball_scale(tail_of(log_tail), 2.0))};
    return SIMDP_OK;
}

/* (high - low) sqrt(n l/2), l > 0 */
static double deviation_at(ball l, int64_t n, double low, double high)
{
    const ball root = ball_sqrt(ball_scale(ball_multiply(ball_of_count(n), l), 0.5));
    return scaled_sum_up(scaled_multiply(range_of(low, high), scaled_of(root)), (scaled){{0.0, 0.0}, 0});
}

simdp_status simdp_theory_hoeffding_deviation(double *one_sided, double *two_sided, double delta, int64_t n, double low,
                                              double high)
{
    if (one_sided == NULL || two_sided == NULL) return SIMDP_ENULL;
    FP_MODE_SCOPE();
    FP_PIN(delta);
    FP_PIN(low);
    FP_PIN(high);
    *one_sided = *two_sided = NAN;
    if (!is_probability(delta) || n < 0 || !is_range(low, high)) return SIMDP_EPARAM;
    *one_sided = *two_sided = 0.0;
    if (n == 0 || low == high) return SIMDP_OK;
    *one_sided = *two_sided = INFINITY;
    if (delta == 0.0) return SIMDP_OK;
    const ball l = ball_negative(ball_log(ball_of(delta)));
    *one_sided = delta == 1.0 ? 0.0 : deviation_at(l, n, low, high);
    *two_sided = deviation_at(ball_add(l, BALL_LN2), n, low, high);
    return SIMDP_OK;
}

simdp_status simdp_theory_hoeffding_lemma(double *log_mgf, double lambda, double low, double high, double mean)
{
    if (log_mgf == NULL) return SIMDP_ENULL;
    FP_MODE_SCOPE();
    FP_PIN(lambda);
    FP_PIN(low);
    FP_PIN(high);
    FP_PIN(mean);
    *log_mgf = NAN;
    if (!(lambda >= 0.0 && lambda < INFINITY) || !is_range(low, high) || !isfinite(mean)) return SIMDP_EPARAM;
    const scaled l = scaled_of(ball_of(lambda)), spread = scaled_multiply(l, range_of(low, high));
    scaled square = scaled_multiply(spread, spread);
    square.exponent -= 3;
    *log_mgf = scaled_sum_up(scaled_multiply(l, scaled_of(ball_of(mean))), square);
    return SIMDP_OK;
}

/* ---- Azuma: |X_i| <= bound, conditional means <= mean ---- */

static bool are_increments(int64_t k, double mean, double bound)
{
    return k >= 0 && isfinite(mean) && bound >= 0.0 && bound < INFINITY;
}

/* k mean + reach bound sqrt k */
static double threshold_of(int64_t k, double mean, double bound, ball reach)
{
    const bool still = bound == 0.0 || k == 0;
    if (!still && isinf(reach.value)) return INFINITY;
    const scaled count = scaled_of(ball_of_count(k)), drift = scaled_multiply(count, scaled_of(ball_of(mean)));
    const scaled root = scaled_of(ball_sqrt(ball_of_count(k)));
    const scaled away =
        scaled_multiply(scaled_multiply(scaled_of(still ? ball_of(0.0) : reach), root), scaled_of(ball_of(bound)));
    return scaled_sum_up(drift, away);
}

simdp_status simdp_theory_azuma(simdp_theory_azuma_bound *out, double z, int64_t k, double mean, double bound)
{
    if (out == NULL) return SIMDP_ENULL;
    FP_MODE_SCOPE();
    FP_PIN(z);
    FP_PIN(mean);
    FP_PIN(bound);
    *out = (simdp_theory_azuma_bound){NAN, NAN, NAN};
    if (!(z >= 0.0) || !are_increments(k, mean, bound)) return SIMDP_EPARAM;
    const ball square = ball_scale(ball_multiply(ball_of(z), ball_of(z)), 0.5);
    const double log_tail = isinf(z) ? -INFINITY : log_up(ball_negative(square));
    *out = (simdp_theory_azuma_bound){threshold_of(k, mean, bound, ball_of(z)), log_tail, tail_up(log_tail)};
    return SIMDP_OK;
}

simdp_status simdp_theory_azuma_threshold(double *threshold, double delta, int64_t k, double mean, double bound)
{
    if (threshold == NULL) return SIMDP_ENULL;
    FP_MODE_SCOPE();
    FP_PIN(delta);
    FP_PIN(mean);
    FP_PIN(bound);
    *threshold = NAN;
    if (!is_probability(delta) || !are_increments(k, mean, bound)) return SIMDP_EPARAM;
    const ball reach =
        delta == 0.0 ? ball_of(INFINITY) : ball_sqrt(ball_scale(ball_negative(ball_log(ball_of(delta))), 2.0));
    *threshold = threshold_of(k, mean, bound, reach);
    return SIMDP_OK;
}

/* ---- Polya's urn ---- */

/* sum over j = a..b of 1/j^2: the first thousand terms plainly, the rest by Euler's and Maclaurin's formula. Each term
 * is right to 2 u, the sum of them is compensated, the formula leaves out less than 1e-21 of what it adds and rounds a
 * dozen times: 8 u in all are twice that. */
static ball inverse_squares(double a, double b)
{
    simdp_sum sum = {0, 0};
    double rest = 0.0;
    const double cut = fmin(b + 1.0, a + 1000.0);
    if (cut <= b) {
        const double x = 1.0 / cut, y = 1.0 / b, x2 = x * x, y2 = y * y;
        rest = (b - cut) * x * y + 0.5 * (x2 + y2) + (x2 * x - y2 * y) / 6.0 - (x2 * x2 * x - y2 * y2 * y) / 30.0;
    }
    /* bound: 1000 turns; a and b stay below 2^53, so that j moves */
    for (double j = cut - 1.0; j >= a; j -= 1.0) sum_add(&sum, 1.0 / (j * j));
    const double total = sum_value(&sum) + rest;
    return ball_with(total, 0x1p-50 * total);
}

/* Their sizes are below 2^51, so that all counts and sums of two are doubles. */
static simdp_theory_polya_bound polya(double red, double blue, double k, double z)
{
    const double n = red + blue;
    simdp_theory_polya_bound out = {k * red / n, sqrt(k * (red / n) * (blue / n) * ((n + k) / (n + 1.0))), 0.0, 0.0};
    if (k == 0.0 || z == 0.0) return out;
    const ball reach = ball_of(z), steps = ball_of(k), all = ball_of(n);
    const ball printed = ball_multiply(ball_sqrt(steps), ball_add(ball_of(2.0), ball_divide(steps, all)));
    const ball tight = ball_multiply(ball_of(0.5 * (n + k)), ball_sqrt(inverse_squares(n + 1.0, n + k)));
    out.threshold_printed = ball_up(ball_multiply(reach, printed));
    out.threshold_tight = ball_up(ball_multiply(reach, tight));
    return out;
}

simdp_status simdp_theory_polya(simdp_theory_polya_bound *out, int64_t red, int64_t blue, int64_t k, double z)
{
    if (out == NULL) return SIMDP_ENULL;
    FP_MODE_SCOPE();
    FP_PIN(z);
    *out = (simdp_theory_polya_bound){NAN, NAN, NAN, NAN};
    const int64_t most = (int64_t)1 << 50;
    if (red < 0 || blue < 0 || k < 0 || red > most || blue > most || k > most || red + blue == 0 || !(z >= 0.0))
        return SIMDP_EPARAM;
    *out = polya((double)red, (double)blue, (double)k, z);
    return SIMDP_OK;
}

/* ---- from the exponential mechanism (001) ---- */

#define LN_LN2 ((ball){-0x1.774f29bdd6b9fp-2, 0x1p-55})

/* ln of ln 2/(e^x - 2), at most 0; it passes 0 at x = 0.9907 */
static double exponential_log_tail(ball x)
{
    if (x.value < 0.95) return 0.0;
    if (isinf(x.value)) return -DBL_MAX;
    const ball rest = ball_log1p(ball_negative(ball_scale(ball_exp(ball_negative(x)), 2.0)));
    return log_up(ball_subtract(ball_subtract(LN_LN2, rest), x));
}

/* e^2 n, such that nothing overflows or vanishes on the way */
static ball square_times(ball e, int64_t n) { return ball_multiply(ball_multiply(e, ball_of_count(n)), e); }

static simdp_theory_exponential_tail_bound exponential_tail(double epsilon, int64_t n)
{
    if (n == 0 || epsilon == 0.0) return (simdp_theory_exponential_tail_bound){0.0, 1.0, 0.0, 1.0, 1.0, 0.0};
    if (isinf(epsilon)) return (simdp_theory_exponential_tail_bound){INFINITY, 0.0, -INFINITY, 0.0, 0.0, -INFINITY};
    const ball e = ball_of(epsilon), square = square_times(e, n), x = square_times(ball_scale(e, 0.125), n);
    const ball decay = isinf(x.value) ? (ball){0.0, 0x1p-1074} : ball_exp(ball_negative(x));
    const double log_tail = exponential_log_tail(x), tail = tail_up(log_tail);
    const double mid = ball_up_probability(ball_multiply(ball_add(ball_of(2.0), BALL_LN2), decay));
    const double simple = x.value < 1.0 ? 1.0 : tail_up(log_up(ball_subtract(ball_of(1.0), x)));
    /* the three are ordered, also where they nearly meet */
    return (simdp_theory_exponential_tail_bound){
        x.value, tail, log_tail, fmax(tail, mid), fmax(fmax(tail, mid), simple), -2.0 * square.value};
}

simdp_status simdp_theory_exponential_tail(simdp_theory_exponential_tail_bound *out, double epsilon, int64_t n)
{
    if (out == NULL) return SIMDP_ENULL;
    FP_MODE_SCOPE();
    FP_PIN(epsilon);
    *out = (simdp_theory_exponential_tail_bound){NAN, NAN, NAN, NAN, NAN, NAN};
    if (!is_epsilon(epsilon) || n < 0) return SIMDP_EPARAM;
    *out = exponential_tail(epsilon, n);
    return SIMDP_OK;
}

simdp_status simdp_theory_expected_maximum(double *bound, int64_t n, int64_t m)
{
    if (bound == NULL) return SIMDP_ENULL;
    FP_MODE_SCOPE();
    FP_PIN(n);
    FP_PIN(m);
    *bound = NAN;
    if (n < 0 || m < 0) return SIMDP_EPARAM;
    *bound = ball_up(ball_scale(ball_sqrt(ball_multiply(ball_of_count(n), ball_log1p(ball_of_count(m)))), 4.0));
    return SIMDP_OK;
}

simdp_status simdp_theory_expected_column_maximum(double *bound, double mean, int64_t m, double eta)
{
    if (bound == NULL) return SIMDP_ENULL;
    FP_MODE_SCOPE();
    FP_PIN(mean);
    FP_PIN(eta);
    *bound = NAN;
    if (!(mean >= 0.0 && eta >= 0.0) || m < 1) return SIMDP_EPARAM;
    const bool endless = mean > 0.0 && (isinf(mean) || isinf(eta));
    const ball selected = mean == 0.0 ? ball_of(0.0) : ball_exp_times(ball_of(eta), ball_of(mean));
    const ball price =
        m == 1 || isinf(eta) ? ball_of(0.0) : ball_divide(ball_scale(ball_log(ball_of_count(m)), 2.0), ball_of(eta));
    *bound = endless || (m > 1 && eta == 0.0) ? INFINITY : ball_up(ball_add(selected, price));
    return SIMDP_OK;
}
