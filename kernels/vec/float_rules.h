/* float_rules.h: the arithmetic that every source of the library counts on: IEEE 754 doubles and floats, each operation
 * rounded by itself, NaN, infinities and signed zeros kept. Under -ffast-math and its relatives a NaN scale passes the
 * checks of parameters, releases publish raw answers, and bits differ between instruction sets, so nothing compiles
 * there. All sources include this header, most of them through another one; tests/dispatch/test_float_rules holds them
 * to it.
 *
 * CMakeLists.txt sets the flags (cmake/float_flags.cmake) after all others. This header is for those who compile the
 * files by other means. It sees what compilers tell: gcc tells everything asked for here; clang tells of -ffast-math
 * and -ffinite-math-only, not of -fassociative-math or the like given alone, so give it none of them. */
#ifndef SIMDP_FLOAT_RULES_H
#define SIMDP_FLOAT_RULES_H

#include <float.h>

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ != 0)
#error \
    "simdp must be compiled without -ffast-math, -Ofast and -ffinite-math-only: its guarantees depend on NaN and infinity"
#endif
#if defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || defined(__NO_SIGNED_ZEROS__)
#error "simdp must be compiled without -funsafe-math-optimizations and its parts: they change the bits of results"
#endif
#if FLT_EVAL_METHOD != 0
#error "simdp needs every operation rounded to its own type: compile for SSE2, without -mfpmath=387"
#endif
#if FLT_RADIX != 2 || FLT_MANT_DIG != 24 || DBL_MANT_DIG != 53 || DBL_MAX_EXP != 1024
#error "simdp needs the binary32 and binary64 of IEEE 754"
#endif

/* A product and a sum must not become one operation unless the source says so. */
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#if (defined(__FMA__) || defined(__FMA4__) || defined(__AVX512F__) || defined(__FP_FAST_FMA)) && \
    !defined(__STRICT_ANSI__) && !defined(SIMDP_CONTRACTION_OFF) /* which cmake/amalgamate switches off by a pragma */
#error "simdp must be compiled with -std=c11: in its GNU modes gcc contracts a * b + c"
#endif
/* Less than 2 under any other option that departs from IEEE 754, and in the ISO modes under -ffp-contract=fast. */
#if !defined(__GCC_IEC_559) || __GCC_IEC_559 < 2
#error "simdp must be compiled with IEEE 754 arithmetic, without -ffp-contract=fast and -fsingle-precision-constant"
#endif
#endif

#endif
