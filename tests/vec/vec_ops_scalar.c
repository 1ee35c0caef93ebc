#define VEC_OPS vec_ops_scalar
#include "vec_ops.inc"
