/* simdp audit: a mechanism of the library against its closed form, by experiment. Exit 1 if the two disagree. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "audit_outcomes.h"
#include "commands.h"
#include "options.h"
#include "stream_options.h"

enum {
    SAMPLES,
    EPSILON,
    FALSE_ALARM,
    THREADS,
    KEY,
    KEY_FILE,
    STREAM,
    POSITION,
    ISA,
    SCALE,
    SCALE_USED,
    X0,
    X1,
    CUT,
    SCORES0,
    SCORES1,
    EPSILON0,
    EPSILON0_USED,
    VALUES,
    DELTA,
    PEOPLE,
    THRESHOLD,
    SCALE_QUERY,
    BY_ID,
    OPTIONS
};

static option o[] = {{.name = "--samples"},
                     {.name = "--epsilon"},
                     {.name = "--false-alarm"},
                     {.name = "--threads"},
                     STREAM_OPTION_NAMES,
                     {.name = "--scale"},
                     {.name = "--scale-used"},
                     {.name = "--x0"},
                     {.name = "--x1"},
                     {.name = "--cut"},
                     {.name = "--scores0"},
                     {.name = "--scores1"},
                     {.name = "--epsilon0"},
                     {.name = "--epsilon0-used"},
                     {.name = "--values"},
                     {.name = "--delta"},
                     {.name = "--people"},
                     {.name = "--threshold"},
                     {.name = "--scale-query"},
                     {.name = "--by-id", .is_flag = true},
                     {.name = NULL}};

/* which options beyond the common ones, SAMPLES to ISA, a mechanism has */
static const struct {
    const char *name;
    simdp_mechanism mechanism;
    audited_draw *draw;
    int takes[8]; /* ends with OPTIONS */
} mechanisms[] = {
    {"laplace", SIMDP_MECHANISM_LAPLACE, audit_releases, {SCALE, SCALE_USED, X0, X1, CUT, BY_ID, OPTIONS}},
    {"gaussian", SIMDP_MECHANISM_GAUSSIAN, audit_releases, {SCALE, SCALE_USED, X0, X1, CUT, BY_ID, OPTIONS}},
    {"laplace-i64", SIMDP_MECHANISM_SELECTION, audit_integers, {SCALE, SCALE_USED, X0, X1, BY_ID, OPTIONS}},
    {"gaussian-i64", SIMDP_MECHANISM_SELECTION, audit_integers, {SCALE, SCALE_USED, X0, X1, BY_ID, OPTIONS}},
    {"discrete-laplace", SIMDP_MECHANISM_SELECTION, audit_integers, {SCALE, SCALE_USED, X0, X1, OPTIONS}},
    {"discrete-gaussian", SIMDP_MECHANISM_SELECTION, audit_integers, {SCALE, SCALE_USED, X0, X1, OPTIONS}},
    {"selection", SIMDP_MECHANISM_SELECTION, audit_choices, {SCALE, SCALE_USED, SCORES0, SCORES1, BY_ID, OPTIONS}},
    {"rr", SIMDP_MECHANISM_RANDOMIZED_RESPONSE, audit_answers, {EPSILON0, EPSILON0_USED, BY_ID, OPTIONS}},
    {"k-response", SIMDP_MECHANISM_SELECTION, audit_reports, {EPSILON0, EPSILON0_USED, VALUES, OPTIONS}},
    {"unary", SIMDP_MECHANISM_SELECTION, audit_unary, {EPSILON0, EPSILON0_USED, OPTIONS}},
    {"partitions", SIMDP_MECHANISM_SELECTION, audit_groups, {EPSILON0, EPSILON0_USED, DELTA, PEOPLE, BY_ID, OPTIONS}},
    {"laplace-threshold", SIMDP_MECHANISM_SELECTION, audit_counts, {SCALE, SCALE_USED, DELTA, PEOPLE, OPTIONS}},
    {"gaussian-threshold", SIMDP_MECHANISM_SELECTION, audit_counts, {SCALE, SCALE_USED, DELTA, PEOPLE, OPTIONS}},
    {"above-threshold",
     SIMDP_MECHANISM_SELECTION,
     audit_queries,
     {SCALE, SCALE_USED, SCALE_QUERY, THRESHOLD, SCORES0, SCORES1, OPTIONS}},
};
enum { MECHANISMS = sizeof mechanisms / sizeof mechanisms[0], THREADS_MOST = 1024 };

