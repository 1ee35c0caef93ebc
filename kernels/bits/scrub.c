/* scrub.c: see scrub.h. */
#include "bits/scrub.h"

#include <string.h>

#include "vec/float_rules.h"

__attribute__((noinline)) void simdp_scrub(const simdp_kernels *kernels, size_t bytes)
{
    unsigned char used[bytes];
    memset(used, 0, bytes);
    __asm__ volatile("" : : "r"(used) : "memory"); /* or the compiler would see that nobody reads it */
    kernels->clear_registers();
}
