/* test_release_counts: doubles leave as many elements open as their radii say, for scale / grid from 2^8 to 2^36, and
 * integers' first pass likewise. Radii that are a fifth off show. The radii are stated here once more, so that those of
 * plan.c cannot move unseen.
 *
 * Few elements are open at small scales: there radii 2^k times as large are counted too, which a plan can be made with.
 * SIMDP_TEST_FULL in the environment takes 64 times as many elements for the radii as they are. */
#include "support/release_support.h"

enum { BATCH = 1 << 14 };

/* ---- the prediction ---- */

/* In units of the grid, S = scale / grid; m = |V| 2^63 (floats: 2^31), R = sqrt(2 E). The radius is
 *     flat + S (parts + slope x) + unseen max(S, least) / m + S near_zero / R          x = E, Gaussian: R */
typedef struct {
    double flat, parts, slope, unseen, least, near_zero;
    int bits;
} stated_radius;

static const stated_radius stated[2][RELEASE_LAWS] = {
    {{0x1p-52, 0x1.3p-48, 0, 1.25, 0x1p18, 0, 63}, {0x1p-52, 0x1.08p-47, 0, 1.25, 0x1p18, 0x1.7p-51, 63}},
    {{0x1p-24, 0x1.2p-22, 0x1.1p-22, 1.25, 16, 0, 31}, {0x1p-24, 0, 0x1.ap-21, 1.25, 16, 0x1.2p-21, 31}},
};

/* Kernels divide by a subtraction of the numbers' bits: k / x for powers of two, up to an eighth more between them. */
static double quick_ratio(double k, double x)
{
    int a, b;
    const double g = 2 * frexp(k, &a) - 1, f = 2 * frexp(x, &b) - 1;
    return ldexp(g >= f ? 1 + g - f : 1 + (g - f) / 2, a - b);
}

/* For y with a uniform fraction, d^2 + radius > 1/4 has this chance. Numbers lie step apart near y: as many of them are
 * open as lie closer than that to the border, which is one of them. */
static double chance(double radius, double step)
{
    if (radius >= 0.25) return 1;
    return fmin(1, step * (1 + 2 * floor((0.5 - sqrt(0.25 - radius)) / step)));
}

/* The same for y = +-s x, Gaussian: s x sin of a uniform angle. */
static double mean_chance(int law, double radius, double s, double x, int digits)
{
    const int angles = law == RELEASE_LAPLACE ? 1 : 16;
    double sum = 0;
    for (int k = 0; k < angles; k++) {
        const double y = s * x * (law == RELEASE_LAPLACE ? 1 : sin((k + 0.5) / angles * 1.5707963267948966));
        sum += chance(radius, ldexp(1, ilogb(y) + 1 - digits));
    }
    return sum / angles;
}

typedef struct {
    double mean, variance; /* of the open ones, for one element */
} prediction;

/* The mean over |V|, in 1/64 octaves. Elements of a Gaussian pair share V, and with it the chance. */
static prediction predict(const stated_radius *r, int law, double s, double times)
{
    const int steps = 64;
    double sum = 0, squares = 0, mass = 0;
    for (int i = 0; i < r->bits * steps; i++) {
        const double v = exp2(-(i + 0.5) / steps), weight = exp2(-(double)i / steps) - exp2(-(i + 1.0) / steps);
        const double e = -log(v), root = sqrt(2 * e), x = law == RELEASE_LAPLACE ? e : root;
        double radius = times * (r->flat + s * (r->parts + r->slope * x));
        radius += quick_ratio(times * r->unseen * fmax(s, r->least), ldexp(v, r->bits));
        if (r->near_zero > 0) radius += quick_ratio(times * s * r->near_zero, root);
        const double c = mean_chance(law, radius, s, x, r->bits == 31 ? 24 : 53);
        sum += weight * c;
        squares += weight * c * c;
        mass += weight;
    }
    const double mean = sum / mass, square = squares / mass;
    return (prediction){mean, law == RELEASE_LAPLACE ? mean - mean * mean : mean + square - 2 * mean * mean};
}

