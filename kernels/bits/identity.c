/* identity.c: see identity.h: the keys of a stream that identities need, and the public function that makes identities
 * of text. */
#include "bits/identity.h"

#include "bits/bits_kernels.h"
#include "bits/rng.h"
#include "vec/byte_order.h"

/* Identities have the same words whenever they are asked for, so the stream must keep its key. */
static simdp_status check_keeps_key(const simdp_rng *rng, const simdp_kernels *kernels)
{
    if (rng == NULL) return SIMDP_ENULL;
    if (rng->kind != RNG_DETERMINISTIC) return SIMDP_EPARAM;
    return kernels == NULL ? SIMDP_EISA : SIMDP_OK;
}

simdp_status rng_identity(simdp_identity *identity, const simdp_rng *rng, uint32_t use, unsigned ready,
                          const uint64_t *parameters, unsigned count)
{
    const simdp_kernels *kernels = simdp_kernels_active();
    const simdp_status status = check_keeps_key(rng, kernels);
    if (status != SIMDP_OK) return status;
    identity->use = use;
    identity->ready = ready;
    identity->count = count;
    for (unsigned i = 0; i < count; i++) identity->parameters[i] = parameters[i];
    kernels->bits->identity_begin(identity, rng_cipher(rng));
    return SIMDP_OK;
}

/* The key that a stream has for texts. */
static void text_key(uint64_t key[2], const simdp_rng *rng, const simdp_kernels *kernels)
{
    const simdp_bits_at at = {.cipher = rng_cipher(rng), .use = BITS_IDENTITY_TEXT};
    kernels->bits->cipher_words(key, 2, &at);
    for (int i = 0; i < 2; i++) key[i] = word_as_bytes(key[i]);
}

simdp_status simdp_rng_id(const simdp_rng *rng, simdp_id *id, const void *bytes, size_t n)
{
    const simdp_kernels *kernels = simdp_kernels_active();
    uint64_t key[2], tag[2];
    if (id == NULL || (bytes == NULL && n > 0)) return SIMDP_ENULL;
    const simdp_status status = check_keeps_key(rng, kernels);
    if (status != SIMDP_OK) return status;
    if (n > PTRDIFF_MAX) return SIMDP_EPARAM;
    text_key(key, rng, kernels);
    kernels->bits->cmac(tag, (const uint8_t *)key, bytes, n);
    simdp_wipe(key, sizeof key);
    *id = (simdp_id){tag[0], tag[1]};
    return SIMDP_OK;
}

simdp_status simdp_rng_ids(const simdp_rng *rng, simdp_id *ids, const void *bytes, const uint64_t *starts, size_t n)
{
    const simdp_kernels *kernels = simdp_kernels_active();
    uint64_t key[2];
    if (rng == NULL || (n > 0 && (ids == NULL || starts == NULL))) return SIMDP_ENULL;
    const simdp_status status = check_keeps_key(rng, kernels);
    if (status != SIMDP_OK) return status;
    if (n > PTRDIFF_MAX / sizeof *ids) return SIMDP_EPARAM;
    if (n == 0) return SIMDP_OK;
    for (size_t i = 0; i < n; i++) {
        if (starts[i] > starts[i + 1]) return SIMDP_EPARAM;
    }
    if (starts[n] > PTRDIFF_MAX) return SIMDP_EPARAM;
    if (bytes == NULL && starts[n] > starts[0]) return SIMDP_ENULL;
    text_key(key, rng, kernels);
    kernels->bits->cmac_texts((uint64_t *)(void *)ids, (const uint8_t *)key, bytes, starts, n);
    simdp_wipe(key, sizeof key);
    return SIMDP_OK;
}
