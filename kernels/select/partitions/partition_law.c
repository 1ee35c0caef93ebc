/* partition_law.c: see partition_law.h. */
#include "select/partitions/partition_law.h"

#include <float.h>

#include "call/in_range.h"
#include "release/threshold/person_share.h"

/* ---- the law in doubles ---- */

/* Errors, in units of u = 2^-53, of numbers that are exact functions of step and delta:
 *
 *     n step: 1 of it, so (1 + x) of e^x - 1 with x = n step <= 600; kernels add 8 (exp.inc has 2 ulp where it is
 *     used elsewhere), plain_math 2
 *     B: 3.  pi(n) = B (e^x - 1) <= 1 for n <= n1: x + 16
 *     pi(n1): the same, by plain_math.  A: that of pi(n1), and 4 of itself
 *     A (1 - e^-y) <= 2: the error of A times 1 - e^-y, of which that of pi(n1) counts once, and 2 (4 + 10) of the rest
 *     pi(n), n > n1: 2 (x1 + 16) + 28 + 2, x1 = n1 step
 *
 * and 2 units for the bits of U beyond the first 52. The radius has twice that. */
static double radius_of(double x1) { return 0x1p-52 * (2.0 * (x1 + 16.0) + 32.0); }

static simdp_wide wide_turn(const simdp_partition_law *law)
{
    const simdp_wide one = simdp_wide_from_u64(1), delta = simdp_wide_from_double(law->delta),
                     step = simdp_wide_from_double(law->step), power = simdp_wide_exp(step);
    const simdp_wide top = simdp_wide_add(simdp_wide_sub(power, one), simdp_wide_scale(delta, 1)),
                     bottom = simdp_wide_mul(simdp_wide_add(power, one), delta);
    return simdp_wide_div(simdp_wide_log(simdp_wide_div(top, bottom)), step);
}

/* The integer below z > 0, which is below 2^54. */
static int64_t wide_floor(simdp_wide z)
{
    const int64_t near = simdp_wide_to_i64(z);
    return simdp_wide_compare(simdp_wide_from_u64((uint64_t)near), z) > 0 ? near - 1 : near;
}

/* n1, or PARTITION_COUNT_MOST if it is larger. In doubles z is within 12 u of itself; where that does not tell its
 * integer part 512 bits do. */
static double turn_of(const simdp_partition_law *law)
{
    const double z = plain_log1p(plain_tanh(0.5 * law->step) * ((1.0 - law->delta) / law->delta)) / law->step,
                 error = 0x1p-49 * z;
    const double most = (double)PARTITION_COUNT_MOST;
    if (z > 2.0 * most) return most;
    const double low = floor(z - error), high = floor(z + error),
                 n1 = 1.0 + (low == high ? low : (double)wide_floor(wide_turn(law)));
    return n1 < most ? n1 : most;
}

static void fill(simdp_partition_law *law)
{
    const double most = (double)PARTITION_COUNT_MOST;
    law->step = law->epsilon > 0.0 ? law->epsilon : PARTITION_EPSILON_LEAST;
    law->rise = law->delta / plain_expm1(law->step);
    law->turn = turn_of(law);
    const double x1 = law->turn * law->step;
    law->at_turn = law->rise * plain_expm1(x1);
    law->fall = (1.0 - law->at_turn) + law->rise;
    /* a count behind the one where A e^-y falls to B, whatever the errors */
    const double sure =
        law->turn + ceil(plain_log1p((1.0 - law->at_turn) / law->rise) / law->step * (1.0 + 0x1p-40)) + 1.0;
    law->sure = (int64_t)(sure < most ? sure : most);
    law->radius = radius_of(x1);
}

bool simdp_partition_law_of(simdp_partition_law *law, double epsilon, double delta, uint64_t groups)
{
    if (!is_in_range(epsilon, 0.0, DBL_MAX) || groups == 0 ||
        !is_in_range(delta, PARTITION_DELTA_LEAST, PARTITION_DELTA_MOST))
        return false;
    const double many = (double)groups;
    law->epsilon = div_down(epsilon, groups >> 53 == 0 ? many : outward_next(many));
    if (law->epsilon > PARTITION_EPSILON_MOST) law->epsilon = PARTITION_EPSILON_MOST;
    if (law->epsilon < PARTITION_EPSILON_LEAST) law->epsilon = 0.0;
    law->delta = person_share(delta, groups);
    fill(law);
    return true;
}

/* ---- the law in 512 bits ---- */

/* e^x - 1 */
static simdp_wide wide_expm1(simdp_wide x) { return simdp_wide_sub(simdp_wide_exp(x), simdp_wide_from_u64(1)); }

static simdp_wide rising(const simdp_partition_law *law, uint64_t count)
{
    const simdp_wide delta = simdp_wide_from_double(law->delta), epsilon = simdp_wide_from_double(law->epsilon),
                     n = simdp_wide_from_u64(count);
    if (law->epsilon == 0.0 || count < 2) return simdp_wide_mul(n, delta);
    return simdp_wide_mul(delta, simdp_wide_div(wide_expm1(simdp_wide_mul(n, epsilon)), wide_expm1(epsilon)));
}

/* The complement (1 - pi(n1)) e^-y - B (1 - e^-y), above 0 or 0. */
static simdp_wide falling(const simdp_partition_law *law, simdp_wide at_turn, uint64_t beyond)
{
    const simdp_wide epsilon = simdp_wide_from_double(law->epsilon),
                     b = simdp_wide_div(simdp_wide_from_double(law->delta), wide_expm1(epsilon)),
                     power = simdp_wide_exp(simdp_wide_neg(simdp_wide_mul(simdp_wide_from_u64(beyond), epsilon))),
                     one = simdp_wide_from_u64(1);
    const simdp_wide rest = simdp_wide_sub(simdp_wide_mul(simdp_wide_sub(one, at_turn), power),
                                           simdp_wide_mul(b, simdp_wide_sub(one, power)));
    return rest.sign > 0 ? rest : simdp_wide_from_u64(0);
}

simdp_wide simdp_partition_wide(const simdp_partition_law *law, int64_t count, simdp_wide *complement)
{
    const simdp_wide one = simdp_wide_from_u64(1);
    const int64_t n = count < 0                      ? 0
                      : count < PARTITION_COUNT_MOST ? count
                                                     : PARTITION_COUNT_MOST,
                  turn = (int64_t)law->turn;
    const bool falls = law->epsilon > 0.0 && n > turn;
    simdp_wide p = rising(law, (uint64_t)(falls ? turn : n));
    if (simdp_wide_compare(p, one) > 0) p = one;
    *complement = falls ? falling(law, p, (uint64_t)(n - turn)) : simdp_wide_sub(one, p);
    return falls ? simdp_wide_sub(one, *complement) : p;
}
