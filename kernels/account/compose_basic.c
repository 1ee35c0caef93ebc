/* compose_basic.c: composition theorems that are formulas: basic, Azuma, advanced, strong, bounded range. */
#include "account/account.h"
#include "call/forms.h"
#include "math/outward_functions.h"
#include "math/plain_math.h"
#include "math/scalar_dd.h"
#include "math/special.h"

static const simdp_account_composed no_result = {NAN, NAN, NAN};

static bool are_steps(const simdp_account_steps *s)
{
    return is_epsilon(s->epsilon) && is_probability(s->delta) && s->k >= 0;
}
static bool are_pure_steps(const simdp_account_steps *s)
{
    return are_steps(s) && s->delta == 0.0 && is_probability(s->slack);
}

/* epsilon sqrt(2 k log_inverse), log_inverse = ln(1/p): 0 if nothing can deviate, inf if no deviation is excluded */
static double deviation(double epsilon, int64_t k, double log_inverse)
{
    return times_up(epsilon, sqrt_up(times_up(2.0 * count_up(k), log_inverse)));
}

/* 1 - (1-delta)^k (1-slack) */
static double leak(double delta, int64_t k, double slack)
{
    if (k == 0 || delta == 0.0) return slack;
    if (slack == 0.0 && k == 1) return delta;
    return one_minus_exp_up(add_up(mul_up(count_up(k), neg_log1m_up(delta)), neg_log1m_up(slack)));
}

/* k epsilon mean, the sum of the means of k steps; no step, no loss. The product with k comes first: the others may
 * underflow. */
static double drift(int64_t k, double epsilon, double mean) { return times_up(times_up(count_up(k), epsilon), mean); }

/* A total that is made of terms rounded upward. */
static simdp_account_composed composed(double drift, double deviation, double delta, double delta_sharp)
{
    const double at_most_one = fmin(1.0, delta);
    return (simdp_account_composed){add_up(drift, deviation), at_most_one, fmin(at_most_one, delta_sharp)};
}

static simdp_account_composed basic(const simdp_account_steps *s)
{
    if (!are_steps(s)) return no_result;
    const double count = count_up(s->k);
    return composed(times_up(count, s->epsilon), 0.0, times_up(count, s->delta), leak(s->delta, s->k, 0.0));
}

static simdp_account_composed azuma(const simdp_account_steps *s)
{
    if (!are_pure_steps(s)) return no_result;
    const double e = s->epsilon;
    return composed(drift(s->k, e, 2.0 * e), deviation(e, s->k, neg_log_up(s->slack)), s->slack, s->slack);
}

/* k delta, in units of 2^-lift */
static dd mass_of(double delta, int64_t k, int lift)
{
    const double high = (double)(k >> 32 << 32), low = (double)(k & 0xffffffff), lifted = ldexp(delta, lift);
    return dd_add(dd_two_prod(high, lifted), dd_two_prod(low, lifted));
}

/* ln(1/(k delta)), or 0 from k delta = 1 on. Near 1 it needs more of k delta than a double; tiny deltas are lifted out
 * of the range where products are not exact. */
static double log_inverse_mass(double delta, int64_t k)
{
    const int lift = delta < 0x1p-500 ? 400 : 0;
    const dd mass = mass_of(delta, k, lift), beyond = dd_add_d(mass, -1.0);
    if (lift != 0) return add_up(neg_log_up(outward_previous(mass.hi)), ulps_up(lift * SPECIAL_LN2, 1.0));
    if (beyond.hi >= 0.0) return 0.0;
    return mass.hi > 0.5 ? neg_log1m_up(outward_next(-beyond.hi)) : neg_log_up(outward_previous(mass.hi));
}

static simdp_account_composed azuma_approximate(const simdp_account_steps *s)
{
    if (!are_steps(s)) return no_result;
    const double e = s->epsilon, mass = times_up(count_up(s->k), s->delta);
    const double log_inverse = mass == 0.0 ? INFINITY : log_inverse_mass(s->delta, s->k);
    if (log_inverse == 0.0) return (simdp_account_composed){0.0, 1.0, 1.0};
    return composed(drift(s->k, e, 2.0 * e), deviation(e, s->k, log_inverse), 2.0 * mass, 2.0 * mass);
}

