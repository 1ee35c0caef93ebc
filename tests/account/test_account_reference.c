/* test_account_reference: Gaussian calibration, optimal composition and composed Laplace noise against their
 * definitions in MPFR, at the places where other accountants overflow, lose the tail, or promise too much. */
#include <math.h>
#include <mpfr.h>

#include "reference/gaussian_curve.h"
#include "support/random_numbers.h"
#include "support/laws.h"

#define BITS  700
#define UP_TO 500 /* steps of composed Laplace noise */

static mpfr_t a, b, c, d; /* scratch; made and freed by main */

/* got/exact - 1 */
static double excess_of(double got, mpfr_t exact)
{
    mpfr_set_d(d, got, MPFR_RNDN);
    mpfr_sub(d, d, exact, MPFR_RNDN);
    mpfr_div(d, d, exact, MPFR_RNDN);
    return mpfr_get_d(d, MPFR_RNDN);
}

/* ---- Gaussian: Phi(1/(2s) - epsilon s) - e^epsilon Phi(-1/(2s) - epsilon s) ---- */

/* Enough noise, and not a 1e-11th more than enough. */
static bool sigma_is_right(double epsilon, double delta, double s)
{
    mpfr_t exact;
    mpfr_init2(exact, BITS);
    gaussian_curve(exact, epsilon, s, 1.0);
    const bool enough = mpfr_cmp_d(exact, delta) <= 0;
    gaussian_curve(exact, epsilon, s * (1 - 1e-11), 1.0);
    const bool needed = mpfr_cmp_d(exact, delta) > 0;
    mpfr_clear(exact);
    return enough && needed;
}

static void gaussian_calibration(void **state)
{
    (void)state;
    const double rows[][2] = {{1, 1e-15}, {1, 1e-18}, {0.1, 1e-15},  {10, 1e-18}, {800, 1e-6},    {800, 1e-300},
                              {0, 1e-15}, {0, 0.5},   {1e-9, 1e-12}, {700, 0.9},  {1e-3, 1e-300}, {5, 0.999}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0] + 150; i++) {
        const bool listed = i < sizeof rows / sizeof rows[0];
        const double epsilon = listed ? rows[i][0] : spread(1e-4, 800),
                     delta = listed ? rows[i][1] : spread(1e-200, 0.9);
        double s, back, below;
        must(simdp_account_noise(&s, &epsilon, &delta, 1, law_gaussian(0)));
        if (!sigma_is_right(epsilon, delta, s)) fail_msg("epsilon %g, delta %g: sigma %.17g", epsilon, delta, s);
        /* epsilon for a given sigma: likewise */
        mpfr_t exact;
        mpfr_init2(exact, BITS);
        const double given = listed ? s : spread(1e-3, 1e3);
        must(simdp_account_epsilon(&back, &delta, 1, law_gaussian(given)));
        gaussian_curve(exact, back, given, 1.0);
        if (mpfr_cmp_d(exact, delta) > 0) fail_msg("delta %g, s %g: epsilon %.17g is too small", delta, given, back);
        below = back * (1 - 1e-9) - 1e-12;
        if (below > 0) gaussian_curve(exact, below, given, 1.0), assert_true(mpfr_cmp_d(exact, delta) > 0);
        mpfr_clear(exact);
    }
    /* the check itself: a little less noise, or a little more, is noticed */
    double s;
    const double one = 1, delta = 1e-18;
    must(simdp_account_noise(&s, &one, &delta, 1, law_gaussian(0)));
    assert_false(sigma_is_right(one, delta, s * (1 - 1e-12)));
    assert_false(sigma_is_right(one, delta, s * (1 + 3e-11)));
}

/* ---- the worst case of k steps, by its sum ---- */

