/* forms_of_account.c: rows of forms_table.h. */
#include "forms_table.h"

/* requests made of arrays: epsilon, delta, k, slack */
#define ROW_STEPS(f)                                                         \
    static simdp_status f(void *out, size_t n, const double *const *a)       \
    {                                                                        \
        static simdp_steps s[FORM_ELEMENTS_MAX];                             \
        for (size_t i = 0; i < form_elements(n) && form_given(a, 4); i++)    \
            s[i] = (simdp_steps){a[0][i], a[1][i], WHOLE(a[2][i]), a[3][i]}; \
        return simdp_##f(out, form_given(a, 4) ? s : NULL, n);               \
    }
ROW_STEPS(compose_basic)
ROW_STEPS(compose_azuma)
ROW_STEPS(compose_azuma_approximate)
ROW_STEPS(compose_advanced)
ROW_STEPS(compose_strong)
ROW_STEPS(compose_bounded_range)
ROW_STEPS(compose_strong_inverse)

#define ROW_TYPICAL(f)                                                                          \
    static simdp_status f(void *out, size_t n, const double *const *a)                          \
    {                                                                                           \
        static simdp_stability_steps s[FORM_ELEMENTS_MAX];                                      \
        for (size_t i = 0; i < form_elements(n) && form_given(a, 5); i++)                       \
            s[i] = (simdp_stability_steps){a[0][i], a[1][i], a[2][i], WHOLE(a[3][i]), a[4][i]}; \
        return simdp_##f(out, form_given(a, 5) ? s : NULL, n);                                  \
    }
ROW_TYPICAL(compose_typical_nonadaptive)
ROW_TYPICAL(compose_typical_pure)
ROW_TYPICAL(compose_typical_approximate)

static simdp_status bounded_range_mean(void *out, size_t n, const double *const *a)
{
    return simdp_bounded_range_mean(out, a[0], n);
}

#define ROW_OPTIMAL(f)                                                               \
    static simdp_status f(void *out, size_t n, const double *const *a)               \
    {                                                                                \
        return simdp_##f(out, a[0], n, (simdp_privacy){*a[1], *a[2]}, WHOLE(*a[3])); \
    }
ROW_OPTIMAL(compose_optimal_delta)
ROW_OPTIMAL(compose_optimal_log_delta)
ROW_OPTIMAL(compose_optimal_epsilon)

#define ROW_MIXED(f)                                                                             \
    static simdp_status f(void *out, size_t n, const double *const *a)                           \
    {                                                                                            \
        return simdp_##f(out, a[0], n, (const simdp_privacy[]){{*a[1], *a[2]}, {0.3, 0.01}}, 2); \
    }
ROW_MIXED(compose_optimal_heterogeneous_delta)
ROW_MIXED(compose_optimal_heterogeneous_log_delta)
ROW_MIXED(compose_optimal_heterogeneous_epsilon)

static simdp_status compose_heterogeneous(void *out, size_t n, const double *const *a)
{
    simdp_composed *both = out;
    (void)n;
    const simdp_privacy steps[] = {{*a[0], *a[1]}, {0.3, 0.01}};
    return simdp_compose_heterogeneous(both, both == NULL ? NULL : both + 1, steps, 2, *a[2]);
}

ROW_ASK(compose_laplace_delta)
ROW_ASK(compose_laplace_log_delta)
ROW_ASK(compose_laplace_epsilon)
ROW_AS(delta_upper_gaussian)
ROW_AS(epsilon_gaussian)
ROW_AA(epsilon_gaussian_each)
ROW_AA(sigma_gaussian)
ROW_AS(delta_upper_laplace)
ROW_AS(epsilon_laplace)
ROW_AA(epsilon_laplace_each)
ROW_AA(scale_laplace)
ROW_ASS(delta_upper_randomized_response)
ROW_ASS(epsilon_randomized_response)
ROW_ASS(epsilon0_randomized_response)
ROW_AAA(renyi_epsilon)
ROW_AAA(renyi_epsilon_classic)
ROW_AAA(renyi_delta)
ROW_AAA(renyi_log_delta)
ROW_AA(zcdp_epsilon)

static simdp_status compose_gaussian(void *out, size_t n, const double *const *a)
{
    (void)n;
    return simdp_compose_gaussian(out, (const double[]){*a[0], 2.0}, (const int64_t[]){WHOLE(*a[1]), 3}, 2);
}

#define ROW_TARGET(f)                                                     \
    static simdp_status f(void *out, size_t n, const double *const *a)    \
    {                                                                     \
        static simdp_noise_target t[FORM_ELEMENTS_MAX];                   \
        for (size_t i = 0; i < form_elements(n) && form_given(a, 3); i++) \
            t[i] = (simdp_noise_target){a[0][i], a[1][i], a[2][i]};       \
        return simdp_##f(out, form_given(a, 3) ? t : NULL, n);            \
    }
