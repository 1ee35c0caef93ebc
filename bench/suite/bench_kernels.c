/* bench_kernels.c: rows of the list of kernels, each against its peers, at the sizes that its line asks for. Every
 * line of the list is a row; its peers are a line of peers/peers_table.c. */
#include "bench_inputs.h"

#include <stdlib.h>
#include <string.h>

#include "peers/peers_sleef.h"
#include "peers/peers_table.h"

static const size_t candidates[] = {64, 1000, 4096, 100000}, answers[] = {64, 4096, 1048576, BENCH_LARGE};
static const size_t one_of_candidates[] = {1000}, one_of_answers[] = {4096};

/* Outputs of what is measured at sizes of its own. */
static double results[INPUTS_MOST];

/* The sizes asked for that the inputs have room for. */
static bench_plan plan_of_releases(const bench_plan *asked)
{
    static size_t sizes[64];
    bench_plan plan = *asked;
    plan.sizes = sizes;
    plan.count = 0;
    for (size_t i = 0; i < asked->count && plan.count < sizeof sizes / sizeof *sizes; i++) {
        if (asked->sizes[i] <= INPUTS_MOST) sizes[plan.count++] = asked->sizes[i];
    }
    return plan;
}

/* Without the sizes beyond the largest one asked for, but for the first. */
static bench_plan plan_up_to(bench_plan plan, const bench_plan *asked)
{
    size_t largest = 0;
    for (size_t i = 0; i < asked->count; i++) largest = asked->sizes[i] > largest ? asked->sizes[i] : largest;
    while (plan.count > 1 && plan.sizes[plan.count - 1] > largest) plan.count--;
    return plan;
}

static bench_plan plan_of(const kernel_line *line, const bench_plan *asked, bool large)
{
    bench_plan plan = {.sizes = answers, .count = 3, .threads = 1, .out = results};
    const bool selects = strncmp(line->name, "simdp_select_", strlen("simdp_select_")) == 0;
    switch (line->sizes) {
    case SIZES_ASKED: return *asked;
    case SIZES_ANSWERS: return line->kind == KERNEL_PUBLISHES ? plan_of_releases(asked) : plan_up_to(plan, asked);
    case SIZES_CANDIDATES: plan.sizes = candidates, plan.count = 4; return plan;
    case SIZES_LARGE: plan.count = large ? 4 : 3; return plan;
    case SIZES_NONE: break; /* every kernel has a row, if only at one size */
    }
    plan.sizes = selects ? one_of_candidates : one_of_answers;
    plan.count = 1;
    return plan;
}

/* With several threads only floating-point noise at the sizes asked for. */
static bool is_wanted(const kernel_line *line, const bench_plan *plan)
{
    return plan->threads == 1 ||
           (line->kind == KERNEL_RAW && line->sizes == SIZES_ASKED && (line->out == OUT_F64 || line->out == OUT_F32));
}

void bench_kernels(const bench_plan *plan)
{
    const bool large = plan->large && inputs_make_large();
    const kernel_line *line;
    peers_sleef_check();
    for (size_t i = 0; (line = kernel_at(i)) != NULL; i++) {
        if (!is_wanted(line, plan)) continue;
        const bench_plan own = plan_of(line, plan, large);
        bench_kernel *kernel = malloc(sizeof *kernel); /* lives as long as its rows */
        if (kernel == NULL) abort();
        *kernel = (bench_kernel){.line = line, .call = inputs_call, .peers = peers_of(line)};
        bench_register(kernel, &own);
    }
}
