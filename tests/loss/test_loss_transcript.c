/* test_loss_transcript: compensated sums, rows of mixed mechanisms, and the loss of selections, against MPFR. */
#include <math.h>
#include <mpfr.h>

#include "support/random_numbers.h"

#define BITS 600
enum { MOST = 3000 };

static mpfr_t a, b, c, total; /* scratch; made and freed by main */
static double x[MOST], y[MOST], loss[MOST];

static void exact_sum(mpfr_t out, const double *values, size_t n)
{
    mpfr_set_ui(out, 0, MPFR_RNDN);
    for (size_t i = 0; i < n; i++) mpfr_add_d(out, out, values[i], MPFR_RNDN);
}

/* |got - exact| against one rounding of the result and 2^-104 n of the sum of sizes */
static void check_sum(double got, mpfr_t exact, double size, size_t n)
{
    mpfr_sub_d(c, exact, got, MPFR_RNDN);
    const double error = fabs(mpfr_get_d(c, MPFR_RNDN)), want = mpfr_get_d(exact, MPFR_RNDN);
    if (!(error <= 0x1.0001p-53 * fabs(want) + 0x1p-104 * (double)n * size)) fail_msg("%.17g, not %.17g", got, want);
}

static void test_sums(void **state)
{
    (void)state;
    for (size_t n = 0; n <= MOST; n += n < 30 ? 1 : 371) {
        double size = 0.0, got;
        for (size_t i = 0; i < n; i++) { /* large numbers that cancel, and small ones that must survive */
            x[i] = i % 3 == 0 ? uniform(1e15, 1e16) : i % 3 == 1 ? -x[i - 1] : uniform(-1.0, 1.0);
            size += fabs(x[i]);
        }
        must(simdp_loss_sum(&got, x, 1, n));
        exact_sum(total, x, n);
        check_sum(got, total, size, n);
        if (n < 30) continue;
        double plain = 0.0; /* control: what the test must tell from a compensated sum */
        for (size_t i = 0; i < n; i++) plain += x[i];
        assert_true(fabs(plain - got) > 1e-3);
    }
}

static void test_infinite_sums(void **state)
{
    (void)state;
    double got;
    for (size_t n = 1; n < 40; n += 3) {
        for (size_t i = 0; i < n; i++) x[i] = 1.0;
        x[n / 2] = INFINITY;
        must(simdp_loss_sum(&got, x, 1, n));
        assert_true(got == INFINITY);
        x[n / 2] = -INFINITY;
        must(simdp_loss_sum(&got, x, 1, n));
        assert_true(got == -INFINITY);
        x[n / 2] = NAN;
        must(simdp_loss_sum(&got, x, 1, n));
        assert_true(isnan(got));
    }
}

