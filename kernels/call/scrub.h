/* scrub.h: how secrets leave memory. simdp_wipe overwrites an object. simdp_scrub overwrites the part of the stack that
 * calls made from here have used, and the vector registers: kernels keep round keys in registers, and compilers spill
 * them; what a stream erases or wipes must not stay in either, since the next signal, or the first call of a function
 * in a shared library, writes registers to the stack. test_stack looks for what was left. */
#ifndef SIMDP_SCRUB_H
#define SIMDP_SCRUB_H

#include <stddef.h>
#include <string.h>

#include "call/kernels.h"

/* Zeros that the compiler may not leave out. */
static inline void simdp_wipe(void *p, size_t n)
{
    memset(p, 0, n);
    __asm__ volatile("" : : "r"(p) : "memory"); /* somebody may read them */
}

/* A function that keeps noise on the stack lies below the one that scrubs: it must not be inlined there. */
#define SCRUB_BELOW __attribute__((noinline))

/* How deep calls go below the function that scrubs; test_stack measures. SCRUB_LOCAL is for functions that draw from a
 * stream of their own, whatever the law. */
#define SCRUB_NOISE     ((size_t)12 << 10)
#define SCRUB_RELEASE   ((size_t)32 << 10)
#define SCRUB_DISCRETE  ((size_t)48 << 10)
#define SCRUB_LOCAL     ((size_t)48 << 10)
#define SCRUB_AUDIT     ((size_t)64 << 10)
#define SCRUB_SELECT    ((size_t)48 << 10)
#define SCRUB_FEW       ((size_t)24 << 10) /* a selection from few candidates */
#define SCRUB_THRESHOLD ((size_t)1 << 10)

void simdp_scrub(const simdp_kernels *kernels, size_t bytes);

#endif
