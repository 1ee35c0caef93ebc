/* wide.c: see wide.h. Magnitudes are arrays of limbs, lowest first; a fraction of n limbs x stands for x / 2^(64 n).
 *
 * e below is 2^-511, the relative error of cutting a result to 512 bits; it bounds add, sub, mul and div_small up to a
 * factor 1 + 2^-60 (the guard limb of a sum). */
#include "math/wide.h"

#include "math/int128.h"

#include <stdbool.h>
#include <string.h>

#define TOP (WIDE_LIMBS - 1)

/* ---- limbs ---- */

/* out (n limbs) = the fraction in (8 limbs) shifted right by d >= 0 bits, cut */
static void shift_right(uint64_t *out, int n, const uint64_t *in, uint64_t d)
{
    for (int i = 0; i < n; i++) {
        out[i] = 0;
        if (d >= 64u * (unsigned)n) continue;
        const int bits = (int)(d % 64), from = i - n + WIDE_LIMBS + (int)(d / 64); /* the limb that lands here */
        if (from >= 0 && from < WIDE_LIMBS) out[i] = in[from] >> bits;
        if (bits > 0 && from + 1 >= 0 && from + 1 < WIDE_LIMBS) out[i] |= in[from + 1] << (64 - bits);
    }
}

/* The number sign * (fraction x of n limbs) * 2^exponent, cut to 512 bits. */
static simdp_wide pack(const uint64_t *x, int n, int64_t exponent, int sign)
{
    simdp_wide r = {{0}, 0, 0};
    while (n > 0 && x[n - 1] == 0) n--, exponent -= 64;
    if (n == 0) return r;
    const int shift = __builtin_clzll(x[n - 1]);
    for (int i = 0; i < WIDE_LIMBS && i < n; i++) {
        r.limb[TOP - i] = x[n - 1 - i] << shift;
        if (shift > 0 && i + 1 < n) r.limb[TOP - i] |= x[n - 2 - i] >> (64 - shift);
    }
    r.exponent = exponent - shift;
    r.sign = sign;
    return r;
}

/* |a| against |b|: -1, 0, 1 */
static int compare_magnitudes(const simdp_wide *a, const simdp_wide *b)
{
    if (a->sign == 0 || b->sign == 0) return (a->sign != 0) - (b->sign != 0);
    if (a->exponent != b->exponent) return a->exponent < b->exponent ? -1 : 1;
    for (int i = TOP; i >= 0; i--) {
        if (a->limb[i] != b->limb[i]) return a->limb[i] < b->limb[i] ? -1 : 1;
    }
    return 0;
}

/* m 2^bits to the nearest integer, ties to even, 0 <= bits <= 62 */
static uint64_t nearest_integer(const simdp_wide *a, int bits)
{
    const uint64_t whole = bits > 0 ? a->limb[TOP] >> (64 - bits) : 0, rest = a->limb[TOP] << bits;
    const uint64_t half = (uint64_t)1 << 63;
    uint64_t below = 0;
    for (int i = 0; i < TOP; i++) below |= a->limb[i];
    const bool up = rest > half || (rest == half && (below != 0 || whole % 2 == 1));
    return whole + up;
}

/* ---- in and out ---- */

simdp_wide simdp_wide_from_u64(uint64_t x) { return pack(&x, 1, 64, 1); }

static simdp_wide from_i64(int64_t x)
{
    const uint64_t magnitude = x < 0 ? -(uint64_t)x : (uint64_t)x;
    return pack(&magnitude, 1, 64, x < 0 ? -1 : 1);
}

simdp_wide simdp_wide_from_double(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    const int field = (int)(bits >> 52 & 0x7ff);
    uint64_t significand = bits & 0x000fffffffffffff;
    if (field > 0) significand |= 0x0010000000000000;
    return pack(&significand, 1, 64 + (field > 0 ? field : 1) - 1075, bits >> 63 ? -1 : 1);
}

simdp_wide simdp_wide_from_words(const uint64_t *words, int count)
{
    uint64_t x[WIDE_LIMBS] = {0};
    for (int i = 0; i < count; i++) x[i] = words[count - 1 - i];
    return pack(x, count, 0, 1);
}

