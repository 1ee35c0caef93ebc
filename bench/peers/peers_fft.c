/* peers_fft.c: see peers_fft.h. MKL is called by its own interface, to which its FFTW interface passes on: the names of
 * that one are FFTW's. */
#include "peers_fft.h"

#include <stdlib.h>

double *fft_bench_input;

enum { PLANS_MOST = 8 }; /* lengths */

#ifdef SIMDP_HAVE_FFTW
#include <fftw3.h>

static fftw_plan fftw_plan_for(size_t n)
{
    static struct {
        size_t n;
        fftw_plan plan;
    } plans[PLANS_MOST];
    size_t i = 0;
    while (plans[i].n != n && plans[i].n != 0) i++;
    if (plans[i].n == n) return plans[i].plan;
    /* measuring writes to the arrays */
    double *in = fftw_malloc(n * sizeof *in);
    fftw_complex *out = fftw_malloc((n / 2 + 1) * sizeof *out);
    if (in == NULL || out == NULL) abort();
    fftw_set_timelimit(8.0); /* seconds; a plan of 2^22 points would take a minute */
    plans[i].plan = fftw_plan_dft_r2c_1d((int)n, in, out, FFTW_MEASURE);
    plans[i].n = n;
    fftw_free(in);
    fftw_free(out);
    return plans[i].plan;
}

void fftw_forward(void *out, size_t n) { fftw_execute_dft_r2c(fftw_plan_for(n), fft_bench_input, out); }
#endif

#ifdef SIMDP_HAVE_MKL
#include <mkl_dfti.h>

static DFTI_DESCRIPTOR_HANDLE mkl_plan_for(size_t n)
{
    static struct {
        size_t n;
        DFTI_DESCRIPTOR_HANDLE plan;
    } plans[PLANS_MOST];
    size_t i = 0;
    while (plans[i].n != n && plans[i].n != 0) i++;
    if (plans[i].n == n) return plans[i].plan;
    if (DftiCreateDescriptor(&plans[i].plan, DFTI_DOUBLE, DFTI_REAL, 1, (MKL_LONG)n) != DFTI_NO_ERROR ||
        DftiSetValue(plans[i].plan, DFTI_PLACEMENT, DFTI_NOT_INPLACE) != DFTI_NO_ERROR ||
        DftiSetValue(plans[i].plan, DFTI_CONJUGATE_EVEN_STORAGE, DFTI_COMPLEX_COMPLEX) != DFTI_NO_ERROR ||
        DftiCommitDescriptor(plans[i].plan) != DFTI_NO_ERROR)
        abort();
    plans[i].n = n;
    return plans[i].plan;
}

void mkl_dft_forward(void *out, size_t n)
{
    if (DftiComputeForward(mkl_plan_for(n), fft_bench_input, out) != DFTI_NO_ERROR) abort();
}
#endif
