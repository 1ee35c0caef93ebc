/* select_call.c: the public selections: check the parameters, find the random bits, send each row down its road. */
#include "select/select_call.h"

#include "bits/bits_kernels.h"
#include "bits/rng.h"
#include "call/fp_mode.h"
#include "call/in_range.h"
#include "call/publish.h"
#include "vec/byte_order.h"
#include "vec/rarely.h"

/* Where a call reads its random bits: from the stream itself if all its positions lie under one key, else from a stream
 * of the call's own, keyed by the given one. */
typedef struct {
    simdp_rng own;
    const simdp_cipher *cipher;
    uint64_t position; /* of the first selection */
    uint64_t stride;   /* from one selection to the next */
    uint64_t end;      /* where the stream stands after the call */
    bool is_own;
} call_bits;

static simdp_status check(const select_call *c)
{
    const size_t most = SIZE_MAX / sizeof(double);
    if (c->n == 0 || c->n > most || c->k > c->n) return SIMDP_EPARAM;
    if (!is_in_range(c->scale, 0.0, 0.0) && !is_in_range(c->scale, SIMDP_NOISE_SCALE_MIN, SIMDP_NOISE_SCALE_MAX))
        return SIMDP_EPARAM;
    if (c->rows > most / c->n ||
        (c->draws > 0 && (c->rows > most / c->draws || c->rows * c->draws > most / (c->k + 1))))
        return SIMDP_EPARAM;
    return SIMDP_OK;
}

static uint64_t next_group(uint64_t position) { return (position + (RACE_GROUP - 1)) & ~(uint64_t)(RACE_GROUP - 1); }

/* Selections begin at multiples of RACE_GROUP and own one position for each candidate. */
static simdp_status find_bits(call_bits *bits, const select_call *c, size_t selections)
{
    simdp_rng *rng = c->rng;
    const uint64_t most = UINT64_MAX - 2 * RACE_GROUP;
    bits->stride = next_group(c->n);
    if (rng->position > most) return SIMDP_EPARAM;
    bits->position = next_group(rng->position);
    /* counted from the first group, so that a call for many fits where as many calls do */
    if (bits->position > most || c->n > most - bits->position ||
        selections - 1 > (most - bits->position - c->n) / bits->stride)
        return SIMDP_EPARAM;
    bits->end = bits->position + (selections - 1) * bits->stride + c->n;
    bits->is_own = !rng_has_one_key(rng, bits->end);
    bits->cipher = rng_cipher(bits->is_own ? &bits->own : rng);
    if (bits->is_own) bits->position = 0;
    if (bits->is_own) return rng_local_key(&bits->own, rng);
    const simdp_status status = rng_check(rng);
    return status == SIMDP_OK ? rng_renew(rng) : status;
}

/* How many winners a call writes; 0 where that does not fit in memory. */
static size_t winners(const select_call *c)
{
    const size_t most = SIZE_MAX / sizeof *c->index;
    if (c->rows == 0 || c->draws == 0 || c->k == 0 || c->draws > most / c->rows || c->k > most / (c->rows * c->draws))
        return 0;
    return c->rows * c->draws * c->k;
}

bool simdp_select_goes_on(const select_job *job)
{
    select_keys *keys = job->keys;
    if (keys == NULL) return true;
    keys->status = keys->own != NULL ? rng_local_renew(keys->own, keys->rng) : rng_renew(keys->rng);
    return keys->status == SIMDP_OK;
}

/* Whether constant_race.c does the call without a screen: with no scratch and little stack. For one draw from up to 24
 * candidates that is also faster than the variable-time road. */
static bool is_few(const select_call *c)
{
    if (c->vartime) return c->n <= 24 && c->draws == 1 && c->workspace == NULL;
    return c->n <= RACE_GROUP && c->k == 1;
}

static void run_row(const select_call *c, select_job *job, uint64_t position, uint64_t stride, size_t *index,
                    const select_prepared *p)
{
    if (c->scale == 0.0 || c->n == 1) {
        simdp_select_largest(&job->scores, c->n, index, c->k);
        for (size_t i = c->k; i < c->draws * c->k; i++) index[i] = index[i - c->k];
    } else if (c->k > 1) {
        if (!simdp_select_goes_on(job)) return;
        job->keys = NULL; /* all passes of a ranking read the same bits, so the key must stay */
        simdp_select_ranking(job, position, index, c->k);
    } else if (p != NULL && rarely(!select_is_number(p->reference))) {
        for (size_t d = 0; d < c->draws; d++) index[d] = simdp_select_special(job, p->reference);
    } else if (c->vartime && !is_few(c)) {
        simdp_select_vartime_many(job, position, stride, index, c->draws, p);
    } else {
        simdp_select_constant(job, position, stride, index, c->draws, 1, p);
    }
}

