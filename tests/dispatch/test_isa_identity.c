/* test_isa_identity: every kernel gives the same bytes on every instruction set, for every length, offset and position,
 * in every floating-point mode of the caller, and touches nothing beside its output. The golden hashes also tie
 * compilers and versions together. */
#include "call/fp_mode.h"
#include "support/test_support.h"

typedef void fill_function(simdp_rng *rng, void *out, size_t n);

#define FILL(name, type, scale)                                           \
    static void fill_##name##_##type(simdp_rng *rng, void *out, size_t n) \
    {                                                                     \
        must(simdp_noise_##name##_##type(rng, out, n, scale));            \
    }
static void fill_words(simdp_rng *rng, void *out, size_t n) { must(simdp_rng_words(rng, out, n)); }
static void fill_uniform_f64(simdp_rng *rng, void *out, size_t n) { must(simdp_noise_uniform_f64(rng, out, n)); }
static void fill_uniform_f32(simdp_rng *rng, void *out, size_t n) { must(simdp_noise_uniform_f32(rng, out, n)); }
FILL(exponential, f64, 0x1.8p+1)
FILL(exponential, f32, 0x1.8p+1f)
FILL(laplace, f64, 0x1.8p+1)
FILL(laplace, f32, 0x1.8p+1f)
FILL(gaussian, f64, 0x1.8p+1)
FILL(gaussian, f32, 0x1.8p+1f)
FILL(gumbel, f64, 0x1.8p+1)
FILL(gumbel, f32, 0x1.8p+1f)

/* exact bits and integers; answers are what no noise moves far: 0, and the ends of the range */
static void fill_response(simdp_rng *rng, void *out, size_t n)
{
    memset(out, 0, n);
    must(simdp_release_randomized_response(rng, out, out, n, 0x1.8p+1));
}
static void fill_discrete_laplace(simdp_rng *rng, void *out, size_t n)
{
    must(simdp_noise_discrete_laplace_i64(rng, out, n, 0x1.8p+1));
}
static void fill_discrete_gaussian(simdp_rng *rng, void *out, size_t n)
{
    must(simdp_noise_discrete_gaussian_i64(rng, out, n, 0x1.8p+1));
}
static void fill_discrete_release(simdp_rng *rng, void *out, size_t n)
{
    for (size_t i = 0; i < n; i++)
        memcpy((char *)out + 8 * i, &(int64_t){i % 3 == 0 ? 0 : i % 3 == 1 ? INT64_MAX : INT64_MIN}, 8);
    must(simdp_release_discrete_gaussian_i64(rng, out, out, n, 0x1.8p+9));
}
/* answers of every size, made once, since callers' rounding modes are tried too */
enum { ANSWERS = 7 * 11 };
static double answers[ANSWERS];
static void make_answers(void)
{
    for (size_t i = 0; i < ANSWERS; i++)
        answers[i] = (double)(i % 7) * 0x1.23456789abcdp-9 - (i % 11 == 0 ? 0x1p40 : 0.0);
}
#define RELEASE(name, law, scale, grid)                                                       \
    static void fill_release_##name(simdp_rng *rng, void *out, size_t n)                      \
    {                                                                                         \
        for (size_t i = 0; i < n; i++) memcpy((char *)out + 8 * i, &answers[i % ANSWERS], 8); \
        must(simdp_release_##law(rng, out, out, n, scale, grid));                             \
    }
#define RELEASE_I64(name, law, scale)                                    \
    static void fill_release_##name(simdp_rng *rng, void *out, size_t n) \
    {                                                                    \
        memset(out, 0, 8 * n);                                           \
        must(simdp_release_##law##_i64(rng, out, out, n, scale));        \
    }
RELEASE(laplace, laplace, 0x1.8p+1, 0x1p-20)
RELEASE(gaussian, gaussian, 0x1.8p+1, 0x1p-20)
RELEASE(far_laplace, laplace, 0x1.8p+1, 0x1p-36) /* double-doubles throughout */
RELEASE(far_gaussian, gaussian, 0x1.8p+1, 0x1p-36)
RELEASE_I64(integers, laplace, 0x1.8p+9)
RELEASE_I64(gaussian_integers, gaussian, 0x1.8p+9)
RELEASE_I64(halves, laplace, 0x1.8p+7) /* half a word an integer */
RELEASE_I64(gaussian_halves, gaussian, 0x1.8p+7)

/* words as records; each is replaced by the sums of its block of 61 */
static void fill_sums(simdp_rng *rng, void *out, size_t n)
{
    must(simdp_rng_words(rng, out, n));
    for (size_t first = 0; first < n; first += 61) {
        const size_t count = n - first < 61 ? n - first : 61;
        double records[61], sum;
        int64_t integers[61], whole;
        memcpy(records, (char *)out + 8 * first, 8 * count);
        memcpy(integers, records, 8 * count);
        must(simdp_release_clamped_sum(&sum, records, count, -0x1p40, 0x1p30, 0x1p-10));
        must(simdp_release_clamped_sum_i64(&whole, integers, count, -0x7fffffffffffff, 0x7fffffffffffffff));
        for (size_t i = 0; i < count; i++)
            memcpy((char *)out + 8 * (first + i), i % 2 ? (void *)&sum : (void *)&whole, 8);
    }
}

static const struct {
    const char *name;
    fill_function *fill;
    size_t bytes; /* of an element */
} kernels[] = {
    {"words", fill_words, 8},
    {"uniform_f64", fill_uniform_f64, 8},
    {"uniform_f32", fill_uniform_f32, 4},
    {"exponential_f64", fill_exponential_f64, 8},
    {"exponential_f32", fill_exponential_f32, 4},
    {"laplace_f64", fill_laplace_f64, 8},
    {"laplace_f32", fill_laplace_f32, 4},
    {"gaussian_f64", fill_gaussian_f64, 8},
    {"gaussian_f32", fill_gaussian_f32, 4},
    {"gumbel_f64", fill_gumbel_f64, 8},
    {"gumbel_f32", fill_gumbel_f32, 4},
    {"response", fill_response, 1},
    {"sums", fill_sums, 8},
    {"release_laplace", fill_release_laplace, 8},
    {"release_gaussian", fill_release_gaussian, 8},
    {"release_integers", fill_release_integers, 8},
    {"discrete_laplace", fill_discrete_laplace, 8},
    {"discrete_gaussian", fill_discrete_gaussian, 8},
    {"discrete_release", fill_discrete_release, 8},
    {"release_far_laplace", fill_release_far_laplace, 8},
    {"release_far_gaussian", fill_release_far_gaussian, 8},
    {"release_gaussian_integers", fill_release_gaussian_integers, 8},
    {"release_halves", fill_release_halves, 8},
    {"release_gaussian_halves", fill_release_gaussian_halves, 8},
};
#define KERNELS (sizeof kernels / sizeof kernels[0])

/* In an emulator, where everything is slow, only what it is there for: fewer lengths, and AVX-512 alone on long
 * streams. */
#define LONGEST 300
#define GUARD   16

static void test_lengths_and_offsets(void **state)
{
    (void)state;
    static unsigned char want[LONGEST * 8], got[GUARD + 7 + LONGEST * 8 + GUARD];
    const simdp_kernels *t;
    for (size_t k = 0; k < KERNELS; k++) {
        const size_t bytes = kernels[k].bytes;
        for (size_t n = 0; n <= LONGEST; n += is_short() && n >= 40 ? 37 : 1) {
            const uint64_t position = n * 37 + n % 3;
            simdp_rng rng;
            must(simdp_isa_select("scalar"));
            test_stream(&rng, 4, k, position);
            kernels[k].fill(&rng, want, n);
            for (size_t i = 0; (t = next_usable(&i)) != NULL; i++) {
                unsigned char *out = got + GUARD + n % 8; /* any alignment */
                must(simdp_isa_select(t->variant));
                memset(got, 0xaa, sizeof got);
                test_stream(&rng, 4, k, position);
                kernels[k].fill(&rng, out, n);
                assert_memory_equal(out, want, n * bytes);
                assert_int_equal(simdp_rng_position(&rng), position + n);
                for (const unsigned char *p = got; p < got + sizeof got; p++) {
                    if (p == out) p += n * bytes;
                    if (p < got + sizeof got) assert_int_equal(*p, 0xaa);
                }
            }
        }
    }
    must(simdp_isa_select(NULL));
}

#if defined(__x86_64__)
/* The caller's rounding mode, FTZ and DAZ, unmasked exceptions change nothing and come back. Control: a kernel that is
 * called past the functions that see to that. */
static void test_floating_point_modes(void **state)
{
    (void)state;
    enum { N = 150 };
    static unsigned char want[N * 8], got[N * 8];
    static uint64_t words[N];
    double control[2][N];
    const simdp_kernels *t;
    const unsigned saved = _mm_getcsr();
    uint64_t seed = 5;
    for (size_t i = 0; i < N; i++) words[i] = test_random(&seed);
    for (size_t i = 0; (t = next_usable(&i)) != NULL; i++) {
        if (is_left_out(t)) continue;
        must(simdp_isa_select(t->variant));
        const simdp_bits_at at = {.words = words, .position = 0};
        t->noise->f64[NOISE_LAPLACE](control[0], N, &at, 3.0);
        _mm_setcsr(0x1f80 | 1 << 13);
        t->noise->f64[NOISE_LAPLACE](control[1], N, &at, 3.0);
        _mm_setcsr(saved);
        assert_memory_not_equal(control[0], control[1], sizeof control[0]);
        for (size_t k = 0; k < KERNELS; k++) {
            simdp_rng rng;
            test_stream(&rng, 5, k, 3);
            kernels[k].fill(&rng, want, N);
            for (unsigned mode = 0; mode < 32; mode++) {
                /* rounding in bits 13-14; FTZ 15; DAZ 6; all exceptions masked, or none (bits 7-12) */
                const unsigned csr =
                    (mode & 3) << 13 | (mode & 4 ? 0x8000u : 0) | (mode & 8 ? 0x0040u : 0) | (mode & 16 ? 0 : 0x1f80u);
                test_stream(&rng, 5, k, 3);
                _mm_setcsr(csr);
                kernels[k].fill(&rng, got, N);
                const unsigned after = _mm_getcsr();
                _mm_setcsr(saved);
                assert_int_equal(after & ~0x3fu, csr);
                if (memcmp(got, want, N * kernels[k].bytes) != 0)
                    fail_msg("%s on %s under MXCSR %04x", kernels[k].name, t->variant, csr);
            }
        }
    }
    must(simdp_isa_select(NULL));
}
#endif

/* Kernels fed with words give what they give when fed by the cipher. */
static void test_from_words(void **state)
{
    (void)state;
    enum { GROUP = 16 }; /* the last group of a Gaussian takes all its words */
    static uint64_t words[LONGEST + GROUP];
    static double want[LONGEST], got[LONGEST];
    const simdp_kernels *t;
    for (size_t i = 0; (t = next_usable(&i)) != NULL; i++) {
        must(simdp_isa_select(t->variant));
        for (size_t n = 0; n <= LONGEST; n += n < 40 ? 1 : 11) {
            for (int law = 0; law < NOISE_LAWS; law++) {
                simdp_rng rng;
                test_stream(&rng, 4, 0, 96);
                test_words_of(&rng, words, LONGEST + GROUP, BITS_WORDS, 96);
                const simdp_bits_at given = {.words = words, .position = 96};
                const simdp_bits_at ciphered = {.cipher = cipher_of_stream(&rng), .position = 96, .use = BITS_WORDS};
                t->noise->f64[law](got, n, &given, 0.7);
                t->noise->f64[law](want, n, &ciphered, 0.7);
                assert_memory_equal(got, want, n * 8);
            }
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
                if (is_left_out(t)) continue;
                /* plain C is slow too */
                if ((is_short() || strcmp(t->isa, "scalar") == 0) && count > (1 << 20)) continue;
                must(simdp_isa_select(t->variant));
                test_stream(&rng, seed, 0, position);
                for (uint64_t done = 0; done < count; done += CHUNK) {
                    const size_t n = count - done < CHUNK ? (size_t)(count - done) : CHUNK;
                    kernels[k].fill(&rng, out, n * (8 / kernels[k].bytes)); /* count is in words */
                    test_put_in_order(out, n, kernels[k].bytes);
                    got = test_hash(got, out, n);
                }
                if (got != hash)
                    fail_msg("%s on %s: hash %016llx, recorded %016llx", name, t->variant, (unsigned long long)got,
                             hash);
            }
        }
    }
    fclose(file);
    assert_int_equal(checked, 2 + KERNELS);
    must(simdp_isa_select(NULL));
}

int main(void)
{
    make_answers();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lengths_and_offsets),
#if defined(__x86_64__)
        cmocka_unit_test(test_floating_point_modes),
#endif
        cmocka_unit_test(test_from_words),
        cmocka_unit_test(test_golden_streams),
    };
    return cmocka_run_group_tests_name("isa_identity", tests, NULL, NULL);
}
