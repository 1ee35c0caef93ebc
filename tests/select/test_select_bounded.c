/* test_select_bounded: every public selection comes to an end, with indices below n, in the order that the header
 * states, whatever the scores: the largest and smallest numbers, clusters whose distance overflows, infinities, NaN;
 * and scores that changed after they were prepared. */
#define _XOPEN_SOURCE 700
#include <float.h>
#include <math.h>

#include "select/select_call.h"
#include "support/header_names.h"
#include "support/law_check.h"
#include "support/test_support.h"
#include "support/watchdog.h"

enum { N_MAX = 1000, DRAWS = 6, LIMIT = 20 /* seconds of processor time for a call */ };

/* ---- scores ---- */

/* The numbers that adversarial scores are made of, for doubles and for floats. */
typedef struct {
    double largest, tiny, cluster;
} extremes;
static const extremes of_double = {DBL_MAX, 0x1p-1074, 1e308}, of_float = {FLT_MAX, 0x1p-149, 0x1p127};

typedef struct {
    const char *name;
    double (*score)(size_t i, size_t n, const extremes *x);
} pattern;

#define PATTERN(name, value)                                  \
    static double name(size_t i, size_t n, const extremes *x) \
    {                                                         \
        (void)i, (void)n, (void)x;                            \
        return value;                                         \
    }
PATTERN(equal, 0)
PATTERN(largest, x->largest)
PATTERN(lowest, -x->largest)
PATTERN(both_ends, i % 2 ? x->largest : -x->largest)
PATTERN(two_and_lowest, i % 3 == 2 ? -x->largest : (double)(i % 3))
PATTERN(one_above_lowest, i == n / 2 ? x->largest : -x->largest)
PATTERN(one_below_largest, i == n / 2 ? -x->largest : x->largest)
PATTERN(two_clusters, (i % 5 < 2 ? x->cluster : 0) + (double)i)
PATTERN(three_clusters, i % 3 == 0 ? x->cluster : i % 3 == 1 ? -x->cluster : (double)i)
PATTERN(subnormals, (double)(i % 7) * x->tiny)
PATTERN(subnormals_and_largest, i % 64 == 3 ? x->largest : (double)(i % 7) * -x->tiny)
PATTERN(rising, x->largest / (double)n * (double)i)
PATTERN(falling, -x->largest / (double)n * (double)i)
PATTERN(steps, -100.0 * (double)i)
PATTERN(ladder, ldexp(i % 2 ? -1 : 1, (int)(i * 37 % 250) - 126))
PATTERN(no_number, NAN)
PATTERN(all_below, -INFINITY)
PATTERN(all_above, INFINITY)
PATTERN(lowest_among_none, i == n - 1 ? -x->largest : i % 2 ? NAN : -INFINITY)
PATTERN(few_numbers, i % 11 == 3 ? (double)i : i % 2 ? NAN : -INFINITY)
PATTERN(mixed_infinities, i % 7 == 1   ? INFINITY
                          : i % 7 == 2 ? -INFINITY
                          : i % 7 == 3 ? NAN
                          : i % 7 == 4 ? x->largest
                          : i % 7 == 5 ? -x->largest
                                       : (double)i)
static const pattern patterns[] = {
#define ROW(name)   \
    {               \
#name, name \
    }
    ROW(equal),
    ROW(largest),
    ROW(lowest),
    ROW(both_ends),
    ROW(two_and_lowest),
    ROW(one_above_lowest),
    ROW(one_below_largest),
    ROW(two_clusters),
    ROW(three_clusters),
    ROW(subnormals),
    ROW(subnormals_and_largest),
    ROW(rising),
    ROW(falling),
    ROW(steps),
    ROW(ladder),
    ROW(no_number),
    ROW(all_below),
    ROW(all_above),
    ROW(lowest_among_none),
    ROW(few_numbers),
    ROW(mixed_infinities),
};
enum { PATTERNS = sizeof patterns / sizeof *patterns };

