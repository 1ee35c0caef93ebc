/* test_call_in_range: the range check by bits agrees with comparison on numbers, refuses every NaN, and does so also
 * built with -ffast-math and in a caller's mode where subnormal numbers count as 0. */
#include <float.h>
#include <math.h>
#include <xmmintrin.h>

#include "in_range_fast.h"
#include "call/in_range.h"
#include "support/test_support.h"

#define FLUSHING 0x9fc0u /* FTZ and DAZ, as a program linked with fast-math has them */

static double from_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static void check_at(double x, double least, double most, bool expected)
{
    const unsigned mode = _mm_getcsr();
    bool got[2][2];
    for (int flushing = 0; flushing < 2; flushing++) {
        _mm_setcsr(flushing ? FLUSHING : mode);
        got[flushing][0] = is_in_range(x, least, most);
        got[flushing][1] = in_range_fast(&x, least, most);
        _mm_setcsr(mode);
    }
    for (int i = 0; i < 4; i++)
        if (got[i / 2][i % 2] != expected)
            fail_msg("%a in [%a, %a]: %d instead of %d, flushing %d, fast %d", x, least, most, got[i / 2][i % 2],
                     expected, i / 2, i % 2);
}

static const double ends[] = {-INFINITY, -DBL_MAX,  -1.5,      -1.0,    -DBL_MIN, -0x1p-1074, -0.0,
                              0.0,       0x1p-1074, 0x1p-1030, DBL_MIN, 0x1p-900, 1.0,        1.0 + DBL_EPSILON,
                              1.5,       0x1p+900,  DBL_MAX,   INFINITY};
enum { ENDS = sizeof ends / sizeof ends[0] };

static void numbers_are_compared(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int l = 0; l < ENDS; l++)
        for (int m = 0; m < ENDS; m++) {
            for (int i = 0; i < ENDS; i++)
                check_at(ends[i], ends[l], ends[m], ends[l] <= ends[i] && ends[i] <= ends[m]);
            for (int i = 0; i < 200; i++) {
                const double x = from_bits(test_random(&seed));
                check_at(x, ends[l], ends[m], ends[l] <= x && x <= ends[m]);
            }
        }
}

static void no_nan_is_in_range(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (int i = 0; i < 1000; i++) {
        const uint64_t payload = i < 52 ? (uint64_t)1 << i : test_random(&seed) >> 12 | 1;
        for (int sign = 0; sign < 2; sign++) {
            const double x = from_bits((uint64_t)sign << 63 | 0x7ff0000000000000 | payload);
            assert_true(isnan(x));
            check_at(x, -INFINITY, INFINITY, false);
            check_at(x, 0.0, 0.0, false);
            check_at(x, 0x1p-900, 0x1p+900, false);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_compared),
        cmocka_unit_test(no_nan_is_in_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
