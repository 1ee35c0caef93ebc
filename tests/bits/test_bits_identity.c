/* test_bits_identity: words that belong to identities: AES-CMAC against the examples of SP 800-38B, keys and blocks
 * against kernels/bits/STREAM.md in plain C, on every instruction set; and what must differ differs. */
#include "bits/rng.h"
#include "reference/identity_reference.h"
#include "support/test_support.h"

static void from_hex(uint8_t *out, const char *hex)
{
    for (unsigned byte; *hex; hex += 2) {
        assert_int_equal(sscanf(hex, "%2x", &byte), 1);
        *out++ = (uint8_t)byte;
    }
}

/* ---- CMAC ---- */

/* SP 800-38B, appendix D.1 (AES-128), examples 1 to 4: the first bytes of one message */
static const char *const cmac_key = "2b7e151628aed2a6abf7158809cf4f3c";
static const char *const cmac_message = "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
                                        "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710";
static const struct {
    size_t bytes;
    const char *tag;
} cmac_known[] = {{0, "bb1d6929e95937287fa37d129b756746"},
                  {16, "070a16b46b4d4144f79bdd9dd04a287c"},
                  {40, "dfa66747de9ae63030ca32611497c827"},
                  {64, "51f0bebf7e3b9d92fc49741779363cfe"}};

static void test_cmac_known(void **state)
{
    (void)state;
    const simdp_kernels *t;
    uint8_t key[16], message[64], want[16], again[16];
    from_hex(key, cmac_key);
    from_hex(message, cmac_message);
    for (size_t i = 0; (t = next_usable(&i)) != NULL; i++) {
        for (size_t k = 0; k < sizeof cmac_known / sizeof *cmac_known; k++) {
            uint64_t tag[2];
            from_hex(want, cmac_known[k].tag);
            t->bits->cmac(tag, key, message, cmac_known[k].bytes);
            test_put_in_order(tag, 2, 1);
            assert_memory_equal(tag, want, 16);
            cmac_reference(again, key, message, cmac_known[k].bytes);
            assert_memory_equal(again, want, 16);
        }
    }
}

/* All lengths around the borders of blocks, at every alignment. */
static void test_cmac_lengths(void **state)
{
    (void)state;
    const simdp_kernels *t;
    uint64_t random = 7;
    uint8_t key[32], bytes[96], want[16];
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)test_random(&random);
    for (size_t i = 0; (t = next_usable(&i)) != NULL; i++) {
        for (size_t n = 0; n <= 80; n++) {
            uint64_t tag[2];
            test_key(key, n);
            t->bits->cmac(tag, key, bytes + n % 16, n);
            test_put_in_order(tag, 2, 1);
            cmac_reference(want, key, bytes + n % 16, n);
            assert_memory_equal(tag, want, 16);
        }
    }
}

/* ---- identities of text ---- */

static void test_text(void **state)
{
    (void)state;
    const simdp_kernels *t;
    static const char *const texts[] = {"", "a", "job 7/income/berlin", "job 7/income/berlin, and sixteen bytes more"};
    for (size_t i = 0; (t = next_usable(&i)) != NULL; i++) {
        must(simdp_isa_select(t->variant));
        for (uint64_t k = 0; k < 4; k++) {
            simdp_rng rng, before;
            simdp_id id, other;
            uint8_t key[32];
            uint64_t want[2];
            test_key(key, k);
            test_stream(&rng, k, 3 * k, 17);
            before = rng;
            must(simdp_rng_id(&rng, &id, texts[k], strlen(texts[k])));
            assert_memory_equal(&rng, &before, sizeof rng);
            identity_text_reference(want, key, 3 * k, texts[k], strlen(texts[k]));
            assert_true(id.low == want[0] && id.high == want[1]);
            test_stream(&rng, k, 3 * k + 1, 0);
            must(simdp_rng_id(&rng, &other, texts[k], strlen(texts[k])));
            assert_true(id.low != other.low && id.high != other.high);
        }
    }
    must(simdp_isa_select(NULL));
}

/* Many texts at once have the ids that each has alone, on every instruction set, wherever they lie: of lengths that
 * differ, and long ones among others of one length, in an array that ends where they do. */
