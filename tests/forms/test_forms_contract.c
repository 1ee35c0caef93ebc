/* test_forms_contract: what every closed form promises about its arguments: good ones give numbers; NaN or a value
 * outside the domain of any argument gives SIMDP_EPARAM and NaN, in an array only in its place, whatever the place, and
 * the other elements keep their bits, on every instruction set; the ends of every domain are legal; outputs may be
 * inputs; NULL is SIMDP_ENULL and a count whose bytes overflow SIMDP_EPARAM, both with nothing written; no elements is
 * no work; and the caller's floating-point mode neither matters nor changes.
 *
 * With the argument --list it prints the functions of all forms it tests (for test_forms_list). */
#include <ctype.h>
#include <fenv.h>
#include <float.h>
#include <math.h>
#include <xmmintrin.h>

#include "forms_table.h"
#include "support/audits.h"
#include "support/laws.h"
#include "support/test_support.h"

enum { FEW = 7, OUTPUTS_MAX = 16, DOUBLES_MAX = FORM_ELEMENTS_MAX * OUTPUTS_MAX, COMPLAINTS_MAX = 4 };

typedef struct {
    double value[FORM_ARGUMENTS_MAX][FORM_ELEMENTS_MAX];
    const double *pointer[FORM_ARGUMENTS_MAX];
} arguments;

/* Values outside a domain, and its ends, each list closed by a 7. ("0": only 0 is legal; "-": not read) */
static const struct {
    char letter;
    double bad[8], ends[7];
} domains[] = {
    {'e', {NAN, -1, -INFINITY, -1e-300, -0x1p-1074, 7}, {0, -0.0, 0x1p-1074, DBL_MAX, INFINITY, 7}},
    {'z', {NAN, -1, INFINITY, -INFINITY, 7}, {0, 0x1p-1074, 1e300, DBL_MAX, 7}},
    {'s', {NAN, -1, 0, INFINITY, -INFINITY, 7}, {0x1p-1074, 1e-300, 1e300, DBL_MAX, 7}},
    {'o', {NAN, -1, 0, -INFINITY, 7}, {0x1p-1074, 1e-300, DBL_MAX, INFINITY, 7}},
    {'x', {NAN, 7}, {-INFINITY, -DBL_MAX, DBL_MAX, INFINITY, 0, 7}},
    {'r', {NAN, INFINITY, -INFINITY, 7}, {-DBL_MAX, DBL_MAX, 0x1p-1074, 0, 7}},
    {'p', {NAN, -0.1, 1.1, INFINITY, -INFINITY, -1e-300, 1 + 0x1p-52, 7}, {0, 0x1p-1074, 1 - 0x1p-53, 1, 7}},
    {'q', {NAN, -0.1, 1, INFINITY, -INFINITY, 7}, {0, 1 - 0x1p-53, 7}},
    {'b', {NAN, -0.1, 0, 1.1, INFINITY, -INFINITY, 7}, {0x1p-1074, 1, 7}},
    {'i', {NAN, -0.1, 0, 1, INFINITY, -INFINITY, 7}, {0x1p-1074, 1e-300, 1 - 0x1p-53, 7}},
    {'k', {-1, -1e15, 7}, {0, 1, 7}},
    {'m', {-1, 0, 7}, {1, 7}},
    {'c', {NAN, -1, 0, INFINITY, -INFINITY, 0x1p-901, 0x1p+901, 7}, {SIMDP_NOISE_SCALE_MIN, SIMDP_NOISE_SCALE_MAX, 7}},
    {'g', {NAN, -1, -INFINITY, 0x1p-901, 0x1p+901, 7}, {0, SIMDP_NOISE_SCALE_MIN, SIMDP_NOISE_SCALE_MAX, INFINITY, 7}},
    {'t', {-1, 2, 7}, {0, 1, 7}},
    {'l', {NAN, -1, 0, INFINITY, -INFINITY, 0x1p-101, 1401, 7}, {0x1p-100, 1400, 7}},
    {'u', {NAN, -1, 0, 1, INFINITY, -INFINITY, 0x1p-1001, 7}, {0x1p-1000, 0.5, 7}},
    {'y', {NAN, 7}, {-INFINITY, INFINITY, 0, 7}},
    {'a', {7}, {-INFINITY, INFINITY, 0, 7}},
    {'0', {NAN, 0.5, 7}, {0, 7}},
    {'-', {7}, {NAN, 7}},
};

