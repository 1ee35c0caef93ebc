/* discrete_laplace.c: see discrete_laplace.h: the factor h, in 128 bits and in 512. */
#include "release/discrete/discrete_laplace.h"

#include "release/fixed.h"

#define SCALE_ALONE 0x1p-7 /* from here down e^(-1/t) < 2^-184 */

static void set_factor(simdp_discrete_laplace *plan, double scale)
{
    simdp_u128 x = 0; /* 2^127 e^(-1/t) */
    if (scale > SCALE_ALONE) {
        int exponent;
        const simdp_u128 inverse = simdp_fixed_reciprocal(scale, &exponent);
        x = simdp_fixed_exp_neg(inverse >> -(exponent + 120));
    }
    const simdp_u128 h = ((simdp_u128)1 << 127) + x; /* 2^128 h, below 2^128 */
    const double high = (double)(uint64_t)(h >> 75) * 0x1p-53;
    const double rest = (double)(uint64_t)(h >> 11 & UINT64_MAX) * 0x1p-117;
    plan->factor = high + rest;
    plan->factor_low = rest - (plan->factor - high);
}

/* Beside what plan.c counts there are, in doubles, the roundings of h and of |V| h, 2^-52 in E together; in
 * double-doubles that of the factor and a product, 2^-104. */
void simdp_discrete_laplace_plan(simdp_discrete_laplace *plan, double scale, double shrink, int least,
                                 simdp_discrete_scratch *scratch)
{
    plan->release = simdp_release_plan_forced(RELEASE_LAPLACE, scale, 1.0, shrink, least, NULL);
    plan->release.noise = scratch->noise;
    plan->release.radius = scratch->radius;
    plan->release.limit -= shrink * scale * 0x1p-52;
    plan->release.radius_dd += scale * 0x1p-104;
    if (plan->release.block > DISCRETE_LAPLACE_BLOCK) plan->release.block = DISCRETE_LAPLACE_BLOCK;
    set_factor(plan, scale);
}

simdp_wide simdp_discrete_laplace_factor(double scale)
{
    const simdp_wide inverse = simdp_wide_div(simdp_wide_from_u64(1), simdp_wide_from_double(scale));
    const simdp_wide q = simdp_wide_exp(simdp_wide_neg(inverse));
    return simdp_wide_scale(simdp_wide_add(q, simdp_wide_from_u64(1)), -1);
}
