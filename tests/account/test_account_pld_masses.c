/* test_account_pld_masses: one step on the grid, every rounding, against MPFR (Gaussian: integrals from erfc; Laplace:
 * closed forms) and against what each rounding promises. */
#include "support/test_support.h"

#include <math.h>
#include <mpfr.h>

#include "account/pld.h"
#include "support/laws.h"

enum { BITS = 1400, SAMPLED_BITS = 400 }; /* second differences near 1; sampled, of masses from 1e-40 on */

/* delta(l) of one step at any l, also negative: E[(1 - e^(l - L))+]. */
static void gaussian_curve(mpfr_t out, double s, double h, long i)
{
    mpfr_t l, a, b, e;
    mpfr_inits2(BITS, l, a, b, e, (mpfr_ptr)0);
    mpfr_set_d(l, h, MPFR_RNDN);
    mpfr_mul_si(l, l, i, MPFR_RNDN);
    for (int side = 0; side < 2; side++) { /* Phi(-l s +- 1/(2s)) = erfc((l s -+ 1/(2s)) / sqrt 2) / 2 */
        mpfr_ptr to = side == 0 ? a : b;
        mpfr_set_d(to, side == 0 ? -0.5 : 0.5, MPFR_RNDN);
        mpfr_div_d(to, to, s, MPFR_RNDN);
        mpfr_mul_d(e, l, s, MPFR_RNDN);
        mpfr_add(to, to, e, MPFR_RNDN);
        mpfr_sqrt_ui(e, 2, MPFR_RNDN);
        mpfr_div(to, to, e, MPFR_RNDN);
        mpfr_erfc(to, to, MPFR_RNDN);
    }
    mpfr_exp(e, l, MPFR_RNDN);
    mpfr_mul(b, b, e, MPFR_RNDN);
    mpfr_sub(out, a, b, MPFR_RNDN);
    mpfr_div_ui(out, out, 2, MPFR_RNDN);
    mpfr_clears(l, a, b, e, (mpfr_ptr)0);
}

/* 1 - e^((l - t) / 2) between -t and t */
static void laplace_curve(mpfr_t out, double t, double h, long i)
{
    mpfr_t l, e;
    mpfr_inits2(BITS, l, e, (mpfr_ptr)0);
    mpfr_set_d(l, h, MPFR_RNDN);
    mpfr_mul_si(l, l, i, MPFR_RNDN);
    if (mpfr_cmp_d(l, t) >= 0) {
        mpfr_set_zero(out, 1);
    } else {
        if (mpfr_cmp_d(l, -t) < 0) mpfr_set(e, l, MPFR_RNDN);
        else mpfr_sub_d(e, l, t, MPFR_RNDN), mpfr_div_ui(e, e, 2, MPFR_RNDN);
        mpfr_expm1(e, e, MPFR_RNDN);
        mpfr_neg(out, e, MPFR_RNDN);
    }
    mpfr_clears(l, e, (mpfr_ptr)0);
}

typedef void curve(mpfr_t out, double parameter, double h, long i);

/* Connecting the dots (i h, delta(i h)) by lines in e^epsilon: (d_{i+1} - d_i) / (e^h - 1) - (d_i - d_{i-1}) / (1 -
 * e^-h). d[1] becomes it. */
static void connect(mpfr_t d[3], double h)
{
    mpfr_t e;
    mpfr_init2(e, mpfr_get_prec(d[0]));
    mpfr_sub(d[2], d[2], d[1], MPFR_RNDN);
    mpfr_sub(d[1], d[1], d[0], MPFR_RNDN);
    mpfr_set_d(e, h, MPFR_RNDN);
    mpfr_expm1(e, e, MPFR_RNDN);
    mpfr_div(d[2], d[2], e, MPFR_RNDN);
    mpfr_set_d(e, -h, MPFR_RNDN);
    mpfr_expm1(e, e, MPFR_RNDN);
    mpfr_div(d[1], d[1], e, MPFR_RNDN);
    mpfr_add(d[1], d[2], d[1], MPFR_RNDN);
    mpfr_clear(e);
}

static double dots(curve *f, double parameter, double h, long i)
{
    mpfr_t d[3];
    mpfr_inits2(BITS, d[0], d[1], d[2], (mpfr_ptr)0);
    for (int j = 0; j < 3; j++) f(d[j], parameter, h, i + j - 1);
    connect(d, h);
    const double mass = mpfr_get_d(d[1], MPFR_RNDN);
    mpfr_clears(d[0], d[1], d[2], (mpfr_ptr)0);
    return mass;
}

