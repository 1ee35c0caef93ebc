/* vec_scalar.h: the vocabulary in plain C, eight lanes in a struct. Works on every CPU; also the reference the other
 * vocabularies are tested against.
 *
 * Not constant time on CPUs without FMA instructions: fma() of the C library is then a routine that branches on its
 * arguments. One without branches would have to round the sum of three parts to odd and scale around overflow and
 * subnormal numbers, for CPUs older than AVX2; simdp.h says instead that the promise does not cover them. */
#ifndef SIMDP_VEC_SCALAR_H
#define SIMDP_VEC_SCALAR_H

#include <math.h>

#include "vec/aes_portable.h"

#define VEC_LANES      8
#define VEC_STEP       2
#define VEC_COMPRESSES false

typedef struct {
    double d[VEC_LANES];
} vd;
typedef struct {
    uint64_t u[VEC_LANES];
} vu;
typedef aes_blocks vs;
typedef vd vt;
typedef struct {
    float f[2 * VEC_LANES];
} vf;
typedef struct {
    float f[8];
} vft;

#define VEC_EACH(type, field, expression)                               \
    type result;                                                        \
    for (int i = 0; i < VEC_LANES; i++) result.field[i] = (expression); \
    return result
#define VEC_EACH_F(expression)                                          \
    vf result;                                                          \
    for (int i = 0; i < 2 * VEC_LANES; i++) result.f[i] = (expression); \
    return result
/* both halves of each word; half(x, i) is half i of the vector x */
#define VEC_EACH_W(expression)                                                                                   \
    vu result = {{0}};                                                                                           \
    for (int i = 0; i < 2 * VEC_LANES; i++) result.u[i / 2] |= (uint64_t)(uint32_t)(expression) << (i % 2 * 32); \
    return result

OP vd vd_set1(double x) { VEC_EACH(vd, d, x); }
/* memcpy: callers' arrays may have any alignment */
OP vd vd_load(const double *p)
{
    vd a;
    memcpy(&a, p, sizeof a);
    return a;
}
OP void vd_store(double *p, vd a) { memcpy(p, &a, sizeof a); }
/* Lane i of vector j and lane j of vector i change places. */
OP void vd_transpose(vd a[VEC_LANES])
{
    for (int i = 0; i < VEC_LANES; i++) {
        for (int j = 0; j < i; j++) {
            const double swapped = a[i].d[j];
            a[i].d[j] = a[j].d[i], a[j].d[i] = swapped;
        }
    }
}
OP vd vd_add(vd a, vd b) { VEC_EACH(vd, d, a.d[i] + b.d[i]); }
OP vd vd_sub(vd a, vd b) { VEC_EACH(vd, d, a.d[i] - b.d[i]); }
OP vd vd_mul(vd a, vd b) { VEC_EACH(vd, d, a.d[i] * b.d[i]); }
OP vd vd_div(vd a, vd b) { VEC_EACH(vd, d, a.d[i] / b.d[i]); }
OP vd vd_fma(vd a, vd b, vd c) { VEC_EACH(vd, d, fma(a.d[i], b.d[i], c.d[i])); }   /* a*b + c, rounded once */
OP vd vd_fnma(vd a, vd b, vd c) { VEC_EACH(vd, d, fma(-a.d[i], b.d[i], c.d[i])); } /* c - a*b, rounded once */
OP vd vd_sqrt(vd a) { VEC_EACH(vd, d, sqrt(a.d[i])); }
OP vd vd_min(vd a, vd b) { VEC_EACH(vd, d, a.d[i] < b.d[i] ? a.d[i] : b.d[i]); } /* b where either is NaN */
OP vd vd_max(vd a, vd b) { VEC_EACH(vd, d, a.d[i] > b.d[i] ? a.d[i] : b.d[i]); } /* b where either is NaN */
OP vd vd_load_f32(const float *p)                                                /* VEC_LANES floats, exactly */
{
    float x[VEC_LANES];
    memcpy(x, p, sizeof x);
    VEC_EACH(vd, d, (double)x[i]);
}
OP void vd_store_f32(float *p, vd a) /* VEC_LANES floats, to nearest even */
{
    for (int i = 0; i < VEC_LANES; i++) {
        const float x = (float)a.d[i];
        memcpy(p + i, &x, sizeof x);
    }
}
OP vd vd_from_bits(vu a)
{
    vd r;
    memcpy(&r, &a, sizeof r);
    return r;
}
OP vu vd_bits(vd a)
{
    vu r;
    memcpy(&r, &a, sizeof r);
    return r;
}
OP vd vd_from_i64(vu a) { VEC_EACH(vd, d, (double)(int64_t)a.u[i]); } /* rounded to nearest even */

