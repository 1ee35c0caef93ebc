/* test_noise_law: the laws of the ten samplers under fixed keys: cells, distances, tails, signs, pairs, repeats. Each test would
 * raise a false alarm for fewer than 1e-9 of all keys, and each is shown samplers with planted defects that it must refuse.
 * SIMDP_TEST_FULL in the environment draws 1e9 deviates of each law, enough to see tails that stop at 2^-25. */
#include <math.h>

#include "support/test_support.h"

enum {
    CELLS = 4096,      /* of equal mass */
    SIDE = 32,         /* cells of equal mass on each axis of a pair */
    GUIDE = 1 << 16,   /* first guesses of the cell, fine enough that no two edges of cells share one */
    DEPTHS = 30,       /* tails of mass 2^-1 ... 2^-30 on each side */
    LAGS = 3,
    LONGEST = 16,
    BATCH = 1 << 16,
    LOW = 1 << 16,     /* patterns of the lowest bits of a uniform deviate */
    FIRST = 1 << 20    /* doubles that are searched for repeats */
};
static const int lags[LAGS] = {1, 8, 16};   /* elements 8 (floats: 16) apart share a radius and an angle in the Gaussian law */

/* ---- the laws: upper(p) has mass p above it, lower(p) has mass p below it ------------------------------------------- */

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

