/* xoshiro.h: the generator xoshiro256++ (Blackman and Vigna, 2019) of peers that have no cipher. */
#ifndef SIMDP_BENCH_XOSHIRO_H
#define SIMDP_BENCH_XOSHIRO_H

#include <stdint.h>

typedef struct {
    uint64_t s[4];
} xoshiro;

static inline uint64_t xoshiro_rotate(uint64_t x, int by) { return x << by | x >> (64 - by); }

static inline uint64_t xoshiro_next(xoshiro *x)
{
    uint64_t *s = x->s;
    const uint64_t word = xoshiro_rotate(s[0] + s[3], 23) + s[0], t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = xoshiro_rotate(s[3], 45);
    return word;
}

/* in (0, 1): the middle of one of 2^52 equal cells */
static inline double xoshiro_uniform(uint64_t word) { return ((double)(word >> 12) + 0.5) * 0x1p-52; }

#endif