OP vt vt_load(const double table[8]) { return vd_load(table); }
OP vd vt_at(vt table, vu index) /* table[index & 7], every entry touched */
{
    vu r;
    const vu entries = vd_bits(table);
    for (int i = 0; i < VEC_LANES; i++) {
        r.u[i] = 0;
        for (uint64_t j = 0; j < 8; j++) r.u[i] |= entries.u[j] & -(uint64_t)((index.u[i] & 7) == j);
    }
    return vd_from_bits(r);
}

OP vu vu_set1(uint64_t x) { VEC_EACH(vu, u, x); }
OP vu vu_from(const uint64_t w[8]) { VEC_EACH(vu, u, w[i]); }
OP vu vu_load(const uint64_t *p)
{
    vu r;
    memcpy(&r, p, sizeof r);
    return r;
}
OP void vu_store(uint64_t *p, vu a) { memcpy(p, &a, sizeof a); }
OP void vu_store_low(uint32_t *p, vu a) /* the low halves of VEC_LANES words */
{
    uint32_t low[VEC_LANES];
    for (int i = 0; i < VEC_LANES; i++) low[i] = (uint32_t)a.u[i];
    memcpy(p, low, sizeof low);
}
OP vu vu_and(vu a, vu b) { VEC_EACH(vu, u, a.u[i] & b.u[i]); }
OP vu vu_or(vu a, vu b) { VEC_EACH(vu, u, a.u[i] | b.u[i]); }
OP vu vu_xor(vu a, vu b) { VEC_EACH(vu, u, a.u[i] ^ b.u[i]); }
OP vu vu_add(vu a, vu b) { VEC_EACH(vu, u, a.u[i] + b.u[i]); }
OP vu vu_sub(vu a, vu b) { VEC_EACH(vu, u, a.u[i] - b.u[i]); }
OP vu vu_bits_or(vu a, vu mask, vu b) { VEC_EACH(vu, u, (a.u[i] & mask.u[i]) | b.u[i]); }
OP vu vu_bits_xor(vu a, vu mask, vu b) { VEC_EACH(vu, u, (a.u[i] & mask.u[i]) ^ b.u[i]); }
OP vu vu_shr(vu a, int count) { VEC_EACH(vu, u, a.u[i] >> count); }
OP vu vu_shl(vu a, int count) { VEC_EACH(vu, u, a.u[i] << count); }
OP vu vu_select(vu mask, vu a, vu b)
{
    VEC_EACH(vu, u, (mask.u[i] & a.u[i]) | (~mask.u[i] & b.u[i]));
} /* bits: mask ? a : b */
OP vu vu_load_u8(const uint8_t *p) { VEC_EACH(vu, u, p[i]); } /* VEC_LANES bytes, a word each */

