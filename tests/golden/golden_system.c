/* golden_system.c: simulation maps. */
#include <stdlib.h>

#include "golden.h"

static simdp_status simulation_laplace(double *const *out, const golden_input *in)
{
    simdp_status status = SIMDP_OK;
    for (int bit = 0; bit < 2 && status == SIMDP_OK; bit++) {
        status = simdp_theory_laplace_map_law(out[bit], &in[1].number, 1, SIMDP_THEORY_DENSITY, bit, in[0].number);
        if (status == SIMDP_OK)
            status = simdp_theory_laplace_map_law(out[2 + bit], &in[1].number, 1, SIMDP_THEORY_CDF, bit, in[0].number);
    }
    return status;
}

static simdp_status simulation_laplace_ppf(double *const *out, const golden_input *in)
{
    const simdp_status status =
        simdp_theory_laplace_map_law(out[0], &in[1].number, 1, SIMDP_THEORY_QUANTILE, 0, in[0].number);
    return status != SIMDP_OK
               ? status
               : simdp_theory_laplace_map_law(out[1], &in[1].number, 1, SIMDP_THEORY_QUANTILE, 1, in[0].number);
}

static simdp_status simulation_discrete(double *const *out, const golden_input *in)
{
    const size_t n = in[0].count;
    double *map = calloc(4 * n + 1, sizeof *map);
    const simdp_status status = simdp_theory_discrete_map(map, in[0].list, in[1].list, n, in[2].number, in[3].number);
    for (size_t i = 0; i < 4 * n; i++) out[i / n][i % n] = map[i];
    free(map);
    return status;
}

const golden_function golden_system[] = {
    {"simulation_laplace", "eps z", "f0 f1 cdf0 cdf1", simulation_laplace},
    {"simulation_laplace_ppf", "eps u", "x0 x1", simulation_laplace_ppf},
    {"simulation_discrete", "p:l q:l eps delta", "f0:l f1:l fU:l fV:l", simulation_discrete},
    {0},
};
