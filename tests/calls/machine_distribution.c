/* machine_distribution.c: privacy-loss distributions. */
#include "machine.h"

#include <math.h>

enum { LAWS = 6, ASKED = 3 };

typedef struct {
    int law;
    uint64_t times;
} appended;

typedef struct {
    simdp_pld *pld;
    bool composed;
    simdp_pld_rounding upper, lower; /* of the composition */
    appended list[LAWS];             /* the model: what was appended */
    size_t count, steps;
} sequence_of_laws;

static simdp_status append(simdp_pld *pld, int law, uint64_t times)
{
    static const double p[] = {0.5, 0.25, 0.25}, q[] = {0.25, 0.5, 0.25};
    switch (law) {
    case 0: return simdp_pld_add_laplace(pld, 0.25, times);
    case 1: return simdp_pld_add_gaussian(pld, 4, times);
    case 2: return simdp_pld_add_randomized_response(pld, 0.5, 0x1p-20, times);
    case 3: return simdp_pld_add_pair(pld, p, q, 3, times);
    case 4: return simdp_pld_add_histogram(pld, p, 3, -1, 0, times);
    default: return simdp_pld_add_laplace(pld, -1, times); /* bad */
    }
}

static void append_some(sequence_of_laws *s, dice *d)
{
    const int law = (int)roll(d, 6);
    const uint64_t times = roll(d, 4);
    if (s->count == LAWS) return;
    const simdp_status want = s->pld == NULL ? SIMDP_ENULL : law == 5 ? SIMDP_EPARAM : SIMDP_OK;
    assert_int_equal(append(s->pld, law, times), want);
    if (want != SIMDP_OK) return;
    bool known = false; /* a law that is there already and comes no time changes nothing */
    for (size_t i = 0; i < s->count; i++) known = known || s->list[i].law == law;
    if (times > 0 || !known) s->composed = false;
    s->list[s->count++] = (appended){law, times};
    s->steps += times;
}

typedef struct {
    size_t calls, stop_at;
} counter;

static int count_calls(void *context, double done)
{
    counter *c = context;
    assert_true(done >= 0 && done <= 1);
    return ++c->calls == c->stop_at;
}

static void compose_some(sequence_of_laws *s, dice *d)
{
    counter c = {.stop_at = one_in(d, 3) ? 1 + roll(d, 6) : SIZE_MAX};
    const bool bad = one_in(d, 5);
    s->upper = one_in(d, 2) ? SIMDP_PLD_UP : SIMDP_PLD_DOTS;
    s->lower = one_in(d, 2) ? SIMDP_PLD_NONE : one_in(d, 2) ? SIMDP_PLD_DOWN : SIMDP_PLD_BINS;
    const simdp_status status = simdp_pld_compose(s->pld, bad ? 2 : 1e-6, 1, s->upper, s->lower, count_calls, &c);
    simdp_status want = c.calls == c.stop_at ? SIMDP_ECANCELLED : SIMDP_OK;
    if (bad) want = SIMDP_EPARAM;
    if (s->pld == NULL) want = SIMDP_ENULL;
    assert_int_equal(status, want);
    s->composed = want == SIMDP_OK;
}

/* What a fresh object says that was given the same laws. */
static void check_answers(const sequence_of_laws *s)
{
    static const double at[ASKED] = {0, 0.5, 3}, deltas[ASKED] = {1e-4, 0.1, 1};
    double got[2][ASKED], want[2][ASKED];
    const simdp_status status = s->pld == NULL ? SIMDP_ENULL : s->composed ? SIMDP_OK : SIMDP_EPARAM;
    assert_int_equal(simdp_pld_delta(s->pld, got[0], got[1], at, ASKED), status);
    assert_int_equal(simdp_pld_log_delta(s->pld, got[0], got[1], at, ASKED), status);
    assert_int_equal(simdp_pld_epsilon(s->pld, got[0], got[1], deltas, ASKED), status);
    if (!s->composed) assert_true(simdp_pld_points(s->pld) == 0);
    if (status == SIMDP_EPARAM) assert_true(isnan(got[0][0]) && isnan(got[1][ASKED - 1]));
    if (status != SIMDP_OK) return;
    simdp_pld *fresh;
    must(simdp_pld_create(&fresh, 0.0625));
    for (size_t i = 0; i < s->count; i++) must(append(fresh, s->list[i].law, s->list[i].times));
    must(simdp_pld_compose(fresh, 1e-6, 1, s->upper, s->lower, NULL, NULL));
    must(simdp_pld_epsilon(fresh, want[0], want[1], deltas, ASKED));
    assert_memory_equal(got, want, sizeof got);
    must(simdp_pld_delta(fresh, want[0], want[1], at, ASKED));
    must(simdp_pld_delta(s->pld, got[0], got[1], at, ASKED));
    assert_memory_equal(got, want, sizeof got);
    assert_true(simdp_pld_points(fresh) == simdp_pld_points(s->pld));
    for (int i = 0; i < ASKED; i++) assert_true(got[0][i] <= got[1][i]);
    simdp_pld_destroy(fresh);
}

void machine_distribution(uint64_t sequence)
{
    sequence_of_laws s = {0};
    dice d = dice_of(7, sequence);
    for (uint64_t step = roll(&d, 20); step > 0; step--) {
        const uint64_t what = roll(&d, 10);
        if (what == 0 || (what == 1 && s.pld == NULL)) {
            const bool bad = one_in(&d, 4);
            simdp_pld_destroy(s.pld);
            s = (sequence_of_laws){0};
            assert_int_equal(simdp_pld_create(&s.pld, bad ? NAN : 0.0625), bad ? SIMDP_EPARAM : SIMDP_OK);
            if (bad) assert_null(s.pld);
        } else if (what <= 4) append_some(&s, &d);
        else if (what <= 7) compose_some(&s, &d);
        else check_answers(&s);
    }
    check_answers(&s);
    simdp_pld_destroy(s.pld);
}
