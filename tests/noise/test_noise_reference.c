/* test_noise_reference: uniform, exponential, Gumbel and Gaussian doubles against MPFR, for random words, edge words
 * and many scales. Then what all samplers share: parameters, scale 0, and the caller's floating-point modes. */
#include <math.h>
#include <mpfr.h>

#include "support/test_support.h"

#define WORDS 1000000

/* 160 bits each; made and freed by main */
static mpfr_t energy, gumbel, exact, scratch, radius, sine, cosine, half_pi;

/* What was seen of one law: errors in the unit of its bound, and the first word that broke it. */
typedef struct {
    double worst, sum;
    size_t measured, broken;
    uint64_t first_broken;
} figures;

static void note(figures *f, double error)
{
    if (!(error <= f->worst)) f->worst = error;
    f->sum += error;
    f->measured++;
}

static void note_broken(figures *f, uint64_t word)
{
    if (f->broken++ == 0) f->first_broken = word;
}

static double mean_of(const figures *f) { return f->sum / (double)f->measured; }

/* Prints what was seen; whether all of it was in bounds. */
static bool conclude(const char *law, const figures *f, const char *unit)
{
    print_message("%-11s n %-8zu worst %.3f %s, mean %.3f\n", law, f->measured, f->worst, unit, mean_of(f));
    if (f->broken == 0) return true;
    print_message("%-11s OUT OF BOUNDS: %zu values, the first of word 0x%016llx\n", law, f->broken,
                  (unsigned long long)f->first_broken);
    return false;
}

static double ulp_of(double x) { return nextafter(fabs(x), INFINITY) - fabs(x); }

/* |x - got|; NaN and infinity stay what they are */
static double distance(mpfr_t x, double got)
{
    mpfr_sub_d(scratch, x, got, MPFR_RNDN);
    return fabs(mpfr_get_d(scratch, MPFR_RNDN));
}

/* E = -ln(x / 2^log2_one), x an integer that was rounded to a double as the header says */
static void set_energy(double x, unsigned long log2_one)
{
    mpfr_set_d(energy, x, MPFR_RNDN);
    mpfr_div_2ui(energy, energy, log2_one, MPFR_RNDN);
    mpfr_log(energy, energy, MPFR_RNDN);
    mpfr_neg(energy, energy, MPFR_RNDN);
}

/* -ln E, after set_energy */
static void set_gumbel(void)
{
    mpfr_log(gumbel, energy, MPFR_RNDN);
    mpfr_neg(gumbel, gumbel, MPFR_RNDN);
}

static double low_63_bits(uint64_t word) { return (double)(int64_t)((word & INT64_MAX) | 1); }
static double signed_double(uint64_t word) { return fabs((double)(int64_t)(word | 1)); }

/* ---- the claims, each on the reference that was set before ---- */

static bool uniform_holds(uint64_t word, double got)
{
    mpfr_set_ui(exact, (word & INT64_MAX) | 1, MPFR_RNDN);
    mpfr_div_2ui(exact, exact, 63, MPFR_RNDN);
    const double want = fmin(mpfr_get_d(exact, MPFR_RNDN), 0x1.fffffffffffffp-1);
    return got == want && got > 0.0 && got < 1.0;
}

/* after set_energy */
static bool exponential_holds(double got, double scale, figures *f)
{
    if (mpfr_zero_p(energy)) return got >= 0.0 && got < 0x1p-51 * scale;
    mpfr_mul_d(exact, energy, scale, MPFR_RNDN);
    const double error = distance(exact, got) / ulp_of(mpfr_get_d(exact, MPFR_RNDN));
    note(f, error);
    return error <= 10.0;
}

/* after set_gumbel; errors in units of 2^-48 scale, once the ulp is taken off */
static bool gumbel_holds(double got, double scale, figures *f)
{
    if (mpfr_zero_p(energy)) return got >= 36.0 * scale && got <= 39.0 * scale;
    mpfr_mul_d(exact, gumbel, scale, MPFR_RNDN);
    const double error = (distance(exact, got) - ulp_of(mpfr_get_d(exact, MPFR_RNDN))) / (0x1p-48 * scale);
    note(f, fmax(error, 0.0));
    return error <= 1.0;
}

