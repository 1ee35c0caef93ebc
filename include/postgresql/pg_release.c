/* pg_release.c: one answer a call: Laplace and Gaussian noise, randomized response, groups that may be shown; from entropy,
 * or by key and id. */
#include "pg_simdp.h"

#include <float.h>
#include <math.h>

#include "catalog/pg_type_d.h"
#include "nodes/supportnodes.h"

#define LAPLACE_RANGES  "0 < epsilon < infinity and 0 <= sensitivity < infinity, with a quotient that is a number."
#define GAUSSIAN_RANGES "0 < epsilon < infinity, 0 < delta < 1 and 0 <= sensitivity < infinity."
#define RESPONSE_RANGES "0 <= epsilon < infinity."
#define GROUP_RANGES    "0 <= epsilon < infinity, 2^-600 <= delta < 1, groups_per_person >= 1."

/* ---- noise for a promise --------------------------------------------------------------------------------------- */

static noise_plan plan_noise(bool gaussian, double epsilon, double delta, double sensitivity, const char *ranges)
{
    const simdp_account_target target = {epsilon, delta, sensitivity};
    simdp_account_planned planned;
    noise_plan plan = {gaussian, 0.0, 0.0};
    if (!(epsilon > 0.0 && epsilon <= DBL_MAX) || !(sensitivity >= 0.0 && sensitivity <= DBL_MAX))
        simdp_check(SIMDP_EPARAM, ranges);
    if (gaussian && !(delta > 0.0 && delta < 1.0)) simdp_check(SIMDP_EPARAM, ranges);
    simdp_check(simdp_account_plan(&planned, &target, 1, gaussian ? SIMDP_MECHANISM_GAUSSIAN : SIMDP_MECHANISM_LAPLACE),
                ranges);
    /* no noise only for an answer that no record moves; else more noise than asked for keeps the promise too */
    if (sensitivity > 0.0) plan.scale = planned.scale < SIMDP_NOISE_SCALE_MIN ? SIMDP_NOISE_SCALE_MIN : planned.scale;
    plan.grid = simdp_release_grid(plan.scale);
    if (!(plan.scale <= SIMDP_NOISE_SCALE_MAX)) simdp_check(SIMDP_EPARAM, ranges);
    return plan;
}

noise_plan plan_laplace(double epsilon, double sensitivity)
{
    static double known[2]; /* of the call before; all 0 is the plan of no parameters that are legal */
    static noise_plan plan;
    if (known[0] != epsilon || known[1] != sensitivity) {
        known[0] = 0.0;
        plan = plan_noise(false, epsilon, 0.0, sensitivity, LAPLACE_RANGES);
        known[0] = epsilon;
        known[1] = sensitivity;
    }
    if (!(epsilon > 0.0)) simdp_check(SIMDP_EPARAM, LAPLACE_RANGES);
    return plan;
}

noise_plan plan_gaussian(double epsilon, double delta, double sensitivity)
{
    static double known[3];
    static noise_plan plan;
    if (known[0] != epsilon || known[1] != delta || known[2] != sensitivity) {
        known[0] = 0.0;
        plan = plan_noise(true, epsilon, delta, sensitivity, GAUSSIAN_RANGES);
        known[0] = epsilon;
        known[1] = delta;
        known[2] = sensitivity;
    }
    if (!(epsilon > 0.0)) simdp_check(SIMDP_EPARAM, GAUSSIAN_RANGES);
    return plan;
}

void release_doubles(const noise_plan *plan, simdp_rng *rng, double *out, const double *answers, const simdp_id *ids,
                     size_t n)
{
    simdp_status status;
    if (ids == NULL)
        status = plan->gaussian ? simdp_release_gaussian(rng, out, answers, n, plan->scale, plan->grid)
                                : simdp_release_laplace(rng, out, answers, n, plan->scale, plan->grid);
    else
        status = plan->gaussian ? simdp_release_gaussian_by_id(rng, out, answers, ids, n, plan->scale, plan->grid)
                                : simdp_release_laplace_by_id(rng, out, answers, ids, n, plan->scale, plan->grid);
    simdp_check(status, NULL);
}

