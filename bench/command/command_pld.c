/* simdp account pld: what a sequence of mechanisms costs, from the law of its privacy loss; a bracket around the exact
 * answer. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "number_text.h"
#include "options.h"
#include "progress.h"

static int show_progress(void *bar, double done)
{
    progress_show(bar, done);
    return 0;
}

/* A number in decimal digits: 0x10 is 0, ten times, and not 16. */
static double read_number(const char *at, char **end)
{
    const char *digits = at + strspn(at, " +-");
    if (digits[0] != '0' || (digits[1] != 'x' && digits[1] != 'X')) return strtod(at, end);
    *end = (char *)(uintptr_t)(digits + 1);
    return 0;
}

/* One mechanism as text: NAME:PARAMETER[,PARAMETER][xTIMES]. */
typedef struct {
    const char *text;
    char name[32];
    double parameter[2];
    int parameters;
    uint64_t times;
    double unit; /* its losses are multiples of this, or 0 */
} mechanism;

static mechanism read_mechanism(const char *text)
{
    mechanism m = {.text = text, .times = 1};
    const size_t length = strcspn(text, ":");
    const char *at = text + length + 1;
    char *end;
    if (text[length] != ':' || length >= sizeof m.name)
        usage_error("account pld: %s is not NAME:PARAMETER[,PARAMETER][xTIMES]", text);
    memcpy(m.name, text, length);
    do {
        m.parameter[m.parameters++] = read_number(at, &end);
        if (end == at) usage_error("account pld: %s: a number is missing", text);
        at = end + 1;
    } while (*end == ',' && m.parameters < 2);
    if (*end == 'x') {
        const option times = {.name = text, .value = at};
        m.times = option_count(&times, 1);
    } else if (*end != '\0') {
        usage_error("account pld: %s: what is '%s'?", text, end);
    }
    return m;
}

static uint64_t whole(const mechanism *m)
{
    const double d = m->parameters > 1 ? m->parameter[1] : 1;
    if (!(d >= 0 && d <= 0x1p53 && d == floor(d)))
        usage_error("account pld: %s: a sensitivity is a whole number", m->text);
    return (uint64_t)d;
}

/* The unit of losses, for a grid that meets them. */
static void find_unit(mechanism *m)
{
    const double x = m->parameter[0];
    if (strcmp(m->name, "laplace") == 0 || strcmp(m->name, "rr") == 0) m->unit = x;
    if (strcmp(m->name, "discrete_laplace") == 0) m->unit = 1 / x;
    if (strcmp(m->name, "discrete_gaussian") == 0) m->unit = (double)whole(m) / x / x / 2;
}

static simdp_status add(simdp_pld *pld, const mechanism *m)
{
    const double x = m->parameter[0];
    const bool one = m->parameters == 1;
    if (strcmp(m->name, "laplace") == 0 && one) return simdp_pld_add_laplace(pld, x, m->times);
    if (strcmp(m->name, "gaussian") == 0 && one) return simdp_pld_add_gaussian(pld, x, m->times);
    if (strcmp(m->name, "gaussian_sampled") == 0 && !one)
        return simdp_pld_add_gaussian_sampled(pld, x, m->parameter[1], m->times);
    if (strcmp(m->name, "laplace_sampled") == 0 && !one)
        return simdp_pld_add_laplace_sampled(pld, x, m->parameter[1], m->times);
    if (strcmp(m->name, "bounded_range") == 0 && one) return simdp_pld_add_bounded_range(pld, x, m->times);
    if (strcmp(m->name, "rr") == 0)
        return simdp_pld_add_randomized_response(pld, x, one ? 0 : m->parameter[1], m->times);
    if (strcmp(m->name, "discrete_laplace") == 0) return simdp_pld_add_discrete_laplace(pld, x, whole(m), m->times);
    if (strcmp(m->name, "discrete_gaussian") == 0) return simdp_pld_add_discrete_gaussian(pld, x, whole(m), m->times);
    usage_error("account pld: %s: laplace:T, gaussian:S, rr:E[,LEAK], discrete_laplace:B[,D], discrete_gaussian:S[,D], "
                "laplace_sampled:T,Q, gaussian_sampled:S,Q or bounded_range:E",
                m->text);
}

