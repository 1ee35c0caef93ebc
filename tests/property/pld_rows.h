/* pld_rows.h: rows of test_property_pld for masses of one step and grids, and planted defects. */
#ifndef SIMDP_PLD_ROWS_H
#define SIMDP_PLD_ROWS_H

/* ---- one step: Gaussian (1) or not, parameter, grid, rounding, index -> its mass, all masses ---- */

enum { WINDOW = 400 };

static void draw_pld_masses(property_random *r, double *a)
{
    a[0] = (double)property_below(r, 2), a[3] = 1.0 + (double)property_below(r, 3);
    if (a[0] == 1.0) {
        a[1] = property_log_uniform(r, 1e-2, 1e6);
        a[2] = 1 / a[1] * property_log_uniform(r, 0.1, 1e3);
        a[4] = floor((0.5 / a[1] + 12 * (property_uniform(r) - 0.5)) / a[1] / a[2]);
    } else {
        a[1] = property_chance(r, 0.3) ? property_log_uniform(r, 0x1p-1074, 1) : property_log_uniform(r, 1e-6, 100);
        a[2] = fmax(a[1], 1e-12) * property_log_uniform(r, 0.01, 1e6);
        if (property_chance(r, 0.3)) a[2] = fmax(a[1], 1e-12) / (double)(1 + property_below(r, 90));
        a[4] = floor(a[1] / a[2] * (2 * property_uniform(r) - 1)) + (double)property_below(r, 3) - 1.0;
    }
    a[2] = fmin(0x1p60, fmax(0x1p-60, a[2]));
    if (property_chance(r, 0.05))
        a[2] = property_log_uniform(r, 1e3, 0x1p60), a[4] = (double)property_below(r, 3) - 1.0;
    /* what the truth can do with its bits: second differences of small numbers, e^grid */
    if (a[3] == SIMDP_PLD_DOTS && (a[2] > 1e5 || (a[0] == 0.0 && a[1] < 1e-60))) a[3] = SIMDP_PLD_UP;
}
static simdp_status pld_masses(double *out, const double *a)
{
    static double mass[2 * WINDOW + 1];
    simdp_pld *pld = NULL;
    simdp_status status = simdp_pld_create(&pld, a[2]);
    if (status == SIMDP_OK)
        status = a[0] == 1.0 ? simdp_pld_add_gaussian(pld, a[1], 1) : simdp_pld_add_laplace(pld, a[1], 1);
    if (status == SIMDP_OK) status = simdp_pld_masses(pld, &out[0], 1, (int64_t)a[4], 0, (simdp_pld_rounding)a[3]);
    out[1] = out[2] = 0.0;
    for (int bins = 0; bins < 2 && status == SIMDP_OK; bins++) {
        status =
            simdp_pld_masses(pld, mass, 2 * WINDOW + 1, -WINDOW, 0, bins ? SIMDP_PLD_BINS : (simdp_pld_rounding)a[3]);
        for (int i = 0; i <= 2 * WINDOW; i++) out[1 + bins] += mass[i];
    }
    simdp_pld_destroy(pld);
    return status;
}

/* out <- P[L < l] or P[L <= l], l = index h */
static void loss_cdf(mpfr_ptr out, const double *a, double index, bool included)
{
    mpfr_ptr l = truth_number(1), y = truth_number(2);
    mpfr_set_d(l, a[2], RND);
    mpfr_mul_d(l, l, index, RND);
    if (a[0] == 1.0) { /* N(mu^2/2, mu^2): Phi(l s - 1/(2s)) */
        mpfr_mul_d(l, l, a[1], RND);
        mpfr_set_d(y, 0.5, RND);
        mpfr_div_d(y, y, a[1], RND);
        mpfr_sub(l, l, y, RND);
        truth_normal_cdf(out, l);
        return;
    }
    const int low = mpfr_cmp_d(l, -a[1]), high = mpfr_cmp_d(l, a[1]);
    mpfr_sub_d(y, l, a[1], RND); /* e^((l - t)/2)/2 between -t and t */
    mpfr_div_ui(y, y, 2, RND);
    mpfr_exp(out, y, RND);
    mpfr_div_ui(out, out, 2, RND);
    if (low < 0 || (low == 0 && !included)) mpfr_set_ui(out, 0, RND);
    if (high > 0 || (high == 0 && included)) mpfr_set_ui(out, 1, RND);
}

