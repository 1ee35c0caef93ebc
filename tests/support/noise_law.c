/* noise_law.c: counting is cheap (no libm per deviate), judging is strict: see noise_law.h. */
#include "support/noise_law.h"

#include <math.h>

/* ---- counting -------------------------------------------------------------------------------------------------- */

#define GUIDE      (1 << 16) /* first guesses of the cell, so fine that no two edges of cells share one */
#define LONGEST    16        /* of the lags */
#define CELL_DEPTH 12        /* 2^-12 is one cell: tails down to here consist of whole cells */
static const int lag_bits[LAW_LAGS] = {0, 3, 4};

static int bucket(double x, double from, double per_unit)
{
    double g = (x - from) * per_unit;
    g = g > 0 ? g : 0; /* and NaN */
    return (int)(g < GUIDE - 1 ? g : GUIDE - 1);
}

typedef struct {
    double edge[LAW_CELLS + 1], deep[2][LAW_DEPTHS + 1];
    double from, per_unit;
    uint16_t guide[GUIDE]; /* how many edges lie in earlier buckets */
} tables;

static void make_tables(tables *t, const law_sampler *s)
{
    for (int i = 1; i < LAW_CELLS; i++) {
        const double p = (double)i / LAW_CELLS;
        t->edge[i] = p <= 0.5 ? s->lower(p) : s->upper(1 - p);
    }
    t->edge[LAW_CELLS] = INFINITY;
    for (int k = 1; k <= LAW_DEPTHS; k++) {
        t->deep[0][k] = s->lower(ldexp(1, -k));
        t->deep[1][k] = s->upper(ldexp(1, -k));
    }
    t->from = t->edge[1];
    t->per_unit = GUIDE / (t->edge[LAW_CELLS - 1] - t->from);
    for (int b = 0, i = 1; b < GUIDE; b++) {
        t->guide[b] = (uint16_t)(i - 1);
        i += i < LAW_CELLS && bucket(t->edge[i], t->from, t->per_unit) == b;
        assert_true(i == LAW_CELLS || bucket(t->edge[i], t->from, t->per_unit) > b);
    }
}

static void classify(law_counts *c, const tables *t, const double *x, uint16_t *cell, size_t n)
{
    uint64_t inside = 0, positive = 0, negative = 0;
    for (size_t i = 0; i < n; i++) {
        uint16_t at = t->guide[bucket(x[i], t->from, t->per_unit)];
        at = (uint16_t)(at + (x[i] >= t->edge[at + 1]));
        cell[i] = at;
        c->cell[at]++;
        if (at != 0 && at != LAW_CELLS - 1) continue;
        const int side = at != 0;
        for (int k = CELL_DEPTH + 1; k <= LAW_DEPTHS; k++) {
            c->beyond[side][k] += side ? x[i] > t->deep[1][k] : x[i] < t->deep[0][k];
        }
    }
    for (size_t i = 0; i < n; i++) {
        inside += x[i] >= c->s->lowest && x[i] <= c->s->highest;
        positive += x[i] > 0;
        negative += x[i] < 0;
    }
    c->inside += inside;
    c->positive += positive;
    c->negative += negative;
}

/* Pairs (i - lag, i). Cells of the batch before, if any, lie in front of cell[0]; batches hold multiples of 2 lag. */
static void count_pairs(law_counts *c, const uint16_t *cell, size_t n, bool first)
{
    for (int l = 0; l < LAW_LAGS; l++) {
        const size_t lag = (size_t)1 << lag_bits[l];
        int64_t product = 0;
        for (size_t i = first ? lag : 0; i < n; i++) {
            const int a = *(cell + i - lag), b = cell[i];
            c->pair[l][i >> lag_bits[l] & 1][a / (LAW_CELLS / LAW_SIDE) * LAW_SIDE + b / (LAW_CELLS / LAW_SIDE)]++;
            product += (2 * a + 1 - LAW_CELLS) * (2 * b + 1 - LAW_CELLS);
        }
        c->product[l] += product;
    }
}

