#define _GNU_SOURCE
#include "tune_kernels.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "options.h"
#include "release_mechanisms.h"

/* ---- names ---- */

const kernel_line *tune_kernel_at(size_t i)
{
    const kernel_line *k;
    for (size_t line = 0; (k = kernel_at(line)) != NULL; line++) {
        const bool has_batch = k->in != IN_NONE || k->winners != 1; /* one result of nothing: no call is larger */
        if (k->variant == NULL && has_batch && i-- == 0) return k;
    }
    return NULL;
}

const char *tune_type(const kernel_line *k)
{
    static const char *const of_out[] = {
        [OUT_F64] = "f64",     [OUT_F32] = "f32",  [OUT_I64] = "i64",     [OUT_WORDS] = "words",
        [OUT_BYTES] = "bytes", [OUT_U32] = "u32",  [OUT_PACKED] = "bits", [OUT_FLAGS] = "bytes",
        [OUT_INDEX] = "f64",   [OUT_ROWS] = "f64", [OUT_STEPS] = "f64"};
    if (strstr(k->name, "_f32") != NULL) return "f32";
    return of_out[k->out];
}

bool tune_is_named(const kernel_line *k, const char *name, const char *type)
{
    char row[100], typed[140];
    kernel_row_name(k, row, sizeof row);
    const char *short_name = strchr(row, '/') + 1;
    const bool is_whole = strchr(name, '/') != NULL;
    const char *own = is_whole ? row : short_name;
    if (type != NULL && strcmp(type, tune_type(k)) != 0) return false;
    if (is_same_name(own, name) || is_same_name(k->name, name)) return true;
    snprintf(typed, sizeof typed, "%s_%s", name, type != NULL ? type : "f64");
    if (is_same_name(own, typed)) return true;
    /* a law of a function with several, as in loss/audit_run.laplace */
    const char *form = strchr(own, '.');
    return form != NULL && strlen(name) == (size_t)(form - own) && strncmp(own, name, strlen(name)) == 0;
}

/* ---- inputs ---- */

enum { MOST = 1 << 21, DATA_MOST = 1 << 19, SCORES = 16, STEPS_MOST = KERNEL_STEPS_MOST };

static void *input;        /* MOST elements of 8 bytes, of the type that the kernel reads */
static double *further[3]; /* DATA_MOST */
static void *workspace;

/* Memory for `count` elements of 8 bytes. Each begins at another place of its page: where several do at the same, some
 * batches are slow for a reason that has nothing to do with their size. */
static void *array(size_t count)
{
    static size_t before;
    const size_t shift = 320 * (++before % 12);
    const size_t page = (size_t)1 << 21, room = (count * 8 + shift + page - 1) / page * page;
    char *memory = aligned_alloc(page, room); /* lives as long as the program */
    if (memory == NULL) failure("no memory for arrays to measure with");
    madvise(memory, room, MADV_HUGEPAGE); /* or which small pages it gets by chance would move rates */
    memory += shift;
    memset(memory, 0, count * 8); /* or the first calls would measure the system */
    return memory;
}

static bool is_selection(const kernel_line *k)
{
    return k->out == OUT_INDEX && (k->in == IN_F64 || k->in == IN_F32 || k->in == IN_WORKSPACE);
}

/* Inputs of data kernels hold up to four elements for each one that is counted. */
size_t tune_most(const kernel_line *k)
{
    if (k->out == OUT_STEPS) return STEPS_MOST;
    if (k->by_id) return KERNEL_IDS_MOST;
    return k->kind == KERNEL_DATA || k->out == OUT_ROWS || k->in == IN_WORKSPACE ? DATA_MOST : MOST;
}

bool tune_can_share(const kernel_line *k)
{
    return k->kind != KERNEL_DATA && k->out != OUT_ROWS && strncmp(k->name, "simdp_theory_", 13) != 0;
}

static size_t out_bytes(const kernel_line *k) { return kernel_out_bytes(k, 1 << 10); }

double tune_element_bytes(const kernel_line *k)
{
    static const double in[] = {[IN_NONE] = 0, [IN_SAME] = 0,  [IN_F64] = 8,   [IN_F32] = 4,
                                [IN_I64] = 8,  [IN_BYTES] = 1, [IN_INDEX] = 8, [IN_WORKSPACE] = 6};
    const double out = k->winners > 0 || is_selection(k) || k->out == OUT_ROWS ? 0 : (double)out_bytes(k) / (1 << 10);
    return out + (k->in == IN_SAME ? out : in[k->in]) + 8.0 * (double)k->more +
           (k->by_id && !is_selection(k) ? sizeof(simdp_id) : 0);
}

static kernel_in input_kind(const kernel_line *k)
{
    if (k->in != IN_SAME) return k->in;
    switch (k->out) {
    case OUT_F64: return IN_F64;
    case OUT_F32: return IN_F32;
    case OUT_I64: return IN_I64;
    default: return IN_BYTES;
    }
}