#define DRAW(law, ...)                                                                                                      \
    static void law##_f64(simdp_rng *rng, double *out, size_t n) { must(simdp_noise_##law##_f64(rng, out, n __VA_ARGS__)); } \
    static void law##_f32(simdp_rng *rng, double *out, size_t n)                                                            \
    {                                                                                                                       \
        static float x[BATCH];                                                                                              \
        must(simdp_noise_##law##_f32(rng, x, n __VA_ARGS__));                                                               \
        for (size_t i = 0; i < n; i++) out[i] = (double)x[i];                                                               \
    }
DRAW(uniform, )
DRAW(exponential, , 1)
DRAW(laplace, , 1)
DRAW(gaussian, , 1)
DRAW(gumbel, , 1)

typedef struct {
    const char *name;
    void (*draw)(simdp_rng *rng, double *out, size_t n);
    double (*lower)(double), (*upper)(double);
    double lowest, highest;    /* documented reach */
    int depth[2];              /* deepest tail below and above; floats next to 1 and the logarithms of these are 2^-24 apart */
    bool symmetric, is_float;
} sampler;

#define LAW(law) #law "_f64", law##_f64, law##_lower, law##_upper
#define LAW_F32(law) #law "_f32", law##_f32, law##_lower, law##_upper
static const sampler samplers[] = {
    {LAW(uniform), 0x1p-64, 1 - 0x1p-53, {30, 30}, false, false},
    {LAW_F32(uniform), 0x1p-31, 1 - 0x1p-24, {30, 20}, false, true},
    {LAW(exponential), 0, 44.362, {30, 30}, false, false},
    {LAW_F32(exponential), 0, 44.362, {20, 30}, false, true},
    {LAW(laplace), -43.669, 43.669, {30, 30}, true, false},
    {LAW_F32(laplace), -44.362, 44.362, {30, 30}, true, true},
    {LAW(gaussian), -9.346, 9.346, {30, 30}, true, false},
    {LAW_F32(gaussian), -9.346, 9.346, {30, 30}, true, true},
    {LAW(gumbel), -3.793, 36.737, {30, 30}, false, false},
    {LAW_F32(gumbel), -3.069, 36.737, {30, 30}, false, true},
};
enum { SAMPLERS = sizeof samplers / sizeof *samplers, LAPLACE = 4 };

/* ---- what is counted ------------------------------------------------------------------------------------------------ */

typedef struct {
    const sampler *s;
    size_t n;
    uint64_t inside;                              /* within the documented reach; not NaN */
    uint64_t cell[CELLS], beyond[2][DEPTHS + 1];
    uint64_t positive, negative;
    uint64_t pair[LAGS][2][SIDE * SIDE];          /* chains of neighbours alternate between two tables: no table's pairs overlap */
    int64_t product[LAGS];                        /* sum of the products of centred ranks at each lag */
    uint64_t low[LOW];
    size_t searched, repeats;
} counts;

typedef void defect(const counts *c, double *x, size_t n);

static int bucket(double x, double from, double per_unit)
{
    double g = (x - from) * per_unit;
    g = g > 0 ? g : 0;
    return (int)(g < GUIDE - 1 ? g : GUIDE - 1);
}

static void classify(counts *c, const double *x, uint16_t *cell, size_t n)
{
    static const sampler *made_for;
    static double edge[CELLS + 1], deep[2][DEPTHS + 1];
    static uint16_t guide[GUIDE];   /* how many edges lie in earlier buckets; those of x's own bucket, at most one, are compared */
    if (made_for != c->s) {
        for (int i = 1; i < CELLS; i++) {
            const double p = (double)i / CELLS;
            edge[i] = p <= 0.5 ? c->s->lower(p) : c->s->upper(1 - p);
        }
        edge[CELLS] = INFINITY;
        for (int k = 1; k <= DEPTHS; k++) deep[0][k] = c->s->lower(ldexp(1, -k)), deep[1][k] = c->s->upper(ldexp(1, -k));
    }
    const double from = edge[1], per_unit = GUIDE / (edge[CELLS - 1] - from);
    if (made_for != c->s) {
        for (int b = 0, i = 1; b < GUIDE; b++) {
            guide[b] = (uint16_t)(i - 1);
            i += i < CELLS && bucket(edge[i], from, per_unit) == b;
            assert_true(i == CELLS || bucket(edge[i], from, per_unit) > b);
        }
        made_for = c->s;
    }
    for (size_t i = 0; i < n; i++) {
        uint16_t at = guide[bucket(x[i], from, per_unit)];
        at = (uint16_t)(at + (x[i] >= edge[at + 1]));
        cell[i] = at;
        c->cell[at]++;
        if (at == 0) for (int k = 13; k <= DEPTHS && x[i] < deep[0][k]; k++) c->beyond[0][k]++;
        if (at == CELLS - 1) for (int k = 13; k <= DEPTHS && x[i] > deep[1][k]; k++) c->beyond[1][k]++;
    }
}

/* Pairs (i - lag, i), with lag elements before cell[0] if old. Batches are multiples of all 2 lag. */
static void count_pairs(counts *c, const uint16_t *cell, size_t n, bool old)
{
    for (int l = 0; l < LAGS; l++) {
        const size_t lag = (size_t)lags[l];
        for (size_t i = old ? 0 : lag; i < n; i++) {
            const int a = *(cell + i - lag), b = cell[i];
            c->pair[l][i / lag & 1][a / (CELLS / SIDE) * SIDE + b / (CELLS / SIDE)]++;
            c->product[l] += (2 * a + 1 - CELLS) * (2 * b + 1 - CELLS);
        }
    }
}

/* Elements that equal an earlier one, by a hash table. */
static void count_repeats(counts *c, const double *x, size_t n)
{
    static uint64_t slot[2 * FIRST];
    memset(slot, 0, sizeof slot);
    for (size_t i = 0; i < n; i++) {
        uint64_t bits;
        memcpy(&bits, x + i, 8);
        bits++;   /* 0 marks a free slot */
        size_t h = (size_t)(bits * 0x9e3779b97f4a7c15 >> 43);
        while (slot[h] != 0 && slot[h] != bits) h = (h + 1) % (2 * FIRST);
        c->repeats += slot[h] == bits;
        slot[h] = bits;
    }
    c->searched = n;
}

static void measure(counts *c, const sampler *s, size_t n, defect *spoil)
{
    static double x[BATCH], first[FIRST];
    static uint16_t cell[LONGEST + BATCH];
    const double last_bit = s->is_float ? 0x1p24 : 0x1p53;
    simdp_rng rng;
    memset(c, 0, sizeof *c);
    c->s = s;
    c->n = n;
    test_stream(&rng, 2026, (uint64_t)(s - samplers), 0);
    for (size_t done = 0; done < n; done += BATCH) {
        const size_t m = n - done < BATCH ? n - done : BATCH;
        s->draw(&rng, x, m);
        if (spoil != NULL) spoil(c, x, m);
        if (done < FIRST) memcpy(first + done, x, sizeof x);
        classify(c, x, cell + LONGEST, m);
        count_pairs(c, cell + LONGEST, m, done > 0);
        memcpy(cell, cell + BATCH, LONGEST * sizeof *cell);
        uint64_t inside = 0, positive = 0, negative = 0;
        for (size_t i = 0; i < m; i++) {
            inside += x[i] >= s->lowest && x[i] <= s->highest;
            positive += x[i] > 0;
            negative += x[i] < 0;
        }
        c->inside += inside, c->positive += positive, c->negative += negative;
        for (size_t i = 0; s->upper == uniform_upper && i < m; i++)
            if (x[i] >= 0.5 && x[i] < 1) c->low[(uint64_t)(x[i] * last_bit) % LOW]++;
    }
    count_repeats(c, first, s->is_float ? FIRST >> 7 : FIRST);
    for (int k = 1; k <= 12; k++) {   /* these tails consist of whole cells */
        for (int i = 0; i < CELLS >> k; i++) c->beyond[0][k] += c->cell[i], c->beyond[1][k] += c->cell[CELLS - 1 - i];
    }
}

/* ---- what is refused ------------------------------------------------------------------------------------------------ */

enum { REACH = 1, CELL = 2, DISTANCE = 4, ANDERSON = 8, TAIL = 16, SIGN = 32, PAIR = 64, RANK = 128, REPEAT = 256, LOW_BITS = 512 };

/* ln 1e9: a test that makes m comparisons grants each of them e^-(RISK + ln m). */
#define RISK 20.73

/* Pearson's statistic, too large or too small (a sample too even is no sample). Chi-square with k degrees of freedom (Laurent
 * and Massart 2000): P[X > k + 2 sqrt(k t) + 2 t] and P[X < k - 2 sqrt(k t)] are below e^-t, with room for cells that hold finite
 * numbers: at least 70 here. */
static bool chi_square_ok(const uint64_t *count, int cells, uint64_t total, double t, double *worst)
{
    const double mean = (double)total / cells, k = cells - 1;
    double x = 0;
    uint64_t sum = 0;
    for (int i = 0; i < cells; i++) {
        x += ((double)count[i] - mean) * ((double)count[i] - mean) / mean;
        sum += count[i];
    }
    assert_true(sum == total && mean > 70);
    if (fabs(x - k) > fabs(*worst)) *worst = (x - k) / sqrt(2 * k);
    return x < k + 2 * sqrt(k * t) + 2 * t && x > k - 2 * sqrt(k * t);
}

/* Chernoff: a binomial (or Poisson) count of mean m reaches s with probability below exp(-(s ln(s/m) - s + m)), on each side. */
static double chernoff(double seen, double mean) { return (seen > 0 ? seen * log(seen / mean) : 0) - seen + mean; }

/* The tests that refuse these counts. */
static unsigned refused(const counts *c, bool show)
{
    const double n = (double)c->n, half = (double)(CELLS / 2);
    double cells = 0, pairs = 0, low = 0, ks = 0, ad = 0, tail = 0, rank = 0;
    unsigned no = c->inside == c->n ? 0 : REACH;

    if (!chi_square_ok(c->cell, CELLS, c->n, RISK + log(2), &cells)) no |= CELL;

    /* Kolmogorov-Smirnov at the edges of the cells, which can only make it smaller: P[sqrt(n) D > 3.29] < 2 exp(-2 3.29^2) = 8e-10.
     * Anderson-Darling, n int (F_n - F)^2 / (F (1 - F)) dF, as the sum over these edges: in law sum z_j^2 / (j (j + 1)) with normal
     * z_j, as for the integral, but with CELLS - 1 terms only (covariance and weight have the discrete Legendre polynomials as
     * eigenvectors). E exp(s A) = prod (1 - 2 s / (j (j + 1)))^(-1/2) < sqrt(3 / (1 - s)) for s < 1, as the factors after the first
     * have product 1/3 at s = 1; hence, with 1 - s = 1 / (2 x), P[A > x] < sqrt(6 x) exp(1/2 - x) = 7.5e-10 for x = 24. */
    uint64_t below = 0;
    for (int i = 1; i < CELLS; i++) {
        below += c->cell[i - 1];
        const double p = (double)i / CELLS, d = fabs((double)below - n * p) / sqrt(n);
        ks = fmax(ks, d);
        ad += d * d / (p * (1 - p)) / CELLS;
    }
    if (!(ks < 3.29)) no |= DISTANCE;
    if (!(ad < 24)) no |= ANDERSON;

    /* A tail that is missing shows where its mean passes 25.6; one that is too heavy shows earlier. */
    assert_true(c->beyond[0][1] + c->beyond[1][1] == c->n);
    for (int side = 0; side < 2; side++) {
        for (int k = 1; k <= c->s->depth[side]; k++) tail = fmax(tail, chernoff((double)c->beyond[side][k], ldexp(n, -k)));
    }
    if (!(tail < RISK + log(2 * 2 * DEPTHS))) no |= TAIL;

    /* 6.2 standard deviations: 6e-10 */
    const double sign = ((double)c->positive - (double)c->negative) / sqrt(n);
    if (c->s->symmetric && !(fabs(sign) < 6.2)) no |= SIGN;

    for (int l = 0; l < LAGS; l++) {
        const uint64_t all = c->n - lags[l], odd = all / (2 * lags[l]) * lags[l] +
            (all % (2 * lags[l]) > (uint64_t)lags[l] ? all % (2 * lags[l]) - lags[l] : 0);
        for (int t = 0; t < 2; t++) {
            if (!chi_square_ok(c->pair[l][t], SIDE * SIDE, t ? all - odd : odd, RISK + log(2 * 2 * LAGS), &pairs)) no |= PAIR;
        }
        /* Products of ranks 2 cell + 1 - CELLS are uncorrelated with variance ((CELLS^2 - 1) / 3)^2. 6.3 three times: 9e-10 */
        const double z = (double)c->product[l] / (sqrt((double)all) * (4 * half * half - 1) / 3);
        if (fabs(z) > fabs(rank)) rank = z;
    }
    if (!(fabs(rank) < 6.3)) no |= RANK;

    /* No value has more than 2^-51 of the mass (floats: 2^-22), so of m deviates fewer than m^2 / 2 times this are repeats. */
    const double m = (double)c->searched, mean = m * m / 2 * (c->s->is_float ? 0x1p-22 : 0x1p-51), repeats = (double)c->repeats;
    if (repeats > mean && chernoff(repeats, mean) > RISK) no |= REPEAT;

    if (c->s->upper == uniform_upper) {
        uint64_t total = 0;
        for (int i = 0; i < LOW; i++) total += c->low[i];
        assert_true(total > c->n / 4);
        if (!chi_square_ok(c->low, LOW, total, RISK + log(2), &low)) no |= LOW_BITS;
    }
    if (show)
        print_message("%-15s n %.0e  chi-square %+.1f sd  KS %.2f  AD %.2f  tails e^-%.1f (2^-20: %u, %u of %.1f)  signs %+.1f sd  "
                      "pairs %+.1f sd  ranks %+.1f sd  repeats %u  low bits %+.1f sd\n", c->s->name, n, cells, ks, ad, tail,
                      (unsigned)c->beyond[0][20], (unsigned)c->beyond[1][20], ldexp(n, -20), c->s->symmetric ? sign : 0.0, pairs,
                      rank, (unsigned)c->repeats, low);
    return no;
}

/* ---- planted defects ------------------------------------------------------------------------------------------------ */

/* The deepest tail of which more than 25.6 deviates are due: 2^-18 of 1e7, 2^-21 of 1e8, 2^-25 of 1e9. Samplers that stop at 2^-24
 * (uniform floats) are thus seen by the full test only, those that stop at 2^-32 by no test of counts. */
static double visible(const counts *c) { return ldexp(1, -ilogb((double)c->n / 25.6)); }

static void cut_above(const counts *c, double *x, size_t n)
{
    const double end = c->s->upper(visible(c));
    for (size_t i = 0; i < n; i++) x[i] = x[i] > end ? end : x[i];
}

static void cut_below(const counts *c, double *x, size_t n)
{
    const double end = c->s->lower(visible(c));
    for (size_t i = 0; i < n; i++) x[i] = x[i] < end ? end : x[i];
}

static void multiples(double *x, size_t n, double of)
{
    for (size_t i = 0; i < n; i++) x[i] = rint(x[i] / of) * of;
}

/* As many values as 32 random bits give (floats: 16, since 24 is all a float has): neither cells nor distances can see it. */
static void few_bits(const counts *c, double *x, size_t n) { multiples(x, n, c->s->is_float ? 0x1p-16 : 0x1p-32); }

static void very_few_bits(const counts *c, double *x, size_t n) { (void)c, multiples(x, n, 0x1p-9); }

static void scaled(double *x, size_t n, double by)
{
    for (size_t i = 0; i < n; i++) x[i] *= by;
}
static void narrow(const counts *c, double *x, size_t n) { (void)c, scaled(x, n, 0.995); }
static void little_narrow(const counts *c, double *x, size_t n) { (void)c, scaled(x, n, 0.998); }
static void minimum_form(const counts *c, double *x, size_t n) { (void)c, scaled(x, n, -1); }

/* One sign in 200, or in 1000, turned positive. */
static void leaning(const counts *c, double *x, size_t n)
{
    for (size_t i = 0; i < n; i += c->n > 10000000 ? 1000 : 200) x[i] = fabs(x[i]);
}

/* Gaussian: two quadrants too often. The signs of the two elements of a pair are made equal in one pair of 100. */
static void quadrants(const counts *c, double *x, size_t n)
{
    const size_t apart = c->s->is_float ? 16 : 8;
    for (size_t pair = 0, i; i = pair / apart * 2 * apart + pair % apart, i + apart < n; pair += 100)
        x[i + apart] = copysign(x[i + apart], x[i]);
}

/* Gaussian: four octants too often. In one pair of 50 the larger element is made the first, which leaves all values as they are. */
static void octants(const counts *c, double *x, size_t n)
{
    const size_t apart = c->s->is_float ? 16 : 8;
    for (size_t pair = 0, i; i = pair / apart * 2 * apart + pair % apart, i + apart < n; pair += 50) {
        const double a = x[i], b = x[i + apart];
        if (fabs(a) < fabs(b)) x[i] = b, x[i + apart] = a;
    }
}

/* One element in 200 repeats the one that lies 1, 8 or 16 before it. */
static void copies(double *x, size_t n, size_t lag)
{
    for (size_t i = lag; i < n; i += 199 + lag % 2) x[i] = x[i - lag];
}
static void copies_1(const counts *c, double *x, size_t n) { (void)c, copies(x, n, 1); }
static void copies_8(const counts *c, double *x, size_t n) { (void)c, copies(x, n, 8); }
static void copies_16(const counts *c, double *x, size_t n) { (void)c, copies(x, n, 16); }

/* Uniform, but a lattice: too even. */
static void lattice(const counts *c, double *x, size_t n)
{
    (void)c;
    for (size_t i = 0; i < n; i++) x[i] = fmod(((double)i + 0.5) * 0.6180339887498949, 1);
}

static void one_nan(const counts *c, double *x, size_t n) { (void)c, x[n / 2] = NAN; }

static const struct {
    const char *name, *law;   /* "" for all laws */
    defect *spoil;
    unsigned refused_by;
} defects[] = {
    {"cut above", "", cut_above, TAIL},
    {"cut below", "", cut_below, TAIL},
    {"few bits", "", few_bits, REPEAT},
    {"few bits", "uniform", few_bits, LOW_BITS},
    {"very few bits", "", very_few_bits, CELL},
    {"scale 0.5 % too small", "", narrow, ANDERSON},
    {"signs lean", "laplace", leaning, SIGN},
    {"signs lean", "gaussian", leaning, SIGN},
    {"two quadrants too often", "gaussian", quadrants, RANK},
    {"four octants too often", "gaussian", octants, PAIR},
    {"minimum form", "gumbel", minimum_form, CELL | DISTANCE | ANDERSON | TAIL | REACH},
    {"copies at 1", "", copies_1, RANK | PAIR},
    {"copies at 8", "", copies_8, RANK | PAIR},
    {"copies at 16", "", copies_16, RANK | PAIR},
    {"lattice", "uniform", lattice, CELL},
    {"one NaN", "", one_nan, REACH},
};

/* ---- tests ---------------------------------------------------------------------------------------------------------- */

static counts c;

static size_t samples(const sampler *s)
{
    return getenv("SIMDP_TEST_FULL") != NULL ? 1000000000 : s == samplers + LAPLACE ? 100000000 : 10000000;
}

static void test_laws(void **state)
{
    (void)state;
    unsigned all = 0;
    for (const sampler *s = samplers; s < samplers + SAMPLERS; s++) {
        measure(&c, s, samples(s), NULL);
        const unsigned no = refused(&c, true);
        if (no != 0) print_error("%s: refused by %#x\n", s->name, no);
        all |= no;
    }
    assert_int_equal(all, 0);
}

static void must_refuse(const sampler *s, size_t n, size_t d, unsigned by)
{
    measure(&c, s, n, defects[d].spoil);
    const unsigned no = refused(&c, false);
    print_message("%-15s %-24s refused by %#5x, must be by %#5x\n", s->name, defects[d].name, no, by);
    assert_int_equal(no & by, by);
}

static void test_defects_are_seen(void **state)
{
    (void)state;
    for (const sampler *s = samplers; s < samplers + SAMPLERS; s++) {
        for (size_t d = 0; d < sizeof defects / sizeof *defects; d++) {
            if (strncmp(s->name, defects[d].law, strlen(defects[d].law)) == 0) must_refuse(s, 10000000, d, defects[d].refused_by);
        }
    }
}
int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_laws),
        cmocka_unit_test(test_defects_are_seen),
    };
    return cmocka_run_group_tests_name("noise_law", tests, NULL, NULL);
}
