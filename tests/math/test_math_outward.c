/* test_math_outward: what math/outward.h, math/outward_functions.h and math/ball.h round to the safe side, against MPFR:
 * never on the other side of the real number, and no farther from it than they say. */
#include <mpfr.h>

#include "math/ball.h"
#include "math/outward_functions.h"
#include "support/test_support.h"

enum { BITS = 2400 }; /* hold every sum and product of doubles exactly */

static mpfr_t x, y, real, other; /* made and freed by main */

/* ---- single numbers: upward is the rounding upward, or one double more where the result is tiny ---- */

static const double edges[] = {
    0.0,         0x1p-1074,     0x3p-1074,   0x1p-1022, 0x1.8p-1022,   0x1p-1000,    0x1.3p-960, 0x1p-960,
    0x1p-900,    0x1.5555p-899, 0x1.9p-500,  0x1p-200,  0x1p-53,       0.1,          1.0 / 3,    0.5,
    1 - 0x1p-53, 1.0,           1 + 0x1p-52, 1.5,       3.0,           0x1.fffffp30, 1e10,       0x1p53 + 2,
    0x1.37p400,  0x1p900,       0x1p1000,    0x1p1023,  DBL_MAX / 2.9, DBL_MAX / 2,  DBL_MAX,    0x1.123456789abcdp-30};
enum { EDGES = sizeof edges / sizeof *edges, RANDOM = 20000 };

static uint64_t seed = 17;

/* A positive number whose exponent is any, or near 0. */
static double any_number(void)
{
    const uint64_t word = test_random(&seed);
    const double part = 1.0 + (double)(word >> 12) * 0x1p-52;
    const int exponent = word & 1 ? (int)(word >> 1 & 2047) % 2090 - 1070 : (int)(word >> 1 & 31) - 16;
    return ldexp(part, exponent < 1023 ? exponent : 1023);
}

static double argument(size_t i, size_t j) { return i < EDGES ? edges[j % EDGES] : any_number(); }

/* got against the real number in `real`, which was rounded in the direction `mode` if at all. */
static void check(const char *name, double a, double b, double got, mpfr_rnd_t mode, int more)
{
    const double best = mpfr_get_d(real, mode), away = mode == MPFR_RNDU ? INFINITY : -INFINITY;
    double most = best;
    for (int i = 0; i < more; i++) most = nextafter(most, away);
    const bool good = mode == MPFR_RNDU ? got >= best && got <= most : got <= best && got >= most;
    if (!good) fail_msg("%s(%a, %a) = %a, not %a to %a", name, a, b, got, best, most);
}

/* Within what outward.h says of large numbers. */
static void check_sum(double a, double b)
{
    if ((a < 0) != (b < 0) && fmax(fabs(a), fabs(b)) >= 0x1p1023) return;
    mpfr_set_d(x, a, MPFR_RNDN);
    mpfr_add_d(real, x, b, MPFR_RNDN);
    check("add_down", a, b, add_down(a, b), MPFR_RNDD, 0);
    if (a + b > -INFINITY) check("add_up", a, b, add_up(a, b), MPFR_RNDU, 0);
    if (b < 0) return;
    check("outward_up", a, b, outward_up(a, b), MPFR_RNDU, 0);
    if (mpfr_cmp_d(real, 1) > 0) mpfr_set_d(real, 1, MPFR_RNDN);
    check("outward_up_probability", a, b, outward_up_probability(a, b), MPFR_RNDU, 0);
    if (a >= 0 && fmax(a, b) >= 0x1p1023) return;
    mpfr_sub_d(real, x, b, MPFR_RNDN);
    if (a - b > -INFINITY) check("outward_down", a, b, outward_down(a, b), MPFR_RNDD, 0);
    if (mpfr_sgn(real) < 0) mpfr_set_d(real, 0, MPFR_RNDN);
    check("outward_down_positive", a, b, outward_down_positive(a, b), MPFR_RNDD, 0);
}

static void check_product(double a, double b)
{
    const int more = a * b < 0x1p-960;
    mpfr_set_d(x, a, MPFR_RNDN);
    mpfr_mul_d(real, x, b, MPFR_RNDN);
    check("mul_up", a, b, mul_up(a, b), MPFR_RNDU, a > 0 && b > 0 && more);
    check("mul_down", a, b, mul_down(a, b), MPFR_RNDD, a > 0 && b > 0 && more);
    check("times_up", a, b, times_up(a, b), MPFR_RNDU, a > 0 && b > 0 && more);
    check("times_down", a, b, times_down(a, b), MPFR_RNDD, a > 0 && b > 0 && more);
}

