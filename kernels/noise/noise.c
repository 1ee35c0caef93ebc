/* noise.c: the public samplers: check parameters, set the floating-point mode aside, hand pieces of the stream to
 * kernels. */
#include <string.h>

#include "bits/rng.h"
#include "call/fp_mode.h"
#include "noise/noise_kernels.h"

/* What a call wants: which law, doubles or floats, with which scale, and where to. */
typedef struct {
    int law;
    bool single; /* floats */
    bool add;    /* to what is there, instead of in its place */
    double scale;
    float scale_f32; /* for floats; becomes scale only after the caller's floating-point mode is set aside */
} noise_request;

#define STAGE_BYTES 4096 /* a block that stays in the first-level cache; whole groups of every law */

static const rng_need needs[NOISE_LAWS][2] = {
    [NOISE_UNIFORM] = {{BITS_UNIFORM_F64, 1, 1, 1, SCRUB_NOISE}, {BITS_UNIFORM_F32, 2, 1, 1, SCRUB_NOISE}},
    [NOISE_EXPONENTIAL] = {{BITS_EXPONENTIAL_F64, 1, 1, 1, SCRUB_NOISE}, {BITS_EXPONENTIAL_F32, 2, 1, 1, SCRUB_NOISE}},
    [NOISE_LAPLACE] = {{BITS_LAPLACE_F64, 1, 1, 1, SCRUB_NOISE}, {BITS_LAPLACE_F32, 2, 1, 1, SCRUB_NOISE}},
    [NOISE_GAUSSIAN] = {{BITS_GAUSSIAN_F64, 1, 1, 16, SCRUB_NOISE}, {BITS_GAUSSIAN_F32, 2, 1, 16, SCRUB_NOISE}},
    [NOISE_GUMBEL] = {{BITS_GUMBEL_F64, 1, 1, 1, SCRUB_NOISE}, {BITS_GUMBEL_F32, 2, 1, 1, SCRUB_NOISE}},
};

static bool is_scale(const noise_request *r)
{
    const double least = r->single ? (double)SIMDP_NOISE_SCALE_MIN_F32 : SIMDP_NOISE_SCALE_MIN;
    const double most = r->single ? (double)SIMDP_NOISE_SCALE_MAX_F32 : SIMDP_NOISE_SCALE_MAX;
    return r->scale == 0.0 || (r->scale >= least && r->scale <= most);
}

static size_t element_bytes(const noise_request *r) { return r->single ? sizeof(float) : sizeof(double); }

/* n elements of noise at `at`, into out */
static void fill(const noise_request *r, const simdp_noise_kernels *k, void *out, size_t n, const simdp_bits_at *at)
{
    if (r->scale == 0.0) memset(out, 0, n * element_bytes(r));
    else if (r->single) k->f32[r->law]((float *)out, n, at, r->scale_f32);
    else k->f64[r->law]((double *)out, n, at, r->scale);
}

/* sum += n elements of noise at `at`, by blocks in the cache: one pass over the sum. */
static SCRUB_BELOW void fill_and_add(const noise_request *r, const simdp_noise_kernels *k, unsigned char *sum, size_t n,
                                     simdp_bits_at at)
{
    uint64_t stage[STAGE_BYTES / sizeof(uint64_t)];
    const size_t block = sizeof stage / element_bytes(r);
    while (n > 0) {
        const size_t count = n < block ? n : block;
        fill(r, k, stage, count, &at);
        if (r->single) k->add_f32((float *)(void *)sum, (const float *)(const void *)stage, count);
        else k->add_f64((double *)(void *)sum, (const double *)(const void *)stage, count);
        sum += count * element_bytes(r);
        n -= count;
        at.position += block;
        if (at.words != NULL) at.words += STAGE_BYTES / sizeof(uint64_t);
    }
}

/* The tails of floats read further words. An external source has none: it gives the key of a stream for this call. */
static bool needs_local(const noise_request *r, const simdp_rng *rng)
{
    return r->single && r->law != NOISE_UNIFORM && rng->kind == RNG_SOURCE;
}

