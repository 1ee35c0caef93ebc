/* renyi_account.c: Renyi and zero-concentrated DP: sums, conversion to (epsilon, delta), the best order. */
#include "account/renyi_account.h"

#include "loss/renyi.h"
#include "math/forms.h"
#include "math/root.h"
#include "math/sum.h"

#define U 0x1p-53

/* (alpha, R)-RDP gives epsilon = R + ln(1 - 1/alpha) - (ln delta + ln alpha)/(alpha - 1); with x = alpha - 1 */
static double improved(double x, double divergence, double log_delta)
{
    const double gain = log1p(1.0 / x), price = -(log_delta + log1p(x)) / x;
    const double epsilon = divergence - gain + price,
                 error = 4.0 * U * (divergence + gain + fabs(price) - log_delta / x);
    return fmax(0.0, epsilon + error);
}

double simdp_renyi_convert(double alpha, double divergence, double delta)
{
    if (!(alpha > 0.0 && divergence >= 0.0) || !is_probability(delta)) return NAN;
    if (alpha <= 1.0 || delta == 0.0) return delta == 0.0 && isinf(alpha) ? divergence : INFINITY;
    if (isinf(alpha) || isinf(divergence)) return divergence;
    return account_up(improved(alpha - 1.0, divergence, log(delta)));
}

static double classic(double alpha, double divergence, double delta)
{
    if (!(alpha > 0.0 && divergence >= 0.0) || !is_probability(delta)) return NAN;
    if (isinf(alpha)) return divergence;
    return alpha <= 1.0 || delta == 0.0 ? INFINITY : account_up(divergence - log(delta) / (alpha - 1.0));
}

/* delta = min(1, e^((alpha-1)(R - epsilon)) (1 - 1/alpha)^alpha/(alpha - 1)) */
static double log_delta_of(double alpha, double divergence, double epsilon)
{
    if (!(alpha > 0.0 && divergence >= 0.0) || !is_epsilon(epsilon)) return NAN;
    if (alpha <= 1.0 || isinf(divergence)) return 0.0;
    if (isinf(epsilon)) return -INFINITY;
    if (isinf(alpha)) return divergence <= epsilon ? -INFINITY : 0.0;
    const double x = alpha - 1.0, gain = x * (divergence - epsilon), factor = -alpha * log1p(1.0 / x), rest = -log(x);
    return fmin(0.0, gain + factor + rest + 4.0 * U * (x * (divergence + epsilon) - factor + fabs(rest)));
}

/* ---- public: pointwise ---- */

static double convert_form(double alpha, const double *p) { return simdp_renyi_convert(alpha, p[0], p[1]); }
static double classic_form(double alpha, const double *p) { return classic(alpha, p[0], p[1]); }
static double log_delta_form(double alpha, const double *p) { return log_delta_of(alpha, p[0], p[1]); }
static double delta_form(double alpha, const double *p)
{
    const double l = log_delta_of(alpha, p[0], p[1]);
    return isnan(l) ? NAN : account_up_probability(exp(l));
}

simdp_status simdp_renyi_epsilon(double *epsilon, const double *order, const double *divergence, const double *delta,
                                 size_t n)
{
    return delta == NULL && n > 0 ? SIMDP_ENULL
                                  : simdp_forms_map_each(epsilon, order, divergence, delta, n, convert_form);
}

simdp_status simdp_renyi_epsilon_classic(double *epsilon, const double *order, const double *divergence,
                                         const double *delta, size_t n)
{
    return delta == NULL && n > 0 ? SIMDP_ENULL
                                  : simdp_forms_map_each(epsilon, order, divergence, delta, n, classic_form);
}

simdp_status simdp_renyi_delta(double *delta, const double *order, const double *divergence, const double *epsilon,
                               size_t n)
{
    return epsilon == NULL && n > 0 ? SIMDP_ENULL
                                    : simdp_forms_map_each(delta, order, divergence, epsilon, n, delta_form);
}

simdp_status simdp_renyi_log_delta(double *log_delta, const double *order, const double *divergence,
                                   const double *epsilon, size_t n)
{
    return epsilon == NULL && n > 0 ? SIMDP_ENULL
                                    : simdp_forms_map_each(log_delta, order, divergence, epsilon, n, log_delta_form);
}

/* ---- sums and the best order ---- */

