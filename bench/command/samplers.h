/* samplers.h: raw noise by name, from the list of kernels. */
#ifndef SIMDP_SAMPLERS_H
#define SIMDP_SAMPLERS_H

#include "kernel_list/kernel_list.h"

/* Sampler i, NULL past the last: the functions simdp_noise_* that write n deviates. */
const kernel_line *sampler_at(size_t i);

/* "laplace_f64" of simdp_noise_laplace_f64 */
const char *sampler_name(const kernel_line *s);

const kernel_line *sampler_named(const char *name); /* also "laplace" for "laplace_f64"; NULL if there is none */

bool sampler_has_scale(const kernel_line *s);

/* n deviates; the scale counts for those that have one. */
simdp_status sampler_draw(const kernel_line *s, simdp_rng *rng, void *out, size_t n, double scale);

#endif