static const double *list_of(char letter, bool bad)
{
    for (size_t i = 0; i < sizeof domains / sizeof domains[0]; i++) {
        if (domains[i].letter == tolower(letter)) return bad ? domains[i].bad : domains[i].ends;
    }
    fail_msg("no domain '%c'", letter);
    return NULL;
}

static bool is_array(char letter) { return isupper((unsigned char)letter) || letter == '0' || letter == '-'; }

/* Elements differ, so that one in another's place is noticed. */
static void set_good(arguments *a, const form_row *row)
{
    for (size_t j = 0, letters = strlen(row->domains); j < FORM_ARGUMENTS_MAX; j++) {
        const char letter = j < letters ? row->domains[j] : '-';
        const double step = is_array(letter) && strchr("KM0-", letter) == NULL ? 0x1p-12 : 0.0;
        for (int i = 0; i < FORM_ELEMENTS_MAX; i++) a->value[j][i] = row->good[j] * (1.0 + i * step);
        a->pointer[j] = a->value[j];
    }
}

static bool has_elements(const form_row *row) { return isupper((unsigned char)row->domains[0]); }

static size_t elements(const form_row *row)
{
    return !has_elements(row) ? 1 : row->flags & FORM_VECTORISED ? FORM_ELEMENTS_MAX : FEW;
}

static bool is_same(double a, double b) { return a == b || (isnan(a) && isnan(b)); }
static bool is_bitwise_same(double a, double b) { return memcmp(&a, &b, sizeof a) == 0; }

/* Output t of element i of n. */
static size_t place_of(const form_row *row, size_t n, size_t i, size_t t)
{
    return row->flags & FORM_SIDE_BY_SIDE ? t * n + i : i * row->outputs + t;
}

/* What a row does wrong is printed, a few lines of it, and counted: one run shows all rows that fail. */
static size_t complaints, complaints_of_row;

#define COMPLAIN(row, ...)                                              \
    do {                                                                \
        complaints++;                                                   \
        if (complaints_of_row++ < COMPLAINTS_MAX) {                     \
            print_error("%s (%s): ", (row)->name, simdp_isa_variant()); \
            print_error(__VA_ARGS__);                                   \
            print_error("\n");                                          \
        }                                                               \
    } while (0)

static const double sentinel = -12345.0;
static double base[DOUBLES_MAX], again[DOUBLES_MAX]; /* results of good arguments, and of others */

static void fill_sentinel(double *out)
{
    for (size_t i = 0; i < DOUBLES_MAX; i++) out[i] = sentinel;
}

static bool is_untouched(const double *out)
{
    for (size_t i = 0; i < DOUBLES_MAX; i++) {
        if (out[i] != sentinel) return false;
    }
    return true;
}

/* The first n elements, with a bad value at one place of an array (place < n), or in a scalar (place = n: everywhere).
 * base holds the elements of a good call. */
static void check_bad(const form_row *row, arguments *a, size_t n, size_t j, size_t place, double bad)
{
    const char letter = row->domains[j];
    double *at = &a->value[j][is_array(letter) ? place : 0];
    const double good = *at;
    const simdp_status want = tolower(letter) == 'y' ? SIMDP_OK : SIMDP_EPARAM;
    fill_sentinel(again);
    *at = bad;
    const simdp_status status = row->call(again, n, a->pointer);
    *at = good;
    if (status != want) COMPLAIN(row, "argument %zu = %g at %zu of %zu: status %d", j, bad, place, n, (int)status);
    if (!is_array(letter) && row->flags & FORM_UNTOUCHED) {
        if (!is_untouched(again)) COMPLAIN(row, "argument %zu = %g: output written", j, bad);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t t = 0; t < row->outputs; t++) {
            const double got = again[place_of(row, n, i, t)];
            const double right = base[place_of(row, elements(row), i, t)];
            const bool hit = !is_array(letter) || i == place;
            if (hit ? !isnan(got) : !is_bitwise_same(got, right))
                COMPLAIN(row, "argument %zu = %g at %zu of %zu: output %zu of element %zu is %.17g, not %.17g", j, bad,
                         place, n, t, i, got, right);
        }
    }
}

