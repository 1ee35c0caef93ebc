/* golden_csv.h: reading a CSV file row by row. Whatever is wrong with it ends the program: file, line and reason on
 * standard error, exit 2. */
#ifndef SIMDP_GOLDEN_CSV_H
#define SIMDP_GOLDEN_CSV_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct {
    const char *path;
    FILE *file;
    char *buffer; /* the current row; cells point into it */
    size_t capacity;
    unsigned long line; /* of the current row, from 1 */
    char **cell;
    size_t cells, cells_capacity;
} csv_reader;

void csv_open(csv_reader *csv, const char *path);
bool csv_next(csv_reader *csv); /* false at the end of the file */
void csv_close(csv_reader *csv);

_Noreturn void csv_broken(const csv_reader *csv, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A number as text, also inf, -inf and nan; out of range is 0 or inf. Exit 2 if it is anything else. */
long double csv_number(const csv_reader *csv, const char *column, const char *text);
double csv_double(const csv_reader *csv, const char *column, const char *text); /* rounded once */
int64_t csv_whole(const csv_reader *csv, const char *column, const char *text);

/* The parts of a list separated by ';', in place; an empty text is an empty list. Returns their number; parts may be
 * NULL to count. */
size_t csv_split(char *text, char **parts);

#endif