/* out <- delta at l = index h of one step, l of either sign */
static void curve_at(mpfr_ptr out, const double *a, double index)
{
    mpfr_ptr l = truth_number(1), y = truth_number(2), z = truth_number(3), e = truth_number(4);
    mpfr_set_d(l, a[2], RND);
    mpfr_mul_d(l, l, index, RND);
    if (a[0] == 1.0) { /* Phi(1/(2s) - l s) - e^l Phi(-1/(2s) - l s) */
        mpfr_mul_d(y, l, a[1], RND);
        mpfr_set_d(z, 0.5, RND);
        mpfr_div_d(z, z, a[1], RND);
        mpfr_sub(e, z, y, RND);
        mpfr_add(z, z, y, RND);
        mpfr_neg(z, z, RND);
        truth_normal_cdf(out, e);
        truth_normal_cdf(y, z);
        mpfr_exp(e, l, RND);
        mpfr_mul(y, y, e, RND);
        mpfr_sub(out, out, y, RND);
        return;
    }
    mpfr_set_ui(out, 0, RND);
    if (mpfr_cmp_d(l, a[1]) >= 0) return;
    mpfr_sub_d(y, l, a[1], RND);
    mpfr_div_ui(y, y, 2, RND);
    mpfr_expm1(out, mpfr_cmp_d(l, -a[1]) < 0 ? l : y, RND);
    mpfr_neg(out, out, RND);
}

static void pld_masses_truth(mpfr_t *out, const double *a)
{
    mpfr_ptr y = truth_number(5), z = truth_number(6), e = truth_number(7);
    const double i = a[4];
    if (a[3] == SIMDP_PLD_UP) { /* (i - 1) h < L <= i h */
        loss_cdf(out[0], a, i, true);
        loss_cdf(y, a, i - 1.0, true);
        mpfr_sub(out[0], out[0], y, RND);
    } else if (a[3] == SIMDP_PLD_DOWN) { /* i h <= L < (i + 1) h */
        loss_cdf(out[0], a, i + 1.0, false);
        loss_cdf(y, a, i, false);
        mpfr_sub(out[0], out[0], y, RND);
    } else { /* (d_(i+1) - d_i)/(e^h - 1) - (d_i - d_(i-1))/(1 - e^-h) */
        curve_at(y, a, i);
        curve_at(out[0], a, i + 1.0);
        curve_at(z, a, i - 1.0);
        mpfr_sub(out[0], out[0], y, RND);
        mpfr_sub(z, y, z, RND);
        mpfr_set_d(e, a[2], RND);
        mpfr_expm1(e, e, RND);
        mpfr_div(out[0], out[0], e, RND);
        mpfr_set_d(e, -a[2], RND);
        mpfr_expm1(e, e, RND);
        mpfr_div(z, z, e, RND);
        mpfr_add(out[0], out[0], z, RND);
    }
    mpfr_set_d(out[1], 1.0 + 1e-12, RND);
    mpfr_set(out[2], out[1], RND);
}

/* ---- grids: most, loss ---- */

