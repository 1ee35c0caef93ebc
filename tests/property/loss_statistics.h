/* loss_statistics.h: rows of statistics of losses, whose exact values MPFR knows, and of confidence intervals. */
#ifndef SIMDP_PROPERTY_LOSS_STATISTICS_H
#define SIMDP_PROPERTY_LOSS_STATISTICS_H

#include <float.h>
#include <math.h>

#include "property/property.h"

/* ---- data: a = seed, n, kind, offset, spread, and what a row needs beside them ---- */

enum { DATA_SIZE = 5, DATA_MOST = 700, DATA_BITS = 2400 };
typedef struct {
    double x[DATA_MOST], least, most;
    size_t n;
} loss_data;

static void draw_data_of(property_random *r, double *a, size_t most, double offset)
{
    static const double offsets[] = {0, 0, 0.1, 1, -1, 1e3, 1e15, 1e16, -1e12, 300};
    a[0] = (double)(property_word(r) >> 20);
    a[1] = (double)(1 + property_below(r, most));
    a[2] = (double)property_below(r, 5);
    a[3] = offset > 0.0 ? offset * (property_uniform(r) - 0.5) : offsets[property_below(r, 10)];
    a[4] = property_chance(r, 0.7) ? property_log_uniform(r, 0.01, 30) : property_log_uniform(r, 1e-12, 1e6);
}

static void draw_data(property_random *r, double *a)
{
    draw_data_of(r, a, property_chance(r, 0.3) ? DATA_MOST : 40, 0.0);
    if (property_chance(r, 0.02)) a[3] = 0.0, a[4] = 1.7e308;
}

static loss_data data_of(const double *a)
{
    loss_data d = {.n = (size_t)a[1], .least = INFINITY, .most = -INFINITY};
    property_random r = {(uint64_t)a[0]};
    for (size_t i = 0; i < d.n; i++) {
        const double u = property_uniform(&r);
        double x = a[2] == 0   ? 0.0
                   : a[2] == 1 ? 2.0 * u - 1.0
                   : a[2] == 2 ? (u < 0.5 ? 1.0 : -1.0)
                   : a[2] == 3 ? log(u) / 40.0
                               : (u < 0.02);
        x = a[3] + a[4] * x;
        d.x[i] = isfinite(x) ? x : DBL_MAX;
        d.least = fmin(d.least, d.x[i]);
        d.most = fmax(d.most, d.x[i]);
    }
    return d;
}

static simdp_status statistics_of(simdp_loss_statistics *s, const loss_data *d, const simdp_loss_statistics_plan *plan)
{
    const simdp_status status = simdp_loss_statistics_init(s, plan);
    return status == SIMDP_OK ? simdp_loss_statistics_update(s, d->x, d->n) : status;
}

/* mean, and the mean of |x - mean|^power */
static void exact_mean(mpfr_ptr mean, const loss_data *d)
{
    mpfr_set_ui(mean, 0, MPFR_RNDN);
    for (size_t i = 0; i < d->n; i++) mpfr_add_d(mean, mean, d->x[i], MPFR_RNDN);
    mpfr_div_ui(mean, mean, d->n, MPFR_RNDN);
}
static void exact_spread(mpfr_ptr out, mpfr_srcptr mean, const loss_data *d, unsigned power)
{
    mpfr_t x;
    mpfr_init2(x, DATA_BITS);
    mpfr_set_ui(out, 0, MPFR_RNDN);
    for (size_t i = 0; i < d->n; i++) {
        mpfr_d_sub(x, d->x[i], mean, MPFR_RNDN);
        mpfr_abs(x, x, MPFR_RNDN);
        if (power == 2) mpfr_sqr(x, x, MPFR_RNDN);
        mpfr_add(out, out, x, MPFR_RNDN);
    }
    mpfr_div_ui(out, out, d->n, MPFR_RNDN);
    mpfr_clear(x);
}

/* ---- summary: mean, variance, least, most, beyond ---- */

