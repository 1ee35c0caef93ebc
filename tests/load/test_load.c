/* test_load [SECONDS]: sixteen threads call every function of the library at once, while one forks, one cancels threads
 * and compositions, entropy fails, and signals arrive whose handler releases as well. At the end: nothing repeated (no
 * block of random words seen twice, in whatever thread or child), nothing lost (every call has the bytes of the same
 * call alone, every child has delivered), and no more memory than before. `sh tests/load/run` does it with the thread
 * sanitizer and without. */
#define _GNU_SOURCE
#define MUST_END() _exit(1) /* at once, whatever other threads do */
#include <dirent.h>
#include <errno.h>
#include <malloc.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "forms/forms_table.h"
#include "kernel_list/kernel_list.h"
#include "load/seen_blocks.h"
#include "support/must.h"
#include "support/test_support.h"

enum { WORKERS = 12, FORKERS = 2, CANCELLERS = 1, COMPOSERS = 1, THREADS = WORKERS + FORKERS + CANCELLERS + COMPOSERS };
enum { LINES = 200, ROWS = 200, ELEMENTS = 200, CANDIDATES = 20, BLOCKS = 64 };

/* ---- a system without entropy, for the thread that says so ---- */

static _Thread_local volatile bool no_entropy;

/* As in the C library, threads can be cancelled here. */
ssize_t getrandom(void *out, size_t n, unsigned flags)
{
    pthread_testcancel();
    if (no_entropy) {
        errno = ENOSYS;
        return -1;
    }
    return syscall(SYS_getrandom, out, n, flags);
}

/* ---- what is counted; a complaint ends the program ---- */

static atomic_ullong calls, forms, forks, cancellations, stopped, refused, handled, blocks;
static atomic_bool stopping;
static seen_blocks seen;

static void keep(const uint64_t *words, size_t n)
{
    for (size_t i = 0; i + 2 <= n; i += 2) {
        MUST(seen_blocks_add(&seen, words + i), "a block of 128 random bits came twice");
        atomic_fetch_add(&blocks, 1);
    }
}

/* Control: a second stream of one key repeats, which is seen even where few blocks are kept. */
static void check_repeats_are_seen(void)
{
    enum { MANY = 3 * SEEN_SLOTS };
    static const uint8_t key[32] = {3};
    seen_blocks table;
    size_t twice = 0;
    MUST(seen_blocks_open(&table), "memory");
    for (int copy = 0; copy < 2; copy++) {
        simdp_rng rng;
        uint64_t words[2 * BLOCKS];
        MUST(simdp_rng_init_deterministic(&rng, key, 0) == SIMDP_OK, "a fixed key");
        for (size_t done = 0; done < (copy == 0 ? MANY : 1000 * BLOCKS); done += BLOCKS) {
            MUST(simdp_rng_words(&rng, words, 2 * BLOCKS) == SIMDP_OK, "words");
            for (size_t i = 0; i < BLOCKS; i++) twice += !seen_blocks_add(&table, words + 2 * i);
            MUST(twice == 0 || copy == 1, "fresh blocks are taken for repeated ones");
        }
    }
    MUST(twice > 1000, "%zu of %d repeated blocks are seen", twice, 1000 * BLOCKS);
    seen_blocks_close(&table);
}

/* ---- every function: the bytes of a call alone ---- */

static double data[ELEMENTS * CANDIDATES], more[3][ELEMENTS];
static float data_f32[ELEMENTS * CANDIDATES];
static uint64_t indices[ELEMENTS];
static simdp_id ids[ELEMENTS];
static _Alignas(16) unsigned char workspace[1 << 14];

typedef struct {
    const kernel_line *f;
    size_t bytes;
    _Alignas(16) unsigned char out[8 * ELEMENTS + 64];
} line_alone;
static line_alone lines[LINES];
static size_t line_count;

typedef struct {
    const form_row *form;
    size_t bytes;
    double out[16];
} form_alone;
static form_alone rows[ROWS];
static size_t row_count;

