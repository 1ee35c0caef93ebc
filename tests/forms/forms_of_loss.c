/* forms_of_loss.c: rows of forms_table.h. */
#include <math.h>

#include "forms_table.h"
#include "support/laws.h"

/* ---- laws of noise ---- */

#define ROW_LAW(what, law, mechanism)                                                \
    static simdp_status what##_##law(void *out, size_t n, const double *const *a)    \
    {                                                                                \
        return simdp_noise_##what(out, a[0], n, SIMDP_MECHANISM_##mechanism, *a[1]); \
    }
#define ROW_LAWS(law, mechanism)      \
    ROW_LAW(cdf, law, mechanism)      \
    ROW_LAW(sf, law, mechanism)       \
    ROW_LAW(quantile, law, mechanism) \
    ROW_LAW(log_density, law, mechanism)
ROW_LAWS(laplace, LAPLACE)
ROW_LAWS(gaussian, GAUSSIAN)
ROW_LAWS(gumbel, GUMBEL)
ROW_LAWS(exponential, EXPONENTIAL)
ROW_LAWS(discrete_laplace, DISCRETE_LAPLACE)
ROW_LAWS(discrete_gaussian, DISCRETE_GAUSSIAN)
ROW_LAW(probability, discrete_laplace, DISCRETE_LAPLACE)
ROW_LAW(probability, discrete_gaussian, DISCRETE_GAUSSIAN)

/* ---- curves ---- */

#define ROW_FORM(name, public, law)                                       \
    static simdp_status name(void *out, size_t n, const double *const *a) \
    {                                                                     \
        return simdp_loss_##public(out, a[0], n, law);                    \
    }
#define ROW_EACH(name, public, law)                                       \
    static simdp_status name(void *out, size_t n, const double *const *a) \
    {                                                                     \
        return simdp_loss_##public(out, a[0], a[1], n, law);              \
    }
#define LEAKY  law_leaky(*a[1], *a[2])
#define WHOLES *a[1], WHOLE(*a[2])

ROW_AS(delta_laplace)
ROW_AS(delta_gaussian)
ROW_FORM(delta_of_laplace, delta, law_laplace(*a[1]))
ROW_FORM(delta_of_gaussian, delta, law_gaussian(*a[1]))
ROW_FORM(delta_response, delta, law_response(*a[1]))
ROW_FORM(delta_leaky_response, delta, LEAKY)
ROW_FORM(delta_discrete_laplace, delta, law_discrete_laplace(WHOLES))
ROW_FORM(delta_discrete_gaussian, delta, law_discrete_gaussian(WHOLES))
ROW_FORM(log_delta_laplace, log_delta, law_laplace(*a[1]))
ROW_FORM(log_delta_gaussian, log_delta, law_gaussian(*a[1]))
ROW_FORM(log_delta_response, log_delta, law_response(*a[1]))
ROW_FORM(log_delta_leaky_response, log_delta, LEAKY)
ROW_FORM(log_delta_discrete_laplace, log_delta, law_discrete_laplace(WHOLES))
ROW_FORM(log_delta_discrete_gaussian, log_delta, law_discrete_gaussian(WHOLES))
ROW_EACH(delta_laplace_each, delta_each, law_laplace(NAN))
ROW_EACH(delta_gaussian_each, delta_each, law_gaussian(NAN))
ROW_EACH(delta_leaky_response_each, delta_each, law_leaky(NAN, *a[2]))
ROW_EACH(delta_discrete_laplace_each, delta_each, law_discrete_laplace(NAN, WHOLE(*a[2])))
ROW_EACH(delta_discrete_gaussian_each, delta_each, law_discrete_gaussian(NAN, WHOLE(*a[2])))

