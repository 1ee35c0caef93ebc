/* test_theory_transcript_map: symbols of leaky randomized response, sent step by step through simulation maps, give the
 * law of an adaptive interaction: symbols of U that on the data, symbols of V that on the neighbour. */
#include <math.h>

#include "support/analysts.h"
#include "support/law_check.h"

#define EPSILON 0.8
#define DELTA   0.05

static const records data[2] = {{{0.0, 1.0, 0.3, 0.6}}, {{0.7, 0.0, 1.0, 0.2}}};

static const simdp_theory_mechanism selection = {SIMDP_MECHANISM_SELECTION, .sensitivity = 1, .scale = 2.5}; /* 0.8 */
static const simdp_theory_mechanism weak = {SIMDP_MECHANISM_LAPLACE, .sensitivity = 1, .scale = 2};          /* 0.5 */
static const simdp_theory_mechanism full = {SIMDP_MECHANISM_LAPLACE, .sensitivity = 1, .scale = 1.25};       /* 0.8 */
static const simdp_theory_mechanism leaky = {SIMDP_MECHANISM_LEAKY_RESPONSE, .epsilon = 0.7, .delta = 0.04};

/* A selection among four; then Laplace at the record chosen, weaker if it was an even one; then, by the sign of that
 * answer, a leaky response of record 0 or 1. */
static size_t records_at[RECORDS] = {0, 1, 2, 3};
static simdp_status analyst(void *context, simdp_theory_request *next, const simdp_theory_step *steps, size_t count)
{
    (void)context;
    if (count == 0)
        *next = (simdp_theory_request){.mechanism = selection, .query = query_scores, .candidates = RECORDS};
    if (count == 1) {
        const size_t chosen = (size_t)steps[0].output;
        *next = ask_record(chosen % 2 ? full : weak, &records_at[chosen]);
    }
    if (count == 2) *next = ask_record(leaky, &records_at[steps[1].output < 0]);
    return SIMDP_OK;
}

/* Cells: 4 choices x BINS bins of the Laplace answer (bin BINS/2 begins at 0) x 4 symbols. */
enum { BINS = 12, CELLS = 4 * BINS * 4 };
static double edge(int bin) { return (bin - BINS / 2) * 0.6; }
static double laplace_cdf(double z) { return z < 0 ? 0.5 * exp(z) : 1 - 0.5 * exp(-z); }

static void exact_law(double *p, const records *x)
{
    double weight[4], total = 0;
    for (int i = 0; i < 4; i++) total += weight[i] = exp(x->x[i] / selection.scale);
    for (int cell = 0; cell < CELLS; cell++) {
        const int choice = cell / (4 * BINS), bin = cell / 4 % BINS, symbol = cell % 4;
        const double scale = choice % 2 ? full.scale : weak.scale;
        const double above = bin == BINS - 1 ? 1 : laplace_cdf((edge(bin + 1) - x->x[choice]) / scale);
        const double below = bin == 0 ? 0 : laplace_cdf((edge(bin) - x->x[choice]) / scale);
        const int bit = x->x[bin < BINS / 2] != 0;
        const double keep = (1 - leaky.delta) / (1 + exp(-leaky.epsilon)),
                     flip = (1 - leaky.delta) / (1 + exp(leaky.epsilon));
        const double answer = symbol == bit ? keep : symbol == 1 - bit ? flip : symbol == 2 + bit ? leaky.delta : 0;
        p[cell] = weight[choice] / total * (above - below) * answer;
    }
}

static int cell_of(const simdp_theory_step *s)
{
    int bin = (int)floor(s[1].output / 0.6) + BINS / 2;
    bin = bin < 0 ? 0 : bin >= BINS ? BINS - 1 : bin;
    return ((int)s[0].output * BINS + bin) * 4 + (int)s[2].output;
}

enum { RUNS = 200000 };