/* R and the sine and cosine of the angle, which grows from 0 to pi/2 as the fraction b / 2^52 falls from 1 to 0 */
static void set_gaussian(uint64_t radius_word, uint64_t angle_word)
{
    const uint64_t b = (angle_word & 0x000fffffffffffff) | 1;
    set_energy(signed_double(radius_word), 63);
    mpfr_mul_2ui(radius, energy, 1, MPFR_RNDN);
    if (!mpfr_zero_p(radius)) mpfr_sqrt(radius, radius, MPFR_RNDN);
    mpfr_mul_ui(scratch, half_pi, ((uint64_t)1 << 52) - b, MPFR_RNDN);
    mpfr_div_2ui(scratch, scratch, 52, MPFR_RNDN);
    mpfr_sin_cos(sine, cosine, scratch, MPFR_RNDN);
}

/* after set_gaussian, with one of its two; errors in units of 2^-49 sigma R */
static bool gaussian_holds(double got, mpfr_t part, uint64_t sign_word, double sigma, figures *f)
{
    if (mpfr_zero_p(radius)) return fabs(got) <= 0x1p-25 * sigma;
    mpfr_mul(exact, radius, part, MPFR_RNDN);
    mpfr_mul_d(exact, exact, sign_word >> 63 ? -sigma : sigma, MPFR_RNDN);
    const double error = distance(exact, got) / (0x1p-49 * sigma * mpfr_get_d(radius, MPFR_RNDN));
    note(f, error);
    return error <= 1.0;
}

/* ---- kernels on chosen words ---- */

static double *draw(int law, const uint64_t *words, size_t n, double scale)
{
    static double out[WORDS];
    const simdp_bits_at at = {.words = words};
    assert_true(n <= WORDS);
    simdp_kernels_active()->noise->f64[law](out, n, &at, scale);
    return out;
}

static bool check_uniform(const uint64_t *words, size_t n)
{
    figures f = {0};
    const double *out = draw(NOISE_UNIFORM, words, n, 1.0);
    for (size_t i = 0; i < n; i++) {
        note(&f, 0.0);
        if (!uniform_holds(words[i], out[i])) note_broken(&f, words[i]);
    }
    return conclude("uniform", &f, "(exact)");
}

static bool check_exponential_and_gumbel(const uint64_t *words, size_t n, double scale, double most_mean)
{
    static double first[WORDS];
    figures e = {0}, g = {0};
    memcpy(first, draw(NOISE_EXPONENTIAL, words, n, scale), n * sizeof *first);
    const double *second = draw(NOISE_GUMBEL, words, n, scale);
    for (size_t i = 0; i < n; i++) {
        set_energy(low_63_bits(words[i]), 63);
        set_gumbel();
        if (!exponential_holds(first[i], scale, &e)) note_broken(&e, words[i]);
        if (!gumbel_holds(second[i], scale, &g)) note_broken(&g, words[i]);
    }
    const bool exponential_in = conclude("exponential", &e, "ulp"), mean_in = mean_of(&e) < most_mean;
    if (!mean_in) print_message("exponential OUT OF BOUNDS: the mean is not below %.1f ulp\n", most_mean);
    return conclude("Gumbel", &g, "2^-48 scale beyond 1 ulp") && exponential_in && mean_in;
}

/* whole groups of sixteen words: eight radii, eight angles */
static bool check_gaussian(const uint64_t *words, size_t n, double sigma)
{
    figures f = {0};
    const double *out = draw(NOISE_GAUSSIAN, words, n, sigma);
    for (size_t i = 0; i < n; i++) {
        if (i % 16 >= 8) continue;
        set_gaussian(words[i], words[i + 8]);
        if (!gaussian_holds(out[i], cosine, words[i], sigma, &f)) note_broken(&f, words[i]);
        if (!gaussian_holds(out[i + 8], sine, words[i + 8], sigma, &f)) note_broken(&f, words[i]);
    }
    return conclude("Gaussian", &f, "2^-49 sigma R");
}

