/* test_theory_simulate: the simulation maps reproduce both laws of a pair: as formulas (mixture identities) and as
 * samplers. */
#include "support/law_check.h"

static double between(uint64_t *seed, double a, double b)
{
    return a + (b - a) * ((double)(test_random(seed) >> 11) * 0x1p-53);
}

/* ---- Laplace: formulas ---- */

static double laplace_density(double z, double epsilon) { return 0.5 * epsilon * exp(-epsilon * fabs(z)); }
static double laplace_cdf(double z, double epsilon)
{
    return z < 0 ? 0.5 * exp(epsilon * z) : 1 - 0.5 * exp(-epsilon * z);
}

static const double epsilons[] = {1e-6, 1e-3, 0.1, 0.7, 1, 5, 30, 300, 1400};
enum { EPSILONS = sizeof epsilons / sizeof *epsilons };

/* p F(.|0) + (1-p) F(.|1) and its mirror are the two laws; two equations for two unknowns, so this fixes both maps. */
static void laplace_mixtures(void **state)
{
    uint64_t seed = 1;
    (void)state;
    for (int e = 0; e < EPSILONS; e++) {
        const double epsilon = epsilons[e], p = 1 / (1 + exp(-epsilon)), q = 1 / (1 + exp(epsilon));
        for (int i = 0; i < 2000; i++) {
            const double z = i % 2 ? between(&seed, -0.5, 1.5) : between(&seed, -10, 10) / fmin(1, epsilon);
            double f[2], c[2];
            for (int bit = 0; bit < 2; bit++) {
                must(simdp_theory_laplace_map_law(&f[bit], &z, 1, SIMDP_THEORY_DENSITY, bit, epsilon));
                must(simdp_theory_laplace_map_law(&c[bit], &z, 1, SIMDP_THEORY_CDF, bit, epsilon));
                assert_true(f[bit] >= 0 && c[bit] >= 0 && c[bit] <= 1);
            }
            assert_true(fabs(p * f[0] + q * f[1] - laplace_density(z, epsilon)) < 2e-15 * epsilon);
            assert_true(fabs(q * f[0] + p * f[1] - laplace_density(z - 1, epsilon)) < 2e-15 * epsilon);
            assert_true(fabs(p * c[0] + q * c[1] - laplace_cdf(z, epsilon)) < 2e-15);
            assert_true(fabs(q * c[0] + p * c[1] - laplace_cdf(z - 1, epsilon)) < 2e-15);
        }
    }
}

static void laplace_quantiles(void **state)
{
    uint64_t seed = 2;
    (void)state;
    for (int e = 0; e < EPSILONS; e++) {
        for (int i = 0; i < 4000; i++) {
            const int bit = i & 1;
            const double u = i % 4 < 2 ? between(&seed, 0, 1) : exp(between(&seed, -700, 0));
            double z, back;
            must(simdp_theory_laplace_map_law(&z, &u, 1, SIMDP_THEORY_QUANTILE, bit, epsilons[e]));
            must(simdp_theory_laplace_map_law(&back, &z, 1, SIMDP_THEORY_CDF, bit, epsilons[e]));
            if (bit == 0) assert_true(z < 1 && fabs(back - u) <= 4e-16 * fmax(1, fabs(log(u))) * (u < 0.4 ? 4 * u : 4));
            else assert_true(z > 0 && fabs(back - u) < 2e-15 + 2e-16 * epsilons[e]); /* z near 1 is rounded */
        }
        double ends[2] = {0, 1}, z[2];
        must(simdp_theory_laplace_map_law(z, ends, 2, SIMDP_THEORY_QUANTILE, 0, epsilons[e]));
        assert_true(z[0] == -INFINITY && fabs(z[1] - 1) < 1e-15);
        must(simdp_theory_laplace_map_law(z, ends, 2, SIMDP_THEORY_QUANTILE, 1, epsilons[e]));
        assert_true(z[0] == 0 && z[1] == INFINITY);
    }
}

/* ---- Laplace: sampler ---- */

enum { SAMPLE = 200000 };
static double sample[SAMPLE], sample_again[SAMPLE];
static uint8_t symbols[SAMPLE], truth[SAMPLE];

typedef struct {
    double centre, scale;
} centred;

static double centred_cdf(double x, const void *law)
{
    const centred *c = law;
    return laplace_cdf((x - c->centre) / c->scale, 1);
}

