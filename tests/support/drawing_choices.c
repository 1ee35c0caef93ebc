/* drawing_choices.c: selections, audits and systems behind the signature of drawing.h. */
#include "support/drawing_data.h"

void (*drawing_between)(const simdp_rng *rng);

/* ---- selections ---- */

enum { SELECTIONS = 6, CANDIDATES = 40000 }; /* rows or draws, and candidates of each, at most */

/* Few candidates or some, seldom more than a block or an epoch of the race; forced bits make the first 80 bits of all
 * equal, and scores are then equal too. */
static void choose_select(drawing_call *c, uint64_t *random)
{
    const uint64_t kind = test_random(random) % 128;
    c->candidates = 1 + test_random(random) % (kind < 32 ? 4 : kind < 96 ? 40 : kind < 127 ? 700 : CANDIDATES - 12);
    c->scale = power_of_two(random, -3, 6);
    if (c->n > SELECTIONS) c->n = 1 + c->n % SELECTIONS;
    c->forced = (forced_bits){.use = BITS_SELECT_GUMBEL, .levels = 2, .rate = 1};
    c->forced.digits[0][0] = 1 + test_random(random) % 0xfffe;
    c->forced.digits[1][0] = test_random(random);
    c->forced.mask[0][0] = c->forced.mask[1][0] = UINT64_MAX;
}

static void choose_flip(drawing_call *c, uint64_t *random)
{
    choose_select(c, random);
    c->n = 1;
    c->forced.use = BITS_SELECT_FLIP;
}

static void choose_one(drawing_call *c, uint64_t *random)
{
    choose_select(c, random);
    c->n = 1;
}

static void choose_top_k(drawing_call *c, uint64_t *random)
{
    choose_select(c, random);
    c->candidates += 12;
    c->n = 1 + test_random(random) % 12;
}

/* Rows of scores of a call, also as floats. */
typedef struct {
    double f64[SELECTIONS * CANDIDATES];
    float f32[SELECTIONS * CANDIDATES];
} score_rows;

static const score_rows *scores_of(const drawing_call *c, size_t rows)
{
    static score_rows s;
    for (size_t i = 0; i < rows * c->candidates; i++)
        s.f32[i] = (float)(s.f64[i] = c->forced.rate != 0 ? 3.0 : (double)(datum(c, i) % 4096) / 256);
    return &s;
}

#define RUN_SELECT(name, suffix, field, rows, call)                                                                  \
    static simdp_status run_select_##name##suffix(simdp_rng *rng, const drawing_call *c, size_t first, size_t count, \
                                                  unsigned char *out)                                                \
    {                                                                                                                \
        size_t *index = (size_t *)(void *)out + first;                                                               \
        (void)count;                                                                                                 \
        return simdp_select_##name##suffix call(scores_of(c, rows)->field, c->candidates, c->scale);                 \
    }
#define ONE_INDEX(scores, n, scale)  (rng, index, scores, n, scale)
#define MANY_INDEX(scores, n, scale) (rng, index, count, scores, n, scale)
#define ROWS_INDEX(scores, n, scale) (rng, index, (scores) + first * (n), count, n, scale)
RUN_SELECT(gumbel, , f64, 1, ONE_INDEX)
RUN_SELECT(gumbel, _f32, f32, 1, ONE_INDEX)
RUN_SELECT(gumbel_many, , f64, 1, MANY_INDEX)
RUN_SELECT(gumbel_many, _f32, f32, 1, MANY_INDEX)
RUN_SELECT(gumbel_rows, , f64, c->n, ROWS_INDEX)
RUN_SELECT(gumbel_rows, _f32, f32, c->n, ROWS_INDEX)
RUN_SELECT(gumbel_top_k, , f64, 1, MANY_INDEX)
RUN_SELECT(gumbel_top_k, _f32, f32, 1, MANY_INDEX)
RUN_SELECT(gumbel_vartime, , f64, 1, ONE_INDEX)
RUN_SELECT(gumbel_vartime, _f32, f32, 1, ONE_INDEX)
RUN_SELECT(gumbel_many_vartime, , f64, 1, MANY_INDEX)
RUN_SELECT(gumbel_many_vartime, _f32, f32, 1, MANY_INDEX)
RUN_SELECT(permute_flip, , f64, 1, ONE_INDEX)
RUN_SELECT(permute_flip, _f32, f32, 1, ONE_INDEX)

