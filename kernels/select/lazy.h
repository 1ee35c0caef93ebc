/* lazy.h: a race that looks only at candidates whose first 16 bits could make them win. */
#ifndef SIMDP_SELECT_LAZY_H
#define SIMDP_SELECT_LAZY_H

#include "select/job.h"

typedef struct {
    const select_job *job;
    simdp_bits_at at;         /* where the selection begins */
    double reference;
    double floor;             /* octaves: every candidate with a larger key is looked at */
    double bar;               /* the same, risen to the last of the best found */
    size_t wanted, found;
    bool infinite;            /* a score of +inf turned up: the race is off */
    bool too_low;             /* score - reference overflowed: start again with a larger reference */
    select_entry best[8];     /* best first */
} lazy_race;

/* Memory of a call, for a race in constant time or for the weights of many lazy ones. It is the caller's, so that the
 * frames below, which are overwritten after streams that erase their keys, are short. */
#define SELECT_DRAWS       8     /* selections that share the levels of a block */
#define SELECT_PART_GROUPS 128   /* groups whose weights are made at a time */
#define SELECT_LAZY_DRAWS  32    /* selections that share them */
union select_scratch {
    struct {
        race_state state[SELECT_DRAWS];
        int32_t levels[RACE_BLOCK];
        double copy[RACE_BLOCK];   /* of scores, without excluded candidates */
    } race;
    struct {
        uint16_t weights[SELECT_PART_GROUPS * RACE_GROUP];
        lazy_race race[SELECT_LAZY_DRAWS];
    } lazy;
};

/* floor: candidates below it are ignored; the race is good if lazy_settled at the end. */
void simdp_lazy_begin(lazy_race *race, const select_job *job, uint64_t position, size_t wanted, double reference,
                      double floor);

/* Candidates first .. first + count, first a multiple of RACE_GROUP, by scores, and by weights of whole groups. */
void simdp_lazy_scores(lazy_race *race, size_t first, size_t count);
void simdp_lazy_weights(lazy_race *race, const uint16_t *weights, size_t first, size_t groups);

/* Whether `best` holds the winners: nothing below the floor beats them. */
bool simdp_lazy_settled(const lazy_race *race);

/* Again with lower floors as long as it is not settled, six times at most. Then `best` holds the winners, unless
 * `infinite` or `too_low` says why not; or fewer, if fewer scores are finite. */
void simdp_lazy_finish(lazy_race *race);

/* A floor that `wanted` keys exceed almost surely and few others: weight is the sum of 2^s_i. */
double simdp_lazy_floor(double weight, size_t wanted);

#endif
