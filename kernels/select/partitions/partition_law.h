/* partition_law.h: with which probability a group of so many people may be shown, and what a call computes of it once,
 * all of it from public parameters.
 *
 * pi(0) = 0, pi(n) = min(e^epsilon pi(n-1) + delta, 1 - e^-epsilon (1 - delta - pi(n-1)), 1) is the largest probability
 * for which showing a group is (epsilon, delta)-DP (Desfontaines, Voss, Gipson and Mandayam, 2022). In closed form, with
 * B = delta / (e^epsilon - 1), n1 = 1 + floor(z) and z = ln(1 + tanh(epsilon/2) (1 - delta) / delta) / epsilon,
 *
 *     pi(n) = B (e^(n epsilon) - 1)                                        n <= n1
 *     pi(n) = min(1, pi(n1) - A (e^-((n - n1) epsilon) - 1))               n > n1, A = 1 - pi(n1) + B
 *
 * Where z is a whole number both recursions agree on n1 + 1, so how such a z is rounded does not matter. */
#ifndef SIMDP_PARTITION_LAW_H
#define SIMDP_PARTITION_LAW_H

#include <stdbool.h>
#include <stdint.h>

#include "math/wide.h"

/* Ranges, chosen so that no number below overflows or is subnormal: larger epsilons of a group count as the most,
 * smaller ones than the least as 0, both of which keep the promise; larger counts count as the most. */
#define PARTITION_EPSILON_LEAST 0x1p-200
#define PARTITION_EPSILON_MOST  64.0
#define PARTITION_DELTA_LEAST   0x1p-600
#define PARTITION_DELTA_MOST    (1.0 - 0x1p-53)
#define PARTITION_COUNT_MOST    ((int64_t)1 << 52)

typedef struct {
    double epsilon, delta; /* of one group; the law that is held exactly is the one of these two doubles */
    /* for kernels */
    double step;          /* epsilon, or the least one where epsilon is 0, which the radius covers */
    double rise, fall;    /* B and A */
    double turn, at_turn; /* n1 and pi(n1) */
    double radius;        /* of all errors of a computed pi(n) - U, the bits of U that are not seen included */
    int64_t sure;         /* pi is 1 from here on, or the count is PARTITION_COUNT_MOST */
} simdp_partition_law;

/* The law of one group for a person in at most `groups` of them: epsilon / groups and 1 - (1 - delta)^(1 / groups),
 * rounded down. False if a parameter is out of range. The default floating-point mode. */
bool simdp_partition_law_of(simdp_partition_law *law, double epsilon, double delta, uint64_t groups);

/* pi(count) and 1 - pi(count) within 2^-300. */
simdp_wide simdp_partition_wide(const simdp_partition_law *law, int64_t count, simdp_wide *complement);

#endif
