/* release_inside.h: see release_inside.inc. n: a multiple of 64. */
#ifndef SIMDP_RELEASE_INSIDE_H
#define SIMDP_RELEASE_INSIDE_H

#include "dispatch/table.h"

typedef void inside_noise(int law, double *noise, double *radius, size_t n, const uint64_t *words,
                          const simdp_release_plan *plan);

inside_noise whole_noise, narrow20_noise, narrow10_noise; /* narrow: doubles see 20, 10 bits */
extern const simdp_kernels whole_kernels, narrow20_kernels, narrow10_kernels;

#endif
