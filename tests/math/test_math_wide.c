/* test_math_wide: the 512-bit arithmetic of math/wide.h against MPFR with 1100 bits, which hold every sum and product
 * tried here exactly. Errors are relative, in units of 2^-511, the worth of the last bit; bounds are those that wide.h
 * states. */
#include <math.h>
#include <mpfr.h>

#include "math/wide.h"
#include "support/test_support.h"

#define PRECISION 1100
#define MODE      MPFR_RNDN

static mpfr_t x, y, exact, scratch; /* made and freed by main */
static mpfr_t narrow;               /* 512 bits */

static size_t case_count(size_t n) { return is_full() ? 50 * n : n; }

static void set_wide(mpfr_t to, const simdp_wide *a)
{
    mpfr_set_zero(to, 1);
    for (int i = 0; i < WIDE_LIMBS; i++) {
        mpfr_set_ui_2exp(scratch, a->limb[i], 64 * (i - WIDE_LIMBS), MODE);
        mpfr_add(to, to, scratch, MODE);
    }
    mpfr_mul_2si(to, to, (long)a->exponent, MODE);
    if (a->sign < 0) mpfr_neg(to, to, MODE);
}

/* A number as wide.h describes it: top bit set and sign +-1, or all 0. */
static bool is_normal(const simdp_wide *a)
{
    uint64_t any = 0;
    for (int i = 0; i < WIDE_LIMBS; i++) any |= a->limb[i];
    if (a->sign == 0) return any == 0 && a->exponent == 0;
    return (a->sign == 1 || a->sign == -1) && a->limb[WIDE_LIMBS - 1] >> 63 == 1;
}

/* After a reference in exact. */
static double error_of(simdp_wide got)
{
    if (!is_normal(&got)) return INFINITY;
    set_wide(x, &got);
    mpfr_sub(scratch, x, exact, MODE);
    if (mpfr_zero_p(scratch)) return 0.0;
    if (mpfr_zero_p(exact)) return INFINITY;
    mpfr_div(scratch, scratch, exact, MODE);
    mpfr_mul_2ui(scratch, scratch, 511, MODE);
    return fabs(mpfr_get_d(scratch, MPFR_RNDU));
}

typedef struct {
    const char *name;
    double bound, worst, planted; /* planted: least error seen after a defect near 2^-500 was put into a result */
    size_t count;
} figures;

/* Compares with exact, in units of allowed 2^-511, and once more with a defect that every bound must exclude. */
static void note(figures *f, simdp_wide got, double allowed)
{
    const double error = error_of(got) / allowed;
    if (!(error <= f->worst)) f->worst = error;
    f->count++;
    if (mpfr_zero_p(exact)) return;
    const double planted = error_of(simdp_wide_add(got, simdp_wide_scale(got, ilogb(allowed) - 500))) / allowed;
    if (f->count == 1 || planted < f->planted) f->planted = planted;
}

static void conclude(const figures *f)
{
    print_message("%-10s n %-7zu worst %5.2f, bound %5.1f units of 2^-511; planted defect at least %.0f\n", f->name,
                  f->count, f->worst, f->bound, f->planted);
    assert_true(f->worst <= f->bound);
    assert_true(f->planted > f->bound);
}

/* ---- arguments ---- */

/* 1 to 512 random bits, or long runs of equal bits, or a power of two and its neighbours; exponent between the two */
static simdp_wide random_wide(uint64_t *random, int64_t least, int64_t most)
{
    const uint64_t r = test_random(random);
    const int count = 1 + (int)(r % WIDE_LIMBS);
    const uint64_t runs[4] = {0, UINT64_MAX, 1, (uint64_t)1 << 63};
    uint64_t words[WIDE_LIMBS];
    for (int i = 0; i < count; i++) words[i] = r >> 8 & 1 ? test_random(random) : runs[test_random(random) % 4];
    if (words[0] >> 63 == 0) words[0] |= (uint64_t)1 << 63;
    simdp_wide a = simdp_wide_from_words(words, count);
    a.exponent = least + (int64_t)(test_random(random) % (uint64_t)(most - least + 1));
    return r >> 9 & 1 ? simdp_wide_neg(a) : a;
}

