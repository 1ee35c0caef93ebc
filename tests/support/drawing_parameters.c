/* drawing_parameters.c: random parameters of every function that draws, and bits that lead it to its rare paths. */
#include <math.h>

#include "release/digits.h"
#include "release/discrete/discrete_gaussian.h"
#include "release/response/bernoulli.h"
#include "select/partitions/partition_law.h"
#include "support/drawing.h"
#include "support/test_support.h"

static double uniform(uint64_t *random, double low, double high)
{
    return low + (high - low) * (double)(test_random(random) >> 11) * 0x1p-53;
}

static double power_of_two(uint64_t *random, double low, double high) { return exp2(uniform(random, low, high)); }

/* ---- noise ---- */

static void choose_f64(drawing_call *c, uint64_t *random) { c->p[0] = power_of_two(random, -30, 30); }

#define CHOOSE_F32(law, use_name)                                                                       \
    static void choose_##law##_f32(drawing_call *c, uint64_t *random)                                   \
    {                                                                                                   \
        c->p[0] = (float)power_of_two(random, -30, 30);                                                 \
        c->forced = (forced_bits){.use = BITS_##use_name##_F32, .levels = 1, .rate = 4, .tails = true}; \
    }
CHOOSE_F32(exponential, EXPONENTIAL)
CHOOSE_F32(laplace, LAPLACE)
CHOOSE_F32(gaussian, GAUSSIAN)
CHOOSE_F32(gumbel, GUMBEL)

/* ---- releases on a grid ---- */

/* Digits of V for which Laplace noise of scale s (in units of the grid) ends at the border of the cell of 0, so far as
 * two levels see it: the words of level 2 decide. half: level 0 has 32 bits. factor: |V| times it counts. */
static void force_border(forced_bits *f, uint32_t use, simdp_wide v, bool half)
{
    const unsigned bits = half ? 31 : 63; /* after the sign */
    *f = (forced_bits){.use = use, .levels = 2, .rate = 5};
    f->digits[0][0] = simdp_digits(&v, 0) >> (64 - bits);
    f->digits[1][0] = simdp_digits(&v, bits);
    f->mask[0][0] = f->mask[1][0] = UINT64_MAX;
}

static simdp_wide border_laplace(double s)
{
    return simdp_wide_exp(simdp_wide_div(simdp_wide_from_double(-0.5), simdp_wide_from_double(s)));
}

/* The same for the first element of a Gaussian pair: R = 1 / (2 s sin phi), phi = (x + 1) pi / 4, (x + 1) / 2 the
 * digits of the angle; the last of those forced is followed by 1000..., the middle. */
static void force_pair(forced_bits *f, uint32_t use, double s, bool half, uint64_t *random)
{
    const unsigned bits = half ? 23 : 52;
    const uint64_t first = test_random(random) >> (66 - bits) | (uint64_t)1 << (bits - 2), /* from 1/4 to 1/2 */
        second = test_random(random);
    const uint64_t digits[2] = {first << (64 - bits) | second >> bits,
                                second << (64 - bits) | (uint64_t)1 << (63 - bits)};
    simdp_wide sine, cosine;
    simdp_wide_sincos_pi(&sine, &cosine, simdp_wide_scale(simdp_wide_from_words(digits, 2), 1));
    const simdp_wide r = simdp_wide_div(simdp_wide_from_double(0.5), simdp_wide_mul_double(sine, s));
    force_border(f, use, simdp_wide_exp(simdp_wide_scale(simdp_wide_neg(simdp_wide_mul(r, r)), -1)), half);
    f->digits[0][1] = first;
    f->mask[0][1] = ((uint64_t)1 << bits) - 1;
    f->digits[1][1] = second;
    f->mask[1][1] = UINT64_MAX;
}

/* scale / grid from 2^-4 to 2^34: where everything begins at level 0, and where it begins at level 1 */
static double choose_ratio(drawing_call *c, uint64_t *random)
{
    const double ratio = power_of_two(random, -4, 34);
    c->p[1] = c->grid = exp2((double)(test_random(random) % 40) - 20);
    c->p[0] = c->grid * ratio;
    return ratio;
}

static void choose_release_laplace(drawing_call *c, uint64_t *random)
{
    force_border(&c->forced, BITS_RELEASE_LAPLACE_F64, border_laplace(choose_ratio(c, random)), false);
}

static void choose_release_gaussian(drawing_call *c, uint64_t *random)
{
    force_pair(&c->forced, BITS_RELEASE_GAUSSIAN_F64, choose_ratio(c, random), false, random);
}

/* Private releases choose the grid themselves; answers are multiples of an eighth. */
static void choose_private(drawing_call *c, uint64_t *random)
{
    c->p[0] = power_of_two(random, -5, 5); /* the sensitivity */
    c->p[1] = power_of_two(random, -8, 3);
    c->p[2] = power_of_two(random, -40, -1);
    c->grid = 0.125;
}

/* A typical release has noise of scale alpha / eta on its default grid. */
static void choose_typical(drawing_call *c, uint64_t *random)
{
    const double given[KERNEL_PARAMETERS] = {power_of_two(random, -5, 5), 0.5, 1e-3, 1e-6};
    memcpy(c->p, given, sizeof given);
    c->grid = 0.25;
}

/* ---- integers ---- */

/* Up to 512, where elements have half a word, and above. */
static double integer_scale(uint64_t *random)
{
    const uint64_t kind = test_random(random) % 5;
    return kind == 0 ? 512 : kind == 1 ? nextafter(512, 1000) : power_of_two(random, -3, kind < 4 ? 9 : 24);
}

static void choose_laplace_i64(drawing_call *c, uint64_t *random)
{
    c->p[0] = integer_scale(random);
    force_border(&c->forced, c->p[0] <= 512 ? BITS_RELEASE_LAPLACE_I64_NARROW : BITS_RELEASE_LAPLACE_I64,
                 border_laplace(c->p[0]), c->p[0] <= 512);
}

static void choose_gaussian_i64(drawing_call *c, uint64_t *random)
{
    c->p[0] = integer_scale(random);
    force_pair(&c->forced, c->p[0] <= 512 ? BITS_RELEASE_GAUSSIAN_I64_NARROW : BITS_RELEASE_GAUSSIAN_I64, c->p[0],
               c->p[0] <= 512, random);
}

/* 0 ends where |V| h = e^(-1/t), h = (1 + e^(-1/t)) / 2. */
static void choose_discrete_laplace(drawing_call *c, uint64_t *random)
{
    c->p[0] = power_of_two(random, -3, 24);
    const simdp_wide t = simdp_wide_from_double(c->p[0]), one = simdp_wide_from_u64(1);
    const simdp_wide e = simdp_wide_exp(simdp_wide_neg(simdp_wide_div(one, t)));
    force_border(&c->forced, BITS_DISCRETE_LAPLACE, simdp_wide_div(simdp_wide_scale(e, 1), simdp_wide_add(one, e)),
                 false);
}

static void choose_discrete_laplace_bounded(drawing_call *c, uint64_t *random)
{
    choose_discrete_laplace(c, random);
    c->forced.use = BITS_DISCRETE_LAPLACE_BOUNDED;
    c->p[1] = -floor(uniform(random, 0, 1000));
    c->p[2] = floor(uniform(random, 0, 1000));
}

/* U has the 63 digits of a threshold: the word of its further digits decides. */
static void choose_discrete_gaussian(drawing_call *c, uint64_t *random)
{
    simdp_discrete_gaussian plan;
    c->p[0] = power_of_two(random, -2, 30);
    simdp_discrete_gaussian_plan(&plan, c->p[0]);
    /* rarely: each such element costs two sums of 512-bit exponentials */
    c->forced = (forced_bits){.use = BITS_DISCRETE_GAUSSIAN, .levels = 1, .rate = 40};
    c->forced.digits[0][0] = plan.threshold[1 + test_random(random) % 3];
    c->forced.mask[0][0] = INT64_MAX;
}

static void choose_discrete_gaussian_truncated(drawing_call *c, uint64_t *random)
{
    choose_discrete_gaussian(c, random);
    c->forced.use = BITS_DISCRETE_GAUSSIAN_TRUNCATED;
    c->p[1] = ceil(c->p[0] * uniform(random, 1, 3));
}

/* ---- responses ---- */

static void choose_response(drawing_call *c, uint64_t *random)
{
    simdp_bernoulli law;
    c->p[0] = test_random(random) % 6 == 0 ? 0 : uniform(random, 0, test_random(random) % 2 ? 8 : 60);
    simdp_bernoulli_response(&law, c->p[0]);
    c->forced = (forced_bits){.use = BITS_RESPONSE,
                              .levels = 1 + (unsigned)(test_random(random) % 2),
                              .rate = test_random(random) % 2 ? 4 : 64};
    c->forced.digits[0][0] = law.first;
    c->forced.digits[1][0] = law.second;
    c->forced.mask[1][0] = UINT64_MAX;
}

/* The digits of one of the laws, of which the truths that are not of it make as good as nothing. */
static void choose_unary(drawing_call *c, uint64_t *random)
{
    simdp_unary laws;
    const int truth = (int)(test_random(random) % 2);
    c->p[0] = test_random(random) % 6 == 0 ? 0 : uniform(random, -8, 8);
    c->p[1] = test_random(random) % 6 == 0 ? -c->p[0] : uniform(random, -8, 8);
    simdp_unary_of(&laws, c->p[0], c->p[1]);
    c->forced = (forced_bits){
        .use = BITS_UNARY, .levels = 1 + (unsigned)(test_random(random) % 2), .rate = test_random(random) % 2 ? 4 : 64};
    c->forced.digits[0][0] = laws.law[truth].first;
    c->forced.digits[1][0] = laws.law[truth].second;
    c->forced.mask[1][0] = UINT64_MAX;
}

/* U lies at the border of a draw, so far as two levels see it. */
static void choose_k_response(drawing_call *c, uint64_t *random)
{
    const uint32_t k = test_random(random) % 3 == 0 ? 2 + (uint32_t)(test_random(random) >> 33)
                                                    : 2 + (uint32_t)(test_random(random) % 40);
    c->p[0] = k;
    c->p[1] = test_random(random) % 6 == 0 ? 0 : uniform(random, 0, test_random(random) % 2 ? 8 : 70);
    const simdp_wide sum = simdp_wide_add(simdp_wide_exp(simdp_wide_from_double(c->p[1])), simdp_wide_from_u64(k - 1));
    const uint64_t draw = test_random(random) % 2 ? k - 1 : 1 + test_random(random) % (k - 1);
    const simdp_wide border = simdp_wide_div(simdp_wide_from_u64(draw), sum);
    c->forced = (forced_bits){.use = BITS_K_RESPONSE, .levels = 2, .rate = test_random(random) % 2 ? 5 : 500};
    c->forced.digits[0][0] = simdp_digits(&border, 0);
    c->forced.digits[1][0] = simdp_digits(&border, 64);
    c->forced.mask[0][0] = c->forced.mask[1][0] = UINT64_MAX;
}

static void choose_leaky(drawing_call *c, uint64_t *random)
{
    c->p[0] = uniform(random, 0, 4);
    c->p[1] = uniform(random, 0, 0.5);
}

static void choose_shame(drawing_call *c, uint64_t *random) { c->p[0] = uniform(random, 0, 0.5); }

/* ---- selections ---- */

/* Few candidates or some, seldom more than a block or an epoch of the race; forced bits make the first 80 bits of all
 * equal, and scores are then equal too. */
static void choose_select(drawing_call *c, uint64_t *random)
{
    const uint64_t kind = test_random(random) % 128;
    c->candidates = 1 + test_random(random) % (kind < 32    ? 4
                                               : kind < 96  ? 40
                                               : kind < 127 ? 700
                                                            : DRAWING_CANDIDATES - 12);
    c->p[0] = c->scale = power_of_two(random, -3, 6);
    if (c->n > DRAWING_SELECTIONS) c->n = 1 + c->n % DRAWING_SELECTIONS;
    c->forced = (forced_bits){.use = BITS_SELECT_GUMBEL, .levels = 2, .rate = 1};
    c->forced.digits[0][0] = 1 + test_random(random) % 0xfffe;
    c->forced.digits[1][0] = test_random(random);
    c->forced.mask[0][0] = c->forced.mask[1][0] = UINT64_MAX;
}

static void choose_one(drawing_call *c, uint64_t *random)
{
    choose_select(c, random);
    c->n = 1;
}

static void choose_flip(drawing_call *c, uint64_t *random)
{
    choose_one(c, random);
    c->forced.use = BITS_SELECT_FLIP;
}

static void choose_column(drawing_call *c, uint64_t *random)
{
    choose_one(c, random);
    c->p[0] = 1;
}

static void choose_top_k(drawing_call *c, uint64_t *random)
{
    choose_select(c, random);
    c->candidates += 12;
    c->n = 1 + test_random(random) % 12;
}

/* Forced: the first 128 digits of U are those of pi(3), which all groups then have. */
static void choose_partitions(drawing_call *c, uint64_t *random)
{
    simdp_partition_law law;
    simdp_wide complement;
    c->p[0] = uniform(random, 0, 3);
    c->p[1] = power_of_two(random, -12, -1);
    c->p[2] = (double)(1 + test_random(random) % 3);
    assert_true(simdp_partition_law_of(&law, c->p[0], c->p[1], (uint64_t)c->p[2]));
    const simdp_wide pi = simdp_partition_wide(&law, 3, &complement);
    if (complement.sign == 0) return;
    c->forced = (forced_bits){.use = BITS_SELECT_PARTITIONS, .levels = 2, .rate = 3};
    for (int level = 0; level < 2; level++) {
        c->forced.digits[level][0] = simdp_digits(&pi, 64 * level);
        c->forced.mask[level][0] = UINT64_MAX;
    }
}

static void choose_above(drawing_call *c, uint64_t *random)
{
    c->p[0] = uniform(random, -10, 30);
    c->p[1] = power_of_two(random, -3, 4);
    c->p[2] = power_of_two(random, -3, 4);
    c->candidates = 1 + test_random(random) % 700;
    c->n = 1;
}

/* ---- audits and systems ---- */

static void choose_audit(drawing_call *c, uint64_t *random)
{
    c->p[0] = uniform(random, 0.5, 4);
    c->p[1] = (double)(test_random(random) % 2);
    c->p[2] = (double)(test_random(random) % 2);
    c->candidates = 2 + test_random(random) % 20;
    if (c->n == 0) c->n = 1;
}

static void choose_audit_selection(drawing_call *c, uint64_t *random)
{
    choose_audit(c, random);
    c->n = 1 + c->n % 5;
}

static void choose_map(drawing_call *c, uint64_t *random) { c->p[0] = uniform(random, 0.5, 4); }

static void choose_steps(drawing_call *c, uint64_t *random)
{
    c->p[0] = (double)(test_random(random) % 100);
    if (c->n > DRAWING_STEPS) c->n = DRAWING_STEPS;
}

/* ---- by name; a function that is not here has the parameters of its line ---- */

static const struct {
    const char *name;
    void (*choose)(drawing_call *c, uint64_t *random);
} chosen[] = {
#define FORMS(function, suffix, choose) \
    {#function suffix, choose}, { #function suffix "_add", choose }
#define LAW(law) FORMS(simdp_noise_##law, "_f64", choose_f64), FORMS(simdp_noise_##law, "_f32", choose_##law##_f32)
#define SELECT(function, choose) \
    {#function, choose}, { #function "_f32", choose }
    {"simdp_noise_exponential_f64", choose_f64},
    {"simdp_noise_exponential_f32", choose_exponential_f32},
    LAW(laplace),
    LAW(gaussian),
    LAW(gumbel),
    {"simdp_noise_discrete_laplace_i64", choose_discrete_laplace},
    {"simdp_noise_discrete_gaussian_i64", choose_discrete_gaussian},
    {"simdp_release_laplace", choose_release_laplace},
    {"simdp_release_gaussian", choose_release_gaussian},
    {"simdp_release_laplace_f32", choose_release_laplace},
    {"simdp_release_gaussian_f32", choose_release_gaussian},
    {"simdp_release_laplace_private", choose_private},
    {"simdp_release_gaussian_private", choose_private},
    {"simdp_release_laplace_i64", choose_laplace_i64},
    {"simdp_release_gaussian_i64", choose_gaussian_i64},
    {"simdp_release_discrete_laplace_i64", choose_discrete_laplace},
    {"simdp_release_discrete_gaussian_i64", choose_discrete_gaussian},
    {"simdp_release_discrete_laplace_bounded_i64", choose_discrete_laplace_bounded},
    {"simdp_release_discrete_gaussian_truncated_i64", choose_discrete_gaussian_truncated},
    {"simdp_release_laplace_threshold", choose_release_laplace},
    {"simdp_release_gaussian_threshold", choose_release_gaussian},
    {"simdp_release_laplace_threshold_i64", choose_laplace_i64},
    {"simdp_release_gaussian_threshold_i64", choose_gaussian_i64},
    {"simdp_theory_release_laplace", choose_typical},
    {"simdp_theory_release_gaussian", choose_typical},
    {"simdp_release_randomized_response", choose_response},
    {"simdp_release_randomized_response_packed", choose_response},
    {"simdp_release_unary", choose_unary},
    {"simdp_release_k_response", choose_k_response},
    SELECT(simdp_select_gumbel, choose_one),
    SELECT(simdp_select_gumbel_many, choose_select),
    SELECT(simdp_select_gumbel_rows, choose_select),
    SELECT(simdp_select_gumbel_top_k, choose_top_k),
    SELECT(simdp_select_gumbel_vartime, choose_one),
    SELECT(simdp_select_gumbel_many_vartime, choose_select),
    SELECT(simdp_select_permute_flip, choose_flip),
    {"simdp_select_prepared", choose_select},
    {"simdp_select_prepared_vartime", choose_select},
    {"simdp_select_partitions", choose_partitions},
    {"simdp_select_above_threshold", choose_above},
    {"simdp_select_threshold_open", choose_above},
    {"simdp_select_threshold_ask", choose_above},
    {"simdp_loss_audit_run.laplace", choose_audit},
    {"simdp_loss_audit_run.gaussian", choose_audit},
    {"simdp_loss_audit_run.selection", choose_audit_selection},
    {"simdp_loss_audit_run.response", choose_audit},
    {"simdp_loss_audit_draw", choose_audit},
    {"simdp_theory_leaky_response", choose_leaky},
    {"simdp_theory_name_and_shame", choose_shame},
    {"simdp_theory_laplace_map", choose_map},
    {"simdp_theory_select_column", choose_column},
    {"simdp_theory_interact", choose_steps},
    {"simdp_theory_transcript_map", choose_steps},
};

void drawing_parameters(drawing_call *c, const kernel_line *function, uint64_t *random)
{
    for (size_t i = 0; i < sizeof chosen / sizeof *chosen; i++) {
        if (kernel_named(chosen[i].name) == function) chosen[i].choose(c, random);
    }
}

const char *drawing_not_listed(void)
{
    for (size_t i = 0; i < sizeof chosen / sizeof *chosen; i++) {
        if (kernel_named(chosen[i].name) == NULL) return chosen[i].name;
    }
    return NULL;
}
