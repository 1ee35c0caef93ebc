/* rows.c: the functions that answer row by row: releases, responses, groups that may be shown. A chunk is cut into runs of
 * rows with the same parameters, in most queries one run, and each run is one call of the library. */
#include "extension.h"

#include <stdlib.h>
#include <string.h>

#define PARAMETERS_MOST 3

/* A parameter as it lies in its column: a double or a whole number. */
typedef union {
    double real;
    int64_t whole;
} parameter;

/* What one run asks for. ids is NULL without ids: rng is then a stream of entropy. */
typedef struct {
    simdp_rng *rng;
    thread_work *work;
    void *out;
    const void *in;
    const simdp_id *ids;
    size_t n;
    parameter parameters[PARAMETERS_MOST];
} run;

typedef struct {
    const char *name, *ranges;
    simdp_status (*release)(const run *r);
    duckdb_type in, out;
    size_t in_size, out_size;
    int parameters;
    duckdb_type types[PARAMETERS_MOST];
} row_law;

static simdp_status laplace(const run *r)
{
    double scale;
    const simdp_account_target target = {r->parameters[0].real, 0, r->parameters[1].real};
    const simdp_status status = thread_scale(r->work, &scale, SIMDP_MECHANISM_LAPLACE, target);
    if (status != SIMDP_OK) return status;
    const double grid = simdp_release_grid(scale);
    if (r->ids == NULL) return simdp_release_laplace(r->rng, r->out, r->in, r->n, scale, grid);
    return simdp_release_laplace_by_id(r->rng, r->out, r->in, r->ids, r->n, scale, grid);
}

static simdp_status gaussian(const run *r)
{
    double sigma;
    const simdp_account_target target = {r->parameters[0].real, r->parameters[1].real, r->parameters[2].real};
    const simdp_status status = thread_scale(r->work, &sigma, SIMDP_MECHANISM_GAUSSIAN, target);
    if (status != SIMDP_OK) return status;
    const double grid = simdp_release_grid(sigma);
    if (r->ids == NULL) return simdp_release_gaussian(r->rng, r->out, r->in, r->n, sigma, grid);
    return simdp_release_gaussian_by_id(r->rng, r->out, r->in, r->ids, r->n, sigma, grid);
}

static simdp_status randomized_response(const run *r)
{
    const double epsilon = r->parameters[0].real;
    if (r->ids == NULL) return simdp_release_randomized_response(r->rng, r->out, r->in, r->n, epsilon);
    return simdp_release_randomized_response_by_id(r->rng, r->out, r->in, r->ids, r->n, epsilon);
}

static simdp_status keep(const run *r, int64_t groups)
{
    const double epsilon = r->parameters[0].real, delta = r->parameters[1].real;
    if (groups < 1) return SIMDP_EPARAM;
    if (r->ids == NULL) return simdp_select_partitions(r->rng, r->out, r->in, r->n, epsilon, delta, (uint64_t)groups);
    return simdp_select_partitions_by_id(r->rng, r->out, r->in, r->ids, r->n, epsilon, delta, (uint64_t)groups);
}

static simdp_status keep_group(const run *r) { return keep(r, 1); }
static simdp_status keep_groups(const run *r) { return keep(r, r->parameters[2].whole); }

#define REAL    DUCKDB_TYPE_DOUBLE
#define NUMBERS DUCKDB_TYPE_DOUBLE, DUCKDB_TYPE_DOUBLE, 8, 8
#define TRUTHS  DUCKDB_TYPE_BOOLEAN, DUCKDB_TYPE_BOOLEAN, 1, 1
#define COUNTS  DUCKDB_TYPE_BIGINT, DUCKDB_TYPE_BOOLEAN, 8, 1
static const row_law laws[] = {
    {"dp_laplace", "0 < epsilon < inf, 0 <= sensitivity < inf", laplace, NUMBERS, 2, {REAL, REAL}},
    {"dp_gaussian",
     "0 < epsilon < inf, 0 < delta < 1, 0 <= sensitivity < inf",
     gaussian,
     NUMBERS,
     3,
     {REAL, REAL, REAL}},
    {"dp_randomized_response", "0 <= epsilon < inf", randomized_response, TRUTHS, 1, {REAL}},
    {"dp_keep_group", "0 <= epsilon < inf, 2^-600 <= delta < 1", keep_group, COUNTS, 2, {REAL, REAL}},
    {"dp_keep_groups",
     "0 <= epsilon < inf, 2^-600 <= delta < 1, groups_per_person >= 1",
     keep_groups,
     COUNTS,
     3,
     {REAL, REAL, DUCKDB_TYPE_BIGINT}},
};
#define LAWS (sizeof laws / sizeof laws[0])

/* A registered function: a law, with ids of one type or without. Counts may be HUGEINT, too, as DuckDB's sums of whole
 * numbers are. */
