/* concentration_truth.h: Hoeffding, Azuma, Polya's urn and the tails of 001 with MPFR. */
#ifndef SIMDP_CONCENTRATION_TRUTH_H
#define SIMDP_CONCENTRATION_TRUTH_H

#include <float.h>

#include "property/shorthand.h"

/* An upper bound of a number below all doubles can say no more than the least double. */
static inline void truth_at_least_minimum(mpfr_ptr out)
{
    if (mpfr_cmp_d(out, -DBL_MAX) < 0) mpfr_set_d(out, -DBL_MAX, RND);
}

static inline void truth_exp_at_most_1(mpfr_ptr out, mpfr_ptr log_p)
{
    mpfr_exp(out, log_p, RND);
    truth_at_most_1(out);
}

/* ---- Hoeffding: deviation, n, low, high ---- */

static inline void hoeffding_truth(mpfr_t *out, const double *a)
{
    mpfr_ptr range = truth_number(0);
    mpfr_set_ui(out[0], 0, RND);
    if (a[0] > 0.0) {
        mpfr_set_d(range, a[3], RND);
        mpfr_sub_d(range, range, a[2], RND);
        mpfr_set_d(out[0], a[0], RND);
        mpfr_div(out[0], out[0], range, RND);
        mpfr_sqr(out[0], out[0], RND);
        mpfr_div_d(out[0], out[0], a[1], RND);
        mpfr_mul_si(out[0], out[0], -2, RND);
        if (isinf(a[0]) || a[1] == 0.0 || a[2] == a[3]) mpfr_set_inf(out[0], -1);
    }
    truth_exp_at_most_1(out[1], out[0]);
    mpfr_mul_ui(out[2], out[1], 2, RND);
    truth_at_most_1(out[2]);
    if (mpfr_number_p(out[0])) truth_at_least_minimum(out[0]);
}

/* out <- (high - low) sqrt(n l/2) */
static inline void deviation_at(mpfr_ptr out, mpfr_ptr l, const double *a)
{
    mpfr_ptr range = truth_number(0);
    mpfr_set_d(range, a[3], RND);
    mpfr_sub_d(range, range, a[2], RND);
    mpfr_mul_d(out, l, a[1], RND);
    mpfr_div_ui(out, out, 2, RND);
    mpfr_sqrt(out, out, RND);
    mpfr_mul(out, out, range, RND);
    if (a[1] == 0.0 || a[2] == a[3]) mpfr_set_ui(out, 0, RND);
}

/* delta, n, low, high */
static inline void hoeffding_deviation_truth(mpfr_t *out, const double *a)
{
    mpfr_ptr l = truth_number(1);
    mpfr_set_ui(l, 0, RND);
    if (a[0] < 1.0) truth_log(l, a[0]), mpfr_neg(l, l, RND);
    deviation_at(out[0], l, a);
    mpfr_const_log2(out[1], RND);
    mpfr_add(l, l, out[1], RND);
    deviation_at(out[1], l, a);
}

/* first <- lambda mean, second <- lambda^2 (high - low)^2/8; a: lambda, low, high, mean */
static inline void lemma_terms(mpfr_ptr first, mpfr_ptr second, const double *a)
{
    mpfr_set_d(second, a[2], RND);
    mpfr_sub_d(second, second, a[1], RND);
    mpfr_mul_d(second, second, a[0], RND);
    mpfr_sqr(second, second, RND);
    mpfr_div_ui(second, second, 8, RND);
    mpfr_set_d(first, a[3], RND);
    mpfr_mul_d(first, first, a[0], RND);
}
static inline void hoeffding_lemma_truth(mpfr_t *out, const double *a)
{
    lemma_terms(out[0], truth_number(0), a);
    mpfr_add(out[0], out[0], truth_number(0), RND);
    truth_at_least_minimum(out[0]);
}
static inline void hoeffding_lemma_slack(mpfr_t *out, const double *a)
{
    lemma_terms(truth_number(0), truth_number(1), a);
    truth_add_size(out[0], truth_number(0));
    truth_add_size(out[0], truth_number(1));
}

/* ---- Azuma: k mean + reach sqrt(k) bound ---- */

