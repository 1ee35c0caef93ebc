/* test_account_pld_contract: privacy-loss distributions: memory, progress, floating-point modes, bad input, edges,
 * builds without FFT. */
#include "support/pld_support.h"

#include <fenv.h>
#include <malloc.h>
#include <math.h>

#include "account/pld.h"

#define SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* ---- memory, progress, modes ---------------------------------------------------------------------------------- */

typedef struct {
    double last;
    size_t calls, stop_at;
    size_t most_bytes;
} watcher;

static int watch(void *context, double done)
{
    watcher *w = context;
    const struct mallinfo2 m = mallinfo2();
    if (m.uordblks + m.hblkhd > w->most_bytes) w->most_bytes = m.uordblks + m.hblkhd;
    assert_true(done >= 0 && done <= 1 && done >= w->last);
    w->last = done;
    return ++w->calls == w->stop_at;
}

static void progress_and_cancel(void **state)
{
    (void)state;
    const double at = 1;
    double upper = 5;
    simdp_pld *pld = empty(1e-3);
    for (int i = 0; i < 12; i++) must(simdp_pld_add_laplace(pld, 0.1 + 0.01 * i, 3));
    watcher w = {0};
    must(simdp_pld_compose(pld, 1e-6, 1e-6, SIMDP_PLD_DOTS, SIMDP_PLD_BINS, watch, &w));
    assert_true(w.calls >= 24 && w.last == 1);
    const size_t all = w.calls;
    for (size_t stop = 1; stop <= all; stop += 5) {
        w = (watcher){.stop_at = stop};
        assert_int_equal(simdp_pld_compose(pld, 1e-6, 1e-6, SIMDP_PLD_DOTS, SIMDP_PLD_BINS, watch, &w),
                         SIMDP_ECANCELLED);
        assert_int_equal(w.calls, stop);
        assert_int_equal(simdp_pld_delta(pld, NULL, &upper, &at, 1), SIMDP_EPARAM);
        assert_true(isnan(upper));
        assert_int_equal(simdp_pld_points(pld), 0);
    }
    compose(pld, 1e-6, 1e-6);
    must(simdp_pld_delta(pld, NULL, &upper, &at, 1));
    assert_true(upper > 0 && upper < 1);
    simdp_pld_destroy(pld);
}

/* A step whose outcomes alone would take minutes: it says how far it is, and stops when told to. */
static void progress_within_a_step(void **state)
{
    (void)state;
    for (uint64_t times = 1; times <= 2; times++) {
        simdp_pld *pld = empty(1e-3);
        must(simdp_pld_add_discrete_gaussian(pld, 1e8, 1000000, times));
        watcher w = {.stop_at = 40};
        assert_int_equal(simdp_pld_compose(pld, 1e-6, 1e-6, SIMDP_PLD_DOTS, SIMDP_PLD_BINS, watch, &w),
                         SIMDP_ECANCELLED);
        assert_int_equal(w.calls, 40);
        assert_true(w.last > 0 && w.last < 0.01);
        assert_int_equal(simdp_pld_points(pld), 0);
        simdp_pld_destroy(pld);
    }
    simdp_pld *pld = empty(1e-3);
    must(simdp_pld_add_discrete_gaussian(pld, 1e5, 100000, 3));
    watcher w = {0};
    must(simdp_pld_compose(pld, 1e-6, 1e-6, SIMDP_PLD_DOTS, SIMDP_PLD_BINS, watch, &w));
    assert_true(w.calls > 4 + 16 && w.last == 1); /* a call for each 65,536 outcomes, and four */
    simdp_pld_destroy(pld);
}

/* ---- calls from inside the progress function ------------------------------------------------------------------ */

typedef struct {
    simdp_pld *pld;
    size_t calls, destroy_at;
} meddler;

