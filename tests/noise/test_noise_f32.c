/* test_noise_f32: the float samplers against double-precision libm. Chosen half-words: a spread subset by default, all
 * 2^32 of them where SIMDP_TEST_FULL is set. Then, with a real stream, every element that took further bits for its
 * tail; an independent AES gives these bits. */
#include <math.h>

#include "reference/aes_reference.h"
#include "support/test_support.h"

#define CHUNK       (1 << 14)   /* half-words in one go; whole groups of 32 */
#define SPREAD      0x9e3779b1u /* odd: index times it mod 2^32 meets every half-word once */
#define SUBSET      ((uint64_t)1 << 24)
#define HALF_PI     0x1.921fb54442d18p+0
#define MIDDLE_BITS ((uint64_t)1 << 63) /* the further bits of a kernel that is fed with words */

/* ---- the definition ---- */

static double magnitude(uint32_t half) { return fabs((double)(float)(int32_t)(half | 1)); }
static double energy(uint32_t half) { return -log(magnitude(half) * 0x1p-31); }

/* 63 bits: those of the half-word, which was made odd, so that two values share a cell; then 33 new ones */
static uint64_t magnitude_refined(uint32_t half, uint64_t bits)
{
    const uint64_t odd = (uint64_t)llabs((int64_t)(int32_t)(half | 1));
    return (odd - 1) << 32 | bits >> 31;
}

static double energy_refined(uint32_t half, uint64_t bits)
{
    return -log((double)(magnitude_refined(half, bits) | 1) * 0x1p-63);
}

/* Which elements take further bits: one in 8192. Right at the threshold a rounding decides, and either is right. */
enum { PLAIN, REFINED, EITHER };

static int side_of(double x, double threshold)
{
    return fabs(x - threshold) < 0x1p-18 * threshold ? EITHER : x > threshold ? REFINED : PLAIN;
}

static int refines_energy(double e) { return side_of(e, (double)9.01f); }
static int refines_gumbel(double e) { return e > 0.0 ? side_of(1.0 / e, 0x1p13) : REFINED; }

/* One element of a law with one word: NOISE_EXPONENTIAL, NOISE_LAPLACE or NOISE_GUMBEL; e is energy(half) */
static int refines(int law, double e) { return law == NOISE_GUMBEL ? refines_gumbel(e) : refines_energy(e); }

static double deviate(int law, uint32_t half, double e)
{
    return law == NOISE_GUMBEL ? -log(e) : law == NOISE_LAPLACE && half >> 31 ? -e : e;
}

/* A Gaussian pair: R, and the two elements in units of sigma. */
typedef struct {
    double radius, element[2];
} pair;

static pair pair_of(double e, double quadrant_part, uint32_t half, uint32_t angle)
{
    const double r = sqrt(2.0 * e), turn = HALF_PI * (1.0 - quadrant_part);
    return (pair){r, {(half >> 31 ? -r : r) * cos(turn), (angle >> 31 ? -r : r) * sin(turn)}};
}

static pair gaussian(double e, uint32_t half, uint32_t angle)
{
    return pair_of(e, (double)((angle & 0x007ffffe) | 1) * 0x1p-23, half, angle);
}

static pair gaussian_refined(uint32_t half, uint64_t bits, uint32_t angle, uint64_t angle_bits)
{
    const uint64_t r = magnitude_refined(half, bits), odd = (half >> 31 ? -r : r) | 1;
    const uint64_t part = (uint64_t)(angle & 0x007fffff) << 29 | angle_bits >> 35 | 1;
    return pair_of(-log(fabs((double)(int64_t)odd) * 0x1p-63), (double)part * 0x1p-52, half, angle);
}

/* ---- the claims ---- */

/* float ulp of a double */
static double ulp_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits &= 0x7ff0000000000000;
    memcpy(&x, &bits, sizeof x);
    return x * 0x1p-23;
}

typedef struct {
    double worst_ulp, worst_absolute; /* the latter in units of scale, or of sigma R */
    double worst_bound;               /* of the bound, which takes the better of the two */
    uint64_t measured, broken;
    uint32_t first_broken;
} figures;

static void keep_worst(double *worst, double x)
{
    if (!(x <= *worst)) *worst = x;
}

