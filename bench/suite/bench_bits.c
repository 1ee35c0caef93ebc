/* bench_bits.c: random words. */
#include "bench.h"
#include "peers/peers_mkl.h"

static simdp_status ours_words(simdp_rng *rng, void *out, size_t n) { return simdp_rng_words(rng, out, n); }

static const bench_kernel kernels[] = {
    {"bits/words", sizeof(uint64_t), ours_words, PEER_MKL(mkl_words), 0, {{0}}},
};

void bench_bits(const bench_plan *plan) { bench_register(kernels, sizeof kernels / sizeof kernels[0], plan); }
