/* vec_avx2.h: the vocabulary on AVX2 + FMA; AES by VAES-256 where the unit says SIMDP_VEC_VAES, else by AES-NI. */
#ifndef SIMDP_VEC_AVX2_H
#define SIMDP_VEC_AVX2_H

#include <immintrin.h>

#define VEC_LANES      4
#define VEC_STEP       4
#define VEC_COMPRESSES true /* vu_compress is quicker than a loop over the lanes */

typedef __m256d vd;
typedef __m256i vu;
typedef struct {
    __m256i low, high;
} vt;
typedef __m256 vf;
typedef __m256 vft;

OP vd vd_set1(double x) { return _mm256_set1_pd(x); }
OP vd vd_load(const double *p) { return _mm256_loadu_pd(p); }
OP void vd_store(double *p, vd a) { _mm256_storeu_pd(p, a); }
/* Lane i of vector j and lane j of vector i change places. */
OP void vd_transpose(vd a[4])
{
    const vd b0 = _mm256_unpacklo_pd(a[0], a[1]), b1 = _mm256_unpackhi_pd(a[0], a[1]);
    const vd b2 = _mm256_unpacklo_pd(a[2], a[3]), b3 = _mm256_unpackhi_pd(a[2], a[3]);
    a[0] = _mm256_permute2f128_pd(b0, b2, 0x20), a[1] = _mm256_permute2f128_pd(b1, b3, 0x20);
    a[2] = _mm256_permute2f128_pd(b0, b2, 0x31), a[3] = _mm256_permute2f128_pd(b1, b3, 0x31);
}
OP vd vd_add(vd a, vd b) { return _mm256_add_pd(a, b); }
OP vd vd_sub(vd a, vd b) { return _mm256_sub_pd(a, b); }
OP vd vd_mul(vd a, vd b) { return _mm256_mul_pd(a, b); }
OP vd vd_div(vd a, vd b) { return _mm256_div_pd(a, b); }
OP vd vd_fma(vd a, vd b, vd c)
{
    return _mm256_fmadd_pd(a, b, c);
} /* a*b + c, rounded once; fusing happens here only */
OP vd vd_fnma(vd a, vd b, vd c) { return _mm256_fnmadd_pd(a, b, c); } /* c - a*b, rounded once */
OP vd vd_sqrt(vd a) { return _mm256_sqrt_pd(a); }
OP vd vd_min(vd a, vd b) { return _mm256_min_pd(a, b); } /* a < b ? a : b, so b where either is NaN */
OP vd vd_max(vd a, vd b) { return _mm256_max_pd(a, b); } /* a > b ? a : b, so b where either is NaN */
OP vd vd_load_f32(const float *p) { return _mm256_cvtps_pd(_mm_loadu_ps(p)); } /* VEC_LANES floats, exactly */
OP void vd_store_f32(float *p, vd a) { _mm_storeu_ps(p, _mm256_cvtpd_ps(a)); } /* VEC_LANES floats, to nearest even */
OP vd vd_rint(vd a) { return _mm256_round_pd(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC); } /* ties to even */
OP vd vd_number(vd a)
{
    return _mm256_and_pd(a, _mm256_cmp_pd(a, vd_set1(0.0), _CMP_NEQ_OQ));
} /* NaN and -0 become 0 */
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
OP vd vd_from_bits(vu a) { return _mm256_castsi256_pd(a); }
OP vu vd_bits(vd a) { return _mm256_castpd_si256(a); }

