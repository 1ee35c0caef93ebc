/* test_property_divergences: Renyi divergences of mechanisms, and divergences of finite laws, against MPFR; property.h
 * has the rules. */
#include <math.h>

#include "property/property.h"
#include "property/truth_finite.h"
#include "support/laws.h"

/* ---- Renyi divergences of mechanisms ---- */

static void draw_order_parameter(property_random *r, double *a)
{
    a[0] = property_order(r);
    a[1] = property_chance(r, 0.5) ? property_epsilon(r) : property_scale(r);
    if (property_chance(r, 0.2)) a[1] = property_log_uniform(r, 1, 1e4);
    if (property_chance(r, 0.2)) a[0] = property_nudge(r, 0.5);
    if (property_chance(r, 0.2)) a[0] = property_log_uniform(r, 1e-6, 1);
    if (property_chance(r, 0.2)) a[1] = property_log_uniform(r, 1e-3, 10) / a[0]; /* order t about 1 */
    if (property_chance(r, 0.1)) a[1] = property_log_uniform(r, 1e-2, 1e3) / fabs(a[0] - 1.0);
    if (property_chance(r, 0.02)) a[0] = property_chance(r, 0.5) ? INFINITY : 1.0;
    if (property_chance(r, 0.02)) a[1] = property_chance(r, 0.5) ? INFINITY : 0.0;
    if (!(a[1] >= 0.0)) a[1] = 1.0;
}

#define ADAPTERS(name, law)                                               \
    static simdp_status renyi_##name(double *out, const double *a)        \
    {                                                                     \
        return simdp_loss_renyi(out, &a[0], 1, law(a[1]));                \
    }                                                                     \
    static simdp_status renyi_##name##_each(double *out, const double *a) \
    {                                                                     \
        return simdp_loss_renyi_each(out, &a[0], &a[1], 1, law(0));       \
    }
ADAPTERS(laplace, law_laplace)
ADAPTERS(gaussian, law_gaussian)
ADAPTERS(randomized_response, law_response)

static void renyi_gaussian_truth(mpfr_t *out, const double *a)
{
    property_exact(out[0], a[0]);
    if (isinf(a[1])) mpfr_set_ui(out[0], 0, MPFR_RNDN);
    mpfr_div_2ui(out[0], out[0], 1, MPFR_RNDN);
    mpfr_div_d(out[0], out[0], a[1], MPFR_RNDN);
    mpfr_div_d(out[0], out[0], a[1], MPFR_RNDN);
}
#define renyi_gaussian_each_truth renyi_gaussian_truth

/* Bits enough for ln(M)/(order - 1), M - 1 being about order (order - 1) t^2, or order t for small order */
static mpfr_prec_t renyi_bits(double order, double t)
{
    const double away = order == 1.0 ? 1.0 : fmin(1.0, fabs(order - 1.0));
    const double least = fmin(1.0, t) * fmin(1.0, t) * fmin(1.0, order) * away;
    const double lost = least > 0.0 ? -log2(least) : 3300.0;
    return 200 + (mpfr_prec_t)(2.0 * lost);
}

/* ln[(order e^((order-1)t) + (order-1) e^(-order t))/(2 order - 1)]/(order - 1); its limits at 1 and 1/2. Of a large
 * sum the larger exponential is taken out first: MPFR's exponents end at 2^62. */
