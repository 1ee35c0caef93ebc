/* fft.h: fast Fourier transforms by the FFTW3 interface, in the form that products of real sequences need.
 *
 * The transform is the right-angle one: a real sequence x of even length N is taken as the N/2 complex numbers
 * (x[j] + i x[j + N/2]) e^(i pi j / N) and transformed. Products of such spectra are products of polynomials modulo
 * t^N + 1, so a term that leaves the window at one end comes back at the other with its sign changed. Half the numbers
 * of a complex transform, and no pairs of frequencies to take apart.
 *
 * Large plans of FFTW take longer to make than to run (trigonometric tables). Here only short plans are made, and the
 * passes between them are ours: columns of 64, twiddles from two tables of some hundred entries, rows. The spectrum
 * comes out in a scrambled order, which products do not mind, and the inverse takes it in that order. */
#ifndef SIMDP_FFT_H
#define SIMDP_FFT_H

#include <stdbool.h>
#include <stddef.h>

#include "simdp/simdp.h"
#include "vec/float_rules.h"

typedef struct simdp_fft simdp_fft;

#define FFT_POINTS_MOST ((size_t)1 << 28)

/* Whether this build has transforms; without them simdp_fft_create returns SIMDP_ENOTBUILT. */
bool simdp_fft_built(void);

/* The smallest length at or above least that transforms well; 0 above FFT_POINTS_MOST. */
size_t simdp_fft_points(size_t least);

/* A transform of such a length; data is memory like that of the transforms to come and is not touched. Several threads
 * may plan at once; whoever plans with FFTW outside this library at the same time must make its planner thread-safe
 * first (fftw_make_planner_thread_safe). */
simdp_status simdp_fft_create(simdp_fft **fft, size_t points, double *data);
void simdp_fft_destroy(simdp_fft *fft);

/* Memory for data, aligned for the transforms. */
double *simdp_fft_alloc(size_t doubles);
void simdp_fft_free(double *data);

/* Where x[j] lies in data, 0 <= j < points: the two halves in turn, so that the complex numbers are in place. */
static inline size_t simdp_fft_slot(size_t points, size_t j)
{
    return j < points / 2 ? 2 * j : 2 * (j - points / 2) + 1;
}

/* In place: from the real sequence (in slots) to N/2 complex numbers and back. Backward does not divide by N/2.
 *
 * Every output differs from the exact transform of the input by at most simdp_fft_error times the sum of the moduli of
 * the inputs: each input reaches each output along paths whose factors have modulus 1, and a path of log2(N/2)
 * butterflies and some passes gathers at most 4 u per butterfly (addition, and product with a constant rounded to 1 u)
 * and 10 u per pass (the twiddle is a product of two table entries). test_account_fft holds it, with the measured
 * errors some twenty times below. */
void simdp_fft_forward(const simdp_fft *fft, double *data);
void simdp_fft_backward(const simdp_fft *fft, double *data);
double simdp_fft_error(const simdp_fft *fft);

#endif
