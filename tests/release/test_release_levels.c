/* test_release_levels: it does not show which level made a result, and smaller radii would be wrong. SIMDP_TEST_FULL in
 * the environment forces 1e8 elements through level 1 and 1e5 through level 2. */
#include "release_inside.h"
#include "support/release_support.h"

enum { BATCH = 1 << 14 };

/* Where a public release takes its words from next. */
static simdp_bits_at words_of(const simdp_rng *rng, int law, bool integers, double scale)
{
    return (simdp_bits_at){.cipher = cipher_of_stream(rng),
                           .use = simdp_release_use(law, integers, scale),
                           .position = simdp_rng_position(rng)};
}

/* ---- forced levels ---- */

/* n elements, each of them made at this level, are what the public functions make of them. */
static void compare_f64(int law, double scale, double grid, int level, size_t n)
{
    static double answers[BATCH], want[BATCH], got[BATCH];
    simdp_rng rng;
    simdp_release_counts counts = {0};
    simdp_release_plan forced = simdp_release_plan_forced(law, scale, grid, 1.0, level, &release_scratch);
    forced.counts = &counts;
    odd_answers(answers, BATCH, grid, 9);
    test_stream(&rng, 100 + (uint64_t)level, (uint64_t)law, 21);
    for (size_t done = 0; done < n; done += BATCH) {
        const size_t m = n - done < BATCH ? n - done : BATCH;
        const simdp_bits_at at = words_of(&rng, law, false, scale);
        must(release_by_law(law, &rng, want, answers, m, scale, grid));
        release_planned(law, got, answers, m, &at, &forced);
        assert_memory_equal(got, want, m * sizeof *got);
    }
    assert_int_equal(counts.open, n);
    assert_true(level == 1 ? counts.undecided < 1 + n / 100 : counts.undecided >= n);
}

/* Of integers up to RELEASE_F32_SCALE level 1 is made in doubles, from 64 bits. */
static void compare_i64(int law, double scale, int level, size_t n)
{
    static int64_t answers[BATCH], want[BATCH], got[BATCH];
    simdp_rng rng;
    simdp_release_counts counts = {0};
    simdp_release_plan forced = simdp_release_plan_forced(law, scale, 1.0, 1.0, level, &release_scratch);
    uint64_t seed = 10;
    forced.counts = &counts;
    for (size_t i = 0; i < BATCH; i++) answers[i] = (int64_t)test_random(&seed) >> test_random(&seed) % 64;
    test_stream(&rng, 200 + (uint64_t)level, (uint64_t)law, 21);
    for (size_t done = 0; done < n; done += BATCH) {
        const size_t m = n - done < BATCH ? n - done : BATCH;
        const simdp_bits_at at = words_of(&rng, law, true, scale);
        must(release_by_law_i64(law, &rng, want, answers, m, scale));
        release_planned_i64(law, got, answers, m, &at, &forced);
        assert_memory_equal(got, want, m * sizeof *got);
    }
    assert_int_equal(counts.open, n);
    assert_true(level == 1 ? counts.undecided < 1 + n / 100 : counts.undecided >= n);
}

static void force(int level, size_t n)
{
    for (int law = 0; law < RELEASE_LAWS; law++) {
        compare_f64(law, 1.3, 0x1p-22, level, n);
        compare_i64(law, 200.0, level, n);
        compare_f64(law, 1.3, 0x1p-29, level, n / 8);        /* short blocks */
        compare_f64(law, 0x1.8p-40, 0x1p-22, level, n / 16); /* hardly a cell wide */
        compare_f64(law, 1.3, 0x1p-42, level, n / 16);       /* level 1 throughout, also where nothing is forced */
        compare_i64(law, 0.4, level, n / 16);
        compare_i64(law, 5000.0, level, n / 8);
        compare_i64(law, 0x1.8p+38, level, n / 16);
    }
}

