/* unit_avx2_vaes.c: every kernel for AVX2 and FMA with VAES on 256 bits */
#define SIMDP_VEC_AVX2
#define SIMDP_VEC_VAES
#define UNIT_TABLE   simdp_kernels_avx2_vaes
#define UNIT_ISA     "avx2"
#define UNIT_VARIANT "avx2_vaes"
#include "dispatch/unit.inc"
