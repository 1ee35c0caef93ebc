/* noise_law.h: counts of many deviates and the tests that judge them. Each test would raise a false alarm for fewer
 * than 1e-9 of all keys. */
#ifndef SIMDP_NOISE_LAW_H
#define SIMDP_NOISE_LAW_H

#include "support/test_support.h"

typedef struct {
    const char *name;
    void (*draw)(simdp_rng *rng, double *out, size_t n); /* batches of even n */
    double (*lower)(double p), (*upper)(double p);       /* with mass p below, above */
    double lowest, highest;                              /* documented reach */
    int depth[2];                                        /* tails judged below and above: to 2^-depth */
    bool is_float, symmetric, uniform;
    size_t pair_apart; /* elements j and j + pair_apart share a radius */
} law_sampler;

#define LAW_CELLS  4096 /* of equal mass */
#define LAW_SIDE   32   /* cells of equal mass on each axis of a pair */
#define LAW_DEPTHS 30   /* tails of mass 2^-1 ... 2^-30 on each side */
#define LAW_RING   13   /* depth of the radius from which on polar pairs are counted by octant */
#define LAW_LAGS   3    /* 1, 8 and 16 */
#define LAW_BATCH  (1 << 16)
#define LAW_LOW    (1 << 16) /* patterns of the lowest 16 bits */
#define LAW_FIRST  (1 << 20) /* doubles that are searched for repeats */

typedef struct {
    const law_sampler *s;
    size_t n;
    uint64_t inside; /* within the documented reach; not NaN */
    uint64_t cell[LAW_CELLS], beyond[2][LAW_DEPTHS + 1];
    uint64_t positive, negative;
    uint64_t pair[LAW_LAGS][2][LAW_SIDE * LAW_SIDE];   /* two tables by turns, so that no table's pairs overlap */
    int64_t product[LAW_LAGS];                         /* sum of the products of centred ranks */
    uint64_t polar, radius[LAW_DEPTHS + 1], octant[8]; /* polar pairs, radii beyond each depth, far octants */
    uint64_t low[LAW_LOW];                             /* uniform deviates above 1/2 */
    size_t searched, repeats;
} law_counts;

/* A defect planted in n deviates before they are counted; s and n of the counts are set. */
typedef void law_defect(const law_counts *c, double *x, size_t n);

void law_measure(law_counts *c, const law_sampler *s, uint64_t seed, size_t n, law_defect *spoil);

/* The tests; their names in this order are law_test_names. */
enum {
    LAW_REACH = 1,      /* all deviates lie within the documented reach */
    LAW_CELL = 2,       /* chi-square of the cells */
    LAW_DISTANCE = 4,   /* Kolmogorov-Smirnov */
    LAW_ANDERSON = 8,   /* Anderson-Darling */
    LAW_TAIL = 16,      /* counts beyond each depth */
    LAW_SIGN = 32,      /* as many positive as negative */
    LAW_PAIR = 64,      /* chi-square of pairs */
    LAW_RANK = 128,     /* rank correlation of pairs */
    LAW_POLAR = 256,    /* radii of polar pairs, octants of the far ones */
    LAW_REPEAT = 512,   /* values seen before */
    LAW_LOW_BITS = 1024 /* chi-square of the lowest bits of uniform deviates */
};
extern const char *const law_test_names[11];

/* The tests that refuse the counts. show: print the figures. */
unsigned law_refused(const law_counts *c, bool show);

#endif
