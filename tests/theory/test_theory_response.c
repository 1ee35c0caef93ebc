/* test_theory_response: leaky randomized response and name-and-shame: their thresholds as exact numbers, their laws,
 * bad input. */
#include "math/plain_math.h"
#include "support/law_check.h"
#include "theory/response.h"

/* ---- thresholds: the law that is really drawn from ---- */

static long double as_real(simdp_u128 x)
{
    return (long double)(uint64_t)(x >> 64) * 0x1p64L + (long double)(uint64_t)x;
}

/* epsilon' = ln(true / wrong); both counts have far more bits than a long double, whose error is below 2^-60 */
static long double realised(const simdp_response_law *law)
{
    const simdp_u128 rest = ((simdp_u128)1 << 127) - law->leak;
    return logl(as_real(rest - law->flip)) - logl(as_real(law->flip));
}

static void thresholds(void **state)
{
    static const double deltas[] = {0, 0x1p-1074, 1e-300, 1e-20, 1e-6, 0.01, 0.5, 0.99};
    (void)state;
    for (size_t d = 0; d < sizeof deltas / sizeof *deltas; d++) {
        for (double epsilon = 0; epsilon <= 40; epsilon = epsilon < 1e-12 ? epsilon + 1e-13 : epsilon * 1.37) {
            const simdp_response_law law = simdp_response_law_of(epsilon, deltas[d]);
            const long double less = (long double)deltas[d] * 0x1p127L - as_real(law.leak);
            assert_true(less >= 0 && less < 2);
            assert_true(realised(&law) <= (long double)epsilon * (1 + 0x1p-58L) + 0x1p-59L);
            assert_true(realised(&law) >= (long double)epsilon - 0x1p-48L);
        }
    }
    simdp_response_law law = simdp_response_law_of(0, 0.25);
    assert_true(law.leak == (simdp_u128)1 << 125 && law.flip == (simdp_u128)3 << 124); /* a fair coin, exactly */
    law = simdp_response_law_of(1e308, 0);
    assert_true(law.leak == 0 && law.flip == 1);
    law = simdp_response_law_of(3, 1);
    assert_true(law.leak == (simdp_u128)1 << 127 && law.flip == 0);
}

/* ---- laws ---- */

enum { DRAWS = 1 << 20 };
static uint8_t out[DRAWS], who[DRAWS], again[DRAWS];

static void count(uint64_t seen[4], const uint8_t *symbols)
{
    memset(seen, 0, 4 * sizeof *seen);
    for (size_t i = 0; i < DRAWS; i++) {
        assert_true(symbols[i] < 4);
        seen[symbols[i]]++;
    }
}

static void law_of(double p[4], int speaker, double epsilon, double delta)
{
    const double keep = (1 - delta) / (1 + exp(-epsilon)), flip = (1 - delta) / (1 + exp(epsilon));
    p[speaker] = keep;
    p[1 - speaker] = flip;
    p[2 + speaker] = delta;
    p[3 - speaker] = 0;
}

static void leaky_law(void **state)
{
    static const double parameters[][2] = {{0, 0}, {0.1, 0}, {1, 1e-3}, {3, 0.1}, {0, 0.5}, {1, 1}, {12, 1e-4}};
    (void)state;
    for (size_t i = 0; i < sizeof parameters / sizeof *parameters; i++) {
        for (int speaker = 0; speaker < 2; speaker++) {
            uint64_t seen[4];
            double p[4], wrong[4];
            simdp_rng rng;
            test_stream(&rng, 100 + i, (uint64_t)speaker, 0);
            memset(who, speaker ? 255 : 0, sizeof who);
            must(simdp_theory_leaky_response(&rng, out, who, DRAWS, parameters[i][0], parameters[i][1]));
            assert_true(simdp_rng_position(&rng) == DRAWS);
            count(seen, out);
            law_of(p, speaker, parameters[i][0], parameters[i][1]);
            assert_true(law_check_counts(seen, p, 4));
            law_of(wrong, speaker, parameters[i][0] + 0.1, parameters[i][1]); /* control */
            if (parameters[i][0] < 5 && parameters[i][1] < 0.3) assert_false(law_check_counts(seen, wrong, 4));
        }
    }
}