static const double scales[] = {0, SIMDP_NOISE_SCALE_MIN, 0x1p-500, 1, 0x1p100, SIMDP_NOISE_SCALE_MAX};
enum { SCALES = sizeof scales / sizeof *scales };
static const size_t sizes[] = {1, 2, 3, 127, 128, 129, N_MAX};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* Scores of a case: doubles, and where they are floats the same numbers as floats. */
typedef struct {
    const simdp_kernels *table;
    const pattern *pattern;
    size_t n;
    double scale;
    bool is_float;
    const double *scores;
    const float *floats;
} bounded_case;

static double scores[DRAWS * N_MAX];
static float floats[DRAWS * N_MAX];

/* DRAWS rows, all alike */
static void fill(const pattern *p, size_t n, bool is_float)
{
    for (size_t i = 0; i < DRAWS * n; i++) {
        const double s = p->score(i % n, n, is_float ? &of_float : &of_double);
        floats[i] = is_float ? (float)s : 0;
        scores[i] = is_float ? (double)floats[i] : s;
    }
}

static int class_of(double score) { return score == INFINITY ? 2 : score - score == 0 ? 1 : 0; }

/* ---- the forms ---- */

static char workspace[8 * N_MAX + 4096], workspace_f32[8 * N_MAX + 4096];
static double law[DRAWS * N_MAX];

/* A public function: `winners` indices per call, several selections or k ranks of one; 0: closed forms and
 * preparations. */
typedef struct {
    const char *name;
    size_t winners;
    bool flip;
    simdp_status (*call)(simdp_rng *rng, size_t *index, const bounded_case *c);
} form;

#define FORM(function, arguments)                                                             \
    static simdp_status call_##function(simdp_rng *rng, size_t *index, const bounded_case *c) \
    {                                                                                         \
        (void)rng, (void)index, (void)c;                                                      \
        return simdp_select_##function arguments;                                             \
    }
#define FORM_NUMBER(function, arguments)                                                      \
    static simdp_status call_##function(simdp_rng *rng, size_t *index, const bounded_case *c) \
    {                                                                                         \
        (void)rng, (void)index, (void)c;                                                      \
        (void)simdp_select_##function arguments;                                              \
        return SIMDP_OK;                                                                      \
    }
/* A function whose other arguments have ranges of their own: whatever it says, it ends. */
#define FORM_ANY(function, arguments)                                                         \
    static simdp_status call_##function(simdp_rng *rng, size_t *index, const bounded_case *c) \
    {                                                                                         \
        (void)rng, (void)index, (void)c;                                                      \
        (void)!simdp_select_##function arguments;                                             \
        return SIMDP_OK;                                                                      \
    }
static const simdp_id ids[DRAWS] = {{1, 0}};
static const int64_t counts[] = {INT64_MIN, -1, 0, 1, 2, 100, (int64_t)1 << 53, INT64_MAX};
enum { COUNTS = sizeof counts / sizeof *counts };
static uint8_t flags[COUNTS];
static simdp_select_threshold asked;

