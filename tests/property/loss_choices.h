/* loss_choices.h: rows of the exponential mechanism: scale, accuracy, law, and loss between two score vectors. */
#ifndef SIMDP_PROPERTY_LOSS_CHOICES_H
#define SIMDP_PROPERTY_LOSS_CHOICES_H

#include <float.h>
#include <math.h>

#include "property/property.h"

/* ---- scale: 2 sensitivity/epsilon, or half of it; gaps: scale (ln n + ln 1/beta) ---- */

static void draw_select_scale(property_random *r, double *a)
{
    a[0] = property_chance(r, 0.2) ? property_log_uniform(r, 0x1p-1074, DBL_MAX) : property_epsilon(r);
    a[1] = fmax(0x1p-1074, fabs(property_number(r)));
    a[2] = (double)property_below(r, 2);
    if (a[0] == 0.0) a[0] = 0x1p-1074;
}

static simdp_status select_scale(double *out, const double *a)
{
    *out = simdp_select_scale(a[0], a[1], a[2] != 0.0);
    return SIMDP_OK;
}

static void select_scale_truth(mpfr_t *out, const double *a)
{
    property_exact(out[0], a[1]);
    mpfr_mul_ui(out[0], out[0], a[2] != 0.0 ? 1 : 2, MPFR_RNDN);
    mpfr_div_d(out[0], out[0], a[0], MPFR_RNDN);
}

static void draw_gap(property_random *r, double *a)
{
    a[0] = property_chance(r, 0.2) ? property_nudge(r, 2.0) - 1.0 : 1.0 + (double)property_count(r, 1000000000000);
    if (property_chance(r, 0.05)) a[0] = property_log_uniform(r, 1, DBL_MAX);
    if (property_chance(r, 0.1)) a[0] = 1.0;
    a[0] = fmax(1.0, a[0]);
    a[1] = property_chance(r, 0.2) ? fabs(property_number(r)) : property_scale(r);
    a[2] = property_chance(r, 0.05) ? 1.0 : property_delta_open(r);
}

static simdp_status select_gap_mean(double *out, const double *a) { return simdp_select_gap_mean(out, a[0], a[1]); }
static simdp_status select_gap_tail(double *out, const double *a)
{
    return simdp_select_gap_tail(out, a[0], a[1], a[2]);
}

static void select_gap_mean_truth(mpfr_t *out, const double *a)
{
    property_exact(out[0], a[0]);
    mpfr_log(out[0], out[0], MPFR_RNDN);
    mpfr_mul_d(out[0], out[0], a[1], MPFR_RNDN);
}

static void select_gap_tail_truth(mpfr_t *out, const double *a)
{
    property_exact(out[0], a[0]);
    mpfr_div_d(out[0], out[0], a[2], MPFR_RNDN);
    mpfr_log(out[0], out[0], MPFR_RNDN);
    mpfr_mul_d(out[0], out[0], a[1], MPFR_RNDN);
}

/* ---- scores: a[0] = n, a[1] = scale, a[2] = the choice, then two vectors of CHOICES ---- */

enum { CHOICES = 8, CHOICE_BITS = 2400 };

static void draw_scores(property_random *r, double *scores, size_t n, double scale)
{
    static const double offsets[] = {0, 0, 1e3, 1e12, -1e16, 1e300, 0x1p-1074};
    const double offset = offsets[property_below(r, 7)];
    const uint64_t kind = property_below(r, 5);
    for (size_t i = 0; i < n; i++) {
        scores[i] = kind == 0   ? property_number(r)
                    : kind == 1 ? offset + (double)property_below(r, 20)
                    : kind == 2 ? offset + scale * 40.0 * property_uniform(r)
                    : kind == 3 ? (property_chance(r, 0.5) ? 1.79e308 : -1.79e308)
                                : offset + scale * 0.1 * property_uniform(r);
        if (property_chance(r, 0.03)) scores[i] = -INFINITY;
        if (scores[i] == INFINITY || isnan(scores[i])) scores[i] = DBL_MAX;
    }
}

