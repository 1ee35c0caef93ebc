/* simdp.h: SIMD kernels for differential privacy on x86. The conventions of the public API, and a table of contents:
 * the parts that are included at the end are all of it, but for simdp_mkl.h, which belongs to the library simdp::mkl.
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
 * each begins at the next multiple of SIMDP_SELECT_GROUP; above threshold owns one more than it has queries. A call owns
 * its positions; no bit that any other call at any other position, of any function, reads is among those it reads. (Two
 * Gaussian elements of one law and form that lie 8 apart, floats and integers 16, are cosine and sine of one radius and
 * angle: independent, and nobody else's.)
 *
 * Failure. SIMDP_ENULL: nothing was written. An object whose opening failed is unusable. Functions whose output may be
 * published (releases, responses, selections) leave NaN, INT64_MIN, bytes of 0xff or flags of 0 on any other failure:
 * never an answer, also where they work in place. Others leave their output untouched on SIMDP_EPARAM and SIMDP_EISA
 * (closed forms write NaN instead), and bytes of 0xff on SIMDP_EENTROPY and SIMDP_ESOURCE. No stream moves on failure.
 *
 * Stack. A call that draws needs at most SIMDP_STACK_BYTES; releases, selections and audits come near, noise and words
 * need a fifth of it. The hot core allocates nothing, so the blocks over which the constant-time second look at rare
 * elements is spread, and the lists of a selection, lie on the stack; with shorter blocks that look would be taken more
 * often. A debug build, whose kernels are not optimised, needs more than twice as much, and more than is overwritten
 * after a call: parts of erased keys stay there. It is not for real releases.
 *
 * Threads. All functions may be called from several threads at once, as long as no two use the same simdp_rng.
 *
 * Three recipes, each a whole program in tests/examples of the source:
 *
 *   one_release.c      A mean, from records to the published number, and what that guarantees and assumes: clamp and
 *                      sum without rounding (simdp_release_clamped_sum), then count and sum with Laplace noise.
 *                          simdp_rng_init(&rng);
 *                          simdp_release_laplace_private(&rng, &sum, &sum, 1, 120.0, 0.5);
 *   eight_machines.c   A job on eight machines that can be done again in part: one key and stream for the job, each
 *                      machine at the position of its first answer, so that a repeated part repeats its noise.
 *                          simdp_rng_init_deterministic(&rng, key, job);
 *                          simdp_rng_seek(&rng, first);
 *                          simdp_release_laplace_private(&rng, out + first, answers + first, n, 1.0, 0.1);
 *   cost_of_many.c     The cost of 200 releases and selections together, bounded from both sides.
 *                          simdp_pld_create(&pld, simdp_pld_grid(1e-3, 0.05));
 *                          simdp_pld_add_laplace(pld, 0.05, 120);
 *                          simdp_pld_add_gaussian(pld, 20.0, 50);
 *                          simdp_pld_add_randomized_response(pld, 0.1, 0.0, 30);
 *                          simdp_pld_compose(pld, 1e-7, 1e-5, SIMDP_PLD_DOTS, SIMDP_PLD_BINS, NULL, NULL);
 *                          simdp_pld_epsilon(pld, &lower, &upper, &delta, 1); */
#ifndef SIMDP_H
#define SIMDP_H

#include "simdp_base.h"    /* status, version, instruction sets */
#include "simdp_rng.h"     /* streams of random bits */
#include "simdp_noise.h"   /* raw deviates */
#include "simdp_release.h" /* noisy answers that are safe to publish */
#include "simdp_select.h"  /* choosing one of many candidates, groups that may be shown, above threshold */
#include "simdp_loss.h"    /* privacy loss of outputs, privacy curves, audits */
#include "simdp_account.h" /* composition, calibration, privacy-loss distributions */
#include "simdp_theory.h"  /* concentration, typical stability, filters, interactions, simulations, urns */

#endif
