/* test_release_timing: Welch's t-test on the time of releases. Calls on two classes of answers, prepared by the same
 * code in the same buffer and mixed at random, must take the same time: |t| < 4.5. Runs only if SIMDP_TEST_TIMING gives
 * a number of calls (1e7 is what tests/run --full asks for), because it wants a core of its own; a contrast that fails
 * is repeated twice, since other processes disturb. Controls that must show: a branch on data, and subnormal numbers
 * without the flush of the library where the CPU is slow with them. */
#include <x86intrin.h>

#include "support/release_support.h"

enum { N = 512, POOL = 16, BATCH = 4096, KEPT = BATCH * 9 / 10, TRIES = 3, CONTROL_CALLS = 1000000 };
#define BOUND 4.5
#define SCALE 1.5
#define GRID  0x1p-22

/* ---- classes: 64 random bits to the 64 bits of an answer ---- */

typedef uint64_t class_of_answers(uint64_t random);

static uint64_t zero(uint64_t random) { return random & 0; }
static uint64_t plain(uint64_t random) { return 0x3ff0000000000000 | random >> 12; }
static uint64_t subnormal(uint64_t random) { return random & 0x800fffffffffffff; }
static uint64_t huge(uint64_t random) { return 0x7fd0000000000000 | (random & 0x800fffffffffffff); }
static uint64_t special(uint64_t random) { return 0x7ff0000000000000 | (random & 0x8008000000000000); }
static uint64_t half_cell(uint64_t random) /* odd multiples of half a cell, below 1 */
{
    const uint64_t odd = random >> 42 | 1;
    const double x = (double)odd * (GRID / 2);
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
static uint64_t any(uint64_t random) { return random; }                             /* as a double: all magnitudes */
static uint64_t ends(uint64_t random) { return 0x7fffffffffffffff + (random & 1); } /* of int64_t: sums saturate */
static uint64_t no_bits(uint64_t random) { return random & 0; }
static uint64_t all_bits(uint64_t random) { return 0x0101010101010101 | (random & 0); }
static uint64_t some_bits(uint64_t random) { return random & 0x0101010101010101; }

/* ---- what is timed ---- */

typedef void timed(simdp_rng *rng, uint64_t *out, const uint64_t *answers);

static double *doubles(uint64_t *x) { return (double *)(void *)x; }
static const double *const_doubles(const uint64_t *x) { return (const double *)(const void *)x; }

static void laplace(simdp_rng *rng, uint64_t *out, const uint64_t *answers)
{
    must(simdp_release_laplace(rng, doubles(out), const_doubles(answers), N, SCALE, GRID));
}

static void gaussian(simdp_rng *rng, uint64_t *out, const uint64_t *answers)
{
    must(simdp_release_gaussian(rng, doubles(out), const_doubles(answers), N, SCALE, GRID));
}

/* N ids that no call had before. */
static const simdp_id *next_ids(void)
{
    static simdp_id ids[N];
    static uint64_t calls;
    calls++;
    for (uint64_t i = 0; i < N; i++) ids[i] = (simdp_id){i, calls};
    return ids;
}

static void laplace_by_id(simdp_rng *rng, uint64_t *out, const uint64_t *answers)
{
    must(simdp_release_laplace_by_id(rng, doubles(out), const_doubles(answers), next_ids(), N, SCALE, GRID));
}

static void gaussian_by_id(simdp_rng *rng, uint64_t *out, const uint64_t *answers)
{
    must(simdp_release_gaussian_by_id(rng, doubles(out), const_doubles(answers), next_ids(), N, SCALE, GRID));
}

static void laplace_i64_by_id(simdp_rng *rng, uint64_t *out, const uint64_t *answers)
{
    must(simdp_release_laplace_i64_by_id(rng, (int64_t *)out, (const int64_t *)answers, next_ids(), N, SCALE));
}

static void laplace_i64(simdp_rng *rng, uint64_t *out, const uint64_t *answers)
{
    must(simdp_release_laplace_i64(rng, (int64_t *)out, (const int64_t *)answers, N, SCALE));
}

static void gaussian_i64(simdp_rng *rng, uint64_t *out, const uint64_t *answers)
{
    must(simdp_release_gaussian_i64(rng, (int64_t *)out, (const int64_t *)answers, N, SCALE));
}

static void response(simdp_rng *rng, uint64_t *out, const uint64_t *answers)
{
    must(simdp_release_randomized_response(rng, (uint8_t *)out, (const uint8_t *)answers, 8 * N, SCALE));
}

/* Control: one branch on an answer, as a plain program has them, before the release. */
static void branching(simdp_rng *rng, uint64_t *out, const uint64_t *answers)
{
    volatile double made_finite = 0;
    for (int i = 0; i < N; i += 16) {
        const double x = const_doubles(answers)[i];
        if (!(fabs(x) <= 0x1.fffffffffffffp+1023)) made_finite = x != x ? 0.0 : copysign(0x1.fffffffffffffp+1023, x);
    }
    (void)made_finite;
    laplace(rng, out, answers);
}

/* Control: the kernel itself, in the default floating-point mode. */
static void keeping_subnormals(simdp_rng *rng, uint64_t *out, const uint64_t *answers)
{
    const simdp_release_plan plan = simdp_release_plan_of(RELEASE_LAPLACE, SCALE, GRID, &release_scratch);
    const simdp_bits_at at = {.cipher = cipher_of_stream(rng), .position = rng->position};
    simdp_kernels_active()->release->f64[RELEASE_LAPLACE](doubles(out), const_doubles(answers), N, &at, &plan);
    rng->position += N;
}

/* A chain of multiplications by 1 of such a number, and of 1.5. */
static bool is_slow_with_subnormals(void)
{
    uint64_t least[2] = {UINT64_MAX, UINT64_MAX};
    const volatile double start[2] = {1.5, 0x1.8p-1030}, one = 1.0;
    for (int round = 0; round < 1000; round++) {
        const double factor = one;
        double x = start[round % 2];
        const uint64_t begin = __rdtsc();
        for (int i = 0; i < 200; i++) x *= factor;
        const volatile double result = x;
        const uint64_t took = __rdtsc() - begin;
        (void)result;
        if (took < least[round % 2]) least[round % 2] = took;
    }
    return least[1] > least[0] * 9 / 8;
}

/* ---- Welch's test ---- */

typedef struct {
    double count, mean, squares;
} moments;

static void add_to(moments *m, double x)
{
    const double delta = x - m->mean;
    m->count++;
    m->mean += delta / m->count;
    m->squares += delta * (x - m->mean);
}

static int ascending(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* t of the calls on either class. In each batch the slowest tenth of all calls is left out, whatever its class
 * (interrupts, other processes), and times count from the batch's median: slow changes of the clock do not matter. */
static double welch(timed *call, class_of_answers *const classes[2], size_t calls, uint64_t seed)
{
    static uint64_t pool[2 * POOL][N], answers[N], out[N], took[BATCH], sorted[BATCH];
    static uint8_t class[BATCH];
    moments m[2] = {{0, 0, 0}, {0, 0, 0}};
    simdp_rng rng;
    test_stream(&rng, seed, 0, 0);
    for (int k = 0; k < 2 * POOL; k++) {
        for (int i = 0; i < N; i++) pool[k][i] = classes[k % 2](test_random(&seed));
    }
    for (size_t done = 0; done < calls + BATCH; done += BATCH) { /* the first batch warms up */
        for (int i = 0; i < BATCH; i++) {
            const uint64_t random = test_random(&seed);
            unsigned core;
            class[i] = random & 1;
            memcpy(answers, pool[random % (2 * POOL)], sizeof answers);
            _mm_mfence();
            _mm_lfence();
            const uint64_t begin = __rdtsc();
            _mm_lfence();
            call(&rng, out, answers);
            took[i] = __rdtscp(&core) - begin;
            _mm_lfence();
        }
        memcpy(sorted, took, sizeof sorted);
        qsort(sorted, BATCH, sizeof sorted[0], ascending);
        for (int i = 0; i < BATCH && done > 0; i++) {
            if (took[i] <= sorted[KEPT]) add_to(&m[class[i]], (double)took[i] - (double)sorted[BATCH / 2]);
        }
    }
    const double error = m[0].squares / (m[0].count - 1) / m[0].count + m[1].squares / (m[1].count - 1) / m[1].count;
    return (m[0].mean - m[1].mean) / sqrt(error);
}

static size_t calls_wanted(void)
{
    const char *text = getenv("SIMDP_TEST_TIMING");
    const double calls = text == NULL ? 0 : strtod(text, NULL);
    if (!(calls >= 1e5 && calls <= 1e10)) {
        print_message("only if SIMDP_TEST_TIMING is a number of calls, 1e5 to 1e10, as in tests/run --full\n");
        skip();
    }
    return (size_t)calls;
}

typedef struct {
    const char *name;
    timed *call;
    class_of_answers *classes[2];
} contrast;

static void test_time(void **state)
{
    (void)state;
    static const contrast rows[] = {
        {"Laplace: 0, plain", laplace, {zero, plain}},
        {"Laplace: plain, subnormal", laplace, {plain, subnormal}},
        {"Laplace: plain, huge", laplace, {plain, huge}},
        {"Laplace: plain, NaN and infinities", laplace, {plain, special}},
        {"Laplace: plain, borders of cells", laplace, {plain, half_cell}},
        {"Laplace: 0, any bits", laplace, {zero, any}},
        {"Gaussian: 0, plain", gaussian, {zero, plain}},
        {"Gaussian: plain, subnormal", gaussian, {plain, subnormal}},
        {"Gaussian: plain, huge", gaussian, {plain, huge}},
        {"Gaussian: plain, NaN and infinities", gaussian, {plain, special}},
        {"Gaussian: plain, borders of cells", gaussian, {plain, half_cell}},
        {"Gaussian: 0, any bits", gaussian, {zero, any}},
        {"Laplace, integers: 0, any", laplace_i64, {zero, any}},
        {"Laplace, integers: 0, ends", laplace_i64, {zero, ends}},
        {"Gaussian, integers: 0, any", gaussian_i64, {zero, any}},
        {"Gaussian, integers: 0, ends", gaussian_i64, {zero, ends}},
        {"Laplace by id: 0, any bits", laplace_by_id, {zero, any}},
        {"Laplace by id: plain, borders of cells", laplace_by_id, {plain, half_cell}},
        {"Gaussian by id: 0, any bits", gaussian_by_id, {zero, any}},
        {"Gaussian by id: plain, borders of cells", gaussian_by_id, {plain, half_cell}},
        {"Laplace, integers by id: 0, any", laplace_i64_by_id, {zero, any}},
        {"randomized response: all 0, all 1", response, {no_bits, all_bits}},
        {"randomized response: all 0, mixed", response, {no_bits, some_bits}},
    };
    const size_t calls = calls_wanted();
    int failed = 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double t = INFINITY;
        for (int try = 0; try < TRIES && !(fabs(t) < BOUND); try++) {
            t = welch(rows[i].call, rows[i].classes, calls, 100 * i + (uint64_t)try);
            print_message("%-40s t = %+.2f\n", rows[i].name, t);
        }
        failed += !(fabs(t) < BOUND);
    }
    assert_int_equal(failed, 0);
}

static void test_controls(void **state)
{
    (void)state;
    const size_t wanted = calls_wanted(), calls = wanted > CONTROL_CALLS ? CONTROL_CALLS : wanted;
    static class_of_answers *const finite_or_not[2] = {plain, special}, *const normal_or_not[2] = {plain, subnormal};
    const double branch = welch(branching, finite_or_not, calls, 1);
    print_message("a branch on one answer of sixteen: t = %+.1f\n", branch);
    assert_true(fabs(branch) > BOUND);
    const bool slow = is_slow_with_subnormals();
    const double kept = welch(keeping_subnormals, normal_or_not, calls, 2);
    print_message("subnormals kept, on a CPU that is %s with them: t = %+.1f\n", slow ? "slow" : "as fast", kept);
    assert_true(!slow || fabs(kept) > BOUND);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_controls), cmocka_unit_test(test_time)};
    return cmocka_run_group_tests_name("release_timing", tests, NULL, NULL);
}
