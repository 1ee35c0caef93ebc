/* input.h: bytes of a file or of standard input, for readers of any format. What cannot be read, or is broken, ends the
 * program with a message that names file, line and reason, and exit 2. */
#ifndef SIMDP_INPUT_H
#define SIMDP_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    int fd;
    const char *name;          /* for messages */
    size_t line;               /* of the next byte, from 1; counted by input_next alone */
    const unsigned char *next; /* what was read ahead: next .. end - 1 */
    const unsigned char *end;
} input;

/* One input is open at a time: they share their buffer. NULL, or "-": standard input. */
void input_open(input *in, const char *file);
void input_close(input *in);

/* The next byte of text, or -1 at the end. A NUL byte is an error: C would take it for the end of a string, and a
 * number cut there for a whole one. */
int input_next(input *in);

/* Up to so many bytes, as they are; fewer only at the end. */
size_t input_bytes(input *in, void *to, size_t most);

/* Bytes from here to the end of a regular file; UINT64_MAX if that is unknown. */
uint64_t input_left(const input *in);

/* The next line, without its end; false after the last one. A longer one than fits is an error. *number is its line. */
bool input_line(input *in, char *line, size_t room, size_t *number);

/* Exit 2 with "NAME, line N: ...", or with "NAME: ..." for line 0. */
_Noreturn void input_error(const input *in, size_t line, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
