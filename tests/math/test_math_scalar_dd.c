/* test_math_scalar_dd: the double-double numbers of math/scalar_dd.h against MPFR, relative errors in units of
 * 2^-106. */
#include <math.h>
#include <mpfr.h>

#include "math/scalar_dd.h"
#include "support/random_numbers.h"

enum { BITS = 400 };
#define FUNCTION_BOUND 0x1p9 /* 2^-97 in units of 2^-106 */
static mpfr_t x, y, exact;   /* made and freed by main */

static void set_dd(mpfr_t to, dd a)
{
    mpfr_set_d(to, a.hi, MPFR_RNDN);
    mpfr_add_d(to, to, a.lo, MPFR_RNDN);
}

/* hi and something that is half a unit of its last place at most, of any size and often 0 */
static dd with_low_part(double hi)
{
    const double half = ldexp(1.0, ilogb(hi) - 53);
    double lo = 0.0;
    switch (test_random(&seed) & 3) {
    case 0: lo = half * uniform(-1, 1); break;
    case 1: lo = half * uniform(-1, 1) * spread(0x1p-60, 1); break;
    case 2: lo = half * (uniform(-1, 1) < 0 ? -1 : 1); break;
    default: break;
    }
    return dd_two_sum(hi, lo);
}

/* ---- operations: what they give, what they should, from which numbers ---- */

static dd of_two_sum(dd a, dd b) { return dd_two_sum(a.hi, b.hi); }
static dd of_two_prod(dd a, dd b) { return dd_two_prod(a.hi, b.hi); }
static dd of_add_d(dd a, dd b) { return dd_add_d(a, b.hi); }
static dd of_mul_d(dd a, dd b) { return dd_mul_d(a, b.hi); }
static dd of_sqrt(dd a, dd b) { return (void)b, dd_sqrt(a); }
static dd of_exp(dd a, dd b) { return (void)b, dd_exp(a); }
static dd of_expm1(dd a, dd b) { return (void)b, dd_expm1(a); }
static dd of_log(dd a, dd b) { return (void)b, dd_log(a); }
static dd of_log1p(dd a, dd b) { return (void)b, dd_log1p(a); }

static void add(void) { mpfr_add(exact, x, y, MPFR_RNDN); }
static void sub(void) { mpfr_sub(exact, x, y, MPFR_RNDN); }
static void mul(void) { mpfr_mul(exact, x, y, MPFR_RNDN); }
static void quotient(void) { mpfr_div(exact, x, y, MPFR_RNDN); }
static void root(void) { mpfr_sqrt(exact, x, MPFR_RNDN); }
static void exponential(void) { mpfr_exp(exact, x, MPFR_RNDN); }
static void exponential_less_one(void) { mpfr_expm1(exact, x, MPFR_RNDN); }
static void logarithm(void) { mpfr_log(exact, x, MPFR_RNDN); }
static void logarithm_past_one(void) { mpfr_log1p(exact, x, MPFR_RNDN); }

static double sign(void) { return uniform(-1, 1) < 0 ? -1.0 : 1.0; }
static double any(void) { return sign() * spread(0x1p-200, 0x1p200); }
static double positive(void) { return spread(0x1p-200, 0x1p200); }
static double exp_argument(void) { return test_random(&seed) & 1 ? uniform(-664, 709) : sign() * spread(0x1p-300, 8); }
static double expm1_argument(void) { return test_random(&seed) & 1 ? uniform(-90, 120) : sign() * spread(0x1p-300, 2); }
static double log_argument(void)
{
    switch (test_random(&seed) & 3) {
    case 0: return spread(0x1p-1000, 0x1p1000);
    case 1: return uniform(0.5, 2);
    case 2: return 1.0 + sign() * spread(0x1p-52, 0.5);
    default: return 1.0;
    }
}
static double log1p_argument(void)
{
    switch (test_random(&seed) & 3) {
    case 0: return spread(0x1p-300, 0x1p900);
    case 1: return uniform(-0.02, 0.02);
    case 2: return -spread(0x1p-300, 1);
    default: return -1.0 + spread(0x1p-52, 1);
    }
}

typedef struct {
    const char *name;
    dd (*get)(dd a, dd b);
    void (*should)(void);
    double (*first)(void), (*second)(void);
    double bound;
    bool doubles_first, doubles_second;
} operation;

static const operation operations[] = {
    {"two_sum", of_two_sum, add, any, any, 0, true, true},
    {"two_prod", of_two_prod, mul, any, any, 0, true, true},
    {"add", dd_add, add, any, any, 3.01, false, false},
    {"sub", dd_sub, sub, any, any, 3.01, false, false},
    {"add_d", of_add_d, add, any, any, 2, false, true},
    {"mul", dd_mul, mul, any, any, 5, false, false},
    {"mul_d", of_mul_d, mul, any, any, 3, false, true},
    {"div", dd_div, quotient, any, any, 20, false, false},
    {"sqrt", of_sqrt, root, positive, positive, 4, false, false},
    {"exp", of_exp, exponential, exp_argument, any, 16, false, false},
    {"expm1", of_expm1, exponential_less_one, expm1_argument, any, FUNCTION_BOUND, false, false},
    {"log", of_log, logarithm, log_argument, any, FUNCTION_BOUND, false, false},
    {"log1p", of_log1p, logarithm_past_one, log1p_argument, any, FUNCTION_BOUND, false, false},
};

