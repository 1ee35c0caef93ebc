/* fp_mode.h: the floating-point control words that kernels are proved for: round to nearest, no traps, denormals kept.
 * A caller may run with another one; it is set aside for the call. */
#ifndef SIMDP_FP_MODE_H
#define SIMDP_FP_MODE_H

#include <xmmintrin.h>

#include "vec/float_rules.h"

#define FP_MODE_DEFAULT      0x1f80u   /* all exceptions masked, to nearest, no FTZ, no DAZ */
#define FP_MODE_FLUSHING     0x9fc0u   /* the same with FTZ and DAZ: numbers that come as data must not cost time by their size */
#define FP_MODE_STICKY_FLAGS 0x003fu

static inline unsigned fp_mode_set(unsigned wanted)
{
    const unsigned saved = _mm_getcsr();
    if ((saved & ~FP_MODE_STICKY_FLAGS) != wanted) _mm_setcsr(wanted);
    return saved;
}

static inline void fp_mode_restore(unsigned saved, unsigned wanted)
{
    if ((saved & ~FP_MODE_STICKY_FLAGS) != wanted) _mm_setcsr(saved);
}

static inline unsigned fp_mode_enter(void) { return fp_mode_set(FP_MODE_DEFAULT); }
static inline void fp_mode_leave(unsigned saved) { fp_mode_restore(saved, FP_MODE_DEFAULT); }
static inline unsigned fp_mode_enter_flushing(void) { return fp_mode_set(FP_MODE_FLUSHING); }
static inline void fp_mode_leave_flushing(unsigned saved) { fp_mode_restore(saved, FP_MODE_FLUSHING); }

#endif
