/* in_range_fast.h: is_in_range of call/in_range.h, built with -ffast-math. */
#ifndef SIMDP_TEST_IN_RANGE_FAST_H
#define SIMDP_TEST_IN_RANGE_FAST_H

#include <stdbool.h>

bool in_range_fast(const double *x, double least, double most);

#endif
