/* shim.h: Google Benchmark for C. A benchmark is a function that prepares, loops while sb_keep_running(), and says what
 * an iteration did:
 *
 *     static void bench_fill(sb_state *st, size_t n, const void *context)
 *     {
 *         while (sb_keep_running(st)) { fill(buffer, n); sb_escape(buffer); }
 *         sb_items(st, n);
 *     }
 *     sb_register("room/fill/scalar", 4096, 1, bench_fill, NULL);   the row room/fill/scalar/4096 */
#ifndef SIMDP_BENCH_SHIM_H
#define SIMDP_BENCH_SHIM_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    size_t left; /* iterations still to do without asking */
    void *inner; /* benchmark::State */
} sb_state;

typedef void sb_function(sb_state *st, size_t n, const void *context);

/* The row "<name>/<n>". With more than one thread, that many run the function side by side, and its rates add up. The
 * context must live until sb_run returns. */
void sb_register(const char *name, size_t n, int threads, sb_function *function, const void *context);

/* A line in the context of the results. Before sb_run. */
void sb_context(const char *key, const char *value);

/* Take arguments (--benchmark_*; see --help) and run, with a table. Returns an exit status: 0, or 2 after a message for an
 * unknown argument or a filter that matches nothing. */
int sb_run(int argc, char **argv);

/* Run single rows on demand, so that who asks decides about order, repetitions and the end. Says {"context", "rows"} on
 * stdout; then each line "<seconds> <row>" of stdin is one run of about that time, answered by one line of JSON: its
 * numbers, or {"skipped": "why"}. The first run of a row also looks for its number of iterations. Returns at the end of
 * stdin. */
int sb_serve(void);

/* ---- inside a benchmark function ---- */

/* False when it is time to stop. The first call starts the clock, the one that says false stops it. */
bool sb_more(sb_state *st);
static inline bool sb_keep_running(sb_state *st)
{
    /* inline and without a call: an iteration may take only a few nanoseconds */
    if (st->left == 0) return sb_more(st);
    st->left--;
    return true;
}

/* The compiler must believe that somebody reads what p points to. */
static inline void sb_escape(const void *p) { __asm__ volatile("" : : "r"(p) : "memory"); }

int sb_thread(const sb_state *st);                 /* which of the threads this is, from 0 */
void sb_items(sb_state *st, size_t per_iteration); /* after the loop */
void sb_bytes(sb_state *st, size_t per_iteration); /* after the loop */
void sb_counter(sb_state *st, const char *name, double value);
void sb_skip(sb_state *st, const char *message); /* the row has no result; return without looping */

#ifdef __cplusplus
}
#endif

#endif
