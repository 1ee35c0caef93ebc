/* test_select_forms: what selections do with every kind of input: forms that agree with each other, special scores, bad
 * parameters, streams of every kind, floating-point modes; and the closed forms. */
#include <fenv.h>
#include <math.h>
#include <xmmintrin.h>

#include "bits/rng.h"
#include "support/test_support.h"

enum { N = 3000, DRAWS = 21 };
static double scores[N];
static float floats[N];
static size_t got[DRAWS], want[DRAWS];

static void fill(size_t n, uint64_t seed)
{
    for (size_t i = 0; i < n; i++) {
        floats[i] = (float)(test_random(&seed) >> 40) * 0x1p-21f;
        scores[i] = (double)floats[i];
    }
}

/* ---- agreement ---- */

static void test_forms_agree(void **state)
{
    (void)state;
    static char workspace[100000];
    const size_t sizes[] = {1, 2, 5, 127, 128, 129, 1000, N};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        const size_t n = sizes[s];
        simdp_rng rng, other;
        fill(n, 50 + s);
        for (uint64_t start = 0; start < 70; start += 23) {
            test_stream(&rng, 1, s, start);
            for (int d = 0; d < DRAWS; d++) must(simdp_select_gumbel(&rng, &want[d], scores, n, 1.5));
            assert_int_equal(simdp_rng_position(&rng),
                             (start + 127) / 128 * 128 + (DRAWS - 1) * 128 * ((n + 127) / 128) + n);
#define AGREE(call)                             \
    test_stream(&other, 1, s, start);           \
    memset(got, 0xaa, sizeof got);              \
    must(call);                                 \
    assert_memory_equal(got, want, sizeof got); \
    assert_int_equal(simdp_rng_position(&other), simdp_rng_position(&rng))
            AGREE(simdp_select_gumbel_many(&other, got, DRAWS, scores, n, 1.5));
            AGREE(simdp_select_gumbel_many_f32(&other, got, DRAWS, floats, n, 1.5));
            AGREE(simdp_select_gumbel_many_vartime(&other, got, DRAWS, scores, n, 1.5));
            AGREE(simdp_select_gumbel_many_vartime_f32(&other, got, DRAWS, floats, n, 1.5));
            assert_true(simdp_select_workspace(n) + 1 < sizeof workspace);
            must(simdp_select_prepare(workspace + 1, scores, n, 1.5));
            AGREE(simdp_select_prepared(&other, got, DRAWS, workspace + 1));
            AGREE(simdp_select_prepared_vartime(&other, got, DRAWS, workspace + 1));
            must(simdp_select_prepare_f32(workspace, floats, n, 1.5));
            AGREE(simdp_select_prepared(&other, got, DRAWS, workspace));
            test_stream(&other, 1, s, start);
            for (int d = 0; d < DRAWS; d++) {
                size_t ranks[10];
                const size_t k = n < 10 ? n : 10;
                const uint64_t here = simdp_rng_position(&other);
                must(simdp_select_gumbel_top_k(&other, ranks, k, scores, n, 1.5));
                assert_int_equal(ranks[0], want[d]);
                must(simdp_rng_seek(&other, here));
                must(simdp_select_gumbel_vartime_f32(&other, got, floats, n, 1.5));
                assert_int_equal(got[0], want[d]);
            }
        }
    }
}

static void test_rows_are_single_selections(void **state)
{
    (void)state;
    simdp_rng rng;
    fill(N, 4);
    for (size_t n = 1; n <= N / DRAWS; n += 13) {
        test_stream(&rng, 2, n, 3);
        for (size_t r = 0; r < DRAWS; r++) must(simdp_select_gumbel(&rng, &want[r], scores + r * n, n, 2));
        test_stream(&rng, 2, n, 3);
        must(simdp_select_gumbel_rows(&rng, got, scores, DRAWS, n, 2));
        assert_memory_equal(got, want, sizeof got);
        test_stream(&rng, 2, n, 3);
        must(simdp_select_gumbel_rows_f32(&rng, got, floats, DRAWS, n, 2));
        assert_memory_equal(got, want, sizeof got);
    }
}