static void draw_bits(simdp_rng *rng, int bit, double epsilon)
{
    memset(truth, bit, sizeof truth);
    must(simdp_theory_leaky_response(rng, symbols, truth, SAMPLE, epsilon, 0));
}

static void laplace_sampler(void **state)
{
    static const double pairs[][3] = {{0, 1, 1}, {2, -1, 4}, {5, 5, 2}, {-3, 4, 0.5}, {0, 1e-9, 1}, {0, 1000, 1}};
    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const double *x = pairs[i], scale = x[2], epsilon = fabs(x[1] - x[0]) / scale;
        for (int bit = 0; bit < 2; bit++) {
            simdp_rng rng;
            test_stream(&rng, 40 + i, (uint64_t)bit, 0);
            draw_bits(&rng, bit, epsilon);
            must(simdp_theory_laplace_map(&rng, sample, symbols, SAMPLE, x[0], x[1], scale));
            assert_true(law_check_sample(sample, SAMPLE, centred_cdf, &(centred){x[bit], scale}));
            if (epsilon > 0.1)
                assert_false(law_check_sample(sample, SAMPLE, centred_cdf, &(centred){x[1 - bit], scale}));
            assert_false(law_check_sample(sample, SAMPLE, centred_cdf, &(centred){x[bit] + 0.02 * scale, scale}));
            /* control: bits that were answered too truthfully */
            draw_bits(&rng, bit, epsilon + 0.2);
            must(simdp_theory_laplace_map(&rng, sample, symbols, SAMPLE, x[0], x[1], scale));
            if (epsilon < 3) assert_false(law_check_sample(sample, SAMPLE, centred_cdf, &(centred){x[bit], scale}));
        }
    }
}

static void laplace_split(void **state)
{
    simdp_rng rng;
    (void)state;
    test_stream(&rng, 9, 0, 0);
    draw_bits(&rng, 0, 1);
    must(simdp_rng_seek(&rng, 5));
    must(simdp_theory_laplace_map(&rng, sample, symbols, 3000, 1, 3, 2));
    assert_true(simdp_rng_position(&rng) == 3005);
    must(simdp_rng_seek(&rng, 5));
    for (size_t done = 0, n = 1; done < 3000; done += n, n = n * 7 % 601) {
        if (n > 3000 - done) n = 3000 - done;
        must(simdp_theory_laplace_map(&rng, sample_again + done, symbols + done, n, 1, 3, 2));
    }
    assert_memory_equal(sample, sample_again, 3000 * sizeof *sample);
}

/* ---- discrete pairs ---- */

#define POINTS 8

static double excess(const double *p, const double *q, size_t n, double epsilon)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += fmax(0, p[i] - exp(epsilon) * q[i]);
    return sum;
}

/* A pair of laws with some zeros, and an epsilon. */
static size_t random_pair(uint64_t *seed, double *p, double *q, double *epsilon)
{
    const size_t n = 2 + test_random(seed) % (POINTS - 1);
    double sum[2] = {0, 0};
    for (size_t i = 0; i < n; i++) {
        p[i] = test_random(seed) % 5 == 0 ? 0 : -log(between(seed, 0, 1));
        q[i] = test_random(seed) % 5 == 0 ? 0 : -log(between(seed, 0, 1));
        if (test_random(seed) % 3 == 0) q[i] = p[i];
        sum[0] += p[i];
        sum[1] += q[i];
    }
    for (int s = 0; s < 2; s++)
        if (sum[s] == 0) (s ? q : p)[0] = sum[s] = 1;
    for (size_t i = 0; i < n; i++) {
        p[i] /= sum[0];
        q[i] /= sum[1];
    }
    *epsilon = test_random(seed) % 6 == 0 ? 0 : between(seed, 0.01, 2);
    return n;
}

/* How far the map is from its purpose: F(U) - p and F(V) - q, and rows that are no laws. */
static double map_error(const double *map, const double *p, const double *q, size_t n, double epsilon, double delta)
{
    const double keep = (1 - delta) / (1 + exp(-epsilon)), flip = (1 - delta) / (1 + exp(epsilon));
    double worst = 0, sum[4] = {0};
    for (size_t i = 0; i < n; i++) {
        worst = fmax(worst, fabs(keep * map[i] + flip * map[n + i] + delta * map[2 * n + i] - p[i]));
        worst = fmax(worst, fabs(flip * map[i] + keep * map[n + i] + delta * map[3 * n + i] - q[i]));
        for (size_t r = 0; r < 4; r++) {
            if (!(map[r * n + i] >= 0)) return INFINITY;
            sum[r] += map[r * n + i];
        }
    }
    for (int r = 0; r < 4; r++) worst = fmax(worst, fabs(sum[r] - 1));
    return worst;
}

