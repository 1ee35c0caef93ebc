/* golden_distributions.c: laws of the noise. */
#include "golden.h"

static simdp_status distribution(double *const *out, double x, simdp_mechanism law)
{
    simdp_status status = simdp_noise_cdf(out[0], &x, 1, law, 1.0);
    if (status == SIMDP_OK) status = simdp_noise_sf(out[1], &x, 1, law, 1.0);
    if (status == SIMDP_OK) status = simdp_noise_log_density(out[2], &x, 1, law, 1.0);
    return status;
}

#define LAW(law, mechanism)                                                                      \
    static simdp_status ppf_##law(double *const *out, const golden_input *in)                    \
    {                                                                                            \
        return simdp_noise_quantile(out[0], &in[0].number, 1, SIMDP_MECHANISM_##mechanism, 1.0); \
    }                                                                                            \
    static simdp_status cdf_##law(double *const *out, const golden_input *in)                    \
    {                                                                                            \
        return distribution(out, in[0].number, SIMDP_MECHANISM_##mechanism);                     \
    }

LAW(laplace, LAPLACE)
LAW(gaussian, GAUSSIAN)
LAW(gumbel, GUMBEL)
LAW(exponential, EXPONENTIAL)

static simdp_status discrete(double *const *out, const golden_input *in, simdp_mechanism law)
{
    const double scale = in[0].number, x = in[1].number;
    simdp_status status = simdp_noise_probability(out[0], &x, 1, law, scale);
    if (status == SIMDP_OK) status = simdp_noise_cdf(out[1], &x, 1, law, scale);
    if (status == SIMDP_OK) status = simdp_noise_sf(out[2], &x, 1, law, scale);
    return status;
}

static simdp_status discrete_laplace(double *const *out, const golden_input *in)
{
    return discrete(out, in, SIMDP_MECHANISM_DISCRETE_LAPLACE);
}

static simdp_status discrete_gaussian(double *const *out, const golden_input *in)
{
    return discrete(out, in, SIMDP_MECHANISM_DISCRETE_GAUSSIAN);
}

const golden_function golden_distributions[] = {
#define ROWS(law) \
    {"ppf_" #law, "p", "x", ppf_##law}, { "cdf_" #law, "x", "cdf sf log_pdf", cdf_##law }
    ROWS(laplace),
    ROWS(gaussian),
    ROWS(gumbel),
    ROWS(exponential),
    {"discrete_laplace", "t x:i", "pmf cdf sf", discrete_laplace},
    {"discrete_gaussian", "sigma x:i", "pmf cdf sf", discrete_gaussian},
    {0},
};