static void draw_choice(property_random *r, double *a)
{
    const size_t n = 1 + property_below(r, CHOICES);
    double *s0 = a + 3, *s1 = s0 + CHOICES;
    a[0] = (double)n;
    a[1] = property_scale(r);
    a[2] = (double)property_below(r, n);
    draw_scores(r, s0, n, a[1]);
    draw_scores(r, s1, n, a[1]);
    if (property_chance(r, 0.7)) { /* neighbours, perhaps at an offset */
        const double offset = property_chance(r, 0.3) ? property_number(r) : 0.0;
        for (size_t i = 0; i < n; i++) s1[i] = s0[i] + offset + a[1] * (double)property_below(r, 3);
    }
    for (size_t i = 0; i < n; i++) {
        if (s1[i] == INFINITY || isnan(s1[i])) s1[i] = DBL_MAX;
    }
    s0[0] = fmax(s0[0], -DBL_MAX); /* a score above -inf in each */
    s1[0] = fmax(s1[0], -DBL_MAX);
}

/* The law with infinite scale too. */
static void draw_law(property_random *r, double *a)
{
    draw_choice(r, a);
    if (property_chance(r, 0.03)) a[1] = INFINITY;
}

/* log_p[i] = score/scale - ln sum e^(score/scale), -inf for a score of -inf; (score - top), exact; and log_sum, ln sum
 * e^((score - top)/scale) */
static void exact_law(mpfr_t *log_p, mpfr_t *below, mpfr_ptr log_sum, const double *scores, size_t n, double scale)
{
    double top = -INFINITY;
    mpfr_t sum, e;
    mpfr_inits2(PROPERTY_BITS, sum, e, (mpfr_ptr)0);
    mpfr_set_ui(sum, 0, MPFR_RNDN);
    for (size_t i = 0; i < n; i++) top = fmax(top, scores[i]);
    for (size_t i = 0; i < n; i++) {
        mpfr_set_d(below[i], scores[i], MPFR_RNDN);
        mpfr_sub_d(below[i], below[i], top, MPFR_RNDN);
        mpfr_div_d(log_p[i], below[i], scale, MPFR_RNDN);
        if (scores[i] == -INFINITY) mpfr_set_inf(log_p[i], -1);
        mpfr_exp(e, log_p[i], MPFR_RNDN);
        mpfr_add(sum, sum, e, MPFR_RNDN);
    }
    mpfr_log(sum, sum, MPFR_RNDN);
    for (size_t i = 0; i < n; i++) mpfr_sub(log_p[i], log_p[i], sum, MPFR_RNDN);
    mpfr_set(log_sum, sum, MPFR_RNDN);
    mpfr_clears(sum, e, (mpfr_ptr)0);
}

typedef struct {
    mpfr_t log_p[CHOICES], below[CHOICES], log_sum;
} choice_law;

static void law_open(choice_law *law, const double *scores, const double *a)
{
    for (size_t i = 0; i < CHOICES; i++) {
        mpfr_inits2(PROPERTY_BITS, law->log_p[i], (mpfr_ptr)0);
        mpfr_inits2(CHOICE_BITS, law->below[i], (mpfr_ptr)0);
        mpfr_set_inf(law->log_p[i], -1);
    }
    mpfr_init2(law->log_sum, PROPERTY_BITS);
    exact_law(law->log_p, law->below, law->log_sum, scores, (size_t)a[0], a[1]);
}

static void law_close(choice_law *law)
{
    for (size_t i = 0; i < CHOICES; i++) mpfr_clears(law->log_p[i], law->below[i], (mpfr_ptr)0);
    mpfr_clear(law->log_sum);
}

/* ---- the loss of a choice ---- */

static simdp_status loss_selection(double *out, const double *a)
{
    return simdp_loss_selection(out, &(size_t){(size_t)a[2]}, 1, a + 3, a + 3 + CHOICES, (size_t)a[0], a[1]);
}

/* the loss of all indices, one after the other */
static simdp_status loss_selection_sum(double *out, const double *a)
{
    size_t chosen[CHOICES];
    for (size_t i = 0; i < CHOICES; i++) chosen[i] = i;
    double loss[CHOICES];
    const size_t n = (size_t)a[0];
    const simdp_status status = simdp_loss_selection(loss, chosen, n, a + 3, a + 3 + CHOICES, n, a[1]);
    return status == SIMDP_OK ? simdp_loss_sum(out, loss, 1, n) : status;
}

static void draw_choice_finite(property_random *r, double *a)
{
    do draw_choice(r, a);
    while (fabs(a[3]) > 1e200);
    for (size_t i = 0; i < (size_t)a[0]; i++) {
        for (size_t v = 0; v < 2; v++) {
            double *s = &a[3 + v * CHOICES + i];
            if (fabs(*s) > 1e200) *s = a[3 + v * CHOICES];
            if (fabs(*s) > 1e200) *s = 1.0;
        }
    }
}

