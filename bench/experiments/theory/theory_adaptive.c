/* theory_adaptive.c: analysts that choose each mechanism in the light of what came before, run by the engine: against
 * the bounds for k steps, and against filters that know neither k nor the parameters in advance. */
#include <math.h>
#include <stdlib.h>

#include "theory.h"

/* Datasets are one number each, and every query asks for it: 0 on the data, 1 on the neighbour. */
static const double data = 0, neighbour = 1;

static simdp_status query_number(void *context, double *answers, size_t n, const void *dataset)
{
    (void)context;
    for (size_t i = 0; i < n; i++) answers[i] = i % 2 == 0 ? *(const double *)dataset : -*(const double *)dataset;
    return SIMDP_OK;
}

/* The analyst knows both datasets and wants to tell them apart: its belief is the loss of the transcript. */
static double loss_of(const simdp_theory_step *s)
{
    const simdp_theory_mechanism *m = &s->mechanism;
    if (m->kind == SIMDP_MECHANISM_RANDOMIZED_RESPONSE) return s->output == 0 ? m->epsilon : -m->epsilon;
    if (m->kind == SIMDP_MECHANISM_LAPLACE) {
        const double x = (1 - 2 * s->output) / m->scale, t = 1 / m->scale;
        return x > t ? t : x < -t ? -t : x;
    }
    /* two candidates with scores (0, 0) against (1, -1) */
    return s->output == 0 ? log1p(exp(-2 / m->scale)) - log(2) : log1p(exp(2 / m->scale)) - log(2);
}

typedef struct {
    double belief, target;
    double epsilon; /* of a step, or the largest */
    double leak;
    const simdp_theory_filter *filter;
    double *readings; /* of the odometer, before each step */
} pursuer;

static double update(pursuer *p, const simdp_theory_step *steps, size_t count)
{
    if (count == 0) p->belief = 0;
    else p->belief += loss_of(&steps[count - 1]);
    return p->belief;
}

/* ---- k steps of one epsilon: which mechanism depends on the belief ---- */

static simdp_status three_kinds(void *context, simdp_theory_request *next, const simdp_theory_step *steps, size_t count)
{
    pursuer *p = context;
    const double belief = update(p, steps, count);
    next->query = query_number;
    if (belief > 3 * p->epsilon) /* ahead: small steps, mostly one way */
        next->mechanism = (simdp_theory_mechanism){SIMDP_MECHANISM_LAPLACE, .sensitivity = 1, .scale = 1 / p->epsilon};
    else if (belief < -p->epsilon) { /* behind */
        next->mechanism =
            (simdp_theory_mechanism){SIMDP_MECHANISM_SELECTION, .sensitivity = 1, .scale = 2 / p->epsilon};
        next->candidates = 2;
    } else next->mechanism = (simdp_theory_mechanism){SIMDP_MECHANISM_RANDOMIZED_RESPONSE, .epsilon = p->epsilon};
    return SIMDP_OK;
}

enum { STEPS = 16 };

void theory_adaptive(const theory_size *size)
{
    const size_t n = size->transcripts;
    double *loss = theory_memory(n * sizeof *loss), scratch[4];
    simdp_theory_step steps[STEPS];
    simdp_theory_interaction run = {.steps = steps, .capacity = STEPS, .scratch = scratch, .scratch_size = 4};
    loss_sample sample = {0};
    simdp_rng rng;
    pursuer p = {.epsilon = 0.2};
    theory_stream(&rng, 200);
    for (size_t i = 0; i < n; i++) {
        MUST(simdp_theory_interact(&rng, &run, three_kinds, &p, &data, &neighbour, NULL));
        loss[i] = run.loss;
        if (i % 4096 == 0) theory_progress((double)i / (double)n);
    }
    loss_sample_set(&sample, loss, n);
    for (double delta = 1e-2; delta > 1e-5; delta /= 100) {
        bound_value bounds[THEORY_BOUNDS_MAX];
        const size_t count = theory_bounds_of_steps(bounds, p.epsilon, 0, STEPS, delta);
        theory_write_bounds("adaptive analyst", STEPS, bounds, count, &sample);
    }
    loss_sample_free(&sample);
    free(loss);
}

/* ---- filters: any epsilon at any time, and an end at the best moment ---- */

enum { LONGEST = 400 };

