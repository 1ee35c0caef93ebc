/* test_release_by_id_order: an element of a form by identity is a function of its id, answer and parameters alone:
 * shuffled, in pieces, by threads that share a stream, in place, at odd addresses, from any position; what differs in
 * law or parameters shares nothing; and the forms fail closed on streams that do not keep their key. */
#include <pthread.h>

#include "bits/rng.h"
#include "dispatch/table.h"
#include "release/response/bernoulli.h"
#include "support/by_id_support.h"

enum { N = 5000, CANDIDATES = 9 };

/* ---- the six functions as one ---- */

typedef union {
    double f64[N];
    int64_t i64[N];
    uint8_t bytes[N];
    size_t index[N];
} outputs;

typedef struct {
    double f64[N];
    int64_t i64[N];
    uint8_t bytes[N];
    double scores[N * CANDIDATES];
    simdp_id ids[N];
} inputs;

enum { LAPLACE, GAUSSIAN, LAPLACE_I64, GAUSSIAN_I64, RESPONSE, SELECT, FUNCTIONS };
static const size_t bytes_of[FUNCTIONS] = {8, 8, 8, 8, 1, sizeof(size_t)};

static simdp_status run(int f, simdp_rng *rng, void *out, const inputs *in, size_t first, size_t n, double scale)
{
    const simdp_id *ids = in->ids + first;
    switch (f) {
    case LAPLACE: return simdp_release_laplace_by_id(rng, out, in->f64 + first, ids, n, scale, 0x1p-20);
    case GAUSSIAN: return simdp_release_gaussian_by_id(rng, out, in->f64 + first, ids, n, scale, 0x1p-20);
    case LAPLACE_I64: return simdp_release_laplace_i64_by_id(rng, out, in->i64 + first, ids, n, scale);
    case GAUSSIAN_I64: return simdp_release_gaussian_i64_by_id(rng, out, in->i64 + first, ids, n, scale);
    case RESPONSE: return simdp_release_randomized_response_by_id(rng, out, in->bytes + first, ids, n, scale);
    default:
        return simdp_select_gumbel_rows_by_id(rng, out, in->scores + first * CANDIDATES, ids, n, CANDIDATES, scale);
    }
}

static inputs in, shuffled;
static outputs want, got;
static size_t place[N]; /* where element i of `in` lies in `shuffled` */

static void fill(void)
{
    uint64_t random = 4;
    test_ids(in.ids, N, 21);
    for (size_t i = 0; i < N; i++) {
        in.f64[i] = (double)(int64_t)test_random(&random) * 0x1p-50;
        in.i64[i] = (int64_t)(test_random(&random) % 1000);
        in.bytes[i] = (uint8_t)(test_random(&random) % 3);
        for (size_t j = 0; j < CANDIDATES; j++)
            in.scores[i * CANDIDATES + j] = (double)(test_random(&random) % 64) / 16;
        place[i] = i;
    }
    for (size_t i = N - 1; i > 0; i--) {
        const size_t j = test_random(&random) % (i + 1), swapped = place[i];
        place[i] = place[j], place[j] = swapped;
    }
    for (size_t i = 0; i < N; i++) {
        const size_t to = place[i];
        shuffled.ids[to] = in.ids[i];
        shuffled.f64[to] = in.f64[i];
        shuffled.i64[to] = in.i64[i];
        shuffled.bytes[to] = in.bytes[i];
        memcpy(shuffled.scores + to * CANDIDATES, in.scores + i * CANDIDATES, CANDIDATES * sizeof *in.scores);
    }
}

static void must_be_shuffled(int f)
{
    const size_t bytes = bytes_of[f];
    for (size_t i = 0; i < N; i++)
        assert_memory_equal((const char *)&got + bytes * place[i], (const char *)&want + bytes * i, bytes);
}

static void test_order(void **state)
{
    (void)state;
    const simdp_kernels *t;
    simdp_rng rng;
    fill();
    for (size_t i = 0; (t = next_usable(&i)) != NULL; i++) {
        must(simdp_isa_select(t->variant));
        for (int f = 0; f < FUNCTIONS; f++) {
            for (int s = 0; s < 2; s++) {
                test_stream(&rng, 5, 2, 0);
                must(run(f, &rng, &want, &in, 0, N, s == 0 ? 1.5 : 700.0));
                test_stream(&rng, 5, 2, 77777);
                must(run(f, &rng, &got, &shuffled, 0, N, s == 0 ? 1.5 : 700.0));
                must_be_shuffled(f);
            }
        }
    }
    must(simdp_isa_select(NULL));
}

