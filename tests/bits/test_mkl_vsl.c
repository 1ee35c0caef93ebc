/* test_mkl_vsl: words from VSL streams, and MKL's distributions on our cipher. */
#include <math.h>
#include <mkl_vsl.h>

#include "simdp/simdp_mkl.h"
#include "support/test_support.h"

static void test_words_from_vsl(void **state)
{
    (void)state;
    static const int generators[] = {VSL_BRNG_MCG59, VSL_BRNG_SFMT19937, VSL_BRNG_ARS5, VSL_BRNG_PHILOX4X32X10};
    static uint64_t want[5000], got[5000];
    for (size_t g = 0; g < 4; g++) {
        VSLStreamStatePtr a, b;
        simdp_rng rng;
        assert_int_equal(vslNewStream(&a, generators[g], 7), VSL_STATUS_OK);
        assert_int_equal(vslNewStream(&b, generators[g], 7), VSL_STATUS_OK);
        must(simdp_rng_init_vsl(&rng, a));
        must(simdp_rng_words(&rng, got, 5000));
        /* asked for in the same pieces: some generators do not continue across calls of odd length */
        for (size_t i = 0; i < 5000; i += 512)
            assert_int_equal(viRngUniformBits64(VSL_RNG_METHOD_UNIFORMBITS64_STD, b,
                                                i + 512 <= 5000 ? 512 : 5000 - (int)i, (unsigned long long *)want + i),
                             VSL_STATUS_OK);
        assert_memory_equal(got, want, sizeof want);
        assert_int_equal(simdp_rng_position(&rng), 5000);
        assert_int_equal(simdp_rng_seek(&rng, 0), SIMDP_EPARAM);
        vslDeleteStream(&a);
        vslDeleteStream(&b);
    }
}

static void test_noise_from_vsl(void **state)
{
    (void)state;
    const int N = 1000000;
    double *x = malloc((size_t)N * sizeof *x), sum = 0, absolute = 0;
    VSLStreamStatePtr stream;
    simdp_rng rng;
    assert_non_null(x);
    assert_int_equal(vslNewStream(&stream, VSL_BRNG_ARS5, 3), VSL_STATUS_OK);
    must(simdp_rng_init_vsl(&rng, stream));
    must(simdp_noise_laplace_f64(&rng, x, N, 2.0));
    for (int i = 0; i < N; i++) sum += x[i], absolute += fabs(x[i]);
    assert_true(fabs(sum / N) < 6.2 * 2.0 * sqrt(2.0 / N));
    assert_true(fabs(absolute / N - 2.0) < 6.2 * 2.0 / sqrt(N));
    vslDeleteStream(&stream);
    free(x);
}

static void test_refused(void **state)
{
    (void)state;
    VSLStreamStatePtr stream;
    simdp_rng rng;
    uint64_t word;
    assert_int_equal(simdp_rng_init_vsl(NULL, NULL), SIMDP_ENULL);
    assert_int_equal(simdp_vsl_brng(NULL), SIMDP_ENULL);
    assert_int_equal(vslNewStream(&stream, VSL_BRNG_MRG32K3A, 3), VSL_STATUS_OK); /* has no 64-bit words */
    assert_int_equal(simdp_rng_init_vsl(&rng, stream), SIMDP_EPARAM);
    assert_int_equal(simdp_rng_words(&rng, &word, 1), SIMDP_EPARAM);
    vslDeleteStream(&stream);
}

/* A generator that somebody else registered. */
static int other_init(int method, VSLStreamStatePtr stream, int n, const unsigned params[])
{
    (void)method, (void)stream, (void)n, (void)params;
    return VSL_STATUS_OK;
}

static int other_integers(VSLStreamStatePtr stream, int n, unsigned out[])
{
    (void)stream;
    for (int i = 0; i < n; i++) out[i] = (unsigned)i * 2654435761u;
    return VSL_STATUS_OK;
}

static int other_doubles(VSLStreamStatePtr stream, int n, double out[], double a, double b)
{
    (void)stream;
    for (int i = 0; i < n; i++) out[i] = a + (b - a) / 2;
    return VSL_STATUS_OK;
}

static int other_floats(VSLStreamStatePtr stream, int n, float out[], float a, float b)
{
    (void)stream;
    for (int i = 0; i < n; i++) out[i] = a + (b - a) / 2;
    return VSL_STATUS_OK;
}

static void assert_unusable(simdp_rng *rng)
{
    uint64_t word;
    assert_int_equal(simdp_rng_words(rng, &word, 1), SIMDP_EPARAM);
}

/* MKL's call for 64-bit words fails by a crash on every generator but its own. */
static void test_registered_generators_are_refused(void **state)
{
    (void)state;
    const VSLBRngProperties other = {
        .StreamStateSize = 16 + 64,
        .NSeeds = 1,
        .IncludesZero = 1,
        .WordSize = 4,
        .NBits = 32,
        .InitStream = other_init,
        .sBRng = other_floats,
        .dBRng = other_doubles,
        .iBRng = other_integers,
    };
    int brng[2];
    must(simdp_vsl_brng(&brng[0]));
    brng[1] = vslRegisterBrng(&other);
    assert_true(brng[1] >= 0);
    for (int i = 0; i < 2; i++) {
        VSLStreamStatePtr stream;
        simdp_rng rng;
        test_stream(&rng, 1, 0, 0); /* one that works is unusable afterwards */
        assert_int_equal(vslNewStream(&stream, brng[i], 7), VSL_STATUS_OK);
        assert_int_equal(simdp_rng_init_vsl(&rng, stream), SIMDP_EPARAM);
        assert_unusable(&rng);
        vslDeleteStream(&stream);
    }
    simdp_rng rng;
    test_stream(&rng, 1, 0, 0);
    assert_int_equal(simdp_rng_init_vsl(&rng, NULL), SIMDP_ENULL);
    assert_unusable(&rng);
}

