/* select_law.c: the exponential mechanism in closed form: scale, accuracy, probabilities. */
#include <math.h>

#include "call/forms.h"
#include "call/fp_mode.h"
#include "math/outward.h"
#include "math/plain_math.h"
#include "math/sum.h"
#include "simdp/simdp.h"

double simdp_select_scale(double epsilon, double sensitivity, int monotonic)
{
    FP_MODE_SCOPE();
    FP_PIN(epsilon);
    FP_PIN(sensitivity);
    if (!(epsilon >= 0) || !(sensitivity > 0) || isinf(sensitivity)) return NAN;
    if (isinf(epsilon)) return 0;
    if (epsilon == 0) return INFINITY;
    double scale = div_up(sensitivity, epsilon);
    if (!monotonic) scale *= 2;
    FP_PIN(scale);
    return scale;
}

static simdp_status gap_of(double *gap, double n, double scale, double beta)
{
    FP_MODE_SCOPE();
    FP_PIN(n);
    FP_PIN(scale);
    FP_PIN(beta);
    if (gap == NULL) return SIMDP_ENULL;
    *gap = NAN;
    if (!(n >= 1) || !(scale >= 0) || !(beta >= 0 && beta <= 1)) return SIMDP_EPARAM;
    const double log_all = plain_log(n) + (beta == 1 ? 0 : -plain_log(beta));
    const double value = log_all == 0 || scale == 0 ? 0 : scale * log_all; /* 0 inf is 0: a certain outcome */
    /* 2 units of 2^-53 of each logarithm, of the same sign, 1 of their sum, 1 of the product; or its underflow */
    *gap = value == 0 && (log_all == 0 || scale == 0) ? 0 : outward_up(value, 0x1p-51 * value + 0x1p-1074);
    return SIMDP_OK;
}

simdp_status simdp_select_gap_mean(double *gap, double n, double scale) { return gap_of(gap, n, scale, 1); }

simdp_status simdp_select_gap_tail(double *gap, double n, double scale, double beta)
{
    return gap_of(gap, n, scale, beta);
}

/* ---- the law ---- */

/* The candidate that is chosen with probability 1, if there is one; else n. *top: the largest score. */
static size_t certain(const double *scores, size_t n, double scale, double *top)
{
    size_t best = 0;
    *top = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        if (scores[i] > *top) *top = scores[i], best = i;
    }
    return isinf(*top) || scale == 0 ? best : n;
}

/* ln p is log_weight - log_total. Where score - top overflows, it is computed from halves. */
static double log_weight(double score, double top, double scale)
{
    const double below = score - top;
    if (!(score > -INFINITY)) return -INFINITY;
    return below > -INFINITY ? below / scale : (0.5 * score - 0.5 * top) / scale * 2;
}

static double log_total(const double *scores, size_t n, double top, double scale)
{
    simdp_sum total = {0, 0};
    for (size_t i = 0; i < n; i++) sum_add(&total, plain_exp(log_weight(scores[i], top, scale)));
    return plain_log(total.sum) + total.lost / total.sum;
}

enum { LAW_P, LAW_LOG_P, LAW_MEAN };

/* top + mean of (score - top): around the best score, so that nothing cancels. A quarter of it, as score - top may
 * overflow; where a quarter is subnormal, all is below 2^-1020. */
static double mean_of(const double *scores, size_t n, double scale, double top, double total)
{
    simdp_sum mean = {0, 0};
    double least = top;
    for (size_t i = 0; i < n; i++) {
        const double p = plain_exp(log_weight(scores[i], top, scale) - total);
        if (p == 0) continue;
        sum_add(&mean, p * (0.25 * scores[i] - 0.25 * top));
        least = fmin(least, scores[i]);
    }
    /* rounding must not leave the range of the scores */
    return fmin(top, fmax(least, 4 * (0.25 * top + sum_value(&mean))));
}

static void row_of(int what, double *out, const double *scores, size_t n, double scale)
{
    double top;
    const size_t only = certain(scores, n, scale, &top);
    if (only < n) {
        if (what == LAW_MEAN) *out = scores[only];
        for (size_t i = 0; what != LAW_MEAN && i < n; i++)
            out[i] = what == LAW_P ? i == only : i == only ? 0 : -INFINITY;
        return;
    }
    const double total = log_total(scores, n, top, scale);
    if (what == LAW_MEAN) {
        *out = mean_of(scores, n, scale, top, total);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        const double log_p = log_weight(scores[i], top, scale) - total;
        out[i] = what == LAW_P ? plain_exp(log_p) : log_p;
    }
}

static simdp_status law_of(int what, double *out, const double *scores, size_t rows, size_t n, double scale)
{
    const simdp_status status = FORMS_GATE(rows, FORM_ARRAY(out), FORM_ARRAY(scores));
    if (status != SIMDP_OK || rows == 0) return status;
    if (n == 0 || rows > SIZE_MAX / sizeof(double) / n) return SIMDP_EPARAM;
    FP_MODE_SCOPE();
    FP_PIN(scale);
    if (!(scale == 0 || (scale >= SIMDP_NOISE_SCALE_MIN && scale <= SIMDP_NOISE_SCALE_MAX) || scale == INFINITY)) {
        const size_t all = what == LAW_MEAN ? rows : rows * n;
        for (size_t i = 0; i < all; i++) out[i] = NAN;
        return SIMDP_EPARAM;
    }
    for (size_t r = 0; r < rows; r++) row_of(what, what == LAW_MEAN ? out + r : out + r * n, scores + r * n, n, scale);
    return SIMDP_OK;
}

simdp_status simdp_select_probabilities(double *p, const double *scores, size_t rows, size_t n, double scale)
{
    return law_of(LAW_P, p, scores, rows, n, scale);
}

simdp_status simdp_select_log_probabilities(double *log_p, const double *scores, size_t rows, size_t n, double scale)
{
    return law_of(LAW_LOG_P, log_p, scores, rows, n, scale);
}

simdp_status simdp_select_expected_score(double *mean, const double *scores, size_t rows, size_t n, double scale)
{
    return law_of(LAW_MEAN, mean, scores, rows, n, scale);
}
