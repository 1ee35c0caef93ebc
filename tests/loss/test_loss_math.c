/* test_loss_math: the vector exponential and erfcx against MPFR, within the bounds that their files state. Compiled
 * here for the scalar vocabulary; test_loss_identity ties the others to it. */
#include <float.h>
#include <math.h>
#include <mpfr.h>

#include "math/erfcx.inc"
#include "math/exp.inc"
#include "support/random_numbers.h"

#define BITS 160
enum { CASES = 20000 }; /* arguments, a multiple of VEC_LANES */

static mpfr_t a, b, c, arg; /* scratch; made and freed by main */

/* |got - exact| in units of the last place of the exact value; 0 where both are 0 */
static double ulps(double got, mpfr_t exact)
{
    const double want = mpfr_get_d(exact, MPFR_RNDN);
    if (want == 0.0 || isinf(want)) return got == want ? 0.0 : INFINITY;
    mpfr_sub_d(c, exact, got, MPFR_RNDN);
    return fabs(mpfr_get_d(c, MPFR_RNDN)) / (nextafter(fabs(want), INFINITY) - fabs(want));
}

typedef void kernel(vd out[], const vd x[], int count);

static void exponential(vd out[], const vd x[], int count) { exp_v(out, x, count); }
static void less_one(vd out[], const vd x[], int count) { expm1_v(out, x, count); }
/* Control: a coefficient off by 2^-30 of itself. */
static void spoiled(vd out[], const vd x[], int count)
{
    exp_v(out, x, count);
    for (int v = 0; v < count; v++) out[v] = vd_mul(out[v], vd_fma(x[v], vd_set1(0x1p-50), vd_set1(1.0)));
}

static double worst_of(kernel *f, int (*exact)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t), double from, double to)
{
    double worst = 0.0;
    for (int i = 0; i < CASES; i += VEC_LANES) {
        double x[VEC_LANES], y[VEC_LANES];
        /* all sizes: uniform, near 0 in every binade, and near multiples of ln 2 / 2, where the reduction changes */
        for (int l = 0; l < VEC_LANES; l++) {
            x[l] = uniform(from, to);
            if (l % 4 == 1) x[l] = -exp(uniform(-40.0, 6.0));
            if (l % 4 == 2)
                x[l] = nextafter(floor(x[l] / 0.34657359027997264) * 0.34657359027997264,
                                 l % 8 == 2 ? -INFINITY : INFINITY);
            if (x[l] < from || x[l] > to) x[l] = uniform(from, to);
        }
        vd in = vd_load(x), out;
        f(&out, &in, 1);
        vd_store(y, out);
        for (int l = 0; l < VEC_LANES; l++) {
            mpfr_set_d(a, x[l], MPFR_RNDN);
            exact(b, a, MPFR_RNDN);
            const double error = ulps(y[l], b);
            if (!(error <= worst)) worst = error;
        }
    }
    return worst;
}

static void test_exponential(void **state)
{
    (void)state;
    const double normal = worst_of(exponential, mpfr_exp, -708.0, EXP_MOST),
                 all = worst_of(exponential, mpfr_exp, EXP_LEAST, 0.0);
    print_message("e^x: %.3f ulp, with subnormal results %.3f\n", normal, all);
    assert_true(normal <= 1.2);
    assert_true(all <= 1.6);
    assert_true(worst_of(spoiled, mpfr_exp, -708.0, 0.0) > 1.2);
}

static void test_exponential_less_one(void **state)
{
    (void)state;
    const double worst = worst_of(less_one, mpfr_expm1, EXP_LEAST, 0.0);
    print_message("e^x - 1: %.3f ulp\n", worst);
    assert_true(worst <= 2.0);
}

static void test_exponential_edges(void **state)
{
    (void)state;
    const double x[8] = {0.0, -0.0, EXP_LEAST, EXP_MOST, -745.2, -745.0, NAN, -1e-320};
    double y[8], z[8];
    vd in = vd_load(x), out;
    exp_v(&out, &in, 1);
    vd_store(y, out);
    expm1_v(&out, &in, 1);
    vd_store(z, out);
    assert_true(y[0] == 1.0 && y[1] == 1.0 && y[2] == 0.0 && y[4] == 0.0 && y[5] == 0x1p-1074 && isnan(y[6]) &&
                y[7] == 1.0);
    assert_true(fabs(y[3] / exp(600.0) - 1.0) < 1e-15);
    assert_true(z[0] == 0.0 && z[2] == -1.0 && isnan(z[6]) && z[7] == -1e-320);
}

/* ---- erfcx ---- */

