/* test_isa_identity: every kernel gives the same bytes on every instruction set, for every length, offset and position,
 * in every floating-point mode of the caller, and touches nothing beside its output. The golden hashes also tie
 * compilers and versions together. */
#include "kernel_list/kernel_list.h"
#include "call/fp_mode.h"
#include "support/test_support.h"

/* ---- what is called: every line of the list with its own parameters, and the calls whose output is recorded ---- */

typedef struct {
    const char *name; /* of the line, or in known_answers/streams.txt */
    const kernel_line *kernel;
    const double *p;
    void (*fill)(void *out, size_t n); /* writes the input to the output, to be worked on in place; NULL: as listed */
} job;

enum { LONGEST = 300, GUARD = 16, ROWS = 3, ANSWERS = 7 * 11 };

/* Inputs are made once, since callers' rounding modes are tried too. */
static double answers[ANSWERS], doubles[ROWS * LONGEST], centres[3][LONGEST];
static float floats[ROWS * LONGEST];
static int64_t integers[LONGEST];
static size_t indices[LONGEST];
static uint32_t values[LONGEST];
static uint8_t bytes[LONGEST];
static _Alignas(16) unsigned char workspace[1 << 14];

static void make_inputs(void)
{
    uint64_t seed = 9;
    for (size_t i = 0; i < ANSWERS; i++)
        answers[i] = (double)(i % 7) * 0x1.23456789abcdp-9 - (i % 11 == 0 ? 0x1p40 : 0.0);
    for (size_t i = 0; i < ROWS * LONGEST; i++)
        floats[i] = (float)(doubles[i] = (double)(test_random(&seed) >> 11) * 0x1p-50);
    for (size_t i = 0; i < LONGEST; i++) {
        for (int j = 0; j < 3; j++) centres[j][i] = 0.25 + (double)(test_random(&seed) >> 11) * 0x1p-53;
        integers[i] = (int64_t)test_random(&seed) >> 20;
        indices[i] = test_random(&seed) % (i + 1);
        values[i] = (uint32_t)(7 * i % 23);
        bytes[i] = (uint8_t)(test_random(&seed) & 3);
    }
}

static const void *input_of(const kernel_line *k, size_t candidates)
{
    switch (k->in) {
    case IN_SAME:
        return k->out == OUT_I64   ? (const void *)integers
               : k->out == OUT_F64 ? (const void *)doubles
               : k->out == OUT_F32 ? (const void *)floats
               : k->out == OUT_U32 ? (const void *)values
                                   : bytes;
    case IN_F64: return doubles;
    case IN_F32: return floats;
    case IN_I64: return integers;
    case IN_BYTES: return bytes;
    case IN_INDEX: return indices;
    case IN_WORKSPACE:
        assert_true(simdp_select_workspace(candidates) <= sizeof workspace);
        must(simdp_select_prepare(workspace, doubles, candidates, 1.0));
        return workspace;
    default: return NULL;
    }
}

static bool selects(const kernel_line *k) { return k->out == OUT_INDEX && k->in != IN_BYTES; }

/* Elements of a call of length n: a selection has up to three winners of n candidates. */
static size_t elements_of(const kernel_line *k, size_t n) { return selects(k) && n > ROWS ? ROWS : n; }

static simdp_status call_job(const job *j, simdp_rng *rng, void *out, size_t n)
{
    const kernel_line *k = j->kernel;
    const size_t candidates = n == 0 ? 1 : n;
    kernel_call call = {.rng = rng,
                        .out = out,
                        .in = out,
                        .n = elements_of(k, n),
                        .candidates = candidates,
                        .p = j->p,
                        .more = {centres[0], centres[1], centres[2]},
                        .ids = k->by_id ? kernel_ids(elements_of(k, n)) : NULL};
    if (j->fill != NULL) j->fill(out, n);
    else call.in = input_of(k, candidates);
    if (strstr(k->name, "_add") != NULL) memset(out, 0, kernel_out_bytes(k, n)); /* it is added to */
    return k->run(&call);
}

/* ---- recorded calls ---- */

