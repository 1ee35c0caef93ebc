/* golden: a folder of reference files (CSV) against the public API.
 *
 *   golden DIR         every *.csv of the folder: rows, worst relative error, PASS or FAIL; exit 1 on any FAIL, 2 on
 *                      a broken file
 *   golden --safe-side DIR   also: outputs that are bounds must not lie on the wrong side of the reference at all
 *
 * A file is named after its function. Its columns are the inputs, the outputs and, for each output, tol_<output>:
 * the row passes when |got - reference| <= tolerance, or both are the same special value; a reference beyond the
 * range of doubles also passes with 0 or inf. edge_cases.csv (function, args, expected, why) asks for the first
 * output, exactly. */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "golden.h"
#include "golden_csv.h"

const golden_function *const golden_groups[] = {
    golden_calibrate, golden_compose, golden_concentration, golden_curves, golden_distributions,
    golden_loss,      golden_pld,     golden_select,        golden_system, NULL,
};

static bool safe_side; /* asked for on the command line */

/* ---- columns ---- */

typedef struct {
    char name[64];
    char kind; /* of "n i t l w u d" */
    bool output;
    size_t at, tolerance_at; /* cells of a row */
} column;

typedef struct {
    const golden_function *function;
    column column[GOLDEN_COLUMNS_MAX]; /* inputs, then outputs */
    size_t inputs, outputs;
} layout;

static size_t read_names(column *to, const char *names, bool output)
{
    size_t count = 0;
    while (*names != '\0') {
        const size_t length = strcspn(names, " "), bare = strcspn(names, " :");
        to[count] = (column){.kind = bare == length ? 'n' : names[bare + 1], .output = output};
        memcpy(to[count].name, names, bare);
        count++;
        names += length + (names[length] == ' ');
    }
    return count;
}

static layout layout_of(const golden_function *f)
{
    layout l = {.function = f};
    l.inputs = read_names(l.column, f->inputs, false);
    l.outputs = read_names(l.column + l.inputs, f->outputs, true);
    return l;
}

static size_t find_cell(const csv_reader *csv, const char *prefix, const char *name)
{
    size_t found = csv->cells;
    const size_t length = strlen(prefix);
    for (size_t i = 0; i < csv->cells; i++) {
        if (strncmp(csv->cell[i], prefix, length) != 0 || strcmp(csv->cell[i] + length, name) != 0) continue;
        if (found != csv->cells) csv_broken(csv, "column %s%s appears twice", prefix, name);
        found = i;
    }
    if (found == csv->cells) csv_broken(csv, "column %s%s is missing", prefix, name);
    return found;
}

/* Reads the header; returns its number of cells. */
static size_t read_header(csv_reader *csv, layout *l)
{
    if (!csv_next(csv)) csv_broken(csv, "the file is empty");
    for (size_t i = 0; i < l->inputs + l->outputs; i++) {
        l->column[i].at = find_cell(csv, "", l->column[i].name);
        if (l->column[i].output) l->column[i].tolerance_at = find_cell(csv, "tol_", l->column[i].name);
    }
    if (csv->cells != l->inputs + 2 * l->outputs)
        csv_broken(csv, "%zu columns, %s has %zu", csv->cells, l->function->name, l->inputs + 2 * l->outputs);
    return csv->cells;
}

/* ---- one row ---- */

/* What a row takes, it gives back at its end. A list, so that a broken file may end the program anywhere. */
typedef struct taken {
    struct taken *next;
    max_align_t memory[];
} taken;

static taken *of_row;

static void *take(size_t count, size_t size)
{
    taken *t = calloc(1, sizeof *t + (count + 1) * size);
    if (t == NULL) fputs("golden: no memory\n", stderr), exit(2);
    t->next = of_row;
    of_row = t;
    return t->memory;
}

static void give_back(void)
{
    while (of_row != NULL) {
        taken *t = of_row;
        of_row = t->next;
        free(t);
    }
}

/* Numbers of a cell: one, or a list, whose length must be that of the row's other lists (SIZE_MAX: none seen yet).
 * `doubles`, if wanted, gets them as doubles, read as such: rounding the long double would round twice. */
static long double *read_numbers(csv_reader *csv, const column *c, size_t at, size_t *count, size_t *length,
                                 double **doubles)
{
    char *text = csv->cell[at];
    *count = 1;
    if (c->kind == 'l' || c->kind == 'w') {
        *count = csv_split(text, NULL);
        if (*length == SIZE_MAX) *length = *count;
        if (*count != *length)
            csv_broken(csv, "column %s: %zu elements, another list has %zu", c->name, *count, *length);
    }
    if (c->kind == 'w') return NULL;
    long double *numbers = take(*count, sizeof *numbers);
    char **parts = take(*count, sizeof *parts);
    if (c->kind == 'l') csv_split(text, parts);
    else parts[0] = text;
    for (size_t i = 0; i < *count; i++) numbers[i] = csv_number(csv, c->name, parts[i]);
    if (doubles != NULL) {
        *doubles = take(*count, sizeof **doubles);
        for (size_t i = 0; i < *count; i++) (*doubles)[i] = csv_double(csv, c->name, parts[i]);
    }
    return numbers;
}