static inline void azuma_sum(mpfr_ptr out, mpfr_ptr reach, double k, double mean, double bound)
{
    mpfr_ptr drift = truth_number(3);
    mpfr_set_d(out, k, RND);
    mpfr_sqrt(out, out, RND);
    mpfr_mul_d(out, out, bound, RND);
    if (!mpfr_zero_p(out)) mpfr_mul(out, out, reach, RND);
    mpfr_set_d(drift, k, RND);
    mpfr_mul_d(drift, drift, mean, RND);
    mpfr_add(out, out, drift, RND);
    if (mpfr_number_p(out)) truth_at_least_minimum(out);
}

/* z, k, mean, bound */
static inline void azuma_truth(mpfr_t *out, const double *a)
{
    mpfr_ptr z = truth_number(0);
    mpfr_set_d(z, a[0], RND);
    azuma_sum(out[0], z, a[1], a[2], a[3]);
    mpfr_sqr(out[1], z, RND);
    mpfr_div_si(out[1], out[1], -2, RND);
    truth_exp_at_most_1(out[2], out[1]);
    if (mpfr_number_p(out[1])) truth_at_least_minimum(out[1]);
}

static inline void azuma_reach(mpfr_ptr reach, double delta)
{
    mpfr_set_ui(reach, 0, RND);
    if (delta == 1.0) return;
    truth_log(reach, delta);
    mpfr_mul_si(reach, reach, -2, RND);
    mpfr_sqrt(reach, reach, RND);
}

/* delta, k, mean, bound */
static inline void azuma_threshold_truth(mpfr_t *out, const double *a)
{
    azuma_reach(truth_number(0), a[0]);
    azuma_sum(out[0], truth_number(0), a[1], a[2], a[3]);
}

static inline void azuma_slack_of(mpfr_ptr out, mpfr_ptr reach, const double *a)
{
    azuma_sum(truth_number(1), reach, a[1], 0.0, a[3]);
    if (mpfr_number_p(truth_number(1))) truth_add_size(out, truth_number(1));
    azuma_sum(truth_number(1), reach, a[1], fabs(a[2]), 0.0);
    truth_add_size(out, truth_number(1));
}
static inline void azuma_slack(mpfr_t *out, const double *a)
{
    mpfr_set_d(truth_number(0), a[0], RND);
    azuma_slack_of(out[0], truth_number(0), a);
}
static inline void azuma_threshold_slack(mpfr_t *out, const double *a)
{
    azuma_reach(truth_number(0), a[0]);
    azuma_slack_of(out[0], truth_number(0), a);
}

/* ---- Polya's urn: red, blue, k, z ---- */

/* out <- sum over j >= a of 1/j^2: 100 terms, then 1/x + 1/(2 x^2) + sum B_2i/x^(2i+1), to about 1e-60 */
static inline void inverse_squares_from(mpfr_ptr out, mpfr_ptr a)
{
    static const double bernoulli[][2] = {{1, 6},       {-1, 30}, {1, 42},      {-1, 30},     {5, 66},
                                          {-691, 2730}, {7, 6},   {-3617, 510}, {43867, 798}, {-174611, 330}};
    mpfr_ptr x = truth_number(5), y = truth_number(6), z = truth_number(7);
    mpfr_set_ui(out, 0, RND);
    mpfr_set(x, a, RND);
    for (int i = 0; i < 400; i++) {
        mpfr_sqr(y, x, RND);
        mpfr_ui_div(y, 1, y, RND);
        mpfr_add(out, out, y, RND);
        mpfr_add_ui(x, x, 1, RND);
    }
    mpfr_ui_div(z, 1, x, RND);
    mpfr_add(out, out, z, RND);
    mpfr_sqr(y, z, RND);
    mpfr_div_ui(x, y, 2, RND);
    mpfr_add(out, out, x, RND);
    for (int i = 0; i < 10; i++) {
        mpfr_mul(z, z, y, RND);
        mpfr_mul_d(x, z, bernoulli[i][0], RND);
        mpfr_div_d(x, x, bernoulli[i][1], RND);
        mpfr_add(out, out, x, RND);
    }
}