/* simdp_loss_sum_outputs gives the sum of what the functions of outputs store. */
static void test_sums_of_losses(void **state)
{
    (void)state;
    static double bits[MOST];
    for (size_t i = 0; i < MOST; i++) y[i] = uniform(-20.0, 20.0), bits[i] = (double)(test_random(&seed) & 1);
    for (size_t n = 0; n <= MOST; n += n < 20 ? 1 : 497) {
        double got, want;
#define SAME(law, name)                                                                                     \
    do {                                                                                                    \
        must(simdp_loss_##law##_f64(loss, y, n, 0.5, 1.5, 2.0));                                            \
        must(simdp_loss_sum(&want, loss, 1, n));                                                            \
        must(simdp_loss_sum_outputs(&got, y, n, (simdp_loss_step){SIMDP_MECHANISM_##name, 0.5, 1.5, 2.0})); \
        assert_memory_equal(&got, &want, sizeof got);                                                       \
    } while (0)
        SAME(laplace, LAPLACE);
        SAME(gaussian, GAUSSIAN);
#undef SAME
        for (size_t i = 0; i < n; i++) loss[i] = bits[i] == 1.0 ? 0.7 : -0.7;
        must(simdp_loss_sum(&want, loss, 1, n));
        must(simdp_loss_sum_outputs(&got, bits, n, (simdp_loss_step){SIMDP_MECHANISM_RANDOMIZED_RESPONSE, 1, 0, 0.7}));
        assert_memory_equal(&got, &want, sizeof got);
    }
}

/* ---- rows ---- */

static double one_loss(const simdp_loss_step *s, double out)
{
    double value;
    const uint8_t bit = (uint8_t)out;
    if (s->mechanism == SIMDP_MECHANISM_LAPLACE) must(simdp_loss_laplace_f64(&value, &out, 1, s->x0, s->x1, s->scale));
    else if (s->mechanism == SIMDP_MECHANISM_GAUSSIAN)
        must(simdp_loss_gaussian_f64(&value, &out, 1, s->x0, s->x1, s->scale));
    else must(simdp_loss_randomized_response(&value, &bit, 1, (int)s->x0, (int)s->x1, s->scale));
    return value;
}

static void test_transcripts(void **state)
{
    (void)state;
    static const int kinds[3] = {SIMDP_MECHANISM_LAPLACE, SIMDP_MECHANISM_GAUSSIAN,
                                 SIMDP_MECHANISM_RANDOMIZED_RESPONSE};
    static simdp_loss_step steps[150];
    static double out[131 * 150], row[150], rows_loss[131], sums[131];
    for (size_t k = 0; k <= 150; k += k < 20 ? 1 : 26) {
        for (size_t j = 0; j < k; j++) {
            steps[j] =
                (simdp_loss_step){kinds[test_random(&seed) % 3], uniform(-5, 5), uniform(-5, 5), uniform(0.1, 10)};
            if (steps[j].mechanism == SIMDP_MECHANISM_RANDOMIZED_RESPONSE)
                steps[j].x0 = (double)(j % 2), steps[j].x1 = (double)(j / 2 % 2);
        }
        for (size_t i = 0; i < 131 * k; i++) {
            const bool bit = steps[i % k].mechanism == SIMDP_MECHANISM_RANDOMIZED_RESPONSE;
            out[i] = bit ? (double)(test_random(&seed) & 1) : uniform(-20, 20);
        }
        must(simdp_loss_transcripts(rows_loss, out, 131, steps, k));
        for (size_t r = 0; r < 131; r++) {
            double want;
            for (size_t j = 0; j < k; j++) row[j] = one_loss(&steps[j], out[r * k + j]);
            must(simdp_loss_sum(&want, row, 1, k));
            assert_true(rows_loss[r] == want);
            memcpy(loss + (r * k) % (MOST - 150), row, k * sizeof *row);
        }
        /* a matrix of losses, row by row */
        if (k * 7 <= MOST) {
            must(simdp_loss_sum(sums, loss, 7, k));
            for (size_t r = 0; r < 7; r++) {
                double want;
                must(simdp_loss_sum(&want, loss + r * k, 1, k));
                assert_true(sums[r] == want);
            }
        }
    }
    /* a step that is none */
    steps[3].mechanism = 'X';
    rows_loss[0] = -7.0;
    assert_int_equal(simdp_loss_transcripts(rows_loss, out, 1, steps, 5), SIMDP_EPARAM);
    steps[3] = (simdp_loss_step){SIMDP_MECHANISM_RANDOMIZED_RESPONSE, 0.5, 0, 1};
    assert_int_equal(simdp_loss_transcripts(rows_loss, out, 1, steps, 5), SIMDP_EPARAM);
    assert_true(rows_loss[0] == -7.0);
}

/* ---- selection ---- */

static void log_probability(mpfr_t out, const double *scores, size_t n, double scale, size_t r)
{
    mpfr_set_ui(a, 0, MPFR_RNDN);
    for (size_t i = 0; i < n; i++) {
        if (!(scores[i] > -INFINITY)) continue;
        mpfr_set_d(b, scores[i], MPFR_RNDN);
        mpfr_sub_d(b, b, scores[r], MPFR_RNDN);
        mpfr_div_d(b, b, scale, MPFR_RNDN);
        mpfr_exp(b, b, MPFR_RNDN);
        mpfr_add(a, a, b, MPFR_RNDN);
    }
    mpfr_log(out, a, MPFR_RNDN);
    mpfr_neg(out, out, MPFR_RNDN);
}

static void test_selection(void **state)
{
    (void)state;
    static double scores0[700], scores1[700];
    static size_t chosen[700];
    double worst = 0.0;
    for (int round = 0; round < 40; round++) {
        const size_t n = (size_t)(1 + test_random(&seed) % (round < 30 ? 40 : 700));
        const double scale = exp(uniform(-3.0, 4.0)), base = round % 3 == 0 ? 1e6 * scale : 0.0,
                     reach = uniform(0.1, 30.0) * scale;
        double largest = 0.0;
        for (size_t i = 0; i < n; i++) {
            scores0[i] = base + uniform(-reach, reach);
            scores1[i] = scores0[i] + uniform(-1.0, 1.0) * scale * (round % 2 ? 1e-5 : 1.0);
            chosen[i] = i;
        }
        must(simdp_loss_selection(loss, chosen, n, scores0, scores1, n, scale));
        for (size_t i = 0; i < n; i++) largest = fmax(largest, fabs(loss[i]));
        for (size_t r = 0; r < n; r += round < 30 ? 1 : 57) {
            log_probability(total, scores0, n, scale, r);
            log_probability(c, scores1, n, scale, r);
            mpfr_sub(total, total, c, MPFR_RNDN);
            mpfr_sub_d(total, total, loss[r], MPFR_RNDN);
            worst = fmax(worst, fabs(mpfr_get_d(total, MPFR_RNDN)) / (1.0 + largest));
        }
        /* exchanged inputs; every loss within the range of score differences */
        must(simdp_loss_selection(y, chosen, n, scores1, scores0, n, scale));
        for (size_t i = 0; i < n; i++) assert_true(fabs(y[i] + loss[i]) <= 1e-15 * (1.0 + largest));
    }
    print_message("selection: error %.2e of 1 + largest loss\n", worst);
    assert_true(worst <= 1e-15);
}

static void test_selection_edges(void **state)
{
    (void)state;
    const double inf = INFINITY;
    const double s0[6] = {1.0, -inf, NAN, 2.0, -inf, 0.0}, s1[6] = {1.0, 0.5, NAN, -inf, -inf, 0.0};
    const size_t chosen[8] = {0, 1, 2, 3, 4, 5, 6, SIZE_MAX};
    double l[8];
    must(simdp_loss_selection(l, chosen, 8, s0, s1, 6, 1.0));
    const double z0 = exp(1) + exp(2) + 1, z1 = exp(1) + exp(0.5) + 1;
    assert_true(fabs(l[0] - log(z1 / z0)) < 1e-15 && l[1] == -inf && l[2] == 0.0 && l[3] == inf && l[4] == 0.0);
    assert_true(fabs(l[5] - log(z1 / z0)) < 1e-15 && isnan(l[6]) && isnan(l[7]));

    /* one certain index against a spread law, and against another certain one */
    const double sure[6] = {0.0, inf, inf, 0.0, 1.0, 2.0}, none[6] = {-inf, NAN, -inf, -inf, NAN, NAN};
    must(simdp_loss_selection(l, chosen, 6, sure, s1, 6, 1.0));
    assert_true(l[0] == -inf && fabs(l[1] - log(z1 / exp(0.5))) < 1e-15 && l[2] == 0.0 && l[3] == 0.0 && l[5] == -inf);
    must(simdp_loss_selection(l, chosen, 6, s1, sure, 6, 1.0));
    assert_true(l[0] == inf && fabs(l[1] + log(z1 / exp(0.5))) < 1e-15);
    must(simdp_loss_selection(l, chosen, 6, sure, none, 6, 1.0));
    assert_true(l[0] == -inf && l[1] == inf && l[2] == 0.0);
    must(simdp_loss_selection(l, chosen, 6, sure, sure, 6, 1.0));
    for (int i = 0; i < 6; i++) assert_true(l[i] == 0.0);
    must(simdp_loss_selection(l, chosen, 2, NULL, NULL, 0, 1.0));
    assert_true(isnan(l[0]) && isnan(l[1]));
    /* scores as far apart as doubles go */
    const double wide0[2] = {1e308, -1e308}, wide1[2] = {1e308, 1e308};
    must(simdp_loss_selection(l, chosen, 2, wide0, wide1, 2, 1.0));
    assert_true(fabs(l[0] - log(2.0)) < 1e-15 && l[1] < -1e307);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums),           cmocka_unit_test(test_infinite_sums),
        cmocka_unit_test(test_sums_of_losses), cmocka_unit_test(test_transcripts),
        cmocka_unit_test(test_selection),      cmocka_unit_test(test_selection_edges),
    };
    mpfr_inits2(BITS, a, b, c, total, (mpfr_ptr)0);
    const int status = cmocka_run_group_tests_name("loss_transcript", tests, NULL, NULL);
    mpfr_clears(a, b, c, total, (mpfr_ptr)0);
    return status;
}
