/* simdp account: what a composition costs, how much noise meets a target, what a theorem promises. Text, one "name
 * value" a line. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
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

static option o[] = {{"--epsilon", 0},     {"--delta", 0}, {"-k", 0},      {"--total-epsilon", 0},
                     {"--total-delta", 0}, {"--sigma", 0}, {"--scale", 0}, {"--sensitivity", 0},
                     {"--epsilon0", 0},    {"--leak", 0},  {"--rho", 0},   {"--mechanism", 0},
                     {"--parameter", 0},   {"--eta", 0},   {"--tau", 0},   {"--nu", 0},
                     {"--slack", 0},       {NULL, 0}};

static const char *command;   /* for messages */

static bool given(int which) { return o[which].value != NULL; }

static double number(int which)
{
    if (!given(which)) usage_error("account %s needs %s", command, o[which].name);
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
        usage_error("account %s needs %s or %s%s", command, o[a].name, o[b].name, given(a) ? ", not both" : "");
    return given(a);
}

/* A refusal of the library is a usage error: only arguments can cause it. */
static void accepted(simdp_status status)
{
    if (status != SIMDP_OK) usage_error("account %s: %s", command, simdp_status_text(status));
}

static void print(const char *name, double value) { printf("%-18s %.17g\n", name, value); }

/* ---- commands ---- */

static void run_compose(void)
{
    simdp_bound_table table;
    accepted(simdp_bounds(&table, (simdp_privacy){number(EPSILON), number_or(DELTA, 0)}, steps(), number(TOTAL_DELTA)));
    for (int i = 0; i < SIMDP_BOUND_COUNT; i++) {
        const char *mark = i == (int)table.smallest         ? "   smallest"
                           : i == SIMDP_BOUND_BOUNDED_RANGE ? "   only for exponential mechanisms"
                                                            : "";
        printf("%-18s %.17g%s\n", simdp_bound_name((simdp_bound)i), table.epsilon[i], mark);
    }
}

static void run_optimal(void)
{
    const simdp_privacy step = {number(EPSILON), number_or(DELTA, 0)};
    double result;
    if (first_of(TOTAL_DELTA, TOTAL_EPSILON)) {
        const double delta = number(TOTAL_DELTA);
        accepted(simdp_compose_optimal_epsilon(&result, &delta, 1, step, steps()));
        print("epsilon", result);
    } else {
        const double epsilon = number(TOTAL_EPSILON);
        accepted(simdp_compose_optimal_delta(&result, &epsilon, 1, step, steps()));
        print("delta", result);
        accepted(simdp_compose_optimal_log_delta(&result, &epsilon, 1, step, steps()));
        print("log_delta", result);
    }
}

/* Two of epsilon, delta and noise give the third; for -k uses. */
static void run_gaussian(void)
{
    const double sensitivity = number_or(SENSITIVITY, 1);
    const int64_t k = steps();
    double result, s;
    if (!(sensitivity > 0)) usage_error("--sensitivity %s: more than 0", o[SENSITIVITY].value);
    if (!given(SIGMA)) {   /* k uses of noise s are one use of s/sqrt k */
        const double epsilon = number(EPSILON), delta = number(DELTA);
        accepted(simdp_sigma_gaussian(&result, &epsilon, &delta, 1));
        print("sigma", k == 0 ? 0 : result * sensitivity * sqrt((double)k) * (1 + 0x1p-50));
        return;
    }
    s = number(SIGMA) / sensitivity;
    accepted(simdp_compose_gaussian(&s, &s, &k, 1));
    if (first_of(DELTA, EPSILON)) {
        const double delta = number(DELTA);
        accepted(simdp_epsilon_gaussian(&result, &delta, 1, s));
        print("epsilon", result);
    } else {
        const double epsilon = number(EPSILON);
        accepted(simdp_delta_upper_gaussian(&result, &epsilon, 1, s));
        print("delta", result);
        accepted(simdp_log_delta_gaussian(&result, &epsilon, 1, s));
        print("log_delta", result);
    }
}

static void run_laplace(void)
{
    const double sensitivity = number_or(SENSITIVITY, 1);
    double result;
    if (!(sensitivity > 0)) usage_error("--sensitivity %s: more than 0", o[SENSITIVITY].value);
    if (!given(SCALE)) {
        if (given(K)) usage_error("account laplace: -k needs --scale");
        const double epsilon = number(EPSILON), delta = number_or(DELTA, 0);
        accepted(simdp_scale_laplace(&result, &epsilon, &delta, 1));
        print("scale", result * sensitivity);
        return;
    }
    const double t = sensitivity / number(SCALE);
    if (first_of(DELTA, EPSILON)) {
        const double delta = number(DELTA);
        accepted(given(K) ? simdp_compose_laplace_epsilon(&result, &delta, 1, t, steps())
                          : simdp_epsilon_laplace(&result, &delta, 1, t));
        print("epsilon", result);
    } else {
        const double epsilon = number(EPSILON);
        accepted(given(K) ? simdp_compose_laplace_delta(&result, &epsilon, 1, t, steps())
                          : simdp_delta_upper_laplace(&result, &epsilon, 1, t));
        print("delta", result);
    }
}

