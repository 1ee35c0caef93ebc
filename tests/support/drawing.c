/* drawing.c: see drawing.h. */
#include "support/drawing.h"

#include <math.h>

#include "release/bernoulli.h"
#include "release/digits.h"
#include "release/discrete_gaussian.h"
#include "support/test_support.h"

void (*drawing_between)(const simdp_rng *rng);

/* ---- random numbers and data ---- */

static double uniform(uint64_t *random, double low, double high)
{
    return low + (high - low) * (double)(test_random(random) >> 11) * 0x1p-53;
}

static double power_of_two(uint64_t *random, double low, double high) { return exp2(uniform(random, low, high)); }

static uint64_t datum(const drawing_call *c, size_t i)
{
    uint64_t x = c->seed + i;
    return test_random(&x);
}

static void fill_bytes(uint8_t *out, const drawing_call *c, size_t n)
{
    for (size_t i = 0; i < n; i++) out[i] = (uint8_t)(datum(c, i) & 1);
}

/* ---- noise ---- */

static void choose_f64(drawing_call *c, uint64_t *random) { c->scale = power_of_two(random, -30, 30); }

#define CHOOSE_F32(law, use_name)                                                                        \
    static void choose_##law##_f32(drawing_call *c, uint64_t *random)                                    \
    {                                                                                                    \
        c->scale = (float)power_of_two(random, -30, 30);                                                 \
        c->forced = (forced_bits){.use = BITS_##use_name##_F32, .levels = 1, .rate = 4, .tails = true};  \
    }
CHOOSE_F32(exponential, EXPONENTIAL)
CHOOSE_F32(laplace, LAPLACE)
CHOOSE_F32(gaussian, GAUSSIAN)
CHOOSE_F32(gumbel, GUMBEL)

#define RUN_NOISE(law, suffix, type, ...)                                                                             \
    static simdp_status run_##law##suffix(simdp_rng *rng, const drawing_call *c, size_t first, size_t count,          \
                                          unsigned char *out)                                                         \
    {                                                                                                                 \
        (void)c;                                                                                                      \
        return simdp_noise_##law##suffix(rng, (type *)(void *)out + first, count __VA_ARGS__);                        \
    }                                                                                                                 \
    static simdp_status run_##law##suffix##_add(simdp_rng *rng, const drawing_call *c, size_t first, size_t count,    \
                                                unsigned char *out)                                                   \
    {                                                                                                                 \
        type *sum = (type *)(void *)out + first;                                                                      \
        for (size_t i = 0; i < count; i++) sum[i] = (type)(datum(c, first + i) % 1000);                               \
        return simdp_noise_##law##suffix##_add(rng, sum, count __VA_ARGS__);                                          \
    }
#define COMMA ,
RUN_NOISE(uniform, _f64, double)
RUN_NOISE(uniform, _f32, float)
RUN_NOISE(exponential, _f64, double, COMMA c->scale)
RUN_NOISE(exponential, _f32, float, COMMA (float)c->scale)
RUN_NOISE(laplace, _f64, double, COMMA c->scale)
RUN_NOISE(laplace, _f32, float, COMMA (float)c->scale)
RUN_NOISE(gaussian, _f64, double, COMMA c->scale)
RUN_NOISE(gaussian, _f32, float, COMMA (float)c->scale)
RUN_NOISE(gumbel, _f64, double, COMMA c->scale)
RUN_NOISE(gumbel, _f32, float, COMMA (float)c->scale)

static simdp_status run_words(simdp_rng *rng, const drawing_call *c, size_t first, size_t count, unsigned char *out)
{
    (void)c;
    return simdp_rng_words(rng, (uint64_t *)(void *)out + first, count);
}

/* ---- releases on a grid ---- */

/* Digits of V for which Laplace noise of scale s (in units of the grid) ends at the border of the cell of 0, so far as
 * two levels see it: the words of level 2 decide. half: level 0 has 32 bits. factor: |V| times it counts. */
