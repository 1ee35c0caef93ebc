/* rng.h: how the public functions of other rooms draw from a simdp_rng. */
#ifndef SIMDP_RNG_H
#define SIMDP_RNG_H

#include "dispatch/table.h"

enum { RNG_DETERMINISTIC = 0x64657465, RNG_ENTROPY = 0x656e7472, RNG_SOURCE = 0x736f7572 };

#define RNG_BUFFER_WORDS 512   /* an external source is asked for so many words at a time; a multiple of every step */

/* One call's walk through the stream, in pieces that each lie under one key:
 *
 *     rng_draw draw;
 *     status = rng_draw_begin(&draw, rng, out, n, sizeof *out);
 *     while (status == SIMDP_OK && rng_draw_next(&draw, &status))
 *         draw.kernels->some_kernel(out + draw.done, draw.count, &draw.at, ...);
 */
typedef struct {
    simdp_rng *rng;
    const simdp_kernels *kernels;
    void *out;
    size_t bytes;              /* of the whole output */
    size_t left;               /* words after this piece */
    size_t done, count;        /* this piece: words done .. done + count of the call */
    simdp_bits_at at;
    uint64_t words[RNG_BUFFER_WORDS];
} rng_draw;

/* Checks everything that can be wrong before a byte is written: rng, out, the size of n elements, the room left. */
simdp_status rng_draw_begin(rng_draw *draw, simdp_rng *rng, void *out, size_t n, size_t element_bytes);

/* The next piece; false at the end, or with *status set if the stream failed (the output is then all 0xff bytes). */
bool rng_draw_next(rng_draw *draw, simdp_status *status);

#endif
