#define _POSIX_C_SOURCE 200809L
#include "progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

progress_bar progress_begin(const char *what)
{
    const double time = now();
    return (progress_bar){.what = what, .begin = time, .last = time};
}

void progress_show(progress_bar *bar, double done)
{
    enum { WIDTH = 40 };
    char text[WIDTH + 1];
    const double time = now();
    if (!isatty(STDERR_FILENO) || (!bar->shown && (time - bar->begin < 0.3 || done == 1))) return;
    if (bar->shown && done < 1 && time - bar->last < 0.05) return;
    bar->shown = true;
    bar->last = time;
    for (int i = 0; i < WIDTH; i++) text[i] = i < done * (double)WIDTH ? '#' : '.';
    text[WIDTH] = '\0';
    fprintf(stderr, "\r[%s] %3.0f %%  %s\033[K%s", text, 100 * done, bar->what, done == 1 ? "\r\033[K" : "");
}