static void discrete_mixtures(void **state)
{
    uint64_t seed = 3;
    double p[POINTS], q[POINTS], map[4 * POINTS], epsilon, worst = 0, control = 0;
    int pure = 0, refused = 0, zero = 0;
    (void)state;
    for (int i = 0; i < 20000; i++) {
        const size_t n = random_pair(&seed, p, q, &epsilon);
        const double need = fmax(excess(p, q, n, epsilon), excess(q, p, n, epsilon));
        double delta = test_random(&seed) % 2 ? need : need + (1 - need) * between(&seed, 0, 1);
        if (delta > 1) delta = 1;
        must(simdp_theory_discrete_map(map, p, q, n, epsilon, delta));
        const double tolerance = epsilon > 0 ? 4e-15 * (1 + 1 / epsilon) : 4e-15;
        const double error = map_error(map, p, q, n, epsilon, delta);
        worst = fmax(worst, error / tolerance);
        control = fmax(control, map_error(map, q, p, n, epsilon, delta));
        pure += delta == 0;
        zero += epsilon == 0;
        if (need > 1e-6) {
            assert_int_equal(simdp_theory_discrete_map(map, p, q, n, epsilon, need * 0.999), SIMDP_EPARAM);
            for (size_t j = 0; j < 4 * n; j++) assert_true(isnan(map[j]));
            refused++;
        }
    }
    assert_true(worst < 1 && control > 0.1 && pure > 100 && refused > 1000 && zero > 1000);
}

/* Pure pairs, where delta = 0 and the leaks cannot occur; also at the largest epsilons. */
static void discrete_pure(void **state)
{
    uint64_t seed = 4;
    double p[POINTS], q[POINTS], map[4 * POINTS];
    (void)state;
    for (int i = 0; i < 5000; i++) {
        const size_t n = 2 + test_random(&seed) % (POINTS - 1);
        double sum[2] = {0, 0}, epsilon = 0;
        for (size_t j = 0; j < n; j++) {
            sum[0] += p[j] = between(&seed, 0.1, 1);
            sum[1] += q[j] = p[j] * exp(between(&seed, -1, 1) * (i % 7 == 0 ? 50 : 1));
        }
        for (size_t j = 0; j < n; j++) {
            p[j] /= sum[0];
            q[j] /= sum[1];
            epsilon = fmax(epsilon, fabs(log(p[j] / q[j])));
        }
        must(simdp_theory_discrete_map(map, p, q, n, epsilon, 0));
        assert_true(map_error(map, p, q, n, epsilon, 0) < 1e-14 * (1 + 1 / epsilon));
        must(simdp_theory_discrete_map(map, p, q, n, epsilon + i, 0)); /* any larger epsilon will do */
        assert_true(map_error(map, p, q, n, epsilon + i, 0) < 1e-14 * (1 + 1 / epsilon));
        assert_true(map[2 * n] == p[0] / 1 || fabs(map[2 * n] / p[0] - 1) < 1e-15); /* leaks repeat the law */
    }
    const double apart[2][2] = {{1, 0}, {0, 1}};
    must(simdp_theory_discrete_map(map, apart[0], apart[1], 2, 1, 1));
    assert_true(map_error(map, apart[0], apart[1], 2, 1, 1) == 0);
    assert_int_equal(simdp_theory_discrete_map(map, apart[0], apart[1], 2, 1e6, 0.99), SIMDP_EPARAM);
    const double lone = 5;
    must(simdp_theory_discrete_map(map, &lone, &lone, 1, 0, 0));
    assert_true(map_error(map, &(double){1}, &(double){1}, 1, 0, 0) == 0);
}

