/* test_call_timing: Welch's t-test on the time of every mechanism that promises constant time. Calls on two classes of
 * data, prepared by the same code in the same buffer and mixed at random, must take the same time: |t| < 4.5. A contrast
 * that fails is repeated twice, since other processes disturb (three in a row: below 1e-15 by chance). Controls that must
 * show: a branch on data, a selection that promises no constant time, and subnormal numbers without the flush of the
 * library where the CPU is slow with them.
 *
 * SIMDP_TEST_TIMING: a number of calls for each contrast, on every instruction set (tests/run --full: 1e7, with a core of
 * its own). Without it 1e5 calls, on the best. */
#include <x86intrin.h>

#include "support/release_support.h"

enum {
    N = 64,
    POOL = 16,
    BATCH = 4096,
    KEPT = BATCH * 9 / 10,
    TRIES = 3,
    SHORT_CALLS = 100000,
    CONTROL_CALLS = 1000000
};
#define BOUND   4.5
#define SCALE   1.5
#define GRID    0x1p-22
#define EPSILON 0.7

/* ---- classes: 64 random bits to the 64 bits of an element ---- */

typedef uint64_t class_of_data(uint64_t random);

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
static uint64_t small(uint64_t random) { return random & 0x0000000f0000000f; }      /* numbers of 32 bits */
static uint64_t no_bits(uint64_t random) { return random & 0; }
static uint64_t all_bits(uint64_t random) { return 0x0101010101010101 | (random & 0); }
static uint64_t some_bits(uint64_t random) { return random & 0x0101010101010101; }

/* ---- what is timed: a row of arrays holds N doubles, integers or scores, or as many bytes or bits as fit ---- */

typedef void timed(simdp_rng *rng, uint64_t *out, const uint64_t *data);

static double *doubles(uint64_t *x) { return (double *)(void *)x; }
static const double *const_doubles(const uint64_t *x) { return (const double *)(const void *)x; }
static uint8_t *bytes(uint64_t *x) { return (uint8_t *)x; }
static const uint8_t *const_bytes(const uint64_t *x) { return (const uint8_t *)x; }
static int64_t *integers(uint64_t *x) { return (int64_t *)x; }
static const int64_t *const_integers(const uint64_t *x) { return (const int64_t *)x; }

/* N ids that no call had before. */
static const simdp_id *next_ids(void)
{
    static simdp_id ids[N];
    static uint64_t calls;
    calls++;
    for (uint64_t i = 0; i < N; i++) ids[i] = (simdp_id){i, calls};
    return ids;
}

#define TIMED(name, call) \
    static void name(simdp_rng *rng, uint64_t *out, const uint64_t *data) { must(call); }

TIMED(laplace, simdp_release_laplace(rng, doubles(out), const_doubles(data), N, SCALE, GRID))
TIMED(gaussian, simdp_release_gaussian(rng, doubles(out), const_doubles(data), N, SCALE, GRID))
TIMED(laplace_i64, simdp_release_laplace_i64(rng, integers(out), const_integers(data), N, SCALE))
TIMED(gaussian_i64, simdp_release_gaussian_i64(rng, integers(out), const_integers(data), N, SCALE))
TIMED(discrete_laplace, simdp_release_discrete_laplace_i64(rng, integers(out), const_integers(data), N, SCALE))
TIMED(discrete_gaussian, simdp_release_discrete_gaussian_i64(rng, integers(out), const_integers(data), N, 20 * SCALE))
TIMED(laplace_by_id, simdp_release_laplace_by_id(rng, doubles(out), const_doubles(data), next_ids(), N, SCALE, GRID))
TIMED(gaussian_by_id, simdp_release_gaussian_by_id(rng, doubles(out), const_doubles(data), next_ids(), N, SCALE, GRID))
TIMED(laplace_i64_by_id,
      simdp_release_laplace_i64_by_id(rng, integers(out), const_integers(data), next_ids(), N, SCALE))
TIMED(gaussian_i64_by_id,
      simdp_release_gaussian_i64_by_id(rng, integers(out), const_integers(data), next_ids(), N, SCALE))
TIMED(response, simdp_release_randomized_response(rng, bytes(out), const_bytes(data), 8 * N, EPSILON))
TIMED(response_by_id,
      simdp_release_randomized_response_by_id(rng, bytes(out), const_bytes(data), next_ids(), N, EPSILON))
TIMED(unary, simdp_release_unary(rng, bytes(out), const_bytes(data), 64 * N, EPSILON, -2 * EPSILON))
TIMED(k_response, simdp_release_k_response(rng, (uint32_t *)out, (const uint32_t *)data, 2 * N, 16, EPSILON))
TIMED(laplace_threshold,
      simdp_release_laplace_threshold(rng, doubles(out), NULL, const_doubles(data), N, SCALE, GRID, 4))
