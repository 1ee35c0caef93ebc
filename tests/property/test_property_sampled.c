/* test_property_sampled: delta(epsilon) of Laplace and Gaussian noise behind Poisson sampling, in either direction, on
 * hostile arguments against MPFR. With D the curve of the noise itself, a removed record has q D(ln(1 + r)) with
 * r = (e^epsilon - 1)/q, an added one f D(ln(q e^epsilon / f)) with f = q - (1 - q)(e^epsilon - 1). */
#include <math.h>

#include "property/property.h"
#include "property/shorthand.h"

/* a: epsilon, parameter, rate, direction */
static void draw_common(property_random *r, double *a)
{
    a[0] = property_chance(r, 0.3) ? property_log_uniform(r, 1e-12, 5) : property_epsilon(r);
    a[2] = property_chance(r, 0.5) ? property_log_uniform(r, 1e-6, 1) : property_log_uniform(r, 1e-250, 1);
    if (property_chance(r, 0.1)) a[2] = 1;
    if (property_chance(r, 0.3)) a[0] = property_log_uniform(r, a[2] * 1e-3, fmin(a[2] * 10, 1)); /* near the ends */
    a[3] = (double)property_below(r, 2);
}

static void draw_laplace(property_random *r, double *a)
{
    draw_common(r, a);
    a[1] = property_log_uniform(r, 1e-6, 600);
}

static void draw_gaussian(property_random *r, double *a)
{
    draw_common(r, a);
    a[1] = property_log_uniform(r, 0.02, 1e3);
    if (a[0] > 100) a[0] = 100; /* beyond, references take long */
}

static simdp_status delta_laplace_sampled(double *out, const double *a)
{
    return simdp_delta_laplace_sampled(out, &a[0], 1, a[1], a[2], a[3] > 0 ? SIMDP_LOSS_ADD : SIMDP_LOSS_REMOVE);
}
static simdp_status delta_gaussian_sampled(double *out, const double *a)
{
    return simdp_delta_gaussian_sampled(out, &a[0], 1, a[1], a[2], a[3] > 0 ? SIMDP_LOSS_ADD : SIMDP_LOSS_REMOVE);
}

/* The share before D, and e^epsilon within it; false if there is nothing. */
static bool inner_truth(mpfr_ptr share, mpfr_ptr inner, const double *a)
{
    mpfr_ptr x = truth_number(0);
    mpfr_set_d(x, a[0], RN);
    mpfr_expm1(x, x, RN);
    if (a[3] == 0) {
        mpfr_set_d(share, a[2], RN);
        mpfr_div(inner, x, share, RN);
        mpfr_add_ui(inner, inner, 1, RN);
        return true;
    }
    mpfr_set_d(inner, a[2], RN);
    mpfr_ui_sub(share, 1, inner, RN);
    mpfr_mul(share, share, x, RN);
    mpfr_sub(share, inner, share, RN);
    if (mpfr_sgn(share) <= 0) return false;
    mpfr_add_ui(x, x, 1, RN);
    mpfr_mul(inner, inner, x, RN);
    mpfr_div(inner, inner, share, RN);
    return true;
}

static void delta_laplace_sampled_truth(mpfr_t *out, const double *a)
{
    mpfr_ptr share = truth_number(1), inner = truth_number(2);
    mpfr_set_ui(out[0], 0, RN);
    if (!inner_truth(share, inner, a)) return;
    mpfr_log(inner, inner, RN);
    mpfr_sub_d(inner, inner, a[1], RN);
    if (mpfr_sgn(inner) >= 0) return;
    mpfr_div_ui(inner, inner, 2, RN);
    mpfr_expm1(inner, inner, RN);
    mpfr_mul(out[0], share, inner, RN);
    mpfr_neg(out[0], out[0], RN);
}

static void tail(mpfr_ptr out, mpfr_ptr y)
{
    mpfr_ptr root = truth_number(8);
    mpfr_sqrt_ui(root, 2, RN);
    mpfr_div(out, y, root, RN);
    mpfr_erfc(out, out, RN);
    mpfr_div_ui(out, out, 2, RN);
}

static void delta_gaussian_sampled_truth(mpfr_t *out, const double *a)
{
    mpfr_ptr share = truth_number(1), inner = truth_number(2), mu = truth_number(3), y = truth_number(4),
             with = truth_number(5), without = truth_number(6);
    mpfr_set_ui(out[0], 0, RN);
    if (!inner_truth(share, inner, a)) return;
    mpfr_set_ui(mu, 1, RN);
    mpfr_div_d(mu, mu, a[1], RN);
    mpfr_log(y, inner, RN);
    mpfr_div(y, y, mu, RN);
    mpfr_div_ui(mu, mu, 2, RN);
    mpfr_add(y, y, mu, RN);
    if (mpfr_cmp_d(y, 60) > 0 && mpfr_cmp_d(y, 60 + 2 / a[1]) > 0) return; /* below the least double */
    tail(without, y);
    mpfr_mul_ui(mu, mu, 2, RN);
    mpfr_sub(y, y, mu, RN);
    tail(with, y);
    mpfr_mul(without, without, inner, RN);
    mpfr_sub(with, with, without, RN);
    mpfr_mul(out[0], with, share, RN);
}

/* defect: the directions are exchanged */
static simdp_status gaussian_turned(double *out, const double *a)
{
    return simdp_delta_gaussian_sampled(out, &a[0], 1, a[1], a[2], a[3] > 0 ? SIMDP_LOSS_REMOVE : SIMDP_LOSS_ADD);
}

/* defect: 1 - (1 - q) e^epsilon, which cancels */
static simdp_status laplace_cancelled(double *out, const double *a)
{
    const double f = 1 - (1 - a[2]) * exp(a[0]),
                 inner = a[3] > 0 ? log(a[2] * exp(a[0]) / f) : log1p(expm1(a[0]) / a[2]);
    out[0] = a[3] > 0 && !(f > 0) ? 0 : inner < a[1] ? -(a[3] > 0 ? f : a[2]) * expm1((inner - a[1]) / 2) : 0;
    return SIMDP_OK;
}

static const property_row rows[] = {PROPERTY(delta_laplace_sampled, 4, 1, .draw = draw_laplace,
                                             .rule = {{PROPERTY_NEAR, 2e-13, 0x1p-1040}}, .share = 0.3),
                                    PROPERTY(delta_gaussian_sampled, 4, 1, .draw = draw_gaussian,
                                             .rule = {{PROPERTY_NEAR, 2e-13, 0x1p-1040}}, .share = 0.3),
                                    {.name = NULL}};

static const property_planted planted[] = {{"directions exchanged", "delta_gaussian_sampled", gaussian_turned},
                                           {"a share that cancels", "delta_laplace_sampled", laplace_cancelled},
                                           {.name = NULL}};

int main(int argc, char **argv) { return property_main(argc, argv, rows, planted); }