static void fill_zeros(void *out, size_t n) { memset(out, 0, 8 * n); }
static void fill_zero_bytes(void *out, size_t n) { memset(out, 0, n); }

/* Small values, and some that are none. */
static void fill_values(void *out, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const uint32_t value = (uint32_t)(i % 1009);
        memcpy((uint32_t *)out + i, &value, sizeof value);
    }
}

/* Packed bits, half of them ones. */
static void fill_patterns(void *out, size_t n) { memset(out, 0x59, (n + 7) / 8); }

/* Integers that no noise moves far: 0, and the ends of the range. */
static void fill_ends(void *out, size_t n)
{
    for (size_t i = 0; i < n; i++)
        memcpy((char *)out + 8 * i, &(int64_t){i % 3 == 0 ? 0 : i % 3 == 1 ? INT64_MAX : INT64_MIN}, 8);
}

static void fill_answers(void *out, size_t n)
{
    for (size_t i = 0; i < n; i++) memcpy((char *)out + 8 * i, &answers[i % ANSWERS], 8);
}

/* Words as records; each is replaced by the sums of its block of 61. */
static simdp_status sums_of_words(const kernel_call *c)
{
    must(simdp_rng_words(c->rng, c->out, c->n));
    for (size_t first = 0; first < c->n; first += 61) {
        const size_t count = c->n - first < 61 ? c->n - first : 61;
        char *block = (char *)c->out + 8 * first;
        double records[61], sum;
        int64_t whole_records[61], whole;
        memcpy(records, block, 8 * count);
        memcpy(whole_records, records, 8 * count);
        must(simdp_release_clamped_sum(&sum, records, count, -0x1p40, 0x1p30, 0x1p-10));
        must(simdp_release_clamped_sum_i64(&whole, whole_records, count, -0x7fffffffffffff, 0x7fffffffffffffff));
        for (size_t i = 0; i < count; i++) memcpy(block + 8 * i, i % 2 ? (void *)&sum : (void *)&whole, 8);
    }
    return SIMDP_OK;
}

static const kernel_line sums = {.name = "sums", .run = sums_of_words, .out = OUT_WORDS, .cut = 1};

