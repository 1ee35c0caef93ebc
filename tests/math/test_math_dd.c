/* test_math_dd: double-double functions against MPFR with 1024 bits, for edge and random arguments. Errors are
 * relative, in units of 2^-106; the bounds are those that math/dd.inc states. */
#include <math.h>
#include <mpfr.h>

#include "dd_ops.h"
#include "support/test_support.h"

#define CHUNK 4096

static mpfr_t x, y, exact, scratch; /* 1024 bits each; made and freed by main */

static void set_dd(mpfr_t to, double hi, double lo)
{
    mpfr_set_d(to, hi, MPFR_RNDN);
    mpfr_add_d(to, to, lo, MPFR_RNDN);
}

static uint64_t bits_of(double d)
{
    uint64_t word;
    memcpy(&word, &d, sizeof word);
    return word;
}

/* ---- what each function should give, from x and y (or a's bits), into exact ---- */

static void add(const double *a, const double *b) { (void)a, (void)b, mpfr_add(exact, x, y, MPFR_RNDN); }
static void sub(const double *a, const double *b) { (void)a, (void)b, mpfr_sub(exact, x, y, MPFR_RNDN); }
static void add_d(const double *a, const double *b) { (void)a, mpfr_add_d(exact, x, b[0], MPFR_RNDN); }
static void two_sum(const double *a, const double *b) { set_dd(exact, a[0], b[0]); }
static void two_prod(const double *a, const double *b)
{
    mpfr_set_d(exact, a[0], MPFR_RNDN);
    mpfr_mul_d(exact, exact, b[0], MPFR_RNDN);
}
static void mul(const double *a, const double *b) { (void)a, (void)b, mpfr_mul(exact, x, y, MPFR_RNDN); }
static void mul_d(const double *a, const double *b) { (void)a, mpfr_mul_d(exact, x, b[0], MPFR_RNDN); }
static void quotient(const double *a, const double *b) { (void)a, (void)b, mpfr_div(exact, x, y, MPFR_RNDN); }
static void root(const double *a, const double *b) { (void)a, (void)b, mpfr_sqrt(exact, x, MPFR_RNDN); }
static void from_u64(const double *a, const double *b)
{
    (void)b;
    mpfr_set_ui_2exp(exact, bits_of(a[0]), -64, MPFR_RNDN);
}
static void from_u128(const double *a, const double *b)
{
    from_u64(a, b);
    mpfr_set_ui_2exp(scratch, bits_of(a[1]), -128, MPFR_RNDN);
    mpfr_add(exact, exact, scratch, MPFR_RNDN);
}
static void logarithm(const double *a, const double *b) { (void)a, (void)b, mpfr_log(exact, x, MPFR_RNDN); }
static void neg_log(const double *a, const double *b)
{
    logarithm(a, b);
    mpfr_neg(exact, exact, MPFR_RNDN);
}
static void neg_log1m(const double *a, const double *b)
{
    (void)a, (void)b;
    mpfr_neg(exact, x, MPFR_RNDN);
    mpfr_log1p(exact, exact, MPFR_RNDN);
    mpfr_neg(exact, exact, MPFR_RNDN);
}
static void angle(void) /* pi x / 4, into scratch */
{
    mpfr_const_pi(scratch, MPFR_RNDN);
    mpfr_mul(scratch, scratch, x, MPFR_RNDN);
    mpfr_div_2ui(scratch, scratch, 2, MPFR_RNDN);
}
static void sine(const double *a, const double *b) { (void)a, (void)b, angle(), mpfr_sin(exact, scratch, MPFR_RNDN); }
static void cosine(const double *a, const double *b) { (void)a, (void)b, angle(), mpfr_cos(exact, scratch, MPFR_RNDN); }

static const struct {
    const char *name;
    void (*reference)(const double *a, const double *b);
    double bound;
} claims[] = {
    {"add", add, 3.01},
    {"sub", sub, 3.01},
    {"add_d", add_d, 2.0},
    {"two_sum", two_sum, 0.0},
    {"two_prod", two_prod, 0.0},
    {"mul", mul, 5.0},
    {"mul_d", mul_d, 2.0},
    {"div", quotient, 16.0},
    {"sqrt", root, 3.13},
    {"from_u64", from_u64, 0.0},
    {"from_u128", from_u128, 3.01},
    {"log", logarithm, 64.0},
    {"neg_log", neg_log, 64.0},
    {"neg_log1m", neg_log1m, 64.0},
    {"sine", sine, 16.0},
    {"cosine", cosine, 16.0},
    {"short_mul", mul, 110.0},
    {"short_div", quotient, 250.0},
    {"short_from_u128", from_u128, 5.0},
    {"short_neg_log", neg_log, 500.0}, /* in parts of itself: twice what k ln2 is off by, or that of the series */
    {"short_sine", sine, 310.0},
    {"short_cosine", cosine, 200.0},
};

