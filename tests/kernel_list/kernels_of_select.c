/* kernels_of_select.c: selections. */
#include <string.h>

#include "kernel_list.h"

#define RUN_ONE(function) \
    RUN(function) { return function(c->rng, c->out, c->in, c->candidates, c->p[0]); }
#define RUN_MANY(function) \
    RUN(function) { return function(c->rng, c->out, c->n, c->in, c->candidates, c->p[0]); }
#define RUN_ROWS(function) \
    RUN(function) { return function(c->rng, c->out, c->in, c->n, c->candidates, c->p[0]); }
#define RUN_PREPARED(function) \
    RUN(function) { return function(c->rng, c->out, c->n, c->in); }
#define RUN_BOTH(how, function) how(function) how(function##_f32)

RUN_BOTH(RUN_ONE, simdp_select_gumbel)
RUN_BOTH(RUN_ONE, simdp_select_gumbel_vartime)
RUN_BOTH(RUN_ONE, simdp_select_permute_flip)
RUN_BOTH(RUN_MANY, simdp_select_gumbel_many)
RUN_BOTH(RUN_MANY, simdp_select_gumbel_many_vartime)
RUN_BOTH(RUN_MANY, simdp_select_gumbel_top_k)
RUN_BOTH(RUN_ROWS, simdp_select_gumbel_rows)
RUN(simdp_select_gumbel_rows_by_id)
{
    return simdp_select_gumbel_rows_by_id(c->rng, c->out, c->in, c->ids, c->n, c->candidates, c->p[0]);
}
RUN_PREPARED(simdp_select_prepared)
RUN_PREPARED(simdp_select_prepared_vartime)

/* By way of a signed number: compilers turn doubles into unsigned ones by ways that raise a flag of floating point, and
 * callers may have unmasked it. */
static uint64_t groups_of(const kernel_call *c) { return (uint64_t)(int64_t)c->p[2]; }

RUN(simdp_select_partitions)
{
    return simdp_select_partitions(c->rng, c->out, c->in, c->n, c->p[0], c->p[1], groups_of(c));
}

RUN(simdp_select_partitions_by_id)
{
    return simdp_select_partitions_by_id(c->rng, c->out, c->in, c->ids, c->n, c->p[0], c->p[1], groups_of(c));
}

/* If there is no query above the threshold, the number of queries. */
RUN(simdp_select_above_threshold)
{
    uint8_t found = 0;
    size_t *index = c->out;
    const simdp_status status =
        simdp_select_above_threshold(c->rng, index, &found, c->in, c->candidates, c->p[0], c->p[1], c->p[2]);
    const uint64_t none = (uint64_t)found - 1; /* all ones if there is none; no branch on it here */
    if (status == SIMDP_OK) *index = (*index & ~none) | (c->candidates & none);
    return status;
}

/* A byte of the threshold's random words; 0xff where the state was not opened. */
RUN(simdp_select_threshold_open)
{
    simdp_select_threshold state;
    uint8_t *byte = c->out;
    const simdp_status status =
        simdp_select_threshold_open(c->rng, byte == NULL ? NULL : &state, c->p[0], c->p[1], c->p[2], 1);
    if (status != SIMDP_ENULL) *byte = status == SIMDP_OK ? (uint8_t)state.words[0] : 0xff;
    if (status == SIMDP_OK) simdp_select_threshold_wipe(&state);
    return status;
}

/* One query, as large as the threshold. Where that fails, the stream is put back to where it was before the call that
 * opened the state. */
RUN(simdp_select_threshold_ask)
{
    simdp_select_threshold state;
    memset(&state, 0, sizeof state);
    if (c->rng == NULL || c->out == NULL) return simdp_select_threshold_ask(c->rng, &state, c->out, 0.0);
    const uint64_t position = c->rng->position;
    const simdp_status opened = simdp_select_threshold_open(c->rng, &state, c->p[0], c->p[1], c->p[2], 2),
                       asked = simdp_select_threshold_ask(c->rng, &state, c->out, c->p[0]);
    simdp_select_threshold_wipe(&state);
    if (opened == SIMDP_OK && asked != SIMDP_OK) c->rng->position = position;
    return opened == SIMDP_OK ? asked : opened;
}

#define LINE(function, scores, count, pieces, size, ...)                                                              \
    {                                                                                                                 \
        CALLS(function), .out = OUT_INDEX, .in = scores, .kind = KERNEL_PUBLISHES, GIVEN(__VA_ARGS__), .sizes = size, \
                         .reference = "select/test_select_forms", .winners = count, .cut = pieces, .one_draw = true,  \
                         .local = true                                                                                \
    }
