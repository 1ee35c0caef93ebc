/* test_bits_cipher: AES against FIPS-197 and SP 800-38A, words against the byte-wise reference, on every instruction
 * set. */
#include "reference/aes_reference.h"
#include "support/test_support.h"

static void from_hex(void *out, const char *hex)
{
    uint8_t *p = out;
    unsigned byte;
    for (; *hex; hex += 2) {
        assert_int_equal(sscanf(hex, "%2x", &byte), 1);
        *p++ = (uint8_t)byte;
    }
}

/* key (128 or 256 bits), plaintext, ciphertext */
static const char *const known[][3] = {
    /* FIPS-197 appendix C.1 and C.3 */
    {"000102030405060708090a0b0c0d0e0f", "00112233445566778899aabbccddeeff", "69c4e0d86a7b0430d8cdb78070b4c55a"},
    {"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f", "00112233445566778899aabbccddeeff",
     "8ea2b7ca516745bfeafc49904b496089"},
    /* SP 800-38A F.1.1, ECB-AES128 */
    {"2b7e151628aed2a6abf7158809cf4f3c", "6bc1bee22e409f96e93d7e117393172a", "3ad77bb40d7a3660a89ecaf32466ef97"},
    {"2b7e151628aed2a6abf7158809cf4f3c", "ae2d8a571e03ac9c9eb76fac45af8e51", "f5d3d58503b9699de785895a96fdbaaf"},
    {"2b7e151628aed2a6abf7158809cf4f3c", "30c81c46a35ce411e5fbc1191a0a52ef", "43b1cd7f598ece23881b00e3ed030688"},
    {"2b7e151628aed2a6abf7158809cf4f3c", "f69f2445df4f9b17ad2b417be66c3710", "7b0c785e27e8ad3f8223207104725dd4"},
    /* SP 800-38A F.1.5, ECB-AES256 */
    {"603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4", "6bc1bee22e409f96e93d7e117393172a",
     "f3eed1bdb5d2a03c064b5a7e3db181f8"},
    {"603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4", "ae2d8a571e03ac9c9eb76fac45af8e51",
     "591ccb10d410ed26dc5ba74a31362870"},
    {"603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4", "30c81c46a35ce411e5fbc1191a0a52ef",
     "b6ed21b99ca6f4f9f153e7b1beafed1d"},
    {"603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4", "f69f2445df4f9b17ad2b417be66c3710",
     "23304b7a39f9f3ff067d8d8f9e24ecc7"},
};

typedef void block_function(uint64_t out[2], const uint64_t in[2], const uint8_t *key);

/* A block of bytes; kernels have words, whose low byte is the first. */
static void cipher_bytes(block_function *cipher, void *out, const void *in, const uint8_t *key)
{
    uint64_t from[2], to[2];
    memcpy(from, in, sizeof from);
    test_put_in_order(from, 2, 1);
    cipher(to, from, key);
    test_put_in_order(to, 2, 1);
    memcpy(out, to, sizeof to);
}

static void test_known_blocks(void **state)
{
    (void)state;
    const simdp_kernels *t;
    for (size_t i = 0; (t = next_usable(&i)) != NULL; i++) {
        for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
            uint8_t key[32], again[16];
            uint64_t in[2], want[2], got[2];
            const bool is_256 = strlen(known[k][0]) == 64;
            from_hex(key, known[k][0]);
            from_hex(in, known[k][1]);
            from_hex(want, known[k][2]);
            cipher_bytes(is_256 ? t->bits->cipher_block_aes256 : t->bits->cipher_block_aes128, got, in, key);
            assert_memory_equal(got, want, 16);
            aes_reference(again, (const uint8_t *)in, key, is_256 ? 32 : 16);
            assert_memory_equal(again, want, 16);
        }
    }
}

/* SP 800-38A F.5.1, CTR-AES128: the key stream is the encrypted counter, big-endian there. */
static void test_known_counter_mode(void **state)
{
    (void)state;
    static const char *const plain[] = {"6bc1bee22e409f96e93d7e117393172a", "ae2d8a571e03ac9c9eb76fac45af8e51",
                                        "30c81c46a35ce411e5fbc1191a0a52ef", "f69f2445df4f9b17ad2b417be66c3710"};
    static const char *const cipher[] = {"874d6191b620e3261bef6864990db6ce", "9806f66b7970fdff8617187bb9fffdff",
                                         "5ae4df3edbd5d35e5b4f09020db03eab", "1e031dda2fbe03d1792170a0f3009cee"};
    const simdp_kernels *t;
    for (size_t i = 0; (t = next_usable(&i)) != NULL; i++) {
        uint8_t key[16], counter[16];
        from_hex(key, "2b7e151628aed2a6abf7158809cf4f3c");
        from_hex(counter, "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff");
        for (int k = 0; k < 4; k++) {
            uint64_t out[2], p[2], c[2];
            cipher_bytes(t->bits->cipher_block_aes128, out, counter, key);
            from_hex(p, plain[k]);
            from_hex(c, cipher[k]);
            assert_true((out[0] ^ p[0]) == c[0] && (out[1] ^ p[1]) == c[1]);
            for (int j = 15; ++counter[j] == 0; j--) {}
        }
    }
}

/* Words at positions all over the 64-bit range and across every place where the counter carries. */
static void test_words_reference(void **state)
{
    (void)state;
    uint64_t random = 11;
    const simdp_kernels *t;
    for (size_t i = 0; (t = next_usable(&i)) != NULL; i++) {
        must(simdp_isa_select(t->variant));
        for (int k = 0; k < 300; k++) {
            simdp_rng rng;
            uint8_t key[32];
            uint64_t words[40];
            const uint64_t stream = test_random(&random);
            uint64_t position = test_random(&random) >> test_random(&random) % 64;
            if (k % 3 == 0) position = ((uint64_t)1 << (9 + k / 3 % 54)) - 20; /* 40 words across 2^9 .. 2^62 */
            if (position > UINT64_MAX - 40) position -= 40;
            test_key(key, (uint64_t)k);
            must(simdp_rng_init_deterministic(&rng, key, stream));
            must(simdp_rng_seek(&rng, position));
            must(simdp_rng_words(&rng, words, 40));
            for (uint64_t j = 0; j < 40; j += 1 + (uint64_t)k % 5)
                assert_true(words[j] == stream_reference(key, stream, 0, position + j));
        }
    }
    must(simdp_isa_select(NULL));
}

/* Domains share no words with each other. */
static void test_domains(void **state)
{
    (void)state;
    uint8_t key[32];
    simdp_rng rng;
    test_key(key, 5);
    const simdp_kernels *t;
    for (size_t i = 0; (t = next_usable(&i)) != NULL; i++) {
        must(simdp_isa_select(t->variant));
        must(simdp_rng_init_deterministic(&rng, key, 9));
        for (uint32_t domain = 0; domain < 3; domain++) {
            const uint32_t d = domain == 2 ? 0xfedcba98 : domain;
            const simdp_bits_at at = {
                .cipher = (const simdp_cipher *)(const void *)rng.cipher, .position = 1001, .use = d};
            uint64_t words[7];
            t->bits->cipher_words(words, 7, &at);
            for (uint64_t j = 0; j < 7; j++) assert_true(words[j] == stream_reference(key, 9, d, 1001 + j));
        }
    }
    must(simdp_isa_select(NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_blocks),
        cmocka_unit_test(test_known_counter_mode),
        cmocka_unit_test(test_words_reference),
        cmocka_unit_test(test_domains),
    };
    return cmocka_run_group_tests_name("bits_cipher", tests, NULL, NULL);
}
