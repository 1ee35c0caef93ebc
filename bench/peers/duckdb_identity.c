/* duckdb_identity.c: a DuckDB extension for peers_duckdb.py with one function of three doubles, which copies the first. What
 * it takes is what the engine takes for a call of this shape: it writes constants out as columns before every call. */
#define DUCKDB_EXTENSION_API_VERSION_MAJOR 1
#define DUCKDB_EXTENSION_API_VERSION_MINOR 2
#define DUCKDB_EXTENSION_API_VERSION_PATCH 0
#define DUCKDB_EXTENSION_NAME              identity
#include <duckdb_extension.h>
#include <string.h>

DUCKDB_EXTENSION_EXTERN

static void copy_rows(duckdb_function_info info, duckdb_data_chunk chunk, duckdb_vector out)
{
    (void)info;
    memcpy(duckdb_vector_get_data(out), duckdb_vector_get_data(duckdb_data_chunk_get_vector(chunk, 0)),
           duckdb_data_chunk_get_size(chunk) * sizeof(double));
}

DUCKDB_EXTENSION_ENTRYPOINT(duckdb_connection connection, duckdb_extension_info info,
                            struct duckdb_extension_access *access)
{
    (void)info, (void)access;
    duckdb_scalar_function function = duckdb_create_scalar_function();
    duckdb_logical_type real = duckdb_create_logical_type(DUCKDB_TYPE_DOUBLE);
    duckdb_scalar_function_set_name(function, "identity_of_three");
    for (int i = 0; i < 3; i++) duckdb_scalar_function_add_parameter(function, real);
    duckdb_scalar_function_set_return_type(function, real);
    duckdb_scalar_function_set_volatile(function);
    duckdb_scalar_function_set_function(function, copy_rows);
    const bool is_good = duckdb_register_scalar_function(connection, function) == DuckDBSuccess;
    duckdb_destroy_logical_type(&real);
    duckdb_destroy_scalar_function(&function);
    return is_good;
}
