/* test_loss_reference: losses per output against MPFR, in all forms, within the bounds of simdp_loss.h; at edges;
 * exchanged inputs. */
#include <float.h>
#include <math.h>
#include <mpfr.h>

#include "support/random_numbers.h"

#define BITS 2400 /* sums and products of doubles are exact */
enum { CASES = 4096 };

static mpfr_t a, b, c; /* scratch; made and freed by main */
static double signed_spread(double from, double to) { return (test_random(&seed) & 1 ? -1.0 : 1.0) * spread(from, to); }

/* One output with its inputs and scale. */
typedef struct {
    double y, x0, x1, scale;
} output;

/* From everyday numbers to the ends of the range. */
static output any_output(int i)
{
    output o = {.x0 = signed_spread(1e-3, 1e3), .scale = exp(uniform(-7.0, 7.0))};
    o.x1 = o.x0 + signed_spread(1e-3, 10.0);
    o.y = o.x0 + signed_spread(1e-6, 50.0) * o.scale;
    switch (i % 8) {
    case 1: o.y = uniform(fmin(o.x0, o.x1), fmax(o.x0, o.x1)); break;              /* between */
    case 2: o.y = 0.5 * (o.x0 + o.x1) * (1.0 + signed_spread(1e-17, 1e-9)); break; /* where the loss crosses 0 */
    case 3: o.y = signed_spread(1e50, 1e300); break;                               /* far outside */
    case 4:
        o.x0 = signed_spread(1e15, 1e17), o.x1 = o.x0 + signed_spread(1.0, 1e6), o.y = o.x0 + signed_spread(1.0, 1e7);
        break;
    case 5:
        o.x0 = signed_spread(1e-310, 1e-300), o.x1 = signed_spread(1e-310, 1e-300), o.y = signed_spread(1e-310, 1e-300);
        break;
    case 6: o.scale = exp(uniform(-600.0, 600.0)); break;
    case 7:
        o.x0 = signed_spread(1e306, 1.79e308), o.x1 = signed_spread(1e306, 1.79e308),
        o.y = signed_spread(1e306, 1.79e308), o.scale = exp(uniform(300.0, 620.0));
        break;
    default: break;
    }
    return o;
}

/* (|y - x1| - |y - x0|) / scale; what the bound is relative to goes to *size */
static void exact_laplace(mpfr_t out, const output *o, double *size)
{
    mpfr_set_d(a, o->y, MPFR_RNDN);
    mpfr_sub_d(b, a, o->x1, MPFR_RNDN);
    mpfr_sub_d(a, a, o->x0, MPFR_RNDN);
    mpfr_abs(a, a, MPFR_RNDN);
    mpfr_abs(b, b, MPFR_RNDN);
    mpfr_sub(c, b, a, MPFR_RNDN);
    mpfr_div_d(c, c, o->scale, MPFR_RNDN);
    mpfr_set_d(a, o->x1, MPFR_RNDN);
    mpfr_sub_d(a, a, o->x0, MPFR_RNDN);
    mpfr_div_d(a, a, o->scale, MPFR_RNDN);
    *size = fabs(mpfr_get_d(a, MPFR_RNDN));
    mpfr_set(out, c, MPFR_RNDN);
}

