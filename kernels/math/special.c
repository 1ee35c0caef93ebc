/* special.c: see special.h. */
#include "math/special.h"

#include <math.h>

#include "math/plain_math.h"

/* ---- logarithms of sums and differences ---- */

double simdp_special_log1mexp(double x)
{
    if (!(x >= 0.0)) return NAN;
    return x < SPECIAL_LN2 ? plain_log(-plain_expm1(-x)) : plain_log1p(-plain_exp(-x));
}

double simdp_special_logaddexp(double a, double b)
{
    if (isnan(a) || isnan(b)) return NAN;
    const double most = fmax(a, b), least = fmin(a, b);
    if (isinf(most) || isinf(least)) return most;
    return most + plain_log1p(plain_exp(least - most));
}

/* Moved so that the least node is 0, and u <= v are the others: sum over n of h_n/(n+2)!, h_n the sum of all u^i
 * v^(n-i), all positive. The terms fall by 4/3 at least from the fourth on, by 4/20 in the end: 40 are enough. */
double simdp_special_exp_divided(double x, double y)
{
    const double least = fmin(0.0, fmin(x, y)), most = fmax(0.0, fmax(x, y)), v = most - least;
    const double middle = fmax(fmin(x, y), fmin(0.0, fmax(x, y))), u = middle - least;
    double h = 1.0, power = 1.0, factor = 0.5, sum = 0.0;
    for (int n = 0; n < 40; n++) {
        const double before = sum;
        sum += factor * h;
        if (sum == before) break;
        power *= v;
        h = power + u * h;
        factor /= n + 3;
    }
    return plain_exp(least) * sum;
}

/* ---- error functions ---- */

/* e^(x^2): the rounding of x^2 costs up to x^2 u, so its remainder is put back */
static double exp_of_square(double x)
{
    const double square = x * x, e = plain_exp(square);
    return isinf(e) ? e : e + e * fma(x, x, -square);
}

/* For x >= 0: (1 + 2x) erfcx(x) = P(y), y = (x - 4)/(x + 4), a polynomial over all x, infinity included, as y lies
 * in [-1, 1]. Chebyshev series cut at degree 28; what is cut sums to 1.8e-20, and to 2e-17 in the derivative. P lies
 * in [1, 1.41]. */
enum { ERFCX_DEGREE = 28 };
static const double erfcx_series[ERFCX_DEGREE + 1] = {
    0x1.3ba5916e9fd7fp+0,   -0x1.1df1ad154a28ep-3,  0x1.f7f5df66fd7bfp-7,   0x1.16ecefcfa5391p-4,
    -0x1.9ddb23c3e911ap-4,  0x1.7fee004e125ffp-4,   -0x1.0fb06dfe4881ap-4,  0x1.3079edf680fd1p-5,
    -0x1.09623885556bcp-6,  0x1.49c67286a6641p-8,   -0x1.8d4a9981cc481p-11, -0x1.a1df25a4fabf4p-13,
    0x1.3be0317bc1c6ep-13,  -0x1.995949e52807dp-16, -0x1.78813327c210dp-17, 0x1.7f2a0628ba261p-18,
    0x1.383ec7e7fe60ap-22,  -0x1.bb421df9c6ca7p-21, 0x1.53dbfe9d6c3fap-24,  0x1.dccdf7ccceb9dp-24,
    -0x1.7cda53f76bed3p-26, -0x1.0a84489be74e3p-26, 0x1.20a48d0097b07p-28,  0x1.34efd4dd74883p-29,
    -0x1.7222771ac3211p-31, -0x1.3ecffb65f70bfp-32, 0x1.76a7a2d9cd6e4p-34,  0x1.8d6f440511baap-36,
    -0x1.b411c16d4cba7p-38,
};

static double erfcx_of_positive(double x)
{
    if (x > 0x1p60) return 0.5 * SPECIAL_2_OVER_SQRT_PI / x;
    const double y = (x - 4.0) / (x + 4.0);
    double p = erfcx_series[ERFCX_DEGREE];
    for (int i = ERFCX_DEGREE - 1; i >= 0; i--) p = p * y + erfcx_series[i];
    return p / (1.0 + 2.0 * x);
}

/* With y1, y2 of the two points, P(y1) - P(y2) = (y1 - y2) Q and y1 - y2 = -8w/((x+4)(x+w+4)); Q, the divided
 * difference, is the polynomial whose coefficients are the partial sums of Horner's scheme at y1, taken at y2. So w
 * leaves as a factor. */
