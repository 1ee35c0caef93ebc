/* bench_inputs.c: see bench_inputs.h. */
#include "bench_inputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double input_scores[INPUTS_MOST], input_ascending[INPUTS_MOST], input_y[INPUTS_MOST], input_x0[INPUTS_MOST],
    input_x1[INPUTS_MOST], input_epsilon[INPUTS_MOST], input_sigma[INPUTS_MOST];
int64_t input_integers[INPUTS_MOST];
float input_floats[INPUTS_MOST];
const uint8_t input_packed[BENCH_BATCH_MAX / 8];

static double losses[INPUTS_MOST];
static double *large_y, *large_losses;

void inputs_fill(void)
{
    uint64_t x = 1;
    for (size_t i = 0; i < INPUTS_MOST; i++) {
        double u[5];
        for (int k = 0; k < 5; k++) {
            x = x * 6364136223846793005u + 1442695040888963407u;
            u[k] = (double)(x >> 11) * 0x1p-53;
        }
        input_scores[i] = 8 * u[0];
        input_ascending[i] = 8e-3 * (double)i;
        input_y[i] = 4 * u[1] - 2;
        input_x0[i] = u[2];
        input_x1[i] = u[3];
        input_epsilon[i] = 3 * u[1];
        input_sigma[i] = 0.3 + 3 * u[4];
        input_integers[i] = (int64_t)(1000 * u[0]);
        input_floats[i] = (float)input_y[i];
    }
}

/* ---- arrays beyond every cache ---- */

static double available_bytes(void) /* 0 if the system does not say */
{
    char line[256];
    double kib = 0;
    FILE *file = fopen("/proc/meminfo", "r");
    while (file != NULL && kib == 0 && fgets(line, sizeof line, file) != NULL) {
        if (sscanf(line, "MemAvailable: %lf", &kib) != 1) kib = 0;
    }
    if (file != NULL) fclose(file);
    return 1024 * kib;
}

bool inputs_make_large(void)
{
    const size_t bytes = BENCH_LARGE * sizeof(double);
    const bool room = available_bytes() > 2.5 * (double)bytes;
    large_y = room ? malloc(bytes) : NULL; /* kept until the end */
    large_losses = room ? malloc(bytes) : NULL;
    if (large_y == NULL || large_losses == NULL) {
        fprintf(stderr, "simdp-bench: no rows on %d elements: they need %zu MB of free memory\n", BENCH_LARGE,
                5 * bytes / 2000000);
        return false;
    }
    for (size_t i = 0; i < BENCH_LARGE; i++) {
        large_y[i] = input_y[i % INPUTS_MOST];
        large_losses[i] = 0;
    }
    return true;
}

const double *inputs_outputs(size_t n) { return n > INPUTS_MOST ? large_y : input_y; }
double *inputs_losses(size_t n) { return n > INPUTS_MOST ? large_losses : losses; }

/* ---- calls ---- */

/* Prepared once for each size, as whoever draws many times does. */
static const void *prepared(const double *scores, size_t n)
{
    static struct {
        const double *scores;
        size_t n;
        void *workspace;
    } made[16];
    size_t i = 0;
    while (made[i].workspace != NULL && (made[i].scores != scores || made[i].n != n)) i++;
    if (made[i].workspace == NULL) {
        made[i].scores = scores;
        made[i].n = n;
        made[i].workspace = malloc(simdp_select_workspace(n));
        if (made[i].workspace == NULL || simdp_select_prepare(made[i].workspace, scores, n, 1.0) != SIMDP_OK) abort();
    }
    return made[i].workspace;
}

/* Answers of the type that is released. */
static const void *answers_of(const kernel_line *line, void *out)
{
    switch (line->out) {
    case OUT_F64: return input_y;
    case OUT_F32: return input_floats;
    case OUT_I64: return input_integers;
    case OUT_PACKED: return input_packed;
    default: return out;
    }
}

static const void *input_of(const kernel_line *line, void *out, size_t n)
{
    const bool ascending = line->variant != NULL && strcmp(line->variant, "ascending") == 0;
    switch (line->in) {
    case IN_SAME: return answers_of(line, out);
    case IN_F32: return input_floats;
    case IN_I64: return input_integers;
    case IN_F64:
        if (line->out == OUT_INDEX) return input_scores;
        return strstr(line->name, "_delta_") != NULL ? input_epsilon : inputs_outputs(n);
    case IN_WORKSPACE: return prepared(ascending ? input_ascending : input_scores, n);
    default: return NULL;
    }
}

kernel_call inputs_call(const kernel_line *line, void *out, size_t n)
{
    kernel_call call = {
        .rng = NULL, .out = out, .in = input_of(line, out, n), .n = n, .candidates = n, .p = line->good};
    if (line->out == OUT_INDEX) call.n = 1;
    call.more[0] = line->more == 1 ? input_sigma : input_x0;
    call.more[1] = input_x1;
    call.more[2] = input_sigma;
    if (line->by_id) call.ids = kernel_ids(call.n);
    return call;
}
