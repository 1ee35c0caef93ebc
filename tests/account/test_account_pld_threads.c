/* test_account_pld_threads: compositions and questions in several threads at once, and in children forked meanwhile. */
#include "support/test_support.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 4, ROUNDS = 6 };

static double answer(size_t thread)
{
    simdp_pld *pld;
    double upper = 0, lower = 0;
    const double delta = 1e-6;
    bool good = simdp_pld_create(&pld, 1e-3) == SIMDP_OK &&
                simdp_pld_add_laplace(pld, 0.1 + 0.01 * (double)thread, 40) == SIMDP_OK &&
                simdp_pld_add_gaussian(pld, 10, 30) == SIMDP_OK &&
                simdp_pld_compose(pld, 1e-8, 1e-3, SIMDP_PLD_DOTS, SIMDP_PLD_BINS, NULL, NULL) == SIMDP_OK &&
                simdp_pld_epsilon(pld, &lower, &upper, &delta, 1) == SIMDP_OK;
    simdp_pld_destroy(pld);
    return good ? upper + lower : -1;
}

static void *run(void *out)
{
    double *result = out;
    for (int i = 0; i < ROUNDS; i++) result[i] = answer((size_t)result[ROUNDS] + (size_t)i % 2);
    return NULL;
}

static void compositions_side_by_side(void **state)
{
    (void)state;
    pthread_t thread[THREADS];
    double result[THREADS][ROUNDS + 1];
    for (size_t t = 0; t < THREADS; t++) {
        result[t][ROUNDS] = (double)t;
        assert_int_equal(pthread_create(&thread[t], NULL, run, result[t]), 0);
    }
    for (size_t t = 0; t < THREADS; t++) assert_int_equal(pthread_join(thread[t], NULL), 0);
    for (size_t t = 0; t < THREADS; t++) {
        for (size_t i = 0; i < ROUNDS; i++) assert_true(result[t][i] == answer(t + i % 2));
    }
}

static const simdp_pld *shared;

static void *ask(void *out)
{
    double *upper = out;
    for (int i = 0; i < 1000; i++) {
        const double epsilon = 0.01 * i;
        if (simdp_pld_delta(shared, NULL, &upper[i], &epsilon, 1) != SIMDP_OK) upper[i] = -1;
    }
    return NULL;
}

static void questions_to_one_object(void **state)
{
    (void)state;
    static double upper[THREADS][1000];
    pthread_t thread[THREADS];
    simdp_pld *pld;
    must(simdp_pld_create(&pld, 1e-3));
    must(simdp_pld_add_laplace(pld, 0.3, 30));
    must(simdp_pld_compose(pld, 1e-10, 1, SIMDP_PLD_DOTS, SIMDP_PLD_NONE, NULL, NULL));
    shared = pld;
    for (size_t t = 0; t < THREADS; t++) assert_int_equal(pthread_create(&thread[t], NULL, ask, upper[t]), 0);
    for (size_t t = 0; t < THREADS; t++) assert_int_equal(pthread_join(thread[t], NULL), 0);
    for (size_t t = 0; t < THREADS; t++) assert_memory_equal(upper[t], upper[0], sizeof upper[0]);
    assert_true(upper[0][0] > 0.1);
    simdp_pld_destroy(pld);
}

/* ---- children forked while other threads compose ---- */

static atomic_bool compose_on;

static void *keep_composing(void *unused)
{
    (void)unused;
    while (atomic_load(&compose_on)) (void)answer(1);
    return NULL;
}

/* A child has no thread that would ever release a lock held at the fork: compositions must hold none. The alarm ends a
 * child that waits. */
static void children_compose(void **state)
{
    (void)state;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    skip(); /* the sanitizers of gcc 12 do not always release locks of their own allocators in a child */
#endif
    enum { COMPOSERS = 3, CHILDREN = 60, SECONDS = 60 };
    pthread_t thread[COMPOSERS];
    const double want = answer(0);
    int failed = 0;
    atomic_store(&compose_on, true);
    for (int t = 0; t < COMPOSERS; t++) assert_int_equal(pthread_create(&thread[t], NULL, keep_composing, NULL), 0);
    for (int c = 0; c < CHILDREN && !failed; c++) {
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            alarm(SECONDS);
            _exit(answer(0) == want ? 0 : 1);
        }
        int status = -1;
        assert_int_equal(waitpid(child, &status, 0), child);
        failed = status;
    }
    atomic_store(&compose_on, false);
    for (int t = 0; t < COMPOSERS; t++) assert_int_equal(pthread_join(thread[t], NULL), 0);
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compositions_side_by_side),
        cmocka_unit_test(questions_to_one_object),
        cmocka_unit_test(children_compose),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
