/* noise.c: the public samplers: check parameters, set the floating-point mode aside, hand pieces of the stream to kernels. */
#include <string.h>

#include "bits/rng.h"
#include "noise/fp_mode.h"

static bool is_scale(double scale) { return scale == 0.0 || (scale >= SIMDP_SCALE_MIN && scale <= SIMDP_SCALE_MAX); }

simdp_status simdp_noise_laplace_f64(simdp_rng *rng, double *out, size_t n, double scale)
{
    rng_draw draw;
    const unsigned mode = fp_mode_enter();
    simdp_status status = is_scale(scale) ? rng_draw_begin(&draw, rng, out, n, sizeof *out) : SIMDP_EPARAM;
    while (status == SIMDP_OK && rng_draw_next(&draw, &status)) {
        if (scale == 0.0) memset(out + draw.done, 0, draw.count * sizeof *out);
        else draw.kernels->laplace_f64(out + draw.done, draw.count, &draw.at, scale);
    }
    fp_mode_leave(mode);
    return status;
}
