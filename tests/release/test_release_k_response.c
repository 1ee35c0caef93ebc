/* test_release_k_response: reports of one value among k against a reference that takes the 512 digits of every uniform
 * number from FIPS-197's AES and multiplies them with MPFR's e^epsilon + k - 1; words at the borders of draws; the
 * three arithmetics against each other; values, forms, bad input. */
#include <float.h>
#include <math.h>
#include <mpfr.h>

#include "bits/rng.h"
#include "reference/aes_reference.h"
#include "release/response/k_response.h"
#include "support/test_support.h"

#define PRECISION 2048

enum { K_RESPONSE = 25 << 24 }; /* level 0 of the words of reports */

static const uint32_t ks[] = {2, 3, 5, 16, 100, 1u << 16, 1000003, 0x80000000, 0x80000001, UINT32_MAX};
static const double epsilons[] = {0.0,  0x1p-1074, 0x1p-130, 1e-30, 0x1p-20, 0.1,  0.69314718055994530942,
                                  1.0,  2.5,       8.0,      20.0,  22.18,   33.2, 33.3,
                                  35.0, 40.0,      63.9,     64.0,  100.0,   700,  1e6};
#define KS       (sizeof ks / sizeof ks[0])
#define EPSILONS (sizeof epsilons / sizeof epsilons[0])

/* ---- the reference ---- */

static double counted(double epsilon) { return epsilon < 256.0 ? epsilon : 256.0; }

/* The draw of a uniform number with these words: the whole part of U (e^epsilon + k - 1), k - 1 at most. */
static uint32_t reference_draw(const uint64_t words[8], uint32_t k, double epsilon)
{
    mpfr_t u, d;
    mpz_t whole;
    uint32_t draw = k - 1;
    mpfr_inits2(PRECISION, u, d, (mpfr_ptr)NULL);
    mpz_init(whole);
    mpz_import(whole, 8, 1, sizeof words[0], 0, 0, words);
    mpfr_set_z(u, whole, MPFR_RNDN);
    mpfr_div_2ui(u, u, 512, MPFR_RNDN);
    mpfr_set_d(d, counted(epsilon), MPFR_RNDN);
    mpfr_exp(d, d, MPFR_RNDN);
    mpfr_add_ui(d, d, k - 1, MPFR_RNDN);
    mpfr_mul(d, u, d, MPFR_RNDN);
    if (mpfr_cmp_ui(d, k - 1) < 0) draw = (uint32_t)mpfr_get_ui(d, MPFR_RNDD);
    mpz_clear(whole);
    mpfr_clears(u, d, (mpfr_ptr)NULL);
    return draw;
}

/* What a draw makes of a value. */
static uint32_t reference_report(uint32_t draw, uint32_t value, uint32_t k)
{
    const uint32_t truth = value < k ? value : 0;
    if (draw == k - 1) return truth;
    return draw < truth ? draw : draw + 1;
}

typedef struct {
    uint8_t key[32];
    uint64_t stream;
} reference;

static void words_of(uint64_t words[8], const reference *r, uint64_t position)
{
    for (uint32_t level = 0; level < 8; level++)
        words[level] = stream_reference(r->key, r->stream, K_RESPONSE + level, position);
}

/* ---- every output ---- */

#define REPORTS 1200

static uint32_t a_value(uint64_t *random, uint32_t k)
{
    const uint64_t w = test_random(random);
    return w % 5 == 0 ? (uint32_t)(w >> 32) : w % 5 == 1 ? k - (uint32_t)(w >> 32) % 3 : (uint32_t)(w >> 32) % k;
}

