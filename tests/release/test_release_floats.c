/* test_release_floats: releases of floats are those of doubles for the same numbers at the same position, then the
 * nearest float: for every kind of answer, in pieces, in place, at any alignment, on every instruction set. */
#include <float.h>
#include <math.h>

#include "support/test_support.h"

enum { COUNT = 5000 };

typedef simdp_status release_f32(simdp_rng *rng, float *out, const float *answers, size_t n, double scale, double grid);
typedef simdp_status release_f64(simdp_rng *rng, double *out, const double *answers, size_t n, double scale,
                                 double grid);

static const struct {
    release_f32 *floats;
    release_f64 *doubles;
} laws[] = {{simdp_release_laplace_f32, simdp_release_laplace}, {simdp_release_gaussian_f32, simdp_release_gaussian}};
enum { LAWS = 2 };

/* The last two: results are subnormal as floats; noise as large as FLT_MAX. */
static const struct {
    double scale, grid;
} noises[] = {{1.5, 0x1p-22},     {1.5, 0x1p-35},       {0, 0.5},          {0, SIMDP_RELEASE_GRID_MIN}, {1e30, 0x1p78},
              {0x1p-10, 0x1p-30}, {0x1p-128, 0x1p-150}, {0x1p128, 0x1p106}};
enum { NOISES = sizeof noises / sizeof noises[0] };

static void fill_answers(float *x, uint64_t seed)
{
    static const float odd[] = {
        NAN,     -NAN,     INFINITY, -INFINITY, -0.0f, 0.0f, 0x1p-149f, -0x1p-149f, 0x1.fffffcp-127f,
        FLT_MIN, -FLT_MIN, FLT_MAX,  -FLT_MAX,  1e37f, 0.5f, -2.5f};
    for (size_t i = 0; i < COUNT; i++) {
        const uint32_t bits = (uint32_t)test_random(&seed);
        memcpy(&x[i], &bits, sizeof bits); /* any float at all */
        if (i % 3 == 1) x[i] = odd[test_random(&seed) % (sizeof odd / sizeof *odd)];
        if (i % 3 == 2) x[i] = (float)(int32_t)test_random(&seed) * 0x1p-20f;
    }
}

static double widened(float x) { return fabsf(x) < FLT_MIN ? 0.0 : (double)x; }

static float nearest(double x)
{
    if (fabs(x) < (double)FLT_MIN) return 0.0f;
    return x > (double)FLT_MAX ? FLT_MAX : x < (double)-FLT_MAX ? -FLT_MAX : (float)x;
}

/* What a call of floats must give, from the release of doubles. */
static void expected(int law, float *want, const float *answers, uint64_t position, int noise)
{
    static double wide[COUNT];
    simdp_rng rng;
    for (size_t i = 0; i < COUNT; i++) wide[i] = widened(answers[i]);
    test_stream(&rng, 3, 0, position);
    must(laws[law].doubles(&rng, wide, wide, COUNT, noises[noise].scale, noises[noise].grid));
    for (size_t i = 0; i < COUNT; i++) want[i] = nearest(wide[i]);
}

static void test_identity(void **state)
{
    (void)state;
    static float x[COUNT], kept[COUNT], want[COUNT], got[COUNT];
    const simdp_kernels *t;
    fill_answers(x, 1);
    memcpy(kept, x, sizeof x);
    for (int round = 0; round < LAWS * NOISES; round++) {
        const int law = round % LAWS, noise = round / LAWS;
        must(simdp_isa_select(NULL));
        expected(law, want, x, 5 + (uint64_t)round, noise);
        for (size_t i = 0; (t = next_usable(&i)) != NULL; i++) {
            simdp_rng rng;
            if (is_left_out(t)) continue;
            must(simdp_isa_select(t->variant));
            test_stream(&rng, 3, 0, 5 + (uint64_t)round);
            must(laws[law].floats(&rng, got, x, COUNT, noises[noise].scale, noises[noise].grid));
            assert_int_equal(simdp_rng_position(&rng), 5 + (uint64_t)round + COUNT);
            assert_memory_equal(got, want, sizeof want);
            assert_memory_equal(x, kept, sizeof x);
        }
    }
    must(simdp_isa_select(NULL));
    /* what the rows above reach */
    size_t most = 0, zeros = 0;
    expected(0, want, x, 0, NOISES - 1);
    for (size_t i = 0; i < COUNT; i++) most += fabsf(want[i]) == FLT_MAX;
    expected(0, want, x, 0, NOISES - 2);
    for (size_t i = 0; i < COUNT; i++) zeros += want[i] == 0.0f && !signbit(want[i]);

    assert_true(most > COUNT / 3 && most < COUNT && zeros > COUNT / 30);
}