/* ---- counting ---- */

static simdp_release_counts count(bool halves, int law, double s, double times, size_t n)
{
    static double answers[BATCH], out[BATCH];
    static int64_t zeros[BATCH], integers[BATCH];
    simdp_release_counts counts = {0};
    simdp_release_plan plan = simdp_release_plan_forced(law, s, 1.0, times, PRECISION_F64, &release_scratch);
    simdp_rng rng;
    plan.counts = &counts;
    plan.block = plan.block_f32 = 2 * RELEASE_ALIGN; /* what else is open in a crowded block of halves is not counted */
    for (size_t i = 0; i < BATCH; i++) answers[i] = (double)i / (double)BATCH;
    test_stream(&rng, 400, (uint64_t)law, 0);
    simdp_bits_at at = {.cipher = cipher_of_stream(&rng), .use = simdp_release_use(law, halves, s)};
    for (size_t done = 0; done < n; done += BATCH) {
        at.position = done;
        if (halves) release_planned_i64(law, integers, zeros, BATCH, &at, &plan);
        else release_planned(law, out, answers, BATCH, &at, &plan);
    }
    return counts;
}

/* How far a count is from its prediction, in standard deviations; where few are due, in those a normal law would need
 * to be as unlikely as Chernoff's bound says at most: e^-(z^2 / 2). */
static double deviations(double seen, double mean, double variance)
{
    if (mean > 100) return (seen - mean) / sqrt(variance);
    const double exponent = (seen > 0 ? seen * log(seen / mean) : 0) - seen + mean;
    return copysign(sqrt(2 * fmax(exponent, 0)), seen - mean);
}

/* The kernel with radii `times` those above, judged as if they were `as_if` times those. */
static double judge_many(bool halves, int law, double s, double times, double as_if, size_t n)
{
    const simdp_release_counts c = count(halves, law, s, times, n);
    const prediction p = predict(&stated[halves][law], law, s, as_if);
    const double z = deviations((double)c.open, (double)n * p.mean, (double)n * p.variance);
    print_message("%s%s, scale / grid 2^%-2d radii x %-9.4g %9llu of 2^%d open, %11.2f expected of radii x %-9.4g "
                  "%+.2f sd, %llu crowded\n",
                  law_names[law], halves ? " integers" : "", ilogb(s), times, (unsigned long long)c.open,
                  ilogb((double)n), (double)n * p.mean, as_if, z, (unsigned long long)c.crowded);
    return z;
}

static double judge(bool halves, int law, double s, double times, double as_if)
{
    return judge_many(halves, law, s, times, as_if, (size_t)1 << 22);
}

static void test_doubles(void **state)
{
    (void)state;
    for (int law = 0; law < RELEASE_LAWS; law++) {
        for (int e = 8; e <= 36; e += 2) {
            const double s = ldexp(1, e), times = ldexp(1, 36 - e);
            assert_true(fabs(judge_many(false, law, s, 1, 1, is_full() ? (size_t)1 << 28 : (size_t)1 << 22)) < 5);
            if (e < 36) assert_true(fabs(judge(false, law, s, times, times)) < 5);
            if (e % 4) continue;
            assert_true(judge(false, law, s, 1.2 * times, times) > 5);
            assert_true(judge(false, law, s, times / 1.2, times) < -5);
        }
    }
}

static void test_integers(void **state)
{
    (void)state;
    for (int law = 0; law < RELEASE_LAWS; law++) {
        for (int e = 3; e <= 9; e++) {
            const double s = ldexp(1, e), times = ldexp(1, 10 - e);
            assert_true(fabs(judge(true, law, s, 1, 1)) < 5);
            assert_true(fabs(judge(true, law, s, times, times)) < 5);
            assert_true(judge(true, law, s, 1.2 * times, times) > 5);
            assert_true(judge(true, law, s, times / 1.2, times) < -5);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_doubles),
        cmocka_unit_test(test_integers),
    };
    return cmocka_run_group_tests_name("release_counts", tests, NULL, NULL);
}
