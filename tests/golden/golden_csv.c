#define _POSIX_C_SOURCE 200809L
#include "golden_csv.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

_Noreturn void csv_broken(const csv_reader *csv, const char *format, ...)
{
    va_list arguments;
    fflush(stdout);
    if (csv->line > 0) fprintf(stderr, "golden: %s:%lu: ", csv->path, csv->line);
    else fprintf(stderr, "golden: %s: ", csv->path);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(2);
}

void csv_open(csv_reader *csv, const char *path)
{
    *csv = (csv_reader){.path = path, .file = fopen(path, "r")};
    if (csv->file == NULL) csv_broken(csv, "%s", strerror(errno));
}

void csv_close(csv_reader *csv)
{
    fclose(csv->file);
    free(csv->buffer);
    free(csv->cell);
}

static void add_cell(csv_reader *csv, char *text)
{
    if (csv->cells == csv->cells_capacity) {
        csv->cells_capacity = 2 * csv->cells_capacity + 16;
        char **grown = realloc(csv->cell, csv->cells_capacity * sizeof *grown);
        if (grown == NULL) csv_broken(csv, "no memory");
        csv->cell = grown;
    }
    csv->cell[csv->cells++] = text;
}

/* Cuts the cell that begins at `at` off the row; returns where the next one begins, NULL after the last. */
static char *cut_cell(csv_reader *csv, char *at)
{
    if (*at != '"') {
        char *end = at + strcspn(at, ",");
        add_cell(csv, at);
        if (memchr(at, '"', (size_t)(end - at)) != NULL)
            csv_broken(csv, "a quotation mark inside a cell without quotation marks");
        if (*end == '\0') return NULL;
        *end = '\0';
        return end + 1;
    }
    char *to = ++at;
    add_cell(csv, at);
    while (*at != '\0') {
        if (*at == '"' && at[1] != '"') break;
        if (*at == '"') at++; /* a doubled one stands for itself */
        *to++ = *at++;
    }
    if (*at == '\0') csv_broken(csv, "a quotation mark is not closed");
    const char after = *++at;
    *to = '\0';
    if (after == '\0') return NULL;
    if (after != ',') csv_broken(csv, "text after a closing quotation mark");
    return at + 1;
}

bool csv_next(csv_reader *csv)
{
    errno = 0;
    const ssize_t read = getline(&csv->buffer, &csv->capacity, csv->file);
    if (read < 0) {
        if (ferror(csv->file) || errno == ENOMEM) csv_broken(csv, "%s", strerror(errno));
        return false;
    }
    csv->line++;
    size_t length = (size_t)read;
    if (memchr(csv->buffer, '\0', length) != NULL) csv_broken(csv, "a zero byte");
    if (csv->buffer[length - 1] != '\n') csv_broken(csv, "the last row does not end: the file is cut off");
    csv->buffer[--length] = '\0';
    if (length > 0 && csv->buffer[length - 1] == '\r') csv->buffer[--length] = '\0';
    csv->cells = 0;
    for (char *at = csv->buffer; at != NULL;) at = cut_cell(csv, at);
    return true;
}

long double csv_number(const csv_reader *csv, const char *column, const char *text)
{
    static const char begins[] = "+-.0123456789"; /* strtold alone would take blanks, hexadecimal and "infinity" */
    char *end;
    if (strcmp(text, "nan") == 0) return NAN;
    if (strcmp(text, "inf") == 0) return INFINITY;
    if (strcmp(text, "-inf") == 0) return -INFINITY;
    if (*text == '\0') csv_broken(csv, "column %s: a number is missing", column);
    const long double x = strtold(text, &end);
    if (strchr(begins, *text) == NULL || *end != '\0' || strpbrk(text, "xXnN") != NULL)
        csv_broken(csv, "column %s: '%s' is not a number", column, text);
    return x;
}

double csv_double(const csv_reader *csv, const char *column, const char *text)
{
    csv_number(csv, column, text);
    return strtod(text, NULL);
}

int64_t csv_whole(const csv_reader *csv, const char *column, const char *text)
{
    const long double x = csv_number(csv, column, text);
    if (!(fabsl(x) <= 0x1p62L) || x != floorl(x))
        csv_broken(csv, "column %s: '%s' is not a whole number", column, text);
    return (int64_t)x;
}

size_t csv_split(char *text, char **parts)
{
    size_t count = 0;
    if (*text == '\0') return 0;
    for (char *at = text; at != NULL; count++) {
        char *end = strchr(at, ';');
        if (parts != NULL) {
            parts[count] = at;
            if (end != NULL) *end = '\0';
        }
        at = end == NULL ? NULL : end + 1;
    }
    return count;
}