static void test_random_words(void **state)
{
    (void)state;
    static const double scales[] = {1.0, 1e-12, 0.1, SIMDP_NOISE_SCALE_MIN, SIMDP_NOISE_SCALE_MAX};
    static uint64_t words[WORDS];
    uint64_t random = 11;
    bool in = true;
    for (size_t s = 0; s < sizeof scales / sizeof scales[0]; s++) {
        const size_t n = s == 0 ? WORDS : WORDS / 20;
        for (size_t i = 0; i < n; i++) words[i] = test_random(&random);
        print_message("scale %.17g\n", scales[s]);
        if (s == 0) in &= check_uniform(words, n); /* it has no scale */
        in &= check_exponential_and_gumbel(words, n, scales[s], s == 0 ? 2.0 : 2.5);
        in &= check_gaussian(words, n, scales[s]);
    }
    assert_true(in);
}

/* Words near every power of two, near both ends of every table interval, and where U is close to 1: near 2^64 and,
 * from both sides, near 2^63. */
static size_t edge_words(uint64_t *words)
{
    size_t n = 0;
    uint64_t random = 12;
    words[n++] = 0;
    words[n++] = UINT64_MAX;
    for (int bit = 0; bit < 64; bit++) {
        for (int64_t d = -3; d <= 3; d++) words[n++] = ((uint64_t)1 << bit) + (uint64_t)d;
        for (uint64_t eighth = 8; eighth < 16 && bit >= 3; eighth++) {
            for (int64_t d = -2; d <= 2; d++) words[n++] = (eighth << (bit - 3)) + (uint64_t)d;
        }
    }
    for (uint64_t eighth = 9; eighth <= 16; eighth++) { /* the polynomial is at its worst just below them */
        for (int i = 0; i < 100; i++) words[n++] = (eighth << 60) - (test_random(&random) >> 11);
        for (int i = 0; i < 100; i++) words[n++] = (eighth << 59) - (test_random(&random) >> 12);
    }
    for (int bit = 0; bit < 63; bit++) {
        for (int i = 0; i < 200; i++) {
            const uint64_t gap = (test_random(&random) >> (63 - bit)) | (uint64_t)1 << bit;
            words[n++] = -gap;
            words[n++] = ((uint64_t)1 << 63) - gap;
            words[n++] = ((uint64_t)1 << 63) + gap;
        }
    }
    return n;
}

static void test_edge_words(void **state)
{
    (void)state;
    static const double scales[] = {1.0, 0x1.ef557a267ef3cp+0};
    static uint64_t words[50000], pairs[2 * 50000 + 16];
    const size_t n = edge_words(words);
    bool in = true;
    assert_true(n <= 50000);
    for (size_t i = 0; i < n; i++) { /* every edge as a radius, and as an angle beside some other one */
        pairs[i / 8 * 16 + i % 8] = words[i];
        pairs[i / 8 * 16 + 8 + i % 8] = words[i * 7919 % n];
    }
    in &= check_uniform(words, n);
    for (size_t s = 0; s < sizeof scales / sizeof scales[0]; s++) {
        print_message("scale %.17g\n", scales[s]);
        in &= check_exponential_and_gumbel(words, n, scales[s], s == 0 ? 2.0 : 2.5);
        in &= check_gaussian(pairs, n / 8 * 16, scales[s]);
    }
    assert_true(in);
}

/* The bounds hold for every scale, but scale ln2/8 is rounded (neg_log.inc): least well where it lies just above a
 * power of two or 4/3 of one. Many scales there and elsewhere, each on random words, on words where the polynomial is
 * at its worst and on the upper tail of Gumbel. */
