/* vec.h: picks the vector vocabulary of the unit being compiled. Without a choice it is the scalar one, so every .inc also
 * parses alone.
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

/* One step of a kernel works on VEC_STEP vectors at once, enough to hide the latency of a chain of multiply-adds. */
#define VEC_STEP_WORDS  ((size_t)VEC_STEP * VEC_LANES)
#define VEC_STEP_BLOCKS (VEC_STEP_WORDS / 2)

#endif
