/* above.c: the public functions of the sparse vector technique. */
#include <string.h>

#include "bits/bits_kernels.h"
#include "bits/entropy.h"
#include "bits/rng.h"
#include "call/fp_mode.h"
#include "call/in_range.h"
#include "call/publish.h"
#include "select/select_kernels.h"
#include "vec/rarely.h"

enum { BLOCK = 512 };
#define STATE_OPEN      0x7468726573686f6c /* simdp_select_threshold.kind; see is_open */
#define THRESHOLD_LIMIT 0x1p+1000

_Static_assert(sizeof((simdp_select_threshold){{0}, 0, 0, 0, 0, 0}.words) == ABOVE_WORDS * sizeof(uint64_t) &&
                   (int)BITS_SELECT_ABOVE_THRESHOLD_LEVELS == (int)ABOVE_WORDS,
               "a state has room for all words of the threshold's noise");

static bool is_good(const simdp_above_threshold *t)
{
    return is_in_range(t->threshold, -THRESHOLD_LIMIT, THRESHOLD_LIMIT) &&
           is_in_range(t->scale_threshold, SIMDP_NOISE_SCALE_MIN, SIMDP_NOISE_SCALE_MAX) &&
           is_in_range(t->scale_query, SIMDP_NOISE_SCALE_MIN, SIMDP_NOISE_SCALE_MAX);
}

/* All words of a use at one position. */
static void words_at(uint64_t words[ABOVE_WORDS], uint32_t use, uint64_t position, const simdp_kernels *kernels,
                     const simdp_bits_at *from)
{
    for (uint32_t level = 0; level < ABOVE_WORDS; level++) {
        const simdp_bits_at at = {NULL, from->cipher, position, bits_level(use, level)};
        kernels->bits->cipher_words(&words[level], 1, &at);
    }
}

/* ---- blocks of queries ---- */

/* A bit for each of n <= BLOCK queries, those from at->position on. */
static void compare_block(uint64_t above[BLOCK / 64], const double *queries, size_t n, const simdp_kernels *kernels,
                          const simdp_bits_at *at, const simdp_above_law *law, const simdp_above_threshold *threshold)
{
    const size_t whole = (n + 63) / 64 * 64;
    uint64_t words[BLOCK], open[BLOCK / 64];
    double padded[BLOCK];
    if (whole != n) {
        memcpy(padded, queries, n * sizeof *padded);
        for (size_t i = n; i < whole; i++) {
            padded[i] = -ABOVE_SURE; /* decided, whatever the noise */
            words[i] = INT64_MAX;
        }
        queries = padded;
    }
    kernels->bits->cipher_words(words, n, at);
    const unsigned mode = fp_mode_enter_flushing();
    const bool any = kernels->select->above(above, open, queries, words, whole, law);
    fp_mode_leave_flushing(mode);
    for (size_t i = 0; rarely(any) && i < n; i++) {
        uint64_t all[ABOVE_WORDS];
        if ((open[i / 64] >> i % 64 & 1) == 0) continue;
        words_at(all, BITS_SELECT_ABOVE_QUERY, at->position + i, kernels, at);
        const uint64_t bit = (uint64_t)1 << i % 64;
        above[i / 64] = simdp_above_decide(queries[i], all, threshold) ? above[i / 64] | bit : above[i / 64] & ~bit;
    }
}

/* ---- all queries at once ---- */

typedef struct {
    const double *queries;
    simdp_above_threshold threshold;
    simdp_above_law law;
    uint64_t index, found; /* found: all bits, or none */
} above_call;

/* Keeps the first index that is above, without a branch. */
static void note_first(above_call *call, const uint64_t *above, size_t words, size_t first)
{
    for (size_t i = 0; i < words; i++) {
        const uint64_t any = -(uint64_t)(above[i] != 0), lowest = above[i] & -above[i];
        const uint64_t place = first + 64 * i + (uint64_t)__builtin_popcountll(lowest - 1), take = any & ~call->found;
        call->index ^= (call->index ^ place) & take;
        call->found |= any;
    }
}

/* Element 0 of the draw is the threshold, element i + 1 query i. */
static SCRUB_BELOW void compare_piece(above_call *call, const rng_draw *draw)
{
    simdp_bits_at at = draw->at;
    size_t element = draw->done;
    const size_t end = draw->done + draw->count;
    if (element == 0) {
        words_at(call->threshold.words, BITS_SELECT_ABOVE_THRESHOLD, at.position, draw->kernels, &at);
        call->law = simdp_above_law_of(&call->threshold, draw->kernels);
        element++;
        at.position++;
    }
    while (element < end) {
        uint64_t above[BLOCK / 64];
        const size_t n = end - element < BLOCK ? end - element : BLOCK;
        compare_block(above, call->queries + element - 1, n, draw->kernels, &at, &call->law, &call->threshold);
        note_first(call, above, (n + 63) / 64, element - 1);
        element += n;
        at.position += n;
    }
}

static const rng_need need = {
    .use = BITS_SELECT_ABOVE_QUERY, .elements = 1, .words = 1, .group = 1, .stack = SCRUB_RELEASE};

static simdp_status compare_all(above_call *call, simdp_rng *rng, size_t n)
{
    rng_draw draw;
    simdp_rng local, *from = rng;
    simdp_status status = rng_local_begin(&from, &local, rng);
    if (status == SIMDP_OK) status = rng_draw_begin(&draw, from, &need, n + 1);
    while (status == SIMDP_OK && rng_draw_next(&draw, &status)) compare_piece(call, &draw);
    rng_local_end(from, rng);
    return status;
}

