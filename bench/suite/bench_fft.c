/* bench_fft.c: transforms of n real numbers from one array to another. Ours copies and then works in place; peers leave
 * N/2 + 1 frequencies in their order, ours N/2 in an order of its own (fft.h). */
#include <stdlib.h>
#include <string.h>

#include "dispatch/table.h"
#include "fft/fft.h"
#include "fft/fft_kernels.h"
#include "peers/peers_fft.h"

enum { PLANS_MOST = 64 }; /* lengths times instruction sets */

/* The plan of the active instruction set; they live as long as the process. */
static const simdp_fft *plan_for(size_t n)
{
    static simdp_fft *plans[PLANS_MOST];
    const simdp_kernels *active = simdp_kernels_active();
    size_t i = 0;
    while (plans[i] != NULL && (plans[i]->points != n || plans[i]->kernels != active->fft)) i++;
    if (plans[i] == NULL && simdp_fft_create(&plans[i], n) != SIMDP_OK) abort();
    return plans[i];
}

static simdp_status ours_forward(simdp_rng *rng, void *out, size_t n)
{
    (void)rng;
    memcpy(out, fft_bench_input, n * sizeof(double));
    simdp_fft_forward(plan_for(n), out);
    return SIMDP_OK;
}

static const bench_kernel transforms[] = {
    {"fft/forward",
     8,
     ours_forward,
     NULL,
     0,
     {{"fftw", PEER_FFTW(fftw_forward), NULL}, {"mkl_dft", PEER_MKL_DFT(mkl_dft_forward), NULL}}},
};

void bench_fft(void)
{
    static const size_t points[] = {1 << 10, 1 << 14, 1 << 18, FFT_BENCH_MOST};
    double *out = simdp_fft_alloc(FFT_BENCH_MOST + 2);
    fft_bench_input = simdp_fft_alloc(FFT_BENCH_MOST);
    if (out == NULL || fft_bench_input == NULL) abort();
    for (size_t i = 0; i < FFT_BENCH_MOST; i++) fft_bench_input[i] = (double)(i * 0x9e3779b9 % 1000) / 1000;
    bench_register(transforms, 1, &(bench_plan){points, 4, 1, out, false});
}
