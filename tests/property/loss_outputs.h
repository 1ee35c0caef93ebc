/* loss_outputs.h: rows of losses per output, their sums and transcripts. Truths are exact: 2400 bits hold every sum of
 * a few doubles. */
#ifndef SIMDP_PROPERTY_LOSS_OUTPUTS_H
#define SIMDP_PROPERTY_LOSS_OUTPUTS_H

#include <float.h>
#include <math.h>

#include "property/property.h"

enum { EXACT_BITS = 2400 };
#define UNIT 0x1p-53

/* out = a - b, or |a - b|, exactly */
static inline void exact_difference(mpfr_ptr out, double a, double b)
{
    mpfr_set_d(out, a, MPFR_RNDN);
    mpfr_sub_d(out, out, b, MPFR_RNDN);
}

/* ---- drawing ---- */

static inline double draw_finite(property_random *r, double x)
{
    return isfinite(x) ? x : copysign(DBL_MAX, property_number(r));
}

/* a: output, centres, scale */
static inline void draw_output(property_random *r, double *a)
{
    a[1] = property_number(r);
    switch (property_below(r, 4)) {
    case 0: a[2] = property_nudge(r, a[1]); break;
    case 1: a[2] = a[1] + property_log_uniform(r, 1e-6, 1e6); break;
    case 2: a[2] = property_chance(r, 0.1) ? -a[1] : a[1] * property_uniform(r); break;
    default: a[2] = property_number(r);
    }
    a[2] = draw_finite(r, a[2]);
    switch (property_below(r, 5)) {
    case 0: a[0] = property_nudge(r, a[1 + property_below(r, 2)]); break;
    case 1: a[0] = property_nudge(r, 0.5 * a[1] + 0.5 * a[2]); break;
    case 2: a[0] = a[1] + property_number(r); break;
    case 3: a[0] = a[1] + (a[2] - a[1]) * 3.0 * (property_uniform(r) - 0.3); break;
    default: a[0] = property_number(r);
    }
    a[0] = draw_finite(r, a[0]);
    a[3] = property_scale(r);
}

static inline void draw_output_f32(property_random *r, double *a)
{
    draw_output(r, a);
    a[0] = (double)(float)fmax(-FLT_MAX, fmin(FLT_MAX, a[0]));
}

/* ---- one output: (|y - x1| - |y - x0|)/scale and (x1 - x0)((x0 + x1)/2 - y)/sigma^2 ---- */

static inline void laplace_exact(mpfr_ptr out, const double *a)
{
    mpfr_t x;
    mpfr_init2(x, EXACT_BITS);
    mpfr_set_prec(out, EXACT_BITS);
    exact_difference(out, a[0], a[2]);
    mpfr_abs(out, out, MPFR_RNDN);
    exact_difference(x, a[0], a[1]);
    mpfr_abs(x, x, MPFR_RNDN);
    mpfr_sub(out, out, x, MPFR_RNDN);
    mpfr_div_d(out, out, a[3], MPFR_RNDN);
    mpfr_clear(x);
}

/* 4 units of |x1 - x0|/scale */
static inline void laplace_allowed(mpfr_ptr out, const double *a)
{
    mpfr_set_prec(out, EXACT_BITS);
    exact_difference(out, a[1], a[2]);
    mpfr_abs(out, out, MPFR_RNDU);
    mpfr_div_d(out, out, a[3], MPFR_RNDU);
    mpfr_mul_d(out, out, 4.0 * UNIT, MPFR_RNDU);
}

/* whether an output counts as infinite: simdp_loss.h */
static inline bool counts_as_infinite(const double *a)
{
    return fabs(a[1]) < 0x1p-900 && fabs(a[2]) < 0x1p-900 && fabs(a[0]) >= 0x1p+1023 && a[1] != a[2];
}

static inline void gaussian_exact(mpfr_ptr out, const double *a)
{
    mpfr_t x;
    mpfr_init2(x, EXACT_BITS);
    mpfr_set_prec(out, EXACT_BITS);
    exact_difference(out, a[1], a[0]);
    exact_difference(x, a[2], a[0]);
    mpfr_add(out, out, x, MPFR_RNDN);
    exact_difference(x, a[2], a[1]);
    mpfr_mul(out, out, x, MPFR_RNDN);
    mpfr_div_2ui(out, out, 1, MPFR_RNDN);
    mpfr_div_d(out, out, a[3], MPFR_RNDN);
    mpfr_div_d(out, out, a[3], MPFR_RNDN);
    mpfr_clear(x);
}

