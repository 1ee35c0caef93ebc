/* loss_intervals.h: rows of confidence intervals: their ends solve an equation, which Newton's method solves here with
 * 3000 bits. */
#ifndef SIMDP_PROPERTY_LOSS_INTERVALS_H
#define SIMDP_PROPERTY_LOSS_INTERVALS_H

#include <math.h>

#include "property/property.h"

/* Bits: tails down to 2^-1000 are 1 minus a sum where that has fewer terms. */
enum { INTERVAL_BITS = 3000, TERMS_MOST = 150 };

/* ---- proportions: a = successes, failures, error ---- */

static void draw_proportion(property_random *r, double *a)
{
    a[0] = (double)property_below(r, TERMS_MOST);
    a[1] = (double)property_count(r, (int64_t)1 << 53);
    if (property_chance(r, 0.2)) a[1] = (double)property_below(r, TERMS_MOST);
    if (property_chance(r, 0.1)) a[0] = 0.0;
    if (a[0] + a[1] == 0.0) a[1] = 1.0;
    if (property_chance(r, 0.5)) {
        const double x = a[0];
        a[0] = a[1];
        a[1] = x;
    }
    a[2] = property_chance(r, 0.2) ? 0x1p-1000 : fmax(0x1p-1000, property_delta_open(r));
}

/* p, q = 1 - p and ln P[X >= k], k successes and m failures, at ln(p/q) = l; and its derivative in l */
typedef struct {
    mpfr_t l, p, q, value, slope, x, y;
} end_search;

static void search_open(end_search *s)
{
    mpfr_inits2(INTERVAL_BITS, s->l, s->p, s->q, s->value, s->slope, s->x, s->y, (mpfr_ptr)0);
}
static void search_close(end_search *s) { mpfr_clears(s->l, s->p, s->q, s->value, s->slope, s->x, s->y, (mpfr_ptr)0); }

static void chances(end_search *s)
{
    mpfr_exp(s->p, s->l, MPFR_RNDN);
    mpfr_add_ui(s->q, s->p, 1, MPFR_RNDN);
    mpfr_div(s->p, s->p, s->q, MPFR_RNDN);
    mpfr_ui_div(s->q, 1, s->q, MPFR_RNDN);
}

/* value = P[X = k] = C(n, k) p^k q^m, by a product over the fewer of both */
static void binomial_mass(end_search *s, uint64_t k, uint64_t m)
{
    mpfr_set_ui(s->value, 1, MPFR_RNDN);
    const uint64_t few = k < m ? k : m;
    for (uint64_t i = 1; i <= few; i++) {
        mpfr_mul_ui(s->value, s->value, k + m - few + i, MPFR_RNDN);
        mpfr_div_ui(s->value, s->value, i, MPFR_RNDN);
    }
    mpfr_pow_ui(s->x, s->p, k, MPFR_RNDN);
    mpfr_mul(s->value, s->value, s->x, MPFR_RNDN);
    mpfr_pow_ui(s->x, s->q, m, MPFR_RNDN);
    mpfr_mul(s->value, s->value, s->x, MPFR_RNDN);
}

/* P[X >= k]: the sum over k .. k + m if m is small, else 1 minus the sum over 0 .. k - 1. slope = d ln/dl = k q P[X =
 * k]/that */
static void binomial_tail(end_search *s, uint64_t k, uint64_t m)
{
    chances(s);
    binomial_mass(s, k, m);
    mpfr_mul(s->slope, s->value, s->q, MPFR_RNDN);
    mpfr_mul_ui(s->slope, s->slope, k, MPFR_RNDN);
    mpfr_set(s->y, s->value, MPFR_RNDN);
    if (m < TERMS_MOST) {
        for (uint64_t i = 0; i < m; i++) {
            mpfr_mul_ui(s->y, s->y, m - i, MPFR_RNDN);
            mpfr_mul(s->y, s->y, s->p, MPFR_RNDN);
            mpfr_div_ui(s->y, s->y, k + i + 1, MPFR_RNDN);
            mpfr_div(s->y, s->y, s->q, MPFR_RNDN);
            mpfr_add(s->value, s->value, s->y, MPFR_RNDN);
        }
    } else {
        mpfr_set_ui(s->value, 1, MPFR_RNDN);
        for (uint64_t j = k; j > 0; j--) {
            mpfr_mul_ui(s->y, s->y, j, MPFR_RNDN);
            mpfr_mul(s->y, s->y, s->q, MPFR_RNDN);
            mpfr_div_ui(s->y, s->y, k + m - j + 1, MPFR_RNDN);
            mpfr_div(s->y, s->y, s->p, MPFR_RNDN);
            mpfr_sub(s->value, s->value, s->y, MPFR_RNDN);
        }
    }
    mpfr_div(s->slope, s->slope, s->value, MPFR_RNDN);
    mpfr_log(s->value, s->value, MPFR_RNDN);
}

/* One step of Newton's method towards value = goal; where there is no value, so far out is l, half the way back to a
 * place that has one. False once it has arrived. */
