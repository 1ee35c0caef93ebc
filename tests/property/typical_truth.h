/* typical_truth.h: the typical-stability theorems (003) with MPFR. */
#ifndef SIMDP_TYPICAL_TRUTH_H
#define SIMDP_TYPICAL_TRUTH_H

#include "property/shorthand.h"

/* ---- the sum of e^(c sqrt t + d t) over t = 1..n, for any n: plain sums where terms change fast, the formula of Euler
 * and Maclaurin with 16 derivatives (which power series give) and an integral by panels where they change slowly ----
 */

enum { SUM_BITS = 320, SUM_NODES = 16, SUM_DERIVATIVES = 33, SUM_PLAIN = 400 };

typedef struct {
    mpfr_t c, d, n, root_n; /* sqrt n */
} typical_exponent;

/* out <- e^(phi(t) - phi(n)) with j = n - t, as a product: j (d + c/(sqrt n + sqrt t)) */
static inline void typical_term(mpfr_ptr out, const typical_exponent *e, mpfr_ptr t)
{
    mpfr_t j, x;
    mpfr_inits2(SUM_BITS, j, x, (mpfr_ptr)0);
    mpfr_sqrt(x, t, RND);
    mpfr_add(x, x, e->root_n, RND);
    mpfr_div(x, e->c, x, RND);
    mpfr_add(x, x, e->d, RND);
    mpfr_sub(j, t, e->n, RND);
    mpfr_mul(x, x, j, RND);
    mpfr_exp(out, x, RND);
    mpfr_clears(j, x, (mpfr_ptr)0);
}

/* sum <- sum + terms from t downward, `most` of them or until the rest is below 2^-220 of the sum; t <- what is left */
static inline bool typical_plain(mpfr_ptr sum, const typical_exponent *e, mpfr_ptr t, long most)
{
    mpfr_t term, rest;
    bool negligible = false;
    mpfr_inits2(SUM_BITS, term, rest, (mpfr_ptr)0);
    for (long i = 0; i < most && mpfr_cmp_ui(t, 1) >= 0 && !negligible; i++) {
        typical_term(term, e, t);
        mpfr_add(sum, sum, term, RND);
        mpfr_mul(rest, term, t, RND);
        mpfr_div(rest, rest, sum, RND);
        negligible = mpfr_zero_p(rest) || mpfr_get_exp(rest) < -220;
        mpfr_sub_ui(t, t, 1, RND);
    }
    mpfr_clears(term, rest, (mpfr_ptr)0);
    return negligible;
}

/* Taylor coefficients of the term around t, in units of the term at t: phi has those of c sqrt(t + h) + d (t + h), and
 * e^phi follows by k f_k = sum j phi_j f_(k-j). */
static inline void typical_series(mpfr_t *f, const typical_exponent *e, mpfr_ptr t)
{
    mpfr_t phi[SUM_DERIVATIVES], y;
    mpfr_init2(y, SUM_BITS);
    for (int k = 0; k < SUM_DERIVATIVES; k++) mpfr_init2(phi[k], SUM_BITS);
    mpfr_sqrt(phi[0], t, RND);
    mpfr_mul(phi[0], phi[0], e->c, RND);
    for (int k = 1; k < SUM_DERIVATIVES; k++) { /* binomial(1/2, k) t^(1/2 - k) */
        mpfr_mul_si(phi[k], phi[k - 1], 3 - 2 * k, RND);
        mpfr_div_si(phi[k], phi[k], 2 * k, RND);
        mpfr_div(phi[k], phi[k], t, RND);
    }
    mpfr_add(phi[1], phi[1], e->d, RND);
    mpfr_set_ui(f[0], 1, RND);
    for (int k = 1; k < SUM_DERIVATIVES; k++) {
        mpfr_set_ui(f[k], 0, RND);
        for (int j = 1; j <= k; j++) {
            mpfr_mul(y, phi[j], f[k - j], RND);
            mpfr_mul_ui(y, y, (unsigned long)j, RND);
            mpfr_add(f[k], f[k], y, RND);
        }
        mpfr_div_ui(f[k], f[k], (unsigned long)k, RND);
    }
    for (int k = 0; k < SUM_DERIVATIVES; k++) mpfr_clear(phi[k]);
    mpfr_clear(y);
}