typedef struct {
    const row_law *law;
    database *db;
    bool with_id, is_huge;
    duckdb_type id_type;
} row_function;

/* The columns of a chunk: the value, the parameters, the id. */
typedef struct {
    const row_function *function;
    column value, parameters[PARAMETERS_MOST], id;
    duckdb_vector id_vector, out_vector;
    unsigned char *out;
    bool has_nulls;
} chunk_view;

static parameter parameter_at(column c, idx_t row)
{
    parameter p;
    memcpy(&p, (const char *)c.data + row * sizeof p, sizeof p);
    return p;
}

static bool is_same_parameter(column c, idx_t a, idx_t b)
{
    const bool is_valid = column_is_valid(c, a);
    if (is_valid != column_is_valid(c, b)) return false;
    return !is_valid || parameter_at(c, a).whole == parameter_at(c, b).whole;
}

/* Whether n > 0 words are equal: each but the last is compared with the next, by the C library's fastest comparison. DuckDB
 * hands over a constant as a column of copies, so this is asked of every parameter of every chunk. */
static bool is_one_value(const char *data, size_t n)
{
    return memcmp(data, data + sizeof(parameter), (n - 1) * sizeof(parameter)) == 0;
}

/* How many of n rows from first on have the parameters of the first of them. */
static size_t run_length(const chunk_view *view, idx_t first, size_t n)
{
    size_t length = n;
    for (int p = 0; p < view->function->law->parameters; p++) {
        const column c = view->parameters[p];
        const char *data = (const char *)c.data + first * sizeof(parameter);
        if (c.validity == NULL && is_one_value(data, length)) continue;
        size_t same = 1;
        while (same < length && is_same_parameter(c, first, first + same)) same++;
        length = same;
    }
    return length;
}

static bool is_parameter_null(const chunk_view *view, idx_t row)
{
    for (int p = 0; p < view->function->law->parameters; p++)
        if (!column_is_valid(view->parameters[p], row)) return true;
    return false;
}

static void set_nulls(const chunk_view *view, idx_t first, size_t n)
{
    const bool is_all = is_parameter_null(view, first);
    duckdb_vector_ensure_validity_writable(view->out_vector);
    uint64_t *validity = duckdb_vector_get_validity(view->out_vector);
    for (size_t i = 0; i < n; i++)
        if (is_all || !column_is_valid(view->value, first + i) || !column_is_valid(view->id, first + i))
            duckdb_validity_set_row_invalid(validity, first + i);
}

/* The nearest BIGINT: data never errs. */
static int64_t whole_of_huge(duckdb_hugeint huge)
{
    const bool fits = huge.upper == (huge.lower >> 63 != 0 ? -1 : 0);
    return fits ? (int64_t)huge.lower : huge.upper < 0 ? INT64_MIN : INT64_MAX;
}

/* The values of a run. What lies under a NULL is no value: it counts as 0, and its noise is thrown away. */
static const void *values_of_run(const chunk_view *view, thread_work *work, idx_t first, size_t n)
{
    if (view->function->is_huge) {
        const duckdb_hugeint *huge = (const duckdb_hugeint *)view->value.data + first;
        for (size_t i = 0; i < n; i++)
            work->values[i] = column_is_valid(view->value, first + i) ? (uint64_t)whole_of_huge(huge[i]) : 0;
        return work->values;
    }
    const size_t size = view->function->law->in_size;
    const char *data = (const char *)view->value.data + first * size;
    if (view->value.validity == NULL) return data;
    memcpy(work->values, data, n * size);
    for (size_t i = 0; i < n; i++)
        if (!column_is_valid(view->value, first + i)) memset((char *)work->values + i * size, 0, size);
    return work->values;
}

static simdp_status release_run(const chunk_view *view, thread_work *work, idx_t first, size_t n)
{
    const row_function *function = view->function;
    run r = {.work = work, .n = n, .out = view->out + first * function->law->out_size};
    if (is_parameter_null(view, first)) {
        memset(r.out, 0, n * function->law->out_size);
        return SIMDP_OK;
    }
    for (int p = 0; p < function->law->parameters; p++) r.parameters[p] = parameter_at(view->parameters[p], first);
    simdp_status status;
    if (function->with_id) {
        r.rng = &function->db->stream;
        r.ids = work->ids;
        status = ids_of_column(r.rng, work, view->id_vector, function->id_type, first, n);
    } else {
        status = thread_entropy(work, &r.rng);
    }
    if (status != SIMDP_OK) return status;
    r.in = values_of_run(view, work, first, n);
    return function->law->release(&r);
}

static simdp_status release_chunk(const chunk_view *view, size_t rows)
{
    thread_work *work = thread_work_get();
    if (work == NULL) return SIMDP_ENOMEMORY;
    for (size_t first = 0; first < rows;) {
        const size_t block = rows - first < BLOCK_ROWS ? rows - first : BLOCK_ROWS;
        const size_t n = run_length(view, first, block);
        const simdp_status status = release_run(view, work, first, n);
        if (status != SIMDP_OK) return status;
        if (view->has_nulls) set_nulls(view, first, n);
        first += n;
    }
    return SIMDP_OK;
}

