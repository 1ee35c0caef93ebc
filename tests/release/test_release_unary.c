/* test_release_unary: bits with a law for ones and one for zeros, against a reference that takes the digits of every
 * uniform number from FIPS-197's AES and compares them with MPFR's digits of 1 / (1 + e^-log_odds); ties in many
 * digits; what randomized response says of it; splits, bad input. */
#include <float.h>
#include <math.h>
#include <mpfr.h>

#include "bits/rng.h"
#include "reference/aes_reference.h"
#include "release/digits.h"
#include "support/test_support.h"

#define DIGITS 4096 /* precision of p */

enum { UNARY = 26 << 24 }; /* level 0 of the words of unary encoding */

/* ---- the reference ---- */

static void probability(mpfr_t p, double log_odds)
{
    mpfr_set_d(p, log_odds, MPFR_RNDN);
    mpfr_neg(p, p, MPFR_RNDN);
    mpfr_exp(p, p, MPFR_RNDN);
    mpfr_add_ui(p, p, 1, MPFR_RNDN);
    mpfr_ui_div(p, 1, p, MPFR_RNDN);
    if (mpfr_cmp_ui(p, 1) >= 0) mpfr_nextbelow(p);
}

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
    mpfr_t p[2];           /* of a zero, of a one */
    uint64_t digits[2][3]; /* ten digits, then 64, then 64 */
} reference;

static void reference_begin(reference *r, uint64_t seed, double one, double zero)
{
    r->stream = seed;
    test_key(r->key, seed);
    for (int t = 0; t < 2; t++) {
        mpfr_init2(r->p[t], DIGITS);
        probability(r->p[t], t ? one : zero);
        for (unsigned l = 0; l < 3; l++)
            r->digits[t][l] = l == 0 ? digits_of(r->p[t], 0, 10) : digits_of(r->p[t], 64 * l - 54, 64);
    }
}

static void reference_end(reference *r) { mpfr_clears(r->p[0], r->p[1], (mpfr_ptr)NULL); }

/* What becomes of a bit at a position. */
static int reference_bit(const reference *r, uint64_t position, int truth)
{
    uint64_t u = 0;
    for (unsigned j = 0; j < 10; j++) {
        const uint64_t index = position / 512 * 128 + 8 * j + position % 512 / 64;
        u = u << 1 | (stream_reference(r->key, r->stream, UNARY, index) >> position % 64 & 1);
    }
    if (u != r->digits[truth][0]) return u < r->digits[truth][0];
    for (unsigned level = 1; level < 40; level++) {
        const uint64_t word = stream_reference(r->key, r->stream, UNARY + level, position),
                       digits = level < 3 ? r->digits[truth][level] : digits_of(r->p[truth], 64 * level - 54, 64);
        if (word != digits) return word < digits;
    }
    return 0;
}

/* ---- every output ---- */

enum { BITS = 3000 };

static int bit_of(const uint8_t *packed, size_t i) { return packed[i / 8] >> i % 8 & 1; }

static size_t differences(const char *variant, const reference *r, double one, double zero, uint64_t position, size_t n)
{
    static uint8_t bits[BITS / 8 + 1], out[BITS / 8 + 1];
    uint64_t random = position;
    size_t wrong = 0;
    simdp_rng rng;
    must(simdp_isa_select(variant));
    must(simdp_rng_init_deterministic(&rng, r->key, r->stream));
    must(simdp_rng_seek(&rng, position));
    for (size_t i = 0; i < sizeof bits; i++) bits[i] = (uint8_t)test_random(&random);
    must(simdp_release_unary(&rng, out, bits, n, one, zero));
    assert_int_equal(simdp_rng_position(&rng), position + n);
    for (size_t i = 0; i < n; i++) wrong += bit_of(out, i) != reference_bit(r, position + i, bit_of(bits, i));
    for (size_t i = n; i < (n + 7) / 8 * 8; i++) assert_int_equal(bit_of(out, i), 0); /* past the last */
    must(simdp_isa_select(NULL));
    return wrong;
}

static const double log_odds[][2] = {
    {0.0, -1.0},
    {0.5, -0.5},
    {0.0, 0.0},
    {1.0, 1.0},
    {-1.0, 2.0},
    {3.0, -5.0},
    {-0.0, 0x1p-1074},
    {6.5, -7.0},
    {40.0, -40.0},
    {52.9, -53.1},
    {700.0, -60},
    {1e300, -1e9},
    {0x1p-30, 1e-9},
    {0.1, 0.1000001},
    {-3.0, 3.0},
    {0.0, -0x1p20},
    {1.0986122886681098, -1.0986122886681098},
};
#define LAWS (sizeof log_odds / sizeof log_odds[0])

