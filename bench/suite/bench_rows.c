/* bench_rows.c: from a kernel to benchmark rows: each instruction set, each MKL generator, other peers. */
#include "bench.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core_clock.h"
#include "dispatch/table.h"
#include "peers/peers_mkl.h"

/* Does an instruction set give the bits of scalar? Found out when a row runs for the first time, outside of its clock:
 * all kernels together take seconds. */
typedef struct {
    bool is_known, same;
} row_bits;

typedef struct bench_row {
    const bench_kernel *kernel;
    const char *variant; /* ours: the instruction set */
    bool usable;
    row_bits *bits;
    size_t generator; /* MKL: which one */
    const bench_peer *peer;
    void *out;
    struct bench_row *next;
} bench_row;

static bench_row *rows; /* all of them; they live as long as the process */

static const uint8_t fixed_key[32] = "a fixed key: benchmarks repeat.";

void bench_finish(sb_state *st, size_t n, size_t bytes)
{
    sb_items(st, n);
    sb_bytes(st, bytes);
    sb_counter(st, "ghz", core_clock_ghz());
}

/* Does every element of the batch have an output of its own? */
static bool is_elementwise(const kernel_line *line)
{
    return line->winners == 0 && line->out != OUT_INDEX && line->out != OUT_ROWS;
}

/* Bytes that a batch stands for: of its outputs, or 8 for each candidate or sample. */
static size_t batch_bytes(const bench_row *row, size_t n)
{
    return is_elementwise(row->kernel->line) ? kernel_out_bytes(row->kernel->line, n) : 8 * n;
}

/* Each thread writes to a place of its own. */
static void *out_of(const bench_row *row, const sb_state *st, size_t n)
{
    return (char *)row->out + (size_t)sb_thread(st) * batch_bytes(row, n);
}

static void compare_bits(const bench_row *row);

static void run_ours(sb_state *st, size_t n, const void *context)
{
    const bench_row *row = context;
    void *out = out_of(row, st, n);
    simdp_rng rng;
    bool good = true;
    if (!row->usable || simdp_isa_select(row->variant) != SIMDP_OK) {
        sb_skip(st, "not on this CPU");
        return;
    }
    if (!row->bits->is_known) compare_bits(row);
    kernel_call call = row->kernel->call(row->kernel->line, out, n);
    call.rng = &rng;
    if (simdp_rng_init_deterministic(&rng, fixed_key, 1 + (uint64_t)sb_thread(st)) != SIMDP_OK ||
        row->kernel->line->run(&call) != SIMDP_OK) {
        sb_skip(st, "refused by simdp");
        return;
    }
    while (sb_keep_running(st)) {
        good &= row->kernel->line->run(&call) == SIMDP_OK;
        sb_escape(out);
    }
    if (!good) sb_skip(st, "failed while running");
    bench_finish(st, n, batch_bytes(row, n));
    sb_counter(st, "same_bits", row->bits->same);
}

static void run_mkl(sb_state *st, size_t n, const void *context)
{
    const bench_row *row = context;
    void *stream = peers_mkl_stream(row->generator, sb_thread(st)), *out = out_of(row, st, n);
    bool good = true;
    if (stream == NULL) {
        sb_skip(st, "not installed");
        return;
    }
    if (row->kernel->peers->mkl(stream, out, n) != 0) {
        sb_skip(st, "refused by MKL");
        return;
    }
    while (sb_keep_running(st)) {
        good &= row->kernel->peers->mkl(stream, out, n) == 0;
        sb_escape(out);
    }
    if (!good) sb_skip(st, "failed while running");
    bench_finish(st, n, batch_bytes(row, n));
}

static void run_peer(sb_state *st, size_t n, const void *context)
{
    const bench_row *row = context;
    const bench_peer *peer = row->peer;
    if (peer->usable != NULL && !peer->usable()) {
        sb_skip(st, "not on this CPU");
        return;
    }
    /* a peer made of this library's own functions runs them at their best, not as the row before it left them */
    if (simdp_isa_select(NULL) != SIMDP_OK) {
        sb_skip(st, "refused by simdp");
        return;
    }
    peer->fill(row->out, n); /* some plan when they see a length for the first time */
    while (sb_keep_running(st)) {
        peer->fill(row->out, n);
        sb_escape(row->out);
    }
    bench_finish(st, n, batch_bytes(row, n));
}

