/* release_kernels.h: what a unit offers to the room release. */
#ifndef SIMDP_RELEASE_KERNELS_H
#define SIMDP_RELEASE_KERNELS_H

#include "release/discrete/discrete_gaussian.h"
#include "release/discrete/discrete_laplace.h"
#include "release/response/bernoulli.h"
#include "release/response/k_response.h"
#include "release/rounded/plan.h"

#define CLAMPED_BLOCK 2048 /* records that are summed at a time */

/* Stands for a count that must not be shown: with any noise it is below every threshold. */
#define THRESHOLD_HIDDEN (-0x1p+1020)

/* simdp_release_laplace or simdp_release_gaussian, for a caller that hides some of the results: on streams that erase
 * their keys none of them stays on the stack. */
simdp_status simdp_release_unseen(int law, simdp_rng *rng, double *out, const double *answers, size_t n, double scale,
                                  double grid);

/* Each function is described where it is defined, in an .inc of this folder. */
typedef struct simdp_release_kernels {
    void (*bernoulli_bits)(uint64_t *out, size_t groups, const simdp_bits_at *at, simdp_bernoulli *b);
    uint64_t (*bernoulli_word)(uint64_t wanted, const simdp_bits_at *at, simdp_bernoulli *b);
    void (*flip_bytes)(uint8_t *out, const uint8_t *bits, const uint8_t *flips, size_t n);
    void (*response_by_id)(uint8_t *out, const uint8_t *bits, const simdp_id *ids, size_t n,
                           const simdp_identity *identity, const simdp_bernoulli *b);
    void (*unary_bits)(uint64_t *out, const uint64_t *truth, size_t groups, const simdp_bits_at *at,
                       const simdp_unary *u);
    void (*k_response)(uint32_t *out, const uint32_t *values, size_t n, const simdp_bits_at *at,
                       const simdp_k_response *plan);
    void (*add_clamped)(int64_t *out, const int64_t *a, const int64_t *b, size_t n, int64_t lower, int64_t upper);
    int64_t (*clamped_sum_f64)(const double *records, size_t n, double per_grid, double lower, double upper);
    void (*clamped_sum_i64)(uint64_t sums[2], const int64_t *records, size_t n, int64_t lower, int64_t upper);
    void (*discrete_laplace)(int64_t *out, size_t n, const simdp_bits_at *at, const simdp_discrete_laplace *plan);
    void (*discrete_gaussian)(int64_t *out, size_t n, const simdp_bits_at *at, const simdp_discrete_gaussian *plan);
    void (*threshold_hide_f64)(double *out, const double *counts, size_t n);
    void (*threshold_hide_i64)(int64_t *out, const int64_t *counts, size_t n);
    void (*threshold_show_f64)(double *out, uint8_t *keep, size_t n, double threshold);
    void (*threshold_show_i64)(int64_t *out, uint8_t *keep, size_t n, int64_t threshold);
    simdp_release_f64 *f64[RELEASE_LAWS];
    simdp_release_f32 *f32[RELEASE_LAWS];
    simdp_release_i64 *i64[RELEASE_LAWS];
    simdp_release_f64_by_id *f64_by_id[RELEASE_LAWS];
    simdp_release_i64_by_id *i64_by_id[RELEASE_LAWS];
} simdp_release_kernels;

#endif