#define ROW_GIVEN(f)                                                      \
    static simdp_status f(void *out, size_t n, const double *const *a)    \
    {                                                                     \
        static simdp_noise_given g[FORM_ELEMENTS_MAX];                    \
        for (size_t i = 0; i < form_elements(n) && form_given(a, 3); i++) \
            g[i] = (simdp_noise_given){a[0][i], a[1][i], a[2][i]};        \
        return simdp_##f(out, form_given(a, 3) ? g : NULL, n);            \
    }
ROW_TARGET(plan_laplace)
ROW_TARGET(plan_gaussian)
ROW_GIVEN(guarantee_laplace)
ROW_GIVEN(guarantee_gaussian)

static simdp_status renyi_add(void *out, size_t n, const double *const *a)
{
    double *total = out;
    for (size_t i = 0; i < form_elements(n) && total != NULL && a[1] != NULL; i++) total[i] = a[1][i];
    return simdp_renyi_add(a[1] == NULL ? NULL : total, a[0], n, WHOLE(*a[2]));
}

static simdp_status renyi_best(void *out, size_t n, const double *const *a)
{
    (void)n;
    return simdp_renyi_best(out, (const double[]){*a[0], 3.0}, (const double[]){*a[1], 1.0}, 2, *a[2]);
}

static simdp_status renyi_compose(void *out, size_t n, const double *const *a)
{
    return simdp_renyi_compose(out, a[0], n, &(simdp_renyi_step){SIMDP_MECHANISM_LAPLACE, *a[1], WHOLE(*a[2])}, 1);
}

static simdp_status renyi_compose_epsilon(void *out, size_t n, const double *const *a)
{
    return simdp_renyi_compose_epsilon(out, a[0], n, &(simdp_renyi_step){SIMDP_MECHANISM_ZCDP, *a[1], WHOLE(*a[2])}, 1);
}