/* ((y - x1)^2 - (y - x0)^2) / (2 sigma^2), as the densities give it */
static void exact_gaussian(mpfr_t out, const output *o, double *size)
{
    mpfr_set_d(a, o->y, MPFR_RNDN);
    mpfr_sub_d(b, a, o->x1, MPFR_RNDN);
    mpfr_sub_d(a, a, o->x0, MPFR_RNDN);
    mpfr_sqr(c, b, MPFR_RNDN);
    mpfr_abs(b, b, MPFR_RNDN);
    mpfr_t d;
    mpfr_init2(d, BITS);
    mpfr_sqr(d, a, MPFR_RNDN);
    mpfr_sub(c, c, d, MPFR_RNDN);
    mpfr_abs(a, a, MPFR_RNDN);
    mpfr_add(b, b, a, MPFR_RNDN); /* |y - x0| + |y - x1| */
    mpfr_set_d(d, o->x1, MPFR_RNDN);
    mpfr_sub_d(d, d, o->x0, MPFR_RNDN);
    mpfr_mul(b, b, d, MPFR_RNDN);
    for (int i = 0; i < 2; i++) mpfr_div_d(c, c, o->scale, MPFR_RNDN), mpfr_div_d(b, b, o->scale, MPFR_RNDN);
    mpfr_div_ui(c, c, 2, MPFR_RNDN);
    mpfr_div_ui(b, b, 2, MPFR_RNDN);
    *size = fabs(mpfr_get_d(b, MPFR_RNDN));
    mpfr_set(out, c, MPFR_RNDN);
    mpfr_clear(d);
}

typedef void exact_loss(mpfr_t out, const output *o, double *size);

/* Error in units of 2^-53 size; losses beyond the range of doubles must be infinite, or nearly so. */
static double units(double got, const output *o, exact_loss *exact)
{
    double size;
    mpfr_t e;
    mpfr_init2(e, BITS);
    exact(e, o, &size);
    const double want = mpfr_get_d(e, MPFR_RNDN);
    mpfr_sub_d(e, e, got, MPFR_RNDN);
    const double error = fabs(mpfr_get_d(e, MPFR_RNDN));
    mpfr_clear(e);
    if (isinf(want) || isinf(got))
        return fabs(want) > 1.79e308 && fabs(got) > 1.79e308 && (want > 0) == (got > 0) ? 0.0 : INFINITY;
    if (error <= 0x1p-1072) return 0.0; /* subnormal: steps of the smallest number */
    return error / (0x1p-53 * size);
}

static double y[CASES], x0[CASES], x1[CASES], scale[CASES], loss[CASES], other[CASES];
static output all[CASES];

typedef simdp_status fixed_form(double *, const double *, size_t, double, double, double);
typedef simdp_status each_form(double *, const double *, const double *, const double *, const double *, size_t,
                               double);

static void check_law(const char *name, exact_loss *exact, fixed_form *fixed, each_form *each, double bound)
{
    double worst_fixed = 0.0, worst_arrays = 0.0;
    for (int i = 0; i < CASES; i++) {
        const output o = all[i] = any_output(i);
        y[i] = o.y, x0[i] = o.x0, x1[i] = o.x1, scale[i] = o.scale;
    }
    must(each(loss, y, x0, x1, scale, CASES, 0));
    for (int i = 0; i < CASES; i++) {
        double one, swapped;
        const output o = all[i];
        must(fixed(&one, &o.y, 1, o.x0, o.x1, o.scale));
        must(fixed(&swapped, &o.y, 1, o.x1, o.x0, o.scale));
        if (swapped != -one) fail_msg("%s: exchanged inputs give %.17g and %.17g", name, one, swapped);
        worst_fixed = fmax(worst_fixed, units(one, &o, exact));
        worst_arrays = fmax(worst_arrays, units(loss[i], &o, exact));
        must(each(&swapped, &o.y, &o.x0, &o.x1, NULL, 1, o.scale));
        assert_memory_equal(&swapped, &loss[i], sizeof swapped); /* whatever its neighbours */
    }
    print_message("%s: %.2f units with fixed inputs, %.2f with arrays\n", name, worst_fixed, worst_arrays);
    assert_true(worst_fixed <= bound && worst_arrays <= bound);
    must(each(other, y, x1, x0, scale, CASES, 0));
    for (int i = 0; i < CASES; i++) assert_true(other[i] == -loss[i]);
    /* control: a scale off by one part in 1e14 */
    double spoiled = 0.0;
    for (int i = 0; i < 64; i++) spoiled = fmax(spoiled, units(loss[i] * (1.0 + 1e-14), &all[i], exact));
    assert_true(spoiled > bound);
    /* in place */
    must(each(y, y, x0, x1, scale, CASES, 0));
    assert_memory_equal(y, loss, sizeof y);
}

