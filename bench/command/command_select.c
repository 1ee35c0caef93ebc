/* simdp select: scores in, what is chosen out. A way to choose is a line of the table at the end. */
#include <math.h>
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
    DELTA,
    GROUPS,
    THRESHOLD,
    REPORTS,
    CANDIDATES,
    OUTPUT,
    INPUT = OUTPUT + FILE_OUTPUT_COUNT,
    ID_COLUMN = INPUT + FILE_ID_COLUMN,
    STREAM = INPUT + FILE_INPUT_COUNT
};

static option o[] = {{.name = "--scale"},     {.name = "--epsilon"},    {.name = "--sensitivity"},
                     {.name = "--monotonic"}, {.name = "--draws"},      {.name = "--top"},
                     {.name = "--delta"},     {.name = "--groups"},     {.name = "--threshold"},
                     {.name = "--reports"},   {.name = "--candidates"}, OUTPUT_OPTION_NAMES,
                     INPUT_OPTION_NAMES,      STREAM_OPTION_NAMES,      {.name = NULL}};

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

static int read_monotonic(void)
{
    if (given(MONOTONIC) && strcmp(o[MONOTONIC].value, "yes") != 0 && strcmp(o[MONOTONIC].value, "no") != 0)
        usage_error("--monotonic %s: yes or no", o[MONOTONIC].value);
    return given(MONOTONIC) && strcmp(o[MONOTONIC].value, "yes") == 0;
}

static double needed(int which)
{
    if (!given(which)) usage_error("this needs %s", o[which].name);
    return option_number(&o[which], 0);
}

