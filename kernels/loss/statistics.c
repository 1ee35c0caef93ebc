/* statistics.c: collecting losses. Blocks of LOSS_BLOCK losses, counted from the first one, are the units of all sums,
 * so that results do not depend on the pieces in which losses arrive. */
#include <math.h>
#include <string.h>

#include "loss/loss_call.h"
#include "loss/affine.h"
#include "loss/statistics.h"

_Static_assert(sizeof((simdp_loss_statistics *)0)->block == LOSS_BLOCK * sizeof(double), "the header reserves a block");

#define EPSILON_MOST 1000.0
#define ORDER_MOST   1e6
#define BINS_MOST    ((size_t)1 << 30)

static bool plan_ok(const simdp_loss_statistics_plan *p)
{
    if (p->epsilons > SIMDP_LOSS_EPSILONS_MAX || p->orders > SIMDP_LOSS_ORDERS_MAX || p->bins > BINS_MOST) return false;
    for (size_t j = 0; j < p->epsilons; j++) {
        if (!(p->epsilon[j] >= 0.0 && p->epsilon[j] <= EPSILON_MOST)) return false;
    }
    for (size_t j = 0; j < p->orders; j++) {
        if (!(p->order[j] > 0.0 && p->order[j] <= ORDER_MOST)) return false;
    }
    if (!(p->bound >= 0.0)) return false;
    return p->bins == 0 ||
           (isfinite(p->low) && isfinite(p->high - p->low) && (p->high - p->low) / (double)p->bins >= 0x1p-1000);
}

static void begin(simdp_loss_statistics *s, const simdp_loss_statistics_plan *p)
{
    double least = EPSILON_MOST, most = 0.0;
    s->mark = STATISTICS_MARK;
    s->least = INFINITY;
    s->most = -INFINITY;
    s->epsilons = p->epsilons;
    s->deltas = p->deltas != 0;
    s->orders = p->orders;
    s->bins = p->bins;
    s->counts = p->counts;
    s->bound = p->bound > 0.0 ? p->bound : INFINITY;
    s->low = p->low;
    s->high = p->high;
    s->width = p->bins == 0 ? 0.0 : (p->high - p->low) / (double)p->bins;
    for (size_t j = 0; j < p->epsilons; j++) {
        s->epsilon[j] = p->epsilon[j];
        least = fmin(least, p->epsilon[j]);
        most = fmax(most, p->epsilon[j]);
    }
    s->centre = 0.5 * (least + most); /* e^(centre - L) stays in range for every L that counts */
    for (size_t j = 0; j < p->orders; j++) {
        s->order[j] = p->order[j];
        s->power[j][POWER_TOP] = p->order[j] > 1.0 ? -INFINITY : INFINITY;
    }
    if (p->bins > 0) memset(p->counts, 0, (p->bins + 2) * sizeof *p->counts);
}

simdp_status simdp_loss_statistics_init(simdp_loss_statistics *s, const simdp_loss_statistics_plan *plan)
{
    static const simdp_loss_statistics_plan nothing;
    const simdp_loss_statistics_plan *p = plan == NULL ? &nothing : plan;
    if (s == NULL) return SIMDP_ENULL;
    memset(s, 0, sizeof *s);
    if ((p->epsilons > 0 && p->epsilon == NULL) || (p->orders > 0 && p->order == NULL) ||
        (p->bins > 0 && p->counts == NULL))
        return SIMDP_ENULL;
    const unsigned mode = fp_mode_enter();
    const bool good = plan_ok(p);
    if (good) begin(s, p);
    fp_mode_leave(mode);
    return good ? SIMDP_OK : SIMDP_EPARAM;
}

/* Chan's and Pebay's way to join the central sums of two sets: every term of the even ones is >= 0, so nothing
 * cancels. */
static void join_central(double a[3], double na, const double b[3], double nb, double distance)
{
    const double n = na + nb, d = distance / n, d2 = d * d, ab = na * nb;
    const double fourth = a[2] + b[2] + distance * d2 * d * ab * (na * na - ab + nb * nb) +
                          6.0 * d2 * (na * na * b[0] + nb * nb * a[0]) + 4.0 * d * (na * b[1] - nb * a[1]);
    const double third = a[1] + b[1] + distance * d2 * ab * (na - nb) + 3.0 * d * (na * b[0] - nb * a[0]);
    a[0] = a[0] + b[0] + distance * d * ab;
    a[1] = third;
    a[2] = fourth;
}

