/* test_fft_values: transforms against sums in long double, products against products, and the error bound they
 * promise. */
#include "support/test_support.h"

#include <math.h>

#include "fft/fft.h"

static const long double pi = 3.14159265358979323846264338327950288L;

static double *sequence(size_t points, uint64_t seed, double *sum)
{
    double *x = simdp_fft_alloc(points);
    assert_non_null(x);
    *sum = 0;
    for (size_t i = 0; i < points; i++) {
        x[i] = ((double)(test_random(&seed) >> 11) - 0x1p52) * 0x1p-52;
        *sum += fabs(x[i]);
    }
    return x;
}

/* Spectrum values come in an order of their own: each must be that of the polynomial at some root of t^N = -1 with
 * t^(N/2) = i, each root once. */
static void values_of_the_polynomial(void **state)
{
    (void)state;
    static const size_t wanted[] = {1, 3, 5, 9, 17, 40, 65, 224, 600, 700, 1000, 5000, 18500, 20000, 40000};
    for (size_t c = 0; c < sizeof wanted / sizeof wanted[0]; c++) {
        const size_t points = simdp_fft_points(wanted[c]), half = points / 2;
        double sum;
        double *x = sequence(points, 77 + c, &sum), *z = simdp_fft_alloc(points);
        assert_true(points >= wanted[c] && points % 2 == 0 && z != NULL);
        memcpy(z, x, points * sizeof *x);
        simdp_fft *fft;
        must(simdp_fft_create(&fft, points));
        simdp_fft_forward(fft, z);
        /* the transform of a shifted one tells which root each place belongs to */
        double *unit = simdp_fft_alloc(points);
        memset(unit, 0, points * sizeof *unit);
        unit[simdp_fft_slot(points, 1)] = 1;
        simdp_fft_forward(fft, unit);
        uint8_t *seen = calloc(half, 1);
        double worst = 0;
        const size_t step = half > 500 ? half / 61 : 1; /* sums are slow */
        for (size_t f = 0; f < half; f++) {
            const size_t re_at = simdp_fft_place(points, f), im_at = re_at + simdp_fft_group(points);
            const long double angle =
                atan2l(unit[im_at], unit[re_at]) / pi * points; /* 1 + 4 (a whole number), modulo 2 N */
            const long turn = lroundl((angle - 1) / 4), whole = (turn % (long)half + (long)half) % (long)half;
            assert_true(fabsl(angle - 1 - 4 * turn) < 1e-6 && !seen[whole]);
            seen[whole] = 1;
            const long double root = pi * (1 + 4 * whole) / points;
            const double unit_error = (double)hypotl(cosl(root) - unit[re_at], sinl(root) - unit[im_at]);
            if (unit_error > worst) worst = unit_error;
            if (f % step != 0) continue;
            long double re = 0, im = 0;
            for (size_t j = 0; j < points; j++) {
                const size_t m = j * (1 + 4 * (size_t)whole) % (2 * points);
                const double v = x[simdp_fft_slot(points, j)];
                re += v * cosl(pi * m / points), im += v * sinl(pi * m / points);
            }
            const double error = (double)hypotl(re - z[re_at], im - z[im_at]) / sum;
            if (error > worst) worst = error;
        }
        print_message("%zu points: worst error %.2g of the sum of moduli, bound %.2g\n", points, worst,
                      simdp_fft_error(fft));
        assert_true(worst <= simdp_fft_error(fft) + 0x1p-60); /* the sums are rounded too */
        simdp_fft_destroy(fft);
        simdp_fft_free(x), simdp_fft_free(z), simdp_fft_free(unit), free(seen);
    }
}

/* (sparse) times (dense) modulo t^N + 1, all the way there and back. */
static void products_turn_signs(void **state)
{
    (void)state;
    static const size_t wanted[] = {8, 100, 3000, 60000, 300000, 1200000};
    for (size_t c = 0; c < sizeof wanted / sizeof wanted[0]; c++) {
        const size_t points = simdp_fft_points(wanted[c]), shift[] = {3, points - 1};
        const double factor[] = {0.5, -0.25};
        double sum, worst = 0;
        double *x = sequence(points, 99 + c, &sum), *product = simdp_fft_alloc(points),
               *sparse = simdp_fft_alloc(points);
        assert_true(product != NULL && sparse != NULL);
        memcpy(product, x, points * sizeof *x);
        memset(sparse, 0, points * sizeof *sparse);
        for (int k = 0; k < 2; k++) sparse[simdp_fft_slot(points, shift[k])] = factor[k];
        simdp_fft *fft;
        must(simdp_fft_create(&fft, points));
        simdp_fft_forward(fft, product);
        simdp_fft_forward(fft, sparse);
        for (size_t f = 0; f < points / 2; f++) {
            const size_t i = simdp_fft_place(points, f), k = i + simdp_fft_group(points);
            const double re = product[i] * sparse[i] - product[k] * sparse[k];
            product[k] = product[i] * sparse[k] + product[k] * sparse[i];
            product[i] = re;
        }
        simdp_fft_backward(fft, product);
        for (size_t j = 0; j < points; j++) {
            double want = 0;
            for (int k = 0; k < 2; k++) {
                const bool wraps = j < shift[k];
                const double v = x[simdp_fft_slot(points, wraps ? j + points - shift[k] : j - shift[k])];
                want += factor[k] * (wraps ? -v : v);
            }
            const double error = fabs(product[simdp_fft_slot(points, j)] * 2 / (double)points - want);
            if (error > worst) worst = error;
        }
        assert_true(worst < 1e-14);
        simdp_fft_destroy(fft);
        simdp_fft_free(x), simdp_fft_free(product), simdp_fft_free(sparse);
    }
}

static void lengths(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int i = 0; i < 10000; i++) {
        const size_t least = (size_t)(test_random(&seed) >> 36 >> (test_random(&seed) % 28)) % FFT_POINTS_MOST + 1;
        const size_t points = simdp_fft_points(least);
        assert_true(points >= least && points % 2 == 0 &&
                    (points <= 512 ? points < 2 * least || points == 2 : points <= least + least / 3));
    }
    assert_int_equal(simdp_fft_points(FFT_POINTS_MOST + 1), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_of_the_polynomial),
        cmocka_unit_test(products_turn_signs),
        cmocka_unit_test(lengths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