static size_t differences(const char *variant, const reference *r, uint32_t k, double epsilon, double of_reference,
                          uint64_t position)
{
    static uint32_t values[REPORTS], out[REPORTS];
    uint64_t random = position;
    size_t wrong = 0;
    simdp_rng rng;
    must(simdp_isa_select(variant));
    must(simdp_rng_init_deterministic(&rng, r->key, r->stream));
    must(simdp_rng_seek(&rng, position));
    for (size_t i = 0; i < REPORTS; i++) values[i] = a_value(&random, k);
    must(simdp_release_k_response(&rng, out, values, REPORTS, k, epsilon));
    assert_int_equal(simdp_rng_position(&rng), position + REPORTS);
    for (size_t i = 0; i < REPORTS; i++) {
        uint64_t words[8];
        words_of(words, r, position + i);
        assert_true(out[i] < k);
        wrong += out[i] != reference_report(reference_draw(words, k, of_reference), values[i], k);
    }
    must(simdp_isa_select(NULL));
    return wrong;
}

static void test_every_output(void **state)
{
    (void)state;
    const size_t stride = is_full() ? 1 : 11;
    for (size_t i = 0; i < KS * EPSILONS; i += stride) {
        const uint32_t k = ks[i % KS];
        const double epsilon = epsilons[i / KS];
        reference r = {.stream = i};
        test_key(r.key, 77 + i);
        if (differences(NULL, &r, k, epsilon, epsilon, 1000003 * (uint64_t)i) != 0)
            fail_msg("k = %u, epsilon = %a", k, epsilon);
    }
    reference r = {.stream = 5};
    assert_int_equal(differences("scalar", &r, 16, 1.0, 1.0, UINT64_MAX - REPORTS), 0); /* up to the last position */
    assert_int_not_equal(differences(NULL, &r, 16, 1.0, 1.01, 0), 0);                   /* control: another epsilon */
}

/* ---- words at the borders ---- */

/* The 64 digits of U nearest to draw / (e^epsilon + k - 1), moved by `units`. */
static uint64_t border_word(uint32_t draw, uint32_t k, double epsilon, int64_t units)
{
    mpfr_t d;
    mpz_t whole;
    uint64_t word = 0;
    mpfr_init2(d, PRECISION);
    mpz_init(whole);
    mpfr_set_d(d, counted(epsilon), MPFR_RNDN);
    mpfr_exp(d, d, MPFR_RNDN);
    mpfr_add_ui(d, d, k - 1, MPFR_RNDN);
    mpfr_ui_div(d, draw, d, MPFR_RNDN);
    mpfr_mul_2ui(d, d, 64, MPFR_RNDN);
    mpfr_get_z(whole, d, MPFR_RNDD);
    mpz_export(&word, NULL, -1, sizeof word, 0, 0, whole);
    mpz_clear(whole);
    mpfr_clear(d);
    return word + (uint64_t)units;
}

#define GIVEN 2048

/* Reports by the kernel of one instruction set from given words of level 0; how many are not those of the reference. */
static size_t wrong_from_words(const simdp_kernels *t, const uint64_t *given, const uint32_t *want, size_t n,
                               uint32_t k, const simdp_k_response *plan)
{
    static uint32_t values[GIVEN], out[GIVEN];
    const uint64_t position = 4096;
    size_t wrong = 0;
    simdp_rng rng;
    must(simdp_isa_select(t->variant));
    test_stream(&rng, 11, 3, 0);
    for (size_t i = 0; i < n; i++) values[i] = (uint32_t)(i % 7);
    const simdp_bits_at at = {.words = given, .cipher = cipher_of_stream(&rng), .position = position};
    t->release->k_response(out, values, n, &at, plan);
    for (size_t i = 0; i < n; i++) wrong += out[i] != reference_report(want[i], values[i], k);
    must(simdp_isa_select(NULL));
    return wrong;
}

