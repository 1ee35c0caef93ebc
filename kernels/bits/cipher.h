/* cipher.h: what kernels know of a stream: the expanded key, the counter block, where to read words. */
#ifndef SIMDP_CIPHER_H
#define SIMDP_CIPHER_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint64_t round_keys[22];   /* AES-128, FIPS-197 order, little-endian words */
    uint64_t table[512];       /* 256 blocks: what byte 0 of the counter does to the state after round 2 */
} simdp_cipher;

/* further bits of the even and odd floats of a word: 2 and 3 */
enum { BITS_DOMAIN_MAIN = 0, BITS_DOMAIN_ERASE = 1, BITS_DOMAIN_REFINE_EVEN = 2, BITS_DOMAIN_REFINE_ODD = 3 };
/* candidates of a selection: 16 to 23 */
enum { BITS_DOMAIN_RACE = 16 };
/* exact bits and integers: 48 to 63, and these plus multiples of 256 */
enum { BITS_DOMAIN_BERNOULLI = 48, BITS_DOMAIN_BERNOULLI_MORE = 49, BITS_DOMAIN_GAUSSIAN = 50 };
/* further words of released elements, from 32 on; of those with half a word, seven each, from 32 and from 39 on */
enum { BITS_DOMAIN_RELEASE = 32, BITS_DOMAIN_RELEASE_ODD = 39 };
/* main words of Gaussian releases (and 256 times that added to the two above). A Gaussian element may take words that
 * lie before the first position of its call, and in the main domain those may be the noise of another release. Halves
 * of words make other pairs than whole words, and have theirs apart for the same reason. */
enum { BITS_DOMAIN_RELEASE_GAUSSIAN = 46, BITS_DOMAIN_RELEASE_GAUSSIAN_HALVES = 47 };

/* Where a kernel finds the word of its element i: word position + i of the cipher, or words[i] if words is not NULL. */
typedef struct {
    const uint64_t *words;
    const simdp_cipher *cipher;
    uint64_t position;
    uint32_t domain;
} simdp_bits_at;

/* The counter block: bytes 0-4 and 6-8 hold the block index, bytes 11-14 the domain, the rest is zero. */
static inline void bits_counter(uint64_t counter[2], uint32_t domain, uint64_t block)
{
    counter[0] = (block & 0xffffffffff) | block >> 40 << 48;
    counter[1] = block >> 56 | (uint64_t)domain << 24;
}

/* Zeros that the compiler may not leave out. */
static inline void simdp_wipe(void *p, size_t n)
{
    volatile unsigned char *q = (volatile unsigned char *)p;
    while (n--) *q++ = 0;
}

#endif
