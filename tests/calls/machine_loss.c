/* machine_loss.c: statistics of losses, and audits. */
#include "machine.h"
#include "support/audits.h"

#include <math.h>

/* ---- statistics ---- */

enum { LOSSES = 3000, EPSILONS = 5, ORDERS = 2, BINS = 12 };

static const double epsilon[EPSILONS] = {0, 0.25, 0.5, 1, 2}, order[ORDERS] = {1, 2.5};

typedef struct {
    simdp_loss_statistics s;
    bool open;
    simdp_loss_statistics_plan plan;
    uint64_t counts[BINS + 2];
    double losses[LOSSES]; /* the model: all of them */
    size_t count;
} collection;

static void open_statistics(collection *c, dice *d)
{
    static const double bad = -1;
    const uint64_t kind = roll(d, 8);
    c->plan = (simdp_loss_statistics_plan){.epsilon = epsilon,
                                           .epsilons = roll(d, EPSILONS + 1),
                                           .deltas = one_in(d, 2),
                                           .order = order,
                                           .orders = roll(d, ORDERS + 1)};
    if (one_in(d, 2)) c->plan.counts = c->counts, c->plan.bins = BINS, c->plan.low = -1, c->plan.high = 2;
    simdp_status want = SIMDP_OK;
    if (kind == 0) c->plan.epsilon = NULL, c->plan.epsilons = 1, want = SIMDP_ENULL;
    if (kind == 1) c->plan.epsilon = &bad, c->plan.epsilons = 1, want = SIMDP_EPARAM;
    if (kind == 2) c->plan.bound = NAN, want = SIMDP_EPARAM;
    if (kind == 3) c->plan.counts = NULL, c->plan.bins = 1, c->plan.high = 1, c->plan.low = 0, want = SIMDP_ENULL;
    assert_int_equal(simdp_loss_statistics_init(&c->s, &c->plan), want);
    c->open = want == SIMDP_OK;
    c->count = 0;
}

static void take_losses(collection *c, dice *d)
{
    double values[600], made[600];
    const size_t n = some_count(d, 600);
    const uint64_t way = roll(d, 3);
    const bool bad = one_in(d, 10), huge = one_in(d, 20);
    const double scale = bad ? 0 : 0.75;
    if (n > LOSSES - c->count) return;
    for (size_t i = 0; i < n; i++) {
        values[i] = (double)roll(d, 5000) * 0.001 - 1.5;
        if (one_in(d, 100)) values[i] = one_in(d, 2) ? NAN : one_in(d, 2) ? INFINITY : -INFINITY;
    }
    const size_t given = huge ? SIZE_MAX / 8 + 1 : n;
    const simdp_status status =
        way == 0   ? simdp_loss_statistics_update(&c->s, values, given)
        : way == 1 ? simdp_loss_statistics_outputs(&c->s, values, given,
                                                   (simdp_loss_step){SIMDP_MECHANISM_LAPLACE, 0.25, 1, scale})
                   : simdp_loss_statistics_outputs(&c->s, values, given,
                                                   (simdp_loss_step){SIMDP_MECHANISM_GAUSSIAN, 0.25, 1, scale});
    const bool good = c->open && !huge && (way == 0 || !bad);
    assert_int_equal(status, good ? SIMDP_OK : SIMDP_EPARAM);
    if (!good) return;
    if (way == 1) must(simdp_loss_laplace_f64(made, values, n, 0.25, 1, scale));
    if (way == 2) must(simdp_loss_gaussian_f64(made, values, n, 0.25, 1, scale));
    memcpy(c->losses + c->count, way == 0 ? values : made, n * sizeof *values);
    c->count += n;
}

