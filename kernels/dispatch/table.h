/* table.h: what a unit offers. One table per instruction set; public functions reach kernels only through the active
 * one. */
#ifndef SIMDP_TABLE_H
#define SIMDP_TABLE_H

#include <stdatomic.h>
#include <stdbool.h>

#include "bits/cipher.h"
#include "fft/fft_kernels.h"
#include "select/race.h"
#include "release/response/bernoulli.h"
#include "release/discrete/discrete_gaussian.h"
#include "release/discrete/discrete_laplace.h"
#include "loss/loss_kernels.h"
#include "release/rounded/plan.h"
#include "simdp/simdp.h"

enum { NOISE_UNIFORM, NOISE_EXPONENTIAL, NOISE_LAPLACE, NOISE_GAUSSIAN, NOISE_GUMBEL, NOISE_LAWS };

typedef void simdp_noise_f32(float *out, size_t n, const simdp_bits_at *at, float scale);
typedef void simdp_noise_f64(double *out, size_t n, const simdp_bits_at *at, double scale);

#define CLAMPED_BLOCK 2048 /* records that are summed at a time */

typedef struct {
    const char *isa;               /* "scalar", "avx2", "avx512" */
    const char *variant;           /* the same, or with the kind of AES instructions */
    void (*clear_registers)(void); /* zeros in all vector registers that the unit uses */
    void (*cipher_setup)(simdp_cipher *cipher, const uint8_t key[16]);
    void (*cipher_block_aes128)(uint64_t out[2], const uint64_t in[2], const uint8_t key[16]);
    void (*cipher_block_aes256)(uint64_t out[2], const uint64_t in[2], const uint8_t key[32]);
    void (*cipher_words)(uint64_t *out, size_t n, const simdp_bits_at *at);
    simdp_noise_f64 *noise_f64[NOISE_LAWS];
    simdp_noise_f32 *noise_f32[NOISE_LAWS];
    void (*add_f64)(double *sum, const double *noise, size_t n);
    void (*add_f32)(float *sum, const float *noise, size_t n);
    /* select: comments beside the kernels */
    double (*select_top)(const race_scores *scores, size_t first, size_t count);
    void (*select_heights)(int32_t *heights, const race_scores *scores, size_t first, size_t count, double reference,
                           double per_score);
    double (*select_weights)(uint16_t *weights, const int32_t *heights, size_t groups);
    void (*select_race[RACE_KINDS])(race_state *state, const int32_t *heights, size_t groups, uint64_t first_unit,
                                    double shift, const simdp_bits_at *at);
    void (*select_refine[RACE_KINDS])(race_state *state, const simdp_bits_at *at);
    size_t (*select_screen_scores)(race_hit *hits, size_t *from, const race_scores *scores, size_t first, size_t groups,
                                   const race_line *line, const simdp_bits_at *at);
    size_t (*select_screen_weights)(race_hit *hits, size_t *from, const uint16_t *weights, size_t groups,
                                    uint16_t threshold, bool coarse, const simdp_bits_at *at);
    void (*select_values)(double value[8], uint64_t v[8], const uint64_t unit[8], bool flip, const simdp_bits_at *at);
    void (*bernoulli_bits)(uint64_t *out, size_t groups, const simdp_bits_at *at, const simdp_bernoulli *b);
    uint64_t (*bernoulli_word)(uint64_t wanted, const simdp_bits_at *at, const simdp_bernoulli *b);
    void (*flip_bytes)(uint8_t *out, const uint8_t *bits, const uint8_t *flips, size_t n);
    void (*add_saturated)(int64_t *out, const int64_t *a, const int64_t *b, size_t n);
    int64_t (*clamped_sum_f64)(const double *records, size_t n, double per_grid, double lower, double upper);
    void (*clamped_sum_i64)(uint64_t sums[2], const int64_t *records, size_t n, int64_t lower, int64_t upper);
    void (*discrete_laplace)(int64_t *out, size_t n, const simdp_bits_at *at, const simdp_discrete_laplace *plan);
    void (*discrete_gaussian)(int64_t *out, size_t n, const simdp_bits_at *at, const simdp_discrete_gaussian *plan);
    simdp_loss_kernels loss;
    simdp_fft_kernels fft;
    simdp_release_f64 *release_f64[RELEASE_LAWS];
    simdp_release_f32 *release_f32[RELEASE_LAWS];
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
