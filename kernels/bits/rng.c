/* rng.c: streams of random words: opening, moving, erasing keys, and the public words function. */
#include "bits/rng.h"

#include <string.h>

#include "bits/bits_kernels.h"
#include "bits/entropy.h"
#include "call/fp_mode.h"
#include "vec/byte_order.h"

_Static_assert(sizeof(simdp_cipher) == sizeof((simdp_rng *)0)->cipher, "simdp.h reserves the room of the cipher");
_Static_assert(SIMDP_RNG_ERASE_POSITIONS % 512 == 0, "a key's positions end where the group of every use ends");

static simdp_cipher *cipher_of(simdp_rng *rng) { return (simdp_cipher *)(void *)rng->cipher; }

static bool is_open(const simdp_rng *rng)
{
    return rng->kind == RNG_DETERMINISTIC || rng->kind == RNG_ENTROPY || rng->kind == RNG_SOURCE;
}

static void put_as_bytes(uint64_t *words, size_t n)
{
    for (size_t i = 0; i < n; i++) words[i] = word_as_bytes(words[i]);
}

/* Expands the key of a stream. The words of `key` are turned into the bytes of the key in place. */
static void set_key(simdp_rng *rng, const simdp_kernels *kernels, uint64_t key[2])
{
    put_as_bytes(key, 2);
    kernels->bits->cipher_setup(cipher_of(rng), (const uint8_t *)key);
}

static void set_stream_key(simdp_rng *rng, const simdp_kernels *kernels, const uint8_t key[32], uint64_t stream)
{
    uint64_t block[2] = {stream, 0}, stream_key[2];
    _Static_assert(SIMDP_STREAM_VERSION == 2, "the tag below names the version");
    memcpy(&block[1], "simdp-v2", 8);
    block[1] = word_as_bytes(block[1]);
    kernels->bits->cipher_block_aes256(stream_key, block, key);
    set_key(rng, kernels, stream_key);
    simdp_wipe(stream_key, sizeof stream_key);
}

simdp_status simdp_rng_init_deterministic(simdp_rng *rng, const uint8_t key[32], uint64_t stream)
{
    const simdp_kernels *kernels = simdp_kernels_active();
    if (rng == NULL) return SIMDP_ENULL;
    memset(rng, 0, sizeof *rng);
    if (key == NULL) return SIMDP_ENULL;
    if (kernels == NULL) return SIMDP_EISA;
    set_stream_key(rng, kernels, key, stream);
    rng->kind = RNG_DETERMINISTIC;
    return SIMDP_OK;
}

/* Takes a key from the operating system; the position stays. */
static simdp_status take_entropy(simdp_rng *rng, const simdp_kernels *kernels, uint64_t fork_mark)
{
    uint8_t key[32];
    const simdp_status status = simdp_entropy_bytes(key, sizeof key);
    if (status != SIMDP_OK) return status;
    set_stream_key(rng, kernels, key, 0);
    simdp_wipe(key, sizeof key);
    simdp_scrub(kernels, SCRUB_NOISE);
    rng->fork_mark = fork_mark;
    return SIMDP_OK;
}

simdp_status simdp_rng_init(simdp_rng *rng)
{
    const simdp_kernels *kernels = simdp_kernels_active();
    uint64_t fork_mark;
    if (rng == NULL) return SIMDP_ENULL;
    memset(rng, 0, sizeof *rng);
    if (kernels == NULL) return SIMDP_EISA;
    simdp_status status = simdp_entropy_fork_mark(&fork_mark);
    if (status == SIMDP_OK) status = take_entropy(rng, kernels, fork_mark);
    if (status == SIMDP_OK) rng->kind = RNG_ENTROPY;
    return status;
}

simdp_status simdp_rng_seek(simdp_rng *rng, uint64_t position)
{
    if (rng == NULL) return SIMDP_ENULL;
    if (rng->kind != RNG_DETERMINISTIC) return SIMDP_EPARAM;
    rng->position = position;
    return SIMDP_OK;
}

uint64_t simdp_rng_position(const simdp_rng *rng) { return rng == NULL ? 0 : rng->position; }

void simdp_rng_wipe(simdp_rng *rng)
{
    if (rng != NULL) simdp_wipe(rng, sizeof *rng);
}

/* Replaces the key by two words of the use NEXT_KEY, made with the present one, which cannot be computed from
 * them. */