static double release_one(noise_plan plan, simdp_rng *rng, double answer, const simdp_id *id)
{
    double out;
    release_doubles(&plan, rng, &out, &answer, id, 1);
    return out;
}

#define LAPLACE_OF_ARGUMENTS  plan_laplace(PG_GETARG_FLOAT8(1), PG_GETARG_FLOAT8(2))
#define GAUSSIAN_OF_ARGUMENTS plan_gaussian(PG_GETARG_FLOAT8(1), PG_GETARG_FLOAT8(2), PG_GETARG_FLOAT8(3))

SQL_FUNCTION(dp_laplace)
{
    PG_RETURN_FLOAT8(release_one(LAPLACE_OF_ARGUMENTS, simdp_entropy(), PG_GETARG_FLOAT8(0), NULL));
}

SQL_FUNCTION(dp_laplace_bigint)
{
    const simdp_id id = simdp_id_of_bigint(PG_GETARG_INT64(3));
    simdp_rng *rng = simdp_keyed(PG_GETARG_BYTEA_PP(4));
    PG_RETURN_FLOAT8(release_one(LAPLACE_OF_ARGUMENTS, rng, PG_GETARG_FLOAT8(0), &id));
}

SQL_FUNCTION(dp_laplace_text)
{
    simdp_rng *rng = simdp_keyed(PG_GETARG_BYTEA_PP(4));
    const simdp_id id = simdp_id_of_text(rng, PG_GETARG_TEXT_PP(3));
    PG_RETURN_FLOAT8(release_one(LAPLACE_OF_ARGUMENTS, rng, PG_GETARG_FLOAT8(0), &id));
}

SQL_FUNCTION(dp_gaussian)
{
    PG_RETURN_FLOAT8(release_one(GAUSSIAN_OF_ARGUMENTS, simdp_entropy(), PG_GETARG_FLOAT8(0), NULL));
}

SQL_FUNCTION(dp_gaussian_bigint)
{
    const simdp_id id = simdp_id_of_bigint(PG_GETARG_INT64(4));
    simdp_rng *rng = simdp_keyed(PG_GETARG_BYTEA_PP(5));
    PG_RETURN_FLOAT8(release_one(GAUSSIAN_OF_ARGUMENTS, rng, PG_GETARG_FLOAT8(0), &id));
}

SQL_FUNCTION(dp_gaussian_text)
{
    simdp_rng *rng = simdp_keyed(PG_GETARG_BYTEA_PP(5));
    const simdp_id id = simdp_id_of_text(rng, PG_GETARG_TEXT_PP(4));
    PG_RETURN_FLOAT8(release_one(GAUSSIAN_OF_ARGUMENTS, rng, PG_GETARG_FLOAT8(0), &id));
}

/* ---- randomized response --------------------------------------------------------------------------------------- */

static bool response(simdp_rng *rng, bool bit, double epsilon, const simdp_id *id)
{
    const uint8_t in = bit;
    uint8_t out = 0;
    simdp_check(id == NULL ? simdp_release_randomized_response(rng, &out, &in, 1, epsilon)
                           : simdp_release_randomized_response_by_id(rng, &out, &in, id, 1, epsilon),
                RESPONSE_RANGES);
    return out != 0;
}

SQL_FUNCTION(dp_randomized_response)
{
    PG_RETURN_BOOL(response(simdp_entropy(), PG_GETARG_BOOL(0), PG_GETARG_FLOAT8(1), NULL));
}

SQL_FUNCTION(dp_randomized_response_bigint)
{
    const simdp_id id = simdp_id_of_bigint(PG_GETARG_INT64(2));
    PG_RETURN_BOOL(response(simdp_keyed(PG_GETARG_BYTEA_PP(3)), PG_GETARG_BOOL(0), PG_GETARG_FLOAT8(1), &id));
}

SQL_FUNCTION(dp_randomized_response_text)
{
    simdp_rng *rng = simdp_keyed(PG_GETARG_BYTEA_PP(3));
    const simdp_id id = simdp_id_of_text(rng, PG_GETARG_TEXT_PP(2));
    PG_RETURN_BOOL(response(rng, PG_GETARG_BOOL(0), PG_GETARG_FLOAT8(1), &id));
}

