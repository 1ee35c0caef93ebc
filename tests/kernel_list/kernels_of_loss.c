/* kernels_of_loss.c: losses of arrays of outputs, their sums and statistics, audits. */
#include "kernel_list.h"

/* ---- losses ---- */

#define RUN_FIXED(function) \
    RUN(function) { return function(c->out, c->in, c->n, c->p[0], c->p[1], c->p[2]); }
#define RUN_LAWS(how, suffix) how(simdp_loss_laplace_##suffix) how(simdp_loss_gaussian_##suffix)
RUN_LAWS(RUN_FIXED, f64)
RUN_LAWS(RUN_FIXED, f32)

/* Inputs of their own for every output; and scales of their own. */
#define RUN_EACH(function) \
    RUN(function) { return function(c->out, c->in, c->more[0], c->more[1], NULL, c->n, c->p[0]); }
#define RUN_SCALES(function) \
    RUN(function##_scales) { return function(c->out, c->in, c->more[0], c->more[1], c->more[2], c->n, 0.0); }
RUN_LAWS(RUN_EACH, f64_each)
RUN_LAWS(RUN_SCALES, f64_each)

RUN(simdp_loss_randomized_response) { return simdp_loss_randomized_response(c->out, c->in, c->n, 0, 1, c->p[0]); }
RUN(simdp_loss_leaky_response) { return simdp_loss_leaky_response(c->out, c->in, c->n, 0, 1, c->p[0], c->p[1]); }
RUN(simdp_loss_selection)
{
    return simdp_loss_selection(c->out, c->in, c->n, c->more[0], c->more[1], c->candidates, c->p[0]);
}

/* ---- sums ---- */

enum { ROW = 3 }; /* steps of a transcript */

static simdp_loss_step step_of(const kernel_call *c, simdp_mechanism mechanism)
{
    return (simdp_loss_step){mechanism, c->p[0], c->p[1], c->p[2]};
}

RUN(simdp_loss_sum) { return simdp_loss_sum(c->out, c->in, 1, c->n); }
RUN(simdp_loss_sum_rows) { return simdp_loss_sum(c->out, c->in, c->n, ROW); }
RUN(simdp_loss_sum_outputs_laplace)
{
    return simdp_loss_sum_outputs(c->out, c->in, c->n, step_of(c, SIMDP_MECHANISM_LAPLACE));
}
RUN(simdp_loss_sum_outputs_gaussian)
{
    return simdp_loss_sum_outputs(c->out, c->in, c->n, step_of(c, SIMDP_MECHANISM_GAUSSIAN));
}
RUN(simdp_loss_transcripts)
{
    const simdp_loss_step steps[ROW] = {{SIMDP_MECHANISM_LAPLACE, 0.0, 1.0, c->p[0]},
                                        {SIMDP_MECHANISM_GAUSSIAN, 0.25, 0.75, c->p[0]},
                                        {SIMDP_MECHANISM_LAPLACE, 0.5, 0.125, c->p[0]}};
    return simdp_loss_transcripts(c->out, c->in, c->n, steps, ROW);
}

/* ---- curves ---- */

RUN(simdp_delta_laplace) { return simdp_delta_laplace(c->out, c->in, c->n, c->p[0]); }
RUN(simdp_delta_gaussian) { return simdp_delta_gaussian(c->out, c->in, c->n, c->p[0]); }
RUN(simdp_loss_delta_each_laplace)
{
    const simdp_law law = {.mechanism = SIMDP_MECHANISM_LAPLACE};
    return simdp_loss_delta_each(c->out, c->in, c->more[0], c->n, law);
}
RUN(simdp_loss_delta_each_gaussian)
{
    const simdp_law law = {.mechanism = SIMDP_MECHANISM_GAUSSIAN};
    return simdp_loss_delta_each(c->out, c->in, c->more[0], c->n, law);
}

/* ---- statistics: their mean ---- */

static const double epsilons[KERNEL_AUDIT_ROWS] = {0.25, 0.5, 1.0};

static simdp_status begin_statistics(simdp_loss_statistics *s)
{
    return simdp_loss_statistics_init(
        s, &(simdp_loss_statistics_plan){.epsilon = epsilons, .epsilons = KERNEL_AUDIT_ROWS});
}

static simdp_status end_statistics(simdp_status status, const simdp_loss_statistics *s, double *mean)
{
    simdp_loss_summary summary = {0};
    if (status == SIMDP_OK) status = simdp_loss_statistics_summary(s, &summary, 1e-6);
    *mean = summary.mean.value;
    return status;
}

static simdp_status statistics_of(const kernel_call *c, simdp_mechanism mechanism)
{
    simdp_loss_statistics s;
    simdp_status status = begin_statistics(&s);
    if (status == SIMDP_OK) status = simdp_loss_statistics_outputs(&s, c->in, c->n, step_of(c, mechanism));
    return end_statistics(status, &s, c->out);
}
RUN(simdp_loss_statistics_outputs_laplace) { return statistics_of(c, SIMDP_MECHANISM_LAPLACE); }
RUN(simdp_loss_statistics_outputs_gaussian) { return statistics_of(c, SIMDP_MECHANISM_GAUSSIAN); }

RUN(simdp_loss_statistics_update)
{
    simdp_loss_statistics s;
    simdp_status status = begin_statistics(&s);
    if (status == SIMDP_OK) status = simdp_loss_statistics_update(&s, c->in, c->n);
    return end_statistics(status, &s, c->out);
}

/* ---- audits ---- */

/* Of the inputs 0 and 1, or of the scores at hand. The second parameter asks for a hockey-stick audit. */
static simdp_loss_audit_plan audit_plan_of(const kernel_call *c, simdp_mechanism mechanism)
{
    return (simdp_loss_audit_plan){.mechanism = mechanism,
                                   .x0 = 0.0,
                                   .x1 = 1.0,
                                   .scale = c->p[0],
                                   .scores = {c->in, c->more[0] != NULL ? c->more[0] : c->in},
                                   .candidates = c->candidates,
                                   .epsilon = epsilons,
                                   .epsilons = KERNEL_AUDIT_ROWS,
                                   .hockey_stick = c->p[1] != 0,
                                   .samples = c->n,
                                   .error = 1e-6};
}

static simdp_status audit(const kernel_call *c, simdp_mechanism mechanism)
{
    const simdp_loss_audit_plan plan = audit_plan_of(c, mechanism);
    return simdp_loss_audit_run(c->rng, c->out, &plan);
}
RUN(simdp_loss_audit_run_laplace) { return audit(c, SIMDP_MECHANISM_LAPLACE); }
RUN(simdp_loss_audit_run_gaussian) { return audit(c, SIMDP_MECHANISM_GAUSSIAN); }
RUN(simdp_loss_audit_run_selection) { return audit(c, SIMDP_MECHANISM_SELECTION); }
RUN(simdp_loss_audit_run_response) { return audit(c, SIMDP_MECHANISM_RANDOMIZED_RESPONSE); }

/* In two pieces; the third parameter chooses the law. */
RUN(simdp_loss_audit_draw)
{
    static _Thread_local simdp_loss_audit a;
    const simdp_loss_audit_plan plan =
        audit_plan_of(c, c->p[2] != 0 ? SIMDP_MECHANISM_LAPLACE : SIMDP_MECHANISM_GAUSSIAN);
    simdp_status status = simdp_loss_audit_init(&a, &plan);
    if (status == SIMDP_OK) status = simdp_loss_audit_draw(c->rng, &a, c->n / 3);
    if (status == SIMDP_OK) status = simdp_loss_audit_draw(c->rng, &a, c->n - c->n / 3);
    return status == SIMDP_OK ? simdp_loss_audit_rows(&a, c->out) : status;
}

/* ---- the lines ---- */

#define LOSS_AS(calls, data, count, inputs, size, where, ...)                                      \
    {                                                                                              \
        calls, .out = OUT_F64, .in = data, .kind = KERNEL_DATA, GIVEN(__VA_ARGS__), .sizes = size, \
               .reference = "loss/test_loss_" where, .winners = count, .more = inputs              \
    }
#define LOSS(function, ...)          LOSS_AS(CALLS(function), __VA_ARGS__)
#define LOSS_FORM(function, of, ...) LOSS_AS(CALLS_FORM(function, of), __VA_ARGS__)
#define AUDIT(calls, size)                                                                                         \
    {                                                                                                              \
        calls, .out = OUT_ROWS, .in = IN_NONE, .kind = KERNEL_RAW, GIVEN("---", KERNEL_LOSS_SCALE), .sizes = size, \
               .reference = "loss/test_loss_audit"                                                                 \
    }
#define FIXED "---", 0.0, 1.0, KERNEL_LOSS_SCALE
#define SCALE "-", KERNEL_LOSS_SCALE

/* clang-format off */
const kernel_line kernels_of_loss[] = {
    LOSS(simdp_loss_laplace_f64, IN_F64, 0, 0, SIZES_NONE, "reference", FIXED),
    LOSS(simdp_loss_gaussian_f64, IN_F64, 0, 0, SIZES_NONE, "reference", FIXED),
    LOSS(simdp_loss_laplace_f32, IN_F32, 0, 0, SIZES_NONE, "reference", FIXED),
    LOSS(simdp_loss_gaussian_f32, IN_F32, 0, 0, SIZES_NONE, "reference", FIXED),
    LOSS(simdp_loss_laplace_f64_each, IN_F64, 0, 2, SIZES_ANSWERS, "reference", SCALE),
    LOSS_FORM(simdp_loss_laplace_f64_each, scales, IN_F64, 0, 3, SIZES_NONE, "reference", "", 0),
    LOSS(simdp_loss_gaussian_f64_each, IN_F64, 0, 2, SIZES_NONE, "reference", SCALE),
    LOSS_FORM(simdp_loss_gaussian_f64_each, scales, IN_F64, 0, 3, SIZES_NONE, "reference", "", 0),
    LOSS(simdp_loss_randomized_response, IN_BYTES, 0, 0, SIZES_NONE, "reference", "e", KERNEL_EPSILON),
    LOSS(simdp_loss_leaky_response, IN_BYTES, 0, 0, SIZES_NONE, "reference", "ep", KERNEL_EPSILON, 0.1),
    LOSS(simdp_loss_selection, IN_INDEX, 0, 2, SIZES_NONE, "transcript", SCALE),
    LOSS(simdp_loss_sum, IN_F64, 1, 0, SIZES_NONE, "transcript", "", 0),
    LOSS_FORM(simdp_loss_sum, rows, IN_F64, 0, 0, SIZES_NONE, "transcript", "", 0),
    LOSS_FORM(simdp_loss_sum_outputs, laplace, IN_F64, 1, 0, SIZES_NONE, "transcript", FIXED),
    LOSS_FORM(simdp_loss_sum_outputs, gaussian, IN_F64, 1, 0, SIZES_NONE, "transcript", FIXED),
    LOSS(simdp_loss_transcripts, IN_F64, 0, 0, SIZES_NONE, "transcript", SCALE),
    LOSS(simdp_delta_laplace, IN_F64, 0, 0, SIZES_NONE, "delta", SCALE),
    LOSS(simdp_delta_gaussian, IN_F64, 0, 0, SIZES_NONE, "delta", SCALE),
    LOSS_FORM(simdp_loss_delta_each, laplace, IN_F64, 0, 1, SIZES_NONE, "delta", "", 0),
    LOSS_FORM(simdp_loss_delta_each, gaussian, IN_F64, 0, 1, SIZES_ANSWERS, "delta", "", 0),
    AUDIT(CALLS_FORM(simdp_loss_audit_run, laplace), SIZES_ANSWERS),
    AUDIT(CALLS_FORM(simdp_loss_audit_run, gaussian), SIZES_NONE),
    AUDIT(CALLS_FORM(simdp_loss_audit_run, response), SIZES_NONE),
    {CALLS_FORM(simdp_loss_audit_run, selection), .out = OUT_ROWS, .in = IN_F64, .kind = KERNEL_RAW,
     GIVEN("---", 1.0), .reference = "loss/test_loss_audit", .local = true, .more = 1},
    AUDIT(CALLS(simdp_loss_audit_draw), SIZES_NONE),
    LOSS(simdp_loss_statistics_update, IN_F64, 1, 0, SIZES_NONE, "statistics", "", 0),
    LOSS_FORM(simdp_loss_statistics_outputs, laplace, IN_F64, 1, 0, SIZES_LARGE, "statistics", FIXED),
    LOSS_FORM(simdp_loss_statistics_outputs, gaussian, IN_F64, 1, 0, SIZES_NONE, "statistics", FIXED),
    {.name = NULL},
};
/* clang-format on */
