/* vec.h: picks the vector vocabulary of the unit being compiled. Without a choice it is the scalar one, so every .inc
 * also parses alone.
 *
 * The words:  vd  VEC_LANES doubles        vu  VEC_LANES 64-bit words
 *             vs  the same bytes as a row of VEC_LANES/2 cipher blocks on their way through AES
 *             vss the cipher blocks of a whole step
 *             vf  2 VEC_LANES floats           vt, vft  tables of eight doubles or floats kept in registers
 *             vw_, vh_  operations on the halves and quarters of words
 * Every operation is exact or correctly rounded, so each one has the same answer on every instruction set. */
#ifndef SIMDP_VEC_H
#define SIMDP_VEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "vec/byte_order.h"
#include "vec/float_rules.h"
#include "vec/rarely.h"

#if defined(SIMDP_VEC_AVX512) || defined(SIMDP_VEC_AVX2)
#define OP static inline __attribute__((always_inline, unused))
#else
#define OP static __attribute__((unused)) /* plain C: eight lanes inlined everywhere would be 300 KB of code */
#endif

/* Kernels that gain by gcc's scheduler after register allocation, which the AVX-512 unit is built without because most
 * lose (cmake/isa_flags.cmake). */
#if defined(SIMDP_VEC_AVX512) && defined(__GNUC__) && !defined(__clang__)
#define VEC_SCHEDULED __attribute__((optimize("schedule-insns2")))
#else
#define VEC_SCHEDULED
#endif

/* Kernels of the AVX2 unit that gain by gcc's scheduler before register allocation: where two logarithms run side by side
 * it finds an order with fewer spills than the source has. Others lose. */
#if defined(SIMDP_VEC_AVX2) && defined(__GNUC__) && !defined(__clang__)
#define VEC_SCHEDULED_EARLY __attribute__((optimize("schedule-insns", "sched-pressure")))
#else
#define VEC_SCHEDULED_EARLY
#endif

/* LLVM moves work down to where its result is needed, past branches too, and so undoes the interleaving of the cipher
 * with arithmetic: floats lost 15 to 30 %. What is held is computed where the source has it. */
#if defined(__clang__) && (defined(SIMDP_VEC_AVX512) || defined(SIMDP_VEC_AVX2))
#define VEC_HOLD(x) __asm__ volatile("" : "+v"(x))
#else
#define VEC_HOLD(x) (void)(x)
#endif

/* A coefficient for several multiply-adds, loaded once. With sixteen registers gcc gives each multiply-add an operand in
 * memory instead, which on Zen 3 halves their rate. */
#if defined(__GNUC__) && !defined(__clang__) && defined(SIMDP_VEC_AVX2)
#define VEC_LOADED(x) __asm__("" : "+x"(x))
#else
#define VEC_LOADED(x) (void)(x)
#endif

#if defined(SIMDP_VEC_AVX512)
#include "vec/vec_avx512.h"
#elif defined(SIMDP_VEC_AVX2)
#include "vec/vec_avx2.h"
#else
#include "vec/vec_scalar.h"
#endif

/* Zeros in all vector registers that code of this unit may use; on CPUs that are not named here, in none. */
#define VEC_LOW_REGISTERS                                                                                      \
    "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", \
        "xmm13", "xmm14", "xmm15"
static __attribute__((unused)) void vec_clear_registers(void)
{
#if defined(SIMDP_VEC_AVX512)
#define CLEAR(number) "vpxord %%zmm" #number ", %%zmm" #number ", %%zmm" #number "\n"
    __asm__ volatile("vzeroall\n" CLEAR(16) CLEAR(17) CLEAR(18) CLEAR(19) CLEAR(20) CLEAR(21) CLEAR(22) CLEAR(23)
                         CLEAR(24) CLEAR(25) CLEAR(26) CLEAR(27) CLEAR(28) CLEAR(29) CLEAR(30) CLEAR(31)
                     :
                     :
                     : VEC_LOW_REGISTERS, "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23",
                       "xmm24", "xmm25", "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31");
#elif defined(SIMDP_VEC_AVX2)
    __asm__ volatile("vzeroall" : : : VEC_LOW_REGISTERS);
#elif defined(__x86_64__)
#define CLEAR(number) "pxor %%xmm" #number ", %%xmm" #number "\n"
    __asm__ volatile(CLEAR(0) CLEAR(1) CLEAR(2) CLEAR(3) CLEAR(4) CLEAR(5) CLEAR(6) CLEAR(7) CLEAR(8) CLEAR(9) CLEAR(10)
                         CLEAR(11) CLEAR(12) CLEAR(13) CLEAR(14) CLEAR(15)
                     :
                     :
                     : VEC_LOW_REGISTERS);
#elif defined(__aarch64__)
#define CLEAR(number) "movi v" #number ".2d, #0\n"
    __asm__ volatile(CLEAR(0) CLEAR(1) CLEAR(2) CLEAR(3) CLEAR(4) CLEAR(5) CLEAR(6) CLEAR(7) CLEAR(16) CLEAR(17)
                         CLEAR(18) CLEAR(19) CLEAR(20) CLEAR(21) CLEAR(22) CLEAR(23) CLEAR(24) CLEAR(25) CLEAR(26)
                             CLEAR(27) CLEAR(28) CLEAR(29) CLEAR(30) CLEAR(31)
                     :
                     :
                     : "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v16", "v17", "v18", "v19", "v20", "v21", "v22",
                       "v23", "v24", "v25", "v26", "v27", "v28", "v29", "v30", "v31"); /* 8 to 15 are the caller's */
#endif
#undef CLEAR
}