static double error_of(dd got)
{
    mpfr_t difference;
    mpfr_init2(difference, BITS);
    set_dd(difference, got);
    mpfr_sub(difference, difference, exact, MPFR_RNDN);
    double off = mpfr_zero_p(difference) ? 0.0 : INFINITY;
    if (!mpfr_zero_p(exact)) {
        mpfr_div(difference, difference, exact, MPFR_RNDN);
        off = fabs(mpfr_get_d(difference, MPFR_RNDN)) * 0x1p106;
    }
    mpfr_clear(difference);
    return off;
}

/* b near -a often: sums must not lose more under cancellation */
static dd second_number(const operation *o, dd a)
{
    const double b = test_random(&seed) & 1 ? o->second() : -a.hi * (1.0 + uniform(-1, 1) * spread(0x1p-53, 1));
    return o->doubles_second ? dd_of(b) : with_low_part(b);
}

static void errors_are_as_stated(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        const operation *o = &operations[i];
        double worst = 0;
        seed = 11 + i;
        for (int t = is_full() ? 2000000 : is_short() ? 2000 : 60000; t > 0; t--) {
            const double first = o->first();
            const dd a = o->doubles_first ? dd_of(first) : with_low_part(first), b = second_number(o, a),
                     got = o->get(a, b);
            set_dd(x, a);
            set_dd(y, b);
            o->should();
            const double off = error_of(got);
            if (off > worst) worst = off;
            if (!(off <= o->bound)) fail_msg("%s of %a + %a: off by %g 2^-106", o->name, a.hi, a.lo, off);
            if (got.hi + got.lo != got.hi) fail_msg("%s of %a + %a is not normal", o->name, a.hi, a.lo);
        }
        print_message("%-8s %.2f of %.2f\n", o->name, worst, o->bound);
    }
}

static bool is(dd a, double hi) { return a.hi == hi && a.lo == 0.0; }
static bool is_nan(dd a) { return isnan(a.hi) && a.lo == 0.0; }

static void ends(void **state)
{
    (void)state;
    const dd infinite = dd_of(INFINITY), minus = dd_of(-INFINITY), nothing = dd_of(NAN), zero = dd_of(0.0);
    assert_true(is(dd_exp(infinite), INFINITY) && is(dd_exp(minus), 0.0) && is_nan(dd_exp(nothing)));
    assert_true(is(dd_exp(zero), 1.0) && is(dd_exp(dd_of(710)), INFINITY) && is(dd_exp(dd_of(-746)), 0.0));
    assert_true(dd_exp(dd_of(709.78)).hi < INFINITY && dd_exp(dd_of(-745)).hi == 0x1p-1074);
    assert_true(is(dd_expm1(infinite), INFINITY) && is(dd_expm1(minus), -1.0) && is_nan(dd_expm1(nothing)));
    assert_true(is(dd_expm1(zero), 0.0) && is(dd_expm1(dd_of(0x1p-1074)), 0x1p-1074));
    assert_true(is(dd_log(infinite), INFINITY) && is(dd_log(zero), -INFINITY) && is(dd_log(dd_of(1)), 0.0));
    assert_true(is_nan(dd_log(nothing)) && is_nan(dd_log(dd_of(-1))) && is_nan(dd_log(minus)));
    assert_true(is(dd_log1p(infinite), INFINITY) && is(dd_log1p(dd_of(-1)), -INFINITY) && is(dd_log1p(zero), 0.0));
    assert_true(is_nan(dd_log1p(nothing)) && is_nan(dd_log1p(dd_of(-2))) && is_nan(dd_log1p(minus)));
    assert_true(is(dd_log1p(dd_of(0x1p-1074)), 0x1p-1074) && is(dd_sqrt(zero), 0.0));
    seed = 5;
    for (int i = 0; i < 1000; i++) { /* subnormal numbers, and numbers near the largest */
        const dd a = dd_of(i % 2 ? 0x1p-1074 * floor(spread(1, 0x1p52)) : spread(0x1p1000, 0x1.fp1023));
        set_dd(x, a);
        logarithm();
        assert_true(error_of(dd_log(a)) <= FUNCTION_BOUND);
    }
}

/* the comparison sees a relative error of 2^-96 */
static void a_wrong_value_is_noticed(void **state)
{
    (void)state;
    set_dd(x, dd_of(3.5));
    logarithm();
    assert_true(error_of(dd_mul(dd_log(dd_of(3.5)), (dd){1.0, 0x1p-96})) > FUNCTION_BOUND);
}

int main(void)
{
    mpfr_inits2(BITS, x, y, exact, (mpfr_ptr)0);
    const struct CMUnitTest tests[] = {cmocka_unit_test(errors_are_as_stated), cmocka_unit_test(ends),
                                       cmocka_unit_test(a_wrong_value_is_noticed)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    mpfr_clears(x, y, exact, (mpfr_ptr)0);
    mpfr_free_cache();
    return failed;
}