static void erase_key(simdp_rng *rng, const simdp_kernels *kernels)
{
    uint64_t next[2];
    const simdp_bits_at at = {.cipher = cipher_of(rng), .use = BITS_NEXT_KEY};
    kernels->bits->cipher_words(next, 2, &at);
    set_key(rng, kernels, next);
    simdp_wipe(next, sizeof next);
}

/* Gives a forked child a key of its own. Called before every piece, since a signal handler may fork within a call. */
static simdp_status check_fork(simdp_rng *rng, const simdp_kernels *kernels)
{
    uint64_t fork_mark;
    const simdp_status status = simdp_entropy_fork_mark(&fork_mark);
    return status == SIMDP_OK && fork_mark != rng->fork_mark ? take_entropy(rng, kernels, fork_mark) : status;
}

/* What can be wrong with a stream before n positions of it are used. */
static simdp_status check_stream(simdp_rng *rng, const simdp_kernels *kernels, size_t n)
{
    if (rng == NULL) return SIMDP_ENULL;
    if (!is_open(rng) || n > UINT64_MAX - rng->position) return SIMDP_EPARAM;
    if (kernels == NULL) return SIMDP_EISA;
    return rng->kind == RNG_ENTROPY && n > 0 ? check_fork(rng, kernels) : SIMDP_OK;
}

simdp_status rng_renew(simdp_rng *rng)
{
    return rng->kind == RNG_ENTROPY ? check_fork(rng, simdp_kernels_active()) : SIMDP_OK;
}

simdp_status rng_check(simdp_rng *rng) { return check_stream(rng, simdp_kernels_active(), 0); }

simdp_status rng_draw_begin(rng_draw *draw, simdp_rng *rng, const rng_need *need, size_t n)
{
    draw->kernels = simdp_kernels_active();
    draw->rng = rng;
    draw->need = need;
    draw->left = n;
    draw->done = draw->count = 0;
    draw->at = (simdp_bits_at){.use = need->use};
    return check_stream(rng, draw->kernels, n);
}

/* n words from outside. Whatever a source calls its failure, it is SIMDP_ESOURCE here: some other statuses promise that
 * outputs are untouched. And whatever floating-point mode it leaves behind, kernels and the caller have theirs. */
static simdp_status ask_source(simdp_rng *rng, uint64_t *words, size_t n)
{
    const unsigned mode = fp_mode_get();
    const simdp_status status = rng->source(rng->context, words, n);
    fp_mode_put(mode);
    return status == SIMDP_OK ? SIMDP_OK : SIMDP_ESOURCE;
}

/* Asks an external source for the words of the next elements, as many as the buffer holds. */
static simdp_status fetch(rng_draw *draw)
{
    const rng_need *need = draw->need;
    const size_t most = RNG_BUFFER_WORDS / need->words * need->elements;
    if (draw->count > most) draw->count = most;
    const size_t words = (draw->count + need->elements - 1) / need->elements * need->words;
    draw->at.words = draw->words;
    draw->at.position = draw->done; /* counts within the call: further levels come from a local stream */
    return ask_source(draw->rng, draw->words, (words + need->group - 1) / need->group * need->group);
}

/* noinline: the function that scrubs must have a small frame, as what kernels left where that lies is not
 * overwritten. */
static __attribute__((noinline)) bool next_piece(rng_draw *draw, simdp_status *status)
{
    simdp_rng *rng = draw->rng;
    /* a key goes as soon as its last position is used */
    if (rng->kind == RNG_ENTROPY && draw->count > 0 && rng->position % SIMDP_RNG_ERASE_POSITIONS == 0)
        erase_key(rng, draw->kernels);
    draw->done += draw->count;
    draw->count = draw->left;
    if (draw->left == 0) return false;
    draw->at.cipher = cipher_of(rng);
    draw->at.position = rng->position;
    if (rng->kind == RNG_ENTROPY) {
        const uint64_t room = SIMDP_RNG_ERASE_POSITIONS - rng->position % SIMDP_RNG_ERASE_POSITIONS;
        if (draw->count > room) draw->count = room;
        if (draw->done > 0) *status = check_fork(rng, draw->kernels);
    } else if (rng->kind == RNG_SOURCE) {
        draw->at.cipher = NULL;
        *status = fetch(draw);
    }
    if (*status != SIMDP_OK) {
        rng->position -= draw->done; /* nothing of the call remains */
        return false;
    }
    rng->position += draw->count;
    draw->left -= draw->count;
    return true;
}

