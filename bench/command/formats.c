/* formats.c: which formats there are, and what all of them share. */
#include "formats.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "options.h"

static const format *const formats[] = {&format_text, &format_csv, &format_npy, &format_raw, &format_json};
enum { FORMATS = sizeof formats / sizeof *formats };

const format *format_named(const char *name)
{
    for (size_t i = 0; i < FORMATS; i++) {
        if (strcmp(formats[i]->name, name) == 0) return formats[i];
    }
    usage_error("format '%s': text, csv, npy, raw or json", name);
}

const format *format_of_file(const char *file)
{
    const char *dot = file == NULL ? NULL : strrchr(file, '.');
    for (size_t i = 0; dot != NULL && i < FORMATS; i++) {
        for (const char *const *ending = formats[i]->endings; *ending != NULL; ending++) {
            if (strcmp(dot + 1, *ending) == 0) return formats[i];
        }
    }
    return NULL;
}

void source_open(source *from, const char *file, const format *form, element type, const char *column,
                 const char *id_column)
{
    memset(from, 0, sizeof *from);
    if (form == NULL && (column != NULL || id_column != NULL)) form = &format_csv;
    if (form == NULL) form = format_of_file(file);
    if (form == NULL) form = &format_text;
    if (form->read == NULL) usage_error("%s is a format for results only", form->name);
    if (form != &format_csv && (column != NULL || id_column != NULL))
        usage_error("only CSV files have columns, not %s", form->name);
    if (form == &format_csv && column == NULL) usage_error("a CSV file needs --column NAME");
    from->format = form;
    from->type = type;
    from->column = column;
    from->id_column = id_column;
    from->count = COUNT_UNKNOWN;
    input_open(&from->in, file);
    form->begin(from);
}

size_t source_read(source *from, void *values, size_t most)
{
    const size_t n = from->format->read(from, values, most);
    from->done += n;
    return n;
}

void source_close(source *from) { input_close(&from->in); }

void sink_open(sink *to, const char *file, const format *form, bool forced)
{
    const bool is_file = !output_is_standard(file);
    if (form == NULL) form = format_of_file(file);
    if (form == NULL) form = to->from != NULL ? to->from->format : &format_text;
    to->format = form;
    to->done = 0;
    if (form->is_binary && !forced && !is_file && isatty(STDOUT_FILENO))
        usage_error("%s numbers are not for a terminal: use a pipe, --format text, or --force", form->name);
    /* what a broken line, or an unknown number of elements, may still change is kept back */
    const bool is_open = form->needs_count && to->count == COUNT_UNKNOWN;
    output_open(&to->out, file, is_open || (to->from != NULL && to->from->format->is_checked_late));
    form->head(to);
}

void sink_write(sink *to, const void *values, size_t n)
{
    to->format->write(to, values, n);
    to->done += n;
}

void sink_close(sink *to)
{
    to->format->foot(to);
    output_end(&to->out);
}
