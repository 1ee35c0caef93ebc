/* job.h: a selection on its way from the public functions to the kernels.
 *
 * No selection waits for luck: the loops of this room count candidates, groups, winners, draws or a constant, and the
 * few that end by what they find have their bound beside them. The longest chain is a ranking: k passes at most, each a
 * race in constant time and 14 lazy races at most (simdp_lazy_finish, twice), each over n candidates. */
#ifndef SIMDP_SELECT_JOB_H
#define SIMDP_SELECT_JOB_H

#include "call/kernels.h"
#include "select/select_kernels.h"

/* How often the rare paths ran; tests hold them against their predictions. */
typedef struct {
    uint64_t selections;  /* in constant time */
    uint64_t undecided;   /* of these, how many went to the lazy race */
    uint64_t evaluated;   /* candidates of lazy races that their 16 bits did not rule out */
    uint64_t again;       /* lazy races that had to start once more */
    uint64_t pairs, wide; /* comparisons in double-double, in 512 bits */
} simdp_select_counts;

/* Where a decision begins: 0 as it should, 1 in the lazy race, 2 there with comparisons in double-double, 3 in 512
 * bits. */
enum { SELECT_FROM_START, SELECT_FROM_LAZY, SELECT_FROM_PAIRS, SELECT_FROM_WIDE };

/* Levels and weights made before, for all candidates. */
typedef struct {
    const int32_t *levels;
    const uint16_t *weights;
    double reference; /* the largest score, finite */
    double weight;    /* sum of 2^s_i, within 7 % */
} select_prepared;

/* The stream of a call's own, and the one that keyed it. */
typedef struct {
    simdp_rng *own, *rng;
    simdp_status status;
} select_keys;

/* A candidate of the lazy race. */
typedef struct {
    size_t candidate;
    double score;
    uint64_t v;        /* the first 64 bits of V */
    double key, error; /* octaves above the reference, in doubles */
} select_entry;

typedef struct select_job select_job;

/* A lazy race (lazy.h). */
typedef struct {
    const select_job *job;
    simdp_bits_at at; /* where the selection begins */
    double reference;
    double floor; /* octaves: every candidate with a larger key is looked at */
    double bar;   /* the same, risen to the last of the best found */
    size_t wanted, found;
    bool infinite;        /* a score of +inf turned up: the race is off */
    bool too_low;         /* score - reference overflowed: start again with a larger reference */
    select_entry best[8]; /* best first */
} lazy_race;

/* Memory of a call, for a race in constant time or for many lazy ones. It is the caller's, so that the
 * frames below, which are overwritten after streams that erase their keys, are short. */
#define SELECT_DRAWS       8   /* selections that share the levels of a block */
#define SELECT_PART_GROUPS 128 /* groups whose weights are made at a time */
#define SELECT_SHARED      32  /* lazy selections that share them */
typedef union {
    struct {
        race_state state[SELECT_DRAWS];
        int32_t levels[RACE_BLOCK];
        double copy[RACE_BLOCK]; /* of scores, without excluded candidates */
    } race;
    struct {
        uint16_t weights[SELECT_PART_GROUPS * RACE_GROUP];
        lazy_race race[SELECT_SHARED];
    } lazy;
} select_scratch;

struct select_job {
    const simdp_kernels *kernels;
    const simdp_cipher *cipher;
    select_scratch *scratch;
    select_keys *keys; /* NULL: one key serves to the end */
    uint32_t use;      /* BITS_SELECT_... */
    race_scores scores;
    size_t n;
    double scale;
    double octaves; /* per unit of score: log2(e) / scale */
    bool flip;
    int from;
    double error;                /* of refined keys: RACE_ERROR, or more to see what happens then */
    simdp_select_counts *counts; /* may be NULL */
    const size_t *excluded;      /* candidates that do not take part */
    size_t excluded_count;
};

#define SELECT_COUNT(job, what)                           \
    do {                                                  \
        if ((job)->counts != NULL) (job)->counts->what++; \
    } while (0)

/* finite: it takes part in the race */
static inline bool select_is_number(double score) { return score - score == 0; }

/* exact.c: whether a beats b, as real numbers decide it; equal keys (below 2^-400): the smaller index. Finite
 * scores. */
bool simdp_select_beats(const select_job *job, uint64_t position, const select_entry *a, const select_entry *b);

bool simdp_select_excluded(const select_job *job, size_t candidate);

/* select.c: asked before selections that do not share their bits with those before: whether to go on. In a child that a
 * signal handler forked meanwhile they run on a key of its own; false if there is none to be had. */
bool simdp_select_goes_on(const select_job *job);

/* vartime.c: the best `wanted` <= 8, best first; for more than one, so many scores must be finite and none +inf. Time
 * depends on everything. */
void simdp_select_lazy(const select_job *job, uint64_t position, size_t *index, size_t wanted);

/* vartime.c: `draws` winners, from positions `stride` apart. prepared may be NULL. */
void simdp_select_lazy_many(const select_job *job, uint64_t position, uint64_t stride, size_t *index, size_t draws,
                            const select_prepared *prepared);

/* constant.c: the best `wanted` <= 8 of each of `draws` selections in constant time, otherwise as in
 * simdp_select_lazy. */
void simdp_select_constant(const select_job *job, uint64_t position, uint64_t stride, size_t *index, size_t draws,
                           size_t wanted, const select_prepared *prepared);

/* Where no race is needed: the first score of +inf; 0 if there is none and no score is finite. top: the largest
 * score. */
size_t simdp_select_special(const select_job *job, double top);

/* vartime.c: fills index[found] .. index[wanted - 1] where a race found too few candidates. One winner: as
 * simdp_select_special. Several (only scores that change during the call can leave some open): the smallest indices
 * that are neither excluded nor among the first `found`. */
void simdp_select_rest(const select_job *job, size_t *index, size_t found, size_t wanted);

/* vartime.c: weights of all candidates, in the order of units, from levels above `reference`; returns their sum. */
double simdp_select_fill_weights(uint16_t *weights, const select_job *job, double reference);

#endif
