/* select.h: a call of any public selection, as tests may also make it: with forced levels and counters. */
#ifndef SIMDP_SELECT_CALL_H
#define SIMDP_SELECT_CALL_H

#include "select/job.h"

typedef struct {
    simdp_rng *rng;
    size_t *index; /* rows * draws * k of them */
    race_scores scores;
    size_t rows, n;
    size_t draws; /* of each row */
    size_t k;     /* winners of each selection, in order */
    double scale;
    bool flip, vartime;
    const void *workspace; /* instead of scores, n and scale */
    int from;              /* SELECT_FROM_... */
    double error;          /* instead of RACE_ERROR, if larger */
    simdp_select_counts *counts;
} select_call;

simdp_status simdp_select_run(const select_call *call);

/* ranking.c: the k best of one selection, in order. */
void simdp_select_ranking(select_job *job, uint64_t position, size_t *index, size_t k);
/* ranking.c: scale 0: the k largest scores, in order; equal ones by index, then those that are not numbers or -inf by
 * index. */
void simdp_select_largest(const race_scores *scores, size_t n, size_t *index, size_t k);

/* prepare.c: what a workspace holds; false if it was never prepared. */
bool simdp_select_workspace_open(const void *workspace, select_call *call, select_prepared *prepared);

#endif