static simdp_status draw_all(const noise_request *r, simdp_rng *rng, void *out, size_t n)
{
    const size_t size = element_bytes(r);
    rng_draw draw;
    simdp_rng local;
    const bool is_local = n > 0 && needs_local(r, rng);
    const rng_need *need = &needs[r->law][r->single];
    rng_need deeper; /* the same, with a stage on the stack */
    if (r->add) {
        deeper = *need;
        deeper.stack += STAGE_BYTES;
        need = &deeper;
    }
    simdp_status status = rng_draw_begin(&draw, rng, need, n);
    if (status == SIMDP_OK && is_local) status = rng_local_key(&local, rng);
    while (status == SIMDP_OK && rng_draw_next(&draw, &status)) {
        unsigned char *to = (unsigned char *)out + draw.done * size;
        if (is_local) draw.at.cipher = rng_cipher(&local);
        if (r->add) fill_and_add(r, draw.kernels->noise, to, draw.count, draw.at);
        else fill(r, draw.kernels->noise, to, draw.count, &draw.at);
    }
    if (is_local && draw.kernels != NULL) {
        simdp_rng_wipe(&local);
        simdp_scrub(draw.kernels, need->stack);
    }
    return status;
}

/* The request comes in registers: a struct that the caller has just stored would stall a call for one number. */
static simdp_status draw_noise(int law, bool single, bool add, double scale, float scale_f32, simdp_rng *rng, void *out,
                               size_t n)
{
    noise_request r = {law, single, add, scale, scale_f32};
    const size_t size = element_bytes(&r);
    const simdp_kernels *kernels;
    simdp_bits_at at;
    if (rng == NULL || (out == NULL && n > 0)) return SIMDP_ENULL;
    if (n > SIZE_MAX / size) return SIMDP_EPARAM;
    const unsigned mode = fp_mode_enter();
    simdp_status status = SIMDP_EPARAM;
    if (r.single) r.scale = (double)r.scale_f32;
    if (is_scale(&r)) {
        status = SIMDP_OK;
        if (!rng_take(&at, &kernels, rng, needs[law][single].use, n)) status = draw_all(&r, rng, out, n);
        else if (add) fill_and_add(&r, kernels->noise, (unsigned char *)out, n, at);
        else fill(&r, kernels->noise, out, n, &at);
    }
    if (status == SIMDP_ESOURCE || status == SIMDP_EENTROPY) memset(out, 0xff, n * size);
    fp_mode_leave(mode);
    return status;
}

simdp_status simdp_noise_uniform_f64(simdp_rng *rng, double *out, size_t n)
{
    return draw_noise(NOISE_UNIFORM, false, false, 1.0, 0, rng, out, n);
}

simdp_status simdp_noise_uniform_f32(simdp_rng *rng, float *out, size_t n)
{
    return draw_noise(NOISE_UNIFORM, true, false, 0, 1.0f, rng, out, n);
}

#define NOISE_FILL(name, law)                                                                  \
    simdp_status simdp_noise_##name##_f64(simdp_rng *rng, double *out, size_t n, double scale) \
    {                                                                                          \
        return draw_noise(law, false, false, scale, 0, rng, out, n);                           \
    }                                                                                          \
    simdp_status simdp_noise_##name##_f32(simdp_rng *rng, float *out, size_t n, float scale)   \
    {                                                                                          \
        return draw_noise(law, true, false, 0, scale, rng, out, n);                            \
    }
#define NOISE_ADD(name, law)                                                                       \
    simdp_status simdp_noise_##name##_f64_add(simdp_rng *rng, double *sum, size_t n, double scale) \
    {                                                                                              \
        return draw_noise(law, false, true, scale, 0, rng, sum, n);                                \
    }                                                                                              \
    simdp_status simdp_noise_##name##_f32_add(simdp_rng *rng, float *sum, size_t n, float scale)   \
    {                                                                                              \
        return draw_noise(law, true, true, 0, scale, rng, sum, n);                                 \
    }

NOISE_FILL(exponential, NOISE_EXPONENTIAL)
NOISE_FILL(laplace, NOISE_LAPLACE)
NOISE_ADD(laplace, NOISE_LAPLACE)
NOISE_FILL(gaussian, NOISE_GAUSSIAN)
NOISE_ADD(gaussian, NOISE_GAUSSIAN)
NOISE_FILL(gumbel, NOISE_GUMBEL)
NOISE_ADD(gumbel, NOISE_GUMBEL)
