/* discrete.c: the public functions of integers with exact laws: noise, and answers plus noise. */
#include <string.h>

#include "bits/rng.h"
#include "call/fp_mode.h"
#include "call/in_range.h"
#include "call/publish.h"
#include "release/release_kernels.h"

#define STAGE_ELEMENTS 1024 /* noise that stays in the first-level cache */

typedef struct {
    const simdp_release_kernels *kernels;
    double scale;
    int64_t lower, upper; /* of answers and results */
    int64_t bound;        /* of noise, where a law has one */
    simdp_discrete_gaussian gaussian;
    simdp_discrete_laplace laplace;
    simdp_discrete_scratch scratch; /* of the Laplace law */
} discrete_draw;

static void make_gaussian(int64_t *out, size_t n, const simdp_bits_at *at, const discrete_draw *d)
{
    d->kernels->discrete_gaussian(out, n, at, &d->gaussian);
}

static void plan_gaussian(discrete_draw *d) { simdp_discrete_gaussian_plan(&d->gaussian, d->scale); }

static void plan_truncated(discrete_draw *d)
{
    plan_gaussian(d);
    simdp_discrete_gaussian_truncate(&d->gaussian, d->bound);
}

static void make_laplace(int64_t *out, size_t n, const simdp_bits_at *at, const discrete_draw *d)
{
    d->kernels->discrete_laplace(out, n, at, &d->laplace);
}

static void plan_laplace(discrete_draw *d)
{
    simdp_discrete_laplace_plan(&d->laplace, d->scale, 1.0, PRECISION_F64, &d->scratch);
}

typedef struct {
    uint32_t use;
    void (*plan)(discrete_draw *d);
    void (*make)(int64_t *out, size_t n, const simdp_bits_at *at, const discrete_draw *d);
} discrete_law;

static const discrete_law gaussian = {BITS_DISCRETE_GAUSSIAN, plan_gaussian, make_gaussian},
                          truncated = {BITS_DISCRETE_GAUSSIAN_TRUNCATED, plan_truncated, make_gaussian},
                          laplace = {BITS_DISCRETE_LAPLACE, plan_laplace, make_laplace},
                          bounded = {BITS_DISCRETE_LAPLACE_BOUNDED, plan_laplace, make_laplace};

static void noise(int64_t *out, size_t n, const simdp_bits_at *at, const discrete_draw *d, const discrete_law *law)
{
    if (d->scale == 0.0) memset(out, 0, n * sizeof *out);
    else law->make(out, n, at, d);
}

/* out = answers + noise, both clamped, by blocks in the cache */
static SCRUB_BELOW void add_noise(int64_t *out, const int64_t *answers, size_t n, simdp_bits_at at,
                                  const discrete_draw *d, const discrete_law *law)
{
    int64_t stage[STAGE_ELEMENTS];
    while (n > 0) {
        const size_t count = n < STAGE_ELEMENTS ? n : STAGE_ELEMENTS;
        noise(stage, count, &at, d, law);
        d->kernels->add_clamped(out, answers, stage, count, d->lower, d->upper);
        out += count;
        answers += count;
        n -= count;
        at.position += count;
    }
}

/* What a call of n elements left in its scratch is their noise. */
static void wipe_scratch(simdp_discrete_scratch *scratch, size_t n)
{
    const size_t edges = 2 * RELEASE_ALIGN, /* elements before and after the call's in its blocks */
        used = n < DISCRETE_LAPLACE_BLOCK - edges ? n + edges : DISCRETE_LAPLACE_BLOCK;
    simdp_wipe(scratch->noise, used * sizeof *scratch->noise);
    simdp_wipe(scratch->radius, used * sizeof *scratch->radius);
}

/* What a call asks for. */
typedef struct {
    const discrete_law *law;
    double scale;
    int64_t lower, upper, bound;
} discrete_call;

static bool is_good(const discrete_call *c)
{
    if (c->lower > c->upper || c->bound < 0) return false;
    if (is_in_range(c->scale, 0.0, 0.0)) return true;
    return is_in_range(c->scale, SIMDP_RELEASE_DISCRETE_MIN, SIMDP_RELEASE_DISCRETE_MAX) &&
           c->scale <= (double)c->bound;
}

