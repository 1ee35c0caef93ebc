/* drawing_functions.c: the list, and its comparison with the public headers. */
#include "drawing_functions.h"

#include <ctype.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- raw noise ---- */

#define RUN(name) static simdp_status run_##name(const draw_call *c)

#define RUN_PLAIN(function, type) \
    RUN(function) { return function(c->rng, (type *)c->out, c->n); }
#define RUN_SCALED(function, type, number) \
    RUN(function) { return function(c->rng, (type *)c->out, c->n, (number)c->p[0]); }
#define RUN_LAW(law)                                        \
    RUN_SCALED(simdp_noise_##law##_f64, double, double)     \
    RUN_SCALED(simdp_noise_##law##_f64_add, double, double) \
    RUN_SCALED(simdp_noise_##law##_f32, float, float)       \
    RUN_SCALED(simdp_noise_##law##_f32_add, float, float)

RUN_PLAIN(simdp_rng_words, uint64_t)
RUN_PLAIN(simdp_noise_uniform_f64, double)
RUN_PLAIN(simdp_noise_uniform_f64_add, double)
RUN_PLAIN(simdp_noise_uniform_f32, float)
RUN_PLAIN(simdp_noise_uniform_f32_add, float)
RUN_LAW(exponential)
RUN_LAW(laplace)
RUN_LAW(gaussian)
RUN_LAW(gumbel)
RUN_SCALED(simdp_noise_discrete_laplace_i64, int64_t, double)
RUN_SCALED(simdp_noise_discrete_gaussian_i64, int64_t, double)

/* ---- releases ---- */

RUN(simdp_release_laplace) { return simdp_release_laplace(c->rng, c->out, c->in, c->n, c->p[0], c->p[1]); }
RUN(simdp_release_gaussian) { return simdp_release_gaussian(c->rng, c->out, c->in, c->n, c->p[0], c->p[1]); }

#define RUN_RELEASE(function) \
    RUN(function) { return function(c->rng, c->out, c->in, c->n, c->p[0]); }

RUN_RELEASE(simdp_release_laplace_i64)
RUN_RELEASE(simdp_release_gaussian_i64)
RUN_RELEASE(simdp_release_discrete_laplace_i64)
RUN_RELEASE(simdp_release_discrete_gaussian_i64)
RUN_RELEASE(simdp_release_randomized_response)
RUN_RELEASE(simdp_release_randomized_response_packed)

#define RUN_TYPICAL(function)                                                                                 \
    RUN(function)                                                                                             \
    {                                                                                                         \
        return function(c->rng, c->out, c->in, c->n,                                                          \
                        (simdp_theory_concentration){.kind = SIMDP_THEORY_SUBGAUSSIAN, .parameter = c->p[0]}, \
                        (simdp_theory_stability){.eta = c->p[1], .nu = c->p[2], .tau = c->p[3]});             \
    }

RUN_TYPICAL(simdp_theory_release_laplace)
RUN_TYPICAL(simdp_theory_release_gaussian)

RUN(simdp_theory_leaky_response) { return simdp_theory_leaky_response(c->rng, c->out, c->in, c->n, c->p[0], c->p[1]); }
RUN(simdp_theory_name_and_shame) { return simdp_theory_name_and_shame(c->rng, c->out, c->n, c->p[0]); }

/* ---- selections ---- */

#define RUN_ONE(function) \
    RUN(function) { return function(c->rng, c->out, c->in, c->candidates, c->p[0]); }
#define RUN_MANY(function) \
    RUN(function) { return function(c->rng, c->out, c->n, c->in, c->candidates, c->p[0]); }
#define RUN_ROWS(function) \
    RUN(function) { return function(c->rng, c->out, c->in, c->n, c->candidates, c->p[0]); }
#define RUN_SELECT(suffix)                             \
    RUN_ONE(simdp_select_gumbel##suffix)               \
    RUN_ONE(simdp_select_gumbel_vartime##suffix)       \
    RUN_ONE(simdp_select_permute_flip##suffix)         \
    RUN_MANY(simdp_select_gumbel_many##suffix)         \
    RUN_MANY(simdp_select_gumbel_many_vartime##suffix) \
    RUN_MANY(simdp_select_gumbel_top_k##suffix)        \
    RUN_ROWS(simdp_select_gumbel_rows##suffix)

RUN_SELECT()
RUN_SELECT(_f32)
RUN(simdp_select_prepared) { return simdp_select_prepared(c->rng, c->out, c->n, c->in); }
RUN(simdp_select_prepared_vartime) { return simdp_select_prepared_vartime(c->rng, c->out, c->n, c->in); }

/* The sums are the caller's secret; only the column is for others. One row. */
RUN(simdp_theory_select_column)
{
    static double sums[65536];
    const size_t columns = c->candidates;
    return simdp_theory_select_column(c->rng, c->out, columns <= sizeof sums / sizeof *sums ? sums : c->out, c->in, 1,
                                      columns, c->p[0]);
}

/* ---- simulations: numbers about mechanisms, no releases ---- */

RUN(simdp_theory_laplace_map) { return simdp_theory_laplace_map(c->rng, c->out, c->in, c->n, 0.0, 1.0, c->p[0]); }
RUN(simdp_theory_discrete_map_draw)
{
    static const double map[4 * 2] = {0.5, 0.5, 0.25, 0.75, 1, 0, 0, 1};
    return simdp_theory_discrete_map_draw(c->rng, c->out, c->in, c->n, map, 2);
}
RUN(simdp_theory_polya_urn) { return simdp_theory_polya_urn(c->rng, c->out, c->n, 3, 5); }

static const double audit_epsilon[1] = {0.5};
static simdp_audit_plan audit_plan_of(const draw_call *c)
{
    return (simdp_audit_plan){.epsilon = audit_epsilon, .epsilons = 1, .samples = c->n, .error = 1e-3};
}

RUN(simdp_audit_laplace)
{
    const simdp_audit_plan plan = audit_plan_of(c);
    return simdp_audit_laplace(c->rng, c->out, &plan, 0.0, 1.0, c->p[0]);
}
RUN(simdp_audit_gaussian)
{
    const simdp_audit_plan plan = audit_plan_of(c);
    return simdp_audit_gaussian(c->rng, c->out, &plan, 0.0, 1.0, c->p[0]);
}
RUN(simdp_audit_selection)
{
    const simdp_audit_plan plan = audit_plan_of(c);
    return simdp_audit_selection(c->rng, c->out, &plan, c->in, c->in, c->candidates, c->p[0]);
}
RUN(simdp_audit_randomized_response)
{
    const simdp_audit_plan plan = audit_plan_of(c);
    return simdp_audit_randomized_response(c->rng, c->out, &plan, c->p[0]);
}
RUN(simdp_audit_draw)
{
    static simdp_audit audit;
    simdp_audit_plan plan = audit_plan_of(c);
    plan.hockey_stick = 1;
    const simdp_status status = simdp_audit_begin_gaussian(&audit, &plan, 0.0, 1.0, c->p[0]);
    return status == SIMDP_OK ? simdp_audit_draw(c->rng, &audit, c->n) : status;
}

/* Each mechanism in turn, on a dataset that is one number. */
static simdp_status one_number(void *context, double *answers, size_t n, const void *data)
{
    (void)context;
    for (size_t i = 0; i < n; i++) answers[i] = *(const double *)data;
    return SIMDP_OK;
}

static simdp_status in_turn(const simdp_mechanism *kinds, size_t count, simdp_theory_request *next, size_t steps)
{
    next->mechanism = (simdp_theory_mechanism){
        .kind = kinds[steps % count], .sensitivity = 1, .scale = 4, .epsilon = 0.25, .delta = 1e-6, .nu = 0.1};
    next->query = one_number;
    next->candidates = 8;
    return SIMDP_OK;
}

static simdp_status every_kind(void *context, simdp_theory_request *next, const simdp_theory_step *steps, size_t count)
{
    static const simdp_mechanism kinds[] = {SIMDP_MECHANISM_LAPLACE, SIMDP_MECHANISM_GAUSSIAN,
                                            SIMDP_MECHANISM_SELECTION, SIMDP_MECHANISM_RANDOMIZED_RESPONSE,
                                            SIMDP_MECHANISM_LEAKY_RESPONSE};
    (void)context;
    (void)steps;
    return in_turn(kinds, sizeof kinds / sizeof *kinds, next, count);
}

static simdp_status mapped_kinds(void *context, simdp_theory_request *next, const simdp_theory_step *steps,
                                 size_t count)
{
    static const simdp_mechanism kinds[] = {SIMDP_MECHANISM_LAPLACE, SIMDP_MECHANISM_SELECTION,
                                            SIMDP_MECHANISM_RANDOMIZED_RESPONSE, SIMDP_MECHANISM_LEAKY_RESPONSE};
    (void)context;
    (void)steps;
    return in_turn(kinds, sizeof kinds / sizeof *kinds, next, count);
}

RUN(simdp_theory_interact)
{
    static const double data = 0.5;
    double scratch[64];
    simdp_theory_interaction run = {.steps = c->out, .capacity = c->n, .scratch = scratch, .scratch_size = 64};
    return simdp_theory_interact(c->rng, &run, every_kind, NULL, &data, NULL, NULL);
}
RUN(simdp_theory_transcript_map)
{
    static const double data[2] = {0.5, 0.75};
    double scratch[64];
    simdp_theory_interaction run = {.steps = c->out, .capacity = c->n, .scratch = scratch, .scratch_size = 64};
    return simdp_theory_transcript_map(c->rng, &run, c->in, c->n, mapped_kinds, NULL, &data[0], &data[1], 1.0, 1e-5);
}

/* ---- the list ---- */

#define LIST(function) .name = #function, .run = run_##function
#define LAW(law)                                                                                  \
    {LIST(simdp_noise_##law##_f64), OUT_F64, IN_NONE, DRAW_RAW, "s", {1.0}, 0, 0, false},         \
        {LIST(simdp_noise_##law##_f64_add), OUT_F64, IN_NONE, DRAW_RAW, "s", {1.0}, 0, 0, false}, \
        {LIST(simdp_noise_##law##_f32), OUT_F32, IN_NONE, DRAW_RAW, "s", {1.0}, 0, 0, false},     \
    {                                                                                             \
        LIST(simdp_noise_##law##_f32_add), OUT_F32, IN_NONE, DRAW_RAW, "s", {1.0}, 0, 0, false    \
    }
#define SELECT(suffix, in)                                                                                       \
    {LIST(simdp_select_gumbel##suffix), OUT_INDEX, in, DRAW_PUBLISHES, "s", {2.0}, 1, 0, true},                  \
        {LIST(simdp_select_gumbel_vartime##suffix), OUT_INDEX, in, DRAW_PUBLISHES, "s", {2.0}, 1, 0, true},      \
        {LIST(simdp_select_permute_flip##suffix), OUT_INDEX, in, DRAW_PUBLISHES, "s", {2.0}, 1, 0, true},        \
        {LIST(simdp_select_gumbel_many##suffix), OUT_INDEX, in, DRAW_PUBLISHES, "s", {2.0}, 0, 0, true},         \
        {LIST(simdp_select_gumbel_many_vartime##suffix), OUT_INDEX, in, DRAW_PUBLISHES, "s", {2.0}, 0, 0, true}, \
        {LIST(simdp_select_gumbel_top_k##suffix), OUT_INDEX, in, DRAW_PUBLISHES, "s", {2.0}, 0, 0, true},        \
    {                                                                                                            \
        LIST(simdp_select_gumbel_rows##suffix), OUT_INDEX, in, DRAW_PUBLISHES, "s", {2.0}, 0, 0, true            \
    }
#define RELEASE(function, out, letters, ...)                                              \
    {                                                                                     \
        LIST(function), out, IN_SAME, DRAW_PUBLISHES, letters, {__VA_ARGS__}, 0, 0, false \
    }

const drawing_function drawing_functions[] = {
    RELEASE(simdp_release_laplace, OUT_F64, "sg", 3.0, 0x1p-10),
    RELEASE(simdp_release_gaussian, OUT_F64, "sg", 3.0, 0x1p-10),
    RELEASE(simdp_release_laplace_i64, OUT_I64, "s", 9.0),
    RELEASE(simdp_release_gaussian_i64, OUT_I64, "s", 700.0),
    RELEASE(simdp_release_discrete_laplace_i64, OUT_I64, "d", 9.0),
    RELEASE(simdp_release_discrete_gaussian_i64, OUT_I64, "d", 9.0),
    RELEASE(simdp_release_randomized_response, OUT_BYTES, "e", 1.0),
    RELEASE(simdp_release_randomized_response_packed, OUT_PACKED, "e", 1.0),
    RELEASE(simdp_theory_release_laplace, OUT_F64, "qtu-", 1.0, 0.5, 0.01, 0.01),
    RELEASE(simdp_theory_release_gaussian, OUT_F64, "qtuu", 1.0, 0.5, 0.01, 0.01),
    {LIST(simdp_theory_leaky_response), OUT_BYTES, IN_SAME, DRAW_PUBLISHES, "ep", {1.0, 0.1}, 0, 128, false},
    {LIST(simdp_theory_name_and_shame), OUT_FLAGS, IN_NONE, DRAW_PUBLISHES, "p", {0.1}, 0, 128, false},
    {LIST(simdp_theory_select_column), OUT_INDEX, IN_F64, DRAW_PUBLISHES, "h", {0.5}, 1, 0, true},
    SELECT(, IN_F64),
    SELECT(_f32, IN_F32),
    {LIST(simdp_select_prepared), OUT_INDEX, IN_WORKSPACE, DRAW_PUBLISHES, "", {0}, 0, 0, true},
    {LIST(simdp_select_prepared_vartime), OUT_INDEX, IN_WORKSPACE, DRAW_PUBLISHES, "", {0}, 0, 0, true},
    {LIST(simdp_rng_words), OUT_WORDS, IN_NONE, DRAW_RAW, "", {0}, 0, 0, false},
    {LIST(simdp_noise_uniform_f64), OUT_F64, IN_NONE, DRAW_RAW, "", {0}, 0, 0, false},
    {LIST(simdp_noise_uniform_f64_add), OUT_F64, IN_NONE, DRAW_RAW, "", {0}, 0, 0, false},
    {LIST(simdp_noise_uniform_f32), OUT_F32, IN_NONE, DRAW_RAW, "", {0}, 0, 0, false},
    {LIST(simdp_noise_uniform_f32_add), OUT_F32, IN_NONE, DRAW_RAW, "", {0}, 0, 0, false},
    LAW(exponential),
    LAW(laplace),
    LAW(gaussian),
    LAW(gumbel),
    {LIST(simdp_noise_discrete_laplace_i64), OUT_I64, IN_NONE, DRAW_RAW, "d", {9.0}, 0, 0, false},
    {LIST(simdp_noise_discrete_gaussian_i64), OUT_I64, IN_NONE, DRAW_RAW, "d", {9.0}, 0, 0, false},
    {LIST(simdp_theory_laplace_map), OUT_F64, IN_BYTES, DRAW_RAW, "-", {1.0}, 0, 256, false},
    {LIST(simdp_theory_discrete_map_draw), OUT_INDEX, IN_BYTES, DRAW_RAW, "", {0}, 0, 256, false},
    {LIST(simdp_theory_polya_urn), OUT_BYTES, IN_NONE, DRAW_RAW, "", {0}, 0, 256, false},
    {LIST(simdp_audit_laplace), OUT_OBJECT, IN_NONE, DRAW_RAW, "-", {1.0}, 0, 0, false},
    {LIST(simdp_audit_gaussian), OUT_OBJECT, IN_NONE, DRAW_RAW, "-", {1.0}, 0, 0, false},
    {LIST(simdp_audit_selection), OUT_OBJECT, IN_F64, DRAW_RAW, "-", {1.0}, 0, 0, false},
    {LIST(simdp_audit_randomized_response), OUT_OBJECT, IN_NONE, DRAW_RAW, "-", {1.0}, 0, 0, false},
    {LIST(simdp_audit_draw), OUT_OBJECT, IN_NONE, DRAW_RAW, "-", {1.0}, 0, 0, false},
    /* an interaction writes a step only when it is made: a failure leaves nothing to overwrite */
    {LIST(simdp_theory_interact), OUT_OBJECT, IN_NONE, DRAW_RAW, "", {0}, 0, 0, false},
    {LIST(simdp_theory_transcript_map), OUT_OBJECT, IN_BYTES, DRAW_RAW, "", {0}, 0, 0, false},
};

const size_t drawing_functions_count = sizeof drawing_functions / sizeof *drawing_functions;

size_t draw_out_bytes(const drawing_function *f, size_t n)
{
    static const size_t bytes[] = {[OUT_F64] = 8,
                                   [OUT_F32] = 4,
                                   [OUT_I64] = 8,
                                   [OUT_WORDS] = 8,
                                   [OUT_BYTES] = 1,
                                   [OUT_FLAGS] = 1,
                                   [OUT_INDEX] = sizeof(size_t),
                                   [OUT_OBJECT] = sizeof(simdp_theory_step)};
    if (f->winners > 0) n = f->winners;
    return f->out == OUT_PACKED ? (n + 7) / 8 : n * bytes[f->out];
}

/* ---- the headers ---- */

static bool is_listed(const char *name, size_t length)
{
    static const char *const others[] = {/* of a stream, but they draw nothing */
                                         "simdp_rng_init", "simdp_rng_init_deterministic", "simdp_rng_init_vsl",
                                         "simdp_rng_seek", "simdp_rng_position",           "simdp_rng_wipe"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strlen(others[i]) == length && strncmp(name, others[i], length) == 0) return true;
    for (size_t i = 0; i < drawing_functions_count; i++)
        if (strlen(drawing_functions[i].name) == length && strncmp(name, drawing_functions[i].name, length) == 0)
            return true;
    return false;
}

/* The text of a file, its comments blanked; the caller frees it. */
static char *read_header(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = calloc(1, 1 << 20);
    if (file == NULL || text == NULL || fread(text, 1, (1 << 20) - 1, file) == 0) {
        printf("cannot read %s\n", path);
        abort();
    }
    fclose(file);
    for (char *begin = strstr(text, "/*"); begin != NULL; begin = strstr(begin, "/*")) {
        char *end = strstr(begin, "*/");
        if (end == NULL) break;
        memset(begin, ' ', (size_t)(end + 2 - begin));
    }
    return text;
}

static bool is_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* Names followed by a parenthesis within which a stream stands. */
static size_t missing_in(const char *text, size_t *found)
{
    size_t missing = 0;
    for (const char *open = strchr(text, '('); open != NULL; open = strchr(open + 1, '(')) {
        const char *close = strchr(open, ')'), *stream = strstr(open, "simdp_rng *"), *name = open;
        while (name > text && is_name(name[-1])) name--;
        if (close == NULL || stream == NULL || stream > close || name == open) continue;
        ++*found;
        if (is_listed(name, (size_t)(open - name))) continue;
        printf("%.*s takes a stream and is in no list of drawing_functions.c\n", (int)(open - name), name);
        missing++;
    }
    return missing;
}

size_t drawing_functions_missing(const char *folder, size_t *found)
{
    char pattern[4096];
    glob_t headers;
    size_t missing = 0;
    *found = 0;
    snprintf(pattern, sizeof pattern, "%s/*.h", folder);
    if (glob(pattern, 0, NULL, &headers) != 0) return 1;
    for (size_t i = 0; i < headers.gl_pathc; i++) {
        char *text = read_header(headers.gl_pathv[i]);
        missing += missing_in(text, found);
        free(text);
    }
    globfree(&headers);
    return missing;
}
