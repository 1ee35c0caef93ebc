/* test_release_tiny: every answer is noised, however small it is beside the grid: what comes out lies on the grid, and
 * an answer that is lost in units of the grid gives what 0 gives. Both laws, every precision, every instruction set. */
#include <float.h>

#include "support/release_support.h"

enum { LENGTH = 2055, LENGTH_WIDE = 133 }; /* neither a whole number of vectors nor of blocks */

static double answers[LENGTH], zeros[LENGTH], got[LENGTH], base[LENGTH];

/* Answers of every size: powers of two and what lies beside them, in absolute terms and in units of the grid. */
static size_t collect(double *list, double grid)
{
    static const double plain[] = {0.0,       0x1p-1074,   0x1.8p-1040, 0x1.fffffffffffffp-1023,
                                   0x1p-1022, 0x1.8p-1021, 0x1p-1000,   1e-300,
                                   0x1p-944,  0x1.1p-930,  1e-200,      0x1p-500,
                                   1e-100,    0x1p-60,     1e-10,       0.1,
                                   0.5,       1.0,         3.7,         1e10,
                                   0x1p52,    1e100,       0x1p500,     1e200,
                                   0x1p930,   1e300,       0x1p1023,    DBL_MAX,
                                   INFINITY,  NAN};
    static const double units[] = {0x1p-80,
                                   0x1p-53,
                                   0x1.8p-30,
                                   0.3,
                                   0.4999999,
                                   0.5,
                                   0.75,
                                   1.0,
                                   1.5,
                                   7.1,
                                   0x1p20,
                                   0x1.0000003p30,
                                   0x1.5555555555555p40,
                                   0x1.8p51,
                                   0x1.fffffffffffffp51};
    size_t count = 0;
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        for (int sign = -1; sign < 2; sign += 2) list[count++] = sign * plain[i];
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        for (int sign = -1; sign < 2; sign += 2) list[count++] = sign * units[i] * grid;
    /* about where a quotient becomes subnormal */
    for (int e = -1024; e <= -1020; e++)
        for (int sign = -1; sign < 2; sign += 2) list[count++] = sign * ldexp(1.25, e) * grid;
    return count;
}

/* Whether the answer counts as 0: by itself, or in units of the grid. */
static bool is_lost(double x, double grid)
{
    return isnan(x) || fabs(x) < DBL_MIN || (grid > 1 ? fabs(x) < DBL_MIN * grid : fabs(x) / grid < DBL_MIN);
}

typedef struct {
    size_t in_the_cell_of_zero, wrong;
} tally;

static void check_one(tally *t, double x, double y, double zero, double grid)
{
    const bool lost = is_lost(x, grid), fits = fabs(x) < 0x1p52 * grid;
    if (lost && y == 0.0 && x != 0.0 && !isnan(x)) t->in_the_cell_of_zero++;
    if (lost && memcmp(&y, &zero, sizeof y) != 0) t->wrong++;
    if (!isfinite(y) || (y == 0.0 && signbit(y))) t->wrong++;
    if ((lost || fits) && fmod(y, grid) != 0.0) t->wrong++;
    if (fits && fmod(x, grid) != 0.0 && y == x) t->wrong++;
    /* from 2^52 grid on an answer moves by noise, or stays if that is lost in its last place: never more than that */
    if (!lost && !fits && isfinite(x) && fabs(y - x) > fabs(x) && fabs(y) < DBL_MAX) t->wrong++;
}

static void release(int law, double *out, const double *in, size_t n, double scale, double grid, int least)
{
    simdp_rng rng;
    test_stream(&rng, 11, (uint64_t)law, 3);
    if (least < 0) { /* as everybody calls it */
        must(release_by_law(law, &rng, out, in, n, scale, grid));
        return;
    }
    const simdp_release_plan plan = simdp_release_plan_forced(law, scale, grid, 1.0, least, &release_scratch);
    const simdp_bits_at at = {
        .cipher = cipher_of_stream(&rng), .position = 3, .use = simdp_release_use(law, false, plan.scale)};
    release_planned(law, out, in, n, &at, &plan);
}

