#include "identity_reference.h"

#include <string.h>

#include "aes_reference.h"

enum { USE_IDENTITY_KEY = 64, USE_IDENTITY_TEXT = 65 };

/* A polynomial times x, its highest power first, modulo x^128 + x^7 + x^2 + x + 1. */
static void times_x(uint8_t block[16])
{
    const int carry = block[0] >> 7;
    for (int i = 0; i < 16; i++) block[i] = (uint8_t)(block[i] << 1 | (i < 15 ? block[i + 1] >> 7 : 0));
    if (carry) block[15] ^= 0x87;
}

void cmac_reference(uint8_t tag[16], const uint8_t key[16], const uint8_t *bytes, size_t n)
{
    const size_t blocks = n == 0 ? 1 : (n + 15) / 16;
    uint8_t subkey[16] = {0}, state[16] = {0};
    aes_reference(subkey, subkey, key, 16);
    times_x(subkey);
    if (n != 16 * blocks) times_x(subkey);
    for (size_t i = 0; i < 16 * blocks; i++) {
        uint8_t byte = 0;
        if (i < n) byte = bytes[i];
        else if (i == n) byte = 0x80;
        if (i / 16 == blocks - 1) byte ^= subkey[i % 16];
        state[i % 16] ^= byte;
        if (i % 16 == 15) aes_reference(state, state, key, 16);
    }
    memcpy(tag, state, 16);
}

static void put(uint8_t *bytes, uint64_t x, int count)
{
    for (int i = 0; i < count; i++) bytes[i] = (uint8_t)(x >> 8 * i);
}

static uint64_t get(const uint8_t *bytes)
{
    uint64_t x = 0;
    for (int i = 0; i < 8; i++) x |= (uint64_t)bytes[i] << 8 * i;
    return x;
}

/* Block 0 of a use, the key of CMAC. */
static void key_of_use(uint8_t out[16], const uint8_t key[32], uint64_t stream, uint32_t use)
{
    for (int w = 0; w < 2; w++) put(out + 8 * w, stream_reference(key, stream, use << 24, (uint64_t)w), 8);
}

void identity_reference_key(uint8_t own[16], const uint8_t key[32], uint64_t stream, uint32_t domain,
                            const uint64_t *parameters, unsigned count)
{
    uint8_t parent[16], message[72];
    key_of_use(parent, key, stream, USE_IDENTITY_KEY);
    put(message, domain, 4);
    put(message + 4, count, 4);
    for (unsigned i = 0; i < count; i++) put(message + 8 + 8 * i, parameters[i], 8);
    cmac_reference(own, parent, message, 8 + 8 * (size_t)count);
}

void identity_reference_under(uint64_t words[2], const uint8_t own[16], const simdp_id *id)
{
    uint8_t block[16];
    put(block, id->low, 8);
    put(block + 8, id->high, 8);
    aes_reference(block, block, own, 16);
    words[0] = get(block);
    words[1] = get(block + 8);
}

void identity_reference(uint64_t words[2], const uint8_t key[32], uint64_t stream, uint32_t domain,
                        const uint64_t *parameters, unsigned count, const simdp_id *id)
{
    uint8_t own[16];
    identity_reference_key(own, key, stream, domain, parameters, count);
    identity_reference_under(words, own, id);
}

void identity_text_reference(uint64_t id[2], const uint8_t key[32], uint64_t stream, const char *text, size_t n)
{
    uint8_t own[16], tag[16];
    key_of_use(own, key, stream, USE_IDENTITY_TEXT);
    cmac_reference(tag, own, (const uint8_t *)text, n);
    id[0] = get(tag);
    id[1] = get(tag + 8);
}
