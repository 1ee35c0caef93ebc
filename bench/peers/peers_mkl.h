/* peers_mkl.h: Intel MKL's vector statistics. Everything here exists without MKL too: rows then say "not installed". */
#ifndef SIMDP_PEERS_MKL_H
#define SIMDP_PEERS_MKL_H

#include "suite/bench.h"
#include "mkl_calls.h"

#ifdef SIMDP_HAVE_MKL
#define PEER_MKL(function) (function)
#else
#define PEER_MKL(function) peers_mkl_absent
#endif

/* The next generator that has rows, from *g on, by the name of its rows: "mkl_ars5", or, for MKL's code for an
 * instruction set that it does not choose by itself, "mkl_avx512_ars5"; NULL past the last. */
const char *peers_mkl_generator(size_t *g);

/* The code that is called directly beside the one that MKL chooses: "avx512", "avx2" or "none". */
const char *peers_mkl_direct(void);

/* For vector mathematics: the code that is called directly, else MKL's choice. */
const mkl_calls *peers_mkl_vml(void);

/* Laws of another scale than 1. */
typedef enum { MKL_UNIFORM, MKL_EXPONENTIAL, MKL_LAPLACE, MKL_GUMBEL } mkl_law;
int mkl_law_scaled(void *stream, double *out, size_t n, mkl_law law, double scale);

/* Generator g's stream for a thread, made at first use; NULL without MKL. */
void *peers_mkl_stream(size_t g, int thread);

/* MKL's version, or "not installed". */
const char *peers_mkl_version(void);

/* Which code MKL chose for this CPU: "def", "mc3", "avx2", "avx512", "avx10"; "none" without MKL. */
const char *peers_mkl_code(void);

bench_mkl peers_mkl_absent;
bench_mkl mkl_words, mkl_uniform_f64, mkl_exponential_f64, mkl_laplace_f64, mkl_gaussian_f64, mkl_gumbel_f64;
bench_mkl mkl_uniform_f32, mkl_exponential_f32, mkl_laplace_f32, mkl_gaussian_f32, mkl_gumbel_f32;

#endif
