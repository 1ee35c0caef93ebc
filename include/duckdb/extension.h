/* extension.h: what the files of the DuckDB extension share. DuckDB calls from many threads at once; chunks of rows come
 * as flat vectors, and a validity mask that is NULL says that no row is NULL. */
#ifndef SIMDP_DUCKDB_EXTENSION_H
#define SIMDP_DUCKDB_EXTENSION_H

/* The oldest stable interface has all that is used here: an extension of it runs in every later DuckDB. */
#define DUCKDB_EXTENSION_API_VERSION_MAJOR 1
#define DUCKDB_EXTENSION_API_VERSION_MINOR 2
#define DUCKDB_EXTENSION_API_VERSION_PATCH 0
#include <duckdb_extension.h>

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <simdp/simdp.h>

DUCKDB_EXTENSION_EXTERN

#define BLOCK_ROWS   2048 /* rows that are worked on at once; longer chunks are cut */
#define TEXT_MOST    64   /* bytes of a name that are copied beside others */
#define MESSAGE_SIZE 512

/* ---- key.c: a database has a key, or entropy ---------------------------------------------------------------------- */

/* One for each database that loaded the extension. Functions hold it under the reading lock while they use the stream. */
typedef struct {
    pthread_rwlock_t lock;
    bool has_key;
    simdp_rng stream;  /* deterministic, if has_key; noise by id leaves it as it is */
    simdp_id key_name; /* tells keys apart: the id that this key gives to no bytes */
    size_t references;
    pthread_mutex_t reference_lock;
} database;

database *database_open(void); /* with one reference; NULL without memory */
void database_keep(database *db);
void database_release(database *db);

/* Takes the key from a file of 64 hexadecimal digits or 32 bytes. On failure message says why, and the key is what it
 * was. */
bool database_set_key_file(database *db, const char *path, char message[MESSAGE_SIZE]);
void database_forget_key(database *db);

/* Locks the key for reading, if calls with (or without) an id are what is legal now; else says why not. */
bool database_enter(database *db, bool with_id, const char *name, char message[MESSAGE_SIZE]);
void database_leave(database *db);

/* ---- thread.c: what each thread has of its own -------------------------------------------------------------------- */

typedef struct {
    simdp_rng entropy;
    bool has_entropy;
    struct {
        simdp_mechanism mechanism;
        simdp_account_target target;
        double scale;
    } last; /* the last calibration: chunks of one query ask for the same */
    simdp_id ids[BLOCK_ROWS];
    uint64_t values[BLOCK_ROWS];
    uint64_t starts[BLOCK_ROWS + 1]; /* the names that ids are made of lie side by side */
    char texts[BLOCK_ROWS * TEXT_MOST];
} thread_work;

thread_work *thread_work_get(void); /* NULL without memory */
simdp_status thread_entropy(thread_work *work, simdp_rng **rng);

/* *scale = the noise that keeps the promise, as the releases called _private have it; SIMDP_EPARAM if there is none. */
simdp_status thread_scale(thread_work *work, double *scale, simdp_mechanism mechanism, simdp_account_target target);

/* ---- ids.c -------------------------------------------------------------------------------------------------------- */

#define ID_TYPES 5
extern const duckdb_type id_types[ID_TYPES];

/* work->ids[i] = the id of element first + i of a column, by the text of its value. Elements that are NULL get some id. */
simdp_status ids_of_column(const simdp_rng *rng, thread_work *work, duckdb_vector column, duckdb_type type, idx_t first,
                           size_t n);

/* ---- functions ---------------------------------------------------------------------------------------------------- */

/* A column, ready to be read. */
typedef struct {
    const void *data;
    uint64_t *validity;
} column;

column column_of(duckdb_data_chunk chunk, idx_t index);
bool column_is_valid(column c, idx_t row);

/* Text for the engine's error: the function, our status, what the function asks for. */
void status_message(char message[MESSAGE_SIZE], const char *name, simdp_status status, const char *ranges);

/* Each registers functions of one kind; false if DuckDB refused one. */
bool register_key_functions(duckdb_connection connection, database *db);
bool register_row_functions(duckdb_connection connection, database *db);
bool register_choose(duckdb_connection connection, database *db);
bool register_sgd_epsilon(duckdb_connection connection);

#endif
