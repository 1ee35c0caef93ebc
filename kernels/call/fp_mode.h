/* fp_mode.h: the floating-point control words that kernels are proved for: round to nearest, no traps, denormals kept.
 * A caller may run with another one; it is set aside for the call. */
#ifndef SIMDP_FP_MODE_H
#define SIMDP_FP_MODE_H

#include <stdbool.h>

#include "vec/float_rules.h"

/* FP_MODE_FLUSHING: the default with subnormal numbers taken and given as 0: numbers that come as data must not cost
 * time by their size. CPUs that are not named here may have no such mode: vd_number makes subnormal data 0 there, and
 * constant time is not promised. */
#if defined(__x86_64__)
#include <xmmintrin.h>
#define FP_MODE_DEFAULT      0x1f80u /* MXCSR: all exceptions masked, to nearest, no FTZ, no DAZ */
#define FP_MODE_FLUSHING     0x9fc0u
#define FP_MODE_STICKY_FLAGS 0x003fu
static inline unsigned fp_mode_get(void) { return _mm_getcsr(); }
static inline void fp_mode_put(unsigned mode) { _mm_setcsr(mode); }
#elif defined(__aarch64__)
#define FP_MODE_DEFAULT      0u /* FPCR; the flags are in another register */
#define FP_MODE_FLUSHING     (1u << 24)
#define FP_MODE_STICKY_FLAGS 0u
static inline unsigned fp_mode_get(void)
{
    unsigned long mode;
    __asm__ volatile("mrs %0, fpcr" : "=r"(mode));
    return (unsigned)mode;
}
static inline void fp_mode_put(unsigned mode) { __asm__ volatile("msr fpcr, %0" : : "r"((unsigned long)mode)); }
#else
#include <fenv.h>
#define FP_MODE_DEFAULT      ((unsigned)FE_TONEAREST) /* what C knows: the rounding */
#define FP_MODE_FLUSHING     FP_MODE_DEFAULT
#define FP_MODE_STICKY_FLAGS 0u
static inline unsigned fp_mode_get(void) { return (unsigned)fegetround(); }
static inline void fp_mode_put(unsigned mode) { (void)fesetround((int)mode); }
#endif

/* To compilers an operation on doubles does not depend on the mode, so they may move it to the other side of a change
 * of mode. What is in memory stays on its side of this line; FP_PIN keeps a variable there. */
#define FP_MODE_BARRIER() __asm__ volatile("" : : : "memory")
/* gcc keeps it in a register where it lies in one: a way through memory is long for a small call. */
#if defined(__x86_64__) && !defined(__clang__)
#define FP_PIN(variable) __asm__ volatile("" : "+xrm"(variable))
#else
#define FP_PIN(variable) __asm__ volatile("" : "+m"(variable))
#endif

/* Callers mostly run in the default mode. */
static inline bool fp_mode_differs(unsigned saved, unsigned wanted)
{
    return __builtin_expect((saved & ~FP_MODE_STICKY_FLAGS) != wanted, wanted != FP_MODE_DEFAULT);
}

static inline unsigned fp_mode_set(unsigned wanted)
{
    const unsigned saved = fp_mode_get();
    if (fp_mode_differs(saved, wanted)) fp_mode_put(wanted);
    FP_MODE_BARRIER();
    return saved;
}

static inline void fp_mode_restore(unsigned saved, unsigned wanted)
{
    FP_MODE_BARRIER();
    if (fp_mode_differs(saved, wanted)) fp_mode_put(saved);
}

static inline unsigned fp_mode_enter(void) { return fp_mode_set(FP_MODE_DEFAULT); }
static inline void fp_mode_leave(unsigned saved) { fp_mode_restore(saved, FP_MODE_DEFAULT); }
static inline unsigned fp_mode_enter_flushing(void) { return fp_mode_set(FP_MODE_FLUSHING); }
static inline void fp_mode_leave_flushing(unsigned saved) { fp_mode_restore(saved, FP_MODE_FLUSHING); }

/* The rest of the block runs in the default mode, and the caller's is back wherever the block is left. It stands before
 * the checks of parameters, with FP_PIN for each: checks compare, and where subnormal numbers count as 0 they compare
 * otherwise. */
static inline void fp_mode_scope_end(const unsigned *saved) { fp_mode_leave(*saved); }
#define FP_MODE_SCOPE() \
    __attribute__((cleanup(fp_mode_scope_end), unused)) const unsigned fp_mode_saved = fp_mode_enter()

#endif
