/* test_release_discrete: discrete Laplace and Gaussian integers against MPFR: every output, forced precisions, words at
 * the borders of cells and digits that tie; forms, splits, bad input. */
#include <float.h>
#include <math.h>

#include "bits/rng.h"
#include "reference/aes_reference.h"
#include "reference/discrete_reference.h"
#include "support/test_support.h"

static const double scales[] = {0x1p-10, 0.01, 0.2, 0.5, 1.0, 3.7, 20.0, 1234.5, 0x1p20, 0x1.fp29, 0x1p31, 0x1p40};
static const double sigmas[] = {0x1p-10, 0.05, 0.07, 0.3, 1.0, 2.5, 6.5, 6.6, 13.0, 100.0, 12345.6, 0x1p30, 0x1p40};
#define COUNT(array) (sizeof array / sizeof array[0])

static discrete_stream stream_of(uint64_t seed)
{
    discrete_stream s = {.stream = seed};
    test_key(s.key, 5 * seed);
    return s;
}

static void open_stream(simdp_rng *rng, const discrete_stream *s, uint64_t position)
{
    must(simdp_rng_init_deterministic(rng, s->key, s->stream));
    must(simdp_rng_seek(rng, position));
}

static simdp_bits_at given_words(const simdp_rng *rng, const uint64_t *words, uint64_t position)
{
    return (simdp_bits_at){
        .words = words, .cipher = cipher_of_stream(rng), .position = position, .use = BITS_DISCRETE_LAPLACE};
}

/* ---- every output ---- */

#define ELEMENTS 4400

static void test_every_laplace(void **state)
{
    (void)state;
    static int64_t out[ELEMENTS];
    for (size_t i = 0; i < COUNT(scales); i++) {
        const discrete_stream s = stream_of(i);
        const uint64_t position = 1000 * i + i % 3;
        simdp_rng rng;
        open_stream(&rng, &s, position);
        must(simdp_noise_discrete_laplace_i64(&rng, out, ELEMENTS, scales[i]));
        assert_int_equal(simdp_rng_position(&rng), position + ELEMENTS);
        for (size_t k = 0; k < ELEMENTS; k++) {
            const int64_t want = laplace_reference(&s, position + k, NULL, scales[i]);
            if (out[k] != want)
                fail_msg("scale %a, element %zu: %lld is not %lld", scales[i], k, (long long)out[k], (long long)want);
        }
    }
}

static void test_every_gaussian(void **state)
{
    (void)state;
    static int64_t out[ELEMENTS];
    static gaussian_reference g;
    for (size_t i = 0; i < COUNT(sigmas); i++) {
        const discrete_stream s = stream_of(100 + i);
        const uint64_t position = 1000 * i + i % 5;
        simdp_rng rng;
        gaussian_reference_init(&g, sigmas[i]);
        open_stream(&rng, &s, position);
        must(simdp_noise_discrete_gaussian_i64(&rng, out, ELEMENTS, sigmas[i]));
        assert_int_equal(simdp_rng_position(&rng), position + ELEMENTS);
        for (size_t k = 0; k < ELEMENTS; k++) {
            const int64_t want = gaussian_number(&g, &s, position + k, NULL);
            if (out[k] != want)
                fail_msg("sigma %a, element %zu: %lld is not %lld", sigmas[i], k, (long long)out[k], (long long)want);
        }
        gaussian_reference_clear(&g);
    }
}

/* The thresholds of 160 sigmas, all 63 digits. */
static void test_thresholds(void **state)
{
    (void)state;
    static gaussian_reference g;
    uint64_t random = 12;
    for (int i = 0; i < 160; i++) {
        const double unit = (double)(test_random(&random) >> 11) * 0x1p-53;
        const double sigma = i % 2 == 0 ? 0.06 + 7 * unit : ldexp(1 + unit, (int)(test_random(&random) % 50) - 10);
        simdp_discrete_gaussian plan;
        if (sigma > SIMDP_RELEASE_DISCRETE_MAX) continue;
        simdp_discrete_gaussian_plan(&plan, sigma);
        gaussian_reference_init(&g, sigma);
        assert_int_equal(plan.log2_width, g.k);
        for (int k = 1; k <= GAUSSIAN_THRESHOLDS; k++) {
            if (plan.threshold[k] != g.digits[k]) fail_msg("threshold %d of sigma %a", k, sigma);
        }
        assert_int_equal(g.digits[GAUSSIAN_THRESHOLDS], 0);
        gaussian_reference_clear(&g);
    }
}

/* ---- Laplace: precisions and borders ---- */

