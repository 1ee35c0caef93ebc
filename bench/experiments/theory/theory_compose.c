/* theory_compose.c: mechanisms used k times, their losses summed over many transcripts, against every bound. Also the
 * figure of 004. */
#include <math.h>
#include <stdlib.h>

#include "theory.h"

enum { BLOCK = 4096 };

static const double checkpoints[] = {1, 2, 5, 10, 20, 50, 100};
enum { CHECKPOINTS = sizeof checkpoints / sizeof *checkpoints };
static const double deltas[] = {1e-2, 1e-4};
enum { DELTAS = sizeof deltas / sizeof *deltas };

/* A system: how one step adds to the losses of a block of transcripts, and its bounds. */
typedef struct composed_system composed_system;
struct composed_system {
    const char *name;
    double epsilon, leak; /* of a step */
    double parameter;     /* Laplace: scale; Gaussian: sigma; selection: scale */
    void (*step)(const composed_system *s, simdp_rng *rng, double *loss, size_t n);
    size_t (*bounds)(bound_value *out, const composed_system *s, double k, double delta);
    simdp_status (*add)(simdp_pld *pld, const composed_system *s, uint64_t k); /* its privacy-loss distribution */
};

/* The upper bound of the composed privacy-loss distribution. */
static size_t pld_bound(bound_value *out, const composed_system *s, uint64_t k, double delta)
{
    simdp_pld *pld;
    double epsilon;
    MUST(simdp_pld_create(&pld, simdp_pld_grid(1e-4, 0.1)));
    MUST(s->add(pld, s, k));
    MUST(simdp_pld_compose(pld, delta / 10, 1, SIMDP_PLD_DOTS, SIMDP_PLD_NONE, NULL, NULL));
    MUST(simdp_pld_epsilon(pld, NULL, &epsilon, &delta, 1));
    *out = (bound_value){"PLD", epsilon, delta};
    simdp_pld_destroy(pld);
    return isfinite(epsilon);
}

static size_t bounds_of_steps(bound_value *out, const composed_system *s, double k, double delta)
{
    return theory_bounds_of_steps(out, s->epsilon, s->leak, k, delta);
}

/* The privacy curve seen, and the optimal bound, which leaky randomized response attains. */
static void write_curve(const composed_system *s, double k, const loss_sample *sample)
{
    for (int i = 0; i <= 30; i++) {
        const double epsilon = 0.1 * i;
        double optimal, error;
        MUST(simdp_account_exact_delta(
            &optimal, &epsilon, 1,
            (simdp_law){.mechanism = SIMDP_MECHANISM_RANDOMIZED_RESPONSE, .parameter = s->epsilon, .leak = s->leak},
            (int64_t)k));
        const double seen = loss_sample_delta(sample, epsilon, &error);
        theory_write_point("curve", "optimal", epsilon, optimal, 0);
        theory_write_point("curve", "simulation", epsilon, seen, error);
    }
}

static void compose(const composed_system *s, size_t n, uint64_t stream, double from, double share)
{
    const size_t last = (size_t)checkpoints[CHECKPOINTS - 1];
    double *loss = theory_memory(n * sizeof *loss);
    loss_sample sample = {0};
    simdp_rng rng;
    theory_stream(&rng, stream);
    for (size_t step = 1, next = 0; step <= last; step++) {
        for (size_t done = 0; done < n; done += BLOCK)
            s->step(s, &rng, loss + done, n - done < BLOCK ? n - done : BLOCK);
        theory_progress(from + share * (double)step / (double)last);
        if ((double)step != checkpoints[next]) continue;
        next++;
        loss_sample_set(&sample, loss, n);
        for (size_t d = 0; d < DELTAS; d++) {
            bound_value bounds[THEORY_BOUNDS_MAX];
            size_t count = s->bounds(bounds, s, (double)step, deltas[d]);
            count += pld_bound(bounds + count, s, step, deltas[d]);
            theory_write_bounds(s->name, (double)step, bounds, count, &sample);
        }
        if (s->leak > 0 && step == 50) write_curve(s, (double)step, &sample);
    }
    loss_sample_free(&sample);
    free(loss);
}