static void check_quotient(double a, double b)
{
    const int more = a > 0 && (a < 0x1p-900 || a / b < 0x1p-960);
    mpfr_set_d(x, a, MPFR_RNDN);
    mpfr_div_d(real, x, b, MPFR_RNDU);
    check("div_up", a, b, div_up(a, b), MPFR_RNDU, more);
    mpfr_div_d(real, x, b, MPFR_RNDD);
    check("div_down", a, b, div_down(a, b), MPFR_RNDD, more);
}

static void check_one(double a)
{
    mpfr_set_d(x, a, MPFR_RNDN);
    mpfr_sqrt(real, x, MPFR_RNDU);
    check("sqrt_up", a, 0, sqrt_up(a), MPFR_RNDU, a > 0 && a < 0x1p-900);
    for (int n = -1100; n <= 1100; n += 55) {
        mpfr_mul_2si(real, x, n, MPFR_RNDN);
        if (ldexp(a, n) < INFINITY) check("ldexp_up", a, n, ldexp_up(a, n), MPFR_RNDU, 0);
        check("ldexp_down", a, n, ldexp_down(a, n), MPFR_RNDD, 0);
    }
    mpfr_set_d(real, a, MPFR_RNDN);
    assert_true(outward_next(a) == nextafter(a, INFINITY));
    assert_true(outward_previous(a) == (a > 0 ? nextafter(a, 0) : 0));
}

static void test_single(void **state)
{
    (void)state;
    for (size_t i = 0; i < EDGES * EDGES + RANDOM; i++) {
        const size_t row = i < EDGES * EDGES ? 0 : EDGES;
        const double a = argument(row, i / EDGES), b = argument(row, i);
        check_sum(a, b);
        check_sum(a, -b);
        check_sum(-a, b);
        check_sum(-a, -b);
        check_product(a, b);
        if (b > 0) check_quotient(a, b);
        if (i % EDGES == 0) check_one(a);
    }
}

/* Infinite arguments stay infinite, and are no overflow. */
static void test_infinite(void **state)
{
    (void)state;
    assert_true(add_up(INFINITY, 1) == INFINITY && add_down(INFINITY, 1) == INFINITY);
    assert_true(add_down(1, INFINITY) == INFINITY && add_down(-INFINITY, 1) == -INFINITY);
    assert_true(mul_up(INFINITY, 2) == INFINITY && mul_down(INFINITY, 2) == INFINITY &&
                mul_down(2, INFINITY) == INFINITY);
    assert_true(times_up(INFINITY, 0) == 0 && times_down(0, INFINITY) == 0);
    assert_true(div_up(INFINITY, 2) == INFINITY && div_down(INFINITY, 2) == INFINITY);
    assert_true(div_up(3, INFINITY) == 0 && div_down(3, INFINITY) == 0);
    assert_true(outward_next(INFINITY) == INFINITY && outward_previous(INFINITY) == INFINITY);
    assert_true(sqrt_up(INFINITY) == INFINITY && ldexp_down(INFINITY, -3) == INFINITY);
    assert_true(isnan(add_up(NAN, 1)) && isnan(add_down(NAN, 1)) && isnan(mul_up(NAN, 1)) && isnan(div_down(NAN, 1)));
}

/* Whole numbers, of which doubles beyond 2^53 hold few. */
static void test_counts(void **state)
{
    (void)state;
    static const int64_t counts[] = {0,
                                     1,
                                     3,
                                     (INT64_C(1) << 53) + 1,
                                     (INT64_C(1) << 53) + 2,
                                     (INT64_C(1) << 54) + 3,
                                     (INT64_C(1) << 62) + 1,
                                     INT64_MAX - 1,
                                     INT64_MAX};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        mpfr_set_si(real, counts[i], MPFR_RNDN);
        check("count_up", (double)counts[i], 0, count_up(counts[i]), MPFR_RNDU, 0);
        const ball count = ball_of_count(counts[i]);
        mpfr_sub_d(other, real, count.value, MPFR_RNDN);
        assert_true(mpfr_cmpabs(other, (mpfr_set_d(x, count.error, MPFR_RNDN), x)) <= 0);
        assert_true(count.error <= count.value * 0x1p-53 && (count.error == 0) == (counts[i] <= INT64_C(1) << 53));
    }
}

/* A sum of many numbers: at least the real one, and within 1 ulp. */
static void test_sum(void **state)
{
    (void)state;
    for (int i = 0; i < 200; i++) {
        outward_sum sum = {0, 0};
        mpfr_set_d(real, 0, MPFR_RNDN);
        for (int j = 0; j < 100; j++) {
            const double term = ldexp(any_number(), -200);
            outward_sum_add(&sum, term);
            mpfr_add_d(real, real, term, MPFR_RNDN);
        }
        check("outward_sum", i, 100, outward_sum_up(&sum), MPFR_RNDU, 1);
    }
    outward_sum sum = {1, 0};
    outward_sum_add(&sum, INFINITY);
    outward_sum_add(&sum, 1);
    assert_true(outward_sum_up(&sum) == INFINITY);
}

