/* unit_scalar.c: every kernel in plain C */
#define UNIT_TABLE   simdp_kernels_scalar
#define UNIT_ISA     "scalar"
#define UNIT_VARIANT "scalar"
#include "dispatch/unit.inc"