/* All ranks: a permutation, whatever the number of passes, and the first of it the same for every k. */
static void test_all_ranks(void **state)
{
    (void)state;
    for (size_t n = 1; n <= 100; n += 9) {
        size_t all[100], some[100];
        char seen[100] = {0};
        simdp_rng rng;
        fill(n, n);
        test_stream(&rng, 3, n, 0);
        must(simdp_select_gumbel_top_k(&rng, all, n, scores, n, 4));
        for (size_t i = 0; i < n; i++) {
            assert_true(all[i] < n && !seen[all[i]]);
            seen[all[i]] = 1;
        }
        for (size_t k = 1; k < n; k += 7) {
            test_stream(&rng, 3, n, 0);
            must(simdp_select_gumbel_top_k_f32(&rng, some, k, floats, n, 4));
            assert_memory_equal(some, all, k * sizeof *some);
        }
    }
}

/* ---- special scores ---- */

static size_t select_one(const double *s, size_t n, double scale, int form)
{
    simdp_rng rng;
    size_t index[4] = {99, 99, 99, 99};
    char workspace[4096];
    test_stream(&rng, 5, 0, 0);
    switch (form) {
    case 0: must(simdp_select_gumbel(&rng, index, s, n, scale)); break;
    case 1: must(simdp_select_gumbel_vartime(&rng, index, s, n, scale)); break;
    case 2: must(simdp_select_permute_flip(&rng, index, s, n, scale)); break;
    case 3: must(simdp_select_gumbel_many_vartime(&rng, index, 4, s, n, scale)); break;
    case 4: must(simdp_select_gumbel_top_k(&rng, index, 1, s, n, scale)); break;
    case 5: must(simdp_select_gumbel_rows(&rng, index, s, 1, n, scale)); break;
    case 6:
        must(simdp_select_prepare(workspace, s, n, scale));
        must(simdp_select_prepared(&rng, index, 1, workspace));
        break;
    default:
        must(simdp_select_prepare(workspace, s, n, scale));
        must(simdp_select_prepared_vartime(&rng, index, 1, workspace));
        break;
    }
    assert_int_equal(simdp_rng_position(&rng), form == 3 ? 3 * 128 + n : n);
    return index[0];
}

static void test_special_scores(void **state)
{
    (void)state;
    const double inf = INFINITY, nan = NAN, huge = 0x1.fffffffffffffp1023, tiny = 0x1p-1074;
    const struct {
        double score[6], scale;
        size_t winner;
    } cases[] = {
        {{nan, nan, nan, nan, nan, nan}, 1, 0},
        {{-inf, nan, -inf, -inf, -inf, -inf}, 1, 0},
        {{nan, -inf, nan, 3, -inf, nan}, 1, 3},
        {{-inf, nan, -inf, nan, -huge, nan}, 1, 4},
        {{1, inf, 2, inf, nan, 5}, 1, 1},
        {{nan, -inf, 0, 0, 0, inf}, 1, 5},
        {{inf, inf, inf, inf, inf, inf}, 1, 0},
        {{-huge, huge, -huge, 0, nan, -huge}, 1, 1},
        {{-huge, -huge, -huge, -huge, huge, -huge}, SIMDP_NOISE_SCALE_MIN, 4},
        {{0, tiny, 0, 0x1p-800, 0, 0}, SIMDP_NOISE_SCALE_MIN, 3},
        {{huge, 0x1.ffffffffffffep1023, 0, 1, 2, -huge}, 1, 0},
        {{1, 2, 3, 4, 5, 6}, 0, 5},
        {{6, 2, nan, 6, 5, -inf}, 0, 0},
        {{nan, -inf, nan, -inf, nan, nan}, 0, 0},
        {{0, inf, inf, nan, 5, -inf}, 0, 1},
        {{-0.0, 0.0, 0.0, -0.0, 0.0, -1}, 0, 0},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        for (int form = 0; form < 8; form++) {
            const size_t index = select_one(cases[c].score, 6, cases[c].scale, form);
            if (index != cases[c].winner) fail_msg("case %zu, form %d: %zu", c, form, index);
        }
    }
    size_t ranks[6];
    simdp_rng rng;
    const double mixed[6] = {nan, 1, inf, -inf, 900, inf};
    const size_t order[6] = {2, 5, 4, 1, 0, 3};
    for (double scale = 0; scale < 2; scale++) {
        test_stream(&rng, 5, 0, 0);
        must(simdp_select_gumbel_top_k(&rng, ranks, 6, mixed, 6, scale));
        assert_memory_equal(ranks, order, sizeof ranks);
    }
}