static inline void polya_truth(mpfr_t *out, const double *a)
{
    mpfr_ptr n = truth_number(0), k = truth_number(1), y = truth_number(2), z = truth_number(3);
    mpfr_set_d(n, a[0], RND);
    mpfr_add_d(n, n, a[1], RND);
    mpfr_set_d(k, a[2], RND);
    mpfr_mul_d(out[0], k, a[0], RND);
    mpfr_div(out[0], out[0], n, RND);
    mpfr_add(y, n, k, RND); /* variance k R B (n + k)/(n^2 (n + 1)) */
    mpfr_mul(y, y, out[0], RND);
    mpfr_mul_d(y, y, a[1], RND);
    mpfr_div(y, y, n, RND);
    mpfr_add_ui(z, n, 1, RND);
    mpfr_div(y, y, z, RND);
    mpfr_sqrt(out[1], y, RND);
    mpfr_set_ui(out[2], 0, RND);
    mpfr_set_ui(out[3], 0, RND);
    if (a[2] == 0.0 || a[3] == 0.0) return;
    mpfr_div(y, k, n, RND);
    mpfr_add_ui(y, y, 2, RND);
    mpfr_sqrt(z, k, RND);
    mpfr_mul(y, y, z, RND);
    mpfr_mul_d(out[2], y, a[3], RND);
    mpfr_add_ui(y, n, 1, RND);
    inverse_squares_from(out[3], y);
    mpfr_add(y, y, k, RND);
    inverse_squares_from(z, y);
    mpfr_sub(z, out[3], z, RND);
    mpfr_sqrt(z, z, RND);
    mpfr_add(y, n, k, RND);
    mpfr_mul(z, z, y, RND);
    mpfr_div_ui(z, z, 2, RND);
    mpfr_mul_d(out[3], z, a[3], RND);
}

/* ---- 001: epsilon, n -> x, tail, log_tail, tail_mid, tail_simple, log_hoeffding ---- */

static inline void exponential_tail_truth(mpfr_t *out, const double *a)
{
    mpfr_ptr y = truth_number(0);
    mpfr_set_d(out[5], a[0], RND);
    mpfr_sqr(out[5], out[5], RND);
    if (a[1] == 0.0) mpfr_set_ui(out[5], 0, RND);
    else mpfr_mul_d(out[5], out[5], a[1], RND);
    mpfr_div_ui(out[0], out[5], 64, RND);
    mpfr_mul_si(out[5], out[5], -2, RND);
    mpfr_const_log2(y, RND); /* ln ln 2 - x - ln(1 - 2 e^-x) */
    mpfr_add_ui(out[3], y, 2, RND);
    mpfr_log(out[2], y, RND);
    mpfr_neg(y, out[0], RND);
    mpfr_exp(y, y, RND);
    mpfr_mul(out[3], out[3], y, RND);
    truth_at_most_1(out[3]);
    mpfr_mul_si(y, y, -2, RND);
    mpfr_log1p(y, y, RND);
    mpfr_sub(out[2], out[2], y, RND);
    mpfr_sub(out[2], out[2], out[0], RND);
    if (mpfr_cmp_d(out[0], 0.99) < 0 || mpfr_sgn(out[2]) > 0) mpfr_set_ui(out[2], 0, RND);
    mpfr_exp(out[1], out[2], RND);
    mpfr_ui_sub(y, 1, out[0], RND);
    truth_exp_at_most_1(out[4], y);
    if (mpfr_number_p(out[2])) truth_at_least_minimum(out[2]);
}

/* n, m */
static inline void expected_maximum_truth(mpfr_t *out, const double *a)
{
    mpfr_set_d(out[0], a[1], RND);
    mpfr_log1p(out[0], out[0], RND);
    mpfr_mul_d(out[0], out[0], a[0], RND);
    mpfr_sqrt(out[0], out[0], RND);
    mpfr_mul_ui(out[0], out[0], 4, RND);
}

/* mean, m, eta */
static inline void expected_column_maximum_truth(mpfr_t *out, const double *a)
{
    mpfr_ptr y = truth_number(0);
    mpfr_set_ui(out[0], 0, RND);
    mpfr_set_d(y, a[2], RND);
    if (a[0] > 0.0) {
        mpfr_exp(out[0], y, RND);
        mpfr_mul_d(out[0], out[0], a[0], RND);
    }
    if (a[1] == 1.0) return;
    truth_log(truth_number(1), a[1]);
    mpfr_mul_ui(truth_number(1), truth_number(1), 2, RND);
    mpfr_div(y, truth_number(1), y, RND);
    mpfr_add(out[0], out[0], y, RND);
}

#endif