/* Lanes chosen by a comparison. */
typedef struct {
    uint64_t m[VEC_LANES];
} vm;                                                                               /* all ones or 0 */
OP vm vd_above(vd a, vd b) { VEC_EACH(vm, m, -(uint64_t)(a.d[i] > b.d[i])); }       /* false where either is NaN */
OP vm vd_not_above(vd a, vd b) { VEC_EACH(vm, m, -(uint64_t) !(a.d[i] > b.d[i])); } /* true where either is NaN */
OP vm vu_exceeds(vu a, vu b) { VEC_EACH(vm, m, -(uint64_t)((int64_t)a.u[i] > (int64_t)b.u[i])); } /* signed */
OP vm vu_equal(vu a, vu b) { VEC_EACH(vm, m, -(uint64_t)(a.u[i] == b.u[i])); }
OP vm vu_nonzero(vu a) { VEC_EACH(vm, m, -(uint64_t)(a.u[i] != 0)); }
OP vm vm_or(vm a, vm b) { VEC_EACH(vm, m, a.m[i] | b.m[i]); }
OP unsigned vm_bits(vm m) /* bit i: lane i */
{
    unsigned bits = 0;
    for (int i = 0; i < VEC_LANES; i++) bits |= (unsigned)(m.m[i] & 1) << i;
    return bits;
}
OP vd vd_choose(vm m, vd a, vd b) { VEC_EACH(vd, d, m.m[i] ? a.d[i] : b.d[i]); }
OP vd vd_keep(vm m, vd a) { VEC_EACH(vd, d, m.m[i] ? a.d[i] : 0.0); }
OP vd vd_spoil(vm m, vd a) /* m ? NaN, all bits set : a */
{
    vu x = vd_bits(a);
    for (int i = 0; i < VEC_LANES; i++) x.u[i] |= m.m[i];
    return vd_from_bits(x);
}
OP vu vu_count(vu counts, vm m) { VEC_EACH(vu, u, counts.u[i] - m.m[i]); } /* one more where m */
OP bool vm_any(vm m) { return vm_bits(m) != 0; }
OP bool vm_all(vm m)
{
    uint64_t all = -(uint64_t)1;
    for (int i = 0; i < VEC_LANES; i++) all &= m.m[i];
    return all != 0;
}

/* To the nearest integer, ties to even, by a sum whose last place is 1; from 2^52 on everything is an integer. By
 * masks: what a number is shall not decide a branch. */
OP vd vd_rint(vd a)
{
    const vu x = vd_bits(a);
    vu r;
    for (int i = 0; i < VEC_LANES; i++) {
        const double magnitude = fabs(a.d[i]), whole = copysign(magnitude + 0x1p52 - 0x1p52, a.d[i]);
        const uint64_t small = -(uint64_t)(magnitude < 0x1p52);
        memcpy(&r.u[i], &whole, sizeof whole);
        r.u[i] = (r.u[i] & small) | (x.u[i] & ~small);
    }
    return vd_from_bits(r);
}
OP vd vd_number(vd a) /* NaN and -0 become 0 */
{
    vu x = vd_bits(a);
    for (int i = 0; i < VEC_LANES; i++) {
#if defined(__x86_64__) || defined(__aarch64__)
        x.u[i] &= -(uint64_t)((a.d[i] < 0.0) | (a.d[i] > 0.0));
#else /* data is taken flushing (fp_mode.h), where subnormal numbers count as 0; such CPUs may not have that mode */
        x.u[i] &= -(uint64_t)(fabs(a.d[i]) >= 0x1p-1022);
#endif
    }
    return vd_from_bits(x);
}
/* A sum that begins with vd_clean and ends with vd_cleaned knows no NaN, -0 and infinity: they count as 0, 0 and the
 * largest numbers. */
OP vd vd_clean(vd a) { return vd_number(a); }
OP vd vd_cleaned(vd a)
{
    return vd_max(vd_min(a, vd_set1(0x1.fffffffffffffp+1023)), vd_set1(-0x1.fffffffffffffp+1023));
}
OP vd vd_rest(vd a)
{
    return vd_min(vd_sub(a, vd_rint(a)), vd_set1(0.5));
} /* a - rint(a); of an infinity something within 1/2 */
OP vd vd_rint_rest(vd a, vd *rest) /* rint(a), 0 of either sign, and a - rint(a), for numbers */
{
    const vd whole = vd_rint(a);
    *rest = vd_sub(a, whole);
    return whole;
}

OP vm vd_exceeds(vd a, vd b) { VEC_EACH(vm, m, -(uint64_t) !(a.d[i] <= b.d[i])); } /* a > b, or one of them is NaN */
OP vu vu_where(vm m, vu a) { VEC_EACH(vu, u, m.m[i] & a.u[i]); }                   /* m ? a : 0 */
OP vu vu_add_where(vu a, vm m, vu b) { return vu_add(a, vu_where(m, b)); }         /* a + (m ? b : 0) */