/* While it is composed an object is not composed, and nothing may change it. */
static int meddle(void *context, double done)
{
    meddler *m = context;
    const double at = 0.5, half[] = {0.5, 0.5};
    double lower = 7, upper = 7, mass[3];
    (void)done;
    m->calls++;
    assert_int_equal(simdp_pld_delta(m->pld, &lower, &upper, &at, 1), SIMDP_EPARAM);
    assert_true(isnan(lower) && isnan(upper));
    assert_int_equal(simdp_pld_log_delta(m->pld, &lower, &upper, &at, 1), SIMDP_EPARAM);
    assert_int_equal(simdp_pld_epsilon(m->pld, &lower, &upper, &at, 1), SIMDP_EPARAM);
    assert_int_equal(simdp_pld_points(m->pld), 0);
    /* laws of the sequence, and new ones: enough of them that an append would move the list */
    for (int i = 0; i < 9; i++) assert_int_equal(simdp_pld_add_laplace(m->pld, 0.1 + 0.01 * i, 3), SIMDP_EPARAM);
    assert_int_equal(simdp_pld_add_laplace(m->pld, 0.1, 0), SIMDP_EPARAM);
    assert_int_equal(simdp_pld_add_gaussian(m->pld, 3, 1), SIMDP_EPARAM);
    assert_int_equal(simdp_pld_add_randomized_response(m->pld, 1, 0, 1), SIMDP_EPARAM);
    assert_int_equal(simdp_pld_add_discrete_laplace(m->pld, 3, 1, 1), SIMDP_EPARAM);
    assert_int_equal(simdp_pld_add_discrete_gaussian(m->pld, 3, 1, 1), SIMDP_EPARAM);
    assert_int_equal(simdp_pld_add_pair(m->pld, half, half, 2, 1), SIMDP_EPARAM);
    assert_int_equal(simdp_pld_add_histogram(m->pld, half, 2, 0, 0, 1), SIMDP_EPARAM);
    assert_int_equal(simdp_pld_compose(m->pld, 1e-6, 1e-6, SIMDP_PLD_DOTS, SIMDP_PLD_BINS, NULL, NULL), SIMDP_EPARAM);
    assert_int_equal(simdp_pld_compose(m->pld, 2, 1, SIMDP_PLD_DOTS, SIMDP_PLD_BINS, NULL, NULL), SIMDP_EPARAM);
    must(simdp_pld_masses(m->pld, mass, 3, 0, 0, SIMDP_PLD_UP)); /* a step as it was appended: only read */
    if (m->calls == m->destroy_at) simdp_pld_destroy(m->pld);
    return 0;
}

static void asked_while_composing(void **state)
{
    (void)state;
    const double at[] = {0.2, 1};
    double want[2], got[2];
    simdp_pld *pld = empty(1e-3);
    for (int i = 0; i < 4; i++) must(simdp_pld_add_laplace(pld, 0.1 + 0.01 * i, 3));
    compose(pld, 1e-6, 1e-3);
    must(simdp_pld_delta(pld, NULL, want, at, 2));
    /* composed again, and for the first time */
    for (int first = 0; first < 2; first++) {
        meddler m = {.pld = pld};
        must(simdp_pld_compose(pld, 1e-6, 1e-3, SIMDP_PLD_DOTS, SIMDP_PLD_BINS, meddle, &m));
        assert_true(m.calls >= 8);
        assert_int_equal(pld->count, 4);
        must(simdp_pld_delta(pld, NULL, got, at, 2));
        assert_memory_equal(got, want, sizeof want);
        if (first) break;
        simdp_pld_destroy(pld);
        pld = empty(1e-3);
        for (int i = 0; i < 4; i++) must(simdp_pld_add_laplace(pld, 0.1 + 0.01 * i, 3));
    }
    /* destroyed from inside: the composition ends, and the object with it */
    meddler m = {.pld = pld, .destroy_at = 3};
    assert_int_equal(simdp_pld_compose(pld, 1e-6, 1e-3, SIMDP_PLD_DOTS, SIMDP_PLD_BINS, meddle, &m), SIMDP_ECANCELLED);
    assert_int_equal(m.calls, 3);
}

/* However a composition fails, what was composed before does not answer in its place. */
static void failed_composition_leaves_nothing(void **state)
{
    (void)state;
    const double at = 0.2;
    double upper;
    simdp_pld *pld = empty(1e-3);
    must(simdp_pld_add_laplace(pld, 0.1, 3));
    for (int c = 0; c < 4; c++) {
        const double least = c == 0 ? NAN : c == 1 ? 0 : 1e-6;
        compose(pld, 1e-6, 1e-3);
        must(simdp_pld_delta(pld, NULL, &upper, &at, 1));
        assert_int_equal(simdp_pld_compose(pld, least, 1e-3, c == 2 ? SIMDP_PLD_BINS : SIMDP_PLD_DOTS,
                                           c == 3 ? SIMDP_PLD_UP : SIMDP_PLD_NONE, NULL, NULL),
                         SIMDP_EPARAM);
        assert_int_equal(simdp_pld_delta(pld, NULL, &upper, &at, 1), SIMDP_EPARAM);
        assert_true(isnan(upper) && simdp_pld_points(pld) == 0);
    }
    simdp_pld_destroy(pld);
}

