/* table.h: what a unit offers. One table per instruction set; public functions reach kernels only through the active one. */
#ifndef SIMDP_TABLE_H
#define SIMDP_TABLE_H

#include <stdatomic.h>
#include <stdbool.h>

#include "bits/cipher.h"
#include "release/plan.h"
#include "simdp/simdp.h"

enum { NOISE_UNIFORM, NOISE_EXPONENTIAL, NOISE_LAPLACE, NOISE_GAUSSIAN, NOISE_GUMBEL, NOISE_LAWS };

typedef void simdp_noise_f32(float *out, size_t n, const simdp_bits_at *at, float scale);
typedef void simdp_noise_f64(double *out, size_t n, const simdp_bits_at *at, double scale);

typedef struct {
    const char *isa;       /* "scalar", "avx2", "avx512" */
    const char *variant;   /* the same, or with the kind of AES instructions */
    void (*cipher_setup)(simdp_cipher *cipher, const uint8_t key[16]);
    void (*cipher_block_aes128)(uint64_t out[2], const uint64_t in[2], const uint8_t key[16]);
    void (*cipher_block_aes256)(uint64_t out[2], const uint64_t in[2], const uint8_t key[32]);
    void (*cipher_words)(uint64_t *out, size_t n, const simdp_bits_at *at);
    simdp_noise_f64 *noise_f64[NOISE_LAWS];
    simdp_noise_f32 *noise_f32[NOISE_LAWS];
    void (*add_f64)(double *sum, const double *noise, size_t n);
    void (*add_f32)(float *sum, const float *noise, size_t n);
    simdp_release_f64 *release_f64[RELEASE_LAWS];
    simdp_release_i64 *release_i64[RELEASE_LAWS];
} simdp_kernels;

/* Row i of the list of all tables, best first, NULL past its end; tests and benchmarks walk it. */
const simdp_kernels *simdp_kernels_row(size_t i, bool *usable);

/* The active table, chosen at first use; NULL if SIMDP_ISA asks for what is not there. */
extern _Atomic(const simdp_kernels *) simdp_kernels_chosen;
const simdp_kernels *simdp_kernels_choose(void);
static inline const simdp_kernels *simdp_kernels_active(void)
{
    const simdp_kernels *table = atomic_load_explicit(&simdp_kernels_chosen, memory_order_acquire);
    return table != NULL ? table : simdp_kernels_choose();
}

#endif
