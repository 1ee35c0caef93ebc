/* simdp tune: measures the rate of kernels by batch size on this machine, and says which batch to use. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <unistd.h>

#include "commands.h"
#include "options.h"
#include "progress.h"
#include "tune_kernels.h"
#include "tune_report.h"

enum { KERNEL, TYPE, THREADS, BATCH, BUDGET, OUTPUT, HEADER, ISA, REPLAY, LIST };
static option o[] = {{.name = "--kernel"},  {.name = "--type"},
                     {.name = "--threads"}, {.name = "--batch"},
                     {.name = "--budget"},  {.name = "--output"},
                     {.name = "--header"},  {.name = "--isa"},
                     {.name = "--replay"},  {.name = "--list", .is_flag = true},
                     {.name = NULL}};

enum { KERNELS_MOST = 256, PICTURES_MOST = 4 };
#define BUDGET_MOST 30.0 /* seconds for all kernels */
#define BUDGET_EACH 1.5

static const kernel_line *chosen[KERNELS_MOST];
static size_t chosen_count;

/* ---- what is asked for ---- */

static bool is_chosen(const kernel_line *k)
{
    for (size_t i = 0; i < chosen_count; i++) {
        if (chosen[i] == k) return true;
    }
    return false;
}

static void choose_named(const char *name, size_t length)
{
    char word[100];
    const kernel_line *k;
    bool is_known = false;
    if (length >= sizeof word) usage_error("--kernel: a name of %zu characters", length);
    memcpy(word, name, length);
    word[length] = '\0';
    for (size_t i = 0; (k = tune_kernel_at(i)) != NULL && chosen_count < KERNELS_MOST; i++) {
        if (!tune_is_named(k, word, o[TYPE].value)) continue;
        is_known = true;
        if (!is_chosen(k)) chosen[chosen_count++] = k; /* two words may mean one kernel */
    }
    if (!is_known)
        usage_error("no kernel is called '%s'%s%s; 'simdp tune --list' shows them", word,
                    o[TYPE].value ? " with the type " : "", o[TYPE].value ? o[TYPE].value : "");
}

static void choose_kernels(void)
{
    const kernel_line *k;
    if (o[KERNEL].value != NULL) {
        const char *at = o[KERNEL].value;
        for (;; at += strcspn(at, ",") + 1) {
            choose_named(at, strcspn(at, ","));
            if (at[strcspn(at, ",")] == '\0') return;
        }
    }
    for (size_t i = 0; (k = tune_kernel_at(i)) != NULL && chosen_count < KERNELS_MOST; i++) {
        if (o[TYPE].value == NULL || strcmp(o[TYPE].value, tune_type(k)) == 0) chosen[chosen_count++] = k;
    }
    if (chosen_count == 0) usage_error("--type %s: f64, f32, i64, u32, words, bytes or bits", o[TYPE].value);
}

static int list_kernels(void)
{
    const kernel_line *k;
    char name[100];
    for (size_t i = 0; (k = tune_kernel_at(i)) != NULL; i++) {
        kernel_row_name(k, name, sizeof name);
        puts(name);
    }
    return 0;
}

static unsigned cores(void)
{
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count > TUNE_THREADS_MAX ? TUNE_THREADS_MAX : (unsigned)count;
}

/* ---- measuring ---- */

typedef struct {
    tune_calls calls;
    progress_bar *bar;
    const char *name;
    double budget, spent, before, all; /* seconds: of this pass, in it, before it, and of the whole */
} watched;

/* A sample, with a step of the progress bar. */
static tune_sample watched_sample(void *context, size_t batch, double seconds)
{
    watched *w = context;
    const tune_sample sample = tune_measure_calls(&w->calls, batch, seconds);
    w->spent += sample.seconds;
    w->bar->what = w->name;
    progress_show(w->bar, fmin(0.999, (w->before + fmin(w->spent, w->budget)) / w->all));
    return sample;
}

/* How much faster several threads are at a batch, one and all of them in turn. */
static double speedup_at(const kernel_line *k, double batch, unsigned threads, double budget)
{
    enum { TURNS = 5 };
    tune_curve pair = {.count = 2};
    for (int turn = 0; turn < TURNS; turn++) {
        for (int i = 0; i < 2; i++) {
            tune_calls calls = {k, i == 0 ? 1 : threads};
            tune_add(&pair, (size_t)i, tune_measure_calls(&calls, (size_t)batch, budget / (2 * TURNS)).rate);
        }
    }
    return pair.point[1].rate / pair.point[0].rate;
}

static void begin_result(tune_result *r, const kernel_line *k, unsigned threads)
{
    *r = (tune_result){.type = tune_type(k), .element_bytes = tune_element_bytes(k)};
    kernel_row_name(k, r->name, sizeof r->name);
    r->threads = tune_can_share(k) ? threads : 1;
}

/* One of TUNE_PASSES of a kernel; the last one also asks how much further threads give. */
static void pass_of_kernel(tune_result *r, const kernel_line *k, watched *w, bool is_last)
{
    const unsigned all = cores();
    w->calls = (tune_calls){k, r->threads};
    w->name = r->name;
    w->spent = 0;
    tune_prepare(k, r->threads > all ? r->threads : all);
    tune_pass(&r->curve, watched_sample, w, tune_most(k), 0.9 * w->budget);
    w->before += w->budget;
    if (!is_last) return;
    r->choice = tune_choose(&r->curve);
    if (r->threads > 1 || all == 1 || !tune_can_share(k)) return;
    r->most_threads = all;
    r->speedup = speedup_at(k, r->choice.batch, all, 0.2 * w->budget);
}

