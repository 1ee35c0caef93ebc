/* person_share.h: the delta of one group, for a person who is in several: 1 - (1 - delta)^(1 / groups), so that all of
 * them together have delta. */
#ifndef SIMDP_PERSON_SHARE_H
#define SIMDP_PERSON_SHARE_H

#include <stdint.h>

#include "math/outward_functions.h"
#include "math/plain_math.h"

/* Rounded down; delta in [0, 1), groups >= 1. The exponent ln(1 - delta) / groups is within 2 units in the last place of
 * it and at most 37 in size, and 1 - e^-x has at most the relative error of x. */
static inline double person_share(double delta, uint64_t groups)
{
    if (groups == 1) return delta;
    return ulps_down(-plain_expm1(plain_log1p(-delta) / (double)groups), 6.0);
}

/* The rest, (1 - delta)^(1 / groups), rounded up. */
static inline double person_rest(double delta, uint64_t groups)
{
    if (groups == 1) return add_up(1.0, -delta);
    return fmin(1.0, ulps_up(plain_exp(plain_log1p(-delta) / (double)groups), 2.0 + 4.0 * 37.0));
}

#endif
