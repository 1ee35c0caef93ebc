/* property.c: see property.h. */
#include "property/property.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BREAKS_SHOWN = 4, PLANTED_CASES = 10000 };

/* ---- drawing ---- */

uint64_t property_word(property_random *r) /* SplitMix64 */
{
    uint64_t z = (r->state += 0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

double property_uniform(property_random *r) { return ((double)(property_word(r) >> 12) + 0.5) * 0x1p-52; }
uint64_t property_below(property_random *r, uint64_t n) { return property_word(r) % n; }
bool property_chance(property_random *r, double p) { return property_uniform(r) < p; }

double property_log_uniform(property_random *r, double low, double high)
{
    const double x = exp(log(low) + property_uniform(r) * (log(high) - log(low)));
    return fmin(high, fmax(low, x));
}

double property_nudge(property_random *r, double x)
{
    static const int steps[] = {0, 0, 0, 1, -1, 2, -3};
    const int step = steps[property_below(r, sizeof steps / sizeof steps[0])];
    for (int i = 0; i < abs(step); i++) x = nextafter(x, step > 0 ? INFINITY : -INFINITY);
    return x;
}

#define PICK(r, list) list[property_below(r, sizeof list / sizeof list[0])]

double property_epsilon(property_random *r)
{
    static const double used[] = {0.1,
                                  0.2,
                                  0.3,
                                  0.5,
                                  0.7,
                                  0.8,
                                  1,
                                  2,
                                  3,
                                  5,
                                  10,
                                  0x1.62e42fefa39efp-1,
                                  0x1.193ea7aad030bp+0,
                                  1e-3,
                                  1e-6,
                                  1e-9,
                                  1e-15,
                                  1e-16,
                                  1e-20,
                                  0x1p-1022,
                                  0x1p-52,
                                  20,
                                  36.7,
                                  40,
                                  100,
                                  700};
    switch (property_below(r, 8)) {
    case 0: return fabs(property_nudge(r, PICK(r, used)));
    case 1: return property_log_uniform(r, 1e-300, 700);
    case 2: return property_log_uniform(r, 1e-20, 1e-2);
    case 3: return property_chance(r, 0.3) ? 0.0 : property_log_uniform(r, 1, 700);
    default: return property_log_uniform(r, 1e-3, 20);
    }
}

double property_delta_open(property_random *r)
{
    static const double used[] = {1e-5,        1e-6,      1e-9, 1e-12,   1e-20,  1e-100,      1e-300,
                                  0x1p-1074,   0x1p-1022, 0.01, 0.1,     0.5,    1 - 0x1p-53, 1 - 0x1p-52,
                                  1 - 0x1p-30, 0.9,       0.25, 0x1p-53, 0x1p-20};
    double delta;
    switch (property_below(r, 6)) {
    case 0: delta = property_nudge(r, PICK(r, used)); break;
    case 1: delta = property_log_uniform(r, 1e-300, 1); break;
    case 2: delta = 1.0 - property_log_uniform(r, 0x1p-53, 0.5); break;
    case 3: delta = property_uniform(r); break;
    default: delta = property_log_uniform(r, 1e-15, 1e-2);
    }
    return fmin(1 - 0x1p-53, fmax(0x1p-1074, delta));
}

double property_delta(property_random *r)
{
    if (property_chance(r, 0.02)) return 0.0;
    return property_chance(r, 0.02) ? 1.0 : property_delta_open(r);
}

double property_scale(property_random *r)
{
    static const double used[] = {0x1p-900, 0x1p+900, 1, 0.5, 2, 10, 100, 0.1, 1 - 0x1p-53, 1 + 0x1p-52, 3};
    switch (property_below(r, 6)) {
    case 0: return fmin(0x1p+900, fmax(0x1p-900, property_nudge(r, PICK(r, used))));
    case 1: return property_log_uniform(r, 0x1p-900, 0x1p+900);
    case 2: return property_log_uniform(r, 0x1p-60, 0x1p+60);
    default: return property_log_uniform(r, 0x1p-7, 0x1p+7);
    }
}

double property_order(property_random *r)
{
    switch (property_below(r, 8)) {
    case 0: return 1.0 + ldexp(property_chance(r, 0.5) ? 1.0 : -0.5, -(int)property_below(r, 52));
    case 1: return 1.0 + property_log_uniform(r, 0x1p-52, 1);
    case 2: return property_log_uniform(r, 1e-300, 1);
    case 3: return 1.0 - property_log_uniform(r, 0x1p-53, 0.5);
    case 4: return (double)(1 + property_below(r, 256));
    case 5: return property_log_uniform(r, 1, 1e6);
    case 6: return property_log_uniform(r, 1, 1e300);
    default: return property_log_uniform(r, 1.01, 64);
    }
}

int64_t property_count(property_random *r, int64_t most)
{
    const double high = fmax(2.0, (double)most);
    double k;
    switch (property_below(r, 6)) {
    case 0: k = (double)property_below(r, 3); break;
    case 1: k = ldexp(1.0, (int)property_below(r, 41)) + (double)property_below(r, 3) - 1.0; break;
    case 2: k = pow(10.0, (double)property_below(r, 13)); break;
    case 3: k = property_chance(r, 0.2) ? high : 10.0; break;
    default: k = floor(property_log_uniform(r, 1, high));
    }
    return k < (double)most ? (int64_t)k : most;
}

double property_number(property_random *r)
{
    static const double used[] = {0, 1, 0.1, 1e16, 1e308, 0x1p-1074, 0x1p-1022, DBL_MAX, 0.5, 3};
    const double sign = property_chance(r, 0.5) ? 1.0 : -1.0;
    double x;
    switch (property_below(r, 6)) {
    case 0: x = property_nudge(r, PICK(r, used)); break;
    case 1: x = property_log_uniform(r, 0x1p-1074, DBL_MAX); break;
    case 2: x = 1e16 + 8.0 * (double)property_below(r, 1000); break;
    default: x = property_log_uniform(r, 1e-6, 1e6);
    }
    return isfinite(x) ? sign * x : sign * DBL_MAX;
}

/* ---- judging ---- */

typedef struct {
    mpfr_t truth[PROPERTY_OUTPUTS_MAX], slack[PROPERTY_OUTPUTS_MAX], difference, allowed;
} property_numbers;

typedef struct {
    size_t cases, breaks;
    double worst; /* the largest part of the allowed error that was used */
} property_result;

static uint64_t seed_of(const char *name)
{
    uint64_t hash = 0xcbf29ce484222325;
    for (; *name != '\0'; name++) hash = (hash ^ (unsigned char)*name) * 0x100000001b3;
    return hash;
}

/* 0 to 1: the part of the allowed error that a result uses; inf: wrong. */
static double part_used(double got, property_numbers *t, size_t output, property_rule rule)
{
    mpfr_ptr truth = t->truth[output];
    if (isnan(got) || mpfr_nan_p(truth)) return isnan(got) && mpfr_nan_p(truth) ? 0.0 : INFINITY;
    if (mpfr_inf_p(truth)) return isinf(got) && (got > 0) == (mpfr_sgn(truth) > 0) ? 0.0 : INFINITY;
    if (rule.side == PROPERTY_ABOVE && mpfr_cmp_d(truth, got) > 0) return INFINITY;
    if (rule.side == PROPERTY_BELOW && mpfr_cmp_d(truth, got) < 0) return INFINITY;
    if (rule.relative == INFINITY) return 0.0;
    mpfr_abs(t->allowed, truth, MPFR_RNDU);
    mpfr_mul_d(t->allowed, t->allowed, rule.relative, MPFR_RNDU);
    mpfr_add_d(t->allowed, t->allowed, rule.absolute, MPFR_RNDU);
    mpfr_add_d(t->allowed, t->allowed, 0x1p-1074, MPFR_RNDU);
    mpfr_add(t->allowed, t->allowed, t->slack[output], MPFR_RNDU);
    if (isinf(got)) { /* right where the truth, moved by the allowed error, lies beyond the largest double */
        if (got > 0) mpfr_add(t->difference, truth, t->allowed, MPFR_RNDU);
        else mpfr_sub(t->difference, t->allowed, truth, MPFR_RNDU);
        return mpfr_cmp_d(t->difference, DBL_MAX) > 0 ? 0.0 : INFINITY;
    }
    if (fabs(got) == DBL_MAX && mpfr_cmpabs(truth, t->allowed) > 0 && mpfr_cmp_d(truth, DBL_MAX) > 0 &&
        rule.side == PROPERTY_BELOW)
        return 0.0;
    mpfr_d_sub(t->difference, got, truth, MPFR_RNDA);
    mpfr_abs(t->difference, t->difference, MPFR_RNDU);
    mpfr_div(t->difference, t->difference, t->allowed, MPFR_RNDU);
    const double part = mpfr_get_d(t->difference, MPFR_RNDU);
    return part <= 1.0 ? part : INFINITY;
}

static void show_break(const property_row *row, const double *a, const double *got, property_numbers *t, size_t output,
                       simdp_status status)
{
    printf("    %s(", row->name);
    for (size_t j = 0; j < row->arguments; j++) printf("%s%.17g", j == 0 ? "" : ", ", a[j]);
    mpfr_printf(") output %zu: %.17g, truth %.25Rg, status %d\n", output, got[output], t->truth[output], (int)status);
}

static void one_case(property_result *result, const property_row *row, property_random *r, property_numbers *t,
                     bool quiet)
{
    double a[PROPERTY_ARGUMENTS_MAX] = {0}, got[PROPERTY_OUTPUTS_MAX];
    row->draw(r, a);
    for (size_t j = 0; j < row->outputs; j++) {
        got[j] = -12345.0;
        mpfr_set_ui(t->slack[j], 0, MPFR_RNDN);
    }
    const simdp_status status = row->call(got, a);
    row->truth(t->truth, a);
    if (row->slack != NULL) row->slack(t->slack, a);
    result->cases++;
    for (size_t j = 0; j < row->outputs; j++) {
        const double part = status == SIMDP_OK ? part_used(got[j], t, j, row->rule[j]) : INFINITY;
        if (part <= 1.0) {
            result->worst = fmax(result->worst, part);
            continue;
        }
        if (result->breaks++ < BREAKS_SHOWN && !quiet) show_break(row, a, got, t, j, status);
    }
}

static property_result run_row(const property_row *row, size_t cases, property_numbers *t, bool quiet)
{
    property_result result = {0};
    property_random r = {seed_of(row->name)};
    const double share = row->share > 0.0 ? row->share : 1.0;
    const size_t wanted = (size_t)ceil((double)cases * share);
    while (result.cases < wanted && !(quiet && result.breaks > 0)) one_case(&result, row, &r, t, quiet);
    return result;
}

/* ---- the program ---- */

typedef struct {
    const char *only;
    size_t cases;
    bool list;
} property_options;

static property_options options_of(int argc, char **argv)
{
    property_options o = {.cases = getenv("SIMDP_TEST_FULL") != NULL ? 1000000 : 10000};
    if (getenv("SIMDP_TEST_SHORT") != NULL) o.cases = 300;
    for (int i = 1; i < argc; i++) {
        char *end;
        const double number = strtod(argv[i], &end);
        if (strcmp(argv[i], "--list") == 0) o.list = true;
        else if (*end == '\0' && number >= 1.0) o.cases = (size_t)number;
        else o.only = argv[i];
    }
    return o;
}

/* The row of this name, with a call in place of its own. */
static property_row with_defect(const property_row *rows, const property_planted *planted)
{
    while (rows->name != NULL && strcmp(rows->name, planted->name) != 0) rows++;
    property_row row = *rows;
    row.call = planted->call;
    return row;
}

static bool is_wanted(const property_options *options, const char *name)
{
    return options->only == NULL || strcmp(options->only, name) == 0;
}

static bool row_holds(const property_row *row, size_t cases, property_numbers *t)
{
    const property_result result = run_row(row, cases, t, false);
    printf("%-6s %-42s %8zu cases, %zu wrong, %.3f of the allowed error\n", result.breaks == 0 ? "ok" : "FAILED",
           row->name, result.cases, result.breaks, result.worst);
    return result.breaks == 0;
}

static bool defect_is_found(const property_row *rows, const property_planted *planted, property_numbers *t)
{
    const property_row row = with_defect(rows, planted);
    const bool known = row.name != NULL;
    const property_result result = known ? run_row(&row, PLANTED_CASES, t, true) : (property_result){0};
    printf("%-6s %-42s planted: %s; found after %zu cases\n", result.breaks > 0 ? "ok" : "FAILED", planted->name,
           planted->defect, result.cases);
    return result.breaks > 0;
}

static void list_rows(const property_row *rows)
{
    for (; rows->name != NULL; rows++) printf("simdp_%s\n", rows->function != NULL ? rows->function : rows->name);
}

int property_main(int argc, char **argv, const property_row *rows, const property_planted *planted)
{
    const property_options options = options_of(argc, argv);
    property_numbers t;
    size_t count[2] = {0}; /* failed, passed */
    if (options.list) {
        list_rows(rows);
        return 0;
    }
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    for (int j = 0; j < PROPERTY_OUTPUTS_MAX; j++) mpfr_inits2(PROPERTY_BITS, t.truth[j], t.slack[j], (mpfr_ptr)0);
    mpfr_inits2(PROPERTY_BITS, t.difference, t.allowed, (mpfr_ptr)0);
    for (const property_row *row = rows; row->name != NULL; row++) {
        if (is_wanted(&options, row->name)) count[row_holds(row, options.cases, &t)]++;
    }
    for (; planted->defect != NULL; planted++) {
        if (is_wanted(&options, planted->name)) count[defect_is_found(rows, planted, &t)]++;
    }
    for (int j = 0; j < PROPERTY_OUTPUTS_MAX; j++) mpfr_clears(t.truth[j], t.slack[j], (mpfr_ptr)0);
    mpfr_clears(t.difference, t.allowed, (mpfr_ptr)0);
    mpfr_free_cache();
    printf("%zu passed, %zu failed\n", count[1], count[0]);
    return count[0] == 0 && count[1] > 0 ? 0 : 1;
}
