/* analysts.h: datasets, queries and analysts that tests of interactions share. */
#ifndef SIMDP_ANALYSTS_H
#define SIMDP_ANALYSTS_H

#include "support/test_support.h"

/* A dataset: a few numbers in [0, 1]. Query contexts below point to an index. */
enum { RECORDS = 4 };
typedef struct {
    double x[RECORDS];
} records;

static inline simdp_status query_record(void *context, double *answers, size_t n, const void *data)
{
    (void)n;
    answers[0] = ((const records *)data)->x[*(const size_t *)context];
    return SIMDP_OK;
}

/* candidate i scores x[i mod RECORDS] */
static inline simdp_status query_scores(void *context, double *answers, size_t n, const void *data)
{
    (void)context;
    for (size_t i = 0; i < n; i++) answers[i] = ((const records *)data)->x[i % RECORDS];
    return SIMDP_OK;
}

/* A script: the same requests whatever the answers, then no more. */
typedef struct {
    const simdp_theory_request *requests;
    size_t count;
} script;

static inline simdp_status script_analyst(void *context, simdp_theory_request *next, const simdp_theory_step *steps,
                                          size_t count)
{
    const script *s = context;
    (void)steps;
    if (count < s->count) *next = s->requests[count];
    return SIMDP_OK;
}

static inline simdp_theory_request ask_record(simdp_theory_mechanism mechanism, size_t *index)
{
    return (simdp_theory_request){.mechanism = mechanism, .query = query_record, .query_context = index};
}

#endif
