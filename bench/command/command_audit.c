/* simdp audit: a mechanism of the library against its closed form, by experiment. Exit 1 if the two disagree. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "audit_pieces.h"
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
    OPTIONS
};

static option o[] = {{.name = "--samples"},     {.name = "--epsilon"},
                     {.name = "--false-alarm"}, {.name = "--threads"},
                     STREAM_OPTION_NAMES,       {.name = "--scale"},
                     {.name = "--scale-used"},  {.name = "--x0"},
                     {.name = "--x1"},          {.name = "--cut"},
                     {.name = "--scores0"},     {.name = "--scores1"},
                     {.name = "--epsilon0"},    {.name = "--epsilon0-used"},
                     {.name = "--values"},      {.name = "--delta"},
                     {.name = "--people"},      {.name = NULL}};

/* which options beyond the common ones, SAMPLES to ISA, a mechanism has */
static const struct {
    const char *name;
    simdp_mechanism mechanism;
    audited_draw *draw;
    int takes[6]; /* ends with OPTIONS */
} mechanisms[] = {
    {"laplace", SIMDP_MECHANISM_LAPLACE, audit_releases, {SCALE, SCALE_USED, X0, X1, CUT, OPTIONS}},
    {"gaussian", SIMDP_MECHANISM_GAUSSIAN, audit_releases, {SCALE, SCALE_USED, X0, X1, CUT, OPTIONS}},
    {"selection", SIMDP_MECHANISM_SELECTION, audit_choices, {SCALE, SCALE_USED, SCORES0, SCORES1, OPTIONS}},
    {"rr", SIMDP_MECHANISM_RANDOMIZED_RESPONSE, audit_answers, {EPSILON0, EPSILON0_USED, OPTIONS}},
    {"k-response", SIMDP_MECHANISM_SELECTION, audit_reports, {EPSILON0, EPSILON0_USED, VALUES, OPTIONS}},
    {"partitions", SIMDP_MECHANISM_SELECTION, audit_groups, {EPSILON0, EPSILON0_USED, DELTA, PEOPLE, OPTIONS}},
};
enum { MECHANISMS = sizeof mechanisms / sizeof mechanisms[0], SCORES_MOST = 1024, THREADS_MOST = 1024 };

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

/* Outcomes of few kinds: scores that are the logarithms of their probabilities, to be chosen from with scale 1. */
static double scores[2][SCORES_MOST];

static void read_scores(audited *a)
{
    a->candidates = option_list(&o[SCORES0], scores[0], SCORES_MOST);
    if (a->candidates == 0 || option_list(&o[SCORES1], scores[1], SCORES_MOST) != a->candidates)
        usage_error("audit selection needs --scores0 and --scores1, equally many");
}

static void read_reports(audited *a)
{
    const uint64_t values = option_count(&o[VALUES], 16);
    double keep, other;
    if (values < 2 || values > UINT32_MAX) usage_error("--values %s: from 2 to 2^32 - 1", o[VALUES].value);
    a->values = (uint32_t)values;
    if (simdp_loss_k_response_probabilities(&keep, &other, &a->scale, 1, a->values) != SIMDP_OK)
        usage_error("--epsilon0: 0 or more");
    a->candidates = values > 2 ? 3 : 2;
    scores[0][0] = scores[1][1] = log(keep);
    scores[0][1] = scores[1][0] = log(other);
    scores[0][2] = scores[1][2] = log(other) + log((double)values - 2);
}

static void read_groups(audited *a)
{
    a->delta = option_number(&o[DELTA], 1e-3);
    a->people = (int64_t)option_count(&o[PEOPLE], 5);
    const int64_t counts[2] = {a->people, a->people - 1};
    double keep[2], drop[2];
    if (a->people < 1 || simdp_select_partition_probability(keep, drop, counts, 2, a->scale, a->delta, 1) != SIMDP_OK)
        usage_error("audit partitions: --people 1 or more, --epsilon0 and --delta in range");
    a->candidates = 2;
    for (int side = 0; side < 2; side++) scores[side][0] = log(drop[side]), scores[side][1] = log(keep[side]);
}

static audited read_mechanism(int which)
{
    const bool has_epsilon = mechanisms[which].takes[0] == EPSILON0;
    const int scale = has_epsilon ? EPSILON0 : SCALE; /* its _USED follows it */
    audited a = {.draw = mechanisms[which].draw,
                 .mechanism = mechanisms[which].mechanism,
                 .x0 = option_number(&o[X0], 0),
                 .x1 = option_number(&o[X1], 1),
                 .scores = {scores[0], scores[1]},
                 .scale = option_number(&o[scale], 1),
                 .cut = option_number(&o[CUT], INFINITY)};
    a.scale_used = option_number(&o[scale + 1], a.scale);
    if (!(a.cut > 0)) usage_error("--cut %s: more than 0", o[CUT].value);
    if (a.draw == audit_choices) read_scores(&a);
    if (a.draw == audit_reports) read_reports(&a);
    if (a.draw == audit_groups) read_groups(&a);
    if (a.mechanism == SIMDP_MECHANISM_SELECTION && has_epsilon) a.scale = 1; /* of the scores */
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
    if (argc == 0) usage_error("audit needs a mechanism: laplace, gaussian, selection, rr, k-response or partitions");
    while (which < MECHANISMS && strcmp(argv[0], mechanisms[which].name) != 0) which++;
    if (which == MECHANISMS)
        usage_error("audit %s: laplace, gaussian, selection, rr, k-response or partitions", argv[0]);
    options_read(o, argc - 1, argv + 1);
    for (int i = ISA + 1; i < OPTIONS; i++) {
        bool taken = false;
        for (int t = 0; mechanisms[which].takes[t] != OPTIONS; t++) taken |= mechanisms[which].takes[t] == i;
        if (o[i].value != NULL && !taken) usage_error("audit %s has no option '%s'", argv[0], o[i].name);
    }
    return run(which);
}
