/* test_noise_laplace_law: the law of 1e8 Laplace deviates under a fixed key: Kolmogorov-Smirnov distance, tails, signs. Each
 * test would raise a false alarm for fewer than 1e-9 of all keys, and each is shown samplers that it must refuse. */
#include <math.h>

#include "support/test_support.h"

#define SAMPLES 100000000
#define CELLS   4096     /* of equal mass; the distance is taken at their edges, which can only make it smaller */
#define TAILS   16

typedef struct {
    double ks;                 /* sqrt(n) sup |F_n - F| at the edges of the cells */
    double beyond[TAILS];      /* how many |x| > k + 1 */
    double positive;
} law;

typedef void sampler(simdp_rng *rng, double *out, size_t n);

static void right(simdp_rng *rng, double *out, size_t n) { must(simdp_noise_laplace_f64(rng, out, n, 1.0)); }

/* Uniforms that stop at 2^-20 leave no tail beyond 13.86. */
static void cut_tail(simdp_rng *rng, double *out, size_t n)
{
    right(rng, out, n);
    for (size_t i = 0; i < n; i++) out[i] = copysign(fmin(fabs(out[i]), 13.86), out[i]);
}

/* 0.2 % too narrow. */
static void narrow(simdp_rng *rng, double *out, size_t n) { must(simdp_noise_laplace_f64(rng, out, n, 0.998)); }

/* One sign in 1000 turned positive. */
static void leaning(simdp_rng *rng, double *out, size_t n)
{
    right(rng, out, n);
    for (size_t i = 0; i < n; i += 1000) out[i] = fabs(out[i]);
}

static void measure(law *l, sampler *draw, uint64_t seed)
{
    enum { BATCH = 1 << 16 };
    static double x[BATCH];
    static double edge[CELLS / 2];   /* |x| at the edges of the cells on one side */
    static uint64_t count[CELLS];
    simdp_rng rng;
    memset(l, 0, sizeof *l);
    memset(count, 0, sizeof count);
    for (int i = 0; i < CELLS / 2; i++) edge[i] = -log1p(-(double)i / (CELLS / 2));
    test_stream(&rng, seed, 0, 0);
    for (size_t done = 0; done < SAMPLES; done += BATCH) {
        const size_t n = SAMPLES - done < BATCH ? SAMPLES - done : BATCH;
        draw(&rng, x, n);
        for (size_t i = 0; i < n; i++) {
            const double a = fabs(x[i]);
            int cell = (int)((1.0 - exp(-a)) * (CELLS / 2));   /* a first guess, put right at the edge */
            if (cell == CELLS / 2) cell--;
            while (cell > 0 && a < edge[cell]) cell--;
            while (cell + 1 < CELLS / 2 && a >= edge[cell + 1]) cell++;
            count[x[i] < 0 ? CELLS / 2 - 1 - cell : CELLS / 2 + cell]++;
            l->positive += x[i] >= 0;
            for (int k = 0; k < TAILS && a > k + 1; k++) l->beyond[k]++;
        }
    }
    uint64_t below = 0;
    for (int i = 0; i < CELLS; i++) {
        below += count[i];
        const double d = fabs((double)below / SAMPLES - (double)(i + 1) / CELLS);
        if (d * sqrt(SAMPLES) > l->ks) l->ks = d * sqrt(SAMPLES);
    }
}

/* P[sqrt(n) D > 3.29] = 2 exp(-2 * 3.29^2) = 8e-10 */
static bool ks_ok(const law *l) { return l->ks < 3.29; }

/* Chernoff: a binomial count with mean m leaves m (1 +- e) with probability below exp(-m h(+-e)), h(e) = (1+e) ln(1+e) - e.
 * ln 1e9 + ln (2 * 16 tests) = 24.2. */
static bool tails_ok(const law *l)
{
    for (int k = 0; k < TAILS; k++) {
        const double mean = SAMPLES * exp(-(k + 1.0)), seen = l->beyond[k];
        const double exponent = (seen > 0 ? seen * log(seen / mean) : 0.0) - seen + mean;
        if (exponent > 24.2) return false;
    }
    return true;
}

/* 6.2 standard deviations: 6e-10 */
static bool signs_ok(const law *l) { return fabs(l->positive - SAMPLES / 2.0) < 6.2 * sqrt(SAMPLES) / 2.0; }

static void test_law(void **state)
{
    (void)state;
    law l;
    measure(&l, right, 2026);
    print_message("ks %.3f, beyond 14: %.0f (mean %.1f), beyond 16: %.0f (mean %.1f), positive %.0f\n", l.ks, l.beyond[13],
                  SAMPLES * exp(-14), l.beyond[15], SAMPLES * exp(-16), l.positive);
    assert_true(ks_ok(&l));
    assert_true(tails_ok(&l));
    assert_true(signs_ok(&l));
}

static void test_defects_are_seen(void **state)
{
    (void)state;
    law l;
    measure(&l, cut_tail, 2026);
    assert_false(tails_ok(&l));
    measure(&l, narrow, 2026);
    assert_false(ks_ok(&l));
    assert_false(tails_ok(&l));
    measure(&l, leaning, 2026);
    assert_false(signs_ok(&l));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_law),
        cmocka_unit_test(test_defects_are_seen),
    };
    return cmocka_run_group_tests_name("noise_laplace_law", tests, NULL, NULL);
}
