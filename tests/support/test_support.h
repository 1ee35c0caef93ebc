/* test_support.h: what the tests share: cmocka, the walk over instruction sets, fixed pseudo-random numbers, hashes. */
#ifndef SIMDP_TEST_SUPPORT_H
#define SIMDP_TEST_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "dispatch/table.h"
#include "simdp/simdp.h"

/* Where releases that tests run themselves keep a block. */
static simdp_release_scratch release_scratch __attribute__((unused));
static simdp_discrete_scratch discrete_scratch __attribute__((unused));

#define must(call) assert_int_equal((call), SIMDP_OK)

/* Set in the environment: all that can be tried; little of it, for slow emulators and sanitizers. */
static inline bool is_full(void) { return getenv("SIMDP_TEST_FULL") != NULL; }
static inline bool is_short(void) { return getenv("SIMDP_TEST_SHORT") != NULL; }

/* The next usable table at or after *i, NULL at the end:  for (size_t i = 0; (t = next_usable(&i)) != NULL; i++) */
static inline const simdp_kernels *next_usable(size_t *i)
{
    const simdp_kernels *table;
    bool usable;
    while ((table = simdp_kernels_row(*i, &usable)) != NULL && !usable) ++*i;
    return table;
}

/* In a short run only the best set counts: it is what an emulator or a sanitizer is run for. */
static inline bool is_left_out(const simdp_kernels *t)
{
    size_t best = 0;
    return is_short() && t != next_usable(&best);
}

/* SplitMix64: test inputs that share nothing with the library. */
static inline uint64_t test_random(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

/* FNV-1a over 64-bit words, for golden hashes. */
static inline uint64_t test_hash(uint64_t hash, const void *data, size_t words)
{
    const unsigned char *p = data;
    for (size_t i = 0; i < words; i++) {
        uint64_t w;
        memcpy(&w, p + 8 * i, 8);
        hash = (hash ^ w) * 0x100000001b3;
        hash ^= hash >> 29;
    }
    return hash;
}
#define TEST_HASH_START 0xcbf29ce484222325

/* Arrays of floats or bytes, looked at as words, have their elements from the low end of a word on every CPU. */
static inline void test_put_in_order(uint64_t *words, size_t n, size_t bytes)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    for (size_t i = 0; i < n; i++) {
        if (bytes == 1) words[i] = __builtin_bswap64(words[i]);
        if (bytes == 4) words[i] = words[i] << 32 | words[i] >> 32;
    }
#else
    (void)words, (void)n, (void)bytes;
#endif
}

static inline void test_key(uint8_t key[32], uint64_t seed)
{
    for (int i = 0; i < 4; i++) {
        const uint64_t w = test_random(&seed);
        for (int j = 0; j < 8; j++) key[8 * i + j] = (uint8_t)(w >> 8 * j);
    }
}

/* A deterministic stream made by the active instruction set. */
static inline void test_stream(simdp_rng *rng, uint64_t seed, uint64_t stream, uint64_t position)
{
    uint8_t key[32];
    test_key(key, seed);
    must(simdp_rng_init_deterministic(rng, key, stream));
    must(simdp_rng_seek(rng, position));
}

static inline const simdp_cipher *cipher_of_stream(const simdp_rng *rng)
{
    return (const simdp_cipher *)(const void *)rng->cipher;
}

/* Words first .. first + n of a use (or a level of it) of a stream. */
static inline void test_words_of(const simdp_rng *rng, uint64_t *out, size_t n, uint32_t use, uint64_t first)
{
    const simdp_bits_at at = {.cipher = cipher_of_stream(rng), .position = first, .use = use};
    simdp_kernels_active()->bits->cipher_words(out, n, &at);
}

/* A stream that erases its keys as one from operating-system entropy does, but from a fixed key. */
static inline void test_entropy_stream(simdp_rng *rng, uint64_t seed, uint64_t position)
{
    simdp_rng fixed;
    test_stream(&fixed, seed, 0, 0);
    must(simdp_rng_init(rng));
    memcpy(rng->cipher, fixed.cipher, sizeof rng->cipher);
    rng->position = position;
}

#endif