static void laplace_general(mpfr_t out, double order, double t)
{
    const mpfr_prec_t bits = renyi_bits(order, t);
    mpfr_t a, x, y, m;
    mpfr_inits2(bits, a, x, y, m, (mpfr_ptr)0);
    property_exact(a, order);
    mpfr_sub_ui(a, a, 1, MPFR_RNDN);
    mpfr_mul_d(x, a, t, MPFR_RNDN); /* (order-1) t */
    property_exact(y, -order);
    mpfr_mul_d(y, y, t, MPFR_RNDN);                     /* -order t */
    mpfr_set(m, mpfr_cmp(x, y) > 0 ? x : y, MPFR_RNDN); /* the larger */
    mpfr_sub(x, x, m, MPFR_RNDN);
    mpfr_sub(y, y, m, MPFR_RNDN);
    mpfr_exp(x, x, MPFR_RNDN);
    mpfr_exp(y, y, MPFR_RNDN);
    mpfr_mul_d(x, x, order, MPFR_RNDN);
    mpfr_mul(y, y, a, MPFR_RNDN);
    mpfr_add(x, x, y, MPFR_RNDN);
    property_exact(y, order);
    mpfr_mul_ui(y, y, 2, MPFR_RNDN);
    mpfr_sub_ui(y, y, 1, MPFR_RNDN);
    mpfr_div(x, x, y, MPFR_RNDN);
    mpfr_log(x, x, MPFR_RNDN);
    mpfr_add(x, x, m, MPFR_RNDN);
    mpfr_div(out, x, a, MPFR_RNDN);
    mpfr_clears(a, x, y, m, (mpfr_ptr)0);
}

static void renyi_laplace_truth(mpfr_t *out, const double *p)
{
    const double order = p[0], t = p[1];
    mpfr_t x;
    if (t == 0.0 || isinf(t) || isinf(order)) {
        property_exact(out[0], t);
        return;
    }
    mpfr_init2(x, renyi_bits(order, t));
    property_exact(x, t);
    if (order == 1.0) { /* t - 1 + e^-t */
        mpfr_neg(x, x, MPFR_RNDN);
        mpfr_expm1(x, x, MPFR_RNDN);
        mpfr_add_d(out[0], x, t, MPFR_RNDN);
    } else if (order == 0.5) { /* t - 2 ln(1 + t/2) */
        mpfr_div_2ui(x, x, 1, MPFR_RNDN);
        mpfr_log1p(x, x, MPFR_RNDN);
        mpfr_mul_2ui(x, x, 1, MPFR_RNDN);
        mpfr_d_sub(out[0], t, x, MPFR_RNDN);
    } else {
        laplace_general(out[0], order, t);
    }
    mpfr_clear(x);
}
#define renyi_laplace_each_truth renyi_laplace_truth

/* ln of e^|x| + e^-|x|, into x */
static void log_two_cosh(mpfr_t x)
{
    mpfr_t e;
    mpfr_init2(e, mpfr_get_prec(x));
    mpfr_abs(x, x, MPFR_RNDN);
    mpfr_mul_si(e, x, -2, MPFR_RNDN);
    mpfr_exp(e, e, MPFR_RNDN);
    mpfr_log1p(e, e, MPFR_RNDN);
    mpfr_add(x, x, e, MPFR_RNDN);
    mpfr_clear(e);
}

/* ln[cosh((order - 1/2) epsilon)/cosh(epsilon/2)]/(order - 1), epsilon tanh(epsilon/2) at order 1 */
static void renyi_randomized_response_truth(mpfr_t *out, const double *p)
{
    const double order = p[0], epsilon = p[1];
    mpfr_t x, y;
    if (epsilon == 0.0 || isinf(epsilon) || isinf(order)) {
        property_exact(out[0], epsilon);
        return;
    }
    mpfr_inits2(renyi_bits(order, epsilon), x, y, (mpfr_ptr)0);
    property_exact(y, epsilon);
    mpfr_div_2ui(y, y, 1, MPFR_RNDN);
    if (order == 1.0) {
        mpfr_tanh(y, y, MPFR_RNDN);
        mpfr_mul_d(out[0], y, epsilon, MPFR_RNDN);
    } else {
        property_exact(x, order);
        mpfr_sub_d(x, x, 0.5, MPFR_RNDN);
        mpfr_mul_d(x, x, epsilon, MPFR_RNDN);
        log_two_cosh(x);
        log_two_cosh(y);
        mpfr_sub(x, x, y, MPFR_RNDN);
        property_exact(y, order);
        mpfr_sub_ui(y, y, 1, MPFR_RNDN);
        mpfr_div(out[0], x, y, MPFR_RNDN);
    }
    mpfr_clears(x, y, (mpfr_ptr)0);
}
#define renyi_randomized_response_each_truth renyi_randomized_response_truth

