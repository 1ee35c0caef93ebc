/* interact.h: the loop that real interactions and the transcript map share. They differ in how a step's output
 * is made. */
#ifndef SIMDP_INTERACT_H
#define SIMDP_INTERACT_H

#include "theory/mechanism.h"

typedef struct simdp_engine simdp_engine;

struct simdp_engine {
    simdp_rng *rng;
    simdp_theory_interaction *run;
    const void *data, *neighbour;
    simdp_status (*make)(simdp_engine *engine, double *output, const simdp_theory_mechanism *m, const simdp_answers *a);
    size_t scratch_per_candidate;
    size_t limit;           /* of steps, besides the capacity */
    const uint8_t *symbols; /* transcript map: one a step, of leaky randomized response at epsilon, delta */
    double epsilon, delta;
};

/* No steps, no loss, an error: what the results are until something else came of it. False if run is NULL. */
bool simdp_engine_reset(simdp_theory_interaction *run);

/* The whole interaction, callbacks too, runs in the default floating-point mode. */
simdp_status simdp_engine_run(simdp_engine *engine, simdp_theory_filter *filter, simdp_theory_analyst *analyst,
                              void *context);

#endif