static simdp_status run_prepared_by(simdp_rng *rng, const drawing_call *c, size_t first, size_t count,
                                    unsigned char *out,
                                    simdp_status (*prepared)(simdp_rng *, size_t *, size_t, const void *))
{
    static _Alignas(16) unsigned char workspace[8 * CANDIDATES];
    const size_t bytes = simdp_select_workspace(c->candidates);
    assert_true(bytes <= sizeof workspace);
    const simdp_status status = simdp_select_prepare(workspace, scores_of(c, 1)->f64, c->candidates, c->scale);
    return status != SIMDP_OK ? status : prepared(rng, (size_t *)(void *)out + first, count, workspace);
}

static simdp_status run_prepared(simdp_rng *rng, const drawing_call *c, size_t first, size_t count, unsigned char *out)
{
    return run_prepared_by(rng, c, first, count, out, simdp_select_prepared);
}

static simdp_status run_prepared_vartime(simdp_rng *rng, const drawing_call *c, size_t first, size_t count,
                                         unsigned char *out)
{
    return run_prepared_by(rng, c, first, count, out, simdp_select_prepared_vartime);
}

/* ---- audits: their counts ---- */

enum { AUDIT_EPSILONS = 3 };
static const double audit_epsilons[AUDIT_EPSILONS] = {0, 0.3, 1.5};

static simdp_status keep_rows(simdp_status status, const simdp_audit_row *rows, unsigned char *out)
{
    for (size_t j = 0; status == SIMDP_OK && j < AUDIT_EPSILONS; j++) {
        memcpy(out + 32 * j, rows[j].above, 16);
        memcpy(out + 32 * j + 16, rows[j].outputs, 16);
    }
    return status;
}

static simdp_audit_plan audit_plan_of(const drawing_call *c)
{
    return (simdp_audit_plan){.epsilon = audit_epsilons,
                              .epsilons = AUDIT_EPSILONS,
                              .hockey_stick = (int)(c->seed & 1),
                              .samples = c->n,
                              .error = 1e-3};
}

static void choose_audit(drawing_call *c, uint64_t *random)
{
    c->scale = uniform(random, 0.5, 4);
    c->epsilon = uniform(random, 0.5, 4);
    c->candidates = 2 + test_random(random) % 20;
    if (c->n == 0) c->n = 1;
}

static void choose_audit_selection(drawing_call *c, uint64_t *random)
{
    choose_audit(c, random);
    c->n = 1 + c->n % 5;
}

