/* cmocka.h: as much of cmocka as the tests use, for CPUs and C libraries that have no package of it (test_portable). A
 * failed assertion ends the program: there the one answer wanted is whether all is well. */
#ifndef SIMDP_PORTABLE_CMOCKA_H
#define SIMDP_PORTABLE_CMOCKA_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CMUnitTest {
    const char *name;
    void (*run)(void **state);
};

#define cmocka_unit_test(function) \
    {                              \
#function, function        \
    }
#define cmocka_run_group_tests(tests, setup, teardown) \
    portable_run_tests(#tests, tests, sizeof(tests) / sizeof(tests)[0], setup, teardown)
#define cmocka_run_group_tests_name(name, tests, setup, teardown) \
    portable_run_tests(name, tests, sizeof(tests) / sizeof(tests)[0], setup, teardown)

#define print_message(...) printf(__VA_ARGS__)
#define print_error(...)   printf(__VA_ARGS__)
#define fail_msg(...)      (printf("%s:%d: ", __FILE__, __LINE__), printf(__VA_ARGS__), printf("\n"), exit(1))
#define skip()             return

#define assert_true(condition)              ((condition) ? (void)0 : (void)fail_msg("not true: %s", #condition))
#define assert_false(condition)             assert_true(!(condition))
#define assert_int_equal(a, b)              assert_true((a) == (b))
#define assert_int_not_equal(a, b)          assert_true((a) != (b))
#define assert_null(pointer)                assert_true((pointer) == NULL)
#define assert_non_null(pointer)            assert_true((pointer) != NULL)
#define assert_in_range(value, from, to)    assert_true((value) >= (from) && (value) <= (to))
#define assert_memory_equal(a, b, size)     assert_true(memcmp(a, b, size) == 0)
#define assert_memory_not_equal(a, b, size) assert_true(memcmp(a, b, size) != 0)
#define assert_string_equal(a, b)           assert_true(strcmp(a, b) == 0)
#define assert_string_not_equal(a, b)       assert_true(strcmp(a, b) != 0)

typedef int portable_fixture(void **state);

static inline int portable_run_tests(const char *name, const struct CMUnitTest *tests, size_t count,
                                     portable_fixture *setup, portable_fixture *teardown)
{
    void *state = NULL;
    if (setup != NULL && setup(&state) != 0) return 1;
    for (size_t i = 0; i < count; i++) {
        printf("%s: %s\n", name, tests[i].name);
        fflush(stdout);
        tests[i].run(&state);
    }
    return teardown != NULL ? teardown(&state) : 0;
}

#endif
