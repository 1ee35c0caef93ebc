/* test_math_special: special functions of closed forms against MPFR (200 bits), on random arguments over their whole
 * domains and at the ends. The bounds are those that special.h states. */
#include <float.h>
#include <math.h>
#include <mpfr.h>

#include "math/special.h"
#include "support/random_numbers.h"

#define U      0x1p-53
#define BITS   200
#define ROUNDS 3000

static mpfr_t a, b, c, d; /* scratch; made and freed by main */

/* log-uniform, both ends positive */

/* Errors in units of their bound: relative * |exact| + absolute. */
typedef struct {
    const char *name;
    double relative, absolute; /* in u */
    double worst, where;
} bound;

static void hold(bound *k, double x, double got, mpfr_t exact)
{
    const double want = mpfr_get_d(exact, MPFR_RNDN);
    if (isinf(want) || fabs(want) < DBL_MIN) { /* out of range or subnormal: one unit of the last place */
        assert_true(isinf(want) ? got == want || fabs(got) > 0x1.fffffffffffp1023
                                : fabs(got - want) <= 0x1p-1074 + 8 * U * DBL_MIN);
        return;
    }
    mpfr_sub_d(d, exact, got, MPFR_RNDN);
    const double error = fabs(mpfr_get_d(d, MPFR_RNDN)) / (U * (k->relative * fabs(want) + k->absolute));
    if (!(error <= k->worst)) k->worst = error, k->where = x;
}

static void conclude(const bound *k)
{
    print_message("%-22s %.2f of its bound (%g u%s), worst at %.17g\n", k->name, k->worst, k->relative,
                  k->absolute > 0 ? " + absolute" : "", k->where);
    if (!(k->worst <= 1.0)) fail_msg("%s: out of its bound at %.17g", k->name, k->where);
}

/* out = e^(x^2) erfc(x); beyond 100 by its asymptotic series, because erfc takes long there */
static void exact_erfcx(mpfr_t out, double x)
{
    mpfr_set_d(a, x, MPFR_RNDN);
    mpfr_sqr(b, a, MPFR_RNDN);
    if (x < 100) {
        mpfr_exp(b, b, MPFR_RNDN);
        mpfr_erfc(a, a, MPFR_RNDN);
        mpfr_mul(out, a, b, MPFR_RNDN);
        return;
    }
    mpfr_mul_ui(b, b, 2, MPFR_RNDN);
    mpfr_set_ui(out, 1, MPFR_RNDN);
    mpfr_set_ui(c, 1, MPFR_RNDN);
    for (unsigned long n = 1; n < 40; n++) {
        mpfr_mul_ui(c, c, 2 * n - 1, MPFR_RNDN);
        mpfr_div(c, c, b, MPFR_RNDN);
        mpfr_neg(c, c, MPFR_RNDN);
        mpfr_add(out, out, c, MPFR_RNDN);
    }
    mpfr_div(out, out, a, MPFR_RNDN);
    mpfr_const_pi(c, MPFR_RNDN);
    mpfr_rec_sqrt(c, c, MPFR_RNDN);
    mpfr_mul(out, out, c, MPFR_RNDN);
}

/* out = erfc(-x / sqrt 2) / 2 */
static void exact_cdf(mpfr_t out, double x)
{
    mpfr_sqrt_ui(a, 2, MPFR_RNDN);
    mpfr_d_div(a, -x, a, MPFR_RNDN);
    mpfr_erfc(out, a, MPFR_RNDN);
    mpfr_div_2ui(out, out, 1, MPFR_RNDN);
}

