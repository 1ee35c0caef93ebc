/* simdp select: scores in, what is chosen out. A way to choose is a line of the table at the end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "file_options.h"
#include "release_mechanisms.h"
#include "stream_options.h"

enum {
    SCALE,
    EPSILON,
    SENSITIVITY,
    MONOTONIC,
    DRAWS,
    TOP,
    OUTPUT,
    INPUT = OUTPUT + FILE_OUTPUT_COUNT,
    STREAM = INPUT + FILE_INPUT_COUNT,
};

static option o[] = {{.name = "--scale"}, {.name = "--epsilon"}, {.name = "--sensitivity"}, {.name = "--monotonic"},
                     {.name = "--draws"}, {.name = "--top"},     OUTPUT_OPTION_NAMES,       INPUT_OPTION_NAMES,
                     STREAM_OPTION_NAMES, {.name = NULL}};

static bool given(int which) { return o[which].value != NULL; }

/* All elements of a source. They live as long as the program, which may end at any broken line or option. */
static void *read_all(source *from, size_t *count)
{
    const size_t size = element_bytes(from->type);
    static void *all;
    size_t room = SOURCE_BATCH_MOST, n;
    *count = 0;
    all = malloc(room * size);
    while (all != NULL && (n = source_read(from, (char *)all + *count * size, SOURCE_BATCH_MOST)) > 0) {
        *count += n;
        if (room - *count >= SOURCE_BATCH_MOST) continue;
        void *more = room <= SIZE_MAX / 2 / size ? realloc(all, (room *= 2) * size) : NULL;
        if (more == NULL) free(all);
        all = more;
    }
    if (all == NULL) failure("no memory for the scores");
    return all;
}

static double read_scale(void)
{
    if (given(SCALE) == given(EPSILON)) usage_error("select needs --scale, or --epsilon and --sensitivity");
    if (given(MONOTONIC) && strcmp(o[MONOTONIC].value, "yes") != 0 && strcmp(o[MONOTONIC].value, "no") != 0)
        usage_error("--monotonic %s: yes or no", o[MONOTONIC].value);
    const int monotonic = given(MONOTONIC) && strcmp(o[MONOTONIC].value, "yes") == 0;
    if (!given(SCALE)) {
        const double scale =
            simdp_select_scale(option_number(&o[EPSILON], 0), option_number(&o[SENSITIVITY], 1), monotonic);
        if (!(scale >= SIMDP_NOISE_SCALE_MIN && scale <= SIMDP_NOISE_SCALE_MAX))
            usage_error("--epsilon and --sensitivity: above 0, and their quotient from %g to %g", SIMDP_NOISE_SCALE_MIN,
                        SIMDP_NOISE_SCALE_MAX);
        return scale;
    }
    const double scale = option_number(&o[SCALE], 0);
    if (given(SENSITIVITY) || given(MONOTONIC)) usage_error("--sensitivity and --monotonic belong to --epsilon");
    if (scale != 0 && !(scale >= SIMDP_NOISE_SCALE_MIN && scale <= SIMDP_NOISE_SCALE_MAX))
        usage_error("--scale %s: 0, or from %g to %g", o[SCALE].value, SIMDP_NOISE_SCALE_MIN, SIMDP_NOISE_SCALE_MAX);
    if (scale == 0) warning("--scale 0 adds no noise: the largest score wins, which hides nobody");
    return scale;
}

/* ---- ways to choose ---- */

typedef simdp_status many_function(simdp_rng *rng, size_t *index, size_t draws, const double *scores, size_t n,
                                   double scale);

static simdp_status permute_flip_many(simdp_rng *rng, size_t *index, size_t draws, const double *scores, size_t n,
                                      double scale)
{
    simdp_status status = SIMDP_OK;
    for (size_t i = 0; i < draws && status == SIMDP_OK; i++)
        status = simdp_select_permute_flip(rng, index + i, scores, n, scale);
    return status;
}

static void choose(const char *title, many_function *many, const char *what)
{
    simdp_rng rng;
    source from;
    size_t n;
    static int64_t *winners;
    static size_t *index; /* as long as the program, like the scores */
    if (given(DRAWS) && given(TOP)) usage_error("--draws and --top exclude each other");
    if (given(TOP) && many != simdp_select_gumbel_many) usage_error("%s has no --top", title);
    const double scale = read_scale();
    const uint64_t count = option_count(&o[TOP], option_count(&o[DRAWS], 1));
    stream_open(&rng, &o[STREAM], STREAM_FOR_RELEASES);
    file_open_source(&from, &o[INPUT], ELEMENT_F64);
    const double *scores = read_all(&from, &n);
    source_close(&from);
    if (n == 0) usage_error("%s: no %s", from.in.name, what);
    if (given(TOP) && count > n) usage_error("--top %s: there are %zu %s", o[TOP].value, n, what);
    index = count <= SIZE_MAX / sizeof *index - 1 ? malloc((size_t)count * sizeof *index + 1) : NULL;
    winners = index == NULL ? NULL : malloc((size_t)count * sizeof *winners + 1);
    if (winners == NULL) failure("no memory for %llu winners", (unsigned long long)count);
    const simdp_status status =
        (given(TOP) ? simdp_select_gumbel_top_k : many)(&rng, index, (size_t)count, scores, n, scale);
    simdp_rng_wipe(&rng);
    if (status == SIMDP_EPARAM)
        usage_error("%zu %s, %llu winners: the stream has no positions left", n, what, (unsigned long long)count);
    if (status != SIMDP_OK) failure("%s", simdp_status_text(status));
    for (size_t i = 0; i < count; i++) winners[i] = (int64_t)index[i];
    const sink_note notes[] = {{"candidates", (double)n}, {"scale", scale}, {NULL, 0}};
    sink to = {.type = ELEMENT_I64, .count = count, .title = title, .notes = notes};
    file_open_sink(&to, &o[OUTPUT], &format_text);
    sink_write(&to, winners, (size_t)count);
    sink_close(&to);
}

static void run_gumbel(void) { choose("select gumbel", simdp_select_gumbel_many, "scores"); }
static void run_permute_flip(void) { choose("select permute-flip", permute_flip_many, "scores"); }

static const struct {
    const char *name, *summary;
    void (*run)(void);
} ways[] = {
    {"gumbel", "the exponential mechanism (without a word, this one)", run_gumbel},
    {"permute-flip", "permute and flip: never a lower expected score", run_permute_flip},
};
enum { WAYS = sizeof ways / sizeof *ways };

const char *select_word(size_t i, const char **summary)
{
    if (i >= WAYS) return NULL;
    *summary = ways[i].summary;
    return ways[i].name;
}

int command_select(int argc, char **argv)
{
    size_t way = 0;
    const bool is_named = argc > 0 && argv[0][0] != '-';
    if (is_named) {
        while (way < WAYS && !is_same_name(ways[way].name, argv[0])) way++;
        if (way == WAYS) usage_error("unknown way to select '%s'; 'simdp help select' lists them", argv[0]);
    }
    options_read(o, argc - is_named, argv + is_named);
    if (given(INPUT + FILE_ID_COLUMN)) usage_error("select has no --id-column");
    ways[way].run();
    return 0;
}