static void test_scales(void **state)
{
    (void)state;
    enum { RANDOM = 2000, N = RANDOM + 600, SCALES = 800 };
    static uint64_t words[N];
    static double first[N];
    static mpfr_t energies[N], gumbels[N];
    figures e = {0}, g = {0};
    uint64_t random = 19;
    double worst_mean = 0.0, mean_scale = 0.0, e_scale = 0.0, g_scale = 0.0;
    for (size_t i = 0; i < N; i++) {
        const uint64_t any = test_random(&random);
        words[i] = any;
        if (i >= RANDOM) words[i] = ((uint64_t)15 << 59) - (any >> 12);
        if (i >= RANDOM + 300) words[i] = INT64_MAX - (any >> 53 << (i % 40)) - 0x400;
        set_energy(low_63_bits(words[i]), 63);
        set_gumbel();
        mpfr_init_set(energies[i], energy, MPFR_RNDN);
        mpfr_init_set(gumbels[i], gumbel, MPFR_RNDN);
    }
    for (int s = 0; s < SCALES; s++) {
        const double part = (double)(test_random(&random) >> 11) * 0x1p-53;
        const double scale = s % 2 == 0 ? 1.0 + part : s % 4 == 1 ? 1.4427 + 0.02 * part : 1.9236 + 0.02 * part;
        const double e_worst = e.worst, g_worst = g.worst, e_sum = e.sum;
        memcpy(first, draw(NOISE_EXPONENTIAL, words, N, scale), sizeof first);
        const double *second = draw(NOISE_GUMBEL, words, N, scale);
        for (size_t i = 0; i < N; i++) {
            mpfr_set(energy, energies[i], MPFR_RNDN);
            mpfr_set(gumbel, gumbels[i], MPFR_RNDN);
            if (!exponential_holds(first[i], scale, &e)) note_broken(&e, words[i]);
            if (!gumbel_holds(second[i], scale, &g)) note_broken(&g, words[i]);
            const double mean = (e.sum - e_sum) / (double)RANDOM;
            if (i == RANDOM - 1 && mean > worst_mean) worst_mean = mean, mean_scale = scale;
        }
        if (e.worst > e_worst) e_scale = scale;
        if (g.worst > g_worst) g_scale = scale;
    }
    for (size_t i = 0; i < N; i++) mpfr_clears(energies[i], gumbels[i], (mpfr_ptr)NULL);
    print_message("worst scales: exponential %a, its mean %.3f at %a, Gumbel %a\n", e_scale, worst_mean, mean_scale,
                  g_scale);
    const bool exponential_in = conclude("exponential", &e, "ulp"), mean_in = worst_mean < 1.3;
    if (!mean_in) print_message("exponential OUT OF BOUNDS: the mean is not below 1.3 ulp\n");
    assert_true(conclude("Gumbel", &g, "2^-48 scale beyond 1 ulp") && exponential_in && mean_in);
}

static bool is_near(double x, double want) { return fabs(x - want) < 1e-13; }

/* The largest and smallest deviates lie where the header puts them, and no edge word leads further. */
static void test_reach(void **state)
{
    (void)state;
    static uint64_t words[50000];
    const uint64_t few[] = {0, 1, INT64_MAX - 0x400, INT64_MAX}; /* U = 2^-63 twice, 1 - 2^-53, and 1 by rounding */
    const size_t n = edge_words(words);
    const double *out = draw(NOISE_UNIFORM, few, 4, 1.0);
    assert_true(out[0] == 0x1p-63 && out[1] == 0x1p-63 && out[2] == 1.0 - 0x1p-53 && out[3] == 1.0 - 0x1p-53);

    out = draw(NOISE_EXPONENTIAL, few, 4, 1.0);
    print_message("exponential %.16g to %.16g\n", out[3], out[0]);
    assert_true(is_near(out[0], 43.668272375276551) && out[1] == out[0]);
    assert_true(is_near(out[2] * 0x1p53, 1.0) && out[3] >= 0.0 && out[3] < 0x1p-51);
    out = draw(NOISE_EXPONENTIAL, words, n, 1.0);
    for (size_t i = 0; i < n; i++) assert_true(out[i] < 43.6683);

    out = draw(NOISE_GUMBEL, few, 4, 1.0);
    print_message("Gumbel %.16g to %.16g, %.16g where U rounds to 1\n", out[0], out[2], out[3]);
    assert_true(is_near(out[0], -3.776621805809868) && out[1] == out[0]);
    assert_true(is_near(out[2], 36.736800569677101) && out[3] >= 36.0 && out[3] <= 39.0);
    out = draw(NOISE_GUMBEL, words, n, 1.0);
    for (size_t i = 0; i < n; i++) {
        assert_true(out[i] > -3.7767 && (out[i] < 36.7369 || low_63_bits(words[i]) == 0x1p63));
    }

    const uint64_t group[16] = {[0] = 0, [8] = INT64_MAX, [1] = UINT64_MAX, [9] = UINT64_MAX,
                                [2] = 0, [10] = 0,        [3] = 1,          [11] = (uint64_t)1 << 63};
    out = draw(NOISE_GAUSSIAN, group, 16, 1.0);
    print_message("Gaussian %.16g to %.16g\n", out[1], out[0]);
    assert_true(is_near(out[0], 9.3454023321927189) && is_near(out[8], 0.0)); /* angle 0 */
    assert_true(is_near(out[1], -9.3454023321927189) && is_near(out[9], 0.0));
    assert_true(is_near(out[2], 0.0) && is_near(out[10], 9.3454023321927189)); /* pi/2 */
    assert_true(is_near(out[3], 0.0) && is_near(out[11], -9.3454023321927189));
    out = draw(NOISE_GAUSSIAN, words, n / 16 * 16, 1.0);
    for (size_t i = 0; i < n / 16 * 16; i++) assert_true(fabs(out[i]) < 9.3455);
}

