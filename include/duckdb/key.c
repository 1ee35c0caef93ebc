/* key.c: the key of a database, and the functions that set and forget it. A key never stands in a query, since queries are
 * logged, listed and kept in histories: it comes from a file. */
#include "extension.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define KEY_BYTES  32
#define KEY_DIGITS (2 * KEY_BYTES)

database *database_open(void)
{
    database *db = calloc(1, sizeof *db);
    if (db == NULL) return NULL;
    if (pthread_rwlock_init(&db->lock, NULL) != 0 || pthread_mutex_init(&db->reference_lock, NULL) != 0) {
        free(db);
        return NULL;
    }
    db->references = 1;
    return db;
}

void database_keep(database *db)
{
    pthread_mutex_lock(&db->reference_lock);
    db->references++;
    pthread_mutex_unlock(&db->reference_lock);
}

void database_release(database *db)
{
    pthread_mutex_lock(&db->reference_lock);
    const size_t left = --db->references;
    pthread_mutex_unlock(&db->reference_lock);
    if (left != 0) return;
    simdp_rng_wipe(&db->stream);
    pthread_rwlock_destroy(&db->lock);
    pthread_mutex_destroy(&db->reference_lock);
    free(db);
}

/* A compiler may drop stores to memory that nobody reads again; not these. */
static void wipe(void *memory, size_t n)
{
    volatile unsigned char *byte = memory;
    while (n-- > 0) *byte++ = 0;
}

static int digit_value(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

/* 32 bytes, or 64 digits with or without a line end. */
static bool key_of_text(uint8_t key[KEY_BYTES], const char *text, size_t length)
{
    if (length == KEY_BYTES) {
        memcpy(key, text, KEY_BYTES);
        return true;
    }
    if (length > 0 && text[length - 1] == '\n') length--;
    if (length > 0 && text[length - 1] == '\r') length--;
    if (length != KEY_DIGITS) return false;
    for (size_t i = 0; i < KEY_BYTES; i++) {
        const int high = digit_value(text[2 * i]), low = digit_value(text[2 * i + 1]);
        if (high < 0 || low < 0) return false;
        key[i] = (uint8_t)(16 * high + low);
    }
    return true;
}

static bool read_key(uint8_t key[KEY_BYTES], const char *path, char message[MESSAGE_SIZE])
{
    char text[KEY_DIGITS + 3];
    struct stat about;
    const char *fault = NULL;
    const int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); /* a pipe does not make anybody wait */
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "rb");
    if (file == NULL) {
        (void)snprintf(message, MESSAGE_SIZE, "simdp key file %s: %s", path, strerror(errno));
        if (descriptor >= 0) close(descriptor);
        return false;
    }
    setvbuf(file, NULL, _IONBF, 0); /* no copy of the key is left behind */
    if (fstat(fileno(file), &about) != 0 || !S_ISREG(about.st_mode)) {
        fault = "is no file";
    } else if ((about.st_mode & (S_IRGRP | S_IROTH)) != 0) {
        fault = "other users can read this key (chmod 600)";
    } else {
        const size_t length = fread(text, 1, sizeof text, file);
        if (ferror(file) || !key_of_text(key, text, length)) fault = "needs 64 hexadecimal digits, or 32 bytes";
        wipe(text, sizeof text);
    }
    fclose(file);
    if (fault != NULL) (void)snprintf(message, MESSAGE_SIZE, "simdp key file %s: %s", path, fault);
    return fault == NULL;
}

bool database_set_key_file(database *db, const char *path, char message[MESSAGE_SIZE])
{
    uint8_t key[KEY_BYTES];
    simdp_rng stream;
    if (!read_key(key, path, message)) return false;
    simdp_id name;
    simdp_status status = simdp_rng_init_deterministic(&stream, key, 0);
    wipe(key, sizeof key);
    if (status == SIMDP_OK) status = simdp_rng_id(&stream, &name, "", 0);
    if (status == SIMDP_OK) {
        pthread_rwlock_wrlock(&db->lock);
        db->stream = stream;
        db->key_name = name;
        db->has_key = true;
        pthread_rwlock_unlock(&db->lock);
    } else {
        status_message(message, "simdp_set_key_file", status, "");
    }
    simdp_rng_wipe(&stream);
    return status == SIMDP_OK;
}

