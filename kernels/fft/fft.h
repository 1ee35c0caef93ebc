/* fft.h: fast Fourier transforms, in the form that products of real sequences need.
 *
 * The transform is the right-angle one: a real sequence x of even length N is the polynomial x[0] + x[1] t + ..., and
 * its spectrum are the values at the N/2 roots of t^(N/2) = i; at their conjugates the values are conjugate. Products
 * of spectra are products of polynomials modulo t^N + 1, so a term that leaves the window at one end comes back at the
 * other with its sign changed. N real numbers become N/2 complex ones in place, with no pairs of frequencies to take
 * apart. The spectrum comes out in an order of its own, which products do not mind, and the inverse takes it so.
 *
 *   fft.c          lengths, plans, memory; transforms too short for a leaf
 *   fft_kernels.h  the plan
 *   passes.inc     the walk over the data        butterfly.inc  short transforms        tables.inc  roots of unity
 *   README.md      why it is so                  ERRORS.md      the proof of the error bound
 *
 * All bits are the same on every instruction set. No global state: threads share plans or have their own. */
#ifndef SIMDP_FFT_H
#define SIMDP_FFT_H

#include <stddef.h>

#include "simdp/simdp.h"
#include "vec/float_rules.h"

typedef struct simdp_fft simdp_fft;

#define FFT_POINTS_MOST ((size_t)1 << 28)

/* The smallest length at or above least that there are transforms of, at most a third above it (powers of two up to
 * 256, then also 3 and 5 times powers of two); 0 above FFT_POINTS_MOST. */
size_t simdp_fft_points(size_t least);

/* A transform of such a length. SIMDP_ENOMEMORY, or SIMDP_EISA. A plan of N points takes at most 1.02 N + 4096 doubles,
 * and 20 sqrt(N) more while it is being made. */
simdp_status simdp_fft_create(simdp_fft **fft, size_t points);
void simdp_fft_destroy(simdp_fft *fft);

/* Memory for data, aligned for the transforms. */
double *simdp_fft_alloc(size_t doubles);
void simdp_fft_free(double *data);

/* Complex numbers lie in groups, first the real parts and then the imaginary ones, so that vectors hold either. */
static inline size_t simdp_fft_group(size_t points) { return points < 16 ? points / 2 : 8; }

/* Where number f of the spectrum has its real part; the imaginary one lies a group further. */
static inline size_t simdp_fft_place(size_t points, size_t f)
{
    const size_t group = simdp_fft_group(points); /* a power of two */
    return 2 * f - (f & (group - 1));
}

/* Where x[j] lies in data, 0 <= j < points: x[j] + i x[j + N/2] are the complex numbers to begin with. */
static inline size_t simdp_fft_slot(size_t points, size_t j)
{
    return j < points / 2 ? simdp_fft_place(points, j)
                          : simdp_fft_place(points, j - points / 2) + simdp_fft_group(points);
}

/* In place: from the real sequence (in slots) to N/2 complex numbers (in places) and back. Backward does not divide by
 * N/2.
 *
 * Every output differs from the exact transform of the input by at most simdp_fft_error times the sum of the moduli of
 * the complex inputs, which is at most the sum of the |x[j]|: about 2.6 u for each doubling of N, u = 2^-53. ERRORS.md
 * has the proof; test_fft_error holds the bound, and that hostile inputs come within a third of it. */
void simdp_fft_forward(const simdp_fft *fft, double *data);
void simdp_fft_backward(const simdp_fft *fft, double *data);
double simdp_fft_error(const simdp_fft *fft);

#endif
