/* pg_ledger.c: releases that are paid for from a budget: first every check that can fail, then the payment, then the answer. */
#include "pg_simdp.h"

#include <math.h>

#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

static Numeric numeric_of(const char *digits)
{
    return DatumGetNumeric(
        DirectFunctionCall3(numeric_in, CStringGetDatum(digits), ObjectIdGetDatum(InvalidOid), Int32GetDatum(-1)));
}

double double_below(Numeric number, const char *detail)
{
    const char *digits = DatumGetCString(DirectFunctionCall1(numeric_out, NumericGetDatum(number)));
    double nearest = strtod(digits, NULL);
    if (!(nearest > 0.0 && isfinite(nearest))) simdp_check(SIMDP_EPARAM, detail);
    /* 1074 digits after the point write every double exactly */
    const Numeric exact = numeric_of(psprintf("%.1074f", nearest));
    if (DatumGetBool(DirectFunctionCall2(numeric_gt, NumericGetDatum(exact), NumericGetDatum(number))))
        nearest = nextafter(nearest, 0.0);
    if (!(nearest > 0.0)) simdp_check(SIMDP_EPARAM, detail);
    return nearest;
}

/* The ledger is in the schema of the function that is called. */
static Oid ledger_schema(FunctionCallInfo fcinfo) { return get_func_namespace(fcinfo->flinfo->fn_oid); }

static bool any_null(FunctionCallInfo fcinfo, int first, int last)
{
    for (int i = first; i <= last; i++)
        if (PG_ARGISNULL(i)) return true;
    return false;
}

SQL_FUNCTION(dp_pay)
{
    char *purpose;
    if (any_null(fcinfo, 0, 3)) PG_RETURN_NULL();
    purpose = text_to_cstring(PG_GETARG_TEXT_PP(3));
    PG_RETURN_INT64(
        ledger_pay(ledger_schema(fcinfo), PG_GETARG_TEXT_PP(0), PG_GETARG_NUMERIC(1), PG_GETARG_NUMERIC(2), purpose));
}

/* The plan of a release whose parameters begin at argument 2, after budget and value. */
static noise_plan paid_plan(FunctionCallInfo fcinfo, bool gaussian)
{
    const double epsilon = double_below(PG_GETARG_NUMERIC(2), "epsilon must be above 0 and finite.");
    if (!gaussian) return plan_laplace(epsilon, PG_GETARG_FLOAT8(3));
    return plan_gaussian(epsilon, double_below(PG_GETARG_NUMERIC(3), "delta must be above 0."), PG_GETARG_FLOAT8(4));
}

static void pay_for(FunctionCallInfo fcinfo, bool gaussian, const char *purpose)
{
    const Numeric delta = gaussian ? PG_GETARG_NUMERIC(3) : numeric_of("0");
    (void)simdp_entropy(); /* nobody pays for a machine without entropy */
    (void)ledger_pay(ledger_schema(fcinfo), PG_GETARG_TEXT_PP(0), PG_GETARG_NUMERIC(2), delta, purpose);
}

/* A value that is NULL is paid for like any other: what is paid must not tell of the data. */
static Datum paid_release(FunctionCallInfo fcinfo, bool gaussian, const char *purpose)
{
    double out;
    if (PG_ARGISNULL(0) || any_null(fcinfo, 2, gaussian ? 4 : 3)) PG_RETURN_NULL();
    const noise_plan plan = paid_plan(fcinfo, gaussian);
    pay_for(fcinfo, gaussian, purpose);
    if (PG_ARGISNULL(1)) PG_RETURN_NULL();
    const double answer = PG_GETARG_FLOAT8(1);
    release_doubles(&plan, simdp_entropy(), &out, &answer, NULL, 1);
    PG_RETURN_FLOAT8(out);
}

static Datum paid_release_array(FunctionCallInfo fcinfo, bool gaussian, const char *purpose)
{
    if (PG_ARGISNULL(0) || any_null(fcinfo, 2, gaussian ? 4 : 3)) PG_RETURN_NULL();
    const noise_plan plan = paid_plan(fcinfo, gaussian);
    pay_for(fcinfo, gaussian, purpose);
    if (PG_ARGISNULL(1)) PG_RETURN_NULL();
    PG_RETURN_ARRAYTYPE_P(release_array(&plan, PG_GETARG_ARRAYTYPE_P(1)));
}

SQL_FUNCTION(dp_release_laplace) { return paid_release(fcinfo, false, "dp_release_laplace"); }

SQL_FUNCTION(dp_release_gaussian) { return paid_release(fcinfo, true, "dp_release_gaussian"); }

SQL_FUNCTION(dp_release_laplace_array) { return paid_release_array(fcinfo, false, "dp_release_laplace_array"); }

SQL_FUNCTION(dp_release_gaussian_array) { return paid_release_array(fcinfo, true, "dp_release_gaussian_array"); }
