/* test_release_law: releases of the answer 0 follow the laws of their noise, under fixed keys; planted defects are
 * refused. SIMDP_TEST_FULL in the environment takes 1e9 of each. */
#include "support/law_check.h"
#include "support/law_defects.h"
#include "support/release_support.h"

enum { SHORT = 10000000, LONG = 100000000, FULL = 1000000000 };

/* ---- samplers ---- */

/* How a sampler makes one of noise_law.h's deviates of a released number:
 *   FINE    doubles, on a grid so fine that tests for continuous laws do not see it
 *   WHOLE   integers of a scale so large that they do not see the integers, over the scale
 *   SPREAD  integers, each a uniform deviate of the mass that its cell has in the ideal law: uniform in [0, 1) if and
 *           only if that is the law of the integers, whatever the scale
 *   SMOOTH  integers of a scale of some hundreds, uniform in their cells, over the scale: Gaussian but for 2^-20 of the
 *           density, which 1e8 deviates do not show; for the radii of pairs */
typedef enum { FINE, WHOLE, SPREAD, SMOOTH } release_form;

typedef struct {
    law_sampler s;
    release_form form;
    int law;
    double scale;
} release_sampler;

static const release_sampler *sampler; /* that law_measure draws from */
static double drawn_scale;             /* its scale, unless a defect is planted */
static unsigned one_off;               /* planted: one integer in so many is one too large; 0: none */
static uint64_t dither;                /* state of the generator of what integers lack */

enum { MOST = 1 << 15 };
static double above[MOST + 1]; /* mass of noise above k + 1/2 */

static double mass_above(int law, double s, double x)
{
    return law == RELEASE_LAPLACE ? exp(-x / s) / 2 : erfc(x / s * sqrt(0.5)) / 2;
}

static void begin(const release_sampler *r)
{
    sampler = r;
    drawn_scale = r->scale;
    one_off = 0;
    dither = 1;
    for (int k = 0; k <= MOST; k++) above[k] = mass_above(r->law, r->scale, k + 0.5);
}

static double uniform(void) { return ((double)(test_random(&dither) >> 12) + 0.5) * 0x1p-52; }

/* A uniform deviate of what lies below (for numbers above 0, above) in the cell and before it. */
static double spread(int64_t z)
{
    const int64_t k = z < 0 ? -z : z, at = k < MOST ? k : MOST;
    const double low = above[at], high = at == 0 ? 1 - above[0] : above[at - 1], u = low + uniform() * (high - low);
    return z > 0 ? 1 - u : u;
}

static void draw(simdp_rng *rng, double *out, size_t n)
{
    static int64_t z[LAW_BATCH];
    const double scale = sampler->scale;
    if (sampler->form == FINE) {
        memset(out, 0, n * sizeof *out);
        must(release_by_law(sampler->law, rng, out, out, n, drawn_scale, 0x1p-26));
        return;
    }
    memset(z, 0, n * sizeof *z);
    must(release_by_law_i64(sampler->law, rng, z, z, n, drawn_scale));
    for (size_t i = 0; one_off != 0 && i < n; i += one_off) z[i]++;
    for (size_t i = 0; i < n; i++) {
        if (sampler->form == SPREAD) out[i] = spread(z[i]);
        else out[i] = ((double)z[i] + (sampler->form == SMOOTH ? uniform() - 0.5 : 0)) / scale;
    }
}

/* is_float: values may repeat as often as floats do, which is more often than on a grid of 2^-26. Reaches: those of 448
 * bits. */
#define LAPLACE \
    .draw = draw, .lower = laplace_lower, .upper = laplace_upper, .lowest = -311, .highest = 311, .symmetric = true
#define GAUSSIAN \
    .draw = draw, .lower = gaussian_lower, .upper = gaussian_upper, .lowest = -25, .highest = 25, .symmetric = true
#define UNIFORM .draw = draw, .lower = uniform_lower, .upper = uniform_upper, .lowest = 0, .highest = 1
#define DEEP    .depth = {30, 30}, .is_float = true
static const release_sampler samplers[] = {
    {{"laplace", LAPLACE, DEEP}, FINE, RELEASE_LAPLACE, 1.0},
    {{"gaussian", GAUSSIAN, DEEP, .pair_apart = 8}, FINE, RELEASE_GAUSSIAN, 1.0},
    {{"laplace_i64", LAPLACE, DEEP}, WHOLE, RELEASE_LAPLACE, 0x1p26},
    {{"gaussian_i64", GAUSSIAN, DEEP, .pair_apart = 8}, WHOLE, RELEASE_GAUSSIAN, 0x1p26},
    {{"laplace_i64 20", UNIFORM, .depth = {30, 30}}, SPREAD, RELEASE_LAPLACE, 20},
    {{"gaussian_i64 20", UNIFORM, .depth = {30, 30}}, SPREAD, RELEASE_GAUSSIAN, 20},
    {{"laplace_i64 512", UNIFORM, .depth = {30, 30}}, SPREAD, RELEASE_LAPLACE, 512},
    {{"gaussian_i64 0.7", UNIFORM, .depth = {30, 30}}, SPREAD, RELEASE_GAUSSIAN, 0.7},
    {{"gaussian_i64 500", GAUSSIAN, DEEP, .pair_apart = 16}, SMOOTH, RELEASE_GAUSSIAN, 500},
};
enum { SAMPLERS = sizeof samplers / sizeof *samplers };

static law_counts counts;

static unsigned judge(const release_sampler *r, size_t n, const char *name, law_defect *spoil)
{
    return law_judge(&counts, &r->s, 600 + (uint64_t)(r - samplers), n, name, spoil);
}