double simdp_wide_to_double(simdp_wide a)
{
    const uint64_t sign = (uint64_t)(a.sign < 0) << 63, infinity = 0x7ff0000000000000;
    uint64_t bits = 0;
    if (a.exponent > 1024) {
        bits = infinity;
    } else if (a.sign != 0 && a.exponent >= -1021) { /* a carry out of the significand raises the exponent */
        bits = ((uint64_t)(a.exponent + 1021) << 52) + nearest_integer(&a, 53);
    } else if (a.sign != 0 && a.exponent >= -1074) {
        bits = nearest_integer(&a, (int)(a.exponent + 1074));
    }
    bits |= sign;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

int64_t simdp_wide_to_i64(simdp_wide a)
{
    if (a.exponent < 0) return 0;
    const int64_t magnitude = (int64_t)nearest_integer(&a, (int)a.exponent);
    return a.sign < 0 ? -magnitude : magnitude;
}

void simdp_wide_to_words(uint64_t *words, int count, simdp_wide a)
{
    uint64_t x[WIDE_LIMBS];
    shift_right(x, count, a.limb, (uint64_t)-a.exponent);
    for (int i = 0; i < count; i++) words[i] = x[count - 1 - i];
}

/* ---- arithmetic ---- */

simdp_wide simdp_wide_neg(simdp_wide a)
{
    a.sign = -a.sign;
    return a;
}

simdp_wide simdp_wide_scale(simdp_wide a, int64_t k)
{
    if (a.sign != 0) a.exponent += k;
    return a;
}

/* One limb more below, where the bits of the smaller number that fall off are worth less than 2^-64 e of the larger,
 * and one above for the carry. Bits fall off only if the exponents differ by 64 at least; then the sum has more than
 * 512 bits. */
simdp_wide simdp_wide_add(simdp_wide a, simdp_wide b)
{
    if (compare_magnitudes(&a, &b) < 0) {
        const simdp_wide larger = b;
        b = a;
        a = larger;
    }
    if (b.sign == 0) return a;
    uint64_t x[WIDE_LIMBS + 2] = {0}, y[WIDE_LIMBS + 2] = {0};
    memcpy(x + 1, a.limb, sizeof a.limb);
    shift_right(y, WIDE_LIMBS + 1, b.limb, (uint64_t)(a.exponent - b.exponent));
    const bool subtract = a.sign != b.sign; /* by adding the complement */
    uint64_t carry = subtract;
    for (int i = 0; i < WIDE_LIMBS + 2; i++) {
        const simdp_u128 sum = (simdp_u128)x[i] + (subtract ? ~y[i] : y[i]) + carry;
        x[i] = (uint64_t)sum;
        carry = (uint64_t)(sum >> 64);
    }
    return pack(x, WIDE_LIMBS + 2, a.exponent + 64, a.sign);
}

simdp_wide simdp_wide_sub(simdp_wide a, simdp_wide b) { return simdp_wide_add(a, simdp_wide_neg(b)); }

simdp_wide simdp_wide_mul(simdp_wide a, simdp_wide b)
{
    uint64_t x[2 * WIDE_LIMBS] = {0};
    for (int i = 0; i < WIDE_LIMBS; i++) {
        uint64_t carry = 0;
        for (int j = 0; j < WIDE_LIMBS; j++) {
            const simdp_u128 sum = (simdp_u128)a.limb[i] * b.limb[j] + x[i + j] + carry; /* below 2^128 */
            x[i + j] = (uint64_t)sum;
            carry = (uint64_t)(sum >> 64);
        }
        x[i + WIDE_LIMBS] = carry;
    }
    return pack(x, 2 * WIDE_LIMBS, a.exponent + b.exponent, a.sign * b.sign);
}

simdp_wide simdp_wide_mul_double(simdp_wide a, double b) { return simdp_wide_mul(a, simdp_wide_from_double(b)); }

/* Long division, with one more limb of quotient: 512 bits of it remain for every b. */
simdp_wide simdp_wide_div_small(simdp_wide a, uint64_t b)
{
    uint64_t x[WIDE_LIMBS + 1], rest = 0;
    for (int i = WIDE_LIMBS; i >= 0; i--) {
        const simdp_u128 dividend = (simdp_u128)rest << 64 | (i > 0 ? a.limb[i - 1] : 0);
        x[i] = (uint64_t)(dividend / b);
        rest = (uint64_t)(dividend % b);
    }
    return pack(x, WIDE_LIMBS + 1, a.exponent, a.sign);
}

/* Newton for y = 1/b: a start with error below 2^-62, squared four times. The last step computes 1 - b y to 2 e and
 * adds y times it to y: 3.1 e. Times a: 4.2 e. */
simdp_wide simdp_wide_div(simdp_wide a, simdp_wide b)
{
    const simdp_wide one = simdp_wide_from_u64(1);
    /* b = m 2^exponent, h = m 2^64 cut; 2^127 / h fits in 64 bits, but for h = 2^63 */
    const simdp_u128 quotient = ((simdp_u128)1 << 127) / b.limb[TOP];
    const uint64_t start = quotient >> 64 ? UINT64_MAX : (uint64_t)quotient;
    simdp_wide y = simdp_wide_scale(simdp_wide_from_u64(start), -63 - b.exponent);
    y.sign = b.sign;
    for (int i = 0; i < 4; i++) {
        const simdp_wide rest = simdp_wide_sub(one, simdp_wide_mul(b, y));
        y = simdp_wide_add(y, simdp_wide_mul(y, rest));
    }
    return simdp_wide_mul(a, y);
}

/* Newton for y = 1/sqrt(a), a brought into [1/4, 1) by its exponent. The start (68 - 39 a) / 32 is within 0.094; eight
 * steps d -> 1.5 d^2 + 0.5 d^3 leave 2^-718. The last one computes 1 - a y^2 to 2.1 e, half of it is added: 2.1 e.
 * Times a: 3.2 e. */
simdp_wide simdp_wide_sqrt(simdp_wide a)
{
    if (a.sign == 0) return a;
    const simdp_wide one = simdp_wide_from_u64(1);
    const int64_t odd = a.exponent & 1, half = (a.exponent + odd) / 2;
    a.exponent = -odd;
    simdp_wide y = simdp_wide_sub(simdp_wide_from_u64(68), simdp_wide_mul(simdp_wide_from_u64(39), a));
    y = simdp_wide_scale(y, -5);
    for (int i = 0; i < 8; i++) {
        const simdp_wide rest = simdp_wide_sub(one, simdp_wide_mul(a, simdp_wide_mul(y, y)));
        y = simdp_wide_add(y, simdp_wide_scale(simdp_wide_mul(y, rest), -1));
    }
    return simdp_wide_scale(simdp_wide_mul(a, y), half);
}

int simdp_wide_compare(simdp_wide a, simdp_wide b)
{
    if (a.sign != b.sign) return a.sign < b.sign ? -1 : 1;
    return a.sign * compare_magnitudes(&a, &b);
}

/* ---- functions ---- */

/* cut to 512 bits */
static const simdp_wide ln2 = {{0x27573b291169b825, 0xed2eae35c1382144, 0x559552fb4afa1b10, 0xe7b876206debac98,
                                0x8a0d175b8baafa2b, 0x40f343267298b62d, 0xc9e3b39803f2f6af, 0xb17217f7d1cf79ab},
                               0,
                               1};
static const simdp_wide quarter_pi = {{0x4fe1356d6d51c245, 0x302b0a6df25f1437, 0xef9519b3cd3a431b, 0x514a08798e3404dd,
                                       0x020bbea63b139b22, 0x29024e088a67cc74, 0xc4c6628b80dc1cd1, 0xc90fdaa22168c234},
                                      0,
                                      1};

#define ROOT_HALF 0xb504f333f9de6484 /* sqrt(1/2) 2^64 */

/* k ln2 + ln(1 + f), 1 + f in [sqrt(1/2), sqrt 2], = k ln2 + 2 s P(s^2), s = f / (2 + f), P(z) = 1 + z/3 + z^2/5 +
 * ..., with z <= 0.02944: a hundred terms leave 2^-516. Errors: s 5.3 e; P 1.3 e (z, 12 e, times 0.01; products times
 * z/3; last sum); 2 s P 7.7 e; k ln2 2.1 e. Where k is not 0 the result is at least |k| ln2 / 2: 2 * 2.1 + 7.7 + 1.1 =
 * 13 e. With the 3 e of simdp_wide_neg_log1m below 2^-506. */
#define LOG_TERMS 100
static simdp_wide log_of(simdp_wide f, int64_t k)
{
    const simdp_wide one = simdp_wide_from_u64(1);
    const simdp_wide s = simdp_wide_div(f, simdp_wide_add(f, simdp_wide_from_u64(2))), z = simdp_wide_mul(s, s);
    simdp_wide p = simdp_wide_from_u64(0);
    for (unsigned i = LOG_TERMS; i-- > 0;) {
        p = simdp_wide_add(simdp_wide_mul(p, z), simdp_wide_div_small(one, 2 * i + 1));
    }
    return simdp_wide_add(simdp_wide_mul(ln2, from_i64(k)), simdp_wide_scale(simdp_wide_mul(s, p), 1));
}

/* k with x 2^-k in [sqrt(1/2), sqrt 2] */
static int64_t octave_of(const simdp_wide *x) { return x->limb[TOP] < ROOT_HALF ? x->exponent - 1 : x->exponent; }

simdp_wide simdp_wide_log(simdp_wide x)
{
    const int64_t k = octave_of(&x);
    return log_of(simdp_wide_sub(simdp_wide_scale(x, -k), simdp_wide_from_u64(1)), k); /* the difference is exact */
}

simdp_wide simdp_wide_neg_log(simdp_wide u) { return simdp_wide_neg(simdp_wide_log(u)); }

/* 1 - v is cut: e, which where k is not 0 and the result at least 0.34 adds 3 e. */
simdp_wide simdp_wide_neg_log1m(simdp_wide v)
{
    const simdp_wide x = simdp_wide_sub(simdp_wide_from_u64(1), v);
    const int64_t k = octave_of(&x);
    return simdp_wide_neg(k != 0 ? simdp_wide_log(x) : log_of(simdp_wide_neg(v), 0));
}

/* 1 + x/d_1 (1 + x/d_2 (1 + ...)), d_i = i if step is 1: e^x; d_i = (2 i + first - 1) (2 i + first) if it is 2: cosine
 * of sqrt(-x) for first = 0, sine divided by sqrt(-x) for first = 1 */
static simdp_wide taylor(simdp_wide x, unsigned terms, unsigned step, unsigned first)
{
    const simdp_wide one = simdp_wide_from_u64(1);
    simdp_wide sum = one;
    for (unsigned i = terms - 1; i > 0; i--) {
        const unsigned divisor = step == 1 ? i : (2 * i + first - 1) * (2 * i + first);
        sum = simdp_wide_add(one, simdp_wide_div_small(simdp_wide_mul(sum, x), divisor));
    }
    return sum;
}

/* x = k ln2 + r, |r| <= 0.3466 (k from the first 53 bits of 1/ln2): 80 terms leave 2^-516. Errors: of r, absolutely,
 * 2 e |x| + 1.1 e; Taylor 3 e (last sum e, what is before it times 0.5). Together below 5 e + 2 e |x|. */
#define EXP_TERMS 80
simdp_wide simdp_wide_exp(simdp_wide x)
{
    const int64_t k = simdp_wide_to_i64(simdp_wide_mul_double(x, 0x1.71547652b82fep+0));
    const simdp_wide r = simdp_wide_sub(x, simdp_wide_mul(ln2, from_i64(k)));
    return simdp_wide_scale(taylor(r, EXP_TERMS, 1, 0), k);
}

/* Taylor in y = (pi t / 4)^2 <= 0.617: 48 terms leave 2^-531. Errors: angle 2.1 e, y 5.2 e; sine 5.2 e (angle;
 * y times 0.11; what is before the last sum times 0.12; last sum; product), cosine 4.6 e (y times 0.4; before the last
 * sum times 0.42; last sum). */
#define ANGLE_TERMS 48
void simdp_wide_sincos_pi(simdp_wide *sine, simdp_wide *cosine, simdp_wide t)
{
    const simdp_wide angle = simdp_wide_mul(quarter_pi, t), minus_y = simdp_wide_neg(simdp_wide_mul(angle, angle));
    *sine = simdp_wide_mul(angle, taylor(minus_y, ANGLE_TERMS, 2, 1));
    *cosine = taylor(minus_y, ANGLE_TERMS, 2, 0);
}
