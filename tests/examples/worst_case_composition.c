/* worst_case_composition: fifty steps of (0.1, 1e-5)-DP, at their worst: leaky randomized response. What the theorems
 * promise for the whole, and what a hundred thousand transcripts show. */
#include <math.h>
#include <simdp/simdp.h>
#include <stdio.h>

enum { STEPS = 50, TRANSCRIPTS = 100000 };

static double loss[TRANSCRIPTS];

/* delta(epsilon) = E (1 - e^(epsilon - L))+ */
static double delta_seen(double epsilon)
{
    double sum = 0;
    for (int i = 0; i < TRANSCRIPTS; i++) sum += loss[i] > epsilon ? -expm1(epsilon - loss[i]) : 0;
    return sum / (double)TRANSCRIPTS;
}

int main(void)
{
    const double epsilon = 0.1, leak = 1e-5, target = 1e-2;
    const uint8_t key[32] = {1}, speaker[STEPS] = {0};
    simdp_rng rng;
    if (simdp_rng_init_deterministic(&rng, key, 0) != SIMDP_OK) return 1;
    for (int i = 0; i < TRANSCRIPTS; i++) {
        uint8_t symbols[STEPS];
        if (simdp_theory_leaky_response(&rng, symbols, speaker, STEPS, epsilon, leak) != SIMDP_OK) return 1;
        for (int j = 0; j < STEPS; j++)
            loss[i] += symbols[j] == SIMDP_THEORY_SYMBOL_ZERO  ? epsilon
                       : symbols[j] == SIMDP_THEORY_SYMBOL_ONE ? -epsilon
                                                               : INFINITY;
    }
    const simdp_account_steps steps = {
        .epsilon = epsilon, .delta = leak, .k = STEPS, .slack = target - (double)STEPS * leak};
    simdp_account_composed basic, strong;
    double optimal;
    if (simdp_account_compose(&basic, &steps, 1, SIMDP_ACCOUNT_BOUND_BASIC) != SIMDP_OK ||
        simdp_account_compose(&strong, &steps, 1, SIMDP_ACCOUNT_BOUND_STRONG) != SIMDP_OK)
        return 1;
    if (simdp_account_exact_epsilon(
            &optimal, &target, 1,
            (simdp_law){.mechanism = SIMDP_MECHANISM_RANDOMIZED_RESPONSE, .parameter = epsilon, .leak = leak},
            STEPS) != SIMDP_OK)
        return 1;
    printf("%d steps of (%g, %g)-DP at delta %g\n", STEPS, epsilon, leak, target);
    printf("  basic    epsilon %.4f, delta seen there %.5f\n", basic.epsilon, delta_seen(basic.epsilon));
    printf("  strong   epsilon %.4f, delta seen there %.5f\n", strong.epsilon, delta_seen(strong.epsilon));
    printf("  optimal  epsilon %.4f, delta seen there %.5f\n", optimal, delta_seen(optimal));
    /* the optimal bound is met: the estimate lies within five standard errors (at most sqrt(target / n)) of the promise
     */
    return fabs(delta_seen(optimal) - target) < 5 * sqrt(target / (double)TRANSCRIPTS) ? 0 : 1;
}
