/* kernels_of_noise.c: words and raw noise. */
#include "kernel_list.h"

#define RUN_PLAIN(function) \
    RUN(function) { return function(c->rng, c->out, c->n); }
#define RUN_SCALED(function, number) \
    RUN(function) { return function(c->rng, c->out, c->n, (number)c->p[0]); }
#define RUN_LAW(law)                            \
    RUN_SCALED(simdp_noise_##law##_f64, double) \
    RUN_SCALED(simdp_noise_##law##_f32, float)
#define RUN_ADDED(law)                              \
    RUN_SCALED(simdp_noise_##law##_f64_add, double) \
    RUN_SCALED(simdp_noise_##law##_f32_add, float)

RUN_PLAIN(simdp_rng_words)
RUN_PLAIN(simdp_noise_uniform_f64)
RUN_PLAIN(simdp_noise_uniform_f32)
RUN_LAW(laplace)
RUN_ADDED(laplace)
RUN_LAW(gaussian)
RUN_ADDED(gaussian)
RUN_LAW(gumbel)
RUN_ADDED(gumbel)
RUN_LAW(exponential)
RUN_SCALED(simdp_noise_discrete_laplace_i64, double)
RUN_SCALED(simdp_noise_discrete_gaussian_i64, double)

#define NOISE(function, type, size, where, ...)                                                                  \
    {                                                                                                            \
        CALLS(function), .out = type, .kind = KERNEL_RAW, GIVEN(__VA_ARGS__), .sizes = size, .reference = where, \
                         .cut = 1                                                                                \
    }
#define LAW(law, ...)                                                                                \
    NOISE(simdp_noise_##law##_f64, OUT_F64, SIZES_ASKED, "noise/test_noise_reference", __VA_ARGS__), \
        NOISE(simdp_noise_##law##_f32, OUT_F32, SIZES_ASKED, "noise/test_noise_f32", __VA_ARGS__)
#define ADDED(law, ...)                                                                             \
    NOISE(simdp_noise_##law##_f64_add, OUT_F64, SIZES_NONE, "noise/test_noise_forms", __VA_ARGS__), \
        NOISE(simdp_noise_##law##_f32_add, OUT_F32, SIZES_NONE, "noise/test_noise_forms", __VA_ARGS__)

#define DISCRETE "release/test_release_discrete"

/* clang-format off */
const kernel_line kernels_of_noise[] = {
    NOISE(simdp_rng_words, OUT_WORDS, SIZES_ASKED, "bits/test_bits_cipher", "", 0),
    LAW(laplace, "s", 1.0),
    ADDED(laplace, "s", 1.0),
    LAW(gaussian, "s", 1.0),
    ADDED(gaussian, "s", 1.0),
    LAW(gumbel, "s", 1.0),
    ADDED(gumbel, "s", 1.0),
    LAW(exponential, "s", 1.0),
    LAW(uniform, "", 0),
    NOISE(simdp_noise_discrete_laplace_i64, OUT_I64, SIZES_ASKED, DISCRETE, "d", KERNEL_DISCRETE_SCALE),
    NOISE(simdp_noise_discrete_gaussian_i64, OUT_I64, SIZES_ASKED, DISCRETE, "d", KERNEL_DISCRETE_SCALE),
    {CALLS(simdp_noise_discrete_gaussian_i64), .variant = "wide", .out = OUT_I64, .kind = KERNEL_RAW,
     GIVEN("d", KERNEL_DISCRETE_SCALE_WIDE), .sizes = SIZES_ASKED, .reference = DISCRETE, .cut = 1},
    {.name = NULL},
};
/* clang-format on */
