/* test_loss_audit: audits count what drawing, evaluating and comparing would count; pieces, sides, closed forms, bad
 * input. */
#include <math.h>

#include "support/audits.h"
#include "support/laws.h"
#include "support/test_support.h"

enum { N = 60000, EPSILONS = 6 };

static const double epsilon[EPSILONS] = {0.0, 0.3, 0.75, 1.0, 2.5, 9.0};
static double noise[N], y[N], loss[N];

static simdp_loss_audit_plan plan_of(uint64_t samples, int hockey)
{
    return (simdp_loss_audit_plan){
        .epsilon = epsilon, .epsilons = EPSILONS, .hockey_stick = hockey, .samples = samples, .error = 1e-9};
}

/* Counts of losses above each epsilon, by the public functions one after the other. */
static void count_plainly(uint64_t above[EPSILONS], double hockey[EPSILONS], const double *values, size_t n)
{
    for (size_t j = 0; j < EPSILONS; j++) {
        long double sum = 0;
        above[j] = 0;
        for (size_t i = 0; i < n; i++) {
            if (values[i] > epsilon[j]) above[j]++, sum -= expm1l((long double)epsilon[j] - values[i]);
        }
        hockey[j] = (double)(sum / n);
    }
}

static const struct {
    double x0, x1, scale;
} noise_cases[] = {{0, 1, 1},    {1, 0, 1},           {0, 1, 0.2},     {5, 5, 1},
                   {-3, 2.5, 7}, {1e6, 1e6 + 1, 0.4}, {0, 1e-9, 1e-9}, {1e15, 1e15 + 40, 3}};

/* Laplace by words, Laplace with hockey stick, Gaussian: against noise, addition, loss and comparison. */
static void test_draws(void **state)
{
    (void)state;
    for (size_t c = 0; c < sizeof noise_cases / sizeof noise_cases[0]; c++) {
        const double x[2] = {noise_cases[c].x0, noise_cases[c].x1}, scale = noise_cases[c].scale;
        for (int way = 0; way < 4; way++) {
            const bool gaussian = way >= 2, hockey = way % 2 == 1;
            const simdp_loss_audit_plan plan = plan_of(N - 7 * c, hockey);
            simdp_loss_audit_row rows[EPSILONS];
            simdp_rng rng;
            uint64_t above[EPSILONS];
            double mean[EPSILONS];
            test_stream(&rng, 5, c, 13 * c);
            if (gaussian) must(audit_gaussian(&rng, rows, &plan, x[0], x[1], scale));
            else must(audit_laplace(&rng, rows, &plan, x[0], x[1], scale));
            assert_int_equal(simdp_rng_position(&rng), 13 * c + plan.samples);
            test_stream(&rng, 5, c, 13 * c);
            if (gaussian) must(simdp_noise_gaussian_f64(&rng, noise, plan.samples, scale));
            else must(simdp_noise_laplace_f64(&rng, noise, plan.samples, scale));
            for (int side = 0; side < 2; side++) {
                for (size_t i = 0; i < plan.samples; i++) y[i] = x[side] + noise[i];
                if (gaussian) must(simdp_loss_gaussian_f64(loss, y, plan.samples, x[0], x[1], scale));
                else must(simdp_loss_laplace_f64(loss, y, plan.samples, x[0], x[1], scale));
                count_plainly(above, mean, loss, plan.samples);
                for (size_t j = 0; j < EPSILONS; j++) {
                    if (rows[j].above[side] != above[j])
                        fail_msg("case %zu way %d epsilon %g side %d: %llu, not %llu", c, way, epsilon[j], side,
                                 (unsigned long long)rows[j].above[side], (unsigned long long)above[j]);
                    assert_int_equal(rows[j].outputs[side], plan.samples);
                    assert_true(rows[j].tail[side].value == (double)above[j] / (double)plan.samples);
                    if (side == 0 && hockey) assert_true(fabs(rows[j].hockey.value - mean[j]) < 1e-13);
                    if (!hockey) assert_true(isnan(rows[j].hockey.value));
                }
            }
        }
    }
}