/* The transcripts made from symbols of the speaker, or (speaker < 0) by running the mechanisms on the data. */
static void count(uint64_t *seen, int speaker, uint64_t seed)
{
    simdp_rng rng;
    simdp_theory_step steps[3];
    double scratch[8 * RECORDS];
    simdp_theory_interaction run = {.steps = steps, .capacity = 3, .scratch = scratch, .scratch_size = 8 * RECORDS};
    memset(seen, 0, CELLS * sizeof *seen);
    test_stream(&rng, seed, 0, 0);
    for (int i = 0; i < RUNS; i++) {
        if (speaker < 0) {
            must(simdp_theory_interact(&rng, &run, analyst, NULL, &data[0], &data[1], NULL));
        } else {
            uint8_t who[3], symbols[3];
            memset(who, speaker, sizeof who);
            must(simdp_theory_leaky_response(&rng, symbols, who, 3, EPSILON, DELTA));
            must(
                simdp_theory_transcript_map(&rng, &run, symbols, 3, analyst, NULL, &data[0], &data[1], EPSILON, DELTA));
        }
        assert_true(run.count == 3 && run.stop == SIMDP_THEORY_STOP_CAPACITY);
        seen[cell_of(steps)]++;
    }
}

static void both_laws(void **state)
{
    static uint64_t seen[CELLS];
    double law[2][CELLS];
    (void)state;
    for (int side = 0; side < 2; side++) exact_law(law[side], &data[side]);
    for (int speaker = -1; speaker < 2; speaker++) {
        count(seen, speaker, 20 + (uint64_t)(speaker + 1));
        const int side = speaker < 0 ? 0 : speaker;
        assert_true(law_check_counts(seen, law[side], CELLS));
        assert_false(law_check_counts(seen, law[1 - side], CELLS)); /* control: the other dataset's law */
    }
}

static size_t first_record = 0;
static simdp_status ask_once(void *context, simdp_theory_request *next, const simdp_theory_step *steps, size_t length)
{
    (void)steps;
    if (length == 0) *next = ask_record(*(simdp_theory_mechanism *)context, &first_record);
    return SIMDP_OK;
}

