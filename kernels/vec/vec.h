/* vec.h: picks the vector vocabulary of the unit being compiled. Without a choice it is the scalar one, so every .inc
 * also parses alone.
 *
 * The words:  vd  VEC_LANES doubles        vu  VEC_LANES 64-bit words
 *             vs  the same bytes as a row of VEC_LANES/2 cipher blocks on their way through AES
 *             vf  2 VEC_LANES floats           vt, vft  tables of eight doubles or floats kept in registers
 *             vw_, vh_  operations on the halves and quarters of words
 * Every operation is exact or correctly rounded, so each one has the same answer on every instruction set. */
#ifndef SIMDP_VEC_H
#define SIMDP_VEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "vec/float_rules.h"

#if defined(SIMDP_VEC_AVX512) || defined(SIMDP_VEC_AVX2)
#define OP static inline __attribute__((always_inline, unused))
#else
#define OP static __attribute__((unused))   /* plain C: eight lanes inlined everywhere would be 300 KB of code */
#endif

#if defined(SIMDP_VEC_AVX512)
#include "vec/vec_avx512.h"
#elif defined(SIMDP_VEC_AVX2)
#include "vec/vec_avx2.h"
#else
#include "vec/vec_scalar.h"
#endif

/* Single words. The number of the lowest bit that is set; of 0 any number below 64. */
OP unsigned word_lowest(uint64_t a) { return (unsigned)__builtin_ctzll(a | (uint64_t)1 << 63); }

/* Bits of a word, lowest first, laid into the places that are set in the mask, lowest first. CPUs with
 * VAES have a pdep of constant time; others may not (Zen 1 and 2), and without it four places are filled by a fixed
 * loop, more than that by a loop that takes as long as it takes. */
#if defined(SIMDP_VEC_AVX512) || defined(SIMDP_VEC_VAES)
OP uint64_t word_deposit(uint64_t bits, uint64_t mask) { return _pdep_u64(bits, mask); }
OP unsigned word_ones(uint64_t a) { return (unsigned)_mm_popcnt_u64(a); }
#else
OP uint64_t word_deposit(uint64_t bits, uint64_t mask)
{
    uint64_t result = 0;
    for (int i = 0; i < 4; i++, bits >>= 1) {
        const uint64_t lowest = mask & -mask;
        result |= lowest & -(bits & 1);
        mask ^= lowest;
    }
    for (; mask != 0; mask &= mask - 1, bits >>= 1) result |= mask & -mask & -(bits & 1);
    return result;
}
OP unsigned word_ones(uint64_t a)
{
    a -= a >> 1 & 0x5555555555555555;
    a = (a & 0x3333333333333333) + (a >> 2 & 0x3333333333333333);
    return (unsigned)(((a + (a >> 4)) & 0x0f0f0f0f0f0f0f0f) * 0x0101010101010101 >> 56);
}
#endif

/* One step of a kernel works on VEC_STEP vectors at once, enough to hide the latency of a chain of multiply-adds. */
#define VEC_STEP_WORDS  ((size_t)VEC_STEP * VEC_LANES)
#define VEC_STEP_BLOCKS (VEC_STEP_WORDS / 2)

#endif
