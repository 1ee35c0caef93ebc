/* test_property_pld: privacy-loss distributions against exact compositions: every bracket holds its truth, however the
 * steps were appended, whatever they lack of 1 or have above it; masses of one step, grids; property.h has the rules.
 */
#include "property/pld_truth.h"

#include <stdio.h>

/* ---- a sequence: what it is made of, how it is appended and asked ---- */

typedef enum { PAIR, HISTOGRAM, RESPONSE, GAUSSIAN, LAPLACE, DISCRETE_LAPLACE, KINDS } law_kind;

enum {
    KIND,
    TIMES,
    GRID,
    ROUNDING, /* 0: DOTS and BINS; 1: UP and DOWN */
    WAY,      /* 0: at once; 1: in two parts; 2: the second part after the first was composed */
    EPSILON,
    DELTA_DOWN, /* the truth at EPSILON as a double below, and above it */
    DELTA_UP,
    LEAST,              /* the range of delta asked for begins here */
    OUTCOMES,           /* of a pair or a histogram */
    P,                  /* t, s, epsilon and leak, scale and sensitivity; or masses under P */
    Q = P + ATOMS_MOST, /* masses under Q; or first, and infinite */
    ARGUMENTS = Q + ATOMS_MOST
};

static simdp_status append(simdp_pld *pld, const double *a, uint64_t times)
{
    const size_t n = (size_t)a[OUTCOMES];
    switch ((law_kind)a[KIND]) {
    case PAIR: return simdp_pld_add_pair(pld, a + P, a + Q, n, times);
    case HISTOGRAM: return simdp_pld_add_histogram(pld, a + P, n, (int64_t)a[Q], a[Q + 1], times);
    case RESPONSE: return simdp_pld_add_randomized_response(pld, a[P], a[P + 1], times);
    case GAUSSIAN: return simdp_pld_add_gaussian(pld, a[P], times);
    case LAPLACE: return simdp_pld_add_laplace(pld, a[P], times);
    default: return simdp_pld_add_discrete_laplace(pld, a[P], (uint64_t)a[P + 1], times);
    }
}

static simdp_status compose(simdp_pld *pld, const double *a)
{
    return simdp_pld_compose(pld, a[LEAST], 1.0, a[ROUNDING] == 0.0 ? SIMDP_PLD_DOTS : SIMDP_PLD_UP,
                             a[ROUNDING] == 0.0 ? SIMDP_PLD_BINS : SIMDP_PLD_DOWN, NULL, NULL);
}

static simdp_status sequence(simdp_pld **pld, const double *a)
{
    const uint64_t k = (uint64_t)a[TIMES], part = a[WAY] == 0.0 ? k : k / 2;
    simdp_status status = simdp_pld_create(pld, a[GRID]);
    if (status == SIMDP_OK) status = append(*pld, a, part);
    if (status == SIMDP_OK && a[WAY] == 2.0) status = compose(*pld, a);
    if (status == SIMDP_OK && a[WAY] > 0.0) status = append(*pld, a, k - part);
    if (status == SIMDP_OK && a[WAY] == 2.0 && k > part) { /* what was composed before must not answer */
        double upper;
        if (simdp_pld_delta(*pld, NULL, &upper, &a[EPSILON], 1) != SIMDP_EPARAM || !isnan(upper)) return SIMDP_ESOURCE;
    }
    if (status == SIMDP_OK) status = compose(*pld, a);
    return status;
}

/* ---- its truth ---- */

/* The law of a finite mechanism as the bound on this side must take it: what entries lack of 1 counts as infinite for
 * the upper bound, what they have above 1 is taken off all of them for the lower one. */
static void close_finite(finite_law *law, bool upper)
{
    mpfr_ptr sum = truth_number(10);
    mpfr_set(sum, law->infinite, RND);
    for (int i = 0; i < law->n; i++) mpfr_add(sum, sum, law->p[i], RND);
    if (upper && mpfr_cmp_ui(sum, 1) < 0) {
        mpfr_ui_sub(sum, 1, sum, RND);
        mpfr_add(law->infinite, law->infinite, sum, RND);
    } else if (!upper && mpfr_cmp_ui(sum, 1) > 0) {
        mpfr_div(law->infinite, law->infinite, sum, RND);
        for (int i = 0; i < law->n; i++) {
            mpfr_div(law->p[i], law->p[i], sum, RND);
            mpfr_div(law->q[i], law->q[i], sum, RND); /* the loss stays */
        }
    }
}

static finite_law *pair_law(const double *a)
{
    finite_law *law = finite_law_of(0);
    for (int i = 0; i < (int)a[OUTCOMES]; i++) {
        if (a[Q + i] == 0.0) {
            mpfr_add_d(law->infinite, law->infinite, a[P + i], RND);
        } else if (a[P + i] > 0.0) {
            mpfr_set_d(law->p[law->n], a[P + i], RND);
            mpfr_set_d(law->q[law->n++], a[Q + i], RND);
        }
    }
    return law;
}

