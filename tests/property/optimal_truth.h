/* optimal_truth.h: the worst case of k steps (Kairouz, Oh, Viswanath) in MPFR, from A = P[loss > g] under one input and
 * B under the other: delta_0 = A - e^g B. Few steps by their list of losses, k equal steps by sums of binomial weights,
 * many by integrals. Included by tests only. */
#ifndef SIMDP_OPTIMAL_TRUTH_H
#define SIMDP_OPTIMAL_TRUTH_H

#include <math.h>
#include <stdlib.h>

#include "property/shorthand.h"

enum { TRUTH_WIDE = 2400 }; /* bits: 1e-300 beside 700 is exact, and what cancels leaves 300 */

/* An atom of the loss: its probabilities under both inputs */
typedef struct {
    mpfr_t loss, p, q;
} truth_atom;

static inline void truth_atoms_clear(truth_atom *atoms, size_t n)
{
    for (size_t i = 0; i < n; i++) mpfr_clears(atoms[i].loss, atoms[i].p, atoms[i].q, (mpfr_ptr)0);
    free(atoms);
}

static inline int truth_by_loss(const void *a, const void *b) /* largest first */
{
    return mpfr_cmp(((const truth_atom *)b)->loss, ((const truth_atom *)a)->loss);
}

/* 1/(1+e^-epsilon) and its complement */
static inline void truth_response(mpfr_t p, mpfr_t q, double epsilon)
{
    property_exact(q, epsilon);
    mpfr_exp(q, q, RN);
    mpfr_add_ui(q, q, 1, RN);
    mpfr_ui_div(q, 1, q, RN);
    mpfr_ui_sub(p, 1, q, RN);
}

/* All sign patterns of n steps */
static inline truth_atom *truth_patterns(const double *epsilon, size_t n)
{
    const size_t count = (size_t)1 << n;
    truth_atom *atoms = malloc(count * sizeof *atoms);
    mpfr_t p, q;
    mpfr_inits2(TRUTH_WIDE, p, q, (mpfr_ptr)0);
    for (size_t i = 0; i < count; i++) {
        mpfr_inits2(TRUTH_WIDE, atoms[i].loss, atoms[i].p, atoms[i].q, (mpfr_ptr)0);
        mpfr_set_ui(atoms[i].loss, 0, RN);
        mpfr_set_ui(atoms[i].p, 1, RN);
        mpfr_set_ui(atoms[i].q, 1, RN);
    }
    for (size_t j = 0; j < n; j++) {
        truth_response(p, q, epsilon[j]);
        for (size_t i = 0; i < count; i++) {
            const bool flipped = (i >> j & 1) != 0;
            mpfr_add_d(atoms[i].loss, atoms[i].loss, flipped ? -epsilon[j] : epsilon[j], RN);
            mpfr_mul(atoms[i].p, atoms[i].p, flipped ? q : p, RN);
            mpfr_mul(atoms[i].q, atoms[i].q, flipped ? p : q, RN);
        }
    }
    mpfr_clears(p, q, (mpfr_ptr)0);
    qsort(atoms, count, sizeof *atoms, truth_by_loss);
    return atoms;
}

/* k equal steps: atom l has l flips */
static inline truth_atom *truth_flips(double epsilon, int64_t k)
{
    truth_atom *atoms = malloc(((size_t)k + 1) * sizeof *atoms);
    mpfr_t p, q, odds;
    mpfr_inits2(TRUTH_WIDE, p, q, odds, (mpfr_ptr)0);
    truth_response(p, q, epsilon);
    mpfr_div(odds, q, p, RN);
    for (int64_t l = 0; l <= k; l++) {
        truth_atom *a = &atoms[l];
        mpfr_inits2(TRUTH_WIDE, a->loss, a->p, a->q, (mpfr_ptr)0);
        property_exact(a->loss, epsilon);
        mpfr_mul_si(a->loss, a->loss, (long)(k - 2 * l), RN);
        if (l == 0) {
            mpfr_pow_ui(a->p, p, (unsigned long)k, RN);
            mpfr_pow_ui(a->q, q, (unsigned long)k, RN);
            continue;
        }
        mpfr_mul(a->p, a[-1].p, odds, RN);
        mpfr_div(a->q, a[-1].q, odds, RN);
        mpfr_mul_ui(a->p, a->p, (unsigned long)(k - l + 1), RN);
        mpfr_mul_ui(a->q, a->q, (unsigned long)(k - l + 1), RN);
        mpfr_div_ui(a->p, a->p, (unsigned long)l, RN);
        mpfr_div_ui(a->q, a->q, (unsigned long)l, RN);
    }
    mpfr_clears(p, q, odds, (mpfr_ptr)0);
    return atoms;
}

