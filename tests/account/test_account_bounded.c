/* test_account_bounded: every closed form of loss and account, every interval and every privacy-loss distribution comes
 * to an end, whatever its arguments: inside their domains and outside, all of them at once. What the answers are is for
 * other tests. */
#define _XOPEN_SOURCE 700
#include <ctype.h>
#include <float.h>
#include <math.h>
#include <sys/resource.h>

#include "forms/forms_table.h"
#include "support/header_names.h"
#include "support/test_support.h"
#include "support/watchdog.h"

enum { LIMIT = 20 /* seconds of processor time for a call */ };

static const double numbers[] = {
    0,    -0.0, 0x1p-1074, 1e-320,    0x1p-1022,  1e-300,      1e-100,      1e-16,   1e-9,
    1e-3, 0.02, 0.1,       0.5,       0.9,        1,           1.5,         3,       40,
    709,  1e5,  1e9,       1e12,      1e20,       1e100,       1e300,       DBL_MAX, INFINITY,
    NAN,  -1,   -DBL_MAX,  -INFINITY, -0x1p-1074, 1 - 0x1p-53, 1 + 0x1p-52,
};
static const double counts[] = {
    0, 1, 2, 7, 24, 25, 100, 500, 501, 1e4, 1e6, 1e9, 1e12, 1e15, 4e18, 0x1.fffffffffffffp62, -1, -7, -1e12, -0x1p63};

static double pick(char letter, uint64_t choice)
{
    const bool whole = strchr("kmn", tolower((unsigned char)letter)) != NULL;
    if (whole) return counts[choice % (sizeof counts / sizeof *counts)];
    return numbers[choice % (sizeof numbers / sizeof *numbers)];
}

/* ---- closed forms ---- */

enum { OUTPUTS_MOST = 16 };

static void call_form(const form_row *row, const double value[FORM_ARGUMENTS_MAX])
{
    const double *pointer[FORM_ARGUMENTS_MAX];
    double out[OUTPUTS_MOST];
    assert_true(row->outputs <= OUTPUTS_MOST);
    for (int j = 0; j < FORM_ARGUMENTS_MAX; j++) pointer[j] = &value[j];
    WATCHDOG_START(LIMIT, "simdp_%s(%a, %a, %a, %a, %a, %a, %a)", row->name, value[0], value[1], value[2], value[3],
                   value[4], value[5], value[6]);
    (void)row->call(out, 1, pointer);
    watchdog_stop();
}

/* Each argument at every value, the others good; then all at once: two arguments at all pairs, more at random. */
static void bound_form(const form_row *row, uint64_t seed)
{
    const size_t arguments = strlen(row->domains), places = sizeof numbers / sizeof *numbers,
                 rounds = is_short()  ? 30
                          : is_full() ? 40000
                                      : 2000;
    double value[FORM_ARGUMENTS_MAX];
    for (size_t i = 0; i < arguments * places; i++) {
        memcpy(value, row->good, sizeof value);
        value[i / places] = pick(row->domains[i / places], i % places);
        call_form(row, value);
    }
    for (size_t i = 0; i < (arguments <= 2 ? places * places : rounds); i++) {
        memcpy(value, row->good, sizeof value);
        for (size_t j = 0; j < arguments; j++) {
            const uint64_t choice = arguments <= 2 ? (j == 0 ? i % places : i / places) : test_random(&seed);
            value[j] = pick(row->domains[j], choice);
        }
        call_form(row, value);
    }
}

/* Functions whose domains are not those of forms_table.h. */
static void sampled_forms_end(void **state)
{
    (void)state;
    enum { PLACES = sizeof numbers / sizeof *numbers };
    for (size_t i = 0; i < PLACES * PLACES * PLACES; i += is_full() ? 1 : 7) {
        const double s = numbers[i % PLACES], order = numbers[i / PLACES % PLACES], q = numbers[i / PLACES / PLACES];
        double out;
        WATCHDOG_START(LIMIT, "simdp_renyi_gaussian_sampled(%a, %a, %a)", order, s, q);
        (void)!simdp_renyi_gaussian_sampled(&out, &order, 1, s, q);
        watchdog_stop();
    }
}

