/* theory_bounds.c: every composition bound at one total delta. */
#include <math.h>

#include "theory.h"

static void add(bound_value *out, size_t *count, const char *name, double epsilon, double delta)
{
    if (isfinite(epsilon)) out[(*count)++] = (bound_value){name, epsilon, delta};
}

size_t theory_bounds_of_steps(bound_value *out, double epsilon, double leak, double k, double delta)
{
    simdp_account_steps steps = {.epsilon = epsilon, .delta = leak, .k = (int64_t)k};
    simdp_account_composed total;
    size_t count = 0;
    MUST(simdp_account_compose(&total, &steps, 1, SIMDP_ACCOUNT_BOUND_BASIC));
    if (total.delta_sharp <= delta) add(out, &count, "basic", total.epsilon, delta);
    /* the slack that theorems with leaks may add: (1 - slack) (1 - leak)^k = 1 - delta */
    steps.slack = -expm1(log1p(-delta) - k * log1p(-leak));
    if (leak == 0) {
        MUST(simdp_account_compose(&total, &steps, 1, SIMDP_ACCOUNT_BOUND_AZUMA));
        add(out, &count, "000", total.epsilon, delta);
        MUST(simdp_account_compose(&total, &steps, 1, SIMDP_ACCOUNT_BOUND_ADVANCED));
        add(out, &count, "002", total.epsilon, delta);
    } else {
        MUST(simdp_account_compose(&total, &steps, 1, SIMDP_ACCOUNT_BOUND_AZUMA_APPROXIMATE));
        if (total.delta < 1)
            add(out, &count, "000", total.epsilon, total.delta); /* at its own delta: it has no slack to choose */
    }
    if (steps.slack > 0) {
        MUST(simdp_account_compose(&total, &steps, 1, SIMDP_ACCOUNT_BOUND_STRONG));
        add(out, &count, "004", total.epsilon, delta);
    }
    double optimal;
    MUST(simdp_account_exact_epsilon(
        &optimal, &delta, 1,
        (simdp_law){.mechanism = SIMDP_MECHANISM_RANDOMIZED_RESPONSE, .parameter = epsilon, .leak = leak}, steps.k));
    add(out, &count, "optimal", optimal, delta);
    return count;
}
