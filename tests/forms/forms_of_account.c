/* forms_of_account.c: rows of forms_table.h, of account and of the closed forms of theory. */
#include <math.h>

#include "forms_table.h"
#include "support/laws.h"

/* clang-format off: a row of calls that are alike needs no semicolon */

/* requests made of arrays: epsilon, delta, k, slack */
static const simdp_account_steps *steps_of(size_t n, const double *const *a)
{
    static _Thread_local simdp_account_steps s[FORM_ELEMENTS_MAX];
    if (!form_given(a, 4)) return NULL;
    for (size_t i = 0; i < form_elements(n); i++)
        s[i] = (simdp_account_steps){a[0][i], a[1][i], WHOLE(a[2][i]), a[3][i]};
    return s;
}
#define ROW_STEPS(f, bound)                                                                \
    static simdp_status f(void *out, size_t n, const double *const *a)                     \
    {                                                                                      \
        return simdp_account_compose(out, steps_of(n, a), n, SIMDP_ACCOUNT_BOUND_##bound); \
    }
ROW_STEPS(compose_basic, BASIC)
ROW_STEPS(compose_azuma, AZUMA)
ROW_STEPS(compose_azuma_approximate, AZUMA_APPROXIMATE)
ROW_STEPS(compose_advanced, ADVANCED)
ROW_STEPS(compose_strong, STRONG)
ROW_STEPS(compose_bounded_range, BOUNDED_RANGE)

static simdp_status compose_strong_inverse(void *out, size_t n, const double *const *a)
{
    return simdp_account_compose_inverse(out, steps_of(n, a), n);
}

#define ROW_TYPICAL(f, theorem)                                                                        \
    static simdp_status f(void *out, size_t n, const double *const *a)                                 \
    {                                                                                                  \
        static _Thread_local simdp_theory_stability_steps s[FORM_ELEMENTS_MAX];                        \
        for (size_t i = 0; i < form_elements(n) && form_given(a, 5); i++)                              \
            s[i] = (simdp_theory_stability_steps){a[0][i], a[1][i], a[2][i], WHOLE(a[3][i]), a[4][i]}; \
        return simdp_theory_compose(out, form_given(a, 5) ? s : NULL, n, SIMDP_THEORY_##theorem);      \
    }
ROW_TYPICAL(compose_typical_nonadaptive, NONADAPTIVE)
ROW_TYPICAL(compose_typical_pure, PURE)
ROW_TYPICAL(compose_typical_approximate, APPROXIMATE)

static simdp_status bounded_range_mean(void *out, size_t n, const double *const *a)
{
    return simdp_account_bounded_range_mean(out, a[0], n);
}

/* A law of the scalars a[1] and a[2], the latter for a leak. */
static simdp_law law_from(simdp_mechanism mechanism, const double *const *a)
{
    const bool leaks = mechanism == SIMDP_MECHANISM_RANDOMIZED_RESPONSE;
    return (simdp_law){.mechanism = mechanism, .parameter = *a[1], .leak = leaks ? *a[2] : 0};
}

#define ROW_EXACT(f, what, mechanism, k)                                                                         \
    static simdp_status f(void *out, size_t n, const double *const *a)                                           \
    {                                                                                                            \
        return simdp_account_exact_##what(out, a[0], n, law_from(SIMDP_MECHANISM_##mechanism, a), WHOLE(*a[k])); \
    }
ROW_EXACT(compose_optimal_delta, delta, RANDOMIZED_RESPONSE, 3)
ROW_EXACT(compose_optimal_log_delta, log_delta, RANDOMIZED_RESPONSE, 3)
ROW_EXACT(compose_optimal_epsilon, epsilon, RANDOMIZED_RESPONSE, 3)
ROW_EXACT(compose_laplace_delta, delta, LAPLACE, 2)
ROW_EXACT(compose_laplace_log_delta, log_delta, LAPLACE, 2)
ROW_EXACT(compose_laplace_epsilon, epsilon, LAPLACE, 2)

#define ROW_MIXED(f, what)                                                       \
    static simdp_status f(void *out, size_t n, const double *const *a)           \
    {                                                                            \
        const simdp_privacy steps[] = {{*a[1], *a[2]}, {0.3, 0.01}};             \
        return simdp_account_exact_heterogeneous_##what(out, a[0], n, steps, 2); \
    }
ROW_MIXED(compose_optimal_heterogeneous_delta, delta)
ROW_MIXED(compose_optimal_heterogeneous_log_delta, log_delta)
ROW_MIXED(compose_optimal_heterogeneous_epsilon, epsilon)

static simdp_status compose_heterogeneous(void *out, size_t n, const double *const *a)
{
    simdp_account_composed *both = out;
    (void)n;
    const simdp_privacy steps[] = {{*a[0], *a[1]}, {0.3, 0.01}};
    return simdp_account_compose_heterogeneous(both, both == NULL ? NULL : both + 1, steps, 2, *a[2]);
}

#define ROW_LAW(f, what, mechanism)                                                          \
    static simdp_status f(void *out, size_t n, const double *const *a)                       \
    {                                                                                        \
        return simdp_account_##what(out, a[0], n, law_from(SIMDP_MECHANISM_##mechanism, a)); \
    }
ROW_LAW(delta_upper_gaussian, delta, GAUSSIAN)
ROW_LAW(delta_upper_laplace, delta, LAPLACE)
ROW_LAW(delta_upper_randomized_response, delta, RANDOMIZED_RESPONSE)
ROW_LAW(epsilon_gaussian, epsilon, GAUSSIAN)
ROW_LAW(epsilon_laplace, epsilon, LAPLACE)
ROW_LAW(epsilon_randomized_response, epsilon, RANDOMIZED_RESPONSE)

#define ROW_OF_LAW(f, what, law)                                       \
    static simdp_status f(void *out, size_t n, const double *const *a) \
    {                                                                  \
        return simdp_account_##what(out, a[0], n, law);                \
    }
ROW_OF_LAW(delta_upper_discrete_laplace, delta, law_discrete_laplace(*a[1], WHOLE(*a[2])))
ROW_OF_LAW(delta_upper_discrete_gaussian, delta, law_discrete_gaussian(*a[1], WHOLE(*a[2])))
ROW_OF_LAW(epsilon_discrete_laplace, epsilon, law_discrete_laplace(*a[1], WHOLE(*a[2])))
ROW_OF_LAW(epsilon_discrete_gaussian, epsilon, law_discrete_gaussian(*a[1], WHOLE(*a[2])))
ROW_OF_LAW(miss_laplace, miss_rate, law_laplace(*a[1]))
ROW_OF_LAW(miss_gaussian, miss_rate, law_gaussian(*a[1]))
ROW_OF_LAW(miss_response, miss_rate, law_leaky(*a[1], *a[2]))

static simdp_status scale_discrete_laplace(void *out, size_t n, const double *const *a)
{
    return simdp_account_noise(out, a[0], a[1], n, law_discrete_laplace(NAN, WHOLE(*a[2])));
}
static simdp_status sigma_discrete_gaussian(void *out, size_t n, const double *const *a)
{
    return simdp_account_noise(out, a[0], a[1], n, law_discrete_gaussian(NAN, WHOLE(*a[2])));
}

/* One order: the cheapest price of the number of runs depends on all of them. */
static simdp_status renyi_repeat(void *out, size_t n, const double *const *a)
{
    (void)n;
    return simdp_account_renyi_repeat(out, a[0], a[1], 1, *a[2], *a[3]);
}

#define ROW_EACH(f, what, name)                                        \
    static simdp_status f(void *out, size_t n, const double *const *a) \
    {                                                                  \
        const simdp_law law = {.mechanism = SIMDP_MECHANISM_##name};   \
        return simdp_account_##what(out, a[0], a[1], n, law);          \
    }
ROW_EACH(epsilon_gaussian_each, epsilon_each, GAUSSIAN)
ROW_EACH(epsilon_laplace_each, epsilon_each, LAPLACE)
ROW_EACH(sigma_gaussian, noise, GAUSSIAN)
ROW_EACH(scale_laplace, noise, LAPLACE)

static simdp_status epsilon0_randomized_response(void *out, size_t n, const double *const *a)
{
    const simdp_law law = {.mechanism = SIMDP_MECHANISM_RANDOMIZED_RESPONSE, .leak = *a[2]};
    return simdp_account_noise(out, a[0], a[1], n, law);
}

#define ROW_RENYI(f, what)                                                                  \
    static simdp_status f(void *out, size_t n, const double *const *a)                      \
    {                                                                                       \
        return simdp_account_renyi_convert(out, a[0], a[1], a[2], n, SIMDP_ACCOUNT_##what); \
    }
ROW_RENYI(renyi_epsilon, EPSILON)
ROW_RENYI(renyi_epsilon_classic, EPSILON_CLASSIC)
ROW_RENYI(renyi_delta, DELTA)
ROW_RENYI(renyi_log_delta, LOG_DELTA)

static simdp_status zcdp_epsilon(void *out, size_t n, const double *const *a)
{
    return simdp_account_zcdp_epsilon(out, a[0], a[1], n);
}

static simdp_status zcdp_offset_epsilon(void *out, size_t n, const double *const *a)
{
    return simdp_account_zcdp_offset_epsilon(out, a[0], a[1], a[2], n);
}
static simdp_status gdp_mu(void *out, size_t n, const double *const *a)
{
    return simdp_account_gdp_mu(out, a[0], a[1], n);
}
static simdp_status tree_gaussian(void *out, size_t n, const double *const *a)
{
    return simdp_account_tree_gaussian(out, a[0], n, WHOLE(*a[1]));
}
static simdp_status subset_delta(void *out, size_t n, const double *const *a)
{
    return simdp_account_subset_delta(out, a[0], n, law_gaussian(*a[1]), *a[2]);
}
static simdp_status subset_epsilon(void *out, size_t n, const double *const *a)
{
    return simdp_account_subset_epsilon(out, a[0], n, law_gaussian(*a[1]), *a[2]);
}
/* Order 2: higher ones need those below. */
static simdp_status renyi_subset(void *out, size_t n, const double *const *a)
{
    (void)n;
    return simdp_account_renyi_subset(out, a[0], 1, *a[1], *a[2]);
}

static simdp_status compose_gaussian(void *out, size_t n, const double *const *a)
{
    (void)n;
    return simdp_account_compose_gaussian(out, (const double[]){*a[0], 2.0}, (const int64_t[]){WHOLE(*a[1]), 3}, 2);
}

#define ROW_REQUEST(f, what, type, mechanism)                                                                \
    static simdp_status f(void *out, size_t n, const double *const *a)                                       \
    {                                                                                                        \
        static _Thread_local type request[FORM_ELEMENTS_MAX];                                                \
        for (size_t i = 0; i < form_elements(n) && form_given(a, 3); i++)                                    \
            request[i] = (type){a[0][i], a[1][i], a[2][i]};                                                  \
        return simdp_account_##what(out, form_given(a, 3) ? request : NULL, n, SIMDP_MECHANISM_##mechanism); \
    }
ROW_REQUEST(plan_laplace, plan, simdp_account_target, LAPLACE)
ROW_REQUEST(plan_gaussian, plan, simdp_account_target, GAUSSIAN)
ROW_REQUEST(guarantee_laplace, guarantee, simdp_account_given, LAPLACE)
ROW_REQUEST(guarantee_gaussian, guarantee, simdp_account_given, GAUSSIAN)

/* clang-format on */

static simdp_status renyi_add(void *out, size_t n, const double *const *a)
{
    double *total = out;
    for (size_t i = 0; i < form_elements(n) && total != NULL && a[1] != NULL; i++) total[i] = a[1][i];
    return simdp_account_renyi_add(a[1] == NULL ? NULL : total, a[0], n, WHOLE(*a[2]));
}

static simdp_status renyi_best(void *out, size_t n, const double *const *a)
{
    (void)n;
    return simdp_account_renyi_best(out, (const double[]){*a[0], 3.0}, (const double[]){*a[1], 1.0}, 2, *a[2]);
}

static simdp_status renyi_compose(void *out, size_t n, const double *const *a)
{
    return simdp_account_renyi_compose(
        out, a[0], n,
        &(simdp_account_renyi_step){{.mechanism = SIMDP_MECHANISM_LAPLACE, .parameter = *a[1]}, WHOLE(*a[2])}, 1);
}

static simdp_status renyi_compose_epsilon(void *out, size_t n, const double *const *a)
{
    return simdp_account_renyi_compose_epsilon(
        out, a[0], n,
        &(simdp_account_renyi_step){{.mechanism = SIMDP_MECHANISM_ZCDP, .parameter = *a[1]}, WHOLE(*a[2])}, 1);
}

static simdp_status bounds(void *out, size_t n, const double *const *a)
{
    simdp_account_bound_table table;
    double *epsilon = out;
    (void)n;
    const simdp_privacy step = {*a[0], *a[1]};
    const simdp_status status = simdp_account_bounds(out == NULL ? NULL : &table, step, WHOLE(*a[2]), *a[3]);
    for (int i = 0; i < SIMDP_ACCOUNT_BOUNDS && out != NULL; i++) epsilon[i] = table.epsilon[i];
    return status;
}

/* A composed sequence of one Laplace mechanism; made once, and kept. */
static const simdp_pld *composed_pld(void)
{
    static simdp_pld *pld;
    if (pld == NULL && (simdp_pld_create(&pld, 0x1p-10) != SIMDP_OK || simdp_pld_add_laplace(pld, 1.0, 2) != SIMDP_OK ||
                        simdp_pld_compose(pld, 1e-9, 1.0, SIMDP_PLD_DOTS, SIMDP_PLD_BINS, NULL, NULL) != SIMDP_OK))
        return NULL;
    return pld;
}

/* lower and upper side by side */
#define ROW_PLD(f)                                                           \
    static simdp_status f(void *out, size_t n, const double *const *a)       \
    {                                                                        \
        return simdp_##f(composed_pld(), out, form_second(out, n), a[0], n); \
    }
ROW_PLD(pld_delta)
ROW_PLD(pld_log_delta)
ROW_PLD(pld_epsilon)

/* ---- scalars: the row, its function, and the arguments from a[] ---- */

#define ROW_ONE(f, public, ...)                                        \
    static simdp_status f(void *out, size_t n, const double *const *a) \
    {                                                                  \
        (void)n;                                                       \
        return simdp_theory_##public(out, __VA_ARGS__);                \
    }
#define QUERY ((simdp_theory_concentration){SIMDP_THEORY_SUBEXPONENTIAL, *a[0], *a[1], 1})
/* clang-format off */
ROW_ONE(gamma, concentration_exponent, *a[2], QUERY)
ROW_ONE(typical_noise, typical_noise, QUERY, (simdp_theory_stability){*a[2], *a[3], *a[4]})
ROW_ONE(typical_error, typical_error, *a[0], (simdp_theory_stability){*a[1], *a[2], 0.0}, *a[3])
ROW_ONE(near_independence, near_independence, (simdp_theory_stability){*a[0], *a[1], *a[2]}, *a[3])
ROW_ONE(adaptive_accuracy, adaptive_accuracy,
        &(simdp_theory_adaptive_setup){*a[0], WHOLE(*a[1]), *a[2], *a[3], *a[4], *a[5], *a[6]})
ROW_ONE(hoeffding, hoeffding, *a[0], WHOLE(*a[1]), *a[2], 7.0)
ROW_ONE(hoeffding_lemma, hoeffding_lemma, *a[0], *a[1], 7.0, *a[2])
ROW_ONE(azuma, azuma, *a[0], WHOLE(*a[1]), *a[2], *a[3])
ROW_ONE(azuma_threshold, azuma_threshold, *a[0], WHOLE(*a[1]), *a[2], *a[3])
ROW_ONE(polya, polya, WHOLE(*a[0]), WHOLE(*a[1]), WHOLE(*a[2]), *a[3])
ROW_ONE(exponential_tail, exponential_tail, *a[0], WHOLE(*a[1]))
ROW_ONE(expected_maximum, expected_maximum, WHOLE(*a[0]), WHOLE(*a[1]))
ROW_ONE(expected_column_maximum, expected_column_maximum, *a[0], WHOLE(*a[1]), *a[2])
/* clang-format on */

/* the inverse of gamma, beside noise that does not matter */
static simdp_status gamma_inverse(void *out, size_t n, const double *const *a)
{
    simdp_theory_typical_plan plan;
    const simdp_theory_stability target = {.eta = 1.0, .tau = 0.5, .nu = *a[2]};
    const simdp_status status = simdp_theory_typical_noise(out == NULL ? NULL : &plan, QUERY, target);
    (void)n;
    if (out != NULL) *(double *)out = plan.alpha;
    return status;
}

static simdp_status hoeffding_deviation(void *out, size_t n, const double *const *a)
{
    double *two_sided = out == NULL ? NULL : (double *)out + 1;
    (void)n;
    return simdp_theory_hoeffding_deviation(out, two_sided, *a[0], WHOLE(*a[1]), *a[2], 7.0);
}

const form_row forms_of_account[] = {
    R_OF(account_compose, compose_basic, "EPK", 3, 0.1, 1e-6, 10),
    R_OF(account_compose, compose_azuma_approximate, "EPK", 3, 0.1, 1e-6, 10),
    R_OF(account_compose, compose_strong, "EPKP", 3, 0.1, 1e-6, 10, 1e-5),
    R_OF(account_compose, compose_azuma, "E0KP", 3, 0.1, 0, 10, 1e-5),
    R_OF(account_compose, compose_advanced, "E0KP", 3, 0.1, 0, 10, 1e-5),
    R_OF(account_compose, compose_bounded_range, "E0KP", 3, 0.1, 0, 10, 1e-5),
    R_OF(account_compose_inverse, compose_strong_inverse, "E-KP", 1, 1, 0, 10, 1e-5),
    R_OF(account_bounded_range_mean, bounded_range_mean, "E", 1, 0.5),
    R_OF(account_compose_heterogeneous, compose_heterogeneous, "epp", 6, 0.1, 1e-6, 1e-5),
    R_OF(account_exact_delta, compose_optimal_delta, "Eepk", 1, 0.5, 0.1, 1e-6, 10),
    R_OF(account_exact_log_delta, compose_optimal_log_delta, "Eepk", 1, 0.5, 0.1, 1e-6, 10),
    R_OF(account_exact_epsilon, compose_optimal_epsilon, "Pepk", 1, 1e-4, 0.1, 1e-6, 10),
    R_OF(account_exact_heterogeneous_delta, compose_optimal_heterogeneous_delta, "Eep", 1, 0.2, 0.1, 1e-6),
    R_OF(account_exact_heterogeneous_log_delta, compose_optimal_heterogeneous_log_delta, "Eep", 1, 0.2, 0.1, 1e-6),
    R_OF(account_exact_heterogeneous_epsilon, compose_optimal_heterogeneous_epsilon, "Pep", 1, 0.1, 0.1, 1e-6),
    R_OF(account_exact_delta, compose_laplace_delta, "Eek", 1, 0.5, 0.1, 10),
    R_OF(account_exact_log_delta, compose_laplace_log_delta, "Eek", 1, 0.5, 0.1, 10),
    R_OF(account_exact_epsilon, compose_laplace_epsilon, "Pek", 1, 1e-5, 0.1, 10),
    R_OF(account_compose_gaussian, compose_gaussian, "ek", 1, 1, 4),
    R_OF(account_delta, delta_upper_gaussian, "Ee", 1, 0.5, 1),
    R_OF(account_epsilon, epsilon_gaussian, "Pe", 1, 1e-5, 1),
    R_OF(account_epsilon_each, epsilon_gaussian_each, "PE", 1, 1e-5, 1),
    R_OF(account_noise, sigma_gaussian, "EP", 1, 0.5, 1e-5),
    R_OF(account_delta, delta_upper_laplace, "Ee", 1, 0.5, 1),
    R_OF(account_epsilon, epsilon_laplace, "Pe", 1, 1e-5, 1),
    R_OF(account_epsilon_each, epsilon_laplace_each, "PE", 1, 1e-5, 1),
    R_OF(account_noise, scale_laplace, "EP", 1, 0.5, 1e-5),
    R_OF(account_delta, delta_upper_randomized_response, "Eep", 1, 0.5, 1, 0.01),
    R_OF(account_epsilon, epsilon_randomized_response, "Pep", 1, 0.1, 1, 0.01),
    R_OF(account_noise, epsilon0_randomized_response, "EPp", 1, 0.5, 0.1, 0.01),
    R_OF(account_delta, delta_upper_discrete_laplace, "Esk", 1, 0.5, 3, 2),
    R_OF(account_delta, delta_upper_discrete_gaussian, "Esk", 1, 0.5, 3, 2),
    R_OF(account_epsilon, epsilon_discrete_laplace, "Psk", 1, 1e-5, 3, 2),
    R_OF(account_epsilon, epsilon_discrete_gaussian, "Psk", 1, 1e-5, 3, 2),
    R_OF(account_noise, scale_discrete_laplace, "EPk", 1, 0.5, 1e-5, 2),
    R_OF(account_noise, sigma_discrete_gaussian, "EPk", 1, 0.5, 1e-5, 2),
    R_OF(account_miss_rate, miss_laplace, "Pe", 1, 0.05, 1),
    R_OF(account_miss_rate, miss_gaussian, "Pe", 1, 0.05, 1),
    R_OF(account_miss_rate, miss_response, "Pep", 1, 0.05, 1, 0.01),
    R_OF(account_gdp_mu, gdp_mu, "EP", 1, 0.5, 1e-5),
    R_OF(account_tree_gaussian, tree_gaussian, "Ek", 1, 2, 100),
    R_OF(account_subset_delta, subset_delta, "Eep", 1, 0.5, 1, 0.1),
    R_OF(account_subset_epsilon, subset_epsilon, "Pep", 1, 1e-5, 1, 0.1),
    R_OF(account_renyi_subset, renyi_subset, "epe", 1, 0.5, 0.1, 1),
    R_OF(account_plan, plan_laplace, "EPZ", 4, 0.5, 1e-5, 2),
    R_OF(account_plan, plan_gaussian, "EPZ", 4, 0.5, 1e-5, 2),
    R_OF(account_guarantee, guarantee_laplace, "EZP", 4, 3, 2, 1e-5),
    R_OF(account_guarantee, guarantee_gaussian, "EZP", 4, 3, 2, 1e-5),
    R_OF(account_renyi_convert, renyi_epsilon, "OEP", 1, 2, 0.5, 1e-5),
    R_OF(account_renyi_convert, renyi_epsilon_classic, "OEP", 1, 2, 0.5, 1e-5),
    R_OF(account_renyi_convert, renyi_delta, "OEE", 1, 2, 0.5, 3),
    R_OF(account_renyi_convert, renyi_log_delta, "OEE", 1, 2, 0.5, 3),
    RF_OF(account_renyi_add, renyi_add, FORM_UPDATES, "EEk", 1, 0.5, 1, 3),
    R_OF(account_renyi_best, renyi_best, "oep", 2, 2, 0.5, 1e-5),
    R_OF(account_renyi_repeat, renyi_repeat, "oe-i", 1, 2, 0.5, 1, 0.1),
    R_OF(account_renyi_compose, renyi_compose, "Oek", 1, 2, 0.5, 3),
    R_OF(account_renyi_compose_epsilon, renyi_compose_epsilon, "Pek", 2, 1e-5, 0.1, 3),
    R_OF(account_zcdp_epsilon, zcdp_epsilon, "EP", 3, 0.1, 1e-5),
    R_OF(account_zcdp_offset_epsilon, zcdp_offset_epsilon, "EEP", 3, 0.5, 0.1, 1e-5),
    RF(pld_delta, FORM_SIDE_BY_SIDE, "E", 2, 0.5),
    RF(pld_log_delta, FORM_SIDE_BY_SIDE, "E", 2, 0.5),
    RF(pld_epsilon, FORM_SIDE_BY_SIDE, "P", 2, 0.1),
    R_OF(account_bounds, bounds, "epkp", SIMDP_ACCOUNT_BOUNDS, 0.1, 1e-9, 10, 1e-5),
    R_OF(theory_compose, compose_typical_nonadaptive, "EPPK", 6, 0.1, 1e-6, 1e-9, 10),
    R_OF(theory_compose, compose_typical_pure, "O0PKI", 6, 0.1, 0, 1e-9, 10, 1e-6),
    R_OF(theory_compose, compose_typical_approximate, "SIPKI", 6, 0.1, 1e-6, 1e-9, 10, 1e-6),
    R_OF(theory_concentration_exponent, gamma, "sse", 3, 1, 0.5, 3),
    R_OF(theory_typical_noise, gamma_inverse, "ssq", 1, 1, 0.5, 1e-3),
    R_OF(theory_typical_noise, typical_noise, "ssopq", 4, 1, 0.5, 0.1, 1e-6, 1e-3),
    R_OF(theory_typical_error, typical_error, "zopb", 3, 1, 0.1, 1e-6, 0.05),
    R_OF(theory_near_independence, near_independence, "eppp", 4, 0.1, 1e-6, 1e-3, 0.1),
    R_OF(theory_adaptive_accuracy, adaptive_accuracy, "smoiiio", 5, 1, 10, 0.1, 1e-20, 1e-15, 0.05, 3),
    R_OF(theory_hoeffding, hoeffding, "ekr", 3, 2, 10, 0.0),
    R_OF(theory_hoeffding_deviation, hoeffding_deviation, "pkr", 2, 0.1, 10, 0.0),
    R_OF(theory_hoeffding_lemma, hoeffding_lemma, "zrr", 1, 0.5, 0.0, 1.0),
    R_OF(theory_azuma, azuma, "ekrz", 3, 2, 10, 0.1, 1),
    R_OF(theory_azuma_threshold, azuma_threshold, "pkrz", 1, 0.1, 10, 0.1, 1),
    R_OF(theory_polya, polya, "kkke", 4, 3, 2, 10, 2),
    R_OF(theory_exponential_tail, exponential_tail, "ek", 6, 0.5, 1000),
    R_OF(theory_expected_maximum, expected_maximum, "kk", 1, 10, 10),
    R_OF(theory_expected_column_maximum, expected_column_maximum, "eme", 1, 5, 10, 0.5),
    {0},
};