/* Whether a round of the cipher takes one instruction for a vector; with AES-NI it takes one for each 128 bits. */
#if defined(SIMDP_VEC_AVX512) || defined(SIMDP_VEC_VAES)
#define VEC_ROUNDS_WHOLE true
#else
#define VEC_ROUNDS_WHOLE false
#endif

/* Single words. The number of the lowest bit that is set; of 0 any number below 64. */
OP uint64_t word_lowest(uint64_t a) { return (uint64_t)__builtin_ctzll(a | (uint64_t)1 << 63) & 63; }

/* Bits of a word, lowest first, laid into the places that are set in the mask, lowest first. CPUs with
 * VAES have a pdep of constant time; others may not (Zen 1 and 2), and without it eight places are filled by a fixed
 * loop, more than that by a loop that takes as long as it takes. word_place: into which place the lowest bit that is
 * set would come. */
#if defined(SIMDP_VEC_AVX512) || defined(SIMDP_VEC_VAES)
#define WORD_DEPOSITS true /* quickly */
OP uint64_t word_deposit(uint64_t bits, uint64_t mask) { return _pdep_u64(bits, mask); }
OP uint64_t word_place(uint64_t bits, uint64_t mask) { return word_lowest(_pdep_u64(bits, mask)); }
#else
#define WORD_DEPOSITS false
OP uint64_t word_deposit(uint64_t bits, uint64_t mask)
{
    uint64_t result = 0;
    for (int i = 0; i < 8; i++, bits >>= 1) {
        const uint64_t lowest = mask & -mask;
        result |= lowest & -(bits & 1);
        mask ^= lowest;
    }
    for (; rarely(mask); mask &= mask - 1, bits >>= 1) result |= mask & -mask & -(bits & 1);
    return result;
}
OP uint64_t word_place(uint64_t bits, uint64_t mask)
{
    uint64_t before = (bits & -bits) - 1; /* a bit for each place that comes before */
    for (int i = 0; i < 7; i++, before >>= 1) mask &= mask - (before & 1);
    for (; rarely((mask != 0) & (before != 0)); before >>= 1) mask &= mask - 1;
    return word_lowest(mask);
}
#endif
#if defined(SIMDP_VEC_AVX512) || defined(SIMDP_VEC_AVX2)
OP uint64_t word_ones(uint64_t a) { return (uint64_t)_mm_popcnt_u64(a); }
#else
OP uint64_t word_ones(uint64_t a)
{
    a -= a >> 1 & 0x5555555555555555;
    a = (a & 0x3333333333333333) + (a >> 2 & 0x3333333333333333);
    return ((a + (a >> 4)) & 0x0f0f0f0f0f0f0f0f) * 0x0101010101010101 >> 56;
}
#endif

/* One step of a kernel works on VEC_STEP vectors at once, enough to hide the latency of a chain of multiply-adds. */
#define VEC_STEP_WORDS  ((size_t)VEC_STEP * VEC_LANES)
#define VEC_STEP_BLOCKS (VEC_STEP_WORDS / 2)

/* The eight rounds of a step: vss_load_xor, vss_round 0 to 6, vss_last, each with the key that vss_key made for it, 7
 * for the last. Vector by vector, unless the vocabulary has a way of its own. */
#ifndef VEC_STEP_STATE
typedef struct {
    vs v[VEC_STEP];
} vss;
OP vs vss_key(const uint64_t block[2], int round) { return (void)round, vs_set1(block); }
OP void vss_load_xor(vss *a, const uint64_t *p, const vs *b)
{
    for (int v = 0; v < VEC_STEP; v++) a->v[v] = vs_load_xor(p + v * VEC_LANES, *b);
}
OP void vss_round(vss *a, const vs *key, int round)
{
    (void)round;
    for (int v = 0; v < VEC_STEP; v++) a->v[v] = vs_round(a->v[v], *key);
}
OP void vss_hold(vss *a)
{
    for (int v = 0; v < VEC_STEP; v++) vs_hold(&a->v[v]);
}
OP void vss_last(vu words[VEC_STEP], const vss *a, const vs *key)
{
    for (int v = 0; v < VEC_STEP; v++) words[v] = vs_words(vs_last(a->v[v], *key));
}
#endif

#endif
