/* kernels_of_loss.c: losses of arrays of outputs, their sums and statistics, audits. */
#include "kernel_list.h"

/* ---- losses ---- */

#define RUN_FIXED(function) \
    RUN(function) { return function(c->out, c->in, c->n, c->p[0], c->p[1], c->p[2]); }
#define RUN_CENTRES(function) \
    RUN(function) { return function(c->out, c->in, c->more[0], c->more[1], c->n, c->p[0]); }
#define RUN_ARRAYS(function) \
    RUN(function) { return function(c->out, c->in, c->more[0], c->more[1], c->more[2], c->n); }
#define RUN_LAWS(how, suffix) how(simdp_loss_laplace_##suffix) how(simdp_loss_gaussian_##suffix)

RUN_LAWS(RUN_FIXED, f64)
RUN_LAWS(RUN_FIXED, f32)
RUN_LAWS(RUN_CENTRES, f64_centres)
RUN_LAWS(RUN_ARRAYS, f64_arrays)
RUN_LAWS(RUN_FIXED, f64_sum)
RUN_LAWS(RUN_CENTRES, f64_centres_sum)

RUN(simdp_loss_randomized_response) { return simdp_loss_randomized_response(c->out, c->in, c->n, 0, 1, c->p[0]); }
RUN(simdp_loss_randomized_response_sum)
{
    return simdp_loss_randomized_response_sum(c->out, c->in, c->n, 0, 1, c->p[0]);
}
RUN(simdp_loss_leaky_randomized_response)
{
    return simdp_loss_leaky_randomized_response(c->out, c->in, c->n, 0, 1, c->p[0], c->p[1]);
}

#define RUN_CHOICES(function) \
    RUN(function) { return function(c->out, c->in, c->n, c->more[0], c->more[1], c->candidates, c->p[0]); }
RUN_CHOICES(simdp_loss_selection)
RUN_CHOICES(simdp_loss_selection_sum)

enum { ROW = 3 }; /* steps of a transcript */

RUN(simdp_loss_sum) { return simdp_loss_sum(c->out, c->in, c->n); }
RUN(simdp_loss_sum_rows) { return simdp_loss_sum_rows(c->out, c->in, c->n, ROW); }
RUN(simdp_loss_transcripts)
{
    const simdp_loss_step steps[ROW] = {{SIMDP_MECHANISM_LAPLACE, 0.0, 1.0, c->p[0]},
                                        {SIMDP_MECHANISM_GAUSSIAN, 0.25, 0.75, c->p[0]},
                                        {SIMDP_MECHANISM_LAPLACE, 0.5, 0.125, c->p[0]}};
    return simdp_loss_transcripts(c->out, c->in, c->n, steps, ROW);
}

#define RUN_DELTA(function) \
    RUN(function) { return function(c->out, c->in, c->n, c->p[0]); }
#define RUN_DELTA_EACH(function) \
    RUN(function) { return function(c->out, c->in, c->more[0], c->n); }
RUN_DELTA(simdp_delta_laplace)
RUN_DELTA(simdp_delta_gaussian)
RUN_DELTA_EACH(simdp_delta_laplace_arrays)
RUN_DELTA_EACH(simdp_delta_gaussian_arrays)

/* ---- statistics: their mean ---- */

static const double epsilons[KERNEL_AUDIT_ROWS] = {0.25, 0.5, 1.0};

static simdp_status begin_statistics(simdp_loss_statistics *s)
{
    return simdp_loss_statistics_init(s, &(simdp_loss_plan){.epsilon = epsilons, .epsilons = KERNEL_AUDIT_ROWS});
}

static simdp_status end_statistics(simdp_status status, const simdp_loss_statistics *s, double *mean)
{
    simdp_loss_summary summary = {0};
    if (status == SIMDP_OK) status = simdp_loss_statistics_summary(s, &summary, 1e-6);
    *mean = summary.mean.value;
    return status;
}