OP vu vu_set1(uint64_t x) { return _mm256_set1_epi64x((long long)x); }
OP vu vu_from(const uint64_t w[4]) /* words at hand: a load of words just stored would stall */
{
    return _mm256_set_epi64x((long long)w[3], (long long)w[2], (long long)w[1], (long long)w[0]);
}
OP vu vu_load(const uint64_t *p) { return _mm256_loadu_si256((const __m256i *)(const void *)p); }
OP void vu_store(uint64_t *p, vu a) { _mm256_storeu_si256((__m256i *)(void *)p, a); }
OP void vu_store_low(uint32_t *p, vu a) /* the low halves of VEC_LANES words */
{
    const __m256i low = _mm256_permutevar8x32_epi32(a, _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6));
    _mm_storeu_si128((__m128i *)(void *)p, _mm256_castsi256_si128(low));
}
OP vu vu_and(vu a, vu b) { return _mm256_and_si256(a, b); }
OP vu vu_or(vu a, vu b) { return _mm256_or_si256(a, b); }
OP vu vu_xor(vu a, vu b) { return _mm256_xor_si256(a, b); }
OP vu vu_add(vu a, vu b) { return _mm256_add_epi64(a, b); }
OP vu vu_sub(vu a, vu b) { return _mm256_sub_epi64(a, b); }
OP vu vu_bits_or(vu a, vu mask, vu b) { return vu_or(vu_and(a, mask), b); }   /* (a & mask) | b */
OP vu vu_bits_xor(vu a, vu mask, vu b) { return vu_xor(vu_and(a, mask), b); } /* (a & mask) ^ b */
#define vu_shr(a, count) _mm256_srli_epi64(a, count)
OP vu vu_select(vu mask, vu a, vu b)
{
    return vu_or(vu_and(mask, a), _mm256_andnot_si256(mask, b));
} /* bits: mask ? a : b */
#define vu_shl(a, count) _mm256_slli_epi64(a, count)
OP vu vu_load_u8(const uint8_t *p) /* VEC_LANES bytes, a word each */
{
    int32_t bytes;
    memcpy(&bytes, p, sizeof bytes);
    return _mm256_cvtepu8_epi64(_mm_cvtsi32_si128(bytes));
}

/* Lanes chosen by a comparison. */
typedef __m256d vm;
OP vm vd_above(vd a, vd b) { return _mm256_cmp_pd(a, b, _CMP_GT_OQ); }          /* a > b; false where either is NaN */
OP vm vd_not_above(vd a, vd b) { return _mm256_cmp_pd(a, b, _CMP_NGT_UQ); }     /* true where either is NaN */
OP vm vu_exceeds(vu a, vu b) { return vd_from_bits(_mm256_cmpgt_epi64(a, b)); } /* a > b, signed */
OP vm vu_equal(vu a, vu b) { return vd_from_bits(_mm256_cmpeq_epi64(a, b)); }
OP vm vu_nonzero(vu a) { return vd_from_bits(vu_xor(_mm256_cmpeq_epi64(a, vu_set1(0)), vu_set1(UINT64_MAX))); }
OP vm vm_or(vm a, vm b) { return _mm256_or_pd(a, b); }
OP unsigned vm_bits(vm m) { return (unsigned)_mm256_movemask_pd(m); }   /* bit i: lane i */
OP vd vd_choose(vm m, vd a, vd b) { return _mm256_blendv_pd(b, a, m); } /* m ? a : b */
OP vd vd_keep(vm m, vd a) { return _mm256_and_pd(m, a); }               /* m ? a : +0 */
OP vd vd_spoil(vm m, vd a) { return _mm256_or_pd(m, a); }               /* m ? NaN, all bits set : a */
OP vu vu_count(vu counts, vm m) { return vu_sub(counts, vd_bits(m)); }  /* one more where m */
OP bool vm_any(vm m) { return _mm256_movemask_pd(m) != 0; }
OP bool vm_all(vm m) { return _mm256_movemask_pd(m) == 0xf; }

/* Signed word to double, rounded to nearest even. The high half becomes 2^84 + 2^63 + hi 2^32 and the low half 2^52 +
 * lo, both exact; the subtraction is exact too, so the addition rounds once. */
OP vd vd_from_i64(vu a)
{
    const vu high = vu_xor(vu_shr(a, 32), vu_set1(0x4530000080000000));
    const vu low = _mm256_blend_epi32(a, vu_set1(0x4330000000000000), 0xaa);
    return vd_add(vd_sub(vd_from_bits(high), vd_set1(0x1.00000801p84)), vd_from_bits(low));
}

