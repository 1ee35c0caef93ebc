/* test_theory_worst_case: simulated transcripts against composition bounds. Leaky randomized response meets the optimal
 * bound, to within an interval that would miss a wrong one; everything else stays within every bound. */
#include <math.h>

#include "support/analysts.h"
#include "support/law_check.h"
#include "support/laws.h"

enum { TRANSCRIPTS = 400000, STEPS = 12 };
#define EPSILON 0.3
#define LEAK    1e-3

static double loss[TRANSCRIPTS];

/* The exact worst case, summed as it is written: w(l) = C(k,l) e^(-l epsilon) / (1 + e^-epsilon)^k */
static long double optimal_delta(int k, long double epsilon, long double leak, long double total)
{
    long double sum = 0, weight = 1 / powl(1 + expl(-epsilon), k);
    for (int l = 0; l <= k; l++) {
        sum += weight * fmaxl(0, 1 - expl(total - (k - 2 * l) * epsilon));
        weight *= (long double)(k - l) / (l + 1) * expl(-epsilon);
    }
    return 1 - powl(1 - leak, k) * (1 - sum);
}

static double optimal_epsilon(double delta)
{
    long double low = 0, high = (double)STEPS * EPSILON;
    for (int i = 0; i < 80; i++) {
        const long double middle = (low + high) / 2;
        if (optimal_delta(STEPS, EPSILON, LEAK, middle) > delta) low = middle;
        else high = middle;
    }
    return (double)high;
}

/* delta(epsilon) seen, and its standard error */
static double delta_seen(double epsilon, double *error)
{
    double sum = 0, square = 0;
    for (int i = 0; i < TRANSCRIPTS; i++) {
        const double x = loss[i] > epsilon ? -expm1(epsilon - loss[i]) : 0;
        sum += x;
        square += x * x;
    }
    sum /= (double)TRANSCRIPTS;
    *error = sqrt((square / (double)TRANSCRIPTS - sum * sum) / (double)TRANSCRIPTS) + 1e-9;
    return sum;
}

static void leaky_losses(uint64_t seed, double epsilon, double leak)
{
    const uint8_t who[STEPS] = {0};
    const double of_symbol[4] = {epsilon, -epsilon, INFINITY, 0};
    simdp_rng rng;
    test_stream(&rng, seed, 0, 0);
    for (int i = 0; i < TRANSCRIPTS; i++) {
        uint8_t symbols[STEPS];
        must(simdp_theory_leaky_response(&rng, symbols, who, STEPS, epsilon, leak));
        loss[i] = 0;
        for (int j = 0; j < STEPS; j++) loss[i] += of_symbol[symbols[j]];
    }
}

/* At five deltas; 7 standard errors leave false alarms below 1e-10. */
static void worst_case_is_met(void **state)
{
    static const double deltas[] = {0.02, 0.05, 0.1, 0.2, 0.3};
    (void)state;
    for (int control = 0; control < 2; control++) {
        int missed = 0;
        leaky_losses(1, control ? EPSILON * 0.97 : EPSILON,
                     LEAK); /* control: a mechanism slightly better than the worst */
        for (int i = 0; i < 5; i++) {
            double error, computed;
            must(simdp_account_exact_epsilon(&computed, &deltas[i], 1, law_leaky(EPSILON, LEAK), STEPS));
            assert_true(fabs(computed - optimal_epsilon(deltas[i])) < 1e-9);
            missed += fabs(delta_seen(computed, &error) - deltas[i]) > 7 * error;
        }
        assert_true(control ? missed >= 3 : missed == 0);
    }
}

/* ---- an adaptive analyst stays within every bound ---- */

static size_t zero = 0;

static simdp_status analyst(void *context, simdp_theory_request *next, const simdp_theory_step *steps, size_t count)
{
    static const simdp_theory_mechanism response = {SIMDP_MECHANISM_RANDOMIZED_RESPONSE, .epsilon = EPSILON};
    static const simdp_theory_mechanism laplace = {SIMDP_MECHANISM_LAPLACE, .sensitivity = 1, .scale = 1 / EPSILON};
    static const simdp_theory_mechanism leaky = {SIMDP_MECHANISM_LEAKY_RESPONSE, .epsilon = EPSILON, .delta = LEAK};
    (void)context;
    const double last = count > 0 ? steps[count - 1].output : 0;
    *next = ask_record(last == 0 ? leaky : last > 0 ? response : laplace, &zero);
    return SIMDP_OK;
}

static void bounds_hold(void **state)
{
    const records data = {{0}}, neighbour = {{1}};
    const double target = 0.05;
    simdp_theory_step transcript[STEPS];
    simdp_theory_interaction run = {.steps = transcript, .capacity = STEPS};
    simdp_rng rng;
    (void)state;
    test_stream(&rng, 2, 0, 0);
    for (int i = 0; i < TRANSCRIPTS; i++) {
        must(simdp_theory_interact(&rng, &run, analyst, NULL, &data, &neighbour, NULL));
        loss[i] = run.loss;
    }
    const double slack = target - (double)STEPS * LEAK;
    const simdp_account_steps steps = {.epsilon = EPSILON, .delta = LEAK, .k = STEPS, .slack = slack},
                              pure = {.epsilon = EPSILON, .k = STEPS, .slack = slack};
    simdp_account_composed total[5];
    must(simdp_account_compose(&total[0], &steps, 1, SIMDP_ACCOUNT_BOUND_BASIC));
    must(simdp_account_compose(&total[1], &pure, 1,
                               SIMDP_ACCOUNT_BOUND_AZUMA)); /* pure theorems hold but for the leaks, whose mass adds */
    must(simdp_account_compose(&total[2], &pure, 1, SIMDP_ACCOUNT_BOUND_ADVANCED));
    must(simdp_account_compose(&total[3], &steps, 1, SIMDP_ACCOUNT_BOUND_STRONG));
    must(simdp_account_exact_epsilon(&total[4].epsilon, &target, 1, law_leaky(EPSILON, LEAK), STEPS));
    for (int i = 0; i < 5; i++) {
        double error;
        const double seen = delta_seen(total[i].epsilon, &error);
        assert_true(seen <= target + 7 * error);
    }
    double error;
    assert_true(delta_seen(total[4].epsilon / 3, &error) >
                target + 7 * error); /* control: a third of the bound is passed */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(worst_case_is_met), cmocka_unit_test(bounds_hold)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