simdp_status simdp_select_above_threshold(simdp_rng *rng, size_t *index, uint8_t *found, const double *queries,
                                          size_t n, double threshold, double scale_threshold, double scale_query)
{
    above_call call = {
        .queries = queries, .threshold = {{0}, threshold, scale_threshold, scale_query}, .index = SIZE_MAX};
    if (rng == NULL || index == NULL || found == NULL || (n > 0 && queries == NULL)) return SIMDP_ENULL;
    const unsigned mode = fp_mode_enter();
    simdp_status status = SIMDP_EPARAM;
    if (publish_fits(n, sizeof *queries) && is_good(&call.threshold))
        status = n > 0 ? compare_all(&call, rng, n) : SIMDP_OK;
    fp_mode_leave(mode);
    *index = (size_t)call.index;
    *found = (uint8_t)(call.found & 1);
    simdp_wipe(&call, sizeof call); /* the noise of the threshold */
    (void)publish(status, found, 1, PUBLISH_FLAGS);
    return publish(status, index, sizeof *index, PUBLISH_BYTES);
}

/* ---- one query at a time ---- */

void simdp_select_threshold_wipe(simdp_select_threshold *state)
{
    if (state != NULL) simdp_wipe(state, sizeof *state);
}

static SCRUB_BELOW void compare_one(uint8_t *above, double query, const rng_draw *draw,
                                    const simdp_above_threshold *threshold)
{
    uint64_t bits[BLOCK / 64];
    const simdp_above_law law = simdp_above_law_of(threshold, draw->kernels);
    compare_block(bits, &query, 1, draw->kernels, &draw->at, &law, threshold);
    *above = (uint8_t)(bits[0] & 1);
}

/* One element of rng: without a query the words of the threshold, else the answer. */
static simdp_status draw_one(simdp_rng *rng, simdp_above_threshold *threshold, const double *query, uint8_t *above)
{
    rng_draw draw;
    simdp_rng local, *from = rng;
    simdp_status status = rng_local_begin(&from, &local, rng);
    if (status == SIMDP_OK) status = rng_draw_begin(&draw, from, &need, 1);
    while (status == SIMDP_OK && rng_draw_next(&draw, &status)) {
        if (query != NULL) compare_one(above, *query, &draw, threshold);
        else words_at(threshold->words, BITS_SELECT_ABOVE_THRESHOLD, draw.at.position, draw.kernels, &draw.at);
    }
    rng_local_end(from, rng);
    return status;
}

simdp_status simdp_select_threshold_open(simdp_rng *rng, simdp_select_threshold *state, double threshold,
                                         double scale_threshold, double scale_query, uint64_t reports)
{
    simdp_above_threshold t = {{0}, threshold, scale_threshold, scale_query};
    simdp_select_threshold_wipe(state); /* also where the call fails: no earlier threshold answers then */
    if (rng == NULL || state == NULL) return SIMDP_ENULL;
    const unsigned mode = fp_mode_enter();
    simdp_status status = SIMDP_EPARAM;
    if (is_good(&t) && reports > 0) status = draw_one(rng, &t, NULL, NULL);
    fp_mode_leave(mode);
    if (status == SIMDP_OK) {
        memcpy(state->words, t.words, sizeof state->words);
        state->threshold = threshold;
        state->scale_threshold = scale_threshold;
        state->scale_query = scale_query;
        state->reports = reports;
        state->kind = STATE_OPEN ^ (rng->kind == RNG_ENTROPY ? rng->fork_mark : 0);
    }
    simdp_wipe(&t, sizeof t);
    return status;
}

/* A fork copies a state, and both copies would report for one price. So the kind of a state that was opened on a stream
 * of this process's own entropy has the mark of the process, an odd number, in it; a child has another one. */
static bool is_open(const simdp_select_threshold *state)
{
    uint64_t mark = 0;
    if (state->reports == 0) return false;
    if (state->kind == STATE_OPEN) return true;
    return ((state->kind ^ STATE_OPEN) & 1) != 0 && simdp_entropy_fork_mark(&mark) == SIMDP_OK &&
           state->kind == (STATE_OPEN ^ mark);
}

/* The answer to a query of an open state. */
static simdp_status ask(simdp_rng *rng, simdp_select_threshold *state, uint8_t *above, double query)
{
    simdp_above_threshold t = {{0}, state->threshold, state->scale_threshold, state->scale_query};
    memcpy(t.words, state->words, sizeof t.words);
    const unsigned mode = fp_mode_enter();
    const simdp_status status = is_good(&t) ? draw_one(rng, &t, &query, above) : SIMDP_EPARAM;
    fp_mode_leave(mode);
    simdp_wipe(&t, sizeof t);
    published(above, 1);
    state->reports -= *above;
    if (status != SIMDP_OK || state->reports == 0) simdp_select_threshold_wipe(state);
    return status;
}

simdp_status simdp_select_threshold_ask(simdp_rng *rng, simdp_select_threshold *state, uint8_t *above, double query)
{
    if (rng == NULL || state == NULL || above == NULL) return SIMDP_ENULL;
    *above = 0;
    const simdp_status status = is_open(state) ? ask(rng, state, above, query) : SIMDP_EPARAM;
    return publish(status, above, 1, PUBLISH_FLAGS);
}
