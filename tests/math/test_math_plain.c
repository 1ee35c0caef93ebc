/* test_math_plain: the functions of math/plain_math.h against MPFR, in ulp of the exact result. */
#include <float.h>
#include <math.h>
#include <mpfr.h>

#include "math/plain_math.h"
#include "support/random_numbers.h"

enum { BITS = 100 };
static mpfr_t x, y, exact; /* made and freed by main */

/* ---- functions, what they should give, and where ---- */

static double pow_of_ten(double a) { return plain_pow(10.0, a); }
static double fifth_power(double a) { return plain_pow(a, 5.0); }
static double root_of_tiny(double a) { return plain_pow(0x1p-150, 1.0 / a); }
static double near_one_to_large(double a) { return plain_pow(1.0 + a, 300.0 / a); }

static void exact_log2(void) { mpfr_log2(exact, x, MPFR_RNDN); }
static void exact_log(void) { mpfr_log(exact, x, MPFR_RNDN); }
static void exact_log1p(void) { mpfr_log1p(exact, x, MPFR_RNDN); }
static void exact_exp(void) { mpfr_exp(exact, x, MPFR_RNDN); }
static void exact_expm1(void) { mpfr_expm1(exact, x, MPFR_RNDN); }
static void exact_sinh(void) { mpfr_sinh(exact, x, MPFR_RNDN); }
static void exact_tanh(void) { mpfr_tanh(exact, x, MPFR_RNDN); }
static void exact_asinh(void) { mpfr_asinh(exact, x, MPFR_RNDN); }
static void exact_erf(void) { mpfr_erf(exact, x, MPFR_RNDN); }
static void exact_erfc(void) { mpfr_erfc(exact, x, MPFR_RNDN); }
static void exact_cos_pi(void)
{
    mpfr_t pi; /* in more bits: near 1/2 the product cancels */
    mpfr_init2(pi, 4 * BITS);
    mpfr_const_pi(pi, MPFR_RNDN);
    mpfr_mul(pi, pi, x, MPFR_RNDN);
    mpfr_cos(exact, pi, MPFR_RNDN);
    if (mpfr_get_exp(exact) < -2 * BITS) mpfr_set_ui(exact, 0, MPFR_RNDN); /* no double is nearer to 1/2 */
    mpfr_clear(pi);
}
static void power(double base, double exponent)
{
    mpfr_set_d(x, base, MPFR_RNDN);
    mpfr_set_d(y, exponent, MPFR_RNDN);
    mpfr_pow(exact, x, y, MPFR_RNDN);
}
static void exact_pow_of_ten(void) { power(10.0, mpfr_get_d(x, MPFR_RNDN)); }
static void exact_fifth_power(void) { power(mpfr_get_d(x, MPFR_RNDN), 5.0); }
static void exact_root_of_tiny(void) { power(0x1p-150, 1.0 / mpfr_get_d(x, MPFR_RNDN)); }
static void exact_near_one(void)
{
    const double a = mpfr_get_d(x, MPFR_RNDN);
    power(1.0 + a, 300.0 / a);
}

typedef struct {
    const char *name;
    double (*get)(double);
    void (*should)(void);
    double bound;    /* ulp */
    double from, to; /* arguments */
    double least;    /* their size, where that is drawn evenly in the logarithm */
    double edges[8]; /* where the method changes; 0: none */
} function;

static const function functions[] = {
    {"exp", plain_exp, exact_exp, 0.52, -745.13, 709.78, 0x1p-70, {-708.396, -744, 709.7827, -745.1, 0.0027, 0.0081}},
    {"expm1", plain_expm1, exact_expm1, 0.7, -45, 100, 0x1p-1074, {0x1p-5, -0x1p-5, 0x1p-60, 60, -40, 709.782}},
    {"log", plain_log, exact_log, 0.52, 0x1p-1074, 1024, 0x1p-1074, {0x1p-1022, 1, 0.9961, 1.0078, 0.6875, 1.375, 2}},
    {"log near 1", plain_log, exact_log, 0.52, 0.6, 1.5, 0.5, {1, 0.9961, 1.0078, 0.6875, 1.375}},
    {"log1p", plain_log1p, exact_log1p, 0.52, -0.9999999, 4, 0x1p-1074, {0x1p-7, -0x1p-7, 0x1p-60, 0x1p60, 0x1p53}},
    {"log2", plain_log2, exact_log2, 0.52, 0x1p-1074, 4, 0x1p-1074, {1, 0x1p-1022, 0.9961, 1.0078, 0.6875}},
    {"pow 10^x", pow_of_ten, exact_pow_of_ten, 0.6, -323, 308.2, 0x1p-40, {1, 2, 22, 308.25, -307.6, -323}},
    {"pow x^5", fifth_power, exact_fifth_power, 0.6, 0x1p-210, 1e61, 0x1p-214, {1, 2, 0x1p-204}},
    {"pow 2^(-150/x)", root_of_tiny, exact_root_of_tiny, 0.6, 1, 1e6, 1, {1, 16, 1024}},
    {"pow (1+x)^(300/x)", near_one_to_large, exact_near_one, 0.6, 1e-9, 0.1, 0x1p-50, {0x1p-7, 0x1p-52}},
    {"sinh", plain_sinh, exact_sinh, 1.7, -710.4, 710.4, 0x1p-1074, {0x1p-5, 0x1p-28, 22, 709.78, 710.475}},
    {"tanh", plain_tanh, exact_tanh, 0.7, -25, 25, 0x1p-1074, {0x1p-6, 0x1p-28, 20, 19, 0.5}},
    {"asinh", plain_asinh, exact_asinh, 2, 0, 1e9, 0x1p-1074, {0x1p28, 1, 0x1p-7}},
    {"cos_pi", plain_cos_pi, exact_cos_pi, 1.2, -3, 3, 0x1p-40, {0.25, 0.5, 0.75, 1, 1.5, 0.49999, 0x1p50}},
    {"erf", plain_erf, exact_erf, 1, -6.5, 6.5, 0x1p-1074, {0.5, 4, 6, 0x1p-500, 5.9}},
    {"erfc", plain_erfc, exact_erfc, 1, -6.5, 27.22, 0x1p-70, {0.5, 4, -0.5, 26.5434, 27.2, 26, 27.226}},
};