double simdp_special_erfcx_fall(double x, double w, double *at_end)
{
    const double x2 = x + w;
    if (!(x >= 0.0 && w >= 0.0)) return *at_end = NAN;
    if (isinf(x2) || x > 0x1p60) {
        *at_end = erfcx_of_positive(x2);
        return isinf(x2) ? erfcx_of_positive(x) / w : 0.5 * SPECIAL_2_OVER_SQRT_PI / x / x2;
    }
    const double y1 = (x - 4.0) / (x + 4.0), y2 = (x2 - 4.0) / (x2 + 4.0);
    double p = erfcx_series[ERFCX_DEGREE], q = p;
    for (int i = ERFCX_DEGREE - 1; i > 0; i--) {
        p = p * y1 + erfcx_series[i];
        q = q * y2 + p;
    }
    p = p * y1 + erfcx_series[0];
    const double end = 1.0 / (1.0 + 2.0 * x2), bent = 8.0 * q / ((x + 4.0) * (x2 + 4.0)); /* (P(y2) - P(y1))/w */
    *at_end = (p + w * bent) * end;
    return end * (2.0 * p / (1.0 + 2.0 * x) - bent);
}

double simdp_special_erfcx(double x)
{
    if (isnan(x)) return NAN;
    return x >= 0.0 ? erfcx_of_positive(x) : 2.0 * exp_of_square(x) - erfcx_of_positive(-x);
}

/* For |z| <= 1/2: the power series of erf^-1 to z^15 is right to 2e-6, one cubically convergent step (Halley) does
 * the rest. */
static double erfinv_near_zero(double z)
{
    static const double series[] = {0x1.c5bf891b4ef6bp-1, 0x1.db29fb2fee5e4p-3, 0x1.053c2c0ab91c5p-3,
                                    0x1.62847c47dda48p-4, 0x1.0a13189c6ef7ap-4, 0x1.a7c85c89bb08bp-5,
                                    0x1.5eeb1d488e312p-5, 0x1.2aba98b98c6bcp-5};
    const double z2 = z * z;
    double sum = 0.0;
    for (int i = 7; i >= 0; i--) sum = sum * z2 + series[i];
    const double x = z * sum;
    if (fabs(z) < 0x1p-16) return x; /* the step would be below rounding, and erf(x) may be subnormal */
    const double step = (plain_erf(x) - z) / (SPECIAL_2_OVER_SQRT_PI * plain_exp(-x * x));
    return x - step / (1.0 + x * step);
}

double simdp_special_normal_quantile_guess(double log_p)
{
    const double t = sqrt(-2.0 * log_p);
    return plain_log(1.05 + SPECIAL_SQRT_2PI * t) / t - t;
}

/* Halley's correction for F(x) = ln erfc(x) - l = ln erfcx(x) - x^2 - l: F' = -h, F'' = -h (h - 2x), h = 2/(sqrt(pi)
 * erfcx(x)). */
static double erfcinv_log(double l)
{
    if (!(l <= 0.0)) return NAN;
    if (isinf(l)) return INFINITY;
    if (l > -SPECIAL_LN2) return erfinv_near_zero(-plain_expm1(l));
    double x = -SPECIAL_SQRT_HALF * simdp_special_normal_quantile_guess(l - SPECIAL_LN2);
    for (int i = 0; i < 3; i++) {
        const double scaled = simdp_special_erfcx(x), h = SPECIAL_2_OVER_SQRT_PI / scaled;
        /* l + x^2 first: near the root it is small, and the remainder of the square belongs to it */
        const double f = plain_log(scaled) - fma(x, x, l);
        const double step = f / h;
        x += step / (1.0 + 0.5 * step * (h - 2.0 * x));
        if (fabs(step) < 1e-6 * x) break;
    }
    return x;
}

double simdp_special_erfcinv(double z)
{
    if (!(z >= 0.0 && z <= 2.0)) return NAN;
    if (z > 1.5) return -erfcinv_log(plain_log(2.0 - z));
    if (z > 0.5) return erfinv_near_zero(1.0 - z);
    return erfcinv_log(plain_log(z));
}

double simdp_special_erfinv(double z)
{
    if (!(fabs(z) <= 1.0)) return NAN;
    if (fabs(z) <= 0.5) return erfinv_near_zero(z);
    return copysign(erfcinv_log(plain_log1p(-fabs(z))), z);
}

/* ---- the normal law ---- */

double simdp_special_normal_cdf(double x, double x_low)
{
    if (isnan(x)) return NAN;
    if (x > -1.0) return 0.5 * plain_erfc(-(x + x_low) * SPECIAL_SQRT_HALF);
    if (x < -40.0) return 0.0;
    /* as in exp_of_square: without the remainder of the square the far tail loses digits */
    const double square = x * x, e = plain_exp(-0.5 * square);
    return 0.5 * (e - e * (0.5 * fma(x, x, -square) + x * x_low)) * erfcx_of_positive(-x * SPECIAL_SQRT_HALF);
}

