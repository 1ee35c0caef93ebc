/* machine_system.c: filters, and interactions under them. */
#include "machine.h"
#include "support/filters.h"

#include <math.h>

enum { STEPS = 24, ORDERS = 3 };

static const double orders[ORDERS] = {1.5, 4, 32};

/* Costs are sums of powers of two, so that a budget is met or passed without rounding. */
static simdp_theory_mechanism some_mechanism(dice *d)
{
    const double epsilon = ldexp(1, -(int)roll(d, 5));
    switch (roll(d, 9)) {
    case 0:
    case 1: return (simdp_theory_mechanism){SIMDP_MECHANISM_LAPLACE, .sensitivity = epsilon, .scale = 1};
    case 2: return (simdp_theory_mechanism){SIMDP_MECHANISM_SELECTION, .sensitivity = epsilon, .scale = 2};
    case 3: return (simdp_theory_mechanism){SIMDP_MECHANISM_SELECTION_MONOTONE, .sensitivity = epsilon, .scale = 1};
    case 4: return (simdp_theory_mechanism){SIMDP_MECHANISM_RANDOMIZED_RESPONSE, .epsilon = epsilon};
    case 5: return (simdp_theory_mechanism){SIMDP_MECHANISM_LEAKY_RESPONSE, .epsilon = epsilon, .delta = 0x1p-10};
    case 6:
        return (simdp_theory_mechanism){SIMDP_MECHANISM_GAUSSIAN, .sensitivity = epsilon, .scale = 4, .delta = 0x1p-9};
    case 7:
        return (simdp_theory_mechanism){SIMDP_MECHANISM_TYPICAL_LAPLACE, .sensitivity = epsilon, .scale = 1, .nu = 0.1};
    default: return (simdp_theory_mechanism){SIMDP_MECHANISM_LAPLACE, .sensitivity = epsilon, .scale = -1}; /* bad */
    }
}

static bool is_bad(const simdp_theory_mechanism *m) { return m->scale < 0; }
static bool is_typical(const simdp_theory_mechanism *m) { return m->kind == SIMDP_MECHANISM_TYPICAL_LAPLACE; }

/* ---- filters ---- */

typedef enum { CLOSED, BASIC, STRONG, ZCDP, RENYI, TYPICAL } filter_kind;

typedef struct {
    simdp_theory_filter filter;
    double renyi[ORDERS];
    filter_kind kind;
    double epsilon, delta; /* budget */
    size_t limit;
    simdp_theory_mechanism admitted[STEPS]; /* the model: what was admitted, in order */
    size_t count;
} budget;

static simdp_status open_as(simdp_theory_filter *f, double *renyi, filter_kind kind, double epsilon, double delta,
                            size_t limit)
{
    switch (kind) {
    case BASIC: return filter_basic(f, epsilon, delta);
    case STRONG: return filter_strong(f, epsilon, delta, 1e-6);
    case ZCDP: return filter_zcdp(f, epsilon, delta, 1e-6);
    case RENYI: return filter_renyi(f, renyi, orders, ORDERS, epsilon, delta, 1e-6);
    case TYPICAL: return filter_typical(f, epsilon, delta, 0.1, limit);
    default: return SIMDP_EPARAM;
    }
}

static void open_budget(budget *b, dice *d)
{
    const bool bad = one_in(d, 5), missing = one_in(d, 8);
    b->kind = (filter_kind)(1 + roll(d, 5));
    b->epsilon = (double)(1 + roll(d, 8)) * 0.25;
    b->delta = (double)roll(d, 4) * 0x1p-10;
    b->limit = roll(d, 6);
    b->count = 0;
    simdp_status want = SIMDP_OK, got;
    if (missing && b->kind == RENYI) {
        got = filter_renyi(&b->filter, b->renyi, NULL, ORDERS, b->epsilon, b->delta, 1e-6);
        want = SIMDP_ENULL;
    } else {
        got = open_as(&b->filter, b->renyi, b->kind, bad ? NAN : b->epsilon, b->delta, b->limit);
        if (bad) want = SIMDP_EPARAM;
    }
    assert_int_equal(got, want);
    if (want != SIMDP_OK) b->kind = CLOSED;
}

/* What must be decided: by sums for the basic filter, by counting for the typical one. */
static bool admits_plainly(const budget *b, const simdp_theory_mechanism *m)
{
    double epsilon = 0, delta = 0;
    simdp_theory_cost cost;
    if (b->kind == TYPICAL) {
        must(simdp_theory_mechanism_cost(&cost, m));
        return b->count < b->limit && cost.epsilon <= b->epsilon && cost.delta <= b->delta;
    }
    for (size_t i = 0; i <= b->count; i++) {
        must(simdp_theory_mechanism_cost(&cost, i < b->count ? &b->admitted[i] : m));
        epsilon += cost.epsilon, delta += cost.delta;
    }
    return epsilon <= b->epsilon && delta <= b->delta;
}