static simdp_pld *law(bool gaussian, double parameter, double h)
{
    simdp_pld *pld;
    must(simdp_pld_create(&pld, h));
    must(gaussian ? simdp_pld_add_gaussian(pld, parameter, 1) : simdp_pld_add_laplace(pld, parameter, 1));
    return pld;
}

static void dots_connect(void **state)
{
    (void)state;
    static const struct {
        bool gaussian;
        double parameter, h;
    } cases[] = {
        {true, 1, 1e-3},       {true, 1, 0.3},       {true, 1, 3},        {true, 50, 1e-4},
        {true, 0.05, 0.7},     {true, 1000, 1e-4},   {true, 1000, 1e-2},  {false, 0.1, 1e-3},
        {false, 0.1, 0.00037}, {false, 1, 0.3},      {false, 5, 0.011},   {false, 0.1, 0.25},
        {true, 3.7, 0.02},     {false, 2.5, 0x1p-6}, {false, 1e-3, 1e-5}, {true, 0.5, 1e-5},
    };
    double worst = 0;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        const double h = cases[c].h, p = cases[c].parameter, mu = cases[c].gaussian ? 1 / p : p;
        const double reach = cases[c].gaussian ? mu * mu / 2 + 20 * mu : p;
        const long last = (long)ceil(reach / h) + 1, step = last / 24 + 1;
        simdp_pld *pld = law(cases[c].gaussian, p, h);
        for (long i = -last; i <= last; i += step) {
            double mass = 0;
            pld_sink sink = {.mass = &mass, .points = 1, .first = i, .last = i, .grid = h, .rounding = SIMDP_PLD_DOTS};
            simdp_pld_put(&sink, &pld->law[0]);
            const double want = dots(cases[c].gaussian ? gaussian_curve : laplace_curve, p, h, i);
            if (want < 1e-290) continue;
            const double error = fabs(mass - want) / want;
            if (error > worst) worst = error;
            if (!(error <= sink.relative && sink.relative < 1e-12))
                fail_msg("case %zu, index %ld: %.17g, want %.17g, error %.2g, bound %.2g", c, i, mass, want, error,
                         sink.relative);
        }
        simdp_pld_destroy(pld);
    }
    print_message("worst relative error of a mass: %.2g\n", worst);
}

/* Masses of all losses, their number per side. */
static double *all_masses(simdp_pld *pld, long last, simdp_pld_rounding rounding)
{
    double *mass = malloc((size_t)(2 * last + 1) * sizeof *mass);
    assert_non_null(mass);
    must(simdp_pld_masses(pld, mass, (size_t)(2 * last + 1), -last, 0, rounding));
    return mass;
}

/* Mass under P and under Q are kept by DOTS; all mass by UP and DOWN, and by BINS of Laplace. */
static void masses_add_up(void **state)
{
    (void)state;
    static const struct {
        bool gaussian;
        double parameter, h;
    } cases[] = {{true, 1, 1e-2},    {true, 20, 1e-3},     {true, 1, 0.5},
                 {false, 0.7, 1e-2}, {false, 0.1, 0.0013}, {false, 3, 0.5}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        const double h = cases[c].h, p = cases[c].parameter;
        const double reach = cases[c].gaussian ? 1 / (p * p) + 12 / p : p;
        const long last = (long)ceil(reach / h) + 2;
        simdp_pld *pld = law(cases[c].gaussian, p, h);
        for (simdp_pld_rounding r = SIMDP_PLD_UP; r <= SIMDP_PLD_BINS; r++) {
            double *mass = all_masses(pld, last, r);
            long double sum = 0, under_q = 0;
            for (long i = -last; i <= last; i++)
                sum += mass[i + last], under_q += mass[i + last] * expl(-(long double)i * h);
            assert_true(fabsl(sum - 1) < 1e-12);
            if (r == SIMDP_PLD_DOTS) assert_true(fabsl(under_q - 1) < 1e-12);
            if (r == SIMDP_PLD_UP) assert_true(under_q < 1);
            if (r == SIMDP_PLD_DOWN || (r == SIMDP_PLD_BINS && !cases[c].gaussian)) assert_true(under_q > 1 - 1e-12);
            free(mass);
        }
        simdp_pld_destroy(pld);
    }
}

/* delta of one step from masses, at epsilon. */
static long double delta_of(const double *mass, long last, double h, long double epsilon)
{
    long double delta = 0;
    for (long i = -last; i <= last; i++) {
        const long double l = (long double)i * h;
        if (l > epsilon) delta -= mass[i + last] * expm1l(epsilon - l);
    }
    return delta;
}

