/* test_isa_identity: every kernel gives the same bytes on every instruction set, for every length, offset and position, and
 * touches nothing beside its output. The golden hashes also tie compilers and versions together. */
#include "support/test_support.h"

typedef void fill_function(simdp_rng *rng, void *out, size_t n);

static void fill_words(simdp_rng *rng, void *out, size_t n) { must(simdp_rng_words(rng, out, n)); }
static void fill_laplace(simdp_rng *rng, void *out, size_t n) { must(simdp_noise_laplace_f64(rng, out, n, 0x1.8p+1)); }

static const struct {
    const char *name;
    fill_function *fill;
} kernels[] = {{"words", fill_words}, {"laplace_f64", fill_laplace}};
#define KERNELS (sizeof kernels / sizeof kernels[0])

#define LONGEST 300
#define GUARD   16

static void test_lengths_and_offsets(void **state)
{
    (void)state;
    static unsigned char want[LONGEST * 8], got[GUARD + 7 + LONGEST * 8 + GUARD];
    const simdp_kernels *t;
    for (size_t k = 0; k < KERNELS; k++) {
        for (size_t n = 0; n <= LONGEST; n++) {
            const uint64_t position = n * 37 + n % 3;
            simdp_rng rng;
            must(simdp_isa_select("scalar"));
            test_stream(&rng, 4, k, position);
            kernels[k].fill(&rng, want, n);
            for (size_t i = 0; (t = next_usable(&i)) != NULL; i++) {
                unsigned char *out = got + GUARD + n % 8;   /* any alignment */
                must(simdp_isa_select(t->variant));
                memset(got, 0xaa, sizeof got);
                test_stream(&rng, 4, k, position);
                kernels[k].fill(&rng, out, n);
                assert_memory_equal(out, want, n * 8);
                assert_int_equal(simdp_rng_position(&rng), position + n);
                for (const unsigned char *p = got; p < got + sizeof got; p++) {
                    if (p == out) p += n * 8;
                    if (p < got + sizeof got) assert_int_equal(*p, 0xaa);
                }
            }
        }
    }
    must(simdp_isa_select(NULL));
}

/* The kernel fed with words gives what the kernel fed by the cipher gives. */
static void test_from_words(void **state)
{
    (void)state;
    uint64_t words[LONGEST];
    double want[LONGEST], got[LONGEST];
    const simdp_kernels *t;
    for (size_t i = 0; (t = next_usable(&i)) != NULL; i++) {
        must(simdp_isa_select(t->variant));
        for (size_t n = 0; n <= LONGEST; n += 11) {
            simdp_rng rng;
            test_stream(&rng, 4, 0, 99);
            must(simdp_rng_words(&rng, words, n));
            test_stream(&rng, 4, 0, 99);
            must(simdp_noise_laplace_f64(&rng, want, n, 0.7));
            const simdp_bits_at at = {.words = words};
            t->noise_f64[NOISE_LAPLACE](got, n, &at, 0.7);
            assert_memory_equal(got, want, n * 8);
        }
    }
    must(simdp_isa_select(NULL));
}

/* Long streams against known_answers/streams.txt: kernel, seed, position, count, hash. */
static void test_golden_streams(void **state)
{
    (void)state;
    enum { CHUNK = 1 << 16 };
    static uint64_t out[CHUNK];
    FILE *file = fopen(KNOWN_ANSWERS "/streams.txt", "r");
    char line[200], name[40];
    unsigned long long seed, position, count, hash;
    size_t checked = 0;
    const simdp_kernels *t;
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        if (line[0] == '#') continue;
        assert_int_equal(sscanf(line, "%39s %llu %llu %llu %llx", name, &seed, &position, &count, &hash), 5);
        for (size_t k = 0; k < KERNELS; k++) {
            if (strcmp(kernels[k].name, name) != 0) continue;
            checked++;
            for (size_t i = 0; (t = next_usable(&i)) != NULL; i++) {
                uint64_t got = TEST_HASH_START;
                simdp_rng rng;
                /* plain C is slow and emulation slower */
                const bool is_short = getenv("SIMDP_TEST_SHORT") != NULL, is_scalar = strcmp(t->isa, "scalar") == 0;
                if ((is_short && is_scalar) || ((is_short || is_scalar) && count > (1 << 20))) continue;
                must(simdp_isa_select(t->variant));
                test_stream(&rng, seed, 0, position);
                for (uint64_t done = 0; done < count; done += CHUNK) {
                    const size_t n = count - done < CHUNK ? (size_t)(count - done) : CHUNK;
                    kernels[k].fill(&rng, out, n);
                    got = test_hash(got, out, n);
                }
                if (got != hash) fail_msg("%s on %s: hash %016llx, recorded %016llx", name, t->variant, (unsigned long long)got, hash);
            }
        }
    }
    fclose(file);
    assert_int_equal(checked, 4);
    must(simdp_isa_select(NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lengths_and_offsets),
        cmocka_unit_test(test_from_words),
        cmocka_unit_test(test_golden_streams),
    };
    return cmocka_run_group_tests_name("isa_identity", tests, NULL, NULL);
}