static void split_and_in_place(void **state)
{
    simdp_rng rng;
    uint64_t seed = 5;
    (void)state;
    for (size_t i = 0; i < 5000; i++) who[i] = (uint8_t)(test_random(&seed) & 1);
    test_stream(&rng, 3, 0, 11);
    must(simdp_theory_leaky_response(&rng, out, who, 5000, 0.7, 0.05));
    test_stream(&rng, 3, 0, 11);
    for (size_t done = 0, n; done < 5000; done += n) {
        n = test_random(&seed) % 300;
        if (n > 5000 - done) n = 5000 - done;
        must(simdp_theory_leaky_response(&rng, again + done, who + done, n, 0.7, 0.05));
    }
    assert_memory_equal(out, again, 5000);
    test_stream(&rng, 3, 0, 11);
    must(simdp_theory_leaky_response(&rng, who, who, 5000, 0.7, 0.05));
    assert_memory_equal(out, who, 5000);
}

static void name_and_shame_law(void **state)
{
    static const double deltas[] = {0, 1e-4, 0.25, 1};
    (void)state;
    for (size_t d = 0; d < 4; d++) {
        simdp_rng rng;
        uint64_t seen[4];
        test_stream(&rng, 50 + d, 0, 0);
        must(simdp_theory_name_and_shame(&rng, out, DRAWS, deltas[d]));
        count(seen, out);
        const double p[4] = {1 - deltas[d], deltas[d]};
        assert_true(law_check_counts(seen, p, 4));
        const double control[4] = {1 - deltas[d] * 0.5 - 0.2, deltas[d] * 0.5 + 0.2};
        assert_false(law_check_counts(seen, control, 4));
    }
}

/* ---- bad input ---- */

static simdp_status no_words(void *context, uint64_t *words, size_t n)
{
    (void)context;
    (void)words;
    (void)n;
    return SIMDP_ESOURCE;
}

static void bad_input(void **state)
{
    static const double bad_epsilon[] = {-1e-9, INFINITY, -INFINITY, NAN},
                        bad_delta[] = {-1e-300, 1.0000001, INFINITY, NAN};
    simdp_rng rng, closed;
    (void)state;
    test_stream(&rng, 1, 0, 0);
    memset(&closed, 0, sizeof closed);
    memset(out, 0x55, 10);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(simdp_theory_leaky_response(&rng, out, who, 10, bad_epsilon[i], 0.1), SIMDP_EPARAM);
        assert_int_equal(simdp_theory_leaky_response(&rng, out, who, 10, 1, bad_delta[i]), SIMDP_EPARAM);
        assert_int_equal(simdp_theory_name_and_shame(&rng, out, 10, bad_delta[i]), SIMDP_EPARAM);
    }
    assert_int_equal(simdp_theory_leaky_response(NULL, out, who, 10, 1, 0), SIMDP_ENULL);
    assert_int_equal(simdp_theory_leaky_response(&rng, NULL, who, 10, 1, 0), SIMDP_ENULL);
    assert_int_equal(simdp_theory_leaky_response(&rng, out, NULL, 10, 1, 0), SIMDP_ENULL);
    assert_int_equal(simdp_theory_name_and_shame(&rng, NULL, 10, 0), SIMDP_ENULL);
    assert_int_equal(simdp_theory_name_and_shame(NULL, out, 10, 0), SIMDP_ENULL);
    assert_int_equal(simdp_theory_leaky_response(&closed, out, who, 10, 1, 0), SIMDP_EPARAM);
    assert_int_equal(simdp_theory_name_and_shame(&closed, out, 10, 0.5), SIMDP_EPARAM);
    assert_int_equal(simdp_theory_leaky_response(&rng, out, who, SIZE_MAX, 1, 0), SIMDP_EPARAM);
    must(simdp_theory_leaky_response(&rng, NULL, NULL, 0, 1, 0));
    must(simdp_theory_name_and_shame(&rng, NULL, 0, 0.5));
    assert_true(simdp_rng_position(&rng) == 0);
    must(simdp_rng_seek(&rng, UINT64_MAX - 10));
    assert_int_equal(simdp_theory_leaky_response(&rng, out, who, 1, 1, 0), SIMDP_EPARAM);
    must(simdp_rng_seek(&rng, INT64_MAX - 5));
    assert_int_equal(simdp_theory_leaky_response(&rng, out, who, 6, 1, 0), SIMDP_EPARAM);
    must(simdp_theory_leaky_response(&rng, out, who, 5, 1, 0));
    rng.kind = 0x736f7572; /* a stream from an outside source that fails */
    rng.position = 0;
    rng.source = no_words;
    assert_int_equal(simdp_theory_leaky_response(&rng, out, who, 10, 1, 0), SIMDP_ESOURCE);
    for (int i = 0; i < 10; i++) assert_int_equal(out[i], 0xff);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(thresholds), cmocka_unit_test(leaky_law),
                                       cmocka_unit_test(split_and_in_place), cmocka_unit_test(name_and_shame_law),
                                       cmocka_unit_test(bad_input)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
