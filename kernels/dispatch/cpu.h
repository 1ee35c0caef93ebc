/* cpu.h: which instructions may run here, asked of the CPU by cpuid and of the operating system by xgetbv. The
 * compilers' own __builtin_cpu_supports is not used: it does not know every feature in every version (clang 14 lacks
 * vaes). On CPUs other than x86-64 there is nothing to ask. */
#ifndef SIMDP_CPU_H
#define SIMDP_CPU_H

#include <stdint.h>

#include "vec/float_rules.h"

/* Features that a unit may need, named as in /proc/cpuinfo. */
#define SIMDP_CPU_FEATURES(X) \
    X(POPCNT, popcnt)         \
    X(AES, aes)               \
    X(FMA, fma)               \
    X(AVX2, avx2)             \
    X(BMI2, bmi2) X(VAES, vaes) X(AVX512F, avx512f) X(AVX512DQ, avx512dq) X(AVX512BW, avx512bw) X(AVX512VL, avx512vl)

#define SIMDP_CPU_NUMBER(NAME, name) CPU_NUMBER_##NAME,
#define SIMDP_CPU_MASK(NAME, name)   CPU_##NAME = 1 << CPU_NUMBER_##NAME,
enum { SIMDP_CPU_FEATURES(SIMDP_CPU_NUMBER) CPU_FEATURES };
enum { SIMDP_CPU_FEATURES(SIMDP_CPU_MASK) CPU_NONE = 0 };

/* What the processor answered: 0 where it has no such leaf. */
typedef struct {
    uint32_t leaf1_ecx, leaf7_ebx, leaf7_ecx;
    uint64_t xcr0; /* the register states that the operating system saves; 0 if xgetbv may not be used */
} simdp_cpu_registers;

simdp_cpu_registers simdp_cpu_read(void);

/* The usable features as a sum of CPU_ masks: those whose registers the operating system saves. */
uint32_t simdp_cpu_features(const simdp_cpu_registers *registers);

#endif