/* out <- the term at t times (1/2 + sign sum_j B_2j/(2j)! f^(2j-1)/f) */
static inline void typical_end(mpfr_ptr out, const typical_exponent *e, mpfr_ptr t, int sign)
{
    static const double bernoulli[][2] = {{1, 6},        {-1, 30},
                                          {1, 42},       {-1, 30},
                                          {5, 66},       {-691, 2730},
                                          {7, 6},        {-3617, 510},
                                          {43867, 798},  {-174611, 330},
                                          {854513, 138}, {-236364091, 2730},
                                          {8553103, 6},  {-23749461029.0, 870}};
    mpfr_t f[SUM_DERIVATIVES], y;
    for (int k = 0; k < SUM_DERIVATIVES; k++) mpfr_init2(f[k], SUM_BITS);
    mpfr_init2(y, SUM_BITS);
    typical_series(f, e, t);
    mpfr_set_d(out, 0.5, RND);
    for (int j = 1; j <= 14; j++) { /* f^(2j-1)/(2j)! = coefficient/(2j) */
        mpfr_mul_d(y, f[2 * j - 1], bernoulli[j - 1][0], RND);
        mpfr_div_d(y, y, bernoulli[j - 1][1] * 2 * j, RND);
        mpfr_mul_si(y, y, sign, RND);
        mpfr_add(out, out, y, RND);
    }
    typical_term(y, e, t);
    mpfr_mul(out, out, y, RND);
    for (int k = 0; k < SUM_DERIVATIVES; k++) mpfr_clear(f[k]);
    mpfr_clear(y);
}

/* Gauss and Legendre on [0, 1] */
static inline void typical_nodes(mpfr_t *node, mpfr_t *weight)
{
    mpfr_t z, p, before, next, slope;
    mpfr_inits2(SUM_BITS, z, p, before, next, slope, (mpfr_ptr)0);
    for (int k = 0; k < SUM_NODES; k++) {
        mpfr_init2(node[k], SUM_BITS);
        mpfr_init2(weight[k], SUM_BITS);
        mpfr_set_d(z, cos(3.14159265358979 * (k + 0.75) / (SUM_NODES + 0.5)), RND);
        for (int round = 0; round < 8; round++) {
            mpfr_set_ui(p, 1, RND);
            mpfr_set_ui(before, 0, RND);
            for (int j = 1; j <= SUM_NODES; j++) { /* j P_j = (2j-1) z P_(j-1) - (j-1) P_(j-2) */
                mpfr_mul(next, z, p, RND);
                mpfr_mul_ui(next, next, (unsigned long)(2 * j - 1), RND);
                mpfr_mul_ui(before, before, (unsigned long)(j - 1), RND);
                mpfr_sub(next, next, before, RND);
                mpfr_div_ui(next, next, (unsigned long)j, RND);
                mpfr_set(before, p, RND);
                mpfr_set(p, next, RND);
            }
            mpfr_mul(slope, z, p, RND);
            mpfr_sub(slope, slope, before, RND);
            mpfr_mul_ui(slope, slope, SUM_NODES, RND);
            mpfr_sqr(next, z, RND);
            mpfr_sub_ui(next, next, 1, RND);
            mpfr_div(slope, slope, next, RND);
            mpfr_div(p, p, slope, RND);
            mpfr_sub(z, z, p, RND);
        }
        mpfr_ui_sub(node[k], 1, z, RND);
        mpfr_div_ui(node[k], node[k], 2, RND);
        mpfr_neg(next, next, RND);
        mpfr_sqr(slope, slope, RND);
        mpfr_mul(next, next, slope, RND);
        mpfr_ui_div(weight[k], 1, next, RND);
    }
    mpfr_clears(z, p, before, next, slope, (mpfr_ptr)0);
}

/* out <- the integral of the term over t from a to b, by panels in x = sqrt t from b down, the exponent changing by 4
 * in each */
static inline void typical_integral(mpfr_ptr out, const typical_exponent *e, mpfr_ptr a, mpfr_ptr b)
{
    static mpfr_t node[SUM_NODES], weight[SUM_NODES];
    static bool made;
    mpfr_t high, low, width, x, y, panel;
    if (!made) typical_nodes(node, weight);
    made = true;
    mpfr_inits2(SUM_BITS, high, low, width, x, y, panel, (mpfr_ptr)0);
    mpfr_sqrt(high, b, RND);
    mpfr_sqrt(low, a, RND);
    mpfr_set_ui(out, 0, RND);
    for (bool more = true; more;) {
        mpfr_mul(width, high, e->d, RND); /* 4/(c + 2 d x) */
        mpfr_mul_ui(width, width, 2, RND);
        mpfr_add(width, width, e->c, RND);
        mpfr_ui_div(width, 4, width, RND);
        mpfr_sub(x, high, low, RND);
        const bool last = mpfr_cmp(width, x) >= 0;
        if (last) mpfr_set(width, x, RND);
        mpfr_set_ui(panel, 0, RND);
        for (int k = 0; k < SUM_NODES; k++) {
            mpfr_mul(x, node[k], width, RND);
            mpfr_sub(x, high, x, RND);
            mpfr_sqr(y, x, RND);
            typical_term(y, e, y);
            mpfr_mul(y, y, x, RND);
            mpfr_mul(y, y, weight[k], RND);
            mpfr_add(panel, panel, y, RND);
        }
        mpfr_mul(panel, panel, width, RND);
        mpfr_mul_ui(panel, panel, 2, RND);
        mpfr_add(out, out, panel, RND);
        more = !last && mpfr_get_exp(panel) > mpfr_get_exp(out) - 200;
        mpfr_sub(high, high, width, RND);
    }
    mpfr_clears(high, low, width, x, y, panel, (mpfr_ptr)0);
}