static void erfcx_is_right(void **state)
{
    (void)state;
    bound k = {"erfcx", 10, 0, 0, 0};
    mpfr_t exact;
    mpfr_init2(exact, BITS);
    for (int i = 0; i < ROUNDS; i++) {
        const double x = i % 4 == 0   ? uniform(-27, 0)
                         : i % 4 == 1 ? spread(1e-300, 1e300)
                         : i % 4 == 2 ? uniform(0, 30)
                                      : -spread(1e-20, 26);
        exact_erfcx(exact, x);
        hold(&k, x, simdp_special_erfcx(x), exact);
    }
    bound difference = {"erfcx(x) - erfcx(x+w)", 20, 0, 0, 0};
    mpfr_t other;
    mpfr_init2(other, BITS);
    for (int i = 0; i < ROUNDS; i++) {
        const double x = i % 4 == 0   ? 0.0
                         : i % 4 == 1 ? spread(1e-10, 1e10)
                                      : uniform(0, 20),
                     w = i % 3 == 0 ? uniform(0, 9) : spread(1e-30, 1e10);
        mpfr_set_d(a, x, MPFR_RNDN);
        mpfr_add_d(a, a, w, MPFR_RNDN);
        if (mpfr_get_d(a, MPFR_RNDN) - x == 0) continue; /* x + w is x in 53 bits, and the reference takes a double */
        const double end = x + w;
        exact_erfcx(exact, x);
        exact_erfcx(other, end);
        mpfr_sub(exact, exact, other, MPFR_RNDN);
        mpfr_mul_d(exact, exact, w, MPFR_RNDN); /* scaled to w from end - x: nearly linear where these differ at all */
        mpfr_set_d(a, end, MPFR_RNDN);
        mpfr_sub_d(a, a, x, MPFR_RNDN);
        mpfr_div(exact, exact, a, MPFR_RNDN);
        double at_end;
        hold(&difference, x, w * simdp_special_erfcx_fall(x, w, &at_end), exact);
        hold(&k, end, at_end, other);
    }
    mpfr_clears(exact, other, (mpfr_ptr)0);
    conclude(&k);
    conclude(&difference);
    double end;
    assert_true(simdp_special_erfcx_fall(2.0, 0.0, &end) > 0.0 && isnan(simdp_special_erfcx_fall(-1.0, 1.0, &end)));
    assert_true(simdp_special_erfcx(INFINITY) == 0.0 && simdp_special_erfcx(-INFINITY) == INFINITY &&
                isnan(simdp_special_erfcx(NAN)));
    assert_true(simdp_special_erfcx(0.0) == 1.0 && simdp_special_erfcx(-30.0) == INFINITY &&
                simdp_special_erfcx(DBL_MAX) > 0.0);
}

static void log_tools_are_right(void **state)
{
    (void)state;
    bound one = {"log1mexp", 4, 0, 0, 0};
    for (int i = 0; i < ROUNDS; i++) {
        const double x = i % 2 ? spread(1e-300, 740) : uniform(0.01, 3);
        mpfr_set_d(a, -x, MPFR_RNDN);
        mpfr_exp(b, a, MPFR_RNDN); /* ln(1 - b): by expm1 or by log1p, whichever keeps digits in 200 bits */
        mpfr_expm1(a, a, MPFR_RNDN);
        mpfr_neg(a, a, MPFR_RNDN);
        mpfr_neg(b, b, MPFR_RNDN);
        if (x < 1) mpfr_log(a, a, MPFR_RNDN);
        else mpfr_log1p(a, b, MPFR_RNDN);
        hold(&one, x, simdp_special_log1mexp(x), a);
    }
    conclude(&one);
    assert_true(simdp_special_log1mexp(0.0) == -INFINITY && simdp_special_log1mexp(INFINITY) == 0.0 &&
                isnan(simdp_special_log1mexp(-1.0)));

    double worst = 0;
    for (int i = 0; i < ROUNDS; i++) {
        const double x = uniform(-750, 750), y = x - spread(1e-3, 60);
        mpfr_set_d(a, x, MPFR_RNDN);
        mpfr_set_d(b, y, MPFR_RNDN);
        mpfr_sub(b, b, a, MPFR_RNDN);
        mpfr_exp(b, b, MPFR_RNDN);
        mpfr_log1p(c, b, MPFR_RNDN);
        mpfr_add(c, c, a, MPFR_RNDN); /* ln(e^x + e^y) */
        mpfr_sub_d(c, c, simdp_special_logaddexp(y, x), MPFR_RNDN);
        worst = fmax(worst, fabs(mpfr_get_d(c, MPFR_RNDN)) / (4 * U * fmax(fabs(x), 0.7)));
    }
    print_message("%-22s %.2f of its bound\n", "logaddexp", worst);
    assert_true(worst <= 1.0);
    assert_true(simdp_special_logaddexp(-INFINITY, -INFINITY) == -INFINITY &&
                simdp_special_logaddexp(INFINITY, -INFINITY) == INFINITY);
    assert_true(simdp_special_logaddexp(-INFINITY, 3.0) == 3.0);
}

/* out = (e^x - 1)/x, 1 at 0 */
static void exact_phi(mpfr_t out, double x)
{
    mpfr_set_d(out, x, MPFR_RNDN);
    mpfr_expm1(out, out, MPFR_RNDN);
    if (x == 0) mpfr_set_ui(out, 1, MPFR_RNDN);
    else mpfr_div_d(out, out, x, MPFR_RNDN);
}

