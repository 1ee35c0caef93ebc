/* golden_distributions.c: laws of the noise. */
#include "golden.h"

#define LAW(law)                                                                             \
    static simdp_status ppf_##law(double *const *out, const golden_input *in)                \
    {                                                                                        \
        return simdp_ppf_##law(out[0], &in[0].number, 1, 1.0);                               \
    }                                                                                        \
    static simdp_status cdf_##law(double *const *out, const golden_input *in)                \
    {                                                                                        \
        simdp_status status = simdp_cdf_##law(out[0], &in[0].number, 1, 1.0);                \
        if (status == SIMDP_OK) status = simdp_sf_##law(out[1], &in[0].number, 1, 1.0);      \
        if (status == SIMDP_OK) status = simdp_log_pdf_##law(out[2], &in[0].number, 1, 1.0); \
        return status;                                                                       \
    }

LAW(laplace)
LAW(gaussian)
LAW(gumbel)
LAW(exponential)

#define DISCRETE_LAW(law)                                                                         \
    static simdp_status law(double *const *out, const golden_input *in)                           \
    {                                                                                             \
        simdp_status status = simdp_pmf_##law(out[0], &in[1].number, 1, in[0].number);            \
        if (status == SIMDP_OK) status = simdp_cdf_##law(out[1], &in[1].number, 1, in[0].number); \
        if (status == SIMDP_OK) status = simdp_sf_##law(out[2], &in[1].number, 1, in[0].number);  \
        return status;                                                                            \
    }

DISCRETE_LAW(discrete_laplace)
DISCRETE_LAW(discrete_gaussian)

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
