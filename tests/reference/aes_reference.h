/* aes_reference.h: AES encryption as FIPS-197 writes it, byte by byte; slow, not constant time, shares nothing with
 * kernels. */
#ifndef SIMDP_AES_REFERENCE_H
#define SIMDP_AES_REFERENCE_H

#include <stdint.h>

void aes_reference(uint8_t out[16], const uint8_t in[16], const uint8_t *key, int key_bytes); /* 16 or 32 */

/* Word `position` of a domain of the stream (key, stream id), from kernels/bits/STREAM.md. */
uint64_t stream_reference(const uint8_t key[32], uint64_t stream, uint32_t domain, uint64_t position);

/* The same under a stream key K of that page. */
uint64_t stream_reference_under(const uint8_t stream_key[16], uint32_t domain, uint64_t position);

#endif
