/* typical_release.c: typically stable releases: noise as wide as a query's concentration asks for, released exactly. */
#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "call/in_range.h"
#include "simdp/simdp.h"
#include "vec/float_rules.h"

#define LEAST 0x1p-1074 /* the least positive double */

static bool is_open_unit(double p) { return is_in_range(p, LEAST, 1.0 - 0x1p-53); }

/* NaN, which a release refuses, if the query or the target is bad; never 0, which would be an answer without noise. */
static double scale_for(bool gaussian, simdp_theory_concentration query, simdp_theory_stability target)
{
    simdp_theory_typical_plan plan;
    if (!gaussian) target.tau = 0.5; /* not read; a Gaussian plan comes along */
    if (!is_in_range(target.eta, -DBL_MAX, DBL_MAX) || !is_open_unit(target.nu) || !is_open_unit(target.tau))
        return NAN;
    if (simdp_theory_typical_noise(&plan, query, target) != SIMDP_OK) return NAN;
    const double scale = gaussian ? plan.gaussian_sigma_analytic : plan.laplace_scale;
    return is_in_range(scale, LEAST, INFINITY) ? scale : NAN;
}

simdp_status simdp_theory_release_laplace(simdp_rng *rng, double *out, const double *answers, size_t n,
                                          simdp_theory_concentration query, simdp_theory_stability target)
{
    const double scale = scale_for(false, query, target);
    return simdp_release_laplace(rng, out, answers, n, scale, simdp_release_grid(scale));
}

simdp_status simdp_theory_release_gaussian(simdp_rng *rng, double *out, const double *answers, size_t n,
                                           simdp_theory_concentration query, simdp_theory_stability target)
{
    const double scale = scale_for(true, query, target);
    return simdp_release_gaussian(rng, out, answers, n, scale, simdp_release_grid(scale));
}