/* (below0/scale - below1/scale) - ln(S0/S1), the first difference exact; allowed: 2^-50 (1 + ln n + |loss|) */
static void choice_loss(mpfr_ptr loss, mpfr_ptr allowed, const choice_law law[2], size_t i, const double *a)
{
    mpfr_t x;
    mpfr_init2(x, CHOICE_BITS);
    const bool in0 = mpfr_number_p(law[0].below[i]), in1 = mpfr_number_p(law[1].below[i]);
    mpfr_set_ui(allowed, 0, MPFR_RNDN);
    if (in0 && in1) {
        mpfr_sub(x, law[0].below[i], law[1].below[i], MPFR_RNDN);
        mpfr_div_d(x, x, a[1], MPFR_RNDN);
        mpfr_set(loss, x, MPFR_RNDN);
        mpfr_sub(loss, loss, law[0].log_sum, MPFR_RNDN);
        mpfr_add(loss, loss, law[1].log_sum, MPFR_RNDN);
        mpfr_abs(allowed, loss, MPFR_RNDN);
        mpfr_add_d(allowed, allowed, 1.0 + log(a[0]), MPFR_RNDN);
        mpfr_mul_d(allowed, allowed, 0x1p-50, MPFR_RNDN);
    } else if (in0 || in1) {
        mpfr_set_inf(loss, in0 ? 1 : -1);
    } else {
        mpfr_set_ui(loss, 0, MPFR_RNDN);
    }
    mpfr_clear(x);
}

static void choices_sum(mpfr_ptr loss, mpfr_ptr allowed, size_t first, size_t end, const double *a)
{
    choice_law law[2];
    mpfr_t one, more;
    mpfr_inits2(PROPERTY_BITS, one, more, (mpfr_ptr)0);
    mpfr_set_ui(loss, 0, MPFR_RNDN);
    mpfr_set_ui(allowed, 0, MPFR_RNDN);
    for (size_t v = 0; v < 2; v++) law_open(&law[v], a + 3 + v * CHOICES, a);
    for (size_t i = first; i < end; i++) {
        choice_loss(one, more, law, i, a);
        mpfr_add(loss, loss, one, MPFR_RNDN);
        mpfr_add(allowed, allowed, more, MPFR_RNDN);
    }
    for (size_t v = 0; v < 2; v++) law_close(&law[v]);
    mpfr_clears(one, more, (mpfr_ptr)0);
}

/* truth and slack at once: the slack of a case is asked for right after its truth */
static mpfr_t choice_allowed;
static bool choice_allowed_open;
static void choices_truth(mpfr_ptr out, size_t first, size_t end, const double *a)
{
    if (!choice_allowed_open) mpfr_init2(choice_allowed, PROPERTY_BITS);
    choice_allowed_open = true;
    choices_sum(out, choice_allowed, first, end, a);
}

static void loss_selection_truth(mpfr_t *out, const double *a)
{
    choices_truth(out[0], (size_t)a[2], (size_t)a[2] + 1, a);
}
static void loss_selection_sum_truth(mpfr_t *out, const double *a) { choices_truth(out[0], 0, (size_t)a[0], a); }
static void choice_slack(mpfr_t *out, const double *a)
{
    (void)a;
    mpfr_set(out[0], choice_allowed, MPFR_RNDN);
}

/* ---- the law: p, ln p, the mean score ---- */

static simdp_status of_law(double *out, const double *a,
                           simdp_status (*f)(double *, const double *, size_t, size_t, double))
{
    for (size_t i = (size_t)a[0]; i < CHOICES; i++) out[i] = 0.0;
    return f(out, a + 3, 1, (size_t)a[0], a[1]);
}
static simdp_status select_probabilities(double *out, const double *a)
{
    return of_law(out, a, simdp_select_probabilities);
}
static simdp_status select_log_probabilities(double *out, const double *a)
{
    return of_law(out, a, simdp_select_log_probabilities);
}
static simdp_status select_expected_score(double *out, const double *a)
{
    return simdp_select_expected_score(out, a + 3, 1, (size_t)a[0], a[1]);
}

/* 2^-49 (1 + |ln p|), times p or |score - top| p where wanted */
static void law_error(mpfr_ptr out, mpfr_srcptr log_p)
{
    mpfr_abs(out, log_p, MPFR_RNDN);
    if (!mpfr_number_p(log_p)) mpfr_set_ui(out, 0, MPFR_RNDN);
    mpfr_add_ui(out, out, 1, MPFR_RNDN);
    mpfr_mul_d(out, out, 0x1p-49, MPFR_RNDN);
}

