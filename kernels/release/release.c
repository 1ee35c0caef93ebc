/* release.c: the public releases: check parameters, set the floating-point mode aside, hand pieces of the stream to kernels. */
#include <string.h>

#include "bits/rng.h"
#include "noise/fp_mode.h"

/* The exponent of a power of two in the range of grids, 0 for anything else. */
static bool is_grid(double grid)
{
    uint64_t bits;
    memcpy(&bits, &grid, sizeof bits);
    return grid >= SIMDP_GRID_MIN && grid <= SIMDP_GRID_MAX && bits << 12 == 0;
}

static bool is_scale(double scale, double grid)
{
    if (scale == 0.0) return true;
    if (!(scale >= SIMDP_SCALE_MIN && scale <= SIMDP_SCALE_MAX)) return false;
    return scale >= RELEASE_RATIO_MIN * grid && scale <= RELEASE_RATIO_MAX * grid;   /* products of normal numbers, exact */
}

double simdp_release_grid(double scale)
{
    uint64_t bits;
    double grid;
    if (scale == 0.0) return SIMDP_GRID_MIN;
    memcpy(&bits, &scale, sizeof bits);
    bits = bits >> 52 << 52;   /* the power of two at or below it */
    memcpy(&grid, &bits, sizeof grid);
    if (scale >= SIMDP_SCALE_MIN && scale <= SIMDP_SCALE_MAX) return grid * 0x1p-22;
    bits = 0x7ff8000000000000;
    memcpy(&grid, &bits, sizeof grid);
    return grid;
}

static void fill_nan(double *out, size_t n) { memset(out, 0xff, n * sizeof *out); }

/* An external source has no further bits at chosen places: four of its words make the key of a stream for this call. */
static simdp_status open_local(simdp_rng *local, simdp_rng *source)
{
    uint64_t key[4];
    simdp_status status = simdp_rng_words(source, key, 4);
    if (status == SIMDP_OK) status = simdp_rng_init_deterministic(local, (const uint8_t *)key, 0);
    simdp_wipe(key, sizeof key);
    return status;
}

static simdp_status release_f64(int law, simdp_rng *rng, double *out, const double *answers, size_t n, double scale, double grid)
{
    rng_draw draw;
    simdp_rng local;
    simdp_rng *from = rng;
    if (rng == NULL || ((out == NULL || answers == NULL) && n > 0)) return SIMDP_ENULL;
    if (n > SIZE_MAX / sizeof *out) return SIMDP_EPARAM;
    const unsigned mode = fp_mode_enter_flushing();
    simdp_status status = is_grid(grid) && is_scale(scale, grid) ? SIMDP_OK : SIMDP_EPARAM;
    if (status != SIMDP_OK) {
        fill_nan(out, n);
    } else {
        const simdp_release_plan plan = simdp_release_plan_of(law, scale, grid);
        if (rng->kind == RNG_SOURCE && n > 0) {
            status = open_local(&local, rng);
            from = &local;
        }
        if (status == SIMDP_OK) status = rng_draw_begin(&draw, from, n, 1);
        while (status == SIMDP_OK && rng_draw_next(&draw, &status))
            draw.kernels->release_f64[law](out + draw.done, answers + draw.done, draw.count, &draw.at, &plan);
        if (from == &local) simdp_rng_wipe(&local);
        if (status != SIMDP_OK && status != SIMDP_EPARAM) fill_nan(out, n);
    }
    fp_mode_leave_flushing(mode);
    return status;
}

simdp_status simdp_release_laplace(simdp_rng *rng, double *out, const double *answers, size_t n, double scale, double grid)
{
    return release_f64(RELEASE_LAPLACE, rng, out, answers, n, scale, grid);
}

simdp_status simdp_release_gaussian(simdp_rng *rng, double *out, const double *answers, size_t n, double sigma, double grid)
{
    return release_f64(RELEASE_GAUSSIAN, rng, out, answers, n, sigma, grid);
}
