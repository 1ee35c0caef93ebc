/* test_forms_single: what closed forms promise about arguments that are no elements: arrays that are too long, output in
 * place of input, laws that a function does not know, NULL, and numbers that overflow on the way. The rest of the
 * contract is in test_forms_contract. */
#include <float.h>
#include <math.h>

#include "support/audits.h"
#include "support/laws.h"
#include "support/test_support.h"

static const double sentinel = -12345.0; /* what an output holds that nobody wrote */

/* Counts of shared arrays whose bytes overflow: nothing is read, nothing written. */
static void shared_arrays_too_long(void **state)
{
    (void)state;
    const size_t many = SIZE_MAX / sizeof(double) + 1;
    const double p[] = {0.5, 0.5};
    const simdp_privacy step = {0.1, 0};
    const simdp_account_renyi_step renyi = {{.mechanism = SIMDP_MECHANISM_LAPLACE, .parameter = 0.5}, 1};
    double out = sentinel;
    simdp_loss_divergences d = {.kl = sentinel};
    simdp_account_composed basic = {.epsilon = sentinel}, strong = {.epsilon = sentinel};
    simdp_account_renyi_optimum best = {.epsilon = sentinel};
    assert_int_equal(simdp_loss_divergences_finite(&d, p, p, many), SIMDP_EPARAM);
    assert_int_equal(simdp_loss_delta_finite(&out, p, 1, p, p, many), SIMDP_EPARAM);
    assert_int_equal(simdp_loss_renyi_finite(&out, p, 1, p, p, many), SIMDP_EPARAM);
    assert_int_equal(simdp_account_compose_heterogeneous(&basic, &strong, &step, many, 0.1), SIMDP_EPARAM);
    assert_int_equal(simdp_account_exact_heterogeneous_delta(&out, p, 1, &step, many), SIMDP_EPARAM);
    assert_int_equal(simdp_account_compose_gaussian(&out, p, NULL, many), SIMDP_EPARAM);
    assert_int_equal(simdp_account_renyi_best(&best, p, p, many, 0.1), SIMDP_EPARAM);
    assert_int_equal(simdp_account_renyi_compose(&out, p, 1, &renyi, many), SIMDP_EPARAM);
    assert_int_equal(simdp_account_renyi_compose_epsilon(&best, p, 1, &renyi, many), SIMDP_EPARAM);
    assert_int_equal(simdp_loss_sum_outputs(&out, p, many, (simdp_loss_step){SIMDP_MECHANISM_GAUSSIAN, 0.0, 1.0, 1.0}),
                     SIMDP_EPARAM);
    assert_true(out == sentinel && d.kl == sentinel && basic.epsilon == sentinel && strong.epsilon == sentinel &&
                best.epsilon == sentinel);
}

/* The same for functions of data. */
static void data_too_long(void **state)
{
    (void)state;
    const size_t many = SIZE_MAX / sizeof(double) + 1, choice = 0;
    const double y[] = {0.5, 0.5};
    double total = sentinel;
    simdp_loss_statistics s;
    simdp_loss_summary summary;
    simdp_loss_audit audit, selection;
    simdp_loss_audit_row row;
    const simdp_loss_audit_plan plan = {.epsilon = y, .epsilons = 1, .samples = 1, .error = 0.1};
    must(simdp_loss_statistics_init(&s, NULL));
    must(audit_init_laplace(&audit, &plan, 0.0, 1.0, 1.0));
    must(audit_init_selection(&selection, &plan, y, y, 2, 1.0));
    assert_int_equal(simdp_loss_sum(&total, y, 1, many), SIMDP_EPARAM);
    assert_int_equal(simdp_loss_sum(&total, y, many, 0), SIMDP_EPARAM);
    assert_int_equal(simdp_loss_transcripts(&total, NULL, many, NULL, 0), SIMDP_EPARAM);
    assert_int_equal(simdp_loss_selection(&total, &choice, many, y, y, 2, 1.0), SIMDP_EPARAM);
    assert_int_equal(simdp_loss_statistics_update(&s, y, many), SIMDP_EPARAM);
    assert_int_equal(
        simdp_loss_statistics_outputs(&s, y, many, (simdp_loss_step){SIMDP_MECHANISM_LAPLACE, 0.0, 1.0, 1.0}),
        SIMDP_EPARAM);
    assert_int_equal(simdp_loss_audit_outputs(&audit, y, many, 0), SIMDP_EPARAM);
    assert_int_equal(simdp_loss_audit_choices(&selection, &choice, many, 0), SIMDP_EPARAM);
    must(simdp_loss_statistics_summary(&s, &summary, 0.1));
    must(simdp_loss_audit_rows(&audit, &row));
    assert_true(total == sentinel && summary.finite == 0 && row.outputs[0] == 0);
}