/* ---- telling ---- */

static void begin_json(output *out)
{
    output_open(out, o[OUTPUT].value, true);
    output_text(out, "{\"simdp\": \"%s\", \"isa\": \"%s\", \"cores\": %u, \"kernels\": [", simdp_version(),
                simdp_isa_variant(), cores());
}

static void begin_header(output *out)
{
    output_open(out, o[HEADER].value, true);
    output_text(
        out,
        "/* Batch sizes for one machine, measured by simdp tune (simdp %s, %s): the smallest with 95 %% of the\n"
        " * best rate, in elements a call, and where memory sets the speed the largest (_BATCH_MOST). */\n"
        "#ifndef SIMDP_TUNED_H\n#define SIMDP_TUNED_H\n\n",
        simdp_version(), simdp_isa_variant());
}

static void print_result(const tune_result *r, double own_batch)
{
    if (chosen_count > PICTURES_MOST) {
        report_line(r);
        if (own_batch > 0 || r->choice.memory_batch > 0) report_words(r, own_batch);
    } else {
        printf("%s (%s, %u thread%s)\n", r->name, simdp_isa_variant(), r->threads, r->threads == 1 ? "" : "s");
        report_picture(&r->curve);
        report_words(r, own_batch);
    }
}

static int replay(double own_batch)
{
    static tune_result r = {.name = "recorded", .type = "f64", .threads = 1};
    tune_read(&r.curve, o[REPLAY].value);
    r.choice = tune_choose(&r.curve);
    printf("%s\n", r.name);
    report_picture(&r.curve);
    report_words(&r, own_batch);
    return 0;
}

static void measure_all(tune_result *results, unsigned threads, double budget)
{
    progress_bar bar = progress_begin("");
    watched w = {.bar = &bar, .budget = budget / (double)(chosen_count * TUNE_PASSES), .all = budget};
    for (size_t i = 0; i < chosen_count; i++) begin_result(&results[i], chosen[i], threads);
    for (int pass = 0; pass < TUNE_PASSES; pass++) {
        for (size_t i = 0; i < chosen_count; i++) pass_of_kernel(&results[i], chosen[i], &w, pass == TUNE_PASSES - 1);
    }
    progress_show(&bar, 1);
}

static int tune_all(unsigned threads, double own_batch, double budget)
{
    output json, header;
    tune_result *results = calloc(chosen_count, sizeof *results);
    if (results == NULL) failure("no memory for the curves");
    if (o[OUTPUT].value != NULL) begin_json(&json);
    if (o[HEADER].value != NULL) begin_header(&header);
    measure_all(results, threads, budget);
    if (chosen_count > PICTURES_MOST)
        printf("%-40s %9s %14s  rate from a batch of 16 on, doubled each step\n", "kernel", "use", "rate");
    for (size_t i = 0; i < chosen_count; i++) {
        print_result(&results[i], own_batch);
        if (o[OUTPUT].value != NULL) report_json(&json, &results[i], i == 0);
        if (o[HEADER].value != NULL) report_header_macros(&header, &results[i]);
    }
    if (o[OUTPUT].value != NULL) {
        output_text(&json, "\n]}\n");
        output_end(&json);
    }
    if (o[HEADER].value != NULL) {
        output_text(&header, "\n#endif\n");
        output_end(&header);
    }
    free(results);
    return 0;
}

/* Begins again with the same addresses in every run: where code and stack lie by chance moves rates by some percent, and
 * the next run would choose another batch. Where the system does not allow it, it goes on as it is. */
static void begin_at_fixed_addresses(int argc, char **argv)
{
    enum { MOST = 64 };
    char *words[MOST + 3] = {"simdp", "tune"};
    const int now = personality(0xffffffff);
    if (now == -1 || (now & ADDR_NO_RANDOMIZE) != 0 || argc > MOST) return;
    if (personality((unsigned long)now | ADDR_NO_RANDOMIZE) == -1) return;
    for (int i = 0; i < argc; i++) words[i + 2] = argv[i];
    execv("/proc/self/exe", words);
}

int command_tune(int argc, char **argv)
{
    options_read(o, argc, argv);
    const double own_batch = (double)option_count(&o[BATCH], 0);
    const uint64_t threads = option_count(&o[THREADS], 1);
    if (o[BATCH].value != NULL && !(own_batch >= 1)) usage_error("--batch %s: 1 or more", o[BATCH].value);
    if (threads < 1 || threads > TUNE_THREADS_MAX)
        usage_error("--threads %s: from 1 to %d", o[THREADS].value, TUNE_THREADS_MAX);
    if (o[LIST].value != NULL) return list_kernels();
    if (o[REPLAY].value != NULL) return replay(own_batch);
    if (o[ISA].value != NULL && simdp_isa_select(o[ISA].value) != SIMDP_OK)
        usage_error("--isa %s: %s", o[ISA].value, simdp_status_text(SIMDP_EISA));
    choose_kernels();
    const double budget = option_number(&o[BUDGET], fmin(BUDGET_MOST, BUDGET_EACH * (double)chosen_count));
    if (!(budget > 0 && budget <= 3600))
        usage_error("--budget %s: seconds, more than 0, at most 3600", o[BUDGET].value);
    begin_at_fixed_addresses(argc, argv);
    return tune_all((unsigned)threads, own_batch, budget);
}
