/* peers_libm.h: what one writes without a library: a scalar loop over a small generator and libm. */
#ifndef SIMDP_PEERS_LIBM_H
#define SIMDP_PEERS_LIBM_H

#include "suite/bench.h"

bench_fill libm_uniform_f64, libm_exponential_f64, libm_laplace_f64, libm_gaussian_f64, libm_gumbel_f64;

#endif
