/* simdp_noise.h: raw deviates, and their laws in closed form. Part of simdp.h, which has the conventions.
 *
 * These are numbers, not yet a private release: adding them to an answer in floating point leaks through the low-order
 * bits. Discrete noise (simdp_noise_discrete_laplace_i64, simdp_noise_discrete_gaussian_i64) stands with its releases,
 * in simdp_release.h.
 *
 * Every law comes as doubles (_f64) and as floats (_f32). Laws that are added to answers or scores (Laplace, Gaussian,
 * Gumbel) also have _add: sum += noise in one pass, the bytes of a fill followed by an addition.
 *
 * Scales are 0 (the noise is all +0.0, the position still advances) or lie in the ranges below; anything else is
 * SIMDP_EPARAM. Time: doubles, and uniform floats, in constant time: neither branches nor addresses depend on the
 * words. For other floats the time of a call tells whether it holds tail elements (one in 8192), which take more bits.
 *
 * A word w below is the stream's word with its lowest bit set, so that 0 is an ordinary word, and |w| its low 63 bits
 * (for signed laws the magnitude of the signed integer); |w| is rounded to a double (for floats: of half a word, to a
 * float) before use. "Reach" is the largest deviate, "beyond" the mass the exact law has there. ulp and errors are
 * against the exact function of the rounded integer. */
#ifndef SIMDP_NOISE_H
#define SIMDP_NOISE_H

#include "simdp_rng.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SIMDP_NOISE_SCALE_MIN     0x1p-900
#define SIMDP_NOISE_SCALE_MAX     0x1p+900
#define SIMDP_NOISE_SCALE_MIN_F32 0x1p-100f
#define SIMDP_NOISE_SCALE_MAX_F32 0x1p+100f

/* Uniform in the open interval (0, 1), dense near 0: |w| 2^-63, at most 1 - 2^-53. Floats: odd multiples of 2^-31,
 * rounded, at most 1 - 2^-24. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_noise_uniform_f64(simdp_rng *rng, double *out, size_t n);
SIMDP_API SIMDP_CHECKED simdp_status simdp_noise_uniform_f32(simdp_rng *rng, float *out, size_t n);

/* Exponential: density exp(-x/scale) / scale for x > 0. scale E with E = -ln(|w| / 2^63); reach 43.668 scale, beyond
 * 2^-63. Error at most 10 ulp, below 1.3 on average; where |w| rounds to 2^63, 0 <= E < 2^-51.
 * Floats: 31 random bits, 63 below 2^-13 of mass: reach 43.668 scale, beyond 2^-63; error at most 12 ulp or 2^-19
 * scale. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_noise_exponential_f64(simdp_rng *rng, double *out, size_t n, double scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_noise_exponential_f32(simdp_rng *rng, float *out, size_t n, float scale);

/* Laplace: density exp(-|x|/scale) / (2 scale). w as a signed integer gives sign(w) scale E, E = -ln(|w| / 2^63); reach
 * 43.668 scale, beyond 2^-63. Errors as for the exponential law.
 * Floats: sign and 31 bits, 63 in the tail: reach 43.668 scale, beyond 2^-63. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_noise_laplace_f64(simdp_rng *rng, double *out, size_t n, double scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_noise_laplace_f32(simdp_rng *rng, float *out, size_t n, float scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_noise_laplace_f64_add(simdp_rng *rng, double *sum, size_t n, double scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_noise_laplace_f32_add(simdp_rng *rng, float *sum, size_t n, float scale);

/* Gaussian: mean 0, standard deviation sigma, by Box and Muller: in each aligned group of sixteen positions the words
 * of the first eight give radii R = sqrt(-2 ln(|w| / 2^63)), the last eight angles of 51 bits; radius j and angle j
 * make elements j and 8 + j. Reach 9.345 sigma, beyond 2^-66.6. Error at most 2^-49 sigma R; where |w| rounds to 2^63,
 * R is below 2^-25 instead of exact. Floats: groups of 32 elements, 31-bit radii (63 bits beyond R = 4.24) and 22-bit
 * angles (51 there), reach 9.345 sigma; error at most 2^-19 sigma R. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_noise_gaussian_f64(simdp_rng *rng, double *out, size_t n, double sigma);
SIMDP_API SIMDP_CHECKED simdp_status simdp_noise_gaussian_f32(simdp_rng *rng, float *out, size_t n, float sigma);
SIMDP_API SIMDP_CHECKED simdp_status simdp_noise_gaussian_f64_add(simdp_rng *rng, double *sum, size_t n, double sigma);
SIMDP_API SIMDP_CHECKED simdp_status simdp_noise_gaussian_f32_add(simdp_rng *rng, float *sum, size_t n, float sigma);

/* Gumbel, maximum form: P[x <= t] = exp(-exp(-t/scale)), mean 0.5772 scale. -scale ln E with the E of the exponential
 * law. Reach 36.736 scale upward (|w| / 2^63 is rounded to 53 bits: beyond 2^-53) and -3.777 scale downward (beyond
 * 2^-63). Error at most 2^-48 scale plus 1 ulp.
 * Floats: 31 bits, 63 where x > 9.01 scale: reach upward 36.736 scale (beyond 2^-53), downward -3.068 scale (beyond
 * 2^-31); error at most 12 ulp or 2^-19 scale. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_noise_gumbel_f64(simdp_rng *rng, double *out, size_t n, double scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_noise_gumbel_f32(simdp_rng *rng, float *out, size_t n, float scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_noise_gumbel_f64_add(simdp_rng *rng, double *sum, size_t n, double scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_noise_gumbel_f32_add(simdp_rng *rng, float *sum, size_t n, float scale);

/* ---- laws of the noise, in closed form -------------------------------------------------------------------------- */

/* Of X with the law `law` and scale > 0, finite: P[X <= x] (cdf), P[X > x] (sf), the logarithm of the density, the
 * probability P[X = x], and the quantile of p.
 *
 *   LAPLACE, GAUSSIAN (scale is sigma), GUMBEL, EXPONENTIAL      as above; they have no probability
 *   DISCRETE_LAPLACE    on the integers: P[X = x] = tanh(1/(2 scale)) e^(-|x|/scale)
 *   DISCRETE_GAUSSIAN   on the integers: proportional to e^(-x^2/(2 scale^2)); scale is sigma
 *
 * x is any number, infinities included, and 0 <= p <= 1. For a discrete law log_density is the logarithm of the
 * probability; between integers the probability is 0 and the cdf constant; the quantile is the smallest integer with
 * P[X <= x] >= p, -inf at p = 0 and inf at p = 1.
 *
 * Errors below 1e-14 relative. Where a log density passes 0, 1e-25 (1 + |ln scale|) more, and for a quantile 1e-25
 * scale. A discrete quantile is that of a p whose smaller tail, p or 1 - p, is moved by less than 1e-14 of itself, and
 * beyond 2^53 the next double to it. Bad input as simdp_loss.h has it for closed forms: NaN in the place of a bad
 * element, NaN everywhere for a bad scale or a law that the function does not have, and SIMDP_EPARAM. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_noise_cdf(double *out, const double *x, size_t n, simdp_mechanism law,
                                                     double scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_noise_sf(double *out, const double *x, size_t n, simdp_mechanism law,
                                                    double scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_noise_log_density(double *out, const double *x, size_t n,
                                                             simdp_mechanism law, double scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_noise_probability(double *out, const double *x, size_t n,
                                                             simdp_mechanism law, double scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_noise_quantile(double *out, const double *p, size_t n, simdp_mechanism law,
                                                          double scale);

#ifdef __cplusplus
}
#endif

#endif
