/* golden_pld.c: masses of one step on a grid. */
#include <string.h>

#include "golden.h"

static simdp_status pessimistic(double *const *out, const golden_input *in)
{
    simdp_pld *pld;
    const char *mechanism = in[0].text;
    const double parameter = in[1].number;
    simdp_status status = simdp_pld_create(&pld, in[2].number);
    if (status != SIMDP_OK) return status;
    if (strcmp(mechanism, "laplace") == 0) status = simdp_pld_add_laplace(pld, parameter, 1);
    else if (strcmp(mechanism, "gaussian") == 0) status = simdp_pld_add_gaussian(pld, parameter, 1);
    else if (strcmp(mechanism, "rr") == 0) status = simdp_pld_add_randomized_response(pld, parameter, 0.0, 1);
    else status = SIMDP_EPARAM;
    if (status == SIMDP_OK) status = simdp_pld_masses(pld, out[0], 1, in[3].whole, 0, SIMDP_PLD_UP);
    simdp_pld_destroy(pld);
    return status;
}

const golden_function golden_pld[] = {
    {"pld_pessimistic", "mech:t param h index:i", "pmf", pessimistic},
    {0},
};
