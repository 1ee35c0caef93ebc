/* interact.c: the engine of adaptive interactions, and the transcript map, which runs the same loop on symbols. */
#include "theory/interact.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "call/fp_mode.h"
#include "math/sum.h"
#include "theory/response.h"

/* As release takes them, so that losses are those of what ran. */
static void tame(double *answers, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (answers[i] != answers[i]) answers[i] = 0.0;
        else if (answers[i] > DBL_MAX) answers[i] = DBL_MAX;
        else if (answers[i] < -DBL_MAX) answers[i] = -DBL_MAX;
    }
}

static simdp_status ask(const simdp_engine *e, const simdp_theory_request *request, simdp_answers *a)
{
    const void *data[2] = {e->data, e->neighbour};
    for (int side = 0; side < 2; side++) {
        if (side == 1 && e->neighbour == NULL) {
            a->answers[1] = NULL;
            break;
        }
        const simdp_status status = request->query(request->query_context, a->answers[side], a->n, data[side]);
        (void)fp_mode_enter(); /* whatever the query left */
        if (status != SIMDP_OK) return status;
        if (!simdp_is_selection(request->mechanism.kind)) tame(a->answers[side], a->n);
    }
    return SIMDP_OK;
}

/* Whether the request can be run at all. */
static simdp_status check(const simdp_engine *e, const simdp_theory_request *request)
{
    const simdp_theory_interaction *run = e->run;
    if (!simdp_mechanism_is_good(&request->mechanism)) return SIMDP_EPARAM;
    if (request->query == NULL) return SIMDP_ENULL;
    if (simdp_is_selection(request->mechanism.kind)) {
        if (request->candidates == 0 || request->candidates > run->scratch_size / e->scratch_per_candidate)
            return SIMDP_EPARAM;
        if (run->scratch == NULL) return SIMDP_ENULL;
    }
    return SIMDP_OK;
}

static simdp_status step(simdp_engine *e, const simdp_theory_request *request, simdp_sum *total)
{
    simdp_theory_interaction *run = e->run;
    simdp_theory_step *record = &run->steps[run->count];
    double single[2], output, loss;
    simdp_answers a = {.answers = {&single[0], &single[1]}, .n = 1};
    if (simdp_is_selection(request->mechanism.kind)) {
        a.n = request->candidates;
        a.answers[0] = run->scratch;
        a.answers[1] = run->scratch + a.n;
    }
    simdp_status status = ask(e, request, &a);
    const uint64_t position = simdp_rng_position(e->rng); /* not before: what a query drew stays drawn */
    if (status == SIMDP_OK) status = e->make(e, &output, &request->mechanism, &a);
    if (status == SIMDP_OK && e->neighbour != NULL) {
        status = simdp_mechanism_loss(&loss, output, &request->mechanism, &a);
        if (status == SIMDP_OK && run->losses != NULL) run->losses[run->count] = loss;
        if (status == SIMDP_OK) sum_add(total, loss);
    }
    if (status != SIMDP_OK) return simdp_stream_back(e->rng, position, status);
    *record = (simdp_theory_step){.mechanism = request->mechanism, .tag = request->tag, .output = output};
    run->count++;
    return SIMDP_OK;
}

/* One round; *go false where the interaction ends. */
static simdp_status one_round(simdp_engine *e, simdp_theory_filter *filter, simdp_theory_analyst *analyst,
                              void *context, simdp_sum *total, bool *go)
{
    simdp_theory_interaction *run = e->run;
    simdp_theory_request request;
    int admitted = 1;
    *go = false;
    if (run->count == run->capacity || run->count == e->limit) {
        run->stop = SIMDP_THEORY_STOP_CAPACITY;
        return SIMDP_OK;
    }
    memset(&request, 0, sizeof request);
    simdp_status status = analyst(context, &request, run->steps, run->count);
    (void)fp_mode_enter();
    if (status == SIMDP_OK && request.mechanism.kind == SIMDP_MECHANISM_NONE) {
        run->stop = SIMDP_THEORY_STOP_ANALYST;
        return SIMDP_OK;
    }
    if (status == SIMDP_OK) status = check(e, &request);
    if (status == SIMDP_OK && filter != NULL) status = simdp_theory_filter_admit(filter, &admitted, &request.mechanism);
    if (status != SIMDP_OK) return status;
    if (!admitted) {
        run->stop = SIMDP_THEORY_STOP_BUDGET;
        return SIMDP_OK;
    }
    *go = true;
    return step(e, &request, total);
}

bool simdp_engine_reset(simdp_theory_interaction *run)
{
    if (run == NULL) return false;
    run->count = 0;
    run->loss = NAN;
    run->stop = SIMDP_THEORY_STOP_ERROR;
    return true;
}

simdp_status simdp_engine_run(simdp_engine *e, simdp_theory_filter *filter, simdp_theory_analyst *analyst,
                              void *context)
{
    simdp_theory_interaction *run = e->run;
    if (!simdp_engine_reset(run)) return SIMDP_ENULL;
    if (e->rng == NULL || analyst == NULL || (run->steps == NULL && run->capacity > 0)) return SIMDP_ENULL;
    FP_MODE_SCOPE();
    simdp_sum total = {0};
    bool go = true;
    simdp_status status = SIMDP_OK;
    while (status == SIMDP_OK && go) status = one_round(e, filter, analyst, context, &total, &go);
    if (e->neighbour != NULL) run->loss = sum_value(&total);
    return status;
}

static simdp_status run_mechanism(simdp_engine *e, double *output, const simdp_theory_mechanism *m,
                                  const simdp_answers *a)
{
    return simdp_mechanism_run(e->rng, output, m, a);
}

simdp_status simdp_theory_interact(simdp_rng *rng, simdp_theory_interaction *run, simdp_theory_analyst *analyst,
                                   void *analyst_context, const void *data, const void *neighbour,
                                   simdp_theory_filter *filter)
{
    simdp_engine engine = {
        .rng = rng, .run = run, .data = data, .neighbour = neighbour, .make = run_mechanism, .limit = SIZE_MAX};
    engine.scratch_per_candidate = neighbour != NULL ? 2 : 1;
    return simdp_engine_run(&engine, filter, analyst, analyst_context);
}
