/* test_account_pld_exact: composed privacy-loss distributions against exact answers: reference files (25 digits) for
 * Laplace, Gaussian, randomized response, mixed leaky responses and discrete noise; every bracket must hold its answer,
 * strictly. */
#include "support/test_support.h"

#include <math.h>

#include "golden/golden_csv.h"

/* One question: bounds of ln delta at epsilon from a range that is about right. */
static void ask(simdp_pld *pld, double epsilon, long double log_delta, simdp_pld_rounding upper,
                simdp_pld_rounding lower, double *low, double *high)
{
    const double most = (double)fminl(expl(log_delta) * 10, 1), least = (double)fmaxl(expl(log_delta) / 10, 1e-300L);
    must(simdp_pld_compose(pld, least, fmax(least, most), upper, lower, NULL, NULL));
    must(simdp_pld_log_delta(pld, low, high, &epsilon, 1));
}

typedef struct {
    size_t rows, outside;
    double widest; /* of ln delta, where it is above -300 */
} tally;

static void judge(tally *t, double low, double high, long double exact, const csv_reader *csv)
{
    t->rows++;
    if (exact > -300 && high - low > t->widest) t->widest = high - low;
    if (low <= exact && exact <= high && high <= 0) return;
    t->outside++;
    print_message("%s line %lu: %.17g <= %.20Lg <= %.17g fails\n", csv->path, csv->line, low, exact, high);
}

static size_t column(const csv_reader *csv, const char *name)
{
    for (size_t i = 0; i < csv->cells; i++) {
        if (strcmp(csv->cell[i], name) == 0) return i;
    }
    csv_broken(csv, "no column %s", name);
}

typedef void row_test(csv_reader *csv, const size_t *at, tally *t);

/* Calls test for every row of a file with the places of the named columns. Brackets of ln delta must be narrower than
 * `width`. */
static void each_row(const char *file, const char *const *names, row_test *test, size_t rows, double width)
{
    char path[1024];
    size_t at[8], count = 0;
    tally t = {0};
    csv_reader csv;
    snprintf(path, sizeof path, "%s/%s.csv", VECTORS, file);
    csv_open(&csv, path);
    assert_true(csv_next(&csv));
    for (; names[count] != NULL; count++) at[count] = column(&csv, names[count]);
    while (csv_next(&csv)) test(&csv, at, &t);
    csv_close(&csv);
    print_message("%s: %zu rows, widest bracket of ln delta %.3g\n", file, t.rows, t.widest);
    assert_int_equal(t.outside, 0);
    assert_true(t.rows >= rows);
    assert_true(t.widest < width);
}

static long double number(const csv_reader *csv, const size_t *at, int i)
{
    return csv_number(csv, "a column", csv->cell[at[i]]);
}

static simdp_pld *one(double grid)
{
    simdp_pld *pld;
    must(simdp_pld_create(&pld, grid));
    return pld;
}

/* Grids that divide t, some thousand points across the composed law. */
static void laplace_row(csv_reader *csv, const size_t *at, tally *t)
{
    const double x = (double)number(csv, at, 0), k = (double)number(csv, at, 1), epsilon = (double)number(csv, at, 2);
    const long double exact = number(csv, at, 3);
    double low, high;
    simdp_pld *pld = one(simdp_pld_grid(fmin(x, 2) * sqrt(k) / 1000, x));
    must(simdp_pld_add_laplace(pld, x, (uint64_t)k));
    ask(pld, epsilon, exact, SIMDP_PLD_DOTS, SIMDP_PLD_BINS, &low, &high);
    judge(t, low, high, exact, csv);
    simdp_pld_destroy(pld);
}

static void laplace_compositions(void **state)
{
    (void)state;
    each_row("laplace_compose", (const char *const[]){"t", "k", "eps", "log_delta", NULL}, laplace_row, 366, 0.01);
}

static void gaussian_row(csv_reader *csv, const size_t *at, tally *t)
{
    const double s = (double)number(csv, at, 0), k = (double)number(csv, at, 1), epsilon = (double)number(csv, at, 2);
    const long double exact = number(csv, at, 3);
    double low, high;
    if (k > 1000 && !is_full()) return; /* many points */
    simdp_pld *pld = one(fmin(sqrt(k) / 2000, 0.01) / s);
    must(simdp_pld_add_gaussian(pld, s, (uint64_t)k));
    ask(pld, epsilon, exact, SIMDP_PLD_DOTS, SIMDP_PLD_BINS, &low, &high);
    judge(t, low, high, exact, csv);
    simdp_pld_destroy(pld);
}

