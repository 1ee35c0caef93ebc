/* test_release_shared_words: the statistical twin of test_bits_owners. Two calls that stand next to each other in a
 * group give independent outputs; both times a simulated layout in which they share a word must be refused. */
#include <math.h>

#include "release/response/bernoulli.h"
#include "support/law_check.h"
#include "support/test_support.h"

/* ---- randomized response: 8 answers at one epsilon, then 504 at another, in each group of 512 ----
 *
 * An answer whose first ten digits are those of p is undecided; a word of its own decides. The verdicts of the first
 * undecided answer of each call are compared: if further words were numbered by rank they would read the same one. */

typedef struct {
    uint64_t both;       /* groups where both calls have an undecided answer */
    uint64_t agree;      /* of these, both verdicts are the same */
    uint64_t agree_rank; /* the same, had both read one word */
    uint64_t ones[2];
} verdicts;

/* Undecided elements of 64 that begin at word `line` of a group's planes. */
static uint64_t undecided(const uint64_t planes[BERNOULLI_PLANES], unsigned line, unsigned digits)
{
    uint64_t same = UINT64_MAX;
    for (unsigned j = 0; j < BERNOULLI_DIGITS; j++) {
        const uint64_t digit = -(uint64_t)(digits >> (BERNOULLI_DIGITS - 1 - j) & 1);
        same &= ~(planes[8 * j + line] ^ digit);
    }
    return same;
}

static void respond(verdicts *v, const double epsilon[2], uint64_t groups)
{
    static const uint8_t zeros[64];
    simdp_bernoulli law[2];
    simdp_rng rng;
    uint64_t random = 6;
    test_stream(&rng, 21, 0, 0);
    *v = (verdicts){0};
    for (int call = 0; call < 2; call++) simdp_bernoulli_response(&law[call], epsilon[call]);
    for (uint64_t g = 0; g < groups; g++) {
        uint64_t planes[BERNOULLI_PLANES];
        uint8_t flips[64];
        int first[2] = {-1, -1};
        const simdp_bits_at at = {.cipher = (const simdp_cipher *)(const void *)rng.cipher,
                                  .position = g * BERNOULLI_STRIDE,
                                  .use = BITS_RESPONSE};
        simdp_kernels_active()->bits->cipher_words(planes, BERNOULLI_PLANES, &at);
        must(simdp_release_randomized_response_packed(&rng, flips, zeros, 8, epsilon[0]));
        must(simdp_release_randomized_response_packed(&rng, flips + 1, zeros, 504, epsilon[1]));
        const uint64_t early = undecided(planes, 0, law[0].first) & 0xff;
        if (early == 0) continue;
        first[0] = __builtin_ctzll(early);
        for (unsigned line = 0; line < 8 && first[1] < 0; line++) {
            const uint64_t late = undecided(planes, line, law[1].first) & (line == 0 ? ~(uint64_t)0xff : UINT64_MAX);
            if (late != 0) first[1] = (int)(64 * line) + __builtin_ctzll(late);
        }
        if (first[1] < 0) continue;
        const uint64_t shared = test_random(&random);
        int verdict[2];
        for (int call = 0; call < 2; call++) {
            verdict[call] = flips[first[call] / 8] >> first[call] % 8 & 1;
            v->ones[call] += (uint64_t)verdict[call];
        }
        v->both++;
        v->agree += verdict[0] == verdict[1];
        v->agree_rank += (shared < law[0].second) == (shared < law[1].second);
    }
}

static void test_responses(void **state)
{
    (void)state;
    /* e^epsilon = 1024 / 4.5 - 1 and 1024 / 19.5 - 1: undecided answers are turned half of the time */
    const double epsilon[2] = {log(1024 / 4.5 - 1), log(1024 / 19.5 - 1)};
    verdicts v;
    must(simdp_isa_select(NULL));
    respond(&v, epsilon, is_full() ? 1 << 21 : 1 << 19);
    assert_true(v.both > 80);
    assert_true(law_check_binomial(v.ones[0], v.both, 0.5) && law_check_binomial(v.ones[1], v.both, 0.5));
    assert_true(law_check_binomial(v.agree, v.both, 0.5));
    assert_false(law_check_binomial(v.agree_rank, v.both, 0.5));
}

/* Whole outputs at the epsilons of the example in which words were shared once: flips of the two calls. */
static void test_response_outputs(void **state)
{
    (void)state;
    enum { GROUPS = 200000 };
    static const uint8_t zeros[64];
    const double p = 504 / (1 + exp(5.32)), q = 1 - pow(1 - 1 / (1 + exp(6.93)), 8);
    double sum[2] = {0, 0};
    uint64_t count[2] = {0, 0};
    simdp_rng rng;
    test_stream(&rng, 22, 0, 0);
    for (int g = 0; g < GROUPS; g++) {
        uint8_t flips[64];
        uint64_t late = 0;
        must(simdp_release_randomized_response_packed(&rng, flips, zeros, 8, 6.93));
        must(simdp_release_randomized_response_packed(&rng, flips + 1, zeros, 504, 5.32));
        for (size_t i = 1; i < 64; i++) late += (uint64_t)__builtin_popcount(flips[i]);
        sum[flips[0] != 0] += (double)late;
        count[flips[0] != 0]++;
    }
    assert_true(law_check_binomial(count[1], GROUPS, q));
    for (int early = 0; early < 2; early++) /* Poisson, nearly: variance p */
        assert_true(fabs(sum[early] / (double)count[early] - p) < 6.2 * sqrt(p / (double)count[early]));
}

/* ---- a Laplace release of 5, then 11 Gaussian numbers ----
 *
 * If Gaussian number 3 + j took its radius from the word of release j, it could never exceed sqrt(2 |release|).
 * Independent ones stay below with probability E[e^(-Z^2 / 2)] = 1 / sqrt 2. */
static void test_release_and_noise(void **state)
{
    (void)state;
    enum { ROUNDS = 20000 };
    static const double answers[5];
    uint64_t below[5] = {0}, below_shared[5] = {0}, random = 8;
    simdp_rng rng;
    test_entropy_stream(&rng, 23, 0);
    for (int round = 0; round < ROUNDS; round++) {
        double released[5], noise[11];
        must(simdp_release_laplace(&rng, released, answers, 5, 1.0, simdp_release_grid(1.0)));
        must(simdp_noise_gaussian_f64(&rng, noise, 11, 1.0));
        for (int j = 0; j < 5; j++) {
            const double radius = sqrt(2 * fabs(released[j])),
                         shared = radius * cos(6.283185307179586 * (double)(test_random(&random) >> 11) * 0x1p-53);
            below[j] += fabs(noise[3 + j]) <= radius;
            below_shared[j] += fabs(shared) <= radius;
        }
    }
    for (int j = 0; j < 5; j++) {
        assert_true(law_check_binomial(below[j], ROUNDS, sqrt(0.5)));
        assert_false(law_check_binomial(below_shared[j], ROUNDS, sqrt(0.5)));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_responses),
        cmocka_unit_test(test_response_outputs),
        cmocka_unit_test(test_release_and_noise),
    };
    return cmocka_run_group_tests_name("release_shared_words", tests, NULL, NULL);
}