FORM(gumbel, (rng, index, c->scores, c->n, c->scale))
FORM(gumbel_f32, (rng, index, c->floats, c->n, c->scale))
FORM(gumbel_many, (rng, index, DRAWS, c->scores, c->n, c->scale))
FORM(gumbel_many_f32, (rng, index, DRAWS, c->floats, c->n, c->scale))
FORM(gumbel_rows, (rng, index, c->scores, DRAWS, c->n, c->scale))
FORM(gumbel_rows_f32, (rng, index, c->floats, DRAWS, c->n, c->scale))
FORM(gumbel_top_k, (rng, index, 1, c->scores, c->n, c->scale))
FORM(gumbel_top_k_f32, (rng, index, 1, c->floats, c->n, c->scale))
FORM(gumbel_vartime, (rng, index, c->scores, c->n, c->scale))
FORM(gumbel_vartime_f32, (rng, index, c->floats, c->n, c->scale))
FORM(gumbel_many_vartime, (rng, index, DRAWS, c->scores, c->n, c->scale))
FORM(gumbel_many_vartime_f32, (rng, index, DRAWS, c->floats, c->n, c->scale))
FORM(permute_flip, (rng, index, c->scores, c->n, c->scale))
FORM(permute_flip_f32, (rng, index, c->floats, c->n, c->scale))
FORM_NUMBER(workspace, (c->n))
FORM(prepare, (workspace, c->scores, c->n, c->scale))
FORM(prepare_f32, (workspace_f32, c->floats, c->n, c->scale))
FORM(prepared, (rng, index, DRAWS, c->is_float ? workspace_f32 : workspace))
FORM(prepared_vartime, (rng, index, DRAWS, c->is_float ? workspace_f32 : workspace))
FORM_NUMBER(scale, (c->scale, 1, 0))
FORM(gap_mean, (law, (double)c->n, c->scale))
FORM(gap_tail, (law, (double)c->n, c->scale, 0x1p-1074))
FORM_ANY(gumbel_rows_by_id, (rng, index, c->scores, ids, DRAWS, c->n, c->scale))
FORM_ANY(partitions, (rng, flags, counts, COUNTS, c->scale, 1e-9, 1))
FORM_ANY(partitions_by_id, (rng, flags, counts, ids, 2, c->scale, 1e-9, c->n))
FORM_ANY(partition_probability, (law, law + COUNTS, counts, COUNTS, c->scale, 1e-9, c->n))
FORM_ANY(above_threshold, (rng, index, flags, c->scores, c->n, 1.0, c->scale, c->scale))
FORM_ANY(threshold_open, (rng, &asked, 1.0, c->scale, c->scale, 2))
FORM_ANY(threshold_ask, (rng, &asked, flags, c->scores[0]))
FORM_ANY(threshold_scales, (law, law + 1, c->scale, 1.0, c->n, 0))
FORM(quantile_scores, (law, c->scores, c->n, c->scores, c->n, 1, 4))
static simdp_status call_threshold_wipe(simdp_rng *rng, size_t *index, const bounded_case *c)
{
    (void)rng, (void)index, (void)c;
    simdp_select_threshold_wipe(&asked);
    return SIMDP_OK;
}
FORM(probabilities, (law, c->scores, DRAWS, c->n, c->scale))
FORM(log_probabilities, (law, c->scores, DRAWS, c->n, c->scale))
FORM(expected_score, (law, c->scores, DRAWS, c->n, c->scale))

/* Workspaces are filled before they are used: in the order of this table. */
static const form forms[] = {
#define FORM_ROW(name, ...)                             \
    {                                                   \
        "simdp_select_" #name, __VA_ARGS__, call_##name \
    }
    FORM_ROW(gumbel, 1, false),
    FORM_ROW(gumbel_f32, 1, false),
    FORM_ROW(gumbel_many, DRAWS, false),
    FORM_ROW(gumbel_many_f32, DRAWS, false),
    FORM_ROW(gumbel_rows, DRAWS, false),
    FORM_ROW(gumbel_rows_f32, DRAWS, false),
    FORM_ROW(gumbel_top_k, 1, false),
    FORM_ROW(gumbel_top_k_f32, 1, false),
    FORM_ROW(gumbel_vartime, 1, false),
    FORM_ROW(gumbel_vartime_f32, 1, false),
    FORM_ROW(gumbel_many_vartime, DRAWS, false),
    FORM_ROW(gumbel_many_vartime_f32, DRAWS, false),
    FORM_ROW(permute_flip, 1, true),
    FORM_ROW(permute_flip_f32, 1, true),
    FORM_ROW(workspace, 0, false),
    FORM_ROW(prepare, 0, false),
    FORM_ROW(prepare_f32, 0, false),
    FORM_ROW(prepared, DRAWS, false),
    FORM_ROW(prepared_vartime, DRAWS, false),
    FORM_ROW(scale, 0, false),
    FORM_ROW(gap_mean, 0, false),
    FORM_ROW(gap_tail, 0, false),
    FORM_ROW(gumbel_rows_by_id, 0, false),
    FORM_ROW(partitions, 0, false),
    FORM_ROW(partitions_by_id, 0, false),
    FORM_ROW(partition_probability, 0, false),
    FORM_ROW(above_threshold, 0, false),
    FORM_ROW(threshold_open, 0, false),
    FORM_ROW(threshold_ask, 0, false),
    FORM_ROW(threshold_scales, 0, false),
    FORM_ROW(threshold_wipe, 0, false),
    FORM_ROW(quantile_scores, 0, false),
    FORM_ROW(probabilities, 0, false),
    FORM_ROW(log_probabilities, 0, false),
    FORM_ROW(expected_score, 0, false),
};
enum { FORMS = sizeof forms / sizeof *forms };

