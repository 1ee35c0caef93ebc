/* select.c: the public selections: check parameters, find the bits, run the race. */
#include "select/select.h"

#include <string.h>

#include "bits/rng.h"
#include "noise/fp_mode.h"

#define POSITION_END ((uint64_t)1 << 62)   /* four units a word must count in 64 bits */

/* Bits for one call: the stream's own if it is deterministic, else those of a stream whose key the given one
 * provides. */
typedef struct {
    simdp_rng own;
    const simdp_cipher *cipher;
    uint64_t position, stride;
    bool is_own;
} call_bits;

static simdp_status check(const select_call *c, call_bits *bits)
{
    const uint64_t groups = c->n / RACE_GROUP + (c->n % RACE_GROUP != 0);
    const size_t most = SIZE_MAX / sizeof(double);
    if (c->n == 0 || c->n > most || c->k > c->n) return SIMDP_EPARAM;
    if (!(c->scale == 0.0 || (c->scale >= SIMDP_SCALE_MIN && c->scale <= SIMDP_SCALE_MAX))) return SIMDP_EPARAM;
    if (c->rows > most / c->n ||
        (c->draws > 0 && (c->rows > most / c->draws || c->rows * c->draws > most / (c->k + 1))))
        return SIMDP_EPARAM;
    bits->stride = groups * RACE_GROUP_WORDS;
    bits->position = (c->rng->position + (RACE_GROUP_WORDS - 1)) / RACE_GROUP_WORDS * RACE_GROUP_WORDS;
    return SIMDP_OK;
}

static simdp_status find_bits(call_bits *bits, const select_call *c, size_t selections)
{
    rng_draw draw;
    simdp_rng *rng = c->rng;
    bits->is_own = rng->kind != RNG_DETERMINISTIC;
    bits->cipher = (const simdp_cipher *)(const void *)(bits->is_own ? &bits->own : rng)->cipher;
    if (bits->is_own) {
        bits->position = 0;
        return rng_local_open(&bits->own, rng);
    }
    const simdp_status status = rng_draw_begin(&draw, rng, 0, 1);
    if (status != SIMDP_OK) return status;
    if (rng->position > POSITION_END || bits->position > POSITION_END ||
        selections > (POSITION_END - bits->position) / bits->stride) return SIMDP_EPARAM;
    rng->position = bits->position + selections * bits->stride;
    return SIMDP_OK;
}

static void run_row(const select_call *c, select_job *job, uint64_t position, uint64_t stride, size_t *index,
                    const select_prepared *p)
{
    if (c->scale == 0.0 || c->n == 1) {
        simdp_select_largest(&job->scores, c->n, index, c->k);
        for (size_t i = c->k; i < c->draws * c->k; i++) index[i] = index[i - c->k];
    } else if (c->k > 1) {
        simdp_select_ranking(job, position, index, c->k);
    } else if (p != NULL && !select_is_number(p->reference)) {
        for (size_t d = 0; d < c->draws; d++) index[d] = simdp_select_special(job, p->reference);
    } else if (c->vartime) {
        simdp_select_lazy_many(job, position, stride, index, c->draws, p);
    } else {
        simdp_select_constant(job, position, stride, index, c->draws, 1, p);
    }
}

simdp_status simdp_select_run(const select_call *given)
{
    select_call call = *given;
    select_prepared prepared, *p = NULL;
    call_bits bits;
    if (call.rng == NULL) return SIMDP_ENULL;
    const size_t selections = call.rows * call.draws;   /* checked below */
    if (call.workspace != NULL) {
        p = &prepared;
        if (!simdp_select_workspace_open(call.workspace, &call, p)) return SIMDP_EPARAM;
    }
    if ((call.scores.at == NULL || call.index == NULL) && (selections > 0 && call.k > 0)) return SIMDP_ENULL;
    const unsigned mode = fp_mode_enter();
    simdp_status status = check(&call, &bits);
    if (status == SIMDP_OK && selections > 0 && call.k > 0) {
        status = find_bits(&bits, &call, selections);
        for (size_t r = 0; status == SIMDP_OK && r < call.rows; r++) {
            select_job job = {.kernels = simdp_kernels_active(),
                              .cipher = bits.cipher,
                              .scores = call.scores,
                              .n = call.n,
                              .scale = call.scale,
                              .octaves = LEVEL_LOG2E / call.scale,
                              .flip = call.flip,
                              .from = call.from,
                              .error = call.error > RACE_ERROR ? call.error : RACE_ERROR,
                              .counts = call.counts};
            job.scores.at =
                (const char *)call.scores.at + r * call.n * (call.scores.single ? sizeof(float) : sizeof(double));
            run_row(&call, &job, bits.position + r * call.draws * bits.stride, bits.stride,
                    call.index + r * call.draws * call.k, p);
        }
        if (bits.is_own) simdp_rng_wipe(&bits.own);
        if (status == SIMDP_ESOURCE) memset(call.index, 0xff, selections * call.k * sizeof *call.index);
    }
    fp_mode_leave(mode);
    return status;
}