/* Half the square of the radius of a polar pair is exponential. */
static void count_polar(law_counts *c, const double *x, size_t n)
{
    const size_t apart = c->s->pair_apart;
    for (size_t i = 0; i < n; i++) {
        if (i & apart) continue;
        const double a = x[i], b = x[i + apart], depth = (a * a + b * b) / (2 * log(2));
        c->polar++;
        if (!(depth > LAW_RING)) continue;
        c->octant[(a < 0) + 2 * (b < 0) + 4 * (fabs(a) < fabs(b))]++;
        for (int k = LAW_RING; k <= LAW_DEPTHS && depth > k; k++) c->radius[k]++;
    }
}

/* Elements that equal an earlier one, by a hash table. */
static void count_repeats(law_counts *c, const double *x, size_t n)
{
    static uint64_t slot[2 * LAW_FIRST];
    memset(slot, 0, sizeof slot);
    for (size_t i = 0; i < n; i++) {
        uint64_t bits;
        memcpy(&bits, x + i, 8);
        bits++; /* 0 marks a free slot */
        size_t h = (size_t)(bits * 0x9e3779b97f4a7c15 >> 43);
        while (slot[h] != 0 && slot[h] != bits) h = (h + 1) % (2 * LAW_FIRST);
        c->repeats += slot[h] == bits;
        slot[h] = bits;
    }
    c->searched = n;
}

void law_measure(law_counts *c, const law_sampler *s, uint64_t seed, size_t n, law_defect *spoil)
{
    static tables t;
    static double x[LAW_BATCH], first[LAW_FIRST];
    static uint16_t cell[LONGEST + LAW_BATCH];
    const double last_bit = s->is_float ? 0x1p24 : 0x1p53;
    simdp_rng rng;
    memset(c, 0, sizeof *c);
    c->s = s;
    c->n = n;
    assert_true(n >= LAW_FIRST && n % (2 * LONGEST) == 0);
    make_tables(&t, s);
    test_stream(&rng, seed, 0, 0);
    for (size_t done = 0; done < n; done += LAW_BATCH) {
        const size_t m = n - done < LAW_BATCH ? n - done : LAW_BATCH;
        s->draw(&rng, x, m);
        if (spoil != NULL) spoil(c, x, m);
        if (done < LAW_FIRST) memcpy(first + done, x, sizeof x);
        classify(c, &t, x, cell + LONGEST, m);
        count_pairs(c, cell + LONGEST, m, done == 0);
        memcpy(cell, cell + LAW_BATCH, LONGEST * sizeof *cell);
        if (s->pair_apart != 0) count_polar(c, x, m);
        for (size_t i = 0; s->uniform && i < m; i++) {
            if (x[i] >= 0.5 && x[i] < 1) c->low[(uint64_t)(x[i] * last_bit) % LAW_LOW]++;
        }
    }
    count_repeats(c, first, s->is_float ? LAW_FIRST >> 7 : LAW_FIRST);
    for (int k = 1; k <= CELL_DEPTH; k++) {
        for (int i = 0; i < LAW_CELLS >> k; i++) {
            c->beyond[0][k] += c->cell[i];
            c->beyond[1][k] += c->cell[LAW_CELLS - 1 - i];
        }
    }
}

/* ---- judging --------------------------------------------------------------------------------------------------- */

const char *const law_test_names[11] = {"reach",      "cells", "Kolmogorov", "Anderson", "tails",   "signs",
                                        "pair cells", "ranks", "polar",      "repeats",  "low bits"};

/* ln 1e9: a test that makes m comparisons grants each of them e^-(RISK + ln m). */
#define RISK 20.73

