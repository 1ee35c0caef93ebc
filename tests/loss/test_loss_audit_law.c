/* test_loss_audit_law: audits by many samples. Sound mechanisms agree with their closed forms; a parameter off by 1 %
 * and a tail that ends at 15.9 scales, what 24-bit uniform floats give, are found. SIMDP_TEST_FULL: 1e9 samples of
 * every mechanism; selection takes most of the time, a quarter of an hour.
 *
 * Every interval may miss with probability 1e-12, and there are fewer than 300 of them: false alarms below 1e-9. */
#include <math.h>

#include "support/audits.h"
#include "support/test_support.h"

#define ERROR 1e-12
enum { BLOCK = 1 << 16 };

static uint64_t samples(double by_default) { return is_full() ? 1000000000 : (uint64_t)by_default; }

static void check(const char *name, const simdp_loss_audit_row *rows, size_t n, bool sound)
{
    bool agrees = true;
    for (size_t j = 0; j < n; j++) {
        const simdp_loss_audit_row *r = &rows[j];
        agrees &= r->agrees != 0;
        if (!r->agrees == !sound) continue;
        print_message(
            "%s at epsilon %g: tails %.9f [%.9f, %.9f] exact %.9f, %.9f exact %.9f, delta [%.9f, %.9f] exact %.9f\n",
            name, r->epsilon, r->tail[0].value, r->tail[0].low, r->tail[0].high, r->exact_tail[0], r->tail[1].value,
            r->exact_tail[1], r->delta.low, r->delta.high, r->exact_delta);
    }
    if (agrees != sound) fail_msg("%s: %s", name, sound ? "a sound mechanism is accused" : "a broken mechanism passes");
}

static const double epsilon[6] = {0.0, 0.2, 0.5, 0.8, 1.5, 3.0};

static void test_sound_mechanisms(void **state)
{
    (void)state;
    simdp_rng rng;
    simdp_loss_audit_row rows[6];
    for (int hockey = 0; hockey < 2; hockey++) {
        const simdp_loss_audit_plan plan = {.epsilon = epsilon,
                                            .epsilons = 6,
                                            .hockey_stick = hockey,
                                            .samples = samples(hockey ? 3e7 : 1e8),
                                            .error = ERROR};
        /* slow: 1e9 once */
        const simdp_loss_audit_plan fewer = {.epsilon = epsilon,
                                             .epsilons = 6,
                                             .hockey_stick = hockey,
                                             .samples = hockey ? samples(1e6) : 1000000,
                                             .error = ERROR};
        test_stream(&rng, 100, (uint64_t)hockey, 0);
        must(audit_laplace(&rng, rows, &plan, 0.0, 1.0, 1.0));
        check("Laplace", rows, 6, true);
        must(audit_laplace(&rng, rows, &plan, 3.0, -1.0, 0.5));
        check("Laplace", rows, 6, true);
        must(audit_gaussian(&rng, rows, &plan, 0.0, 1.0, 1.0));
        check("Gaussian", rows, 6, true);
        must(audit_response(&rng, rows, &plan, 1.0));
        check("randomized response", rows, 6, true);
        const double scores0[4] = {0, 1, 2, 3}, scores1[4] = {1, 0, 3, 2};
        must(audit_selection(&rng, rows, &fewer, scores0, scores1, 4, 2.0));
        check("selection", rows, 6, true);
    }
}

/* noise[i] of Laplace, altered; both sides of the audit see it */
typedef void alteration(double *noise, size_t n);

static void untouched(double *noise, size_t n) { (void)noise, (void)n; }
static void too_small(double *noise, size_t n)
{
    for (size_t i = 0; i < n; i++) noise[i] *= 0.99;
}
static void cut_off(double *noise, size_t n)
{
    for (size_t i = 0; i < n; i++) noise[i] = noise[i] > 15.9 ? 15.9 : noise[i] < -15.9 ? -15.9 : noise[i];
}

static void audit_altered(const char *name, alteration *alter, const double *e, size_t m, double t, uint64_t count,
                          bool sound)
{
    static double noise[BLOCK];
    const simdp_loss_audit_plan plan = {.epsilon = e, .epsilons = m, .hockey_stick = 0, .samples = 0, .error = ERROR};
    simdp_loss_audit audit;
    simdp_loss_audit_row rows[6];
    simdp_rng rng;
    test_stream(&rng, 200, 0, 0);
    must(audit_init_laplace(&audit, &plan, 0.0, t, 1.0));
    for (uint64_t done = 0; done < count; done += BLOCK) {
        must(simdp_noise_laplace_f64(&rng, noise, BLOCK, 1.0));
        alter(noise, BLOCK);
        must(simdp_loss_audit_outputs(&audit, noise, BLOCK, 0));
        for (size_t i = 0; i < BLOCK; i++) noise[i] += t;
        must(simdp_loss_audit_outputs(&audit, noise, BLOCK, 1));
    }
    must(simdp_loss_audit_rows(&audit, rows));
    check(name, rows, m, sound);
}

