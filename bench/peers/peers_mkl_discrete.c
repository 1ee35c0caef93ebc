/* peers_mkl_discrete.c: see peers_mkl_discrete.h. By blocks that stay in the cache, with loops for the CPU at hand. */
#include "peers_mkl_discrete.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#ifdef SIMDP_HAVE_MKL

enum { BLOCK = 2048 };

#define FOR_THIS_CPU __attribute__((target_clones("avx512f", "avx2", "default")))

FOR_THIS_CPU static void flip(uint8_t *bits, const double *u, size_t n, double p)
{
    for (size_t i = 0; i < n; i++) bits[i] = (uint8_t)((bits[i] != 0) ^ (u[i] < p));
}

FOR_THIS_CPU static void flip_packed(uint8_t *out, const uint8_t *bits, const double *u, size_t n, double p)
{
    for (size_t i = 0; i < n; i += 8) {
        unsigned flips = 0;
        for (size_t k = 0; k < 8 && i + k < n; k++) flips |= (unsigned)(u[i + k] < p) << k;
        out[i / 8] = (uint8_t)(bits[i / 8] ^ flips);
    }
}

static int respond(void *stream, uint8_t *out, size_t n, int packed)
{
    double u[BLOCK];
    const double p = 1 / (1 + exp(KERNEL_EPSILON));
    for (size_t done = 0; done < n; done += BLOCK) {
        const size_t count = n - done < BLOCK ? n - done : BLOCK;
        const int status = mkl_uniform_f64(stream, u, count);
        if (status != 0) return status;
        if (packed) flip_packed(out + done / 8, input_packed + done / 8, u, count, p);
        else flip(out + done, u, count, p);
    }
    return 0;
}

int mkl_response(void *stream, void *out, size_t n) { return respond(stream, out, n, 0); }
int mkl_response_packed(void *stream, void *out, size_t n) { return respond(stream, out, n, 1); }

/* One uniform number for each bit, compared with the probability of its truth. */
FOR_THIS_CPU static void encode(uint8_t *out, const uint8_t *bits, const double *u, size_t n, double one, double zero)
{
    for (size_t i = 0; i < n; i += 8) {
        unsigned made = 0;
        for (size_t k = 0; k < 8 && i + k < n; k++)
            made |= (unsigned)(u[i + k] < (bits[i / 8] >> k & 1 ? one : zero)) << k;
        out[i / 8] = (uint8_t)made;
    }
}

int mkl_unary(void *stream, void *out, size_t n)
{
    double u[BLOCK];
    for (size_t done = 0; done < n; done += BLOCK) {
        const size_t count = n - done < BLOCK ? n - done : BLOCK;
        const int status = mkl_uniform_f64(stream, u, count);
        if (status != 0) return status;
        encode((uint8_t *)out + done / 8, input_packed + done / 8, u, count, 0.5, 1 / (1 + exp(KERNEL_EPSILON)));
    }
    return 0;
}

/* One uniform number for each report, times e^epsilon + k - 1: below k - 1 it names another value. */
FOR_THIS_CPU static void report(uint32_t *out, const uint32_t *values, const double *u, size_t n, double sum)
{
    const uint32_t k = (uint32_t)KERNEL_VALUES;
    for (size_t i = 0; i < n; i++) {
        const double x = u[i] * sum;
        const uint32_t draw = (uint32_t)(int32_t)(x < KERNEL_VALUES ? x : KERNEL_VALUES);
        out[i] = draw >= k - 1 ? values[i] : draw + (draw >= values[i]);
    }
}

int mkl_k_response(void *stream, void *out, size_t n)
{
    double u[BLOCK];
    for (size_t done = 0; done < n; done += BLOCK) {
        const size_t count = n - done < BLOCK ? n - done : BLOCK;
        const int status = mkl_uniform_f64(stream, u, count);
        if (status != 0) return status;
        report((uint32_t *)out + done, input_values + done, u, count, exp(KERNEL_EPSILON) + KERNEL_VALUES - 1);
    }
    return 0;
}

FOR_THIS_CPU static void floor_difference(int64_t *out, const double *a, const double *b, size_t n)
{
    for (size_t i = 0; i < n; i++) out[i] = (int64_t)a[i] - (int64_t)b[i];
}

int mkl_discrete_laplace(void *stream, void *out, size_t n)
{
    double e[2 * BLOCK];
    for (size_t done = 0; done < n; done += BLOCK) {
        const size_t count = n - done < BLOCK ? n - done : BLOCK;
        const int status = mkl_law_scaled(stream, e, 2 * count, MKL_EXPONENTIAL, KERNEL_DISCRETE_SCALE);
        if (status != 0) return status;
        floor_difference((int64_t *)out + done, e, e + count, count);
    }
    return 0;
}

/* to the nearest integer by a sum, so that the loop becomes vectors everywhere */
FOR_THIS_CPU static void round_to_integers(int64_t *out, const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const double sum = x[i] + 0x1.8p52;
        int64_t bits;
        memcpy(&bits, &sum, sizeof bits);
        out[i] = bits - 0x4338000000000000;
    }
}

static int gaussian(void *stream, int64_t *out, size_t n, double sigma)
{
    double x[BLOCK];
    for (size_t done = 0; done < n; done += BLOCK) {
        const size_t count = n - done < BLOCK ? n - done : BLOCK;
        const int status = mkl_gaussian_f64(stream, x, count);
        if (status != 0) return status;
        for (size_t i = 0; i < count; i++) x[i] *= sigma;
        round_to_integers(out + done, x, count);
    }
    return 0;
}

int mkl_discrete_gaussian(void *stream, void *out, size_t n) { return gaussian(stream, out, n, KERNEL_DISCRETE_SCALE); }
int mkl_discrete_gaussian_wide(void *stream, void *out, size_t n)
{
    return gaussian(stream, out, n, KERNEL_DISCRETE_SCALE_WIDE);
}

#endif
