/* test_property_theory: concentration and typical stability against MPFR; property.h has the rules. */
#include "property/concentration_truth.h"
#include "property/typical_truth.h"

/* An upper bound may lie 32 units of the last place too high where it is subnormal. */
#define ABOVE_ALL(relative)                   \
    {                                         \
        PROPERTY_ABOVE, (relative), 0x1p-1069 \
    }

/* ---- concentration ---- */

static double draw_count(property_random *r) { return (double)property_count(r, INT64_MAX / 2); }

static void draw_range(property_random *r, double *low, double *high)
{
    const double x = property_number(r), y = property_chance(r, 0.3) ? property_nudge(r, x) : property_number(r);
    *low = fmax(-DBL_MAX, fmin(x, y)), *high = fmin(DBL_MAX, fmax(x, y));
    if (property_chance(r, 0.3)) *low = 0.0, *high = 1.0;
}

static void draw_hoeffding(property_random *r, double *a)
{
    a[0] = property_chance(r, 0.02) ? INFINITY : fabs(property_number(r)), a[1] = draw_count(r);
    draw_range(r, &a[2], &a[3]);
    if (property_chance(r, 0.6)) a[0] = (a[3] / 2 - a[2] / 2) * sqrt(a[1]) * property_log_uniform(r, 1e-3, 60);
    if (isnan(a[0])) a[0] = 0.0;
}
static simdp_status hoeffding(double *out, const double *a)
{
    simdp_theory_tail tail;
    const simdp_status status = simdp_theory_hoeffding(&tail, a[0], (int64_t)a[1], a[2], a[3]);
    out[0] = tail.log_tail, out[1] = tail.tail, out[2] = tail.tail_two_sided;
    return status;
}
/* a tail knows as much as its logarithm, 2^-48 of it */
static void tail_slack(mpfr_ptr out, mpfr_ptr log_tail, mpfr_ptr tail)
{
    if (!mpfr_number_p(log_tail)) return;
    for (int i = 0; i < 4; i++) truth_add_size(out, log_tail);
    mpfr_mul(out, out, tail, RND);
}
static void hoeffding_slack(mpfr_t *out, const double *a)
{
    mpfr_t t[3];
    for (int i = 0; i < 3; i++) mpfr_init2(t[i], PROPERTY_BITS);
    hoeffding_truth(t, a);
    tail_slack(out[1], t[0], t[1]);
    tail_slack(out[2], t[0], t[2]);
    for (int i = 0; i < 3; i++) mpfr_clear(t[i]);
}
static simdp_status hoeffding_nearest(double *out, const double *a)
{
    const simdp_status status = hoeffding(out, a);
    const double ratio = a[0] / ((a[3] - a[2]) * sqrt(a[1]));
    if (isfinite(ratio) && ratio > 0.0 && ratio < 1e100) out[0] = -2.0 * ratio * ratio;
    return status;
}

static void draw_hoeffding_deviation(property_random *r, double *a)
{
    a[0] = property_delta(r), a[1] = draw_count(r);
    draw_range(r, &a[2], &a[3]);
}
static simdp_status hoeffding_deviation(double *out, const double *a)
{
    return simdp_theory_hoeffding_deviation(&out[0], &out[1], a[0], (int64_t)a[1], a[2], a[3]);
}

static void draw_hoeffding_lemma(property_random *r, double *a)
{
    a[0] = fabs(property_number(r));
    draw_range(r, &a[1], &a[2]);
    a[3] = property_chance(r, 0.5) ? property_number(r) : -a[0] * (a[2] - a[1]) * (a[2] - a[1]) / 8; /* cancels */
    if (!isfinite(a[3])) a[3] = -DBL_MAX;
}
static simdp_status hoeffding_lemma(double *out, const double *a)
{
    return simdp_theory_hoeffding_lemma(out, a[0], a[1], a[2], a[3]);
}
static simdp_status hoeffding_lemma_overflowing(double *out, const double *a)
{
    const double spread = a[0] * (a[2] - a[1]), first = a[0] * a[3], second = spread * spread / 8;
    out[0] = isinf(second) ? INFINITY : fmax(-DBL_MAX, first + second) + 0x1p-51 * fmin(DBL_MAX, fabs(first) + second);
    return SIMDP_OK;
}

