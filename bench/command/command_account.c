/* simdp account: what a composition costs, how much noise meets a target, what a theorem promises. Text, one "name
 * value" a line. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "math/outward_functions.h"
#include "number_text.h"
#include "options.h"

/* All options any account command knows; each command names those it takes. */
enum {
    EPSILON,
    DELTA,
    K,
    TOTAL_EPSILON,
    TOTAL_DELTA,
    SIGMA,
    SCALE,
    SENSITIVITY,
    EPSILON0,
    LEAK,
    RHO,
    MECHANISM,
    PARAMETER,
    ETA,
    TAU,
    NU,
    SLACK,
    OPTIONS
};

static option o[] = {{.name = "--epsilon"},     {.name = "--delta"}, {.name = "-k"},      {.name = "--total-epsilon"},
                     {.name = "--total-delta"}, {.name = "--sigma"}, {.name = "--scale"}, {.name = "--sensitivity"},
                     {.name = "--epsilon0"},    {.name = "--leak"},  {.name = "--rho"},   {.name = "--mechanism"},
                     {.name = "--parameter"},   {.name = "--eta"},   {.name = "--tau"},   {.name = "--nu"},
                     {.name = "--slack"},       {.name = NULL}};

static const char *command_name; /* for messages */

static bool given(int which) { return o[which].value != NULL; }

static double number(int which)
{
    if (!given(which)) usage_error("account %s needs %s", command_name, o[which].name);
    return option_number(&o[which], 0.0);
}

static double number_or(int which, double otherwise) { return option_number(&o[which], otherwise); }

static int64_t steps(void)
{
    const uint64_t k = option_count(&o[K], 1);
    if (k > INT64_MAX) usage_error("-k %s: too large", o[K].value);
    return (int64_t)k;
}

/* exactly one of two options */
static bool first_of(int a, int b)
{
    if (given(a) == given(b))
        usage_error("account %s needs %s or %s%s", command_name, o[a].name, o[b].name, given(a) ? ", not both" : "");
    return given(a);
}

/* Begins a command: reads its options, `which`, a list that ends with OPTIONS, and no others. */
static void take(int argc, char **argv, const char *name, const int *which)
{
    command_name = name;
    options_read(o, argc, argv);
    for (int j = 0; j < OPTIONS; j++) {
        bool taken = false;
        for (int t = 0; which[t] != OPTIONS; t++) taken |= which[t] == j;
        if (given(j) && !taken) usage_error("account %s has no option '%s'", command_name, o[j].name);
    }
}

/* A refusal of the library is a usage error: only arguments can cause it. */
static void accepted(simdp_status status)
{
    if (status != SIMDP_OK) usage_error("account %s: %s", command_name, simdp_status_text(status));
}

/* ---- commands ---- */

int account_compose(int argc, char **argv)
{
    take(argc, argv, "compose", (const int[]){EPSILON, DELTA, K, TOTAL_DELTA, OPTIONS});
    simdp_account_bound_table table;
    accepted(simdp_account_bounds(&table, (simdp_privacy){number(EPSILON), number_or(DELTA, 0)}, steps(),
                                  number(TOTAL_DELTA)));
    for (int i = 0; i < SIMDP_ACCOUNT_BOUNDS; i++) {
        const char *mark = i == (int)table.smallest                 ? "   smallest"
                           : i == SIMDP_ACCOUNT_BOUND_BOUNDED_RANGE ? "   only for exponential mechanisms"
                                                                    : "";
        char text[NUMBER_TEXT_BYTES];
        printf("%-18s %s%s\n", simdp_account_bound_name((simdp_account_bound)i), number_text(text, table.epsilon[i]),
               mark);
    }
    return 0;
}

