/* in_range_fast.c: the range check as a compiler makes it that was told to expect neither NaN nor infinities. */
#include "in_range_fast.h"

#include "call/in_range.h"

#if !defined(__FAST_MATH__)
#error "this file is to be built with -ffast-math"
#endif

bool in_range_fast(const double *x, double least, double most) { return is_in_range(*x, least, most); }