static finite_law *histogram_law(const double *a)
{
    finite_law *law = finite_law_of(0);
    mpfr_set_d(law->infinite, a[Q + 1], RND);
    for (int i = 0; i < (int)a[OUTCOMES]; i++) {
        if (a[P + i] == 0.0) continue;
        mpfr_ptr q = law->q[law->n]; /* e^-loss */
        mpfr_set_d(q, a[GRID], RND);
        mpfr_mul_d(q, q, -(a[Q] + i), RND);
        mpfr_exp(q, q, RND);
        mpfr_mul_d(q, q, a[P + i], RND);
        mpfr_set_d(law->p[law->n++], a[P + i], RND);
    }
    return law;
}

static finite_law *response_law(const double *a)
{
    finite_law *law = finite_law_of(a[P + 1] < 1.0 ? 2 : 0);
    mpfr_ptr e = truth_number(11);
    mpfr_set_d(law->infinite, a[P + 1], RND);
    mpfr_set_d(e, -a[P], RND);
    mpfr_exp(e, e, RND);
    mpfr_add_ui(law->p[0], e, 1, RND); /* (1 - leak)/(1 + e^-epsilon) */
    mpfr_ui_sub(law->q[0], 1, law->infinite, RND);
    mpfr_div(law->p[0], law->q[0], law->p[0], RND);
    mpfr_mul(law->p[1], law->p[0], e, RND);
    mpfr_set(law->q[0], law->p[1], RND);
    mpfr_set(law->q[1], law->p[0], RND);
    return law;
}

/* Outcomes 0 and below, 1 .. D - 1, D and above; under Q in the opposite order. */
static finite_law *discrete_laplace_law(const double *a)
{
    const int d = (int)a[P + 1];
    finite_law *law = finite_law_of(d + 1);
    mpfr_ptr e = truth_number(11), tail = truth_number(12), power = truth_number(13);
    mpfr_set_d(e, -1.0, RND); /* e = e^(-1/scale) */
    mpfr_div_d(e, e, a[P], RND);
    mpfr_expm1(power, e, RND);
    mpfr_exp(e, e, RND);
    mpfr_add_ui(tail, e, 1, RND);
    mpfr_ui_div(tail, 1, tail, RND);
    mpfr_neg(power, power, RND); /* P[X = x] = (1 - e)/(1 + e) e^x */
    mpfr_mul(power, power, tail, RND);
    for (int x = 0; x <= d; x++) {
        mpfr_set(law->p[x], x == 0 || x == d ? tail : power, RND);
        for (int j = 0; j < x; j++) mpfr_mul(law->p[x], law->p[x], e, RND);
    }
    if (d == 0) mpfr_set_ui(law->p[0], 1, RND);
    for (int x = 0; x <= d; x++) mpfr_set(law->q[x], law->p[d - x], RND);
    return law;
}

static void exact_delta(mpfr_ptr out, const double *a, bool upper)
{
    finite_law *law;
    switch ((law_kind)a[KIND]) {
    case GAUSSIAN: gaussian_delta(out, a[P], a[TIMES], a[EPSILON]); return;
    case LAPLACE: laplace_delta(out, a[P], (int)a[TIMES], a[EPSILON]); return;
    case PAIR: law = pair_law(a); break;
    case HISTOGRAM: law = histogram_law(a); break;
    case RESPONSE: law = response_law(a); break;
    default: law = discrete_laplace_law(a);
    }
    if (a[KIND] == PAIR || a[KIND] == HISTOGRAM) close_finite(law, upper);
    finite_delta(out, law, a[TIMES], a[EPSILON]);
}

/* ---- drawing ---- */

/* Masses that add up to 1 but for rounding; now and then for less or more than that, or exactly. */
static void draw_masses(property_random *r, double *p, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += p[i] = property_chance(r, 0.2) ? property_log_uniform(r, 1e-30, 1) : property_uniform(r);
    const double off =
        property_chance(r, 0.3) ? property_log_uniform(r, 1e-16, 9e-10) * (property_chance(r, 0.5) ? 1 : -1) : 0;
    for (int i = 0; i < n; i++) p[i] = fmin(1.0, p[i] / sum * (1.0 + off));
    if (property_chance(r, 0.4)) { /* of 2^-50 each, and what is left to the first: exactly 1 */
        double rest = 1.0;
        for (int i = 1; i < n; i++) rest -= p[i] = floor(p[i] * 0x1p50) * 0x1p-50;
        p[0] = fmax(0.0, rest);
    }
}

/* How many steps of n outcomes the truth can enumerate. */
static double few_steps(property_random *r, int n)
{
    static const double most[] = {1000, 1000, 400, 25, 10, 6};
    return floor(property_log_uniform(r, 1, most[n]));
}

