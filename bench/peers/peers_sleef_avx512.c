/* peers_sleef_avx512.c: see peers_sleef.inc. */
#include <immintrin.h>
#include <sleef.h>
#include <stdint.h>

#define ISA   "avx512f"
#define UNIT  sleef_unit_avx512
#define LANES 8

#define LOG_F64      Sleef_logd8_u35avx512f
#define LOG_F32      Sleef_logf16_u35avx512f
#define SINCOSPI_F64 Sleef_sincospid8_u35avx512f
#define SINCOSPI_F32 Sleef_sincospif16_u35avx512f
#define SINCOS_F64   Sleef___m512d_2
#define SINCOS_F32   Sleef___m512_2

typedef __m512i vu;
typedef __m512d vd;
typedef __m512 vf;

static inline vu words_load(const uint64_t *p) { return _mm512_loadu_si512((const void *)p); }
static inline void words_store(uint64_t *p, vu a) { _mm512_storeu_si512((void *)p, a); }
static inline vu words_set(uint64_t a) { return _mm512_set1_epi64((long long)a); }
static inline vu words_set32(uint32_t a) { return _mm512_set1_epi32((int)a); }
static inline vu words_add(vu a, vu b) { return _mm512_add_epi64(a, b); }
static inline vu words_xor(vu a, vu b) { return _mm512_xor_si512(a, b); }
static inline vu words_or(vu a, vu b) { return _mm512_or_si512(a, b); }
static inline vu words_left(vu a, unsigned by) { return _mm512_slli_epi64(a, by); }
static inline vu words_right(vu a, unsigned by) { return _mm512_srli_epi64(a, by); }
static inline vu words_left32(vu a, unsigned by) { return _mm512_slli_epi32(a, by); }
static inline vu words_right32(vu a, unsigned by) { return _mm512_srli_epi32(a, by); }
#define words_rotate(a, by) _mm512_rol_epi64(a, by) /* wants a constant */

static inline vd f64_of_bits(vu a) { return _mm512_castsi512_pd(a); }
static inline vd f64_set(double a) { return _mm512_set1_pd(a); }
static inline vd f64_sub(vd a, vd b) { return _mm512_sub_pd(a, b); }
static inline vd f64_mul(vd a, vd b) { return _mm512_mul_pd(a, b); }
static inline vd f64_sqrt(vd a) { return _mm512_sqrt_pd(a); }
static inline vd f64_flip(vd a, vu bits) { return f64_of_bits(words_xor(_mm512_castpd_si512(a), bits)); }
static inline void f64_store(double *p, vd a) { _mm512_storeu_pd(p, a); }

static inline vf f32_of_bits(vu a) { return _mm512_castsi512_ps(a); }
static inline vf f32_set(float a) { return _mm512_set1_ps(a); }
static inline vf f32_sub(vf a, vf b) { return _mm512_sub_ps(a, b); }
static inline vf f32_mul(vf a, vf b) { return _mm512_mul_ps(a, b); }
static inline vf f32_sqrt(vf a) { return _mm512_sqrt_ps(a); }
static inline vf f32_flip(vf a, vu bits) { return f32_of_bits(words_xor(_mm512_castps_si512(a), bits)); }
static inline void f32_store(float *p, vf a) { _mm512_storeu_ps(p, a); }

#include "peers_sleef.inc"
