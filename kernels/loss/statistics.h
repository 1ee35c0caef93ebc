/* statistics.h: what the collecting and the reporting half of the statistics share. */
#ifndef SIMDP_LOSS_STATISTICS_H
#define SIMDP_LOSS_STATISTICS_H

#include "loss/loss_kernels.h"

#define STATISTICS_MARK 0x6c6f7373   /* what an open struct has in mark */

/* power[j]: the largest exponent, the sum of e^(exponent - largest) in two parts, the sum of its squares in two
 * parts */
enum { POWER_TOP = 0, POWER_SUM = 1, POWER_SQUARES = 3 };

/* Upper edge of slot k of the histogram, k <= bins; slot 0 begins at -infinity, slot bins + 1 ends at infinity. */
static inline double statistics_edge(const simdp_loss_statistics *s, uint64_t k)
{
    return k == s->bins ? s->high : s->low + (double)k * s->width;
}

/* The slot k with edge(k - 1) < x <= edge(k), for x that is not NaN */
static inline uint64_t statistics_slot(const simdp_loss_statistics *s, double x)
{
    const double last = (double)s->bins + 1.0, guess = (x - s->low) / s->width + 1.0;   /* rounded; the edges decide */
    const uint64_t slot = (uint64_t)(guess > last ? last : guess > 0.0 ? guess : 0.0);
    if (slot > 0 && x <= statistics_edge(s, slot - 1)) return slot - 1;
    return slot <= s->bins && x > statistics_edge(s, slot) ? slot + 1 : slot;
}

/* Takes the losses that wait for their block to fill, once no more can come. */
void simdp_statistics_flush(simdp_loss_statistics *s, const simdp_loss_kernels *k);

#endif
