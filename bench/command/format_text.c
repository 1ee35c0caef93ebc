/* format_text.c: an element a line, and nothing else on it. */
#include "formats.h"

static void begin(source *from) { (void)from; }

static size_t read_lines(source *from, void *values, size_t most)
{
    char line[256];
    size_t n = 0, number;
    while (n < most && input_line(&from->in, line, sizeof line, &number)) {
        size_t blanks = 0;
        while (line[blanks] == ' ' || line[blanks] == '\t' || line[blanks] == '\r') blanks++;
        if (line[blanks] == '\0')
            input_error(&from->in, number, "is blank: each line has %s", element_name(from->type));
        const char *wrong = element_parse(from->type, line, (char *)values + n * element_bytes(from->type));
        if (wrong != NULL) input_error(&from->in, number, "'%.60s' %s, and a line has one", line, wrong);
        n++;
    }
    return n;
}

static void nothing(sink *to) { (void)to; }

static void write_lines(sink *to, const void *values, size_t n)
{
    char text[ELEMENT_TEXT_BYTES + 1];
    for (size_t i = 0; i < n; i++) {
        const size_t length = element_print(to->type, (const char *)values + i * element_bytes(to->type), text);
        text[length] = '\n';
        output_put(&to->out, text, length + 1);
    }
}

const format format_text = {.name = "text",
                            .endings = {"txt"},
                            .is_checked_late = true,
                            .begin = begin,
                            .read = read_lines,
                            .head = nothing,
                            .write = write_lines,
                            .foot = nothing};
