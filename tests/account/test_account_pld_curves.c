/* test_account_pld_curves: the shape of curves of privacy-loss distributions, and planted defects. */
#include "support/pld_support.h"

#include <math.h>

#include "account/pld.h"
#include "fft/fft.h"

/* ---- shape ---------------------------------------------------------------------------------------------------- */

/* Falling in epsilon, between 0 and 1, convex in exp(epsilon), lower below upper; questions and their inverses agree.
 */
static void shape_of_curves(void **state)
{
    (void)state;
    enum { N = 4000 };
    static double epsilon[N], lower[N], upper[N], log_lower[N], log_upper[N], back_lower[N], back_upper[N];
    for (int c = 0; c < 3; c++) {
        simdp_pld *pld = empty(1e-3);
        const double most = c == 0 ? 4.2 : 40;
        if (c == 0) must(simdp_pld_add_laplace(pld, 0.1, 41)); /* 4.1 is the largest loss */
        if (c == 1) must(simdp_pld_add_gaussian(pld, 4, 100));
        if (c == 2) must(simdp_pld_add_laplace(pld, 0.3, 30)), must(simdp_pld_add_gaussian(pld, 3, 20));
        compose(pld, 1e-150, 1);
        for (int i = 0; i < N; i++) epsilon[i] = most * i / (double)N;
        must(simdp_pld_delta(pld, lower, upper, epsilon, N));
        must(simdp_pld_log_delta(pld, log_lower, log_upper, epsilon, N));
        must(simdp_pld_epsilon(pld, back_lower, back_upper, upper, N));
        for (int i = 0; i < N; i++) {
            assert_true(0 <= lower[i] && lower[i] <= upper[i] && upper[i] <= 1);
            assert_true(fabs(exp(log_upper[i]) - upper[i]) <= 1e-12 * upper[i]);
            assert_true(fabs(exp(log_lower[i]) - lower[i]) <= 1e-12 * lower[i] + 1e-300);
            if (upper[i] > 1e-150) assert_true(upper[i] - lower[i] < 0.01 * upper[i] || upper[i] < 1e-12 * upper[0]);
            if (upper[i] > 1e-150)
                assert_true(fabs(back_upper[i] - epsilon[i]) < 1e-9 && back_lower[i] <= epsilon[i] + 1e-9);
            if (i > 0) assert_true(upper[i] <= upper[i - 1] * (1 + 1e-14) && lower[i] <= lower[i - 1] * (1 + 1e-14));
            if (i > 1 && upper[i] > 1e-150) {
                const double x = exp(epsilon[i - 2]), y = exp(epsilon[i - 1]), z = exp(epsilon[i]);
                assert_true((upper[i - 2] * (z - y) + upper[i] * (y - x)) / (z - x) >= upper[i - 1] * (1 - 1e-7));
            }
        }
        if (c == 0) assert_true(upper[N - 1] == 0);
        simdp_pld_destroy(pld);
    }
}

/* Bounds hold wherever they are asked, also outside the range of delta that was asked for. */
static void outside_the_range(void **state)
{
    (void)state;
    const double s = 6;
    simdp_pld *pld = empty(1e-3);
    must(simdp_pld_add_gaussian(pld, s, 50));
    for (double narrow = 1e-2; narrow > 1e-200; narrow *= 1e-21) {
        compose(pld, narrow, narrow);
        for (double epsilon = 0; epsilon < 60; epsilon += 0.37) {
            double lower, upper;
            const double exact = gaussian_log_delta(epsilon, s / sqrt(50));
            must(simdp_pld_log_delta(pld, &lower, &upper, &epsilon, 1));
            assert_true(lower <= exact && exact <= upper);
        }
        for (double l = -0.5; l > -290; l -= 3.3) {
            const double delta = pow(10, l), exact = gaussian_epsilon(delta, s / sqrt(50));
            double lower, upper;
            must(simdp_pld_epsilon(pld, &lower, &upper, &delta, 1));
            assert_true(lower <= exact && exact <= upper);
        }
    }
    simdp_pld_destroy(pld);
}

/* ---- planted defects ------------------------------------------------------------------------------------------ */

/* How often an upper curve of 40 Gaussians falls below the truth, over all epsilon of its window. */
static size_t violations(const pld_curve *curve, double grid, double s, double from, double to)
{
    size_t count = 0;
    for (double epsilon = from; epsilon < to; epsilon += (to - from) / 200)
        count += simdp_pld_log_finite(curve, true, grid, epsilon) < gaussian_log_delta(epsilon, s);
    return count;
}

static void forget_the_rest(pld_piece *p, double h)
{
    bool turned;
    const int64_t last = p->first + (int64_t)p->points - 1;
    const double above = p->at[simdp_fft_slot(p->points, simdp_pld_place(last, p->points, &turned))];
    for (int64_t i = p->first; i <= last; i++)
        p->at[simdp_fft_slot(p->points, simdp_pld_place(i, p->points, &turned))] -=
            above * exp(-p->tilt * (double)(last - i) * h);
    p->extra = p->extra_below = 0, p->log_absolute = -INFINITY;
}

/* Windows far too narrow, so that much lies above, below and wraps around: the bound must still be one, and must cease
 * to be one without the terms added for that, or with losses rounded down. */
static void defects_are_seen(void **state)
{
    (void)state;
    const double h = 1e-3, s = 10;
    pld_window window[PLD_PIECES_MOST];
    simdp_pld *pld = empty(h);
    must(simdp_pld_add_gaussian(pld, s, 40));
    assert_int_equal(simdp_pld_plan(pld, SIMDP_PLD_DOTS, 1e-6, 1e-6, window), 1);
    const int64_t centre = window[0].from, full = window[0].last - window[0].first;
    for (int64_t part = 1; part <= 4; part++) { /* quarters of the window that is right */
        pld_meter meter = {.total = 1, .mode = 0x1f80};
        pld_curve curve;
        pld_window narrow = window[0];
        narrow.last = centre + part * (window[0].last - centre) / 4;
        narrow.first = narrow.last - part * full / 4;
        narrow.whole_above = narrow.whole_below = false;
        const double from = fmax(0, (double)narrow.first * h), to = (double)narrow.last * h * 1.2, all = s / sqrt(40);
        must(simdp_pld_build(pld, &narrow, 1, SIMDP_PLD_DOTS, true, &meter, &curve));
        assert_int_equal(violations(&curve, h, all, from, to), 0);
        if (part <= 2) { /* forget what lies above the window, and what wraps around */
            forget_the_rest(&curve.piece[0], h);
            assert_true(violations(&curve, h, all, from, (double)narrow.last * h) > 20);
        }
        simdp_pld_curve_clear(&curve);
        must(simdp_pld_build(pld, &narrow, 1, SIMDP_PLD_DOWN, true, &meter, &curve));
        if (part == 4) assert_true(violations(&curve, h, all, from, (double)window[0].last * h) > 20);
        simdp_pld_curve_clear(&curve);
        must(simdp_pld_build(pld, &narrow, 1, SIMDP_PLD_BINS, true, &meter, &curve));
        if (part == 4) assert_true(violations(&curve, h, all, from, (double)window[0].last * h) > 20);
        simdp_pld_curve_clear(&curve);
    }
    simdp_pld_destroy(pld);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shape_of_curves),
        cmocka_unit_test(outside_the_range),
        cmocka_unit_test(defects_are_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