static void ratios_and_differences_are_right(void **state)
{
    (void)state;
    bound ratio = {"log ratio", 4, 0, 0, 0}, divided = {"divided exp", 10, 0, 0, 0};
    for (int i = 0; i < ROUNDS; i++) {
        const double q = spread(0x1p-1074, DBL_MAX), p = i % 2 ? q * uniform(0.4, 1.6) : spread(0x1p-1074, DBL_MAX);
        if (!(p > 0 && p < INFINITY)) continue;
        mpfr_set_d(a, p, MPFR_RNDN);
        mpfr_div_d(a, a, q, MPFR_RNDN);
        mpfr_log(a, a, MPFR_RNDN);
        if (p != q) hold(&ratio, p / q, simdp_special_log_ratio(p, q), a);
        const double x = i % 3 ? uniform(-2, 2) : spread(1e-15, 2), y = i % 5 ? uniform(-2, 2) : x + spread(1e-15, 1);
        if (x == y) continue;
        exact_phi(a, x);
        exact_phi(b, y);
        mpfr_sub(a, a, b, MPFR_RNDN);
        mpfr_set_d(b, x, MPFR_RNDN);
        mpfr_sub_d(b, b, y, MPFR_RNDN);
        mpfr_div(a, a, b, MPFR_RNDN);
        hold(&divided, x, simdp_special_exp_divided(x, y), a);
    }
    conclude(&ratio);
    conclude(&divided);
    assert_true(simdp_special_exp_divided(0.0, 0.0) == 0.5 && simdp_special_log_ratio(3.0, 3.0) == 0.0);
}

static void normal_law_is_right(void **state)
{
    (void)state;
    bound cdf = {"normal cdf", 8, 0, 0, 0}, logs = {"log of normal cdf", 8, 0, 0, 0};
    for (int i = 0; i < ROUNDS; i++) {
        const double x = i % 2 ? uniform(-38, 10) : (i & 2 ? 1 : -1) * spread(1e-20, 20);
        exact_cdf(b, x);
        hold(&cdf, x, simdp_special_normal_cdf(x, 0.0), b);
        if (x < 0) {
            mpfr_log(b, b, MPFR_RNDN);
        } else { /* ln(1 - cdf(-x)): log1p keeps what 1 - small would lose */
            exact_cdf(b, -x);
            mpfr_neg(b, b, MPFR_RNDN);
            mpfr_log1p(b, b, MPFR_RNDN);
        }
        hold(&logs, x, simdp_special_log_normal_cdf(x, 0.0), b);
    }
    for (int i = 0; i < 50; i++) {
        const double x = -spread(38, 1000);
        exact_cdf(b, x);
        mpfr_log(b, b, MPFR_RNDN);
        hold(&logs, x, simdp_special_log_normal_cdf(x, 0.0), b);
    }
    conclude(&cdf);
    conclude(&logs);
    assert_true(simdp_special_normal_cdf(-INFINITY, 0.0) == 0.0 && simdp_special_normal_cdf(INFINITY, 0.0) == 1.0);
    assert_true(simdp_special_log_normal_cdf(-INFINITY, 0.0) == -INFINITY &&
                simdp_special_log_normal_cdf(INFINITY, 0.0) == 0.0);
}

/* b = the quantile of p (a double) by Newton steps from got, in 200 bits: two of them, so that only got's nearness
 * matters */
static void exact_quantile(mpfr_t out, double got, mpfr_t p)
{
    mpfr_t x, f, density;
    mpfr_inits2(BITS, x, f, density, (mpfr_ptr)0);
    mpfr_set_d(x, got, MPFR_RNDN);
    for (int i = 0; i < 4; i++) {
        mpfr_sqrt_ui(f, 2, MPFR_RNDN);
        mpfr_div(f, x, f, MPFR_RNDN);
        mpfr_neg(f, f, MPFR_RNDN);
        mpfr_erfc(f, f, MPFR_RNDN);
        mpfr_div_2ui(f, f, 1, MPFR_RNDN);
        mpfr_sub(f, f, p, MPFR_RNDN);
        mpfr_sqr(density, x, MPFR_RNDN);
        mpfr_div_si(density, density, -2, MPFR_RNDN);
        mpfr_exp(density, density, MPFR_RNDN);
        mpfr_div(f, f, density, MPFR_RNDN);
        mpfr_const_pi(density, MPFR_RNDN);
        mpfr_mul_ui(density, density, 2, MPFR_RNDN);
        mpfr_sqrt(density, density, MPFR_RNDN);
        mpfr_mul(f, f, density, MPFR_RNDN);
        mpfr_sub(x, x, f, MPFR_RNDN);
    }
    mpfr_set(out, x, MPFR_RNDN);
    mpfr_clears(x, f, density, (mpfr_ptr)0);
}

