/* test_release_response: randomized response against a reference that draws the digits of every uniform from FIPS-197's
 * AES and compares them with MPFR's digits of 1 / (1 + e^epsilon); forced ties; forms, splits, bad input. */
#include <float.h>
#include <math.h>
#include <mpfr.h>

#include "bits/rng.h"
#include "reference/aes_reference.h"
#include "support/test_support.h"

#define DIGITS 4096 /* precision of p */

static const double epsilons[] = {
    0.0,  0x1p-130, 1e-30, 0x1p-20, 0.1, 0.69314718055994530942, 1.0, 1.0986122886681098, 2.5, 5.0, 6.0, 11.0, 40.0,
    51.9, 52.7,     60.0,  700.0,   1e6};
#define EPSILONS (sizeof epsilons / sizeof epsilons[0])

/* ---- the reference ---- */

static void probability(mpfr_t p, double epsilon)
{
    mpfr_set_d(p, epsilon, MPFR_RNDN);
    mpfr_exp(p, p, MPFR_RNDN);
    mpfr_add_ui(p, p, 1, MPFR_RNDN);
    mpfr_ui_div(p, 1, p, MPFR_RNDN);
}

/* Digits first + 1 to first + count of p, as an integer. */
static uint64_t digits_of(const mpfr_t p, unsigned long first, unsigned count)
{
    mpfr_t x;
    mpz_t whole;
    uint64_t result = 0;
    mpfr_init2(x, DIGITS + 2048);
    mpz_init(whole);
    mpfr_mul_2ui(x, p, first, MPFR_RNDN);
    mpfr_frac(x, x, MPFR_RNDN);
    mpfr_mul_2ui(x, x, count, MPFR_RNDN);
    mpfr_get_z(whole, x, MPFR_RNDD);
    mpz_export(&result, NULL, -1, sizeof result, 0, 0, whole);
    mpz_clear(whole);
    mpfr_clear(x);
    return result;
}

typedef struct {
    uint8_t key[32];
    uint64_t stream;
    unsigned cut; /* control: so many digits of p are used, the rest taken for 0 */
} reference;

static uint64_t p_word(const reference *r, const mpfr_t p, unsigned first, unsigned count)
{
    uint64_t w = digits_of(p, first, count);
    if (r->cut < first + count) w = r->cut <= first ? 0 : w >> (first + count - r->cut) << (first + count - r->cut);
    return w;
}

enum { RESPONSE = 24 << 24 }; /* level 0 of the words of responses */

/* The 512 bits of the group that begins at this position. words: those of level 0, or NULL: from the stream. */
static void reference_group(uint8_t bits[512], const reference *r, uint64_t position, const uint64_t *words,
                            const mpfr_t p)
{
    uint64_t plane[80];
    for (unsigned i = 0; i < 80; i++)
        plane[i] = words != NULL ? words[i] : stream_reference(r->key, r->stream, RESPONSE, position / 512 * 128 + i);
    const uint64_t first = p_word(r, p, 0, 10);
    for (unsigned a = 0; a < 512; a++) {
        unsigned u = 0;
        for (unsigned j = 0; j < 10; j++) u |= (unsigned)(plane[8 * j + a / 64] >> a % 64 & 1) << (9 - j);
        bits[a] = u < first;
        for (unsigned level = 1; u == first && level < 40; level++) {
            const uint64_t word = stream_reference(r->key, r->stream, RESPONSE + level, position + a);
            const uint64_t digits = p_word(r, p, 10 + 64 * (level - 1), 64);
            if (word == digits) continue;
            bits[a] = word < digits;
            break;
        }
    }
}

/* ---- every output ---- */

#define ANSWERS 6000

