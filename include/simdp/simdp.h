/* simdp.h: SIMD kernels for differential privacy on x86. The whole public API, with the parts it includes at its end;
 * what is not here is not API.
 *
 * Conventions. The object (rng) comes first, then the output, then the input and its count, then parameters. Every
 * function returns a simdp_status unless noted. Checks look at parameters only, never at data. n = 0 is legal
 * everywhere and does nothing. Pointers may have any alignment. The library never prints and never aborts. Only the
 * privacy-loss distributions of simdp_account.h allocate memory.
 *
 * Same bits. An element of an output is a pure function of key, stream, law and form, its position and parameters: the
 * same on every instruction set, with every compiler, however a job is cut into calls or threads, and whatever rounding
 * mode or denormal setting the caller runs with (it is set aside during a call and restored).
 *
 * Positions. A stream's position counts elements, of whatever law: a call for n elements (deviates, answers, bits,
 * symbols) owns the n positions from the stream's own on and moves it by n. Selections own a position a candidate, and
 * each begins at the next multiple of SIMDP_SELECT_GROUP. A call owns its positions; no bit that any other call at any
 * other position, of any function, reads is among those it reads. (Two Gaussian elements of one law and form that lie 8
 * apart, floats and integers 16, are cosine and sine of one radius and angle: independent, and nobody else's.)
 *
 * Failure. SIMDP_ENULL: nothing was written. An object whose opening failed is unusable. Functions whose output may be
 * published (releases, responses, selections) leave NaN, INT64_MIN or bytes of 0xff in all of it on any other failure:
 * never an answer, also where they work in place. Others leave their output untouched on SIMDP_EPARAM and SIMDP_EISA
 * (closed forms write NaN instead), and bytes of 0xff on SIMDP_EENTROPY and SIMDP_ESOURCE. No stream moves on failure.
 *
 * Stack. A call that draws needs at most SIMDP_STACK_BYTES; releases, selections and audits come near, noise and words
 * need a fifth of it. The hot core allocates nothing, so the blocks over which the constant-time second look at rare
 * elements is spread, and the lists of a selection, lie on the stack; with shorter blocks that look would be taken more
 * often. A debug build, whose kernels are not optimised, needs more than twice as much, and more than is overwritten
 * after a call: parts of erased keys stay there. It is not for real releases.
 *
 * Threads. All functions may be called from several threads at once, as long as no two use the same simdp_rng. */
#ifndef SIMDP_H
#define SIMDP_H

#include <stddef.h>
#include <stdint.h>

#define SIMDP_VERSION_MAJOR 0
#define SIMDP_VERSION_MINOR 1
#define SIMDP_VERSION_PATCH 0

/* The bits per (key, stream, position) change only together with this number. */
#define SIMDP_STREAM_VERSION 2

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

/* ---- status, version, CPU ---------------------------------------------------------------------------------------- */

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

/* ---- bits: random 64-bit words ----------------------------------------------------------------------------------- */

/* A stream of random bits. A plain struct of about 4 KiB that the caller owns, on the stack if they like; its members
 * are private. Copying it copies the stream: the copy repeats the bits of the original. kernels/bits/STREAM.md
 * specifies what key, stream and position give (version 2). */
typedef struct simdp_rng {
    uint64_t position;
    uint64_t kind;
    uint64_t fork_mark;
    uint64_t cipher[22 + 512];
    simdp_status (*source)(void *context, uint64_t *out, size_t n);
    void *context;
} simdp_rng;

/* A stream from operating-system entropy (getrandom), for real releases. It replaces its key every
 * SIMDP_ERASE_POSITIONS positions and leaves no copy of it behind, so that whoever reads the memory later cannot
 * recompute bits of earlier keys; and it takes fresh entropy in a forked child: parent and child never share a bit.
 * SIMDP_EENTROPY if the system has none, or cannot tell a child from its parent (before Linux 4.14); the stream is then
 * unusable. (Fork is noticed for fork and clone without shared memory, not for virtual-machine snapshots; a signal
 * handler that forks within a call of ours shares with its child what the call still makes of the present
 * SIMDP_ERASE_POSITIONS positions, or of the selections under way, at most 32.) */
SIMDP_API SIMDP_CHECKED simdp_status simdp_rng_init(simdp_rng *rng);
#define SIMDP_ERASE_POSITIONS 16384

/* A reproducible stream for tests, replays and clusters: whoever knows the key can recompute, and so remove, the noise.
 * Streams with different ids share nothing. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_rng_init_deterministic(simdp_rng *rng, const uint8_t key[32],
                                                                  uint64_t stream);

/* The next position to use, counted from the start of the stream. SIMDP_EPARAM unless deterministic. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_rng_seek(simdp_rng *rng, uint64_t position);
SIMDP_API uint64_t simdp_rng_position(const simdp_rng *rng); /* 0 for NULL */

/* Overwrite the whole struct with zeros. Later use gives SIMDP_EPARAM. */
SIMDP_API void simdp_rng_wipe(simdp_rng *rng);

/* out = the next n words, one a position. SIMDP_EPARAM if the position would pass 2^64 - 1. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_rng_words(simdp_rng *rng, uint64_t *out, size_t n);

/* ---- noise: raw deviates ----------------------------------------------------------------------------------------- */

