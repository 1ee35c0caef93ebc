/* test_loss_identity: every kernel of the room loss gives the same bytes on every instruction set, for every length,
 * with special values, and touches nothing beside its output. Hashes in known_answers/loss.txt tie compilers and
 * versions together. */
#include <math.h>

#include "support/random_numbers.h"

enum { LONGEST = 600, GUARD = 8, WORDS = 1400 }; /* WORDS: room for the output of any job, in doubles */

static double a[LONGEST], b[LONGEST], c[LONGEST], scales[LONGEST], block[LOSS_BLOCK];
static float single[LONGEST];
static uint8_t bytes[LONGEST];
static simdp_cipher cipher;

/* strange: every few elements something that is not an ordinary number */
static void make_inputs(uint64_t from, bool strange)
{
    static const uint64_t special[] = {0x7ff8000000000000, 0xfff8000000000001, 0x7ff0000000000000, 0xfff0000000000000,
                                       0x8000000000000000, 0x0000000000000001, 0x7fefffffffffffff, 0xffefffffffffffff,
                                       0x0010000000000000, 0x7ff0000000000001};
    double *arrays[4] = {a, b, c, scales};
    seed = from;
    for (size_t i = 0; i < LONGEST; i++) {
        a[i] = uniform(0.0, 9.0), b[i] = uniform(-3.0, 3.0), c[i] = b[i] + uniform(-2.0, 2.0),
        scales[i] = exp(uniform(-4.0, 4.0));
        bytes[i] = (uint8_t)(test_random(&seed) % (strange ? 9 : 4));
        for (int k = 0; strange && k < 4; k++) {
            if (test_random(&seed) % 23 == 0) memcpy(&arrays[k][i], &special[test_random(&seed) % 10], 8);
        }
        single[i] = (float)a[i];
    }
    for (size_t i = 0; i < LOSS_BLOCK; i++)
        block[i] = i % 50 == 17 && strange ? (i % 3 ? INFINITY : NAN) : uniform(-2.0, 4.0);
}

/* Each job writes its results to out; a kernel may write as many doubles as it likes from there on, up to WORDS. */
typedef void job(const simdp_loss_kernels *k, double *out, size_t n);

static const loss_affine laplace = {0.25, 1.0, -0.5, 0.75, 1.25, -0.8, 1.0},
                         gaussian = {0.0, 0.25, -0.5, 0.75, INFINITY, -1.6, 2.0};

