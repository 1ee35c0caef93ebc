/* test_release_radius: noise in doubles is nowhere farther from the ideal than its radius says, whatever the unseen
 * bits are. certificates/certify.py derives the radii; here they are measured. */
#include <mpfr.h>

#include "release_inside.h"
#include "support/release_support.h"

enum { BATCH = 4096, PRECISION = 96 };

static mpfr_t e, g, pi;

/* |V| of a word: its middle and half the width of what is open, in units of 2^-63 */
static double energy_of(uint64_t word) /* E of the middle into e; returns how far E can be from it */
{
    const uint64_t m = word >> 63 ? ~word : word;
    mpfr_set_ui(e, m, MPFR_RNDN);
    mpfr_add_d(e, e, 0.5, MPFR_RNDN);
    mpfr_div_2ui(e, e, 63, MPFR_RNDN);
    mpfr_log(e, e, MPFR_RNDN);
    mpfr_neg(e, e, MPFR_RNDN);
    return m < 2 ? INFINITY : 0.5 / ((double)m - 1.5);
}

/* |noise - ideal| at its worst over the stated radius, S = 1 */
static double laplace_ratio(uint64_t word, double noise, double radius)
{
    const double open = energy_of(word);
    mpfr_sub_d(e, e, fabs(noise), MPFR_RNDN);
    return (fabs(mpfr_get_d(e, MPFR_RNDN)) + open) / radius;
}

static double gaussian_ratio(uint64_t word, uint64_t angle, bool second, double noise, double radius)
{
    const double open = energy_of(word);
    mpfr_mul_2ui(e, e, 1, MPFR_RNDN);
    mpfr_sqrt(e, e, MPFR_RNDN);
    const double r = mpfr_get_d(e, MPFR_RNDN);
    mpfr_set_ui(g, 2 * (angle & 0x000fffffffffffff) + 1, MPFR_RNDN);
    mpfr_mul(g, g, pi, MPFR_RNDN);
    mpfr_div_2ui(g, g, 54, MPFR_RNDN);
    if (second) mpfr_cos(g, g, MPFR_RNDN);
    else mpfr_sin(g, g, MPFR_RNDN);
    mpfr_mul(e, e, g, MPFR_RNDN);
    mpfr_sub_d(e, e, fabs(noise), MPFR_RNDN);
    /* the ends of the angle are 2^-53 pi/2 away; those of V change R by open / R */
    return (fabs(mpfr_get_d(e, MPFR_RNDN)) + open / r + r * 0x1p-53 * 1.5708) / radius;
}

/* Words of all kinds: most random, some with small |V| or |V| close to 1, ends of tables. */
static uint64_t a_word(size_t i, uint64_t *seed)
{
    const uint64_t word = test_random(seed), sign = word & 0x8000000000000000;
    switch (i % 8) {
    case 0: return sign ^ (word & 0x7fffffffffffffff) >> (word >> 8) % 63;
    case 1: return sign ^ (0x7fffffffffffffff - (word & 0x7fffffffffffffff) / ((uint64_t)1 << (word >> 8) % 63));
    case 2: return sign ^ ((uint64_t)(8 + i / 8 % 8) << (59 - i / 64 % 40)) ^ (word & 3); /* where c_j changes */
    default: return word;
    }
}

static double worst_ratio(int law, size_t count, double shrink)
{
    static uint64_t words[BATCH];
    static double noise[BATCH], radius[BATCH];
    const double s = 1.0;
    simdp_release_plan plan = simdp_release_plan_forced(law, s, 1.0, shrink, PRECISION_F64, &release_scratch);
    uint64_t seed = 11;
    double worst = 0;
    plan.unseen = shrink * 1.25 * s;                              /* not the floor that small scales have */
    const double constant = 0.25 - plan.limit - shrink * 0x1p-52; /* the rest is for sums */
    for (size_t done = 0; done < count; done += BATCH) {
        for (size_t i = 0; i < BATCH; i++) words[i] = a_word(done + i, &seed);
        whole_noise(law, noise, radius, BATCH, words, &plan);
        for (size_t i = 0; i < BATCH; i++) {
            const bool second = law == RELEASE_GAUSSIAN && i % 16 >= 8;
            const uint64_t word = second ? words[i - 8] : words[i], m = word >> 63 ? ~word : word;
            if (m < (uint64_t)1 << 20) continue;                           /* always open */
            if (law == RELEASE_GAUSSIAN && i / 16 % 2 == second) continue; /* one element of each pair */
            const double allowed = constant + radius[i];
            const double ratio = law == RELEASE_LAPLACE
                                     ? laplace_ratio(word, noise[i], allowed)
                                     : gaussian_ratio(word, words[second ? i : i + 8], second, noise[i], allowed);
            if (!(ratio <= worst)) worst = ratio;
        }
    }
    return worst;
}

static void test_radii(void **state)
{
    (void)state;
    mpfr_inits2(PRECISION, e, g, pi, (mpfr_ptr)0);
    mpfr_const_pi(pi, MPFR_RNDN);
    for (int law = 0; law < RELEASE_LAWS; law++) {
        const size_t count = is_full() ? 10000000 : 1000000;
        const double worst = worst_ratio(law, count, 1.0), control = worst_ratio(law, BATCH * 8, 1.0 / 8);
        print_message("%s: worst of %.0e words is %.3f of its radius; with radii / 8: %.3f\n", law_names[law],
                      (double)count, worst, control);
        assert_true(worst < 1.0);
        assert_true(worst > 0.2 && control > 1.0); /* and it is measured */
    }
    mpfr_clears(e, g, pi, (mpfr_ptr)0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_radii)};
    return cmocka_run_group_tests_name("release_radius", tests, NULL, NULL);
}