static void check_domains(const form_row *row, arguments *a)
{
    const size_t n = elements(row);
    for (size_t j = 0; row->domains[j] != '\0'; j++) {
        const char letter = row->domains[j];
        for (const double *bad = list_of(letter, true); *bad != 7; bad++) {
            const size_t places = is_array(letter) ? n : 1;
            for (size_t place = 0; place < places; place++) check_bad(row, a, n, j, place, *bad);
            /* every count of elements after the last whole vector */
            for (size_t m = 1; row->flags & FORM_VECTORISED && m <= 70; m++) check_bad(row, a, m, j, m - 1, *bad);
        }
        /* one argument at its end, the others as they are; a domain may be narrower together with others, but then
         * the status says so */
        for (const double *end = list_of(letter, false); *end != 7; end++) {
            set_good(a, row);
            for (int i = 0; i < FORM_ELEMENTS_MAX; i++) a->value[j][i] = *end;
            const simdp_status status = row->call(again, n, a->pointer);
            for (size_t i = 0; i < n * row->outputs; i++) {
                if ((status == SIMDP_OK) == isnan(again[i]))
                    COMPLAIN(row, "argument %zu = %g: status %d, output %zu is %g", j, *end, (int)status, i, again[i]);
            }
        }
        set_good(a, row);
    }
}

/* NULL, no elements, too many. */
static void check_counts(const form_row *row, arguments *a)
{
    const size_t n = elements(row);
    if (row->call(NULL, n, a->pointer) != SIMDP_ENULL) COMPLAIN(row, "NULL output");
    if (!has_elements(row)) return;
    for (size_t j = 0; row->domains[j] != '\0'; j++) {
        if (!isupper((unsigned char)row->domains[j])) continue;
        a->pointer[j] = NULL;
        fill_sentinel(again);
        if (row->call(again, n, a->pointer) != SIMDP_ENULL) COMPLAIN(row, "argument %zu NULL is accepted", j);
        if (!is_untouched(again) && !(row->flags & FORM_UPDATES)) COMPLAIN(row, "argument %zu NULL: output written", j);
        a->pointer[j] = a->value[j];
    }
    const size_t bytes = (row->flags & FORM_SIDE_BY_SIDE ? 1 : row->outputs) * sizeof(double);
    const size_t counts[] = {SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / bytes + 1};
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
        fill_sentinel(again);
        if (row->call(again, counts[c], a->pointer) != SIMDP_EPARAM || !is_untouched(again))
            COMPLAIN(row, "%zu elements", counts[c]);
    }
    fill_sentinel(again);
    for (int with_bad = 0; with_bad < 2; with_bad++) { /* no elements do nothing, whatever the other arguments */
        if (with_bad && row->flags & FORM_UNTOUCHED) break;
        for (size_t j = 0; row->domains[j] != '\0' && with_bad; j++) a->value[j][0] = *list_of(row->domains[j], true);
        if (row->call(NULL, 0, a->pointer) != SIMDP_OK) COMPLAIN(row, "n = 0, bad arguments: %d", with_bad);
        if (row->call(again, 0, a->pointer) != SIMDP_OK || !is_untouched(again)) COMPLAIN(row, "n = 0");
    }
    set_good(a, row);
}

/* The output is one of the input arrays, all good, then with a bad element. */
static void check_aliases(const form_row *row, arguments *a)
{
    const size_t n = elements(row);
    if (!has_elements(row) || row->outputs != 1 || row->flags & FORM_UPDATES) return;
    for (size_t j = 0; row->domains[j] != '\0'; j++) {
        const char letter = row->domains[j];
        const double bad = *list_of(letter, true);
        for (size_t place = 0; isupper((unsigned char)letter) && place <= n; place += 3) { /* the first: none */
            set_good(a, row);
            const bool any = place > 0 && bad != 7;
            if (any) a->value[j][place - 1] = bad;
            const simdp_status status = row->call(a->value[j], n, a->pointer);
            if (status != (any && letter != 'Y' ? SIMDP_EPARAM : SIMDP_OK))
                COMPLAIN(row, "output is argument %zu: status %d", j, (int)status);
            for (size_t i = 0; i < n; i++) {
                const double got = a->value[j][i];
                if (any && i == place - 1 ? !isnan(got) : !is_bitwise_same(got, base[i]))
                    COMPLAIN(row, "output is argument %zu: element %zu is %.17g, not %.17g", j, i, got, base[i]);
            }
        }
    }
    set_good(a, row);
}

