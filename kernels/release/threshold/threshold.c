/* threshold.c: counts of groups that are shown only if the released count reaches a threshold. The decision is made on
 * the released number, so it is post-processing of an exact release; a group without people never gets so far. */
#include "bits/rng.h"
#include "call/fp_mode.h"
#include "call/in_range.h"
#include "call/publish.h"
#include "release/release_kernels.h"

#define THRESHOLD_LIMIT 0x1p+1000 /* noise is below 2^910, hidden counts are below -2^1019 */

typedef simdp_status release_i64(simdp_rng *rng, int64_t *out, const int64_t *answers, size_t n, double scale);

/* All but the release itself: false if there is nothing to release, with *status saying why. */
static bool may_begin(simdp_status *status, const simdp_rng *rng, const void *out, const void *counts, size_t n,
                      bool good)
{
    *status = rng == NULL || (n > 0 && (out == NULL || counts == NULL)) ? SIMDP_ENULL : SIMDP_OK;
    if (*status == SIMDP_OK && (!good || !publish_fits(n, sizeof(double)))) *status = SIMDP_EPARAM;
    if (*status == SIMDP_OK && simdp_kernels_active() == NULL) *status = SIMDP_EISA;
    return *status == SIMDP_OK;
}

/* Before results are hidden they go through registers, and in scalar code over the stack. A stream that keeps its key can
 * draw them again; after any other, nobody can. */
static void forget_hidden(const simdp_rng *rng)
{
    if (rng->kind != RNG_DETERMINISTIC) simdp_scrub(simdp_kernels_active(), SCRUB_THRESHOLD);
}

static simdp_status close_both(simdp_status status, void *out, uint8_t *keep, size_t n, publish_kind kind)
{
    if (keep != NULL) (void)publish(status, keep, publish_fits(n, sizeof(double)) ? n : 0, PUBLISH_FLAGS);
    return publish(status, out, n, kind);
}

static simdp_status threshold_f64(int law, simdp_rng *rng, double *out, uint8_t *keep, const double *counts, size_t n,
                                  double scale, double grid, double threshold)
{
    simdp_status status;
    if (may_begin(&status, rng, out, counts, n, is_in_range(threshold, -THRESHOLD_LIMIT, THRESHOLD_LIMIT))) {
        unsigned mode = fp_mode_enter_flushing();
        simdp_kernels_active()->release->threshold_hide_f64(out, counts, n);
        fp_mode_leave_flushing(mode);
        status = simdp_release_unseen(law, rng, out, out, n, scale, grid);
        mode = fp_mode_enter_flushing();
        if (status == SIMDP_OK) simdp_kernels_active()->release->threshold_show_f64(out, keep, n, threshold);
        fp_mode_leave_flushing(mode);
        forget_hidden(rng);
    }
    return close_both(status, out, keep, n, PUBLISH_F64);
}

static simdp_status threshold_i64(release_i64 *release, simdp_rng *rng, int64_t *out, uint8_t *keep,
                                  const int64_t *counts, size_t n, double scale, int64_t threshold)
{
    simdp_status status;
    if (may_begin(&status, rng, out, counts, n, threshold >= -((int64_t)1 << 62))) {
        simdp_kernels_active()->release->threshold_hide_i64(out, counts, n);
        status = release(rng, out, out, n, scale);
        if (status == SIMDP_OK) simdp_kernels_active()->release->threshold_show_i64(out, keep, n, threshold);
        forget_hidden(rng);
    }
    return close_both(status, out, keep, n, PUBLISH_I64);
}

simdp_status simdp_release_laplace_threshold(simdp_rng *rng, double *out, uint8_t *keep, const double *counts, size_t n,
                                             double scale, double grid, double threshold)
{
    return threshold_f64(RELEASE_LAPLACE, rng, out, keep, counts, n, scale, grid, threshold);
}

simdp_status simdp_release_gaussian_threshold(simdp_rng *rng, double *out, uint8_t *keep, const double *counts,
                                              size_t n, double sigma, double grid, double threshold)
{
    return threshold_f64(RELEASE_GAUSSIAN, rng, out, keep, counts, n, sigma, grid, threshold);
}

simdp_status simdp_release_laplace_threshold_i64(simdp_rng *rng, int64_t *out, uint8_t *keep, const int64_t *counts,
                                                 size_t n, double scale, int64_t threshold)
{
    return threshold_i64(simdp_release_laplace_i64, rng, out, keep, counts, n, scale, threshold);
}

simdp_status simdp_release_gaussian_threshold_i64(simdp_rng *rng, int64_t *out, uint8_t *keep, const int64_t *counts,
                                                  size_t n, double sigma, int64_t threshold)
{
    return threshold_i64(simdp_release_gaussian_i64, rng, out, keep, counts, n, sigma, threshold);
}
