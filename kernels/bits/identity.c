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

simdp_status simdp_rng_id(const simdp_rng *rng, simdp_id *id, const void *bytes, size_t n)
{
    const simdp_kernels *kernels = simdp_kernels_active();
    uint64_t key[2], tag[2];
    if (id == NULL || (bytes == NULL && n > 0)) return SIMDP_ENULL;
    const simdp_status status = check_keeps_key(rng, kernels);
    if (status != SIMDP_OK) return status;
    if (n > PTRDIFF_MAX) return SIMDP_EPARAM;
    const simdp_bits_at at = {.cipher = rng_cipher(rng), .use = BITS_IDENTITY_TEXT};
    kernels->bits->cipher_words(key, 2, &at);
    for (int i = 0; i < 2; i++) key[i] = word_as_bytes(key[i]);
    kernels->bits->cmac(tag, (const uint8_t *)key, bytes, n);
    simdp_wipe(key, sizeof key);
    *id = (simdp_id){tag[0], tag[1]};
    return SIMDP_OK;
}
