/* battery_words: random bits of the library without end, for a battery of tests.   battery_words [SOURCE]
 *
 * A source is words, bits out of the middle or at the end of what a law or a release gives, signs, or words of many
 * streams or of many ids by turns. Without a name: the list. The key is fixed. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simdp/simdp.h"

enum { BATCH = 8192, STREAMS = 1024 }; /* STREAMS words fill a batch of bytes */

static double x_f64[BATCH];
static float x_f32[BATCH];
static int64_t x_i64[BATCH];
static const double zeros[BATCH];
static const int64_t zeros_i64[BATCH];

static void check(simdp_status status)
{
    if (status == SIMDP_OK) return;
    fprintf(stderr, "battery_words: %s\n", simdp_status_text(status));
    exit(1);
}

/* ---- BATCH deviates become bytes; returns how many ---- */

/* Eight bits below the point, so far down that the density of the law is flat there to one part in 1e9. */
static size_t low_of_f64(uint8_t *bytes)
{
    for (size_t i = 0; i < BATCH; i++) bytes[i] = (uint8_t)(int64_t)floor(x_f64[i] * 0x1p40);
    return BATCH;
}

/* The same for floats, of which one in a million has no finer digits than 2^-20: flat to 4e-5, which no test here sees. */
static size_t low_of_f32(uint8_t *bytes)
{
    for (size_t i = 0; i < BATCH; i++) bytes[i] = (uint8_t)(int64_t)floor((double)x_f32[i] * 0x1p20);
    return BATCH;
}

static size_t low_of_i64(uint8_t *bytes)
{
    for (size_t i = 0; i < BATCH; i++) bytes[i] = (uint8_t)x_i64[i];
    return BATCH;
}

static size_t signs(uint8_t *bytes)
{
    memset(bytes, 0, BATCH / 8);
    for (size_t i = 0; i < BATCH; i++) bytes[i / 8] = (uint8_t)(bytes[i / 8] | (x_f64[i] < 0) << i % 8);
    return BATCH / 8;
}

static size_t signs_of_f32(uint8_t *bytes)
{
    for (size_t i = 0; i < BATCH; i++) x_f64[i] = (double)x_f32[i];
    return signs(bytes);
}

/* ---- sources ---- */

