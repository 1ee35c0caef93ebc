/* test_theory_urn: Polya's urn against its exact law, the choice of a column against softmax, bad input. */
#include "support/law_check.h"

#include <float.h>

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
            must(simdp_theory_polya_urn(&rng, is_red, DRAWS, urns[u][0], urns[u][1]));
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
    must(simdp_theory_polya_urn(&rng, whole, 1000, 3, 2));
    test_stream(&rng, 9, 0, 7);
    for (size_t done = 0, n = 1; done < 1000; done += n, n = n * 5 % 301) {
        if (n > 1000 - done) n = 1000 - done;
        must(simdp_theory_polya_urn(&rng, parts + done, n, red, blue));
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
        must(simdp_theory_select_column(&rng, &column, sums, matrix, ROWS, COLUMNS, eta));
        seen[column]++;
    }
    for (int j = 0; j < COLUMNS; j++) {
        double sum = 0;
        for (int i = 0; i < ROWS; i++) sum += matrix[i * COLUMNS + j];
        assert_true(fabs(sum - sums[j]) <= 0x1p-50);
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

/* Sums in floating point round with every addition, and one row decides how: with the first row 1 the partial sums of
 * these columns pass a power of two, after which every later entry rounds up; with the first row 0 nothing rounds. The
 * sums then differ by more than the row. */
static void one_row_moves_a_sum_by_at_most_one(void **state)
{
    enum { ONES = 1 << 19, SMALL = 1 << 18, ROWS = ONES + SMALL };
    double *matrix = malloc(ROWS * sizeof *matrix), sum[2];
    size_t column;
    simdp_rng rng;
    (void)state;
    assert_non_null(matrix);
    test_stream(&rng, 3, 0, 0);
    for (size_t i = 0; i < ROWS; i++) matrix[i] = i < ONES ? 1.0 : 0x1.001p-34; /* above half an ulp of 2^19 */
    for (int replaced = 0; replaced < 2; replaced++) {
        matrix[0] = replaced ? 0.0 : 1.0;
        must(simdp_theory_select_column(&rng, &column, &sum[replaced], matrix, ROWS, 1, 1.0));
    }
    assert_true(sum[0] - sum[1] <= 1.0);
    double wrong[2] = {1.0, 0.0}; /* control: plain sums move further, so the data are such that it shows */
    for (size_t i = 1; i < ROWS; i++) wrong[0] += matrix[i], wrong[1] += matrix[i];
    assert_true(wrong[0] - wrong[1] > 1.0);
    free(matrix);
}

/* The multiples of 2^-bits nearest to the clamped entries, ties to even, summed as integers. */
static double exact_sum(const double *matrix, size_t rows, size_t columns, size_t column, int bits)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < rows; i++) {
        const double x = matrix[i * columns + column];
        if (x >= 1.0) sum += (uint64_t)1 << bits;
        else if (x > 0.0) sum += (uint64_t)rint(ldexp(x, bits));
    }
    return ldexp((double)sum, -bits);
}

static void column_sums_are_exact(void **state)
{
    enum { COLUMNS = 7 };
    static const double special[] = {0,           1,     -0.0,      NAN,     INFINITY,   -INFINITY,
                                     -1,          2,     0x1p-1074, 0x1p-53, 0x1.8p-53,  1 + 0x1p-52,
                                     1 - 0x1p-53, 1e300, 0x1p-52,   0x1p-54, DBL_MIN / 4};
    static const struct {
        size_t rows;
        int bits; /* the largest, at most 52, with rows 2^bits <= 2^53 */
    } sizes[] = {{1, 52}, {2, 52}, {3, 51}, {4, 51}, {5, 50}, {100, 46}, {4096, 41}, {5000, 40}};
    static double matrix[5000 * COLUMNS];
    uint64_t seed = 5;
    (void)state;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        double sums[COLUMNS];
        size_t column;
        simdp_rng rng;
        test_stream(&rng, 4, 0, 0);
        for (size_t i = 0; i < sizes[s].rows * COLUMNS; i++) {
            const uint64_t random = test_random(&seed);
            matrix[i] = random % 4 == 0 ? special[random / 4 % (sizeof special / sizeof *special)]
                                        : ldexp((double)(random >> 11), -53 - (int)(random % 8));
        }
        must(simdp_theory_select_column(&rng, &column, sums, matrix, sizes[s].rows, COLUMNS, 1.0));
        for (size_t j = 0; j < COLUMNS; j++)
            assert_true(sums[j] == exact_sum(matrix, sizes[s].rows, COLUMNS, j, sizes[s].bits));
    }
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
    assert_int_equal(simdp_theory_polya_urn(NULL, is_red, 4, 1, 1), SIMDP_ENULL);
    assert_int_equal(simdp_theory_polya_urn(&rng, NULL, 4, 1, 1), SIMDP_ENULL);
    assert_int_equal(simdp_theory_polya_urn(&rng, is_red, 4, 0, 0), SIMDP_EPARAM);
    assert_int_equal(simdp_theory_polya_urn(&rng, is_red, 4, UINT64_MAX, 1), SIMDP_EPARAM);
    assert_int_equal(simdp_theory_polya_urn(&rng, is_red, 4, (uint64_t)1 << 62, (uint64_t)1 << 62), SIMDP_EPARAM);
    assert_int_equal(simdp_theory_polya_urn(&rng, is_red, SIZE_MAX, 1, 1), SIMDP_EPARAM);
    must(simdp_theory_polya_urn(&rng, NULL, 0, 1, 1));
    assert_true(is_red[0] == 9);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(simdp_theory_select_column(&rng, &column, sums, matrix, 2, 2, bad[i]), SIMDP_EPARAM);
    assert_int_equal(simdp_theory_select_column(&rng, &column, sums, matrix, 2, 0, 1), SIMDP_EPARAM);
    assert_int_equal(simdp_theory_select_column(&rng, &column, sums, matrix, SIZE_MAX, 2, 1), SIMDP_EPARAM);
    assert_int_equal(simdp_theory_select_column(&rng, &column, sums, matrix, 0, SIZE_MAX, 1), SIMDP_EPARAM);
    assert_int_equal(simdp_theory_select_column(&rng, &column, sums, matrix, 0, SIZE_MAX / 8 + 1, 1), SIMDP_EPARAM);
    assert_int_equal(simdp_theory_select_column(&rng, &column, sums, matrix, ((size_t)1 << 53) + 1, 1, 1),
                     SIMDP_EPARAM);
    assert_int_equal(simdp_theory_select_column(&rng, NULL, sums, matrix, 2, 2, 1), SIMDP_ENULL);
    assert_int_equal(simdp_theory_select_column(&rng, &column, NULL, matrix, 2, 2, 1), SIMDP_ENULL);
    assert_int_equal(simdp_theory_select_column(&rng, &column, sums, NULL, 2, 2, 1), SIMDP_ENULL);
    assert_int_equal(simdp_theory_select_column(NULL, &column, sums, matrix, 2, 2, 1), SIMDP_ENULL);
    assert_true(column == SIZE_MAX && sums[0] == 7 && simdp_rng_position(&rng) == 0);
    must(simdp_theory_select_column(&rng, &column, sums, NULL, 0, 2, 1)); /* no rows: any column */
    assert_true(column < 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(urn_law),
                                       cmocka_unit_test(urn_goes_on),
                                       cmocka_unit_test(column_law),
                                       cmocka_unit_test(one_row_moves_a_sum_by_at_most_one),
                                       cmocka_unit_test(column_sums_are_exact),
                                       cmocka_unit_test(bad_input)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
