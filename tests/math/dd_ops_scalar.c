#define DD_OPS dd_ops_scalar
#include "dd_ops.inc"