statistics_mean simdp_statistics_mean(const simdp_loss_statistics *s)
{
    const double n = (double)s->finite, sum = s->sum[0] + s->sum[1], lost = (s->sum[0] - sum) + s->sum[1];
    const double high = sum / n, low = (fma(-high, n, sum) + lost) / n;
    return (statistics_mean){high * STATISTICS_LARGE, low * STATISTICS_LARGE};
}

/* The mean of losses so large that their differences overflow. */
static double mean_of_huge(const double *x, size_t n)
{
    double high = 0.0, low = 0.0;
    for (size_t i = 0; i < n; i++) loss_two_sum(&high, &low, x[i] * STATISTICS_SMALL);
    return (high + low) / (double)n * STATISTICS_LARGE;
}

/* Sums of powers around a centre, to those around the mean, which lies m[0] / n above it. */
static void shift_central(double out[3], const double m[4], double n)
{
    const double d = m[0] / n, second = m[1] - m[0] * d;
    out[0] = second > 0.0 ? second : isfinite(m[1]) ? 0.0 : INFINITY;
    out[1] = m[2] - 3.0 * d * m[1] + 2.0 * m[0] * d * d;
    out[2] = m[3] - 4.0 * d * m[2] + 6.0 * d * d * m[1] - 3.0 * m[0] * d * d * d;
}

/* The block's mean is centre + rest / n, its sum n centre + rest, both far more precise than the sum that gave the
 * centre. */
static void take_moments(simdp_loss_statistics *s, const simdp_loss_kernels *k, const double *x, size_t n,
                         const loss_block_range *r)
{
    const double count = (double)n;
    double centre = r->sum / count, moments[4], central[3];
    if (!isfinite(centre)) centre = 0.5 * r->least + 0.5 * r->most;
    k->central(moments, x, n, centre);
    if (!isfinite(moments[0])) centre = mean_of_huge(x, n), moments[0] = 0.0;
    shift_central(central, moments, count);
    if (s->finite == 0) {
        memcpy(s->central, central, sizeof central);
    } else {
        const statistics_mean before = simdp_statistics_mean(s);
        join_central(s->central, (double)s->finite, central, count,
                     (centre - before.high) + (moments[0] / count - before.low));
    }
    const double small = centre * STATISTICS_SMALL, sum = small * count;
    loss_two_sum(&s->sum[0], &s->sum[1], sum);
    loss_two_sum(&s->sum[0], &s->sum[1], moments[0] * STATISTICS_SMALL);
    s->sum[1] += fma(small, count, -sum);
    s->finite += n;
    if (r->least < s->least) s->least = r->least;
    if (r->most > s->most) s->most = r->most;
}

/* Moments e^((order - 1) L), relative to the largest one so far. */
static void take_powers(simdp_loss_statistics *s, const simdp_loss_kernels *k, const double *x, size_t n,
                        const loss_block_range *r)
{
    for (size_t j = 0; j < s->orders; j++) {
        double *p = s->power[j], sums[2];
        const double factor = s->order[j] - 1.0, top = factor > 0.0 ? r->most : r->least;
        if (factor > 0.0 ? top > p[POWER_TOP] : top < p[POWER_TOP]) {
            double shrink[2] = {0}; /* by the same kernel on every instruction set */
            const double old[LOSS_BLOCK] = {p[POWER_TOP]};
            if (isfinite(old[0])) k->power(shrink, old, 1, factor, top);
            p[POWER_SUM] *= shrink[0];
            p[POWER_SUM + 1] *= shrink[0];
            p[POWER_SQUARES] *= shrink[1];
            p[POWER_SQUARES + 1] *= shrink[1];
            p[POWER_TOP] = top;
        }
        k->power(sums, x, n, factor, p[POWER_TOP]);
        loss_two_sum(&p[POWER_SUM], &p[POWER_SUM + 1], sums[0]);
        loss_two_sum(&p[POWER_SQUARES], &p[POWER_SQUARES + 1], sums[1]);
    }
}

/* Infinities and NaN are counted; the finite losses are moved together. */
static size_t sort_out(simdp_loss_statistics *s, double *finite, const double *x, size_t n)
{
    size_t count = 0;
    memset(finite, 0, LOSS_BLOCK * sizeof *finite);
    for (size_t i = 0; i < n; i++) {
        if (isnan(x[i])) s->undefined++;
        else if (isinf(x[i])) s->infinite[x[i] < 0.0]++;
        else finite[count++] = x[i];
    }
    return count;
}

