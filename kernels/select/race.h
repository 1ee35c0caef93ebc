/* race.h: the race behind every selection, as kernels and drivers share it.
 *
 * Candidate i has a score s_i, counted in octaves above a reference score:  s_i = (score_i - reference) log2(e) /
 * scale,  and a uniform V_i of its own. The winner is the candidate with the largest key,
 *
 *     key_i = s_i - log2 L_i,     L_i = -log2(1 - V_i)  (Gumbel-max: L_i is exponential),  or  L_i = V_i  (permute and
 *                                 flip),
 *
 * as real numbers decide it. Small V_i win.
 *
 * Random bits. V_i = 0.p0 p1 p2 ... in binary. p0 is a "unit": 16 bits of the words of level 0. Groups of 128
 * candidates, from multiples of 128 on, take 32 words, that is 64 halves of 32 bits: candidate j < 64 of a group has
 * the low, candidate 64 + j the high 16 bits of half j', j' being j with bits 1 and 2 exchanged (so that narrowing
 * doubles meets the halves in the order in which AVX2 leaves them). With u the number of the unit, counted like
 * candidates from the start of the selection at position p, its further bits are the words p + u of levels 1, 2, ...:
 * 64 bits each. */
#ifndef SIMDP_RACE_H
#define SIMDP_RACE_H

#include <stdbool.h>

#include "bits/cipher.h"
#include "simdp/simdp.h"

#define RACE_GROUP       SIMDP_SELECT_GROUP /* candidates */
#define RACE_UNITS       4                  /* in a word */
#define RACE_GROUP_WORDS 32
#define RACE_BLOCK       2048 /* candidates that one pass of the kernel takes */
#define RACE_EPOCH       16   /* blocks after which what was kept is refined */

static inline uint64_t race_swap(uint64_t j) { return (j & ~(uint64_t)6) | (j & 2) << 1 | (j & 4) >> 1; }
static inline uint64_t race_unit(uint64_t candidate)
{
    return (candidate & ~(uint64_t)127) | race_swap(candidate & 63) << 1 | (candidate >> 6 & 1);
}
static inline uint64_t race_candidate(uint64_t unit)
{
    return (unit & ~(uint64_t)127) | race_swap(unit >> 1 & 63) | (unit & 1) << 6;
}

/* Scores as the caller gave them. */
typedef struct {
    const void *at;
    bool single; /* floats */
} race_scores;

static inline double race_score(const race_scores *scores, size_t i)
{
    return scores->single ? (double)((const float *)scores->at)[i] : ((const double *)scores->at)[i];
}

/* Levels: s_i in units of 2^-25 octaves above LEVEL_TOP, rounded to nearest, cut at 36 octaves below the reference;
 * stored in the order of units: low ones of a group's halves, then high ones. NaN and what lies beyond the last
 * candidate: LEVEL_FLOOR. */
#define LEVEL_TOP    (1 << 30)
#define LEVEL_FLOOR  (LEVEL_TOP - 36 * (1 << 25))
#define LEVEL_OCTAVE 0x1p25
#define LEVEL_LOG2E  0x1.71547652b82fep+0

/* Gumbel-max for one or eight winners, permute and flip for one */
enum { RACE_ONE, RACE_EIGHT, RACE_FLIP, RACE_KINDS };

/* Of each lane the kernel keeps the best few of a block, the state the best few of an epoch, and, refined, the best of
 * all. What is dropped on the way leaves its upper bound behind. Keys and bounds are octaves above the reference. */
#define RACE_LANES 16
enum { RACE_KEEP_ONE = 3, RACE_KEEP_EIGHT = 8 };                     /* of a block */
enum { RACE_DEPTH_ONE = 4, RACE_DEPTH_EIGHT = 10, RACE_DEPTH = 10 }; /* of an epoch */
enum { RACE_FINE_ONE = 1, RACE_FINE_EIGHT = 8, RACE_FINE = 8 };      /* of all */

typedef struct {
    double key[RACE_DEPTH][RACE_LANES]; /* lower end of the cell of the 32-bit key; -inf where there is none */
    uint64_t unit[RACE_DEPTH][RACE_LANES];
    double fine[RACE_FINE][RACE_LANES]; /* within RACE_ERROR; -inf where there is none */
    uint64_t fine_unit[RACE_FINE][RACE_LANES];
    double bound[RACE_LANES]; /* no key that was dropped lies above */
} race_state;

/* A refined key knows its score to half a cell of the 32-bit key, 2^-19, and V to 64 bits, of which 2^-40 <= V <= 1 -
 * 2^-40 leaves 2^-23 octaves; the rest is for roundings. */
#define RACE_ERROR 0x1.2p-19

/* Error of -log2 L in doubles, octaves, beside that of V: value.inc. */
#define VALUE_ERROR 0x1p-42

/* ---- the lazy race: most candidates are ruled out by their first 16 bits ---- */

/* A candidate that could not be ruled out. */
typedef struct {
    uint32_t unit; /* from the start of the part that was screened */
    uint32_t v;    /* its 16 bits */
} race_hit;

/* A screen stops after a step that leaves more than RACE_HITS - RACE_GROUP hits, so that a step always has room. */
#define RACE_HITS 512

/* Weights: upper bounds of 65534 2^s_i, from 1 to 65535, 16 bits each, in the order of units. */
#define WEIGHT_ONE 65534

/* How a screen by scores counts: in 2^-10 octaves, on the high half of a double between 2^10 and 2^11. */
typedef struct {
    double reference; /* subtracted first, if `centred` */
    double per_score; /* octaves: log2(e) / scale */
    /* candidate i passes if 1024 (per_score (score_i - reference) + base) >= bits(v) / 2^13, or v = 0 */
    double base;
    bool centred; /* else reference is part of base, which saves a subtraction */
} race_line;
#define RACE_LINE_MAGIC 0x1.8p10

#endif
