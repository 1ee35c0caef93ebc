/* transcript.c: losses of whole transcripts, by compensated sums. */
#include <math.h>
#include <string.h>

#include "loss/loss_call.h"
#include "loss/affine.h"

enum { BLOCK = 512, ROWS = 64 }; /* losses in the first-level cache; rows that share a set of column constants */

simdp_status simdp_loss_sum(double *total, const double *loss, size_t rows, size_t n)
{
    if ((rows > 0 && total == NULL) || (rows > 0 && n > 0 && loss == NULL)) return SIMDP_ENULL;
    if (loss_too_many_rows(rows, n)) return SIMDP_EPARAM;
    const loss_call call = loss_enter();
    for (size_t r = 0; call.kernels != NULL && r < rows; r++) {
        loss_sum sum = {{0}, {0}};
        call.kernels->sum_add(&sum, loss + r * n, n);
        const double sum_of_row = loss_sum_total(&sum);
        loss_sum_rare rare = {0};
        if (!isfinite(sum_of_row)) loss_sum_rare_add(&rare, loss + r * n, n);
        total[r] = isfinite(sum_of_row) ? sum_of_row : loss_sum_rare_total(&rare);
    }
    return loss_leave(&call);
}

/* ---- outputs of one step, by blocks in the cache ---- */

static double sum_of_outputs(const simdp_loss_kernels *kernels, const double *y, size_t n, const loss_affine *law)
{
    loss_sum sum = {{0}, {0}};
    double loss[BLOCK];
    for (size_t done = 0; done < n; done += BLOCK) {
        const size_t count = n - done < BLOCK ? n - done : BLOCK;
        kernels->fixed_f64(loss, y + done, count, law);
        kernels->sum_add(&sum, loss, count);
    }
    const double total = loss_sum_total(&sum);
    if (isfinite(total)) return total;
    loss_sum_rare rare = {0};
    for (size_t done = 0; done < n; done += BLOCK) {
        const size_t count = n - done < BLOCK ? n - done : BLOCK;
        kernels->fixed_f64(loss, y + done, count, law);
        loss_sum_rare_add(&rare, loss, count);
    }
    return loss_sum_rare_total(&rare);
}

simdp_status simdp_loss_sum_outputs(double *total, const double *y, size_t n, simdp_loss_step step)
{
    if (total == NULL || (n > 0 && y == NULL)) return SIMDP_ENULL;
    if (loss_too_many(n, sizeof *y)) return SIMDP_EPARAM;
    const loss_call call = loss_enter();
    FP_PIN(step);
    const bool good = loss_step_ok(&step);
    if (good && call.kernels != NULL) {
        const loss_affine law = loss_affine_of(&step);
        *total = sum_of_outputs(call.kernels, y, n, &law);
    }
    return loss_leave_if(&call, good);
}

/* ---- rows of mixed steps ---- */

static void columns_of(loss_columns *c, const simdp_loss_step *steps, size_t count)
{
    memset(c, 0, sizeof *c);
    for (size_t j = 0; j < count; j++) {
        const loss_affine law = loss_affine_of(&steps[j]);
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
        if (!loss_step_ok(&steps[j])) return SIMDP_EPARAM;
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
