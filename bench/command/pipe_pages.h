/* pipe_pages.h: many bytes into a pipe without the kernel's copy of them, which on some machines is the slowest part:
 * the pipe gets the pages themselves. No page is ever filled again, so whoever reads the pipe may keep, or pass on, what it
 * got. */
#ifndef SIMDP_PIPE_PAGES_H
#define SIMDP_PIPE_PAGES_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    void *mapping;
    unsigned char *pages; /* NULL: none yet */
    size_t used, given;   /* bytes of the pages */
    long faults;          /* of the process, when the first page was begun */
    int dear;             /* how often pages cost more than they should */
    bool is_off;          /* no pipe, or pages are dear here */
} pipe_pages;

/* Where the next bytes will be, so that they can be made there: then put does not copy. NULL: no such place. */
void *pipe_pages_place(pipe_pages *to, size_t count);

/* How many of the bytes were taken; 0: hand over what is there before, or they are off. */
size_t pipe_pages_put(pipe_pages *to, const void *bytes, size_t count);

/* Hands over what is there. What the pipe does not take is left to be written: how many bytes, and where they are. */
size_t pipe_pages_give(pipe_pages *to, int fd, const unsigned char **left);

/* After nothing is left: makes place for more. */
void pipe_pages_next(pipe_pages *to);
void pipe_pages_end(pipe_pages *to);

#endif
