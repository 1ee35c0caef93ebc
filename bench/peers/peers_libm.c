/* peers_libm.c: scalar loops over xoshiro256++ and libm. */
#include "peers_libm.h"

#include <math.h>
#include <stdint.h>

#include "xoshiro.h"

static xoshiro state = {{0x9e3779b97f4a7c15, 0xbf58476d1ce4e5b9, 0x94d049bb133111eb, 0x2545f4914f6cdd1d}};

/* Each sampler works on a copy of the state, in registers: through the global, every store to x could change it. */
#define LIBM_LOOP(name, ...)                            \
    void libm_##name##_f64(void *out, size_t n)         \
    {                                                   \
        double *x = out;                                \
        xoshiro local = state;                          \
        for (size_t i = 0; i < n; i++) {                \
            const uint64_t word = xoshiro_next(&local); \
            __VA_ARGS__                                 \
        }                                               \
        state = local;                                  \
    }

LIBM_LOOP(uniform, x[i] = xoshiro_uniform(word);)
LIBM_LOOP(exponential, x[i] = -log(xoshiro_uniform(word));)
LIBM_LOOP(laplace, const double e = -log(xoshiro_uniform(word)); x[i] = word & 1 ? -e : e;)
LIBM_LOOP(gumbel, x[i] = -log(-log(xoshiro_uniform(word)));)
LIBM_LOOP(gaussian, const double r = sqrt(-2.0 * log(xoshiro_uniform(word))),
          t = 0x1.921fb54442d18p+2 * xoshiro_uniform(xoshiro_next(&local));
          x[i] = r * cos(t); if (i + 1 < n) x[++i] = r * sin(t);)