static void test_scale_too_small(void **state)
{
    (void)state;
    audit_altered("Laplace", untouched, epsilon, 4, 1.0, samples(2e7), true);
    audit_altered("Laplace, scale 1 % too small", too_small, epsilon, 4, 1.0, samples(2e7), false);
}

/* The other mechanisms with a parameter that they should not have: a scale 1 % too small, an epsilon 1 % too large. */
typedef simdp_status draw_outputs(simdp_rng *rng, simdp_loss_audit *audit, int side, double parameter);

static simdp_status draw_gaussian(simdp_rng *rng, simdp_loss_audit *audit, int side, double sigma)
{
    static double y[BLOCK];
    const simdp_status status = simdp_noise_gaussian_f64(rng, y, BLOCK, sigma);
    for (size_t i = 0; i < BLOCK; i++) y[i] += side;
    return status == SIMDP_OK ? simdp_loss_audit_outputs(audit, y, BLOCK, side) : status;
}

static const double pair0[2] = {0.0, 1.5}, pair1[2] = {1.5, 0.0}; /* where 1 % of the scale moves the winners most */

static simdp_status draw_selection(simdp_rng *rng, simdp_loss_audit *audit, int side, double scale)
{
    static size_t chosen[BLOCK];
    const simdp_status status =
        simdp_select_gumbel_many_vartime(rng, chosen, BLOCK, side == 0 ? pair0 : pair1, 2, scale);
    return status == SIMDP_OK ? simdp_loss_audit_choices(audit, chosen, BLOCK, side) : status;
}

static simdp_status draw_response(simdp_rng *rng, simdp_loss_audit *audit, int side, double epsilon0)
{
    static uint8_t bits[BLOCK], out[BLOCK];
    memset(bits, side, sizeof bits);
    const simdp_status status = simdp_release_randomized_response(rng, out, bits, BLOCK, epsilon0);
    return status == SIMDP_OK ? simdp_loss_audit_bits(audit, out, BLOCK, side) : status;
}

static void audit_drawn(const char *name, draw_outputs *draw, simdp_loss_audit audit, double parameter, uint64_t count,
                        bool sound)
{
    simdp_loss_audit_row rows[6];
    simdp_rng rng;
    test_stream(&rng, 300, 0, 0);
    for (uint64_t done = 0; done < count; done += BLOCK) {
        for (int side = 0; side < 2; side++) must(draw(&rng, &audit, side, parameter));
    }
    must(simdp_loss_audit_rows(&audit, rows));
    check(name, rows, 2, sound);
}

static void test_parameter_off(void **state)
{
    (void)state;
    const simdp_loss_audit_plan plan = {
        .epsilon = epsilon, .epsilons = 2, .hockey_stick = 0, .samples = 0, .error = ERROR};
    simdp_loss_audit audit;
    must(audit_init_gaussian(&audit, &plan, 0.0, 1.0, 1.0));
    audit_drawn("Gaussian", draw_gaussian, audit, 1.0, 20000000, true);
    audit_drawn("Gaussian, sigma 1 % too small", draw_gaussian, audit, 0.99, 20000000, false);
    must(audit_init_selection(&audit, &plan, pair0, pair1, 2, 1.0));
    audit_drawn("selection", draw_selection, audit, 1.0, 4000000, true);
    audit_drawn("selection, scale 1 % too small", draw_selection, audit, 0.99, 4000000, false);
    must(audit_init_response(&audit, &plan, 1.0));
    audit_drawn("randomized response", draw_response, audit, 1.0, 20000000, true);
    audit_drawn("randomized response, epsilon 1 % too large", draw_response, audit, 1.01, 20000000, false);
}

/* Inputs 40 scales apart: the loss is t - 2 noise, so a tail that ends shows as losses that never come. Expected below
 * the cut: e^-15.95 / 2 of the outputs, 29 of 5e8; none comes. */
static void test_tail_cut(void **state)
{
    (void)state;
    const double e[1] = {40.0 - 2.0 * 15.95};
    audit_altered("Laplace", untouched, e, 1, 40.0, samples(5e8), true);
    audit_altered("Laplace, cut at 15.9", cut_off, e, 1, 40.0, samples(5e8), false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sound_mechanisms),
        cmocka_unit_test(test_scale_too_small),
        cmocka_unit_test(test_parameter_off),
        cmocka_unit_test(test_tail_cut),
    };
    return cmocka_run_group_tests_name("loss_audit_law", tests, NULL, NULL);
}