#define RUN_STATISTICS(law)                                                                                       \
    RUN(simdp_loss_statistics_##law)                                                                              \
    {                                                                                                             \
        simdp_loss_statistics s;                                                                                  \
        simdp_status status = begin_statistics(&s);                                                               \
        if (status == SIMDP_OK) status = simdp_loss_statistics_##law(&s, c->in, c->n, c->p[0], c->p[1], c->p[2]); \
        return end_statistics(status, &s, c->out);                                                                \
    }
RUN_STATISTICS(laplace)
RUN_STATISTICS(gaussian)

RUN(simdp_loss_statistics_update)
{
    simdp_loss_statistics s;
    simdp_status status = begin_statistics(&s);
    if (status == SIMDP_OK) status = simdp_loss_statistics_update(&s, c->in, c->n);
    return end_statistics(status, &s, c->out);
}

/* ---- audits ---- */

/* The second parameter asks for a hockey-stick audit. */
static simdp_audit_plan audit_plan_of(const kernel_call *c)
{
    return (simdp_audit_plan){.epsilon = epsilons,
                              .epsilons = KERNEL_AUDIT_ROWS,
                              .hockey_stick = c->p[1] != 0,
                              .samples = c->n,
                              .error = 1e-6};
}

#define RUN_AUDIT(name, ...)                                                    \
    RUN(simdp_audit_##name)                                                     \
    {                                                                           \
        const simdp_audit_plan plan = audit_plan_of(c);                         \
        return simdp_audit_##name(c->rng, c->out, &plan, __VA_ARGS__, c->p[0]); \
    }
RUN_AUDIT(laplace, 0.0, 1.0)
RUN_AUDIT(gaussian, 0.0, 1.0)
RUN_AUDIT(selection, c->in, c->more[0] != NULL ? c->more[0] : c->in, c->candidates)
RUN(simdp_audit_randomized_response)
{
    const simdp_audit_plan plan = audit_plan_of(c);
    return simdp_audit_randomized_response(c->rng, c->out, &plan, c->p[0]);
}

/* In two pieces; the third parameter chooses the law. */
RUN(simdp_audit_draw)
{
    static simdp_audit audit;
    const simdp_audit_plan plan = audit_plan_of(c);
    simdp_status status = c->p[2] != 0 ? simdp_audit_begin_laplace(&audit, &plan, 0.0, 1.0, c->p[0])
                                       : simdp_audit_begin_gaussian(&audit, &plan, 0.0, 1.0, c->p[0]);
    if (status == SIMDP_OK) status = simdp_audit_draw(c->rng, &audit, c->n / 3);
    if (status == SIMDP_OK) status = simdp_audit_draw(c->rng, &audit, c->n - c->n / 3);
    return status == SIMDP_OK ? simdp_audit_rows(&audit, c->out) : status;
}

/* ---- the lines ---- */

#define LOSS(function, data, count, inputs, size, where, ...)                                                \
    {                                                                                                        \
        CALLS(function), .out = OUT_F64, .in = data, .kind = KERNEL_DATA, GIVEN(__VA_ARGS__), .sizes = size, \
                         .reference = "loss/test_loss_" where, .winners = count, .more = inputs              \
    }
#define AUDIT(function, data, size, where)                                                                 \
    {                                                                                                      \
        CALLS(function), .out = OUT_ROWS, .in = data, .kind = KERNEL_RAW, GIVEN("---", KERNEL_LOSS_SCALE), \
                         .sizes = size, .reference = "loss/test_loss_" where                               \
    }
#define FIXED "---", 0.0, 1.0, KERNEL_LOSS_SCALE
#define SCALE "-", KERNEL_LOSS_SCALE

/* clang-format off */
const kernel_line kernels_of_loss[] = {
    LOSS(simdp_loss_laplace_f64, IN_F64, 0, 0, SIZES_NONE, "reference", FIXED),
    LOSS(simdp_loss_gaussian_f64, IN_F64, 0, 0, SIZES_NONE, "reference", FIXED),
    LOSS(simdp_loss_laplace_f32, IN_F32, 0, 0, SIZES_NONE, "reference", FIXED),
    LOSS(simdp_loss_gaussian_f32, IN_F32, 0, 0, SIZES_NONE, "reference", FIXED),
    LOSS(simdp_loss_laplace_f64_centres, IN_F64, 0, 2, SIZES_ANSWERS, "reference", SCALE),
    LOSS(simdp_loss_gaussian_f64_centres, IN_F64, 0, 2, SIZES_NONE, "reference", SCALE),
    LOSS(simdp_loss_laplace_f64_arrays, IN_F64, 0, 3, SIZES_NONE, "reference", "", 0),
    LOSS(simdp_loss_gaussian_f64_arrays, IN_F64, 0, 3, SIZES_NONE, "reference", "", 0),
    LOSS(simdp_loss_randomized_response, IN_BYTES, 0, 0, SIZES_NONE, "reference", "e", KERNEL_EPSILON),
    LOSS(simdp_loss_leaky_randomized_response, IN_BYTES, 0, 0, SIZES_NONE, "reference", "ep", KERNEL_EPSILON, 0.1),
    LOSS(simdp_loss_selection, IN_INDEX, 0, 2, SIZES_NONE, "transcript", SCALE),
    LOSS(simdp_loss_sum, IN_F64, 1, 0, SIZES_NONE, "transcript", "", 0),
    LOSS(simdp_loss_sum_rows, IN_F64, 0, 0, SIZES_NONE, "transcript", "", 0),
    LOSS(simdp_loss_laplace_f64_sum, IN_F64, 1, 0, SIZES_NONE, "transcript", FIXED),
    LOSS(simdp_loss_gaussian_f64_sum, IN_F64, 1, 0, SIZES_NONE, "transcript", FIXED),
    LOSS(simdp_loss_laplace_f64_centres_sum, IN_F64, 1, 2, SIZES_NONE, "transcript", SCALE),
    LOSS(simdp_loss_gaussian_f64_centres_sum, IN_F64, 1, 2, SIZES_NONE, "transcript", SCALE),
    LOSS(simdp_loss_randomized_response_sum, IN_BYTES, 1, 0, SIZES_NONE, "transcript", "e", KERNEL_EPSILON),
    LOSS(simdp_loss_selection_sum, IN_INDEX, 1, 2, SIZES_NONE, "transcript", SCALE),
    LOSS(simdp_loss_transcripts, IN_F64, 0, 0, SIZES_NONE, "transcript", SCALE),
    LOSS(simdp_delta_laplace, IN_F64, 0, 0, SIZES_NONE, "delta", SCALE),
    LOSS(simdp_delta_gaussian, IN_F64, 0, 0, SIZES_NONE, "delta", SCALE),
    LOSS(simdp_delta_laplace_arrays, IN_F64, 0, 1, SIZES_NONE, "delta", "", 0),
    LOSS(simdp_delta_gaussian_arrays, IN_F64, 0, 1, SIZES_ANSWERS, "delta", "", 0),
    AUDIT(simdp_audit_laplace, IN_NONE, SIZES_ANSWERS, "audit"),
    AUDIT(simdp_audit_gaussian, IN_NONE, SIZES_NONE, "audit"),
    AUDIT(simdp_audit_randomized_response, IN_NONE, SIZES_NONE, "audit"),
    {CALLS(simdp_audit_selection), .out = OUT_ROWS, .in = IN_F64, .kind = KERNEL_RAW, GIVEN("---", 1.0),
     .reference = "loss/test_loss_audit", .local = true, .more = 1},
    AUDIT(simdp_audit_draw, IN_NONE, SIZES_NONE, "audit"),
    LOSS(simdp_loss_statistics_update, IN_F64, 1, 0, SIZES_NONE, "statistics", "", 0),
    LOSS(simdp_loss_statistics_laplace, IN_F64, 1, 0, SIZES_LARGE, "statistics", FIXED),
    LOSS(simdp_loss_statistics_gaussian, IN_F64, 1, 0, SIZES_NONE, "statistics", FIXED),
    {.name = NULL},
};
/* clang-format on */