static simdp_wide magnitude(simdp_wide a) { return a.sign < 0 ? simdp_wide_neg(a) : a; }

/* 2^-1 to 2^-450 away from 1, to both sides, then random: case i */
static simdp_wide around_one(uint64_t i, uint64_t *random, int64_t spread)
{
    const simdp_wide one = simdp_wide_from_u64(1);
    if (i >= 900) return magnitude(random_wide(random, -spread, spread));
    const int64_t power = -1 - (int64_t)(i / 2);
    const simdp_wide distance = i % 4 < 2 ? simdp_wide_scale(one, power) : random_wide(random, power, 0);
    return magnitude(i % 2 ? simdp_wide_add(one, distance) : simdp_wide_sub(one, distance));
}

/* ---- in and out ---- */

static void test_doubles(void **state)
{
    (void)state;
    uint64_t random = 1;
    for (size_t i = 0; i < case_count(20000); i++) {
        uint64_t bits = test_random(&random);
        double d;
        if (i % 3 == 0) bits &= 0x800fffffffffffff; /* subnormals and zeros */
        memcpy(&d, &bits, sizeof d);
        if (!isfinite(d)) continue;
        const simdp_wide a = simdp_wide_from_double(d);
        assert_true(is_normal(&a));
        set_wide(x, &a);
        assert_true(mpfr_cmp_d(x, d) == 0);
        assert_true(simdp_wide_to_double(a) == d);
    }
    assert_int_equal(simdp_wide_from_double(-0.0).sign, 0);
    for (size_t i = 0; i < case_count(20000); i++) { /* 512 bits to 53 or fewer, ties among them */
        simdp_wide a = random_wide(&random, i % 2 ? -1090 : -60, i % 2 ? -1010 : 1026);
        if (i % 5 == 0) { /* a tie or next to it: the last of 53 bits, one more, and perhaps a last one */
            memset(a.limb, 0, sizeof a.limb);
            a.limb[7] = (test_random(&random) | (uint64_t)1 << 63) & ~(uint64_t)0x3ff;
            a.limb[0] = i % 3;
        }
        set_wide(x, &a);
        assert_true(simdp_wide_to_double(a) == mpfr_get_d(x, MODE));
    }
    assert_true(simdp_wide_to_double(simdp_wide_scale(simdp_wide_from_u64(1), 1024)) == INFINITY);
    assert_true(simdp_wide_to_double(simdp_wide_neg(simdp_wide_scale(simdp_wide_from_u64(1), 100000))) == -INFINITY);
    assert_true(simdp_wide_to_double(simdp_wide_scale(simdp_wide_from_u64(1), -100000)) == 0.0);
}

static void test_integers_and_words(void **state)
{
    (void)state;
    uint64_t random = 2;
    for (size_t i = 0; i < case_count(20000); i++) {
        const int count = (int)(i % (WIDE_LIMBS + 1));
        uint64_t words[WIDE_LIMBS], back[WIDE_LIMBS];
        mpfr_set_zero(exact, 1);
        for (int j = 0; j < count; j++) {
            words[j] = test_random(&random) & (i % 3 ? UINT64_MAX : (uint64_t)j);
            mpfr_set_ui_2exp(scratch, words[j], -64 * (j + 1), MODE);
            mpfr_add(exact, exact, scratch, MODE);
        }
        const simdp_wide u = simdp_wide_from_words(words, count);
        assert_true(error_of(u) == 0.0);
        simdp_wide_to_words(back, count, u);
        assert_memory_equal(back, words, 8 * (size_t)count);
        simdp_wide_to_words(back, WIDE_LIMBS, u);
        assert_memory_equal(back, words, 8 * (size_t)count);
        for (int j = count; j < WIDE_LIMBS; j++) assert_int_equal(back[j], 0);

        const uint64_t n = test_random(&random) >> i % 64;
        mpfr_set_ui(exact, n, MODE);
        assert_true(error_of(simdp_wide_from_u64(n)) == 0.0);
        simdp_wide a = random_wide(&random, -3, 61);
        if (i % 2) a = simdp_wide_scale(simdp_wide_from_u64(n >> 3), -1); /* halves */
        set_wide(x, &a);
        mpfr_rint(exact, x, MODE);
        assert_true(mpfr_cmp_si(exact, simdp_wide_to_i64(a)) == 0);
    }
}