static void inverses_are_right(void **state)
{
    (void)state;
    bound q = {"normal quantile", 8, 0, 0, 0}, l = {"quantile of log p", 16, 4, 0, 0};
    bound inverse = {"erfinv", 8, 0, 0, 0}, complement = {"erfcinv", 8, 2, 0, 0};
    mpfr_t p, exact;
    mpfr_inits2(BITS, p, exact, (mpfr_ptr)0);
    for (int i = 0; i < ROUNDS / 4; i++) {
        const double x = i % 3 == 0   ? spread(1e-320, 0.5)
                         : i % 3 == 1 ? uniform(0, 1)
                                      : 0.5 + (i & 1 ? 1 : -1) * spread(1e-16, 0.5);
        const double got = simdp_special_normal_quantile(x);
        mpfr_set_d(p, x, MPFR_RNDN);
        exact_quantile(exact, got, p);
        hold(&q, x, got, exact);

        const double log_x = i % 2 ? -spread(1e-15, 5e3) : -uniform(0, 3);
        const double of_log = simdp_special_normal_quantile_log(log_x);
        mpfr_set_d(p, log_x, MPFR_RNDN);
        mpfr_exp(p, p, MPFR_RNDN);
        exact_quantile(exact, of_log, p);
        hold(&l, log_x, of_log, exact);

        /* erfinv(z) = quantile((1 + z)/2) / sqrt 2 */
        const double z = i % 2 ? uniform(-1, 1) : (i & 2 ? 1 : -1) * spread(1e-300, 1);
        mpfr_set_d(p, z, MPFR_RNDN);
        mpfr_add_ui(p, p, 1, MPFR_RNDN);
        mpfr_div_2ui(p, p, 1, MPFR_RNDN);
        if (fabs(z) > 1e-40) { /* below, 1 + z needs more than 200 bits */
            exact_quantile(exact, simdp_special_erfinv(z) * sqrt(2), p);
            mpfr_sqrt_ui(a, 2, MPFR_RNDN);
            mpfr_div(exact, exact, a, MPFR_RNDN);
            hold(&inverse, z, simdp_special_erfinv(z), exact);
        }
        const double z2 = i % 2 ? uniform(0, 2) : spread(1e-320, 1);
        mpfr_set_d(p, z2, MPFR_RNDN);
        mpfr_div_2ui(p, p, 1, MPFR_RNDN);
        exact_quantile(exact, -simdp_special_erfcinv(z2) * sqrt(2), p);
        mpfr_sqrt_ui(a, 2, MPFR_RNDN);
        mpfr_div(exact, exact, a, MPFR_RNDN);
        mpfr_neg(exact, exact, MPFR_RNDN);
        hold(&complement, z2, simdp_special_erfcinv(z2), exact);
    }
    mpfr_clears(p, exact, (mpfr_ptr)0);
    conclude(&q);
    conclude(&l);
    conclude(&inverse);
    conclude(&complement);
    assert_true(simdp_special_normal_quantile(0.0) == -INFINITY && simdp_special_normal_quantile(1.0) == INFINITY);
    assert_true(simdp_special_normal_quantile(0.5) == 0.0 && isnan(simdp_special_normal_quantile(1.5)));
    assert_true(simdp_special_normal_quantile_log(-INFINITY) == -INFINITY &&
                simdp_special_normal_quantile_log(0.0) == INFINITY);
    assert_true(simdp_special_erfinv(-1.0) == -INFINITY && simdp_special_erfinv(0.0) == 0.0 &&
                isnan(simdp_special_erfinv(1.1)));
    assert_true(simdp_special_erfcinv(0.0) == INFINITY && simdp_special_erfcinv(2.0) == -INFINITY &&
                isnan(simdp_special_erfcinv(-1.0)));
}

/* out = ln n! */
static void exact_log_factorial(mpfr_t out, double n)
{
    mpfr_set_d(out, n, MPFR_RNDN);
    mpfr_add_ui(out, out, 1, MPFR_RNDN);
    mpfr_lngamma(out, out, MPFR_RNDN);
}

