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

static simdp_status id_of_number(const simdp_rng *rng, simdp_id *id, wide number)
{
    char text[NUMBER_SIZE];
    const size_t first = text_of_number(text, number);
    return simdp_rng_id(rng, id, text + first, NUMBER_SIZE - first);
}

static simdp_status id_of_element(const simdp_rng *rng, simdp_id *id, const void *data, duckdb_type type, idx_t row)
{
    if (type == DUCKDB_TYPE_BIGINT) return id_of_number(rng, id, ((const int64_t *)data)[row]);
    if (type == DUCKDB_TYPE_HUGEINT) {
        const duckdb_hugeint value = ((const duckdb_hugeint *)data)[row];
        const unsigned_wide upper = (uint64_t)value.upper;
        return id_of_number(rng, id, (wide)(upper << 64 | value.lower));
    }
    if (type == DUCKDB_TYPE_UUID) {
        char text[UUID_SIZE];
        text_of_uuid(text, ((const duckdb_hugeint *)data)[row]);
        return simdp_rng_id(rng, id, text, UUID_SIZE);
    }
    duckdb_string_t text = ((const duckdb_string_t *)data)[row];
    return simdp_rng_id(rng, id, duckdb_string_t_data(&text), duckdb_string_t_length(text));
}

simdp_status ids_of_column(const simdp_rng *rng, simdp_id *ids, duckdb_vector vector, duckdb_type type, idx_t first,
                           size_t n)
{
    const column names = {duckdb_vector_get_data(vector), duckdb_vector_get_validity(vector)};
    for (size_t i = 0; i < n; i++) {
        ids[i] = (simdp_id){0, 0};
        if (!column_is_valid(names, first + i)) continue;
        const simdp_status status = id_of_element(rng, &ids[i], names.data, type, first + i);
        if (status != SIMDP_OK) return status;
    }
    return SIMDP_OK;
}