/* The decision and the odometer of a fresh filter that has seen the same admissions, and no refusals. */
static int admits_by_replay(const budget *b, const simdp_theory_mechanism *m, double spent[2])
{
    simdp_theory_filter fresh;
    double renyi[ORDERS];
    int admitted = 0;
    must(open_as(&fresh, renyi, b->kind, b->epsilon, b->delta, b->limit));
    for (size_t i = 0; i < b->count; i++) {
        must(simdp_theory_filter_admit(&fresh, &admitted, &b->admitted[i]));
        assert_int_equal(admitted, 1);
    }
    if (b->kind != TYPICAL) must(simdp_theory_filter_spent(&fresh, &spent[0], &spent[1]));
    must(simdp_theory_filter_admit(&fresh, &admitted, m));
    return admitted;
}

static void check_spent(const budget *b, const double want[2])
{
    double epsilon, delta;
    const bool good = b->kind != CLOSED && b->kind != TYPICAL;
    assert_int_equal(simdp_theory_filter_spent(&b->filter, &epsilon, &delta), good ? SIMDP_OK : SIMDP_EPARAM);
    if (good) assert_true(epsilon == want[0] && delta == want[1]);
    else assert_true(isnan(epsilon) && isnan(delta));
}

static void ask_filter(budget *b, dice *d)
{
    const simdp_theory_mechanism m = some_mechanism(d);
    double spent[2] = {NAN, NAN};
    int admitted = 7;
    const bool legal = b->kind != CLOSED && !is_bad(&m) && is_typical(&m) == (b->kind == TYPICAL);
    if (b->count == STEPS) return;
    const int want = legal ? admits_by_replay(b, &m, spent) : 0;
    if (legal) check_spent(b, spent);
    if (legal && (b->kind == TYPICAL || (b->kind == BASIC && m.kind != SIMDP_MECHANISM_GAUSSIAN)))
        assert_int_equal(want, admits_plainly(b, &m));
    assert_int_equal(simdp_theory_filter_admit(&b->filter, &admitted, &m), legal ? SIMDP_OK : SIMDP_EPARAM);
    assert_int_equal(admitted, want);
    if (admitted) b->admitted[b->count++] = m;
}

void machine_filter(uint64_t sequence)
{
    static budget b;
    dice d = dice_of(5, sequence);
    memset(&b, (int)roll(&d, 256), sizeof b); /* never opened */
    b.kind = CLOSED, b.count = 0;
    for (uint64_t step = roll(&d, 40); step > 0; step--) {
        if (one_in(&d, 10)) open_budget(&b, &d);
        else ask_filter(&b, &d);
        if (b.kind == CLOSED) check_spent(&b, NULL);
    }
}

/* ---- interactions ---- */

typedef struct {
    dice d;
    size_t asked, fails_at, ends_at; /* rounds of the analyst, where it fails, where it has no further question */
    bool query_fails;
    simdp_theory_mechanism last;
    const budget *b;
    bool filtered;
} person;

static simdp_status answer(void *context, double *answers, size_t n, const void *data)
{
    const person *p = context;
    for (size_t i = 0; i < n; i++) answers[i] = *(const double *)data + (double)i * 0.25;
    return p->query_fails ? SIMDP_ESOURCE : SIMDP_OK;
}

static simdp_status ask(void *context, simdp_theory_request *next, const simdp_theory_step *steps, size_t count)
{
    person *p = context;
    assert_true(p->asked == count); /* a round that made no step is the last one */
    if (count > 0) assert_true(steps[count - 1].tag == count - 1);
    p->asked++;
    if (count == p->fails_at) return SIMDP_ECANCELLED;
    if (count == p->ends_at) return SIMDP_OK;
    p->last = next->mechanism = some_mechanism(&p->d);
    p->query_fails = one_in(&p->d, 30);
    next->query = answer;
    next->query_context = p;
    next->candidates = 1 + roll(&p->d, 3);
    next->tag = count;
    return SIMDP_OK;
}

typedef struct {
    simdp_theory_step steps[STEPS];
    double losses[STEPS], scratch[6];
    simdp_theory_interaction run;
    simdp_status status;
    person p;
    uint64_t position;
} outcome;

static void interact(outcome *o, const person *p, budget *b, simdp_rng *rng, size_t capacity, size_t scratch,
                     bool neighbour)
{
    static const double data = 0.5, other = 0.375;
    o->p = *p;
    o->run = (simdp_theory_interaction){.steps = o->steps,
                                        .capacity = capacity,
                                        .losses = o->losses,
                                        .scratch = o->scratch,
                                        .scratch_size = scratch,
                                        .count = 99,
                                        .stop = SIMDP_THEORY_STOP_ANALYST};
    o->status = simdp_theory_interact(rng, &o->run, ask, &o->p, &data, neighbour ? &other : NULL,
                                      p->filtered ? &b->filter : NULL);
    o->position = simdp_rng_position(rng);
}