static simdp_status loss_statistics_summary(double *out, const double *a)
{
    const loss_data d = data_of(a);
    simdp_loss_statistics s;
    simdp_loss_summary summary;
    simdp_status status = statistics_of(&s, &d, NULL);
    if (status == SIMDP_OK) status = simdp_loss_statistics_summary(&s, &summary, a[5]);
    out[0] = summary.mean.value;
    out[1] = summary.variance.value;
    out[2] = summary.least;
    out[3] = summary.most;
    out[4] = summary.beyond;
    return status;
}

static void draw_summary(property_random *r, double *a)
{
    draw_data(r, a);
    a[5] = fmax(0x1p-1000, property_delta_open(r));
}

static void loss_statistics_summary_truth(mpfr_t *out, const double *a)
{
    const loss_data d = data_of(a);
    mpfr_t mean, spread;
    mpfr_inits2(DATA_BITS, mean, spread, (mpfr_ptr)0);
    exact_mean(mean, &d);
    exact_spread(spread, mean, &d, 2);
    mpfr_set(out[0], mean, MPFR_RNDN);
    mpfr_mul_ui(spread, spread, d.n, MPFR_RNDN);
    mpfr_set(out[1], spread, MPFR_RNDN);
    if (d.n > 1) mpfr_div_ui(out[1], out[1], d.n - 1, MPFR_RNDN);
    else mpfr_set_nan(out[1]);
    mpfr_set_d(out[2], d.least, MPFR_RNDN);
    mpfr_set_d(out[3], d.most, MPFR_RNDN);
    mpfr_set_d(out[4], a[5], MPFR_RNDN);
    mpfr_log(out[4], out[4], MPFR_RNDN);
    mpfr_div_ui(out[4], out[4], d.n, MPFR_RNDN);
    mpfr_expm1(out[4], out[4], MPFR_RNDN);
    mpfr_neg(out[4], out[4], MPFR_RNDN);
    mpfr_clears(mean, spread, (mpfr_ptr)0);
}

static void summary_slack(mpfr_t *out, const double *a)
{
    const loss_data d = data_of(a);
    mpfr_t mean, spread;
    mpfr_inits2(DATA_BITS, mean, spread, (mpfr_ptr)0);
    exact_mean(mean, &d);
    exact_spread(spread, mean, &d, 1);
    mpfr_mul_d(out[0], spread, 0x1p-46, MPFR_RNDN);
    mpfr_add_d(out[0], out[0], 0x1p-1000, MPFR_RNDN);
    mpfr_clears(mean, spread, (mpfr_ptr)0);
}

/* ---- Renyi divergences: a[5] = order, a[6] = error; value and half width ---- */

static void draw_statistics_renyi(property_random *r, double *a)
{
    draw_data_of(r, a, property_chance(r, 0.03) ? 400 : 30, 0.0);
    a[5] = fmin(1e6, property_order(r));
    if (a[5] == 1.0) a[5] = 1.0 + 0x1p-52;
    a[6] = fmax(0x1p-1000, property_delta_open(r));
    if (property_chance(r, 0.02)) a[3] = 0.0, a[4] = 1e305;
}

static simdp_status loss_statistics_renyi(double *out, const double *a)
{
    const loss_data d = data_of(a);
    const simdp_loss_statistics_plan plan = {.order = a + 5, .orders = 1};
    simdp_loss_statistics s;
    simdp_loss_estimate e = {0};
    simdp_status status = statistics_of(&s, &d, &plan);
    if (status == SIMDP_OK) status = simdp_loss_statistics_renyi(&s, &e, a[6]);
    out[0] = e.value;
    out[1] = e.low;
    out[2] = e.high;
    return status;
}

