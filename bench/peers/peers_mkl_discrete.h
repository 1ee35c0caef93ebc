/* peers_mkl_discrete.h: what MKL's generators make of randomized response and of integers. */
#ifndef SIMDP_PEERS_MKL_DISCRETE_H
#define SIMDP_PEERS_MKL_DISCRETE_H

#include "peers_mkl.h"
#include "suite/bench_inputs.h"

/* uniform doubles compared with the rounded probability, on bytes and on bits */
bench_mkl mkl_response, mkl_response_packed;

/* the same for bits with two probabilities, and for values among KERNEL_VALUES */
bench_mkl mkl_unary, mkl_k_response;

/* The nearest that MKL has to the discrete laws: the difference of two geometric numbers, floors of exponential ones;
 * and rounded Gaussian numbers, which have another law. */
bench_mkl mkl_discrete_laplace, mkl_discrete_gaussian, mkl_discrete_gaussian_wide;

#endif
