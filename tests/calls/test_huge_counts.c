/* test_huge_counts: functions of loss, account and system over arrays refuse a count whose bytes overflow before they
 * touch an array: here the arrays are small, and anything else is a crash. */
#define _DEFAULT_SOURCE
#include "support/audits.h"
#include "support/filters.h"
#include "support/laws.h"
#include "support/test_support.h"

#include <sys/mman.h>
#include <unistd.h>

static double in[64] = {0.5, 0.5, 0.5, 0.5}, out[64];
static float single[8];
static uint8_t bytes[8];
static size_t chosen[8];
static const simdp_law laws[2];

#define REFUSED(call) assert_int_equal(call, SIMDP_EPARAM)

static void losses(void **state)
{
    const simdp_loss_step step = {SIMDP_MECHANISM_LAPLACE, 0, 1, 1};
    simdp_loss_moments *moments = (simdp_loss_moments *)(void *)out;
    simdp_loss_divergences divergences;
    (void)state;
    for (size_t n = SIZE_MAX / 8 + 1; n != 0; n = n == SIZE_MAX ? 0 : SIZE_MAX) {
        REFUSED(simdp_loss_laplace_f64(out, in, n, 0, 1, 1));
        REFUSED(simdp_loss_gaussian_f32(out, single, n, 0, 1, 1));
        REFUSED(simdp_loss_laplace_f64_each(out, in, in, in, NULL, n, 1));
        REFUSED(simdp_loss_gaussian_f64_each(out, in, in, in, in, n, 0));
        REFUSED(simdp_loss_randomized_response(out, bytes, n, 0, 1, 1));
        REFUSED(simdp_loss_leaky_response(out, bytes, n, 0, 1, 1, 0.1));
        REFUSED(simdp_loss_selection(out, chosen, n, in, in, 2, 1));
        REFUSED(simdp_loss_selection(out, chosen, 2, in, in, n, 1));
        REFUSED(simdp_loss_sum(out, in, 1, n));
        REFUSED(simdp_loss_sum(out, in, n, 1));
        REFUSED(simdp_loss_sum(out, in, n, 0));
        REFUSED(simdp_loss_sum(out, in, 2, n));
        REFUSED(simdp_loss_sum_outputs(out, in, n, (simdp_loss_step){SIMDP_MECHANISM_LAPLACE, 0, 1, 1}));
        REFUSED(simdp_loss_sum_outputs(out, in, n, (simdp_loss_step){SIMDP_MECHANISM_GAUSSIAN, 0, 1, 1}));
        REFUSED(simdp_loss_transcripts(out, in, n, &step, 1));
        REFUSED(simdp_loss_transcripts(out, in, n, &step, 0));
        REFUSED(simdp_loss_transcripts(out, in, 1, &step, n));
        REFUSED(simdp_delta_laplace(out, in, n, 1));
        REFUSED(simdp_loss_delta_each(out, in, in, n, law_gaussian(0)));
        REFUSED(simdp_loss_delta_finite(out, in, n, in, in, 2));
        REFUSED(simdp_loss_delta_finite(out, in, 1, in, in, n));
        REFUSED(simdp_loss_renyi_finite(out, in, n, in, in, 2));
        REFUSED(simdp_loss_divergences_finite(&divergences, in, in, n));
        REFUSED(simdp_loss_law_moments(moments, laws, n));
        REFUSED(simdp_loss_response_probabilities(out, out + 8, in, n, 0));
        REFUSED(simdp_loss_k_response_probabilities(out, out + 8, in, n, 5));
        REFUSED(simdp_loss_delta_each(out, in, in, n, law_leaky(0, 0.1)));
        REFUSED(simdp_loss_renyi(out, in, n, law_laplace(1)));
        REFUSED(simdp_noise_cdf(out, in, n, SIMDP_MECHANISM_LAPLACE, 1));
        REFUSED(simdp_noise_quantile(out, in, n, SIMDP_MECHANISM_DISCRETE_GAUSSIAN, 1));
        REFUSED(simdp_loss_delta(out, in, n, law_discrete_laplace(1, 1)));
        REFUSED(simdp_loss_log_delta(out, in, n, law_discrete_gaussian(1, 1)));
    }
}

