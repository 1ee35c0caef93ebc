/* tune_kernels.h: kernels by name, and calls of them that can be timed. */
#ifndef SIMDP_TUNE_KERNELS_H
#define SIMDP_TUNE_KERNELS_H

#include "kernel_list/kernel_list.h"
#include "tune_curve.h"

/* Kernel i that is tuned, NULL past the last: every line of the list but further variants of the same function. */
const kernel_line *tune_kernel_at(size_t i);

/* "noise/laplace_f64" is also laplace_f64, laplace and simdp_noise_laplace_f64; type: NULL, or f64, f32, i64 and the
 * like, which a name may leave out then. */
bool tune_is_named(const kernel_line *k, const char *name, const char *type);
const char *tune_type(const kernel_line *k);

/* Bytes that a call reads and writes for each element. */
double tune_element_bytes(const kernel_line *k);

enum { TUNE_THREADS_MAX = 256 };

/* Calls that several threads make at a time. */
typedef struct {
    const kernel_line *kernel;
    unsigned threads;
} tune_calls;

bool tune_can_share(const kernel_line *k); /* can several threads call it through the list of kernels? */
size_t tune_most(const kernel_line *k);    /* the largest batch */

void tune_prepare(const kernel_line *k,
                  unsigned threads); /* inputs, outputs and streams; before other kernels, again */
tune_sample tune_measure_calls(void *calls, size_t batch, double seconds); /* a tune_measure; the rate of all threads */

#endif
