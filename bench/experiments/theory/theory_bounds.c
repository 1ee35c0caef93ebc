/* theory_bounds.c: every composition bound at one total delta. */
#include <math.h>

#include "theory.h"

static void add(bound_value *out, size_t *count, const char *name, double epsilon, double delta)
{
    if (isfinite(epsilon)) out[(*count)++] = (bound_value){name, epsilon, delta};
}

size_t theory_bounds_of_steps(bound_value *out, double epsilon, double leak, double k, double delta)
{
    simdp_steps steps = {.epsilon = epsilon, .delta = leak, .k = (int64_t)k};
    simdp_composed total;
    size_t count = 0;
    MUST(simdp_compose_basic(&total, &steps, 1));
    if (total.delta_sharp <= delta) add(out, &count, "basic", total.epsilon, delta);
    /* the slack that theorems with leaks may add: (1 - slack) (1 - leak)^k = 1 - delta */
    steps.slack = -expm1(log1p(-delta) - k * log1p(-leak));
    if (leak == 0) {
        MUST(simdp_compose_azuma(&total, &steps, 1));
        add(out, &count, "000", total.epsilon, delta);
        MUST(simdp_compose_advanced(&total, &steps, 1));
        add(out, &count, "002", total.epsilon, delta);
    } else {
        MUST(simdp_compose_azuma_approximate(&total, &steps, 1));
        if (total.delta < 1)
            add(out, &count, "000", total.epsilon, total.delta); /* at its own delta: it has no slack to choose */
    }
    if (steps.slack > 0) {
        MUST(simdp_compose_strong(&total, &steps, 1));
        add(out, &count, "004", total.epsilon, delta);
    }
    double optimal;
    MUST(simdp_compose_optimal_epsilon(&optimal, &delta, 1, (simdp_privacy){epsilon, leak}, steps.k));
    add(out, &count, "optimal", optimal, delta);
    return count;
}
