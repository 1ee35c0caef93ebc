/* test_noise_law: the laws of the ten samplers under fixed keys, and samplers with planted defects that the tests of
 * noise_law.h must refuse. SIMDP_TEST_FULL in the environment draws 1e9 deviates of each law, which shows tails that
 * stop at 2^-24, as those of samplers that start from 24-bit floats do. SIMDP_TEST_DEVIATES=1e10 draws so many instead,
 * and of the defects only the one that needs so many. */
#include "support/law_defects.h"

#define DRAW(law, ...)                                           \
    static void law##_f64(simdp_rng *rng, double *out, size_t n) \
    {                                                            \
        must(simdp_noise_##law##_f64(rng, out, n __VA_ARGS__));  \
    }                                                            \
    static void law##_f32(simdp_rng *rng, double *out, size_t n) \
    {                                                            \
        static float x[LAW_BATCH];                               \
        must(simdp_noise_##law##_f32(rng, x, n __VA_ARGS__));    \
        for (size_t i = 0; i < n; i++) out[i] = (double)x[i];    \
    }
DRAW(uniform, )
DRAW(exponential, , 1)
DRAW(laplace, , 1)
DRAW(gaussian, , 1)
DRAW(gumbel, , 1)

/* Uniform floats next to 1, and their logarithms, lie 2^-24 apart: their tails are judged to 2^-20 on that side. */
#define F64(law)         .name = #law "_f64", .draw = law##_f64, .lower = law##_lower, .upper = law##_upper
#define F32(law)         .name = #law "_f32", .draw = law##_f32, .lower = law##_lower, .upper = law##_upper, .is_float = true
#define REACH(low, high) .lowest = (low), .highest = (high)
static const law_sampler samplers[] = {
    /* reaches are rounded outward */
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

/* Uniform, but too even. */
static void lattice(const law_counts *c, double *x, size_t n)
{
    (void)c;
    for (size_t i = 0; i < n; i++) x[i] = fmod(((double)i + 0.5) * 0.6180339887498949, 1);
}

static void not_numbers(const law_counts *c, double *x, size_t n)
{
    (void)c;
    x[n / 2] = NAN;
}

static const struct {
    const char *name, *law; /* "": all */
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

/* What SIMDP_TEST_DEVIATES asks for, in whole batches; 0 if nothing. */
static size_t deviates_asked(void)
{
    const char *const text = getenv("SIMDP_TEST_DEVIATES");
    if (text == NULL) return 0;
    const double n = atof(text);
    assert_true(n >= FULL && n <= 1e12);
    return (size_t)(n / LAW_BATCH) * LAW_BATCH;
}

static size_t samples(const law_sampler *s)
{
    if (deviates_asked() != 0) return deviates_asked();
    if (is_full()) return FULL;
    return s == samplers + LAPLACE ? LONG : SHORT;
}

static unsigned judge(const law_sampler *s, size_t n, const char *name, law_defect *spoil)
{
    return law_judge(&counts, s, 2026 + (uint64_t)(s - samplers), n, name, spoil);
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

/* A scale that is too small by less than 1e9 deviates show, and by half more than n do. */
static void slightly_narrow(const law_counts *c, double *x, size_t n) { rescale(x, n, 1 - 27 / sqrt((double)c->n)); }

static void test_defects_are_seen(void **state)
{
    (void)state;
    if (deviates_asked() != 0) {
        must_refuse(samplers + LAPLACE, deviates_asked(), "scale too small by 27 / sqrt(n)", slightly_narrow,
                    LAW_DISTANCE | LAW_ANDERSON);
        return;
    }
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
