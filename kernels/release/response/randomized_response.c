/* randomized_response.c: answers with exact flips, a byte or a bit each; and bits with a law for ones and one for
 * zeros. */
#include <float.h>
#include <string.h>

#include "bits/rng.h"
#include "call/fp_mode.h"
#include "call/in_range.h"
#include "call/publish.h"
#include "release/release_kernels.h"
#include "vec/byte_order.h"

/* Flips of elements, a bit each. */
typedef struct {
    uint64_t words[BERNOULLI_STAGE * BERNOULLI_WORDS] __attribute__((aligned(64)));
    size_t count; /* of words */
} flip_stage;

/* Drops the first bits of the stage. */
static void drop_flips(flip_stage *flips, size_t bits)
{
    const size_t words = bits / 64, shift = bits % 64;
    if (bits == 0) return;
    for (size_t i = 0; i < flips->count; i++) {
        const uint64_t low = i + words < flips->count ? flips->words[i + words] : 0,
                       high = i + words + 1 < flips->count ? flips->words[i + words + 1] : 0;
        flips->words[i] = shift == 0 ? low : low >> shift | high << (64 - shift);
    }
}

/* The flips as bytes, eight flips each. */
static const uint8_t *flip_bytes_of(flip_stage *flips)
{
    for (size_t i = 0; i < flips->count; i++) flips->words[i] = word_as_bytes(flips->words[i]);
    return (const uint8_t *)flips->words;
}

/* n answers of one byte, from bit `from` on; the bits before them stay as they are in out, those after them are what
 * `above` says. */
static void flip_in_byte(uint8_t *out, unsigned bits, unsigned flips, unsigned from, unsigned n, unsigned above)
{
    const unsigned before = (1u << from) - 1, after = 0xffu << (from + n), here = 0xffu & ~before & ~after;
    *out = (uint8_t)((*out & before) | ((bits ^ flips << from) & here) | (above & after));
}

/* Packed answers first .. first + n, flipped by the first n bits of the stage. In a last byte that they do not fill the
 * other bits are 0 if the call ends there; else they are still to come, and stay as they are in bits, which may be out
 * itself. */
static void flip_packed(uint8_t *out, const uint8_t *bits, size_t first, size_t n, flip_stage *flips, bool ends)
{
    const unsigned from = (unsigned)(first % 8);
    size_t byte = first / 8;
    if (from != 0 && n > 0) { /* the rest of a byte that was begun before */
        const size_t count = n < 8 - from ? n : 8 - from;
        const unsigned answers = bits[byte];
        flip_in_byte(out + byte, answers, (unsigned)flips->words[0] & 0xff, from, (unsigned)count, ends ? 0 : answers);
        drop_flips(flips, count);
        n -= count;
        byte++;
    }
    const uint8_t *flip = flip_bytes_of(flips);
    const size_t end = byte + n / 8;
    for (; byte + 8 <= end; byte += 8, flip += 8) {
        uint64_t a, f;
        memcpy(&a, bits + byte, 8);
        memcpy(&f, flip, 8);
        a ^= f;
        memcpy(out + byte, &a, 8);
    }
    for (; byte < end; byte++, flip++) out[byte] = bits[byte] ^ *flip;
    if (n % 8 != 0) {
        const unsigned answers = bits[byte];
        out[byte] = 0;
        flip_in_byte(out + byte, answers, *flip, 0, (unsigned)(n % 8), ends ? 0 : answers);
    }
}

/* A call: answers of a byte or a bit each. */
typedef struct {
    uint8_t *out;
    const uint8_t *bits;
    size_t n;
    bool packed;
    simdp_bernoulli law;
} response_call;

/* Flips of few elements are made a word of 64 at a time, and only where they are wanted; more in groups of 512. */
#define FEW_WORDS 3