/* Scores so large, or a scale so small, that quotients overflow decide like plain numbers; so large a scale that all
 * are equal. */
static void test_extreme_scales(void **state)
{
    (void)state;
    const double scales[] = {SIMDP_NOISE_SCALE_MIN, 0x1p-500, 1, 0x1p500, SIMDP_NOISE_SCALE_MAX};
    for (size_t s = 0; s < sizeof scales / sizeof *scales; s++) {
        for (int form = 0; form < 8; form++) {
            double small[3] = {0, 0x1p-880 * (s == 0), 0}, large[3] = {-0x1p1000, 0x1p1000, 0x1p999}, same[3],
                   plain[3] = {0, 1, 2};
            if (s == 0) assert_int_equal(select_one(small, 3, scales[s], form), 1);
            if (s <= 3) assert_int_equal(select_one(large, 3, scales[s], form), 1);
            for (int i = 0; i < 3; i++) same[i] = plain[i] * scales[s];
            assert_int_equal(select_one(same, 3, scales[s], form), select_one(plain, 3, 1, form));
        }
    }
}

/* ---- parameters and streams ---- */

static void test_bad_parameters(void **state)
{
    (void)state;
    simdp_rng rng, closed = {0};
    size_t index[9];
    double p[8];
    char workspace[4096] = {0};
    const double bad_scales[] = {NAN, INFINITY, -1, -0x1p-1000, 0x1p-901, 0x1p901, 0x1p-1074, -0x1p-1074};
    const unsigned mode = _mm_getcsr();
    test_stream(&rng, 5, 0, 7);
    fill(8, 3);
    memset(index, 0xaa, sizeof index);
#define REFUSE(status, call) assert_int_equal(call, status)
    for (size_t s = 0; s < 16; s++) {
        const double scale = bad_scales[s % 8];
        if (s == 8) _mm_setcsr(mode | 0x8040); /* where other subnormal numbers count as 0, a scale does not */
        REFUSE(SIMDP_EPARAM, simdp_select_gumbel(&rng, index, scores, 8, scale));
        REFUSE(SIMDP_EPARAM, simdp_select_gumbel_vartime(&rng, index, scores, 8, scale));
        REFUSE(SIMDP_EPARAM, simdp_select_gumbel_top_k_f32(&rng, index, 3, floats, 8, scale));
        REFUSE(SIMDP_EPARAM, simdp_select_permute_flip(&rng, index, scores, 8, scale));
        REFUSE(SIMDP_EPARAM, simdp_select_prepare(workspace, scores, 8, scale));
        if (s % 8 != 1) REFUSE(SIMDP_EPARAM, simdp_select_probabilities(p, scores, 1, 8, scale));
    }
    _mm_setcsr(mode);
    REFUSE(SIMDP_EPARAM, simdp_select_gumbel(&rng, index, scores, 0, 1));
    REFUSE(SIMDP_EPARAM, simdp_select_gumbel_many(&rng, index, 0, scores, 0, 1));
    REFUSE(SIMDP_EPARAM, simdp_select_gumbel_rows(&rng, index, scores, 3, 0, 1));
    REFUSE(SIMDP_EPARAM, simdp_select_gumbel_top_k(&rng, index, 9, scores, 8, 1));
    REFUSE(SIMDP_EPARAM, simdp_select_gumbel_rows(&rng, index, scores, SIZE_MAX / 8, 9, 1));
    REFUSE(SIMDP_EPARAM, simdp_select_gumbel(&rng, index, scores, SIZE_MAX / 8 + 1, 1));
    REFUSE(SIMDP_EPARAM, simdp_select_prepare(workspace, scores, 0, 1));
    REFUSE(SIMDP_EPARAM, simdp_select_prepared(&rng, index, 2, workspace)); /* never prepared */
    REFUSE(SIMDP_EPARAM, simdp_select_gumbel(&closed, index, scores, 8, 1));
    REFUSE(SIMDP_EPARAM, simdp_select_log_probabilities(scores, scores, 1, 0, 1));
    REFUSE(SIMDP_ENULL, simdp_select_gumbel(NULL, index, scores, 8, 1));
    REFUSE(SIMDP_ENULL, simdp_select_gumbel(&rng, NULL, scores, 8, 1));
    REFUSE(SIMDP_ENULL, simdp_select_gumbel(&rng, index, NULL, 8, 1));
    REFUSE(SIMDP_ENULL, simdp_select_prepare(NULL, scores, 8, 1));
    REFUSE(SIMDP_ENULL, simdp_select_prepare(workspace, NULL, 8, 1));
    REFUSE(SIMDP_ENULL, simdp_select_prepared(&rng, index, 1, NULL));
    REFUSE(SIMDP_ENULL, simdp_select_expected_score(NULL, scores, 1, 8, 1));
    must(simdp_select_gumbel_many(&rng, NULL, 0, scores, 8, 1));
    must(simdp_select_gumbel_rows(&rng, NULL, NULL, 0, 8, 1));
    must(simdp_select_gumbel_top_k(&rng, NULL, 0, scores, 8, 1));
    assert_int_equal(simdp_rng_position(&rng), 7);
    for (size_t i = 0; i < sizeof workspace; i++) assert_int_equal(workspace[i], 0);
    assert_int_equal(simdp_select_workspace(0), 0);
    assert_int_equal(simdp_select_workspace(SIZE_MAX), 0);
    must(simdp_rng_seek(&rng, UINT64_MAX - 3 * 128 + 1)); /* the last selection there is */
    must(simdp_select_gumbel(&rng, index, scores, 8, 1));
    REFUSE(SIMDP_EPARAM, simdp_select_gumbel(&rng, index, scores, 8, 1));
    must(simdp_rng_seek(&rng, UINT64_MAX - 3));
    REFUSE(SIMDP_EPARAM, simdp_select_gumbel(&rng, index, scores, 8, 1));
    assert_int_equal(simdp_rng_position(&rng), UINT64_MAX - 3);
}