/* ---- same bits: each instruction set against scalar, once, while no clock runs ---- */

enum { CHECKED = 4096 };
#define CHECKED_POSITION 7 /* odd, so that vectors and cipher blocks do not line up with the output */

static bool draw_checked(const bench_kernel *kernel, const char *variant, void *out)
{
    simdp_rng rng;
    kernel_call call = kernel->call(kernel->line, out, CHECKED);
    call.rng = &rng;
    return simdp_isa_select(variant) == SIMDP_OK && simdp_rng_init_deterministic(&rng, fixed_key, 1) == SIMDP_OK &&
           simdp_rng_seek(&rng, CHECKED_POSITION) == SIMDP_OK && kernel->line->run(&call) == SIMDP_OK;
}

static bool same_bits_as_scalar(const bench_kernel *kernel, const char *variant)
{
    static uint64_t ours[CHECKED], scalar[CHECKED];
    const size_t written = kernel_out_bytes(kernel->line, kernel->line->out == OUT_INDEX ? 1 : CHECKED);
    const bool adds = strstr(kernel->line->name, "_add") != NULL; /* to what is there */
    memset(ours, adds ? 0 : 0x55, sizeof ours);
    memset(scalar, adds ? 0 : 0xaa, sizeof scalar);
    return draw_checked(kernel, variant, ours) && draw_checked(kernel, "scalar", scalar) &&
           memcmp(ours, scalar, written) == 0;
}

/* Leaves the row's instruction set selected. */
static void compare_bits(const bench_row *row)
{
    *row->bits = (row_bits){.is_known = true, .same = same_bits_as_scalar(row->kernel, row->variant)};
    if (simdp_isa_select(row->variant) != SIMDP_OK) abort();
}

/* ---- registration ---- */

/* Plain C is fifty times slower than the rest: its large batches would take all the time and say nothing new. */
enum { SCALAR_MOST = 4096 };

static void add(sb_function *function, bench_row values, const char *who, const bench_plan *plan, size_t most)
{
    char kernel[BENCH_NAME_MAX], name[2 * BENCH_NAME_MAX];
    bench_row *row = malloc(sizeof *row);
    if (row == NULL) abort();
    *row = values;
    row->next = rows;
    rows = row;
    kernel_row_name(values.kernel->line, kernel, sizeof kernel);
    if (plan->threads == 1) snprintf(name, sizeof name, "%s/%s", kernel, who);
    else snprintf(name, sizeof name, "%s_x%d/%s", kernel, plan->threads, who);
    for (size_t i = 0; i < plan->count; i++) {
        if (plan->sizes[i] <= most) sb_register(name, plan->sizes[i], plan->threads, function, row);
    }
}

static void add_ours(const bench_kernel *kernel, const bench_plan *plan)
{
    const simdp_kernels *table;
    bool usable;
    for (size_t i = 0; (table = simdp_kernels_row(i, &usable)) != NULL; i++) {
        bench_row row = {.kernel = kernel, .variant = table->variant, .usable = usable, .out = plan->out};
        row.bits = calloc(1, sizeof *row.bits);
        if (row.bits == NULL) abort();
        if (usable && plan->threads > 1) compare_bits(&row); /* threads share what is selected */
        add(run_ours, row, table->variant, plan, strcmp(table->isa, "scalar") == 0 ? SCALAR_MOST : SIZE_MAX);
    }
}

static void add_peers(const bench_kernel *kernel, const bench_plan *plan)
{
    for (const bench_peer *peer = kernel->peers->others; peer < kernel->peers->others + BENCH_PEERS_MAX; peer++) {
        const bench_row row = {.kernel = kernel, .peer = peer, .out = plan->out};
        if (peer->fill != NULL) add(run_peer, row, peer->name, plan, SIZE_MAX);
    }
}

void bench_register(const bench_kernel *kernel, const bench_plan *plan)
{
    const char *generator;
    bench_row row = {.kernel = kernel, .out = plan->out};
    add_ours(kernel, plan);
    for (size_t g = 0; kernel->peers->mkl != NULL && (generator = peers_mkl_generator(&g)) != NULL; g++) {
        row.generator = g;
        add(run_mkl, row, generator, plan, SIZE_MAX);
    }
    if (plan->threads == 1) add_peers(kernel, plan);
}
