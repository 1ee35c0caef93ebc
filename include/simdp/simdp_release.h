/* simdp_release.h: noisy answers that are safe to publish. Part of simdp.h, which has the conventions. */
#ifndef SIMDP_RELEASE_H
#define SIMDP_RELEASE_H

#include "simdp.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SIMDP_GRID_MIN 0x1p-944
#define SIMDP_GRID_MAX 0x1p+930

SIMDP_API double simdp_release_grid(double scale);
SIMDP_API SIMDP_CHECKED simdp_status
simdp_release_laplace(simdp_rng *rng, double *out, const double *answers, size_t n, double scale, double grid);
SIMDP_API SIMDP_CHECKED simdp_status
simdp_release_gaussian(simdp_rng *rng, double *out, const double *answers, size_t n, double sigma, double grid);
SIMDP_API SIMDP_CHECKED simdp_status
simdp_release_laplace_i64(simdp_rng *rng, int64_t *out, const int64_t *answers, size_t n, double scale);
SIMDP_API SIMDP_CHECKED simdp_status
simdp_release_gaussian_i64(simdp_rng *rng, int64_t *out, const int64_t *answers, size_t n, double sigma);

#ifdef __cplusplus
}
#endif

#endif
