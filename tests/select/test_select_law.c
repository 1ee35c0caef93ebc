/* test_select_law: winners follow the exact law: chi-square for scores of many shapes, for ranked winners and for
 * permute and flip; constant time and variable time agree on a million selections; and small races with planted
 * defects, which the same test refuses. */
#include <math.h>

#include "support/test_support.h"

enum { LARGEST = 100000, BATCH = 8192, CELLS = 4096 };
static double scores[LARGEST];
static size_t winners[BATCH];

static double unit_random(uint64_t *random) { return (double)(test_random(random) >> 11) * 0x1p-53; }

/* ---- judging: cells of candidates with their probabilities; those that expect fewer than 20 are counted together - */

typedef struct {
    size_t cells;
    double p[CELLS];
    uint64_t count[CELLS], draws;
} tally;

/* Chi-square as a normal deviate (Wilson and Hilferty); beyond 6.5 for fewer than 1e-10 of all keys. */
static double deviate(const tally *t)
{
    double sum = 0, rest_p = 0, rest_count = 0;
    int freedom = -1;
    for (size_t c = 0; c < t->cells; c++) {
        const double expected = t->p[c] * (double)t->draws, d = (double)t->count[c] - expected;
        if (expected >= 20) sum += d * d / expected, freedom++;
        else rest_p += t->p[c], rest_count += (double)t->count[c];
    }
    const double expected = rest_p * (double)t->draws;
    if (expected >= 20) sum += (rest_count - expected) * (rest_count - expected) / expected, freedom++;
    else if (rest_count > 20 + expected + 10 * sqrt(expected)) return 99;
    if (freedom <= 0) return 0;
    const double k = 2.0 / (9.0 * freedom);
    return (cbrt(sum / freedom) - (1 - k)) / sqrt(k);
}

static void must_follow(const char *name, const tally *t)
{
    const double z = deviate(t);
    print_message("%-34s %9llu draws, %4zu cells: z = %+.2f\n", name, (unsigned long long)t->draws, t->cells, z);
    assert_true(z < 6.5);
}

/* Probabilities by softmax in long double; n candidates fall into equal runs of candidates, one per cell. */
static void expect_softmax(tally *t, size_t n, double scale, size_t cells)
{
    long double total = 0, top = -INFINITY;
    *t = (tally){.cells = cells};
    for (size_t i = 0; i < n; i++) top = scores[i] > top ? scores[i] : top;
    for (size_t i = 0; i < n; i++) total += expl((scores[i] - top) / scale);
    for (size_t i = 0; i < n; i++) t->p[i * cells / n] += (double)(expl((scores[i] - top) / scale) / total);
}

static void count_winners(tally *t, size_t n, size_t draws)
{
    for (size_t d = 0; d < draws; d++) {
        assert_true(winners[d] < n);
        t->count[winners[d] * t->cells / n]++;
    }
    t->draws += draws;
}

static void draw(tally *t, simdp_rng *rng, size_t n, double scale, size_t draws)
{
    for (size_t done = 0; done < draws; done += BATCH) {
        const size_t now = draws - done < BATCH ? draws - done : BATCH;
        must(simdp_select_gumbel_many_vartime(rng, winners, now, scores, n, scale));
        count_winners(t, n, now);
    }
}

/* ---- the law ---- */

static size_t longer(size_t draws) { return is_full() ? 20 * draws : draws; }

static const struct {
    const char *name;
    size_t n, cells, draws;
    double scale;
} shapes[] = {
    {"equal", 10, 10, 2000000, 1},
    {"one dominant", 50, 50, 2000000, 1},
    {"ascending", 1000, 1000, 1000000, 1},
    {"descending", 1000, 1000, 1000000, 1},
    {"differences of 1e-9", 12, 12, 2000000, 1e-9},
    {"differences of 700", 9, 9, 2000000, 1},
    {"a million away from 0", 40, 40, 1000000, 0.5},
    {"100000 tiny", LARGEST, 1000, 150000, 2},
    {"100000, half far below", LARGEST, 1000, 150000, 1},
};

