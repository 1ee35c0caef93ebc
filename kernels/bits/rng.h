/* rng.h: how the public functions of other rooms draw from a simdp_rng. */
#ifndef SIMDP_BITS_RNG_H
#define SIMDP_BITS_RNG_H

#include <stdbool.h>

#include "bits/identity.h"
#include "call/kernels.h"
#include "call/scrub.h"
#include "simdp/simdp.h"

/* symbols of the library all begin with simdp_ */
#define rng_check       simdp_rng_check
#define rng_draw_begin  simdp_rng_draw_begin
#define rng_draw_piece  simdp_rng_draw_piece
#define rng_identity    simdp_rng_identity
#define rng_local_begin simdp_rng_local_begin
#define rng_local_end   simdp_rng_local_end
#define rng_local_key   simdp_rng_local_key
#define rng_local_renew simdp_rng_local_renew
#define rng_renew       simdp_rng_renew
#define rng_skip        simdp_rng_skip
#define rng_words_of    simdp_rng_words_of

enum { RNG_DETERMINISTIC = 0x64657465, RNG_ENTROPY = 0x656e7472, RNG_SOURCE = 0x736f7572 };

#define RNG_BUFFER_WORDS 512 /* an external source is asked for so many words at a time; a multiple of every step */

static inline const simdp_cipher *rng_cipher(const simdp_rng *rng)
{
    return (const simdp_cipher *)(const void *)rng->cipher;
}

/* ---- drawing: one call's way along a stream ---- */

/* What a call reads of a stream: which words (`use`), and how many. `elements` elements share `words` words of level 0:
 * 1 and 1, or 2 and 1 for floats. */
typedef struct {
    uint32_t use; /* BITS_<name> */
    unsigned elements, words;
    unsigned group; /* words that an external source must give together: 16 for Gaussian pairs, else 1 */
    size_t stack;   /* SCRUB_...: how deep kernels go; scrubbed after a stream that erases its keys */
} rng_need;

/* A stream that erases its keys changes its key every SIMDP_RNG_ERASE_POSITIONS positions, and an external source fills
 * a buffer at a time. So a call takes its words in pieces:
 *
 *     rng_draw draw;
 *     status = rng_draw_begin(&draw, rng, &need, n);
 *     while (status == SIMDP_OK && rng_draw_next(&draw, &status))
 *         draw.kernels->room->some_kernel(out + draw.done, draw.count, &draw.at, ...);
 */
typedef struct {
    simdp_rng *rng;
    const simdp_kernels *kernels;
    const rng_need *need;
    size_t left;        /* elements after this piece */
    size_t done, count; /* this piece: elements done .. done + count of the call */
    simdp_bits_at at;   /* where a kernel finds the words of this piece */
    uint64_t words[RNG_BUFFER_WORDS];
} rng_draw;

/* Checks what can be wrong with a stream before a byte is written: whether it is open, has n positions left, belongs to
 * this process (a forked child takes fresh entropy), and whether there are kernels. */
simdp_status rng_draw_begin(rng_draw *draw, simdp_rng *rng, const rng_need *need, size_t n);

/* The next piece; false at the end, or with *status set if the stream failed. */
bool rng_draw_piece(rng_draw *draw, simdp_status *status);

/* The same, without a call after the only piece of a stream that keeps its key: short draws feel it. */
static inline bool rng_draw_next(rng_draw *draw, simdp_status *status)
{
    const bool is_over = draw->left == 0 && draw->rng->kind == RNG_DETERMINISTIC;
    return !is_over && rng_draw_piece(draw, status);
}

/* All of a call at once, without an rng_draw, if the stream keeps its key and nothing is wrong: short calls feel the
 * difference. If not, false, and rng_draw_begin knows what to do. */
static inline bool rng_take(simdp_bits_at *at, const simdp_kernels **kernels, simdp_rng *rng, uint32_t use, size_t n)
{
    if (rng->kind != RNG_DETERMINISTIC || n == 0 || n > UINT64_MAX - rng->position) return false;
    *kernels = simdp_kernels_active();
    if (*kernels == NULL) return false;
    *at = (simdp_bits_at){.cipher = rng_cipher(rng), .position = rng->position, .use = use};
    rng->position += n;
    return true;
}

/* `per` words (1, 2 or 4) for each of n elements, of a use in that shape. SIMDP_ESOURCE and SIMDP_EENTROPY leave 0xff
 * bytes. */
simdp_status rng_words_of(simdp_rng *rng, uint32_t use, unsigned per, uint64_t *out, size_t n);

/* Whether a stream is open. */
simdp_status rng_check(simdp_rng *rng);

/* ---- identities ---- */

/* Fills in the keys of a use for a stream that keeps its key; parameters are words, numbers by identity_number. ready:
 * for how many levels, at most IDENTITY_READY, keys are expanded now. SIMDP_EPARAM for any other stream. The caller
 * wipes it after use. rng does not move. */
simdp_status rng_identity(simdp_identity *identity, const simdp_rng *rng, uint32_t use, unsigned ready,
                          const uint64_t *parameters, unsigned count);

/* ---- calls that read their words more than once ---- */

/* Whether the positions of rng up to `end` (and not `end` itself) lie under its present key, which can then serve a
 * call that reads them more than once. */
static inline bool rng_has_one_key(const simdp_rng *rng, uint64_t end)
{
    if (rng->kind != RNG_ENTROPY) return rng->kind == RNG_DETERMINISTIC;
    return (end - 1) / SIMDP_RNG_ERASE_POSITIONS == rng->position / SIMDP_RNG_ERASE_POSITIONS;
}

/* If rng erases its keys and belongs to a forked child by now, it gets a key of the child's own entropy. */
simdp_status rng_renew(simdp_rng *rng);

/* Moves rng by n positions that a call owns but has read without rng_draw. */
void rng_skip(simdp_rng *rng, const simdp_kernels *kernels, uint64_t n);

/* ---- local streams: they live for one call ---- */

/* Opens `local`, keyed by the four words of the use LOCAL_KEY that belong to the position of rng. rng does not move:
 * the call owns that position, and moves rng when it is done. */
simdp_status rng_local_key(simdp_rng *local, simdp_rng *rng);

/* Gives `local` another key, of the child's own entropy, if a signal handler has forked during the call and this
 * process is the child. */
simdp_status rng_local_renew(simdp_rng *local, simdp_rng *rng);

/* An external source cannot give words at places of the caller's choice, which exact samplers need. If rng is one,
 * rng_local_begin opens `local`, keyed by four of its words; *from is the stream to use, local or rng itself.
 * rng_local_end wipes a local stream, scrubs the stack, and moves rng as far as the call has moved. */
simdp_status rng_local_begin(simdp_rng **from, simdp_rng *local, simdp_rng *rng);
void rng_local_end(simdp_rng *from, simdp_rng *rng);

#endif
