/* peers_mkl_rooms.h: what a careful user of MKL writes for selection, release and privacy loss. */
#ifndef SIMDP_PEERS_MKL_ROOMS_H
#define SIMDP_PEERS_MKL_ROOMS_H

#include "peers_mkl.h"
#include "suite/bench_inputs.h"

#ifdef SIMDP_HAVE_MKL
#define PEER_VML(function) (function)
#else
#define PEER_VML(function) NULL
#endif

bench_mkl mkl_select, mkl_select_ascending, mkl_release_laplace, mkl_release_gaussian, mkl_release_laplace_i64,
    mkl_partitions, mkl_above_threshold, mkl_audit;
bench_fill vml_loss, vml_delta;

#endif