static void exact_optimal(mpfr_t out, double epsilon, double leak, int k, double g)
{
    mpfr_t weight, odds, level, term;
    mpfr_inits2(200, weight, odds, level, term, (mpfr_ptr)0);
    mpfr_set_d(odds, -epsilon, MPFR_RNDN);
    mpfr_exp(odds, odds, MPFR_RNDN);
    mpfr_log1p(weight, odds, MPFR_RNDN);
    mpfr_mul_si(weight, weight, -k, MPFR_RNDN);
    mpfr_exp(weight, weight, MPFR_RNDN); /* (1+e^-epsilon)^-k: no flip */
    mpfr_set_zero(out, 1);
    for (int l = 0; l <= k; l++) {
        mpfr_set_d(level, epsilon, MPFR_RNDN);
        mpfr_mul_si(level, level, k - 2 * l, MPFR_RNDN);
        mpfr_d_sub(level, g, level, MPFR_RNDN);
        if (mpfr_sgn(level) >= 0) break;
        mpfr_expm1(term, level, MPFR_RNDN);
        mpfr_mul(term, term, weight, MPFR_RNDN);
        mpfr_sub(out, out, term, MPFR_RNDN);
        mpfr_mul(weight, weight, odds, MPFR_RNDN);
        mpfr_mul_si(weight, weight, k - l, MPFR_RNDN);
        mpfr_div_si(weight, weight, l + 1, MPFR_RNDN);
    }
    if (leak > 0) { /* 1 - (1-leak)^k (1 - out) */
        mpfr_set_d(term, -leak, MPFR_RNDN);
        mpfr_log1p(term, term, MPFR_RNDN);
        mpfr_mul_si(term, term, k, MPFR_RNDN);
        mpfr_expm1(term, term, MPFR_RNDN); /* kept - 1 */
        mpfr_ui_sub(level, 1, out, MPFR_RNDN);
        mpfr_mul(term, term, level, MPFR_RNDN);
        mpfr_sub(out, out, term, MPFR_RNDN);
    }
    mpfr_clears(weight, odds, level, term, (mpfr_ptr)0);
}

static void check_optimal(double epsilon, double leak, int k, double target)
{
    const simdp_privacy step = {epsilon, leak};
    double g, delta, below;
    mpfr_t exact;
    mpfr_init2(exact, 200);
    must(simdp_account_exact_epsilon(&g, &target, 1, law_leaky(step.epsilon, step.delta), k));
    if (g < INFINITY) {
        exact_optimal(exact, epsilon, leak, k, g);
        if (mpfr_cmp_d(exact, target) > 0)
            fail_msg("(%g, %g) x %d at %g: epsilon %.17g is too small", epsilon, leak, k, target, g);
        below = g * (1 - 1e-8);
        exact_optimal(exact, epsilon, leak, k, below);
        if (g > 0 && mpfr_cmp_d(exact, target) <= 0 && g < k * epsilon * (1 - 1e-7))
            fail_msg("(%g, %g) x %d at %g: epsilon %.17g is too large", epsilon, leak, k, target, g);
        const double inside = g * uniform(0.3, 0.999);
        must(simdp_account_exact_delta(&delta, &inside, 1, law_leaky(step.epsilon, step.delta), k));
        exact_optimal(exact, epsilon, leak, k, inside);
        const double off = excess_of(delta, exact);
        if (!(off >= -1e-50 && off < 1e-10))
            fail_msg("(%g, %g) x %d at epsilon %g: %.17g is off by %g", epsilon, leak, k, inside, delta, off);
    }
    mpfr_clear(exact);
}

static void optimal_composition(void **state)
{
    (void)state;
    check_optimal(1, 0, 1000, 1e-6);
    check_optimal(1, 0, 1000, 1e-300);
    check_optimal(0.01, 0, 100000, 1e-6);
    check_optimal(0.01, 0, 100000, 1e-30);
    check_optimal(800, 0, 3, 0.1);
    check_optimal(1e-6, 1e-12, 1000, 1e-6);
    for (int i = 0; i < 300; i++)
        check_optimal(spread(1e-4, 10), i % 2 ? spread(1e-15, 1e-6) : 0, (int)spread(1, 3000), spread(1e-40, 0.3));
}

/* ---- composed Laplace noise: the closed form, with exact integers ---- */

