/* peers_libm.c: scalar loops over xoshiro256++ (Blackman and Vigna, 2019) and libm. */
#include "peers_libm.h"

#include <math.h>
#include <stdint.h>

typedef struct {
    uint64_t s[4];
} xoshiro;

static xoshiro state = {{0x9e3779b97f4a7c15, 0xbf58476d1ce4e5b9, 0x94d049bb133111eb, 0x2545f4914f6cdd1d}};

static uint64_t rotate(uint64_t x, int by) { return x << by | x >> (64 - by); }

static uint64_t next_word(xoshiro *x)
{
    uint64_t *s = x->s;
    const uint64_t word = rotate(s[0] + s[3], 23) + s[0], t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate(s[3], 45);
    return word;
}

static double uniform_open(uint64_t word) { return ((double)(word >> 12) + 0.5) * 0x1p-52; }

/* Each sampler works on a copy of the state, in registers: through the global, every store to x could change it. */
#define LIBM_LOOP(name, ...)                                                                                           \
    void libm_##name##_f64(void *out, size_t n)                                                                        \
    {                                                                                                                  \
        double *x = out;                                                                                               \
        xoshiro local = state;                                                                                         \
        for (size_t i = 0; i < n; i++) {                                                                               \
            const uint64_t word = next_word(&local);                                                                   \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
        state = local;                                                                                                 \
    }

LIBM_LOOP(uniform, x[i] = uniform_open(word);)
LIBM_LOOP(exponential, x[i] = -log(uniform_open(word));)
LIBM_LOOP(laplace, const double e = -log(uniform_open(word)); x[i] = word & 1 ? -e : e;)
LIBM_LOOP(gumbel, x[i] = -log(-log(uniform_open(word)));)
LIBM_LOOP(gaussian, const double r = sqrt(-2.0 * log(uniform_open(word))),
          t = 0x1.921fb54442d18p+2 * uniform_open(next_word(&local));
          x[i] = r * cos(t); if (i + 1 < n) x[++i] = r * sin(t);)