/* Words of which one in `one_in` lies within some units of a border; what the reference makes of them. */
static void make_words(uint64_t *given, uint32_t *want, size_t n, uint32_t k, double epsilon, unsigned one_in,
                       uint64_t *random)
{
    uint8_t key[32];
    test_key(key, 11);
    for (size_t i = 0; i < n; i++) {
        const uint64_t w = test_random(random);
        uint64_t words[8];
        const uint32_t draw = w % 3 == 0 ? k - 1 : (uint32_t)((w >> 8) % k);
        const int64_t near = (int64_t)(w >> 40 & 3) - 2, far = near * ((int64_t)1 << (w >> 48 & 15));
        given[i] = w % one_in == 0 ? border_word(draw, k, epsilon, w >> 60 & 1 ? near : far) : test_random(random);
        words[0] = given[i];
        for (uint32_t level = 1; level < 8; level++)
            words[level] = stream_reference(key, 3, K_RESPONSE + level, 4096 + i);
        want[i] = reference_draw(words, k, epsilon);
    }
}

static void test_borders(void **state)
{
    (void)state;
    static uint64_t given[GIVEN + 64];
    static uint32_t want[GIVEN];
    const simdp_kernels *t;
    uint64_t random = 8;
    size_t without_radius = 0;
    for (size_t round = 0; round < (is_full() ? KS * EPSILONS : 40); round++) {
        const uint32_t k = ks[round % KS];
        const double epsilon = epsilons[round * 11 % EPSILONS];
        const size_t n = round % 3 == 0 ? GIVEN : 1 + test_random(&random) % 400;
        simdp_k_response plan;
        make_words(given, want, n, k, epsilon, round % 2 ? 3 : 700, &random); /* crowded blocks, and others */
        simdp_k_response_plan(&plan, k, epsilon);
        for (size_t i = 0; (t = next_usable(&i)) != NULL; i++) {
            simdp_k_response other = plan;
            if (wrong_from_words(t, given, want, n, k, &plan) != 0)
                fail_msg("%s: k = %u, epsilon = %a", t->variant, k, epsilon);
            other.radius = (simdp_u128)1 << plan.shift; /* nothing but the truth is decided in 128 bits */
            assert_int_equal(wrong_from_words(t, given, want, n, k, &other), 0);
            other.limit = -1.0; /* all are open */
            assert_int_equal(wrong_from_words(t, given, want, n, k, &other), 0);
            other.limit = 0.75; /* control: none is open */
            without_radius += wrong_from_words(t, given, want, n, k, &other);
        }
    }
    assert_true(without_radius > 1000);
}

/* ---- 128 and 512 bits ---- */

/* D in 128 bits lies in its interval, and the double within its part of the radius. */
static void test_plans(void **state)
{
    (void)state;
    uint64_t random = 4;
    mpfr_t d, low, high;
    mpfr_inits2(PRECISION, d, low, high, (mpfr_ptr)NULL);
    for (size_t i = 0; i < 4000; i++) {
        const uint64_t w = test_random(&random);
        const double unit = (double)(w >> 11) * 0x1p-53;
        const double epsilon = i < EPSILONS ? epsilons[i] : i % 3 == 0 ? 70 * unit : ldexp(unit, -(int)(w % 140) + 6);
        const uint32_t k = i < KS ? ks[i] : 2 + (uint32_t)(test_random(&random) >> (32 + w % 31)) % (UINT32_MAX - 2);
        simdp_k_response plan;
        simdp_k_response_plan(&plan, k, epsilon);
        mpfr_set_d(d, counted(epsilon), MPFR_RNDN);
        mpfr_exp(d, d, MPFR_RNDN);
        mpfr_add_ui(d, d, k - 1, MPFR_RNDN);
        mpfr_set_ui_2exp(low, (unsigned long)(plan.significand >> 64), 64, MPFR_RNDN);
        mpfr_add_ui(low, low, (unsigned long)plan.significand, MPFR_RNDN);
        mpfr_add_ui(high, low, 1ul << 17, MPFR_RNDN);
        mpfr_div_2ui(low, low, plan.shift, MPFR_RNDN);
        mpfr_div_2ui(high, high, plan.shift, MPFR_RNDN);
        mpfr_div_2ui(low, low, 0, MPFR_RNDN);
        assert_true(mpfr_cmp(low, d) <= 0);
        if (epsilon >= 64.0) continue; /* where it is no more than a lower bound */
        assert_true(mpfr_cmp(d, high) <= 0);
        assert_true(plan.significand >> 126 != 0);
        if (plan.top != k - 1) continue;
        mpfr_sub_d(high, d, plan.factor, MPFR_RNDN);
        mpfr_abs(high, high, MPFR_RNDN);
        mpfr_mul_d(low, d, 0x1.01p-53, MPFR_RNDN);
        assert_true(mpfr_cmp(high, low) <= 0);
        assert_true(plan.limit <= 0.5 - 0x1.2p-51 * plan.factor);
    }
    mpfr_clears(d, low, high, (mpfr_ptr)NULL);
}

