/* test_kernel_list: the list of kernels against the public headers and the tests. Every function that takes a stream
 * has its line, unless it draws nothing; no line names a function that is not declared; each says which test has an
 * independent truth, and that test knows the function. With --list, prints the names, for test_forms_list. */
#define _GNU_SOURCE
#include <ctype.h>
#include <glob.h>
#include <unistd.h>

#include "kernel_list/kernel_list.h"
#include "support/test_support.h"

/* Of a stream, but they draw nothing. */
static const char *const no_draws[] = {"simdp_rng_init", "simdp_rng_init_deterministic", "simdp_rng_init_vsl",
                                       "simdp_rng_seek", "simdp_rng_position",           "simdp_rng_wipe",
                                       "simdp_rng_id",   "simdp_rng_ids"};

static bool draws_nothing(const char *name)
{
    for (size_t i = 0; i < sizeof no_draws / sizeof *no_draws; i++) {
        if (strcmp(no_draws[i], name) == 0) return true;
    }
    return false;
}

/* ---- headers ---- */

/* The text of a file; the caller frees it. */
static char *read_text(const char *path)
{
    enum { MOST = 1 << 20 };
    FILE *file = fopen(path, "r");
    if (file == NULL) fail_msg("cannot read %s", path);
    char *text = calloc(1, MOST);
    assert_non_null(text);
    assert_in_range(fread(text, 1, MOST - 1, file), 1, MOST - 2);
    fclose(file);
    return text;
}

static void blank_comments(char *text)
{
    for (char *begin = strstr(text, "/*"); begin != NULL; begin = strstr(begin, "/*")) {
        char *end = strstr(begin, "*/");
        assert_non_null(end);
        memset(begin, ' ', (size_t)(end + 2 - begin));
    }
}

static bool is_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

typedef struct {
    size_t streams; /* functions that take a stream */
    size_t missing; /* those of them that have no line as functions that draw */
} found_names;

/* Names followed by a parenthesis within which a stream stands. */
static void find_streams(const char *text, found_names *found)
{
    for (const char *open = strchr(text, '('); open != NULL; open = strchr(open + 1, '(')) {
        const char *close = strchr(open, ')'), *stream = strstr(open, "simdp_rng *"), *begin = open;
        char name[100];
        while (begin > text && is_name(begin[-1])) begin--;
        if (close == NULL || stream == NULL || stream > close || begin == open) continue;
        snprintf(name, sizeof name, "%.*s", (int)(open - begin), begin);
        found->streams++;
        const kernel_line *k = kernel_named(name);
        if (draws_nothing(name) || (k != NULL && k->kind != KERNEL_DATA)) continue;
        print_message("%s takes a stream and has no line in tests/kernel_list\n", name);
        found->missing++;
    }
}

/* All headers of the folder as one text, without comments; the caller frees it. */
static char *read_headers(const char *folder)
{
    char pattern[4096], *all = calloc(1, 1 << 22);
    glob_t headers;
    assert_non_null(all);
    snprintf(pattern, sizeof pattern, "%s/*.h", folder);
    assert_int_equal(glob(pattern, 0, NULL, &headers), 0);
    for (size_t i = 0; i < headers.gl_pathc; i++) {
        char *text = read_text(headers.gl_pathv[i]);
        blank_comments(text);
        strcat(all, text);
        free(text);
    }
    globfree(&headers);
    return all;
}

static bool is_declared(const char *text, const char *name)
{
    for (const char *at = text; (at = strstr(at, name)) != NULL; at++) {
        if (at > text && !is_name(at[-1]) && at[strlen(name)] == '(') return true;
    }
    return false;
}

/* Functions that draw; the forms of one follow each other. */
static size_t functions_that_draw(void)
{
    size_t count = 0;
    const kernel_line *before = NULL, *k;
    for (size_t i = 0; (k = kernel_at(i)) != NULL; i++) {
        if (k->kind == KERNEL_DATA || k->variant != NULL) continue;
        count += before == NULL || strcmp(before->name, k->name) != 0;
        before = k;
    }
    return count;
}

static void test_headers(void **state)
{
    (void)state;
    const kernel_line *k;
    found_names found = {0};
    char *text = read_headers(HEADERS);
    find_streams(text, &found);
    assert_int_equal(found.missing, 0);
    assert_int_equal(found.streams, functions_that_draw() + sizeof no_draws / sizeof *no_draws);
    for (size_t i = 0; (k = kernel_at(i)) != NULL; i++) {
        if (!is_declared(text, k->name)) fail_msg("%s is not in the headers", k->name);
    }
    free(text);
}

