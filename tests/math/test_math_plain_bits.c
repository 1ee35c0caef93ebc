/* test_math_plain_bits: what math/plain_math.h and math/scalar_dd.h give at the ends of their ranges, and that their
 * bits are the same with every compiler, C library and CPU. */
#include <float.h>
#include <math.h>

#include "math/plain_math.h"
#include "math/scalar_dd.h"
#include "support/test_support.h"

static bool same(double a, double b) { return memcmp(&a, &b, sizeof a) == 0; }

static void ends(void **state)
{
    (void)state;
    double (*const all[])(double) = {plain_exp,  plain_expm1, plain_log,    plain_log1p, plain_log2, plain_sinh,
                                     plain_tanh, plain_asinh, plain_cos_pi, plain_erf,   plain_erfc};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) assert_true(isnan(all[i](NAN)));
    double (*const odd[])(double) = {plain_expm1, plain_log1p, plain_sinh, plain_tanh, plain_erf};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        assert_true(same(odd[i](0.0), 0.0) && same(odd[i](-0.0), -0.0));
        assert_true(same(odd[i](-0x1p-1074), -0x1p-1074));
    }
    assert_true(plain_exp(0) == 1 && plain_exp(-0.0) == 1 && plain_exp(INFINITY) == INFINITY);
    assert_true(same(plain_exp(-INFINITY), 0) && plain_exp(710) == INFINITY && same(plain_exp(-746), 0));
    assert_true(plain_exp(0x1.62e42fefa39efp+9) < INFINITY && plain_exp(0x1.62e42fefa39fp+9) == INFINITY);
    assert_true(plain_exp(0x1p-1074) == 1 && plain_exp(-745.1) == 0x1p-1074);
    assert_true(plain_expm1(-INFINITY) == -1 && plain_expm1(INFINITY) == INFINITY && plain_expm1(710) == INFINITY);
    assert_true(plain_expm1(0x1.62e42fefa39efp+9) < INFINITY && plain_expm1(-1e300) == -1);
    assert_true(plain_log(0) == -INFINITY && plain_log(-0.0) == -INFINITY && plain_log(INFINITY) == INFINITY);
    assert_true(same(plain_log(1), 0) && isnan(plain_log(-1)) && isnan(plain_log(-INFINITY)));
    assert_true(plain_log1p(-1) == -INFINITY && plain_log1p(INFINITY) == INFINITY && isnan(plain_log1p(-1.5)));
    assert_true(plain_log2(0) == -INFINITY && isnan(plain_log2(-1)) && plain_log2(INFINITY) == INFINITY);
    for (int k = -1074; k < 1024; k++) assert_true(same(plain_log2(ldexp(1, k)), k));
    assert_true(plain_sinh(INFINITY) == INFINITY && plain_sinh(-INFINITY) == -INFINITY && plain_sinh(800) == INFINITY);
    assert_true(plain_tanh(INFINITY) == 1 && plain_tanh(-INFINITY) == -1 && plain_tanh(-30) == -1);
    assert_true(same(plain_asinh(0), 0) && plain_asinh(INFINITY) == INFINITY);
    assert_true(plain_cos_pi(0) == 1 && same(plain_cos_pi(0.5), 0) && plain_cos_pi(1) == -1 && plain_cos_pi(-3.5) == 0);
    assert_true(plain_cos_pi(0x1p60) == 1 && isnan(plain_cos_pi(INFINITY)) && plain_cos_pi(0x1p52 + 1) == -1);
    assert_true(plain_erf(INFINITY) == 1 && plain_erf(-INFINITY) == -1 && plain_erf(-7) == -1);
    assert_true(plain_erfc(-INFINITY) == 2 && same(plain_erfc(INFINITY), 0) && same(plain_erfc(28.5), 0));
    assert_true(plain_erfc(0) == 1 && plain_erfc(27.2) > 0 && plain_erfc(-7) == 2);
}

