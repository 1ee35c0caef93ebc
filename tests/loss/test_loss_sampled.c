/* Curves and Renyi divergences behind Poisson sampling against MPFR: delta as the difference of two tails of the mixture
 * and of the noise, the divergence as a sum of binomial terms (whole orders) and as an integral (others). */
#include <math.h>
#include <mpfr.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "simdp/simdp.h"

enum { BITS = 700 };

/* The tail of the normal law: erfc(y / sqrt 2) / 2. */
static void normal_tail(mpfr_t out, const mpfr_t y)
{
    mpfr_t root;
    mpfr_init2(root, BITS);
    mpfr_sqrt_ui(root, 2, MPFR_RNDN);
    mpfr_div(out, y, root, MPFR_RNDN);
    mpfr_erfc(out, out, MPFR_RNDN);
    mpfr_div_ui(out, out, 2, MPFR_RNDN);
    mpfr_clear(root);
}

/* delta(epsilon) = P[L > epsilon] - e^epsilon Q[L > epsilon]; outputs above some y (removed) or below it (added). */
static double truth(double epsilon, double s, double q, bool add)
{
    mpfr_t e, l, y, none, one, mix, mu;
    mpfr_inits2(BITS, e, l, y, none, one, mix, mu, (mpfr_ptr)0);
    mpfr_set_d(e, add ? -epsilon : epsilon, MPFR_RNDN);
    mpfr_expm1(l, e, MPFR_RNDN);
    mpfr_div_d(l, l, q, MPFR_RNDN);
    mpfr_add_ui(l, l, 1, MPFR_RNDN);
    double result = 0;
    if (mpfr_sgn(l) > 0) { /* the inner loss at which the loss is +-epsilon */
        mpfr_log(l, l, MPFR_RNDN);
        mpfr_set_ui(mu, 1, MPFR_RNDN);
        mpfr_div_d(mu, mu, s, MPFR_RNDN);
        mpfr_div(y, l, mu, MPFR_RNDN);
        mpfr_div_ui(l, mu, 2, MPFR_RNDN);
        mpfr_add(y, y, l, MPFR_RNDN); /* y = l/mu + mu/2 */
        mpfr_sub(l, y, mu, MPFR_RNDN);
        if (add) mpfr_neg(y, y, MPFR_RNDN), mpfr_neg(l, l, MPFR_RNDN);
        normal_tail(none, y);
        normal_tail(one, l);
        mpfr_sub(mix, one, none, MPFR_RNDN);
        mpfr_mul_d(mix, mix, q, MPFR_RNDN);
        mpfr_add(mix, mix, none, MPFR_RNDN);
        mpfr_set_d(e, epsilon, MPFR_RNDN);
        mpfr_exp(e, e, MPFR_RNDN);
        mpfr_mul(e, e, add ? mix : none, MPFR_RNDN);
        mpfr_sub(e, add ? none : mix, e, MPFR_RNDN);
        result = mpfr_get_d(e, MPFR_RNDN);
    }
    mpfr_clears(e, l, y, none, one, mix, mu, (mpfr_ptr)0);
    return result;
}

static const double epsilons[] = {0, 1e-9, 1e-6, 1e-3, 0.01, 0.1, 0.5, 1, 2, 5, 20};
static const double rates[] = {1e-9, 1e-6, 1e-3, 0.01, 0.1, 0.5, 0.99, 1};
static const double noises[] = {0.2, 0.5, 1, 1.1, 3, 20, 1000};