static void objects(void **state)
{
    static uint64_t counts[4];
    const simdp_loss_statistics_plan plan = {.counts = counts, .bins = 2, .low = 0, .high = 1};
    const simdp_loss_audit_plan audit_plan = {
        .epsilon = in, .epsilons = 1, .hockey_stick = 0, .samples = 0, .error = 0.1};
    simdp_loss_statistics s;
    simdp_loss_audit audit;
    simdp_pld *pld;
    (void)state;
    must(simdp_loss_statistics_init(&s, &plan));
    must(simdp_pld_create(&pld, 0.125));
    must(simdp_pld_add_laplace(pld, 0.5, 1));
    for (int composed = 0; composed < 2; composed++) {
        if (composed) must(simdp_pld_compose(pld, 1e-3, 1, SIMDP_PLD_DOTS, SIMDP_PLD_NONE, NULL, NULL));
        for (size_t n = SIZE_MAX / 8 + 1; n != 0; n = n == SIZE_MAX ? 0 : SIZE_MAX) {
            REFUSED(simdp_loss_statistics_update(&s, in, n));
            REFUSED(simdp_loss_statistics_outputs(&s, in, n, (simdp_loss_step){SIMDP_MECHANISM_GAUSSIAN, 0, 1, 1}));
            REFUSED(simdp_loss_statistics_quantiles(&s, (simdp_loss_estimate *)(void *)out, in, n, 0.1));
            must(audit_init_laplace(&audit, &audit_plan, 0, 1, 1));
            REFUSED(simdp_loss_audit_outputs(&audit, in, n, 0));
            must(audit_init_selection(&audit, &audit_plan, in, in, 2, 1));
            REFUSED(simdp_loss_audit_choices(&audit, chosen, n, 0));
            REFUSED(audit_init_selection(&audit, &audit_plan, in, in, n, 1));
            REFUSED(simdp_pld_delta(pld, NULL, out, in, n));
            REFUSED(simdp_pld_log_delta(pld, NULL, out, in, n));
            REFUSED(simdp_pld_epsilon(pld, NULL, out, in, n));
            REFUSED(simdp_pld_masses(pld, out, n, 0, 0, SIMDP_PLD_UP));
            REFUSED(simdp_pld_masses(pld, out, n, 0, 7, SIMDP_PLD_UP));
            REFUSED(simdp_pld_composed_masses(pld, out, n, 0));
            REFUSED(simdp_pld_add_pair(pld, in, in, n, 1));
            REFUSED(simdp_pld_add_gaussian_mixture(pld, in, in, n, 1, 1));
            REFUSED(simdp_pld_add_histogram(pld, in, n, 0, 0, 1));
        }
    }
    simdp_pld_destroy(pld);
}

/* Room for one element at the end of a page, after which there is nothing: who reads on crashes at once. */
static void *end_of_memory(size_t size)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *two = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(two != MAP_FAILED);
    assert_int_equal(mprotect(two + page, page, PROT_NONE), 0);
    return two + page - size;
}

