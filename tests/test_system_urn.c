/* test_system_urn: Polya's urn against its exact law, the choice of a column against softmax, bad input. */
#include "support/law_check.h"

enum { DRAWS = 12, URNS = 100000 };

/* P[k red of DRAWS]: the beta-binomial law, by the recursion over draws. */
static void exact_law(double *p, double red, double blue)
{
    memset(p, 0, (DRAWS + 1) * sizeof *p);
    p[0] = 1;
    for (int draw = 0; draw < DRAWS; draw++)
        for (int k = draw + 1; k >= 0; k--)
            p[k] = (k > 0 ? p[k - 1] * (red + k - 1) : 0) / (red + blue + draw) +
                   p[k] * (blue + draw - k) / (red + blue + draw);
}

static void urn_law(void **state)
{
    static const uint64_t urns[][2] = {{1, 1}, {3, 2}, {1, 9}, {0, 4}, {5, 0}, {1000000, 1000000}};
    (void)state;
    for (size_t u = 0; u < sizeof urns / sizeof *urns; u++) {
        uint64_t seen[DRAWS + 1] = {0};
        double p[DRAWS + 1], wrong[DRAWS + 1];
        uint8_t is_red[DRAWS];
        simdp_rng rng;
        test_stream(&rng, u, 0, 0);
        for (int i = 0; i < URNS; i++) {
            size_t red = 0;
            must(simdp_system_polya_urn(&rng, is_red, DRAWS, urns[u][0], urns[u][1]));
            for (int j = 0; j < DRAWS; j++) red += is_red[j];
            seen[red]++;
        }
        assert_true(simdp_rng_position(&rng) == (uint64_t)URNS * DRAWS);
        exact_law(p, (double)urns[u][0], (double)urns[u][1]);
        exact_law(wrong, (double)urns[u][0] + 0.2 + 0.2 * (double)urns[u][0], (double)urns[u][1]); /* control */
        assert_true(law_check_counts(seen, p, DRAWS + 1));
        if (urns[u][1] > 0) assert_false(law_check_counts(seen, wrong, DRAWS + 1));
    }
}

static void urn_goes_on(void **state)
{
    uint8_t whole[1000], parts[1000];
    simdp_rng rng;
    uint64_t red = 3, blue = 2;
    (void)state;
    test_stream(&rng, 9, 0, 7);
    must(simdp_system_polya_urn(&rng, whole, 1000, 3, 2));
    test_stream(&rng, 9, 0, 7);
    for (size_t done = 0, n = 1; done < 1000; done += n, n = n * 5 % 301) {
        if (n > 1000 - done) n = 1000 - done;
        must(simdp_system_polya_urn(&rng, parts + done, n, red, blue));
        for (size_t i = done; i < done + n; i++) parts[i] ? red++ : blue++;
    }
    assert_memory_equal(whole, parts, sizeof whole);
}

static void column_law(void **state)
{
    enum { ROWS = 3, COLUMNS = 5, CHOICES = 100000 };
    static const double matrix[ROWS * COLUMNS] = {0.1, 0.9, 0.5, 0, 1, 0.2, 0.8, 0.5, 0, 1, 0.3, 0.7, 0.5, 0, 1};
    const double eta = 1.2;
    double p[COLUMNS], wrong[COLUMNS], total = 0, wrong_total = 0, sums[COLUMNS];
    uint64_t seen[COLUMNS] = {0};
    simdp_rng rng;
    (void)state;
    test_stream(&rng, 1, 0, 0);
    for (int i = 0; i < CHOICES; i++) {
        size_t column;
        must(simdp_system_select_column(&rng, &column, sums, matrix, ROWS, COLUMNS, eta));
        seen[column]++;
    }
    for (int j = 0; j < COLUMNS; j++) {
        double sum = 0;
        for (int i = 0; i < ROWS; i++) sum += matrix[i * COLUMNS + j];
        assert_true(sum == sums[j]);
        total += p[j] = exp(eta / 2 * sum);
        wrong_total += wrong[j] = exp(eta * sum); /* without the factor 2 */
    }
    for (int j = 0; j < COLUMNS; j++) {
        p[j] /= total;
        wrong[j] /= wrong_total;
    }
    assert_true(law_check_counts(seen, p, COLUMNS));
    assert_false(law_check_counts(seen, wrong, COLUMNS));
}

static void bad_input(void **state)
{
    static const double bad[] = {0, -1, NAN, INFINITY, 1e300};
    uint8_t is_red[4] = {9, 9, 9, 9};
    double sums[2] = {7, 7};
    const double matrix[4] = {0, 1, 0, 1};
    size_t column = 9;
    simdp_rng rng;
    (void)state;
    test_stream(&rng, 2, 0, 0);
    assert_int_equal(simdp_system_polya_urn(NULL, is_red, 4, 1, 1), SIMDP_ENULL);
    assert_int_equal(simdp_system_polya_urn(&rng, NULL, 4, 1, 1), SIMDP_ENULL);
    assert_int_equal(simdp_system_polya_urn(&rng, is_red, 4, 0, 0), SIMDP_EPARAM);
    assert_int_equal(simdp_system_polya_urn(&rng, is_red, 4, UINT64_MAX, 1), SIMDP_EPARAM);
    assert_int_equal(simdp_system_polya_urn(&rng, is_red, 4, (uint64_t)1 << 62, (uint64_t)1 << 62), SIMDP_EPARAM);
    assert_int_equal(simdp_system_polya_urn(&rng, is_red, SIZE_MAX, 1, 1), SIMDP_EPARAM);
    must(simdp_system_polya_urn(&rng, NULL, 0, 1, 1));
    assert_true(is_red[0] == 9);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(simdp_system_select_column(&rng, &column, sums, matrix, 2, 2, bad[i]), SIMDP_EPARAM);
    assert_int_equal(simdp_system_select_column(&rng, &column, sums, matrix, 2, 0, 1), SIMDP_EPARAM);
    assert_int_equal(simdp_system_select_column(&rng, &column, sums, matrix, SIZE_MAX, 2, 1), SIMDP_EPARAM);
    assert_int_equal(simdp_system_select_column(&rng, NULL, sums, matrix, 2, 2, 1), SIMDP_ENULL);
    assert_int_equal(simdp_system_select_column(&rng, &column, NULL, matrix, 2, 2, 1), SIMDP_ENULL);
    assert_int_equal(simdp_system_select_column(&rng, &column, sums, NULL, 2, 2, 1), SIMDP_ENULL);
    assert_int_equal(simdp_system_select_column(NULL, &column, sums, matrix, 2, 2, 1), SIMDP_ENULL);
    assert_true(column == SIZE_MAX && sums[0] == 7 && simdp_rng_position(&rng) == 0);
    must(simdp_system_select_column(&rng, &column, sums, NULL, 0, 2, 1)); /* no rows: any column */
    assert_true(column < 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(urn_law), cmocka_unit_test(urn_goes_on),
                                       cmocka_unit_test(column_law), cmocka_unit_test(bad_input)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