static simdp_status run_line(const kernel_line *f, simdp_rng *rng, void *out)
{
    kernel_call call = {.rng = rng, .out = out, .candidates = CANDIDATES, .p = f->good, .ids = ids};
    call.n = f->winners > 0 ? f->winners : strstr(f->name, "top_k") != NULL ? CANDIDATES / 2 : ELEMENTS;
    for (int j = 0; j < 3; j++) call.more[j] = more[j];
    if (strstr(f->name, "selection") != NULL && f->more > 0) call.more[0] = data + CANDIDATES;
    switch (f->in) {
    case IN_NONE: break;
    case IN_F32: call.in = data_f32; break;
    case IN_INDEX: call.in = indices; break;
    case IN_WORKSPACE: call.in = workspace; break;
    default: call.in = data;
    }
    return f->run(&call);
}

static void open_fixed(simdp_rng *rng, uint64_t stream)
{
    static const uint8_t key[32] = {22, 5};
    MUST(simdp_rng_init_deterministic(rng, key, stream) == SIMDP_OK, "a fixed key");
}

static simdp_status run_form(const form_row *form, double *out)
{
    const double *a[FORM_ARGUMENTS_MAX];
    for (int j = 0; j < FORM_ARGUMENTS_MAX; j++) a[j] = &form->good[j];
    return form->call(out, 1, a);
}

static void make_alone(void)
{
    uint64_t random = 7;
    for (size_t i = 0; i < ELEMENTS * CANDIDATES; i++) {
        data[i] = (double)(int64_t)(test_random(&random) >> 40) * 0x1p-16;
        data_f32[i] = (float)data[i];
    }
    for (size_t i = 0; i < ELEMENTS; i++) {
        indices[i] = i % CANDIDATES;
        ids[i] = (simdp_id){i, 99};
        for (int j = 0; j < 3; j++) more[j][i] = 1 + (double)((i + (size_t)j) % 9);
    }
    MUST(simdp_select_workspace(CANDIDATES) <= sizeof workspace, "workspace");
    MUST(simdp_select_prepare(workspace, data, CANDIDATES, 2.0) == SIMDP_OK, "prepared scores");
    const kernel_line *f;
    for (size_t i = 0; (f = kernel_at(i)) != NULL; i++) {
        if (f->variant != NULL) continue;
        MUST(line_count < LINES, "more functions than room");
        line_alone *const l = &lines[line_count];
        simdp_rng rng;
        open_fixed(&rng, line_count++);
        *l = (line_alone){.f = f, .bytes = kernel_out_bytes(f, ELEMENTS)};
        MUST(l->bytes <= sizeof l->out, "%s writes %zu bytes", f->name, l->bytes);
        const simdp_status status = run_line(f, &rng, l->out);
        MUST(status == SIMDP_OK, "%s alone: %s", f->name, simdp_status_text(status));
    }
    static const form_row *const lists[] = {forms_of_loss, forms_of_account, forms_of_others};
    for (size_t list = 0; list < 3; list++)
        for (const form_row *form = lists[list]; form->name != NULL; form++) {
            if (strncmp(form->name, "pld_", 4) == 0) continue; /* its adapter has one distribution for all */
            MUST(row_count < ROWS && form->outputs <= 16, "more forms than room");
            form_alone *const r = &rows[row_count++];
            *r = (form_alone){.form = form, .bytes = form->outputs * sizeof(double)};
            MUST(run_form(form, r->out) == SIMDP_OK, "%s alone", form->name);
        }
}

static void check_line(size_t i)
{
    _Alignas(16) unsigned char out[sizeof lines[0].out];
    simdp_rng rng;
    open_fixed(&rng, i);
    memset(out, 0, sizeof out);
    MUST(run_line(lines[i].f, &rng, out) == SIMDP_OK, "%s", lines[i].f->name);
    MUST(memcmp(out, lines[i].out, lines[i].bytes) == 0, "%s: other bytes than alone", lines[i].f->name);
    atomic_fetch_add(&calls, 1);
}

