/* formats.h: series of elements in files: text, CSV, NumPy's npy, raw bytes, and JSON for results. A source reads one,
 * a sink writes one; each format has a file of its own, format_<name>.c, and its line in formats.c. */
#ifndef SIMDP_FORMATS_H
#define SIMDP_FORMATS_H

#include "element.h"
#include "id_set.h"
#include "input.h"
#include "output.h"
#include "simdp/simdp.h"

#define COUNT_UNKNOWN UINT64_MAX

typedef struct source source;
typedef struct sink sink;

typedef struct {
    const char *name;
    const char *endings[3];                                  /* of file names; ends with NULL */
    bool is_binary;                                          /* not for a terminal */
    bool needs_count;                                        /* its head says how many elements follow */
    bool is_checked_late;                                    /* only its end tells that an input was sound */
    void (*begin)(source *from);                             /* after the file was opened; may set count */
    size_t (*read)(source *from, void *values, size_t most); /* 0 at the end; NULL: not for inputs */
    void (*head)(sink *to);
    void (*write)(sink *to, const void *values, size_t n);
    void (*foot)(sink *to);
} format;

extern const format format_text, format_csv, format_npy, format_raw, format_json;

const format *format_named(const char *name);   /* a usage error if there is none */
const format *format_of_file(const char *file); /* by the ending of its name; NULL if that says nothing */

/* ---- reading ---- */

/* Records of a CSV file that belong to the elements read last. */
typedef struct {
    size_t begin, end;             /* of the record, its end of line included */
    size_t value_begin, value_end; /* of the field that is read, quotes included */
    size_t id_begin, id_end;       /* of the identity */
    size_t line;                   /* its first */
} csv_record;

typedef struct {
    char *text;
    size_t used, room;
    char *header; /* with its end of line */
    size_t header_length;
    size_t columns, value_column, id_column;
    csv_record *records;
    size_t count;
} csv_table;

typedef struct {
    char shape[512]; /* "(3, 4)" */
    bool fortran_order;
} npy_shape;

struct source {
    input in;
    const format *format;
    element type;
    const char *column, *id_column; /* of a CSV file */
    uint64_t count;                 /* elements in all, or COUNT_UNKNOWN */
    uint64_t done;
    csv_table csv;
    id_set ids;
    npy_shape npy;
};

enum { SOURCE_BATCH_MOST = 1 << 16 };

/* form: NULL for what the name of the file says, or text. column: NULL but for CSV files. */
void source_open(source *from, const char *file, const format *form, element type, const char *column,
                 const char *id_column);
size_t source_read(source *from, void *values, size_t most); /* most <= SOURCE_BATCH_MOST; 0 at the end */
void source_close(source *from);

/* Is there a column of identities? Then those of the elements read last, made of the text of their fields; each of `each`
 * elements that follow each other. One that comes twice, or changes among these, is a broken file. */
bool source_has_ids(const source *from);
void source_ids(source *from, const simdp_rng *rng, simdp_id *ids, size_t each);

/* ---- writing ---- */

typedef struct {
    const char *name; /* NULL ends a list */
    double value;
} sink_note;

struct sink {
    output out;
    const format *format;
    element type;
    uint64_t count; /* in all, or COUNT_UNKNOWN */
    uint64_t done;
    const source *from;     /* NULL, or what the elements were made of, batch by batch */
    const char *title;      /* for JSON: the command */
    const sink_note *notes; /* for JSON: its parameters */
};

/* form as above, but the default is the format of the source, or text. `forced`: raw bytes even to a terminal. */
void sink_open(sink *to, const char *file, const format *form, bool forced);
void sink_write(sink *to, const void *values, size_t n);
void sink_close(sink *to);

/* Record i of the last batch with another value in its field. */
void csv_put_record(output *out, const csv_table *csv, size_t i, const char *value, size_t length);

/* A number as JSON has it: what JSON has no number for is a string. */
void json_put_number(output *out, double x);

#endif
