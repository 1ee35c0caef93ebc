/* peers_mkl_rooms.h: what a careful user of MKL writes for selection, release and privacy loss; and the inputs of both
 * sides. */
#ifndef SIMDP_PEERS_MKL_ROOMS_H
#define SIMDP_PEERS_MKL_ROOMS_H

#include "peers_mkl.h"

enum { ROOMS_MOST = 1 << 20 };
#define ROOMS_GRID      0x1p-22 /* of a release with scale 1 */
#define ROOMS_SCALE_I64 100.0

extern double rooms_scores[], rooms_ascending[], rooms_out[], rooms_y[], rooms_x0[], rooms_x1[], rooms_epsilon[],
    rooms_sigma[];
extern int64_t rooms_integers[];

#ifdef SIMDP_HAVE_MKL
#define PEER_VML(function) (function)
#else
#define PEER_VML(function) NULL
#endif

bench_mkl mkl_select, mkl_select_ascending, mkl_release_laplace, mkl_release_gaussian, mkl_release_laplace_i64,
    mkl_audit;
bench_fill vml_loss, vml_delta;

#endif
