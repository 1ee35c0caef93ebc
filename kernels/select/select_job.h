/* select_job.h: one selection on its way from the public functions to the kernels, and the functions on that way.
 *
 * Every loop of this room ends after a number of turns that is known beforehand: it counts candidates, groups, winners,
 * draws or a constant, and the few that end by what they find state their bound. The longest chain is a ranking: k
 * passes at most, each a constant-time race and at most 14 variable-time races (simdp_vartime_finish, twice) over n
 * candidates. */
#ifndef SIMDP_SELECT_JOB_H
#define SIMDP_SELECT_JOB_H

#include "call/kernels.h"
#include "select/select_kernels.h"

/* How often the rare paths ran; tests hold them against their predictions. */
typedef struct {
    uint64_t selections;  /* in constant time */
    uint64_t undecided;   /* of these, how many the variable-time road had to decide */
    uint64_t evaluated;   /* candidates of variable-time races that their 16 bits did not rule out */
    uint64_t again;       /* variable-time races that had to start once more */
    uint64_t pairs, wide; /* comparisons in double-double, in 512 bits */
} simdp_select_counts;

/* At which stage a decision begins: the first one, or, in tests, a later one: the variable-time race, its comparisons
 * in double-double, its comparisons in 512 bits. */
enum { SELECT_FROM_START, SELECT_FROM_VARTIME, SELECT_FROM_PAIRS, SELECT_FROM_WIDE };

/* Heights and weights of all candidates, made by simdp_select_prepare. */
typedef struct {
    const int32_t *heights;
    const uint16_t *weights;
    double reference; /* the largest score, finite */
    double weight;    /* sum of 2^s_i, within 7 % */
} select_prepared;

/* The streams of a call whose key may change: the given one, and the call's own, which that has keyed; NULL: none. */
typedef struct {
    simdp_rng *own, *rng;
    simdp_status status;
} select_keys;

/* A candidate of the variable-time race that was refined. */
typedef struct {
    size_t candidate;
    double score;
    uint64_t v;        /* the first 64 bits of V */
    double key, error; /* octaves above the reference, in doubles */
} select_entry;

typedef struct select_job select_job;

/* A variable-time race (vartime_race.h). */
typedef struct {
    const select_job *job;
    simdp_bits_at at; /* where the selection begins */
    double reference;
    double floor; /* octaves: the race finds every candidate with a larger key */
    double bar;   /* starts at floor and rises to the key of the last of `best` once that list is full */
    size_t wanted, found;
    bool infinite;        /* a score is +inf: that candidate wins without a race */
    bool too_low;         /* score - reference overflowed: start again with a larger reference */
    select_entry best[8]; /* best first */
} vartime_race;

/* Memory of a call, for a constant-time race or for many variable-time ones. It lies in the frame of the function that
 * scrubs the stack after streams that erase their keys: less stack below that has to be scrubbed. */
#define SELECT_DRAWS       8   /* selections that share the heights of a block */
#define SELECT_PART_GROUPS 128 /* groups whose weights are made at a time */
#define SELECT_SHARED      32  /* variable-time selections that share them */
typedef union {
    struct {
        race_state state[SELECT_DRAWS];
        int32_t heights[RACE_BLOCK];
        double copy[RACE_BLOCK]; /* of scores, without excluded candidates */
    } race;
    struct {
        uint16_t weights[SELECT_PART_GROUPS * RACE_GROUP];
        vartime_race race[SELECT_SHARED];
    } vartime;
} select_scratch;

struct select_job {
    const simdp_kernels *kernels;
    const simdp_cipher *cipher;
    select_scratch *scratch;
    select_keys *keys; /* NULL: the key cannot change during the call */
    uint32_t use;      /* BITS_SELECT_... */
    race_scores scores;
    size_t n;
    double scale;
    double octaves; /* per unit of score: log2(e) / scale */
    bool flip;
    int from;                    /* SELECT_FROM_... */
    double error;                /* 0; in tests, an error that refined keys are taken to have */
    simdp_select_counts *counts; /* may be NULL */
    const size_t *excluded;      /* candidates that do not take part */
    size_t excluded_count;
};

#define SELECT_COUNT(job, what)                           \
    do {                                                  \
        if ((job)->counts != NULL) (job)->counts->what++; \
    } while (0)

/* Whether a score is finite. Others take no part in the race. */
static inline bool select_is_number(double score) { return score - score == 0; }

/* decide_exactly.c: whether a beats b, as real numbers decide it; equal keys (below 2^-400): the smaller index. Finite
 * scores. */
bool simdp_select_beats(const select_job *job, uint64_t position, const select_entry *a, const select_entry *b);

/* vartime_race.c: whether a candidate does not take part. */
bool simdp_select_excluded(const select_job *job, size_t candidate);

/* select_call.c: called before each selection that reads new positions. If a signal handler has forked the process
 * since the call began, the child gets another key. False if that fails: the call ends. */
bool simdp_select_goes_on(const select_job *job);

/* vartime_select.c: the best `wanted` <= 8, best first. If wanted > 1, at least that many scores must be finite and
 * none +inf. Time depends on scores and random bits. */
void simdp_select_vartime(const select_job *job, uint64_t position, size_t *index, size_t wanted);

/* vartime_select.c: `draws` winners, from positions `stride` apart. prepared may be NULL. */
void simdp_select_vartime_many(const select_job *job, uint64_t position, uint64_t stride, size_t *index, size_t draws,
                               const select_prepared *prepared);

/* constant_race.c: the best `wanted` <= 8 of each of `draws` selections in constant time, otherwise as in
 * simdp_select_vartime. */
void simdp_select_constant(const select_job *job, uint64_t position, uint64_t stride, size_t *index, size_t draws,
                           size_t wanted, const select_prepared *prepared);

/* vartime_select.c: the winner where there is no race: the first score of +inf; 0 if no score is finite or +inf. top:
 * the largest score. */
size_t simdp_select_special(const select_job *job, double top);

/* vartime_select.c: fills index[found] .. index[wanted - 1] where a race found too few candidates. One winner: as
 * simdp_select_special. Several (only scores that change during the call can leave some open): the smallest indices
 * that are neither excluded nor among the first `found`. */
void simdp_select_rest(const select_job *job, size_t *index, size_t found, size_t wanted);

#endif