/* One of two outputs is the input. */
static void pairs_in_place(void **state)
{
    (void)state;
    const double epsilon[] = {0.5, NAN, 1.0};
    double keep[3], flip[3], in_place[3];
    assert_int_equal(simdp_loss_response_probabilities(keep, flip, epsilon, 3, 0.1), SIMDP_EPARAM);
    for (int which = 0; which < 2; which++) {
        double other[3];
        memcpy(in_place, epsilon, sizeof in_place);
        assert_int_equal(
            simdp_loss_response_probabilities(which ? other : in_place, which ? in_place : other, in_place, 3, 0.1),
            SIMDP_EPARAM);
        assert_memory_equal(which ? other : in_place, keep, sizeof keep);
        assert_memory_equal(which ? in_place : other, flip, sizeof flip);
    }
}

/* A law that a function does not have makes every output NaN. */
static void unknown_laws(void **state)
{
    (void)state;
    typedef simdp_status law_function(double *out, const double *x, size_t n, simdp_mechanism law, double scale);
    static law_function *const functions[] = {simdp_noise_cdf, simdp_noise_sf, simdp_noise_log_density,
                                              simdp_noise_quantile, simdp_noise_probability};
    static const simdp_mechanism none[] = {SIMDP_MECHANISM_NONE, SIMDP_MECHANISM_RANDOMIZED_RESPONSE,
                                           (simdp_mechanism)99, SIMDP_MECHANISM_LAPLACE};
    const double x[] = {0.25, 0.5};
    for (size_t f = 0; f < sizeof functions / sizeof *functions; f++) {
        for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
            double out[] = {sentinel, sentinel};
            if (none[i] == SIMDP_MECHANISM_LAPLACE && functions[f] != simdp_noise_probability) continue;
            assert_int_equal(functions[f](out, x, 2, none[i], 1.0), SIMDP_EPARAM);
            assert_true(isnan(out[0]) && isnan(out[1]));
        }
    }
}

/* The same for laws of a loss; in an array of laws an unknown one gives NaN in its place. */
static void unknown_laws_of_a_loss(void **state)
{
    (void)state;
    typedef simdp_status form(double *out, const double *x, size_t n, simdp_law law);
    static form *const forms[] = {simdp_loss_delta, simdp_loss_log_delta, simdp_loss_renyi, simdp_loss_cdf,
                                  simdp_loss_sf,    simdp_loss_log_cdf,   simdp_loss_log_sf};
    static const simdp_mechanism none[] = {SIMDP_MECHANISM_NONE, SIMDP_MECHANISM_GUMBEL, SIMDP_MECHANISM_SELECTION,
                                           (simdp_mechanism)99, (simdp_mechanism)-1};
    const double x[] = {0.25, 0.5};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        const simdp_law law = law_of(none[i], 1.0), laws[] = {law_laplace(1.0), law};
        for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
            double out[] = {sentinel, sentinel};
            assert_int_equal(forms[f](out, x, 2, law), SIMDP_EPARAM);
            assert_true(isnan(out[0]) && isnan(out[1]));
        }
        double each[] = {sentinel, sentinel};
        assert_int_equal(simdp_loss_delta_each(each, x, x, 2, law), SIMDP_EPARAM);
        assert_true(isnan(each[0]) && isnan(each[1]));
        simdp_loss_moments moments[2];
        assert_int_equal(simdp_loss_law_moments(moments, laws, 2), SIMDP_EPARAM);
        assert_true(moments[0].kl > 0 && isnan(moments[1].mean) && isnan(moments[1].total_variation));
    }
    double out = sentinel;
    assert_int_equal(simdp_loss_renyi(&out, x, 1, law_leaky(1.0, 0.1)), SIMDP_EPARAM);
    assert_true(isnan(out));
    assert_int_equal(simdp_loss_cdf(&out, x, 1, law_discrete_laplace(1.0, 1)), SIMDP_EPARAM);
    assert_true(isnan(out));
}