static size_t differences(const char *variant, const reference *r, const mpfr_t p, double epsilon, uint64_t position)
{
    static uint8_t truth[ANSWERS], out[ANSWERS], want[512];
    uint64_t random = position;
    size_t wrong = 0;
    simdp_rng rng;
    must(simdp_isa_select(variant));
    must(simdp_rng_init_deterministic(&rng, r->key, r->stream));
    must(simdp_rng_seek(&rng, position));
    for (size_t i = 0; i < ANSWERS; i++) truth[i] = (uint8_t)(test_random(&random) >> 13 & (i % 3 == 0 ? 0xff : 1));
    must(simdp_release_randomized_response(&rng, out, truth, ANSWERS, epsilon));
    assert_int_equal(simdp_rng_position(&rng), position + ANSWERS);
    for (size_t i = 0; i < ANSWERS; i++) {
        const uint64_t at = position + i;
        if (i == 0 || at % 512 == 0) reference_group(want, r, at / 512 * 512, NULL, p);
        assert_true(out[i] <= 1);
        wrong += (out[i] ^ (truth[i] != 0)) != want[at % 512];
    }
    return wrong;
}

static void test_every_output(void **state)
{
    (void)state;
    mpfr_t p;
    mpfr_init2(p, DIGITS);
    for (size_t e = 0; e < EPSILONS; e++) {
        reference r = {.stream = e, .cut = DIGITS};
        test_key(r.key, 77 + e);
        probability(p, epsilons[e]);
        assert_int_equal(differences(NULL, &r, p, epsilons[e], 1000003 * (uint64_t)e + (e == 3 ? 1 : e) % 512), 0);
    }
    /* every position up to the last */
    reference r = {.stream = 5, .cut = DIGITS};
    probability(p, 1.0);
    assert_int_equal(differences("scalar", &r, p, 1.0, UINT64_MAX - ANSWERS), 0);
    /* controls: ten digits of p, or another p */
    r.cut = 10;
    assert_int_not_equal(differences(NULL, &r, p, 1.0, 0), 0);
    r.cut = DIGITS;
    assert_int_not_equal(differences(NULL, &r, p, 1.01, 0), 0);
    mpfr_clear(p);
    must(simdp_isa_select(NULL));
}

/* The 74 digits that every call computes, at awkward epsilons: multiples of ln2/1024, tiny, subnormal, close to both
 * limits; and small multiples of powers of two, whose p = 1/2 - epsilon/4 + epsilon^3/48 lies so little above a multiple of
 * 2^-74 that 128 bits cannot tell on which side. */
static void test_digits(void **state)
{
    (void)state;
    mpfr_t p;
    uint64_t random = 3;
    mpfr_init2(p, 400);
    for (size_t i = 0; i < 40000; i++) {
        const uint64_t w = test_random(&random);
        const double unit = (double)(w >> 11) * 0x1p-53;
        const double awkward[5] = {54 * unit, ldexp(unit, -(int)(test_random(&random) % 1100)), (double)(w % 1000) / 10,
                                   (double)(w % 78000) * 0x1.62e42fefa39efp-11 *
                                       (1 + ((double)(w >> 32 & 7) - 3) * 0x1p-52),
                                   ldexp((double)(1 + w % 0xfffff), -(int)(50 + (w >> 32) % 23))};
        const double epsilon = i < EPSILONS ? epsilons[i] : awkward[i % 5];
        simdp_bernoulli b;
        simdp_bernoulli_response(&b, epsilon);
        if (epsilon != 0 && epsilon < 0x1p-300) { /* 400 bits do not tell p from 1/2 */
            assert_true((b.first == 0x1ff && b.second == UINT64_MAX) || (b.first == 0x200 && b.second == 0));
            continue;
        }
        probability(p, epsilon);
        if (b.first != digits_of(p, 0, 10) || b.second != digits_of(p, 10, 64))
            fail_msg("digits of epsilon = %a", epsilon);
    }
    mpfr_clear(p);
}

/* ---- forced ties ---- */

