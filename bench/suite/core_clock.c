/* core_clock.c: the clock of the core from a dependent chain. The time-stamp counter ticks at a fixed rate, and
 * performance counters are closed in most containers; but a 32-bit multiplication takes three cycles on the cores of
 * interest (one of 64 bits: up to five on some). A chain of additions would not do: some cores fold them at rename. */
#define _POSIX_C_SOURCE 200809L
#include "core_clock.h"

#include <stdint.h>
#include <time.h>

enum { ROUNDS = 3, STEPS = 5000, PER_STEP = 4, CYCLES_EACH = 3 };

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

double core_clock_ghz(void)
{
    double best = 0.0; /* an interruption can only make a round look slower */
    uint32_t x = 3;
    for (int round = 0; round < ROUNDS; round++) {
        const double start = now_ns();
        for (int i = 0; i < STEPS; i++)
            __asm__ volatile("imul %0, %0\n\timul %0, %0\n\timul %0, %0\n\timul %0, %0" : "+r"(x) : : "cc");
        const double ghz = STEPS * PER_STEP * CYCLES_EACH / (now_ns() - start);
        if (ghz > best) best = ghz;
    }
    return best;
}