static void draw_pld_grid(property_random *r, double *a)
{
    a[0] = fabs(property_number(r)), a[1] = fabs(property_number(r));
    if (property_chance(r, 0.5)) a[1] = a[0] * (double)(1 + property_below(r, 1000));
    if (property_chance(r, 0.3)) a[1] = property_nudge(r, a[1]);
    for (int i = 0; i < 2; i++) {
        if (!(a[i] > 0.0 && a[i] < INFINITY)) a[i] = 0.1;
    }
}
static simdp_status pld_grid(double *out, const double *a)
{
    out[0] = simdp_pld_grid(a[0], a[1]);
    return out[0] <= a[0] ? SIMDP_OK : SIMDP_EPARAM;
}
static void pld_grid_truth(mpfr_t *out,
                           const double *a) /* loss/ceil(loss/most), or one part less if that rounds to most */
{
    mpfr_ptr parts = truth_number(0), y = truth_number(1);
    mpfr_set_d(parts, a[1], RND);
    mpfr_div_d(parts, parts, a[0], RND);
    mpfr_ceil(parts, parts);
    mpfr_sub_ui(y, parts, 1, RND);
    mpfr_d_div(out[0], a[1], parts, RND);
    if (mpfr_sgn(y) > 0) {
        mpfr_d_div(y, a[1], y, RND);
        if (mpfr_get_d(y, RND) <= a[0] * (1.0 + 0x1p-52)) mpfr_set(out[0], y, RND);
    }
}

/* ---- planted defects ---- */

static simdp_status pld_delta_infinite_forgotten(double *out, const double *a)
{
    const simdp_status status = pld_delta(out, a);
    if (a[KIND] == PAIR) { /* what is missing counted as no loss */
        double sum = 0.0;
        for (int i = 0; i < (int)a[OUTCOMES]; i++) sum += a[P + i];
        out[1] = fmax(0.0, out[1] - a[TIMES] * fmax(0.0, 1.0 - sum));
    }
    return status;
}
static simdp_status pld_delta_nearest(double *out, const double *a)
{
    const simdp_status status = pld_delta(out, a);
    out[0] = out[1] = (out[0] + out[1]) / 2;
    return status;
}
static simdp_status pld_delta_old(double *out, const double *a) /* the second part is forgotten */
{
    double fewer[ARGUMENTS];
    for (int i = 0; i < ARGUMENTS; i++) fewer[i] = a[i];
    fewer[WAY] = 0.0;
    if (a[WAY] == 2.0) fewer[TIMES] = fmax(1.0, floor(a[TIMES] / 2));
    return pld_delta(out, fewer);
}
static simdp_status pld_epsilon_no_slack(double *out, const double *a) /* a little too small */
{
    const simdp_status status = pld_epsilon(out, a);
    simdp_pld *pld = NULL;
    out[1] *= 1.0 - 1e-11;
    if (status == SIMDP_OK && sequence(&pld, a) == SIMDP_OK) (void)!simdp_pld_delta(pld, NULL, &out[2], &out[1], 1);
    simdp_pld_destroy(pld);
    return status;
}
static simdp_status pld_masses_of_difference(double *out, const double *a) /* h - x where x is nearly h */
{
    const simdp_status status = pld_masses(out, a);
    const double t = a[1], h = a[2];
    if (a[0] == 0.0 && a[3] == SIMDP_PLD_DOWN && t < h && a[4] == -1.0) {
        const double x = h - t;
        out[0] = 0.5 * exp(-t) * (1.0 + expm1((h - x) / 2) * 1.0);
    }
    return status;
}

#define PLD_ROWS                                                                                         \
    PROPERTY(pld_masses, 5, 3, .draw = draw_pld_masses,                                                  \
             .rule = {{PROPERTY_NEAR, 1e-12, 1e-100}, BELOW(INFINITY), BELOW(INFINITY)}, .share = 0.05), \
        PROPERTY(pld_grid, 2, 1, .draw = draw_pld_grid, .rule = {NEAR(0x1p-51)})
#define PLD_PLANTED                                                                 \
    {"missing mass counted as no loss", "pld_delta", pld_delta_infinite_forgotten}, \
        {"the middle for both bounds", "pld_delta", pld_delta_nearest},             \
        {"the second part forgotten", "pld_delta", pld_delta_old},                  \
        {"epsilon a little too small", "pld_epsilon", pld_epsilon_no_slack},        \
    {                                                                               \
        "a difference that cancels", "pld_masses", pld_masses_of_difference         \
    }

#endif
