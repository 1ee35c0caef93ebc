/* test_release_response_law: the law of flips at 2^30 answers: how many, how many in a group of 512, where in it, and
 * pairs. Each judgement has a defect that it must notice. False alarms: a normal deviate beyond 7 (2.6e-12) or a
 * chi-square as unlikely. */
#include <math.h>

#include "support/test_support.h"

#define CHUNK_GROUPS 1024
#define CHUNK_WORDS  (CHUNK_GROUPS * BERNOULLI_WORDS)

/* A defect planted in the flips of a chunk, or in the digits of p. */
typedef void spoil_flips(uint64_t *flips);
typedef void spoil_digits(simdp_bernoulli *b);

typedef struct {
    uint64_t answers, flips;
    uint64_t per_group[16];      /* groups with so many flips, 15: or more */
    uint64_t at[BERNOULLI_BITS]; /* flips by place in the group */
    uint64_t both[4];            /* flips at distance 1, 8, 64 and 512 */
} counts;

static const unsigned lags[4] = {1, 8, 64, 512};

static void count_chunk(counts *c, const uint64_t *flips)
{
    for (size_t g = 0; g < CHUNK_GROUPS; g++) {
        unsigned here = 0;
        for (unsigned l = 0; l < BERNOULLI_WORDS; l++) {
            const uint64_t w = flips[g * BERNOULLI_WORDS + l];
            here += (unsigned)__builtin_popcountll(w);
            for (uint64_t rest = w; rest != 0; rest &= rest - 1) c->at[64 * l + (unsigned)__builtin_ctzll(rest)]++;
        }
        c->flips += here;
        c->per_group[here < 15 ? here : 15]++;
    }
    for (size_t i = 0; i < CHUNK_WORDS; i++) { /* the chunk as a ring */
        const uint64_t w = flips[i], next = flips[(i + 1) % CHUNK_WORDS];
        const uint64_t other[4] = {w >> 1 | next << 63, w >> 8 | next << 56, next, flips[(i + 8) % CHUNK_WORDS]};
        for (int k = 0; k < 4; k++) c->both[k] += (unsigned)__builtin_popcountll(w & other[k]);
    }
    c->answers += 64 * CHUNK_WORDS;
}

static void draw(counts *c, double epsilon, uint64_t answers, spoil_digits *digits, spoil_flips *defect)
{
    static uint64_t flips[CHUNK_WORDS];
    const simdp_kernels *t = simdp_kernels_active();
    simdp_rng rng;
    simdp_bernoulli b;
    memset(c, 0, sizeof *c);
    test_stream(&rng, 2024, 0, 0);
    simdp_bernoulli_response(&b, epsilon);
    if (digits != NULL) digits(&b);
    simdp_bits_at at = {.cipher = (const simdp_cipher *)(const void *)rng.cipher};
    while (c->answers < answers) {
        for (size_t g = 0; g < CHUNK_GROUPS; g += BERNOULLI_STAGE, at.position += BERNOULLI_STAGE * BERNOULLI_BITS)
            t->release->bernoulli_bits(flips + g * BERNOULLI_WORDS, BERNOULLI_STAGE, &at, &b);
        if (defect != NULL) defect(flips);
        count_chunk(c, flips);
    }
}

static double p_of(double epsilon) { return 1 / (1 + exp(epsilon)); }

static double z_of(double count, double n, double p) { return (count - n * p) / sqrt(n * p * (1 - p)); }

/* Normal deviate of a chi-square (Wilson and Hilferty). */
static double z_of_chi(double chi, double freedom)
{
    return (cbrt(chi / freedom) - 1 + 2 / (9 * freedom)) / sqrt(2 / (9 * freedom));
}

static double z_rate(const counts *c, double epsilon)
{
    return z_of((double)c->flips, (double)c->answers, p_of(epsilon));
}

static double z_groups(const counts *c, double epsilon)
{
    const double p = p_of(epsilon), groups = (double)c->answers / (double)BERNOULLI_BITS;
    double chi = 0, mass = pow(1 - p, BERNOULLI_BITS), rest = 1, left = groups;
    int cells = 0;
    for (int k = 0; k < 15 && mass * groups > 20; k++) {
        chi += pow((double)c->per_group[k] - groups * mass, 2) / (groups * mass);
        rest -= mass;
        left -= (double)c->per_group[k];
        cells++;
        mass *= (double)(BERNOULLI_BITS - k) / (k + 1) * p / (1 - p);
    }
    chi += pow(left - groups * rest, 2) / (groups * rest);
    return z_of_chi(chi, cells);
}

static double z_places(const counts *c)
{
    const double mean = (double)c->flips / (double)BERNOULLI_BITS;
    double chi = 0;
    for (int i = 0; i < BERNOULLI_BITS; i++) chi += pow((double)c->at[i] - mean, 2) / mean;
    return z_of_chi(chi, BERNOULLI_BITS - 1);
}

static double z_pairs(const counts *c, double epsilon, int k)
{
    return z_of((double)c->both[k], (double)c->answers, pow(p_of(epsilon), 2));
}

