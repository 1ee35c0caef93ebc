/* drawing_numbers.c: noise, releases and responses behind the signature of drawing.h. */
#include "support/drawing_data.h"

#include "release/bernoulli.h"
#include "release/digits.h"
#include "release/discrete_gaussian.h"

/* ---- noise ---- */

static void choose_f64(drawing_call *c, uint64_t *random) { c->scale = power_of_two(random, -30, 30); }

#define CHOOSE_F32(law, use_name)                                                                       \
    static void choose_##law##_f32(drawing_call *c, uint64_t *random)                                   \
    {                                                                                                   \
        c->scale = (float)power_of_two(random, -30, 30);                                                \
        c->forced = (forced_bits){.use = BITS_##use_name##_F32, .levels = 1, .rate = 4, .tails = true}; \
    }
CHOOSE_F32(exponential, EXPONENTIAL)
CHOOSE_F32(laplace, LAPLACE)
CHOOSE_F32(gaussian, GAUSSIAN)
CHOOSE_F32(gumbel, GUMBEL)

#define RUN_NOISE(law, suffix, type, ...)                                                                          \
    static simdp_status run_##law##suffix(simdp_rng *rng, const drawing_call *c, size_t first, size_t count,       \
                                          unsigned char *out)                                                      \
    {                                                                                                              \
        (void)c;                                                                                                   \
        return simdp_noise_##law##suffix(rng, (type *)(void *)out + first, count __VA_ARGS__);                     \
    }                                                                                                              \
    static simdp_status run_##law##suffix##_add(simdp_rng *rng, const drawing_call *c, size_t first, size_t count, \
                                                unsigned char *out)                                                \
    {                                                                                                              \
        type *sum = (type *)(void *)out + first;                                                                   \
        for (size_t i = 0; i < count; i++) sum[i] = (type)(datum(c, first + i) % 1000);                            \
        return simdp_noise_##law##suffix##_add(rng, sum, count __VA_ARGS__);                                       \
    }
#define COMMA ,
RUN_NOISE(uniform, _f64, double)
RUN_NOISE(uniform, _f32, float)
RUN_NOISE(exponential, _f64, double, COMMA c->scale)
RUN_NOISE(exponential, _f32, float, COMMA(float) c->scale)
RUN_NOISE(laplace, _f64, double, COMMA c->scale)
RUN_NOISE(laplace, _f32, float, COMMA(float) c->scale)
RUN_NOISE(gaussian, _f64, double, COMMA c->scale)
RUN_NOISE(gaussian, _f32, float, COMMA(float) c->scale)
RUN_NOISE(gumbel, _f64, double, COMMA c->scale)
RUN_NOISE(gumbel, _f32, float, COMMA(float) c->scale)

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

#define RUN_RELEASE(law)                                                                                        \
    static simdp_status run_release_##law(simdp_rng *rng, const drawing_call *c, size_t first, size_t count,    \
                                          unsigned char *out)                                                   \
    {                                                                                                           \
        return simdp_release_##law(rng, (double *)(void *)out + first, answers_f64(c) + first, count, c->scale, \
                                   c->grid);                                                                    \
    }
RUN_RELEASE(laplace)
RUN_RELEASE(gaussian)

/* A typical release has noise of scale alpha / eta on its default grid. */
static void choose_typical(drawing_call *c, uint64_t *random)
{
    c->scale = power_of_two(random, -5, 5);
    c->grid = 0.25;
}

#define RUN_TYPICAL(law)                                                                                            \
    static simdp_status run_typical_##law(simdp_rng *rng, const drawing_call *c, size_t first, size_t count,        \
                                          unsigned char *out)                                                       \
    {                                                                                                               \
        const simdp_theory_concentration query = {.kind = SIMDP_THEORY_SUBGAUSSIAN, .parameter = c->scale};         \
        const simdp_theory_stability target = {.eta = 0.5, .tau = 1e-6, .nu = 1e-3};                                \
        return simdp_theory_release_##law(rng, (double *)(void *)out + first, answers_f64(c) + first, count, query, \
                                          target);                                                                  \
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