static uint64_t samples(void)
{
    const double n = option_number(&o[SAMPLES], 1e7);
    if (!(n >= 1 && n <= 0x1p53 && n == floor(n)))
        usage_error("--samples %s: a whole number from 1 to 2^53", o[SAMPLES].value);
    return (uint64_t)n;
}

static unsigned threads(void)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    const uint64_t n = option_count(&o[THREADS], cores < 1 ? 1 : cores > THREADS_MOST ? THREADS_MOST : (uint64_t)cores);
    if (n < 1 || n > THREADS_MOST) usage_error("--threads %s: from 1 to %d", o[THREADS].value, THREADS_MOST);
    return (unsigned)n;
}

/* Of selections the scores; else logarithms of the probabilities of outcomes. */
static outcome_scores scores;

static size_t read_lists(double lists[2][AUDIT_OUTCOMES_MOST], size_t most, const char *name)
{
    const size_t n = option_list(&o[SCORES0], lists[0], most);
    if (n == 0 || option_list(&o[SCORES1], lists[1], most) != n)
        usage_error("audit %s needs --scores0 and --scores1, equally many", name);
    return n;
}

static size_t read_reports(audited *a)
{
    const uint64_t values = option_count(&o[VALUES], 16);
    if (values < 2 || values > UINT32_MAX) usage_error("--values %s: from 2 to 2^32 - 1", o[VALUES].value);
    a->values = (uint32_t)values;
    return outcomes_of_reports(a, scores);
}

static void read_people(audited *a)
{
    const uint64_t people = option_count(&o[PEOPLE], 5);
    if (people < 1 || people > 1 << 30) usage_error("--people %s: from 1 to 2^30", o[PEOPLE].value);
    a->delta = option_number(&o[DELTA], 1e-3);
    a->people = (int64_t)people;
}

static size_t read_queries(audited *a)
{
    static double queries[2][AUDIT_OUTCOMES_MOST];
    a->queries = read_lists(queries, AUDIT_OUTCOMES_MOST - 1, "above-threshold");
    a->query[0] = queries[0], a->query[1] = queries[1];
    a->threshold = option_number(&o[THRESHOLD], 0);
    a->scale_query = option_number(&o[SCALE_QUERY], 2);
    return outcomes_of_queries(a, scores);
}

/* How many outcomes a mechanism has; 0 for parameters out of range. */
static size_t read_outcomes(audited *a, const char *name)
{
    if (a->draw == audit_choices) return read_lists(scores, AUDIT_OUTCOMES_MOST, name);
    if (a->draw == audit_reports) return read_reports(a);
    if (a->draw == audit_integers) return outcomes_of_integers(a, scores);
    if (a->draw == audit_unary) return outcomes_of_unary(a, scores);
    if (a->draw == audit_queries) return read_queries(a);
    read_people(a);
    return a->draw == audit_groups ? outcomes_of_groups(a, scores) : outcomes_of_counts(a, scores);
}

static audited read_mechanism(int which)
{
    const char *const name = mechanisms[which].name;
    const int scale = mechanisms[which].takes[0]; /* SCALE or EPSILON0; its _USED follows it */
    audited a = {.draw = mechanisms[which].draw,
                 .mechanism = mechanisms[which].mechanism,
                 .x0 = option_number(&o[X0], 0),
                 .x1 = option_number(&o[X1], 1),
                 .scores = {scores[0], scores[1]},
                 .scale = option_number(&o[scale], 1),
                 .cut = option_number(&o[CUT], INFINITY),
                 .by_id = o[BY_ID].value != NULL,
                 .is_gaussian = strstr(name, "gaussian") != NULL,
                 .is_discrete = strncmp(name, "discrete", 8) == 0};
    a.scale_used = option_number(&o[scale + 1], a.scale);
    if (!(a.cut > 0)) usage_error("--cut %s: more than 0", o[CUT].value);
    if (a.by_id && (!stream_is_fixed(&o[KEY]) || !isinf(a.cut)))
        usage_error("audit %s: --by-id needs a key, and has no --cut", name);
    if (a.mechanism != SIMDP_MECHANISM_SELECTION) return a;
    a.candidates = read_outcomes(&a, name);
    if (a.candidates == 0) usage_error("audit %s: a parameter is out of range", name);
    if (a.draw != audit_choices) a.scale = 1; /* of the scores */
    return a;
}