enum { VALUES_MOST = 1024, MECHANISMS_MOST = 1024 };

static void accepted(simdp_status status, const char *what)
{
    if (status == SIMDP_ENOMEMORY) failure("account pld: %s", simdp_status_text(status));
    if (status != SIMDP_OK) usage_error("account pld: %s: %s", what, simdp_status_text(status));
}

int account_pld(int argc, char **argv)
{
    enum { EPSILON, DELTA, GRID, ROUNDING, LEAST };
    option o[] = {{.name = "--epsilon"},  {.name = "--delta"}, {.name = "--grid"},
                  {.name = "--rounding"}, {.name = "--least"}, {.name = NULL}};
    static mechanism list[MECHANISMS_MOST];
    static double at[VALUES_MOST], lower[VALUES_MOST], upper[VALUES_MOST];
    int count = 0;
    while (count < argc && argv[count][0] != '-') {
        if (count == MECHANISMS_MOST) usage_error("account pld: more than %d mechanisms", MECHANISMS_MOST);
        list[count] = read_mechanism(argv[count]);
        find_unit(&list[count]);
        count++;
    }
    if (count == 0) usage_error("account pld needs mechanisms, for example gaussian:50x1000");
    options_read(o, argc - count, argv + count);
    if ((o[EPSILON].value == NULL) == (o[DELTA].value == NULL)) usage_error("account pld needs --epsilon or --delta");
    const bool from_delta = o[DELTA].value != NULL;
    const size_t n = option_list(&o[from_delta ? DELTA : EPSILON], at, VALUES_MOST);
    const char *rounding = o[ROUNDING].value == NULL ? "dots" : o[ROUNDING].value;
    if (strcmp(rounding, "dots") != 0 && strcmp(rounding, "plain") != 0)
        usage_error("--rounding %s: dots or plain", rounding);
    const bool dots = strcmp(rounding, "dots") == 0;

    /* the largest grid up to the one given that divides the losses of the first mechanism that has any in particular */
    double grid = option_number(&o[GRID], 1e-4), least = option_number(&o[LEAST], 1e-12), most = 1;
    for (int i = count - 1; i >= 0; i--) {
        const double divides = simdp_pld_grid(option_number(&o[GRID], 1e-4), list[i].unit);
        if (divides > 0) grid = divides;
    }
    simdp_pld *pld;
    accepted(simdp_pld_create(&pld, grid), "--grid");
    for (int i = 0; i < count; i++) accepted(add(pld, &list[i]), list[i].text);
    if (from_delta) {
        most = 0;
        for (size_t i = 0; i < n; i++) {
            if (!(at[i] >= 0 && at[i] <= 1)) usage_error("--delta: from 0 to 1");
            const double target = at[i] < 1e-300 ? 1e-300 : at[i];
            least = i == 0 || target < least ? target : least;
            most = target > most ? target : most;
        }
    }
    progress_bar bar = progress_begin("composing");
    accepted(simdp_pld_compose(pld, least, most, dots ? SIMDP_PLD_DOTS : SIMDP_PLD_UP,
                               dots ? SIMDP_PLD_BINS : SIMDP_PLD_DOWN, show_progress, &bar),
             "composition");
    accepted(from_delta ? simdp_pld_epsilon(pld, lower, upper, at, n) : simdp_pld_delta(pld, lower, upper, at, n),
             from_delta ? "--delta" : "--epsilon");
    number_print("grid", grid);
    printf("%-18s %zu\n", "points", simdp_pld_points(pld));
    for (size_t i = 0; i < n; i++) {
        number_print(from_delta ? "delta" : "epsilon", at[i]);
        number_print(from_delta ? "epsilon_lower" : "delta_lower", lower[i]);
        number_print(from_delta ? "epsilon_upper" : "delta_upper", upper[i]);
    }
    simdp_pld_destroy(pld);
    return 0;
}