/* Order of the curves between and on grid points, and how close they come: DOTS and BINS by the square of the grid. The
 * control: each rounding on the wrong side is seen. */
static void curves_of_one_step(void **state)
{
    (void)state;
    static const struct {
        bool gaussian;
        double parameter, h;
    } cases[] = {{true, 1, 1e-2}, {true, 5, 1e-2}, {true, 0.4, 0.03}, {false, 0.7, 1e-2}, {false, 2, 0.02}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        const double h = cases[c].h, p = cases[c].parameter;
        const double reach = cases[c].gaussian ? 1 / (p * p) + 12 / p : p;
        const long last = (long)ceil(reach / h) + 2;
        simdp_pld *pld = law(cases[c].gaussian, p, h);
        double *mass[SIMDP_PLD_BINS + 1];
        size_t wrong_side[SIMDP_PLD_BINS + 1] = {0};
        for (simdp_pld_rounding r = SIMDP_PLD_UP; r <= SIMDP_PLD_BINS; r++) mass[r] = all_masses(pld, last, r);
        for (double epsilon = 0; epsilon < reach * 0.9; epsilon += reach / 97) {
            double exact;
            must(cases[c].gaussian ? simdp_loss_log_delta(&exact, &epsilon, 1, law_gaussian(p))
                                   : simdp_loss_log_delta(&exact, &epsilon, 1, law_laplace(p)));
            exact = exp(exact);
            long double delta[SIMDP_PLD_BINS + 1];
            for (simdp_pld_rounding r = SIMDP_PLD_UP; r <= SIMDP_PLD_BINS; r++) {
                delta[r] = delta_of(mass[r], last, h, epsilon);
                const bool upper = r == SIMDP_PLD_UP || r == SIMDP_PLD_DOTS;
                const long double error = (delta[r] - exact) / exact;
                assert_true(upper ? error > -1e-12 : error < 1e-12);
                wrong_side[r] += upper ? error > 1e-12 : error < -1e-12;
            }
            assert_true(delta[SIMDP_PLD_DOTS] <= delta[SIMDP_PLD_UP] * (1 + 1e-12));
            assert_true(delta[SIMDP_PLD_BINS] >= delta[SIMDP_PLD_DOWN] * (1 - 1e-12));
            /* the curvature of ln delta against epsilon bounds second-order errors */
            const double steep = cases[c].gaussian ? epsilon * p * p + 2 : 1 / (2 * (p - epsilon)) + 2;
            assert_true(delta[SIMDP_PLD_DOTS] - exact <= exact * h * h * steep * steep);
            assert_true(exact - delta[SIMDP_PLD_BINS] <= exact * h * h * steep * steep);
        }
        for (simdp_pld_rounding r = SIMDP_PLD_UP; r <= SIMDP_PLD_BINS; r++) {
            assert_true(wrong_side[r] > 40); /* a bound exchanged for its opposite would not pass the lines above */
            free(mass[r]);
        }
        simdp_pld_destroy(pld);
    }
}

static void single_outcomes(void **state)
{
    (void)state;
    const double p[] = {0.5, 0.25, 0.25}, q[] = {0.25, 0.25, 0.5}, ln2 = log(2);
    double mass[9];
    simdp_pld *pld;
    /* on the grid: nothing moves (up to the rounding of ln 2, in which the grid is taken) */
    must(simdp_pld_create(&pld, ln2));
    must(simdp_pld_add_pair(pld, p, q, 3, 1));
    for (simdp_pld_rounding r = SIMDP_PLD_DOTS; r <= SIMDP_PLD_BINS; r++) {
        must(simdp_pld_masses(pld, mass, 5, -2, 0, r));
        const double want[] = {0, 0.25, 0.25, 0.5, 0};
        for (int i = 0; i < 5; i++) assert_true(fabs(mass[i] - want[i]) < 1e-15);
    }
    simdp_pld_destroy(pld);
    /* between: 0.3 of the way in e^-l */
    must(simdp_pld_create(&pld, ln2 / 4 * 3));
    must(simdp_pld_add_pair(pld, p, q, 3, 1));
    must(simdp_pld_masses(pld, mass, 9, -4, 0, SIMDP_PLD_UP));
    assert_true(mass[6] == 0.5 && mass[4] == 0.25 && mass[3] == 0.25);
    must(simdp_pld_masses(pld, mass, 9, -4, 0, SIMDP_PLD_DOWN));
    assert_true(mass[5] == 0.5 && mass[4] == 0.25 && mass[2] == 0.25);
    must(simdp_pld_masses(pld, mass, 9, -4, 0, SIMDP_PLD_DOTS));
    const double h = ln2 / 4 * 3, up = (1 - exp(h - ln2)) / (1 - exp(-h));
    assert_true(fabs(mass[6] - 0.5 * up) < 1e-15 && fabs(mass[5] - 0.5 * (1 - up)) < 1e-15);
    simdp_pld_destroy(pld);
}

