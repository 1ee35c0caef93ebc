/* rng.h: how the public functions of other rooms draw from a simdp_rng. */
#ifndef SIMDP_RNG_H
#define SIMDP_RNG_H

#include "dispatch/table.h"

enum { RNG_DETERMINISTIC = 0x64657465, RNG_ENTROPY = 0x656e7472, RNG_SOURCE = 0x736f7572 };

#define RNG_BUFFER_WORDS 512   /* an external source is asked for so many words at a time; a multiple of every step */

/* One call's walk through the stream, in pieces that each lie under one key:
 *
 *     rng_draw draw;
 *     status = rng_draw_begin(&draw, rng, words, group);
 *     while (status == SIMDP_OK && rng_draw_next(&draw, &status))
 *         draw.kernels->some_kernel(out + draw.done, draw.count, &draw.at, ...);
 */
typedef struct {
    simdp_rng *rng;
    const simdp_kernels *kernels;
    size_t group;              /* an external source is drawn from in whole groups of so many words */
    size_t left;               /* words after this piece */
    size_t done, count;        /* this piece: words done .. done + count of the call */
    simdp_bits_at at;
    uint64_t words[RNG_BUFFER_WORDS];
} rng_draw;

/* Checks what can be wrong with a stream before a byte is written: whether it is open, its entropy, the room left. */
simdp_status rng_draw_begin(rng_draw *draw, simdp_rng *rng, size_t words, size_t group);

/* Exact samplers need further bits at places of their choice. rng_local_open: a stream for one call, its key four words
 * of rng. rng_local_begin: that where words come from outside, which have no further bits; *from = rng or local.
 * rng_local_end wipes it. */
simdp_status rng_local_open(simdp_rng *local, simdp_rng *rng);
simdp_status rng_local_begin(simdp_rng **from, simdp_rng *local, simdp_rng *rng);
void rng_local_end(simdp_rng *from, const simdp_rng *rng);

/* The next piece; false at the end, or with *status set if the stream failed. */
bool rng_draw_next(rng_draw *draw, simdp_status *status);

#endif
