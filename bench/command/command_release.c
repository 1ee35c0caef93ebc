/* simdp release: answers in, values that are safe to publish out, a batch at a time, in constant memory. Which
 * mechanisms there are is the table of release_mechanisms.c. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "file_options.h"
#include "release_mechanisms.h"
#include "stream_options.h"

enum {
    SCALE,
    GRID,
    EPSILON,
    DELTA,
    SENSITIVITY,
    VALUES,
    THRESHOLD,
    THRESHOLD_DELTA,
    GROUPS,
    OUTPUT,
    INPUT = OUTPUT + FILE_OUTPUT_COUNT,
    STREAM = INPUT + FILE_INPUT_COUNT,
    OPTIONS = STREAM + STREAM_OPTIONS_COUNT
};

static option o[] = {{.name = "--scale"},
                     {.name = "--grid"},
                     {.name = "--epsilon"},
                     {.name = "--delta"},
                     {.name = "--sensitivity"},
                     {.name = "--values"},
                     {.name = "--threshold"},
                     {.name = "--threshold-delta"},
                     {.name = "--groups"},
                     OUTPUT_OPTION_NAMES,
                     INPUT_OPTION_NAMES,
                     STREAM_OPTION_NAMES,
                     {.name = NULL}};

static bool given(int which) { return o[which].value != NULL; }

const char *release_word(size_t i, const char **summary)
{
    const release_mechanism *m = release_mechanism_at(i);
    if (m == NULL) return NULL;
    *summary = m->summary;
    return m->name;
}

static void refuse(const release_mechanism *m, int which)
{
    if (given(which)) usage_error("release %s has no %s", m->name, o[which].name);
}

static double positive(const release_mechanism *m, int which)
{
    if (!given(which)) usage_error("release %s: with --epsilon, %s is needed too", m->name, o[which].name);
    const double x = option_number(&o[which], 0);
    if (!(x > 0)) usage_error("%s %s: more than 0", o[which].name, o[which].value);
    return x;
}

static double scale_of_promise(const release_mechanism *m)
{
    const bool is_gaussian = m->promise != PROMISE_LAPLACE;
    const double epsilon = positive(m, EPSILON);
    double delta = 0;
    if (!given(SENSITIVITY)) usage_error("release %s: --epsilon needs --sensitivity", m->name);
    const double sensitivity = option_number(&o[SENSITIVITY], 0);
    if (!(sensitivity >= 0)) usage_error("--sensitivity %s: 0 or more", o[SENSITIVITY].value);
    if (!is_gaussian) refuse(m, DELTA);
    else delta = positive(m, DELTA);
    if (!(delta < 1)) usage_error("--delta %s: more than 0, less than 1", o[DELTA].value);
    if (sensitivity == 0) warning("--sensitivity 0 says that no record moves an answer: they come out without noise");
    const double scale = release_scale_for(m, sensitivity, epsilon, delta);
    if (!(scale <= m->scale_max))
        usage_error("release %s: the promise needs more noise than there is, a scale of at most %g", m->name,
                    m->scale_max);
    return scale;
}

static double scale_as_given(const release_mechanism *m)
{
    const double scale = option_number(&o[SCALE], 0);
    refuse(m, DELTA);
    refuse(m, SENSITIVITY);
    if (scale != 0 && !(scale >= m->scale_min && scale <= m->scale_max))
        usage_error("--scale %s: 0, or from %g to %g", o[SCALE].value, m->scale_min, m->scale_max);
    if (scale == 0) warning("--scale 0 adds no noise: the answers themselves come out, rounded to the grid");
    return scale;
}

static void read_grid(const release_mechanism *m, release_given *g)
{
    int exponent;
    g->grid = simdp_release_grid(g->scale);
    if (!given(GRID)) return;
    if (!m->has_grid) refuse(m, GRID);
    g->grid = option_number(&o[GRID], 0);
    if (!(g->grid >= SIMDP_RELEASE_GRID_MIN && g->grid <= SIMDP_RELEASE_GRID_MAX) || frexp(g->grid, &exponent) != 0.5)
        usage_error("--grid %s: a power of two from %g to %g", o[GRID].value, SIMDP_RELEASE_GRID_MIN,
                    SIMDP_RELEASE_GRID_MAX);
    if (g->scale != 0 && !(g->scale / g->grid >= 0x1p-30 && g->scale / g->grid <= 0x1p44))
        usage_error("--grid %s: the scale %g divided by it must be from 2^-30 to 2^44", o[GRID].value, g->scale);
}

/* Who is counted once in each of K groups moves counts by K in L1 and by the root of K in L2. A person who moves them
 * by more makes a group of more than one, which a threshold for groups of one shows more often than it says. Digits of a
 * root are rounded, so it may be a thousandth above. */