static void closed_forms_end(void **state)
{
    (void)state;
    for (size_t i = 0; forms_of_loss[i].name != NULL; i++) bound_form(&forms_of_loss[i], i);
    for (size_t i = 0; forms_of_account[i].name != NULL; i++) bound_form(&forms_of_account[i], 1000 + i);
}

/* ---- intervals ---- */

static void intervals_end(void **state)
{
    (void)state;
    const uint64_t trials[] = {0, 1, 2, 3, 1000, 6001, 1000000, 1000000000000, (uint64_t)1 << 53, UINT64_MAX};
    enum { TRIALS = sizeof trials / sizeof *trials, PLACES = sizeof numbers / sizeof *numbers };
    for (size_t e = 0; e < PLACES; e++) {
        for (size_t i = 0; i < TRIALS; i++) {
            const uint64_t n = trials[i], some[] = {0, 1, n / 1000, n / 3, n - n / 3000, n - 1, n, UINT64_MAX};
            for (size_t j = 0; j < sizeof some / sizeof *some; j++) {
                simdp_loss_estimate out;
                WATCHDOG_START(LIMIT, "simdp_loss_interval_proportion(%llu, %llu, %a)", (unsigned long long)some[j],
                               (unsigned long long)n, numbers[e]);
                (void)!simdp_loss_interval_proportion(&out, some[j], n, numbers[e]);
                watchdog_stop();
            }
            for (size_t j = 0; j < PLACES * PLACES; j += is_full() ? 1 : 5) {
                simdp_loss_estimate out;
                WATCHDOG_START(LIMIT, "simdp_loss_interval_mean(%a, %llu, %a, %a)", numbers[j % PLACES],
                               (unsigned long long)n, numbers[j / PLACES], numbers[e]);
                (void)!simdp_loss_interval_mean(&out, numbers[j % PLACES], n, numbers[j / PLACES], numbers[e]);
                watchdog_stop();
            }
        }
    }
}

/* ---- privacy-loss distributions ---- */

typedef struct {
    const char *name;
    double a, b;
} pld_case;

static simdp_status add(simdp_pld *pld, const pld_case *c, uint64_t times)
{
    const double p[3] = {c->a, 0.5, 0.5 - c->a}, q[3] = {c->b, 1 - c->b, 0};
    if (strcmp(c->name, "laplace") == 0) return simdp_pld_add_laplace(pld, c->a, times);
    if (strcmp(c->name, "gaussian") == 0) return simdp_pld_add_gaussian(pld, c->a, times);
    if (strcmp(c->name, "response") == 0) return simdp_pld_add_randomized_response(pld, c->a, c->b, times);
    if (strcmp(c->name, "discrete_laplace") == 0)
        return simdp_pld_add_discrete_laplace(pld, c->a, (uint64_t)c->b, times);
    if (strcmp(c->name, "discrete_gaussian") == 0)
        return simdp_pld_add_discrete_gaussian(pld, c->a, (uint64_t)c->b, times);
    if (strcmp(c->name, "pair") == 0) return simdp_pld_add_pair(pld, p, q, 3, times);
    return simdp_pld_add_histogram(pld, p, 3, (int64_t)c->b, 0, times);
}

static const pld_case laws[] = {
    {"laplace", 0, 0},
    {"laplace", 0x1p-1074, 0},
    {"laplace", 1e-9, 0},
    {"laplace", 0.1, 0},
    {"laplace", 3, 0},
    {"laplace", 1e3, 0},
    {"laplace", 1e6, 0},
    {"gaussian", 1e-6, 0},
    {"gaussian", 1e-4, 0},
    {"gaussian", 0.01, 0},
    {"gaussian", 1, 0},
    {"gaussian", 1e4, 0},
    {"gaussian", 1e12, 0},
    {"response", 0, 0},
    {"response", 0x1p-1074, 0.5},
    {"response", 1, 1},
    {"response", 1e6, 0},
    {"response", 30, 0x1p-1074},
    {"discrete_laplace", 1e-6, 1},
    {"discrete_laplace", 1, 7},
    {"discrete_laplace", 1e12, 1e4},
    {"discrete_gaussian", 1e-3, 1},
    {"discrete_gaussian", 2, 0},
    {"discrete_gaussian", 1.05, 1048576},
    {"discrete_gaussian", 1e4, 3},
    {"pair", 0.5, 0.5},
    {"pair", 0x1p-1074, 0x1p-1074},
    {"pair", 0.25, 0},
    {"histogram", 0.1, 0},
    {"histogram", 0.5, 0x1p40},
    {"histogram", 0, -0x1p40},
};
static const double grids[] = {0x1p-60, 1e-12, 1e-6, 1e-4, 0.01, 1, 100, 0x1p20, 0x1p60};

