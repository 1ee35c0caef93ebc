/* pld_truth.h: delta(epsilon) of composed mechanisms, exactly: finite laws by all counts of outcomes, Gaussian noise as
 * one Gaussian, Laplace noise by its k-fold curve. */
#ifndef SIMDP_PLD_TRUTH_H
#define SIMDP_PLD_TRUTH_H

#include <float.h>

#include "property/truth.h"

enum { ATOMS_MOST = 5, FINITE_BITS = 320 };

/* Masses of single outcomes under P and Q, and what P has where Q has nothing. */
typedef struct {
    int n;
    mpfr_t p[ATOMS_MOST], q[ATOMS_MOST], infinite;
} finite_law;

static inline finite_law *finite_law_of(int n)
{
    static finite_law law;
    static bool made;
    for (int i = 0; i < ATOMS_MOST && !made; i++) mpfr_inits2(FINITE_BITS, law.p[i], law.q[i], (mpfr_ptr)0);
    if (!made) mpfr_init2(law.infinite, FINITE_BITS);
    made = true;
    law.n = n;
    mpfr_set_ui(law.infinite, 0, RND);
    return &law;
}

/* out <- out + (P - e^epsilon Q)+ over all ways to give the last `left` steps to outcomes from number `first` on */
static inline void finite_sum(mpfr_ptr out, const finite_law *law, int first, unsigned long left, mpfr_ptr p,
                              mpfr_ptr q)
{
    mpfr_t a, b, y;
    mpfr_inits2(FINITE_BITS, a, b, y, (mpfr_ptr)0);
    if (first == law->n - 1) {
        mpfr_pow_ui(a, law->p[first], left, RND);
        mpfr_pow_ui(b, law->q[first], left, RND);
        mpfr_mul(a, a, p, RND);
        mpfr_mul(b, b, q, RND);
        mpfr_sub(a, a, b, RND);
        if (mpfr_sgn(a) > 0) mpfr_add(out, out, a, RND);
    } else if (first == law->n - 2) { /* two outcomes: a row of binomial masses, each from the one before */
        mpfr_pow_ui(a, law->p[first + 1], left, RND);
        mpfr_pow_ui(b, law->q[first + 1], left, RND);
        mpfr_mul(a, a, p, RND);
        mpfr_mul(b, b, q, RND);
        for (unsigned long j = 0;; j++) {
            mpfr_sub(y, a, b, RND);
            if (mpfr_sgn(y) > 0) mpfr_add(out, out, y, RND);
            if (j == left) break;
            mpfr_mul(a, a, law->p[first], RND);
            mpfr_mul(b, b, law->q[first], RND);
            mpfr_mul_ui(a, a, left - j, RND);
            mpfr_mul_ui(b, b, left - j, RND);
            mpfr_div(a, a, law->p[first + 1], RND);
            mpfr_div(b, b, law->q[first + 1], RND);
            mpfr_div_ui(a, a, j + 1, RND);
            mpfr_div_ui(b, b, j + 1, RND);
        }
    } else {
        mpfr_set(a, p, RND);
        mpfr_set(b, q, RND);
        for (unsigned long j = 0;; j++) { /* C(left, j) p^j */
            finite_sum(out, law, first + 1, left - j, a, b);
            if (j == left) break;
            mpfr_mul(a, a, law->p[first], RND);
            mpfr_mul(b, b, law->q[first], RND);
            mpfr_mul_ui(a, a, left - j, RND);
            mpfr_mul_ui(b, b, left - j, RND);
            mpfr_div_ui(a, a, j + 1, RND);
            mpfr_div_ui(b, b, j + 1, RND);
        }
    }
    mpfr_clears(a, b, y, (mpfr_ptr)0);
}

/* out <- delta of k steps: 1 - (1 - infinite)^k and what the finite losses add */
static inline void finite_delta(mpfr_ptr out, const finite_law *law, double k, double epsilon)
{
    mpfr_ptr one = truth_number(0), e = truth_number(1), y = truth_number(2);
    mpfr_set_ui(out, 0, RND);
    mpfr_set_ui(one, 1, RND);
    mpfr_set_d(e, epsilon, RND);
    mpfr_exp(e, e, RND);
    if (law->n > 0 && isfinite(epsilon)) finite_sum(out, law, 0, (unsigned long)k, one, e);
    mpfr_neg(y, law->infinite, RND);
    mpfr_log1p(y, y, RND);
    mpfr_mul_d(y, y, k, RND);
    mpfr_expm1(y, y, RND);
    mpfr_sub(out, out, y, RND);
    truth_at_most_1(out);
}

