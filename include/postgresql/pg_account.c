/* pg_account.c: what releases cost together. Results are bounds from above; a statement that is cancelled stops soon. */
#include "pg_simdp.h"

#include "miscadmin.h"

static int stop_if_cancelled(void *context, double done)
{
    (void)context;
    (void)done;
    return QueryCancelPending || ProcDiePending;
}

static void check_account(simdp_status status, const char *detail)
{
    CHECK_FOR_INTERRUPTS();
    simdp_check(status, detail);
}

SQL_FUNCTION(dp_sgd_epsilon)
{
    const int64 steps = PG_GETARG_INT64(2);
    const simdp_account_sgd_run run = {PG_GETARG_FLOAT8(0), PG_GETARG_FLOAT8(1),
                                       (uint64_t)steps}; /* below 0: too many */
    double upper;
    check_account(simdp_account_sgd_epsilon(NULL, &upper, run, PG_GETARG_FLOAT8(3), 1e-3, stop_if_cancelled, NULL),
                  "1/64 <= noise <= 1e6, 0 <= rate <= 1, 0 <= steps <= 2^40, 1e-300 <= delta < 1.");
    PG_RETURN_FLOAT8(upper);
}

SQL_FUNCTION(dp_sgd_noise)
{
    const simdp_privacy target = {PG_GETARG_FLOAT8(0), PG_GETARG_FLOAT8(1)};
    double noise;
    check_account(simdp_account_sgd_noise(&noise, target, PG_GETARG_FLOAT8(2), (uint64_t)PG_GETARG_INT64(3), 1e-3,
                                          stop_if_cancelled, NULL),
                  "0 < epsilon <= 1e6, 1e-300 <= delta < 1, 0 <= rate <= 1, 0 <= steps <= 2^40.");
    PG_RETURN_FLOAT8(noise);
}

SQL_FUNCTION(dp_compose_epsilon)
{
    const simdp_privacy step = {PG_GETARG_FLOAT8(0), PG_GETARG_FLOAT8(1)};
    simdp_account_bound_table table;
    check_account(simdp_account_bounds(&table, step, PG_GETARG_INT64(2), PG_GETARG_FLOAT8(3)),
                  "epsilon >= 0, 0 <= step_delta <= 1, steps >= 0, 0 <= delta <= 1.");
    PG_RETURN_FLOAT8(table.epsilon[table.smallest]);
}

SQL_FUNCTION(dp_gaussian_sigma)
{
    PG_RETURN_FLOAT8(plan_gaussian(PG_GETARG_FLOAT8(0), PG_GETARG_FLOAT8(1), PG_GETARG_FLOAT8(2)).scale);
}