/* table[index & 7]: low and high halves of the doubles are looked up as eight 32-bit entries each. */
OP vt vt_load(const double table[8])
{
    const __m256 first = _mm256_loadu_ps((const float *)(const void *)table);
    const __m256 second = _mm256_loadu_ps((const float *)(const void *)(table + 4));
    const __m256i order = _mm256_setr_epi32(0, 1, 4, 5, 2, 3, 6, 7);
    const __m256i low = _mm256_castps_si256(_mm256_shuffle_ps(first, second, 0x88));
    const __m256i high = _mm256_castps_si256(_mm256_shuffle_ps(first, second, 0xdd));
    return (vt){_mm256_permutevar8x32_epi32(low, order), _mm256_permutevar8x32_epi32(high, order)};
}
OP vd vt_at(vt table, vu index)
{
    const __m256i both = _mm256_shuffle_epi32(index, 0xa0);
    return vd_from_bits(_mm256_blend_epi32(_mm256_permutevar8x32_epi32(table.low, both),
                                           _mm256_permutevar8x32_epi32(table.high, both), 0xaa));
}

OP vm vd_exceeds(vd a, vd b) { return _mm256_cmp_pd(a, b, _CMP_NLE_UQ); }  /* a > b, or one of them is NaN */
OP vu vu_where(vm m, vu a) { return vu_and(vd_bits(m), a); }               /* m ? a : 0 */
OP vu vu_add_where(vu a, vm m, vu b) { return vu_add(a, vu_where(m, b)); } /* a + (m ? b : 0) */

OP vf vf_set1(float x) { return _mm256_set1_ps(x); }
OP vf vf_load(const float *p) { return _mm256_loadu_ps(p); }
OP void vf_store(float *p, vf a) { _mm256_storeu_ps(p, a); }
OP vf vf_add(vf a, vf b) { return _mm256_add_ps(a, b); }
OP vf vf_sub(vf a, vf b) { return _mm256_sub_ps(a, b); }
OP vf vf_mul(vf a, vf b) { return _mm256_mul_ps(a, b); }
OP vf vf_fma(vf a, vf b, vf c) { return _mm256_fmadd_ps(a, b, c); }
OP vf vf_fnma(vf a, vf b, vf c) { return _mm256_fnmadd_ps(a, b, c); }
OP vf vf_sqrt(vf a) { return _mm256_sqrt_ps(a); }
OP vf vf_min(vf a, vf b) { return _mm256_min_ps(a, b); }
OP vf vf_max(vf a, vf b) { return _mm256_max_ps(a, b); }
OP bool vf_any_above(vf a, vf b) { return _mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_GT_OQ)) != 0; }
OP vf vf_from_bits(vu a) { return _mm256_castsi256_ps(a); }
OP vu vf_bits(vf a) { return _mm256_castps_si256(a); }
OP vf vf_from_i32(vu a) { return _mm256_cvtepi32_ps(a); } /* signed halves, rounded to nearest even */
/* Octaves from x (its sign ignored) up to a power of two, in units that make VEC_OCTAVE one: here the difference of
 * exponent fields where they lie in the word. */
#define VEC_OCTAVE 0x1p-23f
OP vf vf_octaves_below(vf power, vu x)
{
    return vf_from_i32(_mm256_sub_epi32(vf_bits(power), vu_and(x, _mm256_set1_epi32(0x7f800000))));
}
OP vft vft_load(const float table[8]) { return _mm256_loadu_ps(table); }
OP vf vft_at(vft table, vu index) { return _mm256_permutevar8x32_ps(table, index); } /* table[half of index & 7] */

OP vu vw_set1(uint32_t x) { return _mm256_set1_epi32((int)x); } /* vw: the halves of words, 32 bits each */
OP vu vw_load(const int32_t *p) { return _mm256_loadu_si256((const __m256i *)(const void *)p); }
OP void vw_store(int32_t *p, vu a) { _mm256_storeu_si256((__m256i *)(void *)p, a); }
OP vu vw_add(vu a, vu b) { return _mm256_add_epi32(a, b); }
OP vu vw_sub(vu a, vu b) { return _mm256_sub_epi32(a, b); }
OP vu vw_max(vu a, vu b) { return _mm256_max_epi32(a, b); } /* signed */
#define vw_shr(a, count) _mm256_srli_epi32(a, count)
OP vu vw_min(vu a, vu b) { return _mm256_min_epi32(a, b); } /* signed */
/* A bit for each byte: set where the half of a is above that of b, signed. */
OP uint64_t vw_above(vu a, vu b) { return (uint32_t)_mm256_movemask_epi8(_mm256_cmpgt_epi32(a, b)); }
/* The low (high) halves of 2 VEC_LANES doubles. In each eight, half k is that of double k with bits 1 and 2 of k
 * exchanged. */
