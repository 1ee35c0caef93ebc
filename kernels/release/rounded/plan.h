/* plan.h: what a rounded release computes once a call, all of it from public parameters.
 *
 * Cells have the width of the grid. In units of the grid the ideal result is r + F: r in [-1/2, 1/2] is what the answer
 * leaves over its own cell, F the noise, a real function of infinitely many random bits. F is computed in doubles from
 * the first word, and the result is kept if it is farther from the border of its cell than the radius of all that was
 * neglected (unseen bits, roundings). Otherwise the element is open, and is computed in double-doubles from two words,
 * then in 512 bits from seven. All three round the same real number, so the result does not show which of them made
 * it. */
#ifndef SIMDP_PLAN_H
#define SIMDP_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bits/identity.h"

enum { RELEASE_LAPLACE, RELEASE_GAUSSIAN, RELEASE_LAWS };

/* The arithmetics in which noise is computed. (Integers begin with floats.) */
enum { PRECISION_F64, PRECISION_DD, PRECISION_WIDE };

#define RELEASE_WORDS     7    /* of an element: that of level 0 and six further ones; seven after half a word */
#define RELEASE_BLOCK     4096 /* most elements of a block: open ones are computed again when it is done */
#define RELEASE_BLOCK_F32 2048 /* the same for integers */
#define RELEASE_EDGE      512  /* a block where a call does not begin or end at multiples of RELEASE_ALIGN */
#define RELEASE_PAD       8    /* so that a last vector can be read whole */
#define RELEASE_ALIGN     64   /* positions: whole steps on every instruction set */

/* The range of scale / grid. */
#define RELEASE_RATIO_MIN 0x1p-30
#define RELEASE_RATIO_MAX 0x1p+44

/* Integers are computed in floats first up to this scale. */
#define RELEASE_F32_SCALE 512.0

/* How many elements were not decided at once, counted for tests. */
typedef struct {
    uint64_t open;      /* elements that the first arithmetic left open */
    uint64_t crowded;   /* blocks with more open elements than there are slots for */
    uint64_t undecided; /* elements that were computed in 512 bits */
} simdp_release_counts;

/* Where kernels keep a block. It belongs to the caller of the kernels, because their frames are small then: what they
 * leave on the stack is overwritten after a call, which takes as long as that is deep. */
typedef union {
    double f64[RELEASE_BLOCK / 2 + RELEASE_PAD]; /* cells of integers with large scales; floats as doubles */
    int32_t i32[RELEASE_BLOCK_F32 + 2 * RELEASE_ALIGN + RELEASE_PAD]; /* cells of other integers */
} simdp_release_cells;
typedef struct {
    _Alignas(64) double noise[RELEASE_BLOCK];  /* of a block, then its results */
    _Alignas(64) double radius[RELEASE_BLOCK]; /* of the noise's errors: it tells the size of the noise */
    _Alignas(64) simdp_release_cells cells;
} simdp_release_scratch;

/* Radii are in units of the grid. |V| is the uniform number of which noise is made, R the radius of a Gaussian pair,
 * E = -ln |V|. */
typedef struct {
    double scale; /* of F: the caller's in units of the grid */
    double grid, per_grid;
    /* doubles */
    double limit;     /* 1/4 minus the constant part of the error radius; `unseen` and `near_zero` add the rest */
    double unseen;    /* numerator of the radius of unseen bits: to be divided by |V| 2^63 */
    double near_zero; /* Gaussian: numerator of the error that grows where R is small: to be divided by R */
    size_t block;     /* elements of a block; 0: every element is computed in double-doubles */
    /* double-doubles */
    double radius_dd;    /* the constant part of the error radius */
    double unseen_dd;    /* numerator of the radius of unseen bits: to be divided by |V| (Gaussian: by |V| sqrt E) */
    double near_zero_dd; /* Gaussian: numerator of the error that grows where R is small: to be divided by sqrt E */
    /* floats, for integers */
    float limit_f32;              /* 1/4 minus the constant part of the error radius; the next three add the rest */
    float slope_f32;              /* radius per unit of |F| (Laplace) or of R (Gaussian) */
    float unseen_f32;             /* to be divided by |V| 2^31 */
    float near_zero_f32;          /* Gaussian: to be divided by R */
    size_t block_f32;             /* elements of a block; 0: every element is computed in doubles */
    simdp_release_counts *counts; /* NULL: nobody asks */
    double *noise, *radius;       /* room for a block each */
    simdp_release_cells *cells;
} simdp_release_plan;

/* scale and grid as the caller gave them, found good; scale may be 0. scratch: for one call at a time. */
simdp_release_plan simdp_release_plan_of(int law, double scale, double grid, simdp_release_scratch *scratch);

/* The same for tests: radii times shrink (smaller ones are wrong, which tests show), and every element computed in the
 * arithmetic `least` or a finer one. */
simdp_release_plan simdp_release_plan_forced(int law, double scale, double grid, double shrink, int least,
                                             simdp_release_scratch *scratch);

/* Whose words a release reads. Integers with a scale up to RELEASE_F32_SCALE have half a word each at level 0. */
uint32_t simdp_release_use(int law, bool integers, double scale);

/* The kernels: n elements from at->position on. */
typedef void simdp_release_f64(double *out, const double *answers, size_t n, const simdp_bits_at *at,
                               const simdp_release_plan *plan);
typedef void simdp_release_f32(float *out, const float *answers, size_t n, const simdp_bits_at *at,
                               const simdp_release_plan *plan);
typedef void simdp_release_i64(int64_t *out, const int64_t *answers, size_t n, const simdp_bits_at *at,
                               const simdp_release_plan *plan);

/* The same for noise that belongs to identities; of Gaussian laws two levels must be ready. */
typedef void simdp_release_f64_by_id(double *out, const double *answers, const simdp_id *ids, size_t n,
                                     const simdp_identity *identity, const simdp_release_plan *plan);
typedef void simdp_release_i64_by_id(int64_t *out, const int64_t *answers, const simdp_id *ids, size_t n,
                                     const simdp_identity *identity, const simdp_release_plan *plan);

#endif
