/* test_select_identity: every form of selection gives the same winners on every instruction set, writes nothing beside
 * them, and what it gave when known_answers/selections.txt was recorded. */
#include <math.h>

#include "support/test_support.h"

enum { LARGEST = 70000, DRAWS = 9, GUARD = 4 };

static double scores[LARGEST];
static float floats[LARGEST];

/* In an emulator, where everything is slow, only what it is there for. */
static void fill_scores(size_t n, int shape)
{
    uint64_t random = n + 1000 * (uint64_t)shape;
    for (size_t i = 0; i < n; i++) {
        const double u = (double)(test_random(&random) >> 11) * 0x1p-53;
        floats[i] = (float)(shape == 0 ? 1 : shape == 1 ? -12 * u : 20 * (double)i / (double)n);
        scores[i] = (double)floats[i];
    }
}

static void one(simdp_rng *rng, size_t *out, size_t n) { must(simdp_select_gumbel(rng, out, scores, n, 1)); }
static void one_f32(simdp_rng *rng, size_t *out, size_t n) { must(simdp_select_gumbel_f32(rng, out, floats, n, 1)); }
static void many(simdp_rng *rng, size_t *out, size_t n)
{
    must(simdp_select_gumbel_many(rng, out, DRAWS, scores, n, 1));
}
static void rows(simdp_rng *rng, size_t *out, size_t n)
{
    const size_t count = n < 3 ? 1 : 3;
    must(simdp_select_gumbel_rows(rng, out, scores, count, n / count, 1));
}
/* The stream does not move by itself: a word of it makes the ids of each call others. */
static void rows_by_id(simdp_rng *rng, size_t *out, size_t n)
{
    const size_t count = n < DRAWS ? 1 : DRAWS;
    simdp_id ids[DRAWS];
    uint64_t word;
    must(simdp_rng_words(rng, &word, 1));
    for (size_t r = 0; r < count; r++) ids[r] = (simdp_id){word, r};
    must(simdp_select_gumbel_rows_by_id(rng, out, scores, ids, count, n / count, 1));
}
static void ranks(simdp_rng *rng, size_t *out, size_t n)
{
    must(simdp_select_gumbel_top_k(rng, out, n < DRAWS ? n : DRAWS, scores, n, 1));
}
static void flip(simdp_rng *rng, size_t *out, size_t n) { must(simdp_select_permute_flip(rng, out, scores, n, 1)); }
static void vartime(simdp_rng *rng, size_t *out, size_t n)
{
    must(simdp_select_gumbel_vartime(rng, out, scores, n, 1));
}
static void vartime_f32(simdp_rng *rng, size_t *out, size_t n)
{
    must(simdp_select_gumbel_vartime_f32(rng, out, floats, n, 1));
}
static void many_vartime(simdp_rng *rng, size_t *out, size_t n)
{
    must(simdp_select_gumbel_many_vartime(rng, out, DRAWS, scores, n, 1));
}
static void prepared(simdp_rng *rng, size_t *out, size_t n)
{
    char *workspace = malloc(simdp_select_workspace(n) + 3);
    assert_non_null(workspace);
    must(simdp_select_prepare(workspace + 3, scores, n, 1)); /* any alignment */
    must(simdp_select_prepared(rng, out, 4, workspace + 3));
    must(simdp_select_prepared_vartime(rng, out + 4, DRAWS - 4, workspace + 3));
    free(workspace);
}

static const struct {
    const char *name;
    void (*run)(simdp_rng *rng, size_t *out, size_t n);
} forms[] = {
    {"one", one},
    {"one_f32", one_f32},
    {"many", many},
    {"rows", rows},
    {"rows_by_id", rows_by_id},
    {"ranks", ranks},
    {"flip", flip},
    {"vartime", vartime},
    {"vartime_f32", vartime_f32},
    {"many_vartime", many_vartime},
    {"prepared", prepared},
};
#define FORMS (sizeof forms / sizeof *forms)

static void compare(size_t n, int shape)
{
    const simdp_kernels *t;
    fill_scores(n, shape);
    for (size_t f = 0; f < FORMS; f++) {
        size_t want[DRAWS + 2 * GUARD], got[DRAWS + 2 * GUARD];
        simdp_rng rng;
        const uint64_t start = 5 + 64 * n;
        memset(want, 0xaa, sizeof want);
        must(simdp_isa_select("scalar"));
        test_stream(&rng, 3, f, start);
        forms[f].run(&rng, want + GUARD, n);
        const uint64_t end = simdp_rng_position(&rng);
        for (size_t i = 0; i < GUARD; i++) {
            assert_int_equal(want[i], (size_t)0xaaaaaaaaaaaaaaaa);
            assert_int_equal(want[DRAWS + GUARD + i], (size_t)0xaaaaaaaaaaaaaaaa);
        }
        for (size_t i = 0; (t = next_usable(&i)) != NULL; i++) {
            must(simdp_isa_select(t->variant));
            memset(got, 0xaa, sizeof got);
            test_stream(&rng, 3, f, start);
            forms[f].run(&rng, got + GUARD, n);
            if (memcmp(got, want, sizeof got) != 0)
                fail_msg("%s on %s: n = %zu, shape %d", forms[f].name, t->variant, n, shape);
            assert_int_equal(simdp_rng_position(&rng), end);
        }
    }
    must(simdp_isa_select(NULL));
}

static void test_sizes(void **state)
{
    (void)state;
    for (size_t n = 1; n <= 300; n += is_short() ? 37 : 1) compare(n, (int)n % 3);
    if (is_short()) return;
    const size_t sizes[] = {2047, 2048, 2049, 4099, 16383, 16385, 32768, 32769, LARGEST};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) compare(sizes[s], (int)s % 3);
}

/* Form, candidates, shape, calls, hash of the winners. */
static void test_known_answers(void **state)
{
    (void)state;
    FILE *file = fopen(KNOWN_ANSWERS "/selections.txt", "r");
    char line[200], name[40];
    unsigned long long n, shape, calls, hash;
    size_t checked = 0;
    const simdp_kernels *t;
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        if (line[0] == '#') continue;
        assert_int_equal(sscanf(line, "%39s %llu %llu %llu %llx", name, &n, &shape, &calls, &hash), 5);
        fill_scores((size_t)n, (int)shape);
        for (size_t f = 0; f < FORMS; f++) {
            if (strcmp(forms[f].name, name) != 0) continue;
            checked++;
            for (size_t i = 0; (t = next_usable(&i)) != NULL; i++) {
                uint64_t got = TEST_HASH_START;
                simdp_rng rng;
                if (is_short() && strcmp(t->isa, "avx512") != 0) continue;
                if ((is_short() || strcmp(t->isa, "scalar") == 0) && n * calls > 200000) continue;
                must(simdp_isa_select(t->variant));
                test_stream(&rng, 12, 0, 0);
                for (unsigned long long c = 0; c < calls; c++) {
                    uint64_t out[DRAWS] = {0};
                    size_t winners[DRAWS] = {0};
                    forms[f].run(&rng, winners, (size_t)n);
                    for (int d = 0; d < DRAWS; d++) out[d] = winners[d];
                    got = test_hash(got, out, DRAWS);
                }
                if (got != hash)
                    fail_msg("%s on %s, n = %llu: hash %016llx, recorded %016llx", name, t->variant, n,
                             (unsigned long long)got, hash);
            }
        }
    }
    fclose(file);
    assert_int_equal(checked, FORMS + 2);
    must(simdp_isa_select(NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_known_answers),
    };
    return cmocka_run_group_tests_name("select_identity", tests, NULL, NULL);
}
