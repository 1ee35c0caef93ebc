/* kernels.h: the kernels of the instruction set that runs. To each room a unit offers a struct of function pointers,
 * which the room itself defines in <room>_kernels.h; the others see its name alone. dispatch has one simdp_kernels for
 * each unit, and says which of them runs. */
#ifndef SIMDP_KERNELS_H
#define SIMDP_KERNELS_H

#include <stdatomic.h>
#include <stddef.h>

#include "vec/float_rules.h"

typedef struct {
    const char *isa;               /* "scalar", "avx2", "avx512" */
    const char *variant;           /* the same, or with the kind of AES instructions */
    void (*clear_registers)(void); /* zeros in all vector registers that the unit uses */
    const struct simdp_bits_kernels *bits;
    const struct simdp_noise_kernels *noise;
    const struct simdp_release_kernels *release;
    const struct simdp_select_kernels *select;
    const struct simdp_fft_kernels *fft;
    const struct simdp_loss_kernels *loss;
} simdp_kernels;

/* Those that run, chosen at first use; NULL if the environment's SIMDP_ISA asks for what is not there: SIMDP_EISA. It
 * is here, and not a function in dispatch, because a call for one number would feel it. */
extern _Atomic(const simdp_kernels *) simdp_kernels_chosen;
const simdp_kernels *simdp_kernels_choose(void);
static inline const simdp_kernels *simdp_kernels_active(void)
{
    const simdp_kernels *kernels = atomic_load_explicit(&simdp_kernels_chosen, memory_order_acquire);
    return kernels != NULL ? kernels : simdp_kernels_choose();
}

#endif