/* Behind, it plays for high stakes; past the target for low ones; well past it, it leaves with what it has. */
static simdp_status gambler(void *context, simdp_theory_request *next, const simdp_theory_step *steps, size_t count)
{
    pursuer *p = context;
    const double belief = update(p, steps, count);
    double delta;
    if (p->readings != NULL) MUST(simdp_theory_filter_spent(p->filter, &p->readings[count], &delta));
    if (belief > p->target + 1) return SIMDP_OK;
    next->query = query_number;
    next->mechanism = (simdp_theory_mechanism){SIMDP_MECHANISM_RANDOMIZED_RESPONSE,
                                               .epsilon = belief < p->target ? p->epsilon : p->epsilon / 2};
    return SIMDP_OK;
}

static const double orders[] = {2, 3, 4, 6, 8, 12, 16, 24, 32, 64};
enum { ORDERS = sizeof orders / sizeof *orders, FILTERS = 4 };
static const char *const filter_names[FILTERS] = {"basic", "strong", "zCDP", "Renyi"};
static const char *const filter_sources[FILTERS] = {"Rogers et al. 2016", "Whitehouse et al. 2023",
                                                    "Feldman, Zrnic 2021", "Feldman, Zrnic 2021"};

static void open_filter(simdp_theory_filter *f, int which, double *spent, double epsilon, double slack)
{
    static const simdp_theory_filter_kind kinds[FILTERS] = {SIMDP_THEORY_FILTER_BASIC, SIMDP_THEORY_FILTER_STRONG,
                                                            SIMDP_THEORY_FILTER_ZCDP, SIMDP_THEORY_FILTER_RENYI};
    const simdp_theory_budget budget = {.kind = kinds[which],
                                        .epsilon = epsilon,
                                        .slack = slack,
                                        .orders = orders,
                                        .spent = spent,
                                        .orders_count = ORDERS};
    MUST(simdp_theory_filter_open(f, &budget));
}

static void try_filter(int which, const theory_size *size, double from)
{
    const double epsilon = 2, slack = 0.01;
    const size_t n = size->budgets;
    double *loss = theory_memory(n * sizeof *loss), losses[LONGEST], readings[LONGEST + 1], spent[ORDERS], used = 0;
    simdp_theory_step steps[LONGEST];
    simdp_theory_interaction run = {.steps = steps, .capacity = LONGEST, .losses = losses};
    loss_sample sample = {0};
    simdp_theory_filter fresh, filter;
    simdp_rng rng;
    pursuer p = {.epsilon = 0.25, .target = epsilon, .filter = &filter, .readings = readings};
    size_t over = 0;
    theory_stream(&rng, 210 + (uint64_t)which);
    open_filter(&fresh, which, spent, epsilon, slack);
    for (size_t i = 0; i < n; i++) {
        filter = fresh;
        for (int j = 0; j < ORDERS; j++) spent[j] = 0;
        MUST(simdp_theory_interact(&rng, &run, gambler, &p, &data, &neighbour, &filter));
        loss[i] = run.loss;
        used += (double)run.count;
        double sum = 0, last;
        bool passed = false;
        MUST(simdp_theory_filter_spent(&filter, &last, &(double){0}));
        readings[run.count] = last;
        for (size_t j = 0; j < run.count; j++) {
            sum += losses[j];
            passed |= sum > readings[j + 1] * (1 + 1e-9);
        }
        over += passed;
        if (i % 1024 == 0) theory_progress(from + (double)i / (double)n / FILTERS);
    }
    loss_sample_set(&sample, loss, n);
    const bound_value bound = {filter_names[which], epsilon, which == 0 ? 0 : slack};
    theory_write_bounds("filter", used / (double)n, &bound, 1, &sample);
    const double share = (double)over / (double)n;
    theory_write_claim(&(theory_claim){.topic = "odometers",
                                       .source = filter_sources[which],
                                       .claim = filter_names[which],
                                       .promised = which == 0 ? 0 : slack,
                                       .seen = share,
                                       .error = sqrt(share * (1 - share) / (double)n) + 1 / (double)n});
    loss_sample_free(&sample);
    free(loss);
}

void theory_filters(const theory_size *size)
{
    for (int which = 0; which < FILTERS; which++) try_filter(which, size, (double)which / FILTERS);
}
