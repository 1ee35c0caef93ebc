/* test_forms_contract: what every closed form of loss and account promises about its arguments: good ones give
 * numbers; NaN or a value outside the domain of any argument gives SIMDP_EPARAM and NaN, in an array only in its
 * place; the ends of every domain are legal; NULL is SIMDP_ENULL; no elements is no work; and the caller's
 * floating-point mode neither matters nor changes. */
#include <ctype.h>
#include <fenv.h>
#include <math.h>
#include <xmmintrin.h>

#include "forms_table.h"
#include "support/test_support.h"

enum { N = 5, OUTPUTS_MAX = 16 };

typedef struct {
    double value[FORM_ARGUMENTS_MAX][N];
    const double *pointer[FORM_ARGUMENTS_MAX];
} arguments;

/* Values outside a domain, and its ends, each list closed by a 7. ("0": only 0 is legal; "-": not read) */
static const struct {
    char letter;
    double bad[8], ends[4];
} domains[] = {
    {'e', {NAN, -1, -INFINITY, -1e-300, 7}, {0, INFINITY, 7}},
    {'z', {NAN, -1, INFINITY, 7}, {0, 1e300, 7}},
    {'s', {NAN, -1, 0, INFINITY, 7}, {1e-300, 1e300, 7}},
    {'o', {NAN, -1, 0, 7}, {1e-300, INFINITY, 7}},
    {'x', {NAN, 7}, {-INFINITY, INFINITY, 0, 7}},
    {'r', {NAN, INFINITY, -INFINITY, 7}, {0, 7}},
    {'p', {NAN, -0.1, 1.1, INFINITY, -1e-300, 7}, {0, 1, 7}},
    {'q', {NAN, -0.1, 1, 7}, {0, 1 - 0x1p-53, 7}},
    {'b', {NAN, -0.1, 0, 1.1, 7}, {0x1p-1074, 1, 7}},
    {'i', {NAN, -0.1, 0, 1, 7}, {1e-300, 7}},
    {'k', {-1, -1e15, 7}, {0, 1, 7}},
    {'m', {-1, 0, 7}, {1, 7}},
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

static void set_good(arguments *a, const form_row *row)
{
    for (int j = 0; j < FORM_ARGUMENTS_MAX; j++) {
        for (int i = 0; i < N; i++) a->value[j][i] = row->good[j];
        a->pointer[j] = a->value[j];
    }
}

static size_t elements(const form_row *row) { return isupper((unsigned char)row->domains[0]) ? N : 1; }

static bool is_same(double a, double b) { return a == b || (isnan(a) && isnan(b)); }

/* Element i of the outputs: NaN in its first output? (keep and flip lie n apart, but NaN comes to both) */
static bool element_is_nan(const form_row *row, const double *out, size_t i)
{
    const size_t stride = strcmp(row->name, "randomized_response_probabilities") == 0 ? 1 : row->outputs;
    return isnan(out[i * stride]);
}

static void check_row(const form_row *row)
{
    arguments a;
    double out[N * OUTPUTS_MAX], again[N * OUTPUTS_MAX];
    const size_t n = elements(row), all = n * row->outputs;
    assert_true(row->outputs <= OUTPUTS_MAX);

    set_good(&a, row);
    for (size_t i = 0; i < all; i++) out[i] = NAN;
    if (row->call(out, n, a.pointer) != SIMDP_OK) fail_msg("%s: good arguments are refused", row->name);
    for (size_t i = 0; i < all; i++) {
        if (isnan(out[i])) fail_msg("%s: output %zu is NaN", row->name, i);
    }

    for (size_t j = 0; row->domains[j] != '\0'; j++) {
        const char letter = row->domains[j];
        for (const double *bad = list_of(letter, true); *bad != 7; bad++) {
            set_good(&a, row);
            const size_t place = is_array(letter) && n > 1 ? 2 : 0;
            a.value[j][place] = *bad;
            memcpy(again, out, sizeof again);
            if (row->call(again, n, a.pointer) != SIMDP_EPARAM)
                fail_msg("%s: argument %zu = %g is accepted", row->name, j, *bad);
            for (size_t i = 0; i < n; i++) {
                const bool hit = !is_array(letter) || i == place;
                if (element_is_nan(row, again, i) != hit)
                    fail_msg("%s: argument %zu = %g, element %zu is %g", row->name, j, *bad, i,
                             again[i * row->outputs]);
            }
        }
        for (const double *end = list_of(letter, false); *end != 7;
             end++) {   /* one argument at its end, the others as they are */
            set_good(&a, row);
            for (int i = 0; i < N; i++) a.value[j][i] = *end;
            const simdp_status status = row->call(again, n, a.pointer);
            /* a domain may be narrower together with others, but then it says so */
            for (size_t i = 0; i < all; i++) {
                if ((status == SIMDP_OK) == isnan(again[i]))
                    fail_msg("%s: argument %zu = %g: status %d, output %zu is %g", row->name, j, *end, (int)status, i,
                             again[i]);
            }
        }
    }

    set_good(&a, row);
    if (row->call(NULL, n, a.pointer) != SIMDP_ENULL) fail_msg("%s: NULL output", row->name);
    if (isupper((unsigned char)row->domains[0])) {
        if (row->call(NULL, 0, a.pointer) != SIMDP_OK) fail_msg("%s: n = 0", row->name);
        a.pointer[0] = NULL;
        memcpy(again, out, sizeof again);
        const bool in_place = strcmp(row->name, "renyi_add") == 0;   /* its adapter fills the output first */
        if (row->call(again, n, a.pointer) != SIMDP_ENULL || (!in_place && memcmp(again, out, all * sizeof *out) != 0))
            fail_msg("%s: NULL input", row->name);
    }

    /* upward rounding, flush to zero: the same bits, and the mode is back afterwards */
    set_good(&a, row);
    const unsigned before = _mm_getcsr(), odd = 0xdfc0;   /* FTZ, DAZ, up, all masked */
    _mm_setcsr(odd);
    const simdp_status status = row->call(again, n, a.pointer);
    const unsigned after = _mm_getcsr();
    _mm_setcsr(before);
    if (status != SIMDP_OK || (after & ~0x3fu) != (odd & ~0x3fu))
        fail_msg("%s: status %d, mode %x", row->name, (int)status, after);
    for (size_t i = 0; i < all; i++) {
        if (!is_same(out[i], again[i]))
            fail_msg("%s: %.17g under another rounding mode, not %.17g", row->name, again[i], out[i]);
    }
}

static void loss_forms(void **state)
{
    (void)state;
    for (const form_row *row = forms_of_loss; row->name != NULL; row++) check_row(row);
}

static void account_forms(void **state)
{
    (void)state;
    for (const form_row *row = forms_of_account; row->name != NULL; row++) check_row(row);
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
    for (int round = 0; round < 300; round++) {
        for (const form_row *row = round % 2 ? forms_of_loss : forms_of_account; row->name != NULL; row++) {
            arguments a;
            double out[N * OUTPUTS_MAX];
            set_good(&a, row);
            for (size_t j = 0; row->domains[j] != '\0'; j++) {
                const double value = odd_value(row->domains[j]);
                for (int i = 0; i < N; i++) a.value[j][i] = value;
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

/* What the table cannot say. */
static void other_arguments(void **state)
{
    (void)state;
    double out[4] = {1, 2, 3, 4}, other = 5;
    const double p[] = {0.5, 0.5}, order = 2, epsilon = 0.1;
    simdp_divergences d;
    assert_int_equal(simdp_divergences_finite(&d, NULL, p, 2), SIMDP_ENULL);
    assert_int_equal(simdp_divergences_finite(&d, p, p, 0), SIMDP_EPARAM);
    assert_int_equal(simdp_delta_finite(out, &epsilon, 1, p, NULL, 2), SIMDP_ENULL);
    assert_int_equal(simdp_renyi_finite(out, &order, 1, NULL, p, 2), SIMDP_ENULL);
    assert_int_equal(simdp_delta_randomized_response_each(out, p, p, NULL, 2), SIMDP_ENULL);
    assert_int_equal(simdp_randomized_response_probabilities(out, NULL, p, 2, 0.0), SIMDP_ENULL);
    assert_int_equal(simdp_sigma_gaussian(out, p, NULL, 2), SIMDP_ENULL);
    assert_int_equal(simdp_renyi_epsilon(out, p, p, NULL, 2), SIMDP_ENULL);
    assert_int_equal(simdp_hoeffding_deviation(NULL, &other, 0.1, 1, 0, 1), SIMDP_ENULL);
    assert_int_equal(simdp_hoeffding_deviation(&other, NULL, 0.1, 1, 0, 1), SIMDP_ENULL);
    assert_true(out[0] == 1 && out[1] == 2 && out[2] == 3 && other == 5);
    assert_int_equal(simdp_cdf_laplace(out, p, SIZE_MAX, 1.0), SIMDP_EPARAM);
    assert_int_equal(simdp_hoeffding(&(simdp_tail){0}, 1.0, 10, 2.0, 1.0), SIMDP_EPARAM);   /* low > high */
    assert_int_equal(simdp_polya(&(simdp_polya_bound){0}, 0, 0, 10, 1.0), SIMDP_EPARAM);
    assert_int_equal(simdp_compose_laplace_delta(out, &epsilon, 1, 0.1, 501), SIMDP_EPARAM);
    assert_int_equal(simdp_compose_optimal_delta(out, &epsilon, 1, (simdp_privacy){0.1, 0}, 2000000000000),
                     SIMDP_EPARAM);
    simdp_privacy many[25] = {{0.1, 0}};
    assert_int_equal(simdp_compose_optimal_heterogeneous_delta(out, &epsilon, 1, many, 25), SIMDP_EPARAM);
    assert_int_equal(simdp_compose_optimal_heterogeneous_delta(out, &epsilon, 1, NULL, 2), SIMDP_ENULL);
    simdp_composed basic, strong;
    assert_int_equal(simdp_compose_heterogeneous(&basic, &strong, NULL, 2, 0.1), SIMDP_ENULL);
    must(simdp_compose_heterogeneous(&basic, &strong, NULL, 0, 0.25));
    assert_true(basic.epsilon == 0 && basic.delta == 0 && strong.epsilon == 0 && fabs(strong.delta - 0.25) < 1e-14);
    assert_int_equal(simdp_adaptive_accuracy(&(simdp_accuracy){0}, NULL), SIMDP_ENULL);
    double alpha;
    assert_int_equal(simdp_gamma_inverse(&alpha, 0.1, (simdp_query){(simdp_concentration)9, 1, 1, 1}), SIMDP_EPARAM);
    assert_int_equal(simdp_renyi_compose(out, &order, 1, &(simdp_renyi_step){(simdp_mechanism)9, 1, 1}, 1),
                     SIMDP_EPARAM);
    assert_int_equal(simdp_renyi_compose(out, &order, 1, NULL, 1), SIMDP_ENULL);
    assert_string_equal(simdp_bound_name((simdp_bound)99), "unknown");
    for (int i = 0; i < SIMDP_BOUND_COUNT; i++) assert_string_not_equal(simdp_bound_name((simdp_bound)i), "unknown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(loss_forms), cmocka_unit_test(account_forms),
                                       cmocka_unit_test(no_corner_is_nan), cmocka_unit_test(other_arguments)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
