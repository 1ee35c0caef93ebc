/* race.h: the race behind every selection: what keys, units and heights are, and the data that kernels and drivers
 * share.
 *
 * Candidate i has a score s_i, counted in octaves above a reference score:  s_i = (score_i - reference) log2(e) /
 * scale,  and a uniform V_i of its own. The winner is the candidate with the largest key,
 *
 *     key_i = s_i - log2 L_i,     L_i = -log2(1 - V_i)  (Gumbel-max: L_i is exponential),  or  L_i = V_i  (permute and
 *                                 flip),
 *
 * as real numbers decide it. The smaller V_i, the larger the key.
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
#define RACE_EPOCH       16   /* blocks after which the candidates kept so far are refined */

static inline size_t race_groups(size_t candidates) { return (candidates + RACE_GROUP - 1) / RACE_GROUP; }

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

/* Heights: s_i in fixed point, HEIGHT_TOP + 2^25 s_i rounded to nearest, and not below HEIGHT_FLOOR, which is 36
 * octaves below the reference. NaN and the places behind the last candidate have HEIGHT_FLOOR. A group's candidates 0
 * to 63 use the low 16 bits of the halves, candidates 64 to 127 the high ones. */
#define HEIGHT_TOP    (1 << 30)
#define HEIGHT_FLOOR  (HEIGHT_TOP - 36 * (1 << 25))
#define HEIGHT_OCTAVE 0x1p25
#define RACE_LOG2E    0x1.71547652b82fep+0

/* Gumbel-max for one or eight winners, permute and flip for one */
enum { RACE_ONE, RACE_EIGHT, RACE_FLIP, RACE_KINDS };

/* The constant-time road. In each lane the screen keeps the best few of a block; the state keeps the best few of an
 * epoch (RACE_EPOCH blocks) and, of those that were refined, the best of all. A candidate that is dropped raises
 * `bound` to the upper bound of its key. Keys and bounds are octaves above the reference. */
#define RACE_LANES 16
enum { RACE_KEEP_ONE = 3, RACE_KEEP_EIGHT = 8 };                     /* kept of a block */
enum { RACE_DEPTH_ONE = 4, RACE_DEPTH_EIGHT = 10, RACE_DEPTH = 10 }; /* kept of an epoch */
enum { RACE_FINE_ONE = 1, RACE_FINE_EIGHT = 8, RACE_FINE = 8 };      /* kept of all that were refined */

typedef struct {
    double key[RACE_DEPTH][RACE_LANES]; /* lower end of the cell of the 32-bit key; -inf where there is none */
    uint64_t unit[RACE_DEPTH][RACE_LANES];
    double fine[RACE_FINE][RACE_LANES]; /* within RACE_ERROR; -inf where there is none */
    uint64_t fine_unit[RACE_FINE][RACE_LANES];
    double bound[RACE_LANES]; /* no key that was dropped lies above */
} race_state;

/* Error of a refined key in octaves: half the width of a 32-bit key for the score, 2^-19; 2^-23 for the bits of V
 * behind the first 64, where 2^-40 <= V <= 1 - 2^-40; the rest is for roundings. */
#define RACE_ERROR 0x1.2p-19

/* Error of -log2 L as key_value.inc computes it in doubles from a given V, octaves. */
#define VALUE_ERROR 0x1p-42

/* The winner among few candidates, at most a group, which are all refined without a screen. */
typedef struct {
    double key, next; /* the largest key and the largest of the others, each within FEW_ERROR; next = inf: not known */
    double top;       /* the largest score */
    size_t candidate; /* whose key is the largest */
} race_winner;

/* Error of a key where all candidates are refined, octaves: 2^-22 for the bits of V behind the first 63, where
 * 2^-40 <= V <= 1 - 2^-40, and less than 2^-40 for all roundings of scores down to 1000 octaves below the reference. */
#define FEW_ERROR 0x1.2p-22

/* ---- the variable-time road: most candidates are ruled out by their first 16 bits ---- */

/* A candidate that could not be ruled out. */
typedef struct {
    uint32_t unit; /* from the start of the part that was screened */
    uint32_t v;    /* its 16 bits */
} race_hit;

/* A screen stops after a step that leaves more than RACE_HITS - RACE_GROUP hits, so that a step always has room. */
#define RACE_HITS 512

/* Weights: upper bounds of 65534 2^s_i, from 1 to 65535, 16 bits each, in the order of units. */
#define WEIGHT_ONE 65534

/* What a screen by scores compares with. It counts in units of 2^-10 octaves: adding RACE_LINE_MAGIC brings a number
 * between 2^10 and 2^11, where the high half of a double counts in that unit. */
typedef struct {
    double reference; /* subtracted first, if `centred` */
    double per_score; /* octaves: log2(e) / scale */
    double base;      /* candidate i is a hit if 1024 (per_score (score_i - reference) + base) >= bits(v) / 2^13 */
    bool centred;     /* false: base includes the reference, which saves a subtraction */
} race_line;
#define RACE_LINE_MAGIC 0x1.8p10

#endif