/* ---- groups that may be shown ---------------------------------------------------------------------------------- */

static bool keep_group(simdp_rng *rng, int64 count, double epsilon, double delta, int64 groups, const simdp_id *id)
{
    const int64_t people = count;
    const uint64_t most = groups < 1 ? 0 : (uint64_t)groups; /* 0 is refused */
    uint8_t keep = 0;
    simdp_check(id == NULL ? simdp_select_partitions(rng, &keep, &people, 1, epsilon, delta, most)
                           : simdp_select_partitions_by_id(rng, &keep, &people, id, 1, epsilon, delta, most),
                GROUP_RANGES);
    return keep != 0;
}

SQL_FUNCTION(dp_keep_group)
{
    PG_RETURN_BOOL(keep_group(simdp_entropy(), PG_GETARG_INT64(0), PG_GETARG_FLOAT8(1), PG_GETARG_FLOAT8(2),
                              PG_GETARG_INT64(3), NULL));
}

SQL_FUNCTION(dp_keep_group_bigint)
{
    const simdp_id id = simdp_id_of_bigint(PG_GETARG_INT64(3));
    PG_RETURN_BOOL(keep_group(simdp_keyed(PG_GETARG_BYTEA_PP(4)), PG_GETARG_INT64(0), PG_GETARG_FLOAT8(1),
                              PG_GETARG_FLOAT8(2), PG_GETARG_INT64(5), &id));
}

SQL_FUNCTION(dp_keep_group_text)
{
    simdp_rng *rng = simdp_keyed(PG_GETARG_BYTEA_PP(4));
    const simdp_id id = simdp_id_of_text(rng, PG_GETARG_TEXT_PP(3));
    PG_RETURN_BOOL(
        keep_group(rng, PG_GETARG_INT64(0), PG_GETARG_FLOAT8(1), PG_GETARG_FLOAT8(2), PG_GETARG_INT64(5), &id));
}

/* ---- parameters that are constants, checked when the statement is planned -------------------------------------- */

/* The first `count` parameters after the value, if the planner asks about a call that has constants there: then a bad one is
 * an error before any row is read, also of a table without rows. */
static bool constants(const Node *request, double *value, int count)
{
    const SupportRequestSimplify *call = (const SupportRequestSimplify *)request;
    if (!IsA(request, SupportRequestSimplify) || list_length(call->fcall->args) <= count) return false;
    for (int i = 0; i < count; i++) {
        const Node *node = list_nth(call->fcall->args, i + 1);
        if (!IsA(node, Const) || ((const Const *)node)->constisnull || ((const Const *)node)->consttype != FLOAT8OID)
            return false;
        value[i] = DatumGetFloat8(((const Const *)node)->constvalue);
    }
    return true;
}

SQL_FUNCTION(dp_support_laplace)
{
    double p[2];
    if (constants((const Node *)PG_GETARG_POINTER(0), p, 2)) (void)plan_laplace(p[0], p[1]);
    PG_RETURN_POINTER(NULL);
}

SQL_FUNCTION(dp_support_gaussian)
{
    double p[3];
    if (constants((const Node *)PG_GETARG_POINTER(0), p, 3)) (void)plan_gaussian(p[0], p[1], p[2]);
    PG_RETURN_POINTER(NULL);
}

SQL_FUNCTION(dp_support_response)
{
    double p[1];
    if (constants((const Node *)PG_GETARG_POINTER(0), p, 1) && !(p[0] >= 0.0 && p[0] <= DBL_MAX))
        simdp_check(SIMDP_EPARAM, RESPONSE_RANGES);
    PG_RETURN_POINTER(NULL);
}

SQL_FUNCTION(dp_support_group)
{
    double p[2], law, rest;
    const int64_t one = 1;
    if (constants((const Node *)PG_GETARG_POINTER(0), p, 2))
        simdp_check(simdp_select_partition_probability(&law, &rest, &one, 1, p[0], p[1], 1), GROUP_RANGES);
    PG_RETURN_POINTER(NULL);
}
