/* loss_kernels.h: what a unit offers to the room loss. */
#ifndef SIMDP_LOSS_KERNELS_H
#define SIMDP_LOSS_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bits/cipher.h"
#include "simdp/simdp.h"

/* The privacy loss of an output as one formula for Laplace, Gaussian and randomized response:
 *
 *     sum = (f y - x0) + (f y - x1)        loss = slope2 (slope1 clamp(sum, -limit, limit))
 *
 * shift is added to y first: 0, or a centre where y is noise. */
typedef struct {
    double shift;
    double f, x0, x1; /* both centres times f */
    double limit;
    double slope1, slope2;
} loss_affine;

static inline bool loss_scale_ok(double scale)
{
    return scale >= SIMDP_NOISE_SCALE_MIN && scale <= SIMDP_NOISE_SCALE_MAX;
}

/* A compensated sum in eight lanes: element i goes to lane i % 8. */
typedef struct {
    double high[8], low[8];
} loss_sum;

/* Laws of up to LOSS_COLUMNS columns of transcripts; those past the last have slope and limit 0. */
enum { LOSS_COLUMNS = 64 };
typedef struct {
    double f[LOSS_COLUMNS], minus_x0[LOSS_COLUMNS], minus_x1[LOSS_COLUMNS], limit[LOSS_COLUMNS];
    double slope1[LOSS_COLUMNS], slope2[LOSS_COLUMNS];
} loss_columns;

/* Statistics are made of blocks of so many losses; the pass that finds their range also counts for so many epsilons. */
enum { LOSS_BLOCK = 256, RANGE_EPSILONS = 3 };
typedef struct {
    double sum, least, most;
    bool strange; /* not all are finite, or their sum overflows */
} loss_block_range;

enum { AUDIT_THRESHOLDS = 64 };

/* Each function is described where it is defined, in an .inc of this folder. Outputs may be inputs. Functions that
 * take parameters per element return whether all of them were in their range; the result of a bad one is NaN. */
typedef struct simdp_loss_kernels {
    void (*fixed_f64)(double *loss, const double *y, size_t n, const loss_affine *law);
    void (*fixed_f32)(double *loss, const float *y, size_t n, const loss_affine *law);
    bool (*laplace_each)(double *loss, const double *y, const double *x0, const double *x1, const double *scales,
                         size_t n, double fixed);
    bool (*gaussian_each)(double *loss, const double *y, const double *x0, const double *x1, const double *scales,
                          size_t n, double fixed);
    void (*sum_add)(loss_sum *s, const double *x, size_t n);
    void (*transcript)(loss_sum *sums, const double *y, size_t rows, size_t stride, const loss_columns *columns,
                       size_t count);
    void (*bytes)(double *loss, const uint8_t *out, size_t n, const double table[8]);
    double (*largest)(const double *scores, size_t n);
    void (*weights)(double *weight, const double *scores, size_t n, double top, double k);
    double (*minus_log)(double x);
    bool (*delta_gaussian)(double *delta, const double *epsilon, const double *parameter, size_t n, double s);
    bool (*delta_laplace)(double *delta, const double *epsilon, const double *parameter, size_t n, double t);
    void (*range)(loss_block_range *out, uint64_t *above, const double *x, size_t n, const double *epsilon, size_t m);
    void (*central)(double out[4], const double *x, size_t n, double centre);
    void (*decay)(double *weight, const double *x, size_t n, double centre);
    void (*tally)(uint64_t *above, double *sums, const double *x, const double *weight, size_t n, const double *epsilon,
                  size_t m);
    void (*power)(double out[2], const double *x, size_t n, double factor, double top);
    void (*words)(uint64_t *above, size_t n, const simdp_bits_at *at, const uint64_t *flipped, size_t m);
} simdp_loss_kernels;

#endif