/* The caller's outputs, of both sides, doubles and floats, in pieces, give the same rows. */
static void test_own_outputs(void **state)
{
    (void)state;
    const simdp_loss_audit_plan plan = plan_of(N, 1);
    for (int gaussian = 0; gaussian < 2; gaussian++) {
        simdp_loss_audit audit, pieces, floats;
        simdp_loss_audit_row rows[EPSILONS], others[EPSILONS];
        simdp_rng rng;
        for (int a = 0; a < 3; a++) {
            simdp_loss_audit *which[3] = {&audit, &pieces, &floats};
            if (gaussian) must(audit_init_gaussian(which[a], &plan, 0.25, 1.5, 1.25));
            else must(audit_init_laplace(which[a], &plan, 0.25, 1.5, 1.25));
        }
        test_stream(&rng, 6, 0, 0);
        must(simdp_loss_audit_draw(&rng, &audit, N));
        test_stream(&rng, 6, 0, 0);
        if (gaussian) must(simdp_noise_gaussian_f64(&rng, noise, N, 1.25));
        else must(simdp_noise_laplace_f64(&rng, noise, N, 1.25));
        for (int side = 0; side < 2; side++) {
            for (size_t i = 0; i < N; i++) y[i] = (side == 0 ? 0.25 : 1.5) + noise[i];
            must(simdp_loss_audit_outputs(&pieces, y, 4096, side));
            must(simdp_loss_audit_outputs(&pieces, y + 4096, N - 4096, side));
            for (size_t i = 0; i < N; i++) y[i] = (double)(float)y[i]; /* outputs rounded to floats */
            must(simdp_loss_audit_outputs(&floats, y, N, side));
        }
        must(simdp_loss_audit_rows(&audit, rows));
        must(simdp_loss_audit_rows(&pieces, others));
        assert_memory_equal(rows, others, sizeof rows);
        must(simdp_loss_audit_rows(&floats, others));
        for (size_t j = 0; j < EPSILONS; j++) assert_true(fabs(others[j].tail[0].value - rows[j].tail[0].value) < 1e-3);
        /* one side alone says nothing of delta, but of its tail */
        must(audit_init_laplace(&pieces, &plan, 0.25, 1.5, 1.25));
        must(simdp_loss_audit_outputs(&pieces, y, N, 0));
        must(simdp_loss_audit_rows(&pieces, others));
        assert_true(isnan(others[0].delta.value) && isnan(others[0].tail[1].value) && !isnan(others[0].tail[0].value));
    }
}

static void test_selection(void **state)
{
    (void)state;
    const double scores0[5] = {0, 1, 2, 3, 2.5}, scores1[5] = {0.5, 1.5, 1, 3.5, 2};
    const simdp_loss_audit_plan plan = plan_of(20000, 1);
    static size_t chosen[20000];
    simdp_loss_audit audit;
    simdp_loss_audit_row rows[EPSILONS], own[EPSILONS];
    simdp_rng rng;
    uint64_t above[EPSILONS];
    double mean[EPSILONS];
    test_stream(&rng, 7, 0, 0);
    must(audit_selection(&rng, rows, &plan, scores0, scores1, 5, 0.8));
    test_stream(&rng, 7, 0, 0);
    must(audit_init_selection(&audit, &plan, scores0, scores1, 5, 0.8));
    for (int side = 0; side < 2; side++) {
        must(simdp_select_gumbel_many(&rng, chosen, 20000, side == 0 ? scores0 : scores1, 5, 0.8));
        must(simdp_loss_audit_choices(&audit, chosen, 20000, side));
        must(simdp_loss_selection(loss, chosen, 20000, scores0, scores1, 5, 0.8));
        count_plainly(above, mean, loss, 20000);
        for (size_t j = 0; j < EPSILONS; j++) {
            assert_int_equal(rows[j].above[side], above[j]);
            if (side == 0) assert_true(fabs(rows[j].hockey.value - mean[j]) < 1e-13);
        }
    }
    must(simdp_loss_audit_rows(&audit, own));
    assert_memory_equal(rows, own, sizeof rows);
    /* closed form by the definition */
    double p[5], q[5], zp = 0, zq = 0;
    for (int i = 0; i < 5; i++) zp += p[i] = exp(scores0[i] / 0.8), zq += q[i] = exp(scores1[i] / 0.8);
    for (size_t j = 0; j < EPSILONS; j++) {
        double tail[2] = {0, 0}, delta = 0;
        for (int i = 0; i < 5; i++) {
            if (log(p[i] / zp / (q[i] / zq)) > epsilon[j]) tail[0] += p[i] / zp, tail[1] += q[i] / zq;
            delta += fmax(0, p[i] / zp - exp(epsilon[j]) * q[i] / zq);
        }
        assert_true(fabs(rows[j].exact_tail[0] - tail[0]) < 1e-14 && fabs(rows[j].exact_tail[1] - tail[1]) < 1e-14);
        assert_true(fabs(rows[j].exact_delta - delta) < 1e-14 && rows[j].agrees);
    }
}