/* At the end of the stream too, a call for many succeeds where as many calls do. */
static void test_end_of_stream(void **state)
{
    (void)state;
    fill(N, 1);
    for (uint64_t back = 200; back < 1500; back++) {
        const size_t n = 1 + back * 37 % 300, draws = 1 + back % 4;
        size_t single[4] = {0}, many[4];
        simdp_rng rng;
        test_stream(&rng, 3, 0, UINT64_MAX - back);
        simdp_status status = SIMDP_OK;
        for (size_t d = 0; d < draws && status == SIMDP_OK; d++)
            status = simdp_select_gumbel(&rng, &single[d], scores, n, 1);
        const uint64_t end = simdp_rng_position(&rng);
        test_stream(&rng, 3, 0, UINT64_MAX - back);
        assert_int_equal(simdp_select_gumbel_many(&rng, many, draws, scores, n, 1), status);
        if (status != SIMDP_OK) continue;
        assert_int_equal(simdp_rng_position(&rng), end);
        assert_memory_equal(many, single, draws * sizeof *many);
    }
}

static simdp_status source_words(void *context, uint64_t *out, size_t n)
{
    uint64_t *left = context;
    if (*left < n) return SIMDP_ESOURCE;
    *left -= n;
    for (size_t i = 0; i < n; i++) out[i] = 0x0123456789abcdef + i;
    return SIMDP_OK;
}

/* Streams that are not deterministic give four words, which are the key of the bits. */
static void test_other_streams(void **state)
{
    (void)state;
    uint64_t words = 8, key[4];
    simdp_rng rng = {.kind = RNG_SOURCE, .source = source_words, .context = &words}, same;
    for (uint64_t i = 0; i < 4; i++) key[i] = 0x0123456789abcdef + i;
    fill(N, 1);
    must(simdp_rng_init_deterministic(&same, (const uint8_t *)key, 0));
    must(simdp_select_gumbel_many(&same, want, DRAWS, scores, N, 1));
    must(simdp_select_gumbel_many(&rng, got, DRAWS, scores, N, 1));
    assert_memory_equal(got, want, sizeof got);
    must(simdp_select_gumbel_many_vartime(&rng, got, DRAWS, scores, N, 1));
    assert_memory_equal(got, want, sizeof got);
    assert_int_equal(words, 0);
    assert_int_equal(simdp_rng_position(&rng), (2 * DRAWS - 1) * ((N + 127) / 128 * 128) + N);
    assert_int_equal(simdp_select_gumbel_many(&rng, got, DRAWS, scores, N, 1), SIMDP_ESOURCE);
    for (int d = 0; d < DRAWS; d++) assert_int_equal(got[d], SIZE_MAX);
    must(simdp_rng_init(&rng));
    int equal = 0;
    for (int d = 0; d < DRAWS; d++) {
        must(simdp_select_gumbel(&rng, got, scores, N, 1e6));
        equal += got[0] == want[0];
        assert_int_equal(simdp_rng_position(&rng), (uint64_t)d * ((N + 127) / 128 * 128) + N);
    }
    assert_true(equal < 10);
}

