/* release.c: the public releases of Laplace and Gaussian noise: they check parameters, set the caller's floating-point
 * mode aside, and hand pieces of the stream to kernels. */
#include <string.h>

#include "bits/rng.h"
#include "call/fp_mode.h"
#include "call/in_range.h"
#include "call/publish.h"
#include "release/release_kernels.h"

/* A power of two in the range of grids. */
static bool is_grid(double grid)
{
    uint64_t bits;
    memcpy(&bits, &grid, sizeof bits);
    return is_in_range(grid, SIMDP_RELEASE_GRID_MIN, SIMDP_RELEASE_GRID_MAX) && bits << 12 == 0;
}

static bool is_scale(double scale, double grid)
{
    if (is_in_range(scale, 0.0, 0.0)) return true;
    if (!is_in_range(scale, SIMDP_NOISE_SCALE_MIN, SIMDP_NOISE_SCALE_MAX)) return false;
    /* products of normal numbers, exact */
    return is_in_range(scale, RELEASE_RATIO_MIN * grid, RELEASE_RATIO_MAX * grid);
}

double simdp_release_grid(double scale)
{
    uint64_t bits;
    double grid;
    if (is_in_range(scale, 0.0, 0.0)) return SIMDP_RELEASE_GRID_MIN;
    memcpy(&bits, &scale, sizeof bits);
    bits = (bits >> 52 << 52) - ((uint64_t)22 << 52); /* the power of two at or below it, times 2^-22 */
    if (!is_in_range(scale, SIMDP_NOISE_SCALE_MIN, SIMDP_NOISE_SCALE_MAX)) bits = 0x7ff8000000000000;
    memcpy(&grid, &bits, sizeof grid);
    return grid;
}

/* What a call wants. Floats read the same words as doubles. */
typedef enum { OF_F64, OF_F64_UNSEEN, OF_F32, OF_I64 } release_type; /* unseen: the caller hides some results */
typedef struct {
    int law;
    release_type type;
    double scale, grid;
    void *out;
    const void *answers;
    const simdp_id *ids; /* of forms by identity */
    bool by_id;
} release_request;

static const struct {
    size_t bytes;
    publish_kind kind;
} types[] = {[OF_F64] = {8, PUBLISH_F64},
             [OF_F64_UNSEEN] = {8, PUBLISH_F64},
             [OF_F32] = {4, PUBLISH_F32},
             [OF_I64] = {8, PUBLISH_I64}};

/* Elements done .. done + n of a call. */
static void make_piece(const release_request *r, size_t done, size_t n, const simdp_release_kernels *kernels,
                       const simdp_bits_at *at, const simdp_release_plan *plan)
{
    const size_t skip = done * types[r->type].bytes;
    void *const out = (char *)r->out + skip;
    const void *const answers = (const char *)r->answers + skip;
    switch (r->type) {
    case OF_F64:
    case OF_F64_UNSEEN: kernels->f64[r->law](out, answers, n, at, plan); break;
    case OF_F32: kernels->f32[r->law](out, answers, n, at, plan); break;
    case OF_I64: kernels->i64[r->law](out, answers, n, at, plan); break;
    }
}

/* By pieces of a stream that erases its keys, and to say what is wrong with any other. */
static __attribute__((noinline)) simdp_status draw_pieces(const release_request *r, simdp_rng *rng, size_t n,
                                                          uint32_t use, const simdp_release_plan *plan)
{
    /* releases do not read the words of an external source themselves: only the use matters */
    const rng_need need = {.use = use, .elements = 1, .words = 1, .group = 1, .stack = SCRUB_RELEASE};
    rng_draw draw;
    simdp_status status = rng_draw_begin(&draw, rng, &need, n);
    while (status == SIMDP_OK && rng_draw_next(&draw, &status))
        make_piece(r, draw.done, draw.count, draw.kernels->release, &draw.at, plan);
    return status;
}