int account_optimal(int argc, char **argv)
{
    take(argc, argv, "optimal", (const int[]){EPSILON, DELTA, K, TOTAL_DELTA, TOTAL_EPSILON, OPTIONS});
    const simdp_law worst = {
        .mechanism = SIMDP_MECHANISM_RANDOMIZED_RESPONSE, .parameter = number(EPSILON), .leak = number_or(DELTA, 0)};
    double result;
    if (first_of(TOTAL_DELTA, TOTAL_EPSILON)) {
        const double delta = number(TOTAL_DELTA);
        accepted(simdp_account_exact_epsilon(&result, &delta, 1, worst, steps()));
        number_print("epsilon", result);
    } else {
        const double epsilon = number(TOTAL_EPSILON);
        accepted(simdp_account_exact_delta(&result, &epsilon, 1, worst, steps()));
        number_print("delta", result);
        accepted(simdp_account_exact_log_delta(&result, &epsilon, 1, worst, steps()));
        number_print("log_delta", result);
    }
    return 0;
}

/* Two of epsilon, delta and noise give the third; for -k uses. */
int account_gaussian(int argc, char **argv)
{
    take(argc, argv, "gaussian", (const int[]){EPSILON, DELTA, K, SIGMA, SENSITIVITY, OPTIONS});
    const double sensitivity = number_or(SENSITIVITY, 1);
    const int64_t k = steps();
    double result, s;
    if (!(sensitivity > 0)) usage_error("--sensitivity %s: more than 0", o[SENSITIVITY].value);
    if (!given(SIGMA)) { /* k uses of noise s are one use of s/sqrt k */
        const double epsilon = number(EPSILON), delta = number(DELTA);
        accepted(simdp_account_noise(&result, &epsilon, &delta, 1, (simdp_law){.mechanism = SIMDP_MECHANISM_GAUSSIAN}));
        number_print("sigma", times_up(times_up(result, sensitivity), sqrt_up(count_up(k))));
        return 0;
    }
    s = div_down(number(SIGMA), sensitivity);
    accepted(simdp_account_compose_gaussian(&s, &s, &k, 1));
    const simdp_law law = {.mechanism = SIMDP_MECHANISM_GAUSSIAN, .parameter = s};
    if (first_of(DELTA, EPSILON)) {
        const double delta = number(DELTA);
        accepted(simdp_account_epsilon(&result, &delta, 1, law));
        number_print("epsilon", result);
    } else {
        const double epsilon = number(EPSILON);
        accepted(simdp_account_delta(&result, &epsilon, 1, law));
        number_print("delta", result);
        accepted(simdp_loss_log_delta(&result, &epsilon, 1, law)); /* to nearest, with an error of 1e-14 */
        number_print("log_delta", isinf(result) ? result : fmin(0, outward_up(result, -1e-14 * result)));
    }
    return 0;
}

int account_laplace(int argc, char **argv)
{
    take(argc, argv, "laplace", (const int[]){EPSILON, DELTA, K, SCALE, SENSITIVITY, OPTIONS});
    const double sensitivity = number_or(SENSITIVITY, 1);
    double result;
    if (!(sensitivity > 0)) usage_error("--sensitivity %s: more than 0", o[SENSITIVITY].value);
    if (!given(SCALE)) {
        if (given(K)) usage_error("account laplace: -k needs --scale");
        const double epsilon = number(EPSILON), delta = number_or(DELTA, 0);
        accepted(simdp_account_noise(&result, &epsilon, &delta, 1, (simdp_law){.mechanism = SIMDP_MECHANISM_LAPLACE}));
        number_print("scale", times_up(result, sensitivity));
        return 0;
    }
    const simdp_law law = {.mechanism = SIMDP_MECHANISM_LAPLACE, .parameter = div_up(sensitivity, number(SCALE))};
    if (first_of(DELTA, EPSILON)) {
        const double delta = number(DELTA);
        accepted(given(K) ? simdp_account_exact_epsilon(&result, &delta, 1, law, steps())
                          : simdp_account_epsilon(&result, &delta, 1, law));
        number_print("epsilon", result);
    } else {
        const double epsilon = number(EPSILON);
        accepted(given(K) ? simdp_account_exact_delta(&result, &epsilon, 1, law, steps())
                          : simdp_account_delta(&result, &epsilon, 1, law));
        number_print("delta", result);
    }
    return 0;
}

