#include "file_options.h"

void file_open_source(source *from, const option *first, element type)
{
    const char *name = first[FILE_INPUT_FORMAT].value;
    source_open(from, first[FILE_INPUT].value, name == NULL ? NULL : format_named(name), type, first[FILE_COLUMN].value,
                first[FILE_ID_COLUMN].value);
}

void file_open_sink(sink *to, const option *first, const format *otherwise)
{
    const char *name = first[FILE_FORMAT].value, *file = first[FILE_OUTPUT].value;
    const format *form = name == NULL ? NULL : format_named(name);
    if (first[FILE_JSON].value != NULL) {
        if (form != NULL && form != &format_json) usage_error("--json and --format %s exclude each other", name);
        form = &format_json;
    }
    if (form == NULL) form = format_of_file(file);
    if (form == NULL) form = otherwise;
    sink_open(to, file, form, first[FILE_FORCE].value != NULL);
}