simdp_status simdp_renyi_add(double *total, const double *divergence, size_t n, int64_t count)
{
    simdp_status status = account_check(total, divergence, n, sizeof *total);
    if (status != SIMDP_OK) return status;
    const unsigned mode = fp_mode_enter();
    for (size_t i = 0; i < n; i++) {
        const bool legal = total[i] >= 0.0 && divergence[i] >= 0.0 && count >= 0;
        total[i] = legal ? account_up(total[i] + (count == 0 ? 0.0 : (double)count * divergence[i])) : NAN;
        if (!legal) status = SIMDP_EPARAM;
    }
    fp_mode_leave(mode);
    return status;
}

simdp_status simdp_renyi_best(simdp_renyi_optimum *best, const double *order, const double *divergence, size_t n,
                              double delta)
{
    if (best == NULL || (n > 0 && (order == NULL || divergence == NULL))) return SIMDP_ENULL;
    const unsigned mode = fp_mode_enter();
    *best = (simdp_renyi_optimum){INFINITY, NAN};
    simdp_status status = is_probability(delta) && n > 0 && n <= SIZE_MAX / sizeof *order ? SIMDP_OK : SIMDP_EPARAM;
    for (size_t i = 0; i < n && status == SIMDP_OK; i++) {
        const double epsilon = simdp_renyi_convert(order[i], divergence[i], delta);
        if (isnan(epsilon)) status = SIMDP_EPARAM;
        if (epsilon < best->epsilon || isnan(best->order)) *best = (simdp_renyi_optimum){epsilon, order[i]};
    }
    if (status != SIMDP_OK) *best = (simdp_renyi_optimum){NAN, NAN};
    fp_mode_leave(mode);
    return status;
}

static double divergence_of(const simdp_renyi_step *step, double alpha)
{
    switch (step->mechanism) {
    case SIMDP_MECHANISM_LAPLACE: return simdp_renyi_of_laplace(alpha, step->parameter);
    case SIMDP_MECHANISM_GAUSSIAN: return simdp_renyi_of_gaussian(alpha, step->parameter);
    case SIMDP_MECHANISM_RANDOMIZED_RESPONSE: return simdp_renyi_of_randomized_response(alpha, step->parameter);
    case SIMDP_MECHANISM_ZCDP:
        return step->parameter >= 0.0 ? (step->parameter == 0.0 ? 0.0 : alpha * step->parameter) : NAN;
    }
    return NAN;
}

double simdp_renyi_sum(double alpha, const simdp_renyi_step *steps, size_t count)
{
    simdp_sum sum = {0, 0};
    if (!(alpha > 0.0)) return NAN;
    for (size_t i = 0; i < count; i++) {
        const double d = divergence_of(&steps[i], alpha);
        if (isnan(d) || steps[i].count < 0) return NAN;
        if (steps[i].count > 0) sum_add(&sum, (double)steps[i].count * d);
    }
    return account_up(account_up(sum_value(&sum)));   /* twice: the divergences have an error of their own */
}

simdp_status simdp_renyi_compose(double *divergence, const double *order, size_t n, const simdp_renyi_step *steps,
                                 size_t count)
{
    simdp_status status = account_check(divergence, order, n, sizeof *order);
    if (count > 0 && steps == NULL) return SIMDP_ENULL;
    if (status == SIMDP_OK && count > SIZE_MAX / sizeof *steps) status = SIMDP_EPARAM;
    if (status != SIMDP_OK) return status;
    const unsigned mode = fp_mode_enter();
    for (size_t i = 0; i < n; i++) {
        divergence[i] = simdp_renyi_sum(order[i], steps, count);
        if (isnan(divergence[i])) status = SIMDP_EPARAM;
    }
    fp_mode_leave(mode);
    return status;
}

/* The smallest epsilon over orders 1 + x: a grid of 16 points per decade of x, then golden sections around the best.
 * Every order gives a valid bound, so an imperfect minimum is loose, never wrong. */