static void counting_is_right(void **state)
{
    (void)state;
    bound rest = {"rest of Stirling", 4, 0, 0, 0}, away = {"deviance", 8, 0, 0, 0};
    bound binomial = {"log of binomial", 8, 8, 0, 0};
    mpfr_t s, e;
    mpfr_inits2(BITS, s, e, (mpfr_ptr)0);
    for (int i = 0; i < ROUNDS / 10; i++) {
        const double n = i < 100 ? i + 1 : floor(spread(1, 1e12));
        exact_log_factorial(s, n);
        mpfr_set_d(a, n, MPFR_RNDN);
        mpfr_log(b, a, MPFR_RNDN);
        mpfr_set_d(c, n + 0.5, MPFR_RNDN);
        mpfr_mul(b, b, c, MPFR_RNDN);
        mpfr_sub(s, s, b, MPFR_RNDN);
        mpfr_add(s, s, a, MPFR_RNDN);
        mpfr_const_pi(b, MPFR_RNDN);
        mpfr_mul_ui(b, b, 2, MPFR_RNDN);
        mpfr_log(b, b, MPFR_RNDN);
        mpfr_div_2ui(b, b, 1, MPFR_RNDN);
        mpfr_sub(s, s, b, MPFR_RNDN);
        hold(&rest, n, simdp_special_stirling_rest(n), s);

        const double m = spread(1e-3, 1e9),
                     x = i % 2 ? m * spread(1e-3, 1e3) : m * (1 + (i & 2 ? 1 : -1) * spread(1e-12, 1));
        mpfr_set_d(a, x, MPFR_RNDN);
        mpfr_div_d(b, a, m, MPFR_RNDN);
        mpfr_log(b, b, MPFR_RNDN);
        mpfr_mul(b, b, a, MPFR_RNDN);
        mpfr_add_d(b, b, m, MPFR_RNDN);
        mpfr_sub(b, b, a, MPFR_RNDN);
        hold(&away, x / m, simdp_special_deviance(x, m, x - m), b);

        /* q a multiple of 2^-20 and k below 2^33: k q, and its difference from a whole number, are exact */
        const double k = floor(spread(1, 1e9)), q = (floor(uniform(0, 0x1p20 - 1)) + 1) * 0x1p-20;
        if (q == 1.0) continue;
        const double deviation = 12 * sqrt(k * q * (1 - q)),
                     hits = fmin(k, fmax(0, round(k * q + uniform(-deviation, deviation))));
        exact_log_factorial(s, k);
        exact_log_factorial(e, hits);
        mpfr_sub(s, s, e, MPFR_RNDN);
        exact_log_factorial(e, k - hits);
        mpfr_sub(s, s, e, MPFR_RNDN);
        mpfr_set_d(a, q, MPFR_RNDN);
        mpfr_log(a, a, MPFR_RNDN);
        mpfr_mul_d(a, a, hits, MPFR_RNDN);
        mpfr_add(s, s, a, MPFR_RNDN);
        mpfr_set_d(a, 1 - q, MPFR_RNDN);
        mpfr_log(a, a, MPFR_RNDN);
        mpfr_mul_d(a, a, k - hits, MPFR_RNDN);
        mpfr_add(s, s, a, MPFR_RNDN);
        hold(&binomial, hits / k, simdp_special_log_binomial(hits, k, q, 1 - q, hits - k * q), s);
    }
    mpfr_clears(s, e, (mpfr_ptr)0);
    conclude(&rest);
    conclude(&away);
    conclude(&binomial);
    assert_true(simdp_special_deviance(0.0, 2.0, -2.0) == 2.0 && simdp_special_deviance(2.0, 0.0, 2.0) == INFINITY);
    assert_true(isnan(simdp_special_deviance(-1.0, 2.0, -3.0)) && isnan(simdp_special_stirling_rest(0.0)));
}

/* The net itself: an error of 20 u must not pass. */
static void a_wrong_value_is_noticed(void **state)
{
    (void)state;
    bound k = {"control", 8, 0, 0, 0};
    exact_erfcx(c, 1.5);
    mpfr_t exact;
    mpfr_init2(exact, BITS);
    mpfr_set(exact, c, MPFR_RNDN);
    hold(&k, 1.5, simdp_special_erfcx(1.5) * (1 + 20 * U), exact);
    mpfr_clear(exact);
    assert_true(k.worst > 1.0);
}

int main(void)
{
    mpfr_inits2(BITS, a, b, c, d, (mpfr_ptr)0);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(erfcx_is_right),
        cmocka_unit_test(log_tools_are_right),
        cmocka_unit_test(normal_law_is_right),
        cmocka_unit_test(inverses_are_right),
        cmocka_unit_test(counting_is_right),
        cmocka_unit_test(a_wrong_value_is_noticed),
        cmocka_unit_test(ratios_and_differences_are_right),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    mpfr_clears(a, b, c, d, (mpfr_ptr)0);
    mpfr_free_cache();
    return failed;
}