/* ln(mean e^(f x))/f, and the square root of (mean e^(2 f x)/(mean e^(f x))^2 - 1)/n, over |f|: the deviation */
static void exact_renyi_data(mpfr_ptr value, mpfr_ptr deviation, const loss_data *d, double order)
{
    const double top = order > 1.0 ? d->most : d->least;
    mpfr_t f, x, first, second;
    mpfr_inits2(DATA_BITS, f, x, (mpfr_ptr)0);
    mpfr_inits2(PROPERTY_BITS, first, second, (mpfr_ptr)0);
    mpfr_set_d(f, order, MPFR_RNDN);
    mpfr_sub_ui(f, f, 1, MPFR_RNDN);
    mpfr_set_ui(first, 0, MPFR_RNDN);
    mpfr_set_ui(second, 0, MPFR_RNDN);
    for (size_t i = 0; i < d->n; i++) { /* e^(f (x - top)) - 1, since the sums of e are nearly 1 near order 1 */
        mpfr_set_d(x, d->x[i], MPFR_RNDN);
        mpfr_sub_d(x, x, top, MPFR_RNDN);
        mpfr_mul(x, x, f, MPFR_RNDN);
        mpfr_set_prec(value, PROPERTY_BITS);
        mpfr_expm1(value, x, MPFR_RNDN);
        mpfr_add(first, first, value, MPFR_RNDN);
        mpfr_sqr(value, value, MPFR_RNDN);
        mpfr_add(second, second, value, MPFR_RNDN);
    }
    mpfr_div_ui(first, first, d->n, MPFR_RNDN);   /* mean - 1 */
    mpfr_div_ui(second, second, d->n, MPFR_RNDN); /* mean of (e - 1)^2 */
    mpfr_sqr(deviation, first, MPFR_RNDN);
    mpfr_sub(deviation, second, deviation, MPFR_RNDN);
    if (mpfr_sgn(deviation) < 0) mpfr_set_ui(deviation, 0, MPFR_RNDN);
    mpfr_div_ui(deviation, deviation, d->n, MPFR_RNDN);
    mpfr_sqrt(deviation, deviation, MPFR_RNDN);
    mpfr_log1p(value, first, MPFR_RNDN);
    mpfr_add_ui(first, first, 1, MPFR_RNDN);
    mpfr_div(deviation, deviation, first, MPFR_RNDN);
    mpfr_div(value, value, f, MPFR_RNDN);
    mpfr_add_d(value, value, top, MPFR_RNDN);
    mpfr_abs(f, f, MPFR_RNDN);
    mpfr_div(deviation, deviation, f, MPFR_RNDN);
    mpfr_clears(f, x, first, second, (mpfr_ptr)0);
}

/* z with P[|N| > z] = error: from the library's own quantile, whose error is far below the per cent that is allowed */
static double normal_width(double error)
{
    double z, p = 0.5 * error;
    return simdp_noise_quantile(&z, &p, 1, SIMDP_MECHANISM_GAUSSIAN, 1.0) == SIMDP_OK ? -z : NAN;
}

static mpfr_t renyi_width;
static bool renyi_width_open;
static void loss_statistics_renyi_truth(mpfr_t *out, const double *a)
{
    const loss_data d = data_of(a);
    if (!renyi_width_open) mpfr_init2(renyi_width, PROPERTY_BITS);
    renyi_width_open = true;
    exact_renyi_data(out[0], renyi_width, &d, a[5]);
    mpfr_mul_d(renyi_width, renyi_width, normal_width(a[6]), MPFR_RNDN);
    mpfr_sub(out[1], out[0], renyi_width, MPFR_RNDN);
    mpfr_add(out[2], out[0], renyi_width, MPFR_RNDN);
}

static void statistics_renyi_slack(mpfr_t *out, const double *a)
{
    const loss_data d = data_of(a);
    mpfr_set_d(out[0], d.most, MPFR_RNDN);
    mpfr_sub_d(out[0], out[0], d.least, MPFR_RNDN);
    mpfr_mul_d(out[0], out[0], 0x1p-38, MPFR_RNDN);
    mpfr_add_d(out[0], out[0], 0x1p-52 * fmax(fabs(d.least), fabs(d.most)), MPFR_RNDN);
    for (int end = 1; end < 3; end++) {
        mpfr_mul_d(out[end], renyi_width, 0.01, MPFR_RNDN);
        mpfr_add(out[end], out[end], out[0], MPFR_RNDN);
        mpfr_add_d(out[end], out[end], 1e-12 * (d.most - d.least), MPFR_RNDN);
    }
}

/* ---- tails and deltas: a[5] = epsilon, a[6] = error ---- */

static void draw_deltas(property_random *r, double *a)
{
    draw_data_of(r, a, 30, 40.0);
    const loss_data d = data_of(a);
    const double e = property_chance(r, 0.5) ? property_nudge(r, d.x[property_below(r, d.n)]) : property_epsilon(r);
    a[5] = fmin(1000.0, fmax(0.0, e));
    a[6] = fmax(0x1p-1000, property_delta_open(r));
}