/* 8 units of |x1 - x0| (|y - x0| + |y - x1|)/(2 sigma^2); underflow: of 2^-1021 (|y - x0| + |y - x1|)/sigma too */
static inline void gaussian_allowed_of(mpfr_ptr out, const double *a, bool underflow)
{
    mpfr_t x, least;
    mpfr_inits2(EXACT_BITS, x, least, (mpfr_ptr)0);
    mpfr_set_prec(out, EXACT_BITS);
    exact_difference(out, a[0], a[1]);
    mpfr_abs(out, out, MPFR_RNDN);
    exact_difference(x, a[0], a[2]);
    mpfr_abs(x, x, MPFR_RNDN);
    mpfr_add(out, out, x, MPFR_RNDN);
    mpfr_div_d(out, out, a[3], MPFR_RNDN);
    exact_difference(x, a[2], a[1]);
    mpfr_abs(x, x, MPFR_RNDN);
    mpfr_div_d(x, x, 2.0, MPFR_RNDN);
    mpfr_div_d(x, x, a[3], MPFR_RNDN);
    mpfr_mul_d(x, x, 8.0 * UNIT, MPFR_RNDN);
    mpfr_set_d(least, underflow && a[1] != a[2] ? 0x1p-1074 : 0.0, MPFR_RNDN);
    mpfr_add(x, x, least, MPFR_RNDN);
    mpfr_mul(out, out, x, MPFR_RNDN);
    mpfr_clears(x, least, (mpfr_ptr)0);
}

static inline void gaussian_allowed(mpfr_ptr out, const double *a) { gaussian_allowed_of(out, a, false); }
static inline void gaussian_allowed_each(mpfr_ptr out, const double *a) { gaussian_allowed_of(out, a, true); }

/* The property_main numbers keep PROPERTY_BITS. */
typedef void exact_form(mpfr_ptr out, const double *a);
static inline void rounded(mpfr_ptr out, exact_form *f, const double *a)
{
    mpfr_t x;
    mpfr_init2(x, EXACT_BITS);
    f(x, a);
    mpfr_set(out, x, MPFR_RNDN);
    mpfr_clear(x);
}

static simdp_status loss_laplace_f64(double *out, const double *a)
{
    return simdp_loss_laplace_f64(out, a, 1, a[1], a[2], a[3]);
}
static simdp_status loss_gaussian_f64(double *out, const double *a)
{
    return simdp_loss_gaussian_f64(out, a, 1, a[1], a[2], a[3]);
}
static simdp_status loss_laplace_f32(double *out, const double *a)
{
    return simdp_loss_laplace_f32(out, &(float){(float)a[0]}, 1, a[1], a[2], a[3]);
}
static simdp_status loss_gaussian_f32(double *out, const double *a)
{
    return simdp_loss_gaussian_f32(out, &(float){(float)a[0]}, 1, a[1], a[2], a[3]);
}
static simdp_status loss_laplace_f64_centres(double *out, const double *a)
{
    return simdp_loss_laplace_f64_each(out, a, a + 1, a + 2, NULL, 1, a[3]);
}
static simdp_status loss_gaussian_f64_centres(double *out, const double *a)
{
    return simdp_loss_gaussian_f64_each(out, a, a + 1, a + 2, NULL, 1, a[3]);
}
static simdp_status loss_laplace_f64_arrays(double *out, const double *a)
{
    return simdp_loss_laplace_f64_each(out, a, a + 1, a + 2, a + 3, 1, 0);
}
static simdp_status loss_gaussian_f64_arrays(double *out, const double *a)
{
    return simdp_loss_gaussian_f64_each(out, a, a + 1, a + 2, a + 3, 1, 0);
}

static void laplace_truth(mpfr_t *out, const double *a) { rounded(out[0], laplace_exact, a); }
static void laplace_slack(mpfr_t *out, const double *a) { rounded(out[0], laplace_allowed, a); }
static void gaussian_each_truth(mpfr_t *out, const double *a) { rounded(out[0], gaussian_exact, a); }
static void gaussian_each_slack(mpfr_t *out, const double *a) { rounded(out[0], gaussian_allowed_each, a); }
static void gaussian_slack(mpfr_t *out, const double *a) { rounded(out[0], gaussian_allowed, a); }
static void gaussian_truth(mpfr_t *out, const double *a)
{
    rounded(out[0], gaussian_exact, a);
    if (counts_as_infinite(a)) mpfr_set_inf(out[0], (a[0] > 0.0) == (a[2] > a[1]) ? -1 : 1);
}