static double read_scale(void)
{
    if (given(SCALE) == given(EPSILON)) usage_error("select needs --scale, or --epsilon and --sensitivity");
    const int monotonic = read_monotonic();
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

/* Choices by identity need a key, and have no position. */
static void check_ids(void)
{
    if (given(ID_COLUMN) && !stream_is_fixed(&o[STREAM]))
        usage_error("--id-column needs a --key-file: ids and choices belong to a key");
    if (given(ID_COLUMN) && given(STREAM + STREAM_POSITION))
        usage_error("--id-column and --position exclude each other");
}

/* ---- rows ---- */

/* Winners of a batch of rows. Of a CSV file their records come out, with a 1 in place of the score, which is secret. */
static void write_winners(sink *to, const source *from, const size_t *index, size_t rows, size_t each)
{
    if (to->format != &format_csv || from->format != &format_csv) {
        for (size_t r = 0; r < rows; r++) {
            const int64_t winner = (int64_t)index[r];
            sink_write(to, &winner, 1);
        }
        return;
    }
    for (size_t r = 0; r < rows; r++) csv_put_record(&to->out, &from->csv, r * each + index[r], "1", 1);
}

static void run_rows(void)
{
    static double scores[SOURCE_BATCH_MOST];
    static size_t index[SOURCE_BATCH_MOST];
    static simdp_id ids[SOURCE_BATCH_MOST];
    simdp_rng rng;
    source from;
    const double scale = read_scale();
    if (!given(CANDIDATES)) usage_error("select rows needs --candidates, the number of scores in a row");
    const uint64_t candidates = option_count(&o[CANDIDATES], 1);
    if (candidates < 1 || candidates > SOURCE_BATCH_MOST)
        usage_error("--candidates %s: from 1 to %d", o[CANDIDATES].value, SOURCE_BATCH_MOST);
    const size_t each = (size_t)candidates, most = SOURCE_BATCH_MOST / each * each;
    check_ids();
    stream_open(&rng, &o[STREAM], STREAM_FOR_RELEASES);
    file_open_source(&from, &o[INPUT], ELEMENT_F64);
    if (from.count != COUNT_UNKNOWN && from.count % each != 0)
        usage_error("%s: %llu scores are no rows of %zu", from.in.name, (unsigned long long)from.count, each);
    const sink_note notes[] = {{"candidates", (double)each}, {"scale", scale}, {NULL, 0}};
    sink to = {.type = ELEMENT_I64,
               .count = from.count == COUNT_UNKNOWN ? COUNT_UNKNOWN : from.count / each,
               .from = &from,
               .title = "select rows",
               .notes = notes};
    file_open_sink(&to, &o[OUTPUT], from.format == &format_csv ? NULL : &format_text);
    for (size_t n; (n = source_read(&from, scores, most)) > 0;) {
        if (n % each != 0) usage_error("%s: the last row has %zu scores instead of %zu", from.in.name, n % each, each);
        if (source_has_ids(&from)) source_ids(&from, &rng, ids, each);
        const simdp_status status =
            source_has_ids(&from) ? simdp_select_gumbel_rows_by_id(&rng, index, scores, ids, n / each, each, scale)
                                  : simdp_select_gumbel_rows(&rng, index, scores, n / each, each, scale);
        if (status == SIMDP_EPARAM) usage_error("select rows: the stream has no positions left");
        if (status != SIMDP_OK) failure("%s", simdp_status_text(status));
        write_winners(&to, &from, index, n / each, each);
    }
    sink_close(&to);
    source_close(&from);
    simdp_rng_wipe(&rng);
}

/* ---- groups ---- */

/* Flags of a batch. Of a CSV file only the groups that may be shown come out, with a 1 in place of their count, which is
 * secret. */
static void write_flags(sink *to, const source *from, const uint8_t *keep, size_t n)
{
    if (to->format != &format_csv || from->format != &format_csv) {
        sink_write(to, keep, n);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        if (keep[i] == 1) csv_put_record(&to->out, &from->csv, i, "1", 1);
    }
}

static void run_partitions(void)
{
    static int64_t counts[SOURCE_BATCH_MOST];
    static uint8_t keep[SOURCE_BATCH_MOST];
    static simdp_id ids[SOURCE_BATCH_MOST];
    simdp_rng rng;
    source from;
    const double epsilon = needed(EPSILON), delta = needed(DELTA);
    const uint64_t groups = option_count(&o[GROUPS], 1);
    if (!(epsilon >= 0)) usage_error("--epsilon %s: 0 or more", o[EPSILON].value);
    if (!(delta >= 0x1p-600 && delta < 1)) usage_error("--delta %s: from 2^-600, less than 1", o[DELTA].value);
    if (groups < 1) usage_error("--groups %s: 1 or more", o[GROUPS].value);
    check_ids();
    stream_open(&rng, &o[STREAM], STREAM_FOR_RELEASES);
    file_open_source(&from, &o[INPUT], ELEMENT_I64);
    const sink_note notes[] = {{"epsilon", epsilon}, {"delta", delta}, {"groups", (double)groups}, {NULL, 0}};
    sink to = {.type = ELEMENT_BIT, .count = from.count, .from = &from, .title = "select partitions", .notes = notes};
    file_open_sink(&to, &o[OUTPUT], NULL);
    for (size_t n; (n = source_read(&from, counts, SOURCE_BATCH_MOST)) > 0;) {
        if (source_has_ids(&from)) source_ids(&from, &rng, ids, 1);
        const simdp_status status =
            source_has_ids(&from) ? simdp_select_partitions_by_id(&rng, keep, counts, ids, n, epsilon, delta, groups)
                                  : simdp_select_partitions(&rng, keep, counts, n, epsilon, delta, groups);
        if (status == SIMDP_EPARAM) usage_error("select partitions: the stream has no positions left");
        if (status != SIMDP_OK) failure("%s", simdp_status_text(status));
        write_flags(&to, &from, keep, n);
    }
    sink_close(&to);
    source_close(&from);
    simdp_rng_wipe(&rng);
}

/* ---- above threshold ---- */

/* Indices of up to `reports` queries above the threshold. With one, all queries are compared, whatever the answer. */
static simdp_status find_above(simdp_rng *rng, int64_t *index, size_t *found, const double *queries, size_t n,
                               double threshold, const double scale[2], uint64_t reports)
{
    simdp_select_threshold state;
    uint8_t above = 0;
    size_t first;
    *found = 0;
    if (reports == 1) {
        const simdp_status status =
            simdp_select_above_threshold(rng, &first, &above, queries, n, threshold, scale[0], scale[1]);
        if (status == SIMDP_OK && above == 1) index[(*found)++] = (int64_t)first;
        return status;
    }
    simdp_status status = simdp_select_threshold_open(rng, &state, threshold, scale[0], scale[1], reports);
    for (size_t i = 0; i < n && status == SIMDP_OK && *found < reports; i++) {
        status = simdp_select_threshold_ask(rng, &state, &above, queries[i]);
        if (status == SIMDP_OK && above == 1) index[(*found)++] = (int64_t)i;
    }
    simdp_select_threshold_wipe(&state);
    return status;
}

static void run_above_threshold(void)
{
    simdp_rng rng;
    source from;
    size_t n, found;
    double scale[2];
    static int64_t *index; /* as long as the program */
    const double threshold = needed(THRESHOLD), epsilon = needed(EPSILON), sensitivity = needed(SENSITIVITY);
    const uint64_t reports = option_count(&o[REPORTS], 1);
    if (!(fabs(threshold) <= 0x1p1000)) usage_error("--threshold %s: from -2^1000 to 2^1000", o[THRESHOLD].value);
    if (!(epsilon > 0) || !(sensitivity > 0)) usage_error("--epsilon and --sensitivity: more than 0");
    if (reports < 1) usage_error("--reports %s: 1 or more", o[REPORTS].value);
    if (simdp_select_threshold_scales(&scale[0], &scale[1], epsilon, sensitivity, reports, read_monotonic()) !=
            SIMDP_OK ||
        !(scale[0] >= SIMDP_NOISE_SCALE_MIN && scale[1] <= SIMDP_NOISE_SCALE_MAX))
        usage_error("--epsilon %s: the noise is beyond what can be drawn, from %g to %g", o[EPSILON].value,
                    SIMDP_NOISE_SCALE_MIN, SIMDP_NOISE_SCALE_MAX);
    stream_open(&rng, &o[STREAM], STREAM_FOR_RELEASES);
    file_open_source(&from, &o[INPUT], ELEMENT_F64);
    const double *queries = read_all(&from, &n);
    source_close(&from);
    index = malloc((n < reports ? n : (size_t)reports) * sizeof *index + 1);
    if (index == NULL) failure("no memory for the reports");
    const simdp_status status = find_above(&rng, index, &found, queries, n, threshold, scale, reports);
    simdp_rng_wipe(&rng);
    if (status == SIMDP_EPARAM) usage_error("select above-threshold: the stream has no positions left");
    if (status != SIMDP_OK) failure("%s", simdp_status_text(status));
    const sink_note notes[] = {
        {"epsilon", epsilon}, {"threshold", threshold}, {"scale_threshold", scale[0]}, {"scale_query", scale[1]}, {0}};
    sink to = {.type = ELEMENT_I64, .count = found, .title = "select above-threshold", .notes = notes};
    file_open_sink(&to, &o[OUTPUT], &format_text);
    sink_write(&to, index, found);
    sink_close(&to);
}

/* ---- the table ---- */

enum { TAKES_MOST = 8, NO_MORE = -1 };
static const struct {
    const char *name, *summary;
    void (*run)(void);
    int takes[TAKES_MOST]; /* of the options before OUTPUT, and ID_COLUMN; ends with NO_MORE */
} ways[] = {
    {"gumbel",
     "the exponential mechanism (without a word, this one)",
     run_gumbel,
     {SCALE, EPSILON, SENSITIVITY, MONOTONIC, DRAWS, TOP, NO_MORE}},
    {"permute-flip",
     "permute and flip: never a lower expected score",
     run_permute_flip,
     {SCALE, EPSILON, SENSITIVITY, MONOTONIC, DRAWS, NO_MORE}},
    {"rows",
     "a winner in each row of --candidates scores that follow each other",
     run_rows,
     {SCALE, EPSILON, SENSITIVITY, MONOTONIC, CANDIDATES, ID_COLUMN, NO_MORE}},
    {"partitions",
     "which groups may be shown, from their numbers of people: 1 or 0",
     run_partitions,
     {EPSILON, DELTA, GROUPS, ID_COLUMN, NO_MORE}},
    {"above-threshold",
     "the first queries above a threshold, if any",
     run_above_threshold,
     {THRESHOLD, EPSILON, SENSITIVITY, MONOTONIC, REPORTS, NO_MORE}},
};
enum { WAYS = sizeof ways / sizeof *ways };

const char *select_word(size_t i, const char **summary)
{
    if (i >= WAYS) return NULL;
    *summary = ways[i].summary;
    return ways[i].name;
}

static void refuse_others(size_t way)
{
    for (int which = 0; o[which].name != NULL; which++) {
        bool is_taken = which >= OUTPUT && which != ID_COLUMN;
        for (int t = 0; ways[way].takes[t] != NO_MORE; t++) is_taken |= ways[way].takes[t] == which;
        if (given(which) && !is_taken) usage_error("select %s has no %s", ways[way].name, o[which].name);
    }
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
    refuse_others(way);
    ways[way].run();
    return 0;
}