static bool is_legal(double scale, double grid)
{
    return scale == 0 || (scale >= SIMDP_NOISE_SCALE_MIN && scale <= SIMDP_NOISE_SCALE_MAX && scale <= 0x1p44 * grid);
}

/* Precision -1 is the public function, in place. */
static void check_release(tally *t, int law, double scale, double grid, int least)
{
    double list[200];
    const size_t kinds = collect(list, grid), n = least == PRECISION_WIDE ? LENGTH_WIDE : LENGTH;
    release(law, base, zeros, n, scale, grid, least);
    for (size_t i = 0; i < n; i++) answers[i] = list[(i * 31 + i / kinds) % kinds];
    memcpy(got, answers, sizeof got);
    release(law, got, least < 0 ? got : answers, n, scale, grid, least);
    const size_t before = t->wrong;
    for (size_t i = 0; i < n; i++) check_one(t, answers[i], got[i], base[i], grid);
    if (t->wrong > before)
        print_message("%s, scale %a, grid %a, precision %d: %zu of %zu are wrong\n", law_names[law], scale, grid, least,
                      t->wrong - before, n);
}

static void check_grids(tally *t, int law)
{
    static const double grids[] = {
        SIMDP_RELEASE_GRID_MIN, 0x1p-900, 0x1p-500, 0x1p-60, 0.5, 1.0, 2.0, 0x1p30, 0x1p60, 0x1p500, 0x1p900,
        SIMDP_RELEASE_GRID_MAX};
    static const double ratios[] = {0.0, 0x1p-30, 0x1.8p-5, 1.0, 0x1.3p10, 0x1.7p22, 0x1.9p29, 0x1p44};
    for (size_t g = 0; g < sizeof grids / sizeof *grids; g++) {
        for (size_t r = 0; r < sizeof ratios / sizeof *ratios; r++) {
            const double scale = ratios[r] * grids[g];
            if (!is_legal(scale, grids[g])) continue;
            for (int least = -1; least < (ratios[r] == 1.0 || ratios[r] == 0x1.7p22 ? 3 : 2); least++)
                if (least <= 0 || scale > 0) check_release(t, law, scale, grids[g], least);
        }
    }
}

static void test_every_answer_is_noised(void **state)
{
    (void)state;
    const simdp_kernels *table;
    for (size_t i = 0; (table = next_usable(&i)) != NULL; i++) {
        if (is_left_out(table)) continue;
        must(simdp_isa_select(table->variant));
        for (int law = 0; law < RELEASE_LAWS; law++) {
            tally t = {0, 0};
            check_grids(&t, law);
            print_message("%s, %s: %zu lost answers came out as 0\n", table->variant, law_names[law],
                          t.in_the_cell_of_zero);
            assert_int_equal(t.wrong, 0);
            assert_true(t.in_the_cell_of_zero > 10000); /* or the comparison above would have had nothing to see */
        }
    }
    must(simdp_isa_select(NULL));
}

/* The case by which it was found: an answer far below a wide grid. Control: the answer itself is what a release that
 * keeps it would show. */
static void test_one_tiny_answer(void **state)
{
    (void)state;
    enum { N = 1000 };
    double x[N], y[N];
    size_t kept = 0, in_zero = 0;
    for (int law = 0; law < RELEASE_LAWS; law++) {
        simdp_rng rng;
        test_stream(&rng, 5, 0, 0);
        for (int i = 0; i < N; i++) x[i] = 0x1p-1000;
        must(release_by_law(law, &rng, y, x, N, 0x1p30, 0x1p30));
        for (int i = 0; i < N; i++) {
            kept += y[i] == x[i];
            in_zero += y[i] == 0.0;
        }
    }
    assert_int_equal(kept, 0);
    assert_true(in_zero > 600);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_answer_is_noised),
        cmocka_unit_test(test_one_tiny_answer),
    };
    return cmocka_run_group_tests_name("release_tiny", tests, NULL, NULL);
}