static void test_randomized_response(void **state)
{
    (void)state;
    static uint8_t bits[N], out[N];
    const simdp_loss_audit_plan plan = plan_of(N, 1);
    simdp_loss_audit audit;
    simdp_loss_audit_row rows[EPSILONS], own[EPSILONS];
    simdp_rng rng;
    test_stream(&rng, 8, 0, 0);
    must(audit_response(&rng, rows, &plan, 1.5));
    assert_int_equal(simdp_rng_position(&rng), 2 * N);
    test_stream(&rng, 8, 0, 0);
    must(audit_init_response(&audit, &plan, 1.5));
    for (int side = 0; side < 2; side++) {
        memset(bits, side, sizeof bits);
        must(simdp_release_randomized_response(&rng, out, bits, N, 1.5));
        must(simdp_loss_audit_bits(&audit, out, N, side));
        uint64_t zeros = 0;
        for (size_t i = 0; i < N; i++) zeros += out[i] == 0;
        for (size_t j = 0; j < EPSILONS; j++) assert_int_equal(rows[j].above[side], epsilon[j] < 1.5 ? zeros : 0);
    }
    must(simdp_loss_audit_rows(&audit, own));
    assert_memory_equal(rows, own, sizeof rows);
    for (size_t j = 0; j < EPSILONS; j++) {
        double delta;
        must(simdp_loss_delta(&delta, &epsilon[j], 1, law_leaky(1.5, 0.0)));
        assert_true(fabs(rows[j].exact_delta - delta) < 1e-15 && rows[j].agrees);
    }
}