static void discrete_sampler(void **state)
{
    static size_t drawn[SAMPLE];
    uint64_t seed = 6;
    double law[2][POINTS], map[4 * POINTS], epsilon;
    (void)state;
    for (int i = 0; i < 12; i++) {
        const size_t n = random_pair(&seed, law[0], law[1], &epsilon);
        const double delta = fmax(excess(law[0], law[1], n, epsilon), excess(law[1], law[0], n, epsilon));
        must(simdp_theory_discrete_map(map, law[0], law[1], n, epsilon, delta));
        for (int bit = 0; bit < 2; bit++) {
            simdp_rng rng;
            uint64_t seen[POINTS] = {0};
            double off[POINTS];
            test_stream(&rng, 60 + (uint64_t)i, (uint64_t)bit, 0);
            memset(truth, bit, sizeof truth);
            must(simdp_theory_leaky_response(&rng, symbols, truth, SAMPLE, epsilon, delta));
            must(simdp_theory_discrete_map_draw(&rng, drawn, symbols, SAMPLE, map, n));
            for (size_t j = 0; j < SAMPLE; j++) {
                assert_true(drawn[j] < n);
                seen[drawn[j]]++;
            }
            assert_true(law_check_counts(seen, law[bit], n));
            for (size_t j = 0; j < n; j++) off[j] = 0.9 * law[bit][j] + 0.1 * (j == n - 1);
            if (law[bit][n - 1] < 0.8) assert_false(law_check_counts(seen, off, n));
        }
    }
}

/* ---- bad input ---- */

