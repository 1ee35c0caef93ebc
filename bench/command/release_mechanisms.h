/* release_mechanisms.h: what `simdp release` can do. A mechanism is a line of the table in release_mechanisms.c. */
#ifndef SIMDP_RELEASE_MECHANISMS_H
#define SIMDP_RELEASE_MECHANISMS_H

#include <stdbool.h>

#include "element.h"
#include "simdp/simdp.h"

typedef struct {
    double scale; /* or sigma */
    double grid;
    double epsilon;
    uint32_t values;  /* how many there are to answer */
    double threshold; /* from which on counts are shown */
} release_given;

/* How a promise becomes noise. */
typedef enum {
    PROMISE_LAPLACE,           /* epsilon and the L1 sensitivity give the scale */
    PROMISE_GAUSSIAN,          /* epsilon, delta and the L2 sensitivity give the least sigma */
    PROMISE_DISCRETE_GAUSSIAN, /* the same by zero-concentrated differential privacy */
    PROMISE_EPSILON            /* epsilon is the parameter itself: there is no scale */
} release_promise;

typedef struct {
    const char *name, *summary;
    element type; /* of answers and of what is published */
    release_promise promise;
    double scale_min, scale_max;
    bool has_grid, has_values;
    simdp_status (*run)(simdp_rng *rng, void *out, const void *in, size_t n, const release_given *given);
    /* NULL, or the same with noise that belongs to identities */
    simdp_status (*run_by_id)(simdp_rng *rng, void *out, const void *in, const simdp_id *ids, size_t n,
                              const release_given *given);
    /* NULL, or the multiple of the grid from which on counts may be shown; what is hidden comes out as NaN */
    simdp_status (*threshold)(double *threshold, const double *delta, size_t n, double scale, double grid,
                              uint64_t groups_per_person);
} release_mechanism;

/* Mechanism i, NULL past the last. */
const release_mechanism *release_mechanism_at(size_t i);

/* - and _ are the same; NULL if there is none. */
const release_mechanism *release_mechanism_named(const char *name);

/* The least noise that keeps the promise, never below what the mechanism draws; 0 for sensitivity 0; NaN or more than
 * scale_max if none does. */
double release_scale_for(const release_mechanism *m, double sensitivity, double epsilon, double delta);

/* Is `word` this name, - and _ being the same? */
bool is_same_name(const char *name, const char *word);

#endif
