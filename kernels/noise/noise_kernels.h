/* noise_kernels.h: what a unit offers to the room noise. */
#ifndef SIMDP_NOISE_KERNELS_H
#define SIMDP_NOISE_KERNELS_H

#include "bits/cipher.h"

enum { NOISE_UNIFORM, NOISE_EXPONENTIAL, NOISE_LAPLACE, NOISE_GAUSSIAN, NOISE_GUMBEL, NOISE_LAWS };

/* n deviates of the positions from at->position on. */
typedef void simdp_noise_f32(float *out, size_t n, const simdp_bits_at *at, float scale);
typedef void simdp_noise_f64(double *out, size_t n, const simdp_bits_at *at, double scale);

typedef struct simdp_noise_kernels {
    simdp_noise_f64 *f64[NOISE_LAWS];
    simdp_noise_f32 *f32[NOISE_LAWS];
    void (*add_f64)(double *sum, const double *noise, size_t n);
    void (*add_f32)(float *sum, const float *noise, size_t n);
} simdp_noise_kernels;

#endif