/* Kernel and reference on given words; further ones from the cipher. */
static void compare_forced(const reference *r, const uint64_t words[80], simdp_bernoulli *b, const mpfr_t p)
{
    const simdp_kernels *t;
    uint8_t want[512];
    const uint64_t position = 5 * 512;
    reference_group(want, r, position, words, p);
    for (size_t i = 0; (t = next_usable(&i)) != NULL; i++) {
        uint64_t got[8];
        simdp_rng rng;
        must(simdp_isa_select(t->variant));
        must(simdp_rng_init_deterministic(&rng, r->key, r->stream));
        const simdp_bits_at at = {.words = words, .cipher = cipher_of_stream(&rng), .position = position};
        t->release->bernoulli_bits(got, 1, &at, b);
        for (unsigned a = 0; a < 512; a++) {
            if ((got[a / 64] >> a % 64 & 1) != want[a])
                fail_msg("%s, epsilon %g: bit %u is not %u", t->variant, b->epsilon, a, want[a]);
        }
    }
    must(simdp_isa_select(NULL));
}

/* Planes of which a share of the uniforms has the first digits of p. */
static void tie_planes(uint64_t words[80], const mpfr_t p, uint64_t *random, unsigned one_in)
{
    const uint64_t first = digits_of(p, 0, 10);
    for (unsigned l = 0; l < 8; l++) {
        uint64_t tied = 0;
        for (unsigned i = 0; i < 64; i++) tied |= (uint64_t)(test_random(random) % one_in == 0) << i;
        for (unsigned j = 0; j < 10; j++) {
            const uint64_t digit = -(first >> (9 - j) & 1);
            words[8 * j + l] = (tied & digit) | (~tied & test_random(random));
        }
    }
}

static void test_forced_ties(void **state)
{
    (void)state;
    mpfr_t p;
    uint64_t words[80], random = 9;
    mpfr_init2(p, DIGITS);
    for (unsigned round = 0; round < 100; round++) {
        const double epsilon = epsilons[round % EPSILONS];
        reference r = {.stream = round, .cut = DIGITS};
        simdp_bernoulli b;
        test_key(r.key, round);
        probability(p, epsilon);
        simdp_bernoulli_response(&b, epsilon);
        tie_planes(words, p, &random, 1 + round % 9 * 20); /* from all 512 down to a few, as many as there are slots */
        compare_forced(&r, words, &b, p);
    }
    mpfr_clear(p);
}

/* p is made of ten digits and the words that the uniform of element s will draw, so that its digits tie to the end of
 * p; and one unit of one of them above and below. All 512 uniforms have the first digits of p, or s alone has them. */
static void test_ties_to_the_end(void **state)
{
    (void)state;
    mpfr_t p;
    mpz_t whole;
    mpfr_init2(p, DIGITS);
    mpz_init(whole);
    for (unsigned round = 0; round < 96; round++) {
        const unsigned s = round * 83 % 512, where = round % 3 == 0 ? 7 : round % 3 == 1 ? 0 : 2;
        for (int change = -1; change <= 1; change++) {
            reference r = {.stream = s, .cut = DIGITS};
            simdp_bernoulli b;
            uint64_t words[80], digits[8];
            uint64_t before = 0x25c;
            test_key(r.key, 1000 + s);
            for (unsigned i = 0; i < 80; i++) {
                words[i] = -(uint64_t)(before >> (9 - i / 8) & 1);
                if (round % 2 == 1 && i / 8 == 9) words[i] ^= i % 8 == s / 64 ? ~((uint64_t)1 << s % 64) : UINT64_MAX;
            }
            for (unsigned level = 1; level <= 8; level++) {
                const uint64_t w = stream_reference(r.key, r.stream, RESPONSE + level, 5 * 512 + s);
                digits[level - 1] = before << 54 | w >> 10;
                before = w;
            }
            digits[where] += (uint64_t)(int64_t)change;
            simdp_bernoulli_wide(&b, simdp_wide_from_words(digits, 8));
            mpz_import(whole, 8, 1, sizeof digits[0], 0, 0, digits);
            mpfr_set_z(p, whole, MPFR_RNDN);
            mpfr_div_2ui(p, p, 512, MPFR_RNDN);
            compare_forced(&r, words, &b, p);
        }
    }
    mpz_clear(whole);
    mpfr_clear(p);
}

