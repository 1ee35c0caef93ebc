/* test_account_composed: masses of a composed distribution: their curve against the closed form of k Gaussian
 * mechanisms, as a step of another sequence, and mixed. */
#define _XOPEN_SOURCE 700
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "simdp/simdp.h"
#include "support/laws.h"

#define must(call) assert_int_equal((call), SIMDP_OK)

enum { LAST = 3000, COUNT = 2 * LAST + 2 };
static const double grid = 0x1p-8;

static simdp_pld *composed(double s, uint64_t times)
{
    simdp_pld *pld;
    must(simdp_pld_create(&pld, grid));
    must(simdp_pld_add_gaussian(pld, s, times));
    must(simdp_pld_compose(pld, 1e-12, 1, SIMDP_PLD_DOTS, SIMDP_PLD_NONE, NULL, NULL));
    return pld;
}

/* delta at any epsilon, from masses */
static long double curve_of(const double *mass, long double epsilon)
{
    long double delta = mass[COUNT - 1];
    for (int i = 0; i < COUNT - 1; i++) {
        const long double loss = (long double)grid * (i - LAST);
        if (loss > epsilon) delta -= mass[i] * expm1l(epsilon - loss);
    }
    return delta;
}

/* delta(-x) = 1 - e^-x + e^-x delta(x) for a law that is the same in both directions */
static long double exact_at(double s, double epsilon)
{
    double delta;
    const double size = fabs(epsilon);
    must(simdp_loss_delta(&delta, &size, 1, law_gaussian(s)));
    return epsilon >= 0 ? delta : -expm1l(epsilon) + expl(epsilon) * delta;
}

static void curve_of_masses(void **state)
{
    (void)state;
    static double mass[COUNT];
    static const double noises[] = {1, 3, 20};
    for (int k = 0; k < 3; k++) {
        const double s = noises[k];
        simdp_pld *pld = composed(s * sqrt(8), 8);
        must(simdp_pld_composed_masses(pld, mass, COUNT, -LAST));
        long double sum = 0;
        for (int i = 0; i < COUNT; i++) {
            assert_true(mass[i] >= 0 && mass[i] <= 1);
            sum += mass[i];
        }
        assert_true(sum >= 1 - 1e-15L && sum <= 1 + 1e-14L * COUNT);
        for (double epsilon = -2 / s; epsilon < 5 / s; epsilon += 0.07 / s) {
            /* above the exact curve, by less than if each loss were half a cell larger */
            const long double got = curve_of(mass, epsilon), want = exact_at(s, epsilon);
            if (!(got >= want * (1 - 1e-12L) && got <= exact_at(s, epsilon - grid / 2)))
                fail_msg("s = %g, epsilon %g: %Lg, exact %Lg", s, epsilon, got, want);
        }
        simdp_pld_destroy(pld);
    }
}

/* Eight mechanisms as two halves, each taken from masses. */
static void halves(void **state)
{
    (void)state;
    static double mass[COUNT];
    const double s = 2, deltas[] = {1e-3, 1e-6, 1e-9};
    simdp_pld *half = composed(s * sqrt(8), 4), *whole;
    must(simdp_pld_composed_masses(half, mass, COUNT, -LAST));
    must(simdp_pld_create(&whole, grid));
    must(simdp_pld_add_histogram(whole, mass, COUNT - 1, -LAST, mass[COUNT - 1], 2));
    must(simdp_pld_compose(whole, 1e-10, 1, SIMDP_PLD_DOTS, SIMDP_PLD_NONE, NULL, NULL));
    for (int i = 0; i < 3; i++) {
        double exact, upper;
        must(simdp_account_epsilon(&exact, &deltas[i], 1, law_gaussian(s)));
        must(simdp_pld_epsilon(whole, NULL, &upper, &deltas[i], 1));
        assert_true(upper >= exact && upper <= 1.003 * exact);
    }
    simdp_pld_destroy(half);
    simdp_pld_destroy(whole);
}

/* With probability 1/4 one mechanism, else another, and the choice is shown: delta is the weighted sum. */
static void mixture(void **state)
{
    (void)state;
    static double one[COUNT], other[COUNT];
    simdp_pld *first = composed(1, 1), *second = composed(4, 1), *mixed;
    must(simdp_pld_composed_masses(first, one, COUNT, -LAST));
    must(simdp_pld_composed_masses(second, other, COUNT, -LAST));
    for (int i = 0; i < COUNT; i++) one[i] = 0.25 * one[i] + 0.75 * other[i];
    must(simdp_pld_create(&mixed, grid));
    must(simdp_pld_add_histogram(mixed, one, COUNT - 1, -LAST, one[COUNT - 1], 1));
    must(simdp_pld_compose(mixed, 1e-10, 1, SIMDP_PLD_DOTS, SIMDP_PLD_NONE, NULL, NULL));
    for (double epsilon = 0; epsilon < 3; epsilon += 0.1) {
        const long double exact = 0.25L * exact_at(1, epsilon) + 0.75L * exact_at(4, epsilon);
        double upper;
        must(simdp_pld_delta(mixed, NULL, &upper, &epsilon, 1));
        assert_true(upper >= exact && upper <= exact * 1.002L);
    }
    simdp_pld_destroy(first);
    simdp_pld_destroy(second);
    simdp_pld_destroy(mixed);
}

/* A window that leaves out losses on either side only makes the curve larger. */
static void narrow_windows(void **state)
{
    (void)state;
    double mass[120];
    simdp_pld *pld = composed(2, 3);
    for (int64_t first = -200; first <= 300; first += 50) {
        must(simdp_pld_composed_masses(pld, mass, 120, first));
        for (double epsilon = 0; epsilon < 2; epsilon += 0.05) {
            long double delta = mass[119];
            for (int i = 0; i < 119; i++) {
                const long double loss = (long double)grid * (first + i);
                if (loss > epsilon) delta -= mass[i] * expm1l(epsilon - loss);
            }
            assert_true(delta >= exact_at(2 / sqrt(3), epsilon) * (1 - 1e-12L));
        }
    }
    must(simdp_pld_add_gaussian(pld, 1, 1)); /* what was composed is dropped */
    assert_int_equal(simdp_pld_composed_masses(pld, mass, 120, 0), SIMDP_EPARAM);
    assert_true(isnan(mass[0]) && isnan(mass[119]));
    assert_int_equal(simdp_pld_composed_masses(pld, mass, 1, 0), SIMDP_EPARAM);
    assert_int_equal(simdp_pld_composed_masses(pld, NULL, 120, 0), SIMDP_ENULL);
    assert_int_equal(simdp_pld_composed_masses(NULL, mass, 120, 0), SIMDP_ENULL);
    assert_int_equal(simdp_pld_composed_masses(pld, mass, SIZE_MAX, 0), SIMDP_EPARAM);
    simdp_pld_destroy(pld);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(curve_of_masses), cmocka_unit_test(halves),
                                       cmocka_unit_test(mixture), cmocka_unit_test(narrow_windows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