/* U = 1 by rounding, for every scale: E < 0 would be outside the law, its root NaN, and E = 0 no Gumbel. */
static void test_rounded_to_one(void **state)
{
    (void)state;
    const uint64_t word = UINT64_MAX, group[16] = {[0] = INT64_MAX, [8] = 12345};
    uint64_t random = 13;
    for (int i = 0; i < 200000; i++) {
        const double fraction = 1.0 + (double)(test_random(&random) >> 12) * 0x1p-52;
        const double scale = ldexp(fraction, (int)(test_random(&random) % 1600) - 800);
        const double e = *draw(NOISE_EXPONENTIAL, &word, 1, scale);
        assert_true(e >= 0.0 && e < 0x1p-51 * scale);
        if (i % 10 > 0) continue;
        const double g = *draw(NOISE_GUMBEL, &word, 1, scale), *z = draw(NOISE_GAUSSIAN, group, 16, scale);
        assert_true(g >= 36.0 * scale && g <= 39.0 * scale);
        assert_true(fabs(z[0]) <= 0x1p-25 * scale && fabs(z[8]) <= 0x1p-25 * scale); /* not NaN */
    }
}

/* away from the exact value, so that an error which is there already does not make up for the new one */
static double pushed(double got, double by) { return mpfr_cmp_d(exact, got) < 0 ? got + by : got - by; }

/* The control: values a little off must not hold. */
static void test_control(void **state)
{
    (void)state;
    uint64_t words[16], random = 14;
    figures f = {0};
    for (int round = 0; round < 100; round++) {
        for (int i = 0; i < 16; i++) words[i] = test_random(&random);
        double got = draw(NOISE_UNIFORM, words, 16, 1.0)[0];
        assert_true(uniform_holds(words[0], got) && !uniform_holds(words[0], nextafter(got, 0.0)));
        set_energy(low_63_bits(words[0]), 63);
        got = draw(NOISE_EXPONENTIAL, words, 16, 1.0)[0];
        assert_true(exponential_holds(got, 1.0, &f));
        assert_false(exponential_holds(pushed(got, 16.0 * ulp_of(got)), 1.0, &f));
        set_gumbel();
        got = draw(NOISE_GUMBEL, words, 16, 1.0)[0];
        assert_true(gumbel_holds(got, 1.0, &f));
        assert_false(gumbel_holds(pushed(got, 0x1p-46), 1.0, &f));
        set_gaussian(words[0], words[8]);
        got = draw(NOISE_GAUSSIAN, words, 16, 1.0)[8];
        assert_true(gaussian_holds(got, sine, words[8], 1.0, &f));
        assert_false(gaussian_holds(pushed(got, 0x1p-48 * mpfr_get_d(radius, MPFR_RNDN)), sine, words[8], 1.0, &f));
        assert_false(gaussian_holds(NAN, sine, words[8], 1.0, &f));
    }
}

/* ---- all forms of all laws ---- */

/* uniform deviates have no scale: the parameter makes all forms alike */
#define UNSCALED(name, type)                                                  \
    static simdp_status name(simdp_rng *rng, type *out, size_t n, type scale) \
    {                                                                         \
        (void)scale;                                                          \
        return simdp_noise_##name(rng, out, n);                               \
    }
