/* identity_reference.h: what identities get, as kernels/bits/STREAM.md writes it, byte by byte, with the cipher of
 * aes_reference.h; shares nothing with kernels. */
#ifndef SIMDP_IDENTITY_REFERENCE_H
#define SIMDP_IDENTITY_REFERENCE_H

#include <stddef.h>
#include <stdint.h>

#include "simdp/simdp.h"

/* AES-CMAC under a key of 16 bytes. */
void cmac_reference(uint8_t tag[16], const uint8_t key[16], const uint8_t *bytes, size_t n);

/* The key of a use, a level and parameters; and the words of an id under it. */
void identity_reference_key(uint8_t own[16], const uint8_t key[32], uint64_t stream, uint32_t domain,
                            const uint64_t *parameters, unsigned count);
void identity_reference_under(uint64_t words[2], const uint8_t own[16], const simdp_id *id);

/* The two words of an id: domain is use and level. */
void identity_reference(uint64_t words[2], const uint8_t key[32], uint64_t stream, uint32_t domain,
                        const uint64_t *parameters, unsigned count, const simdp_id *id);

/* The id of a text, low word first. */
void identity_text_reference(uint64_t id[2], const uint8_t key[32], uint64_t stream, const char *text, size_t n);

#endif