static void fill(int shape, size_t n)
{
    uint64_t random = 77;
    for (size_t i = 0; i < n; i++) {
        const double u = unit_random(&random), rank = (double)i / (double)n;
        switch (shape) {
        case 0: scores[i] = 3; break;
        case 1: scores[i] = i == 31 ? 5 : u; break;
        case 2: scores[i] = 8 * rank; break;
        case 3: scores[i] = -8 * rank; break;
        case 4: scores[i] = 1 + 4e-9 * u; break;
        case 5: scores[i] = i % 4 == 1 ? 700 : 0; break;
        case 6: scores[i] = -1e6 + u; break;
        case 7: scores[i] = u; break;
        default: scores[i] = i % 2 == 0 ? -15 * u : -700; break;
        }
    }
}

static void test_shapes(void **state)
{
    (void)state;
    static tally t;
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        simdp_rng rng;
        test_stream(&rng, 40 + s, 0, 0);
        fill((int)s, shapes[s].n);
        expect_softmax(&t, shapes[s].n, shapes[s].scale, shapes[s].cells);
        draw(&t, &rng, shapes[s].n, shapes[s].scale, longer(shapes[s].draws));
        must_follow(shapes[s].name, &t);
    }
}

static void test_sizes(void **state)
{
    (void)state;
    static tally t;
    double worst = -99;
    for (size_t n = 1; n <= 130; n++) {
        simdp_rng rng;
        uint64_t random = n;
        test_stream(&rng, 60, n, 0);
        for (size_t i = 0; i < n; i++) scores[i] = 2 * unit_random(&random);
        expect_softmax(&t, n, 1, n);
        draw(&t, &rng, n, 1, longer(15000));
        if (deviate(&t) > worst) worst = deviate(&t);
    }
    print_message("sizes 1 to 130: largest z = %+.2f\n", worst);
    assert_true(worst < 6.5);
}

/* Ranks: the sequence of the first three of five, against draws without replacement. */
static void test_ranks(void **state)
{
    (void)state;
    static tally t;
    const double s[5] = {0.3, 1.1, -0.4, 0.3, 0.9};
    double w[5], total = 0;
    simdp_rng rng;
    test_stream(&rng, 70, 0, 0);
    for (int i = 0; i < 5; i++) w[i] = exp(s[i]), total += w[i];
    t = (tally){.cells = 125};
    for (int a = 0; a < 5; a++) {
        for (int b = 0; b < 5; b++) {
            for (int c = 0; c < 5; c++) {
                if (a != b && b != c && a != c)
                    t.p[25 * a + 5 * b + c] = w[a] / total * w[b] / (total - w[a]) * w[c] / (total - w[a] - w[b]);
            }
        }
    }
    for (t.draws = 0; t.draws < longer(400000); t.draws++) {
        size_t k[3];
        must(simdp_select_gumbel_top_k(&rng, k, 3, s, 5, 1));
        t.count[25 * k[0] + 5 * k[1] + k[2]]++;
    }
    must_follow("first three of five", &t);
}

/* Permute and flip: P_i = w_i times the integral of prod_(j != i) (1 - u w_j) for u from 0 to 1, w_j = exp(score_j -
 * top). */
static void test_permute_flip(void **state)
{
    (void)state;
    static tally t;
    const double s[6] = {0.5, 2, 1.5, -1, 2, 0};
    simdp_rng rng;
    test_stream(&rng, 71, 0, 0);
    t = (tally){.cells = 6};
    for (int i = 0; i < 6; i++) {
        double polynomial[7] = {1};
        for (int j = 0; j < 6; j++) {
            for (int d = 6; d > 0 && j != i; d--) polynomial[d] -= exp(s[j] - 2) * polynomial[d - 1];
        }
        for (int d = 0; d < 6; d++) t.p[i] += exp(s[i] - 2) * polynomial[d] / (d + 1);
    }
    for (t.draws = 0; t.draws < longer(800000); t.draws++) {
        size_t k;
        must(simdp_select_permute_flip(&rng, &k, s, 6, 1));
        t.count[k]++;
    }
    must_follow("permute and flip", &t);
}

/* ---- the same winners ---- */

