/* bench_noise.c: raw deviates. A new sampler: a line in the table, its wrapper here, its peers' in peers_*.c. */
#include "bench.h"
#include "peers_libm.h"
#include "peers_mkl.h"

static simdp_status ours_laplace_f64(simdp_rng *rng, void *out, size_t n)
{
    return simdp_noise_laplace_f64(rng, out, n, 1.0);
}

static const bench_kernel kernels[] = {
    {"noise/laplace_f64", sizeof(double), ours_laplace_f64, PEER_MKL(mkl_laplace_f64), libm_laplace_f64},
};

void bench_noise(const bench_plan *plan) { bench_register(kernels, sizeof kernels / sizeof kernels[0], plan); }
