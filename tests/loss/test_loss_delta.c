/* test_loss_delta: privacy curves against MPFR over their whole domains, at their edges, and as functions of
 * epsilon. */
#include <float.h>
#include <math.h>
#include <mpfr.h>

#include "reference/gaussian_curve.h"
#include "support/laws.h"
#include "support/random_numbers.h"

#define BITS 260 /* the textbook form cancels up to 2^60 */
enum { CASES = 2400 };

static mpfr_t a, b, c, d; /* scratch; made and freed by main */

static double relative_error(double got, mpfr_t exact)
{
    mpfr_d_div(c, got, exact, MPFR_RNDN);
    mpfr_sub_ui(c, c, 1, MPFR_RNDN);
    return fabs(mpfr_get_d(c, MPFR_RNDN));
}

/* Arguments of all kinds: everyday ones, wide ones, and such that delta is anywhere down to 1e-300. */
static void gaussian_arguments(double *epsilon, double *s, int i)
{
    if (i % 3 == 0) {
        *s = uniform(0.3, 4.0);
        *epsilon = uniform(0.0, 5.0);
    } else if (i % 3 == 1) {
        *s = spread(1e-6, 1e6);
        *epsilon = i % 2 ? spread(1e-9, 1000.0) : 0.0;
    } else {
        *s = spread(0.01, 1e6);
        *epsilon = fmax(0.0, (uniform(-4.0, 37.0) + 0.5 / *s) / *s);
    }
}

static double epsilon[CASES], s[CASES], delta[CASES], fixed[CASES];

/* spoil: relative error put into the answers, for the control */
static double worst_gaussian(double spoil, double least)
{
    double worst = 0.0;
    for (int i = 0; i < CASES; i++) {
        gaussian_curve(a, epsilon[i], s[i], 1.0);
        const double want = mpfr_get_d(a, MPFR_RNDN);
        assert_true(delta[i] >= 0.0 && delta[i] <= 1.0);
        if (want < least) assert_true(delta[i] <= 2.0 * least);
        else worst = fmax(worst, relative_error(delta[i] * (1.0 + spoil), a));
    }
    return worst;
}

static void test_gaussian(void **state)
{
    (void)state;
    for (int i = 0; i < CASES; i++) gaussian_arguments(&epsilon[i], &s[i], i);
    must(simdp_loss_delta_each(delta, epsilon, s, CASES, law_gaussian(0)));
    const double worst = worst_gaussian(0.0, 0x1p-1000);
    print_message("Gaussian delta: relative error %.2e\n", worst);
    assert_true(worst < 1e-14);
    assert_true(worst_gaussian(2e-14, 0x1p-1000) > 1e-14);
    /* one s for all, and arrays of it, give the same bits */
    for (int i = 0; i < CASES; i++) s[i] = s[7];
    must(simdp_delta_gaussian(fixed, epsilon, CASES, s[7]));
    must(simdp_loss_delta_each(delta, epsilon, s, CASES, law_gaussian(0)));
    assert_memory_equal(fixed, delta, sizeof fixed);
}

/* Far beyond any use, too. (Past 1e9, e^epsilon leaves MPFR's range.) */
static void test_gaussian_huge_epsilon(void **state)
{
    (void)state;
    for (int i = 0; i < CASES; i++) {
        s[i] = spread(3e-5, 0.007);
        epsilon[i] = (uniform(-4.0, 37.0) + 0.5 / s[i]) / s[i]; /* 1e4 to 5e8 */
    }
    must(simdp_loss_delta_each(delta, epsilon, s, CASES, law_gaussian(0)));
    for (int i = 0; i < CASES; i += 20) {
        gaussian_curve(a, epsilon[i], s[i], 1.0);
        if (mpfr_get_d(a, MPFR_RNDN) < 0x1p-1000) continue;
        assert_true(relative_error(delta[i], a) < 1e-14);
    }
}

static void test_laplace(void **state)
{
    (void)state;
    static double t[CASES];
    double worst = 0.0;
    for (int i = 0; i < CASES; i++) {
        t[i] = i % 2 ? spread(1e-12, 1000.0) : uniform(0.0, 10.0);
        epsilon[i] = i % 3 == 0 ? t[i] * uniform(0.0, 1.2) : i % 3 == 1 ? nextafter(t[i], 0.0) : spread(1e-9, 1000.0);
    }
    must(simdp_loss_delta_each(delta, epsilon, t, CASES, law_laplace(0)));
    for (int i = 0; i < CASES; i++) {
        if (epsilon[i] >= t[i]) {
            assert_true(delta[i] == 0.0);
            continue;
        }
        mpfr_set_d(a, epsilon[i], MPFR_RNDN);
        mpfr_sub_d(a, a, t[i], MPFR_RNDN);
        mpfr_div_ui(a, a, 2, MPFR_RNDN);
        mpfr_expm1(a, a, MPFR_RNDN);
        mpfr_neg(a, a, MPFR_RNDN);
        const double want = mpfr_get_d(a, MPFR_RNDN);
        mpfr_sub_d(a, a, delta[i], MPFR_RNDN);
        worst = fmax(worst, fabs(mpfr_get_d(a, MPFR_RNDN)) / (nextafter(want, 2.0) - want));
    }
    print_message("Laplace delta: %.2f ulp\n", worst);
    assert_true(worst <= 4.0);
}

