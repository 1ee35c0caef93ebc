/* test_bits_sources: streams whose words come from outside. A source that gives the words which a deterministic stream
 * has at level 0 of a use, from position 0 on, must give the numbers of that stream, on every instruction set and for
 * every n; functions that need further words take four as a key, and give the numbers of the stream with that key. */
#include <math.h>
#include <xmmintrin.h>

#include "bits/rng.h"
#include "support/drawing.h"
#include "support/law_check.h"
#include "support/test_support.h"

/* ---- a source that repeats a stream ---- */

typedef struct {
    const simdp_rng *like; /* its words of `use`, one after the other */
    uint32_t use;
    uint64_t next;
    bool key_first; /* the first four are another use's: the key of a local stream */
    uint64_t key[4];
    unsigned leaves; /* if not 0, the floating-point mode that it leaves behind */
} repeating;

static simdp_status repeat(void *context, uint64_t *out, size_t n)
{
    repeating *r = context;
    if (r->key_first) {
        assert_int_equal(n, 4);
        memcpy(out, r->key, sizeof r->key);
        r->key_first = false;
        return SIMDP_OK;
    }
    const simdp_bits_at at = {.cipher = rng_cipher(r->like), .position = r->next, .use = r->use};
    simdp_kernels_active()->bits->cipher_words(out, n, &at);
    r->next += n;
    if (r->leaves != 0) _mm_setcsr(r->leaves);
    return SIMDP_OK;
}

static simdp_rng source_of(repeating *r) { return (simdp_rng){.kind = RNG_SOURCE, .source = repeat, .context = r}; }

/* Every n from 1 to 130, and around the 512 words that a source is asked for at a time. */
static const size_t longer[] = {511, 512, 513, 527, 1023, 1024, 1025, 1041, 1100};

static size_t next_n(size_t n)
{
    if (n < 130) return n + 1;
    for (size_t i = 0; i < sizeof longer / sizeof *longer; i++) {
        if (longer[i] > n) return longer[i];
    }
    return 0;
}

static _Alignas(16) unsigned char want[DRAWING_BYTES], got[DRAWING_BYTES];

/* ---- functions that read the words of a source themselves ---- */

static const struct {
    const char *name;
    uint32_t use;
} direct[] = {
    {"simdp_rng_words", BITS_WORDS},
    {"simdp_noise_uniform_f64", BITS_UNIFORM_F64},
    {"simdp_noise_exponential_f64", BITS_EXPONENTIAL_F64},
    {"simdp_noise_laplace_f64", BITS_LAPLACE_F64},
    {"simdp_noise_laplace_f64_add", BITS_LAPLACE_F64},
    {"simdp_noise_gaussian_f64", BITS_GAUSSIAN_F64},
    {"simdp_noise_gaussian_f64_add", BITS_GAUSSIAN_F64},
    {"simdp_noise_gumbel_f64", BITS_GUMBEL_F64},
    {"simdp_noise_gumbel_f64_add", BITS_GUMBEL_F64},
    {"simdp_noise_uniform_f32", BITS_UNIFORM_F32},
    {"simdp_loss_audit_run.laplace", BITS_LAPLACE_F64},
    {"simdp_loss_audit_run.gaussian", BITS_GAUSSIAN_F64},
    {"simdp_theory_laplace_map", BITS_UNIFORM_F64},
    {"simdp_theory_discrete_map_draw", BITS_UNIFORM_F64},
    {"simdp_theory_polya_urn", BITS_WORDS},
    {"simdp_theory_leaky_response", BITS_LEAKY_RESPONSE},
    {"simdp_theory_name_and_shame", BITS_NAME_AND_SHAME},
};

static void test_same_bytes(void **state)
{
    (void)state;
    const simdp_kernels *table;
    for (size_t i = 0; i < sizeof direct / sizeof *direct; i++) {
        const kernel_line *f = kernel_named(direct[i].name);
        uint64_t random = i;
        for (size_t n = 1; n != 0; n = next_n(n)) {
            const drawing_call c = drawing_choose(f, n, false, &random);
            for (size_t t = 0; (table = next_usable(&t)) != NULL; t++) {
                if (is_left_out(table)) continue;
                must(simdp_isa_select(table->variant));
                simdp_rng like;
                test_stream(&like, n, i, 0);
                const unsigned mode = _mm_getcsr();
                repeating r = {.like = &like, .use = direct[i].use, .leaves = n % 2 != 0 ? 0xffc0 : 0};
                simdp_rng rng = source_of(&r);
                memset(got, 0, sizeof got);
                const simdp_status status = drawing_run(f, &rng, &c, 0, c.n, got);
                const unsigned after = _mm_getcsr();
                _mm_setcsr(mode);
                must(status);
                assert_int_equal(after & ~0x3fu, mode & ~0x3fu);
                memset(want, 0, sizeof want);
                must(drawing_run(f, &like, &c, 0, c.n, want));
                if (memcmp(got, want, sizeof got) != 0) print_error("%s, n = %zu, %s\n", f->name, n, table->variant);
                assert_memory_equal(got, want, sizeof want);
                assert_true(simdp_rng_position(&rng) == simdp_rng_position(&like));
            }
        }
    }
}