static void force_border(forced_bits *f, uint32_t use, simdp_wide v, bool half)
{
    const unsigned bits = half ? 31 : 63;   /* after the sign */
    *f = (forced_bits){.use = use, .levels = 2, .rate = 5};
    f->digits[0][0] = simdp_digits(&v, 0) >> (64 - bits);
    f->digits[1][0] = simdp_digits(&v, bits);
    f->mask[0][0] = f->mask[1][0] = UINT64_MAX;
}

static simdp_wide border_laplace(double s)
{
    return simdp_wide_exp(simdp_wide_div(simdp_wide_from_double(-0.5), simdp_wide_from_double(s)));
}

/* The same for the first element of a Gaussian pair, with an angle of so many bits at level 0: R = 1 / (2 s sin phi), phi
 * = (x + 1) pi / 4, (x + 1) / 2 the digits of the angle; the last of those forced is followed by 1000..., the middle. */
static void force_pair(forced_bits *f, uint32_t use, double s, bool half, uint64_t *random)
{
    const unsigned bits = half ? 23 : 52;
    const uint64_t first = (test_random(random) >> (64 - bits) | (uint64_t)1 << (bits - 2)) & ~((uint64_t)1 << (bits - 1)),
                   second = test_random(random);
    const uint64_t digits[3] = {first << (64 - bits) | second >> bits, second << (64 - bits) | (uint64_t)1 << (63 - bits),
                                0};
    simdp_wide sine, cosine;
    simdp_wide_sincos_pi(&sine, &cosine, simdp_wide_scale(simdp_wide_from_words(digits, 3), 1));
    const simdp_wide r = simdp_wide_div(simdp_wide_from_double(0.5), simdp_wide_mul_double(sine, s));
    force_border(f, use, simdp_wide_exp(simdp_wide_scale(simdp_wide_neg(simdp_wide_mul(r, r)), -1)), half);
    f->digits[0][1] = first;
    f->mask[0][1] = ((uint64_t)1 << bits) - 1;
    f->digits[1][1] = second;
    f->mask[1][1] = UINT64_MAX;
}

/* scale / grid from 2^-4 to 2^34: where everything begins at level 0, and where it begins at level 1 */
static void choose_ratio(drawing_call *c, uint64_t *random)
{
    c->grid = exp2((double)(test_random(random) % 40) - 20);
    c->scale = c->grid * power_of_two(random, -4, 34);
}

static void choose_release_laplace(drawing_call *c, uint64_t *random)
{
    choose_ratio(c, random);
    force_border(&c->forced, BITS_RELEASE_LAPLACE_F64, border_laplace(c->scale / c->grid), false);
}

static void choose_release_gaussian(drawing_call *c, uint64_t *random)
{
    choose_ratio(c, random);
    force_pair(&c->forced, BITS_RELEASE_GAUSSIAN_F64, c->scale / c->grid, false, random);
}

/* Multiples of the grid if bits are forced, so that the borders are where they were computed. */
static const double *answers_f64(const drawing_call *c)
{
    static double x[DRAWING_MOST];
    for (size_t i = 0; i < c->n; i++) {
        const double units = (double)(int64_t)(datum(c, i) % 2001) - 1000;
        x[i] = c->forced.rate != 0 ? units * c->grid : units * c->grid / 7;
    }
    return x;
}

#define RUN_RELEASE(law)                                                                                             \
    static simdp_status run_release_##law(simdp_rng *rng, const drawing_call *c, size_t first, size_t count,         \
                                          unsigned char *out)                                                        \
    {                                                                                                                \
        return simdp_release_##law(rng, (double *)(void *)out + first, answers_f64(c) + first, count, c->scale,      \
                                   c->grid);                                                                         \
    }
RUN_RELEASE(laplace)
RUN_RELEASE(gaussian)

/* A typical release has noise of scale alpha / eta on its default grid. */
static void choose_typical(drawing_call *c, uint64_t *random)
{
    c->scale = power_of_two(random, -5, 5);
    c->grid = 0.25;
}

