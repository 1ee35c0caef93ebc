/* test_release_bounded: integers whose results or whose noise have bounds, every one against MPFR; their laws by counts,
 * with planted defects; privacy by the masses themselves; forms, bad input. */
#include <math.h>

#include "reference/discrete_reference.h"
#include "support/law_check.h"

#define ELEMENTS 2200

static discrete_stream stream_of(uint64_t seed, uint32_t use)
{
    discrete_stream s = {.stream = seed, .use = use};
    test_key(s.key, 5 * seed);
    return s;
}

static void open_stream(simdp_rng *rng, const discrete_stream *s, uint64_t position)
{
    must(simdp_rng_init_deterministic(rng, s->key, s->stream));
    must(simdp_rng_seek(rng, position));
}

static int64_t clamped(__int128 x, int64_t lower, int64_t upper)
{
    return (int64_t)(x < lower ? lower : x > upper ? upper : x);
}

/* Answers of all sizes, and the ends. */
static void fill_answers(int64_t *answers, size_t n)
{
    uint64_t random = 8;
    for (size_t i = 0; i < n; i++) answers[i] = (int64_t)test_random(&random) >> (i % 4 == 0 ? 0 : 52 + i % 11);
    for (size_t i = 0; i < n; i += 17) answers[i] = i % 2 ? INT64_MAX : INT64_MIN;
}

/* ---- every output, on every instruction set, whole and in pieces ---- */

static const struct {
    double scale;
    int64_t lower, upper;
} bounded[] = {
    {0x1p-10, -1, 1},
    {0.5, 0, 10},
    {3.7, -5, 5},
    {20.0, 7, 7},
    {1234.5, -100, 100000},
    {0x1p31, INT64_MIN, -1},
    {0x1p40, -((int64_t)1 << 41), (int64_t)1 << 41},
    {0x1p40, INT64_MAX - 5, INT64_MAX},
    {5.0, INT64_MIN, INT64_MAX},
};
static const struct {
    double sigma;
    int64_t bound;
} truncated[] = {
    {0x1p-10, 1}, {0.3, 1},      {1.0, 1},         {1.0, 2},         {2.5, 3},
    {6.5, 10},    {6.6, 7},      {13.0, 14},       {13.0, 40},       {100.0, 101},
    {1e6, 3e6},   {0x1p30, 2e9}, {0x1p40, 0x1p40}, {3.0, INT64_MAX}, {100.0, INT64_MAX - 1},
};

typedef struct {
    size_t row;
    bool cuts; /* noise is cut, not results */
} call;

static simdp_status release(simdp_rng *rng, int64_t *out, const int64_t *answers, size_t n, call c)
{
    if (c.cuts)
        return simdp_release_discrete_gaussian_truncated_i64(rng, out, answers, n, truncated[c.row].sigma,
                                                             truncated[c.row].bound);
    return simdp_release_discrete_laplace_bounded_i64(rng, out, answers, n, bounded[c.row].scale, bounded[c.row].lower,
                                                      bounded[c.row].upper);
}

static void references(int64_t *want, const int64_t *answers, call c, const discrete_stream *s, uint64_t position)
{
    static gaussian_reference g;
    const int64_t lower = c.cuts ? INT64_MIN : bounded[c.row].lower, upper = c.cuts ? INT64_MAX : bounded[c.row].upper;
    if (c.cuts) gaussian_reference_init(&g, truncated[c.row].sigma), g.bound = (uint64_t)truncated[c.row].bound;
    for (size_t i = 0; i < ELEMENTS; i++) {
        const int64_t noise = c.cuts ? gaussian_number(&g, s, position + i, NULL)
                                     : laplace_reference(s, position + i, NULL, bounded[c.row].scale);
        want[i] = clamped((__int128)clamped(answers[i], lower, upper) + noise, lower, upper);
    }
    if (c.cuts) gaussian_reference_clear(&g);
}