static void test_every_output(void **state)
{
    (void)state;
    const simdp_kernels *t;
    for (size_t i = 0; i < LAWS; i++) {
        const double one = log_odds[i][0], zero = log_odds[i][1];
        const uint64_t position = i % 3 == 0 ? 0 : 1000003 * i;
        reference r;
        reference_begin(&r, 40 + i, one, zero);
        const size_t n = i % 2 ? BITS : BITS - 5 - i;
        if (differences(NULL, &r, one, zero, position, n) != 0) fail_msg("log-odds %a and %a", one, zero);
        for (size_t k = 0; i < 3 && (t = next_usable(&k)) != NULL; k++)
            assert_int_equal(differences(t->variant, &r, one, zero, position + 100, 900), 0);
        reference_end(&r);
    }
    reference r;
    reference_begin(&r, 5, 1.0, -1.0);
    assert_int_equal(differences("scalar", &r, 1.0, -1.0, UINT64_MAX - BITS, BITS), 0);
    assert_int_not_equal(differences(NULL, &r, 1.01, -1.0, 0, BITS), 0); /* controls: another law of either */
    assert_int_not_equal(differences(NULL, &r, 1.0, -1.01, 0, BITS), 0);
    reference_end(&r);
}

/* The digits of both laws, at awkward log-odds. */
static void test_digits(void **state)
{
    (void)state;
    mpfr_t p;
    uint64_t random = 3;
    mpfr_init2(p, 400);
    for (size_t i = 0; i < 4000; i++) {
        const double unit = (double)(test_random(&random) >> 11) * 0x1p-53;
        const double one = i < LAWS ? log_odds[i][0] : 108 * unit - 54, zero = i < LAWS ? log_odds[i][1]
                                                                               : i % 3  ? -one
                                                                                        : 1 - 2 * unit;
        simdp_unary u;
        simdp_unary_of(&u, one, zero);
        for (int t = 0; t < 2; t++) {
            const double here = t ? one : zero;
            if (fabs(here) > 60 || (here != 0 && fabs(here) < 0x1p-300)) continue; /* 400 bits do not tell */
            probability(p, here);
            if (u.law[t].first != digits_of(p, 0, 10) || u.law[t].second != digits_of(p, 10, 64))
                fail_msg("digits of log-odds %a", here);
        }
    }
    mpfr_clear(p);
}

/* ---- ties in many digits ---- */

/* Laws whose p has the digits of the uniform number of one element, to the end or but for one unit of one word. */
static void test_ties(void **state)
{
    (void)state;
    const simdp_kernels *t;
    for (unsigned round = 0; round < 48; round++) {
        const uint64_t group = 512 * (3 + round), position = group + round * 83 % 512;
        uint8_t key[32];
        uint64_t digits[8], before = 0;
        test_key(key, round);
        for (unsigned j = 0; j < 10; j++) {
            const uint64_t index = position / 512 * 128 + 8 * j + position % 512 / 64;
            before = before << 1 | (stream_reference(key, 1, UNARY, index) >> position % 64 & 1);
        }
        for (unsigned level = 1; level <= 8; level++) {
            const uint64_t w = stream_reference(key, 1, UNARY + level, position);
            digits[level - 1] = before << 54 | w >> 10;
            before = w;
        }
        for (int change = -1; change <= 1; change++) {
            simdp_unary u;
            const int truth = round % 2, turned = round / 2 % 2;
            uint64_t p[8];
            memcpy(p, digits, sizeof p);
            p[round % 3 == 0 ? 7 : round % 3] += (uint64_t)(int64_t)change;
            for (unsigned l = 0; l < 8 && turned; l++) p[l] = ~p[l]; /* 1 - p, but for 2^-512 */
            simdp_unary_of(&u, 1.0, -1.0);
            simdp_bernoulli_wide(&u.law[truth], simdp_wide_from_words(p, 8));
            u.turned[truth] = turned;
            if (turned) u.law[truth].first ^= 0x3ff, u.law[truth].second = ~u.law[truth].second;
            for (size_t i = 0; (t = next_usable(&i)) != NULL; i++) {
                uint64_t bits[8], out[8];
                simdp_rng rng;
                must(simdp_isa_select(t->variant));
                must(simdp_rng_init_deterministic(&rng, key, 1));
                const simdp_bits_at at = {.cipher = cipher_of_stream(&rng), .position = group};
                memset(bits, truth ? 0xff : 0, sizeof bits);
                t->release->unary_bits(out, bits, 1, &at, &u);
                /* U differs from p by `change`; if not at all, U lies above p, or below 1 - (1 - p) */
                const int want = change > 0 || (change == 0 && turned);
                assert_int_equal(out[position % 512 / 64] >> position % 64 & 1, want);
            }
        }
    }
    must(simdp_isa_select(NULL));
}

