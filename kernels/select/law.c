/* law.c: the exponential mechanism in closed form: scale, accuracy, probabilities. */
#include <math.h>

#include "math/forms.h"
#include "noise/fp_mode.h"
#include "simdp/simdp.h"

double simdp_select_scale(double epsilon, double sensitivity, int monotonic)
{
    FP_MODE_SCOPE();
    FP_PIN(epsilon); FP_PIN(sensitivity);
    if (!(epsilon >= 0) || !(sensitivity > 0) || isinf(sensitivity)) return NAN;
    if (isinf(epsilon)) return 0;
    if (epsilon == 0) return INFINITY;
    const double top = monotonic ? sensitivity : 2 * sensitivity;   /* exact, or inf */
    double scale = top / epsilon;
    if (scale < INFINITY && fma(scale, epsilon, -top) < 0) scale = nextafter(scale, INFINITY);
    FP_PIN(scale);
    return scale;
}

static simdp_status gap_of(double *gap, double n, double scale, double beta)
{
    FP_MODE_SCOPE();
    FP_PIN(n); FP_PIN(scale); FP_PIN(beta);
    if (gap == NULL) return SIMDP_ENULL;
    *gap = NAN;
    if (!(n >= 1) || !(scale >= 0) || !(beta >= 0 && beta <= 1)) return SIMDP_EPARAM;
    const double log_all = log(n) + (beta == 1 ? 0 : -log(beta));
    *gap = log_all == 0 || scale == 0 ? 0 : scale * log_all;   /* 0 inf is 0: a certain outcome */
    return SIMDP_OK;
}

simdp_status simdp_select_gap_mean(double *gap, double n, double scale) { return gap_of(gap, n, scale, 1); }

simdp_status simdp_select_gap_tail(double *gap, double n, double scale, double beta)
{
    return gap_of(gap, n, scale, beta);
}

/* ---- the law ---- */

/* Sums in two parts: the error of each addition goes along. */
typedef struct { double sum, error; } long_sum;

static void add(long_sum *s, double x)
{
    const double t = s->sum + x;
    s->error += fabs(s->sum) >= fabs(x) ? (s->sum - t) + x : (x - t) + s->sum;
    s->sum = t;
}

/* Where one candidate is certain, that one; else n. */
static size_t certain(const double *scores, size_t n, double scale, double *top)
{
    size_t best = 0;
    *top = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        if (scores[i] > *top) *top = scores[i], best = i;
    }
    return isinf(*top) || scale == 0 ? best : n;
}

/* exp(log_weight) sums to 1 with exp(-log_total) */
static double log_weight(double score, double top, double scale)
{
    return score > -INFINITY ? (score - top) / scale : -INFINITY;
}

static double log_total(const double *scores, size_t n, double top, double scale)
{
    long_sum total = {0, 0};
    for (size_t i = 0; i < n; i++) add(&total, exp(log_weight(scores[i], top, scale)));
    return log(total.sum) + total.error / total.sum;
}

enum { LAW_P, LAW_LOG_P, LAW_MEAN };

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
    long_sum mean = {0, 0};
    for (size_t i = 0; i < n; i++) {
        const double log_p = log_weight(scores[i], top, scale) - total;
        if (what == LAW_LOG_P) out[i] = log_p;
        else if (what == LAW_P) out[i] = exp(log_p);
        /* around the best score: no cancellation */
        else if (log_p > -INFINITY) add(&mean, exp(log_p) * (scores[i] - top));
    }
    if (what == LAW_MEAN) *out = top + (mean.sum + mean.error);
}

static simdp_status law_of(int what, double *out, const double *scores, size_t rows, size_t n, double scale)
{
    const simdp_status status = FORMS_GATE(rows, FORM_ARRAY(out), FORM_ARRAY(scores));
    if (status != SIMDP_OK || rows == 0) return status;
    if (n == 0 || rows > SIZE_MAX / sizeof(double) / n) return SIMDP_EPARAM;
    FP_MODE_SCOPE();
    FP_PIN(scale);
    if (!(scale == 0 || (scale >= SIMDP_SCALE_MIN && scale <= SIMDP_SCALE_MAX) || scale == INFINITY)) {
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