/* On the fastest instruction set many elements, on every other fewer. */
static void test_forced_levels(void **state)
{
    (void)state;
    const simdp_kernels *t, *fastest = simdp_kernels_active();
    const size_t level1 = is_full() ? 100000000 : is_short() ? 4000 : 1000000;
    const size_t level2 = is_full() ? 100000 : is_short() ? 40 : 3000;
    for (size_t i = 0; (t = next_usable(&i)) != NULL; i++) {
        const size_t part = t == fastest ? 1 : 16;
        if (is_short() && t != fastest) continue;
        must(simdp_isa_select(t->variant));
        force(1, level1 / part);
        force(2, level2 / part);
    }
    must(simdp_isa_select(NULL));
}

/* ---- smaller radii ---- */

/* Laplace elements, or radii, with |V| from 2^-9 down to 2^-13: where level 0 is farthest off. */
static void far_words(uint64_t *words, uint64_t *seed)
{
    for (size_t i = 0; i < BATCH; i++) {
        words[i] = test_random(seed);
        if (i / 8 % 2 == 0)
            words[i] = (uint64_t)((int64_t)words[i] >> (9 + i % 4)); /* words 8 to 15 of 16 are angles */
    }
}

/* Answers that put what level 0 makes of these words beside the border of a cell, a little farther from it than its
 * radius. */
static void answers_beside(double *answers, int law, const uint64_t *words, const simdp_release_plan *plan)
{
    static double noise[BATCH], radius[BATCH];
    whole_noise(law, noise, radius, BATCH, words, plan);
    for (size_t i = 0; i < BATCH; i++) {
        const double away = 0.5 - 1.05 * (0.25 - plan->limit + radius[i]) - fabs(noise[i]) * 0x1p-53;
        answers[i] = (i % 3 == 0 ? away : -away) - (noise[i] - rint(noise[i]));
    }
}

/* Elements of n that level 0 with radii times shrink takes for decided, but for another cell than level 1. */
static size_t differences(int law, double ratio, double shrink, size_t n)
{
    static uint64_t words[BATCH];
    static double answers[BATCH], want[BATCH], got[BATCH];
    size_t different = 0;
    uint64_t seed = 300;
    simdp_rng rng;
    simdp_release_counts counts = {0};
    const simdp_release_plan level1 = simdp_release_plan_forced(law, ratio, 1.0, 1.0, 1, &release_scratch);
    simdp_release_plan level0 = simdp_release_plan_forced(law, ratio, 1.0, shrink, 0, &release_scratch);
    level0.block = RELEASE_ALIGN;
    level0.counts = &counts;
    test_stream(&rng, 300, 0, 0);
    simdp_bits_at at = words_of(&rng, law, false, ratio); /* of further words */
    at.words = words;
    for (size_t done = 0; done < n; done += BATCH) {
        at.position = done;
        far_words(words, &seed);
        answers_beside(answers, law, words, &level0);
        release_planned(law, want, answers, BATCH, &at, &level1);
        release_planned(law, got, answers, BATCH, &at, &level0);
        for (size_t i = 0; i < BATCH; i++) different += want[i] != got[i];
    }
    print_message("%s, scale / grid %g, radii times %4.2f: of %zu beside borders %llu open, %zu wrong\n",
                  law_names[law], ratio, shrink, n, (unsigned long long)counts.open, different);
    assert_true(counts.open < n / 4); /* or level 0 would not be tested */
    return different;
}

static void test_smaller_radii_are_wrong(void **state)
{
    (void)state;
    const size_t n = is_full() ? 1 << 24 : is_short() ? BATCH : 1 << 20;
    for (int law = 0; law < RELEASE_LAWS; law++) {
        assert_int_equal(differences(law, 0x1p22, 1.0, n), 0);
        assert_int_equal(differences(law, 0x1p36, 1.0, n), 0);
        if (!is_short()) assert_true(differences(law, 0x1p36, 0.25, 4 * n) > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forced_levels),
        cmocka_unit_test(test_smaller_radii_are_wrong),
    };
    return cmocka_run_group_tests_name("release_levels", tests, NULL, NULL);
}