#define RUN_AUDIT(name, ...)                                                                                \
    static simdp_status run_audit_##name(simdp_rng *rng, const drawing_call *c, size_t first, size_t count, \
                                         unsigned char *out)                                                \
    {                                                                                                       \
        const simdp_audit_plan plan = audit_plan_of(c);                                                     \
        simdp_audit_row rows[AUDIT_EPSILONS];                                                               \
        (void)first, (void)count;                                                                           \
        return keep_rows(simdp_audit_##name(rng, rows, &plan, __VA_ARGS__), rows, out);                     \
    }
RUN_AUDIT(laplace, 0, 1, c->scale)
RUN_AUDIT(gaussian, 0, 1, c->scale)
RUN_AUDIT(selection, scores_of(c, 2)->f64, scores_of(c, 2)->f64 + c->candidates, c->candidates, c->scale)
RUN_AUDIT(randomized_response, c->epsilon)

/* in two pieces */
static simdp_status run_audit_draw(simdp_rng *rng, const drawing_call *c, size_t first, size_t count,
                                   unsigned char *out)
{
    const simdp_audit_plan plan = audit_plan_of(c);
    simdp_audit audit;
    simdp_audit_row rows[AUDIT_EPSILONS];
    (void)first, (void)count;
    simdp_status status = (c->seed & 2) != 0 ? simdp_audit_begin_laplace(&audit, &plan, 0, 1, c->scale)
                                             : simdp_audit_begin_gaussian(&audit, &plan, 0, 1, c->scale);
    if (status == SIMDP_OK) status = simdp_audit_draw(rng, &audit, c->n / 3);
    if (status == SIMDP_OK) status = simdp_audit_draw(rng, &audit, c->n - c->n / 3);
    if (status == SIMDP_OK) status = simdp_audit_rows(&audit, rows);
    return keep_rows(status, rows, out);
}

/* ---- systems ---- */

static simdp_status run_laplace_map(simdp_rng *rng, const drawing_call *c, size_t first, size_t count,
                                    unsigned char *out)
{
    uint8_t bits[DRAWING_MOST];
    fill_bytes(bits, c, c->n);
    return simdp_theory_laplace_map(rng, (double *)(void *)out + first, bits + first, count, 0, 1, c->scale);
}

static simdp_status run_discrete_map(simdp_rng *rng, const drawing_call *c, size_t first, size_t count,
                                     unsigned char *out)
{
    static const double p[3] = {0.5, 0.3, 0.2}, q[3] = {0.3, 0.4, 0.3};
    uint8_t symbols[DRAWING_MOST];
    double map[12];
    for (size_t i = 0; i < c->n; i++) symbols[i] = (uint8_t)(datum(c, i) & 3);
    const simdp_status status = simdp_theory_discrete_map(map, p, q, 3, 1.0, 0.1);
    return status != SIMDP_OK
               ? status
               : simdp_theory_discrete_map_draw(rng, (size_t *)(void *)out + first, symbols + first, count, map, 3);
}

/* The urn goes on with the counts that the draws before reached. */
static simdp_status run_urn(simdp_rng *rng, const drawing_call *c, size_t first, size_t count, unsigned char *out)
{
    uint64_t red = 3;
    for (size_t i = 0; i < first; i++) red += out[i];
    (void)c;
    return simdp_theory_polya_urn(rng, out + first, count, red, 5 + first - (red - 3));
}

static simdp_status run_select_column(simdp_rng *rng, const drawing_call *c, size_t first, size_t count,
                                      unsigned char *out)
{
    static double sums[CANDIDATES];
    (void)first, (void)count;
    return simdp_theory_select_column(rng, (size_t *)(void *)out, sums, scores_of(c, 1)->f64, 1, c->candidates, 1.0);
}

enum { STEPS = 12, STEP_CANDIDATES = 10 };

typedef struct {
    const simdp_rng *rng;
    const drawing_call *call;
    bool mapped; /* only kinds that the transcript map knows */
} asking;

static simdp_status query(void *context, double *answers, size_t n, const void *data)
{
    const drawing_call *c = context;
    for (size_t i = 0; i < n; i++) answers[i] = (double)(datum(c, i) % 3) / 8 + *(const double *)data;
    return SIMDP_OK;
}

static simdp_status ask(void *context, simdp_theory_request *next, const simdp_theory_step *steps, size_t count)
{
    static const simdp_mechanism kinds[] = {SIMDP_MECHANISM_LAPLACE,        SIMDP_MECHANISM_RANDOMIZED_RESPONSE,
                                            SIMDP_MECHANISM_LEAKY_RESPONSE, SIMDP_MECHANISM_SELECTION,
                                            SIMDP_MECHANISM_GAUSSIAN,       SIMDP_MECHANISM_SELECTION_MONOTONE};
    const asking *a = context;
    (void)steps;
    if (drawing_between != NULL) drawing_between(a->rng);
    next->mechanism = (simdp_theory_mechanism){.kind = kinds[datum(a->call, count) % (a->mapped ? 4 : 6)],
                                               .sensitivity = 0.5,
                                               .scale = 1,
                                               .epsilon = 1,
                                               .delta = 0.01};
    next->query = query;
    next->query_context = (void *)(uintptr_t)a->call;
    next->candidates = STEP_CANDIDATES;
    return SIMDP_OK;
}

static simdp_status run_steps(simdp_rng *rng, const drawing_call *c, unsigned char *out, bool mapped)
{
    static const double data = 0, neighbour = 0.25;
    simdp_theory_step steps[STEPS];
    double losses[STEPS], scratch[8 * STEP_CANDIDATES];
    uint8_t symbols[STEPS];
    asking a = {rng, c, mapped};
    simdp_theory_interaction run = {.steps = steps,
                                    .capacity = c->n < STEPS ? c->n : STEPS,
                                    .losses = losses,
                                    .scratch = scratch,
                                    .scratch_size = 8 * STEP_CANDIDATES};
    for (size_t i = 0; i < STEPS; i++) symbols[i] = (uint8_t)(datum(c, 50 + i) & 3);
    const simdp_status status =
        mapped ? simdp_theory_transcript_map(rng, &run, symbols, run.capacity, ask, &a, &data, &neighbour, 2.0, 0.05)
               : simdp_theory_interact(rng, &run, ask, &a, &data, &neighbour, NULL);
    for (size_t i = 0; i < run.count; i++) memcpy(out + 8 * i, &steps[i].output, 8);
    return status;
}

static simdp_status run_interact(simdp_rng *rng, const drawing_call *c, size_t first, size_t count, unsigned char *out)
{
    (void)first, (void)count;
    return run_steps(rng, c, out, false);
}

static simdp_status run_transcript(simdp_rng *rng, const drawing_call *c, size_t first, size_t count,
                                   unsigned char *out)
{
    (void)first, (void)count;
    return run_steps(rng, c, out, true);
}

/* ---- all of them ---- */

#define SELECT_ROWS(name, choose, cut)                                           \
    {"simdp_select_" #name, choose, run_select_##name, cut, true},               \
    {                                                                            \
        "simdp_select_" #name "_f32", choose, run_select_##name##_f32, cut, true \
    }

const drawing_function drawing_choices[] = {
    SELECT_ROWS(gumbel, choose_one, 0),
    SELECT_ROWS(gumbel_many, choose_select, 1),
    SELECT_ROWS(gumbel_rows, choose_select, 1),
    SELECT_ROWS(gumbel_top_k, choose_top_k, 0),
    SELECT_ROWS(gumbel_vartime, choose_one, 0),
    SELECT_ROWS(gumbel_many_vartime, choose_select, 1),
    SELECT_ROWS(permute_flip, choose_flip, 0),
    {"simdp_select_prepared", choose_select, run_prepared, 1, true},
    {"simdp_select_prepared_vartime", choose_select, run_prepared_vartime, 1, true},
    {"simdp_audit_laplace", choose_audit, run_audit_laplace, 0, false},
    {"simdp_audit_gaussian", choose_audit, run_audit_gaussian, 0, false},
    {"simdp_audit_selection", choose_audit_selection, run_audit_selection, 0, true},
    {"simdp_audit_randomized_response", choose_audit, run_audit_randomized_response, 0, false},
    {"simdp_audit_draw", choose_audit, run_audit_draw, 0, false},
    {"simdp_theory_laplace_map", choose_audit, run_laplace_map, 1, false},
    {"simdp_theory_discrete_map_draw", choose_audit, run_discrete_map, 1, false},
    {"simdp_theory_interact", choose_audit, run_interact, 0, true},
    {"simdp_theory_transcript_map", choose_audit, run_transcript, 0, true},
    {"simdp_theory_polya_urn", choose_audit, run_urn, 1, false},
    {"simdp_theory_select_column", choose_one, run_select_column, 0, true},
};
const size_t drawing_choices_count = sizeof drawing_choices / sizeof *drawing_choices;

size_t drawing_count(void) { return drawing_numbers_count + drawing_choices_count; }

const drawing_function *drawing_at(size_t i)
{
    return i < drawing_numbers_count ? &drawing_numbers[i] : &drawing_choices[i - drawing_numbers_count];
}

const drawing_function *drawing_named(const char *name)
{
    for (size_t i = 0; i < drawing_count(); i++) {
        if (strcmp(drawing_at(i)->name, name) == 0) return drawing_at(i);
    }
    return NULL;
}

drawing_call drawing_choose(const drawing_function *function, size_t n, bool force, uint64_t *random)
{
    drawing_call c = {.seed = test_random(random), .n = n};
    assert_true(n <= DRAWING_MOST);
    function->choose(&c, random);
    if (!force) c.forced.rate = 0;
    /* with forced bits every candidate that a race keeps is compared in 512 bits: few of them, for the 12 best */
    if (c.forced.rate != 0 && c.candidates > 20) c.candidates = 12 + c.candidates % 9;
    return c;
}
