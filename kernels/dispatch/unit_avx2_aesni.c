/* unit_avx2_aesni.c: every kernel for AVX2 and FMA with AES-NI */
#define SIMDP_VEC_AVX2
#define UNIT_TABLE   simdp_kernels_avx2_aesni
#define UNIT_ISA     "avx2"
#define UNIT_VARIANT "avx2_aesni"
#include "dispatch/unit.inc"
