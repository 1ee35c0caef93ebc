/* test_release_forms: arguments good and bad, pieces and wholes, in place, streams of every kind. */
#include "bits/rng.h"
#include "support/release_support.h"

#define COUNT 9000

static const double scale = 1.5;

/* ---- bad input ---- */

static bool all_nan(const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!isnan(x[i])) return false;
    }
    return true;
}

static void test_null(void **state)
{
    (void)state;
    simdp_rng rng;
    double x[2] = {1, 2}, out[2] = {7, 7};
    int64_t y[2] = {1, 2}, out_i64[2] = {7, 7};
    test_stream(&rng, 1, 0, 0);
    for (int law = 0; law < RELEASE_LAWS; law++) {
        assert_int_equal(release_by_law(law, NULL, out, x, 2, 1, 0.5), SIMDP_ENULL);
        assert_int_equal(release_by_law(law, &rng, NULL, x, 2, 1, 0.5), SIMDP_ENULL);
        assert_int_equal(release_by_law(law, &rng, out, NULL, 2, 1, 0.5), SIMDP_ENULL);
        assert_int_equal(release_by_law(law, &rng, out, NULL, 2, NAN, 0.5), SIMDP_ENULL);
        assert_int_equal(release_by_law(law, &rng, NULL, NULL, 0, 1, 0.5), SIMDP_OK);
        assert_int_equal(release_by_law_i64(law, NULL, out_i64, y, 2, 1), SIMDP_ENULL);
        assert_int_equal(release_by_law_i64(law, &rng, NULL, y, 2, 1), SIMDP_ENULL);
        assert_int_equal(release_by_law_i64(law, &rng, out_i64, NULL, 2, 1), SIMDP_ENULL);
        assert_int_equal(release_by_law_i64(law, &rng, NULL, NULL, 0, 1), SIMDP_OK);
    }
    assert_true(out[0] == 7 && out[1] == 7 && out_i64[0] == 7 && out_i64[1] == 7);
    assert_int_equal(simdp_rng_position(&rng), 0);
}

static void test_parameters(void **state)
{
    (void)state;
    static const struct {
        double scale, grid;
    } bad[] = {
        {NAN, 1},
        {INFINITY, 1},
        {-1, 1},
        {-0x1p-1074, 1},
        {1, NAN},
        {1, INFINITY},
        {1, 0},
        {1, -0.5},
        {1, 0.75},
        {1, 3},
        {1, 0x1.0000000000001p0},
        {0x1.fffffffffffffp-31, 1},
        {0x1.0000000000001p44, 1},
        {0x1p-1030, 0x1p-1030},
        {1e-300, 0x1p-944},
        {0x1p+901, 0x1p+900},
        {0x1p-901, 0x1p-900},
        {0x1p-900, 0x1p-945},
        {0, 0x1p-945},
        {0, 0x1p+931},
        {0, NAN},
        {0, 3},
        {0, 0},
    };
    static const struct {
        double scale, grid;
    } good[] = {{0, 1},       {-0.0, 1},   {0, 0x1p-944},        {0, 0x1p+930},
                {0x1p-30, 1}, {0x1p44, 1}, {0x1p-900, 0x1p-944}, {0x1p900, 0x1p+930}};
    simdp_rng rng;
    for (int law = 0; law < RELEASE_LAWS; law++) {
        for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
            double x[3] = {1, 2, 3};
            int64_t y[3] = {1, 2, 3};
            test_stream(&rng, 1, 0, 5);
            assert_int_equal(release_by_law(law, &rng, x, x, 3, bad[i].scale, bad[i].grid), SIMDP_EPARAM);
            assert_true(all_nan(x, 3)); /* in place too: no answer is left */
            if (bad[i].grid == 1) {
                assert_int_equal(release_by_law_i64(law, &rng, y, y, 3, bad[i].scale), SIMDP_EPARAM);
                assert_true(y[0] == INT64_MIN && y[1] == INT64_MIN && y[2] == INT64_MIN);
            }
            assert_int_equal(simdp_rng_position(&rng), 5);
        }
        for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
            double x[3] = {1, 2, 3};
            test_stream(&rng, 1, 0, 5);
            must(release_by_law(law, &rng, x, x, 3, good[i].scale, good[i].grid));
            assert_int_equal(simdp_rng_position(&rng), 8);
        }
    }
}