/* Upward rounding, flush to zero: the same bits, and the mode is back afterwards. */
static void check_mode(const form_row *row, arguments *a)
{
    const size_t n = elements(row);
    const unsigned before = _mm_getcsr(), odd = 0xdfc0; /* FTZ, DAZ, up, all masked */
    _mm_setcsr(odd);
    const simdp_status status = row->call(again, n, a->pointer);
    const unsigned after = _mm_getcsr();
    _mm_setcsr(before);
    if (status != SIMDP_OK || (after & ~0x3fu) != (odd & ~0x3fu))
        COMPLAIN(row, "status %d, mode %x", (int)status, after);
    for (size_t i = 0; i < n * row->outputs; i++) {
        if (!is_same(base[i], again[i]))
            COMPLAIN(row, "%.17g under another rounding mode, not %.17g", again[i], base[i]);
    }
}

static void check_row(const form_row *row)
{
    static arguments a;
    const size_t n = elements(row);
    assert_true(row->outputs <= OUTPUTS_MAX);
    complaints_of_row = 0;
    set_good(&a, row);
    fill_sentinel(base);
    if (row->call(base, n, a.pointer) != SIMDP_OK) COMPLAIN(row, "good arguments are refused");
    for (size_t i = 0; i < n * row->outputs; i++) {
        if (isnan(base[i])) COMPLAIN(row, "output %zu is NaN", i);
    }
    check_domains(row, &a);
    check_counts(row, &a);
    check_aliases(row, &a);
    check_mode(row, &a);
}

/* Rows of kernels on every instruction set, the others once. */
static void check_table(const form_row *table)
{
    const simdp_kernels *t;
    complaints = 0;
    for (size_t isa = 0, first = 1; (t = next_usable(&isa)) != NULL; isa++, first = 0) {
        if (is_left_out(t)) continue;
        must(simdp_isa_select(t->variant));
        for (const form_row *row = table; row->name != NULL; row++) {
            if (first || row->flags & FORM_VECTORISED) check_row(row);
        }
    }
    must(simdp_isa_select(NULL));
    if (complaints > 0) fail_msg("%zu complaints", complaints);
}

static void loss_forms(void **state)
{
    (void)state;
    check_table(forms_of_loss);
}
static void account_forms(void **state)
{
    (void)state;
    check_table(forms_of_account);
}
static void other_forms(void **state)
{
    (void)state;
    check_table(forms_of_others);
}

/* ---- all arguments at once at odd places of their domains: no NaN, no hang; a refusal only where domains depend */

static uint64_t seed;

static double odd_value(char letter)
{
    static const double wide[] = {0, 0x1p-1074, 1e-300, 1e-20, 1e-9, 0.3, 1, 3, 40, 709, 1e5, 1e20, 1e300, INFINITY};
    static const double narrow[] = {0, 0x1p-1074, 1e-300, 1e-20, 1e-9, 0.1, 0.5, 0.9, 1 - 0x1p-53, 1};
    static const double counts[] = {0, 1, 2, 7, 100, 500, 1e6, 1e9, 1e12, 4e18};
    const uint64_t random = test_random(&seed);
    const double w = wide[random % 14], p = narrow[random % 10], k = counts[random % 10];
    switch (tolower(letter)) {
    case 'e': return w;
    case 'z': return isinf(w) ? 2 : w;
    case 's': return isinf(w) || w == 0 ? 2 : w;
    case 'o': return w == 0 ? 2 : w;
    case 'x': return random & 64 ? w : -w;
    case 'r': return isinf(w) ? -2 : random & 64 ? w : -w;
    case 'p': return p;
    case 'q': return p == 1 ? 0.25 : p;
    case 'b': return p == 0 ? 0.25 : p;
    case 'i': return p == 0 || p == 1 ? 0.25 : p;
    case 'k': return k;
    case 'm': return k == 0 ? 3 : k;
    case 'y':
    case 'a': return random & 64 ? w : -w;
    case 'c': return fmin(fmax(w, SIMDP_NOISE_SCALE_MIN), SIMDP_NOISE_SCALE_MAX);
    case 'g': return w == 0 || isinf(w) ? w : fmin(fmax(w, SIMDP_NOISE_SCALE_MIN), SIMDP_NOISE_SCALE_MAX);
    case 't': return (double)(random & 1);
    case 'l': return fmin(fmax(w, 0x1p-100), 1400);
    case 'u': return p == 1 ? 0.25 : fmax(p, 0x1p-1000);
    default: return 0;
    }
}

