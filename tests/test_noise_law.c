/* test_noise_law: the laws of the ten samplers under fixed keys, and samplers with planted defects that the tests of
 * noise_law.h must refuse. SIMDP_TEST_FULL in the environment draws 1e9 deviates of each law, which shows tails that
 * stop at 2^-24, as those of samplers that start from 24-bit floats do. */
#include <math.h>

#include "support/noise_law.h"

static double uniform_upper(double p) { return 1 - p; }
static double uniform_lower(double p) { return p; }
static double exponential_upper(double p) { return -log(p); }
static double exponential_lower(double p) { return -log1p(-p); }
static double laplace_upper(double p) { return -log(2 * p); }
static double laplace_lower(double p) { return log(2 * p); }
static double gumbel_upper(double p) { return -log(-log1p(-p)); }
static double gumbel_lower(double p) { return -log(-log(p)); }
static double gaussian_upper(double p)
{
    double a = 0, b = 40;
    for (int i = 0; i < 80; i++) {
        const double x = (a + b) / 2;
        if (erfc(x * sqrt(0.5)) / 2 > p) a = x;
        else b = x;
    }
    return b;
}
static double gaussian_lower(double p) { return -gaussian_upper(p); }

#define DRAW(law, ...)                                                  \
    static void law##_f64(simdp_rng *rng, double *out, size_t n)        \
    {                                                                   \
        must(simdp_noise_##law##_f64(rng, out, n __VA_ARGS__));         \
    }                                                                   \
    static void law##_f32(simdp_rng *rng, double *out, size_t n)        \
    {                                                                   \
        static float x[LAW_BATCH];                                      \
        must(simdp_noise_##law##_f32(rng, x, n __VA_ARGS__));           \
        for (size_t i = 0; i < n; i++) out[i] = (double)x[i];           \
    }
DRAW(uniform, )
DRAW(exponential, , 1)
DRAW(laplace, , 1)
DRAW(gaussian, , 1)
DRAW(gumbel, , 1)

/* Uniform floats next to 1, and their logarithms, lie 2^-24 apart: their tails are judged to 2^-20 on that side. */
#define F64(law) .name = #law "_f64", .draw = law##_f64, .lower = law##_lower, .upper = law##_upper
#define F32(law) .name = #law "_f32", .draw = law##_f32, .lower = law##_lower, .upper = law##_upper, .is_float = true
#define REACH(low, high) .lowest = (low), .highest = (high)
static const law_sampler samplers[] = {   /* reaches are rounded outward */
    {F64(uniform), REACH(0x1p-63, 1 - 0x1p-53), .depth = {30, 30}, .uniform = true},
    {F32(uniform), REACH(0x1p-31, 1 - 0x1p-24), .depth = {30, 20}, .uniform = true},
    {F64(exponential), REACH(0, 43.669), .depth = {30, 30}},
    {F32(exponential), REACH(0, 43.669), .depth = {20, 30}},
    {F64(laplace), REACH(-43.669, 43.669), .depth = {30, 30}, .symmetric = true},
    {F32(laplace), REACH(-43.669, 43.669), .depth = {30, 30}, .symmetric = true},
    {F64(gaussian), REACH(-9.346, 9.346), .depth = {30, 30}, .symmetric = true, .pair_apart = 8},
    {F32(gaussian), REACH(-9.346, 9.346), .depth = {30, 30}, .symmetric = true, .pair_apart = 16},
    {F64(gumbel), REACH(-3.778, 36.737), .depth = {30, 30}},
    {F32(gumbel), REACH(-3.069, 36.737), .depth = {30, 30}},
};
enum { SAMPLERS = sizeof samplers / sizeof *samplers, LAPLACE = 4 };
enum { SHORT = 10000000, LONG = 100000000, FULL = 1000000000 };

/* ---- planted defects ------------------------------------------------------------------------------------------- */

/* The deepest tail of which more than 25.6 deviates are due, so that its absence shows: 2^-18 of 1e7, 2^-21 of 1e8,
 * 2^-25 of 1e9. Tails that stop at 2^-32 or 2^-53 show in no number of deviates that a test can draw. */
static double visible(const law_counts *c, int side)
{
    const int depth = ilogb((double)c->n / 25.6);
    return ldexp(1, -(depth < c->s->depth[side] ? depth : c->s->depth[side]));
}

static void cut_below(const law_counts *c, double *x, size_t n)
{
    const double end = c->s->lower(visible(c, 0));
    for (size_t i = 0; i < n; i++) x[i] = x[i] < end ? end : x[i];
}

static void cut_above(const law_counts *c, double *x, size_t n)
{
    const double end = c->s->upper(visible(c, 1));
    for (size_t i = 0; i < n; i++) x[i] = x[i] > end ? end : x[i];
}

static void multiples(double *x, size_t n, double of)
{
    for (size_t i = 0; i < n; i++) x[i] = rint(x[i] / of) * of;
}

/* About as many values as 32 random bits give (floats: 16, as 32 are more than a float holds). With 32 bits only
 * repeats and low bits show it in 1e7 deviates: cells, distances and tails do not. */
static void few_bits(const law_counts *c, double *x, size_t n)
{
    multiples(x, n, c->s->is_float ? 0x1p-16 : 0x1p-32);
}

/* Steps wider than the narrowest cells. */
static void very_few_bits(const law_counts *c, double *x, size_t n) { (void)c; multiples(x, n, 0x1p-9); }

static void scale(double *x, size_t n, double by)
{
    for (size_t i = 0; i < n; i++) x[i] *= by;
}
static void narrow(const law_counts *c, double *x, size_t n) { (void)c; scale(x, n, 0.995); }
static void less_narrow(const law_counts *c, double *x, size_t n) { (void)c; scale(x, n, 0.998); }
static void minimum_form(const law_counts *c, double *x, size_t n) { (void)c; scale(x, n, -1); }

/* Signs turned positive. */
static void leaning(const law_counts *c, double *x, size_t n)
{
    (void)c;
    for (size_t i = 0; i < n; i += 200) x[i] = fabs(x[i]);
}

static void less_leaning(const law_counts *c, double *x, size_t n)
{
    (void)c;
    for (size_t i = 0; i < n; i += 1000) x[i] = fabs(x[i]);
}

/* Where polar pair j has its first element; the second lies apart behind it. */
static size_t first(size_t j, size_t apart) { return j / apart * 2 * apart + j % apart; }

/* Two quadrants too often: equal signs forced on one pair of 100. */
static void quadrants(const law_counts *c, double *x, size_t n)
{
    const size_t apart = c->s->pair_apart;
    for (size_t j = 0; j < n / 2; j += 100) {
        double *a = &x[first(j, apart)], *b = a + apart;
        *b = copysign(*b, *a);
    }
}

static void larger_first(double *a, double *b)
{
    const double was = *a;
    if (fabs(was) < fabs(*b)) *a = *b, *b = was;
}

/* Four octants too often, in one pair of 50: the values stay what they are, and uncorrelated. */
static void octants(const law_counts *c, double *x, size_t n)
{
    const size_t apart = c->s->pair_apart;
    for (size_t j = 0; j < n / 2; j += 50) larger_first(&x[first(j, apart)], &x[first(j, apart) + apart]);
}

/* The same in one of two pairs so far out that the float sampler makes them from other bits than the rest. */
static void far_octants(const law_counts *c, double *x, size_t n)
{
    const size_t apart = c->s->pair_apart;
    for (size_t j = 0; j < n / 2; j++) {
        double *a = &x[first(j, apart)], *b = a + apart;
        if (*a * *a + *b * *b > 2 * log(2) * LAW_RING && *a > 0) larger_first(a, b);
    }
}

/* No radius deeper than 2^-17, where 38 of 5e6 are due. The last factor keeps roundings inside. */
static void cut_radius(const law_counts *c, double *x, size_t n)
{
    const size_t apart = c->s->pair_apart;
    for (size_t j = 0; j < n / 2; j++) {
        double *a = &x[first(j, apart)], *b = a + apart;
        const double shrink = sqrt(2 * log(2) * 17 / (*a * *a + *b * *b)) * (1 - 0x1p-40);
        if (shrink < 1) *a *= shrink, *b *= shrink;
    }
}

/* One element in 200 repeats the one that lies 1, 8 or 16 before it. */
static void copies(double *x, size_t n, size_t lag)
{
    for (size_t i = lag; i < n; i += i % 2 ? 199 : 201) x[i] = x[i - lag];
}
static void copies_1(const law_counts *c, double *x, size_t n) { (void)c; copies(x, n, 1); }
static void copies_8(const law_counts *c, double *x, size_t n) { (void)c; copies(x, n, 8); }
static void copies_16(const law_counts *c, double *x, size_t n) { (void)c; copies(x, n, 16); }

/* Uniform, but too even. */
static void lattice(const law_counts *c, double *x, size_t n)
{
    (void)c;
    for (size_t i = 0; i < n; i++) x[i] = fmod(((double)i + 0.5) * 0.6180339887498949, 1);
}

static void not_numbers(const law_counts *c, double *x, size_t n) { (void)c; x[n / 2] = NAN; }

static const struct {
    const char *name, *law;   /* "": all */
    law_defect *spoil;
    unsigned refused_by;
} defects[] = {
    {"no tail below", "", cut_below, LAW_TAIL},
    {"no tail above", "", cut_above, LAW_TAIL},
    {"few bits", "", few_bits, LAW_REPEAT},
    {"few bits again", "uniform", few_bits, LAW_LOW_BITS},
    {"very few bits", "", very_few_bits, LAW_CELL},
    {"scale 0.5 % too small", "", narrow, LAW_ANDERSON},
    {"1 in 200 made positive", "laplace", leaning, LAW_SIGN},
    {"1 in 200 made positive", "gaussian", leaning, LAW_SIGN},
    {"quadrants shifted", "gaussian", quadrants, LAW_RANK | LAW_PAIR},
    {"octants shifted", "gaussian", octants, LAW_PAIR},
    {"far octants shifted", "gaussian", far_octants, LAW_POLAR},
    {"radii cut", "gaussian", cut_radius, LAW_POLAR},
    {"minimum form", "gumbel", minimum_form, LAW_REACH | LAW_CELL | LAW_DISTANCE | LAW_ANDERSON | LAW_TAIL},
    {"copies at 1", "", copies_1, LAW_RANK | LAW_PAIR},
    {"copies at 8", "gaussian", copies_8, LAW_RANK | LAW_PAIR},
    {"copies at 16", "gaussian", copies_16, LAW_RANK | LAW_PAIR},
    {"too even", "uniform", lattice, LAW_CELL},
    {"not numbers", "laplace", not_numbers, LAW_REACH},
};

/* ---- tests ----------------------------------------------------------------------------------------------------- */

static law_counts counts;

static size_t samples(const law_sampler *s)
{
    if (getenv("SIMDP_TEST_FULL") != NULL) return FULL;
    return s == samplers + LAPLACE ? LONG : SHORT;
}

static unsigned judge(const law_sampler *s, size_t n, const char *name, law_defect *spoil)
{
    law_measure(&counts, s, 2026 + (uint64_t)(s - samplers), n, spoil);
    const unsigned no = law_refused(&counts, spoil == NULL);
    if (no == 0 && spoil == NULL) return no;
    print_message("%-15s n %.0e: %s: refused by", s->name, (double)n, name);
    for (int i = 0; i < 11; i++) {
        if (no >> i & 1) print_message(" (%s)", law_test_names[i]);
    }
    print_message("\n");
    return no;
}

static void test_laws(void **state)
{
    (void)state;
    unsigned no = 0;
    for (const law_sampler *s = samplers; s < samplers + SAMPLERS; s++) no |= judge(s, samples(s), "as it is", NULL);
    assert_int_equal(no, 0);
}

static void must_refuse(const law_sampler *s, size_t n, const char *name, law_defect *spoil, unsigned by)
{
    assert_int_equal(judge(s, n, name, spoil) & by, by);
}

static void test_defects_are_seen(void **state)
{
    (void)state;
    for (const law_sampler *s = samplers; s < samplers + SAMPLERS; s++) {
        for (size_t d = 0; d < sizeof defects / sizeof *defects; d++) {
            if (strncmp(s->name, defects[d].law, strlen(defects[d].law)) != 0) continue;
            const size_t n = defects[d].refused_by == LAW_TAIL ? samples(s) : SHORT;
            must_refuse(s, n, defects[d].name, defects[d].spoil, defects[d].refused_by);
        }
    }
    must_refuse(samplers + LAPLACE, LONG, "scale 0.2 % too small", less_narrow, LAW_DISTANCE | LAW_ANDERSON | LAW_TAIL);
    must_refuse(samplers + LAPLACE, LONG, "1 in 1000 made positive", less_leaning, LAW_SIGN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_laws),
        cmocka_unit_test(test_defects_are_seen),
    };
    return cmocka_run_group_tests_name("noise_law", tests, NULL, NULL);
}
