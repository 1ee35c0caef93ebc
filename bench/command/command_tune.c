/* simdp tune: rate by batch size of every sampler, the smallest batch that reaches 95 % of the best rate, and JSON of
 * it. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "commands.h"
#include "options.h"
#include "samplers.h"
#include "tune_curve.h"

#define BATCH_MOST ((size_t)1 << 20)
#define TRIES      5 /* per point; the best counts, since disturbances only slow down */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Elements per second in batches of n, over at least the given time. */
static double measure(const kernel_line *s, simdp_rng *rng, void *out, size_t n, double seconds)
{
    const double begin = now();
    double end;
    size_t done = 0;
    do {
        for (size_t enough = done + (n < 4096 ? 4096 : n); done < enough; done += n) {
            const simdp_status status = s->run(&(kernel_call){.rng = rng, .out = out, .n = n, .p = s->good});
            if (status != SIMDP_OK) failure("%s: %s", sampler_name(s), simdp_status_text(status));
        }
    } while ((end = now()) - begin < seconds);
    return (double)done / (end - begin);
}

static void progress(const char *name, size_t step, size_t steps)
{
    enum { WIDTH = 40 };
    char bar[WIDTH + 1];
    if (!isatty(STDERR_FILENO)) return;
    for (size_t i = 0; i < WIDTH; i++) bar[i] = i * steps < step * WIDTH ? '#' : '.';
    bar[WIDTH] = '\0';
    fprintf(stderr, "\r[%s] %3zu %%  %-16s%s", bar, 100 * step / steps, name, step == steps ? "\r\033[K" : "");
}

static void print_choice(const char *name, const tune_choice *c)
{
    printf("%-16s %9.0f %12.1f %12.0f %12.1f\n", name, c->batch, c->rate / 1e6, c->best_batch, c->best_rate / 1e6);
}

static void print_heading(void)
{
    printf("%-16s %9s %12s %12s %12s\n", "sampler", "batch", "M/s", "best batch", "best M/s");
}

static void write_json(FILE *file, const char *name, const tune_curve *curve, const tune_choice *c, bool first)
{
    fprintf(file,
            "%s\n    {\"name\": \"%s\", \"batch\": %.0f, \"rate\": %.6g, \"best_batch\": %.0f, \"best_rate\": %.6g,\n  "
            "   \"curve\": [",
            first ? "" : ",", name, c->batch, c->rate, c->best_batch, c->best_rate);
    for (size_t i = 0; i < curve->count; i++)
        fprintf(file, "%s[%.0f, %.6g]", i == 0 ? "" : ", ", curve->point[i].batch, curve->point[i].rate);
    fputs("]}", file);
}

int command_tune(int argc, char **argv)
{
    enum { SAMPLER, OUTPUT, SECONDS, ISA, REPLAY };
    option o[] = {{.name = "--sampler"}, {.name = "--output"}, {.name = "--seconds"},
                  {.name = "--isa"},     {.name = "--replay"}, {.name = NULL}};
    tune_curve curve = {0};
    options_read(o, argc, argv);
    if (o[REPLAY].value != NULL) {
        tune_read(&curve, o[REPLAY].value);
        const tune_choice c = tune_choose(&curve);
        print_heading();
        print_choice("recorded", &c);
        return 0;
    }
    const double seconds = option_number(&o[SECONDS], 0.01);
    if (seconds <= 0 || seconds > 60) usage_error("--seconds %s: more than 0, at most 60", o[SECONDS].value);
    if (o[SAMPLER].value != NULL && sampler_named(o[SAMPLER].value) == NULL)
        usage_error("unknown sampler '%s'", o[SAMPLER].value);
    simdp_rng rng;
    if (simdp_rng_init(&rng) != SIMDP_OK) failure("no entropy");

    FILE *json = NULL;
    if (o[OUTPUT].value != NULL && (json = fopen(o[OUTPUT].value, "w")) == NULL)
        failure("%s: cannot be written", o[OUTPUT].value);
    void *out = malloc(BATCH_MOST * 8);
    if (out == NULL) failure("no memory");
    memset(out, 0, BATCH_MOST * 8);
    if (json != NULL)
        fprintf(json, "{\"simdp\": \"%s\", \"isa\": \"%s\", \"samplers\": [", simdp_version(), simdp_isa_variant());
    const kernel_line *only = o[SAMPLER].value == NULL ? NULL : sampler_named(o[SAMPLER].value), *s;
    size_t steps = 0, step = 0;
    for (size_t i = 0; (s = sampler_at(i)) != NULL; i++) {
        if (only == NULL || s == only) steps += 17;
    }
    print_heading();
    bool first = true;
    for (size_t i = 0; (s = sampler_at(i)) != NULL; i++) {
        if (only != NULL && s != only) continue;
        curve.count = 0;
        for (size_t n = 16; n <= BATCH_MOST; n *= 2) {
            double best = 0;
            for (int t = 0; t < TRIES; t++) {
                const double rate = measure(s, &rng, out, n, seconds);
                if (rate > best) best = rate;
            }
            curve.point[curve.count].batch = (double)n;
            curve.point[curve.count++].rate = best;
            progress(sampler_name(s), ++step, steps);
        }
        const tune_choice c = tune_choose(&curve);
        print_choice(sampler_name(s), &c);
        fflush(stdout);
        if (json != NULL) write_json(json, sampler_name(s), &curve, &c, first);
        first = false;
    }
    free(out);
    if (json != NULL) {
        fputs("\n]}\n", json);
        const bool failed_before = ferror(json);
        if (fclose(json) != 0 || failed_before) failure("%s: cannot be written", o[OUTPUT].value);
    }
    return 0;
}