static void read_input(csv_reader *csv, const column *c, golden_input *in, size_t *length)
{
    *in = (golden_input){.text = csv->cell[c->at], .count = 1};
    if (c->kind == 't') return;
    if (c->kind == 'i') in->whole = csv_whole(csv, c->name, in->text);
    double *list = NULL;
    read_numbers(csv, c, c->at, &in->count, length, &list);
    if (c->kind == 'w') {
        char **words = take(in->count, sizeof *words);
        csv_split(csv->cell[c->at], words);
        in->words = (const char *const *)words;
        return;
    }
    in->list = list;
    in->number = in->count > 0 ? list[0] : 0.0;
}

typedef struct {
    size_t rows, failed;
    long double worst_relative, worst_share; /* of the reference; of the tolerance */
} tally;

static bool agrees(tally *t, double got, long double want, long double tolerance)
{
    if (isnan(want)) return isnan(got);
    if (isinf(want)) return (long double)got == want;
    if (fabsl(want) > DBL_MAX && isinf(got)) return (got > 0) == (want > 0);
    const long double error = fabsl(got - want);
    if (want != 0 && fabsl(want) >= DBL_MIN && !(error / fabsl(want) <= t->worst_relative))
        t->worst_relative = error / fabsl(want);
    if (tolerance > 0 && !(error / tolerance <= t->worst_share)) t->worst_share = error / tolerance;
    return error <= tolerance;
}

/* A bound on its side of the reference, where that is in the range of normal doubles. */
static bool is_safe(char kind, double got, long double want)
{
    if (!(fabsl(want) >= DBL_MIN)) return true;
    return (kind != 'u' || got >= want) && (kind != 'd' || got <= want);
}

enum { SHOWN_FAILURES = 3 };

static void run_row(csv_reader *csv, const layout *l, tally *t)
{
    golden_input in[GOLDEN_COLUMNS_MAX];
    double *out[GOLDEN_COLUMNS_MAX];
    size_t length = SIZE_MAX;
    bool row_fails = false;
    for (size_t i = 0; i < l->inputs; i++) read_input(csv, &l->column[i], &in[i], &length);
    for (size_t j = 0; j < l->outputs; j++) {
        const size_t count = length == SIZE_MAX ? 1 : length + 1;
        out[j] = take(count, sizeof *out[j]);
        for (size_t i = 0; i < count; i++) out[j][i] = NAN;
    }
    const simdp_status status = l->function->run(out, in);
    for (size_t j = 0; j < l->outputs; j++) {
        const column *c = &l->column[l->inputs + j];
        size_t count;
        long double *want = read_numbers(csv, c, c->at, &count, &length, NULL);
        long double *tolerance = read_numbers(csv, c, c->tolerance_at, &count, &length, NULL);
        for (size_t i = 0; i < count; i++) {
            if (!(tolerance[i] >= 0)) csv_broken(csv, "column tol_%s: a tolerance is at least 0", c->name);
            const bool accepted = agrees(t, out[j][i], want[i], tolerance[i]) &&
                                  (status == SIMDP_OK || isnan(want[i])) &&
                                  (!safe_side || is_safe(c->kind, out[j][i], want[i]));
            if (!accepted && !row_fails && t->failed < SHOWN_FAILURES)
                printf("  line %lu, %s[%zu]: got %.17g, want %.20Lg, tolerance %.3Lg, status %d\n", csv->line, c->name,
                       i, out[j][i], want[i], tolerance[i], (int)status);
            row_fails |= !accepted;
        }
    }
    give_back();
    t->rows++;
    t->failed += row_fails;
}

/* ---- files ---- */

static const golden_function *function_named(const char *name)
{
    for (size_t g = 0; golden_groups[g] != NULL; g++) {
        for (const golden_function *f = golden_groups[g]; f->name != NULL; f++) {
            if (strcmp(f->name, name) == 0) return f;
        }
    }
    return NULL;
}

static void run_file(csv_reader *csv, const golden_function *f, tally *t)
{
    layout l = layout_of(f);
    const size_t cells = read_header(csv, &l);
    while (csv_next(csv)) {
        if (csv->cells != cells) csv_broken(csv, "%zu cells, the header has %zu", csv->cells, cells);
        run_row(csv, &l, t);
    }
}