static void check_row(call c)
{
    static int64_t answers[ELEMENTS], want[ELEMENTS], out[ELEMENTS];
    const discrete_stream s = stream_of(c.row, c.cuts ? 28 : 27);
    const uint64_t position = 1000 * c.row + c.row % 3;
    const simdp_kernels *t;
    simdp_rng rng;
    fill_answers(answers, ELEMENTS);
    references(want, answers, c, &s, position);
    for (size_t k = 0; (t = next_usable(&k)) != NULL; k++) {
        must(simdp_isa_select(t->variant));
        for (size_t piece = 7; piece < 8 * ELEMENTS; piece *= 23) {
            open_stream(&rng, &s, position);
            memcpy(out, answers, sizeof out); /* in place */
            for (size_t done = 0; done < ELEMENTS; done += piece)
                must(release(&rng, out + done, out + done, ELEMENTS - done < piece ? ELEMENTS - done : piece, c));
            assert_int_equal(simdp_rng_position(&rng), position + ELEMENTS);
            for (size_t i = 0; i < ELEMENTS; i++) {
                if (out[i] != want[i])
                    fail_msg("%s %zu, element %zu: %lld is not %lld", c.cuts ? "truncated" : "bounded", c.row, i,
                             (long long)out[i], (long long)want[i]);
            }
        }
    }
    must(simdp_isa_select(NULL));
}

static void test_every_output(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bounded / sizeof *bounded; i++) check_row((call){i, false});
    for (size_t i = 0; i < sizeof truncated / sizeof *truncated; i++) check_row((call){i, true});
}

/* ---- laws ---- */

#define N     (1 << 20)
#define CELLS 101

/* P[result = lower + k] for a true answer that is clamped first, by the sums that the law is. */
static void bounded_masses(double *p, double scale, int64_t answer, int64_t lower, int64_t upper)
{
    const double t = tanh(1 / (2 * scale)), q = exp(-1 / scale);
    const int64_t x = clamped(answer, lower, upper);
    if (lower == upper) {
        p[0] = 1;
        return;
    }
    for (int64_t k = lower; k <= upper; k++) {
        const double d = fabs((double)(k - x)), one = t * exp(-d / scale);
        const bool at_end = k == lower || k == upper;
        p[k - lower] = !at_end ? one : exp(-d / scale) / (1 + q); /* P[noise >= d], d >= 0 */
    }
}

static void truncated_masses(double *p, double sigma, int64_t bound)
{
    double total = 0;
    for (int64_t x = -bound; x <= bound; x++) total += p[x + bound] = exp(-(double)(x * x) / (2 * sigma * sigma));
    for (int64_t x = 0; x <= 2 * bound; x++) p[x] /= total;
}

static void count_cells(uint64_t *cells, const int64_t *x, int64_t first)
{
    memset(cells, 0, CELLS * sizeof *cells);
    for (size_t i = 0; i < N; i++) {
        assert_true(x[i] >= first && x[i] < first + CELLS);
        cells[x[i] - first]++;
    }
}

static void test_bounded_law(void **state)
{
    (void)state;
    static int64_t x[N], answers[N];
    static const struct {
        double scale;
        int64_t answer, lower, upper;
    } rows[] = {{2.0, 3, 0, 10},  {2.0, 0, 0, 10},    {5.0, 99, 0, 50},
                {0.7, -9, -3, 3}, {30.0, 20, 0, 100}, {1.0, 4, 2, 2}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        double p[CELLS] = {0};
        uint64_t cells[CELLS];
        simdp_rng rng;
        test_stream(&rng, 3, r, 0);
        for (size_t i = 0; i < N; i++) answers[i] = rows[r].answer;
        must(simdp_release_discrete_laplace_bounded_i64(&rng, x, answers, N, rows[r].scale, rows[r].lower,
                                                        rows[r].upper));
        count_cells(cells, x, rows[r].lower);
        bounded_masses(p, rows[r].scale, rows[r].answer, rows[r].lower, rows[r].upper);
        assert_true(law_check_counts(cells, p, CELLS));
        if (rows[r].lower == rows[r].upper) continue;
        /* planted: answers outside that are not clamped first */
        must(simdp_release_discrete_laplace_i64(&rng, x, answers, N, rows[r].scale));
        for (size_t i = 0; i < N; i++) x[i] = clamped(x[i], rows[r].lower, rows[r].upper);
        count_cells(cells, x, rows[r].lower);
        const bool outside = rows[r].answer != clamped(rows[r].answer, rows[r].lower, rows[r].upper);
        assert_true(law_check_counts(cells, p, CELLS) == !outside);
        /* planted: results beyond a bound left out, as if they had been drawn again */
        for (size_t i = 0; i < N; i++) answers[i] = clamped(answers[i], rows[r].lower, rows[r].upper);
        must(simdp_release_discrete_laplace_i64(&rng, x, answers, N, rows[r].scale));
        memset(cells, 0, sizeof cells);
        for (size_t i = 0; i < N; i++) {
            if (x[i] >= rows[r].lower && x[i] <= rows[r].upper) cells[x[i] - rows[r].lower]++;
        }
        assert_false(law_check_counts(cells, p, CELLS));
    }
}