/* at most 12 ulp or 2^-19 scale; NaN does not hold */
static bool holds(double exact, double got, double scale, figures *f)
{
    const double error = fabs(got - exact), ulps = error / ulp_of(exact), absolute = error / scale;
    const double bound = fmin(ulps / 12.0, absolute * 0x1p19);
    if (exact != 0.0) keep_worst(&f->worst_ulp, ulps);
    keep_worst(&f->worst_absolute, absolute);
    keep_worst(&f->worst_bound, bound);
    f->measured++;
    return error <= 12.0 * ulp_of(exact) || error <= 0x1p-19 * scale;
}

/* both elements at most 2^-19 sigma R; where R = 0 by rounding, 2 E is computed as at most 2^-18 */
static bool pair_holds(pair exact, float first, float second, double sigma, figures *f)
{
    const double error =
        fmax(fabs((double)first - sigma * exact.element[0]), fabs((double)second - sigma * exact.element[1]));
    if (isnan(first) || isnan(second)) return false; /* fmax would not tell */
    if (exact.radius == 0.0) return error <= 0x1p-9 * sigma;
    keep_worst(&f->worst_absolute, error / (sigma * exact.radius));
    keep_worst(&f->worst_bound, error / (sigma * exact.radius) * 0x1p19);
    f->measured++;
    return error <= 0x1p-19 * sigma * exact.radius;
}

static void note_broken(figures *f, uint32_t half)
{
    if (f->broken++ == 0) f->first_broken = half;
}

/* ---- kernels on chosen half-words ---- */

static const char *const law_names[NOISE_LAWS] = {"uniform", "exponential", "Laplace", "Gaussian", "Gumbel"};

static void run(int law, float *out, const uint32_t *halves, float scale)
{
    static uint64_t words[CHUNK / 2];
    const simdp_bits_at at = {.words = words};
    memcpy(words, halves, sizeof words);
    simdp_kernels_active()->noise->f32[law](out, CHUNK, &at, scale);
}

static bool uniform_holds(uint32_t half, float got)
{
    return got == fminf((float)(magnitude(half) * 0x1p-31), 0x1.fffffep-1f) && got > 0.0f && got < 1.0f;
}

static bool element_holds(int law, uint32_t half, double e, float got, double scale, figures *f)
{
    const int refined = refines(law, e);
    if (law == NOISE_LAPLACE && (signbit(got) != 0) != (half >> 31 != 0)) return false;
    if (law == NOISE_EXPONENTIAL && signbit(got) != 0) return false;
    if (law == NOISE_GUMBEL && e == 0.0 && !(got >= 9.0f * (float)scale && isfinite(got))) return false;
    if (refined != REFINED && holds(scale * deviate(law, half, e), (double)got, scale, f)) return true;
    if (refined == PLAIN) return false;
    return holds(scale * deviate(law, half, energy_refined(half, MIDDLE_BITS)), (double)got, scale, f);
}

static void check_chunk(const uint32_t *halves, float scale, uint64_t *random, figures f[NOISE_LAWS])
{
    static float out[NOISE_LAWS][CHUNK];
    static uint32_t pairs[CHUNK];
    for (int law = 0; law < NOISE_LAWS; law++) {
        if (law != NOISE_GAUSSIAN) run(law, out[law], halves, scale);
    }
    for (size_t i = 0; i < CHUNK; i++) {
        const double e = energy(halves[i]);
        if (!uniform_holds(halves[i], out[NOISE_UNIFORM][i])) note_broken(&f[NOISE_UNIFORM], halves[i]);
        f[NOISE_UNIFORM].measured++;
        for (int law = NOISE_EXPONENTIAL; law < NOISE_LAWS; law++) {
            if (law == NOISE_GAUSSIAN) continue;
            if (!element_holds(law, halves[i], e, out[law][i], (double)scale, &f[law])) note_broken(&f[law], halves[i]);
        }
    }
    for (size_t begin = 0; begin < CHUNK; begin += CHUNK / 2) { /* half of a Gaussian chunk are angles */
        figures *g = &f[NOISE_GAUSSIAN];
        const double sigma = (double)scale;
        float *z = out[NOISE_GAUSSIAN];
        for (size_t i = 0; i < CHUNK / 2; i++) {
            const size_t at = i / 16 * 32 + i % 16;
            pairs[at] = halves[begin + i];
            pairs[at + 16] = (uint32_t)(test_random(random) >> 32);
        }
        run(NOISE_GAUSSIAN, z, pairs, scale);
        for (size_t i = 0; i < CHUNK / 2; i++) {
            const size_t at = i / 16 * 32 + i % 16;
            const uint32_t half = pairs[at], angle = pairs[at + 16];
            const double e = energy(half);
            const int refined = refines_energy(e);
            if (refined != REFINED && pair_holds(gaussian(e, half, angle), z[at], z[at + 16], sigma, g)) continue;
            const pair fine = gaussian_refined(half, MIDDLE_BITS, angle, MIDDLE_BITS);
            if (refined != PLAIN && pair_holds(fine, z[at], z[at + 16], sigma, g)) continue;
            note_broken(g, half);
        }
    }
}

