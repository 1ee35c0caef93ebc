/* test_release_typical: typically stable releases: the noise of the reference vectors, exact releases of it, bad
 * input. */
#include <math.h>

#include "support/law_check.h"

typedef simdp_status typical_function(simdp_rng *rng, double *out, const double *answers, size_t n,
                                      simdp_theory_concentration query, simdp_theory_stability target);
typedef simdp_status plain_function(simdp_rng *rng, double *out, const double *answers, size_t n, double scale,
                                    double grid);

static const struct {
    typical_function *typical;
    plain_function *plain;
} laws[2] = {{simdp_theory_release_laplace, simdp_release_laplace},
             {simdp_theory_release_gaussian, simdp_release_gaussian}};

typedef struct {
    simdp_theory_concentration query;
    simdp_theory_stability target;
    double scale[2]; /* Laplace, analytic Gaussian */
} row;

static bool read_row(FILE *file, row *r)
{
    char line[600], class[40];
    double p1, p2, n, alpha, printed;
    if (fgets(line, sizeof line, file) == NULL) return false;
    assert_int_equal(sscanf(line, "%39[a-z],%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf", class, &p1, &p2, &n,
                            &r->target.eta, &r->target.tau, &r->target.nu, &alpha, &r->scale[0], &printed,
                            &r->scale[1]),
                     11);
    r->query = (simdp_theory_concentration){.parameter = p1, .b = p2, .n = (int64_t)n};
    r->query.kind = strcmp(class, "sensitive") == 0     ? SIMDP_THEORY_SENSITIVE
                    : strcmp(class, "subgaussian") == 0 ? SIMDP_THEORY_SUBGAUSSIAN
                                                        : SIMDP_THEORY_SUBEXPONENTIAL;
    return true;
}

/* For every row the release is that of a scale at or above the reference and within 1e-10 of it. A scale is found from
 * outside: the release of the same words by the plain function with the library's own plan is the same, and that plan
 * is held to the row. */
static void test_reference_vectors(void **state)
{
    (void)state;
    enum { N = 50 };
    FILE *file = fopen(VECTORS "/typical_calibration.csv", "r");
    char head[600];
    row r;
    size_t rows = 0;
    assert_non_null(file);
    assert_non_null(fgets(head, sizeof head, file));
    while (read_row(file, &r)) {
        simdp_theory_typical_plan plan;
        must(simdp_theory_typical_noise(&plan, r.query, r.target));
        const double scale[2] = {plan.laplace_scale, plan.gaussian_sigma_analytic};
        for (int law = 0; law < 2; law++) {
            double answers[N], got[N], want[N];
            simdp_rng rng;
            assert_true(scale[law] >= r.scale[law] && scale[law] <= r.scale[law] * (1 + 1e-10));
            for (int i = 0; i < N; i++) answers[i] = (i - 20) * r.query.parameter / 3;
            test_stream(&rng, rows, 0, 7);
            must(laws[law].typical(&rng, got, answers, N, r.query, r.target));
            assert_int_equal(simdp_rng_position(&rng), 7 + N);
            test_stream(&rng, rows, 0, 7);
            must(laws[law].plain(&rng, want, answers, N, scale[law], simdp_release_grid(scale[law])));
            assert_memory_equal(got, want, sizeof got);
        }
        rows++;
    }
    fclose(file);
    assert_int_equal(rows, 120);
}

static uint64_t beyond(const double *x, size_t n, double limit)
{
    uint64_t count = 0;
    for (size_t i = 0; i < n; i++) count += fabs(x[i]) > limit;
    return count;
}