/* 6 N doubles, transforms and all, whatever the number of pieces and mechanisms. */
static void memory(void **state)
{
    (void)state;
    for (int c = 0; c < 3; c++) {
        const struct mallinfo2 before = mallinfo2();
        simdp_pld *pld = empty(2e-5);
        must(simdp_pld_add_gaussian(pld, 20, 300));
        if (c > 0) must(simdp_pld_add_laplace(pld, 0.05, 200));
        watcher w = {0};
        must(simdp_pld_compose(pld, c == 2 ? 1e-30 : 1e-5, 1e-5, SIMDP_PLD_DOTS, SIMDP_PLD_BINS, watch, &w));
        const size_t points = simdp_pld_points(pld), bytes = w.most_bytes - before.uordblks - before.hblkhd;
        print_message("%zu points, at most %.2f doubles each\n", points, (double)bytes / 8 / (double)points);
        assert_true(points > 100000 && bytes <= 6 * 8 * points);
        simdp_pld_destroy(pld);
    }
}

static void floating_point_mode(void **state)
{
    (void)state;
    double upper[4], lower[4];
    const int mode[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    const double delta = 1e-7;
    for (int i = 0; i < 4; i++) {
        fesetround(mode[i]);
        simdp_pld *pld = empty(1e-3);
        const simdp_status added = simdp_pld_add_laplace(pld, 0.2, 30);
        const simdp_status composed = simdp_pld_compose(pld, 1e-8, 1e-6, SIMDP_PLD_DOTS, SIMDP_PLD_BINS, NULL, NULL);
        const simdp_status asked = simdp_pld_epsilon(pld, &lower[i], &upper[i], &delta, 1);
        assert_int_equal(fegetround(), mode[i]);
        fesetround(FE_TONEAREST);
        assert_true(added == SIMDP_OK && composed == SIMDP_OK && asked == SIMDP_OK);
        assert_true(fabs(upper[i] - upper[0]) < 1e-12 && fabs(lower[i] - lower[0]) < 1e-12);
        simdp_pld_destroy(pld);
    }
}

/* ---- bad input and edges -------------------------------------------------------------------------------------- */

/* A total beyond what 64-bit integers count is refused before it becomes one (seen by sanitizers). */
static void total_out_of_reach(void **state)
{
    (void)state;
    simdp_pld *pld = empty(0.01);
    must(simdp_pld_add_laplace(pld, 1e6, UINT64_MAX));
    assert_int_equal(simdp_pld_compose(pld, 1e-8, 1e-4, SIMDP_PLD_DOTS, SIMDP_PLD_BINS, NULL, NULL), SIMDP_EPARAM);
    assert_int_equal(simdp_pld_points(pld), 0);
    simdp_pld_destroy(pld);
}

static void bad_input(void **state)
{
    (void)state;
    static const double bad[] = {NAN, INFINITY, -INFINITY, -1};
    simdp_pld *pld = empty(0.01), *none = (simdp_pld *)16;
    const double half[] = {0.5, 0.5}, off[] = {0.5, 0.4}, negative[] = {1.5, -0.5}, at[] = {0.5, NAN, -1};
    double lower[3], upper[3];
    for (size_t i = 0; i < SIZE(bad); i++) {
        assert_int_equal(simdp_pld_create(&none, bad[i]), SIMDP_EPARAM);
        assert_null(none);
        assert_int_equal(simdp_pld_add_laplace(pld, bad[i], 1), SIMDP_EPARAM);
        assert_int_equal(simdp_pld_add_gaussian(pld, bad[i], 1), SIMDP_EPARAM);
        assert_int_equal(simdp_pld_add_randomized_response(pld, bad[i], 0, 1), SIMDP_EPARAM);
        assert_int_equal(simdp_pld_add_randomized_response(pld, 1, bad[i], 1), SIMDP_EPARAM);
        assert_int_equal(simdp_pld_add_discrete_laplace(pld, bad[i], 1, 1), SIMDP_EPARAM);
        assert_int_equal(simdp_pld_add_discrete_gaussian(pld, bad[i], 1, 1), SIMDP_EPARAM);
        assert_int_equal(simdp_pld_add_histogram(pld, half, 2, 0, bad[i], 1), SIMDP_EPARAM);
        assert_int_equal(simdp_pld_compose(pld, bad[i], 1, SIMDP_PLD_DOTS, SIMDP_PLD_BINS, NULL, NULL), SIMDP_EPARAM);
        assert_int_equal(simdp_pld_compose(pld, 1e-3, bad[i], SIMDP_PLD_DOTS, SIMDP_PLD_BINS, NULL, NULL),
                         SIMDP_EPARAM);
        assert_true(isnan(simdp_pld_grid(bad[i], 1)) && isnan(simdp_pld_grid(1, bad[i])));
    }
    assert_int_equal(simdp_pld_create(&none, 0), SIMDP_EPARAM);
    assert_int_equal(simdp_pld_create(NULL, 1), SIMDP_ENULL);
    assert_int_equal(simdp_pld_add_gaussian(pld, 0, 1), SIMDP_EPARAM);
    assert_int_equal(simdp_pld_add_laplace(NULL, 1, 1), SIMDP_ENULL);
    assert_int_equal(simdp_pld_add_pair(pld, off, half, 2, 1), SIMDP_EPARAM);
    assert_int_equal(simdp_pld_add_pair(pld, negative, half, 2, 1), SIMDP_EPARAM);
    assert_int_equal(simdp_pld_add_pair(pld, half, negative, 2, 1), SIMDP_EPARAM);
    assert_int_equal(simdp_pld_add_pair(pld, half, NULL, 2, 1), SIMDP_ENULL);
    assert_int_equal(simdp_pld_add_pair(pld, NULL, NULL, 0, 1), SIMDP_EPARAM); /* no law */
    assert_int_equal(simdp_pld_add_histogram(pld, off, 2, 0, 0, 1), SIMDP_EPARAM);
    assert_int_equal(simdp_pld_add_histogram(pld, half, 2, INT64_MAX, 0, 1), SIMDP_EPARAM);
    assert_int_equal(simdp_pld_add_histogram(pld, NULL, 2, 0, 0, 1), SIMDP_ENULL);
    assert_int_equal(simdp_pld_compose(NULL, 1e-3, 1, SIMDP_PLD_DOTS, SIMDP_PLD_BINS, NULL, NULL), SIMDP_ENULL);
    assert_int_equal(simdp_pld_compose(pld, 1e-3, 1e-4, SIMDP_PLD_DOTS, SIMDP_PLD_BINS, NULL, NULL), SIMDP_EPARAM);
    assert_int_equal(simdp_pld_compose(pld, 1e-3, 1, SIMDP_PLD_BINS, SIMDP_PLD_BINS, NULL, NULL), SIMDP_EPARAM);
    assert_int_equal(simdp_pld_compose(pld, 1e-3, 1, SIMDP_PLD_DOTS, SIMDP_PLD_UP, NULL, NULL), SIMDP_EPARAM);
    assert_int_equal(simdp_pld_delta(pld, lower, upper, at, 1), SIMDP_EPARAM); /* not composed */
    assert_true(isnan(lower[0]) && isnan(upper[0]));
    assert_int_equal(simdp_pld_masses(pld, upper, 3, 0, 0, SIMDP_PLD_UP), SIMDP_EPARAM);
    assert_true(isnan(upper[2]));
    assert_int_equal(pld->count, 0);

    must(simdp_pld_add_laplace(pld, 1, 1));
    assert_int_equal(simdp_pld_masses(pld, upper, 3, 0, 0, SIMDP_PLD_NONE), SIMDP_EPARAM);
    assert_int_equal(simdp_pld_masses(pld, NULL, 3, 0, 0, SIMDP_PLD_UP), SIMDP_ENULL);
    compose(pld, 1e-3, 1);
    assert_int_equal(simdp_pld_delta(pld, lower, upper, at, 3), SIMDP_EPARAM);
    assert_true(upper[0] > 0.2 && lower[0] > 0.2 && isnan(upper[1]) && isnan(lower[2]));
    assert_int_equal(simdp_pld_delta(pld, lower, NULL, at, 1), SIMDP_ENULL);
    assert_int_equal(simdp_pld_delta(NULL, lower, upper, at, 1), SIMDP_ENULL);
    must(simdp_pld_delta(pld, NULL, NULL, NULL, 0));
    upper[0] = 1.5;
    assert_int_equal(simdp_pld_epsilon(pld, lower, upper, upper, 1), SIMDP_EPARAM); /* in place; delta above 1 */
    assert_true(isnan(upper[0]));
    simdp_pld_destroy(pld);
    simdp_pld_destroy(NULL);
}

static void edges(void **state)
{
    (void)state;
    const double delta[] = {0, 1e-300, 0.5, 1}, epsilon[] = {0, 1, INFINITY};
    double lower[4], upper[4];
    /* nothing, and steps without loss: delta = 0 everywhere */
    for (int c = 0; c < 5; c++) {
        simdp_pld *pld = empty(0.01);
        if (c == 1) must(simdp_pld_add_laplace(pld, 1, 0));
        if (c == 2) must(simdp_pld_add_laplace(pld, 0, 7));
        if (c == 3)
            must(simdp_pld_add_randomized_response(pld, 0, 0, 3)), must(simdp_pld_add_discrete_laplace(pld, 2, 0, 2));
        if (c == 4) must(simdp_pld_add_discrete_gaussian(pld, 2, 0, 5));
        compose(pld, 1e-20, 1);
        must(simdp_pld_delta(pld, lower, upper, epsilon, 3));
        for (int i = 0; i < 3; i++) assert_true(lower[i] == 0 && upper[i] == 0);
        must(simdp_pld_epsilon(pld, lower, upper, delta, 4));
        for (int i = 0; i < 4; i++) assert_true(lower[i] == 0 && upper[i] == 0);
        simdp_pld_destroy(pld);
    }
    /* pure privacy: at delta = 0 the largest loss */
    simdp_pld *pld = empty(0.125);
    must(simdp_pld_add_laplace(pld, 0.5, 9));
    compose(pld, 1e-20, 1);
    must(simdp_pld_epsilon(pld, lower, upper, delta, 4));
    assert_true(upper[0] >= 4.5 && upper[0] < 4.5 + 1e-12 && lower[0] <= 4.5 && upper[3] == 0 && lower[3] == 0);
    must(simdp_pld_delta(pld, lower, upper, epsilon, 3));
    assert_true(upper[2] == 0 && lower[2] == 0 && lower[0] > 0.5);
    /* a single step needs no transform */
    simdp_pld *single = empty(0.125);
    must(simdp_pld_add_laplace(single, 0.5, 1));
    compose(single, 1e-20, 1);
    must(simdp_pld_epsilon(single, lower, upper, delta, 4));
    assert_true(upper[0] >= 0.5 && upper[0] < 0.5 + 1e-12 && upper[2] == 0);
    simdp_pld_destroy(single);
    /* no lower bound: 0, -inf, 0 */
    must(simdp_pld_compose(pld, 1e-9, 1e-3, SIMDP_PLD_UP, SIMDP_PLD_NONE, NULL, NULL));
    must(simdp_pld_log_delta(pld, lower, upper, epsilon, 3));
    assert_true(isinf(lower[0]) && lower[0] < 0);
    must(simdp_pld_epsilon(pld, lower, upper, delta, 4));
    assert_true(lower[1] == 0 && upper[1] > 1);
    simdp_pld_destroy(pld);
    /* too many points */
    pld = empty(1e-9);
    must(simdp_pld_add_laplace(pld, 1, 100));
    assert_int_equal(simdp_pld_compose(pld, 1e-9, 1, SIMDP_PLD_DOTS, SIMDP_PLD_BINS, NULL, NULL), SIMDP_EPARAM);
    simdp_pld_destroy(pld);
    /* grids that divide */
    for (double most = 1e-6; most < 1; most *= 1.7) {
        const double grid = simdp_pld_grid(most, 0.1), parts = 0.1 / grid;
        assert_true(grid <= most && fabs(parts - round(parts)) < 1e-9 && (most > 0.1 || grid > 0.49 * most));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(progress_and_cancel),
        cmocka_unit_test(progress_within_a_step),
        cmocka_unit_test(memory),
        cmocka_unit_test(floating_point_mode),
        cmocka_unit_test(total_out_of_reach),
        cmocka_unit_test(bad_input),
        cmocka_unit_test(edges),
        cmocka_unit_test(asked_while_composing),
        cmocka_unit_test(failed_composition_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