static void bad_input(void **state)
{
    simdp_rng rng;
    simdp_theory_step steps[3];
    double scratch[8 * RECORDS];
    simdp_theory_interaction run = {.steps = steps, .capacity = 3, .scratch = scratch, .scratch_size = 8 * RECORDS - 1};
    const uint8_t symbols[3] = {0, 1, 2};
    const records far = {{3, 0, 0, 0}};
    (void)state;
    test_stream(&rng, 30, 0, 0);
    assert_int_equal(
        simdp_theory_transcript_map(&rng, &run, symbols, 3, analyst, NULL, &data[0], &data[1], EPSILON, DELTA),
        SIMDP_EPARAM);
    run.scratch_size++;
    must(simdp_theory_transcript_map(&rng, &run, symbols, 1, analyst, NULL, &data[0], &data[1], EPSILON, DELTA));
    assert_true(run.count == 1 && run.stop == SIMDP_THEORY_STOP_CAPACITY && fabs(run.loss) <= EPSILON);
    must(simdp_theory_transcript_map(&rng, &run, NULL, 0, analyst, NULL, &data[0], &data[1], EPSILON, DELTA));
    assert_true(run.count == 0);
    assert_int_equal(
        simdp_theory_transcript_map(&rng, &run, NULL, 3, analyst, NULL, &data[0], &data[1], EPSILON, DELTA),
        SIMDP_ENULL);
    assert_int_equal(
        simdp_theory_transcript_map(&rng, NULL, symbols, 3, analyst, NULL, &data[0], &data[1], EPSILON, DELTA),
        SIMDP_ENULL);
    assert_int_equal(simdp_theory_transcript_map(&rng, &run, symbols, 3, analyst, NULL, &data[0], NULL, EPSILON, DELTA),
                     SIMDP_ENULL);
    assert_int_equal(simdp_theory_transcript_map(&rng, &run, symbols, 3, analyst, NULL, NULL, &data[1], EPSILON, DELTA),
                     SIMDP_ENULL);
    assert_int_equal(
        simdp_theory_transcript_map(NULL, &run, symbols, 3, analyst, NULL, &data[0], &data[1], EPSILON, DELTA),
        SIMDP_ENULL);
    assert_int_equal(
        simdp_theory_transcript_map(&rng, &run, symbols, 3, NULL, NULL, &data[0], &data[1], EPSILON, DELTA),
        SIMDP_ENULL);
    assert_int_equal(simdp_theory_transcript_map(&rng, &run, symbols, 3, analyst, NULL, &data[0], &data[1], NAN, DELTA),
                     SIMDP_EPARAM);
    assert_int_equal(
        simdp_theory_transcript_map(&rng, &run, symbols, 3, analyst, NULL, &data[0], &data[1], EPSILON, 1.5),
        SIMDP_EPARAM);
    /* mechanisms that cost more than the symbols, the Gaussian, and a query that moves too far */
    assert_int_equal(simdp_theory_transcript_map(&rng, &run, symbols, 3, analyst, NULL, &data[0], &data[1], 0.4, DELTA),
                     SIMDP_EPARAM);
    simdp_theory_mechanism m = {SIMDP_MECHANISM_GAUSSIAN, .sensitivity = 1, .scale = 100, .delta = 0.01};
    assert_int_equal(
        simdp_theory_transcript_map(&rng, &run, symbols, 3, ask_once, &m, &data[0], &data[1], EPSILON, DELTA),
        SIMDP_EPARAM);
    m = leaky;
    assert_int_equal(
        simdp_theory_transcript_map(&rng, &run, symbols, 3, ask_once, &m, &data[0], &data[1], EPSILON, 0.03),
        SIMDP_EPARAM);
    /* the same where both laws are one, which could be mapped: no status tells whether data differ */
    assert_int_equal(
        simdp_theory_transcript_map(&rng, &run, symbols, 3, ask_once, &m, &data[0], &data[0], EPSILON, 0.03),
        SIMDP_EPARAM);
    assert_int_equal(simdp_theory_transcript_map(&rng, &run, symbols, 3, ask_once, &m, &data[0], &data[0], 0.4, DELTA),
                     SIMDP_EPARAM);
    m = full;
    assert_int_equal(simdp_theory_transcript_map(&rng, &run, symbols, 3, ask_once, &m, &data[0], &far, EPSILON, DELTA),
                     SIMDP_EPARAM);
    must(simdp_theory_transcript_map(&rng, &run, symbols, 3, ask_once, &m, &data[0], &data[1], EPSILON, DELTA));
    assert_true(run.count == 1 && run.stop == SIMDP_THEORY_STOP_ANALYST);
}

/* A call that fails for its arguments does not leave the results of the one before in the struct. */
static void failure_leaves_no_results(void **state)
{
    simdp_rng rng;
    simdp_theory_step steps[3];
    double scratch[8 * RECORDS];
    simdp_theory_interaction run = {.steps = steps, .capacity = 3, .scratch = scratch, .scratch_size = 8 * RECORDS};
    const uint8_t symbols[3] = {0, 1, 2};
    (void)state;
    test_stream(&rng, 30, 0, 0);
    for (int c = 0; c < 5; c++) {
        must(simdp_theory_transcript_map(&rng, &run, symbols, 1, analyst, NULL, &data[0], &data[1], EPSILON, DELTA));
        assert_true(run.count == 1 && run.stop == SIMDP_THEORY_STOP_CAPACITY && !isnan(run.loss));
        const simdp_status status =
            simdp_theory_transcript_map(&rng, &run, c == 0 ? NULL : symbols, 3, analyst, NULL, c == 1 ? NULL : &data[0],
                                        c == 2 ? NULL : &data[1], c == 3 ? NAN : EPSILON, c == 4 ? -1.0 : DELTA);
        assert_int_equal(status, c < 3 ? SIMDP_ENULL : SIMDP_EPARAM);
        assert_true(run.count == 0 && run.stop == SIMDP_THEORY_STOP_ERROR && isnan(run.loss));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(both_laws), cmocka_unit_test(bad_input),
                                       cmocka_unit_test(failure_leaves_no_results)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