/* x has LOSS_BLOCK elements, of which n are losses and the rest -infinity. */
static void take_block(simdp_loss_statistics *s, const simdp_loss_kernels *k, const double *x, size_t n)
{
    loss_block_range r;
    double finite[LOSS_BLOCK], weight[LOSS_BLOCK], sums[SIMDP_LOSS_EPSILONS_MAX];
    const bool counted_by_range = !s->deltas && s->epsilons <= RANGE_EPSILONS;
    if (!counted_by_range) {
        if (s->deltas) k->decay(weight, x, n, s->centre);
        k->tally(s->above, sums, x, s->deltas ? weight : NULL, (n + 7) / 8 * 8, s->epsilon, s->epsilons);
        for (size_t j = 0; s->deltas && j < s->epsilons; j++) loss_two_sum(&s->weight[j][0], &s->weight[j][1], sums[j]);
    }
    k->range(&r, s->above, x, n, s->epsilon, counted_by_range ? s->epsilons : 0);
    if (r.strange) {
        n = sort_out(s, finite, x, n);
        if (n == 0) return;
        x = finite;
        k->range(&r, NULL, x, n, NULL, 0);
    }
    take_moments(s, k, x, n, &r);
    take_powers(s, k, x, n, &r);
}

void simdp_statistics_flush(simdp_loss_statistics *s, const simdp_loss_kernels *k)
{
    const size_t n = s->filled;
    if (n == 0) return;
    for (size_t i = n; i < LOSS_BLOCK; i++) s->block[i] = -INFINITY;
    s->filled = 0;
    take_block(s, k, s->block, n);
}

/* The histogram counts losses as they arrive: whole numbers have no order, so it need not wait for a block, and the
 * caller reads it without asking. */
static void take_bins(simdp_loss_statistics *s, const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!isnan(x[i])) s->counts[statistics_slot(s, x[i])]++;
    }
}

/* Losses from an array, or of outputs under a law (y). Whole blocks that begin one do not pass through s->block, whose
 * place in the struct makes vectors cross cache lines. */
static void take(simdp_loss_statistics *s, const simdp_loss_kernels *k, const double *x, size_t n,
                 const loss_affine *law)
{
    _Alignas(64) double losses[LOSS_BLOCK];
    while (n > 0) {
        const size_t room = LOSS_BLOCK - s->filled, count = n < room ? n : room;
        if (count == LOSS_BLOCK) {
            if (law != NULL) k->fixed_f64(losses, x, LOSS_BLOCK, law);
            if (s->bins > 0) take_bins(s, law != NULL ? losses : x, LOSS_BLOCK);
            take_block(s, k, law != NULL ? losses : x, LOSS_BLOCK);
        } else {
            if (law != NULL) k->fixed_f64(s->block + s->filled, x, count, law);
            else memcpy(s->block + s->filled, x, count * sizeof *x);
            if (s->bins > 0) take_bins(s, s->block + s->filled, count);
            s->filled += count;
            if (s->filled == LOSS_BLOCK) {
                s->filled = 0;
                take_block(s, k, s->block, LOSS_BLOCK);
            }
        }
        x += count;
        n -= count;
    }
}

simdp_status simdp_loss_statistics_update(simdp_loss_statistics *s, const double *loss, size_t n)
{
    if (s == NULL || (n > 0 && loss == NULL)) return SIMDP_ENULL;
    if (s->mark != STATISTICS_MARK || loss_too_many(n, sizeof *loss)) return SIMDP_EPARAM;
    const loss_call call = loss_enter();
    if (call.kernels != NULL) take(s, call.kernels, loss, n, NULL);
    return loss_leave(&call);
}

simdp_status simdp_loss_statistics_outputs(simdp_loss_statistics *s, const double *y, size_t n, simdp_loss_step step)
{
    if (s == NULL || (n > 0 && y == NULL)) return SIMDP_ENULL;
    if (s->mark != STATISTICS_MARK || loss_too_many(n, sizeof *y)) return SIMDP_EPARAM;
    const loss_call call = loss_enter();
    FP_PIN(step);
    const bool good = loss_step_ok(&step);
    if (good && call.kernels != NULL) {
        const loss_affine law = loss_affine_of(&step);
        take(s, call.kernels, y, n, &law);
    }
    return loss_leave_if(&call, good);
}
