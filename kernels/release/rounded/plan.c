/* plan.c: how far the noise can be off in each arithmetic, from scale and grid.
 *
 * Everything in units of the grid; S = scale / grid, u = 2^-53. tests/certificates/certify.py reads the constants
 * below, the coefficients and the tables, and checks every step (Sollya, Gappa, exact arithmetic); test_release_radius
 * measures.
 *
 * Doubles, Laplace. Let m = |w|, lowest bit set. Then |V| 2^63 lies within 1 of m, and E = -ln |V| within 1/(m-1) of
 * -ln(m / 2^63). Of the computed S E are off, in parts of S:
 *     conversion of m to a double                      u
 *     c_j and the rounding of r = m c_j - 1            1.4 u       of -ln(1 + r): 1.091 times that
 *     the polynomial                                   7.5 u
 *     its roundings, with those of S q_i               0.3 u
 *     k times (S ln2 / 8), the sum, and adding r       3.02 u E + 0.1 u
 * together LAPLACE_RADIUS for all m, if the last line counts for E <= 9 and for larger E, where m is below 2^50, a
 * quarter of 1/m helps: the unseen bits have 1.25 S / m instead of S / (m - 1). Where m < 2^20 everything is open,
 * since S counts as at least 2^18.
 *
 * Doubles, Gaussian. R = sqrt(2 E); an error a + b 2E of 2E is one of a / R + b R / 2 of R. In parts of S R:
 *     2E, its relative errors                          3.6 u       root, cos, sin, their products and sums   6.5 u
 *     unseen bits of the angle, at most 2^-51 of x     3.2 u       adding r                                  1 u
 * together GAUSSIAN_RADIUS for R <= 4.3 and beyond, with the help of the 1.25 S / m, as above: unseen bits of V make
 * 0.85 S / m. The absolute errors of 2E: NEAR_ZERO.
 *
 * Floats, for integers: the same with u = 2^-24, 31 bits of |V|, 23 of the angle, and slopes times E and R
 * instead of constants: F32_LAPLACE, F32_GAUSSIAN. Unseen bits: 1.25 / m times S or 16, so that m < 80 is open.
 *
 * Double-doubles. Two words: unseen bits 2^-127 / |V|. Series with four double-double terms and the rest in doubles:
 * the absolute error of E is below 2^-74, that of the root's factor below 2^-72; with all else DD_RADIUS is far above
 * them. What they leave open has a chance below S 2^-67. */
#include "release/rounded/plan.h"

#define LAPLACE_RADIUS  0x1.3p-48
#define GAUSSIAN_RADIUS 0x1.08p-47
#define NEAR_ZERO       0x1.7p-51
#define UNSEEN          1.25
#define UNSEEN_LEAST    0x1p18
#define F64_SUMS        0x1p-52 /* roundings of what does not grow with S: r + F, d^2 + radius, the limit */

#define F32_LAPLACE       0x1.2p-22
#define F32_LAPLACE_SLOPE 0x1.1p-22
#define F32_GAUSSIAN      0x1.ap-21
#define F32_NEAR_ZERO     0x1.2p-21
#define F32_UNSEEN_LEAST  16.0
#define F32_SUMS          0x1p-24

#define DD_RADIUS    0x1p-68
#define DD_SUMS      0x1p-100
#define DD_NEAR_ZERO 0x1p-72

/* Blocks as long as keeps few of them crowded. One element in 2^46 / S is open in doubles, and two of a block of n in
 * one of four lanes have a chance of (n S 2^-46)^2 / 8: below 2^-20 for S <= 2^26, 2^-27 for the default grid. */
static size_t block_of(double s)
{
    if (s <= 0x1p26) return RELEASE_BLOCK;
    if (s <= 0x1p28) return RELEASE_BLOCK / 4;
    return s <= 0x1p30 ? RELEASE_BLOCK / 16 : 0;
}

/* In floats one element in 2^20 / S is open; three in one of eight lanes: (n S 2^-20)^3 / 400, below 2^-18. */
static size_t block_f32_of(double s)
{
    if (s <= 32) return RELEASE_BLOCK_F32;
    return s <= 128 ? RELEASE_BLOCK_F32 / 2 : RELEASE_BLOCK_F32 / 4;
}

static double larger(double a, double b) { return a > b ? a : b; }

simdp_release_plan simdp_release_plan_forced(int law, double scale, double grid, double shrink, int least,
                                             simdp_release_scratch *scratch)
{
    simdp_release_plan plan = {.scale = scale / grid, .grid = grid, .per_grid = 1.0 / grid};
    const double s = plan.scale;
    const bool gaussian = law == RELEASE_GAUSSIAN;
    if (scratch != NULL) {
        plan.noise = scratch->noise;
        plan.radius = scratch->radius;
        plan.cells = &scratch->cells;
    }
    if (s == 0.0) { /* no noise: nothing is ever open */
        plan.limit = plan.limit_f32 = 1.0f;
        plan.unseen = plan.near_zero = plan.unseen_f32 = plan.near_zero_f32 = 0x1p-60f;
        plan.block = RELEASE_BLOCK;
        plan.block_f32 = RELEASE_BLOCK_F32;
        return plan;
    }
    plan.limit = 0.25 - shrink * (s * (gaussian ? GAUSSIAN_RADIUS : LAPLACE_RADIUS) + F64_SUMS);
    plan.unseen = shrink * UNSEEN * larger(s, UNSEEN_LEAST);
    plan.near_zero = shrink * s * NEAR_ZERO;
    plan.block = block_of(s);

    plan.limit_f32 = (float)(0.25 - shrink * ((gaussian ? 0.0 : s * F32_LAPLACE) + F32_SUMS));
    plan.slope_f32 = (float)(shrink * (gaussian ? s * F32_GAUSSIAN : F32_LAPLACE_SLOPE));
    plan.unseen_f32 = (float)(shrink * UNSEEN * larger(s, F32_UNSEEN_LEAST));
    plan.near_zero_f32 = (float)(shrink * s * F32_NEAR_ZERO);
    plan.block_f32 = block_f32_of(s);

    plan.radius_dd = s * DD_RADIUS + DD_SUMS;
    plan.unseen_dd = UNSEEN * larger(s, UNSEEN_LEAST) * 0x1p-127;
    plan.near_zero_dd = s * DD_NEAR_ZERO;
    if (least > PRECISION_F64) plan.block = plan.block_f32 = 0;
    if (least > PRECISION_DD)
        plan.radius_dd = 1.0, plan.limit = -1.0; /* limit: for integers, which go on from doubles */
    return plan;
}

uint32_t simdp_release_use(int law, bool integers, double scale)
{
    static const uint32_t uses[RELEASE_LAWS][3] = {
        [RELEASE_LAPLACE] = {BITS_RELEASE_LAPLACE_F64, BITS_RELEASE_LAPLACE_I64, BITS_RELEASE_LAPLACE_I64_NARROW},
        [RELEASE_GAUSSIAN] = {BITS_RELEASE_GAUSSIAN_F64, BITS_RELEASE_GAUSSIAN_I64, BITS_RELEASE_GAUSSIAN_I64_NARROW},
    };
    return uses[law][!integers ? 0 : scale > RELEASE_F32_SCALE ? 1 : 2];
}

simdp_release_plan simdp_release_plan_of(int law, double scale, double grid, simdp_release_scratch *scratch)
{
    return simdp_release_plan_forced(law, scale, grid, 1.0, PRECISION_F64, scratch);
}
