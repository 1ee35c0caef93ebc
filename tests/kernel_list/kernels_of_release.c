/* kernels_of_release.c: releases of answers, and of bits. */
#include "kernel_list.h"

#define RUN_SCALED(function) \
    RUN(function) { return function(c->rng, c->out, c->in, c->n, c->p[0]); }
#define RUN_GRID(function) \
    RUN(function) { return function(c->rng, c->out, c->in, c->n, c->p[0], c->p[1]); }

RUN_GRID(simdp_release_laplace)
RUN_GRID(simdp_release_gaussian)
RUN_GRID(simdp_release_laplace_f32)
RUN_GRID(simdp_release_gaussian_f32)
RUN_GRID(simdp_release_laplace_private)
RUN(simdp_release_gaussian_private)
{
    return simdp_release_gaussian_private(c->rng, c->out, c->in, c->n, c->p[0], c->p[1], c->p[2]);
}
RUN_SCALED(simdp_release_laplace_i64)
RUN_SCALED(simdp_release_gaussian_i64)
RUN_SCALED(simdp_release_discrete_laplace_i64)
RUN_SCALED(simdp_release_discrete_gaussian_i64)
RUN(simdp_release_discrete_laplace_bounded_i64)
{
    return simdp_release_discrete_laplace_bounded_i64(c->rng, c->out, c->in, c->n, c->p[0], (int64_t)c->p[1],
                                                      (int64_t)c->p[2]);
}
RUN(simdp_release_discrete_gaussian_truncated_i64)
{
    return simdp_release_discrete_gaussian_truncated_i64(c->rng, c->out, c->in, c->n, c->p[0], (int64_t)c->p[1]);
}
RUN_SCALED(simdp_release_randomized_response)
RUN_SCALED(simdp_release_randomized_response_packed)
RUN_GRID(simdp_release_unary)
RUN(simdp_release_k_response)
{
    const uint32_t k = c->p[0] >= 1 && c->p[0] <= UINT32_MAX ? (uint32_t)c->p[0] : 0;
    return simdp_release_k_response(c->rng, c->out, c->in, c->n, k, c->p[1]);
}

