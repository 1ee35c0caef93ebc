#define SIMDP_VEC_AVX2
#define VEC_OPS vec_ops_avx2_aesni
#include "vec_ops.inc"