/* ---- floats: tails read further words, of a local stream ---- */

static const struct {
    const char *name;
    uint32_t use;
    int law;
} floats[] = {
    {"simdp_noise_exponential_f32", BITS_EXPONENTIAL_F32, NOISE_EXPONENTIAL},
    {"simdp_noise_laplace_f32", BITS_LAPLACE_F32, NOISE_LAPLACE},
    {"simdp_noise_gaussian_f32", BITS_GAUSSIAN_F32, NOISE_GAUSSIAN},
    {"simdp_noise_gumbel_f32", BITS_GUMBEL_F32, NOISE_GUMBEL},
};

/* Whether element i of these, of scale 1, is in a tail. */
static bool is_tail(const float *x, size_t i, int law)
{
    const float limit = 9.0f; /* 13 ln 2 = 9.01 */
    if (law == NOISE_GAUSSIAN) return x[i] * x[i] + x[i ^ 16] * x[i ^ 16] > 2 * limit;
    return fabsf(x[i]) > limit;
}

static void test_floats(void **state)
{
    (void)state;
    enum { MOST = 160 };
    static float like_x[MOST], first_x[MOST], x[MOST];
    const simdp_kernels *table;
    uint64_t tails = 0, key = 5;
    for (size_t i = 0; i < sizeof floats / sizeof *floats; i++) {
        const kernel_line *f = kernel_named(floats[i].name);
        for (size_t n = 1; n <= 130; n++) {
            for (uint64_t round = 0; round < 8; round++) {
                const drawing_call c = {.n = n, .p = {1}}, all = {.n = MOST, .p = {1}};
                bool is_first = true;
                for (size_t t = 0; (table = next_usable(&t)) != NULL; t++) {
                    if (is_left_out(table)) continue;
                    must(simdp_isa_select(table->variant));
                    simdp_rng like;
                    test_stream(&like, n, 8 * i + round, 0);
                    repeating r = {.like = &like, .use = floats[i].use, .key_first = true, .key = {key, n, round, i}};
                    simdp_rng rng = source_of(&r);
                    must(drawing_run(f, &rng, &c, 0, n, (unsigned char *)x));
                    must(drawing_run(f, &like, &all, 0, MOST, (unsigned char *)like_x));
                    for (size_t e = 0; e < n; e++) {
                        const bool tail = is_tail(like_x, e, floats[i].law);
                        assert_true(tail ? is_tail(x, e, floats[i].law) || floats[i].law == NOISE_GAUSSIAN
                                         : memcmp(&x[e], &like_x[e], 4) == 0);
                        tails += tail;
                    }
                    if (is_first) memcpy(first_x, x, n * 4);
                    assert_memory_equal(x, first_x, n * 4);
                    is_first = false;
                }
            }
        }
    }
    assert_true(tails > 10);
}

/* _add is the sum of what was there and the noise, tails too. */
static void test_float_sums(void **state)
{
    (void)state;
    const simdp_kernels *table;
    float *x = (float *)(void *)want, *sum = (float *)(void *)got;
    for (size_t i = 0; i < sizeof floats / sizeof *floats; i++) {
        char name[100];
        snprintf(name, sizeof name, "%s_add", floats[i].name);
        if (kernel_named(name) == NULL) continue; /* exponential noise has no such form */
        for (size_t n = 1; n != 0; n = next_n(n)) {
            for (size_t t = 0; (table = next_usable(&t)) != NULL; t++) {
                if (is_left_out(table)) continue;
                must(simdp_isa_select(table->variant));
                const drawing_call c = {.seed = n, .n = n, .p = {3}};
                simdp_rng like;
                test_stream(&like, n, i, 0);
                for (int add = 0; add < 2; add++) {
                    repeating r = {.like = &like, .use = floats[i].use, .key_first = true, .key = {7, n, 0, i}};
                    simdp_rng rng = source_of(&r);
                    must(drawing_run(kernel_named(add ? name : floats[i].name), &rng, &c, 0, n, add ? got : want));
                }
                for (size_t e = 0; e < n; e++) assert_true(sum[e] == (float)(drawing_datum(&c, e) % 1000) + x[e]);
            }
        }
    }
}

/* ---- functions that take a key ---- */

static const char *const keyed[] = {
    "simdp_release_laplace",
    "simdp_release_gaussian",
    "simdp_release_laplace_i64",
    "simdp_release_gaussian_i64",
    "simdp_release_discrete_laplace_i64",
    "simdp_release_discrete_gaussian_i64",
    "simdp_release_discrete_laplace_bounded_i64",
    "simdp_release_discrete_gaussian_truncated_i64",
    "simdp_noise_discrete_laplace_i64",
    "simdp_noise_discrete_gaussian_i64",
    "simdp_theory_release_laplace",
    "simdp_theory_release_gaussian",
    "simdp_release_randomized_response",
    "simdp_release_randomized_response_packed",
    "simdp_release_unary",
    "simdp_release_k_response",
    "simdp_select_gumbel",
    "simdp_select_gumbel_many",
    "simdp_select_gumbel_rows",
    "simdp_select_gumbel_top_k",
    "simdp_select_gumbel_vartime",
    "simdp_select_gumbel_many_vartime",
    "simdp_select_permute_flip",
    "simdp_select_prepared",
    "simdp_select_prepared_vartime",
    "simdp_theory_select_column",
};