/* ---- balls: the real result for any numbers of the balls lies within the result, which is not much wider ---- */

typedef struct {
    const char *name;
    ball (*of)(ball a, ball b);
    void (*truth)(void); /* x, y -> real */
    double least, most;  /* of the first value */
    bool alone;          /* a alone */
    int bits; /* of the truth: 300 are plenty beside the 2^-48 by which errors are raised, where nothing cancels */
    int cases;
} operation;

static ball of_sqrt(ball a, ball b) { return (void)b, ball_sqrt(a); }
static ball of_log(ball a, ball b) { return (void)b, ball_log(a); }
static ball of_log1p(ball a, ball b) { return (void)b, ball_log1p(a); }
static ball of_exp(ball a, ball b) { return (void)b, ball_exp(a); }
static ball of_expm1(ball a, ball b) { return (void)b, ball_expm1(a); }
static ball of_scale(ball a, ball b) { return (void)b, ball_scale(a, 0x1p-1000); }

static void truth_add(void) { mpfr_add(real, x, y, MPFR_RNDN); }
static void truth_subtract(void) { mpfr_sub(real, x, y, MPFR_RNDN); }
static void truth_multiply(void) { mpfr_mul(real, x, y, MPFR_RNDN); }
static void truth_divide(void) { mpfr_div(real, x, y, MPFR_RNDN); }
static void truth_sqrt(void) { mpfr_sqrt(real, x, MPFR_RNDN); }
static void truth_scale(void) { mpfr_mul_2si(real, x, -1000, MPFR_RNDN); }
static void truth_log(void) { mpfr_log(real, x, MPFR_RNDN); }
static void truth_log1p(void) { mpfr_log1p(real, x, MPFR_RNDN); }
static void truth_exp(void) { mpfr_exp(real, x, MPFR_RNDN); }
static void truth_expm1(void) { mpfr_expm1(real, x, MPFR_RNDN); }
static void truth_exp_times(void)
{
    mpfr_exp(real, x, MPFR_RNDN);
    mpfr_mul(real, real, y, MPFR_RNDN);
}
static void truth_logaddexp(void)
{
    mpfr_exp(real, x, MPFR_RNDN);
    mpfr_exp(other, y, MPFR_RNDN);
    mpfr_add(real, real, other, MPFR_RNDN);
    mpfr_log(real, real, MPFR_RNDN);
}

static const operation operations[] = {
    {"add", ball_add, truth_add, -1e300, 1e300, false, BITS, 2000},
    {"subtract", ball_subtract, truth_subtract, -1e300, 1e300, false, BITS, 2000},
    {"multiply", ball_multiply, truth_multiply, -1e150, 1e150, false, BITS, 2000},
    {"divide", ball_divide, truth_divide, -1e150, 1e150, false, 300, 2000},
    {"scale", of_scale, truth_scale, -1e300, 1e300, true, BITS, 2000},
    {"sqrt", of_sqrt, truth_sqrt, 0, DBL_MAX, true, 300, 2000},
    {"log", of_log, truth_log, 1e-300, 1e300, true, 300, 2000},
    {"log1p", of_log1p, truth_log1p, -0.99, 1e300, true, 300, 2000},
    {"exp", of_exp, truth_exp, -740, 700, true, 300, 2000},
    {"expm1", of_expm1, truth_expm1, -700, 700, true, 300, 2000},
    {"exp_times", ball_exp_times, truth_exp_times, -600, 1400, false, 300, 2000},
    {"logaddexp", ball_logaddexp, truth_logaddexp, -500, 500, false, 1600, 300},
};

/* |real - value|, rounded upward */
static double distance(double value)
{
    mpfr_sub_d(other, real, value, MPFR_RNDA);
    mpfr_abs(other, other, MPFR_RNDA);
    return mpfr_get_d(other, MPFR_RNDU);
}

/* A ball in the domain: exact, narrow or up to a tenth of its value wide. */
static ball any_ball(const operation *o)
{
    double value = any_number();
    const uint64_t word = test_random(&seed);
    if (o->least < 0 && word & 1) value = -value;
    if (o->most < 1e4) value = fmod(value, o->most); /* exponentials: of all sizes within the domain */
    if (!(value >= o->least && value <= o->most)) value = 0.375;
    static const double widths[] = {0, 0, 0x1p-52, 0x1p-30, 0x1p-10, 0.1};
    const double wide = fmin(fabs(value), o->most < 1e4 ? 1 : INFINITY) * widths[(word >> 1) % 6];
    return (ball){value, o->least == -0.99 ? fmin(wide, 0.1 * (1 + value)) : wide};
}

