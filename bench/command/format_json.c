/* format_json.c: results as one object: what ran, with which parameters, and its values. */
#include <math.h>
#include <stdio.h>

#include "formats.h"
#include "number_text.h"
#include "simdp/simdp.h"

void json_put_number(output *out, double x)
{
    char text[NUMBER_TEXT_BYTES];
    output_text(out, isfinite(x) ? "%s" : "\"%s\"", number_text(text, x));
}

static void head(sink *to)
{
    output_text(&to->out, "{\"simdp\": \"%s\", \"command\": \"%s\"", simdp_version(), to->title);
    for (const sink_note *note = to->notes; note != NULL && note->name != NULL; note++) {
        output_text(&to->out, ", \"%s\": ", note->name);
        json_put_number(&to->out, note->value);
    }
    output_text(&to->out, ", \"values\": [");
}

static void write_values(sink *to, const void *values, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const void *value = (const char *)values + i * element_bytes(to->type);
        char text[ELEMENT_TEXT_BYTES];
        if (to->done + i > 0) output_put(&to->out, ", ", 2);
        if (to->type == ELEMENT_F64) {
            json_put_number(&to->out, *(const double *)value);
            continue;
        }
        const size_t length = element_print(to->type, value, text);
        const bool is_number = to->type != ELEMENT_WORD && (to->type != ELEMENT_F32 || isfinite(*(const float *)value));
        if (!is_number) output_put(&to->out, "\"", 1);
        output_put(&to->out, text, length);
        if (!is_number) output_put(&to->out, "\"", 1);
    }
}

static void foot(sink *to) { output_text(&to->out, "]}\n"); }

const format format_json = {.name = "json", .endings = {"json"}, .head = head, .write = write_values, .foot = foot};
