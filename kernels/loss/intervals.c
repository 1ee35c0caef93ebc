/* intervals.c: confidence intervals by exact or non-asymptotic bounds. */
#include "loss/intervals.h"

#include <math.h>

#include "noise/fp_mode.h"

/* ln n! - (n ln n - n + ln(2 pi n) / 2), n >= 1 */
static double stirling_rest(double n)
{
    if (n < 16.0) return lgamma(n + 1.0) - (n * log(n) - n + 0.5 * log(6.283185307179586 * n));
    const double m = 1.0 / (n * n);
    return (1.0 / 12 - m * (1.0 / 360 - m * (1.0 / 1260 - m * (1.0 / 1680 - m / 1188)))) / n;
}

/* x ln(x / m) + m - x, without cancellation near x = m (Loader's deviance) */
static double deviance(double x, double m)
{
    if (x == 0.0) return m;
    const double v = (x - m) / (x + m);
    if (fabs(v) > 0.1) return x * log(x / m) + m - x;
    /* x ln(x / m) = 2 x atanh v */
    double sum = (x - m) * v, term = 2.0 * x * v;
    for (int k = 1; k < 100; k++) {
        term *= v * v;
        const double next = sum + term / (2 * k + 1);
        if (next == sum) break;
        sum = next;
    }
    return sum;
}

/* ln P[X = k], X of n trials of probability p = 1 - q; 0 < k < n */
static double log_mass(double k, double n, double p, double q)
{
    return stirling_rest(n) - stirling_rest(k) - stirling_rest(n - k) - deviance(k, n * p) - deviance(n - k, n * q) +
           0.5 * log(n / (6.283185307179586 * k * (n - k)));
}

/* The continued fraction of the incomplete beta function with a = k, b = n - k + 1, by Lentz:
 * P[X >= k] = P[X = k] q times it. Quick where p lies below k / n, as bounds do. */
static double tail_fraction(double k, double n, double p, double q)
{
    const double a = k, b = n - k + 1.0;
    /* 1 - (a + b) p / (a + 1), from the smaller of p and q = 1 - p */
    const double first = p < 0.5 ? 1.0 - (a + b) * p / (a + 1.0) : ((a + b) * q - (b - 1.0)) / (a + 1.0);
    double c = 1.0, d = 1.0 / first, h = d;
    for (double m = 1.0; m < 1e5; m += 1.0) {   /* bound: 10^5 turns; sqrt(n) / 10 or so are needed */
        const double even = m * (b - m) * p / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 / (1.0 + even * d);
        c = 1.0 + even / c;
        h *= d * c;
        const double odd = -(a + m) * (a + b + m) * p / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / (1.0 + odd * d);
        c = 1.0 + odd / c;
        h *= d * c;
        if (fabs(d * c - 1.0) < 1e-15) break;
    }
    return h;
}

/* ln P[X >= k], q = 1 - p, and its derivative in p */
static double log_at_least(double k, double n, double p, double q, double *slope)
{
    const double fraction = tail_fraction(k, n, p, q);
    *slope = k / (fraction * p * q);
    return log_mass(k, n, p, q) + log(q * fraction);
}

static double log_upper_tail(double k, double n, double p, double *slope)
{
    return log_at_least(k, n, p, 1.0 - p, slope);
}

/* ln P[X <= k] and its derivative in p. Few successes: their sum; else the tail of the failures. */
static double log_lower_tail(double k, double n, double p, double *slope)
{
    const double q = 1.0 - p;
    if (k > 3000.0) {
        const double value = log_at_least(n - k, n, q, p, slope);
        *slope = -*slope;
        return value;
    }
    double sum = 1.0, term = 1.0;
    for (double j = k; j > 0.0 && term > 1e-17 * sum; j -= 1.0) {   /* bound: k <= 3000 turns */
        term *= j * q / ((n - j + 1.0) * p);
        sum += term;
    }
    *slope = -(n - k) / (q * sum);   /* d/dp P[X <= k] = -(n - k) / q P[X = k] */
    return log_mass(k, n, p, q) + log(sum);
}

/* The p between low and high where the monotone function meets the goal: Newton's steps, halving where they leave the
 * bracket. A lower bound is sought along ln p, an upper one along ln(1 - p): there the functions are nearly straight.
 * Nearer to 0 or 1 than this can resolve, the bound is 0 or 1. */