static void test_pieces(void **state)
{
    (void)state;
    simdp_rng rng;
    uint64_t random = 6;
    fill();
    test_stream(&rng, 5, 2, 0);
    for (int f = 0; f < FUNCTIONS; f++) {
        must(run(f, &rng, &want, &in, 0, N, 2.5));
        for (size_t most = 3; most <= 3000; most *= 10) {
            memset(&got, 0x5a, sizeof got);
            for (size_t done = 0, n; done < N; done += n) {
                n = test_random(&random) % most;
                if (n > N - done) n = N - done;
                must(run(f, &rng, (char *)&got + bytes_of[f] * done, &in, done, n, 2.5));
            }
            assert_memory_equal(&got, &want, N * bytes_of[f]);
        }
    }
    assert_int_equal(simdp_rng_position(&rng), 0);
}

/* In place, and where neither answers nor ids lie at multiples of anything. */
static void test_addresses(void **state)
{
    (void)state;
    static unsigned char odd_out[8 * N + 9], odd_in[8 * N + 9], odd_ids[16 * N + 9];
    simdp_rng rng;
    fill();
    test_stream(&rng, 5, 2, 0);
    memcpy(odd_ids + 3, in.ids, sizeof in.ids);
    const simdp_id *ids = (const simdp_id *)(const void *)(odd_ids + 3);
    for (int law = 0; law < RELEASE_LAWS; law++) {
        must(release_by_id(law, &rng, want.f64, in.f64, in.ids, N, 1.5, 0x1p-20));
        memcpy(odd_in + 1, in.f64, sizeof in.f64);
        must(release_by_id(law, &rng, (double *)(void *)(odd_out + 5), (const double *)(const void *)(odd_in + 1), ids,
                           N, 1.5, 0x1p-20));
        assert_memory_equal(odd_out + 5, want.f64, sizeof want.f64);
        memcpy(got.f64, in.f64, sizeof got.f64);
        must(release_by_id(law, &rng, got.f64, got.f64, in.ids, N, 1.5, 0x1p-20));
        assert_memory_equal(got.f64, want.f64, sizeof want.f64);
        must(release_by_id_i64(law, &rng, want.i64, in.i64, in.ids, N, 1.5));
        memcpy(odd_in + 1, in.i64, sizeof in.i64);
        must(release_by_id_i64(law, &rng, (int64_t *)(void *)(odd_in + 1), (const int64_t *)(const void *)(odd_in + 1),
                               ids, N, 1.5));
        assert_memory_equal(odd_in + 1, want.i64, sizeof want.i64);
    }
    must(run(RESPONSE, &rng, &want, &in, 0, N, 1.0));
    memcpy(odd_in + 1, in.bytes, N);
    must(simdp_release_randomized_response_by_id(&rng, odd_in + 1, odd_in + 1, ids, N, 1.0));
    assert_memory_equal(odd_in + 1, want.bytes, N);
}

/* ---- threads ---- */

enum { THREADS = 4 };
static simdp_rng shared;
static outputs together;

typedef struct {
    pthread_t thread;
    size_t first;
    int f;
} worker;

/* Every THREADS-th piece of 37 elements of the shuffled rows. */
static void *work(void *argument)
{
    const worker *w = argument;
    for (size_t done = 37 * w->first; done < N; done += 37 * THREADS) {
        const size_t n = N - done < 37 ? N - done : 37;
        if (run(w->f, &shared, (char *)&together + bytes_of[w->f] * done, &shuffled, done, n, 2.5) != SIMDP_OK) abort();
    }
    return NULL;
}

static void test_threads(void **state)
{
    (void)state;
    fill();
    test_stream(&shared, 5, 2, 0);
    for (int f = 0; f < FUNCTIONS; f++) {
        worker workers[THREADS];
        must(run(f, &shared, &want, &in, 0, N, 2.5));
        for (size_t i = 0; i < THREADS; i++) {
            workers[i] = (worker){.first = i, .f = f};
            assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
        }
        for (size_t i = 0; i < THREADS; i++) assert_int_equal(pthread_join(workers[i].thread, NULL), 0);
        memcpy(&got, &together, sizeof got);
        must_be_shuffled(f);
    }
}

/* ---- what must differ ---- */