/* delta_0(g) of n sorted atoms */
static inline void truth_delta0(mpfr_t out, const truth_atom *atoms, size_t n, double g)
{
    mpfr_t a, b;
    mpfr_inits2(TRUTH_WIDE, a, b, (mpfr_ptr)0);
    mpfr_set_ui(a, 0, RN);
    mpfr_set_ui(b, 0, RN);
    for (size_t i = 0; i < n && mpfr_cmp_d(atoms[i].loss, g) > 0; i++) {
        mpfr_add(a, a, atoms[i].p, RN);
        mpfr_add(b, b, atoms[i].q, RN);
    }
    if (!mpfr_zero_p(b)) {
        mpfr_t e;
        mpfr_init2(e, TRUTH_WIDE);
        property_exact(e, g);
        mpfr_exp(e, e, RN);
        mpfr_mul(b, b, e, RN);
        mpfr_clear(e);
    }
    mpfr_sub(out, a, b, RN);
    mpfr_clears(a, b, (mpfr_ptr)0);
}

/* The smallest g >= 0 with delta_0(g) <= d, d >= 0: in each piece between losses delta_0 is linear in y = e^g. */
static inline void truth_inverse(mpfr_t g, const truth_atom *atoms, size_t n, mpfr_t d)
{
    mpfr_t a, b, y, next;
    mpfr_inits2(TRUTH_WIDE, a, b, y, next, (mpfr_ptr)0);
    mpfr_set_ui(a, 0, RN);
    mpfr_set_ui(b, 0, RN);
    for (size_t i = 0; i < n; i++) {
        mpfr_add(a, a, atoms[i].p, RN);
        mpfr_add(b, b, atoms[i].q, RN);
        if (i + 1 < n && mpfr_cmp(atoms[i + 1].loss, atoms[i].loss) == 0) continue;
        mpfr_sub(y, a, d, RN);
        mpfr_div(y, y, b, RN);
        if (mpfr_cmp_ui(y, 1) <= 0) {
            if (i + 1 < n && mpfr_sgn(atoms[i + 1].loss) > 0) continue;
            mpfr_set_ui(y, 1, RN); /* epsilon = 0 is enough */
            break;
        }
        if (i + 1 == n) break;
        mpfr_div(next, atoms[i + 1].p, atoms[i + 1].q, RN); /* e^loss */
        if (mpfr_cmp(y, next) >= 0) break;
    }
    mpfr_log(g, y, RN);
    if (mpfr_zero_p(d)) mpfr_set(g, atoms[0].loss, RN);
    mpfr_clears(a, b, y, next, (mpfr_ptr)0);
}

/* ---- many steps: P[Bin(k, q) <= m] for m < k q as w(m) (k-m) times the integral over s > 0 of e^(h(s) - h(0)), h(s) =
 * -s (k-m) + m ln(1 - (1-q) e^-s), which falls and is concave. tanh-sinh quadrature, right to some 60 digits. ---- */

enum { TRUTH_BITS = 420 };

static inline void truth_log_choose(mpfr_t out, double k, double m)
{
    mpfr_t t;
    mpfr_init2(t, TRUTH_BITS);
    mpfr_set_d(out, k + 1.0, RN);
    mpfr_lngamma(out, out, RN);
    mpfr_set_d(t, m + 1.0, RN);
    mpfr_lngamma(t, t, RN);
    mpfr_sub(out, out, t, RN);
    mpfr_set_d(t, k - m + 1.0, RN);
    mpfr_lngamma(t, t, RN);
    mpfr_sub(out, out, t, RN);
    mpfr_clear(t);
}

/* h(s) - h(0) */
static inline void truth_exponent(mpfr_t out, mpfr_t s, double k, double m, mpfr_t q, mpfr_t p)
{
    mpfr_neg(out, s, RN);
    mpfr_expm1(out, out, RN);
    mpfr_mul(out, out, p, RN);
    mpfr_div(out, out, q, RN);
    mpfr_neg(out, out, RN);
    mpfr_log1p(out, out, RN); /* ln((1 - p e^-s)/q) */
    mpfr_mul_d(out, out, m, RN);
    mpfr_t t;
    mpfr_init2(t, TRUTH_BITS);
    mpfr_mul_d(t, s, k - m, RN);
    mpfr_sub(out, out, t, RN);
    mpfr_clear(t);
}

