/* identity.h: random words that belong to identities instead of positions. On a cluster rows come in any order and tasks
 * are run again; noise that is a function of who a row is stays the same.
 *
 * An identity is 128 bits of the caller's. Under a key of (stream, use, level, parameters) AES-128 maps identities to
 * blocks of two words, one to one. So different identities have different blocks; and one identity has, under every
 * other use, level or set of parameters, a block that has nothing to do with the first, since it is made with another
 * key. kernels/bits/STREAM.md specifies both.
 *
 *     simdp_identity identity;
 *     status = rng_identity(&identity, rng, BITS_<name>_BY_ID, 1, parameters, count);
 *     kernels->bits->identity_blocks(words, ids, n, &identity, 0);         (or identity_blocks_vs, within a unit)
 *     simdp_wipe(&identity, sizeof identity);
 */
#ifndef SIMDP_IDENTITY_H
#define SIMDP_IDENTITY_H

#include <string.h>

#include "bits/cipher.h"
#include "simdp/simdp.h"

#define IDENTITY_PARAMETERS 4 /* most of a use */
#define IDENTITY_READY      2 /* most levels whose keys are expanded beforehand */

/* The keys of one use with one set of parameters. */
typedef struct {
    uint64_t keys[IDENTITY_READY][22]; /* of the levels below `ready`, expanded */
    uint64_t parent[22]; /* the stream's key of the use IDENTITY_KEY, expanded: other levels are made of it */
    uint64_t parameters[IDENTITY_PARAMETERS];
    unsigned count; /* of parameters */
    unsigned ready;
    uint32_t use; /* BITS_<name>_BY_ID */
} simdp_identity;

/* words[2 i], words[2 i + 1]: the block of ids[i] at any level. */
typedef void simdp_identity_blocks(uint64_t *words, const simdp_id *ids, size_t n, const simdp_identity *identity,
                                   uint32_t level);

/* A parameter as a word. Numbers that are equal are equal here: -0 is 0. */
static inline uint64_t identity_number(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits << 1 == 0 ? 0 : bits;
}

#endif