/* Every generator that VSL has a number for is either used or refused. */
static void test_all_numbers(void **state)
{
    (void)state;
    int used = 0;
    for (int brng = VSL_BRNG_MCG31; brng <= VSL_BRNG_PHILOX4X32X10; brng += VSL_BRNG_INC) {
        VSLStreamStatePtr stream;
        simdp_rng rng;
        uint64_t word;
        if (vslNewStream(&stream, brng, 7) != VSL_STATUS_OK) continue;
        const simdp_status status = simdp_rng_init_vsl(&rng, stream);
        assert_true(status == SIMDP_OK || status == SIMDP_EPARAM);
        assert_int_equal(simdp_rng_words(&rng, &word, 1), status);
        used += status == SIMDP_OK;
        vslDeleteStream(&stream);
    }
    assert_true(used >= 4);
}

/* Mean and variance within 6.2 standard errors; the fourth moment bounds that of the variance. */
static void assert_moments(const double *x, int n, double mean, double variance, double fourth)
{
    double sum = 0, squares = 0;
    for (int i = 0; i < n; i++) sum += x[i] - mean, squares += (x[i] - mean) * (x[i] - mean);
    assert_true(fabs(sum / n) < 6.2 * sqrt(variance / n));
    assert_true(fabs(squares / n - variance) < 6.2 * sqrt((fourth - variance * variance) / n));
}

static void test_our_generator(void **state)
{
    (void)state;
    const int N = 1000000;
    double *x = malloc((size_t)N * sizeof *x);
    int *counts = malloc((size_t)N * sizeof *counts), brng = -1, again = -1;
    const unsigned seed[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    const uint64_t id = 9 | (uint64_t)10 << 32;
    uint64_t words[1000];
    unsigned halves[2000];
    float floats[2000];
    VSLStreamStatePtr stream;
    simdp_rng rng;
    assert_non_null(x);
    assert_non_null(counts);
    must(simdp_vsl_brng(&brng));
    must(simdp_vsl_brng(&again));
    assert_int_equal(brng, again);

    /* the words are ours */
    must(simdp_rng_init_deterministic(&rng, (const uint8_t *)seed, id));
    must(simdp_rng_words(&rng, words, 1000));
    assert_int_equal(vslNewStreamEx(&stream, brng, 10, seed), VSL_STATUS_OK);
    assert_int_equal(viRngUniformBits(VSL_RNG_METHOD_UNIFORMBITS_STD, stream, 2000, halves), VSL_STATUS_OK);
    assert_memory_equal(halves, words, sizeof words);
    vslDeleteStream(&stream);
    assert_int_equal(vslNewStreamEx(&stream, brng, 10, seed), VSL_STATUS_OK);
    assert_int_equal(vdRngUniform(VSL_RNG_METHOD_UNIFORM_STD, stream, 1000, x, 0.0, 1.0), VSL_STATUS_OK);
    for (int i = 0; i < 1000; i++) assert_true(x[i] == (double)(words[i] >> 11) * 0x1p-53);
    vslDeleteStream(&stream);
    assert_int_equal(vslNewStreamEx(&stream, brng, 10, seed), VSL_STATUS_OK);
    assert_int_equal(vsRngUniform(VSL_RNG_METHOD_UNIFORM_STD, stream, 2000, floats, 0.0f, 1.0f), VSL_STATUS_OK);
    for (int i = 0; i < 2000; i++) assert_true(floats[i] == (float)(halves[i] >> 8) * 0x1p-24f);

    /* MKL's distributions accept it */
    assert_int_equal(vdRngUniform(VSL_RNG_METHOD_UNIFORM_STD, stream, N, x, -1.0, 3.0), VSL_STATUS_OK);
    assert_moments(x, N, 1.0, 4.0 / 3.0, 16.0 / 5.0);
    assert_int_equal(vdRngGaussian(VSL_RNG_METHOD_GAUSSIAN_ICDF, stream, N, x, 5.0, 2.0), VSL_STATUS_OK);
    assert_moments(x, N, 5.0, 4.0, 48.0);
    assert_int_equal(viRngPoisson(VSL_RNG_METHOD_POISSON_PTPE, stream, N, counts, 40.0), VSL_STATUS_OK);
    for (int i = 0; i < N; i++) x[i] = counts[i];
    assert_moments(x, N, 40.0, 40.0, 40.0 + 3 * 1600.0);
    assert_int_not_equal(vslLeapfrogStream(stream, 0, 2), VSL_STATUS_OK);
    assert_int_not_equal(vslSkipAheadStream(stream, 10), VSL_STATUS_OK);
    vslDeleteStream(&stream);
    free(x);
    free(counts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words_from_vsl),
        cmocka_unit_test(test_noise_from_vsl),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_our_generator),
        cmocka_unit_test(test_registered_generators_are_refused),
        cmocka_unit_test(test_all_numbers),
    };
    return cmocka_run_group_tests_name("mkl_vsl", tests, NULL, NULL);
}
