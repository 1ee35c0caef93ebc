/* concentration.c: Hoeffding, Azuma, Polya's urn, and concentration from the exponential mechanism (000, 001). */
#include <float.h>

#include "account/account.h"

#include "math/special.h"
#include "math/sum.h"

/* x moved up by the rounding of terms of this size; overflow is upward too */
static double up_by(double x, double size) { return isinf(x) ? fmax(x, -DBL_MAX) : x + 0x1p-50 * fmin(size, DBL_MAX); }

/* the same for the logarithm of a probability, which may be -inf and is at most 0 */
static double up_log(double x, double size) { return x == -INFINITY ? x : fmin(0.0, up_by(x, size)); }

static bool is_range(double low, double high) { return low <= high && isfinite(low) && isfinite(high); }

/* e^log_p, rounded up: log_p, a quotient, has an error of 4 u */
static double up_exp(double log_p) { return account_up_probability(exp(log_p) * (1.0 - 0x1p-50 * fmax(log_p, -1e6))); }

/* ---- Hoeffding: n independent terms in [low, high] ---- */

simdp_status simdp_hoeffding(simdp_tail *out, double deviation, int64_t n, double low, double high)
{
    if (out == NULL) return SIMDP_ENULL;
    FP_MODE_SCOPE();
    FP_PIN(deviation); FP_PIN(low); FP_PIN(high);
    *out = (simdp_tail){NAN, NAN, NAN};
    if (!(deviation >= 0.0) || n < 0 || !is_range(low, high)) return SIMDP_EPARAM;
    const double spread = (high - low) * sqrt((double)n), ratio = isinf(deviation) ? INFINITY : deviation / spread;
    const double log_tail = deviation == 0.0 ? 0.0 : -2.0 * ratio * ratio;   /* spread 0: -inf */
    *out = (simdp_tail){up_log(log_tail, -log_tail), up_exp(log_tail), fmin(1.0, 2.0 * up_exp(log_tail))};
    return SIMDP_OK;
}

simdp_status simdp_hoeffding_deviation(double *one_sided, double *two_sided, double delta, int64_t n, double low,
                                       double high)
{
    if (one_sided == NULL || two_sided == NULL) return SIMDP_ENULL;
    FP_MODE_SCOPE();
    FP_PIN(delta); FP_PIN(low); FP_PIN(high);
    *one_sided = *two_sided = NAN;
    if (!is_probability(delta) || n < 0 || !is_range(low, high)) return SIMDP_EPARAM;
    const double spread = (high - low) * sqrt(0.5 * (double)n), l = -log(delta);
    *one_sided = spread == 0.0 || l == 0.0 ? 0.0 : account_up(spread * sqrt(l));
    *two_sided = spread == 0.0 ? 0.0 : account_up(spread * sqrt(l + SPECIAL_LN2));
    return SIMDP_OK;
}

simdp_status simdp_hoeffding_lemma(double *log_mgf, double lambda, double low, double high, double mean)
{
    if (log_mgf == NULL) return SIMDP_ENULL;
    FP_MODE_SCOPE();
    FP_PIN(lambda); FP_PIN(low); FP_PIN(high); FP_PIN(mean);
    *log_mgf = NAN;
    if (!(lambda >= 0.0 && lambda < INFINITY) || !is_range(low, high) || !isfinite(mean)) return SIMDP_EPARAM;
    const double spread = lambda * (high - low), first = lambda * mean, second = 0.125 * spread * spread;
    /* overflow is upward: the square wins */
    *log_mgf = isinf(second) ? INFINITY : up_by(first + second, fabs(first) + second);
    return SIMDP_OK;
}

/* ---- Azuma: |X_i| <= bound, conditional means <= mean ---- */

static bool are_increments(int64_t k, double mean, double bound)
{
    return k >= 0 && isfinite(mean) && bound >= 0.0 && bound < INFINITY;
}

/* k mean + reach bound sqrt k */
static double threshold_of(int64_t k, double mean, double bound, double reach)
{
    const double drift = (double)k * mean, away = bound == 0.0 || k == 0 ? 0.0 : reach * sqrt((double)k) * bound;
    return isinf(away) ? INFINITY : up_by(drift + away, fabs(drift) + away);
}

simdp_status simdp_azuma(simdp_azuma_bound *out, double z, int64_t k, double mean, double bound)
{
    if (out == NULL) return SIMDP_ENULL;
    FP_MODE_SCOPE();
    FP_PIN(z); FP_PIN(mean); FP_PIN(bound);
    *out = (simdp_azuma_bound){NAN, NAN, NAN};
    if (!(z >= 0.0) || !are_increments(k, mean, bound)) return SIMDP_EPARAM;
    const double log_tail = -0.5 * z * z;
    *out = (simdp_azuma_bound){threshold_of(k, mean, bound, z), up_log(log_tail, -log_tail), up_exp(log_tail)};
    return SIMDP_OK;
}