/* Prints what was seen; whether all of it was in bounds. */
static bool conclude(const figures f[NOISE_LAWS])
{
    bool in = true;
    for (int law = 0; law < NOISE_LAWS; law++) {
        const figures *g = &f[law];
        print_message("%-11s n %-10llu", law_names[law], (unsigned long long)g->measured);
        if (law == NOISE_UNIFORM) print_message(" exact\n");
        else if (law == NOISE_GAUSSIAN) print_message(" worst 2^%.2f sigma R\n", log2(g->worst_absolute));
        else
            print_message(" worst 2^%.2f scale, %.2f ulp, %.3f of the bound, which takes the better\n",
                          log2(g->worst_absolute), g->worst_ulp, g->worst_bound);
        if (g->broken == 0) continue;
        print_message("%-11s OUT OF BOUNDS: %llu values, the first of half-word 0x%08x\n", law_names[law],
                      (unsigned long long)g->broken, (unsigned)g->first_broken);
        in = false;
    }
    return in;
}

static void test_half_words(void **state)
{
    (void)state;
    static uint32_t halves[CHUNK];
    figures f[NOISE_LAWS] = {{0}};
    uint64_t random = 21;
    const uint64_t count = is_full() ? (uint64_t)1 << 32 : SUBSET;
    for (uint64_t i = 0; i < count; i += CHUNK) {
        for (uint64_t k = 0; k < CHUNK; k++) halves[k] = (uint32_t)(i + k) * SPREAD;
        check_chunk(halves, 1.0f, &random, f);
    }
    assert_true(conclude(f));
}

/* Both ends of the magnitudes in full, past the thresholds of the tails (2^18 from each end); powers of two and the
 * ends of table intervals; with both signs; at several scales. */
static void test_edges(void **state)
{
    (void)state;
    enum { END = (1 << 18) + 1000, MOST = 4 * END + 5000 + CHUNK };
    static const float scales[] = {1.0f, 0.3f, 1.45f, 1e-12f, SIMDP_NOISE_SCALE_MIN_F32, SIMDP_NOISE_SCALE_MAX_F32};
    static uint32_t halves[MOST];
    size_t n = 0;
    bool in = true;
    uint64_t random = 22;
    for (uint32_t k = 0; k < END; k++) {
        const uint32_t four[] = {k, -k, 0x7fffffff - k, 0x80000000 + k};
        for (int i = 0; i < 4; i++) halves[n++] = four[i];
    }
    for (int bit = 3; bit < 31; bit++) {
        for (uint32_t eighth = 8; eighth < 16; eighth++) {
            for (uint32_t d = 0; d <= 6; d++) {
                const uint32_t half = (eighth << (bit - 3)) + d - 3;
                halves[n++] = half;
                halves[n++] = -half;
            }
        }
    }
    assert_true(n + CHUNK <= MOST); /* the last chunk is filled up with zeros */
    for (size_t s = 0; s < sizeof scales / sizeof scales[0]; s++) {
        figures f[NOISE_LAWS] = {{0}};
        for (size_t i = 0; i < n; i += CHUNK) check_chunk(halves + i, scales[s], &random, f);
        print_message("edges, scale %g\n", (double)scales[s]);
        in &= conclude(f);
    }
    assert_true(in);
}

static float any_scale(uint64_t *random)
{
    const float fraction = 1.0f + (float)(test_random(random) >> 41) * 0x1p-23f;
    return ldexpf(fraction, (int)(test_random(random) % 200) - 100);
}

/* The scale is folded into rounded constants: many scales, each on other half-words, a quarter of them near U = 1. */
static void test_scales(void **state)
{
    (void)state;
    static uint32_t halves[CHUNK];
    figures f[NOISE_LAWS] = {{0}};
    uint64_t random = 26;
    for (int s = 0; s < 500; s++) {
        for (uint32_t i = 0; i < CHUNK; i++) {
            const uint32_t half = (uint32_t)(test_random(&random) >> 32);
            halves[i] = i % 4 == 0 ? 0x7fffffff - (half >> i / 4 % 32) : half;
        }
        check_chunk(halves, any_scale(&random), &random, f);
    }
    assert_true(conclude(f));
}

