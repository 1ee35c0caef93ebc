/* typical_release.c: typically stable releases: noise as wide as a query's concentration asks for, released exactly. */
#include <math.h>
#include <stdbool.h>

#include "call/in_range.h"
#include "call/publish.h"

typedef simdp_status release_function(simdp_rng *rng, double *out, const double *answers, size_t n, double scale,
                                      double grid);

static bool is_open_unit(double p) { return is_in_range(p, 0x1p-1074, 1.0 - 0x1p-53); }

static simdp_status release_typical(release_function *release, bool gaussian, simdp_rng *rng, double *out,
                                    const double *answers, size_t n, simdp_theory_concentration query,
                                    simdp_theory_stability target)
{
    simdp_theory_typical_plan plan;
    if (rng == NULL || ((out == NULL || answers == NULL) && n > 0)) return SIMDP_ENULL;
    if (!publish_fits(n, sizeof *out)) return SIMDP_EPARAM;
    if (!gaussian) target.tau = 0.5; /* not read; a Gaussian plan comes along */
    simdp_status status = SIMDP_EPARAM;
    if (isfinite(target.eta) && is_open_unit(target.nu) && is_open_unit(target.tau))
        status = simdp_theory_typical_noise(&plan, query, target);
    const double scale = status != SIMDP_OK ? 0.0 : gaussian ? plan.gaussian_sigma_analytic : plan.laplace_scale;
    /* never an answer without noise */
    if (!is_in_range(scale, 0x1p-1074, INFINITY)) return publish(SIMDP_EPARAM, out, n, PUBLISH_F64);
    return release(rng, out, answers, n, scale, simdp_release_grid(scale));
}

simdp_status simdp_theory_release_laplace(simdp_rng *rng, double *out, const double *answers, size_t n,
                                          simdp_theory_concentration query, simdp_theory_stability target)
{
    return release_typical(simdp_release_laplace, false, rng, out, answers, n, query, target);
}

simdp_status simdp_theory_release_gaussian(simdp_rng *rng, double *out, const double *answers, size_t n,
                                           simdp_theory_concentration query, simdp_theory_stability target)
{
    return release_typical(simdp_release_gaussian, true, rng, out, answers, n, query, target);
}
