/* scrub.h: overwrites the part of the stack that calls made from here have used. Kernels keep round keys in registers, and
 * compilers spill them; what a stream erases or wipes must not stay there. test_stack looks for it. */
#ifndef SIMDP_SCRUB_H
#define SIMDP_SCRUB_H

#include <stddef.h>

/* How deep calls go below the function that scrubs: samplers and the cipher; exact samplers; selections. test_stack
 * measures. */
#define SCRUB_NOISE  ((size_t)12 << 10)
#define SCRUB_EXACT  ((size_t)64 << 10)
#define SCRUB_SELECT ((size_t)96 << 10)

void simdp_scrub_stack(size_t bytes);

#endif