OP vu vw_low(vd a, vd b)
{
    return _mm256_castps_si256(_mm256_shuffle_ps(_mm256_castpd_ps(a), _mm256_castpd_ps(b), 0x88));
}
OP vu vw_high(vd a, vd b)
{
    return _mm256_castps_si256(_mm256_shuffle_ps(_mm256_castpd_ps(a), _mm256_castpd_ps(b), 0xdd));
}
OP vd vd_load_i32(const int32_t *p) { return _mm256_cvtepi32_pd(_mm_loadu_si128((const __m128i *)(const void *)p)); }

OP vu vh_set1(uint16_t x)
{
    return _mm256_set1_epi16((short)x);
} /* vh: the quarters of words, 16 bits each, unsigned */
OP vu vh_load(const uint16_t *p) { return _mm256_loadu_si256((const __m256i *)(const void *)p); }
#define vh_shr(a, count) _mm256_srli_epi16(a, count)
OP vu vh_mul_high(vu a, vu b) { return _mm256_mulhi_epu16(a, b); } /* a b / 2^16, cut */
OP vu vh_sub_cut(vu a, vu b) { return _mm256_subs_epu16(a, b); }   /* a - b, or 0 if that is negative */
OP vu vh_min(vu a, vu b) { return _mm256_min_epu16(a, b); }
/* A bit for each byte: set where the quarter is 0. */
OP uint64_t vh_zeros(vu a) { return (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi16(a, _mm256_setzero_si256())); }

/* vb: bytes. Byte i: 1 where whether byte i of a is not 0 differs from bit i of the array, else 0. */
OP vu vb_flip(vu a, const uint8_t *bits)
{
    int32_t word;
    memcpy(&word, bits, sizeof word);
    const __m256i spread = _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303);
    const __m256i bit = _mm256_shuffle_epi8(_mm256_set1_epi32(word), spread), zero = _mm256_setzero_si256();
    const __m256i stays = _mm256_cmpeq_epi8(vu_and(bit, vu_set1(0x8040201008040201)), zero);
    return vu_and(vu_xor(stays, _mm256_cmpeq_epi8(a, zero)), vu_set1(0x0101010101010101));
}

