/* prepare_workspace.c: workspaces, which hold the heights and weights of scores that many calls share. */
#include <math.h>
#include <string.h>

#include "call/fp_mode.h"
#include "call/in_range.h"
#include "select/select_call.h"
#include "vec/rarely.h"

#define MAGIC 0x7065727076617265 /* marks a workspace that was prepared */

typedef struct {
    uint64_t magic;
    race_scores scores;
    size_t n;
    double scale, top, weight;
} workspace_head;

#define HEAD_BYTES ((sizeof(workspace_head) + 63) / 64 * 64)

static size_t padded(size_t n) { return race_groups(n) * RACE_GROUP; }

size_t simdp_select_workspace(size_t n)
{
    if (n == 0 || n > SIZE_MAX / 16) return 0;
    return 64 + HEAD_BYTES + padded(n) * (sizeof(int32_t) + sizeof(uint16_t));
}

static char *aligned(void *workspace)
{
    const uintptr_t at = (uintptr_t)workspace;
    return (char *)workspace + (64 - at % 64) % 64;
}

static simdp_status prepare(void *workspace, const void *scores, bool single, size_t n, double scale)
{
    if (workspace == NULL || scores == NULL) return SIMDP_ENULL;
    const bool is_scale =
        is_in_range(scale, 0.0, 0.0) || is_in_range(scale, SIMDP_NOISE_SCALE_MIN, SIMDP_NOISE_SCALE_MAX);
    if (n == 0 || n > SIZE_MAX / 16 || !is_scale) return SIMDP_EPARAM;
    const simdp_kernels *kernels = simdp_kernels_active();
    if (kernels == NULL) return SIMDP_EISA;
    workspace_head *head = (workspace_head *)(void *)aligned(workspace);
    int32_t *heights = (int32_t *)(void *)(aligned(workspace) + HEAD_BYTES);
    uint16_t *weights = (uint16_t *)(void *)(heights + padded(n));
    const unsigned mode = fp_mode_enter();
    select_job job = {.kernels = kernels, .scores = {scores, single}, .n = n, .scale = scale};
    *head = (workspace_head){.magic = MAGIC, .scores = job.scores, .n = n, .scale = scale};
    head->top = kernels->select->top(&job.scores, 0, n);
    if (scale > 0 && !rarely(!select_is_number(head->top))) {
        job.octaves = RACE_LOG2E / scale;
        kernels->select->heights(heights, &job.scores, 0, n, head->top, job.octaves * HEIGHT_OCTAVE);
        head->weight = kernels->select->weights(weights, heights, padded(n) / RACE_GROUP);
    }
    fp_mode_leave(mode);
    return SIMDP_OK;
}

simdp_status simdp_select_prepare(void *workspace, const double *scores, size_t n, double scale)
{
    return prepare(workspace, scores, false, n, scale);
}

simdp_status simdp_select_prepare_f32(void *workspace, const float *scores, size_t n, double scale)
{
    return prepare(workspace, scores, true, n, scale);
}

bool simdp_select_workspace_open(const void *workspace, select_call *call, select_prepared *prepared)
{
    const char *at = aligned((void *)(uintptr_t)workspace);
    const workspace_head *head = (const workspace_head *)(const void *)at;
    if (head->magic != MAGIC) return false;
    call->scores = head->scores;
    call->n = head->n;
    call->scale = head->scale;
    prepared->heights = (const int32_t *)(const void *)(at + HEAD_BYTES);
    prepared->weights = (const uint16_t *)(const void *)(prepared->heights + padded(head->n));
    prepared->reference = head->top;
    prepared->weight = head->weight;
    return true;
}
