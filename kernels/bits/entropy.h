/* entropy.h: what only the operating system knows: fresh random bytes, and whether this process is a forked child. */
#ifndef SIMDP_ENTROPY_H
#define SIMDP_ENTROPY_H

#include <stddef.h>
#include <stdint.h>

#include "simdp/simdp.h"
#include "vec/float_rules.h"

/* n <= 256 bytes from getrandom(2), and from nowhere else. */
simdp_status simdp_entropy_bytes(void *out, size_t n);

/* A number other than 0 that differs between a process and its forked children. SIMDP_EENTROPY if it cannot be had. */
simdp_status simdp_entropy_fork_mark(uint64_t *mark);

#endif
