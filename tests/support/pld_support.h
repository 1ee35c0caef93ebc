/* pld_support.h: what tests of privacy-loss distributions share. */
#ifndef SIMDP_PLD_SUPPORT_H
#define SIMDP_PLD_SUPPORT_H

#include <math.h>

#include "support/laws.h"
#include "support/test_support.h"

static inline simdp_pld *empty(double grid)
{
    simdp_pld *pld;
    must(simdp_pld_create(&pld, grid));
    return pld;
}

static inline void compose(simdp_pld *pld, double least, double most)
{
    must(simdp_pld_compose(pld, least, most, SIMDP_PLD_DOTS, SIMDP_PLD_BINS, NULL, NULL));
}

/* The exact curve of a Gaussian, from a function with tests of its own against MPFR. */
static inline double gaussian_log_delta(double epsilon, double s)
{
    double out;
    must(simdp_loss_log_delta(&out, &epsilon, 1, law_gaussian(s)));
    return out;
}

/* The smallest epsilon with delta(epsilon) <= delta, by bisection. */
static inline double gaussian_epsilon(double delta, double s)
{
    double low = 0, high = 1;
    while (gaussian_log_delta(high, s) > log(delta)) high *= 2;
    for (int i = 0; i < 100; i++) {
        const double middle = (low + high) / 2;
        if (gaussian_log_delta(middle, s) > log(delta)) low = middle;
        else high = middle;
    }
    return high;
}

#endif