/* Everything that can be read, after one pass over all losses by a fresh object: the same bytes. */
static void read_statistics(collection *c)
{
    simdp_loss_statistics whole;
    simdp_loss_summary summary[2];
    simdp_loss_estimate e[2][EPSILONS], half[2];
    uint64_t counts[BINS + 2];
    simdp_loss_statistics_plan plan = c->plan;
    const double middle = 0.5;
    memset(e, 0, sizeof e);
    if (!c->open) {
        assert_int_equal(simdp_loss_statistics_summary(&c->s, summary, 0.1), SIMDP_EPARAM);
        assert_int_equal(simdp_loss_statistics_tails(&c->s, e[0], 0.1), SIMDP_EPARAM);
        assert_int_equal(simdp_loss_statistics_deltas(&c->s, e[0], 0.1), SIMDP_EPARAM);
        assert_int_equal(simdp_loss_statistics_renyi(&c->s, e[0], 0.1), SIMDP_EPARAM);
        assert_int_equal(simdp_loss_statistics_quantiles(&c->s, half, &middle, 1, 0.1), SIMDP_EPARAM);
        return;
    }
    if (plan.bins > 0) plan.counts = counts;
    must(simdp_loss_statistics_init(&whole, &plan));
    must(simdp_loss_statistics_update(&whole, c->losses, c->count));
    const simdp_loss_statistics *objects[2] = {&c->s, &whole};
    for (int i = 0; i < 2; i++) {
        must(simdp_loss_statistics_summary(objects[i], &summary[i], 0.1));
        must(simdp_loss_statistics_tails(objects[i], e[i], 0.1));
    }
    assert_memory_equal(&summary[0], &summary[1], sizeof summary[0]);
    assert_memory_equal(e[0], e[1], sizeof e[0]);
    const simdp_status deltas = plan.epsilons == 0 || plan.deltas ? SIMDP_OK : SIMDP_EPARAM;
    for (int i = 0; i < 2; i++) assert_int_equal(simdp_loss_statistics_deltas(objects[i], e[i], 0.1), deltas);
    assert_memory_equal(e[0], e[1], sizeof e[0]);
    for (int i = 0; i < 2; i++) must(simdp_loss_statistics_renyi(objects[i], e[i], 0.1));
    assert_memory_equal(e[0], e[1], sizeof e[0]);
    const simdp_status quantiles = plan.bins > 0 ? SIMDP_OK : SIMDP_EPARAM;
    for (int i = 0; i < 2; i++)
        assert_int_equal(simdp_loss_statistics_quantiles(objects[i], &half[i], &middle, 1, 0.1), quantiles);
    assert_memory_equal(&half[0], &half[1], sizeof half[0]);
    /* and the plain numbers */
    uint64_t undefined = 0, above[EPSILONS] = {0}, binned = 0;
    for (size_t i = 0; i < c->count; i++) {
        undefined += isnan(c->losses[i]);
        for (size_t j = 0; j < plan.epsilons; j++) above[j] += c->losses[i] > epsilon[j];
    }
    const uint64_t defined = c->count - undefined;
    assert_true(summary[0].undefined == undefined);
    assert_true(summary[0].finite + summary[0].plus_infinite + summary[0].minus_infinite == defined);
    must(simdp_loss_statistics_tails(&c->s, e[0], 0.1));
    for (size_t j = 0; j < plan.epsilons && defined > 0; j++)
        assert_true(e[0][j].value == (double)above[j] / (double)defined);
    if (plan.bins == 0) return;
    for (size_t k = 0; k < BINS + 2; k++) binned += c->counts[k];
    assert_true(binned == defined);
    assert_memory_equal(c->counts, counts, sizeof counts);
}

void machine_statistics(uint64_t sequence)
{
    static collection c;
    dice d = dice_of(3, sequence);
    memset(&c, (int)roll(&d, 256), sizeof c.s); /* never opened */
    c.open = false, c.count = 0;
    for (uint64_t step = 1 + roll(&d, 25); step > 0; step--) {
        const uint64_t what = roll(&d, 10);
        if (what == 0) open_statistics(&c, &d);
        else if (what == 1) change_isa(&d);
        else if (what <= 6) take_losses(&c, &d);
        else read_statistics(&c);
    }
    read_statistics(&c);
}

/* ---- audits ---- */

enum { LAPLACE, GAUSSIAN, SELECTION, RESPONSE, KINDS };

static const double scores[2][4] = {{0, 1, 2, 0.5}, {0.5, 0.25, 2, 1}};

