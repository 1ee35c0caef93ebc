/* test_fp_modes: every function of select, release, loss, account and system gives the same bytes in every rounding
 * mode, with and without subnormal numbers, and where exceptions trap, and leaves the caller's mode as it was. The list
 * is held against the headers. */
#include <ctype.h>
#include <fenv.h>
#include <float.h>
#include <math.h>
#include <xmmintrin.h>

#include "forms/forms_table.h"
#include "fp_mode_rows.h"
#include "support/test_support.h"

/* ---- modes ---- */

enum { FLUSH_TO_ZERO = 0x8000, DENORMALS_ARE_ZERO = 0x0040, STICKY = 0x3f, MASKS = 0x1f80 };
enum { TRAPS = 0x0680 }; /* masks of invalid operations, divisions by 0 and overflow: a NaN compared ends the program */

static const struct {
    const char *name;
    int round;
    unsigned more, unmasked;
} modes[] = {
    {"upward", FE_UPWARD, 0, 0},
    {"downward", FE_DOWNWARD, 0, 0},
    {"toward zero", FE_TOWARDZERO, 0, 0},
    {"FTZ and DAZ", FE_TONEAREST, FLUSH_TO_ZERO | DENORMALS_ARE_ZERO, 0},
    {"DAZ", FE_TONEAREST, DENORMALS_ARE_ZERO, 0},
    {"upward, FTZ and DAZ", FE_UPWARD, FLUSH_TO_ZERO | DENORMALS_ARE_ZERO, 0},
    {"downward, FTZ and DAZ", FE_DOWNWARD, FLUSH_TO_ZERO | DENORMALS_ARE_ZERO, 0},
    {"toward zero, FTZ", FE_TOWARDZERO, FLUSH_TO_ZERO, 0},
    {"traps", FE_TONEAREST, 0, TRAPS},
};
enum { MODES = sizeof modes / sizeof modes[0] };

static void mode_set(size_t m)
{
    fesetround(modes[m].round);
    _mm_setcsr((_mm_getcsr() & ~(unsigned)STICKY & ~modes[m].unmasked) | modes[m].more);
}

/* Back to the default; whether the mode was still the one that had been set. */
static bool mode_unset(size_t m)
{
    const unsigned csr = _mm_getcsr(), found = csr & (FLUSH_TO_ZERO | DENORMALS_ARE_ZERO);
    const bool kept =
        fegetround() == modes[m].round && found == modes[m].more && (csr & MASKS) == (MASKS & ~modes[m].unmasked);
    _mm_setcsr(0x1f80);
    fesetround(FE_TONEAREST);
    return kept;
}

static void same_bytes_in_every_mode(void **state)
{
    static record want, got;
    int different = 0;
    (void)state;
    for (const mode_row *row = mode_rows; row->names != NULL; row++) {
        if (row->run == NULL) continue;
        memset(&want, 0, sizeof want);
        row->run(&want);
        if (want.failures != 0 || want.used > sizeof want.bytes)
            fail_msg("%s: %d failures, %zu bytes", row->names, want.failures, want.used);
        for (size_t m = 0; m < MODES; m++) {
            memset(&got, 0, sizeof got);
            mode_set(m);
            row->run(&got);
            if (!mode_unset(m)) fail_msg("%s: the mode %s is not back", row->names, modes[m].name);
            size_t at = 0;
            while (at < want.used && want.bytes[at] == got.bytes[at]) at++;
            if (got.used == want.used && at == want.used) continue;
            different++;
            print_message("%.40s...: other bytes from %zu of %zu, %s\n", row->names, at, want.used, modes[m].name);
        }
    }
    assert_int_equal(different, 0);
}

/* One closed form with one argument at a value. */
static int form_in_every_mode(const form_row *row, size_t argument, double at)
{
    double value[FORM_ARGUMENTS_MAX], want[16], got[16];
    const double *pointer[FORM_ARGUMENTS_MAX];
    for (size_t a = 0; a < FORM_ARGUMENTS_MAX; a++) value[a] = row->good[a], pointer[a] = &value[a];
    value[argument] = at;
    memset(want, 0, sizeof want);
    const simdp_status status = row->call(want, 1, pointer);
    for (size_t m = 0; m < MODES; m++) {
        memset(got, 0, sizeof got);
        mode_set(m);
        const simdp_status again = row->call(got, 1, pointer);
        if (!mode_unset(m)) fail_msg("%s: the mode %s is not back", row->name, modes[m].name);
        if (again == status && memcmp(got, want, sizeof got) == 0) continue;
        print_message("%s, argument %zu = %g, %s: status %d, %.17g, not %d, %.17g\n", row->name, argument, at,
                      modes[m].name, (int)again, got[0], (int)status, want[0]);
        return 1;
    }
    return 0;
}

