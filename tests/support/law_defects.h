/* law_defects.h: what the tests of laws share beside noise_law.h: quantiles, and defects that its tests must see. */
#ifndef SIMDP_LAW_DEFECTS_H
#define SIMDP_LAW_DEFECTS_H

#include <math.h>

#include "support/noise_law.h"

/* ---- quantiles: mass p above, below ---- */

static inline double uniform_upper(double p) { return 1 - p; }
static inline double uniform_lower(double p) { return p; }
static inline double exponential_upper(double p) { return -log(p); }
static inline double exponential_lower(double p) { return -log1p(-p); }
static inline double laplace_upper(double p) { return -log(2 * p); }
static inline double laplace_lower(double p) { return log(2 * p); }
static inline double gumbel_upper(double p) { return -log(-log1p(-p)); }
static inline double gumbel_lower(double p) { return -log(-log(p)); }
static inline double gaussian_upper(double p)
{
    double a = 0, b = 40;
    for (int i = 0; i < 80; i++) {
        const double x = (a + b) / 2;
        if (erfc(x * sqrt(0.5)) / 2 > p) a = x;
        else b = x;
    }
    return b;
}
static inline double gaussian_lower(double p) { return -gaussian_upper(p); }

/* ---- planted defects ---- */

/* The deepest tail of which more than 25.6 deviates are due, so that its absence shows: 2^-18 of 1e7, 2^-21 of 1e8,
 * 2^-25 of 1e9. Tails that stop at 2^-32 or 2^-53 show in no number of deviates that a test can draw. */
static inline double visible(const law_counts *c, int side)
{
    const int depth = ilogb((double)c->n / 25.6);
    return ldexp(1, -(depth < c->s->depth[side] ? depth : c->s->depth[side]));
}

static inline void cut_below(const law_counts *c, double *x, size_t n)
{
    const double end = c->s->lower(visible(c, 0));
    for (size_t i = 0; i < n; i++) x[i] = x[i] < end ? end : x[i];
}

static inline void cut_above(const law_counts *c, double *x, size_t n)
{
    const double end = c->s->upper(visible(c, 1));
    for (size_t i = 0; i < n; i++) x[i] = x[i] > end ? end : x[i];
}

static inline void multiples(double *x, size_t n, double of)
{
    for (size_t i = 0; i < n; i++) x[i] = rint(x[i] / of) * of;
}

/* About as many values as 32 random bits give (floats: 16, as 32 are more than a float holds). With 32 bits only
 * repeats and low bits show it in 1e7 deviates: cells, distances and tails do not. */
static inline void few_bits(const law_counts *c, double *x, size_t n)
{
    multiples(x, n, c->s->is_float ? 0x1p-16 : 0x1p-32);
}

/* Steps wider than the narrowest cells. */
static inline void very_few_bits(const law_counts *c, double *x, size_t n)
{
    (void)c;
    multiples(x, n, 0x1p-9);
}

static inline void rescale(double *x, size_t n, double by)
{
    for (size_t i = 0; i < n; i++) x[i] *= by;
}
static inline void narrow(const law_counts *c, double *x, size_t n)
{
    (void)c;
    rescale(x, n, 0.995);
}
static inline void less_narrow(const law_counts *c, double *x, size_t n)
{
    (void)c;
    rescale(x, n, 0.998);
}
static inline void minimum_form(const law_counts *c, double *x, size_t n)
{
    (void)c;
    rescale(x, n, -1);
}

/* Signs turned positive. */
static inline void leaning(const law_counts *c, double *x, size_t n)
{
    (void)c;
    for (size_t i = 0; i < n; i += 200) x[i] = fabs(x[i]);
}

static inline void less_leaning(const law_counts *c, double *x, size_t n)
{
    (void)c;
    for (size_t i = 0; i < n; i += 1000) x[i] = fabs(x[i]);
}

/* Where polar pair j has its first element; the second lies apart behind it. */
static inline size_t first_of_pair(size_t j, size_t apart) { return j / apart * 2 * apart + j % apart; }

/* Two quadrants too often: equal signs forced on one pair of 100. */
static inline void quadrants(const law_counts *c, double *x, size_t n)
{
    const size_t apart = c->s->pair_apart;
    for (size_t j = 0; j < n / 2; j += 100) {
        double *a = &x[first_of_pair(j, apart)], *b = a + apart;
        *b = copysign(*b, *a);
    }
}

static inline void larger_first(double *a, double *b)
{
    const double was = *a;
    if (fabs(was) < fabs(*b)) *a = *b, *b = was;
}

/* Four octants too often, in one pair of 50: the values stay what they are, and uncorrelated. */
static inline void octants(const law_counts *c, double *x, size_t n)
{
    const size_t apart = c->s->pair_apart;
    for (size_t j = 0; j < n / 2; j += 50)
        larger_first(&x[first_of_pair(j, apart)], &x[first_of_pair(j, apart) + apart]);
}

/* The same in one of two pairs so far out that the float sampler makes them from other bits than the rest. */
static inline void far_octants(const law_counts *c, double *x, size_t n)
{
    const size_t apart = c->s->pair_apart;
    for (size_t j = 0; j < n / 2; j++) {
        double *a = &x[first_of_pair(j, apart)], *b = a + apart;
        if (*a * *a + *b * *b > 2 * log(2) * LAW_RING && *a > 0) larger_first(a, b);
    }
}

/* No radius deeper than 2^-17, where 38 of 5e6 are due. The last factor keeps roundings inside. */
static inline void cut_radius(const law_counts *c, double *x, size_t n)
{
    const size_t apart = c->s->pair_apart;
    for (size_t j = 0; j < n / 2; j++) {
        double *a = &x[first_of_pair(j, apart)], *b = a + apart;
        const double shrink = sqrt(2 * log(2) * 17 / (*a * *a + *b * *b)) * (1 - 0x1p-40);
        if (shrink < 1) *a *= shrink, *b *= shrink;
    }
}

/* One element in 200 repeats the one that lies 1, 8 or 16 before it. */
static inline void copies(double *x, size_t n, size_t lag)
{
    for (size_t i = lag; i < n; i += i % 2 ? 199 : 201) x[i] = x[i - lag];
}
static inline void copies_1(const law_counts *c, double *x, size_t n)
{
    (void)c;
    copies(x, n, 1);
}
static inline void copies_8(const law_counts *c, double *x, size_t n)
{
    (void)c;
    copies(x, n, 8);
}
static inline void copies_16(const law_counts *c, double *x, size_t n)
{
    (void)c;
    copies(x, n, 16);
}

/* ---- judging ---- */

/* The tests that refuse n deviates of a sampler, with a planted defect or, if spoil is NULL, as they are. */
static inline unsigned law_judge(law_counts *c, const law_sampler *s, uint64_t seed, size_t n, const char *name,
                                 law_defect *spoil)
{
    law_measure(c, s, seed, n, spoil);
    const unsigned no = law_refused(c, spoil == NULL);
    if (no == 0 && spoil == NULL) return no;
    print_message("%-15s n %.0e: %s: refused by", s->name, (double)n, name);
    for (int i = 0; i < 11; i++) {
        if (no >> i & 1) print_message(" (%s)", law_test_names[i]);
    }
    print_message("\n");
    return no;
}

#endif
