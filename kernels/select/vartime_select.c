/* vartime_select.c: the variable-time road: one selection by its scores, or many that share weights. */
#include <math.h>

#include "select/vartime_race.h"

#define SAMPLE      128 /* scores from which the weight of all is estimated: a group */
#define SAMPLE_RUN  8   /* neighbouring scores in the sample */
#define WEIGHTS_PAY 4   /* draws from which on making weights costs less than screening by scores */

size_t simdp_select_special(const select_job *job, double top)
{
    if (top == INFINITY) {
        for (size_t i = 0; i < job->n; i++) {
            if (race_score(&job->scores, i) == INFINITY) return i;
        }
    }
    return 0;
}

static bool is_taken(const select_job *job, const size_t *index, size_t found, size_t candidate)
{
    for (size_t i = 0; i < found; i++) {
        if (index[i] == candidate) return true;
    }
    return simdp_select_excluded(job, candidate);
}

void simdp_select_rest(const select_job *job, size_t *index, size_t found, size_t wanted)
{
    if (wanted == 1 && found == 0) {
        index[0] = simdp_select_special(job, INFINITY);
        return;
    }
    for (size_t i = 0; i < job->n && found < wanted; i++) {
        if (!is_taken(job, index, found, i)) index[found++] = i;
    }
}

static double per_score(const select_job *job) { return job->octaves * HEIGHT_OCTAVE; }

/* Returns the largest of SAMPLE scores that are spread over all. *weight: an estimate of the sum of 2^s_i of all
 * candidates, counted from that score; not set if that score is not finite. */
static double sample(const select_job *job, double *weight)
{
    double some[SAMPLE];
    int32_t heights[SAMPLE];
    uint16_t weights[SAMPLE];
    const race_scores scores = {some, false};
    const size_t count = job->n < SAMPLE ? job->n : SAMPLE, apart = (job->n - count) / (SAMPLE / SAMPLE_RUN - 1);
    for (size_t j = 0; j < count; j++) {
        const size_t i = job->n < SAMPLE ? j : j / SAMPLE_RUN * (SAMPLE_RUN + apart) + j % SAMPLE_RUN;
        some[j] = race_score(&job->scores, i);
        if (job->excluded_count > 0 && simdp_select_excluded(job, i)) some[j] = NAN;
    }
    const double top = job->kernels->select->top(&scores, 0, count);
    if (!select_is_number(top)) return top;
    job->kernels->select->heights(heights, &scores, 0, count, top, per_score(job));
    *weight = job->kernels->select->weights(weights, heights, 1) * ((double)job->n / (double)count);
    return top;
}

/* The largest finite score; -inf if there is none. */
static double largest_finite(const select_job *job)
{
    double top = -INFINITY;
    for (size_t i = 0; i < job->n; i++) {
        const double s = race_score(&job->scores, i);
        if (s > top && select_is_number(s) && !simdp_select_excluded(job, i)) top = s;
    }
    return top;
}

/* The winners of a race whose candidates were all screened. It runs simdp_vartime_finish at most twice, since no finite
 * score is above the second reference. */
static void conclude(vartime_race *race, size_t *index)
{
    const select_job *job = race->job;
    simdp_vartime_finish(race);
    if (race->too_low) {
        const double reference = largest_finite(job);
        race->infinite = !select_is_number(reference);
        if (!race->infinite) {
            simdp_vartime_begin(race, job, race->at.position, race->wanted, reference,
                                simdp_vartime_floor(1, race->wanted));
            simdp_vartime_scores(race, 0, job->n);
            simdp_vartime_finish(race);
        }
    }
    const size_t found = race->infinite ? 0 : race->found;
    for (size_t k = 0; k < found; k++) index[k] = race->best[k].candidate;
    simdp_select_rest(job, index, found, race->wanted);
}

void simdp_select_vartime(const select_job *job, uint64_t position, size_t *index, size_t wanted)
{
    vartime_race race;
    double weight, reference = sample(job, &weight);
    simdp_vartime_begin(&race, job, position, wanted, reference, -INFINITY);
    race.too_low = !select_is_number(reference);
    if (!race.too_low) {
        race.floor = race.bar = simdp_vartime_floor(weight, wanted);
        simdp_vartime_scores(&race, 0, job->n);
    }
    conclude(&race, index);
}

/* ---- many ---- */

