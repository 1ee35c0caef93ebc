/* test_theory_interact: the engine of adaptive interactions: its contract with analysts, queries and filters,
 * determinism, losses, and the laws of what it runs. */
#include <math.h>

#include "support/analysts.h"
#include "support/filters.h"
#include "support/law_check.h"

enum { CAPACITY = 64, SCRATCH = 32 };

typedef struct {
    simdp_theory_step steps[CAPACITY];
    double losses[CAPACITY], scratch[SCRATCH];
    simdp_theory_interaction run;
} memory;

static simdp_theory_interaction *prepare(memory *m)
{
    memset(m, 0, sizeof *m);
    m->run = (simdp_theory_interaction){
        .steps = m->steps, .capacity = CAPACITY, .losses = m->losses, .scratch = m->scratch, .scratch_size = SCRATCH};
    return &m->run;
}

static const records data = {{0.2, 1.0, 0.0, 0.7}}, neighbour = {{0.9, 0.0, 0.3, 0.7}};
static size_t index_of[RECORDS] = {0, 1, 2, 3};

/* one of each kind */
static const simdp_theory_mechanism laplace = {SIMDP_MECHANISM_LAPLACE, .sensitivity = 1, .scale = 2};
static const simdp_theory_mechanism gaussian = {SIMDP_MECHANISM_GAUSSIAN, .sensitivity = 1, .scale = 3, .delta = 1e-6};
static const simdp_theory_mechanism selection = {SIMDP_MECHANISM_SELECTION, .sensitivity = 1, .scale = 1.5};
static const simdp_theory_mechanism monotone = {SIMDP_MECHANISM_SELECTION_MONOTONE, .sensitivity = 1, .scale = 4};
static const simdp_theory_mechanism response = {SIMDP_MECHANISM_RANDOMIZED_RESPONSE, .epsilon = 0.8};
static const simdp_theory_mechanism leaky = {SIMDP_MECHANISM_LEAKY_RESPONSE, .epsilon = 0.6, .delta = 0.1};
static const simdp_theory_mechanism typical = {SIMDP_MECHANISM_TYPICAL_LAPLACE, .sensitivity = 1, .scale = 2,
                                               .nu = 0.01};
static const simdp_theory_mechanism typical_gaussian = {SIMDP_MECHANISM_TYPICAL_GAUSSIAN, .sensitivity = 1, .scale = 3,
                                                        .delta = 0.01, .nu = 0.01};

static simdp_theory_request ask_scores(simdp_theory_mechanism m, size_t candidates)
{
    return (simdp_theory_request){.mechanism = m, .query = query_scores, .candidates = candidates};
}

enum { EVERY = 8 };
static void every_kind(simdp_theory_request r[EVERY])
{
    r[0] = ask_record(laplace, &index_of[0]);
    r[1] = ask_record(gaussian, &index_of[2]);
    r[2] = ask_scores(selection, 5);
    r[3] = ask_scores(monotone, 16);
    r[4] = ask_record(response, &index_of[1]);
    r[5] = ask_record(leaky, &index_of[1]);
    r[6] = ask_record(typical, &index_of[0]);
    r[7] = ask_record(typical_gaussian, &index_of[0]);
    for (size_t i = 0; i < EVERY; i++) r[i].tag = 1000 + i;
}

/* ---- determinism, and the record kept ---- */

static bool same_outputs(const memory *a, const memory *b)
{
    if (a->run.count != b->run.count || a->run.stop != b->run.stop) return false;
    for (size_t i = 0; i < a->run.count; i++)
        if (memcmp(&a->steps[i].output, &b->steps[i].output, sizeof(double)) != 0) return false;
    return true;
}

