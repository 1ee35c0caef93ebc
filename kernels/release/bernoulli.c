/* bernoulli.c: see bernoulli.h: digits of p, and the digits of uniforms beyond the 72nd. */
#include "release/bernoulli.h"

#include <stdbool.h>
#include <string.h>

typedef unsigned __int128 uint128;

#define EPSILON_SURE 0x1p+20   /* from here on flips are rarer than 2^-1512775 */
#define EPSILON_NONE 52.0      /* from here on p < 2^-72: 72 digits are 0 */

/* ---- 72 digits of p by 128-bit integers ----
 *
 * x = e^-epsilon = 2^-(16 k + j)/16 e^t, 0 <= t <= ln2/16; p = x / (1 + x). Absolute errors: epsilon, cut to 2^-121, and j ln2/16,
 * j <= 1201, 2^-110.7 in t; Taylor without t^15/15! and beyond, 2^-108, with its last seven terms in 64 bits, t^8 2^-61 = 2^-97.2;
 * all products, 2^-119. So e^t is within 2^-97 of what is found, x = e^t times a number up to 1 within 2^-96.9, and p, whose
 * derivative is at most 1, within 2^-96.8, the error 2^-118 of the quotient included. Digits are known unless p is within 2^-94 of
 * a multiple of 2^-72. */

static uint128 join(const uint64_t halves[2]) { return (uint128)halves[0] << 64 | halves[1]; }

/* floor(a b / 2^128) or one less */
static uint128 multiply_high(uint128 a, uint128 b)
{
    const uint64_t a0 = (uint64_t)a, a1 = (uint64_t)(a >> 64), b0 = (uint64_t)b, b1 = (uint64_t)(b >> 64);
    const uint128 middle = (uint128)a1 * b0, other = (uint128)a0 * b1;
    return (uint128)a1 * b1 + (middle >> 64) + (other >> 64) + (((uint128)(uint64_t)middle + (uint64_t)other) >> 64);
}

/* epsilon 2^121, cut upwards; epsilon < 64 */
static uint128 fixed_up(double epsilon)
{
    uint64_t bits;
    memcpy(&bits, &epsilon, sizeof bits);
    const int shift = (int)(bits >> 52) - 1075 + 121;
    const uint64_t significand = (bits & 0x000fffffffffffff) | 0x0010000000000000;
    if (shift >= 0) return (uint128)significand << shift;
    return shift > -64 ? (significand >> -shift) + 1 : 1;
}

static const uint64_t ln2_16[2] = {0x00162e42fefa39ef, 0x35793c7673007e5e};   /* 2^121 ln2 / 16 */
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
static const uint64_t taylor[8][2] = {                                        /* 2^126 / i! */
    {0x4000000000000000, 0x0000000000000000}, {0x4000000000000000, 0x0000000000000000},
    {0x2000000000000000, 0x0000000000000000}, {0x0aaaaaaaaaaaaaaa, 0xaaaaaaaaaaaaaaaa},
    {0x02aaaaaaaaaaaaaa, 0xaaaaaaaaaaaaaaaa}, {0x0088888888888888, 0x8888888888888888},
    {0x0016c16c16c16c16, 0xc16c16c16c16c16c}, {0x0003403403403403, 0x4034034034034034},
};
static const uint64_t taylor_last[7] = {                                      /* 2^64 / i!, i = 8 to 14 */
    0x0001a01a01a01a01, 0x00002e3bc74aad8e, 0x0000049f93edde27, 0x0000006b99159fd5, 0x00000008f76c77fc, 0x00000000b092309d,
    0x000000000c9cba54,
};

static uint128 exp_fixed(uint128 t)   /* 2^126 e^t of 2^128 t */
{
    const uint64_t short_t = (uint64_t)(t >> 64);
    uint64_t last = taylor_last[6];
    for (int i = 5; i >= 0; i--) last = taylor_last[i] + (uint64_t)((uint128)last * short_t >> 64);
    uint128 sum = (uint128)last << 62;
    for (int i = 7; i >= 0; i--) sum = join(taylor[i]) + multiply_high(sum, t);
    return sum;
}

/* 2^126 / (1 + x) of 2^126 x: a quotient of 64 bits, then Newton */
static uint128 inverse_fixed(uint128 x)
{
    const uint128 one = (uint128)1 << 126, divisor = one + x;
    const uint64_t start = (uint64_t)((one - 1) / (uint64_t)(divisor >> 64));   /* 2^64 / (1 + x) within 2 */
    const __int128 rest = (__int128)(one - multiply_high(divisor, (uint128)start << 64));   /* below 2^65 */
    return ((uint128)start << 62) + (uint128)((rest >> 2) * (__int128)(start >> 2) >> 60);
}

#define REST_BITS 54   /* of p, after 72 digits */

