/* peers_fft.h: real to half-complex transforms of FFTW and MKL, from one array to another: plans made once for each
 * length, FFTW's by its own measurements. */
#ifndef SIMDP_PEERS_FFT_H
#define SIMDP_PEERS_FFT_H

#include "suite/bench.h"

enum { FFT_BENCH_MOST = 1 << 22 };

extern double *fft_bench_input; /* FFT_BENCH_MOST numbers */

/* out has room for n + 2 doubles */
bench_fill fftw_forward, mkl_dft_forward;

#ifdef SIMDP_HAVE_FFTW
#define PEER_FFTW(function) (function)
#else
#define PEER_FFTW(function) NULL
#endif
#ifdef SIMDP_HAVE_MKL
#define PEER_MKL_DFT(function) (function)
#else
#define PEER_MKL_DFT(function) NULL
#endif

#endif