static double largest_loss(const double *p, const double *q, int n)
{
    double most = 1e-3;
    for (int i = 0; i < n; i++) {
        if (p[i] > 0.0 && q[i] > 0.0) most = fmax(most, fabs(log(p[i]) - log(q[i])));
    }
    return fmin(most, 1e6);
}

/* Everything but the range of delta and the question; *most: the largest loss of a step, or its deviation */
static void draw_law(property_random *r, double *a, double *most)
{
    const int n = 2 + (int)property_below(r, 3);
    a[OUTCOMES] = n;
    switch ((law_kind)a[KIND]) {
    case PAIR:
        draw_masses(r, a + P, n);
        draw_masses(r, a + Q, n);
        if (property_chance(r, 0.3))
            for (int i = 0; i < n; i++) a[Q + i] = fmin(1.0, a[P + i] * (1.0 + 0.1 * (property_uniform(r) - 0.5)));
        if (property_chance(r, 0.2)) a[Q + 1] = 0.0;
        if (property_chance(r, 0.05)) a[Q + 1] = a[Q] = 0x1p-1060;
        *most = largest_loss(a + P, a + Q, n);
        a[TIMES] = few_steps(r, n);
        if (property_chance(r, 0.2)) { /* many steps that cost nothing but a leak, or what is missing */
            a[P] = a[Q] = 1.0 - property_log_uniform(r, 1e-16, 1e-10);
            a[P + 1] = property_chance(r, 0.5) ? 0.0 : 1.0 - a[P], a[Q + 1] = 0.0;
            a[OUTCOMES] = 2, a[TIMES] = (double)property_count(r, 1000000000000000);
            *most = 1e-3;
        }
        break;
    case HISTOGRAM:
        draw_masses(r, a + P, n);
        a[Q] = (double)property_below(r, 9) - 4.0 - n / 2;
        if (property_chance(r, 0.3)) a[Q + 1] = a[P], a[P] = 0.0;
        a[TIMES] = few_steps(r, n);
        *most = 6;
        break;
    case RESPONSE:
        a[P] = *most = property_chance(r, 0.1) ? property_log_uniform(r, 1, 600) : property_log_uniform(r, 1e-3, 3);
        a[P + 1] = property_chance(r, 0.4) ? 0.0 : property_delta_open(r);
        a[TIMES] = few_steps(r, 2) * (property_chance(r, 0.1) ? 50 : 1);
        break;
    case GAUSSIAN:
        a[TIMES] = property_chance(r, 0.01) ? 1e12 : fmax(1.0, (double)property_count(r, 1000000));
        a[P] = fmin(1e12, sqrt(a[TIMES]) * property_log_uniform(r, 0.1, 100));
        *most = 1 / a[P];
        break;
    case LAPLACE:
        a[P] = *most = property_log_uniform(r, 1e-3, 30);
        a[TIMES] = 1.0 + (double)property_below(r, LAPLACE_STEPS);
        break;
    default:
        a[P] = property_log_uniform(r, 0.05, 1e4), a[P + 1] = (double)property_below(r, 4);
        *most = fmax(a[P + 1], 1) / a[P];
        a[TIMES] = few_steps(r, (int)a[P + 1] + 1);
    }
}

static void draw_sequence(property_random *r, double *a)
{
    double most = 1.0;
    a[KIND] = (double)property_below(r, KINDS);
    draw_law(r, a, &most);
    const double reach = most * sqrt(a[TIMES]); /* about a standard deviation of the sum */
    a[GRID] = reach / property_log_uniform(r, 20, 600);
    if (a[KIND] == GAUSSIAN) a[GRID] = most * fmax(property_log_uniform(r, 0.1, 8), sqrt(a[TIMES]) * 0x1p-17);
    if (property_chance(r, 0.5)) a[GRID] = simdp_pld_grid(a[GRID], most); /* losses are met, up to rounding */
    if (a[KIND] == HISTOGRAM) a[GRID] = property_log_uniform(r, 1e-3, 1);
    a[GRID] = fmin(0x1p60, fmax(0x1p-60, a[GRID]));
    a[ROUNDING] = a[TIMES] > 1e9 ? 0.0 : (double)property_below(r, 2), a[WAY] = (double)property_below(r, 3);
    a[LEAST] = property_chance(r, 0.3) ? property_log_uniform(r, 1e-300, 1) : property_log_uniform(r, 1e-15, 1);
    const double whole = a[KIND] == HISTOGRAM ? 6 * a[GRID] * a[TIMES] : most * a[TIMES];
    switch (property_below(r, 4)) {
    case 0: a[EPSILON] = whole * property_uniform(r); break;
    case 1: a[EPSILON] = fmax(0.0, property_nudge(r, most * (double)property_below(r, 12))); break; /* sums */
    case 2: a[EPSILON] = fmax(0.0, property_nudge(r, a[GRID] * (double)property_below(r, 100))); break;
    default: a[EPSILON] = most * most * a[TIMES] / 2 + reach * 8 * property_uniform(r);
    }
    if (a[KIND] == GAUSSIAN && a[TIMES] > 1e9) a[LEAST] = 1e-6, a[WAY] = 0.0; /* many points */
    if (property_chance(r, 0.03)) a[EPSILON] = property_chance(r, 0.5) ? 0.0 : INFINITY;
}

