/* pg_arrays.c: many answers a call, as arrays. The library works on them in vectors, and a call of SQL costs more than noise. */
#include "pg_simdp.h"

#include "catalog/pg_type_d.h"
#include "funcapi.h"
#include "utils/array.h"

/* An array of SQL taken apart: elements with a flag for those that are NULL. */
typedef struct {
    Datum *values;
    bool *nulls;
    int n;
} elements;

static elements apart(ArrayType *array, Oid type)
{
    elements e;
    if (type == TEXTOID) deconstruct_array(array, type, -1, false, TYPALIGN_INT, &e.values, &e.nulls, &e.n);
    else deconstruct_array(array, type, 8, FLOAT8PASSBYVAL, TYPALIGN_DOUBLE, &e.values, &e.nulls, &e.n);
    return e;
}

static ArrayType *together(const ArrayType *shape, const elements *e)
{
    return construct_md_array(e->values, e->nulls, ARR_NDIM(shape), ARR_DIMS(shape), ARR_LBOUND(shape), FLOAT8OID, 8,
                              FLOAT8PASSBYVAL, TYPALIGN_DOUBLE);
}

/* The elements that are not NULL, one after the other, through the release and back to their places. ids has one for each of
 * those, or is NULL. */
static ArrayType *release_elements(const noise_plan *plan, simdp_rng *rng, const ArrayType *shape, elements *e,
                                   const simdp_id *ids)
{
    double *packed = MemoryContextAllocHuge(CurrentMemoryContext, (Size)(e->n + 1) * sizeof *packed);
    size_t n = 0;
    for (int i = 0; i < e->n; i++)
        if (!e->nulls[i]) packed[n++] = DatumGetFloat8(e->values[i]);
    release_doubles(plan, rng, packed, packed, ids, n);
    n = 0;
    for (int i = 0; i < e->n; i++)
        if (!e->nulls[i]) e->values[i] = Float8GetDatum(packed[n++]);
    pfree(packed);
    return together(shape, e);
}

ArrayType *release_array(const noise_plan *plan, ArrayType *values)
{
    simdp_rng *rng = simdp_entropy();
    if (ARR_HASNULL(values)) {
        elements e = apart(values, FLOAT8OID);
        return release_elements(plan, rng, values, &e, NULL);
    }
    ArrayType *copy = palloc(VARSIZE(values));
    const int n = ArrayGetNItems(ARR_NDIM(values), ARR_DIMS(values));
    memcpy(copy, values, VARSIZE(values));
    release_doubles(plan, rng, (double *)ARR_DATA_PTR(copy), (const double *)ARR_DATA_PTR(values), NULL, (size_t)n);
    return copy;
}

/* An element whose value or id is NULL is NULL. */
static ArrayType *release_array_by_id(noise_plan plan, ArrayType *values, ArrayType *names, Oid type, const bytea *key)
{
    simdp_rng *rng = simdp_keyed(key);
    elements e = apart(values, FLOAT8OID), id = apart(names, type);
    if (e.n != id.n) simdp_check(SIMDP_EPARAM, "There must be as many ids as values.");
    simdp_id *ids = MemoryContextAllocHuge(CurrentMemoryContext, (Size)(e.n + 1) * sizeof *ids);
    size_t n = 0;
    for (int i = 0; i < e.n; i++) {
        e.nulls[i] |= id.nulls[i];
        if (e.nulls[i]) continue;
        ids[n++] = type == TEXTOID ? simdp_id_of_text(rng, DatumGetTextPP(id.values[i]))
                                   : simdp_id_of_bigint(DatumGetInt64(id.values[i]));
    }
    ArrayType *result = release_elements(&plan, rng, values, &e, ids);
    pfree(ids);
    return result;
}

#define LAPLACE_OF_ARGUMENTS  plan_laplace(PG_GETARG_FLOAT8(1), PG_GETARG_FLOAT8(2))
#define GAUSSIAN_OF_ARGUMENTS plan_gaussian(PG_GETARG_FLOAT8(1), PG_GETARG_FLOAT8(2), PG_GETARG_FLOAT8(3))

SQL_FUNCTION(dp_laplace_array)
{
    const noise_plan plan = LAPLACE_OF_ARGUMENTS;
    PG_RETURN_ARRAYTYPE_P(release_array(&plan, PG_GETARG_ARRAYTYPE_P(0)));
}

SQL_FUNCTION(dp_laplace_array_bigint)
{
    PG_RETURN_ARRAYTYPE_P(release_array_by_id(LAPLACE_OF_ARGUMENTS, PG_GETARG_ARRAYTYPE_P(0), PG_GETARG_ARRAYTYPE_P(3),
                                              INT8OID, PG_GETARG_BYTEA_PP(4)));
}

SQL_FUNCTION(dp_laplace_array_text)
{
    PG_RETURN_ARRAYTYPE_P(release_array_by_id(LAPLACE_OF_ARGUMENTS, PG_GETARG_ARRAYTYPE_P(0), PG_GETARG_ARRAYTYPE_P(3),
                                              TEXTOID, PG_GETARG_BYTEA_PP(4)));
}

SQL_FUNCTION(dp_gaussian_array)
{
    const noise_plan plan = GAUSSIAN_OF_ARGUMENTS;
    PG_RETURN_ARRAYTYPE_P(release_array(&plan, PG_GETARG_ARRAYTYPE_P(0)));
}

SQL_FUNCTION(dp_gaussian_array_bigint)
{
    PG_RETURN_ARRAYTYPE_P(release_array_by_id(GAUSSIAN_OF_ARGUMENTS, PG_GETARG_ARRAYTYPE_P(0), PG_GETARG_ARRAYTYPE_P(4),
                                              INT8OID, PG_GETARG_BYTEA_PP(5)));
}

SQL_FUNCTION(dp_gaussian_array_text)
{
    PG_RETURN_ARRAYTYPE_P(release_array_by_id(GAUSSIAN_OF_ARGUMENTS, PG_GETARG_ARRAYTYPE_P(0), PG_GETARG_ARRAYTYPE_P(4),
                                              TEXTOID, PG_GETARG_BYTEA_PP(5)));
}

/* The elements of an array as rows: place, from 1, and value. */
static Datum rows_of(FunctionCallInfo fcinfo, ArrayType *array)
{
    const elements e = apart(array, FLOAT8OID);
    InitMaterializedSRF(fcinfo, 0);
    ReturnSetInfo *result = (ReturnSetInfo *)fcinfo->resultinfo;
    for (int i = 0; i < e.n; i++) {
        Datum row[2] = {Int64GetDatum(i + 1), e.values[i]};
        bool nulls[2] = {false, e.nulls[i]};
        tuplestore_putvalues(result->setResult, result->setDesc, row, nulls);
    }
    return (Datum)0;
}

SQL_FUNCTION(dp_laplace_rows)
{
    const noise_plan plan = LAPLACE_OF_ARGUMENTS;
    return rows_of(fcinfo, release_array(&plan, PG_GETARG_ARRAYTYPE_P(0)));
}

SQL_FUNCTION(dp_gaussian_rows)
{
    const noise_plan plan = GAUSSIAN_OF_ARGUMENTS;
    return rows_of(fcinfo, release_array(&plan, PG_GETARG_ARRAYTYPE_P(0)));
}
