/* simdp release, simdp select: numbers on standard input (one a line, or separated by blanks), results on standard
 * output. The whole input is read and checked before anything is drawn: a broken line ends the program with exit 2 and
 * no output. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "number_text.h"
#include "options.h"
#include "text_input.h"

static bool is_blank(int c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == ','; }

/* All numbers of standard input. They live as long as the program, which may end at any broken line or option. */
static double *numbers;

static void read_numbers(size_t *count)
{
    text_input in = {.file = stdin, .name = "standard input", .line = 1};
    size_t room = 1024;
    char word[64];
    *count = 0;
    numbers = malloc(room * sizeof *numbers);
    for (int c = text_next(&in); numbers != NULL && c != EOF;) {
        size_t length = 0;
        while (is_blank(c)) c = text_next(&in);
        if (c == EOF) break;
        const size_t line = in.line;
        while (c != EOF && !is_blank(c)) {
            if (length + 1 < sizeof word) word[length++] = (char)c;
            c = text_next(&in);
        }
        word[length] = '\0';
        char *end;
        const double x = strtod(word, &end);
        if (*end != '\0' || length + 1 == sizeof word) text_error(&in, line, "'%s' is not a number", word);
        if (*count == room) {
            double *more = realloc(numbers, (room *= 2) * sizeof *numbers);
            if (more == NULL) free(numbers);
            numbers = more;
        }
        if (numbers != NULL) numbers[(*count)++] = x;
    }
    if (numbers == NULL) failure("no memory for the numbers");
}

int command_release(int argc, char **argv)
{
    enum { SCALE, GRID, KEY, STREAM, POSITION, ISA };
    option o[] = {{.name = "--scale"},    {.name = "--grid"}, {.name = "--key"}, {.name = "--stream"},
                  {.name = "--position"}, {.name = "--isa"},  {.name = NULL}};
    simdp_rng rng;
    size_t n;
    char text[NUMBER_TEXT_BYTES];
    if (argc == 0 || (strcmp(argv[0], "laplace") != 0 && strcmp(argv[0], "gaussian") != 0))
        usage_error("release needs a mechanism: laplace or gaussian");
    const bool laplace = strcmp(argv[0], "laplace") == 0;
    options_read(o, argc - 1, argv + 1);
    if (o[SCALE].value == NULL) usage_error("release needs --scale");
    const double scale = option_number(&o[SCALE], 0.0), grid = option_number(&o[GRID], simdp_release_grid(scale));
    read_numbers(&n);
    options_open_rng(&rng, &o[KEY], &o[STREAM], &o[POSITION], &o[ISA]);
    const simdp_status status = laplace ? simdp_release_laplace(&rng, numbers, numbers, n, scale, grid)
                                        : simdp_release_gaussian(&rng, numbers, numbers, n, scale, grid);
    if (status == SIMDP_EPARAM)
        usage_error("--scale %s and the grid: out of range (see simdp_release.h)", o[SCALE].value);
    if (status != SIMDP_OK) failure("%s", simdp_status_text(status));
    for (size_t i = 0; i < n; i++) puts(number_text(text, numbers[i]));
    simdp_rng_wipe(&rng);
    return 0;
}

int command_select(int argc, char **argv)
{
    enum { SCALE, EPSILON, SENSITIVITY, MONOTONIC, DRAWS, TOP, KEY, STREAM, POSITION, ISA };
    option o[] = {{.name = "--scale"},     {.name = "--epsilon"}, {.name = "--sensitivity"},
                  {.name = "--monotonic"}, {.name = "--draws"},   {.name = "--top"},
                  {.name = "--key"},       {.name = "--stream"},  {.name = "--position"},
                  {.name = "--isa"},       {.name = NULL}};
    simdp_rng rng;
    size_t n;
    options_read(o, argc, argv);
    if ((o[SCALE].value == NULL) == (o[EPSILON].value == NULL))
        usage_error("select needs --scale, or --epsilon and --sensitivity");
    if (o[DRAWS].value != NULL && o[TOP].value != NULL) usage_error("--draws and --top exclude each other");
    if (o[MONOTONIC].value != NULL && strcmp(o[MONOTONIC].value, "yes") != 0 && strcmp(o[MONOTONIC].value, "no") != 0)
        usage_error("--monotonic %s: yes or no", o[MONOTONIC].value);
    const int monotonic = o[MONOTONIC].value != NULL && strcmp(o[MONOTONIC].value, "yes") == 0;
    const double scale = o[SCALE].value != NULL ? option_number(&o[SCALE], 0.0)
                                                : simdp_select_scale(option_number(&o[EPSILON], 0.0),
                                                                     option_number(&o[SENSITIVITY], 1.0), monotonic);
    const uint64_t winners = option_count(&o[TOP], option_count(&o[DRAWS], 1));
    static size_t *index; /* as long as the program, like the numbers */
    read_numbers(&n);
    index = winners <= SIZE_MAX / sizeof *index ? malloc((size_t)winners * sizeof *index + 1) : NULL;
    if (index == NULL) failure("no memory for the winners");
    options_open_rng(&rng, &o[KEY], &o[STREAM], &o[POSITION], &o[ISA]);
    const simdp_status status = o[TOP].value != NULL
                                    ? simdp_select_gumbel_top_k(&rng, index, (size_t)winners, numbers, n, scale)
                                    : simdp_select_gumbel_many(&rng, index, (size_t)winners, numbers, n, scale);
    if (status == SIMDP_EPARAM)
        usage_error("%zu scores, scale %g, %llu winners: out of range", n, scale, (unsigned long long)winners);
    if (status != SIMDP_OK) failure("%s", simdp_status_text(status));
    for (size_t i = 0; i < winners; i++) printf("%zu\n", index[i]);
    simdp_rng_wipe(&rng);
    return 0;
}