/* ---- arithmetic ---- */

/* For operations that are exact if the result has 512 bits. */
static void check_cut(figures *f, simdp_wide got)
{
    const bool fits = mpfr_set(narrow, exact, MODE) == 0;
    const double error = error_of(got);
    if (fits) assert_true(error == 0.0);
    note(f, got, 1.0);
}

static void test_arithmetic(void **state)
{
    (void)state;
    figures sums = {"add, sub", 2.0, 0, 0, 0}, products = {"mul", 2.0, 0, 0, 0};
    figures by_double = {"mul_double", 2.0, 0, 0, 0}, small = {"div_small", 2.0, 0, 0, 0};
    figures quotients = {"div", 8.0, 0, 0, 0}, roots = {"sqrt", 8.0, 0, 0, 0};
    uint64_t random = 3;
    for (size_t i = 0; i < case_count(10000); i++) {
        const int64_t spread = i % 4 == 0 ? 2 : i % 4 == 1 ? 70 : 280;
        const simdp_wide a = random_wide(&random, -spread, spread);
        simdp_wide b = random_wide(&random, -spread, spread);
        if (i % 7 == 0) { /* sums that cancel but for a few bits */
            b = simdp_wide_neg(a);
            b.limb[test_random(&random) % (WIDE_LIMBS - 1)] ^= test_random(&random);
        }
        set_wide(x, &a), set_wide(y, &b);
        assert_int_equal(simdp_wide_compare(a, b), (mpfr_cmp(x, y) > 0) - (mpfr_cmp(x, y) < 0));
        assert_int_equal(simdp_wide_compare(a, a), 0);
        mpfr_add(exact, x, y, MODE);
        check_cut(&sums, simdp_wide_add(a, b));
        set_wide(x, &a);
        mpfr_sub(exact, x, y, MODE);
        check_cut(&sums, simdp_wide_sub(a, b));
        set_wide(x, &a);
        mpfr_mul(exact, x, y, MODE);
        check_cut(&products, simdp_wide_mul(a, b));
        set_wide(x, &a);
        const double d = (double)(int64_t)test_random(&random) * 0x1p-40;
        mpfr_mul_d(exact, x, d, MODE);
        check_cut(&by_double, simdp_wide_mul_double(a, d));
        set_wide(x, &a);
        const uint64_t n = test_random(&random) >> i % 64 | 1;
        mpfr_div_ui(exact, x, n, MODE);
        note(&small, simdp_wide_div_small(a, n), 1.0);
        set_wide(x, &a);
        mpfr_div(exact, x, y, MODE);
        note(&quotients, simdp_wide_div(a, b), 1.0);
        const simdp_wide square = magnitude(a);
        set_wide(x, &square);
        mpfr_sqrt(exact, x, MODE);
        note(&roots, simdp_wide_sqrt(square), 1.0);
    }
    conclude(&sums);
    conclude(&products);
    conclude(&by_double);
    conclude(&small);
    conclude(&quotients);
    conclude(&roots);
    const simdp_wide zero = simdp_wide_from_u64(0), three = simdp_wide_from_u64(3);
    assert_int_equal(simdp_wide_compare(simdp_wide_sub(three, three), zero), 0);
    assert_int_equal(simdp_wide_compare(simdp_wide_add(zero, three), three), 0);
    assert_int_equal(simdp_wide_compare(simdp_wide_mul(three, zero), zero), 0);
    assert_int_equal(simdp_wide_compare(simdp_wide_div(zero, three), zero), 0);
    assert_int_equal(simdp_wide_compare(simdp_wide_sqrt(zero), zero), 0);
    assert_int_equal(simdp_wide_compare(simdp_wide_scale(zero, 7), zero), 0);
}