static const struct {
    const char *name, *function;
    double p[KERNEL_PARAMETERS];
    void (*fill)(void *out, size_t n);
} recorded[] = {
    {"words", "simdp_rng_words", {0}, NULL},
    {"uniform_f64", "simdp_noise_uniform_f64", {0}, NULL},
    {"uniform_f32", "simdp_noise_uniform_f32", {0}, NULL},
    {"exponential_f64", "simdp_noise_exponential_f64", {0x1.8p+1}, NULL},
    {"exponential_f32", "simdp_noise_exponential_f32", {0x1.8p+1}, NULL},
    {"laplace_f64", "simdp_noise_laplace_f64", {0x1.8p+1}, NULL},
    {"laplace_f32", "simdp_noise_laplace_f32", {0x1.8p+1}, NULL},
    {"gaussian_f64", "simdp_noise_gaussian_f64", {0x1.8p+1}, NULL},
    {"gaussian_f32", "simdp_noise_gaussian_f32", {0x1.8p+1}, NULL},
    {"gumbel_f64", "simdp_noise_gumbel_f64", {0x1.8p+1}, NULL},
    {"gumbel_f32", "simdp_noise_gumbel_f32", {0x1.8p+1}, NULL},
    {"response", "simdp_release_randomized_response", {0x1.8p+1}, fill_zero_bytes},
    {"sums", NULL, {0}, NULL},
    {"release_laplace", "simdp_release_laplace", {0x1.8p+1, 0x1p-20}, fill_answers},
    {"release_gaussian", "simdp_release_gaussian", {0x1.8p+1, 0x1p-20}, fill_answers},
    {"release_integers", "simdp_release_laplace_i64", {0x1.8p+9}, fill_zeros},
    {"discrete_laplace", "simdp_noise_discrete_laplace_i64", {0x1.8p+1}, NULL},
    {"discrete_gaussian", "simdp_noise_discrete_gaussian_i64", {0x1.8p+1}, NULL},
    {"discrete_release", "simdp_release_discrete_gaussian_i64", {0x1.8p+9}, fill_ends},
    {"discrete_bounded", "simdp_release_discrete_laplace_bounded_i64", {0x1.8p+1, -2, 5}, fill_zeros},
    {"discrete_truncated", "simdp_release_discrete_gaussian_truncated_i64", {0x1.8p+9, 1000}, fill_ends},
    {"release_far_laplace", "simdp_release_laplace", {0x1.8p+1, 0x1p-36}, fill_answers}, /* double-doubles throughout */
    {"release_far_gaussian", "simdp_release_gaussian", {0x1.8p+1, 0x1p-36}, fill_answers},
    {"release_gaussian_integers", "simdp_release_gaussian_i64", {0x1.8p+9}, fill_zeros},
    {"release_halves", "simdp_release_laplace_i64", {0x1.8p+7}, fill_zeros}, /* half a word an integer */
    {"release_gaussian_halves", "simdp_release_gaussian_i64", {0x1.8p+7}, fill_zeros},
    {"threshold_laplace", "simdp_release_laplace_threshold", {0x1.8p+1, 0x1p-20, 1.0}, fill_answers},
    {"threshold_gaussian", "simdp_release_gaussian_threshold", {0x1.8p+1, 0x1p-20, 1.0}, fill_answers},
    {"laplace_by_id", "simdp_release_laplace_by_id", {0x1.8p+1, 0x1p-20}, fill_answers},
    {"gaussian_by_id", "simdp_release_gaussian_by_id", {0x1.8p+1, 0x1p-20}, fill_answers},
    {"laplace_integers_by_id", "simdp_release_laplace_i64_by_id", {0x1.8p+9}, fill_zeros},
    {"gaussian_integers_by_id", "simdp_release_gaussian_i64_by_id", {0x1.8p+9}, fill_zeros},
    {"laplace_halves_by_id", "simdp_release_laplace_i64_by_id", {0x1.8p+7}, fill_zeros},
    {"gaussian_halves_by_id", "simdp_release_gaussian_i64_by_id", {0x1.8p+7}, fill_zeros},
    {"response_by_id", "simdp_release_randomized_response_by_id", {0x1.8p+1}, fill_zero_bytes},
    {"k_response", "simdp_release_k_response", {1000, 0x1.8p+2}, fill_values},
    {"k_response_far", "simdp_release_k_response", {4294967295.0, 0x1.6p+4}, fill_values}, /* many open elements */
    {"unary", "simdp_release_unary", {0x1p-1, -0x1.8p+1}, fill_patterns},
};
#define RECORDED (sizeof recorded / sizeof recorded[0])

/* The recorded ones come first. */
static job jobs[200];
static size_t jobs_count;

static void make_jobs(void)
{
    const kernel_line *k;
    for (size_t i = 0; i < RECORDED; i++) {
        k = recorded[i].function == NULL ? &sums : kernel_named(recorded[i].function);
        jobs[jobs_count++] = (job){recorded[i].name, k, recorded[i].p, recorded[i].fill};
    }
    for (size_t i = 0; (k = kernel_at(i)) != NULL && jobs_count < sizeof jobs / sizeof *jobs; i++)
        jobs[jobs_count++] = (job){k->name, k, k->good, NULL};
}

/* ---- every length and offset; in an emulator, where everything is slow, fewer ---- */

static size_t next_length(const job *j, size_t n)
{
    if (n < 40) return n + 1;
    return is_short() ? n + 37 : j >= jobs + RECORDED && n > 70 ? n + 11 : n + 1;
}

/* Noise and releases may begin at any byte, other arrays where their elements may. */
static size_t offset_of(const kernel_line *k, size_t n)
{
    return k->cut != 0 && k->words_block == 0 && !selects(k) ? n % 8 : 0;
}