TIMED(gaussian_threshold_i64,
      simdp_release_gaussian_threshold_i64(rng, integers(out), NULL, const_integers(data), N, SCALE, 4))
TIMED(select_one, simdp_select_gumbel(rng, (size_t *)out, const_doubles(data), N, SCALE))
TIMED(select_rows, simdp_select_gumbel_rows(rng, (size_t *)out, const_doubles(data), N / 8, 8, SCALE))
TIMED(select_rows_by_id,
      simdp_select_gumbel_rows_by_id(rng, (size_t *)out, const_doubles(data), next_ids(), N / 8, 8, SCALE))
TIMED(partitions, simdp_select_partitions(rng, bytes(out), const_integers(data), N, EPSILON, 1e-6, 1))
TIMED(partitions_by_id,
      simdp_select_partitions_by_id(rng, bytes(out), const_integers(data), next_ids(), N, EPSILON, 1e-6, 1))
TIMED(above_threshold,
      simdp_select_above_threshold(rng, (size_t *)out, bytes(out + 1), const_doubles(data), N, 1, SCALE, SCALE))

static void sum(simdp_rng *rng, uint64_t *out, const uint64_t *data)
{
    (void)rng;
    must(simdp_release_clamped_sum(doubles(out), const_doubles(data), N, -1, 1, GRID));
}

static void sum_i64(simdp_rng *rng, uint64_t *out, const uint64_t *data)
{
    (void)rng;
    must(simdp_release_clamped_sum_i64(integers(out), const_integers(data), N, -1000, 1000));
}

/* Control: one branch on an answer, as a plain program has them, before the release. */
static void branching(simdp_rng *rng, uint64_t *out, const uint64_t *data)
{
    volatile double made_finite = 0;
    for (int i = 0; i < N; i += 4) {
        const double x = const_doubles(data)[i];
        if (!(fabs(x) <= 0x1.fffffffffffffp+1023)) made_finite = x != x ? 0.0 : copysign(0x1.fffffffffffffp+1023, x);
    }
    (void)made_finite;
    laplace(rng, out, data);
}

/* Control: a selection whose name says that its time depends on scores. */
TIMED(select_vartime, simdp_select_gumbel_vartime(rng, (size_t *)out, const_doubles(data), N, SCALE))