static void check_form(size_t i)
{
    double out[16];
    MUST(run_form(rows[i].form, out) == SIMDP_OK, "%s", rows[i].form->name);
    MUST(memcmp(out, rows[i].out, rows[i].bytes) == 0, "%s: other bytes than alone", rows[i].form->name);
    atomic_fetch_add(&forms, 1);
}

/* ---- streams from the operating system ---- */

/* Words and noise between them, from a stream that may go through a change of key. */
static void draw_fresh(simdp_rng *rng, uint64_t *random)
{
    static const size_t jumps[] = {2, 100, SIMDP_RNG_ERASE_POSITIONS};
    uint64_t words[2 * BLOCKS];
    double out[ELEMENTS];
    MUST(simdp_rng_words(rng, words, 2 * BLOCKS) == SIMDP_OK, "words");
    keep(words, 2 * BLOCKS);
    for (size_t left = jumps[test_random(random) % 3]; left > 0;) {
        const size_t n = left < ELEMENTS ? left : ELEMENTS;
        MUST(simdp_release_laplace(rng, out, data, n, 1.0, 0x1p-22) == SIMDP_OK, "release");
        left -= n;
    }
}

static bool is_nan_everywhere(const double *x, size_t n)
{
    while (n > 0 && isnan(x[n - 1])) n--;
    return n == 0;
}

static void open_without_entropy(void)
{
    simdp_rng rng;
    double out[8];
    no_entropy = true;
    const simdp_status status = simdp_rng_init(&rng);
    no_entropy = false;
    MUST(status == SIMDP_EENTROPY, "a stream without entropy: %s", simdp_status_text(status));
    MUST(simdp_release_gaussian(&rng, out, data, 8, 1.0, 0x1p-22) == SIMDP_EPARAM, "a stream that was not opened");
    MUST(is_nan_everywhere(out, 8), "answers from a stream that was not opened");
    atomic_fetch_add(&refused, 1);
}

static void *work(void *seed)
{
    uint64_t random = (uint64_t)(uintptr_t)seed;
    simdp_rng kept;
    MUST(simdp_rng_init(&kept) == SIMDP_OK, "entropy");
    while (!atomic_load(&stopping)) {
        const uint64_t what = test_random(&random);
        switch (what % 8) {
        case 0: draw_fresh(&kept, &random); break;
        case 1: {
            simdp_rng fresh;
            MUST(simdp_rng_init(&fresh) == SIMDP_OK, "entropy");
            draw_fresh(&fresh, &random);
            simdp_rng_wipe(&fresh);
            break;
        }
        case 2: open_without_entropy(); break;
        case 3: check_form(what / 8 % row_count); break;
        default: check_line(what / 8 % line_count);
        }
    }
    return NULL;
}

/* ---- forks ---- */

enum { FROM_CHILD = 2 * BLOCKS };

/* In a child: words of the stream that the parent goes on with, and of a new one; sometimes there is no entropy, and
 * then no words. */
static int be_child(simdp_rng *inherited, int pipe_end, bool starved)
{
    uint64_t words[2 * FROM_CHILD];
    double out[8];
    simdp_rng own;
    no_entropy = starved;
    if (starved)
        return simdp_release_laplace(inherited, out, data, 8, 1.0, 0x1p-22) == SIMDP_EENTROPY &&
                       is_nan_everywhere(out, 8) && simdp_rng_init(&own) == SIMDP_EENTROPY
                   ? 0
                   : 1;
    if (simdp_rng_words(inherited, words, FROM_CHILD) != SIMDP_OK || simdp_rng_init(&own) != SIMDP_OK ||
        simdp_rng_words(&own, words + FROM_CHILD, FROM_CHILD) != SIMDP_OK)
        return 2;
    return write(pipe_end, words, sizeof words) == (ssize_t)sizeof words ? 0 : 3;
}

static void read_whole(int from, void *to, size_t n)
{
    for (size_t have = 0; have < n;) {
        const ssize_t got = read(from, (char *)to + have, n - have);
        if (got < 0 && errno == EINTR) continue;
        MUST(got > 0, "a child's words are lost");
        have += (size_t)got;
    }
}