static simdp_status draw(const release_request *r, simdp_rng *rng, size_t n, simdp_release_scratch *scratch)
{
    const simdp_release_plan plan = simdp_release_plan_of(r->law, r->scale, r->grid, scratch);
    const uint32_t use = simdp_release_use(r->law, r->type == OF_I64, plan.scale);
    const simdp_kernels *kernels;
    simdp_bits_at at;
    if (!rng_take(&at, &kernels, rng, use, n)) return draw_pieces(r, rng, n, use, &plan);
    make_piece(r, 0, n, kernels->release, &at, &plan);
    return SIMDP_OK;
}

/* The noise belongs to identities; the stream must keep its key, and does not move. */
static simdp_status make_by_id(const release_request *r, const simdp_rng *rng, size_t n, simdp_release_scratch *scratch)
{
    static const uint32_t uses[RELEASE_LAWS][2] = {
        [RELEASE_LAPLACE] = {BITS_LAPLACE_F64_BY_ID, BITS_LAPLACE_I64_BY_ID},
        [RELEASE_GAUSSIAN] = {BITS_GAUSSIAN_F64_BY_ID, BITS_GAUSSIAN_I64_BY_ID},
    };
    const uint64_t parameters[2] = {identity_number(r->scale), identity_number(r->grid)};
    const bool integers = r->type == OF_I64;
    simdp_identity identity;
    const simdp_status status = rng_identity(&identity, rng, uses[r->law][integers], r->law == RELEASE_LAPLACE ? 1 : 2,
                                             parameters, integers ? 1 : 2);
    if (status != SIMDP_OK) return status;
    const simdp_release_plan plan = simdp_release_plan_of(r->law, r->scale, r->grid, scratch);
    const simdp_release_kernels *kernels = simdp_kernels_active()->release;
    if (integers) kernels->i64_by_id[r->law](r->out, r->answers, r->ids, n, &identity, &plan);
    else kernels->f64_by_id[r->law](r->out, r->answers, r->ids, n, &identity, &plan);
    simdp_wipe(&identity, sizeof identity);
    return SIMDP_OK;
}

/* What a call of n elements left in its scratch tells their noise, and that of elements before and after them in its
 * first and last block, which belong to other calls: these are made as for the answer 0. Where doubles are released,
 * the noise of the call's own elements has become results, which the caller has. */
static void wipe_scratch(simdp_release_scratch *scratch, size_t n, release_type type)
{
    const size_t edges = 2 * RELEASE_ALIGN, used = n < RELEASE_BLOCK - edges ? n + edges : RELEASE_BLOCK;
    const size_t noise = type != OF_F64 || used < RELEASE_EDGE ? used : RELEASE_EDGE;
    simdp_wipe(scratch->radius, used * sizeof *scratch->radius);
    simdp_wipe(scratch->noise, noise * sizeof *scratch->noise);
    if (type != OF_F64) simdp_wipe(&scratch->cells, sizeof scratch->cells);
}

/* Parameters are judged in the default mode, where a subnormal scale is not 0; kernels run flushing. */
static simdp_status release(const release_request *r, simdp_rng *rng, size_t n)
{
    simdp_release_scratch scratch;
    simdp_rng local, *from = rng;
    const bool is_missing = r->out == NULL || r->answers == NULL || (r->by_id && r->ids == NULL);
    if (rng == NULL || (is_missing && n > 0)) return SIMDP_ENULL;
    if (!publish_fits(n, r->by_id ? sizeof *r->ids : types[r->type].bytes)) return SIMDP_EPARAM;
    const unsigned mode = fp_mode_enter();
    simdp_status status = SIMDP_EPARAM;
    if (is_grid(r->grid) && is_scale(r->scale, r->grid)) {
        status = n > 0 && !r->by_id ? rng_local_begin(&from, &local, rng) : SIMDP_OK;
        const unsigned kept = fp_mode_enter_flushing();
        if (r->by_id) status = make_by_id(r, rng, n, &scratch);
        else if (status == SIMDP_OK) status = draw(r, from, n, &scratch);
        fp_mode_leave_flushing(kept);
        rng_local_end(from, rng);
        if (rng->kind != RNG_DETERMINISTIC) wipe_scratch(&scratch, n, r->type);
    }
    fp_mode_leave(mode);
    return publish(status, r->out, n, types[r->type].kind);
}

