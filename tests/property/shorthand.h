/* shorthand.h: shorthands for truths that are written with MPFR. */
#ifndef SIMDP_SHORTHAND_H
#define SIMDP_SHORTHAND_H

#include <math.h>

#include "property/property.h"

#define RND MPFR_RNDN
#define RN  MPFR_RNDN

/* Upper and lower bounds whose result may be subnormal: some units of the last place there. */
#define UPPER(error)                           \
    {                                          \
        PROPERTY_ABOVE, (error), 6 * 0x1p-1074 \
    }
#define LOWER(error)                           \
    {                                          \
        PROPERTY_BELOW, (error), 6 * 0x1p-1074 \
    }

/* Number i of a set of PROPERTY_BITS numbers, made at first use and kept. */
static inline mpfr_ptr truth_number(int i)
{
    enum { NUMBERS = 40 };
    static mpfr_t number[NUMBERS];
    static bool made;
    for (int j = 0; j < NUMBERS && !made; j++) mpfr_init2(number[j], PROPERTY_BITS);
    made = true;
    return number[i];
}

/* out <- max(0, out), out <- min(1, out) */
static inline void truth_positive(mpfr_ptr out)
{
    if (mpfr_sgn(out) < 0) mpfr_set_ui(out, 0, RND);
}
static inline void truth_at_most_1(mpfr_ptr out)
{
    if (mpfr_cmp_ui(out, 1) > 0) mpfr_set_ui(out, 1, RND);
}

/* out <- ln x of a double */
static inline void truth_log(mpfr_ptr out, double x)
{
    mpfr_set_d(out, x, RND);
    mpfr_log(out, out, RND);
}

/* out <- out + 2^-50 |a| */
static inline void truth_add_size(mpfr_ptr out, mpfr_ptr a)
{
    mpfr_ptr size = truth_number(39);
    mpfr_abs(size, a, RND);
    mpfr_mul_d(size, size, 0x1p-50, RND);
    mpfr_add(out, out, size, RND);
}

#endif
