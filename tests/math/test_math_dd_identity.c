/* test_math_dd_identity: the functions of math/dd.inc give the same bytes on every instruction set, and, by hashes
 * written down once, with every compiler. */
#include "dd_ops.h"
#include "support/test_support.h"

#define CASES 8192

static double a_hi[CASES], a_lo[CASES], b_hi[CASES], b_lo[CASES];
static const dd_array a = {a_hi, a_lo}, b = {b_hi, b_lo};
static double want[2][CASES], got[2][CASES];
static const dd_array wanted = {want[0], want[1]}, gotten = {got[0], got[1]};

static const struct {
    const char *isa;
    const dd_op *ops;
} lists[] = {
#if defined(__x86_64__)
    {"avx512", dd_ops_avx512},
    {"avx2", dd_ops_avx2},
#endif
    {"scalar", dd_ops_scalar}};

static void set_arguments(dd_domain domain)
{
    for (size_t i = 0; i < CASES; i++) {
        double x[2], y[2];
        dd_argument(domain, i, x, y);
        a_hi[i] = x[0], a_lo[i] = x[1], b_hi[i] = y[0], b_lo[i] = y[1];
    }
}

static void test_isas(void **state)
{
    (void)state;
    const size_t n = is_short() ? 2048 : CASES;
    size_t compared = 0;
    const simdp_kernels *t;
    for (size_t k = 0; dd_ops_scalar[k].name != NULL; k++) {
        set_arguments(dd_ops_scalar[k].domain);
        dd_ops_scalar[k].run(wanted, a, b, n);
        for (size_t i = 0; (t = next_usable(&i)) != NULL; i++) {
            for (size_t l = 0; l < sizeof lists / sizeof lists[0]; l++) {
                if (strcmp(lists[l].isa, t->isa) != 0) continue;
                assert_string_equal(lists[l].ops[k].name, dd_ops_scalar[k].name);
                memset(got, 0xaa, sizeof got);
                lists[l].ops[k].run(gotten, a, b, n);
                for (size_t j = 0; j < n; j++) {
                    if (memcmp(&got[0][j], &want[0][j], 8) == 0 && memcmp(&got[1][j], &want[1][j], 8) == 0) continue;
                    fail_msg("%s on %s: (%a %a, %a %a) gave %a %a, scalar %a %a", dd_ops_scalar[k].name, t->isa,
                             a_hi[j], a_lo[j], b_hi[j], b_lo[j], got[0][j], got[1][j], want[0][j], want[1][j]);
                }
                compared++;
            }
        }
    }
    print_message("%zu comparisons of %zu values\n", compared, n);
    assert_true(compared >= 16);
}

/* known_answers/dd.txt: function, hash over 8192 cases. Not in the emulator: Bochs 2.7 gives 0 for some multiply-adds
 * whose result is 63 bits or more below the product, on every instruction set alike. */
static void test_known_hashes(void **state)
{
    (void)state;
    if (is_short()) skip();
    FILE *file = fopen(KNOWN_ANSWERS "/dd.txt", "r");
    char line[200], name[40];
    unsigned long long hash;
    size_t checked = 0;
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        if (line[0] == '#') continue;
        assert_int_equal(sscanf(line, "%39s %llx", name, &hash), 2);
        for (const dd_op *op = dd_ops_scalar; op->name != NULL; op++) {
            if (strcmp(op->name, name) != 0) continue;
            set_arguments(op->domain);
            op->run(wanted, a, b, CASES);
            const uint64_t seen = test_hash(TEST_HASH_START, want, 2 * CASES);
            if (seen != hash) fail_msg("%s: hash %016llx, recorded %016llx", name, (unsigned long long)seen, hash);
            checked++;
        }
    }
    fclose(file);
    assert_int_equal(checked, 16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_isas),
        cmocka_unit_test(test_known_hashes),
    };
    return cmocka_run_group_tests_name("math_dd_identity", tests, NULL, NULL);
}