/* These are numbers, not yet a private release: adding them to an answer in floating point leaks through the low-order
 * bits.
 *
 * Every law comes in four forms: doubles (_f64) and floats (_f32), each as fill (out = noise) and as _add (sum += noise
 * in one pass, the bytes of a fill followed by an addition).
 *
 * Scales are 0 (the noise is all +0.0, the position still advances) or lie in the ranges below; anything else is
 * SIMDP_EPARAM. Time: doubles, and uniform floats, in constant time: neither branches nor addresses depend on the
 * words. For other floats the time of a call tells whether it holds tail elements (one in 8192), which take more bits.
 *
 * A word w below is the stream's word with its lowest bit set, so that 0 is an ordinary word, and |w| its low 63 bits
 * (for signed laws the magnitude of the signed integer); |w| is rounded to a double (for floats: of half a word, to a
 * float) before use. "Reach" is the largest deviate, "beyond" the mass the exact law has there. ulp and errors are
 * against the exact function of the rounded integer. */
#define SIMDP_SCALE_MIN     0x1p-900
#define SIMDP_SCALE_MAX     0x1p+900
#define SIMDP_SCALE_MIN_F32 0x1p-100f
#define SIMDP_SCALE_MAX_F32 0x1p+100f

/* Uniform in the open interval (0, 1), dense near 0: |w| 2^-63, at most 1 - 2^-53. Floats: odd multiples of 2^-31,
 * rounded, at most 1 - 2^-24. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_noise_uniform_f64(simdp_rng *rng, double *out, size_t n);
SIMDP_API SIMDP_CHECKED simdp_status simdp_noise_uniform_f32(simdp_rng *rng, float *out, size_t n);
SIMDP_API SIMDP_CHECKED simdp_status simdp_noise_uniform_f64_add(simdp_rng *rng, double *sum, size_t n);
SIMDP_API SIMDP_CHECKED simdp_status simdp_noise_uniform_f32_add(simdp_rng *rng, float *sum, size_t n);

/* Exponential: density exp(-x/scale) / scale for x > 0. scale E with E = -ln(|w| / 2^63); reach 43.668 scale, beyond
 * 2^-63. Error at most 10 ulp, below 1.3 on average; where |w| rounds to 2^63,
 * 0 <= E < 2^-51.
 * Floats: 31 random bits, 63 below 2^-13 of mass: reach 43.668 scale, beyond 2^-63; error at most 12 ulp or 2^-19
 * scale. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_noise_exponential_f64(simdp_rng *rng, double *out, size_t n, double scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_noise_exponential_f32(simdp_rng *rng, float *out, size_t n, float scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_noise_exponential_f64_add(simdp_rng *rng, double *sum, size_t n,
                                                                     double scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_noise_exponential_f32_add(simdp_rng *rng, float *sum, size_t n, float scale);

/* Laplace: density exp(-|x|/scale) / (2 scale). w as a signed integer gives sign(w) scale E, E = -ln(|w| / 2^63); reach
 * 43.668 scale, beyond 2^-63. Errors as for the exponential law.
 * Floats: sign and 31 bits, 63 in the tail: reach 43.668 scale, beyond 2^-63. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_noise_laplace_f64(simdp_rng *rng, double *out, size_t n, double scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_noise_laplace_f32(simdp_rng *rng, float *out, size_t n, float scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_noise_laplace_f64_add(simdp_rng *rng, double *sum, size_t n, double scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_noise_laplace_f32_add(simdp_rng *rng, float *sum, size_t n, float scale);

/* Gaussian: mean 0, standard deviation sigma, by Box and Muller: in each aligned group of sixteen positions the words
 * of the first eight give radii R = sqrt(-2 ln(|w| / 2^63)), the last eight angles of 51 bits; radius j and angle j
 * make elements j and 8 + j. Reach 9.345 sigma, beyond 2^-66.6. Error at most 2^-49 sigma R; where |w| rounds to 2^63,
 * R is below 2^-25 instead of exact. Floats: groups of 32 elements, 31-bit radii (63 bits beyond R = 4.24) and 22-bit
 * angles (51 there), reach 9.345 sigma; error at most 2^-19 sigma R. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_noise_gaussian_f64(simdp_rng *rng, double *out, size_t n, double sigma);
SIMDP_API SIMDP_CHECKED simdp_status simdp_noise_gaussian_f32(simdp_rng *rng, float *out, size_t n, float sigma);
SIMDP_API SIMDP_CHECKED simdp_status simdp_noise_gaussian_f64_add(simdp_rng *rng, double *sum, size_t n, double sigma);
SIMDP_API SIMDP_CHECKED simdp_status simdp_noise_gaussian_f32_add(simdp_rng *rng, float *sum, size_t n, float sigma);

/* Gumbel, maximum form: P[x <= t] = exp(-exp(-t/scale)), mean 0.5772 scale. -scale ln E with the E of the exponential
 * law. Reach 36.736 scale upward (|w| / 2^63 is rounded to 53 bits: beyond 2^-53) and -3.777 scale downward (beyond
 * 2^-63). Error at most 2^-48 scale plus 1 ulp.
 * Floats: 31 bits, 63 where x > 9.01 scale: reach upward 36.736 scale (beyond 2^-53), downward -3.068 scale (beyond
 * 2^-31); error at most 12 ulp or 2^-19 scale. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_noise_gumbel_f64(simdp_rng *rng, double *out, size_t n, double scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_noise_gumbel_f32(simdp_rng *rng, float *out, size_t n, float scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_noise_gumbel_f64_add(simdp_rng *rng, double *sum, size_t n, double scale);
SIMDP_API SIMDP_CHECKED simdp_status simdp_noise_gumbel_f32_add(simdp_rng *rng, float *sum, size_t n, float scale);

#ifdef __cplusplus
}
#endif

#include "simdp_select.h"
#include "simdp_release.h"
#include "simdp_loss.h"
#include "simdp_account.h"
#include "simdp_system.h"

#endif