int account_rr(int argc, char **argv)
{
    take(argc, argv, "rr", (const int[]){EPSILON, DELTA, EPSILON0, LEAK, OPTIONS});
    const double leak = number_or(LEAK, 0);
    double result, flip;
    if (!given(EPSILON0)) {
        const double epsilon = number(EPSILON);
        const simdp_law law = {.mechanism = SIMDP_MECHANISM_RANDOMIZED_RESPONSE, .leak = leak};
        const double delta = number_or(DELTA, 0);
        accepted(simdp_account_noise(&result, &epsilon, &delta, 1, law));
        number_print("epsilon0", result);
        return 0;
    }
    const double epsilon0 = number(EPSILON0);
    const simdp_law law = {.mechanism = SIMDP_MECHANISM_RANDOMIZED_RESPONSE, .parameter = epsilon0, .leak = leak};
    if (first_of(DELTA, EPSILON)) {
        const double delta = number(DELTA);
        accepted(simdp_account_epsilon(&result, &delta, 1, law));
        number_print("epsilon", result);
    } else {
        const double epsilon = number(EPSILON);
        accepted(simdp_account_delta(&result, &epsilon, 1, law));
        number_print("delta", result);
    }
    accepted(simdp_loss_response_probabilities(&result, &flip, &epsilon0, 1, leak));
    number_print("keep", result);
    number_print("flip", flip);
    return 0;
}

int account_zcdp(int argc, char **argv)
{
    take(argc, argv, "zcdp", (const int[]){RHO, DELTA, OPTIONS});
    const double rho = number(RHO), delta = number(DELTA);
    simdp_account_zcdp_bound bound;
    accepted(simdp_account_zcdp_epsilon(&bound, &rho, &delta, 1));
    number_print("epsilon", bound.epsilon);
    number_print("epsilon_simple", bound.epsilon_simple);
    number_print("order", bound.order);
    return 0;
}

int account_renyi(int argc, char **argv)
{
    take(argc, argv, "renyi", (const int[]){MECHANISM, PARAMETER, K, DELTA, OPTIONS});
    static const struct {
        const char *name;
        simdp_mechanism mechanism;
    } known[] = {{"laplace", SIMDP_MECHANISM_LAPLACE},
                 {"gaussian", SIMDP_MECHANISM_GAUSSIAN},
                 {"rr", SIMDP_MECHANISM_RANDOMIZED_RESPONSE},
                 {"zcdp", SIMDP_MECHANISM_ZCDP}};
    const double delta = number(DELTA);
    simdp_account_renyi_step step = {.law = {.parameter = number(PARAMETER)}, .count = steps()};
    simdp_account_renyi_optimum best;
    if (!given(MECHANISM)) usage_error("account renyi needs --mechanism");
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(known[i].name, o[MECHANISM].value) == 0) step.law.mechanism = known[i].mechanism;
    }
    if (step.law.mechanism == SIMDP_MECHANISM_NONE)
        usage_error("--mechanism %s: laplace, gaussian, rr or zcdp", o[MECHANISM].value);
    accepted(simdp_account_renyi_compose_epsilon(&best, &delta, 1, &step, 1));
    number_print("epsilon", best.epsilon);
    number_print("order", best.order);
    return 0;
}

int account_typical(int argc, char **argv)
{
    take(argc, argv, "typical", (const int[]){ETA, TAU, NU, K, SLACK, OPTIONS});
    const simdp_theory_stability_steps s = {
        .eta = number(ETA), .tau = number_or(TAU, 0), .nu = number(NU), .k = steps(), .slack = number(SLACK)};
    simdp_theory_stability_composed total;
    accepted(simdp_theory_compose(&total, &s, 1, s.tau == 0 ? SIMDP_THEORY_PURE : SIMDP_THEORY_APPROXIMATE));
    number_print("eta", total.eta);
    number_print("tau", total.tau);
    number_print("nu", total.nu);
    number_print("log_tau", total.log_tau);
    return 0;
}
