/* test_release_sums: sums of clamped records: exact, in any order, within their sensitivity, the same on every
 * instruction set. */
#include <float.h>
#include <math.h>
#include <xmmintrin.h>

#include "support/test_support.h"

#define N 5000

/* ---- doubles ---- */

static double reference_sum(const double *x, size_t n, double lower, double upper, double grid)
{
    const double least = ceil(lower / grid), most = floor(upper / grid);
    __int128 sum = 0;
    for (size_t i = 0; i < n; i++) {
        const double q = (isnan(x[i]) ? 0.0 : x[i]) / grid;
        sum += (int64_t)nearbyint(q < least ? least : q > most ? most : q);
    }
    const __int128 limit = (__int128)1 << 53;
    return (double)(int64_t)(sum > limit ? limit : sum < -limit ? -limit : sum) * grid;
}

static const double specials[] = {0.0,      -0.0,         NAN,           INFINITY, -INFINITY, DBL_MAX,
                                  -DBL_MAX, DBL_TRUE_MIN, -DBL_TRUE_MIN, DBL_MIN,  0.5,       -0.5,
                                  1.5,      2.5,          0x1p52,        -0x1p51,  1e-300,    1e300};
#define SPECIALS (sizeof specials / sizeof specials[0])

static void fill_records(double *x, size_t n, uint64_t seed)
{
    for (size_t i = 0; i < n; i++) {
        const double unit = (double)(int64_t)test_random(&seed) * 0x1p-63;
        const uint64_t kind = test_random(&seed);
        x[i] = kind % 4 == 0 ? specials[kind / 8 % SPECIALS] : ldexp(unit, (int)(kind >> 20) % 40 - 20);
    }
}

static const struct {
    double lower, upper, grid;
} settings[] = {{0, 1, 0x1p-20},
                {-1, 1, 0x1p-10},
                {-3.3, 7.7, 0.25},
                {0, 1000, 1},
                {2, 5, 1},
                {-9, -4, 0.5},
                {0, 0, 1},
                {-0x1p51, 0x1p51, 1},
                {-0x1p-900, 0x1p-901, SIMDP_RELEASE_GRID_MIN},
                {0, 0x1p900, 0x1p850},
                {-0.1, 0.1, 1},
                {1e-20, 1, 0x1p-30}};
#define SETTINGS (sizeof settings / sizeof settings[0])

static void test_exact(void **state)
{
    (void)state;
    static double x[N + 7];
    const simdp_kernels *t;
    for (size_t k = 0; (t = next_usable(&k)) != NULL; k++) {
        must(simdp_isa_select(t->variant));
        for (size_t s = 0; s < SETTINGS; s++) {
            const double grid = settings[s].grid;
            for (size_t n = 0; n <= N; n += n < 70 ? 1 : 613) {
                double sum = 5;
                double *from = x + n % 7; /* any alignment */
                fill_records(from, n, n + s);
                must(simdp_release_clamped_sum(&sum, from, n, settings[s].lower, settings[s].upper, grid));
                const double want = reference_sum(from, n, settings[s].lower, settings[s].upper, grid);
                if (sum != want || signbit(sum) != signbit(want + 0.0))
                    fail_msg("%s, setting %zu, n = %zu: %a is not %a", t->variant, s, n, sum, want);
            }
        }
    }
    must(simdp_isa_select(NULL));
}

/* Any order gives the same bits; control: a plain sum does not. */
static void test_order(void **state)
{
    (void)state;
    static double x[N];
    uint64_t random = 3;
    double first = 0, plain_first = 0;
    size_t plain_changes = 0;
    for (size_t i = 0; i < N; i++) x[i] = (double)(int64_t)test_random(&random) * 0x1p-63;
    for (int round = 0; round < 100; round++) {
        double sum, plain = 0;
        must(simdp_release_clamped_sum(&sum, x, N, -1.0, 1.0, 0x1p-40));
        for (size_t i = 0; i < N; i++) plain += x[i];
        if (round == 0) first = sum, plain_first = plain;
        assert_memory_equal(&sum, &first, sizeof sum);
        plain_changes += plain != plain_first;
        for (size_t i = N - 1; i > 0; i--) { /* Fisher and Yates */
            const size_t j = test_random(&random) % (i + 1);
            const double y = x[i];
            x[i] = x[j];
            x[j] = y;
        }
    }
    assert_true(plain_changes > 50);
}

/* Neighbours differ by no more than is stated, with records of every kind and where the sum saturates; control: a plain
 * sum of clamped doubles, whose roundings can differ by more than a record. */
static void test_sensitivity(void **state)
{
    (void)state;
    static double x[N];
    for (size_t s = 0; s < SETTINGS; s++) {
        const double lower = settings[s].lower, upper = settings[s].upper, grid = settings[s].grid;
        for (int round = 0; round < 200; round++) {
            uint64_t random = (uint64_t)round;
            const size_t n = 1 + test_random(&random) % 60, i = test_random(&random) % n;
            double with, without, other;
            fill_records(x, n, (uint64_t)round);
            if (round % 2)
                for (size_t k = 0; k < n; k++) x[k] = round % 4 == 1 ? upper : lower;
            must(simdp_release_clamped_sum(&with, x, n, lower, upper, grid));
            x[i] = specials[test_random(&random) % SPECIALS];
            must(simdp_release_clamped_sum(&other, x, n, lower, upper, grid));
            x[i] = x[n - 1];
            must(simdp_release_clamped_sum(&without, x, n - 1, lower, upper, grid));
            assert_true(fabs(with - other) <= upper - lower);
            assert_true(fabs(other - without) <= fmax(fabs(lower), fabs(upper)));
        }
    }
    /* both begin alike, then 1, 1, 1 ... or 2, 1, 1, ...: clamped to [1, 2] */
    double big = 0x1p53, big_and_one = 0x1p53;
    for (int k = 0; k < 100; k++) big += 1.0;
    big_and_one += 2.0;
    for (int k = 1; k < 100; k++) big_and_one += 1.0;
    assert_true(fabs(big_and_one - big) > 1.0);
}

