#define SIMDP_VEC_AVX512
#define DD_OPS dd_ops_avx512
#include "dd_ops.inc"