/* ---- randomized response: exact ---- */

static void draw_response(property_random *r, double *a)
{
    a[0] = (double)property_below(r, 6);
    a[1] = (double)property_below(r, 2);
    a[2] = (double)property_below(r, 2);
    a[3] = property_chance(r, 0.05) ? DBL_MAX : property_epsilon(r);
    a[4] = property_delta(r);
}

static simdp_status loss_randomized_response(double *out, const double *a)
{
    return simdp_loss_randomized_response(out, &(uint8_t){(uint8_t)a[0]}, 1, (int)a[1], (int)a[2], a[3]);
}

static simdp_status loss_leaky_randomized_response(double *out, const double *a)
{
    return simdp_loss_leaky_response(out, &(uint8_t){(uint8_t)a[0]}, 1, (int)a[1], (int)a[2], a[3], a[4]);
}

static void loss_randomized_response_truth(mpfr_t *out, const double *a)
{
    mpfr_set_d(out[0], a[1] == a[2] ? 0.0 : a[0] == a[1] ? a[3] : -a[3], MPFR_RNDN);
    if (a[0] > 1.0) mpfr_set_nan(out[0]);
}

static void loss_leaky_randomized_response_truth(mpfr_t *out, const double *a)
{
    loss_randomized_response_truth(out, a);
    const bool leaks = a[0] == 2.0 || a[0] == 3.0, possible = leaks ? a[4] > 0.0 : a[4] < 1.0;
    if (a[0] > 3.0) mpfr_set_nan(out[0]);
    else if (!possible || (leaks && a[1] == a[2])) mpfr_set_ui(out[0], 0, MPFR_RNDN);
    else if (leaks) mpfr_set_inf(out[0], a[0] - 2.0 == a[1] ? 1 : -1);
}

/* ---- sums ---- */

enum { SUM_MOST = 64 };

static void draw_sum(property_random *r, double *a)
{
    const uint64_t kind = property_below(r, 4);
    a[0] = (double)property_below(r, SUM_MOST / 2 + 1) * 2.0;
    for (size_t i = 1; i <= SUM_MOST; i++) {
        a[i] = kind == 0 ? property_number(r) : property_number(r) * 0x1p-60;
        if (kind == 1 && i > 1 && property_chance(r, 0.5)) a[i] = -property_nudge(r, a[1 + property_below(r, i - 1)]);
        if (kind == 2) a[i] = (property_chance(r, 0.5) ? 1.0 : -1.0) * property_log_uniform(r, 1e300, DBL_MAX);
        if (kind == 3) a[i] = 0.1 * (double)(1 + property_below(r, 3));
        a[i] = draw_finite(r, a[i]);
    }
}

static void sum_of(mpfr_ptr out, const double *x, size_t n, bool sizes)
{
    mpfr_t sum;
    mpfr_init2(sum, EXACT_BITS);
    mpfr_set_ui(sum, 0, MPFR_RNDN);
    for (size_t i = 0; i < n; i++) mpfr_add_d(sum, sum, sizes ? fabs(x[i]) : x[i], MPFR_RNDN);
    mpfr_set(out, sum, MPFR_RNDN);
    if (sizes) mpfr_mul_d(out, out, (double)n * 0x1p-104, MPFR_RNDN);
    mpfr_clear(sum);
}

static simdp_status loss_sum(double *out, const double *a) { return simdp_loss_sum(out, a + 1, 1, (size_t)a[0]); }
static void loss_sum_truth(mpfr_t *out, const double *a) { sum_of(out[0], a + 1, (size_t)a[0], false); }
static void loss_sum_slack(mpfr_t *out, const double *a) { sum_of(out[0], a + 1, (size_t)a[0], true); }