static void law_outputs(mpfr_t *out, const double *a, bool logarithm, bool error)
{
    choice_law law;
    mpfr_t p;
    mpfr_init2(p, PROPERTY_BITS);
    law_open(&law, a + 3, a);
    for (size_t i = 0; i < CHOICES; i++) {
        mpfr_set(out[i], law.log_p[i], MPFR_RNDN);
        if (!logarithm) mpfr_exp(out[i], out[i], MPFR_RNDN);
        if (error) law_error(out[i], law.log_p[i]);
        if (error && !logarithm) {
            mpfr_exp(p, law.log_p[i], MPFR_RNDN);
            mpfr_mul(out[i], out[i], p, MPFR_RNDN);
        }
        if ((double)i >= a[0]) mpfr_set_ui(out[i], 0, MPFR_RNDN);
    }
    law_close(&law);
    mpfr_clear(p);
}
static void select_probabilities_truth(mpfr_t *out, const double *a) { law_outputs(out, a, false, false); }
static void select_probabilities_slack(mpfr_t *out, const double *a) { law_outputs(out, a, false, true); }
static void select_log_probabilities_truth(mpfr_t *out, const double *a) { law_outputs(out, a, true, false); }
static void select_log_probabilities_slack(mpfr_t *out, const double *a) { law_outputs(out, a, true, true); }

static void mean_score(mpfr_ptr out, const double *a, bool error)
{
    choice_law law;
    mpfr_t sum, term, part;
    mpfr_inits2(CHOICE_BITS, sum, term, (mpfr_ptr)0);
    mpfr_init2(part, PROPERTY_BITS);
    law_open(&law, a + 3, a);
    mpfr_set_ui(sum, 0, MPFR_RNDN);
    for (size_t i = 0; i < (size_t)a[0]; i++) {
        mpfr_exp(part, law.log_p[i], MPFR_RNDN);
        if (mpfr_zero_p(part) || !mpfr_number_p(law.below[i])) continue;
        mpfr_set_d(term, a[3 + i], MPFR_RNDN);
        if (error) mpfr_abs(term, law.below[i], MPFR_RNDN);
        mpfr_mul(term, term, part, MPFR_RNDN);
        if (error) {
            law_error(part, law.log_p[i]);
            mpfr_mul(term, term, part, MPFR_RNDN);
        }
        mpfr_add(sum, sum, term, MPFR_RNDN);
    }
    mpfr_set(out, sum, MPFR_RNDN);
    law_close(&law);
    mpfr_clears(sum, term, part, (mpfr_ptr)0);
}
static void select_expected_score_truth(mpfr_t *out, const double *a) { mean_score(out[0], a, false); }
static void select_expected_score_slack(mpfr_t *out, const double *a) { mean_score(out[0], a, true); }

/* ---- planted ---- */

static simdp_status select_scale_nearest(double *out, const double *a)
{
    *out = (a[2] != 0.0 ? 1.0 : 2.0) * (a[1] / a[0]);
    return SIMDP_OK;
}

static simdp_status gap_nearest(double *out, const double *a)
{
    *out = a[1] * (log(a[0]) - log(a[2]));
    return SIMDP_OK;
}

/* defect: tops are not subtracted first */
static simdp_status selection_offset(double *out, const double *a)
{
    const double *s[2] = {a + 3, a + 3 + CHOICES};
    double top[2] = {-INFINITY, -INFINITY}, sum[2] = {0};
    for (int v = 0; v < 2; v++) {
        for (size_t i = 0; i < (size_t)a[0]; i++) top[v] = fmax(top[v], s[v][i]);
        for (size_t i = 0; i < (size_t)a[0]; i++) sum[v] += exp((s[v][i] - top[v]) / a[1]);
    }
    const size_t c = (size_t)a[2];
    *out = ((s[0][c] - s[1][c]) - (top[0] - top[1])) / a[1] - log(sum[0] / sum[1]);
    return SIMDP_OK;
}

static simdp_status probabilities_f32(double *out, const double *a)
{
    const simdp_status status = select_probabilities(out, a);
    for (size_t i = 0; i < CHOICES; i++) out[i] = (double)(float)out[i];
    return status;
}

#endif