/* A stream that keeps its key gives all in one piece. */
static void only_piece(rng_draw *draw)
{
    draw->count = draw->left;
    draw->left = 0;
    draw->at.cipher = cipher_of(draw->rng);
    draw->at.position = draw->rng->position;
    draw->rng->position += draw->count;
}

bool rng_draw_piece(rng_draw *draw, simdp_status *status)
{
    if (draw->rng->kind == RNG_DETERMINISTIC) {
        only_piece(draw);
        return true;
    }
    const bool more = next_piece(draw, status);
    if (!more && draw->rng->kind == RNG_ENTROPY && draw->done > 0) simdp_scrub(draw->kernels, draw->need->stack);
    return more;
}

simdp_status rng_words_of(simdp_rng *rng, uint32_t use, unsigned per, uint64_t *out, size_t n)
{
    rng_draw draw;
    const rng_need need = {.use = use, .elements = 1, .words = per, .group = 1, .stack = SCRUB_NOISE};
    /* the last word must have an index below 2^64 */
    if (per > 1 && (n > UINT64_MAX / per || rng->position > UINT64_MAX / per - n)) return SIMDP_EPARAM;
    simdp_status status = rng_draw_begin(&draw, rng, &need, n);
    while (status == SIMDP_OK && rng_draw_next(&draw, &status)) {
        uint64_t *to = out + per * draw.done;
        draw.at.position *= per;
        if (draw.at.words != NULL) memcpy(to, draw.at.words, per * draw.count * sizeof *to);
        else draw.kernels->bits->cipher_words(to, per * draw.count, &draw.at);
    }
    if (status == SIMDP_ESOURCE || status == SIMDP_EENTROPY) memset(out, 0xff, n * per * sizeof *out);
    return status;
}

simdp_status simdp_rng_words(simdp_rng *rng, uint64_t *out, size_t n)
{
    if (rng == NULL || (out == NULL && n > 0)) return SIMDP_ENULL;
    if (n > SIZE_MAX / sizeof *out) return SIMDP_EPARAM;
    return rng_words_of(rng, BITS_WORDS, 1, out, n);
}

simdp_status rng_local_key(simdp_rng *local, simdp_rng *rng)
{
    const simdp_kernels *kernels = simdp_kernels_active();
    uint64_t key[4];
    simdp_status status = check_stream(rng, kernels, 1);
    if (status == SIMDP_OK && rng->position > UINT64_MAX / 4) status = SIMDP_EPARAM;
    if (status != SIMDP_OK) return status;
    const simdp_bits_at at = {.cipher = rng_cipher(rng), .position = 4 * rng->position, .use = BITS_LOCAL_KEY};
    if (rng->kind == RNG_SOURCE) status = ask_source(rng, key, 4);
    else kernels->bits->cipher_words(key, 4, &at);
    put_as_bytes(key, 4);
    if (status == SIMDP_OK) status = simdp_rng_init_deterministic(local, (const uint8_t *)key, 0);
    simdp_wipe(key, sizeof key);
    return status;
}

simdp_status rng_local_renew(simdp_rng *local, simdp_rng *rng)
{
    uint64_t fork_mark;
    if (rng->kind != RNG_ENTROPY) return SIMDP_OK;
    const simdp_status status = simdp_entropy_fork_mark(&fork_mark);
    return status == SIMDP_OK && fork_mark != rng->fork_mark ? rng_local_key(local, rng) : status;
}

void rng_skip(simdp_rng *rng, const simdp_kernels *kernels, uint64_t n)
{
    const uint64_t before = rng->position / SIMDP_RNG_ERASE_POSITIONS;
    rng->position += n;
    if (rng->kind == RNG_ENTROPY && rng->position / SIMDP_RNG_ERASE_POSITIONS != before) erase_key(rng, kernels);
}

simdp_status rng_local_begin(simdp_rng **from, simdp_rng *local, simdp_rng *rng)
{
    *from = rng;
    if (rng->kind != RNG_SOURCE) return SIMDP_OK;
    const simdp_status status = rng_local_key(local, rng);
    if (status != SIMDP_OK) return status;
    *from = local;
    return SIMDP_OK;
}

void rng_local_end(simdp_rng *from, simdp_rng *rng)
{
    if (from == rng) return;
    rng->position += from->position;
    simdp_rng_wipe(from);
    simdp_scrub(simdp_kernels_active(), SCRUB_LOCAL);
}
