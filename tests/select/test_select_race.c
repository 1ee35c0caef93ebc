/* test_select_race: what the proofs of selection rest on: bounds from 16 bits for all 65536 of them, values in doubles,
 * heights, weights, screens that lose nobody, and how often the rare paths run. */
#include <math.h>
#include <mpfr.h>

#include "select/key_bound.inc"
#include "select/select_call.h"
#include "support/test_support.h"

static double unit_random(uint64_t *random) { return (double)(test_random(random) >> 11) * 0x1p-53; }

/* -log2 L for V = numerator / 2^bits */
static double exact_value(uint64_t numerator, unsigned bits, bool flip)
{
    mpfr_t v;
    mpfr_init2(v, 200);
    mpfr_set_ui(v, numerator, MPFR_RNDN);
    mpfr_div_2ui(v, v, bits, MPFR_RNDN);
    if (!flip) {
        mpfr_neg(v, v, MPFR_RNDN);
        mpfr_log1p(v, v, MPFR_RNDN);
        mpfr_div_d(v, v, -1.0, MPFR_RNDN);
        mpfr_t ln2;
        mpfr_init2(ln2, 200);
        mpfr_const_log2(ln2, MPFR_RNDN);
        mpfr_div(v, v, ln2, MPFR_RNDN);
        mpfr_clear(ln2);
    }
    mpfr_log2(v, v, MPFR_RNDN);
    const double value = -mpfr_get_d(v, MPFR_RNDN);
    mpfr_clear(v);
    return value;
}

/* Bounds for all units, scalar vocabulary (test_vec_ops ties the others to it). */
static void all_bounds(int32_t *bits, bool flip)
{
    for (int v = 0; v < 65536; v += 2 * VEC_LANES) {
        int32_t units[2 * VEC_LANES];
        for (int j = 0; j < 2 * VEC_LANES; j++) units[j] = v + j;
        vw_store(bits + v, race_noise_v(vw_load(units), flip));
    }
}

static void test_bounds(void **state)
{
    (void)state;
    static int32_t bits[65536];
    for (int flip = 0; flip < 2; flip++) {
        double worst = 0, worst_small = 0, least = 1;
        all_bounds(bits, flip);
        assert_int_equal(bits[0], 0);
        for (int v = 1; v < 65536; v++) {
            const double bound = 31.75 + (flip ? 24 : 23) - (double)bits[v] * 0x1p-25,
                         slack = bound - exact_value((uint64_t)v, 16, flip);
            if (slack > worst) worst = slack;
            if (slack > worst_small && v < 128) worst_small = slack;
            if (slack < least) least = slack;
            assert_true(HEIGHT_TOP - bits[v] < HEIGHT_FLOOR);               /* v = 0 lies above all others */
            assert_true((int64_t)HEIGHT_FLOOR - bits[v] > INT32_MIN + 128); /* and nothing wraps */
        }
        print_message("%s: bound above the value by %.3g to %.3g octaves, %.3g for v < 128\n", flip ? "flip" : "Gumbel",
                      least, worst, worst_small);
        assert_true(least > -0x1p-23 && worst < 0.0425 && worst_small < 0.022);
    }
}

/* Control: the chord of c(m) / (m (1 - m)) lowered by 2 % bounds no more. */
static void test_bounds_are_tight(void **state)
{
    (void)state;
    int below = 0;
    for (int v = 1; v < 65536; v++) {
        const double u = 65536 - v, e = floor(log2(u)), m = u / exp2(e) - 1;
        const double chord = 0.44269504 + (0.27865248 - 0.44269504) * m;
        const double l = 16 - e - m - 0.98 * chord * m * (1 - m);
        below += l > -log2(u / 65536) * (1 + 1e-9);
    }
    assert_true(below > 1000);
}

static void test_values(void **state)
{
    (void)state;
    const simdp_kernels *t;
    const uint64_t first_bits[8] = {0, 0, 1, 63, 64, 30000, 65000, 65535}; /* at 64 the formula changes */
    for (int flip = 0; flip < 2; flip++) {
        double worst = 0;
        simdp_rng rng;
        test_stream(&rng, 30, 0, 0);
        for (uint64_t round = 0; round < 4000; round++) {
            for (size_t i = 0; (t = next_usable(&i)) != NULL; i++) {
                const simdp_bits_at at = {
                    .cipher = cipher_of_stream(&rng), .position = 128 * round, .use = BITS_SELECT_GUMBEL};
                uint64_t v[8], unit[8];
                double got[8];
                if (i > 0 && round % 20 != 0) break; /* the best instruction set, and now and then the others */
                for (uint64_t j = 0; j < 8; j++) {
                    v[j] = round % 2 == 0 ? first_bits[j] : (round * 8 + j) * 40503 % 65536;
                    unit[j] = 17 * j + round % 5;
                }
                t->select->values(got, v, unit, flip, &at);
                for (int j = 0; j < 8; j++) {
                    if (v[j] < 0x1000000 || ~v[j] < 0x1000000) continue;
                    /* V is known to 2^-64: its share in the error is not the formula's */
                    const double error =
                        fabs(got[j] - exact_value(v[j], 64, flip)) - 3 / (double)v[j] - 3 / (double)~v[j];
                    if (error > worst) worst = error;
                }
            }
        }
        print_message("%s: value within 2^%.1f\n", flip ? "flip" : "Gumbel", log2(worst));
        assert_true(worst < VALUE_ERROR);
    }
}

