/* partitions.c: the public functions that say which groups may be shown. */
#include <string.h>

#include "bits/bits_kernels.h"
#include "bits/rng.h"
#include "call/forms.h"
#include "call/fp_mode.h"
#include "call/publish.h"
#include "release/release_kernels.h"
#include "select/select_kernels.h"
#include "vec/byte_order.h"
#include "vec/rarely.h"

enum { BLOCK = 512, LEVELS = BITS_SELECT_PARTITIONS_LEVELS };

/* Where elements have their random words: from a position of a stream on, or under an identity each. */
typedef struct {
    const simdp_kernels *kernels;
    const simdp_partition_law *law;
    const simdp_bits_at *at;
    const simdp_identity *identity; /* NULL: positions */
    const simdp_id *ids;
} partition_source;

/* The first words of n <= BLOCK elements. An identity has two words a level; the first of level 0 is its first one. */
static void first_words(uint64_t *words, size_t n, const partition_source *source)
{
    uint64_t blocks[2 * BLOCK];
    if (source->identity == NULL) {
        source->kernels->bits->cipher_words(words, n, source->at);
        return;
    }
    source->kernels->bits->identity_blocks(blocks, source->ids, n, source->identity, 0);
    for (size_t i = 0; i < n; i++) words[i] = blocks[2 * i];
}

/* All words of element i: further levels have further digits of U. */
static void all_words(uint64_t words[LEVELS + 1], size_t i, const partition_source *source)
{
    for (uint32_t level = 0; source->identity != NULL && level < BITS_SELECT_PARTITIONS_BY_ID_LEVELS; level++)
        source->kernels->bits->identity_blocks(words + 2 * level, source->ids + i, 1, source->identity, level);
    for (uint32_t level = 0; source->identity == NULL && level < LEVELS; level++) {
        simdp_bits_at at = *source->at;
        at.use = bits_level(BITS_SELECT_PARTITIONS, level);
        at.position += i;
        source->kernels->bits->cipher_words(&words[level], 1, &at);
    }
}

_Static_assert(2 * (int)BITS_SELECT_PARTITIONS_BY_ID_LEVELS == LEVELS + 1, "as many words, and one that is not read");

/* ---- open elements ---- */

/* Whether U, of all words of element i, lies below pi(count). What the words leave open, 2^-448, counts as 0. */
static bool is_kept(const partition_source *source, size_t i, int64_t count)
{
    uint64_t words[LEVELS + 1];
    simdp_wide complement;
    all_words(words, i, source);
    const simdp_wide pi = simdp_partition_wide(source->law, count, &complement);
    return simdp_wide_compare(simdp_wide_from_words(words, LEVELS), pi) < 0;
}

static void decide_open(uint64_t *kept, const uint64_t *open, const int64_t *counts, size_t n,
                        const partition_source *source)
{
    for (size_t i = 0; i < n; i++) {
        if ((open[i / 64] >> i % 64 & 1) == 0) continue;
        const uint64_t bit = (uint64_t)1 << i % 64;
        kept[i / 64] = is_kept(source, i, counts[i]) ? kept[i / 64] | bit : kept[i / 64] & ~bit;
    }
}

/* ---- blocks ---- */

/* Up to BLOCK elements. */
static void keep_block(uint8_t *keep, const int64_t *counts, size_t n, const partition_source *source)
{
    static const uint8_t zeros[BLOCK];
    const size_t whole = (n + 63) / 64 * 64;
    uint64_t words[BLOCK], kept[BLOCK / 64], open[BLOCK / 64];
    int64_t padded[BLOCK];
    if (whole != n) {
        memset(padded + n, 0, (whole - n) * sizeof *padded);
        memcpy(padded, counts, n * sizeof *padded);
        counts = padded;
        memset(words + n, 0xff, (whole - n) * sizeof *words); /* decided, whatever the law */
    }
    first_words(words, n, source);
    if (rarely(source->kernels->select->partitions(kept, open, counts, words, whole, source->law)))
        decide_open(kept, open, counts, n, source);
    for (size_t i = 0; i < whole / 64; i++) kept[i] = word_as_bytes(kept[i]);
    source->kernels->release->flip_bytes(keep, zeros, (const uint8_t *)kept, n);
}

static SCRUB_BELOW void keep_piece(uint8_t *keep, const int64_t *counts, const rng_draw *draw,
                                   const simdp_partition_law *law)
{
    simdp_bits_at at = draw->at;
    const partition_source source = {draw->kernels, law, &at, NULL, NULL};
    for (size_t done = 0; done < draw->count; done += BLOCK, at.position += BLOCK) {
        const size_t n = draw->count - done < BLOCK ? draw->count - done : BLOCK;
        keep_block(keep + draw->done + done, counts + draw->done + done, n, &source);
    }
}