/* The error of (hi, lo), after a reference; infinite if it is not a normalized pair. */
static double error_of(double hi, double lo)
{
    if (!(hi + lo == hi)) return INFINITY;
    set_dd(scratch, hi, lo);
    mpfr_sub(scratch, scratch, exact, MPFR_RNDN);
    if (mpfr_zero_p(scratch)) return 0.0;
    if (mpfr_zero_p(exact)) return INFINITY;
    mpfr_div(scratch, scratch, exact, MPFR_RNDN);
    mpfr_mul_2ui(scratch, scratch, 106, MPFR_RNDN);
    return fabs(mpfr_get_d(scratch, MPFR_RNDU));
}

/* The worst errors of function k over the first n cases: as it is, and, for control, with lo left away. */
static void measure(size_t k, size_t n, double *worst, double *worst_high, double at[4])
{
    static double a[2][CHUNK], b[2][CHUNK], out[2][CHUNK];
    const dd_array a_array = {a[0], a[1]}, b_array = {b[0], b[1]}, out_array = {out[0], out[1]};
    *worst = *worst_high = -1.0;
    for (size_t first = 0; first < n; first += CHUNK) {
        for (size_t i = 0; i < CHUNK; i++) {
            double p[2], q[2];
            dd_argument(dd_ops_scalar[k].domain, first + i, p, q);
            a[0][i] = p[0], a[1][i] = p[1], b[0][i] = q[0], b[1][i] = q[1];
        }
        dd_ops_scalar[k].run(out_array, a_array, b_array, CHUNK);
        for (size_t i = 0; i < CHUNK; i++) {
            const double p[2] = {a[0][i], a[1][i]}, q[2] = {b[0][i], b[1][i]};
            if (dd_ops_scalar[k].domain != DD_WORDS) set_dd(x, p[0], p[1]), set_dd(y, q[0], q[1]);
            claims[k].reference(p, q);
            const double error = error_of(out[0][i], out[1][i]), high = error_of(out[0][i], 0.0);
            if (error > *worst) {
                *worst = error;
                memcpy(at, (double[4]){p[0], p[1], q[0], q[1]}, 4 * sizeof *at);
            }
            if (high > *worst_high) *worst_high = high;
        }
    }
}

static void test_bounds(void **state)
{
    (void)state;
    const size_t n = is_full() ? 1 << 20 : 1 << 14;
    bool all = true;
    for (size_t k = 0; k < sizeof claims / sizeof claims[0]; k++) {
        double worst, worst_high, at[4] = {0};
        assert_string_equal(claims[k].name, dd_ops_scalar[k].name);
        measure(k, n, &worst, &worst_high, at);
        print_message("%-10s n %zu  worst %6.3f, bound %5.2f units of 2^-106  at (%a, %a), (%a, %a)\n", claims[k].name,
                      n, worst, claims[k].bound, at[0], at[1], at[2], at[3]);
        if (!(worst <= claims[k].bound)) print_message("%-10s OUT OF BOUNDS\n", claims[k].name), all = false;
        if (!(worst_high > claims[k].bound)) print_message("%-10s control passed\n", claims[k].name), all = false;
    }
    assert_null(dd_ops_scalar[sizeof claims / sizeof claims[0]].name);
    assert_true(all);
}

/* Where the result is known exactly. */
static void test_exact_points(void **state)
{
    (void)state;
    const double zero[8] = {0}, one[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    double hi[8], lo[8], a_hi[8], a_lo[8];
    memcpy(a_lo, zero, sizeof zero);
    for (size_t k = 0; dd_ops_scalar[k].name != NULL; k++) {
        const char *name = dd_ops_scalar[k].name;
        const bool of_one = strcmp(name, "log") == 0 || strcmp(name, "neg_log") == 0;
        const bool of_zero = strcmp(name, "sqrt") == 0 || strcmp(name, "neg_log1m") == 0 || strcmp(name, "sine") == 0;
        if (!of_one && !of_zero) continue;
        memcpy(a_hi, of_one ? one : zero, sizeof zero);
        dd_ops_scalar[k].run((dd_array){hi, lo}, (dd_array){a_hi, a_lo}, (dd_array){a_hi, a_lo}, 8);
        for (int i = 0; i < 8; i++) assert_true(hi[i] == 0.0 && lo[i] == 0.0);
    }
}

int main(void)
{
    mpfr_inits2(1024, x, y, exact, scratch, (mpfr_ptr)0);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_exact_points),
    };
    const int failed = cmocka_run_group_tests_name("math_dd", tests, NULL, NULL);
    mpfr_clears(x, y, exact, scratch, (mpfr_ptr)0);
    mpfr_free_cache();
    return failed;
}