/* 448 digits at the very border. Powers of a tiny epsilon make borders lie close to numbers of that many digits, closer
 * than 2^-500: there the digits are moved by one or two units. */
static void test_exact(void **state)
{
    (void)state;
    uint64_t random = 5;
    mpfr_t d;
    mpz_t whole;
    mpfr_init2(d, PRECISION);
    mpz_init(whole);
    for (size_t i = 0; i < KS * EPSILONS; i++) {
        const uint32_t k = ks[i % KS];
        const double epsilon = epsilons[i / KS];
        simdp_k_response plan;
        simdp_k_response_plan(&plan, k, epsilon);
        for (int change = -1; change <= 2; change++) {
            if (epsilon > 0 && epsilon < 0.1 && (change == 0 || change == 1)) continue;
            const uint32_t draw = i % 3 == 0 ? k - 1 : (uint32_t)(test_random(&random) % k);
            uint64_t words[8] = {0};
            size_t count = 0;
            mpfr_set_d(d, counted(epsilon), MPFR_RNDN);
            mpfr_exp(d, d, MPFR_RNDN);
            mpfr_add_ui(d, d, k - 1, MPFR_RNDN);
            mpfr_ui_div(d, draw, d, MPFR_RNDN);
            mpfr_mul_2ui(d, d, 448, MPFR_RNDN);
            mpfr_get_z(whole, d, MPFR_RNDD);
            if (change > 0) mpz_add_ui(whole, whole, (unsigned long)change);
            else if (change < 0 && mpz_sgn(whole) > 0) mpz_sub_ui(whole, whole, 1);
            uint64_t limbs[8] = {0};
            mpz_export(limbs, &count, -1, sizeof limbs[0], 0, 0, whole);
            assert_true(count <= 7);
            for (size_t l = 0; l < 7; l++) words[6 - l] = limbs[l];
            if (simdp_k_response_exact(&plan, words) != reference_draw(words, k, epsilon))
                fail_msg("draw %u of k = %u, epsilon = %a, moved by %d", draw, k, epsilon, change);
        }
    }
    mpz_clear(whole);
    mpfr_clear(d);
}

/* Whatever epsilon is, every draw has its interval among the numbers U of 512 digits, of the length that the promise asks
 * for: both ends of each are where U D passes a whole number. Without them a value could not come out of another one. */
static void test_large_epsilons(void **state)
{
    (void)state;
    static const double large[] = {100.0, 255.0, 256.0, 300.0, 355.0, 356.0, 1000.0, 1e6, DBL_MAX};
    mpfr_t d;
    mpz_t first, whole;
    mpfr_init2(d, PRECISION);
    mpz_inits(first, whole, NULL);
    for (size_t i = 0; i < sizeof large / sizeof large[0] * 4; i++) {
        const uint32_t k = ks[i % 4 * 3];
        const double epsilon = large[i / 4];
        simdp_k_response plan;
        simdp_k_response_plan(&plan, k, epsilon);
        for (uint32_t draw = 1; draw < k && draw < 40; draw++) {
            for (int before = 0; before < 2; before++) {
                uint64_t words[8] = {0}, limbs[8] = {0};
                size_t count = 0;
                mpfr_set_d(d, counted(epsilon), MPFR_RNDN);
                mpfr_exp(d, d, MPFR_RNDN);
                mpfr_add_ui(d, d, k - 1, MPFR_RNDN);
                mpfr_ui_div(d, draw, d, MPFR_RNDN);
                mpfr_mul_2ui(d, d, 512, MPFR_RNDN);
                mpfr_get_z(whole, d, MPFR_RNDU);
                if (draw == 1) mpz_set(first, whole);
                assert_true(mpz_sizeinbase(first, 2) > 140); /* so many numbers U for the draw 0 */
                mpz_sub_ui(whole, whole, (unsigned long)before);
                mpz_export(limbs, &count, -1, sizeof limbs[0], 0, 0, whole);
                for (size_t l = 0; l < 8; l++) words[7 - l] = limbs[l];
                assert_int_equal(simdp_k_response_exact(&plan, words), draw - (uint32_t)before);
            }
        }
    }
    mpz_clears(first, whole, NULL);
    mpfr_clear(d);
}

