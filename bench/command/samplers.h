/* samplers.h: every sampler by name, with one signature. */
#ifndef SIMDP_SAMPLERS_H
#define SIMDP_SAMPLERS_H

#include <stdbool.h>

#include "simdp/simdp.h"

typedef struct {
    const char *name; /* "laplace_f64" */
    size_t bytes;     /* of an element */
    bool scaled;      /* has a scale */
    simdp_status (*draw)(simdp_rng *rng, void *out, size_t n, double scale);
} sampler;

extern const sampler samplers[]; /* ends with a NULL name */

const sampler *sampler_named(const char *name); /* also "laplace" for "laplace_f64"; NULL if there is none */

#endif