static void test_forced_precisions(void **state)
{
    (void)state;
    static int64_t want[ELEMENTS], got[ELEMENTS];
    const simdp_kernels *t;
    for (size_t k = 0; (t = next_usable(&k)) != NULL; k++) {
        must(simdp_isa_select(t->variant));
        for (size_t i = 0; i < COUNT(scales); i++) {
            for (int least = PRECISION_F64; least <= PRECISION_WIDE; least++) {
                const discrete_stream s = stream_of(i);
                const size_t n = least == PRECISION_WIDE ? 20 : ELEMENTS;
                simdp_discrete_laplace plan;
                simdp_rng rng;
                open_stream(&rng, &s, 0);
                simdp_discrete_laplace_plan(&plan, scales[i], 1.0, least, &discrete_scratch);
                const simdp_bits_at at = {
                    .cipher = cipher_of_stream(&rng), .position = 7, .use = BITS_DISCRETE_LAPLACE};
                t->release->discrete_laplace(least == PRECISION_F64 ? want : got, n, &at, &plan);
                if (least > PRECISION_F64) assert_memory_equal(got, want, n * sizeof *got);
            }
        }
    }
    must(simdp_isa_select(NULL));
}

/* Words on both sides of the borders of cells, and what comes of them. */
#define BORDER_WORDS 200

typedef struct {
    discrete_stream stream;
    double scale;
    uint64_t words[BORDER_WORDS];
    int64_t want[BORDER_WORDS]; /* word i at position 64 i */
} borders;

static void find_borders(borders *b, double scale)
{
    uint64_t random = (uint64_t)(scale * 1000);
    b->stream = stream_of(7);
    b->scale = scale;
    for (size_t n = 0; n < BORDER_WORDS;) {
        const double most = scale * (n % 2 == 0 ? 30 : 1.5); /* cells with some mass */
        const int64_t m = (int64_t)(1 + (double)(test_random(&random) >> 11) * 0x1p-53 * most);
        const uint64_t border = laplace_border(scale, m);
        for (int near = -2; near <= 2 && n < BORDER_WORDS; near++) {
            const uint64_t word = border < 2 ? (uint64_t)(near + 2) : border + (uint64_t)(int64_t)near;
            b->words[n] = n % 2 ? word : ~word; /* |V| is the same from here on */
            b->want[n] = laplace_reference(&b->stream, 64 * n, &b->words[n], scale);
            n++;
        }
    }
}

/* Each word among others that are not at a border: more than one would crowd a block, which is then made in
 * double-doubles. */
static size_t wrong_at_borders(const simdp_kernels *t, const borders *b, double shrink)
{
    simdp_discrete_laplace plan;
    simdp_rng rng;
    size_t wrong = 0;
    open_stream(&rng, &b->stream, 0);
    simdp_discrete_laplace_plan(&plan, b->scale, shrink, 0, &discrete_scratch);
    for (size_t i = 0; i < BORDER_WORDS; i++) {
        uint64_t block[RELEASE_ALIGN];
        int64_t out[RELEASE_ALIGN]; /* more than lanes, which would be made in double-doubles at once */
        for (int k = 0; k < RELEASE_ALIGN; k++) block[k] = k == 0 ? b->words[i] : 0x5123456789abcdef;
        const simdp_bits_at at = given_words(&rng, block, 64 * i);
        t->release->discrete_laplace(out, RELEASE_ALIGN, &at, &plan);
        wrong += out[0] != b->want[i];
    }
    return wrong;
}

static void test_borders(void **state)
{
    (void)state;
    static borders b;
    const simdp_kernels *t;
    for (size_t i = 0; i < COUNT(scales); i++) {
        find_borders(&b, scales[i]);
        for (size_t k = 0; (t = next_usable(&k)) != NULL; k++) {
            must(simdp_isa_select(t->variant));
            assert_int_equal(wrong_at_borders(t, &b, 1.0), 0);
        }
    }
    must(simdp_isa_select(NULL));
    find_borders(&b, 0x1.8p25); /* control: radii that are too small */
    assert_true(wrong_at_borders(simdp_kernels_active(), &b, 0x1p-24) > 0);
}

/* ---- Gaussian: ties ---- */