static void ends_of_power(void **state)
{
    (void)state;
    const double least = 0x1p-1074, most = DBL_MAX;
    assert_true(plain_pow(NAN, 0) == 1 && plain_pow(1, NAN) == 1 && plain_pow(1, INFINITY) == 1);
    assert_true(isnan(plain_pow(NAN, 1)) && isnan(plain_pow(2, NAN)) && isnan(plain_pow(-2, 3)));
    assert_true(plain_pow(0, 2) == 0 && plain_pow(0, -2) == INFINITY && plain_pow(INFINITY, 2) == INFINITY);
    assert_true(plain_pow(INFINITY, -2) == 0 && plain_pow(2, INFINITY) == INFINITY && plain_pow(2, -INFINITY) == 0);
    assert_true(plain_pow(0.5, INFINITY) == 0 && plain_pow(0.5, -INFINITY) == INFINITY);
    assert_true(plain_pow(least, 1) == least && plain_pow(most, 1) == most && plain_pow(most, least) == 1);
    assert_true(plain_pow(least, -1) == INFINITY && plain_pow(least, 2) == 0 && plain_pow(most, most) == INFINITY);
    assert_true(plain_pow(1 - 0x1p-53, most) == 0 && plain_pow(1 + 0x1p-52, -most) == 0);
    double ten = 1;
    for (int k = 0; k < 23; k++, ten *= 10) assert_true(plain_pow(10, k) == ten);
}

static double pow_of_ten(double a) { return plain_pow(10.0, a); }
static double fifth_power(double a) { return plain_pow(a, 5.0); }

/* 32768 arguments from one end to the other, and 2^-20 of each */
static const struct {
    const char *name;
    double (*get)(double);
    double from, to;
    uint64_t hash;
} functions[] = {
    {"exp", plain_exp, -745.13, 709.78, 0x1dcffdbc80d76db}, {"expm1", plain_expm1, -45, 100, 0x4e73a799adb86104},
    {"log", plain_log, 0, 1024, 0xfafd029160f52bfb},        {"log1p", plain_log1p, -0.9999999, 4, 0xaf4b2afa4b2d2726},
    {"log2", plain_log2, 0, 4, 0xb554d174b95d9e9c},         {"sinh", plain_sinh, -710.4, 710.4, 0x1d038101fa5106c9},
    {"tanh", plain_tanh, -25, 25, 0x4c224d45c9956ecf},      {"asinh", plain_asinh, 0, 1000000000.0, 0x8a209afac9bb62c1},
    {"cos_pi", plain_cos_pi, -3, 3, 0x28546a8eec9f812},     {"erf", plain_erf, -6.5, 6.5, 0x1f78f45dbb118d54},
    {"erfc", plain_erfc, -6.5, 27.3, 0x38849c9f339b2728},   {"10^x", pow_of_ten, -323, 308.2, 0x88240e9b031638ec},
    {"x^5", fifth_power, 0, 1e+61, 0x172889e7f3574b33},
};

static void bits_are_these(void **state)
{
    (void)state;
    bool good = true;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        const double from = functions[i].from, step = (functions[i].to - from) * 0x1.0001p-15;
        uint64_t hash = TEST_HASH_START;
        for (int j = 0; j < 32768; j++) {
            const double a = from + j * step, out[] = {functions[i].get(a), functions[i].get(a * 0x1p-20)};
            hash = test_hash(hash, out, 2);
        }
        if (hash != functions[i].hash) print_message("%s: %#llx\n", functions[i].name, (unsigned long long)hash);
        good &= hash == functions[i].hash;
    }
    assert_true(good);
}

static void bits_of_double_doubles_are_these(void **state)
{
    (void)state;
    uint64_t hash = TEST_HASH_START;
    for (int i = -4000; i < 4000; i++) {
        const dd a = {0x1.8p-9 * i, 0x1p-64 * i}, b = {ldexp(1.0 + i * 0x1p-13, i / 5), ldexp(i, i / 5 - 70)};
        const dd out[] = {dd_exp(a), dd_expm1(a), dd_log(b), dd_log1p(b), dd_div(a, b), dd_mul(a, b), dd_sqrt(b)};
        hash = test_hash(hash, out, sizeof out / 8);
    }
    if (hash != 0x903de8b28e6d08da) fail_msg("hash %#llx", (unsigned long long)hash);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ends), cmocka_unit_test(ends_of_power),
                                       cmocka_unit_test(bits_are_these),
                                       cmocka_unit_test(bits_of_double_doubles_are_these)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