static inline void truth_lower_tail(mpfr_t out, double k, double m, mpfr_t q, mpfr_t p)
{
    mpfr_t s, h, width, x, weight, sum;
    mpfr_inits2(TRUTH_BITS, s, h, width, x, weight, sum, (mpfr_ptr)0);
    mpfr_set_d(width, 300.0 / (k - m), RN); /* where the integrand is below e^-200 but above e^-400 */
    for (int i = 0; i < 400; i++) {
        truth_exponent(h, width, k, m, q, p);
        if (mpfr_cmp_si(h, -200) > 0) mpfr_mul_d(width, width, 1.5, RN);
        else if (mpfr_cmp_si(h, -400) < 0) mpfr_div_d(width, width, 1.4, RN);
        else break;
    }
    mpfr_set_ui(sum, 0, RN);
    for (int i = -170; i <= 170; i++) { /* nodes width (1 + tanh(pi/2 sinh t))/2, t = i/40 */
        const double t = i / 40.0;
        mpfr_set_d(x, t, RN);
        mpfr_sinh_cosh(x, weight, x, RN);
        mpfr_const_pi(h, RN);
        mpfr_mul(x, x, h, RN);
        mpfr_mul(weight, weight, h, RN);
        mpfr_exp(x, x, RN); /* (1 + tanh)/2 = x/(1+x), its derivative pi cosh t x/(1+x)^2 */
        mpfr_add_ui(h, x, 1, RN);
        mpfr_mul(weight, weight, x, RN);
        mpfr_div(weight, weight, h, RN);
        mpfr_div(weight, weight, h, RN);
        mpfr_div(s, x, h, RN);
        mpfr_mul(s, s, width, RN);
        truth_exponent(h, s, k, m, q, p);
        mpfr_exp(h, h, RN);
        mpfr_mul(h, h, weight, RN);
        mpfr_add(sum, sum, h, RN);
    }
    mpfr_mul(sum, sum, width, RN);
    mpfr_div_ui(sum, sum, 40, RN);
    truth_log_choose(h, k, m);
    mpfr_log(x, q, RN);
    mpfr_mul_d(x, x, m, RN);
    mpfr_add(h, h, x, RN);
    mpfr_log(x, p, RN);
    mpfr_mul_d(x, x, k - m, RN);
    mpfr_add(h, h, x, RN);
    mpfr_exp(h, h, RN);
    mpfr_mul_d(h, h, k - m, RN);
    mpfr_mul(out, sum, h, RN);
    mpfr_clears(s, h, width, x, weight, sum, (mpfr_ptr)0);
}

/* P[Bin(k, q) <= m], p = 1 - q; above the mean by the other tail: P[Bin(k, p) <= k - m - 1] */
static inline void truth_binomial(mpfr_t out, double k, double m, mpfr_t q, mpfr_t p)
{
    mpfr_t mean;
    mpfr_init2(mean, TRUTH_BITS);
    mpfr_mul_d(mean, q, k, RN);
    if (m < 0.0) mpfr_set_ui(out, 0, RN);
    else if (mpfr_cmp_d(mean, m) > 0) truth_lower_tail(out, k, m, q, p);
    else {
        truth_lower_tail(out, k, k - m - 1.0, p, q);
        mpfr_ui_sub(out, 1, out, RN);
    }
    mpfr_clear(mean);
}

/* delta_0(g) of k >= 2 steps, any k */
static inline void truth_delta0_many(mpfr_t out, double epsilon, double k, double g)
{
    mpfr_t p, q, a, b, e;
    mpfr_inits2(TRUTH_BITS, p, q, a, b, e, (mpfr_ptr)0);
    truth_response(p, q, epsilon);
    double m = floor(0.5 * (k - g / epsilon)) + 3.0; /* down to the last l with (k-2l) epsilon > g */
    for (;; m -= 1.0) {
        mpfr_set_d(e, epsilon, RN);
        mpfr_mul_d(e, e, k - 2.0 * m, RN);
        if (m < 0.0 || mpfr_cmp_d(e, g) > 0) break;
    }
    truth_binomial(a, k, m, q, p);
    truth_binomial(b, k, m, p, q);
    property_exact(e, g);
    mpfr_exp(e, e, RN);
    mpfr_mul(b, b, e, RN);
    mpfr_sub(out, a, b, RN);
    mpfr_clears(p, q, a, b, e, (mpfr_ptr)0);
}

#endif
