/* bench_kernels.c: rows of the list of kernels, each against its peers, at the sizes that its line asks for. A new row
 * is a line of the list that has sizes; its peers are a line of peers/peers_table.c. */
#include "bench_inputs.h"

#include <stdlib.h>
#include <string.h>

#include "peers/peers_sleef.h"
#include "peers/peers_table.h"

static const size_t candidates[] = {1000, 100000}, answers[] = {4096, 1048576, BENCH_LARGE};

/* Outputs of what is measured at sizes of its own. */
static double results[INPUTS_MOST];

static bench_plan plan_of(const kernel_line *line, const bench_plan *asked, bool large)
{
    bench_plan plan = {.sizes = answers, .count = 2, .threads = 1, .out = results};
    if (line->sizes == SIZES_ASKED) plan = *asked;
    if (line->sizes == SIZES_CANDIDATES) plan.sizes = candidates;
    if (line->sizes == SIZES_LARGE && large) plan.count = 3;
    return plan;
}

/* With several threads only floating-point noise. */
static bool is_wanted(const kernel_line *line, const bench_plan *plan)
{
    if (line->sizes == SIZES_NONE) return false;
    return plan->threads == 1 || (line->kind == KERNEL_RAW && (line->out == OUT_F64 || line->out == OUT_F32));
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
