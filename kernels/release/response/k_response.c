/* k_response.c: the public function of reports of one value among k. */
#include <float.h>
#include <string.h>

#include "bits/rng.h"
#include "call/fp_mode.h"
#include "call/in_range.h"
#include "call/publish.h"
#include "release/release_kernels.h"

static SCRUB_BELOW void report(uint32_t *out, const uint32_t *values, const rng_draw *draw,
                               const simdp_k_response *plan)
{
    if (plan->k == 1) memset(out + draw->done, 0, draw->count * sizeof *out);
    else draw->kernels->release->k_response(out + draw->done, values + draw->done, draw->count, &draw->at, plan);
}

static simdp_status draw_reports(simdp_rng *rng, uint32_t *out, const uint32_t *values, size_t n, uint32_t k,
                                 double epsilon)
{
    static const rng_need need = {
        .use = BITS_K_RESPONSE, .elements = 1, .words = 1, .group = 1, .stack = SCRUB_RELEASE};
    rng_draw draw;
    simdp_rng local, *from = rng;
    simdp_k_response plan = {.k = k};
    simdp_status status = n > 0 ? rng_local_begin(&from, &local, rng) : SIMDP_OK;
    if (status == SIMDP_OK) status = rng_draw_begin(&draw, from, &need, n);
    if (status == SIMDP_OK && n > 0 && k > 1) simdp_k_response_plan(&plan, k, epsilon);
    while (status == SIMDP_OK && rng_draw_next(&draw, &status)) report(out, values, &draw, &plan);
    rng_local_end(from, rng);
    return status;
}

simdp_status simdp_release_k_response(simdp_rng *rng, uint32_t *out, const uint32_t *values, size_t n, uint32_t k,
                                      double epsilon)
{
    if (rng == NULL || (n > 0 && (out == NULL || values == NULL))) return SIMDP_ENULL;
    if (!publish_fits(n, sizeof *out)) return SIMDP_EPARAM;
    const unsigned mode = fp_mode_enter();
    simdp_status status = SIMDP_EPARAM;
    if (k > 0 && is_in_range(epsilon, 0.0, DBL_MAX)) status = draw_reports(rng, out, values, n, k, epsilon);
    fp_mode_leave(mode);
    return publish(status, out, n, PUBLISH_U32);
}