static void run_edge_row(csv_reader *csv, const size_t at[3], tally *t)
{
    const char *name = csv->cell[at[0]];
    const double want = csv_double(csv, "expected", csv->cell[at[2]]);
    const golden_function *f = function_named(name);
    t->rows++;
    if (f == NULL) {
        if (t->failed++ < SHOWN_FAILURES) printf("  line %lu, %s: unknown function\n", csv->line, name);
        return;
    }
    const layout l = layout_of(f);
    char *args = csv->cell[at[1]], *parts[GOLDEN_COLUMNS_MAX];
    if (csv_split(args, NULL) != l.inputs)
        csv_broken(csv, "%s has %zu arguments, not %zu", name, l.inputs, csv_split(args, NULL));
    csv_split(args, parts);
    golden_input in[GOLDEN_COLUMNS_MAX];
    double numbers[GOLDEN_COLUMNS_MAX], results[GOLDEN_COLUMNS_MAX], *out[GOLDEN_COLUMNS_MAX];
    for (size_t i = 0; i < l.inputs; i++) {
        const char kind = l.column[i].kind;
        in[i] =
            (golden_input){.text = parts[i], .list = &numbers[i], .words = (const char *const *)&parts[i], .count = 1};
        if (kind == 't' || kind == 'w') continue;
        if (kind == 'i') in[i].whole = csv_whole(csv, l.column[i].name, parts[i]);
        in[i].number = numbers[i] = csv_double(csv, l.column[i].name, parts[i]);
    }
    for (size_t j = 0; j < l.outputs; j++) results[j] = NAN, out[j] = &results[j];
    const simdp_status status = f->run(out, in);
    const bool accepted = isnan(want) ? isnan(results[0]) : results[0] == want && status == SIMDP_OK;
    if (!accepted && t->failed++ < SHOWN_FAILURES)
        printf("  line %lu, %s: got %.17g, want exactly %.17g, status %d\n", csv->line, name, results[0], want,
               (int)status);
}

static void run_edges(csv_reader *csv, tally *t)
{
    if (!csv_next(csv)) csv_broken(csv, "the file is empty");
    const size_t cells = csv->cells;
    const size_t at[] = {find_cell(csv, "", "function"), find_cell(csv, "", "args"), find_cell(csv, "", "expected")};
    while (csv_next(csv)) {
        if (csv->cells != cells) csv_broken(csv, "%zu cells, the header has %zu", csv->cells, cells);
        run_edge_row(csv, at, t);
    }
}

/* Whether the file passes. */
static bool check_file(const char *folder, const char *file)
{
    char path[4096], name[256];
    tally t = {0};
    csv_reader csv;
    if (snprintf(path, sizeof path, "%s/%s", folder, file) >= (int)sizeof path) {
        fprintf(stderr, "golden: %s/%s: the name is too long\n", folder, file);
        exit(2);
    }
    snprintf(name, sizeof name, "%.*s", (int)(strlen(file) - strlen(".csv")), file);
    csv_open(&csv, path);
    const golden_function *f = function_named(name);
    const bool edges = strcmp(name, "edge_cases") == 0;
    if (edges) run_edges(&csv, &t);
    else if (f != NULL) run_file(&csv, f, &t);
    if ((edges || f != NULL) && t.rows == 0) csv_broken(&csv, "no rows after the header");
    csv_close(&csv);
    if (edges) printf("%-28s %5zu rows   exact%43s", name, t.rows, "");
    else if (f != NULL)
        printf("%-28s %5zu rows   worst relative error %8.2Le, %6.4Lf of tolerance ", name, t.rows, t.worst_relative,
               t.worst_share);
    else printf("%-28s %-61s", name, "unknown function");
    const bool passes = (edges || f != NULL) && t.failed == 0;
    if (passes) puts("PASS");
    else if (t.failed > 0) printf("FAIL (%zu rows)\n", t.failed);
    else puts("FAIL");
    return passes;
}

static int is_csv(const struct dirent *entry)
{
    const size_t length = strlen(entry->d_name);
    return length > 4 && strcmp(entry->d_name + length - 4, ".csv") == 0;
}

int main(int argc, char **argv)
{
    safe_side = argc == 3 && strcmp(argv[1], "--safe-side") == 0;
    const char *folder = argv[argc - 1];
    if (argc != 2 + safe_side || folder[0] == '-') {
        fputs("usage: golden [--safe-side] DIR\n", stderr);
        return 2;
    }
    struct dirent **files;
    const int count = scandir(folder, &files, is_csv, alphasort);
    if (count < 0) fprintf(stderr, "golden: %s: %s\n", folder, strerror(errno));
    if (count == 0) fprintf(stderr, "golden: %s: no *.csv files\n", folder);
    if (count <= 0) return 2;
    int failed = 0;
    for (int i = 0; i < count; i++) {
        failed += !check_file(folder, files[i]->d_name);
        free(files[i]);
    }
    free(files);
    printf("%d files, %d passed, %d failed\n", count, count - failed, failed);
    return failed > 0;
}