/* Few candidates that are always the same; records are the data. */
enum { QUANTILES = 5 };
RUN(simdp_select_quantile_scores)
{
    static const double candidates[QUANTILES] = {-7.5, 0.0, 1.25, 3.0, 1e6};
    /* through signed integers: clang makes unsigned ones with a subtraction that is inexact, which callers may trap */
    return simdp_select_quantile_scores(c->out, c->in, c->n, candidates, QUANTILES, (uint64_t)(int64_t)c->p[0],
                                        (uint64_t)(int64_t)c->p[1]);
}

#define SELECT(function, winners, pieces, size)              \
    LINE(function, IN_F64, winners, pieces, size, "s", 1.0), \
        LINE(function##_f32, IN_F32, winners, pieces, SIZES_NONE, "s", 1.0)

/* clang-format off */
const kernel_line kernels_of_select[] = {
    SELECT(simdp_select_gumbel, 1, 0, SIZES_CANDIDATES),
    LINE(simdp_select_prepared, IN_WORKSPACE, 0, 1, SIZES_CANDIDATES, "", 0),
    SELECT(simdp_select_gumbel_vartime, 1, 0, SIZES_CANDIDATES),
    LINE(simdp_select_prepared_vartime, IN_WORKSPACE, 0, 1, SIZES_CANDIDATES, "", 0),
    {CALLS(simdp_select_prepared_vartime), .variant = "ascending", .out = OUT_INDEX, .in = IN_WORKSPACE,
     .kind = KERNEL_PUBLISHES, GIVEN("", 0), .sizes = SIZES_CANDIDATES, .reference = "select/test_select_forms",
     .cut = 1, .one_draw = true, .local = true},
    SELECT(simdp_select_gumbel_many, 0, 1, SIZES_NONE),
    SELECT(simdp_select_gumbel_many_vartime, 0, 1, SIZES_NONE),
    SELECT(simdp_select_gumbel_rows, 0, 1, SIZES_NONE),
    {CALLS(simdp_select_gumbel_rows_by_id), .out = OUT_INDEX, .in = IN_F64, .kind = KERNEL_PUBLISHES, GIVEN("s", 1.0),
     .sizes = SIZES_CANDIDATES, .reference = "select/test_select_by_id", .one_draw = true, .by_id = true},
    SELECT(simdp_select_gumbel_top_k, 0, 0, SIZES_NONE),
    SELECT(simdp_select_permute_flip, 1, 0, SIZES_NONE),
    {CALLS(simdp_select_partitions), .out = OUT_FLAGS, .in = IN_I64, .kind = KERNEL_PUBLISHES,
     GIVEN("eu-", 1.0, KERNEL_PARTITION_DELTA, 1.0), .sizes = SIZES_ANSWERS,
     .reference = "select/test_select_partitions", .cut = 1},
    {CALLS(simdp_select_partitions_by_id), .out = OUT_FLAGS, .in = IN_I64, .kind = KERNEL_PUBLISHES,
     GIVEN("eu-", 1.0, KERNEL_PARTITION_DELTA, 1.0), .sizes = SIZES_ANSWERS,
     .reference = "select/test_select_partitions", .one_draw = true, .by_id = true},
    {CALLS(simdp_select_above_threshold), .out = OUT_INDEX, .in = IN_F64, .kind = KERNEL_PUBLISHES,
     GIVEN("-ss", 40.0, 1.0, 2.0), .sizes = SIZES_CANDIDATES, .reference = "select/test_select_threshold", .winners = 1},
    {CALLS(simdp_select_threshold_open), .out = OUT_BYTES, .in = IN_NONE, .kind = KERNEL_PUBLISHES,
     GIVEN("-ss", 40.0, 1.0, 2.0), .reference = "select/test_select_threshold", .winners = 1, .one_draw = true},
    {CALLS(simdp_select_threshold_ask), .out = OUT_FLAGS, .in = IN_NONE, .kind = KERNEL_PUBLISHES,
     GIVEN("-ss", 40.0, 1.0, 2.0), .reference = "select/test_select_threshold", .winners = 1},
    {CALLS(simdp_select_quantile_scores), .out = OUT_F64, .in = IN_F64, .kind = KERNEL_DATA, GIVEN("--", 1.0, 4.0),
     .reference = "select/test_select_quantile", .winners = QUANTILES},
    {.name = NULL},
};
/* clang-format on */
