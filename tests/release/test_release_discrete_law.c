/* test_release_discrete_law: counts of many discrete integers against their masses, computed here and read from the
 * reference vectors, pairs, and how well planted defects are seen. */
#include <math.h>

#include "support/law_check.h"

#define N     (1 << 21)
#define BATCH 8192

typedef struct {
    bool gaussian;
    double scale;
} law;

/* ---- masses ---- */

static long double weight(const law *l, long double x)
{
    const long double s = l->scale;
    return l->gaussian ? expl(-x * x / (2 * s * s)) : expl(-fabsl(x) / s);
}

static long double total(const law *l)
{
    const long double s = l->scale;
    if (!l->gaussian) return 1 / tanhl(1 / (2 * s));
    if (s > 20) return s * sqrtl(2 * acosl(-1)); /* theta function: the next term is e^(-2 pi^2 s^2) */
    long double sum = 1;
    for (int x = 1; x < 40 * s + 40; x++) sum += 2 * weight(l, x);
    return sum;
}

/* ---- counts: numbers in cells of `width` integers, the middle one around 0, all that is beyond in the outer ones - */

#define CELLS 257

typedef struct {
    law law;
    uint64_t width; /* odd */
    uint64_t cell[CELLS];
    uint64_t pair[4][36]; /* of elements 1, 8, 16 and 512 apart, by the classes of class_of */
} counts;

typedef struct {
    simdp_discrete_laplace laplace;
    simdp_discrete_gaussian gaussian;
} plans;
typedef void defect(plans *p);

static const size_t lags[4] = {1, 8, 16, 512};

/* negative or not, in three classes of magnitude: about a third of the numbers each */
static unsigned class_of(const law *l, int64_t x)
{
    const double m = fabs((double)x) / l->scale, third = l->gaussian ? 0.43 : 0.4, two = l->gaussian ? 0.97 : 1.1;
    return (x < 0 ? 3u : 0u) + (m > third) + (m > two);
}

static void measure(counts *c, double scale, bool gaussian, uint64_t width, size_t n, defect *spoil)
{
    static int64_t x[BATCH];
    const simdp_kernels *t = simdp_kernels_active();
    simdp_rng rng;
    plans p;
    memset(c, 0, sizeof *c);
    c->law = (law){gaussian, scale};
    c->width = width;
    test_stream(&rng, 31, gaussian, 0);
    simdp_discrete_laplace_plan(&p.laplace, scale, 1.0, 0, &discrete_scratch);
    simdp_discrete_gaussian_plan(&p.gaussian, scale);
    if (spoil != NULL) spoil(&p);
    simdp_bits_at at = {.cipher = (const simdp_cipher *)(const void *)rng.cipher};
    for (size_t done = 0; done < n; done += BATCH, at.position += BATCH) {
        if (gaussian) t->release->discrete_gaussian(x, BATCH, &at, &p.gaussian);
        else t->release->discrete_laplace(x, BATCH, &at, &p.laplace);
        for (size_t i = 0; i < BATCH; i++) {
            const int64_t half = (int64_t)(width / 2), far = CELLS / 2;
            int64_t cell = (x[i] + (x[i] < 0 ? -half : half)) / (int64_t)width;
            cell = cell < -far ? -far : cell > far ? far : cell;
            c->cell[cell + far]++;
            for (int k = 0; k < 4; k++)
                if (i / lags[k] % 2 == 0 && i + lags[k] < BATCH)
                    c->pair[k][6 * class_of(&c->law, x[i]) + class_of(&c->law, x[i + lags[k]])]++;
        }
    }
}

/* masses of the cells: of single integers, or, where cells are wide, of their ends in closed form or by Simpson's
 * rule */
static long double mass_between(const law *l, long double a, long double b) /* integers a to b, 0 <= a */
{
    long double sum = 0;
    if (b - a < 5000) {
        for (long double x = a; x <= b; x++) sum += weight(l, x);
        /* wide cells: scales from 1e5 on, where the sum is an integral from a - 1/2 to b + 1/2 */
    } else if (l->gaussian) {
        const long double root = sqrtl(2.0L) * l->scale;
        sum = l->scale * sqrtl(acosl(-1) / 2) * (erfcl((a - 0.5L) / root) - erfcl((b + 0.5L) / root));
    } else {
        sum = (expl(-a / l->scale) - expl(-(b + 1) / l->scale)) / -expm1l(-1 / (long double)l->scale);
    }
    return sum;
}

static bool cells_pass(const counts *c)
{
    double p[CELLS];
    const long double z = total(&c->law), half = (long double)(c->width / 2);
    const int far = CELLS / 2;
    long double rest = 1 - (weight(&c->law, 0) + 2 * (half > 0 ? mass_between(&c->law, 1, half) : 0)) / z;
    p[far] = (double)(1 - rest);
    for (int k = 1; k <= far; k++) {
        const long double first = half + 1 + (long double)c->width * (k - 1);
        const long double mass = mass_between(&c->law, first, first + (long double)c->width - 1) / z;
        p[far + k] = p[far - k] = (double)(k < far ? mass : rest / 2);
        rest -= 2 * mass;
    }
    return law_check_counts(c->cell, p, CELLS);
}

