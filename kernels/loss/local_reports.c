/* local_reports.c: reports of single people: probabilities, promises of unary encoding in one stage and in two, and
 * counts of true values estimated from counts of reports. */
#include "call/forms.h"
#include "loss/intervals.h"
#include "math/outward.h"
#include "math/plain_math.h"

/* ---- one value among k ---- */

/* e^epsilon / (e^epsilon + k - 1) and 1 / (e^epsilon + k - 1): 4 and 5 units of 2^-53 */
static void k_response_law(double *keep, double *other, double epsilon, uint32_t k)
{
    const double e = plain_exp(-epsilon), sum = 1.0 + (double)(k - 1) * e;
    *keep = 1.0 / sum;
    *other = e / sum;
}

static bool k_response_probabilities(double *keep, double *other, double epsilon, uint32_t k)
{
    const bool good = k > 0 && epsilon >= 0.0;
    *keep = *other = NAN;
    if (good) k_response_law(keep, other, epsilon, k);
    return good;
}

simdp_status simdp_loss_k_response_probabilities(double *keep, double *other, const double *epsilon, size_t n,
                                                 uint32_t k)
{
    FORMS_EACH(n, k_response_probabilities(&keep[i], &other[i], epsilon[i], k), FORM_ARRAY(keep), FORM_ARRAY(other),
               FORM_ARRAY(epsilon));
}

/* ---- unary encoding ---- */

/* 1 / (1 + e^-x): 2 units of 2^-53 */
static double logistic(double x)
{
    const double e = plain_exp(-fabs(x));
    return (x < 0.0 ? e : 1.0) / (1.0 + e);
}

/* its logarithm: 3 units of 2^-53 */
static double log_logistic(double x) { return fmin(x, 0.0) - plain_log1p(plain_exp(-fabs(x))); }

/* ln(e^a + e^b); one of them is finite */
static double log_of_sum(double a, double b) { return fmax(a, b) + plain_log1p(plain_exp(-fabs(a - b))); }

/* |one - zero|, rounded up */
static double promise_of(double one, double zero)
{
    if (!isfinite(one) || !isfinite(zero)) return NAN;
    return add_up(fmax(one, zero), -fmin(one, zero));
}

simdp_status simdp_loss_unary_epsilon(double *epsilon, const double *log_odds_one, const double *log_odds_zero,
                                      size_t n)
{
    FORMS_EACH(n, form_is_number(epsilon[i] = promise_of(log_odds_one[i], log_odds_zero[i])), FORM_ARRAY(epsilon),
               FORM_ARRAY(log_odds_one), FORM_ARRAY(log_odds_zero));
}

/* One bit alone. With d = |one - zero|, the larger one of the two log ratios is ln(1 + s (e^d - 1)), s the larger one
 * of P[0] where ones are likelier and P[1] where they are less likely: s = 1 / (1 + e^-l). For small d as it stands,
 * with an error below 12 units of 2^-53; else as d + ln(s + (1 - s) e^-d), with one of a few units of each term. */
static double bit_promise_of(double one, double zero)
{
    const double d = promise_of(one, zero), l = fmax(-fmax(one, zero), fmin(one, zero));
    if (isnan(d) || d == 0.0) return d;
    if (d < 1.0) {
        const double value = plain_log1p(logistic(l) * plain_expm1(d));
        return fmin(d, outward_up(value, 0x1p-48 * value + 0x1p-1074));
    }
    const double inner = log_of_sum(log_logistic(l), log_logistic(-l) - d);
    return fmin(d, outward_up(fmax(d + inner, 0.0), 0x1p-48 * (1.0 + d + fabs(inner))));
}

simdp_status simdp_loss_unary_bit_epsilon(double *epsilon, const double *log_odds_one, const double *log_odds_zero,
                                          size_t n)
{
    FORMS_EACH(n, form_is_number(epsilon[i] = bit_promise_of(log_odds_one[i], log_odds_zero[i])), FORM_ARRAY(epsilon),
               FORM_ARRAY(log_odds_one), FORM_ARRAY(log_odds_zero));
}

/* ---- two stages ---- */

/* The log-odds of a 1 that the second stage makes of a bit that the first one makes 1 with log-odds `first`. At least
 * one of the two terms of a sum is finite. */
static double joined(double first, double one, double zero)
{
    const double yes = log_logistic(first), no = log_logistic(-first);
    const double made = log_of_sum(yes + log_logistic(one), no + log_logistic(zero)),
                 not_made = log_of_sum(yes + log_logistic(-one), no + log_logistic(-zero));
    return fmin(fmax(made - not_made, fmin(one, zero)), fmax(one, zero));
}

static bool joined_stages(double *one, double *zero, double first_one, double first_zero, double report_one,
                          double report_zero)
{
    const bool good = isfinite(first_one) && isfinite(first_zero) && isfinite(report_one) && isfinite(report_zero);
    *one = good ? joined(first_one, report_one, report_zero) : NAN;
    *zero = good ? joined(first_zero, report_one, report_zero) : NAN;
    return good;
}