#define RUN_TYPICAL(law)                                                                                              \
    static simdp_status run_typical_##law(simdp_rng *rng, const drawing_call *c, size_t first, size_t count,          \
                                          unsigned char *out)                                                         \
    {                                                                                                                 \
        const simdp_query query = {.concentration = SIMDP_QUERY_SUBGAUSSIAN, .parameter = c->scale};                  \
        const simdp_stability target = {.eta = 0.5, .tau = 1e-6, .nu = 1e-3};                                         \
        return simdp_release_typical_##law(rng, (double *)(void *)out + first, answers_f64(c) + first, count, query,  \
                                           target);                                                                   \
    }
RUN_TYPICAL(laplace)
RUN_TYPICAL(gaussian)

/* ---- integers ---- */

static const int64_t *answers_i64(const drawing_call *c)
{
    static int64_t x[DRAWING_MOST];
    for (size_t i = 0; i < c->n; i++) x[i] = (int64_t)(datum(c, i) % 2001) - 1000;
    return x;
}

/* Up to 512, where elements have half a word, and above. */
static double integer_scale(uint64_t *random)
{
    const uint64_t kind = test_random(random) % 5;
    return kind == 0 ? 512 : kind == 1 ? nextafter(512, 1000) : power_of_two(random, -3, kind < 4 ? 9 : 24);
}

static void choose_laplace_i64(drawing_call *c, uint64_t *random)
{
    c->scale = integer_scale(random);
    force_border(&c->forced, c->scale <= 512 ? BITS_RELEASE_LAPLACE_I64_NARROW : BITS_RELEASE_LAPLACE_I64,
                 border_laplace(c->scale), c->scale <= 512);
}

static void choose_gaussian_i64(drawing_call *c, uint64_t *random)
{
    c->scale = integer_scale(random);
    force_pair(&c->forced, c->scale <= 512 ? BITS_RELEASE_GAUSSIAN_I64_NARROW : BITS_RELEASE_GAUSSIAN_I64, c->scale,
               c->scale <= 512, random);
}

/* |V| h = e^(-1 / (2 t)), h = (1 + e^(-1/t)) / 2 */
static void choose_discrete_laplace(drawing_call *c, uint64_t *random)
{
    c->scale = power_of_two(random, -3, 24);
    const simdp_wide t = simdp_wide_from_double(c->scale), one = simdp_wide_from_u64(1);
    const simdp_wide h = simdp_wide_add(one, simdp_wide_exp(simdp_wide_neg(simdp_wide_div(one, t))));
    force_border(&c->forced, BITS_DISCRETE_LAPLACE, simdp_wide_div(simdp_wide_scale(border_laplace(c->scale), 1), h),
                 false);
}

/* U has the 63 digits of a threshold: the word of its further digits decides. */
static void choose_discrete_gaussian(drawing_call *c, uint64_t *random)
{
    simdp_discrete_gaussian plan;
    c->scale = power_of_two(random, -2, 30);
    simdp_discrete_gaussian_plan(&plan, c->scale);
    c->forced = (forced_bits){.use = BITS_DISCRETE_GAUSSIAN, .levels = 1, .rate = 5};
    c->forced.digits[0][0] = plan.threshold[1 + test_random(random) % 3];
    c->forced.mask[0][0] = INT64_MAX;
}

#define RUN_INTEGERS(name)                                                                                           \
    static simdp_status run_##name(simdp_rng *rng, const drawing_call *c, size_t first, size_t count,                \
                                   unsigned char *out)                                                               \
    {                                                                                                                \
        return simdp_release_##name(rng, (int64_t *)(void *)out + first, answers_i64(c) + first, count, c->scale);   \
    }
RUN_INTEGERS(laplace_i64)
RUN_INTEGERS(gaussian_i64)
RUN_INTEGERS(discrete_laplace_i64)
RUN_INTEGERS(discrete_gaussian_i64)

#define RUN_DISCRETE(name)                                                                                           \
    static simdp_status run_noise_##name(simdp_rng *rng, const drawing_call *c, size_t first, size_t count,          \
                                         unsigned char *out)                                                         \
    {                                                                                                                \
        return simdp_noise_##name(rng, (int64_t *)(void *)out + first, count, c->scale);                             \
    }
RUN_DISCRETE(discrete_laplace_i64)
RUN_DISCRETE(discrete_gaussian_i64)