static void test_too_many(void **state)
{
    (void)state;
    simdp_rng rng;
    double x[10] = {4};
    int64_t y[10] = {4};
    test_stream(&rng, 1, 0, UINT64_MAX - 4);
    for (int law = 0; law < RELEASE_LAWS; law++) {
        assert_int_equal(release_by_law(law, &rng, x, x, SIZE_MAX / 8 + 1, 1, 0.5), SIMDP_EPARAM);
        assert_true(x[0] == 4);
        assert_int_equal(release_by_law(law, &rng, x, x, 10, 1, 0.5), SIMDP_EPARAM);
        assert_int_equal(release_by_law_i64(law, &rng, y, y, 10, 1), SIMDP_EPARAM);
        assert_true(all_nan(x, 10) && y[0] == INT64_MIN && y[9] == INT64_MIN);
        x[0] = 4;
        must(release_by_law_i64(law, &rng, y + 1, y + 1, 4, 1));
        assert_int_equal(simdp_rng_position(&rng), UINT64_MAX);
        must(simdp_rng_seek(&rng, UINT64_MAX - 4));
    }
    simdp_rng_wipe(&rng);
    assert_int_equal(simdp_release_laplace(&rng, x, x, 1, 1, 0.5), SIMDP_EPARAM);
}

static void test_grid(void **state)
{
    (void)state;
    assert_true(simdp_release_grid(1.0) == 0x1p-22);
    assert_true(simdp_release_grid(0x1.fffffffffffffp0) == 0x1p-22);
    assert_true(simdp_release_grid(2.0) == 0x1p-21);
    assert_true(simdp_release_grid(0x1p-900) == 0x1p-922 && simdp_release_grid(0x1p900) == 0x1p878);
    assert_true(simdp_release_grid(0.0) == SIMDP_RELEASE_GRID_MIN);
    const double bad[] = {NAN, INFINITY, -INFINITY, -1.0, 0x1p-1074, 0x1p901, 0x1p-901};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) assert_true(isnan(simdp_release_grid(bad[i])));
    uint64_t seed = 1;
    for (int i = 0; i < 1000; i++) {
        const double s =
            ldexp(1 + (double)(test_random(&seed) >> 12) * 0x1p-52, (int)(test_random(&seed) % 1800) - 900);
        if (s > SIMDP_NOISE_SCALE_MAX) continue;
        const double ratio = s / simdp_release_grid(s);
        assert_true(ratio >= 0x1p22 && ratio < 0x1p23);
    }
}

/* ---- what comes out ---- */

/* Scale 0: the answers on the grid, never -0, the position moves on. */
static void test_no_noise(void **state)
{
    (void)state;
    const double x[] = {0.3,
                        0.5,
                        1.5,
                        -0.5,
                        -0.3,
                        -0.0,
                        NAN,
                        INFINITY,
                        -INFINITY,
                        1e300,
                        0x1p-1050,
                        7.25,
                        0x1.fffffffffffffp52,
                        0x1.fffffffffffffp51};
    const double want[] = {
        0,     0, 2, 0, 0, 0, 0, 0x1.fffffffffffffp1023, -0x1.fffffffffffffp1023, 1e300, 0, 7, 0x1.fffffffffffffp52,
        0x1p52};
    double out[sizeof x / sizeof x[0]];
    const size_t n = sizeof x / sizeof x[0];
    for (int law = 0; law < RELEASE_LAWS; law++) {
        simdp_rng rng;
        test_stream(&rng, 1, 0, 2);
        must(release_by_law(law, &rng, out, x, n, 0.0, 1.0));
        assert_int_equal(simdp_rng_position(&rng), 2 + n);
        assert_memory_equal(out, want, sizeof want);
        must(release_by_law(law, &rng, out, x, n, 0.0, simdp_release_grid(0.0))); /* the finest grid changes nothing */
        for (size_t i = 0; i < n; i++) assert_true(out[i] == x[i] || isnan(x[i]) || isinf(x[i]) || x[i] == 0x1p-1050);
        int64_t y[3] = {INT64_MIN, -7, INT64_MAX}, z[3];
        must(release_by_law_i64(law, &rng, z, y, 3, 0.0));
        assert_memory_equal(y, z, sizeof y);
    }
}

/* Results are multiples of the grid and never -0; noise around a huge answer vanishes, around a largest one it
 * saturates. */
