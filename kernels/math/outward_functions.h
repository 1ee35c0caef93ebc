/* outward_functions.h: elementary functions rounded to the safe side, for bounds built of few operations: each step
 * goes outward, so the result does by construction. exp, log, expm1 and log1p are taken to be right to 1 ulp, tanh to
 * 2; a result is at most twice that and one rounding away from the real number. All arguments are numbers of the stated
 * domain; an infinite result stays. Where the real number lies below 2^-1074, up gives 2^-1074 and down gives 0. */
#ifndef SIMDP_OUTWARD_FUNCTIONS_H
#define SIMDP_OUTWARD_FUNCTIONS_H

#include "math/outward.h"
#include "math/plain_math.h"

/* v, right to so many ulp, moved beyond them; 0 and infinities are exact */
static inline double outward_ulps(double v, double ulps)
{
    return v == 0.0 || isinf(v) ? 0.0 : ulps * (fabs(v) * 0x1p-52 + 0x1p-1074);
}
static inline double ulps_up(double v, double ulps) { return outward_up(v, outward_ulps(v, ulps)); }
static inline double ulps_down(double v, double ulps) { return outward_down_positive(v, outward_ulps(v, ulps)); }

/* a whole number >= 0 */
static inline double count_up(int64_t k)
{
    const double count = (double)k;
    return count < 0x1p63 && (int64_t)count < k ? outward_next(count) : count;
}

/* a b, also of 0 and inf: 0 */
static inline double times_up(double a, double b) { return a == 0.0 || b == 0.0 ? 0.0 : mul_up(a, b); }
static inline double times_down(double a, double b) { return a == 0.0 || b == 0.0 ? 0.0 : mul_down(a, b); }

/* x 2^n, x >= 0: exact but where the result is subnormal */
static inline double ldexp_up(double x, int n)
{
    const double scaled = ldexp(x, n);
    return scaled < 0x1p-1022 && ldexp(scaled, -n) < x ? outward_next(scaled) : scaled;
}
static inline double ldexp_down(double x, int n)
{
    const double scaled = ldexp(x, n);
    if (scaled == INFINITY && x < INFINITY) return DBL_MAX;
    return scaled < 0x1p-1022 && ldexp(scaled, -n) > x ? outward_previous(scaled) : scaled;
}

/* x >= 0 */
static inline double sqrt_up(double x)
{
    const double root = sqrt(x);
    return x > 0.0 && x < INFINITY && (x < 0x1p-900 || fma(root, root, -x) < 0.0) ? outward_next(root) : root;
}

/* -ln p, 0 <= p <= 1 */
static inline double neg_log_up(double p) { return ulps_up(fabs(plain_log(p)), 1.0); }
static inline double neg_log_down(double p) { return ulps_down(fabs(plain_log(p)), 1.0); }

/* -ln(1-p), 0 <= p <= 1; at least p */
static inline double neg_log1m_up(double p) { return ulps_up(fabs(plain_log1p(-p)), 1.0); }
static inline double neg_log1m_down(double p) { return fmax(p, ulps_down(fabs(plain_log1p(-p)), 1.0)); }

/* ln(1+x), x >= 0; at most x */
static inline double log1p_up(double x) { return fmin(x, ulps_up(plain_log1p(x), 1.0)); }
static inline double log1p_down(double x) { return ulps_down(plain_log1p(x), 1.0); }

/* e^-x, x >= 0 */
static inline double exp_minus_up(double x)
{
    if (x == 0.0 || x == INFINITY) return x == 0.0 ? 1.0 : 0.0;
    return fmin(1.0, fmax(0x1p-1074, ulps_up(plain_exp(-x), 1.0)));
}
static inline double exp_minus_down(double x) { return x == 0.0 ? 1.0 : ulps_down(plain_exp(-x), 1.0); }

/* e^x - 1, 1 - e^-x, tanh x, x >= 0; the last two at most x and 1 */
static inline double expm1_up(double x) { return ulps_up(plain_expm1(x), 1.0); }
static inline double one_minus_exp_up(double x) { return fmin(fmin(1.0, x), ulps_up(-plain_expm1(-x), 1.0)); }
static inline double tanh_up(double x) { return fmin(fmin(1.0, x), ulps_up(plain_tanh(x), 2.0)); }

/* The sum of numbers >= 0, infinities included: what each addition loses is exact, and added up by itself. Start with
 * {0, 0}. For n terms the result lies within 1 ulp and 2 n 2^-106 of the real sum. */
typedef struct {
    double sum, lost;
} outward_sum;

static inline void outward_sum_add(outward_sum *s, double x)
{
    const double total = s->sum + x;
    if (isfinite(total)) s->lost = add_up(s->lost, sum_error(s->sum, x, total));
    s->sum = total;
}
static inline double outward_sum_up(const outward_sum *s)
{
    return isfinite(s->sum) ? add_up(s->sum, s->lost) : s->sum;
}

#endif
