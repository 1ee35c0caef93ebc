/* fixed.c: see fixed.h. */
#include "release/fixed.h"

#include <string.h>

static simdp_u128 join(const uint64_t halves[2]) { return (simdp_u128)halves[0] << 64 | halves[1]; }

static const uint64_t ln2_16[2] = {0x000b17217f7d1cf7, 0x9abc9e3b39803f2f};   /* 2^120 ln2 / 16 */
static const uint64_t roots[16][2] = {                                        /* 2^(127 - j/16) */
    {0x8000000000000000, 0x0000000000000000}, {0x7a92be8a92436616, 0x3dce863d76cc07e1},
    {0x75606373ee921c97, 0x6816bad9b8372a7d}, {0x70666f76154a7088, 0x832c4a8246e999e5},
    {0x6ba27e656b4eb57a, 0x1cd345dcc8169fef}, {0x6712460a8fc24071, 0xf11ac1c7caf96376},
    {0x62b39508aa836d6e, 0x9f156864b26ecf9b}, {0x5e8451cfac061b5f, 0x54408fdb3687d7bd},
    {0x5a827999fcef3242, 0x2cbec4d9baa55f4f}, {0x56ac1f752150a563, 0x24c054647acd1762},
    {0x52ff6b54d8a89c75, 0x0e5ebfb10b88380d}, {0x4f7a993048d088d6, 0xd0488f84f5dcfee8},
    {0x4c1bf828c6dc54b7, 0xa356918c17217b7b}, {0x48e1e9b9d588e19b, 0x07eb6c70572d64ec},
    {0x45cae0f1f545eb73, 0x7df23143ac529e48}, {0x42d561b3e6243d8a, 0x62e4adc610aa60d9},
};
#define LONG_TERMS 12
static const uint64_t taylor[LONG_TERMS][2] = {                               /* 2^126 / i! */
    {0x4000000000000000, 0x0000000000000000}, {0x4000000000000000, 0x0000000000000000},
    {0x2000000000000000, 0x0000000000000000}, {0x0aaaaaaaaaaaaaaa, 0xaaaaaaaaaaaaaaaa},
    {0x02aaaaaaaaaaaaaa, 0xaaaaaaaaaaaaaaaa}, {0x0088888888888888, 0x8888888888888888},
    {0x0016c16c16c16c16, 0xc16c16c16c16c16c}, {0x0003403403403403, 0x4034034034034034},
    {0x0000680680680680, 0x6806806806806806}, {0x00000b8ef1d2ab63, 0x99c7d560e4472800},
    {0x00000127e4fb7789, 0xf5c72ef016d3ea66}, {0x0000001ae64567f5, 0x44e38fe747e4b837},
};
#define SHORT_TERMS 6
static const uint64_t taylor_short[SHORT_TERMS] = {
    /* 2^80 / i!, i = 12 to 17 */
    0x0008f76c77fc6c4b, 0x0000b092309d4368, 0x00000c9cba54603e,
    0x000000d73f9f399d, 0x0000000d73f9f399, 0x00000000ca963b81,
};

/* e^-x = 2^(-j/16) e^t, t = j ln2/16 - x in [0, ln2/16). Errors: of t, j 2^-120 with j <= 16 x / ln2 + 1, which times
 * e^-x is at most 10 * 2^-120; t^18/18! and beyond 2^-133; the terms in 64 bits t^12/12! 2^-48 = 2^-131; cuts:
 * 2^-123. */
simdp_u128 simdp_fixed_exp_neg(simdp_u128 x)
{
    const simdp_u128 unit = join(ln2_16);
    uint64_t j = (uint64_t)((simdp_u128)(uint64_t)(x >> 63) * 0xb8aa3b295c17f0bb >> 116);   /* x 16 / ln2, cut */
    while (unit * j < x) j++;
    const simdp_u128 t = (unit * j - x) << 8;   /* 2^128 t */
    const uint64_t short_t = (uint64_t)(t >> 64);
    uint64_t last = taylor_short[SHORT_TERMS - 1];
    for (int i = SHORT_TERMS - 2; i >= 0; i--) last = taylor_short[i] + (uint64_t)((simdp_u128)last * short_t >> 64);
    simdp_u128 sum = (simdp_u128)last << 46;
    for (int i = LONG_TERMS - 1; i >= 0; i--) sum = join(taylor[i]) + simdp_fixed_multiply(sum, t);
    if (j == 0) return (simdp_u128)1 << 127;
    return j / 16 < 128 ? simdp_fixed_multiply(sum << 1, join(roots[j % 16])) << 1 >> j / 16 : 0;
}

/* A quotient of 64 bits, relative error 2^-62, then one step of Newton's method: 8 from its square, 4 from cuts. */
simdp_u128 simdp_fixed_inverse(simdp_u128 d)
{
    const simdp_u128 one = (simdp_u128)1 << 127;
    const uint64_t start = (uint64_t)((one - 1) / (uint64_t)(d >> 64));
    const simdp_i128 rest = (simdp_i128)(one - simdp_fixed_multiply(d, (simdp_u128)start << 64));   /* below 2^66 */
    return ((simdp_u128)start << 63) + (simdp_u128)((rest >> 2) * (simdp_i128)(start >> 2) >> 60);
}

/* x = significand 2^power */
static uint64_t significand_of(double x, int *power)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    *power = (int)(bits >> 52 & 0x7ff) - 1075;
    return (bits & 0x000fffffffffffff) | 0x0010000000000000;
}

/* (2^180 - 1) / significand, by limbs */
simdp_u128 simdp_fixed_reciprocal(double x, int *exponent)
{
    int power;
    const uint64_t m = significand_of(x, &power);
    const simdp_u128 first = (simdp_u128)0x000fffffffffffff << 64 | UINT64_MAX;
    const simdp_u128 second = first % m << 64 | UINT64_MAX;
    *exponent = -power - 180;
    return first / m << 64 | second / m;
}

simdp_u128 simdp_fixed_from_double(double x)
{
    int power;
    const uint64_t m = significand_of(x, &power);
    const int shift = power + 120;
    if (shift >= 0) return (simdp_u128)m << shift;
    return shift > -64 ? m >> -shift : 0;
}
