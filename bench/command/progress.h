/* progress.h: a bar on a terminal, for what takes longer than a moment. */
#ifndef SIMDP_PROGRESS_H
#define SIMDP_PROGRESS_H

#include <stdbool.h>

typedef struct {
    const char *what; /* "composing" */
    double begin, last;
    bool shown;
} progress_bar;

progress_bar progress_begin(const char *what);

/* done from 0 to 1, which wipes the bar out. Nothing happens where standard error is no terminal. */
void progress_show(progress_bar *bar, double done);

#endif
