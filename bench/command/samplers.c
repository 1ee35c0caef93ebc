/* samplers.c: see samplers.h. */
#include "samplers.h"

#include <string.h>

static const char prefix[] = "simdp_noise_";

static bool is_sampler(const kernel_line *k)
{
    return k->variant == NULL && strncmp(k->name, prefix, strlen(prefix)) == 0 && strstr(k->name, "_add") == NULL;
}

const kernel_line *sampler_at(size_t i)
{
    const kernel_line *k;
    for (size_t line = 0; (k = kernel_at(line)) != NULL; line++) {
        if (is_sampler(k) && i-- == 0) return k;
    }
    return NULL;
}

const char *sampler_name(const kernel_line *s) { return s->name + strlen(prefix); }

const kernel_line *sampler_named(const char *name)
{
    const size_t length = strlen(name);
    const kernel_line *s;
    for (size_t i = 0; (s = sampler_at(i)) != NULL; i++) {
        if (strcmp(sampler_name(s), name) == 0) return s;
        if (strncmp(sampler_name(s), name, length) == 0 && strcmp(sampler_name(s) + length, "_f64") == 0) return s;
    }
    return NULL;
}

bool sampler_has_scale(const kernel_line *s) { return s->letters[0] != '\0'; }

simdp_status sampler_draw(const kernel_line *s, simdp_rng *rng, void *out, size_t n, double scale)
{
    return s->run(&(kernel_call){.rng = rng, .out = out, .n = n, .p = &scale});
}