static void check_texts(size_t count, size_t length, size_t more, size_t every)
{
    const simdp_kernels *t;
    uint64_t starts[101] = {3};
    assert_in_range(count, 1, 100);
    for (size_t i = 0; i < count; i++)
        starts[i + 1] = starts[i] + (every > 0 ? length + (i % every == 1 ? more : 0) : i * 7 % more);
    uint8_t *bytes = malloc(starts[count]), key[32];
    assert_non_null(bytes);
    for (size_t i = 0; i < starts[count]; i++) bytes[i] = (uint8_t)(i * i / 7 + 5 * i + count);
    for (size_t i = 0; (t = next_usable(&i)) != NULL; i++) {
        must(simdp_isa_select(t->variant));
        simdp_rng rng;
        simdp_id ids[101];
        test_key(key, 9);
        test_stream(&rng, 9, 4, 0);
        memset(ids, 0xaa, sizeof ids);
        must(simdp_rng_ids(&rng, ids, bytes, starts, count));
        for (size_t k = 0; k < count; k++) {
            uint64_t want[2];
            identity_text_reference(want, key, 4, (const char *)bytes + starts[k], starts[k + 1] - starts[k]);
            assert_true(ids[k].low == want[0] && ids[k].high == want[1]);
        }
        assert_true(ids[count].low == UINT64_C(0xaaaaaaaaaaaaaaaa));
    }
    free(bytes);
    must(simdp_isa_select(NULL));
}

static void test_texts(void **state)
{
    (void)state;
    check_texts(70, 0, 50, 0);
    for (size_t length = 0; length <= 34; length++) check_texts(37, length, 0, 1);
    for (size_t count = 1; count <= 5; count++) check_texts(count, 9, 0, 1);
    for (size_t every = 2; every <= 40; every += 19) check_texts(100, 9, 200, every);
}

static simdp_status no_words(void *context, uint64_t *out, size_t n)
{
    (void)context, (void)out, (void)n;
    return SIMDP_ESOURCE;
}

static void test_text_bad_calls(void **state)
{
    (void)state;
    simdp_rng rng, source = {.kind = RNG_SOURCE, .source = no_words}, closed = {0};
    simdp_id id = {1, 2};
    test_stream(&rng, 1, 0, 0);
    assert_int_equal(simdp_rng_id(NULL, &id, "a", 1), SIMDP_ENULL);
    assert_int_equal(simdp_rng_id(&rng, NULL, "a", 1), SIMDP_ENULL);
    assert_int_equal(simdp_rng_id(&rng, &id, NULL, 1), SIMDP_ENULL);
    assert_int_equal(simdp_rng_id(&rng, &id, "a", SIZE_MAX), SIMDP_EPARAM);
    assert_int_equal(simdp_rng_id(&source, &id, "a", 1), SIMDP_EPARAM);
    assert_int_equal(simdp_rng_id(&closed, &id, "a", 1), SIMDP_EPARAM);
    must(simdp_rng_init(&rng));
    assert_int_equal(simdp_rng_id(&rng, &id, "a", 1), SIMDP_EPARAM);
    assert_true(id.low == 1 && id.high == 2);
    test_stream(&rng, 1, 0, 0);
    must(simdp_rng_id(&rng, &id, NULL, 0));
    assert_true(id.low != 1 && id.high != 2);
}

static void test_texts_bad_calls(void **state)
{
    (void)state;
    simdp_rng rng, source = {.kind = RNG_SOURCE, .source = no_words};
    simdp_id ids[2] = {{1, 2}, {3, 4}};
    const uint64_t starts[3] = {0, 1, 2}, turned[3] = {0, 2, 1}, none[3] = {5, 5, 5};
    const uint64_t far[3] = {0, 1, UINT64_MAX};
    test_stream(&rng, 1, 0, 0);
    assert_int_equal(simdp_rng_ids(NULL, ids, "ab", starts, 2), SIMDP_ENULL);
    assert_int_equal(simdp_rng_ids(&rng, NULL, "ab", starts, 2), SIMDP_ENULL);
    assert_int_equal(simdp_rng_ids(&rng, ids, NULL, starts, 2), SIMDP_ENULL);
    assert_int_equal(simdp_rng_ids(&rng, ids, "ab", NULL, 2), SIMDP_ENULL);
    assert_int_equal(simdp_rng_ids(&rng, ids, "ab", turned, 2), SIMDP_EPARAM);
    assert_int_equal(simdp_rng_ids(&rng, ids, "ab", far, 2), SIMDP_EPARAM);
    assert_int_equal(simdp_rng_ids(&rng, ids, "ab", starts, SIZE_MAX), SIMDP_EPARAM);
    assert_int_equal(simdp_rng_ids(&source, ids, "ab", starts, 2), SIMDP_EPARAM);
    must(simdp_rng_ids(&rng, NULL, NULL, NULL, 0));
    assert_true(ids[0].low == 1 && ids[0].high == 2 && ids[1].low == 3 && ids[1].high == 4);
    must(simdp_rng_ids(&rng, ids, NULL, none, 2));
    assert_memory_equal(&ids[0], &ids[1], sizeof ids[0]);
}