/* 0 ends where |V| h = e^(-1/t), h = (1 + e^(-1/t)) / 2. */
static void choose_discrete_laplace(drawing_call *c, uint64_t *random)
{
    c->scale = power_of_two(random, -3, 24);
    const simdp_wide t = simdp_wide_from_double(c->scale), one = simdp_wide_from_u64(1);
    const simdp_wide e = simdp_wide_exp(simdp_wide_neg(simdp_wide_div(one, t)));
    force_border(&c->forced, BITS_DISCRETE_LAPLACE, simdp_wide_div(simdp_wide_scale(e, 1), simdp_wide_add(one, e)),
                 false);
}

/* U has the 63 digits of a threshold: the word of its further digits decides. */
static void choose_discrete_gaussian(drawing_call *c, uint64_t *random)
{
    simdp_discrete_gaussian plan;
    c->scale = power_of_two(random, -2, 30);
    simdp_discrete_gaussian_plan(&plan, c->scale);
    /* rarely: each such element costs two sums of 512-bit exponentials */
    c->forced = (forced_bits){.use = BITS_DISCRETE_GAUSSIAN, .levels = 1, .rate = 40};
    c->forced.digits[0][0] = plan.threshold[1 + test_random(random) % 3];
    c->forced.mask[0][0] = INT64_MAX;
}

#define RUN_INTEGERS(name)                                                                                         \
    static simdp_status run_##name(simdp_rng *rng, const drawing_call *c, size_t first, size_t count,              \
                                   unsigned char *out)                                                             \
    {                                                                                                              \
        return simdp_release_##name(rng, (int64_t *)(void *)out + first, answers_i64(c) + first, count, c->scale); \
    }
RUN_INTEGERS(laplace_i64)
RUN_INTEGERS(gaussian_i64)
RUN_INTEGERS(discrete_laplace_i64)
RUN_INTEGERS(discrete_gaussian_i64)

#define RUN_DISCRETE(name)                                                                                  \
    static simdp_status run_noise_##name(simdp_rng *rng, const drawing_call *c, size_t first, size_t count, \
                                         unsigned char *out)                                                \
    {                                                                                                       \
        return simdp_noise_##name(rng, (int64_t *)(void *)out + first, count, c->scale);                    \
    }
RUN_DISCRETE(discrete_laplace_i64)
RUN_DISCRETE(discrete_gaussian_i64)

/* ---- responses ---- */

static void choose_response(drawing_call *c, uint64_t *random)
{
    simdp_bernoulli law;
    c->epsilon = test_random(random) % 6 == 0 ? 0 : uniform(random, 0, test_random(random) % 2 ? 8 : 60);
    simdp_bernoulli_response(&law, c->epsilon);
    c->forced = (forced_bits){.use = BITS_RESPONSE,
                              .levels = 1 + (unsigned)(test_random(random) % 2),
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
    return simdp_theory_leaky_response(rng, out + first, who + first, count, c->epsilon, c->delta);
}

static simdp_status run_shame(simdp_rng *rng, const drawing_call *c, size_t first, size_t count, unsigned char *out)
{
    (void)c;
    return simdp_theory_name_and_shame(rng, out + first, count, c->delta);
}

/* ---- all of them ---- */

#define NOISE_ROWS(law, choose64, choose32)                                        \
    {"simdp_noise_" #law "_f64", choose64, run_##law##_f64, 1, false},             \
        {"simdp_noise_" #law "_f32", choose32, run_##law##_f32, 1, false},         \
        {"simdp_noise_" #law "_f64_add", choose64, run_##law##_f64_add, 1, false}, \
    {                                                                              \
        "simdp_noise_" #law "_f32_add", choose32, run_##law##_f32_add, 1, false    \
    }

const drawing_function drawing_numbers[] = {
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
    {"simdp_theory_release_laplace", choose_typical, run_typical_laplace, 1, false},
    {"simdp_theory_release_gaussian", choose_typical, run_typical_gaussian, 1, false},
    {"simdp_release_randomized_response", choose_response, run_response, 1, false},
    {"simdp_release_randomized_response_packed", choose_response, run_packed, 8, false},
    {"simdp_theory_leaky_response", choose_leaky, run_leaky, 1, false},
    {"simdp_theory_name_and_shame", choose_leaky, run_shame, 1, false},
};
const size_t drawing_numbers_count = sizeof drawing_numbers / sizeof *drawing_numbers;