/* Masses wherever they are asked for: near 0, at the ends of what is legal. */
static void masses_end(void **state)
{
    (void)state;
    enum { POINTS = 50 };
    const int64_t end = (int64_t)1 << 40, firsts[] = {-POINTS / 2, 0, 1000000, end, -end, end / 2 + 12345};
    for (size_t l = 0; l < sizeof laws / sizeof *laws; l++) {
        for (size_t g = 0; g < sizeof grids / sizeof *grids; g++) {
            simdp_pld *pld;
            must(simdp_pld_create(&pld, grids[g]));
            WATCHDOG_START(LIMIT, "simdp_pld_add_%s(%a, %a), grid %a", laws[l].name, laws[l].a, laws[l].b, grids[g]);
            const simdp_status status = add(pld, &laws[l], 1);
            watchdog_stop();
            for (size_t f = 0; status == SIMDP_OK && f < sizeof firsts / sizeof *firsts; f++) {
                for (simdp_pld_rounding r = SIMDP_PLD_UP; r <= SIMDP_PLD_BINS; r++) {
                    double mass[POINTS];
                    WATCHDOG_START(LIMIT, "simdp_pld_masses of %s(%a, %a), grid %a, from %lld, rounding %d",
                                   laws[l].name, laws[l].a, laws[l].b, grids[g], (long long)firsts[f], (int)r);
                    (void)!simdp_pld_masses(pld, mass, POINTS, firsts[f], 0, r);
                    watchdog_stop();
                }
            }
            simdp_pld_destroy(pld);
        }
    }
}

/* Compositions of one law and of two; those that need more memory than this are refused for want of it. */
static void compositions_end(void **state)
{
    (void)state;
    enum { BYTES = 100 << 20 };
    const uint64_t times[] = {1, 2, 1000, 1000000000000, UINT64_MAX};
    const double deltas[][2] = {{1e-300, 1}, {1e-12, 0.5}, {1, 1}, {1e-5, 1e-5}};
    const simdp_pld_rounding uppers[] = {SIMDP_PLD_UP, SIMDP_PLD_DOTS},
                             lowers[] = {SIMDP_PLD_NONE, SIMDP_PLD_DOWN, SIMDP_PLD_BINS};
    struct rlimit before, limit;
    uint64_t seed = 7;
    if (is_short()) skip(); /* sanitizers need the address space */
    assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
    limit = before;
    limit.rlim_cur = BYTES;
    assert_int_equal(setrlimit(RLIMIT_AS, &limit), 0);
    for (int round = 0; round < (is_full() ? 5000 : 150); round++) {
        const pld_case *one = &laws[test_random(&seed) % (sizeof laws / sizeof *laws)],
                       *two = &laws[test_random(&seed) % (sizeof laws / sizeof *laws)];
        const uint64_t choice = test_random(&seed), k = times[choice % 5],
                       more = choice >> 8 & 1 ? times[choice >> 9 & 1] : 0;
        const double grid = grids[(choice >> 16) % (sizeof grids / sizeof *grids)], *delta = deltas[choice >> 24 & 3];
        const simdp_pld_rounding upper = uppers[choice >> 28 & 1], lower = lowers[(choice >> 32) % 3];
        const double at[] = {0, 0x1p-1074, 1, 1e300, INFINITY, NAN};
        double low[6], high[6];
        simdp_pld *pld;
        must(simdp_pld_create(&pld, grid));
        WATCHDOG_START(LIMIT,
                       "simdp_pld_compose: %llu of %s(%a, %a), %llu of %s(%a, %a), grid %a, delta %a to %a, "
                       "roundings %d and %d",
                       (unsigned long long)k, one->name, one->a, one->b, (unsigned long long)more, two->name, two->a,
                       two->b, grid, delta[0], delta[1], (int)upper, (int)lower);
        simdp_status status = add(pld, one, k);
        if (status == SIMDP_OK) status = add(pld, two, more);
        if (status == SIMDP_OK) status = simdp_pld_compose(pld, delta[0], delta[1], upper, lower, NULL, NULL);
        if (status == SIMDP_OK) {
            (void)!simdp_pld_delta(pld, lower == SIMDP_PLD_NONE ? NULL : low, high, at, 6);
            (void)!simdp_pld_log_delta(pld, lower == SIMDP_PLD_NONE ? NULL : low, high, at, 6);
            (void)!simdp_pld_epsilon(pld, lower == SIMDP_PLD_NONE ? NULL : low, high, at, 6);
        }
        watchdog_stop();
        simdp_pld_destroy(pld);
    }
    assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
}