/* Any rounding mode and denormal setting of the caller: the same winners, and the mode comes back. */
static void test_floating_point_modes(void **state)
{
    (void)state;
    const unsigned modes[] = {0x1f80, 0x3f80, 0x5f80, 0x7f80, 0x9fc0, 0xffc0};
    for (size_t i = 0; i < 300; i++) scores[i] = ldexp((double)(i % 7), (int)(i % 3) * 500 - 1060);
    for (size_t m = 0; m < sizeof modes / sizeof *modes; m++) {
        const unsigned before = _mm_getcsr();
        size_t index[4];
        double mean;
        simdp_rng rng;
        for (size_t form = 0; form < 3; form++) {
            test_stream(&rng, 8, form, 0);
            _mm_setcsr(modes[m]);
            const simdp_status status =
                form == 0   ? simdp_select_gumbel_top_k(&rng, index, 4, scores, 300, SIMDP_NOISE_SCALE_MIN)
                : form == 1 ? simdp_select_gumbel_many_vartime(&rng, index, 4, scores, 300, SIMDP_NOISE_SCALE_MIN)
                            : simdp_select_expected_score(&mean, scores, 1, 300, 1);
            const unsigned after = _mm_getcsr();
            _mm_setcsr(before);
            must(status);
            assert_int_equal(after & ~0x3fu, modes[m] & ~0x3fu);
            if (form == 2) memcpy(index, &mean, sizeof mean);
            if (m == 0) memcpy(want + 4 * form, index, form == 2 ? sizeof mean : sizeof index);
            assert_memory_equal(want + 4 * form, index, form == 2 ? sizeof mean : sizeof index);
        }
    }
}

/* Scales and gaps, in every mode of the caller. */
static void test_closed_forms_in_modes(void **state)
{
    (void)state;
    enum { ROWS = 200, RESULTS = 7 };
    const unsigned modes[] = {0x1f80, 0x3f80, 0x5f80, 0x7f80, 0x9fc0, 0xffc0}, before = _mm_getcsr();
    static double expected[ROWS][RESULTS];
    for (size_t m = 0; m < sizeof modes / sizeof *modes; m++) {
        uint64_t random = 4;
        for (size_t i = 0; i < ROWS; i++) {
            const double a = 1 + (double)(test_random(&random) >> 11) * 0x1p-50, tiny = (double)(i + 1) * 0x1p-1074;
            double found[RESULTS];
            _mm_setcsr(modes[m]);
            const simdp_status mean = simdp_select_gap_mean(&found[0], a, 0.3),
                               tail = simdp_select_gap_tail(&found[1], a, 0.3, 0.1),
                               least = simdp_select_gap_tail(&found[2], 9, 1, tiny),
                               small = simdp_select_gap_mean(&found[3], 9, tiny);
            found[4] = simdp_select_scale(a, 0.7, 0);
            found[5] = simdp_select_scale(tiny, 0x1p-500, 0);
            found[6] = simdp_select_scale(0.1, tiny, 1);
            _mm_setcsr(before);
            assert_true(mean == SIMDP_OK && tail == SIMDP_OK && least == SIMDP_OK && small == SIMDP_OK);
            if (m == 0) memcpy(expected[i], found, sizeof found);
            assert_memory_equal(expected[i], found, sizeof found);
        }
    }
}

/* ---- closed forms ---- */