void database_forget_key(database *db)
{
    pthread_rwlock_wrlock(&db->lock);
    simdp_rng_wipe(&db->stream);
    db->has_key = false;
    pthread_rwlock_unlock(&db->lock);
}

bool database_enter(database *db, bool with_id, const char *name, char message[MESSAGE_SIZE])
{
    pthread_rwlock_rdlock(&db->lock);
    if (db->has_key == with_id) return true;
    pthread_rwlock_unlock(&db->lock);
    (void)snprintf(message, MESSAGE_SIZE, "%s: %s", name,
                   with_id ? "noise by id needs a key (simdp_set_key_file); without one, leave the id out"
                           : "this database has a key, so an id is needed (or simdp_forget_key() for entropy)");
    return false;
}

void database_leave(database *db) { pthread_rwlock_unlock(&db->lock); }

/* ---- the functions ------------------------------------------------------------------------------------------------- */

static void set_key_file(duckdb_function_info info, duckdb_data_chunk chunk, duckdb_vector out)
{
    const column paths = column_of(chunk, 0);
    bool *done = duckdb_vector_get_data(out);
    for (idx_t row = 0; row < duckdb_data_chunk_get_size(chunk); row++) {
        char message[MESSAGE_SIZE], path[4096];
        done[row] = false;
        if (!column_is_valid(paths, row)) {
            duckdb_vector_ensure_validity_writable(out);
            duckdb_validity_set_row_invalid(duckdb_vector_get_validity(out), row);
            continue;
        }
        duckdb_string_t text = ((const duckdb_string_t *)paths.data)[row];
        const size_t length = duckdb_string_t_length(text);
        const char *bytes = duckdb_string_t_data(&text);
        if (length >= sizeof path || memchr(bytes, 0, length) != NULL) {
            duckdb_scalar_function_set_error(info, "simdp_set_key_file: this is no path");
            return;
        }
        memcpy(path, bytes, length);
        path[length] = 0;
        if (!database_set_key_file(duckdb_scalar_function_get_extra_info(info), path, message)) {
            duckdb_scalar_function_set_error(info, message);
            return;
        }
        done[row] = true;
    }
}

static void forget_key(duckdb_function_info info, duckdb_data_chunk chunk, duckdb_vector out)
{
    bool *done = duckdb_vector_get_data(out);
    database_forget_key(duckdb_scalar_function_get_extra_info(info));
    for (idx_t row = 0; row < duckdb_data_chunk_get_size(chunk); row++) done[row] = true;
}

static void release_reference(void *db) { database_release(db); }

static bool register_one(duckdb_connection connection, database *db, const char *name, bool has_path,
                         duckdb_scalar_function_t run)
{
    duckdb_scalar_function function = duckdb_create_scalar_function();
    duckdb_logical_type text = duckdb_create_logical_type(DUCKDB_TYPE_VARCHAR);
    duckdb_logical_type truth = duckdb_create_logical_type(DUCKDB_TYPE_BOOLEAN);
    duckdb_scalar_function_set_name(function, name);
    if (has_path) duckdb_scalar_function_add_parameter(function, text);
    duckdb_scalar_function_set_return_type(function, truth);
    duckdb_scalar_function_set_volatile(function);
    duckdb_scalar_function_set_special_handling(function);
    database_keep(db);
    duckdb_scalar_function_set_extra_info(function, db, release_reference);
    duckdb_scalar_function_set_function(function, run);
    const bool is_good = duckdb_register_scalar_function(connection, function) == DuckDBSuccess;
    duckdb_destroy_logical_type(&text);
    duckdb_destroy_logical_type(&truth);
    duckdb_destroy_scalar_function(&function);
    return is_good;
}

bool register_key_functions(duckdb_connection connection, database *db)
{
    return register_one(connection, db, "simdp_set_key_file", true, set_key_file) &&
           register_one(connection, db, "simdp_forget_key", false, forget_key);
}
