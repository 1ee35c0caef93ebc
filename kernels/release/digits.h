/* digits.h: binary digits of a number, for comparison with those of a uniform number that are drawn one word after the
 * other. */
#ifndef SIMDP_DIGITS_H
#define SIMDP_DIGITS_H

#include "math/wide.h"

/* Digits first + 1 to first + 64 after the binary point of p in [0, 1). */
static inline uint64_t simdp_digits(const simdp_wide *p, int64_t first)
{
    const int64_t place = first + p->exponent; /* in the significand; below 0: zeros come first */
    const int64_t limb = place >= 0 ? place / 64 : -((63 - place) / 64), shift = place - 64 * limb;
    const uint64_t high = limb >= 0 && limb < WIDE_LIMBS ? p->limb[WIDE_LIMBS - 1 - limb] : 0;
    const uint64_t low = limb + 1 >= 0 && limb + 1 < WIDE_LIMBS ? p->limb[WIDE_LIMBS - 2 - limb] : 0;
    return shift == 0 ? high : high << shift | low >> (64 - shift);
}

/* Whether p has no digit but 0 from first + 1 on. */
static inline int simdp_digits_end(const simdp_wide *p, int64_t first)
{
    return first + p->exponent >= 64 * WIDE_LIMBS;
}

#endif