/* defect: the power series in t, at any t */
static simdp_status renyi_laplace_by_series(double *out, const double *p)
{
    const double alpha = p[0], t = p[1], a = alpha - 1.0;
    if (!(alpha * t < 1.0)) return simdp_loss_renyi(out, &alpha, 1, law_laplace(t));
    double h = 1.0, power = 1.0, factor = 0.5 * t * t, sum = 0.0;
    for (int n = 2; n < 60; n++) {
        sum += factor * h;
        power *= a;
        h = power - alpha * h;
        factor *= t / (n + 1);
    }
    const double z = a * alpha * sum;
    out[0] = fabs(z) < 0x1p-60 ? alpha * sum : log1p(z) / a;
    return SIMDP_OK;
}

/* defect: the difference of two logarithms of cosh */
static simdp_status renyi_response_cancelled(double *out, const double *p)
{
    const double x = fabs(p[0] - 0.5) * p[1], y = 0.5 * p[1];
    if (p[0] == 1.0 || isinf(p[0]) || isinf(p[1])) return simdp_loss_renyi(out, &p[0], 1, law_response(p[1]));
    out[0] = (x - y + log1p(exp(-2.0 * x)) - log1p(exp(-2.0 * y))) / (p[0] - 1.0);
    return SIMDP_OK;
}

/* ---- finite laws ---- */

/* equal sums up to rounding, q near p or not, zeros, masses far apart, subnormal, near the largest double */
static void draw_laws(property_random *r, double *a)
{
    double *p = P(a), *q = Q(a), sum_p = 0.0, sum_q = 0.0;
    const double least = property_chance(r, 0.3) ? 1e-308 : 1e-3;
    const double apart = property_chance(r, 0.5) ? property_log_uniform(r, 1e-16, 1) : 0.0;
    for (int i = 0; i < SIZE; i++) {
        p[i] = property_log_uniform(r, least, 1);
        q[i] = apart > 0.0 ? p[i] * (1.0 + apart * (property_uniform(r) - 0.5)) : property_log_uniform(r, least, 1);
        sum_p += p[i], sum_q += q[i];
    }
    if (property_chance(r, 0.8)) {
        for (int i = 0; i < SIZE; i++) p[i] /= sum_p, q[i] /= sum_q;
    }
    const double unit = property_chance(r, 0.1) ? 0x1p+1023 : property_chance(r, 0.1) ? 0x1p-1060 : 1.0;
    for (int i = 0; i < SIZE; i++) {
        p[i] *= unit, q[i] *= unit;
        if (i > 0 && property_chance(r, 0.02)) p[i] = 0.0;
        if (property_chance(r, 0.01)) q[i] = 0.0;
        if (property_chance(r, 0.02) || (i == 0 && p[i] == 0.0)) p[i] = 0x1p-1074;
        if (property_chance(r, 0.02)) q[i] = 0x1p-1074 * (double)(1 + property_below(r, 9));
    }
}

static void draw_order_laws(property_random *r, double *a)
{
    draw_laws(r, a);
    a[0] = property_chance(r, 0.05) ? INFINITY : property_order(r);
    if (property_chance(r, 0.2)) a[0] = property_log_uniform(r, 0.01, 1);
}

static void draw_epsilon_laws(property_random *r, double *a)
{
    draw_laws(r, a);
    a[0] = property_chance(r, 0.02) ? INFINITY : property_epsilon(r);
    const size_t at = property_below(r, SIZE);
    if (property_chance(r, 0.5) && P(a)[at] > 0.0 && Q(a)[at] > 0.0) /* an atom of the loss, or beside it */
        a[0] = fabs(property_nudge(r, log(P(a)[at]) - log(Q(a)[at])));
}

static simdp_status renyi_finite(double *out, const double *a)
{
    return simdp_loss_renyi_finite(out, a, 1, P(a), Q(a), SIZE);
}
static simdp_status delta_finite(double *out, const double *a)
{
    return simdp_loss_delta_finite(out, a, 1, P(a), Q(a), SIZE);
}
static simdp_status divergences_finite(double *out, const double *a)
{
    simdp_loss_divergences d;
    const simdp_status status = simdp_loss_divergences_finite(&d, P(a), Q(a), SIZE);
    out[0] = d.kl, out[1] = d.kl_reverse, out[2] = d.max, out[3] = d.max_reverse, out[4] = d.total_variation;
    return status;
}