static void job_fixed(const simdp_loss_kernels *k, double *out, size_t n)
{
    k->fixed_f64(out, b, n, &laplace);
    k->fixed_f64(out + n, b, n, &gaussian);
}
static void job_fixed_f32(const simdp_loss_kernels *k, double *out, size_t n)
{
    k->fixed_f32(out, single, n, &laplace);
}
static void job_laplace_each(const simdp_loss_kernels *k, double *out, size_t n)
{
    k->laplace_each(out, a, b, c, NULL, n, 0.7);
    k->laplace_each(out + n, a, b, c, scales, n, 1.0);
}
static void job_gaussian_each(const simdp_loss_kernels *k, double *out, size_t n)
{
    k->gaussian_each(out, a, b, c, NULL, n, 0.7);
    k->gaussian_each(out + n, a, b, c, scales, n, 1.0);
}
static void job_sum_add(const simdp_loss_kernels *k, double *out, size_t n)
{
    loss_sum s = {{1, 2, 3, 4, 5, 6, 7, 8}, {0}};
    k->sum_add(&s, b, n);
    memcpy(out, &s, sizeof s);
}
static void job_transcript(const simdp_loss_kernels *k, double *out, size_t n)
{
    loss_columns columns;
    loss_sum sums[3];
    const size_t count = n % (LOSS_COLUMNS + 1);
    memset(sums, 0, sizeof sums);
    memset(&columns, 0, sizeof columns);
    for (size_t j = 0; j < count; j++) {
        columns.f[j] = 1.0, columns.minus_x0[j] = -1.0, columns.minus_x1[j] = 0.5 * (double)j;
        columns.limit[j] = j % 2 ? INFINITY : 1.5, columns.slope1[j] = 0.7, columns.slope2[j] = -1.0;
    }
    k->transcript(sums, b, 3, count + 1, &columns, count);
    memcpy(out, sums, sizeof sums);
}
static void job_bytes(const simdp_loss_kernels *k, double *out, size_t n)
{
    const double table[8] = {1.5, -1.5, INFINITY, -INFINITY, NAN, NAN, NAN, NAN};
    k->bytes(out, bytes, n, table);
}
static void job_weights(const simdp_loss_kernels *k, double *out, size_t n)
{
    const double top = k->largest(b, n);
    out[0] = top;
    k->weights(out + 1, b, n, isfinite(top) ? top : 0.0, 1.7);
    for (size_t i = 0; i < n; i++) /* where b has an infinity the top is not the largest score, as it must be */
        if (!isfinite(top) && b[i] > 0.0) out[1 + i] = 0.0;
    out[n + 1] = k->minus_log(1.0 + 0.001 * (double)n);
}
static void job_delta_gaussian(const simdp_loss_kernels *k, double *out, size_t n)
{
    k->delta_gaussian(out, a, NULL, n, 0.8);
    k->delta_gaussian(out + n, a, scales, n, 0.0);
}
static void job_delta_laplace(const simdp_loss_kernels *k, double *out, size_t n)
{
    k->delta_laplace(out, a, NULL, n, 3.0);
    k->delta_laplace(out + n, a, scales, n, 0.0);
}
static void job_statistics(const simdp_loss_kernels *k, double *out, size_t n)
{
    static const double epsilon[7] = {0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0};
    double x[LOSS_BLOCK], weight[LOSS_BLOCK], sums[7] = {0};
    uint64_t above[7] = {0}, counted[7] = {0};
    loss_block_range range, ranges[RANGE_EPSILONS + 1];
    const size_t count = n % (LOSS_BLOCK + 1), lanes = (count + 7) / 8 * 8;
    memcpy(x, block, sizeof x);
    for (size_t i = count; i < LOSS_BLOCK; i++) x[i] = -INFINITY;
    memset(&range, 0, sizeof range);
    memset(ranges, 0, sizeof ranges);
    k->range(&range, NULL, x, count, NULL, 0);
    k->decay(weight, x, count, 1.5);
    k->tally(above, sums, x, weight, lanes, epsilon, 7);
    k->tally(counted, NULL, x, NULL, lanes, epsilon, 7);
    assert_memory_equal(above, counted, sizeof above);
    for (size_t m = 1; m <= RANGE_EPSILONS; m++) { /* counting on the way changes nothing */
        memset(counted, 0, sizeof counted);
        k->range(&ranges[m], counted, x, count, epsilon, m);
        assert_memory_equal(above, counted, m * sizeof *above);
        assert_true(counted[m] == 0 && ranges[m].strange == range.strange);
        if (!range.strange) assert_memory_equal(&ranges[m], &range, offsetof(loss_block_range, strange));
    }
    /* which NaN a sum of several becomes is left open: a strange range is looked at no further */
    const double results[4] = {range.strange ? 0.0 : range.sum, range.strange ? 0.0 : range.least,
                               range.strange ? 0.0 : range.most, (double)range.strange};
    memcpy(out, results, sizeof results);
    memcpy(out + 4, above, sizeof above);
    memcpy(out + 11, sums, sizeof sums);
    memset(out + 18, 0, 6 * sizeof *out);
    if (range.strange) return;
    k->central(out + 18, x, count, 0.3);
    k->power(out + 22, x, count, 1.5, 6.0);
}
static void job_words(const simdp_loss_kernels *k, double *out, size_t n)
{
    uint64_t above[9] = {0};
    const uint64_t flipped[9] = {0,
                                 1,
                                 0x4000000000000000,
                                 0xc000000000000000,
                                 0x7fffffffffffffff,
                                 0x8000000000000000,
                                 0x123456789abcdef0,
                                 0xfedcba9876543210,
                                 42};
    const simdp_bits_at at = {.cipher = &cipher, .position = 3 * n};
    k->words(above, 40 * n, &at, flipped, 9);
    memcpy(out, above, sizeof above);
}

static const struct {
    const char *name;
    job *run;
    size_t fixed, per_element; /* doubles written: fixed + n per_element */
    bool only_numbers;         /* inputs may not be NaN: which of several comes out is left open */
} jobs[] = {
    {"fixed", job_fixed, 0, 2, false},
    {"fixed_f32", job_fixed_f32, 0, 1, false},
    {"laplace_each", job_laplace_each, 0, 2, false},
    {"gaussian_each", job_gaussian_each, 0, 2, false},
    {"sum_add", job_sum_add, 16, 0, true},
    {"transcript", job_transcript, 48, 0, true},
    {"bytes", job_bytes, 0, 1, false},
    {"weights", job_weights, 2, 1, false},
    {"delta_gaussian", job_delta_gaussian, 0, 2, false},
    {"delta_laplace", job_delta_laplace, 0, 2, false},
    {"statistics", job_statistics, 24, 0, false},
    {"words", job_words, 9, 0, false},
};
#define JOBS (sizeof jobs / sizeof jobs[0])

static const simdp_kernels *scalar_table(void)
{
    const simdp_kernels *t;
    for (size_t i = 0; (t = next_usable(&i)) != NULL; i++) {
        if (strcmp(t->isa, "scalar") == 0) return t;
    }
    return NULL;
}