static void draw_azuma(property_random *r, double *a)
{
    a[0] = property_chance(r, 0.02)  ? INFINITY
           : property_chance(r, 0.1) ? fabs(property_number(r))
                                     : 40 * property_uniform(r);
    a[1] = draw_count(r), a[2] = property_number(r), a[3] = fabs(property_number(r));
    if (property_chance(r, 0.4)) a[2] = fmax(-DBL_MAX, -a[0] * a[3] / sqrt(a[1] + 1)); /* cancels */
    if (isnan(a[2])) a[2] = 0.0;
}
static simdp_status azuma(double *out, const double *a)
{
    simdp_theory_azuma_bound bound;
    const simdp_status status = simdp_theory_azuma(&bound, a[0], (int64_t)a[1], a[2], a[3]);
    out[0] = bound.threshold, out[1] = bound.log_tail, out[2] = bound.tail;
    return status;
}
static void azuma_all_slack(mpfr_t *out, const double *a)
{
    mpfr_t t[3];
    for (int i = 0; i < 3; i++) mpfr_init2(t[i], PROPERTY_BITS);
    azuma_truth(t, a);
    tail_slack(out[2], t[1], t[2]);
    for (int i = 0; i < 3; i++) mpfr_clear(t[i]);
    azuma_slack(out, a);
}
static void draw_azuma_threshold(property_random *r, double *a)
{
    draw_azuma(r, a);
    a[0] = property_delta(r);
}
static simdp_status azuma_threshold(double *out, const double *a)
{
    return simdp_theory_azuma_threshold(out, a[0], (int64_t)a[1], a[2], a[3]);
}

static void draw_polya(property_random *r, double *a)
{
    const int64_t most = (int64_t)1 << 50;
    a[0] = (double)property_count(r, most), a[1] = (double)property_count(r, most),
    a[2] = (double)property_count(r, most);
    if (a[0] + a[1] == 0.0) a[property_below(r, 2)] = 1.0;
    if (property_chance(r, 0.3)) a[2] = (double)(990 + property_below(r, 20)); /* where the sum changes its way */
    a[3] = property_chance(r, 0.9) ? 40 * property_uniform(r) : fabs(property_number(r));
}
static simdp_status polya(double *out, const double *a)
{
    simdp_theory_polya_bound bound;
    const simdp_status status = simdp_theory_polya(&bound, (int64_t)a[0], (int64_t)a[1], (int64_t)a[2], a[3]);
    out[0] = bound.mean, out[1] = bound.standard_deviation;
    out[2] = bound.threshold_printed, out[3] = bound.threshold_tight;
    return status;
}
static simdp_status polya_integral(double *out, const double *a) /* defect: the sum without its end corrections */
{
    const simdp_status status = polya(out, a);
    const double n = a[0] + a[1], x = n + 1.0, y = n + a[2] + 1.0;
    out[3] = 0.5 * a[3] * (n + a[2]) * sqrt((y - x) / (x * y)) * (1.0 + 0x1p-50);
    return status;
}

static void draw_exponential_tail(property_random *r, double *a)
{
    a[0] = property_chance(r, 0.02)  ? INFINITY
           : property_chance(r, 0.1) ? fabs(property_number(r))
                                     : property_epsilon(r);
    a[1] = draw_count(r);
    if (property_chance(r, 0.5) && a[1] > 0.0) /* around the end of 1, and the range of tails */
        a[0] = sqrt(64.0 / a[1] *
                    (property_chance(r, 0.5) ? 0.9907 + 1e-3 * property_uniform(r) : 750 * property_uniform(r)));
}
static simdp_status exponential_tail(double *out, const double *a)
{
    simdp_theory_exponential_tail_bound b;
    const simdp_status status = simdp_theory_exponential_tail(&b, a[0], (int64_t)a[1]);
    out[0] = b.x, out[1] = b.tail, out[2] = b.log_tail, out[3] = b.tail_mid, out[4] = b.tail_simple;
    out[5] = b.log_hoeffding;
    return b.tail <= b.tail_mid && b.tail_mid <= b.tail_simple ? status : SIMDP_EPARAM; /* in this order */
}
static void exponential_tail_slack(mpfr_t *out, const double *a) /* logarithms know 2^-48 of 1 + x */
{
    mpfr_t t[6];
    for (int i = 0; i < 6; i++) mpfr_init2(t[i], PROPERTY_BITS);
    exponential_tail_truth(t, a);
    mpfr_add_ui(t[0], t[0], 1, RND);
    if (mpfr_number_p(t[0])) {
        for (int i = 0; i < 4 && mpfr_sgn(t[2]) < 0; i++) truth_add_size(out[2], t[0]);
        tail_slack(out[1], t[0], t[1]);
        tail_slack(out[3], t[0], t[3]);
        tail_slack(out[4], t[0], t[4]);
    }
    for (int i = 0; i < 6; i++) mpfr_clear(t[i]);
}
static simdp_status exponential_tail_square_first(double *out, const double *a)
{
    const simdp_status status = exponential_tail(out, a);
    if (isfinite(a[0])) out[0] = a[0] * a[0] * a[1] / 64.0;
    return status;
}