simdp_renyi_optimum simdp_renyi_minimise(const simdp_renyi_step *steps, size_t count, double delta)
{
    const double decades = 16.0, from = -9.0, to = 9.0, golden = 0x1.3c6ef372fe950p-1;
    double best = INFINITY, at = 0.0;
    if (isnan(simdp_renyi_sum(2.0, steps, count)) || !is_probability(delta)) return (simdp_renyi_optimum){NAN, NAN};
    if (delta == 1.0) return (simdp_renyi_optimum){0.0, 1.0};
#define AT(e) simdp_renyi_convert(1.0 + pow(10.0, (e)), simdp_renyi_sum(1.0 + pow(10.0, (e)), steps, count), delta)
    for (double i = from * decades; i <= to * decades; i += 1.0) {
        const double epsilon = AT(i / decades);
        if (epsilon < best) best = epsilon, at = i / decades;
    }
    const double whole = simdp_renyi_convert(INFINITY, simdp_renyi_sum(INFINITY, steps, count), delta);   /* pure DP */
    double low = at - 1.0 / decades, high = at + 1.0 / decades;
    double e1 = high - golden * (high - low), e2 = low + golden * (high - low), f1 = AT(e1), f2 = AT(e2);
    for (int i = 0; i < 40; i++) {
        if (f1 < f2) {
            high = e2, e2 = e1, f2 = f1;
            e1 = high - golden * (high - low), f1 = AT(e1);
        } else {
            low = e1, e1 = e2, f1 = f2;
            e2 = low + golden * (high - low), f2 = AT(e2);
        }
    }
#undef AT
    if (f1 < best) best = f1, at = e1;
    if (f2 < best) best = f2, at = e2;
    return whole <= best ? (simdp_renyi_optimum){whole, INFINITY} : (simdp_renyi_optimum){best, 1.0 + pow(10.0, at)};
}

simdp_status simdp_renyi_compose_epsilon(simdp_renyi_optimum *best, const double *delta, size_t n,
                                         const simdp_renyi_step *steps, size_t count)
{
    simdp_status status = account_check(best, delta, n, sizeof *best);
    if (count > 0 && steps == NULL) return SIMDP_ENULL;
    if (status == SIMDP_OK && count > SIZE_MAX / sizeof *steps) status = SIMDP_EPARAM;
    if (status != SIMDP_OK) return status;
    const unsigned mode = fp_mode_enter();
    for (size_t i = 0; i < n; i++) {
        best[i] = simdp_renyi_minimise(steps, count, delta[i]);
        if (isnan(best[i].epsilon)) status = SIMDP_EPARAM;
    }
    fp_mode_leave(mode);
    return status;
}

/* ---- zCDP: R = rho alpha; the best x = alpha - 1 is the root of rho x^2 + ln(1+x) = ln(1/delta) ---- */

typedef struct {
    double rho, log_inverse;
} zcdp_search;

static simdp_root_point zcdp_excess(double x, const void *context)
{
    const zcdp_search *s = context;
    return (simdp_root_point){s->rho * x * x + log1p(x) - s->log_inverse, 2.0 * s->rho * x + 1.0 / (1.0 + x), 0.0};
}

simdp_zcdp_bound simdp_zcdp_convert(double rho, double delta)
{
    if (!(rho >= 0.0) || !is_probability(delta)) return (simdp_zcdp_bound){NAN, NAN, NAN};
    if (rho == 0.0 || delta == 1.0) return (simdp_zcdp_bound){0.0, account_up(rho), 1.0 / delta};
    if (delta == 0.0 || isinf(rho)) return (simdp_zcdp_bound){INFINITY, INFINITY, INFINITY};
    const zcdp_search s = {rho, -log(delta)};
    const double plain = rho + 2.0 * sqrt(rho * s.log_inverse), by_square = sqrt(s.log_inverse / rho),
                 most = fmin(by_square, expm1(s.log_inverse));
    const double x = simdp_root_increasing(zcdp_excess, &s, 0.0, most * (1.0 + 0x1p-40), most, NULL);
    return (simdp_zcdp_bound){account_up(improved(x, rho * (1.0 + x), -s.log_inverse)), account_up(plain), 1.0 + x};
}

simdp_status simdp_zcdp_epsilon(simdp_zcdp_bound *bound, const double *rho, const double *delta, size_t n)
{
    simdp_status status = account_check(bound, rho, n, sizeof *bound);
    if (status == SIMDP_OK) status = account_check(bound, delta, n, sizeof *bound);
    if (status != SIMDP_OK) return status;
    const unsigned mode = fp_mode_enter();
    for (size_t i = 0; i < n; i++) {
        bound[i] = simdp_zcdp_convert(rho[i], delta[i]);
        if (isnan(bound[i].epsilon)) status = SIMDP_EPARAM;
    }
    fp_mode_leave(mode);
    return status;
}