OP uint32_t half(const vu *a, int i) { return (uint32_t)(a->u[i / 2] >> i % 2 * 32); }
OP vf vf_set1(float x) { VEC_EACH_F(x); }
OP vf vf_load(const float *p)
{
    vf a;
    memcpy(&a, p, sizeof a);
    return a;
}
OP void vf_store(float *p, vf a) { memcpy(p, &a, sizeof a); }
OP vf vf_add(vf a, vf b) { VEC_EACH_F(a.f[i] + b.f[i]); }
OP vf vf_sub(vf a, vf b) { VEC_EACH_F(a.f[i] - b.f[i]); }
OP vf vf_mul(vf a, vf b) { VEC_EACH_F(a.f[i] * b.f[i]); }
OP vf vf_fma(vf a, vf b, vf c) { VEC_EACH_F(fmaf(a.f[i], b.f[i], c.f[i])); }
OP vf vf_fnma(vf a, vf b, vf c) { VEC_EACH_F(fmaf(-a.f[i], b.f[i], c.f[i])); }
OP vf vf_sqrt(vf a) { VEC_EACH_F(sqrtf(a.f[i])); }
OP vf vf_min(vf a, vf b) { VEC_EACH_F(a.f[i] < b.f[i] ? a.f[i] : b.f[i]); }
OP vf vf_max(vf a, vf b) { VEC_EACH_F(a.f[i] > b.f[i] ? a.f[i] : b.f[i]); }
OP bool vf_any_above(vf a, vf b)
{
    bool any = false;
    for (int i = 0; i < 2 * VEC_LANES; i++) any |= a.f[i] > b.f[i];
    return any;
}
OP vu halves_in_order(vu a) { VEC_EACH(vu, u, word_as_halves(a.u[i])); }
OP vf vf_from_bits(vu a)
{
    vf r;
    a = halves_in_order(a);
    memcpy(&r, &a, sizeof r);
    return r;
}
OP vu vf_bits(vf a)
{
    vu r;
    memcpy(&r, &a, sizeof r);
    return halves_in_order(r);
}
OP vf vf_from_i32(vu a) { VEC_EACH_F((float)(int32_t)half(&a, i)); } /* signed halves, to nearest even */
/* Octaves from x (its sign ignored) up to a power of two, in units that make VEC_OCTAVE one. */
#define VEC_OCTAVE 1.0f
OP vf vf_octaves_below(vf power, vu x)
{
    const vu p = vf_bits(power);
    VEC_EACH_F((float)((int)(half(&p, i) >> 23) - (int)(half(&x, i) >> 23 & 0xff)));
}
OP vft vft_load(const float table[8])
{
    vft r;
    memcpy(&r, table, sizeof r);
    return r;
}
OP vf vft_at(vft table, vu index) /* table[half of index & 7], every entry touched */
{
    uint32_t entries[8];
    vu bits = {{0}};
    memcpy(entries, &table, sizeof entries);
    for (int i = 0; i < 2 * VEC_LANES; i++) {
        uint32_t found = 0;
        for (uint32_t j = 0; j < 8; j++) found |= entries[j] & -(uint32_t)((half(&index, i) & 7) == j);
        bits.u[i / 2] |= (uint64_t)found << (i % 2 * 32);
    }
    return vf_from_bits(bits);
}

OP vu vw_set1(uint32_t x) { VEC_EACH(vu, u, x | (uint64_t)x << 32); } /* vw: the halves of words, 32 bits each */
OP vu vw_load(const int32_t *p)
{
    vu r;
    memcpy(&r, p, sizeof r);
    return halves_in_order(r);
}
OP void vw_store(int32_t *p, vu a)
{
    a = halves_in_order(a);
    memcpy(p, &a, sizeof a);
}
OP vu vw_add(vu a, vu b) { VEC_EACH_W(half(&a, i) + half(&b, i)); }
OP vu vw_sub(vu a, vu b) { VEC_EACH_W(half(&a, i) - half(&b, i)); }
OP vu vw_max(vu a, vu b) /* signed */
{
    VEC_EACH_W((int32_t)half(&a, i) > (int32_t)half(&b, i) ? half(&a, i) : half(&b, i));
}
OP vu vw_shr(vu a, int count) { VEC_EACH_W(half(&a, i) >> count); }
OP int32_t signed_half(const vu *a, int i) { return (int32_t)half(a, i); }
OP vu vw_min(vu a, vu b) { VEC_EACH_W(signed_half(&a, i) < signed_half(&b, i) ? half(&a, i) : half(&b, i)); }
OP uint64_t vw_above(vu a, vu b) /* a bit for each byte: set where the half of a is above that of b, signed */
{
    uint64_t bits = 0;
    for (int i = 0; i < 2 * VEC_LANES; i++)
        bits |= (uint64_t)(signed_half(&a, i) > signed_half(&b, i) ? 15 : 0) << 4 * i;
    return bits;
}
/* The low (high) halves of 2 VEC_LANES doubles. In each eight, half k is that of double k with bits 1 and 2 of k
 * exchanged. */