/* ---- functions ---- */

static void test_logarithms(void **state)
{
    (void)state;
    figures general = {"log", 32.0, 0, 0, 0}, of_u = {"neg_log", 32.0, 0, 0, 0}, of_v = {"neg_log1m", 32.0, 0, 0, 0};
    uint64_t random = 4;
    const size_t n = case_count(3000);
    for (uint64_t i = 0; i < n; i++) {
        const simdp_wide a = around_one(i, &random, i % 2 ? 3 : 400);
        if (a.sign == 0) continue;
        set_wide(x, &a);
        mpfr_log(exact, x, MODE);
        note(&general, simdp_wide_log(a), 1.0);
        mpfr_neg(exact, exact, MODE);
        note(&of_u, simdp_wide_neg_log(a), 1.0);
        simdp_wide v = a; /* below 1 */
        if (v.exponent > 0) v.exponent = i % 3 ? 0 : -(int64_t)(i % 450);
        set_wide(x, &v);
        mpfr_neg(x, x, MODE);
        mpfr_log1p(exact, x, MODE);
        mpfr_neg(exact, exact, MODE);
        note(&of_v, simdp_wide_neg_log1m(v), 1.0);
    }
    conclude(&general);
    conclude(&of_u);
    conclude(&of_v);
    assert_int_equal(simdp_wide_log(simdp_wide_from_u64(1)).sign, 0);
    assert_int_equal(simdp_wide_neg_log1m(simdp_wide_from_u64(0)).sign, 0);
}

static void test_exponential_and_angle(void **state)
{
    (void)state;
    figures power = {"exp", 8.0, 0, 0, 0}, sine = {"sine", 8.0, 0, 0, 0}, cosine = {"cosine", 8.0, 0, 0, 0};
    uint64_t random = 5;
    const size_t n = case_count(3000);
    for (uint64_t i = 0; i < n; i++) {
        const simdp_wide a = i % 3 ? random_wide(&random, -40, 4) : random_wide(&random, -450, 13);
        set_wide(x, &a);
        mpfr_exp(exact, x, MODE);
        note(&power, simdp_wide_exp(a), 1.0 + fabs(mpfr_get_d(x, MODE))); /* the unit of its bound is 1 + |x| */
        const simdp_wide t = i % 3 ? random_wide(&random, -2, 0) : random_wide(&random, -450, 0);
        simdp_wide s, c;
        simdp_wide_sincos_pi(&s, &c, t);
        set_wide(y, &t);
        mpfr_const_pi(x, MODE);
        mpfr_mul(y, y, x, MODE);
        mpfr_div_2ui(y, y, 2, MODE);
        mpfr_sin(exact, y, MODE);
        note(&sine, s, 1.0);
        mpfr_cos(exact, y, MODE);
        note(&cosine, c, 1.0);
    }
    conclude(&power);
    conclude(&sine);
    conclude(&cosine);
    assert_int_equal(simdp_wide_compare(simdp_wide_exp(simdp_wide_from_u64(0)), simdp_wide_from_u64(1)), 0);
}

int main(void)
{
    mpfr_inits2(PRECISION, x, y, exact, scratch, (mpfr_ptr)0);
    mpfr_init2(narrow, 512);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_doubles),
        cmocka_unit_test(test_integers_and_words),
        cmocka_unit_test(test_arithmetic),
        cmocka_unit_test(test_logarithms),
        cmocka_unit_test(test_exponential_and_angle),
    };
    const int failed = cmocka_run_group_tests_name("math_wide", tests, NULL, NULL);
    mpfr_clears(x, y, exact, scratch, narrow, (mpfr_ptr)0);
    mpfr_free_cache();
    return failed;
}
