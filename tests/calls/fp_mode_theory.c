/* fp_mode_theory.c: rows of fp_mode_rows.h that call theory. */
#include "fp_mode_record.h"

#include "support/filters.h"

void mode_theory_responses(record *r)
{
    uint8_t out[200] = {0}, who[200];
    simdp_rng rng;
    for (int i = 0; i < 200; i++) who[i] = i % 3 == 0;
    open_stream(r, &rng);
    good(r, simdp_theory_leaky_response(&rng, out, who, 200, 0.7, 0.1)), PUT(out);
    good(r, simdp_theory_name_and_shame(&rng, out, 200, 0.1)), PUT(out);
    good(r, simdp_theory_polya_urn(&rng, out, 200, 3, 2)), PUT(out);
    for (int i = 0; i < TINY; i++) {
        put_status(r, simdp_theory_leaky_response(&rng, out, who, 200, tiny[i], 0.1)), PUT(out);
        put_status(r, simdp_theory_leaky_response(&rng, out, who, 200, 0.7, tiny[i])), PUT(out);
        put_status(r, simdp_theory_name_and_shame(&rng, out, 200, tiny[i])), PUT(out);
        put_position(r, &rng);
    }
}

void mode_theory_maps(record *r)
{
    const double p[] = {0.3, 0.3, 0.4, 0x1p-1074}, q[] = {0.2, 0.4, 0.4, 0x1p-1074};
    double out[N] = {0}, map[16] = {0};
    size_t index[8] = {0}, column = 0;
    simdp_rng rng;
    open_stream(r, &rng);
    for (int bit = 0; bit < 2; bit++) {
        good(r, simdp_theory_laplace_map_law(out, y, N, SIMDP_THEORY_DENSITY, bit, 0.7)), PUT(out);
        good(r, simdp_theory_laplace_map_law(out, y, N, SIMDP_THEORY_CDF, bit, 0.7)), PUT(out);
        put_status(r, simdp_theory_laplace_map_law(out, y, N, SIMDP_THEORY_QUANTILE, bit, 0.7)),
            PUT(out); /* most are no probability */
    }
    good(r, simdp_theory_laplace_map(&rng, out, answers, 8, 0.1, 0.6, 0.7)), PUT(out);
    good(r, simdp_theory_laplace_map(&rng, out, answers, 8, 0, 0x1p-1074, 0x1p-890)), PUT(out);
    good(r, simdp_theory_discrete_map(map, p, q, 4, 0.7, 0.1)), PUT(map);
    good(r, simdp_theory_discrete_map_draw(&rng, index, answers, 8, map, 4)), PUT(index);
    for (int i = 0; i < TINY; i++) {
        put_status(r, simdp_theory_discrete_map(map, p, p, 4, tiny[i], 0.1)), PUT(map);
        put_status(r, simdp_theory_discrete_map(map, p, p, 4, 0.7, tiny[i])), PUT(map);
        put_status(r, simdp_theory_discrete_map(map, &tiny[i], q, 1, 0.7, 0.1)), PUT(map);
    }
    good(r, simdp_theory_select_column(&rng, &column, out, y, 5, 4, 0.7));
    put(r, &column, sizeof column), put(r, out, 4 * sizeof *out);
    put_position(r, &rng);
}

static const simdp_theory_mechanism mechanisms[] = {
    {SIMDP_MECHANISM_LAPLACE, .sensitivity = 0.3, .scale = 1.7},
    {SIMDP_MECHANISM_GAUSSIAN, .sensitivity = 0.3, .scale = 3.1, .delta = 1e-6},
    {SIMDP_MECHANISM_SELECTION, .sensitivity = 0.3, .scale = 2.3},
    {SIMDP_MECHANISM_SELECTION_MONOTONE, .sensitivity = 0.3, .scale = 2.3},
    {SIMDP_MECHANISM_RANDOMIZED_RESPONSE, .epsilon = 0.1},
    {SIMDP_MECHANISM_LEAKY_RESPONSE, .epsilon = 0.1, .delta = 1e-3},
};
enum { MECHANISMS = sizeof mechanisms / sizeof mechanisms[0] };

static void put_cost(record *r, const simdp_theory_mechanism *m)
{
    simdp_theory_cost cost;
    put_status(r, simdp_theory_mechanism_cost(&cost, m)), put(r, &cost, sizeof cost);
}

void mode_theory_costs(record *r)
{
    for (int i = 0; i < MECHANISMS; i++) {
        put_cost(r, &mechanisms[i]);
        for (int t = 0; t < TINY; t++) {
            simdp_theory_mechanism m = mechanisms[i];
            m.epsilon = m.sensitivity = tiny[t], put_cost(r, &m);
            m = mechanisms[i], m.delta = tiny[t], put_cost(r, &m);
            m = mechanisms[i], m.scale = tiny[t], put_cost(r, &m);
            m.kind = SIMDP_MECHANISM_TYPICAL_LAPLACE, m.scale = 1, m.nu = tiny[t], put_cost(r, &m);
        }
    }
}

