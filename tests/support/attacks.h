/* attacks.h: attacks on noisy answers by their low-order bits, and what their success proves. Shared by
 * test_release_attacks, test_release_audit and simdp-attacks, which makes the figure of README. */
#ifndef SIMDP_ATTACKS_H
#define SIMDP_ATTACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "simdp/simdp.h"

enum { ATTACK_LAPLACE, ATTACK_GAUSSIAN, ATTACK_LAWS };

/* What is attacked. An observation is a noisy answer, 0 or 1: which? Gaussian noise comes in pairs; there the other
 * noisy number of the pair, whose answer is 0 in any case, is seen too (a second query that the person in question is
 * no part of). */
typedef struct {
    int law;
    bool release; /* simdp_release_... on the default grid; else answer + simdp_noise_..., in floating point */
    double scale; /* 1 or more */
} attack_target;

typedef struct {
    double output, partner; /* partner: Gaussian only, else 0 */
} attack_sight;

/* n observations of an answer. */
void attack_observe(attack_sight *seen, size_t n, simdp_rng *rng, const attack_target *target, double answer);

/* Whether a word (Gaussian: two) exists that makes the answer 0 or 1 look like this, found by turning the algorithm
 * round. True where that would take too many trials: noise so large that most doubles can be reached. Releases: true if
 * found, false if not. */
bool attack_can_be(const attack_target *target, const attack_sight *seen, double answer);

/* What an attack may say of an observation. */
typedef enum { GUESS_ZERO, GUESS_ONE, SURELY_ZERO, SURELY_ONE } attack_verdict;

enum {
    ATTACK_SIZE,      /* above 1/2 or not: the best test there is on real-number noise */
    ATTACK_PRECISION, /* finer digits than 1 + noise has (Haney et al. 2022) */
    ATTACK_LEARNED,   /* sign, magnitude and place of the last digit, weighed by observations of both answers */
    ATTACK_REACHABLE, /* can the other answer give this output at all? (Mironov 2012) */
    ATTACKS
};
extern const char *const attack_names[ATTACKS];

typedef struct {
    uint64_t n;        /* observations of either answer */
    uint64_t ones[2];  /* of the answer 0 and 1: how many were called 1 */
    uint64_t sure[2];  /* of the answer 0 and 1: how many were found out surely */
    uint64_t wrong[2]; /* and how many taken for the other one surely: 0 if the attack knows its mechanism */
    simdp_loss_estimate
        advantage;  /* P[called 1 | 1] - P[called 1 | 0]; its interval misses with probability ATTACK_RISK */
    double epsilon; /* no mechanism of a smaller epsilon does this, up to the same risk */
} attack_result;

#define ATTACK_RISK 1e-11

/* One attack on n observations of either answer (and, where it learns first, on as many others). */
attack_result attack_run(int attack, const attack_target *target, size_t n, uint64_t seed);

/* The largest advantage that any test has on the real-number mechanism: its total variation. */
double attack_limit(const attack_target *target);

/* What counts of one event in n runs on either neighbour prove, up to a risk: epsilon of epsilon-DP, in either
 * direction, for the event or its opposite; delta at an epsilon. 0 if nothing. */
double attack_epsilon(const uint64_t count[2], uint64_t n, double risk);
double attack_delta(const uint64_t count[2], uint64_t n, double epsilon, double risk);

#endif
