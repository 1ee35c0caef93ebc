/* by_id_support.h: what the tests of forms by identity share: ids, the functions by law, their words by the reference. */
#ifndef SIMDP_BY_ID_SUPPORT_H
#define SIMDP_BY_ID_SUPPORT_H

#include "reference/identity_reference.h"
#include "support/release_support.h"

static inline simdp_status release_by_id(int law, simdp_rng *rng, double *out, const double *answers,
                                         const simdp_id *ids, size_t n, double scale, double grid)
{
    return (law == RELEASE_LAPLACE ? simdp_release_laplace_by_id : simdp_release_gaussian_by_id)(rng, out, answers, ids,
                                                                                                 n, scale, grid);
}

static inline simdp_status release_by_id_i64(int law, simdp_rng *rng, int64_t *out, const int64_t *answers,
                                             const simdp_id *ids, size_t n, double scale)
{
    return (law == RELEASE_LAPLACE ? simdp_release_laplace_i64_by_id
                                   : simdp_release_gaussian_i64_by_id)(rng, out, answers, ids, n, scale);
}

/* Different ids, of which many are small numbers, as callers make them. */
static inline void test_ids(simdp_id *ids, size_t n, uint64_t seed)
{
    for (size_t i = 0; i < n; i++) {
        const uint64_t kind = i % 3;
        ids[i] = (simdp_id){kind == 0 ? test_random(&seed) : i, kind == 2 ? i : test_random(&seed)};
        if (kind == 1) ids[i] = (simdp_id){(uint64_t)i << 32, seed >> 60};
    }
}

static inline uint64_t test_number(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return x == 0 ? 0 : bits;
}

/* The words of ids for release_reference.h, as STREAM.md lays them out: element i has position 16 i, which is the first
 * of a Gaussian pair; its angle's is 16 i + 8. */
enum { REFERENCE_LEVELS = 7 };
typedef struct {
    uint8_t own[REFERENCE_LEVELS][16];
    const simdp_id *ids;
    bool gaussian;
} reference_ids;

static inline void reference_ids_begin(reference_ids *r, const simdp_id *ids, uint64_t seed, uint64_t stream,
                                       uint32_t use, const uint64_t *parameters, unsigned count, bool gaussian)
{
    uint8_t key[32];
    test_key(key, seed);
    r->ids = ids;
    r->gaussian = gaussian;
    for (uint32_t level = 0; level < REFERENCE_LEVELS; level++)
        identity_reference_key(r->own[level], key, stream, (use << 24) + level, parameters, count);
}

static inline uint64_t reference_ids_words(const void *context, uint64_t index, unsigned level)
{
    const reference_ids *r = context;
    uint64_t words[2];
    identity_reference_under(words, r->own[r->gaussian ? level : level / 2], &r->ids[index / 16]);
    return words[r->gaussian ? index % 16 / 8 : level % 2];
}

#endif