static void check_ball(const operation *o, ball a, ball b)
{
    const ball got = o->of(a, b);
    double farthest = 0;
    if (!isfinite(got.value)) return;
    for (int corner = 0; corner < 9; corner++) {
        const int of_a = corner % 3 - 1, of_b = corner / 3 - 1;
        if (o->alone && of_b != 0) continue;
        mpfr_set_d(x, of_a * a.error, MPFR_RNDN);
        mpfr_add_d(x, x, a.value, MPFR_RNDN);
        mpfr_set_d(y, of_b * b.error, MPFR_RNDN);
        mpfr_add_d(y, y, b.value, MPFR_RNDN);
        o->truth();
        farthest = fmax(farthest, distance(got.value));
        mpfr_set_d(x, got.error, MPFR_RNDN);
        if (!(got.error == INFINITY || mpfr_cmp(other, x) <= 0)) {
            fail_msg("%s of %a +- %a and %a +- %a is %a +- %a, but as far as %a away", o->name, a.value, a.error,
                     b.value, b.error, got.value, got.error, distance(got.value));
        }
    }
    /* 1.3: what the tangents at a tenth cost, twice that for roots, and both terms of a
     * logarithm of a sum having the error of the larger. Then roundings: of steps that are larger
     * than the result, too, and of values that vanish. */
    const double tangent = o->of == of_sqrt ? 2.3 : o->of == ball_logaddexp ? 3.3 : 1.3, size = fabs(got.value);
    const double steps = o->of == ball_exp_times   ? 2 + fabs(a.value)
                         : o->of == ball_logaddexp ? 1 + 2 * fabs(a.value / size)
                                                   : 1;
    if (got.error > (tangent * farthest + 6 * 0x1p-53 * size + (size < 0x1p-1000 ? 0x1p-1049 : 0x1p-1070)) * steps) {
        fail_msg("%s of %a +- %a and %a +- %a is %a +- %a, and never as far as %a away", o->name, a.value, a.error,
                 b.value, b.error, got.value, got.error, farthest);
    }
}

static void test_balls(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        const operation *const o = &operations[i];
        mpfr_set_prec(real, o->bits);
        mpfr_set_prec(other, o->bits);
        for (int j = 0; j < o->cases; j++) {
            const ball a = any_ball(o), b = any_ball(o);
            if (o->of == ball_exp_times && !(b.value > 0)) continue;
            check_ball(o, a, b);
        }
    }
    mpfr_set_prec(real, BITS);
    mpfr_set_prec(other, BITS);
}

static void test_ball_ends(void **state)
{
    (void)state;
    assert_true(ball_divide(ball_of(1), (ball){1, 1}).error == INFINITY);
    assert_true(ball_add(ball_of(DBL_MAX), ball_of(DBL_MAX)).error == INFINITY);
    assert_true(ball_with(1, NAN).error == INFINITY && ball_with(NAN, 0).error == INFINITY);
    assert_true(ball_log((ball){1, 1}).error == INFINITY &&
                ball_exp_times(ball_of(3000), ball_of(1)).error == INFINITY);
    assert_true(ball_is_zero(ball_multiply(ball_of(0), (ball){1, INFINITY})));
    assert_true(ball_exp(ball_of(0)).error == 0 && ball_sqrt(ball_of(9)).error == 0 && ball_of(3).error == 0);
    assert_true(ball_up((ball){-INFINITY, 0}) == -DBL_MAX && ball_down((ball){INFINITY, 0}) == DBL_MAX);
    assert_true(ball_up((ball){1, 0x1p-80}) == 1 + 0x1p-52 && ball_down((ball){1, 0x1p-80}) == 1 - 0x1p-53);
    assert_true(ball_up_positive((ball){-1, 0.5}) == 0 && ball_down_positive((ball){0.5, 1}) == 0);
    assert_true(ball_up_probability((ball){0.75, 0.5}) == 1 && ball_up_probability((ball){-1, 0.5}) == 0);
    assert_true(ball_up_probability((ball){0.5, 0.25}) == 0.75);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_single), cmocka_unit_test(test_infinite), cmocka_unit_test(test_counts),
        cmocka_unit_test(test_sum),    cmocka_unit_test(test_balls),    cmocka_unit_test(test_ball_ends),
    };
    mpfr_inits2(BITS, x, y, real, other, (mpfr_ptr)NULL);
    const int failed = cmocka_run_group_tests_name("math_outward", tests, NULL, NULL);
    mpfr_clears(x, y, real, other, (mpfr_ptr)NULL);
    mpfr_free_cache();
    return failed;
}
