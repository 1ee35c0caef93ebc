/* sgd.c: the table function dp_sgd_epsilon, one row: what a run of DP-SGD costs. It is computed when a query is bound, so
 * that a bad parameter is an error before anything runs. */
#include "extension.h"

#include <stdlib.h>

#define NAME "dp_sgd_epsilon"
#define RANGES \
    "noise from 1/64 to 1e6, rate from 0 to 1, steps from 0 to 2^40, delta from 1e-300 below 1, error from 1e-6 to 1"

enum { LOWER, UPPER, COLUMNS };

typedef struct {
    double epsilon[COLUMNS];
} bounds;

typedef struct {
    bool is_done;
} progress;

static void bind(duckdb_bind_info info)
{
    double parameters[4];
    int64_t steps = -1;
    double error = 1e-3;
    for (idx_t p = 0; p < 4; p++) {
        duckdb_value value = duckdb_bind_get_parameter(info, p);
        const bool is_null = duckdb_is_null_value(value);
        if (p == 2) steps = duckdb_get_int64(value);
        else parameters[p] = duckdb_get_double(value);
        duckdb_destroy_value(&value);
        if (is_null) return duckdb_bind_set_error(info, NAME ": a parameter is NULL");
    }
    duckdb_value named = duckdb_bind_get_named_parameter(info, "error");
    if (named != NULL) {
        error = duckdb_is_null_value(named) ? -1 : duckdb_get_double(named);
        duckdb_destroy_value(&named);
    }
    bounds *result = malloc(sizeof *result);
    const simdp_account_sgd_run run = {parameters[0], parameters[1], (uint64_t)steps};
    simdp_status status = result == NULL ? SIMDP_ENOMEMORY : steps < 0 ? SIMDP_EPARAM : SIMDP_OK;
    if (status == SIMDP_OK)
        status = simdp_account_sgd_epsilon(&result->epsilon[LOWER], &result->epsilon[UPPER], run, parameters[3], error,
                                           NULL, NULL);
    if (status != SIMDP_OK) {
        char message[MESSAGE_SIZE];
        free(result);
        status_message(message, NAME, status, RANGES);
        duckdb_bind_set_error(info, message);
        return;
    }
    duckdb_logical_type real = duckdb_create_logical_type(DUCKDB_TYPE_DOUBLE);
    duckdb_bind_add_result_column(info, "epsilon_lower", real);
    duckdb_bind_add_result_column(info, "epsilon_upper", real);
    duckdb_destroy_logical_type(&real);
    duckdb_bind_set_cardinality(info, 1, true);
    duckdb_bind_set_bind_data(info, result, free);
}

static void init(duckdb_init_info info)
{
    progress *p = calloc(1, sizeof *p);
    if (p == NULL) return duckdb_init_set_error(info, simdp_status_text(SIMDP_ENOMEMORY));
    duckdb_init_set_max_threads(info, 1);
    duckdb_init_set_init_data(info, p, free);
}

static void emit(duckdb_function_info info, duckdb_data_chunk out)
{
    const bounds *result = duckdb_function_get_bind_data(info);
    progress *p = duckdb_function_get_init_data(info);
    if (!p->is_done)
        for (idx_t c = 0; c < COLUMNS; c++)
            *(double *)duckdb_vector_get_data(duckdb_data_chunk_get_vector(out, c)) = result->epsilon[c];
    duckdb_data_chunk_set_size(out, p->is_done ? 0 : 1);
    p->is_done = true;
}

bool register_sgd_epsilon(duckdb_connection connection)
{
    duckdb_table_function function = duckdb_create_table_function();
    duckdb_logical_type real = duckdb_create_logical_type(DUCKDB_TYPE_DOUBLE);
    duckdb_logical_type whole = duckdb_create_logical_type(DUCKDB_TYPE_BIGINT);
    duckdb_table_function_set_name(function, NAME);
    for (int p = 0; p < 4; p++) duckdb_table_function_add_parameter(function, p == 2 ? whole : real);
    duckdb_table_function_add_named_parameter(function, "error", real);
    duckdb_table_function_set_bind(function, bind);
    duckdb_table_function_set_init(function, init);
    duckdb_table_function_set_function(function, emit);
    const bool is_good = duckdb_register_table_function(connection, function) == DuckDBSuccess;
    duckdb_destroy_logical_type(&real);
    duckdb_destroy_logical_type(&whole);
    duckdb_destroy_table_function(&function);
    return is_good;
}