static simdp_status loss_sum_rows(double *out, const double *a)
{
    return simdp_loss_sum(out, a + 1, 2, (size_t)a[0] / 2);
}
static void rows_of(mpfr_t *out, const double *a, bool sizes)
{
    const size_t k = (size_t)a[0] / 2;
    for (size_t r = 0; r < 2; r++) sum_of(out[r], a + 1 + r * k, k, sizes);
}
static void loss_sum_rows_truth(mpfr_t *out, const double *a) { rows_of(out, a, false); }
static void loss_sum_rows_slack(mpfr_t *out, const double *a) { rows_of(out, a, true); }

/* ---- sums of losses: rows of output, centres, scale, kind; eight of them ---- */

enum { STEPS = 8, STEP_SIZE = 5 }; /* a[5 i] .. a[5 i + 3] as for one output, a[5 i + 4] the kind */

static void draw_steps(property_random *r, double *a)
{
    for (size_t i = 0; i < STEPS; i++) {
        double *s = a + i * STEP_SIZE;
        s[1] = property_chance(r, 0.3) ? 1e16 : 100.0 * property_uniform(r);
        s[2] = property_chance(r, 0.1) ? s[1] : s[1] + 8.0 * (double)property_below(r, 3) - 8.0 * property_uniform(r);
        s[0] = property_chance(r, 0.2) ? 1e6 * property_uniform(r) : s[1] + 20.0 * (property_uniform(r) - 0.5);
        s[3] = property_log_uniform(r, 0x1p-20, 0x1p+20);
        s[4] = (double)property_below(r, 3);
    }
}

/* the same centres and scale in all steps */
static void draw_steps_fixed(property_random *r, double *a)
{
    draw_steps(r, a);
    for (size_t i = 1; i < STEPS; i++) {
        for (size_t j = 1; j < 4; j++) a[i * STEP_SIZE + j] = a[j];
    }
}

/* the same scale */
static void draw_steps_scale(property_random *r, double *a)
{
    draw_steps(r, a);
    for (size_t i = 1; i < STEPS; i++) a[i * STEP_SIZE + 3] = a[3];
}

/* kinds: Laplace, Gaussian, response, of outputs 0 and 1 and losses +-scale */
static void draw_transcript(property_random *r, double *a)
{
    draw_steps(r, a);
    for (size_t i = 0; i < STEPS; i++) {
        double *s = a + i * STEP_SIZE;
        if (s[4] < 2.0) continue;
        for (size_t j = 0; j < 3; j++) s[j] = (double)property_below(r, 2);
        if (property_chance(r, 0.05)) s[3] = DBL_MAX; /* a sum that overflows on its way, or in the end */
    }
}

static void gather(double *to, const double *a, size_t what)
{
    for (size_t i = 0; i < STEPS; i++) to[i] = a[i * STEP_SIZE + what];
}

static simdp_status fixed_sum(double *out, const double *a, bool gaussian)
{
    double y[STEPS];
    gather(y, a, 0);
    const simdp_loss_step step = {gaussian ? SIMDP_MECHANISM_GAUSSIAN : SIMDP_MECHANISM_LAPLACE, a[1], a[2], a[3]};
    return simdp_loss_sum_outputs(out, y, STEPS, step);
}
static simdp_status loss_laplace_f64_sum(double *out, const double *a) { return fixed_sum(out, a, false); }
static simdp_status loss_gaussian_f64_sum(double *out, const double *a) { return fixed_sum(out, a, true); }

static simdp_status centres_sum(double *out, const double *a, bool gaussian)
{
    double y[STEPS], x0[STEPS], x1[STEPS], loss[STEPS];
    gather(y, a, 0);
    gather(x0, a, 1);
    gather(x1, a, 2);
    const simdp_status status = gaussian ? simdp_loss_gaussian_f64_each(loss, y, x0, x1, NULL, STEPS, a[3])
                                         : simdp_loss_laplace_f64_each(loss, y, x0, x1, NULL, STEPS, a[3]);
    return status == SIMDP_OK ? simdp_loss_sum(out, loss, 1, STEPS) : status;
}
static simdp_status loss_laplace_f64_centres_sum(double *out, const double *a) { return centres_sum(out, a, false); }
static simdp_status loss_gaussian_f64_centres_sum(double *out, const double *a) { return centres_sum(out, a, true); }

