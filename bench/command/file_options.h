/* file_options.h: the options that say where numbers come from and go to, the same for every command that has them. */
#ifndef SIMDP_FILE_OPTIONS_H
#define SIMDP_FILE_OPTIONS_H

#include "formats.h"
#include "options.h"

/* Those of results, and those of inputs behind them, in these orders. */
enum { FILE_OUTPUT, FILE_FORMAT, FILE_JSON, FILE_FORCE, FILE_OUTPUT_COUNT };
#define OUTPUT_OPTION_NAMES                                                          \
    {.name = "--output"}, {.name = "--format"}, {.name = "--json", .is_flag = true}, \
    {                                                                                \
        .name = "--force", .is_flag = true                                           \
    }
enum { FILE_INPUT, FILE_INPUT_FORMAT, FILE_COLUMN, FILE_ID_COLUMN, FILE_INPUT_COUNT };
#define INPUT_OPTION_NAMES \
    {.name = "--input"}, {.name = "--input-format"}, {.name = "--column"}, { .name = "--id-column" }

/* first: --input */
void file_open_source(source *from, const option *first, element type);

/* first: --output; otherwise: the format if neither an option nor the name of a file nor a source says one. */
void file_open_sink(sink *to, const option *first, const format *otherwise);

#endif