simdp_status simdp_release_laplace(simdp_rng *rng, double *out, const double *answers, size_t n, double scale,
                                   double grid)
{
    const release_request r = {RELEASE_LAPLACE, OF_F64, scale, grid, out, answers, NULL, false};
    return release(&r, rng, n);
}

simdp_status simdp_release_unseen(int law, simdp_rng *rng, double *out, const double *answers, size_t n, double scale,
                                  double grid)
{
    const release_request r = {law, OF_F64_UNSEEN, scale, grid, out, answers, NULL, false};
    return release(&r, rng, n);
}

simdp_status simdp_release_gaussian(simdp_rng *rng, double *out, const double *answers, size_t n, double sigma,
                                    double grid)
{
    const release_request r = {RELEASE_GAUSSIAN, OF_F64, sigma, grid, out, answers, NULL, false};
    return release(&r, rng, n);
}

simdp_status simdp_release_laplace_f32(simdp_rng *rng, float *out, const float *answers, size_t n, double scale,
                                       double grid)
{
    const release_request r = {RELEASE_LAPLACE, OF_F32, scale, grid, out, answers, NULL, false};
    return release(&r, rng, n);
}

simdp_status simdp_release_gaussian_f32(simdp_rng *rng, float *out, const float *answers, size_t n, double sigma,
                                        double grid)
{
    const release_request r = {RELEASE_GAUSSIAN, OF_F32, sigma, grid, out, answers, NULL, false};
    return release(&r, rng, n);
}

simdp_status simdp_release_laplace_i64(simdp_rng *rng, int64_t *out, const int64_t *answers, size_t n, double scale)
{
    const release_request r = {RELEASE_LAPLACE, OF_I64, scale, 1.0, out, answers, NULL, false};
    return release(&r, rng, n);
}

simdp_status simdp_release_gaussian_i64(simdp_rng *rng, int64_t *out, const int64_t *answers, size_t n, double sigma)
{
    const release_request r = {RELEASE_GAUSSIAN, OF_I64, sigma, 1.0, out, answers, NULL, false};
    return release(&r, rng, n);
}

simdp_status simdp_release_laplace_by_id(simdp_rng *rng, double *out, const double *answers, const simdp_id *ids,
                                         size_t n, double scale, double grid)
{
    const release_request r = {RELEASE_LAPLACE, OF_F64, scale, grid, out, answers, ids, true};
    return release(&r, rng, n);
}

simdp_status simdp_release_laplace_i64_by_id(simdp_rng *rng, int64_t *out, const int64_t *answers, const simdp_id *ids,
                                             size_t n, double scale)
{
    const release_request r = {RELEASE_LAPLACE, OF_I64, scale, 1.0, out, answers, ids, true};
    return release(&r, rng, n);
}

simdp_status simdp_release_gaussian_by_id(simdp_rng *rng, double *out, const double *answers, const simdp_id *ids,
                                          size_t n, double sigma, double grid)
{
    const release_request r = {RELEASE_GAUSSIAN, OF_F64, sigma, grid, out, answers, ids, true};
    return release(&r, rng, n);
}

simdp_status simdp_release_gaussian_i64_by_id(simdp_rng *rng, int64_t *out, const int64_t *answers, const simdp_id *ids,
                                              size_t n, double sigma)
{
    const release_request r = {RELEASE_GAUSSIAN, OF_I64, sigma, 1.0, out, answers, ids, true};
    return release(&r, rng, n);
}