static void exact_laplace(mpfr_t out, double t, int k, double epsilon)
{
    static mpfr_t row[UP_TO + 1], mass[2 * UP_TO + 900];
    static bool made;
    const int masses = (int)(sizeof mass / sizeof mass[0]);
    for (int i = 0; !made && i <= UP_TO; i++) mpfr_init2(row[i], BITS);
    for (int i = 0; !made && i < masses; i++) mpfr_init2(mass[i], BITS);
    made = true;
    mpfr_t choose, g[2], y, term, weight;
    mpfr_inits2(BITS, choose, g[0], g[1], y, term, weight, (mpfr_ptr)0);
    mpfr_set_zero(out, 1);
    for (int i = 0; i <= k; i++) {
        mpfr_set_d(y, t, MPFR_RNDN);
        mpfr_mul_si(y, y, k - 2 * i, MPFR_RNDN);
        mpfr_sub_d(y, y, epsilon, MPFR_RNDN);
        mpfr_div_2ui(y, y, 1, MPFR_RNDN);
        if (mpfr_sgn(y) <= 0) break;
        mpfr_neg(mass[0], y, MPFR_RNDN);
        mpfr_exp(mass[0], mass[0], MPFR_RNDN);
        for (int n = 1; n < masses; n++)
            mpfr_mul(mass[n], mass[n - 1], y, MPFR_RNDN), mpfr_div_si(mass[n], mass[n], n, MPFR_RNDN);
        mpfr_set_d(weight, -t, MPFR_RNDN);
        mpfr_mul_si(weight, weight, i, MPFR_RNDN);
        mpfr_exp(weight, weight, MPFR_RNDN);
        /* row[r] = coefficient of z^i in (1+z)^(k-r) (1-z)^r, by the recurrence (k-r) K_(r+1) = (k-2i) K_r - r
         * K_(r-1) from K_0 = C(k,i) */
        mpfr_set_ui(row[0], 1, MPFR_RNDN);
        for (int j = 1; j <= i; j++)
            mpfr_mul_si(row[0], row[0], k - j + 1, MPFR_RNDN), mpfr_div_si(row[0], row[0], j, MPFR_RNDN);
        for (int r = 0; r < k; r++) {
            mpfr_mul_si(row[r + 1], row[r], k - 2 * i, MPFR_RNDN);
            if (r > 0) mpfr_mul_si(term, row[r - 1], r, MPFR_RNDN), mpfr_sub(row[r + 1], row[r + 1], term, MPFR_RNDN);
            mpfr_div_si(row[r + 1], row[r + 1], k - r, MPFR_RNDN);
        }
        /* g_r = P[N > r, N - r odd], from the top */
        mpfr_set_zero(g[0], 1), mpfr_set_zero(g[1], 1);
        for (int n = masses - 1; n > k; n--)
            mpfr_add(g[(n - k) % 2 == 1 ? 0 : 1], g[(n - k) % 2 == 1 ? 0 : 1], mass[n], MPFR_RNDN);
        mpfr_add(g[1], g[1], mass[k], MPFR_RNDN); /* now g[0] = g_k, g[1] = g_(k-1) */
        mpfr_set_ui(choose, 1, MPFR_RNDN);
        for (int r = k; r >= 0; r--) {
            const int here = (k - r) % 2;
            mpfr_mul(term, row[r], g[here], MPFR_RNDN);
            mpfr_mul(term, term, choose, MPFR_RNDN);
            mpfr_mul(term, term, weight, MPFR_RNDN);
            mpfr_add(out, out, term, MPFR_RNDN);
            mpfr_mul_si(choose, choose, r, MPFR_RNDN), mpfr_div_si(choose, choose, k - r + 1, MPFR_RNDN);
            if (r > 0) mpfr_add(g[here], g[here], mass[r - 1], MPFR_RNDN); /* g_(r-2) */
        }
    }
    mpfr_mul_2si(out, out, 1 - k, MPFR_RNDN);
    mpfr_clears(choose, g[0], g[1], y, term, weight, (mpfr_ptr)0);
}

static void laplace_composition(void **state)
{
    (void)state;
    mpfr_t exact;
    mpfr_init2(exact, BITS);
    double worst = 0;
    for (int i = 0; i < 60; i++) {
        const int k = i < 10 ? 120 : i < 14 ? UP_TO - 37 * (i - 10) : (int)spread(1, 160);
        const double most = i < 10 || i >= 14 ? 8 : 1, t = i % 10 == 1 ? 1
                                                           : i % 2     ? spread(1e-3, most)
                                                                       : spread(1e-3, 0.3);
        const double epsilon = i % 5 == 0 ? 0 : uniform(0, 0.999) * k * t;
        double delta;
        must(simdp_account_exact_delta(&delta, &epsilon, 1, law_laplace(t), k));
        exact_laplace(exact, t, k, epsilon);
        const double off = excess_of(delta, exact);
        if (k <= 160) worst = fmax(worst, off);
        if (!(off >= 0 && (off < (k <= 120 ? 1e-12 : k <= 160 ? 1e-10 : 1e-4) || delta == 1)))
            fail_msg("t %g, k %d, epsilon %g: %.17g is off by %g", t, k, epsilon, delta, off);
    }
    print_message("composed Laplace: at most %.2g above the exact delta\n", worst);
    mpfr_clear(exact);
}

int main(void)
{
    mpfr_inits2(BITS, a, b, c, d, (mpfr_ptr)0);
    const struct CMUnitTest tests[] = {cmocka_unit_test(gaussian_calibration), cmocka_unit_test(optimal_composition),
                                       cmocka_unit_test(laplace_composition)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    mpfr_clears(a, b, c, d, (mpfr_ptr)0);
    mpfr_free_cache();
    return failed;
}