/* a <- the least t >= SUM_PLAIN from which on the slope c/(2 sqrt t) + d stays below 3/5; d below 1/2 */
static inline void typical_slow_from(mpfr_ptr a, const typical_exponent *e)
{
    mpfr_d_sub(a, 0.6, e->d, RND);
    mpfr_mul_ui(a, a, 2, RND);
    mpfr_div(a, e->c, a, RND);
    mpfr_sqr(a, a, RND);
    mpfr_ceil(a, a);
    if (mpfr_cmp_ui(a, SUM_PLAIN) < 0) mpfr_set_ui(a, SUM_PLAIN, RND);
}

/* out <- ln of the sum over t = 1..n */
static inline void typical_log_sum(mpfr_ptr out, mpfr_ptr c, mpfr_ptr d, double n)
{
    typical_exponent e;
    mpfr_t sum, t, a, y;
    mpfr_inits2(PROPERTY_BITS, e.c, e.d, e.n, e.root_n, sum, t, a, y, (mpfr_ptr)0);
    mpfr_set(e.c, c, RND);
    mpfr_set(e.d, d, RND);
    mpfr_set_d(e.n, n, RND);
    mpfr_sqrt(e.root_n, e.n, RND);
    mpfr_set(t, e.n, RND);
    mpfr_set_ui(sum, 0, RND);
    if (!typical_plain(sum, &e, t, SUM_PLAIN) && mpfr_cmp_ui(t, 1) >= 0) {
        typical_slow_from(a, &e);
        if (mpfr_cmp(a, t) < 0) {
            typical_integral(y, &e, a, t);
            mpfr_add(sum, sum, y, RND);
            typical_end(y, &e, t, 1);
            mpfr_add(sum, sum, y, RND);
            typical_end(y, &e, a, -1);
            mpfr_add(sum, sum, y, RND);
            mpfr_sub_ui(t, a, 1, RND);
        }
        (void)typical_plain(sum, &e, t, 100000);
    }
    mpfr_log(sum, sum, RND);
    mpfr_mul(out, c, e.root_n, RND);
    mpfr_fma(out, d, e.n, out, RND);
    mpfr_add(out, out, sum, RND);
    mpfr_clears(e.c, e.d, e.n, e.root_n, sum, t, a, y, (mpfr_ptr)0);
}

/* ---- the theorems; steps: eta, tau, nu, k, slack; out: eta, tau, nu, log_tau, tau_hat, psi ---- */

/* out[0], [1], [2], [3] from c, d, mass and m */
static inline void typical_adaptive(mpfr_t *out, const double *a, mpfr_ptr c, mpfr_ptr d, mpfr_ptr mass, mpfr_ptr m)
{
    mpfr_ptr y = truth_number(20), z = truth_number(21);
    mpfr_set_d(y, a[3], RND);
    mpfr_sqrt(z, y, RND);
    mpfr_mul(z, z, c, RND);
    mpfr_fma(z, y, d, z, RND);
    mpfr_mul_ui(out[0], z, 3, RND);
    mpfr_add_d(y, mass, a[2], RND);
    mpfr_log(y, y, RND);
    if (a[2] > 0.0) { /* ln(e^y + e^z) */
        typical_log_sum(z, c, d, a[3] - 1.0);
        mpfr_set_d(out[3], a[2], RND);
        mpfr_log(out[3], out[3], RND);
        mpfr_add(z, z, out[3], RND);
        if (mpfr_cmp(z, y) > 0) mpfr_swap(y, z);
        mpfr_sub(z, z, y, RND);
        mpfr_exp(z, z, RND);
        mpfr_log1p(z, z, RND);
        mpfr_add(y, y, z, RND);
    }
    mpfr_log(z, m, RND);
    mpfr_sub(y, y, z, RND);
    mpfr_div_ui(y, y, 2, RND);
    mpfr_set_ui(z, 5, RND);
    mpfr_log(z, z, RND);
    mpfr_add(out[3], y, z, RND);
    mpfr_exp(out[1], out[3], RND);
    truth_at_most_1(out[1]);
    mpfr_set(out[2], out[1], RND);
}

