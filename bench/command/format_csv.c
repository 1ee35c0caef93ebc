/* format_csv.c: a column of a table with commas between its fields and names in its first record. Fields may be quoted
 * (a quote inside is written twice, commas and line ends are part of the field); lines end with or without a carriage
 * return. What is not in the column passes through as it is. */
#include <stdlib.h>
#include <string.h>

#include "formats.h"
#include "options.h"

enum { RECORD_MOST = 1 << 20, COLUMNS_MOST = 1 << 16, VALUE_MOST = 256 };

static void put_byte(csv_table *csv, int c)
{
    if (csv->used == csv->room) {
        csv->room = csv->room == 0 ? 1 << 16 : 2 * csv->room;
        char *more = realloc(csv->text, csv->room);
        if (more == NULL) failure("no memory for a batch of records");
        csv->text = more;
    }
    csv->text[csv->used++] = (char)c;
}

/* The three bytes that some programs begin a file of UTF-8 with. */
static bool is_mark(const char *text) { return memcmp(text, "\xEF\xBB\xBF", 3) == 0; }

/* Called at the end of each field, from 0. */
typedef void field_function(source *from, csv_record *record, size_t field, size_t begin, size_t end, size_t line);

/* Appends the next record to the text; false at the end of the file. */
static bool read_record(source *from, csv_record *record, size_t *fields, field_function *at_field)
{
    csv_table *csv = &from->csv;
    const size_t line = from->in.line;
    enum { FIELD_START, PLAIN, QUOTED, AFTER_QUOTE, AFTER_RETURN } state = FIELD_START;
    size_t field_begin;
    int c = input_next(&from->in);
    if (c == -1) return false;
    *fields = 0;
    field_begin = record->begin = csv->used;
    record->line = line;
    for (;; c = input_next(&from->in)) {
        const bool ends_field = state != QUOTED && (c == ',' || c == '\n' || c == -1);
        if (state == QUOTED && c == -1) input_error(&from->in, line, "a quoted field has no end");
        if (csv->used - record->begin >= RECORD_MOST)
            input_error(&from->in, line, "a record of more than %d bytes", RECORD_MOST);
        if (ends_field) {
            size_t end = csv->used;
            if (c != ',' && end > field_begin && csv->text[end - 1] == '\r') end--;
            if (*fields == COLUMNS_MOST) input_error(&from->in, line, "more than %d columns", COLUMNS_MOST);
            at_field(from, record, (*fields)++, field_begin, end, line);
            if (c != -1) put_byte(csv, c);
            if (c != ',') break;
            field_begin = csv->used;
            state = FIELD_START;
            continue;
        }
        if (c == '"' && state != AFTER_RETURN) {
            if (state == PLAIN && !(line == 1 && csv->used == 3 && is_mark(csv->text))) /* quotes may follow the mark */
                input_error(&from->in, from->in.line, "a quote inside a field that does not begin with one");
            state = state == QUOTED ? AFTER_QUOTE : QUOTED;
        } else if (state == AFTER_QUOTE && c == '\r') {
            state = AFTER_RETURN;
        } else if (state == AFTER_QUOTE || state == AFTER_RETURN) {
            input_error(&from->in, from->in.line, "text after the closing quote of a field");
        } else if (state == FIELD_START) {
            state = PLAIN;
        }
        put_byte(csv, c);
    }
    record->end = csv->used;
    return true;
}

/* The text of a field without its quotes, cut where it does not fit; returns the whole length. */
static size_t unquote(const char *text, size_t length, char *to, size_t room)
{
    const bool is_quoted = length >= 2 && text[0] == '"';
    size_t used = 0;
    for (size_t i = is_quoted; i + is_quoted < length; i++) {
        if (used + 1 < room) to[used] = text[i];
        used++;
        i += is_quoted && text[i] == '"';
    }
    to[used + 1 < room ? used : room - 1] = '\0';
    return used;
}

/* ---- the header ---- */

#define NO_COLUMN SIZE_MAX

static void take_name(source *from, csv_record *record, size_t field, size_t begin, size_t end, size_t line)
{
    csv_table *csv = &from->csv;
    char name[VALUE_MOST];
    (void)record;
    if (csv->text == NULL) return; /* an empty file has no name */
    if (field == 0 && end - begin >= 3 && is_mark(csv->text + begin)) begin += 3;
    unquote(csv->text + begin, end - begin, name, sizeof name);
    const char *const wanted[2] = {from->column, from->id_column};
    size_t *const found[2] = {&csv->value_column, &csv->id_column};
    for (int i = 0; i < 2; i++) {
        if (wanted[i] == NULL || strcmp(wanted[i], name) != 0) continue;
        if (*found[i] != NO_COLUMN) input_error(&from->in, line, "two columns are called '%s'", name);
        *found[i] = field;
    }
}

