/* test_release_by_id_law: the noise of many ids follows its law, and that of different ids is independent; ids are
 * neighbouring numbers, as callers have them. Planted defects are refused: words that two ids share, a scale that is off,
 * one element of a pair for all ids. SIMDP_TEST_FULL in the environment takes more. */
#include "support/by_id_support.h"
#include "support/law_check.h"

enum { MOST = 1 << 20, CELLS = 64 };

static simdp_id ids[MOST];
static double noise[MOST];

/* How ids are spoilt before a call; NULL: not at all. */
typedef void spoil_ids(size_t n);

static void two_ids_share(size_t n)
{
    for (size_t i = 1; i < n; i += 2) ids[i] = ids[i - 1];
}

static void low_halves_only(size_t n)
{
    for (size_t i = 0; i < n; i++) ids[i].low &= 0xffff;
}

static void draw(int law, bool integers, double scale, size_t n, spoil_ids *spoil)
{
    static double zeros[MOST];
    static int64_t none[MOST], whole[MOST];
    simdp_rng rng;
    test_stream(&rng, 77, 1, 0);
    for (size_t i = 0; i < n; i++) ids[i] = (simdp_id){i, 0};
    if (spoil != NULL) spoil(n);
    if (integers) {
        must(release_by_id_i64(law, &rng, whole, none, ids, n, scale));
        for (size_t i = 0; i < n; i++) noise[i] = (double)whole[i];
    } else {
        must(release_by_id(law, &rng, noise, zeros, ids, n, scale, 0x1p-20));
    }
}

/* Mass of the law up to x. */
static double below(int law, double x, double scale)
{
    const double y = x / scale;
    if (law == RELEASE_GAUSSIAN) return erfc(-y * sqrt(0.5)) / 2;
    return y < 0 ? exp(y) / 2 : 1 - exp(-y) / 2;
}

/* Which of CELLS cells of about equal mass a number lies in: by its mass, at the end of its own cell of the grid. */
static size_t cell_of(int law, double x, double scale, double grid)
{
    const double u = below(law, x + grid / 2, scale) * CELLS;
    return u >= CELLS ? CELLS - 1 : (size_t)u;
}

/* The masses of these cells: integers that lie in them, one by one. */
static void masses(double *p, int law, bool integers, double scale)
{
    memset(p, 0, CELLS * sizeof *p);
    if (!integers) {
        for (int i = 0; i < CELLS; i++) p[i] = 1.0 / CELLS;
        return;
    }
    for (int64_t k = -(int64_t)(50 * scale); k <= (int64_t)(50 * scale); k++) {
        const double x = (double)k;
        p[cell_of(law, x, scale, 1)] += below(law, x + 0.5, scale) - below(law, x - 0.5, scale);
    }
}

/* Chi-square of all numbers, and of pairs of neighbours and of ids that are a block apart. */
static bool is_lawful(int law, bool integers, double scale, double masses_scale, size_t n)
{
    static uint64_t count[CELLS], pairs[2][CELLS * CELLS];
    static double p[CELLS], products[CELLS * CELLS];
    const double grid = integers ? 1 : 0x1p-20;
    memset(count, 0, sizeof count);
    memset(pairs, 0, sizeof pairs);
    for (size_t i = 0; i < n; i++) {
        const size_t here = cell_of(law, noise[i], masses_scale, grid);
        count[here]++;
        if (i % 2 == 1) pairs[0][CELLS * cell_of(law, noise[i - 1], scale, grid) + here]++;
        if (i % 16 >= 8) pairs[1][CELLS * cell_of(law, noise[i - 8], scale, grid) + here]++;
    }
    masses(p, law, integers, masses_scale);
    if (!law_check_counts(count, p, CELLS)) return false;
    masses(p, law, integers, scale);
    for (int i = 0; i < CELLS * CELLS; i++) products[i] = p[i / CELLS] * p[i % CELLS];
    return law_check_counts(pairs[0], products, CELLS * CELLS) && law_check_counts(pairs[1], products, CELLS * CELLS);
}