static void check_groups(const release_mechanism *m, uint64_t groups)
{
    const double sensitivity = option_number(&o[SENSITIVITY], 0),
                 most = m->promise == PROMISE_LAPLACE ? (double)groups : sqrt((double)groups) * (1 + 0x1p-10);
    if (given(SENSITIVITY) && !(sensitivity <= most))
        usage_error("--sensitivity %s: who is counted once in each of --groups %s moves counts by %.6g at most; else "
                    "choose a --threshold",
                    o[SENSITIVITY].value, given(GROUPS) ? o[GROUPS].value : "1", most);
}

/* Given as such, or by how likely the groups of one person may be shown where nobody else is in them. */
static void read_threshold(const release_mechanism *m, release_given *g)
{
    if (m->threshold == NULL) {
        refuse(m, THRESHOLD);
        refuse(m, THRESHOLD_DELTA);
        refuse(m, GROUPS);
        return;
    }
    if (given(THRESHOLD) == given(THRESHOLD_DELTA))
        usage_error("release %s needs --threshold-delta, or --threshold%s", m->name,
                    given(THRESHOLD) ? ", not both" : "");
    g->threshold = option_number(&o[THRESHOLD], 0);
    if (given(THRESHOLD)) {
        refuse(m, GROUPS);
        if (!(fabs(g->threshold) <= 0x1p1000))
            usage_error("--threshold %s: from -2^1000 to 2^1000", o[THRESHOLD].value);
        return;
    }
    const double delta = option_number(&o[THRESHOLD_DELTA], 0);
    const uint64_t groups = option_count(&o[GROUPS], 1);
    check_groups(m, groups);
    if (m->threshold(&g->threshold, &delta, 1, g->scale, g->grid, groups) != SIMDP_OK)
        usage_error("--threshold-delta %s: from 2^-1000, less than 1, with noise and --groups above 0",
                    o[THRESHOLD_DELTA].value);
}

static release_given read_parameters(const release_mechanism *m)
{
    release_given g = {0};
    if (!m->has_values) refuse(m, VALUES);
    if (m->has_values) {
        const uint64_t values = option_count(&o[VALUES], 0);
        if (values < 1 || values > UINT32_MAX) usage_error("release %s needs --values K, from 1 to 2^32 - 1", m->name);
        g.values = (uint32_t)values;
    }
    if (m->promise == PROMISE_EPSILON) {
        refuse(m, SCALE);
        refuse(m, SENSITIVITY);
        refuse(m, DELTA);
        refuse(m, GRID);
        if (!given(EPSILON)) usage_error("release %s needs --epsilon", m->name);
        g.epsilon = option_number(&o[EPSILON], 0);
        if (!(g.epsilon >= 0)) usage_error("--epsilon %s: 0 or more", o[EPSILON].value);
        read_threshold(m, &g);
        return g;
    }
    if (given(SCALE) == given(EPSILON))
        usage_error("release %s needs --epsilon and --sensitivity%s, or --scale%s", m->name,
                    m->promise == PROMISE_LAPLACE ? "" : " and --delta", given(SCALE) ? ", not both" : "");
    g.scale = given(SCALE) ? scale_as_given(m) : scale_of_promise(m);
    g.epsilon = option_number(&o[EPSILON], 0);
    read_grid(m, &g);
    read_threshold(m, &g);
    return g;
}

