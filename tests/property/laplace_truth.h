/* laplace_truth.h: the curve of k Laplace mechanisms in MPFR:
 *   delta(epsilon) = 2^(1-k) sum_r C(k,r) sum_i K_r(i) e^(-i t) g_r(y_i),   y_i = ((k-2i) t - epsilon)/2 > 0,
 *   K_r(i) the coefficient of z^i in (1+z)^(k-r) (1-z)^r,   g_r(y) = P[N > r, N - r odd],  N Poisson(y).
 * Included by tests only. */
#ifndef SIMDP_LAPLACE_TRUTH_H
#define SIMDP_LAPLACE_TRUTH_H

#include <stdlib.h>

#include "property/shorthand.h"

enum { LAPLACE_STEPS_MAX = 500 };
typedef struct {
    mpfr_t g[LAPLACE_STEPS_MAX + 3]; /* g[r + 1] = g_r, r = -1 .. k */
} truth_counts;

/* g_r(y) for r = -1 .. k: the two last by their series, which is of positive terms, the others from g_r = g_(r+2) + P[N
 * = r+1] */
static inline void truth_counts_at(truth_counts *c, mpfr_t y, int k, mpfr_prec_t bits)
{
    mpfr_t *mass = malloc(((size_t)k + 3) * sizeof *mass), term;
    mpfr_init2(term, bits);
    mpfr_neg(term, y, RN);
    mpfr_exp(term, term, RN);
    int n = 0;
    for (int r = -1; r <= k; r++) mpfr_set_ui(c->g[r + 1], 0, RN);
    for (; n <= k + 2; n++) {
        mpfr_init2(mass[n], bits);
        mpfr_set(mass[n], term, RN);
        mpfr_mul(term, term, y, RN);
        mpfr_div_ui(term, term, (unsigned long)n + 1, RN);
    }
    mpfr_set(c->g[k], mass[k], RN); /* g_(k-1): N = k, k+2, ... */
    mpfr_add(c->g[k], c->g[k], mass[k + 2], RN);
    mpfr_set(c->g[k + 1], mass[k + 1], RN); /* g_k: N = k+1, k+3, ... */
    for (n = k + 3;; n++) {                 /* term: P[N = n] */
        mpfr_ptr to = (n - k) % 2 == 0 ? c->g[k] : c->g[k + 1];
        mpfr_add(to, to, term, RN);
        if (mpfr_cmp_ui(y, (unsigned long)n) < 0 && mpfr_get_exp(term) < mpfr_get_exp(to) - (long)bits) break;
        mpfr_mul(term, term, y, RN);
        mpfr_div_ui(term, term, (unsigned long)n + 1, RN);
    }
    for (int r = k - 2; r >= -1; r--) mpfr_add(c->g[r + 1], c->g[r + 3], mass[r + 1], RN);
    for (int i = 0; i <= k + 2; i++) mpfr_clear(mass[i]);
    free(mass);
    mpfr_clear(term);
}

/* delta and -d delta/d epsilon */
static inline void truth_laplace(mpfr_t delta, mpfr_t slope, mpfr_t epsilon, double t, int k)
{
    const mpfr_prec_t bits = 700 + 4 * k;
    static truth_counts c;
    mpfr_t y, part, row, column, choose, sum, sum_slope, coefficient[LAPLACE_STEPS_MAX + 1];
    mpfr_inits2(bits, y, part, row, column, choose, sum, sum_slope, (mpfr_ptr)0);
    for (int r = -1; r <= k; r++) mpfr_init2(c.g[r + 1], bits);
    for (int r = 0; r <= k; r++) mpfr_init2(coefficient[r], bits); /* K_r(i), by r */
    mpfr_set_ui(sum, 0, RN);
    mpfr_set_ui(sum_slope, 0, RN);
    for (int i = 0; i <= k; i++) {
        /* K_r(i) = sum_j C(r, j) (-1)^j C(k-r, i-j): by the recursion over i of each r,
         * (i+1) K_r(i+1) = (k - 2r) K_r(i) - (k - i + 1) K_r(i-1) */
        static mpfr_t before[LAPLACE_STEPS_MAX + 1];
        for (int r = 0; r <= k; r++) {
            if (i == 0) {
                mpfr_init2(before[r], bits);
                mpfr_set_ui(before[r], 0, RN);
                mpfr_set_ui(coefficient[r], 1, RN);
                continue;
            }
            mpfr_mul_si(part, coefficient[r], k - 2 * r, RN);
            mpfr_mul_si(row, before[r], k - i + 2, RN);
            mpfr_sub(part, part, row, RN);
            mpfr_set(before[r], coefficient[r], RN);
            mpfr_div_si(coefficient[r], part, i, RN);
        }
        property_exact(y, t);
        mpfr_mul_si(y, y, k - 2 * i, RN);
        mpfr_sub(y, y, epsilon, RN);
        mpfr_div_ui(y, y, 2, RN);
        if (mpfr_sgn(y) > 0) {
            truth_counts_at(&c, y, k, bits);
            mpfr_set_ui(choose, 1, RN);
            mpfr_set_ui(row, 0, RN);
            mpfr_set_ui(column, 0, RN);
            for (int r = 0; r <= k; r++) {
                mpfr_mul(part, choose, coefficient[r], RN);
                mpfr_mul(y, part, c.g[r + 1], RN);
                mpfr_add(row, row, y, RN);
                mpfr_sub(y, c.g[r], c.g[r + 1], RN); /* d g_r/d y = g_(r-1) - g_r */
                mpfr_mul(y, y, part, RN);
                mpfr_add(column, column, y, RN);
                mpfr_mul_si(choose, choose, k - r, RN);
                mpfr_div_si(choose, choose, r + 1, RN);
            }
            property_exact(part, t);
            mpfr_mul_si(part, part, -i, RN);
            mpfr_exp(part, part, RN);
            mpfr_mul(row, row, part, RN);
            mpfr_mul(column, column, part, RN);
            mpfr_add(sum, sum, row, RN);
            mpfr_add(sum_slope, sum_slope, column, RN);
        }
        if (i == k) {
            for (int r = 0; r <= k; r++) mpfr_clear(before[r]);
        }
    }
    mpfr_mul_2si(delta, sum, 1 - k, RN);
    mpfr_mul_2si(slope, sum_slope, -k, RN);
    for (int r = -1; r <= k; r++) mpfr_clear(c.g[r + 1]);
    for (int r = 0; r <= k; r++) mpfr_clear(coefficient[r]);
    mpfr_clears(y, part, row, column, choose, sum, sum_slope, (mpfr_ptr)0);
}

#endif