#define LAW(law, ...)                                                  \
    static size_t law##_f64(simdp_rng *rng, uint8_t *bytes)            \
    {                                                                  \
        check(simdp_noise_##law##_f64(rng, x_f64, BATCH __VA_ARGS__)); \
        return low_of_f64(bytes);                                      \
    }                                                                  \
    static size_t law##_f32(simdp_rng *rng, uint8_t *bytes)            \
    {                                                                  \
        check(simdp_noise_##law##_f32(rng, x_f32, BATCH __VA_ARGS__)); \
        return low_of_f32(bytes);                                      \
    }
LAW(uniform, )
LAW(exponential, , 1)
LAW(laplace, , 1)
LAW(gaussian, , 1)
LAW(gumbel, , 1)

#define SIGNS(law)                                                \
    static size_t law##_f64_signs(simdp_rng *rng, uint8_t *bytes) \
    {                                                             \
        check(simdp_noise_##law##_f64(rng, x_f64, BATCH, 1));     \
        return signs(bytes);                                      \
    }                                                             \
    static size_t law##_f32_signs(simdp_rng *rng, uint8_t *bytes) \
    {                                                             \
        check(simdp_noise_##law##_f32(rng, x_f32, BATCH, 1));     \
        return signs_of_f32(bytes);                               \
    }
SIGNS(laplace)
SIGNS(gaussian)

/* On the default grid, some 2^22 steps to a scale; integers with as large a scale. */
#define RELEASE(law)                                                                               \
    static size_t release_##law(simdp_rng *rng, uint8_t *bytes)                                    \
    {                                                                                              \
        check(simdp_release_##law(rng, x_f64, zeros, BATCH, 1, simdp_release_grid(1)));            \
        for (size_t i = 0; i < BATCH; i++) x_i64[i] = (int64_t)(x_f64[i] / simdp_release_grid(1)); \
        return low_of_i64(bytes);                                                                  \
    }                                                                                              \
    static size_t release_##law##_i64(simdp_rng *rng, uint8_t *bytes)                              \
    {                                                                                              \
        check(simdp_release_##law##_i64(rng, x_i64, zeros_i64, BATCH, 0x1p22));                    \
        return low_of_i64(bytes);                                                                  \
    }                                                                                              \
    static size_t discrete_##law(simdp_rng *rng, uint8_t *bytes)                                   \
    {                                                                                              \
        check(simdp_noise_discrete_##law##_i64(rng, x_i64, BATCH, 0x1p22));                        \
        return low_of_i64(bytes);                                                                  \
    }
RELEASE(laplace)
RELEASE(gaussian)

static size_t words(simdp_rng *rng, uint8_t *bytes)
{
    check(simdp_rng_words(rng, (uint64_t *)(void *)bytes, BATCH / 8));
    return BATCH;
}

static void fixed(simdp_rng *rng, uint64_t stream)
{
    static const uint8_t key[32] = {0x5e, 0xed, 0xd1, 0xe5};
    check(simdp_rng_init_deterministic(rng, key, stream));
}

/* A word of each of many streams, then the next of each. */
static size_t streams(simdp_rng *rng, uint8_t *bytes)
{
    static simdp_rng open[STREAMS];
    static bool are_open;
    (void)rng;
    for (uint64_t i = 0; i < STREAMS && !are_open; i++) fixed(&open[i], i);
    are_open = true;
    for (size_t i = 0; i < STREAMS; i++) check(simdp_rng_words(&open[i], (uint64_t *)(void *)bytes + i, 1));
    return 8 * STREAMS;
}

/* Eight bits of the noise of each of many ids, which count up. */
static size_t ids(simdp_rng *rng, uint8_t *bytes)
{
    static simdp_id id[BATCH];
    static uint64_t next;
    for (size_t i = 0; i < BATCH; i++) id[i] = (simdp_id){next++, 0};
    check(simdp_release_laplace_i64_by_id(rng, x_i64, zeros_i64, id, BATCH, 0x1p22));
    return low_of_i64(bytes);
}

#define SOURCE(name) \
    {                \
#name, name  \
    }
static const struct {
    const char *name;
    size_t (*fill)(simdp_rng *rng, uint8_t *bytes);
} sources[] = {
    SOURCE(words),
    SOURCE(streams),
    SOURCE(ids),
    SOURCE(uniform_f64),
    SOURCE(uniform_f32),
    SOURCE(exponential_f64),
    SOURCE(exponential_f32),
    SOURCE(laplace_f64),
    SOURCE(laplace_f32),
    SOURCE(gaussian_f64),
    SOURCE(gaussian_f32),
    SOURCE(gumbel_f64),
    SOURCE(gumbel_f32),
    SOURCE(laplace_f64_signs),
    SOURCE(laplace_f32_signs),
    SOURCE(gaussian_f64_signs),
    SOURCE(gaussian_f32_signs),
    SOURCE(release_laplace),
    SOURCE(release_gaussian),
    SOURCE(release_laplace_i64),
    SOURCE(release_gaussian_i64),
    SOURCE(discrete_laplace),
    SOURCE(discrete_gaussian),
};
enum { SOURCES = sizeof sources / sizeof *sources };

int main(int count, char **arguments)
{
    static _Alignas(8) uint8_t bytes[BATCH];
    static simdp_rng rng;
    fixed(&rng, 0x8000);
    for (size_t i = 0; i < SOURCES; i++) {
        if (count < 2) puts(sources[i].name);
        else if (strcmp(arguments[1], sources[i].name) == 0) {
            size_t n;
            do n = sources[i].fill(&rng, bytes);
            while (fwrite(bytes, 1, n, stdout) == n);
            return 0; /* the reader has enough */
        }
    }
    if (count < 2) return 0;
    fprintf(stderr, "battery_words: no source is called %s\n", arguments[1]);
    return 2;
}