typedef struct {
    simdp_loss_audit audit;
    bool open;
    int kind;
    simdp_loss_audit_plan plan;
    double scale;
    uint64_t outputs[2], above[2][EPSILONS]; /* the model */
} experiment;

static simdp_status begin(simdp_loss_audit *a, const simdp_loss_audit_plan *plan, int kind, double scale, bool missing)
{
    if (kind == LAPLACE) return audit_init_laplace(a, plan, 0.25, 1, scale);
    if (kind == GAUSSIAN) return audit_init_gaussian(a, plan, 0.25, 1, scale);
    if (kind == RESPONSE) return audit_init_response(a, plan, scale);
    return audit_init_selection(a, plan, scores[0], missing ? NULL : scores[1], 4, scale);
}

static void open_audit(experiment *x, dice *d)
{
    const uint64_t bad = roll(d, 8);
    memset(x->outputs, 0, sizeof x->outputs);
    memset(x->above, 0, sizeof x->above);
    x->kind = (int)roll(d, KINDS);
    x->scale = 0.5 + (double)roll(d, 3);
    x->plan = (simdp_loss_audit_plan){.epsilon = epsilon,
                                      .epsilons = roll(d, EPSILONS + 1),
                                      .hockey_stick = one_in(d, 2),
                                      .samples = 0,
                                      .error = 1e-3};
    simdp_loss_audit_plan plan = x->plan;
    simdp_status want = SIMDP_OK;
    if (bad == 0) plan.epsilon = NULL, plan.epsilons = 1, want = SIMDP_ENULL;
    if (bad == 1) plan.error = 0, want = SIMDP_EPARAM;
    const bool missing = bad == 2 && x->kind == SELECTION;
    if (missing) want = SIMDP_ENULL;
    if (bad == 3) want = SIMDP_EPARAM;
    assert_int_equal(begin(&x->audit, &plan, x->kind, bad == 3 ? -1 : x->scale, missing), want);
    x->open = want == SIMDP_OK;
}

static void count_losses(experiment *x, const double *loss, size_t n, int side)
{
    x->outputs[side] += n;
    for (size_t j = 0; j < x->plan.epsilons; j++) {
        for (size_t i = 0; i < n; i++) x->above[side][j] += loss[i] > epsilon[j];
    }
}

/* The caller's outputs, of this mechanism or of another. */
static void feed(experiment *x, dice *d)
{
    double y[100], loss[100];
    size_t chosen[100];
    uint8_t answers[100];
    const size_t n = some_count(d, 100);
    const int side = one_in(d, 12) ? 2 : (int)roll(d, 2), kind = one_in(d, 5) ? (int)roll(d, KINDS) : x->kind;
    for (size_t i = 0; i < n; i++) {
        y[i] = (double)roll(d, 400) * 0.01 - 1, chosen[i] = roll(d, 6), answers[i] = (uint8_t)roll(d, 2);
    }
    const bool alike = kind == x->kind || (kind <= GAUSSIAN && x->kind <= GAUSSIAN);
    const simdp_status status = kind <= GAUSSIAN    ? simdp_loss_audit_outputs(&x->audit, y, n, side)
                                : kind == SELECTION ? simdp_loss_audit_choices(&x->audit, chosen, n, side)
                                                    : simdp_loss_audit_bits(&x->audit, answers, n, side);
    const bool good = x->open && alike && side < 2;
    assert_int_equal(status, good ? SIMDP_OK : SIMDP_EPARAM);
    if (!good) return;
    if (x->kind == LAPLACE) must(simdp_loss_laplace_f64(loss, y, n, 0.25, 1, x->scale));
    if (x->kind == GAUSSIAN) must(simdp_loss_gaussian_f64(loss, y, n, 0.25, 1, x->scale));
    if (x->kind == SELECTION) must(simdp_loss_selection(loss, chosen, n, scores[0], scores[1], 4, x->scale));
    if (x->kind == RESPONSE) must(simdp_loss_randomized_response(loss, answers, n, 0, 1, x->scale));
    count_losses(x, loss, n, side);
}