static simdp_status draw_partitions(simdp_rng *rng, uint8_t *keep, const int64_t *counts, size_t n,
                                    const simdp_partition_law *law)
{
    static const rng_need need = {
        .use = BITS_SELECT_PARTITIONS, .elements = 1, .words = 1, .group = 1, .stack = SCRUB_RELEASE};
    rng_draw draw;
    simdp_rng local, *from = rng;
    simdp_status status = n > 0 ? rng_local_begin(&from, &local, rng) : SIMDP_OK;
    if (status == SIMDP_OK) status = rng_draw_begin(&draw, from, &need, n);
    while (status == SIMDP_OK && rng_draw_next(&draw, &status)) keep_piece(keep, counts, &draw, law);
    rng_local_end(from, rng);
    return status;
}

/* The law is part of what the words are made with: one id asked about two laws has words that share nothing. */
static SCRUB_BELOW simdp_status keep_by_id(const simdp_rng *rng, uint8_t *keep, const int64_t *counts,
                                           const simdp_id *ids, size_t n, const simdp_partition_law *law,
                                           const uint64_t parameters[3])
{
    simdp_identity identity;
    const simdp_status status = rng_identity(&identity, rng, BITS_SELECT_PARTITIONS_BY_ID, 1, parameters, 3);
    if (status != SIMDP_OK) return status;
    for (size_t done = 0; done < n; done += BLOCK) {
        const partition_source source = {simdp_kernels_active(), law, NULL, &identity, ids + done};
        keep_block(keep + done, counts + done, n - done < BLOCK ? n - done : BLOCK, &source);
    }
    simdp_wipe(&identity, sizeof identity);
    return SIMDP_OK;
}

/* ---- the public functions ---- */

simdp_status simdp_select_partitions(simdp_rng *rng, uint8_t *keep, const int64_t *counts, size_t n, double epsilon,
                                     double delta, uint64_t groups_per_person)
{
    simdp_partition_law law;
    if (rng == NULL || (n > 0 && (keep == NULL || counts == NULL))) return SIMDP_ENULL;
    if (!publish_fits(n, sizeof *counts)) return SIMDP_EPARAM;
    const unsigned mode = fp_mode_enter();
    simdp_status status = SIMDP_EPARAM;
    if (simdp_partition_law_of(&law, epsilon, delta, groups_per_person))
        status = draw_partitions(rng, keep, counts, n, &law);
    fp_mode_leave(mode);
    return publish(status, keep, n, PUBLISH_FLAGS);
}

simdp_status simdp_select_partitions_by_id(simdp_rng *rng, uint8_t *keep, const int64_t *counts, const simdp_id *ids,
                                           size_t n, double epsilon, double delta, uint64_t groups_per_person)
{
    simdp_partition_law law;
    const uint64_t parameters[3] = {identity_number(epsilon), identity_number(delta), groups_per_person};
    if (rng == NULL || (n > 0 && (keep == NULL || counts == NULL || ids == NULL))) return SIMDP_ENULL;
    if (!publish_fits(n, sizeof *ids)) return SIMDP_EPARAM;
    const unsigned mode = fp_mode_enter();
    simdp_status status = SIMDP_EPARAM;
    if (simdp_partition_law_of(&law, epsilon, delta, groups_per_person))
        status = keep_by_id(rng, keep, counts, ids, n, &law, parameters);
    fp_mode_leave(mode);
    return publish(status, keep, n, PUBLISH_FLAGS);
}

/* ---- the law ---- */

static bool probability_of(double *p, double *complement, int64_t count, const simdp_partition_law *law, bool good)
{
    simdp_wide rest;
    *p = NAN;
    *complement = NAN;
    if (!good) return false;
    *p = simdp_wide_to_double(simdp_partition_wide(law, count, &rest));
    *complement = simdp_wide_to_double(rest);
    return true;
}

simdp_status simdp_select_partition_probability(double *p, double *complement, const int64_t *counts, size_t n,
                                                double epsilon, double delta, uint64_t groups_per_person)
{
    FP_MODE_SCOPE();
    simdp_partition_law law;
    const bool is_good = simdp_partition_law_of(&law, epsilon, delta, groups_per_person);
    FORMS_EACH(n, probability_of(&p[i], &complement[i], counts[i], &law, is_good), FORM_ARRAY(p),
               FORM_ARRAY(complement), FORM_ARRAY(counts));
}