static void *fork_always(void *seed)
{
    uint64_t random = (uint64_t)(uintptr_t)seed, words[2 * FROM_CHILD];
    simdp_rng rng;
    MUST(simdp_rng_init(&rng) == SIMDP_OK, "entropy");
    while (!atomic_load(&stopping)) {
        const bool starved = test_random(&random) % 4 == 0;
        int ends[2], status;
        MUST(pipe(ends) == 0, "pipe");
        const pid_t child = fork();
        MUST(child >= 0, "fork");
        if (child == 0) _exit(be_child(&rng, ends[1], starved));
        if (!starved) {
            read_whole(ends[0], words, sizeof words);
            keep(words, 2 * FROM_CHILD);
        }
        while (waitpid(child, &status, 0) < 0) MUST(errno == EINTR, "waitpid");
        MUST(status == 0, "a child ended with status %d", status);
        close(ends[0]);
        close(ends[1]);
        draw_fresh(&rng, &random);
        atomic_fetch_add(&forks, 1);
    }
    return NULL;
}

/* ---- cancellations ---- */

static void *be_cancelled(void *unused)
{
    (void)unused;
    for (;;) {
        simdp_rng rng;
        uint64_t words[2 * BLOCKS];
        MUST(simdp_rng_init(&rng) == SIMDP_OK, "entropy");
        MUST(simdp_rng_words(&rng, words, 2 * BLOCKS) == SIMDP_OK, "words");
        pthread_testcancel();
    }
}

static void pause_for(long nanoseconds) { nanosleep(&(struct timespec){.tv_nsec = nanoseconds}, NULL); }

static void *cancel_always(void *seed)
{
    uint64_t random = (uint64_t)(uintptr_t)seed;
    while (!atomic_load(&stopping)) {
        pthread_t victim;
        void *result;
        MUST(pthread_create(&victim, NULL, be_cancelled, NULL) == 0, "a thread");
        pause_for((long)(test_random(&random) % 300000));
        MUST(pthread_cancel(victim) == 0 && pthread_join(victim, &result) == 0, "a thread is lost");
        MUST(result == PTHREAD_CANCELED, "a thread that was cancelled has ended by itself");
        atomic_fetch_add(&cancellations, 1);
    }
    return NULL;
}

typedef struct {
    double at;
} stop_at;

static int stop_here(void *context, double done) { return done >= ((const stop_at *)context)->at; }

static void compose(double bounds[2], stop_at *stop)
{
    static const double one = 1;
    simdp_pld *pld;
    MUST(simdp_pld_create(&pld, 0x1p-6) == SIMDP_OK && simdp_pld_add_gaussian(pld, 3.0, 40) == SIMDP_OK &&
             simdp_pld_add_laplace(pld, 5.0, 20) == SIMDP_OK,
         "a distribution");
    if (stop != NULL && simdp_pld_compose(pld, 1e-9, 1, SIMDP_PLD_UP, SIMDP_PLD_DOWN, stop_here, stop) != SIMDP_OK)
        atomic_fetch_add(&stopped, 1);
    MUST(simdp_pld_compose(pld, 1e-9, 1, SIMDP_PLD_UP, SIMDP_PLD_DOWN, NULL, NULL) == SIMDP_OK, "a composition");
    MUST(simdp_pld_delta(pld, &bounds[0], &bounds[1], &one, 1) == SIMDP_OK, "its delta");
    simdp_pld_destroy(pld);
}

static double composed_alone[2];

static void *compose_always(void *seed)
{
    uint64_t random = (uint64_t)(uintptr_t)seed;
    while (!atomic_load(&stopping)) {
        double bounds[2];
        stop_at stop = {(double)(test_random(&random) % 1000) / 1000};
        compose(bounds, &stop);
        MUST(memcmp(bounds, composed_alone, sizeof bounds) == 0, "other bounds after a composition was stopped");
    }
    return NULL;
}

/* ---- signals ---- */

static double handler_alone[8];

