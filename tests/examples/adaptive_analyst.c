/* adaptive_analyst: the median of ages by bisection. Each count decides which one is asked next; a zCDP filter guards
 * the budget, and the same questions are tried under basic composition for comparison. */
#include <simdp/simdp.h>
#include <stdio.h>

enum { PEOPLE = 1000, STEPS = 64 };

typedef struct {
    double age[PEOPLE];
} people;

/* how many are younger than the age the context points to; moves by one when a record comes or goes */
static simdp_status count_younger(void *context, double *answers, size_t n, const void *data)
{
    const people *p = data;
    const double limit = *(const double *)context;
    (void)n;
    answers[0] = 0;
    for (int i = 0; i < PEOPLE; i++) answers[0] += p->age[i] < limit;
    return SIMDP_OK;
}

typedef struct {
    double low, high, middle;
} search;

/* halves the interval by the last noisy count, then asks about its middle again */
static simdp_status bisect(void *context, simdp_theory_request *next, const simdp_theory_step *steps, size_t count)
{
    search *s = context;
    if (count > 0) {
        if (steps[count - 1].output < (double)PEOPLE / 2.0) s->low = s->middle;
        else s->high = s->middle;
    }
    if (s->high - s->low < 0.5) return SIMDP_OK; /* content */
    s->middle = (s->low + s->high) / 2;
    next->query = count_younger;
    next->query_context = &s->middle;
    next->mechanism = (simdp_theory_mechanism){SIMDP_MECHANISM_GAUSSIAN, .sensitivity = 1, .scale = 20, .delta = 1e-8};
    return SIMDP_OK;
}

/* How far one budget gets; negative if a call failed. */
static int ask(const people *p, simdp_theory_filter *filter, const char *name)
{
    static const char *const reasons[] = {"an error", "the analyst", "capacity", "the budget"};
    const uint8_t key[32] = {42}; /* for the example; real releases use simdp_rng_init */
    simdp_rng rng;
    simdp_theory_step steps[STEPS];
    simdp_theory_interaction run = {.steps = steps, .capacity = STEPS};
    search s = {0, 128, 0};
    double epsilon, delta;
    if (simdp_rng_init_deterministic(&rng, key, 0) != SIMDP_OK) return -1;
    if (simdp_theory_interact(&rng, &run, bisect, &s, p, NULL, filter) != SIMDP_OK) return -1;
    if (simdp_theory_filter_spent(filter, &epsilon, &delta) != SIMDP_OK) return -1;
    printf("%s: %zu counts, ended by %s; median between %g and %g; odometer (%.3f, %.1e)\n", name, run.count,
           reasons[run.stop], s.low, s.high, epsilon, delta);
    return (int)run.count;
}

int main(void)
{
    static people p;
    for (int i = 0; i < PEOPLE; i++) p.age[i] = 20 + 0.06 * i; /* median 50 */
    simdp_theory_filter zcdp, basic;
    const simdp_theory_budget by_zcdp = {.kind = SIMDP_THEORY_FILTER_ZCDP, .epsilon = 1.0, .slack = 1e-6};
    const simdp_theory_budget by_sums = {.kind = SIMDP_THEORY_FILTER_BASIC, .epsilon = 1.0, .delta = 1e-6};
    if (simdp_theory_filter_open(&zcdp, &by_zcdp) != SIMDP_OK) return 1;
    if (simdp_theory_filter_open(&basic, &by_sums) != SIMDP_OK) return 1;
    const int with_zcdp = ask(&p, &zcdp, "zCDP filter, (1, 1e-6)"),
              with_basic = ask(&p, &basic, "basic filter, (1, 1e-6)");
    return with_zcdp > with_basic && with_basic > 0 ? 0 : 1;
}
