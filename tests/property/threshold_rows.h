/* threshold_rows.h: thresholds of counts, scales of noisy thresholds, and the probabilities of groups. */
#ifndef SIMDP_THRESHOLD_ROWS_H
#define SIMDP_THRESHOLD_ROWS_H

#include "property/truth.h"

/* ---- thresholds of counts: delta, scale, log2 of the grid, groups of a person ---- */

static void draw_threshold(property_random *r, double *a)
{
    a[0] = fmax(0x1p-1000, property_delta_open(r));
    a[1] = property_chance(r, 0.5) ? property_log_uniform(r, 0.1, 100) : property_log_uniform(r, 1e-6, 1e6);
    a[2] = floor(log2(a[1])) - (double)property_below(r, 30);
    a[3] = 1.0 + (double)property_below(r, property_chance(r, 0.5) ? 1 : 100000);
}

static simdp_status release_threshold_laplace(double *out, const double *a)
{
    return simdp_release_threshold_laplace(out, a, 1, a[1], exp2(a[2]), (uint64_t)a[3]);
}
static simdp_status release_threshold_gaussian(double *out, const double *a)
{
    return simdp_release_threshold_gaussian(out, a, 1, a[1], exp2(a[2]), (uint64_t)a[3]);
}

/* 1 - (1 - delta)^(1/groups) */
static void share_truth(mpfr_t out, const double *a)
{
    mpfr_set_d(out, -a[0], RN);
    mpfr_log1p(out, out, RN);
    mpfr_div_d(out, out, a[3], RN);
    mpfr_expm1(out, out, RN);
    mpfr_neg(out, out, RN);
}

/* 1 + scale q + grid/2, q in out */
static void threshold_from_quantile(mpfr_t out, const double *a)
{
    mpfr_mul_d(out, out, a[1], RN);
    mpfr_add_ui(out, out, 1, RN);
    mpfr_add_d(out, out, exp2(a[2] - 1), RN);
}

static void release_threshold_laplace_truth(mpfr_t *out, const double *a)
{
    share_truth(out[0], a);
    const bool large = mpfr_cmp_d(out[0], 0.5) > 0;
    if (large) mpfr_ui_sub(out[0], 1, out[0], RN);
    mpfr_mul_ui(out[0], out[0], 2, RN);
    mpfr_log(out[0], out[0], RN);
    if (!large) mpfr_neg(out[0], out[0], RN);
    threshold_from_quantile(out[0], a);
}

/* Phi(q) = 1 - d by Newton's method on ln Phi(-q) = ln d, from a start by libm; for d > 1/2 by the other tail. */
static void release_threshold_gaussian_truth(mpfr_t *out, const double *a)
{
    mpfr_ptr share = truth_number(0), x = truth_number(1), f = truth_number(2), slope = truth_number(3);
    share_truth(share, a);
    const bool large = mpfr_cmp_d(share, 0.5) > 0;
    if (large) mpfr_ui_sub(share, 1, share, RN);
    mpfr_log(share, share, RN);
    const double l = mpfr_get_d(share, RN);
    mpfr_set_d(x, l > -1 ? -0.1 : -sqrt(fmax(0.01, -2 * l - log(fmax(1, -4 * l)))), RN);
    for (int i = 0; i < 60; i++) {
        truth_log_normal_cdf(f, x);
        /* slope: phi(x) / Phi(x) = e^(-x^2/2 - ln Phi) / sqrt(2 pi) */
        mpfr_sqr(slope, x, RN);
        mpfr_div_si(slope, slope, -2, RN);
        mpfr_sub(slope, slope, f, RN);
        mpfr_exp(slope, slope, RN);
        mpfr_const_pi(out[0], RN);
        mpfr_mul_ui(out[0], out[0], 2, RN);
        mpfr_rec_sqrt(out[0], out[0], RN);
        mpfr_mul(slope, slope, out[0], RN);
        mpfr_sub(f, f, share, RN);
        mpfr_div(f, f, slope, RN);
        mpfr_sub(x, x, f, RN);
        if (mpfr_zero_p(f) || (!mpfr_zero_p(x) && mpfr_get_exp(f) < mpfr_get_exp(x) - 200)) break;
    }
    if (large) mpfr_set(out[0], x, RN);
    else mpfr_neg(out[0], x, RN);
    threshold_from_quantile(out[0], a);
}