/* ---- sampled steps ---- */

typedef struct {
    bool gaussian, added;
    double parameter, q, h, tilt; /* parameter: mu of Gaussian, t of Laplace noise */
} sampled_case;

/* P[l > x] under M0 and M1, l = ln M1/M0. */
static void tails(mpfr_t under_m0, mpfr_t under_m1, const sampled_case *c, mpfr_t x)
{
    mpfr_t e;
    mpfr_init2(e, SAMPLED_BITS);
    if (c->gaussian) { /* l is N(-mu^2/2, mu^2) or N(mu^2/2, mu^2) */
        for (int m = 0; m < 2; m++) {
            mpfr_ptr to = m == 0 ? under_m0 : under_m1;
            mpfr_div_d(to, x, c->parameter, MPFR_RNDN);
            mpfr_add_d(to, to, m == 0 ? c->parameter / 2 : -c->parameter / 2, MPFR_RNDN);
            mpfr_sqrt_ui(e, 2, MPFR_RNDN);
            mpfr_div(to, to, e, MPFR_RNDN);
            mpfr_erfc(to, to, MPFR_RNDN);
            mpfr_div_ui(to, to, 2, MPFR_RNDN);
        }
    } else if (mpfr_cmp_d(x, c->parameter) >= 0 || mpfr_cmp_d(x, -c->parameter) < 0) {
        mpfr_set_ui(under_m0, mpfr_sgn(x) < 0, MPFR_RNDN), mpfr_set_ui(under_m1, mpfr_sgn(x) < 0, MPFR_RNDN);
    } else { /* e^(-(x + t)/2)/2, 1 - e^((x - t)/2)/2 */
        mpfr_add_d(e, x, c->parameter, MPFR_RNDN), mpfr_div_si(e, e, -2, MPFR_RNDN), mpfr_exp(e, e, MPFR_RNDN);
        mpfr_div_ui(under_m0, e, 2, MPFR_RNDN);
        mpfr_sub_d(e, x, c->parameter, MPFR_RNDN), mpfr_div_ui(e, e, 2, MPFR_RNDN), mpfr_exp(e, e, MPFR_RNDN);
        mpfr_div_ui(e, e, 2, MPFR_RNDN), mpfr_ui_sub(under_m1, 1, e, MPFR_RNDN);
    }
    mpfr_clear(e);
}

/* delta at epsilon = i h, also negative. Removed: what P = (1-q) M0 + q M1 has where L > epsilon, less e^epsilon times
 * what M0 has; added: the same with M0 and P exchanged, where L < -epsilon. */
static void sampled_curve(mpfr_t out, const sampled_case *c, long i)
{
    mpfr_t l, m0, m1, e;
    mpfr_inits2(SAMPLED_BITS, l, m0, m1, e, (mpfr_ptr)0);
    mpfr_set_d(l, c->h, MPFR_RNDN);
    mpfr_mul_si(l, l, c->added ? -i : i, MPFR_RNDN);
    mpfr_exp(e, l, MPFR_RNDN);
    mpfr_sub_ui(l, e, 1, MPFR_RNDN), mpfr_add_d(l, l, c->q, MPFR_RNDN), mpfr_div_d(l, l, c->q, MPFR_RNDN);
    if (mpfr_sgn(l) > 0) mpfr_log(l, l, MPFR_RNDN), tails(m0, m1, c, l);
    else mpfr_set_ui(m0, 1, MPFR_RNDN), mpfr_set_ui(m1, 1, MPFR_RNDN);
    if (c->added) mpfr_ui_sub(m0, 1, m0, MPFR_RNDN), mpfr_ui_sub(m1, 1, m1, MPFR_RNDN), mpfr_ui_div(e, 1, e, MPFR_RNDN);
    mpfr_sub(m1, m1, m0, MPFR_RNDN), mpfr_mul_d(m1, m1, c->q, MPFR_RNDN), mpfr_add(m1, m1, m0, MPFR_RNDN); /* P */
    mpfr_ptr first = c->added ? m0 : m1, second = c->added ? m1 : m0;
    mpfr_mul(e, e, second, MPFR_RNDN);
    mpfr_sub(out, first, e, MPFR_RNDN);
    mpfr_clears(l, m0, m1, e, (mpfr_ptr)0);
}