/* Whether Pearson's statistic is neither too large nor too small (a sample too even is no sample). For chi-square with
 * k degrees of freedom, P[X > k + 2 sqrt(k t) + 2 t] and P[X < k - 2 sqrt(k t)] are below e^-t (Laurent and Massart
 * 2000); that is wider than the exact quantiles by more than cells of 50 deviates need, the fewest there are here. *z
 * becomes the more extreme of *z and X, in standard deviations. */
static bool chi_square_ok(const uint64_t *count, int cells, uint64_t total, double t, double *z)
{
    const double mean = (double)total / cells, k = cells - 1;
    double x = 0;
    uint64_t sum = 0;
    for (int i = 0; i < cells; i++) {
        x += ((double)count[i] - mean) * ((double)count[i] - mean) / mean;
        sum += count[i];
    }
    assert_true(sum == total && mean > 50);
    if (fabs(x - k) > fabs(*z) * sqrt(2 * k)) *z = (x - k) / sqrt(2 * k);
    return x < k + 2 * sqrt(k * t) + 2 * t && x > k - 2 * sqrt(k * t);
}

/* A binomial or Poisson count of mean m reaches s > m, or s < m, with probability below e^-(s ln(s/m) - s + m)
 * (Chernoff). Returns the exponent. */
static double chernoff(double seen, double mean) { return (seen > 0 ? seen * log(seen / mean) : 0) - seen + mean; }

/* Kolmogorov-Smirnov at the edges of the cells, which can only make it smaller: P[sqrt(n) D > 3.29] < 2 exp(-2 3.29^2),
 * 8e-10 (Massart 1990).
 *
 * Anderson-Darling, n int (F_n - F)^2 / (F (1 - F)) dF, as a sum over the same edges. Its law for large n is that of
 * sum z_j^2 / (j (j + 1)) with normal z_j, as for the integral, but with only as many terms as edges: covariance and
 * weights have the discrete Legendre polynomials as eigenvectors. E exp(s A) = prod (1 - 2 s / (j (j + 1)))^(-1/2) is
 * below sqrt(3 / (1 - s)) for 0 < s < 1, because the factors of j > 1 have product 1/3 at s = 1. With
 * 1 - s = 1 / (2 x): P[A > x] < sqrt(6 x) exp(1/2 - x), 7.5e-10 for x = 24. */
static unsigned distances(const law_counts *c, double *ks, double *ad)
{
    const double n = (double)c->n;
    uint64_t below = 0;
    *ks = *ad = 0;
    for (int i = 1; i < LAW_CELLS; i++) {
        below += c->cell[i - 1];
        const double p = (double)i / LAW_CELLS, d = fabs((double)below - n * p) / sqrt(n);
        *ks = fmax(*ks, d);
        *ad += d * d / (p * (1 - p)) / LAW_CELLS;
    }
    return (*ks < 3.29 ? 0 : LAW_DISTANCE) | (*ad < 24 ? 0 : LAW_ANDERSON);
}

/* A missing tail shows where its mean passes 25.6, the limit of the exponents; a heavy one shows earlier. */
static unsigned tails(const law_counts *c, double *exponent)
{
    *exponent = 0;
    assert_true(c->beyond[0][1] + c->beyond[1][1] == c->n);
    for (int side = 0; side < 2; side++) {
        for (int k = 1; k <= c->s->depth[side]; k++)
            *exponent = fmax(*exponent, chernoff((double)c->beyond[side][k], ldexp((double)c->n, -k)));
    }
    return *exponent < RISK + log(2 * 2 * LAW_DEPTHS) ? 0 : LAW_TAIL;
}

/* Products of the ranks 2 cell + 1 - CELLS are uncorrelated, with variance ((CELLS^2 - 1) / 3)^2. 6.3 standard
 * deviations, three times: 9e-10. */
