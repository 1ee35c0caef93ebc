/* witness_unit.c: every kernel in plain C, with a witness of the words that leave the cipher: support/witness.h. */
#define SIMDP_WITNESS
#define UNIT_TABLE   simdp_kernels_witnessed
#define UNIT_ISA     "scalar"
#define UNIT_VARIANT "scalar"
#include "dispatch/unit.inc"