static void test_truncated_law(void **state)
{
    (void)state;
    static int64_t x[N], zeros[N];
    static const struct {
        double sigma;
        int64_t bound;
    } rows[] = {{0.8, 1}, {3.0, 3}, {5.0, 12}, {6.4, 8}, {6.6, 8}, {12.0, 13}, {15.0, 50}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        double p[CELLS] = {0};
        uint64_t cells[CELLS];
        simdp_rng rng;
        test_stream(&rng, 4, r, 0);
        must(simdp_release_discrete_gaussian_truncated_i64(&rng, x, zeros, N, rows[r].sigma, rows[r].bound));
        count_cells(cells, x, -rows[r].bound);
        truncated_masses(p, rows[r].sigma, rows[r].bound);
        assert_true(law_check_counts(cells, p, CELLS));
        if (rows[r].bound > 3 * rows[r].sigma) continue;
        /* planted: noise that is clamped, not drawn again */
        must(simdp_noise_discrete_gaussian_i64(&rng, x, N, rows[r].sigma));
        for (size_t i = 0; i < N; i++) x[i] = clamped(x[i], -rows[r].bound, rows[r].bound);
        count_cells(cells, x, -rows[r].bound);
        assert_false(law_check_counts(cells, p, CELLS));
    }
}

/* ---- the promises of the header, by the masses ---- */

static double delta_of(const double *p, const double *q, size_t n, double epsilon)
{
    double delta = 0;
    for (size_t i = 0; i < n; i++) delta += fmax(0, p[i] - exp(epsilon) * q[i]);
    return delta;
}

static void test_promises(void **state)
{
    (void)state;
    for (double scale = 0.5; scale < 20; scale *= 1.7) {
        for (int64_t a = -3; a < 13; a++) {
            double p[CELLS] = {0}, q[CELLS] = {0};
            bounded_masses(p, scale, a, 0, 10);
            bounded_masses(q, scale, a + 1, 0, 10);
            assert_true(delta_of(p, q, CELLS, (1 + 1e-12) / scale) < 1e-13);
            assert_true(delta_of(q, p, CELLS, (1 + 1e-12) / scale) < 1e-13);
            if (a >= 0 && a < 10) assert_true(delta_of(p, q, CELLS, 0.99 / scale) > 1e-9); /* and no better */
        }
    }
    /* truncated: two answers that differ by d, against the bound of the header and its tails */
    for (double sigma = 1; sigma < 12; sigma += 2.3) {
        for (int64_t bound = (int64_t)ceil(sigma); bound < 30; bound += 4) {
            for (int64_t d = 1; d < 4 && d <= bound; d++) {
                double p[CELLS] = {0}, p_full[CELLS] = {0}, q[CELLS] = {0}, q_full[CELLS] = {0}, tail[2];
                double whole = 0, inside;
                for (int64_t x = -2000; x <= 2000; x++) whole += exp(-(double)(x * x) / (2 * sigma * sigma));
                truncated_masses(p, sigma, bound);
                for (int64_t x = -bound; x <= bound; x++) q[x + bound + d] = p[x + bound];
                tail[0] = tail[1] = 0;
                for (int64_t x = 2000; x > bound - d; x--) {
                    const double mass = exp(-(double)(x * x) / (2 * sigma * sigma)) / whole;
                    tail[0] += x > bound ? mass : 0, tail[1] += mass;
                }
                inside = 1 - 2 * tail[0];
                for (int64_t x = -48; x <= 48; x++) {
                    p_full[x + 48] = exp(-(double)(x * x) / (2 * sigma * sigma)) / whole;
                    q_full[x + 48] = exp(-(double)((x - d) * (x - d)) / (2 * sigma * sigma)) / whole;
                }
                for (double epsilon = 0; epsilon < 3; epsilon += 0.31) {
                    const double promised =
                        delta_of(p_full, q_full, CELLS, epsilon) / inside + (tail[1] - tail[0]) / inside;
                    const double exact = delta_of(p, q, CELLS, epsilon);
                    assert_true(exact <= promised * (1 + 1e-9) + 1e-13);
                }
                /* what cannot come out for the neighbour is a delta that no epsilon takes away */
                assert_true(delta_of(p, q, CELLS, 50) > 0);
            }
        }
    }
}