/* Kernels and reference on given pairs of words; returns how many differ. */
static size_t wrong_given(const gaussian_reference *g, const simdp_discrete_gaussian *plan, const uint64_t *words,
                          size_t n)
{
    const discrete_stream s = stream_of(9);
    const simdp_kernels *t;
    size_t wrong = 0;
    static int64_t out[1000], want[1000];
    for (size_t i = 0; i < n; i++) want[i] = gaussian_number(g, &s, 11 + i, words + 2 * i);
    for (size_t k = 0; (t = next_usable(&k)) != NULL; k++) {
        simdp_rng rng;
        must(simdp_isa_select(t->variant));
        open_stream(&rng, &s, 0);
        const simdp_bits_at at = given_words(&rng, words, 11);
        t->release->discrete_gaussian(out, n, &at, plan);
        for (size_t i = 0; i < n; i++) wrong += out[i] != want[i];
    }
    must(simdp_isa_select(NULL));
    return wrong;
}

/* U beside each threshold, and 0, where all thresholds that end in zeros tie */
static size_t threshold_words(const gaussian_reference *g, uint64_t *words)
{
    uint64_t random = 4;
    size_t n = 0;
    for (unsigned j = 1; j < 66; j += j % 8 < 2 ? 1 : 3) {
        for (int near = -1; near <= 1; near++) {
            const uint64_t u = g->digits[j] + (uint64_t)(int64_t)near;
            if (u > INT64_MAX) continue;
            words[2 * n] = u | test_random(&random) << 63;
            words[2 * n++ + 1] = test_random(&random);
        }
    }
    return n;
}

/* V beside the chance of acceptance, the rest at random */
static size_t chance_words(const gaussian_reference *g, uint64_t *words)
{
    mpfr_t chance;
    uint64_t random = 5;
    size_t n = 0;
    mpfr_init2(chance, 600);
    for (int i = 0; i < 60; i++) {
        const uint64_t j = test_random(&random) % 20, sign = test_random(&random) >> 63;
        const uint64_t b = test_random(&random) & (((uint64_t)1 << g->k) - 1);
        if (g->digits[j + 1] + 2 > g->digits[j]) continue;
        gaussian_chance(g, chance, j, b + sign);
        mpfr_mul_2ui(chance, chance, 64 - (unsigned)g->k, MPFR_RNDN);
        if (b + sign == 0) continue; /* accepted for sure */
        for (int near = -1; near <= 1; near++) {
            words[2 * n] =
                (g->digits[j + 1] + 1 + test_random(&random) % (g->digits[j] - g->digits[j + 1] - 1)) | sign << 63;
            words[2 * n++ + 1] = (mpfr_get_ui(chance, MPFR_RNDD) + (uint64_t)(int64_t)near) << g->k | b;
        }
    }
    mpfr_clear(chance);
    return n;
}

static void test_ties(void **state)
{
    (void)state;
    static uint64_t words[2000];
    static gaussian_reference g;
    static const double tested[] = {0.05, 0.3, 1.0, 3.3, 6.5, 6.6, 25.0, 1e6, 0x1p40};
    for (size_t i = 0; i < COUNT(tested); i++) {
        simdp_discrete_gaussian plan;
        simdp_discrete_gaussian_plan(&plan, tested[i]);
        gaussian_reference_init(&g, tested[i]);
        assert_int_equal(wrong_given(&g, &plan, words, threshold_words(&g, words)), 0);
        if (g.k > 0) assert_int_equal(wrong_given(&g, &plan, words, chance_words(&g, words)), 0);
        /* controls: a threshold two off, an exponent one part in 2^20 off */
        plan.threshold[2] += 2;
        if (plan.threshold[2] > 2 && i % 3 == 2)
            assert_true(wrong_given(&g, &plan, words, threshold_words(&g, words)) > 0);
        plan.threshold[2] -= 2;
        plan.exponent *= 1 + 0x1p-20;
        if (g.k > 0 && g.k < 20) assert_true(wrong_given(&g, &plan, words, chance_words(&g, words)) > 0);
        gaussian_reference_clear(&g);
    }
}

/* ---- forms ---- */

typedef simdp_status noise_function(simdp_rng *rng, int64_t *out, size_t n, double scale);
typedef simdp_status release_function(simdp_rng *rng, int64_t *out, const int64_t *answers, size_t n, double scale);
static const struct {
    noise_function *noise;
    release_function *release;
} laws[2] = {{simdp_noise_discrete_laplace_i64, simdp_release_discrete_laplace_i64},
             {simdp_noise_discrete_gaussian_i64, simdp_release_discrete_gaussian_i64}};

static int64_t saturated(int64_t a, int64_t b)
{
    const __int128 sum = (__int128)a + b;
    return sum > INT64_MAX ? INT64_MAX : sum < INT64_MIN ? INT64_MIN : (int64_t)sum;
}

