/* fixed.c: see fixed.h. */
#include "release/fixed.h"

#include <string.h>

static simdp_u128 join(const uint64_t halves[2]) { return (simdp_u128)halves[0] << 64 | halves[1]; }

static const uint64_t ln2_16[2] = {0x000b17217f7d1cf7, 0x9abc9e3b39803f2f}; /* 2^120 ln2 / 16 */
static const uint64_t roots[16][2] = {
    /* 2^(127 - j/16) */
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
static const uint64_t taylor[LONG_TERMS][2] = {
    /* 2^126 / i! */
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
    uint64_t j = (uint64_t)((simdp_u128)(uint64_t)(x >> 63) * 0xb8aa3b295c17f0bb >> 116); /* x 16 / ln2, cut */
    while (unit * j < x) j++;
    const simdp_u128 t = (unit * j - x) << 8; /* 2^128 t */
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
    const simdp_i128 rest = (simdp_i128)(one - simdp_fixed_multiply(d, (simdp_u128)start << 64)); /* below 2^66 */
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

/* ---- 1 / (1 + e^x) ---- */

static const uint64_t ln2_1024[2] = {0x00002c5c85fdf473, 0xde6af278ece600fd}; /* 2^120 ln2 / 1024 */
static const uint64_t per_ln2_1024 = 0xb8aa3b295c17f0bb;                      /* 2^53 1024 / ln2 */
static const uint64_t coarse_roots[32][2] = {
    /* 2^(127 - j/32) */
    {0x8000000000000000, 0x0000000000000000}, {0x7d41d96db915019d, 0x3e12dd8a18aebfe6},
    {0x7a92be8a92436616, 0x3dce863d76cc07e1}, {0x77f25ccdee6d7ae5, 0xa32b0e7b4a46dc89},
    {0x75606373ee921c97, 0x6816bad9b8372a7d}, {0x72dc8373be41a454, 0x0f2f47a5276dd876},
    {0x70666f76154a7088, 0x832c4a8246e999e5}, {0x6dfddbcbed791baa, 0x9ec206ad4f14d532},
    {0x6ba27e656b4eb57a, 0x1cd345dcc8169fef}, {0x69540ec8f895722d, 0x0912472be1ef2014},
    {0x6712460a8fc24071, 0xf11ac1c7caf96376}, {0x64dcdec3371793d1, 0x4070fc950288b4bf},
    {0x62b39508aa836d6e, 0x9f156864b26ecf9b}, {0x6096266533384a2b, 0x3e22beacd28043da},
    {0x5e8451cfac061b5f, 0x54408fdb3687d7bd}, {0x5c7dd7a3b17dcf74, 0x8dc3cbbc2b35b2d0},
    {0x5a827999fcef3242, 0x2cbec4d9baa55f4f}, {0x5891fac0e95612c7, 0xc3e81bf4b690aec7},
    {0x56ac1f752150a563, 0x24c054647acd1762}, {0x54d0ad5a753e077c, 0x2a0f12761a98fd39},
    {0x52ff6b54d8a89c75, 0x0e5ebfb10b88380d}, {0x513821818624b40c, 0x4dbd0277c067ef53},
    {0x4f7a993048d088d6, 0xd0488f84f5dcfee8}, {0x4dc69cdceaa72a9c, 0x51540bd151e61f8f},
    {0x4c1bf828c6dc54b7, 0xa356918c17217b7b}, {0x4a7a77d47f7b84b0, 0x97457d6892a8ef2a},
    {0x48e1e9b9d588e19b, 0x07eb6c70572d64ec}, {0x47521cc5a2e6a9e0, 0x16e00a2643c1ea62},
    {0x45cae0f1f545eb73, 0x7df23143ac529e48}, {0x444c0740496d4293, 0xaefc6bb64c633ab1},
    {0x42d561b3e6243d8a, 0x62e4adc610aa60d9}, {0x4166c34c5615d0eb, 0x9f1523ada32905ff},
};
static const uint64_t fine_roots[32][2] = {
    /* 2^(127 - j/1024) */
    {0x8000000000000000, 0x0000000000000000}, {0x7fe9d3a8e07bf085, 0xe9dcfc570097df03},
    {0x7fd3ab290e46d768, 0xcf9d0da47dca62c4}, {0x7fbd867fdf0acb3a, 0x8db1c1100661daec},
    {0x7fa765aca88f6452, 0x980dd10bf78c6ebe}, {0x7f9148aec0b9b7b1, 0x737db6e112d2ab7a},
    {0x7f7b2f857d8c51e5, 0x11aca9f0527b0544}, {0x7f651a30352731ee, 0x0faec882924eb89a},
    {0x7f4f08ae3dc7c425, 0xd6e92ccaf3ce9784}, {0x7f38fafeedc8dd25, 0xa030b78d085b44e7},
    {0x7f22f1219ba2b4ae, 0x58f860a2c1d872f1}, {0x7f0ceb159deae091, 0x6a67e467f31a1f80},
    {0x7ef6e8da4b544f9a, 0x6233abd9c529b0cd}, {0x7ee0ea6efaaf4479, 0x7d0ed3fff55b640d},
    {0x7ecaefd302e950af, 0x12903ffbf276d33d}, {0x7eb4f905bb0d4f77, 0xe263a7df051382e8},
    {0x7e9f06067a4360ba, 0x429f9d2c98f07701}, {0x7e8916d497d0e3f4, 0x2f1984b07aafc087},
    {0x7e732b6f6b18732a, 0x39908c126f30c520}, {0x7e5d43d64b99ddd7, 0x5a88a850eff99e17},
    {0x7e47600890f223dd, 0xa2aeb10c12ed3b66}, {0x7e31800592db7077, 0xcc9eb347b324d7b5},
    {0x7e1ba3cca92d152b, 0xaee59d08d55b8ff1}, {0x7e05cb5d2bdb84bd, 0x8e1769edfc266815},
    {0x7deff6b672f84e24, 0x4ed2ff9caf657173}, {0x7dda25d7d6b2177e, 0x878cef97df27df79},
    {0x7dc458c0af549908, 0x71fa5acb04d84eb6}, {0x7dae8f7055489812, 0xbbf539ccf623ff1b},
    {0x7d98c9e62113e1fa, 0x37b3539343e2e4d4}, {0x7d8308216b594720, 0x6b293303bc82d063},
    {0x7d6d4a218cd895e4, 0xfe7272853d51143e}, {0x7d578fe5de6e95a0, 0x0918bb6368a77fb4},
};
static const uint64_t cubic[5] = {
    /* 2^66 / i!, i = 3 to 7 */
    0xaaaaaaaaaaaaaaaa, 0x2aaaaaaaaaaaaaaa, 0x0888888888888888, 0x016c16c16c16c16c, 0x0034034034034034,
};

static uint64_t high(uint64_t a, uint64_t b) { return (uint64_t)((simdp_u128)a * b >> 64); }

/* 2^126 e^t of 2^120 t, t < ln2/1024 (1 + 2^-20): 1 + t + t^2 (1/2 + t g), g = 1/3! + ... + t^4/7!. Errors: of g, 5
 * cuts of 2^-66 and t^5/8! = 2^-67.9, times t^3 = 2^-31.5; of t in 64 bits, 2^-74, times g t^2 = 2^-23.6; below 2^-94.4
 * in all. */
static simdp_u128 short_exp(simdp_u128 t)
{
    const uint64_t t74 = (uint64_t)(t >> 46), t84 = high(t74, t74); /* 2^74 t, 2^84 t^2 */
    const uint64_t tail = cubic[2] + (high(cubic[3], t74) >> 10) + (high(cubic[4], t84) >> 20),
                   g = cubic[0] + (high(cubic[1], t74) >> 10) + (high(tail, t84) >> 20);
    const simdp_u128 square = simdp_fixed_multiply(t << 18, t << 18); /* 2^148 t^2 */
    const simdp_u128 factor = ((simdp_u128)1 << 127) + ((simdp_u128)t74 * g >> 12);
    return ((simdp_u128)1 << 126) + (t << 6) + (simdp_fixed_multiply(square, factor) >> 22);
}

/* 2^63 / d of 2^63 d, 1 <= d < 2, within 2^3: a quotient of 32 bits, then one step of Newton's method. */
static uint64_t short_inverse(uint64_t d)
{
    const uint64_t start = UINT64_MAX / (d >> 32) << 30;
    const int64_t rest = (int64_t)(((uint64_t)1 << 62) - high(d, start));
    return start + (uint64_t)((simdp_i128)start * rest >> 62);
}

/* e = e^-x = 2^(-j/1024) e^t, t = j ln2/1024 - x > 0. j is the least such number but for x close below a multiple of
 * ln2/1024: the estimate below is too small by less than 4 units of 2^-45. The error of t is j 2^-121 < 2^-104. Then
 * p = e / (1 + e) by the 64-bit inverse r of 1 + e, corrected by its error 1 - r (1 + e). A relative error of e counts
 * for at most 1/4 of it in p: 2^-96.4. */
simdp_u128 simdp_fixed_logistic(simdp_u128 x)
{
    const uint64_t j = (high((uint64_t)(x >> 64), per_ln2_1024) + ((uint64_t)1 << 45) + 4) >> 45;
    const simdp_u128 root = simdp_fixed_multiply(join(coarse_roots[j / 32 % 32]), join(fine_roots[j % 32]));
    const simdp_u128 e = simdp_fixed_multiply(short_exp(join(ln2_1024) * j - x), root) << 3 >> j / 1024;
    const simdp_u128 one = (simdp_u128)1 << 127;
    if (e >= one) return one >> 1;
    const uint64_t r = short_inverse((uint64_t)((one + e) >> 64));
    const simdp_i128 rest = (simdp_i128)(((simdp_u128)1 << 126) - simdp_fixed_multiply(one + e, (simdp_u128)r << 64));
    const simdp_u128 p = simdp_fixed_multiply(e, (simdp_u128)r << 64) << 1;
    return p + (simdp_u128)((simdp_i128)(int64_t)(rest >> 4) * (int64_t)(p >> 64) >> 58); /* |rest| < 2^67 */
}