static void accounts(void **state)
{
    const simdp_privacy step = {0.1, 0};
    const simdp_account_renyi_step renyi = {{.mechanism = SIMDP_MECHANISM_LAPLACE, .parameter = 1}, 1};
    simdp_account_renyi_optimum best;
    simdp_account_composed total[2];
    void *o = out, *i = in;
    static simdp_privacy *steps;
    static double *ones, *orders;
    static simdp_account_renyi_step *laplaces;
    (void)state;
    steps = end_of_memory(sizeof *steps), ones = end_of_memory(sizeof *ones), orders = end_of_memory(sizeof *orders);
    laplaces = end_of_memory(sizeof *laplaces);
    *steps = step, *ones = 1, *orders = 2, *laplaces = renyi;
    for (size_t n = SIZE_MAX / 8 + 1; n != 0; n = n == SIZE_MAX ? 0 : SIZE_MAX) {
        REFUSED(simdp_account_compose(o, i, n, SIMDP_ACCOUNT_BOUND_BASIC));
        REFUSED(simdp_account_compose_inverse(out, i, n));
        REFUSED(simdp_theory_compose(o, i, n, SIMDP_THEORY_PURE));
        REFUSED(simdp_account_bounded_range_mean(out, in, n));
        REFUSED(simdp_account_exact_delta(out, in, n, law_leaky(step.epsilon, step.delta), 2));
        REFUSED(simdp_account_exact_heterogeneous_delta(out, in, n, &step, 1));
        REFUSED(simdp_account_exact_heterogeneous_delta(out, in, 1, &step, n));
        REFUSED(simdp_account_exact_delta(out, in, n, law_laplace(0.1), 2));
        REFUSED(simdp_account_noise(out, in, in, n, law_gaussian(0)));
        REFUSED(simdp_account_epsilon_each(out, in, in, n, law_gaussian(0)));
        REFUSED(simdp_account_noise(out, in, in, n, law_laplace(0)));
        REFUSED(simdp_account_noise(out, in, in, n, law_leaky(0, 0.1)));
        REFUSED(simdp_account_plan(o, i, n, SIMDP_MECHANISM_LAPLACE));
        REFUSED(simdp_account_guarantee(o, i, n, SIMDP_MECHANISM_GAUSSIAN));
        REFUSED(simdp_account_renyi_convert(out, in, in, in, n, SIMDP_ACCOUNT_EPSILON));
        REFUSED(simdp_account_renyi_add(out, in, n, 1));
        REFUSED(simdp_account_renyi_compose(out, in, n, &renyi, 1));
        REFUSED(simdp_account_renyi_compose_epsilon(&best, in, n, &renyi, 1));
        REFUSED(simdp_account_zcdp_epsilon(o, in, in, n));
        REFUSED(simdp_account_zcdp_offset_epsilon(o, in, in, in, n));
        REFUSED(simdp_account_gdp_mu(out, in, in, n));
        REFUSED(simdp_account_tree_gaussian(out, in, n, 1));
        REFUSED(simdp_account_subset_delta(out, in, n, law_gaussian(1), 0.1));
        REFUSED(simdp_account_subset_epsilon(out, in, n, law_gaussian(1), 0.1));
        REFUSED(simdp_account_renyi_subset(out, in, n, 0.1, 1));
        /* lists of steps, all good as far as they go */
        REFUSED(simdp_account_compose_heterogeneous(&total[0], &total[1], steps, n, 0.1));
        REFUSED(simdp_account_compose_gaussian(out, ones, NULL, n));
        REFUSED(simdp_account_renyi_best(&best, orders, ones, n, 0.1));
        REFUSED(simdp_account_renyi_compose(out, orders, 1, laplaces, n));
        REFUSED(simdp_account_renyi_compose_epsilon(&best, in, 1, laplaces, n));
    }
}

static void systems(void **state)
{
    simdp_theory_filter filter;
    simdp_rng rng;
    (void)state;
    test_stream(&rng, 1, 0, 0);
    for (size_t n = SIZE_MAX / 8 + 1; n != 0; n = n == SIZE_MAX ? 0 : SIZE_MAX) {
        REFUSED(simdp_theory_laplace_map(&rng, out, bytes, n, 0, 1, 1));
        REFUSED(simdp_theory_laplace_map_law(out, in, n, SIMDP_THEORY_CDF, 0, 1));
        REFUSED(simdp_theory_discrete_map(out, in, in, n, 1, 0.1));
        REFUSED(simdp_theory_discrete_map_draw(&rng, chosen, bytes, n, in, 2));
        REFUSED(simdp_theory_discrete_map_draw(&rng, chosen, bytes, 2, in, n));
        REFUSED(simdp_theory_select_column(&rng, chosen, out, in, n, 1, 1));
        REFUSED(simdp_theory_select_column(&rng, chosen, out, in, 1, n, 1));
        REFUSED(filter_renyi(&filter, out, in, n, 1, 0, 0.1));
    }
    assert_true(simdp_rng_position(&rng) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(losses), cmocka_unit_test(objects), cmocka_unit_test(accounts),
                                       cmocka_unit_test(systems)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