/* One call on the active set; everything beside its output stays 0xaa. */
static unsigned char *call_guarded(const job *j, simdp_rng *rng, size_t n, unsigned char *got, size_t room)
{
    unsigned char *out = got + GUARD + offset_of(j->kernel, n);
    const size_t written = kernel_out_bytes(j->kernel, elements_of(j->kernel, n));
    memset(got, 0xaa, room);
    assert_true(out + written + GUARD <= got + room);
    must(call_job(j, rng, out, n));
    for (const unsigned char *p = got; p < got + room; p++) {
        if (p == out) p += written;
        if (p < got + room) assert_int_equal(*p, 0xaa);
    }
    return out;
}

static void test_lengths_and_offsets(void **state)
{
    (void)state;
    static _Alignas(16) unsigned char want[GUARD + 7 + LONGEST * 8 + GUARD], got[GUARD + 7 + LONGEST * 8 + GUARD];
    const simdp_kernels *t;
    for (const job *j = jobs; j < jobs + jobs_count; j++) {
        const size_t least = j->kernel->out == OUT_ROWS; /* an audit has samples */
        for (size_t n = least; n <= LONGEST; n = next_length(j, n)) {
            const uint64_t position = n * 37 + n % 3;
            const size_t written = kernel_out_bytes(j->kernel, elements_of(j->kernel, n));
            simdp_rng rng;
            must(simdp_isa_select("scalar"));
            test_stream(&rng, 4, (uint64_t)(j - jobs), position);
            const unsigned char *wanted = call_guarded(j, &rng, n, want, sizeof want);
            const uint64_t end = simdp_rng_position(&rng);
            if (j->kernel->cut != 0 && !selects(j->kernel)) assert_true(end == position + n);
            for (size_t i = 0; (t = next_usable(&i)) != NULL; i++) {
                must(simdp_isa_select(t->variant));
                test_stream(&rng, 4, (uint64_t)(j - jobs), position);
                const unsigned char *out = call_guarded(j, &rng, n, got, sizeof got);
                if (memcmp(out, wanted, written) != 0) print_error("%s, n = %zu, %s\n", j->name, n, t->variant);
                assert_memory_equal(out, wanted, written);
                assert_true(simdp_rng_position(&rng) == end);
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
    static _Alignas(16) unsigned char want[N * 8], got[N * 8];
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
        for (const job *j = jobs; j < jobs + jobs_count; j++) {
            const uint64_t stream = (uint64_t)(j - jobs);
            simdp_rng rng;
            test_stream(&rng, 5, stream, 3);
            must(call_job(j, &rng, want, N));
            for (unsigned mode = 0; mode < 32; mode++) {
                /* rounding in bits 13-14; FTZ 15; DAZ 6; all exceptions masked, or none (bits 7-12) */
                const unsigned csr =
                    (mode & 3) << 13 | (mode & 4 ? 0x8000u : 0) | (mode & 8 ? 0x0040u : 0) | (mode & 16 ? 0 : 0x1f80u);
                test_stream(&rng, 5, stream, 3);
                _mm_setcsr(csr);
                const simdp_status status = call_job(j, &rng, got, N);
                const unsigned after = _mm_getcsr();
                _mm_setcsr(saved);
                must(status);
                assert_int_equal(after & ~0x3fu, csr);
                if (memcmp(got, want, kernel_out_bytes(j->kernel, elements_of(j->kernel, N))) != 0)
                    fail_msg("%s on %s under MXCSR %04x", j->name, t->variant, csr);
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
        for (const job *j = jobs; j < jobs + RECORDED; j++) {
            const size_t bytes_each = kernel_out_bytes(j->kernel, 1);
            if (strcmp(j->name, name) != 0) continue;
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
                    /* count is in words */
                    must(call_job(j, &rng, out, j->kernel->out == OUT_PACKED ? 64 * n : n * (8 / bytes_each)));
                    test_put_in_order(out, n, bytes_each);
                    got = test_hash(got, out, n);
                }
                if (got != hash)
                    fail_msg("%s on %s: hash %016llx, recorded %016llx", name, t->variant, (unsigned long long)got,
                             hash);
            }
        }
    }
    fclose(file);
    assert_int_equal(checked, 2 + RECORDED);
    must(simdp_isa_select(NULL));
}

int main(void)
{
    make_inputs();
    make_jobs();
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