/* p has the digits of one uniform of the stream, to the end or but for one unit of one word. */
static void digits_of_element(uint64_t digits[8], const reference *r, uint64_t position)
{
    uint64_t before = 0;
    for (unsigned j = 0; j < 10; j++) {
        const uint64_t word = position / 512 * 128 + 8 * j + position % 512 / 64;
        before = before << 1 | (stream_reference(r->key, r->stream, RESPONSE, word) >> position % 64 & 1);
    }
    for (unsigned level = 1; level <= 8; level++) {
        const uint64_t w = stream_reference(r->key, r->stream, RESPONSE + level, position);
        digits[level - 1] = before << 54 | w >> 10;
        before = w;
    }
}

/* The kernel that makes 64 elements, or those of them that are wanted, against the reference, on every instruction set.
 */
static void compare_word(const reference *r, uint64_t position, uint64_t wanted, simdp_bernoulli *b, const mpfr_t p)
{
    const simdp_kernels *t;
    uint8_t want[512];
    reference_group(want, r, position / 512 * 512, NULL, p);
    for (size_t i = 0; (t = next_usable(&i)) != NULL; i++) {
        simdp_rng rng;
        must(simdp_isa_select(t->variant));
        must(simdp_rng_init_deterministic(&rng, r->key, r->stream));
        const simdp_bits_at at = {.cipher = cipher_of_stream(&rng), .position = position / 64 * 64};
        const uint64_t got = t->release->bernoulli_word(wanted, &at, b);
        for (unsigned a = 0; a < 64; a++)
            assert_int_equal(got >> a & 1, want[position % 512 / 64 * 64 + a] & (wanted >> a & 1));
    }
    must(simdp_isa_select(NULL));
}

static void test_word_ties(void **state)
{
    (void)state;
    mpfr_t p;
    mpz_t whole;
    mpfr_init2(p, DIGITS);
    mpz_init(whole);
    for (unsigned round = 0; round < 60; round++) {
        const uint64_t position = 77777 * (uint64_t)round;
        reference r = {.stream = round, .cut = DIGITS};
        test_key(r.key, 500 + round);
        for (int change = -1; change <= 1; change++) {
            uint64_t digits[8];
            simdp_bernoulli b;
            digits_of_element(digits, &r, position);
            digits[round % 3 == 0 ? 7 : round % 3] += (uint64_t)(int64_t)change;
            simdp_bernoulli_wide(&b, simdp_wide_from_words(digits, 8));
            mpz_import(whole, 8, 1, sizeof digits[0], 0, 0, digits);
            mpfr_set_z(p, whole, MPFR_RNDN);
            mpfr_div_2ui(p, p, 512, MPFR_RNDN);
            compare_word(&r, position, round % 2 == 0 ? UINT64_MAX : (uint64_t)0xff << position % 64, &b, p);
        }
    }
    mpz_clear(whole);
    mpfr_clear(p);
}

/* ---- forms ---- */

static void test_packed_is_the_same(void **state)
{
    (void)state;
    enum { N = 3001 };
    static uint8_t bytes[N], packed[N / 8 + 1], out[N], out_packed[N / 8 + 3];
    uint64_t random = 8;
    for (size_t i = 0; i < N; i++) bytes[i] = test_random(&random) & 1;
    for (size_t i = 0; i < N; i++) packed[i / 8] = (uint8_t)(packed[i / 8] | bytes[i] << i % 8);
    for (size_t n = 0; n <= N; n += n < 130 ? 1 : 291) {
        simdp_rng rng;
        test_stream(&rng, n, 0, n * 13);
        must(simdp_release_randomized_response(&rng, out, bytes, n, 1.5));
        test_stream(&rng, n, 0, n * 13);
        memset(out_packed, 0xaa, sizeof out_packed);
        must(simdp_release_randomized_response_packed(&rng, out_packed, packed, n, 1.5));
        assert_int_equal(simdp_rng_position(&rng), n * 13 + n);
        for (size_t i = 0; i < n; i++) assert_int_equal(out_packed[i / 8] >> i % 8 & 1, out[i]);
        if (n % 8 != 0) assert_int_equal(out_packed[n / 8] >> n % 8, 0);
        assert_int_equal(out_packed[(n + 7) / 8], 0xaa);
    }
}