/* Parts of the samples in audits of their own, added up, are the whole; unlike audits do not add. */
static void test_add(void **state)
{
    (void)state;
    const double scores0[3] = {0, 1, 2}, scores1[3] = {2, 1, 0};
    for (int kind = 0; kind < 4; kind++) {
        const uint64_t step = kind < 2 ? 1 : kind == 2 ? 2 * SIMDP_SELECT_GROUP : 2; /* positions a sample */
        const simdp_loss_audit_plan plan = plan_of(0, 1);
        simdp_loss_audit whole, parts, part;
        simdp_loss_audit_row rows[EPSILONS], others[EPSILONS];
        simdp_rng rng;
        for (int a = 0; a < 3; a++) {
            simdp_loss_audit *which = a == 0 ? &whole : a == 1 ? &parts : &part;
            if (kind == 0) must(audit_init_laplace(which, &plan, 0, 1.5, 1));
            if (kind == 1) must(audit_init_gaussian(which, &plan, 0, 1.5, 1));
            if (kind == 2) must(audit_init_selection(which, &plan, scores0, scores1, 3, 1.5));
            if (kind == 3) must(audit_init_response(which, &plan, 1.5));
        }
        test_stream(&rng, 10, (uint64_t)kind, 0);
        for (int piece = 0; piece < 3; piece++) must(simdp_loss_audit_draw(&rng, &whole, 2048));
        const simdp_loss_audit empty = part;
        for (int piece = 2; piece >= 0; piece--) { /* the last first: each by its position */
            test_stream(&rng, 10, (uint64_t)kind, (uint64_t)piece * 2048 * step);
            part = empty;
            must(simdp_loss_audit_draw(&rng, &part, 2048));
            must(simdp_loss_audit_add(&parts, &part));
        }
        must(simdp_loss_audit_rows(&whole, rows));
        must(simdp_loss_audit_rows(&parts, others));
        for (size_t j = 0; j < EPSILONS; j++) {
            assert_memory_equal(rows[j].above, others[j].above, sizeof rows[j].above);
            assert_memory_equal(rows[j].outputs, others[j].outputs, sizeof rows[j].outputs);
            assert_int_equal(rows[j].outputs[0], 3 * 2048);
            assert_true(fabs(rows[j].hockey.value - others[j].hockey.value) < 1e-15);
        }
        assert_true(rows[0].above[0] > 2048); /* there is something to add */
    }
    simdp_loss_audit a, b, before;
    simdp_loss_audit_plan plan = plan_of(0, 0);
    simdp_rng rng;
    must(audit_init_laplace(&a, &plan, 0, 1, 1));
    test_stream(&rng, 10, 9, 0);
    must(simdp_loss_audit_draw(&rng, &a, 1000));
    before = a;
    memset(&b, 0, sizeof b);
    assert_int_equal(simdp_loss_audit_add(&a, NULL), SIMDP_ENULL);
    assert_int_equal(simdp_loss_audit_add(NULL, &a), SIMDP_ENULL);
    assert_int_equal(simdp_loss_audit_add(&a, &b), SIMDP_EPARAM);
    assert_int_equal(simdp_loss_audit_add(&b, &a), SIMDP_EPARAM);
    for (int other = 0; other < 7; other++) {
        plan = plan_of(0, other == 0);
        double epsilons[EPSILONS];
        memcpy(epsilons, plan.epsilon, sizeof epsilons);
        epsilons[2] += 0.1;
        if (other == 6) plan.epsilon = epsilons;
        if (other == 1) plan.epsilons--;
        if (other == 2) plan.epsilon++, plan.epsilons--;
        if (other == 3) plan.error = 1e-8;
        if (other == 4) must(audit_init_gaussian(&b, &plan, 0, 1, 1));
        else must(audit_init_laplace(&b, &plan, 0, 1, other == 5 ? 2 : 1));
        assert_int_equal(simdp_loss_audit_add(&a, &b), SIMDP_EPARAM);
    }
    assert_memory_equal(&a, &before, sizeof a);
    /* sums are carried in two parts, and none is lost: 64 times 1 + 2^-55 */
    plan = plan_of(0, 1);
    must(audit_init_laplace(&a, &plan, 0, 1, 1));
    b = a;
    b.weight[0][0] = 1;
    b.weight[0][1] = 0x1p-55;
    for (int i = 0; i < 64; i++) must(simdp_loss_audit_add(&a, &b));
    assert_true(a.weight[0][0] == 64 && a.weight[0][1] == 0x1p-49);
}

