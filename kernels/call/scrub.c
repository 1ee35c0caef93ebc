/* scrub.c: see scrub.h. */
#include "call/scrub.h"

__attribute__((noinline)) void simdp_scrub(const simdp_kernels *kernels, size_t bytes)
{
    unsigned char used[bytes];
    simdp_wipe(used, bytes);
    kernels->clear_registers();
}