static chunk_view view_of(const row_function *function, duckdb_data_chunk chunk, duckdb_vector out)
{
    const int parameters = function->law->parameters;
    chunk_view view = {.function = function, .out_vector = out, .out = duckdb_vector_get_data(out)};
    view.value = column_of(chunk, 0);
    view.has_nulls = view.value.validity != NULL;
    for (int p = 0; p < parameters; p++) {
        view.parameters[p] = column_of(chunk, (idx_t)p + 1);
        view.has_nulls |= view.parameters[p].validity != NULL;
    }
    if (function->with_id) {
        view.id_vector = duckdb_data_chunk_get_vector(chunk, (idx_t)parameters + 1);
        view.id = column_of(chunk, (idx_t)parameters + 1);
        view.has_nulls |= view.id.validity != NULL;
    }
    return view;
}

static void run_rows(duckdb_function_info info, duckdb_data_chunk chunk, duckdb_vector out)
{
    const row_function *function = duckdb_scalar_function_get_extra_info(info);
    const row_law *law = function->law;
    const size_t rows = duckdb_data_chunk_get_size(chunk);
    char message[MESSAGE_SIZE];
    simdp_status status = SIMDP_EPARAM;
    const bool is_entered = database_enter(function->db, function->with_id, law->name, message);
    if (is_entered) {
        const chunk_view view = view_of(function, chunk, out);
        status = release_chunk(&view, rows);
        database_leave(function->db);
        if (status == SIMDP_OK) return;
        status_message(message, law->name, status, law->ranges);
    }
    memset(duckdb_vector_get_data(out), 0, rows * law->out_size); /* no answer stays where a run before had been good */
    duckdb_scalar_function_set_error(info, message);
}

/* ---- registration ------------------------------------------------------------------------------------------------- */

static void row_function_destroy(void *memory)
{
    row_function *function = memory;
    database_release(function->db);
    free(function);
}

static void add_parameter(duckdb_scalar_function function, duckdb_type type)
{
    duckdb_logical_type logical = duckdb_create_logical_type(type);
    duckdb_scalar_function_add_parameter(function, logical);
    duckdb_destroy_logical_type(&logical);
}

/* Volatile: without ids each row has noise of its own, and with ids the answer depends on the key, which may change. */
static bool add_overload(duckdb_scalar_function_set set, const row_law *law, database *db, bool is_huge,
                         const duckdb_type *id_type)
{
    row_function *own = malloc(sizeof *own);
    if (own == NULL) return false;
    *own = (row_function){law, db, id_type != NULL, is_huge, id_type != NULL ? *id_type : DUCKDB_TYPE_INVALID};
    database_keep(db);
    duckdb_scalar_function function = duckdb_create_scalar_function();
    duckdb_logical_type out = duckdb_create_logical_type(law->out);
    duckdb_scalar_function_set_name(function, law->name);
    add_parameter(function, is_huge ? DUCKDB_TYPE_HUGEINT : law->in);
    for (int p = 0; p < law->parameters; p++) add_parameter(function, law->types[p]);
    if (id_type != NULL) add_parameter(function, *id_type);
    duckdb_scalar_function_set_return_type(function, out);
    duckdb_scalar_function_set_volatile(function);
    /* bad parameters are an error where the value is NULL, too */
    duckdb_scalar_function_set_special_handling(function);
    duckdb_scalar_function_set_extra_info(function, own, row_function_destroy);
    duckdb_scalar_function_set_function(function, run_rows);
    const bool is_good = duckdb_add_scalar_function_to_set(set, function) == DuckDBSuccess;
    duckdb_destroy_logical_type(&out);
    duckdb_destroy_scalar_function(&function);
    return is_good;
}

static bool add_overloads(duckdb_scalar_function_set set, const row_law *law, database *db, bool is_huge)
{
    bool is_good = add_overload(set, law, db, is_huge, NULL);
    for (int t = 0; t < ID_TYPES; t++) is_good = is_good && add_overload(set, law, db, is_huge, &id_types[t]);
    return is_good;
}

bool register_row_functions(duckdb_connection connection, database *db)
{
    bool is_good = true;
    for (size_t i = 0; i < LAWS; i++) {
        duckdb_scalar_function_set set = duckdb_create_scalar_function_set(laws[i].name);
        is_good = is_good && add_overloads(set, &laws[i], db, false);
        if (laws[i].in == DUCKDB_TYPE_BIGINT) is_good = is_good && add_overloads(set, &laws[i], db, true);
        is_good = is_good && duckdb_register_scalar_function_set(connection, set) == DuckDBSuccess;
        duckdb_destroy_scalar_function_set(&set);
    }
    return is_good;
}
