/* select_kernels.h: what a unit offers to the room select. */
#ifndef SIMDP_SELECT_KERNELS_H
#define SIMDP_SELECT_KERNELS_H

#include "select/partitions/partition_law.h"
#include "select/race.h"
#include "select/threshold/above.h"

/* Each function is described where it is defined, in an .inc of this folder. */
typedef struct simdp_select_kernels {
    double (*top)(const race_scores *scores, size_t first, size_t count);
    void (*heights)(int32_t *heights, const race_scores *scores, size_t first, size_t count, double reference,
                    double per_score);
    double (*weights)(uint16_t *weights, const int32_t *heights, size_t groups);
    void (*race[RACE_KINDS])(race_state *state, const int32_t *heights, size_t groups, uint64_t first_unit,
                             double shift, const simdp_bits_at *at);
    void (*refine[RACE_KINDS])(race_state *state, const simdp_bits_at *at);
    void (*few)(race_winner *winner, const race_scores *scores, size_t n, double octaves, bool flip,
                const simdp_bits_at *at);
    size_t (*screen_scores)(race_hit *hits, size_t *from, const race_scores *scores, size_t first, size_t groups,
                            const race_line *line, const simdp_bits_at *at);
    size_t (*screen_weights)(race_hit *hits, size_t *from, const uint16_t *weights, size_t groups, uint16_t threshold,
                             bool coarse, const simdp_bits_at *at);
    void (*values)(double value[8], uint64_t v[8], const uint64_t unit[8], bool flip, const simdp_bits_at *at);
    bool (*partitions)(uint64_t *kept, uint64_t *open, const int64_t *counts, const uint64_t *words, size_t n,
                       const simdp_partition_law *law);
    bool (*above)(uint64_t *above, uint64_t *open, const double *queries, const uint64_t *words, size_t n,
                  const simdp_above_law *law);
    void (*quantile_count)(uint64_t *below, uint64_t *above, const double *records, size_t n, const double *candidates);
} simdp_select_kernels;

#endif