static bool is_f32(const form *f) { return strstr(f->name, "_f32") != NULL; }

static bool is_form(const char *name)
{
    for (size_t f = 0; f < FORMS; f++) {
        if (strcmp(forms[f].name, name) == 0) return true;
    }
    return false;
}

static void test_no_form_is_missing(void **state)
{
    (void)state;
    header_check("simdp_select.h", "simdp_select_", is_form);
    char control[] = "/* simdp_select_old(x) */ int simdp_select_gumbel(int), simdp_select_new(int);", missing[100];
    assert_int_equal(header_missing(control, "simdp_select_", is_form, missing), 1);
    assert_string_equal(missing, "simdp_select_new");
}

/* ---- one winner ---- */

/* What every winner is: +inf of the smallest index, else a finite score, else index 0. */
static bool is_winner(const bounded_case *c, size_t index)
{
    size_t above = c->n;
    bool any = false;
    for (size_t i = c->n; i-- > 0;) {
        if (class_of(c->scores[i]) == 2) above = i;
        any |= class_of(c->scores[i]) == 1;
    }
    if (index >= c->n) return false;
    return above < c->n ? index == above : any ? class_of(c->scores[index]) == 1 : index == 0;
}

#define FAIL(c, what, ...)                                                                                       \
    fail_msg(what ": %s%s, n %zu, scale %a, %s", __VA_ARGS__, (c)->pattern->name, (c)->is_float ? " (f32)" : "", \
             (c)->n, (c)->scale, (c)->table->isa)

static void run(const form *f, simdp_rng *rng, size_t *index, const bounded_case *c)
{
    WATCHDOG_START(LIMIT, "%s: %s%s, n %zu, scale %a, %s", f->name, c->pattern->name, c->is_float ? " (f32)" : "", c->n,
                   c->scale, c->table->isa);
    const simdp_status status = f->call(rng, index, c);
    watchdog_stop();
    if (status != SIMDP_OK) FAIL(c, "%s: status %d", f->name, (int)status);
}

/* Selections follow each other on the stream, so all forms of one law have the same first winners. */
static void check_forms(const bounded_case *c)
{
    size_t first[2] = {SIZE_MAX, SIZE_MAX}, index[DRAWS];
    simdp_rng rng;
    for (size_t f = 0; f < FORMS; f++) {
        if (is_f32(&forms[f]) && !c->is_float) continue;
        test_stream(&rng, 60, c->n, 0);
        memset(index, 0xff, sizeof index);
        run(&forms[f], &rng, index, c);
        for (size_t d = 0; d < forms[f].winners; d++) {
            if (!is_winner(c, index[d])) FAIL(c, "%s: winner %zu is %zu", forms[f].name, d, index[d]);
        }
        if (forms[f].winners == 0) continue;
        if (first[forms[f].flip] == SIZE_MAX) first[forms[f].flip] = index[0];
        if (index[0] != first[forms[f].flip])
            FAIL(c, "%s: %zu instead of %zu", forms[f].name, index[0], first[forms[f].flip]);
    }
}