static void same_transcript(void **state)
{
    simdp_theory_request requests[EVERY];
    const simdp_kernels *table;
    memory first, m;
    bool seen = false;
    simdp_rng rng;
    (void)state;
    every_kind(requests);
    script s = {requests, EVERY};
    for (size_t i = 0; (table = next_usable(&i)) != NULL; i++) {
        must(simdp_isa_select(table->variant));
        test_stream(&rng, 1, 0, 3);
        must(simdp_theory_interact(&rng, prepare(&m), script_analyst, &s, &data, &neighbour, NULL));
        assert_true(m.run.count == EVERY && m.run.stop == SIMDP_THEORY_STOP_ANALYST);
        for (size_t j = 0; j < EVERY; j++) {
            assert_true(m.steps[j].tag == 1000 + j);
            assert_true(m.steps[j].mechanism.kind == requests[j].mechanism.kind &&
                        m.steps[j].mechanism.scale == requests[j].mechanism.scale);
        }
        if (!seen) first = m;
        seen = true;
        assert_true(same_outputs(&m, &first) && m.run.loss == first.run.loss);
        assert_memory_equal(m.losses, first.losses, sizeof m.losses);
    }
    must(simdp_isa_select(NULL));
    test_stream(&rng, 2, 0, 3); /* control: another key */
    must(simdp_theory_interact(&rng, prepare(&m), script_analyst, &s, &data, &neighbour, NULL));
    assert_false(same_outputs(&m, &first));
    /* without a neighbour: the same outputs, no losses */
    test_stream(&rng, 1, 0, 3);
    must(simdp_theory_interact(&rng, prepare(&m), script_analyst, &s, &data, NULL, NULL));
    assert_true(same_outputs(&m, &first));
    assert_true(isnan(m.run.loss) && m.losses[0] == 0);
}

/* ---- losses ---- */

static long double log_softmax(const records *r, size_t n, double scale, size_t at)
{
    long double sum = 0;
    for (size_t i = 0; i < n; i++) sum += expl((long double)r->x[i % RECORDS] / scale);
    return (long double)r->x[at % RECORDS] / scale - logl(sum);
}

static long double loss_of(const simdp_theory_step *s, const simdp_theory_request *r)
{
    const simdp_theory_mechanism *m = &s->mechanism;
    const long double y = s->output;
    if (r->candidates > 0)
        return log_softmax(&data, r->candidates, m->scale, (size_t)y) -
               log_softmax(&neighbour, r->candidates, m->scale, (size_t)y);
    const size_t at = *(size_t *)r->query_context;
    const long double x0 = data.x[at], x1 = neighbour.x[at];
    if (m->kind == SIMDP_MECHANISM_LAPLACE || m->kind == SIMDP_MECHANISM_TYPICAL_LAPLACE)
        return (fabsl(y - x1) - fabsl(y - x0)) / m->scale;
    if (m->kind == SIMDP_MECHANISM_GAUSSIAN || m->kind == SIMDP_MECHANISM_TYPICAL_GAUSSIAN)
        return ((y - x1) * (y - x1) - (y - x0) * (y - x0)) / (2 * (long double)m->scale * m->scale);
    if (y >= 2) return INFINITY;
    return (y == 1) == (x0 != 0) ? m->epsilon : -m->epsilon;
}

static void losses(void **state)
{
    simdp_theory_request requests[EVERY];
    memory m;
    simdp_rng rng;
    int leaks = 0;
    (void)state;
    every_kind(requests);
    script s = {requests, EVERY};
    test_stream(&rng, 5, 0, 0);
    for (int run = 0; run < 2000; run++) {
        long double total = 0;
        must(simdp_theory_interact(&rng, prepare(&m), script_analyst, &s, &data, &neighbour, NULL));
        for (size_t j = 0; j < EVERY; j++) {
            const long double loss = loss_of(&m.steps[j], &requests[j]);
            if (loss == INFINITY) assert_true(m.losses[j] == INFINITY);
            else assert_true(fabsl(m.losses[j] - loss) < 1e-14L);
            total += loss;
        }
        leaks += total == INFINITY;
        assert_true(total == INFINITY ? m.run.loss == INFINITY : fabsl(m.run.loss - total) < 1e-14L);
        must(simdp_theory_interact(&rng, prepare(&m), script_analyst, &s, &data, &data, NULL));
        assert_true(fabs(m.run.loss) < 1e-14); /* its own neighbour */
    }
    assert_true(law_check_binomial((uint64_t)leaks, 2000, 0.1));
}

/* ---- laws ---- */

typedef struct {
    double centre, scale;
    bool gaussian;
} noise_law;

static double noise_cdf(double x, const void *law)
{
    const noise_law *l = law;
    const double z = (x - l->centre) / l->scale;
    if (l->gaussian) return 0.5 * erfc(-z * sqrt(0.5));
    return z < 0 ? 0.5 * exp(z) : 1 - 0.5 * exp(-z);
}

