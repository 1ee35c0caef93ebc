/* unit_avx512.c: every kernel for AVX-512 F, DQ, BW, VL with VAES on 512 bits */
#define SIMDP_VEC_AVX512
#define UNIT_TABLE   simdp_kernels_avx512
#define UNIT_ISA     "avx512"
#define UNIT_VARIANT "avx512"
#include "dispatch/unit.inc"