static simdp_status loss_statistics_deltas(double *out, const double *a)
{
    const loss_data d = data_of(a);
    const double epsilon[2] = {a[5], 1000.0 - a[5]};
    const simdp_loss_statistics_plan plan = {.epsilon = epsilon, .epsilons = 2, .deltas = 1};
    simdp_loss_statistics s;
    simdp_loss_estimate e[2];
    simdp_status status = statistics_of(&s, &d, &plan);
    if (status == SIMDP_OK) status = simdp_loss_statistics_deltas(&s, e, a[6]);
    out[0] = e[0].value;
    return status;
}

/* the mean of max(0, 1 - e^(epsilon - x)) */
static void loss_statistics_deltas_truth(mpfr_t *out, const double *a)
{
    const loss_data d = data_of(a);
    mpfr_t x;
    mpfr_init2(x, PROPERTY_BITS);
    mpfr_set_ui(out[0], 0, MPFR_RNDN);
    for (size_t i = 0; i < d.n; i++) {
        mpfr_set_d(x, a[5], MPFR_RNDN);
        mpfr_sub_d(x, x, d.x[i], MPFR_RNDN);
        mpfr_expm1(x, x, MPFR_RNDN);
        if (mpfr_sgn(x) < 0) mpfr_sub(out[0], out[0], x, MPFR_RNDN);
    }
    mpfr_div_ui(out[0], out[0], d.n, MPFR_RNDN);
    mpfr_clear(x);
}

static simdp_status loss_statistics_tails(double *out, const double *a)
{
    const loss_data d = data_of(a);
    const simdp_loss_statistics_plan plan = {.epsilon = a + 5, .epsilons = 1};
    simdp_loss_statistics s;
    simdp_loss_estimate e = {0};
    simdp_status status = statistics_of(&s, &d, &plan);
    if (status == SIMDP_OK) status = simdp_loss_statistics_tails(&s, &e, a[6]);
    out[0] = e.value;
    return status;
}

static void loss_statistics_tails_truth(mpfr_t *out, const double *a)
{
    const loss_data d = data_of(a);
    unsigned long above = 0;
    for (size_t i = 0; i < d.n; i++) above += d.x[i] > a[5];
    mpfr_set_ui(out[0], above, MPFR_RNDN);
    mpfr_div_ui(out[0], out[0], d.n, MPFR_RNDN);
}

/* ---- quantiles: a[5] = p, a[6] = error; BINS bins over the middle half of the range ---- */

enum { BINS = 16 };

static void draw_quantiles(property_random *r, double *a)
{
    draw_data_of(r, a, 300, 0.0);
    a[4] = fmax(a[4], 1e-10 * fabs(a[3]));
    a[5] = property_chance(r, 0.3) ? (double)property_below(r, 5) / 4.0 : property_uniform(r);
    a[6] = fmax(0x1p-1000, property_delta_open(r));
}

static simdp_loss_statistics_plan quantile_plan(const double *a, uint64_t *counts)
{
    return (simdp_loss_statistics_plan){
        .counts = counts, .bins = BINS, .low = a[3] - 0.5 * a[4], .high = a[3] + 0.5 * a[4]};
}

static simdp_status loss_statistics_quantiles(double *out, const double *a)
{
    const loss_data d = data_of(a);
    uint64_t counts[BINS + 2];
    const simdp_loss_statistics_plan plan = quantile_plan(a, counts);
    simdp_loss_statistics s;
    simdp_loss_estimate e = {0};
    simdp_status status = statistics_of(&s, &d, &plan);
    if (status == SIMDP_OK) status = simdp_loss_statistics_quantiles(&s, &e, a + 5, 1, a[6]);
    out[0] = e.low;
    out[1] = e.high;
    /* value: whether it lies in the bin, or beside the bins, of the loss of this rank */
    out[2] = e.value;
    return status;
}

static double edge_of(const simdp_loss_statistics_plan *plan, size_t k)
{
    return k == BINS ? plan->high : plan->low + (double)k * ((plan->high - plan->low) / BINS);
}