static simdp_status bounds(void *out, size_t n, const double *const *a)
{
    simdp_bound_table table;
    double *epsilon = out;
    (void)n;
    const simdp_privacy step = {*a[0], *a[1]};
    const simdp_status status = simdp_bounds(out == NULL ? NULL : &table, step, WHOLE(*a[2]), *a[3]);
    for (int i = 0; i < SIMDP_BOUND_COUNT && out != NULL; i++) epsilon[i] = table.epsilon[i];
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

/* ---- scalars: the name, and its arguments from a[] ---- */

#define ROW_ONE(f, ...)                                                \
    static simdp_status f(void *out, size_t n, const double *const *a) \
    {                                                                  \
        (void)n;                                                       \
        return simdp_##f(out, __VA_ARGS__);                            \
    }
#define QUERY ((simdp_query){SIMDP_QUERY_SUBEXPONENTIAL, *a[0], *a[1], 1})
ROW_ONE(gamma, *a[2], QUERY)
ROW_ONE(gamma_inverse, *a[2], QUERY)
ROW_ONE(typical_noise, QUERY, (simdp_stability){*a[2], *a[3], *a[4]})
ROW_ONE(typical_error, *a[0], (simdp_stability){*a[1], *a[2], 0.0}, *a[3])
ROW_ONE(near_independence, (simdp_stability){*a[0], *a[1], *a[2]}, *a[3])
ROW_ONE(adaptive_accuracy, &(simdp_adaptive_setup){*a[0], WHOLE(*a[1]), *a[2], *a[3], *a[4], *a[5], *a[6]})
ROW_ONE(hoeffding, *a[0], WHOLE(*a[1]), *a[2], 7.0)
ROW_ONE(hoeffding_lemma, *a[0], *a[1], 7.0, *a[2])
ROW_ONE(azuma, *a[0], WHOLE(*a[1]), *a[2], *a[3])
ROW_ONE(azuma_threshold, *a[0], WHOLE(*a[1]), *a[2], *a[3])
ROW_ONE(polya, WHOLE(*a[0]), WHOLE(*a[1]), WHOLE(*a[2]), *a[3])
ROW_ONE(exponential_tail, *a[0], WHOLE(*a[1]))
ROW_ONE(expected_maximum, WHOLE(*a[0]), WHOLE(*a[1]))
ROW_ONE(expected_column_maximum, *a[0], WHOLE(*a[1]), *a[2])

static simdp_status hoeffding_deviation(void *out, size_t n, const double *const *a)
{
    (void)n;
    return simdp_hoeffding_deviation(out, out == NULL ? NULL : (double *)out + 1, *a[0], WHOLE(*a[1]), *a[2], 7.0);
}

const form_row forms_of_account[] = {
    R(compose_basic, "EPK", 3, 0.1, 1e-6, 10),
    R(compose_azuma_approximate, "EPK", 3, 0.1, 1e-6, 10),
    R(compose_strong, "EPKP", 3, 0.1, 1e-6, 10, 1e-5),
    R(compose_azuma, "E0KP", 3, 0.1, 0, 10, 1e-5),
    R(compose_advanced, "E0KP", 3, 0.1, 0, 10, 1e-5),
    R(compose_bounded_range, "E0KP", 3, 0.1, 0, 10, 1e-5),
    R(compose_strong_inverse, "E-KP", 1, 1, 0, 10, 1e-5),
    R(bounded_range_mean, "E", 1, 0.5),
    R(compose_heterogeneous, "epp", 6, 0.1, 1e-6, 1e-5),
    R(compose_optimal_delta, "Eepk", 1, 0.5, 0.1, 1e-6, 10),
    R(compose_optimal_log_delta, "Eepk", 1, 0.5, 0.1, 1e-6, 10),
    R(compose_optimal_epsilon, "Pepk", 1, 1e-4, 0.1, 1e-6, 10),
    R(compose_optimal_heterogeneous_delta, "Eep", 1, 0.2, 0.1, 1e-6),
    R(compose_optimal_heterogeneous_log_delta, "Eep", 1, 0.2, 0.1, 1e-6),
    R(compose_optimal_heterogeneous_epsilon, "Pep", 1, 0.1, 0.1, 1e-6),
    R(compose_laplace_delta, "Eek", 1, 0.5, 0.1, 10),
    R(compose_laplace_log_delta, "Eek", 1, 0.5, 0.1, 10),
    R(compose_laplace_epsilon, "Pek", 1, 1e-5, 0.1, 10),
    R(compose_gaussian, "ek", 1, 1, 4),
    R(delta_upper_gaussian, "Ee", 1, 0.5, 1),
    R(epsilon_gaussian, "Pe", 1, 1e-5, 1),
    R(epsilon_gaussian_each, "PE", 1, 1e-5, 1),
    R(sigma_gaussian, "EP", 1, 0.5, 1e-5),
    R(delta_upper_laplace, "Ee", 1, 0.5, 1),
    R(epsilon_laplace, "Pe", 1, 1e-5, 1),
    R(epsilon_laplace_each, "PE", 1, 1e-5, 1),
    R(scale_laplace, "EP", 1, 0.5, 1e-5),
    R(delta_upper_randomized_response, "Eep", 1, 0.5, 1, 0.01),
    R(epsilon_randomized_response, "Pep", 1, 0.1, 1, 0.01),
    R(epsilon0_randomized_response, "Epp", 1, 0.5, 0.1, 0.01),
    R(plan_laplace, "EPZ", 4, 0.5, 1e-5, 2),
    R(plan_gaussian, "EPZ", 4, 0.5, 1e-5, 2),
    R(guarantee_laplace, "EZP", 4, 3, 2, 1e-5),
    R(guarantee_gaussian, "EZP", 4, 3, 2, 1e-5),
    R(renyi_epsilon, "OEP", 1, 2, 0.5, 1e-5),
    R(renyi_epsilon_classic, "OEP", 1, 2, 0.5, 1e-5),
    R(renyi_delta, "OEE", 1, 2, 0.5, 3),
    R(renyi_log_delta, "OEE", 1, 2, 0.5, 3),
    RF(renyi_add, FORM_UPDATES, "EEk", 1, 0.5, 1, 3),
    R(renyi_best, "oep", 2, 2, 0.5, 1e-5),
    R(renyi_compose, "Oek", 1, 2, 0.5, 3),
    R(renyi_compose_epsilon, "Pek", 2, 1e-5, 0.1, 3),
    R(zcdp_epsilon, "EP", 3, 0.1, 1e-5),
    RF(pld_delta, FORM_SIDE_BY_SIDE, "E", 2, 0.5),
    RF(pld_log_delta, FORM_SIDE_BY_SIDE, "E", 2, 0.5),
    RF(pld_epsilon, FORM_SIDE_BY_SIDE, "P", 2, 0.1),
    R(bounds, "epkp", SIMDP_BOUND_COUNT, 0.1, 1e-9, 10, 1e-5),
    R(compose_typical_nonadaptive, "EPPK", 6, 0.1, 1e-6, 1e-9, 10),
    R(compose_typical_pure, "O0PKI", 6, 0.1, 0, 1e-9, 10, 1e-6),
    R(compose_typical_approximate, "SIPKI", 6, 0.1, 1e-6, 1e-9, 10, 1e-6),
    R(gamma, "sse", 3, 1, 0.5, 3),
    R(gamma_inverse, "ssq", 1, 1, 0.5, 1e-3),
    R(typical_noise, "ssopq", 4, 1, 0.5, 0.1, 1e-6, 1e-3),
    R(typical_error, "zopb", 3, 1, 0.1, 1e-6, 0.05),
    R(near_independence, "eppp", 4, 0.1, 1e-6, 1e-3, 0.1),
    R(adaptive_accuracy, "smoiiio", 5, 1, 10, 0.1, 1e-20, 1e-15, 0.05, 3),
    R(hoeffding, "ekr", 3, 2, 10, 0.0),
    R(hoeffding_deviation, "pkr", 2, 0.1, 10, 0.0),
    R(hoeffding_lemma, "zrr", 1, 0.5, 0.0, 1.0),
    R(azuma, "ekrz", 3, 2, 10, 0.1, 1),
    R(azuma_threshold, "pkrz", 1, 0.1, 10, 0.1, 1),
    R(polya, "kkke", 4, 3, 2, 10, 2),
    R(exponential_tail, "ek", 6, 0.5, 1000),
    R(expected_maximum, "kk", 1, 10, 10),
    R(expected_column_maximum, "eme", 1, 5, 10, 0.5),
    {0},
};
