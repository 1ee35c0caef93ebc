#include "aes_reference.h"

#include <string.h>

static uint8_t gf_mul(uint8_t a, uint8_t b)
{
    uint8_t product = 0;
    for (int bit = 0; bit < 8; bit++) {
        if (b >> bit & 1) product ^= a;
        a = (uint8_t)(a << 1 ^ (a & 0x80 ? 0x1b : 0));
    }
    return product;
}

static uint8_t sub_byte(uint8_t a)
{
    uint8_t inverse = 1, s = 0;
    for (int i = 0; i < 254; i++) inverse = gf_mul(inverse, a); /* a^254 = 1/a, 0 for 0 */
    for (int bit = 0; bit < 8; bit++) {
        const int sum = inverse >> bit ^ inverse >> (bit + 4) % 8 ^ inverse >> (bit + 5) % 8 ^
                        inverse >> (bit + 6) % 8 ^ inverse >> (bit + 7) % 8 ^ 0x63 >> bit;
        s = (uint8_t)(s | (sum & 1) << bit);
    }
    return s;
}

static uint8_t sbox[256];

void aes_reference(uint8_t out[16], const uint8_t in[16], const uint8_t *key, int key_bytes)
{
    const int key_words = key_bytes / 4, rounds = key_words + 6;
    uint8_t w[60][4], state[16], moved[16], rcon = 1;
    if (sbox[0] == 0) {
        for (int i = 0; i < 256; i++) sbox[i] = sub_byte((uint8_t)i);
    }
    memcpy(w, key, (size_t)key_bytes);
    for (int i = key_words; i < 4 * (rounds + 1); i++) {
        uint8_t t[4];
        memcpy(t, w[i - 1], 4);
        if (i % key_words == 0) {
            const uint8_t first = t[0];
            for (int j = 0; j < 3; j++) t[j] = sbox[t[j + 1]];
            t[3] = sbox[first];
            t[0] ^= rcon;
            rcon = gf_mul(rcon, 2);
        } else if (key_words > 6 && i % key_words == 4) {
            for (int j = 0; j < 4; j++) t[j] = sbox[t[j]];
        }
        for (int j = 0; j < 4; j++) w[i][j] = w[i - key_words][j] ^ t[j];
    }
    for (int i = 0; i < 16; i++) state[i] = in[i] ^ w[i / 4][i % 4];
    for (int round = 1; round <= rounds; round++) {
        for (int i = 0; i < 16; i++) moved[i] = sbox[state[(i + 4 * (i % 4)) % 16]];
        for (int i = 0; i < 16; i++) {
            const uint8_t *column = moved + i / 4 * 4;
            uint8_t mixed = moved[i];
            if (round < rounds)
                mixed = (uint8_t)(gf_mul(column[i % 4], 2) ^ gf_mul(column[(i + 1) % 4], 3) ^ column[(i + 2) % 4] ^
                                  column[(i + 3) % 4]);
            state[i] = mixed ^ w[4 * round + i / 4][i % 4];
        }
    }
    memcpy(out, state, 16);
}

uint64_t stream_reference_under(const uint8_t stream_key[16], uint32_t domain, uint64_t position)
{
    uint8_t counter[16] = {0}, words[16];
    const uint64_t index = position / 2;
    uint64_t word = 0;
    for (int i = 0; i < 5; i++) counter[i] = (uint8_t)(index >> 8 * i);
    for (int i = 5; i < 8; i++) counter[i + 1] = (uint8_t)(index >> 8 * i);
    for (int i = 0; i < 4; i++) counter[11 + i] = (uint8_t)(domain >> 8 * i);
    aes_reference(words, counter, stream_key, 16);
    for (int i = 0; i < 8; i++) word |= (uint64_t)words[position % 2 * 8 + (uint64_t)i] << 8 * i;
    return word;
}

uint64_t stream_reference(const uint8_t key[32], uint64_t stream, uint32_t domain, uint64_t position)
{
    uint8_t block[16], stream_key[16];
    for (int i = 0; i < 8; i++) block[i] = (uint8_t)(stream >> 8 * i);
    memcpy(block + 8, "simdp-v2", 8);
    aes_reference(stream_key, block, key, 32);
    return stream_reference_under(stream_key, domain, position);
}