/* ---- integers ---- */

static int64_t reference_sum_i64(const int64_t *x, size_t n, int64_t lower, int64_t upper)
{
    __int128 sum = 0;
    for (size_t i = 0; i < n; i++) sum += x[i] < lower ? lower : x[i] > upper ? upper : x[i];
    return sum > INT64_MAX ? INT64_MAX : sum < INT64_MIN ? INT64_MIN : (int64_t)sum;
}

static void test_integers(void **state)
{
    (void)state;
    static int64_t x[N];
    static const int64_t bounds[][2] = {{0, 1},
                                        {-1, 1},
                                        {INT64_MIN, INT64_MAX},
                                        {-5, -5},
                                        {-100, 100000},
                                        {INT64_MAX, INT64_MAX},
                                        {INT64_MIN, INT64_MIN},
                                        {INT64_MIN, 0},
                                        {-3000000000, 4000000000}};
    const simdp_kernels *t;
    for (size_t k = 0; (t = next_usable(&k)) != NULL; k++) {
        must(simdp_isa_select(t->variant));
        for (size_t b = 0; b < sizeof bounds / sizeof bounds[0]; b++) {
            for (size_t n = 0; n <= N; n += n < 70 ? 1 : 613) {
                uint64_t random = n * 9 + b;
                int64_t sum = 5;
                for (size_t i = 0; i < n; i++) x[i] = (int64_t)test_random(&random) >> test_random(&random) % 64;
                must(simdp_release_clamped_sum_i64(&sum, x, n, bounds[b][0], bounds[b][1]));
                assert_int_equal(sum, reference_sum_i64(x, n, bounds[b][0], bounds[b][1]));
            }
        }
    }
    must(simdp_isa_select(NULL));
}

static void test_floating_point_modes(void **state)
{
    (void)state;
    static double x[333];
    double want, got;
    const unsigned saved = _mm_getcsr();
    fill_records(x, 333, 8);
    must(simdp_release_clamped_sum(&want, x, 333, -3.3, 7.7, 0x1p-9));
    for (unsigned mode = 0; mode < 8; mode++) { /* roundings, DAZ and FTZ */
        const unsigned csr = (saved & ~0xe040u) | (mode & 3) << 13 | (mode & 4 ? 0x8040u : 0);
        _mm_setcsr(csr);
        const simdp_status status = simdp_release_clamped_sum(&got, x, 333, -3.3, 7.7, 0x1p-9);
        const unsigned after = _mm_getcsr();
        _mm_setcsr(saved);
        must(status);
        assert_int_equal(after & ~0x3fu, csr & ~0x3fu);
        assert_memory_equal(&got, &want, sizeof got);
    }
}

static void test_bad_input(void **state)
{
    (void)state;
    static const double bad[][3] = {{0, 1, 0},      {0, 1, -1},        {0, 1, NAN},      {0, 1, INFINITY},
                                    {0, 1, 0.3},    {0, 1, DBL_MIN},   {1, 0, 1},        {NAN, 1, 1},
                                    {0, NAN, 1},    {-INFINITY, 1, 1}, {0, INFINITY, 1}, {0.2, 0.8, 1},
                                    {0, 0x1p52, 1}, {-0x1p52, 0, 1},   {0, 1, 0x1p931},  {0, 1e300, 0x1p-900}};
    const double x[3] = {1, 2, 3};
    const int64_t y[3] = {1, 2, 3};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        double sum = 5;
        assert_int_equal(simdp_release_clamped_sum(&sum, x, 3, bad[i][0], bad[i][1], bad[i][2]), SIMDP_EPARAM);
        assert_true(isnan(sum));
    }
    double sum = 5;
    int64_t whole = 5;
    assert_int_equal(simdp_release_clamped_sum(NULL, x, 3, 0, 1, 1), SIMDP_ENULL);
    assert_int_equal(simdp_release_clamped_sum(&sum, NULL, 3, 0, 1, 1), SIMDP_ENULL);
    assert_int_equal(simdp_release_clamped_sum(&sum, x, SIZE_MAX / 4, 0, 1, 1), SIMDP_EPARAM);
    assert_true(sum == 5);
    assert_int_equal(simdp_release_clamped_sum_i64(NULL, y, 3, 0, 1), SIMDP_ENULL);
    assert_int_equal(simdp_release_clamped_sum_i64(&whole, NULL, 3, 0, 1), SIMDP_ENULL);
    assert_int_equal(simdp_release_clamped_sum_i64(&whole, y, 3, 1, 0), SIMDP_EPARAM);
    assert_int_equal(whole, 5);
    must(simdp_release_clamped_sum(&sum, NULL, 0, 0, 1, 1));
    assert_true(sum == 0 && !signbit(sum));
    must(simdp_release_clamped_sum_i64(&whole, NULL, 0, 0, 1));
    assert_int_equal(whole, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_sensitivity),
        cmocka_unit_test(test_integers),
        cmocka_unit_test(test_floating_point_modes),
        cmocka_unit_test(test_bad_input),
    };
    return cmocka_run_group_tests_name("release_sums", tests, NULL, NULL);
}