/* The scratch holds random bits of the races. */
static void wipe_scratch(select_scratch *scratch, const select_call *c)
{
    if (c->vartime)
        simdp_wipe(scratch->vartime.race, (c->draws < SELECT_SHARED ? c->draws : SELECT_SHARED) * sizeof(vartime_race));
    else simdp_wipe(scratch->race.state, (c->draws < SELECT_DRAWS ? c->draws : SELECT_DRAWS) * sizeof(race_state));
}

/* One row of scores: row r of a call. */
static select_job job_of_row(const select_call *c, size_t r, const simdp_cipher *cipher, select_scratch *scratch)
{
    select_job job = {.kernels = simdp_kernels_active(),
                      .cipher = cipher,
                      .scratch = scratch,
                      .use = c->flip ? BITS_SELECT_FLIP : BITS_SELECT_GUMBEL,
                      .scores = c->scores,
                      .n = c->n,
                      .scale = c->scale,
                      .octaves = RACE_LOG2E / c->scale,
                      .flip = c->flip,
                      .from = c->from,
                      .error = c->error,
                      .counts = c->counts};
    job.scores.at = (const char *)c->scores.at + r * c->n * (c->scores.single ? sizeof(float) : sizeof(double));
    return job;
}

static simdp_status run_rows(const select_call *c, const select_prepared *p)
{
    call_bits bits;
    select_scratch scratch;
    const size_t selections = c->rows * c->draws;
    const simdp_status found = find_bits(&bits, c, selections);
    if (found != SIMDP_OK) return found;
    const bool erases = c->rng->kind != RNG_DETERMINISTIC;
    select_keys keys = {bits.is_own ? &bits.own : NULL, c->rng, SIMDP_OK};
    for (size_t r = 0; r < c->rows && keys.status == SIMDP_OK; r++) {
        select_job job = job_of_row(c, r, bits.cipher, &scratch);
        job.keys = erases ? &keys : NULL;
        run_row(c, &job, bits.position + r * c->draws * bits.stride, bits.stride, c->index + r * c->draws * c->k, p);
    }
    if (keys.status == SIMDP_OK) rng_skip(c->rng, simdp_kernels_active(), bits.end - c->rng->position);
    if (bits.is_own) simdp_rng_wipe(&bits.own);
    if (erases && !is_few(c)) wipe_scratch(&scratch, c);
    if (erases) simdp_scrub(simdp_kernels_active(), is_few(c) ? SCRUB_FEW : SCRUB_SELECT);
    return keys.status;
}

/* The bits of a row belong to its id: its block is the key of a stream that lives for the row. A group of candidates has
 * two in a block at every level but the first, which has more. */
#define ID_ROWS AES_KEYS /* whose keys are made at a time */

static simdp_status run_rows_by_id(const select_call *c)
{
    const simdp_kernels *kernels = simdp_kernels_active();
    const uint64_t parameters[2] = {identity_number(c->scale), c->n};
    const unsigned blocks = c->n <= SIMDP_SELECT_GROUP ? SIMDP_SELECT_GROUP / 2 : 256;
    simdp_identity identity;
    simdp_cipher cipher;
    select_scratch scratch;
    uint64_t keys[ID_ROWS][2] = {{0}}, round_keys[ID_ROWS][22];
    const simdp_status status = rng_identity(&identity, c->rng, BITS_SELECT_GUMBEL_BY_ID, 1, parameters, 2);
    if (status != SIMDP_OK) return status;
    for (size_t r = 0; r < c->rows; r++) {
        const size_t left = c->rows - r < ID_ROWS ? c->rows - r : ID_ROWS;
        if (r % ID_ROWS == 0) {
            kernels->bits->identity_blocks(keys[0], c->ids + r, left, &identity, 0);
            kernels->bits->aes_expand_group(round_keys, (const uint64_t(*)[2])keys);
        }
        select_job job = job_of_row(c, r, &cipher, &scratch);
        kernels->bits->cipher_setup_short(&cipher, round_keys[r % ID_ROWS], blocks);
        run_row(c, &job, 0, 0, c->index + r, NULL);
    }
    simdp_wipe(&identity, sizeof identity);
    simdp_wipe(&cipher, sizeof cipher);
    simdp_wipe(keys, sizeof keys);
    simdp_wipe(round_keys, sizeof round_keys);
    return SIMDP_OK;
}