/* What JSON tells beside the values. */
static const sink_note *notes_of(const release_mechanism *m, const release_given *g)
{
    static sink_note notes[7];
    size_t count = 0;
    if (given(EPSILON)) notes[count++] = (sink_note){"epsilon", g->epsilon};
    if (given(DELTA)) notes[count++] = (sink_note){"delta", option_number(&o[DELTA], 0)};
    if (given(SENSITIVITY)) notes[count++] = (sink_note){"sensitivity", option_number(&o[SENSITIVITY], 0)};
    if (m->promise != PROMISE_EPSILON) notes[count++] = (sink_note){"scale", g->scale};
    if (m->has_grid) notes[count++] = (sink_note){"grid", g->grid};
    if (m->threshold != NULL) notes[count++] = (sink_note){"threshold", g->threshold};
    notes[count] = (sink_note){NULL, 0};
    return notes;
}

static simdp_status run_by_id(const release_mechanism *m, const release_given *g, simdp_rng *rng, source *from,
                              void *values, size_t n)
{
    static simdp_id ids[SOURCE_BATCH_MOST];
    source_ids(from, rng, ids, 1);
    return m->run_by_id(rng, values, values, ids, n, g);
}

/* The noise of an identity is the same in every run with the key, so it needs one, and a column to read. */
static void check_identities(const release_mechanism *m)
{
    if (!given(INPUT + FILE_ID_COLUMN)) return;
    if (m->run_by_id == NULL) usage_error("release %s has no noise by identity", m->name);
    if (!stream_is_fixed(&o[STREAM])) usage_error("--id-column needs a --key-file: ids and noise belong to a key");
    if (given(STREAM + STREAM_POSITION)) usage_error("--id-column and --position exclude each other");
}

/* Of a CSV file, groups that are hidden do not come out: their names are secret too. */
static void write_shown(sink *to, const source *from, const double *counts, size_t n)
{
    if (to->format != &format_csv || from->format != &format_csv) {
        sink_write(to, counts, n);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        char text[ELEMENT_TEXT_BYTES];
        if (isnan(counts[i])) continue;
        csv_put_record(&to->out, &from->csv, i, text, element_print(to->type, &counts[i], text));
    }
}

static void release_all(const release_mechanism *m, const release_given *g, simdp_rng *rng, source *from)
{
    static _Alignas(64) unsigned char values[SOURCE_BATCH_MOST * ELEMENT_BYTES_MOST];
    char title[64];
    snprintf(title, sizeof title, "release %s", m->name);
    sink to = {.type = m->type, .count = from->count, .from = from, .title = title, .notes = notes_of(m, g)};
    file_open_sink(&to, &o[OUTPUT], NULL);
    for (size_t n; (n = source_read(from, values, SOURCE_BATCH_MOST)) > 0;) {
        const simdp_status status =
            source_has_ids(from) ? run_by_id(m, g, rng, from, values, n) : m->run(rng, values, values, n, g);
        if (status == SIMDP_EPARAM) usage_error("release %s: the stream has no positions left", m->name);
        if (status != SIMDP_OK) failure("%s", simdp_status_text(status));
        if (m->threshold != NULL) write_shown(&to, from, (const double *)(const void *)values, n);
        else sink_write(&to, values, n);
    }
    sink_close(&to);
}

int command_release(int argc, char **argv)
{
    simdp_rng rng;
    source from;
    if (argc == 0) usage_error("release needs a mechanism, for example laplace; 'simdp help release' lists them");
    const release_mechanism *m = release_mechanism_named(argv[0]);
    if (m == NULL) usage_error("unknown mechanism '%s'; 'simdp help release' lists them", argv[0]);
    options_read(o, argc - 1, argv + 1);
    const release_given g = read_parameters(m);
    check_identities(m);
    stream_open(&rng, &o[STREAM], STREAM_FOR_RELEASES);
    file_open_source(&from, &o[INPUT], m->type);
    release_all(m, &g, &rng, &from);
    source_close(&from);
    simdp_rng_wipe(&rng);
    return 0;
}