static void no_corner_is_nan(void **state)
{
    (void)state;
    /* 2^k or k^2 work, a largest k, or one argument bounds another */
    static const char *const may_refuse[] = {"compose_laplace_delta",
                                             "compose_laplace_log_delta",
                                             "compose_laplace_epsilon",
                                             "compose_optimal_delta",
                                             "compose_optimal_log_delta",
                                             "compose_optimal_epsilon",
                                             "bounds",
                                             "epsilon0_randomized_response",
                                             "compose_typical_approximate",
                                             "hoeffding",
                                             "hoeffding_deviation",
                                             "hoeffding_lemma",
                                             "polya"};
    const form_row *const tables[] = {forms_of_account, forms_of_loss, forms_of_others};
    for (int round = 0; round < 450; round++) {
        for (const form_row *row = tables[round % 3]; row->name != NULL; row++) {
            static arguments a;
            double out[OUTPUTS_MAX];
            set_good(&a, row);
            for (size_t j = 0; row->domains[j] != '\0'; j++) {
                const double value = odd_value(row->domains[j]);
                a.value[j][0] = value;
            }
            const simdp_status status = row->call(out, 1, a.pointer);
            bool any_nan = false, excused = false;
            for (size_t i = 0; i < row->outputs; i++) any_nan |= isnan(out[i]);
            for (size_t i = 0; i < sizeof may_refuse / sizeof may_refuse[0]; i++)
                excused |= strcmp(row->name, may_refuse[i]) == 0;
            if (any_nan != (status != SIMDP_OK) || (status != SIMDP_OK && !excused))
                fail_msg("%s(%.17g, %.17g, %.17g, %.17g, %.17g): status %d, first output %g", row->name, a.value[0][0],
                         a.value[1][0], a.value[2][0], a.value[3][0], a.value[4][0], (int)status, out[0]);
        }
    }
}

/* Losses with a bad centre are NaN and SIMDP_EPARAM, and so is their sum; a NaN output is no error. */
static void sums_of_bad_elements(void **state)
{
    (void)state;
    enum { COUNT = 45 };
    double y[COUNT], x0[COUNT], x1[COUNT], loss[2][COUNT];
    for (int place = 0; place < COUNT; place++) {
        for (int which = 0; which < 4; which++) {
            double total[2] = {sentinel, sentinel};
            for (int i = 0; i < COUNT; i++) y[i] = 0.1 * i, x0[i] = 1.0, x1[i] = 2.0;
            if (which == 1) y[place] = NAN;
            if (which == 2) x0[place] = NAN;
            if (which == 3) x1[place] = INFINITY;
            const simdp_status want = which < 2 ? SIMDP_OK : SIMDP_EPARAM;
            assert_int_equal(simdp_loss_laplace_f64_each(loss[0], y, x0, x1, NULL, COUNT, 1.5), want);
            assert_int_equal(simdp_loss_gaussian_f64_each(loss[1], y, x0, x1, NULL, COUNT, 1.5), want);
            must(simdp_loss_sum(total, loss[0], 2, COUNT));
            assert_true(isnan(total[0]) == (which > 0) && isnan(total[1]) == (which > 0));
        }
    }
}

static void list(const form_row *table)
{
    for (const form_row *row = table; row->name != NULL; row++) printf("simdp_%s\n", form_function(row));
}

int main(int count, char **words)
{
    if (count > 1 && strcmp(words[1], "--list") == 0) {
        list(forms_of_loss), list(forms_of_account), list(forms_of_others);
        return 0;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(loss_forms), cmocka_unit_test(account_forms),
                                       cmocka_unit_test(other_forms), cmocka_unit_test(no_corner_is_nan),
                                       cmocka_unit_test(sums_of_bad_elements)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
