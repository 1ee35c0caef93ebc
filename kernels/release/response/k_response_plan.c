/* k_response_plan.c: see k_response.h: what a call computes once, and elements that 128 bits leave open. */
#include "math/wide.h"
#include "release/fixed.h"
#include "release/response/k_response.h"

/* Larger ones count as this. The 512 digits of U must be many for each value's interval, 1 / D: of 2^512 numbers U, 2^142
 * lie in one here. From 355 on there would be none in most of them: a value that another one never turns into. */
#define EPSILON_SURE   256.0
#define EPSILON_LARGE  64.0 /* from here on D > 2^92 */
#define FACTOR_LARGE   0x1p+48
#define TOP_LARGE      0x1p+36
#define ERROR_OF_SUM   ((simdp_u128)1 << 16) /* of D in 128 bits, below */
#define ERROR_OF_SHARE ((simdp_u128)1 << 18) /* twice that, and cuts */

/* 2^120 ln2 */
static const uint64_t ln2[2] = {0x00b17217f7d1cf79, 0xabc9e3b39803f2f6};

/* D = result 2^(*power - 128), 2^127 <= result; within ERROR_OF_SUM. epsilon < 64.
 *
 * e^epsilon = 2^m e^-t, t = m ln2 - epsilon in [0, ln2): t is within (m + 2) 2^-120 < 2^-113, and the exponential of
 * fixed.h within 2^-115, so half of it, e, is within 2^13 + 2^11. k - 1 is added in units in which the larger one of
 * the two has 126 bits; the other one is cut by less than 1, and the sum is shifted by 2 at most. */
static simdp_u128 sum_of(double epsilon, uint32_t k, int *power)
{
    const simdp_u128 x = simdp_fixed_from_double(epsilon), unit = (simdp_u128)ln2[0] << 64 | ln2[1], others = k - 1;
    const unsigned bits = 32 - (unsigned)__builtin_clz(k - 1);
    unsigned m = 0;
    while (unit * m < x) m++;                                    /* at most 93 turns */
    const simdp_u128 e = simdp_fixed_exp_neg(unit * m - x) >> 1; /* 2^(126 - m) e^epsilon */
    const unsigned places = m > bits ? m : bits;                 /* in units of 2^(places - 126) both are below 2^127 */
    const simdp_u128 sum = (e >> (places - m)) + (others << (126 - places));
    const unsigned zeros = (unsigned)__builtin_clzll((uint64_t)(sum >> 64));
    *power = (int)(places + 2 - zeros);
    return sum << zeros;
}

/* significand 2^(power - 128), within 2^-53 (1 + 2^-8) of it */
static double double_of(simdp_u128 significand, int power)
{
    double result = (double)(int64_t)(significand >> 65) * 0x1p-63;
    for (; power > 0; power--) result *= 2.0;
    return result;
}

void simdp_k_response_plan(simdp_k_response *plan, uint32_t k, double epsilon)
{
    int power = 92;
    plan->k = k;
    plan->epsilon = epsilon;
    plan->significand = (simdp_u128)1 << 127; /* D is larger than 2^91 */
    plan->radius = (simdp_u128)1 << 36;       /* all of a unit of X: only the truth is decided */
    if (epsilon < EPSILON_LARGE) {
        plan->significand = sum_of(epsilon, k, &power);
        plan->radius = ERROR_OF_SHARE;
    }
    plan->factor = double_of(plan->significand, power);
    if (epsilon < EPSILON_LARGE) plan->significand -= ERROR_OF_SUM; /* not above D */
    plan->top = k - 1;
    plan->limit = 0.5 - 0x1.4p-51 * plan->factor;
    plan->shift = (unsigned)(128 - power);
    plan->truth = (simdp_u128)(k - 1) << plan->shift;
    if (plan->factor < FACTOR_LARGE) return;
    /* y = m 2^c - 1/2, whose distance to whole numbers is 1/2, so that all elements are open up to m = 2^(36 - c) */
    plan->factor = 0x1p+52;
    for (uint64_t least = 16 * (uint64_t)(k - 1); least <= (uint64_t)1 << 35; least *= 2) plan->factor *= 2.0;
    plan->top = TOP_LARGE + (double)(k - 1);
    plan->limit = 0.25;
}

/* ---- 512 bits ---- */

uint32_t simdp_k_response_exact(const simdp_k_response *plan, const uint64_t words[K_RESPONSE_WORDS])
{
    const double epsilon = plan->epsilon < EPSILON_SURE ? plan->epsilon : EPSILON_SURE;
    const simdp_wide others = simdp_wide_from_u64(plan->k - 1), u = simdp_wide_from_words(words, K_RESPONSE_WORDS);
    const simdp_wide d = simdp_wide_add(simdp_wide_exp(simdp_wide_from_double(epsilon)), others);
    const simdp_wide x = simdp_wide_mul(u, d);
    if (simdp_wide_compare(x, others) >= 0) return plan->k - 1;
    const uint64_t near = (uint64_t)simdp_wide_to_i64(x); /* the whole part, or one more */
    return (uint32_t)(near - (simdp_wide_compare(x, simdp_wide_from_u64(near)) < 0));
}
