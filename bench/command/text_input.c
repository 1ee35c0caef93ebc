#include "text_input.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "options.h"

void text_error(const text_input *in, size_t line, const char *format, ...)
{
    char reason[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    usage_error("%s, line %zu: %s", in->name, line, reason);
}

int text_next(text_input *in)
{
    const int c = getc(in->file);
    if (c == '\0') text_error(in, in->line, "a NUL byte, which is not text");
    if (c == EOF && ferror(in->file)) usage_error("%s: cannot be read: %s", in->name, strerror(errno));
    in->line += c == '\n';
    return c;
}

bool text_line(text_input *in, char *line, size_t room, size_t *number)
{
    size_t length = 0;
    *number = in->line;
    int c = text_next(in);
    if (c == EOF) return false;
    for (; c != EOF && c != '\n'; c = text_next(in)) {
        if (length + 1 == room) text_error(in, *number, "longer than %zu characters", room - 1);
        line[length++] = (char)c;
    }
    line[length] = '\0';
    return true;
}
