/* law_check.h: whether samples follow a given law. Each check would raise a false alarm for fewer than 1e-9 of all
 * keys. */
#ifndef SIMDP_LAW_CHECK_H
#define SIMDP_LAW_CHECK_H

#include <math.h>

#include "support/test_support.h"

#define LAW_CHECK_RISK 21.42 /* ln 2e9 */

/* Pearson's statistic of counts against masses p (cells of expectation below 50 are joined with their neighbours); P[X
 * > k + 2 sqrt(k t) + 2 t] < e^-t for chi-square of k degrees of freedom (Laurent and Massart 2000). A count where p is
 * 0 is refused. */
static inline bool law_check_counts(const uint64_t *count, const double *p, size_t cells)
{
    double total = 0, x = 0, k = -1, mean = 0, seen = 0;
    for (size_t i = 0; i < cells; i++) total += (double)count[i];
    for (size_t i = 0; i < cells; i++) {
        if (p[i] == 0 && count[i] != 0) return false;
        mean += total * p[i];
        seen += (double)count[i];
        if (mean < 50 && i + 1 < cells) continue;
        if (mean > 0) {
            x += (seen - mean) * (seen - mean) / mean;
            k++;
        }
        mean = seen = 0;
    }
    return x < fmax(k, 1) + 2 * sqrt(fmax(k, 1) * LAW_CHECK_RISK) + 2 * LAW_CHECK_RISK;
}

static inline int law_check_compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Kolmogorov and Smirnov: P[sqrt(n) D > 3.3] < 2 exp(-2 3.3^2), 7e-10 (Massart 1990). Sorts the sample. */
static inline bool law_check_sample(double *x, size_t n, double (*cdf)(double x, const void *law), const void *law)
{
    double d = 0;
    qsort(x, n, sizeof *x, law_check_compare);
    for (size_t i = 0; i < n; i++) {
        const double f = cdf(x[i], law);
        d = fmax(d, fmax(f - (double)i / (double)n, (double)(i + 1) / (double)n - f));
    }
    return sqrt((double)n) * d < 3.3;
}

/* Whether a count of n trials of probability p may be: a binomial count reaches s on either side of np with probability
 * below e^-n KL(s/n, p) (Chernoff). */
static inline bool law_check_binomial(uint64_t seen, uint64_t n, double p)
{
    const double q = (double)seen / (double)n;
    double kl = 0;
    if (q > 0) kl += q * log(q / p);
    if (q < 1) kl += (1 - q) * log((1 - q) / (1 - p));
    return (double)n * kl < LAW_CHECK_RISK;
}

#endif