double simdp_special_log_normal_cdf(double x, double x_low)
{
    if (isnan(x)) return NAN;
    if (x > -1.0) return plain_log1p(-simdp_special_normal_cdf(-x, -x_low));
    if (x < -0x1p500) return -0.5 * x * x;
    return plain_log(0.5 * erfcx_of_positive(-x * SPECIAL_SQRT_HALF)) - x * x_low - 0.5 * x * x;
}

double simdp_special_normal_quantile(double p)
{
    if (!(p >= 0.0 && p <= 1.0)) return NAN;
    if (p < 0.25) return -SPECIAL_SQRT2 * erfcinv_log(plain_log(p) + SPECIAL_LN2);
    if (p > 0.75) return SPECIAL_SQRT2 * erfcinv_log(plain_log(1.0 - p) + SPECIAL_LN2);
    return SPECIAL_SQRT2 * erfinv_near_zero(2.0 * p - 1.0);
}

double simdp_special_normal_quantile_log(double log_p)
{
    if (!(log_p <= 0.0)) return NAN;
    if (log_p < -2.0 * SPECIAL_LN2) return -SPECIAL_SQRT2 * erfcinv_log(log_p + SPECIAL_LN2);
    const double rest = -plain_expm1(log_p); /* 1 - p, at most 3/4 */
    if (rest < 0.25) return SPECIAL_SQRT2 * erfcinv_log(plain_log(rest) + SPECIAL_LN2);
    return SPECIAL_SQRT2 * erfinv_near_zero(1.0 - 2.0 * rest);
}

/* ---- factorials and counting laws, by their distance from the saddle point: no large terms cancel ---- */

double simdp_special_stirling_rest(double n)
{
    static const double table[] = {
        0x1.4c071bcda0a5bp-4, 0x1.52a9b923ea649p-5, 0x1.c579a268d80b3p-6, 0x1.54a2662fd78a9p-6, 0x1.10b4e513fcbedp-6,
        0x1.c6b167bebdf36p-7, 0x1.85d4d612e4a86p-7, 0x1.552805e7b3076p-7, 0x1.2f4871b12ab64p-7, 0x1.10f9d4c0743a7p-7,
        0x1.f0593088014f8p-8, 0x1.c7018733aa9c6p-8, 0x1.a40514700f36cp-8, 0x1.86076c002d4a7p-8, 0x1.6c08f6f194a10p-8,
    };
    if (!(n >= 1.0)) return NAN;
    if (n < 16.0) return table[(int)n - 1];
    const double r = 1.0 / n, r2 = r * r; /* the first term left out is 0.0296 n^-15: 2.6e-20 at n = 16 */
    return r * (1.0 / 12 -
                r2 * (1.0 / 360 -
                      r2 * (1.0 / 1260 - r2 * (1.0 / 1680 - r2 * (1.0 / 1188 - r2 * (691.0 / 360360 - r2 / 156))))));
}

double simdp_special_log_ratio(double p, double q)
{
    if (fabs(p - q) < 0.5 * q) return plain_log1p((p - q) / q);
    const double ratio = p / q;
    return ratio > 0x1p-1000 && ratio < 0x1p+1000 ? plain_log(ratio) : plain_log(p) - plain_log(q);
}

double simdp_special_deviance(double x, double m, double x_minus_m)
{
    if (!(x >= 0.0 && m >= 0.0)) return NAN;
    if (x == 0.0) return m;
    if (m == 0.0) return INFINITY;
    if (!(fabs(x_minus_m) < 0.5 * (x + m))) return x * simdp_special_log_ratio(x, m) - x_minus_m;
    const double v = x_minus_m / (x + m), v2 = v * v;
    double term = 2.0 * x * v, sum = x_minus_m * v;
    for (int j = 3; j < 80; j += 2) {
        term *= v2;
        const double before = sum;
        sum += term / j;
        if (sum == before) break;
    }
    return sum;
}

double simdp_special_log_binomial(double n, double k, double q, double p, double n_minus_mean)
{
    if (!(n >= 0.0 && n <= k && q > 0.0 && p > 0.0)) return NAN;
    if (n == 0.0) return q < 0.5 ? k * plain_log1p(-q) : k * plain_log(p);
    if (n == k) return p < 0.5 ? k * plain_log1p(-p) : k * plain_log(q);
    const double rest = k - n;
    const double ends =
        simdp_special_stirling_rest(k) - simdp_special_stirling_rest(n) - simdp_special_stirling_rest(rest);
    const double away =
        simdp_special_deviance(n, k * q, n_minus_mean) + simdp_special_deviance(rest, k * p, -n_minus_mean);
    return ends - away - 0.5 * (plain_log(n) + plain_log(rest / k)) - SPECIAL_HALF_LN_2PI;
}