/* The closed forms that rows quote are those of the library. */
static void test_closed_forms(void **state)
{
    (void)state;
    const simdp_loss_audit_plan plan = plan_of(0, 0);
    for (size_t c = 0; c < sizeof noise_cases / sizeof noise_cases[0]; c++) {
        const double x0 = noise_cases[c].x0, x1 = noise_cases[c].x1, scale = noise_cases[c].scale,
                     t = fabs(x1 - x0) / scale;
        simdp_loss_audit audit;
        simdp_loss_audit_row rows[EPSILONS];
        double delta[EPSILONS], tail[EPSILONS];
        must(audit_init_laplace(&audit, &plan, x0, x1, scale));
        must(simdp_loss_audit_rows(&audit, rows));
        must(simdp_delta_laplace(delta, epsilon, EPSILONS, t));
        must(simdp_loss_sf(tail, epsilon, EPSILONS, law_laplace(t)));
        for (size_t j = 0; j < EPSILONS; j++) {
            if (fabs(t - epsilon[j]) < 1e-12) continue; /* where the tail jumps, the last bit decides */
            assert_true(fabs(rows[j].exact_delta - delta[j]) <= 1e-14 &&
                        fabs(rows[j].exact_tail[0] - tail[j]) <= 1e-14);
            assert_true(fabs(rows[j].exact_tail[0] - exp(epsilon[j]) * rows[j].exact_tail[1] - delta[j]) <=
                        1e-12 * exp(epsilon[j]));
            assert_true(isnan(rows[j].delta.value) && rows[j].delta.low == 0.0 && rows[j].delta.high == 1.0 &&
                        rows[j].agrees);
        }
        if (t == 0.0) continue;
        must(audit_init_gaussian(&audit, &plan, x0, x1, scale));
        must(simdp_loss_audit_rows(&audit, rows));
        must(simdp_delta_gaussian(delta, epsilon, EPSILONS, 1.0 / t));
        must(simdp_loss_sf(tail, epsilon, EPSILONS, law_gaussian(1.0 / t)));
        for (size_t j = 0; j < EPSILONS; j++) {
            assert_true(fabs(rows[j].exact_delta - delta[j]) <= 1e-14 &&
                        fabs(rows[j].exact_tail[0] - tail[j]) <= 1e-14);
        }
    }
}

static void test_bad_input(void **state)
{
    (void)state;
    const double bad[4] = {-0.5, NAN, INFINITY, 1001.0}, scores[2] = {0, 1};
    const simdp_loss_audit_plan good = plan_of(10, 0);
    simdp_loss_audit audit;
    simdp_loss_audit_row rows[EPSILONS];
    simdp_rng rng;
    test_stream(&rng, 9, 0, 40);
    assert_int_equal(audit_laplace(NULL, rows, &good, 0, 1, 1), SIMDP_ENULL);
    assert_int_equal(audit_laplace(&rng, NULL, &good, 0, 1, 1), SIMDP_ENULL);
    assert_int_equal(simdp_loss_audit_run(&rng, rows, NULL), SIMDP_ENULL);
    assert_int_equal(audit_init_laplace(NULL, &good, 0, 1, 1), SIMDP_ENULL);
    assert_int_equal(audit_laplace(&rng, rows, &good, NAN, 1, 1), SIMDP_EPARAM);
    assert_int_equal(audit_laplace(&rng, rows, &good, 0, 1, 0), SIMDP_EPARAM);
    assert_int_equal(audit_gaussian(&rng, rows, &good, 0, INFINITY, 1), SIMDP_EPARAM);
    assert_int_equal(audit_selection(&rng, rows, &good, NULL, scores, 2, 1), SIMDP_ENULL);
    assert_int_equal(audit_selection(&rng, rows, &good, scores, scores, 0, 1), SIMDP_EPARAM);
    assert_int_equal(audit_response(&rng, rows, &good, -1), SIMDP_EPARAM);
    for (int i = 0; i < 4; i++) {
        simdp_loss_audit_plan plan = good;
        plan.epsilon = &bad[i], plan.epsilons = 1;
        assert_int_equal(audit_laplace(&rng, rows, &plan, 0, 1, 1), SIMDP_EPARAM);
        plan = good, plan.error = i == 3 ? 0.0 : bad[i];
        assert_int_equal(audit_init_gaussian(&audit, &plan, 0, 1, 1), SIMDP_EPARAM);
        assert_int_equal(simdp_loss_audit_draw(&rng, &audit, 1), SIMDP_EPARAM);
        assert_int_equal(simdp_loss_audit_outputs(&audit, y, 1, 0), SIMDP_EPARAM);
        assert_int_equal(simdp_loss_audit_rows(&audit, rows), SIMDP_EPARAM);
    }
    must(audit_init_laplace(&audit, &good, 0, 1, 1));
    assert_int_equal(simdp_loss_audit_outputs(&audit, y, 1, 2), SIMDP_EPARAM);
    assert_int_equal(simdp_loss_audit_outputs(&audit, NULL, 1, 0), SIMDP_ENULL);
    /* another mechanism */
    assert_int_equal(simdp_loss_audit_choices(&audit, (const size_t *)(const void *)y, 1, 0), SIMDP_EPARAM);
    assert_int_equal(simdp_loss_audit_bits(&audit, (const uint8_t *)(const void *)y, 1, 0), SIMDP_EPARAM);
    must(simdp_loss_audit_outputs(&audit, NULL, 0, 0));
    assert_int_equal(simdp_rng_position(&rng), 40);
    /* outputs that are not numbers are above nothing */
    y[0] = NAN, y[1] = -INFINITY;
    must(simdp_loss_audit_outputs(&audit, y, 2, 0));
    must(simdp_loss_audit_rows(&audit, rows));
    assert_int_equal(rows[0].above[0], 1);
    assert_int_equal(rows[0].outputs[0], 2);
}

