/* test_release_precisions: it does not show in which arithmetic a result was made, and smaller radii would be wrong.
 * SIMDP_TEST_FULL in the environment forces 1e8 elements through double-doubles and 1e5 through 512 bits. */
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

/* ---- forced precisions ---- */

/* n elements, each of them made with this precision, are what the public functions make of them. */
static void compare_f64(int law, double scale, double grid, int least, size_t n)
{
    static double answers[BATCH], want[BATCH], got[BATCH];
    simdp_rng rng;
    simdp_release_counts counts = {0};
    simdp_release_plan forced = simdp_release_plan_forced(law, scale, grid, 1.0, least, &release_scratch);
    forced.counts = &counts;
    odd_answers(answers, BATCH, grid, 9);
    test_stream(&rng, 100 + (uint64_t)least, (uint64_t)law, 21);
    for (size_t done = 0; done < n; done += BATCH) {
        const size_t m = n - done < BATCH ? n - done : BATCH;
        const simdp_bits_at at = words_of(&rng, law, false, scale);
        must(release_by_law(law, &rng, want, answers, m, scale, grid));
        release_planned(law, got, answers, m, &at, &forced);
        assert_memory_equal(got, want, m * sizeof *got);
    }
    assert_int_equal(counts.open, n);
    assert_true(least == PRECISION_DD ? counts.undecided < 1 + n / 100 : counts.undecided >= n);
}

/* Of integers up to RELEASE_F32_SCALE double-doubles means doubles, from 64 bits. */
static void compare_i64(int law, double scale, int least, size_t n)
{
    static int64_t answers[BATCH], want[BATCH], got[BATCH];
    simdp_rng rng;
    simdp_release_counts counts = {0};
    simdp_release_plan forced = simdp_release_plan_forced(law, scale, 1.0, 1.0, least, &release_scratch);
    uint64_t seed = 10;
    forced.counts = &counts;
    for (size_t i = 0; i < BATCH; i++) answers[i] = (int64_t)test_random(&seed) >> test_random(&seed) % 64;
    test_stream(&rng, 200 + (uint64_t)least, (uint64_t)law, 21);
    for (size_t done = 0; done < n; done += BATCH) {
        const size_t m = n - done < BATCH ? n - done : BATCH;
        const simdp_bits_at at = words_of(&rng, law, true, scale);
        must(release_by_law_i64(law, &rng, want, answers, m, scale));
        release_planned_i64(law, got, answers, m, &at, &forced);
        assert_memory_equal(got, want, m * sizeof *got);
    }
    assert_int_equal(counts.open, n);
    assert_true(least == PRECISION_DD ? counts.undecided < 1 + n / 100 : counts.undecided >= n);
}

static void force(int least, size_t n)
{
    for (int law = 0; law < RELEASE_LAWS; law++) {
        compare_f64(law, 1.3, 0x1p-22, least, n);
        compare_i64(law, 200.0, least, n);
        compare_f64(law, 1.3, 0x1p-29, least, n / 8);        /* short blocks */
        compare_f64(law, 0x1.8p-40, 0x1p-22, least, n / 16); /* hardly a cell wide */
        compare_f64(law, 1.3, 0x1p-42, least, n / 16); /* double-doubles throughout, also where nothing is forced */
        compare_i64(law, 0.4, least, n / 16);
        compare_i64(law, 5000.0, least, n / 8);
        compare_i64(law, 0x1.8p+38, least, n / 16);
    }
}

/* On the fastest instruction set many elements, on every other fewer. */
static void test_forced_precisions(void **state)
{
    (void)state;
    const simdp_kernels *t, *fastest = simdp_kernels_active();
    const size_t many = is_full() ? 100000000 : is_short() ? 4000 : 1000000;
    const size_t few = is_full() ? 100000 : is_short() ? 40 : 3000;
    for (size_t i = 0; (t = next_usable(&i)) != NULL; i++) {
        const size_t part = t == fastest ? 1 : 16;
        if (is_short() && t != fastest) continue;
        must(simdp_isa_select(t->variant));
        force(PRECISION_DD, many / part);
        force(PRECISION_WIDE, few / part);
    }
    must(simdp_isa_select(NULL));
}

/* ---- smaller radii ---- */

/* Laplace elements, or radii, with |V| from 2^-9 down to 2^-13: where doubles are farthest off. */
static void far_words(uint64_t *words, uint64_t *seed)
{
    for (size_t i = 0; i < BATCH; i++) {
        words[i] = test_random(seed);
        if (i / 8 % 2 == 0)
            words[i] = (uint64_t)((int64_t)words[i] >> (9 + i % 4)); /* words 8 to 15 of 16 are angles */
    }
}

/* Answers that put what doubles make of these words beside the border of a cell, a little farther from it than its
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

/* Elements of n that doubles with radii times shrink take for decided, but for another cell than double-doubles. */
static size_t differences(int law, double ratio, double shrink, size_t n)
{
    static uint64_t words[BATCH];
    static double answers[BATCH], want[BATCH], got[BATCH];
    size_t different = 0;
    uint64_t seed = 300;
    simdp_rng rng;
    simdp_release_counts counts = {0};
    const simdp_release_plan fine = simdp_release_plan_forced(law, ratio, 1.0, 1.0, PRECISION_DD, &release_scratch);
    simdp_release_plan plain = simdp_release_plan_forced(law, ratio, 1.0, shrink, PRECISION_F64, &release_scratch);
    plain.block = RELEASE_ALIGN;
    plain.counts = &counts;
    test_stream(&rng, 300, 0, 0);
    simdp_bits_at at = words_of(&rng, law, false, ratio); /* of further words */
    at.words = words;
    for (size_t done = 0; done < n; done += BATCH) {
        at.position = done;
        far_words(words, &seed);
        answers_beside(answers, law, words, &plain);
        release_planned(law, want, answers, BATCH, &at, &fine);
        release_planned(law, got, answers, BATCH, &at, &plain);
        for (size_t i = 0; i < BATCH; i++) different += want[i] != got[i];
    }
    print_message("%s, scale / grid %g, radii times %4.2f: of %zu beside borders %llu open, %zu wrong\n",
                  law_names[law], ratio, shrink, n, (unsigned long long)counts.open, different);
    assert_true(counts.open < n / 4); /* or doubles would not be tested */
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
        cmocka_unit_test(test_forced_precisions),
        cmocka_unit_test(test_smaller_radii_are_wrong),
    };
    return cmocka_run_group_tests_name("release_precisions", tests, NULL, NULL);
}
