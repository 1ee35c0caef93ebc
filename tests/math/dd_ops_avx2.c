#define SIMDP_VEC_AVX2
#define DD_OPS dd_ops_avx2
#include "dd_ops.inc"