/* e^(x^2) erfc(x); by its continued fraction where erfc would take long */
static void exact_erfcx(mpfr_t out, double argument)
{
    mpfr_set_d(arg, argument, MPFR_RNDN);
    if (mpfr_cmp_ui(arg, 60) < 0) {
        mpfr_sqr(out, arg, MPFR_RNDN);
        mpfr_exp(out, out, MPFR_RNDN);
        mpfr_erfc(c, arg, MPFR_RNDN);
        mpfr_mul(out, out, c, MPFR_RNDN);
        return;
    }
    mpfr_set_ui(out, 0, MPFR_RNDN);
    for (int k = 60; k > 0; k--) {
        mpfr_add(out, arg, out, MPFR_RNDN);
        mpfr_d_div(out, 0.5 * k, out, MPFR_RNDN);
    }
    mpfr_add(out, arg, out, MPFR_RNDN);
    mpfr_const_pi(c, MPFR_RNDN);
    mpfr_sqrt(c, c, MPFR_RNDN);
    mpfr_mul(out, out, c, MPFR_RNDN);
    mpfr_ui_div(out, 1, out, MPFR_RNDN);
}

/* Worst relative errors of erfcx(x1) and of the divided difference of erfcx between x1 and x2, for x1 up to 400, or far
 * beyond. */
static void erfcx_errors(bool far, double scale_of_p, double *value_error, double *difference_error)
{
    *value_error = *difference_error = 0.0;
    for (int i = 0; i < CASES / 4; i += VEC_LANES) {
        double x1[VEC_LANES], x2[VEC_LANES], q1[VEC_LANES], q2[VEC_LANES], t1[VEC_LANES], t2[VEC_LANES], at[VEC_LANES],
            divided[VEC_LANES];
        for (int l = 0; l < VEC_LANES; l++) {
            x1[l] = far ? exp(uniform(6.0, 200.0)) : l % 2 == 0 ? uniform(-0.125, 4.0) : exp(uniform(-20.0, 6.0));
            /* from nearly equal arguments to far apart */
            const double width = (far ? x1[l] : 1.0) * exp(uniform(-30.0, 8.0));
            x2[l] = x1[l] + width > x1[l] ? x1[l] + width : nextafter(x1[l], INFINITY);
            t1[l] = 1.0 / (x1[l] + ERFCX_K);
            t2[l] = 1.0 / (x2[l] + ERFCX_K);
            q1[l] = fma(t1[l], ERFCX_SLOPE, -1.0);
            q2[l] = fma(t2[l], ERFCX_SLOPE, -1.0);
        }
        vd v1 = vd_load(q1), v2 = vd_load(q2), p, d;
        erfcx_pair_v(&p, &d, &v1, &v2, 1);
        vd_store(at, p);
        vd_store(divided, d);
        for (int l = 0; l < VEC_LANES; l++) {
            exact_erfcx(a, x1[l]);
            const double first = t1[l] * at[l] * scale_of_p,
                         second = t1[l] * t2[l] * (at[l] + (q2[l] + 1.0) * divided[l]) * scale_of_p;
            mpfr_d_div(c, first, a, MPFR_RNDN);
            mpfr_sub_ui(c, c, 1, MPFR_RNDN);
            *value_error = fmax(*value_error, fabs(mpfr_get_d(c, MPFR_RNDN)));
            exact_erfcx(b, x2[l]);
            mpfr_sub(a, a, b, MPFR_RNDN);
            mpfr_set_d(b, x2[l], MPFR_RNDN);
            mpfr_sub_d(b, b, x1[l], MPFR_RNDN);
            mpfr_div(a, a, b, MPFR_RNDN);
            mpfr_d_div(c, second, a, MPFR_RNDN);
            mpfr_sub_ui(c, c, 1, MPFR_RNDN);
            *difference_error = fmax(*difference_error, fabs(mpfr_get_d(c, MPFR_RNDN)));
        }
    }
}

static void test_erfcx(void **state)
{
    (void)state;
    double value, difference;
    erfcx_errors(false, 1.0, &value, &difference);
    print_message("erfcx 2^%.2f, its differences 2^%.2f\n", log2(value), log2(difference));
    assert_true(value <= 0x1p-49);
    assert_true(difference <= 0x1.6p-48);
    erfcx_errors(false, 1.0 + 0x1p-46, &value, &difference); /* control */
    assert_true(value > 0x1p-49 && difference > 0x1.6p-48);
    erfcx_errors(true, 1.0, &value, &difference);
    print_message("beyond 400: erfcx 2^%.2f, its differences 2^%.2f\n", log2(value), log2(difference));
    assert_true(value <= 0x1.6p-48 && difference <= 0x1.6p-48);
    erfcx_errors(true, 1.0 + 0x1p-46, &value, &difference); /* control */
    assert_true(value > 0x1.6p-48 && difference > 0x1.6p-48);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exponential),
        cmocka_unit_test(test_exponential_less_one),
        cmocka_unit_test(test_exponential_edges),
        cmocka_unit_test(test_erfcx),
    };
    mpfr_inits2(BITS, a, b, c, arg, (mpfr_ptr)0);
    const int status = cmocka_run_group_tests_name("loss_math", tests, NULL, NULL);
    mpfr_clears(a, b, c, arg, (mpfr_ptr)0);
    return status;
}
