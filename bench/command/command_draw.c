/* simdp words, simdp noise: an endless or counted stream of numbers, in constant memory. */
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "file_options.h"
#include "samplers.h"
#include "stream_options.h"

enum { BATCH = 1 << 15 }; /* numbers at a time: what the second cache holds, for few calls of the system */

static element element_of(const kernel_line *s)
{
    switch (s->out) {
    case OUT_WORDS: return ELEMENT_WORD;
    case OUT_I64: return ELEMENT_I64;
    case OUT_F32: return ELEMENT_F32;
    default: return ELEMENT_F64;
    }
}

const char *noise_word(size_t i, const char **summary)
{
    const kernel_line *s = sampler_at(i);
    if (s == NULL) return NULL;
    *summary = "";
    return sampler_name(s);
}

static double read_scale(const kernel_line *s, const option *o)
{
    double least = SIMDP_NOISE_SCALE_MIN, most = SIMDP_NOISE_SCALE_MAX;
    if (s->out == OUT_F32) least = (double)SIMDP_NOISE_SCALE_MIN_F32, most = (double)SIMDP_NOISE_SCALE_MAX_F32;
    if (s->out == OUT_I64) least = SIMDP_RELEASE_DISCRETE_MIN, most = SIMDP_RELEASE_DISCRETE_MAX;
    const double scale = option_number(o, 1);
    if (scale != 0 && !(scale >= least && scale <= most))
        usage_error("--scale %s: 0, or from %g to %g", o->value, least, most);
    if (scale == 0) warning("--scale 0 makes every number 0");
    return scale;
}

static int draw_all(const kernel_line *s, const char *title, int argc, char **argv)
{
    enum { COUNT, OUTPUT, STREAM = OUTPUT + FILE_OUTPUT_COUNT, SCALE = STREAM + STREAM_OPTIONS_COUNT };
    option o[] = {{.name = "--count"},
                  OUTPUT_OPTION_NAMES,
                  STREAM_OPTION_NAMES,
                  {.name = sampler_has_scale(s) ? "--scale" : NULL},
                  {.name = NULL}};
    static _Alignas(64) uint64_t own[BATCH];
    simdp_rng rng;
    options_read(o, argc, argv);
    const uint64_t count = option_count(&o[COUNT], COUNT_UNKNOWN);
    const double scale = sampler_has_scale(s) ? read_scale(s, &o[SCALE]) : 0.0;
    const sink_note notes[] = {{sampler_has_scale(s) ? "scale" : NULL, scale}, {NULL, 0}};
    sink to = {.type = element_of(s), .count = count, .title = title, .notes = notes};
    if (o[COUNT].value == NULL && o[OUTPUT].value != NULL)
        usage_error("--output needs --count: a file without end is never whole");
    file_open_sink(&to, &o[OUTPUT], &format_raw);
    if (o[COUNT].value == NULL && to.format->needs_count) usage_error("%s needs --count", to.format->name);
    stream_open(&rng, &o[STREAM], STREAM_FOR_NOISE);
    for (uint64_t left = count; left > 0;) {
        const size_t n = left < BATCH ? (size_t)left : BATCH;
        void *place = to.format == &format_raw ? output_place(&to.out, n * element_bytes(to.type)) : NULL;
        void *numbers = place != NULL ? place : own;
        const simdp_status status = sampler_draw(s, &rng, numbers, n, scale);
        if (status == SIMDP_EPARAM) usage_error("the stream has no positions left");
        if (status != SIMDP_OK) failure("%s", simdp_status_text(status));
        sink_write(&to, numbers, n);
        if (o[COUNT].value != NULL) left -= n;
    }
    sink_close(&to);
    simdp_rng_wipe(&rng);
    return 0;
}

int command_words(int argc, char **argv) { return draw_all(kernel_named("simdp_rng_words"), "words", argc, argv); }

int command_noise(int argc, char **argv)
{
    char title[64];
    if (argc == 0) usage_error("noise needs a law, for example laplace or gaussian_f32");
    const kernel_line *s = sampler_named(argv[0]);
    if (s == NULL) usage_error("unknown law '%s'; 'simdp help noise' lists them", argv[0]);
    snprintf(title, sizeof title, "noise %s", sampler_name(s));
    return draw_all(s, title, argc - 1, argv + 1);
}