/* Control: the kernel itself, in the default floating-point mode. */
static void keeping_subnormals(simdp_rng *rng, uint64_t *out, const uint64_t *data)
{
    const simdp_release_plan plan = simdp_release_plan_of(RELEASE_LAPLACE, SCALE, GRID, &release_scratch);
    const simdp_bits_at at = {.cipher = cipher_of_stream(rng), .position = rng->position};
    simdp_kernels_active()->release->f64[RELEASE_LAPLACE](doubles(out), const_doubles(data), N, &at, &plan);
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

/* data = the numbers of one class; the compiler does not know that a mask has two values, so it makes no branch of them. */
static void copy_class(uint64_t data[N], uint64_t (*of)[2], uint64_t second)
{
    uint64_t mask = -second;
    __asm__ volatile("" : "+r"(mask));
    for (int j = 0; j < N; j++) data[j] = of[j][0] ^ ((of[j][0] ^ of[j][1]) & mask);
}

/* t of the calls on either class. In each batch the slowest tenth of all calls is left out, whatever its class
 * (interrupts, other processes), and times count from the batch's median: slow changes of the clock do not matter. */
static double welch(timed *call, class_of_data *const classes[2], size_t calls, uint64_t seed)
{
    /* Both classes lie in the same lines of the cache and are copied by the same instructions: which class a call gets
     * shows neither in what was read before nor in what the branch predictor saw. */
    static uint64_t pool[POOL][N][2], data[N], out[N], took[BATCH], sorted[BATCH];
    static uint8_t class[BATCH];
    moments m[2] = {{0, 0, 0}, {0, 0, 0}};
    simdp_rng rng;
    test_stream(&rng, seed, 0, 0);
    for (int k = 0; k < 2 * POOL; k++) {
        for (int i = 0; i < N; i++) pool[k / 2][i][k % 2] = classes[k % 2](test_random(&seed));
    }
    for (size_t done = 0; done < calls + BATCH; done += BATCH) { /* the first batch warms up */
        for (int i = 0; i < BATCH; i++) {
            const uint64_t random = test_random(&seed);
            unsigned core;
            class[i] = random & 1;
            copy_class(data, pool[random / 2 % POOL], random & 1);
            _mm_mfence();
            _mm_lfence();
            const uint64_t begin = __rdtsc();
            _mm_lfence();
            call(&rng, out, data);
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

/* Calls of each contrast. */
static size_t calls_wanted(void)
{
    const char *text = getenv("SIMDP_TEST_TIMING");
    const double calls = text == NULL ? SHORT_CALLS : strtod(text, NULL);
    assert_true(calls >= SHORT_CALLS && calls <= 1e10);
    return (size_t)calls;
}

typedef struct {
    const char *name;
    timed *call;
    class_of_data *classes[2];
} contrast;

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
    {"discrete Laplace: 0, ends", discrete_laplace, {zero, ends}},
    {"discrete Gaussian: 0, ends", discrete_gaussian, {zero, ends}},
    {"Laplace by id: 0, any bits", laplace_by_id, {zero, any}},
    {"Laplace by id: plain, borders of cells", laplace_by_id, {plain, half_cell}},
    {"Gaussian by id: 0, any bits", gaussian_by_id, {zero, any}},
    {"Gaussian by id: plain, borders of cells", gaussian_by_id, {plain, half_cell}},
    {"Laplace, integers by id: 0, any", laplace_i64_by_id, {zero, any}},
    {"Gaussian, integers by id: 0, ends", gaussian_i64_by_id, {zero, ends}},
    {"Laplace above a threshold: 0, plain", laplace_threshold, {zero, plain}},
    {"Laplace above a threshold: plain, huge", laplace_threshold, {plain, huge}},
    {"Gaussian, integers above a threshold: 0, any", gaussian_threshold_i64, {zero, any}},
    {"randomized response: all 0, all 1", response, {no_bits, all_bits}},
    {"randomized response: all 0, mixed", response, {no_bits, some_bits}},
    {"randomized response by id: all 0, mixed", response_by_id, {no_bits, some_bits}},
    {"unary reports: all 0, any", unary, {zero, any}},
    {"k response: all 0, any", k_response, {zero, any}},
    {"k response: all 0, small", k_response, {zero, small}},
    {"selection: equal, plain", select_one, {zero, plain}},
    {"selection: plain, subnormal", select_one, {plain, subnormal}},
    {"selection: plain, huge", select_one, {plain, huge}},
    {"selection of rows: equal, plain", select_rows, {zero, plain}},
    {"selection of rows: plain, huge", select_rows, {plain, huge}},
    {"selection of rows by id: equal, huge", select_rows_by_id, {zero, huge}},
    {"groups: 0, any counts", partitions, {zero, any}},
    {"groups: 0, small counts", partitions, {zero, small}},
    {"groups by id: 0, small counts", partitions_by_id, {zero, small}},
    {"above threshold: 0, plain", above_threshold, {zero, plain}},
    {"above threshold: plain, huge", above_threshold, {plain, huge}},
    {"sum: 0, any bits", sum, {zero, any}},
    {"sum: plain, NaN and infinities", sum, {plain, special}},
    {"sum of integers: 0, ends", sum_i64, {zero, ends}},
};

/* The t nearest to what is wanted (near 0, or else far from it) of at most three. */
static double settled(const contrast *row, size_t calls, uint64_t seed, bool equal)
{
    double t = equal ? INFINITY : 0;
    for (int try = 0; try < TRIES && (fabs(t) < BOUND) != equal; try++) {
        t = welch(row->call, row->classes, calls, seed + (uint64_t)try);
        print_message("%-7s %-44s t = %+.2f\n", simdp_isa_name(), row->name, t);
    }
    return t;
}

static void test_time(void **state)
{
    (void)state;
    const size_t calls = calls_wanted();
    const simdp_kernels *t;
    int failed = 0;
    for (size_t set = 0; (t = next_usable(&set)) != NULL; set++) {
        must(simdp_isa_select(t->variant));
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
            failed += !(fabs(settled(&rows[i], calls, 100 * i, true)) < BOUND);
        if (calls <= SHORT_CALLS) break; /* they begin with the best */
    }
    must(simdp_isa_select(NULL));
    assert_int_equal(failed, 0);
}

static void test_controls(void **state)
{
    (void)state;
    static const contrast branch = {"control: a branch on data", branching, {plain, special}},
                          vartime = {"control: selection in variable time", select_vartime, {zero, huge}},
                          kept = {"control: subnormals kept", keeping_subnormals, {plain, subnormal}};
    const size_t wanted = calls_wanted(), calls = wanted > CONTROL_CALLS ? CONTROL_CALLS : wanted;
    assert_true(fabs(settled(&branch, calls, 1, false)) > BOUND);
    assert_true(fabs(settled(&vartime, calls, 2, false)) > BOUND);
    if (is_slow_with_subnormals()) assert_true(fabs(settled(&kept, calls, 3, false)) > BOUND);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_controls), cmocka_unit_test(test_time)};
    return cmocka_run_group_tests_name("call_timing", tests, NULL, NULL);
}