/* Counts from a threshold on; flags beside the output have tests of their own. */
#define RUN_THRESHOLD(law)                                                                                        \
    RUN(simdp_release_##law##_threshold)                                                                          \
    {                                                                                                             \
        return simdp_release_##law##_threshold(c->rng, c->out, NULL, c->in, c->n, c->p[0], c->p[1], c->p[2]);     \
    }                                                                                                             \
    RUN(simdp_release_##law##_threshold_i64)                                                                      \
    {                                                                                                             \
        return simdp_release_##law##_threshold_i64(c->rng, c->out, NULL, c->in, c->n, c->p[0], (int64_t)c->p[1]); \
    }
RUN_THRESHOLD(laplace)
RUN_THRESHOLD(gaussian)
#define RUN_SCALED_BY_ID(function) \
    RUN(function) { return function(c->rng, c->out, c->in, c->ids, c->n, c->p[0]); }
#define RUN_GRID_BY_ID(function) \
    RUN(function) { return function(c->rng, c->out, c->in, c->ids, c->n, c->p[0], c->p[1]); }
RUN_GRID_BY_ID(simdp_release_laplace_by_id)
RUN_GRID_BY_ID(simdp_release_gaussian_by_id)
RUN_SCALED_BY_ID(simdp_release_laplace_i64_by_id)
RUN_SCALED_BY_ID(simdp_release_gaussian_i64_by_id)
RUN_SCALED_BY_ID(simdp_release_randomized_response_by_id)

#define RUN_TYPICAL(function)                                                                                 \
    RUN(function)                                                                                             \
    {                                                                                                         \
        return function(c->rng, c->out, c->in, c->n,                                                          \
                        (simdp_theory_concentration){.kind = SIMDP_THEORY_SUBGAUSSIAN, .parameter = c->p[0]}, \
                        (simdp_theory_stability){.eta = c->p[1], .nu = c->p[2], .tau = c->p[3]});             \
    }
RUN_TYPICAL(simdp_theory_release_laplace)
RUN_TYPICAL(simdp_theory_release_gaussian)

/* The bounds of whole numbers are some that a double holds. */
RUN(simdp_release_clamped_sum) { return simdp_release_clamped_sum(c->out, c->in, c->n, c->p[0], c->p[1], c->p[2]); }
RUN(simdp_release_clamped_sum_i64)
{
    return simdp_release_clamped_sum_i64(c->out, c->in, c->n, (int64_t)c->p[0], (int64_t)c->p[1]);
}

#define RELEASE(function, type, pieces, size, where, ...)                                                         \
    {                                                                                                             \
        CALLS(function), .out = type, .in = IN_SAME, .kind = KERNEL_PUBLISHES, GIVEN(__VA_ARGS__), .sizes = size, \
                         .reference = "release/test_release_" where, .cut = pieces                                \
    }

#define BY_ID(function, type, ...)                                                                            \
    {                                                                                                         \
        CALLS(function), .out = type, .in = IN_SAME, .kind = KERNEL_PUBLISHES, GIVEN(__VA_ARGS__),            \
                         .sizes = SIZES_ANSWERS, .reference = "release/test_release_by_id", .one_draw = true, \
                         .by_id = true                                                                        \
    }

/* clang-format off */
const kernel_line kernels_of_release[] = {
    RELEASE(simdp_release_laplace, OUT_F64, 1, SIZES_ANSWERS, "reference", "sg", 1.0, KERNEL_GRID),
    RELEASE(simdp_release_gaussian, OUT_F64, 1, SIZES_ANSWERS, "reference", "sg", 1.0, KERNEL_GRID),
    RELEASE(simdp_release_laplace_f32, OUT_F32, 1, SIZES_ANSWERS, "floats", "sg", 1.0, KERNEL_GRID),
    RELEASE(simdp_release_gaussian_f32, OUT_F32, 1, SIZES_ANSWERS, "floats", "sg", 1.0, KERNEL_GRID),
    RELEASE(simdp_release_laplace_private, OUT_F64, 1, SIZES_ANSWERS, "private", "vx", 1.0, 1.0),
    RELEASE(simdp_release_gaussian_private, OUT_F64, 1, SIZES_ANSWERS, "private", "vxu", 1.0, 1.0, 1e-6),
    RELEASE(simdp_release_laplace_i64, OUT_I64, 1, SIZES_ANSWERS, "reference", "s", KERNEL_INTEGER_SCALE),
    RELEASE(simdp_release_gaussian_i64, OUT_I64, 1, SIZES_NONE, "reference", "s", 700.0),
    RELEASE(simdp_release_discrete_laplace_i64, OUT_I64, 1, SIZES_NONE, "discrete", "d", 9.0),
    RELEASE(simdp_release_discrete_gaussian_i64, OUT_I64, 1, SIZES_NONE, "discrete", "d", 9.0),
    RELEASE(simdp_release_discrete_laplace_bounded_i64, OUT_I64, 1, SIZES_NONE, "bounded", "d--", 9.0, 0.0, 500.0),
    RELEASE(simdp_release_discrete_gaussian_truncated_i64, OUT_I64, 1, SIZES_NONE, "bounded", "d-", 9.0, 20.0),
    RELEASE(simdp_release_randomized_response, OUT_BYTES, 1, SIZES_ASKED, "response", "e", KERNEL_EPSILON),
    RELEASE(simdp_release_randomized_response_packed, OUT_PACKED, 8, SIZES_ASKED, "response", "e", KERNEL_EPSILON),
    RELEASE(simdp_release_laplace_threshold, OUT_F64, 1, SIZES_ANSWERS, "threshold", "sg-", 1.0, KERNEL_GRID, -1.0),
    RELEASE(simdp_release_gaussian_threshold, OUT_F64, 1, SIZES_NONE, "threshold", "sg-", 1.0, KERNEL_GRID, -1.0),
    RELEASE(simdp_release_laplace_threshold_i64, OUT_I64, 1, SIZES_NONE, "threshold", "s-", KERNEL_INTEGER_SCALE, 30.0),
    RELEASE(simdp_release_gaussian_threshold_i64, OUT_I64, 1, SIZES_NONE, "threshold", "s-", 700.0, 30.0),
    RELEASE(simdp_release_unary, OUT_PACKED, 8, SIZES_ASKED, "unary", "ll", 0.0, -KERNEL_EPSILON),
    RELEASE(simdp_release_k_response, OUT_U32, 1, SIZES_ASKED, "k_response", "ke", KERNEL_VALUES, KERNEL_EPSILON),
    RELEASE(simdp_theory_release_laplace, OUT_F64, 1, SIZES_NONE, "typical", "qtu-", 1.0, 0.5, 0.01, 0.01),
    RELEASE(simdp_theory_release_gaussian, OUT_F64, 1, SIZES_NONE, "typical", "qtuu", 1.0, 0.5, 0.01, 0.01),
    BY_ID(simdp_release_laplace_by_id, OUT_F64, "sg", 1.0, KERNEL_GRID),
    BY_ID(simdp_release_gaussian_by_id, OUT_F64, "sg", 1.0, KERNEL_GRID),
    BY_ID(simdp_release_laplace_i64_by_id, OUT_I64, "s", KERNEL_INTEGER_SCALE),
    BY_ID(simdp_release_gaussian_i64_by_id, OUT_I64, "s", KERNEL_INTEGER_SCALE),
    BY_ID(simdp_release_randomized_response_by_id, OUT_BYTES, "e", KERNEL_EPSILON),
    {CALLS(simdp_release_clamped_sum), .out = OUT_F64, .in = IN_F64, .kind = KERNEL_DATA,
     GIVEN("---", -1.0, 5.0, 0x1p-10), .reference = "release/test_release_sums", .winners = 1},
    {CALLS(simdp_release_clamped_sum_i64), .out = OUT_I64, .in = IN_I64, .kind = KERNEL_DATA,
     GIVEN("--", -1000.0, 0x1p40), .reference = "release/test_release_sums", .winners = 1},
    {.name = NULL},
};
/* clang-format on */