/* ---- rows: both bounds ---- */

static simdp_status asked(double *out, const double *a,
                          simdp_status (*f)(const simdp_pld *, double *, double *, const double *, size_t))
{
    simdp_pld *pld = NULL;
    simdp_status status = sequence(&pld, a);
    if (status == SIMDP_OK) status = f(pld, &out[0], &out[1], &a[EPSILON], 1);
    simdp_pld_destroy(pld);
    return status;
}
static simdp_status pld_delta(double *out, const double *a) { return asked(out, a, simdp_pld_delta); }
/* -inf, of a delta that is 0, is compared as NOTHING: the truth may be 0 where an upper bound is not */
#define NOTHING (-1e308)
static simdp_status pld_log_delta(double *out, const double *a)
{
    const simdp_status status = asked(out, a, simdp_pld_log_delta);
    for (int i = 0; i < 2; i++) {
        if (out[i] == -INFINITY) out[i] = NOTHING;
    }
    return status;
}
static void pld_delta_truth(mpfr_t *out, const double *a)
{
    exact_delta(out[0], a, false);
    exact_delta(out[1], a, true);
}
static void pld_log_delta_truth(mpfr_t *out, const double *a)
{
    pld_delta_truth(out, a);
    for (int i = 0; i < 2; i++) {
        mpfr_log(out[i], out[i], RND);
        if (mpfr_inf_p(out[i])) mpfr_set_d(out[i], NOTHING, RND);
    }
}

/* The truth at EPSILON lies between two doubles: epsilon of the one above is at most EPSILON, of the one below at
 * least. And delta at the answer is no more than was asked for. */
static void draw_inverse(property_random *r, double *a)
{
    draw_sequence(r, a);
    if (isinf(a[EPSILON])) a[EPSILON] = 0.5;
    exact_delta(truth_number(20), a, true);
    a[DELTA_DOWN] = fmin(1 - 0x1p-53, mpfr_get_d(truth_number(20), MPFR_RNDD));
    exact_delta(truth_number(20), a, false);
    a[DELTA_UP] = mpfr_get_d(truth_number(20), MPFR_RNDU);
}
static simdp_status pld_epsilon(double *out, const double *a)
{
    simdp_pld *pld = NULL;
    double other;
    simdp_status status = sequence(&pld, a);
    if (status == SIMDP_OK) status = simdp_pld_epsilon(pld, &out[0], &other, &a[DELTA_UP], 1);
    if (status == SIMDP_OK) status = simdp_pld_epsilon(pld, &other, &out[1], &a[DELTA_DOWN], 1);
    if (status == SIMDP_OK) status = simdp_pld_delta(pld, NULL, &out[2], &out[1], 1);
    simdp_pld_destroy(pld);
    return status;
}
static void pld_epsilon_truth(mpfr_t *out, const double *a)
{
    mpfr_set_d(out[0], a[EPSILON], RND);
    mpfr_set_d(out[1], a[DELTA_DOWN] > 0.0 ? a[EPSILON] : 0.0, RND);
    /* both ways through logarithms: 1e-13, and more where ln delta is large */
    mpfr_set_d(out[2], a[DELTA_DOWN], RND);
    mpfr_mul_d(out[2], out[2], 1.0 + 1e-13 * (1.0 - log(fmax(a[DELTA_DOWN], 0x1p-1074)) / 20), RND);
}

#include "property/pld_rows.h"

static const property_row rows[] = {
    PROPERTY(pld_delta, ARGUMENTS, 2, .draw = draw_sequence, .rule = {BELOW(INFINITY), ABOVE(INFINITY)},
             .share = 0.015),
    PROPERTY(pld_log_delta, ARGUMENTS, 2, .draw = draw_sequence, .rule = {BELOW(INFINITY), ABOVE(INFINITY)},
             .share = 0.01),
    PROPERTY(pld_epsilon, ARGUMENTS, 3, .draw = draw_inverse,
             .rule = {BELOW(INFINITY), ABOVE(INFINITY), BELOW(INFINITY)}, .share = 0.015),
    PLD_ROWS,
    {0},
};

static const property_planted planted[] = {PLD_PLANTED, {0}};

int main(int argc, char **argv) { return property_main(argc, argv, rows, planted); }