static void test_edges(void **state)
{
    (void)state;
    /* epsilon, parameter, Gaussian, Laplace */
    static const double rows[][4] = {
        {0, 0, 1, 0},
        {1, 0, 1, 0},
        {700, 0, 1, 0},
        {INFINITY, 1, 0, 0},
        {0, INFINITY, 0, 1},
        {1, INFINITY, 0, 1},
        {INFINITY, INFINITY, 0, 0},
        {-1, 1, NAN, NAN},
        {NAN, 1, NAN, NAN},
        {1, NAN, NAN, NAN},
        {1, -1, NAN, NAN},
        {-0.0, 1e300, 0, 1},
        {1e300, 1e-300, 1, 0},
        {1000, 1, 0, 0},
        {1e300, 1, 0, 0},
        {0, 5e-324, 1, 0},
        {1e4, 1e-6, 1, 0},
        {-5e-324, 1, NAN, NAN},
        {710, 10, 0, 0},
        {1, 1, 0.12693673750664395, 0},
    };
    enum { ROWS = sizeof rows / sizeof rows[0] };
    double e[ROWS], p[ROWS], g[ROWS], l[ROWS];
    for (int i = 0; i < ROWS; i++) e[i] = rows[i][0], p[i] = rows[i][1];
    assert_int_equal(simdp_loss_delta_each(g, e, p, ROWS, law_gaussian(0)), SIMDP_EPARAM); /* some rows are bad */
    assert_int_equal(simdp_loss_delta_each(l, e, p, ROWS, law_laplace(0)), SIMDP_EPARAM);
    for (int i = 0; i < ROWS; i++) {
        if (isnan(rows[i][2]) ? !isnan(g[i]) : !(fabs(g[i] - rows[i][2]) <= 1e-15 * rows[i][2]))
            fail_msg("Gaussian delta(%g, %g) is %.17g", e[i], p[i], g[i]);
        if (isnan(rows[i][3]) ? !isnan(l[i]) : l[i] != rows[i][3])
            fail_msg("Laplace delta(%g, %g) is %.17g", e[i], p[i], l[i]);
        double one, other;
        const simdp_status status = simdp_delta_gaussian(&one, &e[i], 1, p[i]);
        assert_int_equal(status, p[i] >= 0 && e[i] >= 0 ? SIMDP_OK : SIMDP_EPARAM);
        assert_int_equal(simdp_delta_laplace(&other, &e[i], 1, p[i]), status);
        assert_true((isnan(one) && isnan(g[i])) || one == g[i]);
        assert_true((isnan(other) && isnan(l[i])) || other == l[i]);
    }
}

/* Non-increasing in epsilon up to rounding, P[L > epsilon] above it, delta(0) = TV, in place. */
static void test_properties(void **state)
{
    (void)state;
    for (int round = 0; round < 40; round++) {
        const double noise = spread(1e-3, 1e3), step = 12.0 / noise / (double)CASES;
        for (int i = 0; i < CASES; i++) epsilon[i] = step * i;
        must(simdp_delta_gaussian(delta, epsilon, CASES, noise));
        for (int i = 1; i < CASES; i++) assert_true(delta[i] <= delta[i - 1] * (1.0 + 1e-13));
        assert_true(fabs(delta[0] / erf(0.5 / noise * sqrt(0.5)) - 1.0) < 1e-14);
        for (int i = 0; i < CASES; i += 7)
            assert_true(delta[i] <= 0.5 * erfc((epsilon[i] * noise - 0.5 / noise) * sqrt(0.5)) * (1.0 + 1e-12));
        memcpy(fixed, epsilon, sizeof fixed);
        must(simdp_delta_gaussian(fixed, fixed, CASES, noise));
        assert_memory_equal(fixed, delta, sizeof fixed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gaussian),   cmocka_unit_test(test_gaussian_huge_epsilon),
        cmocka_unit_test(test_laplace),    cmocka_unit_test(test_edges),
        cmocka_unit_test(test_properties),
    };
    mpfr_inits2(BITS, a, b, c, d, (mpfr_ptr)0);
    const int status = cmocka_run_group_tests_name("loss_delta", tests, NULL, NULL);
    mpfr_clears(a, b, c, d, (mpfr_ptr)0);
    return status;
}
