/* release_inside_narrow10.c: doubles see 10 bits of a word */
#define INSIDE          narrow10
#define SIMDP_SEEN_BITS 10
#include "release_inside.inc"