static void fill(const kernel_line *k)
{
    const kernel_in kind = input_kind(k);
    uint64_t x = 1;
    for (size_t i = 0; i < MOST; i++) {
        x = x * 6364136223846793005u + 1442695040888963407u;
        const double u = (double)(x >> 11) * 0x1p-53;
        if (kind == IN_F64 || kind == IN_WORKSPACE) ((double *)input)[i] = 0.3 + 3 * u;
        else if (kind == IN_F32) ((float *)input)[i] = (float)(0.3 + 3 * u);
        else if (kind == IN_I64) ((int64_t *)input)[i] = (int64_t)(1000 * u);
        else if (kind == IN_BYTES) ((uint8_t *)input)[i] = (uint8_t)(x >> 63);
        else if (kind == IN_INDEX) ((size_t *)input)[i] = (size_t)((double)SCORES * u);
        for (int j = 0; j < 3 && i < DATA_MOST; j++) further[j][i] = 0.5 + u * (1 + j);
    }
}

/* ---- threads ---- */

typedef struct {
    pthread_t thread;
    simdp_rng rng, fixed; /* fixed: for what belongs to identities */
    void *out;
    const kernel_line *kernel;
    size_t batch;
    double seconds;
    tune_sample result;
    simdp_status status;
    pthread_barrier_t *start;
} worker;

static worker workers[TUNE_THREADS_MAX];

void tune_prepare(const kernel_line *k, unsigned threads)
{
    if (input == NULL) {
        input = array(MOST);
        for (int j = 0; j < 3; j++) further[j] = array(DATA_MOST);
        workspace = array(simdp_select_workspace(DATA_MOST) / 8 + 1);
    }
    fill(k);
    if (k->by_id) kernel_ids(KERNEL_IDS_MOST); /* made before threads share them */
    for (unsigned t = 0; t < threads; t++) {
        if (workers[t].out != NULL) continue;
        workers[t].out = array(MOST);
        static const uint8_t key[32] = {1};
        if (simdp_rng_init_deterministic(&workers[t].fixed, key, t) != SIMDP_OK ||
            simdp_rng_init(&workers[t].rng) != SIMDP_OK)
            failure("%s", simdp_status_text(SIMDP_EENTROPY));
    }
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static kernel_call call_of(worker *w)
{
    const kernel_line *k = w->kernel;
    kernel_call call = {.rng = k->by_id ? &w->fixed : &w->rng,
                        .out = w->out,
                        .in = input,
                        .n = w->batch,
                        .candidates = SCORES,
                        .p = k->good,
                        .more = {further[0], further[1], further[2]}};
    if (k->in == IN_WORKSPACE) call.in = workspace;
    if (is_selection(k)) {
        call.candidates = w->batch;
        call.n = 1;
    }
    if (k->by_id) call.ids = kernel_ids(call.n);
    return call;
}

static void measure(worker *w)
{
    const kernel_call call = call_of(w);
    const double begin = now();
    double end;
    size_t calls = 0, group = 1; /* looking at the clock costs a small call or two */
    w->status = SIMDP_OK;
    do {
        for (size_t i = 0; i < group && w->status == SIMDP_OK; i++) w->status = w->kernel->run(&call);
        calls += group;
        end = now();
        if (end - begin < w->seconds / 16) group *= 2;
    } while (end - begin < w->seconds && w->status == SIMDP_OK);
    w->result.seconds = end - begin;
    w->result.rate = (double)calls * (double)w->batch / w->result.seconds;
    w->result.call = w->result.seconds / (double)calls;
}

static void *work(void *context)
{
    worker *w = context;
    pthread_barrier_wait(w->start);
    measure(w);
    return NULL;
}

tune_sample tune_measure_calls(void *context, size_t batch, double seconds)
{
    const tune_calls *calls = context;
    const kernel_line *k = calls->kernel;
    pthread_barrier_t start;
    tune_sample sum = {0};
    if (k->in == IN_WORKSPACE && simdp_select_prepare(workspace, input, batch, 1.0) != SIMDP_OK)
        failure("a workspace for %zu scores cannot be prepared", batch);
    pthread_barrier_init(&start, NULL, calls->threads);
    for (unsigned t = 0; t < calls->threads; t++) {
        workers[t].kernel = k;
        workers[t].batch = batch;
        workers[t].seconds = seconds;
        workers[t].start = &start;
        if (t > 0 && pthread_create(&workers[t].thread, NULL, work, &workers[t]) != 0) failure("no more threads");
    }
    work(&workers[0]);
    for (unsigned t = 0; t < calls->threads; t++) {
        if (t > 0) pthread_join(workers[t].thread, NULL);
        if (workers[t].status != SIMDP_OK) failure("%s: %s", k->name, simdp_status_text(workers[t].status));
        sum.rate += workers[t].result.rate;
        if (workers[t].result.seconds > sum.seconds) sum.seconds = workers[t].result.seconds;
        if (workers[t].result.call > sum.call) sum.call = workers[t].result.call;
    }
    pthread_barrier_destroy(&start);
    return sum;
}