/* ---- blocks ---- */

enum { IDS = 300 };

static void random_ids(simdp_id *ids, size_t n, uint64_t seed)
{
    for (size_t i = 0; i < n; i++) {
        ids[i].low = i % 7 == 0 ? i : test_random(&seed);
        ids[i].high = i % 5 == 0 ? 0 : test_random(&seed);
    }
}

static void test_blocks_reference(void **state)
{
    (void)state;
    static const uint32_t uses[] = {BITS_LAPLACE_F64_BY_ID, BITS_GAUSSIAN_I64_BY_ID, BITS_RESPONSE_BY_ID};
    const simdp_kernels *t;
    simdp_id ids[IDS];
    uint64_t words[2 * IDS], want[2], random = 5;
    random_ids(ids, IDS, 3);
    for (size_t i = 0; (t = next_usable(&i)) != NULL; i++) {
        must(simdp_isa_select(t->variant));
        for (unsigned k = 0; k < 12; k++) {
            simdp_rng rng;
            simdp_identity identity;
            uint8_t key[32];
            const uint64_t parameters[4] = {test_random(&random), test_random(&random), 3, 4};
            const unsigned count = k % 5, ready = k % 3, n = k == 0 ? IDS : 1 + k * 7;
            const uint32_t use = uses[k % 3], level = k % 4;
            test_key(key, k);
            test_stream(&rng, k, k, 5);
            must(rng_identity(&identity, &rng, use, ready, parameters, count));
            memset(words, 0xaa, sizeof words);
            t->bits->identity_blocks(words, ids, n, &identity, level);
            for (size_t e = 0; e < n; e++) {
                identity_reference(want, key, k, use + level, parameters, count, &ids[e]);
                assert_true(words[2 * e] == want[0] && words[2 * e + 1] == want[1]);
            }
            for (size_t e = 2 * n; e < 2 * IDS; e++) assert_true(words[e] == 0xaaaaaaaaaaaaaaaa);
        }
    }
    must(simdp_isa_select(NULL));
}

/* Whatever of key, stream, use, level, parameters and id differs, the words share nothing; equal numbers are equal. */
static void test_words_differ(void **state)
{
    (void)state;
    enum { WAYS = 11 };
    static const simdp_id ids[3] = {{1, 2}, {2, 1}, {1, 3}};
    uint64_t words[WAYS][6];
    for (unsigned way = 0; way < WAYS; way++) {
        simdp_rng rng;
        simdp_identity identity;
        uint64_t p[3] = {identity_number(1.5), identity_number(0.0), 7};
        if (way == 1) p[0] = identity_number(0x1.8000000000001p0);
        if (way == 2) p[1] = identity_number(0x1p-1074);
        if (way == 3) p[2] = 8;
        if (way == 4) p[0] = identity_number(0.0), p[1] = identity_number(1.5);
        test_stream(&rng, way == 5, way == 6, 0);
        must(rng_identity(&identity, &rng, way == 7 ? BITS_GAUSSIAN_F64_BY_ID : BITS_LAPLACE_F64_BY_ID, 2, p,
                          way == 8 ? 2 : 3));
        simdp_kernels_active()->bits->identity_blocks(words[way], ids, 3, &identity, way >= 9 ? way - 8 : 0);
    }
    const uint64_t *all = words[0];
    for (int i = 0; i < 6 * WAYS; i++) {
        for (int j = 0; j < i; j++) assert_true(all[i] != all[j]);
    }
    assert_true(identity_number(-0.0) == identity_number(0.0) && identity_number(-1.0) != identity_number(1.0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cmac_known),
        cmocka_unit_test(test_cmac_lengths),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_text_bad_calls),
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_texts_bad_calls),
        cmocka_unit_test(test_blocks_reference),
        cmocka_unit_test(test_words_differ),
    };
    return cmocka_run_group_tests_name("bits_identity", tests, NULL, NULL);
}
