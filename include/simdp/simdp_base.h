/* simdp_base.h: status, version, instruction sets, and what several parts share. Part of simdp.h, which has the
 * conventions. */
#ifndef SIMDP_BASE_H
#define SIMDP_BASE_H

#include <stddef.h>
#include <stdint.h>

#define SIMDP_VERSION_MAJOR 0
#define SIMDP_VERSION_MINOR 1
#define SIMDP_VERSION_PATCH 0

#define SIMDP_STACK_BYTES 131072

#if defined(__GNUC__)
#define SIMDP_API     __attribute__((visibility("default")))
#define SIMDP_CHECKED __attribute__((warn_unused_result))
#else
#define SIMDP_API
#define SIMDP_CHECKED
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    SIMDP_OK = 0,
    SIMDP_ENULL = 1,     /* a pointer was NULL where n > 0 */
    SIMDP_EPARAM = 2,    /* a parameter lies outside its documented range, or the stream has too few positions left */
    SIMDP_EISA = 3,      /* the instruction set asked for is unknown or not on this CPU */
    SIMDP_EENTROPY = 4,  /* the operating system gave no entropy */
    SIMDP_ESOURCE = 5,   /* an external word source failed */
    SIMDP_ENOMEMORY = 7, /* no memory for the work; only functions that say so allocate */
    SIMDP_ECANCELLED = 8 /* the caller's progress function asked to stop */
} simdp_status;

/* Laws of noise and mechanisms, by one list of names. A function that takes one says which of them it knows. */
typedef enum {
    SIMDP_MECHANISM_NONE = 0,
    SIMDP_MECHANISM_LAPLACE,
    SIMDP_MECHANISM_GAUSSIAN,
    SIMDP_MECHANISM_GUMBEL,
    SIMDP_MECHANISM_EXPONENTIAL,
    SIMDP_MECHANISM_DISCRETE_LAPLACE,
    SIMDP_MECHANISM_DISCRETE_GAUSSIAN,
    SIMDP_MECHANISM_RANDOMIZED_RESPONSE,
    SIMDP_MECHANISM_LEAKY_RESPONSE,
    SIMDP_MECHANISM_SELECTION,
    SIMDP_MECHANISM_SELECTION_MONOTONE, /* one record moves all scores in the same direction */
    SIMDP_MECHANISM_TYPICAL_LAPLACE,    /* typically stable release, with Laplace noise */
    SIMDP_MECHANISM_TYPICAL_GAUSSIAN,
    SIMDP_MECHANISM_ZCDP /* any mechanism with a bound rho on its zero-concentrated divergence */
} simdp_mechanism;

/* A guarantee: epsilon >= 0 in nats, 0 <= delta <= 1. */
typedef struct {
    double epsilon, delta;
} simdp_privacy;

/* One mechanism, by what its privacy depends on: sensitivity and scale enter as their ratio, but for integers. Members
 * that a mechanism does not name are ignored.
 *
 *   LAPLACE               parameter: sensitivity / scale, in [0, inf]
 *   GAUSSIAN              parameter: sigma / sensitivity, in [0, inf]
 *   RANDOMIZED_RESPONSE   parameter: its epsilon, in [0, inf]; leak in [0, 1]: with this probability the input itself
 *                         comes out. The worst case of all (epsilon, leak)-DP mechanisms
 *   DISCRETE_LAPLACE      on the integers; parameter: scale > 0, finite; a whole sensitivity >= 0
 *   DISCRETE_GAUSSIAN     on the integers; parameter: sigma > 0, finite; a whole sensitivity >= 0
 *   ZCDP                  parameter: rho, in [0, inf] */
typedef struct {
    simdp_mechanism mechanism;
    double parameter, leak;
    int64_t sensitivity;
} simdp_law;

/* One English sentence; never NULL, also for numbers that are no status. */
SIMDP_API const char *simdp_status_text(simdp_status status);

/* "major.minor.patch" of the library that runs, which may differ from the header's. */
SIMDP_API const char *simdp_version(void);

/* Choose the instruction set for the whole process: "scalar", "avx2", "avx512", or NULL for the best this CPU has.
 * "avx2" uses VAES where the CPU has it, else AES-NI; "avx2_vaes" and "avx2_aesni" name the two. "avx512" needs AVX-512
 * F, DQ, BW, VL and VAES. The environment variable SIMDP_ISA does the same at first use. Outputs do not depend on the
 * choice. SIMDP_EISA, with the choice unchanged, if the name is unknown or the CPU lacks it: never a quiet substitute.
 * If SIMDP_ISA itself is bad, every function that computes returns SIMDP_EISA until a good choice is made.
 *
 * Constant time, where a function promises it, holds for "avx2" and "avx512". "scalar" calls fma() of the C library,
 * which has it on CPUs with FMA instructions (glibc uses them); without those it is a routine whose time depends on
 * the numbers. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_isa_select(const char *name);

/* "scalar", "avx2" or "avx512": what runs; "" if SIMDP_ISA names what is not there. */
SIMDP_API const char *simdp_isa_name(void);

/* The same in full: "scalar", "avx2_vaes", "avx2_aesni" or "avx512". */
SIMDP_API const char *simdp_isa_variant(void);

#ifdef __cplusplus
}
#endif

#endif