static bool search_step(end_search *s, mpfr_srcptr goal, double back)
{
    if (!mpfr_number_p(s->value) || !mpfr_number_p(s->slope) || mpfr_sgn(s->slope) <= 0) {
        mpfr_add_d(s->l, s->l, back, MPFR_RNDN);
        mpfr_div_ui(s->l, s->l, 2, MPFR_RNDN);
        return true;
    }
    mpfr_sub(s->x, goal, s->value, MPFR_RNDN);
    mpfr_div(s->x, s->x, s->slope, MPFR_RNDN);
    mpfr_add(s->l, s->l, s->x, MPFR_RNDN);
    return !mpfr_zero_p(s->x) && mpfr_get_exp(s->x) > -160;
}

/* The search leaves p and q where value = ln(error/2): from below, on a concave function. k > 0. */
static void binomial_end(end_search *s, uint64_t k, uint64_t m, double error)
{
    mpfr_t goal;
    mpfr_init2(goal, INTERVAL_BITS);
    mpfr_set_d(goal, error, MPFR_RNDN);
    mpfr_div_ui(goal, goal, 2, MPFR_RNDN);
    mpfr_log(goal, goal, MPFR_RNDN);
    const double about = mpfr_get_d(goal, MPFR_RNDN), n = (double)k + (double)m, rest = (double)m + 1.0;
    const double middle = log((double)k / rest);
    mpfr_set_d(s->l, middle + about / (double)k - sqrt(-2.0 * about * n / (double)k / rest), MPFR_RNDN);
    for (int i = 0; i < 400; i++) {
        binomial_tail(s, k, m);
        if (!search_step(s, goal, middle)) break;
    }
    chances(s);
    mpfr_clear(goal);
}

static simdp_status interval_proportion(double *out, const double *a)
{
    simdp_loss_estimate e;
    const simdp_status status =
        simdp_loss_interval_proportion(&e, (uint64_t)a[0], (uint64_t)a[0] + (uint64_t)a[1], a[2]);
    out[0] = e.low;
    out[1] = e.high;
    out[2] = e.value;
    return status;
}

/* truth, and the deviation sqrt(p q/n) at each end, of which a part is allowed */
static mpfr_t interval_deviation[2];
static bool interval_open;
static void deviation_at(mpfr_ptr out, const end_search *s, double n)
{
    mpfr_mul(out, s->p, s->q, MPFR_RNDN);
    mpfr_div_d(out, out, n, MPFR_RNDN);
    mpfr_sqrt(out, out, MPFR_RNDN);
}

static void open_deviations(void)
{
    if (!interval_open) mpfr_inits2(PROPERTY_BITS, interval_deviation[0], interval_deviation[1], (mpfr_ptr)0);
    interval_open = true;
    for (int side = 0; side < 2; side++) mpfr_set_ui(interval_deviation[side], 0, MPFR_RNDN);
}

static void interval_proportion_truth(mpfr_t *out, const double *a)
{
    end_search s;
    search_open(&s);
    open_deviations();
    for (int side = 0; side < 2; side++) {
        const uint64_t k = (uint64_t)a[side], m = (uint64_t)a[1 - side];
        mpfr_set_ui(out[side], (unsigned long)side, MPFR_RNDN);
        if (k == 0) continue;
        binomial_end(&s, k, m, a[2]);
        mpfr_set(out[side], side == 0 ? s.p : s.q, MPFR_RNDN);
        deviation_at(interval_deviation[side], &s, a[0] + a[1]);
    }
    mpfr_set_d(out[2], a[0], MPFR_RNDN);
    mpfr_div_ui(out[2], out[2], (uint64_t)a[0] + (uint64_t)a[1], MPFR_RNDN);
    search_close(&s);
}

/* 1e-10 of the deviation */
static void interval_slack(mpfr_t *out, const double *a)
{
    (void)a;
    for (int side = 0; side < 2; side++) mpfr_mul_d(out[side], interval_deviation[side], 1e-10, MPFR_RNDN);
}

/* ---- means: a = mean, n, bound, error ---- */

static void draw_mean(property_random *r, double *a)
{
    a[1] = 1.0 + (double)property_count(r, (int64_t)1 << 53);
    a[2] = property_chance(r, 0.5) ? 1.0 : property_log_uniform(r, 1e-100, 1e100);
    const double u = property_uniform(r), part = property_chance(r, 0.3)   ? property_log_uniform(r, 1e-30, 1)
                                                 : property_chance(r, 0.3) ? 1.0 - property_log_uniform(r, 0x1p-50, 1)
                                                                           : u;
    a[0] = fmin(a[2], a[2] * (property_chance(r, 0.05) ? (double)property_below(r, 2) : part));
    a[3] = property_chance(r, 0.2) ? 0x1p-1000 : fmax(0x1p-1000, property_delta_open(r));
}

static simdp_status interval_mean(double *out, const double *a)
{
    simdp_loss_estimate e;
    const simdp_status status = simdp_loss_interval_mean(&e, a[0], (uint64_t)a[1], a[2], a[3]);
    out[0] = e.low;
    out[1] = e.high;
    return status;
}