static size_t few_flips(flip_stage *flips, size_t n, simdp_bits_at *at, const simdp_release_kernels *kernels,
                        simdp_bernoulli *law)
{
    const size_t skip = at->position % 64;
    at->position -= skip;
    flips->count = (skip + n + 63) / 64;
    for (size_t i = 0; i < flips->count; i++, at->position += 64) {
        uint64_t wanted = UINT64_MAX;
        if (i == 0) wanted <<= skip;
        if (i == flips->count - 1) wanted &= UINT64_MAX >> (64 * flips->count - skip - n);
        flips->words[i] = kernels->bernoulli_word(wanted, at, law);
    }
    drop_flips(flips, skip);
    return n;
}

/* Flips of the elements from at->position on: of how many, at most n. Moves `at` to the group or word after the last
 * one. */
static size_t next_flips(flip_stage *flips, size_t n, simdp_bits_at *at, const simdp_release_kernels *kernels,
                         simdp_bernoulli *law)
{
    const size_t skip = at->position % BERNOULLI_BITS;
    if (at->position % 64 + n <= 64 * FEW_WORDS) return few_flips(flips, n, at, kernels, law);
    const size_t wanted = (skip + n + BERNOULLI_BITS - 1) / BERNOULLI_BITS,
                 groups = wanted < BERNOULLI_STAGE ? wanted : BERNOULLI_STAGE, there = groups * BERNOULLI_BITS - skip;
    at->position -= skip;
    kernels->bernoulli_bits(flips->words, groups, at, law);
    at->position += groups * BERNOULLI_BITS;
    flips->count = groups * BERNOULLI_WORDS;
    drop_flips(flips, skip);
    return n < there ? n : there;
}

/* Answers first .. end of the call; `at` ends behind them. */
static SCRUB_BELOW void respond(response_call *call, size_t first, size_t end, simdp_bits_at *at,
                                const simdp_release_kernels *kernels)
{
    flip_stage flips;
    while (first < end) {
        const size_t count = next_flips(&flips, end - first, at, kernels, &call->law);
        if (call->packed) flip_packed(call->out, call->bits, first, count, &flips, first + count == call->n);
        else kernels->flip_bytes(call->out + first, call->bits + first, flip_bytes_of(&flips), count);
        first += count;
    }
}

/* From any stream. */
static __attribute__((noinline)) simdp_status draw_responses_in_pieces(response_call *call, simdp_rng *rng,
                                                                       double epsilon)
{
    static const rng_need need = {.use = BITS_RESPONSE, .elements = 1, .words = 1, .group = 1, .stack = SCRUB_RELEASE};
    const size_t n = call->n;
    rng_draw draw;
    simdp_rng local, *from = rng;
    simdp_status status = n > 0 ? rng_local_begin(&from, &local, rng) : SIMDP_OK;
    if (status == SIMDP_OK) status = rng_draw_begin(&draw, from, &need, n);
    if (status == SIMDP_OK && n > 0) simdp_bernoulli_later(&call->law, epsilon);
    while (status == SIMDP_OK && rng_draw_next(&draw, &status))
        respond(call, draw.done, draw.done + draw.count, &draw.at, draw.kernels->release);
    rng_local_end(from, rng);
    return status;
}

static simdp_status draw_responses(response_call *call, simdp_rng *rng, double epsilon)
{
    simdp_bits_at at;
    const simdp_kernels *kernels;
    if (!rng_take(&at, &kernels, rng, BITS_RESPONSE, call->n)) return draw_responses_in_pieces(call, rng, epsilon);
    simdp_bernoulli_later(&call->law, epsilon);
    respond(call, 0, call->n, &at, kernels->release);
    return SIMDP_OK;
}

