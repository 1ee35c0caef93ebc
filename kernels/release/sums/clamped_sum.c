/* clamped_sum.c: sums of clamped records, exactly: integers have no rounding and no order. */
#include <math.h>
#include <string.h>

#include "call/fp_mode.h"
#include "call/kernels.h"
#include "math/int128.h"
#include "release/release_kernels.h"
#include "simdp/simdp.h"

#define MOST_UNITS 0x1p+51 /* of a record */
#define MOST_SUM   ((int64_t)1 << 53)

static int64_t saturated(simdp_i128 sum, int64_t least, int64_t most)
{
    const uint64_t low = -(uint64_t)(sum < least), high = -(uint64_t)(sum > most); /* all ones, or none */
    return (int64_t)(((uint64_t)sum & ~(low | high)) | ((uint64_t)least & low) | ((uint64_t)most & high));
}

static double nan_of(void)
{
    const uint64_t bits = UINT64_MAX;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* What a record can be, in units of the grid. */
typedef struct {
    double per_grid, least, most;
} clamp_bounds;

static bool make_bounds(clamp_bounds *b, double lower, double upper, double grid)
{
    FP_MODE_SCOPE();
    FP_PIN(lower);
    FP_PIN(upper);
    FP_PIN(grid);
    uint64_t bits;
    memcpy(&bits, &grid, sizeof bits);
    b->per_grid = 1.0 / grid;
    b->least = ceil(lower * b->per_grid);
    b->most = floor(upper * b->per_grid);
    if (lower > 0.0 && b->least == 0.0) b->least = 1.0; /* the product underflowed */
    if (upper < 0.0 && b->most == 0.0) b->most = -1.0;
    return grid >= SIMDP_RELEASE_GRID_MIN && grid <= SIMDP_RELEASE_GRID_MAX && bits << 12 == 0 && b->least <= b->most &&
           b->least >= -MOST_UNITS && b->most <= MOST_UNITS;
}

simdp_status simdp_release_clamped_sum(double *sum, const double *records, size_t n, double lower, double upper,
                                       double grid)
{
    const simdp_kernels *kernels = simdp_kernels_active();
    if (sum == NULL || (records == NULL && n > 0)) return SIMDP_ENULL;
    if (n > SIZE_MAX / sizeof *records) return SIMDP_EPARAM;
    if (kernels == NULL) return SIMDP_EISA;
    clamp_bounds b;
    *sum = nan_of();
    if (!make_bounds(&b, lower, upper, grid)) return SIMDP_EPARAM;
    const unsigned mode = fp_mode_enter_flushing();
    simdp_i128 total = 0;
    for (size_t done = 0; done < n; done += CLAMPED_BLOCK) {
        const size_t count = n - done < CLAMPED_BLOCK ? n - done : CLAMPED_BLOCK;
        total += kernels->release->clamped_sum_f64(records + done, count, b.per_grid, b.least, b.most);
    }
    *sum = (double)saturated(total, -MOST_SUM, MOST_SUM) * grid;
    fp_mode_leave_flushing(mode);
    return SIMDP_OK;
}

simdp_status simdp_release_clamped_sum_i64(int64_t *sum, const int64_t *records, size_t n, int64_t lower, int64_t upper)
{
    const simdp_kernels *kernels = simdp_kernels_active();
    if (sum == NULL || (records == NULL && n > 0)) return SIMDP_ENULL;
    if (n > SIZE_MAX / sizeof *records || lower > upper) return SIMDP_EPARAM;
    if (kernels == NULL) return SIMDP_EISA;
    simdp_u128 total = (simdp_u128)(simdp_i128)lower * n; /* modulo 2^128, where the sum fits */
    for (size_t done = 0; done < n; done += CLAMPED_BLOCK) {
        uint64_t sums[2];
        kernels->release->clamped_sum_i64(sums, records + done, n - done < CLAMPED_BLOCK ? n - done : CLAMPED_BLOCK,
                                          lower, upper);
        total += ((simdp_u128)sums[1] << 32) + sums[0];
    }
    *sum = saturated((simdp_i128)total, INT64_MIN, INT64_MAX);
    return SIMDP_OK;
}
