/* theory.h: experiments that confront theorems with simulation. Each writes lines of JSON; report.py makes text and
 * plots of them. All randomness comes from one fixed key, a stream per experiment: same numbers on every machine. */
#ifndef SIMDP_EXPERIMENT_H
#define SIMDP_EXPERIMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "simdp/simdp.h"

/* How much to simulate. brief: only to see that everything runs. */
typedef struct {
    size_t transcripts; /* of each composed system */
    size_t runs;        /* of cheaper experiments */
    size_t budgets;     /* transcripts of each filter */
    bool full;
} theory_size;

/* Ends the program if a call fails: the library refused what the experiment asked for. */
void theory_must(simdp_status status, const char *what);
#define MUST(call) theory_must((call), #call)

void *theory_memory(size_t bytes); /* never NULL, zeroed */
void theory_stream(simdp_rng *rng, uint64_t stream);

/* ---- lines of output ---- */

/* A theorem says: `system` after k steps is (epsilon, delta)-DP. Seen: delta at that epsilon with its standard error,
 * and the epsilon at that delta. */
typedef struct {
    const char *system, *bound;
    double k, delta, epsilon;
    double delta_seen, delta_error, epsilon_seen;
} theory_bound;
void theory_write_bound(const theory_bound *row);

/* A theorem says that a probability or a mean is at most, or (exact) equals, `promised`. */
typedef struct {
    const char *topic, *source, *claim;
    double promised, seen, error; /* standard error */
    bool exact;
} theory_claim;
void theory_write_claim(const theory_claim *row);

/* A point of a curve in a plot. error: of y, or 0 */
void theory_write_point(const char *plot, const char *curve, double x, double y, double error);

/* A number the report quotes. */
void theory_write_number(const char *name, double value);

/* ---- a share of the work is done, 0 to 1 within the experiment that runs ---- */
void theory_progress(double share);

/* ---- samples of privacy losses ---- */

typedef struct {
    double *loss;                     /* the positive ones, largest first; +inf allowed */
    double *inverse, *inverse_square; /* sums of e^-loss and e^-2loss up to there */
    size_t count, total;
} loss_sample;

/* Takes n losses; room for them is allocated at the first call and used again. */
void loss_sample_set(loss_sample *s, const double *losses, size_t n);
void loss_sample_free(loss_sample *s);

/* delta(epsilon) = E (1 - e^(epsilon - L))+ and its standard error */
double loss_sample_delta(const loss_sample *s, double epsilon, double *error);

/* the smallest epsilon >= 0 with delta(epsilon) <= delta; inf if more than that mass is at +inf */
double loss_sample_epsilon(const loss_sample *s, double delta);

/* One row per bound of the list for the sample. */
typedef struct {
    const char *name;
    double epsilon, delta;
} bound_value;
void theory_write_bounds(const char *system, double k, const bound_value *bounds, size_t n, const loss_sample *s);

/* Every composition bound for k pure or leaky steps at a total delta; returns how many. */
enum { THEORY_BOUNDS_MAX = 12 };
size_t theory_bounds_of_steps(bound_value *out, double epsilon, double leak, double k, double delta);

/* ---- experiments ---- */
void theory_figure(const theory_size *size);
void theory_composition(const theory_size *size);
void theory_gaussian(const theory_size *size);
void theory_selection(const theory_size *size);
void theory_adaptive(const theory_size *size);
void theory_filters(const theory_size *size);
void theory_simulation(const theory_size *size);
void theory_typical(const theory_size *size);
void theory_accuracy(const theory_size *size);
void theory_concentration(const theory_size *size);
void theory_urn(const theory_size *size);

#endif