static simdp_account_composed advanced(const simdp_account_steps *s)
{
    if (!are_pure_steps(s)) return no_result;
    const double e = s->epsilon;
    return composed(drift(s->k, e, expm1_up(e)), deviation(e, s->k, neg_log_up(s->slack)), s->slack, s->slack);
}

static simdp_account_composed strong(const simdp_account_steps *s)
{
    if (!are_steps(s) || !is_probability(s->slack)) return no_result;
    const double e = s->epsilon;
    return composed(drift(s->k, e, tanh_up(times_up(0.5, e))), deviation(e, s->k, neg_log_up(s->slack)),
                    add_up(times_up(count_up(s->k), s->delta), s->slack), leak(s->delta, s->k, s->slack));
}

/* kappa(epsilon)/epsilon, kappa = ln((e^epsilon - 1)/epsilon) - 1 + epsilon/(e^epsilon - 1): the mean loss of a step
 * whose losses span epsilon at most. Up to 4 the terms cancel: there, with x = epsilon/2, S = sinh(x)/x - 1, C =
 * cosh(x) - 1, it is log1p(S) + (C-S)/(1+S), where no term is negative. The series are taken without their common
 * factor x^2. Error 16 u: 3 for each sum of a series (its first term dominates), 2 for log1p, 1 for each other
 * operation; beyond 4, where kappa is at least 0.6 of ln((e^epsilon - 1)/epsilon), 9. */
#define KAPPA_ERROR (16.0 * 0x1p-53)
static double kappa_over_epsilon(double epsilon)
{
    if (epsilon > 40.0) return isinf(epsilon) ? 1.0 : 1.0 - (plain_log(epsilon) + 1.0) / epsilon + plain_exp(-epsilon);
    if (epsilon > 4.0) {
        const double rest = plain_expm1(epsilon);
        return (plain_log(rest / epsilon) - 1.0 + epsilon / rest) / epsilon;
    }
    const double x2 = 0.25 * epsilon * epsilon;
    double term = 0.5, s = 0.0, c_minus_s = 0.0; /* term = x^(2n-2)/(2n)! */
    for (int n = 1; n <= 16; n++) {              /* x <= 2: the next is below 1e-26 of the first */
        s += term / (2 * n + 1);
        c_minus_s += term * (2 * n) / (2 * n + 1);
        term *= x2 / ((2 * n + 1) * (2 * n + 2));
    }
    const double whole = x2 * s, log_part = whole > 0.0 ? plain_log1p(whole) / whole * s : s;
    return 0.25 * epsilon * (log_part + c_minus_s / (1.0 + whole));
}

static double bounded_range_mean(double epsilon, const double *unused)
{
    (void)unused;
    return is_epsilon(epsilon) ? epsilon * kappa_over_epsilon(epsilon) : NAN;
}

static simdp_account_composed bounded_range(const simdp_account_steps *s)
{
    if (!are_pure_steps(s)) return no_result;
    const double e = s->epsilon, mean = kappa_over_epsilon(e);
    return composed(drift(s->k, e, outward_up(mean, mean * KAPPA_ERROR)),
                    times_up(0.5, deviation(e, s->k, neg_log_up(s->slack))), s->slack, s->slack);
}

/* ---- public ---- */

/* NaN also by a bound that is no formula. */
static simdp_account_composed composed_by(simdp_account_bound bound, const simdp_account_steps *s)
{
    switch (bound) {
    case SIMDP_ACCOUNT_BOUND_BASIC: return basic(s);
    case SIMDP_ACCOUNT_BOUND_AZUMA: return azuma(s);
    case SIMDP_ACCOUNT_BOUND_AZUMA_APPROXIMATE: return azuma_approximate(s);
    case SIMDP_ACCOUNT_BOUND_ADVANCED: return advanced(s);
    case SIMDP_ACCOUNT_BOUND_STRONG: return strong(s);
    case SIMDP_ACCOUNT_BOUND_BOUNDED_RANGE: return bounded_range(s);
    default: return no_result;
    }
}

simdp_status simdp_account_compose(simdp_account_composed *total, const simdp_account_steps *steps, size_t n,
                                   simdp_account_bound bound)
{
    FORMS_EACH(n, form_is_number((total[i] = composed_by(bound, &steps[i])).epsilon), FORM_ARRAY(total),
               FORM_ARRAY(steps));
}

simdp_status simdp_account_bounded_range_mean(double *mean, const double *epsilon, size_t n)
{
    return simdp_forms_map(mean, epsilon, n, bounded_range_mean, NULL);
}