/* ---- bad input ---- */

static void expect(simdp_status got, simdp_status want, const int64_t *out)
{
    assert_int_equal(got, want);
    for (int k = 0; k < 3; k++) assert_int_equal(out[k], INT64_MIN);
}

static void test_bad_input(void **state)
{
    (void)state;
    static const double bad[] = {NAN, INFINITY, -1.0, 0x1p-11, 0x1.0000000000001p40, 1e-310};
    int64_t out[3] = {0}, answers[3] = {-5, 2, 5000};
    simdp_rng rng;
    test_stream(&rng, 1, 1, 5);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        memset(out, 0x11, sizeof out);
        expect(simdp_release_discrete_laplace_bounded_i64(&rng, out, answers, 3, bad[i], 0, 9), SIMDP_EPARAM, out);
        memset(out, 0x11, sizeof out);
        expect(simdp_release_discrete_gaussian_truncated_i64(&rng, out, answers, 3, bad[i], INT64_MAX), SIMDP_EPARAM,
               out);
    }
    memset(out, 0x11, sizeof out);
    expect(simdp_release_discrete_laplace_bounded_i64(&rng, out, answers, 3, 1.0, 10, 9), SIMDP_EPARAM, out);
    memset(out, 0x11, sizeof out);
    expect(simdp_release_discrete_laplace_bounded_i64(&rng, out, answers, 3, 0.0, 10, 9), SIMDP_EPARAM, out);
    static const struct {
        double sigma;
        int64_t bound;
    } narrow[] = {{1.5, 1}, {0x1p-10, 0}, {0.0, -1}, {1.0, INT64_MIN}, {0x1p40, ((int64_t)1 << 40) - 1}};
    for (size_t i = 0; i < sizeof narrow / sizeof *narrow; i++) {
        memset(out, 0x11, sizeof out);
        expect(simdp_release_discrete_gaussian_truncated_i64(&rng, out, answers, 3, narrow[i].sigma, narrow[i].bound),
               SIMDP_EPARAM, out);
    }
    assert_int_equal(simdp_rng_position(&rng), 5);
    must(simdp_release_discrete_laplace_bounded_i64(&rng, out, answers, 3, 0.0, 0, 9)); /* no noise: clamped */
    assert_true(out[0] == 0 && out[1] == 2 && out[2] == 9);
    must(simdp_release_discrete_gaussian_truncated_i64(&rng, out, answers, 3, 0.0, 0));
    assert_memory_equal(out, answers, sizeof out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_output), cmocka_unit_test(test_bounded_law), cmocka_unit_test(test_truncated_law),
        cmocka_unit_test(test_promises),     cmocka_unit_test(test_bad_input),
    };
    return cmocka_run_group_tests_name("release_bounded", tests, NULL, NULL);
}
