/* release_inside_narrow20.c: doubles see 20 bits of a word */
#define INSIDE          narrow20
#define SIMDP_SEEN_BITS 20
#include "release_inside.inc"