static void test_closed_forms(void **state)
{
    (void)state;
    double gap, p[5], log_p[5];
    assert_true(simdp_select_scale(1, 1, 0) == 2 && simdp_select_scale(1, 1, 1) == 1 &&
                simdp_select_scale(0.5, 3, 0) == 12);
    assert_true(simdp_select_scale(INFINITY, 1, 0) == 0 && simdp_select_scale(0, 1, 0) == INFINITY);
    assert_true(isnan(simdp_select_scale(-1, 1, 0)) && isnan(simdp_select_scale(NAN, 1, 0)) &&
                isnan(simdp_select_scale(1, 0, 0)));
    assert_true(isnan(simdp_select_scale(1, -1, 0)) && isnan(simdp_select_scale(1, INFINITY, 0)));
    uint64_t random = 2;
    for (int i = 0; i < 10000; i++) { /* never below the exact quotient, never an ulp more than needed */
        const double epsilon = 1e-3 + (double)(test_random(&random) >> 11) * 0x1p-50,
                     sensitivity = 1 + (double)(test_random(&random) >> 20) * 0x1p-40;
        const double scale = simdp_select_scale(epsilon, sensitivity, i % 2);
        const double top = i % 2 ? sensitivity : 2 * sensitivity;
        assert_true(fma(scale, epsilon, -top) >= 0 && fma(nextafter(scale, 0), epsilon, -top) < 0);
    }
    must(simdp_select_gap_mean(&gap, 1, INFINITY));
    assert_true(gap == 0);
    must(simdp_select_gap_mean(&gap, 10, INFINITY));
    assert_true(gap == INFINITY);
    must(simdp_select_gap_tail(&gap, 1, INFINITY, 1));
    assert_true(gap == 0);
    must(simdp_select_gap_tail(&gap, 10, 2, 0));
    assert_true(gap == INFINITY);
    assert_int_equal(simdp_select_gap_tail(&gap, 10, 2, 1.5), SIMDP_EPARAM);
    assert_true(isnan(gap));
    assert_int_equal(simdp_select_gap_mean(&gap, 0, 2), SIMDP_EPARAM);
    const double mixed[5] = {NAN, 2, -INFINITY, 2, -5000};
    must(simdp_select_probabilities(p, mixed, 1, 5, 1));
    must(simdp_select_log_probabilities(log_p, mixed, 1, 5, 1));
    assert_true(p[0] == 0 && p[1] == 0.5 && p[2] == 0 && p[3] == 0.5 && p[4] == 0);
    assert_true(log_p[0] == -INFINITY && fabs(log_p[4] + 5002.6931471805599) < 1e-11);
    const double certain[4] = {3, INFINITY, NAN, INFINITY};
    must(simdp_select_probabilities(p, certain, 1, 4, 1));
    assert_true(p[0] == 0 && p[1] == 1 && p[2] == 0 && p[3] == 0);
    must(simdp_select_expected_score(&gap, mixed, 1, 5, 1));
    assert_true(fabs(gap - 2) < 1e-15);
    must(simdp_select_probabilities(p, mixed, 1, 5, INFINITY));
    assert_true(p[0] == 0 && fabs(p[1] - 1.0 / 3) < 1e-16 && p[2] == 0 && p[4] == p[1]);
    must(simdp_select_probabilities(p, mixed, 1, 5, 0));
    assert_true(p[1] == 1 && p[3] == 0);
    double in_place[4] = {1, 2, 7, 7};
    must(simdp_select_probabilities(in_place, in_place, 2, 2, 1));
    assert_true(fabs(in_place[0] - 1 / (1 + exp(1))) < 1e-16 && in_place[2] == 0.5 && in_place[3] == 0.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forms_agree),
        cmocka_unit_test(test_rows_are_single_selections),
        cmocka_unit_test(test_all_ranks),
        cmocka_unit_test(test_special_scores),
        cmocka_unit_test(test_extreme_scales),
        cmocka_unit_test(test_bad_parameters),
        cmocka_unit_test(test_end_of_stream),
        cmocka_unit_test(test_other_streams),
        cmocka_unit_test(test_floating_point_modes),
        cmocka_unit_test(test_closed_forms),
        cmocka_unit_test(test_closed_forms_in_modes),
    };
    return cmocka_run_group_tests_name("select_forms", tests, NULL, NULL);
}