/* ---- responses ---- */

static void choose_response(drawing_call *c, uint64_t *random)
{
    simdp_bernoulli law;
    c->epsilon = test_random(random) % 6 == 0 ? 0 : uniform(random, 0, test_random(random) % 2 ? 8 : 60);
    simdp_bernoulli_response(&law, c->epsilon);
    c->forced = (forced_bits){.use = BITS_RESPONSE, .levels = 1 + (unsigned)(test_random(random) % 2),
                              .rate = test_random(random) % 2 ? 4 : 64};
    c->forced.digits[0][0] = law.first;
    c->forced.digits[1][0] = law.second;
    c->forced.mask[1][0] = UINT64_MAX;
}

static simdp_status run_response(simdp_rng *rng, const drawing_call *c, size_t first, size_t count, unsigned char *out)
{
    uint8_t bits[DRAWING_MOST];
    fill_bytes(bits, c, c->n);
    return simdp_release_randomized_response(rng, out + first, bits + first, count, c->epsilon);
}

static simdp_status run_packed(simdp_rng *rng, const drawing_call *c, size_t first, size_t count, unsigned char *out)
{
    uint8_t bits[DRAWING_MOST];
    for (size_t i = 0; i < sizeof bits; i++) bits[i] = (uint8_t)datum(c, i);
    return simdp_release_randomized_response_packed(rng, out + first / 8, bits + first / 8, count, c->epsilon);
}

static void choose_leaky(drawing_call *c, uint64_t *random)
{
    c->epsilon = uniform(random, 0, 4);
    c->delta = uniform(random, 0, 0.5);
}

static simdp_status run_leaky(simdp_rng *rng, const drawing_call *c, size_t first, size_t count, unsigned char *out)
{
    uint8_t who[DRAWING_MOST];
    fill_bytes(who, c, c->n);
    return simdp_system_leaky_response(rng, out + first, who + first, count, c->epsilon, c->delta);
}

static simdp_status run_shame(simdp_rng *rng, const drawing_call *c, size_t first, size_t count, unsigned char *out)
{
    (void)c;
    return simdp_system_name_and_shame(rng, out + first, count, c->delta);
}

/* ---- selections ---- */

/* Few candidates or many; forced bits make the first 80 bits of all equal, and scores are then equal too. */
static void choose_select(drawing_call *c, uint64_t *random)
{
    const uint64_t kind = test_random(random) % 4;
    c->candidates = 1 + test_random(random) % (kind == 0 ? 4 : kind < 3 ? 40 : DRAWING_CANDIDATES);
    c->scale = power_of_two(random, -3, 6);
    if (c->n > 6) c->n = 1 + c->n % 6;
    c->forced = (forced_bits){.use = BITS_SELECT_GUMBEL, .levels = 2, .rate = 1};
    c->forced.digits[0][0] = 1 + test_random(random) % 0xfffe;
    c->forced.digits[1][0] = test_random(random);
    c->forced.mask[0][0] = c->forced.mask[1][0] = UINT64_MAX;
}

/* With forced bits every candidate that a race keeps is compared in 512 bits. */
static void choose_forced(drawing_call *c)
{
    if (c->forced.rate != 0 && c->candidates > 20) c->candidates = 12 + c->candidates % 9;   /* the 12 best, at most */
}

static void choose_flip(drawing_call *c, uint64_t *random)
{
    choose_select(c, random);
    c->n = 1;
    c->forced.use = BITS_SELECT_FLIP;
}

static void choose_one(drawing_call *c, uint64_t *random)
{
    choose_select(c, random);
    c->n = 1;
}

static void choose_top_k(drawing_call *c, uint64_t *random)
{
    choose_select(c, random);
    c->candidates += 12;
    c->n = 1 + test_random(random) % 12;
}

/* Rows of scores of a call, also as floats. */
typedef struct {
    double f64[6 * (DRAWING_CANDIDATES + 12)];
    float f32[6 * (DRAWING_CANDIDATES + 12)];
} score_rows;