/* Two releases of one id at scales s and 2 s: if they shared bits the noise of one would be twice that of the other,
 * and the two outputs would give the answer away. The control is a table of keys without the scale, as a wrong
 * derivation would make them: there the difference shows every time. */
static size_t given_away(const double *one, const double *two, const double *answers, double grid)
{
    size_t count = 0;
    for (size_t i = 0; i < N; i++) count += fabs((2 * one[i] - two[i]) - answers[i]) <= 2 * grid;
    return count;
}

static void test_scales_share_nothing(void **state)
{
    (void)state;
    static double zeros[N], one[N], two[N];
    const double grid = 0x1p-20;
    simdp_rng rng;
    fill();
    test_stream(&rng, 5, 2, 0);
    for (int law = 0; law < RELEASE_LAWS; law++) {
        const uint64_t without[1] = {identity_number(grid)};
        const uint32_t use = law == RELEASE_LAPLACE ? BITS_LAPLACE_F64_BY_ID : BITS_GAUSSIAN_F64_BY_ID;
        simdp_identity identity;
        must(release_by_id(law, &rng, one, zeros, in.ids, N, 1.0, grid));
        must(release_by_id(law, &rng, two, zeros, in.ids, N, 2.0, grid));
        assert_true(given_away(one, two, zeros, grid) < 5);
        must(rng_identity(&identity, &rng, use, 2, without, 1)); /* planted: the scale is left out */
        double *const outs[2] = {one, two};
        for (int s = 0; s < 2; s++) {
            const simdp_release_plan plan = simdp_release_plan_of(law, s + 1.0, grid, &release_scratch);
            const unsigned mode = fp_mode_enter_flushing();
            simdp_kernels_active()->release->f64_by_id[law](outs[s], zeros, in.ids, N, &identity, &plan);
            fp_mode_leave_flushing(mode);
        }
        assert_int_equal(given_away(one, two, zeros, grid), N);
    }
}

/* Grids, types and laws: the noise that two of them add to one id is not the same, and -0 is 0. */
static void test_parameters_share_nothing(void **state)
{
    (void)state;
    static double zeros[N], one[N], two[N];
    static int64_t none[N], whole[N];
    size_t same = 0;
    simdp_rng rng;
    fill();
    test_stream(&rng, 5, 2, 0);
    for (int law = 0; law < RELEASE_LAWS; law++) {
        must(release_by_id(law, &rng, one, zeros, in.ids, N, 1000.0, 0x1p-10));
        must(release_by_id(law, &rng, two, zeros, in.ids, N, 1000.0, 0x1p-11));
        for (size_t i = 0; i < N; i++) same += fabs(one[i] - two[i]) <= 0x1p-9;
        must(release_by_id(law, &rng, one, zeros, in.ids, N, 1000.0, 1.0));
        must(release_by_id_i64(law, &rng, whole, none, in.ids, N, 1000.0));
        for (size_t i = 0; i < N; i++) same += one[i] == (double)whole[i];
        must(release_by_id(law, &rng, one, in.f64, in.ids, N, 0.0, 1.0));
        must(release_by_id(law, &rng, two, in.f64, in.ids, N, -0.0, 1.0));
        assert_memory_equal(one, two, sizeof one);
    }
    assert_true(same < 60); /* about one in a thousand of those on a grid of 1 */
}

/* ---- streams that do not keep their key ---- */

static simdp_status some_words(void *context, uint64_t *out, size_t n)
{
    for (size_t i = 0; i < n; i++) out[i] = test_random(context);
    return SIMDP_OK;
}

static bool is_no_answer(int f, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (f <= GAUSSIAN && !isnan(got.f64[i])) return false;
        if ((f == LAPLACE_I64 || f == GAUSSIAN_I64) && got.i64[i] != INT64_MIN) return false;
        if (f == RESPONSE && got.bytes[i] != 0xff) return false;
        if (f == SELECT && got.index[i] != SIZE_MAX) return false;
    }
    return true;
}

static void test_streams_refused(void **state)
{
    (void)state;
    uint64_t words = 1;
    simdp_rng rngs[3] = {{.kind = RNG_SOURCE, .source = some_words, .context = &words}, {0}, {0}};
    fill();
    must(simdp_rng_init(&rngs[1]));
    for (int f = 0; f < FUNCTIONS; f++) {
        for (int r = 0; r < 3; r++) {
            memset(&got, 0, sizeof got);
            assert_int_equal(run(f, &rngs[r], &got, &in, 0, 100, 1.0), SIMDP_EPARAM);
            assert_true(is_no_answer(f, 100));
        }
        test_stream(&rngs[2], 1, 0, 0);
        memset(&got, 0, sizeof got);
        assert_int_equal(run(f, &rngs[2], &got, &in, 0, 100, NAN), SIMDP_EPARAM);
        assert_true(is_no_answer(f, 100));
        simdp_rng_wipe(&rngs[2]);
    }
}