static void test_laplace(void **state)
{
    (void)state;
    check_law("Laplace", exact_laplace, simdp_loss_laplace_f64, simdp_loss_laplace_f64_each, 4.0);
}

static void test_gaussian(void **state)
{
    (void)state;
    check_law("Gaussian", exact_gaussian, simdp_loss_gaussian_f64, simdp_loss_gaussian_f64_each, 8.0);
}

static void test_laplace_is_bounded(void **state)
{
    (void)state;
    for (int round = 0; round < 200; round++) {
        const output o = any_output(round % 2 ? 4 : 0);
        double most;
        for (int i = 0; i < CASES; i++) y[i] = o.x0 + signed_spread(1e-9, 30.0) * o.scale;
        must(simdp_loss_laplace_f64(loss, y, CASES, o.x0, o.x1, o.scale));
        y[0] = o.x1 > o.x0 ? -INFINITY : INFINITY;
        must(simdp_loss_laplace_f64(&most, y, 1, o.x0, o.x1, o.scale));
        for (int i = 0; i < CASES; i++) assert_true(fabs(loss[i]) <= most);
    }
}

static void test_floats(void **state)
{
    (void)state;
    static float single[CASES];
    for (int i = 0; i < CASES; i++) single[i] = (float)signed_spread(1e-20, 1e30), y[i] = (double)single[i];
    single[5] = NAN, y[5] = NAN, single[6] = INFINITY, y[6] = INFINITY;
    for (size_t n = 0; n < 40; n++) {
        must(simdp_loss_laplace_f32(loss, single, n, -1.5, 2.0, 3.0));
        must(simdp_loss_laplace_f64(other, y, n, -1.5, 2.0, 3.0));
        assert_memory_equal(loss, other, n * sizeof *loss);
        must(simdp_loss_gaussian_f32(loss, single, n, -1.5, 2.0, 3.0));
        must(simdp_loss_gaussian_f64(other, y, n, -1.5, 2.0, 3.0));
        assert_memory_equal(loss, other, n * sizeof *loss);
    }
}

/* Special values: y, x0, x1, scale, Laplace, Gaussian. */
static void test_edges(void **state)
{
    (void)state;
    static const double rows[][6] = {
        {NAN, 0, 1, 1, NAN, NAN},
        {INFINITY, 0, 1, 1, -1, -INFINITY},
        {-INFINITY, 0, 1, 1, 1, INFINITY},
        {INFINITY, 1, 0, 1, 1, INFINITY},
        {INFINITY, 1, 1, 1, 0, 0},
        {-INFINITY, 5, 5, 2, 0, 0},
        {0, INFINITY, 1, 1, NAN, NAN},
        {0, 0, -INFINITY, 1, NAN, NAN},
        {0, NAN, 1, 1, NAN, NAN},
        {0, 0, 1, 0, NAN, NAN},
        {0, 0, 1, -1, NAN, NAN},
        {0, 0, 1, NAN, NAN, NAN},
        {0, 0, 1, INFINITY, NAN, NAN},
        {0, 0, 1, 0x1p-901, NAN, NAN},
        {0, 0, 1, 0x1p+901, NAN, NAN},
        {DBL_MAX, -DBL_MAX, DBL_MAX, 0x1p+900, -0x1p+125 * 0x1.fffffffffffffp-1, -0x1.ffffffffffffep+248},
        {0, -DBL_MAX, DBL_MAX, 1, 0, 0},
        {DBL_MAX, 1, 2, 1, -1, -DBL_MAX},
        {-DBL_MAX, DBL_MAX, DBL_MAX, 1, 0, 0},
        {1e200, 0, 1e-300, 1e-200, -1e-100, -1e300},
    };
    enum { ROWS = sizeof rows / sizeof rows[0] };
    for (int i = 0; i < ROWS; i++) y[i] = rows[i][0], x0[i] = rows[i][1], x1[i] = rows[i][2], scale[i] = rows[i][3];
    /* some centres and scales are bad */
    assert_int_equal(simdp_loss_laplace_f64_each(loss, y, x0, x1, scale, ROWS, 0), SIMDP_EPARAM);
    assert_int_equal(simdp_loss_gaussian_f64_each(other, y, x0, x1, scale, ROWS, 0), SIMDP_EPARAM);
    for (int i = 0; i < ROWS; i++) {
        double fixed[2] = {-7.0, -7.0};
        const double want[2] = {rows[i][4], rows[i][5]}, got[2] = {loss[i], other[i]};
        const bool bad = !isfinite(x0[i]) || !isfinite(x1[i]) ||
                         !(scale[i] >= SIMDP_NOISE_SCALE_MIN && scale[i] <= SIMDP_NOISE_SCALE_MAX);
        assert_int_equal(simdp_loss_laplace_f64(&fixed[0], &y[i], 1, x0[i], x1[i], scale[i]),
                         bad ? SIMDP_EPARAM : SIMDP_OK);
        assert_int_equal(simdp_loss_gaussian_f64(&fixed[1], &y[i], 1, x0[i], x1[i], scale[i]),
                         bad ? SIMDP_EPARAM : SIMDP_OK);
        for (int law = 0; law < 2; law++) {
            const double value[2] = {got[law], bad ? want[law] : fixed[law]};
            if (bad) assert_true(fixed[law] == -7.0); /* untouched */
            for (int form = 0; form < 2; form++) {
                if (isnan(want[law])
                        ? isnan(value[form])
                        : value[form] == want[law] || fabs(value[form] - want[law]) <= 1e-15 * fabs(want[law]))
                    continue;
                fail_msg("row %d law %d form %d: %.17g, not %.17g", i, law, form, value[form], want[law]);
            }
        }
    }
}

