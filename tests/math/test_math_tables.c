/* test_math_tables: every entry of the tables of math/plain_tables.h, and the parts of ln 2, against MPFR, to the last
 * bit: most functions are rounded to doubles in the end, and would hide a wrong last part. */
#include <math.h>
#include <mpfr.h>

#include "math/plain_tables.h"
#include "support/test_support.h"

enum { BITS = 300 };
static mpfr_t rest; /* what the parts so far leave; made and freed by main */

/* Whether part is the nearest double to the rest; takes it away. */
static bool is_next(double part)
{
    const bool good = mpfr_get_d(rest, MPFR_RNDN) == part;
    mpfr_sub_d(rest, rest, part, MPFR_RNDN);
    return good;
}

/* Whether part is a multiple of unit, at most one away from the rest; takes it away. */
static bool is_rough(double part, double unit)
{
    const bool good = fmod(part, unit) == 0;
    mpfr_sub_d(rest, rest, part, MPFR_RNDN);
    return good && mpfr_cmpabs_ui(rest, 1) < 0 && fabs(mpfr_get_d(rest, MPFR_RNDN)) <= unit;
}

static void test_exp(void **state)
{
    (void)state;
    for (int j = 0; j < 128; j++) {
        mpfr_set_d(rest, j / 128.0, MPFR_RNDN);
        mpfr_exp2(rest, rest, MPFR_RNDN);
        if (!is_next(simdp_exp_table[j][0]) || !is_next(simdp_exp_table[j][1])) fail_msg("2^(%d/128)", j);
    }
}

static void test_log(void **state)
{
    (void)state;
    double z = 0.6875;
    for (int i = 0; i < 128; i++) {
        const double *const row = plain_log_split(z).row;
        const double step = z < 1 ? 0x1p-8 : 0x1p-7;
        assert_ptr_equal(row, simdp_log_table[i]);
        if (!(fmod(row[0], 0x1p-20) == 0 && fabs(z * row[0] - 1) <= 0x1p-7 && fabs((z + step) * row[0] - 1) <= 0x1p-7))
            fail_msg("inverse of row %d: %a", i, row[0]);
        mpfr_set_d(rest, row[0], MPFR_RNDN);
        mpfr_log(rest, rest, MPFR_RNDN);
        mpfr_neg(rest, rest, MPFR_RNDN);
        if (!is_rough(row[1], 0x1p-42) || !is_next(row[2]) || !is_next(row[3])) fail_msg("logarithm of row %d", i);
        z += step;
    }
    assert_true(z == 1.375);
}

static void test_ln2(void **state)
{
    (void)state;
    mpfr_const_log2(rest, MPFR_RNDN);
    assert_true(is_rough(LOG_LN2_HIGH, 0x1p-42));
    assert_true(mpfr_get_d(rest, MPFR_RNDN) == LOG_LN2_REST);
    assert_true(is_rough(LOG_LN2_MIDDLE, 0x1p-86) && is_next(LOG_LN2_LOW));
    mpfr_const_log2(rest, MPFR_RNDN);
    mpfr_div_2ui(rest, rest, 7, MPFR_RNDN);
    assert_true(is_rough(EXP_STEP_HIGH, 0x1p-42));
    assert_true(mpfr_get_d(rest, MPFR_RNDN) == EXP_STEP_REST);
    assert_true(is_rough(EXP_STEP_MIDDLE, 0x1p-77) && is_next(EXP_STEP_LOW));
    mpfr_const_log2(rest, MPFR_RNDN);
    mpfr_ui_div(rest, 128, rest, MPFR_RNDN);
    assert_true(is_next(EXP_STEPS_PER_UNIT));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_exp), cmocka_unit_test(test_log),
                                       cmocka_unit_test(test_ln2)};
    mpfr_init2(rest, BITS);
    const int failed = cmocka_run_group_tests_name("math_tables", tests, NULL, NULL);
    mpfr_clear(rest);
    mpfr_free_cache();
    return failed;
}
