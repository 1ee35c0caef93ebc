/* statistics.h: what the collecting and the reporting half of the statistics share. */
#ifndef SIMDP_LOSS_STATISTICS_H
#define SIMDP_LOSS_STATISTICS_H

#include "loss/loss_kernels.h"

#define STATISTICS_MARK 0x6c6f7373 /* what an open struct has in mark */

/* power[j]: the loss with the largest moment e^((order - 1) L), the sum of moments relative to it in two parts, the sum
 * of their squares in two parts */
enum { POWER_TOP = 0, POWER_SUM = 1, POWER_SQUARES = 3 };

/* Upper edge of slot k of the histogram, k <= bins; slot 0 begins at -infinity, slot bins + 1 ends at infinity. */
static inline double statistics_edge(const simdp_loss_statistics *s, uint64_t k)
{
    return k == s->bins ? s->high : s->low + (double)k * s->width;
}

/* The slot k with edge(k - 1) < x <= edge(k), for x that is not NaN */
static inline uint64_t statistics_slot(const simdp_loss_statistics *s, double x)
{
    const double last = (double)s->bins + 1.0, guess = (x - s->low) / s->width + 1.0; /* rounded; the edges decide */
    const uint64_t slot = (uint64_t)(guess > last ? last : guess > 0.0 ? guess : 0.0);
    if (slot > 0 && x <= statistics_edge(s, slot - 1)) return slot - 1;
    return slot <= s->bins && x > statistics_edge(s, slot) ? slot + 1 : slot;
}

/* The mean of the finite losses in two parts, from their sum, which is kept in two parts and times STATISTICS_SMALL, so
 * that it cannot overflow. */
#define STATISTICS_SMALL 0x1p-64
#define STATISTICS_LARGE 0x1p+64
typedef struct {
    double high, low;
} statistics_mean;
statistics_mean simdp_statistics_mean(const simdp_loss_statistics *s);

/* Takes the losses that wait for their block to fill, once no more can come. */
void simdp_statistics_flush(simdp_loss_statistics *s, const simdp_loss_kernels *k);

#endif