/* defect: a quotient that overflows */
static simdp_status divergences_overflow(double *out, const double *a)
{
    const simdp_status status = divergences_finite(out, a);
    for (int i = 0; i < SIZE; i++) {
        if (isinf(P(a)[i] / Q(a)[i])) out[0] = INFINITY;
    }
    return status;
}

/* defect: (p - e^epsilon q)+ as it stands */
static simdp_status delta_finite_cancelled(double *out, const double *a)
{
    out[0] = 0.0;
    for (int i = 0; i < SIZE; i++) {
        if (P(a)[i] > 0.0) out[0] += fmax(0.0, P(a)[i] - (Q(a)[i] > 0.0 ? exp(a[0]) * Q(a)[i] : 0.0));
    }
    return SIMDP_OK;
}

/* defect: the sum of powers less 1, which cancels where p is near q or the order near 1 */
static simdp_status renyi_finite_cancelled(double *out, const double *a)
{
    double sum = 0.0;
    const simdp_status status = renyi_finite(out, a);
    if (a[0] == 1.0 || isinf(a[0]) || isinf(out[0])) return status;
    for (int i = 0; i < SIZE; i++) {
        if (P(a)[i] > 0.0 && Q(a)[i] > 0.0) sum += P(a)[i] * exp((a[0] - 1.0) * log(P(a)[i] / Q(a)[i]));
    }
    if (sum > 0.5 && sum < 2.0) out[0] = log(sum) / (a[0] - 1.0);
    return status;
}

static const property_row rows[] = {
    PROPERTY_OF(loss_renyi, renyi_laplace, 2, 1, .draw = draw_order_parameter, .rule = {NEAR(1e-14)}),
    PROPERTY_OF(loss_renyi_each, renyi_laplace_each, 2, 1, .draw = draw_order_parameter, .rule = {NEAR(1e-14)},
                .share = 0.3),
    PROPERTY_OF(loss_renyi, renyi_gaussian, 2, 1, .draw = draw_order_parameter, .rule = {NEAR(1e-15)}),
    PROPERTY_OF(loss_renyi_each, renyi_gaussian_each, 2, 1, .draw = draw_order_parameter, .rule = {NEAR(1e-15)}),
    PROPERTY_OF(loss_renyi, renyi_randomized_response, 2, 1, .draw = draw_order_parameter, .rule = {NEAR(1e-14)}),
    PROPERTY_OF(loss_renyi_each, renyi_randomized_response_each, 2, 1, .draw = draw_order_parameter,
                .rule = {NEAR(1e-14)}, .share = 0.3),
    PROPERTY_OF(loss_renyi_finite, renyi_finite, 1 + 2 * SIZE, 1, .draw = draw_order_laws, .rule = {NEAR(1e-14)},
                .share = 0.3, .slack = renyi_finite_slack),
    PROPERTY_OF(loss_delta_finite, delta_finite, 1 + 2 * SIZE, 1, .draw = draw_epsilon_laws, .rule = {NEAR(1e-14)},
                .slack = delta_finite_slack),
    PROPERTY_OF(loss_divergences_finite, divergences_finite, 1 + 2 * SIZE, 5, .draw = draw_laws,
                .rule = {NEAR(1e-14), NEAR(1e-14), NEAR(1e-15), NEAR(1e-15), NEAR(1e-15)}, .share = 0.3,
                .slack = divergences_finite_slack),
    {0},
};

static const property_planted planted[] = {
    {"the series outside its range", "renyi_laplace", renyi_laplace_by_series},
    {"a difference of two logarithms of cosh", "renyi_randomized_response", renyi_response_cancelled},
    {"p/q overflows", "divergences_finite", divergences_overflow},
    {"(p - e^epsilon q)+ in doubles", "delta_finite", delta_finite_cancelled},
    {"a sum of powers near 1", "renyi_finite", renyi_finite_cancelled},
    {0},
};

int main(int argc, char **argv) { return property_main(argc, argv, rows, planted); }
