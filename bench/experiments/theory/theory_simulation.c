/* theory_simulation.c: the simulation lemma at work, and name-and-shame. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "theory.h"

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double laplace_cdf(double z) { return z < 0 ? 0.5 * exp(z) : 1 - 0.5 * exp(-z); }

/* Kolmogorov's distance between a sample (sorted here) and Laplace(centre, scale) */
static double distance(double *x, size_t n, double centre, double scale)
{
    double d = 0;
    qsort(x, n, sizeof *x, ascending);
    for (size_t i = 0; i < n; i++) {
        const double f = laplace_cdf((x[i] - centre) / scale);
        d = fmax(d, fmax(f - (double)i / (double)n, (double)(i + 1) / (double)n - f));
    }
    return d;
}

/* Leaky randomized response at (epsilon, 0), mapped: the distance to the law of its side, and to the other side's. */
void theory_simulation(const theory_size *size)
{
    static const char *const claims[2] = {"F(U) is Laplace at x0: Kolmogorov distance",
                                          "F(V) is Laplace at x1: Kolmogorov distance"};
    const size_t n = size->transcripts;
    double *x = theory_memory(n * sizeof *x);
    uint8_t *bits = theory_memory(n), *who = theory_memory(n);
    const double centre[2] = {0, 1}, scale = 1 / 0.7;
    simdp_rng rng;
    for (int side = 0; side < 2; side++) {
        theory_stream(&rng, 300 + (uint64_t)side);
        memset(who, side, n);
        MUST(simdp_theory_leaky_response(&rng, bits, who, n, 0.7, 0));
        MUST(simdp_theory_laplace_map(&rng, x, bits, n, centre[0], centre[1], scale));
        theory_progress(0.2 + 0.4 * side);
        /* 1.95 / sqrt n is passed by a true sample once in a thousand times */
        theory_write_claim(&(theory_claim){.topic = "simulation lemma",
                                           .source = "004 exercise 3.2",
                                           .claim = claims[side],
                                           .promised = 1.95 / sqrt((double)n),
                                           .seen = distance(x, n, centre[side], scale)});
        theory_write_number(side == 0 ? "distance_to_other_0" : "distance_to_other_1",
                            distance(x, n, centre[1 - side], scale));
    }
    /* name and shame: a record of a hundred, in fifty runs */
    enum { RECORDS = 100, RUNS = 50 };
    const double delta = 1e-3;
    size_t shamed = 0;
    theory_stream(&rng, 302);
    for (size_t trial = 0; trial < size->runs; trial++) {
        uint8_t published[RUNS];
        MUST(simdp_theory_name_and_shame(&rng, published, RUNS, delta)); /* one record in each of the runs */
        shamed += memchr(published, 1, RUNS) != NULL;
    }
    const double seen = (double)shamed / (double)size->runs;
    theory_write_claim(&(theory_claim){.topic = "name and shame",
                                       .source = "004",
                                       .claim = "a record is published in 50 runs at delta 0.001: 1-(1-delta)^k",
                                       .promised = -expm1(RUNS * log1p(-delta)),
                                       .seen = seen,
                                       .error = sqrt(seen * (1 - seen) / (double)size->runs),
                                       .exact = true});
    free(x);
    free(bits);
    free(who);
}
