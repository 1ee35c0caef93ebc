/* golden_compose.c: composition theorems. */
#include <stdlib.h>

#include "golden.h"
#include "support/laws.h"

static simdp_status compose(double *const *out, int outputs, simdp_account_bound bound, simdp_account_steps steps)
{
    simdp_account_composed total;
    const simdp_status status = simdp_account_compose(&total, &steps, 1, bound);
    out[0][0] = total.epsilon;
    if (outputs > 1) out[1][0] = total.delta;
    if (outputs > 2) out[2][0] = total.delta_sharp;
    return status;
}

static simdp_status basic(double *const *out, const golden_input *in)
{
    return compose(out, 3, SIMDP_ACCOUNT_BOUND_BASIC,
                   (simdp_account_steps){.epsilon = in[0].number, .delta = in[1].number, .k = in[2].whole});
}

static simdp_status azuma_approximate(double *const *out, const golden_input *in)
{
    return compose(out, 2, SIMDP_ACCOUNT_BOUND_AZUMA_APPROXIMATE,
                   (simdp_account_steps){.epsilon = in[0].number, .delta = in[1].number, .k = in[2].whole});
}

static simdp_status azuma(double *const *out, const golden_input *in)
{
    return compose(out, 1, SIMDP_ACCOUNT_BOUND_AZUMA,
                   (simdp_account_steps){.epsilon = in[0].number, .k = in[1].whole, .slack = in[2].number});
}

static simdp_status advanced(double *const *out, const golden_input *in)
{
    return compose(out, 1, SIMDP_ACCOUNT_BOUND_ADVANCED,
                   (simdp_account_steps){.epsilon = in[0].number, .k = in[1].whole, .slack = in[2].number});
}

static simdp_status strong(double *const *out, const golden_input *in)
{
    const simdp_account_steps s = {
        .epsilon = in[0].number, .delta = in[1].number, .k = in[2].whole, .slack = in[3].number};
    return compose(out, 3, SIMDP_ACCOUNT_BOUND_STRONG, s);
}

static simdp_status bounded_range(double *const *out, const golden_input *in)
{
    const simdp_account_steps s = {.epsilon = in[0].number, .k = in[1].whole, .slack = in[2].number};
    const simdp_status status = compose(out, 1, SIMDP_ACCOUNT_BOUND_BOUNDED_RANGE, s);
    return status == SIMDP_OK ? simdp_account_bounded_range_mean(out[1], &s.epsilon, 1) : status;
}

static simdp_status heterogeneous(double *const *out, const golden_input *in)
{
    simdp_account_composed plain, strong_total;
    const size_t k = in[0].count;
    simdp_privacy *steps = malloc((k + 1) * sizeof *steps);
    if (steps == NULL) return SIMDP_ENULL;
    for (size_t i = 0; i < k; i++) steps[i] = (simdp_privacy){in[0].list[i], in[1].list[i]};
    const simdp_status status = simdp_account_compose_heterogeneous(&plain, &strong_total, steps, k, in[2].number);
    free(steps);
    out[0][0] = plain.epsilon, out[1][0] = plain.delta, out[2][0] = plain.delta_sharp;
    out[3][0] = strong_total.epsilon, out[4][0] = strong_total.delta_sharp;
    return status;
}

static simdp_status first_error(simdp_status a, simdp_status b) { return a != SIMDP_OK ? a : b; }

static simdp_status optimal_delta(double *const *out, const golden_input *in)
{
    const simdp_privacy step = {in[0].number, in[1].number};
    return first_error(
        simdp_account_exact_delta(out[0], &in[3].number, 1, law_leaky(step.epsilon, step.delta), in[2].whole),
        simdp_account_exact_log_delta(out[1], &in[3].number, 1, law_leaky(step.epsilon, step.delta), in[2].whole));
}

static simdp_status optimal_epsilon(double *const *out, const golden_input *in)
{
    return simdp_account_exact_epsilon(out[0], &in[3].number, 1, law_leaky(in[0].number, in[1].number), in[2].whole);
}

static simdp_status optimal_heterogeneous(double *const *out, const golden_input *in)
{
    const size_t k = in[0].count;
    simdp_privacy *steps = malloc((k + 1) * sizeof *steps);
    if (steps == NULL) return SIMDP_ENULL;
    for (size_t i = 0; i < k; i++) steps[i] = (simdp_privacy){in[0].list[i], in[1].list[i]};
    const simdp_status status =
        first_error(simdp_account_exact_heterogeneous_delta(out[0], &in[2].number, 1, steps, k),
                    simdp_account_exact_heterogeneous_log_delta(out[1], &in[2].number, 1, steps, k));
    free(steps);
    return status;
}

static simdp_status laplace(double *const *out, const golden_input *in)
{
    return first_error(simdp_account_exact_delta(out[0], &in[2].number, 1, law_laplace(in[0].number), in[1].whole),
                       simdp_account_exact_log_delta(out[1], &in[2].number, 1, law_laplace(in[0].number), in[1].whole));
}

/* the figure's parameters: epsilon = 0.01, no delta, slack 1e-6 */
static simdp_status figure(double *const *out, const golden_input *in)
{
    const simdp_account_steps s = {.epsilon = 0.01, .k = in[0].whole, .slack = 1e-6};
    const simdp_status status = first_error(compose(&out[0], 1, SIMDP_ACCOUNT_BOUND_BASIC, s),
                                            compose(&out[1], 1, SIMDP_ACCOUNT_BOUND_STRONG, s));
    return first_error(status, simdp_account_exact_epsilon(out[2], &s.slack, 1, law_leaky(s.epsilon, 0.0), s.k));
}

const golden_function golden_compose[] = {
    {"compose_basic", "eps delta k:i", "eps_total:u delta_total:u delta_sharp:u", basic},
    {"compose_000_T1", "eps delta k:i", "eps_total:u delta_total:u", azuma_approximate},
    {"compose_000_T2", "eps k:i delta", "eps_total:u", azuma},
    {"compose_002", "eps k:i delta", "eps_total:u", advanced},
    {"compose_004", "eps delta k:i delta_prime", "eps_total:u delta_total:u delta_sharp:u", strong},
    {"compose_bounded_range", "eps k:i delta", "eps_total:u kl_term", bounded_range},
    {"compose_hetero", "epss:l deltas:l delta_prime",
     "eps_basic:u delta_basic:u delta_basic_sharp:u eps_adv:u delta_adv_sharp:u", heterogeneous},
    {"compose_optimal_delta", "eps delta k:i eps_g", "delta_g:u log_delta_g:u", optimal_delta},
    {"compose_optimal_eps", "eps delta k:i delta_g", "eps_g:u", optimal_epsilon},
    {"compose_optimal_hetero", "epss:l deltas:l eps_g", "delta_g:u log_delta_g:u", optimal_heterogeneous},
    {"laplace_compose", "t k:i eps", "delta:u log_delta:u", laplace},
    {"figure1_004", "k:i", "basic:u strong:u optimal:u", figure},
    {0},
};
