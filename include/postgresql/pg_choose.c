/* pg_choose.c: the aggregate dp_choose, the exponential mechanism over the rows of a group. */
#include "pg_simdp.h"

#include "utils/datum.h"
#include "utils/lsyscache.h"

/* The rows so far. Rows without a candidate or without a score take no part. */
typedef struct {
    Datum *candidates;
    double *scores;
    size_t n, room;
    double epsilon, sensitivity;
    int16 length;
    bool by_value, no_parameters;
} race;

static race *race_of(PG_FUNCTION_ARGS, MemoryContext memory)
{
    race *r;
    char alignment;
    if (!PG_ARGISNULL(0)) return (race *)PG_GETARG_POINTER(0);
    r = MemoryContextAllocZero(memory, sizeof *r);
    r->room = 64;
    r->candidates = MemoryContextAlloc(memory, r->room * sizeof *r->candidates);
    r->scores = MemoryContextAlloc(memory, r->room * sizeof *r->scores);
    r->no_parameters = PG_ARGISNULL(3) || PG_ARGISNULL(4);
    if (!r->no_parameters) {
        r->epsilon = PG_GETARG_FLOAT8(3);
        r->sensitivity = PG_GETARG_FLOAT8(4);
        if (!(r->epsilon > 0.0) || !(simdp_select_scale(r->epsilon, r->sensitivity, 0) > 0.0))
            simdp_check(SIMDP_EPARAM, "0 < epsilon < infinity and 0 < sensitivity < infinity.");
    }
    get_typlenbyvalalign(get_fn_expr_argtype(fcinfo->flinfo, 1), &r->length, &r->by_value, &alignment);
    return r;
}

SQL_FUNCTION(dp_choose_step)
{
    MemoryContext memory, before;
    race *r;
    if (!AggCheckCallContext(fcinfo, &memory)) elog(ERROR, "dp_choose_step is called by an aggregate only");
    r = race_of(fcinfo, memory);
    const bool absent = PG_ARGISNULL(3) || PG_ARGISNULL(4);
    if (absent != r->no_parameters ||
        (!absent && (PG_GETARG_FLOAT8(3) != r->epsilon || PG_GETARG_FLOAT8(4) != r->sensitivity)))
        simdp_check(SIMDP_EPARAM, "epsilon and sensitivity must be the same in all rows of a group.");
    if (absent || PG_ARGISNULL(1) || PG_ARGISNULL(2)) PG_RETURN_POINTER(r);
    before = MemoryContextSwitchTo(memory);
    if (r->n == r->room) {
        r->room *= 2;
        r->candidates = repalloc_huge(r->candidates, r->room * sizeof *r->candidates);
        r->scores = repalloc_huge(r->scores, r->room * sizeof *r->scores);
    }
    Datum candidate = PG_GETARG_DATUM(1);
    if (r->length == -1) candidate = PointerGetDatum(PG_DETOAST_DATUM(candidate));
    r->candidates[r->n] = datumCopy(candidate, r->by_value, r->length);
    r->scores[r->n++] = PG_GETARG_FLOAT8(2);
    MemoryContextSwitchTo(before);
    PG_RETURN_POINTER(r);
}

SQL_FUNCTION(dp_choose_final)
{
    size_t index = 0;
    const race *r = PG_ARGISNULL(0) ? NULL : (const race *)PG_GETARG_POINTER(0);
    if (r == NULL || r->no_parameters || r->n == 0) PG_RETURN_NULL();
    simdp_check(simdp_select_gumbel(simdp_entropy(), &index, r->scores, r->n,
                                    simdp_select_scale(r->epsilon, r->sensitivity, 0)),
                "2 sensitivity / epsilon is out of range.");
    PG_RETURN_DATUM(r->candidates[index]);
}