static void test_splits_and_places(void **state)
{
    (void)state;
    enum { N = 40000 };
    static uint8_t truth[N], want[N], got[N];
    uint64_t random = 18;
    simdp_rng rng;
    for (size_t i = 0; i < N; i++) truth[i] = test_random(&random) & 1;
    test_stream(&rng, 5, 5, 77);
    must(simdp_release_randomized_response(&rng, want, truth, N, 0.7));
    for (size_t piece = 1; piece < N; piece = piece * 3 / 2 + 8) {
        test_stream(&rng, 5, 5, 77);
        memcpy(got, truth, N); /* in place */
        for (size_t done = 0; done < N; done += piece)
            must(simdp_release_randomized_response(&rng, got + done, got + done, N - done < piece ? N - done : piece,
                                                   0.7));
        assert_memory_equal(got, want, N);
    }
    /* packed, in place */
    for (size_t piece = 8; piece < 8 * N; piece = piece * 3 / 16 * 8 + 8) {
        for (size_t i = 0; i < N / 8; i++) got[i] = 0;
        for (size_t i = 0; i < N; i++) got[i / 8] = (uint8_t)(got[i / 8] | truth[i] << i % 8);
        test_stream(&rng, 5, 5, 77);
        for (size_t done = 0; done < N; done += piece)
            must(simdp_release_randomized_response_packed(&rng, got + done / 8, got + done / 8,
                                                          N - done < piece ? N - done : piece, 0.7));
        for (size_t i = 0; i < N; i++) assert_int_equal(got[i / 8] >> i % 8 & 1, want[i]);
    }
}

/* A stream that erases its keys, across several keys: fresh noise each time, of the right law (12 standard
 * deviations). */
static void test_erased_keys(void **state)
{
    (void)state;
    enum { N = 3 * SIMDP_RNG_ERASE_POSITIONS + 40 };
    static uint8_t truth[N], out[N], again[N], packed[N / 8 + 1];
    simdp_rng rng, copy;
    size_t ones = 0;
    must(simdp_rng_init(&rng));
    must(simdp_release_randomized_response(&rng, out, truth, 21, 1.0));
    copy = rng;
    must(simdp_release_randomized_response(&rng, out, truth, N, 1.0));
    must(simdp_release_randomized_response(&rng, again, truth, N, 1.0));
    assert_memory_not_equal(out, again, N);
    /* keys end within bytes of packed answers, here in place */
    must(simdp_release_randomized_response_packed(&copy, packed, packed, N, 1.0));
    for (size_t i = 0; i < N; i++) assert_int_equal(packed[i / 8] >> i % 8 & 1, out[i]);
    for (size_t i = 0; i < N; i++) ones += out[i];
    const double p = 1 / (1 + exp(1.0));
    assert_true(fabs((double)ones - (double)N * p) < 12 * sqrt((double)N * p * (1 - p)));
}

/* Words from outside: four are the key of the call's stream. */
static simdp_status outside(void *context, uint64_t *out, size_t n)
{
    uint64_t *left = context;
    for (size_t i = 0; i < n; i++) {
        if ((*left)-- == 0) return SIMDP_ESOURCE;
        out[i] = 0x0123456789abcdef * (*left + 1);
    }
    return SIMDP_OK;
}

