/* vartime_race.h: a race that looks only at candidates whose first 16 bits could make them win: begin, screen all
 * candidates by scores or by weights, finish. */
#ifndef SIMDP_SELECT_VARTIME_RACE_H
#define SIMDP_SELECT_VARTIME_RACE_H

#include "select/select_job.h"

/* floor: candidates with smaller keys may be ignored. */
void simdp_vartime_begin(vartime_race *race, const select_job *job, uint64_t position, size_t wanted, double reference,
                         double floor);

/* Screens the candidates first .. first + count by their scores, or whole groups by their weights. first is a multiple
 * of RACE_GROUP. */
void simdp_vartime_scores(vartime_race *race, size_t first, size_t count);
void simdp_vartime_weights(vartime_race *race, const uint16_t *weights, size_t first, size_t groups);

/* Repeats the race with lower floors until `best` holds the winners, six times at most. If fewer than `wanted` scores
 * are finite, `best` holds fewer. There are no winners if `infinite` or `too_low` is set. */
void simdp_vartime_finish(vartime_race *race);

/* A floor that at least `wanted` keys exceed almost surely, and few more. weight: the sum of 2^s_i. */
double simdp_vartime_floor(double weight, size_t wanted);

#endif