/* The same winners wherever the decision begins: in the variable-time race, in pairs of doubles, in 512 bits. */
static void check_stages(const bounded_case *c)
{
    for (int flip = 0; flip < 2; flip++) {
        size_t want = 0, got;
        for (int from = SELECT_FROM_START; from <= SELECT_FROM_WIDE; from++) {
            simdp_rng rng;
            test_stream(&rng, 61, c->n, 0);
            WATCHDOG_START(LIMIT, "stage %d, flip %d: %s, n %zu, scale %a, %s", from, flip, c->pattern->name, c->n,
                           c->scale, c->table->isa);
            must(simdp_select_run(&(select_call){.rng = &rng,
                                                 .index = &got,
                                                 .scores = {c->scores, false},
                                                 .rows = 1,
                                                 .n = c->n,
                                                 .draws = 1,
                                                 .k = 1,
                                                 .scale = c->scale,
                                                 .flip = flip != 0,
                                                 .from = from}));
            watchdog_stop();
            if (from == SELECT_FROM_START) want = got;
            if (!is_winner(c, got) || got != want) FAIL(c, "stage %d: %zu", from, got);
        }
    }
}

/* ---- rankings ---- */

/* All ranks at once: distinct, +inf and what is no number by index, and no finite score behind one that lies more than
 * 1000 scales below. Then fewer ranks are the first of these. */
static void check_ranking(const bounded_case *c)
{
    static size_t all[N_MAX], some[N_MAX];
    static bool seen[N_MAX];
    const size_t ranks[] = {1, 2, 3, 7, 8, 9, 16, 17, c->n / 2, c->n - 1};
    simdp_rng rng;
    memset(seen, 0, sizeof seen);
    for (int r = -1; r < (int)(sizeof ranks / sizeof *ranks); r++) {
        const size_t k = r < 0 ? c->n : ranks[r];
        if (k > c->n || (r > 0 && k > 20 && c->n == N_MAX && !is_full())) continue;
        test_stream(&rng, 62, c->n, 0);
        memset(some, 0xff, sizeof some);
        WATCHDOG_START(LIMIT, "simdp_select_gumbel_top_k%s: k %zu, %s, n %zu, scale %a, %s", c->is_float ? "_f32" : "",
                       k, c->pattern->name, c->n, c->scale, c->table->isa);
        if (c->is_float) must(simdp_select_gumbel_top_k_f32(&rng, r < 0 ? all : some, k, c->floats, c->n, c->scale));
        else must(simdp_select_gumbel_top_k(&rng, r < 0 ? all : some, k, c->scores, c->n, c->scale));
        watchdog_stop();
        if (r >= 0 && memcmp(all, some, k * sizeof *all) != 0) FAIL(c, "the first %zu ranks differ", k);
    }
    for (size_t i = 0; i < c->n; i++) {
        if (all[i] >= c->n || seen[all[i]]) FAIL(c, "rank %zu is %zu", i, all[i]);
        seen[all[i]] = true;
        if (i == 0) continue;
        const double a = c->scores[all[i - 1]], b = c->scores[all[i]];
        if (class_of(a) < class_of(b) || (class_of(a) == class_of(b) && class_of(a) != 1 && all[i - 1] > all[i]) ||
            (class_of(a) == 1 && class_of(b) == 1 && (long double)b - (long double)a > 1000 * (long double)c->scale))
            FAIL(c, "ranks %zu and %zu, %g and %g", i - 1, i, a, b);
    }
}

static void test_adversarial_scores(void **state)
{
    (void)state;
    const simdp_kernels *t;
    for (size_t i = 0; (t = next_usable(&i)) != NULL; i++) {
        if (is_left_out(t)) continue;
        must(simdp_isa_select(t->isa));
        for (size_t p = 0; p < 2 * PATTERNS; p++) {
            for (size_t s = 0; s < SIZES; s++) {
                fill(&patterns[p / 2], sizes[s], p % 2);
                for (size_t b = 0; b < SCALES; b++) {
                    /* of many candidates one scale, another with each pattern, size and instruction set */
                    if (!is_full() && sizes[s] > 100 && (p / 2 + s + i) % SCALES != b) continue;
                    const bounded_case c = {t, &patterns[p / 2], sizes[s], scales[b], p % 2, scores, floats};
                    check_forms(&c);
                    check_stages(&c);
                    check_ranking(&c);
                }
            }
        }
    }
    must(simdp_isa_select(NULL));
}