/* The steps that were made, made again on their own, end at the same place of the stream: a step that failed has not
 * moved it. */
static void check_prefix(const outcome *o, const person *p, simdp_rng rng, size_t scratch, bool neighbour)
{
    static outcome prefix;
    person alone = *p;
    alone.filtered = false;
    interact(&prefix, &alone, NULL, &rng, o->run.count, scratch, neighbour);
    assert_int_equal(prefix.status, SIMDP_OK);
    assert_true(prefix.position == o->position && prefix.run.count == o->run.count);
    assert_memory_equal(prefix.steps, o->steps, o->run.count * sizeof o->steps[0]);
}

/* Why it must have ended, from the last thing the analyst asked for. */
static void check_end(const outcome *o, const budget *b, size_t capacity, size_t scratch, bool neighbour, bool open)
{
    const simdp_theory_interaction *run = &o->run;
    const simdp_theory_mechanism *m = &o->p.last;
    assert_true(run->count <= capacity && (o->status == SIMDP_OK) == (run->stop != SIMDP_THEORY_STOP_ERROR));
    if (run->stop == SIMDP_THEORY_STOP_CAPACITY) assert_true(run->count == capacity && o->p.asked == capacity);
    if (run->stop == SIMDP_THEORY_STOP_ANALYST) assert_true(run->count == o->p.ends_at);
    if (run->stop == SIMDP_THEORY_STOP_BUDGET) assert_true(o->p.filtered && o->p.asked == run->count + 1);
    if (o->status == SIMDP_ECANCELLED) assert_true(run->count == o->p.fails_at);
    if (o->status == SIMDP_ESOURCE) assert_true(o->p.query_fails);
    if (o->status == SIMDP_EPARAM) {
        const bool selection = m->kind == SIMDP_MECHANISM_SELECTION || m->kind == SIMDP_MECHANISM_SELECTION_MONOTONE;
        assert_true(!open || o->position > (uint64_t)1 << 61 || is_bad(m) ||
                    (selection && scratch < (neighbour ? 6u : 3u)) ||
                    (o->p.filtered && (b->kind == CLOSED || is_typical(m) != (b->kind == TYPICAL))));
    }
    assert_true(isnan(run->loss) == !neighbour || run->count > 0);
}

void machine_interaction(uint64_t sequence)
{
    static budget b, twin;
    static outcome o[2];
    dice d = dice_of(6, sequence);
    simdp_rng rng[2];
    const bool open = !one_in(&d, 12);
    memset(&b, 0, sizeof b);
    memset(&twin, 0, sizeof twin);
    memset(rng, 0, sizeof rng);
    static const uint64_t places[] = {100, UINT64_MAX, (uint64_t)1 << 62};
    const uint64_t start = places[one_in(&d, 3) ? roll(&d, 3) : 0] - roll(&d, 100); /* some end while they run */
    for (int i = 0; open && i < 2; i++) test_stream(&rng[i], 9, 0, start);
    for (uint64_t step = roll(&d, 6); step > 0; step--) {
        const dice before = d;
        dice same = before;
        if (one_in(&d, 2)) open_budget(&b, &d);
        if (one_in(&same, 2)) open_budget(&twin, &same); /* filters of their own, made alike */
        person p = {.d = d, .fails_at = roll(&d, 40), .ends_at = roll(&d, STEPS), .filtered = !one_in(&d, 4), .b = &b};
        const size_t capacity = one_in(&d, 3) ? roll(&d, 5) : STEPS, scratch = one_in(&d, 3) ? roll(&d, 7) : 6;
        const bool neighbour = one_in(&d, 2);
        const simdp_rng here = rng[0];
        memset(o, 0, sizeof o);
        interact(&o[0], &p, &b, &rng[0], capacity, scratch, neighbour);
        change_isa(&d);
        interact(&o[1], &p, &twin, &rng[1], capacity, scratch, neighbour);
        check_end(&o[0], &b, capacity, scratch, neighbour, open);
        if (open) check_prefix(&o[0], &p, here, scratch, neighbour);
        assert_true(o[0].status == o[1].status && o[0].position == o[1].position && o[0].run.stop == o[1].run.stop);
        assert_true(o[0].run.count == o[1].run.count);
        assert_memory_equal(o[0].steps, o[1].steps, o[0].run.count * sizeof o[0].steps[0]);
        assert_memory_equal(&o[0].run.loss, &o[1].run.loss, sizeof o[0].run.loss);
        /* the filter was charged for each step made, and for one more if that failed after it was admitted */
        if (p.filtered && b.kind != CLOSED) {
            const size_t made = o[0].run.count, charged = b.filter.steps - b.count;
            if (o[0].status == SIMDP_ESOURCE) assert_true(charged == made + 1);
            else if (o[0].status == SIMDP_EPARAM) assert_true(charged == made || charged == made + 1);
            else assert_true(charged == made);
            b.count = b.filter.steps;
        }
    }
}
