/* kernels_of_theory.c: responses that leak, simulations and whole interactions. */
#include <stdlib.h>

#include "kernel_list.h"

/* A conversion to unsigned numbers raises exceptions with some compilers, and callers may have them unmasked. */
#define WHOLE(x) ((uint64_t)(int64_t)(x))

RUN(simdp_theory_leaky_response) { return simdp_theory_leaky_response(c->rng, c->out, c->in, c->n, c->p[0], c->p[1]); }
RUN(simdp_theory_name_and_shame) { return simdp_theory_name_and_shame(c->rng, c->out, c->n, c->p[0]); }

/* The sums are the caller's secret; only the column is for others. One row. */
RUN(simdp_theory_select_column)
{
    const size_t columns = c->candidates, room = columns <= 65536 ? columns : 0;
    double *const sums = room > 0 ? malloc(room * sizeof *sums) : NULL; /* others are refused before it is used */
    const simdp_status status =
        simdp_theory_select_column(c->rng, c->out, sums != NULL ? sums : c->out, c->in, 1, columns, c->p[0]);
    free(sums);
    return status;
}

RUN(simdp_theory_laplace_map) { return simdp_theory_laplace_map(c->rng, c->out, c->in, c->n, 0.0, 1.0, c->p[0]); }
RUN(simdp_theory_discrete_map_draw)
{
    static const double map[4 * 3] = {0.5, 0.25, 0.25, 0.25, 0.5, 0.25, 0.75, 0.25, 0, 0, 0.25, 0.75};
    return simdp_theory_discrete_map_draw(c->rng, c->out, c->in, c->n, map, 3);
}
RUN(simdp_theory_polya_urn) { return simdp_theory_polya_urn(c->rng, c->out, c->n, WHOLE(c->p[0]), WHOLE(c->p[1])); }

/* ---- interactions: each mechanism in turn, on a dataset that is one number ---- */

void (*kernel_between_steps)(const simdp_rng *rng);

static simdp_status one_number(void *context, double *answers, size_t n, const void *data)
{
    (void)context;
    for (size_t i = 0; i < n; i++) answers[i] = *(const double *)data + (double)(i % 3) / 8;
    return SIMDP_OK;
}

typedef struct {
    const simdp_rng *rng;
    size_t first, kinds; /* step i has kind (first + i) % kinds */
} asking;

/* Those that the transcript map knows come first. */
enum { KINDS_MAPPED = 4, KINDS = 6 };

static simdp_status ask_in_turn(void *context, simdp_theory_request *next, const simdp_theory_step *steps, size_t count)
{
    static const simdp_mechanism kinds[KINDS] = {SIMDP_MECHANISM_LAPLACE,        SIMDP_MECHANISM_RANDOMIZED_RESPONSE,
                                                 SIMDP_MECHANISM_LEAKY_RESPONSE, SIMDP_MECHANISM_SELECTION,
                                                 SIMDP_MECHANISM_GAUSSIAN,       SIMDP_MECHANISM_SELECTION_MONOTONE};
    const asking *a = context;
    (void)steps;
    if (kernel_between_steps != NULL) kernel_between_steps(a->rng);
    next->mechanism = (simdp_theory_mechanism){
        .kind = kinds[(a->first + count) % a->kinds], .sensitivity = 0.5, .scale = 1, .epsilon = 1, .delta = 0.01};
    next->query = one_number;
    next->candidates = KERNEL_STEP_CANDIDATES;
    return SIMDP_OK;
}

/* The parameter chooses the kind that is asked first. */
static simdp_status run_steps(const kernel_call *c, size_t kinds)
{
    static const double data = 0, neighbour = 0.25;
    static _Thread_local simdp_theory_step steps[KERNEL_STEPS_MOST];
    static _Thread_local double losses[KERNEL_STEPS_MOST], scratch[8 * KERNEL_STEP_CANDIDATES];
    asking a = {c->rng, (size_t)WHOLE(c->p[0]), kinds};
    simdp_theory_interaction run = {.steps = steps,
                                    .capacity = c->n < KERNEL_STEPS_MOST ? c->n : KERNEL_STEPS_MOST,
                                    .losses = losses,
                                    .scratch = scratch,
                                    .scratch_size = sizeof scratch / sizeof *scratch};
    const simdp_status status = kinds == KINDS_MAPPED
                                    ? simdp_theory_transcript_map(c->rng, &run, c->in, run.capacity, ask_in_turn, &a,
                                                                  &data, &neighbour, 2.0, 0.05)
                                    : simdp_theory_interact(c->rng, &run, ask_in_turn, &a, &data, &neighbour, NULL);
    for (size_t i = 0; i < run.count; i++) ((double *)c->out)[i] = steps[i].output;
    return status;
}

RUN(simdp_theory_interact) { return run_steps(c, KINDS); }
RUN(simdp_theory_transcript_map) { return run_steps(c, KINDS_MAPPED); }

#define SIMULATION(function, type, data, where, ...)                                            \
    {                                                                                           \
        CALLS(function), .out = type, .in = data, .kind = KERNEL_RAW, GIVEN(__VA_ARGS__),       \
                         .reference = "theory/test_theory_" where, .words_block = 256, .cut = 1 \
    }
#define INTERACTION(function, data, where)                                                \
    {                                                                                     \
        CALLS(function), .out = OUT_STEPS, .in = data, .kind = KERNEL_RAW, GIVEN("-", 0), \
                         .reference = "theory/test_theory_" where, .local = true          \
    }

/* clang-format off */
const kernel_line kernels_of_theory[] = {
    {CALLS(simdp_theory_leaky_response), .out = OUT_BYTES, .in = IN_SAME, .kind = KERNEL_PUBLISHES,
     GIVEN("ep", 1.0, 0.1), .reference = "theory/test_theory_response", .words_block = 128, .cut = 1},
    {CALLS(simdp_theory_name_and_shame), .out = OUT_FLAGS, .in = IN_NONE, .kind = KERNEL_PUBLISHES,
     GIVEN("p", 0.1), .reference = "theory/test_theory_response", .words_block = 128, .cut = 1},
    {CALLS(simdp_theory_select_column), .out = OUT_INDEX, .in = IN_F64, .kind = KERNEL_PUBLISHES,
     GIVEN("h", 0.5), .reference = "theory/test_theory_urn", .winners = 1, .one_draw = true, .local = true},
    SIMULATION(simdp_theory_laplace_map, OUT_F64, IN_BYTES, "simulate", "-", 1.0),
    SIMULATION(simdp_theory_discrete_map_draw, OUT_INDEX, IN_BYTES, "simulate", "", 0),
    SIMULATION(simdp_theory_polya_urn, OUT_BYTES, IN_NONE, "urn", "--", 3, 5),
    /* an interaction writes a step only when it is made: a failure leaves nothing to overwrite */
    INTERACTION(simdp_theory_interact, IN_NONE, "interact"),
    INTERACTION(simdp_theory_transcript_map, IN_BYTES, "transcript_map"),
    {.name = NULL},
};
/* clang-format on */