OP uint64_t double_of_half(const vd *a, const vd *b, int i)
{
    const int k = (i & ~6) | (i & 2) << 1 | (i & 4) >> 1;
    uint64_t bits;
    memcpy(&bits, k < VEC_LANES ? &a->d[k] : &b->d[k - VEC_LANES], sizeof bits);
    return bits;
}
OP vu vw_low(vd a, vd b) { VEC_EACH_W(double_of_half(&a, &b, i)); }
OP vu vw_high(vd a, vd b) { VEC_EACH_W(double_of_half(&a, &b, i) >> 32); }
OP vd vd_load_i32(const int32_t *p) { VEC_EACH(vd, d, p[i]); }

/* vh: the quarters of words, 16 bits each, unsigned; quarter(x, i) is quarter i of the vector x */
#define VEC_EACH_H(expression)                                                                                   \
    vu result = {{0}};                                                                                           \
    for (int i = 0; i < 4 * VEC_LANES; i++) result.u[i / 4] |= (uint64_t)(uint16_t)(expression) << (i % 4 * 16); \
    return result
OP uint32_t quarter(const vu *a, int i) { return (uint16_t)(a->u[i / 4] >> i % 4 * 16); }
OP vu vh_set1(uint16_t x) { VEC_EACH_H(x); }
OP vu vh_load(const uint16_t *p) { VEC_EACH_H(p[i]); }
OP vu vh_shr(vu a, int count) { VEC_EACH_H(quarter(&a, i) >> count); }
OP vu vh_mul_high(vu a, vu b) { VEC_EACH_H(quarter(&a, i) * quarter(&b, i) >> 16); } /* cut */
OP vu vh_sub_cut(vu a, vu b) { VEC_EACH_H(quarter(&a, i) > quarter(&b, i) ? quarter(&a, i) - quarter(&b, i) : 0); }
OP vu vh_min(vu a, vu b) { VEC_EACH_H(quarter(&a, i) < quarter(&b, i) ? quarter(&a, i) : quarter(&b, i)); }
OP uint64_t vh_zeros(vu a) /* a bit for each byte: set where the quarter is 0 */
{
    uint64_t bits = 0;
    for (int i = 0; i < 4 * VEC_LANES; i++) bits |= (uint64_t)(quarter(&a, i) == 0 ? 3 : 0) << 2 * i;
    return bits;
}

/* vb: bytes. Byte i: 1 where whether byte i of a is not 0 differs from bit i of the array, else 0. */
OP vu vb_flip(vu a, const uint8_t *bits)
{
    uint8_t bytes[8 * VEC_LANES];
    memcpy(bytes, &a, sizeof bytes);
    for (int i = 0; i < 8 * VEC_LANES; i++) bytes[i] = (uint8_t)((bytes[i] != 0) ^ (bits[i / 8] >> i % 8 & 1));
    memcpy(&a, bytes, sizeof a);
    return a;
}

/* To the nearest integer, ties to even, by a sum whose last place is 1; from 2^23 on everything is an integer. By
 * masks. */