/* ---- randomized response, leaky or not: the worst case ---- */

static void response_step(const composed_system *s, simdp_rng *rng, double *loss, size_t n)
{
    static const uint8_t nobody[BLOCK]; /* all U */
    uint8_t symbol[BLOCK];
    const double of_symbol[4] = {s->epsilon, -s->epsilon, INFINITY, -INFINITY};
    MUST(simdp_theory_leaky_response(rng, symbol, nobody, n, s->epsilon, s->leak));
    for (size_t i = 0; i < n; i++) loss[i] += of_symbol[symbol[i]];
}

static simdp_status response_add(simdp_pld *pld, const composed_system *s, uint64_t k)
{
    return simdp_pld_add_randomized_response(pld, s->epsilon, s->leak, k);
}

/* ---- Laplace: answers 0 on the data, 1 on the neighbour ---- */

static void laplace_step(const composed_system *s, simdp_rng *rng, double *loss, size_t n)
{
    static const double zero[BLOCK];
    double y[BLOCK], step[BLOCK];
    MUST(simdp_release_laplace(rng, y, zero, n, s->parameter, simdp_release_grid(s->parameter)));
    MUST(simdp_loss_laplace_f64(step, y, n, 0, 1, s->parameter));
    for (size_t i = 0; i < n; i++) loss[i] += step[i];
}

static size_t laplace_bounds(bound_value *out, const composed_system *s, double k, double delta)
{
    size_t count = bounds_of_steps(out, s, k, delta);
    double exact;
    MUST(simdp_account_exact_epsilon(
        &exact, &delta, 1, (simdp_law){.mechanism = SIMDP_MECHANISM_LAPLACE, .parameter = s->epsilon}, (int64_t)k));
    out[count++] = (bound_value){"exact", exact, delta};
    return count;
}

static simdp_status laplace_add(simdp_pld *pld, const composed_system *s, uint64_t k)
{
    return simdp_pld_add_laplace(pld, s->epsilon, k);
}

void theory_composition(const theory_size *size)
{
    const composed_system systems[] = {
        {"randomized response", 0.1, 0, 0, response_step, bounds_of_steps, response_add},
        {"leaky randomized response", 0.1, 1e-5, 0, response_step, bounds_of_steps, response_add},
        {"Laplace", 0.1, 0, 10, laplace_step, laplace_bounds, laplace_add},
    };
    for (size_t i = 0; i < 3; i++) compose(&systems[i], size->transcripts, 100 + i, (double)i / 3, 1.0 / 3);
}

/* ---- Gaussian: sensitivity 1 ---- */

static void gaussian_step(const composed_system *s, simdp_rng *rng, double *loss, size_t n)
{
    static const double zero[BLOCK];
    double y[BLOCK], step[BLOCK];
    MUST(simdp_release_gaussian(rng, y, zero, n, s->parameter, simdp_release_grid(s->parameter)));
    MUST(simdp_loss_gaussian_f64(step, y, n, 0, 1, s->parameter));
    for (size_t i = 0; i < n; i++) loss[i] += step[i];
}

/* Half of delta goes to the steps, each (epsilon, delta/2k)-DP; the bounds compose those. zCDP and the exact curve need
 * no such split. */
static size_t gaussian_bounds(bound_value *out, const composed_system *s, double k, double delta)
{
    const double step_delta = delta / (2 * k), rho = k / (2 * s->parameter * s->parameter);
    double step, exact;
    simdp_account_zcdp_bound zcdp;
    MUST(simdp_account_epsilon(&step, &step_delta, 1,
                               (simdp_law){.mechanism = SIMDP_MECHANISM_GAUSSIAN, .parameter = s->parameter}));
    size_t count = theory_bounds_of_steps(out, step, step_delta, k, delta);
    MUST(simdp_account_zcdp_epsilon(&zcdp, &rho, &delta, 1));
    MUST(simdp_account_epsilon(
        &exact, &delta, 1, (simdp_law){.mechanism = SIMDP_MECHANISM_GAUSSIAN, .parameter = s->parameter / sqrt(k)}));
    out[count++] = (bound_value){"zCDP", zcdp.epsilon, delta};
    out[count++] = (bound_value){"exact", exact, delta};
    return count;
}