static void begin(source *from)
{
    csv_table *csv = &from->csv;
    csv_record header;
    csv->value_column = csv->id_column = NO_COLUMN;
    if (strlen(from->column) + 1 >= VALUE_MOST) usage_error("--column: at most %d characters", VALUE_MOST - 2);
    if (from->id_column != NULL && strlen(from->id_column) + 1 >= VALUE_MOST)
        usage_error("--id-column: at most %d characters", VALUE_MOST - 2);
    if (!read_record(from, &header, &csv->columns, take_name))
        input_error(&from->in, 1, "no header with names of columns");
    if (csv->value_column == NO_COLUMN) input_error(&from->in, 1, "no column is called '%s'", from->column);
    if (from->id_column != NULL && csv->id_column == NO_COLUMN)
        input_error(&from->in, 1, "no column is called '%s'", from->id_column);
    csv->header = malloc(csv->used);
    csv->records = malloc(SOURCE_BATCH_MOST * sizeof *csv->records);
    if (csv->header == NULL || csv->records == NULL) failure("no memory for a batch of records");
    memcpy(csv->header, csv->text, csv->used);
    csv->header_length = csv->used;
}

/* ---- records ---- */

static void take_field(source *from, csv_record *record, size_t field, size_t begin, size_t end, size_t line)
{
    (void)line;
    if (field == from->csv.value_column) {
        record->value_begin = begin;
        record->value_end = end;
    }
    if (field == from->csv.id_column) {
        record->id_begin = begin;
        record->id_end = end;
    }
}

static bool is_blank(const char *text, size_t length)
{
    return length == 0 || text[0] == '\n' || (length == 2 && text[0] == '\r' && text[1] == '\n');
}

static size_t read_records(source *from, void *values, size_t most)
{
    csv_table *csv = &from->csv;
    csv->used = csv->count = 0;
    while (csv->count < most && csv->used < RECORD_MOST) {
        csv_record *record = &csv->records[csv->count];
        const size_t line = from->in.line;
        char value[VALUE_MOST];
        size_t fields;
        if (!read_record(from, record, &fields, take_field)) break;
        if (is_blank(csv->text + record->begin, record->end - record->begin)) input_error(&from->in, line, "is blank");
        if (fields != csv->columns)
            input_error(&from->in, line, "has %zu fields, and the header has %zu", fields, csv->columns);
        const size_t length =
            unquote(csv->text + record->value_begin, record->value_end - record->value_begin, value, sizeof value);
        const char *wrong = length + 1 > sizeof value ? "is too long for a number" : NULL;
        if (length == 0) input_error(&from->in, line, "column '%s' is empty", from->column);
        if (wrong == NULL)
            wrong = element_parse(from->type, value, (char *)values + csv->count * element_bytes(from->type));
        if (wrong != NULL) input_error(&from->in, line, "column '%s': '%.60s' %s", from->column, value, wrong);
        csv->count++;
    }
    return csv->count;
}

bool source_has_ids(const source *from) { return from->id_column != NULL; }

static bool has_id_of(const csv_table *csv, const csv_record *a, const csv_record *b)
{
    const size_t length = a->id_end - a->id_begin;
    return b->id_end - b->id_begin == length && memcmp(csv->text + a->id_begin, csv->text + b->id_begin, length) == 0;
}

void source_ids(source *from, const simdp_rng *rng, simdp_id *ids, size_t each)
{
    static char plain[RECORD_MOST + 1];
    const csv_table *csv = &from->csv;
    for (size_t i = 0; i < csv->count; i += each) {
        const csv_record *r = &csv->records[i];
        for (size_t more = 1; more < each && i + more < csv->count; more++) {
            if (!has_id_of(csv, r, r + more))
                input_error(&from->in, r[more].line, "another identity among the %zu candidates of a row", each);
        }
        const size_t length = unquote(csv->text + r->id_begin, r->id_end - r->id_begin, plain, sizeof plain);
        const simdp_status status = simdp_rng_id(rng, &ids[i / each], plain, length);
        if (status != SIMDP_OK) failure("%s", simdp_status_text(status));
        if (!id_set_add(&from->ids, ids[i / each]))
            input_error(&from->in, r->line, "'%.60s' was there before: the same noise would give differences away",
                        plain);
    }
}

/* ---- writing ---- */

static void head(sink *to)
{
    if (to->from != NULL && to->from->format == &format_csv)
        output_put(&to->out, to->from->csv.header, to->from->csv.header_length);
    else output_text(&to->out, "value\n");
}

void csv_put_record(output *out, const csv_table *csv, size_t i, const char *value, size_t length)
{
    const csv_record *record = &csv->records[i];
    output_put(out, csv->text + record->begin, record->value_begin - record->begin);
    output_put(out, value, length);
    output_put(out, csv->text + record->value_end, record->end - record->value_end);
}

static void write_records(sink *to, const void *values, size_t n)
{
    if (to->from == NULL || to->from->format != &format_csv) {
        format_text.write(to, values, n);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        char text[ELEMENT_TEXT_BYTES];
        const size_t length = element_print(to->type, (const char *)values + i * element_bytes(to->type), text);
        csv_put_record(&to->out, &to->from->csv, i, text, length);
    }
}

static void foot(sink *to) { (void)to; }

const format format_csv = {.name = "csv",
                           .endings = {"csv"},
                           .is_checked_late = true,
                           .begin = begin,
                           .read = read_records,
                           .head = head,
                           .write = write_records,
                           .foot = foot};
