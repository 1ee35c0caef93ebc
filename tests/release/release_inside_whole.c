/* release_inside_whole.c: kernels as they are */
#define INSIDE whole
#include "release_inside.inc"
