/* bench_noise.c: raw deviates. A new sampler: a line in the table, its wrapper here, its peers' in peers_*.c. */
#include "bench.h"
#include "peers/peers_libm.h"
#include "peers/peers_mkl.h"
#include "peers/peers_sleef.h"

#define OURS(name, type)                                                          \
    static simdp_status ours_##name##_##type(simdp_rng *rng, void *out, size_t n) \
    {                                                                             \
        return simdp_noise_##name##_##type(rng, out, n, 1);                       \
    }
OURS(exponential, f64)
OURS(exponential, f32)
OURS(laplace, f64)
OURS(laplace, f32)
OURS(gaussian, f64)
OURS(gaussian, f32)
OURS(gumbel, f64)
OURS(gumbel, f32)
static simdp_status ours_uniform_f64(simdp_rng *rng, void *out, size_t n)
{
    return simdp_noise_uniform_f64(rng, out, n);
}
static simdp_status ours_uniform_f32(simdp_rng *rng, void *out, size_t n)
{
    return simdp_noise_uniform_f32(rng, out, n);
}

#define F64(law)                                                                                             \
    {                                                                                                        \
        "noise/" #law "_f64", sizeof(double), ours_##law##_f64, PEER_MKL(mkl_##law##_f64), 0,                \
        {                                                                                                    \
            {"libm", libm_##law##_f64, NULL}, { "sleef", PEER_SLEEF(sleef_##law##_f64), peers_sleef_usable } \
        }                                                                                                    \
    }
#define F32(law)                                                                             \
    {                                                                                        \
        "noise/" #law "_f32", sizeof(float), ours_##law##_f32, PEER_MKL(mkl_##law##_f32), 0, \
        {                                                                                    \
            {                                                                                \
                "sleef", PEER_SLEEF(sleef_##law##_f32), peers_sleef_usable                   \
            }                                                                                \
        }                                                                                    \
    }

static const bench_kernel kernels[] = {
    F64(laplace), F32(laplace),     F64(gaussian),    F32(gaussian), F64(gumbel),
    F32(gumbel),  F64(exponential), F32(exponential), F64(uniform),  F32(uniform),
};

void bench_noise(const bench_plan *plan)
{
    peers_sleef_check();
    bench_register(kernels, sizeof kernels / sizeof kernels[0], plan);
}