static void test_results(void **state)
{
    (void)state;
    static double x[COUNT], out[COUNT];
    static int64_t y[COUNT], z[COUNT];
    for (int law = 0; law < RELEASE_LAWS; law++) {
        simdp_rng rng;
        test_stream(&rng, 2, 0, 0);
        for (size_t i = 0; i < COUNT; i++) x[i] = i % 2 ? -0.0 : (double)i * 1e-5;
        must(release_by_law(law, &rng, out, x, COUNT, 0.75, 0.5));
        size_t zeros = 0;
        for (size_t i = 0; i < COUNT; i++) {
            assert_true(out[i] == rint(2 * out[i]) / 2 && !(out[i] == 0 && signbit(out[i])));
            zeros += out[i] == 0;
        }
        assert_true(zeros > COUNT / 20);
        for (size_t i = 0; i < COUNT; i++) y[i] = i % 2 ? INT64_MAX - 5 : INT64_MIN + 5;
        must(release_by_law_i64(law, &rng, z, y, COUNT, 100.0));
        size_t ends = 0;
        for (size_t i = 0; i < COUNT; i++) {
            assert_true(i % 2 ? z[i] > INT64_MAX - 100000 : z[i] < INT64_MIN + 100000);
            ends += z[i] == INT64_MAX || z[i] == INT64_MIN;
        }
        assert_true(ends > COUNT / 3);
    }
}

/* ---- pieces, places, streams ---- */

static void fill_answers(double *x, int64_t *y)
{
    odd_answers(x, COUNT, simdp_release_grid(scale), 5);
    for (size_t i = 0; i < COUNT; i++) y[i] = (int64_t)i * 1000 - 4000;
}

/* A call in place, in pieces of random lengths up to `longest`, from where rng is; at the end 77 must have survived. */
static void in_pieces_f64(int law, simdp_rng *rng, double *x, double grid, size_t longest, uint64_t *random)
{
    for (size_t done = 0, n; done < COUNT; done += n) {
        n = test_random(random) % longest;
        if (n > COUNT - done) n = COUNT - done;
        must(release_by_law(law, rng, x + done, x + done, n, scale, grid));
    }
    assert_true(x[COUNT] == 77);
}

static void in_pieces_i64(int law, simdp_rng *rng, int64_t *y, double s, size_t longest, uint64_t *random)
{
    for (size_t done = 0, n; done < COUNT; done += n) {
        n = test_random(random) % longest & ~(size_t)1; /* even: two may share a word */
        if (n > COUNT - done) n = COUNT - done;
        must(release_by_law_i64(law, rng, y + done, y + done, n, s));
    }
    assert_true(y[COUNT] == 77);
}

/* Pieces and places make no difference, and answers stay. Control: the next position does. */
static void test_pieces_and_in_place(void **state)
{
    (void)state;
    static double x[COUNT], kept[COUNT], whole[COUNT], pieces[COUNT + 1];
    static int64_t y[COUNT], kept_i64[COUNT], whole_i64[COUNT], pieces_i64[COUNT + 1];
    static const double grids[] = {0x1p-22, 0x1p-27, 0x1p-35}; /* long blocks, short ones, double-doubles throughout */
    const simdp_kernels *t;
    uint64_t random = 3;
    fill_answers(x, y);
    memcpy(kept, x, sizeof x);
    memcpy(kept_i64, y, sizeof y);
    for (size_t i = 0; (t = next_usable(&i)) != NULL; i++) {
        must(simdp_isa_select(t->variant));
        for (int round = 0; round < 9 * RELEASE_LAWS; round++) {
            simdp_rng a, b;
            const int law = round / 9;
            const double grid = grids[round % 3], scale_i64 = round % 2 ? 3000.0 : 30.0;
            const size_t longest = round % 9 < 3 ? 40 : 5000;
            test_stream(&a, 6, 1, 40 + (uint64_t)round);
            b = a;
            must(release_by_law(law, &a, whole, x, COUNT, scale, grid));
            memcpy(pieces, x, sizeof x);
            pieces[COUNT] = 77;
            in_pieces_f64(law, &b, pieces, grid, longest, &random);
            assert_memory_equal(whole, pieces, sizeof whole);
            must(release_by_law_i64(law, &a, whole_i64, y, COUNT, scale_i64));
            memcpy(pieces_i64, y, sizeof y);
            pieces_i64[COUNT] = 77;
            in_pieces_i64(law, &b, pieces_i64, scale_i64, longest, &random);
            assert_memory_equal(whole_i64, pieces_i64, sizeof whole_i64);
            assert_int_equal(simdp_rng_position(&a), simdp_rng_position(&b));
            assert_memory_equal(x, kept, sizeof x);
            assert_memory_equal(y, kept_i64, sizeof y);
            test_stream(&a, 6, 1, 41 + (uint64_t)round);
            must(release_by_law(law, &a, pieces, x, COUNT, scale, grid));
            must(release_by_law_i64(law, &a, pieces_i64, y, COUNT, scale_i64));
            assert_memory_not_equal(whole, pieces, sizeof whole);
            assert_memory_not_equal(whole_i64, pieces_i64, sizeof whole_i64);
        }
    }
    must(simdp_isa_select(NULL));
}

