/* transcript_map.c: the map F* from symbols of leaky randomized response to transcripts, one simulation map a step. */
#include <math.h>

#include "math/plain_math.h"
#include "theory/interact.h"
#include "theory/response.h"

/* Whether to flip a bit of randomized response at epsilon so that it becomes one at t <= epsilon. With p = 1 / (1 +
 * e^-epsilon) and r the probability to flip, p (1 - r) + (1 - p) r = 1 / (1 + e^-t). */
static simdp_status weaken(simdp_rng *rng, uint8_t *bit, double epsilon, double t)
{
    double u;
    const simdp_status status = simdp_noise_uniform_f64(rng, &u, 1);
    if (status != SIMDP_OK) return status;
    const double below = plain_exp(-t) * -plain_expm1(t - epsilon); /* e^-t - e^-epsilon */
    const double r = t < epsilon ? below / ((1.0 + plain_exp(-t)) * -plain_expm1(-epsilon)) : 0.0;
    *bit ^= u < r;
    return SIMDP_OK;
}

static simdp_status map_laplace(simdp_engine *e, double *output, uint8_t symbol, const simdp_theory_mechanism *m,
                                const double x[2])
{
    const double t = fabs(x[1] - x[0]) / m->scale, grid = simdp_release_grid(m->scale);
    simdp_status status;
    if (!(t <= e->epsilon * (1.0 + 0x1p-50))) return SIMDP_EPARAM; /* the query moves more than its sensitivity */
    if (symbol >= SIMDP_THEORY_SYMBOL_IS_U) {
        *output = x[symbol - SIMDP_THEORY_SYMBOL_IS_U];
        status = simdp_noise_laplace_f64_add(e->rng, output, 1, m->scale);
    } else {
        status = weaken(e->rng, &symbol, e->epsilon, t);
        if (status == SIMDP_OK) status = simdp_theory_laplace_map(e->rng, output, &symbol, 1, x[0], x[1], m->scale);
    }
    if (status == SIMDP_OK && fabs(*output) < 0x1p52 * grid) *output = rint(*output / grid) * grid; /* as released */
    return status;
}

/* The laws of a response on the four symbols, for each side's bit. */
static void response_laws(double law[2][4], const simdp_theory_mechanism *m, const double *const x[2])
{
    const double leak = simdp_mechanism_leak(m), wrong = plain_exp(-m->epsilon);
    for (int side = 0; side < 2; side++) {
        const int bit = x[side][0] != 0.0;
        law[side][bit] = (1.0 - leak) / (1.0 + wrong);
        law[side][1 - bit] = (1.0 - leak) * wrong / (1.0 + wrong);
        law[side][2 + bit] = leak;
        law[side][3 - bit] = 0.0;
    }
}

static simdp_status map_discrete(simdp_engine *e, double *output, uint8_t symbol, double *map, const double *p,
                                 const double *q, size_t n)
{
    size_t chosen = 0;
    simdp_status status = simdp_theory_discrete_map(map, p, q, n, e->epsilon, e->delta);
    if (status == SIMDP_OK) status = simdp_theory_discrete_map_draw(e->rng, &chosen, &symbol, 1, map, n);
    *output = (double)chosen;
    return status;
}

static simdp_status make_from_symbol(simdp_engine *e, double *output, const simdp_theory_mechanism *m,
                                     const simdp_answers *a)
{
    const uint8_t symbol = e->symbols[e->run->count] & 3u;
    const double *const x[2] = {a->answers[0], a->answers[1]};
    simdp_theory_cost cost;
    const simdp_status status = simdp_theory_mechanism_cost(&cost, m);
    if (status != SIMDP_OK) return status;
    if (simdp_is_gaussian(m->kind) || cost.epsilon > e->epsilon || cost.delta > e->delta) return SIMDP_EPARAM;
    if (simdp_is_laplace(m->kind)) return map_laplace(e, output, symbol, m, (const double[2]){x[0][0], x[1][0]});
    if (simdp_is_response(m->kind)) {
        double law[2][4], map[16];
        response_laws(law, m, x);
        return map_discrete(e, output, symbol, map, law[0], law[1], 4);
    }
    double *p = e->run->scratch + 2 * a->n, *q = p + a->n, *map = q + a->n;
    simdp_status drawn = simdp_select_probabilities(p, x[0], 1, a->n, m->scale);
    if (drawn == SIMDP_OK) drawn = simdp_select_probabilities(q, x[1], 1, a->n, m->scale);
    if (drawn != SIMDP_OK) return drawn;
    return map_discrete(e, output, symbol, map, p, q, a->n);
}

simdp_status simdp_theory_transcript_map(simdp_rng *rng, simdp_theory_interaction *run, const uint8_t *symbols,
                                         size_t n, simdp_theory_analyst *analyst, void *analyst_context,
                                         const void *data, const void *neighbour, double epsilon, double delta)
{
    simdp_engine engine = {
        .rng = rng, .run = run, .data = data, .neighbour = neighbour, .make = make_from_symbol, .limit = n};
    engine.scratch_per_candidate = 8;
    engine.symbols = symbols;
    engine.epsilon = epsilon;
    engine.delta = delta;
    if (!simdp_engine_reset(run) || data == NULL || neighbour == NULL || (symbols == NULL && n > 0)) return SIMDP_ENULL;
    if (!simdp_is_epsilon(epsilon) || !simdp_is_probability(delta)) return SIMDP_EPARAM;
    return simdp_engine_run(&engine, NULL, analyst, analyst_context);
}