static void test_outside_words(void **state)
{
    (void)state;
    uint64_t words = 7, key[4];
    const uint8_t truth[100] = {1, 0, 1};
    uint8_t out[100], want[100];
    simdp_rng rng = {.kind = RNG_SOURCE, .source = outside, .context = &words}, keyed;
    must(simdp_release_randomized_response(&rng, out, truth, 100, 1.0));
    assert_int_equal(words, 3);
    for (uint64_t i = 0; i < 4; i++) key[i] = 0x0123456789abcdef * (7 - i);
    must(simdp_rng_init_deterministic(&keyed, (const uint8_t *)key, 0));
    must(simdp_release_randomized_response(&keyed, want, truth, 100, 1.0));
    assert_memory_equal(out, want, 100);
    assert_int_equal(simdp_release_randomized_response(&rng, out, truth, 100, 1.0), SIMDP_ESOURCE);
    for (size_t i = 0; i < 100; i++) assert_int_equal(out[i], 0xff);
}

static void test_bad_input(void **state)
{
    (void)state;
    static const double bad[] = {NAN, INFINITY, -INFINITY, -1.0, -DBL_MIN};
    const uint8_t truth[16] = {1, 0, 1};
    uint8_t out[16];
    simdp_rng rng;
    test_stream(&rng, 1, 1, 5);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        memset(out, 0xaa, sizeof out);
        assert_int_equal(simdp_release_randomized_response(&rng, out, truth, 11, bad[i]), SIMDP_EPARAM);
        for (size_t k = 0; k < 16; k++) assert_int_equal(out[k], k < 11 ? 0xff : 0xaa);
        memset(out, 0xaa, sizeof out);
        assert_int_equal(simdp_release_randomized_response_packed(&rng, out, truth, 11, bad[i]), SIMDP_EPARAM);
        for (size_t k = 0; k < 16; k++) assert_int_equal(out[k], k < 2 ? 0xff : 0xaa);
    }
    assert_int_equal(simdp_release_randomized_response(&rng, out, truth, 0, NAN), SIMDP_EPARAM);
    memset(out, 0xaa, sizeof out);
    assert_int_equal(simdp_release_randomized_response(NULL, out, truth, 3, 1.0), SIMDP_ENULL);
    assert_int_equal(simdp_release_randomized_response(&rng, NULL, truth, 3, 1.0), SIMDP_ENULL);
    assert_int_equal(simdp_release_randomized_response(&rng, out, NULL, 3, NAN), SIMDP_ENULL);
    assert_int_equal(simdp_release_randomized_response_packed(&rng, out, NULL, 3, 1.0), SIMDP_ENULL);
    assert_int_equal(simdp_rng_position(&rng), 5);
    must(simdp_rng_seek(&rng, UINT64_MAX)); /* no room left */
    assert_int_equal(simdp_release_randomized_response(&rng, out, truth, 3, 1.0), SIMDP_EPARAM);
    for (size_t k = 0; k < 16; k++) assert_int_equal(out[k], k < 3 ? 0xff : 0xaa);
    must(simdp_rng_seek(&rng, 5));
    must(simdp_release_randomized_response(&rng, NULL, NULL, 0, 1.0));
    assert_int_equal(simdp_rng_position(&rng), 5);
    must(simdp_release_randomized_response(&rng, out, truth, 16, -0.0));
    must(simdp_release_randomized_response(&rng, out, truth, 16, DBL_MAX)); /* the truth, but for 2^-1512775 */
    assert_memory_equal(out, truth, 16);
    simdp_rng_wipe(&rng);
    assert_int_equal(simdp_release_randomized_response(&rng, out, truth, 3, 1.0), SIMDP_EPARAM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_output),      cmocka_unit_test(test_digits),
        cmocka_unit_test(test_forced_ties),       cmocka_unit_test(test_ties_to_the_end),
        cmocka_unit_test(test_word_ties),         cmocka_unit_test(test_packed_is_the_same),
        cmocka_unit_test(test_splits_and_places), cmocka_unit_test(test_erased_keys),
        cmocka_unit_test(test_outside_words),     cmocka_unit_test(test_bad_input),
    };
    return cmocka_run_group_tests_name("release_response", tests, NULL, NULL);
}
