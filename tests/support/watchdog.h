/* watchdog.h: ends a test program that hangs, and says in which call. Counts processor time, so that a busy machine is
 * no alarm. The including file defines _XOPEN_SOURCE 700 first. */
#ifndef SIMDP_WATCHDOG_H
#define SIMDP_WATCHDOG_H

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

static char watchdog_text[512];

static inline void watchdog_bark(int signal_number)
{
    const char head[] = "watchdog: did not return: ", end[] = "\n";
    (void)signal_number;
    if (write(2, head, sizeof head - 1) < 0 || write(2, watchdog_text, strlen(watchdog_text)) < 0 ||
        write(2, end, 1) < 0)
        _exit(2);
    _exit(1);
}

static inline void watchdog_set(int seconds)
{
    signal(SIGPROF, watchdog_bark);
    setitimer(ITIMER_PROF, &(struct itimerval){.it_value = {.tv_sec = seconds}}, NULL);
}

/* The program ends with status 1 unless watchdog_stop comes within `seconds`; what runs is told by a format and its
 * values, as in printf. */
#define WATCHDOG_START(seconds, ...)                                \
    do {                                                            \
        snprintf(watchdog_text, sizeof watchdog_text, __VA_ARGS__); \
        watchdog_set(seconds);                                      \
    } while (0)

static inline void watchdog_stop(void) { watchdog_set(0); }

#endif