UNSCALED(uniform_f64, double)
UNSCALED(uniform_f32, float)

/* one of f64 and f32 is there */
static const struct {
    const char *name;
    bool has_scale, add;
    simdp_status (*f64)(simdp_rng *, double *, size_t, double);
    simdp_status (*f32)(simdp_rng *, float *, size_t, float);
} forms[] = {
    {"uniform_f64", false, false, uniform_f64, NULL},
    {"uniform_f32", false, false, NULL, uniform_f32},
#define FORMS(l)                                                      \
    {#l "_f64", true, false, simdp_noise_##l##_f64, NULL},            \
        {#l "_f64_add", true, true, simdp_noise_##l##_f64_add, NULL}, \
        {#l "_f32", true, false, NULL, simdp_noise_##l##_f32},        \
    {                                                                 \
#l "_f32_add", true, true, NULL, simdp_noise_##l##_f32_add    \
    }
    {"exponential_f64", true, false, simdp_noise_exponential_f64, NULL},
    {"exponential_f32", true, false, NULL, simdp_noise_exponential_f32},
    FORMS(laplace),
    FORMS(gaussian),
    FORMS(gumbel),
};
#define FORM_COUNT (sizeof forms / sizeof forms[0])

/* Both scales are handed over as they are: a conversion would happen under the caller's mode. */
static simdp_status call(size_t form, simdp_rng *rng, void *out, size_t n, double scale, float scale_f32)
{
    return forms[form].f64 ? forms[form].f64(rng, out, n, scale) : forms[form].f32(rng, out, n, scale_f32);
}

static size_t bytes_of(size_t form, size_t n) { return n * (forms[form].f64 ? sizeof(double) : sizeof(float)); }

#define PLACE 17 /* of every stream below */

static void test_bad_parameters(void **state)
{
    (void)state;
    static const double bad[] = {
        NAN,
        -1.0,
        -0x1p-1074,
        INFINITY,
        -INFINITY,
        0x1p-1074,
        0x1p-1030,
        0x1.fffffffffffffp-901,
        0x1.0000000000001p+900,
    };
    static const float bad_f32[] = {
        NAN, -1.0f, -0x1p-149f, INFINITY, -INFINITY, 0x1p-149f, 0x1p-130f, 0x1.fffffep-101f, 0x1.000002p+100f,
    };
    unsigned char out[128], before[128];
    simdp_rng rng;
    memset(before, 0x3c, sizeof before);
    memset(out, 0x3c, sizeof out);
    for (size_t f = 0; f < FORM_COUNT; f++) {
        test_stream(&rng, 15, f, PLACE);
        for (size_t i = 0; i < sizeof bad / sizeof bad[0] && forms[f].has_scale; i++) {
            const simdp_status status = call(f, &rng, out, 5, bad[i], bad_f32[i]);
            if (status != SIMDP_EPARAM) fail_msg("%s takes scale %g or %g", forms[f].name, bad[i], (double)bad_f32[i]);
        }
        assert_int_equal(call(f, &rng, NULL, 1, 1.0, 1.0f), SIMDP_ENULL);
        assert_int_equal(call(f, NULL, out, 1, 1.0, 1.0f), SIMDP_ENULL);
        must(call(f, &rng, NULL, 0, 1.0, 1.0f));
        must(call(f, &rng, out, 0, 1.0, 1.0f));
        assert_memory_equal(out, before, sizeof out);
        assert_true(simdp_rng_position(&rng) == PLACE);
        must(call(f, &rng, out, 1, SIMDP_NOISE_SCALE_MIN,
                  SIMDP_NOISE_SCALE_MIN_F32)); /* the ends of the range are in it */
        must(call(f, &rng, out, 1, SIMDP_NOISE_SCALE_MAX, SIMDP_NOISE_SCALE_MAX_F32));
        memset(out, 0x3c, sizeof out);
    }
}

static void test_scale_zero(void **state)
{
    (void)state;
    unsigned char out[128], want[128];
    simdp_rng rng;
    for (size_t f = 0; f < FORM_COUNT; f++) {
        if (!forms[f].has_scale) continue;
        for (size_t n = 0; n <= 9; n++) {
            test_stream(&rng, 16, f, PLACE);
            memset(out, 0x3c, sizeof out);
            memset(want, 0x3c, sizeof want);
            if (!forms[f].add) memset(want, 0, bytes_of(f, n)); /* the bytes of +0.0 */
            must(call(f, &rng, out, n, 0.0, 0.0f));
            assert_memory_equal(out, want, sizeof out);
            assert_int_equal(simdp_rng_position(&rng), PLACE + n);
            must(call(f, &rng, out, n, -0.0, -0.0f));
            assert_memory_equal(out, want, sizeof out);
        }
    }
}

/* The other rounding modes and denormal settings of a caller change nothing, and are restored. */
static void test_caller_modes(void **state)
{
    (void)state;
    enum { N = 300 };
    static const unsigned modes[] = {0x3f80, 0x5f80, 0x7f80, 0x9fc0, 0x1fc0, 0xffc0, 0x0f80 /* inexact traps */};
    static double want[N], got[N];
    simdp_rng rng;
    for (size_t f = 0; f < FORM_COUNT; f++) {
        test_stream(&rng, 17, f, PLACE);
        memset(want, 0x3c, sizeof want); /* sums start from small numbers */
        must(call(f, &rng, want, N, 0.3, 0.3f));
        const unsigned before = __builtin_ia32_stmxcsr();
        for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
            must(simdp_rng_seek(&rng, PLACE));
            memset(got, 0x3c, sizeof got);
            __builtin_ia32_ldmxcsr(modes[i]);
            const simdp_status status = call(f, &rng, got, N, 0.3, 0.3f);
            const unsigned after = __builtin_ia32_stmxcsr();
            __builtin_ia32_ldmxcsr(before);
            assert_int_equal(status, SIMDP_OK);
            assert_int_equal(after & 0xffc0, modes[i] & 0xffc0);
            assert_memory_equal(got, want, sizeof want);
        }
    }
}

/* A subnormal scale is refused and not taken for 0, also where DAZ says so. */
static void test_subnormal_scale_in_caller_modes(void **state)
{
    (void)state;
    static const unsigned modes[] = {0x1fc0 /* DAZ */, 0x9fc0 /* DAZ and FTZ */};
    double out[4];
    simdp_rng rng;
    size_t wrong = 0;
    for (size_t f = 0; f < FORM_COUNT; f++) {
        if (!forms[f].has_scale) continue;
        test_stream(&rng, 18, f, PLACE);
        for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
            const unsigned before = __builtin_ia32_stmxcsr();
            __builtin_ia32_ldmxcsr(modes[i]);
            const simdp_status status = call(f, &rng, out, 4, 0x1p-1074, 0x1p-149f);
            __builtin_ia32_ldmxcsr(before);
            if (status == SIMDP_EPARAM && simdp_rng_position(&rng) == PLACE) continue;
            print_message("%s takes a subnormal scale in mode %#x\n", forms[f].name, modes[i]);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_words),   cmocka_unit_test(test_edge_words),
        cmocka_unit_test(test_scales),         cmocka_unit_test(test_reach),
        cmocka_unit_test(test_rounded_to_one), cmocka_unit_test(test_control),
        cmocka_unit_test(test_bad_parameters), cmocka_unit_test(test_scale_zero),
        cmocka_unit_test(test_caller_modes),   cmocka_unit_test(test_subnormal_scale_in_caller_modes),
    };
    mpfr_set_default_prec(160);
    mpfr_inits(energy, gumbel, exact, scratch, radius, sine, cosine, half_pi, (mpfr_ptr)NULL);
    mpfr_const_pi(half_pi, MPFR_RNDN);
    mpfr_div_2ui(half_pi, half_pi, 1, MPFR_RNDN);
    const int failed = cmocka_run_group_tests_name("noise_reference", tests, NULL, NULL);
    mpfr_clears(energy, gumbel, exact, scratch, radius, sine, cosine, half_pi, (mpfr_ptr)NULL);
    mpfr_free_cache();
    return failed;
}