/* Functions of a header with this declaration that have no line. */
static size_t missing_from(const char *declaration)
{
    const char *temporary = getenv("TMPDIR");
    char folder[4000], path[4096];
    found_names found = {0};
    snprintf(folder, sizeof folder, "%s/simdp_headers_XXXXXX", temporary != NULL ? temporary : P_tmpdir);
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/one.h", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(declaration, file);
    fclose(file);
    char *text = read_headers(folder);
    unlink(path);
    rmdir(folder);
    find_streams(text, &found);
    free(text);
    return found.missing;
}

static void test_headers_controls(void **state)
{
    (void)state;
    assert_int_equal(missing_from("simdp_status simdp_release_laplace(simdp_rng *rng);"), 0);
    assert_int_equal(missing_from("/* ( */ simdp_status\nsimdp_release_new(simdp_rng *rng, double *out);"), 1);
    assert_int_equal(missing_from("/* simdp_release_new(simdp_rng *rng) */ int x;"), 0);
    assert_int_equal(missing_from("simdp_status simdp_loss_sum(simdp_rng *rng, double *out);"), 1);
}

/* ---- lines ---- */

static void test_lines(void **state)
{
    (void)state;
    static char rows[200][100];
    size_t count = 0;
    const kernel_line *k;
    for (size_t i = 0; (k = kernel_at(i)) != NULL; i++) {
        assert_true(i < 200);
        assert_true(k->run != NULL && k->letters != NULL && strlen(k->letters) <= KERNEL_PARAMETERS);
        kernel_row_name(k, rows[count], sizeof rows[count]);
        for (size_t j = 0; j < count; j++) {
            if (strcmp(rows[j], rows[count]) == 0) fail_msg("two lines are called %s", rows[j]);
        }
        count++;
    }
    assert_true(count > 60);
}

/* Row names begin with the room and bear the rest of the function's name. */
static void test_row_names(void **state)
{
    (void)state;
    static const char *const names[][2] = {{"simdp_noise_laplace_f64", "noise/laplace_f64"},
                                           {"simdp_rng_words", "rng/words"},
                                           {"simdp_delta_gaussian", "loss/delta_gaussian"},
                                           {"simdp_loss_audit_run.gaussian", "loss/audit_run.gaussian"}};
    char row[100];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        kernel_row_name(kernel_named(names[i][0]), row, sizeof row);
        assert_string_equal(row, names[i][1]);
    }
}

/* The law or the last part of a name, without the type of its numbers, as tests that build names by macros
 * have it. */
static bool knows(const char *text, const char *name)
{
    char stem[100];
    snprintf(stem, sizeof stem, "%s", name + strlen("simdp_"));
    if (strcasestr(text, stem) != NULL) return true;
    for (char *part = strtok(stem, "_"); part != NULL; part = strtok(NULL, "_")) {
        static const char *const general[] = {"noise", "release", "select", "loss", "rng", "f64", "f32", "i64", "add"};
        bool is_general = false;
        for (size_t i = 0; i < sizeof general / sizeof *general; i++) is_general |= strcmp(part, general[i]) == 0;
        if (!is_general && strcasestr(text, part) == NULL) return false;
    }
    return true;
}

static void test_references(void **state)
{
    (void)state;
    const kernel_line *k;
    for (size_t i = 0; (k = kernel_at(i)) != NULL; i++) {
        char path[4096];
        assert_non_null(k->reference);
        snprintf(path, sizeof path, "%s/../%s.c", KNOWN_ANSWERS, k->reference);
        char *text = read_text(path);
        if (!knows(text, k->name)) fail_msg("%s does not mention %s", k->reference, k->name);
        free(text);
    }
}

static int print_list(void)
{
    const kernel_line *k;
    for (size_t i = 0; (k = kernel_at(i)) != NULL; i++) {
        if (k->variant == NULL && k->kind == KERNEL_DATA) puts(k->name);
    }
    return 0;
}

int main(int count, char **arguments)
{
    if (count == 2 && strcmp(arguments[1], "--list") == 0) return print_list();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_headers),   cmocka_unit_test(test_headers_controls), cmocka_unit_test(test_lines),
        cmocka_unit_test(test_row_names), cmocka_unit_test(test_references),
    };
    return cmocka_run_group_tests_name("kernel_list", tests, NULL, NULL);
}