OP vf rint_f32(vf a)
{
    vf r;
    for (int i = 0; i < 2 * VEC_LANES; i++) {
        const float magnitude = fabsf(a.f[i]), whole = copysignf(magnitude + 0x1p23f - 0x1p23f, a.f[i]);
        const uint32_t small = -(uint32_t)(magnitude < 0x1p23f);
        uint32_t x, y;
        memcpy(&x, &a.f[i], sizeof x);
        memcpy(&y, &whole, sizeof y);
        y = (y & small) | (x & ~small);
        memcpy(&r.f[i], &y, sizeof y);
    }
    return r;
}
OP vf vf_rest(vf a) { return vf_sub(a, rint_f32(a)); } /* a - a rounded to nearest even, for numbers */
OP vu vw_from_f32(vf a)                                /* 0x80000000 if out of range */
{
    const vf whole = rint_f32(a);
    VEC_EACH_W(whole.f[i] >= -0x1p31f && whole.f[i] < 0x1p31f ? (uint32_t)(int32_t)whole.f[i] : 0x80000000);
}

/* lanes of floats and halves: all ones */
typedef vu vmf;
OP vmf vf_exceeds(vf a, vf b) { VEC_EACH_W(-(uint32_t) !(a.f[i] <= b.f[i])); }
OP vmf vw_equal(vu a, vu b) { VEC_EACH_W(-(uint32_t)(half(&a, i) == half(&b, i))); }
OP vu vw_where(vmf m, vu a) { return vu_and(m, a); }
OP vu vw_add_where(vu a, vmf m, vu b) { return vw_add(a, vw_where(m, b)); } /* a + (m ? b : 0) */
OP vu vw_max_where(vu a, vmf m, vu b) { return vw_max(a, vw_where(m, b)); } /* the larger of a >= 0 and (m ? b : 0) */
OP vu vw_choose(vmf m, vu a, vu b) { VEC_EACH(vu, u, (m.u[i] & a.u[i]) | (~m.u[i] & b.u[i])); }
OP vmf vmf_and(vmf a, vmf b) { return vu_and(a, b); }
OP vmf vmf_or(vmf a, vmf b) { return vu_or(a, b); }

/* signed words */
OP vu vu_from_i32(const int32_t *p) { VEC_EACH(vu, u, (uint64_t)(int64_t)p[i]); }
OP vu vu_add_saturated(vu a, vu b)
{
    vu r;
    for (int i = 0; i < VEC_LANES; i++) {
        const uint64_t sum = a.u[i] + b.u[i], end = (a.u[i] >> 63) + 0x7fffffffffffffff;
        const uint64_t overflow = -((~(a.u[i] ^ b.u[i]) & (a.u[i] ^ sum)) >> 63);
        r.u[i] = (overflow & end) | (~overflow & sum);
    }
    return r;
}

/* AES: bit-sliced, with room for the eight blocks of a step; a vs has four of them. */
OP vs vs_set1(const uint64_t block[2])
{
    vs r;
    aes_slice_same(&r, block);
    return r;
} /* the same block everywhere */
OP vs vs_pair(uint64_t low, uint64_t high)
{
    return vs_set1((const uint64_t[]){low, high});
} /* from two words at hand */
OP vs vs_load_xor(const uint64_t *p, vs a)
{
    vs r;
    aes_slice(&r, p, VEC_LANES / 2);
    aes_xor(&r, &a);
    return r;
}
OP vs vs_round(vs a, vs key)
{
    aes_round(&a, &key, 1);
    return a;
}
OP vs vs_last(vs a, vs key)
{
    aes_round(&a, &key, 0);
    return a;
}
OP vu vs_words(vs a)
{
    vu r;
    aes_unslice(r.u, &a, VEC_LANES / 2);
    return r;
}
OP vs vs_from_words(vu a)
{
    vs r;
    aes_slice(&r, a.u, VEC_LANES / 2);
    return r;
}

