/* test_dispatch_forced: what is asked for is what runs, or it is an error; and every ISA that this machine is said to
 * have (SIMDP_EXPECT_ISAS, set by tests/run from the kernel's own list of CPU flags) is really usable. */
#define _GNU_SOURCE
#include <sys/wait.h>
#include <unistd.h>

#include "support/test_support.h"

static void test_select(void **state)
{
    (void)state;
    bool usable;
    const simdp_kernels *t;
    for (size_t i = 0; (t = simdp_kernels_row(i, &usable)) != NULL; i++) {
        const simdp_status status = simdp_isa_select(t->variant);
        assert_int_equal(status, usable ? SIMDP_OK : SIMDP_EISA);
        if (!usable) continue;
        assert_string_equal(simdp_isa_variant(), t->variant);
        assert_string_equal(simdp_isa_name(), t->isa);
    }
    must(simdp_isa_select("scalar"));
    assert_int_equal(simdp_isa_select("mmx"), SIMDP_EISA);
    assert_int_equal(simdp_isa_select(""), SIMDP_EISA);
    assert_string_equal(simdp_isa_name(), "scalar"); /* a failed choice changes nothing */
    must(simdp_isa_select(NULL));
}

static void test_expected(void **state)
{
    (void)state;
    const char *expected = getenv("SIMDP_EXPECT_ISAS");
    char list[200], *rest = list;
    if (expected == NULL) skip();
    assert_true(strlen(expected) < sizeof list);
    strcpy(list, expected);
    for (char *name; (name = strtok_r(rest, " ", &rest)) != NULL;) {
        if (simdp_isa_select(name) != SIMDP_OK)
            fail_msg("this machine should have %s, but it cannot be selected", name);
    }
    must(simdp_isa_select(NULL));
}

/* Whether a composition, which needs a transform, says so where no instruction set was found. */
static bool composition_refuses(void)
{
    simdp_pld *pld = NULL;
    simdp_status status = simdp_pld_create(&pld, 0.01);
    if (status == SIMDP_OK) status = simdp_pld_add_gaussian(pld, 2.0, 100);
    if (status == SIMDP_OK) status = simdp_pld_compose(pld, 1e-9, 1e-3, SIMDP_PLD_DOTS, SIMDP_PLD_BINS, NULL, NULL);
    simdp_pld_destroy(pld);
    return status == SIMDP_EISA;
}

/* Runs in a child with SIMDP_ISA set: 0 if the named ISA runs, 1 if everything says EISA, 2 otherwise. */
static int report(void)
{
    const char *asked = getenv("SIMDP_ISA");
    uint8_t key[32] = {0};
    simdp_rng rng;
    const simdp_status status = simdp_rng_init_deterministic(&rng, key, 0);
    if (status == SIMDP_OK)
        return strcmp(asked, simdp_isa_variant()) == 0 || strcmp(asked, simdp_isa_name()) == 0 ? 0 : 2;
    if (status != SIMDP_EISA || simdp_isa_name()[0] != '\0' || simdp_rng_init(&rng) != SIMDP_EISA) return 2;
    if (!composition_refuses()) return 2;
    return simdp_isa_select("scalar") == SIMDP_OK && simdp_rng_init(&rng) == SIMDP_OK ? 1 : 2;
}

static int report_with(const char *isa)
{
    int status;
    const pid_t child = fork();
    if (child == 0) {
        setenv("SIMDP_ISA", isa, 1);
        execl("/proc/self/exe", "test_dispatch_forced", "report", (char *)NULL);
        _exit(3);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 4;
}

static void test_environment(void **state)
{
    (void)state;
    bool usable;
    const simdp_kernels *t;
    for (size_t i = 0; (t = simdp_kernels_row(i, &usable)) != NULL; i++)
        assert_int_equal(report_with(t->variant), usable ? 0 : 1);
    assert_int_equal(report_with("scalar"), 0);
    assert_int_equal(report_with("sse9"), 1);
    assert_int_equal(report_with(""), 1);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "report") == 0) return report();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_select),
        cmocka_unit_test(test_expected),
        cmocka_unit_test(test_environment),
    };
    return cmocka_run_group_tests_name("dispatch_forced", tests, NULL, NULL);
}
