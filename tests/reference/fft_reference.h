/* fft_reference.h: the transform of fft.h in 200 decimal digits, written from its definition: values of a polynomial of
 * `count` complex coefficients at the roots of t^count = i, in their order exp(2 pi i (4 k + 1) / (4 count)), by splits
 * into prime factors. */
#ifndef SIMDP_FFT_REFERENCE_H
#define SIMDP_FFT_REFERENCE_H

#include <mpfr.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct {
    mpfr_t re, im;
} reference_number;

typedef struct {
    size_t count;
    reference_number *root; /* exp(2 pi i m / (4 count)) */
    reference_number *at;   /* the numbers to transform */
    reference_number product, term, part[5];
} fft_reference;

fft_reference *fft_reference_create(size_t count);
void fft_reference_destroy(fft_reference *r);

/* In place. Backward: coefficient j is the sum of value k times exp(-2 pi i (4 k + 1) j / (4 count)). */
void fft_reference_transform(fft_reference *r, bool backward);

/* |at[i] - (re + i im)| */
double fft_reference_distance(fft_reference *r, size_t i, double re, double im);

#endif