static void test_null(void **state)
{
    (void)state;
    simdp_rng rng;
    test_stream(&rng, 1, 0, 0);
    memset(&got, 0x5a, sizeof got);
    assert_int_equal(simdp_release_laplace_by_id(&rng, got.f64, in.f64, NULL, 3, 1.0, 1.0), SIMDP_ENULL);
    assert_int_equal(simdp_release_gaussian_i64_by_id(&rng, got.i64, in.i64, NULL, 3, 1.0), SIMDP_ENULL);
    assert_int_equal(simdp_release_randomized_response_by_id(&rng, got.bytes, in.bytes, NULL, 3, 1.0), SIMDP_ENULL);
    assert_int_equal(simdp_select_gumbel_rows_by_id(&rng, got.index, in.scores, NULL, 3, 2, 1.0), SIMDP_ENULL);
    assert_int_equal(simdp_release_laplace_by_id(NULL, got.f64, in.f64, in.ids, 3, 1.0, 1.0), SIMDP_ENULL);
    assert_int_equal(got.bytes[0], 0x5a);
    must(simdp_release_laplace_by_id(&rng, NULL, NULL, NULL, 0, 1.0, 1.0));
    must(simdp_release_laplace_i64_by_id(&rng, NULL, NULL, NULL, 0, 1.0));
    must(simdp_release_randomized_response_by_id(&rng, NULL, NULL, NULL, 0, 1.0));
    must(simdp_select_gumbel_rows_by_id(&rng, NULL, NULL, NULL, 0, 2, 1.0));
    assert_int_equal(simdp_release_laplace_by_id(&rng, got.f64, in.f64, in.ids, PTRDIFF_MAX / 16 + 1, 1.0, 1.0),
                     SIMDP_EPARAM);
    assert_int_equal(simdp_select_gumbel_rows_by_id(&rng, got.index, in.scores, in.ids, PTRDIFF_MAX / 16 + 1, 1, 1.0),
                     SIMDP_EPARAM);
    assert_int_equal(got.bytes[0], 0x5a);
}

/* An id whose first 64 digits are those of p, which no epsilon is known to have: the digits behind them decide, and
 * those of all other ids as before. */
static void test_equal_digits(void **state)
{
    (void)state;
    enum { COUNT = 1500, EQUAL = 700 };
    static uint64_t words[2 * COUNT];
    static const uint8_t zeros[COUNT];
    const uint64_t parameter = 1;
    const simdp_kernels *t;
    simdp_rng rng;
    test_stream(&rng, 1, 0, 8);
    for (size_t set = 0; (t = next_usable(&set)) != NULL; set++) {
        must(simdp_isa_select(t->variant));
        simdp_identity identity;
        must(rng_identity(&identity, &rng, BITS_RESPONSE_BY_ID, 1, &parameter, 1));
        t->bits->identity_blocks(words, in.ids, COUNT, &identity, 0);
        for (int more = 0; more < 2; more++) { /* p has no further digits, or is next to the number above */
            simdp_wide p = simdp_wide_from_u64(words[2 * EQUAL]), last = simdp_wide_from_u64(UINT64_MAX);
            simdp_bernoulli law;
            p.exponent -= 64;
            last.exponent -= 128;
            simdp_bernoulli_wide(&law, more ? simdp_wide_add(p, last) : p);
            t->release->response_by_id(got.bytes, zeros, in.ids, COUNT, &identity, &law);
            for (size_t i = 0; i < COUNT; i++) {
                const bool below = i == EQUAL ? more : words[2 * i] < words[2 * EQUAL];
                if (got.bytes[i] != below) fail_msg("%s, id %zu, %d", t->variant, i, more);
            }
        }
    }
    must(simdp_isa_select(NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_addresses),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_scales_share_nothing),
        cmocka_unit_test(test_parameters_share_nothing),
        cmocka_unit_test(test_streams_refused),
        cmocka_unit_test(test_null),
        cmocka_unit_test(test_equal_digits),
    };
    return cmocka_run_group_tests_name("release_by_id_order", tests, NULL, NULL);
}
