#define SIMDP_VEC_AVX512
#define VEC_OPS vec_ops_avx512
#include "vec_ops.inc"
