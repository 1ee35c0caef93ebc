/* fp_mode.h: the floating-point control word that kernels are proved for: round to nearest, denormals kept, no traps.
 * A caller may run with another one; it is set aside for the call. */
#ifndef SIMDP_FP_MODE_H
#define SIMDP_FP_MODE_H

#include <xmmintrin.h>

#define FP_MODE_DEFAULT      0x1f80u   /* all exceptions masked, to nearest, no FTZ, no DAZ */
#define FP_MODE_STICKY_FLAGS 0x003fu

static inline unsigned fp_mode_enter(void)
{
    const unsigned saved = _mm_getcsr();
    if ((saved & ~FP_MODE_STICKY_FLAGS) != FP_MODE_DEFAULT) _mm_setcsr(FP_MODE_DEFAULT);
    return saved;
}

static inline void fp_mode_leave(unsigned saved)
{
    if ((saved & ~FP_MODE_STICKY_FLAGS) != FP_MODE_DEFAULT) _mm_setcsr(saved);
}

#endif