static void bad_input(void **state)
{
    double x[3] = {0.1, 0.2, 0.7}, y[12], bad[] = {0, -1, NAN, INFINITY, 1401};
    size_t index[3] = {7, 7, 7};
    uint8_t bits[3] = {0, 1, 2};
    simdp_rng rng;
    (void)state;
    test_stream(&rng, 1, 0, 0);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        memset(y, 0, sizeof y);
        assert_int_equal(simdp_theory_laplace_map_law(y, x, 3, SIMDP_THEORY_DENSITY, 0, bad[i]), SIMDP_EPARAM);
        assert_int_equal(simdp_theory_laplace_map_law(y + 3, x, 3, SIMDP_THEORY_CDF, 1, bad[i]), SIMDP_EPARAM);
        assert_int_equal(simdp_theory_laplace_map_law(y + 6, x, 3, SIMDP_THEORY_QUANTILE, 0, bad[i]), SIMDP_EPARAM);
        for (int j = 0; j < 9; j++) assert_true(isnan(y[j]));
        y[0] = 42;
        if (bad[i] != 1401) assert_int_equal(simdp_theory_laplace_map(&rng, y, bits, 3, 0, 1, bad[i]), SIMDP_EPARAM);
        if (bad[i] < 0 || isnan(bad[i]))
            assert_int_equal(simdp_theory_discrete_map(y + 1, x, x, 2, bad[i], 0), SIMDP_EPARAM);
        assert_true(y[0] == 42);
    }
    assert_int_equal(simdp_theory_laplace_map_law(y, x, 3, SIMDP_THEORY_CDF, 2, 1), SIMDP_EPARAM);
    for (size_t n = SIZE_MAX / 8 + 1; n != 0; n = n < SIZE_MAX ? SIZE_MAX : 0) { /* the bytes overflow */
        y[0] = 7;
        assert_int_equal(simdp_theory_laplace_map_law(y, x, n, SIMDP_THEORY_DENSITY, 0, 1), SIMDP_EPARAM);
        assert_int_equal(simdp_theory_laplace_map_law(y, x, n, SIMDP_THEORY_CDF, 0, 1), SIMDP_EPARAM);
        assert_int_equal(simdp_theory_laplace_map_law(y, x, n, SIMDP_THEORY_QUANTILE, 0, 1), SIMDP_EPARAM);
        assert_true(y[0] == 7);
    }
    assert_int_equal(simdp_theory_laplace_map(&rng, y, bits, 3, 0, NAN, 1), SIMDP_EPARAM);
    assert_int_equal(simdp_theory_laplace_map(&rng, y, bits, 3, -INFINITY, 1, 1), SIMDP_EPARAM);
    assert_int_equal(simdp_theory_laplace_map(&rng, y, bits, 3, 0, 1401, 1), SIMDP_EPARAM);
    assert_int_equal(simdp_theory_laplace_map(&rng, y, bits, SIZE_MAX, 0, 1, 1), SIMDP_EPARAM);
    assert_int_equal(simdp_theory_laplace_map(&rng, NULL, bits, 3, 0, 1, 1), SIMDP_ENULL);
    assert_int_equal(simdp_theory_laplace_map(&rng, y, NULL, 3, 0, 1, 1), SIMDP_ENULL);
    assert_int_equal(simdp_theory_laplace_map(NULL, y, bits, 3, 0, 1, 1), SIMDP_ENULL);
    assert_int_equal(simdp_theory_laplace_map_law(NULL, x, 3, SIMDP_THEORY_CDF, 0, 1), SIMDP_ENULL);
    assert_int_equal(simdp_theory_laplace_map_law(y, NULL, 3, SIMDP_THEORY_CDF, 0, 1), SIMDP_ENULL);
    must(simdp_theory_laplace_map_law(NULL, NULL, 0, SIMDP_THEORY_CDF, 0, 1));
    must(simdp_theory_laplace_map(&rng, NULL, NULL, 0, 0, 1, 1));
    x[0] = NAN;
    assert_int_equal(simdp_theory_laplace_map_law(y, x, 1, SIMDP_THEORY_DENSITY, 0, 1), SIMDP_EPARAM);
    assert_int_equal(simdp_theory_laplace_map_law(y + 1, x, 1, SIMDP_THEORY_CDF, 1, 1), SIMDP_EPARAM);
    assert_int_equal(simdp_theory_laplace_map_law(y + 2, x, 1, SIMDP_THEORY_QUANTILE, 0, 1), SIMDP_EPARAM);
    assert_int_equal(simdp_theory_laplace_map_law(y + 3, (double[]){-0.1, 1.1}, 2, SIMDP_THEORY_QUANTILE, 1, 1),
                     SIMDP_EPARAM);
    for (int j = 0; j < 5; j++) assert_true(isnan(y[j]));

    const double p[2] = {0.5, 0.5}, no_law[][2] = {{-0.5, 1.5}, {0, 0}, {NAN, 1}, {INFINITY, 1}};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(simdp_theory_discrete_map(y, p, no_law[i], 2, 1, 0.5), SIMDP_EPARAM);
        assert_int_equal(simdp_theory_discrete_map(y, no_law[i], p, 2, 1, 0.5), SIMDP_EPARAM);
        for (int j = 0; j < 8; j++) assert_true(isnan(y[j]));
    }
    assert_int_equal(simdp_theory_discrete_map(y, p, p, 2, 1, 1.5), SIMDP_EPARAM);
    assert_int_equal(simdp_theory_discrete_map(y, p, p, 0, 1, 0.5), SIMDP_EPARAM);
    assert_int_equal(simdp_theory_discrete_map(y, p, p, SIZE_MAX / 8, 1, 0.5), SIMDP_EPARAM);
    assert_int_equal(simdp_theory_discrete_map(NULL, p, p, 2, 1, 0.5), SIMDP_ENULL);
    assert_int_equal(simdp_theory_discrete_map(y, NULL, p, 2, 1, 0.5), SIMDP_ENULL);
    assert_int_equal(simdp_theory_discrete_map(y, p, NULL, 2, 1, 0.5), SIMDP_ENULL);
    must(simdp_theory_discrete_map(y, p, p, 2, 1, 0.5));
    assert_int_equal(simdp_theory_discrete_map_draw(&rng, index, bits, 3, y, 0), SIMDP_EPARAM);
    assert_int_equal(simdp_theory_discrete_map_draw(&rng, index, bits, 3, y, SIZE_MAX / 32 + 1), SIMDP_EPARAM);
    assert_int_equal(simdp_theory_discrete_map_draw(&rng, NULL, bits, 3, y, 2), SIMDP_ENULL);
    assert_int_equal(simdp_theory_discrete_map_draw(&rng, index, NULL, 3, y, 2), SIMDP_ENULL);
    assert_int_equal(simdp_theory_discrete_map_draw(&rng, index, bits, 3, NULL, 2), SIMDP_ENULL);
    must(simdp_theory_discrete_map_draw(&rng, NULL, NULL, 0, NULL, 2));
    assert_true(index[0] == 7 && simdp_rng_position(&rng) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(laplace_mixtures),  cmocka_unit_test(laplace_quantiles),
                                       cmocka_unit_test(laplace_sampler),   cmocka_unit_test(laplace_split),
                                       cmocka_unit_test(discrete_mixtures), cmocka_unit_test(discrete_pure),
                                       cmocka_unit_test(discrete_sampler),  cmocka_unit_test(bad_input)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