static simdp_status randomized_response(simdp_rng *rng, uint8_t *out, const uint8_t *bits, size_t n, double epsilon,
                                        bool packed)
{
    response_call call; /* its law comes later: zeros that a list of members would write take a small call longer */
    if (rng == NULL || (n > 0 && (out == NULL || bits == NULL))) return SIMDP_ENULL;
    if (!publish_fits(n, 1)) return SIMDP_EPARAM;
    call.out = out;
    call.bits = bits;
    call.n = n;
    call.packed = packed;
    const unsigned mode = fp_mode_enter();
    simdp_status status = SIMDP_EPARAM;
    if (is_in_range(epsilon, 0.0, DBL_MAX)) status = draw_responses(&call, rng, epsilon);
    fp_mode_leave(mode);
    return publish(status, out, packed ? n / 8 + (n % 8 != 0) : n, PUBLISH_BYTES);
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

/* ---- two laws ---- */

/* Bits of a call and what becomes of them, in the words of their groups. */
typedef struct {
    uint64_t truth[BERNOULLI_STAGE * BERNOULLI_WORDS + 1]; /* one more, for a first byte that is not taken whole */
    flip_stage flips;
} unary_stage;

/* Packed bits first .. first + n to the words of the stage, from bit `skip` on. What lies around them is not used. */
static void take_truth(unary_stage *stage, const uint8_t *bits, size_t first, size_t n, size_t skip)
{
    uint64_t *const words = stage->truth;
    const size_t count = stage->flips.count, begun = first % 8, bytes = (begun + n + 7) / 8;
    memcpy(words, bits + first / 8, bytes);
    memset((unsigned char *)words + bytes, 0, (count + 1) * sizeof *words - bytes);
    for (size_t i = 0; i <= count; i++) words[i] = word_as_bytes(words[i]);
    if (begun > skip) {
        const size_t down = begun - skip;
        for (size_t i = 0; i < count; i++) words[i] = words[i] >> down | words[i + 1] << (64 - down);
    } else if (begun < skip) {
        const size_t far = (skip - begun) / 64, up = (skip - begun) % 64;
        for (size_t i = count; i-- > 0;) {
            const uint64_t low = i >= far ? words[i - far] : 0, lower = i > far ? words[i - far - 1] : 0;
            words[i] = up == 0 ? low : low << up | lower >> (64 - up);
        }
    }
}

typedef struct {
    uint8_t *out;
    const uint8_t *bits;
    size_t n;
    simdp_unary law;
} unary_call;

/* The made bits of the stage to their places. */
static void put_made(const unary_call *call, unary_stage *stage, size_t first, size_t n, size_t skip)
{
    flip_stage *const flips = &stage->flips;
    if (skip == 0 && first % 8 == 0 && n % 8 == 0) {
        memcpy(call->out + first / 8, flip_bytes_of(flips), n / 8);
        return;
    }
    for (size_t i = 0; i < flips->count; i++) flips->words[i] ^= stage->truth[i];
    drop_flips(flips, skip);
    flip_packed(call->out, call->bits, first, n, flips, first + n == call->n);
}

/* Bits first .. end of the call; `at` ends behind them. */
static SCRUB_BELOW void encode(const unary_call *call, size_t first, size_t end, simdp_bits_at *at,
                               const simdp_release_kernels *kernels)
{
    unary_stage stage;
    while (first < end) {
        const size_t skip = at->position % BERNOULLI_BITS, left = end - first,
                     wanted = (skip + left + BERNOULLI_BITS - 1) / BERNOULLI_BITS,
                     groups = wanted < BERNOULLI_STAGE ? wanted : BERNOULLI_STAGE,
                     there = groups * BERNOULLI_BITS - skip, count = left < there ? left : there;
        stage.flips.count = groups * BERNOULLI_WORDS;
        take_truth(&stage, call->bits, first, count, skip);
        at->position -= skip;
        kernels->unary_bits(stage.flips.words, stage.truth, groups, at, &call->law);
        at->position += groups * BERNOULLI_BITS;
        put_made(call, &stage, first, count, skip);
        first += count;
    }
}

/* From any stream. */
static __attribute__((noinline)) simdp_status draw_unary_in_pieces(unary_call *call, simdp_rng *rng,
                                                                   double log_odds_one, double log_odds_zero)
{
    static const rng_need need = {.use = BITS_UNARY, .elements = 1, .words = 1, .group = 1, .stack = SCRUB_RELEASE};
    rng_draw draw;
    simdp_rng local, *from = rng;
    simdp_status status = call->n > 0 ? rng_local_begin(&from, &local, rng) : SIMDP_OK;
    if (status == SIMDP_OK) status = rng_draw_begin(&draw, from, &need, call->n);
    if (status == SIMDP_OK && call->n > 0) simdp_unary_of(&call->law, log_odds_one, log_odds_zero);
    while (status == SIMDP_OK && rng_draw_next(&draw, &status))
        encode(call, draw.done, draw.done + draw.count, &draw.at, draw.kernels->release);
    rng_local_end(from, rng);
    return status;
}

static simdp_status draw_unary(unary_call *call, simdp_rng *rng, double log_odds_one, double log_odds_zero)
{
    simdp_bits_at at;
    const simdp_kernels *kernels;
    if (!rng_take(&at, &kernels, rng, BITS_UNARY, call->n))
        return draw_unary_in_pieces(call, rng, log_odds_one, log_odds_zero);
    simdp_unary_of(&call->law, log_odds_one, log_odds_zero);
    encode(call, 0, call->n, &at, kernels->release);
    return SIMDP_OK;
}

simdp_status simdp_release_unary(simdp_rng *rng, uint8_t *out, const uint8_t *bits, size_t n, double log_odds_one,
                                 double log_odds_zero)
{
    unary_call call = {.out = out, .bits = bits, .n = n};
    if (rng == NULL || (n > 0 && (out == NULL || bits == NULL))) return SIMDP_ENULL;
    if (!publish_fits(n, 1)) return SIMDP_EPARAM;
    const unsigned mode = fp_mode_enter();
    simdp_status status = SIMDP_EPARAM;
    if (is_in_range(log_odds_one, -DBL_MAX, DBL_MAX) && is_in_range(log_odds_zero, -DBL_MAX, DBL_MAX))
        status = draw_unary(&call, rng, log_odds_one, log_odds_zero);
    fp_mode_leave(mode);
    return publish(status, out, n / 8 + (n % 8 != 0), PUBLISH_BYTES);
}

/* ---- by identity ---- */

static simdp_status respond_by_id(const simdp_rng *rng, uint8_t *out, const uint8_t *bits, const simdp_id *ids,
                                  size_t n, double epsilon)
{
    const uint64_t parameters[1] = {identity_number(epsilon)};
    simdp_identity identity;
    simdp_bernoulli law;
    const simdp_status status = rng_identity(&identity, rng, BITS_RESPONSE_BY_ID, 1, parameters, 1);
    if (status != SIMDP_OK) return status;
    simdp_bernoulli_response(&law, epsilon);
    simdp_kernels_active()->release->response_by_id(out, bits, ids, n, &identity, &law);
    simdp_wipe(&identity, sizeof identity);
    return SIMDP_OK;
}

simdp_status simdp_release_randomized_response_by_id(simdp_rng *rng, uint8_t *out, const uint8_t *bits,
                                                     const simdp_id *ids, size_t n, double epsilon)
{
    if (rng == NULL || (n > 0 && (out == NULL || bits == NULL || ids == NULL))) return SIMDP_ENULL;
    if (!publish_fits(n, sizeof *ids)) return SIMDP_EPARAM;
    const unsigned mode = fp_mode_enter();
    simdp_status status = SIMDP_EPARAM;
    if (is_in_range(epsilon, 0.0, DBL_MAX)) status = respond_by_id(rng, out, bits, ids, n, epsilon);
    fp_mode_leave(mode);
    return publish(status, out, n, PUBLISH_BYTES);
}