/* p below the mean with n KL(mean, p) = ln(2/error): Newton on mean l - ln(1 + e^l) + H, concave in l */
static void entropy_end(end_search *s, mpfr_srcptr mean, mpfr_srcptr rest, double n, double error)
{
    mpfr_t goal, h;
    mpfr_inits2(INTERVAL_BITS, goal, h, (mpfr_ptr)0);
    mpfr_set_d(goal, error, MPFR_RNDN);
    mpfr_div_ui(goal, goal, 2, MPFR_RNDN);
    mpfr_log(goal, goal, MPFR_RNDN);
    mpfr_div_d(goal, goal, n, MPFR_RNDN);
    mpfr_log(h, mean, MPFR_RNDN); /* goal + mean ln mean + rest ln rest */
    mpfr_mul(h, h, mean, MPFR_RNDN);
    mpfr_add(goal, goal, h, MPFR_RNDN);
    mpfr_log(h, rest, MPFR_RNDN);
    mpfr_mul(h, h, rest, MPFR_RNDN);
    mpfr_add(goal, goal, h, MPFR_RNDN);
    mpfr_div(s->l, mean, rest, MPFR_RNDN);
    mpfr_log(s->l, s->l, MPFR_RNDN);
    const double middle = mpfr_get_d(s->l, MPFR_RNDN), k = n * mpfr_get_d(mean, MPFR_RNDN), about = log(0.5 * error);
    mpfr_sub_d(s->l, s->l, sqrt(-2.0 * about / k / mpfr_get_d(rest, MPFR_RNDN)) - about / k, MPFR_RNDN);
    for (int i = 0; i < 400 && about / k > -1e6; i++) {
        chances(s);
        mpfr_log(s->value, s->p, MPFR_RNDN);
        mpfr_mul(s->value, s->value, mean, MPFR_RNDN);
        mpfr_log(s->x, s->q, MPFR_RNDN);
        mpfr_mul(s->x, s->x, rest, MPFR_RNDN);
        mpfr_add(s->value, s->value, s->x, MPFR_RNDN);
        mpfr_sub(s->slope, mean, s->p, MPFR_RNDN);
        if (!search_step(s, goal, middle)) break;
    }
    chances(s); /* of an l below -10^6: 0 and 1 */
    mpfr_clears(goal, h, (mpfr_ptr)0);
}

static void interval_mean_truth(mpfr_t *out, const double *a)
{
    end_search s;
    mpfr_t part[2];
    search_open(&s);
    open_deviations();
    mpfr_inits2(INTERVAL_BITS, part[0], part[1], (mpfr_ptr)0);
    mpfr_set_d(part[0], a[0], MPFR_RNDN);
    mpfr_div_d(part[0], part[0], a[2], MPFR_RNDN);
    mpfr_ui_sub(part[1], 1, part[0], MPFR_RNDN);
    for (int side = 0; side < 2; side++) {
        mpfr_set_ui(out[side], (unsigned long)side, MPFR_RNDN);
        if (mpfr_zero_p(part[1 - side])) { /* the whole bound: p^n = error/2 */
            mpfr_set_d(s.p, a[3], MPFR_RNDN);
            mpfr_div_ui(s.p, s.p, 2, MPFR_RNDN);
            mpfr_log(s.p, s.p, MPFR_RNDN);
            mpfr_div_d(s.p, s.p, a[1], MPFR_RNDN);
            mpfr_expm1(s.q, s.p, MPFR_RNDN);
            mpfr_neg(s.q, s.q, MPFR_RNDN);
            mpfr_exp(s.p, s.p, MPFR_RNDN);
        } else if (!mpfr_zero_p(part[side])) {
            entropy_end(&s, part[side], part[1 - side], a[1], a[3]);
        }
        if (!mpfr_zero_p(part[side])) mpfr_set(out[side], side == 0 ? s.p : s.q, MPFR_RNDN);
        if (!mpfr_zero_p(part[side])) deviation_at(interval_deviation[side], &s, a[1]);
        mpfr_mul_d(out[side], out[side], a[2], MPFR_RNDN);
        mpfr_mul_d(interval_deviation[side], interval_deviation[side], a[2], MPFR_RNDN);
    }
    mpfr_clears(part[0], part[1], (mpfr_ptr)0);
    search_close(&s);
}

/* ---- planted ---- */

/* defect: Wilson's interval, which is no bound */
static simdp_status proportion_wilson(double *out, const double *a)
{
    const double n = a[0] + a[1], p = a[0] / n, z2 = -2.0 * log(a[2]),
                 half = sqrt(z2 * (p * (1 - p) / n + z2 / (4 * n * n)));
    const simdp_status status = interval_proportion(out, a);
    out[0] = fmax(0.0, (p + z2 / (2 * n) - half) / (1 + z2 / n));
    return status;
}

/* defect: the end to nearest */
static simdp_status proportion_inward(double *out, const double *a)
{
    const simdp_status status = interval_proportion(out, a);
    if (out[1] < 1.0) out[1] *= 1.0 - 1e-11 * (1.0 - out[1]);
    return status;
}

#endif