/* |x| rounded to 2^31, the exact E is 0: the computed one must be >= 0 and small for every scale. */
static void test_rounded_to_one(void **state)
{
    (void)state;
    static uint32_t halves[CHUNK];
    static float e[CHUNK], z[CHUNK];
    uint64_t random = 23;
    double worst = 0.0, worst_z = 0.0;
    for (size_t i = 0; i < CHUNK; i++) halves[i] = i % 32 < 16 ? 0x7fffffff : (uint32_t)i << 7;
    for (int i = 0; i < 2000; i++) {
        const float scale = any_scale(&random);
        run(NOISE_EXPONENTIAL, e, halves, scale);
        run(NOISE_GAUSSIAN, z, halves, scale);
        assert_true(e[0] >= 0.0f && !signbit(e[0]) && e[0] <= 0x1p-19f * scale);
        keep_worst(&worst, (double)(e[0] / scale));
        for (size_t k = 0; k < 32; k++) {
            assert_true(fabsf(z[k]) <= 0x1p-9f * scale); /* not NaN */
            keep_worst(&worst_z, (double)fabsf(z[k] / scale));
        }
    }
    print_message("where U rounds to 1: E up to 2^%.2f, Gaussian up to 2^%.2f\n", log2(worst), log2(worst_z));
}

/* The control: values a little off must not hold. */
static void test_control(void **state)
{
    (void)state;
    static uint32_t halves[CHUNK];
    static float out[CHUNK];
    uint64_t random = 24;
    figures f = {0};
    size_t tried = 0;
    for (size_t i = 0; i < CHUNK; i++) halves[i] = (uint32_t)test_random(&random);
    run(NOISE_EXPONENTIAL, out, halves, 1.0f);
    for (size_t i = 0; i < CHUNK; i++) {
        const double e = energy(halves[i]);
        assert_true(element_holds(NOISE_EXPONENTIAL, halves[i], e, out[i], 1.0, &f));
        if (e > 4.0) continue;
        const float off = (double)out[i] < e ? out[i] - 0x1p-18f : out[i] + 0x1p-18f; /* away from the exact value */
        assert_false(element_holds(NOISE_EXPONENTIAL, halves[i], e, off, 1.0, &f));
        tried++;
    }
    assert_true(tried > CHUNK / 2);
    assert_false(element_holds(NOISE_EXPONENTIAL, halves[0], energy(halves[0]), NAN, 1.0, &f));
    run(NOISE_GAUSSIAN, out, halves, 1.0f);
    const pair p = gaussian(energy(halves[0]), halves[0], halves[16]);
    assert_true(pair_holds(p, out[0], out[16], 1.0, &f));
    assert_false(pair_holds(p, out[0], out[16] + 0x1p-17f * (float)p.radius, 1.0, &f));
}

/* ---- a real stream ---- */

#define TAIL_SEED   25
#define TAIL_STREAM 77

static const uint32_t uses[NOISE_LAWS] = {8, 9, 10, 11, 12}; /* numbers of the floats' words, by laws */

/* the further bits of the float at a position */
static uint64_t further_bits(int law, uint64_t position)
{
    uint8_t key[32];
    test_key(key, TAIL_SEED);
    return stream_reference(key, TAIL_STREAM, (uses[law] << 24) + 1, position);
}

static simdp_status draw(int law, simdp_rng *rng, float *out, size_t n, float scale)
{
    switch (law) {
    case NOISE_EXPONENTIAL: return simdp_noise_exponential_f32(rng, out, n, scale);
    case NOISE_LAPLACE: return simdp_noise_laplace_f32(rng, out, n, scale);
    case NOISE_GAUSSIAN: return simdp_noise_gaussian_f32(rng, out, n, scale);
    default: return simdp_noise_gumbel_f32(rng, out, n, scale);
    }
}

static bool is_refined_value(double exact, float got) { return fabs((double)got - exact) <= 2.0 * ulp_of(exact); }

typedef struct {
    uint64_t units, refined; /* elements, or pairs of them */
    uint64_t wrong, wrong_plain, control_differs;
} tail_count;

