/* ids.c: from a column of names to ids of rows. The id of a value is simdp_rng_id of its text, the one that SQL's cast to
 * VARCHAR gives, so that a number and its text, in this engine or another, name the same row; the id of a BLOB is that of
 * its bytes. */
#include "extension.h"

#include <string.h>

const duckdb_type id_types[ID_TYPES] = {DUCKDB_TYPE_BIGINT, DUCKDB_TYPE_HUGEINT, DUCKDB_TYPE_UUID, DUCKDB_TYPE_VARCHAR,
                                        DUCKDB_TYPE_BLOB};

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 unsigned_wide;

#define NUMBER_SIZE 40 /* a sign and 39 digits */
#define UUID_SIZE   36

/* The digits of a number, at the end of text; where they begin. */
static size_t text_of_number(char text[NUMBER_SIZE], wide number)
{
    size_t first = NUMBER_SIZE;
    const bool is_negative = number < 0;
    unsigned_wide rest = (unsigned_wide)number;
    if (is_negative) rest = 0 - rest;
    while (rest >> 64 != 0) {
        text[--first] = (char)('0' + (int)(rest % 10));
        rest /= 10;
    }
    uint64_t word = (uint64_t)rest;
    do {
        text[--first] = (char)('0' + (int)(word % 10));
        word /= 10;
    } while (word != 0);
    if (is_negative) text[--first] = '-';
    return first;
}

/* DuckDB keeps a UUID as a number with its first bit turned, so that it sorts as its text does. */
static void text_of_uuid(char text[UUID_SIZE], duckdb_hugeint uuid)
{
    static const char digits[] = "0123456789abcdef";
    const uint64_t halves[2] = {(uint64_t)uuid.upper ^ UINT64_C(1) << 63, uuid.lower};
    size_t at = 0;
    for (int i = 0; i < 32; i++) {
        if (i == 8 || i == 12 || i == 16 || i == 20) text[at++] = '-';
        text[at++] = digits[halves[i / 16] >> (60 - 4 * (i % 16)) & 15];
    }
}

/* Copies the text of an element, if it has no more than TEXT_MOST bytes; how many. */
static size_t put_text(char *to, const void *data, duckdb_type type, idx_t row)
{
    if (type == DUCKDB_TYPE_UUID) {
        text_of_uuid(to, ((const duckdb_hugeint *)data)[row]);
        return UUID_SIZE;
    }
    if (type == DUCKDB_TYPE_BIGINT || type == DUCKDB_TYPE_HUGEINT) {
        char text[NUMBER_SIZE];
        wide number;
        if (type == DUCKDB_TYPE_BIGINT) {
            number = ((const int64_t *)data)[row];
        } else {
            const duckdb_hugeint value = ((const duckdb_hugeint *)data)[row];
            const unsigned_wide upper = (uint64_t)value.upper;
            number = (wide)(upper << 64 | value.lower);
        }
        const size_t first = text_of_number(text, number);
        memcpy(to, text + first, NUMBER_SIZE - first);
        return NUMBER_SIZE - first;
    }
    duckdb_string_t text = ((const duckdb_string_t *)data)[row];
    const size_t length = duckdb_string_t_length(text);
    if (length > TEXT_MOST) return 0;
    memcpy(to, duckdb_string_t_data(&text), length);
    return length;
}

/* The ids of texts that are too long to be copied. */
static simdp_status ids_of_long_texts(const simdp_rng *rng, simdp_id *ids, column names, idx_t first, size_t n)
{
    simdp_status status = SIMDP_OK;
    for (size_t i = 0; i < n && status == SIMDP_OK; i++) {
        if (!column_is_valid(names, first + i)) continue;
        duckdb_string_t text = ((const duckdb_string_t *)names.data)[first + i];
        const size_t length = duckdb_string_t_length(text);
        if (length > TEXT_MOST) status = simdp_rng_id(rng, &ids[i], duckdb_string_t_data(&text), length);
    }
    return status;
}

simdp_status ids_of_column(const simdp_rng *rng, thread_work *work, duckdb_vector vector, duckdb_type type, idx_t first,
                           size_t n)
{
    const column names = {duckdb_vector_get_data(vector), duckdb_vector_get_validity(vector)};
    const bool is_text = type == DUCKDB_TYPE_VARCHAR || type == DUCKDB_TYPE_BLOB;
    size_t end = 0;
    for (size_t i = 0; i < n; i++) {
        work->starts[i] = end;
        if (column_is_valid(names, first + i)) end += put_text(work->texts + end, names.data, type, first + i);
    }
    work->starts[n] = end;
    const simdp_status status = simdp_rng_ids(rng, work->ids, work->texts, work->starts, n);
    return status == SIMDP_OK && is_text ? ids_of_long_texts(rng, work->ids, names, first, n) : status;
}