/* T5.2, with equality: |noise| exceeds (alpha / eta) ln(1 / beta) with probability beta. */
static void test_error_law(void **state)
{
    (void)state;
    enum { N = 1 << 18 };
    static double zero[N], out[N];
    const simdp_theory_concentration query = {.kind = SIMDP_THEORY_SUBGAUSSIAN, .parameter = 2.0};
    const simdp_theory_stability target = {.eta = 0.5, .tau = 1e-6, .nu = 1e-3};
    const double alpha = 2.0 * sqrt(2 * log(2 / 1e-3)), scale = alpha / 0.5;
    simdp_rng rng;
    test_stream(&rng, 1, 0, 0);
    must(simdp_theory_release_laplace(&rng, out, zero, N, query, target));
    for (double beta = 0.5; beta > 1e-3; beta /= 2)
        assert_true(law_check_binomial(beyond(out, N, scale * log(1 / beta)), N, beta));
    assert_false(law_check_binomial(beyond(out, N, 0.95 * scale * log(4)), N, 0.25)); /* control */
    simdp_theory_typical_plan plan;
    must(simdp_theory_typical_noise(&plan, query, target));
    must(simdp_theory_release_gaussian(&rng, out, zero, N, query, target));
    const double sigma = plan.gaussian_sigma_analytic;
    for (double z = 0.5; z < 3.6; z += 0.5)
        assert_true(law_check_binomial(beyond(out, N, sigma * z), N, erfc(z * sqrt(0.5))));
    assert_true(sigma < plan.gaussian_sigma);
}

static void test_bad_input(void **state)
{
    (void)state;
    const simdp_theory_concentration good = {.kind = SIMDP_THEORY_SENSITIVE, .parameter = 1.0, .n = 10};
    const simdp_theory_stability fine = {.eta = 1.0, .tau = 1e-5, .nu = 0.01};
    const simdp_theory_concentration bad_queries[] = {
        {SIMDP_THEORY_SENSITIVE, 0.0, 0, 10},    {SIMDP_THEORY_SENSITIVE, 1.0, 0, 0},
        {SIMDP_THEORY_SUBGAUSSIAN, NAN, 0, 0},   {SIMDP_THEORY_SUBEXPONENTIAL, 1.0, -1.0, 0},
        {SIMDP_THEORY_SUBGAUSSIAN, 1e300, 0, 0}, {(simdp_theory_concentration_kind)7, 1.0, 1.0, 1}};
    const simdp_theory_stability bad_targets[] = {{0.0, 0.1, 0.1},      {-1.0, 0.1, 0.1}, {NAN, 0.1, 0.1},
                                                  {INFINITY, 0.1, 0.1}, {1.0, 0.1, 0.0},  {1.0, 0.1, 1.0},
                                                  {1.0, 0.1, NAN}};
    const simdp_theory_stability bad_tau[] = {{1.0, 0.0, 0.1}, {1.0, 1.0, 0.1}, {1.0, NAN, 0.1}, {1.0, -0.1, 0.1}};
    const double answers[3] = {1, 2, 3};
    double out[3];
    simdp_rng rng;
    test_stream(&rng, 1, 1, 5);
    for (int law = 0; law < 2; law++) {
        for (size_t i = 0; i < sizeof bad_queries / sizeof bad_queries[0]; i++) {
            assert_int_equal(laws[law].typical(&rng, out, answers, 3, bad_queries[i], fine), SIMDP_EPARAM);
            for (int k = 0; k < 3; k++) assert_true(isnan(out[k]));
        }
        for (size_t i = 0; i < sizeof bad_targets / sizeof bad_targets[0]; i++) {
            memcpy(out, answers, sizeof out);
            assert_int_equal(laws[law].typical(&rng, out, out, 3, good, bad_targets[i]), SIMDP_EPARAM);
            for (int k = 0; k < 3; k++) assert_true(isnan(out[k]));
        }
        assert_int_equal(laws[law].typical(NULL, out, answers, 3, good, fine), SIMDP_ENULL);
        assert_int_equal(laws[law].typical(&rng, NULL, answers, 3, good, fine), SIMDP_ENULL);
        assert_int_equal(laws[law].typical(&rng, out, NULL, 3, good, fine), SIMDP_ENULL);
        must(laws[law].typical(&rng, NULL, NULL, 0, good, fine));
        assert_int_equal(simdp_rng_position(&rng), 5);
    }
    for (size_t i = 0; i < sizeof bad_tau / sizeof bad_tau[0]; i++) {
        assert_int_equal(simdp_theory_release_gaussian(&rng, out, answers, 3, good, bad_tau[i]), SIMDP_EPARAM);
        must(simdp_theory_release_laplace(&rng, out, answers, 3, good, bad_tau[i]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reference_vectors),
        cmocka_unit_test(test_error_law),
        cmocka_unit_test(test_bad_input),
    };
    return cmocka_run_group_tests_name("release_typical", tests, NULL, NULL);
}