static void test_laws(void **state)
{
    (void)state;
    static const double scales[] = {3.0, 100.0, 600.0};
    const size_t n = is_full() ? MOST : MOST / 2;
    for (int law = 0; law < RELEASE_LAWS; law++) {
        draw(law, false, 1.0, n, NULL);
        assert_true(is_lawful(law, false, 1.0, 1.0, n));
        assert_false(is_lawful(law, false, 1.0, 1.03, n)); /* planted: another scale */
        for (size_t s = 0; s < sizeof scales / sizeof *scales; s++) {
            draw(law, true, scales[s], n, NULL);
            assert_true(is_lawful(law, true, scales[s], scales[s], n));
            assert_false(is_lawful(law, true, scales[s], 1.03 * scales[s], n));
        }
    }
}

static void test_shared_words_are_seen(void **state)
{
    (void)state;
    for (int law = 0; law < RELEASE_LAWS; law++) {
        for (int integers = 0; integers < 2; integers++) {
            const double scale = integers ? 20 : 1;
            draw(law, integers, scale, MOST / 4, two_ids_share);
            assert_false(is_lawful(law, integers, scale, scale, MOST / 4));
            draw(law, integers, scale, MOST / 4, low_halves_only);
            assert_false(is_lawful(law, integers, scale, scale, MOST / 4));
        }
    }
}

/* Element i + 8 as the cosine to the sine of element i, as pairs of positions have it: squares of the two then add up to
 * the square of one radius. It is what sharing a pair between ids would look like, and the pairs must see it. */
static void test_pairs_are_seen(void **state)
{
    (void)state;
    static double zeros[MOST];
    simdp_rng rng;
    test_stream(&rng, 77, 1, 0);
    must(simdp_release_gaussian(&rng, noise, zeros, MOST / 2, 1.0, 0x1p-20));
    assert_true(is_lawful(RELEASE_GAUSSIAN, false, 1.0, 1.0, MOST / 2)); /* they are independent: that is the point */
    for (size_t i = 8; i < MOST / 2; i++) {
        if (i % 16 >= 8) noise[i] = copysign(noise[i - 8], noise[i]); /* one radius and one angle for both */
    }
    assert_false(is_lawful(RELEASE_GAUSSIAN, false, 1.0, 1.0, MOST / 2));
}

/* How many flips, how many of neighbours together, for ids that are neighbouring numbers. */
static bool are_flips(double epsilon, double wrong, spoil_ids *spoil)
{
    static uint8_t bits[MOST];
    const double p = 1 / (1 + exp(epsilon + wrong));
    uint64_t flips = 0, both = 0;
    simdp_rng rng;
    test_stream(&rng, 77, 1, 0);
    for (size_t i = 0; i < MOST; i++) ids[i] = (simdp_id){i, 0};
    if (spoil != NULL) spoil(MOST);
    memset(bits, 0, sizeof bits);
    must(simdp_release_randomized_response_by_id(&rng, bits, bits, ids, MOST, epsilon));
    for (size_t i = 0; i < MOST; i++) flips += bits[i];
    for (size_t i = 1; i < MOST; i += 2) both += bits[i] & bits[i - 1];
    return law_check_binomial(flips, MOST, p) && law_check_binomial(both, MOST / 2, p * p);
}

static void test_responses(void **state)
{
    (void)state;
    static const double epsilons[] = {0.0, 1.0, 3.0, 6.0};
    for (size_t e = 0; e < 4; e++) {
        assert_true(are_flips(epsilons[e], 0, NULL));
        assert_false(are_flips(epsilons[e], e == 3 ? 0.2 : 0.05, NULL));
        assert_false(are_flips(epsilons[e], 0, two_ids_share));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_laws),
        cmocka_unit_test(test_shared_words_are_seen),
        cmocka_unit_test(test_pairs_are_seen),
        cmocka_unit_test(test_responses),
    };
    return cmocka_run_group_tests_name("release_by_id_law", tests, NULL, NULL);
}