static inline bool typical_few(mpfr_t *out, const double *a)
{
    for (int i = 0; i < 6; i++) mpfr_set_ui(out[i], 0, RND);
    mpfr_set_inf(out[3], -1);
    if (a[3] > 1.0) return false;
    if (a[3] == 0.0) return true;
    for (int i = 0; i < 3; i++) mpfr_set_d(out[i], a[i], RND);
    if (a[1] > 0.0) truth_log(out[3], a[1]);
    return true;
}

/* out <- factor eta sqrt(2 ln(1/slack)) */
static inline void typical_root_part(mpfr_ptr out, const double *a, unsigned long factor)
{
    truth_log(out, a[4]);
    mpfr_mul_si(out, out, -2, RND);
    mpfr_sqrt(out, out, RND);
    mpfr_mul_d(out, out, a[0], RND);
    mpfr_mul_ui(out, out, factor, RND);
}

static inline void typical_pure(mpfr_t *out, const double *a)
{
    mpfr_ptr c = truth_number(10), d = truth_number(11), mass = truth_number(12), m = truth_number(13);
    if (typical_few(out, a)) return;
    typical_root_part(c, a, 1);
    mpfr_set_d(d, a[0], RND);
    mpfr_expm1(d, d, RND);
    mpfr_mul_d(d, d, a[0], RND);
    mpfr_set_d(mass, a[3], RND);
    mpfr_mul_d(mass, mass, a[4], RND);
    mpfr_set_d(m, fmin(a[0], 5.0), RND);
    typical_adaptive(out, a, c, d, mass, m);
}

static inline void typical_approximate(mpfr_t *out, const double *a)
{
    mpfr_ptr c = truth_number(10), d = truth_number(11), mass = truth_number(12), m = truth_number(13);
    mpfr_ptr hat = truth_number(14), psi = truth_number(15), e = truth_number(16), y = truth_number(17),
             z = truth_number(18);
    if (typical_few(out, a)) return;
    mpfr_set_d(e, a[0], RND); /* tau_hat = 2 tau/(1 - e^-eta) */
    mpfr_neg(y, e, RND);
    mpfr_expm1(y, y, RND);
    mpfr_set_d(hat, -2.0 * a[1], RND);
    mpfr_div(hat, hat, y, RND);
    mpfr_expm1(y, e, RND); /* psi */
    mpfr_exp(e, e, RND);
    mpfr_div(y, e, y, RND);
    mpfr_sqr(y, y, RND);
    mpfr_mul_ui(y, y, 2, RND);
    mpfr_add_ui(z, e, 1, RND); /* 4 e (e + 1) - 3 - 2/e + 1/e^2 */
    mpfr_mul(z, z, e, RND);
    mpfr_mul_ui(z, z, 4, RND);
    mpfr_sub_ui(z, z, 3, RND);
    mpfr_ui_div(psi, 1, e, RND);
    mpfr_sub(z, z, psi, RND);
    mpfr_sub(z, z, psi, RND);
    mpfr_sqr(psi, psi, RND);
    mpfr_add(z, z, psi, RND);
    mpfr_mul(y, y, z, RND);
    mpfr_add_ui(y, y, 1, RND);
    mpfr_mul_d(y, y, a[1], RND);
    mpfr_mul_d(y, y, a[1], RND);
    mpfr_mul_ui(z, e, 2, RND);
    mpfr_add_ui(z, z, 1, RND);
    mpfr_mul_d(z, z, a[1], RND);
    mpfr_add(psi, y, z, RND);
    typical_root_part(c, a, 2);
    mpfr_set_d(d, 2.0 * a[0], RND); /* 2 eta (e^(2 eta)/(1 - tau_hat) - 1) + psi */
    mpfr_expm1(d, d, RND);
    mpfr_add(d, d, hat, RND);
    mpfr_ui_sub(y, 1, hat, RND);
    mpfr_div(d, d, y, RND);
    mpfr_mul_d(d, d, a[0], RND);
    mpfr_mul_ui(d, d, 2, RND);
    mpfr_add(d, d, psi, RND);
    mpfr_add_d(mass, hat, a[4], RND);
    mpfr_mul_d(mass, mass, a[3], RND);
    mpfr_set_d(m, a[0], RND);
    mpfr_mul_ui(m, m, 2, RND);
    typical_adaptive(out, a, c, d, mass, m);
    mpfr_set(out[4], hat, RND);
    mpfr_set(out[5], psi, RND);
}

#endif