simdp_status simdp_select_run(const select_call *given)
{
    select_call call = *given;
    select_prepared prepared, *p = call.workspace != NULL ? &prepared : NULL;
    const size_t count = winners(&call);
    const bool any = call.rows > 0 && call.draws > 0 && call.k > 0;
    if (call.rng == NULL || (call.index == NULL && any)) return SIMDP_ENULL;
    const unsigned mode = fp_mode_enter();
    simdp_status status = SIMDP_EPARAM;
    if (p == NULL || simdp_select_workspace_open(call.workspace, &call, p)) {
        status = call.scores.at == NULL && any ? SIMDP_ENULL : check(&call);
        if (status == SIMDP_OK && any) status = call.ids != NULL ? run_rows_by_id(&call) : run_rows(&call, p);
    }
    fp_mode_leave(mode);
    return publish(status, call.index, count * sizeof *call.index, PUBLISH_BYTES);
}

/* ---- the public forms ---- */

/* What a form does with each row of scores. */
typedef struct {
    size_t draws, k;
    bool vartime, flip;
} select_form;

static simdp_status run_form(simdp_rng *rng, size_t *index, race_scores scores, size_t rows, size_t n, double scale,
                             select_form form)
{
    return simdp_select_run(&(select_call){.rng = rng,
                                           .index = index,
                                           .scores = scores,
                                           .rows = rows,
                                           .n = n,
                                           .draws = form.draws,
                                           .k = form.k,
                                           .scale = scale,
                                           .flip = form.flip,
                                           .vartime = form.vartime});
}

/* All forms, for doubles or (single) floats. */
#define SELECT_FORMS(type, suffix, single)                                                                             \
    simdp_status simdp_select_gumbel##suffix(simdp_rng *rng, size_t *index, const type *scores, size_t n,              \
                                             double scale)                                                             \
    {                                                                                                                  \
        return run_form(rng, index, (race_scores){scores, single}, 1, n, scale, (select_form){.draws = 1, .k = 1});    \
    }                                                                                                                  \
    simdp_status simdp_select_gumbel_many##suffix(simdp_rng *rng, size_t *index, size_t draws, const type *scores,     \
                                                  size_t n, double scale)                                              \
    {                                                                                                                  \
        return run_form(rng, index, (race_scores){scores, single}, 1, n, scale,                                        \
                        (select_form){.draws = draws, .k = 1});                                                        \
    }                                                                                                                  \
    simdp_status simdp_select_gumbel_top_k##suffix(simdp_rng *rng, size_t *index, size_t k, const type *scores,        \
                                                   size_t n, double scale)                                             \
    {                                                                                                                  \
        return run_form(rng, index, (race_scores){scores, single}, 1, n, scale, (select_form){.draws = 1, .k = k});    \
    }                                                                                                                  \
    simdp_status simdp_select_gumbel_vartime##suffix(simdp_rng *rng, size_t *index, const type *scores, size_t n,      \
                                                     double scale)                                                     \
    {                                                                                                                  \
        return run_form(rng, index, (race_scores){scores, single}, 1, n, scale,                                        \
                        (select_form){.draws = 1, .k = 1, .vartime = true});                                           \
    }                                                                                                                  \
    simdp_status simdp_select_gumbel_many_vartime##suffix(simdp_rng *rng, size_t *index, size_t draws,                 \
                                                          const type *scores, size_t n, double scale)                  \
    {                                                                                                                  \
        return run_form(rng, index, (race_scores){scores, single}, 1, n, scale,                                        \
                        (select_form){.draws = draws, .k = 1, .vartime = true});                                       \
    }                                                                                                                  \
    simdp_status simdp_select_permute_flip##suffix(simdp_rng *rng, size_t *index, const type *scores, size_t n,        \
                                                   double scale)                                                       \
    {                                                                                                                  \
        return run_form(rng, index, (race_scores){scores, single}, 1, n, scale,                                        \
                        (select_form){.draws = 1, .k = 1, .flip = true});                                              \
    }                                                                                                                  \
    simdp_status simdp_select_gumbel_rows##suffix(simdp_rng *rng, size_t *index, const type *scores, size_t rows,      \
                                                  size_t n, double scale)                                              \
    {                                                                                                                  \
        return run_form(rng, index, (race_scores){scores, single}, rows, n, scale, (select_form){.draws = 1, .k = 1}); \
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

simdp_status simdp_select_gumbel_rows_by_id(simdp_rng *rng, size_t *index, const double *scores, const simdp_id *ids,
                                            size_t rows, size_t n, double scale)
{
    if (rng == NULL || (ids == NULL && rows > 0)) return SIMDP_ENULL;
    if (!publish_fits(rows, sizeof *ids)) return SIMDP_EPARAM;
    if (rows == 0 && rng->kind != RNG_DETERMINISTIC) return SIMDP_EPARAM; /* no row asks for keys, which would fail */
    return simdp_select_run(&(select_call){.rng = rng,
                                           .index = index,
                                           .scores = {scores, false},
                                           .ids = ids,
                                           .rows = rows,
                                           .n = n,
                                           .draws = 1,
                                           .k = 1,
                                           .scale = scale});
}
