/* test_bits_stream: a word depends on key, stream and position alone; bad calls say so and change nothing. */
#include "support/test_support.h"

#define COUNT 3000

static void test_seek_equals_skip(void **state)
{
    (void)state;
    uint64_t all[COUNT], some[COUNT];
    simdp_rng rng;
    test_stream(&rng, 1, 0, 0);
    must(simdp_rng_words(&rng, all, COUNT));
    assert_int_equal(simdp_rng_position(&rng), COUNT);
    for (size_t start = 0; start < 600; start += 7) {
        must(simdp_rng_seek(&rng, start));
        must(simdp_rng_words(&rng, some, COUNT - start));
        assert_memory_equal(some, all + start, (COUNT - start) * 8);
    }
}

static void test_any_split(void **state)
{
    (void)state;
    uint64_t all[COUNT], pieces[COUNT], random = 3;
    simdp_rng rng;
    test_stream(&rng, 1, 0, 12345);
    must(simdp_rng_words(&rng, all, COUNT));
    for (int round = 0; round < 50; round++) {
        must(simdp_rng_seek(&rng, 12345));
        for (size_t done = 0; done < COUNT;) {
            size_t n = test_random(&random) % (round < 25 ? 5 : 700);
            if (n > COUNT - done) n = COUNT - done;
            must(simdp_rng_words(&rng, pieces + done, n));
            done += n;
        }
        assert_memory_equal(pieces, all, sizeof all);
    }
}

static void test_streams_and_keys_differ(void **state)
{
    (void)state;
    uint64_t words[4][8];
    simdp_rng rng;
    for (uint64_t i = 0; i < 4; i++) {
        test_stream(&rng, i / 2, i % 2, 0);
        must(simdp_rng_words(&rng, words[i], 8));
    }
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < i; j++) {
            for (int a = 0; a < 8; a++) {
                for (int b = 0; b < 8; b++) assert_true(words[i][a] != words[j][b]);
            }
        }
    }
}

static void test_bad_calls(void **state)
{
    (void)state;
    uint8_t key[32] = {0};
    uint64_t word = 77;
    double noise = 5.0;
    simdp_rng rng;
    assert_int_equal(simdp_rng_init(NULL), SIMDP_ENULL);
    assert_int_equal(simdp_rng_init_deterministic(NULL, key, 0), SIMDP_ENULL);
    must(simdp_rng_init_deterministic(&rng, key, 0));
    assert_int_equal(simdp_rng_init_deterministic(&rng, NULL, 0), SIMDP_ENULL); /* what was open before is not now */
    assert_int_equal(simdp_rng_words(&rng, &word, 1), SIMDP_EPARAM);
    assert_true(word == 77);
    assert_int_equal(simdp_rng_position(NULL), 0);
    simdp_rng_wipe(NULL);
    must(simdp_rng_init_deterministic(&rng, key, 0));
    assert_int_equal(simdp_rng_words(&rng, NULL, 1), SIMDP_ENULL);
    assert_int_equal(simdp_rng_words(NULL, &word, 1), SIMDP_ENULL);
    must(simdp_rng_words(&rng, NULL, 0));
    assert_int_equal(simdp_rng_words(&rng, &word, SIZE_MAX), SIMDP_EPARAM);
    assert_int_equal(simdp_rng_words(&rng, &word, SIZE_MAX / 8 + 1), SIMDP_EPARAM);
    assert_int_equal(simdp_noise_laplace_f64(&rng, &noise, SIZE_MAX / 8 + 1, 1.0), SIMDP_EPARAM);
    assert_int_equal(simdp_rng_position(&rng), 0);
    assert_true(word == 77 && noise == 5.0);
    must(simdp_rng_seek(&rng, UINT64_MAX - 1));
    assert_int_equal(simdp_rng_words(&rng, &word, 2), SIMDP_EPARAM);
    must(simdp_rng_words(&rng, &word, 1));
    assert_true(simdp_rng_position(&rng) == UINT64_MAX);
    must(simdp_rng_init(&rng));
    assert_int_equal(simdp_rng_seek(&rng, 0), SIMDP_EPARAM);
    assert_int_equal(simdp_rng_seek(NULL, 0), SIMDP_ENULL);
}

static void test_wiped(void **state)
{
    (void)state;
    simdp_rng rng;
    uint64_t word = 77;
    test_stream(&rng, 1, 0, 5);
    simdp_rng_wipe(&rng);
    const unsigned char *bytes = (const unsigned char *)&rng;
    for (size_t i = 0; i < sizeof rng; i++) assert_int_equal(bytes[i], 0);
    assert_int_equal(simdp_rng_words(&rng, &word, 1), SIMDP_EPARAM);
    assert_int_equal(simdp_rng_seek(&rng, 1), SIMDP_EPARAM);
    assert_true(word == 77);
}

/* Words written down once, read from known_answers/bits.txt: key seed, stream, position, word. */
static void test_known_words(void **state)
{
    (void)state;
    FILE *file = fopen(KNOWN_ANSWERS "/bits.txt", "r");
    char line[200];
    int checked = 0;
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        unsigned char key[32];
        char hex[65];
        unsigned long long stream, position, word;
        uint64_t got;
        simdp_rng rng;
        if (line[0] == '#') continue;
        assert_int_equal(sscanf(line, "%64s %llu %llu %llx", hex, &stream, &position, &word), 4);
        for (int i = 0; i < 32; i++) {
            unsigned byte;
            assert_int_equal(sscanf(hex + 2 * i, "%2x", &byte), 1);
            key[i] = (unsigned char)byte;
        }
        must(simdp_rng_init_deterministic(&rng, key, stream));
        must(simdp_rng_seek(&rng, position));
        must(simdp_rng_words(&rng, &got, 1));
        assert_true(got == word);
        checked++;
    }
    fclose(file);
    assert_true(checked >= 8);
}

static void test_texts(void **state)
{
    (void)state;
    for (int s = -1; s < 9; s++) {
        assert_non_null(simdp_status_text((simdp_status)s));
        assert_true(strlen(simdp_status_text((simdp_status)s)) > 5);
    }
    assert_string_equal(simdp_version(), SIMDP_TEST_VERSION);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_seek_equals_skip),
        cmocka_unit_test(test_any_split),
        cmocka_unit_test(test_streams_and_keys_differ),
        cmocka_unit_test(test_bad_calls),
        cmocka_unit_test(test_wiped),
        cmocka_unit_test(test_known_words),
        cmocka_unit_test(test_texts),
    };
    return cmocka_run_group_tests_name("bits_stream", tests, NULL, NULL);
}