static void laws(void **state)
{
    enum { RUNS = 20000 };
    static double out[EVERY][RUNS];
    simdp_theory_request requests[EVERY];
    memory m;
    simdp_rng rng;
    (void)state;
    every_kind(requests);
    script s = {requests, EVERY};
    test_stream(&rng, 6, 0, 0);
    for (size_t run = 0; run < RUNS; run++) {
        must(simdp_theory_interact(&rng, prepare(&m), script_analyst, &s, &data, NULL, NULL));
        for (size_t j = 0; j < EVERY; j++) out[j][run] = m.steps[j].output;
    }
    for (size_t j = 0; j < EVERY; j++) {
        const simdp_theory_mechanism *mechanism = &requests[j].mechanism;
        if (requests[j].candidates == 0 && mechanism->scale > 0) {
            const bool is_gaussian =
                mechanism->kind == SIMDP_MECHANISM_GAUSSIAN || mechanism->kind == SIMDP_MECHANISM_TYPICAL_GAUSSIAN;
            const double centre = data.x[*(size_t *)requests[j].query_context];
            assert_true(law_check_sample(out[j], RUNS, noise_cdf, &(noise_law){centre, mechanism->scale, is_gaussian}));
            assert_false(
                law_check_sample(out[j], RUNS, noise_cdf, &(noise_law){centre + 0.3, mechanism->scale, is_gaussian}));
        } else {
            uint64_t seen[16] = {0};
            double p[16] = {0}, wrong[16] = {0};
            for (size_t run = 0; run < RUNS; run++) seen[(size_t)out[j][run]]++;
            for (size_t i = 0; i < 16 && requests[j].candidates > 0; i++) {
                p[i] = i < requests[j].candidates
                           ? (double)expl(log_softmax(&data, requests[j].candidates, mechanism->scale, i))
                           : 0;
                wrong[i] = i < requests[j].candidates
                               ? (double)expl(log_softmax(&neighbour, requests[j].candidates, mechanism->scale, i))
                               : 0;
            }
            if (requests[j].candidates == 0) { /* the bit is 1 */
                const double leak = mechanism->kind == SIMDP_MECHANISM_LEAKY_RESPONSE ? mechanism->delta : 0;
                wrong[0] = p[1] = (1 - leak) / (1 + exp(-mechanism->epsilon));
                wrong[1] = p[0] = (1 - leak) / (1 + exp(mechanism->epsilon));
                wrong[2] = p[3] = leak;
            }
            assert_true(law_check_counts(seen, p, 16));
            assert_false(law_check_counts(seen, wrong, 16));
        }
    }
}

/* No two steps share random words. A Gaussian deviate takes two words of its group of sixteen; drawn without regard to
 * that after eight Laplace deviates, it has a radius made of the first one's word. */
static double squared_correlation(simdp_rng *rng, bool by_engine)
{
    enum { RUNS = 4000 };
    simdp_theory_request requests[9];
    memory m;
    double sum[5] = {0};
    for (size_t i = 0; i < 8; i++) requests[i] = ask_record(laplace, &index_of[2]);
    requests[8] = ask_record(gaussian, &index_of[2]);
    script s = {requests, 9};
    for (int run = 0; run < RUNS; run++) {
        double y[9];
        must(simdp_rng_seek(rng, (uint64_t)run * 1024));
        if (by_engine) {
            must(simdp_theory_interact(rng, prepare(&m), script_analyst, &s, &data, NULL, NULL));
            for (int i = 0; i < 9; i++) y[i] = m.steps[i].output;
        } else {
            must(simdp_noise_laplace_f64(rng, y, 9, 2));
            y[8] = 3 * sqrt(fabs(y[0])) * cos(100 * y[8]); /* a radius that is made of the word of y[0] */
        }
        const double a = fabs(y[0]) / 2, b = y[8] * y[8] / 9;
        sum[0] += a;
        sum[1] += b;
        sum[2] += a * a;
        sum[3] += b * b;
        sum[4] += a * b;
    }
    const double covariance = sum[4] - sum[0] * sum[1] / (double)RUNS;
    return covariance * covariance /
           ((sum[2] - sum[0] * sum[0] / (double)RUNS) * (sum[3] - sum[1] * sum[1] / (double)RUNS));
}

static void no_shared_words(void **state)
{
    simdp_rng rng;
    (void)state;
    test_stream(&rng, 8, 0, 0);
    assert_true(squared_correlation(&rng, true) < 0.02); /* 9 standard deviations */
    assert_true(squared_correlation(&rng, false) > 0.2); /* control */
}

/* ---- analysts, queries, filters ---- */

