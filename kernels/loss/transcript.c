/* transcript.c: losses of whole transcripts, by compensated sums. */
#include <math.h>
#include <string.h>

#include "loss/loss_call.h"
#include "loss/affine.h"
#include "loss/response_table.h"
#include "loss/selection.h"

enum { BLOCK = 512, ROWS = 64 }; /* losses in the first-level cache; rows that share a set of column constants */

simdp_status simdp_loss_sum(double *total, const double *loss, size_t n)
{
    return simdp_loss_sum_rows(total, loss, 1, n);
}

simdp_status simdp_loss_sum_rows(double *total, const double *loss, size_t rows, size_t k)
{
    if ((rows > 0 && total == NULL) || (rows > 0 && k > 0 && loss == NULL)) return SIMDP_ENULL;
    if (loss_too_many_rows(rows, k)) return SIMDP_EPARAM;
    const loss_call call = loss_enter();
    for (size_t r = 0; call.kernels != NULL && r < rows; r++) {
        loss_sum sum = {{0}, {0}};
        call.kernels->sum_add(&sum, loss + r * k, k);
        const double sum_of_row = loss_sum_total(&sum);
        loss_sum_rare rare = {0};
        if (!isfinite(sum_of_row)) loss_sum_rare_add(&rare, loss + r * k, k);
        total[r] = isfinite(sum_of_row) ? sum_of_row : loss_sum_rare_total(&rare);
    }
    return loss_leave(&call);
}

/* Where the losses of a sum come from, a block at a time. */
typedef struct {
    bool good;     /* parameters are in range */
    bool complete; /* and pointers not NULL */
    bool gaussian;
    loss_affine law;
    const double *y, *x0, *x1; /* x0 NULL: one law for all */
    double scale;
    const uint8_t *answers;
    double table[8];
    const size_t *chosen;
    selection_pair pair;
} loss_source;

/* Returns whether all centres were good. */
static bool source_block(double *loss, const loss_source *from, const simdp_loss_kernels *kernels, size_t first,
                         size_t count)
{
    if (from->answers != NULL) kernels->bytes(loss, from->answers + first, count, from->table);
    else if (from->chosen != NULL) simdp_selection_losses(loss, &from->pair, from->chosen + first, count);
    else if (from->x0 == NULL) kernels->fixed_f64(loss, from->y + first, count, &from->law);
    else
        return (from->gaussian ? kernels->gaussian_each : kernels->laplace_each)(
            loss, from->y + first, from->x0 + first, from->x1 + first, NULL, count, from->scale);
    return true;
}

static bool source_sum(double *total, const loss_source *from, const simdp_loss_kernels *kernels, size_t n)
{
    loss_sum sum = {{0}, {0}};
    double loss[BLOCK];
    bool good = true;
    for (size_t done = 0; done < n; done += BLOCK) {
        const size_t count = n - done < BLOCK ? n - done : BLOCK;
        good &= source_block(loss, from, kernels, done, count);
        kernels->sum_add(&sum, loss, count);
    }
    *total = loss_sum_total(&sum);
    loss_sum_rare rare = {0};
    for (size_t done = 0; !isfinite(*total) && done < n; done += BLOCK) {
        const size_t count = n - done < BLOCK ? n - done : BLOCK;
        (void)source_block(loss, from, kernels, done, count);
        loss_sum_rare_add(&rare, loss, count);
    }
    if (!isfinite(*total)) *total = loss_sum_rare_total(&rare);
    return good;
}

static simdp_status sum_from(double *total, const loss_source *from, size_t n)
{
    if (total == NULL || (n > 0 && !from->complete)) return SIMDP_ENULL;
    if (!from->good || loss_too_many(n, from->answers != NULL ? 1 : sizeof(double))) return SIMDP_EPARAM;
    const loss_call call = loss_enter();
    const bool good = call.kernels == NULL || source_sum(total, from, call.kernels, n);
    return loss_leave_if(&call, good);
}

static loss_source fixed_source(const double *y, double x0, double x1, double scale, bool gaussian)
{
    FP_MODE_SCOPE();
    FP_PIN(x0);
    FP_PIN(x1);
    FP_PIN(scale);
    loss_source from = {.good = loss_centres_ok(x0, x1) && loss_scale_ok(scale), .complete = y != NULL, .y = y};
    if (from.good) from.law = gaussian ? loss_affine_gaussian(x0, x1, scale) : loss_affine_laplace(x0, x1, scale);
    FP_PIN(from);
    return from;
}

simdp_status simdp_loss_laplace_f64_sum(double *total, const double *y, size_t n, double x0, double x1, double scale)
{
    const loss_source from = fixed_source(y, x0, x1, scale, false);
    return sum_from(total, &from, n);
}

simdp_status simdp_loss_gaussian_f64_sum(double *total, const double *y, size_t n, double x0, double x1, double sigma)
{
    const loss_source from = fixed_source(y, x0, x1, sigma, true);
    return sum_from(total, &from, n);
}

static simdp_status centres_sum(double *total, const double *y, const double *x0, const double *x1, size_t n,
                                double scale, bool gaussian)
{
    const loss_source from = {.good = loss_scale_ok(scale),
                              .complete = y != NULL && x0 != NULL && x1 != NULL,
                              .gaussian = gaussian,
                              .y = y,
                              .x0 = x0,
                              .x1 = x1,
                              .scale = scale};
    return sum_from(total, &from, n);
}

simdp_status simdp_loss_laplace_f64_centres_sum(double *total, const double *y, const double *x0, const double *x1,
                                                size_t n, double scale)
{
    return centres_sum(total, y, x0, x1, n, scale, false);
}

