/* discrete.c: discrete Laplace and discrete Gaussian laws on the integers. */
#include "loss/discrete.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "math/forms.h"
#include "math/special.h"

static bool is_scale(double b) { return b > 0.0 && b < INFINITY; }
static bool is_probability(double p) { return p >= 0.0 && p <= 1.0; }

/* ---- discrete Laplace, scale t: pmf tanh(1/(2t)) e^(-|x|/t) ---- */

/* e^(-m/t): the remainder of the quotient is put back, or a long tail loses digits */
static double decay(double m, double t)
{
    const double quotient = m / t;
    if (quotient > 800.0) return 0.0;
    const double e = exp(-quotient);
    return e - e * (fma(-quotient, t, m) / t);
}

/* P[X >= m] = q^m/(1+q) for whole m >= 1 */
static double laplace_tail(double m, double t) { return decay(m, t) / (1.0 + exp(-1.0 / t)); }

static double discrete_laplace_sf(double x, const double *t)
{
    if (isnan(x) || !is_scale(*t)) return NAN;
    const double whole = floor(x);
    return whole >= 0.0 ? laplace_tail(whole + 1.0, *t) : 1.0 - laplace_tail(-whole, *t);
}

static double discrete_laplace_cdf(double x, const double *t) { return discrete_laplace_sf(-floor(x) - 1.0, t); }

static double discrete_laplace_pmf(double x, const double *t)
{
    if (isnan(x) || !is_scale(*t)) return NAN;
    return x == floor(x) ? tanh(0.5 / *t) * decay(fabs(x), *t) : 0.0;
}

static double discrete_laplace_log_pmf(double x, const double *t)
{
    if (isnan(x) || !is_scale(*t)) return NAN;
    return x == floor(x) ? log(tanh(0.5 / *t)) - fabs(x) / *t : -INFINITY;
}

/* ---- discrete Gaussian ---- */

double simdp_discrete_log_weight(double y, double sigma)
{
    const double z = y / sigma;
    return -0.5 * z * z;
}

double simdp_discrete_weight(double y, double sigma)
{
    const double z = y / sigma;
    if (!(fabs(z) < 40.0)) return 0.0;
    const double square = z * z, e = exp(-0.5 * square);
    return e - e * (0.5 * fma(z, z, -square) + z * (fma(-z, sigma, y) / sigma));
}

double simdp_discrete_total(double sigma)
{
    if (sigma < 1.0) {   /* the eleventh term is below 1e-26 */
        double sum = 0.0;
        for (int y = 10; y >= 1; y--) sum += exp(-0.5 * (y / sigma) * (y / sigma));
        return 1.0 + 2.0 * sum;
    }
    const double two_pi_squared = 0x1.3bd3cc9be45dep+4;
    /* by Poisson's summation; the next term is below 1e-34 */
    return sigma * SPECIAL_SQRT_2PI * (1.0 + 2.0 * exp(-two_pi_squared * sigma * sigma));
}

/* Terms r(j) = e^(-a j - b j^2), a = m/sigma^2, b = 1/(2 sigma^2). They vanish after min(9 sigma, 45/a) steps. Where
 * that is long they are also smooth (a < 0.012, b < 4e-6), and Euler's and Maclaurin's formula with three
 * corrections is right to 1e-17. */
double simdp_discrete_relative_tail(double m, double sigma)
{
    const double z = m / sigma, a = z / sigma, b = 0.5 / sigma / sigma;
    if (sigma > 400.0 && a < 0.012) {
        const double integral = 0.5 * sigma * SPECIAL_SQRT_2PI * simdp_special_erfcx(z * SPECIAL_SQRT_HALF);
        return integral + 0.5 +
               a * (1.0 / 12.0 - (a * a - 6.0 * b) / 720.0 + (a * a * (a * a - 20.0 * b) + 60.0 * b * b) / 30240.0);
    }
    if (a > 45.0) return 1.0;
    /* bound: 4000 turns. Here sigma <= 400, and terms fall below e^-40 within 9 sigma; or a >= 0.012, and they do
     * within 40/a. NaN ends it too. */
    double sum = 0.0;
    for (double j = 0.0;; j += 1.0) {
        const double term = exp(-j * (a + b * j));
        sum += term;
        if (!(term > 0x1p-57 * sum)) return sum;
    }
}