/* Pairs: a table against the product of its own margins, which are known to be right. */
static bool pairs_pass(const counts *c)
{
    for (int k = 0; k < 4; k++) {
        double rows[6] = {0}, columns[6] = {0}, all = 0, p[36];
        for (int i = 0; i < 36; i++) {
            rows[i / 6] += (double)c->pair[k][i];
            columns[i % 6] += (double)c->pair[k][i];
            all += (double)c->pair[k][i];
        }
        for (int i = 0; i < 36; i++) p[i] = rows[i / 6] / all * columns[i % 6] / all;
        if (!law_check_counts(c->pair[k], p, 36)) return false;
    }
    return true;
}

static uint64_t width_of(double scale) { return scale < 20 ? 1 : (uint64_t)(scale / 10) | 1; }

static void test_laws(void **state)
{
    (void)state;
    static counts c;
    static const double scales[] = {0.3, 0.8, 1.0, 2.7, 6.4, 6.6, 9.1, 12.9, 31.0, 777.0, 1e5, 1e9};
    for (int gaussian = 0; gaussian < 2; gaussian++) {
        for (size_t i = 0; i < sizeof scales / sizeof scales[0]; i++) {
            measure(&c, scales[i], gaussian, width_of(scales[i]), is_full() ? (size_t)1 << 28 : N, NULL);
            if (!cells_pass(&c)) fail_msg("%s, scale %g: cells", gaussian ? "Gaussian" : "Laplace", scales[i]);
            if (!pairs_pass(&c)) fail_msg("%s, scale %g: pairs", gaussian ? "Gaussian" : "Laplace", scales[i]);
        }
    }
}

/* ---- controls ---- */

static void zero_twice(plans *p) { p->laplace.factor = 1.0, p->laplace.factor_low = 0.0; }
static void factor_rounded(plans *p)
{
    p->laplace.factor = floor(p->laplace.factor * 64) / 64, p->laplace.factor_low = 0.0;
}
static void cut_to_16(plans *p)
{
    for (int i = 1; i <= GAUSSIAN_THRESHOLDS; i++) p->gaussian.threshold[i] &= ~(((uint64_t)1 << 47) - 1);
}
static void accept_all(plans *p) { p->gaussian.exponent = 0.0; }
static void accept_too_often(plans *p) { p->gaussian.exponent *= 0.9; }

static void test_defects_are_seen(void **state)
{
    (void)state;
    static counts c;
    measure(&c, 3.0, false, 1, N, zero_twice);
    assert_false(cells_pass(&c));
    measure(&c, 1.5, false, 1, N, factor_rounded);
    assert_false(cells_pass(&c));
    measure(&c, 3.0, true, 1, N * 8, cut_to_16);
    assert_false(cells_pass(&c));
    measure(&c, 30.0, true, 3, N, accept_all);
    assert_false(cells_pass(&c));
    measure(&c, 30.0, true, 3, N, accept_too_often);
    assert_false(cells_pass(&c));
    /* pairs: a tenth of one cell moved to its neighbours */
    measure(&c, 30.0, true, 3, N, NULL);
    assert_true(pairs_pass(&c));
    const uint64_t moved = c.pair[2][7] / 20;
    c.pair[2][7] -= moved, c.pair[2][8] += moved, c.pair[2][14] -= moved, c.pair[2][13] += moved;
    assert_false(pairs_pass(&c));
}

/* ---- reference vectors ---- */

static void check_file(const char *path, bool gaussian)
{
    static int64_t x[N];
    FILE *file = fopen(path, "r");
    char line[400];
    double drawn = -1;
    size_t rows = 0;
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    while (fgets(line, sizeof line, file) != NULL) {
        double scale, mass;
        long long at;
        assert_int_equal(sscanf(line, "%lf,%lld,%lf", &scale, &at, &mass), 3);
        if (scale != drawn) {
            simdp_rng rng;
            test_stream(&rng, 77, (uint64_t)rows, 0);
            if (gaussian) must(simdp_noise_discrete_gaussian_i64(&rng, x, N, scale));
            else must(simdp_noise_discrete_laplace_i64(&rng, x, N, scale));
            drawn = scale;
        }
        uint64_t seen = 0;
        for (size_t i = 0; i < N; i++) seen += x[i] == at;
        if (mass < 1e-30 ? seen != 0 : !law_check_binomial(seen, N, mass)) fail_msg("%s: %s", path, line);
        rows++;
    }
    fclose(file);
    assert_true(rows > 200);
}

static void test_reference_vectors(void **state)
{
    (void)state;
    check_file(VECTORS "/discrete_laplace.csv", false);
    check_file(VECTORS "/discrete_gaussian.csv", true);
    assert_false(law_check_binomial(N / 2 + N / 50, N, 0.5));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_laws),
        cmocka_unit_test(test_defects_are_seen),
        cmocka_unit_test(test_reference_vectors),
    };
    return cmocka_run_group_tests_name("release_discrete_law", tests, NULL, NULL);
}