/* a step of the grid, and what the scale times the quantile loses where 1 cancels it */
static void threshold_slack(mpfr_t *out, const double *a)
{
    mpfr_set_d(out[0], exp2(a[2]), RN);
    mpfr_add_d(out[0], out[0], 0x1p-44 * (1 + 40 * a[1]), RN);
}

/* defect: half a step is forgotten */
static simdp_status threshold_without_rounding(double *out, const double *a)
{
    const double share = -expm1(log1p(-a[0]) / a[3]), grid = exp2(a[2]);
    *out = grid * ceil((1 + a[1] * (share <= 0.5 ? -log(2 * share) : log(2 * (1 - share)))) / grid);
    return SIMDP_OK;
}

/* ---- scales of a noisy threshold: epsilon, sensitivity, reports, monotonic ---- */

static void draw_scales(property_random *r, double *a)
{
    a[0] = property_log_uniform(r, 1e-6, 100);
    a[1] = property_log_uniform(r, 1e-6, 1e6);
    a[2] = 1.0 + (double)property_count(r, 1000000);
    a[3] = (double)property_below(r, 2);
}

static simdp_status select_threshold_scales(double *out, const double *a)
{
    return simdp_select_threshold_scales(out, out + 1, a[0], a[1], (uint64_t)a[2], a[3] != 0);
}

/* sensitivity (1 + s^(2/3)) / epsilon and s sensitivity (1 + s^(-2/3)) / epsilon, s = (1 or 2) reports */
static void select_threshold_scales_truth(mpfr_t *out, const double *a)
{
    const double s = a[3] != 0 ? a[2] : 2 * a[2];
    for (int i = 0; i < 2; i++) {
        mpfr_set_d(out[i], s, RN);
        mpfr_log(out[i], out[i], RN);
        mpfr_mul_si(out[i], out[i], i == 0 ? 2 : -2, RN);
        mpfr_div_ui(out[i], out[i], 3, RN);
        mpfr_exp(out[i], out[i], RN);
        mpfr_add_ui(out[i], out[i], 1, RN);
        mpfr_mul_d(out[i], out[i], i == 0 ? 1 : s, RN);
        mpfr_mul_d(out[i], out[i], a[1], RN);
        mpfr_div_d(out[i], out[i], a[0], RN);
    }
}

/* defect: the factor 2 of queries that move both ways */
static simdp_status scales_monotonic(double *out, const double *a)
{
    return simdp_select_threshold_scales(out, out + 1, a[0], a[1], (uint64_t)a[2], 1);
}

/* ---- groups: people, epsilon, delta ---- */

static void draw_group(property_random *r, double *a)
{
    a[0] = (double)property_below(r, 120);
    a[1] = property_epsilon(r);
    a[2] = fmax(0x1p-600, property_delta_open(r));
}

static simdp_status select_partition_probability(double *out, const double *a)
{
    return simdp_select_partition_probability(out, out + 1, &(int64_t){(int64_t)a[0]}, 1, a[1], a[2], 1);
}

/* the recursion of the paper */
static void select_partition_probability_truth(mpfr_t *out, const double *a)
{
    mpfr_ptr up = truth_number(0), other = truth_number(1);
    mpfr_set_d(up, a[1] < 0x1p-200 ? 0 : fmin(a[1], 64), RN);
    mpfr_exp(up, up, RN);
    mpfr_set_ui(out[0], 0, RN);
    for (int n = 1; n <= (int)a[0]; n++) {
        mpfr_ui_sub(other, 1, out[0], RN);
        mpfr_sub_d(other, other, a[2], RN);
        mpfr_div(other, other, up, RN);
        mpfr_ui_sub(other, 1, other, RN);
        mpfr_mul(out[0], out[0], up, RN);
        mpfr_add_d(out[0], out[0], a[2], RN);
        mpfr_min(out[0], out[0], other, RN);
        truth_at_most_1(out[0]);
    }
    mpfr_ui_sub(out[1], 1, out[0], RN);
}

/* defect: one person more */
static simdp_status group_off_by_one(double *out, const double *a)
{
    return simdp_select_partition_probability(out, out + 1, &(int64_t){(int64_t)a[0] + 1}, 1, a[1], a[2], 1);
}

#endif