simdp_status simdp_loss_unary_joined(double *one, double *zero, const double *log_odds_one, const double *log_odds_zero,
                                     size_t n, double report_one, double report_zero)
{
    FORMS_EACH(n, joined_stages(&one[i], &zero[i], log_odds_one[i], log_odds_zero[i], report_one, report_zero),
               FORM_ARRAY(one), FORM_ARRAY(zero), FORM_ARRAY(log_odds_one), FORM_ARRAY(log_odds_zero));
}

/* Neither stage can tell more than it does alone: whatever the roundings, the smaller one of the two promises holds. */
static double report_promise_of(double first_one, double first_zero, double report_one, double report_zero)
{
    double one, zero;
    if (!joined_stages(&one, &zero, first_one, first_zero, report_one, report_zero)) return NAN;
    const double least = fmin(promise_of(first_one, first_zero), promise_of(report_one, report_zero));
    const double error = 0x1p-47 * (1.0 + fabs(one) + fabs(zero));
    return fmin(least, outward_up(fabs(one - zero), error));
}

simdp_status simdp_loss_unary_report_epsilon(double *epsilon, const double *log_odds_one, const double *log_odds_zero,
                                             size_t n, double report_one, double report_zero)
{
    FORMS_EACH(
        n, form_is_number(epsilon[i] = report_promise_of(log_odds_one[i], log_odds_zero[i], report_one, report_zero)),
        FORM_ARRAY(epsilon), FORM_ARRAY(log_odds_one), FORM_ARRAY(log_odds_zero));
}

/* ---- counts ---- */

/* How a true value (p) and another one (q) are reported as the value that is counted; p - q is not 0. */
typedef struct {
    double p, not_p, q, not_q, difference; /* 16 units of 2^-53 each */
} report_law;

static const simdp_loss_count no_count = {NAN, NAN, NAN, NAN};

/* (share - q) / (p - q), at most `reports` times it, moved by its error in this direction; cut to what can be. */
static double end_of(double share, const report_law *law, double reports, double direction)
{
    const double value = (share - law->q) / law->difference, error = 0x1p-46 * (share + law->q) / fabs(law->difference);
    const double end =
        direction < 0.0 ? outward_down(value * reports, error * reports) : outward_up(value * reports, error * reports);
    return fmin(fmax(end, 0.0), reports);
}

static simdp_loss_count count_of(uint64_t count, uint64_t reports, const report_law *law, double error)
{
    if (count > reports) return no_count;
    const simdp_loss_estimate share = simdp_loss_interval_of_count(count, reports, error);
    const bool rises = law->difference > 0.0;
    const double n = (double)reports, value = ((double)count - n * law->q) / law->difference;
    const double truths = fmin(fmax(value, 0.0), n);
    const double variance = truths * law->p * law->not_p + (n - truths) * law->q * law->not_q;
    return (simdp_loss_count){.count = value,
                              .deviation = sqrt(variance) / fabs(law->difference),
                              .low = end_of(rises ? share.low : share.high, law, n, -1.0),
                              .high = end_of(rises ? share.high : share.low, law, n, 1.0)};
}

static bool counts_ok(uint64_t reports, double error)
{
    return reports > 0 && reports <= (uint64_t)1 << 53 && interval_error_ok(error);
}

simdp_status simdp_loss_count_k_response(simdp_loss_count *out, const uint64_t *counts, size_t n, uint64_t reports,
                                         uint32_t k, double epsilon, double error)
{
    report_law law = {0};
    FP_MODE_SCOPE();
    FP_PIN(epsilon);
    FP_PIN(error);
    const bool good = counts_ok(reports, error) && k > 1 && epsilon > 0.0;
    if (good) {
        k_response_law(&law.p, &law.q, epsilon, k);
        law.not_p = (double)(k - 1) * law.q;
        law.not_q = law.p + (double)(k - 2) * law.q;
        law.difference = -plain_expm1(-epsilon) * law.p;
    }
    FORMS_EACH(n, form_is_number((out[i] = good ? count_of(counts[i], reports, &law, error) : no_count).count),
               FORM_ARRAY(out), FORM_ARRAY(counts));
}

simdp_status simdp_loss_count_unary(simdp_loss_count *out, const uint64_t *counts, size_t n, uint64_t reports,
                                    double log_odds_one, double log_odds_zero, double error)
{
    report_law law = {0};
    FP_MODE_SCOPE();
    FP_PIN(log_odds_one);
    FP_PIN(log_odds_zero);
    FP_PIN(error);
    const bool good =
        counts_ok(reports, error) && isfinite(log_odds_one) && isfinite(log_odds_zero) && log_odds_one != log_odds_zero;
    if (good) {
        const double less = -plain_expm1(-fabs(log_odds_one - log_odds_zero));
        law = (report_law){.p = logistic(log_odds_one),
                           .not_p = logistic(-log_odds_one),
                           .q = logistic(log_odds_zero),
                           .not_q = logistic(-log_odds_zero)};
        law.difference = log_odds_one > log_odds_zero ? less * law.p * law.not_q : -less * law.q * law.not_p;
    }
    FORMS_EACH(n, form_is_number((out[i] = good ? count_of(counts[i], reports, &law, error) : no_count).count),
               FORM_ARRAY(out), FORM_ARRAY(counts));
}