/* Each argument in turn at its good value, and at numbers that only subnormal arithmetic sees. */
static void forms_in_every_mode(void **state)
{
    static const double odd[] = {0x1p-1074, -0x1p-1074, 1e-310, DBL_MIN, 0.1, 1e-17, NAN, INFINITY, -INFINITY, DBL_MAX};
    int different = 0;
    (void)state;
    for (int table = 0; table < 2; table++) {
        for (const form_row *row = table == 0 ? forms_of_loss : forms_of_account; row->name != NULL; row++) {
            for (size_t j = 0; row->domains[j] != '\0'; j++) {
                const bool whole = strchr("kmn", tolower(row->domains[j])) != NULL;
                different += form_in_every_mode(row, j, row->good[j]);
                for (size_t o = 0; !whole && o < sizeof odd / sizeof odd[0]; o++)
                    different += form_in_every_mode(row, j, odd[o]);
            }
        }
    }
    assert_int_equal(different, 0);
}

/* ---- callbacks ---- */

static const simdp_theory_mechanism laplace = {SIMDP_MECHANISM_LAPLACE, .sensitivity = 1, .scale = 1.7};

static simdp_status query(void *context, double *answers, size_t n, const void *data)
{
    (void)n;
    *answers = *(const double *)data;
    if (context != NULL) mode_set(*(const size_t *)context);
    return SIMDP_OK;
}

static simdp_status analyst(void *context, simdp_theory_request *next, const simdp_theory_step *steps, size_t count)
{
    (void)steps;
    if (count == 5) return SIMDP_OK;
    *next = (simdp_theory_request){.mechanism = laplace, .query = query, .query_context = context, .tag = count};
    if (context != NULL) mode_set(*(const size_t *)context);
    return SIMDP_OK;
}

/* A query or an analyst that leaves another mode behind changes neither the transcript nor the caller's mode. */
static void callbacks_may_leave_a_mode(void **state)
{
    const double data = 0.3, neighbour = 0.1;
    double want = 0, loss[5];
    (void)state;
    for (size_t m = 0; m <= MODES; m++) { /* 0: they leave none; then mode m - 1 */
        simdp_theory_step steps[5];
        simdp_theory_interaction run = {.steps = steps, .capacity = 5, .losses = loss};
        simdp_rng rng;
        size_t mode = m - 1;
        test_stream(&rng, 8, 0, 0);
        const simdp_status status =
            simdp_theory_interact(&rng, &run, analyst, m == 0 ? NULL : &mode, &data, &neighbour, NULL);
        assert_int_equal(_mm_getcsr() & (FLUSH_TO_ZERO | DENORMALS_ARE_ZERO | 0x6000), 0);
        fesetround(FE_TONEAREST); /* the x87 unit is the callback's own affair */
        must(status);
        assert_int_equal(run.count, 5);
        if (m == 0) want = run.loss;
        assert_memory_equal(&run.loss, &want, sizeof want);
    }
}

/* ---- nothing is missing ---- */

static bool is_listed(const char *name)
{
    const size_t n = strlen(name);
    for (const form_row *row = forms_of_loss; row->name != NULL; row++) {
        if (strcmp(form_function(row), name) == 0) return true;
    }
    for (const form_row *row = forms_of_account; row->name != NULL; row++) {
        if (strcmp(form_function(row), name) == 0) return true;
    }
    for (const mode_row *row = mode_rows; row->names != NULL; row++) {
        for (const char *at = row->names; (at = strstr(at, name)) != NULL; at += n) {
            if ((at == row->names || at[-1] == ' ') && (at[n] == ' ' || at[n] == '\0')) return true;
        }
    }
    return false;
}

/* Declarations begin with SIMDP_API; the function's name is what stands before the next parenthesis. */
static size_t check_header(const char *path)
{
    static char text[1 << 17];
    FILE *file = fopen(path, "r");
    if (file == NULL) fail_msg("no %s", path);
    const size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[size] = '\0';
    size_t found = 0;
    for (const char *at = text; (at = strstr(at, "SIMDP_API")) != NULL; at += 9) {
        const char *end = strchr(at, '('), *start = end;
        char name[100];
        if (end == NULL) break;
        while (start > at && (isalnum((unsigned char)start[-1]) || start[-1] == '_')) start--;
        assert_true(strncmp(start, "simdp_", 6) == 0 && end - start < 100);
        snprintf(name, sizeof name, "%.*s", (int)(end - start - 6), start + 6);
        if (!is_listed(name)) fail_msg("simdp_%s of %s is not in the list", name, path);
        found++;
    }
    return found;
}

static void list_is_whole(void **state)
{
    (void)state;
    assert_true(check_header(HEADERS "/simdp_select.h") > 20);
    assert_true(check_header(HEADERS "/simdp_release.h") > 10);
    assert_true(check_header(HEADERS "/simdp_loss.h") > 40);
    assert_true(check_header(HEADERS "/simdp_account.h") > 40);
    assert_true(check_header(HEADERS "/simdp_theory.h") > 25);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(list_is_whole), cmocka_unit_test(same_bytes_in_every_mode),
                                       cmocka_unit_test(forms_in_every_mode),
                                       cmocka_unit_test(callbacks_may_leave_a_mode)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
