/* plan.h: what a release computes once a call, all of it from public parameters.
 *
 * Cells have the width of the grid. In units of the grid the ideal result is r + F: r in [-1/2, 1/2] is what the answer
 * leaves over its own cell, F the noise, a real function of infinitely many random bits. Level 0 computes it in doubles
 * from the first word and keeps it if it is farther from the border of its cell than all that it neglects (unseen bits,
 * roundings); level 1 does the same in double-doubles from two words, level 2 in 512 bits from seven. All levels round
 * the same real number, so the result does not show which of them made it. */
#ifndef SIMDP_PLAN_H
#define SIMDP_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bits/cipher.h"
#include "math/wide.h"

enum { RELEASE_LAPLACE, RELEASE_GAUSSIAN, RELEASE_LAWS };

#define RELEASE_WORDS     7    /* of an element: that of level 0 and six further ones; seven after half a word */
#define RELEASE_BLOCK     4096 /* elements at most between two runs of level 1 */
#define RELEASE_BLOCK_F32 2048 /* the same for integers, first pass in floats */
#define RELEASE_EDGE      512  /* a block where a call does not begin or end at multiples of RELEASE_ALIGN */
#define RELEASE_PAD       8    /* so that a last vector can be read whole */
#define RELEASE_ALIGN     64   /* positions: whole steps on every instruction set */

/* scale / grid */
#define RELEASE_RATIO_MIN 0x1p-30
#define RELEASE_RATIO_MAX 0x1p+44

/* What fell through, for tests. */
typedef struct {
    uint64_t open;      /* elements that level 0 left open */
    uint64_t crowded;   /* blocks with more open elements than level 1 takes at once */
    uint64_t undecided; /* elements that level 1 left open */
} simdp_release_counts;

/* Where kernels keep a block. It is the caller's, because kernels then have small frames: what they leave on the stack
 * is overwritten after a call, which takes as long as that is deep. */
typedef union { /* noise of integers, in cells; f64 also: floats as doubles */
    double f64[RELEASE_BLOCK / 2 + RELEASE_PAD];
    int32_t i32[RELEASE_BLOCK_F32 + 2 * RELEASE_ALIGN + RELEASE_PAD];
} simdp_release_cells;
typedef struct {
    _Alignas(64) double noise[RELEASE_BLOCK];  /* of a block, then its results */
    _Alignas(64) double radius[RELEASE_BLOCK]; /* of the errors of the noise, whose size it tells */
    _Alignas(64) simdp_release_cells cells;
} simdp_release_scratch;

typedef struct {
    double scale; /* of F: the caller's in units of the grid */
    double grid, per_grid;
    double limit;      /* level 0: 1/4 less the radius of all but what the next two cover */
    double unseen;     /* level 0: over |V| 2^63, the radius of unseen bits */
    double near_zero;  /* level 0, Gaussian: over R, the part of the error that grows where R is small */
    double radius1;    /* level 1: radius but for unseen bits */
    double unseen1;    /* level 1: over |V| and, Gaussian, sqrt E */
    double near_zero1; /* level 1, Gaussian: over sqrt E */
    size_t block;      /* elements between two runs of level 1; 0: every element is made at level 1 */
    /* first pass of integers: 1/4 less the constant radius; times |F| or R, the rest of it */
    float limit_f32, slope_f32;
    float unseen_f32, near_zero_f32; /* over |V| 2^31; over R */
    size_t block_f32;
    simdp_release_counts *counts; /* NULL: nobody asks */
    double *noise, *radius;       /* room for a block each */
    simdp_release_cells *cells;
} simdp_release_plan;

/* scale and grid as the caller gave them, found good; scale may be 0. scratch: for one call at a time. */
simdp_release_plan simdp_release_plan_of(int law, double scale, double grid, simdp_release_scratch *scratch);

/* The same with other radii: times shrink (tests show that smaller ones are wrong), and with every element made at
 * level 1 or 2. */
simdp_release_plan simdp_release_plan_forced(int law, double scale, double grid, double shrink, int level,
                                             simdp_release_scratch *scratch);

/* Whose words a release reads; integers up to RELEASE_F32_SCALE take half a word each. */
uint32_t simdp_release_use(int law, bool integers, double scale);

/* Parts of level 2: |V| of the words of V, with the middle of what they leave open, and the cell of r +- scale
 * noise. */
simdp_wide simdp_release_wide_magnitude(const uint64_t words[RELEASE_WORDS]);
double simdp_release_wide_cell(double r, double scale, simdp_wide noise, bool negative);

/* Level 2: the cell of r + scale times the noise of these words, counted from the cell of r = 0. */
double simdp_release_wide_laplace(double r, double scale, const uint64_t words[RELEASE_WORDS]);
double simdp_release_wide_gaussian(double r, double scale, const uint64_t radius[RELEASE_WORDS],
                                   const uint64_t angle[RELEASE_WORDS], bool second);

/* Integers by a first pass in floats up to this scale. */
#define RELEASE_F32_SCALE 512.0

typedef void simdp_release_i64(int64_t *out, const int64_t *answers, size_t n, const simdp_bits_at *at,
                               const simdp_release_plan *plan);
typedef void simdp_release_f32(float *out, const float *answers, size_t n, const simdp_bits_at *at,
                               const simdp_release_plan *plan);
typedef void simdp_release_f64(double *out, const double *answers, size_t n, const simdp_bits_at *at,
                               const simdp_release_plan *plan);

#endif