static void test_keys(void **state)
{
    (void)state;
    const simdp_kernels *table;
    for (size_t i = 0; i < sizeof keyed / sizeof *keyed; i++) {
        const kernel_line *f = kernel_named(keyed[i]);
        uint64_t random = i;
        for (size_t n = 1; n != 0; n = next_n(n)) {
            const drawing_call c = drawing_choose(f, n, false, &random);
            const uint64_t position = n % 3 * 77; /* where the stream from outside stands */
            for (size_t t = 0; (table = next_usable(&t)) != NULL; t++) {
                if (is_left_out(table)) continue;
                must(simdp_isa_select(table->variant));
                simdp_rng like;
                repeating r = {.key_first = true, .key = {1, 2, n, i}};
                simdp_rng rng = source_of(&r);
                rng.position = position;
                memset(got, 0, sizeof got);
                must(drawing_run(f, &rng, &c, 0, c.n, got));
                must(simdp_rng_init_deterministic(&like, (const uint8_t *)r.key, 0));
                memset(want, 0, sizeof want);
                must(drawing_run(f, &like, &c, 0, c.n, want));
                assert_memory_equal(got, want, sizeof want);
                must(simdp_rng_seek(&like, position)); /* any other stream moves as far from there */
                must(drawing_run(f, &like, &c, 0, c.n, want));
                assert_true(simdp_rng_position(&rng) == simdp_rng_position(&like));
            }
        }
    }
}

/* ---- every function: the same words, the same bytes on every instruction set ---- */

static simdp_status random_words(void *context, uint64_t *out, size_t n)
{
    for (size_t i = 0; i < n; i++) out[i] = test_random(context);
    return SIMDP_OK;
}

static void test_sets_agree(void **state)
{
    (void)state;
    const simdp_kernels *table;
    for (size_t i = 0; i < kernel_drawing_count(); i++) {
        const kernel_line *f = kernel_drawing_at(i);
        uint64_t random = i;
        for (size_t n = 1; n <= 130; n += n < 34 || n > 125 ? 1 : 7) {
            const drawing_call c = drawing_choose(f, n, false, &random);
            bool is_first = true;
            for (size_t t = 0; (table = next_usable(&t)) != NULL; t++) {
                if (is_left_out(table)) continue;
                uint64_t words = 1000 * i + n;
                simdp_rng rng = {.kind = RNG_SOURCE, .source = random_words, .context = &words};
                must(simdp_isa_select(table->variant));
                memset(got, 0, sizeof got);
                must(drawing_run(f, &rng, &c, 0, c.n, got));
                if (is_first) memcpy(want, got, sizeof got);
                assert_memory_equal(got, want, sizeof want);
                is_first = false;
            }
        }
    }
}

/* ---- the law of short calls: pairs must be whole, or numbers come out near 0 ---- */

static double normal_cdf(double x, const void *law)
{
    (void)law;
    return 0.5 * erfc(-x * 0.7071067811865476);
}

static void check_normal(double *x, size_t n)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++) sum += x[i], squares += x[i] * x[i];
    assert_true(fabs(sum) < 6.2 * sqrt((double)n));
    assert_true(fabs(squares - (double)n) < 6.2 * sqrt(2.0 * (double)n));
    assert_true(law_check_sample(x, n, normal_cdf, NULL));
}

static void test_short_gaussians(void **state)
{
    (void)state;
    enum { SAMPLES = 20000 };
    static double x[SAMPLES + 32];
    static float y[SAMPLES + 32];
    const simdp_kernels *table;
    for (size_t t = 0; (table = next_usable(&t)) != NULL; t++) {
        if (is_left_out(table)) continue;
        must(simdp_isa_select(table->variant));
        for (size_t n = 1; n <= 17; n++) {
            uint64_t words = n;
            simdp_rng rng = {.kind = RNG_SOURCE, .source = random_words, .context = &words};
            for (size_t done = 0; done < SAMPLES; done += n) {
                must(simdp_noise_gaussian_f64(&rng, x + done, n, 1.0));
                must(simdp_noise_gaussian_f32(&rng, y + done, n, 1.0f));
            }
            check_normal(x, SAMPLES);
            for (size_t i = 0; i < SAMPLES; i++) x[i] = (double)y[i];
            check_normal(x, SAMPLES);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_bytes), cmocka_unit_test(test_floats),     cmocka_unit_test(test_float_sums),
        cmocka_unit_test(test_keys),       cmocka_unit_test(test_sets_agree), cmocka_unit_test(test_short_gaussians),
    };
    return cmocka_run_group_tests_name("bits_sources", tests, NULL, NULL);
}
