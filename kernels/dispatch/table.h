/* table.h: all that units offer: the kernels of each room, and the list of units. For the units themselves, tests and
 * benchmarks: a room reaches kernels by call/kernels.h and its own header. */
#ifndef SIMDP_TABLE_H
#define SIMDP_TABLE_H

#include <stdbool.h>

#include "bits/bits_kernels.h"
#include "call/kernels.h"
#include "fft/fft_kernels.h"
#include "loss/loss_kernels.h"
#include "noise/noise_kernels.h"
#include "release/release_kernels.h"
#include "select/select_kernels.h"
#include "simdp/simdp.h"

/* Row i of the list of all units, best first, NULL past its end. usable: whether this CPU has its instructions. */
const simdp_kernels *simdp_kernels_row(size_t i, bool *usable);

/* The same on a CPU with these features, a sum of the CPU_ masks of dispatch/cpu.h. */
const simdp_kernels *simdp_kernels_row_on(size_t i, uint32_t features, bool *usable);

#endif
