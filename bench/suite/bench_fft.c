/* bench_fft.c: transforms of n real numbers from one array to another. Ours copies and then works in place; peers leave
 * N/2 + 1 frequencies in their order, ours N/2 in an order of its own (fft.h). Long ones only beside large batches. */
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

static simdp_status run_forward(const kernel_call *c)
{
    memcpy(c->out, fft_bench_input, c->n * sizeof(double));
    simdp_fft_forward(plan_for(c->n), c->out);
    return SIMDP_OK;
}

static kernel_call call_of(const kernel_line *line, void *out, size_t n)
{
    (void)line;
    return (kernel_call){.out = out, .n = n};
}

/* Not a public function, and so not in the list. */
static const kernel_line forward = {.name = "simdp_fft_forward", .run = run_forward, .out = OUT_F64};

static const bench_peers peers = {
    .others = {{"fftw", PEER_FFTW(fftw_forward), NULL}, {"mkl_dft", PEER_MKL_DFT(mkl_dft_forward), NULL}}};

void bench_fft(const bench_plan *plan)
{
    static const size_t points[] = {1 << 10, 1 << 14, 1 << 18, FFT_BENCH_MOST};
    size_t largest = 0, count = 0;
    for (size_t i = 0; i < plan->count; i++) largest = plan->sizes[i] > largest ? plan->sizes[i] : largest;
    while (count < sizeof points / sizeof *points && (count == 0 || points[count] <= 4 * largest)) count++;
    static const bench_kernel kernel = {&forward, call_of, &peers};
    double *out = simdp_fft_alloc(FFT_BENCH_MOST + 2);
    fft_bench_input = simdp_fft_alloc(FFT_BENCH_MOST);
    if (out == NULL || fft_bench_input == NULL) abort();
    for (size_t i = 0; i < FFT_BENCH_MOST; i++) fft_bench_input[i] = (double)(i * 0x9e3779b9 % 1000) / 1000;
    bench_register(&kernel, &(bench_plan){points, count, 1, out, false});
}
