/* text_input.h: reading text that people or programs wrote. What is not text, or cannot be read, ends the program with
 * a message that names file, line and reason, and exit 2. */
#ifndef SIMDP_TEXT_INPUT_H
#define SIMDP_TEXT_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct {
    FILE *file;
    const char *name; /* for messages */
    size_t line;      /* of the next character, from 1 */
} text_input;

/* The next character or EOF. A NUL byte is an error: C would take it for the end of a string, and a number cut there
 * for a whole one. */
int text_next(text_input *in);

/* The next line, without its end; false after the last one. A longer one than fits is an error. *number is its line. */
bool text_line(text_input *in, char *line, size_t room, size_t *number);

/* Exit 2 with "NAME, line N: ..." */
_Noreturn void text_error(const text_input *in, size_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
