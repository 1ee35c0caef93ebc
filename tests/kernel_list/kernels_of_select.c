/* kernels_of_select.c: selections. */
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

#define LINE(function, scores, count, pieces, size, ...)                                                              \
    {                                                                                                                 \
        CALLS(function), .out = OUT_INDEX, .in = scores, .kind = KERNEL_PUBLISHES, GIVEN(__VA_ARGS__), .sizes = size, \
                         .reference = "select/test_select_forms", .winners = count, .cut = pieces, .one_draw = true,  \
                         .local = true                                                                                \
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
    {.name = NULL},
};
/* clang-format on */
