/* byte_order.h: words of 64 bits whose parts lie in memory as an array of their own. The first element of the array is
 * the low end of the word, on every CPU. A word that was stored, or is to be read, as bytes, as two halves of 32 bits
 * or as four quarters of 16 goes through these, in both directions; on little-endian CPUs they do nothing. */
#ifndef SIMDP_BYTE_ORDER_H
#define SIMDP_BYTE_ORDER_H

#include <stdint.h>

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
static inline uint64_t word_as_bytes(uint64_t a) { return __builtin_bswap64(a); }
static inline uint64_t word_as_halves(uint64_t a) { return a << 32 | a >> 32; }
static inline uint64_t word_as_quarters(uint64_t a)
{
    a = word_as_halves(a);
    return (a & 0x0000ffff0000ffff) << 16 | (a >> 16 & 0x0000ffff0000ffff);
}
#else
static inline uint64_t word_as_bytes(uint64_t a) { return a; }
static inline uint64_t word_as_halves(uint64_t a) { return a; }
static inline uint64_t word_as_quarters(uint64_t a) { return a; }
#endif

#endif
