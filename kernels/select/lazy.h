/* lazy.h: a race that looks only at candidates whose first 16 bits could make them win. */
#ifndef SIMDP_SELECT_LAZY_H
#define SIMDP_SELECT_LAZY_H

#include "select/job.h"

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