static void gaussian_curves(void **state)
{
    (void)state;
    int compared = 0, flipped = 0;
    for (int i = 0; i < 11; i++) {
        for (int j = 0; j < 8; j++) {
            for (int k = 0; k < 7; k++) {
                double got[3], logs[3];
                for (int d = 0; d < 3; d++) {
                    const simdp_loss_direction way = (simdp_loss_direction)d;
                    assert_int_equal(simdp_delta_gaussian_sampled(&got[d], &epsilons[i], 1, noises[k], rates[j], way),
                                     0);
                    assert_int_equal(
                        simdp_loss_log_delta_gaussian_sampled(&logs[d], &epsilons[i], 1, noises[k], rates[j], way), 0);
                    assert_true(got[d] >= 0 && got[d] <= 1 && logs[d] <= 0);
                }
                assert_true(got[2] == fmax(got[0], got[1]) && logs[2] == fmax(logs[0], logs[1]));
                for (int d = 0; d < 2; d++) {
                    const double want = truth(epsilons[i], noises[k], rates[j], d == 1);
                    if (want < 1e-150) continue; /* of which the difference of tails keeps too few digits */
                    assert_true(fabs(got[d] - want) <= 4e-14 * want);
                    assert_true(fabs(logs[d] - log(want)) <= 1e-13 * (1 + fabs(log(want))));
                    compared++;
                    /* control: the other direction is another number */
                    flipped += fabs(got[1 - d] - want) > 1e-9 * want;
                }
            }
        }
    }
    assert_true(compared > 500 && flipped > 300);
}

/* ln(sum C(a,k) (1-q)^(a-k) q^k e^(k(k-1)/(2 s^2))) / (a - 1) */
static double whole_order(unsigned long a, double s, double q)
{
    mpfr_t sum, term, x;
    mpfr_inits2(BITS, sum, term, x, (mpfr_ptr)0);
    mpfr_set_ui(sum, 0, MPFR_RNDN);
    for (unsigned long k = 0; k <= a; k++) {
        mpfr_set_d(x, (double)k * ((double)k - 1) / 2, MPFR_RNDN);
        mpfr_div_d(x, x, s, MPFR_RNDN);
        mpfr_div_d(x, x, s, MPFR_RNDN);
        mpfr_exp(term, x, MPFR_RNDN);
        mpfr_set_d(x, q, MPFR_RNDN);
        mpfr_pow_ui(x, x, k, MPFR_RNDN);
        mpfr_mul(term, term, x, MPFR_RNDN);
        mpfr_set_ui(x, 1, MPFR_RNDN);
        mpfr_sub_d(x, x, q, MPFR_RNDN);
        mpfr_pow_ui(x, x, a - k, MPFR_RNDN);
        mpfr_mul(term, term, x, MPFR_RNDN);
        for (unsigned long i = 0; i < k; i++) { /* C(a, k) */
            mpfr_mul_ui(term, term, a - i, MPFR_RNDN);
            mpfr_div_ui(term, term, i + 1, MPFR_RNDN);
        }
        mpfr_add(sum, sum, term, MPFR_RNDN);
    }
    mpfr_log(sum, sum, MPFR_RNDN);
    mpfr_div_ui(sum, sum, a - 1, MPFR_RNDN);
    const double result = mpfr_get_d(sum, MPFR_RNDN);
    mpfr_clears(sum, term, x, (mpfr_ptr)0);
    return result;
}

/* delta of Laplace noise: the outputs with a loss above epsilon, from the tails of both laws at the inner loss x:
 * M1[l > x] = 1 - e^((x - t)/2)/2 and M0[l > x] = e^(-(x + t)/2)/2 for -t <= x < t. */
