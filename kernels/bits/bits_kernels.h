/* bits_kernels.h: what a unit offers to the room bits. */
#ifndef SIMDP_BITS_KERNELS_H
#define SIMDP_BITS_KERNELS_H

#include "bits/identity.h"

/* Each function is described where it is defined, in aes.inc, cipher.inc and identity.inc. */
typedef struct simdp_bits_kernels {
    void (*cipher_setup)(simdp_cipher *cipher, const uint8_t key[16]);
    void (*cipher_setup_short)(simdp_cipher *cipher, const uint64_t round_keys[22], unsigned blocks);
    void (*aes_expand_group)(uint64_t (*round_keys)[22], const uint64_t (*keys)[2]);
    void (*cipher_block_aes128)(uint64_t out[2], const uint64_t in[2], const uint8_t key[16]);
    void (*cipher_block_aes256)(uint64_t out[2], const uint64_t in[2], const uint8_t key[32]);
    void (*cipher_words)(uint64_t *out, size_t n, const simdp_bits_at *at);
    void (*cmac)(uint64_t tag[2], const uint8_t key[16], const void *bytes, size_t n);
    void (*cmac_texts)(uint64_t *tags, const uint8_t key[16], const uint8_t *bytes, const uint64_t *starts, size_t n);
    void (*identity_begin)(simdp_identity *identity, const simdp_cipher *stream);
    simdp_identity_blocks *identity_blocks;
} simdp_bits_kernels;

#endif