/* A stream that erases its keys: a copy repeats it, in other pieces. Far grids send every element to double-doubles,
 * whose further words must come from the key of their piece. */
static void test_erased_keys(void **state)
{
    (void)state;
    enum { N = 3 * SIMDP_RNG_ERASE_POSITIONS + 1000 };
    static double zeros[N], whole[N], pieces[N];
    static int64_t none[N], whole_i64[N], pieces_i64[N];
    for (int law = 0; law < RELEASE_LAWS; law++) {
        for (int far = 0; far < 2; far++) {
            simdp_rng a, b;
            const double grid = far ? 0x1p-35 : 0x1p-22;
            must(simdp_rng_init(&a));
            b = a;
            must(release_by_law(law, &a, whole, zeros, N, scale, grid));
            must(release_by_law_i64(law, &a, whole_i64, none, N, 50.0));
            for (size_t done = 0; done < N; done += 10007)
                must(release_by_law(law, &b, pieces + done, zeros, N - done < 10007 ? N - done : 10007, scale, grid));
            for (size_t done = 0; done < N; done += 10008)
                must(release_by_law_i64(law, &b, pieces_i64 + done, none, N - done < 10008 ? N - done : 10008, 50.0));
            assert_memory_equal(whole, pieces, sizeof whole);
            assert_memory_equal(whole_i64, pieces_i64, sizeof whole_i64);
            assert_int_equal(simdp_rng_position(&a), simdp_rng_position(&b));
            simdp_rng_wipe(&a);
        }
    }
}

/* An external source gives a key of four words to each call. */
typedef struct {
    uint64_t next, limit;
} counter_source;

static simdp_status count_up(void *context, uint64_t *out, size_t n)
{
    counter_source *c = context;
    if (c->next + n > c->limit) return SIMDP_ESOURCE;
    for (size_t i = 0; i < n; i++) out[i] = ++c->next * 0x9e3779b97f4a7c15;
    return SIMDP_OK;
}

static void test_external_source(void **state)
{
    (void)state;
    static double x[COUNT], got[COUNT], want[COUNT];
    static int64_t y[COUNT], got_i64[COUNT], want_i64[COUNT];
    fill_answers(x, y);
    for (int law = 0; law < RELEASE_LAWS; law++) {
        counter_source c = {0, 8}, d = {0, UINT64_MAX};
        simdp_rng rng = {.kind = RNG_SOURCE, .source = count_up, .context = &c}, local;
        uint64_t key[4];
        must(release_by_law(law, &rng, got, x, 0, scale, 0x1p-22));
        assert_int_equal(c.next, 0);
        must(release_by_law(law, &rng, got, x, COUNT, scale, 0x1p-22));
        must(release_by_law_i64(law, &rng, got_i64, y, COUNT, 9.0));
        assert_int_equal(c.next, 8);
        assert_int_equal(simdp_rng_position(&rng), 2 * COUNT);
        must(count_up(&d, key, 4));
        test_put_in_order(key, 4, 1);
        must(simdp_rng_init_deterministic(&local, (const uint8_t *)key, 0));
        must(release_by_law(law, &local, want, x, COUNT, scale, 0x1p-22));
        assert_memory_equal(got, want, sizeof got);
        must(count_up(&d, key, 4));
        test_put_in_order(key, 4, 1);
        must(simdp_rng_init_deterministic(&local, (const uint8_t *)key, 0));
        must(release_by_law_i64(law, &local, want_i64, y, COUNT, 9.0));
        assert_memory_equal(got_i64, want_i64, sizeof got_i64);
        /* now it is empty: nothing of the answers stays */
        assert_int_equal(release_by_law(law, &rng, got, x, COUNT, scale, 0x1p-22), SIMDP_ESOURCE);
        assert_true(all_nan(got, COUNT));
        assert_int_equal(release_by_law_i64(law, &rng, got_i64, y, COUNT, 9.0), SIMDP_ESOURCE);
        for (size_t i = 0; i < COUNT; i++) assert_true(got_i64[i] == INT64_MIN);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_null),
        cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_too_many),
        cmocka_unit_test(test_grid),
        cmocka_unit_test(test_no_noise),
        cmocka_unit_test(test_results),
        cmocka_unit_test(test_pieces_and_in_place),
        cmocka_unit_test(test_erased_keys),
        cmocka_unit_test(test_external_source),
    };
    return cmocka_run_group_tests_name("release_forms", tests, NULL, NULL);
}