/* P[X >= m], whole m >= 1 */
static double gaussian_tail(double m, double sigma)
{
    const double weight = simdp_discrete_weight(m, sigma);
    return weight == 0.0 ? 0.0 : weight * simdp_discrete_relative_tail(m, sigma) / simdp_discrete_total(sigma);
}

static double discrete_gaussian_sf(double x, const double *sigma)
{
    if (isnan(x) || !is_scale(*sigma)) return NAN;
    const double whole = floor(x);
    return whole >= 0.0 ? gaussian_tail(whole + 1.0, *sigma) : 1.0 - gaussian_tail(-whole, *sigma);
}

static double discrete_gaussian_cdf(double x, const double *sigma)
{
    return discrete_gaussian_sf(-floor(x) - 1.0, sigma);
}

static double discrete_gaussian_pmf(double x, const double *sigma)
{
    if (isnan(x) || !is_scale(*sigma)) return NAN;
    return x == floor(x) ? simdp_discrete_weight(x, *sigma) / simdp_discrete_total(*sigma) : 0.0;
}

static double discrete_gaussian_log_pmf(double x, const double *sigma)
{
    if (isnan(x) || !is_scale(*sigma)) return NAN;
    return x == floor(x) ? simdp_discrete_log_weight(x, *sigma) - log(simdp_discrete_total(*sigma)) : -INFINITY;
}

/* ---- quantiles: the smallest integer x with P[X <= x] >= p, found from a guess by doubling steps and halving ---- */

/* Whether P[X <= x] >= p, asked of the smaller of the two tails. */
static bool reaches(double x, double p, const double *scale, simdp_form cdf, simdp_form sf)
{
    return p <= 0.5 ? cdf(x, scale) >= p : sf(x, scale) <= 1.0 - p;
}

static double integer_quantile(double p, const double *scale, double guess, simdp_form cdf, simdp_form sf)
{
    /* low: not reached; high: reached. From an infinite guess no step leads away. */
    double low = floor(fmax(-DBL_MAX, fmin(DBL_MAX, guess))), high = low, step = 1.0;
    /* bound: 1025 turns, after which the step is infinite; -inf is not reached and +inf is, as 0 < p < 1 */
    if (reaches(low, p, scale, cdf, sf)) {
        for (; reaches(low, p, scale, cdf, sf); step *= 2.0) high = low, low -= step;
    } else {
        for (; !reaches(high, p, scale, cdf, sf); step *= 2.0) low = high, high += step;
    }
    while (high - low > 1.0) {   /* bound: 1025 turns, as each halves a distance of at most 2^1025 */
        const double middle = floor(0.5 * low + 0.5 * high);
        if (!(middle > low && middle < high)) break;   /* beyond 2^53 neighbours are more than 1 apart */
        if (reaches(middle, p, scale, cdf, sf)) high = middle;
        else low = middle;
    }
    return high;
}

static double discrete_laplace_ppf(double p, const double *t)
{
    if (!is_probability(p) || !is_scale(*t)) return NAN;
    if (p == 0.0 || p == 1.0) return p == 0.0 ? -INFINITY : INFINITY;
    const double guess = *t * (p <= 0.5 ? log(2.0 * p) : -log(2.0 * (1.0 - p)));
    return integer_quantile(p, t, guess, discrete_laplace_cdf, discrete_laplace_sf);
}

static double discrete_gaussian_ppf(double p, const double *sigma)
{
    if (!is_probability(p) || !is_scale(*sigma)) return NAN;
    if (p == 0.0 || p == 1.0) return p == 0.0 ? -INFINITY : INFINITY;
    return integer_quantile(p, sigma, *sigma * simdp_special_normal_quantile(p), discrete_gaussian_cdf,
                            discrete_gaussian_sf);
}

#define PUBLIC_LAW(law) FORM_OF_SCALE(pmf, law) FORM_OF_SCALE(log_pmf, law) FORM_OF_SCALE(cdf, law) FORM_OF_SCALE(sf, law) FORM_OF_SCALE(ppf, law)
PUBLIC_LAW(discrete_laplace)
PUBLIC_LAW(discrete_gaussian)