typedef double bound_function(double k, double n, double p, double *slope);
static double solve(bound_function *f, double k, double n, double goal, double low, double high, bool upper)
{
    double p = 0.5 * (low + high);
    for (int i = 0; i < 200; i++) {   /* bound: 200 turns */
        double slope;
        const double excess = f(k, n, p, &slope) - goal;
        if (excess == 0.0) break;
        if ((excess > 0.0) == (slope > 0.0)) high = p;
        else low = p;
        const double step = -excess / slope;
        double next = upper ? p - (1.0 - p) * expm1(-step / (1.0 - p)) : p * exp(step / p);
        if (!(next > low && next < high)) next = low == 0.0 ? 1e-20 * high : 0.5 * (low + high);
        if (fabs(next - p) <= 0x1p-51 * p) break;
        p = next;
        if (p < 1e-290) return 0.0;
    }
    return upper && p > 1.0 - 0x1p-46 ? 1.0 : p;
}

simdp_estimate simdp_interval_of_count(uint64_t count, uint64_t trials, double error)
{
    const double k = (double)count, n = (double)trials, goal = log(0.5 * error);
    simdp_estimate e = {k / n, 0.0, 1.0};
    if (trials == 0) return (simdp_estimate){NAN, 0.0, 1.0};
    if (count == trials) e.low = exp(goal / n);
    else if (count > 0) e.low = solve(log_upper_tail, k, n, goal, 0.0, e.value, false);
    if (count == 0) e.high = -expm1(goal / n);
    else if (count < trials) e.high = solve(log_lower_tail, k, n, goal, e.value, 1.0, true);
    return e;
}

/* -n times the relative entropy of a mean k / n to p, and its derivative: what bounds ln P[mean >= k / n], and P[mean
 * <= k / n] */
static double entropy_bound(double k, double n, double p, double *slope)
{
    *slope = (k - n * p) / (p * (1.0 - p));
    return -deviance(k, n * p) - deviance(n - k, n * (1.0 - p));
}

simdp_estimate simdp_interval_of_mean(double mean, uint64_t n, double bound, double error)
{
    const double trials = (double)n, m = fmin(1.0, fmax(0.0, mean / bound)), goal = log(0.5 * error);
    simdp_estimate e = {mean, 0.0, bound};
    if (!(bound > 0.0)) return (simdp_estimate){mean, 0.0, 0.0};
    if (m == 1.0) e.low = bound * exp(goal / trials);
    else if (m > 0.0) e.low = bound * solve(entropy_bound, m * trials, trials, goal, 0.0, m, false);
    if (m == 0.0) e.high = bound * -expm1(goal / trials);
    else if (m < 1.0) e.high = bound * solve(entropy_bound, m * trials, trials, goal, m, 1.0, true);
    return e;
}

/* x with P[|N(0, 1)| > x] = error */
static double normal_bound(double error)
{
    double x = error > 0.5 ? 0.5 : sqrt(-2.0 * log(error));
    for (int i = 0; i < 50; i++) {   /* Newton on the logarithm, which is concave: from above, without overshooting */
        const double tail = erfc(x * 0.7071067811865476), density = 0.7978845608028654 * exp(-0.5 * x * x);
        const double step = log(tail / error) * tail / density;
        x += step;
        if (fabs(step) < 1e-14 * x) break;
    }
    return x;
}

simdp_estimate simdp_interval_normal(double value, double deviation, double error)
{
    const double width = normal_bound(error) * deviation;
    return (simdp_estimate){value, value - width, value + width};
}

double simdp_interval_band(uint64_t n, double error) { return fmin(1.0, sqrt(log(2.0 / error) / (2.0 * (double)n))); }

/* ---- the public two ---- */

simdp_status simdp_interval_proportion(simdp_estimate *out, uint64_t count, uint64_t trials, double error)
{
    if (out == NULL) return SIMDP_ENULL;
    FP_MODE_SCOPE();
    FP_PIN(error);
    bool good = trials > 0 && count <= trials && interval_error_ok(error);
    *out = good ? simdp_interval_of_count(count, trials, error) : (simdp_estimate){NAN, NAN, NAN};
    FP_PIN(good);
    return good ? SIMDP_OK : SIMDP_EPARAM;
}

simdp_status simdp_interval_mean(simdp_estimate *out, double mean, uint64_t n, double bound, double error)
{
    if (out == NULL) return SIMDP_ENULL;
    FP_MODE_SCOPE();
    FP_PIN(mean); FP_PIN(bound); FP_PIN(error);
    bool good =
        n > 0 && mean >= 0.0 && mean <= bound && bound > 0.0 && isfinite(bound) && interval_error_ok(error);
    *out = good ? simdp_interval_of_mean(mean, n, bound, error) : (simdp_estimate){NAN, NAN, NAN};
    FP_PIN(good);
    return good ? SIMDP_OK : SIMDP_EPARAM;
}