static void release_in_handler(double out[8])
{
    static const uint8_t key[32] = {1};
    simdp_rng rng;
    if (simdp_rng_init_deterministic(&rng, key, 3) != SIMDP_OK ||
        simdp_release_gaussian(&rng, out, data, 8, 2.0, 0x1p-20) != SIMDP_OK)
        _exit(1);
}

static void on_signal(int number)
{
    const int before = errno;
    double out[8];
    (void)number;
    release_in_handler(out);
    if (memcmp(out, handler_alone, sizeof out) != 0) _exit(1);
    atomic_fetch_add(&handled, 1);
    errno = before;
}

/* ---- memory ---- */

static size_t heap_in_use(void) { return mallinfo2().uordblks + mallinfo2().hblkhd; }

static size_t resident_kib(void)
{
    size_t pages = 0, ignored;
    FILE *const f = fopen("/proc/self/statm", "r");
    MUST(f != NULL && fscanf(f, "%zu %zu", &ignored, &pages) == 2, "statm");
    fclose(f);
    return pages * ((size_t)sysconf(_SC_PAGESIZE) >> 10);
}

static size_t open_files(void)
{
    size_t count = 0;
    DIR *const folder = opendir("/proc/self/fd");
    MUST(folder != NULL, "open files");
    while (readdir(folder) != NULL) count++;
    closedir(folder);
    return count;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* All threads for so many seconds, signals to any of them. Returns what was resident after a quarter of the time. */
static size_t run_for(double seconds)
{
    static void *(*const kinds[])(void *) = {fork_always, fork_always, cancel_always, compose_always};
    pthread_t threads[THREADS];
    uint64_t random = 1;
    size_t resident = 0;
    const double start = now();
    atomic_store(&stopping, false);
    for (size_t i = 0; i < THREADS; i++)
        MUST(pthread_create(&threads[i], NULL, i < THREADS - WORKERS ? kinds[i] : work, (void *)(uintptr_t)(i + 1)) ==
                 0,
             "a thread");
    while (now() - start < seconds) {
        pthread_kill(threads[test_random(&random) % THREADS], SIGUSR1);
        pause_for(300000);
        if (resident == 0 && now() - start > seconds / 4) resident = resident_kib();
    }
    atomic_store(&stopping, true);
    for (size_t i = 0; i < THREADS; i++) MUST(pthread_join(threads[i], NULL) == 0, "a thread");
    return resident;
}

int main(int count, char **arguments)
{
    const double seconds = count > 1 ? atof(arguments[1]) : 3;
    if (count > 2 || !(seconds >= 1 && seconds <= 1e6))
        return fprintf(stderr, "usage: test_load [SECONDS, 1 to 1e6]\n"), 2;
    MUST(seen_blocks_open(&seen), "memory");
    check_repeats_are_seen();
    make_alone();
    compose(composed_alone, NULL);
    release_in_handler(handler_alone);
    const struct sigaction action = {.sa_handler = on_signal};
    MUST(sigaction(SIGUSR1, &action, NULL) == 0, "sigaction");
    run_for(seconds / 20); /* the C library keeps stacks and arenas of threads from now on */
    const size_t heap = heap_in_use(), files = open_files();
    const size_t early = run_for(seconds), late = resident_kib(), heap_after = heap_in_use();
    printf("%g s, %d threads: %llu calls of %zu functions, %llu of %zu closed forms, %llu forks, %llu threads and %llu "
           "compositions cancelled, %llu streams refused for want of entropy, %llu signals; %llu blocks of 128 random "
           "bits, none twice; heap %zu -> %zu bytes, resident %zu -> %zu KiB, files %zu -> %zu\n",
           seconds, THREADS, calls, line_count, forms, row_count, forks, cancellations, stopped, refused, handled,
           blocks, heap, heap_after, early, late, files, open_files());
    MUST(forks > 0 && cancellations > 0 && stopped > 0 && refused > 0 && handled > 0, "something did not happen");
    MUST(open_files() == files, "files stay open");
#ifndef __SANITIZE_THREAD__ /* which has a heap of its own */
    MUST(heap_after <= heap + 65536 && late <= early + early / 8 + 4096, "memory grows");
#endif
    return 0;
}
