/* vec_avx512.h: the vocabulary on AVX-512 F, DQ, BW, VL with VAES. */
#ifndef SIMDP_VEC_AVX512_H
#define SIMDP_VEC_AVX512_H

#include <immintrin.h>

#define VEC_LANES      8
#define VEC_STEP       4
#define VEC_COMPRESSES false /* vpcompressq takes pipes that the cipher wants: 3 % of randomized response */

typedef __m512d vd;
typedef __m512i vu;
typedef __m512i vs;
typedef __m512d vt;
typedef __m512 vf;
typedef __m512 vft;

OP vd vd_set1(double x) { return _mm512_set1_pd(x); }
OP vd vd_load(const double *p) { return _mm512_loadu_pd(p); }
OP void vd_store(double *p, vd a) { _mm512_storeu_pd(p, a); }
/* Lane i of vector j and lane j of vector i change places. */
OP void vd_transpose(vd a[8])
{
    vd b[8], c[8];
    for (int i = 0; i < 8; i += 2)
        b[i] = _mm512_unpacklo_pd(a[i], a[i + 1]), b[i + 1] = _mm512_unpackhi_pd(a[i], a[i + 1]);
    for (int i = 0; i < 8; i += 4) {
        for (int j = i; j < i + 2; j++) /* pairs of lanes 0 and 2, and 1 and 3, of two vectors */
            c[j] = _mm512_shuffle_f64x2(b[j], b[j + 2], 0x88), c[j + 2] = _mm512_shuffle_f64x2(b[j], b[j + 2], 0xdd);
    }
    for (int i = 0; i < 4; i++)
        a[i] = _mm512_shuffle_f64x2(c[i], c[i + 4], 0x88), a[i + 4] = _mm512_shuffle_f64x2(c[i], c[i + 4], 0xdd);
}
OP vd vd_add(vd a, vd b) { return _mm512_add_pd(a, b); }
OP vd vd_sub(vd a, vd b) { return _mm512_sub_pd(a, b); }
OP vd vd_mul(vd a, vd b) { return _mm512_mul_pd(a, b); }
OP vd vd_div(vd a, vd b) { return _mm512_div_pd(a, b); }
OP vd vd_fma(vd a, vd b, vd c)
{
    return _mm512_fmadd_pd(a, b, c);
} /* a*b + c, rounded once; fusing happens here only */
OP vd vd_fnma(vd a, vd b, vd c) { return _mm512_fnmadd_pd(a, b, c); } /* c - a*b, rounded once */
OP vd vd_sqrt(vd a) { return _mm512_sqrt_pd(a); }
OP vd vd_min(vd a, vd b) { return _mm512_min_pd(a, b); } /* a < b ? a : b, so b where either is NaN */
OP vd vd_max(vd a, vd b) { return _mm512_max_pd(a, b); } /* a > b ? a : b, so b where either is NaN */
OP vd vd_load_f32(const float *p) { return _mm512_cvtps_pd(_mm256_loadu_ps(p)); } /* VEC_LANES floats, exactly */
OP void vd_store_f32(float *p, vd a)
{
    _mm256_storeu_ps(p, _mm512_cvtpd_ps(a));
} /* VEC_LANES floats, to nearest even */
OP vd vd_rint(vd a)
{
    return _mm512_roundscale_pd(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
} /* ties to even */
/* By digits of a table for quiet and signalling NaN, 0, 1, -infinity, infinity, negative, positive: 0 stays, 8 is +0, e
 * and f are the largest numbers. */
OP vd vd_number(vd a) { return _mm512_fixupimm_pd(a, a, _mm512_set1_epi64(0x888), 0); } /* NaN and -0 become 0 */
/* A sum that begins with vd_clean and ends with vd_cleaned knows no NaN, -0 and infinity: they count as 0, 0 and the
 * largest numbers. */
OP vd vd_clean(vd a) { return _mm512_fixupimm_pd(a, a, _mm512_set1_epi64(0xef0888), 0); }
OP vd vd_cleaned(vd a) { return a; }
OP vd vd_rest(vd a) /* a - rint(a); of an infinity something within 1/2 */
{
    return _mm512_reduce_pd(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}
OP vd vd_rint_rest(vd a, vd *rest) /* rint(a), 0 of either sign, and a - rint(a), for numbers */
{
    *rest = vd_rest(a); /* one operation where rint(a) takes two */
    return vd_sub(a, *rest);
}
OP vd vd_from_bits(vu a) { return _mm512_castsi512_pd(a); }
OP vu vd_bits(vd a) { return _mm512_castpd_si512(a); }
OP vd vd_from_i64(vu a) { return _mm512_cvtepi64_pd(a); } /* signed word to double, rounded to nearest even */
OP vt vt_load(const double table[8]) { return _mm512_loadu_pd(table); }
OP vd vt_at(vt table, vu index) { return _mm512_permutexvar_pd(index, table); } /* table[index & 7] */

OP vu vu_set1(uint64_t x) { return _mm512_set1_epi64((long long)x); }
OP vu vu_from(const uint64_t w[8]) /* words at hand: a load of words just stored would stall */
{
    return _mm512_set_epi64((long long)w[7], (long long)w[6], (long long)w[5], (long long)w[4], (long long)w[3],
                            (long long)w[2], (long long)w[1], (long long)w[0]);
}
OP vu vu_load(const uint64_t *p) { return _mm512_loadu_si512(p); }
OP void vu_store(uint64_t *p, vu a) { _mm512_storeu_si512(p, a); }
OP void vu_store_low(uint32_t *p, vu a) /* the low halves of VEC_LANES words */
{
    _mm256_storeu_si256((__m256i *)(void *)p, _mm512_cvtepi64_epi32(a));
}
OP vu vu_and(vu a, vu b) { return _mm512_and_si512(a, b); }
OP vu vu_or(vu a, vu b) { return _mm512_or_si512(a, b); }
OP vu vu_xor(vu a, vu b) { return _mm512_xor_si512(a, b); }
OP vu vu_add(vu a, vu b) { return _mm512_add_epi64(a, b); }
OP vu vu_sub(vu a, vu b) { return _mm512_sub_epi64(a, b); }
OP vu vu_bits_or(vu a, vu mask, vu b) { return _mm512_ternarylogic_epi64(a, mask, b, 0xea); }  /* (a & mask) | b */
OP vu vu_bits_xor(vu a, vu mask, vu b) { return _mm512_ternarylogic_epi64(a, mask, b, 0x6a); } /* (a & mask) ^ b */
#define vu_shr(a, count) _mm512_srli_epi64(a, count)
OP vu vu_select(vu mask, vu a, vu b) { return _mm512_ternarylogic_epi64(mask, a, b, 0xca); } /* bits: mask ? a : b */
#define vu_shl(a, count) _mm512_slli_epi64(a, count)
OP vu vu_load_u8(const uint8_t *p) /* VEC_LANES bytes, a word each */
{
    return _mm512_cvtepu8_epi64(_mm_loadl_epi64((const __m128i *)(const void *)p));
}

/* Lanes chosen by a comparison. */
typedef __mmask8 vm;
OP vm vd_above(vd a, vd b) { return _mm512_cmp_pd_mask(a, b, _CMP_GT_OQ); }      /* a > b; false where either is NaN */
OP vm vd_not_above(vd a, vd b) { return _mm512_cmp_pd_mask(a, b, _CMP_NGT_UQ); } /* true where either is NaN */
OP vm vu_exceeds(vu a, vu b) { return _mm512_cmpgt_epi64_mask(a, b); }           /* a > b, signed */
OP vm vu_equal(vu a, vu b) { return _mm512_cmpeq_epi64_mask(a, b); }
OP vm vu_nonzero(vu a) { return _mm512_test_epi64_mask(a, a); }
OP vm vm_or(vm a, vm b) { return (vm)(a | b); }
OP unsigned vm_bits(vm m) { return m; }                                     /* bit i: lane i */
OP vd vd_choose(vm m, vd a, vd b) { return _mm512_mask_blend_pd(m, b, a); } /* m ? a : b */
OP vd vd_keep(vm m, vd a) { return _mm512_maskz_mov_pd(m, a); }             /* m ? a : +0 */
OP vd vd_spoil(vm m, vd a)
{
    return _mm512_mask_mov_pd(a, m, vd_from_bits(vu_set1(-(uint64_t)1)));
} /* m ? NaN, all bits set : a */
OP vu vu_count(vu counts, vm m)
{
    return _mm512_mask_sub_epi64(counts, m, counts, vu_set1(-(uint64_t)1));
} /* one more where m */
OP bool vm_any(vm m) { return m != 0; }
OP bool vm_all(vm m) { return m == 0xff; }

OP vm vd_exceeds(vd a, vd b) { return _mm512_cmp_pd_mask(a, b, _CMP_NLE_UQ); }     /* a > b, or one of them is NaN */
OP vu vu_where(vm m, vu a) { return _mm512_maskz_mov_epi64(m, a); }                /* m ? a : 0 */
OP vu vu_add_where(vu a, vm m, vu b) { return _mm512_mask_add_epi64(a, m, a, b); } /* a + (m ? b : 0) */

OP vf vf_set1(float x) { return _mm512_set1_ps(x); }
OP vf vf_load(const float *p) { return _mm512_loadu_ps(p); }
OP void vf_store(float *p, vf a) { _mm512_storeu_ps(p, a); }
OP vf vf_add(vf a, vf b) { return _mm512_add_ps(a, b); }
OP vf vf_sub(vf a, vf b) { return _mm512_sub_ps(a, b); }
OP vf vf_mul(vf a, vf b) { return _mm512_mul_ps(a, b); }
OP vf vf_fma(vf a, vf b, vf c) { return _mm512_fmadd_ps(a, b, c); }
OP vf vf_fnma(vf a, vf b, vf c) { return _mm512_fnmadd_ps(a, b, c); }
OP vf vf_sqrt(vf a) { return _mm512_sqrt_ps(a); }
OP vf vf_min(vf a, vf b) { return _mm512_min_ps(a, b); }
OP vf vf_max(vf a, vf b) { return _mm512_max_ps(a, b); }
OP bool vf_any_above(vf a, vf b) { return _mm512_cmp_ps_mask(a, b, _CMP_GT_OQ) != 0; }
OP vf vf_from_bits(vu a) { return _mm512_castsi512_ps(a); }
OP vu vf_bits(vf a) { return _mm512_castps_si512(a); }
OP vf vf_from_i32(vu a) { return _mm512_cvtepi32_ps(a); } /* signed halves, rounded to nearest even */
/* Octaves from x (its sign ignored) up to a power of two, in units that make VEC_OCTAVE one: the difference of
 * exponents. */
#define VEC_OCTAVE 1.0f
OP vf vf_octaves_below(vf power, vu x) { return vf_sub(_mm512_getexp_ps(power), _mm512_getexp_ps(vf_from_bits(x))); }
OP vft vft_load(const float table[8]) { return _mm512_broadcast_f32x8(_mm256_loadu_ps(table)); }
OP vf vft_at(vft table, vu index) { return _mm512_permutexvar_ps(index, table); } /* table[half of index & 7] */

OP vu vw_set1(uint32_t x) { return _mm512_set1_epi32((int)x); } /* vw: the halves of words, 32 bits each */
OP vu vw_load(const int32_t *p) { return _mm512_loadu_si512(p); }
OP void vw_store(int32_t *p, vu a) { _mm512_storeu_si512(p, a); }
OP vu vw_add(vu a, vu b) { return _mm512_add_epi32(a, b); }
OP vu vw_sub(vu a, vu b) { return _mm512_sub_epi32(a, b); }
OP vu vw_max(vu a, vu b) { return _mm512_max_epi32(a, b); } /* signed */
#define vw_shr(a, count) _mm512_srli_epi32(a, count)
OP vu vw_min(vu a, vu b) { return _mm512_min_epi32(a, b); } /* signed */
/* A bit for each byte: set where the half of a is above that of b, signed. */
OP uint64_t vw_above(vu a, vu b) { return _mm512_movepi8_mask(_mm512_movm_epi32(_mm512_cmpgt_epi32_mask(a, b))); }
/* The low (high) halves of 2 VEC_LANES doubles. In each eight, half k is that of double k with bits 1 and 2 of k
 * exchanged. */
OP vu vw_low(vd a, vd b)
{
    const __m512i order = _mm512_setr_epi32(0, 2, 8, 10, 4, 6, 12, 14, 16, 18, 24, 26, 20, 22, 28, 30);
    return _mm512_permutex2var_epi32(vd_bits(a), order, vd_bits(b));
}
OP vu vw_high(vd a, vd b)
{
    const __m512i order = _mm512_setr_epi32(1, 3, 9, 11, 5, 7, 13, 15, 17, 19, 25, 27, 21, 23, 29, 31);
    return _mm512_permutex2var_epi32(vd_bits(a), order, vd_bits(b));
}
OP vd vd_load_i32(const int32_t *p) { return _mm512_cvtepi32_pd(_mm256_loadu_si256((const __m256i *)(const void *)p)); }

OP vu vh_set1(uint16_t x)
{
    return _mm512_set1_epi16((short)x);
} /* vh: the quarters of words, 16 bits each, unsigned */
OP vu vh_load(const uint16_t *p) { return _mm512_loadu_si512(p); }
#define vh_shr(a, count) _mm512_srli_epi16(a, count)
OP vu vh_mul_high(vu a, vu b) { return _mm512_mulhi_epu16(a, b); } /* a b / 2^16, cut */
OP vu vh_sub_cut(vu a, vu b) { return _mm512_subs_epu16(a, b); }   /* a - b, or 0 if that is negative */
OP vu vh_min(vu a, vu b) { return _mm512_min_epu16(a, b); }
/* A bit for each byte: set where the quarter is 0. */
OP uint64_t vh_zeros(vu a) { return _mm512_movepi8_mask(_mm512_movm_epi16(_mm512_testn_epi16_mask(a, a))); }

/* vb: bytes. Byte i: 1 where whether byte i of a is not 0 differs from bit i of the array, else 0. */
OP vu vb_flip(vu a, const uint8_t *bits)
{
    uint64_t word;
    memcpy(&word, bits, sizeof word);
    return _mm512_maskz_mov_epi8(_kxor_mask64(_mm512_test_epi8_mask(a, a), _cvtu64_mask64(word)), _mm512_set1_epi8(1));
}

OP vf vf_rest(vf a) /* a - a rounded to nearest even, for numbers */
{
    return _mm512_reduce_ps(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}
OP vu vw_from_f32(vf a) { return _mm512_cvtps_epi32(a); } /* to nearest even, signed; 0x80000000 if out of range */

/* lanes of floats and halves chosen by a comparison */
typedef __mmask16 vmf;
OP vmf vf_exceeds(vf a, vf b) { return _mm512_cmp_ps_mask(a, b, _CMP_NLE_UQ); }
OP vmf vw_equal(vu a, vu b) { return _mm512_cmpeq_epi32_mask(a, b); }
OP vu vw_where(vmf m, vu a) { return _mm512_maskz_mov_epi32(m, a); }
OP vu vw_add_where(vu a, vmf m, vu b) { return _mm512_mask_add_epi32(a, m, a, b); } /* a + (m ? b : 0) */
OP vu vw_max_where(vu a, vmf m, vu b)
{
    return _mm512_mask_max_epi32(a, m, a, b);
} /* the larger of a >= 0 and (m ? b : 0) */
OP vu vw_choose(vmf m, vu a, vu b) { return _mm512_mask_blend_epi32(m, b, a); }
OP vmf vmf_and(vmf a, vmf b) { return a & b; }
OP vmf vmf_or(vmf a, vmf b) { return a | b; }

/* signed words */
OP vu vu_from_i32(const int32_t *p)
{
    return _mm512_cvtepi32_epi64(_mm256_loadu_si256((const __m256i *)(const void *)p));
}
OP vu vu_add_saturated(vu a, vu b)
{
    /* in its top bit: a = b, sum not */
    const vu sum = vu_add(a, b), overflow = _mm512_ternarylogic_epi64(a, b, sum, 0x42);
    return _mm512_mask_xor_epi64(sum, _mm512_movepi64_mask(overflow), _mm512_srai_epi64(a, 63),
                                 vu_set1(0x7fffffffffffffff));
}

OP vs vs_set1(const uint64_t block[2]) /* the same block everywhere */
{
    return _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)(const void *)block));
}
OP vs vs_pair(uint64_t low, uint64_t high) /* the same from two words at hand */
{
    return _mm512_broadcast_i32x4(_mm_set_epi64x((long long)high, (long long)low));
}
OP vs vs_load_xor(const uint64_t *p, vs a) { return _mm512_xor_si512(_mm512_loadu_si512(p), a); }
OP vs vs_round(vs a, vs key) { return _mm512_aesenc_epi128(a, key); }
OP vs vs_last(vs a, vs key) { return _mm512_aesenclast_epi128(a, key); }
OP vs vs_next_key(vs key, uint32_t constant) /* the round key of AES-128 that follows, of a key in each block */
{
    const vu last = _mm512_broadcast_i32x4(_mm_set1_epi32(0x0c0f0e0d)); /* word 3, turned by a byte, everywhere */
    const vs subbed = _mm512_aesenclast_epi128(_mm512_shuffle_epi8(key, last), vw_set1(constant));
    const vs two = _mm512_xor_si512(key, _mm512_bslli_epi128(key, 4));
    return _mm512_ternarylogic_epi64(two, _mm512_bslli_epi128(two, 8), subbed, 0x96);
}
OP void vs_store_one(uint64_t out[2], vs a) /* block 0 */
{
    _mm_storeu_si128((__m128i *)(void *)out, _mm512_castsi512_si128(a));
}
OP void vs_hold(vs *a) { VEC_HOLD(*a); }
OP vu vs_words(vs a) { return a; }
OP vs vs_from_words(vu a) { return a; }
/* Pair i: word 2 i of a, then that of b; of odd words: words 2 i + 1. */
OP vu vu_pair_even(vu a, vu b) { return _mm512_unpacklo_epi64(a, b); }
OP vu vu_pair_odd(vu a, vu b) { return _mm512_unpackhi_epi64(a, b); }
/* Words 0, 2, 4, ... of a, then those of b; of odd words: words 1, 3, 5, ... */
OP vu vu_evens(vu a, vu b) { return _mm512_permutex2var_epi64(a, _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14), b); }
OP vu vu_odds(vu a, vu b) { return _mm512_permutex2var_epi64(a, _mm512_setr_epi64(1, 3, 5, 7, 9, 11, 13, 15), b); }
/* The same in an order that costs least, here in no other; the high halves of the words of two such vectors; a mask of
 * these, as masks of the words of either; and back to the order that it stands for. */
OP vu vu_mixed_evens(vu a, vu b) { return vu_evens(a, b); }
OP vu vu_mixed_odds(vu a, vu b) { return vu_odds(a, b); }
OP vu vu_mixed_high(vu a, vu b)
{
    const vu order = _mm512_setr_epi32(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
    return _mm512_permutex2var_epi32(a, order, b);
}
OP vm vm_mixed_first(vmf m) { return (vm)m; }
OP vm vm_mixed_second(vmf m) { return (vm)(m >> 8); }
OP vu vu_sorted(vu a) { return a; }
OP vu vw_sorted(vu a) { return a; }
OP vu vu_expand(vm m, vu a) { return _mm512_maskz_expand_epi64(m, a); }     /* lanes 0, 1, ... of a where m, else 0 */
OP vu vu_compress(vm m, vu a) { return _mm512_maskz_compress_epi64(m, a); } /* lanes where m, then others or 0 */

#endif
