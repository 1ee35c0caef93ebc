/* test_select_by_id: simdp_select_gumbel_rows_by_id picks what MPFR picks from the bits that kernels/bits/STREAM.md gives
 * the id of a row, on every instruction set and whatever stage decides; and the winners of many ids follow the law. */
#include "bits/rng.h"
#include "reference/race_reference.h"
#include "select/select_call.h"
#include "support/by_id_support.h"
#include "support/law_check.h"

enum { SEED = 31, STREAM = 4, ROWS = 70, LARGEST = 3000 };

static double scores[ROWS * LARGEST];
static simdp_id ids[ROWS];

/* The key of a row's own stream. */
static void row_key(uint8_t own[16], size_t row, double scale, size_t n)
{
    const uint64_t parameters[2] = {test_number(scale), n};
    uint8_t key[32], use_key[16];
    uint64_t words[2];
    test_key(key, SEED);
    identity_reference_key(use_key, key, STREAM, 71u << 24, parameters, 2);
    identity_reference_under(words, use_key, &ids[row]);
    for (int i = 0; i < 16; i++) own[i] = (uint8_t)(words[i / 8] >> 8 * (i % 8));
}

static size_t reference(size_t row, double scale, size_t n)
{
    uint8_t own[16];
    size_t index;
    row_key(own, row, scale, n);
    const race_reference race = {.own = own, .scores = scores + row * n, .n = n, .scale = scale};
    race_reference_rank(&index, 1, &race);
    return index;
}

static void check(size_t rows, size_t n, double scale, uint64_t seed, size_t referred)
{
    static size_t first[ROWS], got[ROWS];
    const simdp_kernels *t;
    simdp_rng rng, unmoved;
    test_ids(ids, ROWS, seed);
    for (size_t i = 0; i < rows * n; i++)
        scores[i] = (double)(test_random(&seed) % 1000) / 200 + (i % 97 == 5 ? NAN : 0);
    for (size_t i = 0; (t = next_usable(&i)) != NULL; i++) {
        must(simdp_isa_select(t->variant));
        test_stream(&rng, SEED, STREAM, 999);
        unmoved = rng;
        must(simdp_select_gumbel_rows_by_id(&rng, got, scores, ids, rows, n, scale));
        assert_memory_equal(&rng, &unmoved, sizeof rng);
        if (t != next_usable(&(size_t){0})) assert_memory_equal(got, first, rows * sizeof *got);
        memcpy(first, got, sizeof got);
        for (int from = SELECT_FROM_VARTIME; from <= SELECT_FROM_WIDE && n < 300; from++) {
            const select_call call = {.rng = &rng,
                                      .index = got,
                                      .scores = {scores, false},
                                      .ids = ids,
                                      .rows = rows,
                                      .n = n,
                                      .draws = 1,
                                      .k = 1,
                                      .scale = scale,
                                      .from = from};
            must(simdp_select_run(&call));
            assert_memory_equal(got, first, rows * sizeof *got);
        }
    }
    for (size_t r = 0; r < referred; r++) assert_int_equal(first[r], reference(r, scale, n));
    must(simdp_isa_select(NULL));
}

static void test_reference(void **state)
{
    (void)state;
    check(ROWS, 1, 1.0, 1, 5);
    check(ROWS, 2, 1.0, 2, ROWS);
    check(ROWS, 9, 0.5, 3, 30);
    check(ROWS, 64, 2.0, 4, 6);
    check(ROWS, 128, 2.0, 5, 4);
    check(20, 129, 1.0, 6, 3);
    check(5, 3000, 1.0, 7, 1);
    check(5, 20, 0.0, 8, 0);
    assert_true(race_reference_close < 100);
}

/* Winners of n = 4 candidates over 2^18 ids, as the exponential mechanism has them, also where ids are neighbours; the
 * control has scores that are off by 1/50. */
static void test_law(void **state)
{
    (void)state;
    enum { MANY = 1 << 18, N = 4 };
    static double rows[MANY * N];
    static simdp_id many[MANY];
    static size_t index[MANY];
    static const double row[N] = {0.0, 0.5, 1.0, -1.0};
    uint64_t count[N] = {0}, pairs[N * N] = {0};
    double p[N], wrong[N], products[N * N], sum = 0, sum_wrong = 0;
    simdp_rng rng;
    for (size_t i = 0; i < MANY; i++) {
        many[i] = (simdp_id){i, 0};
        memcpy(rows + N * i, row, sizeof row);
    }
    test_stream(&rng, SEED, STREAM, 0);
    must(simdp_select_gumbel_rows_by_id(&rng, index, rows, many, MANY, N, 1.0));
    for (size_t i = 0; i < MANY; i++) count[index[i]]++;
    for (size_t i = 0; i + 1 < MANY; i += 2) pairs[N * index[i] + index[i + 1]]++;
    for (int j = 0; j < N; j++) {
        sum += p[j] = exp(row[j]);
        sum_wrong += wrong[j] = exp(row[j] + (j == 1 ? 0.04 : 0));
    }
    for (int j = 0; j < N; j++) p[j] /= sum, wrong[j] /= sum_wrong;
    for (int j = 0; j < N * N; j++) products[j] = p[j / N] * p[j % N];
    assert_true(law_check_counts(count, p, N));
    assert_true(law_check_counts(pairs, products, N * N));
    assert_false(law_check_counts(count, wrong, N));
}

/* Streams that keep no key are refused, whatever the number of rows, and leave no winner. */
static void test_streams_refused(void **state)
{
    (void)state;
    simdp_rng kinds[3] = {{0}, {0}, {.kind = RNG_SOURCE}};
    must(simdp_rng_init(&kinds[0]));
    for (size_t i = 0; i < 3; i++) {
        for (size_t rows = 0; rows < 3; rows++) {
            size_t index[3] = {7, 7, 7};
            assert_int_equal(simdp_select_gumbel_rows_by_id(&kinds[i], index, scores, ids, rows, 2, 1.0), SIMDP_EPARAM);
            for (size_t r = 0; r < 3; r++) assert_true(index[r] == (r < rows ? SIZE_MAX : 7));
        }
    }
    simdp_rng_wipe(&kinds[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reference),
        cmocka_unit_test(test_law),
        cmocka_unit_test(test_streams_refused),
    };
    return cmocka_run_group_tests_name("select_by_id", tests, NULL, NULL);
}