/* False if the digits cannot be told. 0 < epsilon < 64 */
static bool quick_digits(simdp_bernoulli *b, double epsilon)
{
    const uint128 fixed = fixed_up(epsilon), unit = join(ln2_16);
    uint64_t j = (uint64_t)((uint128)(uint64_t)(fixed >> 64) * 0xb8aa3b295c17f0bb >> 116);   /* epsilon 16 / ln2, cut */
    while (unit * j < fixed) j++;
    const uint128 x = multiply_high(exp_fixed((unit * j - fixed) << 7), join(roots[j % 16])) << 1 >> j / 16;
    const uint128 p = multiply_high(x << 1, inverse_fixed(x) << 1);
    const uint64_t rest = (uint64_t)p & (((uint64_t)1 << REST_BITS) - 1), doubt = (uint64_t)1 << (126 - 94);
    b->first = (unsigned)(p >> (64 + REST_BITS));
    b->second = (uint64_t)(p >> REST_BITS);
    return rest >= doubt && rest <= ((uint64_t)1 << REST_BITS) - doubt;
}

static simdp_wide response_wide(double epsilon)
{
    if (epsilon == 0.0) return simdp_wide_from_double(0.5);   /* a quotient would be cut to 0.0111... */
    const simdp_wide x = simdp_wide_exp(simdp_wide_from_double(epsilon < EPSILON_SURE ? -epsilon : -EPSILON_SURE));
    return simdp_wide_div(x, simdp_wide_add(x, simdp_wide_from_u64(1)));
}

/* ---- any digits of a wide number ---- */

/* Digits 64 i + 1 to 64 i + 64 of p. */
static uint64_t digits_word(const simdp_wide *p, int64_t i)
{
    const int64_t first = 64 * i + p->exponent;   /* digits of the significand before this word; below 0: zeros come first */
    const int64_t limb = first >= 0 ? first / 64 : -((63 - first) / 64), shift = first - 64 * limb;
    const uint64_t high = limb >= 0 && limb < WIDE_LIMBS ? p->limb[WIDE_LIMBS - 1 - limb] : 0;
    const uint64_t low = limb + 1 >= 0 && limb + 1 < WIDE_LIMBS ? p->limb[WIDE_LIMBS - 2 - limb] : 0;
    return shift == 0 ? high : high << shift | low >> (64 - shift);
}

/* Digits 8 + 64 i + 1 to 8 + 64 i + 64. */
static uint64_t digits_more(const simdp_wide *p, int64_t i)
{
    return digits_word(p, i) << BERNOULLI_DIGITS | digits_word(p, i + 1) >> (64 - BERNOULLI_DIGITS);
}

static void digits_from_wide(simdp_bernoulli *b, simdp_wide p)
{
    b->first = (unsigned)(digits_word(&p, 0) >> (64 - BERNOULLI_DIGITS));
    b->second = digits_more(&p, 0);
}

void simdp_bernoulli_response(simdp_bernoulli *b, double epsilon)
{
    b->epsilon = epsilon;
    b->first = 0;
    b->second = 0;
    if (epsilon < EPSILON_NONE && (epsilon == 0.0 || !quick_digits(b, epsilon))) digits_from_wide(b, response_wide(epsilon));
}

void simdp_bernoulli_wide(simdp_bernoulli *b, simdp_wide p)
{
    b->epsilon = -1.0;
    b->exact = p;
    digits_from_wide(b, p);
}

/* ---- beyond 72 digits ---- */

/* Whether undecided uniform s of a group is below p, given that its first eight digits are those of p. */
static bool is_below(unsigned s, const simdp_bernoulli_place *place, const simdp_bernoulli *b, const simdp_wide *p)
{
    for (int64_t level = 0; 64 * level + p->exponent < 64 * (WIDE_LIMBS + 1); level++) {   /* until p has no digits left */
        uint64_t word = place->more[s % BERNOULLI_MORE];
        if (level > 0 || s >= BERNOULLI_MORE) {
            const simdp_bits_at at = {.cipher = place->at->cipher, .position = place->position / 2 + s % BERNOULLI_MORE,
                                      .domain = BITS_DOMAIN_BERNOULLI_MORE + 256 * (16 * (uint32_t)level + s / BERNOULLI_MORE)};
            place->cipher_words(&word, 1, &at);
        }
        const uint64_t digits = level == 0 ? b->second : digits_more(p, level);
        if (word != digits) return word < digits;
    }
    return false;
}

void simdp_bernoulli_resolve(uint64_t decided[BERNOULLI_WORDS], const uint64_t undecided[BERNOULLI_WORDS],
                             const simdp_bernoulli_place *place, const simdp_bernoulli *b)
{
    const simdp_wide p = b->epsilon >= 0 ? response_wide(b->epsilon) : b->exact;
    unsigned s = 0;
    for (int l = 0; l < BERNOULLI_WORDS; l++) {
        for (uint64_t u = undecided[l]; u != 0; u &= u - 1) {
            if (is_below(s++, place, b, &p)) decided[l] |= u & -u;
        }
    }
}