/* ---- nothing is missing ---- */

static bool begins(const char *name, const char *with) { return strncmp(name, with, strlen(with)) == 0; }

/* What has no row: objects and passes over data, whose work is a fixed amount per element. */
static bool is_covered(const char *name)
{
    static const char *const passes[] = {"simdp_loss_audit_",
                                         "simdp_loss_statistics_",
                                         "simdp_loss_gaussian_f",
                                         "simdp_loss_laplace_f",
                                         "simdp_loss_randomized_response",
                                         "simdp_loss_leaky_response",
                                         "simdp_loss_selection",
                                         "simdp_loss_sum",
                                         "simdp_loss_transcripts",
                                         "simdp_delta_gaussian",
                                         "simdp_delta_laplace",
                                         "simdp_account_bound_name",
                                         "simdp_account_sgd_", /* compositions: test_account_sampled */
                                         "simdp_loss_count_",  /* an interval and some operations */
                                         "simdp_renyi_gaussian_sampled"};
    for (size_t i = 0; forms_of_loss[i].name != NULL; i++) {
        if (strcmp(form_function(&forms_of_loss[i]), name + strlen("simdp_")) == 0) return true;
    }
    for (size_t i = 0; forms_of_account[i].name != NULL; i++) {
        if (strcmp(form_function(&forms_of_account[i]), name + strlen("simdp_")) == 0) return true;
    }
    for (size_t i = 0; i < sizeof passes / sizeof *passes; i++) {
        if (begins(name, passes[i])) return true;
    }
    return begins(name, "simdp_pld_") || begins(name, "simdp_loss_interval_");
}

/* Systems draw, or take one step for each call; the types of functions are not called. */
static bool is_covered_or_system(const char *name)
{
    /* clang-format off */
    static const char *const systems[] = {
        "release_", "leaky_response", "name_and_shame", "laplace_map", "discrete_map", "mechanism_cost", "filter_",
        "interact", "transcript_map", "polya_urn", "select_column", "analyst", "query"};
    /* clang-format on */
    for (size_t i = 0; i < sizeof systems / sizeof *systems; i++) {
        if (begins(name + strlen("simdp_theory_"), systems[i])) return true;
    }
    return is_covered(name);
}

static void nothing_is_missing(void **state)
{
    (void)state;
    header_check("simdp_loss.h", "simdp_", is_covered);
    header_check("simdp_account.h", "simdp_", is_covered);
    header_check("simdp_theory.h", "simdp_theory_", is_covered_or_system);
    char control[] = "int simdp_account_compose(int), simdp_compose_new(int);", missing[100];
    assert_int_equal(header_missing(control, "simdp_", is_covered, missing), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_missing), cmocka_unit_test(closed_forms_end), cmocka_unit_test(sampled_forms_end),
        cmocka_unit_test(intervals_end),      cmocka_unit_test(masses_end),       cmocka_unit_test(compositions_end),
    };
    return cmocka_run_group_tests_name("account_bounded", tests, NULL, NULL);
}
