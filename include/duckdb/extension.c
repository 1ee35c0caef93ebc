/* extension.c: the entry point, which LOAD calls once for each database. */
#define DUCKDB_EXTENSION_NAME simdp
#include "extension.h"

#include <stdio.h>
#include <stdlib.h>

column column_of(duckdb_data_chunk chunk, idx_t index)
{
    const duckdb_vector vector = duckdb_data_chunk_get_vector(chunk, index);
    return (column){duckdb_vector_get_data(vector), duckdb_vector_get_validity(vector)};
}

bool column_is_valid(column c, idx_t row)
{
    return c.validity == NULL || (c.validity[row / 64] >> (row % 64) & 1) != 0;
}

void status_message(char message[MESSAGE_SIZE], const char *name, simdp_status status, const char *ranges)
{
    const bool is_range = status == SIMDP_EPARAM;
    (void)snprintf(message, MESSAGE_SIZE, "%s: %s%s%s%s", name, simdp_status_text(status), is_range ? " (" : "",
                   is_range ? ranges : "", is_range ? ")" : "");
}

DUCKDB_EXTENSION_ENTRYPOINT(duckdb_connection connection, duckdb_extension_info info,
                            struct duckdb_extension_access *access)
{
    char message[MESSAGE_SIZE];
    database *db = database_open();
    if (db == NULL) return access->set_error(info, simdp_status_text(SIMDP_ENOMEMORY)), false;
    const char *key_file = getenv("SIMDP_KEY_FILE");
    bool is_good = key_file == NULL || database_set_key_file(db, key_file, message);
    if (!is_good) {
        access->set_error(info, message);
    } else {
        is_good = register_key_functions(connection, db) && register_row_functions(connection, db) &&
                  register_choose(connection, db) && register_sgd_epsilon(connection);
        if (!is_good) access->set_error(info, "simdp: a function of this name is there already");
    }
    database_release(db);
    return is_good;
}
