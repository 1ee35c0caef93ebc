/* drawing_data.h: what the two lists of drawing functions share: random parameters, and data made of a call's seed. */
#ifndef SIMDP_DRAWING_DATA_H
#define SIMDP_DRAWING_DATA_H

#include <math.h>

#include "support/drawing.h"
#include "support/test_support.h"

extern const drawing_function drawing_numbers[], drawing_choices[];
extern const size_t drawing_numbers_count, drawing_choices_count;

static inline double uniform(uint64_t *random, double low, double high)
{
    return low + (high - low) * (double)(test_random(random) >> 11) * 0x1p-53;
}

static inline double power_of_two(uint64_t *random, double low, double high)
{
    return exp2(uniform(random, low, high));
}

static inline uint64_t datum(const drawing_call *c, size_t i)
{
    uint64_t x = c->seed + i;
    return test_random(&x);
}

static inline void fill_bytes(uint8_t *out, const drawing_call *c, size_t n)
{
    for (size_t i = 0; i < n; i++) out[i] = (uint8_t)(datum(c, i) & 1);
}

#endif