static void test_randomized_response(void **state)
{
    (void)state;
    static uint8_t out[300];
    for (int i = 0; i < 300; i++) out[i] = (uint8_t)(i < 256 ? i : i % 4);
    for (int bit0 = 0; bit0 < 2; bit0++) {
        for (int bit1 = 0; bit1 < 2; bit1++) {
            for (size_t n = 0; n <= 300; n += n < 20 ? 1 : 40) {
                must(simdp_loss_randomized_response(loss, out, n, bit0, bit1, 1.25));
                must(simdp_loss_leaky_response(other, out, n, bit0, bit1, 1.25, 0.5));
                for (size_t i = 0; i < n; i++) {
                    const double plain = bit0 == bit1 ? 0.0 : out[i] == bit0 ? 1.25 : -1.25;
                    const double leak = bit0 == bit1 ? 0.0 : out[i] - 2 == bit0 ? INFINITY : -INFINITY;
                    assert_true(out[i] > 1 ? isnan(loss[i]) : loss[i] == plain);
                    assert_true(out[i] > 3 ? isnan(other[i]) : other[i] == (out[i] > 1 ? leak : plain));
                }
            }
        }
    }
    must(simdp_loss_leaky_response(other, out, 4, 0, 1, 1.25, 0.0));
    assert_true(other[0] == 1.25 && other[1] == -1.25 && other[2] == 0.0 && other[3] == 0.0);
    must(simdp_loss_leaky_response(other, out, 4, 0, 1, 1.25, 1.0));
    assert_true(other[0] == 0.0 && other[1] == 0.0 && other[2] == INFINITY && other[3] == -INFINITY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_laplace), cmocka_unit_test(test_gaussian), cmocka_unit_test(test_laplace_is_bounded),
        cmocka_unit_test(test_floats),  cmocka_unit_test(test_edges),    cmocka_unit_test(test_randomized_response),
    };
    mpfr_inits2(BITS, a, b, c, (mpfr_ptr)0);
    const int status = cmocka_run_group_tests_name("loss_reference", tests, NULL, NULL);
    mpfr_clears(a, b, c, (mpfr_ptr)0);
    return status;
}