/* the slot of the histogram that holds the loss of rank ceil(goal), at least 1 */
static size_t slot_at(const loss_data *d, const simdp_loss_statistics_plan *plan, mpfr_srcptr goal)
{
    uint64_t below = 0;
    for (size_t k = 0; k <= BINS + 1; k++) {
        uint64_t here = 0;
        for (size_t i = 0; i < d->n; i++)
            here += (k > BINS || d->x[i] <= edge_of(plan, k)) && (k == 0 || d->x[i] > edge_of(plan, k - 1));
        below += here;
        if (here > 0 && mpfr_cmp_ui(goal, below) <= 0) return k;
    }
    return BINS + 1;
}

static void loss_statistics_quantiles_truth(mpfr_t *out, const double *a)
{
    const loss_data d = data_of(a);
    const simdp_loss_statistics_plan plan = quantile_plan(a, NULL);
    mpfr_t band, goal;
    mpfr_inits2(PROPERTY_BITS, band, goal, (mpfr_ptr)0);
    mpfr_set_d(band, a[6], MPFR_RNDN);
    mpfr_ui_div(band, 2, band, MPFR_RNDN);
    mpfr_log(band, band, MPFR_RNDN);
    mpfr_div_ui(band, band, 2 * d.n, MPFR_RNDN);
    mpfr_sqrt(band, band, MPFR_RNDN);
    for (int side = 0; side < 2; side++) {
        if (side == 0) mpfr_d_sub(goal, a[5], band, MPFR_RNDN);
        else mpfr_add_d(goal, band, a[5], MPFR_RNDN);
        const bool outside = side == 0 ? mpfr_sgn(goal) <= 0 : mpfr_cmp_ui(goal, 1) >= 0;
        mpfr_mul_ui(goal, goal, d.n, MPFR_RNDN);
        const size_t k = outside ? (side == 0 ? 0 : BINS + 1) : slot_at(&d, &plan, goal);
        if (side == 0 ? k == 0 : k > BINS) mpfr_set_inf(out[side], side == 0 ? -1 : 1);
        else mpfr_set_d(out[side], edge_of(&plan, side == 0 ? k - 1 : k), MPFR_RNDN);
    }
    mpfr_set_d(goal, a[5], MPFR_RNDN);
    mpfr_mul_ui(goal, goal, d.n, MPFR_RNDN);
    const size_t k = slot_at(&d, &plan, goal); /* the middle of the bin, or the nearest edge */
    mpfr_set_d(out[2],
               k == 0     ? plan.low
               : k > BINS ? plan.high
                          : 0.5 * edge_of(&plan, k - 1) + 0.5 * edge_of(&plan, k),
               MPFR_RNDN);
    mpfr_clears(band, goal, (mpfr_ptr)0);
}

static void quantiles_slack(mpfr_t *out, const double *a)
{
    const simdp_loss_statistics_plan plan = quantile_plan(a, NULL);
    mpfr_set_d(out[2], (plan.high - plan.low) / BINS * 0.51, MPFR_RNDN);
    mpfr_add_d(out[2], out[2], 0x1p-50 * fabs(a[3]), MPFR_RNDN);
}

/* ---- planted ---- */

/* defects: the logarithm of a mean close to 1, and a plain mean and variance */
static simdp_status renyi_by_logarithm(double *out, const double *a)
{
    const loss_data d = data_of(a);
    const simdp_status status = loss_statistics_renyi(out, a);
    const double f = a[5] - 1.0, top = f > 0.0 ? d.most : d.least;
    double sum = 0.0;
    for (size_t i = 0; i < d.n; i++) sum += exp(f * (d.x[i] - top));
    out[0] = top + log(sum / (double)d.n) / f;
    return status;
}

static simdp_status plain_summary(double *out, const double *a)
{
    const loss_data d = data_of(a);
    const simdp_status status = loss_statistics_summary(out, a);
    double sum = 0.0, squares = 0.0;
    for (size_t i = 0; i < d.n; i++) sum += d.x[i];
    for (size_t i = 0; i < d.n; i++) squares += (d.x[i] - sum / (double)d.n) * (d.x[i] - sum / (double)d.n);
    out[0] = sum / (double)d.n;
    if (d.n > 1) out[1] = squares / (double)(d.n - 1);
    return status;
}

#endif