/* Pieces of all lengths, in place, in memory that is not aligned for floats. Control: another position differs. */
static void test_pieces(void **state)
{
    (void)state;
    static float x[COUNT], want[COUNT];
    static unsigned char room[COUNT * sizeof(float) + 64];
    const simdp_kernels *t;
    uint64_t random = 2;
    fill_answers(x, 4);
    for (size_t i = 0; (t = next_usable(&i)) != NULL; i++) {
        if (is_left_out(t)) continue;
        must(simdp_isa_select(t->variant));
        for (int round = 0; round < 12; round++) {
            const int law = round % LAWS, noise = round % 3;
            const size_t longest = round < 6 ? 40 : 3000, bytes = COUNT * sizeof *x;
            unsigned char *const at = room + 4 + (t->isa[0] == 's' ? 0 : round % 4);
            float *const y = (float *)(void *)at;
            simdp_rng rng;
            memset(room, 0x5a, sizeof room);
            memcpy(at, x, bytes);
            expected(law, want, x, (uint64_t)round, noise);
            test_stream(&rng, 3, 0, (uint64_t)round);
            for (size_t done = 0, n; done < COUNT; done += n) {
                n = test_random(&random) % longest;
                if (n > COUNT - done) n = COUNT - done;
                must(laws[law].floats(&rng, y + done, y + done, n, noises[noise].scale, noises[noise].grid));
            }
            assert_memory_equal(at, want, bytes);
            assert_true(at[-1] == 0x5a && at[bytes] == 0x5a);
            expected(law, want, x, (uint64_t)round + 1, noise);
            if (noises[noise].scale > 0) assert_memory_not_equal(at, want, bytes);
        }
    }
    must(simdp_isa_select(NULL));
}

/* Streams that erase their keys: a copy of the stream repeats it, by doubles. */
static void test_erased_keys(void **state)
{
    (void)state;
    enum { N = SIMDP_RNG_ERASE_POSITIONS + 1000 };
    static float answers[N], got[N];
    static double wide[N];
    for (int law = 0; law < LAWS; law++) {
        simdp_rng a, b;
        must(simdp_rng_init(&a));
        b = a;
        must(laws[law].floats(&a, got, answers, N, 1.5, 0x1p-22));
        memset(wide, 0, sizeof wide);
        must(laws[law].doubles(&b, wide, wide, N, 1.5, 0x1p-22));
        for (size_t i = 0; i < N; i++) assert_true(got[i] == nearest(wide[i]));
        simdp_rng_wipe(&a);
        simdp_rng_wipe(&b);
    }
}

static void test_bad_input(void **state)
{
    (void)state;
    for (int law = 0; law < LAWS; law++) {
        float x[3] = {1, 2, 3};
        simdp_rng rng;
        test_stream(&rng, 1, 0, 5);
        assert_int_equal(laws[law].floats(NULL, x, x, 3, 1, 0.5), SIMDP_ENULL);
        assert_int_equal(laws[law].floats(&rng, NULL, x, 3, 1, 0.5), SIMDP_ENULL);
        assert_int_equal(laws[law].floats(&rng, x, NULL, 3, 1, 0.5), SIMDP_ENULL);
        assert_true(x[0] == 1 && x[2] == 3);
        must(laws[law].floats(&rng, NULL, NULL, 0, 1, 0.5));
        assert_int_equal(laws[law].floats(&rng, x, x, 3, 1, 0.75), SIMDP_EPARAM);
        assert_true(isnan(x[0]) && isnan(x[1]) && isnan(x[2]));
        assert_int_equal(simdp_rng_position(&rng), 5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_identity),
        cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_erased_keys),
        cmocka_unit_test(test_bad_input),
    };
    return cmocka_run_group_tests_name("release_floats", tests, NULL, NULL);
}