/* in units of the last place of the exact result; if that is subnormal, of 2^-1074, and such that 1 is the bound */
static double error_of(double got, double bound)
{
    const double near = fabs(mpfr_get_d(exact, MPFR_RNDZ));
    if (!isfinite(got)) return mpfr_cmp_d(exact, DBL_MAX) > 0 && got > 0 ? 0 : INFINITY;
    mpfr_sub_d(y, exact, got, MPFR_RNDN);
    mpfr_mul_2si(y, y, near < DBL_MIN ? 1074 : 52 - ilogb(near), MPFR_RNDN);
    return fabs(mpfr_get_d(y, MPFR_RNDN)) * (near < DBL_MIN ? bound : 1.0);
}

static double neighbour(double a)
{
    const uint64_t r = test_random(&seed);
    for (int n = (int)(r % 6); n > 0; n--) a = nextafter(a, r >> 63 ? INFINITY : -INFINITY);
    return a;
}

/* the steps of the tables, in all of which arguments change rows */
static double between_rows(const function *f)
{
    const double step = test_random(&seed) & 1 ? 0x1.62e42fefa39efp-9 : 0x1p-8;
    return fmin(f->to, fmax(f->from, neighbour(step * round(uniform(f->from, f->to) / step))));
}

static double of_any_size(const function *f)
{
    const double a = spread(f->least, fmax(-f->from, f->to));
    return a > f->to || (test_random(&seed) & 1 && -a > f->from) ? -a : a;
}

static double at_an_edge(const function *f)
{
    double a;
    do a = f->edges[test_random(&seed) & 7];
    while (a == 0);
    return neighbour(a);
}

static double worst_of(const function *f, int turns)
{
    double worst = 0;
    for (int t = 0; t < turns; t++) {
        const double a = t % 4 == 0   ? uniform(f->from, f->to)
                         : t % 4 == 1 ? between_rows(f)
                         : t % 4 == 2 ? of_any_size(f)
                                      : at_an_edge(f);
        mpfr_set_d(x, a, MPFR_RNDN);
        f->should();
        const double off = error_of(f->get(a), f->bound);
        if (!(off <= worst)) worst = off;
        if (!(off <= f->bound)) print_message("%s(%a): off by %.3f\n", f->name, a, off);
    }
    return worst;
}

static void errors_are_as_stated(void **state)
{
    (void)state;
    bool good = true;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        const bool is_slow = functions[i].should == exact_erf || functions[i].should == exact_erfc; /* in MPFR */
        seed = 100 + i;
        const int turns = is_full() ? 1000000 : is_short() ? 2000 : 100000;
        const double worst = worst_of(&functions[i], is_slow ? turns / 5 : turns);
        print_message("%-18s %.3f of %.2f ulp\n", functions[i].name, worst, functions[i].bound);
        good &= worst <= functions[i].bound;
    }
    assert_true(good);
}

static double log_off(double a) { return plain_log(a) * (1 + 0x1p-52); }

/* the comparison sees one unit of the last place */
static void a_wrong_value_is_noticed(void **state)
{
    (void)state;
    function off = functions[3];
    off.get = log_off;
    off.bound = 4; /* no messages */
    assert_true(worst_of(&off, 1000) > 0.7);
}

int main(void)
{
    mpfr_inits2(BITS, x, y, exact, (mpfr_ptr)0);
    const struct CMUnitTest tests[] = {cmocka_unit_test(errors_are_as_stated),
                                       cmocka_unit_test(a_wrong_value_is_noticed)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    mpfr_clears(x, y, exact, (mpfr_ptr)0);
    mpfr_free_cache();
    return failed;
}