OP vf vf_rest(vf a) /* a - a rounded to nearest even, for numbers */
{
    return vf_sub(a, _mm256_round_ps(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
}
OP vu vw_from_f32(vf a) { return _mm256_cvtps_epi32(a); } /* to nearest even, signed; 0x80000000 if out of range */

/* lanes of floats and halves chosen by a comparison */
typedef __m256 vmf;
OP vmf vf_exceeds(vf a, vf b) { return _mm256_cmp_ps(a, b, _CMP_NLE_UQ); }
OP vmf vw_equal(vu a, vu b) { return vf_from_bits(_mm256_cmpeq_epi32(a, b)); }
OP vu vw_where(vmf m, vu a) { return vu_and(vf_bits(m), a); }
OP vu vw_add_where(vu a, vmf m, vu b) { return vw_add(a, vw_where(m, b)); } /* a + (m ? b : 0) */
OP vu vw_max_where(vu a, vmf m, vu b) { return vw_max(a, vw_where(m, b)); } /* the larger of a >= 0 and (m ? b : 0) */
OP vu vw_choose(vmf m, vu a, vu b) { return vf_bits(_mm256_blendv_ps(vf_from_bits(b), vf_from_bits(a), m)); }
OP vmf vmf_and(vmf a, vmf b) { return _mm256_and_ps(a, b); }
OP vmf vmf_or(vmf a, vmf b) { return _mm256_or_ps(a, b); }

/* signed words */
OP vu vu_from_i32(const int32_t *p) { return _mm256_cvtepi32_epi64(_mm_loadu_si128((const __m128i *)(const void *)p)); }
OP vu vu_add_saturated(vu a, vu b)
{
    const vu sum = vu_add(a, b), overflow = _mm256_andnot_si256(vu_xor(a, b), vu_xor(a, sum)); /* in its top bit */
    const vu end = vu_xor(_mm256_cmpgt_epi64(_mm256_setzero_si256(), a), vu_set1(0x7fffffffffffffff));
    return vd_bits(_mm256_blendv_pd(vd_from_bits(sum), vd_from_bits(end), vd_from_bits(overflow)));
}

/* Pair i: word 2 i of a, then that of b; of odd words: words 2 i + 1. */
OP vu vu_pair_even(vu a, vu b) { return _mm256_unpacklo_epi64(a, b); }
OP vu vu_pair_odd(vu a, vu b) { return _mm256_unpackhi_epi64(a, b); }
/* Words 0, 2, ... of a, then those of b; of odd words: words 1, 3, ... */
OP vu vu_evens(vu a, vu b) { return _mm256_permute4x64_epi64(_mm256_unpacklo_epi64(a, b), 0xd8); }
OP vu vu_odds(vu a, vu b) { return _mm256_permute4x64_epi64(_mm256_unpackhi_epi64(a, b), 0xd8); }
/* The same in an order that costs least: words 0, 2, 1, 3 of the result above; the high halves of the words of two such
 * vectors, 0, 2, 4, 6, 1, 3, 5, 7; a mask of these, as masks of the words of either; and back to the order above. */
OP vu vu_mixed_evens(vu a, vu b) { return _mm256_unpacklo_epi64(a, b); }
OP vu vu_mixed_odds(vu a, vu b) { return _mm256_unpackhi_epi64(a, b); }
OP vu vu_mixed_high(vu a, vu b) { return vf_bits(_mm256_shuffle_ps(vf_from_bits(a), vf_from_bits(b), 0xdd)); }
OP vm vm_mixed_first(vmf m) { return vd_from_bits(_mm256_unpacklo_epi32(vf_bits(m), vf_bits(m))); }
OP vm vm_mixed_second(vmf m) { return vd_from_bits(_mm256_unpackhi_epi32(vf_bits(m), vf_bits(m))); }
OP vu vu_sorted(vu a) { return _mm256_permute4x64_epi64(a, 0xd8); }
OP vu vw_sorted(vu a) { return _mm256_permutevar8x32_epi32(a, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7)); }

/* Where the halves of words come from, by the four lanes of a mask. Two cache lines: which one is read tells whether
 * the last lane is chosen. */
static const uint64_t vec_expand_order[16] __attribute__((aligned(64))) = {
    0x0100010001000100, 0x0100010001000100, 0x0100010001000100, 0x0100010003020100,
    0x0100010001000100, 0x0100030201000100, 0x0100030201000100, 0x0100050403020100,
    0x0100010001000100, 0x0302010001000100, 0x0302010001000100, 0x0504010003020100,
    0x0302010001000100, 0x0504030201000100, 0x0504030201000100, 0x0706050403020100,
};
OP vu vu_expand(vm m, vu a) /* lanes 0, 1, ... of a where m, else 0 */
{
    const __m128i order = _mm_loadl_epi64((const __m128i *)(const void *)(vec_expand_order + nearby(vm_bits(m))));
    return vu_where(m, _mm256_permutevar8x32_epi32(a, _mm256_cvtepu8_epi32(order)));
}

/* Likewise for vu_compress: the chosen lanes, then the others. Two cache lines, as above. */
static const uint64_t vec_compress_order[16] __attribute__((aligned(64))) = {
    0x0706050403020100, 0x0706050403020100, 0x0706050401000302, 0x0706050403020100,
    0x0706030201000504, 0x0706030205040100, 0x0706010005040302, 0x0706050403020100,
    0x0504030201000706, 0x0504030207060100, 0x0504010007060302, 0x0504070603020100,
    0x0302010007060504, 0x0302070605040100, 0x0100070605040302, 0x0706050403020100,
};
OP vu vu_compress(vm m, vu a) /* lanes where m, then others or 0 */
{
    const __m128i order = _mm_loadl_epi64((const __m128i *)(const void *)(vec_compress_order + nearby(vm_bits(m))));
    return _mm256_permutevar8x32_epi32(a, _mm256_cvtepu8_epi32(order));
}

#ifdef SIMDP_VEC_VAES
typedef __m256i vs;
OP vs vs_set1(const uint64_t block[2]) /* the same block everywhere */
{
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)block));
}
OP vs vs_pair(uint64_t low, uint64_t high) /* the same from two words at hand */
{
    return _mm256_broadcastsi128_si256(_mm_set_epi64x((long long)high, (long long)low));
}
OP vs vs_load_xor(const uint64_t *p, vs a) { return vu_xor(vu_load(p), a); }
OP vs vs_round(vs a, vs key) { return _mm256_aesenc_epi128(a, key); }
OP vs vs_last(vs a, vs key) { return _mm256_aesenclast_epi128(a, key); }
OP vs vs_next_key(vs key, uint32_t constant) /* the round key of AES-128 that follows, of a key in each block */
{
    const vu last = _mm256_set1_epi32(0x0c0f0e0d); /* word 3, turned by a byte, everywhere */
    const vs subbed = _mm256_aesenclast_epi128(_mm256_shuffle_epi8(key, last), vw_set1(constant));
    const vs two = vu_xor(key, _mm256_slli_si256(key, 4));
    return vu_xor(vu_xor(two, _mm256_slli_si256(two, 8)), subbed);
}
OP void vs_store_one(uint64_t out[2], vs a) /* block 0 */
{
    _mm_storeu_si128((__m128i *)(void *)out, _mm256_castsi256_si128(a));
}
OP void vs_hold(vs *a) { VEC_HOLD(*a); }
OP vu vs_words(vs a) { return a; }
OP vs vs_from_words(vu a) { return a; }
#else
typedef struct {
    __m128i lo, hi;
} vs;
OP vs vs_set1(const uint64_t block[2])
{
    const __m128i b = _mm_loadu_si128((const __m128i *)(const void *)block);
    return (vs){b, b};
}
OP vs vs_pair(uint64_t low, uint64_t high)
{
    const __m128i b = _mm_set_epi64x((long long)high, (long long)low);
    return (vs){b, b};
}
OP vs vs_load_xor(const uint64_t *p, vs a)
{
    const __m128i *from = (const __m128i *)(const void *)p;
    return (vs){_mm_xor_si128(_mm_loadu_si128(from), a.lo), _mm_xor_si128(_mm_loadu_si128(from + 1), a.hi)};
}
OP vs vs_round(vs a, vs key) { return (vs){_mm_aesenc_si128(a.lo, key.lo), _mm_aesenc_si128(a.hi, key.hi)}; }
OP vs vs_last(vs a, vs key) { return (vs){_mm_aesenclast_si128(a.lo, key.lo), _mm_aesenclast_si128(a.hi, key.hi)}; }
OP __m128i next_key_of(__m128i key, __m128i constant)
{
    const __m128i last = _mm_set1_epi32(0x0c0f0e0d), two = _mm_xor_si128(key, _mm_slli_si128(key, 4));
    const __m128i subbed = _mm_aesenclast_si128(_mm_shuffle_epi8(key, last), constant);
    return _mm_xor_si128(_mm_xor_si128(two, _mm_slli_si128(two, 8)), subbed);
}
OP vs vs_next_key(vs key, uint32_t constant)
{
    const __m128i c = _mm_set1_epi32((int)constant);
    return (vs){next_key_of(key.lo, c), next_key_of(key.hi, c)};
}
OP void vs_store_one(uint64_t out[2], vs a) { _mm_storeu_si128((__m128i *)(void *)out, a.lo); }
OP void vs_hold(vs *a)
{
    VEC_HOLD(a->lo);
    VEC_HOLD(a->hi);
}
OP vu vs_words(vs a) { return _mm256_set_m128i(a.hi, a.lo); }
OP vs vs_from_words(vu a) { return (vs){_mm256_castsi256_si128(a), _mm256_extracti128_si256(a, 1)}; }
#endif

#endif
