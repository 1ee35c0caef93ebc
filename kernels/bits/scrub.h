/* scrub.h: overwrites the part of the stack that calls made from here have used, and the vector registers. Kernels keep
 * round keys in registers, and compilers spill them; what a stream erases or wipes must not stay in either: the next
 * signal, or the first call of a function in a shared library, writes registers to the stack. test_stack looks. */
#ifndef SIMDP_SCRUB_H
#define SIMDP_SCRUB_H

#include <stddef.h>

#include "dispatch/table.h"

/* How deep calls go below the function that scrubs: samplers and the cipher; exact samplers; selections. test_stack
 * measures. */
#define SCRUB_NOISE  ((size_t)12 << 10)
#define SCRUB_EXACT  ((size_t)64 << 10)
#define SCRUB_SELECT ((size_t)96 << 10)

void simdp_scrub(const simdp_kernels *kernels, size_t bytes);

#endif