/* Which of the 512 bits of a group have the first ten digits of their p. */
static void undecided_of(uint64_t undecided[8], const uint8_t key[32], uint64_t position, const uint64_t bits[8],
                         const simdp_unary *u)
{
    for (unsigned l = 0; l < 8; l++) {
        undecided[l] = UINT64_MAX;
        for (unsigned j = 0; j < 10; j++) {
            const uint64_t word = stream_reference(key, 0, UNARY, position / 512 * 128 + 8 * j + l);
            const uint64_t one = -(uint64_t)(u->law[1].first >> (9 - j) & 1),
                           zero = -(uint64_t)(u->law[0].first >> (9 - j) & 1);
            undecided[l] &= ~(word ^ ((bits[l] & one) | (~bits[l] & zero)));
        }
    }
}

/* All numbers of groups, against groups alone; and what a stage does that has more undecided elements than slots,
 * against what it does else. */
static void test_stages(void **state)
{
    (void)state;
    const simdp_kernels *t;
    simdp_unary u;
    uint8_t key[32];
    uint64_t random = 6;
    simdp_unary_of(&u, 0.7, -0.9);
    test_key(key, 17);
    for (size_t i = 0; (t = next_usable(&i)) != NULL; i++) {
        size_t some = 0;
        must(simdp_isa_select(t->variant));
        for (size_t groups = 1; groups <= BERNOULLI_STAGE; groups += groups < 6 ? 1 : 13) {
            static uint64_t bits[256], out[256], alone[256], undecided[256];
            simdp_rng rng;
            must(simdp_rng_init_deterministic(&rng, key, 0));
            const simdp_bits_at at = {.cipher = cipher_of_stream(&rng), .position = 512 * 77 * groups};
            for (size_t l = 0; l < 8 * groups; l++) bits[l] = test_random(&random);
            t->release->unary_bits(out, bits, groups, &at, &u);
            for (size_t g = 0; g < groups; g++) {
                simdp_bits_at here = at;
                here.position += 512 * g;
                t->release->unary_bits(alone + 8 * g, bits + 8 * g, 1, &here, &u);
                undecided_of(undecided + 8 * g, key, here.position, bits + 8 * g, &u);
            }
            assert_memory_equal(out, alone, 64 * groups);
            for (size_t l = 0; l < 8 * groups; l++) {
                some += undecided[l] != 0;
                alone[l] &= ~undecided[l];
            }
            simdp_unary_resolve(alone, undecided, bits, 8 * groups, &at, t->bits->cipher_words, &u);
            assert_memory_equal(out, alone, 64 * groups);
        }
        assert_true(some > 10);
    }
    must(simdp_isa_select(NULL));
}

/* ---- forms ---- */

/* Cut into calls anywhere, in place, and on streams of either kind, the bits are the same. */
static void test_splits(void **state)
{
    (void)state;
    enum { N = 40000 };
    static uint8_t bits[N / 8], out[N / 8], again[N / 8];
    uint64_t random = 8;
    simdp_rng rng;
    for (size_t i = 0; i < N / 8; i++) bits[i] = (uint8_t)test_random(&random);
    for (unsigned round = 0; round < 6; round++) {
        const uint64_t position = round * 333;
        test_stream(&rng, 1, 0, position);
        must(simdp_release_unary(&rng, out, bits, N, 0.0, -2.0));
        memcpy(again, bits, sizeof again);
        test_stream(&rng, 1, 0, position);
        for (size_t first = 0; first < N;) {
            size_t n = 8 * (1 + test_random(&random) % (round % 2 ? 40 : 2500));
            if (n > N - first) n = N - first;
            must(simdp_release_unary(&rng, again + first / 8, again + first / 8, n, 0.0, -2.0));
            first += n;
        }
        assert_memory_equal(out, again, sizeof out);
    }
}

static void test_bad_input(void **state)
{
    (void)state;
    const double bad[] = {NAN, INFINITY, -INFINITY};
    uint8_t bits[3] = {1, 2, 3}, out[3];
    simdp_rng rng;
    test_stream(&rng, 1, 0, 7);
    for (size_t i = 0; i < 6; i++) {
        memset(out, 0, sizeof out);
        assert_int_equal(simdp_release_unary(&rng, out, bits, 17, i < 3 ? bad[i] : 0.0, i < 3 ? -1.0 : bad[i - 3]),
                         SIMDP_EPARAM);
        for (size_t j = 0; j < 3; j++) assert_int_equal(out[j], 0xff);
    }
    assert_int_equal(simdp_release_unary(NULL, out, bits, 3, 0, 0), SIMDP_ENULL);
    assert_int_equal(simdp_release_unary(&rng, NULL, bits, 3, 0, 0), SIMDP_ENULL);
    assert_int_equal(simdp_release_unary(&rng, out, NULL, 3, 0, 0), SIMDP_ENULL);
    must(simdp_release_unary(&rng, NULL, NULL, 0, 0, 0));
    assert_int_equal(simdp_rng_position(&rng), 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_output), cmocka_unit_test(test_digits), cmocka_unit_test(test_ties),
        cmocka_unit_test(test_stages),       cmocka_unit_test(test_splits), cmocka_unit_test(test_bad_input),
    };
    return cmocka_run_group_tests_name("release_unary", tests, NULL, NULL);
}