/* Near the end of a stream, where the first pieces of a draw still fit and the last do not: a draw that is refused has
 * neither moved the stream nor counted anything. */
static void test_refused_draws_change_nothing(void **state)
{
    (void)state;
    enum { SAMPLES = 2500 };
    static const double scores[2][5] = {{0, 1, 2, 3, 2.5}, {0.5, 1.5, 1, 3.5, 2}};
    static const uint64_t ends[] = {UINT64_MAX, (uint64_t)1 << 62};
    const simdp_loss_audit_plan plan = plan_of(SAMPLES, 0);
    for (int kind = 0; kind < 4; kind++) {
        size_t refused = 0, made = 0;
        for (size_t e = 0; e < 2; e++) {
            for (uint64_t room = 0; room < 400 * SAMPLES; room += 1 + room / 2) {
                const uint64_t position = ends[e] - room;
                simdp_loss_audit audit, before;
                simdp_loss_audit_row rows[EPSILONS], rows_before[EPSILONS];
                simdp_rng rng;
                memset(rows, 7, sizeof rows);
                memcpy(rows_before, rows, sizeof rows);
                if (kind == 0) must(audit_init_laplace(&audit, &plan, 0, 1, 1));
                if (kind == 1) must(audit_init_gaussian(&audit, &plan, 0, 1, 1));
                if (kind == 2) must(audit_init_selection(&audit, &plan, scores[0], scores[1], 5, 1));
                if (kind == 3) must(audit_init_response(&audit, &plan, 1));
                test_stream(&rng, 3, 0, 0);
                must(simdp_loss_audit_draw(&rng, &audit, 100)); /* something to lose */
                must(simdp_rng_seek(&rng, position));
                before = audit;
                const simdp_status status = simdp_loss_audit_draw(&rng, &audit, SAMPLES);
                if (status == SIMDP_OK) {
                    made++;
                    continue;
                }
                refused++;
                assert_int_equal(status, SIMDP_EPARAM);
                assert_true(simdp_rng_position(&rng) == position);
                assert_memory_equal(&audit, &before, sizeof audit);
                const simdp_status at_once = kind == 0   ? audit_laplace(&rng, rows, &plan, 0, 1, 1)
                                             : kind == 1 ? audit_gaussian(&rng, rows, &plan, 0, 1, 1)
                                             : kind == 2
                                                 ? audit_selection(&rng, rows, &plan, scores[0], scores[1], 5, 1)
                                                 : audit_response(&rng, rows, &plan, 1);
                assert_int_equal(at_once, SIMDP_EPARAM);
                assert_true(simdp_rng_position(&rng) == position);
                assert_memory_equal(rows, rows_before, sizeof rows);
            }
        }
        assert_true(refused > 0 && made > 0);
    }
}

