/* test_noise_threads: threads that share a key and cut the positions among them make the bytes of one thread, and
 * choosing the instruction set at first use is safe when all of them do it at once. */
#include <pthread.h>

#include "support/test_support.h"

#define THREADS 16
#define TOTAL   100000

static double want[TOTAL], got[TOTAL];

static size_t start_of(size_t thread) { return thread * TOTAL / THREADS + thread % 3; }

static void *fill_part(void *argument)
{
    const size_t thread = (size_t)(uintptr_t)argument;
    const size_t start = start_of(thread), end = thread + 1 == THREADS ? TOTAL : start_of(thread + 1);
    uint8_t key[32];
    simdp_rng rng;
    test_key(key, 8);
    if (simdp_rng_init_deterministic(&rng, key, 5) != SIMDP_OK || simdp_rng_seek(&rng, start) != SIMDP_OK)
        return argument;
    return simdp_noise_laplace_f64(&rng, got + start, end - start, 1.5) == SIMDP_OK ? NULL : (void *)1;
}

static void test_thread_split(void **state)
{
    (void)state;
    pthread_t threads[THREADS];
    simdp_rng rng;
    for (size_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, fill_part, (void *)(uintptr_t)i), 0);
    for (size_t i = 0; i < THREADS; i++) {
        void *result;
        assert_int_equal(pthread_join(threads[i], &result), 0);
        assert_null(result);
    }
    test_stream(&rng, 8, 5, 0);
    must(simdp_noise_laplace_f64(&rng, want, TOTAL, 1.5));
    assert_memory_equal(got, want, sizeof want);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_thread_split)};
    return cmocka_run_group_tests_name("noise_threads", tests, NULL, NULL);
}