static simdp_status loss_transcripts(double *out, const double *a)
{
    static const int kinds[] = {SIMDP_MECHANISM_LAPLACE, SIMDP_MECHANISM_GAUSSIAN, SIMDP_MECHANISM_RANDOMIZED_RESPONSE};
    simdp_loss_step steps[STEPS];
    double y[STEPS];
    gather(y, a, 0);
    for (size_t i = 0; i < STEPS; i++) {
        const double *s = a + i * STEP_SIZE;
        steps[i] = (simdp_loss_step){.mechanism = kinds[(int)s[4]], .x0 = s[1], .x1 = s[2], .scale = s[3]};
    }
    return simdp_loss_transcripts(out, y, 1, steps, STEPS);
}

/* kind 0 or 1 for all steps, or 2: each its own */
static void steps_sum(mpfr_ptr out, const double *a, int kind, bool allowed)
{
    mpfr_t sum, one;
    mpfr_inits2(EXACT_BITS, sum, one, (mpfr_ptr)0);
    mpfr_set_ui(sum, 0, MPFR_RNDN);
    for (size_t i = 0; i < STEPS; i++) {
        const double *s = a + i * STEP_SIZE;
        const int of = kind < 2 ? kind : (int)s[4];
        if (of == 2)
            mpfr_set_d(one, allowed ? s[3] * 0x1p-100 : s[1] == s[2] ? 0.0 : s[0] == s[1] ? s[3] : -s[3], MPFR_RNDN);
        else if (of == 1) (allowed ? gaussian_allowed_each : gaussian_exact)(one, s);
        else (allowed ? laplace_allowed : laplace_exact)(one, s);
        mpfr_add(sum, sum, one, MPFR_RNDN);
    }
    mpfr_set(out, sum, MPFR_RNDN);
    mpfr_clears(sum, one, (mpfr_ptr)0);
}

static void laplace_sum_truth(mpfr_t *out, const double *a) { steps_sum(out[0], a, 0, false); }
static void laplace_sum_slack(mpfr_t *out, const double *a) { steps_sum(out[0], a, 0, true); }
static void gaussian_sum_truth(mpfr_t *out, const double *a) { steps_sum(out[0], a, 1, false); }
static void gaussian_sum_slack(mpfr_t *out, const double *a) { steps_sum(out[0], a, 1, true); }
static void loss_transcripts_truth(mpfr_t *out, const double *a) { steps_sum(out[0], a, 2, false); }
static void loss_transcripts_slack(mpfr_t *out, const double *a) { steps_sum(out[0], a, 2, true); }

/* ---- responses, summed ---- */

static void draw_responses(property_random *r, double *a)
{
    draw_response(r, a);
    a[0] = (double)property_below(r, 1 << 20); /* answers, a bit each */
    if (property_chance(r, 0.2)) a[3] = DBL_MAX;
}

static simdp_status loss_randomized_response_sum(double *out, const double *a)
{
    uint8_t answers[20];
    for (size_t i = 0; i < 20; i++) answers[i] = (uint64_t)a[0] >> i & 1;
    double loss[20];
    const simdp_status status = simdp_loss_randomized_response(loss, answers, 20, (int)a[1], (int)a[2], a[3]);
    return status == SIMDP_OK ? simdp_loss_sum(out, loss, 1, 20) : status;
}

static void loss_randomized_response_sum_truth(mpfr_t *out, const double *a)
{
    const int ones = __builtin_popcountll((uint64_t)a[0]), same = a[1] == 1.0 ? ones : 20 - ones;
    mpfr_set_d(out[0], a[1] == a[2] ? 0.0 : a[3], MPFR_RNDN);
    mpfr_mul_si(out[0], out[0], 2 * same - 20, MPFR_RNDN);
}

/* ---- planted ---- */

/* defect: two large numbers subtracted, as no clamp precedes them */
static simdp_status laplace_unclamped(double *out, const double *a)
{
    out[0] = (fabs(a[0] - a[2]) - fabs(a[0] - a[1])) / a[3];
    return SIMDP_OK;
}

/* defect: sigma^2 is formed first */
static simdp_status gaussian_square_first(double *out, const double *a)
{
    out[0] = (a[2] - a[1]) * (0.5 * (a[1] + a[2]) - a[0]) / (a[3] * a[3]);
    return SIMDP_OK;
}

static simdp_status plain_sum(double *out, const double *a)
{
    out[0] = 0.0;
    for (size_t i = 0; i < (size_t)a[0]; i++) out[0] += a[1 + i];
    return SIMDP_OK;
}

#endif