static const score_rows *scores_of(const drawing_call *c, size_t rows)
{
    static score_rows s;
    for (size_t i = 0; i < rows * c->candidates; i++)
        s.f32[i] = (float)(s.f64[i] = c->forced.rate != 0 ? 3.0 : (double)(datum(c, i) % 4096) / 256);
    return &s;
}

#define RUN_SELECT(name, suffix, field, rows, call)                                                                   \
    static simdp_status run_select_##name##suffix(simdp_rng *rng, const drawing_call *c, size_t first, size_t count,  \
                                                  unsigned char *out)                                                 \
    {                                                                                                                 \
        size_t *index = (size_t *)(void *)out + first;                                                                \
        (void)count;                                                                                                  \
        return simdp_select_##name##suffix call(scores_of(c, rows)->field, c->candidates, c->scale);                  \
    }
#define ONE_INDEX(scores, n, scale)   (rng, index, scores, n, scale)
#define MANY_INDEX(scores, n, scale)  (rng, index, count, scores, n, scale)
#define ROWS_INDEX(scores, n, scale)  (rng, index, (scores) + first * (n), count, n, scale)
RUN_SELECT(gumbel, , f64, 1, ONE_INDEX)
RUN_SELECT(gumbel, _f32, f32, 1, ONE_INDEX)
RUN_SELECT(gumbel_many, , f64, 1, MANY_INDEX)
RUN_SELECT(gumbel_many, _f32, f32, 1, MANY_INDEX)
RUN_SELECT(gumbel_rows, , f64, c->n, ROWS_INDEX)
RUN_SELECT(gumbel_rows, _f32, f32, c->n, ROWS_INDEX)
RUN_SELECT(gumbel_top_k, , f64, 1, MANY_INDEX)
RUN_SELECT(gumbel_top_k, _f32, f32, 1, MANY_INDEX)
RUN_SELECT(gumbel_vartime, , f64, 1, ONE_INDEX)
RUN_SELECT(gumbel_vartime, _f32, f32, 1, ONE_INDEX)
RUN_SELECT(gumbel_many_vartime, , f64, 1, MANY_INDEX)
RUN_SELECT(gumbel_many_vartime, _f32, f32, 1, MANY_INDEX)
RUN_SELECT(permute_flip, , f64, 1, ONE_INDEX)
RUN_SELECT(permute_flip, _f32, f32, 1, ONE_INDEX)

static simdp_status run_prepared_by(simdp_rng *rng, const drawing_call *c, size_t first, size_t count,
                                    unsigned char *out,
                                    simdp_status (*prepared)(simdp_rng *, size_t *, size_t, const void *))
{
    static unsigned char workspace[8 * DRAWING_CANDIDATES + 8192];
    const size_t bytes = simdp_select_workspace(c->candidates);
    assert_true(bytes <= sizeof workspace);
    const simdp_status status = simdp_select_prepare(workspace, scores_of(c, 1)->f64, c->candidates, c->scale);
    return status != SIMDP_OK ? status : prepared(rng, (size_t *)(void *)out + first, count, workspace);
}

static simdp_status run_prepared(simdp_rng *rng, const drawing_call *c, size_t first, size_t count, unsigned char *out)
{
    return run_prepared_by(rng, c, first, count, out, simdp_select_prepared);
}

static simdp_status run_prepared_vartime(simdp_rng *rng, const drawing_call *c, size_t first, size_t count,
                                         unsigned char *out)
{
    return run_prepared_by(rng, c, first, count, out, simdp_select_prepared_vartime);
}

/* ---- audits: their counts ---- */

enum { AUDIT_EPSILONS = 3 };
static const double audit_epsilons[AUDIT_EPSILONS] = {0, 0.3, 1.5};

static simdp_status keep_rows(simdp_status status, const simdp_audit_row *rows, unsigned char *out)
{
    for (size_t j = 0; status == SIMDP_OK && j < AUDIT_EPSILONS; j++) {
        memcpy(out + 32 * j, rows[j].above, 16);
        memcpy(out + 32 * j + 16, rows[j].outputs, 16);
    }
    return status;
}