#define ROW_LOSS_LAWS(what)                                     \
    ROW_FORM(loss_##what##_laplace, what, law_laplace(*a[1]))   \
    ROW_FORM(loss_##what##_gaussian, what, law_gaussian(*a[1])) \
    ROW_FORM(loss_##what##_response, what, law_response(*a[1])) \
    ROW_FORM(loss_##what##_leaky_response, what, LEAKY)
ROW_LOSS_LAWS(cdf)
ROW_LOSS_LAWS(sf)
ROW_LOSS_LAWS(log_cdf)
ROW_LOSS_LAWS(log_sf)

ROW_FORM(renyi_laplace, renyi, law_laplace(*a[1]))
ROW_FORM(renyi_gaussian, renyi, law_gaussian(*a[1]))
ROW_FORM(renyi_response, renyi, law_response(*a[1]))

#define ROW_MOMENTS(name, count, law)                                                        \
    static simdp_status name(void *out, size_t n, const double *const *a)                    \
    {                                                                                        \
        static _Thread_local simdp_law laws[FORM_ELEMENTS_MAX];                              \
        for (size_t i = 0; i < form_elements(n) && form_given(a, count); i++) laws[i] = law; \
        return simdp_loss_law_moments(out, form_given(a, count) ? laws : NULL, n);           \
    }
ROW_MOMENTS(loss_moments_laplace, 1, law_laplace(a[0][i]))
ROW_MOMENTS(loss_moments_gaussian, 1, law_gaussian(a[0][i]))
ROW_MOMENTS(loss_moments_response, 1, law_response(a[0][i]))
ROW_MOMENTS(loss_moments_leaky_response, 2, law_leaky(a[0][i], a[1][i]))

/* keep and flip side by side */
static simdp_status response_probabilities(void *out, size_t n, const double *const *a)
{
    return simdp_loss_response_probabilities(out, form_second(out, n), a[0], n, *a[1]);
}

/* k, at most what 32 bits hold */
static simdp_status k_response_probabilities(void *out, size_t n, const double *const *a)
{
    const double k = fmin(fmax(*a[1], 0.0), (double)UINT32_MAX);
    return simdp_loss_k_response_probabilities(out, form_second(out, n), a[0], n, (uint32_t)k);
}
ROW_AA(loss_unary_epsilon)
ROW_AA(loss_unary_bit_epsilon)
static simdp_status loss_unary_joined(void *out, size_t n, const double *const *a)
{
    return simdp_loss_unary_joined(out, form_second(out, n), a[0], a[1], n, *a[2], *a[3]);
}
static simdp_status loss_unary_report_epsilon(void *out, size_t n, const double *const *a)
{
    return simdp_loss_unary_report_epsilon(out, a[0], a[1], n, *a[2], *a[3]);
}

/* ---- losses of outputs ---- */

#define ROW_FIXED(f)                                                   \
    static simdp_status f(void *out, size_t n, const double *const *a) \
    {                                                                  \
        return simdp_##f(out, a[0], n, *a[1], *a[2], *a[3]);           \
    }
ROW_FIXED(loss_laplace_f64)
ROW_FIXED(loss_gaussian_f64)

/* One scale for all, and one each. No array of scales is no error but the former. */
#define ROW_CENTRES(law)                                                           \
    static simdp_status law##_centres(void *out, size_t n, const double *const *a) \
    {                                                                              \
        return simdp_loss_##law##_f64_each(out, a[0], a[1], a[2], NULL, n, *a[3]); \
    }                                                                              \
    static simdp_status law##_arrays(void *out, size_t n, const double *const *a)  \
    {                                                                              \
        if (n > 0 && a[3] == NULL) return SIMDP_ENULL;                             \
        return simdp_loss_##law##_f64_each(out, a[0], a[1], a[2], a[3], n, 1.0);   \
    }
ROW_CENTRES(laplace)
ROW_CENTRES(gaussian)

/* of the losses 0.01, 0.02, ..., 10 */
static simdp_status loss_statistics_quantiles(void *out, size_t n, const double *const *a)
{
    static _Thread_local simdp_loss_statistics statistics;
    static _Thread_local uint64_t counts[102];
    static _Thread_local bool made;
    const simdp_loss_statistics_plan plan = {.counts = counts, .bins = 100, .low = 0.0, .high = 10.0};
    if (!made && simdp_loss_statistics_init(&statistics, &plan) != SIMDP_OK) return SIMDP_ESOURCE;
    for (int i = 1; !made && i <= 1000; i++) {
        const double loss = 0.01 * i;
        if (simdp_loss_statistics_update(&statistics, &loss, 1) != SIMDP_OK) return SIMDP_ESOURCE;
    }
    made = true;
    return simdp_loss_statistics_quantiles(&statistics, out, a[0], n, *a[1]);
}

/* the vectors (p1, p2) and (1/2, 1/2) */
static const double half[] = {0.5, 0.5};

#define ROW_SAMPLED(name, public)                                             \
    static simdp_status name(void *out, size_t n, const double *const *a)     \
    {                                                                         \
        return simdp_##public(out, a[0], n, *a[1], *a[2], SIMDP_LOSS_LARGER); \
    }
ROW_SAMPLED(delta_laplace_sampled, delta_laplace_sampled)
ROW_SAMPLED(delta_gaussian_sampled, delta_gaussian_sampled)
ROW_SAMPLED(log_delta_laplace_sampled, loss_log_delta_laplace_sampled)
ROW_SAMPLED(log_delta_gaussian_sampled, loss_log_delta_gaussian_sampled)

static simdp_status delta_finite(void *out, size_t n, const double *const *a)
{
    return simdp_loss_delta_finite(out, a[0], n, (const double[]){*a[1], *a[2]}, half, 2);
}

static simdp_status renyi_finite(void *out, size_t n, const double *const *a)
{
    return simdp_loss_renyi_finite(out, a[0], n, (const double[]){*a[1], *a[2]}, half, 2);
}

static simdp_status divergences_finite(void *out, size_t n, const double *const *a)
{
    (void)n;
    return simdp_loss_divergences_finite(out, half, (const double[]){*a[0], *a[1]}, 2);
}

const form_row forms_of_loss[] = {
#define LAW_ROWS(law)                                                                           \
    R_OF(noise_cdf, cdf_##law, "Xs", 1, 0.7, 1.5), R_OF(noise_sf, sf_##law, "Xs", 1, 0.7, 1.5), \
        R_OF(noise_quantile, quantile_##law, "Ps", 1, 0.2, 1.5)
    LAW_ROWS(laplace),
    LAW_ROWS(gaussian),
    LAW_ROWS(gumbel),
    LAW_ROWS(exponential),
    LAW_ROWS(discrete_laplace),
    LAW_ROWS(discrete_gaussian),
    R_OF(noise_log_density, log_density_laplace, "Xs", 1, 0.7, 1.5),
    R_OF(noise_log_density, log_density_gaussian, "Xs", 1, 0.7, 1.5),
    R_OF(noise_log_density, log_density_gumbel, "Xs", 1, 0.7, 1.5),
    R_OF(noise_log_density, log_density_exponential, "Xs", 1, 0.7, 1.5),
    R_OF(noise_log_density, log_density_discrete_laplace, "Xs", 1, 2, 1.5),
    R_OF(noise_log_density, log_density_discrete_gaussian, "Xs", 1, 2, 1.5),
    R_OF(noise_probability, probability_discrete_laplace, "Xs", 1, 2, 1.5),
    R_OF(noise_probability, probability_discrete_gaussian, "Xs", 1, 2, 1.5),
    RF(delta_laplace, FORM_VECTORISED, "Ee", 1, 0.5, 1),
    RF(delta_gaussian, FORM_VECTORISED, "Ee", 1, 0.5, 1),
    RF_OF(loss_delta, delta_of_laplace, FORM_VECTORISED, "Ee", 1, 0.5, 1),
    RF_OF(loss_delta, delta_of_gaussian, FORM_VECTORISED, "Ee", 1, 0.5, 1),
    R_OF(loss_delta, delta_response, "Ee", 1, 0.5, 1),
    R_OF(loss_delta, delta_leaky_response, "Eep", 1, 0.5, 1, 0.1),
    R_OF(loss_delta, delta_discrete_laplace, "Esk", 1, 0.5, 1.5, 2),
    R_OF(loss_delta, delta_discrete_gaussian, "Esk", 1, 0.5, 1.5, 2),
    RF_OF(loss_delta_each, delta_laplace_each, FORM_VECTORISED, "EE", 1, 0.5, 1),
    RF_OF(loss_delta_each, delta_gaussian_each, FORM_VECTORISED, "EE", 1, 0.5, 1),
    R_OF(loss_delta_each, delta_leaky_response_each, "EEp", 1, 0.5, 1, 0.1),
    R_OF(loss_delta_each, delta_discrete_laplace_each, "ESk", 1, 0.5, 1.5, 2),
    R_OF(loss_delta_each, delta_discrete_gaussian_each, "ESk", 1, 0.5, 1.5, 2),
    R_OF(loss_log_delta, log_delta_laplace, "Ee", 1, 0.5, 1),
    R_OF(loss_log_delta, log_delta_gaussian, "Ee", 1, 0.5, 1),
    R_OF(loss_log_delta, log_delta_response, "Ee", 1, 0.5, 1),
    R_OF(loss_log_delta, log_delta_leaky_response, "Eep", 1, 0.5, 1, 0.1),
    R_OF(loss_log_delta, log_delta_discrete_laplace, "Esk", 1, 0.5, 1.5, 2),
    R_OF(loss_log_delta, log_delta_discrete_gaussian, "Esk", 1, 0.5, 1.5, 2),
#define LOSS_ROWS(what)                                             \
    R_OF(loss_##what, loss_##what##_laplace, "Xe", 1, 0.5, 1),      \
        R_OF(loss_##what, loss_##what##_gaussian, "Xe", 1, 0.5, 1), \
        R_OF(loss_##what, loss_##what##_response, "Xe", 1, 0.5, 1), \
        R_OF(loss_##what, loss_##what##_leaky_response, "Xep", 1, 0.5, 1, 0.1)
    LOSS_ROWS(cdf),
    LOSS_ROWS(sf),
    LOSS_ROWS(log_cdf),
    LOSS_ROWS(log_sf),
    R_OF(loss_law_moments, loss_moments_laplace, "E", 5, 1),
    R_OF(loss_law_moments, loss_moments_gaussian, "E", 5, 1),
    R_OF(loss_law_moments, loss_moments_response, "E", 5, 1),
    R_OF(loss_law_moments, loss_moments_leaky_response, "EP", 5, 1, 0.1),
    RF_OF(loss_response_probabilities, response_probabilities, FORM_SIDE_BY_SIDE, "Ep", 2, 1, 0.1),
    RF_OF(loss_k_response_probabilities, k_response_probabilities, FORM_SIDE_BY_SIDE, "Em", 2, 1, 16),
    R(loss_unary_epsilon, "RR", 1, 0.3, -1),
    R(loss_unary_bit_epsilon, "RR", 1, 0.3, -1),
    RF(loss_unary_joined, FORM_SIDE_BY_SIDE, "RRrr", 2, 0.3, -1, 2, -2),
    R(loss_unary_report_epsilon, "RRrr", 1, 0.3, -1, 2, -2),
    R_OF(loss_renyi, renyi_laplace, "Oe", 1, 2, 1),
    R_OF(loss_renyi, renyi_gaussian, "Oe", 1, 2, 1),
    R_OF(loss_renyi, renyi_response, "Oe", 1, 2, 1),
    R_OF(delta_laplace_sampled, delta_laplace_sampled, "Eep", 1, 0.5, 1, 0.1),
    R_OF(delta_gaussian_sampled, delta_gaussian_sampled, "Eep", 1, 0.5, 1, 0.1),
    R_OF(loss_log_delta_laplace_sampled, log_delta_laplace_sampled, "Eep", 1, 0.5, 1, 0.1),
    R_OF(loss_log_delta_gaussian_sampled, log_delta_gaussian_sampled, "Eep", 1, 0.5, 1, 0.1),
    R_OF(loss_delta_finite, delta_finite, "Ezz", 1, 0.5, 0.3, 0.7),
    R_OF(loss_renyi_finite, renyi_finite, "Ozz", 1, 2, 0.3, 0.7),
    R_OF(loss_divergences_finite, divergences_finite, "zz", 5, 0.3, 0.7),
    RF(loss_laplace_f64, FORM_VECTORISED | FORM_UNTOUCHED, "Yrrc", 1, 0.7, 0.2, 1.1, 1.5),
    RF(loss_gaussian_f64, FORM_VECTORISED | FORM_UNTOUCHED, "Yrrc", 1, 0.7, 0.2, 1.1, 1.5),
    RF_OF(loss_laplace_f64_each, laplace_centres, FORM_VECTORISED | FORM_UNTOUCHED, "YRRc", 1, 0.7, 0.2, 1.1, 1.5),
    RF_OF(loss_gaussian_f64_each, gaussian_centres, FORM_VECTORISED | FORM_UNTOUCHED, "YRRc", 1, 0.7, 0.2, 1.1, 1.5),
    RF_OF(loss_laplace_f64_each, laplace_arrays, FORM_VECTORISED, "YRRC", 1, 0.7, 0.2, 1.1, 1.5),
    RF_OF(loss_gaussian_f64_each, gaussian_arrays, FORM_VECTORISED, "YRRC", 1, 0.7, 0.2, 1.1, 1.5),
    R(loss_statistics_quantiles, "Pu", 3, 0.3, 0.01),
    {0},
};