/* ---- values, forms, bad input ---- */

static void test_values_and_forms(void **state)
{
    (void)state;
    enum { N = 700 };
    static uint32_t values[N], out[N], again[N];
    simdp_rng rng;
    for (uint32_t i = 0; i < N; i++) values[i] = i % 9;
    test_stream(&rng, 1, 0, 7);
    must(simdp_release_k_response(&rng, out, values, N, 5, 1.0));
    for (uint32_t i = 0; i < N; i++) values[i] = i % 9 < 5 ? i % 9 : i % 2 ? UINT32_MAX : 0; /* from k on they are 0 */
    test_stream(&rng, 1, 0, 7);
    must(simdp_release_k_response(&rng, again, values, N, 5, 1.0));
    assert_memory_equal(out, again, sizeof out);
    test_stream(&rng, 1, 0, 7);
    must(simdp_release_k_response(&rng, values, values, N, 5, 1.0)); /* in place */
    assert_memory_equal(out, values, sizeof out);
    /* one value */
    must(simdp_release_k_response(&rng, out, values, N, 1, 0.3));
    for (uint32_t i = 0; i < N; i++) assert_int_equal(out[i], 0);
    assert_int_equal(simdp_rng_position(&rng), 7 + 2 * N);
    /* the truth, as good as always */
    must(simdp_release_k_response(&rng, out, values, N, 5, 200.0));
    assert_memory_equal(out, values, sizeof out);
    must(simdp_release_k_response(&rng, NULL, NULL, 0, 5, 1.0));
}

static void test_bad_input(void **state)
{
    (void)state;
    const double bad[] = {-0x1p-1074, -1.0, NAN, INFINITY, -INFINITY};
    uint32_t values[3] = {0, 1, 2}, out[3];
    simdp_rng rng;
    test_stream(&rng, 1, 0, 7);
    for (size_t i = 0; i <= sizeof bad / sizeof bad[0]; i++) {
        const double epsilon = i == 0 ? 1.0 : bad[i - 1];
        memset(out, 0, sizeof out);
        assert_int_equal(simdp_release_k_response(&rng, out, values, 3, i == 0 ? 0 : 4, epsilon), SIMDP_EPARAM);
        for (size_t j = 0; j < 3; j++) assert_int_equal(out[j], UINT32_MAX);
    }
    assert_int_equal(simdp_release_k_response(NULL, out, values, 3, 4, 1.0), SIMDP_ENULL);
    assert_int_equal(simdp_release_k_response(&rng, NULL, values, 3, 4, 1.0), SIMDP_ENULL);
    assert_int_equal(simdp_release_k_response(&rng, out, NULL, 3, 4, 1.0), SIMDP_ENULL);
    assert_int_equal(simdp_rng_position(&rng), 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_output),   cmocka_unit_test(test_borders),
        cmocka_unit_test(test_plans),          cmocka_unit_test(test_exact),
        cmocka_unit_test(test_large_epsilons), cmocka_unit_test(test_values_and_forms),
        cmocka_unit_test(test_bad_input),
    };
    return cmocka_run_group_tests_name("release_k_response", tests, NULL, NULL);
}