/* k Gaussian mechanisms with s: mu = sqrt(k)/s; Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu) */
static inline void gaussian_delta(mpfr_ptr out, double s, double k, double epsilon)
{
    mpfr_ptr mu = truth_number(0), x = truth_number(1), y = truth_number(2), e = truth_number(3);
    mpfr_set_ui(out, 0, RND);
    if (isinf(epsilon)) return;
    mpfr_set_d(mu, k, RND);
    mpfr_sqrt(mu, mu, RND);
    mpfr_div_d(mu, mu, s, RND);
    mpfr_d_div(y, epsilon, mu, RND);
    mpfr_div_ui(x, mu, 2, RND);
    mpfr_sub(e, x, y, RND);
    mpfr_add(y, x, y, RND);
    mpfr_neg(y, y, RND);
    truth_normal_cdf(out, e);
    truth_normal_cdf(x, y);
    mpfr_set_d(e, epsilon, RND);
    mpfr_exp(e, e, RND);
    mpfr_mul(x, x, e, RND);
    mpfr_sub(out, out, x, RND);
}

enum { LAPLACE_STEPS = 10 };

/* g[r] = P[N > r, N - r odd], N ~ Poisson(y), r = 0..k: g_0 = (1 - e^-2y)/2, g_1 = (1 + e^-2y)/2 - e^-y,
 * g_(r+2) = g_r - P[N = r + 1] */
static inline void poisson_odd(mpfr_t *g, mpfr_ptr y, int k)
{
    mpfr_ptr e = truth_number(4), mass = truth_number(5);
    mpfr_mul_si(e, y, -2, RND);
    mpfr_expm1(g[0], e, RND);
    mpfr_div_si(g[0], g[0], -2, RND);
    mpfr_neg(mass, y, RND);
    mpfr_exp(mass, mass, RND); /* P[N = 0] */
    mpfr_exp(e, e, RND);
    mpfr_add_ui(e, e, 1, RND);
    mpfr_div_ui(e, e, 2, RND);
    mpfr_sub(g[1], e, mass, RND);
    for (int r = 0; r + 2 <= k; r++) {
        mpfr_mul(mass, mass, y, RND);
        mpfr_div_ui(mass, mass, (unsigned long)r + 1, RND);
        mpfr_sub(g[r + 2], g[r], mass, RND);
    }
}

/* the coefficient of z^d in (z + 1/z)^(k-r) (z - 1/z)^r */
static inline double laplace_coefficient(int k, int r, int d)
{
    double c[2 * LAPLACE_STEPS + 3] = {0}, next[2 * LAPLACE_STEPS + 3];
    const int middle = LAPLACE_STEPS + 1;
    c[middle] = 1.0;
    for (int i = 0; i < k; i++) {
        for (int j = 1; j < 2 * LAPLACE_STEPS + 2; j++) next[j] = c[j - 1] + (i < r ? -1.0 : 1.0) * c[j + 1];
        next[0] = next[2 * LAPLACE_STEPS + 2] = 0.0;
        for (int j = 0; j < 2 * LAPLACE_STEPS + 3; j++) c[j] = next[j];
    }
    return c[middle + d];
}

/* k <= LAPLACE_STEPS Laplace mechanisms with t */
static inline void laplace_delta(mpfr_ptr out, double t, int k, double epsilon)
{
    mpfr_ptr y = truth_number(1), term = truth_number(2), decay = truth_number(3);
    mpfr_t g[LAPLACE_STEPS + 1];
    for (int i = 0; i <= LAPLACE_STEPS; i++) mpfr_init2(g[i], PROPERTY_BITS);
    mpfr_set_ui(out, 0, RND);
    for (int d = -k; d <= k && isfinite(epsilon); d += 2) {
        mpfr_set_d(y, t, RND);
        mpfr_mul_si(y, y, d, RND);
        mpfr_sub_d(y, y, epsilon, RND);
        if (mpfr_sgn(y) <= 0) continue;
        mpfr_div_ui(y, y, 2, RND);
        poisson_odd(g, y, k);
        mpfr_set_d(decay, t, RND);
        mpfr_mul_si(decay, decay, d - k, RND);
        mpfr_div_ui(decay, decay, 2, RND);
        mpfr_exp(decay, decay, RND);
        double choose = 1.0;
        for (int r = 0; r <= k; r++) {
            mpfr_mul_d(term, g[r], choose * laplace_coefficient(k, r, d), RND);
            mpfr_mul(term, term, decay, RND);
            mpfr_add(out, out, term, RND);
            choose = choose * (k - r) / (r + 1);
        }
    }
    mpfr_mul_d(out, out, ldexp(2.0, -k), RND);
    for (int i = 0; i <= LAPLACE_STEPS; i++) mpfr_clear(g[i]);
}

#endif