/* What the table cannot say. */
static void other_arguments(void **state)
{
    (void)state;
    double out[4] = {1, 2, 3, 4}, other = 5;
    const double p[] = {0.5, 0.5}, order = 2, epsilon = 0.1;
    simdp_loss_divergences d;
    assert_int_equal(simdp_loss_divergences_finite(&d, NULL, p, 2), SIMDP_ENULL);
    assert_int_equal(simdp_loss_divergences_finite(&d, p, p, 0), SIMDP_EPARAM);
    assert_int_equal(simdp_loss_delta_finite(out, &epsilon, 1, p, NULL, 2), SIMDP_ENULL);
    assert_int_equal(simdp_loss_renyi_finite(out, &order, 1, NULL, p, 2), SIMDP_ENULL);
    assert_int_equal(simdp_loss_delta_each(out, p, NULL, 2, law_leaky(0, 0.1)), SIMDP_ENULL);
    assert_int_equal(simdp_loss_response_probabilities(out, NULL, p, 2, 0.0), SIMDP_ENULL);
    assert_int_equal(simdp_account_noise(out, p, NULL, 2, law_gaussian(0)), SIMDP_ENULL);
    assert_int_equal(simdp_account_renyi_convert(out, p, p, NULL, 2, SIMDP_ACCOUNT_EPSILON), SIMDP_ENULL);
    assert_int_equal(simdp_theory_hoeffding_deviation(NULL, &other, 0.1, 1, 0, 1), SIMDP_ENULL);
    assert_int_equal(simdp_theory_hoeffding_deviation(&other, NULL, 0.1, 1, 0, 1), SIMDP_ENULL);
    assert_true(out[0] == 1 && out[1] == 2 && out[2] == 3 && other == 5);
    assert_int_equal(simdp_noise_cdf(out, p, SIZE_MAX, SIMDP_MECHANISM_LAPLACE, 1.0), SIMDP_EPARAM);
    assert_int_equal(simdp_theory_hoeffding(&(simdp_theory_tail){0}, 1.0, 10, 2.0, 1.0), SIMDP_EPARAM); /* low > high */
    assert_int_equal(simdp_theory_polya(&(simdp_theory_polya_bound){0}, 0, 0, 10, 1.0), SIMDP_EPARAM);
    assert_int_equal(simdp_account_exact_delta(out, &epsilon, 1, law_laplace(0.1), 501), SIMDP_EPARAM);
    assert_int_equal(simdp_account_exact_delta(out, &epsilon, 1, law_leaky(0.1, 0), 2000000000000), SIMDP_EPARAM);
    simdp_privacy many[25] = {{0.1, 0}};
    assert_int_equal(simdp_account_exact_heterogeneous_delta(out, &epsilon, 1, many, 25), SIMDP_EPARAM);
    assert_int_equal(simdp_account_exact_heterogeneous_delta(out, &epsilon, 1, NULL, 2), SIMDP_ENULL);
    simdp_account_composed basic, strong;
    assert_int_equal(simdp_account_compose_heterogeneous(&basic, &strong, NULL, 2, 0.1), SIMDP_ENULL);
    must(simdp_account_compose_heterogeneous(&basic, &strong, NULL, 0, 0.25));
    assert_true(basic.epsilon == 0 && basic.delta == 0 && strong.epsilon == 0 && fabs(strong.delta - 0.25) < 1e-14);
    assert_int_equal(simdp_theory_adaptive_accuracy(&(simdp_theory_accuracy){0}, NULL), SIMDP_ENULL);
    simdp_theory_typical_plan plan;
    const simdp_theory_concentration no_query = {(simdp_theory_concentration_kind)9, 1, 1, 1};
    assert_int_equal(simdp_theory_typical_noise(&plan, no_query, (simdp_theory_stability){1, 0.5, 0.1}), SIMDP_EPARAM);
    assert_int_equal(
        simdp_account_renyi_compose(
            out, &order, 1, &(simdp_account_renyi_step){{.mechanism = (simdp_mechanism)99, .parameter = 1}, 1}, 1),
        SIMDP_EPARAM);
    assert_int_equal(simdp_account_renyi_compose(out, &order, 1, NULL, 1), SIMDP_ENULL);
    assert_string_equal(simdp_account_bound_name((simdp_account_bound)99), "unknown");
    for (int i = 0; i < SIMDP_ACCOUNT_BOUNDS; i++)
        assert_string_not_equal(simdp_account_bound_name((simdp_account_bound)i), "unknown");
}

/* Legal arguments whose products or quotients overflow on the way: the results are numbers all the same. */
static void overflow_on_the_way(void **state)
{
    (void)state;
    const double epsilon[] = {DBL_MAX, 0x1p1023, 0x1p1001}, delta[] = {0.028, 0x1p-1074, 1 - 0x1p-53};
    double sigma[3];
    must(simdp_account_noise(sigma, epsilon, delta, 3, law_gaussian(0)));
    for (int i = 0; i < 3; i++) assert_true(fabs(sigma[i] * sqrt(0.5 * epsilon[i]) - 0.5) < 1e-14);
    const simdp_theory_stability_steps steps[] = {{1e-300, 0x1p-1074, 1e-9, 10, 0.5}, {1e-156, 1e-159, 0, 7, 1e-9}};
    simdp_theory_stability_composed total[2];
    must(simdp_theory_compose(total, steps, 2, SIMDP_THEORY_APPROXIMATE));
    for (int i = 0; i < 2; i++)
        assert_false(isnan(total[i].eta + total[i].tau + total[i].nu + total[i].log_tau + total[i].psi));
    simdp_theory_typical_errors errors;
    must(simdp_theory_typical_error(&errors, DBL_MAX, (simdp_theory_stability){INFINITY, 1e-6, 0}, 1e-8));
    assert_true(errors.laplace == 0);
    simdp_theory_accuracy accuracy;
    const simdp_theory_adaptive_setup setup = {
        .sigma = DBL_MAX, .k = 2, .eta = INFINITY, .nu = 0.1, .slack = 0.1, .beta = 0.1, .alpha1 = 10};
    must(simdp_theory_adaptive_accuracy(&accuracy, &setup));
    assert_true(accuracy.error >= 10 && accuracy.error < 10.0001);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shared_arrays_too_long), cmocka_unit_test(data_too_long),
        cmocka_unit_test(pairs_in_place),         cmocka_unit_test(unknown_laws),
        cmocka_unit_test(unknown_laws_of_a_loss), cmocka_unit_test(other_arguments),
        cmocka_unit_test(overflow_on_the_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