static void put_filter(record *r, simdp_theory_filter *f, simdp_status opened)
{
    put_status(r, opened);
    for (int round = 0; round < 5; round++) {
        for (int i = 0; i < MECHANISMS; i++) {
            int admitted;
            double epsilon, delta;
            put_status(r, simdp_theory_filter_admit(f, &admitted, &mechanisms[i])), put(r, &admitted, sizeof admitted);
            put_status(r, simdp_theory_filter_spent(f, &epsilon, &delta));
            put(r, &epsilon, sizeof epsilon), put(r, &delta, sizeof delta);
        }
    }
}

void mode_theory_filters(record *r)
{
    static const double orders[] = {1.5, 2, 8, 32};
    double spent[4] = {0};
    simdp_theory_filter f;
    put_filter(r, &f, filter_basic(&f, 1.7, 0.01));
    put_filter(r, &f, filter_strong(&f, 1.7, 0.01, 1e-6));
    put_filter(r, &f, filter_zcdp(&f, 1.7, 0.01, 1e-6));
    put_filter(r, &f, filter_renyi(&f, spent, orders, 4, 1.7, 0.01, 1e-6));
    PUT(spent);
    put_filter(r, &f, filter_typical(&f, 1.7, 0.01, 1e-6, 3));
    for (int t = 0; t < TINY; t++) {
        put_filter(r, &f, filter_basic(&f, tiny[t], 0));
        put_filter(r, &f, filter_strong(&f, 1, tiny[t], tiny[t]));
        put_filter(r, &f, filter_zcdp(&f, 1, 0, tiny[t]));
        put_filter(r, &f, filter_renyi(&f, spent, orders, 4, 1, 0, tiny[t]));
        put_filter(r, &f, filter_typical(&f, 1, 0, tiny[t], 3));
    }
}

/* A query that computes: what it says must not depend on the caller's mode either. data: two doubles. */
static simdp_status ask(void *context, double *out, size_t n, const void *data)
{
    const double *x = data;
    volatile double third = 1.0 / 3.0, tenth = 0.1;
    (void)context;
    for (size_t i = 0; i < n; i++) out[i] = n == 1 ? x[0] : x[1] * (third + tenth * (double)i);
    return SIMDP_OK;
}

/* Asks each mechanism in turn, twice. */
static simdp_status analyst(void *context, simdp_theory_request *next, const simdp_theory_step *steps, size_t count)
{
    const size_t *kinds = context;
    (void)steps;
    if (count == 2 * *kinds) return SIMDP_OK;
    next->mechanism = mechanisms[count % *kinds];
    if (*kinds < MECHANISMS && next->mechanism.kind == SIMDP_MECHANISM_GAUSSIAN) next->mechanism = mechanisms[0];
    next->query = ask;
    next->candidates = 3;
    next->tag = count;
    return SIMDP_OK;
}

static void put_run(record *r, const simdp_theory_interaction *run)
{
    for (size_t i = 0; i < run->count; i++) put(r, &run->steps[i].output, sizeof run->steps[i].output);
    put(r, run->losses, run->count * sizeof *run->losses);
    put(r, &run->count, sizeof run->count), put(r, &run->loss, sizeof run->loss), put(r, &run->stop, sizeof run->stop);
}

void mode_theory_interactions(record *r)
{
    static const double data[][2] = {{0x1p-1074, 0.9}, {0.3, 0.8}, {1e-310, 0x1p-1074}, {-0x1p-1074, 1e300}, {0, 0}};
    for (size_t d = 0; d < 4; d++) {
        simdp_theory_step steps[2 * MECHANISMS];
        double loss[2 * MECHANISMS], scratch[24];
        simdp_theory_interaction run = {steps, 2 * MECHANISMS, loss, scratch, 24, 0, 0, SIMDP_THEORY_STOP_ERROR};
        size_t all = MECHANISMS, five = 5;
        const uint8_t symbols[10] = {0, 1, 2, 3, 0, 1, 2, 3, 0, 1};
        simdp_theory_filter f;
        simdp_rng rng;
        open_stream(r, &rng);
        good(r, filter_strong(&f, 3, 0.1, 1e-6));
        good(r, simdp_theory_interact(&rng, &run, analyst, &all, data[d], data[d + 1], &f));
        put_run(r, &run), put_position(r, &rng);
        put_status(
            r, simdp_theory_transcript_map(&rng, &run, symbols, 10, analyst, &five, data[d], data[d + 1], 0.9, 0.01));
        put_run(r, &run), put_position(r, &rng);
        for (int t = 0; t < TINY; t++)
            put_status(r, simdp_theory_transcript_map(&rng, &run, symbols, 1, analyst, &five, data[d], data[d + 1],
                                                      tiny[t], tiny[t]));
    }
}
