/* bench_discrete.c: randomized response and discrete integers. */
#include "bench.h"
#include "peers/peers_mkl_discrete.h"

const uint8_t discrete_packed_answers[BENCH_BATCH_MAX / 8];

static simdp_status ours_response(simdp_rng *rng, void *out, size_t n)
{
    return simdp_release_randomized_response(rng, out, out, n, DISCRETE_EPSILON);
}

static simdp_status ours_response_packed(simdp_rng *rng, void *out, size_t n)
{
    return simdp_release_randomized_response_packed(rng, out, discrete_packed_answers, n, DISCRETE_EPSILON);
}

static simdp_status ours_laplace(simdp_rng *rng, void *out, size_t n)
{
    return simdp_noise_discrete_laplace_i64(rng, out, n, DISCRETE_SCALE);
}

static simdp_status ours_gaussian(simdp_rng *rng, void *out, size_t n)
{
    return simdp_noise_discrete_gaussian_i64(rng, out, n, DISCRETE_SCALE);
}

static simdp_status ours_gaussian_wide(simdp_rng *rng, void *out, size_t n)
{
    return simdp_noise_discrete_gaussian_i64(rng, out, n, DISCRETE_SCALE_WIDE);
}

static const bench_kernel kernels[] = {
    {"release/randomized_response", 1, ours_response, PEER_MKL(mkl_response), 0, {{0}}},
    {"release/randomized_response_packed", 0, ours_response_packed, PEER_MKL(mkl_response_packed), 0, {{0}}},
    {"noise/discrete_laplace_i64", 8, ours_laplace, PEER_MKL(mkl_discrete_laplace), 0, {{0}}},
    {"noise/discrete_gaussian_i64", 8, ours_gaussian, PEER_MKL(mkl_discrete_gaussian), 0, {{0}}},
    {"noise/discrete_gaussian_wide_i64", 8, ours_gaussian_wide, PEER_MKL(mkl_discrete_gaussian_wide), 0, {{0}}},
};

void bench_discrete(const bench_plan *plan) { bench_register(kernels, sizeof kernels / sizeof kernels[0], plan); }
