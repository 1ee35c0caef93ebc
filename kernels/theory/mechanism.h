/* mechanism.h: what the engine, the filters and the transcript map share about mechanisms. */
#ifndef SIMDP_MECHANISM_H
#define SIMDP_MECHANISM_H

#include <stdbool.h>

#include "simdp/simdp.h"

static inline bool simdp_is_selection(simdp_mechanism kind)
{
    return kind == SIMDP_MECHANISM_SELECTION || kind == SIMDP_MECHANISM_SELECTION_MONOTONE;
}

static inline bool simdp_is_response(simdp_mechanism kind)
{
    return kind == SIMDP_MECHANISM_RANDOMIZED_RESPONSE || kind == SIMDP_MECHANISM_LEAKY_RESPONSE;
}

static inline bool simdp_is_laplace(simdp_mechanism kind)
{
    return kind == SIMDP_MECHANISM_LAPLACE || kind == SIMDP_MECHANISM_TYPICAL_LAPLACE;
}

static inline bool simdp_is_gaussian(simdp_mechanism kind)
{
    return kind == SIMDP_MECHANISM_GAUSSIAN || kind == SIMDP_MECHANISM_TYPICAL_GAUSSIAN;
}

static inline bool simdp_is_typical(simdp_mechanism kind)
{
    return kind == SIMDP_MECHANISM_TYPICAL_LAPLACE || kind == SIMDP_MECHANISM_TYPICAL_GAUSSIAN;
}

/* Whether the kind is known and its members are in range. */
bool simdp_mechanism_is_good(const simdp_theory_mechanism *m);

/* The mechanism's leaks: responses only. */
static inline double simdp_mechanism_leak(const simdp_theory_mechanism *m)
{
    return m->kind == SIMDP_MECHANISM_LEAKY_RESPONSE ? m->delta : 0.0;
}

/* For good m: (epsilon, delta), the sensitivity being that of neighbours or, for typical kinds, of typical datasets;
 * rounded up. */
simdp_status simdp_mechanism_pair(const simdp_theory_mechanism *m, double *epsilon, double *delta);

/* For good m that is not typical: its zCDP, leaks aside, rounded up. */
double simdp_mechanism_rho(const simdp_theory_mechanism *m);

/* Renyi divergence of order alpha > 1, leaks aside, rounded up; m is good and not typical. */
double simdp_mechanism_renyi(const simdp_theory_mechanism *m, double alpha);

/* What a query said about the data (0) and its neighbour (1): one answer each, or candidates scores. Without a
 * neighbour, side 1 is NULL. */
typedef struct {
    double *answers[2];
    size_t n;
} simdp_answers;

/* Runs m on answers[0]. */
simdp_status simdp_mechanism_run(simdp_rng *rng, double *output, const simdp_theory_mechanism *m,
                                 const simdp_answers *a);

/* ln P[output | answers[0]] / P[output | answers[1]] */
simdp_status simdp_mechanism_loss(double *loss, double output, const simdp_theory_mechanism *m, const simdp_answers *a);

#endif
