#include "samplers.h"

#include <string.h>

#define DRAW(law)                                                                    \
    static simdp_status law##_f64(simdp_rng *rng, void *out, size_t n, double scale) \
    {                                                                                \
        return simdp_noise_##law##_f64(rng, out, n, scale);                          \
    }                                                                                \
    static simdp_status law##_f32(simdp_rng *rng, void *out, size_t n, double scale) \
    {                                                                                \
        return simdp_noise_##law##_f32(rng, out, n, (float)scale);                   \
    }
DRAW(laplace)
DRAW(gaussian)
DRAW(gumbel)
DRAW(exponential)

static simdp_status uniform_f64(simdp_rng *rng, void *out, size_t n, double scale)
{
    (void)scale;
    return simdp_noise_uniform_f64(rng, out, n);
}

static simdp_status uniform_f32(simdp_rng *rng, void *out, size_t n, double scale)
{
    (void)scale;
    return simdp_noise_uniform_f32(rng, out, n);
}

const sampler samplers[] = {
#define ROWS(law, scaled) \
    {#law "_f64", sizeof(double), scaled, law##_f64}, { #law "_f32", sizeof(float), scaled, law##_f32 }
    ROWS(laplace, true),     ROWS(gaussian, true), ROWS(gumbel, true),
    ROWS(exponential, true), ROWS(uniform, false), {NULL, 0, false, NULL},
};

const sampler *sampler_named(const char *name)
{
    const size_t length = strlen(name);
    for (const sampler *s = samplers; s->name != NULL; s++) {
        if (strcmp(s->name, name) == 0) return s;
        if (strncmp(s->name, name, length) == 0 && strcmp(s->name + length, "_f64") == 0) return s;
    }
    return NULL;
}
