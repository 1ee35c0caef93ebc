/* peers_sleef.c: see peers_sleef.h. */
#include "peers_sleef.h"

#ifdef SIMDP_HAVE_SLEEF
#include <math.h>
#include <sleef.h>
#include <stdio.h>
#include <stdlib.h>

#include "xoshiro.h"

_Alignas(64) uint64_t sleef_state[4][2 * SLEEF_LANES_MAX];

/* splitmix64 from a fixed seed, as the authors of xoshiro advise */
static void seed(void)
{
    uint64_t *state = &sleef_state[0][0], x = 20240229;
    for (size_t i = 0; i < sizeof sleef_state / sizeof *state; i++) {
        uint64_t z = x += 0x9e3779b97f4a7c15;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
        z = (z ^ z >> 27) * 0x94d049bb133111eb;
        state[i] = z ^ z >> 31;
    }
}

static const sleef_unit *best_unit(void) /* NULL: none for this CPU */
{
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return NULL;
    return __builtin_cpu_supports("avx512f") ? &sleef_unit_avx512 : &sleef_unit_avx2;
}

static const sleef_unit *unit; /* set by peers_sleef_check, which comes first */

bool peers_sleef_usable(void) { return unit != NULL; }

#define SLEEF_LAW(law)                                                       \
    void sleef_##law##_f64(void *out, size_t n) { unit->law##_f64(out, n); } \
    void sleef_##law##_f32(void *out, size_t n) { unit->law##_f32(out, n); }
SLEEF_LAWS(SLEEF_LAW)
#undef SLEEF_LAW

#define STRING_OF(x) #x
#define STRING(x)    STRING_OF(x)
#define VERSION      STRING(SLEEF_VERSION_MAJOR) "." STRING(SLEEF_VERSION_MINOR) "." STRING(SLEEF_VERSION_PATCHLEVEL)

const char *peers_sleef_version(void)
{
    static char text[64];
    const sleef_unit *best = best_unit();
    snprintf(text, sizeof text, "%s, %s", VERSION, best == NULL ? "not on this CPU" : best->isa);
    return text;
}

/* ---- the laws ---- */

enum { CHECKED = 1000003 }; /* odd, so that the last vector is not full */

/* Within six standard errors; those of a variance as if every law had the exponential's fourth moment, the largest. */
static void check(const char *isa, const char *law, double (*at)(const void *, size_t), const void *x, double mean,
                  double variance)
{
    const double count = CHECKED;
    double sum = 0, squares = 0;
    for (size_t i = 0; i < CHECKED; i++) {
        const double centred = at(x, i) - mean;
        sum += centred;
        squares += centred * centred;
    }
    const double off = fabs(sum / count), ratio = squares / count / variance;
    if (off < 6 * sqrt(variance / count) && fabs(ratio - 1) < 6 * sqrt(8.0 / count)) return;
    fprintf(stderr, "simdp-bench: peer sleef, %s on %s: mean off by %g, variance by the factor %g\n", law, isa, off,
            ratio);
    abort();
}

static double f64_at(const void *x, size_t i) { return ((const double *)x)[i]; }
static double f32_at(const void *x, size_t i) { return (double)((const float *)x)[i]; }

#define CHECK(law, mean, variance)                                                           \
    tried->law##_f64(x, CHECKED), check(tried->isa, #law "_f64", f64_at, x, mean, variance); \
    tried->law##_f32(x, CHECKED), check(tried->isa, #law "_f32", f32_at, x, mean, variance)

/* Vectors against the generator of each lane. */
static void check_words(const sleef_unit *tried, double *x)
{
    enum { STEPS = 16 };
    const size_t width = 2 * tried->lanes;
    xoshiro lane[2 * SLEEF_LANES_MAX];
    seed();
    for (size_t g = 0; g < width; g++)
        for (int j = 0; j < 4; j++) lane[g].s[j] = sleef_state[j][g];
    tried->uniform_f64(x, STEPS * width);
    for (size_t i = 0; i < STEPS * width; i++) {
        if (x[i] == xoshiro_uniform(xoshiro_next(&lane[i % width]))) continue;
        fprintf(stderr, "simdp-bench: peer sleef, words on %s: they are not those of xoshiro256++\n", tried->isa);
        abort();
    }
}

static void check_unit(const sleef_unit *tried, double *x)
{
    check_words(tried, x);
    CHECK(laplace, 0.0, 2.0);
    CHECK(gaussian, 0.0, 1.0);
    CHECK(gumbel, 0.57721566490153286, 1.6449340668482264);
    CHECK(exponential, 1.0, 1.0);
    CHECK(uniform, 0.5, 1.0 / 12);
}

void peers_sleef_check(void)
{
    double *x = malloc(CHECKED * sizeof *x);
    if (x == NULL) abort();
    unit = best_unit();
    if (unit != NULL) check_unit(unit, x);
    if (unit == &sleef_unit_avx512) check_unit(&sleef_unit_avx2, x); /* elsewhere it is the one that runs */
    free(x);
}
#else

bool peers_sleef_usable(void) { return false; }
const char *peers_sleef_version(void) { return "not installed"; }
void peers_sleef_check(void) {}

#endif