static void draw_expected_maximum(property_random *r, double *a) { a[0] = draw_count(r), a[1] = draw_count(r); }
static simdp_status expected_maximum(double *out, const double *a)
{
    return simdp_theory_expected_maximum(out, (int64_t)a[0], (int64_t)a[1]);
}
static void draw_expected_column_maximum(property_random *r, double *a)
{
    a[0] = property_chance(r, 0.1) ? 0.0 : fabs(property_number(r)), a[1] = fmax(1.0, draw_count(r));
    a[2] = property_epsilon(r);
    if (property_chance(r, 0.1))
        a[2] = 700 + 760 * property_uniform(r), a[0] = property_log_uniform(r, 0x1p-1074, 1e-200);
}
static simdp_status expected_column_maximum(double *out, const double *a)
{
    return simdp_theory_expected_column_maximum(out, a[0], (int64_t)a[1], a[2]);
}
static simdp_status expected_column_maximum_overflowing(double *out, const double *a)
{
    out[0] = (a[0] == 0.0 ? 0.0 : exp(a[2]) * a[0]) + (a[1] == 1.0 ? 0.0 : 2.0 * log(a[1]) / a[2]);
    out[0] *= 1.0 + 0x1p-50;
    return SIMDP_OK;
}

#include "property/typical_rows.h"

static const property_row rows[] = {
    PROPERTY_OF(theory_hoeffding, hoeffding, 4, 3, .draw = draw_hoeffding,
                .rule = {ABOVE_ALL(0x1p-49), ABOVE_ALL(0x1p-50), ABOVE_ALL(0x1p-50)}, .slack = hoeffding_slack),
    PROPERTY_OF(theory_hoeffding_deviation, hoeffding_deviation, 4, 2, .draw = draw_hoeffding_deviation,
                .rule = {ABOVE_ALL(0x1p-49), ABOVE_ALL(0x1p-49)}),
    PROPERTY_OF(theory_hoeffding_lemma, hoeffding_lemma, 4, 1, .draw = draw_hoeffding_lemma,
                .rule = {ABOVE_ALL(0x1p-51)}, .slack = hoeffding_lemma_slack),
    PROPERTY_OF(theory_azuma, azuma, 4, 3, .draw = draw_azuma,
                .rule = {ABOVE_ALL(0x1p-51), ABOVE_ALL(0x1p-50), ABOVE_ALL(0x1p-50)}, .slack = azuma_all_slack),
    PROPERTY_OF(theory_azuma_threshold, azuma_threshold, 4, 1, .draw = draw_azuma_threshold,
                .rule = {ABOVE_ALL(0x1p-50)}, .slack = azuma_threshold_slack),
    PROPERTY_OF(theory_polya, polya, 4, 4, .draw = draw_polya,
                .rule = {NEAR(0x1p-51), NEAR(0x1p-50), ABOVE_ALL(0x1p-49), ABOVE_ALL(0x1p-48)}, .share = 0.2),
    PROPERTY_OF(theory_exponential_tail, exponential_tail, 2, 6, .draw = draw_exponential_tail,
                .rule = {NEAR(0x1p-50), ABOVE_ALL(0x1p-49), ABOVE_ALL(0x1p-50), ABOVE_ALL(0x1p-49), ABOVE_ALL(0x1p-49),
                         NEAR(0x1p-50)},
                .slack = exponential_tail_slack),
    PROPERTY_OF(theory_expected_maximum, expected_maximum, 2, 1, .draw = draw_expected_maximum,
                .rule = {ABOVE_ALL(0x1p-49)}),
    PROPERTY_OF(theory_expected_column_maximum, expected_column_maximum, 3, 1, .draw = draw_expected_column_maximum,
                .rule = {ABOVE_ALL(0x1p-48)}),
    TYPICAL_ROWS,
    {0},
};

static const property_planted planted[] = {
    {"rounded to nearest", "hoeffding", hoeffding_nearest},
    {"terms that overflow alone", "hoeffding_lemma", hoeffding_lemma_overflowing},
    {"an integral for the sum", "polya", polya_integral},
    {"epsilon^2 first", "exponential_tail", exponential_tail_square_first},
    {"e^eta first", "expected_column_maximum", expected_column_maximum_overflowing},
    TYPICAL_PLANTED,
    {0},
};

int main(int argc, char **argv) { return property_main(argc, argv, rows, planted); }
