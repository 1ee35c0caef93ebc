/* law_discrete.c: discrete Laplace and discrete Gaussian laws on the integers. */
#include "noise/law_discrete.h"

#include <float.h>

#include "math/plain_math.h"
#include "math/quotient.h"
#include "math/special.h"
#include "math/sum.h"
#include "noise/law.h"

/* DISCRETE_LIFT P[X >= m] for whole m >= 1. Small exponentials are so rounded once, at the
 * end, and quantiles compare tails that are subnormal. */
typedef double tail_form(dd m, double scale);

double simdp_discrete_decay(dd z)
{
    const dd lift = {256.0 * SPECIAL_LN2, 256.0 * SPECIAL_LN2_LOW};
    return z.hi < 1000.0 ? exp_of(dd_sub(lift, z)) : 0.0;
}

/* P[X > x] and P[X <= x] by the tail beyond x, so that neither is found as 1 less a number near 1. */
static double upper(double x, double scale, tail_form tail)
{
    if (isnan(x) || !noise_law_scale_ok(scale)) return NAN;
    if (isinf(x)) return x < 0.0 ? 1.0 : 0.0;
    const double whole = floor(x);
    if (whole >= 0.0) return tail(dd_two_sum(whole, 1.0), scale) / DISCRETE_LIFT;
    return 1.0 - tail(dd_of(-whole), scale) / DISCRETE_LIFT;
}

static double lower(double x, double scale, tail_form tail)
{
    if (isnan(x) || !noise_law_scale_ok(scale)) return NAN;
    if (isinf(x)) return x < 0.0 ? 0.0 : 1.0;
    const double whole = floor(x);
    if (whole < 0.0) return tail(dd_of(-whole), scale) / DISCRETE_LIFT;
    return 1.0 - tail(dd_two_sum(whole, 1.0), scale) / DISCRETE_LIFT;
}

/* ---- discrete Laplace, scale t: pmf tanh(1/(2t)) e^(-|x|/t) ---- */

/* q^m/(1+q), q = e^(-1/t) */
static double laplace_tail(dd m, double t)
{
    return simdp_discrete_decay(quotient_of(m, t)) / (1.0 + plain_exp(-1.0 / t));
}

static double discrete_laplace_sf(double x, const double *t) { return upper(x, *t, laplace_tail); }
static double discrete_laplace_cdf(double x, const double *t) { return lower(x, *t, laplace_tail); }

static double discrete_laplace_pmf(double x, const double *t)
{
    if (isnan(x) || !noise_law_scale_ok(*t)) return NAN;
    return x == floor(x) ? plain_tanh(0.5 / *t) * simdp_discrete_decay(quotient(fabs(x), *t)) / DISCRETE_LIFT : 0.0;
}

/* ln tanh(1/(2t)) = ln(1 - 2q/(1+q)), which is near 0 for small t */
static double log_peak(double t)
{
    if (t > 0x1p+60) return -plain_log(t) - SPECIAL_LN2;
    if (t >= 1.0) return plain_log(plain_tanh(0.5 / t));
    return plain_log1p(simdp_discrete_decay(quotient(1.0, t)) / (1.0 + plain_exp(-1.0 / t)) * (-2.0 / DISCRETE_LIFT));
}

static double discrete_laplace_log_pmf(double x, const double *t)
{
    if (isnan(x) || !noise_law_scale_ok(*t)) return NAN;
    return x == floor(x) ? log_peak(*t) - fabs(x) / *t : -INFINITY;
}

/* ---- discrete Gaussian ---- */

double simdp_discrete_log_weight(double y, double sigma)
{
    const double z = y / sigma;
    return -0.5 * z * z;
}

double simdp_discrete_weight(dd y, double sigma)
{
    const dd z = quotient_of(y, sigma);
    return fabs(z.hi) < 40.0 ? simdp_discrete_decay(dd_scale(dd_mul(z, z), 0.5)) : 0.0;
}

/* Z - 1 for sigma < 1; the eleventh term is below 1e-26 of the first */
static double total_less_one(double sigma)
{
    double sum = 0.0;
    for (int y = 10; y >= 1; y--) sum += simdp_discrete_weight(dd_of(y), sigma);
    return sum * (2.0 / DISCRETE_LIFT);
}

double simdp_discrete_total(double sigma)
{
    if (sigma < 1.0) return 1.0 + total_less_one(sigma);
    const double two_pi_squared = 0x1.3bd3cc9be45dep+4;
    /* by Poisson's summation; the next term is below 1e-34 */
    return SPECIAL_SQRT_2PI * (1.0 + 2.0 * plain_exp(-two_pi_squared * sigma * sigma));
}

double simdp_discrete_log_total(double sigma)
{
    return sigma < 1.0 ? plain_log1p(total_less_one(sigma)) : plain_log(simdp_discrete_total(sigma)) + plain_log(sigma);
}

/* Terms r(j) = e^(-a j - b j^2), a = m/sigma^2, b = 1/(2 sigma^2). They vanish after min(9 sigma, 45/a) steps. Where
 * that is long they are also smooth (a < 0.012, b < 4e-6), and Euler's and Maclaurin's formula with three
 * corrections is right to 1e-17. */
