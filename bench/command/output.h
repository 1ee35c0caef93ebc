/* output.h: where results go: standard output, or a file that appears under its name when it is whole. */
#ifndef SIMDP_OUTPUT_H
#define SIMDP_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pipe_pages.h"

typedef struct {
    int fd;           /* of the target; of a file without a name until it is whole */
    int spool;        /* -1, or where results are kept back */
    const char *file; /* NULL: standard output */
    char *real;       /* what a link that was given names; or NULL */
    bool is_new;      /* the file has no name yet */
    bool keeps_back;
    char *working_name; /* of the new file, where a file system has none without a name */
    unsigned char *buffer;
    size_t used;
    pipe_pages pages; /* of a pipe that gets much at a time; what is in there comes before what is in the buffer */
} output;

bool output_is_standard(const char *file); /* NULL, "-" and /dev/stdout */

/* With keep_back nothing reaches the target before output_end, so that a failure
 * on the way leaves no partial result; what does not fit into a megabyte waits in a temporary file. */
void output_open(output *out, const char *file, bool keep_back);

/* A failure to write is exit 1 and a message, and the new file is gone; a closed pipe ends the program quietly. */
void output_put(output *out, const void *bytes, size_t count);
void output_text(output *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A place to make the next bytes in, which output_put then need not copy; or NULL. */
void *output_place(output *out, size_t count);

/* Can bytes at the start be written again before the end? */
bool output_can_rewrite(const output *out);
void output_rewrite(output *out, const void *bytes, size_t count); /* the first ones */

void output_end(output *out);

#endif
