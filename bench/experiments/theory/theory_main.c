/* simdp-theory: runs the experiments, writes lines of JSON to a file, shows a progress bar.
 *   simdp-theory [--brief | --full] [--only NAME] FILE */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "theory.h"

static const struct {
    const char *name, *text;
    void (*run)(const theory_size *size);
    double weight; /* rough share of the time */
} experiments[] = {
    {"figure", "the composition figure of 004", theory_figure, 1},
    {"composition", "randomized response and Laplace, composed", theory_composition, 12},
    {"gaussian", "Gaussian, composed", theory_gaussian, 4},
    {"selection", "exponential mechanism, composed", theory_selection, 6},
    {"adaptive", "adaptive analysts", theory_adaptive, 12},
    {"filters", "filters against adversaries", theory_filters, 12},
    {"simulation", "simulation lemma", theory_simulation, 2},
    {"typical", "typical stability, dependent data", theory_typical, 4},
    {"accuracy", "accuracy of adaptive answers", theory_accuracy, 4},
    {"concentration", "concentration from the exponential mechanism", theory_concentration, 4},
    {"urn", "Polya's urn", theory_urn, 4},
};
enum { EXPERIMENTS = sizeof experiments / sizeof *experiments };

static FILE *out;

/* ---- progress ---- */

static struct {
    const char *text;
    double begin, share, total;
    bool bar;
    int shown;
} progress;

void theory_progress(double share)
{
    enum { WIDTH = 40 };
    const double done = (progress.begin + share * progress.share) / progress.total;
    const int percent = (int)(100 * done);
    if (percent == progress.shown) return;
    progress.shown = percent;
    if (!progress.bar) {
        if (percent % 10 == 0) fprintf(stderr, "simdp-theory: %d %%\n", percent);
        return;
    }
    char bar[WIDTH + 1];
    for (int i = 0; i < WIDTH; i++) bar[i] = i < (int)(WIDTH * done) ? '#' : '.';
    bar[WIDTH] = '\0';
    fprintf(stderr, "\r[%s] %3d %%  %-46s", bar, percent, progress.text);
    if (percent == 100) fputc('\n', stderr);
    fflush(stderr);
}

/* ---- output ---- */

/* JSON has no infinity: a string then. Eight digits: below them, C libraries may differ. */
static void write_number(const char *name, double x)
{
    if (isfinite(x)) fprintf(out, ", \"%s\": %.8g", name, x);
    else fprintf(out, ", \"%s\": \"%s\"", name, isnan(x) ? "nan" : x > 0 ? "inf" : "-inf");
}

void theory_write_bound(const theory_bound *row)
{
    fprintf(out, "{\"kind\": \"bound\", \"system\": \"%s\", \"bound\": \"%s\"", row->system, row->bound);
    write_number("k", row->k);
    write_number("delta", row->delta);
    write_number("epsilon", row->epsilon);
    write_number("delta_seen", row->delta_seen);
    write_number("delta_error", row->delta_error);
    write_number("epsilon_seen", row->epsilon_seen);
    fputs("}\n", out);
}

void theory_write_claim(const theory_claim *row)
{
    fprintf(out, "{\"kind\": \"claim\", \"topic\": \"%s\", \"source\": \"%s\", \"claim\": \"%s\", \"exact\": %s",
            row->topic, row->source, row->claim, row->exact ? "true" : "false");
    write_number("promised", row->promised);
    write_number("seen", row->seen);
    write_number("error", row->error);
    fputs("}\n", out);
}

void theory_write_point(const char *plot, const char *curve, double x, double y, double error)
{
    fprintf(out, "{\"kind\": \"point\", \"plot\": \"%s\", \"curve\": \"%s\"", plot, curve);
    write_number("x", x);
    write_number("y", y);
    write_number("error", error);
    fputs("}\n", out);
}

void theory_write_number(const char *name, double value)
{
    fprintf(out, "{\"kind\": \"number\", \"name\": \"%s\"", name);
    write_number("value", value);
    fputs("}\n", out);
}

/* ---- common ---- */

void theory_must(simdp_status status, const char *what)
{
    if (status == SIMDP_OK) return;
    fprintf(stderr, "\nsimdp-theory: %s: %s\n", what, simdp_status_text(status));
    exit(1);
}

void *theory_memory(size_t bytes)
{
    void *memory = calloc(bytes > 0 ? bytes : 1, 1);
    if (memory == NULL) {
        fprintf(stderr, "\nsimdp-theory: no memory for %zu bytes\n", bytes);
        exit(1);
    }
    return memory;
}

void theory_stream(simdp_rng *rng, uint64_t stream)
{
    static const uint8_t key[32] = "theorems meet simulated numbers";
    MUST(simdp_rng_init_deterministic(rng, key, stream));
}

static int usage(void)
{
    fputs("usage: simdp-theory [--brief | --full] [--only NAME] FILE\nnames:", stderr);
    for (size_t i = 0; i < EXPERIMENTS; i++) fprintf(stderr, " %s", experiments[i].name);
    fputc('\n', stderr);
    return 2;
}

int main(int argc, char **argv)
{
    theory_size size = {.transcripts = 1000000, .runs = 200000, .budgets = 100000};
    const char *only = NULL, *file = NULL;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--full") == 0) size = (theory_size){10000000, 2000000, 1000000, true};
        else if (strcmp(argv[i], "--brief") == 0) size = (theory_size){4000, 1000, 250, false};
        else if (strcmp(argv[i], "--only") == 0 && i + 1 < argc) only = argv[++i];
        else if (argv[i][0] != '-' && file == NULL) file = argv[i];
        else return usage();
    }
    if (file == NULL) return usage();
    progress.bar = isatty(STDERR_FILENO);
    progress.shown = -1;
    for (size_t i = 0; i < EXPERIMENTS; i++)
        if (only == NULL || strcmp(only, experiments[i].name) == 0) progress.total += experiments[i].weight;
    if (progress.total == 0) return usage();
    out = fopen(file, "w");
    if (out == NULL) {
        fprintf(stderr, "simdp-theory: %s: %s\n", file, strerror(errno));
        return 2;
    }
    theory_write_number("transcripts", (double)size.transcripts);
    theory_write_number("runs", (double)size.runs);
    theory_write_number("budgets", (double)size.budgets);
    theory_write_number("full", size.full);
    for (size_t i = 0; i < EXPERIMENTS; i++) {
        if (only != NULL && strcmp(only, experiments[i].name) != 0) continue;
        progress.text = experiments[i].text;
        progress.share = experiments[i].weight;
        theory_progress(0);
        experiments[i].run(&size);
        theory_progress(1);
        progress.begin += progress.share;
    }
    if (ferror(out) != 0 || fclose(out) != 0) {
        fprintf(stderr, "simdp-theory: %s: %s\n", file, strerror(errno));
        return 1;
    }
    return 0;
}