static void print_estimate(const char *name, double exact, const simdp_loss_estimate *e)
{
    printf("%-10s %-14.9g %-14.9g %-14.9g %-14.9g", name, exact, e->value, e->low, e->high);
}

/* The number of rows that disagree. */
static size_t print_rows(const simdp_loss_audit_row *rows, size_t n)
{
    size_t outside = 0;
    printf("%-10s %-14s %-14s %-14s %-14s inside\n", "epsilon", "delta", "estimate", "low", "high");
    for (size_t j = 0; j < n; j++) {
        char epsilon[32];
        snprintf(epsilon, sizeof epsilon, "%.9g", rows[j].epsilon);
        print_estimate(epsilon, rows[j].exact_delta, &rows[j].delta);
        printf(" %s\n", rows[j].agrees ? "yes" : "no");
        if (rows[j].agrees) continue;
        outside++; /* of an interval for delta or for one of the tails that it is made of */
        for (int side = 0; side < 2; side++) {
            print_estimate(side == 0 ? " P[L>e|x0]" : " P[L>e|x1]", rows[j].exact_tail[side], &rows[j].tail[side]);
            printf("\n");
        }
    }
    return outside;
}

static int run(int which)
{
    static double epsilon[SIMDP_LOSS_EPSILONS_MAX];
    simdp_loss_audit audit;
    simdp_loss_audit_row rows[SIMDP_LOSS_EPSILONS_MAX];
    simdp_rng rng;
    const uint64_t n = samples();
    const unsigned workers = threads();
    const audited what = read_mechanism(which);
    const double false_alarm = option_number(&o[FALSE_ALARM], 1e-9);
    const size_t m = option_list(&o[EPSILON], epsilon, SIMDP_LOSS_EPSILONS_MAX);
    if (m == 0) usage_error("audit %s needs --epsilon E,E,...", mechanisms[which].name);
    if (!(false_alarm > 0 && false_alarm < 1)) usage_error("--false-alarm %s: between 0 and 1", o[FALSE_ALARM].value);
    /* two tails, delta */
    const simdp_loss_audit_plan plan = {.epsilon = epsilon, .epsilons = m, .error = false_alarm / (3.0 * (double)m)};
    stream_open(&rng, &o[KEY], STREAM_FOR_TESTS);
    simdp_status status = audit_begin(&audit, &what, &plan);
    progress_bar bar = progress_begin("sampling");
    if (status == SIMDP_OK) status = audit_draw_pieces(&audit, &what, &rng, stream_is_fixed(&o[KEY]), n, workers, &bar);
    if (status == SIMDP_OK) status = simdp_loss_audit_rows(&audit, rows);
    simdp_rng_wipe(&rng);
    if (status == SIMDP_EPARAM)
        usage_error("audit %s: an epsilon outside 0 to 1000, a parameter out of range, or the stream ends",
                    mechanisms[which].name);
    if (status != SIMDP_OK) failure("%s", simdp_status_text(status));
    const size_t outside = print_rows(rows, m);
    printf("%llu samples on each input; a sound mechanism is accused with probability below %g\n",
           (unsigned long long)n, false_alarm);
    printf(outside == 0 ? "agrees with its closed form\n" : "does not agree with its closed form\n");
    return outside == 0 ? 0 : 1;
}

int command_audit(int argc, char **argv)
{
    int which = 0;
    if (argc == 0) usage_error("audit needs a mechanism, for example laplace; 'simdp help audit' lists them");
    while (which < MECHANISMS && strcmp(argv[0], mechanisms[which].name) != 0) which++;
    if (which == MECHANISMS) usage_error("unknown mechanism '%s'; 'simdp help audit' lists them", argv[0]);
    options_read(o, argc - 1, argv + 1);
    for (int i = ISA + 1; i < OPTIONS; i++) {
        bool taken = false;
        for (int t = 0; mechanisms[which].takes[t] != OPTIONS; t++) taken |= mechanisms[which].takes[t] == i;
        if (o[i].value != NULL && !taken) usage_error("audit %s has no option '%s'", argv[0], o[i].name);
    }
    return run(which);
}