/* ---- heights, weights, screens: on every instruction set ---- */

enum { GROUPS = 40, N = GROUPS * RACE_GROUP };
static double scores[N];
static int32_t heights[N];
static uint16_t weights[N];

static void test_heights_and_weights(void **state)
{
    (void)state;
    const simdp_kernels *t;
    uint64_t random = 4;
    for (int range = 0; range < 3; range++) {
        const double octaves = range == 0 ? 1 : range == 1 ? 30 : 60;
        for (int i = 0; i < N; i++) scores[i] = i == 77 ? 0 : -octaves * unit_random(&random);
        scores[5] = NAN;
        scores[6] = -INFINITY;
        for (size_t i = 0; (t = next_usable(&i)) != NULL; i++) {
            const race_scores given = {scores, false};
            double sum = 0;
            assert_true(t->select->top(&given, 0, N) == 0);
            t->select->heights(heights, &given, 0, N - 3, 0, HEIGHT_OCTAVE); /* scores are octaves */
            const double total = t->select->weights(weights, heights, GROUPS);
            for (uint64_t u = 0; u < N; u++) {
                const size_t c = (size_t)race_candidate(u), half = u % 128 / 2,
                             at = (u & ~(uint64_t)127) + u % 2 * 64 + half;
                const double s = c >= N - 3 || !(scores[c] > -36) ? -36 : scores[c];
                assert_int_equal(race_unit(c), u);
                assert_true(fabs((double)(heights[at] - HEIGHT_TOP) - s * HEIGHT_OCTAVE) <= 0.5);
                assert_true(weights[u] >= WEIGHT_ONE * exp2(s) && weights[u] <= WEIGHT_ONE * exp2(s) * 1.063 + 2);
                sum += exp2(s);
            }
            assert_true(total >= sum * (1 - 1e-5) && total <= sum * 1.063);
        }
    }
}

/* The true key of a candidate, from 80 bits. */
static double key_of(const simdp_rng *rng, uint64_t position, uint64_t unit, double s)
{
    const simdp_kernels *k = simdp_kernels_active();
    uint64_t word, more;
    simdp_bits_at at = {.cipher = cipher_of_stream(rng), .position = (position + unit) / 4, .use = BITS_SELECT_GUMBEL};
    k->bits->cipher_words(&word, 1, &at);
    at.position = position + unit;
    at.use = bits_level(BITS_SELECT_GUMBEL, 1);
    k->bits->cipher_words(&more, 1, &at);
    const long double v = ((long double)(word >> 16 * (unit % 4) & 0xffff) + (long double)more * 0x1p-64L) * 0x1p-16L;
    return s - (double)(logl(-log1pl(-v)) / logl(2.0L) + log2l(RACE_LOG2E));
}

/* How many candidates with a key of at least `bar` a list of hits lacks. */
static size_t missing(const double *keys, double bar, const race_hit *hits, size_t count)
{
    size_t lost = 0;
    for (uint64_t u = 0; u < N; u++) {
        bool found = keys[u] < bar;
        for (size_t h = 0; h < count && !found; h++) found = hits[h].unit == u;
        lost += !found;
    }
    return lost;
}

static void test_screens(void **state)
{
    (void)state;
    static double keys[N];
    race_hit hits[RACE_HITS];
    const simdp_kernels *t;
    const race_scores given = {scores, false};
    const double bars[] = {9, 7, 4, 1, 0.5, 0, -0.5, -1.5, -2.5};
    size_t lost_if_cut = 0, cut = 0;
    for (int round = 0; round < 12; round++) {
        const uint64_t position = 128 * (uint64_t)(round * GROUPS);
        simdp_rng rng;
        uint64_t random = 100 + (uint64_t)round;
        test_stream(&rng, 9, 3, 0);
        for (int i = 0; i < N; i++) scores[i] = -12 - 40 * unit_random(&random); /* a few heavy ones */
        for (int i = 0; i < 6; i++) scores[test_random(&random) % N] = -0.5 * i;
        for (uint64_t u = 0; u < N; u++) keys[u] = key_of(&rng, position, u, scores[race_candidate(u)]);
        const simdp_bits_at at = {.cipher = cipher_of_stream(&rng), .position = position, .use = BITS_SELECT_GUMBEL};
        for (size_t i = 0; (t = next_usable(&i)) != NULL; i++) {
            t->select->heights(heights, &given, 0, N, 0, HEIGHT_OCTAVE);
            t->select->weights(weights, heights, GROUPS);
            for (size_t b = 0; b < sizeof bars / sizeof *bars; b++) {
                const double bar = bars[b], m = 0x1.62e42fefa39efp-1 * exp2(-bar);
                const race_line lines[2] = {{0, 1, 127 + 15.471237 + 0x1p-9 - bar, false},
                                            {-3, 1, 127 + 15.471237 + 0x1p-9 - bar - 3, true}};
                for (int centred = 0; centred < 2; centred++) {
                    size_t from = 0;
                    const size_t count = t->select->screen_scores(hits, &from, &given, 0, GROUPS, &lines[centred], &at);
                    assert_int_equal(from, N);
                    assert_int_equal(missing(keys, bar, hits, count), 0);
                    for (size_t h = 0; h < count; h++) assert_true(keys[hits[h].unit] > bar - 2 || hits[h].v < 16);
                }
                const double threshold = ceil(0x1p32 * m / WEIGHT_ONE) + 1;
                const bool coarse = threshold > 65535;
                size_t from = 0;
                size_t count = t->select->screen_weights(
                    hits, &from, weights, GROUPS, (uint16_t)(coarse ? threshold / 16 + 1 : threshold), coarse, &at);
                assert_int_equal(from, N);
                assert_int_equal(missing(keys, bar, hits, count), 0);
                if (!coarse) continue;
                from = 0; /* control: a threshold that is cut at its largest value loses candidates */
                count = t->select->screen_weights(hits, &from, weights, GROUPS, 65535, false, &at);
                lost_if_cut += missing(keys, bar, hits, count);
                cut++;
            }
        }
    }
    print_message("a threshold cut at 65535 would lose %zu candidates in %zu screens\n", lost_if_cut, cut);
    assert_true(lost_if_cut > 0);
}