static void gaussian_compositions(void **state)
{
    (void)state;
    each_row("gaussian_compose", (const char *const[]){"s", "k", "eps", "log_delta", NULL}, gaussian_row, 80, 0.02);
}

/* The grid is epsilon itself: nothing is rounded, the bracket is as wide as its own errors. */
static void response_row(csv_reader *csv, const size_t *at, tally *t)
{
    const double e = (double)number(csv, at, 0), leak = (double)number(csv, at, 1), k = (double)number(csv, at, 2),
                 epsilon = (double)number(csv, at, 3);
    const long double exact = number(csv, at, 4);
    double low, high;
    if (k > 2e6 && !is_full()) return; /* many points */
    simdp_pld *pld = one(e);
    must(simdp_pld_add_randomized_response(pld, e, leak, (uint64_t)k));
    ask(pld, epsilon, exact, SIMDP_PLD_DOTS, SIMDP_PLD_BINS, &low, &high);
    judge(t, low, high, exact, csv);
    simdp_pld_destroy(pld);
}

static void randomized_responses(void **state)
{
    (void)state;
    each_row("compose_optimal_delta", (const char *const[]){"eps", "delta", "k", "eps_g", "log_delta_g", NULL},
             response_row, 1083, 1e-4);
}

/* Up to ten leaky responses with nothing in common. */
static void mixed_row(csv_reader *csv, const size_t *at, tally *t)
{
    char *epsilons[16], *leaks[16];
    const double epsilon = (double)number(csv, at, 2);
    const long double exact = number(csv, at, 3);
    const size_t count = csv_split(csv->cell[at[0]], epsilons);
    double low, high, total = 0;
    assert_int_equal(csv_split(csv->cell[at[1]], leaks), count);
    for (size_t i = 0; i < count; i++) total += strtod(epsilons[i], NULL);
    simdp_pld *pld = one(total / 20000);
    for (size_t i = 0; i < count; i++)
        must(simdp_pld_add_randomized_response(pld, strtod(epsilons[i], NULL), strtod(leaks[i], NULL), 1));
    ask(pld, epsilon, exact, SIMDP_PLD_DOTS, SIMDP_PLD_BINS, &low, &high);
    judge(t, low, high, exact, csv);
    ask(pld, epsilon, exact, SIMDP_PLD_UP, SIMDP_PLD_DOWN, &low, &high);
    judge(t, low, high, exact, csv);
    simdp_pld_destroy(pld);
}

static void mixed_responses(void **state)
{
    (void)state;
    each_row("compose_optimal_hetero", (const char *const[]){"epss", "deltas", "eps_g", "log_delta_g", NULL}, mixed_row,
             120, 0.05);
}

static void discrete_row(csv_reader *csv, const size_t *at, tally *t, bool gaussian)
{
    const double epsilon = (double)number(csv, at, 0), scale = (double)number(csv, at, 1);
    const uint64_t sensitivity = (uint64_t)number(csv, at, 2);
    const long double exact = number(csv, at, 3);
    const double unit = gaussian ? (double)sensitivity / scale / scale / 2 : 1 / scale; /* of all losses */
    double low, high;
    simdp_pld *pld = one(simdp_pld_grid(1, unit));
    must(gaussian ? simdp_pld_add_discrete_gaussian(pld, scale, sensitivity, 1)
                  : simdp_pld_add_discrete_laplace(pld, scale, sensitivity, 1));
    ask(pld, epsilon, exact, SIMDP_PLD_DOTS, SIMDP_PLD_BINS, &low, &high);
    judge(t, low, high, exact, csv);
    simdp_pld_destroy(pld);
}

static void discrete_gaussian_row(csv_reader *csv, const size_t *at, tally *t) { discrete_row(csv, at, t, true); }
static void discrete_laplace_row(csv_reader *csv, const size_t *at, tally *t) { discrete_row(csv, at, t, false); }

static void discrete_noise(void **state)
{
    (void)state;
    each_row("discrete_gaussian_delta", (const char *const[]){"eps", "sigma", "sens", "log_delta", NULL},
             discrete_gaussian_row, 62, 1e-3);
    each_row("discrete_laplace_delta", (const char *const[]){"eps", "t", "sens", "log_delta", NULL},
             discrete_laplace_row, 90, 1e-11);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(laplace_compositions), cmocka_unit_test(gaussian_compositions),
        cmocka_unit_test(randomized_responses), cmocka_unit_test(mixed_responses),
        cmocka_unit_test(discrete_noise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
