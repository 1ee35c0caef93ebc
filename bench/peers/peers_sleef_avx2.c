/* peers_sleef_avx2.c: see peers_sleef.inc. */
#include <immintrin.h>
#include <sleef.h>
#include <stdint.h>

#define ISA   "avx2"
#define UNIT  sleef_unit_avx2
#define LANES 4

#define LOG_F64      Sleef_logd4_u35avx2
#define LOG_F32      Sleef_logf8_u35avx2
#define SINCOSPI_F64 Sleef_sincospid4_u35avx2
#define SINCOSPI_F32 Sleef_sincospif8_u35avx2
#define SINCOS_F64   Sleef___m256d_2
#define SINCOS_F32   Sleef___m256_2

typedef __m256i vu;
typedef __m256d vd;
typedef __m256 vf;

static inline vu words_load(const uint64_t *p) { return _mm256_loadu_si256((const void *)p); }
static inline void words_store(uint64_t *p, vu a) { _mm256_storeu_si256((void *)p, a); }
static inline vu words_set(uint64_t a) { return _mm256_set1_epi64x((long long)a); }
static inline vu words_set32(uint32_t a) { return _mm256_set1_epi32((int)a); }
static inline vu words_add(vu a, vu b) { return _mm256_add_epi64(a, b); }
static inline vu words_xor(vu a, vu b) { return _mm256_xor_si256(a, b); }
static inline vu words_or(vu a, vu b) { return _mm256_or_si256(a, b); }
static inline vu words_left(vu a, int by) { return _mm256_slli_epi64(a, by); }
static inline vu words_right(vu a, int by) { return _mm256_srli_epi64(a, by); }
static inline vu words_left32(vu a, int by) { return _mm256_slli_epi32(a, by); }
static inline vu words_right32(vu a, int by) { return _mm256_srli_epi32(a, by); }
static inline vu words_rotate(vu a, int by) { return words_or(words_left(a, by), words_right(a, 64 - by)); }

static inline vd f64_of_bits(vu a) { return _mm256_castsi256_pd(a); }
static inline vd f64_set(double a) { return _mm256_set1_pd(a); }
static inline vd f64_sub(vd a, vd b) { return _mm256_sub_pd(a, b); }
static inline vd f64_mul(vd a, vd b) { return _mm256_mul_pd(a, b); }
static inline vd f64_sqrt(vd a) { return _mm256_sqrt_pd(a); }
static inline vd f64_flip(vd a, vu bits) { return f64_of_bits(words_xor(_mm256_castpd_si256(a), bits)); }
static inline void f64_store(double *p, vd a) { _mm256_storeu_pd(p, a); }

static inline vf f32_of_bits(vu a) { return _mm256_castsi256_ps(a); }
static inline vf f32_set(float a) { return _mm256_set1_ps(a); }
static inline vf f32_sub(vf a, vf b) { return _mm256_sub_ps(a, b); }
static inline vf f32_mul(vf a, vf b) { return _mm256_mul_ps(a, b); }
static inline vf f32_sqrt(vf a) { return _mm256_sqrt_ps(a); }
static inline vf f32_flip(vf a, vu bits) { return f32_of_bits(words_xor(_mm256_castps_si256(a), bits)); }
static inline void f32_store(float *p, vf a) { _mm256_storeu_ps(p, a); }

#include "peers_sleef.inc"