/* Draws: refused ones change nothing; made ones are those of a fresh audit at the same place of the stream. */
static void draw(experiment *x, simdp_rng *rng, dice *d)
{
    static const uint64_t ends[] = {UINT64_MAX, (uint64_t)1 << 62};
    simdp_rng other;
    simdp_loss_audit before = x->audit, alone;
    simdp_loss_audit_row rows[EPSILONS];
    const bool huge = one_in(d, 12);
    const uint64_t samples = huge ? UINT64_MAX : some_count(d, 1500);
    if (one_in(d, 5)) must(simdp_rng_seek(rng, ends[roll(d, 2)] - some_count(d, 3000)));
    else if (one_in(d, 3) || huge) must(simdp_rng_seek(rng, 1 + roll(d, 3000))); /* from 0 on, huge ones fit */
    other = *rng;
    const uint64_t position = simdp_rng_position(rng);
    const simdp_status status = simdp_loss_audit_draw(rng, &x->audit, samples);
    if (!x->open) assert_int_equal(status, SIMDP_EPARAM);
    if (status != SIMDP_OK) {
        assert_int_equal(status, SIMDP_EPARAM);
        assert_true(!x->open || huge || position > (uint64_t)1 << 61);
        assert_true(simdp_rng_position(rng) == position);
        assert_memory_equal(&x->audit, &before, sizeof before);
        return;
    }
    assert_false(huge);
    if (x->kind <= GAUSSIAN) assert_true(simdp_rng_position(rng) == position + samples);
    must(begin(&alone, &x->plan, x->kind, x->scale, false));
    must(simdp_loss_audit_draw(&other, &alone, samples));
    assert_true(simdp_rng_position(rng) == simdp_rng_position(&other));
    must(simdp_loss_audit_rows(&alone, rows));
    for (int side = 0; side < 2; side++) {
        x->outputs[side] += samples;
        for (size_t j = 0; j < x->plan.epsilons; j++) x->above[side][j] += rows[j].above[side];
    }
}

static void read_audit(const experiment *x)
{
    simdp_loss_audit_row rows[EPSILONS];
    assert_int_equal(simdp_loss_audit_rows(&x->audit, rows), x->open ? SIMDP_OK : SIMDP_EPARAM);
    for (size_t j = 0; x->open && j < x->plan.epsilons; j++) {
        for (int side = 0; side < 2; side++) {
            assert_true(rows[j].outputs[side] == x->outputs[side]);
            assert_true(rows[j].above[side] == x->above[side][j]);
        }
    }
}

/* Another audit, alike or not. */
static void add(experiment *x, const experiment *other)
{
    const simdp_loss_audit before = x->audit;
    const bool alike = x->open && other->open && x->kind == other->kind && x->scale == other->scale &&
                       x->plan.epsilons == other->plan.epsilons && !x->plan.hockey_stick == !other->plan.hockey_stick;
    assert_int_equal(simdp_loss_audit_add(&x->audit, &other->audit), alike ? SIMDP_OK : SIMDP_EPARAM);
    if (!alike) assert_memory_equal(&x->audit, &before, sizeof before);
    for (int side = 0; alike && side < 2; side++) {
        x->outputs[side] += other->outputs[side];
        for (size_t j = 0; j < EPSILONS; j++) x->above[side][j] += other->above[side][j];
    }
}

void machine_audit(uint64_t sequence)
{
    static experiment x[2];
    dice d = dice_of(4, sequence);
    simdp_rng rng;
    memset(x, (int)roll(&d, 256), sizeof x);
    for (int i = 0; i < 2; i++) open_audit(&x[i], &d);
    test_stream(&rng, 5, 0, 0);
    for (uint64_t step = roll(&d, 25); step > 0; step--) {
        const uint64_t what = roll(&d, 10), which = roll(&d, 2);
        if (what == 0) open_audit(&x[which], &d);
        else if (what == 1) change_isa(&d);
        else if (what == 2 && one_in(&d, 2)) x[1 - which] = x[which]; /* a copy is an audit of its own */
        else if (what <= 4) add(&x[which], &x[1 - which]);
        else if (what <= 7) feed(&x[which], &d);
        else draw(&x[which], &rng, &d);
        read_audit(&x[which]);
    }
}