static unsigned pairs(const law_counts *c, double *cells_z, double *rank_z)
{
    unsigned no = 0;
    *cells_z = *rank_z = 0;
    for (int l = 0; l < LAW_LAGS; l++) {
        const uint64_t lag = (uint64_t)1 << lag_bits[l], half = c->n / 2; /* the first lag elements end no pair */
        for (int t = 0; t < 2; t++) {
            const uint64_t total = t == 0 ? half - lag : half;
            const double risk = RISK + log(2 * 2 * LAW_LAGS);
            if (!chi_square_ok(c->pair[l][t], LAW_SIDE * LAW_SIDE, total, risk, cells_z)) no |= LAW_PAIR;
        }
        const double sd = (LAW_CELLS * (double)LAW_CELLS - 1) / 3 * sqrt((double)(c->n - lag));
        const double z = (double)c->product[l] / sd;
        if (fabs(z) > fabs(*rank_z)) *rank_z = z;
    }
    return no | (fabs(*rank_z) < 6.3 ? 0 : LAW_RANK);
}

/* Pairs with both elements large are too few for the cells of pairs to tell where they lie. */
static unsigned polar(const law_counts *c, double *exponent, double *z)
{
    const bool ok = chi_square_ok(c->octant, 8, c->radius[LAW_RING], RISK + log(4), z);
    assert_true(c->polar == c->n / 2);
    for (int k = LAW_RING; k <= LAW_DEPTHS; k++)
        *exponent = fmax(*exponent, chernoff((double)c->radius[k], ldexp((double)c->polar, -k)));
    return ok && *exponent < RISK + log(4 * LAW_DEPTHS) ? 0 : LAW_POLAR;
}

unsigned law_refused(const law_counts *c, bool show)
{
    const double n = (double)c->n, sign = ((double)c->positive - (double)c->negative) / sqrt(n);
    double cells = 0, ks, ad, tail, pair, rank, radius = 0, octants = 0, low = 0;
    unsigned no = c->inside == c->n ? 0 : LAW_REACH;
    if (!chi_square_ok(c->cell, LAW_CELLS, c->n, RISK + log(2), &cells)) no |= LAW_CELL;
    no |= distances(c, &ks, &ad) | tails(c, &tail) | pairs(c, &pair, &rank);
    if (c->s->symmetric && !(fabs(sign) < 6.2)) no |= LAW_SIGN; /* standard deviations: 6e-10 */
    if (c->s->pair_apart != 0) no |= polar(c, &radius, &octants);

    /* No value has more than 2^-51 of the mass (floats: 2^-22). So the repeats among m deviates are about a Poisson
     * count with a mean of at most m^2 / 2 times that. */
    const double m = (double)c->searched, repeats = (double)c->repeats;
    const double mean = m * m / 2 * (c->s->is_float ? 0x1p-22 : 0x1p-51);
    if (repeats > mean && chernoff(repeats, mean) > RISK) no |= LAW_REPEAT;

    if (c->s->uniform) {
        uint64_t total = 0;
        for (int i = 0; i < LAW_LOW; i++) total += c->low[i];
        if (!chi_square_ok(c->low, LAW_LOW, total, RISK + log(2), &low)) no |= LAW_LOW_BITS;
    }
    if (!show) return no;
    print_message("%-15s n %.0e: chi-square %+.2f sd, KS %.2f, AD %.2f, tails e^-%.1f (2^-20: %u and %u, mean %.1f), "
                  "pairs %+.2f sd, ranks %+.2f sd, repeats %u",
                  c->s->name, n, cells, ks, ad, tail, (unsigned)c->beyond[0][20], (unsigned)c->beyond[1][20],
                  ldexp(n, -20), pair, rank, (unsigned)c->repeats);
    if (c->s->symmetric) print_message(", signs %+.2f sd", sign);
    if (c->s->pair_apart != 0) print_message(", radii e^-%.1f, far octants %+.2f sd", radius, octants);
    if (c->s->uniform) print_message(", low bits %+.2f sd", low);
    print_message("\n");
    return no;
}