static simdp_status gaussian_add(simdp_pld *pld, const composed_system *s, uint64_t k)
{
    return simdp_pld_add_gaussian(pld, s->parameter, k);
}

void theory_gaussian(const theory_size *size)
{
    const composed_system gaussian = {"Gaussian", 0, 0, 10, gaussian_step, gaussian_bounds, gaussian_add};
    compose(&gaussian, size->transcripts, 110, 0, 1);
}

/* ---- exponential mechanism: one candidate of four rises, one falls ---- */

enum { CANDIDATES = 4 };
static const double scores[2][CANDIDATES] = {{0, 0, 0, 0}, {-1, 1, 0, 0}};

static void selection_step(const composed_system *s, simdp_rng *rng, double *loss, size_t n)
{
    size_t chosen[BLOCK];
    double step[BLOCK];
    MUST(simdp_select_gumbel_many(rng, chosen, n, scores[0], CANDIDATES, s->parameter));
    MUST(simdp_loss_selection(step, chosen, n, scores[0], scores[1], CANDIDATES, s->parameter));
    for (size_t i = 0; i < n; i++) loss[i] += step[i];
}

static size_t selection_bounds(bound_value *out, const composed_system *s, double k, double delta)
{
    size_t count = bounds_of_steps(out, s, k, delta);
    const simdp_account_steps steps = {.epsilon = s->epsilon, .k = (int64_t)k, .slack = delta};
    simdp_account_composed total;
    MUST(simdp_account_compose(&total, &steps, 1, SIMDP_ACCOUNT_BOUND_BOUNDED_RANGE));
    out[count++] = (bound_value){"bounded range", total.epsilon, delta};
    return count;
}

static simdp_status selection_add(simdp_pld *pld, const composed_system *s, uint64_t k)
{
    double p[2][CANDIDATES];
    MUST(simdp_select_probabilities(p[0], scores[0], 2, CANDIDATES, s->parameter));
    return simdp_pld_add_pair(pld, p[0], p[1], CANDIDATES, k);
}

void theory_selection(const theory_size *size)
{
    const composed_system selection = {"exponential mechanism", 0.1,          0, 20, selection_step,
                                       selection_bounds,        selection_add};
    compose(&selection, size->transcripts / 20, 120, 0, 1); /* a selection takes longer than a deviate */
}

/* ---- the figure of 004: epsilon 0.01, slack 1e-6 ---- */

void theory_figure(const theory_size *size)
{
    (void)size;
    for (int k = 1; k <= 1000; k += k < 60 ? 1 : 10) {
        const simdp_account_steps steps = {.epsilon = 0.01, .k = k, .slack = 1e-6};
        simdp_account_composed basic, strong;
        double optimal;
        MUST(simdp_account_compose(&basic, &steps, 1, SIMDP_ACCOUNT_BOUND_BASIC));
        MUST(simdp_account_compose(&strong, &steps, 1, SIMDP_ACCOUNT_BOUND_STRONG));
        MUST(simdp_account_exact_epsilon(
            &optimal, &steps.slack, 1,
            (simdp_law){.mechanism = SIMDP_MECHANISM_RANDOMIZED_RESPONSE, .parameter = steps.epsilon}, k));
        theory_write_point("figure_004", "basic", k, basic.epsilon, 0);
        theory_write_point("figure_004", "strong", k, strong.epsilon, 0);
        theory_write_point("figure_004", "optimal", k, optimal, 0);
        theory_progress(k / 1000.0);
    }
}