double simdp_discrete_relative_tail(double m, double sigma)
{
    const double z = m / sigma, a = z / sigma, b = 0.5 / sigma / sigma;
    if (sigma > 400.0 && a < 0.012) {
        const double integral = 0.5 * SPECIAL_SQRT_2PI * simdp_special_erfcx(z * SPECIAL_SQRT_HALF);
        const double fifth = a * a * (a * a - 20.0 * b) + 60.0 * b * b;
        return integral + (0.5 + a * (1.0 / 12.0 - (a * a - 6.0 * b) / 720.0 + fifth / 30240.0)) / sigma;
    }
    simdp_sum sum = {1.0, 0.0};
    /* bound: 4000 turns. Here sigma <= 400, and terms fall below e^-40 within 9 sigma; or a >= 0.012, and they do
     * within 40/a. NaN ends it too. */
    for (double j = 1.0;; j += 1.0) {
        const double term = plain_exp(-j * (a + b * j));
        sum_add(&sum, term);
        if (!(term > 0x1p-57 * sum.sum)) return sum_value(&sum) / fmax(1.0, sigma);
    }
}

static double gaussian_tail(dd m, double sigma)
{
    const double first = simdp_discrete_weight(m, sigma);
    return first == 0.0 ? 0.0 : first * (simdp_discrete_relative_tail(m.hi, sigma) / simdp_discrete_total(sigma));
}

static double discrete_gaussian_sf(double x, const double *sigma) { return upper(x, *sigma, gaussian_tail); }
static double discrete_gaussian_cdf(double x, const double *sigma) { return lower(x, *sigma, gaussian_tail); }

static double discrete_gaussian_pmf(double x, const double *sigma)
{
    if (isnan(x) || !noise_law_scale_ok(*sigma)) return NAN;
    if (x != floor(x) || isinf(x)) return 0.0;
    return simdp_discrete_weight(dd_of(x), *sigma) / simdp_discrete_total(*sigma) / fmax(1.0, *sigma) / DISCRETE_LIFT;
}

static double discrete_gaussian_log_pmf(double x, const double *sigma)
{
    if (isnan(x) || !noise_law_scale_ok(*sigma)) return NAN;
    return x == floor(x) ? simdp_discrete_log_weight(x, *sigma) - simdp_discrete_log_total(*sigma) : -INFINITY;
}

/* ---- quantiles: the smallest integer x with P[X <= x] >= p, found from a guess by doubling steps and halving ---- */

/* Whether P[X <= x] >= p, asked of the smaller of the two tails. */
static bool reaches(double x, double p, double scale, tail_form tail)
{
    if (p > 0.5) return upper(x, scale, tail) <= 1.0 - p;
    if (x < 0.0 && x > -INFINITY) return tail(dd_of(-x), scale) >= DISCRETE_LIFT * p;
    return lower(x, scale, tail) >= p;
}

static double integer_quantile(double p, double scale, double guess, tail_form tail)
{
    /* low: not reached; high: reached. From an infinite guess no step leads away. */
    double low = floor(fmax(-DBL_MAX, fmin(DBL_MAX, guess))), high = low, step = 1.0;
    /* bound: 1025 turns, after which the step is infinite; -inf is not reached and +inf is, as 0 < p < 1 */
    if (reaches(low, p, scale, tail)) {
        for (; reaches(low, p, scale, tail); step *= 2.0) high = low, low -= step;
    } else {
        for (; !reaches(high, p, scale, tail); step *= 2.0) low = high, high += step;
    }
    while (high - low > 1.0) { /* bound: 1025 turns, as each halves a distance of at most 2^1025 */
        const double middle = floor(0.5 * low + 0.5 * high);
        if (!(middle > low && middle < high)) break; /* beyond 2^53 neighbours are more than 1 apart */
        if (reaches(middle, p, scale, tail)) high = middle;
        else low = middle;
    }
    return high;
}

static double discrete_laplace_quantile(double p, const double *t)
{
    if (!noise_law_is_probability(p) || !noise_law_scale_ok(*t)) return NAN;
    if (p == 0.0 || p == 1.0) return p == 0.0 ? -INFINITY : INFINITY;
    const double guess = *t * (p <= 0.5 ? plain_log(2.0 * p) : -plain_log(2.0 * (1.0 - p)));
    return integer_quantile(p, *t, guess, laplace_tail);
}

static double discrete_gaussian_quantile(double p, const double *sigma)
{
    if (!noise_law_is_probability(p) || !noise_law_scale_ok(*sigma)) return NAN;
    if (p == 0.0 || p == 1.0) return p == 0.0 ? -INFINITY : INFINITY;
    return integer_quantile(p, *sigma, *sigma * simdp_special_normal_quantile(p), gaussian_tail);
}

const noise_law simdp_noise_law_discrete_laplace = {discrete_laplace_cdf, discrete_laplace_sf, discrete_laplace_log_pmf,
                                                    discrete_laplace_pmf, discrete_laplace_quantile};
const noise_law simdp_noise_law_discrete_gaussian = {discrete_gaussian_cdf, discrete_gaussian_sf,
                                                     discrete_gaussian_log_pmf, discrete_gaussian_pmf,
                                                     discrete_gaussian_quantile};
