/* random_numbers.h: random parameters of a test, and results that should be near others. */
#ifndef SIMDP_RANDOM_NUMBERS_H
#define SIMDP_RANDOM_NUMBERS_H

#include <math.h>

#include "support/test_support.h"

static uint64_t seed; /* of the test that includes this; a test may set it */

static inline double uniform(double from, double to)
{
    return from + (to - from) * (double)(test_random(&seed) >> 11) * 0x1p-53;
}

/* evenly in the logarithm */
static inline double spread(double from, double to) { return exp(uniform(log(from), log(to))); }

static inline void assert_near(double got, double want, double relative)
{
    if (!(fabs(got - want) <= relative * fabs(want)))
        fail_msg("got %.17g, want %.17g, off by %g", got, want, fabs(got - want) / fabs(want));
}

#endif
