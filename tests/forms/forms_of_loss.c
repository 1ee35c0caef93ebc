/* forms_of_loss.c: rows of forms_table.h. */
#include "forms_table.h"

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

ROW_AS(log_delta_laplace)
ROW_AS(log_delta_gaussian)
ROW_ASS(delta_randomized_response)
ROW_ASS(log_delta_randomized_response)
ROW_AA(log_delta_laplace_each)
ROW_AA(log_delta_gaussian_each)
ROW_AAA(delta_randomized_response_each)
ROW_ASK(delta_discrete_laplace)
ROW_ASK(log_delta_discrete_laplace)
ROW_ASK(delta_discrete_gaussian)
ROW_ASK(log_delta_discrete_gaussian)

#define LOSS_LAWS(what)            \
    ROW_AS(loss_##what##_laplace)  \
    ROW_AS(loss_##what##_gaussian) \
    ROW_ASS(loss_##what##_randomized_response)
LOSS_LAWS(cdf)
LOSS_LAWS(sf)
LOSS_LAWS(log_cdf)
LOSS_LAWS(log_sf)
ROW_A(loss_moments_laplace)
ROW_A(loss_moments_gaussian)
ROW_AS(loss_moments_randomized_response)
ROW_AS(renyi_laplace)
ROW_AS(renyi_gaussian)
ROW_AS(renyi_randomized_response)
ROW_AA(renyi_laplace_each)
ROW_AA(renyi_gaussian_each)
ROW_AA(renyi_randomized_response_each)

/* keep and flip side by side */
static simdp_status randomized_response_probabilities(void *out, size_t n, const double *const *a)
{
    return simdp_randomized_response_probabilities(out, form_second(out, n), a[0], n, *a[1]);
}

ROW_AS(delta_laplace)
ROW_AS(delta_gaussian)
ROW_AA(delta_laplace_arrays)
ROW_AA(delta_gaussian_arrays)

#define ROW_FIXED(f)                                                   \
    static simdp_status f(void *out, size_t n, const double *const *a) \
    {                                                                  \
        return simdp_##f(out, a[0], n, *a[1], *a[2], *a[3]);           \
    }
ROW_FIXED(loss_laplace_f64)
ROW_FIXED(loss_gaussian_f64)

#define ROW_CENTRES(f)                                                 \
    static simdp_status f(void *out, size_t n, const double *const *a) \
    {                                                                  \
        return simdp_##f(out, a[0], a[1], a[2], n, *a[3]);             \
    }
ROW_CENTRES(loss_laplace_f64_centres)
ROW_CENTRES(loss_gaussian_f64_centres)

#define ROW_AAAA(f)                                                    \
    static simdp_status f(void *out, size_t n, const double *const *a) \
    {                                                                  \
        return simdp_##f(out, a[0], a[1], a[2], a[3], n);              \
    }
ROW_AAAA(loss_laplace_f64_arrays)
ROW_AAAA(loss_gaussian_f64_arrays)

/* of the losses 0.01, 0.02, ..., 10 */
static simdp_status loss_statistics_quantiles(void *out, size_t n, const double *const *a)
{
    static simdp_loss_statistics statistics;
    static uint64_t counts[102];
    static bool made;
    const simdp_loss_plan plan = {.counts = counts, .bins = 100, .low = 0.0, .high = 10.0};
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

static simdp_status delta_finite(void *out, size_t n, const double *const *a)
{
    return simdp_delta_finite(out, a[0], n, (const double[]){*a[1], *a[2]}, half, 2);
}

static simdp_status renyi_finite(void *out, size_t n, const double *const *a)
{
    return simdp_renyi_finite(out, a[0], n, (const double[]){*a[1], *a[2]}, half, 2);
}

static simdp_status divergences_finite(void *out, size_t n, const double *const *a)
{
    (void)n;
    return simdp_divergences_finite(out, half, (const double[]){*a[0], *a[1]}, 2);
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
    R(log_delta_laplace, "Ee", 1, 0.5, 1),
    R(log_delta_gaussian, "Ee", 1, 0.5, 1),
    R(log_delta_laplace_each, "EE", 1, 0.5, 1),
    R(log_delta_gaussian_each, "EE", 1, 0.5, 1),
    R(delta_randomized_response, "Eep", 1, 0.5, 1, 0.1),
    R(log_delta_randomized_response, "Eep", 1, 0.5, 1, 0.1),
    R(delta_randomized_response_each, "EEP", 1, 0.5, 1, 0.1),
    R(delta_discrete_laplace, "Esk", 1, 0.5, 1.5, 2),
    R(log_delta_discrete_laplace, "Esk", 1, 0.5, 1.5, 2),
    R(delta_discrete_gaussian, "Esk", 1, 0.5, 1.5, 2),
    R(log_delta_discrete_gaussian, "Esk", 1, 0.5, 1.5, 2),
#define LOSS_ROWS(what)                                                                    \
    R(loss_##what##_laplace, "Xe", 1, 0.5, 1), R(loss_##what##_gaussian, "Xe", 1, 0.5, 1), \
        R(loss_##what##_randomized_response, "Xep", 1, 0.5, 1, 0.1)
    LOSS_ROWS(cdf),
    LOSS_ROWS(sf),
    LOSS_ROWS(log_cdf),
    LOSS_ROWS(log_sf),
    R(loss_moments_laplace, "E", 5, 1),
    R(loss_moments_gaussian, "E", 5, 1),
    R(loss_moments_randomized_response, "Ep", 5, 1, 0.1),
    RF(randomized_response_probabilities, FORM_SIDE_BY_SIDE, "Ep", 2, 1, 0.1),
    R(renyi_laplace, "Oe", 1, 2, 1),
    R(renyi_gaussian, "Oe", 1, 2, 1),
    R(renyi_randomized_response, "Oe", 1, 2, 1),
    R(renyi_laplace_each, "OE", 1, 2, 1),
    R(renyi_gaussian_each, "OE", 1, 2, 1),
    R(renyi_randomized_response_each, "OE", 1, 2, 1),
    R(delta_finite, "Ezz", 1, 0.5, 0.3, 0.7),
    R(renyi_finite, "Ozz", 1, 2, 0.3, 0.7),
    R(divergences_finite, "zz", 5, 0.3, 0.7),
    RF(delta_laplace, FORM_VECTORISED, "Ee", 1, 0.5, 1),
    RF(delta_gaussian, FORM_VECTORISED, "Ee", 1, 0.5, 1),
    RF(delta_laplace_arrays, FORM_VECTORISED, "EE", 1, 0.5, 1),
    RF(delta_gaussian_arrays, FORM_VECTORISED, "EE", 1, 0.5, 1),
    RF(loss_laplace_f64, FORM_VECTORISED | FORM_UNTOUCHED, "Yrrc", 1, 0.7, 0.2, 1.1, 1.5),
    RF(loss_gaussian_f64, FORM_VECTORISED | FORM_UNTOUCHED, "Yrrc", 1, 0.7, 0.2, 1.1, 1.5),
    RF(loss_laplace_f64_centres, FORM_VECTORISED | FORM_UNTOUCHED, "YRRc", 1, 0.7, 0.2, 1.1, 1.5),
    RF(loss_gaussian_f64_centres, FORM_VECTORISED | FORM_UNTOUCHED, "YRRc", 1, 0.7, 0.2, 1.1, 1.5),
    RF(loss_laplace_f64_arrays, FORM_VECTORISED, "YRRC", 1, 0.7, 0.2, 1.1, 1.5),
    RF(loss_gaussian_f64_arrays, FORM_VECTORISED, "YRRC", 1, 0.7, 0.2, 1.1, 1.5),
    R(loss_statistics_quantiles, "Pu", 3, 0.3, 0.01),
    {0},
};