/* Follows the answers: asks record 0 until an answer is negative, then record 1, and checks what it is shown. */
typedef struct {
    size_t calls;
    bool wrong;
    simdp_theory_step seen[CAPACITY];
    size_t fail_at;
} follower;

static simdp_status follow(void *context, simdp_theory_request *next, const simdp_theory_step *steps, size_t count)
{
    follower *f = context;
    const simdp_theory_request zero = {0};
    f->wrong |= count != f->calls || memcmp(next, &zero, sizeof zero) != 0;
    f->wrong |= count > 0 && memcmp(steps, f->seen, (count - 1) * sizeof *steps) != 0;
    if (count > 0) f->seen[count - 1] = steps[count - 1];
    f->calls++;
    if (f->calls == f->fail_at) return SIMDP_ENOMEMORY;
    *next = ask_record(laplace, &index_of[count > 0 && steps[count - 1].output < 0]);
    next->tag = count;
    return SIMDP_OK;
}

static void adaptive(void **state)
{
    memory m;
    follower f = {0};
    simdp_rng rng;
    (void)state;
    test_stream(&rng, 9, 0, 0);
    must(simdp_theory_interact(&rng, prepare(&m), follow, &f, &data, NULL, NULL));
    assert_true(!f.wrong && f.calls == CAPACITY && m.run.count == CAPACITY && m.run.stop == SIMDP_THEORY_STOP_CAPACITY);
    /* the analyst's failure passes through; the steps before it stand */
    follower again = {.fail_at = 6};
    memory n;
    test_stream(&rng, 9, 0, 0);
    assert_int_equal(simdp_theory_interact(&rng, prepare(&n), follow, &again, &data, NULL, NULL), SIMDP_ENOMEMORY);
    assert_true(n.run.count == 5 && n.run.stop == SIMDP_THEORY_STOP_ERROR);
    for (int i = 0; i < 5; i++) assert_true(n.steps[i].output == m.steps[i].output && n.steps[i].tag == m.steps[i].tag);
}

static simdp_status failing_query(void *context, double *answers, size_t n, const void *dataset)
{
    (void)context;
    (void)answers;
    (void)n;
    (void)dataset;
    return SIMDP_ESOURCE;
}

static void budget(void **state)
{
    simdp_theory_request requests[10];
    memory m;
    simdp_rng rng;
    simdp_theory_filter filter;
    (void)state;
    for (int i = 0; i < 10; i++) requests[i] = ask_record(laplace, &index_of[0]); /* epsilon 1/2 each */
    script s = {requests, 10};
    test_stream(&rng, 10, 0, 0);
    must(filter_basic(&filter, 1.9, 0));
    must(simdp_theory_interact(&rng, prepare(&m), script_analyst, &s, &data, NULL, &filter));
    assert_true(m.run.count == 3 && m.run.stop == SIMDP_THEORY_STOP_BUDGET && simdp_rng_position(&rng) <= 48);
    must(simdp_theory_interact(&rng, prepare(&m), script_analyst, &s, &data, NULL,
                               &filter)); /* the budget stays spent */
    assert_true(m.run.count == 0 && m.run.stop == SIMDP_THEORY_STOP_BUDGET);
    /* what failed is charged all the same */
    must(filter_basic(&filter, 1.9, 0));
    requests[1].query = failing_query;
    assert_int_equal(simdp_theory_interact(&rng, prepare(&m), script_analyst, &s, &data, NULL, &filter), SIMDP_ESOURCE);
    double epsilon, delta;
    must(simdp_theory_filter_spent(&filter, &epsilon, &delta));
    assert_true(m.run.count == 1 && m.run.stop == SIMDP_THEORY_STOP_ERROR && epsilon == 1);
    /* a kind the filter has no theorem for */
    requests[0] = ask_record(typical, &index_of[0]);
    assert_int_equal(simdp_theory_interact(&rng, prepare(&m), script_analyst, &s, &data, NULL, &filter), SIMDP_EPARAM);
    must(filter_typical(&filter, 0.5, 0, 0.01, 1));
    requests[1] = requests[0];
    must(simdp_theory_interact(&rng, prepare(&m), script_analyst, &s, &data, NULL, &filter));
    assert_true(m.run.count == 1 && m.run.stop == SIMDP_THEORY_STOP_BUDGET);
}

static simdp_status query_constant(void *context, double *answers, size_t n, const void *dataset)
{
    (void)dataset;
    for (size_t i = 0; i < n; i++) answers[i] = *(double *)context;
    return SIMDP_OK;
}