static void test_constant_and_variable_time(void **state)
{
    (void)state;
    static size_t other[BATCH];
    const struct {
        size_t n, draws;
    } sizes[] = {{3, 400000}, {17, 300000}, {100, 250000}, {700, 50000}, {5000, 2000}, {70000, 200}};
    uint64_t random = 5;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        for (size_t done = 0; done < longer(sizes[s].draws); done += BATCH) {
            simdp_rng rng;
            const size_t now = sizes[s].draws < BATCH ? sizes[s].draws : BATCH;
            const double spread = exp(10 * unit_random(&random) - 4);
            for (size_t i = 0; i < sizes[s].n; i++) scores[i] = spread * unit_random(&random);
            test_stream(&rng, 80, s, 32 * done);
            must(simdp_select_gumbel_many(&rng, winners, now, scores, sizes[s].n, 1));
            test_stream(&rng, 80, s, 32 * done);
            must(simdp_select_gumbel_many_vartime(&rng, other, now, scores, sizes[s].n, 1));
            assert_memory_equal(winners, other, now * sizeof *other);
        }
    }
}

/* ---- planted defects: a small race of its own, with bits of the library ---- */

enum { SOUND, CUT_THRESHOLD, SHARED_BITS, FIRST_OF_EQUALS };

static size_t small_race(simdp_rng *rng, size_t n, int defect)
{
    uint64_t words[256];
    double best = INFINITY, bar = INFINITY;
    size_t winner = 0, top = 0;
    must(simdp_rng_words(rng, words, n));
    if (defect == SHARED_BITS) {
        /* the first 16 bits of neighbours depend on each other */
        for (size_t i = 1; i < n; i += 2) words[i] = words[i - 1] * 3;
    }
    for (size_t i = 1; i < n; i++) top = scores[i] > scores[top] ? i : top;
    for (size_t k = 0; k < n; k++) { /* the candidate with the largest score first */
        const size_t i = k == 0 ? top : k <= top ? k - 1 : k;
        double v = ((double)(words[i] >> 11) + 0.5) * 0x1p-53;
        const double w = exp(scores[i] - scores[top]);
        if (defect == FIRST_OF_EQUALS) v = floor(v * 1024) / 1024 + 0x1p-11;
        if (defect == CUT_THRESHOLD &&
            floor(v * 65536) > floor(ceil(65535 * w) * fmin(65535, ceil(65536 * bar)) / 65536))
            continue;
        const double arrival = -log1p(-v) / w;
        if (arrival < best || (arrival == best && i < winner)) best = arrival, winner = i;
        bar = best;
    }
    return winner;
}

static double defect_deviate(size_t n, int defect)
{
    static tally t;
    simdp_rng rng;
    test_stream(&rng, 90, (uint64_t)defect, 0);
    expect_softmax(&t, n, 1, n < 10 ? n : 10);
    for (t.draws = 0; t.draws < 200000; t.draws++) t.count[small_race(&rng, n, defect) * t.cells / n]++;
    return deviate(&t);
}

static void test_defects_are_seen(void **state)
{
    (void)state;
    double z[3][2];
    const size_t n[3] = {4, 8, 200};
    for (int d = 0; d < 3; d++) {
        for (size_t i = 0; i < n[d]; i++) scores[i] = d == 2 ? 0 : -0.4 * (double)i;
        z[d][0] = defect_deviate(n[d], SOUND);
        z[d][1] = defect_deviate(n[d], CUT_THRESHOLD + d);
    }
    print_message("a threshold cut at its largest value: z = %+.1f (sound %+.1f)\n", z[0][1], z[0][0]);
    print_message("bits shared by neighbours:            z = %+.1f (sound %+.1f)\n", z[1][1], z[1][0]);
    print_message("10 bits, the first of equals wins:    z = %+.1f (sound %+.1f)\n", z[2][1], z[2][0]);
    for (int d = 0; d < 3; d++) assert_true(z[d][0] < 6.5 && z[d][1] > 6.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_ranks),
        cmocka_unit_test(test_permute_flip),
        cmocka_unit_test(test_constant_and_variable_time),
        cmocka_unit_test(test_defects_are_seen),
    };
    return cmocka_run_group_tests_name("select_law", tests, NULL, NULL);
}