static void fill_guarded(unsigned char *to, const simdp_kernels *t, size_t j, size_t n)
{
    static double got[WORDS];
    memset(got, 0xaa, sizeof got);
    jobs[j].run(t->loss, got + GUARD, n);
    memcpy(to, got, sizeof got);
    const size_t end = GUARD + jobs[j].fixed + n * jobs[j].per_element;
    for (size_t i = 0; i < sizeof got; i++) {
        if (i >= GUARD * 8 && i < end * 8) continue;
        if (to[i] != 0xaa)
            fail_msg("%s on %s, n = %zu: byte %zu outside of its output was written", jobs[j].name, t->variant, n, i);
    }
}

static void test_lengths(void **state)
{
    (void)state;
    static unsigned char want[WORDS * 8], got[WORDS * 8];
    const simdp_kernels *t, *scalar = scalar_table();
    scalar->bits->cipher_setup(&cipher, (const uint8_t *)"sixteen bytes ok");
    for (int strange = 0; strange < 2; strange++) {
        make_inputs(11 + (uint64_t)strange, strange);
        for (size_t j = 0; j < JOBS; j++) {
            if (strange && jobs[j].only_numbers) continue;
            for (size_t n = 0; n <= LONGEST; n += n < 70 && !is_short() ? 1 : 53) {
                fill_guarded(want, scalar, j, n);
                for (size_t i = 0; (t = next_usable(&i)) != NULL; i++) {
                    if (is_left_out(t)) continue;
                    fill_guarded(got, t, j, n);
                    if (memcmp(got, want, sizeof got) == 0) continue;
                    size_t at = 0;
                    while (memcmp(got + at, want + at, 8) == 0) at += 8;
                    double x, y;
                    memcpy(&x, got + at, 8), memcpy(&y, want + at, 8);
                    fail_msg("%s on %s, n = %zu: element %zu is %.17g (%a), scalar %.17g (%a)", jobs[j].name,
                             t->variant, n, at / 8 - GUARD, x, x, y, y);
                }
            }
        }
    }
}

/* An element does not depend on where the array begins, nor on its neighbours. */
static void test_splits(void **state)
{
    (void)state;
    static double whole[2 * LONGEST], parts[2 * LONGEST];
    const simdp_kernels *t;
    make_inputs(13, true);
    for (size_t i = 0; (t = next_usable(&i)) != NULL; i++) {
        const simdp_loss_kernels *k = t->loss;
        for (size_t cut = 1; cut < 60; cut += 7) {
            k->laplace_each(whole, a, b, c, scales, LONGEST, 1.0);
            k->laplace_each(parts, a, b, c, scales, cut, 1.0);
            k->laplace_each(parts + cut, a + cut, b + cut, c + cut, scales + cut, LONGEST - cut, 1.0);
            assert_memory_equal(whole, parts, LONGEST * sizeof *whole);
            k->gaussian_each(whole, a, b, c, NULL, LONGEST, 2.0);
            k->gaussian_each(parts, a, b, c, NULL, cut, 2.0);
            k->gaussian_each(parts + cut, a + cut, b + cut, c + cut, NULL, LONGEST - cut, 2.0);
            assert_memory_equal(whole, parts, LONGEST * sizeof *whole);
            k->delta_gaussian(whole, a, scales, LONGEST, 0.0);
            k->delta_gaussian(parts, a, scales, cut, 0.0);
            k->delta_gaussian(parts + cut, a + cut, scales + cut, LONGEST - cut, 0.0);
            assert_memory_equal(whole, parts, LONGEST * sizeof *whole);
        }
    }
}

static void test_known_answers(void **state)
{
    (void)state;
    FILE *file = fopen(KNOWN_ANSWERS "/loss.txt", "r");
    char line[200], name[40];
    unsigned long long recorded;
    size_t checked = 0;
    const simdp_kernels *t;
    assert_non_null(file);
    make_inputs(12, true);
    for (size_t i = 0; i < LONGEST; i++) single[i] = (float)i;
    scalar_table()->bits->cipher_setup(&cipher, (const uint8_t *)"sixteen bytes ok");
    while (fgets(line, sizeof line, file)) {
        if (line[0] == '#') continue;
        assert_int_equal(sscanf(line, "%39s %llx", name, &recorded), 2);
        for (size_t j = 0; j < JOBS; j++) {
            if (strcmp(jobs[j].name, name) != 0) continue;
            checked++;
            for (size_t i = 0; (t = next_usable(&i)) != NULL; i++) {
                static double out[WORDS];
                make_inputs(12, !jobs[j].only_numbers);
                memset(out, 0, sizeof out);
                jobs[j].run(t->loss, out, 500);
                const uint64_t hash = test_hash(TEST_HASH_START, out, jobs[j].fixed + 500 * jobs[j].per_element);
                if (hash != recorded)
                    fail_msg("%s on %s: hash %016llx, recorded %016llx", name, t->variant, (unsigned long long)hash,
                             recorded);
            }
        }
    }
    fclose(file);
    assert_int_equal(checked, JOBS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_splits),
        cmocka_unit_test(test_known_answers),
    };
    return cmocka_run_group_tests_name("loss_identity", tests, NULL, NULL);
}
