/* loss_call.h: what every public function of the room does around its kernels. */
#ifndef SIMDP_LOSS_CALL_H
#define SIMDP_LOSS_CALL_H

#include "call/fp_mode.h"
#include "call/kernels.h"
#include "loss/loss_kernels.h"
#include "math/scalar_dd.h"

/* The kernels of a call, with the caller's floating-point mode set aside; NULL (SIMDP_EISA) if SIMDP_ISA is bad. */
typedef struct {
    const simdp_loss_kernels *kernels;
    unsigned mode;
} loss_call;

static inline loss_call loss_enter(void)
{
    const simdp_kernels *kernels = simdp_kernels_active();
    return (loss_call){kernels == NULL ? NULL : kernels->loss, fp_mode_enter()};
}

/* Scalars must be read again in the mode that loss_enter has set: FP_PIN for each of them that decides or computes. */

/* What the public function returns. */
static inline simdp_status loss_leave(const loss_call *call)
{
    fp_mode_leave(call->mode);
    return call->kernels == NULL ? SIMDP_EISA : SIMDP_OK;
}

/* The same where the parameters were judged in between: the judgement is not made again in the caller's mode. */
static inline simdp_status loss_leave_if(const loss_call *call, bool good)
{
    FP_PIN(good);
    const simdp_status status = loss_leave(call);
    return good ? status : SIMDP_EPARAM;
}

/* A bad count of elements of so many bytes. */
static inline bool loss_too_many(size_t n, size_t bytes) { return n > SIZE_MAX / bytes; }

/* The same for rows of k doubles, with one result each. */
static inline bool loss_too_many_rows(size_t rows, size_t k)
{
    return rows > SIZE_MAX / sizeof(double) / (k > 0 ? k : 1);
}

/* Adds b to the sum high + low of a lane; what rounding takes goes to low. */
static inline void loss_two_sum(double *high, double *low, double b)
{
    const dd sum = dd_two_sum(*high, b);
    *high = sum.hi;
    *low += sum.lo;
}

/* The total of eight lanes, by one tree. Where it is infinite or NaN, the part lost to rounding means nothing, and
 * finite terms may have overflowed on the way: loss_sum_rare then gives the total. */
static inline double loss_sum_total(const loss_sum *s)
{
    loss_sum t = *s;
    for (size_t width = 4; width > 0; width /= 2) {
        for (size_t i = 0; i < width; i++) {
            t.low[i] += t.low[i + width];
            loss_two_sum(&t.high[i], &t.low[i], t.high[i + width]);
        }
    }
    return t.high[0] - t.high[0] == 0.0 ? t.high[0] + t.low[0] : t.high[0];
}

/* Sums whose partial sums may overflow: finite terms count with a factor of 2^-70, so that no number of them can
 * overflow. Infinite terms are kept apart. */
typedef struct {
    double high, low, infinite;
} loss_sum_rare;

static inline void loss_sum_rare_add(loss_sum_rare *s, const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (x[i] - x[i] == 0.0) loss_two_sum(&s->high, &s->low, x[i] * 0x1p-70);
        else s->infinite += x[i]; /* NaN stays, infinities of both signs make NaN */
    }
}

static inline double loss_sum_rare_total(const loss_sum_rare *s)
{
    return s->infinite == 0.0 ? (s->high + s->low) * 0x1p+70 : s->infinite;
}

#endif