simdp_status simdp_loss_gaussian_f64_centres_sum(double *total, const double *y, const double *x0, const double *x1,
                                                 size_t n, double sigma)
{
    return centres_sum(total, y, x0, x1, n, sigma, true);
}

simdp_status simdp_loss_randomized_response_sum(double *total, const uint8_t *out, size_t n, int bit0, int bit1,
                                                double epsilon)
{
    FP_MODE_SCOPE();
    FP_PIN(epsilon);
    loss_source from = {.complete = out != NULL, .answers = out};
    from.good = response_table(from.table, bit0, bit1, epsilon);
    return sum_from(total, &from, n);
}

simdp_status simdp_loss_selection_sum(double *total, const size_t *chosen, size_t draws, const double *scores0,
                                      const double *scores1, size_t n, double scale)
{
    if (total == NULL || (draws > 0 && (chosen == NULL || (n > 0 && (scores0 == NULL || scores1 == NULL)))))
        return SIMDP_ENULL;
    if (!loss_scale_ok(scale) || loss_too_many(n, sizeof *scores0) || loss_too_many(draws, sizeof *chosen))
        return SIMDP_EPARAM;
    const loss_call call = loss_enter();
    if (call.kernels != NULL) {
        loss_source from = {.chosen = chosen};
        if (draws > 0) from.pair = simdp_selection_pair(call.kernels, scores0, scores1, n, scale);
        (void)source_sum(total, &from, call.kernels, draws); /* has no centres */
    }
    return loss_leave(&call);
}

/* ---- rows of mixed steps ---- */

static bool step_ok(const simdp_loss_step *s)
{
    const bool bits = (s->x0 == 0.0 || s->x0 == 1.0) && (s->x1 == 0.0 || s->x1 == 1.0);
    if (s->kind == SIMDP_MECHANISM_RANDOMIZED_RESPONSE) return bits && s->scale >= 0.0 && isfinite(s->scale);
    return (s->kind == SIMDP_MECHANISM_LAPLACE || s->kind == SIMDP_MECHANISM_GAUSSIAN) &&
           loss_centres_ok(s->x0, s->x1) && loss_scale_ok(s->scale);
}

static loss_affine law_of_step(const simdp_loss_step *s)
{
    if (s->kind == SIMDP_MECHANISM_GAUSSIAN) return loss_affine_gaussian(s->x0, s->x1, s->scale);
    loss_affine law = loss_affine_laplace(s->x0, s->x1, s->kind == SIMDP_MECHANISM_LAPLACE ? s->scale : 1.0);
    if (s->kind == SIMDP_MECHANISM_RANDOMIZED_RESPONSE)
        law.slope1 *= s->scale; /* bits 1 apart: a Laplace loss clamped at epsilon */
    return law;
}

static void columns_of(loss_columns *c, const simdp_loss_step *steps, size_t count)
{
    memset(c, 0, sizeof *c);
    for (size_t j = 0; j < count; j++) {
        const loss_affine law = law_of_step(&steps[j]);
        c->f[j] = law.f;
        c->minus_x0[j] = -law.x0;
        c->minus_x1[j] = -law.x1;
        c->limit[j] = law.limit;
        c->slope1[j] = law.slope1;
        c->slope2[j] = law.slope2;
    }
}

/* A row whose sum is not finite, one step after the other: the sum of one loss is that loss. */
static double row_rare(const simdp_loss_kernels *kernels, const double *y, const simdp_loss_step *steps, size_t k)
{
    loss_sum_rare sum = {0};
    for (size_t j = 0; j < k; j++) {
        loss_columns column;
        loss_sum one = {{0}, {0}};
        columns_of(&column, &steps[j], 1);
        kernels->transcript(&one, y + j, 1, 1, &column, 1);
        loss_sum_rare_add(&sum, one.high, 1);
    }
    return loss_sum_rare_total(&sum);
}

simdp_status simdp_loss_transcripts(double *loss, const double *y, size_t rows, const simdp_loss_step *steps, size_t k)
{
    if ((rows > 0 && loss == NULL) || (rows > 0 && k > 0 && (y == NULL || steps == NULL))) return SIMDP_ENULL;
    if (loss_too_many_rows(rows, k)) return SIMDP_EPARAM;
    FP_MODE_SCOPE();
    for (size_t j = 0; rows > 0 && j < k; j++) {
        if (!step_ok(&steps[j])) return SIMDP_EPARAM;
    }
    const loss_call call = loss_enter();
    loss_columns columns;
    size_t prepared = SIZE_MAX; /* the first column of what is in columns */
    for (size_t done = 0; call.kernels != NULL && done < rows; done += ROWS) {
        const size_t group = rows - done < ROWS ? rows - done : ROWS;
        loss_sum sums[ROWS];
        memset(sums, 0, sizeof sums);
        for (size_t first = 0; first < k; first += LOSS_COLUMNS) {
            const size_t count = k - first < LOSS_COLUMNS ? k - first : LOSS_COLUMNS;
            if (prepared != first) columns_of(&columns, steps + first, count);
            prepared = first;
            call.kernels->transcript(sums, y + done * k + first, group, k, &columns, count);
        }
        for (size_t r = 0; r < group; r++) {
            const double total = loss_sum_total(&sums[r]);
            loss[done + r] = isfinite(total) ? total : row_rare(call.kernels, y + (done + r) * k, steps, k);
        }
    }
    return loss_leave(&call);
}