static simdp_audit_plan audit_plan_of(const drawing_call *c)
{
    return (simdp_audit_plan){.epsilon = audit_epsilons, .epsilons = AUDIT_EPSILONS, .hockey_stick = (int)(c->seed & 1),
                              .samples = c->n, .error = 1e-3};
}

static void choose_audit(drawing_call *c, uint64_t *random)
{
    c->scale = uniform(random, 0.5, 4);
    c->epsilon = uniform(random, 0.5, 4);
    c->candidates = 2 + test_random(random) % 20;
    if (c->n == 0) c->n = 1;
}

static void choose_audit_selection(drawing_call *c, uint64_t *random)
{
    choose_audit(c, random);
    c->n = 1 + c->n % 5;
}

#define RUN_AUDIT(name, ...)                                                                                           \
    static simdp_status run_audit_##name(simdp_rng *rng, const drawing_call *c, size_t first, size_t count,            \
                                         unsigned char *out)                                                           \
    {                                                                                                                  \
        const simdp_audit_plan plan = audit_plan_of(c);                                                                \
        simdp_audit_row rows[AUDIT_EPSILONS];                                                                          \
        (void)first, (void)count;                                                                                      \
        return keep_rows(simdp_audit_##name(rng, rows, &plan, __VA_ARGS__), rows, out);                                \
    }
RUN_AUDIT(laplace, 0, 1, c->scale)
RUN_AUDIT(gaussian, 0, 1, c->scale)
RUN_AUDIT(selection, scores_of(c, 2)->f64, scores_of(c, 2)->f64 + c->candidates, c->candidates, c->scale)
RUN_AUDIT(randomized_response, c->epsilon)

/* in two pieces */
static simdp_status run_audit_draw(simdp_rng *rng, const drawing_call *c, size_t first, size_t count,
                                   unsigned char *out)
{
    const simdp_audit_plan plan = audit_plan_of(c);
    simdp_audit audit;
    simdp_audit_row rows[AUDIT_EPSILONS];
    (void)first, (void)count;
    simdp_status status = (c->seed & 2) != 0 ? simdp_audit_begin_laplace(&audit, &plan, 0, 1, c->scale)
                                             : simdp_audit_begin_gaussian(&audit, &plan, 0, 1, c->scale);
    if (status == SIMDP_OK) status = simdp_audit_draw(rng, &audit, c->n / 3);
    if (status == SIMDP_OK) status = simdp_audit_draw(rng, &audit, c->n - c->n / 3);
    if (status == SIMDP_OK) status = simdp_audit_rows(&audit, rows);
    return keep_rows(status, rows, out);
}

/* ---- systems ---- */

static simdp_status run_laplace_map(simdp_rng *rng, const drawing_call *c, size_t first, size_t count,
                                    unsigned char *out)
{
    uint8_t bits[DRAWING_MOST];
    fill_bytes(bits, c, c->n);
    return simdp_system_laplace_map(rng, (double *)(void *)out + first, bits + first, count, 0, 1, c->scale);
}

static simdp_status run_discrete_map(simdp_rng *rng, const drawing_call *c, size_t first, size_t count,
                                     unsigned char *out)
{
    static const double p[3] = {0.5, 0.3, 0.2}, q[3] = {0.3, 0.4, 0.3};
    uint8_t symbols[DRAWING_MOST];
    double map[12];
    for (size_t i = 0; i < c->n; i++) symbols[i] = (uint8_t)(datum(c, i) & 3);
    const simdp_status status = simdp_system_discrete_map(map, p, q, 3, 1.0, 0.1);
    return status != SIMDP_OK ? status
                              : simdp_system_discrete_map_draw(rng, (size_t *)(void *)out + first, symbols + first,
                                                               count, map, 3);
}

/* The urn goes on with the counts that the draws before reached. */
static simdp_status run_urn(simdp_rng *rng, const drawing_call *c, size_t first, size_t count, unsigned char *out)
{
    uint64_t red = 3;
    for (size_t i = 0; i < first; i++) red += out[i];
    (void)c;
    return simdp_system_polya_urn(rng, out + first, count, red, 5 + first - (red - 3));
}

static simdp_status run_select_column(simdp_rng *rng, const drawing_call *c, size_t first, size_t count,
                                      unsigned char *out)
{
    static double sums[DRAWING_CANDIDATES + 12];
    (void)first, (void)count;
    return simdp_system_select_column(rng, (size_t *)(void *)out, sums, scores_of(c, 1)->f64, 1, c->candidates, 1.0);
}

enum { STEPS = 12, STEP_CANDIDATES = 10 };

typedef struct {
    const simdp_rng *rng;
    const drawing_call *call;
    bool mapped;            /* only kinds that the transcript map knows */
} asking;

static simdp_status query(void *context, double *answers, size_t n, const void *data)
{
    const drawing_call *c = context;
    for (size_t i = 0; i < n; i++) answers[i] = (double)(datum(c, i) % 3) / 8 + *(const double *)data;
    return SIMDP_OK;
}

static simdp_status ask(void *context, simdp_request *next, const simdp_system_step *steps, size_t count)
{
    static const simdp_system_kind kinds[] = {
        SIMDP_SYSTEM_LAPLACE, SIMDP_SYSTEM_RANDOMIZED_RESPONSE, SIMDP_SYSTEM_LEAKY_RESPONSE, SIMDP_SYSTEM_SELECTION,
        SIMDP_SYSTEM_GAUSSIAN, SIMDP_SYSTEM_SELECTION_MONOTONE};
    const asking *a = context;
    (void)steps;
    if (drawing_between != NULL) drawing_between(a->rng);
    next->mechanism = (simdp_system_mechanism){.kind = kinds[datum(a->call, count) % (a->mapped ? 4 : 6)],
                                               .sensitivity = 0.5, .scale = 1, .epsilon = 1, .delta = 0.01};
    next->query = query;
    next->query_context = (void *)(uintptr_t)a->call;
    next->candidates = STEP_CANDIDATES;
    return SIMDP_OK;
}

static simdp_status run_steps(simdp_rng *rng, const drawing_call *c, unsigned char *out, bool mapped)
{
    static const double data = 0, neighbour = 0.25;
    simdp_system_step steps[STEPS];
    double losses[STEPS], scratch[8 * STEP_CANDIDATES];
    uint8_t symbols[STEPS];
    asking a = {rng, c, mapped};
    simdp_interaction run = {.steps = steps, .capacity = c->n < STEPS ? c->n : STEPS, .losses = losses,
                             .scratch = scratch, .scratch_size = 8 * STEP_CANDIDATES};
    for (size_t i = 0; i < STEPS; i++) symbols[i] = (uint8_t)(datum(c, 50 + i) & 3);
    const simdp_status status =
        mapped ? simdp_system_transcript_map(rng, &run, symbols, run.capacity, ask, &a, &data, &neighbour, 2.0, 0.05)
               : simdp_system_interact(rng, &run, ask, &a, &data, &neighbour, NULL);
    for (size_t i = 0; i < run.count; i++) memcpy(out + 8 * i, &steps[i].output, 8);
    return status;
}

static simdp_status run_interact(simdp_rng *rng, const drawing_call *c, size_t first, size_t count, unsigned char *out)
{
    (void)first, (void)count;
    return run_steps(rng, c, out, false);
}

static simdp_status run_transcript(simdp_rng *rng, const drawing_call *c, size_t first, size_t count,
                                   unsigned char *out)
{
    (void)first, (void)count;
    return run_steps(rng, c, out, true);
}

/* ---- all of them ---- */

#define NOISE_ROWS(law, choose64, choose32)                                             \
    {"simdp_noise_" #law "_f64", choose64, run_##law##_f64, 1, false},                  \
    {"simdp_noise_" #law "_f32", choose32, run_##law##_f32, 1, false},                  \
    {"simdp_noise_" #law "_f64_add", choose64, run_##law##_f64_add, 1, false},          \
    {"simdp_noise_" #law "_f32_add", choose32, run_##law##_f32_add, 1, false}
#define SELECT_ROWS(name, choose, cut)                                                  \
    {"simdp_select_" #name, choose, run_select_##name, cut, true},                      \
    {"simdp_select_" #name "_f32", choose, run_select_##name##_f32, cut, true}

const drawing_function drawing_functions[] = {
    {"simdp_rng_words", choose_f64, run_words, 1, false},
    NOISE_ROWS(uniform, choose_f64, choose_f64),
    NOISE_ROWS(exponential, choose_f64, choose_exponential_f32),
    NOISE_ROWS(laplace, choose_f64, choose_laplace_f32),
    NOISE_ROWS(gaussian, choose_f64, choose_gaussian_f32),
    NOISE_ROWS(gumbel, choose_f64, choose_gumbel_f32),
    {"simdp_release_laplace", choose_release_laplace, run_release_laplace, 1, false},
    {"simdp_release_gaussian", choose_release_gaussian, run_release_gaussian, 1, false},
    {"simdp_release_laplace_i64", choose_laplace_i64, run_laplace_i64, 1, false},
    {"simdp_release_gaussian_i64", choose_gaussian_i64, run_gaussian_i64, 1, false},
    {"simdp_release_discrete_laplace_i64", choose_discrete_laplace, run_discrete_laplace_i64, 1, false},
    {"simdp_release_discrete_gaussian_i64", choose_discrete_gaussian, run_discrete_gaussian_i64, 1, false},
    {"simdp_noise_discrete_laplace_i64", choose_discrete_laplace, run_noise_discrete_laplace_i64, 1, false},
    {"simdp_noise_discrete_gaussian_i64", choose_discrete_gaussian, run_noise_discrete_gaussian_i64, 1, false},
    {"simdp_release_typical_laplace", choose_typical, run_typical_laplace, 1, false},
    {"simdp_release_typical_gaussian", choose_typical, run_typical_gaussian, 1, false},
    {"simdp_release_randomized_response", choose_response, run_response, 1, false},
    {"simdp_release_randomized_response_packed", choose_response, run_packed, 8, false},
    SELECT_ROWS(gumbel, choose_one, 0),
    SELECT_ROWS(gumbel_many, choose_select, 1),
    SELECT_ROWS(gumbel_rows, choose_select, 1),
    SELECT_ROWS(gumbel_top_k, choose_top_k, 0),
    SELECT_ROWS(gumbel_vartime, choose_one, 0),
    SELECT_ROWS(gumbel_many_vartime, choose_select, 1),
    SELECT_ROWS(permute_flip, choose_flip, 0),
    {"simdp_select_prepared", choose_select, run_prepared, 1, true},
    {"simdp_select_prepared_vartime", choose_select, run_prepared_vartime, 1, true},
    {"simdp_audit_laplace", choose_audit, run_audit_laplace, 0, false},
    {"simdp_audit_gaussian", choose_audit, run_audit_gaussian, 0, false},
    {"simdp_audit_selection", choose_audit_selection, run_audit_selection, 0, true},
    {"simdp_audit_randomized_response", choose_audit, run_audit_randomized_response, 0, false},
    {"simdp_audit_draw", choose_audit, run_audit_draw, 0, false},
    {"simdp_system_leaky_response", choose_leaky, run_leaky, 1, false},
    {"simdp_system_name_and_shame", choose_leaky, run_shame, 1, false},
    {"simdp_system_laplace_map", choose_audit, run_laplace_map, 1, false},
    {"simdp_system_discrete_map_draw", choose_audit, run_discrete_map, 1, false},
    {"simdp_system_interact", choose_audit, run_interact, 0, true},
    {"simdp_system_transcript_map", choose_audit, run_transcript, 0, true},
    {"simdp_system_polya_urn", choose_audit, run_urn, 1, false},
    {"simdp_system_select_column", choose_one, run_select_column, 0, true},
};
const size_t drawing_functions_count = sizeof drawing_functions / sizeof *drawing_functions;

drawing_call drawing_choose(const drawing_function *function, size_t n, bool force, uint64_t *random)
{
    drawing_call c = {.seed = test_random(random), .n = n};
    assert_true(n <= DRAWING_MOST);
    function->choose(&c, random);
    if (!force) c.forced.rate = 0;
    choose_forced(&c);
    return c;
}