static void run_rr(void)
{
    const double leak = number_or(LEAK, 0);
    double result, flip;
    if (!given(EPSILON0)) {
        const double epsilon = number(EPSILON);
        accepted(simdp_epsilon0_randomized_response(&result, &epsilon, 1, number_or(DELTA, 0), leak));
        print("epsilon0", result);
        return;
    }
    const double epsilon0 = number(EPSILON0);
    if (first_of(DELTA, EPSILON)) {
        const double delta = number(DELTA);
        accepted(simdp_epsilon_randomized_response(&result, &delta, 1, epsilon0, leak));
        print("epsilon", result);
    } else {
        const double epsilon = number(EPSILON);
        accepted(simdp_delta_upper_randomized_response(&result, &epsilon, 1, epsilon0, leak));
        print("delta", result);
    }
    accepted(simdp_randomized_response_probabilities(&result, &flip, &epsilon0, 1, leak));
    print("keep", result);
    print("flip", flip);
}

static void run_zcdp(void)
{
    const double rho = number(RHO), delta = number(DELTA);
    simdp_zcdp_bound bound;
    accepted(simdp_zcdp_epsilon(&bound, &rho, &delta, 1));
    print("epsilon", bound.epsilon);
    print("epsilon_simple", bound.epsilon_simple);
    print("order", bound.order);
}

static void run_renyi(void)
{
    static const char *const names[] = {"laplace", "gaussian", "rr", "zcdp"};   /* in the order of simdp_mechanism */
    const double delta = number(DELTA);
    simdp_renyi_step step = {.parameter = number(PARAMETER), .count = steps()};
    simdp_renyi_optimum best;
    int which = 0;
    if (!given(MECHANISM)) usage_error("account renyi needs --mechanism");
    while (which < 4 && strcmp(names[which], o[MECHANISM].value) != 0) which++;
    if (which == 4) usage_error("--mechanism %s: laplace, gaussian, rr or zcdp", o[MECHANISM].value);
    step.mechanism = (simdp_mechanism)which;
    accepted(simdp_renyi_compose_epsilon(&best, &delta, 1, &step, 1));
    print("epsilon", best.epsilon);
    print("order", best.order);
}

static void run_typical(void)
{
    const simdp_stability_steps s = {
        .eta = number(ETA), .tau = number_or(TAU, 0), .nu = number(NU), .k = steps(), .slack = number(SLACK)};
    simdp_stability_composed total;
    accepted(s.tau == 0 ? simdp_compose_typical_pure(&total, &s, 1) : simdp_compose_typical_approximate(&total, &s, 1));
    print("eta", total.eta);
    print("tau", total.tau);
    print("nu", total.nu);
    print("log_tau", total.log_tau);
}

static const struct {
    const char *name;
    void (*run)(void);
    int takes[8];   /* ends with OPTIONS */
} commands[] = {
    {"compose", run_compose, {EPSILON, DELTA, K, TOTAL_DELTA, OPTIONS}},
    {"optimal", run_optimal, {EPSILON, DELTA, K, TOTAL_DELTA, TOTAL_EPSILON, OPTIONS}},
    {"gaussian", run_gaussian, {EPSILON, DELTA, K, SIGMA, SENSITIVITY, OPTIONS}},
    {"laplace", run_laplace, {EPSILON, DELTA, K, SCALE, SENSITIVITY, OPTIONS}},
    {"rr", run_rr, {EPSILON, DELTA, EPSILON0, LEAK, OPTIONS}},
    {"zcdp", run_zcdp, {RHO, DELTA, OPTIONS}},
    {"renyi", run_renyi, {MECHANISM, PARAMETER, K, DELTA, OPTIONS}},
    {"typical", run_typical, {ETA, TAU, NU, K, SLACK, OPTIONS}},
};

int command_account(int argc, char **argv)
{
    if (argc == 0) usage_error("account needs a command, for example compose or gaussian");
    if (strcmp(argv[0], "pld") == 0) return command_account_pld(argc - 1, argv + 1);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        if (strcmp(argv[0], commands[i].name) != 0) continue;
        command = commands[i].name;
        options_read(o, argc - 1, argv + 1);
        for (int j = 0; j < OPTIONS; j++) {
            bool taken = false;
            for (int t = 0; commands[i].takes[t] != OPTIONS; t++) taken |= commands[i].takes[t] == j;
            if (given(j) && !taken) usage_error("account %s has no option '%s'", command, o[j].name);
        }
        commands[i].run();
        if (fflush(stdout) != 0) failure("cannot write to standard output");
        return 0;
    }
    usage_error("unknown account command '%s'", argv[0]);
}