/* Weights of `groups` groups from candidate `first` on. Returns the sum of 2^s_i, counted from `reference`. */
static double fill_part(uint16_t *weights, const select_job *job, double reference, size_t first, size_t groups)
{
    int32_t heights[RACE_BLOCK];
    double sum = 0;
    for (size_t g = 0; g < groups; g += RACE_BLOCK / RACE_GROUP) {
        const size_t from = first + g * RACE_GROUP, count = job->n - from < RACE_BLOCK ? job->n - from : RACE_BLOCK;
        job->kernels->select->heights(heights, &job->scores, from, count, reference, per_score(job));
        sum += job->kernels->select->weights(weights + g * RACE_GROUP, heights, race_groups(count));
    }
    return sum;
}

static void draw_with_weights(const select_job *job, uint64_t position, uint64_t stride, size_t *index, size_t draws,
                              const select_prepared *p)
{
    const double floor = simdp_vartime_floor(p->weight, 1);
    for (size_t d = 0; d < draws; d++) {
        vartime_race race;
        if (!simdp_select_goes_on(job)) return;
        simdp_vartime_begin(&race, job, position + d * stride, 1, p->reference, floor);
        simdp_vartime_weights(&race, p->weights, 0, race_groups(job->n));
        conclude(&race, &index[d]);
    }
}

/* How many groups the part that begins with group g has. */
static size_t part_of(size_t groups, size_t g)
{
    return groups - g < SELECT_PART_GROUPS ? groups - g : SELECT_PART_GROUPS;
}

/* The weights of a part serve up to SELECT_SHARED selections before those of the next part replace them. */
static void draw_in_parts(const select_job *job, uint64_t position, uint64_t stride, size_t *index, size_t draws,
                          double reference)
{
    const size_t groups = race_groups(job->n);
    uint16_t *const weights = job->scratch->vartime.weights;
    vartime_race *const race = job->scratch->vartime.race;
    double weight = 0;
    for (size_t g = 0; g < groups; g += SELECT_PART_GROUPS)
        weight += fill_part(weights, job, reference, g * RACE_GROUP, part_of(groups, g));
    const double floor = simdp_vartime_floor(weight, 1);
    for (size_t done = 0; done < draws; done += SELECT_SHARED) {
        const size_t now = draws - done < SELECT_SHARED ? draws - done : SELECT_SHARED;
        if (!simdp_select_goes_on(job)) return;
        for (size_t d = 0; d < now; d++)
            simdp_vartime_begin(&race[d], job, position + (done + d) * stride, 1, reference, floor);
        for (size_t g = 0; g < groups; g += SELECT_PART_GROUPS) {
            const size_t part = part_of(groups, g);
            fill_part(weights, job, reference, g * RACE_GROUP, part);
            for (size_t d = 0; d < now; d++) simdp_vartime_weights(&race[d], weights, g * RACE_GROUP, part);
        }
        for (size_t d = 0; d < now; d++) conclude(&race[d], &index[done + d]);
    }
}

/* For candidates that are few enough: the scratch holds the weights of all. */
static void draw_few(const select_job *job, uint64_t position, uint64_t stride, size_t *index, size_t draws, double top)
{
    uint16_t *const weights = job->scratch->vartime.weights;
    const select_prepared p = {
        .weights = weights, .reference = top, .weight = fill_part(weights, job, top, 0, race_groups(job->n))};
    draw_with_weights(job, position, stride, index, draws, &p);
}

void simdp_select_vartime_many(const select_job *job, uint64_t position, uint64_t stride, size_t *index, size_t draws,
                               const select_prepared *prepared)
{
    if (prepared != NULL) {
        draw_with_weights(job, position, stride, index, draws, prepared);
        return;
    }
    if (draws < WEIGHTS_PAY) {
        for (size_t d = 0; d < draws && simdp_select_goes_on(job); d++)
            simdp_select_vartime(job, position + d * stride, &index[d], 1);
        return;
    }
    const double top = job->kernels->select->top(&job->scores, 0, job->n);
    if (!select_is_number(top)) {
        for (size_t d = 0; d < draws; d++) index[d] = simdp_select_special(job, top);
    } else if (job->n <= SELECT_PART_GROUPS * RACE_GROUP) {
        draw_few(job, position, stride, index, draws, top);
    } else {
        draw_in_parts(job, position, stride, index, draws, top);
    }
}