/* The ranks behind a winner whose distance overflows still follow their law: one score far above, others a few scales
 * apart. */
static void test_law_beyond_overflow(void **state)
{
    (void)state;
    enum { RANKED = 5, TIMES = 20000 };
    const double scale = SIMDP_NOISE_SCALE_MIN, s[RANKED] = {0, 0x1p1000, scale, 2 * scale, 0};
    uint64_t count[RANKED] = {0};
    double p[RANKED], total = 0;
    simdp_rng rng;
    test_stream(&rng, 63, 0, 0);
    for (int i = 0; i < TIMES; i++) {
        size_t index[2];
        WATCHDOG_START(LIMIT, "the law beyond overflow, call %d", i);
        must(simdp_select_gumbel_top_k(&rng, index, 2, s, RANKED, scale));
        watchdog_stop();
        assert_int_equal(index[0], 1);
        count[index[1]]++;
    }
    for (int i = 0; i < RANKED; i++) total += p[i] = i == 1 ? 0 : exp(s[i] / scale);
    for (int i = 0; i < RANKED; i++) p[i] /= total;
    assert_true(law_check_counts(count, p, RANKED));
    p[0] /= 2, p[3] += p[0]; /* control */
    assert_false(law_check_counts(count, p, RANKED));
}

/* ---- scores that changed after they were prepared ---- */

static void check_changed(const simdp_kernels *t, const pattern *before, const pattern *after, size_t n, double scale,
                          bool is_float)
{
    enum { MANY = 5 };
    size_t index[MANY];
    simdp_rng rng;
    fill(before, n, is_float);
    if (is_float) must(simdp_select_prepare_f32(workspace, floats, n, scale));
    else must(simdp_select_prepare(workspace, scores, n, scale));
    fill(after, n, is_float);
    for (int from = SELECT_FROM_START; from <= SELECT_FROM_VARTIME; from++) {
        for (int vartime = 0; vartime < 2; vartime++) {
            test_stream(&rng, 64, n, 0);
            memset(index, 0xff, sizeof index);
            WATCHDOG_START(LIMIT, "prepared%s, stage %d: %s became %s, n %zu, scale %a, %s", vartime ? "_vartime" : "",
                           from, before->name, after->name, n, scale, t->isa);
            must(simdp_select_run(&(select_call){.rng = &rng,
                                                 .index = index,
                                                 .workspace = workspace,
                                                 .rows = 1,
                                                 .draws = MANY,
                                                 .k = 1,
                                                 .vartime = vartime != 0,
                                                 .from = from}));
            watchdog_stop();
            for (size_t d = 0; d < MANY; d++) {
                if (index[d] >= n)
                    fail_msg("winner %zu is %zu: %s became %s, n %zu, scale %a, %s", d, index[d], before->name,
                             after->name, n, scale, t->isa);
            }
        }
    }
}

static void test_scores_changed_after_prepare(void **state)
{
    (void)state;
    const simdp_kernels *t;
    const size_t some_sizes[] = {1, 2, 3, 129, 400};
    for (size_t i = 0; (t = next_usable(&i)) != NULL; i++) {
        if (is_left_out(t)) continue;
        must(simdp_isa_select(t->isa));
        for (size_t p = 0; p < PATTERNS * PATTERNS; p++) {
            for (size_t s = 0; s < 5; s++) {
                for (size_t b = 0; b < SCALES; b++) {
                    if (!is_full() && (p + s + i) % SCALES != b) continue; /* all pairs of patterns, one scale each */
                    check_changed(t, &patterns[p / PATTERNS], &patterns[p % PATTERNS], some_sizes[s], scales[b], p % 2);
                }
            }
        }
    }
    must(simdp_isa_select(NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_form_is_missing),
        cmocka_unit_test(test_adversarial_scores),
        cmocka_unit_test(test_law_beyond_overflow),
        cmocka_unit_test(test_scores_changed_after_prepare),
    };
    return cmocka_run_group_tests_name("select_bounded", tests, NULL, NULL);
}
