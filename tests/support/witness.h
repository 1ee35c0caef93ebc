/* witness.h: who reads which random bits, seen by kernels that tell a witness of every word (witness_unit.c).
 *
 * The witness knows from kernels/bits/uses.h which bits of a word belong to which positions. While a call runs it can
 *     force     bits of chosen positions, so that rare paths are taken,
 *     disturb   every bit that does not belong to the positions of the call: its output must not change,
 *     record    the bits that do: no two calls may have one in common, but for the two elements of a Gaussian pair,
 *     plant     another layout, which the two checks above must then refuse.
 * Words of a stream whose key was drawn for the call alone (a local stream) all belong to the call. Under a key that is
 * erased when SIMDP_RNG_ERASE_POSITIONS positions are used, words of other positions belong to nobody. */
#ifndef SIMDP_WITNESS_H
#define SIMDP_WITNESS_H

#include <stdbool.h>

#include "dispatch/table.h"

extern const simdp_kernels simdp_kernels_witnessed;

/* What becomes of bits that do not belong to the call. */
typedef enum {
    WITNESS_COMPLEMENT,
    WITNESS_ZEROS,
    WITNESS_ONES,
    WITNESS_RANDOM,
    WITNESS_PATTERNS,
} witness_pattern;

/* Bits of one position in `rate`: at the first levels those of `digits` where `mask` has ones. Of a Gaussian pair, [0]
 * are those of the radius and [1] of the angle. tails: halves of words that floats refine, instead. */
typedef struct {
    uint32_t use;
    unsigned levels, rate;
    bool tails;
    uint64_t digits[2][2], mask[2][2]; /* [level][angle] */
} forced_bits;

/* The bits of word `index` of a domain that belong to the positions first .. end. *known: the domain is in uses.h. */
uint64_t witness_owned(uint32_t domain, uint64_t index, uint64_t first, uint64_t end, bool *known);

/* Another layout: replaces an address by the one it has there. `count`: words that were asked for together. */
typedef void witness_plant(uint32_t *domain, uint64_t *index, size_t count);

/* A call is watched in runs that all begin with the same stream. The first one learns which positions are read between
 * its marks (a system function marks each step); the next ones disturb what does not belong to them. */
void witness_call(const forced_bits *forced, witness_plant *plant);
void witness_learn(const simdp_rng *rng);
void witness_disturb(const simdp_rng *rng, witness_pattern pattern, bool record);
/* The opposite: complements what does belong to the call, from a level on. */
void witness_disturb_own(const simdp_rng *rng, uint32_t level);
void witness_mark(const simdp_rng *rng);
void witness_rest(const simdp_rng *rng); /* the run is over: rng stands where it left it */

/* A stream of calls: forgets what was recorded. */
void witness_stream(void);

/* Four words that a source gave as the key of a local stream. */
void witness_key(const uint64_t words[4]);

/* Two words that are the key of a local stream as they are. */
void witness_stream_key(const uint64_t words[2]);

/* ---- identities (witness_identity.c) ----
 *
 * Blocks of ids have addresses too: the key they are made with, and the id. The witness records which call asked for
 * which: an address that was asked for by another id, or in a call with another law or other parameters, is shared. */

/* Another derivation: replaces key and id by those that a wrong one would have. */
typedef void witness_plant_identity(uint64_t key[2], uint32_t domain, uint64_t id[2]);

/* A call: `signature` stands for its law and parameters. Of one id in f->rate, the words that f names are forced: of
 * pairs, radius and angle at each level; else word j is that of level j (f may be NULL). alone: NULL, or the only id
 * whose words are left as they are; those of others are complemented. */
void witness_identity_call(uint64_t signature, const forced_bits *f, bool pairs, witness_plant_identity *plant,
                           const simdp_id *alone);

/* Found since the last witness_identity_clear, which forgets the records too. */
typedef struct {
    uint64_t blocks, further; /* blocks seen, those of levels above 0 */
    uint64_t shared;          /* must be 0 */
} witness_identities;
const witness_identities *witness_identities_seen(void);
void witness_identity_clear(void);

/* What was found since the last witness_counts_clear. */
typedef struct {
    uint64_t words;   /* that were looked at while bits were disturbed */
    uint64_t bits;    /* recorded */
    uint64_t pairs;   /* words shared by the two elements of a Gaussian pair */
    uint64_t further; /* words of further levels with bits that belong to the call */
    uint64_t local_keys;
    uint64_t erased;       /* times a stream went on to its next key */
    uint64_t shared;       /* words of which a bit belongs to two calls: must be 0 */
    uint64_t unknown;      /* words of domains that are not in uses.h: must be 0 */
    uint64_t strange_keys; /* local streams whose key is not that of words of the call: must be 0 */
} witness_counts;

const witness_counts *witness_seen(void);
void witness_counts_clear(void);

/* How many of all local keys of the whole run were used by two calls: must be 0. */
uint64_t witness_keys_repeated(void);

#endif