/* the float `index` of the stream, made of `half` */
static void check_tail_single(int law, uint32_t half, uint64_t index, float got, double scale, tail_count *c)
{
    const double e = energy(half);
    figures ignored = {0};
    c->units++;
    switch (refines(law, e)) {
    case PLAIN:
        if (!holds(scale * deviate(law, half, e), (double)got, scale, &ignored)) c->wrong_plain++;
        break;
    case REFINED:
        c->refined++;
        if (!is_refined_value(scale * deviate(law, half, energy_refined(half, further_bits(law, index))), got))
            c->wrong++;
        if (!is_refined_value(scale * deviate(law, half, energy_refined(half, further_bits(law, index ^ 1))), got))
            c->control_differs++; /* the other float's bits must not fit */
        break;
    }
}

/* the floats index and index + 16 */
static void check_tail_pair(uint32_t half, uint32_t angle, uint64_t index, const float got[2], double sigma,
                            tail_count *c)
{
    const double e = energy(half);
    figures ignored = {0};
    c->units++;
    switch (refines_energy(e)) {
    case PLAIN:
        if (!pair_holds(gaussian(e, half, angle), got[0], got[1], sigma, &ignored)) c->wrong_plain++;
        break;
    case REFINED:
        c->refined++;
        const pair want = gaussian_refined(half, further_bits(NOISE_GAUSSIAN, index), angle,
                                           further_bits(NOISE_GAUSSIAN, index + 16));
        const pair other = gaussian_refined(half, further_bits(NOISE_GAUSSIAN, index ^ 1), angle,
                                            further_bits(NOISE_GAUSSIAN, (index + 16) ^ 1));
        bool fits = true, other_fits = true;
        for (int k = 0; k < 2; k++) {
            fits &= is_refined_value(sigma * want.element[k], got[k]);
            other_fits &= is_refined_value(sigma * other.element[k], got[k]);
        }
        if (!fits) c->wrong++;
        if (!other_fits) c->control_differs++;
        break;
    }
}

static void check_tail(int law, uint64_t position, size_t n, float scale)
{
    const uint64_t first = position / 32 * 32; /* of the group of the first element */
    const size_t skip = (size_t)(position - first), words = (skip + n) / 32 * 16 + 16;
    uint32_t *halves = malloc(words * sizeof(uint64_t));
    float *out = malloc(n * sizeof *out);
    tail_count c = {0};
    simdp_rng rng;
    assert_true(halves != NULL && out != NULL);
    test_stream(&rng, TAIL_SEED, TAIL_STREAM, position);
    test_words_of(&rng, (uint64_t *)(void *)halves, words, uses[law] << 24, first / 2);
    must(draw(law, &rng, out, n, scale));
    for (size_t i = 0; i < n; i++) {
        const size_t at = skip + i;
        if (law != NOISE_GAUSSIAN) {
            check_tail_single(law, halves[at], first + at, out[i], (double)scale, &c);
        } else if (at % 32 < 16 && i + 16 < n) { /* pairs that the call holds whole */
            const float got[2] = {out[i], out[i + 16]};
            check_tail_pair(halves[at], halves[at + 16], first + at, got, (double)scale, &c);
        }
    }
    const double expected = (double)c.units / 8192.0;
    print_message("%-11s position %llu: %llu of %llu refined (%.0f expected), wrong %llu (control %llu), others %llu\n",
                  law_names[law], (unsigned long long)position, (unsigned long long)c.refined,
                  (unsigned long long)c.units, expected, (unsigned long long)c.wrong,
                  (unsigned long long)c.control_differs, (unsigned long long)c.wrong_plain);
    assert_true(c.wrong == 0 && c.wrong_plain == 0);
    assert_true(fabs((double)c.refined - expected) < 6.0 * sqrt(expected));
    assert_true(2 * c.control_differs > c.refined);
    free(halves);
    free(out);
}

static void test_tails(void **state)
{
    (void)state;
    static const int laws[] = {NOISE_EXPONENTIAL, NOISE_LAPLACE, NOISE_GAUSSIAN, NOISE_GUMBEL};
    for (size_t l = 0; l < sizeof laws / sizeof laws[0]; l++) {
        check_tail(laws[l], 0, 1 << 22, 1.0f);
        check_tail(laws[l], ((uint64_t)1 << 50) + 12345, (1 << 21) + 1, 0.7f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_half_words),     cmocka_unit_test(test_edges),   cmocka_unit_test(test_scales),
        cmocka_unit_test(test_rounded_to_one), cmocka_unit_test(test_control), cmocka_unit_test(test_tails),
    };
    return cmocka_run_group_tests_name("noise_f32", tests, NULL, NULL);
}
