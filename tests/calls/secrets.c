/* secrets: no branch and no address of a constant-time function depends on answers, scores, keys or random bits.
 * Runs inside valgrind, whose memcheck follows bytes that are marked as undefined through all arithmetic and reports
 * every branch and address that depends on them: here these bytes are the secrets. Branches that are taken so seldom
 * that a header states the probability are marked by rarely() and do not count. The library of this program is compiled
 * with SIMDP_FOLLOW_SECRETS. Controls: functions whose header states that their time varies, and planted leaks. */
#include <math.h>
#include <valgrind/memcheck.h>

#include "kernel_list/kernel_list.h"
#include "support/test_support.h"

enum { LONGEST = 1100, ROWS = 3, BYTES = ROWS * LONGEST * 8 };

static _Alignas(64) unsigned char input[BYTES], output[BYTES], workspace[1 << 16];
static double more[3][LONGEST];

/* Functions whose headers say that time may vary, by a part of the name. They may be reported, and some must be. */
static const char *const varies[] = {
    "_vartime",          /* the name says it */
    "discrete_gaussian", /* "it tells how many attempts were made" */
    "_f32",              /* noise: "whether it holds tail elements"; selections at small scales */
};

static bool is_varying(const char *name)
{
    for (size_t i = 0; i < sizeof varies / sizeof *varies; i++) {
        if (strstr(name, varies[i]) != NULL) return true;
    }
    return false;
}

static bool is_followed(const kernel_line *k)
{
    return strncmp(k->name, "simdp_noise_", 12) == 0 || strncmp(k->name, "simdp_release_", 14) == 0 ||
           strncmp(k->name, "simdp_select_", 13) == 0 || strncmp(k->name, "simdp_rng_", 10) == 0;
}

static void fill_input(const kernel_line *k)
{
    const kernel_in in = k->in;
    uint64_t seed = 3;
    for (size_t i = 0; i < ROWS * LONGEST; i++) {
        const uint64_t random = test_random(&seed);
        const double number = (double)(random >> 11) * 0x1p-50;
        if (in == IN_F64 || in == IN_WORKSPACE || (in == IN_SAME && k->out == OUT_F64)) ((double *)input)[i] = number;
        else if (in == IN_F32 || (in == IN_SAME && k->out == OUT_F32)) ((float *)input)[i] = (float)number;
        else if (in == IN_I64 || (in == IN_SAME && k->out == OUT_I64)) ((int64_t *)input)[i] = (int64_t)(random >> 50);
        else if (in == IN_SAME && k->out == OUT_U32) ((uint32_t *)input)[i] = (uint32_t)(random % 16);
        else input[i] = (uint8_t)(random & 1);
    }
}

static void hide(void *p, size_t n) { (void)VALGRIND_MAKE_MEM_UNDEFINED(p, n); }
static void show(void *p, size_t n) { (void)VALGRIND_MAKE_MEM_DEFINED(p, n); }

/* Reports of memcheck during one call whose input and key are secret. */
static unsigned reports_of(const kernel_line *k, size_t n)
{
    simdp_rng rng;
    kernel_call call = {.rng = &rng,
                        .out = output,
                        .in = input,
                        .n = n,
                        .candidates = n,
                        .p = k->good,
                        .more = {more[0], more[1], more[2]},
                        .ids = k->by_id ? kernel_ids(n) : NULL};
    if (k->out == OUT_INDEX && n > ROWS) call.n = ROWS;
    fill_input(k);
    test_stream(&rng, 6, n, 5);
    const unsigned before = VALGRIND_COUNT_ERRORS;
    hide(input, sizeof input);
    hide(rng.cipher, sizeof rng.cipher);
    if (k->in == IN_WORKSPACE) {
        assert_true(simdp_select_workspace(n) <= sizeof workspace);
        must(simdp_select_prepare(workspace, (const double *)input, n, 1.0));
        call.in = workspace;
    }
    const simdp_status status = k->run(&call);
    const unsigned after = VALGRIND_COUNT_ERRORS;
    show(input, sizeof input);
    show(output, sizeof output);
    show(workspace, sizeof workspace);
    show(&rng, sizeof rng);
    must(status);
    return after - before;
}

static void test_no_report(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 7, 64, 130, LONGEST - 1};
    const simdp_kernels *t;
    const kernel_line *k;
    size_t failed = 0, held = 0, seen = 0;
    for (size_t i = 0; (t = next_usable(&i)) != NULL; i++) {
        if (strcmp(t->isa, "scalar") == 0) continue; /* compilers turn its choices into branches: nothing is promised */
        must(simdp_isa_select(t->variant));
        for (size_t line = 0; (k = kernel_at(line)) != NULL; line++) {
            if (!is_followed(k)) continue;
            for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
                const unsigned reports = reports_of(k, sizes[s]);
                seen += reports > 0 && strstr(k->name, "_vartime") != NULL;
                held += reports == 0;
                if (reports == 0 || is_varying(k->name)) continue;
                print_error("%s, n = %zu, %s: %u reports\n", k->name, sizes[s], t->variant, reports);
                failed++;
            }
        }
    }
    assert_true(held > 0 && seen > 0);
    assert_int_equal(failed, 0);
    must(simdp_isa_select(NULL));
}

/* Leaks as a plain program has them. */
static void test_planted_leaks(void **state)
{
    (void)state;
    static volatile int taken;
    static const volatile unsigned char table[256] = {1};
    volatile double answer = 1.5;
    volatile unsigned char byte = 7;
    unsigned before = VALGRIND_COUNT_ERRORS;
    hide((void *)&answer, sizeof answer);
    if (answer > 0) taken = taken + 1;
    assert_true(VALGRIND_COUNT_ERRORS > before);
    before = VALGRIND_COUNT_ERRORS;
    hide((void *)&byte, 1);
    taken = table[byte];
    assert_true(VALGRIND_COUNT_ERRORS > before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_planted_leaks),
        cmocka_unit_test(test_no_report),
    };
    if (!RUNNING_ON_VALGRIND) {
        fputs("secrets: to be run by valgrind\n", stderr);
        return 77;
    }
    for (size_t i = 0; i < LONGEST; i++) more[0][i] = more[1][i] = more[2][i] = 0.5 + (double)i;
    return cmocka_run_group_tests_name("secrets", tests, NULL, NULL);
}