/* ---- how often ---- */

static void expect_count(const char *what, uint64_t got, double expected)
{
    print_message("%s: %llu, expected %.1f\n", what, (unsigned long long)got, expected);
    assert_true(fabs((double)got - expected) < 6.2 * sqrt(expected) + 6.2); /* below 1e-9 for Poisson numbers */
}

/* For n equal scores the gap of the two best keys, in octaves, is below g with probability (n - 1) r / (n + (n - 1) r),
 * r = 2^g - 1. */
static double gap_below(double n, double g)
{
    const double r = exp2(g) - 1;
    return (n - 1) * r / (n + (n - 1) * r);
}

enum { BATCH = 4096 };
static size_t winners[BATCH], again[BATCH];

/* How often n equal scores are not decided in constant time, where keys have an error of `least` or more. */
static void check_undecided(size_t n, double least, int batches)
{
    const double errors[] = {0x1p-10, 0x1p-13, 0};
    for (int e = 0; e < 3; e++) {
        simdp_select_counts counts = {0};
        simdp_rng rng;
        test_stream(&rng, 21, (uint64_t)e, 0);
        for (int b = 0; b < batches; b++) {
            const select_call call = {.rng = &rng,
                                      .index = winners,
                                      .scores = {scores, false},
                                      .rows = 1,
                                      .n = n,
                                      .draws = BATCH,
                                      .k = 1,
                                      .scale = 1,
                                      .error = errors[e],
                                      .counts = &counts};
            const uint64_t position = simdp_rng_position(&rng);
            must(simdp_select_run(&call));
            if (b >= 20) continue;
            must(simdp_rng_seek(&rng, position));
            must(simdp_select_gumbel_many_vartime(&rng, again, BATCH, scores, n, 1));
            assert_memory_equal(winners, again, sizeof winners);
        }
        assert_int_equal(counts.selections, (uint64_t)batches * BATCH);
        const double error = errors[e] > 0 ? errors[e] : least;
        expect_count("selections undecided in constant time", counts.undecided,
                     gap_below((double)n, 2 * error) * (double)batches * (double)BATCH);
    }
}

static void test_rare_paths(void **state)
{
    (void)state;
    const int batches = is_full() ? 20000 : is_short() ? 60 : 300;
    for (int i = 0; i < N; i++) scores[i] = 2.5;
    check_undecided(4, FEW_ERROR, batches);
    check_undecided(RACE_GROUP, FEW_ERROR, batches / 4);
    check_undecided(RACE_GROUP + 1, RACE_ERROR, batches);
    simdp_select_counts counts = {0};
    simdp_rng rng;
    test_stream(&rng, 22, 0, 0);
    for (int b = 0; b < 60; b++) {
        const select_call call = {.rng = &rng,
                                  .index = winners,
                                  .scores = {scores, false},
                                  .rows = 1,
                                  .n = 1000,
                                  .draws = BATCH,
                                  .k = 1,
                                  .scale = 1,
                                  .vartime = true,
                                  .counts = &counts};
        must(simdp_select_run(&call));
    }
    expect_count("variable-time races that start again", counts.again, exp(-5) * 60 * (double)BATCH);
    assert_true((double)counts.evaluated < 1.5 * 60 * (double)BATCH);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bounds),  cmocka_unit_test(test_bounds_are_tight),    cmocka_unit_test(test_values),
        cmocka_unit_test(test_screens), cmocka_unit_test(test_heights_and_weights), cmocka_unit_test(test_rare_paths),
    };
    return cmocka_run_group_tests_name("select_race", tests, NULL, NULL);
}
