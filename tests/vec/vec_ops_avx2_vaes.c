#define SIMDP_VEC_AVX2
#define SIMDP_VEC_VAES
#define VEC_OPS vec_ops_avx2_vaes
#include "vec_ops.inc"