static void second_difference(mpfr_t out, const sampled_case *c, int64_t i)
{
    mpfr_t d[3];
    mpfr_inits2(SAMPLED_BITS, d[0], d[1], d[2], (mpfr_ptr)0);
    for (int j = 0; j < 3; j++) sampled_curve(d[j], c, (long)i + j - 1);
    connect(d, c->h);
    mpfr_set(out, d[1], MPFR_RNDN);
    mpfr_clears(d[0], d[1], d[2], (mpfr_ptr)0);
}

/* Quadratures of sampled steps: each mass is within the error that the sink states, of rounding and of the places of
 * the cells' ends. */
static void sampled_steps(void **state)
{
    (void)state;
    static const sampled_case cases[] = {
        {true, false, 0.9, 0.004, 1e-3, 0}, {true, true, 0.9, 0.004, 1e-3, 0},   {true, false, 0.9, 0.004, 1e-3, 9},
        {true, true, 0.9, 0.004, 1e-3, 9},  {true, false, 3, 1e-6, 0.01, 2},     {true, true, 3, 1e-6, 1e-4, 2},
        {true, false, 0.1, 0.5, 0.02, 40},  {true, false, 0.01, 0.1, 1e-4, 300}, {true, false, 20, 0.01, 0.7, 0.5},
        {true, true, 20, 0.01, 1e-3, 30},   {true, false, 64, 1e-8, 5, 0.25},    {true, false, 1, 0.2, 3, 0},
        {true, true, 2, 0.9, 0.3, 0.5},     {true, false, 1e-3, 0.3, 1e-5, 0},   {true, false, 1, 1e-8, 1e-4, 100},
        {false, false, 1, 0.1, 1e-3, 0},    {false, true, 1, 0.1, 1e-3, 3},      {false, false, 30, 1e-4, 0.05, 1},
        {false, true, 30, 0.3, 1e-3, 1},    {false, false, 500, 0.01, 3, 0.5},   {false, false, 0.01, 0.7, 1e-4, 50}};
    double worst = 0;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const sampled_case *c = &cases[k];
        simdp_pld *pld;
        must(simdp_pld_create(&pld, c->h));
        must(c->gaussian ? simdp_pld_add_gaussian_sampled(pld, 1 / c->parameter, c->q, 1)
                         : simdp_pld_add_laplace_sampled(pld, c->parameter, c->q, 1));
        simdp_pld_law_turn(&pld->law[0], c->added);
        const double log_norm = simdp_pld_cumulant(&pld->law[0], c->h, c->tilt);
        int64_t first, last;
        simdp_pld_reach(&pld->law[0], c->h, c->tilt, -60, &first, &last);
        const int64_t step = (last - first) / 16 + 1;
        for (int64_t i = first; i <= last; i += step) {
            double mass = 0;
            pld_sink sink = {.mass = &mass,
                             .points = 1,
                             .first = i,
                             .last = i,
                             .grid = c->h,
                             .tilt = c->tilt,
                             .log_norm = log_norm,
                             .rounding = SIMDP_PLD_DOTS};
            simdp_pld_put(&sink, &pld->law[0]);
            mpfr_t want, e;
            mpfr_inits2(SAMPLED_BITS, want, e, (mpfr_ptr)0);
            second_difference(want, c, i);
            mpfr_set_d(e, c->h, MPFR_RNDN), mpfr_mul_si(e, e, (long)i, MPFR_RNDN), mpfr_mul_d(e, e, c->tilt, MPFR_RNDN);
            mpfr_sub_d(e, e, log_norm, MPFR_RNDN), mpfr_exp(e, e, MPFR_RNDN), mpfr_mul(want, want, e, MPFR_RNDN);
            const double truth = mpfr_get_d(want, MPFR_RNDN);
            mpfr_clears(want, e, (mpfr_ptr)0);
            if (truth < 1e-40) continue;
            const double error = fabs(mass - truth) / truth, bound = sink.relative + 4 * sink.slop / c->h;
            worst = fmax(worst, error / bound);
            if (!(error <= bound && bound < 1e-6))
                fail_msg("case %zu, index %ld: %.17g, want %.17g, error %.2g, bound %.2g", k, (long)i, mass, truth,
                         error, bound);
        }
        simdp_pld_destroy(pld);
    }
    print_message("largest part of its bound that the error of a sampled mass takes: %.2g\n", worst);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dots_connect),       cmocka_unit_test(sampled_steps),   cmocka_unit_test(masses_add_up),
        cmocka_unit_test(curves_of_one_step), cmocka_unit_test(single_outcomes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
