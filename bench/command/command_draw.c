/* simdp words, simdp noise: an endless or counted stream of numbers on standard output, in constant memory. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "options.h"

#define BATCH 8192   /* numbers at a time */

/* The next n numbers of 8 bytes. */
typedef simdp_status draw_function(simdp_rng *rng, void *out, size_t n, double scale);

static simdp_status draw_words(simdp_rng *rng, void *out, size_t n, double scale)
{
    (void)scale;
    return simdp_rng_words(rng, out, n);
}

static simdp_status draw_laplace(simdp_rng *rng, void *out, size_t n, double scale)
{
    return simdp_noise_laplace_f64(rng, out, n, scale);
}

static const struct {
    const char *name;
    draw_function *draw;
} laws[] = {{"laplace", draw_laplace}};

static void write_text(const uint64_t *numbers, size_t n, bool is_noise)
{
    for (size_t i = 0; i < n; i++) {
        double x;
        memcpy(&x, &numbers[i], sizeof x);
        if (is_noise) printf("%.17g\n", x);
        else printf("%016llx\n", (unsigned long long)numbers[i]);
    }
}

static int draw_all(draw_function *draw, bool is_noise, int argc, char **argv)
{
    enum { COUNT, KEY, STREAM, POSITION, ISA, FORMAT, SCALE };
    option o[] = {{"--count", 0}, {"--key", 0}, {"--stream", 0}, {"--position", 0}, {"--isa", 0}, {"--format", 0},
                  {is_noise ? "--scale" : NULL, 0}, {NULL, 0}};
    static uint64_t numbers[BATCH];
    simdp_rng rng;
    options_read(o, argc, argv);
    const bool endless = o[COUNT].value == NULL;
    uint64_t left = option_count(&o[COUNT], BATCH);
    const double scale = is_noise ? option_number(&o[SCALE], 1.0) : 0.0;
    const bool text = o[FORMAT].value != NULL && strcmp(o[FORMAT].value, "text") == 0;
    if (o[FORMAT].value != NULL && !text && strcmp(o[FORMAT].value, "raw") != 0)
        usage_error("--format %s: raw or text", o[FORMAT].value);
    if (!text && isatty(STDOUT_FILENO)) usage_error("raw numbers are not for a terminal: use a pipe, or --format text");
    options_open_rng(&rng, &o[KEY], &o[STREAM], &o[POSITION], &o[ISA]);
    while (left > 0) {
        const size_t n = left < BATCH ? (size_t)left : BATCH;
        const simdp_status status = draw(&rng, numbers, n, scale);
        if (status == SIMDP_EPARAM && is_noise) usage_error("--scale %s: out of range, or the stream ends", o[SCALE].value ? o[SCALE].value : "1");
        if (status != SIMDP_OK) failure("%s", simdp_status_text(status));
        if (text) write_text(numbers, n, is_noise);
        else fwrite(numbers, sizeof numbers[0], n, stdout);
        if (ferror(stdout)) failure("cannot write to standard output");
        if (!endless) left -= n;
    }
    simdp_rng_wipe(&rng);
    if (fflush(stdout) != 0) failure("cannot write to standard output");
    return 0;
}

int command_words(int argc, char **argv) { return draw_all(draw_words, false, argc, argv); }

int command_noise(int argc, char **argv)
{
    if (argc == 0) usage_error("noise needs a law: laplace");
    for (size_t i = 0; i < sizeof laws / sizeof laws[0]; i++) {
        if (strcmp(argv[0], laws[i].name) == 0) return draw_all(laws[i].draw, true, argc - 1, argv + 1);
    }
    usage_error("unknown law '%s'", argv[0]);
}
