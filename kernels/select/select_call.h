/* select_call.h: the parameters of any public selection in one struct. Tests make such calls too: they can force the
 * stage at which a decision begins and count how often the rare stages run. */
#ifndef SIMDP_SELECT_CALL_H
#define SIMDP_SELECT_CALL_H

#include "select/select_job.h"

typedef struct {
    simdp_rng *rng;
    size_t *index; /* rows * draws * k winners */
    race_scores scores;
    const simdp_id *ids; /* NULL; else one a row: its bits belong to it, and the stream does not move */
    size_t rows, n;
    size_t draws; /* selections from each row */
    size_t k;     /* winners of each selection, in order */
    double scale;
    bool flip, vartime;
    const void *workspace; /* instead of scores, n and scale */
    int from;              /* SELECT_FROM_... */
    double error;          /* instead of RACE_ERROR, if larger */
    simdp_select_counts *counts;
} select_call;

simdp_status simdp_select_run(const select_call *call);

/* rank_winners.c: the k best of one selection, in order. */
void simdp_select_ranking(select_job *job, uint64_t position, size_t *index, size_t k);
/* rank_winners.c: at scale 0: the k largest scores in order, equal ones by index; NaN and -inf come last, by index. */
void simdp_select_largest(const race_scores *scores, size_t n, size_t *index, size_t k);

/* prepare_workspace.c: reads what a workspace holds; false if it was never prepared. */
bool simdp_select_workspace_open(const void *workspace, select_call *call, select_prepared *prepared);

#endif
