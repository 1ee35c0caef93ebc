/* randomized_response.c: answers with exact flips, a byte or a bit each. */
#include <float.h>
#include <string.h>

#include "bits/rng.h"
#include "release/bernoulli.h"

#define STAGE_GROUPS 8   /* flips that stay in the first-level cache */

static void flip_packed(uint8_t *out, const uint8_t *bits, const uint8_t *flips, size_t n)
{
    const size_t bytes = n / 8;
    size_t i = 0;
    for (; i + 8 <= bytes; i += 8) {
        uint64_t a, f;
        memcpy(&a, bits + i, 8);
        memcpy(&f, flips + i, 8);
        a ^= f;
        memcpy(out + i, &a, 8);
    }
    for (; i < bytes; i++) out[i] = bits[i] ^ flips[i];
    if (n % 8 != 0) out[i] = (uint8_t)((bits[i] ^ flips[i]) & ((1u << n % 8) - 1));   /* past the last bit: zeros */
}

/* Answers that begin at a position, eight to each. */
static void respond(uint8_t *out, const uint8_t *bits, size_t n, bool packed, const rng_draw *draw,
                    const simdp_bernoulli *b)
{
    uint64_t flips[STAGE_GROUPS * BERNOULLI_WORDS];
    size_t skip = draw->at.position % BERNOULLI_PLANES;   /* positions of the first group before ours */
    simdp_bits_at at = draw->at;
    at.position -= skip;
    while (n > 0) {
        const size_t wanted = (8 * skip + n + BERNOULLI_BITS - 1) / BERNOULLI_BITS;
        const size_t groups = wanted < STAGE_GROUPS ? wanted : STAGE_GROUPS, there = groups * BERNOULLI_BITS - 8 * skip;
        const size_t count = n < there ? n : there, bytes = packed ? count / 8 : count;
        draw->kernels->bernoulli_bits(flips, groups, &at, b);
        const uint8_t *from = (const uint8_t *)flips + skip;
        if (packed) flip_packed(out, bits, from, count);
        else draw->kernels->flip_bytes(out, bits, from, count);
        out += bytes;
        bits += bytes;
        n -= count;
        at.position += groups * BERNOULLI_PLANES;
        skip = 0;
    }
}

static simdp_status randomized_response(simdp_rng *rng, uint8_t *out, const uint8_t *bits, size_t n, double epsilon,
                                        bool packed)
{
    const size_t positions = n / 8 + (n % 8 != 0), bytes = packed ? positions : n;
    rng_draw draw;
    simdp_rng local, *from = rng;
    simdp_bernoulli b;
    if (rng == NULL || (n > 0 && (out == NULL || bits == NULL))) return SIMDP_ENULL;
    if (!(epsilon >= 0 && epsilon <= DBL_MAX)) {
        if (n > 0) memset(out, 0xff, bytes);   /* no answer leaves: neither 0 nor 1 */
        return SIMDP_EPARAM;
    }
    simdp_status status = n > 0 ? rng_local_begin(&from, &local, rng) : SIMDP_OK;
    if (status == SIMDP_OK) status = rng_draw_begin(&draw, from, positions, 1);
    if (status == SIMDP_OK && n > 0) simdp_bernoulli_response(&b, epsilon);
    while (status == SIMDP_OK && rng_draw_next(&draw, &status)) {
        const size_t first = 8 * draw.done, end = first + 8 * draw.count, count = (end < n ? end : n) - first;
        const size_t byte = packed ? draw.done : first;
        respond(out + byte, bits + byte, count, packed, &draw, &b);
    }
    if (status == SIMDP_ESOURCE) memset(out, 0xff, bytes);
    rng_local_end(from, rng);
    return status;
}

simdp_status simdp_release_randomized_response(simdp_rng *rng, uint8_t *out, const uint8_t *bits, size_t n,
                                               double epsilon)
{
    return randomized_response(rng, out, bits, n, epsilon, false);
}

simdp_status simdp_release_randomized_response_packed(simdp_rng *rng, uint8_t *out, const uint8_t *bits, size_t n,
                                                      double epsilon)
{
    return randomized_response(rng, out, bits, n, epsilon, true);
}
