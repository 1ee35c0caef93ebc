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
static simdp_status bisect(void *context, simdp_request *next, const simdp_system_step *steps, size_t count)
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
    next->mechanism = (simdp_system_mechanism){SIMDP_MECHANISM_GAUSSIAN, .sensitivity = 1, .scale = 20, .delta = 1e-8};
    return SIMDP_OK;
}

/* How far one budget gets; negative if a call failed. */
static int ask(const people *p, simdp_filter *filter, const char *name)
{
    static const char *const reasons[] = {"an error", "the analyst", "capacity", "the budget"};
    const uint8_t key[32] = {42}; /* for the example; real releases use simdp_rng_init */
    simdp_rng rng;
    simdp_system_step steps[STEPS];
    simdp_interaction run = {.steps = steps, .capacity = STEPS};
    search s = {0, 128, 0};
    double epsilon, delta;
    if (simdp_rng_init_deterministic(&rng, key, 0) != SIMDP_OK) return -1;
    if (simdp_system_interact(&rng, &run, bisect, &s, p, NULL, filter) != SIMDP_OK) return -1;
    if (simdp_system_filter_spent(&epsilon, &delta, filter) != SIMDP_OK) return -1;
    printf("%s: %zu counts, ended by %s; median between %g and %g; odometer (%.3f, %.1e)\n", name, run.count,
           reasons[run.stop], s.low, s.high, epsilon, delta);
    return (int)run.count;
}

int main(void)
{
    static people p;
    for (int i = 0; i < PEOPLE; i++) p.age[i] = 20 + 0.06 * i; /* median 50 */
    simdp_filter zcdp, basic;
    if (simdp_system_filter_zcdp(&zcdp, 1.0, 0, 1e-6) != SIMDP_OK) return 1;
    if (simdp_system_filter_basic(&basic, 1.0, 1e-6) != SIMDP_OK) return 1;
    const int with_zcdp = ask(&p, &zcdp, "zCDP filter, (1, 1e-6)"),
              with_basic = ask(&p, &basic, "basic filter, (1, 1e-6)");
    return with_zcdp > with_basic && with_basic > 0 ? 0 : 1;
}