simdp_status simdp_azuma_threshold(double *threshold, double delta, int64_t k, double mean, double bound)
{
    if (threshold == NULL) return SIMDP_ENULL;
    FP_MODE_SCOPE();
    FP_PIN(delta); FP_PIN(mean); FP_PIN(bound);
    *threshold = NAN;
    if (!is_probability(delta) || !are_increments(k, mean, bound)) return SIMDP_EPARAM;
    *threshold = threshold_of(k, mean, bound, sqrt(-2.0 * log(delta)));
    return SIMDP_OK;
}

/* ---- Polya's urn ---- */

/* sum over j = a..b of 1/j^2: the first thousand terms plainly, the rest by Euler's and Maclaurin's formula */
static double inverse_squares(double a, double b)
{
    simdp_sum sum = {0, 0};
    double rest = 0.0;
    const double cut = fmin(b + 1.0, a + 1000.0);
    if (cut <= b) {
        const double x = 1.0 / cut, y = 1.0 / b;
        rest =
            (b - cut) * x * y + 0.5 * (x * x + y * y) + (x * x * x - y * y * y) / 6.0 - (pow(x, 5) - pow(y, 5)) / 30.0;
    }
    /* bound: 1000 turns; a and b stay below 2^53, so that j moves */
    for (double j = cut - 1.0; j >= a; j -= 1.0) sum_add(&sum, 1.0 / (j * j));
    return sum_value(&sum) + rest;
}

simdp_status simdp_polya(simdp_polya_bound *out, int64_t red, int64_t blue, int64_t k, double z)
{
    if (out == NULL) return SIMDP_ENULL;
    FP_MODE_SCOPE();
    FP_PIN(z);
    *out = (simdp_polya_bound){NAN, NAN, NAN, NAN};
    const int64_t most = (int64_t)1 << 50;
    if (red < 0 || blue < 0 || k < 0 || red > most || blue > most || k > most || red + blue == 0 || !(z >= 0.0))
        return SIMDP_EPARAM;
    const double r = (double)red, b = (double)blue, n = r + b, steps = (double)k;
    out->mean = steps * r / n;
    out->standard_deviation = sqrt(steps * (r / n) * (b / n) * ((n + steps) / (n + 1.0)));
    if (k == 0 || z == 0.0) {
        out->threshold_printed = out->threshold_tight = 0.0;
    } else {
        out->threshold_printed = account_up(z * sqrt(steps) * (2.0 + steps / n));
        out->threshold_tight = account_up(0.5 * z * (n + steps) * sqrt(inverse_squares(n + 1.0, n + steps)));
    }
    return SIMDP_OK;
}

/* ---- from the exponential mechanism (001) ---- */

simdp_status simdp_exponential_tail(simdp_exponential_tail_bound *out, double epsilon, int64_t n)
{
    if (out == NULL) return SIMDP_ENULL;
    FP_MODE_SCOPE();
    FP_PIN(epsilon);
    *out = (simdp_exponential_tail_bound){NAN, NAN, NAN, NAN, NAN, NAN};
    if (!is_epsilon(epsilon) || n < 0) return SIMDP_EPARAM;
    const double square = n == 0 ? 0.0 : epsilon * epsilon * (double)n, x = square / 64.0;
    double log_tail = 0.0;
    if (x > 700.0 || exp(x) > 2.0 + SPECIAL_LN2)
        log_tail = isinf(x) ? -INFINITY : log(SPECIAL_LN2) - log1p(-2.0 * exp(-x)) - x;
    const double raised = up_log(log_tail, 1.0 + x);
    *out = (simdp_exponential_tail_bound){x,
                                          up_exp(log_tail),
                                          raised,
                                          fmin(1.0, (2.0 + SPECIAL_LN2) * up_exp(-x)),
                                          up_exp(fmin(0.0, 1.0 - x)),
                                          -2.0 * square};
    return SIMDP_OK;
}

simdp_status simdp_expected_maximum(double *bound, int64_t n, int64_t m)
{
    if (bound == NULL) return SIMDP_ENULL;
    FP_MODE_SCOPE();
    FP_PIN(n); FP_PIN(m);
    *bound = NAN;
    if (n < 0 || m < 0) return SIMDP_EPARAM;
    *bound = account_up(4.0 * sqrt((double)n * log1p((double)m)));
    return SIMDP_OK;
}

simdp_status simdp_expected_column_maximum(double *bound, double mean, int64_t m, double eta)
{
    if (bound == NULL) return SIMDP_ENULL;
    FP_MODE_SCOPE();
    FP_PIN(mean); FP_PIN(eta);
    *bound = NAN;
    if (!(mean >= 0.0 && eta >= 0.0) || m < 1) return SIMDP_EPARAM;
    *bound = account_up((mean == 0.0 ? 0.0 : exp(eta) * mean) + (m == 1 ? 0.0 : 2.0 * log((double)m) / eta));
    return SIMDP_OK;
}
