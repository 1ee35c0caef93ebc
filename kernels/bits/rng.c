/* rng.c: streams of random words: opening, moving, erasing keys, and the public words function. */
#include "bits/rng.h"

#include <string.h>

#include "bits/entropy.h"

_Static_assert(sizeof(simdp_cipher) == sizeof((simdp_rng *)0)->cipher, "simdp.h reserves the room of the cipher");
_Static_assert(SIMDP_ERASE_WORDS % 512 == 0, "a key's words end where a step ends on every instruction set");

static simdp_cipher *cipher_of(simdp_rng *rng) { return (simdp_cipher *)(void *)rng->cipher; }

static bool is_open(const simdp_rng *rng)
{
    return rng->kind == RNG_DETERMINISTIC || rng->kind == RNG_ENTROPY || rng->kind == RNG_SOURCE;
}

static void set_stream_key(simdp_rng *rng, const simdp_kernels *kernels, const uint8_t key[32], uint64_t stream)
{
    uint64_t block[2] = {stream, 0}, stream_key[2];
    _Static_assert(SIMDP_STREAM_VERSION == 1, "the tag below names the version");
    memcpy(&block[1], "simdp-v1", 8);
    kernels->cipher_block_aes256(stream_key, block, key);
    kernels->cipher_setup(cipher_of(rng), (const uint8_t *)stream_key);
    simdp_wipe(stream_key, sizeof stream_key);
}

simdp_status simdp_rng_init_deterministic(simdp_rng *rng, const uint8_t key[32], uint64_t stream)
{
    const simdp_kernels *kernels = simdp_kernels_active();
    if (rng == NULL || key == NULL) return SIMDP_ENULL;
    memset(rng, 0, sizeof *rng);
    if (kernels == NULL) return SIMDP_EISA;
    set_stream_key(rng, kernels, key, stream);
    rng->kind = RNG_DETERMINISTIC;
    return SIMDP_OK;
}

/* A key from the operating system; the position stays. */
static simdp_status take_entropy(simdp_rng *rng, const simdp_kernels *kernels, uint64_t fork_mark)
{
    uint8_t key[32];
    const simdp_status status = simdp_entropy_bytes(key, sizeof key);
    if (status != SIMDP_OK) return status;
    set_stream_key(rng, kernels, key, 0);
    simdp_wipe(key, sizeof key);
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

/* The next key is made by the present one, in a domain of its own, and takes its place. */
static void erase_key(simdp_rng *rng, const simdp_kernels *kernels)
{
    uint64_t next[2];
    const simdp_bits_at at = {.cipher = cipher_of(rng), .domain = BITS_DOMAIN_ERASE};
    kernels->cipher_words(next, 2, &at);
    kernels->cipher_setup(cipher_of(rng), (const uint8_t *)next);
    simdp_wipe(next, sizeof next);
}

simdp_status rng_draw_begin(rng_draw *draw, simdp_rng *rng, size_t words, size_t group)
{
    draw->kernels = simdp_kernels_active();
    draw->rng = rng;
    draw->group = group;
    draw->left = words;
    draw->done = draw->count = 0;
    draw->at = (simdp_bits_at){0};
    if (rng == NULL) return SIMDP_ENULL;
    if (!is_open(rng) || words > UINT64_MAX - rng->position) return SIMDP_EPARAM;
    if (draw->kernels == NULL) return SIMDP_EISA;
    if (rng->kind == RNG_ENTROPY && words > 0) {
        uint64_t fork_mark;
        simdp_status status = simdp_entropy_fork_mark(&fork_mark);
        if (status == SIMDP_OK && fork_mark != rng->fork_mark) status = take_entropy(rng, draw->kernels, fork_mark);
        return status;
    }
    return SIMDP_OK;
}

bool rng_draw_next(rng_draw *draw, simdp_status *status)
{
    simdp_rng *rng = draw->rng;
    /* a key goes as soon as its last word is used */
    if (rng->kind == RNG_ENTROPY && draw->count > 0 && rng->position % SIMDP_ERASE_WORDS == 0)
        erase_key(rng, draw->kernels);
    draw->done += draw->count;
    draw->count = draw->left;
    if (draw->left == 0) return false;
    draw->at.cipher = cipher_of(rng);
    draw->at.position = rng->position;
    size_t used = draw->count;
    if (rng->kind == RNG_ENTROPY) {
        const uint64_t room = SIMDP_ERASE_WORDS - rng->position % SIMDP_ERASE_WORDS;
        if (draw->count > room) draw->count = room;
        used = draw->count;
    } else if (rng->kind == RNG_SOURCE) {
        if (draw->count > RNG_BUFFER_WORDS) draw->count = RNG_BUFFER_WORDS;
        used = (draw->count + draw->group - 1) / draw->group * draw->group;
        *status = rng->source(rng->context, draw->words, used);
        if (*status != SIMDP_OK) return false;
        draw->at.words = draw->words;
    }
    rng->position += used;
    draw->left -= draw->count;
    return true;
}

simdp_status simdp_rng_words(simdp_rng *rng, uint64_t *out, size_t n)
{
    rng_draw draw;
    if (rng == NULL || (out == NULL && n > 0)) return SIMDP_ENULL;
    if (n > SIZE_MAX / sizeof *out) return SIMDP_EPARAM;
    simdp_status status = rng_draw_begin(&draw, rng, n, 1);
    while (status == SIMDP_OK && rng_draw_next(&draw, &status)) {
        if (draw.at.words != NULL) memcpy(out + draw.done, draw.at.words, draw.count * sizeof *out);
        else draw.kernels->cipher_words(out + draw.done, draw.count, &draw.at);
    }
    if (status == SIMDP_ESOURCE) memset(out, 0xff, n * sizeof *out);
    return status;
}

simdp_status rng_local_open(simdp_rng *local, simdp_rng *rng)
{
    uint64_t key[4];
    simdp_status status = simdp_rng_words(rng, key, 4);
    if (status == SIMDP_OK) status = simdp_rng_init_deterministic(local, (const uint8_t *)key, 0);
    simdp_wipe(key, sizeof key);
    return status;
}

simdp_status rng_local_begin(simdp_rng **from, simdp_rng *local, simdp_rng *rng)
{
    *from = rng;
    if (rng->kind != RNG_SOURCE) return SIMDP_OK;
    const simdp_status status = rng_local_open(local, rng);
    if (status == SIMDP_OK) *from = local;
    return status;
}

void rng_local_end(simdp_rng *from, const simdp_rng *rng)
{
    if (from != rng) simdp_rng_wipe(from);
}
