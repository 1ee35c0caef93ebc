/* threshold_forms.c: from which threshold on counts may be shown.
 *
 * A group of one person must be shown with probability at most d, the share of one group in delta. The released count
 * is the multiple of the grid nearest to 1 + noise; it reaches a multiple T of the grid only if 1 + noise >= T - grid/2.
 * So T - grid/2 must be at least the number that 1 + noise exceeds with probability d, and T the next multiple of the
 * grid. */

#include "call/forms.h"
#include "call/in_range.h"
#include "math/special.h"
#include "release/threshold/person_share.h"

/* The d-quantile of Laplace noise of scale 1 from above, and of Gaussian noise, rounded up; 0 < d < 1. rest: 1 - d,
 * rounded up. */
typedef double upper_quantile(double share, double rest);

static double laplace_quantile(double share, double rest)
{
    if (share <= 0.5) return ulps_up(-plain_log(2.0 * share), 2.0);
    const double size = -plain_log(2.0 * rest); /* at or below the real one, as rest is rounded up */
    return size > 0.0 ? -ulps_down(size, 2.0) : 0.0;
}

/* 8 units of 2^-53, of which simdp_special_normal_quantile has the bound; the condition near 1/2 is that of the share
 * itself, which is exact or rounded to the safe side. */
static double gaussian_quantile(double share, double rest)
{
    (void)rest;
    const double quantile = -simdp_special_normal_quantile(share);
    return quantile >= 0.0 ? ulps_up(quantile, 16.0) : -ulps_down(-quantile, 16.0);
}

static bool is_power_of_two(double grid)
{
    int exponent;
    return is_in_range(grid, SIMDP_RELEASE_GRID_MIN, SIMDP_RELEASE_GRID_MAX) && frexp(grid, &exponent) == 0.5;
}

/* scale times quantile, upward */
static double reach_up(double scale, double quantile)
{
    return quantile >= 0.0 ? times_up(scale, quantile) : -times_down(scale, -quantile);
}

static double threshold_of(double delta, double scale, double grid, uint64_t groups, upper_quantile *quantile_of)
{
    if (!is_in_range(delta, 0x1p-1000, 1.0 - 0x1p-53) || groups == 0 || !is_power_of_two(grid) ||
        !is_in_range(scale, SIMDP_NOISE_SCALE_MIN, SIMDP_NOISE_SCALE_MAX))
        return NAN;
    const double share = person_share(delta, groups), rest = person_rest(delta, groups);
    const double reach = add_up(1.0, reach_up(scale, quantile_of(share, rest)));
    return grid * ceil(add_up(reach, 0.5 * grid) / grid); /* quotient and product are exact, or overflow to inf */
}

#define THRESHOLD_FORM(law, quantile_of)                                                                               \
    simdp_status simdp_release_threshold_##law(double *threshold, const double *delta, size_t n, double scale,         \
                                               double grid, uint64_t groups_per_person)                                \
    {                                                                                                                  \
        FORMS_EACH(n,                                                                                                  \
                   form_is_number(threshold[i] = threshold_of(delta[i], scale, grid, groups_per_person, quantile_of)), \
                   FORM_ARRAY(threshold), FORM_ARRAY(delta));                                                          \
    }

THRESHOLD_FORM(laplace, laplace_quantile)
THRESHOLD_FORM(gaussian, gaussian_quantile)