static void bad_input(void **state)
{
    simdp_theory_request r = ask_record(laplace, &index_of[0]);
    script s = {&r, 1};
    memory m;
    simdp_rng rng, closed;
    (void)state;
    test_stream(&rng, 11, 0, 0);
    memset(&closed, 0, sizeof closed);
    assert_int_equal(simdp_theory_interact(NULL, prepare(&m), script_analyst, &s, &data, NULL, NULL), SIMDP_ENULL);
    assert_int_equal(simdp_theory_interact(&rng, NULL, script_analyst, &s, &data, NULL, NULL), SIMDP_ENULL);
    assert_int_equal(simdp_theory_interact(&rng, prepare(&m), NULL, &s, &data, NULL, NULL), SIMDP_ENULL);
    prepare(&m)->steps = NULL;
    assert_int_equal(simdp_theory_interact(&rng, &m.run, script_analyst, &s, &data, NULL, NULL), SIMDP_ENULL);
    m.run.capacity = 0;
    must(simdp_theory_interact(&rng, &m.run, script_analyst, &s, &data, NULL, NULL));
    assert_true(m.run.count == 0 && m.run.stop == SIMDP_THEORY_STOP_CAPACITY);
    assert_int_equal(simdp_theory_interact(&closed, prepare(&m), script_analyst, &s, &data, NULL, NULL), SIMDP_EPARAM);
    r.query = NULL;
    assert_int_equal(simdp_theory_interact(&rng, prepare(&m), script_analyst, &s, &data, NULL, NULL), SIMDP_ENULL);
    r = ask_record(laplace, &index_of[0]);
    r.mechanism.scale = -1;
    assert_int_equal(simdp_theory_interact(&rng, prepare(&m), script_analyst, &s, &data, NULL, NULL), SIMDP_EPARAM);
    r.mechanism.kind = (simdp_mechanism)77;
    assert_int_equal(simdp_theory_interact(&rng, prepare(&m), script_analyst, &s, &data, NULL, NULL), SIMDP_EPARAM);
    r = ask_scores(selection, 0);
    assert_int_equal(simdp_theory_interact(&rng, prepare(&m), script_analyst, &s, &data, NULL, NULL), SIMDP_EPARAM);
    r = ask_scores(selection, SCRATCH / 2 + 1);
    assert_int_equal(simdp_theory_interact(&rng, prepare(&m), script_analyst, &s, &data, &neighbour, NULL),
                     SIMDP_EPARAM);
    must(simdp_theory_interact(&rng, prepare(&m), script_analyst, &s, &data, NULL, NULL));
    prepare(&m)->scratch = NULL;
    assert_int_equal(simdp_theory_interact(&rng, &m.run, script_analyst, &s, &data, NULL, NULL), SIMDP_ENULL);
    /* answers that are no numbers never cause an error */
    static double strange[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; i++) {
        r = (simdp_theory_request){
            .mechanism = i == 0 ? response : laplace, .query = query_constant, .query_context = &strange[i]};
        must(simdp_theory_interact(&rng, prepare(&m), script_analyst, &s, &data, &neighbour, NULL));
        assert_true(m.run.count == 1 && m.run.loss == 0 && fabs(m.steps[0].output) < INFINITY);
    }
}

/* A query may draw from the stream that the interaction runs on. Words it has read are not to be had again, also where
 * it fails afterwards. */
static simdp_status draw_and_fail(void *context, double *answers, size_t n, const void *given)
{
    (void)given;
    for (size_t i = 0; i < n; i++) answers[i] = 0.0;
    must(simdp_noise_laplace_f64(context, answers, 1, 1.0));
    return SIMDP_ECANCELLED;
}

static void words_of_a_query(void **state)
{
    simdp_rng rng;
    memory m;
    (void)state;
    test_stream(&rng, 1, 0, 3);
    simdp_theory_request r = {.mechanism = laplace, .query = draw_and_fail, .query_context = &rng};
    script s = {&r, 1};
    assert_int_equal(simdp_theory_interact(&rng, prepare(&m), script_analyst, &s, &data, NULL, NULL), SIMDP_ECANCELLED);
    assert_true(simdp_rng_position(&rng) == 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_transcript), cmocka_unit_test(losses),          cmocka_unit_test(laws),
        cmocka_unit_test(no_shared_words), cmocka_unit_test(adaptive),        cmocka_unit_test(budget),
        cmocka_unit_test(bad_input),       cmocka_unit_test(words_of_a_query)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