static simdp_status draw_discrete(simdp_rng *rng, int64_t *out, const int64_t *answers, size_t n,
                                  const discrete_call *c)
{
    const discrete_law *law = c->law;
    const rng_need need = {.use = law->use, .elements = 1, .words = 1, .group = 1, .stack = SCRUB_DISCRETE};
    rng_draw draw;
    simdp_rng local, *from = rng;
    discrete_draw d;
    const unsigned mode = fp_mode_enter();
    simdp_status status = SIMDP_EPARAM;
    if (is_good(c)) {
        status = n > 0 ? rng_local_begin(&from, &local, rng) : SIMDP_OK;
        if (status == SIMDP_OK) status = rng_draw_begin(&draw, from, &need, n);
        if (status == SIMDP_OK) {
            d.scale = c->scale;
            d.lower = c->lower;
            d.upper = c->upper;
            d.bound = c->bound;
            d.kernels = draw.kernels->release;
            if (c->scale != 0.0) law->plan(&d);
        }
        while (status == SIMDP_OK && rng_draw_next(&draw, &status)) {
            if (answers == NULL) noise(out + draw.done, draw.count, &draw.at, &d, law);
            else add_noise(out + draw.done, answers + draw.done, draw.count, draw.at, &d, law);
        }
        rng_local_end(from, rng);
        if (rng->kind != RNG_DETERMINISTIC && law->make == make_laplace) wipe_scratch(&d.scratch, n);
    }
    fp_mode_leave(mode);
    return status;
}

static discrete_call unbounded(const discrete_law *law, double scale)
{
    return (discrete_call){law, scale, INT64_MIN, INT64_MAX, INT64_MAX};
}

static simdp_status draw_noise(simdp_rng *rng, int64_t *out, size_t n, discrete_call call)
{
    if (rng == NULL || (out == NULL && n > 0)) return SIMDP_ENULL;
    if (n > SIZE_MAX / sizeof *out) return SIMDP_EPARAM;
    const simdp_status status = draw_discrete(rng, out, NULL, n, &call);
    if (status == SIMDP_ESOURCE || status == SIMDP_EENTROPY) memset(out, 0xff, n * sizeof *out);
    return status;
}

static simdp_status draw_release(simdp_rng *rng, int64_t *out, const int64_t *answers, size_t n, discrete_call call)
{
    static const int64_t none;
    if (rng == NULL || ((out == NULL || answers == NULL) && n > 0)) return SIMDP_ENULL;
    if (!publish_fits(n, sizeof *out)) return SIMDP_EPARAM;
    const simdp_status status = draw_discrete(rng, out, answers == NULL ? &none : answers, n, &call);
    return publish(status, out, n, PUBLISH_I64);
}

simdp_status simdp_noise_discrete_laplace_i64(simdp_rng *rng, int64_t *out, size_t n, double scale)
{
    return draw_noise(rng, out, n, unbounded(&laplace, scale));
}

simdp_status simdp_noise_discrete_gaussian_i64(simdp_rng *rng, int64_t *out, size_t n, double sigma)
{
    return draw_noise(rng, out, n, unbounded(&gaussian, sigma));
}

simdp_status simdp_release_discrete_laplace_i64(simdp_rng *rng, int64_t *out, const int64_t *answers, size_t n,
                                                double scale)
{
    return draw_release(rng, out, answers, n, unbounded(&laplace, scale));
}

simdp_status simdp_release_discrete_gaussian_i64(simdp_rng *rng, int64_t *out, const int64_t *answers, size_t n,
                                                 double sigma)
{
    return draw_release(rng, out, answers, n, unbounded(&gaussian, sigma));
}

simdp_status simdp_release_discrete_laplace_bounded_i64(simdp_rng *rng, int64_t *out, const int64_t *answers, size_t n,
                                                        double scale, int64_t lower, int64_t upper)
{
    return draw_release(rng, out, answers, n, (discrete_call){&bounded, scale, lower, upper, INT64_MAX});
}

simdp_status simdp_release_discrete_gaussian_truncated_i64(simdp_rng *rng, int64_t *out, const int64_t *answers,
                                                           size_t n, double sigma, int64_t bound)
{
    return draw_release(rng, out, answers, n, (discrete_call){&truncated, sigma, INT64_MIN, INT64_MAX, bound});
}
