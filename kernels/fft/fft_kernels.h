/* fft_kernels.h: the plan of a transform, and what a unit offers to make and run one. README.md says why it is so. */
#ifndef SIMDP_FFT_KERNELS_H
#define SIMDP_FFT_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "vec/float_rules.h"

/* Complex numbers lie in groups: FFT_GROUP real parts, then FFT_GROUP imaginary parts. A leaf is what registers hold. A
 * column stage works on FFT_ROWS rows, FFT_STRIP complex numbers of each at a time. */
enum { FFT_GROUP = 8, FFT_LEAF = 64, FFT_ROWS = 64, FFT_STRIP = 16, FFT_PASSES_MOST = 4, FFT_STAGES_MOST = 3 };

/* Doubles of a table: factors of a block of radix r, and of a leaf (8 scalars, of which the last is unused, then 7
 * groups). */
#define FFT_FACTORS(radix) (2 * ((radix)-1))
enum { FFT_LEAF_TABLE = 16 + 7 * 2 * FFT_GROUP };

/* A root of unity: high + low. */
typedef struct {
    double re, im, re_low, im_low;
} fft_root;

/* Eight of them, for vectors. */
typedef struct {
    double re[FFT_GROUP], im[FFT_GROUP], re_low[FFT_GROUP], im_low[FFT_GROUP];
} fft_root_group;

/* exp(2 pi i m / period) = high[m >> shift] low[m & (2^shift - 1)], 0 <= m < period. */
typedef struct {
    uint64_t period;
    unsigned shift;
    fft_root *low, *high;
    size_t low_count, high_count;
} fft_roots;

/* One pass: every block of so many numbers becomes `radix` blocks. */
typedef struct {
    size_t radix, block;
    double *factors; /* FFT_FACTORS(radix) doubles for each block */
} fft_pass;

/* A large block becomes FFT_ROWS blocks, each turned so that the same plan fits all of them. */
typedef struct {
    size_t block;
    double first[FFT_FACTORS(8)], second[8][FFT_FACTORS(8)];
    double *lanes;   /* for each row FFT_STRIP real and as many imaginary parts: exp(i angle) - 1 within a strip */
    fft_root *turns; /* for each strip FFT_ROWS factors, those of its middle */
} fft_stage;

typedef struct simdp_fft simdp_fft;

/* Each function is described where it is defined, in an .inc of this folder. */
typedef struct simdp_fft_kernels {
    void (*forward)(const simdp_fft *fft, double *data);
    void (*backward)(const simdp_fft *fft, double *data);
    void (*roots)(fft_root *out, size_t count, uint64_t step, uint64_t period);
    void (*powers)(double *factors, size_t radix, uint64_t base, const fft_roots *roots);
    void (*leaf)(double *table, uint64_t base, const fft_roots *roots, const fft_root_group lanes[7]);
    void (*turns)(fft_root *out, const uint64_t *m, size_t count, const fft_roots *roots);
} simdp_fft_kernels;

struct simdp_fft {
    const simdp_fft_kernels *kernels;
    size_t points; /* N real numbers, N/2 complex ones */
    size_t stages, passes;
    fft_stage stage[FFT_STAGES_MOST];
    size_t block; /* left by the stages; the passes leave leaves */
    fft_pass pass[FFT_PASSES_MOST];
    double *leaves; /* FFT_LEAF_TABLE doubles each */
    double error;
};

#endif
