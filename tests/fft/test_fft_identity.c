/* test_fft_identity: transforms give the same bytes on every instruction set, for every length and whatever numbers
 * come in, touch nothing beside their data, and compositions made of them do not depend on the instruction set either.
 * Hashes in known_answers/fft.txt tie compilers and versions together. */
#include <math.h>
#include <stdatomic.h>

#include "fft/fft.h"
#include "support/test_support.h"

enum { GUARD = 8, LONGEST = 40960 };

/* From 2^-40 to 1 and of either sign, or of all sizes: subnormal, and close to the largest. */
static void fill(double *x, size_t points, bool strange)
{
    uint64_t seed = points;
    for (size_t i = 0; i < points; i++) {
        const uint64_t r = test_random(&seed);
        x[i] = ldexp((double)(int64_t)r * 0x1p-63, -(int)(r % (strange ? 1060 : 40)));
        if (strange && r % 31 == 0) x[i] *= 0x1p1000;
    }
}

/* Forward and backward of a sequence by one table; what lies around it must stay. */
static void transform(double *out, const simdp_kernels *table, size_t points, bool strange)
{
    simdp_fft *fft;
    double *data = simdp_fft_alloc(points + 2 * GUARD);
    assert_non_null(data);
    memset(data, 0xaa, (points + 2 * GUARD) * sizeof *data);
    atomic_store(&simdp_kernels_chosen, table);
    must(simdp_fft_create(&fft, points));
    fill(data + GUARD, points, strange);
    simdp_fft_forward(fft, data + GUARD);
    memcpy(out, data + GUARD, points * sizeof *data);
    fill(data + GUARD, points, strange);
    simdp_fft_backward(fft, data + GUARD);
    memcpy(out + points, data + GUARD, points * sizeof *data);
    for (size_t i = 0; i < GUARD * sizeof *data; i++)
        assert_true(((unsigned char *)data)[i] == 0xaa && ((unsigned char *)(data + GUARD + points))[i] == 0xaa);
    simdp_fft_destroy(fft);
    simdp_fft_free(data);
}

static const simdp_kernels *scalar_table(void)
{
    const simdp_kernels *t, *last = NULL;
    for (size_t i = 0; (t = next_usable(&i)) != NULL; i++) last = t;
    assert_string_equal(last->isa, "scalar");
    return last;
}

static void every_length(void **state)
{
    (void)state;
    double *want = malloc(2 * LONGEST * sizeof *want), *got = malloc(2 * LONGEST * sizeof *got);
    const simdp_kernels *t;
    assert_true(want != NULL && got != NULL);
    for (size_t points = 2; points <= LONGEST; points = simdp_fft_points(points + 1)) {
        for (int strange = 0; strange < 2; strange++) {
            transform(want, scalar_table(), points, strange);
            for (size_t i = 0; (t = next_usable(&i)) != NULL; i++) {
                if (is_left_out(t)) continue;
                transform(got, t, points, strange);
                if (memcmp(got, want, 2 * points * sizeof *got) != 0)
                    fail_msg("%zu points on %s are not those of scalar", points, t->variant);
            }
        }
    }
    free(want), free(got);
}

static void known_answers(void **state)
{
    (void)state;
    FILE *file = fopen(KNOWN_ANSWERS "/fft.txt", "r");
    char line[200];
    size_t checked = 0;
    double *got = malloc(2 * LONGEST * sizeof *got);
    assert_true(file != NULL && got != NULL);
    while (fgets(line, sizeof line, file) != NULL) {
        unsigned long points;
        unsigned long long recorded;
        if (line[0] == '#') continue;
        assert_int_equal(sscanf(line, "%lu %llx", &points, &recorded), 2);
        assert_true(points <= LONGEST && simdp_fft_points(points) == points);
        size_t best = 0;
        transform(got, next_usable(&best), points, false);
        const uint64_t hash = test_hash(TEST_HASH_START, got, 2 * points);
        if (hash != recorded)
            fail_msg("%lu points: %016llx, recorded %016llx", points, (unsigned long long)hash, recorded);
        checked++;
    }
    fclose(file);
    free(got);
    assert_true(checked >= 8);
}

enum { ASKED = 40 };

static void compose(double *bounds, const simdp_kernels *table)
{
    simdp_pld *pld;
    double epsilon[ASKED];
    for (size_t i = 0; i < ASKED; i++) epsilon[i] = 0.1 * (double)i;
    atomic_store(&simdp_kernels_chosen, table);
    must(simdp_pld_create(&pld, 1e-3));
    must(simdp_pld_add_laplace(pld, 0.1, 40));
    must(simdp_pld_add_gaussian(pld, 10, 30));
    must(simdp_pld_compose(pld, 1e-12, 1, SIMDP_PLD_DOTS, SIMDP_PLD_BINS, NULL, NULL));
    must(simdp_pld_delta(pld, bounds, bounds + ASKED, epsilon, ASKED));
    simdp_pld_destroy(pld);
}

static void compositions(void **state)
{
    (void)state;
    double want[2 * ASKED], got[2 * ASKED];
    const simdp_kernels *t;
    compose(want, scalar_table());
    assert_true(want[0] > 0.1 && want[0] < want[ASKED] && want[ASKED] < 1);
    for (size_t i = 0; (t = next_usable(&i)) != NULL; i++) {
        compose(got, t);
        assert_memory_equal(got, want, sizeof want);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_length),
        cmocka_unit_test(known_answers),
        cmocka_unit_test(compositions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