static double laplace_truth(double epsilon, double t, double q, bool add)
{
    mpfr_t e, x, none, one, mix;
    mpfr_inits2(BITS, e, x, none, one, mix, (mpfr_ptr)0);
    mpfr_set_d(e, add ? -epsilon : epsilon, MPFR_RNDN);
    mpfr_expm1(x, e, MPFR_RNDN);
    mpfr_div_d(x, x, q, MPFR_RNDN);
    mpfr_add_ui(x, x, 1, MPFR_RNDN);
    double result = 0;
    if (mpfr_sgn(x) > 0) mpfr_log(x, x, MPFR_RNDN);
    else mpfr_set_inf(x, -1);
    if (mpfr_cmp_d(x, -t) > 0 && mpfr_cmp_d(x, t) < 0) {
        mpfr_sub_d(one, x, t, MPFR_RNDN);
        mpfr_div_ui(one, one, 2, MPFR_RNDN);
        mpfr_exp(one, one, MPFR_RNDN);
        mpfr_div_ui(one, one, 2, MPFR_RNDN);
        mpfr_ui_sub(one, 1, one, MPFR_RNDN);
        mpfr_add_d(none, x, t, MPFR_RNDN);
        mpfr_div_si(none, none, -2, MPFR_RNDN);
        mpfr_exp(none, none, MPFR_RNDN);
        mpfr_div_ui(none, none, 2, MPFR_RNDN);
        if (add) mpfr_ui_sub(one, 1, one, MPFR_RNDN), mpfr_ui_sub(none, 1, none, MPFR_RNDN);
        mpfr_sub(mix, one, none, MPFR_RNDN);
        mpfr_mul_d(mix, mix, q, MPFR_RNDN);
        mpfr_add(mix, mix, none, MPFR_RNDN);
        mpfr_set_d(e, epsilon, MPFR_RNDN);
        mpfr_exp(e, e, MPFR_RNDN);
        mpfr_mul(e, e, add ? mix : none, MPFR_RNDN);
        mpfr_sub(e, add ? none : mix, e, MPFR_RNDN);
        result = mpfr_get_d(e, MPFR_RNDN);
    }
    mpfr_clears(e, x, none, one, mix, (mpfr_ptr)0);
    return result;
}

static void laplace_curves(void **state)
{
    (void)state;
    static const double ts[] = {1e-9, 0.01, 0.5, 3, 40, 500}, shares[] = {1e-12, 1e-4, 0.03, 0.5, 0.999};
    int positive = 0;
    for (int i = 0; i < 6 * 5 * 9; i++) {
        const double t = ts[i % 6], q = shares[i / 6 % 5], part = (i / 30) / 9.0;
        const double epsilon = part * log1p(q * expm1(t)); /* within the losses, of one direction at least */
        double d[2];
        for (int add = 0; add < 2; add++) {
            const simdp_loss_direction direction = add ? SIMDP_LOSS_ADD : SIMDP_LOSS_REMOVE;
            const double exact = laplace_truth(epsilon, t, q, add);
            double log_delta;
            assert_int_equal(simdp_delta_laplace_sampled(&d[add], &epsilon, 1, t, q, direction), SIMDP_OK);
            assert_int_equal(simdp_loss_log_delta_laplace_sampled(&log_delta, &epsilon, 1, t, q, direction), SIMDP_OK);
            assert_true(fabs(d[add] - exact) <= 0x1p-46 * exact);
            if (exact > 0) assert_true(fabs(log_delta - log(exact)) <= 0x1p-46 * (1 + fabs(log(exact))));
            else assert_true(log_delta == -INFINITY);
            assert_false(exact > 0 && fabs(d[add] * (1 + 1e-12) - exact) <= 0x1p-46 * exact); /* what must fail */
            positive += exact > 0;
        }
        double larger;
        assert_int_equal(simdp_delta_laplace_sampled(&larger, &epsilon, 1, t, q, SIMDP_LOSS_LARGER), SIMDP_OK);
        assert_true(larger == fmax(d[0], d[1]));
    }
    assert_true(positive > 300);
}

static void renyi_of_whole_orders(void **state)
{
    (void)state;
    static const unsigned long orders[] = {2, 3, 7, 32, 64};
    for (int i = 0; i < 5; i++) {
        for (int j = 0; j < 8; j++) {
            for (int k = 0; k < 6; k++) {
                const double order = (double)orders[i], want = whole_order(orders[i], noises[k], rates[j]);
                double got;
                assert_int_equal(simdp_renyi_gaussian_sampled(&got, &order, 1, noises[k], rates[j]), 0);
                if (want > 0) assert_true(fabs(got - want) <= 1e-13 * want);
            }
        }
    }
}

