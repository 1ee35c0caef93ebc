/* tradeoff.c: what a test can do that sees one output and says which of two neighbouring inputs it came from: the least
 * rate of misses for a given rate of false alarms. Rounded down, since a mechanism promises at least this many. */
#include "account/account.h"
#include "loss/law.h"
#include "math/outward_functions.h"
#include "math/special.h"

#define U 0x1p-53

/* Laplace, t = sensitivity/scale: 1 - e^t a up to a = e^-t/2, e^-t/(4 a) up to 1/2, e^-t (1 - a) from there on. Where
 * they meet, the second and the others agree, so it does not matter on which side rounding puts a. */
static double laplace_miss(double alarm, const double *t)
{
    if (!is_probability(alarm) || !(*t >= 0.0)) return NAN;
    if (isinf(*t)) return 0.0;
    if (alarm == 0.0) return 1.0;
    const double far = exp_minus_down(*t);
    if (alarm >= 0.5) return times_down(far, add_down(1.0, -alarm));
    if (2.0 * alarm <= far) return fmax(0.0, add_down(1.0, -div_up(alarm, far)));
    return div_down(times_down(0.25, far), alarm);
}

/* Gaussian, s = sigma/sensitivity: Phi(z - 1/s), z the quantile of 1 - alarm. z is known to 8 u and Phi to 8 u. */
static double gaussian_miss(double alarm, const double *s)
{
    if (!is_probability(alarm) || !(*s >= 0.0)) return NAN;
    if (*s == 0.0 || alarm == 1.0) return 0.0;
    if (alarm == 0.0) return 1.0;
    if (isinf(*s)) return add_down(1.0, -alarm);
    const double z = -simdp_special_normal_quantile(alarm), mu = div_up(1.0, *s);
    if (isinf(mu)) return 0.0;
    const double at = add_down(add_down(z, -mu), -16.0 * U * fabs(z));
    const double miss = simdp_special_normal_cdf(at, 0.0);
    return fmin(add_down(1.0, -alarm), outward_down_positive(miss, 16.0 * U * miss + 0x1p-1074));
}

/* The curve of (epsilon, leak)-DP: max(0, 1 - leak - e^epsilon a, e^-epsilon (1 - leak - a)). */
static double response_miss(double alarm, const double *p)
{
    const double epsilon = p[0], leak = p[1];
    if (!is_probability(alarm) || !is_epsilon(epsilon) || !is_probability(leak)) return NAN;
    if (isinf(epsilon)) return 0.0;
    const double kept = add_down(1.0, -leak), far = exp_minus_down(epsilon);
    const double steep = alarm == 0.0 ? kept : far == 0.0 ? 0.0 : add_down(kept, -div_up(alarm, far));
    const double flat = times_down(far, fmax(0.0, add_down(kept, -alarm)));
    return fmax(0.0, fmax(steep, flat));
}

simdp_status simdp_account_miss_rate(double *miss, const double *alarm, size_t n, simdp_law law)
{
    static const loss_forms forms = {
        [SIMDP_MECHANISM_LAPLACE] = laplace_miss,
        [SIMDP_MECHANISM_GAUSSIAN] = gaussian_miss,
        [SIMDP_MECHANISM_RANDOMIZED_RESPONSE] = response_miss,
    };
    return simdp_loss_map(miss, alarm, n, forms, law);
}
