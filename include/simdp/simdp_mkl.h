/* simdp_mkl.h: simdp and Intel MKL's vector statistics (VSL), in both directions. Library target simdp::mkl. */
#ifndef SIMDP_MKL_H
#define SIMDP_MKL_H

#include "simdp/simdp.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A stream whose words come from a VSL stream (viRngUniformBits64), so that kernels can run on MKL's own generators.
 * The VSL stream (a VSLStreamStatePtr) stays the caller's, must outlive the rng, and advances as words are drawn.
 * A call asks for the words of its elements in their order, Gaussian ones for whole groups of sixteen words; a call for
 * floats with tails, a release or a selection first for four words, the key of further bits. SIMDP_EPARAM if its
 * generator has no 64-bit words or is not one of MKL's own (MKL cannot draw such words from a registered generator,
 * ours included). On failure the rng is unusable. Words are what that generator makes: none of MKL's is a cipher. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_rng_init_vsl(simdp_rng *rng, void *vsl_stream);

/* The number under which simdp's cipher is registered with VSL, for vslNewStreamEx and every MKL distribution; it is
 * registered at the first call. *brng is untouched unless SIMDP_OK; SIMDP_ESOURCE if MKL refuses.
 *
 * Seeds: up to eight 32-bit numbers are the key (little-endian, padded with zeros), a ninth and tenth the stream id.
 * The words are those of simdp_rng_init_deterministic with that key and stream. Integers are 32-bit halves of the
 * words, low half first; doubles in [a, b) use the upper 53 bits of a word, floats the upper 24 bits of a half. A call
 * that ends in the middle of a word drops its other half. Leapfrog and skip-ahead are refused: use the stream id. */
SIMDP_API SIMDP_CHECKED simdp_status simdp_vsl_brng(int *brng);

#ifdef __cplusplus
}
#endif

#endif