static void test_forms_and_splits(void **state)
{
    (void)state;
    enum { N = 5000 };
    static int64_t noise[N], answers[N], out[N];
    const simdp_kernels *t;
    for (size_t k = 0; (t = next_usable(&k)) != NULL; k++) {
        must(simdp_isa_select(t->variant));
        for (int law = 0; law < 2; law++) {
            for (int i = 0; i < 3; i++) {
                const double scale = (double[]){2.0, 50.0, 0x1p33}[i];
                uint64_t random = 3;
                simdp_rng rng;
                const size_t n = strcmp(t->isa, "scalar") == 0 ? N / 5 : N;
                test_stream(&rng, 6, 0, 99);
                must(laws[law].noise(&rng, noise, n, scale));
                for (size_t j = 0; j < n; j++) answers[j] = (int64_t)test_random(&random) >> (j % 3 == 0 ? 50 : 0);
                for (size_t j = 0; j < n; j += 7) answers[j] = j % 2 ? INT64_MAX : INT64_MIN;
                for (size_t piece = 1; piece <= n; piece = piece * 7 + 3) {
                    test_stream(&rng, 6, 0, 99);
                    memcpy(out, answers, sizeof out); /* in place */
                    for (size_t done = 0; done < n; done += piece)
                        must(laws[law].release(&rng, out + done, out + done, n - done < piece ? n - done : piece,
                                               scale));
                    for (size_t j = 0; j < n; j++) assert_int_equal(out[j], saturated(answers[j], noise[j]));
                }
            }
        }
    }
    must(simdp_isa_select(NULL));
}

static void test_bad_input(void **state)
{
    (void)state;
    static const double bad[] = {NAN, INFINITY, -INFINITY, -1.0, 0x1p-11, 0x1.0000000000001p40, DBL_MIN};
    int64_t out[4], answers[4] = {1, 2, 3, 4};
    for (int law = 0; law < 2; law++) {
        simdp_rng rng;
        test_stream(&rng, 1, 1, 5);
        for (size_t i = 0; i < COUNT(bad); i++) {
            memset(out, 0x11, sizeof out);
            assert_int_equal(laws[law].noise(&rng, out, 3, bad[i]), SIMDP_EPARAM);
            for (int k = 0; k < 4; k++) assert_int_equal(out[k], 0x1111111111111111);
            assert_int_equal(laws[law].release(&rng, out, answers, 3, bad[i]), SIMDP_EPARAM);
            for (int k = 0; k < 4; k++) assert_int_equal(out[k], k < 3 ? INT64_MIN : 0x1111111111111111);
        }
        assert_int_equal(laws[law].noise(NULL, out, 3, 1.0), SIMDP_ENULL);
        assert_int_equal(laws[law].noise(&rng, NULL, 3, 1.0), SIMDP_ENULL);
        assert_int_equal(laws[law].release(&rng, NULL, answers, 3, 1.0), SIMDP_ENULL);
        assert_int_equal(laws[law].release(&rng, out, NULL, 3, NAN), SIMDP_ENULL);
        assert_int_equal(laws[law].noise(&rng, out, SIZE_MAX / 4, 1.0), SIMDP_EPARAM);
        assert_int_equal(simdp_rng_position(&rng), 5);
        must(laws[law].noise(&rng, NULL, 0, 1.0));
        must(laws[law].release(&rng, NULL, NULL, 0, 1.0));
        assert_int_equal(simdp_rng_position(&rng), 5);
        must(laws[law].noise(&rng, out, 4, 0.0));
        for (int k = 0; k < 4; k++) assert_int_equal(out[k], 0);
        must(laws[law].release(&rng, out, answers, 4, -0.0));
        assert_memory_equal(out, answers, sizeof out);
        assert_int_equal(simdp_rng_position(&rng), 13);
        must(simdp_rng_seek(&rng, UINT64_MAX - 1));
        assert_int_equal(laws[law].noise(&rng, out, 2, 1.0), SIMDP_EPARAM);
        simdp_rng_wipe(&rng);
        assert_int_equal(laws[law].noise(&rng, out, 2, 1.0), SIMDP_EPARAM);
        must(simdp_rng_init(&rng)); /* keys that are erased: across two of them */
        static int64_t many[SIMDP_RNG_ERASE_POSITIONS + 100];
        must(laws[law].noise(&rng, many, SIMDP_RNG_ERASE_POSITIONS + 100, 3.0));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_laplace),    cmocka_unit_test(test_every_gaussian),
        cmocka_unit_test(test_thresholds),       cmocka_unit_test(test_forced_precisions),
        cmocka_unit_test(test_borders),          cmocka_unit_test(test_ties),
        cmocka_unit_test(test_forms_and_splits), cmocka_unit_test(test_bad_input),
    };
    return cmocka_run_group_tests_name("release_discrete", tests, NULL, NULL);
}