OP vs vs_next_key(vs key, uint32_t constant) /* the round key of AES-128 that follows, of a key in each block */
{
    const vu from = vs_words(key);
    vu last, next;
    for (int i = 0; i < VEC_LANES; i++) {
        const uint32_t w = (uint32_t)(from.u[i | 1] >> 32), turned = w >> 8 | w << 24;
        last.u[i] = turned | (uint64_t)turned << 32;
    }
    const uint64_t constants = constant | (uint64_t)constant << 32;
    const vu subbed = vs_words(vs_last(vs_from_words(last), vs_pair(constants, constants)));
    for (int i = 0; i < VEC_LANES; i += 2) {
        const uint64_t low = from.u[i] ^ from.u[i] << 32, carry = low >> 32 | low >> 32 << 32;
        next.u[i] = low ^ subbed.u[i];
        next.u[i + 1] = from.u[i + 1] ^ from.u[i + 1] << 32 ^ carry ^ subbed.u[i + 1];
    }
    return vs_from_words(next);
}
OP void vs_store_one(uint64_t out[2], vs a) /* block 0 */
{
    const vu words = vs_words(a);
    for (int i = 0; i < 2; i++) out[i] = words.u[i];
}
#define VEC_STEP_STATE
typedef vs vss;
OP vs vss_key(const uint64_t block[2], int round)
{
    vs key = vs_set1(block);
    aes_turn_key(&key, round + 1);
    return key;
}
OP void vss_load_xor(vss *a, const uint64_t *p, const vs *b)
{
    aes_slice(a, p, VEC_STEP * VEC_LANES / 2);
    aes_xor(a, b);
}
OP void vss_round(vss *a, const vs *key, int round) { aes_turned_round(a, key, round + 1); }
OP void vs_hold(vs *a) { (void)a; }
OP void vss_hold(vss *a) { vs_hold(a); }
OP void vss_last(vu words[VEC_STEP], const vss *a, const vs *key)
{
    vss r = *a;
    uint64_t out[VEC_STEP * VEC_LANES];
    aes_turned_last(&r, key);
    aes_unslice(out, &r, VEC_STEP * VEC_LANES / 2);
    memcpy(words, out, sizeof out);
}

/* Pair i: word 2 i of a, then that of b; of odd words: words 2 i + 1. */
OP vu vu_pair_even(vu a, vu b) { VEC_EACH(vu, u, i % 2 == 0 ? a.u[i] : b.u[i - 1]); }
OP vu vu_pair_odd(vu a, vu b) { VEC_EACH(vu, u, i % 2 == 0 ? a.u[i + 1] : b.u[i]); }
/* Words 0, 2, 4, ... of a, then those of b; of odd words: words 1, 3, 5, ... */
OP vu vu_evens(vu a, vu b) { VEC_EACH(vu, u, i < VEC_LANES / 2 ? a.u[2 * i] : b.u[2 * i - VEC_LANES]); }
OP vu vu_odds(vu a, vu b) { VEC_EACH(vu, u, i < VEC_LANES / 2 ? a.u[2 * i + 1] : b.u[2 * i + 1 - VEC_LANES]); }
/* The same in an order that costs least, here in no other; the high halves of the words of two such vectors; a mask of
 * these, as masks of the words of either; and back to the order that it stands for. */
OP vu vu_mixed_evens(vu a, vu b) { return vu_evens(a, b); }
OP vu vu_mixed_odds(vu a, vu b) { return vu_odds(a, b); }
OP vu vu_mixed_high(vu a, vu b)
{
    VEC_EACH_W(i < VEC_LANES ? half(&a, 2 * i + 1) : half(&b, 2 * i + 1 - 2 * VEC_LANES));
}
OP vm vm_mixed_first(vmf m) { VEC_EACH(vm, m, -(uint64_t)(half(&m, i) & 1)); }
OP vm vm_mixed_second(vmf m) { VEC_EACH(vm, m, -(uint64_t)(half(&m, VEC_LANES + i) & 1)); }
OP vu vu_sorted(vu a) { return a; }
OP vu vw_sorted(vu a) { return a; }
/* lanes 0, 1, ... of a where m, else 0 */
OP vu vu_expand(vm m, vu a)
{
    vu result;
    for (int i = 0, from = 0; i < VEC_LANES; i++) {
        result.u[i] = a.u[from] & m.m[i];
        from += (int)(m.m[i] & 1);
    }
    return result;
}
/* lanes where m, then others or 0 */
OP vu vu_compress(vm m, vu a)
{
    vu result = {{0}};
    for (int i = 0, to = 0; i < VEC_LANES; i++) {
        result.u[to] = a.u[i] & m.m[i];
        to += (int)(m.m[i] & 1);
    }
    return result;
}

#endif