static void test_laws(void **state)
{
    (void)state;
    unsigned no = 0;
    for (const release_sampler *r = samplers; r < samplers + SAMPLERS; r++) {
        begin(r);
        no |= judge(r, !is_full() ? SHORT : r->form == SMOOTH ? LONG : FULL, "as it is", NULL);
    }
    assert_int_equal(no, 0);
}

/* ---- planted defects ---- */

enum { ALL = 15, SPREADS = 1 << SPREAD, OTHERS = ALL & ~SPREADS };

static const struct {
    const char *name;
    law_defect *spoil;
    unsigned forms, refused_by;
    bool polar; /* only of pairs that share a radius */
} defects[] = {
    {"no tail below", cut_below, ALL, LAW_TAIL, false},
    {"no tail above", cut_above, ALL, LAW_TAIL, false},
    {"few bits", few_bits, ALL, LAW_REPEAT, false},
    {"very few bits", very_few_bits, ALL, LAW_CELL, false},
    {"1 in 200 made positive", leaning, OTHERS, LAW_SIGN, false},
    {"copies at 1", copies_1, ALL, LAW_RANK | LAW_PAIR, false},
    {"copies at 8", copies_8, ALL, LAW_RANK | LAW_PAIR, false},
    {"copies at 16", copies_16, ALL, LAW_RANK | LAW_PAIR, false},
    {"far octants shifted", far_octants, ALL, LAW_POLAR, true},
    {"radii cut", cut_radius, ALL, LAW_POLAR, true},
};

static void nothing(const law_counts *c, double *x, size_t n)
{
    (void)c;
    (void)x;
    (void)n;
}

static void must_refuse(const release_sampler *r, size_t n, const char *name, law_defect *spoil, unsigned by)
{
    assert_int_equal(judge(r, n, name, spoil) & by, by);
}

/* In front of the statistics, and inside the release. In full for every sampler, else for one of each kind. */
static void test_defects_are_seen(void **state)
{
    (void)state;
    for (const release_sampler *r = samplers; r < samplers + SAMPLERS; r++) {
        if (!is_full() && (r->form == WHOLE || r->scale == 512)) continue;
        for (size_t d = 0; d < sizeof defects / sizeof *defects; d++) {
            if (!(defects[d].forms >> r->form & 1) || (defects[d].polar && r->s.pair_apart == 0)) continue;
            begin(r);
            /* in half as many the octants of far pairs would not fill */
            const size_t n = defects[d].refused_by == LAW_CELL || r->s.pair_apart != 0 ? SHORT : SHORT / 2;
            must_refuse(r, n, defects[d].name, defects[d].spoil, defects[d].refused_by);
        }
        begin(r);
        drawn_scale *= 0.99;
        must_refuse(r, SHORT, "scale 1 % too small", nothing, LAW_DISTANCE | LAW_ANDERSON);
        if (is_full() && (r->form == FINE || r->scale == 20)) {
            begin(r);
            drawn_scale *= 0.999;
            must_refuse(r, FULL, "scale 0.1 % too small", nothing, LAW_DISTANCE | LAW_ANDERSON | LAW_CELL);
        }
        if (r->form != SPREAD || r->scale > 100) continue;
        begin(r);
        one_off = 10;
        must_refuse(r, SHORT, "1 in 10 is one too large", nothing, LAW_DISTANCE | LAW_ANDERSON);
    }
}

/* ---- integers one by one ---- */

/* Whether Pearson's test accepts n integers; made_even: one in so many is made even (0: none). */
static bool accepted(int law, double s, size_t n, size_t made_even)
{
    enum { CELLS = 1 << 14 };
    static int64_t out[LAW_BATCH];
    static uint64_t seen[2 * CELLS + 1];
    static double mass[2 * CELLS + 1];
    simdp_rng rng;
    test_stream(&rng, 700 + (uint64_t)law, (uint64_t)(s * 10), 0);
    memset(seen, 0, sizeof seen);
    for (size_t done = 0; done < n; done += LAW_BATCH) {
        memset(out, 0, sizeof out);
        must(release_by_law_i64(law, &rng, out, out, LAW_BATCH, s));
        for (size_t i = 0; made_even != 0 && i < LAW_BATCH; i += made_even) out[i] &= ~(int64_t)1;
        for (size_t i = 0; i < LAW_BATCH; i++)
            seen[CELLS + (out[i] < -CELLS ? -CELLS : out[i] > CELLS ? CELLS : out[i])]++;
    }
    for (int c = -CELLS; c <= CELLS; c++) {
        const double a = fabs((double)c), before = c == 0 ? 1 - mass_above(law, s, 0.5) : mass_above(law, s, a - 0.5);
        mass[CELLS + c] = before - (a < (double)CELLS ? mass_above(law, s, a + 0.5) : 0);
    }
    return law_check_counts(seen, mass, 2 * CELLS + 1);
}

static void test_integers(void **state)
{
    (void)state;
    static const double scales[] = {0.05, 0.7, 3, 20, 200, 512, 513, 700};
    for (int law = 0; law < RELEASE_LAWS; law++) {
        for (size_t i = 0; i < sizeof scales / sizeof scales[0]; i++) {
            assert_true(accepted(law, scales[i], is_full() ? FULL : SHORT / 5, 0));
            if (scales[i] > 0.5) assert_false(accepted(law, scales[i], SHORT / 5, 15));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_laws),
        cmocka_unit_test(test_defects_are_seen),
        cmocka_unit_test(test_integers),
    };
    return cmocka_run_group_tests_name("release_law", tests, NULL, NULL);
}