/* ln of the integral of phi(z) (1 - q + q e^l)^a over steps of 1/16, over a - 1 */
static double any_order(double a, double s, double q)
{
    mpfr_t sum, x, z, mu;
    mpfr_inits2(300, sum, x, z, mu, (mpfr_ptr)0);
    mpfr_set_ui(sum, 0, MPFR_RNDN);
    mpfr_set_ui(mu, 1, MPFR_RNDN);
    mpfr_div_d(mu, mu, s, MPFR_RNDN);
    for (int i = -16 * 16; i <= 16 * (16 + (int)(a / s)); i++) {
        mpfr_set_d(z, i / 16.0, MPFR_RNDN);
        mpfr_div_ui(x, mu, 2, MPFR_RNDN);
        mpfr_sub(x, z, x, MPFR_RNDN);
        mpfr_mul(x, x, mu, MPFR_RNDN);
        mpfr_expm1(x, x, MPFR_RNDN);
        mpfr_mul_d(x, x, q, MPFR_RNDN);
        mpfr_log1p(x, x, MPFR_RNDN);
        mpfr_mul_d(x, x, a, MPFR_RNDN);
        mpfr_sqr(z, z, MPFR_RNDN);
        mpfr_div_ui(z, z, 2, MPFR_RNDN);
        mpfr_sub(x, x, z, MPFR_RNDN);
        mpfr_exp(x, x, MPFR_RNDN);
        mpfr_add(sum, sum, x, MPFR_RNDN);
    }
    mpfr_div_ui(sum, sum, 16, MPFR_RNDN);
    mpfr_const_pi(x, MPFR_RNDN);
    mpfr_mul_ui(x, x, 2, MPFR_RNDN);
    mpfr_sqrt(x, x, MPFR_RNDN);
    mpfr_div(sum, sum, x, MPFR_RNDN);
    mpfr_log(sum, sum, MPFR_RNDN);
    mpfr_div_d(sum, sum, a - 1, MPFR_RNDN);
    const double result = mpfr_get_d(sum, MPFR_RNDN);
    mpfr_clears(sum, x, z, mu, (mpfr_ptr)0);
    return result;
}

static void renyi_of_any_order(void **state)
{
    (void)state;
    static const double orders[] = {0.25, 0.75, 1.0078125, 1.5, 2.5, 10.25};
    for (int i = 0; i < 6; i++) {
        for (int j = 2; j < 8; j++) {
            for (int k = 1; k < 5; k++) {
                const double want = any_order(orders[i], noises[k], rates[j]);
                double got, next, more = orders[i] * 1.01;
                assert_int_equal(simdp_renyi_gaussian_sampled(&got, &orders[i], 1, noises[k], rates[j]), 0);
                assert_int_equal(simdp_renyi_gaussian_sampled(&next, &more, 1, noises[k], rates[j]), 0);
                assert_true(fabs(got - want) <= 1e-13 * want);
                assert_true(next >= got); /* a control too: of another order it is not within that */
                assert_true(fabs(next - want) > 1e-6 * want);
            }
        }
    }
}

static void refused(void **state)
{
    (void)state;
    const double order[] = {2, NAN, 0, -1, 0x1p25};
    double out[5];
    assert_int_equal(simdp_renyi_gaussian_sampled(out, order, 5, 1, 0.5), SIMDP_EPARAM);
    assert_true(out[0] > 0);
    for (int i = 1; i < 5; i++) assert_true(isnan(out[i]));
    assert_int_equal(simdp_renyi_gaussian_sampled(out, order, 1, 0.01, 0.5), SIMDP_EPARAM);
    assert_int_equal(simdp_renyi_gaussian_sampled(out, order, 1, 1, 1.5), SIMDP_EPARAM);
    assert_int_equal(simdp_renyi_gaussian_sampled(NULL, order, 1, 1, 0.5), SIMDP_ENULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(gaussian_curves), cmocka_unit_test(laplace_curves),
                                       cmocka_unit_test(renyi_of_whole_orders), cmocka_unit_test(renyi_of_any_order),
                                       cmocka_unit_test(refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