/* However a begin fails, the audit that was there before does not go on. */
static void test_failed_begin(void **state)
{
    (void)state;
    const double scores[2] = {0, 1};
    const simdp_loss_audit_plan good = plan_of(10, 0), no_list = {.epsilon = NULL, .epsilons = 1, .error = 0.1},
                                gumbel = audit_of_noise(&good, SIMDP_MECHANISM_GUMBEL, 0, 1, 1);
    const size_t chosen = 0;
    const uint8_t bit = 0;
    for (int c = 0; c < 11; c++) {
        simdp_loss_audit audit, other;
        simdp_loss_audit_row rows[EPSILONS];
        simdp_rng rng;
        simdp_status status = SIMDP_OK;
        test_stream(&rng, 9, 0, 40);
        must(audit_init_laplace(&audit, &good, 0, 1, 1));
        must(audit_init_laplace(&other, &good, 0, 1, 1));
        must(simdp_loss_audit_draw(&rng, &audit, 10));
        if (c == 0) status = simdp_loss_audit_init(&audit, NULL);
        if (c == 1) status = audit_init_laplace(&audit, &no_list, 0, 1, 1);
        if (c == 2) status = audit_init_laplace(&audit, &good, NAN, 1, 1);
        if (c == 3) status = simdp_loss_audit_init(&audit, &good); /* of no mechanism */
        if (c == 4) status = audit_init_gaussian(&audit, &good, 0, 1, 0);
        if (c == 5) status = audit_init_selection(&audit, &good, scores, scores, 0, 1);
        if (c == 6) status = audit_init_selection(&audit, &good, NULL, scores, 2, 1);
        if (c == 7) status = audit_init_selection(&audit, &good, scores, NULL, 2, 1);
        if (c == 8) status = audit_init_selection(&audit, &good, scores, scores, SIZE_MAX, 1);
        if (c == 9) status = simdp_loss_audit_init(&audit, &gumbel);
        if (c == 10) status = audit_init_response(&audit, &good, NAN);
        assert_true(status == SIMDP_ENULL || status == SIMDP_EPARAM);
        assert_int_equal(simdp_loss_audit_draw(&rng, &audit, 1), SIMDP_EPARAM);
        assert_int_equal(simdp_loss_audit_outputs(&audit, y, 1, 0), SIMDP_EPARAM);
        assert_int_equal(simdp_loss_audit_choices(&audit, &chosen, 1, 0), SIMDP_EPARAM);
        assert_int_equal(simdp_loss_audit_bits(&audit, &bit, 1, 0), SIMDP_EPARAM);
        assert_int_equal(simdp_loss_audit_rows(&audit, rows), SIMDP_EPARAM);
        assert_int_equal(simdp_loss_audit_add(&audit, &other), SIMDP_EPARAM);
        assert_int_equal(simdp_loss_audit_add(&other, &audit), SIMDP_EPARAM);
    }
}

/* Counts that would pass 2^64 are refused, here by adding an audit to itself. */
static void test_counts_do_not_wrap(void **state)
{
    (void)state;
    const simdp_loss_audit_plan plan = plan_of(0, 0);
    simdp_loss_audit audit, before;
    const double zero = 0;
    must(audit_init_laplace(&audit, &plan, 0, 1, 1));
    must(simdp_loss_audit_outputs(&audit, &zero, 1, 0));
    for (int i = 0; i < 63; i++) {
        before = audit;
        must(simdp_loss_audit_add(&audit, &before));
    }
    before = audit;
    assert_int_equal(simdp_loss_audit_add(&audit, &before), SIMDP_EPARAM);
    assert_memory_equal(&audit, &before, sizeof audit);
    assert_true(audit.outputs[0] == (uint64_t)1 << 63);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_draws),        cmocka_unit_test(test_own_outputs),
        cmocka_unit_test(test_selection),    cmocka_unit_test(test_randomized_response),
        cmocka_unit_test(test_add),          cmocka_unit_test(test_closed_forms),
        cmocka_unit_test(test_bad_input),    cmocka_unit_test(test_refused_draws_change_nothing),
        cmocka_unit_test(test_failed_begin), cmocka_unit_test(test_counts_do_not_wrap),
    };
    return cmocka_run_group_tests_name("loss_audit", tests, NULL, NULL);
}