/* the forms for doubles and for floats */
#define SELECT_FORMS(type, suffix, is_float)                                                                           \
    simdp_status simdp_select_gumbel##suffix(simdp_rng *rng, size_t *index, const type *scores, size_t n, double scale) \
    {                                                                                                                  \
        return simdp_select_run(&(select_call){.rng = rng, .index = index, .scores = {scores, is_float}, .rows = 1,    \
                                               .n = n, .draws = 1, .k = 1, .scale = scale});                           \
    }                                                                                                                  \
    simdp_status simdp_select_gumbel_many##suffix(simdp_rng *rng, size_t *index, size_t draws, const type *scores,     \
                                                  size_t n, double scale)                                              \
    {                                                                                                                  \
        return simdp_select_run(&(select_call){.rng = rng, .index = index, .scores = {scores, is_float}, .rows = 1,    \
                                               .n = n, .draws = draws, .k = 1, .scale = scale});                       \
    }                                                                                                                  \
    simdp_status simdp_select_gumbel_rows##suffix(simdp_rng *rng, size_t *index, const type *scores, size_t rows,      \
                                                  size_t n, double scale)                                              \
    {                                                                                                                  \
        return simdp_select_run(&(select_call){.rng = rng, .index = index, .scores = {scores, is_float}, .rows = rows, \
                                               .n = n, .draws = 1, .k = 1, .scale = scale});                           \
    }                                                                                                                  \
    simdp_status simdp_select_gumbel_top_k##suffix(simdp_rng *rng, size_t *index, size_t k, const type *scores,        \
                                                   size_t n, double scale)                                             \
    {                                                                                                                  \
        return simdp_select_run(&(select_call){.rng = rng, .index = index, .scores = {scores, is_float}, .rows = 1,    \
                                               .n = n, .draws = 1, .k = k, .scale = scale});                           \
    }                                                                                                                  \
    simdp_status simdp_select_gumbel_vartime##suffix(simdp_rng *rng, size_t *index, const type *scores, size_t n,      \
                                                     double scale)                                                     \
    {                                                                                                                  \
        return simdp_select_run(&(select_call){.rng = rng, .index = index, .scores = {scores, is_float}, .rows = 1,    \
                                               .n = n, .draws = 1, .k = 1, .scale = scale, .vartime = true});          \
    }                                                                                                                  \
    simdp_status simdp_select_gumbel_many_vartime##suffix(simdp_rng *rng, size_t *index, size_t draws,                 \
                                                          const type *scores, size_t n, double scale)                  \
    {                                                                                                                  \
        return simdp_select_run(&(select_call){.rng = rng, .index = index, .scores = {scores, is_float}, .rows = 1,    \
                                               .n = n, .draws = draws, .k = 1, .scale = scale, .vartime = true});      \
    }                                                                                                                  \
    simdp_status simdp_select_permute_flip##suffix(simdp_rng *rng, size_t *index, const type *scores, size_t n,        \
                                                   double scale)                                                       \
    {                                                                                                                  \
        return simdp_select_run(&(select_call){.rng = rng, .index = index, .scores = {scores, is_float}, .rows = 1,    \
                                               .n = n, .draws = 1, .k = 1, .scale = scale, .flip = true});             \
    }

SELECT_FORMS(double, , false)
SELECT_FORMS(float, _f32, true)

static simdp_status run_prepared(simdp_rng *rng, size_t *index, size_t draws, const void *workspace, bool vartime)
{
    if (workspace == NULL) return SIMDP_ENULL;
    return simdp_select_run(&(select_call){
        .rng = rng, .index = index, .workspace = workspace, .rows = 1, .draws = draws, .k = 1, .vartime = vartime});
}

simdp_status simdp_select_prepared(simdp_rng *rng, size_t *index, size_t draws, const void *workspace)
{
    return run_prepared(rng, index, draws, workspace, false);
}

simdp_status simdp_select_prepared_vartime(simdp_rng *rng, size_t *index, size_t draws, const void *workspace)
{
    return run_prepared(rng, index, draws, workspace, true);
}
