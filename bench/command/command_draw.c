/* simdp words, simdp noise: an endless or counted stream of numbers on standard output, in constant memory. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "number_text.h"
#include "options.h"
#include "samplers.h"

#define BATCH 8192 /* numbers at a time; even, so that floats use whole words */

static void write_text(const kernel_line *s, const void *numbers, size_t n)
{
    char text[NUMBER_TEXT_BYTES];
    for (size_t i = 0; i < n; i++) {
        switch (s->out) {
        case OUT_WORDS: printf("%016llx\n", (unsigned long long)((const uint64_t *)numbers)[i]); break;
        case OUT_I64: printf("%lld\n", (long long)((const int64_t *)numbers)[i]); break;
        case OUT_F64: puts(number_text(text, ((const double *)numbers)[i])); break;
        default: printf("%.9g\n", (double)((const float *)numbers)[i]);
        }
    }
}

static int draw_all(const kernel_line *s, int argc, char **argv)
{
    enum { COUNT, KEY, STREAM, POSITION, ISA, FORMAT, FORCE, SCALE };
    option o[] = {{.name = "--count"},
                  {.name = "--key"},
                  {.name = "--stream"},
                  {.name = "--position"},
                  {.name = "--isa"},
                  {.name = "--format"},
                  {.name = "--force", .is_flag = true},
                  {.name = sampler_has_scale(s) ? "--scale" : NULL},
                  {.name = NULL}};
    static uint64_t numbers[BATCH];
    simdp_rng rng;
    options_read(o, argc, argv);
    const bool endless = o[COUNT].value == NULL;
    uint64_t left = option_count(&o[COUNT], BATCH);
    const double scale = sampler_has_scale(s) ? option_number(&o[SCALE], 1.0) : 0.0;
    const bool text = o[FORMAT].value != NULL && strcmp(o[FORMAT].value, "text") == 0;
    if (o[FORMAT].value != NULL && !text && strcmp(o[FORMAT].value, "raw") != 0)
        usage_error("--format %s: raw or text", o[FORMAT].value);
    if (!text && o[FORCE].value == NULL && isatty(STDOUT_FILENO))
        usage_error("raw numbers are not for a terminal: use a pipe, --format text, or --force");
    options_open_rng(&rng, &o[KEY], &o[STREAM], &o[POSITION], &o[ISA]);
    while (left > 0) {
        const size_t n = left < BATCH ? (size_t)left : BATCH;
        const simdp_status status = sampler_draw(s, &rng, numbers, n, scale);
        if (status == SIMDP_EPARAM && sampler_has_scale(s))
            usage_error("--scale %s: out of range, or the stream ends", o[SCALE].value ? o[SCALE].value : "1");
        if (status != SIMDP_OK) failure("%s", simdp_status_text(status));
        if (text) write_text(s, numbers, n);
        else fwrite(numbers, kernel_out_bytes(s, 1), n, stdout);
        if (ferror(stdout)) failure("cannot write to standard output");
        if (!endless) left -= n;
    }
    simdp_rng_wipe(&rng);
    return 0;
}

int command_words(int argc, char **argv) { return draw_all(kernel_named("simdp_rng_words"), argc, argv); }

int command_noise(int argc, char **argv)
{
    if (argc == 0) usage_error("noise needs a law, for example laplace or gaussian_f32");
    const kernel_line *s = sampler_named(argv[0]);
    if (s == NULL) usage_error("unknown law '%s'", argv[0]);
    return draw_all(s, argc - 1, argv + 1);
}
