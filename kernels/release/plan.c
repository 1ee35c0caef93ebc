/* plan.c: radii of the levels, from scale and grid. */
#include "release/plan.h"

/* Level 0 leaves one element in 2^46 / scale open; blocks are as long as keeps their chance of being crowded small. */
static size_t block_of(double scale)
{
    if (scale <= 0x1p26) return RELEASE_BLOCK;
    if (scale <= 0x1p28) return RELEASE_BLOCK / 8;
    return scale <= 0x1p30 ? RELEASE_BLOCK / 32 : 0;
}

simdp_release_plan simdp_release_plan_forced(int law, double scale, double grid, double shrink, int level)
{
    simdp_release_plan plan = {.scale = scale / grid, .grid = grid, .per_grid = 1.0 / grid};
    const double s = plan.scale, least = s > 0x1p18 ? s : 0x1p18;
    const bool gaussian = law == RELEASE_GAUSSIAN;
    if (s == 0.0) {   /* no noise, nothing open */
        plan.limit = 1.0;
        plan.unseen = plan.near_zero = plan.unseen_f32 = plan.near_zero_f32 = 0x1p-60;
        plan.limit_f32 = 1.0f;
        plan.block = plan.block_f32 = RELEASE_BLOCK;
        return plan;
    }
    plan.limit = 0.25 - shrink * (s * (gaussian ? 0x1p-47 : 0x1.6p-48) + 0x1p-52);
    plan.unseen = shrink * 1.25 * least;
    plan.near_zero = shrink * s * 0x1.8p-51;
    plan.radius1 = s * 0x1p-70 + 0x1p-104;
    plan.unseen1 = 2.0 * least * 0x1p-127;
    plan.near_zero1 = s * 0x1p-102;
    plan.block = level > 0 ? 0 : block_of(s);
    plan.limit_f32 = (float)(0.25 - shrink * (s * 0x1.2p-22 + 0x1p-25));
    plan.slope_f32 = (float)(shrink * (gaussian ? s * 0x1.1p-21 : 0x1p-22));
    plan.unseen_f32 = (float)(shrink * 1.25 * (s > 16.0 ? s : 16.0));
    plan.near_zero_f32 = (float)(shrink * s * 0x1.2p-21);
    plan.block_f32 = level > 0 ? 0 : s <= 32 ? 2048 : s <= 128 ? 1024 : 512;
    if (level > 1) plan.radius1 = 1.0;
    if (level > 1) plan.limit = -1.0;
    return plan;
}

simdp_release_plan simdp_release_plan_of(int law, double scale, double grid)
{
    return simdp_release_plan_forced(law, scale, grid, 1.0, 0);
}
