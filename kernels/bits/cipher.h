/* cipher.h: what kernels know of a stream: the expanded key, the counter block, where to read words. */
#ifndef SIMDP_CIPHER_H
#define SIMDP_CIPHER_H

#include <stddef.h>
#include <stdint.h>

#include "bits/uses.h"
#include "vec/float_rules.h"

typedef struct {
    uint64_t round_keys[22]; /* AES-128, FIPS-197 order, little-endian words */
    uint64_t table[512];     /* 256 blocks: what byte 0 of the counter does to the state after round 2 */
} simdp_cipher;

#define AES_KEYS 8 /* whose round keys are made side by side */

/* Where a kernel finds the bits of its elements: those of the positions from `position` on, in the shape of the use
 * (uses.h). If words is not NULL the words of level 0 are given, from the start of the group in which `position` lies;
 * further levels come from the cipher all the same. */
typedef struct {
    const uint64_t *words;
    const simdp_cipher *cipher;
    uint64_t position;
    uint32_t use; /* BITS_<name>, or a level of it where a function reads plain words */
} simdp_bits_at;

/* The counter block: bytes 0-4 and 6-8 hold the block index, bytes 11-14 the domain, the rest is zero. */
static inline void bits_counter(uint64_t counter[2], uint32_t domain, uint64_t block)
{
    counter[0] = (block & 0xffffffffff) | block >> 40 << 48;
    counter[1] = block >> 56 | (uint64_t)domain << 24;
}

#endif