#define LIMIT 7.0

/* p to 16 digits, cut and rounded, is what a comparison of 16-bit numbers would use */
static void cut_to_16(simdp_bernoulli *b) { b->second &= 0xfc00000000000000; }
static void round_to_16(simdp_bernoulli *b)
{
    b->second += 0x0200000000000000;
    b->second &= 0xfc00000000000000;
}

static void test_rate(void **state)
{
    (void)state;
    static counts c;
    static const double epsilons[] = {0.0, 0.01, 0.5, 1.0, 3.0, 5.5, 6.0, 9.0, 11.0, 14.0};
    for (size_t i = 0; i < sizeof epsilons / sizeof epsilons[0]; i++) {
        draw(&c, epsilons[i], (uint64_t)1 << (epsilons[i] < 4 ? 24 : 28), NULL, NULL);
        if (fabs(z_rate(&c, epsilons[i])) > LIMIT)
            fail_msg("epsilon %g: %g standard deviations", epsilons[i], z_rate(&c, epsilons[i]));
    }
    draw(&c, 11.0, (uint64_t)1 << 30, NULL, NULL);
    assert_true(fabs(z_rate(&c, 11.0)) < LIMIT);
    draw(&c, 11.0, (uint64_t)1 << 30, cut_to_16, NULL);
    assert_true(fabs(z_rate(&c, 11.0)) > LIMIT);
    draw(&c, 11.0, (uint64_t)1 << 30, round_to_16, NULL);
    assert_true(fabs(z_rate(&c, 11.0)) > LIMIT);
}

/* Undecided uniforms of a group that share their digits: where one group in 128 has flips, it has them all. */
static void share_digits(uint64_t *flips)
{
    for (size_t g = 0; g < CHUNK_GROUPS; g += 128) {
        uint64_t *w = flips + g * BERNOULLI_WORDS, any = 0;
        for (int l = 0; l < BERNOULLI_WORDS; l++) any |= w[l];
        if (any != 0) w[0] |= any;
    }
}
static void drop_last_place(uint64_t *flips)
{
    for (size_t g = 0; g < CHUNK_GROUPS; g++) flips[g * BERNOULLI_WORDS + 7] &= UINT64_MAX >> 1;
}

static void test_groups_and_places(void **state)
{
    (void)state;
    static counts c;
    for (int k = 0; k < 3; k++) { /* all flips are of undecided uniforms, few are, some are */
        const double epsilon = (double[]){9.0, 1.0, 6.0}[k];
        draw(&c, epsilon, (uint64_t)1 << 28, NULL, NULL);
        if (epsilon > 4 && fabs(z_groups(&c, epsilon)) > LIMIT)
            fail_msg("groups at %g: %g", epsilon, z_groups(&c, epsilon));
        if (fabs(z_places(&c)) > LIMIT) fail_msg("places at %g: %g", epsilon, z_places(&c));
    }
    draw(&c, 6.0, (uint64_t)1 << 28, NULL, share_digits);
    assert_true(fabs(z_groups(&c, 6.0)) > LIMIT);
    draw(&c, 6.0, (uint64_t)1 << 28, NULL, drop_last_place);
    assert_true(fabs(z_places(&c)) > LIMIT);
}

static void echo_1(uint64_t *flips)
{
    for (size_t i = 0; i < CHUNK_WORDS; i += 512) flips[i] |= flips[i] << 1;
}
static void echo_8(uint64_t *flips)
{
    for (size_t i = 0; i < CHUNK_WORDS; i += 512) flips[i] |= flips[i] << 8;
}
static void echo_64(uint64_t *flips)
{
    for (size_t i = 0; i < CHUNK_WORDS - 1; i += 512) flips[i + 1] |= flips[i];
}
static void echo_512(uint64_t *flips)
{
    for (size_t i = 0; i < CHUNK_WORDS - 8; i += 512) flips[i + 8] |= flips[i];
}

static void test_pairs(void **state)
{
    (void)state;
    static counts c;
    static spoil_flips *const echoes[4] = {echo_1, echo_8, echo_64, echo_512};
    for (int e = 0; e < 3; e++) {
        const double epsilon = (double[]){0.0, 2.0, 5.0}[e];
        draw(&c, epsilon, (uint64_t)1 << 26, NULL, NULL);
        for (int k = 0; k < 4; k++)
            if (fabs(z_pairs(&c, epsilon, k)) > LIMIT)
                fail_msg("epsilon %g, distance %u: %g", epsilon, lags[k], z_pairs(&c, epsilon, k));
    }
    for (int k = 0; k < 4; k++) {
        draw(&c, 2.0, (uint64_t)1 << 26, NULL, echoes[k]);
        assert_true(fabs(z_pairs(&c, 2.0, k)) > LIMIT);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rate),
        cmocka_unit_test(test_groups_and_places),
        cmocka_unit_test(test_pairs),
    };
    return cmocka_run_group_tests_name("release_response_law", tests, NULL, NULL);
}
